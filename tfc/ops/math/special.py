"""Special functions: gamma, zeta, beta, inverse error functions and some integrals.

What float16 and bfloat16 give is the float32 result, rounded. Bounds of errors stand in
docs/reference/accuracy.md.
"""

from __future__ import annotations

import math

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, float64

from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together
from ..declare import WIDE, op, require
from .arithmetic import subtract
from .reductions import reduce_sum


@op(ir.Lgamma, check=require)
def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """log |gamma(x)| elementwise: inf at 0 and the negative integers.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.lgamma([1.0, 5.0, 0.0]).numpy().round(4))  # at 5: log(4!)
    [0.     3.1781    inf]
    """


@op(ir.Digamma, check=require)
def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of `lgamma`: -inf at 0 (inf at -0.0), nan at the negative integers.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.digamma([1.0, 0.0, -1.0]).numpy().round(4))  # at 1: -Euler's constant
    [-0.5772    -inf     nan]
    """


@op(ir.Erfinv, check=require)
def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse of `erf`: infinite at -1 and 1, nan beyond.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.erfinv([0.0, -1.0, 2.0]))
    tf.Tensor([  0. -inf  nan], shape=(3,), dtype=float32)
    """


@op(ir.Erfcinv, check=require)
def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse of `erfc`, exact near 0: inf at 0, -inf at 2, nan beyond.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.erfcinv([1.0, 0.0, 2.0]))
    tf.Tensor([  0.  inf -inf], shape=(3,), dtype=float32)
    """


@op(ir.Dawsn, check=require)
def dawsn(x: TensorLike, name: str | None = None) -> Tensor:
    """Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.dawsn([0.0, 1.0, -1.0]).numpy().round(4))
    [ 0.      0.5381 -0.5381]
    """


@op(ir.Expint, check=require)
def expint(x: TensorLike, name: str | None = None) -> Tensor:
    """The exponential integral Ei(x) of x >= 0: -inf at 0, nan below.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.expint([0.0, 1.0, -1.0]).numpy().round(4))
    [  -inf 1.8951    nan]
    """


@op(ir.FresnelCos, check=require)
def fresnel_cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Fresnel's integral of cos(pi t^2 / 2) from 0 to x.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.fresnel_cos([0.0, 1.0, float("inf")]).numpy().round(4))
    [0.     0.7799 0.5   ]
    """


@op(ir.FresnelSin, check=require)
def fresnel_sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Fresnel's integral of sin(pi t^2 / 2) from 0 to x.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.fresnel_sin([0.0, 1.0, float("inf")]).numpy().round(4))
    [0.     0.4383 0.5   ]
    """


@op(ir.Spence, check=require)
def spence(x: TensorLike, name: str | None = None) -> Tensor:
    """Spence's integral of log(t) / (1 - t) from 1 to x; nan below 0.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.spence([0.0, 2.0, -1.0]).numpy().round(4))  # at 0: pi^2 / 6
    [ 1.6449 -0.8225     nan]
    """


def _widened(b: Builder, x: Value) -> Value:
    """x as float64, so that what is composed of several functions is rounded once, at its end."""
    return x if x.dtype is float64 else b.emit(ir.Cast(x, float64))


def _narrowed(b: Builder, y: Value, dtype: DType) -> Value:
    return y if dtype is float64 else b.emit(ir.Cast(y, dtype))


def _ndtri(b: Builder, p: Value) -> Value:
    require(p, "ndtri")
    doubled = Term(b, _widened(b, p)) * 2  # exact
    y = (0 - Term(b, b.emit(ir.Erfcinv(doubled.value))) * math.sqrt(2)).value  # no -0.0
    return _narrowed(b, y, p.dtype)


@op(_ndtri)
def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """The quantile of the standard normal distribution: where its integral from -inf is x. Infinite
    at 0 and 1, nan beyond.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.ndtri([0.5, 0.975, 0.0]).numpy().round(4))
    [0.   1.96 -inf]
    """


def _zeta(b: Builder, x: Value, q: Value) -> Value:
    require(x, "zeta", WIDE)
    return b.emit(ir.Zeta(*broadcast_together(b, x, q)))


@op(_zeta)
def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """Hurwitz's zeta function, the sum of (q + n)^-x over n >= 0.

    inf at x = 1, nan for x < 1 and for fractional x where q < 0. The gradient is with respect to q
    alone, as in TensorFlow.

    Args:
        x: A tensor of float32 or float64.
        q: A tensor of the same dtype, whose shape broadcasts with that of `x`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.zeta([2.0, 1.0, 0.5], 1.0).numpy().round(4))  # at 2: pi^2 / 6
    [1.6449    inf    nan]
    """


def _polygamma(b: Builder, a: Value, x: Value) -> Value:
    require(a, "polygamma", WIDE)
    a, x = broadcast_together(b, a, x)
    dtype, (a, x) = x.dtype, (_widened(b, v) for v in (a, x))
    n = Term(b, b.emit(ir.StopGradient(a)))
    half = Term(b, b.emit(ir.Floor((n * 0.5).value)))
    even = (half * 2).equal(n)
    # (-1)^(n + 1) n! zeta(n + 1, x)
    size = Term(b, b.emit(ir.Exp(b.emit(ir.Lgamma((n + 1).value)))))
    value = size * Term(b, b.emit(ir.Zeta((n + 1).value, x)))
    value = where(even, -value, value)
    value = where(n.equal(0), Term(b, b.emit(ir.Digamma(x))), value)
    whole = Term(b, b.emit(ir.Floor(n.value))).equal(n) & (n >= 0)
    return _narrowed(b, where(whole, value, value * math.nan).value, dtype)


@op(_polygamma)
def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The a-th derivative of `digamma` at x; nan where a is no integer, or negative.

    The gradient is with respect to x alone, as in TensorFlow.

    Args:
        a: A tensor of float32 or float64.
        x: A tensor of the same dtype, whose shape broadcasts with that of `a`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.polygamma(1.0, [1.0, 2.0]).numpy().round(4))  # at 1: pi^2 / 6
    [1.6449 0.6449]
    """


