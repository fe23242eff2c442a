"""`tfc.compat`: strings across Python versions, and TensorFlow 1's names in `compat.v1`."""

from __future__ import annotations

import os
from types import ModuleType as _ModuleType
from typing import Any


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
    """The extent of one axis; None where not even the rank is known.

    >>> import tfc as tf
    >>> tf.compat.dimension_at_index(tf.zeros([2, 3]).shape, 1)
    3
    """
    return None if shape.rank is None else shape[index]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether programs of that day are read: True, there are none of another.

    >>> import tfc as tf
    >>> tf.compat.forward_compatible(2020, 1, 1)
    True
    """
    return True


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
    "dimension_at_index",
    "dimension_value",
    "forward_compatible",
    "path_to_bytes",
    "path_to_str",
]
