"""Sums, products and logarithms of sums of the elements so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Op, Value
from tfc.ir.dtypes import DType
from tfc.ir.ops.cumulative import shift

from .. import blame
from ..dispatch import Primitive
from ..tensor import SymbolicTensor, operand
from .array import _axis
from .math import _named


def _scan(op: Callable[..., Op], name: str, edge: Callable[[DType], Any], doc: str) -> Any:
    """The public function of a scan; `edge` is the first result of an exclusive one."""

    def body(b: Builder, x: Value, axis: int, exclusive: bool, reverse: bool) -> Any:
        result = b.emit(op(x, axis, reverse))
        return shift(b, result, axis, reverse, edge(x.dtype)) if exclusive else result

    prim = Primitive(body, name)

    def function(
        x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
    ) -> Any:
        value = operand(prim.name, x)
        if isinstance(axis, SymbolicTensor):
            raise blame.unimplemented("the axis must be known while tracing", prim.name)
        place = _axis(int(axis), len(value.shape), prim.name)
        return prim.fast(place, bool(exclusive), bool(reverse))(value)

    return _named(function, name, doc)


_FORMS = """`exclusive`: of those before an element
    only, so that {edge} comes first. `reverse`: from the last element on."""

cumsum = _scan(
    ir.CumSum,
    "cumsum",
    lambda dtype: 0,
    f"""The sums of the elements so far along `axis`. {_FORMS.format(edge="0")}

    >>> import tfc as tf
    >>> print(tf.cumsum([2, 4, 6, 8]))
    tf.Tensor([ 2  6 12 20], shape=(4,), dtype=int32)
    >>> print(tf.cumsum([2, 4, 6, 8], exclusive=True, reverse=True))
    tf.Tensor([18 14  8  0], shape=(4,), dtype=int32)
    """,
)
cumprod = _scan(
    ir.CumProd,
    "cumprod",
    lambda dtype: 1,
    f"""The products of the elements so far along `axis`. {_FORMS.format(edge="1")}
    The gradient is right at zeros too (TensorFlow's is 0 there).

    >>> import tfc as tf
    >>> print(tf.math.cumprod([2, 3, 5]))
    tf.Tensor([ 2  6 30], shape=(3,), dtype=int32)
    """,
)
cumulative_logsumexp = _scan(
    ir.CumLogSumExp,
    "cumulative_logsumexp",
    lambda dtype: dtype.min,
    f"""log(exp(x[0]) + exp(x[1]) + ...) of the elements so far along `axis`, without overflow.
    {_FORMS.format(edge="the smallest finite number (for -inf, as in TensorFlow)")}

    >>> import tfc as tf
    >>> print(tf.math.cumulative_logsumexp([0.0, 0.0]))
    tf.Tensor([0.        0.6931472], shape=(2,), dtype=float32)
    """,
)
