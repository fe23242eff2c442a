"""What only few lanes need, behind a branch: a function that all kernels of a module share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tfc.ir.core import Function
from tfc.ir.kernels.ops import Rarely

from ..cpu.machine import Machine
from .registers import Reg

if TYPE_CHECKING:
    from .kernel_writer import KernelWriter

_SELDOM = '!prof !{!"branch_weights", i32 1, i32 1000}'


def rarely(w: KernelWriter, op: Rarely) -> None:
    """Call the slow way where some lane wants it; which do is decided by selects."""
    regs = [w.values[v] for v in op.operands]
    lanes = w.varying(*regs)
    condition, *names = (w.vector(r, lanes) for r in regs)
    arguments, otherwise = names[: len(op.args)], names[len(op.args) :]
    some = condition if lanes == 1 else w.some(condition, lanes)[1]
    then, after = w.fresh("rare")[1:], w.fresh("usual")[1:]
    origin = w.block
    w.do(f"br i1 {some}, label %{then}, label %{after}, {_SELDOM}")
    w.label(then)
    chosen = w.called(op.callee, arguments, lanes)
    kinds = [w.type(v.dtype, lanes) for v in op.results]
    if lanes > 1:
        bools = f"<{lanes} x i1> {condition}"
        chosen = [
            w.emit(f"select {bools}, {kind} {x}, {kind} {y}")
            for kind, x, y in zip(kinds, chosen, otherwise, strict=True)
        ]
    last = w.block
    w.do(f"br label %{after}")
    w.label(after)
    for v, kind, x, y in zip(op.results, kinds, chosen, otherwise, strict=True):
        joined = w.emit(f"phi {kind} [ {x}, %{last} ], [ {y}, %{origin} ]")
        w.values[v] = Reg(joined, v.dtype, lanes)


class _Outlined(NamedTuple):
    name: str
    results: str  # the type of a structure of all results
    params: tuple[str, ...]
    text: str
    declared: frozenset[str]


def outlined(w: KernelWriter, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
    """Call `f` as a function that all kernels of the module share; its results."""
    known = _outlined(f, lanes, w.machine)
    w.helpers[known.name] = known.text
    w.declared |= known.declared
    given = ", ".join(f"{p} {x}" for p, x in zip(known.params, arguments, strict=True))
    results = w.emit(f"call {known.results} @{known.name}({given})")
    return [w.emit(f"extractvalue {known.results} {results}, {i}") for i in range(len(f.returns))]


@lru_cache(maxsize=256)
def _outlined(f: Function, lanes: int, machine: Machine) -> _Outlined:
    from .kernel_writer import KernelWriter

    w = KernelWriter("rare", f, (), machine)
    w.lanes = lanes
    params = tuple(w.type(p.dtype, lanes) for p in f.params)
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
    code = "\n".join([f"({head}) noinline nounwind cold {{", "entry:", *w.allocas, *w.lines])
    code += f"\n  ret {results} {packed}\n}}"
    # The name tells the code: one module may have several of one name, or for several lanes.
    name = f"{f.name}.{hashlib.sha256(code.encode()).hexdigest()[:12]}"
    text = f"define internal {results} @{name}{code}"
    return _Outlined(name, results, params, text, frozenset(w.declared))
