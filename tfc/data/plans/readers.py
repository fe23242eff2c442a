"""Records of files as elements: what the datasets of files (files.py) are made of.

A file is read from its beginning, block by block, and is a cursor of its own. Several are read one
after another, or some at a time in turns. Only files of records of one length, as they are, have an
index: there any record is read by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tfc.ir.dtypes import string

from ...core.errors import DataLossError, OpError
from ...core.specs import TensorSpec
from ...core.tensor import StringTensor, strings
from ...records.reading import Lengths, fixed, opened
from ..elements import NOTHING, Chunk, Element, ElementSpec, Stacked
from ..plan import Cursor, Given, Places, Plan, Run
from .sources import Slices

TEXTS = ElementSpec.of(TensorSpec([], string))

Opener = Callable[[str], Cursor]  # what stands at the beginning of a file


class Files(Plan):
    """The records of files, whose names are the elements of another plan.

    Args:
        kind: Of the dataset.
        names: A plan of scalar strings.
        spec: Of the records.
        opener: What reads a file.
        at_a_time: How many files give a record each in turn.
    """

    def __init__(
        self, kind: str, names: Plan, spec: ElementSpec, opener: Opener, at_a_time: int = 1
    ) -> None:
        super().__init__()
        self.kind = kind  # type: ignore[misc]
        self.inputs = (names,)
        self.spec, self.opener, self._at_a_time = spec, opener, at_a_time
        self.varies = names.varies

    def stream(self, run: Run) -> Cursor:
        names = self.inputs[0].cursor(run.children[0])
        if self._at_a_time > 1:
            return _TurnsCursor(names, self.opener, self._at_a_time)
        return _FilesCursor(names, self.opener)

    def describe(self) -> str:
        turns = f", {self._at_a_time} files in turns" if self._at_a_time > 1 else ""
        return f"{self.kind}: records of files{turns}"


def _opened(names: Cursor, opener: Opener) -> Cursor | None:
    """The next file; None where there is none."""
    element = names.next()
    return None if element is None else opener(os.fsdecode(element[0]._array.item()))


class _FilesCursor(Cursor):
    """Files, one after another."""

    def __init__(self, names: Cursor, opener: Opener) -> None:
        self._names, self._opener = names, opener
        self._file: Cursor | None = None

    def _take(self, count: int) -> Chunk:
        while self._ready():
            assert self._file is not None
            chunk = self._file.take(count)
            if len(chunk):
                return chunk
            self._file_ended()
        return NOTHING

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and self._ready():
            assert self._file is not None
            done += self._file.skip(count - done)
            if done < count:
                self._file_ended()
        return done

    def _ready(self) -> bool:
        if self._file is None:
            self._file = _opened(self._names, self._opener)
        return self._file is not None

    def _file_ended(self) -> None:
        assert self._file is not None
        self._file.close()
        self._file = None

    def close(self) -> None:
        if self._file is not None:
            self._file_ended()
        self._names.close()


class _TurnsCursor(Cursor):
    """Some files at a time, a record of each in turn. Where one has ended its turn is over, and the
    next file has the turn after that."""

    def __init__(self, names: Cursor, opener: Opener, at_a_time: int) -> None:
        self._names, self._opener = names, opener
        self._files: list[Cursor | None] = [None] * at_a_time
        self._turn = 0
        self._no_more = False  # names

    def _next(self) -> Element | None:
        while True:
            place = self._turn
            file = self._files[place]
            if file is None and not self._no_more:
                file = self._files[place] = _opened(self._names, self._opener)
                self._no_more = file is None
            self._turn = (place + 1) % len(self._files)
            if file is not None:
                element = file.next()
                if element is not None:
                    return element
                file.close()
                self._files[place] = None
            elif self._no_more and not any(self._files):
                return None

    def close(self) -> None:
        for file in filter(None, self._files):
            file.close()
        self._names.close()


class BlocksCursor(Cursor):
    """A file as blocks of records."""

    def __init__(self, blocks: Iterator[list[bytes]]) -> None:
        self._blocks = blocks
        self._records: list[bytes] = []
        self._place = 0

    def _take(self, count: int) -> Chunk:
        if not self._ready():
            return NOTHING
        found = self._records[self._place : self._place + count]
        self._place += len(found)
        return Stacked((text_column(found),), len(found))

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and self._ready():
            step = min(count - done, len(self._records) - self._place)
            self._place += step
            done += step
        return done

    def _ready(self) -> bool:
        """Whether there is a record."""
        while self._place == len(self._records):
            records = next(self._blocks, None)
            if records is None:
                return False
            self._records, self._place = records, 0
        return True

    def close(self) -> None:
        close = getattr(self._blocks, "close", None)
        if close is not None:
            close()


def text_column(items: Sequence[bytes]) -> StringTensor:
    """Strings as a vector."""
    array = np.empty(len(items), object)
    array[:] = items
    return strings(array)


class FixedRecords(Given):
    """Records of one length in files that are not compressed: each is read where it stands."""

    kind = "FixedLengthRecord"
    indexed = stackable = True

    def __init__(self, paths: Sequence[str], counts: Sequence[int], lengths: Lengths) -> None:
        super().__init__()
        self._paths, self._lengths = paths, lengths
        self._ends = np.cumsum(counts, dtype=np.int64)
        self.spec = TEXTS

    @property
    def cardinality(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def elements(self, places: Places, run: Run) -> Chunk:
        found = np.empty(len(places), object)
        files = np.searchsorted(self._ends, places, side="right")
        for file in np.unique(files).tolist():
            here = np.flatnonzero(files == file)
            before = int(self._ends[file - 1]) if file else 0
            found[here] = self._read(self._paths[file], places[here] - before)
        return Stacked((strings(found),), len(places))

    def _read(self, path: str, numbers: np.ndarray) -> list[bytes]:
        """The records with these numbers; those that stand in a row are read at once."""
        length, header = self._lengths.record, self._lengths.header
        cuts = np.flatnonzero(np.diff(numbers) != 1) + 1
        found: list[bytes] = []
        with opened(path, "", _FIXED) as file:
            for part in np.split(numbers, cuts):
                start = header + int(part[0]) * length
                data = os.pread(file.fileno(), len(part) * length, start)
                if len(data) < len(part) * length:
                    raise DataLossError(f"{path} ends at byte {start + len(data)}", op=_FIXED)
                found += [data[i : i + length] for i in range(0, len(data), length)]
        return found


def fixed_records(names: Plan, lengths: Lengths, compression: str, turns: int) -> Plan:
    """The plan of records of one length. Where names are known, and the files are as long as they
    should be, it is indexed; what is wrong with a file is said when its turn comes."""
    if isinstance(names, Slices) and not compression and turns == 1:
        found = [os.fsdecode(name) for name in names.columns[0]._array]
        try:
            return FixedRecords(found, [lengths.sizes(path, _FIXED) for path in found], lengths)
        except OpError:
            pass
    return Files(
        FixedRecords.kind,
        names,
        TEXTS,
        lambda path: BlocksCursor(fixed(path, compression, lengths, _FIXED)),
        turns,
    )


_FIXED = "FixedLengthRecordDataset"

__all__ = [
    "TEXTS",
    "BlocksCursor",
    "Files",
    "FixedRecords",
    "Opener",
    "fixed_records",
    "text_column",
]
