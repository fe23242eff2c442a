"""Losses, dropout, and what is computed of them."""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32, int64

from ...core import blame
from ...core.context import settings
from ...core.conversion import operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import ShapeLike, TensorLike
from ...dispatch.primitive import broadcast_to, broadcast_together, primitive
from ..arguments import flag, number
from ..array.conversion import cast
from ..array.shaping import expand_dims, shape
from ..declare import op
from ..extents import as_extents, extents_of
from ..math.arithmetic import multiply
from ..math.elementwise import divide_no_nan
from ..math.reductions import reduce_sum
from ..random.distributions import uniform
from ..random.stateless import stateless_uniform
from .basics import require_same_shape, sides


def _one_dtype(name: str, *values: Value) -> None:
    if any(v.dtype is not values[0].dtype for v in values):
        raise OpError(f"{name}: operands must have the same dtype", "dtype")


@primitive
def _l2_loss(b: Builder, x: Value) -> Value:
    square = b.emit(ir.Mul(x, x))
    total = b.emit(ir.ReduceSum(square, tuple(range(x.rank)))) if x.rank else square
    return (Term(b, total) * 0.5).value


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Half the sum of the squares of all elements. Floats.

    Args:
        t: A tensor of floats.

    Returns:
        A scalar of the dtype of `t`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.l2_loss([3.0, 4.0]))
    tf.Tensor(12.5, shape=(), dtype=float32)
    """
    t = operand("l2_loss", t)
    if not t.dtype.is_floating:
        raise blame.invalid_dtype(f"not defined for dtype {t.dtype.name}", "l2_loss")
    return _l2_loss.fast()(t)


@primitive
def _log_poisson_loss(b: Builder, targets: Value, x: Value, full: bool) -> Value:
    _one_dtype("log_poisson_loss", targets, x)
    targets, x = broadcast_together(b, targets, x)
    z, c = Term(b, targets), Term(b, x)
    loss = Term(b, b.emit(ir.Exp(x))) - c * z
    if not full:
        return loss.value
    # Stirling: log(z!) is about z log z - z + log(2 pi z) / 2; for z in [0, 1] it is taken as 0.
    logs = Term(b, b.emit(ir.Log(targets)))
    half = Term(b, b.emit(ir.Log((z * (2 * math.pi)).value))) * 0.5
    factorial = z * logs - z + half
    inside = (z >= 0) & (z <= 1)
    return (loss + inside.select(z.const(0), factorial)).value


def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Minus the log-likelihood of counts with a Poisson distribution: exp(log_input) - log_input *
    targets, up to log(targets!).

    Args:
        targets: A tensor of floats: the counts.
        log_input: A tensor of the same dtype, which broadcasts with it: the logarithms of the
            means.
        compute_full_loss: Whether Stirling's approximation of log(targets!) is added, for targets
            above 1.

    Returns:
        A tensor of that dtype: the losses, in nats.

    Raises:
        ValueError: If the shapes differ.
        InvalidArgumentError: If the dtypes differ (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.log_poisson_loss([2.0, 3.0], [0.0, 0.0]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    x = operand("log_poisson_loss", log_input)
    z = operand("log_poisson_loss", targets, dtype_hint=x.dtype)
    require_same_shape(x, z, "`log_input` and `targets`", "log_poisson_loss")
    return _log_poisson_loss.fast(flag(compute_full_loss, "compute_full_loss", "log_poisson_loss"))(
        z, x
    )


@primitive
def _weighted_cross_entropy(b: Builder, labels: Value, logits: Value, weight: Value) -> Value:
    _one_dtype("weighted_cross_entropy_with_logits", labels, logits, weight)
    labels, logits, weight = broadcast_together(b, labels, logits, weight)
    z, x, q = (Term(b, v) for v in (labels, logits, weight))
    # (1 - z) x + (1 + (q - 1) z) (log(1 + exp(-|x|)) + max(-x, 0))
    _, nearness, below = sides(x)
    small = Term(b, b.emit(ir.Log1p(b.emit(ir.Exp(nearness.value)))))
    return ((1 - z) * x + (1 + (q - 1) * z) * (small + below)).value


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` where a yes counts `pos_weight` times.

    Unlike TensorFlow, it has its derivatives at a logit of 0, too.

    Args:
        labels: A tensor of floats: probabilities.
        logits: A tensor of the same dtype, which broadcasts with it.
        pos_weight: The weight, of the same dtype, which broadcasts with them.

    Returns:
        A tensor of that dtype: the losses, in nats.

    Raises:
        ValueError: If the shapes of `labels` and `logits` differ.
        InvalidArgumentError: If the dtypes differ (TypeError while tracing), or `pos_weight` does
            not broadcast (ValueError).

    >>> import tfc as tf
    >>> x = [-1000.0, 1000.0]
    >>> print(tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], x, pos_weight=3.0))
    tf.Tensor([3000. 1000.], shape=(2,), dtype=float32)
    """
    name = "weighted_cross_entropy_with_logits"
    x = operand(name, logits)
    z, q = (operand(name, v, dtype_hint=x.dtype) for v in (labels, pos_weight))
    require_same_shape(x, z, "`logits` and `labels`", "weighted_cross_entropy_with_logits")
    return _weighted_cross_entropy.fast()(z, x, q)


