"""What tables begin with: keys and values from tensors, or from the lines of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tfc.ir.dtypes import DType, as_element_type, int64, string

from ...core import blame
from ...core.conversion import convert_to_tensor
from ...core.scopes import init_scope
from ...core.tensor import SymbolicTensor
from ...core.types import DTypeLike, TensorLike
from ..arguments import whole_number
from ..array.conversion import get_static_value
from ..strings.files import read_bytes
from ..strings.text import as_bytes


class Initializer(Protocol):
    """What gives a table its keys and values."""

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys and values, one for each."""


class KeyValueTensorInitializer:
    """Keys and values of a table, from tensors.

    Args:
        keys: A tensor of keys: strings, integers, ...
        values: A tensor of the same shape: the value of each key.
        key_dtype: The dtype of the keys, where `keys` leaves a choice.
        value_dtype: The dtype of the values, where `values` leaves a choice.

    Raises:
        InvalidArgumentError: If the shapes differ.
        ValueError: If `keys` or `values` depend on arguments of a `tfc.function`, or have another
            dtype than is asked for.

    >>> import tfc as tf
    >>> init = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    >>> init.key_dtype, init.value_dtype
    (tf.string, tf.int32)
    """

    def __init__(
        self,
        keys: TensorLike,
        values: TensorLike,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> None:
        op = "KeyValueTensorInitializer"
        tensors = []
        for value, dtype in ((keys, key_dtype), (values, value_dtype)):
            wanted = None if dtype is None else as_element_type(dtype)
            tensor = convert_to_tensor(value, wanted)
            if isinstance(tensor, SymbolicTensor):
                known = get_static_value(tensor)  # a constant of TensorFlow 1's graphs
                if known is None:
                    raise blame.value_error("a table begins with what is known, not traced", op)
                with init_scope():
                    tensor = convert_to_tensor(known, tensor.dtype)
            tensors.append(tensor)
        self._keys, self._values = tensors
        if self._keys.shape != self._values.shape:
            raise blame.invalid(
                f"Expected shape {list(self._keys.shape)} for value, got "
                f"{list(self._values.shape)}",
                op=op,
            )

    def _trackable_children(self) -> dict[str, Any]:
        return {}

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._keys.dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._values.dtype

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys and values. A class of the user's that was given none begins with nothing.

        Returns:
            Two vectors of NumPy.
        """
        if not hasattr(self, "_keys"):
            dtypes = as_element_type(self.key_dtype), as_element_type(self.value_dtype)
            return np.empty(0, dtypes[0].numpy), np.empty(0, dtypes[1].numpy)
        return self._keys._array.reshape(-1), self._values._array.reshape(-1)


class TextFileIndex:
    """What of a line of a file is a key or value, beside its columns, which count from 0.

    >>> import tfc as tf
    >>> tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer:
    """Keys and values of a table, from the lines of a file, which is read when the table is made.

    Args:
        filename: A path: a Python string, a `PathLike`, or a scalar.
        key_dtype: The dtype of the keys: string or int64.
        key_index: Which column of a line is the key, or an index of `TextFileIndex`.
        value_dtype: The dtype of the values: string, or one of numbers.
        value_index: Which column of a line is the value, or an index of `TextFileIndex`.
        vocab_size: How many lines are read; None for all.
        delimiter: What stands between columns.
        value_index_offset: What is added to line numbers that are values.

    Raises:
        ValueError: If dtypes do not fit the indices: a line number is int64, a whole line a string.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "words.txt")
    ...     tf.io.write_file(path, "emerson 10\\nlake 20\\n")
    ...     init = tf.lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1, delimiter=" ")
    ...     table = tf.lookup.StaticHashTable(init, -1)
    >>> print(table.lookup(tf.constant(["lake", "palmer"])))
    tf.Tensor([20 -1], shape=(2,), dtype=int64)
    """

    def __init__(
        self,
        filename: Any,
        key_dtype: DTypeLike,
        key_index: int,
        value_dtype: DTypeLike,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        self._filename = filename
        self._key_dtype = as_element_type(key_dtype)
        self._value_dtype = as_element_type(value_dtype)
        self._key_index = _index("key", key_index, self._key_dtype)
        self._value_index = _index("value", value_index, self._value_dtype)
        op = "TextFileInitializer"
        self._count = None if vocab_size is None else whole_number(vocab_size, "vocab_size", op)
        if self._count is not None and self._count < 1:
            raise blame.value_error(f"`vocab_size` must be greater than 0, got {vocab_size}", op)
        self._delimiter = as_bytes(delimiter, "delimiter", op)
        if len(self._delimiter) != 1:
            raise blame.value_error(f"`delimiter` must be one character, got {delimiter!r}", op)
        self._offset = whole_number(value_index_offset, "value_index_offset", op)

    def _trackable_children(self) -> dict[str, Any]:
        return {}

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._value_dtype

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys and values, of the file as it is now.

        Returns:
            Two vectors of NumPy.

        Raises:
            NotFoundError: If there is no such file.
            InvalidArgumentError: If a line lacks a column, or one is no number, or there are less
                than `vocab_size` lines.
        """
        path, data = read_bytes(self._filename, "TextFileInitializer")
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        if self._count is not None and self._count > len(lines):
            raise blame.invalid(
                f"Invalid vocab_size in {path}: expected {self._count} but got {len(lines)}",
                "TextFileInitializer",
            )
        lines = [line.rstrip(b"\r") for line in lines[: self._count]]
        keys = self._column(lines, path, self._key_index, self._key_dtype, 0)
        return keys, self._column(lines, path, self._value_index, self._value_dtype, self._offset)

    def _column(
        self, lines: list[bytes], path: Path, index: int, dtype: DType, offset: int
    ) -> np.ndarray:
        if index == TextFileIndex.LINE_NUMBER:
            return np.arange(offset, offset + len(lines), dtype=np.int64)
        convert = _converter(dtype)
        found = dtype.zeros(len(lines))
        for i, line in enumerate(lines):
            field = line
            if index != TextFileIndex.WHOLE_LINE:
                columns = line.split(self._delimiter)
                if index >= len(columns):
                    raise blame.invalid(
                        f"Invalid number of columns in {path} line {i} "
                        f"({line.decode(errors='backslashreplace')}) : expected at least "
                        f"{index + 1} got {len(columns)}",
                        "TextFileInitializer",
                    )
                field = columns[index]
            try:
                found[i] = convert(field)
            except (ValueError, OverflowError):
                raise blame.invalid(
                    f"Field {field.decode(errors='backslashreplace')} in line {i} is not a valid "
                    f"{dtype.name}.",
                    "TextFileInitializer",
                ) from None
        return found


def _index(what: str, index: int, dtype: DType) -> int:
    op = "TextFileInitializer"
    found = whole_number(index, f"{what}_index", op)
    if found < TextFileIndex.WHOLE_LINE:
        raise blame.value_error(f"Invalid {what}_index {found}.", op)
    if found == TextFileIndex.LINE_NUMBER and dtype is not int64:
        raise blame.value_error(
            f"`{what}_dtype` must be int64 if `{what}_index` is {found}, received: {dtype.name}", op
        )
    whole = what == "key" and found == TextFileIndex.WHOLE_LINE
    if whole and dtype is not string and not dtype.is_integer:
        raise blame.value_error(
            f"`key_dtype` must be string or an integer if `key_index` is {found}, received: "
            f"{dtype.name}",
            op,
        )
    return found


def _converter(dtype: DType) -> Callable[[bytes], Any]:
    if dtype is string:
        return bytes
    if dtype.is_bool:
        return {b"true": True, b"false": False}.__getitem__
    return int if dtype.is_integer else float
