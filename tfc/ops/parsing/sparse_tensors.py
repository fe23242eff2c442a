"""Sparse tensors as strings, and tensors as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, int64, names_string, string

from ...core import blame
from ...core.conversion import convert_to_tensor, operand
from ...core.formatting import shown
from ...core.tensor import SymbolicTensor, Tensor, strings, wrap
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...records.tensor import TensorProto, proto_of
from ..arguments import dtype_of, flag, whole_number
from ..array.joining import concat, stack
from ..array.shaping import reshape
from ..on_host import Call, Shape, on_host
from ..sparse.tensor import SparseTensor, sparse_operand
from ..strings.text import known
from .tensors import elements_of, parse_tensor, serialize_tensor


def _only_strings(out_type: Any, op: str) -> None:
    if not names_string(out_type):
        kind = dtype_of(out_type, op).name  # what is no dtype is an error of its own
        raise blame.invalid_dtype(f"{op}: out_type must be string, got {kind}", op)


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
        InvalidArgumentError: If `out_type` is another one.

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
        sp_input: A SparseTensor of two axes at least.
        out_type: string alone.

    Returns:
        A tensor of strings [rows, 3]: the places, values and shape of each.

    Raises:
        TypeError: If `sp_input` is not sparse.
        InvalidArgumentError: If it has one axis alone, or `out_type` is another one.

    >>> import tfc as tf
    >>> tf.io.serialize_many_sparse(tf.sparse.eye(4)).shape
    TensorShape([4, 3])
    """
    op = "io.serialize_many_sparse"
    _only_strings(out_type, op)
    sp = sparse_operand(op, sp_input)
    rank = sp.indices.shape[1]
    if rank is not None and rank < 2:
        raise blame.invalid(f"needs two axes at least, got rank {rank}", op)
    return _rows_as_strings(sp.indices, sp.values, sp.dense_shape, sp.shape[0])


def _count(call: Call) -> Sequence[Shape | None]:
    return ((call.arguments["count"], 3),)


@on_host(
    "io.serialize_many_sparse",
    _count,
    sample=lambda *_: strings(np.full((1, 3), b"", object)),
)
def _rows_as_strings(indices: Tensor, values: Tensor, shape: Tensor, count: int | None) -> Tensor:
    """The rows of a sparse tensor of these parts, of which there are `count`, if that is known."""
    op = "io.serialize_many_sparse"
    places, elements, extents = (known(op, part) for part in (indices, values, shape))
    found = np.empty((int(extents[0]), 3), object)
    for row in range(len(found)):
        at = places[:, 0] == row
        parts = (np.ascontiguousarray(places[at][:, 1:]), elements[at], extents[1:])
        found[row] = [proto_of(part).SerializeToString() for part in parts]
    return strings(found)


def deserialize_many_sparse(
    serialized_sparse: TensorLike,
    dtype: DTypeLike,
    rank: int | None = None,
    name: str | None = None,
) -> SparseTensor:
    """The sparse tensor whose rows were serialised.

    Args:
        serialized_sparse: A tensor of strings [rows, 3].
        dtype: The dtype of the values.
        rank: The rank of the result; None: any, but in a `tfc.function`, which has to know it.

    Returns:
        A SparseTensor with an axis more, of the largest extents of all rows.

    Raises:
        InvalidArgumentError: If the shape is another one, or strings are no such tensors.
        ValueError: If they have another rank.
        UnimplementedError: Inside a `tfc.function`, if there is no `rank`.

    >>> import tfc as tf
    >>> rows = tf.io.serialize_many_sparse(tf.sparse.from_dense([[0, 3], [4, 0]]))
    >>> print(tf.sparse.to_dense(tf.io.deserialize_many_sparse(rows, tf.int32)))
    tf.Tensor(
    [[0 3]
     [4 0]], shape=(2, 2), dtype=int32)
    """
    op = "io.deserialize_many_sparse"
    kind = string if names_string(dtype) else dtype_of(dtype, op)
    rows = operand(op, serialized_sparse)
    if rows.ndim != 2 or rows.shape[1] not in (3, None) or rows.shape[0] == 0:
        raise blame.invalid(f"needs strings [rows, 3], got {shown(rows.shape)}", op)
    if rank is None and isinstance(rows, SymbolicTensor):
        raise blame.unimplemented("give rank: nothing else tells it before the program runs", op)
    return SparseTensor(
        *_from_rows(rows, kind, None if rank is None else whole_number(rank, "rank", op))
    )


def _parts(call: Call) -> Sequence[Shape | None]:
    rank = call.arguments["rank"]
    return ((None, rank), (None,), (rank,))


def _some_parts(rows: Tensor, dtype: DType, rank: int) -> tuple[Tensor, ...]:
    values = strings(np.full(1, b"", object)) if dtype is string else wrap(dtype.zeros((1,)))
    return wrap(np.zeros((1, rank), np.int64)), values, wrap(np.zeros(rank, np.int64))


@on_host("io.deserialize_many_sparse", _parts, sample=_some_parts)
def _from_rows(rows: Tensor, dtype: DType, rank: int | None) -> tuple[Tensor, Tensor, Tensor]:
    """The places, values and shape of the sparse tensor of these rows."""
    op = "io.deserialize_many_sparse"
    places, values, shapes = [], [], []
    for number, row in enumerate(rows):
        own = np.asarray(parse_tensor(row[0], int64))
        values.append(reshape(parse_tensor(row[1], dtype), [-1]))
        shapes.append(np.asarray(parse_tensor(row[2], int64)))
        places.append(np.insert(own, 0, number, axis=1))
        if len({len(s) for s in shapes}) > 1:
            raise blame.invalid(f"row {number} has shape {shapes[-1].tolist()}", op)
    if rank is not None and len(shapes[0]) != rank - 1:
        raise blame.value_error(f"the rank is {len(shapes[0]) + 1}, not {rank}", op)
    extents = np.array([len(shapes), *np.max(shapes, axis=0).tolist()], np.int64)
    return wrap(np.concatenate(places)), concat(values, 0), wrap(extents)


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
    if flag(verify_shape, "verify_shape", op) and flag(allow_broadcast, "allow_broadcast", op):
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