def _zero_fraction(b: Builder, x: Value) -> Value:
    zeros = b.emit(ir.Equal(x, Term(b, x).const(0).value))
    every = tuple(range(x.rank))
    ones = b.emit(ir.Cast(zeros, int64))
    count = b.emit(ir.ReduceSum(ones, every)) if every else ones
    size = b.emit(ir.ExtentOf(x.tensor_type.size))
    return b.emit(ir.Div(b.emit(ir.Cast(count, float32)), b.emit(ir.Cast(size, float32))))


@op(_zero_fraction)
def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """The share of elements that are 0, as float32; nan for none at all.

    Args:
        value: A tensor of numbers or bools.

    Returns:
        A scalar of float32.

    Raises:
        InvalidArgumentError: If the dtype is another one.

    >>> import tfc as tf
    >>> float(tf.nn.zero_fraction([0, 1, 0, 2]))
    0.5
    """


def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: TensorLike | None = None,
    global_batch_size: Any = None,
) -> Tensor:
    """The sum of the (weighted) losses, divided by the size of the batch.

    Args:
        per_example_loss: A tensor of numbers [batch, ...].
        sample_weight: Weights of the losses, cast to their dtype: a scalar, or a tensor whose axes
            are the first of theirs, or which broadcasts with them; None is 1.
        global_batch_size: The size of the batch, a number that is not negative; None is the first
            extent, times the number of replicas where a `tf.distribute.Strategy` has several.

    Returns:
        A scalar: 0 for a batch of 0.

    Raises:
        ValueError: If the losses are a scalar and no size is given, or the size is negative.
        InvalidArgumentError: If the weights do not broadcast (ValueError while tracing).

    >>> import tfc as tf
    >>> losses, weights = [1.0, 2.0, 4.0, 9.0], [1.0, 0.0, 1.0, 0.0]
    >>> print(tf.nn.compute_average_loss(losses, sample_weight=weights))
    tf.Tensor(1.25, shape=(), dtype=float32)
    """
    name = "compute_average_loss"
    losses = operand(name, per_example_loss)
    given = losses.dtype
    if sample_weight is not None:
        weights = cast(operand(name, sample_weight, dtype_hint=given), given)
        while 0 < len(weights.shape) < len(losses.shape):
            weights = expand_dims(weights, -1)
        losses = multiply(losses, weights)
    if global_batch_size is None:
        if not len(losses.shape):
            raise blame.value_error("per_example_loss must not be a scalar", name)
        global_batch_size = shape(losses)[0] * _replicas()
    if not isinstance(global_batch_size, Held):
        if number(global_batch_size, "global_batch_size", name) < 0:
            text = f"global_batch_size must be non-negative., got {global_batch_size}"
            raise blame.invalid(text, name)
        global_batch_size = operand(name, global_batch_size)
    if not global_batch_size.dtype.is_integer:
        text = "global_batch_size must be an integer., got a tensor of dtype"
        raise blame.type_error(f"{text} {global_batch_size.dtype!s}", name)
    return divide_no_nan(reduce_sum(losses), cast(global_batch_size, given))


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """The sum of the losses, divided by the number of replicas of the `tf.distribute.Strategy`
    whose scope code runs in: outside there is one.

    Args:
        regularization_loss: A tensor of numbers.

    Returns:
        A scalar of the same dtype.

    >>> import tfc as tf
    >>> print(tf.nn.scale_regularization_loss([1.0, 2.0]))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    total = reduce_sum(operand("scale_regularization_loss", regularization_loss))
    count = _replicas()
    return total if count == 1 else total / cast(count, total.dtype)


def _replicas() -> int:
    return 1 if settings.replica_count is None else settings.replica_count()


# Dropout.


@primitive
def _dropout(b: Builder, x: Value, chance: Value, rate: Value) -> Value:
    spread = broadcast_to(b, rate, chance.shape)
    keep, x = broadcast_together(b, b.emit(ir.GreaterEqual(chance, spread)), x)
    one = Term(b, rate).const(1)
    scale = Term(b, broadcast_to(b, (one / (one - Term(b, rate))).value, x.shape))
    return where(Term(b, keep), Term(b, x) * scale, 0).value


def _dropped(name: str, x: Any, rate: Any, noise_shape: Any, draw: Any) -> Tensor:
    x = operand(name, x)
    if not x.dtype.is_floating:
        raise blame.value_error(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"x_dtype={x.dtype!r}",
            name,
        )
    if isinstance(rate, Tensor):
        if rate.shape.rank:
            raise blame.value_error(f"Shape {rate.shape} must have rank 0: `rate`", name)
        rate = cast(rate, x.dtype)
        number = None if isinstance(rate, SymbolicTensor) else float(rate)
    else:
        number = float(rate)
    if number is not None and not 0 <= number < 1:
        raise blame.value_error(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}",
            name,
        )
    if number == 0:
        return x
    extents = list(extents_of(x))
    if noise_shape is not None:
        entries = list(noise_shape) if isinstance(noise_shape, list | tuple) else noise_shape
        if isinstance(entries, list):
            filled = zip(entries, extents, strict=len(entries) == len(extents))
            entries = [e if n is None else n for n, e in filled]
        extents = list(as_extents(entries, name))
    chance = draw(extents, x.dtype)
    return _dropout.fast()(x, chance, operand(name, rate, x.dtype))


def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: ShapeLike | None = None,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Each element is 0 with probability `rate`, else x / (1 - rate). Extents of 1 in
    `noise_shape` (None in it: x's) share one decision.

    Args:
        x: A tensor of floats.
        rate: The probability that an element is dropped, in [0, 1).
        noise_shape: The shape of the decisions, which broadcasts to that of `x`; None is that of
            `x`.
        seed: A seed for a stream of its own.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If `rate` is no number in [0, 1).

    >>> import tfc as tf
    >>> y = tf.nn.dropout(tf.ones([1000]), rate=0.5, seed=1)
    >>> bool(tf.reduce_all((y == 0.0) | (y == 2.0)))
    True
    """

    def draw(extents: Any, dtype: Any) -> Any:
        return uniform(extents, dtype=dtype, seed=seed)

    return _dropped("dropout", x, rate, noise_shape, draw)


