"""`tfc.compat.v1.io` and `python_io`: `tfc.io`, and TensorFlow 1's way to read records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tfc.io import *  # noqa: F403
from tfc.io import TFRecordOptions, TFRecordWriter  # noqa: F401  (python_io's)
from tfc.records.reading import compression_of
from tfc.records.tfrecord import read


def tf_record_iterator(path: str | os.PathLike[str], options: Any = None) -> Iterator[bytes]:
    """The records of a file, one by one.

    Args:
        path: The file.
        options: "GZIP", "ZLIB", or a `TFRecordOptions`.

    Returns:
        An iterator over the records' bytes.

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If it is damaged; records before the damage were given.
    """
    op = "io.tf_record_iterator"
    return read(os.fsdecode(path), compression_of(options, op), op)
