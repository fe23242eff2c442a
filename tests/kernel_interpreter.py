"""Runs kernels as their ops' descriptions say, one element after another, by NumPy.

It is what passes over kernels are compared with: it shares nothing with the code generators. What
loops run side by side runs in order here, so that a kernel whose rounds depend on each other may
seem right. Memory that was never stored to is nan, or the largest integer.

Limits: one thread (no teams), and no ops of vector registers but loads and stores of several
elements, tiles that are transposed, sorted runs, and what writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import as_int, evaluate
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels import ops
from tfc.ir.kernels.ops.reductions import neutral
from tfc.ir.ops.elementwise import Elementwise
from tfc.ir.ops.reduction import LANES
from tfc.ir.ops.shape import Constant, ExtentOf


class Outside(Exception):
    """An element beside a buffer was asked for: the op, and the offset."""


class Failed(Exception):
    """A check failed: its site, and the values that it reports."""


@dataclass(frozen=True)
class Memory:
    """The elements of a buffer, in a row."""

    elements: np.ndarray
    asked: list[int]  # what was prefetched

    def place(self, op: Op, offset: Any) -> int:
        if not 0 <= offset < self.elements.size:
            raise Outside(op.mnemonic, int(offset))
        return int(offset)

    def load(self, op: Op, offset: Any) -> Any:
        return self.elements[self.place(op, offset)]

    def store(self, op: Op, offset: Any, value: Any) -> None:
        self.elements[self.place(op, offset)] = value


def memory(array: np.ndarray, pairs: bool = False) -> Memory:
    """An array that a kernel may change; complex numbers may be seen as pairs."""
    assert array.flags.c_contiguous
    flat = array.reshape(-1)
    return Memory(flat.view(flat.real.dtype) if pairs else flat, [])


def undefined(dtype: Any, shape: Sequence[Any]) -> np.ndarray:
    dtype = np.dtype(dtype)
    worst = np.iinfo(dtype).max if dtype.kind in "iu" else dtype.kind == "b" or np.nan
    return np.full([as_int(n) for n in shape], worst, dtype)


def run_kernel(
    kernel: Function, arrays: Sequence[np.ndarray], sizes: Mapping[str, int] | None = None
) -> _Machine:
    """Run a kernel on arrays, its inputs and its results, which it changes. Complex ones may be
    its params as pairs."""
    machine = _Machine(sizes or {})
    pairs = [p.dtype.numpy != array.dtype for p, array in zip(kernel.params, arrays, strict=True)]
    given = [memory(array, pair) for array, pair in zip(arrays, pairs, strict=True)]
    with np.errstate(all="ignore"):
        machine.region(kernel, given)
    return machine


def run_launches(
    f: Function, arrays: Sequence[np.ndarray], sizes: Mapping[str, int] | None = None
) -> list[np.ndarray]:
    """What a function of launches alone gives."""
    sizes = sizes or {}
    env: dict[Value, np.ndarray] = {}
    env.update(zip(f.params, arrays, strict=True))
    for op in f.body:
        if isinstance(op, ops.Launch):
            shapes = [[as_int(evaluate(e, sizes)) for e in v.shape] for v in op.results]
            made = [
                undefined(v.dtype.numpy, shape) for v, shape in zip(op.results, shapes, strict=True)
            ]
            for i in range(op.count if isinstance(op, ops.Update) else 0):
                made[i] = env[op.inputs[i]].copy()
            run_kernel(op.kernel, [*(env[v] for v in op.inputs), *made], sizes)
            env.update(zip(op.results, made, strict=True))
        else:
            shape = [as_int(evaluate(e, sizes)) for e in op.result.shape]
            env[op.result] = env[op.operands[0]].reshape(shape)
    return [env[v] for v in f.returns]


class _Machine:
    """Runs one kernel."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.env: dict[Value, Any] = {}
        self.calls = 0  # of routines and shared functions

    def region(self, f: Function, given: Sequence[Any]) -> list[Any]:
        env = self.env
        env.update(zip(f.params, given, strict=True))
        for op in f.body:
            if isinstance(op, Elementwise):
                value = op.numpy(*[env[v] for v in op.operands])
                env[op.result] = np.asarray(value, op.result.dtype.numpy)[()]
            else:
                results = _RUN[type(op)](self, op)
                env.update(zip(op.results, results, strict=True))
        return [env[v] for v in f.returns]

    def apart(self, f: Function, given: Sequence[Any]) -> list[Any]:
        """What uses nothing from around it."""
        outer, self.env = self.env, {}
        self.calls += 1
        results = self.region(f, given)
        self.env = outer
        return results

    def __call__(self, value: Value) -> Any:
        return self.env[value]

    def all(self, values: Sequence[Value]) -> list[Any]:
        return [self.env[v] for v in values]


