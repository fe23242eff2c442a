"""Feature crosses: all combinations of a row's values, as text or as numbers, made by Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import int64, string

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor
from ..arguments import whole_number
from ..on_host import Call, Shape, on_host
from ..ragged.tensor import RaggedTensor
from ..sparse.tensor import SparseTensor
from .hashing import fingerprint64
from .text import as_bytes, known

_MASK = 2**64 - 1
_KEY = 956888297470  # where TensorFlow begins, unless another key is given


def _rows(value: Any, op: str) -> list[list[Any]]:
    """The values of each row: bytes or integers."""
    if isinstance(value, RaggedTensor):
        if len(value.shape) != 2 or isinstance(value.row_splits, SymbolicTensor):
            raise blame.value_error("inputs must have two axes, and be known", op)
        found: list[list[Any]] = value.to_list()
        return found
    if isinstance(value, SparseTensor):
        rows: list[list[Any]] = [[] for _ in range(int(known(op, value.dense_shape)[0]))]
        places, values = known(op, value.indices), known(op, value.values).tolist()
        for row, item in zip(places[:, 0], values, strict=True):
            rows[row].append(item)
        return rows
    array = known(op, operand(op, value))
    if array.ndim != 2:
        raise blame.value_error(f"inputs must have two axes, got shape {array.shape}", op)
    return array.tolist()


def _crossed(
    inputs: Sequence[Any], join: Callable[[Sequence[Any]], Any], op: str
) -> list[list[Any]]:
    """For each row what becomes of each combination; those of the last input change first."""
    if not isinstance(inputs, list | tuple) or not inputs:
        raise blame.value_error("inputs must be a list of tensors", op)
    columns = [_rows(v, op) for v in inputs]
    if len({len(c) for c in columns}) != 1:
        raise blame.invalid(f"the numbers of rows differ: {[len(c) for c in columns]}", op)
    return [[join(c) for c in itertools.product(*row)] for row in zip(*columns, strict=True)]


def _text(separator: bytes) -> Callable[[Sequence[Any]], bytes]:
    def join(values: Sequence[Any]) -> bytes:
        return separator.join(v if isinstance(v, bytes) else str(v).encode() for v in values)

    return join


def _hashed(num_buckets: Any, hash_key: Any, op: str) -> Callable[[Sequence[Any]], int]:
    count = whole_number(num_buckets, "num_buckets", op)
    if count < 0:
        raise blame.value_error(f"num_buckets must be >= 0, got {count}", op)
    key = _KEY if hash_key is None else whole_number(hash_key, "hash_key", op)
    by = 0xC6A4A7935BD1E995

    def mixed(x: int) -> int:
        return x ^ (x >> 47)

    def join(values: Sequence[Any]) -> int:
        found = key
        for v in values:
            own = fingerprint64(v) if isinstance(v, bytes) else int(v) & _MASK
            found ^= by
            found ^= mixed(own * by & _MASK) * by & _MASK
            found = found * by & _MASK
            found = mixed(mixed(found) * by & _MASK)
        return found % (count or 2**63 - 1)

    return join


def _ragged(rows: list[list[Any]], dtype: Any, op: str) -> RaggedTensor:
    values = operand(op, [v for row in rows for v in row], dtype)
    return RaggedTensor.from_row_lengths(values, np.array([len(r) for r in rows], np.int64))


def _sparse(rows: list[list[Any]], dtype: Any, op: str) -> SparseTensor:
    places = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    values = operand(op, [v for row in rows for v in row], dtype)
    extents = [len(rows), max(map(len, rows), default=0)]
    return SparseTensor(np.array(places, np.int64).reshape(-1, 2), values, extents)


def _two_axes(call: Call) -> Sequence[Shape]:
    """Of places, values and extents."""
    return ((None, 2), (None,), (2,))


def _some_text(*_arguments: Any, **_options: Any) -> RaggedTensor:
    return _ragged([[b""]], string, "ragged.cross")


def _some_numbers(*_arguments: Any, **_options: Any) -> RaggedTensor:
    return _ragged([[0]], int64, "ragged.cross_hashed")


def _some_sparse_text(*_arguments: Any, **_options: Any) -> SparseTensor:
    return _sparse([[b""]], string, "sparse.cross")


def _some_sparse_numbers(*_arguments: Any, **_options: Any) -> SparseTensor:
    return _sparse([[0]], int64, "sparse.cross_hashed")


@on_host("ragged.cross", sample=_some_text)
def cross(inputs: Sequence[Any], name: str | None = None) -> RaggedTensor:
    """All combinations of the values in each row, joined by "_X_".

    Args:
        inputs: Tensors of strings or integers with two axes, ragged, sparse or dense, of equally
            many rows.

    Returns:
        A RaggedTensor of strings.

    Raises:
        InvalidArgumentError: If the numbers of rows differ.
        ValueError: If `inputs` is no list of such tensors.

    >>> import tfc as tf
    >>> tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), tf.constant([[1], [2]])])
    <tf.RaggedTensor [[b'a_X_1'], [b'b_X_2', b'c_X_2']]>
    """
    return _ragged(_crossed(inputs, _text(b"_X_"), "ragged.cross"), string, "ragged.cross")


@on_host("ragged.cross_hashed", sample=_some_numbers)
def cross_hashed(
    inputs: Sequence[Any],
    num_buckets: int = 0,
    hash_key: int | None = None,
    name: str | None = None,
) -> RaggedTensor:
    """A hash of each combination of the values in each row.

    Args:
        inputs: Tensors of strings or integers with two axes, ragged, sparse or dense, of equally
            many rows.
        num_buckets: The hash is taken modulo this; 0: modulo 2**63 - 1.
        hash_key: Where hashing begins; None: TensorFlow's number.

    Returns:
        A RaggedTensor of int64.

    Raises:
        InvalidArgumentError: If the numbers of rows differ.
        ValueError: If `inputs` is no list of such tensors, or `num_buckets` is negative.

    >>> import tfc as tf
    >>> a, b = tf.ragged.constant([["a"], ["b"]]), tf.ragged.constant([["d"], ["e", "f"]])
    >>> tf.ragged.cross_hashed([a, b], num_buckets=100).shape
    TensorShape([2, None])
    """
    op = "ragged.cross_hashed"
    return _ragged(_crossed(inputs, _hashed(num_buckets, hash_key, op), op), int64, op)


@on_host("sparse.cross", _two_axes, sample=_some_sparse_text)
def sparse_cross(
    inputs: Sequence[Any], name: str | None = None, separator: str | None = None
) -> SparseTensor:
    """All combinations of the values in each row, joined by a separator.

    Args:
        inputs: Tensors of strings or integers with two axes, sparse or dense, of equally many rows.
        separator: What stands between two; None: "_X_".

    Returns:
        A SparseTensor of strings, with the combinations at the front of each row.

    Raises:
        InvalidArgumentError: If the numbers of rows differ.
        ValueError: If `inputs` is no list of such tensors.

    >>> import tfc as tf
    >>> print(tf.sparse.cross([tf.constant([["a"], ["b"]]), tf.constant([["c"], ["d"]])]).values)
    tf.Tensor([b'a_X_c' b'b_X_d'], shape=(2,), dtype=string)
    """
    op = "sparse.cross"
    between = b"_X_" if separator is None else as_bytes(separator, "separator", op)
    return _sparse(_crossed(inputs, _text(between), op), string, op)


@on_host("sparse.cross_hashed", _two_axes, sample=_some_sparse_numbers)
def sparse_cross_hashed(
    inputs: Sequence[Any],
    num_buckets: int = 0,
    hash_key: int | None = None,
    name: str | None = None,
) -> SparseTensor:
    """A hash of each combination of the values in each row.

    Args:
        inputs: Tensors of strings or integers with two axes, sparse or dense, of equally many rows.
        num_buckets: The hash is taken modulo this; 0: modulo 2**63 - 1.
        hash_key: Where hashing begins; None: TensorFlow's number.

    Returns:
        A SparseTensor of int64.

    Raises:
        InvalidArgumentError: If the numbers of rows differ.
        ValueError: If `inputs` is no list of such tensors, or `num_buckets` is negative.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([["a"], ["b"]])
    >>> tf.sparse.cross_hashed([x, x], num_buckets=100).shape
    TensorShape([2, 1])
    """
    op = "sparse.cross_hashed"
    return _sparse(_crossed(inputs, _hashed(num_buckets, hash_key, op), op), int64, op)


sparse_cross.__name__, sparse_cross_hashed.__name__ = "cross", "cross_hashed"

__all__ = ["cross", "cross_hashed", "sparse_cross", "sparse_cross_hashed"]
