"""Summaries: what is recorded, when and where, and what stands in the files."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import subprocess
import sys
import threading
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.summary.events import array_of, events, scalars
from tfc.summary import encoding

summary = tf.summary


def test_scalars_have_tags_steps_and_values(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default(step=7):
        assert summary.scalar("a", 0.5)
        assert summary.scalar("b", tf.constant(3), step=2**40)
        with tf.name_scope("layer"), tf.name_scope("inner"):
            summary.scalar("c", np.float64(1e300), step=tf.constant(1))
        summary.scalar("d", tf.Variable(2.0, dtype=tf.bfloat16), step=tf.Variable(9))
        summary.scalar("e", True, step=np.int64(3))
        summary.scalar("f", 1e300, step=0)
    expected = [
        ("a", 7, 0.5),
        ("b", 2**40, 3.0),
        ("layer/inner/c", 1, float("inf")),
        ("d", 9, 2.0),
        ("e", 3, 1.0),
        ("f", 0, float("inf")),
    ]
    assert scalars(tmp_path) == expected


# What TensorFlow 2.21 writes, of the same calls.
OF_TENSORFLOW = {
    "loss": "0a2a0a046c6f7373420a0801120022040000003f4a160a090a077363616c617273"
    "1a096f66202a656163682a",
    "t": "0a1e0a0174420f0807120412020802420161420262634a080a060a0474657874",
    "a": "0a640a016142500807120812020801120208024240524946463800000057415645666d742010000000010002"
    "00401f0000007d000004001000646174611400000000808988abaacdccefee1111333355557777ff7f42004a0d0a0b0a05"
    "617564696f1202100b",
    "w": "0a170a01774212080312041202080222080100000002000000",
    "h": "0a530a0168423e0802120812020802120208032230000000000000000000000000000014400000000000"
    "00104000000000000014400000000000002440000000000000f03f4a0e0a0c0a0a686973746f6772616d73",
}


def test_bytes_are_those_of_tensorflow(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default():
        summary.scalar("loss", 0.5, step=3, description="of *each*")
        summary.text("t", ["a", "bc"], step=1)
        sound = np.linspace(-1.2, 1.2, 10, dtype=np.float32).reshape(1, 5, 2)
        summary.audio("a", sound, 8000, step=1)
        summary.write("w", tf.constant([1, 2]), step=1)
        summary.histogram("h", [0.0, 1.0, 2.0, 2.0, 10.0], step=1, buckets=2)
    written = {
        e.summary.value[0].tag: e.summary.SerializeToString().hex() for e in events(tmp_path)
    }
    assert written == OF_TENSORFLOW


def test_buckets() -> None:
    x = np.random.default_rng(0).normal(size=1000)
    table = encoding.buckets(x, 30)
    counts, edges = np.histogram(x, 30)
    assert (table[:, 2] == counts).all() and table[0, 0] == x.min() and table[-1, 1] == x.max()
    assert np.allclose(table[:, 0], edges[:-1]) and np.allclose(table[:, 1], edges[1:])
    assert encoding.buckets(np.full(5, 2.0), 3).tolist() == [[2, 2, 0], [2, 2, 0], [2, 2, 5]]
    assert encoding.buckets(np.array([]), 2).tolist() == [[0, 0, 0]] * 2
    assert encoding.buckets(np.array([1.0]), 0).shape == (0, 3)
    gone = np.array([np.nan, 1.0, np.inf, 3.0])
    assert encoding.buckets(gone, 2).tolist() == [[1, 2, 1], [2, 3, 1]]
    wide = encoding.buckets(np.array([-1.6e308, 1.6e308]), 2)
    assert wide.tolist() == [[-1.6e308, 0, 1], [0, 1.6e308, 1]]
    assert encoding.buckets(np.array([True, False]), 2)[:, 2].tolist() == [1, 1]


def test_images_and_sounds_are_files_of_them(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pictures = np.random.default_rng(0).integers(0, 256, (2, 5, 7, 3)).astype(np.uint8)
    with summary.create_file_writer(tmp_path).as_default(step=0):
        for channels in (1, 2, 3, 4):
            summary.image("i", pictures[:, :, :, [0, 1, 2, 0][:channels]], max_outputs=1)
        summary.image("f", [[[[0.0], [0.5], [1.0], [2.0], [-1.0]]]])
        summary.audio("a", tf.zeros([1, 8, 2]), 8000)
    *images, floats, sound = [array_of(e.summary.value[0].tensor) for e in events(tmp_path)]
    for channels, parts in enumerate(images, 1):
        assert parts[:2].tolist() == [b"7", b"5"] and len(parts) == 3
        read = np.asarray(image.open(io.BytesIO(parts[2]))).reshape(5, 7, channels)
        assert (read == pictures[0][:, :, [0, 1, 2, 0][:channels]]).all()
    assert np.asarray(image.open(io.BytesIO(floats[2]))).tolist() == [[0, 127, 255, 255, 0]]
    with wave.open(io.BytesIO(sound[0, 0])) as file:
        assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (8000, 2, 8)


def test_what_is_recorded(tmp_path: Path) -> None:
    assert not summary.scalar("a", 1.0, step=0)  # no writer
    writer = summary.create_file_writer(tmp_path)
    with writer.as_default():
        with pytest.raises(ValueError, match="No step set"):
            summary.scalar("a", 1.0)
        with summary.record_if(False):
            assert not summary.scalar("a", 1.0) and not summary.should_record_summaries()
        with summary.record_if(tf.constant(True)), summary.create_noop_writer().as_default():
            assert not summary.scalar("a", 1.0, step=1) and not summary.should_record_summaries()
        made: list[int] = []
        with summary.record_if(lambda: summary.experimental.get_step() % 2 == 0):
            for step in range(4):
                summary.experimental.set_step(step)
                summary.write("w", lambda: made.append(1) or 5)  # type: ignore[func-returns-value]
        assert len(made) == 2
        summary.experimental.set_step(None)
    assert [e.step for e in events(tmp_path)] == [0, 2]
    assert summary.experimental.get_step() is None


def test_in_functions(tmp_path: Path) -> None:
    """In order with all else, by the values that Variables have there."""
    writer = summary.create_file_writer(tmp_path)
    step, v = tf.Variable(0, dtype=tf.int64), tf.Variable(1.0)

    @tf.function
    def train(x: Any) -> Any:
        v.assign_add(x)
        with summary.record_if(step % 2 == 0):
            summary.scalar("even", v)
        for _ in tf.range(2):
            summary.scalar("loop", v)
            v.assign_add(1.0)
        if x > 1.0:
            summary.scalar("large", v)
        step.assign_add(1)
        summary.text("note", "done")
        return v * 2.0

    with writer.as_default(step):
        results = [float(train(tf.constant(x))) for x in (1.0, 2.0)]
    assert results == [8.0, 16.0] and float(v) == 8.0
    assert scalars(tmp_path) == [
        ("even", 0, 2.0), ("loop", 0, 2.0), ("loop", 0, 3.0),
        ("loop", 1, 6.0), ("loop", 1, 7.0), ("large", 1, 8.0),
    ]  # fmt: skip
    notes = [e.step for e in events(tmp_path) if e.summary.value[0].tag == "note"]
    assert notes == [1, 2]


def test_under_tapes_once(tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path)

    @tf.function
    def loss(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.sin(x)
            summary.scalar("x", x, step=0)
        return x

    x = tf.Variable(1.0)
    with writer.as_default(), tf.GradientTape() as tape:
        y = loss(x)
    slope = float(tape.gradient(y, x))
    s1, s2 = np.sin(1.0), np.sin(np.sin(1.0))
    assert slope == pytest.approx(np.cos(1.0) * np.cos(s1) * np.cos(s2), rel=1e-5)
    assert [tag for tag, _, _ in scalars(tmp_path)] == ["x"] * 3


def test_functions_look_up_what_was_said_outside(tmp_path: Path) -> None:
    """The default writer, the step and a condition are those of the call, if Python said them
    outside of the function, and those of the trace, if inside."""
    first, second = (summary.create_file_writer(tmp_path / name) for name in "ab")

    @tf.function
    def outside(x: Any) -> Any:
        return summary.scalar("x", x)

    @tf.function
    def inside(x: Any) -> None:
        with first.as_default(step=5), summary.record_if(True):
            summary.scalar("x", x)

    with first.as_default(step=1):
        assert outside(tf.constant(0.0))
    with second.as_default(step=2):
        assert outside(tf.constant(1.0))
        with summary.record_if(False):
            assert not outside(tf.constant(2.0))
        summary.experimental.set_step(3)
        assert outside(tf.constant(3.0))
        inside(tf.constant(4.0))
    assert not outside(tf.constant(5.0)) and outside.experimental_get_tracing_count() == 1
    assert scalars(tmp_path / "a") == [("x", 1, 0.0), ("x", 5, 4.0)]
    assert scalars(tmp_path / "b") == [("x", 2, 1.0), ("x", 3, 3.0)]


def test_queues_and_closing(tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path, max_queue=2, filename_suffix=".mine")
    writer.set_as_default(step=1)
    try:
        for count in (0, 0, 3, 3):
            summary.scalar("a", 1.0)
            assert len(events(tmp_path)) == count
        summary.flush()
        assert len(events(tmp_path)) == 4
        writer.close()
        writer.close()
        for use in (lambda: summary.scalar("a", 1.0), writer.as_default, writer.init):
            with pytest.raises(RuntimeError, match=r"closed already|already closed.*test_summary"):
                use()
    finally:
        summary.create_noop_writer().set_as_default()
        summary.experimental.set_step(None)
    assert all(p.name.endswith(".mine") for p in tmp_path.iterdir())
    at_once = summary.create_file_writer(tmp_path / "b", flush_millis=0)
    with at_once.as_default():
        summary.scalar("a", 1.0, step=0)
        assert len(events(tmp_path / "b")) == 1
    (tmp_path / "c").write_text("")
    with pytest.raises(tf.errors.FailedPreconditionError, match="c"):
        summary.create_file_writer(tmp_path / "c")
    for wrong in ({"logdir": None}, {"logdir": "x", "max_queue": -1}):
        with pytest.raises(ValueError, match=r"logdir|max_queue"):
            summary.create_file_writer(**wrong)


def test_a_writer_that_goes_writes_what_waits(tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path)
    writer.set_as_default()
    summary.scalar("a", 1.0, step=0)
    assert not events(tmp_path)
    summary.create_noop_writer().set_as_default()
    del writer
    gc.collect()
    assert len(events(tmp_path)) == 1


def test_threads_and_tasks(tmp_path: Path) -> None:
    """A thread begins without a default writer, a task with that of who makes it; one writer takes
    events from all."""
    writer = summary.create_file_writer(tmp_path)
    seen: list[Any] = []

    def work(number: int) -> None:
        seen.append(bool(summary.scalar("none", 0.0, step=0)))
        with writer.as_default():
            for step in range(100):
                summary.scalar(f"thread{number}", step, step=step)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    with writer.as_default():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    async def task(name: str) -> None:
        for step in range(3):
            summary.experimental.set_step(step)
            await asyncio.sleep(0)
            summary.scalar(name, 1.0)

    async def tasks() -> None:
        await asyncio.gather(task("one"), task("two"))

    with writer.as_default():
        asyncio.run(tasks())
    writer.close()
    assert seen == [False] * 4
    found: dict[str, list[int]] = {}
    for tag, step, _ in scalars(tmp_path):
        found.setdefault(tag, []).append(step)
    expected = {f"thread{i}": list(range(100)) for i in range(4)}
    assert found == {**expected, "one": [0, 1, 2], "two": [0, 1, 2]}


PROCESSES = """
import multiprocessing, os, sys
import tfc as tf

