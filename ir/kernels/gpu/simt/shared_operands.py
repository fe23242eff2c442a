"""What brings the operands of a tile into shared memory, for gemm.py and
ir/kernels/gpu/tensor_cores/mma.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ....core import Op, Value
from ....dtypes import DType
from ....element_builder import Index
from ....ops.contraction import Matmul
from ....ops.elementwise import Cast
from ....ops.shape import Transpose
from ....value_classes import dataclass
from ...contraction import GemmShape, Problem
from ...ops import Aligned, Branch, Load
from ...writer import Writer
from ..async_copies import CopyAsync
from ..pipeline import Copied, Fetched

# Threads along each side of a tile, which is square so that both operands are read alike.
GEMM_TEAM_SIDE = 16
# Threads of a tile.
GEMM_TEAM = GEMM_TEAM_SIDE * GEMM_TEAM_SIDE
# Bytes that a thread loads at once, where it can: the widest access of a GPU.
ACCESS_BYTES = 16
# Bytes that cp.async copies at least.
COPIED_BYTES_MIN = 4


@dataclass(frozen=True)
class OperandMemory:
    """What the operands of a contraction are loaded from: told by what is in memory, before
    anything is written. Operand 0 is left, 1 is right."""

    op: Op
    shape: GemmShape
    in_memory: Callable[[Value], bool]

    def along_k(self, number: int) -> bool:
        """Whether k is what lies side by side in the memory of an operand, not the tile's side."""
        return self.shape.right_transposed if number else not self.shape.left_transposed

    def origin(self, number: int) -> Value | None:
        """What all elements of an operand are loaded from; None where they are computed."""
        value = self.op.operands[number]
        while isinstance(value.op, Transpose) and not self.in_memory(value):
            value = value.op.x
        return value if self.in_memory(value) else None

    def lying(self, number: int) -> Value | None:
        """The same, if elements lie there side by side along k or the tile's side, as `along_k` has
        it. (Those of a window do so as far as there are channels.)"""
        value = self.op.operands[number]
        axis = value.rank - 1
        if isinstance(self.op, Matmul) and self.along_k(number) is bool(number):
            axis -= 1
        while isinstance(value.op, Transpose) and not self.in_memory(value):
            axis, value = value.op.perm[axis], value.op.x
        return value if self.in_memory(value) and axis == value.rank - 1 else None

    def grouped(self, number: int, group: int) -> Value | None:
        """The same, if so many neighbours can be loaded at once."""
        value = self.lying(number)
        inner = 0 if value is None else value.shape[-1]
        return None if isinstance(inner, int) and inner % group else value


