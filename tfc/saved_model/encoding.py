"""Values and structures as JSON: what arguments and results of saved functions look like."""

from __future__ import annotations

import base64
import hashlib
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tfc.ir.dtypes import ALL, DType, as_dtype, string

from ..core import errors
from ..core.formatting import shown
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..ops.ragged.specs import Parts as RaggedParts
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.specs import Parts as SparseParts
from ..ops.sparse.tensor import SparseTensor

FORMAT = "tfc saved model"
VERSION = 3  # of the folder's contents; a reader takes its own and all before
MANIFEST = "saved_model.json"
ARRAYS = "variables.npz"
DEFAULT_SIGNATURE = "serving_default"


class Slot(NamedTuple):
    """The place of a tensor among arguments or results."""

    number: int


class VariableSlot(NamedTuple):
    """A Variable of the model among arguments."""

    number: int


def encode(value: Any, what: str) -> Any:
    """A structure of slots and Python values as JSON. `what` says in errors what it is."""
    match value:
        case Slot(number):
            return {"tensor": number}
        case VariableSlot(number):
            return {"variable": number}
        case None | bool() | str():
            return {"value": value}
        case int() if type(value) is int:
            return {"value": value}
        case float() if type(value) is float:
            return {"float": value.hex()}
        case complex():
            return {"complex": [value.real.hex(), value.imag.hex()]}
        case bytes():
            return {"bytes": base64.b64encode(value).decode()}
        case DType():
            return {"dtype": value.name}
        case TensorShape():
            return {"shape": _dims(value)}
        case TensorSpec():
            return {"spec": [_dims(value.shape), value.dtype.name]}
        case RaggedTensor() | SparseTensor():
            parts = value._parts()
            kind = "ragged" if isinstance(value, RaggedTensor) else "sparse"
            static = None if parts.static is None else list(parts.static)
            return {kind: [[encode(v, what) for v in parts], static]}
        case tuple() if hasattr(value, "_fields"):
            fields = [encode(v, what) for v in value]
            return {"namedtuple": [type(value).__name__, list(value._fields), fields]}
        case tuple():
            return {"tuple": [encode(v, what) for v in value]}
        case list():
            return {"list": [encode(v, what) for v in value]}
        case dict():
            return {"dict": [[encode(k, what), encode(v, what)] for k, v in value.items()]}
    raise errors.UnimplementedError(
        f"{what} has {shown(value)}, a {type(value).__name__}, which cannot be saved as data",
        op="saved_model.save",
    )


def decode(data: Any, slot: Callable[[int], Any], variable: Callable[[int], Any]) -> Any:
    """The value again, with what `slot` and `variable` give for tensors and Variables. Raises
    ValueError, and what malformed data leads to: KeyError, TypeError, AttributeError."""
    ((kind, value),) = data.items()

    def inner(x: Any) -> Any:
        return decode(x, slot, variable)

    match kind:
        case "tensor":
            return slot(value)
        case "variable":
            return variable(value)
        case "value" if value is None or type(value) in (bool, int, str):
            return value
        case "float":
            return float.fromhex(value)
        case "complex":
            real, imaginary = value
            return complex(float.fromhex(real), float.fromhex(imaginary))
        case "bytes":
            return base64.b64decode(value, validate=True)
        case "dtype":
            return _DTYPES[value]
        case "shape":
            return TensorShape(_checked_dims(value))
        case "spec":
            dims, dtype = value
            return TensorSpec(_checked_dims(dims), _DTYPES[dtype])
        case "namedtuple":
            name, fields, values = value
            return _namedtuple(name, tuple(fields))(*map(inner, values))
        case "ragged" | "sparse":
            parts, static = value
            return _composite(kind, list(map(inner, parts)), _checked_dims(static))
        case "tuple":
            return tuple(map(inner, value))
        case "list":
            return list(map(inner, value))
        case "dict":
            return {inner(k): inner(v) for k, v in value}
    raise ValueError(f"no kind of value: {kind!r}")


def _composite(kind: str, parts: list[Any], static: list[int | None] | None) -> Any:
    """A ragged or sparse tensor of its tensors, or of what stands for them."""
    if kind == "sparse":
        if len(parts) != 3:
            raise ValueError(f"a sparse tensor has 3 parts, not {len(parts)}")
        make: Any = SparseParts.make
    else:
        if len(parts) < 2 or (static is not None and len(static) != len(parts) - 1):
            raise ValueError(f"no ragged tensor: {len(parts)} parts, lengths {static}")
        make = RaggedParts.make
    return make(*parts) if static is None else make(*parts, static=tuple(static))


_DTYPES = {dtype.name: dtype for dtype in (*ALL, string)}


def _checked_dims(dims: Any) -> Any:
    """Sizes as a list, None where one is unknown; None for any rank."""
    if dims is not None and not (
        type(dims) is list and all(n is None or (type(n) is int and 0 <= n < 1 << 63) for n in dims)
    ):
        raise ValueError(f"no shape: {shown(dims)}")
    return dims


def _dims(shape: TensorShape) -> Any:
    return None if shape.rank is None else shape.as_list()


@cache
def _namedtuple(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields)


def pack_arrays(arrays: Mapping[str, np.ndarray]) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays as NumPy's files have them, and what they are: dtypes that NumPy has not are stored
    as integers of their size, strings as their lengths and then all their bytes."""
    stored: dict[str, np.ndarray] = {}
    kinds: dict[str, Any] = {}
    for name, array in arrays.items():
        if array.dtype.hasobject:
            items = array.reshape(-1).tolist()
            data = np.array([*map(len, items)], "<i8").tobytes() + b"".join(items)
            stored[name] = np.frombuffer(data, np.uint8)
            kinds[name] = [string.name, list(array.shape), len(data)]
            continue
        dtype = as_dtype(array.dtype)
        native = np.dtype(array.dtype).kind in "biufc" and array.dtype.isbuiltin == 1
        stored[name] = array if native else array.view(f"u{array.dtype.itemsize}")
        kinds[name] = [dtype.name, list(array.shape)]
    return stored, kinds


def unpacked_strings(data: np.ndarray, shape: list[int]) -> np.ndarray:
    """Strings that `pack_arrays` has packed. Raises ValueError where they are none."""
    count = 1
    for n in shape:
        count *= n
    if 8 * count > len(data):
        raise ValueError(f"{len(data)} bytes do not hold {count} strings")
    lengths = data[: 8 * count].view("<i8")
    if (lengths < 0).any() or (lengths > len(data)).any() or lengths.sum() != len(data) - 8 * count:
        raise ValueError("the lengths of strings are not those of their bytes")
    text, at = data[8 * count :].tobytes(), 0
    found = np.empty(count, object)
    for i, length in enumerate(lengths.tolist()):
        found[i] = text[at : at + length]
        at += length
    return found.reshape(shape)


def checksum(data: bytes) -> str:
    """What tells whether a file is as it was written."""
    return hashlib.sha256(data).hexdigest()
