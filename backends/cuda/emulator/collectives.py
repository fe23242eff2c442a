"""What a warp does together: shuffles, votes, matches, reductions, matrices.

Each is a function of the lanes that take part:

    void run(ptr threads, i64 size of a thread, i32 mask, ptr launch)

The lanes have put their operands into the slots of their headers, and find their results there.
The scheduler calls it when all lanes of the mask have arrived. Functions are written on first use
and stay; their numbers are the indices of a table that launches get.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from .jit import Library
from .layout import THREAD, WARP
from .writer import Writer, join

SLOTS = THREAD.offsets["slots"]
CAPACITY = 4096
_numbers: dict[str, int] = {}
_libraries: list[Library] = []
_writers: dict[str, Callable[[Lanes, list[str]], None]] = {}
table = (ctypes.c_void_p * CAPACITY)()


def collective_number(name: str) -> int:
    """The number of a collective by its name, `shfl.bfly` say; it is compiled when it is new."""
    number = _numbers.get(name)
    if number is None:
        stem, *words = name.split(".")
        lanes = Lanes()
        _writers[stem](lanes, words)
        lanes.line("ret void")
        symbol = f"collective.{name}"
        text = lanes.function(f"void @{symbol}(ptr %threads, i64 %size, i32 %mask, ptr %launch)")
        parts = [text, *lanes.functions.values(), *lanes.declarations.values()]
        library = Library(join(parts), symbol)
        number = len(_numbers)
        _libraries.append(library)
        table[number] = library.addresses[symbol]
        _numbers[name] = number
    return number


def collective(stem: str) -> Callable[..., Callable[[Lanes, list[str]], None]]:
    def register(
        write: Callable[[Lanes, list[str]], None],
    ) -> Callable[[Lanes, list[str]], None]:
        _writers[stem] = write
        return write

    return register


class Lanes(Writer):
    """Code over the lanes of a warp; `functions` are further ones that it calls."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: dict[str, str] = {}

    def slot(self, lane: str, number: int | str) -> str:
        """The pointer to a slot of a lane."""
        wide = self.value(f"zext i32 {lane} to i64")
        place = self.value(f"mul i64 {wide}, %size")
        pointer = self.element("i8", "%threads", place, "i64")
        if isinstance(number, int):
            return self.offset(pointer, SLOTS + 4 * number)
        return self.element("i32", self.offset(pointer, SLOTS), number)

    def read(self, lane: str, number: int | str, kind: str = "i32") -> str:
        return self.value(f"load {kind}, ptr {self.slot(lane, number)}, align 4")

    def write(self, lane: str, number: int | str, value: str, kind: str = "i32") -> None:
        self.line(f"store {kind} {value}, ptr {self.slot(lane, number)}, align 4")

    def named(self, lane: str) -> str:
        """Whether the mask names a lane."""
        return self.value(f"trunc i32 {self.value(f'lshr i32 %mask, {lane}')} to i1")

    def each(self, act: Callable[[str], None]) -> None:
        """For each lane of the mask."""
        with self.loop(str(WARP)) as lane, self.when(self.named(lane)):
            act(lane)


@collective("sync")
def _sync(w: Lanes, words: list[str]) -> None:
    """Nothing but waiting."""


@collective("shfl")
def _shuffle(w: Lanes, words: list[str]) -> None:
    """Slots: value, b, c. Results: value, whether its lane was in range. (PTX ISA, shfl.sync.)"""
    (mode,) = words
    values = w.array("i32", WARP)

    def keep(lane: str) -> None:
        w.line(f"store i32 {w.read(lane, 0)}, ptr {w.element('i32', values, lane)}")

    def take(lane: str) -> None:
        b = w.value(f"and i32 {w.read(lane, 1)}, 31")
        c = w.read(lane, 2)
        segment = w.value(f"and i32 {w.value(f'lshr i32 {c}, 8')}, 31")
        clamp = w.value(f"and i32 {c}, 31")
        outside = w.value(f"xor i32 {segment}, -1")
        first = w.value(f"and i32 {lane}, {segment}")
        last = w.value(f"or i32 {first}, {w.value(f'and i32 {clamp}, {outside}')}")
        if mode == "up":
            source = w.value(f"sub i32 {lane}, {b}")
            inside = w.value(f"icmp sge i32 {source}, {last}")
        else:
            if mode == "down":
                source = w.value(f"add i32 {lane}, {b}")
            elif mode == "bfly":
                source = w.value(f"xor i32 {lane}, {b}")
            else:
                source = w.value(f"or i32 {first}, {w.value(f'and i32 {b}, {outside}')}")
            inside = w.value(f"icmp sle i32 {source}, {last}")
        source = w.value(f"select i1 {inside}, i32 {source}, i32 {lane}")
        # What comes from a lane that takes no part is anything: here all bits set.
        there = w.named(source)
        place = w.element("i32", values, w.value(f"and i32 {source}, 31"))
        value = w.value(f"load i32, ptr {place}")
        w.write(lane, 0, w.value(f"select i1 {there}, i32 {value}, i32 -1"))
        w.write(lane, 1, w.value(f"zext i1 {inside} to i32"))

    w.each(keep)
    w.each(take)


