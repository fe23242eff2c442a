"""Functions as graphs, and the functions that run meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tfc as tf
from tests.summary.events import array_of, events
from tfc.records.graph import GraphDef, RunMetadata
from tfc.summary.graphs import graph_of

summary = tf.summary


@tf.function
def looped(x: Any, n: Any) -> Any:
    for _ in tf.range(n):
        x = tf.tanh(x)
    if tf.reduce_sum(x) > 0.0:
        x = x * 2.0
    return x + 1.0, x


def test_nodes_are_ops_by_their_lines() -> None:
    first = looped.python_function.__code__.co_firstlineno
    concrete = looped.get_concrete_function(tf.TensorSpec([3]), tf.TensorSpec([], tf.int32))
    graph = graph_of([(concrete.name, concrete.function)])
    nodes = {node.name: node for node in graph.node}
    assert len(nodes) == len(graph.node)
    assert nodes["x"].op == "Placeholder" and nodes["x"].attr["dtype"].type == 1
    assert nodes["x"].attr["_output_shapes"].list.shape[0].dim[0].size == 3
    (add,) = (n for n in graph.node if n.name.startswith(f"line_{first + 6}/add"))
    assert add.op == "Add" and nodes["output_0"].input == [add.name]
    (tanh,) = (n for n in graph.node if n.op == "Tanh")
    assert f"/body/line_{first + 3}/" in tanh.name  # inside of the loop's node
    loop = nodes[tanh.name.split("/body/")[0]]
    assert any(name.startswith(f"^{loop.name}/body/") for name in loop.input)
    known = {name.lstrip("^").partition(":")[0] for n in graph.node for name in n.input}
    assert known <= set(nodes)
    both = graph_of([("f", concrete.function), ("f", concrete.function)])
    assert {n.name.split("/")[0] for n in both.node} == {"f", "f_1"}
    assert GraphDef.FromString(both.SerializeToString()) == both


def test_graph(tmp_path: Path) -> None:
    f = tf.function(lambda x: x * 2.0)
    f(tf.constant(1.0)), f(tf.constant([1.0]))
    concrete = f.get_concrete_function(tf.TensorSpec([]))
    assert not summary.graph(f)
    with summary.create_file_writer(tmp_path).as_default():
        for what in (f, concrete, concrete.graph, [f]):
            assert summary.graph(what)
        with summary.record_if(False):
            assert not summary.graph(f)
        with pytest.raises(ValueError, match="graph context"):
            tf.function(lambda: summary.graph(f))()
    whole, one, *_ = (GraphDef.FromString(e.graph_def) for e in events(tmp_path))
    assert {n.name.split("/")[0] for n in whole.node} == {"lambda", "lambda_1"}
    assert one.node[0].name == "x"


def test_traces(tmp_path: Path) -> None:
    """What runs between `trace_on` and `trace_export`, traced then or before."""
    f, g, h = (tf.function(lambda x, k=k: x * k) for k in (2.0, 3.0, 4.0))
    x = tf.constant(1.0)
    f(x), h(x)
    with summary.create_file_writer(tmp_path).as_default():
        with pytest.raises(ValueError, match="Must enable trace"):
            summary.trace_export("none", step=0)
        summary.trace_on()
        with pytest.warns(UserWarning, match="already"):
            summary.trace_on()
        f(x), f(x), g(x)
        summary.trace_export("mine", step=4)
        h(x)
        summary.trace_on()
        summary.trace_off()
        with pytest.raises(ValueError, match="Must enable trace"):
            summary.trace_export("none", step=0)
        summary.trace_on(profiler=True, profiler_outdir=tmp_path / "profile")
        f(x)
        summary.trace_off()
        with pytest.raises(ValueError, match="profiler_outdir"):
            summary.trace_on(profiler=True)
    (event,) = events(tmp_path)
    (value,) = event.summary.value
    plugin = value.metadata.plugin_data
    assert (value.tag, event.step) == ("mine", 4)
    assert (plugin.plugin_name, plugin.content) == ("graph_run_metadata_graph", b"1")
    metadata = RunMetadata.FromString(array_of(value.tensor).item())
    nodes = metadata.function_graphs[0].pre_optimization_graph.node
    assert {n.name.split("/")[0] for n in nodes} == {"lambda", "lambda_1"}
    constants = {n.attr["value"].s for n in nodes if n.op == "Const"}
    assert constants == {b"2.0", b"3.0"}
    assert list((tmp_path / "profile").iterdir())
