"""Numbers that functions compute: axes, permutations, counts; folded where no argument decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7

WAYS: dict[str, tuple[Any, list[Any]]] = {
    "transpose": (tf.transpose, [[2, 0, 1], [1, -1, 0]]),
    "transpose by numbers of which some are computed": (
        lambda x, a: tf.transpose(x, [2, a, 1 - a]),
        [0, 1],
    ),
    "reduce_sum": (tf.reduce_sum, [1, -1]),
    "reduce_max": (lambda x, a: tf.reduce_max(x, a), [[0, 2], [-2, 0]]),
    "kept": (lambda x, a: tf.reduce_mean(x, a, keepdims=True), [[0, 2], [1, 2]]),
    "argmax": (tf.argmax, [0, 2]),
    "cumsum": (lambda x, a: tf.cumsum(x, a, exclusive=True), [0, -1]),
    "concat": (lambda x, a: tf.concat([x, x * 2.0], a), [0, -2]),
    "rot90": (tf.image.rot90, [0, 1, 2, 3, -1]),
    "linspace": (lambda x, n: tf.linspace(x[0], x[1], n, axis=1), [4, 1, 0]),
}


@pytest.mark.parametrize("name", WAYS)
def test_computed_in_a_function(name: str) -> None:
    function, arguments = WAYS[name]
    compiled = tf.function(function)
    for n in arguments:
        got = compiled(X, tf.constant(n))
        np.testing.assert_array_equal(got, function(tf.constant(X), n))
    assert compiled.experimental_get_tracing_count() == 1


def test_gradients_along_computed_axes() -> None:
    @tf.function
    def slope(x: Any, axis: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_prod(tf.transpose(x + 1.0, tf.stack([axis, 1 - axis])), axis)
        return tape.gradient(y, x)

    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for axis in (0, 1):
        with tf.GradientTape() as tape:
            tape.watch(x)
            moved = tf.transpose(x + 1.0, [axis, 1 - axis])
            y = tf.reduce_prod(moved, axis)
        np.testing.assert_allclose(slope(x, tf.constant(axis)), tape.gradient(y, x), rtol=1e-6)


def test_what_no_argument_decides_is_known() -> None:
    @tf.function
    def f(x: Any, c: Any) -> Any:
        def inner() -> Any:  # also within branches, of what is outside of them
            order = tf.concat([[1, 0], tf.range(2, tf.rank(x))], 0)
            y = tf.transpose(x, order)
            assert y.shape.as_list() == [3, 2, 4]
            return tf.reduce_sum(y, tf.range(1, tf.rank(x)))

        last = tf.argsort([2, 0, 1])[0] + 1
        assert tf.get_static_value(last) == 2
        assert tf.get_static_value(tf.cast(x[0, 0, 0], tf.int32)) is None
        return tf.cond(c, inner, lambda: tf.reduce_sum(tf.gather(x, [0, 1], axis=last), [0, 2]))

    x = tf.constant(X)
    np.testing.assert_array_equal(f(x, tf.constant(True)), X.sum((0, 2)))
    np.testing.assert_array_equal(f(x, tf.constant(False)), X[:, :, :2].sum((0, 2)))


@pytest.mark.parametrize(
    "function, n, text",
    [
        (lambda x, n: tf.transpose(x, n), [0, 0, 1], "perm is no permutation of 3 axes"),
        (lambda x, n: tf.reduce_sum(x, n), 3, "reduce_sum: an axis is out of range for rank 3"),
        (lambda x, n: tf.reduce_sum(x, n), [1, 1], "reduce_sum: axes name an axis twice"),
        (lambda x, n: tf.transpose(x, n), [1, 0], "one number for each of 3 axes"),
        (lambda x, n: tf.squeeze(x, axis=n), 1, r"dim\[1\], expected a dimension of 1"),
    ],
)
def test_mistakes(function: Any, n: Any, text: str) -> None:
    errors = (tf.errors.InvalidArgumentError, TypeError, ValueError)
    with pytest.raises(errors, match=text):
        tf.function(function)(X, tf.constant(n))


def test_axes_of_which_a_call_tells_the_number() -> None:
    axes, x = tf.TensorSpec([None], tf.int32), tf.constant(X)
    transpose = tf.function(tf.transpose, input_signature=[tf.TensorSpec([2, 3, 4], x.dtype), axes])
    np.testing.assert_array_equal(transpose(x, tf.constant([2, 0, 1])), X.transpose(2, 0, 1))
    total = tf.function(tf.reduce_sum, input_signature=[tf.TensorSpec([2, 3, 4], x.dtype), axes])
    for given in ([0, 1], [2]):
        np.testing.assert_array_equal(total(x, tf.constant(given)), X.sum(tuple(given)))
    scan = tf.function(lambda x, n: tf.cumsum(x, n))
    n = tf.constant(1)
    assert scan.get_concrete_function(x, tf.TensorSpec([], tf.int32)).output_shapes == X.shape
    np.testing.assert_array_equal(scan(x, n), X.cumsum(1))


def test_axes_that_are_counted_while_tracing() -> None:
    """Ranks and lengths of shapes are known, and what is computed of them: so is a range of it."""

    @tf.function
    def totals(x: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
        wide = tf.broadcast_to(x, [3, 2])
        new = tf.size(shape) - tf.maximum(tf.rank(x), tf.size(tf.shape(x)))
        return tf.reduce_sum(wide, axis=tf.range(new))

    assert totals(tf.constant([1.0, 2.0]), tf.constant([3, 2])).numpy().tolist() == [3.0, 6.0]


def test_lists_with_arguments_among_their_numbers() -> None:
    """Numbers that a trace is for."""
    compiled = tf.function(lambda x, k: tf.linalg.diag_part(x, k=[0, k]))
    for k in (0, 1, 2):
        wanted = tf.linalg.diag_part(tf.constant(X), k=[0, k])
        np.testing.assert_array_equal(compiled(X, tf.constant(k)), wanted)
