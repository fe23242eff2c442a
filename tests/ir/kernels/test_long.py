"""Reductions longer than a chunk: one tree, whoever combines it, on any number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import emulated, native
from tests.ir.kernels.test_columns import tree, unknown
from tfc.ir.interpreter import interpret
from tfc.ir.ops.reduction import CHUNK
from tfc.ir.text import parse

LENGTHS = [CHUNK - 1, CHUNK + 1, 2 * CHUNK, 33 * CHUNK + 5]
SUM = """func @total(%x: f32[n,m]) -> f32[n] {
  %0 = reduce_sum %x {axes = (1,)} : f32[n]
  return %0
}"""


@pytest.fixture(params=[1, 2, 3])
def threads(request: Any) -> Iterator[int]:
    before = tf.config.threading.get_intra_op_parallelism_threads()
    tf.config.threading.set_intra_op_parallelism_threads(request.param)
    yield request.param
    tf.config.threading.set_intra_op_parallelism_threads(before)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("length", LENGTHS)
def test_rows_are_the_tree(length: int, threads: int) -> None:
    for rows in (1, 3, 9):  # few are shared by threads, many dealt out
        x = numbers(rows, length)
        wanted = tree(np.ascontiguousarray(x.T)).tobytes()

        def f(x: tf.Tensor) -> tf.Tensor:
            return tf.reduce_sum(x, 1)

        for made in (f(tf.constant(x)), tf.function(f)(x), unknown(f, tf.constant(x))):
            assert made.numpy().tobytes() == wanted


def test_more_chunks_than_a_chunk() -> None:
    """What the chunks gave is cut into chunks in turn."""
    x = numbers(CHUNK * CHUNK + 3 * CHUNK + 7)
    wanted = tree(x).tobytes()
    f = tf.function(lambda x: tf.reduce_sum(x))
    assert f(x).numpy().tobytes() == wanted
    assert unknown(tf.reduce_sum, tf.constant(x)).numpy().tobytes() == wanted


def test_columns_shared_by_threads(threads: int) -> None:
    """Two stages of few columns: their mean, and the variance about it."""
    x = numbers(40 * CHUNK + 1, 3)
    t = tf.constant(x)

    def f(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        mean = tf.reduce_mean(x, 0)
        return mean, tf.reduce_sum(tf.square(x - mean), 0)

    mean = tree(x) / np.float32(len(x))
    wanted = [mean.tobytes(), tree(np.square(x - mean)).tobytes()]
    for made in (f(t), tf.function(f)(t), unknown(f, t)):
        assert [y.numpy().tobytes() for y in made] == wanted


def test_rows_that_go_on(threads: int) -> None:
    """Softmax of one long row: reductions and loops over the elements, each shared."""
    x = tf.constant(numbers(1, 100_000))
    wanted = tf.nn.softmax(x).numpy()
    assert tf.function(tf.nn.softmax)(x).numpy().tobytes() == wanted.tobytes()
    assert unknown(tf.nn.softmax, x).numpy().tobytes() == wanted.tobytes()
    e = np.exp(x.numpy().astype(np.float64) - x.numpy().max())
    np.testing.assert_allclose(wanted, e / e.sum(), rtol=2e-6)


@pytest.mark.parametrize("name", ["argmax", "argmin", "reduce_max", "reduce_min", "reduce_prod"])
def test_what_else_is_combined(name: str) -> None:
    x = np.round(numbers(2, 40 * CHUNK + 70) * 4) if name != "reduce_prod" else numbers(2, 9000)
    if name == "reduce_prod":
        x = (1 + x * np.float32(1e-3)).astype(np.float32)
    t = tf.constant(x)

    def f(x: tf.Tensor) -> tf.Tensor:
        return getattr(tf, name)(x, 1)

    wanted = getattr(np, name.removeprefix("reduce_"))(x, 1)
    for made in (f(t), tf.function(f)(t), unknown(f, t)):
        np.testing.assert_allclose(made, wanted, rtol=1e-4 if name == "reduce_prod" else 0)


def test_complex() -> None:
    x = numbers(2, 3 * CHUNK + 9, 2).view(np.complex64)[..., 0]
    t = tf.constant(x)
    wanted = tree(np.ascontiguousarray(x.T)).tobytes()
    for made in (tf.reduce_sum(t, 1), unknown(lambda x: tf.reduce_sum(x, 1), t)):
        assert made.numpy().tobytes() == wanted


@pytest.mark.parametrize("shape", [(2, CHUNK + 1), (1, 5 * CHUNK + 70), (3, 9 * CHUNK)])
def test_gpus_and_the_interpreter_give_the_same_bits(shape: tuple[int, int]) -> None:
    x, f = numbers(*shape), parse(SUM)
    wanted = native.run(f, x)
    native.assert_same_bits(emulated.Emulated(f)(x), wanted)
    native.assert_same_bits(interpret(f, [x]), wanted)
