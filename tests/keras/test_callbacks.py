"""Each of Keras' callbacks, on a line that is learnt in a few steps."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import callbacks

from tests.summary.events import events, scalars

X = np.random.default_rng(0).normal(size=(64, 4)).astype(np.float32)
Y = X.sum(1, keepdims=True)


def model(optimizer: Any = "sgd") -> keras.Model:
    keras.utils.set_random_seed(1)
    line = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    line.compile(optimizer, "mse")
    return line


def fitted(*chosen: callbacks.Callback, epochs: int = 4, optimizer: Any = "sgd") -> Any:
    """The model behind its training, with its history."""
    line = model(optimizer)
    line.fit(
        X, Y, epochs=epochs, batch_size=32, validation_data=(X, Y), callbacks=chosen, verbose=0
    )
    return line


def test_early_stopping_takes_the_best_weights() -> None:
    stopping = callbacks.EarlyStopping("loss", mode="max", patience=2, restore_best_weights=True)
    line = fitted(stopping, epochs=9)  # the largest loss is the best one: the first
    assert line.history.epoch == [0, 1, 2]
    assert line.get_weights()[0].tobytes() == fitted(epochs=1).get_weights()[0].tobytes()


def test_checkpoints(tmp_path: Path) -> None:
    every = callbacks.ModelCheckpoint(tmp_path / "{epoch:02d}.keras")
    best = callbacks.ModelCheckpoint(
        tmp_path / "best.weights.h5", "loss", save_best_only=True, save_weights_only=True
    )
    line = fitted(every, best, epochs=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "01.keras",
        "02.keras",
        "best.weights.h5",
    ]
    again = keras.models.load_model(tmp_path / "02.keras")
    assert np.array_equal(again.get_weights()[0], line.get_weights()[0])
    other = model()
    other.load_weights(tmp_path / "best.weights.h5")
    assert np.array_equal(other.get_weights()[0], line.get_weights()[0])


def test_a_table_of_numbers(tmp_path: Path) -> None:
    line = fitted(callbacks.CSVLogger(tmp_path / "log.csv"))
    rows = list(csv.DictReader((tmp_path / "log.csv").open()))
    assert [int(row["epoch"]) for row in rows] == [0, 1, 2, 3]
    assert [float(row["val_loss"]) for row in rows] == line.history.history["val_loss"]


def test_rates() -> None:
    halved = callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    rates = fitted(halved).history.history["learning_rate"]
    np.testing.assert_allclose(rates, [0.005, 0.0025, 0.00125, 0.000625])
    plateau = callbacks.ReduceLROnPlateau("loss", factor=0.1, patience=1, min_delta=100)
    rates = fitted(plateau).history.history["learning_rate"]
    np.testing.assert_allclose(rates, [0.01, 0.01, 0.001, 0.0001])


def test_functions_are_called() -> None:
    seen: list[Any] = []
    told = callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: seen.append(epoch),
        on_train_batch_end=lambda batch, logs: seen.append(("batch", batch, *logs)),
        on_epoch_end=lambda epoch, logs: seen.append(sorted(logs)),
        on_train_end=lambda logs: seen.append("end"),
    )
    fitted(told, epochs=1)
    losses = ["loss", "val_loss"]
    assert seen == [0, ("batch", 0, "loss"), ("batch", 1, "loss"), losses, "end"]


def test_numbers_that_are_none_end_the_training(capsys: pytest.CaptureFixture[str]) -> None:
    line = fitted(callbacks.TerminateOnNaN(), epochs=9, optimizer=keras.optimizers.SGD(1e30))
    assert len(line.history.epoch) == 1
    assert "Invalid loss, terminating training" in capsys.readouterr().out


def test_means_of_weights_are_swapped_in_for_validation() -> None:
    means: list[np.ndarray] = []
    line = model(keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.75))
    chosen = [
        callbacks.SwapEMAWeights(),
        callbacks.LambdaCallback(on_test_begin=lambda logs: means.append(line.get_weights()[0])),
    ]
    line.fit(
        X, Y, batch_size=32, shuffle=False, validation_data=(X, Y), callbacks=chosen, verbose=0
    )
    alone = model(keras.optimizers.SGD(0.1))
    steps = []
    for rows in (slice(32), slice(32, None)):
        alone.train_on_batch(X[rows], Y[rows])
        steps.append(alone.get_weights()[0])
    np.testing.assert_allclose(means[0], 0.75 * steps[0] + 0.25 * steps[1], atol=1e-6)


def test_an_interrupted_training_goes_on(tmp_path: Path) -> None:
    def fail(epoch: int, logs: Any) -> None:
        if epoch == 2:
            raise RuntimeError("no current")

    line, kept = model(), callbacks.BackupAndRestore(tmp_path / "backup")
    failing = callbacks.LambdaCallback(on_epoch_end=fail)
    with pytest.raises(RuntimeError, match="no current"):
        line.fit(X, Y, epochs=5, shuffle=False, callbacks=[kept, failing], verbose=0)
    line = model()
    kept = callbacks.BackupAndRestore(tmp_path / "backup")
    assert line.fit(X, Y, epochs=5, shuffle=False, callbacks=[kept], verbose=0).epoch == [3, 4]
    whole = model()
    whole.fit(X, Y, epochs=5, shuffle=False, verbose=0)
    assert np.array_equal(line.get_weights()[0], whole.get_weights()[0])


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    model().fit(X, Y, epochs=2, verbose=2)
    printed = capsys.readouterr().out
    assert "Epoch 2/2" in printed and "loss: " in printed


@pytest.mark.parametrize("freq", ["epoch", 2])
def test_tensorboard(freq: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves, histograms, images of weights, the layers, the compiled steps and a profile."""
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    board = callbacks.TensorBoard(
        tmp_path,
        histogram_freq=1,
        write_images=True,
        write_steps_per_second=True,
        update_freq=freq,
        profile_batch=(1, 2),
    )
    line = model()
    line.fit(X, Y, epochs=2, validation_data=(X, Y), callbacks=[board], verbose=0)
    found: dict[str, list[int]] = {}
    for event in events(tmp_path / "train"):
        for value in event.summary.value:
            found.setdefault(value.tag, []).append(event.step)
    assert found["epoch_loss"] == found["epoch_learning_rate"] == [0, 1]
    assert found["keras"] == [0] and found["batch_2"] == [2]
    assert ("batch_loss" in found) == (freq == 2)
    weight = line.weights[0].path
    assert found[f"{weight}/histogram"] == found[f"{weight}/image"] == [0, 1]
    assert any(event.graph_def for event in events(tmp_path / "train"))
    assert (tmp_path / "train" / "trace.json").exists()
    tags = [tag for tag, _, _ in scalars(tmp_path / "validation")]
    assert tags.count("epoch_loss") == 2


@pytest.mark.parametrize(
    ("package", "make", "message"),
    [
        ("requests", callbacks.RemoteMonitor, "requires the `requests` library"),
    ],
)
def test_what_is_missing_is_said(
    package: str, make: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("keras.src.callbacks.remote_monitor.requests", None)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ImportError, match=message):
        fitted(make(), epochs=1)
