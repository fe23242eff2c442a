"""What converted code calls: functions, and ours in the place of some of Python's own."""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import DType, as_dtype, string

from ..core import blame
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.array.conversion import cast
from ..ops.array.creation import range as tensor_range
from ..ops.array.creation import zeros
from ..ops.array.indexing import gather
from ..ops.array.shaping import shape
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.comparisons import logical_and, logical_or
from ..ops.math.reductions import reduce_all, reduce_any
from .conversion import convert_called
from .operators import and_, or_, symbolic
from .sources import TensorEnumerate, TensorRange, TensorZip


def callee(f: Any) -> Any:
    """What to call in the place of `f`: a converted function, or ours for some of Python's."""
    if context.trace is None:
        return f
    try:
        replacement = _BUILTINS.get(f)
    except TypeError:  # unhashable
        replacement = None
    if replacement is not None:
        return replacement
    if not context.autograph:
        return f
    return convert_called(f, sys._getframe(1).f_code.co_filename)


def _any_symbolic(values: Sequence[Any]) -> bool:
    return any(symbolic(v) for v in values)


def range_(*bounds: Any) -> Any:
    """`range`, also of tensors."""
    return TensorRange(*bounds) if _any_symbolic(bounds) else builtins.range(*bounds)


def iterated(f: Any) -> Any:
    """What is called in the head of a `for`: ranges of tensors need not be stored there."""
    return TensorRange if f is tensor_range and context.trace is not None else callee(f)


def _unknown(x: Any) -> bool:
    """Whether Python cannot tell how many items a loop over `x` has."""
    if isinstance(x, TensorRange | TensorZip | TensorEnumerate):
        return True
    return symbolic(x) and bool(x.ndim) and x.shape[0] is None


def _stageable(x: Any) -> bool:
    return isinstance(x, TensorRange | TensorZip | TensorEnumerate | Tensor | Variable)


def _is_dataset(x: Any) -> bool:
    """Whether a loop over `x` in a trace is one over a dataset (see tfc/data/loops.py)."""
    return context.trace is not None and hasattr(type(x), "_traced_loop")


def enumerate_(items: Any, start: Any = 0) -> Any:
    """`enumerate`, also of a dataset, or a tensor whose extent is not known yet."""
    if _is_dataset(items) and hasattr(items, "enumerate"):
        return items.enumerate(start)
    if _unknown(items):
        return TensorEnumerate(items, start)
    return builtins.enumerate(items, start)


def zip_(*items: Any, **options: Any) -> Any:
    """`zip`, also of datasets, or tensors whose extents are not known yet."""
    if items and all(_is_dataset(x) and hasattr(x, "zip") for x in items):
        return type(items[0]).zip(*items)
    if any(map(_unknown, items)) and all(map(_stageable, items)):
        return TensorZip(*items)
    return builtins.zip(*items, **options)  # noqa: B905


def len_(x: Any) -> Any:
    """`len`, also of a tensor whose extent is not known yet."""
    if isinstance(x, SymbolicTensor) and x.ndim:
        known = x.shape[0]
        if known is None:
            return shape(x)[0]
    if isinstance(x, SymbolicTensor) and not x.ndim:
        raise blame.value_error(
            f"len requires a non-scalar tensor, got one of shape {x.shape}", "len"
        )
    return builtins.len(x)


def int_(*arguments: Any, **options: Any) -> Any:
    """`int`, also of a tensor."""
    if arguments and symbolic(arguments[0]):
        x = arguments[0]
        base = arguments[1] if len(arguments) > 1 else options.get("base", 10)
        if base != 10:
            raise NotImplementedError(f"base {base} not supported for int ({user_location()})")
        if x.dtype is string:
            return _number_in(x, as_dtype("int32"))
        return x if x.dtype.is_integer else cast(x, as_dtype("int32"))
    return builtins.int(*arguments, **options)


