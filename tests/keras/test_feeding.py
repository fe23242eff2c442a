"""Data as users have it, and what of it reaches a step: the same bits in all ways."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import by_turns
from tfc.keras._backend.feeding import Executions

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(70, 6)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int32)
WEIGHTS = DRAW.uniform(0.5, 2.0, 70).astype(np.float32)


def compiled(**options: Any) -> Any:
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(2, "softmax")])
    model.compile("sgd", "sparse_categorical_crossentropy", weighted_metrics=["acc"], **options)
    return model


def trained(*data: Any, compile_with: Any = None, **options: Any) -> tuple[Any, ...]:
    """The losses of a fit and the weights behind it, as bytes."""
    model = compiled(**(compile_with or {}))
    options = {"epochs": 2, "batch_size": 16, "verbose": 0, **options}
    history = model.fit(*data, **options).history
    return history["loss"], [np.asarray(w).tobytes() for w in model.get_weights()]


@cache
def plain(shuffle: Any = False) -> tuple[Any, ...]:
    """What arrays give."""
    return trained(X, Y, shuffle=shuffle)


WAYS: list[dict[str, Any]] = [
    {"run_eagerly": True},
    {"steps_per_execution": 2},
    {"steps_per_execution": 50},
]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_shuffled_batches_have_the_same_bits(way: dict[str, Any]) -> None:
    """70 rows in batches of 16: the last one is smaller, and 2 and 50 do not divide five."""
    for shuffle in by_turns((True, "batch", False), WAYS.index(way), 2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert trained(X, Y, shuffle=shuffle, compile_with=way) == plain(shuffle)


def test_fit_trains_on_the_rows_in_this_order() -> None:
    order = np.concatenate([rows.order for *_, rows in executions()])
    assert sorted(order) == list(range(70)) != order.tolist()
    model = compiled()
    for _ in range(2):
        for i in range(0, 70, 16):
            rows = order[i : i + 16]
            model.train_on_batch(X[rows], Y[rows])
    assert trained(X, Y)[1] == [np.asarray(w).tobytes() for w in model.get_weights()]


def executions() -> Executions:
    tf.keras.utils.set_random_seed(1)  # as in `compiled`
    return Executions(x=X, batch_size=16, shuffle=True)


def test_shuffled_rows_are_those_that_keras_draws() -> None:
    """A global seed says in which order rows come, in each epoch the same: these are TensorFlow
    2.21's with Keras."""

    def orders(shuffle: Any) -> list[list[int]]:
        data = Executions(x=np.arange(10.0), batch_size=4, shuffle=shuffle)
        found = []
        for _ in range(2):
            found.append(np.concatenate([rows.order for *_, rows in data]).tolist())
        return found

    tf.keras.utils.set_random_seed(42)
    assert orders(True) == 2 * [[3, 8, 7, 5, 2, 0, 1, 6, 9, 4]]
    assert orders("batch") == 2 * [[3, 2, 0, 1, 7, 5, 6, 4, 9, 8]]
    tf.random.set_seed(None)
    np.random.seed(1)
    one, other = orders(True)
    assert sorted(one) == sorted(other) == list(range(10)) and one != other


class Sequence(tf.keras.utils.PyDataset):  # type: ignore[misc]
    def __init__(self, *data: Any, **options: Any) -> None:
        super().__init__(**options)
        self.data = data

    def __len__(self) -> int:
        return 5

    def __getitem__(self, i: int) -> tuple[np.ndarray, ...]:
        return tuple(x[16 * i : 16 * i + 16] for x in self.data)


def batches(*data: Any) -> Iterator[Any]:
    for _ in range(2):
        for i in range(0, 70, 16):
            yield tuple(x[i : i + 16] for x in data)


def data_loader(*data: Any) -> Any:
    torch = pytest.importorskip("torch")
    tensors = [torch.from_numpy(x) for x in data]
    dataset = torch.utils.data.TensorDataset(*tensors)
    return torch.utils.data.DataLoader(dataset, batch_size=16)


def frames(*data: Any) -> list[Any]:
    pandas = pytest.importorskip("pandas")
    x, *rest = data
    return [pandas.DataFrame(x), *[pandas.Series(r) for r in rest]]


SOURCES: dict[str, Callable[..., tuple[list[Any], dict[str, Any]]]] = {
    "tensors": lambda *data: ([tf.constant(x) for x in data], {}),
    "float64": lambda x, *rest: ([x.astype(np.float64), *rest], {}),
    "rows apart": lambda x, *rest: ([np.asfortranarray(x), *rest], {}),
    "pandas": lambda *data: (frames(*data), {}),
    "PyDataset": lambda *data: ([Sequence(*data)], {}),
    "threads": lambda *data: ([Sequence(*data, workers=2)], {}),
    "generator": lambda *data: ([batches(*data)], {"steps_per_epoch": 5}),
    "DataLoader": lambda *data: ([data_loader(*data)], {}),
}


