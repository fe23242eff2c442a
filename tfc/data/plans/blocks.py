"""Files that are read block by block, one or several at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

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


class _Block:
    """A block that is to be read: by a thread, or by who needs it, whoever comes first."""

    __slots__ = ("failure", "read", "records")

    def __init__(self) -> None:
        self.read = False
        self.records: list[bytes] | None = None  # none behind the last block
        self.failure: Exception | None = None


class BlocksCursor(Cursor):
    """A file as blocks of records.

    Ctrl-C may come anywhere in here, and nothing gets lost: a block stays where it is until its
    records stand in the cursor, and a file whose reading was broken off is opened once more.

    Args:
        opened: Gives the blocks, from the first one on, each time that it is called.
        packed: Whether they have to be unpacked, which lets other threads run.
    """

    def __init__(self, opened: Callable[[], Iterator[list[bytes]]], packed: bool = False) -> None:
        self._opened, self.packed = opened, packed
        self._blocks: Iterator[list[bytes]] | None = None
        self._number = 0  # of blocks that were read
        self._reading = threading.Lock()
        self._records: list[bytes] = []
        self._place = 0
        self._pool: ThreadPoolExecutor | None = None
        self._coming: _Block | None = None
        self._closed = False

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

    # Python looks for signals behind calls: there is none between lines that belong together.

    def _ready(self) -> bool:
        """Whether there is a record."""
        while self._place >= len(self._records):
            coming = self._coming
            if coming is None:
                coming = self._coming = _Block()
            self._read(coming)
            if coming.failure is not None:
                self._coming = None
                self._ask()
                raise coming.failure
            if coming.records is None:
                return False
            self._records, self._place, self._coming = coming.records, 0, None
            self._ask()
        return True

    def _ask(self) -> None:
        """Have a thread read the next block, where threads do that."""
        if self._pool is not None and self._coming is None:
            self._coming = block = _Block()
            self._pool.submit(self._read, block)

    def _read(self, block: _Block) -> None:
        """Read a block, unless somebody has."""
        if block.read:
            return
        with self._reading:
            if block.read or self._closed:
                return
            if self._blocks is None:
                blocks = self._opened()
                for _ in range(self._number):
                    next(blocks)
                self._blocks = blocks
            try:
                found = next(self._blocks, None)
            except Exception as failure:
                block.failure = failure
            except BaseException:
                self._blocks = None  # it has ended, and is to begin again
                raise
            else:
                block.records = found
                self._number += 1
            block.read = True

    def close(self) -> None:
        self._closed = True
        with self._reading:  # waits for the thread that reads
            self._blocks = None


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
