"""custom_gradient: a function's own derivative, eagerly, compiled, nested and differentiated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

MODES: list[Callable[[Any], Any]] = [lambda f: f, tf.function]
both = pytest.mark.parametrize("mode", MODES, ids=["eager", "function"])


def derivative(f: Any, *sources: int) -> Any:
    """A function that gives the gradient of `f` by some of its arguments (the first)."""

    def gradient(*args: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(list(args))
            y = f(*args)
        chosen = [args[i] for i in sources or (0,)]
        return tape.gradient(y, chosen) if len(chosen) > 1 else tape.gradient(y, chosen[0])

    return gradient


@tf.custom_gradient
def log1pexp(x: Any) -> Any:
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))


@tf.custom_gradient
def half_slope(x: Any) -> Any:
    """x * x with the derivative x, so that the rule can be told from the truth."""
    return x * x, lambda upstream: upstream * x


@both
def test_the_rule_is_used(mode: Any) -> None:
    """TensorFlow's example: without the rule the gradient at 100 is nan."""
    plain = derivative(lambda x: tf.math.log(1 + tf.exp(x)))
    assert np.isnan(mode(plain)(tf.constant(100.0)).numpy())
    assert float(mode(derivative(log1pexp))(tf.constant(100.0))) == 1
    assert float(mode(derivative(half_slope))(tf.constant(3.0))) == 3
    assert float(mode(half_slope)(tf.constant(3.0))) == 9
    assert float(mode(derivative(lambda x: half_slope(x * 2.0) * 5.0))(tf.constant(3.0))) == 60


def test_arguments_may_be_anything_that_converts() -> None:
    assert float(half_slope(3.0)) == 9
    assert half_slope([1.0, 2.0]).numpy().tolist() == [1, 4]
    assert half_slope(np.ones(2, np.float32)).numpy().tolist() == [1, 1]
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = half_slope(v)
    assert float(tape.gradient(y, v)) == 3


@both
def test_a_variable_as_argument_in_both_modes(mode: Any) -> None:
    v = tf.Variable(3.0)

    def f() -> Any:
        with tf.GradientTape() as tape:
            y = half_slope(v) + v
        return tape.gradient(y, v)

    assert float(mode(f)()) == 4


@both
def test_second_order_differentiates_the_rule(mode: Any) -> None:
    assert float(mode(derivative(derivative(half_slope)))(tf.constant(3.0))) == 1
    x = 0.5
    sigmoid = 1 / (1 + np.exp(-x))
    second = mode(derivative(derivative(log1pexp)))(tf.constant(x, tf.float64))
    assert float(second) == pytest.approx(sigmoid * (1 - sigmoid), rel=1e-12)
    third = mode(derivative(derivative(derivative(lambda x: half_slope(x) * x))))
    # (x^2 x)' = x x + x^2 = 2 x^2 by the rule, where the second x^2 is half_slope again:
    # (x x)' + half_slope' = 2 x + x, and its derivative is 3.
    assert float(third(tf.constant(2.0))) == 3


@both
def test_several_arguments_and_none(mode: Any) -> None:
    @tf.custom_gradient
    def f(x: Any, y: Any, z: Any) -> Any:
        return x * y * z, lambda upstream: (upstream * 10.0, None, upstream * 1000.0)

    got = mode(derivative(f, 0, 1, 2))(*(tf.constant(v) for v in (2.0, 3.0, 5.0)))
    assert [None if g is None else float(g) for g in got] == [10, None, 1000]


@both
def test_several_results(mode: Any) -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        def gradient(first: Any, second: Any) -> Any:
            return first * 10.0 + second * 100.0

        return (x * 2.0, x * 3.0), gradient

    one = tf.constant(1.0)
    assert [float(v) for v in mode(f)(one)] == [2, 3]
    assert float(mode(derivative(lambda x: f(x)[0] + f(x)[1] * 2.0))(one)) == 210
    assert float(mode(derivative(lambda x: f(x)[1]))(one)) == 100


@both
def test_structured_results(mode: Any) -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return {"a": x, "b": [x * x]}, lambda da, db: da * 7.0 + db * 70.0

    got = mode(lambda x: f(x))(tf.constant(3.0))
    assert (float(got["a"]), float(got["b"][0])) == (3, 9)
    assert float(mode(derivative(lambda x: f(x)["b"][0]))(tf.constant(3.0))) == 70


@both
def test_keyword_arguments_are_python_values(mode: Any) -> None:
    @tf.custom_gradient
    def f(x: Any, scale: float = 1.0) -> Any:
        return x * scale, lambda upstream: upstream * scale * 100.0

    assert float(mode(derivative(lambda x: f(x, scale=2.0)))(tf.constant(3.0))) == 200


