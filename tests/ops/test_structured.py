"""RowPartition, DynamicRaggedShape and StructuredTensor: what they say is what TensorFlow's say."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf

Rows = tf.experimental.RowPartition
Shape = tf.experimental.DynamicRaggedShape
Structured = tf.experimental.StructuredTensor


def lists(*tensors: Any) -> list[Any]:
    return [t.numpy().tolist() for t in tensors]


def test_partitions_say_where_rows_are() -> None:
    p = Rows.from_row_lengths([2, 0, 3])
    assert repr(p) == "tf.RowPartition(row_splits=[0 2 2 5])"
    assert lists(p.nrows(), p.nvals(), p.row_starts(), p.row_limits()) == [
        3,
        5,
        [0, 2, 2],
        [2, 2, 5],
    ]
    assert lists(p.row_lengths(), p.value_rowids(), p.offsets_in_rows()) == [
        [2, 0, 3], [0, 0, 2, 2, 2], [0, 1, 0, 1, 2],
    ]  # fmt: skip
    assert p.uniform_row_length() is None and not p.is_uniform() and p.dtype is tf.int64
    assert p.with_dtype(tf.int32).dtype is tf.int32 and p.static_nrows == 3
    assert Rows.from_row_lengths([1], dtype_hint=tf.int32).dtype is tf.int32


def test_partitions_are_made_in_many_ways() -> None:
    made = (
        Rows.from_row_splits([0, 2, 2, 5]),
        Rows.from_row_starts([0, 2, 2], nvals=5),
        Rows.from_row_limits([2, 2, 5]),
        Rows.from_value_rowids([0, 0, 2, 2, 2]),
    )
    assert lists(*(p.row_splits() for p in made)) == [[0, 2, 2, 5]] * 4
    assert lists(Rows.from_value_rowids([0, 0, 2], nrows=4).row_splits()) == [[0, 2, 2, 3, 3]]
    even = Rows.from_uniform_row_length(2, nvals=6)
    assert repr(even) == "tf.RowPartition(nrows=3, uniform_row_length=2)"
    assert even.static_uniform_row_length == 2 and lists(even.nvals()) == [6]
    assert repr(Rows.from_uniform_row_length(0, nvals=0, nrows=3)).startswith(
        "tf.RowPartition(nrows=3"
    )
    with pytest.raises(ValueError, match="times nrows=2 must equal nvals=5"):
        Rows.from_uniform_row_length(2, nvals=5)
    with pytest.raises(ValueError, match="nvals and nrows must be specified"):
        Rows.from_uniform_row_length(2)
    with pytest.raises(tf.errors.InvalidArgumentError):
        Rows.from_row_splits([0, 3, 1])
    with pytest.raises(ValueError, match="may not be empty"):
        Rows.from_row_splits([])
    with pytest.raises(ValueError, match="constructor is private"):
        Rows([0, 1])
    taken = tf.function(lambda rows: rows.value_rowids())
    assert lists(taken(made[0]), taken(even)) == [[0, 0, 2, 2, 2], [0, 0, 1, 1, 2, 2]]


def test_shapes_of_tensors() -> None:
    x = tf.ragged.constant([[[1, 2], [3]], [], [[4]]])
    shape = Shape.from_tensor(x)
    text = "<DynamicRaggedShape lengths=[3, (2, 0, 1), (2, 1, 1)] num_row_partitions=2>"
    assert repr(shape) == repr(tf.shape(x)) == text
    assert (shape.rank, shape.inner_rank, shape.num_row_partitions) == (3, 1, 2)
    assert shape.static_lengths(ragged_lengths=False) == [3, None, None]
    assert [shape.is_uniform(axis) for axis in range(3)] == [True, False, False]
    assert lists(shape[0]) == [3] and shape[0:2].static_lengths() == [3, (2, 0, 1)]
    for wrong in (3, -1):
        with pytest.raises(IndexError):
            shape.is_uniform(wrong)
    with pytest.raises(ValueError, match="Index 1 is not uniform"):
        shape[1]
    dense = Shape.from_tensor(tf.zeros([2, 3, 4]))
    assert dense.static_lengths() == [2, 3, 4] and dense.dtype is tf.int32
    assert dense[1:].static_lengths() == [3, 4] and lists(dense[-1]) == [4]
    assert bool(shape == Shape.from_tensor(x)) and shape != dense
    assert not bool(shape == Shape.from_lengths([3, (2, 0, 1), (1, 2, 1)]))


def test_shapes_of_lengths() -> None:
    shape = Shape.from_lengths([2, (3, 1), 4])
    assert shape.static_lengths() == [2, (3, 1), 4] and lists(shape.inner_shape) == [[4, 4]]
    assert Shape.from_lengths([2, (2, 0), (1, 3)]).inner_rank == 1
    assert Shape.from_lengths([2, 3, 4], num_row_partitions=1).num_row_partitions == 1
    assert Shape.from_lengths([]).rank == 0
    for lengths in ([2, (3, 1, 2)], [(1, 2)]):
        with pytest.raises(ValueError):
            Shape.from_lengths(lengths)
    whole = Shape([Rows.from_row_lengths([2, 1])], inner_shape=[3, 5])
    assert whole.static_lengths() == [2, (2, 1), 5]
    assert Shape.from_row_partitions([Rows.from_row_lengths([2, 1])]).static_lengths() == [
        2,
        (2, 1),
    ]


def test_functions_take_shapes() -> None:
    shape = Shape.from_lengths([2, (2, 1)])
    assert tf.ones(shape).to_list() == [[1.0, 1.0], [1.0]]
    assert tf.fill(shape, 5).to_list() == [[5, 5], [5]]
    assert tf.reshape(tf.range(3), shape).to_list() == [[0, 1], [2]]
    assert tf.broadcast_to(tf.constant([[1], [2]]), shape).to_list() == [[1, 1], [2]]
    assert tf.function(tf.zeros)(shape).to_list() == [[0.0, 0.0], [0.0]]


def test_structures_of_values() -> None:
    value = [{"x": [1, 2], "y": {"z": b"a"}}, {"x": [5], "y": {"z": b"b"}}]
    made = Structured.from_pyval(value)
    assert made.to_pyval() == value and made.shape == [2] and made.rank == 1
    assert made.field_value(("y", "z")).numpy().tolist() == [b"a", b"b"]
    assert lists(made.nrows()) == [2] and made.row_partitions == ()
    deep = [[{"foo": 12}, {"foo": 33}], [], [{"foo": 99}]]
    ragged = Structured.from_pyval(deep)
    assert ragged.to_pyval() == deep and ragged.shape.as_list() == [3, None]
    assert ragged.merge_dims(0, 1).to_pyval() == [{"foo": 12}, {"foo": 33}, {"foo": 99}]
    assert ragged[0].to_pyval() == deep[0] and ragged[0, 1].to_pyval() == {"foo": 33}
    assert ragged[:, :1].to_pyval() == [[{"foo": 12}], [], [{"foo": 99}]]
    assert ragged[-1, 0, "foo"].numpy() == 99
    with pytest.raises(KeyError):
        Structured.from_pyval([{"a": 1}, {"b": 2}])
    with pytest.raises(KeyError, match="Field not found"):
        made.field_value("nothing")
    assert repr(Structured.from_pyval({"b": [1, 2]})) == (
        '<StructuredTensor(\n    fields={\n        "b": tf.Tensor([1 2], shape=(2,), dtype=int32)},'
        "\n    shape=())>"
    )


def test_structures_of_fields() -> None:
    fields = {"a": [1, 2, 3], "b": tf.ragged.constant([[1], [2, 3], []])}
    made = Structured.from_fields(fields, shape=[3])
    assert made[1].to_pyval() == {"a": 2, "b": [2, 3]}
    assert made[1, "b"].numpy().tolist() == [2, 3] and made[:, "b"].to_list() == [[1], [2, 3], []]
    with pytest.raises(TypeError, match="valid indices"):
        made["a"]
    with pytest.raises(ValueError, match="not compatible"):
        Structured.from_fields({"a": [1, 2]}, shape=[3])
    with pytest.raises(ValueError, match="Error in shape of b"):
        Structured.from_fields({"a": [1, 2], "b": [1]}, shape=[None])
    changed = made.with_updates({"a": lambda a: a * 2, "c": [7, 8, 9], "b": None})
    assert changed.to_pyval()[0] == {"a": 2, "c": 7}
    split = made.partition_outer_dimension(Rows.from_row_lengths([2, 1]))
    assert [len(row) for row in split.to_pyval()] == [2, 1] and split.rank == 2
    square = {"x": [[1, 2], [3, 4]]}
    assert Structured.from_fields_and_rank(square, 2).shape == [2, 2]
    assert Structured.from_fields_and_rank(square, 1).to_pyval() == [{"x": [1, 2]}, {"x": [3, 4]}]
    empty = Structured.from_shape(Shape.from_lengths([2, (1, 2)]))
    assert empty.to_pyval() == [[{}], [{}, {}]]
    assert bool(made == Structured.from_fields(fields, shape=[3])) and made != changed
    assert made.with_shape_dtype(tf.int32).field_value("b").row_splits.dtype is tf.int32


def test_structures_are_promoted_and_taken_by_functions() -> None:
    docs = [{"docs": [{"t": ["a", "b"]}, {"t": ["c"]}]}, {"docs": [{"t": []}]}]
    words = Structured.from_pyval(docs).promote(("docs", "t"), "all").field_value("all")
    assert words.to_list() == [[b"a", b"b", b"c"], []]
    made = Structured.from_pyval([{"a": 1, "b": [1]}, {"a": 2, "b": [2, 3]}])
    more = tf.function(lambda s: s.with_updates({"a": lambda a: a + 1}))(made)
    assert more.to_pyval() == [{"a": 2, "b": [1]}, {"a": 3, "b": [2, 3]}]
