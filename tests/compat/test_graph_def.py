"""Graphs that TensorFlow 2.21 wrote become parts of graphs (see saved_model/of_tensorflow.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.records.text import parse

v1 = tf.compat.v1
THEIRS = Path(__file__).parents[1] / "saved_model" / "written_by_tensorflow"
X = np.float32([[1, 2]])


def frozen() -> Any:
    return v1.GraphDef.FromString((THEIRS / "frozen.pb").read_bytes())


def names(graph: Any) -> list[str]:
    return [node.name for node in graph.node]


def test_a_frozen_graph() -> None:
    graph = frozen()
    with tf.Graph().as_default() as g, v1.Session() as session:
        swapped, x = tf.import_graph_def(graph, name="", return_elements=["swapped:0", "x"])
        assert session.run("swapped:0", {"x:0": X}).tolist() == [[11, 8]]
        assert session.run(swapped, {x.outputs[0]: X, "trains:0": True}).tolist() == [[10, 7]]
        assert session.run(["w:0", "halves:1"], {"x:0": X})[1].tolist() == [[11]]
        operation = g.get_operation_by_name("halves")
        assert (operation.type, len(operation.outputs)) == ("Split", 2)
        assert [t.name for t in operation.inputs] == ["halves/split_dim:0", "cond/Identity:0"]
        assert operation.get_attr("num_split") == 2
        assert [o.name for o in g.get_operations()] == names(graph)
        assert names(g.as_graph_def()) == names(graph)
        again = g.as_graph_def()
    with tf.Graph().as_default(), v1.Session() as session:  # what was imported is written again
        x = v1.placeholder(tf.float32, [3, 2])
        (y,) = tf.graph_util.import_graph_def(
            again, input_map={"x:0": x * 2}, return_elements=["swapped:0"], name="part"
        )
        assert (y.name, y.shape) == ("part/swapped:0", (3, 2))
        (slope,) = tf.gradients(tf.reduce_sum(y), x)
        values, slopes = session.run([y, slope], {x: np.ones([3, 2])})
        assert values.tolist() == [[13, 9]] * 3
        assert slopes.tolist() == [[6, 14]] * 3
        tf.import_graph_def(again, name="")
        tf.import_graph_def(again, name="")
        assert session.run("swapped_1:0", {"x_1:0": X}).tolist() == [[11, 8]]


def test_graphs_as_text() -> None:
    graph = frozen()
    assert str(parse(v1.GraphDef, str(graph))) == str(graph)
    text = """
      # by hand
      node { name: 'x', op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
             attr < key: "shape"; value: { shape { dim { size: -1 } dim: { size: 2 } } } > }
      node: { name: "y" op: "S" "um" input: ["x", "axis"] experimental { unknown: [1, { a: -2 }] } }
      node { name: "axis" op: "Const" attr { key: "value" value { tensor {
        dtype: DT_INT32 tensor_shape {} int_val: 0x1 } } } }
    """
    with tf.Graph().as_default(), v1.Session() as session:
        tf.import_graph_def(parse(v1.GraphDef, text), name="")
        assert session.run("y:0", {"x:0": X}).tolist() == [3]
    for wrong in (
        "node {",
        "node { name: 3 }",
        "node { name }",
        'node { name: "a }',
        "node }",
        "&",
    ):
        with pytest.raises(tf.errors.DataLossError, match="the text of a message is damaged"):
            parse(v1.GraphDef, wrong)


def refused() -> list[tuple[Callable[[Any], Any], type[Exception], str]]:
    """What is refused, with TensorFlow's words."""
    of = tf.import_graph_def
    return [
        (lambda g: of(3), TypeError, "Argument `graph_def` must be a GraphDef proto"),
        (lambda g: of(g, input_map=3), TypeError, "`input_map` must be a dictionary. Obtained int"),
        (lambda g: of(g, {"zz:0": 1.0}), ValueError, "inputs that were not found in graph_def: "),
        (lambda g: of(g, None, ["zz"]), ValueError, "Requested return node 'zz' not found in"),
        (lambda g: of(g, None, ["zz:0"]), ValueError, "Requested return tensor 'zz:0' not found"),
        (lambda g: of(g, None, ["x:3"]), ValueError, "Invalid return output 3 of node 'x', which"),
    ]


