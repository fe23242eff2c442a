"""Operands of products that are computed where they are packed: the bits are those of operands that
are stored first, and the operands are not in memory."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.native import Native
from tfc.ir.kernels.ops import Launch

rng = np.random.default_rng(7)


def normalised(x: Any) -> Any:
    mean = tf.reduce_mean(x, -1, keepdims=True)
    apart = x - mean
    variance = tf.reduce_mean(tf.square(apart), -1, keepdims=True)
    return apart * tf.math.rsqrt(variance + 1e-3) * 1.5 + 0.25


def masked(x: Any) -> Any:
    return tf.where(x > 0.25, x, 0.0)


def scaled(x: Any) -> Any:
    return x * tf.cast(tf.range(tf.shape(x)[-1]) % 7, x.dtype) - 1.0


def shifted(x: Any) -> Any:
    """Another shape, and back to the first."""
    return tf.pad(x[..., 1:], [[0, 0]] * (x.shape.rank - 1) + [[1, 0]])


def joined(x: Any) -> Any:
    return tf.concat([x[..., :3], tf.nn.relu(x)[..., 3:]], -1)


def by_rows(x: Any) -> Any:
    return x * x[..., :1] + x[..., :1, :]


def taken(x: Any) -> Any:
    """Rows of a matrix, some of them several times."""
    rows = tf.range(tf.shape(x)[-2]) * 7 % tf.maximum(tf.shape(x)[-2] - 1, 1)
    return tf.gather(x, rows, axis=-2) * 0.5


KINDS: dict[str, Callable[[Any], Any]] = {
    "masked": masked,
    "scaled": scaled,
    "normalised": normalised,
    "shifted": shifted,
    "joined": joined,
    "by rows": by_rows,
    "logistic": tf.sigmoid,
    "taken": taken,
}

# Which schedule, and the sizes (batch, m, k, n).
SIZES: dict[str, tuple[tuple[int, ...], int, int, int]] = {
    "direct": ((), 10, 30, 40),
    "low": ((), 4, 300, 133),
    "one row": ((), 1, 300, 70),
    "one column": ((), 70, 300, 1),
    "panels": ((), 20, 600, 133),
    "blocked": ((), 50, 300, 530),
    "narrow": ((), 310, 300, 10),
    "batch": ((3,), 33, 40, 50),
}


def array(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def same(got: Any, wanted: Any) -> None:
    a, b = np.asarray(got), np.asarray(wanted)
    assert a.dtype == b.dtype and a.shape == b.shape
    assert a.tobytes() == b.tobytes()


def operands(size: str, turned: bool) -> tuple[Any, Any]:
    batch, m, k, n = SIZES[size]
    x, y = ((*batch, k, m), (*batch, n, k)) if turned else ((*batch, m, k), (*batch, k, n))
    return tf.constant(array(*x)), tf.constant(array(*y))


CASES = [(k, s, bool((i + j) % 2)) for i, k in enumerate(KINDS) for j, s in enumerate(SIZES)]


@pytest.mark.parametrize("kind, size, turned", CASES)
def test_bits_are_those_of_stored_operands(kind: str, size: str, turned: bool) -> None:
    """Op by op every operand is stored."""

    def f(x: Any, y: Any) -> Any:
        made = KINDS[kind]
        return tf.matmul(made(x), made(y), transpose_a=turned, transpose_b=turned)

    x, y = operands(size, turned)
    same(tf.function(f)(x, y), f(x, y))


@pytest.mark.parametrize("kind", KINDS)
def test_bits_of_sizes_that_nobody_knows(kind: str) -> None:
    def f(x: Any, y: Any) -> tuple[Any, Any]:
        return KINDS[kind](x) @ y, x @ KINDS[kind](y)

    free = tf.function(f, input_signature=[tf.TensorSpec([None, None])] * 2)
    for m, k, n in [(3, 40, 70), (11, 700, 40), (60, 300, 50)]:
        x, y = tf.constant(array(m, k)), tf.constant(array(k, n))
        for got, own in zip(free(x, y), f(x, y), strict=True):
            same(got, own)


def test_bits_on_any_number_of_threads() -> None:
    x, y = tf.constant(array(400, 300)), tf.constant(array(300, 530))

    @tf.function
    def f(x: Any, y: Any) -> tuple[Any, ...]:
        both = normalised(x) @ masked(y)
        return both, masked(x[:20]) @ scaled(y), masked(x[:3]) @ scaled(y), joined(x) @ y[:, :1]

    found = []
    for count in (1, 2, 3, 8):
        tf.config.threading.set_intra_op_parallelism_threads(count)
        found.append([np.asarray(z).tobytes() for z in f(x, y)])
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert all(bits == found[0] for bits in found)


def test_weights_of_small_integers() -> None:
    """They are turned into floats in the product, so that no more than their bytes are read."""

    def f(x: Any, q: Any, scale: Any) -> Any:
        return x @ (tf.cast(q, x.dtype) * scale)

    q, scale = rng.integers(-127, 128, (500, 700)).astype(np.int8), array(700)
    for rows, dtype in ((1, "float32"), (4, "float64"), (20, "bfloat16"), (60, "float32")):
        arguments = [tf.cast(v, dtype) for v in (array(rows, 500), scale)]
        arguments.insert(1, tf.constant(q))
        same(tf.function(f)(*arguments), f(*arguments))
        assert stored(f, *arguments) == [(rows, 700)]


NARROW = [
    ("int8", "float32"),
    ("uint8", "int32"),
    ("int16", "float64"),
    ("bfloat16", "float32"),
    ("float16", "float32"),
    ("float32", "float32"),
]


@pytest.mark.parametrize("narrow, wide", NARROW)
def test_vectors_by_narrow_matrices(narrow: str, wide: str) -> None:
    """Rows and columns by matrices in both orders of memory, of sizes that are known, or not: the
    bits are those of matrices that are converted before, on all numbers of threads."""

    def f(w: Any, x: Any, z: Any) -> tuple[Any, ...]:
        scaled = tf.cast(w, wide) * z
        row = x @ scaled, tf.matmul(z, scaled, transpose_b=True)
        column = tf.matmul(scaled, z, transpose_b=True)
        return *row, column, tf.matmul(scaled, x, transpose_a=True, transpose_b=True)

    specs = [tf.TensorSpec([None, None], narrow), *[tf.TensorSpec([1, None], wide)] * 2]
    compiled = tf.function(f), tf.function(f, input_signature=specs)
    for k, n in (300, 613), (41, 33), (3, 1):
        w = tf.cast(rng.integers(0, 128, (k, n)), narrow)
        x, z = (tf.cast(100 * array(1, size), wide) for size in (k, n))
        wanted = f(w, x, z)
        for count in (1, 3):
            tf.config.threading.set_intra_op_parallelism_threads(count)
            for function in compiled:
                for got, own in zip(function(w, x, z), wanted, strict=True):
                    same(got, own)
        tf.config.threading.set_intra_op_parallelism_threads(0)


@pytest.mark.parametrize("narrow, wide", NARROW)
def test_vectors_by_narrow_matrices_of_one_reader(narrow: str, wide: str) -> None:
    """Nobody else reads what is converted, so it is not stored. Rows of 2048 elements clash in a
    cache, so that they are moved by whole lines; 260 of them, of two bytes, are more than a core's
    own, and read row by row."""
    w = tf.cast(rng.integers(0, 128, (260, 2048)), narrow)
    for flip, size in (False, 260), (True, 2048):

        def f(w: Any, x: Any, flip: bool = flip) -> Any:
            return tf.matmul(x, tf.cast(w, wide), transpose_b=flip)

        x = tf.cast(100 * array(1, size), wide)
        converted = tf.cast(w, wide)
        same(tf.function(f)(w, x), tf.matmul(x, converted, transpose_b=flip))
        if narrow != wide:
            assert (260, 2048) not in stored(f, w, x)


def test_complex_operands() -> None:
    def f(x: Any, y: Any) -> Any:
        return tf.matmul(x * (2 + 1j) + y, y * x, adjoint_a=True)

    x, y = (tf.complex(array(60, 60), array(60, 60)) for _ in range(2))
    same(tf.function(f)(x, y), f(x, y))


def test_rows_that_are_not_there_are_errors() -> None:
    """Of the gather, whatever threads the product has; a row below or above."""

    @tf.function
    def f(table: Any, rows: Any, y: Any) -> Any:
        return tf.nn.relu(tf.gather(table, rows)) @ y

    table, y = tf.constant(array(50, 300)), tf.constant(array(300, 80))
    rows = rng.integers(0, 50, 400)
    assert (400, 300) not in stored(f.python_function, table, tf.constant(rows), y)
    same(f(table, rows, y), tf.nn.relu(tf.gather(table, rows)) @ y)
    for wrong in (50, -1):
        rows[300] = wrong
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"{wrong} is not in"):
            f(table, rows, y)


# What is stored.


def stored(f: Any, *arguments: Any) -> list[tuple[int, ...]]:
    """The shapes of what the kernels of `f` make, but for scratch memory."""
    given = [tf.TensorSpec(a.shape, a.dtype) for a in arguments]
    made = Native(tf.function(f).get_concrete_function(*given).function).kernels
    launches = [op for op in made.body if isinstance(op, Launch)]
    return [v.shape for op in launches for v in op.results[: op.kernel.notes["results"]]]


X, Y = tf.TensorSpec([310, 300]), tf.TensorSpec([300, 70])


@pytest.mark.parametrize("kind", KINDS)
def test_operands_are_not_stored(kind: str) -> None:
    """But for what is the same all along a row or column."""
    for f, operand in ((lambda x, y: KINDS[kind](x) @ y, X), (lambda x, y: x @ KINDS[kind](y), Y)):
        *vectors, result = stored(f, X, Y)
        assert result == (310, 70)
        assert all(prod(v) <= max(operand.shape) for v in vectors)


def test_what_several_want_is_stored_once() -> None:
    def f(x: Any, y: Any) -> tuple[Any, ...]:
        z = tf.sigmoid(x)
        return z @ y, z @ (y + y), z @ tf.abs(y)

    assert stored(f, X, Y).count((310, 300)) == 1


def test_what_is_packed_often_is_stored() -> None:
    """A logistic function for each panel costs more than to store it."""
    assert stored(lambda x, y: tf.sigmoid(x) @ y, X, tf.TensorSpec([300, 530])).count(X.shape) == 1


def test_what_products_make_is_stored_as_the_next_wants_it() -> None:
    """So an activation is the end of one kernel, not the beginning of two."""
    third = tf.TensorSpec([70, 90])
    made = stored(lambda x, y, z: tf.nn.relu(x @ y) @ z, X, Y, third)
    assert made == [(310, 70), (310, 90)]


def test_rows_that_are_kept_stay_so() -> None:
    """A softmax is one kernel; the exponentials alone would be as large."""
    made = stored(lambda x, y: tf.nn.softmax(x) @ y, X, Y)
    assert made == [(310, 300), (310, 70)]


def test_operands_of_chains_are_stored() -> None:
    def attention(q: Any, k: Any, v: Any) -> Any:
        s = tf.matmul(q * 0.125, tf.nn.relu(k), transpose_b=True)
        return tf.matmul(tf.nn.softmax(s), v)

    q, k, v = (tf.constant(array(4, 128, 32)) for _ in range(3))
    same(tf.function(attention)(q, k, v), attention(q, k, v))
    assert stored(attention, q, k, v).count((4, 128, 128)) == 0
