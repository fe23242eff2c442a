"""Names of files, as users give them."""

from __future__ import annotations

import glob
import os
from typing import Any

from ..core import blame
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.tensor import StringTensor


def matching(patterns: Any, op: str) -> list[bytes]:
    """The files that patterns match, those of all patterns in the order of their names.

    Raises:
        InvalidArgumentError: If there are none.
    """
    given = texts(patterns, op)
    found = sorted(path for text in given for path in glob.glob(text))
    if not found:
        message = f"No files matched pattern: {', '.join(map(os.fsdecode, given))}"
        raise blame.invalid(message, op)
    return found


def texts(value: Any, op: str) -> list[bytes]:
    """Strings that a user gives, one or several, or paths.

    Raises:
        TypeError: If they are anything else.
    """
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, list | tuple):
        value = [os.fspath(v) if isinstance(v, os.PathLike) else v for v in value]
        if not value:
            return []
    tensor = convert_to_tensor(value)
    if not isinstance(tensor, StringTensor):
        raise blame.type_error(f"names of files are strings, got {shown(value)}", op)
    found: list[bytes] = tensor._array.reshape(-1).tolist()
    return found


__all__ = ["matching", "texts"]
