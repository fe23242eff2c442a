"""Maxima over windows, and what their gradients are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, bool_, int64
from ..element_builder import ElementBuilder, Index
from ..extent import Extent, Shape, as_ints, product
from ..types import TensorType
from .elementwise import Link
from .shape import Constant
from .window import Axis, Window, axes_of, fold, reflected, taps_read


class Pool(Window, abstract=True):
    """The base: a window of `window` taps slides over each channel of x [N, spatial..., C]."""

    x: Value
    window: Shape
    size: Shape
    strides: tuple[int, ...]
    low: Shape
    rhs_dilation: tuple[int, ...]

    def infer(self) -> TensorType:
        x = self.x
        if x.dtype.kind not in "iuf":
            raise self.error(f"not defined for dtype {x.dtype.name}", "dtype")
        self.check_window(self.window, self.size, self.low, self.strides, self.rhs_dilation)
        self.check_strides(*self.strides, *self.rhs_dilation)
        if any(isinstance(e, int) and e < 0 for e in self.size):
            raise self.error("the window is larger than what it slides over")
        return TensorType(self.result_dtype, (x.shape[0], *self.size, x.shape[-1]))

    @property
    def result_dtype(self) -> DType:
        dtype: DType = self.x.dtype
        return dtype

    def operations(self) -> Extent:
        return product((*self.result.shape, *self.window))

    def axes(self, x: Shape) -> list[Axis]:
        """The spatial axes, for an operand of this shape."""
        ones = (1,) * self.spatial
        return axes_of(
            self.window, x[1:-1], self.strides, self.low, self.rhs_dilation, ones, self.size
        )

    @property
    def lowest(self) -> np.ndarray:
        """What is below all elements: the maximum of none."""
        dtype = self.x.dtype
        low = -np.inf if dtype.is_floating else dtype.min
        return np.asarray(low).astype(dtype.numpy)

    def places(self, x: np.ndarray) -> np.ndarray:
        """The place of the first maximum in each window, as a number into the spatial axes of x
        flattened; -1 for a window in which there is nothing."""
        size = as_ints(self.size)
        extents, axes = x.shape[1:-1], self.axes(x.shape)
        best = np.full((x.shape[0], *size, x.shape[-1]), -1, np.int64)
        for places in np.ndindex(*size):
            found = [
                (int(np.ravel_multi_index(at, extents)) if at else 0, x[(slice(None), *at)])
                for _, at in taps_read(axes, places)
            ]
            if found:
                numbers = np.array([place for place, _ in found])
                seen = np.stack([values for _, values in found])
                best[(slice(None), *places)] = numbers[np.argmax(seen, 0)]
        return best

    def best(self, lower: ElementBuilder, index: Index) -> tuple[Term, Term]:
        """The first maximum (the first nan, where there is one) and its place."""
        n, *places, channel = index
        lowest = Term(lower.b, lower.emit(Constant(self.lowest)))
        compute: DType = self.x.dtype.compute

        def tap(taps: Index, positions: Index, carried: Index) -> Sequence[Value]:
            top, place = (Term(lower.b, v) for v in carried)
            value = Term(lower.b, lower.element(self.x, (n, *positions, channel)))
            value = Term(lower.b, lower.cast(value.value, compute))
            here = Term(lower.b, lower.linear(positions, self.x.shape[1:-1]))
            better = _above(value, top) | (place < 0)
            return better.select(value, top).value, better.select(here, place).value

        init = (lower.cast(lowest.value, compute), lower.extent(-1))
        top, place = fold(lower, self.axes(self.x.shape), tuple(places), init, tap)
        return Term(lower.b, top), Term(lower.b, place)

    def first(self, lower: ElementBuilder, values: Sequence[Value]) -> list[Term]:
        """Which of a window's elements, in row-major order, is the first maximum (or nan)."""
        compute: DType = self.x.dtype.compute
        wide = [Term(lower.b, lower.cast(v, compute)) for v in values]
        top, better = wide[0], [Term(lower.b, lower.b.constant(True, bool_))]
        for value in wide[1:]:
            better.append(_above(value, top))
            top = better[-1].select(value, top)
        found = [better[-1]]
        later = better[-1]
        for one in reversed(better[:-1]):
            found.append(one & later.logical_not())
            later = later | one
        return found[::-1]


def _above(value: Term, top: Term) -> Term:
    """Whether a value takes the place of the largest so far: of a nan none does, but it of all."""
    above = (value <= top).logical_not()  # or either is nan
    return top.equal(top) & above


class MaxPool(Pool):
    """The maximum of each window; nan where one is. The gradient goes to the first maximum (or
    nan) in row-major order; of nothing the maximum is -inf, or the smallest integer."""

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return pick(x, self.places(x), self.lowest)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        window = self.window, self.size, self.strides, self.low, self.rhs_dilation
        place = b.emit(MaxPlace(self.x, *window))
        linked = b.emit(Link(dy, self.x))
        return (b.emit(Unpool(linked, place, *window, self.x.shape[1:-1])),)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        n, *places, channel = index
        compute: DType = self.x.dtype.compute

        def tap(taps: Index, positions: Index, carried: Index) -> Sequence[Value]:
            value = lower.cast(lower.element(self.x, (n, *positions, channel)), compute)
            return (Term(lower.b, carried[0]).maximum(Term(lower.b, value)).value,)

        lowest = lower.cast(lower.emit(Constant(self.lowest)), compute)
        (top,) = fold(lower, self.axes(self.x.shape), tuple(places), (lowest,), tap)
        return lower.cast(top, self.x.dtype)


