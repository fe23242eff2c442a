"""`SqlDataset`: the rows that a database gives for a query."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_element_type, string

from ..core import blame, nest
from ..core.errors import NotFoundError, UnknownError
from ..core.specs import TensorSpec
from ..core.tensor import wrap
from ..ops.strings.text import as_bytes
from .dataset import Dataset
from .elements import Chunk, Element, ElementSpec, Loose
from .plan import Cursor, Plan, Run

_OP = "SqlDataset"
_KINDS = ("string", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool", "float64")
_IN_MEMORY = ":memory:"


class SqlDataset(Dataset):
    """The rows that an SQLite database gives for a query, which is run in each iteration.

    Unlike TensorFlow, the database is only read, and a number that its dtype does not hold is an
    error.

    Args:
        driver_name: "sqlite".
        data_source_name: The path of the database.
        query: What is asked for.
        output_types: The dtypes of the columns: string, bool, float64, or an integer but uint32 and
            uint64. A column that has something else is converted as SQLite's CAST does; NULL is
            "", False or 0.

    Raises:
        InvalidArgumentError: If the driver or a dtype is another one.
        TypeError: If a name is no string.

    What is wrong with the database or the query is an error when its turn comes: NotFoundError,
    UnknownError, or InvalidArgumentError where there are other columns.

    >>> import os, sqlite3, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "people.db")
    ...     with sqlite3.connect(path) as database:
    ...         _ = database.execute("CREATE TABLE people (name TEXT, age INTEGER)")
    ...         _ = database.execute("INSERT INTO people VALUES ('Ada', 36), ('Alan', 41)")
    ...     rows = tf.data.experimental.SqlDataset(
    ...         "sqlite", path, "SELECT name, age FROM people", (tf.string, tf.int32)
    ...     )
    ...     print(*rows.as_numpy_iterator())
    (b'Ada', np.int32(36)) (b'Alan', np.int32(41))
    """

    def __init__(
        self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any
    ) -> None:
        names = [
            as_bytes(value, what, _OP).decode("utf-8", "surrogateescape")
            for value, what in (
                (driver_name, "driver_name"),
                (data_source_name, "data_source_name"),
                (query, "query"),
            )
        ]
        if names[0] != "sqlite":
            raise blame.invalid(f"the database must be sqlite, not {names[0]}", _OP)
        spec = ElementSpec.of(
            nest.map_structure(lambda t: TensorSpec([], as_element_type(t)), output_types)
        )
        for leaf in spec.leaves:
            if leaf.dtype.name not in _KINDS:
                raise blame.invalid(
                    f"columns are one of {', '.join(_KINDS)}, not {leaf.dtype.name}", _OP
                )
        super().__init__(_Rows(names[1], names[2], spec))


class _Rows(Plan):
    """The rows of a query."""

    kind = "Sql"

    def __init__(self, path: str, query: str, spec: ElementSpec) -> None:
        super().__init__()
        self._path, self._query, self.spec = path, query, spec

    def stream(self, run: Run) -> Cursor:
        return _RowsCursor(self._path, self._query, [leaf.dtype for leaf in self.spec.leaves])


class _RowsCursor(Cursor):
    def __init__(self, path: str, query: str, dtypes: Sequence[DType]) -> None:
        self._path, self._query, self._dtypes = path, query, dtypes
        self._database: sqlite3.Connection | None = None
        self._rows: Any = None

    def _take(self, count: int) -> Chunk:
        try:
            if self._rows is None:
                self._open()
            rows = self._rows.fetchmany(count)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise UnknownError(f"{self._path}: {error}: {self._query}", op=_OP) from None
        return Loose([self._element(row) for row in rows])

    def _open(self) -> None:
        # Only one thread asks at a time, but a prefetch may be another one than that which closes.
        options: dict[str, Any] = {"check_same_thread": False, "isolation_level": None}
        path = Path(self._path)
        if self._path == _IN_MEMORY:
            self._database = sqlite3.connect(_IN_MEMORY, **options)
        elif path.is_file():
            where = f"{path.absolute().as_uri()}?mode=ro"
            self._database = sqlite3.connect(where, uri=True, **options)
        else:
            raise NotFoundError(f"{self._path}: there is no such database", op=_OP)
        self._database.text_factory = bytes
        rows = self._database.execute(self._query)
        found, wanted = len(rows.description or ()), len(self._dtypes)
        if found != wanted:
            raise blame.invalid(
                f"The number of columns in query ({found}) must match the number of elements in "
                f"output_types ({wanted})",
                _OP,
            )
        self._rows = rows

    def _element(self, row: Sequence[Any]) -> Element:
        return tuple([self._tensor(x, t) for x, t in zip(row, self._dtypes, strict=True)])

    def _tensor(self, value: Any, dtype: DType) -> Any:
        if dtype is string:
            array = np.empty((), object)
            array[()] = value if isinstance(value, bytes) else self._cast(value, "TEXT") or b""
            return wrap(array)
        if dtype.is_floating:
            return wrap(np.array(self._cast(value, "REAL") or 0.0, np.float64))
        number = self._cast(value, "INTEGER") or 0
        if dtype.is_bool:
            return wrap(np.array(number != 0))
        limits = np.iinfo(dtype.numpy)
        if not limits.min <= number <= limits.max:
            raise blame.invalid(f"{number} is no {dtype.name}", _OP)
        return wrap(np.array(number, dtype.numpy))

    def _cast(self, value: Any, kind: str) -> Any:
        """A value as one of SQLite's types; None stays."""
        if type(value) is {"TEXT": bytes, "REAL": float, "INTEGER": int}[kind]:
            return value
        assert self._database is not None
        given = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return self._database.execute(f"SELECT CAST(? AS {kind})", (given,)).fetchone()[0]

    def close(self) -> None:
        if self._database is not None:
            self._database.close()


__all__ = ["SqlDataset"]
