"""Constants and index maps: ops whose element is an operand's element at another index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..algebra import Term
from ..attributes import Number
from ..axis_map import AxisMap, AxisMaps, same_index
from ..core import Builder, Op, Requirement, Value
from ..dtypes import DType, as_element_type, int64, string
from ..extent import Extent, Shape, as_int, as_ints, product
from ..types import INDEX, TensorType, format_shape, scalar_type
from .index_map import IndexMap, pulled

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index


class Constant(Op):
    """A small literal; large tensors are arguments."""

    value: np.ndarray
    cost = 0
    scalar_loop = True
    tiny_in_loop = True
    _number: ClassVar[Number | None] = None  # made when somebody asks

    def __post_init__(self) -> None:
        if type(self.value) is not np.ndarray:
            text = isinstance(self.value, bytes)  # NumPy's scalars too
            object.__setattr__(self, "value", np.asarray(self.value, object if text else None))

    def of(self, number: Number) -> Constant:
        """This constant of a number's array."""
        object.__setattr__(self, "_number", number)
        return self

    @property
    def number(self) -> Number:
        if self._number is None:
            self.of(Number(self.value))
        assert self._number is not None
        return self._number

    def key(self) -> tuple[type, Any]:
        return Constant, self.number.key

    def infer(self) -> TensorType:
        dtype = as_element_type(self.value.dtype)
        return TensorType(dtype, self.value.shape) if self.value.shape else scalar_type(dtype)

    def numpy(self) -> np.ndarray:
        return self.value

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        if not index:
            return lower.emit(Constant(self.value))
        # A literal of several elements: choose by linear index (literals are short).
        flat = self.value.ravel() if self.value.size else self.result.dtype.zeros(1)
        position = Term(lower.b, lower.linear(index, self.value.shape))
        result = Term(lower.b, lower.emit(Constant(flat[0])))
        for i in range(1, len(flat)):
            literal = lower.emit(Constant(flat[i]))
            at_i = position.equal(i)
            result = at_i.select(Term(lower.b, literal), result)
        return result.value


class ExtentOf(Op):
    """The value of a symbolic extent, as an i64 scalar."""

    value: Extent
    cost = 0
    scalar_loop = True

    def infer(self) -> TensorType:
        return INDEX

    def numpy(self) -> np.int64:
        value = as_int(self.value)
        return np.int64(value)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        return lower.extent(self.value)


class Iota(Op):
    """0, 1, 2, ... along `axis`, the same along all others."""

    shape: Shape
    axis: int
    dtype: DType
    tiny_in_loop = True

    def infer(self) -> TensorType:
        if not 0 <= self.axis < len(self.shape):
            raise self.error(f"no axis {self.axis} in a shape of rank {len(self.shape)}", "value")
        if self.dtype is string:
            raise self.error("no number is a string", "dtype")
        return TensorType(self.dtype, self.shape)

    def numpy(self) -> np.ndarray:
        size = as_int(self.shape[self.axis])
        shape = as_ints(self.shape)
        cast = Op.by_name["cast"](Value(TensorType(int64, (size,))), self.dtype)
        index = cast.numpy(np.arange(size))
        lined_up = [size if a == self.axis else 1 for a in range(len(self.shape))]
        return np.broadcast_to(index.reshape(lined_up), shape)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        return lower.cast(index[self.axis], self.dtype)


