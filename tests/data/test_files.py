"""Datasets of files: every record once, in the order that TensorFlow gives them."""

from __future__ import annotations

import gzip
import itertools
import os
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf

PACKED = {"": lambda data: data, "GZIP": gzip.compress, "ZLIB": zlib.compress}


def found(dataset: Any) -> list[bytes]:
    return list(dataset.as_numpy_iterator())


def resumed(dataset: Any) -> None:
    """Skipping, some at a time, and restored iterators give the same."""
    expected = found(dataset)
    for count in {0, 1, len(expected) // 2, len(expected), len(expected) + 3}:
        assert found(dataset.skip(count)) == expected[count:]
        first = iter(dataset)
        for _ in itertools.islice(first, count):
            pass
        second = iter(dataset)
        second._restore_from_tensors(first._serialize_to_tensors())
        assert [x.numpy() for x in second] == expected[count:]
    batches = found(dataset.batch(3))
    assert [x for batch in batches for x in batch] == expected


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("block", [1, 3, None])
def test_lines(tmp_path: Path, kind: str, block: int | None) -> None:
    path = tmp_path / "a"
    path.write_bytes(PACKED[kind](b"a\rb\r\nc\r\n\nlong line\nlast\r"))
    dataset = tf.data.TextLineDataset(path, compression_type=kind, buffer_size=block)
    assert found(dataset) == [b"ab", b"c", b"", b"long line", b"last"]  # as TensorFlow 2.21
    resumed(dataset)
    for text, expected in {b"": [], b"\n": [b""], b"x": [b"x"], b"x\n": [b"x"]}.items():
        path.write_bytes(PACKED[kind](text))
        assert found(dataset) == expected
    assert dataset.cardinality() == tf.data.UNKNOWN_CARDINALITY
    assert dataset.element_spec == tf.TensorSpec([], tf.string)


def test_files_in_turns(tmp_path: Path) -> None:
    """The orders are TensorFlow's."""
    names = []
    for i in (1, 2, 3, 2):
        names.append(str(tmp_path / f"{i}"))
        Path(names[-1]).write_text("".join(f"{i}{j} " for j in range(i)).replace(" ", "\n"))
    expected = {
        None: "10 20 21 30 31 32 20 21",
        1: "10 20 21 30 31 32 20 21",
        2: "10 20 21 30 31 20 32 21",
        3: "10 20 30 21 31 20 32 21",
        5: "10 20 30 20 21 31 21 32",
    }
    for turns, order in expected.items():
        dataset = tf.data.TextLineDataset(names, num_parallel_reads=turns)
        assert b" ".join(found(dataset)).decode() == order
        resumed(dataset)
    of_names = tf.data.Dataset.from_tensor_slices(names[::-1])
    assert len(found(tf.data.TextLineDataset(of_names))) == 8
    assert found(tf.data.TextLineDataset([])) == []


def test_files_in_turns_by_threads(tmp_path: Path) -> None:
    """Blocks are read ahead: the order is that of one thread, and failures keep their place."""
    paths, expected = [], []
    for i, count in enumerate((700, 3, 400, 0, 300)):
        paths.append(str(tmp_path / f"{i}"))
        expected.append([b"%d %d" % (i, j) + b"." * (j % 7) for j in range(count)])
        Path(paths[-1]).write_bytes(b"".join(line + b"\n" for line in expected[-1]))
    dataset = tf.data.TextLineDataset(paths, buffer_size=512, num_parallel_reads=3)
    order = found(dataset)
    assert order == found(dataset) == [x for b in dataset.batch(37) for x in b.numpy().tolist()]
    files = [[line for line in order if line.startswith(b"%d " % i)] for i in range(5)]
    assert files == expected  # each in its own order
    assert order[:7] == [lines[j] for j in range(3) for lines in expected[:3]][:7]
    resumed(dataset)
    missing = [paths[0], str(tmp_path / "none"), paths[2]]
    elements = iter(tf.data.TextLineDataset(missing, num_parallel_reads=3))
    assert next(elements).numpy() == b"0 0"
    with pytest.raises(tf.errors.NotFoundError, match="none"):
        next(elements)
    rest = [x.numpy() for x in elements]
    assert sorted(rest) == sorted(expected[0][1:] + expected[2])
    closed = iter(tf.data.TextLineDataset(paths, buffer_size=64, num_parallel_reads=3))
    next(closed)
    closed.close()


@pytest.mark.parametrize("kind", PACKED)
def test_records(tmp_path: Path, kind: str) -> None:
    paths = [str(tmp_path / name) for name in "ab"]
    expected = [bytes([i]) * i for i in range(50)]
    for path, part in zip(paths, (expected[:30], expected[30:]), strict=True):
        with tf.io.TFRecordWriter(path, kind) as writer:
            for record in part:
                writer.write(record)
    dataset = tf.data.TFRecordDataset(paths, kind)
    assert found(dataset) == expected
    resumed(dataset)
    assert sorted(found(dataset.shuffle(7, seed=1))) == sorted(expected)


def test_damage_is_told_when_its_turn_comes(tmp_path: Path) -> None:
    good, bad = str(tmp_path / "good"), str(tmp_path / "bad")
    for path in (good, bad):
        with tf.io.TFRecordWriter(path) as writer:
            for record in (b"one", b"two", b"three"):
                writer.write(record)
    data = bytearray(Path(bad).read_bytes())
    data[12 + 3 + 4 + 12] ^= 1  # in the second record
    Path(bad).write_bytes(data)
    elements = iter(tf.data.TFRecordDataset([bad, good, str(tmp_path / "none"), good]))
    assert next(elements).numpy() == b"one"
    with pytest.raises(tf.errors.DataLossError, match=r"byte 19 of .*bad"):
        next(elements)
    assert [next(elements).numpy() for _ in range(3)] == [b"one", b"two", b"three"]
    with pytest.raises(tf.errors.NotFoundError, match="none"):
        next(elements)
    assert len(list(elements)) == 3
    Path(bad).write_bytes(gzip.compress(b"a\nb\n")[:-5])
    with pytest.raises(tf.errors.DataLossError, match="bad"):
        found(tf.data.TextLineDataset(bad, "GZIP"))


@pytest.mark.parametrize("kind", PACKED)
def test_records_of_one_length(tmp_path: Path, kind: str) -> None:
    paths = [str(tmp_path / name) for name in "abc"]
    for path, count in zip(paths, (5, 0, 4), strict=True):
        body = b"".join(b"%c%03d" % (path[-1:].encode(), i) for i in range(count))
        Path(path).write_bytes(PACKED[kind](b"HH" + body + b"FFF"))
    dataset = tf.data.FixedLengthRecordDataset(paths, 4, 2, 3, compression_type=kind)
    expected = [b"a%03d" % i for i in range(5)] + [b"c%03d" % i for i in range(4)]
    assert found(dataset) == expected
    resumed(dataset)
    assert dataset.cardinality() == (-2 if kind else 9)
    shuffled = found(dataset.shuffle(9, seed=3).batch(9))[0].tolist()
    assert sorted(shuffled) == expected and shuffled != expected
    turns = tf.data.FixedLengthRecordDataset(
        paths, 4, 2, 3, compression_type=kind, num_parallel_reads=3
    )
    assert found(turns)[:3] == [b"a000", b"c000", b"a001"]
    Path(paths[1]).write_bytes(PACKED[kind](b"HH" + b"b000b" + b"FFF"))
    dataset = tf.data.FixedLengthRecordDataset(paths, 4, 2, 3, compression_type=kind)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"length 5 bytes.*of the record"):
        found(dataset)
    decoded = tf.data.FixedLengthRecordDataset(paths[0], 4, 2, 3, compression_type=kind).map(
        lambda record: tf.io.decode_raw(record, tf.uint8)[1:]
    )
    assert next(iter(decoded)).numpy().tolist() == [48, 48, 48]


