"""The schedule of reductions along the lanes on a grid: a warp of threads for each row.

As in ir/kernels/common/row_reductions.py, a row's reductions and what is computed from them are one
kernel. The thread number l of a warp has the elements l, l + 32, l + 64, ... of the row, and so the
slots l and l + 32 of a reduction (see `Reduce`): after the last element the two are combined, then
those of threads 16, 8, 4, 2, 1 apart. Bits are those of `Reduce`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ....algebra import Term
from ....core import Function, Value
from ....extent import Extent, ceildiv, minimum, positive, product
from ....kernel_op import LoopKind
from ....ops.elementwise import FloorDiv, FloorMod, Less, Select
from ....ops.reduction import CHUNK, LANES, Reduction, chunk_levels
from ....types import INDEX, TensorType, scalar_type
from ....value_classes import dataclass
from ...common.row_reductions import runs_of
from ...ops import WARP, Barrier, Combine, For, Load, Reload, Shared, Shuffle, neutral
from ...plan.groups import Group, Kind, Plan, Schedule, may_fail
from ...plan.reasons import COMPLEX, MAY_FAIL, OTHER_KIND, Mismatch
from .chunks import chunks_of_chunks
from .thread_groups import index_at, launch_grid, store_scalars

if TYPE_CHECKING:
    from ...builder import Index
    from ...group_builder import GroupBuilder
    from ...target import Target

# Elements of a row up to which one thread has it: half of what a warp would read at once. Not
# measured: no GPU was at hand when it was set.
THREAD_ROW_MAX = 16
# Bytes of the rows that a warp keeps in shared memory, less than BLOCK_SHARED_BYTES.
WARP_SHARED_BYTES_MAX = 40 << 10
# Threads of a block for one row. Not measured: no GPU was at hand when it was set.
ROW_TEAM = 256
# Elements above which a row has a block of its own. Not measured: no GPU was at hand when it was
# set.
WARP_ROW_MAX = 4 * CHUNK
# Rounds whose loads are under way at once. Not measured: no GPU was at hand when it was set.
UNROLLED_ROUNDS = 4
# Scalar operations of an element up to which rounds are written out so often: ptxas spills
# nothing with it, for any op of the table.
UNROLLED_OPERATIONS_MAX = 40
# Scalar operations that a division of indices is, in instructions that ptxas writes.
DIVISION_OPERATIONS = 20


@dataclass(frozen=True)
class RowTeams(Schedule):
    """Each row has a warp, or a block where it is long."""

    takes = "reductions along the last axes, and what goes over the same rows"
    kind = Kind.ROWS

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        return misfit(group, plan) or cls() if group.kind is Kind.ROWS else OTHER_KIND

    def emit(self, lower: GroupBuilder) -> None:
        write(lower, runs_of(lower))


def misfit(group: Group, plan: Plan) -> Mismatch | None:
    """Why the group's rows are not for warps, which no check may leave early; None where they
    are."""
    kept = 0
    lengths: list[Extent] = []
    for root in group.roots:
        if root.dtype.is_complex or any(v.dtype.is_complex for v in (root.op.operands or ())):  # type: ignore[union-attr]
            return COMPLEX
        if isinstance(root.op, Reduction):
            lengths.append(root.op.count)
        elif _is_kept(plan, root) and root.shape != group.shape:
            row = product(root.shape[len(group.shape) :])
            kept += row * root.dtype.itemsize if isinstance(row, int) else WARP_SHARED_BYTES_MAX
    if kept >= WARP_SHARED_BYTES_MAX:
        return Mismatch("a warp cannot keep {} bytes (below {})", kept, WARP_SHARED_BYTES_MAX)
    if all(isinstance(e, int) and e <= THREAD_ROW_MAX for e in lengths):
        return Mismatch("rows have few elements (at most {}): a thread each", THREAD_ROW_MAX)
    return MAY_FAIL if may_fail(group, plan) else None


def _is_kept(plan: Plan, root: Value) -> bool:
    """Whether a value of many elements a row has no memory but the kernel's."""
    return root not in plan.stored and root not in plan.row_aliases


