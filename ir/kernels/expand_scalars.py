"""Passes over kernels: `expand` writes every scalar op as ones that machines have.

What no machine has becomes what kernels/expand says, such as a polynomial; float16 and bfloat16 are
computed in float32 and rounded after each op; conversions that saturate become compares and
selects (conversions.py). Before that, complex numbers become pairs (split_complex.py).
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..copying import copy_op, name_like
from ..core import Builder, Function, Op, Value, set_results
from ..dtypes import float32
from ..ops.control import Control
from ..ops.elementwise import Bitcast, Cast, Elementwise, Select
from .conversions import cast
from .expand import Scalar, expansion
from .expand_emitter import IrEmitter
from .ops import Launch
from .split_complex import split

RULES = ("fold", "simplify", "cse")


def expand(f: Function) -> Function:
    """Rewrite the scalar ops of all kernels. Ops that stay as they are belong to both functions."""
    return _expand(f, {})


def _expand(f: Function, done: dict[tuple[Op, ...], Function]) -> Function:
    """`done` are kernels by their bodies, which several may have in common."""
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if isinstance(op, Launch):
            known = done.get(op.kernel.body)
            if known is None:
                known, _ = _region(split(op.kernel), {}, Builder(rules=RULES))
                done[op.kernel.body] = known
            kernel = dataclasses.replace(known, name=op.kernel.name, notes=op.kernel.notes)
            inputs = tuple(env.get(v, v) for v in op.inputs)
            results = b.emit_all(op.replace(inputs=inputs, kernel=kernel))
            name_like(results, op.results)
            env.update(zip(op.results, results, strict=True))
        elif isinstance(op, Control):
            regions = {name: _expand(getattr(op, name), done) for name in op.spec.regions}
            here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
            results = b.emit_all(here)
            name_like(results, op.results)
            env.update(zip(op.results, results, strict=True))
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _region(region: Function, env: dict[Value, Value], b: Builder) -> tuple[Function, set[Value]]:
    """A kernel or loop body with its ops expanded and what nobody uses dropped; and all values
    that it uses. `env` says what became of the values around it that changed."""
    uses: dict[Op, set[Value]] = {}  # what loops use in their bodies
    for op in region.body:
        b.location = op.location
        same = not env or env.keys().isdisjoint(op.operands)
        if op.regions and not op.closed:
            inner = {n: _region(getattr(op, n), dict(env), b.inner()) for n in op.spec.regions}
            here: Op = op if same else op.with_operands(lambda v: env.get(v, v))
            here = here.replace(**{n: body for n, (body, _) in inner.items()})
            env.update(zip(op.results, b.emit_all(here), strict=True))
            uses[here] = set().union(*(used for _, used in inner.values()))
        elif same and _native(op):
            results = b.keep(op)
            if results is not op.results:
                env.update(zip(op.results, results, strict=True))
        elif isinstance(op, Elementwise):
            changed = op.with_operands(lambda v: env.get(v, v))
            if _native(op):  # what its operands became has their types: no need to infer
                set_results(changed, (Value(op.result.type, changed),), op.location)
                env[op.result] = b.emit(changed)
            else:
                env[op.result] = scalar(b, changed)
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in region.returns)
    used, kept = set(returns), []
    for op in reversed(b.body):
        if op.effect or not used.isdisjoint(op.results):
            kept.append(op)
            used.update(op.operands)
            if op.regions and not op.closed:
                used.update(uses[op] if op in uses else _used_inside(op))
    kept.reverse()
    return Function(region.name, region.params, tuple(kept), returns, region.notes), used


def _used_inside(op: Op) -> set[Value]:
    """What the loops of an expansion use."""
    return {v for f in op.regions for inner in f.walk() for v in inner.operands}.union(
        *(f.returns for f in op.regions)
    )


def _native(op: Op) -> bool:
    """Whether the backends surely have `op` as it is."""
    if isinstance(op, Elementwise) and (op.expansion is not None or isinstance(op, Cast)):
        return False
    for v in op.operands:  # asked of every op: no generators
        dtype = v.type.dtype
        if dtype.bits < 32 and dtype.compute is not dtype:
            return False
    return True


def scalar(b: Builder, op: Elementwise) -> Value:
    """The scalar op `op` (not yet emitted) in terms of ops that the backends have."""
    operand = op.operands[-1]
    if isinstance(op, Cast):
        return cast(b, op.x, op.dtype)
    if operand.dtype.compute is not operand.dtype and not isinstance(op, Select | Bitcast):
        wide = [cast(b, v, float32) if v.dtype is operand.dtype else v for v in op.operands]
        mapping = dict(zip(op.operands, wide, strict=True))
        result = scalar(b, op.with_operands(lambda v: mapping[v]))
        keeps = op.result_dtype(operand.dtype) is operand.dtype
        return cast(b, result, operand.dtype) if keeps else result
    function = expansion(type(op))
    if function is not None:
        emitter = IrEmitter(b)
        arguments = [Scalar(emitter, v, v.dtype.short) for v in op.operands]
        expanded = function(*arguments, *op.attributes.values())
        if expanded is not None:
            value: Any = expanded.value
            return value  # type: ignore[no-any-return]
    return b.emit(op)
