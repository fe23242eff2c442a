"""What neural networks are made of."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.failures import index_messages
from ...dispatch.known import is_unknown
from ...dispatch.primitive import broadcast_to, broadcast_together, primitive
from ..array.conversion import cast
from ..array.indexing import fitted
from ..declare import op
from ..extents import _integer, extents_of
from ..math.reductions import _axes, logsumexp_of


@op(ir.Relu)
def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """max(x, 0); the gradient at 0 is 0.

    Args:
        features: A tensor of real numbers.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.relu([-2.0, 0.0, 3.0]))
    tf.Tensor([0. 0. 3.], shape=(3,), dtype=float32)
    """


@op(ir.Softplus)
def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """log(1 + exp(x)), without overflow.

    Args:
        features: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.softplus([-1000.0, 1000.0]))
    tf.Tensor([   0. 1000.], shape=(2,), dtype=float32)
    """


@primitive
def _softmax(b: Builder, x: Value, axis: int, log: bool) -> Value:
    kept = tuple(1 if a == axis else e for a, e in enumerate(x.shape))

    def spread(v: Value) -> Value:
        return broadcast_to(b, b.emit(ir.Reshape(v, kept)), x.shape)

    top = b.emit(ir.StopGradient(b.emit(ir.ReduceMax(x, (axis,)))))
    shifted = b.emit(ir.Sub(x, spread(top)))
    e = b.emit(ir.Exp(shifted))
    total = b.emit(ir.ReduceSum(e, (axis,)))
    if log:
        return b.emit(ir.Sub(shifted, spread(b.emit(ir.Log(total)))))
    return b.emit(ir.Div(e, spread(total)))


def softmax(logits: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """exp(x) / sum(exp(x)) along `axis` (the last), shifted by the maximum.

    Args:
        logits: A tensor of floats.
        axis: The axis along which it is normalised; None is the last.

    Returns:
        A tensor of the shape and dtype of `logits`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.softmax([0.0, 0.0]))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    x = operand("softmax", logits)
    if is_unknown(axis):
        along: Tensor = above.applied_along(lambda xs: softmax(xs[0]), [x], axis, "softmax")
        return along
    return _softmax.fast(_class_axis(x, axis, "softmax"), False)(x)


def _class_axis(x: Tensor, axis: Any, name: str) -> int:
    """The axis along which logits are normalised; None is the last."""
    rank = len(x.shape)
    if not rank:
        raise blame.invalid("logits must have >= 1 dimension, got []", name)
    place = -1 if axis is None else _integer(axis, "an axis", name)
    if not -rank <= place < rank:
        raise blame.invalid(
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions in the input. Received: dim={place}",
            name,
        )
    return place % rank


def log_softmax(
    logits: TensorLike, axis: AxisLike | None = None, name: str | None = None
) -> Tensor:
    """log(softmax(x)) along `axis` (the last), without overflow.

    Args:
        logits: A tensor of floats.
        axis: The axis along which it is normalised; None is the last.

    Returns:
        A tensor of the shape and dtype of `logits`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.log_softmax([0.0, 1000.0]))
    tf.Tensor([-1000.     0.], shape=(2,), dtype=float32)
    """
    x = operand("log_softmax", logits)
    if is_unknown(axis):
        along: Tensor = above.applied_along(lambda xs: log_softmax(xs[0]), [x], axis, "log_softmax")
        return along
    return _softmax.fast(_class_axis(x, axis, "log_softmax"), True)(x)


@primitive
def _cross_entropy(b: Builder, labels: Value, logits: Value, axis: int) -> Value:
    labels, logits = broadcast_together(b, labels, logits)
    total = logsumexp_of(b, logits, (axis,), True)
    logs = b.emit(ir.Sub(logits, broadcast_to(b, total, logits.shape)))
    return b.emit(ir.Neg(b.emit(ir.ReduceSum(b.emit(ir.Mul(labels, logs)), (axis,)))))


