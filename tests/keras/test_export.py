"""`model.export`: what it writes loads and runs where there is no Keras."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import keras
from tfc.keras import layers

ROOT = Path(__file__).resolve().parents[2]
ROWS = np.linspace(-1.0, 1.0, 15, dtype=np.float32).reshape(5, 3)
WITHOUT_KERAS = """
import sys
import numpy as np
sys.modules["keras"] = None  # importing it is an error
import tfc as tf
loaded = tf.saved_model.load(sys.argv[1])
np.save(sys.argv[2], loaded.serve(np.load(sys.argv[3])).numpy())
"""


def test_a_layer_of_what_was_exported(tmp_path: Path) -> None:
    """With its Variables, trained and not."""
    model = sequential()
    wanted = model(ROWS)
    model.export(str(tmp_path), verbose=False)
    layer = layers.TFSMLayer(str(tmp_path), call_endpoint="serve")
    np.testing.assert_allclose(layer(ROWS), wanted, atol=1e-7)
    assert len(layer.trainable_weights) == len(model.trainable_weights) == 6
    assert len(layer.non_trainable_weights) == len(model.non_trainable_weights)


def test_saved_by_tensorflows_function(tmp_path: Path) -> None:
    """`tf.saved_model.save(model, folder)`: what is loaded is called as the model is."""
    model = sequential()
    tf.saved_model.save(model, tmp_path)
    loaded, wanted = tf.saved_model.load(tmp_path), model(ROWS)
    np.testing.assert_array_equal(loaded(tf.constant(ROWS)), wanted)
    (found,) = loaded.signatures["serving_default"](tf.constant(ROWS)).values()
    np.testing.assert_array_equal(found, wanted)
    with pytest.raises(TypeError, match=r"must be a `keras\.Model`"):
        tf.saved_model.save(layers.Dense(2), tmp_path)


class Serving(tf.Module):
    """What is served of a model: the function comes before what it uses, by name."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.kept = {"of": [model], 1: tf.Variable(3.0)}

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="rows")])
    def __call__(self, x: Any) -> Any:
        (model,) = self.kept["of"]
        return {"scores": self.kept[1] * model(x)}


def test_a_module_around_a_model(tmp_path: Path) -> None:
    """With the Variables of the layers in it."""
    model = sequential()
    wanted = model(ROWS)
    module = Serving(model)
    module.a_function = tf.function(model)
    module.a_function(tf.constant(ROWS))
    tf.saved_model.save(module, tmp_path, signatures=module.__call__)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_allclose(loaded(tf.constant(ROWS))["scores"], 3.0 * wanted, atol=1e-6)
    np.testing.assert_array_equal(loaded.a_function(tf.constant(ROWS)), wanted)
    served = loaded.signatures["serving_default"](rows=tf.constant(ROWS))["scores"]
    np.testing.assert_allclose(served, 3.0 * wanted, atol=1e-6)
    assert len(loaded.kept["of"][0].trainable_variables) == len(model.trainable_variables)


def test_a_checkpoint_of_a_layer(tmp_path: Path) -> None:
    """Checkpoints are saved as Modules are."""
    layer = layers.Dense(2)
    layer.build([None, 3])
    module = tf.Module()
    module.f = tf.function(layer, input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    tf.saved_model.save(tf.train.Checkpoint(layer=layer, module=module), tmp_path)
    found = tf.saved_model.load(tmp_path).module.f(tf.constant(ROWS))
    np.testing.assert_array_equal(found, layer(ROWS))


def test_with_a_lookup_table(tmp_path: Path) -> None:
    """What prepares words for a model is written with it."""
    entries = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1.0, 2.0]))
    table = tf.lookup.StaticHashTable(entries, -1.0)
    model = keras.Sequential([keras.Input((3,)), layers.Dense(1)])
    archive = keras.export.ExportArchive()
    archive.track(model)
    archive.track(table)
    words = tf.constant([["a", "b", "c"]])
    whole = tf.function(lambda x: model(table.lookup(x)))
    wanted = whole(words)
    archive.add_endpoint("whole", whole)
    archive.write_out(tmp_path, verbose=False)
    np.testing.assert_array_equal(tf.saved_model.load(tmp_path).whole(words), wanted)


def sequential() -> keras.Model:
    return keras.Sequential(
        [
            keras.Input([3]),
            layers.Dense(4, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.5),
            layers.Dense(2),
        ]
    )


def functional() -> keras.Model:
    x = keras.Input([3])
    return keras.Model(x, layers.Add()([layers.Dense(2)(x), layers.Dense(2)(x)]))


