"""Gradients by Variables that are assigned meanwhile: eager code and functions add up in one order.

Whichever reading an op took, it adds to the Variable's cotangent in its turn. The numbers are of
bfloat16 and of several magnitudes, so that another order shows in the last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

Program = Callable[[Any, Any], Any]
PROGRAMS: dict[str, Program] = {}


def c(i: int) -> Any:
    return tf.constant(np.exp2(np.random.default_rng(i).uniform(-4, 4, 16)), tf.bfloat16)


def program(f: Program) -> Program:
    PROGRAMS[f.__name__] = f
    return f


@program
def read_before_and_after(v, x):
    with tf.GradientTape() as tape:
        before = v.read_value()
        y = v + before
        v.assign(v * c(9))
        z = v * 400
    return tape.gradient([y, z], v)


@program
def readings_that_are_held(v, x):
    with tf.GradientTape() as tape:
        r0 = v.read_value()
        v.assign_add(x)
        r1 = v.read_value()
        v.assign_add(x)
        r2 = v.read_value()
        factors = enumerate([r0, r1, r2, r0, r1, r2, v, r0, r1])
        ys = [r * c(i) for i, r in factors]
    return tape.gradient([r0, r1, *ys], v)


@program
def a_tape_that_begins_later(v, x):
    with tf.GradientTape(persistent=True) as outer:
        y = v * c(0)
        v.assign_add(x)
        z = v * c(1)
        with tf.GradientTape() as tape:
            w = v * v * c(2)
            v.assign_add(x)
            u = v * v * v * c(3)
        g = tape.gradient([w, u], v)
        t = v * c(4)
    return g, outer.gradient([y, z, w, u, g, t], v)


@program
def some_of_it_not_recorded(v, x):
    with tf.GradientTape() as tape:
        y = v * c(0)
        v.assign_add(x)
        with tape.stop_recording():
            z = v * c(1)
        w = v * c(2) + z
        u = v * c(3)
    return tape.gradient([y, w, u], v)


@program
def a_branch_that_assigns(v, x):
    with tf.GradientTape() as tape:
        y = v * c(0)
        z = x
        if tf.reduce_sum(x) > 0.0:
            z = v * c(1)
            v.assign_add(x)
            z = z + v * c(2) + v * c(5)
        w = v * c(4)
        u = v * c(6)
    return tape.gradient([y, z, w, u], v)


@program
def a_loop_that_assigns(v, x):
    with tf.GradientTape() as tape:
        y = v * c(0)
        s = x
        for _ in tf.range(3):
            s = s * c(2) + v * c(1)
            v.assign_add(x)
            s = s + v * c(6) + v * c(3)
        w = v * c(4)
        u = v * c(5)
    return tape.gradient([y, s, w, u], v)


@program
def a_while_that_assigns(v, x):
    with tf.GradientTape() as tape:
        y = v * c(0)
        s, i = x, 0
        while i < 3 and tf.reduce_sum(s) < 1e6:
            s = s * c(2) + v * c(1)
            v.assign_add(x)
            s = s + v * c(6) + v * c(3)
            i += 1
        w = v * c(4)
        u = v * c(5)
    return tape.gradient([y, s, w, u], v)


@program
def rows(v, x):
    with tf.GradientTape() as tape:
        a = tf.gather(v, [0, 1, 1])
        v.assign_add(x)
        b = tf.gather(v, [1, 1, 2])
        d = tf.gather(v, [2, 1])
        ys = [a * c(0)[:3], b * c(1)[:3], d * c(3)[:2], b * c(2)[:3]]
    return tf.convert_to_tensor(tape.gradient(ys, v))


@program
def gradients_that_users_write(v, x):
    f = tf.custom_gradient(lambda z: (z * c(1)[:1], lambda d: d * c(5)[:1]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        ys = [v * c(0), x * c(6), f(v), f(x)]
        v.assign_add(x)
        ys += [f(v), v * c(2), x * c(7), f(x), f(v), v * c(4), x * c(8)]
    return tape.gradient(ys, [v, x])


@program
def targets_that_are_sources(v, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        v.assign_add(x)
        r = v.read_value()
        ys = [r * c(1), x * c(4), x * c(5)]
        v.assign_add(x)
        ys.append(v * c(2))
    return tape.gradient([x, *ys, r, v.value(), v], [v, x])


def test_functions_add_in_the_order_of_eager_code() -> None:
    """All in one function, of known and of unknown sizes."""

    def results(state: list[Any], x: Any) -> list[Any]:
        return [f(v, x) for f, v in zip(PROGRAMS.values(), state, strict=True)]

    def state() -> list[Any]:
        return [tf.Variable(c(51)) for _ in PROGRAMS]

    def elements(found: list[Any]) -> dict[str, list[np.ndarray]]:
        every = [[np.asarray(t, np.float32) for t in tf.nest.flatten(part)] for part in found]
        return dict(zip(PROGRAMS, every, strict=True))

    x = c(52)
    eager = elements(results(state(), x))
    for shape in ([16], [None]):
        mine = state()
        traced = tf.function(lambda x, mine=mine: results(mine, x))
        concrete = traced.get_concrete_function(tf.TensorSpec(shape, tf.bfloat16))
        for name, found in elements(concrete(x)).items():
            for a, b in zip(eager[name], found, strict=True):
                np.testing.assert_array_equal(a, b, f"{name} of {shape}")
