"""`tfc.quantization`: numbers rounded as if they were held in few bits, with gradients that pass
through the rounding (Y. Bengio et al.: "Estimating or propagating gradients through stochastic
neurons", 2013)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tfc.ir.dtypes import float32

from ...core import above, blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import AxisLike, TensorLike
from ..arguments import choice, flag
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from ..math import clipping as _clipping
from ..math import comparisons as _comparisons
from ..math import reductions as _reductions


def _bits(num_bits: Any, least: int, most: int, op: str) -> int:
    if not isinstance(num_bits, int) or not least <= num_bits <= most:
        raise blame.invalid(
            f"num_bits must be between {least} and {most}, inclusive, got {shown(num_bits)}", op
        )
    return num_bits


def _inputs(op: str, inputs: Any) -> Tensor:
    x = operand(op, inputs, dtype_hint=float32)
    if x.dtype is not float32:
        raise blame.invalid_dtype(f"{op}: the inputs must be float32, got {x.dtype.name}", op)
    return x


def _range(op: str, low: Any, high: Any, rank: int, channels: Any = None) -> tuple[Any, Any]:
    low, high = (operand(op, v, float32) for v in (low, high))
    if len(low.shape) != rank or len(high.shape) != rank:
        raise blame.invalid(f"min and max must have rank {rank}, got {low.shape}, {high.shape}", op)
    for bound in (low, high):
        if rank and None not in (channels, bound.shape[0]) and bound.shape[0] != channels:
            raise blame.invalid(f"min and max must have {channels} elements, got {bound.shape}", op)
    if not any(isinstance(v, SymbolicTensor) for v in (low, high)):
        first, last = np.asarray(low), np.asarray(high)
        if np.any(first > last):
            raise blame.invalid(f"min must not be above max, got {shown(low)}, {shown(high)}", op)
    return low, high


def _nudged(low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The range moved a little, so that 0 is one of its steps; and the size of a step."""
    least, most = (1.0 if narrow_range else 0.0), float(2**num_bits - 1)
    scale = (high - low) / (most - least)
    zero = least - low / scale
    place = _arithmetic.floor(_clipping.clip_by_value(zero, least, most) + 0.5)
    return (least - place) * scale, (most - place) * scale, scale