class Subclass(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = layers.Dense(2)

    def call(self, x: Any, training: bool | None = None) -> Any:
        return -self.dense(x) if training else self.dense(x)


def subclass() -> keras.Model:
    model = Subclass()
    model(ROWS)
    return model


@pytest.mark.parametrize("make", [sequential, functional, subclass])
def test_runs_as_the_model(make: Callable[[], keras.Model], tmp_path: Path) -> None:
    model = make()
    model.export(tmp_path / "model", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "model")
    for rows in (ROWS, ROWS[:1]):  # of any size
        expected = model(rows, training=False).numpy()
        np.testing.assert_array_equal(loaded.serve(rows), expected)
        (name,) = loaded.signatures["serving_default"].signature.parameters
        by_name = loaded.signatures["serving_default"](**{name: rows})
        np.testing.assert_array_equal(by_name["output_0"], expected)
    for ours, theirs in (
        (loaded.trainable_variables, model.trainable_variables),
        (loaded.non_trainable_variables, model.non_trainable_variables),
    ):
        assert sorted(v.shape.as_list() for v in ours) == sorted(list(v.shape) for v in theirs)


def test_loads_without_keras(tmp_path: Path) -> None:
    model = sequential()
    model.compile("sgd", "mse")
    model.fit(ROWS, ROWS[:, :2], verbose=0)
    model.export(tmp_path / "model", verbose=False)
    np.save(tmp_path / "rows.npy", ROWS)
    files = [str(tmp_path / name) for name in ("model", "results.npy", "rows.npy")]
    subprocess.run([sys.executable, "-c", WITHOUT_KERAS, *files], cwd=ROOT, check=True, timeout=300)
    np.testing.assert_array_equal(
        np.load(tmp_path / "results.npy"), model(ROWS, training=False).numpy()
    )


def test_structures(tmp_path: Path) -> None:
    given = {"a": ROWS, "b": ROWS[:, :2]}
    a, b = keras.Input([3], name="a"), keras.Input([2], name="b")
    joined = layers.Dense(2)(layers.Concatenate()([a, b]))
    keras.Model({"a": a, "b": b}, {"sum": joined, "twice": joined * 2}).export(
        tmp_path / "dict", verbose=False
    )
    by_name = tf.saved_model.load(tmp_path / "dict").serve(given)
    np.testing.assert_array_equal(by_name["twice"], 2 * by_name["sum"])
    model = keras.Model([a, b], [joined, joined * 2])
    model.export(tmp_path / "list", verbose=False)
    once, twice = tf.saved_model.load(tmp_path / "list").serve([ROWS, ROWS[:, :2]])
    np.testing.assert_array_equal(once, by_name["sum"])
    np.testing.assert_array_equal(twice, by_name["twice"])


def test_endpoints(tmp_path: Path) -> None:
    """Functions of one's own, with the Variables that they use: those of layers that nothing
    tracks, and Variables that are updated."""
    model, calls = sequential(), tf.Variable(0)
    untracked = layers.Dense(1)
    untracked.build([None, 2])

    @tf.function
    def doubled(x: Any) -> Any:
        calls.assign_add(1)
        return 2 * untracked(model(x, training=True))

    archive = keras.export.ExportArchive()
    served = archive.track_and_add_endpoint("serve", model, [keras.InputSpec("float32", [None, 3])])
    doubled(ROWS)
    archive.add_endpoint("doubled", doubled)
    archive.add_endpoint("thrice", lambda x: 3 * served(x), [tf.TensorSpec([None, 3])])
    archive.add_variable_collection("kernels", [untracked.kernel])
    archive.write_out(tmp_path / "model", verbose=False)
    assert len(archive.variables) == len(model.variables)

    loaded = tf.saved_model.load(tmp_path / "model")
    assert sorted(loaded.signatures) == ["doubled", "serve", "serving_default", "thrice"]
    np.testing.assert_array_equal(loaded.thrice(ROWS), 3 * loaded.serve(ROWS))
    np.testing.assert_array_equal(loaded.kernels[0], untracked.kernel)
    np.testing.assert_array_equal(loaded.doubled(ROWS), doubled(ROWS))  # the same masks, too
    assert [int(v) for v in loaded.variables if v.dtype == tf.int32] == [2] and int(calls) == 2
    np.testing.assert_array_equal(  # batch normalization has moved, here and there
        loaded.serve(ROWS), model(ROWS, training=False).numpy()
    )


def test_says_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    functional().export(tmp_path / "model")
    said = capsys.readouterr().out
    assert "Endpoint 'serve'" in said and "float32 Tensor, shape=(None, 3)" in said


def test_errors(tmp_path: Path) -> None:
    model, specs = functional(), [tf.TensorSpec([None, 3])]
    archive = keras.export.ExportArchive()
    with pytest.raises(ValueError, match="No endpoints have been set"):
        archive.write_out(tmp_path / "model")
    with pytest.raises(ValueError, match="not yet been built"):
        archive.track(layers.Dense(2))
    with pytest.raises(ValueError, match="Invalid resource type"):
        archive.track("model")
    with pytest.raises(ValueError, match="must provide an `input_signature`"):
        archive.add_endpoint("serve", model.call)
    with pytest.raises(ValueError, match="has never been called"):
        archive.add_endpoint("serve", tf.function(model.call))
    with pytest.raises(ValueError, match="only supported with the jax backend"):
        archive.add_endpoint("serve", model.call, specs, is_static=True)
    archive.add_endpoint("serve", model.call, specs)
    with pytest.raises(ValueError, match="already taken"):
        archive.add_endpoint("serve", model.call, specs)
    with pytest.raises(ValueError, match="list/tuple/set"):
        archive.add_variable_collection("kernels", model.variables[0])
    with pytest.raises(ValueError, match=r"`tf\.Variable` instances"):
        archive.add_variable_collection("kernels", [1.0])


class Scaled(keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = layers.Dense(2, kernel_initializer="ones")

    def call(self, x: Any) -> Any:
        return self.dense(x)

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def serve_twice(self, x: Any) -> Any:
        return self.dense(x) * 2.0


@pytest.mark.parametrize("built", [False, True])
def test_own_functions_are_saved(tmp_path: Path, built: bool) -> None:
    model = Scaled()
    if built:
        model(tf.ones([1, 3]))
    tf.saved_model.save(model, tmp_path)
    again = tf.saved_model.load(tmp_path)
    assert again.serve_twice(tf.ones([1, 3])).numpy().tolist() == [[6, 6]]
    if built:
        assert again(tf.ones([1, 3])).numpy().tolist() == [[3, 3]]
