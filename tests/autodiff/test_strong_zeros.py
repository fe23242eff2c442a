"""The branch of a `where` that was not taken contributes a zero, whatever its derivative is."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import tfc as tf


def _both_inside(x: Any) -> Any:
    y = tf.math.log(x)
    return tf.where(x > 0, tf.where(x > 2, y, y * 2.0), 0.0)


def _either(x: Any) -> Any:
    y = tf.math.log(x)
    outer = tf.where(x > 0, tf.where(x > 2, y, 0.0), 0.0)
    return outer + tf.where(x > 0, tf.where(x < 2, y * 2.0, 0.0), 0.0)


CASES: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "sqrt": (lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, 0.5, 0.25]),
    "log": (lambda x: tf.where(x > 0, tf.math.log(x), x), [1.0, 1.0, 0.25]),
    "chain": (lambda x: tf.where(x > 0, tf.math.log(x * x) * 1.0, 0.0), [0.0, 2.0, 0.5]),
    "second branch": (lambda x: tf.where(x <= 0, 0.0, 1.0 / x), [0.0, -1.0, -0.0625]),
    "both inside": (_both_inside, [0.0, 2.0, 0.25]),
    "either": (_either, [0.0, 2.0, 0.25]),
    "twice": (lambda x: tf.where(x > 0, tf.sqrt(x) * tf.sqrt(x), x), [1.0, 1.0, 1.0]),
    "nested": (
        lambda x: tf.where(x > 0, tf.where(x > 2, tf.sqrt(x - 1), tf.math.log(x)), 0.0),
        [0.0, 1.0, float(0.5 / np.sqrt(3.0))],
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("compiled", [False, True])
def test_gradient(name: str, compiled: bool) -> None:
    f, wanted = CASES[name]
    derivative = tf.grad(lambda x: tf.reduce_sum(f(x)))
    derivative = tf.function(derivative) if compiled else derivative
    got = derivative(tf.constant([0.0, 1.0, 4.0])).numpy()
    np.testing.assert_allclose(got, np.float32(wanted), rtol=1e-6)


def _branch(x: Any, p: Any, c: Any) -> Any:
    y = tf.cond(p, lambda: tf.math.special.bessel_k1e(x) * 0.5 + 1.0, lambda: x * 2.0)
    return tf.where(c, y, 0.5)


def _inside_branch(x: Any, p: Any, c: Any) -> Any:
    y = tf.math.log(x)
    return tf.cond(p, lambda: tf.where(c, y, 0.5), lambda: tf.where(c, 0.5, x))


def _one_branch_inside(x: Any, p: Any, c: Any) -> Any:
    y = tf.math.log(x)
    return tf.cond(p, lambda: tf.where(c, y, 0.5), lambda: y)


def _other_branch(x: Any, p: Any, c: Any) -> Any:
    y = tf.math.log(x)
    if p:
        z = y
    else:
        z = x * 2.0
    return z


def _known_before(x: Any, p: Any, c: Any) -> Any:
    y = tf.sqrt(x)
    z = tf.cond(p, lambda: y * 2.0, lambda: x * 2.0)
    return tf.where(c, y, 0.5) + z


def _both_ways(x: Any, p: Any, c: Any) -> Any:
    y = tf.sqrt(x)
    z = tf.cond(p, lambda: tf.where(x > 1.0, y, 0.5), lambda: x * 2.0)
    return tf.where(c, z, 0.5)


def _switch(x: Any, p: Any, c: Any) -> Any:
    branches = [lambda: x * 2.0, lambda: tf.math.log(x) * 2.0, lambda: x]
    return tf.where(c, tf.switch_case(tf.cast(p, tf.int32), branches), 0.5)


def _choice_in_loop(x: Any, p: Any, c: Any) -> Any:
    y = tf.math.log(x)
    for _ in tf.range(2):
        y = tf.where(c, y, 0.5)
    return y


def _loop_behind_choice(x: Any, p: Any, c: Any) -> Any:
    y = x
    for _ in tf.range(2):
        y = tf.math.log(y) * 2.0 + 3.0
    return tf.where(c, y, 0.5)


def _each_round(x: Any, p: Any, c: Any) -> Any:
    y = x
    for _ in tf.range(3):
        y = tf.where(c, tf.sqrt(y), 1.0)
    return y


def _rounds_by_data(x: Any, p: Any, c: Any) -> Any:
    y, i = tf.sqrt(x), 0
    i, y = tf.while_loop(
        lambda i, y: i < 2, lambda i, y: (i + 1, tf.where(c, y * 3.0, 0.5)), [i, y]
    )
    return y


def _no_rounds(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(2 * tf.cast(p, tf.int32)):
        z = z + y * 2.0
    return z


def _no_rounds_by_data(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    while p and tf.reduce_sum(z[3:]) < 10.0:
        z = z + y * 2.0
    return z


def _known_before_loop(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(2 * tf.cast(p, tf.int32)):
        z = z + y * 2.0
    return tf.where(c, y, 0.5) + z


def _written_over(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(2 * tf.cast(p, tf.int32)):
        y = z * 2.0
        z = z + y
    return z + tf.where(c, y, 0.5)


def _written_over_twice(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(2 * tf.cast(p, tf.int32)):
        y = z * 2.0
        z = z + y
    return z + y


def _one_round(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(tf.cast(p, tf.int32)):
        z = z + y * 2.0
    return z


def _swapped(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.pow(x, x), x
    for _ in tf.range(tf.cast(p, tf.int32)):
        y, z = z, y + z
    return y


def _loop_in_loop(x: Any, p: Any, c: Any) -> Any:
    y = x
    for _ in tf.range(3):
        for _ in tf.range(2):
            y = tf.sqrt(y)
    return tf.where(c, y, 0.5) + tf.grad_pass_through(tf.round)(x)


def _captured_masked(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for _ in tf.range(2 * tf.cast(p, tf.int32)):
        z = z + tf.where(c, y, 0.5)
    return z


def _branch_in_loop(x: Any, p: Any, c: Any) -> Any:
    y, z = tf.sqrt(x), x
    for i in tf.range(3):
        if i > 1:
            y = tf.where(c, y * 2.0, 0.5)
        else:
            y = y + 1.0
            z = tf.math.log(z) + 3.0 if p else z
    return tf.where(c, y, z)


def _stacked(x: Any, p: Any, c: Any) -> Any:
    y = tf.map_fn(lambda v: tf.where(v > 1.0, tf.sqrt(v), 0.5), x)
    return tf.where(c, y, 0.5)


STRUCTURES = [
    _branch, _inside_branch, _one_branch_inside, _other_branch, _known_before, _both_ways, _switch,
    _choice_in_loop, _loop_behind_choice, _each_round, _rounds_by_data, _no_rounds,
    _no_rounds_by_data, _known_before_loop, _written_over,
    _written_over_twice, _one_round, _swapped, _loop_in_loop,
    _captured_masked, _branch_in_loop, _stacked,
]  # fmt: skip


# What second derivatives bring back to values inside of regions has no masks.
ONCE = (
    _branch,
    _each_round,
    _loop_in_loop,
    _loop_behind_choice,
    _branch_in_loop,
    _stacked,
)


def _slope(f: Callable[..., Any], x: Any, *others: Any, unconnected: str = "none") -> Any:
    """The gradient of f(x, *others) by x."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, *others)
    return tape.gradient(y, x, unconnected_gradients=unconnected)


