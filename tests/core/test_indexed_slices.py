"""IndexedSlices: gradients of variables that were gathered, and what may be done with them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def table_and_loss() -> tuple[Any, Callable[[], Any]]:
    table = tf.Variable(X.astype(np.float64))
    weights = tf.constant(np.arange(12.0).reshape(3, 4))

    def loss() -> Any:
        return tf.reduce_sum(tf.gather(table, [2, 0, 2]) ** 2 * weights)

    return table, loss


def dense_gradient(table: Any) -> np.ndarray:
    wanted = np.zeros((3, 4))
    for row, weight in zip((2, 0, 2), np.arange(12.0).reshape(3, 4), strict=True):
        wanted[row] += 2 * X[row] * weight
    return wanted


def gradient_of(table: Any, loss: Callable[[], Any]) -> Any:
    with tf.GradientTape() as tape:
        y = loss()
    return tape.gradient(y, table)


def test_gradients_of_gathers_stay_sparse() -> None:
    table, loss = table_and_loss()
    compiled = tf.function(loss)
    grads = [
        gradient_of(table, loss),
        gradient_of(table, compiled),
        tf.function(lambda: gradient_of(table, loss))(),
    ]
    for g in grads:
        assert isinstance(g, tf.IndexedSlices)
        assert g.indices.numpy().tolist() == [2, 0, 2] and g.values.shape == (3, 4)
        assert g.dense_shape.numpy().tolist() == [3, 4] and g.shape == (3, 4)
        assert g.dtype is tf.float64
        np.testing.assert_array_equal(tf.convert_to_tensor(g), dense_gradient(table))
    assert len({g.values.numpy().tobytes() for g in grads}) == 1


def test_what_makes_gradients_dense() -> None:
    table, loss = table_and_loss()

    def both() -> Any:
        return loss() + tf.reduce_sum(table)

    def twice() -> Any:
        return loss() + tf.reduce_sum(tf.gather(table, [[1]]))

    for f in (both, tf.function(both)):
        g = gradient_of(table, f)
        assert isinstance(g, tf.Tensor)
        np.testing.assert_array_equal(g, dense_gradient(table) + 1)
    for f in (twice, tf.function(twice)):
        g = gradient_of(table, f)
        assert isinstance(g, tf.IndexedSlices) and sorted(g.indices.numpy().tolist()) == [
            0,
            1,
            2,
            2,
        ]
        wanted = dense_gradient(table)
        wanted[1] += 1
        np.testing.assert_array_equal(tf.convert_to_tensor(g), wanted)
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.gather(x, [1])
    assert isinstance(tape.gradient(y, x), tf.Tensor)
    with tf.GradientTape() as tape:
        y = tf.gather(table, [1])[:, 0]
    assert tape.jacobian(y, table).shape == (1, 3, 4)


def test_second_derivatives_through_slices() -> None:
    table, loss = table_and_loss()

    def second() -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = loss()
            z = tf.reduce_sum(inner.gradient(y, table).values)
        return tf.convert_to_tensor(outer.gradient(z, table))

    wanted = np.zeros((3, 4))
    for row, weight in zip((2, 0, 2), np.arange(12.0).reshape(3, 4), strict=True):
        wanted[row] += 2 * weight
    for f in (second, tf.function(second)):
        np.testing.assert_array_equal(f(), wanted)


def test_indexed_slices_as_values() -> None:
    s = tf.IndexedSlices([[1.0, 2.0], [3.0, 4.0]], [2, 0], [3, 2])
    dense = np.float32([[3, 4], [0, 0], [1, 2]])
    np.testing.assert_array_equal(tf.convert_to_tensor(s), dense)
    np.testing.assert_array_equal(s * 2.0, dense * 2)
    np.testing.assert_array_equal(1.0 - s, 1 - dense)
    np.testing.assert_array_equal(tf.constant(dense) + s, dense * 2)
    np.testing.assert_array_equal(tf.reduce_sum(s, 0), dense.sum(0))
    np.testing.assert_array_equal(tf.convert_to_tensor(-s), -dense)
    assert repr(s).startswith("IndexedSlices(indices=tf.Tensor(")
    assert tf.nest.flatten([s, s]) == [s, s]
    same = tf.function(lambda t, k: {"out": t, "twice": (k * 2, None)})(s, tf.constant(3))
    assert isinstance(same["out"], tf.IndexedSlices) and int(same["twice"][0]) == 6
    np.testing.assert_array_equal(tf.convert_to_tensor(same["out"]), dense)
    unknown = tf.IndexedSlices([[1.0, 2.0]], [1])
    assert unknown.shape.as_list() == [None, 2] and unknown.dense_shape is None
    with pytest.raises(ValueError, match="IndexedSlices without dense_shape"):
        tf.convert_to_tensor(unknown)
    kept = pickle.loads(pickle.dumps(s))
    np.testing.assert_array_equal(tf.convert_to_tensor(kept), dense)


def test_training_with_slices() -> None:
    """What an embedding does: only rows that were read change."""
    table, loss = table_and_loss()
    before = table.numpy()

    @tf.function
    def step() -> Any:
        g = gradient_of(table, loss)
        table.scatter_sub(tf.IndexedSlices(0.01 * g.values, g.indices))
        return g

    step()
    wanted = before.copy()
    for row, weight in zip((2, 0, 2), np.arange(12.0).reshape(3, 4), strict=True):
        wanted[row] -= 0.01 * (2 * before[row] * weight)
    np.testing.assert_allclose(table.numpy(), wanted)
    np.testing.assert_array_equal(table.numpy()[1], before[1])


def test_what_keeps_slices_sparse() -> None:
    s = tf.IndexedSlices([[3.0, 0.0], [0.0, 4.0]], [2, 0], [3, 2])
    clipped, norm = tf.clip_by_global_norm([s, None], 1.0)
    assert float(norm) == 5 and clipped[1] is None
    for t, values in (
        (clipped[0], [[0.6, 0], [0, 0.8]]),
        (tf.clip_by_norm(s, 1.0), [[0.6, 0], [0, 0.8]]),
        (tf.math.scalar_mul(2.0, s), [[6, 0], [0, 8]]),
        (tf.cast(s, tf.float64), [[3, 0], [0, 4]]),
    ):
        assert isinstance(t, tf.IndexedSlices) and t.indices.numpy().tolist() == [2, 0]
        np.testing.assert_allclose(t.values, values, rtol=1e-6)
    assert t.dtype is tf.float64
    v = tf.Variable(tf.zeros([3, 2]))
    v.assign_sub(s)
    np.testing.assert_array_equal(v.numpy(), [[0, -4], [0, 0], [-3, 0]])


def test_functions_take_slices_beside_structures() -> None:
    s = tf.IndexedSlices([[3.0, 0.0], [0.0, 4.0]], [2, 0], [3, 2])

    @tf.function
    def scaled(by: Any, slices: Any, more: Any = None) -> Any:
        return slices.values * by["scale"] + more["offset"]

    for scale in (2.0, tf.constant(3.0)):
        for _ in range(2):
            got = scaled({"scale": scale}, s, more={"offset": tf.constant(1.0)})
            np.testing.assert_array_equal(got, s.values * scale + 1.0)


def test_specs():
    rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1]), tf.constant([3, 2]))
    spec = tf.type_spec_from_value(rows)
    assert repr(spec) == (
        "IndexedSlicesSpec(TensorShape([3, 2]), tf.float32, tf.int32, tf.int32, TensorShape([1]))"
    )
    wide = tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32, tf.int32)
    assert wide.is_compatible_with(rows) and spec.is_subtype_of(wide) and spec != wide
    assert spec.most_specific_compatible_type(wide) == wide
    assert not tf.IndexedSlicesSpec([3, 2], tf.float32, tf.int64).is_compatible_with(rows)
    assert pickle.loads(pickle.dumps(wide)) == wide

    @tf.function(input_signature=[wide])
    def doubled(given):
        return tf.IndexedSlices(given.values * 2, given.indices, given.dense_shape)

    found = doubled(rows)
    np.testing.assert_array_equal(tf.convert_to_tensor(found), [[0, 0], [2, 2], [0, 0]])
    with pytest.raises(TypeError, match=r"Cannot convert|bad"):
        tf.IndexedSlicesSpec([2], "bad")
