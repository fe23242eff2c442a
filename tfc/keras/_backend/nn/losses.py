"""Cross entropies, CTC, signal to noise."""

from __future__ import annotations

import warnings
from typing import Any

from keras.src.backend.common.dtypes import result_type
from keras.src.backend.config import epsilon

import tfc as tf

from ..core import dense_tensor
from .beams import beam_search
from .logits import logits_of


def _pair(target: Any, output: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Target and output as tensors, where the shapes agree."""
    target, held = dense_tensor(target), dense_tensor(output)
    if target.ndim != held.ndim:
        raise ValueError(
            "Arguments `target` and `output` must have the same rank (ndim). Received: "
            f"target.shape={target.shape}, output.shape={held.shape}"
        )
    if not target.shape.is_compatible_with(held.shape):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={target.shape}, output.shape={held.shape}"
        )
    return target, held


def _logits(output: tf.Tensor, from_logits: bool, name: str) -> tuple[tf.Tensor, bool]:
    """The logits of `output` where they are known: the loss is exact from them."""
    logits = logits_of(output)
    if logits is None:
        return output, from_logits
    if from_logits:
        warnings.warn(
            f'"`{name}`" received `from_logits=True`, but the `output` argument was produced by '
            "softmax or sigmoid and thus does not represent logits. Was this intended?",
            stacklevel=3,
        )
    return logits, True


def _clipped(probabilities: tf.Tensor) -> tf.Tensor:
    return tf.clip_by_value(probabilities, epsilon(), 1.0 - epsilon())


def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> tf.Tensor:
    target, output = _pair(target, output)
    if not target.ndim:
        raise ValueError(
            "Arguments `target` and `output` must be at least rank 1. Received: "
            f"target.shape={target.shape}, output.shape={output.shape}"
        )
    output, from_logits = _logits(output, from_logits, "categorical_crossentropy")
    target = tf.cast(target, output.dtype)
    if from_logits:
        return tf.nn.softmax_cross_entropy_with_logits(target, output, axis)
    output = output / tf.reduce_sum(output, axis, keepdims=True)
    return -tf.reduce_sum(target * tf.math.log(_clipped(output)), axis)


def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> tf.Tensor:
    output = dense_tensor(output)
    if axis not in (-1, output.ndim - 1):
        raise ValueError(f"Only axis=-1 is currently supported. Received: axis={axis}")
    output, from_logits = _logits(output, from_logits, "sparse_categorical_crossentropy")
    target = dense_tensor(target, "int64")
    if target.ndim == output.ndim and target.shape[-1] == 1:
        target = tf.squeeze(target, -1)
    if output.ndim < 1:
        raise ValueError(
            f"Argument `output` must be at least rank 1. Received: output.shape={output.shape}"
        )
    if target.ndim != output.ndim - 1:
        raise ValueError(
            "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: "
            f"target.shape={target.shape}, output.shape={output.shape}"
        )
    if not target.shape.is_compatible_with(output.shape[:-1]):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last "
            f"dimension: target.shape={target.shape}, output.shape={output.shape}"
        )
    if not from_logits:
        output = tf.math.log(_clipped(output))
    return tf.nn.sparse_softmax_cross_entropy_with_logits(target, output)


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> tf.Tensor:
    target, output = _pair(target, output)
    output, from_logits = _logits(output, from_logits, "binary_crossentropy")
    target = tf.cast(target, output.dtype)
    if from_logits:
        return tf.nn.sigmoid_cross_entropy_with_logits(target, output)
    output = _clipped(output)
    return -(target * tf.math.log(output) + (1.0 - target) * tf.math.log(1.0 - output))


def ctc_loss(
    target: Any, output: Any, target_length: Any, output_length: Any, mask_index: int = 0
) -> tf.Tensor:
    output = dense_tensor(output)
    dtype = result_type(output.dtype.name, "float32")
    loss = tf.nn.ctc_loss(
        labels=dense_tensor(target, "int32"),
        logits=tf.cast(output, tf.float32),
        label_length=dense_tensor(target_length, "int32"),
        logit_length=dense_tensor(output_length, "int32"),
        blank_index=mask_index,
        logits_time_major=False,
    )
    return tf.cast(loss, dtype)


def ctc_decode(
    inputs: Any,
    sequence_lengths: Any,
    strategy: str = "greedy",
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = True,
    mask_index: int | None = 0,
) -> tuple[tf.Tensor, tf.Tensor]:
    """The labels [paths, batch, steps], -1 behind their end, and the scores [batch, paths]: minus
    the sum of the best logits (greedy), or log probabilities. Beams are merged as they arise,
    whatever `merge_repeated` says."""
    inputs = dense_tensor(inputs)
    inputs = tf.cast(inputs, result_type(inputs.dtype.name, "float32"))
    lengths = dense_tensor(sequence_lengths, "int32")
    if strategy == "beam_search":
        blank = inputs.shape[-1] - 1 if mask_index is None else mask_index
        return beam_search(inputs, lengths, blank, beam_width, top_paths)
    if strategy != "greedy":
        raise ValueError(
            f"Invalid strategy {strategy}. Supported values are 'greedy' and 'beam_search'."
        )
    (found,), scores = tf.nn.ctc_greedy_decoder(
        tf.transpose(inputs, [1, 0, 2]),
        lengths,
        merge_repeated=merge_repeated,
        blank_index=mask_index,
    )
    shape = tf.cast(tf.shape(inputs)[:2], tf.int64)
    whole = tf.SparseTensor(found.indices, found.values, shape)
    labels = tf.sparse.to_dense(whole, default_value=-1)
    return tf.cast(labels, tf.int32)[None], scores


def psnr(x1: Any, x2: Any, max_val: Any) -> tf.Tensor:
    """20 log10(max_val / the root of the mean square of the difference)."""
    x1, x2 = dense_tensor(x1), dense_tensor(x2)
    if x1.shape != x2.shape:
        raise ValueError(
            f"Input shapes {x1.shape} and {x2.shape} must match for PSNR calculation. "
        )
    largest = dense_tensor(max_val, x2.dtype)
    error = tf.reduce_mean(tf.square(x1 - x2))
    return (20.0 * tf.math.log(largest) - 10.0 * tf.math.log(error)) / tf.math.log(
        tf.constant(10.0, x2.dtype)
    )
