"""Convolutions and their transposes, over one to three spatial axes."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Extent
from tfc.ir.ops.window import conv_filter, conv_input
from tfc.ir.types import TensorType

from .. import blame
from ..dispatch import Sizes, primitive
from ..tensor import operand
from .array import _require_equal, as_extents, extents_of
from .windows import (
    Slide,
    agreed,
    as_given,
    channels_first,
    channels_last,
    joined_batch,
    known,
    numbers,
    slide,
)

DEPTHWISE = -1  # as a number of groups: one for each channel


def _op(b: Builder, x: Value, w: Value, how: Slide, groups: int) -> ir.Conv:
    """The Conv, not yet emitted, of x [N, spatial..., C] and filters as TensorFlow has them."""
    if x.dtype is not w.dtype:
        raise OpError("conv: operands must have the same dtype", "dtype")
    *_, i, j = w.shape
    w = b.emit(ir.Reshape(w, (*how.window, i, j))) if w.shape[:-2] != how.window else w
    count: Extent = groups
    if groups == DEPTHWISE:
        x = agreed(b, x, x.rank - 1, i, "conv: the filter is for another number of channels")
        w = b.emit(ir.Reshape(w, (*how.window, 1, i * j)))
        count = i
    else:
        x = agreed(b, x, x.rank - 1, i * groups, "conv: the filters take other channels")
    ones = (1,) * len(how.strides)
    size = how.sizes(x.shape[1:-1])
    return ir.Conv(x, w, size, how.strides, how.low, how.dilations, ones, count, 1)


@primitive
def _conv(b: Builder, x: Value, w: Value, how: Slide, groups: int) -> Any:
    axes = len(how.strides)
    batch = joined_batch(x, axes)
    y = b.emit(_op(b, channels_last(b, x, axes, how.channels_first), w, how, groups))
    return as_given(b, y, batch, how.channels_first)


@primitive
def _conv_input(b: Builder, dy: Value, w: Value, how: Slide, groups: int, shape: Any) -> Any:
    """The cotangent of the input, whose shape (channels last) is given."""
    if dy.dtype is not w.dtype:
        raise OpError("conv: operands must have the same dtype", "dtype")
    axes = len(how.strides)
    dy = channels_last(b, dy, axes, how.channels_first)
    conv = _op(b, Value(TensorType(dy.dtype, tuple(shape))), w, how, groups)
    dy = agreed(b, dy, dy.rank - 1, conv.w.shape[-1], "conv: the filters give other channels")
    dy = agreed(b, dy, 0, shape[0], "conv: the batch is another one")
    dx = conv_input(b, conv, dy)
    return as_given(b, dx, dx.shape[:1], how.channels_first)


@primitive
def _conv_filter(b: Builder, x: Value, dy: Value, how: Slide, groups: int, shape: Any) -> Any:
    """The cotangent of filters of the given shape."""
    if dy.dtype is not x.dtype:
        raise OpError("conv: operands must have the same dtype", "dtype")
    axes = len(how.strides)
    x, dy = (channels_last(b, v, axes, how.channels_first) for v in (x, dy))
    conv = _op(b, x, Value(TensorType(dy.dtype, (*how.window, *shape))), how, groups)
    dy = agreed(b, dy, dy.rank - 1, conv.w.shape[-1], "conv: dy has other channels")
    dy = agreed(b, dy, 0, conv.x.shape[0], "conv: the batch is another one")
    dw = conv_filter(b, conv, dy)
    return dw if groups != DEPTHWISE else b.emit(ir.Reshape(dw, (*how.window, *shape)))


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
    if len(shape) < axes + 2:
        raise blame.value_error(
            f"input must have at least rank {axes + 2}, got shape {list(shape)}", name
        )
    if len(filters) != axes + 2:
        raise blame.value_error(f"filters must have rank {axes + 2}, got {list(filters)}", name)
    spatial = shape[len(shape) - axes :] if first else shape[-1 - axes : -1]
    channels = shape[len(shape) - axes - 1] if first else shape[-1]
    by = numbers(strides, axes, first, "strides", name)
    apart = numbers(dilations, axes, first, "dilations", name)
    if known(*filters[:axes]) and 0 in filters[:axes]:
        raise blame.invalid(f"filters must not be empty, got {list(filters)}", name)
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
) -> Any:
    x = operand(name, input)
    w = operand(name, filters, dtype_hint=x.dtype)
    extents, window = extents_of(x), extents_of(w)
    axes = len(window) - 2 if axes is None else axes
    if not 1 <= axes <= 3:
        raise blame.value_error(f"filters must have rank 3, 4 or 5, got {list(window)}", name)
    plan = _plan(
        extents, window, axes, strides, padding, data_format, dilations, name, depthwise
    )
    return _conv(x, w, static=plan)


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: Any = None,
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """The sums of products of `filters` [taps..., channels, results] with what they lie on, as
    they slide over `input` [batch..., spatial..., channels] (over 1 to 3 spatial axes).

    With `data_format` "NCW", "NCHW" or "NCDHW" the channels stand before the spatial axes. Where
    the input has a multiple of the filters' channels, they are that many groups, each seen by its
    own share of the filters. `padding` is "SAME", "VALID" or a list of pairs for all axes.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(5.0), [1, 5, 1])
    >>> print(tf.reshape(tf.nn.convolution(x, tf.ones([3, 1, 1])), [-1]))
    tf.Tensor([3. 6. 9.], shape=(3,), dtype=float32)
    """
    return _convolve("convolution", None, input, filters, strides, padding, data_format, dilations)


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: Any = "NWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`convolution` over one axis: `filters` is [width, channels, results]."""
    return _convolve("conv1d", 1, input, filters, stride, padding, data_format, dilations)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any = "NHWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`convolution` over two axes: `filters` is [height, width, channels, results].

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
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: Any = "NDHWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`convolution` over three axes: `filters` is [depth, height, width, channels, results]."""
    return _convolve("conv3d", 3, input, filters, strides, padding, data_format, dilations)


