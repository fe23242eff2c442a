"""Calls of Python's own code from programs: what is computed on the host, strings above all.

`emit` appends a call of a routine to the trace (see tfc/ir/ops/host_functions.py). Of its results
those extents are told that are known; the others are bound when the program gets there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Op, Value
from tfc.ir.dtypes import DType, bool_, int64, string
from tfc.ir.extent import Extent, fresh_symbol
from tfc.ir.ops.host_functions import (
    Elementwise,
    HostEffect,
    HostFunction,
    HostResult,
    HostRun,
    NamedRoutine,
    Routine,
    register,
)
from tfc.ir.value_classes import NamedTuple


class Result(NamedTuple):
    """What a routine gives: a tensor of this dtype. An extent is None where only a call tells."""

    dtype: DType
    shape: Sequence[Extent | None]


def emit(
    b: Builder,
    routine: NamedRoutine | Routine,
    operands: Sequence[Value],
    results: Sequence[Result],
    effect: bool = False,
) -> list[Value]:
    """Append a call; `effect` keeps it in its place among effects."""
    places = [
        (i, axis) for i, r in enumerate(results) for axis, e in enumerate(r.shape) if e is None
    ]
    if len(results) == 1 and not places and not effect:
        (result,) = results
        shape: Any = tuple(result.shape)
        return [b.emit(HostFunction(tuple(operands), routine, shape, result.dtype))]
    kind = HostEffect if effect else HostRun
    which, axes = (tuple(pair[k] for pair in places) for k in (0, 1))
    held, *sizes = b.emit_all(kind(tuple(operands), routine, which, axes))
    bound = {}
    for place, size in zip(places, sizes, strict=True):
        bound[place] = fresh_symbol()
        measured = getattr(b, "measured", None)
        if measured is not None:
            measured.add(str(bound[place]))
        b.emit_all(ir.BindExtent(size, bound[place]))
    found = []
    for i, result in enumerate(results):
        shape = tuple(bound.get((i, axis), e) for axis, e in enumerate(result.shape))
        found.append(b.emit(HostResult(held, i, shape, result.dtype)))
    return found


# What looks at strings, where ops on numbers are native.


def _equal(options: str, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray]:
    return (np.asarray(np.equal(x, y), np.bool_),)


def _not_equal(options: str, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray]:
    return (np.asarray(np.not_equal(x, y), np.bool_),)


def _sort(options: str, x: np.ndarray) -> tuple[np.ndarray]:
    found = np.sort(x, axis=-1)
    return (found[..., ::-1] if options else found,)


def _arg_sort(options: str, x: np.ndarray) -> tuple[np.ndarray]:
    if not options:
        return (np.argsort(x, axis=-1, kind="stable"),)
    # From the end in ascending order, and then turned around: equals keep their order.
    backwards = np.argsort(x[..., ::-1], axis=-1, kind="stable")
    return ((x.shape[-1] - 1 - backwards)[..., ::-1],)


def _join(options: str, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray]:
    return (np.asarray(x + y, object),)


register("string_equal", _equal, Elementwise.ALL)
register("string_not_equal", _not_equal, Elementwise.ALL)
register("string_join", _join, Elementwise.ALL)
register("string_sort", _sort)
register("string_arg_sort", _arg_sort)


def _call(b: Builder, name: str, operands: Sequence[Value], dtype: DType, options: str) -> Value:
    routine = NamedRoutine(f"string_{name}", options)
    return emit(b, routine, operands, [Result(dtype, operands[0].shape)])[0]


def on_host(b: Builder, op: Op) -> Value | None:
    """What an op is on strings, where it looks at them; None where it moves them, or has no
    meaning there. They must have been broadcast."""
    if not op.operands or op.operands[0].dtype is not string:
        return None
    match op:
        case ir.Equal(x=x, y=y) if x.type == y.type:
            return _call(b, "equal", (x, y), bool_, "")
        case ir.NotEqual(x=x, y=y) if x.type == y.type:
            return _call(b, "not_equal", (x, y), bool_, "")
        case ir.Sort(x=x, descending=descending) if x.rank:
            return _call(b, "sort", (x,), string, "descending" if descending else "")
        case ir.ArgSort(x=x, descending=descending) if x.rank:
            return _call(b, "arg_sort", (x,), int64, "descending" if descending else "")
    return None


def joined(b: Builder, x: Value, y: Value) -> Value:
    """Each string of `x` with that of `y` behind it."""
    return _call(b, "join", (x, y), string, "")