@pytest.mark.parametrize("f", STRUCTURES)
@pytest.mark.parametrize("p", [False, True])
def test_regions(f: Callable[..., Any], p: bool) -> None:
    """Branches and loops of functions give what the same ops do eagerly, to the bit: where one is
    not taken, too."""
    x = tf.constant([-1.0, 0.0, -0.0, 2.0])
    c = tf.constant([False, False, False, True])
    slope = partial(_slope, f)
    second = partial(_slope, slope, unconnected="zero")
    for derivative in (slope,) if f in ONCE else (slope, second):
        eager = derivative(x, tf.constant(p), c).numpy()
        compiled = tf.function(derivative)(x, tf.constant(p), c).numpy()
        np.testing.assert_array_equal(eager, compiled)
        signs = np.signbit(eager) == np.signbit(compiled)
        assert np.all(signs | np.isnan(eager))


@tf.custom_gradient
def _own(v: Any) -> Any:
    return tf.sin(v), lambda d: d * 0.5


def _beside_custom(x: Any, c: Any) -> Any:
    y, k = tf.sqrt(x), _own(x)
    return tf.where(c, y * 2.0, 0.5) + k


def _before_custom(x: Any, c: Any) -> Any:
    y = tf.math.log(x)
    _own(y)
    return tf.where(c, y * 2.0, 0.5)


def _joined_by_custom(x: Any, c: Any) -> Any:
    y = tf.math.log(x)
    k = _own(y)
    return tf.where(c, y * 2.0, 0.5) + tf.where(c, k, y)


def _behind_custom(x: Any, c: Any) -> Any:
    y = tf.math.log(x)
    rows = tf.unstack(y)
    z = tf.where(c, y * 2.0, rows[3])
    return tf.where(c, z, _own(z))


def _several_cuts(x: Any, c: Any) -> Any:
    y = tf.sqrt(x) * 2.0
    k = _own(x)
    y = tf.sqrt(y)
    k = k + _own(k)
    return tf.where(c, tf.where(x > 3.0, y + 1.0, x), 0.5) + k


@pytest.mark.parametrize(
    "f", [_beside_custom, _before_custom, _joined_by_custom, _behind_custom, _several_cuts]
)
def test_custom_gradients(f: Callable[..., Any]) -> None:
    """Eager tapes run piece by piece between custom gradients, and functions in one."""
    x = tf.constant([-1.0, 0.0, -0.0, 2.0, 4.0])
    c = tf.constant([False, False, False, True, True])
    slope = partial(_slope, f)
    for derivative in slope, partial(_slope, slope):
        eager = derivative(x, c).numpy()
        np.testing.assert_array_equal(eager, tf.function(derivative)(x, c).numpy())
        assert f in (_joined_by_custom, _behind_custom) or np.all(np.isfinite(eager))


def test_a_branch_that_is_not_taken_has_no_second_derivative() -> None:
    """The slope of tanh is computed in a branch of its own; where that is not taken, the gradient's
    gradient does not lead back to x, whose slope is infinite there."""

    def second(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            y = tf.math.log(x)
            with tf.GradientTape() as tape:
                tape.watch(y)
                z = tf.cond(tf.reduce_sum(y) > 0.0, lambda: tf.tanh(y), lambda: y * 2.0)
            d = tape.gradient(z, y)
        return outer.gradient(d, x)

    x = tf.constant([0.0, 1.0])
    assert second(x) is None
    np.testing.assert_array_equal(tf.function(second)(x), [0.0, 0.0])
