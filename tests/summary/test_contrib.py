"""Summaries as TensorFlow 1's programs write them."""

from __future__ import annotations

from pathlib import Path

import pytest

import tfc as tf
import tfc.compat.v1 as v1
from tests.summary.events import events, scalars


def test_contrib(tmp_path: Path) -> None:
    step = tf.Variable(0, dtype=tf.int64)
    summary = tf.contrib.summary
    with summary.create_file_writer(tmp_path).as_default():
        assert not summary.scalar("a", 1.0, step=step) and not summary.should_record_summaries()
        with summary.always_record_summaries():
            assert (
                summary.scalar("a", 1.0, family="f", step=5) and summary.should_record_summaries()
            )
            summary.histogram("h", [1.0], step=5)
            summary.image("i", tf.zeros([1, 2, 2, 1]), step=5)
            summary.audio("s", tf.zeros([1, 2, 1]), 8000, 1, step=5)
            summary.generic("g", [1], step=5)
        with summary.never_record_summaries():
            assert not summary.scalar("a", 1.0, step=5)
        for _ in range(7):
            with summary.record_summaries_every_n_global_steps(3, step):
                summary.scalar("b", 2.0, step=step)
            step.assign_add(1)
        with summary.create_file_writer(None).as_default(), summary.always_record_summaries():
            assert not summary.scalar("a", 1.0)
    assert scalars(tmp_path) == [("f/a", 5, 1.0), ("b", 0, 2.0), ("b", 3, 2.0), ("b", 6, 2.0)]
    assert [e.summary.value[0].tag for e in events(tmp_path)][1:5] == ["h", "i", "s", "g"]


def test_the_global_step_counts(tmp_path: Path) -> None:
    step = v1.train.get_or_create_global_step()
    before = int(step)
    summary = tf.contrib.summary
    writer = summary.create_file_writer(tmp_path)
    with writer.as_default(), summary.always_record_summaries():
        step.assign_add(2)
        summary.scalar("a", 1.0)
    assert scalars(tmp_path) == [("a", before + 2, 1.0)]
    step.assign(before)


def test_file_writer(tmp_path: Path) -> None:
    f = tf.function(lambda x: x + 1.0).get_concrete_function(tf.TensorSpec([]))
    writer = v1.summary.FileWriter(tmp_path, graph=f.graph)
    merged = v1.summary.merge([v1.summary.scalar("a", 1.0), v1.summary.scalar("b", 2, family="f")])
    writer.add_summary(merged, 3)
    writer.add_summary(v1.Summary(value=[{"tag": "c", "simple_value": 3}]), tf.constant(4))
    writer.add_session_log(v1.SessionLog(status=1), 5)
    writer.add_event(v1.Event(wall_time=1.5, step=6))
    writer.add_run_metadata(v1.RunMetadata(), "run", 7)
    writer.close()
    with pytest.raises(RuntimeError, match="closed"):
        writer.add_summary(merged)
    writer.reopen()
    writer.add_graph(v1.GraphDef())
    writer.flush()
    graph, both, one, log, event, run, last = events(Path(writer.get_logdir()))
    assert v1.GraphDef.FromString(graph.graph_def).node[0].op == "Placeholder"
    values = [(v.tag, v.simple_value) for v in both.summary.value]
    assert values == [("a", 1.0), ("f/f/b", 2.0)] and both.step == 3
    assert (one.step, one.summary.value[0].tag) == (4, "c") and log.session_log.status == 1
    assert (event.wall_time, event.step) == (1.5, 6) and run.tagged_run_metadata.tag == "run"
    assert last.WhichOneof("what") == "graph_def"
    for wrong in (lambda: writer.add_event(5), lambda: v1.summary.scalar("a", [1.0])):
        with pytest.raises((TypeError, ValueError)):
            wrong()
