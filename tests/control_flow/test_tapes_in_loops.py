"""Tapes inside of loops that assign the Variables they differentiate by, and around such loops: a
training loop in a function. Each against the same function run by Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

START = [1.0, -2.0, 0.5]
X = np.array([3.0, 4.0, -1.0], np.float32)


def step(w: Any, i: Any) -> Any:
    """One step of descent; w is read before and after it is assigned."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * X - 1.0) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
    with tf.GradientTape() as tape:
        again = tf.reduce_sum(w * w * tf.cast(i + 1, tf.float32))
    slope = tape.gradient(again, [w])[0]
    w.assign_sub(0.01 * slope)
    return loss + again + tf.reduce_sum(w.read_value())


def for_loop(w: Any, n: Any) -> Any:
    total = tf.zeros([])
    for i in tf.range(n):
        total += step(w, i)
    return total


def while_loop(w: Any, n: Any) -> Any:
    total, i = tf.zeros([]), tf.constant(0)
    while i < n:
        total += step(w, i)
        i += 1
    return total


def called(w: Any, n: Any) -> Any:
    def body(i: Any, total: Any) -> Any:
        return i + 1, total + step(w, i)

    return tf.while_loop(lambda i, total: i < n, body, (tf.constant(0), tf.zeros([])))[1]


def branches(w: Any, n: Any) -> Any:
    total = tf.zeros([])
    for i in tf.range(n):
        if i % 2 == 0:
            total += step(w, i)
        else:
            w.assign_add(tf.ones([3]))
    return total


def nested(w: Any, n: Any) -> Any:
    total = tf.zeros([])
    for i in tf.range(n):
        for j in tf.range(2):
            total += step(w, i + j)
    return total


LOOPS = (for_loop, while_loop, called, branches, nested)


def run(f: Callable[..., Any], n: int) -> tuple[np.ndarray, np.ndarray]:
    w = tf.Variable(START)
    result = f(w, tf.constant(n))
    return np.asarray(result), w.numpy()


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_training(loop: Callable[..., Any], n: int) -> None:
    for got, wanted in zip(run(tf.function(loop), n), run(loop, n), strict=True):
        assert np.array_equal(got, wanted)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_tape_around_counts_each_read(loop: Callable[..., Any]) -> None:
    """What is assigned is a new start: the gradient is the sum over the reads."""

    def slope(w: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            y = loop(w, n)
        return tape.gradient(y, w)

    got, wanted = run(tf.function(slope), 3)[0], run(slope, 3)[0]
    np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_watched_variables() -> None:
    seen: list[list[str]] = []

    @tf.autograph.experimental.do_not_convert
    def note(tape: Any) -> None:
        seen.append([v.name for v in tape.watched_variables()])

    @tf.function
    def train(w: Any, n: Any) -> None:
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            note(tape)
            w.assign_sub(0.1 * tape.gradient(loss, w))

    w = tf.Variable(START, name="w")
    train(w, tf.constant(2))
    assert seen and all(names == ["w:0"] for names in seen)
    np.testing.assert_allclose(w.numpy(), np.array(START) * 0.8**2, rtol=1e-6)


@pytest.mark.parametrize("way", ["while_loop", "for", "nested"])
def test_bodies_that_assign_are_traced_once(way: str) -> None:
    """What is assigned is known behind the trace of a body: the ops of that trace are taken."""
    rounds: list[str] = []
    total, product = tf.Variable(1.0), tf.Variable([2.0, 3.0])
    unread = tf.Variable(0)

    def body(i: Any) -> Any:
        rounds.append("traced")
        with tf.GradientTape() as tape:
            y = total * tf.reduce_sum(product**2)
        for v, g in zip((total, product), tape.gradient(y, [total, product]), strict=True):
            v.assign_sub(0.01 * g)
        unread.assign(i)
        return i + 1

    @tf.function
    def run(n: Any) -> None:
        if way == "while_loop":
            tf.while_loop(lambda i: (i < n) & (total < 1e9), body, (tf.constant(0),))
        elif way == "for":
            for i in tf.range(n):
                body(i)
        else:
            tf.while_loop(
                lambda j: j < 1,
                lambda j: (j + tf.while_loop(lambda i: i < n, body, (tf.constant(0),))[0],),
                (tf.constant(0),),
            )

    run(tf.constant(4))
    assert len(rounds) == 1
    got = [total.numpy(), product.numpy(), unread.numpy()]
    total.assign(1.0), product.assign([2.0, 3.0])
    for i in range(4):
        body(tf.constant(i))
    np.testing.assert_array_equal(got[0], total)
    np.testing.assert_array_equal(got[1], product)
    assert got[2] == 3


def two_gradients(x: Any, rounds: Any) -> Any:
    """The derivative of two gradients that one tape gives through one loop."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, v: i < rounds, lambda i, v: (i + 1, tf.sin(v)), (0, x))[1]
            z = y * y
        slopes = tape.gradient(y, x) + tape.gradient(z, x)
    return outer.gradient(slopes, x)


@pytest.mark.parametrize("rounds", [0, 1, 2, 5])
def test_gradients_that_are_added_have_loops_of_their_own(rounds: int) -> None:
    """Both loops that keep values have as many rows, by other symbols."""
    x = tf.constant([0.5, 1.0])
    wanted = two_gradients(x, rounds).numpy()
    function = tf.function(two_gradients)
    np.testing.assert_array_equal(function(x, rounds), wanted)  # the number is known
    np.testing.assert_array_equal(function(x, tf.constant(rounds)), wanted)
    exact = x.numpy().astype(np.float64)
    differences = two_slopes(exact + 1e-5, rounds) - two_slopes(exact - 1e-5, rounds)
    np.testing.assert_allclose(wanted, differences / 2e-5, rtol=1e-5)


def two_slopes(x: np.ndarray, rounds: int) -> np.ndarray:
    """The sum of the two gradients, by NumPy."""
    y, slope = x, np.ones_like(x)
    for _ in range(rounds):
        y, slope = np.sin(y), slope * np.cos(y)
    return slope * (1 + 2 * y)
