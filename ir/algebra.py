"""Algebra on IR values, so that derivative rules and expansions read as formulas.

>>> from tfc.ir import core, types, dtypes
>>> b = core.Builder()
>>> x = Term(b, b.parameter(types.TensorType(dtypes.float32), "x"))
>>> (1 - x * x).value.type
TensorType(dtype=tf.float32, shape=())
"""

from __future__ import annotations

from typing import Union

from .core import Builder, Op, Value

Operand = Union["Term", Value, int, float]


class Term:
    """A value and the builder that operations on it are emitted into. Beside it may stand other
    values, and Python numbers, which become constants of its dtype and shape."""

    __slots__ = ("b", "value")

    def __init__(self, b: Builder, value: Value) -> None:
        self.b = b
        self.value = value

    def const(self, number: int | float) -> Term:
        """`number` in every element of this term's dtype and shape."""
        scalar = self.b.constant(number, self.value.dtype)
        shape = self.value.shape
        if not shape:
            return Term(self.b, scalar)
        return Term(self.b, self.b.emit(Op.by_name["broadcast"](scalar, shape, ())))

    def _emit(self, name: str, *operands: Operand) -> Term:
        op = Op.by_name[name]
        if len(operands) == 1:  # most
            return Term(self.b, self.b.emit(op(self.value, self._operand(operands[0]))))
        values = [self._operand(x) for x in operands]
        return Term(self.b, self.b.emit(op(self.value, *values)))

    def _operand(self, x: Operand) -> Value:
        if isinstance(x, Term):
            return x.value
        if isinstance(x, Value):
            return x
        type_ = self.value.type
        return self.const(x).value if type_.shape else self.b.constant(x, type_.dtype)

    # Arithmetic. Addition and multiplication commute exactly.

    def __add__(self, other: Operand) -> Term:
        return self._emit("add", other)

    __radd__ = __add__

    def __mul__(self, other: Operand) -> Term:
        return self._emit("mul", other)

    __rmul__ = __mul__

    def __sub__(self, other: Operand) -> Term:
        return self._emit("sub", other)

    def __rsub__(self, other: int | float) -> Term:
        return self.const(other) - self

    def __truediv__(self, other: Operand) -> Term:
        return self._emit("div", other)

    def __rtruediv__(self, other: int | float) -> Term:
        return self.const(other) / self

    def __floordiv__(self, other: Operand) -> Term:
        return self._emit("floor_div", other)

    def ceildiv(self, other: int) -> Term:
        """The quotient rounded up, of what is not negative."""
        return (self + (other - 1)) // other

    def __mod__(self, other: Operand) -> Term:
        return self._emit("floor_mod", other)

    def __neg__(self) -> Term:
        return self._emit("neg")

    def minimum(self, other: Operand) -> Term:
        return self._emit("minimum", other)

    def maximum(self, other: Operand) -> Term:
        return self._emit("maximum", other)

    def abs(self) -> Term:
        return self._emit("abs")

    def sqrt(self) -> Term:
        return self._emit("sqrt")

    def exp(self) -> Term:
        return self._emit("exp")

    def sin(self) -> Term:
        return self._emit("sin")

    def cos(self) -> Term:
        return self._emit("cos")

    # Complex numbers.

    def conj(self) -> Term:
        """The complex conjugate; of what is real, itself."""
        return self._emit("conj") if self.value.dtype.is_complex else self

    def real(self) -> Term:
        return self._emit("real")

    def imag(self) -> Term:
        return self._emit("imag")

    def complex(self, imag: Term) -> Term:
        """The complex number with this real part."""
        return self._emit("complex", imag)

    # Comparisons. `==` is left to Python: terms are compared by `equal`.

    def __gt__(self, other: Operand) -> Term:
        return self._emit("greater", other)

    def __ge__(self, other: Operand) -> Term:
        return self._emit("greater_equal", other)

    def __le__(self, other: Operand) -> Term:
        return self._emit("less_equal", other)

    def __lt__(self, other: Operand) -> Term:
        return self._emit("less", other)

    def equal(self, other: Operand) -> Term:
        return self._emit("equal", other)

    def not_equal(self, other: Operand) -> Term:
        return self._emit("not_equal", other)

    def select(self, x: Operand, y: Operand) -> Term:
        """x where this holds, else y."""
        return self._emit("select", x, y)

    # Bits.

    def __and__(self, other: Operand) -> Term:
        return self._emit("bitwise_and", other)

    def __or__(self, other: Operand) -> Term:
        return self._emit("bitwise_or", other)

    def __xor__(self, other: Operand) -> Term:
        return self._emit("bitwise_xor", other)

    def __invert__(self) -> Term:
        """The opposite of a bool."""
        return self ^ self.const(True)

    def __lshift__(self, other: Operand) -> Term:
        return self._emit("shift_left", other)

    def shift_right_logical(self, other: Operand) -> Term:
        return self._emit("shift_right_logical", other)

    def shift_right_arithmetic(self, other: Operand) -> Term:
        return self._emit("shift_right_arithmetic", other)

    def logical_not(self) -> Term:
        return self._emit("logical_not")


def where(condition: Term, x: Term, y: Operand) -> Term:
    """x where the condition holds, else y."""
    return condition.select(x, x.const(y) if isinstance(y, int | float) else y)
