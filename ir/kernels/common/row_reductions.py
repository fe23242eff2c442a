"""The schedule of reductions along the lanes, with what is computed from them row by row.

One nest of loops goes over the rows. Inside, in order: reductions, whose results stay in
registers, and loops over the elements of the row for values that have some. So softmax, for
instance, is one kernel and one trip through memory:

    for each row:
        largest = reduce x[k]
        for j:  e[j] = exp(x[j] - largest)      e: memory of one row, which the kernel keeps
        total = reduce e[k]
        for j:  y[j] = e[j] / total

The first loop over elements also prefetches the next row of x, and the row of y, or the next one if
it is the loop that stores it.

Where the row is long, or its length unknown, e is in the memory of y (`Plan.row_aliases`). Threads
share the rows; those of CPUs each row, where there are few and long ones (cpu/split_rows.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from ...algebra import Term
from ...core import Op, Value
from ...extent import Extent, Shape, largest, product
from ...ops.reduction import Reduction
from ...value_classes import dataclass
from ..ops import Load, Local, Prefetch
from ..plan.groups import Group, Kind, Plan, Schedule, Uses, needs, own_index, sources
from ..plan.reasons import OTHER_KIND, Mismatch
from . import split_reductions

if TYPE_CHECKING:
    from ..builder import Index
    from ..group_builder import GroupBuilder
    from ..target import Target

# How row_column_reductions.py combines the element at an index into the column that a value is made
# of.
Down = Callable[[Value, "Index"], None]

# Bytes of a row from which on, and up to which, the next row is prefetched: what prefetchers of
# the processor do not see, and what stays in L2 until it is used. Softmax of 4096 x 1024 (4 KB):
# 1.38 of the time without.
ROW_PREFETCH_BYTES_MIN, ROW_PREFETCH_BYTES_MAX = (
    1 << 10,
    256 << 10,
)


@dataclass(frozen=True)
class Rows(Schedule):
    """A thread goes through whole rows."""

    takes = "reductions along the last axes, and what goes over the same rows"
    kind = Kind.ROWS
    heads = (Reduction,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return op.results if isinstance(op, Reduction) and along_lanes(op) else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        return cls() if group.kind is Kind.ROWS else OTHER_KIND

    def emit(self, lower: GroupBuilder) -> None:
        shape, runs = lower.group.shape, runs_of(lower)
        lower.spread(shape, lambda index: row(lower, runs, index), serial=len(shape))


def along_lanes(op: Reduction) -> bool:
    """Whether `op` reduces the last axis of more than one element."""
    return bool(op.axes) and all(e == 1 for e in op.x.shape[max(op.axes) + 1 :])


def runs_of(lower: GroupBuilder) -> list[list[Value]]:
    """The values of the group, those together that one loop stores or of which rows have one."""
    runs: list[list[Value]] = []
    for root in lower.group.roots:
        if root in lower.group.down and not isinstance(root.op, Reduction):
            continue  # is made of totals
        same = runs and _loops(lower, root) == _loops(lower, runs[-1][0])
        if same and _together(lower, root, runs[-1]):
            runs[-1].append(root)
        else:
            runs.append([root])
    return runs


def row(
    lower: GroupBuilder,
    runs: list[list[Value]],
    index: Index,
    shared: bool = False,
    down: Down | None = None,
    prefetch: bool = True,
) -> None:
    """What is computed of one row, by a thread alone or by all that share it; it may `prefetch` the
    next one."""
    loops = [run for run in runs if _loops(lower, run[0]) != lower.group.shape]
    prefetching = next(
        (run for run in loops if product(_loops(lower, run[0])[len(index) :]) != 1), []
    )
    if shared or not prefetch or lower.target.grid:
        prefetching = []
    with lower.scope(reducer=split_reductions.Row(lower, index, shared)):
        for run in runs:
            if run in loops:
                _elements(lower, index, run, shared, run is prefetching, down)
                continue
            lower.store_roots(index, run)
            for root in run:
                lower.read_through(root, partial(_known, lower.element(root, index)))


def _loops(lower: GroupBuilder, root: Value) -> Shape:
    """What the loops that make `root` go through: its elements, or those whose columns it has."""
    op: Any = root.op
    shape: Shape = op.x.shape if root in lower.group.down else root.shape
    return shape


def _together(lower: GroupBuilder, root: Value, run: list[Value]) -> bool:
    """Whether `root` reads those of the run at its own index, if at all."""
    own: tuple[object, ...] | None = own_index(root)
    if root in lower.group.down:
        assert root.op is not None and own is not None
        ((_, own),) = sources(root.op, own, lower.plan)
    return all(index == own for v, index in needs(root, lower.plan, run) if v in run)


def _elements(
    lower: GroupBuilder,
    index: Index,
    run: list[Value],
    shared: bool,
    fetch: bool,
    down: Down | None,
) -> None:
    """A loop over the elements of a row, or more than one; it may `fetch` what others need."""
    shape = _loops(lower, run[0])
    rest = shape[len(index) :]
    below = [root for root in run if root in lower.group.down]
    run = [root for root in run if root not in below]
    kept: dict[Value, Value] = {}
    aliases = {root: lower.plan.row_aliases[root] for root in run if root in lower.plan.row_aliases}
    for root in run:
        if not lower.stores(root) and root not in aliases:
            elements = largest(product(rest))
            assert isinstance(elements, int), "a private row of unknown length"
            kept[root] = lower.emit(Local(root.dtype, (elements,)))

    def fill(place: Index) -> None:
        whole = (*index, *place)
        for root in below:  # before anything is stored where it was loaded from
            assert down is not None
            down(root, whole)
        lower.store_roots(whole, run)
        for root, alias in aliases.items():
            lower.store(*lower.place(alias, whole), lower.element(root, whole))
        for root, buffer in kept.items():
            lower.store(buffer, lower.linear(place, rest), lower.element(root, whole))
        if fetch:
            _prefetch(lower, shape, whole, [*run, *aliases.values()])

    if shared:
        lower.spread(rest, fill, serial=len(rest) - 1)
    else:
        lower.nest(rest, fill, serial=len(rest) - 1)
    for root in run:
        if root in kept:
            lower.read_through(root, partial(_from_row, lower, kept[root], len(index), root))
        else:
            lower.read_through(root, partial(_from_place, lower, aliases.get(root, root)))


def _prefetch(lower: GroupBuilder, shape: Shape, whole: Index, stored: list[Value]) -> None:
    """While this loop computes, and stores the values `stored`, prefetch what is loaded of the next
    row, and what is stored of it, or by a later loop of this one: a row is often a page or
    more, and on each page prefetchers start anew. Stores wait for their lines one after another,
    and what is stored to the cache waits behind them. Softmax of 4096 x 1024 takes 4.2 ms so, and
    6.1 without; layer norm 3.3 and 4.2."""
    row = product(shape[len(lower.group.shape) :])
    here = lower.linear(whole, shape)
    following = (Term(lower.b, here) + Term(lower.b, lower.extent(row))).value
    for value, buffer in lower.inputs.items():
        if value.shape == shape and _is_prefetched(row, value):
            lower.b.emit_all(Prefetch(buffer, following, "later"))
    for value, buffer in lower.outputs.items():
        if value.shape == shape and _is_prefetched(row, value):
            place = following if value in stored else here
            lower.b.emit_all(Prefetch(buffer, place, "store"))


def _is_prefetched(row: Extent, value: Value) -> bool:
    """Whether rows of so many elements are worth prefetching, and stay in a cache."""
    row = largest(row)
    return (
        not isinstance(row, int)
        or ROW_PREFETCH_BYTES_MIN <= row * value.dtype.itemsize <= ROW_PREFETCH_BYTES_MAX
    )


def _known(element: Value, index: Index) -> Value:
    return element


def _from_row(lower: GroupBuilder, buffer: Value, rank: int, root: Value, index: Index) -> Value:
    offset = lower.linear(index[rank:], root.shape[rank:])
    return lower.emit(Load(buffer, offset, lower.mask))


def _from_place(lower: GroupBuilder, root: Value, index: Index) -> Value:
    return lower.emit(Load(*lower.place(root, index), lower.mask))