@collective("vote")
def _vote(w: Lanes, words: list[str]) -> None:
    """Slot: the predicate. Result: ballot, or a truth value."""
    (mode,) = words
    ballot = w.variable("i32", "0")

    def count(lane: str) -> None:
        bit = w.value(f"shl i32 {w.value(f'and i32 {w.read(lane, 0)}, 1')}, {lane}")
        ballot.set(w.value(f"or i32 {ballot.get()}, {bit}"))

    w.each(count)
    result = ballot.get()
    if mode != "ballot":
        every = w.value(f"icmp eq i32 {result}, %mask")
        none = w.value(f"icmp eq i32 {result}, 0")
        test = {
            "all": every,
            "any": w.value(f"xor i1 {none}, true"),
            "uni": w.value(f"or i1 {every}, {none}"),
        }[mode]
        result = w.value(f"zext i1 {test} to i32")
    w.each(lambda lane: w.write(lane, 0, result))


@collective("match")
def _match(w: Lanes, words: list[str]) -> None:
    """Slots: the value (two). Results: lanes with the same value; whether all are the same."""
    (mode,) = words
    values, results = w.array("i64", WARP), w.array("i32", WARP)

    def keep(lane: str) -> None:
        w.line(f"store i64 {w.read(lane, 0, 'i64')}, ptr {w.element('i64', values, lane)}")

    def compare(lane: str) -> None:
        own = w.value(f"load i64, ptr {w.element('i64', values, lane)}")
        same = w.variable("i32", "0")
        same.set("0")

        def look(other: str) -> None:
            value = w.value(f"load i64, ptr {w.element('i64', values, other)}")
            equal = w.value(f"zext i1 {w.value(f'icmp eq i64 {own}, {value}')} to i32")
            same.set(w.value(f"or i32 {same.get()}, {w.value(f'shl i32 {equal}, {other}')}"))

        w.each(look)
        w.line(f"store i32 {same.get()}, ptr {w.element('i32', results, lane)}")

    def give(lane: str) -> None:
        same = w.value(f"load i32, ptr {w.element('i32', results, lane)}")
        every = w.value(f"icmp eq i32 {same}, %mask")
        if mode == "all":
            same = w.value(f"select i1 {every}, i32 %mask, i32 0")
        w.write(lane, 0, same)
        w.write(lane, 1, w.value(f"zext i1 {every} to i32"))

    w.each(keep)
    w.each(compare)
    w.each(give)


@collective("redux")
def _reduce(w: Lanes, words: list[str]) -> None:
    """Slot: an integer. Result: the sum, least, ... of all."""
    what, kind = words
    signed = kind == "s32"
    neutral = {"add": 0, "or": 0, "xor": 0, "and": -1}.get(what)
    if neutral is None:
        if what == "min":
            neutral = (1 << 31) - 1 if signed else -1
        else:
            neutral = -(1 << 31) if signed else 0
    total = w.variable("i32", str(neutral))

    def combine(lane: str) -> None:
        value, so_far = w.read(lane, 0), total.get()
        if what in ("min", "max"):
            name = f"llvm.{'s' if signed else 'u'}{what}.i32"
            total.set(w.intrinsic(name, "i32", so_far, value))
        else:
            total.set(w.value(f"{what} i32 {so_far}, {value}"))

    w.each(combine)
    result = total.get()
    w.each(lambda lane: w.write(lane, 0, result))


@collective("elect")
def _elect(w: Lanes, words: list[str]) -> None:
    """Results: the lowest lane of the mask; whether it is the own one."""
    w.declare("llvm.cttz.i32", "i32 @(i32, i1)")
    leader = w.value("call i32 @llvm.cttz.i32(i32 %mask, i1 false)")

    def give(lane: str) -> None:
        w.write(lane, 0, leader)
        w.write(lane, 1, w.value(f"zext i1 {w.value(f'icmp eq i32 {lane}, {leader}')} to i32"))

    w.each(give)