def test_a_file_that_has_become_shorter(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(bytes(100))
    dataset = tf.data.FixedLengthRecordDataset(path, 10)
    path.write_bytes(bytes(55))
    with pytest.raises(tf.errors.DataLossError, match="ends at byte 55"):
        found(dataset)


def test_names_of_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.png"):
        (tmp_path / name).write_text(name)
    pattern = str(tmp_path / "*.txt")
    names = [os.fsencode(tmp_path / name) for name in ("a.txt", "b.txt")]
    assert found(tf.data.Dataset.list_files(pattern, shuffle=False)) == names
    both = tf.data.Dataset.list_files([pattern, str(tmp_path / "a*")], shuffle=False)
    assert found(both) == [names[0], *names]
    several = tf.data.Dataset.list_files(pattern, seed=1)
    assert sorted(found(several)) == names
    assert {tuple(found(several)) for _ in range(20)} == {tuple(names), tuple(names[::-1])}
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched pattern"):
        tf.data.Dataset.list_files(str(tmp_path / "*.gif"))
    with pytest.raises(TypeError, match="strings"):
        tf.data.TextLineDataset(1)
    with pytest.raises(TypeError, match="scalar strings"):
        tf.data.TFRecordDataset(tf.data.Dataset.range(3))
    with pytest.raises(ValueError, match="compression"):
        tf.data.TFRecordDataset("a", "LZMA")


def test_columns_of_examples(tmp_path: Path) -> None:
    path = str(tmp_path / "a")
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(10):
            values = tf.train.Feature(float_list=tf.train.FloatList(value=[i, i + 0.5]))
            label = tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))
            features = tf.train.Features(feature={"x": values, "y": label})
            writer.write(tf.train.Example(features=features).SerializeToString())
    spec = {"x": tf.io.FixedLenFeature([2], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
    records = tf.data.TFRecordDataset(path)
    parsed = records.batch(4).map(lambda serialized: tf.io.parse_example(serialized, spec))
    assert parsed.element_spec["x"] == tf.TensorSpec([None, 2], tf.float32)
    batches = list(parsed.map(lambda example: (example["x"] * 2, example["y"])))
    assert [len(y) for _, y in batches] == [4, 4, 2]
    x = np.concatenate([x for x, _ in batches])
    assert x.tolist() == [[2.0 * i, 2 * i + 1] for i in range(10)]
    single = records.map(lambda serialized: tf.io.parse_single_example(serialized, spec))
    assert [int(e["y"]) for e in single] == list(range(10))


@pytest.mark.parametrize("way", ["batch", "calls", "both"])
def test_files_are_read_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Two pipes, of which the second one is filled first: who reads one after the other waits for
    ever."""
    monkeypatch.setenv("TFC_NUM_THREADS", "2")
    paths = [str(tmp_path / name) for name in "ab"]
    for path in paths:
        os.mkfifo(path)

    def fill() -> None:
        for path, text in ((paths[1], b"second"), (paths[0], b"first")):
            Path(path).write_bytes(text)

    names = tf.data.Dataset.from_tensor_slices(paths)
    calls = None if way == "batch" else 2
    dataset = names.map(tf.io.read_file, num_parallel_calls=calls)
    assert dataset.batch(2)._plan.inputs[0].indexed
    assert "by threads: it reads files or decodes" in dataset.explain()
    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    texts = found(dataset) if way == "calls" else found(dataset.batch(2))[0].tolist()
    writer.join()
    assert texts == [b"first", b"second"]


def test_files_that_cannot_be_read_have_their_places(tmp_path: Path) -> None:
    for i in (0, 1, 3, 4):
        (tmp_path / str(i)).write_text(str(i * 10))
    paths = [str(tmp_path / str(i)) for i in range(5)]
    read = tf.data.Dataset.from_tensor_slices(paths).map(tf.io.read_file)
    for dataset in (read.batch(1), read.batch(5).prefetch(1)):
        with pytest.raises(tf.errors.NotFoundError):
            list(dataset)
    expected = [b"0", b"10", b"30", b"40"]
    assert found(read.ignore_errors()) == expected
    assert found(read.ignore_errors().batch(4))[0].tolist() == expected
    assert found(read.skip(3)) == expected[2:], "what is left out is not read"
    order = found(tf.data.Dataset.range(5).shuffle(5, seed=1))
    shuffled = read.shuffle(5, seed=1)
    assert shuffled._plan.indexed, "numbers are shuffled, and not what was read"
    assert found(shuffled.ignore_errors()) == [str(i * 10).encode() for i in order if i != 2]
    lengths = read.filter(lambda text: tf.strings.length(text) == 2).ignore_errors()
    assert found(lengths.batch(9))[0].tolist() == expected[1:]
