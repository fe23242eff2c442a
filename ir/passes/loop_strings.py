"""Loops let go of the strings that their rounds have made."""

from __future__ import annotations

from typing import Any, TypeGuard

from ..copying import copy_op
from ..core import Builder, Function, Op, Value
from ..dtypes import string
from ..ops.control import Scan, While
from ..ops.host import HostCall
from ..ops.host_functions import BeginLoop, EndLoop, EndRound, holds_strings


def forget_strings(f: Function) -> Function:
    """Let loops whose rounds make strings say what each of them hands on: see kept_strings.py."""
    classes = f.all_op_classes
    if HostCall not in classes or classes.isdisjoint((While, Scan)):
        return f
    if not any(_makes_strings(op) for op in f.walk()):
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if not op.regions:
            copy_op(op, b, env)
            continue
        regions: dict[str, Any] = {n: forget_strings(getattr(op, n)) for n in op.spec.regions}
        loop = op if _makes_strings(op) else None
        if loop is not None:
            regions["body"] = _telling(regions["body"], loop)
            b.emit(BeginLoop())
        here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
        env.update(zip(op.results, b.emit_all(here), strict=True))
        if loop is not None:
            b.emit(EndLoop())
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _makes_strings(op: Op) -> TypeGuard[While | Scan]:
    return isinstance(op, While | Scan) and any(map(holds_strings, op.regions))


def _telling(body: Function, loop: While | Scan) -> Function:
    """The body of a loop, which says at its end what it hands on."""
    count = len(loop.init)  # what comes behind it is stacked, and lives on
    carried, rows = (
        tuple(dict.fromkeys(v for v in part if v.dtype is string))
        for part in (body.returns[:count], body.returns[count:])
    )
    b = Builder(body.name)
    b.body = list(body.body)
    b.location = loop.location
    b.emit(EndRound(carried, rows))
    return Function(body.name, body.params, tuple(b.body), body.returns, body.notes)
