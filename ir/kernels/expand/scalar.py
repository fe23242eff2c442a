"""Kernel scalars that read as algebra.

The functions of this package are written once, against `Scalar`, and say nothing of who emits
the operations: the kernel pass hands in an `Emitter` that appends IR ops, a test may hand in one
that writes LLVM text. Only operations that IEEE 754 rounds exactly are offered, so that the same
expansion gives the same bits on every host and on the GPU: no library calls, no approximate
reciprocals, no rounding intrinsics.

What an emitter may be asked for:

    add sub mul div neg abs sqrt floor fma    floats (add sub mul neg: integers too, wrapping)
    less less_equal equal not_equal           operands of one dtype, result "bool"; ordered, so a
                                              nan compares false, save under not_equal
    select                                    (condition, a, b)
    bitwise_and bitwise_or bitwise_xor        integers and "bool"
    shift_left shift_right_logical shift_right_arithmetic      amounts below the width
    bitcast                                   between dtypes of one width
    cast                                      floats round to nearest even; float to integer
                                              truncates and is only met in range, though an
                                              unselected lane may hold anything there
    repeat                                    a loop of so many rounds, whatever the data
    rarely                                    a slow way, for what few lanes need

Both sides of a `select` are always computed: a lane that is not selected may hold inf or nan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Protocol, Union

from ...value_classes import dataclass


class Emitter(Protocol):
    """Where a Scalar's operations go. Values are opaque here."""

    def emit(self, name: str, *operands: object, dtype: str) -> object:
        """Append the operation `name` with a result of `dtype`."""

    def constant(self, value: bool | int | float, dtype: str) -> object:
        """A constant; floats are rounded to `dtype`, integers are in its range."""

    def repeat(
        self,
        count: int,
        start: Sequence[object],
        body: Callable[[object, Sequence[object]], Sequence[object]],
    ) -> Sequence[object]:
        """Values carried through `count` rounds of body(the round as an i64, values)."""

    def rarely(
        self,
        condition: object,
        otherwise: Sequence[object],
        function: Callable[..., Sequence[Scalar]],
        arguments: Sequence[Scalar],
    ) -> Sequence[object]:
        """What the function gives where the condition holds, else the other values."""


FIRST, SPLIT = 2, 6  # terms of a polynomial: see `horner`
WIDTH = {f"{kind}{width}": width for kind in "iu" for width in (8, 16, 32, 64)}
WIDTH |= {"f32": 32, "f64": 64}

Operand = Union["Scalar", int, float]


