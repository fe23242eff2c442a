"""Expansions give what their functions are, within an ulp or what is said of them: computed on
arrays, without a compiler, beside all places where they take another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ir.kernels.expansion_arrays import (
    computed,
    kept_breakpoints,
    scalars,
    unary_expansions,
)
from tfc.ir.core import Op
from tfc.ir.kernels.expand import expansion

pytest.importorskip("scipy")
mp = pytest.importorskip("mpmath")

from benchmarks.accuracy import binary, float32, float64, hard  # noqa: E402
from benchmarks.accuracy.measure import ulps  # noqa: E402

LONG = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="long double is no reference here"
)
INF, NAN = np.inf, np.nan
EXPANSIONS = unary_expansions()
# Whose result of float32 is one rounding of what float64 gives.
ROUNDED = {
    *("sin", "cos", "tan", "lgamma", "digamma", "erfinv", "erfcinv", "dawsn", "expint", "spence"),
    *("fresnel_cos", "fresnel_sin", *(name for name in EXPANSIONS if name.startswith("bessel"))),
}


def spread(dtype: Any, count: int = 1200) -> np.ndarray:
    """Random numbers: of all magnitudes, and evenly over where most functions change."""
    rng, info = np.random.default_rng(5), np.finfo(dtype)
    orders = np.exp2(rng.uniform(np.log2(info.smallest_subnormal), np.log2(info.max), count))
    near = np.exp2(rng.uniform(-12, 5, count))
    even = rng.uniform(0, 40, count)
    x = np.concatenate([orders, near, even]).astype(dtype)
    return x * rng.choice([-1, 1], x.size).astype(dtype)


def points(name: str, dtype: str) -> np.ndarray:
    """Numbers to try a function at."""
    own = kept_breakpoints()[f"{name} {dtype}"]
    ends = np.array([0, 1, INF, NAN, *np.exp2([-60.0, -20, 1, 5])], dtype)
    return np.concatenate([own, ends, -ends, spread(np.dtype(dtype))])


def judged(name: str, x: np.ndarray, exact: np.ndarray, bound: float, scale: Any = None) -> None:
    """Whether an expansion keeps its bound."""
    got = computed(EXPANSIONS[name], x)
    assert got.dtype == x.dtype
    with np.errstate(all="ignore"):
        error = ulps(got, exact, scale)
    i = int(error.argmax())
    assert error[i] <= bound, f"{error[i]} ulp at {x[i]!r}: {got[i]!r}, not {exact[i]!r}"


# The float32 beyond 2^30 that are next to multiples of pi/2, from continued fractions as those of
# float64 are (`hard.multiples_of_half_pi`).
NEAR_HALF_PI = ("0x1.f37c8ap95", "0x1.47d0fep34", "0x1.32ede2p85", "0x1.628d4cp40", "0x1.130930p76")


def test_each_function_has_its_breakpoints() -> None:
    wanted = {f"{name} {dtype}" for name in EXPANSIONS for dtype in ("float32", "float64")}
    assert set(kept_breakpoints()) == wanted, "python -m tests.ir.kernels.expansion_arrays"


@pytest.mark.parametrize("name", [name for name in EXPANSIONS if name in float32.REFERENCES])
def test_float32(name: str) -> None:
    own = np.array([float.fromhex(x) for x in NEAR_HALF_PI], np.float32)
    own = np.concatenate([own, points(name, "float32"), float32.specials()])
    x = float32.kept(name, own)
    with np.errstate(all="ignore"):
        exact = np.asarray(float32.REFERENCES[name](x.astype(np.float64)))
    judged(name, x, exact, 0.51 if name in ROUNDED else 1)


@LONG
@pytest.mark.parametrize("name", [name for name in EXPANSIONS if name in float64._ELEMENTARY])
def test_float64(name: str) -> None:
    f = float64._ELEMENTARY[name]
    x = np.concatenate([points(name, "float64"), hard.near_powers()[::7], hard.table_splits()[::5]])
    if f.hard is not None:
        known = f.hard()
        if name in ("sin", "cos", "tan"):  # those first that are nearest to multiples of pi/2
            sine = np.abs(np.sin(known.astype(np.longdouble)))
            known = known[np.argsort(np.minimum(sine, np.sqrt(1 - sine * sine)))]
            carries = float.fromhex("0x1.ffccc602de36p819")  # in the product with the bits of 2/pi
            x = np.concatenate([x, [carries], known[np.abs(known) > 2.0**30][:300]])
        x = np.concatenate([x, known[::17], float64.inputs(f, 600, np.random.default_rng(2))])
    with np.errstate(all="ignore"):
        judged(name, x, f.exact(x.astype(np.longdouble)), f.bound)


SLOW = {"bessel_k0", "bessel_k1", "bessel_k0e", "bessel_k1e", "bessel_y0", "bessel_y1"}


@LONG
@pytest.mark.parametrize("name", [n for n in float64.SPECIAL if n.split()[0] in EXPANSIONS])
def test_float64_of_special_functions(name: str) -> None:
    f, short = float64.SPECIAL[name], name.split()[0]
    sign = -1 if short != name else 1
    own = sign * kept_breakpoints()[f"{short} float64"]
    own = own[(np.abs(own) >= f.smallest) & (np.abs(own) <= f.largest)]
    own = own if f.both_signs else own[own > 0]
    own = own if short == name else own[own != np.floor(own)]  # but for poles
    rng, count = np.random.default_rng(4), 3 if name in SLOW else 30
    orders = np.exp(rng.uniform(np.log(f.smallest), np.log(f.largest), count))
    even = rng.uniform(f.smallest, min(f.largest, 30), count)
    x = np.concatenate([own[3:60:8] if name in SLOW else own, orders, even])
    if f.both_signs:
        x[::2] *= -1
    with mp.workdps(40):
        exact = float64.extended(mp, [f.exact(mp, mp.mpf(float(v))) for v in x])
    scale = None if f.scale is None else f.scale(np.abs(x)).astype(np.longdouble)
    judged(short, sign * x, exact, f.bound, scale)


TWO: dict[str, Callable[..., Any]] = {
    name: expansion(Op.by_name[op])  # type: ignore[misc]
    for name, op in {
        **{"pow": "pow", "atan2": "atan2", "zeta": "zeta", "igamma": "igamma"},
        **{"igammac": "igammac", "betainc": "betainc"},
    }.items()
}


@LONG
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", TWO)
def test_several_operands(name: str, dtype: Any) -> None:
    f, wide = binary._FUNCTIONS[name], dtype is np.float64
    slow = f.slow is not None
    operands = f.draw(np.random.default_rng(3), (12 if wide else 300) if slow else 3000, dtype)
    exact = binary._exact(f, operands, wide)
    error = ulps(computed(TWO[name], *operands), exact)
    i = int(error.argmax())
    assert error[i] <= f.bounds[wide], f"{error[i]} ulp at {[x[i] for x in operands]}"


def test_operands_at_their_ends() -> None:
    """Zeros, infinities, poles, and what is not defined."""
    nan, inf = NAN, INF
    ends = {
        # a, x, P(a, x)
        "igamma": [(0, 1, 1), (1, 0, 0), (0, 0, nan), (inf, 1, 0), (1, inf, 1), (inf, inf, nan),
                   (-1, 1, nan), (1, -1, nan), (nan, 1, nan), (1, nan, nan)],
        "igammac": [(0, 1, 0), (1, 0, 1), (0, 0, nan), (inf, 1, 1), (1, inf, 0), (inf, inf, nan),
                    (-1, 1, nan), (1, -1, nan), (nan, 1, nan), (1, nan, nan)],
        # s, q, the sum of (q + k)^-s
        "zeta": [(1, 2, inf), (0.5, 2, nan), (nan, 2, nan), (2, nan, nan), (2, 0, inf),
                 (2, -3, inf), (3, -3, nan), (2.5, -0.5, nan), (3, 0, nan), (400, 9, 0)],
        # a, b, x, I_x(a, b)
        "betainc": [(2, 3, 0, 0), (2, 3, 1, 1), (0, 3, 0.5, nan), (2, 0, 0.5, nan),
                    (-1, 3, 0.5, nan), (2, -1, 0.5, nan), (2, 3, -0.5, nan), (2, 3, 1.5, nan),
                    (nan, 3, 0.5, nan), (2, nan, 0.5, nan), (2, 3, nan, nan), (40, 0.1, 0, 0)],
    }  # fmt: skip
    for name, rows in ends.items():  # of float32 they go through the same
        *operands, wanted = np.array(rows, np.float64).T.copy()
        np.testing.assert_array_equal(computed(TWO[name], *operands), wanted, name)


@LONG
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["pow", "atan2"])
def test_pairs_of_special_numbers(name: str, dtype: Any) -> None:
    """As C99 (annex F) has them, which NumPy follows: signs of zeros and infinities, ways of
    powers that are no number."""
    numbers = [0, 0.5, 1, 1.5, 2, 3, 4, 1e-30, 1e30, INF, 5e-324, 3e-310, 2e-42]
    numbers += [2.0**22 + 0.5, 2.0**23 + 1, 2.0**51 + 0.5, 2.0**53 - 1, 2.0**52 + 1]
    numbers = [*numbers, *(-x for x in numbers), -0.0, NAN]
    x, y = np.array([(a, b) for a in numbers for b in numbers], dtype).T.copy()
    with np.errstate(all="ignore"):
        wanted = {"pow": np.power, "atan2": np.arctan2}[name](x.astype(np.longdouble), y)
        got = computed(TWO[name], x, y)
        error = ulps(got, wanted.astype(np.float64) if dtype is np.float32 else wanted)
    assert error.max() <= 1, (x[error > 1], y[error > 1], got[error > 1], wanted[error > 1])


@LONG
def test_zeta_of_what_is_negative() -> None:
    """Of integers s, the sum goes through terms below zero."""
    s = np.array([2, 3, 4, 5, 2, 3, 7, 2], np.float64)
    q = np.array([-0.5, -0.5, -2.25, -3.75, -7.125, -1.0 + 2.0**-20, -0.875, -1e-3])
    with mp.workdps(40):
        exact = []
        for si, qi in zip(s.tolist(), q.tolist(), strict=True):
            below = [mp.mpf(qi) + k for k in range(int(np.ceil(-qi)))]
            exact.append(sum((t ** -int(si) for t in below), mp.zeta(si, mp.mpf(qi) + len(below))))
        assert ulps(computed(TWO["zeta"], s, q), float64.extended(mp, exact)).max() < 16


@LONG
def test_trigamma() -> None:
    own = kept_breakpoints()["trigamma float64"]
    own = own[(np.abs(own) > 1e-5) & (np.abs(own) < 60) & (own != np.floor(own))]
    rng = np.random.default_rng(1)
    x = np.concatenate([own[::3], np.exp(rng.uniform(-10, 10, 30)), -rng.uniform(0, 12, 30)])
    with mp.workdps(40):
        exact = float64.extended(mp, [mp.psi(1, mp.mpf(float(v))) for v in x])
        judged("trigamma", x, exact, 8, (1 + 10 / np.abs(x)).astype(np.longdouble))
    x = np.array([0.0, -0.0, -1, -7, INF, NAN])
    np.testing.assert_array_equal(computed(EXPANSIONS["trigamma"], x), [INF, INF, INF, INF, 0, NAN])


@LONG
@pytest.mark.parametrize("order", [1, 2])
def test_derivatives_of_the_incomplete_gamma_function(order: int) -> None:
    """By a, beside differences in 60 digits; in each of the ways that it is computed."""
    rng = np.random.default_rng(6)
    a = np.concatenate([rng.uniform(0.05, 8, 8), rng.uniform(15, 60, 5), np.full(3, 0.2)])
    x = np.concatenate(
        [rng.uniform(0.1, 12, 8), a[8:13] * rng.uniform(0.6, 1.4, 5), [0.05, 0.6, 1]]
    )
    a = np.concatenate([a, [0.49, 0.6, 130, 900, 900, 2500]])
    x = np.concatenate([x, [0.5, 0.65, 140, 870, 900, 2500 * 1.02]])
    with mp.workdps(60):
        exact = [
            mp.diff(lambda t, v=v: mp.gammainc(t, 0, v, regularized=True), mp.mpf(u), order)
            for u, v in zip(a.tolist(), map(mp.mpf, x.tolist()), strict=True)
        ]
        wanted = np.array([float(v) for v in exact])
    function = expansion(Op.by_name["igamma_derivative"])
    assert function is not None
    got = computed(lambda a, x: function(a, x, order), a, x)
    np.testing.assert_allclose(got, wanted, rtol=2e-12, atol=1e-15)
    ends = np.array([(0.0, 1), (1, 0), (1, INF), (INF, 1), (-1, 1), (1, -1)]).T.copy()
    np.testing.assert_array_equal(
        computed(lambda a, x: function(a, x, order), *ends), [0, 0, 0, 0, NAN, NAN]
    )


@LONG
def test_incomplete_gamma_function_of_large_shapes() -> None:
    """Beyond 100 by Temme's expansion, where x is near a."""
    rng = np.random.default_rng(8)
    a = np.concatenate([[99.5, 100, 100.5], 10 ** rng.uniform(2, 4.5, 11)])
    away = rng.choice([-1, 1], a.size) * np.minimum(0.9, 4 * rng.uniform(size=a.size))
    x = a * (1 + away / a**0.5)
    x[3:7] = a[3:7] * [0.69, 0.71, 1.29, 1.31]
    with mp.workdps(60):
        upper = [
            mp.gammainc(u, v, regularized=True) for u, v in zip(a.tolist(), x.tolist(), strict=True)
        ]
        sides = {"igamma": [1 - v for v in upper], "igammac": upper}
        exact = {name: float64.extended(mp, side) for name, side in sides.items()}
    for name, wanted in exact.items():
        kept = wanted > 1e-40
        assert kept.sum() > 10
        got = computed(TWO[name], a, x)
        assert (np.abs(got - wanted)[kept] <= 9e-14 * wanted[kept]).all()  # 400 ulp