def atrous_conv2d(value: Any, filters: Any, rate: int, padding: Any, name: Any = None) -> Any:
    """`conv2d` with taps `rate` apart."""
    return _convolve("atrous_conv2d", 2, value, filters, 1, padding, "NHWC", rate)


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: Any = None,
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """Each channel convolved with filters of its own: `filter` is [height, width, channels,
    multiplier]; result channel c * multiplier + m is channel c with filter m."""
    name = "depthwise_conv2d"
    return _convolve(name, 2, input, filter, strides, padding, data_format, dilations, True)


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: Any = None,
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """`depthwise_conv2d`, then `conv2d` with `pointwise_filter` [1, 1, channels, results]."""
    between = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    taps = extents_of(operand("separable_conv2d", pointwise_filter, dtype_hint=between.dtype))[:2]
    if taps != (1, 1):
        raise blame.value_error(f"pointwise_filter must be 1 by 1, got {taps}", "separable_conv2d")
    return _convolve(
        "separable_conv2d", 2, between, pointwise_filter, 1, "VALID", data_format, None
    )


# Gradients and transposes.


def _transposed(
    name: str,
    axes: int,
    dy: Any,
    filters: Any,
    shape: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    depthwise: bool = False,
) -> Any:
    """The cotangent of a convolution's input of the given shape."""
    dy = operand(name, dy)
    w = operand(name, filters, dtype_hint=dy.dtype)
    want = as_extents(shape, name)
    if len(want) != axes + 2:
        raise blame.value_error(f"the shape must have {axes + 2} extents, got {want}", name)
    plan = _plan(
        want, extents_of(w), axes, strides, padding, data_format, dilations, name, depthwise
    )
    _fits(dy, want, plan[0], name)
    last = (want[0], *want[2:], want[1]) if plan[0].channels_first else want
    return _conv_input(dy, w, static=(*plan, Sizes(last)))


