"""`tfc.compat`: strings across Python versions, and TensorFlow 1's names in `compat.v1`."""

from __future__ import annotations

import numbers as _numbers
import os
from datetime import date as _date
from types import ModuleType as _ModuleType
from typing import Any

import numpy as _np

from ..core.dimension import Dimension as _Dimension


def as_bytes(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> bytes:
    """`bytes_or_text` as bytes; TypeError for what is neither.

    >>> import tfc as tf
    >>> tf.compat.as_bytes("abc")
    b'abc'
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> str:
    """`bytes_or_text` as a string; TypeError for what is neither. Also `as_str`.

    >>> import tfc as tf
    >>> tf.compat.as_text(b"abc")
    'abc'
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: object, encoding: str = "utf-8") -> str:
    """`value` as a string: bytes are decoded, anything else is `str` of it.

    >>> import tfc as tf
    >>> tf.compat.as_str_any(b"abc"), tf.compat.as_str_any(5)
    ('abc', '5')
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: str | os.PathLike[str]) -> Any:
    """A path object as a string; anything else as it is.

    >>> import pathlib
    >>> import tfc as tf
    >>> tf.compat.path_to_str(pathlib.PurePosixPath("a") / "b")
    'a/b'
    """
    return os.fspath(path) if hasattr(path, "__fspath__") else path


def path_to_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path, an object or a string, as bytes.

    >>> import tfc as tf
    >>> tf.compat.path_to_bytes("a/b")
    b'a/b'
    """
    return as_bytes(path_to_str(path))


def dimension_value(dimension: Any) -> int | None:
    """The extent: an int or None already, in TensorFlow 2 as here.

    >>> import tfc as tf
    >>> tf.compat.dimension_value(tf.zeros([2, 3]).shape[1])
    3
    """
    return getattr(dimension, "value", dimension)


def dimension_at_index(shape: Any, index: int) -> Any:
    """The extent of one axis as TensorFlow 1 has it: a Dimension, unknown where the rank is.

    >>> import tfc as tf
    >>> tf.compat.dimension_at_index(tf.zeros([2, 3]).shape, 1)
    Dimension(3)
    """
    return _Dimension(None) if shape.rank is None else shape.dims[index]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether what is written may be read by programs that are newer than that day: True of days
    that are over.

    >>> import tfc as tf
    >>> tf.compat.forward_compatible(2020, 1, 1), tf.compat.forward_compatible(9999, 1, 1)
    (True, False)
    """
    return _date(year, month, day) <= _date.today()


# What isinstance knows texts and numbers by, Python's and NumPy's.
bytes_or_text_types = (bytes, str)
integral_types = (_numbers.Integral, _np.integer)
real_types = (_numbers.Real, _np.integer, _np.floating)
complex_types = (_numbers.Complex, _np.number)


def __getattr__(name: str) -> _ModuleType:
    import importlib

    if name == "v1":
        return importlib.import_module("tfc.compat.v1")
    if name == "v2":
        return importlib.import_module("tfc")
    raise AttributeError(f"module 'tfc.compat' has no attribute {name!r}")


__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "forward_compatible",
    "integral_types",
    "path_to_bytes",
    "path_to_str",
    "real_types",
]
