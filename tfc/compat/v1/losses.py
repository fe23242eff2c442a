"""`tfc.compat.v1.losses`: losses of batches, each a weighted mean unless `reduction` says something
else; `weights` are factors, of which those that are 0 do not count. In a graph they are also in its
collection of losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike

from ..graphs.graph import GraphKeys
from ..graphs.trace import current_graph


class Reduction:
    """How losses of examples become one.

    >>> import tfc.compat.v1 as tf
    >>> reduction = tf.losses.Reduction.SUM
    >>> print(tf.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0], reduction=reduction).numpy())
    4.0
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All of them."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError if `key` is none of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Add a loss to a collection of the graph; nothing, where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.losses.add_loss(tf.constant(1.0))
    ...     print(len(tf.losses.get_losses()))
    1
    """
    graph = current_graph()
    if graph is not None and loss_collection:
        graph.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """The losses of the default graph; with `scope`, those whose names begin so."""
    graph = current_graph()
    return [] if graph is None else list(graph.get_collection(loss_collection, scope))


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses of regularizers in the default graph."""
    return get_losses(scope, GraphKeys.REGULARIZATION_LOSSES)


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Tensor:
    """The sum of the losses of regularizers: 0 where there are none."""
    found = get_regularization_losses(scope)
    return _tfc.add_n(found) if found else _tfc.constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses of the default graph.

    Raises:
        ValueError: If there is none.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     _ = tf.losses.mean_squared_error([1.0], tf.constant([3.0]))
    ...     print(session.run(tf.losses.get_total_loss()))
    4.0
    """
    found = get_losses(scope)
    if add_regularization_losses:
        found += get_regularization_losses(scope)
    if not found:
        raise blame.value_error("`inputs` must be an iterable of at least one loss", name)
    return _tfc.add_n(found)


def _fitted(weights: Any, losses: Any, op: str) -> Any:
    """Weights of the losses' rank; ValueError if they are not a factor of each."""
    found = _tfc.cast(weights, losses.dtype)
    rank, wanted = found.shape.rank, losses.shape.rank
    pairs = zip(found.shape.as_list(), losses.shape.as_list(), strict=False)
    if rank and (rank != wanted or any(a not in (1, b, None) and b is not None for a, b in pairs)):
        raise blame.value_error(
            f"weights can not be broadcast to values. values.shape={losses.shape}. "
            f"weights.shape={found.shape}.",
            op,
        )
    return found


