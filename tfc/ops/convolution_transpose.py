"""Convolutions backwards: transposed ones, and gradients by inputs and filters."""

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
from .convolution import DEPTHWISE, _op, _plan
from .windows import Slide, agreed, as_given, channels_last, known


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
