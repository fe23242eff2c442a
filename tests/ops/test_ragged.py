"""Ragged tensors: how they are made, what they give, in functions and on tapes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tfc as tf

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)
R = tf.RaggedTensor
ROWS = [[3, 1, 4, 1], [], [5, 9, 2], [6], []]
X = tf.ragged.constant(ROWS)
DEEP = [[[1, 2], [3]], [], [[4, 5, 6]]]


def test_ways_to_make_one() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    for found in (
        X,
        R.from_row_splits(values, [0, 4, 4, 7, 8, 8]),
        R.from_row_lengths(values, [4, 0, 3, 1, 0]),
        R.from_row_starts(values, [0, 4, 4, 7, 8]),
        R.from_row_limits(values, [4, 4, 7, 8, 8]),
        R.from_value_rowids(values, [0, 0, 0, 0, 2, 2, 2, 3], nrows=5),
        R.from_nested_row_splits(values, [[0, 4, 4, 7, 8, 8]]),
        R.from_nested_row_lengths(values, [[4, 0, 3, 1, 0]]),
        R.from_tensor(X.to_tensor(), lengths=[4, 0, 3, 1, 0]),
        R.from_tensor(X.to_tensor(-1), padding=-1),
        R.from_sparse(X.to_sparse()),
        pickle.loads(pickle.dumps(X)),
    ):
        assert found.to_list() == ROWS and found.dtype == "int32"
        assert found.row_splits.numpy().tolist() == [0, 4, 4, 7, 8, 8]
        assert found.row_splits.dtype == "int64"
    assert R.from_uniform_row_length([1, 2, 3, 4], 2).to_list() == [[1, 2], [3, 4]]
    assert R.from_tensor([[1, 2], [3, 4]]).to_list() == [[1, 2], [3, 4]]
    assert R.from_value_rowids([1], [1]).to_list() == [[], [1]]
    deep = tf.ragged.constant(DEEP)
    assert deep.to_list() == DEEP and deep.ragged_rank == 2 and deep.shape == (3, None, None)
    shallow = tf.ragged.constant([[[1, 2]], [], [[3, 4], [5, 6]]], ragged_rank=1)
    assert shallow.to_list() == [[[1, 2]], [], [[3, 4], [5, 6]]] and shallow.shape == (3, None, 2)
    assert tf.ragged.constant([[], []]).dtype == "float32"
    assert tf.ragged.constant([1, 2]).shape == (2,)
    assert tf.ragged.constant(ROWS, row_splits_dtype=tf.int32).row_splits.dtype == "int32"


def test_what_it_knows() -> None:
    assert X.shape == (5, None) and X.nrows().numpy() == len(X) == 5
    assert X.row_lengths().numpy().tolist() == [4, 0, 3, 1, 0]
    assert X.row_starts().numpy().tolist() == [0, 4, 4, 7, 8]
    assert X.row_limits().numpy().tolist() == [4, 4, 7, 8, 8]
    assert X.value_rowids().numpy().tolist() == [0, 0, 0, 0, 2, 2, 2, 3]
    assert X.bounding_shape().numpy().tolist() == [5, 4] and X.bounding_shape(axis=1).numpy() == 4
    assert repr(X) == "<tf.RaggedTensor [[3, 1, 4, 1], [], [5, 9, 2], [6], []]>"
    assert repr(tf.ragged.constant([["a"]])) == "<tf.RaggedTensor [[b'a']]>"
    assert [row.tolist() for row in X.numpy()] == ROWS
    assert R.from_tensor([[1, 2]]).numpy().tolist() == [[1, 2]]


def test_rows_and_slices() -> None:
    assert X[2].numpy().tolist() == [5, 9, 2] and X[-2].numpy().tolist() == [6]
    assert X[2, 1].numpy() == 9 and X[1:3].to_list() == ROWS[1:3] and X[3:].to_list() == ROWS[3:]
    assert X[:, :2].to_list() == [row[:2] for row in ROWS]
    assert X[5:].to_list() == [] and [row.shape[0] for row in X] == [4, 0, 3, 1, 0]
    deep = tf.ragged.constant(DEEP)
    assert deep[0].to_list() == DEEP[0] and deep[0, 1].numpy().tolist() == [3]
    with pytest.raises(IndexError, match="out of bounds"):
        X[5]
    assert X[::2].to_list() == ROWS[::2] and X[::-1].to_list() == ROWS[::-1]


def test_dense_ones() -> None:
    wide = np.zeros((5, 4), int)
    for i, row in enumerate(ROWS):
        wide[i, : len(row)] = row
    np.testing.assert_array_equal(X.to_tensor(), wide)
    np.testing.assert_array_equal(X.to_tensor(shape=[3, 6]), np.pad(wide[:3], [(0, 0), (0, 2)]))
    np.testing.assert_array_equal(X.to_tensor(shape=[7, 2]), np.pad(wide[:, :2], [(0, 2), (0, 0)]))
    assert X.to_tensor(-1).numpy()[1].tolist() == [-1] * 4
    deep = tf.ragged.constant(DEEP).to_tensor()
    assert deep.shape == (3, 2, 3) and deep.numpy()[0].tolist() == [[1, 2, 0], [3, 0, 0]]
    np.testing.assert_array_equal(tf.sparse.to_dense(X.to_sparse()), wide)
    words = tf.ragged.constant([["a", "b"], []]).to_tensor()
    assert words.numpy().tolist() == [[b"a", b"b"], [b"", b""]]


def test_in_functions() -> None:
    traces = []

    @tf.function
    def f(x: Any) -> Any:
        traces.append(x)
        return x * 2, x.to_tensor(), x.row_lengths(), tf.reduce_sum(x.flat_values)

    for rows in (ROWS, [[1], [2, 3]], [[7] * 9, []]):
        double, dense, lengths, total = f(tf.ragged.constant(rows))
        assert double.to_list() == [[2 * n for n in row] for row in rows]
        assert dense.shape == (len(rows), max(map(len, rows)))
        assert lengths.numpy().tolist() == [len(row) for row in rows]
        assert total.numpy() == sum(map(sum, rows))
    assert len(traces) < 3  # one for the first sizes, one for all others
    assert f(tf.ragged.constant(DEEP))[0].to_list()[0] == [[2, 4], [6]]
    g = tf.function(lambda n: R.from_row_lengths(tf.range(tf.reduce_sum(n)), n).to_tensor(-1))
    assert g(tf.constant([2, 0, 1])).numpy().tolist() == [[0, 1], [-1, -1], [2, -1]]


def test_gradients() -> None:
    v = tf.Variable([1.0, 2.0, 3.0, 4.0])
    weights = tf.constant([[1.0, 9.0, 9.0], [1.0, 2.0, 3.0]])

    def loss() -> Any:
        return tf.reduce_sum(R.from_row_lengths(v * v, [1, 3]).to_tensor() * weights)

    for call in (loss, tf.function(loss)):
        with tf.GradientTape() as tape:
            y = call()
        assert tape.gradient(y, v).numpy().tolist() == [2, 4, 12, 24]


def test_arithmetic() -> None:
    assert (X + 1).to_list() == [[n + 1 for n in row] for row in ROWS]
    assert (10 - X).to_list() == [[10 - n for n in row] for row in ROWS]
    assert (X * X).to_list() == [[n * n for n in row] for row in ROWS]
    assert (X == 1).to_list()[0] == [False, True, False, True]
    assert (-X).to_list()[3] == [-6]
    assert tf.ragged.map_flat_values(tf.maximum, X, 4).to_list()[0] == [4, 4, 4, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match="the rows differ"):
        X + R.from_row_lengths(X.values, [3, 1, 3, 1, 0])


def test_ranges_and_segments() -> None:
    found = tf.ragged.range([0, 5, 8], [3, 3, 12], [1, -1, 3])
    assert found.to_list() == [[0, 1, 2], [5, 4], [8, 11]]
    assert tf.ragged.range(3).to_list() == [[0, 1, 2]]
    found = tf.ragged.range([1.5, 2.0], dtype=tf.float64)
    assert found.dtype == tf.float64 and found.to_list() == [[0, 1], [0, 1]]
    found = tf.ragged.range([3, 0], [4.0, -1.0], [0.25, -0.5], row_splits_dtype=tf.int32)
    assert found.to_list() == [[3, 3.25, 3.5, 3.75], [0, -0.5]] and found.dtype == tf.float32
    assert found.row_splits.dtype == tf.int32
    traced = tf.function(lambda a, b: tf.ragged.range(a, b).to_tensor())
    wanted = [[1.0, 2.0, 3.0], [5.0, 0.0, 0.0]]
    assert traced(tf.constant([1.0, 5.0]), tf.constant([3.5, 5.5])).numpy().tolist() == wanted
    # Limits and steps at the ends of what the dtype holds.
    top = 2**31 - 1
    ends = tf.ragged.range(
        [1136033460, -top, top, 5], [2136033461, top, -top, 5], [top, top, -top, 1]
    )
    assert ends.to_list() == [[1136033460], [-top, 0], [top, 0], []]
    computed = tf.function(lambda low, high, by: tf.range(low, high, by))
    wide = [tf.constant(v, tf.int64) for v in (-(2**62), 2**62 + 1, 2**62)]
    assert computed(*wide).numpy().tolist() == [-(2**62), 0, 2**62]
    assert tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]).numpy().tolist() == [0, 0, 0, 2, 2]
    assert tf.ragged.segment_ids_to_row_splits([0, 0, 2], 4).numpy().tolist() == [0, 2, 2, 3, 3]


BAD: list[tuple[Any, str]] = [
    (lambda: R([1], [0, 1]), "constructor is private"),
    (lambda: R.from_row_splits([1, 2], [1, 2]), "from_row_splits do not form a valid .* with zero"),
    (
        lambda: R.from_row_splits([1, 2], [0, 2, 1, 2]),
        "do not form a valid RaggedTensor: .*monotonic",
    ),
    (lambda: R.from_row_splits([1, 2], [0, 3]), "end with nvals"),
    (lambda: R.from_row_splits([1, 2], []), "may not be empty"),
    (lambda: R.from_row_splits([1, 2], [0.0, 2.0]), "int32 or int64"),
    (lambda: R.from_row_splits(1, [0, 1]), "must have rank at least 1"),
    (lambda: R.from_value_rowids([1, 2], [1, 0]), "must rise"),
    (lambda: R.from_row_lengths([1, 2], [3, -1]), "from_row_lengths do not form a valid RowPart"),
    (lambda: R.from_value_rowids([1, 2], [0]), r"Shapes \(2,\) and \(1,\) are incompatible"),
    (lambda: R.from_value_rowids([1], [2], 2), r"Expected nrows >= value_rowids\[-1\] \+ 1"),
    (lambda: R.from_value_rowids([1], [0], -1), "Expected nrows >= 0; got -1"),
    (lambda: R.from_uniform_row_length([1, 2, 3], 2), "=2 times nrows=1 must equal nvals=3"),
    (lambda: R.from_uniform_row_length([1], -1), "uniform_row_length must be >= 0"),
    (lambda: R.from_nested_row_splits([1], tf.constant([0, 1])), "must be a list of Tensors"),
    (lambda: tf.ragged.boolean_mask([1], True), "mask cannot be scalar"),
    (lambda: R.from_tensor([[1]], [1], 0), "but not both"),
    (lambda: R.from_tensor([1]), "must be greater than 1"),
    (lambda: R.from_tensor([[1]], ragged_rank=2), "must have rank at least 3"),
    (lambda: R.from_tensor([[1], [2]], [1]), "incompatible"),
    (
        lambda: R.from_uniform_row_length([1, 2, 3], 1.5),
        "must have dtype int32 or int64, got float32",
    ),
    (lambda: R.from_uniform_row_length([1, 2], 1, nrows=[2]), "Shape .1,. must have rank 0"),
    (lambda: R.from_sparse(tf.ones([2, 2])), "must be of type SparseTensor, but is of type"),
    (lambda: R.from_sparse(tf.sparse.from_dense([[0, 1]])), "not right-ragged"),
    (lambda: tf.ragged.constant([1, [2]]), "same nesting depth"),
    (lambda: tf.ragged.constant([[1]], ragged_rank=2), "max depth smaller than ragged_rank=2"),
    (lambda: X.with_values([1]), "1 values in the place of 8"),
    (lambda: X.to_tensor(shape=[1, 2, 3]), "rt_input.rank = 2 but shape.rank = 3"),
    (lambda: tf.ragged.range([1], [2], [0]), "delta"),
    (lambda: tf.ragged.range([[1]]), "a scalar or vector"),
    (lambda: tf.ragged.range(["a"]), "not defined for string"),
    (lambda: tf.ragged.range([1], row_splits_dtype=tf.int8), "must be int32 or int64, not int8"),
    (lambda: tf.ragged.constant([[1]], row_splits_dtype=tf.float32), "not float32"),
    (
        lambda: tf.ragged.row_splits_to_segment_ids([3, 0]),
        "Invalid row_splits|splits must not fall",
    ),
    (lambda: tf.ragged.row_splits_to_segment_ids([]), "Invalid row_splits"),
    (lambda: tf.ragged.row_splits_to_segment_ids(3), "must have rank 1"),
    (lambda: tf.ragged.row_splits_to_segment_ids([0.5, 1]), "int32 or int64, got float32"),
    (lambda: tf.exp(X), "not defined for dtype int32"),
    (lambda: tf.argsort(X), "RaggedTensor"),
    (lambda: X[:, 0], "Cannot index into an inner ragged dimension"),
    (lambda: tf.split(X, 2, axis=1), "Cannot split a ragged dimension"),
    (lambda: tf.concat([X, [1, 2]], 0), "Shape .2,. must have rank 2"),
    (lambda: X + tf.ones([5, 2], tf.int32), "the rows differ"),
    (lambda: X + X.with_row_splits_dtype(tf.int32), "mismatched row_splits dtypes"),
    (lambda: tf.reduce_sum(X, 2), "out of bounds"),
    (lambda: tf.gather(X, [5]), "5 is not in"),
    (lambda: tf.gather(X, [[4]], batch_dims=1), "batch shape from indices .1,. does not match"),
    (lambda: tf.squeeze(X, 0), "another extent than 1"),
    (lambda: X.merge_dims(1, 0), "to be less than or equal to inner_axis"),
    (lambda: bool(X), "may not be used as a boolean"),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_errors(k: int) -> None:
    call, text = BAD[k]
    with pytest.raises((*ERRORS, tf.errors.UnimplementedError), match=text):
        call()
