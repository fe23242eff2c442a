"""What is large between products is computed in strips of rows, with the bits of the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.ops.contraction import Matmul
from tfc.ir.ops.control import Scan
from tfc.ir.passes import strip_mine

Given = tuple[tf.Tensor, ...]
Body = Callable[..., Any]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of a MiB are large, of which there are a few, and two strips enough."""
    monkeypatch.setitem(strip_mine.__globals__, "LARGE_BYTES", 5 << 19)
    monkeypatch.setitem(strip_mine.__globals__, "EACH_BYTES_MIN", 1 << 20)
    monkeypatch.setitem(strip_mine.__globals__, "STRIPS_MIN", 2)


def attention(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    return tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.25), v)


def masked(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    scores = tf.matmul(q, k, transpose_b=True)
    rows, columns = tf.range(tf.shape(scores)[-2])[:, None], tf.range(tf.shape(scores)[-1])
    scores = tf.where(columns <= rows, scores, tf.constant(-1e9, scores.dtype))
    return tf.nn.relu(tf.matmul(tf.nn.softmax(scores), v) + 0.5)


def turned(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    """The scores of all queries for a key are a row."""
    scores = tf.matmul(k, q, transpose_b=True)
    return tf.matmul(tf.nn.softmax(scores, axis=-2), v, transpose_a=True)


def with_sums(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    """What is made of rows is used beside them."""
    scores = tf.matmul(q, k, transpose_b=True)
    total = tf.reduce_logsumexp(scores, axis=-1, keepdims=True)
    return tf.matmul(tf.exp(scores - total), v) * tf.tanh(total)


def twice(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> tf.Tensor:
    """Two layers."""
    x = attention(q, k, v)
    return attention(x, k, x[..., : v.shape[-1]] + v)


def step(body: Body) -> Body:
    def run(*given: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = body(*given)
            loss = tf.reduce_sum(y * y)
        return y, *tape.gradient(loss, given)

    return run


def operands(shape: tuple[int, ...], rows: int, columns: int, dtype: Any = "float32") -> Given:
    rng = np.random.default_rng(rows)
    sizes = (*shape, rows, 8), (*shape, columns, 8), (*shape, columns, 8)
    return tuple(tf.constant(rng.standard_normal(s), dtype) for s in sizes)


def loops(f: Any, *given: Any) -> int:
    """How many loops over strips a function has."""
    return str(f.get_concrete_function(*given).ir("optimised")).count("= scan ")


@pytest.mark.parametrize("body", [attention, masked, turned, with_sums, twice])
def test_bits_are_those_of_the_whole(body: Body) -> None:
    given = operands((2,), 600, 600)
    f = tf.function(step(body))
    for have, want in zip(f(*given), step(body)(*given), strict=True):
        assert have.numpy().tobytes() == want.numpy().tobytes()
    assert loops(f, *given) >= 2


@pytest.mark.parametrize("rows", [512, 530])
def test_ranks_and_doubles(rows: int) -> None:
    given = operands((1, 3), rows, 300, "float64")
    f = tf.function(step(attention))
    for have, want in zip(f(*given), step(attention)(*given), strict=True):
        assert have.numpy().tobytes() == want.numpy().tobytes()
    assert loops(f, *given) >= 2  # those of strips of rows may have some themselves


def test_nothing_large_is_kept() -> None:
    given = operands((2,), 600, 600)
    f = tf.function(step(attention)).get_concrete_function(*given)
    program = tf.ir.parse(f.ir("optimised", verbose=True))
    assert not any(v.type.size >= 2 * 600 * 600 for op in program.walk() for v in op.results)
    assert sum(isinstance(op, Scan) for op in program.walk()) == 2
    # Six products and the scores once more, in strips; six in what is left, whose scores are kept.
    assert sum(isinstance(op, Matmul) for op in program.walk()) == 13


def test_batches_of_any_size() -> None:
    specs = [tf.TensorSpec([None, 600, 8])] * 3
    f = tf.function(step(attention), input_signature=specs)
    for count in (2, 3):
        given = operands((count,), 600, 600)
        for have, want in zip(f(*given), step(attention)(*given), strict=True):
            assert have.numpy().tobytes() == want.numpy().tobytes()
    assert loops(f) == 2


def kept(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
    p = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
    return tf.matmul(p, v), p


def summed_down(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
    scores = tf.matmul(q, k, transpose_b=True)
    down = tf.reduce_sum(scores, axis=-2, keepdims=True)
    return tf.matmul(tf.nn.softmax(scores - down), v)


@pytest.mark.parametrize("body", [kept, summed_down])
def test_what_is_wanted_whole_is_computed_whole(body: Body) -> None:
    given = operands((2,), 600, 530)
    f = tf.function(body)
    for have, want in zip(tf.nest.flatten(f(*given)), tf.nest.flatten(body(*given)), strict=True):
        assert have.numpy().tobytes() == want.numpy().tobytes()
    assert loops(f, *given) == 0


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("body", [attention, turned])
def test_sums_that_are_rounded_are_cut_between_matrices(body: Body, dtype: str) -> None:
    given = operands((2, 5), 300, 300, dtype)
    f = tf.function(step(body))
    for have, want in zip(f(*given), step(body)(*given), strict=True):
        assert have.numpy().tobytes() == want.numpy().tobytes()
    concrete = f.get_concrete_function(*given)
    assert loops(f, *given) == 2
    assert "in 5 strips of 1 row" in str(concrete.explain_passes())
    program = tf.ir.parse(concrete.ir("optimised", verbose=True))
    assert not any(v.type.size >= 10 * 300 * 300 for op in program.walk() for v in op.results)


def test_sums_that_are_rounded_between_strips_stay_whole() -> None:
    given = operands((), 1200, 600, "bfloat16")
    f = tf.function(step(attention))
    for have, want in zip(f(*given), step(attention)(*given), strict=True):
        assert have.numpy().tobytes() == want.numpy().tobytes()
    assert loops(f, *given) == 0


def test_one_kernel_needs_no_loop() -> None:
    """Two products in a row are fused, with strips of their own."""
    f = tf.function(attention)
    assert loops(f, *operands((2,), 600, 600)) == 0
    assert loops(f, *operands((), 600, 6000)) == 1


def test_effects_keep_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(q)
            y = attention(q, k, v)
            tf.print("between", y.shape)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, q)

    given = operands((2,), 600, 600)
    with tf.GradientTape() as tape:
        tape.watch(given[0])
        loss = tf.reduce_sum(attention(*given))
    want = tape.gradient(loss, given[0])
    assert f(*given).numpy().tobytes() == want.numpy().tobytes()


def test_second_derivatives() -> None:
    def curvature(q: tf.Tensor, k: tf.Tensor, v: tf.Tensor) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(q)
            with tf.GradientTape() as tape:
                tape.watch(q)
                loss = tf.reduce_sum(tf.sin(attention(q, k, v)))
            slope = tape.gradient(loss, q)
        return outer.gradient(slope, q)

    given = operands((), 600, 600)
    f = tf.function(curvature)
    assert f(*given).numpy().tobytes() == curvature(*given).numpy().tobytes()
    assert loops(f, *given) >= 1


def test_the_journal_says_what_became_of_it() -> None:
    given = operands((2,), 1024, 1024)
    f = tf.function(step(attention))
    text = str(f.get_concrete_function(*given).explain_passes())
    assert "in 4 strips of 256 rows" in text
