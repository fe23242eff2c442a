"""Functions that read, decode and parse: calls of the host, one after another or side by side."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
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
