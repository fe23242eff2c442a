"""What only few lanes need, and routines: functions that all kernels of a module share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tfc.ir.core import Function
from tfc.ir.kernels.ops import CallRoutine
from tfc.ir.types import BufferType
from tfc.ir.value_classes import NamedTuple

from .. import disk_cache
from ..llvm.kernel_facts import KernelFacts
from ..llvm.machine import Machine
from ..llvm.registers import Reg
from .entry import ONCE
from .vector_loops import VectorLoopWriter


class _Outlined(NamedTuple):
    name: str
    results: str  # the type of a structure of all results
    returned: int  # how many
    params: tuple[str, ...]
    text: str
    declared: frozenset[str]
    helpers: tuple[tuple[str, str], ...]  # that it calls itself, by their names


def outlined(
    w: VectorLoopWriter,
    f: Function,
    arguments: Sequence[str],
    lanes: int,
    writer: type[VectorLoopWriter],
) -> list[str]:
    """Call `f` as a function that all kernels of the module share, written by a `writer`; its
    results."""
    known = _outlined(f, lanes, w.machine, writer, "noinline nounwind cold", False)
    return _call(w, known, arguments)


def call_routine(w: VectorLoopWriter, op: CallRoutine, writer: type[VectorLoopWriter]) -> None:
    """Call a routine, which a `writer` writes."""
    how = f"nounwind {ONCE}" if op.seldom else "noinline nounwind"
    known = _outlined(op.callee, 1, w.machine, writer, how, op.seldom)
    names = _call(w, known, [w.values[v].name for v in op.args])
    for result, name in zip(op.results, names, strict=True):
        w.values[result] = Reg(name, result.dtype)


def _call(w: VectorLoopWriter, known: _Outlined, arguments: Sequence[str]) -> list[str]:
    w.helpers.update(known.helpers)
    w.helpers[known.name] = known.text
    w.declared |= known.declared
    given = ", ".join(f"{p} {x}" for p, x in zip(known.params, arguments, strict=True))
    results = w.emit(f"call {known.results} @{known.name}({given})")
    return [w.emit(f"extractvalue {known.results} {results}, {i}") for i in range(known.returned)]


@lru_cache(maxsize=256)
def _outlined(
    f: Function,
    lanes: int,
    machine: Machine,
    writer: type[VectorLoopWriter],
    how: str,
    masked: bool,
) -> _Outlined:
    w = writer("rare", KernelFacts(f), (), machine)
    w.lanes, w.masked = lanes, masked
    buffers = [isinstance(p.type, BufferType) for p in f.params]
    params = tuple(
        "ptr" if buffer else w.type(p.dtype, lanes)
        for p, buffer in zip(f.params, buffers, strict=True)
    )
    for i, p in enumerate(f.params):
        w.values[p] = Reg(f"%a{i}", p.dtype, lanes)
    w.body(f)
    kinds = [w.type(v.dtype, lanes) for v in f.returns]
    results = f"{{ {', '.join(kinds)} }}"
    packed = "poison"
    for i, (v, kind) in enumerate(zip(f.returns, kinds, strict=True)):
        one = w.vector(w.values[v], lanes)
        packed = w.emit(f"insertvalue {results} {packed}, {kind} {one}, {i}")
    head = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(params))
    code = "\n".join([f"({head}) {how} {{", "entry:", *w.allocas, *w.lines])
    code += f"\n  ret {results} {packed}\n}}"
    # The name tells the code: one module may have several of one name, or for several lanes.
    name = f"{f.name}.{disk_cache.digest(code)[:12]}"
    text = f"define internal {results} @{name}{code}"
    declared, helpers = frozenset(w.declared), tuple(w.helpers.items())
    return _Outlined(name, results, len(kinds), params, text, declared, helpers)
