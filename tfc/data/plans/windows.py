"""`window` and `group_by_window`: some elements as a dataset of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.nest import LEAF
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ..elements import NOTHING, Chunk, Element, ElementSpec, Loose, joined
from ..functions import ElementFunction
from ..nested import DatasetSpec
from ..plan import INFINITE, UNKNOWN, Cursor, Given, Places, Plan, Run
from .flattening import DatasetFunction, Pieces
from .mapping import named
from .sources import Held, Slices


def held(chunk: Chunk, spec: ElementSpec) -> Plan:
    """The plan of elements that are there."""
    columns = chunk.columns() if spec.dense else None
    return Held(chunk, spec) if columns is None else Slices(columns, spec)


class Window(Given):
    """Datasets of so many elements each: of every leaf a dataset of its own, in its place.

    Window i has the elements i * shift + k * stride for k below size, as far as there are any.
    """

    kind = "Window"

    def __init__(self, source: Plan, size: int, shift: int, stride: int, drops: bool) -> None:
        super().__init__()
        self.source, self._size, self._shift, self._stride = source, size, shift, stride
        self._drops = drops
        self.inputs = (source,)
        self._leaves = [ElementSpec((leaf,), LEAF) for leaf in source.spec.leaves]
        self._specs = [DatasetSpec.of(leaf) for leaf in self._leaves]
        self.spec = ElementSpec(self._specs, source.spec.structure)
        self.indexed = source.indexed
        self.varies = source.varies

    @property
    def cardinality(self) -> int:
        count = self.source.cardinality
        if count in (INFINITE, UNKNOWN):
            return count
        if self._drops:
            return max(0, (count - self.reach) // self._shift + 1)
        return -(-count // self._shift)

    @property
    def reach(self) -> int:
        """How many elements of the source a whole window goes over."""
        return (self._size - 1) * self._stride + 1

    @property
    def shift(self) -> int:
        return self._shift

    def whole(self, count: int) -> bool:
        """Whether a window may have so many elements."""
        return count == self._size or (not self._drops and count > 0)

    def strided(self, chunk: Chunk) -> Chunk:
        """Those elements of its reach that are in a window."""
        if self._stride == 1:
            return chunk
        return chunk.kept(np.arange(len(chunk)) % self._stride == 0)

    def datasets(self, chunk: Chunk) -> Element:
        """A window of these elements."""
        columns = chunk.columns() if self.source.spec.dense else None
        plans: list[Plan]
        if columns is not None:
            plans = [Slices((c,), s) for c, s in zip(columns, self._leaves, strict=True)]
        else:
            parts = zip(*chunk.elements(), strict=True)
            pairs = zip(parts, self._leaves, strict=True)
            plans = [held(Loose([(leaf,) for leaf in part]), s) for part, s in pairs]
        return tuple([s.dataset(plan) for s, plan in zip(self._specs, plans, strict=True)])

    def element(self, place: int, run: Run) -> Element:
        rows = place * self._shift + np.arange(self._size) * self._stride
        count = self.source.cardinality
        if count != INFINITE:
            rows = rows[rows < count]
        return self.datasets(self.source.elements(rows, run.children[0]))

    def elements(self, places: Places, run: Run) -> Chunk:
        return Loose([self.element(int(place), run) for place in places])

    def stream(self, run: Run) -> Cursor:
        return _WindowCursor(self, self.source.cursor(run.children[0]))

    def describe(self) -> str:
        more = f", {self._shift} later each" if self._shift != self._size else ""
        return f"window {self._size}{more}"


class _WindowCursor(Cursor):
    def __init__(self, plan: Window, source: Cursor) -> None:
        self._plan, self._source = plan, source
        self._read: Chunk = NOTHING  # what the next window begins with
        self._gap = 0  # how many elements of the source come before that

    def _next(self) -> Element | None:
        plan = self._plan
        self._fill(plan.reach)
        found = plan.strided(self._read.part(0, plan.reach))
        if not plan.whole(len(found)):
            return None
        self._advance(1)
        return plan.datasets(found)

    def _fill(self, count: int) -> None:
        """Read on until so many elements are there, or there are no more."""
        gap, self._gap = self._gap, 0
        if gap:
            self._gap = gap - self._source.skip(gap)
            if self._gap:
                return
        while len(self._read) < count:
            chunk = self._source.take(count - len(self._read))
            if not len(chunk):
                break
            self._read = joined([self._read, chunk]) if len(self._read) else chunk

    def _advance(self, windows: int) -> None:
        """Go on by so many windows, without reading what is in none."""
        far = windows * self._plan.shift
        self._gap += max(0, far - len(self._read))
        self._read = self._read.part(min(far, len(self._read)), len(self._read))

    def close(self) -> None:
        self._source.close()


class GroupByWindow(Plan):
    """The elements of what a function makes of groups: of so many elements with one key.

    Args:
        source: The elements.
        key: A function of an element: which group it belongs to.
        reduce: A function of a key and the dataset of a whole group.
        size: How many elements a group has, or a function of the key that says it.
    """

    kind = "GroupByWindow"
    varies = redraws = True

    def __init__(
        self,
        source: Plan,
        key: ElementFunction,
        reduce: DatasetFunction,
        size: int | ElementFunction,
    ) -> None:
        super().__init__()
        self.source, self.key, self.reduce, self._size = source, key, reduce, size
        self.inputs = (source,)
        self.spec = reduce.elements
        self.sees_variables = True

    def size(self, key: int) -> int:
        """How many elements a group with this key has."""
        if isinstance(self._size, int):
            return self._size
        (found,) = self._size.one(wrap(np.array(key, np.int64)))
        size = int(found)
        if size < 1:
            raise blame.invalid(f"Window size must be greater than zero, but got {size}.", self.op)
        return size

    @property
    def op(self) -> str:
        return self.key.op

    @property
    def fixed(self) -> int | None:
        """The size of all groups, where it is the same."""
        return self._size if isinstance(self._size, int) else None

    def stream(self, run: Run) -> Cursor:
        return _GroupCursor(self, self.source.cursor(run.children[0]), run)

    def describe(self) -> str:
        return f"group_by_window {named(self.key.python)}"


class _GroupCursor(Pieces):
    def __init__(self, plan: GroupByWindow, source: Cursor, run: Run) -> None:
        self._plan, self._source, self._run = plan, source, run
        self._groups: dict[int, list[Element]] = {}
        self._sizes: dict[int, int] = {}
        self._keyed: list[tuple[int, Element]] = []  # read, and in no group yet
        self._unkeyed: list[Element] = []  # the last one first
        self._number = 0
        self._ended = False
        self._inner: Cursor | None = None

    def _piece(self, count: int) -> Chunk:
        while True:
            if self._inner is not None:
                chunk = self._inner.take(count)
                if len(chunk):
                    return chunk
                self._inner.close()
                self._inner = None
            elif self._keyed:
                self._add(*self._keyed.pop(0))
            elif self._unkeyed:
                self._find_keys()
            elif not self._ended:
                self._read()
            elif self._groups:
                self._reduced(min(self._groups))
            else:
                return NOTHING

    def _read(self) -> None:
        """Read elements and find their keys: no more than the fullest group still takes."""
        fixed = self._plan.fixed
        fullest = max(map(len, self._groups.values()), default=0)
        many = 1 if fixed is None else min(max(1, fixed - fullest), _READ_AT_ONCE)
        chunk = self._source.take(many)
        self._ended = not len(chunk)
        function = self._plan.key
        try:
            found = function.of_many(chunk)
            keys = None if found is None else found.columns()
            if keys is not None:
                self._keyed += zip(keys[0]._array.tolist(), chunk.elements(), strict=True)
                return
        except Exception:  # one of them: which?
            pass
        self._unkeyed = chunk.elements()[::-1]
        self._find_keys()

    def _find_keys(self) -> None:
        """The keys of elements, one by one."""
        while self._unkeyed:
            element = self._unkeyed.pop()
            (key,) = self._plan.key.one(*element)
            self._keyed.append((int(key), element))

    def _add(self, key: int, element: Element) -> None:
        group = self._groups.setdefault(key, [])
        if key not in self._sizes:
            self._sizes[key] = self._plan.size(key)
        group.append(element)
        if len(group) == self._sizes[key]:
            self._reduced(key)

    def _reduced(self, key: int) -> None:
        """A group is whole: what the function makes of it comes next."""
        group = self._groups.pop(key)
        self._sizes.pop(key, None)
        plan = self._plan
        dataset = DatasetSpec.of(plan.source.spec).dataset(held(Loose(group), plan.source.spec))
        number = self._number
        self._number += 1
        element = (wrap(np.array(key, np.int64)), dataset)
        self._inner = plan.reduce.cursor(element, self._run, number)

    def close(self) -> None:
        if self._inner is not None:
            self._inner.close()
        self._source.close()


_READ_AT_ONCE = 256


def grouped(
    source: Plan,
    key: Callable[..., Any],
    reduce: Callable[..., Any],
    size: int | Callable[..., Any],
    op: str,
) -> Plan:
    """The plan of `group_by_window`.

    Raises:
        ValueError: If a function returns no int64 scalar where it should.
    """
    key_function = ElementFunction(key, source.spec, op, source.first)
    _integer(key_function, "key_func")
    pair = ElementSpec.of((TensorSpec([], int64), DatasetSpec.of(source.spec)))

    def example() -> Element | None:
        first = source.first()
        if first is None:
            return None
        (found,) = key_function.one(*first)
        return found, DatasetSpec.of(source.spec).dataset(held(Loose([first]), source.spec))

    reduce_function = DatasetFunction(reduce, pair, op, example)
    if isinstance(size, int):
        return GroupByWindow(source, key_function, reduce_function, size)
    size_function = ElementFunction(size, ElementSpec.of(TensorSpec([], int64)), op)
    _integer(size_function, "window_size_func")
    return GroupByWindow(source, key_function, reduce_function, size_function)


def _integer(function: ElementFunction, what: str) -> None:
    leaves = function.output.leaves
    good = len(leaves) == 1 and isinstance(leaves[0], TensorSpec)
    if not good or leaves[0].dtype is not int64 or leaves[0].shape.rank:
        raise blame.value_error(
            f"Invalid `{what}`. `{what}` must return a single `tf.int64` scalar tensor, and "
            f"returns {function.output}.",
            function.op,
        )


__all__ = ["GroupByWindow", "Window", "grouped", "held"]
