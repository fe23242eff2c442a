"""tfc.experimental.numpy against NumPy: values, shapes and dtypes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.experimental import numpy as tnp

rng = np.random.default_rng(3)
FLOATS = rng.normal(size=(3, 4))
INTEGERS = rng.integers(-5, 6, (3, 4))
BOOLS = rng.integers(0, 2, (3, 4)).astype(bool)
SPECIAL = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], np.float32)
UNIT = np.array([-0.9, -0.5, 0.0, 0.25, 0.75], np.float32)


def names(text: str) -> list[str]:
    return text.split()


def same(got: Any, want: Any, rtol: float = 0.0) -> None:
    if isinstance(want, list | tuple):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w, rtol)
        return
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if rtol:
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)
    else:
        np.testing.assert_array_equal(got, want)


def both(name: str, *args: Any, rtol: float = 0.0, **options: Any) -> None:
    """The same call of both libraries; arrays are given as tensors to ours."""
    ours = [tf.constant(a) if isinstance(a, np.ndarray) else a for a in args]
    with np.errstate(all="ignore"):
        want = getattr(np, name)(*args, **options)
    same(getattr(tnp, name)(*ours, **options), want, rtol)


UNARY = names("""abs absolute ceil conj conjugate cos cosh arcsinh arctan cbrt deg2rad rad2deg
radians exp exp2 expm1 fabs floor imag isfinite isinf isnan isneginf isposinf isreal iscomplex log
log10 log1p log2 logical_not negative positive real sign signbit sin sinc sinh sqrt square tan tanh
trunc fix angle around""")


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str) -> None:
    few = ("abs", "logical_not", "real", "imag", "conj", "isreal", "isfinite")
    for x in (SPECIAL, INTEGERS, BOOLS) if name in few else (SPECIAL, INTEGERS):
        if x.dtype.kind != "f" and name in ("ceil", "floor", "trunc", "fix", "angle"):
            continue  # integers in NumPy, floats in TensorFlow
        both(name, x, rtol=1e-6 if x.dtype == np.float32 else 4e-15)


@pytest.mark.parametrize("name", names("arccos arcsin arctanh arctan arccosh"))
def test_inverse_functions(name: str) -> None:
    both(name, UNIT + 2 if name == "arccosh" else UNIT, rtol=1e-6)
    both(name, np.array([1, 0][: 1 + (name != "arccosh")]), rtol=1e-15)


BINARY = names("""add subtract multiply divide true_divide floor_divide remainder mod maximum
minimum fmax fmin arctan2 hypot logaddexp logaddexp2 equal not_equal less less_equal greater
greater_equal logical_and logical_or logical_xor power float_power copysign heaviside nextafter
isclose divmod""")


@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str) -> None:
    f32 = FLOATS.astype(np.float32)
    positive = abs(INTEGERS) + 1
    pairs: list[Any] = [(f32, positive), (positive, positive.astype(np.int32)), (BOOLS, FLOATS)]
    pairs += [(f32, 2)]
    for x, y in pairs:
        if name in ("power", "float_power") and np.any(np.asarray(x) < 0):
            x = abs(x)
        both(name, x, y, rtol=4e-7 if np.result_type(x, y) == np.float32 else 4e-15)


def test_promotion() -> None:
    pairs = [("int32", "float32"), ("uint8", "int8"), ("bool", "int16"), ("int64", "uint64")]
    for a, b in pairs:
        want = tf.as_dtype(np.result_type(a, b))
        assert tnp.result_type(np.dtype(a), np.dtype(b)) is want is tnp.promote_types(a, b)
    assert tnp.promote_types(tf.float16, tf.bfloat16) is tf.float32
    assert tnp.result_type(1, 2.0) is tf.float64
    assert tnp.result_type(tf.float32, 2.0) is tf.float32
    assert tnp.result_type(tf.int8, 1) is tf.int8
    assert tnp.result_type(tf.float32, 1j) is tf.complex64
    assert tnp.array([1, 2]).dtype is tf.int64 and tnp.array([[1.5]]).dtype is tf.float64
    assert tnp.asarray([tf.constant(1), 2.5]).dtype is tf.float64
    assert isinstance(tnp.ones(2), tnp.ndarray)


def test_bits() -> None:
    x = INTEGERS.astype(np.int16)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        both(name, x, INTEGERS)
        both(name, BOOLS, BOOLS[0])
    both("bitwise_not", x)
    both("bitwise_not", BOOLS)
    both("left_shift", abs(x), abs(x))
    both("right_shift", x, abs(x))


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("clip", (FLOATS, -0.5, 0.5), {}),
    ("clip", (INTEGERS, None, 2), {}),
    ("around", (FLOATS, 2), {}),
    ("allclose", (FLOATS, FLOATS + 1e-9), {}),
    ("isclose", (SPECIAL, SPECIAL), {"equal_nan": True}),
    ("where", (BOOLS, INTEGERS, 1.5), {}),
    ("where", (BOOLS,), {}),
    ("select", ([BOOLS, ~BOOLS], [INTEGERS, FLOATS], 7), {}),
    ("array", ([[1, 2]],), {"ndmin": 3}),
    ("zeros", (3,), {}),
    ("ones", ((2, 2),), {"dtype": np.int8}),
    ("full", ((2, 3), [1, 2, 3]), {}),
    ("zeros_like", (INTEGERS,), {}),
    ("ones_like", (INTEGERS,), {"dtype": np.float32}),
    ("full_like", (INTEGERS, 3), {}),
    ("eye", (3, 4, 1), {}),
    ("identity", (3,), {}),
    ("arange", (5,), {}),
    ("arange", (1, 2, 0.25), {}),
    ("linspace", (0, 1, 5), {}),
    ("linspace", (0.0, [1.0, 2.0], 4), {"endpoint": False, "retstep": True}),
    ("linspace", (0.0, [1.0, 2.0], 4), {"axis": 1}),
    ("logspace", (0, 3, 4), {}),
    ("geomspace", (1, 1000, 4), {}),
    ("meshgrid", (INTEGERS[0], FLOATS[1, :2]), {}),
    ("meshgrid", (INTEGERS[0], FLOATS[1, :2]), {"indexing": "ij"}),
    ("tri", (3, 4, 1), {}),
    ("tril", (FLOATS, -1), {}),
    ("triu", (FLOATS, 1), {}),
    ("vander", (np.array([1, 2, 3]),), {}),
    ("vander", (np.array([1, 2, 3]), 2), {"increasing": True}),
    ("shape", (FLOATS,), {}),
    ("ndim", (FLOATS,), {}),
    ("size", (FLOATS,), {}),
    ("size", (FLOATS, 1), {}),
    ("reshape", (FLOATS, (2, -1)), {}),
    ("reshape", (FLOATS, (6, 2)), {"order": "F"}),
    ("ravel", (FLOATS,), {}),
    ("expand_dims", (FLOATS, (0, 2)), {}),
    ("squeeze", (FLOATS[None, :, :, None],), {}),
    ("squeeze", (FLOATS[None, :, :, None], 0), {}),
    ("transpose", (FLOATS,), {}),
    ("transpose", (FLOATS[None], (1, 0, 2)), {}),
    ("moveaxis", (FLOATS[None], 0, -1), {}),
    ("swapaxes", (FLOATS[None], 0, 2), {}),
    ("broadcast_to", (FLOATS, (2, 3, 4)), {}),
    ("broadcast_arrays", (FLOATS, FLOATS[0]), {}),
    ("atleast_1d", (3.0,), {}),
    ("atleast_2d", (FLOATS[0],), {}),
    ("atleast_3d", (FLOATS[0],), {}),
    ("atleast_3d", (FLOATS,), {}),
    ("flip", (FLOATS,), {}),
    ("flipud", (FLOATS,), {}),
    ("fliplr", (FLOATS,), {}),
    ("roll", (FLOATS, 2), {}),
    ("roll", (FLOATS, (1, -1), (0, 1)), {}),
    *(("rot90", (FLOATS, k), {}) for k in range(-1, 4)),
    ("repeat", (FLOATS, 2), {}),
    ("repeat", (FLOATS, [1, 0, 2], 0), {}),
    ("tile", (FLOATS, (2, 1, 1)), {}),
    ("pad", (FLOATS, 1), {}),
    ("pad", (INTEGERS, ((1, 0), (0, 2))), {"constant_values": 9}),
    ("concatenate", ([INTEGERS, FLOATS], 1), {}),
    ("concatenate", ([INTEGERS, FLOATS], None), {}),
    ("append", (INTEGERS, [7]), {}),
    ("stack", ([INTEGERS, FLOATS], 1), {}),
    ("hstack", ([FLOATS[0], FLOATS[1]],), {}),
    ("hstack", ([FLOATS, INTEGERS],), {}),
    ("vstack", ([FLOATS[0], FLOATS],), {}),
    ("dstack", ([FLOATS, FLOATS],), {}),
    ("split", (FLOATS, 3), {}),
    ("split", (FLOATS, [1, 2], 1), {}),
    ("hsplit", (FLOATS, 2), {}),
    ("vsplit", (FLOATS, 3), {}),
    ("dsplit", (FLOATS[:, None, :], 2), {}),
    ("take", (FLOATS, [1, -1]), {"mode": "clip"}),
    ("take", (FLOATS, [1, -1], 1), {"mode": "wrap"}),
    ("take_along_axis", (FLOATS, np.argsort(FLOATS, 1), 1), {}),
    ("compress", ([True, False, True], FLOATS, 0), {}),
    ("compress", ([True, False, True], FLOATS), {}),
    ("diag_indices", (3,), {}),
    ("tril_indices", (3, 1), {}),
    ("triu_indices", (3,), {}),
    ("ix_", (np.arange(2), np.arange(3)), {}),
    ("diag", (FLOATS[0], -1), {}),
    ("diag", (FLOATS, 1), {}),
    ("diagflat", (INTEGERS[:2, :2], 1), {}),
    *(("diagonal", (FLOATS, k), {}) for k in (-2, 0, 3, 5)),
    ("nonzero", (INTEGERS,), {}),
    ("sum", (INTEGERS.astype(np.int8), 0), {}),
    ("sum", (BOOLS,), {"keepdims": True}),
    ("prod", (INTEGERS.astype(np.uint8),), {"axis": (0, 1)}),
    ("max", (FLOATS, 1), {}),
    ("amin", (BOOLS, 0), {}),
    ("ptp", (FLOATS, 0), {}),
    ("mean", (INTEGERS,), {}),
    ("mean", (FLOATS, 0), {"keepdims": True}),
    ("var", (INTEGERS, 0), {}),
    ("std", (FLOATS, 1), {"ddof": 1}),
    ("average", (FLOATS, 0), {"weights": [1, 2, 3]}),
    ("average", (FLOATS,), {"weights": abs(FLOATS), "returned": True}),
    ("nansum", (SPECIAL[[2, 3, 6]],), {}),
    ("nanprod", (SPECIAL[[2, 3, 6]],), {}),
    ("nanmean", (SPECIAL[[2, 3, 6]],), {}),
    ("all", (BOOLS, 0), {}),
    ("any", (INTEGERS,), {}),
    ("count_nonzero", (INTEGERS, 1), {}),
    ("argmax", (FLOATS,), {}),
    ("argmin", (BOOLS, 1), {}),
    ("sort", (FLOATS, 0), {}),
    ("sort", (BOOLS, None), {}),
    ("argsort", (FLOATS,), {}),
    ("cumsum", (INTEGERS.astype(np.int8),), {}),
    ("cumprod", (FLOATS, 1), {}),
    ("diff", (INTEGERS, 2), {}),
    ("diff", (BOOLS,), {"axis": 0}),
    ("polyval", ([1, -2, 3], FLOATS), {}),
    ("trace", (INTEGERS, 1), {}),
    ("matmul", (FLOATS, INTEGERS[0]), {}),
    ("matmul", (BOOLS, BOOLS.T), {}),
    ("dot", (FLOATS, INTEGERS.T), {}),
    ("dot", (FLOATS, 2), {}),
    ("dot", (FLOATS, np.stack([INTEGERS.T] * 2)), {}),
    ("inner", (FLOATS, INTEGERS), {}),
    ("outer", (FLOATS[0], INTEGERS[1]), {}),
    ("vdot", (FLOATS, INTEGERS), {}),
    ("tensordot", (FLOATS, INTEGERS, ((0, 1), (0, 1))), {}),
    ("kron", (INTEGERS, FLOATS[0]), {}),
    ("cross", (FLOATS.T, INTEGERS.T), {}),
    ("einsum", ("ij,kj->ki", FLOATS, INTEGERS), {}),
    ("array_equal", (FLOATS, FLOATS), {}),
    ("isscalar", (3.0,), {}),
    ("iscomplexobj", (FLOATS,), {}),
    ("isrealobj", (FLOATS,), {}),
    ("issubdtype", (np.float32, np.floating), {}),
]


@pytest.mark.parametrize(("name", "args", "options"), CALLS, ids=[c[0] for c in CALLS])
def test_call(name: str, args: Any, options: Any) -> None:
    both(name, *args, rtol=1e-14 if name != "nanmean" else 1e-7, **options)


def test_every_function_is_tested() -> None:
    tested = {*UNARY, *BINARY, *(c[0] for c in CALLS)} | set(
        names("""arccos arcsin arctanh arctan arccosh bitwise_and bitwise_or bitwise_xor bitwise_not
        left_shift right_shift asarray result_type promote_types flatten gcd lcm""")
    )
    aliases = names("""amax min round degrees invert reciprocal asanyarray ascontiguousarray copy
    empty empty_like experimental_enable_numpy_behavior""")
    assert tnp.float32 is np.float32 and (tnp.int32(3) + tnp.float32(2)).dtype == tnp.float64
    functions: dict[str, Callable[..., Any]] = {
        n: getattr(tnp, n)
        for n in tnp.__all__
        if callable(getattr(tnp, n)) and not isinstance(getattr(tnp, n), type)
    }
    assert set(functions) - tested - set(aliases) == set()
    assert len(functions) > 180
    for name, function in functions.items():
        assert function.__doc__, name


def test_errors() -> None:
    with pytest.raises(ValueError, match="either both or neither"):
        tnp.where(BOOLS, 1)
    with pytest.raises(ValueError, match="no elements"):
        tnp.max(tnp.zeros((0, 2)))
    with pytest.raises(ValueError, match="vector or a matrix"):
        tnp.diag(tnp.zeros((1, 1, 1)))
    with pytest.raises(ValueError, match="vectors of 3"):
        tnp.cross(tnp.ones(2), tnp.ones(2))
    with pytest.raises(IndexError, match="out of range for rank 1"):
        tnp.sum(tnp.ones(2), axis=1)


def test_gradients_and_traces() -> None:
    x = tf.constant([0.5, -1.25, 8.0], tf.float64)
    for f, slope in (
        (tnp.cbrt, lambda v: 1 / (3 * np.cbrt(v) ** 2)),
        (tnp.sinc, lambda v: np.cos(np.pi * v) / v - np.sin(np.pi * v) / (np.pi * v * v)),
        (lambda v: tnp.log2(v * v), lambda v: 2 / (v * np.log(2))),
        (lambda v: tnp.logaddexp(v, 0.0), lambda v: 1 / (1 + np.exp(-v))),
        (lambda v: tnp.hypot(v, 2.0), lambda v: v / np.hypot(v, 2)),
        (lambda v: tnp.copysign(v, -1.0), lambda v: -np.sign(v)),
    ):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tnp.sum(f(x))
        np.testing.assert_allclose(tape.gradient(y, x), slope(x.numpy()), rtol=1e-12)
        traced = tf.function(f, input_signature=[tf.TensorSpec([None], tf.float64)])
        assert np.asarray(traced(x)).tobytes() == np.asarray(f(x)).tobytes()


def test_random() -> None:
    assert tnp.random.rand(2, 3).shape == (2, 3) and tnp.random.rand().dtype is tf.float64
    assert tnp.random.randn(4).shape == (4,) and tnp.random.uniform(1, 2, 5).numpy().min() >= 1
    draws = tnp.random.randint(3, size=100).numpy()
    assert set(draws.tolist()) == {0, 1, 2}
    assert tnp.random.normal(100.0, 1.0, (3,)).numpy().min() > 80


def test_numpy_behavior_is_a_switch_of_the_process() -> None:
    """In a process of its own, since it cannot be undone."""
    with pytest.raises(AttributeError, match="experimental_enable_numpy_behavior"):
        tf.constant([1]).astype(tf.float32)
    with pytest.raises(ValueError, match="'safe' or 'all', got 'strict'"):
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="strict")
    code = """
