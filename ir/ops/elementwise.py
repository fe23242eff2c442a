"""Elementwise ops: one result element from the operands' elements at the same index.

All operands have one shape; broadcasting is an op of its own. At rank 0 the same classes are the
scalar ops of kernels. float16 and bfloat16 are computed in float32 and rounded after each op.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..algebra import Term, where
from ..axis_map import AxisMaps, same_index
from ..core import Builder, Op, Value
from ..dtypes import (
    ALL,
    DType,
    as_dtype,
    bfloat16,
    bool_,
    float8_e4m3fn,
    float8_e5m2,
    string,
    uint8,
)
from ..extent import Extent, product
from ..types import TensorType

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index


def dtypes_of(kinds: str) -> str:
    """The names of all dtypes of some kinds, for errors."""
    return ", ".join(d.name for d in (*ALL, string) if d.kind in kinds)


class Elementwise(Op, abstract=True):
    """The base: checks that shapes (and dtypes, where they must) agree."""

    kinds: ClassVar[str] = "iuf"  # the kinds of dtype that the op takes (see DType)
    complex_cost: ClassVar[int] = 2  # `cost` for complex numbers
    scalar_loop = True
    tiny_in_loop = True
    # The module of kernels/expand whose function of the op's name writes it as ops that machines
    # have; None where they have the op itself.
    expansion: ClassVar[str | None] = None

    def infer(self) -> TensorType:
        self.check(self.operands)
        first = self.operands[0].type
        assert isinstance(first, TensorType)
        dtype = self.result_dtype(first.dtype)
        return first if dtype is first.dtype else first.with_dtype(dtype)

    def check(self, operands: Sequence[Value]) -> None:
        first = operands[0].type
        for other in operands:
            if other.type is first:
                continue
            if other.shape != first.shape:
                raise self.error("operands must have the same shape")
            if other.dtype is not first.dtype:
                raise self.error("operands must have the same dtype", "dtype")
        if first.dtype.kind not in self.kinds:
            raise self.error(
                f"not defined for dtype {first.dtype.name}; it takes {dtypes_of(self.kinds)}",
                "dtype",
            )

    def result_dtype(self, dtype: DType) -> DType:
        return dtype

    def operations(self) -> Extent:
        return product(self.result.shape)

    def element_cost(self) -> int:
        return self.complex_cost if self.operands[-1].dtype.is_complex else self.cost

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        return (same_index(self.operands[0].rank),) * len(self.operands)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        return lower.emit(self.with_operands(lambda v: lower.element(v, index)))


class Unary(Elementwise, abstract=True):
    x: Value
    reference: ClassVar[Callable[..., np.ndarray]]

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return type(self).reference(x)

    def term(self, b: Builder) -> tuple[Term, Term]:
        """x and the result, ready for algebra."""
        return Term(b, self.x), Term(b, self.result)


class Binary(Elementwise, abstract=True):
    x: Value
    y: Value
    reference: ClassVar[Callable[..., np.ndarray]]

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return type(self).reference(x, y)

    def terms(self, b: Builder) -> tuple[Term, Term, Term]:
        """x, y and the result, ready for algebra."""
        return Term(b, self.x), Term(b, self.y), Term(b, self.result)


# Arithmetic. Each is one IEEE operation (or wraps, on integers), so folding is exact.


class Add(Binary):
    """x + y. Integers wrap."""

    keeps_zero = True
    exact = True
    kinds = "iufc"
    reference = np.add

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return dz, dz


class Sub(Binary):
    """x - y. Integers wrap."""

    keeps_zero = True
    exact = True
    kinds = "iufc"
    reference = np.subtract

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return dz, b.emit(Neg(dz))


class Mul(Binary):
    """x times y. Integers wrap."""

    complex_cost = 6
    exact = True
    kinds = "iufc"
    reference = np.multiply

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, _ = self.terms(b)
        d = Term(b, dz)
        return (d * y.conj()).value, (d * x.conj()).value


class Div(Binary):
    """The IEEE quotient of floats; of complex numbers, without needless overflow."""

    cost, complex_cost = 4, 40
    exact = True
    kinds = "fc"
    reference = np.divide

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        _, y, z = self.terms(b)
        d, divisor = Term(b, dz), y.conj()
        return (d / divisor).value, (-(d * z.conj()) / divisor).value


class Floored(Binary, abstract=True):
    @property
    def can_fail(self) -> bool:
        return bool(self.x.dtype.is_integer)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        if self.x.dtype.is_integer:
            lower.check_nonzero(lower.element(self.y, index), self)
        return super().at(lower, index)


class FloorDiv(Floored):
    """floor(x / y). Integers round towards minus infinity; dividing one by zero is an error."""

    expansion = "selections"

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        if self.x.dtype.is_integer:
            return np.asarray(np.floor_divide(x, y))
        wide = self.x.dtype.compute.numpy
        return np.asarray(np.floor(x.astype(wide) / y.astype(wide)), x.dtype)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return None, None


class FloorMod(Floored):
    """x - floor(x / y) * y: the sign is y's. Integers by zero are an error."""

    reference = np.mod

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, z = self.terms(b)
        d = Term(b, dz)
        quotient = Term(b, b.emit(Floor(((x - z) / y + 0.5).value)))
        return dz, (-d * quotient).value


