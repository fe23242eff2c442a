"""The text of whole functions: kernels, @program (see launch_functions.py) and the Python entry."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.core import Function
from tfc.ir.extent import symbols
from tfc.ir.kernels.plan.costs import Cost

from ..llvm.arena_layout import Layout, late_symbols
from . import debugger
from .donation import donations
from .entry import entry_text
from .entry_spec import EntrySpec
from .machine import Machine
from .module import ModuleWriter
from .program import ENTRY, Signature


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
        name=ENTRY,
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
