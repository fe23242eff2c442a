"""Datasets of tables: files of fields (CSV)."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any

from tfc.ir.dtypes import float32, float64, int32, int64, string

from ..core import blame
from ..core.errors import InvalidArgumentError
from ..core.formatting import shown
from ..core.specs import TensorSpec
from ..ops.parsing.csv import column_dtypes, decode_csv
from ..records.reading import compression_of, csv_records
from .dataset import Dataset
from .elements import NOTHING, Chunk, Element, ElementSpec, Stacked
from .files import at_a_time, names_of
from .paths import matching
from .plan import Cursor
from .plans.blocks import BlocksCursor
from .plans.mapping import Computing
from .plans.readers import Files


class CsvDataset(Dataset):
    """The records of files of fields (RFC 4180), as tuples of scalars.

    Args:
        filenames: A path, a list or tensor of paths, or a dataset of them.
        record_defaults: For each column a value that stands for an empty field, or a dtype, where
            no field may be empty. Columns are float32, float64, int32, int64 or string.
        compression_type: "GZIP", "ZLIB" or "" for none.
        buffer_size: Not used.
        header: Whether the first record of each file is left out.
        field_delim: What parts fields.
        use_quote_delim: Whether a field may stand in quotes, where it may hold any character.
        na_value: What counts as empty, too.
        select_cols: The numbers of the columns to take, which grow; by default all.
        exclude_cols: The numbers of those to leave out, instead.

    Raises:
        ValueError: If both `select_cols` and `exclude_cols` are given.

    A record that is not as it should be is an InvalidArgumentError when its turn comes; those
    behind it can be read.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.csv")
    ...     tf.io.write_file(path, "ann,3\\nbob,\\n")
    ...     print(*tf.data.experimental.CsvDataset(path, [tf.string, 7]).as_numpy_iterator())
    (b'ann', np.int32(3)) (b'bob', np.int32(7))
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Sequence[Any],
        compression_type: str | None = None,
        buffer_size: Any = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
    ) -> None:
        op = "CsvDataset"
        kind, defaults = compression_of(compression_type, op), list(record_defaults)
        if exclude_cols is not None:
            if select_cols is not None:
                raise blame.value_error("give select_cols or exclude_cols, not both", op)
            count = len(defaults) + len(exclude_cols)
            select_cols = [i for i in range(count) if i not in set(exclude_cols)]
        options = {
            "field_delim": field_delim,
            "use_quote_delim": use_quote_delim,
            "na_value": na_value,
            "select_cols": select_cols,
        }
        specs = tuple([TensorSpec([], dtype) for dtype in column_dtypes(defaults)])

        def opener(path: str) -> Cursor:
            records = BlocksCursor(lambda: csv_records(path, kind, header, use_quote_delim, op))
            return _Decoded(records, defaults, options)

        super().__init__(Files("Csv", names_of(filenames, op), ElementSpec.of(specs), opener))


class _Decoded(Computing):
    """Records as columns: many at once, one by one where one of them is wrong."""

    def __init__(self, records: Cursor, defaults: list[Any], options: dict[str, Any]) -> None:
        self._source, self._defaults, self._options = records, defaults, options
        self._read: Chunk = NOTHING

    def many(self, chunk: Chunk) -> Chunk | None:
        columns = chunk.columns()
        if columns is None:
            return None
        return Stacked(tuple(decode_csv(columns[0], self._defaults, **self._options)), len(chunk))

    def one(self, element: Element) -> Element:
        try:
            return tuple(decode_csv(element[0], self._defaults, **self._options))
        except InvalidArgumentError as error:
            message = error.message.replace(" in record 0", "").rstrip("!")
            record = shown(element[0]._array.item())
            raise InvalidArgumentError(f"{message}: {record}", op="CsvDataset") from None


