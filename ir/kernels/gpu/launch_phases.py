"""`phases` cuts a kernel into what a grid of threads can run: kernels of one `grid` each.

What a kernel does in order becomes one phase for each loop whose iterations are independent; a
nest of such loops is one grid over all of its axes. A loop that does the same such loops a known
number of times is that many phases. Between phases all threads wait, because the
next one is launched when the last has ended. Everything else (loops that carry values, single
stores) is a phase that one thread runs. Pure scalars are computed again in each phase that uses
them; where a phase uses what another one computed, both are one, on one thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core import Builder, Function, Op, Value
from ...dtypes import int64
from ...extent import Extent, ceildiv
from ...kernel_op import KernelOp, LoopKind
from ...ops import elementwise as ew
from ...ops.shape import Constant, ExtentOf
from ...value_classes import dataclass
from ..ops import For, Grid, Parallel


@dataclass
class _Phase:
    ops: list[Op]
    first: int  # the place of the first op
    last: int
    parallel: bool


def phases(kernel: Function) -> list[Function]:
    """The phases of a kernel, in order: kernels with the same params."""
    changed = stored_buffers(kernel)
    found: list[Function] = []
    ops: list[Op] = []  # since the last loop of rounds
    pure = [op for op in kernel.body if _pure(op, changed)]
    alone = all(_pure(op, changed) or not op.results for op in kernel.body)
    for op in kernel.body:
        rounds = _rounds(op, changed) if alone else None
        if rounds is None:
            ops.append(op)
            continue
        inner = Function(kernel.name, kernel.params, (*pure, *op.regions[0].body), ())
        before = Function(kernel.name, kernel.params, tuple(ops), ())
        found += _in_order(before, changed)
        found += _in_order(inner, changed) * rounds
        ops = pure[:]
    return found + _in_order(Function(kernel.name, kernel.params, tuple(ops), ()), changed)


def _rounds(op: Op, changed: set[Value]) -> int | None:
    """How often a loop does the same: independent loops, in order. None for any other op."""
    if not isinstance(op, For) or op.init or op.kind != LoopKind.SERIAL:
        return None
    low, high = extent_of(op.low), extent_of(op.high)
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    body = op.body
    if body.params[0] in used_by(body.body):
        return None
    if not all(_pure(o, changed) or _independent(o) for o in body.body):
        return None
    return max(0, -((low - high) // op.step))


def _in_order(kernel: Function, changed: set[Value]) -> list[Function]:
    """The phases of a kernel without loops of rounds."""
    heavy = [(i, op) for i, op in enumerate(kernel.body) if not _pure(op, changed)]
    found: list[_Phase] = []
    for i, op in heavy:
        if isinstance(op, KernelOp) and op.hints:
            continue
        if _independent(op):
            found.append(_Phase([op], i, i, True))
        elif found and not found[-1].parallel:
            found[-1].ops.append(op)
            found[-1].last = i
        else:
            found.append(_Phase([op], i, i, False))
    return [_function(kernel, phase, changed) for phase in _merged(kernel, found, changed)]


def stored_buffers(kernel: Function) -> set[Value]:
    """The params that a kernel stores to."""
    changed: set[Value] = set()
    for op in kernel.walk():
        if isinstance(op, KernelOp):
            changed.update(buffer for buffer, _ in op.places(op.writes))
    return changed.intersection(kernel.params)


def _pure(op: Op, changed: set[Value]) -> bool:
    """Whether each phase may compute `op` for itself."""
    if op.effect or op.regions:
        return False
    if not isinstance(op, KernelOp):
        return True
    return all(b not in changed and b.op is None for b, _ in op.places(op.reads))


def _independent(op: Op) -> bool:
    return isinstance(op, KernelOp) and op.independent


def used_by(ops: Iterable[Op]) -> set[Value]:
    """What `ops` and their regions use, their own values among it."""
    used: set[Value] = set()
    for op in ops:
        used.update(op.operands)
        for region in op.regions:
            used |= used_by(region.body)
            used.update(region.returns)
    return used


def _needs(kernel: Function, phase: _Phase, changed: set[Value]) -> set[Value]:
    """What the phase uses, also through pure ops."""
    needed = used_by(phase.ops)
    for op in reversed(kernel.body):
        if _pure(op, changed) and not needed.isdisjoint(op.results):
            needed.update(op.operands)
    return needed


def _merged(kernel: Function, found: list[_Phase], changed: set[Value]) -> list[_Phase]:
    """Phases none of which needs what another computed."""
    i = 0
    while i < len(found):
        needed = _needs(kernel, found[i], changed)
        source = next(
            (j for j in range(i) if any(not needed.isdisjoint(op.results) for op in found[j].ops)),
            None,
        )
        if source is None:
            i += 1
            continue
        group = found[source : i + 1]
        ops = [op for phase in group for op in phase.ops]
        found[source : i + 1] = [_Phase(ops, group[0].first, group[-1].last, False)]
        i = source
    return found


def _function(kernel: Function, phase: _Phase, changed: set[Value]) -> Function:
    needed = _needs(kernel, phase, changed)
    kept = set(phase.ops)
    before = [
        op
        for op in kernel.body
        if op not in kept and _pure(op, changed) and not needed.isdisjoint(op.results)
    ]
    b = Builder(rules=("fold", "simplify", "cse"))
    if phase.parallel and not isinstance(phase.ops[0], Grid):
        b.location = phase.ops[0].location
        b.emit_all(_grid(b, phase.ops[0], changed))
        body = (*before, *b.body)
    else:
        body = tuple(op for op in kernel.body if op in kept or op in before)
    return Function(kernel.name, kernel.params, body, ())


def _grid(b: Builder, op: Op, changed: set[Value]) -> Grid:
    """A nest of independent loops with nothing but pure scalars between them."""
    lows: list[Value] = []
    highs: list[Value] = []
    steps: list[int] = []
    params: list[Value] = []
    ops: list[Op] = []

    def end(v: Value) -> Value:
        """An end of an inner loop, which may be computed inside of an outer one."""
        extent = extent_of(v) if params else None
        if extent is None:
            return v
        if isinstance(extent, int):
            return b.constant(extent, int64)
        return b.emit(ExtentOf(extent))

    while True:
        assert isinstance(op, Parallel | For)
        if isinstance(op, Parallel):
            lows.append(b.constant(0, int64))
            highs.append(end(op.count))
            steps.append(1)
        else:
            lows.append(end(op.low))
            highs.append(end(op.high))
            # Iterations side by side: their number, not the distance between them.
            steps.append(1 if op.kind in (LoopKind.VECTOR, LoopKind.SIMD) else op.step)
        params.extend(op.body.params)
        inner = _only_loop(op.body, changed)
        if inner is None:
            ops.extend(op.body.body)
            break
        ops.extend(o for o in op.body.body if o is not inner)
        op = inner
    body = Function("body", tuple(params), tuple(ops), ())
    return Grid(tuple(lows), tuple(highs), tuple(steps), 1, body)


def _only_loop(body: Function, changed: set[Value]) -> Parallel | For | None:
    """The independent loop that a body consists of, beside pure scalars; its ends do not depend
    on them."""
    loops = [op for op in body.body if not _pure(op, changed)]
    if len(loops) != 1 or not _independent(loops[0]):
        return None
    inside = {v for op in body.body for v in op.results}.union(body.params)
    if any(v in inside and extent_of(v) is None for v in loops[0].operands):
        return None
    loop = loops[0]
    assert isinstance(loop, Parallel | For), "a grid inside a loop"
    return loop


def extent_of(value: Value) -> Extent | None:
    """An index as an extent, if it does not depend on data."""
    match value.op:
        case Constant(value=number):
            return int(number)
        case ExtentOf(value=extent):
            return extent
        case ew.Add(x=x, y=y) | ew.Sub(x=x, y=y) | ew.Mul(x=x, y=y):
            first, second = extent_of(x), extent_of(y)
            if first is None or second is None:
                return None
            if isinstance(value.op, ew.Mul):
                return first * second
            return first + second if isinstance(value.op, ew.Add) else first - second
    return None


def grid_size(grid: Grid) -> Sequence[Extent] | None:
    """How many places each axis has; None where only the kernel can tell."""
    sizes: list[Extent] = []
    for low, high, step in zip(grid.lows, grid.highs, grid.steps, strict=True):
        first, end = extent_of(low), extent_of(high)
        if first is None or end is None:
            return None
        sizes.append(ceildiv(end - first, step))
    return sizes