@LONG
def test_next_to_nothing_and_beyond_what_powers_reach() -> None:
    """What is scaled on the way: log gamma of tiny negatives, exponential integrals whose e^x alone
    would be infinite."""
    tiny = np.array([1e-280, 1e-300, 5e-324, 2.0**-901, 1e-200])
    with mp.workdps(40):
        wanted = float64.extended(mp, [-mp.log(mp.mpf(v)) for v in tiny.tolist()])
    for x in (tiny, -tiny):
        assert ulps(computed(EXPANSIONS["lgamma"], x), wanted).max() <= 2
    large = np.array([699.0, 700.5, 709, 711.5, 714, 716])
    with mp.workdps(40):
        wanted = float64.extended(mp, [mp.ei(mp.mpf(v)) for v in large.tolist()])
    assert ulps(computed(EXPANSIONS["expint"], large), wanted).max() <= 5
    assert np.isinf(computed(EXPANSIONS["expint"], np.array([717.0, 1e6]))).all()


def test_what_scalars_refuse() -> None:
    x, k = scalars(np.ones(2, np.float32), np.ones(2, np.int32))
    with pytest.raises(TypeError, match=r"2\.5 is no constant of dtype i32"):
        k + 2.5
    with pytest.raises(TypeError, match="operands of dtypes f32 and i32"):
        x + k
    with pytest.raises(TypeError, match="no bitcast from f32 to i64"):
        x.bitcast("i64")
    with pytest.raises(TypeError, match="no truth before it runs"):
        bool(x < 1.0)
    assert repr(x) == f"Scalar({x.value}: f32)"
    np.testing.assert_array_equal((~k).value, [-2, -2])
    (u,) = scalars(np.ones(2, np.uint8))
    np.testing.assert_array_equal((~u).value, [254, 254])
    assert (u.const(-1).value, u.const(257).value, k.const(2**31).value) == (255, 1, -(2**31))