def _broadcasts(y: Tensor, x: Tensor) -> bool:
    """Whether y, of fewer axes, may broadcast to the shape of x."""
    pairs = zip(reversed(y.shape), reversed(x.shape), strict=False)
    return all(a == b or None in (a, b) or 1 in (a, b) for a, b in pairs)


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """-sum(labels * log_softmax(logits)) along `axis`; `labels` are probabilities. Shapes
    broadcast; labels of another dtype, such as one-hot integers, are cast to that of the logits.
    Gradients flow to both.

    Unlike TensorFlow, the gradient by the logits is that of this loss where the labels do not add
    up to 1, too: softmax * sum(labels) - labels. A row whose labels are all 0 has none.

    Args:
        labels: Probabilities of classes along `axis`: numbers or truth values.
        logits: A tensor of floats.
        axis: The axis of the classes.

    Returns:
        A tensor of the shape of `logits` without that axis: the losses, in nats.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).

    >>> import tfc as tf
    >>> labels, logits = [[1.0, 0.0], [0.25, 0.75]], [[0.0, 1000.0], [0.0, 1000.0]]
    >>> print(tf.nn.softmax_cross_entropy_with_logits(labels, logits))
    tf.Tensor([1000.  250.], shape=(2,), dtype=float32)
    """
    x = operand("softmax_cross_entropy_with_logits", logits)
    (a,) = _axes(x, [axis], "softmax_cross_entropy_with_logits")
    y = operand("softmax_cross_entropy_with_logits", labels, dtype_hint=x.dtype)
    if y.ndim == x.ndim - 1 and y.shape == x.shape[:-1] and not _broadcasts(y, x):
        raise blame.invalid(
            f"Incompatible shapes: labels {y.shape} and logits {x.shape}: for the numbers of "
            "classes use sparse_softmax_cross_entropy_with_logits",
            "softmax_cross_entropy_with_logits",
        )
    if y.dtype is not x.dtype:  # one-hot labels of integers or truth values
        y = cast(y, x.dtype)
    return _cross_entropy.fast(a)(y, x)


index_messages["sparse_softmax_cross_entropy_with_logits"] = (
    "Received a label value of {} which is outside the valid range of [0, {}), the classes of the "
    "logits"
)


@primitive
def _sparse_cross_entropy(b: Builder, labels: Value, logits: Value) -> Value:
    if not labels.dtype.is_integer:
        raise OpError(
            "sparse_softmax_cross_entropy: labels must be integers, the numbers of classes (for "
            "probabilities use softmax_cross_entropy_with_logits)",
            "dtype",
        )
    if labels.rank != logits.rank - 1:
        raise OpError(
            "sparse_softmax_cross_entropy: labels need one axis less than logits (for one-hot "
            "labels use softmax_cross_entropy_with_logits)"
        )
    from tfc.ir.dtypes import int64

    axis = logits.rank - 1
    shape = logits.shape
    wide = b.emit(ir.Cast(labels, int64))
    if labels.shape != shape[:-1]:
        unify = getattr(b, "unify", lambda x, y: False)
        if not all(x == y or unify(x, y) for x, y in zip(labels.shape, shape, strict=False)):
            raise OpError("sparse_softmax_cross_entropy: labels and logits do not fit")
        wide = b.emit(ir.Reshape(wide, shape[:-1]))
    total = logsumexp_of(b, logits, (axis,), False)
    place = b.emit(ir.Broadcast(wide, shape, tuple(range(axis))))
    hit = b.emit(ir.Equal(place, b.emit(ir.Iota(shape, axis, int64))))
    zero = Term(b, logits).const(0).value
    chosen = b.emit(ir.ReduceSum(b.emit(ir.Select(hit, logits, zero)), (axis,)))
    loss = Term(b, b.emit(ir.Sub(total, chosen)))
    # Labels are checked once a row, not once a class; the condition, which then holds, is what ties
    # the check to the loss, and to its gradient.
    name = "sparse_softmax_cross_entropy_with_logits"
    inside = Term(b, b.emit(ir.CheckedIndex(wide, shape[axis], name))) >= 0
    return inside.select(loss, loss.const(float("nan"))).value


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, name: str | None = None
) -> Tensor:
    """-log_softmax(logits) at the class that each label names.

    Args:
        labels: A tensor of integers: the number of each class.
        logits: A tensor of floats, with one axis more: the classes, which is the last.

    Returns:
        A tensor of the shape of `labels`: the losses, in nats.

    Raises:
        ValueError: If the shapes do not fit.
        InvalidArgumentError: If a label names no class, or the labels are no integers (TypeError
            while tracing).

    >>> import tfc as tf
    >>> logits = [[0.0, 1000.0], [1000.0, 0.0]]
    >>> print(tf.nn.sparse_softmax_cross_entropy_with_logits([1, 1], logits))
    tf.Tensor([   0. 1000.], shape=(2,), dtype=float32)
    """
    x = operand("sparse_softmax_cross_entropy_with_logits", logits)
    y = operand("sparse_softmax_cross_entropy_with_logits", labels)
    if not len(x.shape):
        raise blame.value_error(
            "`logits` cannot be a scalar", "sparse_softmax_cross_entropy_with_logits"
        )
    of_both = f"Received: labels.shape={y.shape} and logits.shape={x.shape}"
    if len(y.shape) != len(x.shape) - 1:
        raise blame.value_error(
            f"`labels.shape.rank` must equal `logits.shape.rank - 1`. {of_both} (for one-hot "
            "labels use softmax_cross_entropy_with_logits)",
            "sparse_softmax_cross_entropy_with_logits",
        )
    if not y.shape.is_compatible_with(x.shape[:-1]):
        raise blame.value_error(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. {of_both}",
            "sparse_softmax_cross_entropy_with_logits",
        )
    return _sparse_cross_entropy.fast()(y, x)


