"""`count` turns loops that keep what their rounds give into loops that are run twice, where that
costs less: once for the number of their rounds alone, then as scans of that length."""

from __future__ import annotations

from ..copying import copy_op, transfer
from ..core import Builder, Function, Value
from ..dtypes import int64
from ..journal import Did
from ..ops.control import Scan, While
from ..ops.elementwise import Add
from ..ops.extents import BindExtent
from ..ops.growing import GrowingWhile
from ..types import INDEX
from .prune_carried import prune
from .scalar_control import is_scalar


def count(f: Function) -> Function:
    """Count rounds where counting is one kernel."""
    return counted(f, False)


def counted(f: Function, every: bool = True) -> Function:
    """`f` with its loops counted: all that can be, or those that it is good for."""
    if GrowingWhile not in f.op_classes:
        return f
    loops = [op for op in f.body if isinstance(op, GrowingWhile) and not op.inside]
    chosen = {op: _counting(op) for op in loops}
    if not every:
        chosen = {op: g for op, g in chosen.items() if _is_kernel(g)}
    if not chosen:
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        if op not in chosen:
            copy_op(op, b, env)
            continue
        assert isinstance(op, GrowingWhile)
        b.location = op.location
        here = op.with_operands(lambda v: env.get(v, v))
        rounds = transfer(chosen[op], b, here.operands)[0]
        if any(symbol == op.rounds for _, symbol in op.binds()):
            b.emit_all(BindExtent(rounds, op.rounds))
        body = op.body
        each = Function("body", (Value(INDEX, name="i"), *body.params), body.body, body.returns)
        scan = Scan(here.init, (), here.captured, op.rounds, False, len(op.rows), each)
        found = b.emit_all(scan)
        n = len(op.init)
        env.update(zip(op.results, (*found[:n], rounds, *found[n:]), strict=True))
        b.note(op, Did.REPLACED, "rounds are counted first, which is one kernel", found)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _counting(op: GrowingWhile) -> Function:
    """The function of the operands of `op` that gives the number of its rounds."""
    b = Builder("count")
    operands = [b.parameter(v.type) for v in op.operands]
    n = len(op.init)
    one = Builder("body")
    params = [one.parameter(p.type, p.name) for p in op.body.params[:n]]
    rounds = one.parameter(INDEX, "rounds")
    params += [one.parameter(p.type, p.name) for p in op.body.params[n:]]
    carried = transfer(op.body, one, params)[:n]
    body = one.build(*carried, one.emit(Add(rounds, one.constant(1, int64))))
    test = op.condition
    held = (*test.params[:n], Value(INDEX), *test.params[n:])
    condition = Function(test.name, held, test.body, test.returns)
    start = (*operands[:n], b.constant(0, int64))
    *_, total = b.emit_all(While(start, tuple(operands[n:]), condition, body))
    return prune(b.build(total))


def _is_kernel(f: Function) -> bool:
    return all(is_scalar(op) for op in f.body if isinstance(op, While))