def float_(*arguments: Any) -> Any:
    """`float`, also of a tensor."""
    if len(arguments) == 1 and symbolic(arguments[0]):
        x = arguments[0]
        if x.dtype is string:
            return _number_in(x, as_dtype("float32"))
        return x if x.dtype.is_floating else cast(x, as_dtype("float32"))
    return builtins.float(*arguments)


def _number_in(x: Any, dtype: DType) -> Any:
    """The number that a string tensor says."""
    from ..ops.strings.text import to_number

    return to_number(x, dtype)


def bool_(*arguments: Any) -> Any:
    """`bool`, also of a tensor."""
    if len(arguments) == 1 and symbolic(arguments[0]):
        return cast(arguments[0], as_dtype("bool"))
    return builtins.bool(*arguments)


def map_(f: Any, *items: Any) -> Any:
    """`map`, also over datasets."""
    if items and all(_is_dataset(x) and hasattr(x, "map") for x in items):
        return (items[0] if len(items) == 1 else type(items[0]).zip(*items)).map(f)
    return builtins.map(f, *items)


def filter_(f: Any, items: Any) -> Any:
    """`filter`, also over a dataset."""
    if callable(f) and _is_dataset(items) and hasattr(items, "filter"):
        return items.filter(f)
    return builtins.filter(f, items)


def sorted_(values: Any, *, key: Any = None, reverse: Any = False) -> Any:
    """`sorted`, also of a tensor with one axis, by what `key` gives for its elements."""
    if not isinstance(values, SymbolicTensor):
        return builtins.sorted(values, key=key, reverse=reverse)
    if values.ndim != 1:
        raise blame.value_error(
            f"sort only supports only 1D tensors, got one of shape {values.shape}", "sorted"
        )
    from ..control_flow.scans import map_fn
    from ..ops.array.sorting import argsort, sort

    direction = "DESCENDING" if reverse else "ASCENDING"
    if key is None:
        return sort(values, direction=direction)
    keys = map_fn(callee(key), values, fn_output_signature=_dtype_of(key, values))
    return gather(values, argsort(keys, direction=direction, stable=True))


def _dtype_of(key: Any, values: Any) -> Any:
    """The dtype that a function gives for an element."""
    return convert_to_tensor(callee(key)(zeros([], values.dtype))).dtype


def any_(values: Any) -> Any:
    """`any`, also of a tensor, of tensors or of a dataset."""
    if _is_dataset(values) and hasattr(values, "reduce"):
        return values.reduce(convert_to_tensor(False), logical_or)
    if isinstance(values, SymbolicTensor):
        return reduce_any(values)
    found = list(values)
    if _any_symbolic(found):
        return functools.reduce(lambda x, y: or_(x, lambda: y), found)
    return builtins.any(found)


def all_(values: Any) -> Any:
    """`all`, also of a tensor, of tensors or of a dataset."""
    if _is_dataset(values) and hasattr(values, "reduce"):
        return values.reduce(convert_to_tensor(True), logical_and)
    if isinstance(values, SymbolicTensor):
        return reduce_all(values)
    found = list(values)
    if _any_symbolic(found):
        return functools.reduce(lambda x, y: and_(x, lambda: y), found)
    return builtins.all(found)


def _extremum(name: str) -> Callable[..., Any]:
    plain = getattr(builtins, name)

    def extremum(*values: Any, **options: Any) -> Any:
        """`min` and `max`, also of scalar tensors."""
        found = (
            list(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else values
        )
        if not options and _any_symbolic(found):
            return functools.reduce(minimum if name == "min" else maximum, found)
        return plain(*values, **options)

    return extremum


_BUILTINS: dict[Any, Callable[..., Any]] = {
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
    len: len_,
    int: int_,
    float: float_,
    bool: bool_,
    map: map_,
    filter: filter_,
    sorted: sorted_,
    any: any_,
    all: all_,
    min: _extremum("min"),
    max: _extremum("max"),
}