def compute_weighted_loss(
    losses: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Losses times weights, reduced.

    Args:
        losses: A tensor of floats.
        weights: A scalar, or a tensor of the same rank, whose extents are those of losses or 1.
        scope: Not used.
        loss_collection: The collection of the graph that the result is added to.
        reduction: One of `Reduction`.

    Returns:
        A scalar; with `Reduction.NONE` a tensor as losses.

    Raises:
        ValueError: If there is no such reduction, or weights do not fit.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.compute_weighted_loss([1.0, 2.0, 6.0], [1.0, 0.0, 1.0]).numpy())
    3.5
    """
    Reduction.validate(reduction)
    values: Any = _tfc.convert_to_tensor(losses)
    given = values.dtype
    values = _tfc.cast(values, _tfc.float32)
    factors = _fitted(weights, values, "losses.compute_weighted_loss")
    found = values * factors
    if reduction != Reduction.NONE:
        found = _tfc.reduce_sum(found)
        whole = factors * _tfc.ones_like(values)
        if reduction == Reduction.MEAN:
            found = _tfc.math.divide_no_nan(found, _tfc.reduce_sum(whole))
        elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
            count = _tfc.cast(_tfc.size(values), values.dtype)
            found = _tfc.math.divide_no_nan(found, count)
        elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
            count = _tfc.reduce_sum(_tfc.cast(_tfc.not_equal(whole, 0.0), values.dtype))
            found = _tfc.math.divide_no_nan(found, count)
    found = _tfc.cast(found, given)
    add_loss(found, loss_collection)
    return found


def softmax_cross_entropy(
    onehot_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Between distributions and the softmax of logits.

    Args: `onehot_labels` and `logits`, [batch, classes]; `weights`, a scalar or [batch];
    `label_smoothing`, which part of each label is spread over all classes; the others as of
    `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    found = _tfc.convert_to_tensor(logits)
    labels: Any = _tfc.cast(onehot_labels, found.dtype)
    if label_smoothing:
        classes = _tfc.cast(_tfc.shape(labels)[1], labels.dtype)
        labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
    values = _tfc.nn.softmax_cross_entropy_with_logits(_tfc.stop_gradient(labels), found)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Between classes and the softmax of logits.

    Args: `labels`, integers [batch]; `logits`, [batch, classes]; `weights`, a scalar or [batch];
    the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.sparse_softmax_cross_entropy([0], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    found, classes = _tfc.convert_to_tensor(logits), _tfc.convert_to_tensor(labels)
    if classes.shape.rank == found.shape.rank and classes.shape[-1] == 1:
        classes = _tfc.squeeze(classes, [-1])
    values = _tfc.nn.sparse_softmax_cross_entropy_with_logits(classes, found)
    factors: Any = _tfc.convert_to_tensor(weights)
    if factors.shape.rank == 2 and factors.shape[-1] == 1:
        weights = _tfc.squeeze(factors, [-1])
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Between independent probabilities and the sigmoid of logits.

    Args: `multi_class_labels`, between 0 and 1, and `logits`, of one shape; `label_smoothing`,
    which part of each label is replaced by 1/2; the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.sigmoid_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    found = _tfc.convert_to_tensor(logits)
    labels: Any = _tfc.cast(multi_class_labels, found.dtype)
    if label_smoothing:
        labels = labels * (1.0 - label_smoothing) + 0.5 * label_smoothing
    values = _tfc.nn.sigmoid_cross_entropy_with_logits(labels, found)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def hinge_loss(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """How far logits are from the right side of 1.

    Args: `labels`, 0 or 1, and `logits`, of one shape; the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.hinge_loss([0.0, 1.0], [-2.0, 0.5]).numpy())
    0.25
    """
    found = _tfc.convert_to_tensor(logits)
    signs = 2.0 * _tfc.cast(labels, found.dtype) - 1.0
    values = _tfc.nn.relu(1.0 - signs * found)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def _difference(labels: TensorLike, predictions: TensorLike, op: str) -> tuple[Any, Any]:
    """Both in float32, of one shape."""
    found = _tfc.cast(predictions, _tfc.float32)
    wanted = _tfc.cast(labels, _tfc.float32)
    if not found.shape.is_compatible_with(wanted.shape):
        text = f"Shapes {found.shape} and {wanted.shape} are incompatible"
        raise blame.value_error(text, op)
    return wanted, found


def _of_pairs(
    name: str, value: Callable[[Any, Any], Any], what: str, shown: str
) -> Callable[..., Tensor]:
    def loss(
        labels: TensorLike,
        predictions: TensorLike,
        weights: TensorLike = 1.0,
        scope: str | None = None,
        loss_collection: str | None = GraphKeys.LOSSES,
        reduction: str = _DEFAULT,
    ) -> Tensor:
        values = value(*_difference(labels, predictions, f"losses.{loss.__name__}"))
        return compute_weighted_loss(values, weights, scope, loss_collection, reduction)

    loss.__name__ = loss.__qualname__ = name
    loss.__doc__ = f"""{what} of labels and predictions.

    Args: `labels` and `predictions`, of one shape; the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.{name}([1.0, 2.0], [1.0, 4.0]).numpy())
    {shown}
    """
    return loss


mean_squared_error = _of_pairs(
    "mean_squared_error", lambda a, b: _tfc.square(b - a), "The squared differences", "2.0"
)
absolute_difference = _of_pairs(
    "absolute_difference", lambda a, b: _tfc.abs(b - a), "The absolute differences", "1.0"
)


def huber_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Half the square of differences up to `delta`, and linear from there on.

    Args: `labels` and `predictions`, of one shape; the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.huber_loss([1.0, 2.0], [1.0, 5.0]).numpy())
    1.25
    """
    wanted, found = _difference(labels, predictions, "losses.huber_loss")
    size = _tfc.abs(found - wanted)
    near = _tfc.minimum(size, delta)
    values = 0.5 * near * near + delta * (size - near)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def log_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    epsilon: float = 1e-07,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:
    """Between labels and probabilities, to which `epsilon` is added in logarithms.

    Args: `labels` and `predictions`, of one shape; the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> round(float(tf.losses.log_loss([1.0, 0.0], [0.5, 0.5])), 4)
    0.6931
    """
    wanted, found = _difference(labels, predictions, "losses.log_loss")
    log = _tfc.math.log
    values = -wanted * log(found + epsilon) - (1.0 - wanted) * log(1.0 - found + epsilon)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    axis: int | None = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _DEFAULT,
    dim: int | None = None,
) -> Tensor:
    """1 minus the products of vectors, which are of length 1 already.

    Args: `labels` and `predictions`, of one shape; `axis` (or `dim`), along which vectors stand;
    the others as of `compute_weighted_loss`.

    Raises:
        ValueError: If there is no axis.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.cosine_distance([[1.0, 0.0]], [[0.0, 1.0]], axis=1).numpy())
    1.0
    """
    along = dim if axis is None else axis
    if along is None:
        raise blame.value_error("You must specify argument `axis`.", "losses.cosine_distance")
    wanted, found = _difference(labels, predictions, "losses.cosine_distance")
    values = 1.0 - _tfc.reduce_sum(found * wanted, axis=along, keepdims=True)
    return compute_weighted_loss(values, weights, scope, loss_collection, reduction)


def mean_pairwise_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
) -> Tensor:
    """The squares of how far apart the differences of two elements of an example are: means over
    pairs, added up over examples.

    Args: `labels` and `predictions`, [batch, ...]; `weights`, a scalar or a factor of each example;
    the others as of `compute_weighted_loss`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.losses.mean_pairwise_squared_error([[0.0, 0.0]], [[1.0, 3.0]]).numpy())
    4.0
    """
    op = "losses.mean_pairwise_squared_error"
    wanted, predicted = _difference(labels, predictions, op)
    apart = predicted - wanted
    factors = _fitted(weights, apart, op)
    axes = list(range(1, apart.shape.rank))
    if _tfc.executing_eagerly() and factors.shape.rank == 0 and bool(factors):
        # As in TensorFlow, which counts the whole batch then, and there alone.
        count = _tfc.cast(_tfc.size(apart), _tfc.float32)
    else:
        present = _tfc.not_equal(factors, 0.0) | _tfc.zeros_like(apart, _tfc.bool)
        count = _tfc.reduce_sum(_tfc.cast(present, _tfc.float32), axis=axes, keepdims=True)
    ratio = _tfc.math.divide_no_nan
    squares = _tfc.reduce_sum(apart * apart, axis=axes, keepdims=True)
    total = _tfc.reduce_sum(apart, axis=axes, keepdims=True)
    values = ratio(squares, count - 1.0) - ratio(total * total, count * (count - 1.0))
    found = _tfc.reduce_sum(2.0 * values * factors)
    add_loss(found, loss_collection)
    return found
