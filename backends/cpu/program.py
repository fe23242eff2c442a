"""Whole functions as one native call: @program (see functions.py) behind a Python entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any

from tfc.ir.core import Function
from tfc.ir.cost import Cost
from tfc.ir.extent import symbols
from tfc.ir.lowering import Site, Target

from . import jit, profiling, runtime
from .entry import entry_text
from .functions import FunctionWriter, ModuleWriter
from .layout import Layout, late_symbols
from .machine import Machine, host
from .profiling import Counters
from .spec import EntrySpec


def target() -> Target:
    """What schedules want to know of this machine."""
    machine = host()
    return Target(machine.vector_bits // 8, machine.vector_registers)


@dataclass
class Program:
    """A compiled function. `bind` makes the callable; many may share one program."""

    spec: EntrySpec
    library: jit.Library
    text: str
    sites: Sequence[Site]
    counters: Counters | None = None  # of a program that times its kernels

    def bind(
        self, handler: Callable[..., Any], captures: Sequence[object] = (), name: str = "call"
    ) -> BuiltinFunctionType:
        """The builtin that runs it, on `captures` for the inputs that calls do not give."""
        return runtime.native_function(self.library, self.spec.name, (handler, *captures), name)


@dataclass(frozen=True)
class Signature:
    """How a function's inputs and results meet the outside."""

    captures: int = 0  # the last params come with the callable, not with each call
    scalars: tuple[str, ...] = ()  # symbols given as ints behind the tensors
    updates: tuple[tuple[int, int], ...] = ()  # (result, capture) that is overwritten by it
    tuple_result: bool = False
    least: int = 0  # of the extents that symbols stand for
    profile: bool = False  # whether kernels are timed


def compile_program(f: Function, signature: Signature | None = None) -> Program:
    """Compile a function of launches (see lowering.py) and load it."""
    text, spec, costs = program_text(f, signature or Signature(), host())
    sites = f.notes.get("sites", ())
    if signature is None or not signature.profile:
        return Program(spec, runtime.load(text), text, sites)
    counters = Counters(costs)
    library = runtime.load(text, profiling.imports(counters))
    return Program(spec, library, text, sites, counters)


def program_text(
    f: Function, signature: Signature, machine: Machine
) -> tuple[str, EntrySpec, list[Cost]]:
    """The module for `f` (kernels, @program and the Python entry), and of a profiled one what its
    kernels cost at least."""
    layout = Layout(f)
    types = [p.type for p in f.params]
    cut = len(types) - signature.captures
    late = tuple(dict.fromkeys(late_symbols(f)))
    requires = [
        (r.extent, r.values, site)
        for r, site in f.notes.get("requires", ())
        if layout.late.isdisjoint(symbols(r.extent))
    ]
    spec = EntrySpec(
        name="entry",
        params=tuple(types[:cut]),
        captures=tuple(types[cut:]),
        scalars=signature.scalars,
        results=tuple(v.type for v in f.returns),
        aliases=layout.aliases,
        updates=signature.updates,
        arena=layout.arena,
        work=layout.work,
        program="program",
        tuple_result=signature.tuple_result,
        least=signature.least,
        requires=tuple(requires),
        late=len(late),
    )
    spec.check()
    module = ModuleWriter((*spec.symbols, *late), machine, signature.profile)
    program = FunctionWriter(module, "program", layout).text()
    return "\n".join([module.text(), program, entry_text(spec)]), spec, module.costs
