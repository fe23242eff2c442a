"""Transcendental functions as multiply-add polynomials on kernel scalars.

Each function takes and gives `Scalar`s of dtype f32 or f64 and bears the name of the op that it
expands: `getattr(expand, "tanh")`. See scalar.py for what an emitter must offer.
"""

from .exponential import exp, expm1, sigmoid, tanh
from .gamma import digamma, lgamma, trigamma, zeta
from .hyperbolic import acosh, asinh, atanh, cosh, sinh
from .inverse_trigonometric import acos, asin, atan, atan2
from .logarithm import log, log1p
from .power import pow, rsqrt
from .scalar import Emitter, Scalar
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
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "log",
    "log1p",
    "pow",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "tan",
    "tanh",
    "digamma",
    "lgamma",
    "trigamma",
    "zeta",
]