def _home(lower: GroupBuilder, root: Value, index: Index) -> tuple[Value, Value]:
    """The buffer where a value is, which may be that of another one, and the place in it."""
    alias = lower.plan.row_aliases.get(root, root)
    return lower.place(alias, index)


def write(lower: GroupBuilder, runs: list[list[Value]]) -> None:
    """Write the kernel. Long rows have a block of threads each; where the length is unknown, there
    are both, of which one finds nothing to do."""
    shape = lower.group.shape
    axes = [a for a, e in enumerate(shape) if e != 1]
    count = next(r.op.count for r in lower.group.roots if isinstance(r.op, Reduction))
    teams = {WARP: 1 - _is_long(count), ROW_TEAM: _is_long(count)}
    bodies: dict[int, Function] = {}
    for team, rows in teams.items():

        def fill(params: Index, team: int = team) -> Sequence[Value]:
            *places, _, thread = params
            index = index_at(lower, len(shape), axes, places)
            Row(lower, index, thread, team).write(runs)
            return ()

        if rows != 0:
            bodies[team] = lower.region("body", (INDEX,) * (len(axes) + 2), fill)
    for team, body in bodies.items():
        launch_grid(lower, [*(shape[a] for a in axes), teams[team]], team, body)


def _weight(body: Function) -> int:
    """About how many scalar operations a loop's body is."""
    return sum(
        DIVISION_OPERATIONS if isinstance(op, FloorDiv | FloorMod) else 1 for op in body.body
    )


def _is_long(count: Extent) -> Extent:
    """1 for rows of so many elements that they have a block each, else 0."""
    return minimum(1, positive(count - WARP_ROW_MAX))


