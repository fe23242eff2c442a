"""Convolutions of one, two and three axes; channels first are turned to the end and back."""

from __future__ import annotations

import math
from typing import Any

from keras.src.backend.common.backend_utils import (
    check_conv_input_channels,
    check_conv_transpose_input_channels,
    compute_conv_transpose_output_shape,
)

import tfc as tf

from ..core import shape
from ..numpy.promotion import operands
from .layout import channels_first, channels_last, each, is_first


def conv(
    inputs: Any,
    kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> tf.Tensor:
    """By a kernel [..., channels of a group, channels out]."""
    x, kernel = operands(inputs, kernel)
    if is_first(data_format):
        x = conv(channels_last(x), kernel, strides, padding, "channels_last", dilation_rate)
        return channels_first(x)
    axes = x.ndim - 2
    found = tf.nn.convolution(
        x, kernel, each(strides, axes), padding.upper(), dilations=each(dilation_rate, axes)
    )
    known = found.shape.is_fully_defined() and x.shape.is_fully_defined()
    if known and not math.prod(found.shape) and math.prod(x.shape):
        raise ValueError(
            "The convolution operation resulted in an empty output. Output shape: "
            f"{found.shape}. This can happen if the input is too small for the given kernel size, "
            "strides, dilation rate, and padding mode. Please check the input shape and "
            "convolution parameters."
        )
    return found


def depthwise_conv(
    inputs: Any,
    kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> tf.Tensor:
    """Each channel by itself, by a kernel [..., channels, multiples of each]: a convolution in as
    many groups as there are channels."""
    x, kernel = operands(inputs, kernel)
    axes = x.ndim - 2
    if axes > 2:
        raise ValueError(f"`inputs` rank must be 3 (1D conv) or 4 (2D conv). Received: {x.ndim}.")
    check_conv_input_channels(
        x, kernel, "channels_first" if is_first(data_format) else "channels_last"
    )
    *taps, channels, multiples = shape(kernel)
    grouped = tf.reshape(kernel, [*taps, 1, channels * multiples])
    return conv(x, grouped, strides, padding, data_format, dilation_rate)


def separable_conv(
    inputs: Any,
    depthwise_kernel: Any,
    pointwise_kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> tf.Tensor:
    """Depthwise, then across channels."""
    x = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return conv(x, pointwise_kernel, 1, padding, data_format)


def conv_transpose(
    inputs: Any,
    kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    output_padding: Any = None,
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> tf.Tensor:
    """The gradient of a convolution by its input, for a kernel [..., channels out, channels in]."""
    x, kernel = operands(inputs, kernel)
    first = is_first(data_format)
    check_conv_transpose_input_channels(x, kernel, "channels_first" if first else "channels_last")
    if first:
        x = channels_last(x)
    axes = x.ndim - 2
    extents = compute_conv_transpose_output_shape(
        shape(x),
        tuple(kernel.shape[:-2]),
        kernel.shape[-2],
        strides,
        padding,
        output_padding,
        "channels_last",
        dilation_rate,
    )
    found = tf.nn.conv_transpose(
        x,
        kernel,
        extents,
        each(strides, axes),
        padding.upper(),
        dilations=each(dilation_rate, axes),
    )
    return channels_first(found) if first else found
