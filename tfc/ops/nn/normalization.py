"""Moments, batch normalisation and other normalisations."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32
from tfc.ir.extent import product

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import broadcast_to, broadcast_together, primitive, retype
from ..arguments import flag, one_of
from ..array.conversion import cast
from ..extents import _integer
from ..math.arithmetic import abs as absolute
from ..math.arithmetic import divide, maximum, multiply, square, subtract
from ..math.reductions import _axes, mean_of, reduce_mean, reduce_sum, reduce_variance
from ..math.transcendental import rsqrt


def _only_floats(x: Value, name: str) -> None:
    if not x.dtype.is_floating:
        raise OpError(f"{name}: not defined for dtype {x.dtype.name}", "dtype")


@primitive
def _moments(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Any:
    if not x.dtype.is_integer:
        _only_floats(x, "moments")
    wide = b.emit(ir.Cast(x, x.dtype.compute)) if x.dtype.bits == 16 else x
    centre = mean_of(b, wide, axes, True)
    # The mean of squared distances does not change with the mean: no gradient flows through it.
    still = broadcast_to(b, b.emit(ir.StopGradient(centre)), x.shape)
    distance = b.emit(ir.Sub(wide, still))
    variance = mean_of(b, b.emit(ir.Mul(distance, distance)), axes, keepdims)
    mean = centre if keepdims or not axes else b.emit(ir.Reshape(centre, variance.shape))
    if x.dtype is wide.dtype:
        return mean, variance
    return b.emit(ir.Cast(mean, x.dtype)), b.emit(ir.Cast(variance, x.dtype))


def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The mean and the variance of the elements along `axes`. Halves are computed in float32;
    `shift` is not used, as in TensorFlow. Means of integers are rounded, as by `reduce_mean`.

    Args:
        x: A tensor of real numbers.
        axes: The axes to reduce.
        shift: Not used.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A pair (mean, variance) of tensors without these axes. The variance is divided by the number
        of elements.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).

    >>> import tfc as tf
    >>> mean, variance = tf.nn.moments(tf.constant([1.0, 3.0]), axes=[0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    x = operand("moments", x)
    if is_unknown(axes):
        kept = flag(keepdims, "keepdims", "moments")
        return reduce_mean(x, axes, kept), reduce_variance(x, axes, kept)
    return _moments.fast(_axes(x, axes, "moments"), flag(keepdims, "keepdims", "moments"))(x)


def weighted_moments(
    x: TensorLike,
    axes: AxisLike,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """The mean and the variance of elements that count several times, or in part.

    Args:
        x: A tensor of floats.
        axes: The axes to reduce: a list of numbers.
        frequency_weights: How often each element counts: numbers, which broadcast with `x`.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A pair (mean, variance) of tensors of the dtype of `x`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there, or the shapes do not broadcast (ValueError
            while tracing); if the dtype is no float (TypeError).

    >>> import tfc as tf
    >>> mean, variance = tf.nn.weighted_moments([1.0, 3.0, 9.0], [0], [1.0, 1.0, 0.0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    x = operand("weighted_moments", x)
    weights = cast(operand("weighted_moments", frequency_weights, dtype_hint=x.dtype), x.dtype)
    given = x.dtype
    if given.is_floating and given.bits == 16:
        x, weights = cast(x, float32), cast(weights, float32)
    over = _axes(x, axes, "weighted_moments")
    return _weighted_moments.fast(over, flag(keepdims, "keepdims", "weighted_moments"), given)(
        x, weights
    )


@primitive
def _weighted_moments(
    b: Builder, x: Value, weights: Value, axes: tuple[int, ...], keepdims: bool, dtype: Any
) -> Any:
    _only_floats(x, "weighted_moments")
    x, weights = broadcast_together(b, x, weights)

    def total(v: Value) -> Term:
        summed = b.emit(ir.ReduceSum(v, axes)) if axes else v
        kept = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
        return Term(b, b.emit(ir.Reshape(summed, kept)))

    t, w = Term(b, x), Term(b, weights)
    count = total(weights)
    mean = total((w * t).value) / count
    # The first derivative by the mean is 0; the second by it and by x or a weight is not.
    distance = t - Term(b, broadcast_to(b, mean.value, x.shape))
    variance = total((w * (distance * distance)).value) / count
    results = []
    for v in (mean.value, variance.value):
        if not keepdims:
            v = b.emit(ir.Reshape(v, tuple(e for a, e in enumerate(x.shape) if a not in axes)))
        results.append(b.emit(ir.Cast(v, dtype)))
    return tuple(results)


@primitive
def _sufficient_statistics(b: Builder, x: Value, *rest: Any) -> Any:
    *shift, axes, keepdims = rest
    _only_floats(x, "sufficient_statistics")
    size = b.emit(ir.ExtentOf(product(x.shape[a] for a in axes)))
    count = b.emit(ir.Cast(size, x.dtype))
    if shift:
        x, away = broadcast_together(b, x, shift[0])
        x = b.emit(ir.Sub(x, away))
    sums = []
    for v in (x, b.emit(ir.Mul(x, x))):
        summed = b.emit(ir.ReduceSum(v, axes)) if axes else v
        if keepdims:
            kept = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
            summed = b.emit(ir.Reshape(summed, kept))
        sums.append(summed)
    return count, *sums


def sufficient_statistics(
    x: TensorLike,
    axes: AxisLike,
    shift: TensorLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """What `normalize_moments` makes the mean and variance of.

    Args:
        x: A tensor of floats.
        axes: The axes to reduce: a list of numbers.
        shift: What is subtracted from the elements first, of the same dtype, which broadcasts with
            `x`: something near the mean keeps digits. None: nothing.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tuple of how many elements there are along `axes`, a scalar; the sum of them; the sum of
        their squares; and `shift`, a tensor or None.

    Raises:
        InvalidArgumentError: If an axis is not there, or `shift` does not broadcast (ValueError
            while tracing); if the dtype is no float (TypeError).

    >>> import tfc as tf
    >>> count, total, squares, shift = tf.nn.sufficient_statistics([1.0, 3.0], [0])
    >>> float(count), float(total), float(squares), shift
    (2.0, 4.0, 10.0, None)
    """
    name = "sufficient_statistics"
    x = operand(name, x)
    static = (_axes(x, axes, name), flag(keepdims, "keepdims", "sufficient_statistics"))
    given = () if shift is None else (operand(name, shift, x.dtype),)
    return (*_sufficient_statistics.fast(*static)(x, *given), *(given or (None,)))


def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike | None,
    name: str | None = None,
) -> Any:
    """Mean and variance from the results of `sufficient_statistics`.

    Args:
        counts: The number of elements: a scalar of floats.
        mean_ss: The sum of the elements, less the shift.
        variance_ss: The sum of their squares.
        shift: What was subtracted from the elements, or None.

    Returns:
        A pair (mean, variance).

    Raises:
        TypeError: If `counts` is no float.

    >>> import tfc as tf
    >>> mean, variance = tf.nn.normalize_moments(*tf.nn.sufficient_statistics([1.0, 3.0], [0]))
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    counts = operand("normalize_moments", counts)
    divisor = divide(1.0, counts)
    moved = multiply(mean_ss, divisor)
    mean = moved if shift is None else moved + shift
    return mean, subtract(multiply(variance_ss, divisor), square(moved))


@primitive
def _batch_normalization(b: Builder, x: Value, mean: Value, variance: Value, *rest: Any) -> Value:
    *more, has_offset, has_scale, epsilon = rest
    _only_floats(x, "batch_normalization")
    t = Term(b, variance)
    if epsilon is None:
        *more, epsilon = more
        epsilon, variance = broadcast_together(b, epsilon, variance)
        t = Term(b, variance)
    inverse = b.emit(ir.Rsqrt((t + epsilon).value))
    if has_scale:
        inverse, scale = broadcast_together(b, inverse, more[-1])
        inverse = b.emit(ir.Mul(inverse, scale))
    mean, inverse = broadcast_together(b, mean, inverse)
    away = b.emit(ir.Mul(mean, inverse))
    if has_offset:
        offset, away = broadcast_together(b, more[0], away)
        moved = b.emit(ir.Sub(offset, away))
    else:
        moved = b.emit(ir.Neg(away))
    x, inverse, moved = broadcast_together(b, x, inverse, moved)
    return b.emit(ir.Add(b.emit(ir.Mul(x, inverse)), moved))


def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: TensorLike | None,
    scale: TensorLike | None,
    variance_epsilon: float,
    name: str | None = None,
) -> Tensor:
    """(x - mean) / sqrt(variance + variance_epsilon) * scale + offset, computed as x * (scale /
    sqrt(...)) + the rest; `offset` and `scale` may be None. All broadcast against x.

    Args:
        x: A tensor of floats.
        mean: The mean, which broadcasts against `x`.
        variance: The variance, likewise.
        offset: What is added at the end; None: nothing.
        scale: What the normalised elements are multiplied by; None: nothing.
        variance_epsilon: What is added to the variance.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are no floats (TypeError).

    >>> import tfc as tf
    >>> print(tf.nn.batch_normalization([1.0, 5.0], 3.0, 4.0, 10.0, 2.0, 0.0))
    tf.Tensor([ 8. 12.], shape=(2,), dtype=float32)
    """
    x = operand("batch_normalization", x)
    for what, v in (("mean", mean), ("variance", variance)):
        if v is None:
            raise blame.type_error(f"{what} must be a tensor, got None", "batch_normalization")
    given = [v for v in (mean, variance, offset, scale) if v is not None]
    # An epsilon that is computed is one more operand.
    unknown = is_unknown(variance_epsilon)
    given += [variance_epsilon] * unknown
    tensors = [operand("batch_normalization", v, dtype_hint=x.dtype) for v in given]
    epsilon = None if unknown else float(variance_epsilon)
    static = (offset is not None, scale is not None, epsilon)
    return _batch_normalization.fast(*static)(x, *tensors)


@primitive
def _fused_batch_norm(b: Builder, x: Value, scale: Value, offset: Value, *rest: Any) -> Any:
    """Results: y, the mean and the variance to keep (Bessel's), and the mean and variance used."""
    *running, axis, epsilon, training, factor = rest
    dims = (axis,)
    channels = (x.shape[axis],)
    scale, offset, *running = (retype(b, v, channels) for v in (scale, offset, *running))
    axes = tuple(a for a in range(x.rank) if a != axis)
    compute = x.dtype.compute
    wide = Term(b, b.emit(ir.Cast(x, compute)))

    def spread(v: Value) -> Term:
        return Term(b, b.emit(ir.Broadcast(v, x.shape, dims)))

    if training:
        mean = mean_of(b, wide.value, axes, False)
        distance = wide - spread(mean)
        variance = mean_of(b, (distance * distance).value, axes, False)
        count = b.emit(ir.ExtentOf(product(x.shape[a] for a in axes)))
        n = Term(b, broadcast_to(b, b.emit(ir.Cast(count, compute)), variance.shape))
        below = n - 1
        least = Term(b, b.emit(ir.Maximum(below.value, below.const(1).value)))
        unbiased = Term(b, variance) * (n / least)
        kept = [Term(b, mean), unbiased]
        if factor != 1.0:
            pairs = zip(kept, running, strict=True)
            kept = [new * factor + Term(b, old) * (1 - factor) for new, old in pairs]
    else:
        mean, variance = running
        distance = wide - spread(mean)
        kept = [Term(b, mean), Term(b, variance)]
    inverse = b.emit(ir.Rsqrt((Term(b, variance) + epsilon).value))
    factor_ = spread(b.emit(ir.Mul(inverse, scale)))
    y = distance * factor_ + spread(offset)
    return b.emit(ir.Cast(y.value, x.dtype)), kept[0].value, kept[1].value


def fused_batch_norm(
    x: TensorLike,
    scale: TensorLike,
    offset: TensorLike,
    mean: TensorLike | None = None,
    variance: TensorLike | None = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> Any:
    """Batch normalisation over all axes but the channels (tf.compat.v1): the result, and the mean
    and variance, which in training are the batch's (the variance with Bessel's correction), mixed
    into `mean` and `variance` by `exponential_avg_factor`; else the given ones, which it uses.
    Halves are computed in float32, the dtype of everything but x."""
    op = "fused_batch_norm"
    x = operand(op, x)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"not defined for dtype {x.dtype.name}", op)
    if len(x.shape) not in (4, 5) or not one_of(data_format, ("NHWC", "NCHW", "NDHWC", "NCDHW")):
        raise blame.value_error(
            f"x must be of rank 4 or 5, NHWC or NCHW: {x.shape}, {data_format!r}", op
        )
    axis = 1 if data_format[1] == "C" else len(x.shape) - 1
    kind = x.dtype.compute
    scale, offset = operand(op, scale, kind), operand(op, offset, kind)
    is_training = flag(is_training, "is_training", op)
    mixes = is_training and exponential_avg_factor != 1.0
    if (mixes or not is_training) and (mean is None or variance is None):
        raise blame.value_error(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or "
            "`exponential_avg_factor` != 1.0.",
            op,
        )
    needed = mixes or not is_training
    running = tuple(operand(op, v, kind) for v in (mean, variance)) if needed else ()
    static = (
        axis,
        float(epsilon),
        is_training,
        float(exponential_avg_factor),
    )
    return _fused_batch_norm.fast(*static)(x, scale, offset, *running)


@primitive
def _lrn(b: Builder, x: Value, radius: int, bias: float, alpha: float, beta: float) -> Value:
    _only_floats(x, "local_response_normalization")
    rows, channels = product(x.shape[:-1]), x.shape[-1]
    squares = b.emit(ir.Reshape(b.emit(ir.Mul(x, x)), (rows, channels, 1)))
    ones = broadcast_to(b, b.constant(1, x.dtype), (2 * radius + 1, 1, 1))
    around = b.emit(ir.Conv(squares, ones, (channels,), (1,), (radius,), (1,), (1,), 1, 1))
    norm = Term(b, b.emit(ir.Reshape(around, x.shape))) * alpha + bias
    return b.emit(ir.Div(x, b.emit(ir.Pow(norm.value, norm.const(beta).value))))


def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """x / (bias + alpha * sum of x^2 over the channels near by) ** beta (Krizhevsky et al.,
    "ImageNet classification with deep convolutional networks", 2012).

    Args:
        input: A tensor of floats [batch, rows, columns, channels].
        depth_radius: How far away a channel may be, an integer that is not negative.
        bias: What is added to the sum.
        alpha: The factor of the sum.
        beta: The exponent.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If the rank is not 4, or the radius negative (ValueError while
            tracing); if the dtype is no float (TypeError).
        TypeError: If the radius is no integer.

    >>> import tfc as tf
    >>> x = tf.reshape([3.0, 4.0], [1, 1, 1, 2])
    >>> print(tf.reshape(tf.nn.local_response_normalization(x, bias=0.0), [-1]).numpy().round(4))
    [0.6 0.8]
    """
    op = "local_response_normalization"
    x, radius = operand(op, input), _integer(depth_radius, "depth_radius", op)
    if len(x.shape) != 4:
        raise blame.invalid(f"input must be 4-dimensional, got {x.shape}", op)
    if radius < 0:
        raise blame.invalid(f"depth_radius must not be negative, got {radius}", op)
    return _lrn.fast(radius, float(bias), float(alpha), float(beta))(x)


lrn = local_response_normalization


def l2_normalize(
    x: TensorLike,
    axis: AxisLike | None = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: AxisLike | None = None,
) -> Tensor:
    """x / sqrt(max(sum of x^2 along `axis`, epsilon)).

    Args:
        x: A tensor of floats or complex numbers.
        axis: The axes that the norm is taken over; None: all.
        epsilon: The least that is divided by the root of.
        dim: An old name of `axis`.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If both `axis` and `dim` are given.
        InvalidArgumentError: If an axis is not there (ValueError while tracing).
        TypeError: If the dtype is an integer.

    >>> import tfc as tf
    >>> print(tf.nn.l2_normalize([3.0, 4.0]))
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    x = operand("l2_normalize", x)
    if dim is not None:
        if axis is not None:
            raise blame.value_error("axis and dim are one: give axis", "l2_normalize")
        axis = dim
    if is_unknown(axis) and not len(axis.shape):
        result: Tensor = above.applied_along(
            lambda xs: l2_normalize(xs[0], -1, epsilon), [x], axis, "l2_normalize"
        )
        return result
    size = square(absolute(x)) if x.dtype.is_complex else square(x)
    total = reduce_sum(size, axis, keepdims=True)
    return multiply(x, cast(rsqrt(maximum(total, epsilon)), x.dtype))


def batch_norm_with_global_normalization(
    input: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    beta: TensorLike,
    gamma: TensorLike,
    variance_epsilon: float,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """`batch_normalization` with other names of its arguments.

    Args:
        input: A tensor of floats [batch, height, width, channels].
        mean: The mean of each channel.
        variance: The variance of each channel.
        beta: What is added to the results.
        gamma: What they are multiplied by before that.
        variance_epsilon: A small positive number that is added to the variance.
        scale_after_normalization: Whether `gamma` is used.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If shapes do not broadcast.

    >>> import tfc as tf
    >>> x = tf.constant([[[[3.0]]]])
    >>> y = tf.nn.batch_norm_with_global_normalization(x, [1.0], [4.0], [5.0], [2.0], 0.0, True)
    >>> float(y[0, 0, 0, 0])
    7.0
    """
    op = "batch_norm_with_global_normalization"
    scaled = flag(scale_after_normalization, "scale_after_normalization", op)
    scale = gamma if scaled else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon, name)
