"""Datasets as Keras takes and makes them: the same bits as from arrays."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.keras._backend.class_weights import weighing

from .test_feeding import X, Y, compiled, plain, trained

pytestmark = pytest.mark.filterwarnings("ignore:.*shuffle=True:UserWarning")
Dataset = tf.data.Dataset


def batches(*data: Any, size: int = 16) -> Any:
    return Dataset.from_tensor_slices(data).batch(size)


@pytest.mark.parametrize("way", ["plain", "prefetched", "stream", "stepped", "infinite"])
def test_the_same_bits_as_from_arrays(way: str) -> None:
    data, options = batches(X, Y), {}
    if way == "prefetched":
        data = data.prefetch(tf.data.AUTOTUNE)
    elif way == "stream":
        data = data.filter(lambda x, y: True)
        assert data.cardinality() == tf.data.UNKNOWN_CARDINALITY
    elif way == "stepped":
        options = {"compile_with": {"steps_per_execution": 3}}
    elif way == "infinite":
        data, options = data.repeat(), {"steps_per_epoch": 5}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Your input ran out of data")
        assert trained(data, batch_size=None, **options) == plain()


def test_weights_validation_and_predictions() -> None:
    """Weights of classes, validation, and what is made of data without targets."""
    by_class = {0: 1.0, 1: 3.0}
    options = {"batch_size": None, "class_weight": by_class, "validation_data": batches(X, Y)}
    weights = np.where(Y, np.float32(3), np.float32(1))
    expected = trained(X, Y, sample_weight=weights, shuffle=False)
    assert trained(batches(X, Y), **options) == expected
    model = compiled()
    (x, y, weight) = next(iter(batches(X, tf.one_hot(Y, 2)).map(weighing(by_class))))
    assert x.shape == [16, 6] and y.shape == [16, 2]
    np.testing.assert_array_equal(weight, weights[:16])
    column = batches(X, Y[:, None]).map(weighing(by_class))
    np.testing.assert_array_equal(next(iter(column))[2], weights[:16])
    with pytest.raises(ValueError, match="at the same time"):
        column.map(weighing(by_class))
    predicted = model.predict(batches(X), verbose=0)
    assert predicted.tobytes() == model.predict(X, batch_size=16, verbose=0).tobytes()
    assert len(model.predict(batches(X).repeat(), steps=2, verbose=0)) == 32


def test_the_last_smaller_batch_is_compiled_ahead() -> None:
    model, seen = compiled(), []
    ahead = model.make_train_function()
    compile_ahead = ahead.compile_ahead
    ahead.compile_ahead = lambda specs: (seen.append(specs.specs), compile_ahead(specs))  # type: ignore[assignment,func-returns-value]
    model.fit(batches(X, Y).prefetch(1), verbose=0)
    assert seen == [(tf.TensorSpec([None, 6]), tf.TensorSpec([None], tf.int32))]
    model.fit(batches(X[:64], Y[:64]), verbose=0)
    assert len(seen) == 1


def test_layers_prepare_datasets() -> None:
    layer = tf.keras.layers.Normalization()
    layer.adapt(batches(X))
    expected = np.asarray(layer(X[:16]))
    mapped = batches(X).map(layer)
    assert "one program for many" in mapped.explain()
    np.testing.assert_allclose(next(iter(mapped)), expected, rtol=1e-6)
    single = Dataset.from_tensor_slices(X).map(tf.keras.layers.Rescaling(2.0)).batch(70)
    np.testing.assert_array_equal(single.get_single_element(), X * 2)
    draws = Dataset.from_tensors(np.ones((4, 8, 8, 3), np.float32)).repeat(2)
    turned = draws.map(tf.keras.layers.RandomFlip(seed=1)).map(tf.keras.layers.RandomCrop(5, 5))
    assert [x.shape.as_list() for x in turned] == [[4, 5, 5, 3]] * 2


def test_files_in_folders(tmp_path: Path) -> None:
    images = np.random.default_rng(1).integers(0, 255, (7, 9, 8, 3)).astype("uint8")
    for i, image in enumerate(images):
        folder = tmp_path / "images" / "ab"[i % 2]
        folder.mkdir(parents=True, exist_ok=True)
        tf.io.write_file(folder / f"{i}.png", tf.io.encode_png(image))
        folder = tmp_path / "text" / "ab"[i % 2]
        folder.mkdir(parents=True, exist_ok=True)
        tf.io.write_file(folder / f"{i}.txt", f"text {i}")
    options = {"batch_size": 4, "shuffle": False, "verbose": False}
    utils = tf.keras.utils
    found = utils.image_dataset_from_directory(tmp_path / "images", image_size=(9, 8), **options)
    assert found.class_names == ["a", "b"]
    x, y = (np.concatenate(part) for part in zip(*found.as_numpy_iterator(), strict=True))
    order = [0, 2, 4, 6, 1, 3, 5]
    np.testing.assert_array_equal(x, images[order])
    assert y.tolist() == [0] * 4 + [1] * 3
    half = utils.image_dataset_from_directory(
        tmp_path / "images", image_size=(4, 4), crop_to_aspect_ratio=True, **options
    )
    assert half.element_spec[0].shape == [None, 4, 4, 3]
    assert next(iter(half))[0].shape == [4, 4, 4, 3]
    text = utils.text_dataset_from_directory(tmp_path / "text", **options)
    texts = [t for x, _ in text.as_numpy_iterator() for t in x]
    assert texts == [b"text %d" % i for i in order]


def test_series_and_parts() -> None:
    utils = tf.keras.utils
    series = utils.timeseries_dataset_from_array(
        np.arange(10), np.arange(10) * 10, sequence_length=3, batch_size=5
    )
    rows = [(x.tolist(), y.tolist()) for x, y in series.as_numpy_iterator()]
    assert rows[0] == ([[i, i + 1, i + 2] for i in range(5)], [0, 10, 20, 30, 40])
    assert sum(len(y) for _, y in rows) == 8
    left, right = utils.split_dataset(Dataset.range(10), left_size=0.7)
    assert [int(x) for x in left] == list(range(7)) and [int(x) for x in right] == [7, 8, 9]
    left, right = utils.split_dataset(X, left_size=20)
    assert (len(left), len(right)) == (20, 50)


def test_sounds_in_folders(tmp_path: Path) -> None:
    for i in range(5):
        folder = tmp_path / "ab"[i % 2]
        folder.mkdir(exist_ok=True)
        sound = np.full((4 + i, 1), i / 8, np.float32)
        tf.io.write_file(folder / f"{i}.wav", tf.audio.encode_wav(sound, 8000))
    options = {"batch_size": 5, "shuffle": False, "verbose": False}
    make = tf.keras.utils.audio_dataset_from_directory
    ((sounds, labels),) = make(tmp_path, output_sequence_length=6, **options).as_numpy_iterator()
    assert sounds.shape == (5, 6, 1) and labels.tolist() == [0, 0, 0, 1, 1]
    expected = [[i / 8] * min(4 + i, 6) + [0] * max(2 - i, 0) for i in (0, 2, 4, 1, 3)]
    assert sounds[..., 0].tolist() == expected
    ((ragged, _),) = make(tmp_path, ragged=True, **options)
    assert ragged.row_lengths().numpy().tolist() == [4, 6, 8, 5, 7]
