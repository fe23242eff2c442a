"""`unbatch` and `rebatch`: the rows of elements, and other batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import string

from ...core import blame
from ...core.specs import TensorSpec
from ...core.tensor import StringTensor, Tensor, wrap
from .. import composites
from ..elements import (
    NOTHING,
    Chunk,
    Element,
    ElementSpec,
    Stacked,
    row_spec,
    stacked_spec,
)
from ..packing import batched, rows_of
from ..plan import INFINITE, UNKNOWN, Cursor, Plan, Run
from .batching import taken


def has_rows(leaf: Any) -> bool:
    """Whether it is the spec of what has rows: no None, nor a dataset."""
    return composites.components(leaf) != [leaf] or hasattr(leaf, "shape")


class Unbatch(Plan):
    """The rows of elements, one after another."""

    kind = "Unbatch"

    def __init__(self, source: Plan) -> None:
        super().__init__()
        self.source = source
        self.inputs = (source,)
        for leaf in [part for own in source.spec.leaves for part in composites.components(own)]:
            shape = getattr(leaf, "shape", None)
            if shape is not None and shape.rank == 0:
                raise blame.value_error(
                    f"Cannot unbatch an input with scalar components: {leaf}", "unbatch"
                )
        self.spec = source.spec.map(lambda leaf: row_spec(leaf) if has_rows(leaf) else leaf)
        self.varies = source.varies
        if len(self._known()) > 1:
            raise blame.value_error(
                "`unbatch()` is only supported for datasets of elements whose components have a "
                f"matching leading dimension: they have different ones in {source.spec}",
                "unbatch",
            )

    def _known(self) -> set[int]:
        """How many rows elements have, as far as their specs say it."""
        leaves = self.source.spec.leaves
        dense = [leaf for leaf in leaves if isinstance(leaf, TensorSpec) and leaf.shape.rank]
        return {leaf.shape[0] for leaf in dense} - {None}

    @property
    def cardinality(self) -> int:
        """As many as all have rows, where their specs say it."""
        count = self.source.cardinality
        rows = self._known()
        if count == 0 or 0 in rows:
            return 0
        if count == UNKNOWN or len(rows) != 1:
            return UNKNOWN
        return INFINITE if count == INFINITE else count * rows.pop()

    def stream(self, run: Run) -> Cursor:
        source = self.source
        return UnbatchCursor(source.cursor(run.children[0]), source.spec, self.spec)


def rows_of_element(element: Element, spec: ElementSpec, rows: ElementSpec) -> Chunk:
    """The rows of an element of a spec, whose spec is another one.

    Raises:
        InvalidArgumentError: If its leaves have different numbers of rows.
    """
    if all(isinstance(leaf, Tensor | StringTensor) for leaf in element):
        counts = {leaf._array.shape[0] for leaf in element}
        if len(counts) == 1:
            return Stacked(element, counts.pop())
    return rows_of(element, spec.leaves, rows)


class UnbatchCursor(Cursor):
    """A cursor of `unbatch`."""

    def __init__(self, source: Cursor, spec: ElementSpec, rows: ElementSpec) -> None:
        self._source, self._spec, self._row = source, spec, rows
        self._rows: Chunk = NOTHING

    def _take(self, count: int) -> Chunk:
        while not len(self._rows):
            element = self._source.next()
            if element is None:
                return NOTHING
            self._rows = rows_of_element(element, self._spec, self._row)
        found, self._rows = (
            self._rows.part(0, min(count, len(self._rows))),
            self._rows.part(min(count, len(self._rows)), len(self._rows)),
        )
        return found

    def close(self) -> None:
        self._source.close()


class Rebatch(Plan):
    """The rows of elements in batches of other sizes, which are taken in turns."""

    kind = "Rebatch"

    def __init__(self, source: Plan, sizes: Sequence[int], drops: bool) -> None:
        super().__init__()
        self.source, self._rows_plan = source, Unbatch(source)
        self._sizes, self._drops = tuple(sizes), drops
        self.inputs = (source,)
        known = sizes[0] if drops and len(set(sizes)) == 1 else None
        self.spec = self._rows_plan.spec.map(
            lambda leaf: stacked_spec(leaf, known) if has_rows(leaf) else leaf
        )
        self.varies = source.varies

    @property
    def cardinality(self) -> int:
        count = self._rows_plan.cardinality
        if count in (INFINITE, UNKNOWN):
            return count
        whole, left = divmod(count, sum(self._sizes))
        done = whole * len(self._sizes)
        for size in self._sizes:
            if left < size or (size and not left):
                return done + (1 if left and not self._drops else 0)
            left -= size
            done += 1
        return done

    def stream(self, run: Run) -> Cursor:
        source, row = self.source, self._rows_plan.spec
        rows = UnbatchCursor(source.cursor(run.children[0]), source.spec, row)
        return _RebatchCursor(rows, row, self._sizes, self._drops)

    def describe(self) -> str:
        return f"rebatch {', '.join(map(str, self._sizes))}"


class _RebatchCursor(Cursor):
    def __init__(
        self, rows: UnbatchCursor, spec: ElementSpec, sizes: tuple[int, ...], drops: bool
    ) -> None:
        self._rows, self._spec, self._sizes, self._drops = rows, spec, sizes, drops
        self._turn = 0
        self._ended = False

    def _next(self) -> Element | None:
        if self._ended:
            return None
        size = self._sizes[self._turn]
        self._turn = (self._turn + 1) % len(self._sizes)
        found = taken(self._rows, size)
        self._ended = len(found) < size
        if self._ended and (self._drops or not len(found)):
            return None
        if size:
            return batched(found, self._spec, "rebatch")
        return tuple([_empty(leaf) for leaf in self._spec.leaves])

    def close(self) -> None:
        self._rows.close()


def _empty(spec: Any) -> Any:
    """No rows of this spec."""
    if not isinstance(spec, TensorSpec):
        raise blame.unimplemented(f"a batch without elements of {spec}", "rebatch")
    extents = [0 if n is None else n for n in spec.shape]
    kind = object if spec.dtype is string else spec.dtype.numpy
    return wrap(np.empty([0, *extents], kind))


__all__ = ["Rebatch", "Unbatch", "rows_of_element"]
