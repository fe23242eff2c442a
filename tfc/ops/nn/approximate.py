"""The k largest or smallest elements, where it need not be all of them; monotonic fits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tfc.ir.dtypes import float64, int32

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ..arguments import flag
from ..array import conversion, creation, joining, shaping, sorting
from ..array.indexing import gather
from ..extents import _axis
from ..math import segments
from ..on_host import on_host, same_shape


class ApproxTopK(NamedTuple):
    """Elements, and their places."""

    values: Tensor
    indices: Tensor


def approx_max_k(
    operand: TensorLike,
    k: Any,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The k largest elements along an axis, the largest first, and their places. They are exact
    here, as they are in TensorFlow but on TPUs.

    Args:
        operand: A tensor of floats.
        k: How many.
        reduction_dimension: The axis.
        recall_target: Not used: all are found.
        reduction_input_size_override: Not used.
        aggregate_to_topk: Not used.

    Returns:
        A pair (values, indices) with extent k along the axis.

    Raises:
        InvalidArgumentError: If the axis is not there or has less than k elements.

    >>> import tfc as tf
    >>> print(tf.math.approx_max_k([[1.0, 3.0, 2.0]], 2).indices)
    tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)
    """
    return _extremes("approx_max_k", operand, k, reduction_dimension, 1)


def approx_min_k(
    operand: TensorLike,
    k: Any,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The k smallest elements along an axis, the smallest first, and their places. They are exact
    here, as they are in TensorFlow but on TPUs.

    Args:
        operand: A tensor of floats.
        k: How many.
        reduction_dimension: The axis.
        recall_target: Not used: all are found.
        reduction_input_size_override: Not used.
        aggregate_to_topk: Not used.

    Returns:
        A pair (values, indices) with extent k along the axis.

    Raises:
        InvalidArgumentError: If the axis is not there or has less than k elements.

    >>> import tfc as tf
    >>> print(tf.math.approx_min_k([[1.0, 3.0, 2.0]], 2).values)
    tf.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    """
    return _extremes("approx_min_k", operand, k, reduction_dimension, -1)


def _extremes(op: str, given: Any, k: Any, axis: int, sign: int) -> ApproxTopK:
    x: Any = operand(op, given)
    rank = len(x.shape)
    place = _axis(axis, rank, op)
    order = [a for a in range(rank) if a != place] + [place]
    last = place == rank - 1
    rows = x if last else shaping.transpose(x, order)
    values, indices = sorting.top_k(rows if sign > 0 else -rows, k)
    found = [values if sign > 0 else -values, indices]
    if not last:
        back = np.argsort(order).tolist()
        found = [shaping.transpose(v, back) for v in found]
    return ApproxTopK(*found)


class IsotonicRegression(NamedTuple):
    """The fit, and which elements have one value in common."""

    output: Tensor
    segments: Tensor


@on_host("nn.isotonic_regression", same_shape)
def _pools(x: TensorLike, decreasing: bool) -> Tensor:
    """The number of the pool of each element, row by row: pools of neighbours are joined while
    their means go the wrong way (pool adjacent violators; Ayer et al., 1955)."""
    array = np.asarray(x, np.float64)
    found = np.zeros(array.shape, np.int32)
    rows = array.reshape(-1, array.shape[-1]) if array.size else array.reshape(0, 1)
    for row, numbers in zip(rows if decreasing else -rows, found.reshape(rows.shape), strict=True):
        means: list[float] = []
        counts: list[int] = []
        for value in row.tolist():
            mean, count = value, 1
            while means and means[-1] < mean:
                mean = (mean * count + means[-1] * counts[-1]) / (count + counts[-1])
                count += counts.pop()
                means.pop()
            means.append(mean)
            counts.append(count)
        numbers[:] = np.repeat(np.arange(len(counts)), counts)
    return wrap(found)


def isotonic_regression(
    inputs: TensorLike, decreasing: bool = True, axis: int = -1, name: str | None = None
) -> IsotonicRegression:
    """The nearest numbers, by the sum of squares, that never rise (or never fall) along an axis.

    Args:
        inputs: A tensor of real numbers.
        decreasing: Whether they never rise; else they never fall.
        axis: The axis.

    Returns:
        A pair: the numbers, in the dtype of floats and float64 for integers; and int32 numbers of
        the runs of one value, each along the axis from 0 on.

    Raises:
        InvalidArgumentError: If the axis is not there.
        TypeError: If the numbers are complex.

    >>> import tfc as tf
    >>> y, runs = tf.nn.isotonic_regression([3.0, 1.0, 2.0])
    >>> print(y, runs)
    tf.Tensor([3.  1.5 1.5], shape=(3,), dtype=float32) tf.Tensor([0 1 1], shape=(3,), dtype=int32)
    """
    op = "nn.isotonic_regression"
    x: Any = operand(op, inputs)
    if x.dtype.is_complex:
        raise blame.type_error("complex numbers have no order", op)
    if not x.dtype.is_floating:
        x = conversion.cast(x, float64)
    rank = len(x.shape)
    place = _axis(axis, rank, op)
    order = [a for a in range(rank) if a != place] + [place]
    rows = shaping.transpose(x, order) if place != rank - 1 else x
    pools = _pools(conversion.stop_gradient(rows), flag(decreasing, "decreasing", op))
    extents = shaping.shape(rows)
    flat, numbers = (shaping.reshape(v, joining.stack([-1, extents[-1]])) for v in (rows, pools))
    count = shaping.shape(flat)[0]
    first = shaping.expand_dims(creation.range(count) * extents[-1], 1)
    ids = shaping.reshape(numbers + first, [-1])
    total = count * extents[-1]
    means = segments.unsorted_segment_mean(shaping.reshape(flat, [-1]), ids, total)
    y = shaping.reshape(gather(means, ids), extents)
    if place != rank - 1:
        back = np.argsort(order).tolist()
        y, pools = shaping.transpose(y, back), shaping.transpose(pools, back)
    return IsotonicRegression(y, conversion.cast(pools, int32))


__all__ = [
    "ApproxTopK",
    "IsotonicRegression",
    "approx_max_k",
    "approx_min_k",
    "isotonic_regression",
]