class Maximum(Binary):
    """The larger; nan if either is. The gradient of a tie goes to x."""

    expansion = "selections"
    reference = np.maximum

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, _ = self.terms(b)
        d = Term(b, dz)
        chosen = x >= y
        return where(chosen, d, 0).value, where(chosen, d.const(0), d).value


class Minimum(Binary):
    """The smaller; nan if either is. The gradient of a tie goes to x."""

    expansion = "selections"
    reference = np.minimum

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, _ = self.terms(b)
        d = Term(b, dz)
        chosen = x <= y
        return where(chosen, d, 0).value, where(chosen, d.const(0), d).value


class Neg(Unary):
    """-x. Integers wrap."""

    keeps_zero = True
    exact = True
    kinds = "iufc"
    reference = np.negative

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Neg(dy)),)


class Abs(Unary):
    """|x|; of complex numbers a real, without needless overflow."""

    expansion = "selections"
    complex_cost = 40
    exact = True
    kinds = "iufc"
    reference = np.abs

    def result_dtype(self, dtype: DType) -> DType:
        return dtype.real_dtype

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        if not self.x.dtype.is_complex:
            return (b.emit(Mul(dy, b.emit(Sign(self.x)))),)
        # dy x / |x|, and 0 at 0
        d, phase = Term(b, dy), Term(b, b.emit(Sign(self.x)))
        return ((d * phase.real()).complex(d * phase.imag()).value,)


class Sign(Unary):
    """-1, 0 or 1; nan stays nan. Of complex numbers x / |x|, or 0. The gradient is 0 for reals, as
    in TensorFlow."""

    expansion = "selections"
    kinds = "iufc"
    reference = np.sign

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        d = Term(b, dy)
        if not self.x.dtype.is_complex:
            return (d.const(0).value,)
        # The phase y alone changes, by what is at a right angle to it: i y Im(conj(y) dy) / |x|.
        x, y = self.term(b)
        size = x.abs()
        turn = (y.conj() * d).imag() / where(size.equal(0), size.const(1), size)
        return ((-(y.imag() * turn)).complex(y.real() * turn).value,)


class Sqrt(Unary):
    """The square root; of complex numbers, the one whose real part is not negative."""

    cost, complex_cost = 4, 40
    exact = True
    kinds = "fc"
    reference = np.sqrt

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        _, y = self.term(b)
        return ((Term(b, dy) * 0.5 / y.conj()).value,)


class Floor(Unary):
    """The largest integer that is not above x, as a float."""

    exact = True
    kinds = "f"
    reference = np.floor

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class Ceil(Unary):
    """The smallest integer that is not below x, as a float."""

    exact = True
    kinds = "f"
    reference = np.ceil

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class Round(Unary):
    """To the nearest integer, ties to even."""

    exact = True
    kinds = "f"
    reference = np.rint

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class Relu(Unary):
    """max(x, 0), with gradient 0 at 0; nan stays nan."""

    expansion = "selections"
    exact = True

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.where(x <= 0, np.zeros_like(x), x)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        _, y = self.term(b)
        return (where(y > 0, Term(b, b.emit(Link(dy, self.result))), 0).value,)


class Link(Elementwise):
    """x, of which zeros reach the cotangent of y: the derivative of x by y is there, and 0
    everywhere. Stands where a choice by comparison leaves no other path, as in the derivatives of
    piecewise linear functions; no program that runs has it."""

    x: Value
    y: Value
    cost = 0
    exact = True
    keeps_zero = True
    kinds = "fc"
    linked = (1,)

    def infer(self) -> TensorType:
        self.check((self.x,))
        return self.x.tensor_type

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return b.emit(Link(dz, self.y)), None

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        return same_index(self.x.rank), None

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        return lower.element(self.x, index)


