"""`distribute` takes calls of the host out of loops: one call for all rounds.

    for i: y[i] = lower(x[i])        ->        z = lower(x); for i: y[i] = z[i]

A call costs some microseconds of Python, whatever it is for. It is taken out where it is pure,
where what it is called with is a slice of the loop, does not change in it, or comes from calls that
are taken out, and where its routine says what does the same for rows (`stacking`).
"""

from __future__ import annotations

from ..copying import copy_op
from ..core import Builder, Function, Op, Value
from ..extent import Shape
from ..journal import Did
from ..ops.control import Scan
from ..ops.host_functions import Elementwise, HostFunction, HostResult, HostRun, stacking
from ..ops.shape import Broadcast, Constant
from ..value_classes import dataclass


def distribute(f: Function) -> Function:
    """Call the host once for all rounds of a loop."""
    if Scan not in f.op_classes:
        return f
    if not any(isinstance(op, Scan) and _calls(op.body) for op in f.body):
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        if isinstance(op, Scan) and _calls(op.body):
            b.location = op.location
            here = op.with_operands(lambda v: env.get(v, v))
            assert isinstance(here, Scan)
            changed = _distributed(here, b)
            made = b.emit_all(changed)
            env.update(zip(op.results, made, strict=True))
            if changed is here:
                b.became(op, made)
            else:
                b.note(op, Did.REPLACED, "calls of the host are made once for all rounds", made)
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _calls(f: Function) -> bool:
    return any(type(op) in (HostFunction, HostRun) for op in f.body)


@dataclass(frozen=True)
class _Outside:
    """A value of the body, outside of the loop: `stacked`, a row for each round, or the same in
    all."""

    value: Value
    stacked: bool


def _distributed(scan: Scan, b: Builder) -> Scan:
    """The loop without the calls that have been emitted before it."""
    body, carried, xs = scan.body, len(scan.init), len(scan.xs)
    slices = body.params[1 + carried : 1 + carried + xs]
    outside = {p: _Outside(x, True) for p, x in zip(slices, scan.xs, strict=True)}
    captured = body.params[1 + carried + xs :]
    outside |= {p: _Outside(x, False) for p, x in zip(captured, scan.captured, strict=True)}
    gone: list[Op] = []
    for op in body.body:
        b.location = op.location
        if isinstance(op, Constant):
            outside[op.results[0]] = _Outside(b.emit(op), False)
        elif _taken_out(op, outside, scan, b):
            gone.append(op)
    if not gone:
        return scan
    rest = [op for op in body.body if op not in gone]
    read = {v for op in rest for v in op.operands} | {
        v for op in rest for region in op.regions for inner in region.walk() for v in inner.operands
    }
    read |= set(body.returns)
    rows = [v for op in gone for v in op.results if v in read]
    fresh = {v: Value(v.type, name=v.name) for v in rows}
    inner = Builder(body.name)
    env = dict(fresh)
    for op in rest:
        copy_op(op, inner, env)
    params = (*body.params[: 1 + carried + xs], *fresh.values(), *captured)
    returns = tuple(env.get(v, v) for v in body.returns)
    changed = Function(body.name, params, tuple(inner.body), returns, body.notes)
    new = (*scan.xs, *(outside[v].value for v in rows))
    return scan.replace(xs=new, body=changed)


def _taken_out(op: Op, outside: dict[Value, _Outside], scan: Scan, b: Builder) -> bool:
    """Whether a call is made before the loop, for all rounds; `outside` gets what it gives."""
    known = [outside.get(v) for v in op.operands]
    given = [x for x in known if x is not None]
    if len(given) < len(known) or not any(x.stacked for x in given):
        return False
    whole: Op
    match op:
        case HostResult(held=held, place=place, shape=shape, dtype=dtype):
            whole = HostResult(outside[held].value, place, (scan.count, *shape), dtype)
        case HostFunction(routine=routine, shape=shape, dtype=dtype) if type(op) is HostFunction:
            found = stacking(routine)
            if found is None or not _may(found[1], op, given, len(shape)):
                return False
            rows = (scan.count, *shape)
            whole = HostFunction(_aligned(given, rows, found[1], b), found[0], rows, dtype)
        case HostRun(routine=routine, places=()) if type(op) is HostRun:
            found = stacking(routine)
            if found is None or found[1] is not None or not _may(None, op, given, 0):
                return False
            whole = HostRun(tuple(x.value for x in given), found[0], (), ())
        case _:
            return False
    for mine, value in zip(op.results, b.emit_all(whole), strict=True):
        outside[mine] = _Outside(value, True)
    return True


def _may(kind: Elementwise | None, op: Op, given: list[_Outside], rank: int) -> bool:
    """Whether a routine takes these operands with rows among them."""
    if kind is Elementwise.ALL:
        return True
    if kind is Elementwise.FIRST and op.operands[0].rank != rank:
        return False
    return given[0].stacked and not any(x.stacked for x in given[1:])


def _aligned(
    given: list[_Outside], shape: Shape, kind: Elementwise | None, b: Builder
) -> tuple[Value, ...]:
    """The operands; where they are broadcast, in the shape of the result, but for scalars that all
    rounds have."""
    if kind is not Elementwise.ALL:
        return tuple([x.value for x in given])
    found = []
    for x in given:
        value, axes = x.value, x.value.rank - x.stacked
        if value.rank and value.shape != shape:
            dims = [*([0] if x.stacked else []), *range(len(shape) - axes, len(shape))]
            value = b.emit(Broadcast(value, shape, tuple(dims)))
        found.append(value)
    return tuple(found)


__all__ = ["distribute"]
