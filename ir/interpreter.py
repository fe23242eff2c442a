"""The reference interpreter: tensor functions run op by op, each by its `numpy`.

It is what compiled code is tested against, so it shares nothing with it: no passes, no fusion, no
kernels. Extents are known here: symbols are bound from the arguments' shapes, and attributes that
hold extents are evaluated before an op runs.

    >>> from tfc.ir import text
    >>> f = text.parse('''
    ... func @double(%x: f32[n]) -> f32[n] {
    ...   %0 = add %x, %x : f32[n]
    ...   return %0
    ... }''')
    >>> interpret(f, [np.float32([1, 2])])
    [array([2., 4.], dtype=float32)]

Limits: kernels (launches, loops, loads and stores) have no meaning here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .core import Function, Op, Value
from .extent import Expr, evaluate, symbols
from .ops.control import Control
from .ops.extents import BindExtent
from .ops.functional import Call, CustomGradient

Env = dict[Value, np.ndarray[Any, Any]]


class Observer:
    """Is told what happens: see tfc/debug/stepping.py."""

    def enter(self, f: Function, env: Env, sizes: Mapping[str, int]) -> None:
        """A function or region begins, with its arguments in `env`."""

    def before(self, op: Op) -> None:
        """An op is about to run."""

    def after(self, op: Op) -> None:
        """It has run; its results are in the `env` of the region."""

    def leave(self, f: Function) -> None:
        """A function or region has ended."""


def interpret(
    f: Function,
    arrays: Sequence[Any],
    scalars: Mapping[str, int] | None = None,
    observer: Observer | None = None,
) -> list[np.ndarray[Any, Any]]:
    """What `f` returns on `arrays`; `scalars` gives symbols that no argument's shape binds."""
    arguments = [np.asarray(a) for a in arrays]
    sizes = bind_symbols(f, arguments, scalars)
    env: Env = dict(zip(f.params, arguments, strict=True))
    if observer is not None:
        observer.enter(f, env, sizes)
    for op in f.body:
        inputs = [env[v] for v in op.operands]
        if isinstance(op, BindExtent):
            sizes[str(op.symbol)] = int(inputs[0])
            continue
        if observer is not None:
            observer.before(op)
        with np.errstate(all="ignore"):
            outcome = _run(concrete(op, sizes), inputs, sizes, observer)
        for value, symbol in op.binds():
            sizes[str(symbol)] = int(outcome[value.index])
        for value, array in zip(op.results, outcome, strict=True):
            shape = tuple(evaluate(e, sizes) for e in value.shape)
            array = np.asarray(array)
            if array.shape != shape or array.dtype != value.dtype.numpy:
                got = f"{array.dtype}{list(array.shape)}"
                raise ValueError(f"{op.mnemonic}: expected {value.type} = {shape}, got {got}")
            env[value] = array
        if observer is not None:
            observer.after(op)
    if observer is not None:
        observer.leave(f)
    return [env[v] for v in f.returns]


def _run(
    op: Op,
    inputs: list[np.ndarray[Any, Any]],
    sizes: Mapping[str, int],
    observer: Observer | None,
) -> Sequence[Any]:
    match op:
        case Control():
            return op.run(lambda f, args: interpret(f, args, sizes, observer), sizes, *inputs)
        case Call(callee=callee) | CustomGradient(forward=callee):
            return interpret(callee, inputs, None, observer)
    outcome = op.numpy(*inputs)
    return outcome if isinstance(outcome, tuple) else (outcome,)


def bind_symbols(
    f: Function, arrays: Sequence[np.ndarray[Any, Any]], scalars: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The values of the symbols; raises ValueError where arguments do not fit the params."""
    if len(arrays) != len(f.params):
        raise ValueError(f"@{f.name} takes {len(f.params)} arguments, not {len(arrays)}")
    sizes = dict(scalars or {})
    pairs = list(zip(f.params, arrays, strict=True))
    for param, array in pairs:
        if array.dtype != param.dtype.numpy or array.ndim != param.rank:
            raise ValueError(f"{array.dtype}{list(array.shape)} is no {param.type}")
        for extent, size in zip(param.shape, array.shape, strict=True):
            if isinstance(extent, Expr) and (str(extent),) == symbols(extent):
                sizes.setdefault(str(extent), size)
    for param, array in pairs:
        if tuple(evaluate(e, sizes) for e in param.shape) != array.shape:
            raise ValueError(f"{array.dtype}{list(array.shape)} is no {param.type} for {sizes}")
    return sizes


def concrete(op: Op, sizes: Mapping[str, int]) -> Op:
    """`op` on the same operands, with the extents in its attributes evaluated."""
    if op.binds():
        return op  # its attributes are the names of extents

    def known(value: Any) -> Any:
        if isinstance(value, Expr):
            return evaluate(value, sizes)
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(map(known, value))
        return value

    attributes = {name: known(value) for name, value in op.attributes.items()}
    others = {name: getattr(op, name) for name in (*op.spec.operands, *op.spec.regions)}
    return type(op)(**others, **attributes)