import numpy as np, tfc as tf
tf.experimental.numpy.experimental_enable_numpy_behavior()
x = tf.constant([[1, 2], [3, 4]])
assert x.reshape(4).tolist() == x.reshape((4,)).tolist() == x.ravel().tolist() == [1, 2, 3, 4]
assert x.T.tolist() == x.transpose().tolist() == [[1, 3], [2, 4]]
assert x.astype(tf.float32).dtype is tf.float32 and x.mean().numpy() == 2.5
assert (x + 1.5).dtype is tf.float64 and (1.5 * x).tolist() == [[1.5, 3.0], [4.5, 6.0]]
assert (x + tf.constant([1.5])).dtype is tf.float64 and x.clip(2, 3).tolist() == [[2, 2], [3, 3]]
assert (tf.Variable(x) / 2).tolist() == [[0.5, 1.0], [1.5, 2.0]] and bool((x < 2.5)[0, 0])
spec = tf.TensorSpec([None, 2], tf.int32)
f = tf.function(lambda v: (v + 0.5).sum(axis=0), input_signature=[spec])
assert f(x).tolist() == [5.0, 7.0]
for function in (np.sum, np.mean, np.std, np.var, np.min, np.max, np.any, np.all, np.prod):
    assert function(x) == function(x.numpy()), function
