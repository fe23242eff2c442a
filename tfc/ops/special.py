"""Special functions: gamma, zeta, beta, error and Bessel functions and some integrals.

What float16 and bfloat16 give is the float32 result, rounded. Bounds of errors stand in
docs/accuracy.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Op, OpError, Value

from ..dispatch import Primitive, broadcast_together, primitive
from ..tensor import operand
from .math import reduce_sum, subtract

FLOATS = ("float16", "bfloat16", "float32", "float64")
WIDE = ("float32", "float64")


def require(x: Value, name: str, dtypes: tuple[str, ...] = FLOATS) -> None:
    """An error where x has none of these dtypes."""
    if x.dtype.name not in dtypes:
        raise OpError(
            f"{name}: not defined for dtype {x.dtype.name}; it takes {', '.join(dtypes)}", "dtype"
        )


def special(op: Callable[..., Op], name: str, doc: str, dtypes: tuple[str, ...] = FLOATS) -> Any:
    """The public function of one operand of an op."""

    def body(b: Builder, x: Value) -> Any:
        require(x, name, dtypes)
        return b.emit(op(x))

    native = Primitive(body, name).lazy()

    def function(x: Any, name: str | None = None) -> Any:
        return native[0](x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


lgamma = special(
    ir.Lgamma,
    "lgamma",
    """log |gamma(x)| elementwise: inf at 0 and the negative integers.

    >>> import tfc as tf
    >>> print(tf.math.lgamma([0.5, 1.0, 5.0]))
    tf.Tensor([0.5723649 0.        3.1780539], shape=(3,), dtype=float32)
    """,
)
digamma = special(
    ir.Digamma,
    "digamma",
    "The derivative of `lgamma`: -inf at 0 (inf at -0.0), nan at the negative integers.",
)
erfinv = special(
    ir.Erfinv, "erfinv", "The inverse of `erf`: infinite at -1 and 1, nan beyond. Floats."
)
erfcinv = special(
    ir.Erfcinv, "erfcinv", "The inverse of `erfc`, exact near 0: inf at 0, -inf at 2, nan beyond."
)
bessel_i0 = special(
    ir.BesselI0, "bessel_i0", "The modified Bessel function of the first kind, order 0."
)
bessel_i0e = special(ir.BesselI0e, "bessel_i0e", "exp(-|x|) bessel_i0(x), which does not overflow.")
bessel_i1 = special(
    ir.BesselI1, "bessel_i1", "The modified Bessel function of the first kind, order 1."
)
bessel_i1e = special(ir.BesselI1e, "bessel_i1e", "exp(-|x|) bessel_i1(x), which does not overflow.")
bessel_j0 = special(ir.BesselJ0, "bessel_j0", "The Bessel function of the first kind, order 0.")
bessel_j1 = special(ir.BesselJ1, "bessel_j1", "The Bessel function of the first kind, order 1.")
bessel_k0 = special(
    ir.BesselK0,
    "bessel_k0",
    "The modified Bessel function of the second kind, order 0: inf at 0, nan below.",
)
bessel_k0e = special(ir.BesselK0e, "bessel_k0e", "exp(x) bessel_k0(x), which does not underflow.")
bessel_k1 = special(
    ir.BesselK1,
    "bessel_k1",
    "The modified Bessel function of the second kind, order 1: inf at 0, nan below.",
)
bessel_k1e = special(ir.BesselK1e, "bessel_k1e", "exp(x) bessel_k1(x), which does not underflow.")
bessel_y0 = special(
    ir.BesselY0,
    "bessel_y0",
    "The Bessel function of the second kind, order 0: -inf at 0, nan below.",
)
bessel_y1 = special(
    ir.BesselY1,
    "bessel_y1",
    "The Bessel function of the second kind, order 1: -inf at 0, nan below.",
)
dawsn = special(
    ir.Dawsn, "dawsn", "Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x."
)
expint = special(
    ir.Expint, "expint", "The exponential integral Ei(x) of x >= 0: -inf at 0, nan below."
)
fresnel_cos = special(
    ir.FresnelCos, "fresnel_cos", "Fresnel's integral of cos(pi t^2 / 2) from 0 to x."
)
fresnel_sin = special(
    ir.FresnelSin, "fresnel_sin", "Fresnel's integral of sin(pi t^2 / 2) from 0 to x."
)
spence = special(
    ir.Spence, "spence", "Spence's integral of log(t) / (1 - t) from 1 to x; nan below 0."
)


@primitive
def _ndtri(b: Builder, p: Value) -> Any:
    require(p, "ndtri")
    doubled = Term(b, p) * 2  # exact
    return (0 - Term(b, b.emit(ir.Erfcinv(doubled.value))) * math.sqrt(2)).value  # no -0.0


def ndtri(x: Any, name: str | None = None) -> Any:
    """The quantile of the standard normal distribution: where its integral from -inf is x.

    >>> import tfc as tf
    >>> print(tf.math.ndtri([0.5, 0.975]))
    tf.Tensor([0.        1.9599643], shape=(2,), dtype=float32)
    """
    return _ndtri.fast()(x)


@primitive
def _zeta(b: Builder, x: Value, q: Value) -> Any:
    require(x, "zeta", WIDE)
    return b.emit(ir.Zeta(*broadcast_together(b, x, q)))


def zeta(x: Any, q: Any, name: str | None = None) -> Any:
    """Hurwitz's zeta function, the sum of (q + n)^-x over n >= 0. float32 and float64.

    inf at x = 1, nan for x < 1 and for fractional x where q < 0. The gradient is with respect to q
    alone, as in TensorFlow.
    """
    return _zeta.fast()(x, q)


@primitive
def _polygamma(b: Builder, a: Value, x: Value) -> Any:
    require(a, "polygamma", WIDE)
    a, x = broadcast_together(b, a, x)
    n = Term(b, b.emit(ir.StopGradient(a)))
    t = Term(b, x)
    one = n.const(1)
    half = Term(b, b.emit(ir.Floor((n * 0.5).value)))
    even = (half * 2)._emit("equal", n)
    # (-1)^(n + 1) n! zeta(n + 1, x)
    size = Term(b, b.emit(ir.Exp(b.emit(ir.Lgamma((n + 1).value)))))
    value = size * Term(b, b.emit(ir.Zeta((n + 1).value, x)))
    value = where(even, -value, value)
    value = where(n._emit("equal", 0), Term(b, b.emit(ir.Digamma(x))), value)
    whole = Term(b, b.emit(ir.Floor(n.value)))._emit("equal", n)._emit("bitwise_and", n >= 0)
    return where(whole, value, (one * t).const(math.nan)).value


def polygamma(a: Any, x: Any, name: str | None = None) -> Any:
    """The a-th derivative of `digamma` at x, for integers a >= 0, nan for others; float32, float64.

    The gradient is with respect to x alone, as in TensorFlow.

    >>> import tfc as tf
    >>> print(tf.math.polygamma(1.0, [1.0, 2.0]))
    tf.Tensor([1.644934   0.64493406], shape=(2,), dtype=float32)
    """
    return _polygamma.fast()(a, x)


@primitive
def _igamma(b: Builder, a: Value, x: Value) -> Any:
    require(a, "igamma")
    return b.emit(ir.Igamma(*broadcast_together(b, a, x)))


@primitive
def _igammac(b: Builder, a: Value, x: Value) -> Any:
    require(a, "igammac")
    return b.emit(ir.Igammac(*broadcast_together(b, a, x)))


def igamma(a: Any, x: Any, name: str | None = None) -> Any:
    """The regularised lower incomplete gamma function P(a, x); nan for negative operands.

    It has gradients of any order with respect to both.

    >>> import tfc as tf
    >>> print(tf.math.igamma(1.0, [0.0, 1.0]))
    tf.Tensor([0.         0.63212055], shape=(2,), dtype=float32)
    """
    return _igamma.fast()(a, x)


def igammac(a: Any, x: Any, name: str | None = None) -> Any:
    """The regularised upper incomplete gamma function, 1 - igamma(a, x) without cancellation."""
    return _igammac.fast()(a, x)


@primitive
def _betainc(b: Builder, p: Value, q: Value, x: Value) -> Any:
    require(p, "betainc", WIDE)
    return b.emit(ir.Betainc(*broadcast_together(b, p, q, x)))


def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Any:
    """The regularised incomplete beta function I_x(a, b); nan unless a, b > 0 and 0 <= x <= 1.

    float32 and float64; a and b up to about 1e4. The gradient is with respect to x alone, as in
    TensorFlow.
    """
    return _betainc.fast()(a, b, x)


def lbeta(x: Any, name: str | None = None) -> Any:
    """log |beta(x)| along the last axis: the sum of lgamma(x) less the lgamma of the sum of x.

    >>> import tfc as tf
    >>> print(tf.math.lbeta([1.0, 2.0]))
    tf.Tensor(-0.6931472, shape=(), dtype=float32)
    """
    x = operand("lbeta", x)
    return subtract(reduce_sum(lgamma(x), -1), lgamma(reduce_sum(x, -1)))
