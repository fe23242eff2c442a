"""Tensors as bytes: `tf.io.serialize_tensor`, `parse_tensor`, `decode_raw`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, named_dtype, names_string, string

from ...core import above, blame
from ...core.errors import DataLossError
from ...core.tensor import SymbolicTensor, Tensor, strings, wrap
from ...core.types import DTypeLike, TensorLike
from ...records.tensor import TensorProto, proto_of
from ..arguments import dtype_of, whole_number
from ..on_host import Call, Shape, on_host, scalar
from ..strings.text import known, text

# Where elements stand that are not bytes, by the dtype's number in types.proto.
_LISTS = {
    **dict.fromkeys((1,), "float_val"),
    **dict.fromkeys((2,), "double_val"),
    **dict.fromkeys((3, 4, 5, 6, 17), "int_val"),
    **dict.fromkeys((7,), "string_val"),
    **dict.fromkeys((8,), "scomplex_val"),
    **dict.fromkeys((9,), "int64_val"),
    **dict.fromkeys((10,), "bool_val"),
    **dict.fromkeys((14, 19, 24, 25), "half_val"),
    **dict.fromkeys((18,), "dcomplex_val"),
    **dict.fromkeys((22,), "uint32_val"),
    **dict.fromkeys((23,), "uint64_val"),
}


@on_host("io.serialize_tensor", scalar)
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """A tensor as a string, which `parse_tensor` reads, here and in TensorFlow.

    Args:
        tensor: Of any dtype and shape.

    Returns:
        A scalar string: the bytes of a `TensorProto`.

    Raises:

    >>> import tfc as tf
    >>> data = tf.io.serialize_tensor(tf.constant([1, 2]))
    >>> print(tf.io.parse_tensor(data, tf.int32))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    array = known("io.serialize_tensor", tensor)
    found = np.empty((), object)
    found[()] = proto_of(array).SerializeToString()
    return strings(found)


def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Any:
    """The tensor that a serialised `TensorProto` stands for.

    Args:
        serialized: A scalar string.
        out_type: The tensor's dtype.

    Returns:
        The tensor. In functions nothing is known of its shape but what `set_shape` or
        `ensure_shape` say; where nobody says its rank, the first call of the function learns it,
        as with `tf.py_function`.

    Raises:
        InvalidArgumentError: If it is no such message, or of another dtype.
        ValueError: If `serialized` is no scalar.

    >>> import tfc as tf
    >>> print(tf.io.parse_tensor(tf.io.serialize_tensor(["a", "b"]), tf.string))
    tf.Tensor([b'a' b'b'], shape=(2,), dtype=string)
    """
    dtype = string if names_string(out_type) else dtype_of(out_type, _PARSE)
    if isinstance(serialized, SymbolicTensor):
        if serialized.dtype is not string:
            raise blame.type_error(f"serialized is a string, not {serialized.dtype}", _PARSE)
        if serialized.shape.rank != 0:
            raise blame.value_error(
                f"Expected `serialized` to be a scalar, got shape: {serialized.shape}", _PARSE
            )
        return above.numpy_function(partial(_array, dtype=dtype), [serialized], dtype)
    given = text(_PARSE, serialized)
    if given.ndim:
        said = "Expected `serialized` to be a scalar, got shape"
        raise blame.invalid_data(f"{said}: {list(given.shape)}", _PARSE)
    return wrap(_array(given, dtype))


_PARSE = "io.parse_tensor"


def _array(serialized: np.ndarray, dtype: DType) -> np.ndarray:
    """The tensor that a message is."""
    op, data = _PARSE, np.asarray(serialized, object).item()
    try:
        message = TensorProto.FromString(data)
    except DataLossError as error:
        raise blame.invalid_data(
            f"Could not parse `serialized` as TensorProto: {error.message}", op
        ) from None
    if message.dtype != dtype.as_datatype_enum:
        given = named_dtype(message.dtype)
        own = given.name if isinstance(given, DType) else f"dtype number {message.dtype}"
        says = f"Type mismatch between parsed tensor ({own}) and dtype ({dtype.name})"
        raise blame.invalid_data(says, op)
    shape = tuple(d.size for d in message.tensor_shape.dim)
    if any(n < 0 for n in shape) or message.tensor_shape.unknown_rank:
        raise blame.invalid_data(f"a tensor of the shape {shape}", op)
    return elements_of(message, dtype, shape, op)


