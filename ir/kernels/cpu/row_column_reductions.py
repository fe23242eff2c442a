"""Rows, and reductions down their columns, in one trip through memory.

The gradient of a layer normalisation reduces each row of x and dy, and the columns of what it makes
of them. A kernel of columns of its own would read x and dy once more. So where the operands of such
reductions are at hand while a row is worked on, their elements are combined at once: slot k mod
LANES of the tree that `Reduce` states has row k, so that rows of one slot are taken together, and
the tree is the same, bit for bit.

    for each chunk of the rows, for each block of its slots, on any threads:
        parts[chunk][slot][..] = neutral
        for k in the chunk's rows of these slots:
            what row_reductions.py writes for row k; in its last loop
                parts[chunk][slot of k][j] combine= element j of row k
    for each panel of columns, on any threads:
        the slots of each chunk, then the chunks, until one is left
        what is stored of the totals
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ...algebra import Term
from ...core import Function, Value
from ...extent import Shape, ceildiv, largest, product
from ...kernel_op import LoopKind
from ...ops.reduction import CHUNK, LANES, Reduction
from ...types import TensorType
from ...value_classes import dataclass
from ..common import row_reductions, split_reductions
from ..ops import Combine, Load, neutral
from ..plan.groups import Group, Index, Kind, Plan, Schedule, needs, own_index
from ..plan.reasons import OTHER_KIND, Mismatch
from .column_folding import fold_parts, fold_slots

if TYPE_CHECKING:
    from ..builder import Index as Place
    from ..group_builder import GroupBuilder
    from ..target import Target

# Bytes of a row of what is combined, a quarter of L2. Gradient of that layer norm: 1.45 of the time
# where nothing is combined on the way, 1.00 with 16 MB.
COMBINED_ROW_BYTES_MAX = 256 << 10
# Slots of a task: rows that are neighbours, and enough tasks for threads. Gradient of that layer
# norm: 1.05 of the time with 4, 0.98 with 16.
TASK_SLOTS = 8
# Columns of a task that combines slots. The same: 0.99 of the time with 128, 0.98 with 1024.
SLOT_TASK_COLUMNS = 256


# Which groups of columns go along with rows.


def join(f: Function, plan: Plan, order: dict[Value, int], target: Target) -> None:
    """Let reductions of columns go along with the rows, or the elements, that read or make the same
    arrays. `order` has the place of the group that each value is in."""
    for place, group in enumerate(plan.groups):
        whole = _reduced(group, plan)
        if whole is None:
            continue
        gains = {i: _gain(plan, order, place, i, whole) for i in range(len(plan.groups))}
        best = max(gains, key=lambda i: gains[i])
        if gains[best] > 0:
            into = plan.groups[best]
            into.kind, into.shape = Kind.ROWS, whole[: len(whole) - len(group.shape)]
            into.down += group.roots
            into.roots += group.roots
            into.streams |= group.streams
            order.update(dict.fromkeys(group.roots, best))
            group.roots = []


def _reduced(group: Group, plan: Plan) -> Shape | None:
    """The shape whose leading axes all reductions of a group of columns reduce; None where they
    differ, or where one needs what another gave."""
    if group.kind is not Kind.COLUMNS:
        return None
    reductions = [r.op for r in group.roots if isinstance(r.op, Reduction)]
    whole: Shape = reductions[0].x.shape
    leading = tuple(range(len(whole) - len(group.shape)))
    for op in reductions:
        if (tuple(sorted(op.axes)), op.x.shape) != (leading, whole):
            return None
        if any(v in group.roots for v, _ in needs(op.result, plan, group.roots)):
            return None
    return whole


def _gain(plan: Plan, order: dict[Value, int], place: int, into: int, whole: Shape) -> float:
    """How many bytes for each column less are moved if the group of columns at `place` goes along
    with the group at `into`; nothing where it cannot."""
    group, other = plan.groups[place], plan.groups[into]
    if group.streams.isdisjoint(other.streams):
        return 0
    same: int = sum(v.dtype.itemsize for v in group.streams & other.streams if v.shape == whole)
    if not same:
        return 0
    rank = len(whole) - len(group.shape)
    if other.kind is Kind.ROWS:
        fits = other.shape == whole[:rank]
    else:
        fits = other.kind is Kind.ELEMENTS and other.shape == whole and _level(other, plan)
    if not fits or not _movable(plan, order, place, into, whole[:rank]):
        return 0
    reductions = [r.op for r in group.roots if isinstance(r.op, Reduction)]
    part: int = sum(d.itemsize for op in reductions for d in op.partial_dtypes)
    count, width = largest(product(whole[:rank])), largest(product(whole[rank:]))
    if isinstance(width, int) and width * part > COMBINED_ROW_BYTES_MAX:
        return 0
    if not isinstance(count, int):
        return same
    return count * same - 2 * LANES * (-(-count // CHUNK)) * part


def _level(group: Group, plan: Plan) -> bool:
    """Whether the elements of a group are computed from such at their own index."""
    return all(
        index == own_index(root) or v.rank < root.rank
        for root in group.roots
        for v, index in needs(root, plan)
    ) and not any(isinstance(root.op, Reduction) for root in group.roots)


def _movable(plan: Plan, order: dict[Value, int], place: int, into: int, shape: Shape) -> bool:
    """Whether nothing is read before it is there, and in the row at hand only, of those that the
    leading axes of this `shape` count."""
    group, other = plan.groups[place], plan.groups[into]
    between = plan.groups[min(place, into) + 1 : max(place, into)]
    if plan.binds or any(g.kind in (Kind.ALONE, Kind.CALL) for g in between):
        return False
    rank = len(shape)
    for root in group.roots:
        for v, index in needs(root, plan, group.roots):
            inside = v.shape[:rank] == shape and _is_row(index, rank)
            if v not in group.roots and order[v] >= into and not (order[v] == into and inside):
                return False
    later = [other, *between] if place < into else []
    made = set(group.roots)
    return not any(v in made for g in later for root in g.roots for v, _ in needs(root, plan))


def _is_row(index: Index | None, rank: int) -> bool:
    """Whether it is the index of an element in the row that is reduced at the moment."""
    return index is not None and index[:rank] == tuple(f"k{a}" for a in range(rank))


# Their kernel.


@dataclass(frozen=True)
class RowColumnReductions(Schedule):
    """Rows with reductions down their columns."""

    takes = "reductions of rows, with others down the columns of what these compute"
    kind = Kind.ROWS

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        return cls() if group.down else OTHER_KIND

    def emit(self, lower: GroupBuilder) -> None:
        _Crossing(lower).write()


class _Crossing:
    def __init__(self, lower: GroupBuilder) -> None:
        self.lower = lower
        self.shape = lower.group.shape
        self.reductions = [r.op for r in lower.group.down if isinstance(r.op, Reduction)]
        self.rest = self.reductions[0].x.shape[len(self.shape) :]
        self.count = product(self.shape)
        self.chunks = split_reductions.chunks_of(self.count)
        self.parts = {
            op: [lower.scratch(TensorType(d, self.whole)) for d in op.partial_dtypes]
            for op in self.reductions
        }

    @property
    def whole(self) -> Shape:
        """The shape of the parts: what the slots of all chunks hold."""
        return (self.chunks, LANES, *self.rest)

    def write(self) -> None:
        lower = self.lower
        lower.parallel(self.chunks * (LANES // TASK_SLOTS), lower.cost, self.task)
        *outer, n = self.rest
        panels = product((*outer, ceildiv(n, SLOT_TASK_COLUMNS)))
        lower.parallel(panels, self.chunks * product(self.rest) * (LANES // 8), self.panel)

    # Parts of columns, for one of which there are a chunk, a slot, and an index of the others.

    def load(self, op: Reduction, place: Place) -> tuple[Value, ...]:
        at = self.lower.linear(place, self.whole)
        return tuple(self.lower.emit(Load(part, at, None)) for part in self.parts[op])

    def store(self, op: Reduction, place: Place, values: Sequence[Value]) -> None:
        at = self.lower.linear(place, self.whole)
        for part, value in zip(self.parts[op], values, strict=True):
            self.lower.store(part, at, value)

    def combine(self, op: Reduction, place: Place, new: Sequence[Value]) -> None:
        old = self.load(op, place)
        self.store(op, place, self.lower.b.emit_all(Combine(op.combine, old, tuple(new))))

    # The first loop: rows.

    def task(self, number: Value) -> None:
        """The rows of some slots of a chunk, and their parts of the columns."""
        lower = self.lower
        runs = row_reductions.runs_of(lower)
        chunk, block = lower.unlinear(number, (self.chunks, LANES // TASK_SLOTS))
        first = (Term(lower.b, block) * TASK_SLOTS).value
        low, count = split_reductions.chunk_ends(lower, chunk, self.count)
        end = (Term(lower.b, low) + Term(lower.b, count)).value

        def clear(slot: Value) -> None:
            slot = (Term(lower.b, first) + Term(lower.b, slot)).value
            lower.nest(self.rest, lambda j: self.clear((chunk, slot, *j)), len(self.rest) - 1)

        def slots(base: Value) -> None:
            """A row for each of the slots."""
            last = (Term(lower.b, base) + TASK_SLOTS).minimum(Term(lower.b, end))
            lower.loop(base, last.value, one)

        def one(k: Value) -> None:
            slot = (Term(lower.b, k) & (LANES - 1)).value
            index = lower.unlinear(k, self.shape)
            row_reductions.row(lower, runs, index, down=partial(self.add, chunk, slot, k))

        lower.loop(lower.extent(0), lower.extent(TASK_SLOTS), clear)
        base = (Term(lower.b, low) + Term(lower.b, first)).value
        lower.loop(base, end, slots, step=LANES)

    def clear(self, place: Place) -> None:
        for op in self.reductions:
            start = zip(neutral(op.combine, op.partial_dtypes), op.partial_dtypes, strict=True)
            self.store(op, place, [self.lower.b.constant(x, d) for x, d in start])

    def add(self, chunk: Value, slot: Value, k: Value, root: Value, index: Place) -> None:
        """Combine the element at an index of row k into its column."""
        op = root.op
        assert isinstance(op, Reduction)
        rest = index[len(self.shape) :]
        self.combine(op, (chunk, slot, *rest), op.combined(self.lower, index, k))

    # The second loop: columns.

    def panel(self, number: Value) -> None:
        """Neighbouring columns: what the slots of their chunks give, and what follows."""
        lower, zero = self.lower, self.lower.extent(0)
        *outer, n = self.rest
        *ahead, block = lower.unlinear(number, (*outer, ceildiv(n, SLOT_TASK_COLUMNS)))
        low = Term(lower.b, block) * SLOT_TASK_COLUMNS
        end = (low + SLOT_TASK_COLUMNS).minimum(Term(lower.b, lower.extent(n))).value

        def across(fill: Callable[[Place], None]) -> None:
            lower.loop(low.value, end, lambda j: fill((*ahead, j)), LoopKind.VECTOR)

        def at(chunk: Value, slot: Value) -> Value:
            return lower.linear((chunk, slot, *ahead, low.value), self.whole)

        def chunk(c: Value) -> None:
            first, row = at(c, zero), lower.extent(product(self.rest))
            for op, parts in self.parts.items():
                fold_slots(lower, op, parts, first, row, parts, first, count)

        def join(to: Value, other: Value) -> None:
            across(lambda index: self.join((to, zero), (other, zero), index))

        count = (Term(lower.b, end) - low).value
        if isinstance(n, int) and n <= SLOT_TASK_COLUMNS:
            count = lower.extent(n)
        lower.loop(zero, lower.extent(self.chunks), chunk)
        most = largest(self.chunks)
        if isinstance(most, int) and most <= CHUNK:
            pieces, apart = lower.extent(self.chunks), lower.extent(product(self.whole[1:]))
            for op, parts in self.parts.items() if most > 1 else ():
                fold_parts(lower, op, parts, pieces, apart, at(zero, zero), count)
        else:
            split_reductions.fold(lower, self.chunks, join)
        across(self.finish)

    def join(self, to: Place, other: Place, index: Place) -> None:
        for op in self.reductions:
            self.combine(op, (*to, *index), self.load(op, (*other, *index)))

    def finish(self, index: Place) -> None:
        """Store what is made of the totals."""
        lower, zero = self.lower, self.lower.extent(0)
        for op in self.reductions:
            total = op.total(lower, self.load(op, (zero, zero, *index)))
            lower.define(op.result, index, total)
        lower.store_roots(index, lower.group.down)
