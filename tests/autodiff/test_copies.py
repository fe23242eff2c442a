"""What gives its operand as it is gives another tensor: gradients by the one are not those by the
other, eagerly and in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

COPIES: dict[str, Callable[[Any], Any]] = {
    "broadcast_to": lambda x: tf.broadcast_to(x, [3]),
    "clip_by_value": lambda x: tf.clip_by_value(x, 0.0, 100.0),
    "concat": lambda x: tf.concat([x], 0),
    "custom_gradient": tf.custom_gradient(lambda x: (x, lambda d: d)),
    "ensure_shape": lambda x: tf.ensure_shape(x, [3]),
    "function": tf.function(lambda x: x),
    "function of structures": lambda x: tf.function(lambda d: [d["x"], None])({"x": x})[0],
    "gather": lambda x: tf.gather(x, [0, 1, 2]),
    "identity": tf.identity,
    "identity_n": lambda x: tf.identity_n([x])[0],
    "map_fn": lambda x: tf.map_fn(lambda e: e, x),
    "meshgrid": lambda x: tf.meshgrid(x)[0],
    "pad": lambda x: tf.pad(x, [[0, 0]]),
    "py_function": lambda x: tf.py_function(lambda v: v, [x], tf.TensorSpec([3])),
    "recompute_grad": tf.recompute_grad(lambda x: x),
    "reduce_max": lambda x: tf.reduce_max(x, []),
    "reduce_sum": lambda x: tf.reduce_sum(x, []),
    "repeat": lambda x: tf.repeat(x, 1),
    "reshape": lambda x: tf.reshape(x, [-1]),
    "reverse": lambda x: tf.reverse(x, []),
    "roll": lambda x: tf.roll(x, 0, 0),
    "slice": lambda x: tf.slice(x, [0], [3]),
    "split": lambda x: tf.split(x, 1)[0],
    "tile": lambda x: tf.tile(x, [1]),
    "transpose": tf.transpose,
    "tuple": lambda x: tf.tuple([x])[0],
    "where": lambda x: tf.where(True, x, x),
    "x[...]": lambda x: x[...],
    "x[:]": lambda x: x[:],
}

ways = pytest.mark.parametrize(
    "mode",
    [
        lambda f: f,
        tf.function,
        lambda f: tf.function(f, input_signature=[tf.TensorSpec([None], tf.float32)]),
    ],
    ids=["eager", "function", "unknown sizes"],
)
copies = pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)

X = np.array([2.0, 3.0, 4.0], np.float32)
CUBE, SQUARE = 3 * X**2, 2 * X  # the slopes of y * y * y, and of x * x


def values(gradients: Any) -> list[Any]:
    return [None if g is None else g.numpy().tolist() for g in gradients]


@ways
@copies
def test_of_a_copy_that_is_watched(mode: Any, copy: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            y = copy(x)
            tape.watch(y)
            z = x * x
            w = z + y * y * y
        return [tape.gradient(w, y), tape.gradient(w, x), tape.gradient(z, y), tape.gradient(y, x)]

    assert values(mode(f)(tf.constant(X))) == [CUBE.tolist(), None, None, None]


@ways
@copies
def test_of_a_copy_of_what_is_watched(mode: Any, copy: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = copy(x)
            z = x * x
            w = z + y * y * y
        each = [tape.gradient(w, y), tape.gradient(w, x), tape.gradient(z, y), tape.gradient(y, y)]
        return [*each, *tape.gradient(w, [y, x])]

    both = (CUBE + SQUARE).tolist()
    wanted = [CUBE.tolist(), both, None, [1, 1, 1], CUBE.tolist(), both]
    assert values(mode(f)(tf.constant(X))) == wanted


@ways
@copies
def test_of_a_copy_from_before(mode: Any, copy: Any) -> None:
    def f(x: Any) -> Any:
        y = copy(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            z = x * x
            w = z + y * y * y
        return [tape.gradient(w, y), tape.gradient(w, x)]

    assert values(mode(f)(tf.constant(X))) == [None, SQUARE.tolist()]


@ways
@copies
def test_second_derivatives_of_a_copy(mode: Any, copy: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                y = copy(x)
                inner.watch(y)
                w = x * x * y * y * y
            slope = inner.gradient(w, y)  # 3 x^2 y^2
        return [slope, outer.gradient(slope, x), outer.gradient(slope, y)]

    wanted = [3 * X**4, 12 * X**3, 6 * X**3]
    assert values(mode(f)(tf.constant(X))) == [w.tolist() for w in wanted]


@ways
@pytest.mark.parametrize("watched", [False, True])
def test_what_is_stopped_is_a_source_where_it_is_watched(mode: Any, watched: bool) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stop_gradient(x)
            if watched:
                tape.watch(y)
            w = x * x + y * y * y
        return [tape.gradient(w, y), tape.gradient(w, x)]

    wanted = [CUBE.tolist() if watched else None, SQUARE.tolist()]
    assert values(mode(f)(tf.constant(X))) == wanted