folder = sys.argv[1]
writer = tf.summary.create_file_writer(folder)
writer.set_as_default()
tf.summary.scalar("before", 1.0, step=0)

def child():
    tf.summary.scalar("child", 2.0, step=1)

process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
pid = os.fork()
if not pid:
    tf.summary.scalar("forked", 3.0, step=2)
    sys.exit()
os.waitpid(pid, 0)
tf.summary.scalar("after", 4.0, step=3)
assert not process.exitcode
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="wants processes that fork")
def test_forks_and_the_end_of_a_process(tmp_path: Path) -> None:
    """A fork has a file of its own; what waits is written once, by whom it belongs to."""
    subprocess.run([sys.executable, "-c", PROCESSES, str(tmp_path)], check=True, timeout=120)
    assert sorted(scalars(tmp_path), key=lambda row: row[1]) == [
        ("before", 0, 1.0), ("child", 1, 2.0), ("forked", 2, 3.0), ("after", 3, 4.0),
    ]  # fmt: skip
    assert len(list(tmp_path.iterdir())) == 3


def test_wrong_arguments(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default(step=0):
        for call, kind in (
            (lambda: summary.scalar("a", [1.0, 2.0]), ValueError),
            (lambda: summary.scalar("a", "text"), TypeError),
            (lambda: summary.scalar(5, 1.0), TypeError),  # type: ignore[arg-type]
            (lambda: summary.scalar("a", 1.0, step=0.5), TypeError),
            (lambda: summary.histogram("a", tf.constant(1j)), TypeError),
            (lambda: summary.histogram("a", [1.0], buckets=-1), ValueError),
            (lambda: summary.image("a", tf.zeros([2, 2])), ValueError),
            (lambda: summary.image("a", tf.zeros([1, 2, 2, 5])), ValueError),
            (lambda: summary.audio("a", tf.zeros([1, 2]), 8000), ValueError),
            (lambda: summary.audio("a", tf.zeros([1, 2, 1]), 8000, encoding="mp3"), ValueError),
            (lambda: summary.text("a", 1.0), TypeError),
            (lambda: summary.write("a", 1.0, metadata=5), TypeError),
            (lambda: summary.graph(5), ValueError),
            (lambda: summary.flush(5), ValueError),  # type: ignore[arg-type]
            (lambda: summary.experimental.set_step("a"), TypeError),
            (lambda: summary.experimental.write_raw_pb(b"\xff"), tf.errors.DataLossError),
        ):
            with pytest.raises(kind, match=r"test_summary|damaged"):
                call()
    assert not events(tmp_path)
