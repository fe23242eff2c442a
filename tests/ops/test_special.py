"""Special functions against exact values, at their ends, and with what they do not take."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import errors

mp = pytest.importorskip("mpmath")
mp.mp.dps = 40
INF, NAN = np.inf, np.nan


def exact(f: Any, *arrays: np.ndarray) -> np.ndarray:
    rows = zip(*(a.tolist() for a in arrays), strict=True)
    return np.array([float(f(*map(mp.mpf, row))) for row in rows])


def spread(low: float, high: float, count: int = 24, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.exp(rng.uniform(np.log(low), np.log(high), count))


@pytest.mark.parametrize(
    ("name", "reference", "low", "high", "ulp"),
    [
        ("lgamma", lambda x: mp.loggamma(x), 1e-8, 1e3, 8),
        ("digamma", lambda x: mp.digamma(x), 1e-8, 1e3, 8),
        ("erfinv", lambda x: mp.erfinv(x), 1e-5, 0.9999, 5),
        ("erfcinv", lambda x: mp.erfinv(1 - x), 1e-15, 1, 5),
        ("bessel_i0e", lambda x: mp.besseli(0, x) * mp.exp(-x), 1e-3, 500, 6),
        ("bessel_k1", lambda x: mp.besselk(1, x), 1e-3, 100, 8),
        ("spence", lambda x: mp.re(mp.polylog(2, 1 - x)), 1e-5, 1e5, 5),
        ("expint", lambda x: mp.ei(x), 0.5, 100, 6),
    ],
)
def test_float64_is_within_a_few_ulp(
    name: str, reference: Any, low: float, high: float, ulp: float
) -> None:
    x = spread(low, high, 60)
    f = getattr(tf.math, name, None) or getattr(tf.math.special, name)
    wanted = exact(reference, x)
    error = np.abs(f(tf.constant(x)).numpy() - wanted) / np.spacing(np.abs(wanted))
    assert error.max() <= ulp, (x[error.argmax()], error.max())


def test_incomplete_gamma_on_every_branch() -> None:
    """Series, continued fraction, both at small operands, and the uniform expansion."""
    a = np.concatenate([spread(0.01, 50), spread(90, 1e4), [1e-3, 1e-3, 0.4]])
    x = np.concatenate([spread(0.01, 60, seed=1), spread(90, 1e4) * 1.01, [0.2, 1.0, 0.3]])
    lower = exact(lambda a, x: mp.gammainc(a, 0, x, regularized=True), a, x)
    upper = exact(lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True), a, x)
    for f, wanted in ((tf.math.igamma, lower), (tf.math.igammac, upper)):
        got = f(tf.constant(a), tf.constant(x)).numpy()
        kept = wanted > 1e-10
        np.testing.assert_allclose(got[kept], wanted[kept], rtol=3e-13)
        np.testing.assert_allclose(got[~kept], wanted[~kept], rtol=1e-11, atol=1e-300)


def test_derivatives_of_igamma_by_its_first_operand() -> None:
    """Of order 1 and 2, against differences in 40 digits."""
    a, x = np.array([0.3, 2.5, 40.0, 150.0]), np.array([0.2, 3.0, 30.0, 155.0])
    t = tf.constant(a)
    with tf.GradientTape() as outer:
        outer.watch(t)
        with tf.GradientTape() as inner:
            inner.watch(t)
            y = tf.math.igamma(t, tf.constant(x))
        first = inner.gradient(y, t)
    second = outer.gradient(first, t)
    for order, got in ((1, first), (2, second)):
        wanted = exact(
            lambda a, x, n=order: mp.diff(lambda s: mp.gammainc(s, 0, x, regularized=True), a, n),
            a,
            x,
        )
        np.testing.assert_allclose(got.numpy(), wanted, rtol=1e-10)


def test_mixed_and_second_derivatives_agree() -> None:
    """d/dx d/da and d/da d/dx of igamma; and polygamma as derivatives of lgamma."""
    a, x = tf.constant(2.5, tf.float64), tf.constant(1.75, tf.float64)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([a, x])
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([a, x])
            y = tf.math.igamma(a, x)
        by_a, by_x = inner.gradient(y, a), inner.gradient(y, x)
    assert float(outer.gradient(by_a, x)) == pytest.approx(
        float(outer.gradient(by_x, a)), rel=1e-12
    )
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.math.lgamma(x)
        first = inner.gradient(y, x)
    assert float(outer.gradient(first, x)) == pytest.approx(float(mp.psi(1, 1.75)), rel=1e-14)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        # at -inf, -1, -0.0, 0.0, 1, 2, inf, nan (None: not said)
        ("lgamma", [INF, INF, INF, INF, 0.0, 0.0, INF, NAN]),
        ("digamma", [NAN, NAN, INF, -INF, None, None, INF, NAN]),
        ("erfinv", [NAN, -INF, -0.0, 0.0, INF, NAN, NAN, NAN]),
        ("erfcinv", [NAN, NAN, INF, INF, 0.0, -INF, NAN, NAN]),
        ("ndtri", [NAN, NAN, -INF, -INF, INF, NAN, NAN, NAN]),
        ("bessel_i0", [INF, None, 1.0, 1.0, None, None, INF, NAN]),
        ("bessel_i1", [-INF, None, -0.0, 0.0, None, None, INF, NAN]),
        ("bessel_i1e", [-0.0, None, -0.0, 0.0, None, None, 0.0, NAN]),
        ("bessel_k0", [NAN, NAN, INF, INF, None, None, 0.0, NAN]),
        ("bessel_j1", [-0.0, None, -0.0, 0.0, None, None, 0.0, NAN]),
        ("bessel_y0", [NAN, NAN, -INF, -INF, None, None, 0.0, NAN]),
        ("dawsn", [-0.0, None, -0.0, 0.0, None, None, 0.0, NAN]),
        ("expint", [NAN, NAN, -INF, -INF, None, None, INF, NAN]),
        ("softplus", [0.0, None, np.log(2), np.log(2), None, None, INF, NAN]),
        ("log_sigmoid", [-INF, None, -np.log(2), -np.log(2), None, None, -0.0, NAN]),
        ("fresnel_sin", [-0.5, None, -0.0, 0.0, None, None, 0.5, NAN]),
        ("spence", [NAN, NAN, np.pi**2 / 6, np.pi**2 / 6, 0.0, None, -INF, NAN]),
    ],
)
def test_ends(name: str, wanted: list[float | None]) -> None:
    f = getattr(tf.math, name, None) or getattr(tf.math.special, name)
    got = f(tf.constant([-INF, -1.0, -0.0, 0.0, 1.0, 2.0, INF, NAN], tf.float64)).numpy()
    for value, want in zip(got, wanted, strict=True):
        if want is not None:
            np.testing.assert_allclose(value, want, rtol=1e-15)
            assert np.isnan(want) or np.signbit(value) == np.signbit(want)


def test_ends_of_incomplete_functions() -> None:
    p = tf.math.igamma([1.0, 0.0, 0.0, 2.0, -1.0, 1.0, INF], [0.0, 1.0, 0.0, INF, 1.0, -1.0, 1.0])
    np.testing.assert_array_equal(p.numpy(), np.float32([0, 1, NAN, 1, NAN, NAN, 0]))
    p = tf.math.betainc([2.0, 2.0, 0.0, 2.0], [3.0, 3.0, 1.0, 3.0], [0.0, 1.0, 0.5, 1.5])
    np.testing.assert_array_equal(p.numpy(), np.float32([0, 1, NAN, NAN]))
    z = tf.math.zeta([1.0, 0.5, 2.0, 2.5, 3.0], [1.0, 1.0, -2.0, -0.5, -1.0])
    np.testing.assert_array_equal(z.numpy(), np.float32([INF, NAN, INF, NAN, NAN]))
    n = tf.math.polygamma([-1.0, 0.5], [1.0, 1.0])
    assert np.isnan(n.numpy()).all()


BAD = [
    (tf.math.lgamma, ([1, 2],), "lgamma: .*int32; it takes float16, bfloat16, float32, float64"),
    (
        tf.math.zeta,
        (np.float16([2]), np.float16([2])),
        "zeta: .*float16; it takes float32, float64",
    ),
    (tf.math.betainc, ([1], [1], [0]), "betainc: .*int32; it takes float32, float64"),
    (tf.math.igamma, ([1], [1]), "igamma: .*int32; it takes float16"),
    (tf.math.nextafter, (np.float16([1]), np.float16([1])), "nextafter: .*float16; it takes"),
    (tf.bitwise.population_count, ([1.0],), "population_count: .*float32; it takes int8"),
    (tf.math.xlogy, ([1], [1]), "xlogy: .*int32; it takes float16, .*complex128"),
    (tf.math.igamma, (np.ones(3), np.ones(4)), r"igamma: .*\[3\] vs\. \[4\]"),
    (tf.math.xdivy, (np.ones(3), np.ones(4)), r"xdivy: .*\[3\] vs\. \[4\]"),
    (tf.truncatediv, ([1, 2], [1, 0]), "zero"),
]


@pytest.mark.parametrize(("f", "arguments", "message"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_what_is_refused(f: Any, arguments: Any, message: str) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=message):
        f(*map(tf.constant, arguments))


def test_lists_are_checked() -> None:
    with pytest.raises(ValueError, match="must be list type"):
        tf.math.polyval((1.0, 2.0), 1.0)
    with pytest.raises(ValueError, match="must be a 0-D value"):
        tf.scalar_mul([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="are not compatible"):
        tf.math.accumulate_n([tf.ones([2]), tf.ones([3])])
    with pytest.raises(TypeError, match="should be a sequence"):
        tf.clip_by_global_norm(tf.ones([2]), 1.0)


def test_clip_by_global_norm() -> None:
    tensors = [tf.constant([3.0, 0.0]), None, tf.constant([[4.0]])]
    clipped, norm = tf.clip_by_global_norm(tensors, 2.5)
    assert float(norm) == 5 and clipped[1] is None
    np.testing.assert_array_equal(clipped[0], [1.5, 0.0])
    np.testing.assert_array_equal(clipped[2], [[2.0]])
    same, _ = tf.clip_by_global_norm(tensors, 9.0)
    np.testing.assert_array_equal(same[0], tensors[0])
    wild, _ = tf.clip_by_global_norm([tf.constant([INF, 1.0], tf.float32)], 1.0)
    assert np.isnan(wild[0]).all()
    assert float(tf.linalg.global_norm(tensors)) == 5

    v = tf.constant([3.0, 4.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.clip_by_global_norm([v], 1.0)[0][0]
    gradient = tape.gradient(y, v)
    np.testing.assert_allclose(gradient, [1 / 5 - 3 * 7 / 125, 1 / 5 - 4 * 7 / 125], rtol=1e-12)


def gradient(f: Any, *operands: Any) -> list[Any]:
    tensors = [tf.constant(x, tf.float64) for x in operands]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = f(*tensors)
    return [None if g is None else g.numpy().tolist() for g in tape.gradient(y, tensors)]


def test_gradients_at_kinks_are_tensorflows() -> None:
    math = tf.math
    assert gradient(math.xlogy, [0.0, 2.0], [0.0, 1.0]) == [[0.0, 0.0], [0.0, 2.0]]
    assert gradient(math.divide_no_nan, [3.0], [0.0]) == [[0.0], [0.0]]
    assert gradient(math.multiply_no_nan, [3.0], [0.0]) == [[0.0], [3.0]]
    assert gradient(math.multiply_no_nan, [INF], [0.0])[0] == [0.0]
    assert gradient(math.reciprocal_no_nan, [0.0, 2.0]) == [[0.0, -0.25]]
    assert gradient(math.nextafter, [1.0], [2.0]) == [[1.0], [0.0]]
    assert gradient(tf.sign, [-2.0, 0.0, 3.0]) == [[0.0, 0.0, 0.0]]
    assert gradient(math.rint, [1.5]) == [None]
    assert gradient(tf.truncatediv, [5.0], [2.0]) == [None, None]
    assert gradient(lambda t: tf.clip_by_norm(t, 1.0), [0.0, 0.0]) == [[1.0, 1.0]]
    assert gradient(math.special.bessel_j1, [0.0]) == [[0.5]]
    assert gradient(math.betainc, [2.0], [3.0], [0.5])[:2] == [None, None]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_comes_out_quiet(dtype: Any) -> None:
    integer = {4: np.uint32, 8: np.uint64}[np.dtype(dtype).itemsize]
    quiet = integer(1 << (22 if dtype is np.float32 else 51))
    bits = np.array([np.inf], dtype).view(integer) | integer(1)
    x = tf.constant(bits.view(dtype))
    names = "exp log log1p expm1 tanh sigmoid rsqrt sqrt sin cos tan asin acos atan sinh cosh "
    names += "asinh acosh atanh erf erfc softplus log_sigmoid lgamma digamma erfinv erfcinv ndtri "
    names += "bessel_i0 bessel_i0e bessel_i1 bessel_k1e bessel_j0 bessel_y1 dawsn expint "
    names += "fresnel_sin spence"
    for name in names.split():
        f = getattr(tf.math, name, None) or getattr(tf.math.special, name)
        y = f(x).numpy()
        assert np.isnan(y).all() and (y.view(integer) & quiet).all(), name


@pytest.mark.parametrize("target", [tf.bfloat16, tf.float16])
@pytest.mark.parametrize("source", [np.int64, np.uint64, np.int32])
def test_integers_are_rounded_once(source: Any, target: Any) -> None:
    """Next to ties, where rounding through float64 goes wrong beyond 2^53."""
    digits = {tf.bfloat16: 8, tf.float16: 11}[target]
    top = np.iinfo(source).bits - (source is not np.uint64)
    values = []
    for exponent in range(digits + 1, min(top, 16 if target is tf.float16 else 64)):
        step = 1 << (exponent - digits)
        tie = (1 << (exponent - 1)) + step // 2 if step > 1 else 1 << (exponent - 1)
        values += [tie - 1, tie, tie + 1, tie + step, tie + step + 1]
    if source is not np.uint64:
        values += [-v for v in values]
    got = tf.cast(tf.constant(np.array(values, source)), target)
    back = tf.cast(got, tf.float64).numpy()
    for value, result in zip(values, back, strict=True):
        exponent = abs(value).bit_length() - digits
        unit = Fraction(2) ** max(exponent, 0)
        assert Fraction(float(result)) == round(Fraction(value) / unit) * unit, value