def _igamma(b: Builder, a: Value, x: Value) -> Value:
    require(a, "igamma")
    return b.emit(ir.Igamma(*broadcast_together(b, a, x)))


def _igammac(b: Builder, a: Value, x: Value) -> Value:
    require(a, "igammac")
    return b.emit(ir.Igammac(*broadcast_together(b, a, x)))


@op(_igamma)
def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The regularised lower incomplete gamma function P(a, x); nan for negative operands.

    It has gradients of any order with respect to both.

    Args:
        a: A tensor of floats.
        x: A tensor of the same dtype, whose shape broadcasts with that of `a`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.igamma(1.0, [0.0, 1.0]).numpy().round(4))  # at 1: 1 - 1 / e
    [0.     0.6321]
    """


@op(_igammac)
def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The regularised upper incomplete gamma function, 1 - igamma(a, x) without cancellation.

    Args:
        a: A tensor of floats.
        x: A tensor of the same dtype, whose shape broadcasts with that of `a`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.igammac(1.0, [0.0, 1.0]).numpy().round(4))  # at 1: 1 / e
    [1.     0.3679]
    """


def _betainc(b: Builder, p: Value, q: Value, x: Value) -> Value:
    require(p, "betainc", WIDE)
    return b.emit(ir.Betainc(*broadcast_together(b, p, q, x)))


@op(_betainc)
def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The regularised incomplete beta function I_x(a, b); nan unless a, b > 0 and 0 <= x <= 1.

    The gradient is with respect to x alone, as in TensorFlow.

    Args:
        a: A tensor of float32 or float64, up to about 1e4.
        b: A tensor of the same dtype, likewise.
        x: A tensor of the same dtype.

    Returns:
        A tensor of that dtype and the shape that all three broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.betainc(2.0, 2.0, [0.0, 0.5, 1.0, 1.5]))
    tf.Tensor([0.  0.5 1.  nan], shape=(4,), dtype=float32)
    """


def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """log |beta(x)| along the last axis: the sum of lgamma(x) less the lgamma of the sum of x.

    Args:
        x: A tensor of floats, of rank 1 at least.

    Returns:
        A tensor of that dtype, without the last axis.

    Raises:
        InvalidArgumentError: If there is no axis (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.lbeta([1.0, 2.0]).numpy().round(4))  # log(1 / 2)
    -0.6931
    """
    x = operand("lbeta", x)
    return subtract(reduce_sum(lgamma(x), -1), lgamma(reduce_sum(x, -1)))
