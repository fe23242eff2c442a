"""What Keras' functions do with ragged tensors beyond what functions of tfc do by themselves.

As in Keras on TensorFlow, functions of elements, and reductions, take ragged tensors: values stay
in their rows. What is a matter of the last axes alone works on the flat values. Convolutions,
recurrent layers and attention take dense tensors: `x.to_tensor()`, with a mask.
"""

from __future__ import annotations

import tfc as tf


def axis_of_values(x: tf.RaggedTensor, axis: int, title: str) -> int:
    """Which axis of the flat values is an axis of `x`; ValueError, where it is a ragged one, or one
    that rows stand along."""
    among = axis % len(x.shape) - x.ragged_rank
    if among < 1:
        raise ValueError(f"{title}: axis {axis} of a ragged tensor of shape {x.shape}")
    return among


def matmul(x1: tf.RaggedTensor, x2: tf.Tensor) -> tf.RaggedTensor:
    """The product of a ragged tensor, whose last axis is not ragged, with a matrix."""
    if not isinstance(x1, tf.RaggedTensor) or not isinstance(x2, tf.Tensor) or x2.ndim != 2:
        shapes = f"{x1.shape} and {x2.shape}"
        raise ValueError(
            f"matmul: of ragged tensors, products of one with a matrix are defined; got {shapes}"
        )
    axis_of_values(x1, -1, "matmul")
    return x1.with_flat_values(tf.matmul(x1.flat_values, x2))
