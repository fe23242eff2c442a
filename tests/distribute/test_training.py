"""Keras' fit, evaluate and predict by several replicas, in one process and in several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.distribute.launch import job, needs_mpi
from tests.distribute.own_steps import trained as steps_of_their_own
from tests.distribute.training import trained
from tests.sampling import ALL
from tfc import distribute, keras
from tfc.core.context import calling_location

TWO = distribute.MirroredStrategy(["CPU:0"] * 2)


@needs_mpi
def test_training_that_is_stopped_and_goes_on(tmp_path: Path) -> None:
    """Two ranks, as if on two machines, save, and one raises; one rank goes on from there, with the
    bits of training that was not disturbed."""
    undisturbed = trained(str(tmp_path / "whole"))
    stopped = job(4 if ALL else 2, "training", str(tmp_path / "parts"), "1", machines=2)
    assert stopped.returncode != 0
    assert "training is stopped\n" in stopped.stderr, stopped.stderr
    assert "has ended" not in stopped.stderr, stopped.stderr
    assert (tmp_path / "parts" / "checkpoint").exists(), stopped.stderr
    if ALL:
        done = job(2, "training", str(tmp_path / "parts"))
        assert done.stdout.count(undisturbed) == 2, done.stdout + done.stderr
        assert trained(str(tmp_path / "eager"), eagerly=True) == undisturbed
    else:
        assert trained(str(tmp_path / "parts")) == undisturbed


def model_of(*layers: Any, **options: Any) -> Any:
    with TWO.scope():
        model = keras.Sequential([keras.Input((4,)), *layers])
        model.compile("sgd", "mse", metrics=["mae"], **options)
    return model


def test_two_parts_are_one_batch() -> None:
    """The gradient is that of the whole batch, also of rows that do not divide, and of datasets."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 7, 4)).astype(np.float32)
    single = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4)])
    single.compile("sgd", "mse", metrics=["mae"])
    double = model_of(keras.layers.Dense(4))
    start = single.get_weights()
    double.set_weights(start)
    options: Any = {"epochs": 2, "verbose": 0}
    one = single.fit(x, y, batch_size=3, shuffle=False, **options)
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(3)
    two = double.fit(batches, **options)
    for name, values in one.history.items():
        np.testing.assert_allclose(two.history[name], values, rtol=1e-5)
    for known, other in zip(single.get_weights(), double.get_weights(), strict=True):
        np.testing.assert_allclose(other, known, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(double.evaluate(x, y, verbose=0), single.evaluate(x, y, verbose=0))
    single.set_weights(double.get_weights())
    np.testing.assert_array_equal(double.predict(x, verbose=0), single.predict(x, verbose=0))
    divided = TWO.experimental_distribute_dataset(batches)
    assert double.evaluate(divided, verbose=0) == double.evaluate(batches, verbose=0)
    own = TWO.distribute_datasets_from_function(lambda context: batches)
    with pytest.raises(ValueError, match="is for loops of one's own"):
        double.evaluate(own, verbose=0)
    assert np.isfinite(double.train_on_batch(x, y)).all()


@needs_mpi
def test_steps_of_the_users_own() -> None:
    """A train_step with two optimizers, metrics and random numbers has the same bits on two ranks,
    on one, and in one process without MPI's strategy."""
    shown, learnt = steps_of_their_own(distribute.MirroredStrategy(["CPU:0"] * 4), eagerly=ALL)
    assert 0 < shown["accuracy"][1] < 1
    assert {"distance", "error", "evaluated"} <= set(shown)
    told = job(4 if ALL else 2, "own_steps")
    assert told.stdout.count(learnt) == (4 if ALL else 2), told.stdout + told.stderr


def test_steps_of_their_own_are_those_of_one_batch() -> None:
    """Means of compute_loss are weighted by rows, also where the last batch does not divide; and
    sums are sums, whoever wrote the step."""

    class Own(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                loss = self.compute_loss(x, y, y_pred)
            weights = self.trainable_variables
            self.optimizer.apply(tape.gradient(loss, weights), weights)
            return self.compute_metrics(x, y, y_pred)

    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 5, 4)).astype(np.float32)
    for kind, reduction in ((Own, "sum_over_batch_size"), (keras.Sequential, "sum")):
        learnt = []
        for strategy in (distribute.get_strategy(), TWO):
            with strategy.scope():
                regularizer = keras.regularizers.L2(0.1)
                dense = keras.layers.Dense(4, kernel_regularizer=regularizer)
                model = kind([keras.Input((4,)), dense])
                loss = keras.losses.MeanSquaredError(reduction=reduction)
                model.compile(keras.optimizers.SGD(0.1), loss, metrics=["mae"])
                dense.kernel.assign(np.eye(4))
            found = model.fit(x, y, 3, 2, verbose=0, shuffle=False).history["mae"]
            learnt.append([np.array(found), *model.get_weights()])
        for known, other in zip(*learnt, strict=True):
            np.testing.assert_allclose(other, known, rtol=2e-5, atol=1e-6)


