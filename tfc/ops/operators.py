"""Python's operators on tensors and Variables, and the methods that are made of ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import errors
from ..core.containers import Composite
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.indexed_slices import IndexedSlices
from ..core.shapes import TensorShape
from ..core.tensor import Held, Tensor
from ..core.variable import Variable
from ..dispatch.overloads import is_overloaded
from .array import shaping, slicing, variable_updates
from .linalg import products
from .math import arithmetic, bits, comparisons
from .math.python_operators import BINARY, ORDER

_BINARY: dict[str, Callable[..., Any]] = {
    **BINARY,
    "matmul": products.matmul,
    "lshift": bits.left_shift,
    "rshift": bits.right_shift,
}


def _forward(function: Any, reflected: str) -> Callable[..., Any]:
    native = getattr(function, "native", None) or [function]

    def operator(self: Any, other: Any) -> Any:
        try:
            return native[0](self, other)
        except (TypeError, ValueError):
            # Something else than an array may know what to do with a tensor.
            method = getattr(type(other), reflected, None)
            if getattr(type(other), "_takes_operators", False) and type(self) is not type(other):
                return NotImplemented
            if method is None and isinstance(other, Composite) and is_overloaded(function):
                return function(self, other)
            if not isinstance(other, _ARRAYS) and method is not getattr(object, reflected, None):
                return NotImplemented
            raise

    return operator


_ARRAYS = (Held, np.ndarray, np.generic, list, tuple, int, float, complex, str)
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _densely(operator: Callable[..., Any]) -> Callable[..., Any]:
    """The operator for IndexedSlices, which become a tensor."""
    return lambda self, other: operator(self.dense(), other)


def _reflected(function: Any) -> Callable[..., Any]:
    native = getattr(function, "native", None) or [function]

    def operator(self: Any, other: Any) -> Any:
        return native[0](other, self)

    return operator


def _eq(self: Any, other: Any) -> Tensor:
    return _compared(comparisons.equal, self, other, False)


def _ne(self: Any, other: Any) -> Any:
    return _compared(comparisons.not_equal, self, other, True)


def _compared(function: Callable[..., Any], x: Any, y: Any, otherwise: bool) -> Any:
    """As in TensorFlow, operands whose shapes do not fit are different, as a scalar; in graphs of
    TensorFlow 1 a tensor is equal to itself alone of all tensors."""
    trace = context.trace
    if trace is not None and trace.graph is not None and isinstance(y, Held):
        return (x is y) is not otherwise
    if y is None:
        return otherwise
    if isinstance(y, Composite):
        return NotImplemented  # it says so itself
    try:
        return function(x, y)
    except (errors.InvalidArgumentError, ValueError):
        if isinstance(y, Held | np.ndarray | list | tuple):
            y = convert_to_tensor(y, dtype_hint=x.dtype)
            if y.dtype is x.dtype and not _broadcastable(x.shape, y.shape):
                return convert_to_tensor(otherwise)
        raise


def _broadcastable(a: TensorShape, b: TensorShape) -> bool:
    """Whether shapes can be broadcast together; unknown extents fit."""
    pairs = zip(reversed(a.as_list()), reversed(b.as_list()), strict=False)
    return all(x == y or None in (x, y) or 1 in (x, y) for x, y in pairs)


def _invert(self: Any) -> Any:
    return comparisons.logical_not(self) if self.dtype.is_bool else bits.invert(self)


def _round(self: Any, ndigits: int | None = None) -> Any:
    """The nearest integer, ties to even, or the nearest multiple of 10 ** -ndigits."""
    if not self.dtype.is_inexact:
        return +self
    if ndigits is None:
        return arithmetic.round(self)
    scale = 10.0 ** abs(ndigits)
    if ndigits >= 0:
        return arithmetic.round(self * scale) / scale
    return arithmetic.round(self / scale) * scale


def _transposed(self: Any) -> Any:
    """The transpose of a matrix. Raises ValueError for another rank than 2."""
    if self.ndim != 2:
        raise ValueError(
            f"x.T needs a matrix, got rank {self.ndim}: use x.mT for a stack of matrices, or "
            f"tf.transpose ({user_location()})"
        )
    return shaping.transpose(self)


def _matrix_transposed(self: Any) -> Any:
    """The transpose of the last two axes. Raises ValueError below rank 2."""
    if self.ndim < 2:
        raise ValueError(
            f"x.mT needs a matrix or a stack of them, got rank {self.ndim} ({user_location()})"
        )
    return shaping.transpose(self, [*range(self.ndim - 2), self.ndim - 1, self.ndim - 2])


def install() -> None:
    """Attach the operators to the classes."""
    variable_updates.install()
    for name, method in {
        "T": property(_transposed),
        "mT": property(_matrix_transposed),
        "__round__": _round,
    }.items():
        setattr(Held, name, method)
    for name, function in _BINARY.items():
        setattr(IndexedSlices, f"__{name}__", _densely(_forward(function, f"__r{name}__")))
        setattr(IndexedSlices, f"__r{name}__", _densely(_reflected(function)))
    for cls in (Tensor, Variable):
        for name, function in _BINARY.items():
            setattr(cls, f"__{name}__", _forward(function, f"__r{name}__"))
            setattr(cls, f"__r{name}__", _reflected(function))
        for name, function in ORDER.items():
            setattr(cls, f"__{name}__", _forward(function, f"__{_MIRRORED[name]}__"))
        hashing = cls.__hash__
        for name, method in {
            "__eq__": _eq,
            "__ne__": _ne,
            "__neg__": lambda self: arithmetic.negative(self),
            "__abs__": lambda self: arithmetic.abs(self),
            "__invert__": _invert,
            "__getitem__": slicing.getitem,
        }.items():
            setattr(cls, name, method)
        cls.__hash__ = hashing  # type: ignore[method-assign]
