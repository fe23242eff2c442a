"""The pipeline: each pass takes a function and gives a new one, named as it is dumped."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

from ..copying import copy_op, name_like, rebuild, transfer
from ..core import Builder, Function, Value
from ..journal import Did, wanted
from ..liveness import live_ops
from ..ops.control import Cond, Control
from ..ops.functional import Call, CustomGradient
from ..ops.shape import Constant
from .distribute import distribute
from .hoist import hoist
from .layout import layout
from .loop_results import count
from .merge_loops import merge
from .overlap import overlap
from .prune_carried import prune
from .strip_mine import strip_mine

Pass: TypeAlias = Callable[[Function], Function]


def inline(f: Function) -> Function:
    """Put the bodies of called functions in the places of their calls."""
    if f.op_classes.isdisjoint((Call, CustomGradient)):
        return f
    b = Builder(f.name)
    params = [b.parameter(p.type, p.name) for p in f.params]
    env: dict[Value, Value] = dict(zip(f.params, params, strict=True))
    _inline_into(f, b, env)
    returns = tuple(env[v] for v in f.returns)
    return Function(f.name, tuple(b.params), tuple(b.body), returns, f.notes)


def _inline_into(f: Function, b: Builder, env: dict[Value, Value]) -> None:
    for op in f.body:
        match op:
            case Call(args=args, callee=callee) | CustomGradient(args=args, forward=callee):
                inner = dict(zip(callee.params, (env[a] for a in args), strict=True))
                _inline_into(callee, b, inner)
                results = [inner[v] for v in callee.returns]
                env.update(zip(op.results, results, strict=True))
                b.note(op, Did.INLINED, f"the body of @{callee.name}", results)
            case _:
                copy_op(op, b, env)


def regions(f: Function) -> Function:
    """Optimise the regions of control flow, as functions of their own; a branch whose predicate is
    known takes the place of its `cond`."""
    if Control not in f.op_classes:
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if isinstance(op, Cond) and isinstance(op.predicate.op, Constant):
            branch = op.then if op.predicate.op.value else op.orelse
            results = transfer(run(branch), b, [env.get(v, v) for v in op.args])
            env.update(zip(op.results, results, strict=True))
            b.note(op, Did.REPLACED, f"the predicate is {bool(op.predicate.op.value)}", results)
        elif isinstance(op, Control):
            optimised = {name: run(getattr(op, name)) for name in op.spec.regions}
            here = op.with_operands(lambda v: env.get(v, v)).replace(**optimised)
            made = b.emit_all(here)
            name_like(made, op.results)
            env.update(zip(op.results, made, strict=True))
            b.became(op, made)
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def simplify(f: Function) -> Function:
    """Apply the rules of rules.py."""
    if f.op_classes.isdisjoint(Builder.simplifies):
        return f
    return rebuild(f, Builder(rules=("simplify",)))


def cse(f: Function) -> Function:
    """Compute equal things once."""
    if len({type(op) for op in f.body}) == len(f.body):
        return f
    return rebuild(f, Builder(rules=("cse",)))


def fold(f: Function) -> Function:
    """Evaluate exact ops on constants."""
    if Constant not in f.op_classes:
        return f
    return rebuild(f, Builder(rules=("fold",)))


def dce(f: Function) -> Function:
    """Drop what no result and no effect needs."""
    live = live_ops(f)
    return f if len(live) == len(f.body) else rebuild(f, Builder(), keep=live.__contains__)


OPTIMISE: tuple[Pass, ...] = (
    *(inline, merge, strip_mine, regions, hoist, fold, simplify),
    *(layout, cse, distribute, prune, count, dce, overlap),
)


def run(
    f: Function,
    passes: tuple[Pass, ...] = OPTIMISE,
    observe: Callable[[str, Function], None] | None = None,
) -> Function:
    """`f` after `passes`; `observe` is told the name and outcome of each.

    Under TFC_VERIFY=1 what goes in and what each pass makes is verified (see verify.py).
    """
    verify = _verifier()
    if verify is not None:
        verify(f)
    journal = wanted()
    for step in passes:
        f = step(f) if journal is None else journal.take(step, f)
        if verify is not None:
            verify(f)
        if observe is not None:
            observe(step.__name__, f)
    return f


def _verifier() -> Pass | None:
    if os.environ.get("TFC_VERIFY", "0") in ("", "0"):
        return None
    from ..verify import verify

    return verify