class MaxPlace(Pool):
    """Where the maximum of each window stands: see `Pool.places`."""

    @property
    def result_dtype(self) -> DType:
        return int64

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return self.places(x)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        _, place = self.best(lower, index)
        return place.value


class Placed(Window, abstract=True):
    """The base of ops on the places that a MaxPlace with these attributes gave; a place outside
    of `extents`, the spatial axes that they count, stands for nothing."""

    x: Value
    place: Value
    window: Shape
    size: Shape
    strides: tuple[int, ...]
    low: Shape
    rhs_dilation: tuple[int, ...]
    extents: Shape

    def check(self, spatial: Shape, result: Shape) -> TensorType:
        x, place = self.x, self.place
        self.check_window(self.window, self.size, self.low, self.strides, self.rhs_dilation)
        self.check_strides(*self.strides, *self.rhs_dilation)
        if place.dtype is not int64 or place.shape != (x.shape[0], *self.size, x.shape[-1]):
            raise self.error("there must be one i64 place for each window and channel")
        if x.dtype.kind not in "iuf":
            raise self.error(f"not defined for dtype {x.dtype.name}", "dtype")
        if x.shape[1:-1] != spatial:
            raise self.error(f"x must have the spatial axes {spatial}")
        return TensorType(x.dtype, (x.shape[0], *result, x.shape[-1]))

    @property
    def _window(self) -> tuple[Any, ...]:
        return self.window, self.size, self.strides, self.low, self.rhs_dilation, self.extents


class Pick(Placed):
    """result[n, o..., c] = x[n, place[n, o..., c], c], with one number for all spatial axes of x;
    0 where the place stands for nothing."""

    def infer(self) -> TensorType:
        return self.check(self.extents, self.size)

    def numpy(self, x: np.ndarray, place: np.ndarray) -> np.ndarray:
        return pick(x, place, np.zeros((), x.dtype))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return b.emit(Unpool(dy, self.place, *self._window)), None

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        place = Term(lower.b, lower.element(self.place, index))
        count = Term(lower.b, lower.extent(product(self.extents)))
        inside = (place >= 0) & (place < count)
        source = lower.unlinear(place.value, self.extents)
        with lower.where(inside.value):
            x = Term(lower.b, lower.element(self.x, (index[0], *source, index[-1])))
        return inside.select(x, x.const(0)).value


class Unpool(Placed):
    """The transpose of Pick: each x[n, o..., c] is added at place[n, o..., c], which must lie in
    the window at o. A sum goes over the windows that an element lies in, last to first."""

    def infer(self) -> TensorType:
        return self.check(self.size, self.extents)

    def numpy(self, x: np.ndarray, place: np.ndarray) -> np.ndarray:
        extents = as_ints(self.extents)
        out = np.zeros((x.shape[0], int(np.prod(extents)), x.shape[-1]), self.x.dtype.compute.numpy)
        rows, channels = (
            np.broadcast_to(np.arange(n).reshape(s), x.shape)
            for n, s in (
                (x.shape[0], (-1, *[1] * (x.ndim - 1))),
                (x.shape[-1], (*[1] * (x.ndim - 1), -1)),
            )
        )
        kept = place >= 0
        np.add.at(out, (rows[kept], place[kept], channels[kept]), x[kept])
        return out.reshape(x.shape[0], *extents, x.shape[-1]).astype(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return b.emit(Pick(dy, self.place, *self._window)), None

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        n, *places, channel = index
        compute: DType = self.x.dtype.compute
        here = Term(lower.b, lower.linear(tuple(places), self.extents))
        low = reflected(self.window, self.low, self.rhs_dilation)
        ones = (1,) * self.spatial
        back = self.window, self.size, ones, low, self.rhs_dilation, self.strides, self.extents
        axes = axes_of(*back)

        def tap(taps: Index, positions: Index, carried: Index) -> Sequence[Value]:
            source = (n, *positions, channel)
            chosen = Term(lower.b, lower.element(self.place, source)).equal(here)
            x = Term(lower.b, lower.cast(lower.element(self.x, source), compute))
            total = Term(lower.b, carried[0])
            return (chosen.select(total + x, total).value,)

        init = (lower.b.constant(0, compute),)
        (total,) = fold(lower, axes, tuple(places), init, tap)
        return lower.cast(total, self.x.dtype)


def pick(x: np.ndarray, place: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    """The elements of x at the places; `nothing` at -1."""
    if not x.size:
        return np.full(place.shape, nothing, x.dtype)
    flat = x.reshape(x.shape[0], -1, x.shape[-1])
    found = np.take_along_axis(
        flat, np.maximum(place, 0).reshape(x.shape[0], -1, x.shape[-1]), 1
    ).reshape(place.shape)
    return np.where(place < 0, nothing, found)
