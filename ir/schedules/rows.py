"""The schedule of reductions along the lanes, with what is computed from them row by row.

One nest of loops goes over the rows. Inside, in order: reductions, whose results stay in
registers, and loops over the elements of the row for values that have some. So softmax, for
instance, is one kernel and one trip through memory:

    for each row:
        largest = reduce x[k]
        for j:  e[j] = exp(x[j] - largest)      e: memory of one row, which the kernel keeps
        total = reduce e[k]
        for j:  y[j] = e[j] / total

The first loop over elements also asks the caches for the next row of x, and for the row of y.

Where the row is long, or its length unknown, e is in the memory of y (`Plan.lodgings`). Threads
share the rows, or each row where there are few and long ones (long.py).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..algebra import Term
from ..core import Value
from ..extent import Extent, product
from ..grid import long as grid_long
from ..grid import warps
from ..ops.kernel import Load, Local, Prefetch
from ..plan import needs, own_index
from . import long

if TYPE_CHECKING:
    from ..lowering import Index, Lowering

FETCH_MIN, FETCH_MAX = 1 << 10, 256 << 10  # bytes of rows that are asked for ahead


def schedule(lower: Lowering) -> None:
    """Write the kernel of a group of the kind "rows"."""
    shape, runs = lower.group.shape, runs_of(lower)
    if lower.target.grid:
        if grid_long.fits(lower) and warps.fits(lower) and grid_long.write(lower):
            return
        if warps.schedule(lower, runs):
            return
    if not lower.target.grid and long.fits(lower):
        lower.nest(shape, lambda index: row(lower, runs, index, shared=True), serial=len(shape))
        return
    lower.spread(shape, lambda index: row(lower, runs, index), serial=len(shape))


def runs_of(lower: Lowering) -> list[list[Value]]:
    """The values of the group, those together that one loop stores or of which rows have one."""
    runs: list[list[Value]] = []
    for root in lower.group.roots:
        if runs and root.shape == runs[-1][0].shape and _together(lower, root, runs[-1]):
            runs[-1].append(root)
        else:
            runs.append([root])
    return runs


def row(lower: Lowering, runs: list[list[Value]], index: Index, shared: bool = False) -> None:
    """What is computed of one row, by a thread alone or by all that share it."""
    known, team = dict(lower.locals), lower.team
    lower.team = long.Row(lower, index, shared)
    loops = [run for run in runs if run[0].shape != lower.group.shape]
    fetches = not (shared or lower.strips or lower.target.grid)
    for run in runs:
        if run[0].shape == lower.group.shape:
            lower.store_roots(index, run)
            for root in run:
                lower.locals[root] = partial(_known, lower.element(root, index))
        else:
            _elements(lower, index, run, shared, fetches and run is loops[0])
    lower.locals, lower.team = known, team


def _together(lower: Lowering, root: Value, run: list[Value]) -> bool:
    """Whether `root` reads those of the run at its own index, if at all."""
    own = own_index(root)
    return all(index == own for v, index in needs(root, lower.plan, run) if v in run)


def _elements(lower: Lowering, index: Index, run: list[Value], shared: bool, fetch: bool) -> None:
    """A loop over the elements of a row, or more than one; it may `fetch` what others need."""
    rest = run[0].shape[len(index) :]
    kept: dict[Value, Value] = {}
    hosts = {root: lower.plan.lodgings[root] for root in run if root in lower.plan.lodgings}
    for root in run:
        if root not in lower.outputs and root not in lower.strips and root not in hosts:
            elements = product(rest)
            assert isinstance(elements, int), "a private row of unknown length"
            kept[root] = lower.emit(Local(root.dtype, (elements,)))

    def fill(place: Index) -> None:
        lower.store_roots((*index, *place), run)
        for root, host in hosts.items():
            whole = (*index, *place)
            lower.store(*_home(lower, host, whole), lower.element(root, whole))
        for root, buffer in kept.items():
            offset = lower.linear(place, rest)
            lower.store(buffer, offset, lower.element(root, (*index, *place)))
        if fetch:
            _fetch(lower, (*index, *place), [*run, *hosts.values()])

    if shared:
        lower.spread(rest, fill, serial=len(rest) - 1)
    else:
        lower.nest(rest, fill, serial=len(rest) - 1)
    for root in run:
        if root in kept:
            lower.locals[root] = partial(_from_row, lower, kept[root], len(index), root)
        else:
            lower.locals[root] = partial(_from_home, lower, hosts.get(root, root))


def _fetch(lower: Lowering, whole: Index, stored: list[Value]) -> None:
    """While this loop computes, and stores the values `stored`, ask for what is loaded of the next
    row, and for what a later loop stores of this one: a row is often a page or more, and on each
    page prefetchers start anew. Softmax of 4096 x 1024 takes 4.2 ms so, and 6.1 without."""
    shape = stored[0].shape
    row = product(shape[len(lower.group.shape) :])
    here = lower.linear(whole, shape)
    following = (Term(lower.b, here) + Term(lower.b, lower.extent(row))).value
    for value, buffer in lower.inputs.items():
        if value.shape == shape and _fetched(row, value):
            lower.b.emit_all(Prefetch(buffer, following, "later"))
    for value, buffer in lower.outputs.items():
        if value.shape == shape and value not in stored and _fetched(row, value):
            lower.b.emit_all(Prefetch(buffer, here, "store"))


def _fetched(row: Extent, value: Value) -> bool:
    """Whether rows of so many elements are worth asking for, and stay in a cache."""
    return not isinstance(row, int) or FETCH_MIN <= row * value.dtype.itemsize <= FETCH_MAX


def _known(element: Value, index: Index) -> Value:
    return element


def _from_row(lower: Lowering, buffer: Value, rank: int, root: Value, index: Index) -> Value:
    offset = lower.linear(index[rank:], root.shape[rank:])
    return lower.emit(Load(buffer, offset, lower.mask))


def _home(lower: Lowering, root: Value, index: Index) -> tuple[Value, Value]:
    """The buffer of a value that the kernel stores, or keeps a strip of, and the place in it."""
    if root in lower.strips:
        return lower.strips[root](index)
    return lower.outputs[root], lower.linear(index, root.shape)


def _from_home(lower: Lowering, root: Value, index: Index) -> Value:
    return lower.emit(Load(*_home(lower, root, index), lower.mask))