class Broadcast(IndexMap):
    """x with its axis i laid along result axis dims[i]; extents of 1 and new axes repeat."""

    shape: Shape
    dims: tuple[int, ...]
    cost = 0
    repeats_operands = True
    tiny_in_loop = True

    def infer(self) -> TensorType:
        if len(self.dims) != self.x.rank or sorted(set(self.dims)) != list(self.dims):
            raise self.error(f"dims {self.dims} must name one result axis per operand axis")
        for extent, axis in zip(self.x.shape, self.dims, strict=True):
            if not 0 <= axis < len(self.shape) or extent not in (1, self.shape[axis]):
                shape = format_shape(self.shape)
                raise self.error(f"cannot be broadcast to {shape} along {self.dims}")
        return TensorType(self.x.dtype, self.shape)

    @property
    def repeats(self) -> Extent:
        """How often each element of the operand is there."""
        own = {d for d, e in zip(self.dims, self.x.shape, strict=True) if e == self.shape[d]}
        return product(e for d, e in enumerate(self.shape) if d not in own)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        shape = as_ints(self.shape)
        kept = [1] * len(shape)
        for extent, axis in zip(x.shape, self.dims, strict=True):
            kept[axis] = extent
        return np.broadcast_to(x.reshape(kept), shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        axes = tuple(
            axis
            for axis, extent in enumerate(self.shape)
            if axis not in self.dims or (self.x.shape[self.dims.index(axis)] == 1 and extent != 1)
        )
        summed = b.emit(Op.by_name["reduce_sum"](dy, axes)) if axes else dy
        return (b.emit(Reshape(summed, self.x.shape)) if summed.shape != self.x.shape else summed,)

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        rows = zip(self.x.shape, self.dims, strict=True)
        return (tuple(AxisMap() if extent == 1 else AxisMap(axis) for extent, axis in rows),)


class Reshape(IndexMap):
    """The same elements in row-major order under another shape."""

    shape: Shape
    cost = 0
    scalar_loop = True
    tiny_in_loop = True
    exact = True

    def infer(self) -> TensorType:
        have, want = self.x.tensor_type.size, product(self.shape)
        if isinstance(have, int) and isinstance(want, int) and have != want:
            raise self.error(f"{have} elements cannot be reshaped to {format_shape(self.shape)}")
        return TensorType(self.x.dtype, self.shape)

    def requires(self) -> Iterable[Requirement]:
        have, want = self.x.tensor_type.size, product(self.shape)
        yield from (Requirement(e, "size", (e,)) for e in self.shape)
        yield Requirement(have - want, "count", (have, want))
        yield Requirement(want - have, "count", (have, want))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        shape = as_ints(self.shape)
        return x.reshape(shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Reshape(dy, self.x.shape)),)

    @property
    def only_ones(self) -> bool:
        """Whether nothing but extents of 1 come or go, so that indices map one to one."""
        return [e for e in self.x.shape if e != 1] == [e for e in self.shape if e != 1]

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        if not self.only_ones:
            return (None,)
        kept = (AxisMap(axis) for axis, extent in enumerate(self.shape) if extent != 1)
        return (tuple(AxisMap() if extent == 1 else next(kept) for extent in self.x.shape),)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        if self.only_ones:
            return super().at(lower, index)
        source = lower.unlinear(lower.linear(index, self.shape), self.x.shape)
        return lower.element(self.x, source)


class Transpose(IndexMap):
    """Result axis i is operand axis perm[i]."""

    perm: tuple[int, ...]
    cost = 0

    def infer(self) -> TensorType:
        if sorted(self.perm) != list(range(self.x.rank)):
            raise self.error(f"perm {self.perm} is no permutation of the axes")
        return TensorType(self.x.dtype, tuple(self.x.shape[p] for p in self.perm))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.transpose(x, self.perm)

    @property
    def inverse(self) -> tuple[int, ...]:
        return tuple(int(i) for i in np.argsort(self.perm))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Transpose(dy, self.inverse)),)

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        return (tuple(map(AxisMap, self.inverse)),)


class Reverse(IndexMap):
    """The elements of the given axes from last to first."""

    axes: tuple[int, ...]

    def infer(self) -> TensorType:
        if len(set(self.axes)) != len(self.axes) or not all(
            0 <= a < self.x.rank for a in self.axes
        ):
            raise self.error(f"axes {self.axes} must be axes of the operand, each once", "value")
        return TensorType(self.x.dtype, self.x.shape)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.flip(x, self.axes)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Reverse(dy, self.axes)),)

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        return (
            tuple(
                AxisMap(a, stride=-1, offset=e - 1) if a in self.axes else AxisMap(a)
                for a, e in enumerate(self.x.shape)
            ),
        )


class Slice(IndexMap):
    """result[i] = x[begin + i*stride], `size` elements along each axis; strides are positive."""

    begin: Shape
    size: Shape
    strides: tuple[int, ...]
    tiny_in_loop = True

    def infer(self) -> TensorType:
        if not _fits(self.size, self.x.shape, self.begin, self.strides):
            window = f"begin {format_shape(self.begin)} and size {format_shape(self.size)}"
            raise self.error(f"{window} leave the operand")
        return TensorType(self.x.dtype, self.size)

    def requires(self) -> Iterable[Requirement]:
        return _inside(self.size, self.x.shape, self.begin, self.strides)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return x[_window(self.begin, self.size, self.strides)]

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        zero = b.constant(0, self.x.dtype)
        return (b.emit(Pad(dy, zero, self.begin, self.x.shape, self.strides)),)

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        rows = zip(self.strides, self.begin, strict=True)
        return (tuple(AxisMap(a, stride, begin) for a, (stride, begin) in enumerate(rows)),)


