"""Objects that are made of tensors, as their spec says how: in functions, loops and structures."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import tfc as tf
from tfc.core.composite_tensors import CompositeTensor, VariableSpec, without_variables


class SpanSpec(tf.TypeSpec):
    """Of a span: that of its limits, and its unit."""

    def __init__(self, limits: Any, unit: str) -> None:
        self.limits, self.unit = limits, unit

    @property
    def value_type(self) -> type:
        return Span

    def _serialize(self) -> Any:
        return self.limits, self.unit

    @property
    def _component_specs(self) -> Any:
        return {"start": self.limits, "end": self.limits}

    def _to_components(self, value: Any) -> Any:
        return {"start": value.start, "end": value.end}

    def _from_components(self, components: Any) -> Any:
        return Span(components["start"], components["end"], self.unit)


class Span(CompositeTensor):
    def __init__(self, start: Any, end: Any, unit: str = "m") -> None:
        self.start = start if isinstance(start, tf.Variable) else tf.convert_to_tensor(start)
        self.end = tf.convert_to_tensor(end)
        self.unit = unit

    @property
    def _type_spec(self) -> SpanSpec:
        return SpanSpec(tf.TensorSpec(self.start.shape, self.start.dtype), self.unit)

    def length(self) -> Any:
        return self.end - self.start


def test_functions_take_and_give_them() -> None:
    traces = []

    @tf.function
    def doubled(span: Span) -> Span:
        traces.append(span.unit)
        return Span(span.start, span.start + 2 * span.length(), span.unit)

    made = doubled(Span([1.0, 2.0], [4.0, 3.0]))
    assert isinstance(made, Span) and made.unit == "m"
    assert made.end.numpy().tolist() == [7.0, 4.0]
    for count in (3, 4):  # the second size is a trace for all, as of plain tensors
        assert doubled(Span([1.0] * count, [2.0] * count)).end.numpy().tolist() == [3.0] * count
    assert doubled(Span([1.0], [2.0], "s")).unit == "s"
    assert traces == ["m", "m", "s"]


def test_gradients_reach_their_parts() -> None:
    start = tf.Variable([1.0, 2.0])
    span = Span(start, [4.0, 3.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.function(lambda s: s.length() ** 2)(span))
    assert tape.gradient(total, start).numpy().tolist() == [-6.0, -2.0]
    assert not isinstance(without_variables({"a": [span]})["a"][0].start, tf.Variable)


def test_loops_and_structures() -> None:
    @tf.function
    def longer(span: Span, times: Any) -> Span:
        for _ in tf.range(times):
            span = Span(span.start, span.end + 1.0)
        return span

    assert longer(Span(0.0, 1.0), 3).length().numpy() == 4.0
    parts = tf.nest.flatten([Span(0.0, [1.0]), 5], expand_composites=True)
    assert [float(p) for p in (parts[0][0], parts[1], parts[2])] == [1.0, 0.0, 5.0]
    moved = tf.nest.map_structure(lambda x: x + 1, Span(0.0, 1.0), expand_composites=True)
    assert float(moved.start) == 1.0 and float(moved.length()) == 1.0


def test_specs_are_compared_and_covered() -> None:
    wide, narrow = (SpanSpec(tf.TensorSpec(shape), "m") for shape in ([None], [2]))
    assert wide.is_compatible_with(narrow) and narrow.is_compatible_with(wide)
    assert not wide.is_compatible_with(SpanSpec(tf.TensorSpec([2], tf.int32), "m"))
    assert wide.is_compatible_with(Span([1.0], [2.0])) and not wide.is_compatible_with(5)
    assert narrow != wide and narrow == SpanSpec(tf.TensorSpec([2]), "m")
    assert hash(narrow) == hash(SpanSpec(tf.TensorSpec([2]), "m"))
    three = SpanSpec(tf.TensorSpec([3]), "m")
    assert narrow.most_specific_compatible_type(three) == wide == narrow._with_tensor_ranks_only()
    assert narrow.most_specific_common_supertype([SpanSpec(tf.TensorSpec([2]), "s")]) is None
    assert pickle.loads(pickle.dumps(narrow)) == narrow
    named = SpanSpec(tf.TensorSpec([2], name="a"), "m")
    assert named != narrow and named._without_tensor_names() == narrow
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        narrow.most_specific_compatible_type(tf.TensorSpec([2]))
    with pytest.raises(ValueError, match="unsupported type"):
        tf.convert_to_tensor(Span(0.0, 1.0))


def test_specs_of_variables() -> None:
    spec = VariableSpec([None], tf.float32)
    assert spec.is_compatible_with(tf.Variable([1.0]))
    assert not spec.is_compatible_with(tf.Variable([1.0], trainable=False))
    assert not spec.is_compatible_with(tf.constant([1.0]))
    assert spec == VariableSpec([None]) != VariableSpec([None], trainable=False)


def test_named_tuples_of_one_name_and_fields_are_one_structure() -> None:
    from collections import namedtuple

    first, second, third = (namedtuple("Pair", "a b"), namedtuple("Pair", "a b"),
                            namedtuple("Other", "a b"))  # fmt: skip
    tf.nest.assert_same_structure(first(1, 2), second(3, 4))
    assert tf.nest.map_structure(lambda x, y: x + y, first(1, 2), second(3, 4)) == first(4, 6)
    with pytest.raises(TypeError):
        tf.nest.assert_same_structure(first(1, 2), third(3, 4))


def test_libraries_say_that_a_variable_is_not_trained() -> None:
    """As GPflow does, by the attribute that TensorFlow keeps it in."""
    module = tf.Module()
    module.v = v = tf.Variable(1.0)
    v._trainable = False
    assert not v.trainable and module.trainable_variables == ()
    with tf.GradientTape() as tape:
        y = v * 2.0
    assert tape.gradient(y, v) is None
