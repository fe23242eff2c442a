"""Ragged tensors in Keras' functions, layers and models. Expected numbers are those of Keras on
TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import layers, ops

import tfc as tf

ROWS = tf.ragged.constant([[1.0, 2.0, 3.0], [], [4.0, 5.0]])
WORDS = tf.ragged.constant([[1, 2, 3], [], [4, 0]])
VECTORS = tf.RaggedTensor.from_row_lengths(tf.reshape(tf.range(12.0), [6, 2]), [3, 0, 3])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (ops.square, [[1, 4, 9], [], [16, 25]]),
        (ops.round, [[1, 2, 3], [], [4, 5]]),
        (lambda x: ops.maximum(2, x), [[2, 2, 3], [], [4, 5]]),
        (lambda x: ops.digitize(x, [2.0, 4.0]), [[0, 1, 1], [], [2, 2]]),
        (lambda x: ops.tile(x, (1, 2)), [[1, 2, 3, 1, 2, 3], [], [4, 5, 4, 5]]),
        (lambda x: ops.concatenate([x, x], 1), [[1, 2, 3, 1, 2, 3], [], [4, 5, 4, 5]]),
        (lambda x: ops.cast(x, "int32"), [[1, 2, 3], [], [4, 5]]),
        (lambda x: ops.where(x > 2, x, 0.0), [[0, 0, 3], [], [4, 5]]),
        (lambda x: layers.Add()([x, x]), [[2, 4, 6], [], [8, 10]]),
        (layers.Rescaling(2.0), [[2, 4, 6], [], [8, 10]]),
    ],
)
def test_rows_stay(function: Any, expected: Any) -> None:
    found = function(ROWS)
    assert isinstance(found, tf.RaggedTensor)
    assert found.to_list() == expected


def test_reductions() -> None:
    np.testing.assert_array_equal(ops.sum(ROWS, axis=1), [6, 0, 9])
    np.testing.assert_array_equal(ops.mean(ROWS, axis=0), [2.5, 3.5, 3])
    assert float(ops.max(ROWS)) == 5
    assert ops.max(VECTORS, axis=-1).to_list() == [[1, 3, 5], [], [7, 9, 11]]
    mean, variance = ops.moments(VECTORS, axes=[-1], keepdims=True)
    assert mean.to_list()[2] == [[6.5], [8.5], [10.5]]
    assert variance.to_list()[0] == [[0.25]] * 3
    first, empty, last = ops.softmax(ROWS).to_list()
    np.testing.assert_allclose(first, [0.0900306, 0.2447285, 0.6652409], rtol=1e-5)
    np.testing.assert_allclose(last, [0.2689414, 0.7310586], rtol=1e-5)
    assert empty == []
    assert ops.shape(VECTORS) == (3, None, 2)
    assert ops.ndim(VECTORS) == 3


def test_dense_where_that_is_asked_for() -> None:
    padded = [[1, 2, 3], [0, 0, 0], [4, 5, 0]]
    assert isinstance(ops.convert_to_tensor(ROWS), tf.RaggedTensor)
    np.testing.assert_array_equal(ops.convert_to_tensor(ROWS, ragged=False), padded)
    np.testing.assert_array_equal(ops.convert_to_numpy(ROWS), padded)


def test_layers_of_vectors() -> None:
    np.testing.assert_array_equal(
        layers.GlobalMaxPooling1D()(VECTORS)[::2], [[4.0, 5.0], [10.0, 11.0]]
    )
    for layer in (layers.LayerNormalization(), layers.BatchNormalization()):
        found = layer(VECTORS)
        np.testing.assert_allclose(found.flat_values, layer(VECTORS.flat_values[None])[0])
        assert found.row_lengths().numpy().tolist() == [3, 0, 3]
    dense = layers.Dense(3, kernel_initializer="ones")
    assert dense(VECTORS).to_list()[2] == [[13.0] * 3, [17.0] * 3, [21.0] * 3]
    assert layers.Concatenate()([VECTORS, VECTORS]).shape == (3, None, 4)
    assert ops.one_hot(WORDS, 5).shape == (3, None, 5)
    with pytest.raises(ValueError, match="ragged"):
        layers.LSTM(2)(VECTORS)


def _of_words(reduced: bool) -> keras.Sequential:
    words = [layers.Embedding(5, 2, embeddings_initializer="ones")]
    mean = [layers.Lambda(lambda x: tf.reduce_sum(x, axis=1))]
    out = [layers.Dense(1, kernel_initializer="ones")]
    return keras.Sequential(words + (mean + out if reduced else []))


def test_models() -> None:
    model = _of_words(reduced=True)
    model.compile("sgd", "mse")
    targets = np.ones((3, 1), "float32")
    expected = [10.523171, 4.540983]
    data = tf.data.Dataset.from_tensor_slices((WORDS, targets)).batch(2)
    np.testing.assert_allclose(model.fit(data, epochs=2, verbose=0).history["loss"], expected, 1e-4)
    twin = _of_words(reduced=True)
    twin.compile("sgd", "mse")
    history = twin.fit(WORDS, targets, batch_size=2, shuffle=False, epochs=2, verbose=0)
    np.testing.assert_allclose(history.history["loss"], expected, 1e-4)
    np.testing.assert_array_equal(twin.get_weights()[0], model.get_weights()[0])
    assert _of_words(reduced=False).predict(WORDS, batch_size=2, verbose=0).to_list() == [
        [[1.0, 1.0]] * 3,
        [],
        [[1.0, 1.0]] * 2,
    ]


def test_functional_models() -> None:
    words = keras.Input((None,), ragged=True, dtype="int32")
    vectors = layers.Embedding(5, 2, embeddings_initializer="ones")(words)
    assert vectors.ragged
    found = keras.Model(words, vectors)(WORDS)
    assert isinstance(found, tf.RaggedTensor)
    assert found.shape == (3, None, 2)
