"""Convolutions backwards: transposed ones, and gradients by inputs and filters."""

from __future__ import annotations

from typing import Any

from tfc.ir.core import Builder, Value
from tfc.ir.extent import Extent
from tfc.ir.ops.window import conv_filter, conv_input
from tfc.ir.types import TensorType

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import ShapeLike, TensorLike
from ...dispatch.primitive import Sizes, primitive, retype
from ..extents import _require_equal, _shape, extents_of
from .convolution import OTHER_CHANNELS, Filters, _plan
from .sliding import Padding, PerAxis, Slide, agreed, as_given, channels_last, known


@primitive
def _conv_input(b: Builder, dy: Value, w: Value, how: Slide, groups: int, shape: Any) -> Value:
    """The cotangent of the input, whose shape (channels last) is given."""
    dy = channels_last(b, dy, len(how.strides), how.channels_first)
    filters = Filters.of(w.shape, how, groups)
    w = retype(b, w, filters.shape)
    input_shape = (*shape[:-1], filters.channels)
    conv = filters.conv(Value(TensorType(dy.dtype, input_shape)), w, how)
    dy = agreed(b, dy, dy.rank - 1, w.shape[-1], OTHER_CHANNELS)
    dy = agreed(b, dy, 0, shape[0], "conv: the batch is another one")
    dx = conv_input(b, conv, dy)
    dx = agreed(b, dx, dx.rank - 1, shape[-1], OTHER_CHANNELS)
    return as_given(b, dx, dx.shape[:1], how.channels_first)


@primitive
def _conv_filter(b: Builder, x: Value, dy: Value, how: Slide, groups: int, shape: Any) -> Value:
    """The cotangent of filters of the given shape."""
    axes = len(how.strides)
    x, dy = (channels_last(b, v, axes, how.channels_first) for v in (x, dy))
    given = (*how.window, *shape)
    filters = Filters.of(given, how, groups)
    x = agreed(b, x, x.rank - 1, filters.channels, OTHER_CHANNELS)
    conv = filters.conv(x, Value(TensorType(dy.dtype, filters.shape)), how)
    dy = agreed(b, dy, dy.rank - 1, filters.shape[-1], OTHER_CHANNELS)
    dy = agreed(b, dy, 0, x.shape[0], "conv: the batch is another one")
    return retype(b, conv_filter(b, conv, dy), given)


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
) -> Tensor:
    """The cotangent of a convolution's input of the given shape."""
    dy = operand(name, dy)
    w = operand(name, filters, dtype_hint=dy.dtype)
    want = tuple(_shape(shape, name))
    if len(want) != axes + 2:
        raise blame.value_error(f"the shape must have {axes + 2} extents, got {want}", name)
    plan = _plan(
        want, extents_of(w), axes, strides, padding, data_format, dilations, name, depthwise
    )
    _fits(dy, want, plan[0], _results(extents_of(w)[-2:], depthwise), name)
    last = (want[0], *want[2:], want[1]) if plan[0].channels_first else want
    return _conv_input(dy, w, static=(*plan, Sizes(last)))


def _results(channels: tuple[Extent, ...], depthwise: bool) -> Extent:
    """How many channels the result of filters with these last extents has."""
    return channels[0] * channels[1] if depthwise else channels[1]