@pytest.mark.parametrize("source", SOURCES)
def test_all_sources_give_the_same_bits(source: str) -> None:
    """By single steps, or by two an execution; sources take turns."""
    data, options = SOURCES[source](X, Y)
    steps = 1 + list(SOURCES).index(source) % 2
    way = {"steps_per_execution": steps}
    if source == "generator":
        way = {}  # two executions of two and one would be six steps of a longer generator
    found = trained(*data, compile_with=way, shuffle=False, **options)
    assert found == plain()


def test_weights_of_samples_and_classes() -> None:
    unweighted = plain()
    weighted = trained(X, Y, shuffle=False, sample_weight=WEIGHTS)
    assert weighted != unweighted
    assert weighted == trained(Sequence(X, Y, WEIGHTS), shuffle=False)
    eager = {"run_eagerly": True}
    assert weighted == trained(X, Y, shuffle=False, sample_weight=WEIGHTS, compile_with=eager)
    classes = trained(X, Y, shuffle=False, class_weight={0: 1.0, 1: 3.0})
    by_hand = np.where(Y == 1, 3.0, 1.0).astype(np.float32)
    assert classes == trained(X, Y, shuffle=False, sample_weight=by_hand) != unweighted


def test_validation() -> None:
    model = compiled()
    history = model.fit(
        X[:56], Y[:56], validation_data=(X[56:], Y[56:], WEIGHTS[56:]), verbose=0
    ).history
    assert history["val_loss"][-1] == pytest.approx(
        model.evaluate(X[56:], Y[56:], sample_weight=WEIGHTS[56:], verbose=0)[0], rel=1e-6
    )
    split = trained(X, Y, validation_split=0.2, shuffle=False)
    assert split == trained(X[:56], Y[:56], shuffle=False)


def test_several_inputs_and_outputs_by_name() -> None:
    def made(**options: Any) -> Any:
        tf.keras.utils.set_random_seed(2)
        layers = tf.keras.layers
        a, b = tf.keras.Input((4,), name="a"), tf.keras.Input((2,), name="b")
        joined = layers.Concatenate()([a, b])
        outputs = {"one": layers.Dense(1, name="one")(joined), "two": layers.Dense(2)(joined)}
        model = tf.keras.Model({"a": a, "b": b}, outputs)
        model.compile("sgd", {"one": "mse", "two": "mse"}, **options)
        return model

    inputs = {"b": X[:, :2], "a": X[:, 2:]}
    targets = {"two": X[:, :2], "one": X[:, :1]}
    found = []
    for options in ({}, {"run_eagerly": True}, {"steps_per_execution": 3}):
        model = made(**options)
        losses = model.fit(inputs, targets, verbose=0, shuffle=False).history["loss"]
        found.append((losses, [np.asarray(w).tobytes() for w in model.get_weights()]))
    assert found[0] == found[1] == found[2]
    assert model.predict(inputs, verbose=0)["two"].shape == (70, 2)


def test_masks() -> None:
    """A padded step counts neither in a loss nor in what a layer makes of a sequence."""
    words = np.array([[1, 2, 3, 0], [4, 0, 0, 0], [5, 6, 0, 0]])
    found = []
    for eagerly in (False, True):
        tf.keras.utils.set_random_seed(3)
        layers = tf.keras.layers
        model = tf.keras.Sequential(
            [layers.Embedding(8, 4, mask_zero=True), layers.SimpleRNN(4, return_sequences=True)]
        )
        model.compile("sgd", "mse", run_eagerly=eagerly)
        targets = np.ones((3, 4, 4))
        found.append(model.fit(words, targets, epochs=2, verbose=0).history["loss"])
        targets[words == 0] = 1e6
        assert model.evaluate(words, targets, verbose=0) < 2.0
    assert found[0] == found[1]


