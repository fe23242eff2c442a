"""`x[...]` and its function forms: slices, strides, new axes, and tensors as indices."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype, int16, int32, int64
from tfc.ir.extent import Expr, Extent, floordiv, minimum, positive

from ...core import blame
from ...core.conversion import operand
from ...core.dimension import Dimension
from ...core.formatting import shown
from ...core.placement import is_on_host
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import ShapeLike, TensorLike
from ...core.variable import Variable
from ...dispatch.known import known_elements
from ...dispatch.primitive import measured
from ..arguments import whole_number
from ..extents import _integer, _require, as_extents, extents_of
from ..math import arithmetic, comparisons
from . import conversion
from .conversion import identity
from .shaping import _sliced
from .sizes import numbers_of, scalar_of, steps, wrap64

_py_range, _py_slice = builtins.range, builtins.slice

_INDICES = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
    "tf.int32/tf.int64 tensors are valid indices"
)


def getitem(x: TensorLike, index: Any) -> Tensor:
    """`x[index]`: ints and integer scalars, slices, `...`, None (a new axis), and bool tensors
    (`boolean_mask`). A list is a tuple, as in TensorFlow; other tensors are a TypeError, whose rows
    `gather` takes.

    Bounds and steps may be scalar tensors. Where the extents are unknown while tracing, slices are
    cut to what is there when it runs. An int outside of its axis is an InvalidArgumentError.
    """
    variable = x if isinstance(x, Variable) else None
    if variable is not None:
        x = variable.value()
    result = _item(x, index)
    if variable is not None:
        if result is x:
            result = identity(x)
        result._source = (variable, index)  # so that it can be assigned to
    return result


def _item(x: Any, index: Any) -> Tensor:
    if _is_mask(index):
        from .indexing import boolean_mask

        return boolean_mask(x, index)
    items = list(index) if isinstance(index, tuple | list) else [index]
    extents = extents_of(x)
    used = sum(1 for i in items if i is not None and i is not Ellipsis)
    if used and not extents:
        raise blame.invalid("Attempting to slice scalar input.", "strided_slice")
    if used > len(extents):
        raise blame.invalid(
            f"Index out of range using input dim {len(extents)}; "
            f"input has only {len(extents)} dims",
            "strided_slice",
        )
    holes = [k for k, i in enumerate(items) if i is Ellipsis]
    if len(holes) > 1:
        raise blame.invalid("Multiple ellipses in slice spec not allowed", "strided_slice")
    if not holes:
        items.append(Ellipsis)
    at = holes[0] if holes else len(items) - 1
    items[at : at + 1] = [_py_slice(None)] * (len(extents) - used)
    plan = _Index(x, extents)
    for item in items:
        plan.add(item)
    return plan.run()


def _is_mask(index: Any) -> bool:
    """Whether an index is a bool, or a tensor or array of bools."""
    if isinstance(index, Tensor | Variable | np.ndarray):
        return bool(index.dtype == bool)
    return isinstance(index, bool)


class _Index:
    """Collects what an index means along each axis."""

    def __init__(self, x: Any, extents: tuple[Extent, ...]) -> None:
        self.x = x
        self.extents = extents
        self.begin: list[Extent] = []
        self.size: list[Extent] = []
        self.strides: list[int] = []
        self.reversed: list[int] = []
        self.shape: list[Extent] = []
        self.gathers: list[tuple[int, Any]] = []  # (axis of the result, indices)

    def add(self, item: Any) -> None:
        """The next axis of the operand, or a new one."""
        if item is None:
            self.shape.append(1)
            return
        extent = self.extents[len(self.begin)]
        if isinstance(item, Variable):
            item = item.value()
        if isinstance(item, bool | np.bool_):
            raise blame.type_error(f"{_INDICES}, got {item!r}", "strided_slice")
        if isinstance(item, _py_slice):
            self._slice(item, extent)
        elif isinstance(item, int | np.integer) or _is_dimension(item):
            self._single(int(item), extent)
        else:
            self._tensor(item, extent)

    def _tensor(self, item: Any, extent: Extent) -> None:
        """The row that a scalar names, which may count from the end."""
        if not _is_integer_scalar(item):
            raise blame.type_error(f"{_INDICES}, got {item!r}", "strided_slice")
        if not isinstance(item, SymbolicTensor):
            self._single(int(item), extent)
            return
        wide = conversion.cast(item, int64)
        row = comparisons.select(wide < 0, wide + scalar_of(extent), wide)
        self.gathers.append((len(self.shape), row))
        self._all(extent)

    def _all(self, extent: Extent) -> None:
        self.begin.append(0)
        self.size.append(extent)
        self.strides.append(1)
        self.shape.append(extent)

    def _single(self, i: int, extent: Extent) -> None:
        if not isinstance(extent, int):
            _require(extent - i - 1 if i >= 0 else extent + i)
            self.begin.append(i if i >= 0 else extent + i)
        elif not -extent <= i < extent:
            raise blame.invalid(
                f"slice index {i} of dimension {len(self.begin)} out of bounds (extent {extent})",
                "strided_slice",
            )
        else:
            self.begin.append(i % extent)
        self.size.append(1)
        self.strides.append(1)

    def _slice(self, item: builtins.slice[Any, Any, Any], extent: Extent) -> None:
        step = 1 if item.step is None else _step(item.step)
        if isinstance(step, int) and step == 0:
            place = len(self.begin)
            raise blame.invalid(f"strides[{place}] must be non-zero", "strided_slice")
        if item.start is None and item.stop is None and isinstance(step, int) and step == 1:
            self._all(extent)
            return
        start, stop = _bound(item.start), _bound(item.stop)
        if any(isinstance(v, SymbolicTensor) for v in (start, stop, step)):
            self.gathers.append((len(self.shape), _computed(start, stop, step, extent)))
            self._all(extent)
            return
        first: Extent
        count: Extent
        if not any(isinstance(v, Expr) for v in (extent, start, stop)):
            places = _py_range(extent)[_py_slice(start, stop, step)]  # type: ignore[arg-type]
            count = len(places)
            first = (places[-1] if step < 0 else places[0]) if count else 0
        else:
            first, width = _cut(start, stop, step < 0, extent)
            count = floordiv(width + abs(step) - 1, abs(step))
            if step < -1:  # counted from the end
                first = first + width - 1 - (count - 1) * -step
        if step < 0:
            self.reversed.append(len(self.begin))
        self.begin.append(first)
        self.size.append(count)
        self.strides.append(
            min(abs(step), max(extent, 1)) if isinstance(extent, int) else abs(step)
        )
        self.shape.append(count)

    def run(self) -> Tensor:
        """The slice, then what tensors take of it."""
        result = _sliced(
            self.x,
            tuple(self.begin),
            tuple(self.size),
            self.strides,
            self.reversed,
            tuple(self.shape),
        )
        if isinstance(result, SymbolicTensor):
            self._keep_numbers(result)
        if self.gathers:
            from .indexing import gather

            for place, indices in reversed(self.gathers):
                result = gather(result, indices, axis=place)
        return result

    def _keep_numbers(self, result: SymbolicTensor) -> None:
        """Note the numbers in a slice of a vector that are known: they may be sizes."""
        if len(self.begin) != 1 or len(self.shape) > 1:
            return
        first, count = self.begin[0], self.size[0]
        if not isinstance(first, int) or not isinstance(count, int):
            return
        part = _py_slice(first, first + count * self.strides[0], self.strides[0])
        known: Any = None
        if isinstance(self.x, SymbolicTensor):
            if isinstance(self.x._extents, tuple):
                known = self.x._extents[part]
        elif self.x.dtype.is_integer and is_on_host(self.x._array):
            known = tuple(self.x._array[part].tolist())
        if known is not None:
            known = known[::-1] if self.reversed else known
            result._extents = known if self.shape else known[0]


def _is_dimension(item: Any) -> bool:
    """Whether an index is TensorFlow 1's extent, and known."""
    return isinstance(item, Dimension) and item.value is not None


