"""Branches whose results have different extents: numbers, what depends on data, symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf


def tiles(n: Any) -> Any:
    places = tf.range(0, n, 16)[:-1]
    if not tf.cast(tf.size(places), tf.bool):
        places = tf.constant([0])
    total = 0
    for place in places:
        total += place + 1
    return places, total


def chosen(p: Any, x: Any) -> Any:
    return tf.cond(p, lambda: tf.boolean_mask(x, x > 0), lambda: tf.constant([5.0]))


def masked(p: Any, x: Any) -> Any:
    if p:
        y = tf.boolean_mask(x, x > 0)
    else:
        y = tf.boolean_mask(x, x < 0) - 1.0
    return y, tf.reduce_sum(y)


def nested(p: Any, n: Any) -> Any:
    if p:
        if n > 3:
            y = tf.range(n)
        else:
            y = tf.range(1)
    else:
        y = tf.zeros([n + 1], tf.int32)
    for e in y:
        n += e
    return y, n


def rounds(n: Any) -> Any:
    total = 0.0
    for i in tf.range(n):
        if i % 2 == 0:
            row = tf.ones([i + 1])
        else:
            row = tf.zeros([2 * i])
        total += tf.reduce_sum(row) + tf.cast(tf.size(row), tf.float32)
    return total


def strings(p: Any, n: Any) -> Any:
    if p:
        a, b, c = tf.constant(["x", "y"]), tf.zeros([2, 3]), 1
    else:
        a, b, c = tf.constant(["z"]), tf.ones([n, 3]), 2
    return a, b, c


def cases(i: Any, n: Any) -> Any:
    functions: list[Callable[[], Any]] = [lambda k=k: tf.fill([k + 1, n], k) for k in range(3)]
    return tf.switch_case(i, functions)


TRUE, FALSE = tf.constant(True), tf.constant(False)
X = tf.constant([1.0, -2.0, 3.0])
CALLS = [
    *((tiles, (tf.constant(n),)) for n in (10, 40, 50)),
    *((f, (p, X)) for f in (chosen, masked) for p in (TRUE, FALSE)),
    *((nested, (p, tf.constant(n))) for p in (TRUE, FALSE) for n in (2, 5)),
    (rounds, (tf.constant(6),)),
    *((strings, (p, tf.constant(1))) for p in (TRUE, FALSE)),
    *((cases, (tf.constant(i), tf.constant(2))) for i in range(3)),
]


@pytest.mark.parametrize("k", range(len(CALLS)))
def test_values(k: int) -> None:
    f, given = CALLS[k]
    found, wanted = tf.nest.flatten(tf.function(f)(*given)), tf.nest.flatten(f(*given))
    for got, want in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_shapes_are_open_where_they_differ() -> None:
    seen = []

    @tf.function
    def f(p: Any, x: Any) -> Any:
        y = tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.ones([5, 3]))
        z = tf.cond(p, lambda: x, lambda: x + 1.0)
        seen.extend([y.shape.as_list(), z.shape.as_list()])
        return y

    assert f(TRUE, X).shape == (2, 3) and f(FALSE, X).shape == (5, 3)
    assert seen == [[None, 3], [3]]
    dataset = tf.data.Dataset.range(4).map(
        lambda i: tf.cond(i % 2 == 0, lambda: tf.zeros([2]), lambda: tf.zeros([3]))
    )
    assert [e.shape[0] for e in dataset] == [2, 3, 2, 3]
    assert dataset.element_spec.shape.as_list() == [None]


def test_sizes_of_several_arguments() -> None:
    """They need not be the same: the labels may be none where the predictions count."""

    @tf.function(input_signature=[tf.TensorSpec([], tf.bool), *[tf.TensorSpec([None, 2])] * 2])
    def f(p: Any, x: Any, y: Any) -> Any:
        return tf.cond(p, lambda: x * 2.0, lambda: y)

    x, y = tf.ones([3, 2]), tf.zeros([0, 2])
    np.testing.assert_array_equal(f(TRUE, x, y), 2.0 * np.ones((3, 2)))
    assert f(FALSE, x, y).shape == (0, 2) and f(TRUE, y, x).shape == (0, 2)


def test_gradients() -> None:
    """The first and the second, of the branch that ran alone."""

    @tf.function
    def f(p: Any, x: Any) -> Any:
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                if p:
                    y = x[:2] ** 3
                else:
                    y = tf.concat([x, x * x], 0)
                loss = tf.reduce_sum(y * y)
            gradient = first.gradient(loss, x)
            total = tf.reduce_sum(gradient)
        return gradient, second.gradient(total, x)

    x = np.array([1.0, 2.0, 3.0], np.float32)
    counts = np.array([1.0, 1.0, 0.0], np.float32)
    for p, wanted in (
        (TRUE, (6 * x**5 * counts, 30 * x**4 * counts)),
        (FALSE, (2 * x + 4 * x**3, 2 + 12 * x**2)),
    ):
        for got, want in zip(f(p, tf.constant(x)), wanted, strict=True):
            np.testing.assert_allclose(got, want, 1e-5)


def test_variables_and_what_branches_do() -> None:
    v = tf.Variable(0)

    @tf.function
    def f(p: Any) -> Any:
        if p:
            v.assign_add(1)
            y = tf.zeros([2])
        else:
            v.assign_sub(10)
            y = tf.zeros([1])
        tf.debugging.Assert(tf.size(y) < 2, ["large"])
        return y

    assert f(FALSE).shape == (1,) and int(v) == -10
    with pytest.raises(tf.errors.InvalidArgumentError, match="large"):
        f(TRUE)


def test_ranks_differ() -> None:
    with pytest.raises(ValueError, match=r"has shape \[2,2\], and must have \[2\]|\[2, 2\]"):
        tf.function(lambda p: tf.cond(p, lambda: tf.zeros([2]), lambda: tf.zeros([2, 2])))(TRUE)

    @tf.function
    def f(p: Any) -> Any:
        if p:
            y = tf.zeros([2])
        else:
            y = tf.zeros([2, 2])
        return y

    with pytest.raises(TypeError, match="give them one rank"):
        f(TRUE)


@pytest.mark.parametrize("dynamic", [False, True])
def test_elements_of_sizes_that_only_a_round_knows(dynamic: bool) -> None:
    """An error that says so, wherever their buffer is made."""

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def f(x: Any) -> Any:
        rows = tf.TensorArray(tf.float32, size=tf.shape(x)[0], dynamic_size=dynamic)
        for i in tf.range(tf.shape(x)[0]):
            rows = rows.write(i, tf.boolean_mask(x[i], x[i] > 0))
        return rows.stack()

    with pytest.raises(tf.errors.UnimplementedError, match="known only when a round"):
        f(tf.ones([2, 3]))