def test_what_is_refused() -> None:
    graph = frozen()
    for call, kind, says in refused():
        with tf.Graph().as_default(), pytest.raises(kind, match=says):
            call(graph)
    graph.node[-1].op = "Frobnicate"
    with tf.Graph().as_default() as g:
        tf.import_graph_def(graph, name="")
        assert g.get_tensor_by_name("halves:1").shape == (None, 1)
        with pytest.raises(tf.errors.UnimplementedError, match=r"Frobnicate \(node swapped\)"):
            g.get_tensor_by_name("swapped:0")
    graph.node[-1].op = "ReadFile"
    with tf.Graph().as_default(), pytest.raises(tf.errors.UnimplementedError, match="ReadFile"):
        tf.import_graph_def(graph, return_elements=["swapped:0"])
    graph.node[0].input.append("swapped")
    with tf.Graph().as_default(), pytest.raises(tf.errors.DataLossError, match="waits for itself"):
        tf.import_graph_def(graph)


def test_parts_of_graphs() -> None:
    util, graph = v1.graph_util, frozen()
    assert names(util.extract_sub_graph(graph, ["trains", "w/read"])) == [
        *("w", "w/read", "trains/input", "trains")
    ]
    kept = util.remove_training_nodes(graph, ["w/read"])
    assert names(kept) == [n for n in names(graph) if n != "cond/Identity"]
    assert kept.node[-3].input == ["halves/split_dim", "cond"]
    for wanted, kind, says in (
        (["zz"], AssertionError, "zz is not in graph"),
        ("cond", TypeError, "dest_nodes must be an iterable of strings"),
    ):
        with pytest.raises(kind, match=says):
            util.extract_sub_graph(graph, wanted)
    pinned = [node.name for node in graph.node if util.must_run_on_cpu(node)]
    assert pinned == ["halves/split_dim", "swapped/axis"]


def test_meta_graphs() -> None:
    """With Variables, their initial values, and a Saver of them."""
    with pytest.raises(RuntimeError, match="Exporting/importing meta graphs is not supported when"):
        v1.train.import_meta_graph(THEIRS / "meta" / "m.meta")
    with tf.Graph().as_default(), v1.Session() as session:
        v1.train.import_meta_graph(THEIRS / "meta" / "m.meta")
        (w,) = v1.trainable_variables()
        assert v1.global_variables() == [w]
        session.run(v1.global_variables_initializer())
        assert session.run("w:0").tolist() == [[1, 2], [3, 4]]
        session.run(w.assign(w * 2.0))
        graph = v1.graph_util.convert_variables_to_constants(
            session, session.graph_def, ["swapped"]
        )
        assert session.run("swapped:0", {"x:0": X}).tolist() == [[21, 15]]
    with tf.Graph().as_default(), v1.Session() as session:
        (y,) = tf.import_graph_def(graph, return_elements=["swapped:0"])
        assert session.run(y, {"import/x:0": X}).tolist() == [[21, 15]]
        saver = v1.train.import_meta_graph(THEIRS / "meta" / "m.meta", import_scope="q")
        saver.restore(session, str(THEIRS / "meta" / "m"))
        assert [v.name for v in v1.global_variables()] == ["q/w:0"]
        assert session.run("q/swapped:0", {"q/x:0": X}).tolist() == [[11, 8]]


def test_wrapped_functions() -> None:
    graph = frozen()
    wrapped = v1.wrap_function(lambda: v1.import_graph_def(graph, name=""), [])
    element = wrapped.graph.as_graph_element
    pruned = wrapped.prune(element("x:0"), {"y": element("swapped:0")})
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = pruned(x)["y"]
    assert y.numpy().tolist() == [[11, 8]]
    assert tape.gradient(y, x).numpy().tolist() == [[3, 7]]

    def counted(x: Any) -> Any:
        v = v1.get_variable("v", initializer=2.0)
        with tf.control_dependencies([v.assign_add(1.0)]):
            return x * v1.identity(v)

    scaled = v1.wrap_function(counted, [tf.TensorSpec([], tf.float32)])
    assert [float(scaled(2.0)), float(scaled(2.0)), float(scaled.variables[0])] == [6, 8, 4]
