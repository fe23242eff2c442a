"""Fingerprints: a number for what a dataset is made of, the same in each process.

A plan is told by its class and by what it was made of: other plans, numbers, the bytes of tensors,
functions. A function is told by its code, its defaults, and the values that it takes from around
it. What cannot be told (Variables, objects of the user's) stands for itself alone, so that datasets
whose elements differ never have one fingerprint.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import hashlib
import os
import types
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType

from ..core import nest
from ..core.shapes import TensorShape
from ..core.tensor import SymbolicTensor, Tensor
from ..core.type_specs import TypeSpec
from .elements import Chunk, ElementSpec
from .functions import ElementFunction
from .options import Options
from .plan import Plan
from .plans.grouping import Reducer
from .plans.saving import Manifest

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))
_LIBRARY = "tfc."  # its functions are told by their names


def fingerprint_of(plan: Plan) -> int:
    """The fingerprint of a plan: 64 bits."""
    teller = _Teller()
    teller.tell(plan)
    return int.from_bytes(teller.digest()[:8], "little")


class _Teller:
    """Writes what something is made of into a hash. What comes again is a number, so that circles
    end."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no identity is used twice

    def digest(self) -> bytes:
        """The hash."""
        return self._hash.digest()

    def tell(self, value: Any) -> None:
        """Write a value."""
        if type(value) in _PLAIN:
            self._text(type(value).__name__, repr(value))
            return
        number = self._seen.setdefault(id(value), len(self._seen))
        if number < len(self._kept):
            self._text("again", str(number))
            return
        self._kept.append(value)
        self._object(value)

    def _text(self, kind: str, text: str) -> None:
        self._bytes(kind, text.encode("utf-8", "surrogateescape"))

    def _bytes(self, kind: str, data: bytes | memoryview) -> None:
        self._hash.update(f"{kind} {len(data)}:".encode())
        self._hash.update(data)

    def _all(self, kind: str, values: Iterable[Any]) -> None:
        found = list(values)
        self._text(kind, str(len(found)))
        for value in found:
            self.tell(value)

    def _object(self, value: Any) -> None:
        match value:
            case Plan():
                self._all(f"plan {type(value).__qualname__}", value.made_of)
            case ElementFunction():
                self._text("function", f"{type(value).__qualname__} {value.input}")
                self.tell(value.python)
            case Reducer() | Options() | Manifest():
                self._all(type(value).__qualname__, sorted(vars(value).items()))
            case Chunk():
                self._all("chunk", value.elements())
            case ElementSpec() | TypeSpec() | DType() | TensorShape() | nest.Structure():
                self._text("spec", f"{type(value).__qualname__} {value}")
            case np.ndarray() | np.generic():
                self._array(np.asarray(value))
            case Tensor() if not isinstance(value, SymbolicTensor):
                self._array(value._array)
            case list() | tuple():
                self._all(f"{type(value).__qualname__}", value)
            case dict():
                self._all("dict", value.items())
            case set() | frozenset():
                self._all("set", sorted(value, key=repr))
            case np.dtype():
                self._text("dtype", value.str)
            case _:
                self._other(value)

    def _array(self, array: np.ndarray) -> None:
        self._text("array", f"{array.dtype.str} {array.shape}")
        if array.dtype.hasobject:
            self._all("strings", array.reshape(-1).tolist())
        else:
            self._bytes("bytes", np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)

    def _other(self, value: Any) -> None:
        """Functions, modules, classes; else it stands for itself."""
        match value:
            case types.FunctionType():
                self._function(value)
            case types.MethodType():
                self._all("method", (value.__func__, value.__self__))
            case functools.partial():
                self._all("partial", (value.func, value.args, value.keywords))
            case types.ModuleType():
                self._text("module", value.__name__)
            case type() if not value.__module__.startswith("__main__"):
                self._text("class", f"{value.__module__}.{value.__qualname__}")
            case types.BuiltinFunctionType() | np.ufunc():
                self._text("builtin", f"{getattr(value, '__module__', '')}.{value.__name__}")
                self.tell(getattr(value, "__self__", None))
            case types.CodeType():
                self._code(value)
            case _:
                parts = _composite(value)
                if parts is None:
                    self._text("object", _token(value))
                else:
                    self._all(f"composite {type(value).__qualname__}", parts)

    def _function(self, function: types.FunctionType) -> None:
        self._all("defaults", (function.__defaults__, function.__kwdefaults__))
        self._all("closure", [_contents(cell) for cell in function.__closure__ or ()])
        if (function.__module__ or "").startswith(_LIBRARY):
            self._text("library", f"{function.__module__}.{function.__qualname__}")
            return
        self._code(function.__code__)
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                self.tell(function.__globals__[name])
            elif not hasattr(builtins, name):
                self._text("attribute", name)

    def _code(self, code: types.CodeType) -> None:
        self._bytes("code", code.co_code)
        self._all("names", (*code.co_names, "|", *code.co_varnames))
        self._all("constants", code.co_consts)


def _names(code: types.CodeType) -> set[str]:
    """The names that code looks up, that of functions in it too."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not yet filled
        return None


def _composite(value: Any) -> list[Any] | None:
    """The tensors of a ragged or sparse one; None for others."""
    if not isinstance(getattr(value, "_type_spec", None), TypeSpec):
        return None
    leaves, _ = nest.decompose_composites(value)
    return None if any(leaf is value for leaf in leaves) else leaves


_tokens: dict[int, tuple[Any, str]] = {}  # by identity: Variables are not hashable


def _token(value: Any) -> str:
    """A name for an object that no other one has, nor has had."""
    known = _tokens.get(id(value))
    if known is not None and known[0]() is value:
        return known[1]
    name, identity = os.urandom(16).hex(), id(value)
    with contextlib.suppress(TypeError):  # what has no references has another name each time
        _tokens[identity] = weakref.ref(value, lambda _: _tokens.pop(identity, None)), name
    return name


__all__ = ["fingerprint_of"]
