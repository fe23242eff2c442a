"""`tfc.compat.v1.nn`: gradients of convolutions as functions, fused batch normalisation, and what
has other arguments in TensorFlow 1; all else is `tfc.nn`'s."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.types import ShapeLike, TensorLike
from tfc.ops.nn.convolution_transpose import (
    conv2d_backprop_filter,
    conv2d_backprop_input,
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from tfc.ops.nn.normalization import fused_batch_norm

depthwise_conv2d_native_backprop_filter = depthwise_conv2d_backprop_filter
depthwise_conv2d_native_backprop_input = depthwise_conv2d_backprop_input


def dropout(
    x: TensorLike,
    keep_prob: Any = None,
    noise_shape: ShapeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """As tfc.nn.dropout, where `keep_prob` says which part of the elements stays.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.dropout([1.0, 2.0], keep_prob=1.0))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    if (rate is None) == (keep_prob is None):
        raise blame.value_error("one of rate and keep_prob is wanted, and not both", "dropout")
    share = 1.0 - keep_prob if rate is None else rate
    return _tfc.nn.dropout(x, share, noise_shape, seed)


def conv2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Any:
    """As tfc.nn.conv2d, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> ones = tf.ones([2, 2, 1, 1])
    >>> tf.nn.conv2d(ones, filter=ones, strides=[1, 1, 1, 1], padding="SAME").shape
    TensorShape([2, 2, 1, 1])
    """
    kernel: Any = filters if filter is None else filter
    return _tfc.nn.conv2d(input, kernel, strides or 1, padding, data_format, dilations)


def _pool(kind: str) -> Any:
    function = getattr(_tfc.nn, kind)

    def pool(
        value: Any = None,
        ksize: Any = None,
        strides: Any = None,
        padding: Any = None,
        data_format: str = "NHWC",
        name: str | None = None,
        input: Any = None,
    ) -> Any:
        return function(input if value is None else value, ksize, strides, padding, data_format)

    pool.__name__ = pool.__qualname__ = kind
    pool.__doc__ = f"As tfc.nn.{kind}, with TensorFlow 1's argument names too."
    return pool


max_pool, avg_pool = _pool("max_pool"), _pool("avg_pool")


def ctc_loss(
    labels: Any,
    inputs: TensorLike | None = None,
    sequence_length: TensorLike | None = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: TensorLike | None = None,
) -> Any:
    """As tfc.nn.ctc_loss of sparse labels, where the last class is blank.

    `ignore_longer_outputs_than_inputs` gives 0 where the frames are too few for the labels.

    >>> import tfc.compat.v1 as tf
    >>> labels = tf.SparseTensor([[0, 0]], [0], [1, 1])
    >>> loss = tf.nn.ctc_loss(labels, inputs=tf.zeros([2, 1, 2]), sequence_length=[2])
    >>> print(tf.exp(-loss).numpy().round(4))
    [0.75]
    """
    if (inputs is None) == (logits is None):
        raise blame.value_error("one of inputs and logits is wanted, and not both", "ctc_loss")
    if sequence_length is None:
        raise blame.value_error("sequence_length is wanted", "ctc_loss")
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise blame.unimplemented("repeated labels and classes are taken as they are", "ctc_loss")
    frames: Any = logits if inputs is None else inputs
    found = _tfc.nn.ctc_loss(labels, frames, None, sequence_length, time_major, blank_index=-1)
    if not ignore_longer_outputs_than_inputs:
        return found
    return _tfc.where(_tfc.math.is_inf(found), _tfc.zeros_like(found), found)


def softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Any:
    """As tfc.nn.softmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.softmax([[1.0], [1.0]], dim=0).numpy().tolist())
    [[0.5], [0.5]]
    """
    return _tfc.nn.softmax(logits, _axis(axis, dim, "softmax"), name)


def log_softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Any:
    """As tfc.nn.log_softmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.log_softmax([[1.0, 1.0]], dim=1))
    tf.Tensor([[-0.6931472 -0.6931472]], shape=(1, 2), dtype=float32)
    """
    return _tfc.nn.log_softmax(logits, _axis(axis, dim, "log_softmax"), name)


def _axis(axis: int | None, dim: int | None, op: str) -> int:
    if axis is not None and dim is not None:
        raise blame.value_error("Cannot specify both 'axis' and 'dim'", op)
    given = dim if axis is None else axis
    return -1 if given is None else given


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Any:
    """As tfc.nn.softmax_cross_entropy_with_logits, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> f = tf.nn.softmax_cross_entropy_with_logits_v2
    >>> print(f(labels=[[1.0, 0.0]], logits=[[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    where = dim if axis is None else axis
    return _tfc.nn.softmax_cross_entropy_with_logits(labels, logits, where)


softmax_cross_entropy_with_logits_v2 = softmax_cross_entropy_with_logits


def __getattr__(name: str) -> Any:
    import tfc

    if name.startswith("__") or not hasattr(tfc.nn, name):
        raise AttributeError(f"module 'tfc.compat.v1.nn' has no attribute {name!r}")
    return getattr(tfc.nn, name)


__all__ = [
    "avg_pool",
    "conv2d",
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dropout",
    "fused_batch_norm",
    "log_softmax",
    "max_pool",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
]