try:
    x.sum(out=np.zeros(()))
except TypeError as error:
    assert "immutable" in str(error), error
else:
    raise AssertionError("out was taken")

big = np.arange(48).reshape(2, 3, 2, 4)
own, n = tf.constant(big), slice(None)
rows, columns = np.array([0, -1, 1]), [2, 0, 1]
for index in (
    (1, rows), (0, columns, n, rows), (n, columns, [0, 1, 1]), (rows, n, 0),
    (rows, None, 1, [1, 0, 1]),
    (..., [[0], [1]], columns), (n, [True, False, True], n, [3, 0]), (n, tuple(columns)),
    (None, 1, columns, ...), ([True, False], [1]), (rows,), rows, (0, 1, n, 2),
):
    want = big[index]
    got = own[index]
    assert got.shape == want.shape and (got.numpy() == want).all(), index
    parts = index if isinstance(index, tuple) else (index,)
    tensors = tuple(tf.constant(i) if type(i) in (list, np.ndarray) else i for i in parts)
    assert (own[tensors].numpy() == want).all(), index
# As in TensorFlow: numbers drop their axes first, and a list of lists is a tuple of them.
assert (own[1, :, 0, rows].numpy() == big[1, :, 0][:, rows]).all()
assert (own[[[0, 1], columns[:2]]].numpy() == big[[0, 1], columns[:2]]).all()
for index in (1.5, "a", tf.constant(1.5)):
    try:
        own[index]
    except IndexError as error:
        assert "must be integers" in str(error), error
    else:
        raise AssertionError(f"{index} was taken")
