"""Python's operators on ragged tensors, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import errors
from ..math import arithmetic, bits, comparisons
from ..math.python_operators import BINARY, ORDER
from . import indexing
from .broadcasting import elementwise
from .reductions import on_values
from .tensor import RaggedTensor


def _lifted(function: Callable[..., Any], swapped: bool = False) -> Callable[..., Any]:
    title = function.__name__

    def operator(self: Any, other: Any) -> Any:
        return elementwise(function, (other, self) if swapped else (self, other), title)

    return operator


def _compared(function: Callable[..., Any], otherwise: bool) -> Callable[..., Any]:
    """As in TensorFlow, what does not fit is different."""

    def operator(self: Any, other: Any) -> Any:
        if other is None:
            return otherwise
        try:
            return elementwise(function, (self, other), function.__name__)
        except (errors.InvalidArgumentError, ValueError, TypeError):
            return otherwise

    return operator


def install() -> None:
    """Attach the operators to the class."""
    for name, function in BINARY.items():
        setattr(RaggedTensor, f"__{name}__", _lifted(function))
        setattr(RaggedTensor, f"__r{name}__", _lifted(function, swapped=True))
    for name, function in ORDER.items():
        setattr(RaggedTensor, f"__{name}__", _lifted(function))
    for name, method in {
        "__eq__": _compared(comparisons.equal, False),
        "__ne__": _compared(comparisons.not_equal, True),
        "__neg__": lambda self: on_values(arithmetic.negative, self),
        "__abs__": lambda self: on_values(arithmetic.abs, self),
        "__invert__": lambda self: on_values(_invert, self),
        "__getitem__": indexing.getitem,
        "__hash__": _hashed,
    }.items():
        setattr(RaggedTensor, name, method)


def _hashed(self: Any) -> int:
    """Of graphs, whose tensors are keys of what is fed."""
    trace = getattr(self.row_splits, "_trace", None)
    if trace is not None and trace.graph is not None:
        return id(self)
    raise TypeError("RaggedTensor is unhashable: of two, == gives the elements that are equal.")


def _invert(x: Any) -> Any:
    return comparisons.logical_not(x) if x.dtype.is_bool else bits.invert(x)
