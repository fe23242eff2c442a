"""tfc.core.shapes: TensorShape and TensorSpec, with TensorFlow's meaning."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tfc.core.nest import flatten
from tfc.core.shapes import TensorShape, as_shape
from tfc.core.specs import TensorSpec
from tfc.ir import dtypes
from tfc.ir.extent import symbol

UNKNOWN = TensorShape(None)


def test_text() -> None:
    assert repr(TensorShape([2, None])) == "TensorShape([2, None])"
    assert repr(TensorShape([])) == "TensorShape([])"
    assert repr(UNKNOWN) == "TensorShape(None)"
    assert str(TensorShape([2, 3])) == "(2, 3)"
    assert str(TensorShape([2])) == "(2,)"
    assert str(TensorShape([])) == "()"
    assert str(TensorShape([None, 3])) == "(None, 3)"
    assert str(UNKNOWN) == "<unknown>"


def test_behaves_as_a_tuple() -> None:
    shape = TensorShape([2, 3, 4])
    assert (len(shape), shape[0], shape[-1], shape[np.int64(1)]) == (3, 2, 4, 3)
    assert list(shape) == [2, 3, 4]
    assert tuple(shape) == (2, 3, 4)
    assert shape[1:] == TensorShape([3, 4])
    assert isinstance(shape[1:], TensorShape)
    assert shape[::-1] == (4, 3, 2)
    assert 3 in shape
    first, *rest = shape
    assert (first, rest) == (2, [3, 4])
    assert np.zeros(shape).shape == (2, 3, 4)
    assert np.arange(24).reshape(shape).shape == shape
    with pytest.raises(IndexError):
        shape[3]


def test_equality_and_hash() -> None:
    assert TensorShape([2, 3]) == (2, 3)
    assert (2, 3) == TensorShape([2, 3])
    assert TensorShape([2, 3]) == [2, 3]
    assert TensorShape([2, 3]) == TensorShape((2, 3))
    assert TensorShape([2, None]) == (2, None)
    assert TensorShape([2, 3]) != (2, 4)
    assert TensorShape([2, 3]) != (2, 3, 1)
    assert TensorShape([None]) == TensorShape([None])
    assert TensorShape([]) == ()
    assert TensorShape([]) != UNKNOWN
    assert TensorShape([2]) != "2"
    assert TensorShape([2]) != object()
    assert UNKNOWN == None  # noqa: E711
    assert hash(TensorShape([2, 3])) == hash((2, 3))
    assert {TensorShape([2, 3]): "a"}[TensorShape((2, 3))] == "a"


def test_a_shape_is_a_tuple_to_who_asks() -> None:
    """But not to `%`, as in TensorFlow."""
    shape = TensorShape([2, 3])
    assert isinstance(shape, tuple) and isinstance(shape, TensorShape)
    assert type(shape) is TensorShape and not isinstance(UNKNOWN, tuple)
    assert "%s" % shape == "(2, 3)"  # noqa: UP031
    for other in (copy.copy(shape), copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
        assert type(other) is TensorShape and other == shape
    assert flatten([shape, 1]) == [shape, 1]


def test_rank_and_elements() -> None:
    shape = TensorShape([2, None, 3])
    assert (shape.rank, shape.ndims) == (3, 3)
    assert repr(shape.dims) == "[Dimension(2), Dimension(None), Dimension(3)]"
    assert TensorShape([2, 3]).dims == [2, 3]
    assert shape.as_list() == [2, None, 3]
    assert shape.num_elements() is None
    assert not shape.is_fully_defined()
    assert TensorShape([2, 3]).num_elements() == 6
    assert TensorShape([]).num_elements() == 1
    assert TensorShape([0, 5]).num_elements() == 0
    assert TensorShape([2, 3]).is_fully_defined()
    with pytest.raises(ValueError, match=r"Shape \(2, None, 3\) is not fully defined"):
        shape.assert_is_fully_defined()


def test_unknown_rank() -> None:
    assert (UNKNOWN.rank, UNKNOWN.ndims, UNKNOWN.dims, UNKNOWN[0]) == (None, None, None, None)
    assert UNKNOWN.num_elements() is None
    assert not UNKNOWN
    assert TensorShape([])
    assert UNKNOWN[1:3] == TensorShape([None, None])
    assert UNKNOWN[1:] == UNKNOWN
    with pytest.raises(ValueError, match="unknown rank"):
        len(UNKNOWN)
    with pytest.raises(ValueError, match="unknown rank"):
        iter(UNKNOWN)
    with pytest.raises(ValueError, match="as_list"):
        UNKNOWN.as_list()


def test_what_a_shape_is_made_of() -> None:
    assert TensorShape(5) == (5,)
    assert TensorShape(np.array([2, 3])) == (2, 3)
    assert TensorShape(range(3)) == (0, 1, 2)
    assert type(TensorShape([np.int32(2)])[0]) is int
    shape = TensorShape([1])
    assert as_shape(shape) is shape
    assert as_shape([1]) == shape
    with pytest.raises(ValueError, match="Dimension -1 must be >= 0"):
        TensorShape([-1])
    for bad in ([2.5], ["2"], 2.5):
        with pytest.raises(TypeError, match="Dimension value must be integer or None"):
            TensorShape(bad)


def test_symbolic_extents_are_none_for_users() -> None:
    n = symbol("n")
    shape = TensorShape.of((n * 2, 3))
    assert shape == (None, 3)
    assert str(shape) == "(None, 3)"
    assert shape.extents == (n * 2, 3)
    assert not shape.is_fully_defined()
    assert shape.num_elements() is None
    assert shape[:1].extents == (n * 2,)
    assert (shape + [n]).extents == (n * 2, 3, n)
    assert shape.merge_with([None, 3]).extents == (n * 2, 3)
    assert shape.merge_with([4, None]).extents == (4, 3)
    assert TensorShape([n]).most_specific_compatible_shape([n]).extents == (n,)
    assert TensorShape.of((2, 3)).extents == (2, 3)


def test_concatenation() -> None:
    assert TensorShape([2]) + [3, None] == (2, 3, None)
    assert [1] + TensorShape([2]) == (1, 2)
    assert (1,) + TensorShape([2]) == (1, 2)
    assert TensorShape([2]).concatenate(UNKNOWN) == UNKNOWN


@pytest.mark.parametrize(
    ("a", "b", "compatible"),
    [
        ([2, 3], [2, 3], True),
        ([2, None], [None, 3], True),
        ([2, 3], None, True),
        ([2, 3], [2, 4], False),
        ([2], [2, 1], False),
        ([], [], True),
    ],
)
def test_compatibility(a: Any, b: Any, compatible: bool) -> None:
    left, right = TensorShape(a), TensorShape(b)
    assert left.is_compatible_with(b) is compatible
    assert right.is_compatible_with(a) is compatible
    if compatible:
        left.assert_is_compatible_with(b)
        assert left.merge_with(b).is_compatible_with(a)
    else:
        with pytest.raises(ValueError, match="are incompatible"):
            left.assert_is_compatible_with(b)
        with pytest.raises(ValueError, match="are not compatible"):
            left.merge_with(b)


def test_merging() -> None:
    assert TensorShape([2, None, None]).merge_with([None, 3, None]) == (2, 3, None)
    assert UNKNOWN.merge_with([2]) == (2,)
    assert TensorShape([2]).merge_with(None) == (2,)
    assert TensorShape([2, 3]).most_specific_compatible_shape([2, 4]) == (2, None)
    assert TensorShape([2, 3]).most_specific_compatible_shape([2]) == UNKNOWN


def test_rank_assertions() -> None:
    shape = TensorShape([2, 3])
    shape.assert_has_rank(2)
    UNKNOWN.assert_has_rank(7)
    assert shape.with_rank(2) == shape
    assert UNKNOWN.with_rank(2) == (None, None)
    assert shape.with_rank_at_least(2) is shape
    assert shape.with_rank_at_most(2) is shape
    with pytest.raises(ValueError, match=r"Shape \(2, 3\) must have rank 3"):
        shape.assert_has_rank(3)
    with pytest.raises(ValueError, match=r"Shape \(2, 3\) must have rank 1"):
        shape.with_rank(1)
    with pytest.raises(ValueError, match="rank at least 3"):
        shape.with_rank_at_least(3)
    with pytest.raises(ValueError, match="rank at most 1"):
        shape.with_rank_at_most(1)
    with pytest.raises(ValueError, match="must have the same rank"):
        shape.assert_same_rank([1])


def test_copies() -> None:
    for shape in (TensorShape([2, None]), UNKNOWN):
        assert repr(pickle.loads(pickle.dumps(shape))) == repr(shape)
        assert repr(copy.deepcopy(shape)) == repr(shape)


def test_spec() -> None:
    spec = TensorSpec([None, 2], dtypes.float64, name="x")
    assert repr(spec) == "TensorSpec(shape=(None, 2), dtype=tf.float64, name='x')"
    assert (spec.shape, spec.dtype, spec.name) == ((None, 2), dtypes.float64, "x")
    assert repr(TensorSpec([])) == "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    assert repr(TensorSpec(None)) == "TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)"
    assert spec == TensorSpec((None, 2), "float64", "x")
    assert hash(spec) == hash(TensorSpec((None, 2), np.float64, "x"))
    assert spec != TensorSpec((None, 2), "float64", "y")
    assert spec != TensorSpec((None, 2), "float32", "x")
    assert spec != TensorSpec((3, 2), "float64", "x")
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(AttributeError):
        spec.shape = 3  # type: ignore[misc,assignment]


def test_spec_of_tensors() -> None:
    array = np.zeros((5, 2), np.float32)
    assert TensorSpec.from_tensor(array, "a") == TensorSpec([5, 2], "float32", "a")
    assert TensorSpec.from_spec(TensorSpec([1], name="a")).name == "a"
    assert TensorSpec.from_spec(TensorSpec([1], name="a"), "b").name == "b"
    spec = TensorSpec([None, 2], "float32")
    assert spec.is_compatible_with(array)
    assert spec.is_compatible_with(TensorSpec(None, "float32"))
    assert not spec.is_compatible_with(array.astype(np.float64))
    assert not spec.is_compatible_with(array[0])
    assert not spec.is_compatible_with("text")
    general = TensorSpec([3, 2]).most_specific_compatible_type(TensorSpec([4, 2]))
    assert general == TensorSpec([None, 2])
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        spec.most_specific_compatible_type(TensorSpec([3, 2], "int32"))
