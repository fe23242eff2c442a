"""Convolutions and their transposes, over one to three spatial axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Extent, floordiv

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import primitive, retype
from ..extents import _require_equal, extents_of
from .sliding import (
    Padding,
    PerAxis,
    Slide,
    agreed,
    as_given,
    channels_first,
    channels_last,
    joined_batch,
    known,
    need_axes,
    numbers,
    slide,
)

DEPTHWISE = -1  # as a number of groups: one for each channel


class Filters(NamedTuple):
    """Filters as the IR's Conv has them."""

    shape: tuple[Extent, ...]
    groups: Extent
    channels: Extent  # of the input, in all groups

    @classmethod
    def of(cls, shape: Sequence[Extent], how: Slide, groups: int) -> Filters:
        """Those of TensorFlow's of this shape."""
        *_, i, j = shape
        if groups == DEPTHWISE:
            return cls((*how.window, 1, i * j), i, i)
        return cls((*how.window, i, floordiv(j, groups) * groups), groups, i * groups)

    def conv(self, x: Value, w: Value, how: Slide) -> ir.Conv:
        """The Conv, not yet emitted, of x [N, spatial..., C]."""
        if x.dtype is not w.dtype:
            raise OpError("conv: operands must have the same dtype", "dtype")
        ones = (1,) * len(how.strides)
        size = how.sizes(x.shape[1:-1])
        return ir.Conv(x, w, size, how.strides, how.low, how.dilations, ones, self.groups, 1)


OTHER_CHANNELS = "conv: the filters are for another number of channels"


@primitive
def _conv(b: Builder, x: Value, w: Value, how: Slide, groups: int) -> Value:
    axes = len(how.strides)
    batch = joined_batch(x, axes)
    x = channels_last(b, x, axes, how.channels_first)
    filters = Filters.of(w.shape, how, groups)
    results = w.shape[-1] if groups != DEPTHWISE else filters.shape[-1]
    x = agreed(b, x, x.rank - 1, filters.channels, OTHER_CHANNELS)
    y = b.emit(filters.conv(x, retype(b, w, filters.shape), how))
    y = retype(b, y, (*y.shape[:-1], results))
    return as_given(b, y, batch, how.channels_first)


