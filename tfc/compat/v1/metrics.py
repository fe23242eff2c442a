"""`tfc.compat.v1.metrics`: what is counted over the batches that a session runs. Each function
gives the value so far, and an operation that counts a batch and gives the value after it. Counts
are local Variables of the graph: `local_variables_initializer` sets them to 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.types import TensorLike

from ..graphs.graph import GraphKeys
from ..graphs.trace import current_graph
from ..graphs.variables import in_collections

Pair = tuple[Any, Any]
_EPSILON = 1e-7
_ratio = _tfc.math.divide_no_nan


def _count(name: str, shape: Sequence[Any] = (), dtype: Any = _tfc.float32) -> Any:
    """A local Variable of zeros."""
    with in_collections([GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]):
        return _tfc.Variable(_tfc.zeros(shape, dtype), trainable=False, name=name)


def _in_graph(name: str) -> None:
    if current_graph() is None:
        text = f"tf.metrics.{name} is not supported when eager execution is enabled."
        raise blame.located(RuntimeError, text)


def _given(found: Pair, values_in: Any, updates_in: Any) -> Pair:
    """Both results, added to the collections that are named."""
    graph = current_graph()
    assert graph is not None
    for names, x in zip((values_in, updates_in), found, strict=True):
        if names:
            graph.add_to_collections(names, x)
    return found


def _flat(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Without a last axis of one that only one of labels and predictions has; weights likewise."""
    y: Any = _tfc.convert_to_tensor(labels)
    p: Any = _tfc.convert_to_tensor(predictions)
    if y.shape.rank == p.shape.rank + 1 and y.shape[-1] == 1:
        y = _tfc.squeeze(y, [-1])
    elif p.shape.rank == y.shape.rank + 1 and p.shape[-1] == 1:
        p = _tfc.squeeze(p, [-1])
    if weights is None:
        return y, p, None
    w: Any = _tfc.convert_to_tensor(weights)
    if w.shape.rank == p.shape.rank + 1 and w.shape[-1] == 1:
        w = _tfc.squeeze(w, [-1])
    elif w.shape.rank and w.shape.rank == p.shape.rank - 1:
        w = _tfc.expand_dims(w, -1)
    return y, p, w


def _mean(values: Any, weights: Any) -> tuple[Any, Any]:
    """The sum of values, and how many they are, or both times their weights."""
    values = _tfc.cast(values, _tfc.float32)
    if weights is None:
        return _tfc.reduce_sum(values), _tfc.cast(_tfc.size(values), _tfc.float32)
    _, values, weights = _flat(values, values, weights)
    factors = _tfc.cast(weights, _tfc.float32) * _tfc.ones_like(values)
    return _tfc.reduce_sum(values * factors), _tfc.reduce_sum(factors)


def _total_and_count(
    values: Any, weights: Any, finish: Callable[[Any], Any] = lambda mean: mean
) -> Pair:
    total, count = _count("total"), _count("count")
    more, many = _mean(values, weights)
    after = total.assign_add(more), count.assign_add(many)
    return finish(_ratio(total, count)), finish(_ratio(*after))


def mean(
    values: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of values.

    Args:
        values: A tensor.
        weights: None, or factors that broadcast to it.
        metrics_collections: Collections that the value is added to.
        updates_collections: Collections that the operation is added to.
        name: Not used.

    Returns:
        The value, and the operation.

    Raises:
        RuntimeError: Where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [None])
    ...     value, update = tf.metrics.mean(x)
    ...     session.run(tf.local_variables_initializer())
    ...     print(session.run(update, {x: [1.0, 2.0]}), session.run(update, {x: [6.0]}))
    ...     print(session.run(value))
    1.5 3.0
    3.0
    """
    _in_graph("mean")
    return _given(_total_and_count(values, weights), metrics_collections, updates_collections)


def mean_tensor(
    values: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of each element over batches.

    Args: As of `mean`; `values` have a known shape. Returns the value, and the operation.
    """
    _in_graph("mean_tensor")
    x = _tfc.cast(values, _tfc.float32)
    total, count = _count("total_tensor", x.shape), _count("count_tensor", x.shape)
    factors = _tfc.ones_like(x)
    if weights is not None:
        factors *= _tfc.cast(_flat(x, x, weights)[2], _tfc.float32)
    after = total.assign_add(x * factors), count.assign_add(factors)
    found = _ratio(total, count), _ratio(*after)
    return _given(found, metrics_collections, updates_collections)


