"""tfc.nest: taking nested values apart and putting them together again."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfc import nest


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Model:
    weight: Any
    bias: Any = None


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    items: Any
    total: Any = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        if not isinstance(self.items, list):
            raise ValueError("a check that placeholders would not pass")


def test_leaves() -> None:
    array = np.ones(3)
    for leaf in (1, "text", None, array, object(), {1, 2}, Point, Model):
        assert nest.flatten(leaf) == [leaf] or nest.flatten(leaf)[0] is leaf
        assert not nest.is_nested(leaf)
        assert nest.decompose(leaf)[1].is_leaf


def test_flatten_order() -> None:
    assert nest.flatten({"b": 1, "a": [2, (3, None)], "c": {}}) == [2, 3, None, 1]
    assert nest.flatten({2: "two", 1: "one"}) == ["one", "two"]
    assert nest.flatten(Point(1, Point(2, 3))) == [1, 2, 3]
    assert nest.flatten(Model([1, 2], {"k": 3})) == [1, 2, 3]


def test_pack_keeps_classes_and_order() -> None:
    value = {"b": [1, 2], "a": Point(3, (4,)), "c": Model(5, OrderedDict(z=6, y=7))}
    packed = nest.pack_sequence_as(value, [30, 40, 10, 20, 50, 70, 60])
    assert packed == {
        "b": [10, 20],
        "a": Point(30, (40,)),
        "c": Model(50, OrderedDict(z=60, y=70)),
    }
    assert list(packed) == ["b", "a", "c"]
    assert type(packed["a"]) is Point
    assert type(packed["c"].bias) is OrderedDict
    assert list(packed["c"].bias) == ["z", "y"]


def test_defaultdict_keeps_its_factory() -> None:
    packed = nest.map_structure(lambda x: x + 1, defaultdict(list, a=1))
    assert packed == {"a": 2}
    assert packed["new"] == []


def test_dataclass_is_put_together_without_its_checks() -> None:
    value = Frozen([1, 2])
    packed = nest.pack_sequence_as(value, ["a", "b", "c"])
    assert (packed.items, packed.total) == (["a", "b"], "c")
    structure = nest.decompose(value)[1]
    assert nest.flatten(structure.pack(["x", "y", 9])) == ["x", "y", 9]


def test_packed_containers_are_fresh() -> None:
    value = [1, 2]
    leaves, structure = nest.decompose(value)
    first = structure.pack(leaves)
    first.append(3)
    assert value == [1, 2]
    assert structure.pack(leaves) == [1, 2]
    assert leaves == [1, 2]


def test_structure_equality_and_hash() -> None:
    def structure(value: Any) -> nest.Structure:
        return nest.decompose(value)[1]

    assert structure((1, 2)) == structure(("a", None))
    assert structure({"a": 1, "b": [2]}) == structure({"b": [3], "a": 4})
    assert hash(structure({"a": 1, "b": [2]})) == hash(structure({"b": [3], "a": 4}))
    different = [1, (), (1,), (1, 2), [1, 2], ((1,), 2), {"a": 1}, {"b": 1}]
    different += [Point(1, 2), Model(1, 2)]
    assert len({structure(value) for value in different}) == len(different)
    assert structure((1, 2)) != (1, 2)


def test_structure_shows_itself() -> None:
    structure = nest.decompose({"b": [1, 2], "a": Point(3, (4,))})[1]
    assert repr(structure) == "Structure({'b': [*, *], 'a': Point(x=*, y=(*,))})"
    assert structure.count == 4
    assert structure.type is dict
    assert structure.paths("f") == ["f['a'].x", "f['a'].y[0]", "f['b'][0]", "f['b'][1]"]
    assert nest.decompose(5)[1].paths("x") == ["x"]


def test_pack_errors() -> None:
    with pytest.raises(ValueError, match="had 3 atoms, but flat_sequence had 2 items"):
        nest.pack_sequence_as((1, [2, 3]), [1, 2])
    with pytest.raises(ValueError, match="target structure is of type `<class 'int'>`"):
        nest.pack_sequence_as(7, [1, 2])
    with pytest.raises(TypeError, match="incompatible type `<class 'int'>`"):
        nest.pack_sequence_as((1,), 5)
    with pytest.raises(ValueError, match="2 leaves, but 1 were given"):
        nest.decompose((1, 2))[1].pack([1])
    with pytest.raises(TypeError, match="sortable keys"):
        nest.flatten({1: "a", "b": 2})
    itself: list[Any] = []
    itself.append(itself)
    for take in (nest.flatten, nest.decompose):
        with pytest.raises(ValueError, match="holds itself"):
            take(itself)


def test_map_structure() -> None:
    assert nest.map_structure(lambda x, y: x * y, [1, {"a": 2}], [3, {"a": 4}]) == [3, {"a": 8}]
    assert nest.map_structure(str, None) == "None"
    assert nest.map_structure(abs, ()) == ()
    assert nest.map_structure(max, [1, 5], (4, 2), check_types=False) == [4, 5]
    with pytest.raises(TypeError, match=r"type list, while second .* type tuple"):
        nest.map_structure(max, [1, 5], (4, 2))
    with pytest.raises(ValueError, match="at least one structure"):
        nest.map_structure(abs)
    with pytest.raises(TypeError, match="callable"):
        nest.map_structure(3, [1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        ([1, 2], [1], ValueError, "same number of elements"),
        (
            [1, [2]],
            [1, 2],
            ValueError,
            r"is a sequence, while substructure \"type=int str=2\" is not at \[1\]",
        ),
        (1, (1,), ValueError, r"\"type=tuple str=\(1,\)\" is a sequence, while"),
        ({"a": 1}, {"b": 1}, ValueError, r"keys \['a'\], while second has \['b'\]"),
        (
            {"k": [1, (2,)]},
            {"k": [1, [2]]},
            TypeError,
            r"sequence type at \['k'\]\[1\].*tuple.*list",
        ),
        (Point(1, 2), (1, 2), TypeError, "type Point, while second .* type tuple"),
        (Model(1, (2, 3)), Model(1, 2), ValueError, r"is not at \.bias"),
    ],
)
def test_assert_same_structure(a: Any, b: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        nest.assert_same_structure(a, b)
    nest.assert_same_structure(a, a)


def test_types_may_be_left_unchecked() -> None:
    nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    nest.assert_same_structure({"a": 1}, OrderedDict(a=2))
    with pytest.raises(ValueError, match="same number of elements"):
        nest.assert_same_structure([1, (2,)], (1, [2, 3]), check_types=False)


leaf_values = st.one_of(st.none(), st.integers(), st.text(max_size=2), st.floats(allow_nan=False))
nested_values = st.recursive(
    leaf_values,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
        st.builds(Point, inner, inner),
        st.builds(Model, inner, inner),
    ),
    max_leaves=12,
)


patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # machines are busy


@patient
@given(nested_values)
def test_round_trip(value: Any) -> None:
    leaves, structure = nest.decompose(value)
    assert leaves == nest.flatten(value)
    assert structure.count == len(leaves) == len(structure.paths())
    assert structure.pack(leaves) == value
    assert nest.pack_sequence_as(value, leaves) == value
    assert nest.decompose(structure.pack(list(range(len(leaves)))))[1] == structure
    nest.assert_same_structure(value, nest.map_structure(lambda leaf: 0, value))


@patient
@given(nested_values, nested_values)
def test_equal_structures_are_same_structures(a: Any, b: Any) -> None:
    if nest.decompose(a)[1] == nest.decompose(b)[1]:
        nest.assert_same_structure(a, b)
    else:
        with pytest.raises((TypeError, ValueError)):
            nest.assert_same_structure(a, b)
