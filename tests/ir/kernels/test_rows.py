"""Kernels of rows: reductions along the lanes and what follows from them in the same row."""

from __future__ import annotations

import functools
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


def exponentials(x: Any) -> Any:
    return tf.exp(x - tf.reduce_max(x, -1, keepdims=True))


def turned(x: Any) -> Any:
    """Reads a row that it keeps backwards: not in the memory of the result, then."""
    e = exponentials(x)
    return tf.reverse(e, [-1]) / tf.reduce_sum(e, -1, keepdims=True)


def two_results(x: Any) -> Any:
    e = exponentials(x)
    total = tf.reduce_sum(e, -1, keepdims=True)
    return tf.exp(e / total), tf.exp(e * total) + tf.reverse(e, [-1]), e / total


def reduced_twice(x: Any) -> Any:
    e = exponentials(x)
    total = tf.reduce_sum(e, -1, keepdims=True)
    squares = tf.reduce_sum(e * e / total, -1, keepdims=True)
    return e / total + squares, squares


def read_after(x: Any) -> Any:
    """The result is read again, after the row that was kept in its place."""
    e = exponentials(x)
    y = e / tf.reduce_sum(e, -1, keepdims=True)
    return y, tf.reduce_sum(y * x, -1), e[..., :1]


PROGRAMS = {
    "turned": turned,
    "two_results": two_results,
    "reduced_twice": reduced_twice,
    "read_after": read_after,
    "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax,
    "layer_norm": layer_norm,
    "many_softmaxes": many_softmaxes,
    "complex": lambda x: tf.math.reduce_variance(tf.complex(x, -x), -1),
}


@functools.cache
def unknown(name: str, rank: int) -> Any:
    """A program for all shapes of a rank."""
    spec = tf.TensorSpec([None] * rank)
    return tf.function(lambda x: PROGRAMS[name](x), input_signature=[spec])


