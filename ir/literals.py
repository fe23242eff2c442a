"""Attributes as text, and back: numbers, strings, tuples, arrays, dtypes, extents and types.

Text may come from anybody (a saved model), so that nothing here evaluates Python's syntax: what is
not written as `shown` writes it, or not of the type that the op's field is annotated with, is a
ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes  # noqa: F401  (makes NumPy know bfloat16 and float8)
import numpy as np

from .dtypes import DType, as_element_type, string
from .extent import Expr, parse_extent
from .types import TensorType, parse_type

# Printing.


def shown(value: Any) -> str:
    """An attribute's text."""
    match value:
        case np.ndarray():
            return _array(value)
        case DType():
            return value.short
        case bool() | int() | float() | Expr():
            return str(value)
        case str():  # what the parser splits at is written as escapes
            return re.sub(r"[][(){},#=]", lambda m: f"\\x{ord(m[0]):02x}", repr(str(value)))
        case tuple():
            inner = ", ".join(map(shown, value))
            return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)  # types


def _array(array: np.ndarray) -> str:
    """`f32 1.5` or `i32[2] 1 2`: shortest decimals that read back to the same bits."""
    dtype = as_element_type(array.dtype)
    dims = "[" + ",".join(map(str, array.shape)) + "]" if array.shape else ""
    return f"{dtype.short}{dims} " + " ".join(number(v, dtype) for v in array.ravel())


def number(value: Any, dtype: DType) -> str:
    if dtype is string:  # what the parser splits at is written as escapes
        text = shown(value.decode("utf-8", "surrogateescape"))
        return text.replace(" ", "\\x20")
    if dtype.is_complex:
        part = dtype.real_dtype
        return f"({number(value.real, part)},{number(value.imag, part)})"
    if not dtype.is_floating:
        return str(value.item())
    wide = float(value)
    if np.isnan(wide):
        return f"0x{value.view(f'u{dtype.itemsize}').item():x}"
    return repr(wide) if dtype.bits == 64 or np.isinf(wide) else _short(value)


def _short(value: Any) -> str:
    return str(value) if value.dtype.itemsize == 4 else repr(float(value))


# Reading.

# As text: `re` keeps what it compiled, and an import needs none of it.
_INTEGER = r"-?[0-9]{1,20}"
_FLOAT = r"-?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?(?:e[+-]?[0-9]{1,4})?|inf)"
_STRING = r"""(?s:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\")"""
_ESCAPE = r"(?s:\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.)))"
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_DEPTH = 24  # of tuples in tuples

# How attributes of further types are read, by the annotation: ops that have some say so.
READERS: dict[str, Callable[[str], Any]] = {}


def read(annotation: str, text: str) -> Any:
    """The attribute of an op whose field has this annotation. Raises ValueError."""
    match annotation:
        case "np.ndarray":
            return _read_array(text)
        case "DType":
            return read_dtype(text)
        case "Extent":
            return parse_extent(text)
        case "Shape":
            return tuple(map(parse_extent, _items(text)))
        case "tuple[Type, ...]":
            return tuple(map(parse_type, _items(text)))
    if annotation in READERS:
        return READERS[annotation](text)
    value = _read_plain(text)
    if annotation == "float" and type(value) is int:
        value = float(value)
    wanted = _PLAIN.get(annotation)
    if wanted is not None and not wanted(value):
        raise ValueError(f"expected {annotation}, got {text[:80]}")
    return value


def _of(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind


def _all_of(kind: type, count: int | None = None) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        whole = type(value) is tuple and all(type(v) is kind for v in value)
        return whole and count in (None, len(value))

    return fits


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "bool": _of(bool),
    "int": _of(int),
    "float": _of(float),
    "str": _of(str),
    "tuple[int, ...]": _all_of(int),
    "tuple[bool, ...]": _all_of(bool),
    "tuple[int, int, int]": _all_of(int, 3),
}


