"""Runs IR functions natively without the front end: optimise, lower, compile, call."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.backends.cpu import program
from tfc.backends.cpu.runtime import runtime
from tfc.ir import passes
from tfc.ir.core import Builder, Function, Value, structure
from tfc.ir.extent import evaluate
from tfc.ir.interpreter import bind_symbols, concrete
from tfc.ir.kernels import expand_scalars
from tfc.ir.kernels import lower as lowering
from tfc.ir.kernels.check_bounds import check_bounds
from tfc.ir.kernels.plan.groups import Schedule
from tfc.ir.kernels.plan.machine import Machine

try:  # what is a tensor is told to the runtime once a process: the front end's class, if there
    from tfc import Tensor
except ImportError:

    class _Base:
        __slots__ = ("_array",)

    class Tensor(_Base):  # type: ignore[no-redef]
        __slots__ = ("__weakref__",)

    class _Variable(_Base):
        __slots__ = ("__weakref__",)

    runtime.register(Tensor, _Variable)


class Failed(Exception):
    """A check in native code failed: the site's kind, and the values that it reported."""


def lowered(
    f: Function, pipeline: tuple[passes.Pass, ...] = passes.OPTIMISE, baseline: bool = False
) -> Function:
    """The kernels of `f` as they are compiled."""

    def lower(g: Function) -> Function:
        return lowering.lower(g, program.target(baseline))

    bounds = (check_bounds,) if os.environ.get("TFC_VERIFY") == "bounds" else ()
    return passes.run(f, (*pipeline, lower, expand_scalars.expand, *bounds))


def cpu_without(*schedules: type[Schedule]) -> Machine:
    """A CPU that does not know these schedules: to stand for `lower.CPU` in a test."""
    kept = tuple(s for s in lowering.CPU.schedules if s not in schedules)
    return dataclasses.replace(lowering.CPU, schedules=kept)


class Native:
    """`f` compiled; calling it takes and gives ndarrays."""

    def __init__(
        self,
        f: Function,
        pipeline: tuple[passes.Pass, ...] = passes.OPTIMISE,
        baseline: bool = False,
    ) -> None:
        self.kernels = lowered(f, pipeline, baseline)
        signature = program.Signature(tuple_result=True, baseline=baseline)
        self.program = program.compile_program(self.kernels, signature)
        self.entry = self.program.bind(self._failed)

    def _failed(self, *details: Any) -> Any:
        raise Failed(details)

    def __call__(self, *arrays: Any) -> list[np.ndarray]:
        results = self.entry(*map(tensor, arrays))
        if results is runtime.MISS:
            given = [(np.asarray(a).dtype, np.shape(a)) for a in arrays]
            raise TypeError(f"{given} do not fit {[str(p.type) for p in self.kernels.params]}")
        return [np.array(r._array) for r in results]


def tensor(array: Any) -> Any:
    """A tensor that holds `array`."""
    made = object.__new__(Tensor)
    made._array = np.array(array, order="C")
    return made


def run(f: Function, *arrays: Any) -> list[np.ndarray]:
    """What `f` returns on `arrays`, compiled with all passes."""
    return Native(f)(*arrays)


def run_baseline(f: Function, *arrays: Any) -> list[np.ndarray]:
    """The same by code for the first calls, on little data."""
    return Native(f, baseline=True)(*arrays)


def static(f: Function, *arrays: Any) -> Function:
    """`f` for arguments of these shapes alone: every extent an int."""
    f = passes.run(f, (passes.inline,))
    sizes = bind_symbols(f, [np.asarray(a) for a in arrays])
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for p in f.params:
        shape = tuple(evaluate(e, sizes) for e in p.shape)
        env[p] = b.parameter(p.type.with_shape(shape), p.name)
    for op in f.body:
        b.location = op.location
        results = b.emit_all(concrete(op, sizes).with_operands(env.__getitem__))
        env.update(zip(op.results, results, strict=True))
    return b.build(*(env[v] for v in f.returns))


def _alone(f: Function) -> Native:
    """A function of one op, compiled: the same few come again in many functions."""
    key = structure(f)
    found = _known.get(key)
    if found is None:
        if len(_known) >= 1000:
            _known.clear()
        found = _known[key] = Native(f)
    return found


_known: dict[Any, Native] = {}


def run_eagerly(f: Function, *arrays: Any) -> list[np.ndarray]:
    """What `f` returns where every op is compiled and run by itself."""
    f = static(f, *arrays)
    env: dict[Value, Any] = dict(zip(f.params, arrays, strict=True))
    for op in f.body:
        b = Builder(op.mnemonic)
        inner = {v: b.parameter(v.type) for v in dict.fromkeys(op.operands)}
        results = b.emit_all(op.with_operands(inner.__getitem__))
        outcome = _alone(b.build(*results))(*(env[v] for v in inner))
        env.update(zip(op.results, outcome, strict=True))
    return [env[v] for v in f.returns]


def bits(array: Any) -> bytes:
    """The bytes of `array`, in which all nans are one."""
    array = np.array(array)
    if array.dtype.kind not in "biu":
        array[array != array] = np.nan
    return array.tobytes()


def assert_same_bits(got: Sequence[Any], wanted: Sequence[Any], what: str = "") -> None:
    """Bit for bit, and of one dtype and shape; a nan is a nan."""
    assert len(got) == len(wanted)
    for x, y in zip(got, wanted, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape, (what, x.dtype, x.shape, y.dtype, y.shape)
        assert bits(x) == bits(y), f"{what}\n{x}\n{y}"
