"""Clipping: values to a range, tensors and lists of them to a norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value

from ...core import blame
from ...core.conversion import operand
from ...core.indexed_slices import IndexedSlices
from ...core.tensor import Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import broadcast_together
from ..arguments import known_argument
from ..declare import op
from .arithmetic import add_n, maximum, minimum, multiply, square, truediv
from .comparisons import greater, is_finite, select
from .reductions import reduce_sum
from .transcendental import sqrt


def _clip(b: Builder, x: Value, low: Value, high: Value) -> Value:
    x, low, high = broadcast_together(b, x, low, high)
    return b.emit(ir.Maximum(b.emit(ir.Minimum(x, high)), low))


@op(_clip, name="clip")
def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor:
    """t, but at least the minimum and at most the maximum, which broadcast. The gradient is 0
    where t lies outside of them, and passes at the bounds themselves.

    Args:
        t: A tensor of real numbers.
        clip_value_min: The least value, of the dtype of `t`.
        clip_value_max: The largest value, of the dtype of `t`.

    Returns:
        A tensor of the dtype of `t`.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.clip_by_value([-3.0, 0.5, 3.0], 0.0, [1.0, 1.0, 2.0]))
    tf.Tensor([0.  0.5 2. ], shape=(3,), dtype=float32)
    """


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike | None = None, name: str | None = None
) -> Any:
    """t scaled down so that its L2 norm (over `axes`; None: all) is at most `clip_norm`. Of
    IndexedSlices the values are.

    Args:
        t: A tensor of floats, or IndexedSlices.
        clip_norm: The largest norm, a scalar.
        axes: The axes that the norm is taken over; None: all.

    Returns:
        What `t` is, of the same shape and dtype.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            neither a float nor complex (TypeError).

    >>> import tfc as tf
    >>> print(tf.clip_by_norm([[3.0, 4.0], [0.0, 1.0]], 2.5, axes=1))
    tf.Tensor(
    [[1.5 2. ]
     [0.  1. ]], shape=(2, 2), dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_norm(t.values, clip_norm, axes))
    t = operand("clip_by_norm", t)
    if is_unknown(axes):
        known_argument(axes, "axes", "clip_by_norm")
    total = reduce_sum(square(t), axes, keepdims=True)
    some = greater(total, 0)
    norm = select(some, sqrt(select(some, total, 1)), total)  # no infinite slope at 0
    return truediv(multiply(t, clip_norm), maximum(norm, clip_norm))


def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The square root of the sum of all squares of a list of tensors; None is left out. Of
    IndexedSlices the values count.

    Args:
        t_list: A list of tensors or IndexedSlices of floats; None is left out.

    Returns:
        A scalar.

    Raises:
        TypeError: If `t_list` is no sequence.
        ValueError: If there are no tensors in it.
        InvalidArgumentError: If a dtype is neither a float nor complex (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.linalg.global_norm([[3.0, 0.0], None, [[4.0]]]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    tensors = _list("global_norm", t_list)
    found = [reduce_sum(square(t)) for t in tensors if t is not None]
    if not found:
        return operand("global_norm", 0.0)
    return sqrt(add_n(found))


def clip_by_global_norm(
    t_list: Any, clip_norm: TensorLike, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """The tensors of a list scaled down so that their global norm is at most `clip_norm`, and that
    norm (`use_norm`, where it is given). All are nan where the norm is not finite. IndexedSlices
    stay sparse.

    Args:
        t_list: A list of tensors or IndexedSlices of floats; None in it is left as it is.
        clip_norm: The largest norm, a scalar.
        use_norm: The norm to go by, where it is known.

    Returns:
        A pair: the list, and the global norm that it had.

    Raises:
        TypeError: If `t_list` is no sequence.
        ValueError: If there are no tensors in it.
        InvalidArgumentError: If a dtype is neither a float nor complex (TypeError while tracing).

    >>> import tfc as tf
    >>> clipped, norm = tf.clip_by_global_norm([tf.constant([3.0]), tf.constant([4.0])], 1.0)
    >>> print(norm, clipped[0])
    tf.Tensor(5.0, shape=(), dtype=float32) tf.Tensor([0.6], shape=(1,), dtype=float32)
    """
    tensors = _list("clip_by_global_norm", t_list)
    if use_norm is None:
        use_norm = global_norm(tensors)
    norm = operand("clip_by_global_norm", use_norm)
    limit = operand("clip_by_global_norm", clip_norm, dtype_hint=norm.dtype)
    scale = multiply(limit, minimum(truediv(1.0, norm), truediv(1.0, limit)))
    scale = select(is_finite(norm), scale, np.nan)
    clipped = [None if t is None else multiply(t, scale) for t in tensors]
    pairs = zip(t_list, clipped, strict=True)
    return [t.with_values(c) if isinstance(t, IndexedSlices) else c for t, c in pairs], norm


def _list(name: str, t_list: Any) -> list[Any]:
    if not isinstance(t_list, list | tuple):
        raise blame.type_error("t_list should be a sequence", name)
    rows = [t.values if isinstance(t, IndexedSlices) else t for t in t_list]
    return [None if t is None else operand(name, t) for t in rows]
