"""The schedule of convolutions that read their operand where it is: nothing is packed.

Where an element of the operand lies is a sum, of something for each axis of the result and for
each digit of k (the taps of the window, the channels). So a tile has rows along the axis of the
result that suits best, and k goes through runs of elements that lie at one distance. Where the
window looks beyond the operand, or elements are to be cast, the operand is copied before, with a
border of zeros.

    for each place along most axes and each panel of columns, on any threads:
        for each block of k (see blocking.py):
            for each place along one more axis, for each strip of rows: a tile
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import Value
from ..extent import Extent, product
from ..ops.contraction import BLOCK
from ..ops.kernel import For, Load
from ..ops.shape import Reshape, Transpose
from ..ops.window import Conv
from ..types import INDEX, TensorType, scalar_type
from .direct import strips

if TYPE_CHECKING:
    from .tiles import Tiles

Index = tuple[Value, ...]

FAR = 512  # elements between rows or k, above which they want the same lines of the cache
LEAST_ROWS = 8  # of a tile, from which on that is better than packing
LEAST_APART = 3  # the same where neighbours of a run do not lie side by side


class Axis(NamedTuple):
    """An axis of the result, or a digit of k: how far apart neighbours are in memory."""

    extent: Extent
    distance: Any  # in elements


@dataclass
class Walk:
    """How a convolution goes through its operand."""

    memory: Value  # what is read
    order: tuple[int, ...]  # the axes of the convolution's operand, as they lie in memory
    padded: bool
    shape: tuple[Extent, ...]  # of what is read, with its border, as it lies in memory
    axes: list[Axis]  # of the result, but for the last
    rows: int  # which of them the rows of tiles are
    digits: list[Axis]  # of k, the last one the run


class Panel(NamedTuple):
    """Some columns, in a block of k."""

    packed: Value  # the weights, side by side
    pc: Value  # where the block begins
    j0: Value
    columns: int


def walk(op: Any) -> Walk | None:
    """How a convolution may be read in place; None where it may not."""
    if not isinstance(op, Conv) or op.groups != 1 or op.batch_groups != 1 or not op.size:
        return None
    axes = op.axes(op.x.shape, op.w.shape)
    memory, order = source(op.x)
    reach: list[Extent] = [op.x.shape[0]]
    padded = False
    for axis, size, low in zip(axes, op.size, op.low, strict=True):
        if axis.hole != 1:
            return None
        wanted = (size - 1) * axis.stride + (axis.taps - 1) * axis.tap + 1
        if low == 0 and isinstance(wanted, int) and isinstance(axis.extent, int):
            inside = wanted <= axis.extent
        else:
            inside = low == 0 and wanted == axis.extent
        if not inside:
            numbers = (wanted, low, axis.extent)
            if not all(isinstance(e, int) and e >= 0 for e in numbers):
                return None
            padded = True
        reach.append(axis.extent if inside else wanted)
    padded = padded or op.x.dtype.compute is not op.x.dtype
    shape = [*(reach if padded else op.x.shape[:-1]), op.x.shape[-1]]
    if not all(isinstance(e, int) for e in (*op.w.shape[1:], *op.size[1:])):
        return None
    distances: dict[int, Extent] = {}
    step: Extent = 1
    for a in reversed(order):
        distances[a] = step
        step = step * shape[a]
    result = [Axis(op.x.shape[0], distances[0])]
    digits = []
    for a, (axis, size) in enumerate(zip(axes, op.size, strict=True), 1):
        result.append(Axis(size, axis.stride * distances[a]))
        digits.append(Axis(axis.taps, axis.tap * distances[a]))
    digits.append(Axis(op.x.shape[-1], distances[op.x.rank - 1]))
    digits = _joined(digits)
    if not isinstance(digits[-1].distance, int) or digits[-1].distance > FAR:
        return None
    rows = _rows(result, LEAST_ROWS if digits[-1].distance == 1 else LEAST_APART)
    if rows is None or 0 in (*op.w.shape, *op.size, *op.x.shape[1:]):
        return None
    found = (memory, order, padded, tuple(shape[a] for a in order), result, rows, digits)
    return Walk(*found)


def source(x: Value) -> tuple[Value, tuple[int, ...]]:
    """What `x` shows but for transposes and further axes of 1, and the axes of x in the order in
    which they lie in memory."""
    order = tuple(range(x.rank))  # axes of the convolution's operand, by axes of the value
    alone: tuple[int, ...] = ()
    while True:
        match x.op:
            case Transpose(perm=perm):
                order = tuple(order[perm.index(a)] for a in range(x.rank))
                x = x.op.x
            case Reshape() as op if op.only_ones and x.rank > op.x.rank:
                kept = [a for a, e in enumerate(x.shape) if e != 1]
                if [x.shape[a] for a in kept] != list(op.x.shape):
                    return x, (*alone, *order)
                alone += tuple(order[a] for a, e in enumerate(x.shape) if e == 1)
                order = tuple(order[a] for a in kept)
                x = op.x
            case _:
                return x, (*alone, *order)


def _joined(digits: list[Axis]) -> list[Axis]:
    """The digits with neighbours as one where they lie at one distance."""
    found = [digits[-1]]
    for digit in reversed(digits[:-1]):
        last = found[0]
        if digit.extent == 1:
            continue
        if last.extent == 1:
            found[0] = digit
        elif isinstance(last.extent, int) and digit.distance == last.extent * last.distance:
            found[0] = Axis(digit.extent * last.extent, last.distance)
        else:
            found.insert(0, digit)
    return found


def _rows(axes: Sequence[Axis], least: int) -> int | None:
    """The axis whose places make the highest tiles; of several the last."""
    best, place = least, None
    for a, (extent, distance) in enumerate(axes):
        if isinstance(distance, int) and distance <= FAR and isinstance(extent, int) and extent:
            height = strips(extent, 12)[0][2]
            if height >= best:
                best, place = height, a
    return place


class Sliding:
    """Writes a convolution whose operand is read in place."""

    def __init__(self, tiles: Tiles, op: Conv, how: Walk) -> None:
        self.t, self.op, self.how = tiles, op, how
        self.others = [a for a in range(len(how.axes)) if a != how.rows]
        self.source: Value

    def write(self) -> None:
        t, lower = self.t, self.t.lower
        n = int(self.op.w.shape[-1])
        self.source = self.copied() if self.how.padded else lower.buffer(self.how.memory)
        extents = [self.how.axes[a].extent for a in self.others[:-1]]
        whole, rest = divmod(n, t.columns)
        work = t.work()

        def panel(number: Value) -> None:
            *places, q = lower.unlinear(number, (*extents, whole))
            self.blocks(places, t.mul(q, t.columns), t.columns)

        def edge(number: Value) -> None:
            places = lower.unlinear(number, tuple(extents)) if extents else ()
            self.blocks(places, t.extent(whole * t.columns), rest)

        if whole:
            lower.parallel(product((*extents, whole)), work, panel)
        if rest:
            lower.parallel(product(extents), work, edge)

    def blocks(self, places: Sequence[Value], j0: Value, columns: int) -> None:
        """The panel of columns from j0 on, at these places of all axes but two. Its part of the
        weights is packed, so that it stays in the nearest cache."""
        t, lower = self.t, self.t.lower
        packed = t.local(BLOCK * t.columns)

        def block(pc: Value) -> None:
            t.pack_right(packed, t.extent(0), (), pc, t.block_length(pc), j0)
            panel = Panel(packed, pc, j0, columns)
            if not self.others:
                self.strips({}, panel)
                return
            *outer, last = self.others
            known = dict(zip(outer, places, strict=True))
            extent = self.how.axes[last].extent
            if extent == 1:
                self.strips({**known, last: t.extent(0)}, panel)
                return
            end = t.extent(extent)
            lower.loop(t.extent(0), end, lambda i: self.strips({**known, last: i}, panel))

        t.steps(t.p.k, BLOCK, block)

    def strips(self, places: dict[int, Value], panel: Panel) -> None:
        t, rows = self.t, int(self.how.axes[self.how.rows].extent)  # type: ignore[arg-type]
        for low, count, height in strips(rows, t.rows):

            def strip(i0: Value, height: int = height) -> None:
                self.tile(places, i0, panel, height)

            if count == 1:
                strip(t.extent(low))
            else:
                ends = t.extent(low), t.extent(low + count * height)
                t.lower.loop(*ends, strip, step=height)

    def tile(self, places: dict[int, Value], i0: Value, panel: Panel, height: int) -> None:
        """Some rows of a panel."""
        t, lower, rows = self.t, self.t.lower, self.how.rows
        zero = lower.b.constant(0, t.compute)
        base = t.extent(0)
        for a, axis in enumerate(self.how.axes):
            base = t.add(base, t.mul(i0 if a == rows else places[a], t.extent(axis.distance)))
        distance = int(self.how.axes[rows].distance)
        found: list[Index] = []
        for r in range(height):
            index = [places.get(a, i0) for a in range(len(self.how.axes))]
            index[rows] = t.add(i0, r)
            found.append(tuple(index))

        def columns(j: Value) -> None:
            sums = self.sums(base, distance, panel, j, (zero,) * height)
            column = t.add(panel.j0, j)

            def store(last: bool) -> None:
                places = [(*index, column) for index in found]
                pairs = zip(places, sums, strict=True)
                totals = [t.total(place, panel.pc, block) for place, block in pairs]
                for place, total in zip(places, totals, strict=True):
                    t.store_total(place, total, last)

            t.finish(panel.pc, store)

        whole = panel.columns == t.columns
        kind, step = ("lanes", t.columns) if whole else ("vector", 2)
        if panel.columns <= t.lanes:
            step = 1
        lower.loop(t.extent(0), t.extent(panel.columns), columns, kind, step=step)

    def sums(
        self, base: Value, row: int, panel: Panel, j: Value, sums: Sequence[Value]
    ) -> Sequence[Value]:
        """Adds up a block of k: run by run, if there is more than one. Rows are `row` elements
        apart, from `base` on."""
        t, lower, pc = self.t, self.t.lower, panel.pc
        *digits, (length, step) = self.how.digits
        extents = tuple(d.extent for d in digits)
        end = t.add(pc, t.block_length(pc))

        def run(
            origin: Value, start: Value, count: Value, sums: Sequence[Value]
        ) -> Sequence[Value]:
            """So many from k = start on, the first one at `origin`."""

            at = t.add(t.mul(t.minus(start, pc), t.columns), j)

            def add(params: Index) -> Sequence[Value]:
                e, *totals = params
                y = t.load(panel.packed, t.add(at, t.mul(e, t.columns)))
                place = t.add(origin, t.mul(e, t.extent(step)))
                return [
                    t.fma(t.load(self.source, t.add(place, r * row)), y, total)
                    for r, total in enumerate(totals)
                ]

            return self.loop(add, count, sums)

        if not digits:
            origin = t.add(base, t.mul(pc, t.extent(step)))
            return run(origin, pc, t.minus(end, pc), sums)
        first = t.op("floor_div", pc, t.extent(length))
        last = t.op("floor_div", t.minus(end, 1), t.extent(length))

        def segment(params: Index) -> Sequence[Value]:
            s, *totals = params
            q = t.add(first, s)
            low, count = t.mul(q, t.extent(length)), t.extent(length)
            start = low
            if t.several:
                start = t.op("maximum", low, pc)
                count = t.minus(t.least(t.add(low, t.extent(length)), end), start)
            origin = t.add(base, t.mul(t.minus(start, low), t.extent(step)))
            for digit, place in zip(digits, lower.unlinear(q, extents), strict=True):
                origin = t.add(origin, t.mul(place, t.extent(digit.distance)))
            return run(origin, start, count, totals)

        return self.loop(segment, t.add(t.minus(last, first), 1), sums)

    def loop(
        self, fill: Callable[[Index], Sequence[Value]], count: Value, init: Sequence[Value]
    ) -> Sequence[Value]:
        """`fill` for 0, 1, ... below count, which carries sums."""
        t = self.t
        types = (INDEX, *[scalar_type(t.compute)] * len(init))
        body = t.lower.region("body", types, fill)
        loop = For(t.extent(0), count, tuple(init), 1, "serial", body)
        found: Sequence[Value] = t.lower.b.emit_all(loop)
        return found

    def copied(self) -> Value:
        """The operand in the dtype that is computed in, with zeros around it."""
        t, lower, how = self.t, self.t.lower, self.how
        shape = how.shape
        buffer: Value = lower.scratch(TensorType(t.compute, shape))
        x, zero = lower.buffer(how.memory), lower.b.constant(0, t.compute)
        lows: list[Any] = [0] * self.op.x.rank
        lows[1:-1] = self.op.low
        inner = [self.op.x.shape[a] for a in how.order]  # without the border
        low = [lows[a] for a in how.order]
        last = max((a for a in range(len(shape)) if shape[a] != inner[a] or low[a]), default=0)
        dense: Any = product(shape[last + 1 :])
        first = low[last] * dense
        total = shape[last] * dense
        inside = min(inner[last], shape[last] - low[last]) * dense if last else total
        if not last:
            inside = inner[0] * dense

        def line(number: Value) -> None:
            places = lower.unlinear(number, shape[:last]) if last else ()
            to = t.mul(number, t.extent(total))
            at = [t.minus(p, t.extent(e)) for p, e in zip(places, low, strict=False)]
            corner = (*at, *[t.extent(0)] * (len(shape) - last))
            begin = lower.linear(corner, tuple(inner))

            def clear(low: Extent, high: Extent) -> None:
                if low != high:
                    ends = t.extent(low), t.extent(high)
                    store = lower.store
                    lower.loop(*ends, lambda e: store(buffer, t.add(to, e), zero), "vector", step=2)

            def element(e: Value) -> None:
                value = lower.emit(Load(x, t.add(begin, e), None))
                place = t.add(to, t.add(e, t.extent(first)))
                lower.store(buffer, place, lower.cast(value, t.compute))

            def copy() -> None:
                clear(0, first)
                lower.loop(t.extent(0), t.extent(inside), element, "vector", step=2)
                clear(first + inside, total)

            seen: Value | None = None
            for place, extent, reach, before in zip(at, inner, shape, low, strict=False):
                if extent == reach and not before:
                    continue
                good = t.both(
                    t.op("greater_equal", place, 0), t.op("less", place, t.extent(extent))
                )
                seen = good if seen is None else t.both(seen, good)
            if seen is None:
                copy()
            else:
                t.when(seen, copy)
                t.when(t.no(seen), lambda: clear(0, total))

        lines = product(shape[:last])
        lower.parallel(lines, lines * total // 4, line)
        return buffer
