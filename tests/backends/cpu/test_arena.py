"""Scratch memory: who shares a place, and what takes the place of what it is made of."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tfc as tf
from tfc.backends.llvm.arena import ALIGN, Arena
from tfc.ir.extent import evaluate, symbol


@pytest.mark.parametrize("seed", range(20))
def test_blocks_that_live_together_are_apart(seed: int) -> None:
    rng = random.Random(seed)
    arena, blocks = Arena(), []
    for _ in range(60):
        first = rng.randrange(40)
        last = first + rng.randrange(8)
        size = rng.choice([0, 1, 64, 100, 1000, 5000, 64 * symbol("n"), 8 * symbol("n") + 4])
        assert arena.request(size, first, last) == len(blocks)
        blocks.append((size, first, last))
    arena.assign()
    sizes = {"n": 13}
    places = [
        (evaluate(where, sizes), evaluate(where + size, sizes), first, last)
        for where, (size, first, last) in zip(arena.offsets, blocks, strict=True)
    ]
    total = evaluate(arena.size, sizes)
    for k, (low, high, first, last) in enumerate(places):
        assert low % ALIGN == 0 and 0 <= low <= high <= total
        for other in places[:k]:
            together = other[2] <= last and first <= other[3]
            assert not together or high <= other[0] or other[1] <= low or low == high
    live = max(
        sum(high - low for low, high, first, last in places if first <= time <= last)
        for time in range(48)
    )
    assert total >= live


def test_known_sizes_of_a_chain_need_no_more_than_what_lives() -> None:
    arena = Arena()
    for k, size in enumerate([6400, 640, 6400, 3200, 3200, 9600]):
        arena.request(size, k, k + 1)
    arena.assign()
    assert arena.size == 12_800  # of the last two


def temporaries(f: object, *arguments: object) -> int:
    return tf.function(f).get_concrete_function(*arguments).memory_analysis().temporaries  # type: ignore


def test_elementwise_results_take_the_place_of_operands() -> None:
    x = tf.constant(np.random.default_rng(0).standard_normal((300, 300)).astype(np.float32))

    def chain(x: tf.Tensor) -> tf.Tensor:
        for _ in range(3):
            x = tf.sigmoid(tf.matmul(x, x) * 0.01)
        return tf.reduce_sum(x, 0)

    size = 300 * 300 * 4
    assert 2 * size <= temporaries(chain, x) < 3 * size  # and what is packed

    def turned(x: tf.Tensor) -> tf.Tensor:
        y = tf.matmul(x, x)
        z = tf.transpose(tf.nn.relu(y)) + tf.reduce_sum(y)
        return tf.matmul(z, z)

    y = x.numpy() @ x.numpy()
    z = np.maximum(y, 0).T + y.sum()
    assert np.allclose(tf.function(turned)(x), z @ z, rtol=1e-3, atol=1e-2 * np.abs(z @ z).max())


def test_loops_carry_in_place() -> None:
    n = 100_000
    x = tf.constant(np.random.default_rng(0).standard_normal(n).astype(np.float32))

    def direction(q: tf.Tensor) -> tf.Tensor:
        for i in tf.range(5):
            q = q - tf.reduce_sum(q * q) * 1e-7 * tf.cast(i, tf.float32) * x
        return tf.reduce_max(q)

    assert temporaries(direction, x) < 1.1 * 4 * n

    def averages(q: tf.Tensor) -> tf.Tensor:  # reads neighbours: two buffers take turns
        for _ in tf.range(5):
            q = (q + tf.roll(q, 1, 0)) * 0.5
        return tf.reduce_max(q)

    q, p = x.numpy(), x.numpy()
    for i in range(5):
        q = (
            q
            - np.sum(q * q, dtype=np.float64).astype(np.float32) * np.float32(1e-7 * i) * x.numpy()
        )
        p = (p + np.roll(p, 1)) * np.float32(0.5)
    assert np.allclose(tf.function(direction)(x), q.max(), rtol=1e-5)
    assert tf.function(averages)(x).numpy() == p.max()


def test_rows_take_the_place_of_rows() -> None:
    x = tf.constant(np.random.default_rng(1).standard_normal((6, 50, 70)).astype(np.float32))
    w = tf.constant(np.random.default_rng(2).standard_normal((70, 70)).astype(np.float32))

    def attention(x: tf.Tensor) -> tf.Tensor:
        y = tf.matmul(x, w)
        y = tf.nn.softmax(y) * x  # maxima and sums of a row come before it is stored
        return tf.matmul(y, w)

    compiled = tf.function(attention)
    assert np.array_equal(compiled(x), attention(x))
    rows = tf.function(attention, input_signature=[tf.TensorSpec([None, None, 70])])
    assert np.array_equal(rows(x), attention(x))
    size = 6 * 50 * 70 * 4

    def normalised(x: tf.Tensor) -> tf.Tensor:  # reads other rows than it stores
        y = tf.matmul(x, w)
        y = tf.reverse(y, [1]) / tf.reduce_max(y, axis=2, keepdims=True)
        return tf.matmul(y, w)

    assert np.array_equal(tf.function(normalised)(x), normalised(x))
    assert temporaries(normalised, x) >= temporaries(attention, x) + size
