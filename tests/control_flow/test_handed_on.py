"""Loops that carry what another value was a round before: no round copies it, in any order, and
from arguments that nobody may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated_gpu import on_gpu

State = tuple[Any, ...]
Round = Callable[..., State]
N = 300
START = tuple(np.linspace(k, k + 1, N, dtype=np.float32) for k in range(3))


def made(x: Any, y: Any) -> Any:
    return tf.roll(x, 1, 0) * 0.5 - y  # reads what lies elsewhere: not in place


def leapfrog(a: Any, b: Any, c: Any) -> State:
    return made(a, b), a, c + 1.0


def before_it(a: Any, b: Any, c: Any) -> State:
    """The value that is handed on comes first."""
    return b, made(b, a), c


def three(a: Any, b: Any, c: Any) -> State:
    """The second is handed on, the third a copy of what the second was."""
    return made(a, c), a, b


def twice(a: Any, b: Any, c: Any) -> State:
    """Only one of two can have the buffer."""
    return made(a, b) + c, a, a


def exchanged(a: Any, b: Any, c: Any) -> State:
    """Nothing is made: copies."""
    return b, a, made(c, a)


def two_pairs(a: Any, b: Any, c: Any, d: Any) -> State:
    return made(a, b), a, d, made(d, c) + a


def within(a: Any, b: Any, c: Any) -> State:
    """A loop of this kind in one."""
    for _ in tf.range(2):
        a, b = made(a, b), a
    return a + c, a, b


ROUNDS: list[Round] = [leapfrog, before_it, three, twice, exchanged, two_pairs, within]


def starts(step: Round) -> list[Any]:
    count = step.__code__.co_argcount
    return [tf.constant(x) for x in (*START, START[0])[:count]]


def repeated(step: Round) -> Any:
    @tf.function
    def run(rounds: Any, *state: Any) -> State:
        for _ in tf.range(rounds):
            state = step(*state)
        return state

    return run


def scanned(step: Round) -> Any:
    @tf.function
    def run(steps: Any, *state: Any) -> State:
        return tf.scan(lambda state, _: step(*state), steps, state)

    return run


@pytest.mark.parametrize("step", ROUNDS)
def test_rounds(step: Round) -> None:
    """Results are handed back in buffers of their own, however many rounds there were."""
    loop, state = repeated(step), starts(step)
    expected, given = list(state), [x.numpy().copy() for x in state]
    eager = tf.function(step)
    for rounds in range(8):
        found = loop(tf.constant(rounds), *state)
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_array_equal(x, y, err_msg=f"{rounds} rounds")
        expected = eager(*expected)
    for x, kept in zip(state, given, strict=True):
        np.testing.assert_array_equal(x, kept)


@pytest.mark.parametrize("step", ROUNDS)
def test_scans(step: Round) -> None:
    state = starts(step)
    for rounds in (1, 2, 5):
        stacked = scanned(step)(tf.zeros([rounds]), *state)
        for k in range(rounds):
            for x, y in zip(stacked, repeated(step)(tf.constant(k + 1), *state), strict=True):
                np.testing.assert_array_equal(x[k], y)


def test_one_argument_for_both_and_gradients() -> None:
    """Both begin in one place; the gradient's loop carries both, too."""
    x = tf.constant(START[0])
    loop = repeated(leapfrog)

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(loop(tf.constant(5), x, x, x)[0] ** 2)
        return tape.gradient(y, x)

    with tf.GradientTape() as tape:
        tape.watch(x)
        state: State = x, x, x
        for _ in range(5):
            state = leapfrog(*state)
        y = tf.reduce_sum(state[0] ** 2)
    np.testing.assert_allclose(slope(x), tape.gradient(y, x), rtol=1e-5, atol=1e-6)


def test_memory() -> None:
    """Three buffers for two values: the results', and one more."""
    loop, size = repeated(lambda a, b: (made(a, b), a)), START[0].nbytes
    plan = loop.get_concrete_function(tf.constant(3), *starts(before_it)[:2]).memory_analysis()
    assert plan.temporaries < 2 * size


@pytest.mark.parametrize("step", ROUNDS)
def test_on_a_gpu(gpu: Any, step: Round) -> None:
    loop, state = repeated(step), starts(step)
    for rounds in (0, 1, 2, 3, 4):
        there = loop(tf.constant(rounds).gpu(), *[x.gpu() for x in state])
        for x, y in zip(there, loop(tf.constant(rounds), *state), strict=True):
            assert on_gpu(x)
            np.testing.assert_array_equal(x.numpy(), y)
