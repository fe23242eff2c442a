"""Graphs that TensorFlow 2.21 wrote become parts of graphs (see saved_model/of_tensorflow.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.records.meta_graph import SavedModel
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


def test_switches() -> None:
    """Branches of TensorFlow 1's, one in another: both sides, and a choice."""
    graph = v1.GraphDef.FromString((THEIRS / "switches.pb").read_bytes())
    assert {"Switch", "Merge"} <= {node.op for node in graph.node}
    with tf.Graph().as_default(), v1.Session() as session:
        tf.import_graph_def(graph, name="")
        for x, holds, wanted in (
            ([[2, 3]], True, [[4, 6]]),
            ([[0, 3]], True, [[-1, 2]]),
            ([[2, 3]], False, [[-2, -3]]),
        ):
            assert session.run("y:0", {"x:0": x, "holds:0": holds}).tolist() == wanted
        graph.node.add(name="again", op="NextIteration", input=["loop"])
        graph.node.add(name="loop", op="Merge", input=["x", "again"])
        with pytest.raises(tf.errors.UnimplementedError, match="a loop of TensorFlow 1's"):
            tf.import_graph_def(graph)


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


def trained(session: Any) -> Any:
    """A graph of tfc's own, with a step of training and a branch."""
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    w = v1.get_variable("w", initializer=np.float32([[1, 2], [3, 4]]))
    k = v1.placeholder_with_default(2.0, [], name="k")
    z = tf.multiply(tf.nn.relu(x @ w), k, name="z")
    tf.cond(tf.reduce_sum(x) > 2, lambda: z * 2, lambda: z - 1).op.graph.add_to_collection("c", z)
    step = v1.train.get_or_create_global_step()
    descent = v1.train.GradientDescentOptimizer(0.5)
    descent.minimize(tf.reduce_sum(z), global_step=step, name="train")
    session.run(v1.global_variables_initializer())
    return x, z


def test_graphs_of_ones_own(tmp_path: Path) -> None:
    """They are written as nodes, and go on elsewhere: trained, and as saved models."""
    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        x, z = trained(session)
        wanted = session.run(z, {x: X})
        v1.saved_model.simple_save(session, folder, {"x": x}, {"z": z})
        v1.train.export_meta_graph(tmp_path / "graph.meta", as_text=True)
        path = v1.train.Saver().save(session, str(tmp_path / "c"))
        times = v1.train.get_checkpoint_mtimes([path, str(tmp_path / "none")])
        assert times == [(tmp_path / "c.index").stat().st_mtime]
    model = tmp_path / "model" / "saved_model.pb"
    text = str(SavedModel.FromString(model.read_bytes()))
    (model.parent / "saved_model.pbtxt").write_text(text)
    model.unlink()
    assert tf.saved_model.contains_saved_model(folder)
    loaded = tf.saved_model.load(folder).signatures["serving_default"]
    np.testing.assert_array_equal(loaded(x=tf.constant(X))["z"], wanted)
    for of_model in (False, True):
        with tf.Graph().as_default(), v1.Session() as session:
            if of_model:
                message = v1.saved_model.loader.load(session, ["serve"], folder)
                info = message.signature_def["serving_default"].outputs["z"]
                assert v1.saved_model.get_tensor_from_tensor_info(info).name == "z:0"
            else:
                of_saver = tmp_path / "c.meta"
                assert of_saver.stat().st_size < (tmp_path / "graph.meta").stat().st_size
                saver = v1.train.import_meta_graph(tmp_path / "graph.meta")
                saver.restore(session, path)
            (z,) = v1.get_collection("c")
            np.testing.assert_array_equal(session.run(z, {"x:0": X}), wanted)
            assert session.run("z:0", {"x:0": X, "k:0": 0.5}).tolist() == [[3.5, 5]]
            session.run("train", {"x:0": X})
            w, step = session.run(v1.global_variables())
            assert (w.tolist(), step) == ([[0, 1], [1, 2]], 1)
            assert [v.name for v in v1.trainable_variables()] == ["w:0"]
            session.run(v1.global_variables_initializer())
            np.testing.assert_array_equal(session.run(z, {"x:0": X}), wanted)


def test_nodes_that_were_changed() -> None:
    """What a node says that it is must be tensor ops of its inputs."""
    with tf.Graph().as_default() as g:
        tf.negative(v1.placeholder(tf.float32, [2], name="x"), name="y")
        graph = g.as_graph_def()
    text = graph.node[-1].attr["_tfc_ir"].s
    for changed in (b"nothing", text.replace(b"f32", b"i32"), text.replace(b" neg", b" store")):
        graph.node[-1].attr["_tfc_ir"].s = changed
        with tf.Graph().as_default(), pytest.raises(tf.errors.DataLossError):
            tf.import_graph_def(graph)


def test_signatures_of_graphs(tmp_path: Path) -> None:
    made, strings = v1.saved_model, v1.constant(["a"])
    with tf.Graph().as_default(), v1.Session() as session:
        e, f = v1.placeholder(tf.string, [None], name="e"), v1.placeholder(tf.float32, [None])
        for call, kind, inputs, outputs in (
            (lambda: made.classification_signature_def(e, None, f), "classify", "inputs", "scores"),
            (
                lambda: made.classification_signature_def(e, e, None),
                "classify",
                "inputs",
                "classes",
            ),
            (lambda: made.regression_signature_def(e, f), "regress", "inputs", "outputs"),
            (lambda: made.predict_signature_def({"a": e}, {"b": f}), "predict", "a", "b"),
        ):
            signature = call()
            assert signature.method_name == f"tensorflow/serving/{kind}"
            assert (list(signature.inputs), list(signature.outputs)) == ([inputs], [outputs])
            assert made.is_valid_signature(signature)
        assert not made.is_valid_signature(made.build_signature_def(method_name="other"))
        for call, error, says in (
            (lambda: made.predict_signature_def({}, {}), ValueError, "`inputs` cannot be None or"),
            (lambda: made.classification_signature_def(e, None, None), ValueError, "cannot both"),
            (lambda: made.classification_signature_def(f, None, f), ValueError, "must be of type"),
            (lambda: made.regression_signature_def(1, f), ValueError, "to be of type Tensor"),
            (lambda: made.build_tensor_info(strings), RuntimeError, "not supported in eager"),
            (lambda: made.Builder(THEIRS), AssertionError, "already exists, and isn't empty"),
            (lambda: made.load(session, ["x"], THEIRS / "graph"), RuntimeError, "tags 'x' could"),
            (
                lambda: made.load(session, ["x"], tmp_path),
                OSError,
                "SavedModel file does not exist",
            ),
        ):
            with pytest.raises(error, match=says):
                call()


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
