"""What it costs that sizes are not known: the program for any size beside the one for this size.

Both give the same bits. "batch" leaves the first extent open, "any" all of them. A goal of 1.05
says that the open one may take five percent longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from .harness import Contender, row, statement


def normal(*shape: int) -> Any:
    return tf.constant(np.random.default_rng(0).standard_normal(shape, dtype=np.float32))


def contenders(f: Callable[..., Any], x: Any, spec: list[int | None]) -> list[Contender]:
    """The function for the size of `x`, and for sizes as in `spec`."""
    static, symbolic = tf.function(f), tf.function(f, input_signature=[tf.TensorSpec(spec)])
    assert static(x).numpy().tobytes() == symbolic(x).numpy().tobytes()
    found = [statement("tfc", "f(x)", f=symbolic, x=x)]
    return [*found, statement("tfc static", "f(x)", f=static, x=x)]


def layer_norm(x: Any) -> Any:
    mean, variance = tf.nn.moments(x, -1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


@row("batch: x * 2 + 1, 4096x1024", goals={"tfc static": 1.05})
def batch_elementwise() -> list[Contender]:
    return contenders(lambda x: x * 2.0 + 1.0, normal(4096, 1024), [None, 1024])


@row("any: tanh of 4096x1024", goals={"tfc static": 1.05})
def any_elementwise() -> list[Contender]:
    return contenders(tf.tanh, normal(4096, 1024), [None, None])


@row("batch: softmax of 4096x1024", goals={"tfc static": 1.05})
def batch_softmax() -> list[Contender]:
    return contenders(tf.nn.softmax, normal(4096, 1024), [None, 1024])


@row("any: softmax of 4096x1024", goals={"tfc static": 1.05})
def any_softmax() -> list[Contender]:
    return contenders(tf.nn.softmax, normal(4096, 1024), [None, None])


@row("any: softmax of 4096x256", goals={"tfc static": 1.05})
def any_softmax_short() -> list[Contender]:
    return contenders(tf.nn.softmax, normal(4096, 256), [None, None])


@row("any: layer norm of 4096x1024", goals={"tfc static": 1.05})
def any_layer_norm() -> list[Contender]:
    return contenders(layer_norm, normal(4096, 1024), [None, None])


@row("any: sum of 4096x1024, first axis", goals={"tfc static": 1.05})
def any_columns() -> list[Contender]:
    return contenders(lambda x: tf.reduce_sum(x, 0), normal(4096, 1024), [None, None])


@row("batch: relu(x @ w + b), 512x784x256", goals={"tfc static": 1.05})
def batch_dense() -> list[Contender]:
    w, b = normal(784, 256), normal(256)
    return contenders(lambda x: tf.nn.relu(x @ w + b), normal(512, 784), [None, 784])


@row("any: x @ x^T, 512x512", goals={"tfc static": 1.05})
def any_matmul() -> list[Contender]:
    return contenders(lambda x: tf.matmul(x, x, transpose_b=True), normal(512, 512), [None, None])


@row("batch: conv 3x3x16x16, 8x56x56", goals={"tfc static": 1.05})
def batch_conv() -> list[Contender]:
    kernel = normal(3, 3, 16, 16)
    return contenders(
        lambda x: tf.nn.conv2d(x, kernel, 1, "SAME"), normal(8, 56, 56, 16), [None, 56, 56, 16]
    )
