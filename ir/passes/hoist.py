"""`hoist` takes out of loops what is the same in all rounds (LLVM's LICM):

    for i: h = matmul(h, transpose(w))      ->      v = transpose(w); for i: h = matmul(h, v)

Only what goes over all of its operands is worth memory of its own: transposes, products,
convolutions, reductions. What is computed element by element, or is a view, is a part of the
kernels that read it. Nothing that can fail is moved: a loop may have no rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..copying import copy_op, op_symbols
from ..core import Builder, Function, Op, Value
from ..journal import Did
from ..ops.contraction import Matmul
from ..ops.control import Scan, While
from ..ops.reduction import Reduction
from ..ops.shape import Transpose
from ..ops.window import Conv

Loop: TypeAlias = While | Scan

_WORTH = (Transpose, Matmul, Conv, Reduction)


def hoist(f: Function) -> Function:
    """Compute before loops what does not change in them."""
    if f.op_classes.isdisjoint((While, Scan)):
        return f
    loops: dict[Op, list[Op]] = {op: _found(op) for op in f.body if isinstance(op, Loop)}
    if not any(loops.values()):
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        found = loops.get(op)
        if not found:
            copy_op(op, b, env)
            continue
        here = op.with_operands(lambda v: env.get(v, v))
        assert isinstance(here, Loop)
        changed = _without(here, found, b)
        b.location = op.location
        made = b.emit_all(changed)
        env.update(zip(op.results, made, strict=True))
        b.note(op, Did.NARROWED, "what is the same in all rounds is computed before it", made)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _captured(loop: Loop) -> dict[Value, Value]:
    """What the body of a loop finds of what is around it, by its params."""
    count = len(loop.captured)
    return dict(zip(loop.body.params[-count:], loop.captured, strict=True)) if count else {}


def _found(loop: Loop) -> list[Op]:
    """The ops in the body that are worth to be computed before the loop."""
    own = {str(name) for op in loop.body.body for _, name in op.binds()}  # extents of each round
    same = set(_captured(loop))
    found: list[Op] = []
    for op in loop.body.body:
        pure = not (op.effect or op.can_fail or op.regions)
        if pure and same.issuperset(op.operands) and own.isdisjoint(op_symbols(op)):
            same.update(op.results)
            if isinstance(op, _WORTH):
                found.append(op)
    return found


def _without(loop: Loop, found: list[Op], b: Builder) -> Op:
    """The loop without the ops `found` in its body; they, and what they need, are emitted here."""
    body, outside = loop.body, _captured(loop)
    gone = set(found)
    moved: list[Op] = []
    stay: list[Op] = []
    wanted: set[Value] = set()  # by what is moved
    read = set(body.returns)  # by what stays
    for op in reversed(body.body):
        if op in gone or not wanted.isdisjoint(op.results):
            moved.append(op)
            wanted.update(op.operands)
        if op not in gone and (op not in moved or not read.isdisjoint(op.results)):
            stay.append(op)
            read.update(op.operands)
    for op in reversed(moved):
        copy_op(op, b, outside)
    values = [v for op in found for v in op.results if v in read]
    params = [Value(v.type, name=v.name) for v in values]
    inner, env = Builder(body.name), dict(zip(values, params, strict=True))
    for op in reversed(stay):
        copy_op(op, inner, env)
    regions = {"body": _taking(body, params, inner.body, [env.get(v, v) for v in body.returns])}
    if isinstance(loop, While):
        unused = [Value(v.type, name=v.name) for v in values]
        condition = loop.condition
        regions["condition"] = _taking(condition, unused, condition.body, condition.returns)
    captured = (*loop.captured, *(outside[v] for v in values))
    return loop.replace(captured=captured, **regions)


def _taking(
    region: Function, params: Sequence[Value], body: Sequence[Op], returns: Sequence[Value]
) -> Function:
    """A region that takes more values."""
    return Function(
        region.name, (*region.params, *params), tuple(body), tuple(returns), region.notes
    )
