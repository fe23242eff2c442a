"""`flat_map` and `interleave`: the elements of the datasets that a function makes of elements."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from ...core import blame
from ...core.formatting import shown
from ..elements import NOTHING, Chunk, Element, ElementSpec, joined
from ..functions import ElementFunction
from ..nested import DatasetSpec
from ..plan import UNKNOWN, Cursor, Plan, Run, begin_inner
from ..threads import pool
from .mapping import named
from .shuffling import SeedScope


class DatasetFunction(ElementFunction):
    """A user's function of an element that gives a dataset: it is called with each element."""

    gives_dataset = True

    def __init__(
        self,
        python: Callable[..., object],
        spec: ElementSpec,
        op: str,
        example: Callable[[], Element | None] = lambda: None,
    ) -> None:
        super().__init__(python, spec, op, example)
        self._seeds = SeedScope()
        leaves = self.output.leaves
        if len(leaves) != 1 or not isinstance(leaves[0], DatasetSpec):
            raise blame.type_error(
                "The `map_func` argument must return a `Dataset` object. The function must return "
                f"a Dataset, and returns {self.output}",
                op,
            )
        self.elements: ElementSpec = leaves[0].inner

    def plan(self, *leaves: object) -> Plan:
        """The plan of the dataset for an element.

        Raises:
            TypeError: If its elements are others than those for placeholders were.
        """
        with self._seeds:
            found = self.one(*leaves)
        plan = getattr(found[0], "_plan", None) if len(found) == 1 else None
        if not isinstance(plan, Plan):
            raise blame.type_error(f"the function returned {shown(found[0])}, no Dataset", self.op)
        if not self.elements.covers(plan.spec):
            raise blame.type_error(
                f"the function returned a dataset of {plan.spec}, where {self.elements} was "
                "expected",
                self.op,
            )
        return plan

    def cursor(self, element: Element, run: Run, number: int) -> Cursor:
        """A cursor of the dataset for the element with this number."""
        plan = self.plan(*element)
        drawn = mixed(run.epoch, *run.turns, number)
        return plan.cursor(begin_inner(plan, drawn, run.how, run.streams))