def general_dropout(
    x: TensorLike,
    rate: TensorLike,
    uniform_sampler: Any,
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`dropout` with random numbers of one's own.

    Args:
        x: A tensor of floats.
        rate: The probability that an element is dropped, in [0, 1).
        uniform_sampler: A function of `shape` and `dtype` that gives numbers in [0, 1).
        noise_shape: The shape of the decisions, which broadcasts to that of `x`; None, or None in
            it, is that of `x`.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If `x` is no float, or `rate` no number in [0, 1).
        InvalidArgumentError: If `noise_shape` does not broadcast (ValueError while tracing).

    >>> import tfc as tf
    >>> draw = lambda shape, dtype: tf.constant([0.1, 0.9], dtype)
    >>> print(tf.nn.experimental.general_dropout([1.0, 1.0], 0.5, draw))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """

    def draw(extents: Any, dtype: Any) -> Any:
        return operand("general_dropout", uniform_sampler(shape=extents, dtype=dtype))

    return _dropped("general_dropout", x, rate, noise_shape, draw)


def stateless_dropout(
    x: TensorLike,
    rate: TensorLike,
    seed: TensorLike,
    rng_alg: Any = "auto_select",
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`dropout` that is a function of `seed`, two integers.

    Args:
        x: A tensor of floats.
        rate: The probability that an element is dropped, in [0, 1).
        seed: Two integers, which say all.
        rng_alg: The generator: Philox, by any of its names.
        noise_shape: The shape of the decisions, which broadcasts to that of `x`; None, or None in
            it, is that of `x`.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If `x` is no float, `rate` no number in [0, 1), or there is no such generator.
        InvalidArgumentError: If the seed is not of shape [2], or `noise_shape` does not broadcast
            (ValueError while tracing).
        TypeError: If the seed is no integers.

    >>> import tfc as tf
    >>> x = tf.ones([1000])
    >>> y, z = (tf.nn.experimental.stateless_dropout(x, 0.5, seed=[1, 2]) for _ in range(2))
    >>> bool(tf.reduce_all(y == z))
    True
    """

    def draw(extents: Any, dtype: Any) -> Any:
        return stateless_uniform(extents, seed, dtype=dtype, alg=rng_alg)

    return _dropped("stateless_dropout", x, rate, noise_shape, draw)