def _is_integer_scalar(item: Any) -> bool:
    if not isinstance(item, Tensor | np.ndarray) or len(item.shape):
        return False
    return as_dtype(item.dtype) in (int16, int32, int64)


def _step(value: Any) -> Any:
    """A step as an int, or a scalar that only run time knows."""
    if isinstance(value, SymbolicTensor) and _is_integer_scalar(value):
        known = known_elements(value)
        return value if known is None else int(known.item())
    return _integer(value, "a slice step", "strided_slice")


def _bound(value: Any) -> Any:
    """A bound as None, an extent, or a scalar that only run time knows."""
    if isinstance(value, SymbolicTensor):
        if value._extents is None:
            if value.shape.rank != 0 or not value.dtype.is_integer:
                raise blame.type_error("a slice bound must be an integer scalar", "strided_slice")
            return value
        return as_extents(value, "strided_slice")[0]
    if value is None or isinstance(value, Expr):
        return value
    return _integer(value, "a slice bound", "strided_slice")


def _cut(start: Any, stop: Any, backwards: bool, extent: Extent) -> tuple[Extent, Extent]:
    """Where a slice begins that lies within an extent known at run time only, and how wide it is.

    A bound is counted from the front, or, where it is negative, from the end. Backwards, the
    elements from stop + 1 to start are meant.
    """
    low, high = (stop, start) if backwards else (start, stop)

    def end(bound: Any, otherwise: tuple[bool, Extent]) -> tuple[bool, Extent]:
        """Whether the bound is counted from the end, and the distance."""
        if bound is None:
            return otherwise
        if isinstance(bound, int) and bound < 0:
            return True, -bound - backwards
        return False, bound + backwards

    def place(from_end: bool, distance: Extent) -> Extent:
        return positive(extent - distance) if from_end else minimum(distance, extent)

    below, above = end(low, (False, 0)), end(high, (True, 0))
    first = place(*below)
    (low_end, skipped), (high_end, left) = below, above
    if high_end and not low_end:
        return first, positive(extent - left - skipped)
    if low_end == high_end and isinstance(skipped, int) and isinstance(left, int):
        ordered = skipped >= left if low_end else skipped <= left
        return first, place(*above) - first if ordered else 0
    return first, positive(place(*above) - first)


