"""Kernels of rows: reductions along the lanes and what follows from them in the same row."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tfc as tf


def layer_norm(x: Any) -> Any:
    mean, variance = tf.nn.moments(x, -1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


def many_softmaxes(x: Any) -> Any:
    """More rows than a kernel may keep at once."""
    for i in range(8):
        x = tf.nn.softmax(tf.exp(x) * (1.0 + i), -1)
    return x


PROGRAMS = {
    "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax,
    "layer_norm": layer_norm,
    "many_softmaxes": many_softmaxes,
    "complex": lambda x: tf.math.reduce_variance(tf.complex(x, -x), -1),
}


@pytest.mark.parametrize("shape", [(7, 3000), (1, 17), (5, 1), (2, 3, 65), (64,), (0, 4)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_bits_are_those_of_eager_ops(name: str, shape: tuple[int, ...]) -> None:
    f = PROGRAMS[name]
    x = tf.constant(np.random.default_rng(0).normal(size=shape).astype(np.float32))
    eager = f(x).numpy().tobytes()
    assert tf.function(lambda x: f(x))(x).numpy().tobytes() == eager
    unknown = tf.function(lambda x: f(x), input_signature=[tf.TensorSpec([None] * len(shape))])
    assert unknown(x).numpy().tobytes() == eager


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "layer_norm"])
def test_one_kernel(name: str) -> None:
    f = tf.function(lambda x: PROGRAMS[name](x))
    concrete = f.get_concrete_function(tf.TensorSpec([None, 1000]))
    assert concrete.ir("kernels").count(" launch ") == 1


def test_what_a_kernel_keeps_is_bounded() -> None:
    text = tf.function(many_softmaxes).get_concrete_function(tf.TensorSpec([7, 3000])).ir("kernels")
    kernels = text.split(" launch ")[1:]
    kept = [sum(4 * int(n) for n in re.findall(r"local .*?shape = \((\d+),\)", k)) for k in kernels]
    assert 0 < max(kept) <= 64 << 10
