"""`tfc.compat.v1.nn`: gradients of convolutions as functions, and fused batch normalisation; all
else is `tfc.nn`'s."""

from __future__ import annotations

from typing import Any

from tfc.ops.nn.convolution_transpose import (
    conv2d_backprop_filter,
    conv2d_backprop_input,
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from tfc.ops.nn.normalization import fused_batch_norm

depthwise_conv2d_native_backprop_filter = depthwise_conv2d_backprop_filter
depthwise_conv2d_native_backprop_input = depthwise_conv2d_backprop_input


def __getattr__(name: str) -> Any:
    import tfc

    if name.startswith("__") or not hasattr(tfc.nn, name):
        raise AttributeError(f"module 'tfc.compat.v1.nn' has no attribute {name!r}")
    return getattr(tfc.nn, name)


__all__ = [
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "fused_batch_norm",
]
