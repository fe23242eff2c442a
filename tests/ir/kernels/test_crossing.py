"""Rows, and sums down their columns, in one kernel: when, and that the bits stay."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tfc as tf

SHAPES = [(2048, 24), (2049, 300), (200, 17), (130, 1), (5, 33), (4500, 5)]


def layer_norm_gradient(x: Any, dy: Any, scale: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch((x, scale))
        mean, variance = tf.nn.moments(x, -1, keepdims=True)
        y = (x - mean) * tf.math.rsqrt(variance + 1e-5) * scale + scale
    return tape.gradient(y, (x, scale), output_gradients=dy)


def softmax_and_columns(x: Any, dy: Any, scale: Any) -> Any:
    y = tf.nn.softmax(x)
    return y, tf.reduce_sum(y * dy, 0), tf.reduce_max(x, 0), tf.reduce_mean(y, 0)


def places(x: Any, dy: Any, scale: Any) -> Any:
    """The rows come after the columns, of which another kernel reads."""
    return tf.argmax(x, 0), x - tf.reduce_mean(x, -1, keepdims=True), tf.reduce_sum(dy, 0)


def turned(x: Any, dy: Any, scale: Any) -> Any:
    """What goes down the columns is read backwards from the row that is kept."""
    e = tf.exp(x - tf.reduce_max(x, -1, keepdims=True))
    y = e / tf.reduce_sum(e, -1, keepdims=True)
    return y, tf.reduce_sum(tf.reverse(e, [-1]), 0), tf.reduce_sum(tf.reverse(y, [-1]) * dy, 0)


def needs_totals(x: Any, dy: Any, scale: Any) -> Any:
    """Rows that need what columns give: two trips."""
    return tf.nn.softmax(x - tf.reduce_mean(x, 0)), tf.reduce_sum(x * dy, 0)


def elements(x: Any, dy: Any, scale: Any) -> Any:
    """No rows are reduced: the gradient of a bias beside what it is made of."""
    dz = dy * (1.0 - tf.tanh(x) ** 2)
    return dz, tf.reduce_sum(dz, 0), tf.reduce_sum(dz * x, 0)


def complex_elements(x: Any, dy: Any, scale: Any) -> Any:
    """What is reduced is real, and made of complex numbers, which kernels have as pairs."""
    z = tf.complex(x, dy) * tf.complex(dy, 1.0 - x)
    dz = tf.math.real(z) * tf.math.imag(z)
    return dz, tf.reduce_sum(dz, 0), tf.reduce_sum(z, 0)


def reduced_few(x: Any, dy: Any, scale: Any) -> Any:
    """Elements that are reductions of few are no rows."""
    largest = tf.reduce_max(x[:, None, :] * tf.constant([[[1.0], [2.0], [-1.0]]]), 1)
    return largest, tf.reduce_sum(largest, 0), tf.reduce_sum(x, 0)


FUNCTIONS = (
    reduced_few,
    layer_norm_gradient,
    softmax_and_columns,
    elements,
    complex_elements,
    places,
    turned,
    needs_totals,
)
PROGRAMS = {f.__name__: f for f in FUNCTIONS}


def numbers(*shape: int) -> tf.Tensor:
    return tf.constant(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


def three(shape: tuple[int, ...]) -> tuple[tf.Tensor, ...]:
    return numbers(*shape), numbers(*shape) * 0.5, numbers(shape[1])


def bits(y: Any) -> list[bytes]:
    return [v.numpy().tobytes() for v in tf.nest.flatten(y)]


@functools.cache
def relaxed(name: str, columns: int) -> Any:
    """A function that was traced for other rows, and so many columns: where sizes of calls differ
    from that there is a symbol, which is one for all shapes."""
    compiled = tf.function(lambda x, dy, scale: PROGRAMS[name](x, dy, scale))
    compiled.get_concrete_function(*three((7, columns)))
    return compiled


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_bits_are_those_of_eager_ops(name: str, shape: tuple[int, ...]) -> None:
    f = PROGRAMS[name]
    x, dy, scale = three(shape)
    eager = bits(f(x, dy, scale))
    assert bits(tf.function(lambda x, dy, scale: f(x, dy, scale))(x, dy, scale)) == eager
    for columns in (shape[1], 9):
        assert bits(relaxed(name, columns)(x, dy, scale)) == eager


def test_no_rows() -> None:
    f = tf.function(softmax_and_columns)
    for shape in ((7, 5), (0, 5)):
        y, sums, largest, _ = f(*three(shape))
        assert y.shape == shape
    np.testing.assert_array_equal(sums, np.zeros(5))
    np.testing.assert_array_equal(largest, np.full(5, -np.inf))


def test_leading_axes_and_dtypes() -> None:
    def f(x: Any) -> Any:
        y = tf.nn.softmax(x)
        return y, tf.reduce_sum(y * x, [0, 1]), tf.reduce_max(x, [0, 1])

    for dtype in (tf.float32, tf.float64, tf.bfloat16):
        x = tf.cast(numbers(40, 30, 50), dtype)
        compiled = tf.function(f)
        for got, wanted in zip(compiled(x), f(x), strict=True):
            assert got.numpy().tobytes() == wanted.numpy().tobytes()
        assert kernels(compiled.get_concrete_function(x)) == 1


def kernels(concrete: Any) -> int:
    count: int = concrete.ir("kernels", verbose=True).count(" launch ")
    return count


@pytest.mark.parametrize(
    ("name", "rows", "count"),
    [
        ("layer_norm_gradient", 2048, 1),
        ("layer_norm_gradient", None, 1),
        ("softmax_and_columns", 300, 1),
        ("softmax_and_columns", 100, 2),  # slots of their own are more than what they save
        ("needs_totals", 300, 2),
        ("elements", 300, 1),
        ("elements", None, 1),
    ],
)
def test_kernels(name: str, rows: int | None, count: int) -> None:
    f = tf.function(lambda x, scale: PROGRAMS[name](x, tf.abs(x), scale))
    assert kernels(f.get_concrete_function(tf.TensorSpec([rows, 64]), tf.TensorSpec([64]))) == count
