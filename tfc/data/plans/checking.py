"""What looks at elements and lets them through: unique, ignore_errors, assert_cardinality; and
options, which no element depends on."""

from __future__ import annotations

import logging
from typing import Any

from ...core import blame, errors
from ...core.context import user_location
from ..elements import NOTHING, Chunk, Element
from ..plan import INFINITE, UNKNOWN, Cursor, How, Places, Plan, Run
from .order import Reordered

_log = logging.getLogger(__name__)


class Unique(Plan):
    """The elements that were not there before."""

    kind = "Unique"

    def __init__(self, source: Plan) -> None:
        super().__init__()
        self.source = source
        self.inputs = (source,)
        self.spec, self.varies = source.spec, source.varies
        if len(source.spec.leaves) != 1 or not source.spec.dense:
            raise blame.type_error(
                f"unique takes elements of one tensor each, and these are {source.spec}", "unique"
            )

    @property
    def cardinality(self) -> int:
        return 0 if self.source.cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _UniqueCursor(self.source.cursor(run.children[0]))


class _UniqueCursor(Cursor):
    def __init__(self, source: Cursor) -> None:
        self._source = source
        self._known: set[Any] = set()

    def _next(self) -> Element | None:
        while (element := self._source.next()) is not None:
            array = element[0]._array
            key = array.item() if not array.ndim else (array.shape, *array.reshape(-1).tolist())
            if key not in self._known:
                self._known.add(key)
                return element
        return None

    def close(self) -> None:
        self._source.close()


class IgnoreErrors(Plan):
    """The elements that can be computed."""

    kind = "IgnoreErrors"

    def __init__(self, source: Plan, logs: bool) -> None:
        super().__init__()
        self.source, self._logs = source, logs
        self.inputs = (source,)
        self.spec, self.varies = source.spec, source.varies

    @property
    def cardinality(self) -> int:
        return 0 if self.source.cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _IgnoringCursor(self.source.cursor(run.children[0]), self._logs)


class _IgnoringCursor(Cursor):
    def __init__(self, source: Cursor, logs: bool) -> None:
        self._source, self._logs = source, logs

    def _take(self, count: int) -> Chunk:
        while True:
            try:
                return self._source.take(count)
            except Exception as failure:
                if self._logs:
                    _log.warning("Error raised with error message %s", failure)

    def close(self) -> None:
        self._source.close()


class Asserted(Reordered):
    """The same elements, of which there are to be so many."""

    kind = "AssertCardinality"

    def __init__(self, source: Plan, count: int) -> None:
        super().__init__(source)
        self._count = count
        # Of the elements of an indexed plan the number is known.
        self.indexed = source.indexed and source.cardinality == count

    @property
    def cardinality(self) -> int:
        return self._count

    def moved(self, places: Places, run: Run) -> Places:
        return places

    def stream(self, run: Run) -> Cursor:
        return _AssertedCursor(self.source.cursor(run.children[0]), self._count)

    def describe(self) -> str:
        return "assert_cardinality"


class _AssertedCursor(Cursor):
    def __init__(self, source: Cursor, count: int) -> None:
        self._source, self._count = source, count
        self._done = 0
        self._told = False  # whether it has failed: then that is the end

    def _take(self, count: int) -> Chunk:
        if self._told:
            return NOTHING
        chunk = self._source.take(count)
        self._seen(len(chunk), not len(chunk))
        return chunk

    def _skip(self, count: int) -> int:
        done = self._source.skip(count)
        self._seen(done, done < count)
        return done

    def _seen(self, count: int, ended: bool) -> None:
        self._done += count
        if self._count != INFINITE and self._done > self._count:
            raise self._wrong(f"contained at least {_counted(self._done)}")
        if ended and self._done != self._count:
            raise self._wrong(f"contained only {_counted(self._done)}")

    def _wrong(self, what: str) -> Exception:
        self._told = True
        infinite = self._count == INFINITE
        wanted = "an infinite number of elements" if infinite else _counted(self._count)
        return errors.FailedPreconditionError(
            f"Input dataset was expected to contain {wanted} but {what}.",
            op="assert_cardinality",
            location=user_location(),
        )

    def close(self) -> None:
        self._source.close()


class WithOptions(Reordered):
    """The same elements; with what is said of how they are made."""

    kind = "Options"

    def __init__(self, source: Plan, options: Any) -> None:
        super().__init__(source)
        self.options = options

    def narrowed(self, how: How) -> How:
        options = self.options
        injected = options.experimental_optimization.inject_prefetch is not False
        ahead = how.ahead and options.autotune.enabled is not False and injected
        return How(options.threading.private_threadpool_size or how.threads, ahead)

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def moved(self, places: Places, run: Run) -> Places:
        return places

    def opened(self, run: Run) -> Cursor:
        return self.source.cursor(run.children[0])

    def slices(self) -> tuple[Plan, int] | None:
        return self.source.slices()


def _counted(count: int) -> str:
    return f"{count} element{'' if count == 1 else 's'}"


__all__ = ["Asserted", "IgnoreErrors", "Unique", "WithOptions"]
