"""Files that are read block by block, one or several at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np

from ...core import blame
from ...core.tensor import StringTensor, strings
from ..elements import NOTHING, Chunk, Element, Stacked
from ..plan import Cursor
from .parallel import pool

Opener = Callable[[str], Cursor]  # what stands at the beginning of a file


def opened_next(names: Cursor, opener: Opener) -> Cursor | None:
    """The next file; None where there is none."""
    element = names.next()
    return None if element is None else opener(os.fsdecode(element[0]._array.item()))


class BlocksCursor(Cursor):
    """A file as blocks of records."""

    def __init__(self, blocks: Iterator[list[bytes]]) -> None:
        self._blocks = blocks
        self._records: list[bytes] = []
        self._place = 0
        self._pool: ThreadPoolExecutor | None = None
        self._coming: Future[list[bytes] | None] | None = None

    def read_by(self, threads: ThreadPoolExecutor) -> None:
        """Have threads read it from now on: one block ahead."""
        self._pool = threads
        self._ask()

    def here(self) -> int:
        """How many records there are before another block is read."""
        return len(self._records) - self._place

    def records(self, count: int) -> list[bytes]:
        """The next records, of those that are here."""
        found = self._records[self._place : self._place + count]
        self._place += len(found)
        return found

    def _take(self, count: int) -> Chunk:
        if not self._ready():
            return NOTHING
        found = self.records(count)
        return Stacked((text_column(found),), len(found))

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and self._ready():
            step = min(count - done, self.here())
            self._place += step
            done += step
        return done

    def _ready(self) -> bool:
        """Whether there is a record."""
        while not self.here():
            records = next(self._blocks, None) if self._pool is None else self._come()
            if records is None:
                return False
            self._records, self._place = records, 0
        return True

    def _ask(self) -> None:
        assert self._pool is not None
        self._coming = self._pool.submit(next, self._blocks, None)

    def _come(self) -> list[bytes] | None:
        """The block that a thread reads; it goes on with the next one, behind a failure too."""
        coming, self._coming = self._coming, None
        try:
            records = None if coming is None else coming.result()
        except Exception:
            self._ask()
            raise
        if records is not None:
            self._ask()
        return records

    def close(self) -> None:
        if self._coming is not None and not self._coming.cancel():
            wait([self._coming])
        close = getattr(self._blocks, "close", None)
        if close is not None:
            close()


class TurnsCursor(Cursor):
    """Some files at a time, which threads read, a record of each in turn. Where one has ended its
    turn is over, and the next file has the turn after that."""

    def __init__(self, names: Cursor, opener: Opener, at_a_time: int, threads: int) -> None:
        self._names, self._opener, self._threads = names, opener, threads
        self._files: list[Cursor | None] = [None] * at_a_time
        self._turn = 0
        self._no_more = False  # names
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()

    def _take(self, count: int) -> Chunk:
        rounds = self._rounds(count)
        if not rounds:
            return super()._take(min(count, len(self._files)))
        cursors = [*self._files[self._turn :], *self._files[: self._turn]]
        files = [file for file in cursors if isinstance(file, BlocksCursor)]
        found: list[bytes] = [b""] * (rounds * len(files))
        for i, file in enumerate(files):
            found[i :: len(files)] = file.records(rounds)
        return Stacked((text_column(found),), len(found))

    def _rounds(self, count: int) -> int:
        """How often each file can have its turn before another block is read."""
        files = [file for file in self._files if file is not None]
        if not files or (len(files) < len(self._files) and not self._no_more):
            return 0
        here = [file.here() if isinstance(file, BlocksCursor) else 0 for file in files]
        return min(count // len(files), *here)

    def _next(self) -> Element | None:
        if self._pool is None:
            self._begin()
        elif self._process != os.getpid():
            raise blame.runtime_error(
                "the threads that read these files are in the process that was forked; make an "
                "iterator here"
            )
        while True:
            place = self._turn
            file = self._files[place]
            if file is None and not self._no_more:
                file = self._files[place] = self._opened()
            self._turn = (place + 1) % len(self._files)
            if file is not None:
                element = file.next()
                if element is not None:
                    return element
                file.close()
                self._files[place] = None
            elif self._no_more and not any(self._files):
                return None

    def _begin(self) -> None:
        """Open the first files, so that all are read at once. What is wrong with a name is told
        when its turn comes."""
        self._pool = pool(self, self._threads, "files")
        for place in range(len(self._files)):
            try:
                self._files[place] = self._opened()
            except Exception as failure:
                self._files[place] = _Failed(failure)
            if self._no_more:
                break

    def _opened(self) -> Cursor | None:
        file = opened_next(self._names, self._opener)
        self._no_more = file is None
        if isinstance(file, BlocksCursor):
            assert self._pool is not None
            file.read_by(self._pool)
        return file

    def close(self) -> None:
        for file in filter(None, self._files):
            file.close()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._names.close()


class _Failed(Cursor):
    """A file that could not be opened, which is told once."""

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def _take(self, count: int) -> Chunk:
        return NOTHING


def text_column(items: Sequence[bytes]) -> StringTensor:
    """Strings as a vector."""
    array = np.empty(len(items), object)
    array[:] = items
    return strings(array)


__all__ = ["BlocksCursor", "Opener", "TurnsCursor", "opened_next", "text_column"]
