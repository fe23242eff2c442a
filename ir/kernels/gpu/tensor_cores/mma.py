"""The schedule of contractions on tensor cores: tiles of the result, multiplied warp by warp.

As in ir/kernels/gpu/simt/gemm.py, a block of threads makes a tile, and k runs in steps for which
both operands are in shared memory, stage by stage. Eight warps share a tile, two down and four
across; each multiplies fragments of 16 x 8 results. float16 and bfloat16 are multiplied as they are
and added in float32; float32, where that is allowed, is rounded to TensorFloat-32 as fragments are
loaded.

Every sum goes through k in order, in the units of the hardware, from 0: so bits depend on the
length of k alone, and no tile is too small for this schedule, because they differ from those of
`Matmul`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core import Op, Value
from ....dtypes import DType, float32
from ....element_builder import Index
from ...contraction import Problem
from ...ops import (
    Branch,
    LoadFragments,
    LoadMany,
    MultiplyFragments,
    Reload,
    RoundFragment,
    Shared,
    StoreMany,
)
from ..pipeline import COPY_STAGES, Copied, Fetched
from ..simt.gemm import Tiling
from ..simt.shared_operands import ACCESS_BYTES, COPIED_BYTES_MIN

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Warps of a tile, down and across: eight, as the schedule without tensor cores has. Not measured:
# no GPU was at hand when it was set.
WARPS_DOWN, WARPS_ACROSS = 2, 4
# Rows and columns of what one instruction (mma.sync) multiplies.
MMA_ROWS, MMA_COLUMNS = 16, 8


class TensorTiling(Tiling):
    """Writes the kernel of one contraction."""

    def __init__(self, lower: GroupBuilder, op: Op, problem: Problem, kind: str) -> None:
        self.kind = kind
        self.dtype: DType = op.operands[0].dtype
        super().__init__(lower, op, problem)

    def arrange(self) -> None:
        kind = self.kind
        self.rows, self.columns = max(self.rows, 32), max(self.columns, 32)
        self.depth = 32 if kind != "tf32" else 16  # of k that are in shared memory at once
        self.unit = 16 if kind != "tf32" else 8  # of k that one instruction multiplies
        self.group = ACCESS_BYTES // self.dtype.itemsize  # neighbours that a thread brings
        self.high = self.rows // (WARPS_DOWN * MMA_ROWS)  # fragments of a warp
        self.wide = self.columns // (WARPS_ACROSS * MMA_COLUMNS)
        self.kept = [self.dtype] * 2
        # Rows of shared memory lie along what lies side by side in memory.
        self.lengths = [self.depth if along_k else side for side, along_k in self.lines]
        self.strides = self.lengths[0] + self.group, self.lengths[1] + self.group
        self.sizes = [
            (side if along_k else self.depth) * stride
            for (side, along_k), stride in zip(self.lines, self.strides, strict=True)
        ]
        self.count = self.high * self.wide * 4  # of a thread's sums
        self.stages = Copied(self) if self.copied() else Fetched(self)

    def copied(self) -> list[DType] | None:
        """The operands' dtypes, if they can be copied as they are, in groups of neighbours or (what
        is large enough) one by one, and k is worth it."""
        if isinstance(self.p.k, int) and self.p.k < COPY_STAGES * self.depth:
            return None
        single = self.dtype.itemsize >= COPIED_BYTES_MIN
        found = self.operands
        sources = [found.origin(n) if single else found.grouped(n, self.group) for n in range(2)]
        return self.kept if None not in sources else None

    def tile(self, outer: Index, i0: Value, j0: Value, thread: Value) -> None:
        lower = self.lower
        self.outer, self.i0, self.j0, self.thread = outer, i0, j0, thread
        self.take_places(thread)
        self.memory = [
            lower.emit(Shared(self.dtype, (self.stages.count * size,))) for size in self.sizes
        ]
        self.end = lower.extent(self.p.k)
        sources = [self.operands.grouped(number, self.group) for number in range(2)]
        self.whole = [
            None if value is None else self.in_groups(value, self.group) for value in sources
        ]
        self.stages.begin()
        start = (lower.b.constant(0, float32),) * self.count

        def step(k: Value, sums: Index) -> Sequence[Value]:
            return self.stages.step(k, lambda number: self.multiplied(number, sums))

        totals = lower.carry(lower.extent(0), self.end, start, step, self.depth)
        self.stages.end()
        self.store(totals)

    def take_places(self, thread: Value) -> None:
        """Where a thread is in its warp, and its warp in the tile."""
        self.lane = (self.index(thread) % 32).value
        warp = (self.index(thread) // 32).value
        self.down = (self.index(warp) % WARPS_DOWN * (self.high * MMA_ROWS)).value
        self.across = (self.index(warp) // WARPS_DOWN * (self.wide * MMA_COLUMNS)).value

    # Shared memory.

    def brought(self, number: int) -> list[tuple[Value, Value]]:
        """The groups of neighbours that this thread brings: (first place in a line, line)."""
        side, along_k = self.lines[number]
        lines = side if along_k else self.depth
        return self.groups(self.lengths[number] // self.group, lines, self.group)

    def fetch(self, k0: Value) -> list[list[Value]]:
        found = []
        for number in range(2):
            values: list[Value] = []
            for place, line in self.brought(number):
                values += self.fetched(number, k0, line, place)
            found.append(values)
        return found

    def fetched(self, number: int, k0: Value, line: Value, place: Value) -> Sequence[Value]:
        """A group of neighbours; 0 where there are none."""
        lower, aligned = self.lower, self.whole[number]
        if aligned is None:
            return self.singly(number, k0, line, place)
        load = self.loaded(number, *self.start(number, k0, line, place))
        inside = aligned if load.mask is None else (self.index(load.mask) & aligned).value

        def together() -> Sequence[Value]:
            found: Sequence[Value] = lower.b.emit_all(
                LoadMany(load.buffer, load.offset, self.group)
            )
            return found

        found: Sequence[Value] = lower.b.emit_all(
            Branch(
                inside,
                lower.region("branch", (), lambda _: together()),
                lower.region("branch", (), lambda _: self.singly(number, k0, line, place)),
            )
        )
        return found

    def start(self, number: int, k0: Value, line: Value, place: Value) -> tuple[Value, Value]:
        """Where a group begins: along the operand's side, and k."""
        first = self.j0 if number else self.i0
        k_at, at = (place, line) if self.lines[number][1] else (line, place)
        return (self.index(first) + at).value, (self.index(k0) + k_at).value

    def each(self, number: int, k0: Value, line: Value, place: Value) -> list[tuple[Value, Value]]:
        """The places of a group's elements: along the operand's side, and k."""
        at, k = self.start(number, k0, line, place)
        if self.lines[number][1]:
            return [(at, (self.index(k) + u).value) for u in range(self.group)]
        return [((self.index(at) + u).value, k) for u in range(self.group)]

    def singly(self, number: int, k0: Value, line: Value, place: Value) -> list[Value]:
        """The elements of a group one by one."""
        places = self.each(number, k0, line, place)
        return [self.lower.cast(self.pull(number, *here), self.dtype) for here in places]

    def copy(self, k0: Value, stage: Value) -> None:
        for number in range(2):
            aligned = self.whole[number]
            for place, line in self.brought(number):
                to = self.line_at(number, stage, line, place)
                where = number, k0, line, place
                singly = partial(self.copy_elements, to, *where)
                if aligned is None:
                    singly()
                else:
                    self.either(aligned, partial(self.copy_group, to, *where), singly)

    def copy_group(self, to: Value, number: int, k0: Value, line: Value, place: Value) -> None:
        """Begin to copy a group of neighbours."""
        load = self.loaded(number, *self.start(number, k0, line, place))
        self.copy_to(number, to, load, self.group)

    def copy_elements(self, to: Value, number: int, k0: Value, line: Value, place: Value) -> None:
        """The same where they are not aligned."""
        if self.dtype.itemsize < COPIED_BYTES_MIN:
            values = tuple(self.singly(number, k0, line, place))
            self.lower.b.emit_all(StoreMany(self.memory[number], to, values))
            return
        for u, here in enumerate(self.each(number, k0, line, place)):
            self.copy_to(number, (self.index(to) + u).value, self.loaded(number, *here), 1)

    def stage(self, values: list[list[Value]], stage: Value) -> None:
        for number, brought in enumerate(values):
            for u, (place, line) in enumerate(self.brought(number)):
                to = self.line_at(number, stage, line, place)
                group = tuple(brought[u * self.group : (u + 1) * self.group])
                self.lower.b.emit_all(StoreMany(self.memory[number], to, group))

    def line_at(self, number: int, stage: Value, line: Value, place: Value) -> Value:
        """The place in shared memory of an element of a stage."""
        start = (self.index(stage) * self.sizes[number]).value
        return (self.index(start) + (self.index(line) * self.strides[number] + place)).value

    # Fragments.

    def multiplied(self, stage: Value, sums: Sequence[Value]) -> list[Value]:
        """The sums with the products of one step added."""
        lower, found = self.lower, list(sums)
        for k in range(0, self.depth, self.unit):
            left = [self.left(stage, r, k) for r in range(self.high)]
            right: list[Sequence[Value]] = []
            while len(right) < self.wide:
                right += self.right(stage, len(right), k)
            for r in range(self.high):
                for c in range(self.wide):
                    at = slice((r * self.wide + c) * 4, (r * self.wide + c + 1) * 4)
                    found[at] = lower.b.emit_all(
                        MultiplyFragments(
                            tuple(left[r]), tuple(right[c]), tuple(found[at]), self.kind
                        )
                    )
        return found

    def at(self, number: int, stage: Value, side: Value, k: Value) -> Value:
        """The place in shared memory of an element."""
        along_k = self.lines[number][1]
        line, place = (side, k) if along_k else (k, side)
        return self.line_at(number, stage, line, place)

    def left(self, stage: Value, r: int, k: int) -> Sequence[Value]:
        first = (self.index(self.down) + (r * MMA_ROWS)).value
        if self.kind == "tf32":
            return self.words(0, stage, first, k, (0, 8, 0, 8), (0, 0, 4, 4))
        along_k = self.lines[0][1]
        row, matrix = (self.index(self.lane) % 8).value, (self.index(self.lane) // 8).value
        lower_half = (self.index(matrix) % 2 * 8).value
        later = (self.index(matrix) // 2 * 8).value
        if along_k:
            side, depth = (
                (self.index(first) + (self.index(row) + lower_half)).value,
                (self.index(later) + k).value,
            )
        else:
            side, depth = (
                (self.index(first) + lower_half).value,
                (self.index(row) + later + k).value,
            )
        return self.fragments(0, self.at(0, stage, side, depth), transposed=not along_k)

    def right(self, stage: Value, c: int, k: int) -> list[Sequence[Value]]:
        """One fragment, or two neighbours."""
        first = (self.index(self.across) + (c * MMA_COLUMNS)).value
        if self.kind == "tf32":
            return [self.words(1, stage, first, k, (0, 0), (0, 4))]
        along_k = self.lines[1][1]
        row, matrix = (self.index(self.lane) % 8).value, (self.index(self.lane) // 8).value
        later = (self.index(matrix) % 2 * 8).value
        # A single fragment is loaded twice: its neighbour is another warp's, or nobody's.
        next_one = (self.index(matrix) // 2 * (8 if self.wide > 1 else 0)).value
        if along_k:
            side, depth = (
                (self.index(first) + (self.index(row) + next_one)).value,
                (self.index(later) + k).value,
            )
        else:
            side, depth = (self.index(first) + next_one).value, (self.index(row) + later + k).value
        words = self.fragments(1, self.at(1, stage, side, depth), transposed=not along_k)
        return [words[:2], words[2:]][: min(self.wide, 2)]

    def fragments(self, number: int, offset: Value, transposed: bool) -> Sequence[Value]:
        found: Sequence[Value] = self.lower.b.emit_all(
            LoadFragments(self.memory[number], offset, transposed)
        )
        return found

    def words(
        self,
        number: int,
        stage: Value,
        first: Value,
        k: int,
        sides: tuple[int, ...],
        depths: tuple[int, ...],
    ) -> Sequence[Value]:
        """Elements of 32 bits, rounded, as the thread's place in the warp says."""
        emit = self.lower.emit
        row, column = (self.index(self.lane) // 4).value, (self.index(self.lane) % 4).value
        found = []
        for side, depth in zip(sides, depths, strict=True):
            at = self.at(
                number,
                stage,
                (self.index(first) + row + side).value,
                (self.index(column) + (k + depth)).value,
            )
            found.append(emit(RoundFragment(emit(Reload(self.memory[number], at, None)))))
        return found

    def places_of(self, e: Value) -> tuple[Value, Value]:
        fragment = (self.index(e) // 4).value
        r, c = (self.index(fragment) // self.wide).value, (self.index(fragment) % self.wide).value
        row, column = self.in_square(e)
        i = (self.index(self.i0) + self.down + (self.index(r) * MMA_ROWS + row)).value
        j = (self.index(self.j0) + self.across + (self.index(c) * MMA_COLUMNS + column)).value
        return i, j

    def in_square(self, e: Value) -> tuple[Value, Value]:
        """Where one of four sums is in the 16 x 8 of its warp."""
        part = (self.index(e) % 4).value
        row = (self.index(self.lane) // 4 + self.index(part) // 2 * 8).value
        column = (self.index(self.lane) % 4 * 2).value
        return row, (self.index(column) + self.index(part) % 2).value
