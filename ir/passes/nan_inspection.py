"""`inspect` lets every op of a function look for nan and infinity in what it gives."""

from __future__ import annotations

from ..copying import copy_op
from ..core import Backward, Builder, Function, Op, Value
from ..ops.control import Control
from ..ops.inspection import Inspect
from ..ops.shape import Broadcast, Constant


def inspect(f: Function) -> Function:
    """`f` without calls (see `inline`), with an `Inspect` behind every op that gives floats."""
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        if isinstance(op, Control):
            b.location = op.location
            regions = {name: inspect(getattr(op, name)) for name in op.spec.regions}
            here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
            env.update(zip(op.results, b.emit_all(here), strict=True))
            continue
        copy_op(op, b, env)
        look_at(b, op, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def look_at(b: Builder, op: Op, env: dict[Value, Value] | None = None) -> None:
    """Append an `Inspect` of what an op of `b` has given."""
    if isinstance(op, Constant | Broadcast | Control) or not op.operands:
        return
    env = env or {}
    made = tuple(env.get(v, v) for v in op.results if v.dtype.is_inexact)
    if made:
        b.location = op.location
        given = tuple(env.get(v, v) for v in op.operands)
        b.emit_all(Inspect(made, given, op.mnemonic, isinstance(op.location, Backward)))