Run = Callable[[_Machine, Any], Sequence[Any]]
_RUN: dict[type[Op], Run] = {
    Constant: lambda m, op: [op.value[()]],
    ExtentOf: lambda m, op: [np.int64(as_int(evaluate(op.value, m.sizes)))],
}


def _runs(*kinds: type[Op]) -> Callable[[Run], Run]:
    def note(run: Run) -> Run:
        _RUN.update(dict.fromkeys(kinds, run))
        return run

    return note


# Memory.


def _masked(m: _Machine, op: Any) -> bool:
    return op.mask is not None and not m(op.mask)


@_runs(ops.Load, ops.Reload)
def _load(m: _Machine, op: Any) -> Sequence[Any]:
    zero = op.result.dtype.numpy.type(0)
    return [zero if _masked(m, op) else m(op.buffer).load(op, m(op.offset))]


@_runs(ops.LoadPair, ops.ReloadPair)
def _load_pair(m: _Machine, op: Any) -> Sequence[Any]:
    if _masked(m, op):
        return [op.results[0].dtype.numpy.type(0)] * 2
    return [m(op.buffer).load(op, 2 * m(op.offset) + i) for i in (0, 1)]


@_runs(ops.LoadMany)
def _load_many(m: _Machine, op: Any) -> Sequence[Any]:
    return [m(op.buffer).load(op, m(op.offset) + i) for i in range(op.count)]


@_runs(ops.LoadTransposed)
def _load_transposed(m: _Machine, op: Any) -> Sequence[Any]:
    return [m(op.buffer).load(op, m(op.offset) + i) for i in range(op.size)]


@_runs(ops.Store)
def _store(m: _Machine, op: Any) -> Sequence[Any]:
    m(op.buffer).store(op, m(op.offset), m(op.value))
    return ()


@_runs(ops.StorePair)
def _store_pair(m: _Machine, op: Any) -> Sequence[Any]:
    for i, value in enumerate((op.first, op.second)):
        m(op.buffer).store(op, 2 * m(op.offset) + i, m(value))
    return ()


@_runs(ops.StoreMany)
def _store_many(m: _Machine, op: Any) -> Sequence[Any]:
    for i, value in enumerate(op.values):
        m(op.buffer).store(op, m(op.offset) + i, m(value))
    return ()


@_runs(ops.TransposeTile)
def _transpose(m: _Machine, op: Any) -> Sequence[Any]:
    for i in range(op.size):
        for k in range(op.size):
            value = m(op.source).load(op, m(op.offset) + i * m(op.rows) + k)
            m(op.target).store(op, m(op.target_offset) + k * m(op.target_rows) + i, value)
    return ()


@_runs(ops.SortTile)
def _sort(m: _Machine, op: Any) -> Sequence[Any]:
    places = [m(op.offset) + i for i in range(m(op.size))]
    for place, value in zip(places, sorted(m(op.buffer).load(op, p) for p in places), strict=True):
        m(op.buffer).store(op, place, value)
    return ()


@_runs(ops.MergeRuns)
def _merge(m: _Machine, op: Any) -> Sequence[Any]:
    for place in (op.first, op.second, op.last):
        m(op.source).load(op, m(place))
    found = sorted(m(op.source).load(op, i) for i in range(m(op.first), m(op.last)))
    for i, value in enumerate(found):
        m(op.target).store(op, m(op.to) + i, value)
    return ()