def elements_of(message: TensorProto, dtype: DType, shape: tuple[int, ...], op: str) -> np.ndarray:
    """The array of a message of this dtype and shape."""
    size = math.prod(shape)
    content, items = message.tensor_content, getattr(message, _LISTS[message.dtype])._items
    if content:
        wide = np.dtype(dtype.numpy).itemsize if dtype is not string else 0
        if len(content) != size * wide:
            says = f"{len(content)} bytes are no {dtype.name} of the shape {shape}"
            raise blame.invalid_data(says, op)
        return np.frombuffer(content, dtype.numpy).reshape(shape).copy()
    if dtype.is_complex:
        items = [complex(*pair) for pair in zip(items[::2], items[1::2], strict=True)]
    # The last element stands for all behind it, and nothing for zeros.
    if len(items) > size:
        says = f"{len(items)} elements are more than the shape {shape} has"
        raise blame.invalid_data(says, op)
    if size > 1 << 32 and size > 1000 * max(len(items), 1):
        raise blame.invalid_data(f"{len(items)} elements stand for {size}", op)
    if dtype is string:
        found = np.empty(size, object)
        found[:] = items + [items[-1] if items else b""] * (size - len(items))
        return found.reshape(shape)
    if _LISTS[message.dtype] == "half_val":  # the bits of each
        words = np.array(items, np.int64).astype(f"u{np.dtype(dtype.numpy).itemsize}")
        array = words.view(dtype.numpy)
    else:
        wide_enough = np.uint64 if dtype.name == "uint64" else None
        array = np.array(items, wide_enough).astype(dtype.numpy)
    last = array[-1] if len(array) else np.zeros((), dtype.numpy)
    rest = np.full(size - len(array), last, dtype.numpy)
    return np.concatenate([array.astype(dtype.numpy), rest]).reshape(shape)


def _rows(call: Call) -> Sequence[Shape | None]:
    """As many numbers a string as only the strings tell, where `fixed_length` does not."""
    length, given = call.arguments["fixed_length"], call.arguments["out_type"]
    count = None if length is None else length // as_dtype(given).itemsize
    return ((*call.operands[0].shape, count),)


@on_host("io.decode_raw", _rows)
def decode_raw(
    input_bytes: TensorLike,
    out_type: DTypeLike,
    little_endian: bool = True,
    fixed_length: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The numbers whose bytes strings are.

    Args:
        input_bytes: Strings of any shape, all of one length where `fixed_length` is not given.
        out_type: The dtype of the numbers.
        little_endian: Whether the lowest byte comes first.
        fixed_length: To how many bytes each string is cut, or filled up with zeros.

    Returns:
        A tensor of the shape of `input_bytes` and one dimension more.

    Raises:
        InvalidArgumentError: If lengths differ, or numbers do not fill a string.

    >>> import tfc as tf
    >>> print(tf.io.decode_raw([bytes([1, 0, 2, 0]), bytes([3, 0, 4, 0])], tf.int16))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int16)
    """
    op = "io.decode_raw"
    if names_string(out_type):
        raise blame.type_error("out_type is a dtype of numbers, not string", op)
    dtype, given = dtype_of(out_type, op), text(op, input_bytes)
    items = given.reshape(-1).tolist()
    if fixed_length is not None:
        fixed_length = whole_number(fixed_length, "fixed_length", op)
        if fixed_length >= 2**31:
            raise blame.invalid_data(f"fixed_length is too large, got {fixed_length}", op)
        if fixed_length < 1:
            says = f"fixed_length ({fixed_length}) must be greater than zero"
            raise blame.invalid_data(says, op)
        items = [item[:fixed_length].ljust(fixed_length, b"\0") for item in items]
    lengths = {len(item) for item in items} or {fixed_length or 0}
    if len(lengths) > 1:
        at = next(i for i, item in enumerate(items) if len(item) != len(items[0]))
        says = "DecodeRaw requires input strings to all be the same size, but element"
        sizes = f"{at} has size {len(items[at])} != {len(items[0])}"
        raise blame.invalid_data(f"{says} {sizes}: give fixed_length", op)
    (length,) = lengths
    wide = np.dtype(dtype.numpy).itemsize
    if length % wide:
        says = f"Input to DecodeRaw has length {length} that is not a multiple of {wide}"
        if fixed_length is not None:
            says = f"fixed_length ({length}) must be a multiple of the size of out_type ({wide})"
        raise blame.invalid_data(f"{says}, the size of {dtype.name}", op)
    array = np.frombuffer(b"".join(items), dtype.numpy).copy()
    if not little_endian:
        part = array.dtype.type(0).real.dtype.itemsize if dtype.is_complex else wide
        swapped = array.view(np.uint8).reshape(-1, part)[:, ::-1]
        array = np.ascontiguousarray(swapped).reshape(-1).view(dtype.numpy)
    return wrap(array.reshape(*given.shape, length // wide))
