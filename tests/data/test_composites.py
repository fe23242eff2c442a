"""Ragged and sparse elements: their rows and batches are those of the tensors, and functions of
them give the same one by one and many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

Dataset = tf.data.Dataset

NESTED = [[[1, 2], []], [], [[3], [4, 5, 6], []], [[], [7]]]
WORDS = [["a", "bc"], [], ["def"], [""]]


def everything() -> Any:
    """Four rows of each kind of tensor."""
    sparse = tf.SparseTensor(  # not in order
        [[3, 1], [0, 0], [2, 2], [0, 2]], [4.0, 1.0, 3.0, 2.0], [4, 3]
    )
    return {
        "nested": tf.ragged.constant(NESTED, tf.int64),
        "uniform": tf.RaggedTensor.from_uniform_row_length(
            tf.ragged.constant([[1], [2, 2], [], [4], [5], [6], [7, 7], []]), 2
        ),
        "pairs": tf.ragged.constant([[[1, 2]], [], [[3, 4], [5, 6]], []], ragged_rank=1),
        "words": tf.ragged.constant(WORDS),
        "sparse": sparse,
        "dense": tf.constant([[1, 2], [3, 4], [5, 6], [7, 8]]),
        "none": None,
    }


def plain(leaf: Any) -> Any:
    if isinstance(leaf, tf.SparseTensor):
        return leaf.dense_shape.numpy().tolist(), tf.sparse.to_dense(leaf).numpy().tolist()
    if isinstance(leaf, tf.RaggedTensor):
        return leaf.to_list()
    return None if leaf is None else leaf.numpy().tolist()


def plains(dataset: Any) -> list[Any]:
    return [{key: plain(leaf) for key, leaf in element.items()} for element in dataset]


ROWS = [
    {
        "nested": NESTED[i],
        "uniform": [[[1], [2, 2]], [[], [4]], [[5], [6]], [[7, 7], []]][i],
        "pairs": [[[1, 2]], [], [[3, 4], [5, 6]], []][i],
        "words": [[word.encode() for word in row] for row in WORDS][i],
        "sparse": ([3], [[1.0, 0.0, 2.0], [0.0] * 3, [0.0, 0.0, 3.0], [0.0, 4.0, 0.0]][i]),
        "dense": [[1, 2], [3, 4], [5, 6], [7, 8]][i],
        "none": None,
    }
    for i in range(4)
]


def batch_of(rows: list[Any]) -> Any:
    found = {key: [row[key] for row in rows] for key in rows[0]}
    extents, values = [3], [values for _, values in found["sparse"]]
    return {**found, "sparse": ([len(rows), *extents], values), "none": None}


def test_rows_and_batches() -> None:
    dataset = Dataset.from_tensor_slices(everything())
    assert plains(dataset) == ROWS
    for element in dataset:
        fits = [spec.is_compatible_with(element[key]) for key, spec in dataset.element_spec.items()]
        assert all(fits), (element, dataset.element_spec)
    batches = dataset.batch(3)
    assert plains(batches) == [batch_of(ROWS[:3]), batch_of(ROWS[3:])]
    assert plains(batches.unbatch()) == ROWS
    assert plains(batches.rebatch(2)) == [batch_of(ROWS[:2]), batch_of(ROWS[2:])]
    for batch in batches:
        for key, spec in batches.element_spec.items():
            assert spec.is_compatible_with(batch[key]), key
    listed = list(dataset)
    shuffled = plains(dataset.shuffle(4, seed=1).batch(4))[0]
    order = [ROWS.index(row) for row in plains(dataset.shuffle(4, seed=1))]
    assert shuffled == batch_of([ROWS[i] for i in order]) and order != [0, 1, 2, 3]
    assert plains(dataset.filter(lambda row: tf.size(row["words"]) > 0).batch(4)) == [
        batch_of([ROWS[i] for i in (0, 2, 3)])
    ]
    spec = dataset.element_spec
    yielded = Dataset.from_generator(lambda: listed, output_signature=spec)
    assert plains(yielded.batch(4)) == plains(dataset.batch(4))


def test_functions_of_many_are_those_of_one() -> None:
    dataset = Dataset.from_tensor_slices(everything())

    def reduced(row: Any) -> Any:
        assert row["none"] is None
        lengths = tf.strings.length(row["words"])
        return {
            "nested": tf.reduce_sum(row["nested"]) + row["nested"].nrows(),
            "pairs": tf.reduce_sum(row["pairs"], 0),
            "words": tf.reduce_sum(lengths),
            "sparse": tf.sparse.to_dense(row["sparse"]) * 2.0,
            "dense": row["dense"] + tf.cast(tf.size(row["uniform"].flat_values), tf.int32),
        }

    many = dataset.map(reduced)
    assert "one program for many" in many.explain()
    one_by_one = [reduced(row) for row in dataset]
    for way in (many, many.batch(4).unbatch(), many.shuffle(1), many.filter(lambda row: True)):
        for found, expected in zip(way, one_by_one, strict=True):
            for key, leaf in expected.items():
                np.testing.assert_array_equal(found[key].numpy(), leaf.numpy(), key)

    ragged = dataset.map(lambda row: row["nested"] * 2)
    line = ragged.explain().splitlines()[0]
    assert "a program for each element: its results are not all tensors" in line
    assert ragged.element_spec == tf.RaggedTensorSpec([None, None], tf.int64, 1)
    assert [x.to_list() for x in ragged.take(1)] == [[[2, 4], []]]


def test_an_element_that_fails_has_its_place() -> None:
    rows = Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4, 5, 6]]))
    firsts = rows.map(lambda row: row[0])
    elements, found = iter(firsts.batch(1)), []
    for _ in range(4):
        try:
            found.append(next(elements).numpy().tolist())
        except tf.errors.InvalidArgumentError:
            found.append("failed")
    assert found == [[1], [2], "failed", [4]]
    assert [int(x) for x in firsts.ignore_errors()] == [1, 2, 4]


def test_dense_elements_of_different_sizes_are_packed() -> None:
    spec = tf.TensorSpec([None], tf.int64)
    rows = [np.arange(n) for n in (3, 0, 5, 5)]
    dataset = Dataset.from_generator(lambda: rows, output_signature=spec)
    sums = dataset.map(lambda row: tf.reduce_sum(row)).batch(4)
    assert [x.numpy().tolist() for x in sums] == [[3, 0, 10, 10]]
    assert "one program for many" in sums.explain()


def test_batches_of_what_differs() -> None:
    uneven = Dataset.from_tensor_slices({"a": [1, 2], "b": tf.ragged.constant([[1], [2]])})
    with pytest.raises(ValueError, match="different numbers of rows"):
        Dataset.from_tensor_slices((tf.ragged.constant([[1]]), [1, 2]))
    odd = Dataset.from_tensors((tf.ragged.constant([[1]]), tf.constant([1, 2]))).unbatch()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"each component: \[1, 2\]"):
        list(odd)
    sizes = Dataset.from_generator(
        lambda: [(tf.ragged.constant([[1]]), np.ones(n)) for n in (1, 2)],
        output_signature=(tf.RaggedTensorSpec([1, None], tf.int32), tf.TensorSpec([None])),
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="component 1"):
        list(sizes.batch(2))
    assert [b["b"].to_list() for b in uneven.batch(2)] == [[[1], [2]]]
    flat = uneven.map(lambda row: row["b"]).unbatch()
    assert flat.element_spec == tf.TensorSpec([], tf.int32)
    assert [int(x) for x in flat] == [1, 2]
