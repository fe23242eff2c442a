"""Plain Python arguments of functions: numbers, choices; a clear error where they are others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, named_dtype

from ..core import blame
from ..core.formatting import shown
from ..core.tensor import Held, SymbolicTensor
from ..dispatch.known import known_elements


def number(value: Any, what: str, op: str) -> float:
    """A real number, or a tensor or array of one."""
    if isinstance(value, SymbolicTensor):
        value = known_argument(value, what, op)
    if isinstance(value, Held):
        value = np.asarray(value)
    plain = isinstance(value, int | float | np.number | np.ndarray)
    if not plain or np.ndim(value) or np.asarray(value).dtype.kind not in "biuf":
        raise blame.type_error(f"{what} must be a number, got {shown(value)}", op)
    return value.item() if isinstance(value, np.generic | np.ndarray) else value


def whole_number(value: Any, what: str, op: str) -> int:
    """A number that is an integer, whatever its type is."""
    found = number(value, what, op)
    if not is_whole(found):
        raise blame.value_error(f"{what} must be an integer, got {shown(value)}", op)
    return int(found)


def is_whole(x: float) -> bool:
    """Whether a number is an integer: infinity and nan, of which `int` makes none, are not."""
    return isinstance(x, int) or x.is_integer()


def summarized(summarize: Any, op: str) -> int:
    """How many elements of a tensor a text shows: 3 by default, all where it is negative."""
    count = 3 if summarize is None else whole_number(summarize, "summarize", op)
    return count if count >= 0 else 2**62


def known_argument(value: SymbolicTensor, what: str, op: str) -> np.ndarray:
    """The elements of a tensor that a function computes from numbers alone."""
    known = known_elements(value)
    if known is None:
        raise blame.unknown_value(
            f"{what} must be known while a function is traced, and this tensor is computed from "
            "its arguments: give Python numbers, or make it from numbers alone",
            op,
            value,
        )
    return known


def flag(value: Any, what: str, op: str) -> bool:
    """What Python takes for true or false: no array of several elements."""
    try:
        return bool(value)
    except ValueError:
        raise blame.type_error(f"{what} must be True or False, got {shown(value)}", op) from None


def one_of(value: Any, choices: Collection[Any]) -> bool:
    """Whether a value is one of some words and numbers; arrays and lists are none."""
    plain = value is None or isinstance(value, str | int | float | np.number)
    return plain and value in choices


def choice(value: Any, choices: Collection[str], what: str, op: str) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        words = " or ".join(map(repr, choices))
        raise blame.value_error(f"{what} must be {words}, not {shown(value)}", op)
    return value


def attribute(value: Any, choices: Collection[str], what: str, op: str) -> str:
    """One of the words that an attribute of an op may have, in TensorFlow's sense."""
    given = value.decode(errors="replace") if isinstance(value, bytes) else value
    if not isinstance(given, str) or given not in choices:
        words = ", ".join(f'"{c}"' for c in choices)
        said = f"Value for attr '{what}' of \"{given}\" is not in the list of allowed values"
        raise blame.invalid(f"{said}: {words}", op)
    return given


def numbers(value: Any, what: str, op: str) -> list[Any]:
    """The numbers of an array, a sequence, or a tensor that is known, as a list."""
    if isinstance(value, SymbolicTensor):
        value = known_argument(value, what, op)
    elif isinstance(value, list | tuple) and any(isinstance(v, SymbolicTensor) for v in value):
        value = [known_argument(v, what, op) if isinstance(v, SymbolicTensor) else v for v in value]
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, NotImplementedError):
        raise blame.type_error(f"{what} must be numbers, got {shown(value)}", op) from None
    if array.dtype.kind not in "biuf":
        raise blame.type_error(f"{what} must be numbers, got {shown(value)}", op)
    found: list[Any] = array.reshape(-1).tolist()
    return found


def dtype_of(dtype: Any, op: str) -> DType:
    """`dtype` as a DType; what is none is a TypeError that names the op."""
    found = named_dtype(dtype)
    if isinstance(found, str):
        raise blame.type_error(found, op)
    return found