class Scalar:
    """A value of a kernel. Python numbers beside it become constants of its dtype."""

    __slots__ = ("dtype", "emitter", "value")

    def __init__(self, emitter: Emitter, value: object, dtype: str) -> None:
        self.emitter = emitter
        self.value = value
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"Scalar({self.value}: {self.dtype})"

    def const(self, value: int | float, dtype: str | None = None) -> Scalar:
        """A constant of this dtype (or another), made by this value's emitter."""
        dtype = dtype or self.dtype
        if dtype == "bool":
            value = bool(value)
        elif dtype in ("f32", "f64"):
            value = float(value)
        else:
            if not isinstance(value, int):
                raise TypeError(f"expand: {value!r} is no constant of dtype {dtype}")
            value = _wrap(value, dtype)
        return Scalar(self.emitter, self.emitter.constant(value, dtype), dtype)

    @property
    def is_floating(self) -> bool:
        return self.dtype[0] == "f"

    @property
    def is_unsigned(self) -> bool:
        return self.dtype[0] == "u"

    def _operand(self, other: Operand) -> Scalar:
        if not isinstance(other, Scalar):
            return self.const(other)
        if other.dtype != self.dtype:
            raise TypeError(f"expand: operands of dtypes {self.dtype} and {other.dtype}")
        return other

    def _emit(self, name: str, *operands: Operand, dtype: str | None = None) -> Scalar:
        dtype = dtype or self.dtype
        values = [self._operand(operand).value for operand in operands]
        return Scalar(
            self.emitter, self.emitter.emit(name, self.value, *values, dtype=dtype), dtype
        )

    def __add__(self, other: Operand) -> Scalar:
        return self._emit("add", other)

    def __radd__(self, other: Operand) -> Scalar:
        return self._operand(other) + self

    def __sub__(self, other: Operand) -> Scalar:
        return self._emit("sub", other)

    def __rsub__(self, other: Operand) -> Scalar:
        return self._operand(other) - self

    def __mul__(self, other: Operand) -> Scalar:
        return self._emit("mul", other)

    def __rmul__(self, other: Operand) -> Scalar:
        return self._operand(other) * self

    def __truediv__(self, other: Operand) -> Scalar:
        return self._emit("div", other)

    def __rtruediv__(self, other: Operand) -> Scalar:
        return self._operand(other) / self

    def __neg__(self) -> Scalar:
        return self._emit("neg")

    def __abs__(self) -> Scalar:
        return self._emit("abs")

    def sqrt(self) -> Scalar:
        return self._emit("sqrt")

    def floor(self) -> Scalar:
        return self._emit("floor")

    def __lt__(self, other: Operand) -> Scalar:
        return self._emit("less", other, dtype="bool")

    def __le__(self, other: Operand) -> Scalar:
        return self._emit("less_equal", other, dtype="bool")

    def __gt__(self, other: Operand) -> Scalar:
        return self._operand(other) < self

    def __ge__(self, other: Operand) -> Scalar:
        return self._operand(other) <= self

    def eq(self, other: Operand) -> Scalar:
        return self._emit("equal", other, dtype="bool")

    def ne(self, other: Operand) -> Scalar:
        return self._emit("not_equal", other, dtype="bool")

    def __and__(self, other: Operand) -> Scalar:
        return self._emit("bitwise_and", other)

    def __or__(self, other: Operand) -> Scalar:
        return self._emit("bitwise_or", other)

    def __xor__(self, other: Operand) -> Scalar:
        return self._emit("bitwise_xor", other)

    def __invert__(self) -> Scalar:
        return self ^ (1 if self.dtype == "bool" else -1)

    def __bool__(self) -> bool:
        raise TypeError("expand: a kernel value has no truth before it runs; use select")

    def shl(self, amount: Operand) -> Scalar:
        return self._emit("shift_left", amount)

    def lshr(self, amount: Operand) -> Scalar:
        return self._emit("shift_right_logical", amount)

    def ashr(self, amount: Operand) -> Scalar:
        return self._emit("shift_right_arithmetic", amount)

    def bitcast(self, dtype: str) -> Scalar:
        """The same bits read as another dtype of the same width."""
        if WIDTH[dtype] != WIDTH[self.dtype]:
            raise TypeError(f"expand: no bitcast from {self.dtype} to {dtype}")
        return self if dtype == self.dtype else self._emit("bitcast", dtype=dtype)

    def cast(self, dtype: str) -> Scalar:
        """The value converted: to floats by rounding, from floats to integers by truncation."""
        return self if dtype == self.dtype else self._emit("cast", dtype=dtype)


def _wrap(value: int, dtype: str) -> int:
    width = WIDTH[dtype]
    value &= (1 << width) - 1
    return value - (1 << width) if dtype[0] == "i" and value >> (width - 1) else value


def fma(a: Operand, b: Operand, c: Operand) -> Scalar:
    """a*b + c, rounded once. At least one operand is a Scalar."""
    like = next(operand for operand in (a, b, c) if isinstance(operand, Scalar))
    left, right, addend = (like._operand(operand) for operand in (a, b, c))
    return left._emit("fma", right, addend)


def select(condition: Scalar, a: Operand, b: Operand) -> Scalar:
    """a where the condition holds, else b. At least one of a and b is a Scalar."""
    like = next(operand for operand in (a, b) if isinstance(operand, Scalar))
    chosen, other = like._operand(a), like._operand(b)
    value = like.emitter.emit(
        "select", condition.value, chosen.value, other.value, dtype=like.dtype
    )
    return Scalar(like.emitter, value, like.dtype)


