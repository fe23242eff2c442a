"""Specs of ragged and sparse tensors, and structures that expand them."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import tfc as tf

X = tf.ragged.constant([[1, 2], [3]])
SPARSE = tf.SparseTensor([[0, 1]], [5.0], [2, 3])


def test_specs_of_values() -> None:
    """As TensorFlow prints them."""
    deep = tf.ragged.constant([[[1, 2]]], ragged_rank=1)
    same = tf.RaggedTensor.from_uniform_row_length([1, 2], 2)
    for value, text in (
        (X, "RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)"),
        (deep, "RaggedTensorSpec(TensorShape([1, None, 2]), tf.int32, 1, tf.int64)"),
        (same, "RaggedTensorSpec(TensorShape([1, 2]), tf.int32, 1, tf.int64)"),
        (SPARSE, "SparseTensorSpec(TensorShape([2, 3]), tf.float32)"),
        (tf.constant(1), "TensorSpec(shape=(), dtype=tf.int32, name=None)"),
        ([1.5], "TensorSpec(shape=(1,), dtype=tf.float32, name=None)"),
    ):
        spec = tf.type_spec_from_value(value)
        assert repr(spec) == text and isinstance(spec, tf.TypeSpec)
        assert spec == pickle.loads(pickle.dumps(spec)) and hash(spec) is not None
        assert spec.is_compatible_with(value if not isinstance(value, list) else tf.constant(value))
    assert tf.type_spec_from_value(X).value_type is tf.RaggedTensor
    with pytest.raises(TypeError, match="Could not build a TypeSpec"):
        tf.type_spec_from_value(object())


def test_relations() -> None:
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    own = tf.RaggedTensorSpec.from_value(X)
    assert spec.is_compatible_with(X) and spec.most_specific_compatible_type(own) == spec
    assert not spec.is_compatible_with(tf.ragged.constant([[1.0]]))
    assert not spec.is_compatible_with(tf.ones([2, 2], tf.int32))
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        spec.most_specific_compatible_type(tf.RaggedTensorSpec([None, None], tf.float32))
    with pytest.raises(ValueError, match="known rank"):
        tf.RaggedTensorSpec()
    with pytest.raises(ValueError, match="must be less than rank"):
        tf.RaggedTensorSpec([None], ragged_rank=1)
    with pytest.raises(TypeError, match="int32 or int64"):
        tf.RaggedTensorSpec([None, None], row_splits_dtype=tf.float32)
    wide = tf.SparseTensorSpec([None, 3], tf.float32)
    assert wide.is_compatible_with(SPARSE) and not wide.is_compatible_with(X)
    both = wide.most_specific_common_supertype([tf.SparseTensorSpec([2, 4], tf.float32)])
    assert both == tf.SparseTensorSpec([None, None], tf.float32)
    assert wide.most_specific_common_supertype([spec]) is None


def test_signatures() -> None:
    traces = []

    def total(x: Any) -> Any:
        traces.append(x.shape)
        return tf.reduce_sum(x, 1)

    f = tf.function(total, input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)])
    for rows in ([[1, 2], [3]], [[], [4], [5, 6, 7]], [[1]]):
        assert f(tf.ragged.constant(rows, tf.int32)).numpy().tolist() == [sum(r) for r in rows]
    assert traces == [(None, None)]
    for wrong in (tf.ragged.constant([[1.0]]), tf.constant([[1]])):
        with pytest.raises(TypeError, match="does not fit"):
            f(wrong)
    dense = tf.function(tf.sparse.to_dense, input_signature=[tf.SparseTensorSpec([None, 3])])
    assert dense(SPARSE).numpy().tolist() == [[0, 5, 0], [0, 0, 0]]
    g = tf.function(lambda x: x * 2)
    concrete = g.get_concrete_function(tf.RaggedTensorSpec([None, None], tf.int32))
    assert concrete(X).to_list() == [[2, 4], [6]]


def test_structures_expand_them() -> None:
    deep = tf.ragged.constant([[[1, 2], [3]], []])
    flat = tf.nest.flatten({"a": deep, "b": SPARSE}, expand_composites=True)
    assert [v.shape.as_list() for v in flat] == [[3], [3], [3], [1, 2], [1], [2]]
    packed = tf.nest.pack_sequence_as({"a": deep, "b": SPARSE}, flat, expand_composites=True)
    assert packed["a"].to_list() == deep.to_list() and packed["b"].shape == (2, 3)
    double = tf.nest.map_structure(lambda v: v, deep, expand_composites=True)
    assert double.to_list() == deep.to_list()
    tf.nest.assert_same_structure(X, X * 2, expand_composites=True)
    with pytest.raises(ValueError, match="nested structure"):
        tf.nest.assert_same_structure(X, deep, expand_composites=True)
    same = tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2)
    again = tf.nest.map_structure(lambda v: v, same, expand_composites=True)
    assert again.shape == (2, 2)


def test_classes_say_how_they_are_taken_apart() -> None:
    @dataclasses.dataclass
    class Masked:
        mask: bool
        value: Any

        def __tf_flatten__(self) -> Any:
            return (self.mask,), (self.value,)

        @classmethod
        def __tf_unflatten__(cls, metadata: Any, components: Any) -> Any:
            return cls(metadata[0], components[0])

    x, y = Masked(True, tf.constant([1])), Masked(False, tf.constant([2]))
    assert tf.nest.is_nested(x) and len(tf.nest.flatten(x)) == 1
    tf.nest.assert_same_structure(x, y)
    assert tf.nest.map_structure(lambda a, b: a + b, x, y) == Masked(True, tf.constant([3]))
    f = tf.function(lambda v: v.value if v.mask else -v.value)  # a trace for each
    assert f(x).numpy() == [1] and f(y).numpy() == [-2]


def test_dtypes_by_number() -> None:
    assert tf.as_dtype(2) is tf.float64 and tf.as_dtype(tf.int32.as_datatype_enum) is tf.int32
    assert not tf.inside_function()
    assert tf.function(lambda: tf.constant(tf.inside_function()))().numpy()


def test_results_of_concrete_functions_are_described() -> None:
    ragged = tf.RaggedTensorSpec([None, None], tf.int32, 1)

    @tf.function(input_signature=[ragged])
    def both(x: Any) -> Any:
        return x * 2, None, {"sum": tf.reduce_sum(x)}

    concrete = both.get_concrete_function()
    doubled, nothing, rest = concrete.structured_outputs
    assert doubled == ragged and nothing is None
    assert rest == {"sum": tf.TensorSpec([], tf.int32)}
    slices = tf.function(lambda x: tf.IndexedSlices(x, tf.constant([0])))
    found = slices.get_concrete_function(tf.ones([1, 2])).structured_outputs
    assert found == tf.IndexedSlicesSpec([None, 2], tf.float32, tf.int32, None, [1])


def test_signatures_state_extents_of_sparse_tensors() -> None:
    """A trace knows them, and what is made of the tensor keeps them; a call checks them."""
    seen: list[Any] = []

    def shapes(x: tf.SparseTensor) -> Any:
        made = (
            tf.sparse.reorder(x),
            tf.sparse.transpose(x),
            tf.sparse.expand_dims(x, 1),
            tf.sparse.reshape(x, [3, -1, 1]),
            tf.sparse.concat(0, [x, x]),
            tf.sparse.concat(1, [x, x]),
            tf.square(x),
            tf.sparse.to_dense(x),
        )
        seen.append([tuple(y.shape) for y in (x, *made)])
        return made[3].dense_shape, tf.sparse.to_dense(made[2])

    spec = tf.SparseTensorSpec([None, 3])
    signed = tf.function(shapes, input_signature=[spec])
    concrete = tf.function(shapes).get_concrete_function(spec)
    known = [(None, 3), (None, 3), (3, None), (None, 1, 3), (3, None, 1), (None, 3), (None, 6)]
    other = tf.SparseTensor([[0, 2], [4, 0]], [5.0, 6.0], [5, 3])
    outer = tf.function(lambda x: signed(x), input_signature=[tf.SparseTensorSpec([None, None])])
    for f in (signed, concrete, outer):
        for x in (SPARSE, other):
            shape, dense = f(x)
            assert shape.numpy().tolist() == [3, x.shape[0], 1]
            assert dense.numpy().tolist() == tf.sparse.to_dense(x).numpy()[:, None].tolist()
    assert seen == [[*known, (None, 3), (None, 3)]] * 3
    narrow = tf.SparseTensor([[0, 1]], [5.0], [2, 2])
    with pytest.raises(TypeError, match="does not fit"):
        tf.function(shapes, input_signature=[spec])(narrow)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the shape differs"):
        concrete(narrow)


def test_what_functions_do_with_sparse_tensors() -> None:
    x = tf.SparseTensor([[0, 1], [1, 2]], [-0.25, 0.5], [2, 3])
    for function in (tf.abs, tf.sqrt, tf.sign, tf.tanh, tf.math.erf, tf.negative, tf.identity):
        found = function(x)
        assert found.indices is x.indices and found.shape == x.shape
        assert np.array_equal(found.values, function(x.values), equal_nan=True)
    assert tf.cast(x, tf.float64).dtype is tf.float64
    assert tf.shape(x, tf.int64).numpy().tolist() == [2, 3]
    assert (int(tf.size(x)), int(tf.rank(x))) == (6, 2)
    with pytest.raises(ValueError, match="unsupported type"):
        tf.exp(x)  # which is not 0 where x is
    with tf.GradientTape() as tape:
        values = tf.Variable([2.0, 3.0])
        y = tf.sparse.reduce_sum(tf.square(x.with_values(values)))
    assert tape.gradient(y, values).numpy().tolist() == [4.0, 6.0]


def test_what_is_a_tensor() -> None:
    slices = tf.IndexedSlices(tf.ones([1, 2]), [0], [3, 2])
    assert all(tf.is_tensor(x) for x in (X, SPARSE, slices, tf.constant(1), tf.Variable(1)))
    spec = tf.SparseTensorSpec([None, 3], tf.float32)
    assert not any(tf.is_tensor(x) for x in (spec, tf.TensorArray(tf.int32, 1), [X], 1.0))
