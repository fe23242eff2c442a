"""The message of a tensor, as TensorFlow's tensor.proto, tensor_shape.proto and types.proto say."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tfc.ir.dtypes import as_dtype, string

from .message import Field, Message


class Dim(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"size": Field(1, "int64"), "name": Field(2, "string")}


class TensorShapeProto(Message):
    """Extents, of which -1 is an unknown one."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "dim": Field(2, Dim, repeated=True),
        "unknown_rank": Field(3, "bool"),
    }


class TensorProto(Message):
    """A dtype, a shape, and the elements: as bytes, or as a list of one kind of numbers."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "dtype": Field(1, "int32"),
        "tensor_shape": Field(2, TensorShapeProto),
        "version_number": Field(3, "int32"),
        "tensor_content": Field(4, "bytes"),
        "float_val": Field(5, "float", repeated=True),
        "double_val": Field(6, "double", repeated=True),
        "int_val": Field(7, "int32", repeated=True),
        "string_val": Field(8, "bytes", repeated=True),
        "scomplex_val": Field(9, "float", repeated=True),
        "int64_val": Field(10, "int64", repeated=True),
        "bool_val": Field(11, "bool", repeated=True),
        "dcomplex_val": Field(12, "double", repeated=True),
        "half_val": Field(13, "int32", repeated=True),
        "uint32_val": Field(16, "uint32", repeated=True),
        "uint64_val": Field(17, "uint64", repeated=True),
    }


def proto_of(array: np.ndarray) -> TensorProto:
    """The message of an array; one of objects holds strings as bytes."""
    is_text = array.dtype == object
    dtype = string if is_text else as_dtype(array.dtype)
    message = TensorProto(
        dtype=dtype.as_datatype_enum, tensor_shape={"dim": [{"size": n} for n in array.shape]}
    )
    if is_text:
        message.string_val.extend(array.reshape(-1).tolist())
    elif array.size:
        message.tensor_content = np.ascontiguousarray(array).tobytes()
    return message
