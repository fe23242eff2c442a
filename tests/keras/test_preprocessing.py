"""Layers that prepare data, and devices: what works with one process and without TensorFlow."""

from __future__ import annotations

import numpy as np
import pytest

import tfc as tf

keras = tf.keras
layers = keras.layers
IMAGES = np.random.default_rng(0).uniform(0, 255, (2, 16, 12, 3)).astype("float32")


def test_numbers() -> None:
    normalization = layers.Normalization()
    data = np.random.default_rng(1).normal(3, 2, (500, 4)).astype("float32")
    normalization.adapt(data)
    got = np.asarray(normalization(data))
    np.testing.assert_allclose(got, (data - data.mean(0)) / data.std(0), rtol=1e-3, atol=1e-3)
    bins = layers.Discretization(bin_boundaries=[0.0, 1.0, 2.0])
    assert np.asarray(bins(np.array([-1.0, 0.5, 1.5, 9.0]))).tolist() == [0, 1, 2, 3]
    hot = layers.CategoryEncoding(4, output_mode="multi_hot")
    np.testing.assert_array_equal(hot([[0, 1], [2, 2]]), [[1, 1, 0, 0], [0, 0, 1, 0]])
    np.testing.assert_allclose(layers.Rescaling(0.5, 1.0)(IMAGES), IMAGES * 0.5 + 1.0)


@pytest.mark.parametrize("name", ["RandomCrop", "CenterCrop", "Resizing"])
def test_sizes(name: str) -> None:
    layer = getattr(layers, name)(8, 6)
    assert layer(IMAGES).shape == (2, 8, 6, 3)
    assert layer(IMAGES[0]).shape == (8, 6, 3)
    cut = np.asarray(layers.CenterCrop(8, 6)(IMAGES))
    np.testing.assert_array_equal(cut, IMAGES[:, 4:12, 3:9])


def test_random_layers_in_a_model() -> None:
    """They change what is trained on, and leave alone what is predicted."""
    model = keras.Sequential(
        [
            keras.Input(IMAGES.shape[1:]),
            layers.RandomFlip(),
            layers.RandomTranslation(0.2, 0.2),
            layers.RandomContrast(0.3),
        ]
    )
    np.testing.assert_allclose(model.predict(IMAGES, verbose=0), IMAGES, rtol=1e-6)
    assert (np.asarray(model(IMAGES, training=True)) != IMAGES).any()


def test_layers_of_strings() -> None:
    words = layers.StringLookup(vocabulary=["a", "b"])
    assert words(["b", "z"]).numpy().tolist() == [2, 0]
    assert layers.IntegerLookup(vocabulary=[3, 7])([7, 9]).numpy().tolist() == [2, 0]
    assert layers.Hashing(4)(np.array([["a"], ["b"]])).numpy().tolist() == [[3], [2]]
    text = layers.TextVectorization(output_sequence_length=3)
    text.adapt(["One two", "two three"])
    assert text.get_vocabulary()[:3] == ["", "[UNK]", "two"]
    lines = tf.data.Dataset.from_tensor_slices(["two two", "four"]).batch(2)
    assert lines.map(text).get_single_element().numpy().tolist() == [[2, 2, 0], [1, 0, 0]]
    for mode, expected in ("multi_hot", [[0, 1, 1], [1, 0, 1]]), ("count", [[0, 1, 1], [1, 0, 2]]):
        text = layers.TextVectorization(vocabulary=["foo", "bar"], output_mode=mode)
        assert text(["foo bar", "bar bar baz"]).numpy().tolist() == expected


def test_what_standardizes_text_is_given_tensors() -> None:
    """As on TensorFlow, where books write it with `tf.strings`: in datasets, too."""

    def standardized(text: tf.Tensor) -> tf.Tensor:
        return tf.strings.regex_replace(tf.strings.lower(text), "<br />", " ")

    text = layers.TextVectorization(standardize=standardized, output_sequence_length=3)
    dataset = tf.data.Dataset.from_tensor_slices(["One<br />two", "TWO"]).batch(2)
    text.adapt(dataset)
    assert text.get_vocabulary() == ["", "[UNK]", "two", "one"]
    (batch,) = dataset.map(text)
    assert batch.numpy().tolist() == [[3, 2, 0], [2, 0, 0]]
    inputs = keras.Input((), dtype="string")
    found = keras.Model(inputs, text(inputs)).predict(tf.constant(["three TWO"]), verbose=0)
    assert found.tolist() == [[1, 2, 0]]


