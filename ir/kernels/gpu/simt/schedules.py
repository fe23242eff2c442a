"""Schedules on a grid for ops that have kernels of their own: which op has which."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....algebra import Term, where
from ....core import Op, Value
from ....dtypes import int64
from ....extent import Extent
from ....ops.cumulative import Cumulative, Recurrence
from ....ops.elementwise import Add
from ....ops.gather import ScatterAdd
from ....ops.indexing import COMBINES, Nonzero, Scatter
from ....ops.search import InvertPermutation
from ....ops.segment import Segment
from ....ops.sort import ArgSort, Sort, TopPlaces
from ....ops.sort_keys import from_total_key, key, key_dtype, total_key, total_key_dtype
from ....ops.suppress import Suppress
from ....ops.triangular import Lu, TriangularSolve
from ....ops.tridiagonal import TridiagonalSolve
from ....types import TensorType
from ....value_classes import dataclass
from ...ops import WARP, Load
from ...own_loop_nest import ScheduledOp
from ...plan.reasons import COMPLEX, Mismatch
from . import elementwise, non_max_suppression, scans, scatter, triangular
from .sorting import best, sort
from .thread_groups import TEAM_ELEMENTS

# So many of a row are found one after another, without sorting it as a whole. Not measured: no
# GPU was at hand when it was set.
SELECTED_COUNT_MAX = 32

if TYPE_CHECKING:
    from ...builder import Index
    from ...group_builder import GroupBuilder


@dataclass(frozen=True)
class SortRows(ScheduledOp[Sort]):
    """Sorted elements of each row."""

    takes = "sorts"
    begins = (Sort,)

    def emit(self, lower: GroupBuilder) -> None:
        _sorted(lower, self.op)


@dataclass(frozen=True)
class OrderRows(ScheduledOp[ArgSort | TopPlaces]):
    """The places of each row in order, or the first of them."""

    takes = "the order of elements, or the largest of each row"
    begins = (ArgSort, TopPlaces)

    def emit(self, lower: GroupBuilder) -> None:
        op = self.op
        if isinstance(op, TopPlaces):
            _order(lower, op, op.x, True, op.count)
        else:
            _order(lower, op, op.x, op.descending, op.x.shape[-1])


@dataclass(frozen=True)
class SortedScatter(ScheduledOp[ScatterAdd | Scatter | Segment]):
    """Updates sorted by the row that they are for, then combined."""

    takes = "scatters, and sums by segments"
    begins = (ScatterAdd, Scatter, Segment)

    @classmethod
    def misfit(cls, op: ScatterAdd | Scatter | Segment) -> Mismatch | None:
        data = op.data if isinstance(op, Segment) else op.updates
        if not scatter.ordered_is_better(data.shape):
            return None
        return Mismatch("{} updates are few: a column each goes through them", data.shape[0])

    def emit(self, lower: GroupBuilder) -> None:
        _combined(lower, self.op)


@dataclass(frozen=True)
class NonzeroScan(ScheduledOp[Nonzero]):
    """Places of what is true, by a prefix sum of how many there are before."""

    takes = "places of what is true"
    begins = (Nonzero,)

    def emit(self, lower: GroupBuilder) -> None:
        scans.nonzero(lower, self.op.mask, self.op.count)


@dataclass(frozen=True)
class ScanTeams(ScheduledOp[Cumulative | Recurrence]):
    """A scan along the last axis. Along another one there are columns for threads."""

    takes = "scans along the last axis"
    begins = (Cumulative, Recurrence)

    @classmethod
    def misfit(cls, op: Cumulative | Recurrence) -> Mismatch | None:
        *rows, n = op.result.shape
        if op.axis != len(rows):
            return Mismatch("it goes along axis {}, which is not the last", op.axis)
        if op.result.dtype.is_complex:
            return COMPLEX
        if isinstance(n, int) and n < WARP:
            return Mismatch("{} elements are less than a warp has threads", n)
        return None

    def emit(self, lower: GroupBuilder) -> None:
        _scanned(lower, self.op)


@dataclass(frozen=True)
class SuppressTeams(ScheduledOp[Suppress]):
    """Non-maximum suppression."""

    takes = "non-maximum suppression"
    begins = (Suppress,)

    def emit(self, lower: GroupBuilder) -> None:
        non_max_suppression.write(lower, self.op)


@dataclass(frozen=True)
class InvertAtOnce(ScheduledOp[InvertPermutation]):
    """All elements of a permutation leave their places at once."""

    takes = "inverses of permutations"
    begins = (InvertPermutation,)

    def emit(self, lower: GroupBuilder) -> None:
        _inverted(lower, self.op)


@dataclass(frozen=True)
class SolveTriangular(ScheduledOp[TriangularSolve]):
    """A triangular system, block by block."""

    takes = "triangular systems"
    begins = (TriangularSolve,)

    def emit(self, lower: GroupBuilder) -> None:
        triangular.solve(lower, self.op)


@dataclass(frozen=True)
class FactorLu(ScheduledOp[Lu]):
    """An LU factorisation, block by block."""

    takes = "LU factorisations"
    begins = (Lu,)

    def emit(self, lower: GroupBuilder) -> None:
        triangular.factors(lower, self.op)


@dataclass(frozen=True)
class SolveTridiagonal(ScheduledOp[TridiagonalSolve]):
    """The loops of the op, whose scratch memory each thread has a part of."""

    takes = "tridiagonal systems"
    begins = (TridiagonalSolve,)

    def emit(self, lower: GroupBuilder) -> None:
        *batch, n, _ = self.op.rhs.shape
        row = TensorType(self.op.rhs.dtype, (*batch, n + 1))
        out = tuple(lower.outputs.values())
        self.op.store(lower, *out, *(lower.scratch(row) for _ in range(3)))


def _order(lower: GroupBuilder, op: Any, x: Value, descending: bool, count: Extent) -> None:
    """The first `count` places of each row of x in order."""
    *rows, n = x.shape
    out = lower.output(op.result)

    def keys(index: Index) -> Value:
        return key(lower, lower.element(x, index), descending)

    kind = key_dtype(x.dtype)
    if (
        isinstance(count, int)
        and count <= SELECTED_COUNT_MAX
        and not (isinstance(n, int) and n <= TEAM_ELEMENTS)
    ):
        place = best(lower, tuple(rows), n, kind, keys, count)
    else:
        found = sort(lower, tuple(rows), n, kind, keys)

        def place(index: Index) -> Value:
            return found.place(Term(lower.b, lower.linear(index, x.shape)), found.side())

    def copy(index: Index) -> None:
        lower.store(out, lower.linear(index, op.result.shape), place(index))

    elementwise.spread(lower, (*rows, count), copy)


def _sorted(lower: GroupBuilder, op: Sort) -> None:
    """The elements of each row of x in order."""
    x, descending = op.x, op.descending
    *rows, n = x.shape
    out = lower.output(op.result)

    def keys(index: Index) -> Value:
        return total_key(lower, lower.element(x, index), descending)

    found = sort(lower, tuple(rows), n, total_key_dtype(x.dtype), keys)

    def copy(index: Index) -> None:
        at = lower.linear(index, x.shape)
        sorted_key = found.key(Term(lower.b, at), found.side())
        lower.store(out, at, from_total_key(lower, sorted_key, x.dtype, descending))

    elementwise.spread(lower, x.shape, copy)


def _combined(lower: GroupBuilder, op: ScatterAdd | Scatter | Segment) -> None:
    """Rows of the result combined with the updates that are for them."""
    ids = op.ids if isinstance(op, Segment) else op.indices
    data = op.data if isinstance(op, Segment) else op.updates
    out = lower.output(op.result)
    shape = op.result.shape
    rows = shape[0]
    way: Callable[[Value, Value], Op] | None = Add
    if isinstance(op, Scatter):
        way = COMBINES[op.combine][0]
    else:  # a scatter starts from what is there
        start = 0
        if isinstance(op, Segment):
            way, start = op.combine, op.neutral()
        first = lower.b.constant(start, data.dtype)
        elementwise.spread(lower, shape, lambda i: lower.store(out, lower.linear(i, shape), first))

    def row(i: Value) -> Value:
        bound = lower.extent(rows)
        if not isinstance(op, Segment):
            place = lower.cast(lower.element(ids, (i,)), int64)
            lower.check_index(place, bound, op)
            return place
        number, end = Term(lower.b, op.checked(lower, i, bound)), Term(lower.b, bound)
        return where(number >= 0, number.minimum(end), end).value

    def combine(old: Value, new: Value) -> Value:
        assert way is not None
        return lower.emit(way(old, new))

    chosen = None if way is None else combine
    scatter.write(lower, data, row, chosen, rows, out)


def _scanned(lower: GroupBuilder, op: Cumulative | Recurrence) -> None:
    """A scan along the last axis."""
    *rows, n = op.result.shape
    dtype = op.result.dtype
    out = lower.output(op.result)
    if isinstance(op, Recurrence):
        scans.chains(lower, op, out, op.start, op.step)
        return
    if not dtype.is_integer:
        scans.chains(lower, op, out, op.start, op.step)
        return
    element = scans.loaded(lower, op.x)

    def place(row: Index, i: Value) -> Index:
        reversed_ = Term(lower.b, lower.extent(n)) - 1 - Term(lower.b, i)
        return (*row, reversed_.value if op.reverse else i)

    def source(row: Index, i: Value) -> Value:
        return element(place(row, i))

    def store(row: Index, i: Value, _: Value, after: Value) -> None:
        lower.store(out, lower.linear(place(row, i), op.result.shape), after)

    scans.along(lower, tuple(rows), n, dtype, source, op.step, int(op.start), store)


def _inverted(lower: GroupBuilder, op: InvertPermutation) -> None:
    """All elements at once leave their places. Where two are for the same place, one of them stays,
    and the other finds it there: so which one does makes no difference."""
    out = lower.output(op.result)
    n = op.x.shape[0]
    seen = lower.scratch(TensorType(int64, (n,)))

    def target(i: Value) -> Value:
        return lower.cast(lower.element(op.x, (i,)), int64)

    def put(index: Index) -> None:
        place = target(index[0])
        lower.check_index(place, lower.extent(n), op)
        lower.store(seen, place, index[0])

    def look(index: Index) -> None:
        (i,) = index
        place = target(i)
        there = Term(lower.b, lower.emit(Load(seen, place, None)))
        lower.check(there.equal(Term(lower.b, i)).value, (place,), "repeated", op)
        lower.store(out, place, lower.cast(i, op.x.dtype))

    elementwise.spread(lower, (n,), put)
    elementwise.spread(lower, (n,), look)
