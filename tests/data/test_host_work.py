"""Functions that read, decode and parse: calls of the host, one after another or side by side."""

from __future__ import annotations

import gc
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.data.plans.blocks import BlocksCursor
from tfc.dispatch.host_steps import host_steps

Dataset = tf.data.Dataset


def images(folder: Path, sizes: list[tuple[int, int]]) -> list[str]:
    """Paths of PNG files of these sizes."""
    rng = np.random.default_rng(0)
    paths = []
    for i, (height, width) in enumerate(sizes):
        pixels = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
        paths.append(str(folder / f"{i}.png"))
        tf.io.write_file(paths[-1], tf.io.encode_png(tf.constant(pixels)))
    return paths


def decoded(path: Any) -> Any:
    return path, tf.io.decode_png(tf.io.read_file(path), channels=3)


def shaped(path: Any) -> Any:
    return tf.ensure_shape(decoded(path)[1], [4, 5, 3])


def test_what_is_computed_side_by_side_becomes_rows_where_it_fits(tmp_path: Path) -> None:
    paths = images(tmp_path, [(4, 5)] * 6)
    expected = np.stack([tf.io.decode_png(tf.io.read_file(p)).numpy() for p in paths])
    names = Dataset.from_tensor_slices(paths)
    (pixels,) = names.map(shaped).batch(6)
    assert np.array_equal(pixels, expected)
    (both,) = names.map(decoded).batch(6)  # strings are no rows
    assert [x.decode() for x in both[0].numpy()] == paths and np.array_equal(both[1], expected)
    different = images(tmp_path, [(4, 5), (4, 5), (2, 3), (4, 5)])
    (ragged,) = Dataset.from_tensor_slices(different).map(lambda p: decoded(p)[1]).ragged_batch(4)
    assert ragged[2].shape.as_list() == [2, None, 3]
    assert np.array_equal(ragged[1].to_tensor(), expected[1])


def test_calls_of_the_host_fail_as_programs_do(tmp_path: Path) -> None:
    """The same errors, at the same lines of the user's."""
    (small,) = images(tmp_path, [(2, 2)])
    (tmp_path / "no.png").write_bytes(b"no image")
    spec = [tf.TensorSpec([], tf.string)]
    program = tf.function(shaped, input_signature=spec)
    assert host_steps(program.get_concrete_function().function) is not None
    assert host_steps(tf.function(tf.exp).get_concrete_function(1.0).function) is None
    for path in (small, str(tmp_path / "no.png"), str(tmp_path / "missing")):
        failures = []
        for call in (program, lambda p: next(iter(Dataset.from_tensors(p).map(shaped)))):
            with pytest.raises(tf.errors.OpError) as failure:
                call(tf.constant(path))
            failures.append((type(failure.value), failure.value.message, failure.value.location))
        assert failures[0] == failures[1] and failures[0][2].file == __file__


def test_what_examples_are_parsed_with_is_that_of_the_trace() -> None:
    example = tf.train.Example(features={"feature": {"x": {"int64_list": {"value": [1, 2]}}}})
    data = example.SerializeToString()
    features: dict[str, Any] = {"x": tf.io.VarLenFeature(tf.int64)}
    batches = Dataset.from_tensors([data] * 3).map(lambda x: tf.io.parse_example(x, features))
    features["x"] = features["y"] = tf.io.FixedLenFeature([7], tf.float32)
    for found in (next(iter(batches)), next(iter(batches))):
        assert list(found) == ["x"]
        assert tf.sparse.to_dense(found["x"]).numpy().tolist() == [[1, 2]] * 3


def test_a_shuffle_keeps_the_memory_of_its_buffer_alone() -> None:
    """(Not that of all elements that were made together with one of it.)"""
    rows = Dataset.range(64).map(lambda i: tf.fill([1 << 14], i))
    shuffled = rows.filter(lambda row: row[0] >= 0).shuffle(32, seed=1)
    elements = iter(shuffled.batch(8))
    tracemalloc.start()
    try:
        kept = [int(x) for _ in range(4) for x in next(elements)[:, 0]]
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    rest = [int(x) for batch in elements for x in batch[:, 0]]
    assert sorted(kept + rest) == list(range(64))
    assert size < 1.5 * 32 * 8 * (1 << 14)


