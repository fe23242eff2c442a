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

from . import debugger, jit, profiling, runtime
from .donation import donations
from .entry import entry_text
from .functions import ModuleWriter
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
    spec, layout = entry_spec(f, signature)
    module = _module(f, (*spec.symbols, *spec.late), machine, signature.profile)
    program = module.function_writer("program", layout).text()
    text = "\n".join([module.text(), program, entry_text(spec)])
    return module.finish(text), spec, module.costs


def entry_spec(f: Function, signature: Signature) -> tuple[EntrySpec, Layout]:
    """What calls of `f` take and give, and where its values live."""
    types = [p.type for p in f.params]
    known = {*signature.scalars, *(s for t in types for e in t.shape for s in symbols(e))}
    layout = Layout(f, known, apart=[result for result, _ in signature.updates])
    cut = len(types) - signature.captures
    late = tuple(s for s in dict.fromkeys(late_symbols(f)) if s not in known)
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
        donations=donations(layout, signature.captures, signature.updates),
        updates=signature.updates,
        arena=layout.arena,
        work=layout.work,
        program="program",
        tuple_result=signature.tuple_result,
        least=signature.least,
        requires=tuple(requires),
        late=late,
    )
    spec.check()
    return spec, layout


def _module(f: Function, table: Sequence[str], machine: Machine, profile: bool) -> ModuleWriter:
    if not debugger.wanted():
        return ModuleWriter(table, machine, profile)
    from .debug_info import MarkedModule

    return MarkedModule(f, table, machine, profile)
