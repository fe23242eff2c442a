"""What a contraction is to its schedules: extents, and how elements of its operands are got."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core import Value
from ..dtypes import DType, bfloat16, bool_, float32, int8, int16, int32, uint8
from ..element_builder import Index
from ..extent import Extent, Shape, floordiv, largest, product
from ..ops.contraction import Matmul
from ..ops.elementwise import Cast
from ..ops.shape import Transpose
from ..value_classes import NamedTuple, dataclass
from .plan.computed_operands import prologue

if TYPE_CHECKING:
    from .group_builder import GroupBuilder
    from .target import Target


@dataclass(kw_only=True)
class GemmShape:
    """What the choice of a schedule looks at."""

    result: Value
    batch: Shape
    m: Extent
    n: Extent
    k: Extent
    left_transposed: bool = False  # whether the elements of left lie side by side along i, not k
    right_transposed: bool = False  # whether those of right do along k, not j
    left_computed: bool = False  # whether elements of left cost more than a load
    right_computed: bool = False
    # What the elements of left and right are converted from, where that is narrower than the sums.
    narrow: tuple[DType, DType] | None = None
    windows: bool = False  # whether rows of left are what a window sees, which are always packed

    @property
    def compute(self) -> DType:
        """The dtype of the sums."""
        dtype: DType = self.result.dtype.compute
        return dtype

    @property
    def volume(self) -> Extent:
        """Multiplications of one product of the batch."""
        return product((self.m, self.n, self.k))

    def products(self, target: Target) -> int:
        """How many products of small integers an instruction adds to a sum: see `AddProducts`."""
        if self.narrow is None or self.compute is not int32:
            return 1
        dtypes = set(self.narrow)
        if target.products >= 4 and int8 in dtypes <= {int8, uint8}:
            return 4
        return min(target.products, 2) if dtypes <= {int8, uint8, int16} else 1

    def has_pairs(self, target: Target) -> bool:
        """Whether an instruction adds two products of bfloat16 to a sum."""
        narrow = self.narrow is not None and set(self.narrow) == {bfloat16}
        return target.bfloat16_pairs and narrow and self.compute is float32

    def cost(self, target: Target, depth: Extent | None = None) -> Extent:
        """About how many nanoseconds its products take one thread, or those of so much of k: at 2
        additions and multiplications a lane of a register and cycle, and 2 cycles a nanosecond."""
        shape = (*self.batch, self.m, self.n, self.k if depth is None else depth)
        chains = 4 if self.compute.is_complex else 1
        lanes = register_tile(self.compute, target).lanes
        return floordiv(product(shape) * chains, 4 * lanes)

    def largest(self) -> GemmShape:
        """This shape where unknown extents are as large as they may be, if that is known: what is
        for the largest sizes is for smaller ones. But what has no more than one row or column is
        not known to have one."""
        m, n, k = map(largest, (self.m, self.n, self.k))
        m, n = (2 if most == 1 != e else most for most, e in ((m, self.m), (n, self.n)))
        if (m, n, k) == (self.m, self.n, self.k):
            return self
        return replace(self, m=m, n=n, k=k, batch=tuple(map(largest, self.batch)))

    @property
    def in_place(self) -> bool:
        """Whether tiles can read the operands as they are."""
        return not (self.windows or self.right_transposed or self.left_computed)


@dataclass(kw_only=True)
class Problem(GemmShape):
    """A contraction as a kernel sees it; `left` and `right` give elements in the compute dtype."""

    left: Callable[[Index, Value, Value], Value]  # (batch index, i, k)
    right: Callable[[Index, Value, Value], Value]  # (batch index, k, j)
    right_plain: Value | None  # right itself, where it is in memory in this order and dtype
    left_plain: Value | None = None  # what left is loaded from, along k (i if transposed)
    right_along_k: Value | None = None  # what right is loaded from where it lies along k
    left_source: Value | None = None  # what is loaded element by element for left, in its order
    right_source: Value | None = None  # the same for right
    # What left and right are computed from, if that is one array, no wider than the sums.
    left_operand: Value | None = None
    right_operand: Value | None = None
    rows: Shape | None = None  # the result's axes that i counts, if they are several
    # Where in the result a row is (but for the last axis), and whether it is there at all.
    place: Callable[[Index, Value], tuple[Index, Value | None]] | None = None
    # Packs strips of left (see `Packer.pack_left`).
    pack: Callable[[Any, Value, Index, Value, int, Value, Value], None] | None = None


class RegisterTile(NamedTuple):
    """How much of a result has its sums in registers."""

    rows: int
    columns: int
    lanes: int  # numbers in a register, or parts of complex ones


BRIEF_TILE_ROWS = 3  # of short code: the fewest that have high and low strips (gemm/unpacked.py)


def register_tile(
    dtype: DType, target: Target, rows: int | None = None, vectors: int = 2
) -> RegisterTile:
    """A tile of so many rows, and of columns for so many registers; without numbers, what suits
    the registers that there are. Of complex numbers a register has parts, and each sum is four."""
    parts = 2 if dtype.is_complex else 1
    lanes = max(1, target.vector_bytes // dtype.real_dtype.itemsize)
    if target.brief:
        return RegisterTile(rows or BRIEF_TILE_ROWS, vectors * lanes // parts, lanes)
    rows = rows or (12 if target.registers >= 32 else 6)
    return RegisterTile(rows // parts, vectors * lanes // parts, lanes)


def innermost(value: Value, stored: Callable[[Value], bool]) -> tuple[int, Value]:
    """Along which of its last two axes the elements of `value` lie side by side, as far as one can
    tell, and the largest of what they are loaded from."""
    found = None if stored(value) else prologue(value, stored)
    if found is None or not found.large:
        return value.rank - 1, value
    source = max(found.large, key=lambda v: v.dtype.itemsize)
    return value.rank - (1 if found.inner else 2), source


def matmul_shape(op: Matmul, stored: Callable[[Value], bool]) -> GemmShape:
    """The shape of a matrix product, given what is in memory."""
    *batch, m, n = op.result.shape

    def computed(value: Value) -> bool:
        return not stored(value) and bool((found := prologue(value, stored)) and found.cost)

    x, y = (_converted(v, stored) for v in op.operands)
    return GemmShape(
        result=op.result,
        batch=tuple(batch),
        m=m,
        n=n,
        k=op.x.shape[-1],
        left_transposed=innermost(op.x, stored)[0] != op.x.rank - 1,
        right_transposed=innermost(op.y, stored)[0] != op.y.rank - 1,
        left_computed=computed(op.x),
        right_computed=computed(op.y),
        narrow=(x, y) if x is not None and y is not None else None,
    )


def _converted(value: Value, stored: Callable[[Value], bool]) -> DType | None:
    """What the elements of a value are converted from while they are read, if they are."""
    if value.dtype.compute is not value.dtype:
        return value.dtype
    while isinstance(value.op, Transpose) and not stored(value):
        value = value.op.x
    return value.op.x.dtype if isinstance(value.op, Cast) and not stored(value) else None


def matrix_product(lower: GroupBuilder, op: Matmul) -> Problem:
    """A matrix product as a Problem."""
    shape = matmul_shape(op, lower.in_memory)
    compute, rank = shape.compute, op.result.rank

    def left(outer: Index, i: Value, k: Value) -> Value:
        return lower.cast(lower.element(op.x, (*outer, i, k)), compute)

    def right(outer: Index, k: Value, j: Value) -> Value:
        return lower.cast(lower.element(op.y, (*outer, k, j)), compute)

    stored = lower.in_memory

    def rows(value: Value, inner: int) -> Value | None:
        """What is loaded for `value`, row by row, if its axis `inner` is the last in memory."""
        if isinstance(value.op, Transpose) and not stored(value):
            *first, a, b = value.op.perm
            swapped = first == list(range(rank - 2)) and (a, b) == (rank - 1, rank - 2)
            value, inner = value.op.x, (2 * rank - 3 - inner if swapped else -1)
        plain = stored(value) and value.dtype is compute and inner == rank - 1
        return value if plain else None

    def operand(value: Value) -> Value | None:
        """The only array that has an element of its own for each of `value`, which is computed."""
        found = None if stored(value) or compute.is_complex else prologue(value, stored)
        if found is None or not found.cost or found.gathers or len(found.large) != 1:
            return None
        (source,) = found.large
        dtype, inner = source.dtype, innermost(value, stored)[0]
        if dtype.is_complex or dtype is bool_ or dtype.itemsize > compute.itemsize:
            return None
        order = (*range(rank - 2), 2 * rank - 3 - inner, inner)
        return source if source.shape == tuple(value.shape[axis] for axis in order) else None

    plain = stored(op.y) and op.y.dtype is compute
    _, source = innermost(op.x, stored)
    like = (*shape.batch, shape.k, shape.m) if shape.left_transposed else op.x.shape
    across, beside = innermost(op.y, stored)
    whole = across == rank - 1 and stored(beside) and beside.shape == op.y.shape
    return Problem(
        **vars(shape),
        left=left,
        right=right,
        right_plain=op.y if plain else None,
        left_plain=rows(op.x, rank - 2 if shape.left_transposed else rank - 1),
        right_along_k=rows(op.y, rank - 2),
        left_source=source if stored(source) and source.shape == like else None,
        right_source=beside if whole else None,
        left_operand=operand(op.x),
        right_operand=operand(op.y),
    )