class Pad(Op):
    """A tensor of the given shape, `fill` but for x, which stands at begin + i*stride."""

    x: Value
    fill: Value
    begin: Shape
    shape: Shape
    strides: tuple[int, ...]
    cost = 4
    repeats_operands = True

    def infer(self) -> TensorType:
        if self.fill.dtype is not self.x.dtype or self.fill.rank != 0:
            raise self.error("the fill must be a scalar of the operand's dtype", "dtype")
        if not _fits(self.x.shape, self.shape, self.begin, self.strides):
            shape = format_shape(self.shape)
            raise self.error(f"the operand at {format_shape(self.begin)} leaves shape {shape}")
        return TensorType(self.x.dtype, self.shape)

    def requires(self) -> Iterable[Requirement]:
        return _inside(self.x.shape, self.shape, self.begin, self.strides)

    def numpy(self, x: np.ndarray, fill: np.ndarray) -> np.ndarray:
        shape = as_ints(self.shape)
        out = np.full(shape, fill, x.dtype)
        out[_window(self.begin, x.shape, self.strides)] = x
        return out

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        dx = b.emit(Slice(dy, self.begin, self.x.shape, self.strides))
        hole = Term(b, dx).const(0).value
        mask = b.emit(Pad(hole, b.constant(1, dy.dtype), *self._place))
        outside = (Term(b, dy) * Term(b, mask)).value
        return dx, b.emit(Op.by_name["reduce_sum"](outside, tuple(range(dy.rank))))

    @property
    def _place(self) -> tuple[Shape, Shape, tuple[int, ...]]:
        return self.begin, self.shape, self.strides

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        maps = []
        rows = zip(self.begin, self.strides, self.x.shape, self.shape, strict=True)
        for axis, (begin, stride, extent, full) in enumerate(rows):
            whole = begin == 0 and stride == 1 and extent == full
            inside = None if whole else extent
            maps.append(AxisMap(axis, offset=-begin, step=stride, inside=inside))
        return tuple(maps), ()

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        maps, nowhere = self.operand_indices()
        x, inside = pulled(lower, self.x, maps, index)
        if inside is None:
            return x.value
        fill, _ = pulled(lower, self.fill, nowhere, index)
        return inside.select(x, fill).value


def _fits(inner: Shape, outer: Shape, begin: Shape, strides: tuple[int, ...]) -> bool:
    """Whether begin + i*stride, for all i within `inner`, is not known to leave `outer`."""
    if not len(inner) == len(outer) == len(begin) == len(strides):
        return False
    for size, extent, first, stride in zip(inner, outer, begin, strides, strict=True):
        if stride < 1 or (isinstance(first, int) and first < 0):
            return False
        if isinstance(size, int) and size < 0:
            return False
        last = first + (size - 1) * stride
        if isinstance(last, int) and isinstance(extent, int) and size != 0 and last >= extent:
            return False
    return True


def _inside(
    inner: Shape, outer: Shape, begin: Shape, strides: tuple[int, ...]
) -> Iterator[Requirement]:
    """That begin + i*stride, for all i within `inner`, stays in `outer`."""
    for size, extent, first, stride in zip(inner, outer, begin, strides, strict=True):
        stop = first + (size - 1) * stride + 1
        yield Requirement(size, "size", (size,))
        yield Requirement(first, "bounds", (first, stop, extent))
        if size != 0:
            yield Requirement(extent - stop, "bounds", (first, stop, extent))


def _window(begin: Shape, size: Shape, strides: tuple[int, ...]) -> tuple[slice, ...]:
    """The places begin + i*stride of an ndarray, `size` along each axis."""
    rows = zip(begin, size, strides, strict=True)
    return tuple(slice(b, b + (n - 1) * s + 1 if n else b, s) for b, n, s in rows)


class Concat(Op):
    """The operands one after another along `axis`."""

    xs: tuple[Value, ...]
    axis: int
    cost = 4
    repeats_operands = True

    def infer(self) -> TensorType:
        if not self.xs:
            raise self.error("there must be an operand", "value")
        first = self.xs[0]
        if not 0 <= self.axis < first.rank:
            raise self.error(f"no axis {self.axis}", "value")
        for x in self.xs:
            if x.dtype is not first.dtype:
                raise self.error("operands must have the same dtype", "dtype")
            if x.rank != first.rank or any(
                a != b
                for i, (a, b) in enumerate(zip(x.shape, first.shape, strict=True))
                if i != self.axis
            ):
                raise self.error(f"operands must agree in every axis but {self.axis}")
        total: Extent = 0
        for x in self.xs:
            total = total + x.shape[self.axis]
        shape = (*first.shape[: self.axis], total, *first.shape[self.axis + 1 :])
        return TensorType(first.dtype, shape)

    def numpy(self, *xs: np.ndarray) -> np.ndarray:
        return np.concatenate(xs, self.axis)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        start: Extent = 0
        parts = []
        for x in self.xs:
            begin = tuple(start if i == self.axis else 0 for i in range(x.rank))
            parts.append(b.emit(Slice(dy, begin, x.shape, (1,) * x.rank)))
            start = start + x.shape[self.axis]
        return parts

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        found: list[AxisMaps] = []
        start: Extent = 0
        for x in self.xs:
            maps = list(same_index(x.rank))
            extent = x.shape[self.axis]
            maps[self.axis] = AxisMap(self.axis, offset=-start, inside=extent)
            found.append(tuple(maps))
            start = start + extent
        return tuple(found)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        result: Term | None = None
        for x, maps in zip(self.xs, self.operand_indices(), strict=True):
            element, inside = pulled(lower, x, maps, index)
            assert inside is not None
            result = element if result is None else inside.select(element, result)
        assert result is not None
        return result.value