def repeat(
    count: int, start: Sequence[Scalar], body: Callable[..., Sequence[Scalar]]
) -> list[Scalar]:
    """body(k, *values) for k = 0, 1, ... below `count`: the values after the last round. k comes
    in the dtype of the first value. All rounds run for every lane: series are as long as their
    slowest case."""
    emitter, dtypes = start[0].emitter, [x.dtype for x in start]

    def inner(k: object, values: Sequence[object]) -> Sequence[object]:
        index = Scalar(emitter, k, "i64").cast(dtypes[0])
        given = [Scalar(emitter, v, d) for v, d in zip(values, dtypes, strict=True)]
        return [x.value for x in body(index, *given)]

    values = emitter.repeat(count, [x.value for x in start], inner)
    return [Scalar(emitter, v, d) for v, d in zip(values, dtypes, strict=True)]


def rarely(
    condition: Scalar,
    otherwise: Sequence[Scalar],
    function: Callable[..., Sequence[Scalar]],
    *arguments: Scalar,
) -> list[Scalar]:
    """function(*arguments) where the condition holds, else the other values; the function, which
    uses nothing but its arguments, is only computed where some lane needs it."""
    emitter = condition.emitter
    given = [x.value for x in otherwise]
    values = emitter.rarely(condition.value, given, function, arguments)
    return [Scalar(emitter, v, x.dtype) for v, x in zip(values, otherwise, strict=True)]


def through_f64(function: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """A function of f64 for both dtypes: f32 is exact there, and its result is rounded once."""

    @wraps(function)
    def expanded(*arguments: Scalar) -> Scalar:
        return function(*(x.cast("f64") for x in arguments)).cast(arguments[0].dtype)

    return expanded


@dataclass(frozen=True)
class Format:
    """What an IEEE 754 binary format looks like from the integer side."""

    integer: str  # the signed integer of the same width
    fraction: int  # bits of the fraction field
    bias: int  # of the exponent field

    @property
    def magic(self) -> float:
        """Added to a small float, this leaves its nearest integer in the low bits of the sum."""
        return 1.5 * 2.0**self.fraction

    @property
    def one(self) -> int:
        """The bits of 1.0."""
        return self.bias << self.fraction


FORMAT = {"f32": Format("i32", 23, 127), "f64": Format("i64", 52, 1023)}


def horner(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """coefficients[0] + coefficients[1]*x + ..., in multiply-adds.

    By Horner's rule each waits for the one before. So in what is long the higher terms are
    even(x^2) + x odd(x^2), side by side, which takes a tenth off erf. Their errors hardly count
    where |x| < 1, because the first terms follow by Horner's rule.
    """
    first, higher = coefficients[:FIRST], coefficients[FIRST:]
    if len(higher) < SPLIT:
        return _chain(x, coefficients[-1], coefficients[:-1])
    square = x * x
    even, odd = (_chain(square, part[-1], part[:-1]) for part in (higher[::2], higher[1::2]))
    return _chain(x, fma(odd, x, even), first)


def _chain(x: Scalar, start: Scalar | float, coefficients: Sequence[float]) -> Scalar:
    """start * x^n + ... + coefficients[0], by Horner's rule."""
    result = start if isinstance(start, Scalar) else x.const(start)
    for coefficient in reversed(coefficients):
        result = fma(result, x, coefficient)
    return result


def fast_two_sum(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """a + b rounded, and what that lost, for |a| >= |b| or a = 0 (T. Dekker, 1971)."""
    total = a + b
    return total, b - (total - a)


def copysign(magnitude: Scalar, sign: Scalar) -> Scalar:
    """A magnitude that is not negative, with the sign bit of another value."""
    integer = FORMAT[magnitude.dtype].integer
    sign_bit = -1 << (WIDTH[integer] - 1)
    bits = magnitude.bitcast(integer) | (sign.bitcast(integer) & sign_bit)
    return bits.bitcast(magnitude.dtype)