def _fits(dy: Any, shape: tuple[Extent, ...], how: Slide, name: str) -> None:
    """Check that a convolution of an input of `shape` has places for dy."""
    have = extents_of(dy)
    if len(have) != len(shape):
        raise blame.value_error(f"needs rank {len(shape)}, got shape {list(have)}", name)
    inner = slice(2, None) if how.channels_first else slice(1, -1)
    pairs = [(have[0], shape[0]), *zip(have[inner], how.sizes(shape[inner]), strict=True)]
    for got, want in pairs:
        if known(got, want) and got != want:
            raise blame.invalid(
                f"an input of shape {list(shape)} gives places {how.sizes(shape[inner])}, "
                f"but there are gradients of shape {list(have)}",
                name,
            )
        _require_equal(got, want)


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = None,
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """The transpose of `convolution`: its gradient as a function of `input`, with the shape
    `output_shape`. `filters` is [taps..., results, channels]."""
    axes = len(extents_of(operand("conv_transpose", filters))) - 2
    return _transposed(
        "conv_transpose",
        axes,
        input,
        filters,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
    )


def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = "NWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """The transpose of `conv1d`: `filters` is [width, results, channels]."""
    name = "conv1d_transpose"
    return _transposed(
        name, 1, input, filters, output_shape, strides, padding, data_format, dilations
    )


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = "NHWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """The transpose of `conv2d`: `filters` is [height, width, results, channels].

    >>> import tfc as tf
    >>> y = tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], 2)
    >>> float(tf.reduce_sum(y))
    16.0
    """
    name = "conv2d_transpose"
    return _transposed(
        name, 2, input, filters, output_shape, strides, padding, data_format, dilations
    )


def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = "NDHWC",
    dilations: Any = None,
    name: Any = None,
) -> Any:
    """The transpose of `conv3d`: `filters` is [depth, height, width, results, channels]."""
    name = "conv3d_transpose"
    return _transposed(
        name, 3, input, filters, output_shape, strides, padding, data_format, dilations
    )


def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: Any, name: Any = None
) -> Any:
    """The transpose of `atrous_conv2d`: `filters` is [height, width, results, channels]."""
    name = "atrous_conv2d_transpose"
    return _transposed(name, 2, value, filters, output_shape, 1, padding, "NHWC", rate)


def _filters_gradient(
    name: str,
    axes: int,
    input: Any,
    shape: Any,
    dy: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    depthwise: bool = False,
) -> Any:
    """The cotangent of a convolution's filters of the given shape."""
    x = operand(name, input)
    dy = operand(name, dy, dtype_hint=x.dtype)
    want = as_extents(shape, name)
    extents = extents_of(x)
    plan = _plan(extents, want, axes, strides, padding, data_format, dilations, name, depthwise)
    _fits(dy, extents, plan[0], name)
    return _conv_filter(x, dy, static=(*plan, Sizes(want[-2:])))


def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: Any = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
    filters: Any = None,
) -> Any:
    """The gradient of `conv2d` by its input of shape `input_sizes` (tf.compat.v1)."""
    w = filter if filters is None else filters
    name = "conv2d_backprop_input"
    return _transposed(
        name, 2, out_backprop, w, input_sizes, strides, padding, data_format, dilations
    )


def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: Any = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
) -> Any:
    """The gradient of `conv2d` by its filters of shape `filter_sizes` (tf.compat.v1)."""
    name = "conv2d_backprop_filter"
    return _filters_gradient(
        name, 2, input, filter_sizes, out_backprop, strides, padding, data_format, dilations
    )


def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: Any = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
) -> Any:
    """The gradient of `depthwise_conv2d` by its input of shape `input_sizes`."""
    name = "depthwise_conv2d_backprop_input"
    return _transposed(
        name,
        2,
        out_backprop,
        filter,
        input_sizes,
        strides,
        padding,
        data_format,
        dilations,
        depthwise=True,
    )


def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: Any = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
) -> Any:
    """The gradient of `depthwise_conv2d` by its filter of shape `filter_sizes`."""
    name = "depthwise_conv2d_backprop_filter"
    return _filters_gradient(
        name,
        2,
        input,
        filter_sizes,
        out_backprop,
        strides,
        padding,
        data_format,
        dilations,
        depthwise=True,
    )