def _checked_groups(channels: Extent, filters: tuple[Extent, ...], name: str) -> int:
    """How many groups of channels there are: the filters see `filters[-2]` of them each."""
    taken, results = filters[-2:]
    if not isinstance(channels, int) or not isinstance(taken, int):
        return 1
    if not taken or channels % taken:
        raise blame.invalid(
            f"input depth must be evenly divisible by filter depth: {channels} vs {taken}", name
        )
    groups = max(channels // taken, 1)
    if isinstance(results, int) and results % groups:
        raise blame.invalid(
            f"output depth must be evenly divisible by number of groups: {results} vs {groups}",
            name,
        )
    return groups


def _plan(
    shape: tuple[Extent, ...],
    filters: tuple[Extent, ...],
    axes: int,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: str,
    depthwise: bool = False,
) -> tuple[Slide, int]:
    """How filters slide over an input, and in how many groups of channels."""
    first = channels_first(data_format, axes, name)
    need_axes(axes, shape, name)
    if len(filters) != axes + 2:
        have = ",".join(map(str, filters))
        raise blame.invalid(f"filter must be {axes + 2}-dimensional: [{have}]", name)
    spatial = shape[len(shape) - axes :] if first else shape[-1 - axes : -1]
    channels = shape[len(shape) - axes - 1] if first else shape[-1]
    by = numbers(strides, axes, first, "strides", name)
    apart = numbers(dilations, axes, first, "dilations", name)
    if known(*filters[:axes]) and 0 in filters[:axes]:
        raise blame.invalid(
            "filter must not have zero elements (i.e. all dimensions must be non-zero), got "
            f"{list(filters)}",
            name,
        )
    how = slide(spatial, filters[:axes], by, apart, padding, first, name)
    if not depthwise:
        return how, _checked_groups(channels, filters, name)
    if known(channels, filters[-2]) and channels != filters[-2]:
        raise blame.invalid(
            f"input and filter must have the same depth: {channels} vs {filters[-2]}", name
        )
    return how, DEPTHWISE


def _convolve(
    name: str,
    axes: int | None,
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    depthwise: bool = False,
) -> Tensor:
    x = operand(name, input)
    w = operand(name, filters, dtype_hint=x.dtype)
    extents, window = extents_of(x), extents_of(w)
    axes = len(window) - 2 if axes is None else axes
    if not 1 <= axes <= 3:
        raise blame.value_error(f"filters must have rank 3, 4 or 5, got {list(window)}", name)
    plan = _plan(extents, window, axes, strides, padding, data_format, dilations, name, depthwise)
    return _conv(x, w, static=plan)


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: PerAxis | None = None,
    padding: Padding = "VALID",
    data_format: str | None = None,
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """The sums of products of filters with what they lie on, as they slide over an input of 1 to 3
    spatial axes.

    The filters are not turned round: this is a correlation, as in TensorFlow. Where the input has a
    multiple of the filters' channels, they are that many groups, each seen by its own share of the
    filters.

    Args:
        input: A tensor of real numbers [batch..., spatial..., channels].
        filters: A tensor of the same dtype [taps..., channels, results].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1. None is 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: last (None, "NWC", "NHWC" or "NDHWC"), or before the
            spatial axes ("NCW", "NCHW" or "NCDHW").
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor [batch..., places..., results] of the same dtype.

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.
        UnimplementedError: If strides or dilations of batch or channels are not 1.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(5.0), [1, 5, 1])
    >>> print(tf.reshape(tf.nn.convolution(x, tf.ones([3, 1, 1])), [-1]))
    tf.Tensor([3. 6. 9.], shape=(3,), dtype=float32)
    """
    return _convolve("convolution", None, input, filters, strides, padding, data_format, dilations)


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: PerAxis,
    padding: Padding,
    data_format: str = "NWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """`convolution` over one axis.

    The filters are not turned round: this is a correlation, as in TensorFlow.

    Args:
        input: A tensor of real numbers [batch..., width, channels].
        filters: A tensor of the same dtype [width, channels, results].
        stride: How far the window moves: a number, or three, of which the outer ones are 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NWC", last, or "NCW", before the width.
        dilations: How far the taps lie apart; None is 1.

    Returns:
        A tensor [batch..., places, results] of the same dtype.

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 2.0, 4.0, 8.0], [1, 4, 1])
    >>> w = tf.reshape([-1.0, 1.0], [2, 1, 1])
    >>> print(tf.reshape(tf.nn.conv1d(x, w, 1, "VALID"), [-1]))
    tf.Tensor([1. 2. 4.], shape=(3,), dtype=float32)
    """
    return _convolve("conv1d", 1, input, filters, stride, padding, data_format, dilations)


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """`convolution` over two axes: `filters` is [height, width, channels, results].

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        filters: A tensor of the same dtype [height, width, channels, results].
        strides: How far the window moves: a number, or one for each of the two axes, or of all
            four.
        padding: "SAME", "VALID", or a pair (before, after) for each axis.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart; None is 1.

    Returns:
        A tensor [batch, height, width, results].

    Raises:
        InvalidArgumentError: If the channels do not fit (ValueError while tracing).
        ValueError: If a rank or `padding` is another one.

    >>> import tfc as tf
    >>> image = tf.ones([1, 3, 3, 1])
    >>> y = tf.nn.conv2d(image, tf.ones([2, 2, 1, 1]), strides=1, padding="SAME")
    >>> print(tf.reshape(y, [3, 3]))
    tf.Tensor(
    [[4. 4. 2.]
     [4. 4. 2.]
     [2. 2. 1.]], shape=(3, 3), dtype=float32)
    """
    return _convolve("conv2d", 2, input, filters, strides, padding, data_format, dilations)


def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NDHWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """`convolution` over three axes.

    Args:
        input: A tensor of real numbers [batch..., depth, height, width, channels].
        filters: A tensor of the same dtype [depth, height, width, channels, results].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NDHWC", last, or "NCDHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor [batch..., depth, height, width, results] of the same dtype.

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x, w = tf.ones([1, 3, 3, 3, 2]), tf.ones([2, 2, 2, 2, 1])
    >>> y = tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "VALID")
    >>> print(y.shape, float(y[0, 0, 0, 0, 0]))
    (1, 2, 2, 2, 1) 16.0
    """
    return _convolve("conv3d", 3, input, filters, strides, padding, data_format, dilations)


def atrous_conv2d(
    value: TensorLike, filters: TensorLike, rate: int, padding: Padding, name: str | None = None
) -> Tensor:
    """`conv2d` with taps `rate` apart.

    Args:
        value: A tensor of real numbers [batch..., height, width, channels].
        filters: A tensor of the same dtype [height, width, channels, results].
        rate: How far the taps lie apart, in both axes.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.

    Returns:
        A tensor [batch..., height, width, results] of the same dtype.

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If a rank or `padding` is another one, or `rate` is below 1.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(5.0), [1, 1, 5, 1])
    >>> print(tf.reshape(tf.nn.atrous_conv2d(x, tf.ones([1, 2, 1, 1]), 3, "VALID"), [-1]))
    tf.Tensor([3. 5.], shape=(2,), dtype=float32)
    """
    return _convolve("atrous_conv2d", 2, value, filters, 1, padding, "NHWC", rate)


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str | None = None,
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """Each channel convolved with filters of its own: `filter` is [height, width, channels,
    multiplier]; result channel c * multiplier + m is channel c with filter m.

    Args:
        input: A tensor of floats [batch, height, width, channels].
        filter: A tensor of the same dtype [height, width, channels, multiplier].
        strides: Four numbers, of which the outer ones are 1.
        padding: "SAME", "VALID", or a pair (before, after) for each axis.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart; None is 1.

    Returns:
        A tensor [batch, height, width, channels * multiplier].

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 10.0], [1, 1, 1, 2])
    >>> w = tf.reshape([2.0, 3.0, 4.0, 5.0], [1, 1, 2, 2])
    >>> print(tf.reshape(tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID"), [-1]))
    tf.Tensor([ 2.  3. 40. 50.], shape=(4,), dtype=float32)
    """
    name = "depthwise_conv2d"
    return _convolve(name, 2, input, filter, strides, padding, data_format, dilations, True)


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: PerAxis,
    padding: Padding,
    data_format: str | None = None,
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, then `conv2d` with filters of one tap.

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        depthwise_filter: A tensor of the same dtype [height, width, channels, multiplier].
        pointwise_filter: A tensor of the same dtype [1, 1, channels * multiplier, results].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor [batch, height, width, results] of the same dtype.

    Raises:
        InvalidArgumentError: If the channels do not fit, or the window is larger than the padded
            input (ValueError while tracing); if the dtypes differ, or are bool or complex
            (TypeError).
        ValueError: If `pointwise_filter` has other taps; if a rank, a length of strides or
            dilations, `padding` or `data_format` is another one.

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 10.0], [1, 1, 1, 2])
    >>> each = tf.reshape([2.0, 3.0], [1, 1, 2, 1])
    >>> y = tf.nn.separable_conv2d(x, each, tf.ones([1, 1, 2, 1]), [1, 1, 1, 1], "VALID")
    >>> y.numpy().item()  # 1 * 2 + 10 * 3
    32.0
    """
    between = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    name = "separable_conv2d"
    taps = extents_of(operand(name, pointwise_filter, dtype_hint=between.dtype))[:2]
    for tap in taps:
        if isinstance(tap, int) and tap != 1:
            raise blame.value_error(f"pointwise_filter must be 1 by 1, got {taps}", name)
        _require_equal(tap, 1)
    return _convolve(
        "separable_conv2d", 2, between, pointwise_filter, 1, "VALID", data_format, None
    )