def _read_plain(text: str, depth: int = 0) -> Any:
    """A bool, int, float, string or None, or a tuple of such."""
    if text in ("True", "False"):
        return text == "True"
    if text == "None":
        return None
    if re.fullmatch(_INTEGER, text):
        return _bounded(int(text))
    if text == "nan":
        return float("nan")
    if re.fullmatch(_FLOAT, text):
        return _read_float(text)
    if re.fullmatch(_STRING, text):
        return re.sub(_ESCAPE, _character, text[1:-1])
    if text.startswith("(") and depth < _DEPTH:
        return tuple(_read_plain(part, depth + 1) for part in _items(text))
    raise ValueError(f"not a value: {text[:80]}")


def _bounded(value: int) -> int:
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{value} does not fit 64 bits")
    return value


def _read_float(text: str) -> float:
    value = float(text)
    if np.isinf(value) and not text.endswith("inf"):
        raise ValueError(f"{text[:80]} is out of range")
    return value


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    if code is None:
        if escape[4] not in _ESCAPED:
            raise ValueError(f"no escape: {escape[0]}")
        return _ESCAPED[escape[4]]
    if int(code, 16) > 0x10FFFF:
        raise ValueError(f"no character: {escape[0]}")
    return chr(int(code, 16))


def _items(text: str) -> list[str]:
    """The parts of a tuple."""
    if not (text.startswith("(") and text.endswith(")")):
        raise ValueError(f"expected a tuple, got {text[:80]}")
    return split(text[1:-1])


def parts(text: str, count: int) -> list[str]:
    """The texts of the items of a tuple of so many. Raises ValueError."""
    found = _items(text)
    if len(found) != count:
        raise ValueError(f"expected {count} items, got {text[:80]}")
    return found


def split(text: str) -> list[str]:
    """The parts between commas outside of brackets; behind the last there may be a comma."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def read_dtype(text: str) -> DType:
    """The dtype of a name as types have it."""
    type_ = parse_type(text)
    if type_.shape or not isinstance(type_, TensorType):
        raise ValueError(f"not a dtype: {text[:80]}")
    return type_.dtype


def _read_array(text: str) -> np.ndarray:
    head, *numbers = text.split()
    type_ = parse_type(head)
    if not isinstance(type_, TensorType) or type_.size != len(numbers):
        raise ValueError(f"{len(numbers)} numbers for {head[:80]}")
    dtype = type_.dtype
    part = dtype.real_dtype
    if dtype.is_complex:
        numbers = [n for pair in numbers for n in _pair(pair)]
    values = [_read_number(n, part) for n in numbers]
    array = np.array(values, part.numpy).view(dtype.numpy)
    return array.reshape(type_.shape)  # type: ignore[arg-type]  # the size is a number


def _pair(text: str) -> list[str]:
    parts = _items(text)
    if len(parts) != 2:
        raise ValueError(f"no complex number: {text[:80]}")
    return parts


def _read_number(text: str, dtype: DType) -> Any:
    if dtype is string:
        value = read("str", text)
        try:
            return value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise ValueError(f"no string: {text[:80]}") from None
    if dtype.is_bool:
        if text not in ("True", "False"):
            raise ValueError(f"no bool: {text[:80]}")
        return text == "True"
    if dtype.is_integer:
        if not re.fullmatch(_INTEGER, text) or not dtype.min <= int(text) <= dtype.max:
            raise ValueError(f"no {dtype.name}: {text[:80]}")
        return int(text)
    if re.fullmatch(rf"0x[0-9a-f]{{1,{dtype.itemsize * 2}}}", text):
        return np.array(int(text, 16), f"u{dtype.itemsize}").view(dtype.numpy)[()]
    if not re.fullmatch(_FLOAT, text):
        raise ValueError(f"no {dtype.name}: {text[:80]}")
    with np.errstate(over="ignore"):
        value = np.float32(text) if dtype.bits == 32 else dtype.numpy.type(float(text))
    if np.isinf(value) and not text.endswith("inf"):
        raise ValueError(f"{text[:80]} is out of range for {dtype.name}")
    return value
