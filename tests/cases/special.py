"""Cases of the public functions: special functions, and elementwise maths careful at zeros."""

from __future__ import annotations

import numpy as np
from scipy import special

import tfc as tf

from .case import between, case, find, integers, normal

ELSEWHERE = {"clip_by_global_norm", "global_norm"}  # tests/ops/test_special.py


def cases() -> None:
    for name in ("erfinv", "erfcinv", "ndtri"):
        low, high = (-0.9, 0.9) if name == "erfinv" else (0.1, 0.9)
        case(name, find(name), getattr(special, name), between(low, high, 3, 4), rtol=1e-14)
    x = between(0.4, 12, 3, 5)
    case("lgamma", tf.math.lgamma, special.gammaln, x, rtol=1e-14)
    case("digamma", tf.math.digamma, special.psi, x, rtol=1e-14)
    for name in ("i0", "i0e", "i1", "i1e", "j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1"):
        f = getattr(tf.math.special, f"bessel_{name}")
        case(f"bessel_{name}", f, getattr(special, name), between(0.5, 6, 3, 5), rtol=1e-14)
    case("dawsn", tf.math.special.dawsn, special.dawsn, x / 3, rtol=1e-14)
    case("expint", tf.math.special.expint, special.expi, x, rtol=1e-14)
    case("spence", tf.math.special.spence, special.spence, x, rtol=1e-14)
    for i, name in enumerate(("fresnel_sin", "fresnel_cos")):
        f = getattr(tf.math.special, name)
        case(name, f, lambda v, i=i: special.fresnel(v)[i], x / 5, rtol=1e-14)

    a, b, unit = between(0.5, 5, 3, 1), between(0.5, 5, 4), between(0.1, 0.9, 3, 4)
    case("igamma", tf.math.igamma, special.gammainc, a, b, rtol=1e-13)
    case("igammac", tf.math.igammac, special.gammaincc, a, b, rtol=1e-13)
    case("betainc", tf.math.betainc, special.betainc, a, b, unit, rtol=1e-12, smooth=(2,))
    case("zeta", tf.math.zeta, special.zeta, a + 1, b, rtol=1e-13, smooth=(1,))
    order = np.array([[0.0], [1.0], [4.0]])
    case(
        "polygamma",
        tf.math.polygamma,
        lambda n, v: special.polygamma(n.astype(int), v),
        order,
        b,
        rtol=1e-13,
        smooth=(1,),
    )
    case(
        "lbeta",
        tf.math.lbeta,
        lambda v: special.gammaln(v).sum(-1) - special.gammaln(v.sum(-1)),
        between(0.5, 3, 4, 3),
        rtol=1e-13,
    )

    p, q = normal(3, 4), between(0.3, 3, 4)
    gaps = p * (p > 0)
    case("xlogy", tf.math.xlogy, special.xlogy, p, q, rtol=1e-14)
    case("xlogy", tf.math.xlogy, special.xlogy, gaps, q * 0, smooth=(), rtol=1e-14)
    case("xlog1py", tf.math.xlog1py, special.xlog1py, p, q, rtol=1e-14)
    case("xdivy", tf.math.xdivy, lambda x, y: x / y, p, q)
    case("xdivy", tf.math.xdivy, lambda x, y: np.where(x == 0, 0, np.inf), gaps, q * 0, smooth=())
    case("divide_no_nan", tf.math.divide_no_nan, lambda x, y: x / y, p, q)
    case("divide_no_nan", tf.math.divide_no_nan, lambda x, y: x * 0, abs(p), q * 0, smooth=())
    whole = integers(-9, 9, 3, 4)
    case(
        "divide_no_nan",
        tf.math.divide_no_nan,
        lambda x, y: np.where(y == 0, 0.0, x / np.where(y == 0, 1, y)),
        whole,
        integers(-1, 1, 3, 4),
    )
    case("multiply_no_nan", tf.math.multiply_no_nan, np.multiply, p, q)
    endless = np.array([np.inf, np.nan, 2.0, -np.inf])
    wanted = np.array([0.0, 0.0, 6.0, -np.inf])
    case(
        "multiply_no_nan",
        tf.math.multiply_no_nan,
        lambda x, y: wanted,
        endless,
        np.array([0.0, 0.0, 3.0, 1.0]),
        smooth=(),
    )
    case("reciprocal_no_nan", tf.math.reciprocal_no_nan, lambda x: 1 / x, q)
    case(
        "reciprocal_no_nan",
        tf.math.reciprocal_no_nan,
        lambda x: np.array([0.0, 0.5]),
        np.array([0.0, 2.0]),
        smooth=(),
    )
    case("log_sigmoid", tf.math.log_sigmoid, special.log_expit, p * 20, rtol=1e-14)
    case("softsign", tf.math.softsign, lambda x: x / (1 + abs(x)), p, rtol=1e-15)
    case("nextafter", tf.math.nextafter, np.nextafter, p, q, smooth=())
    case("nextafter", tf.math.nextafter, np.nextafter, p.astype("f4"), (p * 0).astype("f4"))
    case("rint", tf.math.rint, np.rint, p * 3, smooth=())

    divisors = np.where(whole == 0, 4, whole)[::-1].copy()
    for dtype in ("int8", "int32", "int64"):
        x, y = whole.astype(dtype), divisors.astype(dtype)
        case("truncatediv", tf.truncatediv, lambda x, y: np.trunc(x / y).astype(x.dtype), x, y)
        case("truncatemod", tf.truncatemod, np.fmod, x, y)
    case("truncatediv", tf.truncatediv, lambda x, y: np.trunc(x / y), p * 5, q, smooth=())
    case("truncatemod", tf.truncatemod, np.fmod, p * 5, q)
    for dtype in ("uint8", "int8", "int16", "uint32", "int64"):
        many = np.arange(-9, 9).astype(dtype)
        bits = np.bitwise_count(many.view(f"u{many.itemsize}"))
        case("population_count", find("population_count"), lambda x, bits=bits: bits, many)

    for values in ([1, 2, 2, 5], [1, 2, 3], [3, 1], [[1, 2], [3, 4]], [7], []):
        v = np.array(values, np.int32)
        steps = np.diff(v.reshape(-1))
        case("is_non_decreasing", tf.math.is_non_decreasing, lambda v, s=steps: (s >= 0).all(), v)
        case(
            "is_strictly_increasing",
            tf.math.is_strictly_increasing,
            lambda v, s=steps: (s > 0).all(),
            v,
        )
    for axis in (None, 0, [0, 1], -1):
        given = tuple(axis) if isinstance(axis, list) else axis
        for keep in (False, True):
            case(
                "count_nonzero",
                lambda v, a=axis, k=keep: tf.math.count_nonzero(v, a, k),
                lambda v, a=given, k=keep: np.asarray(np.count_nonzero(v, axis=a, keepdims=k)),
                whole,
            )
            case(
                "reduce_euclidean_norm",
                lambda v, a=axis, k=keep: tf.math.reduce_euclidean_norm(v, a, k),
                lambda v, a=given, k=keep: np.sqrt((v * v).sum(axis=a, keepdims=k)),
                p,
                rtol=1e-14,
            )
    case(
        "reduce_euclidean_norm",
        tf.math.reduce_euclidean_norm,
        lambda v: np.int32(np.sqrt((v * v).sum())),
        whole,
    )
    case("zero_fraction", tf.math.zero_fraction, lambda v: np.float32((v == 0).mean()), whole)
    case("accumulate_n", lambda *v: tf.math.accumulate_n(list(v)), lambda a, b: a + b, p, p * 3)
    case(
        "polyval",
        lambda c, d, x: tf.math.polyval([c, d, 2.0], x),
        lambda c, d, x: 2.0 + x * (d + x * c),
        p,
        q,
        q,
        rtol=1e-14,
    )
    case("scalar_mul", tf.scalar_mul, np.multiply, np.asarray(2.5), p)
