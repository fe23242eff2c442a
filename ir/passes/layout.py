"""`layout` puts a short last axis first where lanes could not go along it.

The distances of n points in space are sums over the last axis of [n, n, 3], and forces sums over
the middle one: of 16 lanes 3 have work, or elements three apart are gathered. What goes in are
points, [n, 3], of which each is used n times. So these are transposed, once, and what is computed
of them is [3, n, n], with lanes along the last axis. The reduction keeps its order, and its bits.
"""

from __future__ import annotations

from ..copying import copy_op
from ..core import Builder, Function, Value
from ..extent import Extent
from ..journal import Did
from ..ops.elementwise import Elementwise
from ..ops.reduction import Reduction
from ..ops.shape import Broadcast, Transpose
from ..recomputing import REPEATS_MIN, STORE_ABOVE

MOVED_AXIS_ELEMENTS_MAX = 8  # elements of an axis that is moved: half of what a wide register holds
LAST_AXIS_ELEMENTS_MIN = 16  # elements of the axis that is the last one then


def layout(f: Function) -> Function:
    """Move the short last axes of what is reduced."""
    if Reduction not in f.op_classes:
        return f
    chosen = {op for op in f.body if isinstance(op, Reduction) and _gains(op)}
    if not chosen:
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    moved: dict[Value, Value] = {}
    for op in f.body:
        if op not in chosen:
            copy_op(op, b, env)
            continue
        assert isinstance(op, Reduction)
        x = _first(op.x, b, env, moved)
        b.location = op.location
        last = op.x.rank - 1
        if last in op.axes:
            result = b.emit(op.replace(x=x, axes=(0,)))
        else:
            result = b.emit(op.replace(x=x, axes=tuple(a + 1 for a in op.axes)))
            result = b.emit(Transpose(result, (*range(1, result.rank), 0)))
        env[op.result] = result
        why = (
            f"lanes go along {op.x.shape[last - 1]} elements, not along the last {op.x.shape[last]}"
        )
        b.note(op, Did.MOVED, why, (result,))
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _gains(op: Reduction) -> bool:
    """Whether the last axis of what is reduced is short, and cheap to move, also where elements of
    the operand are computed for others, too."""
    shape = op.x.shape
    last = len(shape) - 1
    if last < 1 or not isinstance(extent := shape[last], int):
        return False
    if not 1 < extent <= MOVED_AXIS_ELEMENTS_MAX:
        return False
    if not _many(shape[last - 1], LAST_AXIS_ELEMENTS_MIN) or not (
        op.axes == (last,) or last not in op.axes
    ):
        return False
    total, work, seen = 0, [op.x], set[Value]()
    while work:
        v = work.pop()
        if v in seen:
            continue
        seen.add(v)
        match v.op:
            case Broadcast() as leaf:
                if _short(leaf) is not None and not _many(leaf.repeats, REPEATS_MIN):
                    return False
            case Elementwise() as inner:
                total += inner.element_cost()
                work.extend(inner.operands)
            case _:
                return False
    return total <= STORE_ABOVE


def _many(extent: Extent, least: int) -> bool:
    """Whether an extent is so large, or unknown."""
    return not isinstance(extent, int) or extent >= least


def _short(op: Broadcast) -> int | None:
    """The operand's axis that lies along the last one of the result, if it is not repeated."""
    last = len(op.shape) - 1
    if last not in op.dims:
        return None
    axis = op.dims.index(last)
    return axis if op.x.shape[axis] == op.shape[last] else None


def _first(v: Value, b: Builder, env: dict[Value, Value], moved: dict[Value, Value]) -> Value:
    """`v` with its last axis first. AccumulatorChains of ops may be long: no recursion."""
    work = [v]
    while work:
        v = work[-1]
        op = v.op
        assert op is not None
        if v not in moved:
            if isinstance(op, Broadcast):
                b.location = op.location
                moved[v] = _spread(op, b, env.get(op.x, op.x))
            else:
                waiting = [x for x in op.operands if x not in moved]
                if waiting:
                    work.extend(waiting)
                    continue
                b.location = op.location
                moved[v] = b.emit(op.with_operands(lambda x: moved[x]))
        work.pop()
    return moved[v]


def _spread(op: Broadcast, b: Builder, x: Value) -> Value:
    axis = _short(op)
    last = len(op.shape) - 1
    shape = (op.shape[last], *op.shape[:last])
    if axis is None:
        if last in op.dims:  # an axis of 1
            axis = op.dims.index(last)
        else:
            return b.emit(Broadcast(x, shape, tuple(d + 1 for d in op.dims)))
    rest = [i for i in range(x.rank) if i != axis]
    turned = b.emit(Transpose(x, (axis, *rest)))
    return b.emit(Broadcast(turned, shape, (0, *(op.dims[i] + 1 for i in rest))))