def mixed(*numbers: int) -> int:
    """A number below 2**63 that follows from some others, and differs where they do."""
    found = len(numbers)
    for number in numbers:
        found = ((found ^ number) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        found ^= found >> 29
    return found >> 1


class FlatMap(Plan):
    """The elements of the datasets that a function makes of elements, one after another."""

    kind = "FlatMap"
    varies = redraws = True

    def __init__(self, source: Plan, function: DatasetFunction) -> None:
        super().__init__()
        self.source, self.function = source, function
        self.inputs = (source,)
        self.spec = function.elements
        self.sees_variables = True

    @property
    def cardinality(self) -> int:
        return 0 if self.source.cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _FlatMapCursor(self.source.cursor(run.children[0]), self.function, run)

    def describe(self) -> str:
        return f"flat_map {named(self.function.python)}"


class Pieces(Cursor):
    """The base of cursors whose elements come in pieces: a subclass has `_piece`, which gives some
    of the next elements, and none only where there are no more."""

    def _piece(self, count: int) -> Chunk:
        raise NotImplementedError

    def _take(self, count: int) -> Chunk:
        found: list[Chunk] = []
        left = count
        try:
            while left:
                chunk = self._piece(left)
                if not len(chunk):
                    break
                found.append(chunk)
                left -= len(chunk)
        except Exception as failure:
            if not found:
                raise
            self._failure = failure
        return joined(found)


class _FlatMapCursor(Pieces):
    def __init__(self, source: Cursor, function: DatasetFunction, run: Run) -> None:
        self._source, self._function, self._run = source, function, run
        self._number = 0  # of the next element of the source
        self._inner: Cursor | None = None

    def _open(self) -> Cursor | None:
        """The dataset that is gone through; None where there are no more."""
        if self._inner is None:
            element = self._source.next()
            if element is None:
                return None
            self._number += 1
            self._inner = self._function.cursor(element, self._run, self._number - 1)
        return self._inner

    def _piece(self, count: int) -> Chunk:
        while (inner := self._open()) is not None:
            chunk = inner.take(count)
            if len(chunk):
                return chunk
            self._close()
        return NOTHING

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and (inner := self._open()) is not None:
            step = inner.skip(count - done)
            if done + step < count:
                self._close()
            done += step
        return done

    def _close(self) -> None:
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.close()

    def close(self) -> None:
        self._close()
        self._source.close()


class Interleave(FlatMap):
    """The elements of several such datasets in turns, so many of each at a time.

    Args:
        source: The elements.
        function: Makes a dataset of one.
        cycle: How many datasets are open.
        block: How many elements of each come in its turn.
        calls: How many threads read them ahead, 0 for none.
    """

    kind = "Interleave"

    def __init__(
        self, source: Plan, function: DatasetFunction, cycle: int, block: int, calls: int
    ) -> None:
        super().__init__(source, function)
        self._cycle, self._block, self._calls = cycle, block, calls
        if calls:
            self.kind = "ParallelInterleave"  # type: ignore[misc]

    def stream(self, run: Run) -> Cursor:
        source = self.source.cursor(run.children[0])
        calls = self._calls if run.threads is None else min(self._calls, run.threads)
        if not calls:
            return _InterleaveCursor(source, self.function, run, self._cycle, self._block)
        return _ParallelInterleaveCursor(
            source, self.function, run, self._cycle, self._block, calls
        )

    def describe(self) -> str:
        threads = f", {self._calls} threads" if self._calls else ""
        name = named(self.function.python)
        return f"interleave {name}, {self._cycle} at a time, {self._block} of each{threads}"


class _InterleaveCursor(Pieces):
    """The order is TensorFlow's: a dataset that has ended leaves its place empty until its turn
    comes again, when the next one is opened there."""

    def __init__(
        self, source: Cursor, function: DatasetFunction, run: Run, cycle: int, block: int
    ) -> None:
        self._source, self._function, self._run = source, function, run
        self._open: list[Cursor | None] = [None] * cycle
        self._block = block
        self._turn = 0  # whose turn it is
        self._given = 0  # how many elements of its block it has given
        self._number = 0
        self._ended = False  # whether the source has

    def _piece(self, count: int) -> Chunk:
        while not self._ended or any(inner is not None for inner in self._open):
            inner = self._open[self._turn]
            if inner is not None:
                chunk = inner.take(min(count, self._block - self._given))
                if len(chunk):
                    self._given += len(chunk)
                    if self._given == self._block:
                        self._pass_on()
                    return chunk
                self._open[self._turn] = None
                inner.close()
                self._pass_on()
            elif not self._ended:
                element = self._source.next()
                self._ended = element is None
                if element is not None:
                    self._number += 1
                    self._open[self._turn] = self._function.cursor(
                        element, self._run, self._number - 1
                    )
            else:
                self._pass_on()
        return NOTHING

    def _pass_on(self) -> None:
        self._turn = (self._turn + 1) % len(self._open)
        self._given = 0

    def close(self) -> None:
        for inner in self._open:
            if inner is not None:
                inner.close()
        self._source.close()


class _Reader:
    """A dataset of which a thread has read the next block: `ready` is that."""

    def __init__(self, open_: Callable[[], Cursor], block: int) -> None:
        self._open, self._block = open_, block
        self._cursor: Cursor | None = None
        self.rest: Chunk = NOTHING  # of a block, and not given yet
        self.ready: Future[Chunk] | None = None

    def read(self) -> Chunk:
        """The next elements, at most a block of them."""
        if self._cursor is None:
            self._cursor = self._open()
        return self._cursor.take(self._block)

    @property
    def opened(self) -> bool:
        return self._cursor is not None

    def close(self) -> None:
        if self._cursor is not None:
            self._cursor.close()


class _ParallelInterleaveCursor(Pieces):
    """The same order. A pool of threads opens all datasets of the cycle, and reads the next
    elements of each, a block at most, while those of the others are used."""

    def __init__(
        self,
        source: Cursor,
        function: DatasetFunction,
        run: Run,
        cycle: int,
        block: int,
        calls: int,
    ) -> None:
        self._source, self._function, self._run = source, function, run
        self._cycle, self._block, self._calls = cycle, block, calls
        self._readers: list[_Reader | None] = []
        self._pool: ThreadPoolExecutor | None = None
        self._turn = self._given = self._number = 0
        self._ended = False
        self._process = os.getpid()

    def _started(self) -> ThreadPoolExecutor:
        if self._process != os.getpid():
            raise blame.runtime_error(
                "interleave: the threads of this iterator are in the process that was forked; make "
                "an iterator here"
            )
        if self._pool is None:
            self._pool = pool(self, self._calls, "interleave")
            while len(self._readers) < self._cycle:
                self._readers.append(self._next_reader())
        return self._pool

    def _next_reader(self) -> _Reader | None:
        """The next dataset, which a thread opens."""
        element = None if self._ended else self._source.next()
        if element is None:
            self._ended = True
            return None
        function, run, number = self._function, self._run, self._number
        self._number += 1
        reader = _Reader(lambda: function.cursor(element, run, number), self._block)
        self._ask(reader)
        return reader

    def _ask(self, reader: _Reader) -> None:
        assert self._pool is not None
        reader.ready = self._pool.submit(reader.read)

    def _piece(self, count: int) -> Chunk:
        self._started()
        while any(reader is not None for reader in self._readers):
            reader = self._readers[self._turn]
            if reader is None:
                self._pass_on()
                continue
            if not len(reader.rest):
                assert reader.ready is not None
                try:
                    chunk = reader.ready.result()
                except Exception:
                    if reader.opened:
                        self._ask(reader)
                    else:  # there is no dataset: the next one has its place
                        self._readers[self._turn] = self._next_reader()
                    raise
                if not len(chunk):
                    reader.close()
                    self._readers[self._turn] = self._next_reader()
                    self._pass_on()
                    continue
                reader.rest = chunk
                self._ask(reader)
            most = min(count, self._block - self._given)
            given, reader.rest = (
                reader.rest.part(0, min(most, len(reader.rest))),
                reader.rest.part(min(most, len(reader.rest)), len(reader.rest)),
            )
            self._given += len(given)
            if self._given == self._block:
                self._pass_on()
            return given
        return NOTHING

    def _pass_on(self) -> None:
        self._turn = (self._turn + 1) % self._cycle
        self._given = 0

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        for reader in self._readers:
            if reader is not None:
                reader.close()
        self._source.close()


__all__ = ["DatasetFunction", "FlatMap", "Interleave", "Pieces", "mixed"]
