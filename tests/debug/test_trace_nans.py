"""`debugging.trace_nans`: where nan and infinity come from, forward and backward, with one text in
every way of running; and the same bits as without it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import tfc as tf

INVALID = tf.errors.InvalidArgumentError


def line_of(f: Any, text: str) -> str:
    """The place of the first line of `f` with this text."""
    lines, start = inspect.getsourcelines(f)
    return f"{__file__}:{start + next(i for i, line in enumerate(lines) if text in line)}"


def forward(x: Any) -> Any:
    y = x * 2.0
    z = tf.math.log(y)  # here
    return tf.reduce_sum(z * 3.0)


def overflow(x: Any) -> Any:
    for _ in tf.range(4):
        x = x * x * 1e10  # here
    return tf.reduce_sum(x)


def product(x: Any) -> Any:
    y = tf.reshape(x, [2, 1])
    z = tf.matmul(y * 1e30, tf.transpose(y) * 1e30)  # here
    return tf.reduce_sum(z)


def subtraction(x: Any) -> Any:
    y = tf.where(x < 0.0, np.float32(np.inf), x)
    return tf.reduce_sum(y - y)  # here


def branch(x: Any) -> Any:
    if tf.reduce_sum(x) < 5.0:
        y = tf.sqrt(x)  # here
    else:
        y = x
    return tf.reduce_sum(y)


FORWARD = {
    forward: ([1.0, -2.0], "log gave nan (nan) at index [1]", "operand 0: -4.0 "),
    overflow: ([1.0, 0.0], "mul gave infinity (inf) at index [0]", "operand 0: 1e+30 "),
    product: ([1.0, 2.0], "matmul gave infinity (inf) at index [0, 0]", "[[1.e+30]"),
    subtraction: ([1.0, -2.0], "sub gave nan (nan) at index [1]", "operand 1: inf "),
    branch: ([1.0, -2.0], "sqrt gave nan (nan) at index [1]", "operand 0: -2.0 "),
}


@pytest.mark.parametrize("program", FORWARD, ids=lambda f: f.__name__)
def test_forward(program: Any) -> None:
    values, text, operand = FORWARD[program]
    x = tf.constant(values)
    f = tf.function(program)
    plain = tf.autograph.to_graph(program)
    before = np.asarray(f(x))
    names = {"mul": "multiply", "sub": "subtract"}  # eagerly ops have the front end's names
    for call in (f, tf.grad(f), tf.function(tf.grad(plain)), plain, tf.grad(plain)):
        with pytest.raises(INVALID) as caught, tf.debugging.trace_nans():
            call(x)
        shown = str(caught.value)
        for short, long in names.items():
            shown = shown.replace(f"{long} gave", f"{short} gave")
        assert text in shown and "forward" in shown
        assert line_of(program, "# here") in shown
        if call is not plain:
            assert operand in shown or program is overflow
    np.testing.assert_array_equal(before, f(x))


def root(x: Any) -> Any:
    return tf.reduce_sum(tf.sqrt(x))  # here


def hidden(x: Any) -> Any:
    y = tf.where(x > 0.0, x, 0.0)
    return tf.reduce_sum(tf.pow(y, 0.5))  # here


def in_a_loop(x: Any) -> Any:
    for _ in tf.range(2):
        x = tf.sqrt(x)  # here
    return tf.reduce_sum(x)


@pytest.mark.parametrize("program", [root, hidden, in_a_loop], ids=lambda f: f.__name__)
def test_backward(program: Any) -> None:
    x = tf.constant([4.0, 0.0])
    f, plain = tf.function(program), tf.autograph.to_graph(program)
    with tf.debugging.trace_nans():
        assert np.isfinite(float(f(x)))
    for call in (tf.grad(f), tf.function(tf.grad(plain)), tf.grad(plain)):
        with pytest.raises(INVALID, match="backward") as caught, tf.debugging.trace_nans():
            call(x)
        assert line_of(program, "# here") in str(caught.value)
        assert "at index [1]" in str(caught.value)


def test_the_bits_are_the_same() -> None:
    @tf.function
    def f(x: Any, w: Any) -> Any:
        h = tf.tanh(x @ w)
        for _ in tf.range(2):
            h = tf.nn.softmax(h @ tf.transpose(w) @ w)
        return tf.reduce_mean(tf.math.log(h + 0.5) * tf.exp(-h))

    rng = np.random.default_rng(1)
    x, w = (tf.constant(rng.normal(size=s), tf.float32) for s in ((7, 5), (5, 6)))
    v = tf.Variable(w)

    def run() -> list[bytes]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, v)
        found = [y, *tape.gradient(y, [x, v]), f(x, v)]
        return [np.asarray(t).tobytes() for t in found]

    plain = run()
    with tf.debugging.trace_nans():
        assert run() == plain
    assert run() == plain


def test_what_comes_from_outside() -> None:
    f = tf.function(lambda x: tf.nn.softmax(x * 1.0))
    with tf.debugging.trace_nans():
        np.testing.assert_array_equal(f(tf.constant([-np.inf, 0.0], tf.float32)), [0, 1])
        with pytest.raises(INVALID, match="operand 0 had nan already: it came from outside"):
            f(tf.constant([0.0, np.nan], tf.float32))


def test_a_decorator_and_inside_of_a_function() -> None:
    @tf.debugging.trace_nans()
    def eager(x: Any) -> Any:
        return tf.math.log(x)

    @tf.function
    def part(x: Any) -> Any:
        early = tf.math.log(x)
        with tf.debugging.trace_nans():
            late = tf.sqrt(x)
        return early, late

    @tf.function
    @tf.debugging.trace_nans()
    def whole(x: Any) -> Any:
        return tf.math.log(x)

    bad = tf.constant([-1.0])
    for call, op in ((eager, "log"), (part, "sqrt"), (whole, "log")):
        call(tf.constant([1.0]))
        with pytest.raises(INVALID, match=f"{op} gave nan"):
            call(bad)
    assert np.isnan(tf.math.log(bad)).all()


def test_variables_are_unchanged_and_calls_of_python_are_seen() -> None:
    v = tf.Variable([1.0])

    @tf.function
    def f(x: Any) -> Any:
        v.assign(x)
        return tf.py_function(lambda a: a / 0.0, [x], tf.TensorSpec([1]))

    with pytest.raises(INVALID, match="truediv gave infinity"), tf.debugging.trace_nans():
        f(tf.constant([2.0]))
    np.testing.assert_array_equal(v, [1])


def test_gradients_are_checked_where_all_numerics_are() -> None:
    x = tf.constant([4.0, 0.0])
    f = tf.function(lambda x: tf.reduce_sum(tf.sqrt(x)))
    tf.debugging.enable_check_numerics()
    try:
        for call in (tf.grad(f), tf.grad(f.python_function)):
            with pytest.raises(INVALID, match="gradient: result 0 had 0 NaN and 1 infinite"):
                call(x)
        with pytest.raises(INVALID, match=r"gradient : Tensor had Inf"):
            tf.function(tf.grad(f.python_function))(x)
    finally:
        tf.debugging.disable_check_numerics()
    assert np.isinf(tf.grad(f)(x)).any()
