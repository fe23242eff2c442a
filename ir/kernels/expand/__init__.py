"""Transcendental functions as multiply-add polynomials on kernel scalars.

Each function takes and gives `Scalar`s of dtype f32 or f64 and bears the name of the op that it
expands: `getattr(expand, "tanh")`. See scalar.py for what an emitter must offer.

The modules are imported when one of their functions is first asked for: few programs need many.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .scalar import Emitter, Scalar

_FUNCTIONS = {  # by module, whose name is that of no function
    "bessel": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 "
    "bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1",
    "exponential": "exp expm1 sigmoid tanh",
    "gamma": "digamma lgamma trigamma zeta",
    "hyperbolic": "acosh asinh atanh cosh sinh",
    "incomplete_beta": "betainc",
    "incomplete_gamma": "igamma igamma_derivative igammac",
    "integrals": "dawsn expint fresnel_cos fresnel_sin spence",
    "inverse_error": "erfcinv erfinv",
    "inverse_trigonometric": "acos asin atan atan2",
    "logarithm": "log log1p",
    "power": "pow rsqrt",
    "rectifiers": "softplus",
    "error_function": "erf erfc",
    "trigonometric": "cos sin tan",
}
_MODULES = {name: module for module, names in _FUNCTIONS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


__all__ = ["Emitter", "Scalar", *_MODULES]
