"""Fingerprints of datasets: equal where everything is, never where elements differ."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Dataset, R = tf.data.Dataset, tf.data.Dataset.range
K = 2


def scaled(x: Any, by: int = 1) -> Any:
    return x * by + K


def of(dataset: Any) -> int:
    return int(dataset.fingerprint())


PLANS: list[Callable[[], Any]] = [
    lambda: R(5).map(lambda x: x * K).batch(2),
    lambda: R(5).map(scaled),
    lambda: R(5).map(functools.partial(scaled, by=2)),
    lambda: R(5).map(lambda x: tf.cast(np.arange(3), tf.int64) + x),
    lambda: R(5).shuffle(3, seed=1),
    lambda: R(5).flat_map(lambda x: R(x)),
    lambda: R(5).interleave(lambda x: R(x).map(lambda y: y + 1), cycle_length=2),
    lambda: R(5).map(lambda x: tf.numpy_function(lambda z: z + K, [x], tf.int64)),
    lambda: R(3).window(2),
    lambda: R(5).filter(lambda x: x > 1).cache().prefetch(2).repeat(3).take(2).enumerate(),
    lambda: R(5).bucket_by_sequence_length(lambda x: x, [2], [2, 2]),
    lambda: Dataset.from_tensor_slices({"a": [1, 2], "b": ["x", "y"]}).padded_batch(2),
    lambda: Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]])),
    lambda: Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32)),
    lambda: tf.data.TextLineDataset(["a", "b"]),
    lambda: tf.data.TFRecordDataset(["a", "b"]),
    lambda: tf.data.TFRecordDataset(["a", "b"], compression_type="GZIP"),
    lambda: Dataset.sample_from_datasets([R(2), R(3)], [0.5, 0.5], seed=1),
]


def test_equal_plans_and_no_others() -> None:
    found = [of(plan()) for plan in PLANS]
    assert [of(plan()) for plan in PLANS] == found and len(set(found)) == len(found)
    assert R(5).fingerprint().dtype is tf.uint64


def test_it_is_the_same_after_iterations() -> None:
    dataset = R(5).map(lambda x: x * K).cache().shuffle(3, seed=1).batch(2)
    first = of(dataset)
    assert len(list(dataset)) == 3 and of(dataset) == first


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda: R(5), lambda: R(6)),
        (lambda: R(5).batch(2), lambda: R(5).batch(2, drop_remainder=True)),
        (lambda: R(5).map(lambda x: x + 1), lambda: R(5).map(lambda x: x + 2)),
        (lambda: R(5).map(lambda x: x + 1), lambda: R(5).map(lambda x: x - 1)),
        (lambda: R(5).map(lambda x: tf.abs(x)), lambda: R(5).map(lambda x: tf.sign(x))),
        (lambda: Dataset.from_tensors(1.0), lambda: Dataset.from_tensors(2.0)),
        (lambda: Dataset.from_tensors(1), lambda: Dataset.from_tensors([1])),
        (lambda: Dataset.from_tensors(["ab", "c"]), lambda: Dataset.from_tensors(["a", "bc"])),
        (lambda: R(5).shuffle(3, seed=1), lambda: R(5).shuffle(3, seed=2)),
        (lambda: R(2).concatenate(R(3)), lambda: R(3).concatenate(R(2))),
        (lambda: tf.data.TextLineDataset("a"), lambda: tf.data.TextLineDataset("b")),
    ],
)
def test_others(one: Callable[[], Any], other: Callable[[], Any]) -> None:
    assert of(one()) != of(other())


def test_values_from_around() -> None:
    def adding(value: Any) -> int:
        return of(R(5).map(lambda x: x + value))

    assert adding(1) == adding(1) != adding(2)
    assert adding(tf.constant(1, tf.int64)) == adding(tf.constant(1, tf.int64))
    first, second = (tf.Variable(1, dtype=tf.int64) for _ in range(2))
    assert adding(first) == adding(first) != adding(second)  # they may change


def test_a_global_that_changes() -> None:
    global K
    first = of(R(5).map(scaled))
    K = 3
    try:
        assert of(R(5).map(scaled)) != first
    finally:
        K = 2
    assert of(R(5).map(scaled)) == first


def test_it_is_the_same_in_another_process() -> None:
    code = (
        "import tfc as tf; k = 3; c = tf.constant([1, 2])\n"
        "d = tf.data.Dataset.range(5).map(lambda x: (x + k, c)).cache().batch(2)\n"
        "found = int(d.fingerprint())\n"
    )
    here: dict[str, Any] = {"__name__": "__main__"}
    exec(code, here)
    there = subprocess.run([sys.executable, "-c", code + "print(found)"], capture_output=True)
    assert int(there.stdout) == here["found"]
