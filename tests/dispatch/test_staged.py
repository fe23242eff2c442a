"""Extents that depend on data: eagerly, in compiled functions, under gradients of any order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.dispatch.primitive import Sizes, measured, primitive
from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.extent import Extent
from tfc.ir.interpreter import interpret
from tfc.ir.passes.data_extents import stages
from tfc.ir.text import parse


@primitive
def _first(b: Builder, x: Value, size: tuple[Extent, ...]) -> Any:
    return b.emit(ir.Slice(x, (0,), size, (1,)))


def prefix(x: Any) -> Any:
    """As many elements of `x` as there are positive ones."""
    count = measured(tf.reduce_sum(tf.cast(x > 0, tf.int64)))
    return _first(x, static=(Sizes((count,)),))


def total(x: Any) -> Any:
    y = prefix(x * 2.0)
    return tf.reduce_sum(y * y) + 1.0


ROWS = [[1.0, 2, -3, 4], [1, 1, 1, 1, 1], [-1, -1], [5], []]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_eager_and_compiled_agree(row: list[float]) -> None:
    x = tf.constant(row, tf.float32)
    wanted = np.float32(row)[: int(np.sum(np.float32(row) > 0))]
    np.testing.assert_array_equal(prefix(x), wanted)
    f = tf.function(prefix, input_signature=[tf.TensorSpec([None])])
    np.testing.assert_array_equal(f(x), wanted)
    assert f(x).shape == wanted.shape
    assert float(tf.function(total)(x)) == float(total(x))


def test_one_program_serves_all_counts() -> None:
    f = tf.function(prefix, input_signature=[tf.TensorSpec([None])])
    for row in ROWS:
        f(tf.constant(row, tf.float32))
    assert f.experimental_get_tracing_count() == 1


def test_gradients_of_any_order() -> None:
    x = tf.constant([1.0, 2, -3, 4], tf.float64)

    def first(f: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    def second(f: Any, x: Any) -> Any:
        return first(lambda v: tf.reduce_sum(first(lambda u: f(u) * f(u), v) ** 2.0), x)

    for order in (first, second):
        eager = order(total, x).numpy()
        for compiled in (
            order(tf.function(total), x),
            tf.function(lambda v, order=order: order(total, v))(x),
            tf.function(lambda v, order=order: order(tf.function(total), v))(x),
        ):
            assert compiled.numpy().tobytes() == eager.tobytes()
    assert first(total, x).numpy().tolist() == [8, 16, -24, 0]


def test_variables_and_clashes() -> None:
    v = tf.Variable([1.0, 2, 3])

    @tf.function
    def add(x: Any) -> Any:
        v.assign_add(prefix(x))
        return tf.reduce_sum(v)

    assert float(add(tf.constant([1.0, 1, 1]))) == 9
    assert v.numpy().tolist() == [2, 3, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"extents 3 and 1 .*test_staged"):
        add(tf.constant([1.0, -1, -1]))
    assert v.numpy().tolist() == [2, 3, 4]


def test_two_extents_and_what_does_not_need_them() -> None:
    @tf.function
    def f(x: Any, y: Any) -> Any:
        a, b = prefix(x), prefix(y)
        return tf.concat([a, b], 0), tf.reduce_sum(x) * tf.reduce_sum(y)

    joined, product = f(tf.constant([1.0, -2]), tf.constant([3.0, 4, -5]))
    assert joined.numpy().tolist() == [1, 3, 4] and float(product) == -2


def test_stages_of_ir() -> None:
    text = """
    func @f(%x: f32[n], %k: i64) -> (f32[d], f32[n]) {
      bind_extent %k {symbol = d}
      %0 = slice %x {begin = (0,), size = (d,), strides = (1,)} : f32[d]
      %1 = add %0, %0 : f32[d]
      %2 = neg %x : f32[n]
      return %1, %2
    }"""
    f = parse(text)
    assert str(parse(str(f))) == str(f)
    first, second = stages(f)
    assert [op.mnemonic for op in first.function.body] == ["neg"]
    assert [op.mnemonic for op in second.function.body] == ["slice", "add"]
    assert [name for _, name in first.binds] == ["d"] and second.scalars == ("d",)
    x = np.float32([1, 2, 3])
    outcome = [np.asarray(r) for r in f(x, np.int64(2))]
    for got, wanted in zip(outcome, interpret(f, [x, np.int64(2)]), strict=True):
        np.testing.assert_array_equal(got, wanted)