@pytest.mark.parametrize("shape", [(7, 3000), (1, 17), (5, 1), (2, 3, 65), (64,), (0, 4)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_bits_are_those_of_eager_ops(name: str, shape: tuple[int, ...]) -> None:
    f = PROGRAMS[name]
    x = tf.constant(np.random.default_rng(0).normal(size=shape).astype(np.float32))

    def bits(y: Any) -> list[bytes]:
        return [y.numpy().tobytes() for y in tf.nest.flatten(y)]

    eager = bits(f(x))
    assert bits(tf.function(lambda x: f(x))(x)) == eager
    assert bits(unknown(name, len(shape))(x)) == eager


def softmax_gradient(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.softmax(x)
    return tape.gradient(y, x, output_gradients=tf.abs(x))


TRIPS = {
    **{name: PROGRAMS[name] for name in ("softmax", "log_softmax", "layer_norm")},
    "rms_norm": lambda x: x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-6),
    "logsumexp": lambda x: tf.reduce_logsumexp(x, -1),
    "variance": lambda x: tf.math.reduce_variance(x, -1),
    "variance of columns": lambda x: tf.math.reduce_variance(x, 0),
    "argmax": lambda x: (tf.argmax(x, -1), tf.reduce_max(x, -1)),
    "argmax of columns": lambda x: (tf.argmax(x, 0), tf.reduce_max(x, 0)),
    "softmax gradient": softmax_gradient,
}


@pytest.mark.parametrize("name", TRIPS)
def test_one_kernel(name: str) -> None:
    f = tf.function(lambda x: TRIPS[name](x))
    concrete = f.get_concrete_function(tf.TensorSpec([None, 1000]))
    assert concrete.ir("kernels", verbose=True).count(" launch ") == 1


def test_what_a_kernel_keeps_is_bounded() -> None:
    text = (
        tf.function(many_softmaxes)
        .get_concrete_function(tf.TensorSpec([7, 3000]))
        .ir("kernels", verbose=True)
    )
    kernels = text.split(" launch ")[1:]
    kept = [sum(4 * int(n) for n in re.findall(r"local .*?shape = \((\d+),\)", k)) for k in kernels]
    assert 0 < max(kept) <= 64 << 10


@pytest.mark.parametrize(
    ("name", "stored"),
    [("softmax", 1), ("turned", 2), ("two_results", 4), ("reduced_twice", 2), ("read_after", 2)],
)
def test_a_row_of_unknown_length_is_kept_in_a_result(name: str, stored: int) -> None:
    """How many values of full size the kernels store; they keep none on the stack."""
    f = tf.function(lambda x: PROGRAMS[name](x))
    concrete = f.get_concrete_function(tf.TensorSpec([None, None]))
    types = "".join(
        re.findall(r"launch .*?types = \((.*?)\)}", concrete.ir("kernels", verbose=True))
    )
    assert types.count("f32[n0,n1]") == stored
    assert "local" not in concrete.ir("kernels", verbose=True)


@pytest.mark.parametrize(
    ("shape", "fetched"),
    [
        ([None, 1000], {"later", "store"}),
        ([None, None], {"later", "store"}),
        ([None, 100], set()),  # short rows are found by the processor itself
        ([None, 100_000], set()),  # long ones would not stay
    ],
)
def test_rows_are_asked_for_ahead(shape: list[int | None], fetched: set[str]) -> None:
    concrete = tf.function(tf.nn.softmax).get_concrete_function(tf.TensorSpec(shape))
    purposes = re.findall(r"prefetch .*purpose = '(\w+)'", concrete.ir("kernels", verbose=True))
    assert set(purposes) == fetched


@pytest.mark.parametrize(("name", "ahead"), [("softmax", 0), ("layer_norm", 1000)])
def test_lines_are_asked_for_before_they_are_stored(name: str, ahead: int) -> None:
    """Those of the same row where a later loop stores, else those of the next row."""
    f = tf.function(lambda x: PROGRAMS[name](x))
    text = f.get_concrete_function(tf.TensorSpec([3, 1000])).ir("kernels", verbose=True)
    (buffer, place) = re.findall(r"prefetch %(\S+), %(\S+) {purpose = 'store'}", text)[0]
    (stored,) = re.findall(rf"store %{re.escape(buffer)}, %(\S+),", text)
    added = re.search(rf"%{re.escape(place)} = add %{re.escape(stored)}, ", text)
    assert buffer.startswith("out") and bool(added) == bool(ahead)


SEVERAL_AXES: dict[str, tuple[Any, int]] = {
    "sum": (lambda x: tf.reduce_sum(x, [1, 2, 3]), 4),
    "squares": (lambda x: tf.reduce_mean(x * x, [1, 2]), 3),
    "deviations": (lambda x: tf.math.reduce_variance(x, [1, 2, 3]), 4),
    "all": (lambda x: tf.reduce_max(tf.abs(x)), 4),
    "norm": (lambda x: tf.norm(x, axis=[-2, -1]), 3),
    "psnr": (lambda x: tf.image.psnr(x, x + 1.0, 1.0), 4),
}


@pytest.mark.parametrize("name", SEVERAL_AXES)
def test_several_axes_that_lie_together_are_one(name: str) -> None:
    """What is reduced is counted by one number, which is its place in memory: no kernel divides it
    into an index, where no size is known. A division takes longer than all else."""
    f, rank = SEVERAL_AXES[name]
    free = tf.function(f, input_signature=[tf.TensorSpec([None] * rank)])
    assert not re.findall(r"= floor_\w+", free.get_concrete_function().ir("kernels", verbose=True))
    x = np.random.default_rng(2).normal(size=(3, 5, 7, 2)[:rank]).astype(np.float32)
    np.testing.assert_array_equal(free(x), f(tf.constant(x)))


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int64"])
def test_places_of_extremes(dtype: str) -> None:
    """The first of equals, the first nan, and the first of what is like nothing at all; in one
    round of lanes, in several, and in several chunks."""
    rng = np.random.default_rng(5)
    spec = [tf.TensorSpec([None, None], dtype)]
    least, most = (tf.function(lambda x, f=f: f(x, 1), spec) for f in (tf.argmin, tf.argmax))
    floats = dtype.startswith("float")
    low, high = (-np.inf, np.inf) if floats else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for width in (1, 63, 64, 65, 200, 5000):
        x = rng.integers(0, 3, (5, width)).astype(dtype)
        x[1], x[2] = low, high
        if floats:
            x[3, width // 2 :: 3] = np.nan
            x[4] = np.nan
        np.testing.assert_array_equal(most(x).numpy(), x.argmax(1))
        np.testing.assert_array_equal(least(x).numpy(), x.argmin(1))