@_runs(ops.ChooseBuffer)
def _choose(m: _Machine, op: Any) -> Sequence[Any]:
    return [m(op.x) if m(op.condition) else m(op.y)]


@_runs(ops.Prefetch)
def _prefetch(m: _Machine, op: Any) -> Sequence[Any]:
    m(op.buffer).asked.append(int(m(op.offset)))
    return ()


@_runs(ops.Local)
def _local(m: _Machine, op: Any) -> Sequence[Any]:
    return [memory(undefined(op.dtype.numpy, op.shape))]


# Control.


@_runs(ops.For)
def _for(m: _Machine, op: Any) -> Sequence[Any]:
    low, high, values = m(op.low), m(op.high), m.all(op.init)
    if op.kind is LoopKind.SIMD:
        high = low + op.step
    elif op.kind is LoopKind.SIMD_MASKED:
        high = min(high, low + op.step)
    for i in range(low, high, 1 if op.side_by_side else op.step):
        values = m.region(op.body, [np.int64(i), *values])
    return values


@_runs(ops.Parallel)
def _parallel(m: _Machine, op: Any) -> Sequence[Any]:
    for i in range(m(op.count)):
        m.region(op.body, [np.int64(i)])
    return ()


@_runs(ops.Grid)
def _grid(m: _Machine, op: Any) -> Sequence[Any]:
    assert op.team == 1

    def places(axis: int) -> Iterator[list[np.int64]]:
        if axis == len(op.steps):
            yield []
            return
        for i in range(m(op.lows[axis]), m(op.highs[axis]), op.steps[axis]):
            for rest in places(axis + 1):
                yield [np.int64(i), *rest]

    for place in places(0):
        m.region(op.body, place)
    return ()


@_runs(ops.Repeat)
def _repeat(m: _Machine, op: Any) -> Sequence[Any]:
    values = m.all(op.init)
    while m.region(op.condition, values)[0]:
        values = m.region(op.body, values)
    return values


@_runs(ops.Branch)
def _branch(m: _Machine, op: Any) -> Sequence[Any]:
    return m.region(op.then if m(op.condition) else op.orelse, [])


@_runs(ops.Rarely)
def _rarely(m: _Machine, op: Any) -> Sequence[Any]:
    return m.apart(op.callee, m.all(op.args)) if m(op.condition) else m.all(op.otherwise)


@_runs(ops.CallScalar, ops.CallRoutine)
def _call(m: _Machine, op: Any) -> Sequence[Any]:
    return m.apart(op.callee, m.all(op.args))


@_runs(ops.Assert)
def _assert(m: _Machine, op: Any) -> Sequence[Any]:
    if not m(op.condition) and not _masked(m, op):
        raise Failed(op.site, [int(v) for v in m.all(op.values)])
    return ()


# Reductions.


def _combined(how: str, old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    match how:
        case "complex_mul":
            (a, b), (c, d) = old, new
            return [a * c - b * d, a * d + b * c]
        case "argmax" | "argmin":
            (x, i), (y, j) = old, new
            better = x > y if how == "argmax" else x < y
            return [x, i] if better or (x == y and i < j) or np.isnan(x) else [y, j]
    functions = {"mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum, "add": np.add}
    functions |= {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or}
    return [functions[how](x, y) for x, y in zip(old, new, strict=True)]


@_runs(ops.Reduce)
def _reduce(m: _Machine, op: Any) -> Sequence[Any]:
    dtypes = [v.dtype for v in op.body.returns]
    start = [d.numpy.type(v) for d, v in zip(dtypes, neutral(op.combine, dtypes), strict=True)]
    slots = [list(start) for _ in range(LANES)]
    for k in range(m(op.count)):
        new = m.region(op.body, [np.int64(k)])
        slots[k % LANES] = _combined(op.combine, slots[k % LANES], new)
    while len(slots) > 1:
        half = len(slots) // 2
        slots = [_combined(op.combine, slots[i], slots[half + i]) for i in range(half)]
    return slots[0]


@_runs(ops.Combine)
def _combine(m: _Machine, op: Any) -> Sequence[Any]:
    return _combined(op.combine, m.all(op.old), m.all(op.new))
