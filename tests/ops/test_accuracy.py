"""A sample of `python -m benchmarks.accuracy`: errors in ulp, and special values."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tfc as tf

pytest.importorskip("scipy")
pytest.importorskip("mpmath")

from benchmarks.accuracy import binary, every, float32, float64, hard
from benchmarks.accuracy.measure import Worst, ulps
from tests.sampling import by_turns

STRIDE = 10_007  # a prime: 430,000 inputs of all magnitudes


# Those of long kernels: a function for each file of ir/kernels/expand.
LONG = ("rsqrt", "lgamma", "erfcinv", "bessel_i1e", "bessel_j0", "dawsn")


@pytest.mark.parametrize("name", LONG)
def test_special_functions_within_an_ulp(name: str) -> None:
    result = float32.check(name, 1_000_003)
    assert result.kept, result.worst


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sigmoid", "log1p", "expm1", "softplus"])
def test_within_an_ulp(name: str) -> None:
    result = float32.check(name, STRIDE)
    assert result.kept, result.worst


SHORT = (np.float16, ml_dtypes.bfloat16)


@pytest.mark.parametrize("number, name", [*enumerate(float32.REFERENCES)])
def test_short_floats_are_rounded(number: int, name: str) -> None:
    """All that there are of one of them: both are widened to float32 and rounded alike."""
    for dtype in by_turns(SHORT, number, 1):
        worst = float32.check16(name, dtype).worst["tfc"]
        whole = name in float32.ELEMENTARY
        assert worst.error <= 0.501 and worst.inputs >= (65_536 if whole else 15_000), worst


def test_every_float32_is_judged_as_numpy_judges() -> None:
    """Errors of a block, which native code finds, at the ends of what e^x can be, and at nan."""

    @tf.function
    def judged(start: Any) -> Any:
        return every.errors(tf.exp, start, 1024)

    starts = (0x42B17100, 0xC2CFF000, 0xC2AEAC00, 0, 0x7F7FFE00, 0xFF7FFE00, 0x3F800000)
    for start in starts:
        x = every.numbers(np.arange(start, start + 1024))
        exact, got = (tf.exp(tf.constant(x, d)).numpy() for d in (tf.float64, tf.float32))
        error, rounded = judged(tf.constant(np.uint32(start).view(np.int32)))
        np.testing.assert_array_equal(error, ulps(got, exact))
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(rounded, (got == exact.astype(np.float32)) | np.isnan(x))
    wrong = tf.function(lambda start: every.errors(_half_wrong, start, 4))
    assert wrong(tf.constant(0x3F800000))[0].numpy().tolist() == [INF] * 4


def _half_wrong(x: Any) -> Any:
    """Of float32 nan."""
    return x / x if x.dtype == tf.float64 else x - x + float("nan")


def test_mpmath_decides() -> None:
    x = np.array([0.0, 1.0, 1e-30, 1e30, np.inf, -1.0], np.float32)
    decided = every.decided("log", x)
    assert (decided[[0, 1, 4, 5]] == -1).all() and (0 <= decided[2:4]).all()
    assert (decided < 1).all()
    assert every.compared("erf", 1000)[1].max() < 1e-6


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double is no reference")
@pytest.mark.parametrize("name", ["exp", "log", "sin", "cos", "tan", "tanh", "erfinv", "bessel_y0"])
def test_float64_keeps_its_bound(name: str) -> None:
    """Random inputs and hard ones: next to multiples of pi/2, of ln 2, to one."""
    result = float64.check(name, count=300)
    assert result.kept, result.worst


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double is no reference")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["pow", "atan2", "truncatemod", "floormod"])
def test_two_operands_keep_their_bound(name: str, dtype: Any) -> None:
    result = binary.check(name, dtype=dtype, count=10_000)
    assert result.kept, result.worst


INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    "name, expected",
    [
        # at -inf, -1, -0.0, 0.0, 1 (None: not special), inf, nan
        ("exp", [0.0, None, 1.0, 1.0, None, INF, NAN]),
        ("log", [NAN, NAN, -INF, -INF, 0.0, INF, NAN]),
        ("tanh", [-1.0, None, -0.0, 0.0, None, 1.0, NAN]),
        ("sigmoid", [0.0, None, 0.5, 0.5, None, 1.0, NAN]),
        ("log1p", [NAN, -INF, -0.0, 0.0, None, INF, NAN]),
        ("expm1", [-1.0, None, -0.0, 0.0, None, INF, NAN]),
    ],
)
def test_special_values(name: str, expected: list[float | None]) -> None:
    x = np.array([-INF, -1.0, -0.0, 0.0, 1.0, INF, NAN], np.float32)
    got = getattr(tf.math, name)(tf.constant(x)).numpy()
    for value, want in zip(got, expected, strict=True):
        if want is not None:
            np.testing.assert_array_equal(value, np.float32(want))
            assert np.isnan(want) or np.signbit(value) == np.signbit(want)


def test_ulps_tells_right_from_wrong() -> None:
    """The measure itself: an ulp off, overflow, signs of zero and nan."""
    exact = np.array([1.0, 1.0, 1e39, 1e39, -0.0, -0.0, NAN, NAN, 2.0**-149, 1e-60])
    got = np.array([1.0, 1 + 2.0**-23, INF, 3.4e38, -0.0, 0.0, NAN, 0.0, 0.0, 0.0], np.float32)
    errors = ulps(got, exact)
    assert errors[:9].tolist() == [0, 1, 0, INF, 0, INF, 0, INF, 1]
    assert 0 <= errors[9] < 1e-10
    wide = np.array([1.0, 0.0, -1e-300, INF], np.float64)
    exact = np.array([1 + np.longdouble(2.0) ** -54, -0.0, 1e-300, NAN], np.longdouble)
    assert ulps(wide, exact).tolist()[1:] == [INF, pytest.approx(2**53, rel=0.5), INF]
    assert ulps(wide, exact)[0] in (0.25, 0.0)  # where long double is no longer than double
    assert ulps(wide[2:3], exact[2:3], np.ones(1, np.longdouble))[0] < 1e-280


def test_errors_of_normal_numbers_stand_apart() -> None:
    """Flushing a denormal is wrong, but not among normal numbers."""
    x = np.array([2.0, 1e-40], np.float32)
    worst = Worst()
    worst.take((x,), np.array([2.0, 0.0], np.float32), x.astype(np.float64))
    assert worst.normal == 0 and worst.error > 7e4 and worst.at == (float(x[1]),)
    assert str(worst) == "0.0000 (7.14e+04)"


def test_hard_inputs_are_hard() -> None:
    """Among doubles the nearest to a multiple of pi/2 is within 2^-60 of it, some large one."""
    mp = pytest.importorskip("mpmath")
    x = hard.multiples_of_half_pi()
    large = x[x > 1e20][::97]
    with mp.workprec(1300):
        turns = [mp.mpf(float(v)) * 2 / mp.pi for v in large]
        distances = np.array([float(abs(t - mp.nint(t))) for t in turns])
    assert np.mean(distances < 1e-14) > 0.3  # the others are the neighbours of these
    assert 6381956970095103 * 2.0**797 in x


def test_chunks_reach_every_end() -> None:
    patterns = np.concatenate([x.view(np.uint32) for x in float32.chunks(65_537)])
    assert patterns[0] == 0 and patterns[-1] == 65_535 * 65_537 == 2**32 - 1
    assert (np.diff(patterns.astype(np.int64)) == 65_537).all()
