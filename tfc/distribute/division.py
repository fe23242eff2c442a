"""Plans whose elements are values of replicas: batches in parts, or elements in groups.

As plans they are gone over as all datasets are: by Python's loops, by those of functions, and by
iterators that functions are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import nest
from ..data.elements import Element, ElementSpec
from ..data.plan import Cursor, Plan, Run
from ..data.plans.dividing import Part, part_of_batches, span
from ..ops.array.shaping import shape
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.structure import slice as slice_of_sparse
from ..ops.sparse.tensor import SparseTensor
from .per_replica import PerReplica


def part(count: int, replica: int, replicas: int) -> tuple[int, int]:
    """Which rows of so many are a replica's: they differ by one at most."""
    return count * replica // replicas, count * (replica + 1) // replicas


def row_count(leaves: Sequence[Any]) -> int:
    """How many rows a batch has."""
    leaf = next(leaf for leaf in leaves if leaf is not None)
    if isinstance(leaf, SparseTensor):
        return int(leaf.dense_shape[0])
    return int(leaf.nrows() if isinstance(leaf, RaggedTensor) else shape(leaf)[0])


def rows_between(leaf: Any, start: int, stop: int) -> Any:
    """Rows of a leaf of a batch."""
    if leaf is None:
        return None
    if isinstance(leaf, SparseTensor):
        extents = leaf.dense_shape.numpy()
        begin = [start, *[0] * (len(extents) - 1)]
        return slice_of_sparse(leaf, begin, [stop - start, *extents[1:]])
    return leaf[start:stop]


class _OfReplicas(Plan):
    """The base: each leaf of the input's elements is that of each replica of this process."""

    def __init__(self, source: Plan, replicas: Sequence[int]) -> None:
        super().__init__()
        self.source, self._replicas = source, tuple(replicas)
        self.inputs = (source,)
        self.varies, self.sees_variables = source.varies, source.sees_variables
        self.spec = self._spec()

    def _spec(self) -> ElementSpec:
        count, given = len(self._replicas), self._given
        own = [self._spec_here(leaf) for leaf in given.leaves]
        if count == 1:
            return ElementSpec(own, given.structure)
        nested = given.structure.pack([PerReplica([None] * count) for _ in own])
        structure = nest.decompose_composites(nested)[1]
        return ElementSpec([leaf for leaf in own for _ in range(count)], structure)

    @property
    def _given(self) -> ElementSpec:
        """What elements are made of."""
        return self.source.spec

    def _spec_here(self, leaf: Any) -> Any:
        return leaf

    @property
    def cardinality(self) -> int:
        return self.source.cardinality


class Divided(_OfReplicas):
    """Batches, of which each replica of this process has its rows."""

    kind = "Distributed"

    def __init__(self, source: Plan, replicas: Sequence[int], count: int) -> None:
        """`count`: how many replicas there are in all processes."""
        self._count, self._whole = count, source.spec
        here = (replicas[0], replicas[-1] + 1, count)
        own = part_of_batches(source, here) if len(replicas) < count else None
        self._part = None if own is None else here
        super().__init__(own or source, replicas)

    @property
    def _given(self) -> ElementSpec:
        return self._whole

    def _spec_here(self, leaf: Any) -> Any:
        rest = getattr(leaf, "shape", None)
        if self._count == 1 or rest is None or rest.rank is None:
            return leaf
        rows = rest[0]
        even = rows is not None and rows % self._count == 0
        extents = [rows // self._count if even else None, *rest[1:]]
        if not hasattr(leaf, "ragged_rank"):
            return type(leaf)(extents, leaf.dtype)
        return type(leaf)(extents, leaf.dtype, leaf.ragged_rank, leaf.row_splits_dtype)

    def stream(self, run: Run) -> Cursor:
        source = self.source.cursor(run.children[0])
        return _DividedCursor(source, self._replicas, self._count, self._part)

    def describe(self) -> str:
        return f"divided among {self._count} replicas"


class _DividedCursor(Cursor):
    def __init__(
        self, source: Cursor, replicas: Sequence[int], count: int, own: Part | None
    ) -> None:
        """`own`: the part of each batch that the source gives, with the number of all rows."""
        self._source, self._replicas, self._count, self._own = source, replicas, count, own

    def _next(self) -> Element | None:
        batch = self._source.next()
        if batch is None or self._count == 1:
            return batch
        if self._own is None:
            rows, before = row_count(batch), 0
        else:
            *leaves, whole = batch
            batch, rows = tuple(leaves), int(whole)
            before, _ = span(rows, self._own)
        bounds = [
            tuple([row - before for row in part(rows, replica, self._count)])
            for replica in self._replicas
        ]
        return tuple([rows_between(leaf, *each) for leaf in batch for each in bounds])

    def _skip(self, count: int) -> int:
        return self._source.skip(count)

    def close(self) -> None:
        self._source.close()


class Grouped(_OfReplicas):
    """Elements one for each replica of this process; what is left at the end is no group."""

    kind = "Distributed"

    @property
    def cardinality(self) -> int:
        count = self.source.cardinality
        return count if count < 0 else count // len(self._replicas)

    def stream(self, run: Run) -> Cursor:
        return _GroupedCursor(self.source.cursor(run.children[0]), len(self._replicas))

    def describe(self) -> str:
        return f"for each of {len(self._replicas)} replicas one"


class _GroupedCursor(Cursor):
    def __init__(self, source: Cursor, count: int) -> None:
        self._source, self._count = source, count

    def _next(self) -> Element | None:
        taken: list[Element] = []
        while len(taken) < self._count:
            element = self._source.next()
            if element is None:
                return None
            taken.append(element)
        return tuple([leaf for leaves in zip(*taken, strict=True) for leaf in leaves])

    def _skip(self, count: int) -> int:
        return self._source.skip(count * self._count) // self._count

    def close(self) -> None:
        self._source.close()


__all__ = ["Divided", "Grouped", "part", "row_count", "rows_between"]
