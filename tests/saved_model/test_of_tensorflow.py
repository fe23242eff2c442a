"""Saved models that TensorFlow 2.21 wrote (see of_tensorflow.py) are read here."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from tests.saved_model import of_tensorflow
from tfc.records.graph import NodeDef
from tfc.records.meta_graph import MetaGraphDef, SavedModel

THEIRS = Path(__file__).parent / "written_by_tensorflow"


def test_objects(tmp_path: Path) -> None:
    assert tf.saved_model.contains_saved_model(THEIRS / "objects")
    loaded = tf.saved_model.load(THEIRS / "objects")
    of_tensorflow.check_objects(tf, loaded)
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(loaded.dense(tf.constant([[1.0, 2.0]])))
    assert tape.gradient(total, loaded.w).numpy().tolist() == [[1, 1], [2, 2]]
    with pytest.raises(ValueError, match="Could not find matching concrete function") as caught:
        loaded.scaled(tf.constant(1.0), k=9)
    assert "one of the following 3 option(s)" in str(caught.value)
    with pytest.raises(ValueError, match="Got an incompatible argument to `tags`"):
        tf.saved_model.load(THEIRS / "objects", tags=["gpu"])
    dense = tf.Module()
    dense.f, dense.w = loaded.dense, loaded.w
    tf.saved_model.save(dense, tmp_path)  # in tfc's own format
    again = tf.saved_model.load(tmp_path)
    assert again.f(tf.constant([[0.0, 1.0]])).numpy().tolist() == [[8, 10]]


def test_a_graph_of_tensorflow_1() -> None:
    """With a branch that is a Switch and a Merge, and Variables that are references."""
    loaded = tf.saved_model.load(THEIRS / "graph")
    serve = loaded.signatures["serving_default"]
    assert serve.structured_input_signature == ((), {"x": tf.TensorSpec([None, 2], name="x")})
    assert serve(x=tf.constant([[1.0, 2.0]]))["y"].numpy().tolist() == [[11, 8]]
    (w,) = loaded.variables
    assert (w.name, w.trainable, w.shape) == ("w:0", True, (2, 2))


def written(folder: Path, model: SavedModel) -> Path:
    """A copy of the model of objects with another graph."""
    shutil.copytree(THEIRS / "objects", folder, dirs_exist_ok=True)
    (folder / "saved_model.pb").write_bytes(model.SerializeToString())
    return folder


def original() -> tuple[SavedModel, MetaGraphDef]:
    model = SavedModel.FromString((THEIRS / "objects" / "saved_model.pb").read_bytes())
    return model, model.meta_graphs[0]


def node_of(graph: MetaGraphDef, op: str) -> NodeDef:
    nodes = (n for f in graph.graph_def.library.function for n in f.node_def if n.op == op)
    found: NodeDef = next(nodes)
    return found


def test_ops_that_are_not_there(tmp_path: Path) -> None:
    """Other functions run; a call says all that is missing."""
    model, graph = original()
    node_of(graph, "Relu").op = "Frobnicate"
    loaded = tf.saved_model.load(written(tmp_path, model))
    assert loaded.doubled(tf.ragged.constant([[1]])).to_list() == [[2]]
    with pytest.raises(tf.errors.UnimplementedError, match=r"Frobnicate \(node Relu\)"):
        loaded.dense(tf.zeros([1, 2]))


def test_harmful_models(tmp_path: Path) -> None:
    """What leads out of the folder, in circles, or nowhere is refused."""
    model, graph = original()
    graph.asset_file_def[0].filename = "../../words.txt"
    with pytest.raises(tf.errors.DataLossError, match="an asset is no file of the folder"):
        tf.saved_model.load(written(tmp_path, model))
    for op in ("ReadFile", "WriteFile"):
        model, graph = original()
        node_of(graph, "Relu").op = op
        loaded = tf.saved_model.load(written(tmp_path, model))
        with pytest.raises(tf.errors.UnimplementedError, match=op):
            loaded.dense(tf.zeros([1, 2]))
    for given, says in (("Relu", "waits for itself"), ("nowhere", "there is no node 'nowhere'")):
        model, graph = original()
        node_of(graph, "Relu").input[0] = given
        loaded = tf.saved_model.load(written(tmp_path, model))
        with pytest.raises(tf.errors.DataLossError, match=says):
            loaded.dense(tf.zeros([1, 2]))
    model, graph = original()
    scaled = [f for f in graph.graph_def.library.function if "_scaled_" in f.signature.name]
    constant = next(n for n in scaled[0].node_def if n.op == "Const").attr["value"].tensor
    constant.tensor_shape.dim.add(size=1 << 40)
    loaded = tf.saved_model.load(written(tmp_path, model))
    with pytest.raises(tf.errors.DataLossError, match="a constant is larger than a file can be"):
        loaded.scaled.trace_all()


def test_damaged_files(tmp_path: Path) -> None:
    """Each is read, or said to be damaged, or to want what tfc has not."""
    data = (THEIRS / "graph" / "saved_model.pb").read_bytes()
    shutil.copytree(THEIRS / "graph", tmp_path, dirs_exist_ok=True)
    rng = np.random.default_rng(1)
    read = 0
    for place in rng.integers(0, len(data), 100).tolist():
        changed = bytearray(data)
        changed[place] = rng.integers(256)
        (tmp_path / "saved_model.pb").write_bytes(changed[: None if place % 2 else place])
        try:
            tf.saved_model.load(tmp_path)
            read += 1
        except tf.errors.DataLossError:
            continue
        except (tf.errors.UnimplementedError, tf.errors.NotFoundError):
            continue
    assert 0 < read < 100
