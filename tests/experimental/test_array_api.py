"""The array API namespace, against NumPy (whose main namespace follows the standard) and against
what the text of the standard says."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.experimental import array_api as xp

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
rng = np.random.default_rng(7)


def names(text: str) -> list[str]:
    return text.split()


def sample(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Small numbers with repetitions; floats are multiples of 1/4, so that sums are exact."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    low = 0 if kind == "u" else -6
    values = rng.integers(low, 7, shape).astype(dtype)
    return values / np.dtype(dtype).type(4) if kind == "f" else values


def arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, tuple | list):
        return [np.asarray(v) for v in value]
    return [np.asarray(value)]


def check(got: Any, want: Any, rtol: float = 0.0, dtype: bool = True) -> None:
    mine, theirs = arrays(got), arrays(want)
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        assert a.shape == b.shape
        if dtype:
            assert a.dtype == b.dtype
        if rtol:
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(a, b)


# Every name of the standard, with its signature's form. Names of 2024.12, by module.

ELEMENTWISE_1 = names("""abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp
expm1 floor isfinite isinf isnan log log1p log2 log10 logical_not negative
positive real reciprocal round sign signbit sin sinh square sqrt tan tanh
trunc imag""")
ELEMENTWISE_2 = names("""add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
bitwise_xor copysign divide equal floor_divide greater greater_equal hypot
less less_equal logaddexp logical_and logical_or logical_xor maximum minimum
multiply nextafter not_equal pow remainder subtract""")
OTHERS = names("""asarray arange empty empty_like eye from_dlpack full full_like linspace
meshgrid ones ones_like tril triu zeros zeros_like astype broadcast_arrays
broadcast_to can_cast finfo isdtype iinfo result_type clip matmul tensordot
matrix_transpose vecdot concat expand_dims flip moveaxis permute_dims repeat
reshape roll squeeze stack tile unstack argmax argmin nonzero count_nonzero
searchsorted where take take_along_axis unique_all unique_counts
unique_inverse unique_values argsort sort cumulative_sum cumulative_prod max
mean min prod std sum var all any diff __array_namespace_info__""")
CONSTANTS = {"e": np.e, "pi": np.pi, "inf": np.inf, "nan": np.nan, "newaxis": None}
DTYPES = ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"]


def test_every_name_is_there() -> None:
    for name in ELEMENTWISE_1 + ELEMENTWISE_2 + OTHERS:
        function = getattr(xp, name)
        assert callable(function) and function.__doc__, name
        kinds = [p.kind for p in inspect.signature(function).parameters.values()]
        if name in ELEMENTWISE_1:
            assert kinds == [inspect.Parameter.POSITIONAL_ONLY], name
        if name in ELEMENTWISE_2:
            assert kinds == [inspect.Parameter.POSITIONAL_ONLY] * 2, name
    for name, value in CONSTANTS.items():
        assert getattr(xp, name) == value or value != value
    for name in DTYPES:
        assert getattr(xp, name) is tf.as_dtype(name)
    assert xp.__array_api_version__ == "2024.12"


def test_namespace_of_a_tensor() -> None:
    x = tf.constant([[1.0, 2.0]])
    assert x.__array_namespace__() is xp is tf.Variable(x).__array_namespace__()
    assert x.__array_namespace__(api_version="2023.12") is xp
    with pytest.raises(ValueError, match=r"2019\.01"):
        x.__array_namespace__(api_version="2019.01")
    assert (x.size, x.ndim, x.shape, x.device) == (2, 2, (1, 2), xp.zeros(1).device)
    check(x.T, np.array([[1], [2]], np.float32))
    check(x.mT, np.array([[1], [2]], np.float32))
    assert x.to_device(x.device) is x is x.to_device("cpu")
    with pytest.raises(ValueError, match="no device"):
        x.to_device("gpu:0")
    with pytest.raises(ValueError, match="streams"):
        x.to_device("cpu", stream=1)
    for bad in (xp.zeros(3), xp.zeros((2, 2, 2))):
        with pytest.raises(ValueError, match="matrix"):
            _ = bad.T
    with pytest.raises(ValueError, match="matrix"):
        _ = xp.zeros(3).mT
    with pytest.raises(TypeError, match="item assignment"):
        x[0, 0] = 1.0  # type: ignore[index]


# Dtypes.


@pytest.mark.parametrize("a", ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"])
def test_promotion_is_numpys_but_for_mixed_kinds(a: str) -> None:
    for b in ["bool", *INTEGERS, *FLOATS, "complex64", "complex128"]:
        p, q = tf.as_dtype(a), tf.as_dtype(b)
        kinds = p.kind + q.kind
        mixed = ("b" in kinds or not set(kinds) <= set("iu")) and not set(kinds) <= set("fc")
        if a == b:
            assert xp.result_type(p, q) is p
        elif mixed or ({a, b} & {"uint64"} and {p.kind, q.kind} == {"i", "u"}):
            with pytest.raises(TypeError, match="cannot be promoted"):
                xp.result_type(p, q)
            assert not xp.can_cast(p, q)
        else:
            want = tf.as_dtype(np.result_type(a, b))
            assert xp.result_type(p, q) is want
            assert xp.can_cast(p, q) is (want is q)


def test_promotion_of_numbers() -> None:
    x = xp.asarray([1, 2], dtype=xp.int8)
    assert xp.result_type(x, 3) is xp.int8
    assert xp.result_type(xp.float32, 3, 1.5) is xp.float32
    assert xp.result_type(xp.float64, 1j) is xp.complex128
    check(xp.add(x, 3), np.array([4, 5], np.int8))
    check(xp.add(2.5, xp.ones(2)), np.array([3.5, 3.5], np.float32))
    check(xp.add(x, xp.asarray([1, 1], dtype=xp.uint8)), np.array([2, 3], np.int16))
    with pytest.raises(TypeError, match="float does not fit"):
        xp.add(x, 1.5)
    with pytest.raises(TypeError, match="bool does not fit"):
        xp.add(x, True)
    with pytest.raises(ValueError, match="at least one"):
        xp.result_type(1, 2.0)
    with pytest.raises(TypeError, match="not defined for dtype bool"):
        xp.add(xp.asarray([True]), xp.asarray([True]))
    with pytest.raises(TypeError, match="sin is not defined for dtype int64"):
        xp.sin(xp.asarray([1]))


def test_limits_and_kinds() -> None:
    for name in FLOATS:
        info, want = xp.finfo(tf.as_dtype(name)), np.finfo(name)
        assert (info.bits, info.eps, info.max) == (want.bits, float(want.eps), float(want.max))
        assert info.smallest_normal == float(want.smallest_normal) and info.dtype.name == name
    assert xp.finfo(xp.complex128).dtype is xp.float64
    for name in INTEGERS:
        info, limits = xp.iinfo(xp.zeros(1, dtype=name)), np.iinfo(name)
        assert (info.bits, info.min, info.max) == (limits.bits, limits.min, limits.max)
    for bad in (lambda: xp.finfo(xp.int8), lambda: xp.iinfo(xp.float32)):
        with pytest.raises(TypeError):
            bad()
    assert xp.isdtype(xp.int8, "signed integer") and not xp.isdtype(xp.int8, "unsigned integer")
    assert xp.isdtype(xp.uint8, ("bool", "integral")) and xp.isdtype(xp.bool, xp.bool)
    with pytest.raises(ValueError, match="no kind"):
        xp.isdtype(xp.int8, "integer")
    info = xp.__array_namespace_info__()
    assert info.capabilities()["data-dependent shapes"] and info.devices() == [
        info.default_device()
    ]
    assert set(info.dtypes()) == set(DTYPES)
    assert set(info.dtypes(kind="real floating")) == set(FLOATS)
    assert info.default_dtypes()["indexing"] is xp.int64


def test_astype() -> None:
    x = xp.asarray([0.0, 1.5, -2.75])
    for name in ["bool", *INTEGERS[:4], *FLOATS]:
        check(xp.astype(x, tf.as_dtype(name)), np.asarray(x).astype(name))
    assert xp.astype(x, xp.float32, copy=False) is x


# Making.


def test_creation() -> None:
    for args in ((5,), (2, 9), (2, 9, 3), (9, 2, -2), (3, 3), (0.5, 3.0, 0.5), (1, 4, 0.5)):
        kind = np.int64 if all(isinstance(a, int) for a in args) else np.float32
        check(xp.arange(*args), np.arange(*args).astype(kind))
    check(xp.arange(3, dtype=xp.uint8), np.arange(3, dtype=np.uint8))
    for num, endpoint in itertools.product((0, 1, 2, 7), (True, False)):
        got = xp.linspace(-1, 2, num, endpoint=endpoint, dtype=xp.float64)
        check(got, np.linspace(-1, 2, num, endpoint=endpoint), rtol=1e-15)
    for k in (-3, -1, 0, 2, 5):
        check(xp.eye(3, 4, k=k), np.eye(3, 4, k, np.float32))
        x = sample((2, 3, 4), "int32")
        check(xp.tril(xp.asarray(x), k=k), np.tril(x, k))
        check(xp.triu(xp.asarray(x), k=k), np.triu(x, k))
    check(xp.full((2, 3), 7), np.full((2, 3), 7))
    check(xp.full(2, True), np.array([True, True]))
    check(xp.full_like(xp.ones(2, dtype=xp.int8), 3), np.array([3, 3], np.int8))
    check(xp.empty_like(xp.ones((2, 2))), np.zeros((2, 2), np.float32))
    for indexing in ("xy", "ij"):
        vectors = [np.arange(n) for n in (2, 3, 4)]
        got = xp.meshgrid(*map(xp.asarray, vectors), indexing=indexing)
        check(got, np.meshgrid(*vectors, indexing=indexing))
    with pytest.raises(ValueError, match="no device"):
        xp.zeros(3, device="tpu")
    with pytest.raises(ValueError, match="step"):
        xp.arange(1, 2, 0)


def test_asarray() -> None:
    for value, dtype in ((1, "int64"), (1.5, "float32"), (True, "bool"), ([2**40], "int64")):
        assert xp.asarray(value).dtype.name == dtype
    check(xp.asarray([True, False], dtype=xp.float32), np.array([1, 0], np.float32))
    own = xp.ones(3)
    assert xp.asarray(own) is own
    array = np.arange(3.0)
    shared = xp.asarray(array, copy=False)
    assert np.shares_memory(np.asarray(shared), array)
    assert not np.shares_memory(np.asarray(xp.asarray(array)), array)
    assert not np.shares_memory(np.asarray(xp.asarray(array, copy=True)), array)
    assert np.shares_memory(np.asarray(xp.from_dlpack(array, copy=False)), array)
    for bad in (array[::2], array.astype(">f8"), [1.0]):
        with pytest.raises(ValueError, match="a copy is needed"):
            xp.asarray(bad, copy=False)
    with pytest.raises(ValueError, match="a copy is needed"):
        xp.asarray(array, dtype=xp.float32, copy=False)


# Elementwise functions.

NUMPY_NAMES = {
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
}
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, np.inf, -np.inf, np.nan])


def reference(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(np, NUMPY_NAMES.get(name, name))
    return function


@pytest.mark.parametrize("name", ELEMENTWISE_1)
def test_unary(name: str) -> None:
    for dtype in ["bool", "uint16", "int64", "float32"]:
        x = SPECIAL.astype(dtype) if "float" in dtype else sample((6,), dtype)
        try:
            got = getattr(xp, name)(xp.asarray(x))
        except TypeError:
            kinds = {"i": "i", "u": "u", "b": "b", "f": "f"}[x.dtype.kind]
            assert kinds not in KINDS.get(name, "fiu"), dtype
            continue
        assert x.dtype.kind in KINDS.get(name, "fiu"), dtype
        with np.errstate(all="ignore"):
            want = np.asarray(reference(name)(x))
        check(got, want, rtol=4e-7 if dtype == "float32" else 2e-15)
        zeros = (np.asarray(got) == 0) & (want == 0)
        if want.dtype.kind == "f" and name != "sign":  # "0", whichever
            assert (np.signbit(got) == np.signbit(want))[zeros].all(), "signs of zeros"


INEXACT = names("""acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10
reciprocal sin sinh sqrt tan tanh signbit""")
KINDS = dict.fromkeys(INEXACT, "f") | {"bitwise_invert": "biu", "logical_not": "b", "imag": ""}
KINDS |= dict.fromkeys(["atan2", "copysign", "hypot", "logaddexp", "nextafter"], "f")
KINDS |= dict.fromkeys(["logical_and", "logical_or", "logical_xor"], "b")
KINDS |= dict.fromkeys(["bitwise_and", "bitwise_or", "bitwise_xor"], "biu")
KINDS |= dict.fromkeys(["bitwise_left_shift", "bitwise_right_shift"], "iu")
KINDS |= dict.fromkeys(["equal", "not_equal"], "biuf")


@pytest.mark.parametrize("name", ELEMENTWISE_2)
def test_binary(name: str) -> None:
    pairs = [("bool", "bool"), ("int8", "uint8"), ("int64", "int16"), ("float64", "float32")]
    grid = [a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL)]
    for one, two in pairs:
        kinds = np.dtype(one).kind + np.dtype(two).kind
        if "f" in kinds:
            x, y = grid[0].astype(one), grid[1].astype(two)
        else:
            x, y = sample((3, 1), one), sample((4,), two)
        if "shift" in name or name in ("pow", "floor_divide", "remainder"):
            y = abs(y) + 1 if "f" not in kinds and "b" not in kinds else y
        if not set(kinds) <= set(KINDS.get(name, "iuf")):
            with pytest.raises(TypeError, match=f"{name} is not defined"):
                getattr(xp, name)(xp.asarray(x), xp.asarray(y))
            continue
        with np.errstate(all="ignore"):
            want = np.asarray(reference(name)(x, y))
            whole = np.floor(x / y) if name == "floor_divide" else want
        got = getattr(xp, name)(xp.asarray(x), xp.asarray(y))
        if name == "floor_divide":  # infinity // finite is infinite in the standard
            want = np.where(np.isinf(x), whole, want).astype(want.dtype)
        if name == "divide" and "i" in kinds:
            want = want.astype(got.dtype.numpy)
        rtol = 0.0 if want.dtype.kind != "f" else 2e-7 if got.dtype.bits < 64 else 2e-15
        check(got, want, rtol)


def test_shifts_by_the_width_and_more() -> None:
    x, y = np.array([1, -1, 5], np.int8), np.array([8, 100, 7], np.int8)
    check(xp.bitwise_left_shift(xp.asarray(x), xp.asarray(y)), np.left_shift(x, y))
    check(xp.bitwise_right_shift(xp.asarray(x), xp.asarray(y)), np.right_shift(x, y))


def test_clip() -> None:
    x = np.arange(-3, 4, dtype=np.float32)
    for low, high in ((None, None), (-1, None), (None, 2.5), (-1, 2), (-np.inf, np.inf)):
        check(xp.clip(xp.asarray(x), low, high), np.clip(x, low, high) if low or high else x)
    bounds = np.array([[0.0], [1.0]], np.float32)
    check(xp.clip(xp.asarray(x), xp.asarray(bounds)), np.clip(x, bounds, None))
    n = np.arange(-3, 4, dtype=np.int8)
    check(xp.clip(xp.asarray(n), -1, 1000), np.clip(n, -1, 127))
    with pytest.raises(TypeError, match="float is no bound"):
        xp.clip(xp.asarray(n), 0.5)
