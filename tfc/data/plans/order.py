"""Which elements come, and in which order: take, skip, shard, repeat, shuffle.

On an indexed plan each of these changes numbers and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.specs import TensorSpec
from ..elements import Chunk, Columns, Element, Loose, joined
from ..plan import INFINITE, UNKNOWN, Cursor, Places, Plan, Run


class Reordered(Plan):
    """The base: elements of one input, at other places."""

    def __init__(self, source: Plan) -> None:
        super().__init__()
        self.source = source
        self.inputs = (source,)
        self.spec = source.spec
        self.indexed, self.stackable = source.indexed, source.stackable
        self.computes, self.varies = source.computes, source.varies
        self.by_rows = source.by_rows

    @property
    def packs(self) -> bool:
        return self.source.packs

    def moved(self, places: Places, run: Run) -> Places:
        """Where the elements at these places are in the input."""
        raise NotImplementedError

    def stacked_specs(self) -> list[TensorSpec]:
        return self.source.stacked_specs()

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        return self.source.stacked_inputs(self.moved(places, run), run.children[0])

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return self.source.stacked(inputs)

    def single_specs(self) -> list[TensorSpec]:
        return self.source.single_specs()

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        moved = self.moved(np.array([place], np.int64), run)
        return self.source.single_inputs(int(moved[0]), run.children[0])

    def single(self, inputs: Iterator[Any]) -> Element:
        return self.source.single(inputs)

    def elements(self, places: Places, run: Run) -> Chunk:
        return self.source.elements(self.moved(places, run), run.children[0])

    def element(self, place: int, run: Run) -> Element:
        moved = self.moved(np.array([place], np.int64), run)
        return self.source.element(int(moved[0]), run.children[0])


class Take(Reordered):
    """The first elements."""

    kind = "Take"

    def __init__(self, source: Plan, count: int) -> None:
        super().__init__(source)
        self._count = INFINITE if count < 0 else count

    @property
    def cardinality(self) -> int:
        size, count = self.source.cardinality, self._count
        if count == INFINITE or count == 0:
            return size if count else 0
        if size == UNKNOWN:
            return UNKNOWN
        return count if size == INFINITE else min(size, count)

    def moved(self, places: Places, run: Run) -> Places:
        return places

    def stream(self, run: Run) -> Cursor:
        cursor = self.source.cursor(run.children[0])
        return cursor if self._count == INFINITE else _TakeCursor(cursor, self._count)

    def describe(self) -> str:
        return f"take {self._count}"


class _TakeCursor(Cursor):
    def __init__(self, source: Cursor, count: int) -> None:
        self._source, self._left = source, count

    def _take(self, count: int) -> Chunk:
        count = min(count, self._left)
        if not count:
            return Loose([])
        chunk = self._source.take(count)
        self._left -= len(chunk)
        return chunk

    def _skip(self, count: int) -> int:
        done = self._source.skip(min(count, self._left))
        self._left -= done
        return done

    def close(self) -> None:
        self._source.close()


class Skip(Reordered):
    """All but the first elements."""

    kind = "Skip"

    def __init__(self, source: Plan, count: int) -> None:
        super().__init__(source)
        self._count = INFINITE if count < 0 else count

    @property
    def cardinality(self) -> int:
        size = self.source.cardinality
        if self._count == INFINITE:
            return 0
        return size if size in (INFINITE, UNKNOWN) else max(0, size - self._count)

    def moved(self, places: Places, run: Run) -> Places:
        return places + self._count

    def stream(self, run: Run) -> Cursor:
        return _SkipCursor(self.source.cursor(run.children[0]), self._count)

    def describe(self) -> str:
        return f"skip {'all' if self._count == INFINITE else self._count}"


class _SkipCursor(Cursor):
    def __init__(self, source: Cursor, count: int) -> None:
        self._source, self._before = source, count

    def _take(self, count: int) -> Chunk:
        self._begin()
        return self._source.take(count)

    def _skip(self, count: int) -> int:
        self._begin()
        return self._source.skip(count)

    def _begin(self) -> None:
        before, self._before = self._before, 0
        if before == INFINITE:
            while self._source.skip(1 << 20):
                pass
        elif before:
            self._source.skip(before)

    def close(self) -> None:
        self._source.close()


class Shard(Reordered):
    """Every so-many-th element."""

    kind = "Shard"

    def __init__(self, source: Plan, shards: int, index: int) -> None:
        super().__init__(source)
        self._shards, self._index = shards, index

    @property
    def cardinality(self) -> int:
        size = self.source.cardinality
        if size in (INFINITE, UNKNOWN):
            return size
        return max(0, -((self._index - size) // self._shards))

    def moved(self, places: Places, run: Run) -> Places:
        return places * self._shards + self._index

    def stream(self, run: Run) -> Cursor:
        return _ShardCursor(self.source.cursor(run.children[0]), self._shards, self._index)

    def describe(self) -> str:
        return f"shard {self._index} of {self._shards}"


class _ShardCursor(Cursor):
    def __init__(self, source: Cursor, shards: int, index: int) -> None:
        self._source, self._gap, self._before = source, shards - 1, index

    def _next(self) -> Element | None:
        before, self._before = self._before, self._gap
        if before and self._source.skip(before) < before:
            return None
        return self._source.next()

    def _skip(self, count: int) -> int:
        if not count:
            return 0
        before, self._before = self._before, self._gap
        wanted = before + (count - 1) * (self._gap + 1) + 1
        done = self._source.skip(wanted)
        return max(0, -(-(done - before) // (self._gap + 1)))

    def close(self) -> None:
        self._source.close()


class Repeat(Reordered):
    """The same again; a number of times, or for ever."""

    kind = "Repeat"

    def __init__(self, source: Plan, count: int) -> None:
        super().__init__(source)
        self._count = INFINITE if count < 0 else count
        size = source.cardinality
        self.indexed = source.indexed and size != INFINITE and size > 0

    @property
    def cardinality(self) -> int:
        size, count = self.source.cardinality, self._count
        if not count or not size:
            return 0
        if size == UNKNOWN:
            return INFINITE if count == INFINITE else UNKNOWN
        return INFINITE if INFINITE in (size, count) else size * count

    def moved(self, places: Places, run: Run) -> Places:
        return places % self.source.cardinality

    def _turn(self, run: Run, turn: int) -> Run:
        """The input's run of one repetition; the last one is kept."""
        if not self.source.varies:
            return run.children[0]
        if run.kept is None or run.kept[0] != turn:
            run.kept = turn, run.children[0].turned(turn)
        found: Run = run.kept[1]
        return found

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        size = self.source.cardinality
        parts = []
        for turn, part in self._turns(places):
            parts.append(self.source.stacked_inputs(part % size, self._turn(run, turn)))
        if len(parts) == 1:
            return parts[0]
        from ...ops.array.joining import concat

        return [concat(list(pieces), 0) for pieces in zip(*parts, strict=True)]

    def _turns(self, places: Places) -> list[tuple[int, Places]]:
        """The places in order, in pieces of one repetition each."""
        if not self.source.varies or not len(places):
            return [(0, places)]
        turns = places // self.source.cardinality
        cuts = np.flatnonzero(np.diff(turns)) + 1
        return [(int(part[0] // self.source.cardinality), part) for part in np.split(places, cuts)]

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        turn, moved = divmod(place, self.source.cardinality)
        return self.source.single_inputs(moved, self._turn(run, turn))

    def elements(self, places: Places, run: Run) -> Chunk:
        size = self.source.cardinality
        return joined(
            [
                self.source.elements(part % size, self._turn(run, turn))
                for turn, part in self._turns(places)
            ]
        )

    def element(self, place: int, run: Run) -> Element:
        turn, moved = divmod(place, self.source.cardinality)
        return self.source.element(moved, self._turn(run, turn))

    def stream(self, run: Run) -> Cursor:
        return _RepeatCursor(self.source, run.children[0], self._count)

    def describe(self) -> str:
        return "repeat" if self._count == INFINITE else f"repeat {self._count} times"


class _RepeatCursor(Cursor):
    def __init__(self, plan: Plan, run: Run, count: int) -> None:
        self._plan, self._run, self._count = plan, run, count
        self._turn = 0
        self._source: Cursor | None = None
        self._found = False  # whether this repetition has had an element

    def _take(self, count: int) -> Chunk:
        while self._opened():
            assert self._source is not None
            chunk = self._source.take(count)
            if len(chunk):
                self._found = True
                return chunk
            self._turned()
        return Loose([])

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and self._opened():
            assert self._source is not None
            step = self._source.skip(count - done)
            self._found = self._found or step > 0
            if done + step < count:
                self._turned()
            done += step
        return done

    def _opened(self) -> bool:
        if self._source is None and self._turn != self._count:
            self._source = self._plan.cursor(self._run.turned(self._turn))
            self._found = False
        return self._source is not None

    def _turned(self) -> None:
        """The input has ended: once more, unless it has nothing to give."""
        self.close()
        self._source = None
        self._turn = self._turn + 1 if self._found else self._count

    def close(self) -> None:
        if self._source is not None:
            self._source.close()


__all__ = ["Reordered", "Repeat", "Shard", "Skip", "Take"]
