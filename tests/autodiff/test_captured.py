"""Gradients by tensors that functions take from around them, in eager code: those of the same
computation without a function. Small tensors, which traces write out as constants, and larger
ones; traced for the tape, before it, or by another function that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Wrapper = Callable[[Callable[..., Any]], Callable[..., Any]]


def _nested(f: Callable[..., Any]) -> Callable[..., Any]:
    inner = tf.function(f)
    return tf.function(lambda v: inner(v) + 0.0)


def _in_branch(f: Callable[..., Any]) -> Callable[..., Any]:
    return tf.function(lambda v: tf.cond(tf.reduce_sum(v) > -1e9, lambda: f(v), lambda: v))


def _in_loop(f: Callable[..., Any]) -> Callable[..., Any]:
    rounds = tf.constant(1)

    def loop(v: Any) -> Any:
        return tf.while_loop(lambda i, _: i < rounds, lambda i, w: (i + 1, f(w)), (0, v))[1]

    return tf.function(loop)


WRAPPERS: dict[str, Wrapper] = {
    "function": tf.function,
    "retraced": lambda f: tf.function(f, reduce_retracing=True),
    "signature": lambda f: tf.function(f, input_signature=[tf.TensorSpec([None])]),
    "nested": _nested,
    "branch": _in_branch,
    "loop": _in_loop,
    "recompute": tf.recompute_grad,
    "vectorized": lambda f: lambda v: tf.vectorized_map(f, v[None])[0],
    "mapped": lambda f: lambda v: tf.map_fn(f, v[None])[0],
    "recompute in function": lambda f: tf.function(tf.recompute_grad(f)),
    "mapped in function": lambda f: tf.function(lambda v: tf.map_fn(f, v[None])[0]),
}


@pytest.mark.parametrize("size", [2, 40])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_what_is_captured_has_a_gradient(wrapper: str, size: int) -> None:
    w = tf.linspace(0.5, 1.5, size)
    x = tf.linspace(-1.0, 2.0, size)

    def slopes(wrapped: Wrapper, early: bool) -> list[Any]:
        held: list[Any] = [x]

        def body(v: Any) -> Any:
            return tf.tanh(held[0]) * v + held[-1] * held[0]

        f = wrapped(body)
        if early:  # traced where no tape is
            f(w)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            if not early:
                held.append(tf.sin(x))
            y = f(w) * x
        assert early or held[1].shape == [size]
        return [tape.gradient(y, x), tape.gradient(f(w), w)]

    for early in (False, True):
        wanted, got = slopes(lambda f: f, early), slopes(WRAPPERS[wrapper], early)
        np.testing.assert_allclose(got[0], wanted[0], rtol=1e-6)


def test_a_capturing_trace_takes_the_place_of_the_other() -> None:
    """One more trace, which calls without a tape use, too."""
    x, traces = tf.constant([1.0, 2.0]), []

    @tf.function
    def f(v: Any) -> Any:
        traces.append(None)
        return v * x

    for _ in range(2):
        f(x)
    assert len(traces) == 1
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant([3.0, 4.0]))
        assert tape.gradient(y, x).numpy().tolist() == [3.0, 4.0]
        assert f(x).numpy().tolist() == [1.0, 4.0]
    assert len(traces) == 2
    with tf.GradientTape() as tape:  # of what has nothing to do with it
        other = tf.constant([1.0, 2.0])
        tape.watch(other)
        assert tape.gradient(f(other), other).numpy().tolist() == [1.0, 2.0]
    assert len(traces) == 2