INTEGERS = [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers(dtype: Any) -> None:
    info = np.iinfo(dtype)
    bases = [
        0,
        1,
        2,
        3,
        5,
        7,
        info.max,
        info.max // 2,
        *([-1, -2, -3, info.min] if info.min else []),
    ]
    powers = [0, 1, 2, 3, 4, 5, 62, 63, 64, info.max, *([-1, -2, -5, info.min] if info.min else [])]
    pairs = [(b, p) for b in bases for p in powers]
    x, y = np.array(pairs, dtype).T.copy()
    modulus = 1 << info.bits
    wanted = []
    for b, p in pairs:
        inverse = 1 if b == 1 else (1 if p % 2 == 0 else -1) if b == -1 else 0
        power = pow(b, p, modulus) if p >= 0 else inverse
        wanted.append(power - modulus if power > info.max else power)
    np.testing.assert_array_equal(computed(TWO["pow"], x, y), np.array(wanted, dtype))


@pytest.mark.parametrize("dtype", [*INTEGERS, np.float32, np.float64])
def test_selections(dtype: Any) -> None:
    """Comparisons and selections of all dtypes are NumPy's, with the signs of zeros."""
    if np.dtype(dtype).kind == "f":
        numbers: list[Any] = [0.0, -0.0, 1.5, -1.5, 7, INF, -INF, NAN, 1e-30]
    else:
        info = np.iinfo(dtype)
        numbers = [0, 1, 2, 7, info.max, info.min, max(-1, info.min), max(-7, info.min)]
    x, y = np.array([(a, b) for a in numbers for b in numbers], dtype).T.copy()
    signed = np.dtype(dtype).kind != "u"

    def same(name: str, wanted: np.ndarray, *operands: np.ndarray) -> None:
        function = expansion(Op.by_name[name])
        assert function is not None
        got = computed(function, *operands)
        np.testing.assert_array_equal(got, wanted, name)
        if np.dtype(dtype).kind == "f":
            known = ~np.isnan(wanted.astype(np.float64))
            np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(wanted)[known], name)

    either = np.where(x != x, x, y)
    same("maximum", np.where((x != x) | (y != y), either, np.where(y < x, x, y)), x, y)
    same("minimum", np.where((x != x) | (y != y), either, np.where(x < y, x, y)), x, y)
    same("relu", np.where(x <= 0, np.zeros_like(x), x), x)
    sign = np.where(x > 0, 1, np.where(x < 0, -1 if signed else 0, x)).astype(dtype)
    same("sign", sign, x)
    same("is_nan", x != x, x)
    if np.dtype(dtype).kind == "f":
        with np.errstate(all="ignore"):
            same("floor_div", np.floor(x / y), x, y)
    else:
        same("abs", np.abs(x), x)
    for name, machine in (("floor_div", "iu"), ("abs", "f")):
        function = expansion(Op.by_name[name])
        assert function is not None
        if np.dtype(dtype).kind in machine:  # which machines have
            assert function(*scalars(x, y)[: 2 if name == "floor_div" else 1]) is None
    truth = np.array([True, False])
    same("logical_not", ~truth, truth)