def test_one_device() -> None:
    distribution = keras.distribution
    assert distribution.list_devices("cpu") == ["cpu:0"]
    distribution.initialize()
    one = distribution.DataParallel(devices=["cpu:0"])
    layout = distribution.TensorLayout(["batch"], one.device_mesh)
    np.testing.assert_array_equal(distribution.distribute_tensor(tf.ones([2]), layout), [1, 1])
    with pytest.raises(ValueError, match="process 0 of the 1 that mpiexec has started"):
        distribution.initialize("a:1,b:1", 2, 0)
    mesh = distribution.DeviceMesh((2,), ["batch"], ["cpu:0", "cpu:1"])
    with pytest.raises(NotImplementedError, match="the mesh has 2"):
        distribution.distribute_tensor(tf.ones([2]), distribution.TensorLayout(["batch"], mesh))


def test_an_application() -> None:
    made = keras.applications.MobileNetV3Small
    model = made(weights=None, input_shape=(32, 32, 3), classes=5, minimalistic=True)
    assert model.output_shape == (None, 5)
    assert len(type(model).from_config(model.get_config()).layers) == len(model.layers)


def test_elastic_transformation_in_a_dataset() -> None:
    """How far pixels move is drawn inside of the function, and how wide the blur is, too."""
    layer = layers.RandomElasticTransform(1.0, scale=1.0, seed=3)
    batch = next(iter(tf.data.Dataset.from_tensors(IMAGES).map(layer)))
    assert batch.shape == IMAGES.shape
    assert float(abs(batch - IMAGES).numpy().max()) > 1
    assert float(batch.numpy().max()) <= IMAGES.max() + 1e-3


def test_images_of_several_sizes_are_predicted() -> None:
    """Ragged, where they stay as they are."""
    model = keras.Sequential([keras.Input((None, None, 3)), layers.Rescaling(2.0)])
    sizes = [(4, 2), (3, 5)]
    found = model.predict(((IMAGES[:, :h, :w],) for h, w in sizes), verbose=0)
    assert isinstance(found, tf.RaggedTensor) and found.shape.as_list() == [4, None, None, 3]
    for rows, (h, w) in zip((found[:2], found[2:]), sizes, strict=True):
        np.testing.assert_array_equal(rows.to_tensor(), 2 * IMAGES[:, :h, :w])


def test_weights_of_four_bits_take_notes() -> None:
    """LoRA marks them as not trained, where they are asked for."""
    layer = layers.Embedding(8, 4)
    layer.build()
    layer.quantize("int4")
    table = layer.embeddings
    table.trainable = False
    assert table.trainable is False and table.shape == (8, 4)
    np.testing.assert_array_equal(keras.ops.take(table, [1], 0), np.asarray(table)[1:2])
    layer.enable_lora(2)
    assert len(layer.trainable_weights) == 2


def test_sparse_and_ragged_results() -> None:
    """What layers of text give, where that is asked for; NumPy's arrays of text are taken."""
    words = np.array([["one", "two"], ["two", "two"]])
    counted = layers.StringLookup(vocabulary=["one", "two"], output_mode="count", sparse=True)
    found = counted(words)
    assert isinstance(found, tf.SparseTensor)
    np.testing.assert_array_equal(tf.sparse.to_dense(found), [[0, 1, 1], [0, 0, 2]])
    vectors = layers.TextVectorization(vocabulary=["one", "two"], ragged=True)
    rows = vectors(np.array(["one", "two zero one"]))
    assert isinstance(rows, tf.RaggedTensor) and rows.to_list() == [[2], [3, 1, 2]]
    model = keras.Sequential(
        [keras.Input((2,), dtype="string"), layers.StringLookup(vocabulary=["one", "two"])]
    )
    np.testing.assert_array_equal(model(words), [[1, 2], [2, 2]])
    hot = keras.ops.one_hot([0, 2], 3, sparse=True)
    np.testing.assert_array_equal(tf.sparse.to_dense(hot), [[1, 0, 0], [0, 0, 1]])


def test_a_traced_layer_draws_what_it_draws_eagerly() -> None:
    """From one generator, whose state it counts on; other backends have one for graphs alone."""
    keras.utils.set_random_seed(7)
    eager, traced = (layers.RandomRotation(0.1, seed=3) for _ in range(2))
    step = tf.function(lambda x: traced(x, training=True))
    for _ in range(2):
        np.testing.assert_array_equal(step(IMAGES), eager(IMAGES, training=True))
    np.testing.assert_array_equal(traced.generator.state, eager.generator.state)
