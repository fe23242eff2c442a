"""The text of whole functions: kernels, @program (see launch_functions.py) and the Python entry."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.core import Function, Op
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.plan.costs import Cost

from ..calling_convention import TABLE, Signature
from ..llvm.arena_layout import Layout
from ..llvm.donation import final_launches
from ..llvm.entry_spec import EntrySpec, entry_spec
from ..llvm.kernel_facts import KnownKernels
from ..llvm.machine import Machine
from . import debugger
from .entry import entry_text
from .entry_table import table_text
from .module import ModuleWriter

# Launches from which on it does not matter that one takes 10 ns longer: see `hands_over`.
MANY_LAUNCHES = 8


def program_text(
    f: Function, signature: Signature, machine: Machine, lines: bool | None = None
) -> tuple[str, EntrySpec, list[Cost]]:
    """The module for `f` (kernels, @program and the Python entry), and of a profiled one what its
    kernels cost at least. `lines` says whether instructions carry the user's lines; None: where
    the environment asks for it."""
    spec, layout = entry_spec(f, signature)
    table = (*spec.symbols, *spec.late)
    lines = debugger.wanted() if lines is None else lines
    module = _module(f, table, machine, signature.profile, layout.kernels, lines)
    module.brief = signature.baseline
    return _written(module, f, spec, layout), spec, module.costs


def explained_text(
    f: Function, signature: Signature, machine: Machine
) -> tuple[str, dict[tuple[Op, ...], str]]:
    """The module for `f` with the user's lines, and by which native functions kernels run: their
    names by the kernels' bodies."""
    spec, layout = entry_spec(f, signature)
    table = (*spec.symbols, *spec.late)
    module = _module(f, table, machine, signature.profile, layout.kernels, True)
    text = _written(module, f, spec, layout)
    return text, {body: name for (body, _), name in module.written.items()}


def _written(module: ModuleWriter, f: Function, spec: EntrySpec, layout: Layout) -> str:
    launches = [op for op in f.body if isinstance(op, Launch)]
    if len(launches) >= MANY_LAUNCHES:
        module.once = frozenset(launches)
    module.final = final_launches(layout, spec.donations)
    writer = module.function_writer("program", layout)
    program = writer.text()
    if module.machine.scalar_loops:  # quick code
        entry = table_text(TABLE, spec, writer.native)
    else:
        entry = entry_text(spec, program=writer.native)
    return module.finish("\n".join([module.text(), program, entry]))


def _module(
    f: Function,
    table: Sequence[str],
    machine: Machine,
    profile: bool,
    kernels: KnownKernels,
    lines: bool,
) -> ModuleWriter:
    if not lines:
        return ModuleWriter(table, machine, profile, kernels)
    from .debug_info import MarkedModule

    return MarkedModule(f, table, machine, profile, kernels)
