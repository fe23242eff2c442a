"""Sessions that begin, save and stop by themselves, what they call around their runs, and queues
that threads fill: TensorFlow 1's training loops."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc.compat.v1 as v1

tf: Any = v1


@pytest.fixture(autouse=True)
def graph() -> Iterator[Any]:
    """A graph of its own for each program."""
    with tf.Graph().as_default() as made:
        yield made


class Trace(tf.train.SessionRunHook):
    """Notes what it is called for."""

    def __init__(self, fetches: Any = None) -> None:
        self.fetches, self.seen = fetches, list[Any]()

    def begin(self) -> None:
        self.seen.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.seen.append("created")

    def before_run(self, run_context: Any) -> Any:
        return None if self.fetches is None else tf.train.SessionRunArgs(self.fetches)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.seen.append(run_values.results)

    def end(self, session: Any) -> None:
        self.seen.append("end")


class Listener(tf.train.CheckpointSaverListener):
    """Stops at the third step."""

    def __init__(self) -> None:
        self.saved = list[int]()

    def after_save(self, session: Any, global_step_value: int) -> bool:
        self.saved.append(global_step_value)
        return global_step_value >= 3


def test_training_goes_on_where_it_was_saved(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What is logged, saved and summed up, of two runs of one program: TensorFlow's."""
    caplog.set_level(logging.INFO, "tensorflow")
    for last in (5, 10):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            x = tf.placeholder(tf.float32, [None])
            w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0))
            loss = tf.reduce_mean(tf.square(w * x - 1.0), name="loss")
            tf.summary.scalar("l", loss)
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
            seen, final = Trace({"w": w}), tf.train.FinalOpsHook(step)
            hooks = [
                tf.train.StopAtStepHook(num_steps=5),
                tf.train.LoggingTensorHook({"w": w}, every_n_iter=2),
                tf.train.NanTensorHook(loss),
                seen,
                final,
            ]
            with tf.train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path),
                hooks=hooks,
                save_checkpoint_steps=3,
                save_summaries_steps=2,
                log_step_count_steps=4,
            ) as session:
                while not session.should_stop():
                    session.run(train, {x: [1.0, 2.0]})
            assert final.final_ops_values == last and seen.seen[-1] == "end"
    state = tf.train.get_checkpoint_state(str(tmp_path))
    saved = [os.path.basename(p) for p in state.all_model_checkpoint_paths]
    assert saved == [f"model.ckpt-{n}" for n in (0, 3, 5, 8, 10)]
    names = {re.sub(r"events.*", "events", name) for name in os.listdir(tmp_path)}
    assert {"graph.pbtxt", "events", "checkpoint"} <= names
    found = [
        event.step
        for path in sorted(tmp_path.glob("events*"))
        for event in tf.train.summary_iterator(path)
        if [v.tag for v in event.summary.value] == ["l"]
    ]
    assert found == [1, 3, 5, 6, 8, 10]
    messages = [re.sub(r"\(.*| into .*|: [\d.e+]+$", "", r.getMessage()) for r in caplog.records]
    assert messages.count("Saving checkpoints for 3") == 1
    assert "w = 3.0" in messages and "global_step/sec" in messages


def test_hooks_stop_and_raise(tmp_path: Path) -> None:
    step = tf.train.create_global_step()
    x = tf.placeholder(tf.float32, [], name="x")
    y, more, seen = x * 2.0, tf.assign_add(step, 1), Trace("x:0")
    listener = Listener()
    saver = tf.train.CheckpointSaverHook(
        str(tmp_path), save_steps=1, saver=tf.train.Saver(), listeners=[listener]
    )
    feeds = tf.train.FeedFnHook(lambda: {x: 4.0})
    with tf.train.MonitoredSession(hooks=[seen, saver, feeds]) as session:
        while not session.should_stop():
            session.run(more)
        with pytest.raises(RuntimeError, match="Run called even after should_stop requested"):
            session.run(y)
    assert listener.saved == [0, 1, 2, 3] and seen.seen == [
        "begin",
        "created",
        4.0,
        4.0,
        4.0,
        "end",
    ]
    nan = tf.train.NanTensorHook(y)
    with pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN loss"):  # noqa: SIM117
        with tf.train.MonitoredSession(hooks=[nan]) as session:
            session.run(y, {x: np.nan})
    with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(y, False)]) as session:
        session.run(y, {x: np.nan})
        assert session.should_stop()
    with tf.train.MonitoredSession() as session:  # data that is at its end is no error
        raise tf.errors.OutOfRangeError(None, None, "over")
    other = Trace()
    with pytest.raises(ValueError, match="mine"):  # noqa: SIM117
        with tf.train.SingularMonitoredSession(hooks=[other]) as session:
            raise ValueError("mine")
    assert other.seen == ["begin", "created"] and session.should_stop()
    with pytest.raises(RuntimeError, match="already closed"):
        session.run(y)