def test_arrays_are_held_without_a_copy_and_never_kept() -> None:
    own = X.copy()
    data = Executions(x=own, y=Y, batch_size=16)
    assert data.arrays is not None
    assert np.shares_memory(np.asarray(data.arrays.tensors[0]), own)

    class Keeping(tf.keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.kept = self.add_weight(shape=(16, 6), initializer="zeros")
            self.count = self.add_weight(shape=(), initializer="zeros")

        def train_step(self, batch: Any) -> Any:
            self.kept.assign(batch)
            self.count.assign_add(1.0)
            return {}

    model = Keeping()
    model.compile()
    model.fit(own[:32], batch_size=16, shuffle=False, verbose=0)
    own[:] = 0.0
    assert np.array_equal(model.kept, X[16:32]) and int(model.count) == 2


def test_a_step_may_give_other_things_for_other_batches() -> None:
    class Changing(tf.keras.Model):  # type: ignore[misc]
        def predict_step(self, batch: Any) -> Any:
            (x,) = batch
            return {"rows": x[:, 0]} if x.shape.rank == 3 else {"whole": x}

    model = Changing()
    model.compile()
    deep = X.reshape(5, 14, 6)
    for _ in range(2):
        assert np.array_equal(model.predict_on_batch(X)["whole"], X)
        assert np.array_equal(model.predict_on_batch(deep)["rows"], deep[:, 0])


def test_data_that_ends_early_is_told() -> None:
    model = compiled(steps_per_execution=2)
    with pytest.warns(UserWarning, match="ran out of data"):
        model.fit(batches(X, Y), steps_per_epoch=12, verbose=0)
    with pytest.warns(UserWarning, match="ran out of data"):
        history = model.fit(X, Y, batch_size=16, steps_per_epoch=7, epochs=2, verbose=0)
    assert len(history.history["loss"]) == 2


def test_executions_of_an_epoch() -> None:
    def shown(epochs: int = 1, **options: Any) -> list[list[tuple[int, int, int]]]:
        data = Executions(x=X, batch_size=16, **options)
        return [[(begin, end, len(b)) for begin, end, b in data] for _ in range(epochs)]

    assert shown() == [[(i, i, 1) for i in range(5)]]
    assert shown(steps_per_execution=2) == [[(0, 1, 2), (2, 3, 2), (4, 5, 1)]]
    assert shown(2, steps_per_epoch=3)[0] == [(0, 0, 1), (1, 1, 1), (2, 2, 1)]
    with pytest.warns(UserWarning, match="ran out of data"):
        assert shown(2, steps_per_epoch=3)[1] == [(0, 0, 1), (1, 1, 1)]


def test_callbacks_hear_of_batches() -> None:
    heard: list[Any] = []

    class Listening(tf.keras.callbacks.Callback):  # type: ignore[misc]
        def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
            heard.append(("begin", batch))

        def on_batch_end(self, batch: int, logs: Any = None) -> None:  # the older name
            heard.append(("end", batch, type(logs["loss"])))

    model = compiled()
    lambdas = tf.keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: heard.append(batch)
    )
    model.fit(X, Y, batch_size=64, verbose=0, callbacks=[Listening(), lambdas])
    assert heard == [("begin", 0), ("end", 0, float), 0, ("begin", 1), ("end", 1, float), 1]


def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    model = compiled()
    loss = model.fit(X, Y, batch_size=16, verbose=1).history["loss"][0]
    printed = capsys.readouterr().out
    assert "5/5" in printed and f"loss: {loss:.4f}" in printed
    assert "1/5" in printed and printed.count("loss: ") >= 2  # the first step is shown, too


def test_epochs_of_a_dataset_that_shuffles_are_those_of_keras() -> None:
    """Its epoch iterator begins anew at the end of an epoch, and again with the next one; where
    the size is not known it does so from the second epoch on."""

    def shuffled() -> tf.data.Dataset:
        tf.random.set_seed(7)
        return tf.data.Dataset.range(8).shuffle(8, seed=1).batch(8)

    def epochs(data: tf.data.Dataset, **options: Any) -> list[Any]:
        fed = Executions(x=data, **options)
        return [[b.numpy().tolist() for *_, bs in fed for b in bs] for _ in range(3)]

    rows = shuffled()
    orders = [next(iter(rows)).numpy().tolist() for _ in range(6)]
    assert epochs(shuffled()) == [[orders[i]] for i in (0, 2, 4)]
    with pytest.warns(UserWarning, match="ran out of data"):
        unknown = epochs(shuffled().filter(lambda x: True))
    assert unknown == [[orders[i]] for i in (0, 1, 3)]
    endless = epochs(shuffled().repeat(), steps_per_epoch=1)
    assert endless == [[orders[i]] for i in (0, 1, 2)]


def test_a_py_dataset_hears_of_epochs_as_in_keras() -> None:
    class Heard(Sequence):
        def on_epoch_begin(self) -> None:
            heard.append("begin")

        def on_epoch_end(self) -> None:
            heard.append("end")

    heard: list[str] = []
    compiled().fit(Heard(X, Y), epochs=2, verbose=0)
    assert heard == ["end", *["begin", "end"] * 2]
