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
Shape, Rows = tf.experimental.DynamicRaggedShape, tf.experimental.RowPartition
Spec = tf.RaggedTensorSpec
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
    (lambda: Spec([None, None], ragged_rank=2), ValueError, "(2) must be less than rank (2)"),
    (lambda: tf.split(A, 2), INVALID, "Cannot exactly split the `axis` dimension"),
    (lambda: tf.split(A, "a"), TypeError, "must be an `int` or 1-D list or `Tensor`"),
    (lambda: tf.one_hot(A, 3, axis=1), ValueError, "axis (1) must be greater than indices.ragged"),
    (lambda: tf.ragged.constant(A), TypeError, "pylist may not be a RaggedTensor"),
    (lambda: Shape.from_lengths([2, [1, 2]]), ValueError, "int or tuple of ints: instead [1, 2]"),
    (lambda: Shape([], 5), ValueError, "Shape () must have rank 1"),
    (lambda: Shape([3], [5]), TypeError, "row_partitions contains 3 which is not a RowPartition"),  # type: ignore[list-item]
    (lambda: Shape([], [5], static_inner_shape=[6]), ValueError, "are incompatible"),
    (lambda: Shape([], [5])["a"], TypeError, "Argument is not an int or a slice"),
    (lambda: Shape.from_lengths([2, (1, 2)])[1:], ValueError, "dimensions must be uniform"),
    (
        lambda: tf.broadcast_dynamic_shape(Shape.from_lengths([2, (1, 2)]), [3, 1]),
        INVALID,
        "Unable to broadcast",
    ),
    (lambda: Rows.from_uniform_row_length(-1, 2), ValueError, "uniform_row_length must be >= 0"),
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


def test_common_shapes() -> None:
    """Shapes that may be ragged are broadcast."""
    for x, y, both in (
        ([2, (1, 2)], [2, 1], [2, (1, 2)]),
        ([1, (2,), (1, 2)], [3, 1, 1], [3, (2, 2, 2), (1, 2, 1, 2, 1, 2)]),
        ([], [3, (1, 1, 1)], [3, (1, 1, 1)]),
        ([2, (1, 2), 3], [2, (1, 2), 1], [2, (1, 2), 3]),
        ([2, 1, 3], [1, 4, 1], [2, 4, 3]),
    ):
        found = tf.broadcast_dynamic_shape(Shape.from_lengths(x), Shape.from_lengths(y))
        assert found.static_lengths() == both, (x, y)
    spec = Shape.from_lengths([2, (1, 2), 2])._type_spec
    assert (spec.rank, spec.inner_rank, spec.with_dtype(tf.int32).dtype) == (3, 2, tf.int32)


def test_rows_grow_in_loops() -> None:
    """A round may change how many values rows have: in loops of Python's and in while_loop."""

    @tf.function
    def doubled(x: Any, n: Any) -> Any:
        for _ in tf.range(n):
            x = tf.concat([x, x], 1)
        for shapes in (None, (tf.TensorShape([]), Spec([None, None], tf.int32))):
            _, x = tf.while_loop(
                lambda i, _: i < 1, lambda i, x: (i + 1, tf.concat([x, x], 1)), (0, x), shapes
            )
        return x

    assert doubled(A, tf.constant(1)).to_list() == [r * 8 for r in A.to_list()]


def test_python_functions_take_ragged_tensors() -> None:
    def more(x: Any, y: Any) -> Any:
        assert isinstance(x, tf.RaggedTensor)
        return x + y, tf.reduce_sum(x)

    def call(x: Any) -> Any:
        rows, total = tf.py_function(more, [x, 2.0], [Spec([None, None]), tf.TensorSpec([])])
        return rows * 3.0, total

    x = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    for f in (call, tf.function(call)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            rows, total = f(x)
        assert rows.to_list() == [[9.0, 12.0], [], [15.0]] and total == 6.0
        assert tape.gradient(rows, x).to_list() == [[3.0, 3.0], [], [3.0]]


def test_more_functions_take_ragged_tensors() -> None:
    words = tf.ragged.constant([["a", "b c"], [], ["d"]])
    assert tf.io.decode_base64(tf.io.encode_base64(words)).to_list() == words.to_list()
    assert tf.strings.reduce_join(words, [0, 1]) == b"ab cd"
    assert tf.strings.unicode_script(tf.ragged.constant([[97], [1488]])).to_list() == [[25], [19]]
    assert tf.one_hot(A, 2, axis=2).to_list()[0] == [[0.0, 1.0], [0.0, 0.0]]
    table = tf.constant([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
    found = tf.nn.safe_embedding_lookup_sparse(table, A, default_id=0)
    assert found.numpy().tolist() == [[2.5], [1.0], [5.0]]
    assert tf.math.is_strictly_increasing(A) and not tf.math.is_non_decreasing(-A)
    where = tf.compat.v1.where
    assert where(A > 2, A, -A).to_list() == [[-1, -2], [], [3, 4, 5]]
    assert where([False, True, True], A, -A).to_list() == [[-1, -2], [], [3, 4, 5]]
    assert Spec([3, None]).is_subtype_of(Spec([None, None]))
    assert [s.shape for s in Spec([3, None]).flatten()] == [[None], [4]]
    assert not Spec([None, None]).is_subtype_of(Spec([3, None]))
    rebuilt = Spec([3, None], tf.int32).from_tensors(iter(Spec([3, None]).to_tensors(A)))
    assert rebuilt.to_list() == A.to_list()