def test_sessions_that_are_lost_are_made_anew() -> None:
    v = tf.Variable(1.0)
    lost, seen = [True], Trace()

    class Loses(tf.train.SessionRunHook):  # type: ignore[misc]
        def before_run(self, run_context: Any) -> None:
            if lost.pop():
                raise tf.errors.AbortedError(None, None, "gone")
            lost.append(False)

    with tf.train.MonitoredSession(hooks=[seen, Loses()]) as session:
        lost.insert(0, False)
        assert session.run(v) == 1.0
    assert seen.seen == ["begin", "created", "created", None, "end"]


def test_what_is_wrong_is_said() -> None:
    train = tf.train
    for make, text in {
        train.StopAtStepHook: "One of num_steps or last_step",
        lambda: train.StopAtStepHook(1, 2): "Only one of num_steps",
        lambda: train.LoggingTensorHook([]): "either at_end and/or exactly one",
        lambda: train.LoggingTensorHook([], every_n_iter=0): "invalid every_n_iter=0",
        train.SecondOrStepTimer: "Either every_secs or every_steps",
        lambda: train.StepCounterHook(None): "exactly one of every_n_steps",
        train.SummarySaverHook: "Exactly one of scaffold or summary_op",
        train.QueueRunner: "queue and enqueue_ops are required",
    }.items():
        with pytest.raises(ValueError, match=text):
            make()
    v, _ = tf.Variable(1.0), tf.Variable(2.0)
    with pytest.raises(RuntimeError, match="Global step should be created"):
        train.MonitoredSession(hooks=[train.StopAtStepHook(last_step=1)])
    with pytest.raises(RuntimeError, match="not initialized: Variable_1"):
        train.SingularMonitoredSession(scaffold=train.Scaffold(init_op=v.initializer))


def test_threads_fill_queues() -> None:
    """Batches of a shuffled queue, until its source is at its end; then sessions end quietly."""
    count = tf.Variable(0, name="count")
    queue = tf.RandomShuffleQueue(16, 4, [tf.float32, tf.int32], shapes=[[2], []], seed=1)
    number = tf.count_up_to(count, 20)
    filled = queue.enqueue([tf.fill([2], tf.cast(number, tf.float32)), number])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [filled] * 2))
    rows, numbers = queue.dequeue_many(5)
    seen = list[int]()
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            a, b = session.run([rows, numbers])
            assert (a == b[:, None]).all()
            seen += b.tolist()
    assert len(seen) >= 15 and set(seen) <= set(range(20)) and seen != sorted(seen)
    with tf.Session() as session:
        assert session.run(queue.size()) == 0  # each session has elements of its own


def test_a_supervisor(tmp_path: Path) -> None:
    step = tf.train.create_global_step()
    more = tf.assign_add(step, 1)
    for last in (3, 5):
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
        with supervisor.managed_session() as session:
            while not supervisor.should_stop():
                if session.run(more) == last:
                    supervisor.request_stop()
            supervisor.saver.save(session, supervisor.save_path, step)
    assert (tmp_path / "graph.pbtxt").exists()
    assert os.path.basename(tf.train.latest_checkpoint(str(tmp_path))) == "model.ckpt-5"