def _computed(start: Any, stop: Any, step: Any, extent: Extent) -> Any:
    """The indices of a slice whose bounds, or whose step, are computed when it runs."""
    length = scalar_of(extent)
    zero, one = wrap64(0), wrap64(1)
    by = conversion.cast(step, int64) if isinstance(step, Tensor) else wrap64(step)
    forward = by > 0

    def either(ahead: Any, back: Any) -> Any:
        if isinstance(step, int):
            return ahead if step > 0 else back
        return comparisons.select(forward, ahead, back)

    low, high = either(zero, zero - one), either(length, length - one)
    from ..math.clipping import clip_by_value

    def place(bound: Any, otherwise: Any) -> Any:
        if bound is None:
            return otherwise
        given = conversion.cast(bound, int64) if isinstance(bound, Tensor) else scalar_of(bound)
        return clip_by_value(comparisons.select(given < 0, given + length, given), low, high)

    first = place(start, either(low, high))
    last = place(stop, either(high, low))
    wide = either(by, zero - by)
    width = either(last - first, first - last) + (wide - one)
    count = arithmetic.maximum(arithmetic.floordiv(width, wide), zero)
    return first + steps(measured(count)) * by


def slice_(input_: TensorLike, begin: Any, size: ShapeLike, name: str | None = None) -> Tensor:
    """`size` elements along each axis from `begin` on; a size of -1 means all that is left.

    `begin` may be computed while tracing, and `size` too. What leaves the tensor is an
    InvalidArgumentError.

    Args:
        input_: A tensor of any dtype.
        begin: The first index along each axis.
        size: How many elements along each axis; -1 is all that is left.

    Returns:
        A tensor of the dtype of `input_` and the shape `size`.

    Raises:
        InvalidArgumentError: If the slice leaves the tensor (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]))
    tf.Tensor(
    [[2 3]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    x = operand("slice", input_)
    extents = extents_of(x)
    starts, sizes = numbers_of(begin), numbers_of(size)
    if not len(starts) == len(sizes) == len(extents):
        raise blame.invalid(
            f"Expected begin and size arguments to be 1-D tensors of size {len(extents)}, but got "
            f"shapes [{len(starts)}] and [{len(sizes)}] instead.",
            "slice",
        )
    first: list[Extent] = []
    moved: list[tuple[int, Any]] = []  # axes whose begin is known at run time only
    for i, (b, s, e) in enumerate(zip(starts, sizes, extents, strict=True)):
        if isinstance(s, Tensor):
            asked: Any = s
            rest: Any = scalar_of(e) - _wide(b)
            s = sizes[i] = measured(comparisons.select(asked < 0, rest, _wide(asked)))
        if isinstance(b, Tensor):
            count = measured(scalar_of(e) - b) if s == -1 else s
            moved.append((i, steps(count) + b))
            first.append(0)
            sizes[i] = e
            continue
        if s == -1:
            s = sizes[i] = e - b
        if all(isinstance(v, int) for v in (b, s, e)) and not 0 <= b <= b + s <= e:
            if not 0 <= b <= e:
                raise blame.invalid(f"Expected begin[{i}] in [0, {e}], but got {b}", "slice")
            raise blame.invalid(f"Expected size[{i}] in [0, {e - b}], but got {s}", "slice")
        for extent in (b, s, e - b - s):
            _require(extent)
        first.append(b)
    result = _sliced(x, tuple(first), tuple(sizes), (1,) * len(sizes), (), tuple(sizes))
    if moved:
        from .indexing import gather

        for axis, indices in moved:
            result = gather(result, indices, axis=axis)
    return result


def _wide(value: Any) -> Any:
    return value if isinstance(value, Tensor) else scalar_of(value)


def strided_slice(
    input_: TensorLike,
    begin: TensorLike,
    end: TensorLike,
    strides: TensorLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], ...]`.

    Args:
        input_: A tensor of any dtype.
        begin: Where the slice begins along each axis.
        end: Where it ends.
        strides: How far its elements lie apart, not 0; None is 1.
        begin_mask: A set of bits, one an axis: it begins at the beginning.
        end_mask: It ends at the end.
        ellipsis_mask: The entry stands for `...`.
        new_axis_mask: The entry stands for a new axis.
        shrink_axis_mask: The axis is dropped: of it the element at `begin` alone is taken.
        var: A Variable to slice in the place of `input_`.

    Returns:
        A tensor of the same dtype.

    Raises:
        InvalidArgumentError: If the lengths of `begin`, `end` and `strides` differ, there are more
            entries than axes, a stride is 0, or an element is not there (ValueError while tracing).
        TypeError: If a number is no integer.

    >>> import tfc as tf
    >>> print(tf.strided_slice([1, 2, 3, 4, 5], [4], [0], [-2]))
    tf.Tensor([5 3], shape=(2,), dtype=int32)
    """
    if var is not None and not isinstance(var, Variable):
        raise blame.type_error(f"var must be a Variable, got {shown(var)}", "strided_slice")
    x = operand("strided_slice", input_) if var is None else var
    starts, stops = numbers_of(begin), numbers_of(end)
    by = [1] * len(starts) if strides is None else numbers_of(strides)
    if not len(starts) == len(stops) == len(by):
        raise blame.invalid(
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"[{len(starts)}], [{len(stops)}], and [{len(by)}] instead.",
            "strided_slice",
        )
    masks = {"begin": begin_mask, "end": end_mask, "ellipsis": ellipsis_mask}
    masks |= {"new_axis": new_axis_mask, "shrink_axis": shrink_axis_mask}
    bits = [whole_number(m, f"{what}_mask", "strided_slice") for what, m in masks.items()]
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask = bits
    items: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(starts, stops, by, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            items.append(Ellipsis)
        elif new_axis_mask & bit:
            items.append(None)
        elif shrink_axis_mask & bit:
            items.append(start)
        else:
            low = None if begin_mask & bit else start
            high = None if end_mask & bit else stop
            items.append(_py_slice(low, high, step))
    return getitem(x, tuple(items))
