"""Squares of elements transposed in registers, by shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tfc.ir.core import Function
from tfc.ir.dtypes import DType, int32
from tfc.ir.kernels.ops import LoadTransposed, TransposeTile
from tfc.ir.value_classes import NamedTuple

from .. import disk_cache
from ..llvm.machine import Machine
from ..llvm.registers import Reg, memory_type
from ..llvm.scalars import PAST, ScalarWriter

GROUP_BYTES = 16  # what shuffles that cost one cycle move elements in
WORD = int32  # what narrower elements are moved in
PREFETCH_TILES = 2  # tiles down the target between one that is stored and one that will be soon


class TileRegisters:
    """Registers of `size` elements, which are made of groups."""

    def __init__(
        self, writer: ScalarWriter, dtype: DType, size: int, align: int | None = None
    ) -> None:
        self.writer, self.size = writer, size
        self.element, self.bytes = memory_type(dtype), align or dtype.itemsize
        self.group = min(size, GROUP_BYTES // dtype.itemsize)
        half = self.group // 2
        heads = [range(i, i + self.group) for i in range(0, size, self.group)]
        self.low = [p for head in heads for i in head[:half] for p in (i, size + i)]
        self.high = [p for head in heads for i in head[half:] for p in (i, size + i)]
        self.even, self.odd = (
            [p + i for p in (0, size) for head in heads[first::2] for i in head] for first in (0, 1)
        )

    def load(self, pointer: str, count: int) -> str:
        return self.writer.emit(
            f"load <{count} x {self.element}>, ptr {pointer}, align {self.bytes}"
        )

    def place(self, pointer: str, distance: int | str) -> str:
        if str(distance) == "0":
            return pointer
        return self.writer.emit(f"getelementptr {self.element}, ptr {pointer}, i64 {distance}")

    def places(self, pointer: str, distance: str, count: int) -> list[str]:
        """So many places, beginning with a pointer."""
        found = [pointer]
        for _ in range(count - 1):
            found.append(self.place(found[-1], distance))
        return found

    def shuffle(self, x: str, y: str, size: int, picks: Sequence[int]) -> str:
        kind, mask = f"<{size} x {self.element}>", ", ".join([f"i32 {p}" for p in picks])
        indices = f"<{len(picks)} x i32> <{mask}>"
        return self.writer.emit(f"shufflevector {kind} {x}, {kind} {y}, {indices}")

    def joined(self, parts: list[str], size: int) -> str:
        """Registers of `size` elements side by side."""
        while len(parts) > 1:
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [self.shuffle(x, y, size, range(2 * size)) for x, y in pairs]
            size *= 2
        return parts[0]

    def gathered(self, pointers: list[str]) -> list[str]:
        """A group from each place: register k has element k of all groups."""
        rows = [pointers[first :: self.group] for first in range(self.group)]
        groups = [[self.load(p, self.group) for p in row] for row in rows]
        return self.inside([self.joined(row, self.group) for row in groups])

    def inside(self, lines: list[str]) -> list[str]:
        """As many registers as a group has elements, transposed inside of groups, in rounds that
        interleave the halves of pairs."""
        for _ in range(self.group.bit_length() - 1):
            halves = list(zip(lines[: self.group // 2], lines[self.group // 2 :], strict=True))
            picks = (self.low, self.high)
            lines = [self.shuffle(x, y, self.size, p) for x, y in halves for p in picks]
        return lines

    def across(self, lines: list[str]) -> list[str]:
        """As many registers as a register has groups, transposed as if groups were elements, in
        rounds that part the even ones from the odd."""
        if len(lines) == 1:
            return lines
        pairs = list(zip(lines[::2], lines[1::2], strict=True))
        evens, odds = (
            self.across([self.shuffle(x, y, self.size, picks) for x, y in pairs])
            for picks in (self.even, self.odd)
        )
        return [line for both in zip(evens, odds, strict=True) for line in both]

    def transposed(self, pointers: list[str]) -> list[str]:
        """A line from each place: register k has element k of all lines. Lines are loaded by
        halves: what a load puts into the upper half of a register is no shuffle."""
        part = max(self.group, self.size // 2)
        together, found = self.size // part, []
        for first in range(0, self.size, part):
            halves = [self.load(self.place(p, first), part) for p in pointers]
            rows = []
            for place in range(self.group):
                same = halves[place :: self.group]
                pairs = [same[i : i + together] for i in range(0, len(same), together)]
                rows.append(self.across([self.joined(pair, part) for pair in pairs]))
            for lines in zip(*rows, strict=True):
                found += self.inside(list(lines))
        return found


def transpose_tile(writer: ScalarWriter, op: TransposeTile) -> None:
    """Write `op`: a call of what transposes tiles of this kind, for all kernels of the module."""
    source, offset, rows, target, to, to_rows = (
        writer.values[v].name
        for v in (op.source, op.offset, op.rows, op.target, op.target_offset, op.target_rows)
    )
    element = memory_type(op.source.dtype)
    first = writer.emit(f"getelementptr {element}, ptr {source}, i64 {offset}")
    start = writer.emit(f"getelementptr {element}, ptr {target}, i64 {to}")
    ahead = op.ahead is not None
    tile = _tile(op.source.dtype, op.size, ahead, op.past, writer.machine)
    writer.helpers[tile.name] = tile.text
    writer.declared |= tile.declared
    given = f"ptr {first}, i64 {rows}, ptr {start}, i64 {to_rows}"
    if op.ahead is not None:
        given += f", i64 {writer.values[op.ahead].name}"
    writer.do(f"call void @{tile.name}({given})")


class _Tile(NamedTuple):
    """A function that transposes a tile."""

    name: str
    text: str
    declared: frozenset[str]


@cache
def _tile(dtype: DType, n: int, ahead: bool, past: bool, machine: Machine) -> _Tile:
    """Goes from the tile at `source`, whose rows are `rows` elements apart, to `target`: registers
    of groups from all rows, one group after another."""
    w = ScalarWriter("tile", Function("tile", (), (), ()), (), machine)
    tile = TileRegisters(w, dtype, n)
    group, count = tile.group, n // tile.group
    far = {}  # what lies between a row and the ones below it
    for name in ("%rows", "%to"):
        steps = far[name] = ["0", name]
        while len(steps) <= group:
            steps.append(w.emit(f"add i64 {steps[-1]}, {name}"))
    down = far["%rows"][group]
    sources = tile.places("%source", down, count)
    further = tile.place("%source", "%ahead") if ahead else ""
    # A pointer for each group of rows, so that processors add what is between the rows in one.
    moving = [(p, str(group)) for p in sources] + [("%target", far["%to"][group])]
    if ahead:
        moving.append((further, down))
    names = [(w.fresh("p"), w.fresh("next")) for _ in moving]
    w.do("br label %loop")
    w.label("loop")
    w.do("%k = phi i64 [ 0, %entry ], [ %next, %loop ]")
    for (start, _), (name, after) in zip(moving, names, strict=True):
        w.do(f"{name} = phi ptr [ {start}, %entry ], [ {after}, %loop ]")
    now = [name for name, _ in names]
    lines = [tile.place(now[count], d) for d in far["%to"][:group]]
    if ahead:
        for d in far["%rows"][:group]:
            w.fetch(tile.place(now[-1], d), "load")
        for p in () if past else lines:
            w.fetch(tile.place(p, PREFETCH_TILES * n), "store")
    rows = [tile.place(p, d) for p in now[:count] for d in far["%rows"][:group]]
    align = f"align {n * tile.bytes}, {PAST}" if past else f"align {tile.bytes}"
    for register, p in zip(tile.gathered(rows), lines, strict=True):
        w.do(f"store <{n} x {tile.element}> {register}, ptr {p}, {align}")
    for (_, step), (name, after) in zip(moving, names, strict=True):
        w.do(f"{after} = getelementptr {tile.element}, ptr {name}, i64 {step}")
    w.do("%next = add i64 %k, 1")
    w.do(f"%more = icmp slt i64 %next, {count}")
    w.do("br i1 %more, label %loop, label %done")
    w.label("done")
    w.do("ret void")
    params = "ptr %source, i64 %rows, ptr %target, i64 %to" + (", i64 %ahead" if ahead else "")
    code = "\n".join([f"({params}) noinline nounwind {{", "entry:", *w.lines, "}"])
    name = f"transpose.{disk_cache.digest(code)[:12]}"
    return _Tile(name, f"define internal void @{name}{code}", frozenset(w.declared))


def load_transposed(writer: ScalarWriter, op: LoadTransposed) -> None:
    """Write `op`, register by register: of whole lines, of which each is loaded once, or of
    groups, for which there are fewer shuffles. Elements of which a register has more than there are
    lanes are moved by words, which are then taken apart."""
    dtype = op.buffer.dtype
    buffer, offset = writer.values[op.buffer], writer.values[op.offset]
    assert offset.stride is not None and writer.mask is None, "a tile outside of a loop of lanes"
    n = writer.machine.lanes(dtype.bits)
    if dtype.itemsize < WORD.itemsize and (op.size != n or writer.lanes % n):
        load_words(writer, op, buffer.name, offset.name, offset.stride)
        return
    tile = TileRegisters(writer, dtype, n)
    if op.size not in (n, tile.group) or writer.lanes % n:
        raise op.error(f"no tile of {writer.lanes} lanes by {op.size} on this machine", "value")
    start = tile.place(buffer.name, offset.name)
    pointers = tile.places(start, offset.stride, writer.lanes)
    registers = []
    for first in range(0, writer.lanes, n):
        rows = pointers[first : first + n]
        if op.size == n:
            registers.append(tile.transposed(rows))
        else:
            registers.append(tile.gathered(rows))
    for k, result in enumerate(op.results):
        name = tile.joined([register[k] for register in registers], n)
        writer.values[result] = Reg(name, dtype, writer.lanes)


def load_words(
    writer: ScalarWriter, op: LoadTransposed, buffer: str, offset: str, stride: str
) -> None:
    """The same for narrow elements: words of some of them, which are taken apart."""
    dtype, n = op.buffer.dtype, writer.machine.lanes(WORD.bits)
    words = TileRegisters(writer, WORD, n, dtype.itemsize)
    count = WORD.itemsize // dtype.itemsize
    sizes = count * words.group, count * n
    if op.size not in sizes or writer.lanes % n:
        raise op.error(f"no tile of {writer.lanes} lanes by {op.size} on this machine", "value")
    element, bits = memory_type(dtype), dtype.bits
    pointers = [writer.emit(f"getelementptr {element}, ptr {buffer}, i64 {offset}")]
    for _ in range(writer.lanes - 1):
        step = f"getelementptr {element}, ptr {pointers[-1]}, i64 {stride}"
        pointers.append(writer.emit(step))
    load = words.gathered if op.size == sizes[0] else words.transposed
    registers = [load(pointers[i : i + n]) for i in range(0, writer.lanes, n)]
    narrow = f"<{n} x i{bits}>"
    for k, result in enumerate(op.results):
        place, parts = k % count, []
        for register in registers:
            name = register[k // count]
            if place:
                shift = f"splat ({words.element} {bits * place})"
                name = writer.emit(f"lshr <{n} x {words.element}> {name}, {shift}")
            name = writer.emit(f"trunc <{n} x {words.element}> {name} to {narrow}")
            parts.append(writer.emit(f"bitcast {narrow} {name} to <{n} x {element}>"))
        joined = TileRegisters(writer, dtype, n).joined(parts, n)
        writer.values[result] = Reg(joined, dtype, writer.lanes)
