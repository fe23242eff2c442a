"""Datasets of files: lines, records, records of one length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tfc.ir.dtypes import string

from ..core import blame
from ..core.specs import TensorSpec
from ..records.reading import BLOCK, Lengths, compression_of, lines
from ..records.tfrecord import blocks
from .dataset import AUTOTUNE, Dataset
from .nested import Unknown, is_symbolic
from .paths import texts
from .plan import Plan
from .plans.blocks import BlocksCursor, text_column
from .plans.readers import TEXTS, Files, fixed_records
from .plans.sources import Slices


class TextLineDataset(Dataset):
    """The lines of text files, without what ends them.

    Args:
        filenames: A path, a list or tensor of paths, or a dataset of them.
        compression_type: "GZIP", "ZLIB" or "" for none.
        buffer_size: How many bytes are read at once.
        num_parallel_reads: How many files are read at a time, by as many threads: then a line of
            each comes in turn.

    Raises:
        ValueError: If there is no such compression.
        TypeError: If names are not strings.

    A file that is missing or damaged is a NotFoundError or DataLossError when its turn comes.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.txt")
    ...     tf.io.write_file(path, "first\\nsecond\\n")
    ...     print(*tf.data.TextLineDataset(path).as_numpy_iterator())
    b'first' b'second'
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        op = "TextLineDataset"
        kind, block = compression_of(compression_type, op), _block(buffer_size, op)
        super().__init__(
            _files(
                "TextLine",
                filenames,
                lambda path: lines(path, kind, block, op),
                bool(kind),
                num_parallel_reads,
                op,
            )
        )


class TFRecordDataset(Dataset):
    """The records of TFRecord files, as strings.

    Checksums are checked: where a file is damaged a DataLossError names the byte, when the records
    before it have been delivered.

    Args:
        filenames: A path, a list or tensor of paths, or a dataset of them.
        compression_type: "GZIP", "ZLIB" or "" for none.
        buffer_size: Not used.
        num_parallel_reads: How many files are read at a time, by as many threads: then a record of
            each comes in turn.

    Raises:
        ValueError: If there is no such compression.
        TypeError: If names are not strings.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.tfrecord")
    ...     with tf.io.TFRecordWriter(path) as writer:
    ...         writer.write(b"first")
    ...     print(*tf.data.TFRecordDataset(path).as_numpy_iterator())
    b'first'
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        op = "TFRecordDataset"
        kind = compression_of(compression_type, op)
        super().__init__(
            _files(
                "TFRecord",
                filenames,
                lambda path: blocks(path, kind, op),
                bool(kind),
                num_parallel_reads,
                op,
            )
        )


class FixedLengthRecordDataset(Dataset):
    """Files of records that all have the same length, as strings.

    Files that are not compressed are indexed: shuffling them draws numbers, and records are read
    where they stand.

    Args:
        filenames: A path, a list or tensor of paths, or a dataset of them.
        record_bytes: The length of a record.
        header_bytes: How many bytes stand before the first record of a file.
        footer_bytes: And behind the last one.
        buffer_size: Not used.
        compression_type: "GZIP", "ZLIB" or "" for none.
        num_parallel_reads: How many files are read at a time, by as many threads: then a record of
            each comes in turn.

    Raises:
        ValueError: If there is no such compression, or a length is negative.
        TypeError: If names are not strings.

    A file that records do not fill is an InvalidArgumentError when its turn comes.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.bin")
    ...     tf.io.write_file(path, b"headaabbcc")
    ...     dataset = tf.data.FixedLengthRecordDataset(path, 2, header_bytes=4)
    ...     print(*dataset.skip(1).as_numpy_iterator())
    b'bb' b'cc'
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: str | None = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        op = "FixedLengthRecordDataset"
        kind = compression_of(compression_type, op)
        header, record, footer = (_bytes(n, op) for n in (header_bytes, record_bytes, footer_bytes))
        if not record:
            raise blame.value_error("record_bytes must be positive, got 0", op)
        lengths, turns = Lengths(header, record, footer), at_a_time(num_parallel_reads, op)
        names = names_of(filenames, op)
        super().__init__(fixed_records(names, lengths, kind, turns))


def names_of(filenames: Any, op: str) -> Plan:
    """A plan of the names of files."""
    if is_symbolic(filenames):
        return Unknown(TEXTS)
    if not isinstance(filenames, Dataset):
        return Slices((text_column(texts(filenames, op)),), TEXTS)
    spec = filenames._plan.spec
    leaf = spec.leaves[0] if spec.structure.is_leaf else None
    if not isinstance(leaf, TensorSpec) or leaf.dtype is not string or leaf.shape.rank != 0:
        raise blame.type_error(
            f"the elements of a dataset of files are scalar strings, not {filenames.element_spec}",
            op,
        )
    return filenames._plan


def at_a_time(num_parallel_reads: Any, op: str) -> int:
    """How many files are read in turns."""
    number = 1 if num_parallel_reads is None else int(num_parallel_reads)
    if number == AUTOTUNE:
        return 1
    if number < 1:
        raise blame.value_error(f"num_parallel_reads must be positive, got {number}", op)
    return number


def _files(
    kind: str,
    filenames: Any,
    read: Callable[[str], Iterator[list[bytes]]],
    packed: bool,
    num_parallel_reads: Any,
    op: str,
) -> Plan:
    turns = at_a_time(num_parallel_reads, op)

    def opener(path: str) -> BlocksCursor:
        return BlocksCursor(lambda: read(path), packed)

    return Files(kind, names_of(filenames, op), TEXTS, opener, turns, packed)


def _block(size: Any, op: str) -> int:
    return _bytes(size, op) or BLOCK


def _bytes(size: Any, op: str) -> int:
    """A number of bytes; None is 0."""
    number = 0 if size is None else int(size)
    if number < 0:
        raise blame.value_error(f"a number of bytes is not negative, got {number}", op)
    return number


__all__ = [
    "FixedLengthRecordDataset",
    "TFRecordDataset",
    "TextLineDataset",
    "at_a_time",
    "names_of",
]
