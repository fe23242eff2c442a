"""Where the values of a function of launches live: inputs, results, scratch memory.

Scratch memory is one arena, shared by values that do not live at the same time. What has an
extent that only data tell (see tfc.ir.ops.extents) has memory of its own, allocated and freed
while the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfc.ir.core import Function, Op, Value
from tfc.ir.cost import bytes_of
from tfc.ir.extent import Extent, ceildiv, symbols
from tfc.ir.ops.control import Cond, Control, Scan, While
from tfc.ir.ops.extents import BindExtent
from tfc.ir.ops.kernel import LAUNCHES, For, HostLaunch, Launch, Repeat

from .entry import RELEASE_WORK
from .sharing import Sharing, in_place

ALIGN = 64  # bytes; of buffers in the arena

Place = tuple[str, Any]  # ("buffer", index), ("arena", offset) or ("heap", bytes)


def late_symbols(f: Function) -> Iterator[str]:
    """The symbols that are bound while `f` or one of its regions runs."""
    for op in f.body:
        if isinstance(op, BindExtent):
            yield str(op.symbol)
        elif isinstance(op, Control):
            for region in op.regions:
                yield from late_symbols(region)


def _may_last(op: Launch) -> bool:
    """Whether a kernel is a loop whose length its buffers do not tell."""
    first = (inner for inner in op.kernel.body if isinstance(inner, For))
    if any(inner.init for inner in first):
        return True
    return any(isinstance(inner, Repeat) for inner in op.kernel.walk())


class Layout:
    """The places of a function's values.

    The results of a compiled function may share memory with its inputs (`aliases`); those of a
    region (then `region` is true) do where it is `given` params' memory for them.
    """

    def __init__(
        self, f: Function, region: bool = False, given: Mapping[int, int] | None = None
    ) -> None:
        self.f = f
        sharing = Sharing(f, dict(given or {}))
        self.root = sharing.root  # a value, and the one whose memory it shows
        self.shared = sharing.shared  # of ops, the results that are where operands were
        self.where: dict[Value, Place] = {}
        self.aliases: dict[int, int] = {}
        self.copies: list[tuple[int, Value]] = []
        self.regions: dict[Op, list[Layout]] = {}
        self.scratch: dict[Op, list[Place]] = {}  # of control flow: its regions' arenas, then
        self.fixed: dict[Op, frozenset[int]] = {}  # of loops: what is carried in one place
        self.arena: Extent = 0  # the second buffer of each other carried value
        self.work: Extent = 0
        self.late = {str(op.symbol) for op in f.body if isinstance(op, BindExtent)}
        self._free: dict[Extent, list[Extent]] = {}
        for i, p in enumerate(f.params):
            self.where[p] = ("buffer", i)
        there = set(sharing.kept.values())
        for i, v in enumerate(f.returns):
            base = self.base(v)
            if i in there:
                continue
            if base not in self.where:
                self.where[base] = ("buffer", len(f.params) + i)
            elif base.op is None and not region:
                self.aliases[i] = f.params.index(base)
            else:
                self.copies.append((i, base))
        self._plan()

    def base(self, v: Value) -> Value:
        """The value whose memory `v` shows."""
        return self.root.get(v, v)

    def _plan(self) -> None:
        last: dict[Value, int] = {}
        for i, op in enumerate(self.f.body):
            for v in (*op.operands, *op.results):
                last[self.base(v)] = i
        ending: dict[int, list[Value]] = {}
        for v, i in last.items():
            ending.setdefault(i, []).append(v)
        own: set[Value] = set()
        for i, op in enumerate(self.f.body):
            if isinstance(op, LAUNCHES):
                self._work(op)
                for v in op.results:
                    if v not in self.where and self.base(v) is v:
                        self.where[v] = self._take(bytes_of(v))
                        own.add(v)
                if isinstance(op, Control):
                    self._nested(op)
            for v in ending.get(i, ()):
                if v in own:
                    self._give(self.where[v], bytes_of(v))

    def _nested(self, op: Control) -> None:
        given = self._given(op)
        self.regions[op] = [
            Layout(region, True, g) for region, g in zip(op.regions, given, strict=True)
        ]
        sizes = [layout.arena for layout in self.regions[op]]
        if isinstance(op, While | Scan):
            fixed = self.fixed[op] = in_place(op)
            moving = [v for i, v in enumerate(op.results[: len(op.init)]) if i not in fixed]
            sizes += map(bytes_of, moving)
        shared = isinstance(op, Cond) and all(isinstance(size, int) for size in sizes)
        if shared:  # of two branches, one runs
            sizes = [max(sizes)]  # type: ignore[type-var]
        places = [self._take(size) for size in sizes]
        for place, size in zip(places, sizes, strict=True):
            self._give(place, size)
        self.scratch[op] = places * 2 if shared else places

    def _given(self, op: Control) -> list[dict[int, int]]:
        """For each region which params' memory is for which results."""
        match op:
            case While():
                return [{}, {i: i for i in in_place(op)}]
            case Scan():
                return [{1 + i: i for i in in_place(op)}]
        shared = self.shared.get(op, {})
        return [{operand - 1: result for result, operand in shared.items()}] * len(op.regions)

    def _take(self, size: Extent) -> Place:
        size = ceildiv(size, ALIGN) * ALIGN
        if not self.late.isdisjoint(symbols(size)):
            return "heap", size
        kept = self._free.get(size)
        if kept:
            return "arena", kept.pop()
        offset, self.arena = self.arena, self.arena + size
        return "arena", offset

    def _give(self, place: Place, size: Extent) -> None:
        if place[0] == "arena":
            self._free.setdefault(ceildiv(size, ALIGN) * ALIGN, []).append(place[1])

    def _work(self, op: Op) -> None:
        """Add up roughly how many bytes are touched; what may take long, or wants the interpreter
        lock for itself, counts as much."""
        if isinstance(op, HostLaunch | Control) or (isinstance(op, Launch) and _may_last(op)):
            self.work = self.work + (RELEASE_WORK + 1)
        for v in (*op.operands, *op.results):
            size = bytes_of(v)
            if self.late.isdisjoint(symbols(size)):
                self.work = self.work + size
