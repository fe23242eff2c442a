"""Concrete functions of tensors of unknown rank: one trace for each rank that they meet."""

from __future__ import annotations

from typing import Any

import pytest

import tfc
from tests.function.counting import counted

tf: Any = tfc


def test_each_rank_is_traced_once() -> None:
    f, traces = counted(lambda x: tf.reduce_sum(x) * 2.0)
    concrete = f.get_concrete_function(tf.TensorSpec(None))
    assert traces == []
    found = [float(concrete(tf.ones(shape))) for shape in ([3], [3, 2], [], [5], [1, 4])]
    assert found == [6, 12, 2, 10, 8]
    assert len(traces) == 3
    assert [c.inputs[0].shape.rank for c in concrete.concrete_functions] == [1, 2, 0]
    assert concrete.of_ranks(2) is concrete.concrete_functions[1]
    assert concrete.of_ranks(2).structured_outputs == tf.TensorSpec([])


def test_what_it_says_of_itself_is_tensorflows() -> None:
    # TensorFlow 2.21 prints these specs for the same function
    f = tf.function(lambda x, y, k=2: (x + 1.0, {"a": x * y * k}))
    concrete = f.get_concrete_function(tf.TensorSpec(None, name="foo"), tf.TensorSpec([None]))
    open_spec = tf.TensorSpec(None, name="foo")
    assert concrete.structured_input_signature == (
        (open_spec, tf.TensorSpec([None], name="y"), 2),
        {},
    )
    row = tf.ones([2])
    for given in ({"foo": row, "y": row}, {"x": row, "y": row}):
        assert concrete(**given)[1]["a"].numpy().tolist() == [2, 2]
    assert concrete(tf.ones([2, 2]), row)[0].shape == (2, 2)
    assert concrete.structured_outputs == (tf.TensorSpec(None), {"a": tf.TensorSpec(None)})
    assert [spec.shape.rank for spec in concrete.outputs] == [None, None]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"int32 .* does not fit .*float32"):
        concrete(tf.constant([1, 2]), row)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \(2, 2\) does not fit"):
        concrete(row, tf.ones([2, 2]))
    with pytest.raises(AttributeError, match="a trace for each rank"):
        concrete.ir()


def test_signatures_share_their_traces() -> None:
    f, traces = counted(lambda x: x + 1.0, input_signature=[tf.TensorSpec(None)])
    concrete = f.get_concrete_function()
    assert concrete(tf.ones([2, 2])).shape == (2, 2)
    assert f(tf.ones([3, 1])).shape == (3, 1)
    assert len(traces) == 1


def test_variables_structures_strings_and_tapes() -> None:
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    scaled = tf.function(lambda x, v: x * v).get_concrete_function(tf.TensorSpec(None), v)
    row = tf.ones([2])
    assert scaled(row).numpy().tolist() == [2, 2]
    assert scaled(row, w).numpy().tolist() == [3, 3]
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(scaled(row))
    assert float(tape.gradient(y, v)) == 2
    outer = tf.function(lambda x: scaled(x) + scaled(x[0]))
    assert outer(row).numpy().tolist() == [4, 4]
    nested = tf.function(lambda d: d["a"] + d["b"][0]).get_concrete_function(
        {"a": tf.TensorSpec(None), "b": [tf.TensorSpec([None])]}
    )
    assert nested({"a": tf.constant(1.0), "b": [row]}).numpy().tolist() == [2, 2]
    lengths = tf.function(tf.strings.length).get_concrete_function(tf.TensorSpec(None, tf.string))
    assert int(lengths(tf.constant("abc"))) == 3
    assert lengths(tf.constant(["a", "ab"])).numpy().tolist() == [1, 2]
