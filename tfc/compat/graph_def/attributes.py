"""Attributes of nodes as Python's values."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf
from tfc.core import blame
from tfc.core.context import user_location
from tfc.core.errors import DataLossError, OpError
from tfc.ir.dtypes import DType, as_dtype, string
from tfc.records.graph import AttrValue
from tfc.records.tensor import TensorProto, TensorShapeProto

_REFERENCE = 100  # is added to the dtypes of TensorFlow 1's Variables
_LARGEST = 1 << 31  # bytes of a message, and so of a tensor in one
OP = "import_graph_def"
RESOURCE, VARIANT = 20, 21  # dtypes that are no tensors' here


def damaged(why: str) -> DataLossError:
    return DataLossError(f"the graph is damaged: {why}", op=OP, location=user_location())


def unimplemented(why: str) -> Exception:
    return blame.unimplemented(why, OP)


def dtype_of(number: int) -> DType:
    """The dtype of a number of TensorFlow's.

    Raises:
        UnimplementedError: If tfc has none.
    """
    number = number - _REFERENCE if number > _REFERENCE else number
    if number == string.as_datatype_enum:
        return string
    try:
        return as_dtype(number)
    except (TypeError, ValueError, KeyError):
        raise unimplemented(
            f"the graph has a tensor of the dtype number {number}, which tfc lacks"
        ) from None


def shape_of(message: TensorShapeProto) -> Any:
    """The shape that a message says."""
    if message.unknown_rank:
        return tf.TensorShape(None)
    sizes = [dim.size for dim in message.dim]
    if any(size < -1 for size in sizes):
        raise damaged(f"no shape: {sizes}")
    return tf.TensorShape([None if size < 0 else size for size in sizes])


def tensor_of(message: TensorProto) -> Any:
    """The tensor that a message holds."""
    dtype = dtype_of(message.dtype)
    size = 1 if dtype is string else dtype.itemsize
    for dim in message.tensor_shape.dim:
        size *= dim.size
    if message.tensor_shape.unknown_rank or not 0 <= size <= _LARGEST:
        raise damaged("a constant is larger than a file can be")
    if any(dim.size < 0 for dim in message.tensor_shape.dim):
        raise damaged("a constant has no shape")
    try:
        array = tf.make_ndarray(message)
    except (OpError, ValueError, TypeError, LookupError, OverflowError) as error:
        raise damaged(f"a constant: {error}") from None
    if dtype.is_bool and array.size and array.view(np.uint8).max() > 1:
        raise damaged("a constant has bools that are none")
    return tf.constant(array, dtype)


def value_of(attribute: AttrValue) -> Any:
    """The value of an attribute: names of functions are strings, and so are texts."""
    kind = attribute.WhichOneof("value")
    if kind is None:
        return None
    found = getattr(attribute, kind)
    match kind:
        case "type":
            return None if found in (RESOURCE, VARIANT) else dtype_of(found)
        case "shape":
            return shape_of(found)
        case "tensor":
            return tensor_of(found)
        case "s":
            return _text(found)
        case "func":
            return found.name
        case "list":
            return _list(found)
    return found


def _text(data: bytes) -> Any:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _list(message: Any) -> list[Any]:
    made: dict[str, Any] = {"s": _text, "type": dtype_of, "shape": shape_of, "tensor": tensor_of}
    for name, values in message.ListFields():
        if name == "func":
            return [value.name for value in values]
        return [made[name](value) if name in made else value for value in values]
    return []


__all__ = [
    "RESOURCE",
    "VARIANT",
    "damaged",
    "dtype_of",
    "shape_of",
    "tensor_of",
    "unimplemented",
    "value_of",
]
