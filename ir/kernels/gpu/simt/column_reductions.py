"""The schedule of reductions beside the lanes on a grid: a block of threads for some columns.

A block has TEAM_COLUMNS neighbouring columns, each of which ROW_GROUPS threads share: group g has
the slots g, g + ROW_GROUPS, ... of `Reduce`, in registers, and so reads the rows g, g + ROW_GROUPS,
... The slots of a thread are combined first, then those of the groups, through shared memory: the
same tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ....algebra import Term
from ....core import Op, Value
from ....dtypes import DType
from ....extent import Extent, ceildiv, product
from ....ops.elementwise import Less, Minimum, Select
from ....ops.reduction import CHUNK, LANES, Reduction, chunk_levels
from ....types import INDEX, TensorType, scalar_type
from ....value_classes import dataclass
from ...common.column_stages import Stage, is_tall, stages_of
from ...ops import Barrier, Combine, Load, Reload, Shared, neutral
from ...plan.groups import Group, Kind, Plan, Schedule, Uses, may_fail
from ...plan.reasons import MAY_FAIL, OTHER_KIND, Mismatch
from .chunks import chunks_of_chunks
from .thread_groups import index_at, launch_grid, store_scalars

if TYPE_CHECKING:
    from ...builder import Index
    from ...group_builder import GroupBuilder
    from ...target import Target

Values = tuple[Value, ...]

# Columns of a block: as many as a warp has threads, which read them side by side.
TEAM_COLUMNS = 32
# Groups of threads, each of which goes through other rows of the same columns. Not measured: no
# GPU was at hand when it was set.
ROW_GROUPS = 16
# Slots of a thread.
GROUP_SLOTS = LANES // ROW_GROUPS
# Threads of a block.
COLUMN_TEAM = TEAM_COLUMNS * ROW_GROUPS
# Blocks up to which a large processor has room for more, so that chunks of rows have blocks of
# their own. Not measured: no GPU was at hand when it was set.
COLUMN_SPLIT_BLOCKS_MAX = 128
# Chunks for which a second launch, some microseconds, is worth it. Not measured: no GPU was at
# hand when it was set.
COLUMN_SPLIT_CHUNKS_MIN = 4
# Bytes of what is combined at once, for a slot: more would not fit into registers (ptxas would
# spill).
SLOT_BYTES_MAX = 16


@dataclass(frozen=True)
class ColumnTeams(Schedule):
    """Panels of columns, whose rows are dealt out to the groups of a block of threads."""

    takes = "reductions along the first axes, and what goes over the same columns"
    kind = Kind.COLUMNS
    heads = (Reduction,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return op.results if isinstance(op, Reduction) and is_tall(op) else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        if group.kind is not Kind.COLUMNS:
            return OTHER_KIND
        return MAY_FAIL if may_fail(group, plan) else cls()

    def emit(self, lower: GroupBuilder) -> None:
        write(lower, stages_of(lower))


def write(lower: GroupBuilder, stages: list[Stage]) -> None:
    """Write the kernel."""
    *outer, n = lower.group.shape
    axes = [a for a, e in enumerate(outer) if e != 1]
    ends = [*(outer[a] for a in axes), ceildiv(n, TEAM_COLUMNS)]
    parts: dict[Reduction, list[Value]] = {}
    pieces: Extent = 1

    def columns(places: Sequence[Value], thread: Value) -> Columns:
        *before, number = places
        return Columns(lower, index_at(lower, len(outer), axes, before), number, thread)

    def whole(params: Index) -> Sequence[Value]:
        *places, thread = params
        here = columns(places, thread)
        here.parts, here.pieces = parts, pieces
        here.write(stages)
        return ()

    def chunk(params: Index) -> Sequence[Value]:
        piece, *places, thread = params
        columns(places, thread).chunk(stages[0].reductions, piece, pieces, parts)
        return ()

    bodies = []
    if tall(lower, stages):
        pieces = ceildiv(stages[0].reductions[0].count, CHUNK)
        for op in stages[0].reductions:
            types = [TensorType(d, (pieces, *outer, n)) for d in op.partial_dtypes]
            parts[op] = [lower.scratch(t) for t in types]
        bodies.append((lower.region("body", (INDEX,) * (len(ends) + 2), chunk), [pieces, *ends]))
    bodies.append((lower.region("body", (INDEX,) * (len(ends) + 1), whole), ends))
    for body, counts in bodies:
        launch_grid(lower, counts, COLUMN_TEAM, body)


def tall(lower: GroupBuilder, stages: list[Stage]) -> bool:
    """Whether the columns are long, and too few to keep a large processor busy: then chunks of
    them are combined by blocks of their own, and what they gave in a second launch."""
    if len(stages) > 1:
        return False
    columns, count = product(lower.group.shape), stages[0].reductions[0].count
    if not isinstance(columns, int):
        return False
    return columns <= COLUMN_SPLIT_BLOCKS_MAX * TEAM_COLUMNS and (
        not isinstance(count, int) or count >= COLUMN_SPLIT_CHUNKS_MIN * CHUNK
    )


class Columns:
    """The code of one thread: its column, and its group of the column's rows."""

    def __init__(self, lower: GroupBuilder, outer: Index, number: Value, thread: Value) -> None:
        self.lower = lower
        b = lower.b
        self.lane = Term(b, thread) % TEAM_COLUMNS
        self.group = Term(b, thread) // TEAM_COLUMNS
        n = Term(b, lower.extent(lower.group.shape[-1]))
        column = Term(b, number) * TEAM_COLUMNS + self.lane
        here = lower.emit(Less(column.value, n.value))
        first = self.group.equal(0)
        self.stores = (Term(b, here) & first).value
        # Threads beyond the last column do its work once more, and store nothing.
        self.index = (*outer, lower.emit(Minimum(column.value, (n - 1).value)))
        self.parts: dict[Reduction, list[Value]] = {}  # what chunks of the columns gave, if known
        self.pieces: Extent = 1

    def reserve(self, reductions: Sequence[Reduction]) -> None:
        """Shared memory for what is combined across groups."""
        wanted = dict.fromkeys(kind for op in reductions for kind in enumerate(op.partial_dtypes))
        self.memory = {kind: self.lower.emit(Shared(kind[1], (COLUMN_TEAM,))) for kind in wanted}

    def chunk(
        self,
        reductions: list[Reduction],
        piece: Value,
        pieces: Extent,
        parts: dict[Reduction, list[Value]],
    ) -> None:
        """Combine one chunk of the rows, and store what it gave."""
        lower = self.lower
        self.reserve(reductions)
        low = Term(lower.b, piece) * CHUNK
        rest = (Term(lower.b, lower.extent(reductions[0].count)) - low).minimum(CHUNK)
        totals = self.totals(reductions, lambda: self.rows(low.value, rest.value))
        at = lower.linear((piece, *self.index), (pieces, *lower.group.shape))

        def fill() -> None:
            for op, values in zip(reductions, totals, strict=True):
                for buffer, value in zip(parts[op], values, strict=True):
                    lower.store(buffer, at, value)

        lower.when(self.stores, fill)

    def write(self, stages: list[Stage]) -> None:
        lower = self.lower
        self.reserve([op for s in stages for op in s.reductions])
        with lower.scope():
            for stage in stages:
                count = stage.reductions[0].count
                levels = chunk_levels(count)
                if self.parts:
                    levels, count = max(0, levels - 1), self.pieces

                def all_rows(levels: int = levels, count: Extent = count) -> list[Values]:
                    return self.level(levels, lower.extent(0), lower.extent(count))

                totals = self.totals(stage.reductions, all_rows)
                for op, values in zip(stage.reductions, totals, strict=True):
                    lower.define(op.result, self.index, op.total(lower, values))
                roots = [*(op.result for op in stage.reductions), *stage.others]
                self.store(roots)
                for root in roots:
                    lower.read_through(root, partial(_known, lower.element(root, self.index)))

    def store(self, roots: list[Value]) -> None:
        lower = self.lower
        values = [lower.element(root, self.index) for root in roots]
        store_scalars(lower, self.stores, self.index, roots, values)

    def totals(
        self, reductions: list[Reduction], combine: Callable[[], list[Values]]
    ) -> list[Values]:
        """What the column's elements are combined to, in all of its threads; `combine` does it for
        as many reductions at once as registers allow."""
        batches: list[list[Reduction]] = []
        size = 0
        for op in reductions:
            own = sum(d.itemsize for d in op.partial_dtypes)
            size += own
            if not batches or size > SLOT_BYTES_MAX:
                batches.append([])
                size = own
            batches[-1].append(op)
        found: list[Values] = []
        for batch in batches:
            self.begin(batch)
            found += combine()
        return found

    def begin(self, reductions: list[Reduction]) -> None:
        """Turn to reductions for which each row is read once."""
        lower = self.lower
        self.reductions = reductions
        self.kinds = [op.partial_dtypes for op in reductions]
        start: list[Value] = []
        for op, ds in zip(reductions, self.kinds, strict=True):
            values = zip(neutral(op.combine, ds), ds, strict=True)
            start += [lower.b.constant(x, d) for x, d in values] * GROUP_SLOTS
        self.start = tuple(start)
        self.types = [scalar_type(v.dtype) for v in start]

    def level(self, number: int, low: Value, count: Value) -> list[Values]:
        """The rows from `low` on, in chunks of chunks, so often."""
        if number == 0:
            return self.rows(low, count)

        def add(slots: list[Value], which: Term, new: list[Values]) -> None:
            for u in range(GROUP_SLOTS):
                mine = which.equal(self.group + u * ROW_GROUPS).value
                self.add(slots, u, mine, lambda op: new[self.reductions.index(op)])

        slots = chunks_of_chunks(self.lower, number, low, count, self.start, self.level, add)
        return self.combined(slots)

    def rows(self, low: Value, count: Value) -> list[Values]:
        """The rows from `low` on in one tree."""
        lower, b = self.lower, self.lower.b
        first = Term(b, low)
        whole = (Term(b, count) // LANES) * LANES

        def step(k: Value, before: Index) -> Sequence[Value]:
            slots = list(before)
            for u in range(GROUP_SLOTS):
                row = Term(lower.b, k) + first + self.group + u * ROW_GROUPS
                self.add(slots, u, None, self.pulling(row.value))
            return slots

        slots = list(lower.carry(lower.extent(0), whole.value, self.start, step, LANES))
        for u in range(GROUP_SLOTS):
            k = whole + self.group + u * ROW_GROUPS
            inside = lower.emit(Less(k.value, count))
            self.add(slots, u, inside, self.pulling((first + k).value))
        return self.combined(slots)

    def pulling(self, k: Value) -> Callable[[Reduction], Sequence[Value]]:
        lower = self.lower

        def element(op: Reduction) -> Sequence[Value]:
            if op not in self.parts:
                return op.partial(lower, self.index, k)
            at = lower.linear((k, *self.index), (self.pieces, *lower.group.shape))
            return [lower.emit(Load(b, at, lower.mask)) for b in self.parts[op]]

        return element

    def add(
        self,
        slots: list[Value],
        u: int,
        inside: Value | None,
        new: Callable[[Reduction], Sequence[Value]],
    ) -> None:
        """Combine new values into the slots of number u, if `inside` holds."""
        lower, at = self.lower, 0
        for op, ds in zip(self.reductions, self.kinds, strict=True):
            place = slice(at + u * len(ds), at + (u + 1) * len(ds))
            if inside is None:
                slots[place] = self.joined(op, slots[place], new(op))
            else:
                with lower.where(inside):
                    values = new(op)
                both = self.joined(op, slots[place], values)
                slots[place] = [
                    lower.emit(Select(inside, x, y))
                    for x, y in zip(both, slots[place], strict=True)
                ]
            at += GROUP_SLOTS * len(ds)

    def combined(self, slots: Sequence[Value]) -> list[Values]:
        """All slots of each reduction as one."""
        found, at = [], 0
        for op, ds in zip(self.reductions, self.kinds, strict=True):
            parts = [
                tuple(slots[at + u * len(ds) : at + (u + 1) * len(ds)]) for u in range(GROUP_SLOTS)
            ]
            found.append(self.across(op, ds, self.folded(op, parts)))
            at += GROUP_SLOTS * len(ds)
        return found

    def joined(self, op: Reduction, old: Sequence[Value], new: Sequence[Value]) -> Values:
        return self.lower.b.emit_all(Combine(op.combine, tuple(old), tuple(new)))

    def folded(self, op: Reduction, parts: list[Values]) -> Values:
        """The upper half of the parts combined into the lower, until one is left."""
        while len(parts) > 1:
            half = len(parts) // 2
            parts = [self.joined(op, parts[i], parts[half + i]) for i in range(half)]
        return parts[0]

    def across(self, op: Reduction, kinds: list[DType], own: Values) -> Values:
        """The parts of all groups combined."""
        lower = self.lower
        buffers = [self.memory[i, d] for i, d in enumerate(kinds)]
        at = self.group * TEAM_COLUMNS + self.lane
        for buffer, value in zip(buffers, own, strict=True):
            lower.store(buffer, at.value, value)
        lower.b.emit_all(Barrier())
        parts = [
            tuple(
                lower.emit(Reload(b, (self.lane + g * TEAM_COLUMNS).value, None)) for b in buffers
            )
            for g in range(ROW_GROUPS)
        ]
        lower.b.emit_all(Barrier())  # the memory is free for what comes next
        return self.folded(op, parts)


def _known(element: Value, index: Index) -> Value:
    return element
