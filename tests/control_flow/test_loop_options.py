"""Options of loops, and that effects inside of loops and branches stay, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

options = tf.autograph.experimental.set_loop_options


def limited_for(n: Any) -> Any:
    total = 0
    for i in tf.range(n):
        options(maximum_iterations=3)
        total += i
    return total


def limited_while(n: Any) -> Any:
    total = 0
    while n > 0:
        options(maximum_iterations=4, parallel_iterations=1, swap_memory=True)
        n -= 1
        total += n
    return total


def test_maximum_iterations() -> None:
    for_, while_ = tf.function(limited_for), tf.function(limited_while)
    assert [int(for_(tf.constant(n))) for n in (0, 2, 3, 100)] == [0, 1, 3, 3]
    assert [int(while_(tf.constant(n))) for n in (0, 2, 100)] == [0, 1, 99 + 98 + 97 + 96]
    with tf.GradientTape() as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = tf.function(lambda x: doubled(x))(x)
    assert float(y) == 12 and float(tape.gradient(y, x)) == 4


def doubled(x: Any) -> Any:
    for _ in tf.range(10):
        options(maximum_iterations=2)
        x = x * 2.0
    return x


def test_it_does_nothing_eagerly() -> None:
    assert int(limited_for(tf.constant(5))) == 10


def promised(x: Any, shape: Any) -> Any:
    y = x
    for _ in tf.range(2):
        options(shape_invariants=[(y, shape)])
        y = y + x
    return y


def test_shape_invariants() -> None:
    x = tf.constant([1.0, 2.0])
    assert tf.function(promised)(x, tf.TensorShape([None])).numpy().tolist() == [3, 6]
    with pytest.raises(ValueError, match=r"enters the loop with shape \(2,\), but the specified"):
        tf.function(promised)(x, tf.TensorShape([5]))


def by_api(x: Any, grows: bool) -> Any:
    def body(i: Any, y: Any) -> Any:
        return i + 1, tf.concat([y, x], 0) if grows else y * 2.0

    shapes = (tf.TensorShape([]), tf.TensorShape([None]))
    return tf.while_loop(lambda i, y: i < 3, body, (0, x), shape_invariants=shapes)[1]


def test_shape_invariants_of_while_loop() -> None:
    x = tf.constant([1.0])
    assert by_api(x, True).shape == [4]  # eagerly shapes may change
    assert tf.function(by_api)(x, False).numpy().tolist() == [8]
    assert tf.function(by_api)(x, True).numpy().tolist() == [1, 1, 1, 1]
    with pytest.raises(ValueError, match="there are 2 loop variables and 1 shape invariants"):
        wrong = lambda i, y: (i, y)  # noqa: E731
        tf.function(
            lambda: tf.while_loop(wrong, wrong, (0, x), shape_invariants=[tf.TensorShape([])])
        )()


def test_a_limit_outside_of_loops_on_tensors() -> None:
    @tf.function
    def f(x: Any) -> Any:
        for _ in range(3):
            options(maximum_iterations=2)
            x = x * 2.0
        return x

    with pytest.raises(tf.errors.UnimplementedError, match="leave Python's own loops with `break`"):
        f(tf.constant(1.0))


def test_effects_stay_and_keep_their_order(capsys: Any) -> None:
    """Nothing uses what these loops and branches give: they print all the same."""

    @tf.function
    def f(n: Any) -> Any:
        for i in tf.range(n):
            if i % 2 == 0:
                tf.print("even", i)
            else:
                tf.print("odd", i)
            unused = i * 2  # noqa: F841
        tf.print("between")
        while n > 0:
            n -= 1
            tf.print("left", n)
        tf.print("end")
        return tf.constant(0)

    f(tf.constant(2))
    printed = capsys.readouterr()
    lines = (printed.out + printed.err).splitlines()
    assert lines == ["even 0", "odd 1", "between", "left 1", "left 0", "end"]


def test_effects_happen_once_under_a_tape(capsys: Any) -> None:
    def f(x: Any) -> Any:
        while x < 10.0:
            tf.print("x is", x)
            x = x * x
        for _ in tf.range(2):
            tf.print("then", x)
            x = tf.sin(x)
        return x

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    x = tf.constant(3.0)
    slopes, wanted = [], ["x is", "x is", "then", "then"]
    for g in (slope, tf.function(slope), lambda x: slope_of(tf.function(f), x)):
        slopes.append(float(g(x)))
        printed = capsys.readouterr()
        lines = (printed.out + printed.err).splitlines()
        assert [line.rpartition(" ")[0] for line in lines] == wanted
    np.testing.assert_allclose(slopes[1:], slopes[0], rtol=1e-6)


def slope_of(f: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_a_check_in_a_loop_whose_results_nobody_uses() -> None:
    @tf.function
    def f(n: Any) -> Any:
        for i in tf.range(n):
            tf.debugging.assert_less(i, 3, message="too many rounds")
        return tf.constant(1)

    assert int(f(tf.constant(3))) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"too many rounds.*test_loop_options"):
        f(tf.constant(4))


def test_failures_inside_of_native_loops() -> None:
    """Loops that are one kernel end with the user's line, too."""

    @tf.function
    def divide(n: Any) -> Any:
        total = 0
        while n > -3:
            n -= 1
            total += 12 // n
        return total

    assert int(divide(tf.constant(-2))) == -4
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"division by zero.*test_loop_options"
    ):
        divide(tf.constant(2))

    @tf.function
    def read(x: Any, n: Any) -> Any:
        total = 0.0
        for i in tf.range(n):
            total += tf.gather(x, i)
        return total

    x = tf.constant([1.0, 2.0])
    assert float(read(x, tf.constant(2))) == 3
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"index 2 is not in \[0, 2\).*test_loop_options"
    ):
        read(x, tf.constant(3))


def test_what_is_not_known_before_a_loop_may_change_in_it() -> None:
    """As in TensorFlow, whose static shape has None there; known extents are errors."""
    signature = [tf.TensorSpec([None, 2], tf.float32)]

    def doubled(x: Any) -> Any:
        for _ in tf.range(2):
            x = tf.concat([x, x], 0)
        return x

    def while_doubled(x: Any) -> Any:
        def body(i: Any, x: Any) -> Any:
            return i + 1, tf.concat([x, x], 0)

        return tf.while_loop(lambda i, _: i < 2, body, (0, x))[1]

    for python in (doubled, while_doubled):
        f = tf.function(python, input_signature=signature)
        for rows in (1, 3):
            x = tf.Variable(tf.ones([rows, 2]))
            with tf.GradientTape() as tape:
                y = f(x)
            assert y.shape == [4 * rows, 2]
            assert tape.gradient(y, x).numpy().tolist() == [[4.0, 4.0]] * rows
        with pytest.raises(ValueError, match=r"enters the loop with shape|before the loop, but"):
            tf.function(python)(tf.ones([1, 2]))
