"""Records of files as elements: what the datasets of files (files.py) are made of.

A file is read from its beginning, block by block, and is a cursor of its own. Several are read one
after another, or some at a time in turns. Only files of records of one length, as they are, have an
index: there any record is read by itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tfc.ir.dtypes import string

from ...core.errors import DataLossError, OpError
from ...core.specs import TensorSpec
from ...core.tensor import strings
from ...records.reading import Lengths, fixed, opened
from ..elements import NOTHING, Chunk, ElementSpec, Stacked
from ..plan import Cursor, Given, Places, Plan, Run
from ..threads import pool
from .blocks import BlocksCursor, Opener, TurnsCursor, opened_next
from .sources import Slices

TEXTS = ElementSpec.of(TensorSpec([], string))


class Files(Plan):
    """The records of files, whose names are the elements of another plan.

    Args:
        kind: Of the dataset.
        names: A plan of scalar strings.
        spec: Of the records.
        opener: What reads a file.
        at_a_time: How many files give a record each in turn, and are read by as many threads.
        packed: Whether they have to be unpacked: then a thread does that, a block ahead.
    """

    def __init__(
        self,
        kind: str,
        names: Plan,
        spec: ElementSpec,
        opener: Opener,
        at_a_time: int = 1,
        packed: bool = False,
    ) -> None:
        super().__init__()
        self.kind = kind  # type: ignore[misc]
        self.inputs = (names,)
        self.spec, self.opener, self._at_a_time, self._packed = spec, opener, at_a_time, packed
        self.varies = names.varies

    def stream(self, run: Run) -> Cursor:
        names = self.inputs[0].cursor(run.children[0])
        if self._at_a_time > 1:
            return TurnsCursor(names, self.opener, self._at_a_time, run.threads or self._at_a_time)
        return _FilesCursor(names, self.opener, self._packed and run.ahead)

    def describe(self) -> str:
        turns = f", {self._at_a_time} files in turns" if self._at_a_time > 1 else ""
        packed = ", unpacked ahead by a thread" if self._packed and not turns else ""
        return f"{self.kind}: records of files{turns}{packed}"


class _FilesCursor(Cursor):
    """Files, one after another."""

    def __init__(self, names: Cursor, opener: Opener, ahead: bool = False) -> None:
        self._names, self._opener, self._ahead = names, opener, ahead
        self._file: Cursor | None = None
        self._pool: ThreadPoolExecutor | None = None

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
            self._file = opened_next(self._names, self._opener)
            if self._ahead and isinstance(self._file, BlocksCursor):
                self._pool = self._pool or pool(self, 1, "files")
                self._file.read_by(self._pool)
        return self._file is not None

    def _file_ended(self) -> None:
        assert self._file is not None
        self._file.close()
        self._file = None

    def close(self) -> None:
        if self._file is not None:
            self._file_ended()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._names.close()


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
    packed = bool(compression)
    return Files(
        FixedRecords.kind,
        names,
        TEXTS,
        lambda path: BlocksCursor(lambda: fixed(path, compression, lengths, _FIXED), packed),
        turns,
        packed,
    )


_FIXED = "FixedLengthRecordDataset"

__all__ = [
    "TEXTS",
    "Files",
    "FixedRecords",
    "fixed_records",
]
