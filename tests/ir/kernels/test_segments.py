"""Segments: rows are combined in their order, whichever threads do it, and from whatever they are
computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.kernels.cpu.segments import TASK_ROWS

UNKNOWN = [None]


@pytest.fixture(params=[1, 3], autouse=True)
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    tf.config.threading.set_intra_op_parallelism_threads(request.param)
    yield request.param
    tf.config.threading.set_intra_op_parallelism_threads(0)


def lengths(kind: str) -> np.ndarray:
    """How many rows each segment has."""
    rng = np.random.default_rng(3)
    return {
        "short, some of none": rng.integers(0, 11, 8001),
        "longer than tasks": np.array([3, 2 * TASK_ROWS + 5, 0, 7, TASK_ROWS - 15, 1, TASK_ROWS]),
        "to the end of tasks": np.full(5, TASK_ROWS // 2),
        "one": np.array([4 * TASK_ROWS - 1]),
    }[kind]


KINDS = ["short, some of none", "longer than tasks", "to the end of tasks", "one"]


def in_order(combine: Any, ids: np.ndarray, data: np.ndarray, rows: int, start: float) -> Any:
    out = np.full((rows, *data.shape[1:]), start, data.dtype)
    combine.at(out, ids, data)
    return out


@pytest.mark.parametrize("kind", KINDS)
def test_sorted_segments(kind: str) -> None:
    ids = np.repeat(np.arange(len(lengths(kind))), lengths(kind)).astype(np.int32)
    x = np.random.default_rng(1).normal(size=(len(ids), 3)).astype(np.float32)
    rows = int(ids[-1]) + 1
    total = in_order(np.add, ids, x, rows, 0)
    largest = in_order(np.maximum, ids, x[:, 0], rows, -np.inf)
    largest[lengths(kind)[:rows] == 0] = 0
    spec = [tf.TensorSpec([None, 3]), tf.TensorSpec(UNKNOWN, tf.int32)]
    for f in (tf.math.segment_sum, tf.function(tf.math.segment_sum, input_signature=spec)):
        assert f(x, ids).numpy().tobytes() == total.tobytes()
        # The order of equal ids says the bits, not who says that ids are sorted.
    some = tf.math.unsorted_segment_sum(x, ids.astype(np.uint64), rows)
    assert some.numpy().tobytes() == total.tobytes()
    np.testing.assert_array_equal(tf.math.segment_max(x[:, 0], ids), largest)


def test_rows_that_are_computed() -> None:
    """The product of a sparse matrix and a vector, or a matrix, is the same whether what it sums is
    in memory or computed there."""
    ids = np.repeat(np.arange(8001), lengths(KINDS[0])).astype(np.int64)
    rng = np.random.default_rng(2)
    values = rng.normal(size=len(ids)).astype(np.float32)
    columns = rng.integers(0, 100, len(ids)).astype(np.int32)
    p = rng.normal(size=(100, 5)).astype(np.float32)
    rows = int(ids[-1]) + 1

    def product(values: Any, columns: Any, ids: Any, p: Any) -> Any:
        narrow = tf.math.unsorted_segment_sum(values * tf.gather(p[:, 0], columns), ids, rows)
        terms = values[:, None] * tf.gather(p, columns)
        return narrow, tf.math.unsorted_segment_sum(terms, ids, rows)

    args = [tf.constant(v) for v in (values, columns, ids, p)]
    eager, traced = product(*args), tf.function(product)(*args)
    for one, other, terms in zip(
        eager, traced, (values * p[columns, 0], values[:, None] * p[columns]), strict=True
    ):
        assert one.numpy().tobytes() == other.numpy().tobytes()
        assert one.numpy().tobytes() == in_order(np.add, ids, terms, rows, 0).tobytes()
    wrong = columns.copy()
    wrong[-2] = 100
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"index 100 is not in \[0, 100\)"):
        tf.function(product)(args[0], wrong, *args[2:])


def test_wrong_ids_in_a_late_task() -> None:
    ids = np.arange(3 * TASK_ROWS) // 7
    x = np.ones(len(ids), np.float32)
    ids[2 * TASK_ROWS] = 5
    with pytest.raises(tf.errors.InvalidArgumentError, match="not increasing: 5 comes after"):
        tf.math.segment_sum(x, ids)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"\] = \d+ is out of range \[0, 6000\)"
    ):
        tf.math.unsorted_segment_sum(x, ids, 6000)
    ids[2 * TASK_ROWS] = -1
    kept = tf.math.unsorted_segment_sum(x, ids, 10000).numpy()
    assert kept.sum() == len(ids) - 1