pairs = tf.function(lambda v, i: v[:, i, 0, i], input_signature=[
    tf.TensorSpec([None, 3, 2, None], tf.int64), tf.TensorSpec([None], tf.int32)])
assert (pairs(own, tf.constant([2, 0])).numpy() == big[:, [2, 0], 0, [2, 0]]).all()
held = tf.Variable(tf.cast(own, tf.float32))
with tf.GradientTape() as tape:
    chosen = held.value()[0, columns, 0, columns].sum()
slope = tf.convert_to_tensor(tape.gradient(chosen, held)).numpy()
assert slope.sum() == 3 and (slope[0, columns, 0, columns] == 1).all()
try:
    held[0, columns]
except TypeError as error:
    assert "valid indices" in str(error), error
else:
    raise AssertionError("Variables are indexed as before")
tf.experimental.numpy.experimental_enable_numpy_behavior(prefer_float32=True)
assert tf.experimental.numpy.array([1.5]).dtype is tf.float32
print("fine")
"""
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=120
    )
    assert result.stdout.strip() == "fine", result.stderr


def test_lists_of_numbers_are_as_weak_as_numbers() -> None:
    x = tf.constant([1.0, 2.0])
    assert tnp.add([1, 2], x).dtype == tnp.matmul([1.0, 2.0], x).dtype == tf.float32
    assert tnp.add([1.5, 2], tf.constant([1, 2])).dtype == tf.float64
    assert tnp.add(np.array([1.5, 2]), x).dtype == tnp.result_type([1], [2.5]) == tf.float64
    assert tnp.append([1.0], x).dtype == tf.float64  # TensorFlow makes an array of it first


def test_divisors_and_rows() -> None:
    a, b = np.array([12, 0, -7, 0, 9]), np.array([18, 5, 21, 0, -6])
    for name in ("gcd", "lcm"):
        wanted = getattr(np, name)(a, b)
        np.testing.assert_array_equal(getattr(tnp, name)(a, b), wanted)
        traced = tf.function(getattr(tnp, name))(tf.constant(a), tf.constant(b))
        np.testing.assert_array_equal(traced, wanted)
    with pytest.raises(ValueError, match="must be integers"):
        tnp.gcd(1.5, 2)
    rows = np.arange(6).reshape(2, 3)
    for order in ("C", "F"):
        np.testing.assert_array_equal(tnp.flatten(rows, order), rows.flatten(order))
    assert tnp.take([5, 6, 7], [-1, 9]).numpy().tolist() == [5, 7]
    for mode in ("raise", "nearest"):
        with pytest.raises(ValueError, match=mode):
            tnp.take([5, 6], [0], mode=mode)


@pytest.mark.parametrize(
    "call",
    [
        lambda x, v: tnp.array(x, ndmin=3),
        lambda x, v: tnp.atleast_3d(x),
        lambda x, v: tnp.average(x, 1, returned=True)[1],
        lambda x, v: tnp.average(x, 0, weights=[1, 2, 3]),
        lambda x, v: tnp.broadcast_arrays(x, v)[1],
        lambda x, v: tnp.cross(x[:, :3], x[:, 1:4]),
        lambda x, v: tnp.diag(v, 1),
        lambda x, v: tnp.diagonal(x, 1),
        lambda x, v: tnp.diagflat(x),
        lambda x, v: tnp.hstack([x, x]),
        lambda x, v: tnp.dstack([x, x]),
        lambda x, v: tnp.kron(x, v),
        lambda x, v: tnp.size(x),
        lambda x, v: tnp.sort(x, axis=0),
        lambda x, v: tnp.sort(x, axis=None),
        lambda x, v: tnp.split(x, [1, 3], 1)[1],
        lambda x, v: tnp.take_along_axis(x, tnp.argsort(x, 0), 0),
        lambda x, v: tnp.trace(x),
        lambda x, v: tnp.vander(v),
        lambda x, v: tnp.vander(v, 2, True),
        lambda x, v: tnp.var(x, 0, ddof=1),
    ],
)
def test_sizes_that_only_a_call_tells(call: Callable[..., Any]) -> None:
    x, v = np.cos(np.arange(12.0)).reshape(3, 4), np.sin(np.arange(4.0))
    specs = [tf.TensorSpec([None, None], tf.float64), tf.TensorSpec([None], tf.float64)]
    found = tf.function(call, input_signature=specs)(x, v)
    np.testing.assert_allclose(found, call(tf.constant(x), tf.constant(v)), rtol=1e-12)
