"""`tfc.compat.v1.losses`: the losses that the first eager programs are trained with. Each is the
mean over a batch; `weights` are factors of its examples, of which those with 0 do not count."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike


def _mean(losses: Any, weights: TensorLike) -> Tensor:
    """The mean over those whose weight is not 0."""
    factors = _tfc.cast(weights, losses.dtype) * _tfc.ones_like(losses)
    counted = _tfc.reduce_sum(_tfc.cast(_tfc.not_equal(factors, 0.0), losses.dtype))
    return _tfc.math.divide_no_nan(_tfc.reduce_sum(losses * factors), counted)


def softmax_cross_entropy(
    onehot_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: Any = None,
) -> Tensor:
    """Between distributions and the softmax of logits.

    Args: `onehot_labels` and `logits`, [batch, classes]; `weights`, a scalar or [batch];
    `label_smoothing`, which part of each label is spread over all classes. The others are not used.
    Returns a scalar.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    found = _tfc.convert_to_tensor(logits)
    labels: Any = _tfc.cast(onehot_labels, found.dtype)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + label_smoothing / labels.shape[1]
    return _mean(_tfc.nn.softmax_cross_entropy_with_logits(labels, found), weights)


def sparse_softmax_cross_entropy(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
) -> Tensor:
    """Between classes and the softmax of logits.

    Args: `labels`, integers [batch]; `logits`, [batch, classes]; `weights`, a scalar or [batch].
    The others are not used. Returns a scalar.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.sparse_softmax_cross_entropy([0], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    return _mean(_tfc.nn.sparse_softmax_cross_entropy_with_logits(labels, logits), weights)


def mean_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
) -> Tensor:
    """The mean of squared differences.

    Args: `labels` and `predictions` of one shape; `weights`, a scalar or what broadcasts to it. The
    others are not used. Returns a scalar.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0]).numpy())
    2.0
    """
    found: Any = _tfc.convert_to_tensor(predictions)
    return _mean(_tfc.math.squared_difference(found, _tfc.cast(labels, found.dtype)), weights)