class Row:
    """The code for one row, as one thread of its warp, or of its block, runs it."""

    def __init__(self, lower: GroupBuilder, index: Index, thread: Value, team: int = WARP) -> None:
        self.lower = lower
        self.index = index
        self.thread = thread
        self.team = team

    def write(self, runs: list[list[Value]]) -> None:
        lower = self.lower
        waits = False
        with lower.scope(reducer=self):
            for run in runs:
                if run[0].shape == lower.group.shape:
                    self.scalars(run)
                    continue
                kept = self.elements(run)
                if run is not runs[-1]:
                    lower.b.emit_all(Barrier())
                waits = waits or kept
            if waits:  # the next row is kept in the same memory
                lower.b.emit_all(Barrier())

    def scalars(self, run: list[Value]) -> None:
        """Values of which the row has one."""
        lower = self.lower
        values = [lower.element(root, self.index) for root in run]
        first = Term(lower.b, self.thread).equal(0).value
        store_scalars(lower, first, self.index, run, values)
        for root, value in zip(run, values, strict=True):
            lower.read_through(root, partial(_known, value))

    def elements(self, run: list[Value]) -> bool:
        """Values of which the row has many; whether they are kept in shared memory."""
        lower, rank = self.lower, len(self.index)
        rest = run[0].shape[rank:]
        kept: dict[Value, Value] = {}
        for root in run:
            if _is_kept(lower.plan, root):
                elements = product(rest)
                assert isinstance(elements, int), "a private row of unknown length"
                kept[root] = lower.emit(Shared(root.dtype, (elements,)))

        def fill(places: Sequence[Value]) -> None:
            indices = [(*self.index, *lower.unlinear(k, rest)) for k in places]
            for root in run:
                for index in indices:
                    lower.element(root, index)
            for k, index in zip(places, indices, strict=True):
                lower.store_roots(index, run)
                for root in run:
                    if root in lower.plan.row_aliases:
                        lower.store(*_home(lower, root, index), lower.element(root, index))
                for root, buffer in kept.items():
                    lower.store(buffer, k, lower.element(root, index))

        self.steps(product(rest), self.team, fill)
        for root in run:
            if root in kept:
                lower.read_through(root, partial(self.from_row, kept[root], root))
            else:
                lower.read_through(root, partial(self.from_output, root))
        return bool(kept)

    def steps(self, count: Extent, step: int, fill: Callable[[Sequence[Value]], None]) -> None:
        """`fill` for lane, lane + step, ... below count, some at a time."""
        lower = self.lower

        def body(params: Index, number: int) -> Sequence[Value]:
            first = Term(lower.b, params[0])
            fill([(first + u * step).value for u in range(number)])
            return ()

        end, low = lower.extent(count), self.thread
        once = lower.region("body", (INDEX,), lambda p: body(p, 1))
        if _weight(once) <= UNROLLED_OPERATIONS_MAX and not (
            isinstance(count, int) and count < 2 * step
        ):
            several = step * UNROLLED_ROUNDS
            whole = (Term(lower.b, end) // several) * several
            many = lower.region("body", (INDEX,), lambda p: body(p, UNROLLED_ROUNDS))
            lower.b.emit_all(For(low, whole.value, (), several, LoopKind.SERIAL, many))
            if isinstance(count, int) and count % several == 0:
                return
            low = (Term(lower.b, low) + whole).value
        lower.b.emit_all(For(low, end, (), step, LoopKind.SERIAL, once))

    def from_row(self, buffer: Value, root: Value, index: Index) -> Value:
        rank = len(self.index)
        offset = self.lower.linear(index[rank:], root.shape[rank:])
        return self.lower.emit(Load(buffer, offset, self.lower.mask))

    def from_output(self, root: Value, index: Index) -> Value:
        return self.lower.emit(Load(*_home(self.lower, root, index), self.lower.mask))

    # Reductions.

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> tuple[Value, ...]:
        """`element(k)` combined over k in [0, count): the same in all threads."""
        if self.team == WARP:
            return Tree(self.lower, self.thread, combine, element).whole(count)
        return self.together(count, combine, element)

    def together(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> tuple[Value, ...]:
        """The same by the warps of a block: each takes chunks, then all combine what these gave."""
        lower, b = self.lower, self.lower.b
        lane = (Term(b, self.thread) & (WARP - 1)).value
        warp = Term(b, self.thread).shift_right_logical(5).value
        tree = Tree(lower, lane, combine, element)
        shape = (*lower.group.shape, ceildiv(count, CHUNK))
        parts = [lower.scratch(TensorType(d, shape)) for d in tree.dtypes]

        def chunk(number: Value) -> None:
            low = Term(lower.b, number) * CHUNK
            rest = (Term(lower.b, lower.extent(count)) - low).minimum(CHUNK)
            values = tree.level(0, low.value, rest.value)
            at = lower.linear((*self.index, number), shape)

            def store() -> None:
                for buffer, value in zip(parts, values, strict=True):
                    lower.store(buffer, at, value)

            lower.when(Term(lower.b, lane).equal(0), store)

        lower.loop(warp, lower.extent(shape[-1]), chunk, step=self.team // WARP)
        lower.b.emit_all(Barrier())

        def part(c: Value) -> Sequence[Value]:
            at = lower.linear((*self.index, c), shape)
            return [lower.emit(Reload(buffer, at, lower.mask)) for buffer in parts]

        levels = max(0, chunk_levels(count) - 1)
        return Tree(lower, lane, combine, part).whole(shape[-1], levels)


class Tree:
    """A reduction, cut into chunks where it is long, by the threads of a warp."""

    def __init__(
        self,
        lower: GroupBuilder,
        lane: Value,
        combine: str,
        element: Callable[[Value], Sequence[Value]],
    ) -> None:
        self.lower = lower
        self.lane = lane
        self.combine = combine
        self.element = element
        probe = lower.region("body", (INDEX,), lambda p: element(p[0]))
        self.dtypes = [v.dtype for v in probe.returns]
        self.cheap = _weight(probe) <= UNROLLED_OPERATIONS_MAX
        start = zip(neutral(combine, self.dtypes), self.dtypes, strict=True)
        self.start = tuple(lower.b.constant(x, d) for x, d in start)
        self.types = [scalar_type(d) for d in self.dtypes] * 2

    def whole(self, count: Extent, levels: int | None = None) -> tuple[Value, ...]:
        """All of it. The elements may be chunks' results; then some levels are done."""
        if levels is None:
            levels = chunk_levels(count)
        if levels == 0 and isinstance(count, int):
            return self.folded(self.chains(self.lower.extent(0), count))
        return self.level(levels, self.lower.extent(0), self.lower.extent(count))

    def level(self, number: int, low: Value, count: Value) -> tuple[Value, ...]:
        """The elements from `low` on, in chunks of chunks, so often."""
        if number == 0:
            return self.folded(self.chains(low, count))
        lower, n = self.lower, len(self.start)

        def add(slots: list[Value], which: Term, new: tuple[Value, ...]) -> None:
            for u in range(2):
                mine = which.equal(Term(lower.b, self.lane) + u * WARP)
                at = slice(n * u, n * (u + 1))
                both = self.joined(slots[at], new)
                slots[at] = [
                    lower.emit(Select(mine.value, x, y))
                    for x, y in zip(both, slots[at], strict=True)
                ]

        start = (*self.start, *self.start)
        return self.folded(chunks_of_chunks(lower, number, low, count, start, self.level, add))

    def folded(self, slots: Sequence[Value]) -> tuple[Value, ...]:
        """The two slots of each thread as one value, which all threads get."""
        lower, n = self.lower, len(self.start)
        values = self.joined(slots[:n], slots[n:])
        for distance in (16, 8, 4, 2, 1):
            others = [lower.emit(Shuffle(v, "down", distance)) for v in values]
            values = self.joined(values, others)
        return tuple(lower.emit(Shuffle(v, "from", 0)) for v in values)

    def joined(self, old: Sequence[Value], new: Sequence[Value]) -> tuple[Value, ...]:
        return self.lower.b.emit_all(Combine(self.combine, tuple(old), tuple(new)))

    def chains(self, start: Value, count: Extent | Value) -> tuple[Value, ...]:
        """This thread's two slots, one after the other, when the elements from `start` are in."""
        lower, n = self.lower, len(self.start)
        slots: tuple[Value, ...] = (*self.start, *self.start)
        known = count if isinstance(count, int) else None

        def step(k: Value, before: Index, rounds: int) -> Sequence[Value]:
            sums = list(before)
            first = Term(lower.b, k) + Term(lower.b, start)
            places = [(first + u * WARP).value for u in range(2 * rounds)]
            new = [tuple(self.element(p)) for p in places]
            for u, values in enumerate(new):
                at = slice(n * (u % 2), n * (u % 2 + 1))
                sums[at] = self.joined(sums[at], values)
            return sums

        def loop(low: Value, high: Value, rounds: int, slots: Sequence[Value]) -> tuple[Value, ...]:
            return lower.carry(low, high, slots, partial(step, rounds=rounds), rounds * LANES)

        length = count if isinstance(count, Value) else lower.extent(count)
        end, low = Term(lower.b, length), Term(lower.b, self.lane)
        whole = (end // LANES) * LANES
        if self.cheap and not (known is not None and known < 4 * LANES):
            several = LANES * UNROLLED_ROUNDS
            most = (end // several) * several
            slots = loop(low.value, most.value, UNROLLED_ROUNDS, slots)
            low = low + most
        if known is None or known >= LANES:
            slots = loop(low.value, whole.value, 1, slots)
        if known is not None and known % LANES == 0:
            return tuple(slots)
        rest = list(slots)
        for u in range(2):
            k = Term(lower.b, self.lane) + whole + u * WARP
            inside = lower.emit(Less(k.value, end.value))
            with lower.where(inside):
                new = self.element((k + Term(lower.b, start)).value)
            at = slice(n * u, n * (u + 1))
            together = self.joined(rest[at], new)
            rest[at] = [
                lower.emit(Select(inside, x, y)) for x, y in zip(together, rest[at], strict=True)
            ]
        return tuple(rest)


def _known(element: Value, index: Index) -> Value:
    return element
