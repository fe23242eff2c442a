"""The graphs of functions: `concrete.graph`, and `x.graph` while a function is traced."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf


@tf.function
def f(x: Any, y: float = 1.0) -> Any:
    z = tf.matmul(x, x)
    return {"a": z * f.v, "b": (y, tf.reduce_sum(z))}


f.v = tf.Variable(2.0, name="v")  # type: ignore[attr-defined]


def test_a_concrete_function_has_a_graph() -> None:
    concrete = f.get_concrete_function(tf.TensorSpec([None, 3]))
    graph = concrete.graph
    assert graph is concrete.graph and isinstance(graph, tf.Graph)
    assert graph.name == concrete.name and graph.building_function
    operations = graph.get_operations()
    assert [op.type for op in operations[:2]] == ["Placeholder", "Placeholder"]
    names = [op.name for op in operations]
    assert len(set(names)) == len(names) and all(isinstance(op, tf.Operation) for op in operations)
    assert [x.name for x in graph.inputs] == ["x:0", "v:0"]
    assert [x.shape.rank for x in graph.outputs] == [2, 0, 0]
    for x in (*graph.inputs, *graph.outputs):
        assert x.graph is graph and graph.get_tensor_by_name(x.name).name == x.name
    product = graph.structured_outputs["a"].op
    assert product.type == "Mul" and graph.get_operation_by_name(product.name).name == product.name
    assert graph.inputs[1].name in [x.name for x in product.inputs[1].op.inputs]  # broadcast
    assert graph.structured_input_signature == concrete.structured_input_signature
    assert graph.variables == concrete.variables == graph.trainable_variables
    assert [(outer is f.v, inner.name) for outer, inner in graph.captures] == [(True, "v:0")]
    assert graph.external_captures == [f.v] and len(graph.internal_captures) == 1
    kinds = [node.op for node in graph.as_graph_def().node]
    assert kinds.count("Placeholder") == 2 and "Matmul" in kinds


def test_what_a_graph_refuses() -> None:
    graph = f.get_concrete_function(tf.TensorSpec([3, 3])).graph
    with pytest.raises(KeyError, match="refers to a Tensor which does not exist"):
        graph.get_tensor_by_name("nobody:0")
    with pytest.raises(KeyError, match="refers to an Operation not in the graph"):
        graph.get_operation_by_name("nobody")
    with pytest.raises(tf.errors.UnimplementedError, match="make a function that calls it"):
        graph.as_default()
    with pytest.raises(tf.errors.InaccessibleTensorError):
        graph.outputs[0] + 1.0


def test_the_graph_of_what_is_traced() -> None:
    seen: list[Any] = []

    @tf.function
    def g(x: Any) -> Any:
        y = x + 1.0
        seen.extend([x.graph, y.graph, y.op, y.op.inputs[0].name])
        assert tf.compat.v1.get_default_graph().building_function
        with pytest.raises(ValueError, match="is being traced"):
            x.graph.outputs  # noqa: B018
        return y * 2.0

    g(tf.constant(1.0))
    one, other, op, name = seen
    assert one is other and isinstance(one, tf.Graph) and one.name == "g"
    assert op.type == "Add" and name == "x:0"
    assert not tf.Graph().building_function


def test_graphs_by_the_names_of_today() -> None:
    assert tf.Graph is tf.compat.v1.Graph
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None])
        y = tf.nn.relu(x) * 2.0
    with tf.compat.v1.Session(graph=graph) as session:
        assert session.run(y, {x: [1.0, -1.0]}).tolist() == [2.0, 0.0]


def test_print_of_tensorflow_1(capfd: pytest.CaptureFixture[str]) -> None:
    v1 = tf.compat.v1
    data = [[1.0, 2.0, 3.0, 4.0], "a", [[1, 2], [3, 4]], [True]]
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        twice = v1.Print(x, data, "msg: ", first_n=2, summarize=2)
        once = v1.Print(x, [[1e-7, 1 / 3], data[2]])
        total = tf.reduce_sum(twice * x)
        for _ in range(3):
            assert session.run(total, {x: [1.0, 2.0]}) == 5.0
        assert session.run(v1.gradients(total, x)[0], {x: [1.0, 2.0]}).tolist() == [2.0, 4.0]
        session.run(once, {x: [1.0, 2.0]})
    lines = capfd.readouterr().err.splitlines()  # as TensorFlow 2.21 prints them
    assert [line for line in lines if line.startswith("msg")] == [
        "msg: [1 2...][a][[1 2]...][1]"
    ] * 2
    assert "[1e-07 0.333333343][[1 2][3...]...]" in lines


def test_orders_of_graphs_by_the_names_of_today() -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(0.0)
        session.run(v1.global_variables_initializer())
        first = v.assign_add(1.0)
        (sum_,) = tf.tuple([v1.constant(1.0) + 0.0], [tf.group(first, tf.no_op())])
        with tf.control_dependencies([v.assign_add(10.0)]):
            last = v1.identity(v1.constant(5.0))
        for number in (1.0, 2.0):
            assert session.run(sum_) == 1.0
            assert session.run(v) == number
        assert session.run(last) == 5.0 and session.run(v) == 12.0
