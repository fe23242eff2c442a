"""What is saved comes back: whole models, weights, configurations, classes of one's own; and
exported models run without Keras, with the layers that prepare their input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import layers

import tfc as tf
from tests.keras import interchange

ROOT = Path(__file__).resolve().parents[2]
IMAGES = np.random.default_rng(0).random((3, 10, 8, 3)).astype(np.float32)
WITHOUT_KERAS = """
import sys
import numpy as np
sys.modules["keras"] = None  # importing it is an error
import tfc as tf
given = np.load(sys.argv[2])
results = tf.saved_model.load(sys.argv[1]).serve([given["images"], given["kinds"]])
np.save(sys.argv[3], results.numpy())
"""


class Doubled(layers.Layer):  # type: ignore[misc]
    """Of one's own, and not registered."""

    def __init__(self, times: int = 2, **options: Any) -> None:
        super().__init__(**options)
        self.times = times

    def build(self, shape: Any) -> None:
        self.scale = self.add_weight(shape=shape[-1:], initializer="ones", name="scale")

    def call(self, x: Any) -> Any:
        return self.times * x * self.scale

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "times": self.times}


def equal(model: keras.Model, other: keras.Model) -> bool:
    pairs = zip(model.get_weights(), other.get_weights(), strict=True)
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


def test_classes_of_ones_own(tmp_path: Path) -> None:
    model = keras.Sequential([keras.Input((3,)), Doubled(5), layers.Dense(2, name="last")])
    model.compile("adam", "mse")
    model.save(tmp_path / "model.keras")
    with pytest.raises(TypeError, match="Could not locate class 'Doubled'"):
        keras.models.load_model(tmp_path / "model.keras")
    names = {"Doubled": Doubled}
    again = keras.models.load_model(tmp_path / "model.keras", custom_objects=names)
    assert equal(model, again) and again.layers[0].times == 5
    with keras.utils.custom_object_scope(names):
        copy = keras.models.clone_model(model)
        same = keras.models.model_from_json(model.to_json())
    assert json.loads(model.to_json())["config"]["layers"][1]["config"]["times"] == 5
    copy.set_weights(model.get_weights())
    same.set_weights(model.get_weights())
    x = np.ones((1, 3), np.float32)
    wanted = model(x).numpy().tobytes()
    assert (
        wanted
        == copy(x).numpy().tobytes()
        == same(x).numpy().tobytes()
        == again(x).numpy().tobytes()
    )
    with pytest.raises(ValueError, match="weight"):
        copy.set_weights(model.get_weights()[:-1])


def test_weights_go_to_models_of_the_same_form(tmp_path: Path) -> None:
    model, data = interchange.images()
    model.save_weights(tmp_path / "model.weights.h5")
    keras.utils.set_random_seed(9)
    other, _ = interchange.images()
    assert not equal(model, other)
    other.load_weights(tmp_path / "model.weights.h5")
    assert equal(model, other)
    np.testing.assert_array_equal(model(data), other(data))
    with pytest.raises(ValueError, match="The shape of the target variable"):
        keras.Sequential([keras.Input((3,)), layers.Dense(2)]).load_weights(
            tmp_path / "model.weights.h5"
        )


@pytest.mark.filterwarnings("ignore:Skipping variable loading for optimizer")
def test_training_goes_on_where_it_was(tmp_path: Path) -> None:
    """The optimizer's state, schedules and statistics come along."""
    assert interchange.write(interchange.images, tmp_path) == []
    assert interchange.differences(interchange.images, tmp_path, 0.0) == []


def test_exported_with_what_prepares_the_input(tmp_path: Path) -> None:
    images, kinds = keras.Input((10, 8, 3)), keras.Input((2,), dtype="int32")
    scaled = layers.Rescaling(1 / 0.5, offset=-1.0)(layers.CenterCrop(8, 8)(images))
    spread = layers.Normalization(mean=[0.1, 0.2, 0.3], variance=[1.0, 2.0, 0.5])(scaled)
    seen = layers.GlobalAveragePooling2D()(layers.Conv2D(4, 3)(layers.Resizing(6, 6)(spread)))
    steps = layers.Discretization([-0.5, 0.0, 0.5], output_mode="one_hot")(seen)
    known = layers.CategoryEncoding(5, output_mode="multi_hot")(kinds)
    outputs = layers.Dense(2)(layers.Concatenate()([seen, layers.Flatten()(steps), known]))
    model = keras.Model([images, kinds], outputs)
    numbers = np.array([[0, 1], [4, 2], [3, 3]], np.int32)
    model.export(tmp_path / "model", verbose=False)
    np.savez(tmp_path / "given.npz", images=IMAGES, kinds=numbers)
    files = [str(tmp_path / name) for name in ("model", "given.npz", "results.npy")]
    subprocess.run([sys.executable, "-c", WITHOUT_KERAS, *files], cwd=ROOT, check=True, timeout=300)
    wanted = model.predict([IMAGES, numbers], verbose=0)
    np.testing.assert_allclose(np.load(tmp_path / "results.npy"), wanted, atol=1e-6)


def test_statistics_are_adapted() -> None:
    layer = layers.Normalization()
    layer.adapt(IMAGES)
    mean, variance = IMAGES.mean((0, 1, 2)), IMAGES.var((0, 1, 2))
    np.testing.assert_allclose(layer(IMAGES), (IMAGES - mean) / np.sqrt(variance), atol=1e-5)
    compiled = tf.function(layer)
    np.testing.assert_array_equal(compiled(IMAGES), layer(IMAGES))