def test_layers_that_ask_for_their_replica() -> None:
    """Synchronized batch normalization is that of the whole batch, whatever it is divided into;
    also of a last batch that has fewer rows than there are replicas."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 9, 4)).astype(np.float32)
    four = distribute.MirroredStrategy(["CPU:0"] * 4)
    learnt = []
    for strategy in (distribute.get_strategy(), four):
        with strategy.scope():
            layers = [keras.layers.BatchNormalization(synchronized=True), keras.layers.Dense(4)]
            model = keras.Sequential([keras.Input((4,)), *layers])
            model.compile(keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
            layers[1].kernel.assign(np.eye(4))
        history = model.fit(x, y, 7, 2, verbose=0, shuffle=False).history
        learnt.append([np.array(history["loss"]), np.array(history["mae"]), *model.get_weights()])
    for known, other in zip(*learnt, strict=True):
        np.testing.assert_allclose(other, known, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("compiled", [False, True])
def test_loops_of_the_users_own(compiled: bool) -> None:
    """As in TensorFlow: optimizers apply the sum of the replicas' gradients, once; metrics add up
    what all have seen."""
    with TWO.scope():
        layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")
        layer.build((None, 2))
        optimizer = keras.optimizers.SGD(0.5)
        optimizer.build(layer.trainable_variables)
        mean = keras.metrics.Mean()
        precision = keras.metrics.Precision()

    def replica(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(layer(x)[:, 0], global_batch_size=4)
        weights = layer.trainable_weights
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        mean.update_state(x)
        precision.update_state([1.0, 0.0], x[:, 0] > 2)
        return loss

    def step(x: Any) -> Any:
        return TWO.reduce("sum", TWO.run(replica, (x,)), axis=None)

    rows = np.arange(8, dtype=np.float32).reshape(4, 2)
    batches = TWO.experimental_distribute_dataset(tf.data.Dataset.from_tensors(rows))
    function = tf.function(step) if compiled else step
    (loss,) = [function(batch) for batch in batches]
    assert float(loss) == rows.sum() / 4
    np.testing.assert_array_equal(layer.kernel.numpy()[:, 0], 1 - 0.5 * rows.mean(0))
    assert int(optimizer.iterations.numpy()) == 1
    assert float(mean.result()) == rows.mean()
    assert float(precision.result()) == 0.5  # of rows 2 and 3, the first of their replica's


def test_backups_are_of_one_piece(tmp_path: Path) -> None:
    """A job that died in its third epoch goes on in it, with the numbers of one that did not, those
    of dropout too; also if it died between the two files of its backup."""
    folder = tmp_path / "backup"

    def trained_in(folder: Path, epochs: int) -> tuple[list[int], list[Any]]:
        keras.utils.set_random_seed(3)
        with TWO.scope():
            layers = [keras.layers.Dense(4, "relu"), keras.layers.Dropout(0.5)]
            model = model_of(*layers)
        kept = keras.callbacks.BackupAndRestore(folder, delete_checkpoint=False)
        x, y = np.random.default_rng(0).normal(size=(2, 12, 4)).astype(np.float32)
        history = model.fit(x, y, 4, epochs, verbose=0, callbacks=[kept])
        return history.epoch, [v.numpy() for v in model.variables]

    _, whole = trained_in(tmp_path / "whole", 4)
    trained_in(folder, 2)
    known = (folder / "training_metadata.json").read_bytes()
    trained_in(folder, 3)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["latest.weights.h5", "training_metadata.json"]
    last = folder / "training_metadata.json"
    last.rename(folder / "unfinished.training_metadata.json")  # as if it had died here
    last.write_bytes(known)
    epochs, found = trained_in(folder, 4)
    assert epochs == [3]
    for one, other in zip(found, whole, strict=True):
        np.testing.assert_array_equal(one, other)


def test_lines_of_collectives_are_the_users() -> None:
    """What Keras calls for a line of the user's is told by that line; else by Keras' own."""
    inside = str(Path(keras.__file__).parent / "src" / "metrics" / "some.py")
    call = eval(compile("lambda function: function()", inside, "eval"))
    found = call(calling_location)
    assert (found.file, found.line) == (__file__, call_line())
    assert eval(compile("(lambda: find())()", inside, "eval"), {"find": calling_location})


def call_line() -> int:
    source = Path(__file__).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(source) if "call(calling_location)" in line)


def test_keras_distribution() -> None:
    distribution = keras.distribution.DataParallel(devices=keras.distribution.list_devices("cpu"))
    keras.distribution.initialize()
    keras.distribution.initialize(None, 1, 0)
    with pytest.raises(ValueError, match="this is process 0 of the 1 that mpiexec has started"):
        keras.distribution.initialize(None, 2, 1)
    with distribution.scope():
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(np.zeros((4, 4)), np.zeros((4, 1)), verbose=0)
    layouts = keras.distribution.LayoutMap(
        keras.distribution.DeviceMesh((1, 2), ["batch", "model"], ["cpu:0", "cpu:1"])
    )
    layouts["dense.*kernel"] = (None, "model")
    divided = keras.distribution.ModelParallel(layout_map=layouts, batch_dim_name="batch")
    with divided.scope(), pytest.raises(NotImplementedError, match=r"divides a model among .*1, 2"):
        keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
