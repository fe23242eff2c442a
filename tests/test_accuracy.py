"""A sample of `python -m benchmarks.accuracy`: errors in ulp, and special values."""

from __future__ import annotations

import numpy as np
import pytest

import tfc as tf

pytest.importorskip("scipy")

from benchmarks import accuracy

STRIDE = 10_007  # a prime: 430,000 inputs of all magnitudes


# Those of long kernels: a function for each file of ir/expand.
LONG = ("rsqrt", "lgamma", "erfcinv", "bessel_i1e", "bessel_j0", "dawsn")


@pytest.mark.parametrize("name", LONG)
def test_special_functions_within_an_ulp(name: str) -> None:
    worst = accuracy.check(name, 1_000_003)
    assert worst.error <= accuracy.FUNCTIONS[name].bound, worst


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sigmoid", "log1p", "expm1"])
def test_within_an_ulp(name: str) -> None:
    worst = accuracy.check(name, STRIDE)
    assert worst.error <= accuracy.FUNCTIONS[name].bound, worst


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
    errors = accuracy.ulps(got, exact)
    assert errors[:9].tolist() == [0, 1, 0, INF, 0, INF, 0, INF, 1]
    assert 0 <= errors[9] < 1e-10


def test_chunks_reach_every_end() -> None:
    patterns = np.concatenate([x.view(np.uint32) for x in accuracy.chunks(65_537)])
    assert patterns[0] == 0 and patterns[-1] == 65_535 * 65_537 == 2**32 - 1
    assert (np.diff(patterns.astype(np.int64)) == 65_537).all()