@both
def test_captured_tensors_and_variables(mode: Any) -> None:
    """Constants, tensors of the function around and Variables may be used in both parts."""
    constant, large, v = tf.constant(4.0), tf.ones([50]) * 2.0, tf.Variable(5.0)

    def f(x: Any) -> Any:
        outer = x * 3.0

        @tf.custom_gradient
        def inner(y: Any) -> Any:
            def gradient(upstream: Any, variables: Any) -> Any:
                assert [u is v for u in variables] == [True]
                return upstream * constant * v * tf.reduce_sum(large) * outer, [None]

            return y * v + outer, gradient

        with tf.GradientTape() as tape:
            tape.watch(x)
            z = inner(x)
        return z, tape.gradient(z, x)

    z, g = mode(f)(tf.constant(2.0))
    assert (float(z), float(g)) == (16, 4 * 5 * 100 * 6)
    v.assign(1.0)
    if mode is tf.function:
        compiled = tf.function(f)
        compiled(tf.constant(2.0))
        v.assign(2.0)
        assert float(compiled(tf.constant(2.0))[1]) == 4 * 2 * 100 * 6


@both
def test_gradients_of_variables(mode: Any) -> None:
    """Of trainable ones that the function reads and does not get as arguments, in the order in
    which it reads them."""
    scale, shift = tf.Variable(3.0), tf.Variable([2.0, 5.0])
    frozen, given = tf.Variable(7.0, trainable=False), tf.Variable(11.0)

    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        def gradient(dy: Any, variables: Any = None) -> Any:
            assert [v.shape.rank for v in variables] == [0, 1]
            of_arguments = dy * variables[0], tf.constant(100.0)
            return of_arguments, [tf.reduce_sum(dy * x), dy * 10.0]

        return x * scale + shift + frozen + y, gradient

    def program(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(f(x, given) * 2.0)
        return tape.gradient(loss, [x, given, scale, shift, frozen])

    expected = [[6.0, 6.0], 100.0, 6.0, [20.0, 20.0], None]
    assert [
        None if g is None else g.numpy().tolist() for g in mode(program)(tf.constant([1.0, 2.0]))
    ] == expected
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:  # around a function that is compiled as a whole
        tape.watch(x)
        loss = mode(lambda x: tf.reduce_sum(f(x, given) * 2.0))(x)
    found = tape.gradient(loss, [x, given, scale, shift, frozen])
    assert [None if g is None else g.numpy().tolist() for g in found] == expected


@both
def test_variables_without_a_gradient_are_refused(mode: Any) -> None:
    v = tf.Variable(3.0, name="weight")

    def rule(gradient: Any) -> Any:
        f = tf.custom_gradient(lambda x: (x * v, gradient))
        return mode(derivative(f))(tf.constant(1.0))

    with pytest.raises(TypeError, match=r"keyword argument 'variables'.*'weight"):
        rule(lambda dy: dy)
    with pytest.raises(TypeError, match="must return a pair"):
        rule(lambda dy, variables: dy)
    with pytest.raises(ValueError, match="2 gradients for 1 variables"):
        rule(lambda dy, **given: (dy, [dy, dy]))
    assert float(rule(lambda dy, **given: (dy, [dy]))) == 1.0


@both
def test_nested_rules(mode: Any) -> None:
    @tf.custom_gradient
    def outer(x: Any) -> Any:
        y = half_slope(x)
        return y * 2.0, lambda upstream: upstream * half_slope(x)

    x = tf.constant(3.0)
    assert float(mode(outer)(x)) == 18
    assert float(mode(derivative(outer))(x)) == 9
    # The second derivative goes through half_slope's own rule.
    assert float(mode(derivative(derivative(outer)))(x)) == 3


@both
def test_a_tape_inside_the_rule(mode: Any) -> None:
    """The rule may compute its gradient with a tape of its own."""

    @tf.custom_gradient
    def doubled(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        slope = tape.gradient(y, x)
        return y, lambda upstream: upstream * slope * 2.0

    assert float(mode(derivative(doubled))(tf.constant(2.0))) == 24


def test_in_a_function_under_a_tape_outside() -> None:
    v = tf.Variable(2.0)
    f = tf.function(lambda x: half_slope(x * v) + v)
    for n in (3.0, 4.0):
        x = tf.constant(n)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        assert float(y) == (2 * n) ** 2 + 2
        assert float(tape.gradient(y, x)) == 2 * n * 2
        assert float(tape.gradient(y, v)) == 2 * n * n + 1


def test_second_order_through_a_function() -> None:
    f = tf.function(half_slope)
    x = tf.constant(3.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            y = f(x)
        first = b.gradient(y, x)
    assert (float(first), float(a.gradient(first, x))) == (3, 1)


def test_a_function_with_a_rule_around_it() -> None:
    inner = tf.function(lambda x: tf.sin(x))

    @tf.custom_gradient
    def f(x: Any) -> Any:
        return inner(x), lambda upstream: upstream * 5.0

    assert float(derivative(f)(tf.constant(1.0))) == 5
    assert float(tf.function(derivative(f))(tf.constant(1.0))) == 5


@both
def test_relaxed_shapes(mode: Any) -> None:
    f = mode(derivative(lambda x: tf.reduce_sum(half_slope(x))))
    for n in (3, 4, 6):
        assert f(tf.range(n, dtype=tf.float32)).numpy().tolist() == list(range(n))


@both
def test_the_rule_is_asked_only_where_it_is_needed(mode: Any) -> None:
    calls = []

    @tf.custom_gradient
    def f(x: Any) -> Any:
        def gradient(upstream: Any) -> Any:
            calls.append(1)
            return upstream

        return x * 2.0, gradient

    def unused(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            f(x)
            y = x * 3.0
        return tape.gradient(y, x)

    assert float(mode(unused)(tf.constant(1.0))) == 3
    if mode is not tf.function:
        assert calls == []
    assert float(derivative(f)(tf.constant(1.0))) == 1
    assert calls


def test_bits_are_the_same_eager_and_compiled() -> None:
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(7, 5)), tf.float32)
    g = derivative(lambda x: tf.reduce_sum(log1pexp(x * 1.3) * tf.tanh(x)))
    assert g(x).numpy().tobytes() == tf.function(g)(x).numpy().tobytes()


# What is refused.


@both
@pytest.mark.parametrize(
    ("rule", "error", "text"),
    [
        (lambda u: (u, u, u), ValueError, "to return 2 gradients, but returned 3 instead"),
        (lambda u: u, ValueError, "to return 2 gradients, but returned 1 instead"),
        (lambda u: (), ValueError, "to return 2 gradients, but returned 0 instead"),
        (
            lambda u: (tf.ones([3]), u),
            ValueError,
            r"gradient has shape \(3,\), its argument \(2,\)",
        ),
        (lambda u: (u, tf.constant(1, tf.int32)), (ValueError, TypeError), "int32|shape"),
        (lambda: (1.0, 1.0), TypeError, "positional argument"),
    ],
)
def test_bad_rules(mode: Any, rule: Any, error: Any, text: str) -> None:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, rule

    x = tf.constant([1.0, 2.0])
    with pytest.raises(error, match=text):
        mode(derivative(f, 0, 1))(x, x)


@both
def test_functions_without_a_rule(mode: Any) -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        return x * 2.0

    with pytest.raises(TypeError, match=r"must return .*\(result, grad_fn\).*test_custom_gradient"):
        mode(f)(tf.constant(1.0))


def test_rules_behind_stopped_gradients_do_not_run() -> None:
    """What is behind `stop_gradient` is a constant, unless it is watched."""
    ran = []

    @tf.custom_gradient
    def f(x: Any) -> Any:
        def rule(upstream: Any) -> Any:
            ran.append(upstream)
            return upstream * 100.0

        return x * 2.0, rule

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        stopped = tf.stop_gradient(x)
        y = f(stopped) + x
    assert float(tape.gradient(y, x)) == 1 and not ran
    assert tape.gradient(y, stopped) is None and not ran
    with tf.GradientTape() as tape:
        tape.watch(stopped)
        y = f(stopped)
    assert float(tape.gradient(y, stopped)) == 100 and len(ran) == 1


def test_variables_that_it_assigns_in_a_function() -> None:
    total = tf.Variable(0.0, trainable=False)

    @tf.custom_gradient
    def counted(x: Any) -> Any:
        total.assign_add(tf.reduce_sum(x))
        return x * 2.0, lambda dy: dy * 3.0

    @tf.function
    def f(x: Any) -> Any:
        total.assign_add(1.0)
        y = counted(x)
        return y * total, total.value()

    x = tf.constant([1.0, 2.0])
    for run in (f, tf.function(lambda x: f(x)), f.python_function):
        total.assign(0.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, seen = run(x)
        assert float(seen) == float(total) == 4.0
        np.testing.assert_array_equal(tape.gradient(y, x), [12.0, 12.0])


def test_arguments_that_are_structures() -> None:
    @tf.custom_gradient
    def f(x: Any, by_name: Any, several: Any) -> Any:
        y = x * by_name["a"] + several[0]
        return y, lambda dy: (dy * by_name["a"], {"a": dy * x * 10.0}, [dy, None])

    def gradients() -> Any:
        x, a, first = tf.constant(2.0), tf.constant(3.0), tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch([x, a, first])
            y = f(x, {"a": a}, [first, tf.constant(5.0)])
        return tape.gradient(y, [x, a, first])

    for way in (gradients, tf.function(gradients)):
        assert [float(g) for g in way()] == [3.0, 20.0, 1.0]
    nothing = tf.custom_gradient(lambda x, d: (x * 2.0, lambda dy: (dy * 2.0, {})))
    assert float(nothing(tf.constant(1.0), {})) == 2.0


def test_a_function_that_is_its_own_gradient() -> None:
    """Its derivatives never end: in a function it has two, and the third says so."""

    @tf.custom_gradient
    def exp(x: Any) -> Any:
        return tf.exp(x), lambda dy: dy * exp(x)

    def derivative(f: Any) -> Any:
        @tf.function
        def slope(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return slope

    first = derivative(exp)
    second = derivative(first)
    x = tf.constant(1.0)
    assert float(first(x)) == float(second(x)) == float(tf.exp(x))
    with pytest.raises(tf.errors.InvalidArgumentError):
        derivative(second)(x)
