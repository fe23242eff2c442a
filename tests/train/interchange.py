"""Checkpoints that one library writes and the other one reads.

    python tests/train/interchange.py tensorflow write FOLDER
    python tests/train/interchange.py tfc check FOLDER

Each with an interpreter that has the library. `written_by_tensorflow/` is what the first line gives
with TensorFlow 2.21.
"""

from __future__ import annotations

import collections
import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

tf: Any = None  # the library
DTYPES = [
    *("float16", "bfloat16", "float32", "float64", "bool", "complex64", "complex128"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
]
Pair = collections.namedtuple("Pair", ["left", "right"])
INPUTS = np.ones((6, 5), "float32")


def dtypes(start: int) -> dict[str, Any]:
    """A Variable of each dtype; scalars, and one without elements."""
    found = {
        name: tf.Variable(tf.cast(tf.constant(np.arange(start, start + 6).reshape(2, 3)), name))
        for name in DTYPES
    }
    found["scalar"] = tf.Variable(float(start))
    found["empty"] = tf.Variable(np.zeros((0, 3), "float32"))
    return found


def net(start: float) -> Any:
    """Objects in objects."""

    class Net(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable([start, start + 1])
            self.parts = [tf.Variable(start + 2), 3, [tf.Variable(start + 3)], []]
            self.by_name = {"a/b.c": tf.Variable(start + 4), "plain": 1, "more": {"x": self.w}}
            self.pair = Pair(tf.Variable(start + 5), tf.Variable(start + 6))
            self.of_both = (tf.Variable(start + 7), 2)
            self.generator = tf.random.Generator.from_seed(int(start))
            self.itself = self
            self.inner = tf.train.Checkpoint(again=self.w, own=tf.Variable(start + 8))
            self.nothing = None

    return Net()


def values(made: Any) -> list[float]:
    """The numbers in `net`."""
    variables = [made.w, made.parts[0], made.parts[2][0], made.by_name["a/b.c"], *made.pair]
    variables += [made.of_both[0], made.inner.own, made.generator.state]
    return [float(n) for v in variables for n in np.asarray(v.numpy()).reshape(-1)]


def model() -> Any:
    """A model of Keras, with an optimizer that counts and keeps state."""
    keras = tf.keras
    layers = [
        keras.layers.Dense(3, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Reshape((3, 1)),
        keras.layers.LSTM(2),
        keras.layers.Dropout(0.5),
    ]
    made = keras.Sequential(layers)
    made.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
    return made


def build(made: Any, optimizer: Any) -> None:
    """Have a model and its optimizer make their Variables."""
    if isinstance(made, tf.keras.Sequential):
        made.build((6, 5))
    else:
        made(INPUTS)
    optimizer.build(made.trainable_variables)


def numbered(made: Any, optimizer: Any, start: int) -> list[Any]:
    """All Variables of a model and its optimizer but the states of random numbers, which are no
    part of checkpoints; what each is to be."""
    found = [*made.variables, *optimizer.variables]
    found = [v for v in found if "seed_generator" not in v.path]
    return [(v, np.full(v.shape, start + i, v.dtype)) for i, v in enumerate(found)]


def own_model() -> Any:
    """A subclass of a model, with a Variable and a tuple of layers."""
    keras = tf.keras

    class Own(keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.first = keras.layers.Dense(2)
            self.others = (keras.layers.Dense(2), 1)
            self.offset = tf.Variable([1.0, 2.0])

        def call(self, x: Any) -> Any:
            return self.others[0](self.first(x)) + self.offset

    return Own()


def tables(full: bool) -> dict[str, Any]:
    """Lookup tables that change, with keys and values of several kinds; and one that does not."""
    kinds = tf.lookup.experimental
    counts = kinds.MutableHashTable(tf.string, tf.int64, -1)
    rows = kinds.MutableHashTable(tf.int64, tf.float32, [0.0, 0.0])
    dense = kinds.DenseHashTable(tf.int64, tf.int64, 0, -1, -2, initial_num_buckets=4)
    words = kinds.DenseHashTable(tf.string, tf.float32, 0.0, "", "$", initial_num_buckets=8)
    pairs = kinds.DenseHashTable(tf.int64, tf.int64, 0, [-1, 0], [-2, 0], initial_num_buckets=8)
    still = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    if full:
        keys = tf.range(3, 20, dtype=tf.int64) * 8
        counts.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
        rows.insert(keys[:2], tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        dense.insert(keys, keys * 10)
        dense.remove(keys[:2])
        words.insert(tf.strings.as_string(keys), tf.cast(keys, tf.float32))
        pairs.insert(tf.stack([keys, -keys], 1), keys)
    else:
        counts.insert(tf.constant(["z"]), tf.constant([3], tf.int64))
    found = {"counts": counts, "rows": rows, "dense": dense, "words": words, "pairs": pairs}
    return {**found, "still": still, "step": tf.Variable(5.0 if full else 0.0)}


def check_tables(folder: str) -> None:
    """Tables, whose keys the other library finds again."""
    found, expected = tables(False), tables(True)
    tf.train.Checkpoint(**found).read(f"{folder}/tables").assert_consumed()
    keys = tf.range(0, 25, dtype=tf.int64) * 8
    asked = {"rows": keys, "dense": keys, "pairs": tf.stack([keys, -keys], 1)}
    asked |= {"words": tf.strings.as_string(keys), "counts": tf.constant(["a", "b", "z"])}
    for name, wanted in asked.items():
        one, other = (of[name].lookup(wanted).numpy() for of in (found, expected))
        np.testing.assert_array_equal(one, other, name)
        assert int(found[name].size()) == int(expected[name].size())


def write(folder: str) -> None:
    """Write everything that this library can."""
    tf.train.Checkpoint(**dtypes(3)).write(f"{folder}/dtypes")
    tf.train.Checkpoint(net=net(5.0), step=tf.Variable(7)).save(f"{folder}/objects")
    tf.train.Checkpoint(net(9.0), step=tf.Variable(8)).save(f"{folder}/rooted")
    tf.train.Checkpoint(**tables(True)).write(f"{folder}/tables")
    if tf.__name__ == "tensorflow":
        write_what_tfc_does_not(folder)
    for name, (made, optimizer) in models().items():
        build(made, optimizer)
        for variable, value in numbered(made, optimizer, 3):
            variable.assign(value)
        tf.train.Checkpoint(model=made, optimizer=optimizer).save(f"{folder}/{name}")


def models() -> dict[str, tuple[Any, Any]]:
    """Models that make their Variables later, with optimizers."""
    made = model()
    return {
        "keras": (made, made.optimizer),
        "own": (own_model(), tf.keras.optimizers.SGD(0.1, momentum=0.9)),
    }


def write_what_tfc_does_not(folder: str) -> None:
    """Slices of partitioned tensors, several files of elements, names without objects, strings."""
    x, y = np.arange(48, dtype="f4").reshape(4, 12), np.array([[b"a", b"bb", b""]] * 2)
    slices = {
        "4 12 0,2:-": ("x", x[:2]),
        "4 12 2,2:0,6": ("x", x[2:, :6]),
        "4 12 2,2:6,6": ("x", x[2:, 6:]),
        "2 3 0,1:-": ("y", y[:1]),
        "2 3 1,1:-": ("y", y[1:]),
        "300 1 0,100:-": ("far", np.ones((100, 1), np.int8)),
        "300 1 100,200:-": ("far", np.zeros((200, 1), np.int8)),
        "": ("text", np.array([b"word", b"\xff" * 300], object)),
    }
    tf.raw_ops.SaveV2(
        prefix=f"{folder}/sliced",
        tensor_names=[name for name, _ in slices.values()],
        shape_and_slices=list(slices),
        tensors=[tensor for _, tensor in slices.values()],
    )
    parts = {"a": np.float64(3), "b": np.arange(3)}
    for name, tensor in parts.items():
        tf.raw_ops.SaveV2(
            prefix=f"{folder}/part_{name}",
            tensor_names=[name],
            shape_and_slices=[""],
            tensors=[tensor],
        )
    tf.raw_ops.MergeV2Checkpoints(
        checkpoint_prefixes=[f"{folder}/part_{name}" for name in parts],
        destination_prefix=f"{folder}/sharded",
    )
    variables = [tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="scope/w")]
    tf.raw_ops.SaveV2(
        prefix=f"{folder}/named",
        tensor_names=[v.name.removesuffix(":0") for v in variables],
        shape_and_slices=["", ""],
        tensors=[v.read_value() for v in variables],
    )


def check(folder: str) -> None:
    """Read what the other library wrote."""
    check_objects(folder)
    check_tables(folder)
    for late in (False, True):
        check_keras(folder, late)


def check_objects(folder: str) -> None:
    """Variables of all dtypes, and objects of all kinds."""
    found = dtypes(0)
    tf.train.Checkpoint(**found).read(f"{folder}/dtypes").assert_consumed()
    for name, right in dtypes(3).items():
        assert found[name].numpy().tobytes() == right.numpy().tobytes(), name
    for prefix, start, rooted in (("objects-1", 5.0, False), ("rooted-1", 9.0, True)):
        other, step = net(1.0), tf.Variable(0)
        if rooted:
            checkpoint = tf.train.Checkpoint(other, step=step)
        else:
            checkpoint = tf.train.Checkpoint(net=other, step=step)
        checkpoint.restore(f"{folder}/{prefix}").assert_consumed()
        assert values(other) == values(net(start)), prefix
        assert int(step) == 7 + rooted and int(checkpoint.save_counter) == 1


def check_keras(folder: str, late: bool) -> None:
    """Models that are there, or whose Variables are made later."""
    for name, (made, optimizer) in models().items():
        if not late:
            build(made, optimizer)
        checkpoint = tf.train.Checkpoint(model=made, optimizer=optimizer)
        status = checkpoint.restore(f"{folder}/{name}-1")
        if late and name == "own" and tf.__name__ == "tensorflow":
            continue  # what a call makes is not restored there, from its own files neither
        if late:
            build(made, optimizer)
        status.assert_consumed()
        for variable, value in numbered(made, optimizer, 3):
            np.testing.assert_array_equal(variable.numpy(), value, variable.path)


def use(name: str) -> None:
    """Let this module work with a library."""
    global tf
    tf = importlib.import_module(name)


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    _, library, what, place = sys.argv
    use(library)
    Path(place).mkdir(parents=True, exist_ok=True)
    {"write": write, "check": check}[what](place)
