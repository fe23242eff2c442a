"""Elementwise functions that NumPy and the array API standard have beside TensorFlow's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, float32

from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together, primitive
from ..declare import op

# Bits of the significand, and the exponent's bias, of IEEE formats by their width.
_FORMATS = {32: (23, 127), 64: (52, 1023)}


def _floating(op: str, *values: Value) -> None:
    for v in values:
        if not v.dtype.is_floating:
            raise OpError(f"{op}: not defined for dtype {v.dtype.name}", "dtype")
        if v.dtype is not values[0].dtype:
            raise OpError(f"{op}: operands must have the same dtype", "dtype")


def _apply(op: Any, *terms: Term, **attributes: Any) -> Term:
    return Term(terms[0].b, terms[0].b.emit(op(*(t.value for t in terms), **attributes)))


def _in(dtype: DType, x: Term) -> Term:
    return x if x.value.dtype is dtype else _apply(ir.Cast, x, dtype=dtype)


def _signed(dtype: DType) -> DType:
    return as_dtype(f"int{dtype.bits}")


def _log2(b: Builder, x: Value) -> Value:
    """exponent + log(significand) / log(2), with a significand in [3/4, 3/2): so the logarithms
    of powers of two are exact, and nothing cancels near 1."""
    _floating("log2", x)
    wide = x.dtype.compute
    significand, bias = _FORMATS[wide.bits]
    number = _in(wide, Term(b, x))
    tiny = number < float(np.finfo(wide.numpy).tiny)  # its exponent says nothing
    lift = significand + 2
    number = where(tiny, number * 2.0**lift, number)
    bits = _apply(ir.Bitcast, number * (4 / 3), dtype=_signed(wide))
    exponent = (bits.shift_right_arithmetic(significand) & (2 * bias + 1)) - bias
    exponent = exponent.minimum(bias - 1).maximum(1 - bias)
    scale_bits = (bias - exponent) << significand
    scale = _apply(ir.Bitcast, scale_bits, dtype=wide)  # 2 ** -exponent
    remainder = _apply(ir.Log, number * scale) / math.log(2)
    whole = _in(wide, exponent)
    whole = where(tiny, whole - float(lift), whole)
    return _in(x.dtype, whole + remainder).value


@op(_log2)
def log2(x: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm to base 2, exact for powers of two; nan below 0, -inf at 0.

    >>> import tfc as tf
    >>> print(log2(tf.constant([0.125, 1.0, 1024.0])))
    tf.Tensor([-3.  0. 10.], shape=(3,), dtype=float32)
    """


def _log10(b: Builder, x: Value) -> Value:
    _floating("log10", x)
    wide = as_dtype("float64") if x.dtype is float32 else x.dtype.compute
    return _in(x.dtype, _apply(ir.Log, _in(wide, Term(b, x))) / math.log(10)).value


@op(_log10)
def log10(x: Any, name: str | None = None) -> Tensor:
    """The logarithm to base 10; nan below 0, -inf at 0."""


@primitive
def _logaddexp(b: Builder, x: Value, y: Value, base: float) -> Value:
    _floating("logaddexp", x, y)
    p, q = (Term(b, v) for v in broadcast_together(b, x, y))
    scale = math.log(base)
    top = _apply(ir.Maximum, p, q)
    less = _apply(ir.Neg, _apply(ir.Abs, p - q)) * scale
    rest = _apply(ir.Log1p, _apply(ir.Exp, less)) / scale
    same = p.equal(q)  # also where both are infinite, and p - q is nan
    return where(same, p * 0.5 + q * 0.5 + math.log(2) / scale, top + rest).value


def logaddexp(x1: Any, x2: Any, name: str | None = None) -> Any:
    """log(exp(x1) + exp(x2)), without overflow."""
    return _logaddexp.fast(math.e)(x1, x2)


def logaddexp2(x1: Any, x2: Any, name: str | None = None) -> Any:
    """log2(2 ** x1 + 2 ** x2), without overflow."""
    return _logaddexp.fast(2.0)(x1, x2)


def _hypot(b: Builder, x: Value, y: Value) -> Value:
    _floating("hypot", x, y)
    p, q = (Term(b, v) for v in broadcast_together(b, x, y))
    infinite = _apply(ir.Abs, p).equal(math.inf)  # also beside nan
    infinite = infinite | _apply(ir.Abs, q).equal(math.inf)
    if x.dtype.bits < 64:
        wide = as_dtype("float64") if x.dtype is float32 else float32
        wp, wq = _in(wide, p), _in(wide, q)
        squared = wp * wp + wq * wq
        nonzero = squared > 0
        root = _apply(ir.Sqrt, where(nonzero, squared, 1))
        length = _in(x.dtype, where(nonzero, root, squared))
    else:
        size_p, size_q = _apply(ir.Abs, p), _apply(ir.Abs, q)
        top, low = _apply(ir.Maximum, size_p, size_q), _apply(ir.Minimum, size_p, size_q)
        ratio = low / where(top.equal(0), top.const(1), top)
        length = top * _apply(ir.Sqrt, ratio * ratio + 1)
    return where(infinite, length.const(math.inf), length).value


@op(_hypot)
def hypot(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """sqrt(x1**2 + x2**2), without overflow; inf beside nan is inf."""


def _negative(x: Term) -> Term:
    """Whether the sign bit is set."""
    return _apply(ir.Bitcast, x, dtype=_signed(x.value.dtype)) < 0


def _signbit(b: Builder, x: Value) -> Value:
    _floating("signbit", x)
    return _negative(Term(b, x)).value


@op(_signbit)
def signbit(x: Any, name: str | None = None) -> Tensor:
    """Whether the sign bit is set: below zero, and for -0.0."""


def _copysign(b: Builder, x: Value, y: Value) -> Value:
    _floating("copysign", x, y)
    p, q = (Term(b, v) for v in broadcast_together(b, x, y))
    differ = _negative(p) ^ _negative(q)
    return where(differ, -p, p).value


@op(_copysign)
def copysign(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The magnitude of x1 with the sign bit of x2."""


@op(ir.MaximumNumber)
def fmax(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The larger of x1 and x2; of a nan and a number, the number."""


@op(ir.MinimumNumber)
def fmin(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The smaller of x1 and x2; of a nan and a number, the number."""


def _trunc(b: Builder, x: Value) -> Value:
    _floating("trunc", x)
    t = Term(b, x)
    return where(t < 0, _apply(ir.Ceil, t), _apply(ir.Floor, t)).value


@op(_trunc)
def trunc(x: Any, name: str | None = None) -> Tensor:
    """The nearest integer towards zero."""


def _nextafter(b: Builder, x: Value, y: Value) -> Value:
    _floating("nextafter", x, y)
    p, q = (Term(b, v) for v in broadcast_together(b, x, y))
    integers = _signed(x.dtype)
    bits = _apply(ir.Bitcast, p, dtype=integers)
    # Away from zero the bits of a float grow as its magnitude does.
    outward = (q > p) ^ (p < 0)
    moved = _apply(ir.Bitcast, where(outward, bits + 1, bits - 1), dtype=x.dtype)
    least = _apply(ir.Bitcast, bits.const(1), dtype=x.dtype)
    moved = where(p.equal(0), where(q > 0, least, -least), moved)
    unordered = _apply(ir.IsNan, p) | _apply(ir.IsNan, q)
    return where(unordered, p + q, where(p.equal(q), q, moved)).value


@op(_nextafter)
def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The float next to x1 in the direction of x2."""
