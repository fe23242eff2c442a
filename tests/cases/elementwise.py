"""Cases of the public functions: elementwise."""

from __future__ import annotations

import numpy as np
from scipy import special

import tfc as tf

from .case import between, case, find, integers, normal


def cases() -> None:
    wide, positive, inner = normal(3, 5) * 2, between(0.3, 4, 3, 5), between(-0.9, 0.9, 3, 5)
    apart = wide + np.sign(wide) * 0.1  # away from kinks
    exact = {
        "negative": np.negative,
        "square": lambda x: x * x,
        "sqrt": np.sqrt,
        "reciprocal": np.reciprocal,
    }
    for name, f in exact.items():
        case(name, find(name), f, positive)
    flat = {"floor": np.floor, "ceil": np.ceil, "round": np.round, "sign": np.sign}
    for name, f in flat.items():
        case(name, find(name), f, apart, smooth=())
    case("round", tf.round, lambda x: x, integers(-5, 5, 4))
    case("abs", tf.abs, np.abs, apart)
    case("relu", tf.nn.relu, lambda x: np.maximum(x, 0), apart)
    for name in (
        "exp",
        "expm1",
        "tanh",
        "sin",
        "cos",
        "sinh",
        "cosh",
        "erf",
        "erfc",
        "sigmoid",
        "softplus",
        "asinh",
        "atan",
    ):
        f = {
            "erf": special.erf,
            "erfc": special.erfc,
            "sigmoid": special.expit,
            "softplus": lambda x: np.logaddexp(x, 0),
            "asinh": np.arcsinh,
            "atan": np.arctan,
        }.get(name) or getattr(np, name)
        case(name, find(name), f, wide, rtol=1e-14)
    for name in ("log", "log1p", "rsqrt"):
        f = {"rsqrt": lambda x: 1 / np.sqrt(x)}.get(name) or getattr(np, name)
        case(name, find(name), f, positive, rtol=1e-14)
    for name, f in {
        "asin": np.arcsin,
        "acos": np.arccos,
        "atanh": np.arctanh,
        "tan": np.tan,
    }.items():
        case(name, find(name), f, inner, rtol=1e-14)
    case("acosh", tf.acosh, np.arccosh, positive + 1, rtol=1e-13)
    odd = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0])
    for name, f in {"is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite}.items():
        case(name, find(name), f, odd, smooth=())
        case(name, find(name), f, odd.astype(np.float32))
    for dtype in (np.float32, np.int32, np.uint8, np.int64):
        few = integers(0, 9, 4).astype(dtype)
        case("square", tf.square, lambda x: x * x, few)
        case("abs", tf.abs, np.abs, few)
    case("logical_not", tf.logical_not, np.logical_not, [True, False])
    case("invert", tf.bitwise.invert, np.invert, integers(-9, 9, 4))
