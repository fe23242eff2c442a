"""What generators yield, a batch at a time: the same as one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

Dataset = tf.data.Dataset
PAIR = (tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.int64))


def rows(make: Any) -> list[Any]:
    dataset = Dataset.from_generator(make, output_signature=PAIR)
    single = [tuple(x.tolist() for x in pair) for pair in dataset.as_numpy_iterator()]
    batches = dataset.batch(4).as_numpy_iterator()
    stacked = [pair for x, y in batches for pair in zip(x.tolist(), y.tolist(), strict=True)]
    assert stacked == single
    return single


def test_arrays_and_what_becomes_some() -> None:
    def pairs() -> Any:
        buffer = np.zeros(2, np.float32)
        for i in range(6):
            buffer[:] = i
            yield buffer, i  # the same array again and again, and a Python number
        yield [np.ones(2, np.float32), np.int64(7)]
        yield tf.constant([2.0, 3.0]), np.array(8)
        yield [4, 5], np.int32(9)

    found = rows(pairs)
    assert found[:2] == [([0.0, 0.0], 0), ([1.0, 1.0], 1)]
    assert found[6:] == [([1.0, 1.0], 7), ([2.0, 3.0], 8), ([4.0, 5.0], 9)]
    assert rows(lambda: iter(())) == []


def test_single_arrays_and_numbers() -> None:
    dataset = Dataset.from_generator(
        lambda: (np.float32(i) for i in range(5)), output_signature=tf.TensorSpec([])
    )
    assert [x.tolist() for x in dataset.batch(3).as_numpy_iterator()] == [[0, 1, 2], [3, 4]]
    halves = Dataset.from_generator(
        lambda: (np.full((2, 3), i, np.float16).T for i in range(3)),  # not contiguous
        output_signature=tf.TensorSpec([3, 2], tf.float16),
    )
    (batch,) = halves.batch(5)
    assert batch.shape == [3, 3, 2] and batch.numpy()[2].tolist() == [[2, 2]] * 3


@pytest.mark.parametrize("wrong", [(np.ones(3, np.float32), 1), np.ones(2), ("a", 1), (1, 2, 3)])
def test_what_does_not_fit_keeps_its_place(wrong: Any) -> None:
    """Elements before it are delivered, and those behind it too."""

    def pairs() -> Any:
        yield from ((np.ones(2, np.float32), i) for i in range(3))
        yield wrong
        yield np.zeros(2, np.float32), 9

    elements = iter(Dataset.from_generator(pairs, output_signature=PAIR).batch(8).unbatch())
    with pytest.raises(tf.errors.InvalidArgumentError, match="`generator` yielded"):
        list(elements)
    told = iter(Dataset.from_generator(pairs, output_signature=PAIR).map(lambda x, i: i).batch(3))
    assert next(told).numpy().tolist() == [0, 1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="`generator` yielded"):
        next(told)
    assert next(told).numpy().tolist() == [9]


def test_a_generator_that_raises() -> None:
    def numbers() -> Any:
        yield from range(5)
        raise RuntimeError("no more")

    spec = tf.TensorSpec([], tf.int32)
    batches = iter(Dataset.from_generator(numbers, output_signature=spec).batch(5))
    assert next(batches).numpy().tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="no more"):
        next(batches)
