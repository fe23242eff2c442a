"""Errors of ragged tensors have TensorFlow's classes and words, as programs that look for them do:
a table of calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

R = tf.RaggedTensor
A = tf.ragged.constant([[1, 2], [], [3, 4, 5]])
B = tf.ragged.constant([[[1, 2], [3]], []])
U = tf.ragged.constant([[[1, 2], [3, 4]], []], ragged_rank=1)
M = tf.ragged.constant([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]])
NARROW = tf.ragged.constant([[1], [2]], row_splits_dtype=tf.int32)
INVALID = tf.errors.InvalidArgumentError

ROWS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: R.from_row_splits(B, np.array([0, 2], np.int32)), ValueError, "must have same dtype"),
    (lambda: R.from_value_rowids([1], [0], nrows=[3]), ValueError, "Shape (1,) must have rank 0"),
    (lambda: R.from_nested_row_lengths([1], tf.constant([1])), TypeError, "Received [1]"),
    (lambda: R.from_uniform_row_length([1], 0), ValueError, "=0 times nrows=0 must equal nvals=1"),
    (lambda: R([1]), TypeError, "missing 1 required positional argument"),  # type: ignore[call-arg]
    (lambda: A.row_lengths(2), ValueError, "axis=2 out of bounds: expected -2<=axis<2"),
    (lambda: B.merge_dims("a", 1), TypeError, "outer_axis must be an int; got str"),
    (
        lambda: B.merge_dims(0, 3),
        ValueError,
        "inner_axis=3 out of bounds: expected -3<=",
    ),
    (lambda: A.with_values([1]), ValueError, "Shapes (5,) and (1,) are incompatible"),
    (lambda: B.with_values(NARROW), ValueError, "mismatched row_splits dtypes"),
    (lambda: A.with_row_splits_dtype(tf.int16), ValueError, "must be int32 or int64. Received"),
    (lambda: A.to_tensor([9, 8]), INVALID, "default_value.rank = 1  must be less than"),
    (lambda: U.to_tensor([1, 2, 3]), INVALID, "default_value.shape[-1] = 3 but rt_input.flat"),
    (lambda: A.to_tensor(shape=[None]), INVALID, "shape=[?] are incompatible: rt_input.rank = 2"),
    (lambda: U.to_tensor(shape=[None, 2, 3]), INVALID, "rt_input.shape[2] = 2 but shape[2] = 3"),
    (lambda: R.from_tensor([[1]], padding=[0]), ValueError, "Shapes (1,) and () are incompatible"),
    (lambda: R.from_tensor([[1]], ragged_rank="a"), TypeError, "must be an int. Received a"),  # type: ignore[arg-type]
    (lambda: R.from_tensor([[1]], [[1], [1]]), ValueError, "must have rank at least 3"),
    (lambda: A[1.5], TypeError, "Only integers, slices"),
    (lambda: A[:, ::0], INVALID, "Requires delta != 0"),
    (lambda: tf.concat([A, B], 0), ValueError, "must have rank 2"),
    (lambda: tf.concat([A, A[:2]], 1), INVALID, "at index 0 (=x) and 1 (=y) have incompatible"),
    (lambda: tf.tile(A, [1, -1]), INVALID, "Input argument 'repeats' must be non-negative"),
    (lambda: tf.gather(A, [0.5]), INVALID, "indices must be integers"),
    (lambda: tf.squeeze(A, 1), INVALID, "the given axis (axis = 1) is not squeezable!"),
    (lambda: tf.reduce_sum(A, "a"), TypeError, "axis must be an int; got str"),
    (lambda: tf.ragged.boolean_mask(A, [True]), ValueError, "Shapes (3, None) and (1,) are incomp"),
    (lambda: tf.matmul(M, tf.cast(M, tf.int32)), ValueError, "must have the same dtype"),
    (lambda: tf.matmul(M, [1.0]), ValueError, "`a` and `b` must have the same rank"),
    (
        lambda: tf.ragged.map_flat_values(lambda x: x[:1], A),
        ValueError,
        "(output shape: (1,); expected outer dimension size: 5)",
    ),
    (lambda: tf.ragged.map_flat_values(tf.add, A, B), ValueError, "Got sizes: {3, 5}"),
    (
        lambda: tf.ragged.stack_dynamic_partitions(["a"], [-1], 1),
        INVALID,
        "partitions must be non-negative.",
    ),
    (
        lambda: tf.ragged.stack_dynamic_partitions(["a", "b"], [0], 1),
        ValueError,
        "Shapes (1,) and (2,) are incompatible",
    ),
    (lambda: hash(A), TypeError, "RaggedTensor is unhashable"),
]


def test_classes_and_words() -> None:
    wrong = []
    for k, (call, kind, words) in enumerate(ROWS):
        try:
            wrong.append((k, call()))
        except Exception as error:
            if not isinstance(error, kind) or words not in str(error):
                wrong.append((k, error))
    assert not wrong


def test_sessions_give_arrays() -> None:
    """Ragged tensors of graphs are fed and fetched as RaggedTensorValue."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.ragged.placeholder(tf.int32, 2, name="x")
        assert str(x.values.values).startswith('Tensor("x/flat_values:0", shape=(None,)')
        given = v1.ragged.constant_value([[[1, 2], [3]], []], np.int32)
        more, same = session.run([x + 1, B], {x: given})
        assert more.to_list() == [[[2, 3], [4]], []] and same.to_list() == given.to_list()
    assert repr(v1.ragged.constant_value([[1], [2]], row_splits_dtype="int32")) == (
        "tf.RaggedTensorValue(values=array([1, 2]), row_splits=array([0, 1, 2], dtype=int32))"
    )
    assert given.shape == (2, None, None) and given.ragged_rank == 2 and given.dtype == np.int32
    assert str(given) == "<tf.RaggedTensorValue [[[1, 2], [3]], []]>"
    pairs = v1.ragged.constant_value([[[1, 2]], [[3, 4]]], inner_shape=(2,))
    assert pairs.flat_values.tolist() == [[1, 2], [3, 4]] and pairs.shape == (2, None, 2)


def test_rows_of_their_own_dtype() -> None:
    splits = np.array([0, 2], np.int32)
    assert R.from_row_splits([1, 2], splits).row_splits.dtype == tf.int32
    assert tf.ragged.stack([[1], [2, 3]]).row_splits.dtype == tf.int32
    assert tf.ragged.stack([tf.constant([1])]).ragged_rank == 1
    assert tf.ragged.constant([[]], ragged_rank=2).shape == (1, None, None)
    assert A.to_tensor(shape=tf.constant([2, -1])).shape == (2, 2)
    either = tf.where([[True], [False], [True]], A, -A)
    assert either.to_list() == [[1, 2], [], [3, 4, 5]]
    turned = tf.matmul(M, M, adjoint_b=True)
    assert turned.to_list() == [[[5.0, 11.0], [11.0, 25.0]], [[61.0]]]
