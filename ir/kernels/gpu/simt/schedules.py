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
from ...ops import WARP, Load
from . import elementwise
from . import non_max_suppression as grid_suppress
from . import scans as grid_scans
from . import scatter as grid_segments
from . import triangular as grid_triangular
from .sorting import best, sort
from .thread_groups import TILE

FEW = 32  # so many of a row are found without sorting it as a whole

if TYPE_CHECKING:
    from ...builder import Index


def write(lower: Any, op: Any) -> bool:
    """Write the kernel of `op`; false, and nothing is written, where the op's own will do."""
    match op:
        case Sort():
            _sorted(lower, op)
        case ArgSort(x=x, descending=descending):
            _order(lower, op, x, descending, x.shape[-1])
        case TopPlaces(x=x, count=count):
            _order(lower, op, x, True, count)
        case ScatterAdd() | Scatter() | Segment():
            return _combined(lower, op)
        case Nonzero(mask=mask, count=count):
            grid_scans.nonzero(lower, mask, count)
        case Cumulative() | Recurrence():
            return _scanned(lower, op)
        case Suppress():
            grid_suppress.write(lower, op)
        case InvertPermutation():
            _inverted(lower, op)
        case TriangularSolve():
            grid_triangular.solve(lower, op)
        case Lu():
            grid_triangular.factors(lower, op)
        case TridiagonalSolve():
            *batch, n, _ = op.rhs.shape
            row = TensorType(op.rhs.dtype, (*batch, n + 1))
            out = tuple(lower.outputs.values())
            op.store(lower, *out, *(lower.scratch(row) for _ in range(3)))
        case _:
            return False
    return True


def _order(lower: Any, op: Any, x: Value, descending: bool, count: Extent) -> None:
    """The first `count` places of each row of x in order."""
    *rows, n = x.shape
    (out,) = lower.outputs.values()

    def keys(index: Index) -> Value:
        return key(lower, lower.element(x, index), descending)

    kind = key_dtype(x.dtype)
    if isinstance(count, int) and count <= FEW and not (isinstance(n, int) and n <= TILE):
        place = best(lower, tuple(rows), n, kind, keys, count)
    else:
        found = sort(lower, tuple(rows), n, kind, keys)

        def place(index: Index) -> Value:
            return found.place(Term(lower.b, lower.linear(index, x.shape)), found.side())

    def copy(index: Index) -> None:
        lower.store(out, lower.linear(index, op.result.shape), place(index))

    elementwise.spread(lower, (*rows, count), copy)


def _sorted(lower: Any, op: Sort) -> None:
    """The elements of each row of x in order."""
    x, descending = op.x, op.descending
    *rows, n = x.shape
    (out,) = lower.outputs.values()

    def keys(index: Index) -> Value:
        return total_key(lower, lower.element(x, index), descending)

    found = sort(lower, tuple(rows), n, total_key_dtype(x.dtype), keys)

    def copy(index: Index) -> None:
        at = lower.linear(index, x.shape)
        sorted_key = found.key(Term(lower.b, at), found.side())
        lower.store(out, at, from_total_key(lower, sorted_key, x.dtype, descending))

    elementwise.spread(lower, x.shape, copy)


def _combined(lower: Any, op: ScatterAdd | Scatter | Segment) -> bool:
    """Rows of the result combined with the updates that are for them."""
    ids = op.ids if isinstance(op, Segment) else op.indices
    data = op.data if isinstance(op, Segment) else op.updates
    if grid_segments.ordered_is_better(data.shape):
        return False
    (out,) = lower.outputs.values()
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
            place: Value = lower.cast(lower.element(ids, (i,)), int64)
            lower.check_index(place, bound, op)
            return place
        number, end = Term(lower.b, op.checked(lower, i, bound)), Term(lower.b, bound)
        return where(number >= 0, number._emit("minimum", end), end).value

    def combine(old: Value, new: Value) -> Value:
        assert way is not None
        found: Value = lower.emit(way(old, new))
        return found

    chosen = None if way is None else combine
    grid_segments.write(lower, data, row, chosen, rows, out)
    return True


def _scanned(lower: Any, op: Cumulative | Recurrence) -> bool:
    """A scan along the last axis. Along another one there are columns for threads."""
    *rows, n = op.result.shape
    dtype = op.result.dtype
    if op.axis != len(rows) or dtype.is_complex or (isinstance(n, int) and n < WARP):
        return False
    (out,) = lower.outputs.values()
    if isinstance(op, Recurrence):
        grid_scans.chains(lower, op, out, 0, op.step)
        return True
    if not dtype.is_integer:
        grid_scans.chains(lower, op, out, op.initial, op.step)
        return True
    element = grid_scans.loaded(lower, op.x)

    def place(row: Index, i: Value) -> Index:
        turned = Term(lower.b, lower.extent(n)) - 1 - Term(lower.b, i)
        return (*row, turned.value if op.reverse else i)

    def source(row: Index, i: Value) -> Value:
        return element(place(row, i))

    def store(row: Index, i: Value, _: Value, after: Value) -> None:
        lower.store(out, lower.linear(place(row, i), op.result.shape), after)

    grid_scans.along(lower, tuple(rows), n, dtype, source, op.step, int(op.initial), store)
    return True


def _inverted(lower: Any, op: InvertPermutation) -> None:
    """All elements at once leave their places. Where two are for the same place, one of them stays,
    and the other finds it there: so which one does makes no difference."""
    (out,) = lower.outputs.values()
    n = op.x.shape[0]
    seen = lower.scratch(TensorType(int64, (n,)))

    def target(i: Value) -> Value:
        found: Value = lower.cast(lower.element(op.x, (i,)), int64)
        return found

    def put(index: Index) -> None:
        place = target(index[0])
        lower.check_index(place, lower.extent(n), op)
        lower.store(seen, place, index[0])

    def look(index: Index) -> None:
        (i,) = index
        place = target(i)
        there = Term(lower.b, lower.emit(Load(seen, place, None)))
        lower.check(there._emit("equal", Term(lower.b, i)).value, (place,), "repeated", op)
        lower.store(out, place, lower.cast(i, op.x.dtype))

    elementwise.spread(lower, (n,), put)
    elementwise.spread(lower, (n,), look)
