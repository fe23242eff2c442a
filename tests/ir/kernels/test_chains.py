"""Fused attention: one kernel, no square in memory, and the bits of the ops one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.kernels import lower

Body = Callable[..., Any]


def attention(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    scores = tf.matmul(q, k, transpose_b=True) * 0.25
    return tf.matmul(tf.nn.softmax(scores), v)


def masked(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    scores = tf.matmul(q, k, transpose_b=True)
    rows, columns = tf.range(scores.shape[-2])[:, None], tf.range(scores.shape[-1])[None, :]
    scores = tf.where(columns <= rows, scores, tf.constant(-1e9, scores.dtype))
    return tf.nn.relu(tf.matmul(tf.nn.softmax(scores), v) + 0.5)


def normed(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    s = tf.matmul(q, k, transpose_b=True)
    mean, variance = tf.nn.moments(s, axes=[-1], keepdims=True)
    return tf.matmul((s - mean) * tf.math.rsqrt(variance + 1.0), v)


SHAPES = [
    ((), 7, 9, 5, 3),
    ((2,), 12, 16, 8, 8),
    ((3,), 97, 33, 16, 20),
    ((2, 3), 40, 64, 16, 32),
    ((), 130, 300, 20, 33),  # the second product has more than one block
    ((1,), 2, 2, 1, 2),
]


def operands(shape: tuple[Any, ...], dtype: Any = np.float32) -> list[tf.Tensor]:
    batch, m, n, d, e = shape
    rng = np.random.default_rng(m)
    sizes = ((*batch, m, d), (*batch, n, d), (*batch, n, e))
    return [tf.cast(tf.constant(rng.standard_normal(s)), dtype) for s in sizes]


def kernels(f: Any, *arguments: tf.Tensor) -> str:
    return str(f.get_concrete_function(*arguments).ir("kernels", verbose=True))


@pytest.mark.parametrize("body", [attention, masked, normed])
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_are_those_of_the_ops(body: Body, shape: tuple[Any, ...]) -> None:
    given = operands(shape)
    f = tf.function(body)
    assert np.array_equal(f(*given), body(*given))


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "float16"])
def test_dtypes(dtype: str) -> None:
    given = operands(SHAPES[2], dtype)
    f = tf.function(attention)
    assert np.array_equal(f(*given).numpy(), attention(*given).numpy())


def test_what_is_turned_is_stored_before() -> None:
    """Attention reads rows of both right operands, of which transposes are kernels of their own."""

    def turned(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
        p = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
        return tf.matmul(p, v, transpose_b=True)

    q, k, v = operands(((2,), 97, 65, 16, 20))
    given = q, k, tf.transpose(v, [0, 2, 1])
    f = tf.function(turned)
    assert kernels(f, *given).count("launch") == 3
    assert np.array_equal(f(*given), turned(*given))


@pytest.mark.parametrize("body", [attention, masked, normed])
def test_one_kernel_without_the_square(body: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    given = operands(((2,), 97, 65, 16, 16))
    f = tf.function(body)
    concrete = f.get_concrete_function(*given)
    names = [k.name for k in concrete.profile(*given).kernels]
    assert sum("matmul" in name for name in names) == 1, names
    temporaries = concrete.memory_analysis().temporaries
    assert temporaries < 2 * 97 * 65 * 4
    monkeypatch.setattr(lower, "CPU", dataclasses.replace(lower.CPU, last_joins=()))
    plain = tf.function(lambda *x: body(*x) + 0.0)  # another function: it is compiled anew
    concrete = plain.get_concrete_function(*given)
    assert concrete.memory_analysis().temporaries > 2 * 97 * 65 * 4
    assert np.array_equal(plain(*given), f(*given))


def test_unknown_rows() -> None:
    spec = tf.TensorSpec([None, None, 16])
    fixed = tf.TensorSpec([None, 24, 16])
    f = tf.function(attention, input_signature=[spec, fixed, fixed])
    text = f.get_concrete_function().ir("kernels", verbose=True)
    assert text.count("launch") == 2  # the keys turned, and all the rest
    for batch, m in ((1, 1), (2, 3), (3, 12), (1, 13), (2, 200), (0, 5), (3, 0)):
        given = operands(((batch,), m, 24, 16, 16))
        assert np.array_equal(f(*given), attention(*given))


def test_unknown_columns_are_no_chain() -> None:
    spec = tf.TensorSpec([None, None, 16])
    f = tf.function(attention, input_signature=[spec, spec, spec])
    for m, n in ((3, 5), (40, 70)):
        given = operands(((2,), m, n, 16, 16))
        assert np.array_equal(f(*given), attention(*given))


def test_what_is_wanted_elsewhere_is_stored() -> None:
    given = operands(((2,), 20, 30, 8, 8))

    def body(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
        p = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
        return tf.matmul(p, v), p

    def twice(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
        s = tf.matmul(q, k, transpose_b=True)
        return tf.matmul(tf.nn.softmax(s), v) + tf.reduce_sum(s)

    for b in (body, twice):
        for x, y in zip(
            tf.nest.flatten(tf.function(b)(*given)), tf.nest.flatten(b(*given)), strict=True
        ):
            assert np.array_equal(x, y)


def test_gradients() -> None:
    given = operands(((2,), 20, 30, 8, 8), np.float64)

    def gradient(body: Body) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = tf.reduce_sum(body(*given) ** 2.0)
        return list(tape.gradient(y, given))

    compiled = tf.function(lambda *x: gradient_of(*x))

    def gradient_of(*x: tf.Tensor) -> list[tf.Tensor]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(attention(*x) ** 2.0)
        return tape.gradient(y, list(x))

    for a, b, c in zip(
        gradient(attention), gradient(tf.function(attention)), compiled(*given), strict=True
    ):
        assert np.allclose(a, b, rtol=1e-12)
        assert np.allclose(a, c, rtol=1e-12)


def test_threads_make_no_difference() -> None:
    given = operands(((4,), 96, 128, 32, 32))
    f = tf.function(attention)
    found = []
    for threads in (1, 2, 3):
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        found.append(f(*given).numpy())
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert all(np.array_equal(found[0], x) for x in found)


def test_long_rows_lodge_in_the_strip() -> None:
    given = operands(((), 14, 5000, 4, 4))
    f = tf.function(attention)
    assert f.get_concrete_function(*given).memory_analysis().temporaries < 14 * 5000 * 4 * 2
    assert np.array_equal(f(*given), attention(*given))
