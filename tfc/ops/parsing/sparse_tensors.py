"""Sparse tensors as strings, and tensors as messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, int64, names_string, string

from ...core import blame
from ...core.conversion import convert_to_tensor, operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...records.tensor import TensorProto, proto_of
from ..arguments import dtype_of
from ..array.joining import concat, stack
from ..array.shaping import reshape
from ..sparse.tensor import SparseTensor, sparse_operand
from ..strings.text import known
from .tensors import elements_of, parse_tensor, serialize_tensor


def _only_strings(out_type: Any, op: str) -> None:
    if not names_string(out_type):
        dtype_of(out_type, op)  # what is none is said as everywhere
        raise blame.unimplemented("there is no dtype of variants: out_type must be string", op)


def serialize_sparse(
    sp_input: SparseTensor, out_type: DTypeLike = string, name: str | None = None
) -> Tensor:
    """A sparse tensor as three strings, of which each is a serialised tensor.

    Args:
        sp_input: A SparseTensor.
        out_type: string alone.

    Returns:
        A vector of three strings: the places, the values and the shape.

    Raises:
        TypeError: If `sp_input` is not sparse.
        UnimplementedError: If `out_type` is another one.

    >>> import tfc as tf
    >>> tf.io.serialize_sparse(tf.sparse.from_dense([0, 3])).shape
    TensorShape([3])
    """
    op = "io.serialize_sparse"
    _only_strings(out_type, op)
    sp = sparse_operand(op, sp_input)
    return stack([serialize_tensor(part) for part in (sp.indices, sp.values, sp.dense_shape)])


def serialize_many_sparse(
    sp_input: SparseTensor, out_type: DTypeLike = string, name: str | None = None
) -> Tensor:
    """The rows of a sparse tensor, each as three strings.

    Args:
        sp_input: A SparseTensor of two axes at least, eagerly.
        out_type: string alone.

    Returns:
        A tensor of strings [rows, 3]: the places, values and shape of each.

    Raises:
        TypeError: If `sp_input` is not sparse.
        InvalidArgumentError: If it has one axis alone.
        UnimplementedError: If `out_type` is another one.

    >>> import tfc as tf
    >>> tf.io.serialize_many_sparse(tf.sparse.eye(4)).shape
    TensorShape([4, 3])
    """
    op = "io.serialize_many_sparse"
    _only_strings(out_type, op)
    sp = sparse_operand(op, sp_input)
    places, shape = known(op, sp.indices), known(op, sp.dense_shape)
    if len(shape) < 2:
        raise blame.invalid(f"needs two axes at least, got shape {shape.tolist()}", op)
    values = known(op, sp.values)
    rest = convert_to_tensor(shape[1:])
    rows = []
    for row in range(int(shape[0])):
        at = places[:, 0] == row
        own = convert_to_tensor(values[at], sp.dtype)
        rows.append(serialize_sparse(SparseTensor(places[at][:, 1:], own, rest)))
    return stack(rows)


def deserialize_many_sparse(
    serialized_sparse: TensorLike,
    dtype: DTypeLike,
    rank: int | None = None,
    name: str | None = None,
) -> SparseTensor:
    """The sparse tensor whose rows were serialised.

    Args:
        serialized_sparse: A tensor of strings [rows, 3], eagerly.
        dtype: The dtype of the values.
        rank: The rank of each row; None: any.

    Returns:
        A SparseTensor with an axis more, of the largest extents of all rows.

    Raises:
        InvalidArgumentError: If the shape is another one, or strings are no such tensors.

    >>> import tfc as tf
    >>> rows = tf.io.serialize_many_sparse(tf.sparse.from_dense([[0, 3], [4, 0]]))
    >>> print(tf.sparse.to_dense(tf.io.deserialize_many_sparse(rows, tf.int32)))
    tf.Tensor(
    [[0 3]
     [4 0]], shape=(2, 2), dtype=int32)
    """
    op = "io.deserialize_many_sparse"
    rows = operand(op, serialized_sparse)
    given = known(op, rows)
    if given.ndim != 2 or given.shape[1] != 3 or not len(given):
        raise blame.invalid(f"needs strings [rows, 3], got {list(given.shape)}", op)
    kind = string if names_string(dtype) else dtype_of(dtype, op)
    places, values, shapes = [], [], []
    for number, row in enumerate(rows):
        own = np.asarray(parse_tensor(row[0], int64))
        values.append(reshape(parse_tensor(row[1], kind), [-1]))
        shapes.append(np.asarray(parse_tensor(row[2], int64)))
        places.append(np.insert(own, 0, number, axis=1))
        if len({len(s) for s in shapes}) > 1 or (rank is not None and len(shapes[0]) != rank):
            raise blame.invalid(f"row {number} has shape {shapes[-1].tolist()}", op)
    extents = [len(given), *np.max(shapes, axis=0).tolist()]
    return SparseTensor(np.concatenate(places), concat(values, 0), extents)


def make_tensor_proto(
    values: Any,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> TensorProto:
    """The message of an array, which `make_ndarray` reads.

    Args:
        values: An array, numbers, or strings.
        dtype: Its dtype; None: that of the values.
        shape: Its shape; None: that of the values.
        verify_shape: Whether the values must have this shape already.
        allow_broadcast: Not used: one value is enough for a shape.

    Returns:
        A message; `SerializeToString` gives its bytes.

    Raises:
        TypeError: If `verify_shape` is set and the shape is another one.
        ValueError: If there are not as many values as the shape has, or both flags are set.

    >>> import tfc as tf
    >>> tf.make_ndarray(tf.make_tensor_proto([1, 2])).tolist()
    [1, 2]
    """
    op = "make_tensor_proto"
    if verify_shape and allow_broadcast:
        raise blame.value_error("verify_shape and allow_broadcast exclude each other", op)
    array = known(op, convert_to_tensor(values, None if dtype is None else dtype_of(dtype, op)))
    if shape is not None:
        given: Any = shape
        extents = tuple(int(n) for n in given)
        if verify_shape and array.shape != extents:
            raise blame.type_error(f"expected shape {extents}, got {array.shape}", op)
        if array.size == 1:
            array = np.full(extents, array.item(), array.dtype)
        elif array.size != int(np.prod(extents)):
            raise blame.value_error(f"{array.size} values do not have shape {extents}", op)
        array = array.reshape(extents)
    return proto_of(array)


def make_ndarray(tensor: TensorProto) -> np.ndarray:
    """The array of a message.

    Args:
        tensor: A message of `make_tensor_proto`.

    Returns:
        An array of NumPy; of strings one of objects.

    Raises:
        TypeError: If it is no such message.
        InvalidArgumentError: If the message does not fit together.

    >>> import tfc as tf
    >>> tf.make_ndarray(tf.make_tensor_proto(["a"])).tolist()
    [b'a']
    """
    op = "make_ndarray"
    if not isinstance(tensor, TensorProto):
        raise blame.type_error(f"needs a TensorProto, got {type(tensor).__name__}", op)
    kind: DType = string if tensor.dtype == string.as_datatype_enum else as_dtype(tensor.dtype)
    return elements_of(tensor, kind, tuple(d.size for d in tensor.tensor_shape.dim), op)


__all__ = [
    "deserialize_many_sparse",
    "make_ndarray",
    "make_tensor_proto",
    "serialize_many_sparse",
    "serialize_sparse",
]