def make_csv_dataset(
    file_pattern: Any,
    batch_size: Any,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
) -> Dataset:
    """Batches of the columns of files of fields, by their names.

    Args:
        file_pattern: A pattern as shells have them, or several.
        batch_size: How many records a batch has.
        column_names: Their names; by default those of the first record of the first file.
        column_defaults: As `record_defaults` of `CsvDataset`; by default dtypes are learnt from the
            first records, and empty fields are 0 or "".
        label_name: A column that is given apart, as the second part of each element.
        select_columns: The names or numbers of the columns to take; by default all.
        field_delim, use_quote_delim, na_value: As in `CsvDataset`.
        header: Whether the first record of each file has names.
        num_epochs: How often all is gone through; by default without end, in batches of one size.
        shuffle: Whether files and records come in random order.
        shuffle_buffer_size: Of how many records one is drawn.
        shuffle_seed: For the order.
        prefetch_buffer_size: How many batches are made before they are asked for; by default one.
        num_parallel_reads: How many files give a record each in turn.
        sloppy: Not used: the order follows from the seed.
        num_rows_for_inference: From how many records dtypes are learnt; None: from all.
        compression_type: "GZIP", "ZLIB" or "" for none.
        ignore_errors: Whether records that are wrong are left out.

    Returns:
        A Dataset of dictionaries, or of pairs of a dictionary and the label.

    Raises:
        InvalidArgumentError: If there is no such file.
        ValueError: If a name is not one of the columns, or comes twice.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.csv")
    ...     tf.io.write_file(path, "x,y\\n1,0.5\\n2,1\\n")
    ...     dataset = tf.data.experimental.make_csv_dataset(
    ...         path, 2, label_name="y", shuffle=False, num_epochs=1)
    ...     print(*dataset.as_numpy_iterator())
    (OrderedDict([('x', array([1, 2], dtype=int32))]), array([0.5, 1. ], dtype=float32))
    """
    op = "make_csv_dataset"
    paths = matching(file_pattern, op)
    kind = compression_of(compression_type, op)
    options: dict[str, Any] = {
        "field_delim": field_delim,
        "use_quote_delim": use_quote_delim,
        "na_value": na_value,
    }
    first = os.fsdecode(paths[0])
    cursor = BlocksCursor(lambda: csv_records(first, kind, False, use_quote_delim, op))
    record = cursor.next()
    cursor.close()
    names = _names(record, column_names, header, options, op)
    chosen = _numbers(select_columns, names, op)
    if label_name is not None and label_name not in [names[i] for i in chosen]:
        raise blame.value_error(f"label_name must be one of {names}, got {shown(label_name)}", op)
    if column_defaults is None:
        column_defaults = _inferred(
            paths, kind, header, chosen, len(names), num_rows_for_inference, options
        )
    files = Dataset.from_tensor_slices(paths)
    if shuffle:
        files = files.shuffle(len(paths), shuffle_seed)
    table = CsvDataset(files, column_defaults, kind, header=header, select_cols=chosen, **options)
    plan = table._plan
    assert isinstance(plan, Files)
    plan = Files("Csv", plan.inputs[0], plan.spec, plan.opener, at_a_time(num_parallel_reads, op))
    dataset = Dataset(plan)
    if ignore_errors:
        dataset = dataset.ignore_errors()
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    taken = [names[i] for i in chosen]

    def named(*columns: Any) -> Any:
        found = OrderedDict(zip(taken, columns, strict=True))
        if label_name is None:
            return found
        label = found.pop(label_name)
        return found, label

    batches = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(named)
    return batches.prefetch(1 if prefetch_buffer_size is None else prefetch_buffer_size)


def _fields(record: Any, count: int, options: dict[str, Any]) -> list[bytes]:
    return [x._array.item() for x in decode_csv(record, [""] * count, **options)]


def _names(
    record: Element | None,
    given: Sequence[str] | None,
    header: bool,
    options: dict[str, Any],
    op: str,
) -> list[str]:
    """The names of all columns."""
    if given is None:
        if not header:
            raise blame.value_error("column_names must be given where there is no header", op)
        if record is None:
            raise blame.value_error("the first file is empty: it has no names", op)
        given = [x.decode() for x in _fields(record[0], _width(record[0], options), options)]
    names = [str(name) for name in given]
    if len(set(names)) != len(names):
        raise blame.value_error(f"a name comes twice among the columns: {names}", op)
    return names


def _width(record: Any, options: dict[str, Any]) -> int:
    """How many fields a record has."""
    text, delimiter = record._array.item(), options["field_delim"].encode()
    if not options["use_quote_delim"]:
        return len(text.split(delimiter))
    count, inside = 1, False
    for i in range(len(text)):
        character = text[i : i + 1]
        inside ^= character == b'"'
        count += not inside and character == delimiter
    return count


def _numbers(chosen: Sequence[Any] | None, names: list[str], op: str) -> list[int]:
    """The numbers of the columns that are asked for by names or numbers."""
    if chosen is None:
        return list(range(len(names)))
    found = []
    for column in chosen:
        if isinstance(column, str):
            if column not in names:
                raise blame.value_error(f"select_columns: {shown(column)} is not in {names}", op)
            column = names.index(column)
        elif not 0 <= column < len(names):
            raise blame.value_error(f"select_columns: there is no column {column}", op)
        found.append(int(column))
    return sorted(set(found))


_READERS = (
    (int32, lambda x: _integer(x, 32)),
    (int64, lambda x: _integer(x, 64)),
    (float32, lambda x: _number(x, 3.4028234663852886e38)),
    (float64, lambda x: _number(x, float("inf"))),
)


def _integer(text: bytes, bits: int) -> bool:
    return b"_" not in text and -(1 << bits - 1) <= int(text) < 1 << bits - 1


def _number(text: bytes, most: float) -> bool:
    value = float(text)
    return b"_" not in text and (abs(value) <= most or abs(value) == float("inf"))


def _inferred(
    paths: Sequence[bytes],
    kind: str,
    header: bool,
    chosen: Sequence[int],
    count: int,
    most: int | None,
    options: dict[str, Any],
) -> list[Any]:
    """What stands for empty fields: of the narrowest dtype that takes what the first records
    have."""
    levels = [-1] * len(chosen)
    left = most
    for path in paths:
        quotes, op = options["use_quote_delim"], "make_csv_dataset"
        read = partial(csv_records, os.fsdecode(path), kind, header, quotes, op)
        records = BlocksCursor(read)
        while left is None or left > 0:
            record = records.next()
            if record is None:
                break
            left = None if left is None else left - 1
            fields = _fields(record[0], count, options)
            for i, place in enumerate(chosen):
                if fields[place] not in (b"", options["na_value"].encode()):
                    levels[i] = max(levels[i], _level(fields[place], levels[i]))
        records.close()
    dtypes = [string if n < 0 or n == len(_READERS) else _READERS[n][0] for n in levels]
    return ["" if dtype is string else dtype.zeros(()) for dtype in dtypes]


def _level(field: bytes, least: int) -> int:
    """The number of the first reader, from `least` on, that takes a field."""
    for n in range(max(least, 0), len(_READERS)):
        try:
            if _READERS[n][1](field):
                return n
        except ValueError:
            pass
    return len(_READERS)


__all__ = ["CsvDataset", "make_csv_dataset"]
