"""Reductions down the columns: bits of the stated tree, at the edges of panels and slots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.native import Native
from tfc.ir.core import Op, Value
from tfc.ir.kernels.ops import CallRoutine, For
from tfc.ir.ops.elementwise import BitwiseAnd
from tfc.ir.ops.reduction import CHUNK
from tfc.ir.ops.shape import Constant
from tfc.ir.text import parse

LANES = 64
SHAPES = [(17, 5), (64, 64), (65, 255), (100, 256), (129, 257), (1000, 17), (650, 1100), (0, 3)]
LONG = [(CHUNK, 3), (CHUNK + 1, 20), (3 * CHUNK, 2), (70 * CHUNK + 77, 3)]


def tree(x: np.ndarray) -> Any:
    """The sum over the first axis in the order that ir.Reduce states."""
    if len(x) > CHUNK:
        return tree(np.stack([tree(x[low : low + CHUNK]) for low in range(0, len(x), CHUNK)]))
    slots = np.zeros((LANES, *x.shape[1:]), x.dtype)
    for low in range(0, len(x), LANES):
        rows = x[low : low + LANES]
        slots[: len(rows)] += rows
    half = LANES // 2
    while half:
        slots[:half] += slots[half : 2 * half]
        half //= 2
    return slots[0]


def numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(dtype)


def unknown(f: Any, x: tf.Tensor) -> Any:
    return tf.function(f, input_signature=[tf.TensorSpec([None] * x.ndim, x.dtype)])(x)


@pytest.mark.parametrize("shape", SHAPES + LONG)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_are_the_tree(shape: tuple[int, ...], dtype: Any) -> None:
    x = numbers(*shape, dtype=dtype)
    wanted = tree(x).tobytes()
    t = tf.constant(x)
    assert tf.reduce_sum(t, 0).numpy().tobytes() == wanted
    assert tf.function(lambda x: tf.reduce_sum(x, 0))(t).numpy().tobytes() == wanted
    assert unknown(lambda x: tf.reduce_sum(x, 0), t).numpy().tobytes() == wanted


def test_inner_and_several_axes() -> None:
    x = numbers(3, 40, 50)
    t = tf.constant(x)
    assert tf.reduce_sum(t, 1).numpy().tobytes() == np.stack([tree(v) for v in x]).tobytes()
    assert tf.reduce_sum(t, [0, 1]).numpy().tobytes() == tree(x.reshape(-1, 50)).tobytes()


@pytest.mark.parametrize("rows", [17, 65, 300, CHUNK + 1])
def test_panels_of_one_column(rows: int) -> None:
    """No loop over columns stands there between what is stored in a slot and what is read of it."""
    t = tf.constant(numbers(rows, 3, 1))
    wanted = tree(np.abs(t.numpy()))
    total = tf.function(lambda x: tf.reduce_sum(tf.abs(x), 0))(t)
    assert total.shape == wanted.shape and total.numpy().tobytes() == wanted.tobytes()
    place = tf.function(lambda x: tf.argmax(tf.abs(x), 0))(t)
    np.testing.assert_array_equal(place, np.abs(t.numpy()).argmax(0))


@pytest.mark.parametrize("shape", SHAPES[:-1])
def test_extrema_and_their_places(shape: tuple[int, ...]) -> None:
    x = np.round(numbers(*shape) * 2)  # with ties
    x[-1, 0] = np.nan
    t = tf.constant(x)
    for f in (lambda x: tf.argmax(x, 0), lambda x: tf.reduce_max(x, 0)):
        name = "argmax" if f(t).dtype == tf.int64 else "max"
        np.testing.assert_array_equal(f(t), getattr(np, name)(x, 0))
        np.testing.assert_array_equal(unknown(f, t), getattr(np, name)(x, 0))


@pytest.mark.parametrize("dtype", [tf.int8, tf.uint16, tf.int64, tf.bool, tf.float16, tf.bfloat16])
def test_dtypes(dtype: Any) -> None:
    x = tf.cast(tf.constant(np.round(numbers(90, 33) * 4)), dtype)
    if dtype == tf.bool:
        np.testing.assert_array_equal(tf.reduce_any(x, 0), x.numpy().any(0))
        np.testing.assert_array_equal(tf.reduce_all(x, 0), x.numpy().all(0))
        return
    got = tf.reduce_sum(x, 0)
    assert got.dtype == dtype
    wide = x.numpy().astype(np.float32) if dtype in (tf.float16, tf.bfloat16) else x.numpy()
    np.testing.assert_array_equal(got.numpy(), tree(wide).astype(x.numpy().dtype))


def test_stages_read_what_earlier_ones_made() -> None:
    """Mean, then variance about it, then what is scaled by both: one kernel."""

    def f(x: Any) -> Any:
        mean, variance = tf.nn.moments(x, 0)
        total = tf.reduce_sum(tf.abs(x), 0)  # of the first stage, though it comes later
        skewness = tf.reduce_mean(((x - mean) / tf.sqrt(variance)) ** 3, 0)
        return mean, variance, total, skewness

    x = numbers(300, 300)
    t = tf.constant(x)
    compiled = tf.function(f)
    eager = [y.numpy().tobytes() for y in f(t)]
    assert [y.numpy().tobytes() for y in compiled(t)] == eager
    assert [y.numpy().tobytes() for y in unknown(f, t)] == eager
    mean, variance, total, skewness = compiled(t)
    np.testing.assert_allclose(mean, x.mean(0), atol=1e-6)
    np.testing.assert_allclose(variance, x.var(0), rtol=1e-5)
    np.testing.assert_allclose(total, np.abs(x).sum(0), rtol=1e-5)
    wanted = (((x - x.mean(0)) / x.std(0)) ** 3).mean(0)
    np.testing.assert_allclose(skewness, wanted, atol=1e-5)
    assert compiled.get_concrete_function(t).ir("kernels", verbose=True).count(" launch ") == 1


@pytest.mark.parametrize("shape", [(3, 5, 7, 33), (2, 40, 31, 64)])
def test_what_columns_repeat_is_computed_where_several_axes_are_reduced(
    shape: tuple[int, ...],
) -> None:
    """Mean and variance are one kernel, which stores no deviations."""

    def moments(x: Any) -> Any:
        mean = tf.reduce_mean(x, [0, 1, 2])
        return mean, tf.reduce_mean(tf.square(x - mean), [0, 1, 2])

    x = numbers(*shape)
    count = np.float32(x.size // shape[-1])
    mean = tree(x.reshape(-1, shape[-1])) / count
    variance = tree(np.square(x - mean).reshape(-1, shape[-1])) / count
    for f in (tf.function(moments), lambda x: unknown(moments, x)):
        for found, wanted in zip(f(tf.constant(x)), (mean, variance), strict=True):
            np.testing.assert_array_equal(found.numpy(), wanted)
    text = tf.function(moments).get_concrete_function(tf.constant(x)).ir("kernels")
    assert text.count("= launch") == 1
    # What is repeated along columns does not lie in the order of memory.
    along = tf.function(
        lambda x: tf.reduce_sum(x - tf.reduce_mean(x, -1, keepdims=True), [0, 1, 2])
    )
    rows = numbers(*shape).reshape(-1, shape[-1])
    found = along(tf.constant(x)).numpy()
    np.testing.assert_allclose(found, (rows - rows.mean(-1, keepdims=True)).sum(0), atol=1e-3)


def test_few_rows_have_few_slots() -> None:
    """How many there are is known when it runs only: then fewer slots are cleared and combined, and
    the bits are those of a known number of rows."""
    free = tf.function(
        lambda x: (tf.reduce_sum(x, 1), tf.reduce_max(x, 1), tf.reduce_prod(x, 1)),
        input_signature=[tf.TensorSpec([None, None, None])],
    )
    generator = np.random.default_rng(4)
    for rows in (0, 1, 2, 3, 5, 16, 17, 32, 33, 63, 64, 65, 100, 2049):
        x = generator.normal(size=(2, rows, 3)).astype(np.float32)
        x[generator.random(x.shape) < 0.2] = -0.0
        known = tf.function(
            lambda x: (tf.reduce_sum(x, 1), tf.reduce_max(x, 1), tf.reduce_prod(x, 1))
        )
        for a, b in zip(free(x), known(x), strict=True):
            assert a.numpy().tobytes() == b.numpy().tobytes(), rows


@pytest.mark.parametrize("combine", ["sum", "max"])
@pytest.mark.parametrize(("rows", "columns"), [(512, 20), (64, 16), (15, 33), (256, 300)])
def test_rows_of_a_number_up_to_a_bound(combine: str, rows: int, columns: int) -> None:
    """One number of rows goes side by side, and none is left over where that divides them."""
    kind = f"f32[n_to40,{rows},{columns}]"
    text = f"func @f(%x: {kind}) -> f32[{columns}] {{\n  %0 = reduce_{combine} %x "
    native = Native(parse(f"{text}{{axes = (0, 1)}} : f32[{columns}]\n  return %0\n}}"))
    for count in (1, 3, 4, 5, 32, 40):
        x = numbers(count, rows, columns)
        flat = x.reshape(-1, columns)
        wanted = tree(flat) if combine == "sum" else flat.max(0)
        assert native(x)[0].tobytes() == wanted.tobytes()
    loops = [op for op in kernels(native) if isinstance(op, For) and op.step == 8 * LANES]
    assert len(loops) == 1
    singles = [op for op in kernels(native) if isinstance(op, BitwiseAnd) and _is(op.y, LANES - 1)]
    assert bool(singles) == (rows != 512)


def test_kernels_share_what_folds_slots() -> None:
    """A function for whole registers, one for other columns, however many kernels call it."""
    native = Native(
        parse(
            """
func @f(%x: f32[4096,32], %y: f32[3000,64], %z: f32[3000,65]) -> (f32[32], f32[64], f32[65]) {
  %0 = reduce_sum %x {axes = (0,)} : f32[32]
  %1 = reduce_sum %y {axes = (0,)} : f32[64]
  %2 = reduce_sum %z {axes = (0,)} : f32[65]
  return %0, %1, %2
}
"""
        )
    )
    inputs = numbers(4096, 32), numbers(3000, 64), numbers(3000, 65)
    for x, found in zip(inputs, native(*inputs), strict=True):
        assert found.tobytes() == tree(x).tobytes()
    callees = {op.callee.name: op.callee for op in kernels(native) if isinstance(op, CallRoutine)}
    called = [op.callee for op in kernels(native) if isinstance(op, CallRoutine)]
    assert sorted(len(name.split("_of_")) for name in callees) == [1, 1, 2, 2]
    assert len(called) == 6 and set(called) == set(callees.values())


def kernels(native: Native) -> list[Op]:
    return [op for launch in native.kernels.body for k in launch.regions for op in k.walk()]


def _is(v: Value, number: int) -> bool:
    return isinstance(v.op, Constant) and int(v.op.value) == number
