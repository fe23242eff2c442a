"""Floats of 8 bits: every value, every way in and out, and errors where arithmetic is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tfc as tf
from tests import emulated, native
from tfc.ir.dtypes import DType
from tfc.ir.text import parse

pytestmark = pytest.mark.filterwarnings("ignore:.* encountered in cast:RuntimeWarning")
NAMES = ("float8_e4m3fn", "float8_e5m2")
both = pytest.mark.parametrize("dtype", [tf.as_dtype(name) for name in NAMES], ids=NAMES)


def every(dtype: DType) -> np.ndarray:
    """All 256 values."""
    return np.arange(256, dtype=np.uint8).view(dtype.numpy)


def assert_same(got: Any, wanted: np.ndarray) -> None:
    """Equal bits; of nan only that it is one."""
    got = np.asarray(got)
    assert got.dtype == wanted.dtype
    wide = got.astype(np.float64), wanted.astype(np.float64)
    nan = np.isnan(wide[0]) & np.isnan(wide[1])
    bits = f"u{got.itemsize}"
    differ = (got.view(bits) != wanted.view(bits)) & ~nan
    assert not differ.any(), f"{got[differ][:8]} instead of {wanted[differ][:8]}"


@both
def test_every_value_as_another_float(dtype: DType) -> None:
    x = every(dtype)
    for name in ("float16", "bfloat16", "float32", "float64", *NAMES):
        assert_same(tf.cast(x, name), x.astype(tf.as_dtype(name).numpy))


@both
@pytest.mark.parametrize("source", [np.float16, ml_dtypes.bfloat16])
def test_every_narrow_float(dtype: DType, source: Any) -> None:
    x = np.arange(2**16, dtype=np.uint16).view(source)
    assert_same(tf.cast(x, dtype), x.astype(dtype.numpy))


@both
def test_wide_floats(dtype: DType) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2**32, 500_000, dtype=np.uint32).view(np.float32)
    assert_same(tf.cast(x, dtype), x.astype(dtype.numpy))
    near = (rng.normal(size=200_000) * np.exp2(rng.integers(-25, 20, 200_000))).astype(np.float32)
    assert_same(tf.cast(near, dtype), near.astype(dtype.numpy))


@both
def test_halfway_goes_to_even_and_next_to_it_does_not(dtype: DType) -> None:
    """In float64 too, of which float32 would round once before."""
    finite = every(dtype)[: {"float8_e4m3fn": 127, "float8_e5m2": 124}[dtype.name]]
    below, above = finite[:-1], finite[1:]
    middle = (below.astype(np.float64) + above.astype(np.float64)) / 2
    for sign in (1, -1):
        assert_same(tf.cast(sign * np.nextafter(middle, 0), dtype), sign * below)
        assert_same(tf.cast(sign * np.nextafter(middle, 1e9), dtype), sign * above)
        even = np.where(below.view(np.uint8) % 2 == 0, below, above)
        assert_same(tf.cast(sign * middle, dtype), sign * even)
        narrow = middle.astype(np.float32)
        assert_same(tf.cast(sign * narrow, dtype), sign * even)


@both
def test_what_is_too_large(dtype: DType) -> None:
    """As in TensorFlow: infinity where there is one, else nan; the largest by `saturate_cast`."""
    largest, edge = {"float8_e4m3fn": (448, 464), "float8_e5m2": (57344, 61440)}[dtype.name]
    assert (dtype.min, dtype.max) == (-largest, largest)
    infinite = dtype.name == "float8_e5m2"
    beyond = np.float32(np.inf if infinite else np.nan)
    tie = edge if infinite else np.nextafter(np.float32(edge), np.float32(np.inf))
    x = np.array([largest, np.nextafter(np.float32(edge), np.float32(0)), tie, 1e30], np.float32)
    for sign in (1, -1):
        got = tf.cast(tf.cast(sign * x, dtype), tf.float32)
        np.testing.assert_array_equal(got, sign * np.array([largest, largest, beyond, beyond]))
    for given in (np.array([1e9, -1e9, 2.0]), np.array([1e9, -1e9, 2.0], np.float32)):
        got = tf.cast(tf.saturate_cast(given, dtype), tf.float32)
        np.testing.assert_array_equal(got, [largest, -largest, 2])
    got = tf.saturate_cast(np.array([2**40, -(2**40), 2]), dtype)
    np.testing.assert_array_equal(tf.cast(got, tf.float32), [largest, -largest, 2])


@both
def test_gpu_kernels_cast_the_same(dtype: DType) -> None:
    short = dtype.short
    f = parse(
        f"func @f(%x: {short}[n], %y: f32[m]) -> (f32[n], {short}[m]) {{\n"
        "  %0 = cast %x {dtype = f32} : f32[n]\n"
        f"  %1 = cast %y {{dtype = {short}}} : {short}[m]\n"
        "  return %0, %1\n}"
    )
    rng = np.random.default_rng(1)
    y = (rng.normal(size=500) * np.exp2(rng.integers(-20, 18, 500))).astype(np.float32)
    y[:6] = [np.inf, -np.inf, np.nan, 0, -0.0, 1e-40]
    got = emulated.Emulated(f)(every(dtype), y)
    native.assert_same_bits(got, native.run(f, every(dtype), y), dtype.name)


@both
def test_constants_variables_and_printing(dtype: DType) -> None:
    x = tf.constant([1.0, -2.5, 0.1], dtype)
    assert x.dtype is dtype and dtype.is_floating and dtype.size == 1
    assert str(x) == f"tf.Tensor([1 -2.5 {float(x[2]):.6g}], shape=(3,), dtype={dtype.name})"
    assert f"dtype={dtype.name}, numpy=array([1, -2.5, {float(x[2]):.6g}], dtype=" in repr(x)
    assert x.numpy().dtype == dtype.as_numpy_dtype
    assert tf.constant(x.numpy()).dtype is dtype
    assert tf.convert_to_tensor([1, 2], dtype).dtype is dtype
    v = tf.Variable(x)
    v.assign(tf.cast([3.0, 4.0, 5.0], dtype))
    assert v.dtype is dtype and [float(i) for i in v] == [3, 4, 5]
    v.assign(v[::-1])
    assert v.numpy().tolist() == [5, 4, 3]

    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        return tf.concat([x, tf.constant([0.5], dtype)], 0)

    np.testing.assert_array_equal(tf.cast(f(v), tf.float32), [5, 4, 3, 0.5])
    np.testing.assert_array_equal(x == tf.constant([1.0, -2.5, 0.2], dtype), [True, True, False])
    nan = tf.cast(float("nan"), dtype)
    assert not bool(nan == nan) and bool(nan != nan)


@both
def test_interchange(dtype: DType) -> None:
    x = tf.constant([1.0, 2.0, float("nan")], dtype)
    back = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x))
    assert back.dtype is dtype
    assert_same(back, x.numpy())
    assert tf.as_dtype(dtype.as_numpy_dtype) is dtype and tf.as_dtype(dtype.name) is dtype
    assert getattr(tf.dtypes.experimental, dtype.name) is dtype


def test_saved_models_hold_them(tmp_path: Path) -> None:
    module = tf.Module()
    module.small = [tf.Variable(every(tf.as_dtype(name))) for name in NAMES]
    module.wide = tf.function(
        lambda scale: [scale * tf.cast(v, tf.float32) for v in module.small],
        input_signature=[tf.TensorSpec([], tf.float32)],
    )
    tf.saved_model.save(module, str(tmp_path / "m"))
    loaded = tf.saved_model.load(str(tmp_path / "m"))
    for got, wanted in zip(loaded.wide(2.0), module.wide(2.0), strict=True):
        np.testing.assert_array_equal(got, wanted)
    for got, wanted in zip(loaded.small, module.small, strict=True):
        assert_same(got.numpy(), wanted.numpy())


X = tf.constant([[1.0, 2.0], [3.0, 4.0]], "float8_e4m3fn")
REFUSED = {
    "add": lambda: X + X,
    "add a number": lambda: 1.0 + X,
    "negative": lambda: -X,
    "less": lambda: X < X,
    "matmul": lambda: tf.matmul(X, X),
    "einsum": lambda: tf.einsum("ij,jk->ik", X, X),
    "reduce_sum": lambda: tf.reduce_sum(X),
    "reduce_max": lambda: tf.reduce_max(X),
    "sort": lambda: tf.sort(X),
    "top_k": lambda: tf.math.top_k(X),
    "searchsorted": lambda: tf.searchsorted(X, X),
    "relu": lambda: tf.nn.relu(X),
    "is_nan": lambda: tf.math.is_nan(X),
    "cumsum": lambda: tf.cumsum(X),
    "scatter add": lambda: tf.tensor_scatter_nd_add(X, [[0]], X[:1]),
    "assign_add": lambda: tf.Variable(X).assign_add(X),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arithmetic_is_an_error(name: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="not defined for dtype float8_e4m3fn"):
        REFUSED[name]()


def test_no_gradient_flows_through_them() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(tf.cast(v, "float8_e5m2"), tf.float32) * v
    np.testing.assert_array_equal(tape.gradient(y, v), [1, 2])
