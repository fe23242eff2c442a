"""Reductions over axes, in a fixed tree that depends on the reduced length alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..algebra import Term, where
from ..axis_map import AxisMap, AxisMaps
from ..core import Builder, Op, Requirement, Value
from ..dtypes import DType, int64
from ..extent import Extent, Shape, largest, product
from ..types import TensorType
from .elementwise import Cast, Equal, Select
from .index_map import places
from .shape import Broadcast, Iota, Reshape, Transpose

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index

# The order of every sum, and so its bits, depend on these and on its length alone (see
# `ir.kernels.ops.Reduce`).
LANES = 64  # sums side by side
CHUNK = 2048  # elements that are summed together


def chunk_levels(count: Extent) -> int:
    """How often a reduction is cut into chunks, and these into chunks, where that is known; once
    more than needed makes no difference."""
    count = largest(count)
    if not isinstance(count, int):
        return 2
    return 0 if count <= CHUNK else 1 if count <= CHUNK * CHUNK else 2


def _in_tree(combine: np.ufunc, x: np.ndarray) -> np.ndarray:
    """The rows of `x` combined in the tree of `Reduce`, chunk by chunk where they are many."""
    while len(x) > CHUNK:
        chunks = [_in_tree(combine, x[low : low + CHUNK]) for low in range(0, len(x), CHUNK)]
        x = np.stack(chunks)
    slots = np.full((LANES, *x.shape[1:]), combine.identity, x.dtype)
    for low in range(0, len(x), LANES):
        rows = x[low : low + LANES]
        slots[: len(rows)] = combine(slots[: len(rows)], rows)
    while len(slots) > 1:
        half = len(slots) // 2
        slots = combine(slots[:half], slots[half:])
    return np.asarray(slots[0])


class Reduction(Op, abstract=True):
    """The base: the reduced axes go away."""

    x: Value
    axes: tuple[int, ...]
    combine: ClassVar[str]
    scalar_loop = True
    kinds: ClassVar[str] = "iuf"
    reference: ClassVar[Callable[..., np.ndarray]]

    def infer(self) -> TensorType:
        if self.x.dtype.kind not in self.kinds:
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        if len(set(self.axes)) != len(self.axes) or not all(
            0 <= a < self.x.rank for a in self.axes
        ):
            raise self.error(f"invalid reduction axes {self.axes}", "value")
        return TensorType(self.result_dtype, self.kept)

    @property
    def result_dtype(self) -> DType:
        dtype: DType = self.x.dtype
        return dtype

    @property
    def kept(self) -> Shape:
        return tuple(e for a, e in enumerate(self.x.shape) if a not in self.axes)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        wide = x.astype(self.x.dtype.compute.numpy)
        if wide.dtype.kind in "fc" and self.combine in ("add", "mul"):  # the order counts
            axes = sorted(self.axes)
            first = np.moveaxis(wide, axes, range(len(axes)))
            rows = first.reshape(math.prod(first.shape[: len(axes)]), *first.shape[len(axes) :])
            combine = np.add if self.combine == "add" else np.multiply
            return np.asarray(_in_tree(combine, rows)).astype(x.dtype)
        return type(self).reference(wide, axis=self.axes).astype(x.dtype)

    def operations(self) -> Extent:
        return product(self.x.shape)

    def operand_indices(self) -> tuple[AxisMaps]:
        rank = self.x.rank
        kept = iter(range(rank - len(self.axes)))
        own = iter(range(rank - len(self.axes), rank))
        return (tuple(AxisMap(next(own if a in self.axes else kept)) for a in range(rank)),)

    def spread(self, b: Builder, value: Value) -> Value:
        """A tensor of the result's shape, repeated along the reduced axes."""
        dims = tuple(a for a in range(self.x.rank) if a not in self.axes)
        return b.emit(Broadcast(value, self.x.shape, dims))

    def partial(self, lower: ElementBuilder, index: Index, k: Value) -> tuple[Value, ...]:
        """What is combined: of the operand's element at the k-th place, in row-major order, of
        the reduced axes."""
        own = lower.unlinear(k, tuple(self.x.shape[a] for a in sorted(self.axes)))
        (maps,) = self.operand_indices()
        source, _ = places(lower, maps, (*index, *own))
        return self.combined(lower, source, k)

    def combined(self, lower: ElementBuilder, index: Index, k: Value) -> tuple[Value, ...]:
        """What is combined of the operand's element at an index, the k-th."""
        return (lower.cast(lower.element(self.x, index), self.x.dtype.compute),)

    @property
    def partial_dtypes(self) -> list[DType]:
        """Of what is combined."""
        compute: DType = self.x.dtype.compute
        return [compute, int64] if self.combine in ("argmax", "argmin") else [compute]

    def total(self, lower: ElementBuilder, combined: Sequence[Value]) -> Value:
        """The result's element, when all is combined."""
        return lower.cast(combined[0], self.result_dtype)

    @property
    def count(self) -> Extent:
        """How many elements make one of the result's."""
        return product(self.x.shape[a] for a in self.axes)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        combined = lower.reduce(self.count, self.combine, lambda k: self.partial(lower, index, k))
        return self.total(lower, combined)


