"""Saved models that TensorFlow writes, and what they shall do when they are read.

    python -m tests.saved_model.of_tensorflow FOLDER

writes them, with TensorFlow in the environment.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np


def make(folder: str) -> None:
    """Write the models, with TensorFlow."""
    import tensorflow as tf

    class Model(tf.Module):
        def __init__(self, vocabulary: str) -> None:
            super().__init__()
            self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
            self.calls = tf.Variable(0, trainable=False)
            self.shift = tf.constant([5.0, 6.0])
            self.parts = [tf.Variable(1.0), {"a": tf.Variable([2.0, 3.0])}]
            keys = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64))
            self.table = tf.lookup.StaticHashTable(keys, -1)
            lines, line = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
            read = tf.lookup.TextFileInitializer(vocabulary, tf.string, lines, tf.int64, line)
            self.words = tf.lookup.StaticHashTable(read, -1)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
        def dense(self, x: Any) -> Any:
            return tf.nn.relu(x @ self.w + self.shift)

        @tf.function
        def scaled(self, x: Any, k: int = 2, *, pair: bool = True) -> Any:
            self.calls.assign_add(1)
            return {"a": x * k, "b": [x, x + 1]} if pair else x

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def look_up(self, x: Any) -> Any:
            return self.table.lookup(tf.strings.lower(x)), self.words.lookup(x)

        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
        def doubled(self, x: Any) -> Any:
            return x * 2

        @tf.function(input_signature=[tf.SparseTensorSpec([None, 2], tf.int32)])
        def filled(self, x: Any) -> Any:
            return tf.sparse.to_dense(x)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def sums(self, x: Any) -> Any:
            found = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
            total = tf.zeros([2])
            for i in tf.range(tf.shape(x)[0]):
                if tf.reduce_sum(x[i]) > 1.0:
                    total += x[i]
                found = found.write(i, total)
            return found.stack()

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def parse(self, x: Any) -> Any:
            features = {
                "a": tf.io.FixedLenFeature([2], tf.float32),
                "b": tf.io.FixedLenFeature([], tf.int64, 7),
                "c": tf.io.VarLenFeature(tf.string),
            }
            found = tf.io.parse_example(x, features)
            return found["a"], found["b"], tf.sparse.to_dense(found["c"], "-")

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def split(self, x: Any) -> Any:
            return tf.strings.split(x).to_tensor("-")

        @tf.function(input_signature=[tf.TensorSpec([2], tf.int32), tf.TensorSpec([], tf.int32)])
        def draw(self, seed: Any, which: Any) -> Any:
            x = tf.random.stateless_uniform([3], seed)
            return tf.switch_case(which, [lambda: x, lambda: -x, lambda: x * 0.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def train(self, x: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(x @ self.w))
            self.w.assign_sub(0.125 * tape.gradient(loss, self.w))
            return loss

    words = Path(tempfile.mkdtemp()) / "words.txt"
    words.write_text("x\ny\n")
    model = Model(str(words))
    model.scaled(tf.constant(1.0))
    model.scaled(tf.constant(1.0), k=5)
    model.scaled(tf.constant([1, 2]), pair=False)
    tf.saved_model.save(model, f"{folder}/objects", signatures={"dense": model.dense})
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        w = v1.get_variable("w", initializer=np.float32([[1, 2], [3, 4]]), use_resource=False)
        trains = v1.placeholder_with_default(False, [], name="trains")
        y = v1.cond(trains, lambda: x @ w, lambda: x @ w + 1.0)
        first, second = tf.split(y, 2, axis=1, name="halves")
        swapped = tf.concat([second, first], 1, name="swapped")
        session.run(v1.global_variables_initializer())
        v1.saved_model.simple_save(session, f"{folder}/graph", {"x": x}, {"y": swapped})
        v1.train.Saver().save(session, f"{folder}/meta/m", write_state=False)
        frozen = v1.graph_util.convert_variables_to_constants(
            session, session.graph.as_graph_def(), ["swapped"]
        )
        Path(f"{folder}/frozen.pb").write_bytes(frozen.SerializeToString())
    v1.disable_control_flow_v2()
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        holds = v1.placeholder(tf.bool, [], name="holds")
        inner = lambda: v1.cond(x[0, 0] > 1.0, lambda: x * 2.0, lambda: x - 1.0)  # noqa: E731
        tf.identity(v1.cond(holds, inner, lambda: -x), name="y")
        Path(f"{folder}/switches.pb").write_bytes(graph.as_graph_def().SerializeToString())


def check_objects(tf: Any, loaded: Any) -> None:
    """What the model of objects does; `tf` is TensorFlow, or what reads for it."""
    x = np.float32([[1, 1], [-9, 0]])
    dense = np.maximum(x @ np.float32([[1, 2], [3, 4]]) + np.float32([5, 6]), 0)
    np.testing.assert_array_equal(loaded.dense(tf.constant(x)), dense)
    (named,) = loaded.signatures["dense"](x=tf.constant(x)).values()
    np.testing.assert_array_equal(named, dense)
    assert loaded.w.trainable
    assert not loaded.calls.trainable
    assert [v.numpy().tolist() for v in (loaded.parts[0], loaded.parts[1]["a"])] == [1.0, [2, 3]]
    assert loaded.calls.numpy() == 3
    assert {k: np.asarray(v).tolist() for k, v in loaded.scaled(tf.constant(2.0), k=5).items()} == {
        "a": 10.0,
        "b": [2.0, 3.0],
    }
    assert loaded.scaled(tf.constant([2, 3]), pair=False).numpy().tolist() == [2, 3]
    assert loaded.calls.numpy() == 5
    by_key, by_line = loaded.look_up(tf.constant(["A", "y", "zz"]))
    assert by_key.numpy().tolist() == [1, -1, -1]
    assert by_line.numpy().tolist() == [-1, 1, -1]
    assert loaded.doubled(tf.ragged.constant([[1], [2, 3]])).to_list() == [[2], [4, 6]]
    assert loaded.filled(tf.sparse.from_dense([[1, 0]])).numpy().tolist() == [[1, 0]]
    rows = np.float32([[1, 1], [0, 0.5], [2, 3]])
    assert loaded.sums(tf.constant(rows)).numpy().tolist() == [[1, 1], [1, 1], [3, 4]]
    kind, lists = tf.train.Feature, {"a": tf.train.FloatList(value=[1, 2])}
    names = kind(bytes_list=tf.train.BytesList(value=[b"x", b"y"]))
    features = {"a": kind(float_list=lists["a"]), "c": names}
    example = tf.train.Example(features=tf.train.Features(feature=features))
    parsed = [x.numpy().tolist() for x in loaded.parse(tf.constant([example.SerializeToString()]))]
    assert parsed == [[[1, 2]], [7], [[b"x", b"y"]]]
    found = loaded.split(tf.constant(["a bb", "c"]))
    assert found.numpy().tolist() == [[b"a", b"bb"], [b"c", b"-"]]
    drawn = tf.random.stateless_uniform([3], [1, 2]).numpy()
    for which, sign in enumerate((1, -1, 0)):
        seed = tf.constant([1, 2])
        np.testing.assert_array_equal(loaded.draw(seed, tf.constant(which)), sign * drawn)
    ones = tf.ones([1, 2])
    losses = [float(loaded.train(ones)) for _ in range(2)]
    np.testing.assert_allclose(losses, [26.0, 14.625])
    np.testing.assert_allclose(loaded.w, [[0.125, 0.6875], [2.125, 2.6875]])
    loaded.w.assign([[1.0, 2.0], [3.0, 4.0]])


if __name__ == "__main__":
    make(sys.argv[1])