@primitive
def _sigmoid_cross_entropy(b: Builder, labels: Value, logits: Value) -> Value:
    labels, x = broadcast_together(b, labels, logits)
    # max(x, 0) - x * z + log(1 + exp(-|x|))
    top, nearness, _ = sides(Term(b, x))
    small = Term(b, b.emit(ir.Log1p(b.emit(ir.Exp(nearness.value)))))
    return (top - Term(b, x) * Term(b, labels) + small).value


def sides(x: Term) -> tuple[Term, Term, Term]:
    """max(x, 0), -|x| and max(-x, 0), all of which take 0 for a positive number: the sums of these
    that are smooth have their derivatives at 0, too, which maximum, abs and relu would not have
    together, as each has a convention of its own there."""
    up = x >= 0
    return where(up, x, 0), where(up, -x, x), where(up, x.const(0), -x)


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """The cross entropy of independent yes-or-no labels (probabilities), without overflow.

    Args:
        labels: Probabilities, of the shape and dtype of `logits`.
        logits: A tensor of floats.

    Returns:
        A tensor of the shape of `logits`: the losses, in nats.

    Raises:
        ValueError: If the shapes differ, or one of them is not given.
        InvalidArgumentError: If the dtypes differ or are others (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0, 0.25], [1000.0, 1000.0, 1000.0]))
    tf.Tensor([   0. 1000.  750.], shape=(3,), dtype=float32)
    """
    x = operand("sigmoid_cross_entropy_with_logits", logits)
    y = operand("sigmoid_cross_entropy_with_logits", labels, dtype_hint=x.dtype)
    require_same_shape(x, y, "`logits` and `labels`", "sigmoid_cross_entropy_with_logits")
    return _sigmoid_cross_entropy.fast()(y, x)


def require_same_shape(x: Tensor, y: Tensor, what: str, name: str) -> None:
    """Refuse shapes that are known to differ."""
    if not x.shape.is_compatible_with(y.shape):
        raise blame.value_error(
            f"{what} must have the same shape, received ({x.shape} vs {y.shape}).", name
        )


@primitive
def _bias_add(b: Builder, x: Value, bias: Value, axis: int) -> Value:
    if x.dtype is not bias.dtype:
        raise OpError("bias_add: operands must have the same dtype", "dtype")
    want = (*x.shape[:axis], bias.shape[0], *x.shape[axis + 1 :])
    x = fitted(b, x, want, "bias_add: the bias must be as long as the axis of the channels")
    laid = b.emit(ir.Reshape(bias, (*bias.shape, *(1,) * (x.rank - axis - 1))))
    (same, wide) = broadcast_together(b, x, laid)
    return b.emit(ir.Add(same, wide))


def bias_add(
    value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """value + bias along the last axis; with a `data_format` "NC..." along the second.

    Args:
        value: A tensor of numbers, of rank 2 or more.
        bias: A vector of the same dtype, as long as the axis of the channels.
        data_format: Where the channels are: last (None or "N...C"), or second ("NC...").

    Returns:
        A tensor of the shape and dtype of `value`.

    Raises:
        InvalidArgumentError: If the bias has another length (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.bias_add([[1.0, 2.0], [3.0, 4.0]], [10.0, 20.0]))
    tf.Tensor(
    [[11. 22.]
     [13. 24.]], shape=(2, 2), dtype=float32)
    """
    x = operand("bias_add", value)
    y = operand("bias_add", bias, dtype_hint=x.dtype)
    rank = len(x.shape)
    if rank < 2 or len(y.shape) != 1:
        raise blame.invalid(
            f"Input tensor must be at least 2D: {list(x.shape)}"
            if len(x.shape) < 2
            else f"Biases must be 1D: {list(y.shape)}",
            "bias_add",
        )
    if data_format is not None and not str(data_format).startswith("N"):
        raise blame.value_error(
            f"`data_format` must be of the form `N...C` or `NC...`. Received: "
            f"data_format={data_format}",
            "bias_add",
        )
    first = data_format is not None and str(data_format).startswith("NC")
    axis = 1 if first else rank - 1
    have, want = extents_of(y)[0], extents_of(x)[axis]
    if isinstance(have, int) and isinstance(want, int) and have != want:
        raise blame.invalid(
            f"Must provide as many biases as the last dimension of the input tensor, or that of "
            f"the channels: {have} vs. {want}",
            "bias_add",
        )
    return _bias_add.fast(axis)(x, y)
