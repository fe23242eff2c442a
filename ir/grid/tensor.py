"""The schedule of contractions on tensor cores: tiles of the result, multiplied warp by warp.

As in tiles.py, a block of threads makes a tile, and k runs in steps for which both operands
are in shared memory, twice. Eight warps share a tile, two down and four across; each multiplies
fragments of 16 x 8 results. float16 and bfloat16 are multiplied as they are and added in float32;
float32, where that is allowed, is rounded to TensorFloat-32 first.

Every sum goes through k in order, in the units of the hardware, from 0: so bits depend on the
length of k alone, and no tile is too small for this schedule, because they differ from those of
`Matmul`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import Term, where
from ..core import Op, Value
from ..dtypes import DType, bfloat16, float16, float32, uint32
from ..ops.contraction import Matmul
from ..ops.elementwise import Bitcast
from ..ops.kernel import (
    Aligned,
    Barrier,
    Branch,
    For,
    LoadFragments,
    LoadMany,
    MultiplyFragments,
    Reload,
    Shared,
    StoreMany,
)
from ..ops.shape import Transpose
from ..schedules.packing import Index
from ..schedules.problem import Problem
from ..types import INDEX, scalar_type
from .tiles import TEAM, Tiling

DOWN, ACROSS = 2, 4  # warps of a tile
HIGH, WIDE = 16, 8  # of what one instruction multiplies
ACCESS = 16  # bytes


def kind_of(lower: Any, dtype: DType) -> str:
    """How the tensor cores multiply matrices of `dtype`; "" where they do not, or may not."""
    target = lower.target
    if dtype in (float16, bfloat16) and target.tensor_cores:
        return str(dtype.short)
    return "tf32" if dtype is float32 and target.tf32 else ""


class TensorTiling(Tiling):
    """Writes the kernel of one contraction."""

    def __init__(self, lower: Any, op: Op, problem: Problem, kind: str) -> None:
        super().__init__(lower, op, problem)
        self.kind = kind
        self.dtype: DType = op.operands[0].dtype
        self.rows, self.columns = max(self.rows, 32), max(self.columns, 32)
        self.depth = 32 if kind != "tf32" else 16  # of k that are in shared memory at once
        self.unit = 16 if kind != "tf32" else 8  # of k that one instruction multiplies
        self.group = ACCESS // self.dtype.itemsize  # neighbours that a thread brings
        self.high = self.rows // (DOWN * HIGH)  # fragments of a warp
        self.wide = self.columns // (ACROSS * WIDE)
        p = problem
        self.operands = (
            (self.rows, p.m, not p.left_turned, self._whole(op, 0, not p.left_turned)),
            (self.columns, p.n, p.right_turned, self._whole(op, 1, p.right_turned)),
        )
        # Rows of shared memory lie along what lies side by side in memory.
        self.lengths = [self.depth if along_k else side for side, _, along_k, _ in self.operands]
        self.strides = tuple(length + self.group for length in self.lengths)

    def _whole(self, op: Op, number: int, along_k: bool) -> Value | None:
        """An operand whose groups of neighbours can be loaded at once, if that is so."""
        value, natural = op.operands[number], number == 0
        if not isinstance(op, Matmul):
            return None
        if not self.lower.in_memory(value) and isinstance(value.op, Transpose):
            rank = value.rank
            if value.op.perm != (*range(rank - 2), rank - 1, rank - 2):
                return None
            value, natural = value.op.x, not natural
        inner = value.shape[-1]
        if not self.lower.in_memory(value) or along_k is not natural:
            return None
        return value if isinstance(inner, int) and inner % self.group == 0 else None

    def tile(self, outer: Index, i0: Value, j0: Value, thread: Value) -> None:
        lower = self.lower
        self.outer, self.i0, self.j0, self.thread = outer, i0, j0, thread
        self.lane = self.op("floor_mod", thread, 32)
        warp = self.op("floor_div", thread, 32)
        self.down = self.mul(self.op("floor_mod", warp, DOWN), self.high * HIGH)
        self.across = self.mul(self.op("floor_div", warp, DOWN), self.wide * WIDE)
        self.sizes = [
            (self.depth if not along_k else side) * stride
            for (side, _, along_k, _), stride in zip(self.operands, self.strides, strict=True)
        ]
        self.halves = [lower.emit(Shared(self.dtype, (2 * size,))) for size in self.sizes]
        self.end = lower.extent(self.p.k)
        self.whole = [
            None if value is None else lower.emit(Aligned(lower.buffer(value), ACCESS))
            for *_, value in self.operands
        ]
        zero = lower.extent(0)
        self.stage(self.fetch(zero), zero)
        lower.b.emit_all(Barrier())
        start = (lower.b.constant(0, float32),) * (self.high * self.wide * 4)

        def step(params: Index) -> Sequence[Value]:
            k, *sums = params
            half = self.op("floor_mod", self.op("floor_div", k, self.depth), 2)
            ahead = self.fetch(self.add(k, self.depth))
            sums = self.multiplied(half, sums)
            self.stage(ahead, self.minus(1, half))
            lower.b.emit_all(Barrier())
            return sums

        types = [scalar_type(float32)] * len(start)
        region = lower.region("body", (INDEX, *types), step)
        self.store(lower.b.emit_all(For(zero, self.end, start, self.depth, "serial", region)))

    # Shared memory.

    def groups(self, number: int) -> list[tuple[Value, Value]]:
        """The groups of neighbours that this thread brings: (line, first place in it)."""
        side, _, along_k, _ = self.operands[number]
        per_line = self.lengths[number] // self.group
        lines = side if along_k else self.depth
        found = []
        for u in range(max(1, per_line * lines // TEAM)):
            g = self.add(self.thread, u * TEAM)
            if per_line * lines < TEAM:  # some bring the same
                g = self.op("floor_mod", g, per_line * lines)
            place = self.mul(self.op("floor_mod", g, per_line), self.group)
            found.append((self.op("floor_div", g, per_line), place))
        return found

    def fetch(self, k0: Value) -> list[list[Value]]:
        found = []
        for number in range(2):
            values: list[Value] = []
            for line, place in self.groups(number):
                values += self.neighbours(number, k0, line, place)
            found.append(values)
        return found

    def neighbours(self, number: int, k0: Value, line: Value, place: Value) -> Sequence[Value]:
        """A group of neighbours; 0 where there are none."""
        lower, p = self.lower, self.p
        _, extent, along_k, value = self.operands[number]
        first = self.i0 if number == 0 else self.j0
        k_at, at = (place, line) if along_k else (line, place)
        k, side = self.add(k0, k_at), self.add(first, at)
        end = lower.extent(extent)

        def one(u: int) -> Value:
            here = (self.add(k, u), side) if along_k else (k, self.add(side, u))
            inside = self.op(
                "bitwise_and", self.op("less", here[0], self.end), self.op("less", here[1], end)
            )
            with lower.where(inside):
                if number == 0:
                    x = p.left(self.outer, here[1], here[0])
                else:
                    x = p.right(self.outer, here[0], here[1])
                found: Value = lower.cast(x, self.dtype)
            return found

        def singly() -> Sequence[Value]:
            return [one(u) for u in range(self.group)]

        if value is None:
            return [self.rounded(x) for x in singly()]
        inside = self.op("bitwise_and", self.op("less", k, self.end), self.op("less", side, end))
        inside = self.op("bitwise_and", inside, self.whole[number])  # type: ignore[arg-type]

        def together() -> Sequence[Value]:
            index = (*self.outer, side, k) if along_k else (*self.outer, k, side)
            offset = lower.linear(index, value.shape)
            found: Sequence[Value] = lower.b.emit_all(
                LoadMany(lower.buffer(value), offset, self.group)
            )
            return found

        found: Sequence[Value] = lower.b.emit_all(
            Branch(
                inside,
                lower.region("branch", (), lambda _: together()),
                lower.region("branch", (), lambda _: singly()),
            )
        )
        return [self.rounded(x) for x in found]

    def rounded(self, x: Value) -> Value:
        """To TensorFloat-32, which has 10 bits behind the point: to nearest, ties away from 0."""
        if self.kind != "tf32":
            return x
        b = self.lower.b
        bits = Term(b, b.emit(Bitcast(x, uint32))) + 0x1000
        near = Term(b, b.emit(Bitcast(bits._emit("bitwise_and", 0xFFFFE000).value, float32)))
        return where(Term(b, x)._emit("not_equal", Term(b, x)), Term(b, x), near).value

    def stage(self, values: list[list[Value]], half: Value) -> None:
        for number, brought in enumerate(values):
            start = self.mul(half, self.sizes[number])
            for u, (line, place) in enumerate(self.groups(number)):
                at = self.add(start, self.add(self.mul(line, self.strides[number]), place))
                group = tuple(brought[u * self.group : (u + 1) * self.group])
                self.lower.b.emit_all(StoreMany(self.halves[number], at, group))

    # Fragments.

    def multiplied(self, half: Value, sums: Sequence[Value]) -> list[Value]:
        """The sums with the products of one step added."""
        lower, found = self.lower, list(sums)
        for k in range(0, self.depth, self.unit):
            left = [self.left(half, r, k) for r in range(self.high)]
            right: list[Sequence[Value]] = []
            while len(right) < self.wide:
                right += self.right(half, len(right), k)
            for r in range(self.high):
                for c in range(self.wide):
                    at = slice((r * self.wide + c) * 4, (r * self.wide + c + 1) * 4)
                    found[at] = lower.b.emit_all(
                        MultiplyFragments(
                            tuple(left[r]), tuple(right[c]), tuple(found[at]), self.kind
                        )
                    )
        return found

    def at(self, number: int, half: Value, side: Value, k: Value) -> Value:
        """The place in shared memory of an element."""
        along_k = self.operands[number][2]
        line, place = (side, k) if along_k else (k, side)
        start = self.add(self.mul(half, self.sizes[number]), place)
        return self.add(start, self.mul(line, self.strides[number]))

    def left(self, half: Value, r: int, k: int) -> Sequence[Value]:
        first = self.add(self.down, r * HIGH)
        if self.kind == "tf32":
            return self.words(0, half, first, k, (0, 8, 0, 8), (0, 0, 4, 4))
        along_k = self.operands[0][2]
        row, square = self.op("floor_mod", self.lane, 8), self.op("floor_div", self.lane, 8)
        lower_half = self.mul(self.op("floor_mod", square, 2), 8)
        later = self.mul(self.op("floor_div", square, 2), 8)
        if along_k:
            side, depth = self.add(first, self.add(row, lower_half)), self.add(later, k)
        else:
            side, depth = self.add(first, lower_half), self.add(self.add(row, later), k)
        return self.fragments(0, self.at(0, half, side, depth), turned=not along_k)

    def right(self, half: Value, c: int, k: int) -> list[Sequence[Value]]:
        """One fragment, or two neighbours."""
        first = self.add(self.across, c * WIDE)
        if self.kind == "tf32":
            return [self.words(1, half, first, k, (0, 0), (0, 4))]
        along_k = self.operands[1][2]
        row, square = self.op("floor_mod", self.lane, 8), self.op("floor_div", self.lane, 8)
        later = self.mul(self.op("floor_mod", square, 2), 8)
        # A single fragment is loaded twice: its neighbour is another warp's, or nobody's.
        next_one = self.mul(self.op("floor_div", square, 2), 8 if self.wide > 1 else 0)
        if along_k:
            side, depth = self.add(first, self.add(row, next_one)), self.add(later, k)
        else:
            side, depth = self.add(first, next_one), self.add(self.add(row, later), k)
        words = self.fragments(1, self.at(1, half, side, depth), turned=not along_k)
        return [words[:2], words[2:]][: min(self.wide, 2)]

    def fragments(self, number: int, offset: Value, turned: bool) -> Sequence[Value]:
        found: Sequence[Value] = self.lower.b.emit_all(
            LoadFragments(self.halves[number], offset, turned)
        )
        return found

    def words(
        self,
        number: int,
        half: Value,
        first: Value,
        k: int,
        sides: tuple[int, ...],
        depths: tuple[int, ...],
    ) -> Sequence[Value]:
        """Elements of 32 bits, as the thread's place in the warp says."""
        emit = self.lower.emit
        row, column = self.op("floor_div", self.lane, 4), self.op("floor_mod", self.lane, 4)
        found = []
        for side, depth in zip(sides, depths, strict=True):
            at = self.at(
                number, half, self.add(self.add(first, row), side), self.add(column, k + depth)
            )
            found.append(emit(Bitcast(emit(Reload(self.halves[number], at, None)), uint32)))
        return found

    def places_of(self, e: Value) -> tuple[Value, Value]:
        part, fragment = self.op("floor_mod", e, 4), self.op("floor_div", e, 4)
        r, c = self.op("floor_div", fragment, self.wide), self.op("floor_mod", fragment, self.wide)
        row = self.add(
            self.op("floor_div", self.lane, 4), self.mul(self.op("floor_div", part, 2), 8)
        )
        column = self.mul(self.op("floor_mod", self.lane, 4), 2)
        column = self.add(column, self.op("floor_mod", part, 2))
        i = self.add(self.add(self.i0, self.down), self.add(self.mul(r, HIGH), row))
        j = self.add(self.add(self.j0, self.across), self.add(self.mul(c, WIDE), column))
        return i, j