def _fits(dy: Any, shape: tuple[Extent, ...], how: Slide, results: Extent, name: str) -> None:
    """Check that a convolution of an input of `shape` has places and channels for dy."""
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
    channels = have[1 if how.channels_first else -1]
    if known(channels, results) and channels != results:
        raise blame.invalid(
            f"the filters give results of depth {results}, but there are gradients of shape "
            f"{list(have)}",
            name,
        )


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: PerAxis,
    padding: Padding = "SAME",
    data_format: str | None = None,
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `convolution`: the gradient that it hands to its input, as a function of the
    gradient by its result.

    Args:
        input: A tensor of real numbers [batch, places..., channels].
        filters: A tensor of the same dtype [taps..., results, channels], of 1 to 3 spatial axes.
        output_shape: The shape of the result: integers, or a vector of them.
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: last (None, "NWC", "NHWC" or "NDHWC"), or before the
            spatial axes ("NCW", "NCHW" or "NCDHW").
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `output_shape` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x, w = tf.reshape([1.0, 10.0], [1, 2, 1]), tf.reshape([1.0, 2.0], [2, 1, 1])
    >>> print(tf.reshape(tf.nn.conv_transpose(x, w, [1, 4, 1], 2), [-1]))
    tf.Tensor([ 1.  2. 10. 20.], shape=(4,), dtype=float32)
    """
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
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: PerAxis,
    padding: Padding = "SAME",
    data_format: str = "NWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`.

    Args:
        input: A tensor of real numbers [batch, places, channels].
        filters: A tensor of the same dtype [width, results, channels].
        output_shape: The shape of the result: integers, or a vector of them.
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NWC", last, or "NCW", before the width.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `output_shape` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x, w = tf.reshape([1.0, 10.0], [1, 2, 1]), tf.reshape([1.0, 2.0], [2, 1, 1])
    >>> print(tf.reshape(tf.nn.conv1d_transpose(x, w, [1, 3, 1], 1, "VALID"), [-1]))
    tf.Tensor([ 1. 12. 20.], shape=(3,), dtype=float32)
    """
    name = "conv1d_transpose"
    return _transposed(
        name, 1, input, filters, output_shape, strides, padding, data_format, dilations
    )


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: PerAxis,
    padding: Padding = "SAME",
    data_format: str = "NHWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`.

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        filters: A tensor of the same dtype [height, width, results, channels].
        output_shape: The shape of the result: integers, or a vector of them.
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `output_shape` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

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
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: PerAxis,
    padding: Padding = "SAME",
    data_format: str = "NDHWC",
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`.

    Args:
        input: A tensor of real numbers [batch, depth, height, width, channels].
        filters: A tensor of the same dtype [depth, height, width, results, channels].
        output_shape: The shape of the result: integers, or a vector of them.
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NDHWC", last, or "NCDHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `output_shape` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x, w = tf.ones([1, 1, 1, 1, 1]), tf.ones([2, 2, 2, 1, 1])
    >>> y = tf.nn.conv3d_transpose(x, w, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1])
    >>> float(tf.reduce_sum(y))
    8.0
    """
    name = "conv3d_transpose"
    return _transposed(
        name, 3, input, filters, output_shape, strides, padding, data_format, dilations
    )


def atrous_conv2d_transpose(
    value: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    rate: int,
    padding: Padding,
    name: str | None = None,
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    Args:
        value: A tensor of real numbers [batch, height, width, channels].
        filters: A tensor of the same dtype [height, width, results, channels].
        output_shape: The shape of the result: integers, or a vector of them.
        rate: How far the taps lie apart, in both axes.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.

    Returns:
        A tensor of shape `output_shape` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank or `padding` is another one, or `rate` is below 1.

    >>> import tfc as tf
    >>> x, w = tf.reshape([1.0, 10.0], [1, 1, 2, 1]), tf.ones([1, 2, 1, 1])
    >>> y = tf.nn.atrous_conv2d_transpose(x, w, [1, 1, 5, 1], 3, "VALID")
    >>> print(tf.reshape(y, [-1]))
    tf.Tensor([ 1. 10.  0.  1. 10.], shape=(5,), dtype=float32)
    """
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
) -> Tensor:
    """The cotangent of a convolution's filters of the given shape."""
    x = operand(name, input)
    dy = operand(name, dy, dtype_hint=x.dtype)
    want = tuple(_shape(shape, name))
    extents = extents_of(x)
    plan = _plan(extents, want, axes, strides, padding, data_format, dilations, name, depthwise)
    _fits(dy, extents, plan[0], _results(want[-2:], depthwise), name)
    return _conv_filter(x, dy, static=(*plan, Sizes(want[-2:])))


def conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: TensorLike | None = None,
    out_backprop: TensorLike | None = None,
    strides: PerAxis | None = None,
    padding: Padding | None = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: PerAxis = (1, 1, 1, 1),
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Any:
    """The gradient of `conv2d` by its input of shape `input_sizes` (tf.compat.v1)."""
    w = filter if filters is None else filters
    name = "conv2d_backprop_input"
    return _transposed(
        name, 2, out_backprop, w, input_sizes, strides, padding, data_format, dilations
    )


def conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: ShapeLike,
    out_backprop: TensorLike,
    strides: PerAxis,
    padding: Padding,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: PerAxis = (1, 1, 1, 1),
    name: str | None = None,
) -> Any:
    """The gradient of `conv2d` by its filters of shape `filter_sizes` (tf.compat.v1)."""
    name = "conv2d_backprop_filter"
    return _filters_gradient(
        name, 2, input, filter_sizes, out_backprop, strides, padding, data_format, dilations
    )


def conv3d_backprop_filter_v2(
    input: TensorLike,
    filter_sizes: ShapeLike,
    out_backprop: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NDHWC",
    dilations: PerAxis = (1, 1, 1, 1, 1),
    name: str | None = None,
) -> Any:
    """The gradient of `conv3d` by its filters of shape `filter_sizes` (tf.compat.v1)."""
    name = "conv3d_backprop_filter_v2"
    return _filters_gradient(
        name, 3, input, filter_sizes, out_backprop, strides, padding, data_format, dilations
    )


def depthwise_conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: PerAxis = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` by its input.

    Args:
        input_sizes: The shape of the input: four integers, or a vector of them.
        filter: A tensor of real numbers [height, width, channels, multiplier].
        out_backprop: The gradient by the result, of the same dtype [batch, height, width, channels
            * multiplier].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `input_sizes` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> dy, w = tf.reshape([1.0, 10.0], [1, 1, 1, 2]), tf.reshape([2.0, 3.0], [1, 1, 2, 1])
    >>> one = [1, 1, 1, 1]
    >>> dx = tf.nn.depthwise_conv2d_backprop_input([1, 1, 1, 2], w, dy, one, "VALID")
    >>> print(tf.reshape(dx, [-1]))
    tf.Tensor([ 2. 30.], shape=(2,), dtype=float32)
    """
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
    input: TensorLike,
    filter_sizes: ShapeLike,
    out_backprop: TensorLike,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    dilations: PerAxis = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` by its filters.

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        filter_sizes: The shape of the filters: four integers, or a vector of them.
        out_backprop: The gradient by the result, of the same dtype [batch, height, width, channels
            * multiplier].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor of shape `filter_sizes` and the same dtype.

    Raises:
        InvalidArgumentError: If there is no convolution of that shape to which places and channels
            fit (ValueError while tracing), or the dtypes differ or are bool or complex (TypeError).
        ValueError: If a rank, a length of strides or dilations, `padding` or `data_format` is
            another one.

    >>> import tfc as tf
    >>> x, dy = tf.reshape([1.0, 10.0], [1, 1, 1, 2]), tf.reshape([2.0, 3.0], [1, 1, 1, 2])
    >>> one = [1, 1, 1, 1]
    >>> dw = tf.nn.depthwise_conv2d_backprop_filter(x, [1, 1, 2, 1], dy, one, "VALID")
    >>> print(tf.reshape(dw, [-1]))
    tf.Tensor([ 2. 30.], shape=(2,), dtype=float32)
    """
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