class Fma(Elementwise):
    """x*y + z, rounded once."""

    x: Value
    y: Value
    z: Value
    kinds = "f"

    def numpy(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        wide = np.longdouble if x.dtype == np.float64 else np.float64
        return np.asarray(x.astype(wide) * y.astype(wide) + z.astype(wide), x.dtype)

    def vjp(self, b: Builder, d: Value) -> Sequence[Value | None]:
        return b.emit(Mul(d, self.y)), b.emit(Mul(d, self.x)), d


# Comparisons and logic.


class Comparison(Binary, abstract=True):
    exact = True

    def result_dtype(self, dtype: DType) -> DType:
        return bool_

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return None, None


class Equal(Comparison):
    """Whether x = y. nan equals nothing."""

    kinds = "biufce"
    reference = np.equal


class NotEqual(Comparison):
    """Whether x and y differ. nan differs from everything, itself too."""

    kinds = "biufce"
    reference = np.not_equal


class Less(Comparison):
    """Whether x < y. Comparisons with nan are false."""

    reference = np.less


class LessEqual(Comparison):
    """Whether x <= y. Comparisons with nan are false."""

    reference = np.less_equal


class Greater(Comparison):
    """Whether x > y. Comparisons with nan are false."""

    reference = np.greater


class GreaterEqual(Comparison):
    """Whether x >= y. Comparisons with nan are false."""

    reference = np.greater_equal


class IsNan(Unary):
    """Whether x is nan."""

    expansion = "selections"
    exact = True
    kinds = "f"
    reference = np.isnan

    def result_dtype(self, dtype: DType) -> DType:
        return bool_

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class LogicalNot(Unary):
    """True where x is False."""

    expansion = "selections"
    exact = True
    kinds = "b"
    reference = np.logical_not

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class Bitwise(Binary, abstract=True):
    """Bit by bit on integers, logical on bools."""

    exact = True
    kinds = "biu"

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return None, None


class BitwiseAnd(Bitwise):
    """The bits that both integers have."""

    reference = np.bitwise_and


class BitwiseOr(Bitwise):
    """The bits that either integer has."""

    reference = np.bitwise_or


class BitwiseXor(Bitwise):
    """The bits that one integer has and the other has not."""

    reference = np.bitwise_xor


class Shift(Bitwise, abstract=True):
    """The amount must be at least 0 and below the width; it is taken modulo the width."""

    kinds = "iu"

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return type(self).reference(x, y & (x.dtype.itemsize * 8 - 1))


class ShiftLeft(Shift):
    """The bits of x moved y places up."""

    reference = np.left_shift


class ShiftRightArithmetic(Shift):
    """The bits of x moved y places down, filled up with the sign."""

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        signed = x.view(f"i{x.dtype.itemsize}")
        amount = (y & (x.dtype.itemsize * 8 - 1)).view(signed.dtype)
        return np.asarray(np.right_shift(signed, amount)).view(x.dtype)


class ShiftRightLogical(Shift):
    """The bits of x moved y places down, filled up with zeros."""

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        unsigned = x.view(f"u{x.dtype.itemsize}")
        amount = (y & (x.dtype.itemsize * 8 - 1)).view(unsigned.dtype)
        return np.asarray(np.right_shift(unsigned, amount)).view(x.dtype)


class Select(Elementwise):
    """x where the condition holds, else y. A branch not taken contributes a strong zero."""

    condition: Value
    x: Value
    y: Value
    keeps_zero = True
    exact = True
    kinds = "biufces"

    def infer(self) -> TensorType:
        self.check((self.x, self.y))
        if self.condition.dtype is not bool_:
            raise self.error("the condition must be bool", "dtype")
        if self.condition.shape != self.x.shape:
            raise self.error("operands must have the same shape")
        return self.x.tensor_type

    def numpy(self, condition: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.where(condition, x, y)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        d, condition = Term(b, dz), Term(b, self.condition)
        return None, where(condition, d, 0).value, where(condition, d.const(0), d).value


# Conversions.


class Cast(Unary):
    """Conversion of value: to floats by rounding to nearest even; from floats to integers by
    truncation, clamped to the range, nan to 0; between integers modulo 2^width; to bool: not 0.
    A real number becomes a complex one with imaginary part 0, a complex one loses its imaginary
    part."""

    dtype: DType
    keeps_zero = True
    kinds = "biufce"

    def result_dtype(self, dtype: DType) -> DType:
        if self.dtype is string:
            raise self.error("no number is a string", "dtype")
        return self.dtype

    def numpy(self, x: np.ndarray) -> np.ndarray:
        target = self.dtype.numpy
        if self.x.dtype.is_complex and not self.dtype.is_complex:
            return Cast(Value(TensorType(self.x.dtype.real_dtype)), self.dtype).numpy(x.real)
        if self.x.dtype.is_floating and self.dtype.is_integer:
            finite = np.nan_to_num(x.astype(np.float64), nan=0.0)
            low, high = int(self.dtype.min), int(self.dtype.max)
            exact = [min(max(int(v), low), high) for v in finite.ravel()]
            return np.array(exact, dtype=target).reshape(x.shape)
        return (_rounded(x, self.dtype) if self.dtype in _SHORT else x).astype(target)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        if not (self.dtype.is_inexact and self.x.dtype.is_inexact):
            return (None,)
        return (b.emit(Cast(dy, self.x.dtype)),)


# The bits of a number of these, and the exponent of the least number.
_SHORT = {bfloat16: (8, -133), float8_e4m3fn: (4, -9), float8_e5m2: (3, -16)}


def _rounded(x: np.ndarray, dtype: DType) -> np.ndarray:
    """Numbers of more than 24 bits as far as `dtype` holds them: NumPy's own conversions to these
    dtypes go by way of float32, and so round twice."""
    if x.dtype.kind not in "iuf" or x.dtype.itemsize < (8 if x.dtype.kind == "f" else 4):
        return x
    if x.dtype.itemsize == 8 and x.dtype.kind != "f":  # what float64 drops stays as one bit
        sticky = np.where(x & 2047, x | 2048, x) >> 11 << 11
        x = np.where(np.abs(x.astype(np.float64)) < 2**53, x, sticky)
    bits, least = _SHORT[dtype]
    wide = x.astype(np.float64)
    place = np.maximum(np.frexp(wide)[1] - bits, least)  # of the last bit
    rounded: np.ndarray = np.ldexp(np.rint(np.ldexp(wide, -place)), place)
    return rounded


class Truncate(Unary):
    """Kernels only: a float to an integer dtype, known to be in range, rounded towards zero."""

    dtype: DType
    kinds = "f"

    def infer(self) -> TensorType:
        if not self.dtype.is_integer:
            raise self.error(f"{self.dtype.name} is no integer dtype", "dtype")
        return super().infer()

    def result_dtype(self, dtype: DType) -> DType:
        return self.dtype

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return x.astype(self.dtype.numpy)


class Bitcast(Unary):
    """The same bits read as another dtype of the same width."""

    dtype: DType

    def infer(self) -> TensorType:
        for dtype in (self.x.dtype, self.dtype):
            if dtype.is_bool or dtype.is_complex or dtype is string:
                raise self.error(f"not defined for dtype {dtype.name}", "dtype")
        if self.dtype.bits != self.x.dtype.bits:
            raise self.error(f"{self.dtype.name} has another width", "dtype")
        return TensorType(self.dtype, self.x.shape)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return x.view(self.dtype.numpy)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


class PopulationCount(Unary):
    """How many bits of the integer are set, a uint8."""

    cost = 12
    exact = True
    kinds = "iu"

    def result_dtype(self, dtype: DType) -> DType:
        return uint8

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(np.bitwise_count(x.view(f"u{x.dtype.itemsize}")))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        b, bits = lower.b, self.x.dtype.bits
        x = lower.element(self.x, index)
        count = Term(b, b.emit(Bitcast(x, as_dtype(f"uint{bits}"))))
        # sums of neighbouring bits, pairs, fours, ... (H. Warren, Hacker's Delight, chapter 5)
        width = 1
        while width < bits:
            mask = ((1 << bits) - 1) // ((1 << width) + 1)
            count = (count & mask) + (count.shift_right_logical(width) & mask)
            width *= 2
        return count.value if bits == 8 else b.emit(Cast(count.value, uint8))


class StopGradient(Unary):
    """x, through which no gradient flows."""

    exact = True
    kinds = "biufces"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return x

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        return lower.element(self.x, index)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)
