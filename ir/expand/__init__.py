"""Transcendental functions as multiply-add polynomials on kernel scalars.

Each function takes and gives `Scalar`s of dtype f32 or f64 and bears the name of the op that it
expands: `getattr(expand, "tanh")`. See scalar.py for what an emitter must offer.
"""

from .bessel import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    bessel_j0,
    bessel_j1,
    bessel_k0,
    bessel_k0e,
    bessel_k1,
    bessel_k1e,
    bessel_y0,
    bessel_y1,
)
from .exponential import exp, expm1, sigmoid, tanh
from .gamma import digamma, lgamma, trigamma, zeta
from .hyperbolic import acosh, asinh, atanh, cosh, sinh
from .incomplete_beta import betainc
from .incomplete_gamma import igamma, igamma_derivative, igammac
from .integrals import dawsn, expint, fresnel_cos, fresnel_sin, spence
from .inverse_error import erfcinv, erfinv
from .inverse_trigonometric import acos, asin, atan, atan2
from .logarithm import log, log1p
from .power import pow, rsqrt
from .scalar import Emitter, Scalar
from .softplus import softplus
from .special import erf, erfc
from .trigonometric import cos, sin, tan

__all__ = [
    "Emitter",
    "Scalar",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "betainc",
    "cos",
    "cosh",
    "dawsn",
    "digamma",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "exp",
    "expint",
    "expm1",
    "fresnel_cos",
    "fresnel_sin",
    "igamma",
    "igamma_derivative",
    "igammac",
    "lgamma",
    "log",
    "log1p",
    "pow",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "softplus",
    "spence",
    "tan",
    "tanh",
    "trigamma",
    "zeta",
]
