"""GradientTape: what is recorded, what is watched, gradients of any order, and its errors."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

MODES: list[Callable[[Any], Any]] = [lambda f: f, tf.function]
both = pytest.mark.parametrize("mode", MODES, ids=["eager", "function"])


def differences(f: Callable[[np.ndarray], Any], x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """d f / d x by central differences: shape (*f(x).shape, *x.shape)."""
    columns = []
    for i in range(x.size):
        shift = np.zeros(x.size)
        shift[i] = step
        high, low = (np.asarray(f(x + s * shift.reshape(x.shape))) for s in (1, -1))
        columns.append((high - low) / (2 * step))
    return np.stack(columns, -1).reshape(*columns[0].shape, *x.shape)


def value(g: Any) -> Any:
    return None if g is None else np.asarray(g).tolist()


# What is recorded.


@both
def test_first_order(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * x * x)
        return tape.gradient(y, x)

    assert value(mode(f)(tf.constant([1.0, 2.0]))) == [3, 12]


@both
def test_to_the_third_order(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as a:
            a.watch(x)
            with tf.GradientTape() as b:
                b.watch(x)
                with tf.GradientTape() as c:
                    c.watch(x)
                    y = x * x * x * x + tf.exp(x)
                first = c.gradient(y, x)
            second = b.gradient(first, x)
        return first, second, a.gradient(second, x)

    x = 0.5
    got = [float(g) for g in mode(f)(tf.constant(x, tf.float64))]
    wanted = [4 * x**3 + np.exp(x), 12 * x**2 + np.exp(x), 24 * x + np.exp(x)]
    np.testing.assert_allclose(got, wanted, rtol=1e-14)


def test_seed_article_gradients() -> None:
    """Article 002: inside the block, persistent, and nested where only the inner tape watches."""
    w = tf.Variable(5.0)
    with tf.GradientTape() as gt:
        loss = w * w
        assert str(gt.gradient(loss, w)) == "tf.Tensor(10.0, shape=(), dtype=float32)"
    with tf.GradientTape(persistent=True) as gt:
        loss = w * w
    assert [float(gt.gradient(loss, w)) for _ in range(2)] == [10, 10]
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
        assert float(dy_dx) == 6
        assert float(g.gradient(dy_dx, x)) == 2


@both
def test_nested_where_only_the_inner_tape_watches(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as g:
            with tf.GradientTape() as gg:
                gg.watch(x)
                y = x * x * x
            first = gg.gradient(y, x)
        return g.gradient(first, x)

    assert float(mode(f)(tf.constant(2.0))) == 12


@both
def test_persistent(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * y
        return (
            tape.gradient(z, x),
            tape.gradient(y, x),
            tape.gradient(z, y),
            tape.gradient(z, [x, y]),
        )

    a, b, c, d = mode(f)(tf.constant(3.0))
    assert (float(a), float(b), float(c), value(d[0]), value(d[1])) == (108, 6, 18, 108, 18)


@both
def test_used_twice(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)
        return tape.gradient(y, x)

    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        mode(f)(tf.constant(3.0))
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(1.0))
    tape.gradient(tf.constant(1.0), tf.constant(1.0))
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.jacobian(tf.constant(1.0), tf.constant(1.0))


@both
def test_only_what_runs_inside_is_recorded(mode: Any) -> None:
    def f(x: Any) -> Any:
        before = x * 3.0
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            inside = x * 5.0
            mixed = inside * before
        after = inside * 7.0
        return [tape.gradient(t, x) for t in (before, inside, mixed, after)]

    assert [value(g) for g in mode(f)(tf.constant(2.0))] == [None, 5, 30, None]


@both
def test_stop_recording(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            a = x * x
            with tape.stop_recording():
                b = a * x
            c = a * x
            d = b * x
        return [tape.gradient(t, x) for t in (a, b, c, d)]

    assert [value(g) for g in mode(f)(tf.constant(2.0))] == [4, None, 12, 8]


def test_stop_recording_is_left_after_an_exception() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(KeyError), tape.stop_recording():
            raise KeyError
        y = x * x
    assert float(tape.gradient(y, x)) == 4
    with pytest.raises(RuntimeError, match="not recording"), tape.stop_recording():
        pass


@both
def test_reset(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            tape.reset()
            tape.watch(x)
            z = x * y
        return tape.gradient(z, x)

    assert float(mode(f)(tf.constant(3.0))) == 9


def test_entering_again() -> None:
    x = tf.constant(3.0)
    tape = tf.GradientTape(persistent=True)
    with tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(ValueError, match="still recording"):
            tape.__enter__()
    between = y * 2.0
    with tape:
        z = y * x
        w = between * x
    assert [float(tape.gradient(t, x)) for t in (y, z, w)] == [6, 27, 18]


# What is watched.


def test_watch_accessed_variables() -> None:
    v, w = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(v)
        y = v * w
    assert (value(tape.gradient(y, v)), value(tape.gradient(y, w))) == (4, None)
    assert [x is v for x in tape.watched_variables()] == [True]
    with tf.GradientTape(persistent=True) as tape:
        y = v * w
    assert (value(tape.gradient(y, v)), value(tape.gradient(y, w))) == (4, 3)
    assert len(tape.watched_variables()) == 2


@both
def test_watched_variables(mode: Any) -> None:
    v, w, frozen = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    seen = []

    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = x * v * frozen
            seen.append(tape.watched_variables())
        return y * w

    mode(f)(tf.constant(1.0))
    assert [x is v for x in seen[0]] == [True]


def test_watch_refuses() -> None:
    with tf.GradientTape() as tape:
        for bad in (1.0, "x", np.ones(2), [tf.constant(1.0), 2]):
            with pytest.raises(ValueError, match=r"Passed in object .* not tf\.Tensor"):
                tape.watch(bad)


def test_watching_structures() -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch({"x": x, "more": [y]})
        z = x * y
    got = tape.gradient(z, {"x": x, "more": [y]})
    assert (value(got["x"]), value(got["more"][0])) == (3, 2)


@both
def test_watching_begins_where_it_stands(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = x * x
            tape.watch(x)
            z = x * y
        return tape.gradient(z, x)

    assert float(mode(f)(tf.constant(3.0))) == 9


@both
def test_watching_a_constant_made_inside(mode: Any) -> None:
    def f() -> Any:
        x, large = tf.constant(3.0), tf.ones([40])
        with tf.GradientTape() as tape:
            tape.watch([x, large])
            y = tf.reduce_sum(x * x * large)
        return tape.gradient(y, [x, large])

    by_x, by_large = mode(f)()
    assert float(by_x) == 240
    assert by_large.numpy().tolist() == [9] * 40


@both
def test_integers_have_no_gradient(mode: Any) -> None:
    def f(i: Any, x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([i, x])
            j = i * i
            y = x * tf.cast(i, tf.float32)
            k = tf.cast(x, tf.int32)
        return [tape.gradient(a, b) for a, b in ((j, i), (y, i), (y, x), (k, x), (j, x))]

    got = mode(f)(tf.constant(3), tf.constant(2.0))
    assert [value(g) for g in got] == [None, None, 3, None, None]


# Targets and sources.


@both
def test_sources_in_every_structure(mode: Any) -> None:
    v = tf.Variable([1.0, 2.0])

    def f(x: Any, y: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            z = tf.reduce_sum(v * x) * y
        return (
            tape.gradient(z, [x, y]),
            tape.gradient(z, (y,)),
            tape.gradient(z, {"v": v, "n": [x]}),
            tape.gradient(z, [v, v]),
            tape.gradient(z, []),
        )

    a, b, c, d, e = mode(f)(tf.constant([3.0, 4.0]), tf.constant(10.0))
    assert [value(g) for g in a] == [[10, 20], 11]
    assert isinstance(b, tuple) and value(b[0]) == 11
    assert (value(c["v"]), value(c["n"][0])) == ([30, 40], [10, 20])
    assert [value(g) for g in d] == [[30, 40]] * 2
    assert e == []


@both
def test_several_targets_are_added(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            a, b = x * x, x * 3.0
        return (
            tape.gradient([a, b], x),
            tape.gradient({"a": a, "b": b}, x),
            tape.gradient([a, a], x),
            tape.gradient([a, b], x, output_gradients=[tf.constant(10.0), None]),
            tape.gradient(a, x, output_gradients=2.0),
            tape.gradient([a, tf.constant(1.0)], x),
        )

    assert [value(g) for g in mode(f)(tf.constant(2.0))] == [7, 7, 8, 43, 8, 4]


@both
def test_output_gradients(mode: Any) -> None:
    def f(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x, output_gradients=w)

    x, w = tf.constant([1.0, 2.0]), tf.constant([10.0, 100.0])
    assert value(mode(f)(x, w)) == [20, 400]
    with pytest.raises(ValueError, match=r"shape \(3,\) for a target of shape \(2,\)"):
        mode(f)(x, tf.ones([3]))
    with pytest.raises(ValueError, match="2 for 1 targets"):
        mode(f)(x, [w, w])


@both
def test_a_vector_target_is_summed(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * tf.constant([1.0, 10.0, 100.0])
        return tape.gradient(y, x)

    assert value(mode(f)(tf.constant(2.0))) == 111


@both
def test_intermediate_sources(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * x + y
        return tape.gradient(z, y), tape.gradient(z, [x, y]), tape.gradient(y, [y, x])

    a, b, c = mode(f)(tf.constant(3.0))
    assert value(a) == 4
    assert [value(g) for g in b] == [33, 4]
    assert [value(g) for g in c] == [1, 6]


@both
def test_the_target_as_source(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(x, x), tape.gradient(y, y), tape.gradient([y, x], x)

    assert [value(g) for g in mode(f)(tf.constant([3.0]))] == [[1], [1], [7]]


@both
def test_unconnected(mode: Any) -> None:
    v = tf.Variable([1.0, 2.0])

    def f(x: Any, y: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            z = x * x
            stopped = tf.stop_gradient(x) * y
        zero = tf.UnconnectedGradients.ZERO
        return (
            tape.gradient(z, y),
            tape.gradient(z, [y, v], unconnected_gradients=zero),
            tape.gradient(z, [x, y], unconnected_gradients="zero"),
            tape.gradient(stopped, [x, y]),
            tape.gradient(z, [x], unconnected_gradients="none"),
        )

    a, b, c, d, e = mode(f)(tf.constant(3.0), tf.constant([[1.0]]))
    assert a is None
    assert [value(g) for g in b] == [[[0]], [0, 0]]
    assert [value(g) for g in c] == [6, [[0]]]
    assert [value(g) for g in d] == [None, [[3]]]
    assert [value(g) for g in e] == [6]
    with tf.GradientTape() as tape:
        pass
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'maybe'"):
        tape.gradient(tf.constant(1.0), v, unconnected_gradients="maybe")


@both
def test_sources_must_be_tensors(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * 2.0
        return tape.gradient(y, [x, 3.0])

    with pytest.raises(TypeError, match=r"tensors and Variables, got 3\.0 .*test_tape\.py:\d+"):
        mode(f)(tf.constant(1.0))


def test_a_tensor_is_itself_not_its_value() -> None:
    x, other = tf.constant(3.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, other) is None
    assert float(tape.gradient(y, x)) == 6


def test_dead_tensors_are_not_mistaken_for_others() -> None:
    """Tensors that die while a tape runs leave their place in memory to others."""
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in range(50):
            _ = x * 2.0
        others = [tf.constant(float(i)) * 2.0 for i in range(50)]
        y = x * x
        gc.collect()
    fresh = [tf.constant(float(i)) for i in range(200)]
    assert [tape.gradient(y, t) for t in (*others, *fresh)] == [None] * 250
    assert float(tape.gradient(y, x)) == 6


@both
def test_values_used_many_times(mode: Any) -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(5):
                y = y + y * x
        return tape.gradient(y, x)

    x = 1.5
    wanted = (1 + x) ** 5 + 5 * x * (1 + x) ** 4
    assert float(mode(f)(tf.constant(x, tf.float64))) == pytest.approx(wanted, rel=1e-14)


# Jacobians.


def network(x: Any, w: Any) -> Any:
    h = tf.tanh(x @ w)
    return tf.nn.softmax(h * 2.0) + tf.reduce_mean(h)


@both
def test_jacobian(mode: Any) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))

    def f(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = network(x, w)
        return tape.jacobian(y, {"x": x, "w": w})

    got = mode(f)(tf.constant(x), tf.constant(w))
    by_x = differences(lambda a: network(tf.constant(a), tf.constant(w)), x)
    by_w = differences(lambda a: network(tf.constant(x), tf.constant(a)), w)
    assert (got["x"].shape, got["w"].shape) == ((2, 4, 2, 3), (2, 4, 3, 4))
    np.testing.assert_allclose(got["x"], by_x, atol=1e-8)
    np.testing.assert_allclose(got["w"], by_w, atol=1e-8)


def test_jacobian_of_scalars_and_strangers() -> None:
    x, stranger, v = tf.constant(3.0), tf.constant(1.0), tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = v * x
    assert float(tape.jacobian(y, x)) == 6
    assert tape.jacobian(y, stranger) is None
    assert tape.jacobian(z, v).numpy().tolist() == [[3, 0], [0, 3]]
    assert tape.jacobian(z, [x, stranger])[0].numpy().tolist() == [1, 2]
    zeros = tape.jacobian(z, stranger, unconnected_gradients="zero")
    assert zeros.numpy().tolist() == [0, 0]


def test_hessian_by_a_jacobian_of_a_gradient() -> None:
    a = np.array([[2.0, 1.0], [0.5, 3.0]])
    x = tf.constant([1.0, -2.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            column = tf.reshape(x, [2, 1])
            y = tf.reduce_sum(tf.transpose(column) @ tf.constant(a) @ column)
        g = inner.gradient(y, x)
    np.testing.assert_allclose(outer.jacobian(g, x), a + a.T, rtol=1e-14)


# Tapes and functions.


def test_tape_outside_a_function() -> None:
    v = tf.Variable(2.0)
    f = tf.function(lambda x: {"a": x * v, "b": [x * x, 7]})
    for n in (3.0, 4.0):
        x = tf.constant(n)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            got = f(x)
            y = got["a"] + got["b"][0] * 10.0
        assert float(tape.gradient(y, x)) == 2 + 20 * n
        assert float(tape.gradient(y, v)) == n
        assert float(tape.gradient(got["a"], v)) == n
        assert tape.gradient(got["b"][0], v) is None


def test_tape_outside_is_as_inside_and_eager() -> None:
    def f(x: Any, w: Any) -> Any:
        return tf.reduce_sum(network(x, w) * x[:, :1])

    def gradient(g: Any, x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = g(x, w)
        return tape.gradient(y, [x, w])

    rng = np.random.default_rng(1)
    compiled = tf.function(f)
    for n in (4, 6, 9):
        x = tf.constant(rng.normal(size=(n, 3)), tf.float32)
        w = tf.constant(rng.normal(size=(3, 5)), tf.float32)
        eager = gradient(f, x, w)
        outside = gradient(compiled, x, w)
        inside = tf.function(lambda x, w: gradient(f, x, w))(x, w)
        for a, b, c in zip(eager, outside, inside, strict=True):
            assert a.numpy().tobytes() == b.numpy().tobytes() == c.numpy().tobytes()


def test_second_order_whatever_the_sizes() -> None:
    """Extents that are equal by chance, that are 1, and that ops compute from others."""

    def f(x: Any, w: Any, b: Any) -> Any:
        h = tf.nn.relu(x @ w + b)
        h = tf.concat([h, h * 2.0], 1)[:, 1:-1]
        s = tf.nn.softmax(tf.pad(h, [[0, 1], [0, 0]]))
        u = tf.reduce_mean(h, 0, keepdims=True) * s
        rows = tf.cast(tf.shape(x)[0], tf.float64)
        tiled = tf.reduce_sum(tf.tile(b[None], [2, 1]))
        squares = tf.reduce_sum(tf.reshape(u, [-1]) ** 2.0)
        return tf.reduce_sum(tf.transpose(s) @ s) + squares + tf.reduce_max(s) + rows * tiled

    def both_orders(g: Any, *operands: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(list(operands))
            with tf.GradientTape() as inner:
                inner.watch(list(operands))
                y = g(*operands)
            first = inner.gradient(y, list(operands))
            total = tf.add_n([tf.reduce_sum(d * d) for d in first])
        return first + outer.gradient(total, list(operands))

    rng = np.random.default_rng(0)
    compiled = tf.function(f)
    inside = tf.function(lambda *operands: both_orders(f, *operands))
    for n, k, m in ((3, 3, 3), (1, 3, 5), (6, 3, 5)):
        operands = [tf.constant(rng.normal(size=s)) for s in ((n, k), (k, m), (m,))]
        eager = both_orders(f, *operands)
        for others in (both_orders(compiled, *operands), inside(*operands)):
            for i, (a, b) in enumerate(zip(eager, others, strict=True)):
                if i < 3:  # the first order has the same bits
                    assert a.numpy().tobytes() == b.numpy().tobytes()
                np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


def test_a_function_twice_in_a_tape_with_different_shapes() -> None:
    f = tf.function(lambda x: tf.reduce_sum(x * x))
    for sizes in ((2, 3), (5, 4), (3, 3)):
        x, y = (tf.ones([n]) * float(n) for n in sizes)
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = f(x) * f(y)
        gx, gy = tape.gradient(z, [x, y])
        a, b = (float(n) for n in sizes)
        assert gx.numpy().tolist() == [2 * a * b**3] * sizes[0]
        assert gy.numpy().tolist() == [2 * b * a**3] * sizes[1]


def test_across_nested_functions() -> None:
    inner = tf.function(lambda x, w: tf.sin(x) * w)
    middle = tf.function(lambda x, w: inner(x, w) + inner(x * 2.0, w))

    @tf.function
    def gradient(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = middle(x, w) * inner(w, x)
        return tape.gradient(y, [x, w])

    def plain(a: np.ndarray) -> np.ndarray:
        x, w = a
        return np.asarray((np.sin(x) * w + np.sin(2 * x) * w) * np.sin(w) * x)

    at = np.array([0.7, 1.3])
    got = gradient(*(tf.constant(v, tf.float64) for v in at))
    np.testing.assert_allclose(got, differences(plain, at), atol=1e-8)
    with tf.GradientTape() as outer:
        x, w = (tf.constant(v, tf.float64) for v in at)
        outer.watch([x, w])
        total = tf.add_n(gradient(x, w))
    second = outer.gradient(total, [x, w])
    wanted = differences(lambda a: differences(plain, a, 1e-4).sum(), at, 1e-4)
    np.testing.assert_allclose(second, wanted, atol=1e-5)


def test_second_order_through_a_function() -> None:
    f = tf.function(lambda x: x * x * x)
    x = tf.constant(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            y = f(x)
        first = b.gradient(y, x)
    assert (float(first), float(a.gradient(first, x))) == (12, 12)


@both
def test_variables_read_before_and_after_an_assignment(mode: Any) -> None:
    v = tf.Variable(2.0)

    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            a = v * x
            v.assign_add(1.0)
            b = v * x
            v.assign(v * 10.0)
            c = v * x
            y = a + b * b + c * 5.0
        return tape.gradient(y, v), v.read_value()

    g, last = mode(f)(tf.constant(3.0))
    # By a: 3, by b: 2 * (3 * 3) * 3, by c: 15; what is assigned is a new start.
    assert (float(g), float(last)) == (3 + 54 + 15, 30)
    assert v.numpy() == 30


def test_a_tape_in_a_function_sees_outer_variables_only_inside() -> None:
    v = tf.Variable(2.0)

    @tf.function
    def f(x: Any) -> Any:
        y = v * x
        with tf.GradientTape() as tape:
            z = v * v
        return y, tape.gradient(z, v)

    y, g = f(tf.constant(5.0))
    assert (float(y), float(g)) == (10, 4)


def test_two_tapes_side_by_side() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as a, tf.GradientTape() as b:
        a.watch(x)
        b.watch(x)
        y = x * x
        z = y * x
    assert float(a.gradient(y, x)) == 4
    assert float(b.gradient(z, x)) == 12


def test_where_hides_what_is_not_chosen() -> None:
    for mode in MODES:

        def f(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.where(x > 0.0, tf.sqrt(x), 0.0 * x)
            return tape.gradient(y, x)

        assert value(mode(f)(tf.constant([0.0, 4.0, -1.0]))) == [0, 0.25, 0]


def test_an_empty_gradient() -> None:
    x = tf.zeros([0, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * 2.0)
    assert tape.gradient(y, x).shape == (0, 3)


def test_low_precision_gradients_keep_their_dtype() -> None:
    for dtype in ("float16", "bfloat16", "float64"):
        x = tf.constant([1.5, 2.0], dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * x)
        g = tape.gradient(y, x)
        assert g.dtype is tf.as_dtype(dtype)
        assert g.numpy().astype(float).tolist() == [3, 4]


# Functions that give gradients.


@both
def test_grad(mode: Any) -> None:
    def f(x: Any, y: Any) -> Any:
        return tf.reduce_sum(x * x * y)

    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    assert value(mode(tf.grad(f))(x, y)) == [6, 16]
    assert [value(g) for g in mode(tf.grad(f, (0, 1)))(x, y)] == [[6, 16], [1, 4]]
    got, (gx,) = mode(tf.value_and_grad(f, [0]))(x, y)
    assert (float(got), value(gx)) == (19, [6, 16])
    third = tf.grad(tf.grad(tf.grad(lambda x: x * x * x * x)))
    assert float(mode(third)(tf.constant(2.0))) == 48
    assert value(mode(tf.gradients_function(f))(x, y)[1]) == [1, 4]
    params = {"w": tf.constant(2.0), "b": [tf.constant(1.0)]}
    got = mode(tf.grad(lambda p: p["w"] * p["w"] + p["b"][0] * 3.0))(params)
    assert (value(got["w"]), value(got["b"][0])) == (4, 3)


# What random programs found.


@both
def test_a_tape_inside_watches_what_comes_from_the_source(mode: Any) -> None:
    """What was computed of it before is on the tape outside all the same."""

    def f(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            y = x * 2.0
            z = tf.sin(y)
            with tf.GradientTape() as inner:
                inner.watch(y)
                penalty = tf.reduce_sum(y * y * y)
            slope = inner.gradient(penalty, y)
        return outer.gradient([z, slope], x)

    x = np.array([0.5, 2.0], np.float32)
    wanted = 2 * np.cos(2 * x) + 24 * x
    np.testing.assert_allclose(mode(f)(tf.constant(x)), wanted, rtol=1e-5)


@both
@pytest.mark.parametrize(
    "copy", [tf.identity, lambda y: tf.reshape(y, [2]), lambda y: tf.broadcast_to(y, [2])]
)
def test_copies_where_nothing_is_recorded(mode: Any, copy: Any) -> None:
    """Made where the tape does not record, no gradient flows through it."""

    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * 2.0
            with tape.stop_recording():
                z = copy(y)
            w = y * 3.0 + z + copy(y)
        return tape.gradient(w, x)

    assert value(mode(f)(tf.constant([1.0, 2.0]))) == [8, 8]


@both
@pytest.mark.parametrize(
    "copy", [tf.identity, lambda y: tf.reshape(y, [2]), lambda y: tf.identity_n([y])[0]]
)
def test_a_gradient_by_a_copy_is_not_the_originals(mode: Any, copy: Any) -> None:
    def f(x: Any) -> Any:
        before = copy(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(before)
            unseen = before * x
            tape.watch(x)
            z = copy(x)
            y = z * z + 3.0 * x
        sources = [(unseen, before), (y, z), (y, x), (z, x)]
        return [tape.gradient(target, source) for target, source in sources]

    got = mode(f)(tf.constant([1.0, 2.0]))
    assert [value(g) for g in got] == [[1, 2], [2, 4], [5, 7], [1, 1]]


def test_output_gradients_stretch() -> None:
    """To the shape of their target, and nested lists are one tensor of it."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def slopes(x: Any, given: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x, output_gradients=given)

    spec = tf.TensorSpec([None, None])
    for given in (3.0, [1.0, 10.0], tf.constant([[1.0], [10.0]]), [[1.0, 2.0], [3.0, 4.0]]):
        wanted = 2 * np.asarray(x) * np.asarray(given)
        for f in (lambda x: slopes(x, given), tf.function(lambda x: slopes(x, given), [spec])):  # noqa: B023
            np.testing.assert_allclose(f(x), wanted)
    for bad in (tf.ones([3]), tf.ones([1, 2, 2])):
        with pytest.raises(ValueError, match="output_gradients: shape"):
            slopes(x, bad)