class Interrupted:
    """Blocks whose reading is broken off by Ctrl-C, once, at the block with this number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __call__(self) -> Iterator[list[bytes]]:
        for i in range(4):
            if i == self._number:
                self._number = -1
                raise KeyboardInterrupt
            yield [b"%d" % (2 * i), b"%d" % (2 * i + 1)]


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_an_interrupt_while_a_file_is_read_leaves_no_record_out(number: int, ahead: bool) -> None:
    cursor = BlocksCursor(Interrupted(number))
    if ahead:  # what a thread was asked for, whoever wants it reads where the thread has not
        cursor.read_by(_Idle())
    found: list[bytes] = []
    interrupts = 0
    while True:
        try:
            chunk = cursor.take(3)
        except KeyboardInterrupt:
            interrupts += 1
            continue
        if not len(chunk):
            break
        found += [element[0].numpy() for element in chunk.elements()]
    assert found == [b"%d" % i for i in range(8)] and interrupts == 1


class _Idle(ThreadPoolExecutor):
    """Threads that have no time."""

    def submit(self, *_: Any, **__: Any) -> Any:
        return None


def fetching() -> int:
    """How many threads make elements ahead."""
    return sum(t.name == "tfc.data prefetch" for t in threading.enumerate())


def test_what_waits_for_the_host_is_made_ahead_by_itself(tmp_path: Path) -> None:
    before = fetching()
    names = Dataset.from_tensor_slices(images(tmp_path, [(200, 300)] * 12))
    pixels = names.map(lambda path: decoded(path)[1]).batch(2)
    assert "made ahead" in pixels.explain()
    expected = [x.tolist() for x in pixels.prefetch(1).as_numpy_iterator()]
    elements = iter(pixels)
    elements._cursor._worth.known = True  # whatever this machine takes
    assert np.array_equal(next(elements), expected[0]) and fetching() == before + 1
    state = elements._serialize_to_tensors()
    assert np.array_equal(next(elements), expected[1])
    elements._restore_from_tensors(state)
    assert [x.numpy().tolist() for x in elements] == expected[1:]
    assert len(list(zip(range(2), pixels, strict=False))) == 2  # and leave it there
    del elements
    gc.collect()
    deadline = time.monotonic() + 10
    while fetching() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert fetching() == before


def test_what_anybody_sees_or_options_forbid_is_not_made_ahead(tmp_path: Path) -> None:
    names = Dataset.from_tensor_slices(images(tmp_path, [(2, 2)]))
    read = names.map(lambda path: decoded(path)[1])
    options = {name: tf.data.Options() for name in ("autotune", "inject", "threads")}
    options["autotune"].autotune.enabled = False
    options["inject"].experimental_optimization.inject_prefetch = False
    options["threads"].threading.private_threadpool_size = 1
    counted = tf.Variable(0)
    for own in options.values():
        assert "made ahead" not in read.with_options(own).batch(2).explain()
    for quiet in (read, read.batch(2), read.shuffle(3).repeat(2)):
        assert "made ahead" in quiet.explain()
    for seen in (
        read.map(lambda x: tf.cast(x, tf.int32) + counted),
        read.map(lambda x: tf.cast(x, tf.int32) + tf.random.uniform([], 0, 2, tf.int32)),
        read.map(lambda x: tf.py_function(lambda y: y, [x], tf.uint8)),
        read.prefetch(2).batch(2),
        names.batch(2),
    ):
        assert "made ahead" not in seen.explain().partition("\n")[0]
    lines = tf.data.TextLineDataset([str(tmp_path / "a.gz")], "GZIP")
    assert "made ahead" in lines.batch(2).explain()
    assert "made ahead" not in lines.explain() and "unpacked ahead" in lines.explain()