def _fake(x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Tensor:
    first, last, scale = _nudged(low, high, num_bits, narrow_range)
    inside = _arithmetic.minimum(_arithmetic.maximum(x, first), last)
    rounded = _arithmetic.floor((inside - first) * (1.0 / scale) + 0.5) * scale + first
    nothing = _comparisons.equal(low, high)  # a range of 0 alone
    return _comparisons.select(nothing, _creation.zeros_like(x), rounded)


def _pulled(g: Any, x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Any:
    """What flows back to the inputs inside of the range, to min and to max."""
    first, last, _ = _nudged(low, high, num_bits, narrow_range)
    none = _creation.zeros_like(g)
    below, above = x < first, x > last
    inside = (x >= first) & (x <= last)  # nan is nowhere
    axes = list(range(len(g.shape) - len(low.shape)))
    to_x = _comparisons.select(inside, g, none)
    to_low, to_high = (
        _reductions.reduce_sum(_comparisons.select(m, g, none), axes)
        if axes
        else _comparisons.select(m, g, none)
        for m in (below, above)
    )
    return to_x, to_low, to_high


def _fake_quant(op: str, x: Any, low: Any, high: Any, num_bits: Any, narrow_range: Any) -> Tensor:
    bits, narrow = _bits(num_bits, 2, 16, op), flag(narrow_range, "narrow_range", op)

    @above.custom_gradient
    def quantized(x: Any, low: Any, high: Any) -> Any:
        def pull(g: Any) -> Any:
            return _pulled(g, x, low, high, bits, narrow)

        return _fake(x, low, high, bits, narrow), pull

    return quantized(x, low, high)


def fake_quant_with_min_max_args(
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Numbers as they are after they were held in a few bits: clipped to [min, max], and rounded to
    one of the 2^num_bits steps between. The range is moved so that 0 is a step.

    The gradient is 1 within the range and 0 outside.

    Args:
        inputs: A tensor of float32, of any shape.
        min: The lower end of the range.
        max: The upper end, above `min`.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tensor like `inputs`.

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> print(tf.quantization.fake_quant_with_min_max_args([0.3, 9.0], 0.0, 1.0, num_bits=2))
    tf.Tensor([0.33333334 1.        ], shape=(2,), dtype=float32)
    """
    op = "quantization.fake_quant_with_min_max_args"
    low, high = _range(op, min, max, 0)
    if float(np.asarray(low)) >= float(np.asarray(high)):
        raise blame.invalid(f"min must be below max, got {min} and {max}", op)
    return _fake_quant(op, _inputs(op, inputs), low, high, num_bits, narrow_range)


def fake_quant_with_min_max_args_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of `fake_quant_with_min_max_args`: `gradients` where the inputs are within the
    range, else 0.

    Args:
        gradients: The gradient by the result: float32, of the shape of `inputs`.
        inputs: A tensor of float32, of any shape.
        min: The lower end of the range.
        max: The upper end.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tensor of float32.

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> g = tf.quantization.fake_quant_with_min_max_args_gradient([1.0, 2.0], [0.0, 7.0])
    >>> print(g)
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    op = "quantization.fake_quant_with_min_max_args_gradient"
    low, high = _range(op, min, max, 0)
    bits = _bits(num_bits, 2, 16, op)
    g, x = _inputs(op, gradients), _inputs(op, inputs)
    return _pulled(
        g,
        x,
        low,
        high,
        bits,
        flag(narrow_range, "narrow_range", "fake_quant_with_min_max_args_gradient"),
    )[0]


def fake_quant_with_min_max_vars(
    inputs: TensorLike,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """`fake_quant_with_min_max_args` with tensors for the bounds, which can be learnt: what is
    below the range has its gradient flow to `min`, what is above it to `max`.

    Args:
        inputs: A tensor of float32, of any shape.
        min: The lower end of the range: a scalar of float32.
        max: The upper end, not below `min`; where they are equal, the result is 0.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tensor like `inputs`.

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> high = tf.Variable(1.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.quantization.fake_quant_with_min_max_vars([0.5, 3.0, 4.0], 0.0, high)
    >>> print(tape.gradient(y, high))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    op = "quantization.fake_quant_with_min_max_vars"
    low, high = _range(op, min, max, 0)
    return _fake_quant(op, _inputs(op, inputs), low, high, num_bits, narrow_range)


class FakeQuantWithMinMaxVarsGradient(NamedTuple):
    """What `fake_quant_with_min_max_vars_gradient` gives."""

    backprops_wrt_input: Any
    backprop_wrt_min: Any
    backprop_wrt_max: Any


def fake_quant_with_min_max_vars_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of `fake_quant_with_min_max_vars` by the inputs, `min` and `max`.

    Args:
        gradients: The gradient by the result: float32, of the shape of `inputs`.
        inputs: A tensor of float32, of any shape.
        min: The lower end of the range: a scalar of float32.
        max: The upper end, not below `min`.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tuple of three tensors of float32: one of the shape of `inputs`, and two scalars.

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> f = tf.quantization.fake_quant_with_min_max_vars_gradient
    >>> [g.numpy().tolist() for g in f([1.0, 2.0], [0.5, 7.0], 0.0, 1.0)]
    [[1.0, 0.0], 0.0, 2.0]
    """
    op = "quantization.fake_quant_with_min_max_vars_gradient"
    low, high = _range(op, min, max, 0)
    bits = _bits(num_bits, 2, 16, op)
    g, x = _inputs(op, gradients), _inputs(op, inputs)
    found = _pulled(
        g,
        x,
        low,
        high,
        bits,
        flag(narrow_range, "narrow_range", "fake_quant_with_min_max_vars_gradient"),
    )
    return FakeQuantWithMinMaxVarsGradient(*found)


def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """`fake_quant_with_min_max_vars` with bounds for each place along the last axis.

    Args:
        inputs: A tensor of float32 [..., channels].
        min: The lower ends of the ranges: float32 [channels].
        max: The upper ends, likewise, not below `min`.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tensor like `inputs`.

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> f = tf.quantization.fake_quant_with_min_max_vars_per_channel
    >>> print(f([[0.4, 0.4]], [0.0, 0.0], [1.0, 3.0], num_bits=2))
    tf.Tensor([[0.33333334 0.        ]], shape=(1, 2), dtype=float32)
    """
    op = "quantization.fake_quant_with_min_max_vars_per_channel"
    x = _inputs(op, inputs)
    if not len(x.shape):
        raise blame.invalid("the inputs must have at least one axis", op)
    low, high = _range(op, min, max, 1, x.shape[-1])
    return _fake_quant(op, x, low, high, num_bits, narrow_range)


class FakeQuantWithMinMaxVarsPerChannelGradient(NamedTuple):
    """What `fake_quant_with_min_max_vars_per_channel_gradient` gives."""

    backprops_wrt_input: Any
    backprop_wrt_min: Any
    backprop_wrt_max: Any


def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of `fake_quant_with_min_max_vars_per_channel` by the inputs, `min` and `max`.

    Args:
        gradients: The gradient by the result: float32, of the shape of `inputs`.
        inputs: A tensor of float32 [..., channels].
        min: The lower ends of the ranges: float32 [channels].
        max: The upper ends, likewise, not below `min`.
        num_bits: How many bits, from 2 to 16.
        narrow_range: Whether there is one step less, so that the steps lie symmetrically.

    Returns:
        A tuple of three tensors of float32: one of the shape of `inputs`, and two of shape
        [channels].

    Raises:
        InvalidArgumentError: If a number is outside of its range, a rank is another one (ValueError
            while tracing), or the dtype is not float32 (TypeError).

    >>> import tfc as tf
    >>> f = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
    >>> [g.numpy().tolist() for g in f([[1.0, 2.0]], [[0.5, 7.0]], [0.0, 0.0], [1.0, 1.0])]
    [[[1.0, 0.0]], [0.0, 0.0], [0.0, 2.0]]
    """
    op = "quantization.fake_quant_with_min_max_vars_per_channel_gradient"
    g, x = _inputs(op, gradients), _inputs(op, inputs)
    low, high = _range(op, min, max, 1, x.shape[-1] if len(x.shape) else None)
    found = _pulled(
        g,
        x,
        low,
        high,
        _bits(num_bits, 2, 16, op),
        flag(narrow_range, "narrow_range", "fake_quant_with_min_max_vars_per_channel_gradient"),
    )
    return FakeQuantWithMinMaxVarsPerChannelGradient(*found)


def quantize_and_dequantize_v2(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: AxisLike | None = None,
) -> Tensor:
    """Floats as they are after they were held as integers of a few bits times a scale.

    The gradient is 1; where the range is given, 0 outside of it.

    Unlike TensorFlow, `input_min` and `input_max` cut no gradient off where the range is not given.

    Args:
        input: A tensor of floats.
        input_min: The lower end of the range, where it is given: a scalar, or [extent of `axis`].
        input_max: The upper end, likewise.
        signed_input: Whether the integers have a sign.
        num_bits: How many bits they have, with the sign: from 2, or 1 without sign, to 63.
        range_given: Whether the range is [input_min, input_max], to which the numbers are clipped.
            It is otherwise that of `input`.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        narrow_range: Whether the least of the integers with a sign is not used.
        axis: The axis whose places have a scale each; None or -1: there is one for all.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If `num_bits` or `axis` is outside of its range, or the bounds have
            another shape (ValueError while tracing); if the dtype is no float (TypeError).
        ValueError: If `round_mode` is another one.

    >>> import tfc as tf
    >>> print(tf.quantization.quantize_and_dequantize_v2(
    ...     [0.3, -1.0, 0.6], -1.0, 0.75, num_bits=3, range_given=True))
    tf.Tensor([ 0.25 -1.    0.5 ], shape=(3,), dtype=float32)
    """
    op = "quantization.quantize_and_dequantize_v2"
    x = operand(op, input, dtype_hint=float32)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"{op}: not defined for dtype {x.dtype.name}", op)
    signed_input = flag(signed_input, "signed_input", op)
    range_given = flag(range_given, "range_given", op)
    bits = _bits(num_bits, 2 if signed_input else 1, 63, op)
    choice(round_mode, ("HALF_TO_EVEN", "HALF_UP"), "round_mode", op)
    rank = len(x.shape)
    if axis is not None and (not isinstance(axis, int) or not -1 <= axis < rank):
        raise blame.invalid(f"axis {shown(axis)} is out of range for rank {rank}", op)
    one = axis is None or axis == -1
    others = [i for i in range(rank) if one or i != axis]
    spread = [1] * rank if one else [-1 if i == axis else 1 for i in range(rank)]
    if range_given:
        low, high = (operand(op, v, x.dtype) for v in (input_min, input_max))
    else:
        low, high = (
            f(x, others) if others else x for f in (_reductions.reduce_min, _reductions.reduce_max)
        )
    low, high = (_conversion.stop_gradient(_shaping.reshape(v, spread)) for v in (low, high))
    least = (
        (-(2 ** (bits - 1)) + flag(narrow_range, "narrow_range", "quantize_and_dequantize_v2"))
        if signed_input
        else 0
    )
    most = 2 ** (bits - 1) - 1 if signed_input else 2**bits - 1
    none = float(x.dtype.max)
    by_low = _comparisons.select(
        low * least > 0, least / _comparisons.select(low == 0, _creation.ones_like(low), low), none
    )
    by_high = _comparisons.select(
        high * most > 0,
        most / _comparisons.select(high == 0, _creation.ones_like(high), high),
        none,
    )
    lower = by_low < by_high
    scale = _comparisons.select(lower, by_low, by_high)
    step = _comparisons.select(lower, low / least, high / most) if least else high / most

    @above.custom_gradient
    def rounded(x: Any) -> Any:
        first, last = step * least, step * most
        given = _arithmetic.minimum(_arithmetic.maximum(x, first), last) if range_given else x
        whole = given * scale
        whole = (
            _arithmetic.round(whole)
            if round_mode == "HALF_TO_EVEN"
            else _arithmetic.floor(whole + 0.5)
        )

        def pull(g: Any) -> Any:
            if not range_given:
                return g
            return _comparisons.select((x >= low) & (x <= high), g, _creation.zeros_like(g))

        return whole * step, pull

    return rounded(x)


def quantize_and_dequantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: AxisLike | None = None,
) -> Tensor:
    """The older name of `quantize_and_dequantize_v2`.

    Args:
        input: A tensor of floats.
        input_min: The lower end of the range, where it is given.
        input_max: The upper end.
        signed_input: Whether the integers have a sign.
        num_bits: How many bits they have.
        range_given: Whether the range is given.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        narrow_range: Whether the least of the integers with a sign is not used.
        axis: The axis whose places have a scale each; None or -1: there is one for all.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: As of `quantize_and_dequantize_v2`.
        ValueError: If `round_mode` is another one.

    >>> import tfc as tf
    >>> print(tf.quantization.quantize_and_dequantize([0.3, -1.0, 0.75], 0.0, 0.0, num_bits=3))
    tf.Tensor([ 0.25 -1.    0.75], shape=(3,), dtype=float32)
    """
    more = (signed_input, num_bits, range_given, round_mode, name, narrow_range, axis)
    x = operand("quantization.quantize_and_dequantize", input, dtype_hint=float32)

    @above.custom_gradient
    def passed(x: Any) -> Any:
        return quantize_and_dequantize_v2(x, input_min, input_max, *more), lambda g: g

    return passed(x)
