"""What converted code calls: functions, and ours in the place of some of Python's own."""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype

from ..core.context import context
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.array.conversion import cast
from ..ops.array.creation import range as tensor_range
from ..ops.array.shaping import shape
from ..ops.math.arithmetic import maximum, minimum
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
    return builtins.len(x)


def int_(*arguments: Any) -> Any:
    """`int`, also of a tensor."""
    if len(arguments) == 1 and symbolic(arguments[0]):
        x = arguments[0]
        return x if x.dtype.is_integer else cast(x, as_dtype("int32"))
    return builtins.int(*arguments)


def float_(*arguments: Any) -> Any:
    """`float`, also of a tensor."""
    if len(arguments) == 1 and symbolic(arguments[0]):
        x = arguments[0]
        return x if x.dtype.is_floating else cast(x, as_dtype("float32"))
    return builtins.float(*arguments)


def bool_(*arguments: Any) -> Any:
    """`bool`, also of a tensor."""
    if len(arguments) == 1 and symbolic(arguments[0]):
        return cast(arguments[0], as_dtype("bool"))
    return builtins.bool(*arguments)


def any_(values: Any) -> Any:
    """`any`, also of a tensor or of tensors."""
    if isinstance(values, SymbolicTensor):
        return reduce_any(values)
    found = list(values)
    if _any_symbolic(found):
        return functools.reduce(lambda x, y: or_(x, lambda: y), found)
    return builtins.any(found)


def all_(values: Any) -> Any:
    """`all`, also of a tensor or of tensors."""
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
    any: any_,
    all: all_,
    min: _extremum("min"),
    max: _extremum("max"),
}
