"""Effects happen once each, in program order, whatever becomes of results: printing, checks and
Python functions; in branches, loops and custom gradients, in compiled and differentiated code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf


class Recorder:
    """Notes what happens, whoever does it."""

    def __init__(self, capsys: Any) -> None:
        self.capsys = capsys
        self.events: list[str] = []

    def print(self, *values: Any) -> None:
        tf.print("print", *values)

    def call(self, *values: Any) -> None:
        tf.py_function(self.note, list(values), [])

    def note(self, *values: Any) -> None:
        self.take()
        self.events.append("call " + " ".join(f"{float(v):g}" for v in values))

    def take(self) -> list[str]:
        """What has happened until now."""
        self.events += self.capsys.readouterr().err.splitlines()
        return self.events


def straight(r: Recorder, x: Any) -> Any:
    r.print(x)
    r.call(x)
    tf.Assert(x < 100.0, ["too large"])
    r.print("sum", x + x)
    y = tf.debugging.check_numerics(x * x, "square")
    r.call(y)
    tf.debugging.assert_positive(x)
    r.print("last")
    return y


def dead(r: Recorder, x: Any) -> Any:
    unused = tf.exp(x) * 3.0
    r.print(unused > 0.0)
    tf.debugging.check_numerics(unused, "unused")
    r.call(x)
    r.print("end")
    return x * 2.0


def branches(r: Recorder, x: Any) -> Any:
    r.print("before")
    if x > 0.0:
        r.print("positive")
        r.call(x)
    else:
        r.call(-x)
        r.print("negative")
    if x > 2.0:
        y = x * x
        r.call(y)
        tf.debugging.assert_less(y, 1000.0)
        r.print("large")
    else:
        y = -x
        r.print("small")
        r.call(y)
    return y


def loops(r: Recorder, x: Any) -> Any:
    for i in tf.range(3):
        r.print("round", i)
        if i > 0:
            r.call(x)
    total = x * 1.0
    while total < 20.0:
        r.print("total", total)
        tf.debugging.assert_greater(total, 0.0)
        total = total * x
        r.call(total)
    return total


def nested(r: Recorder, x: Any) -> Any:
    y = x
    for i in tf.range(2):
        r.print("outer", i)
        k = tf.constant(0)
        while k < 2:
            r.call(y)
            y = y * x
            k += 1
        r.print("inner done", y)
    return y


def custom(r: Recorder, x: Any) -> Any:
    @tf.custom_gradient
    def f(v: Any) -> Any:
        r.print("forward", v)
        r.call(v)

        def grad(dy: Any) -> Any:
            r.call(dy)
            r.print("backward", dy)
            return dy * 7.0

        r.print("forward done")
        return v * 2.0, grad

    y = f(x)
    r.print("between")
    return f(y)


def scanned(r: Recorder, x: Any) -> Any:
    def step(state: Any, v: Any) -> Any:
        r.print("state", state)
        r.call(state, v)
        return state * v

    return tf.scan(step, tf.stack([x, x + 1.0, x + 2.0]), x)[-1]


def calls(r: Recorder, x: Any) -> Any:
    @tf.function
    def inner(v: Any) -> Any:
        r.print("inner", v)
        r.call(v)
        return v * v

    y = inner(x)
    r.print("outer", y)
    return inner(y)


PROGRAMS = [straight, dead, branches, loops, nested, custom, scanned, calls]


def ways(f: Callable[[Any], Any]) -> dict[str, Callable[[Any], Any]]:
    """How a program may run: to its result and the gradient, or None where none is asked for."""

    def taped(x: Any, g: Any = f) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        return y, tape.gradient(y, x)

    compiled = tf.function(f)
    return {
        "compiled": lambda x: (compiled(x), None),
        "taped": taped,
        "taped inside": tf.function(taped),
        "taped outside": lambda x: taped(x, compiled),
    }


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_every_way_has_the_effects_of_running_eagerly(program: Any, capsys: Any) -> None:
    r = Recorder(capsys)
    f = tf.autograph.to_graph(program)
    table = ways(lambda v: f(r, v))
    for value in (3.0, 2.0, 1.5):
        x = tf.constant(value)
        r.events.clear()
        y, slope = table["taped"](x)
        wanted = list(r.take())
        backward = [e for e in wanted if "backward" in e or e in ("call 1", "call 7")]
        for name, way in table.items():
            r.events.clear()
            got, gradient = way(x)
            assert np.asarray(got).tobytes() == np.asarray(y).tobytes(), name
            if gradient is None:
                expected = wanted[: len(wanted) - len(backward)] if program is custom else wanted
            else:
                assert np.asarray(gradient).tobytes() == np.asarray(slope).tobytes(), name
                expected = wanted
            assert r.take() == expected, name


def test_what_fails_stops_what_follows(capsys: Any) -> None:
    v = tf.Variable(0.0)

    def body(x: Any) -> Any:
        for i in tf.range(4):
            r.call(tf.cast(i, tf.float32))
            v.assign_add(1.0)
            tf.debugging.assert_less(tf.cast(i, tf.float32) * x, 2.0, message="enough")
            r.print("passed", i)
        return x * 2.0

    r = Recorder(capsys)
    f = tf.function(body)
    for call in (f, tf.grad(f), tf.function(tf.grad(tf.autograph.to_graph(body)))):
        r.events.clear()
        with pytest.raises(tf.errors.InvalidArgumentError, match="enough"):
            call(tf.constant(1.0))
        assert r.take() == ["call 0", "print passed 0", "call 1", "print passed 1", "call 2"]
        assert float(v) == 0.0


def test_second_derivatives_repeat_nothing(capsys: Any) -> None:
    r = Recorder(capsys)

    def f(x: Any) -> Any:
        y = x
        for i in tf.range(2):
            r.print("round", i)
            r.call(y)
            y = y * x
        return y

    f = tf.autograph.to_graph(f)
    wanted = ["print round 0", "call 3", "print round 1", "call 9"]
    for second in (
        tf.grad(tf.grad(tf.function(f))),
        tf.function(tf.grad(tf.grad(f))),
        tf.grad(tf.function(tf.grad(f))),
    ):
        r.events.clear()
        assert float(second(tf.constant(3.0))) == 18.0
        assert r.take() == wanted
