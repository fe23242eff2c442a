"""Formulas of terms mean what NumPy computes: each operator, beside terms, values and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder
from tfc.ir.dtypes import as_dtype
from tfc.ir.interpreter import interpret
from tfc.ir.ops.shape import Broadcast, Constant
from tfc.ir.types import TensorType

X = np.array([[-7.0, -2.5, 0.0], [0.5, 3.0, 6.0]], np.float32)
Y = np.array([[2.0, -2.5, 3.0], [-0.5, 7.0, 6.0]], np.float32)
I, J = np.array([-7, -1, 0, 9, 12], np.int64), np.array([2, 3, 4, 1, 5], np.int64)
P, Q = np.array([True, True, False, False]), np.array([True, False, True, False])
Z = np.array([1 + 2j, -3.0, 0.5j], np.complex64)


def right_shift(x: Any, y: Any) -> Any:
    """With zeros from above."""
    return (np.asarray(x).view(np.uint64) >> np.asarray(y).astype(np.uint64)).view(np.int64)


# What is written, what NumPy computes of the same arguments, and these.
UNARY: dict[str, tuple[Callable[[Term], Term], Callable[[Any], Any], np.ndarray]] = {
    "neg": (lambda x: -x, np.negative, X),
    "abs": (lambda x: x.abs(), np.abs, X),
    "sqrt": (lambda x: x.sqrt(), np.sqrt, np.abs(X)),
    "exp": (lambda x: x.exp(), np.exp, X),
    "sin": (lambda x: x.sin(), np.sin, X),
    "cos": (lambda x: x.cos(), np.cos, X),
    "conj": (lambda x: x.conj(), np.conj, Z),
    "conj of floats": (lambda x: x.conj(), np.asarray, X),
    "real": (lambda x: x.real(), np.real, Z),
    "imag": (lambda x: x.imag(), np.imag, Z),
    "invert": (lambda x: ~x, np.logical_not, P),
    "logical_not": (lambda x: x.logical_not(), np.logical_not, P),
    "ceildiv": (lambda x: x.ceildiv(4), lambda x: -(-x // 4), np.abs(I)),
}
BINARY: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any], Any, Any]] = {
    "add": (lambda x, y: x + y, np.add, X, Y),
    "mul": (lambda x, y: x * y, np.multiply, X, Y),
    "sub": (lambda x, y: x - y, np.subtract, X, Y),
    "div": (lambda x, y: x / y, np.divide, X, Y),
    "floor_div": (lambda x, y: x // y, np.floor_divide, I, J),
    "mod": (lambda x, y: x % y, np.mod, I, J),
    "minimum": (lambda x, y: x.minimum(y), np.minimum, X, Y),
    "maximum": (lambda x, y: x.maximum(y), np.maximum, X, Y),
    "greater": (lambda x, y: x > y, np.greater, X, Y),
    "greater_equal": (lambda x, y: x >= y, np.greater_equal, X, Y),
    "less": (lambda x, y: x < y, np.less, X, Y),
    "less_equal": (lambda x, y: x <= y, np.less_equal, X, Y),
    "equal": (lambda x, y: x.equal(y), np.equal, X, Y),
    "not_equal": (lambda x, y: x.not_equal(y), np.not_equal, X, Y),
    "and": (lambda x, y: x & y, np.bitwise_and, I, J),
    "or": (lambda x, y: x | y, np.bitwise_or, I, J),
    "xor": (lambda x, y: x ^ y, np.bitwise_xor, I, J),
    "shift_left": (lambda x, y: x << y, np.left_shift, I, J),
    "logical shift": (lambda x, y: x.shift_right_logical(y), right_shift, I, J),
    "arithmetic shift": (lambda x, y: x.shift_right_arithmetic(y), np.right_shift, I, J),
    "select": (lambda x, y: (x > y).select(x, y), lambda x, y: np.where(x > y, x, y), X, Y),
    "where": (lambda x, y: where(x > y, x, y), lambda x, y: np.where(x > y, x, y), X, Y),
}
FROM_LEFT = {"add", "mul", "sub", "div"}


def value_of(make: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    """What a formula of terms gives."""
    b = Builder()
    terms = [Term(b, b.parameter(TensorType(as_dtype(a.dtype), a.shape))) for a in arrays]
    made = make(*terms)
    assert isinstance(made, Term) and made.b is b
    (result,) = interpret(b.build(made.value), list(arrays))
    return result


def same(got: np.ndarray, wanted: Any) -> None:
    assert got.dtype == np.asarray(wanted).dtype
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("name", UNARY)
def test_of_one_operand(name: str) -> None:
    write, reference, x = UNARY[name]
    same(value_of(write, x), reference(x))
    same(value_of(write, x.ravel()[0]), reference(x.ravel()[0]))


@pytest.mark.parametrize("name", BINARY)
def test_of_two_operands(name: str) -> None:
    write, reference, x, y = BINARY[name]
    with np.errstate(all="ignore"):
        same(value_of(write, x, y), reference(x, y))
        same(value_of(lambda x, y: write(x, y.value), x, y), reference(x, y))
        if name == "select":  # a number beside a condition would be another
            return
        for number in (y.ravel()[0].item(), y.ravel()[2].item()):
            same(value_of(lambda x: write(x, number), x), reference(x, y.dtype.type(number)))  # noqa: B023
            first = x.ravel()[1]
            wanted = reference(first, y.dtype.type(number))
            same(value_of(lambda x: write(x, number), first), wanted)  # noqa: B023
            if name in FROM_LEFT:
                wanted = reference(x.dtype.type(number), y)
                same(value_of(lambda y: write(number, y), y), wanted)  # noqa: B023


def test_conj_of_what_is_real_is_itself() -> None:
    b = Builder()
    x = Term(b, b.parameter(TensorType(as_dtype("f32"), (2,))))
    assert x.conj() is x and not b.body


def test_a_complex_number_is_made_of_two() -> None:
    same(value_of(lambda x, y: x.complex(y), X, Y), (X + 1j * Y).astype(np.complex64))


def test_numbers_beside_scalars_are_constants() -> None:
    """And beside tensors they are spread."""
    b = Builder()
    scalar = Term(b, b.parameter(TensorType(as_dtype("i32"))))
    assert isinstance(scalar.const(3).value.op, Constant)
    assert isinstance((scalar + 3).value.op.operands[1].op, Constant)  # type: ignore[union-attr]
    tensor = Term(b, b.parameter(TensorType(as_dtype("i32"), (2, 3))))
    assert isinstance(tensor.const(3).value.op, Broadcast)
