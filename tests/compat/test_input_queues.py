"""Producers, readers and batches: what fed TensorFlow 1's programs. The orders are TensorFlow's."""

from __future__ import annotations

import os
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
        tf.set_random_seed(3)
        yield made


def drained(fetches: Any) -> list[Any]:
    """What runs give until the source is at its end."""
    found = []
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while True:
                found.append([np.asarray(x).tolist() for x in session.run(fetches)])
        except tf.errors.OutOfRangeError:
            coordinator.request_stop()
        coordinator.join(threads)
    return found


def test_rows_in_batches() -> None:
    columns = [np.arange(6, dtype=np.float32), np.arange(6) * 10]
    plain = tf.train.slice_input_producer(columns, num_epochs=2, shuffle=False)
    rows = tf.train.batch(plain, 4, allow_smaller_final_batch=True)
    assert [b for _, b in drained(rows)] == [[0, 10, 20, 30], [40, 50, 0, 10], [20, 30, 40, 50]]
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        shuffled = tf.train.slice_input_producer(columns, num_epochs=3, seed=5)
        found = drained(tf.train.batch(shuffled, 4))
    assert [a for a, _ in found] == SHUFFLED


SHUFFLED = [[3, 4, 2, 1], [0, 5, 0, 2], [5, 4, 1, 3], [5, 4, 0, 3]]


def test_lines(tmp_path: Path) -> None:
    names = []
    for k in range(3):
        names.append(str(tmp_path / f"f{k}.csv"))
        lines = [f"{10 * k + i},{i}" for i in range(3)]
        Path(names[-1]).write_text("\n".join(["a,b", *lines, ""]))
    for shuffle in (True, False):
        with tf.Graph().as_default():
            tf.set_random_seed(3)
            queue = tf.train.string_input_producer(names, 1, shuffle=shuffle, seed=2)
            key, value = tf.TextLineReader(skip_header_lines=1).read(queue)
            a, b = tf.decode_csv(value, record_defaults=[[1], [1]])
            if shuffle:
                found = drained([key, a])
                assert [n for _, n in found] == [10, 11, 12, 20, 21, 22, 0, 1, 2]
                assert os.path.basename(found[3][0]) == b"f2.csv:2"
                continue
            rows = tf.train.shuffle_batch([a, b], 5, 30, 7, seed=9, allow_smaller_final_batch=True)
            batches = drained(rows)
    numbers = [n for batch, _ in batches for n in batch]
    assert sorted(numbers) == [0, 1, 2, 10, 11, 12, 20, 21, 22] and len(batches) == 2


def test_records(tmp_path: Path) -> None:
    records, whole = str(tmp_path / "a.tfrecord"), str(tmp_path / "b.bin")
    with tf.python_io.TFRecordWriter(records) as writer:
        for i in range(3):
            writer.write(b"abc"[: i + 1])
    Path(whole).write_bytes(bytes(range(20)))
    producer = tf.train.string_input_producer
    key, value = tf.TFRecordReader().read(producer([records], num_epochs=1))
    places = [(os.path.basename(k), v) for k, v in drained([key, value])]
    assert places == [
        (b"a.tfrecord:0", b"a"),
        (b"a.tfrecord:17", b"ab"),
        (b"a.tfrecord:35", b"abc"),
    ]
    reader = tf.FixedLengthRecordReader(4, header_bytes=1, footer_bytes=2)
    key, value = reader.read(producer([whole], num_epochs=1))
    found = drained([key, tf.decode_raw(value, tf.uint8)])
    assert [(os.path.basename(k), v) for k, v in found] == [
        (b"b.bin:%d" % i, list(range(4 * i + 1, 4 * i + 5))) for i in range(4)
    ]
    reader = tf.FixedLengthRecordReader(4)
    keys, values = reader.read_up_to(producer([whole, whole], num_epochs=1), 3)
    assert [n for n, _ in drained([tf.size(keys), values])] == [3, 2, 3, 2]
    names = producer(tf.train.match_filenames_once(str(tmp_path / "b.*")), num_epochs=1)
    assert drained([tf.strings.length(tf.WholeFileReader().read(names).value)]) == [[20]]
    missing = tf.WholeFileReader().read(producer([str(tmp_path / "none")])).value
    with (
        pytest.raises(tf.errors.NotFoundError, match="No such file"),
        tf.train.SingularMonitoredSession() as session,
    ):
        session.run(missing)


def test_batches_of_other_kinds() -> None:
    train = tf.train
    number = train.range_input_producer(5, num_epochs=1, shuffle=False).dequeue()
    rows = train.batch([tf.range(number)], 2, dynamic_pad=True)
    assert drained([rows]) == [[[[0], [0]]], [[[0, 1, 0], [0, 1, 2]]]]
    even = train.range_input_producer(9, num_epochs=1, shuffle=False).dequeue()
    kept = train.maybe_batch({"n": even}, tf.equal(even % 2, 0), 2)
    assert drained([kept["n"]]) == [[[0, 2]], [[4, 6]]]
    with pytest.raises(ValueError, match="non-null input tensor"):
        train.string_input_producer([])
    with pytest.raises(ValueError, match="at least one tensor"):
        train.slice_input_producer([])
    with pytest.raises(ValueError, match="must be bigger than min_after_dequeue"):
        train.shuffle_batch([number], 2, capacity=4, min_after_dequeue=4)
    with pytest.raises(ValueError, match="num_epochs must be > 0"):
        train.limit_epochs(number, 0)