class Loading(Writer):
    """Shared memory has, of both operands, `depth` lines of a tile's side for each stage."""

    p: Problem
    operands: OperandMemory
    kept: list[DType]  # of each operand, in shared memory
    rows: int
    columns: int
    depth: int
    strides: tuple[int, int]  # between the lines of each operand
    stages: Copied | Fetched
    memory: list[Value]  # of each operand
    neighbours: list[Value | None]  # whether those of each operand can be copied at once
    outer: Index
    i0: Value
    j0: Value
    thread: Value
    end: Value  # of k

    @property
    def lines(self) -> list[tuple[int, bool]]:
        """Of both operands, the tile's side, and whether k is what lies side by side in memory."""
        sides = self.rows, self.columns
        return [(side, self.operands.along_k(number)) for number, side in enumerate(sides)]

    def places(self, side: int, along_k: bool) -> list[tuple[Value, Value]]:
        """The elements (place along the side, k) that this thread brings."""
        found = []
        for u in range(side * self.depth // GEMM_TEAM):
            if along_k:
                k = (self.index(self.thread) % self.depth).value
                place = (
                    self.index(self.thread) // self.depth + (u * GEMM_TEAM // self.depth)
                ).value
            else:
                place = (self.index(self.thread) % side).value
                k = (self.index(self.thread) // side + (u * (GEMM_TEAM // side))).value
            found.append((place, k))
        return found

    def inside(self, number: int, at: Value, k: Value) -> Value:
        """Whether an operand has an element there."""
        end = self.lower.extent(self.p.n if number else self.p.m)
        return ((self.index(at) < end) & (self.index(k) < self.end)).value

    def pull(self, number: int, at: Value, k: Value) -> Value:
        """The element of an operand; 0 where there is none."""
        with self.lower.where(self.inside(number, at, k)):
            if number:
                return self.p.right(self.outer, k, at)
            return self.p.left(self.outer, at, k)

    def loaded(self, number: int, at: Value, k: Value) -> Load:
        """What loads the element of an operand, before it is converted."""
        op = self.pull(number, at, k).op
        while isinstance(op, Cast):
            op = op.x.op
        assert isinstance(op, Load)
        return op

    def fetch(self, k0: Value) -> list[list[Value]]:
        """The elements of the step from k0 that this thread brings."""
        return [
            [
                self.pull(number, (self.index(first) + place).value, (self.index(k0) + k).value)
                for place, k in self.places(side, along_k)
            ]
            for number, ((side, along_k), first) in enumerate(
                zip(self.lines, (self.i0, self.j0), strict=True)
            )
        ]

    def stage(self, values: list[list[Value]], number: Value) -> None:
        """Put what was fetched into a stage."""
        for operand, (side, along_k) in enumerate(self.lines):
            places = self.places(side, along_k)
            for (place, k), value in zip(places, values[operand], strict=True):
                self.lower.store(self.memory[operand], self.place(operand, number, place, k), value)

    def place(self, operand: int, number: Value, place: Value, k: Value) -> Value:
        """Where in shared memory an element of a stage is."""
        stride = self.strides[operand]
        start = (self.index(number) * (self.depth * stride)).value
        return (self.index(start) + (self.index(k) * stride + place)).value

    def side_by_side(self, operand: int) -> Value | None:
        """Whether neighbours along the tile's side can be copied at once; None where never."""
        value = None if self.lines[operand][1] else self.operands.lying(operand)
        return (
            None if value is None else self.in_groups(value, ACCESS_BYTES // value.dtype.itemsize)
        )

    def in_groups(self, value: Value, group: int) -> Value | None:
        """Whether groups of neighbours in memory are aligned, and none goes past the end of a
        row; None where that is never so."""
        inner = value.shape[-1]
        if isinstance(inner, int) and inner % group:
            return None
        aligned = self.lower.emit(Aligned(self.lower.buffer(value), ACCESS_BYTES))
        if isinstance(inner, int):
            return aligned
        return (self.index(aligned) & (self.index(inner) % group).equal(0)).value

    def copy(self, k0: Value, number: Value) -> None:
        """Begin to copy the step from k0 into a stage."""
        for operand, (side, along_k) in enumerate(self.lines):
            together = self.neighbours[operand]
            one = partial(self.copy_one, operand, k0, number)
            if together is None:
                for place, k in self.places(side, along_k):
                    one(place, k, 1)
                continue
            group = ACCESS_BYTES // self.kept[operand].itemsize
            for place, k in self.groups(side // group, self.depth, group):
                singly = partial(self.copy_singly, one, place, k, group)
                self.either(together, partial(one, place, k, group), singly)

    def copy_singly(self, one: Callable[..., None], place: Value, k: Value, group: int) -> None:
        for u in range(group):
            one((self.index(place) + u).value, k, 1)

    def arrived(self) -> None:
        """Copies of this thread have arrived, and all threads are about to wait for each other."""

    def either(
        self, condition: Value, then: Callable[[], None], orelse: Callable[[], None]
    ) -> None:
        """What is done where the condition holds, and where not."""

        def fill(body: Callable[[], None], _: Index) -> Sequence[Value]:
            body()
            return ()

        regions = (self.lower.region("branch", (), partial(fill, body)) for body in (then, orelse))
        self.lower.b.emit_all(Branch(condition, *regions))

    def copy_one(
        self, operand: int, k0: Value, number: Value, place: Value, k: Value, count: int
    ) -> None:
        """Begin to copy neighbours, which are inside or not together."""
        first = self.j0 if operand else self.i0
        load = self.loaded(operand, (self.index(first) + place).value, (self.index(k0) + k).value)
        self.copy_to(operand, self.place(operand, number, place, k), load, count)

    def copy_to(self, operand: int, to: Value, load: Load, count: int) -> None:
        """Begin to copy what `load` loads, and the neighbours behind it. (Nobody uses the load.)
        Single elements that are too small for it are there at once."""
        memory = self.memory[operand]
        if count * self.kept[operand].itemsize < COPIED_BYTES_MIN:
            self.lower.store(memory, to, load.result)
        else:
            copy = CopyAsync(memory, to, load.buffer, load.offset, load.mask, count)
            self.lower.b.emit_all(copy)

    def groups(self, per_line: int, lines: int, group: int) -> list[tuple[Value, Value]]:
        """The groups of neighbours that this thread brings: (first place in a line, line)."""
        found = []
        for u in range(max(1, per_line * lines // GEMM_TEAM)):
            g = (self.index(self.thread) + (u * GEMM_TEAM)).value
            if per_line * lines < GEMM_TEAM:  # some bring the same
                g = (self.index(g) % (per_line * lines)).value
            place = (self.index(g) % per_line * group).value
            found.append((place, (self.index(g) // per_line).value))
        return found