class ReduceSum(Reduction):
    """The sum of the elements along the axes, in the fixed tree of `Reduce`; of none 0."""

    combine = "add"
    kinds = "iufc"
    reference = np.sum

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (self.spread(b, dy),)


class ReduceProd(Reduction):
    """The product of the elements along the axes; of none 1."""

    combine = "mul"
    kinds = "iufc"
    reference = np.prod

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # d/dx_i is the product of all others, which a quotient would lose at zeros: lay the
        # reduced axes along a square whose diagonal is 1, and take products of its rows.
        axes, rank = self.axes, self.x.rank
        n = product(self.x.shape[a] for a in axes)
        order = (*(a for a in range(rank) if a not in axes), *axes)
        kept = self.kept
        rows = b.emit(Reshape(b.emit(Transpose(self.x, order)), (*kept, n)))
        square = (*kept, n, n)
        last = len(kept)
        spread = b.emit(Broadcast(rows, square, (*range(last), last + 1)))
        i, j = (b.emit(Iota(square, last + k, int64)) for k in (0, 1))
        one = Term(b, spread).const(1).value
        others = b.emit(Select(b.emit(Equal(i, j)), one, spread))
        product_of_others = b.emit(ReduceProd(others, (last + 1,)))
        back = b.emit(Reshape(product_of_others, tuple(self.x.shape[a] for a in order)))
        inverse = tuple(int(i) for i in np.argsort(order))
        factor = Term(b, b.emit(Transpose(back, inverse)))
        return ((Term(b, self.spread(b, dy)) * factor.conj()).value,)


class Extremum(Reduction, abstract=True):
    """Of no elements: the neutral element, infinite for floats, the far end of integers' range."""

    def numpy(self, x: np.ndarray) -> np.ndarray:
        dtype, low = self.x.dtype, self.combine == "maximum"
        if dtype.is_floating:
            neutral = -np.inf if low else np.inf
        else:
            neutral = dtype.min if low else dtype.max
        x = x.astype(dtype.compute.numpy)
        return type(self).reference(x, axis=self.axes, initial=neutral).astype(dtype.numpy)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # TensorFlow's rule: ties share the cotangent equally.
        chosen = b.emit(Equal(self.x, self.spread(b, self.result)))
        ones = Term(b, b.emit(Cast(chosen, self.x.dtype)))
        count = b.emit(ReduceSum(ones.value, self.axes))
        shared = self.spread(b, (Term(b, dy) / Term(b, count)).value)
        return (where(Term(b, chosen), Term(b, shared), 0).value,)


class ReduceMax(Extremum):
    """The largest element along the axes; nan if any is."""

    combine = "maximum"
    reference = np.max


class ReduceMin(Extremum):
    """The smallest element along the axes; nan if any is."""

    combine = "minimum"
    reference = np.min


class ReduceAll(Reduction):
    """Whether all elements along the axes are True; of none True."""

    combine = "bitwise_and"
    kinds = "b"
    reference = np.all

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class ReduceAny(Reduction):
    """Whether an element along the axes is True; of none False."""

    combine = "bitwise_or"
    kinds = "b"
    reference = np.any

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class ArgReduction(Reduction, abstract=True):
    """The place of the first extremum along one axis; of the first nan where there is one."""

    def infer(self) -> TensorType:
        super().infer()
        if len(self.axes) != 1:
            raise self.error("takes one axis", "value")
        if self.x.shape[self.axes[0]] == 0:
            raise self.error("the axis has no elements", "value")
        return TensorType(int64, self.kept)

    def requires(self) -> Iterable[Requirement]:
        yield Requirement(self.x.shape[self.axes[0]] - 1, "empty", (self.axes[0],))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return type(self).reference(x, axis=self.axes[0]).astype(np.int64)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def combined(self, lower: ElementBuilder, index: Index, k: Value) -> tuple[Value, ...]:
        return *super().combined(lower, index, k), k

    def total(self, lower: ElementBuilder, combined: Sequence[Value]) -> Value:
        return combined[1]


class ArgMax(ArgReduction):
    """The place of the first largest element along one axis."""

    combine = "argmax"
    reference = np.argmax


class ArgMin(ArgReduction):
    """The place of the first smallest element along one axis."""

    combine = "argmin"
    reference = np.argmin