def percentage_below(
    values: TensorLike,
    threshold: Any,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Which part of values is below a threshold.

    Args: As of `mean`, and `threshold`. Returns the value, and the operation.
    """
    _in_graph("percentage_below")
    below = _tfc.less(_tfc.convert_to_tensor(values), threshold)
    return _given(_total_and_count(below, weights), metrics_collections, updates_collections)


def _of_pairs(
    name: str,
    value: Callable[[Any, Any], Any],
    what: str,
    finish: Callable[[Any], Any] = lambda mean: mean,
) -> Callable[..., Pair]:
    def metric(
        labels: TensorLike,
        predictions: TensorLike,
        weights: TensorLike | None = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        _in_graph(metric.__name__)
        y, p, w = _flat(labels, predictions, weights)
        found = _total_and_count(value(y, p), w, finish)
        return _given(found, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""{what}.

    Args: `labels` and `predictions`, of one shape; the others as of `mean`. Returns the value, and
    the operation. Raises RuntimeError where ops run at once.
    """
    return metric


def _error(y: Any, p: Any) -> Any:
    return _tfc.cast(p, _tfc.float32) - _tfc.cast(y, _tfc.float32)


accuracy = _of_pairs(
    "accuracy",
    lambda y, p: _tfc.equal(p, _tfc.cast(y, p.dtype)),
    "Which part of predictions is the label",
)
mean_absolute_error = _of_pairs(
    "mean_absolute_error", lambda y, p: _tfc.abs(_error(y, p)), "The mean of absolute differences"
)
mean_squared_error = _of_pairs(
    "mean_squared_error",
    lambda y, p: _tfc.square(_error(y, p)),
    "The mean of squared differences",
)
root_mean_squared_error = _of_pairs(
    "root_mean_squared_error",
    lambda y, p: _tfc.square(_error(y, p)),
    "The root of the mean of squared differences",
    _tfc.sqrt,
)


def mean_relative_error(
    labels: TensorLike,
    predictions: TensorLike,
    normalizer: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of absolute differences over `normalizer`; where that is 0, of 0.

    Args: `labels`, `predictions` and `normalizer`, of one shape; the others as of `mean`. Returns
    the value, and the operation.
    """
    _in_graph("mean_relative_error")
    y, p, w = _flat(labels, predictions, weights)
    p, scale = (_tfc.cast(x, _tfc.float32) for x in (p, normalizer))
    errors = _tfc.where(_tfc.equal(scale, 0.0), 0.0, _tfc.abs(_error(y, p)) / scale)
    return _given(_total_and_count(errors, w), metrics_collections, updates_collections)


def mean_cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    dim: int,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """1 minus the mean of products of vectors of length 1, which stand along `dim`.

    Args: `labels` and `predictions`, of one shape; `dim`; the others as of `mean`. Returns the
    value, and the operation.
    """
    _in_graph("mean_cosine_distance")
    y, p = (_tfc.cast(x, _tfc.float32) for x in (labels, predictions))
    products = _tfc.reduce_sum(y * p, axis=[dim], keepdims=True)
    found = _total_and_count(products, weights, lambda mean: 1.0 - mean)
    return _given(found, metrics_collections, updates_collections)


# Predictions that are right or wrong in two ways.

_KINDS = {  # of predictions: whether it is positive, and whether the label is
    "tp": (True, True),
    "fp": (True, False),
    "tn": (False, False),
    "fn": (False, True),
}


def _counted(
    labels: Any, predictions: Any, weights: Any, kinds: Sequence[str], thresholds: Any = None
) -> tuple[list[Any], list[Any]]:
    """How many predictions are of each kind, before and after a batch. Predictions above a
    threshold are positive: a count for each one; without, those that are not 0."""
    y, p, w = _flat(labels, predictions, weights)
    wanted = _tfc.cast(y, _tfc.bool)
    factors: Any = None
    if w is not None:
        factors = _tfc.cast(w, _tfc.float32) * _tfc.ones_like(wanted, _tfc.float32)
    shape: tuple[int, ...] = ()
    if thresholds is None:
        positive = _tfc.cast(p, _tfc.bool)
        axes = None
    else:
        shape = (len(thresholds),)
        limits = _tfc.reshape(_tfc.constant(thresholds, _tfc.float32), [-1, 1])
        positive = _tfc.reshape(_tfc.cast(p, _tfc.float32), [1, -1]) > limits
        wanted = _tfc.reshape(wanted, [1, -1])
        factors = None if factors is None else _tfc.reshape(factors, [1, -1])
        axes = 1
    before, after = [], []
    for kind in kinds:
        above, right = _KINDS[kind]
        there = positive if above else _tfc.logical_not(positive)
        there &= wanted if right else _tfc.logical_not(wanted)
        numbers = _tfc.cast(there, _tfc.float32)
        if factors is not None:
            numbers = numbers * factors
        count = _count(kind, shape)
        before.append(count)
        after.append(count.assign_add(_tfc.reduce_sum(numbers, axis=axes)))
    return before, after


def _of_kinds(
    name: str, kinds: Sequence[str], value: Callable[..., Any], what: str
) -> Callable[..., Pair]:
    def metric(
        labels: TensorLike,
        predictions: TensorLike,
        weights: TensorLike | None = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        _in_graph(metric.__name__)
        before, after = _counted(labels, predictions, weights, kinds)
        return _given((value(*before), value(*after)), metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""{what}. What is not 0 is positive.

    Args: `labels` and `predictions`, of one shape; the others as of `mean`. Returns the value, and
    the operation. Raises RuntimeError where ops run at once.
    """
    return metric


def _of_thresholds(
    name: str, kinds: Sequence[str], value: Callable[..., Any], what: str
) -> Callable[..., Pair]:
    def metric(
        labels: TensorLike,
        predictions: TensorLike,
        thresholds: Sequence[float],
        weights: TensorLike | None = None,
        metrics_collections: Any = None,
        updates_collections: Any = None,
        name: str | None = None,
    ) -> Pair:
        _in_graph(metric.__name__)
        before, after = _counted(labels, predictions, weights, kinds, list(thresholds))
        return _given((value(*before), value(*after)), metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""{what}, for each threshold that predictions have to be above.

    Args: `labels` and `predictions`, of one shape; `thresholds`, numbers; the others as of `mean`.
    Returns the value, a vector, and the operation. Raises RuntimeError where ops run at once.
    """
    return metric


def _itself(count: Any) -> Any:
    return _tfc.convert_to_tensor(count)


_RIGHT = "How many positive predictions are right"
_MISSED = "How many negative predictions are wrong"
_WRONG = "How many positive predictions are wrong"
_REJECTED = "How many negative predictions are right"
true_positives = _of_kinds("true_positives", ["tp"], _itself, _RIGHT)
false_negatives = _of_kinds("false_negatives", ["fn"], _itself, _MISSED)
false_positives = _of_kinds("false_positives", ["fp"], _itself, _WRONG)
true_negatives = _of_kinds("true_negatives", ["tn"], _itself, _REJECTED)
precision = _of_kinds(
    "precision",
    ["tp", "fp"],
    lambda tp, fp: _ratio(tp, tp + fp),
    "Which part of positive predictions is right",
)
recall = _of_kinds(
    "recall",
    ["tp", "fn"],
    lambda tp, fn: _ratio(tp, tp + fn),
    "Which part of positive labels is predicted",
)
true_positives_at_thresholds = _of_thresholds(
    "true_positives_at_thresholds", ["tp"], _itself, _RIGHT
)
false_negatives_at_thresholds = _of_thresholds(
    "false_negatives_at_thresholds", ["fn"], _itself, _MISSED
)
false_positives_at_thresholds = _of_thresholds(
    "false_positives_at_thresholds", ["fp"], _itself, _WRONG
)
true_negatives_at_thresholds = _of_thresholds(
    "true_negatives_at_thresholds", ["tn"], _itself, _REJECTED
)
precision_at_thresholds = _of_thresholds(
    "precision_at_thresholds",
    ["tp", "fp"],
    lambda tp, fp: tp / (_EPSILON + tp + fp),
    "Which part of positive predictions is right",
)
recall_at_thresholds = _of_thresholds(
    "recall_at_thresholds",
    ["tp", "fn"],
    lambda tp, fn: tp / (_EPSILON + tp + fn),
    "Which part of positive labels is predicted",
)


def _between(count: int) -> list[float]:
    """Thresholds from just below 0 to just above 1."""
    inner = [(i + 1) / (count - 1) for i in range(count - 2)]
    return [-_EPSILON, *inner, 1.0 + _EPSILON]


def auc(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> Pair:
    """The area under a curve, which is known at so many thresholds.

    Args:
        labels: A tensor; what is not 0 is positive.
        predictions: Numbers from 0 to 1, of the same shape.
        weights: None, or factors that broadcast to it.
        num_thresholds: How many there are.
        metrics_collections: Collections that the value is added to.
        updates_collections: Collections that the operation is added to.
        curve: "ROC", or "PR" for precision over recall.
        name: Not used.
        summation_method: "trapezoidal"; "minoring" or "majoring" for sums from below or above; or
            "careful_interpolation" (Davis and Goadrich, 2006), which makes a difference to "PR".
        thresholds: Those between 0 and 1; None: even ones.

    Returns:
        The value, and the operation.

    Raises:
        ValueError: If there is no such curve or method.
        RuntimeError: Where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     _, update = tf.metrics.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    ...     session.run(tf.local_variables_initializer())
    ...     print(round(float(session.run(update)), 3))
    0.75
    """
    _in_graph("auc")
    op = "metrics.auc"
    if curve not in ("ROC", "PR"):
        raise blame.value_error(f"curve must be either ROC or PR, {curve} unknown", op)
    methods = ("trapezoidal", "minoring", "majoring", "careful_interpolation")
    if summation_method not in methods:
        raise blame.value_error(f"Invalid summation_method: {summation_method}", op)
    limits = _between(num_thresholds)
    if thresholds is not None:
        limits = [-_EPSILON, *sorted(thresholds), 1.0 + _EPSILON]

    def area(tp: Any, fn: Any, tn: Any, fp: Any) -> Any:
        tp, fn, tn, fp = (_tfc.convert_to_tensor(c) for c in (tp, fn, tn, fp))
        careful = summation_method == methods[3]
        if careful and curve == "PR":
            return _interpolated(tp, fp, fn)
        found = (tp + _EPSILON) / (tp + fn + _EPSILON)
        if curve == "ROC":
            x, y = fp / (fp + tn + _EPSILON), found
        else:
            x, y = found, (tp + _EPSILON) / (tp + fp + _EPSILON)
        pairs = {
            "trapezoidal": lambda a, b: (a + b) / 2.0,
            "minoring": _tfc.minimum,
            "majoring": _tfc.maximum,
        }
        heights = pairs["trapezoidal" if careful else summation_method](y[:-1], y[1:])
        return _tfc.reduce_sum((x[:-1] - x[1:]) * heights)

    before, after = _counted(labels, predictions, weights, ["tp", "fn", "tn", "fp"], limits)
    return _given((area(*before), area(*after)), metrics_collections, updates_collections)


def _interpolated(tp: Any, fp: Any, fn: Any) -> Any:
    """The area under precision over recall, where the counts are linear between thresholds."""
    more, positive = tp[:-1] - tp[1:], tp + fp
    slope = _ratio(more, _tfc.maximum(positive[:-1] - positive[1:], 0.0))
    base = tp[1:] - slope * positive[1:]
    both = _tfc.logical_and(positive[:-1] > 0.0, positive[1:] > 0.0)
    quotient = _tfc.where(both, _ratio(positive[:-1], positive[1:]), 1.0)
    parts = slope * (more + base * _tfc.math.log(quotient))
    return _tfc.reduce_sum(_ratio(parts, tp[1:] + fn[1:]))


def _at_best(
    pair: tuple[Callable[..., Any], Callable[..., Any]],
    wanted: float,
    last: bool,
    given: tuple[Any, Any, Any],
    num_thresholds: int,
) -> Pair:
    """The second of two shares at the threshold (the last one, or the first) where the first is
    nearest to what is wanted."""
    kinds = ["tp", "fn", "tn", "fp"]

    def best(*counts: Any) -> Any:
        far = _tfc.abs(pair[0](*counts) - wanted)
        places = _tfc.range(num_thresholds)
        chosen = _tfc.where(far <= _tfc.reduce_min(far), places, -1 if last else num_thresholds)
        nearest = _tfc.reduce_max(chosen) if last else _tfc.reduce_min(chosen)
        return pair[1](*(_tfc.convert_to_tensor(c)[nearest] for c in counts))

    before, after = _counted(*given, kinds, _between(num_thresholds))
    return best(*before), best(*after)


def _sensitivity(tp: Any, fn: Any, tn: Any, fp: Any) -> Any:
    return tp / (tp + fn + _EPSILON)


def _specificity(tp: Any, fn: Any, tn: Any, fp: Any) -> Any:
    return tn / (tn + fp + _EPSILON)


def sensitivity_at_specificity(
    labels: TensorLike,
    predictions: TensorLike,
    specificity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Which part of positive labels is predicted, at the first threshold where the part of negative
    ones that is predicted is nearest to `specificity`.

    Args: As of `auc`, and `specificity`, from 0 to 1. Returns the value, and the operation.
    """
    _in_graph("sensitivity_at_specificity")
    given = labels, predictions, weights
    found = _at_best((_specificity, _sensitivity), specificity, False, given, num_thresholds)
    return _given(found, metrics_collections, updates_collections)


def specificity_at_sensitivity(
    labels: TensorLike,
    predictions: TensorLike,
    sensitivity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """Which part of negative labels is predicted, at the last threshold where the part of positive
    ones that is predicted is nearest to `sensitivity`.

    Args: As of `auc`, and `sensitivity`, from 0 to 1. Returns the value, and the operation.
    """
    _in_graph("specificity_at_sensitivity")
    given = labels, predictions, weights
    found = _at_best((_sensitivity, _specificity), sensitivity, True, given, num_thresholds)
    return _given(found, metrics_collections, updates_collections)


def _confusion(labels: Any, predictions: Any, num_classes: int, weights: Any) -> Pair:
    """The matrix of how often each class was predicted for each label, before and after."""
    whole = _count("total_confusion_matrix", [num_classes, num_classes], _tfc.float64)
    y, p = (_tfc.reshape(_tfc.cast(x, _tfc.int64), [-1]) for x in (labels, predictions))
    w = None if weights is None else _tfc.reshape(_tfc.cast(weights, _tfc.float32), [-1])
    more = _tfc.math.confusion_matrix(y, p, num_classes, w, _tfc.float64)
    return _tfc.cast(whole, _tfc.float32), whole.assign_add(more)


def mean_iou(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean, over classes that there are, of what is right of a class over all that is it or is
    taken for it.

    Args: `labels` and `predictions`, classes, of one shape; `num_classes`; the others as of `mean`.
    Returns the value, and the operation, which gives the matrix of counts.
    """
    _in_graph("mean_iou")
    before, after = _confusion(labels, predictions, num_classes, weights)
    right = _tfc.linalg.diag_part(before)
    whole = _tfc.reduce_sum(before, 0) + _tfc.reduce_sum(before, 1) - right
    there = _tfc.reduce_sum(_tfc.cast(_tfc.not_equal(whole, 0.0), _tfc.float32))
    value = _ratio(_tfc.reduce_sum(_ratio(right, whole)), there)
    return _given((value, after), metrics_collections, updates_collections)


def mean_per_class_accuracy(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean, over classes, of which part of a class is predicted.

    Args: `labels` and `predictions`, classes, of one shape; `num_classes`; the others as of `mean`.
    Returns the value, and the operation, which gives the accuracy of each class.
    """
    _in_graph("mean_per_class_accuracy")
    total, count = (_count(n, [num_classes]) for n in ("total", "count"))
    y, p = (_tfc.reshape(_tfc.cast(x, _tfc.int64), [-1]) for x in (labels, predictions))
    factors = _tfc.ones_like(y, _tfc.float32)
    if weights is not None:
        factors = factors * _tfc.reshape(_tfc.cast(weights, _tfc.float32), [-1])
    right = _tfc.cast(_tfc.equal(y, p), _tfc.float32) * factors
    more, many = (_tfc.math.unsorted_segment_sum(x, y, num_classes) for x in (right, factors))
    after = total.assign_add(more), count.assign_add(many)
    value = _tfc.reduce_mean(_ratio(total, count))
    return _given((value, _ratio(*after)), metrics_collections, updates_collections)
