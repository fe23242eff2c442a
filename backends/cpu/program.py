"""Whole functions as one native call: compiled, or recalled from an earlier process.

What writes the code (module_text.py) is imported when something is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from tfc.ir.core import Function
from tfc.ir.failures import Site
from tfc.ir.fingerprint import Unknown, fingerprint
from tfc.ir.host_libraries import provide

from ..calling_convention import Signature
from . import jit, program_cache
from .machine import host, programs, quick
from .runtime import runtime

if TYPE_CHECKING:
    from tfc.ir.kernels.target import Target
    from tfc.ir.ops.fft import Library

    from ..llvm.entry_spec import EntrySpec
    from ..llvm.machine import Machine
    from .profiling import Counters


def _fourier() -> Library:
    from .fourier import library

    return library


provide("fourier", _fourier)


def target(baseline: bool = False) -> Target:
    """What schedules want to know of this machine, and of what is compiled. Kernels of code that
    shall be generated quickly are short; those of baseline code have no threads either."""
    return _target_of(host(), brief=baseline or quick(), threads=not baseline)


@cache
def _target_of(machine: Machine, *, brief: bool, threads: bool) -> Target:
    from tfc.ir.kernels.target import Target

    products = 4 if machine.has_byte_products else 2 if machine.has_pair_products else 1
    return Target(
        machine.vector_bits // 8,
        machine.vector_registers,
        products=products,
        bfloat16_pairs=machine.has_bfloat16_pairs,
        brief=brief,
        threads=threads,
    )


class Program:
    """A compiled function. `bind` makes the callable; many may share one program."""

    def __init__(
        self,
        library: jit.Library,
        sites: Sequence[Site],
        writing: Callable[[], tuple[str, EntrySpec]],
        counters: Counters | None = None,
    ) -> None:
        self.library = library
        self.sites = sites
        self.counters = counters  # of a program that times its kernels
        self._writing = writing
        self._written: tuple[str, EntrySpec] | None = None

    @property
    def text(self) -> str:
        """The module; of a recalled program it is written now."""
        return self._write()[0]

    @property
    def spec(self) -> EntrySpec:
        """What calls take and give, and where."""
        return self._write()[1]

    def _write(self) -> tuple[str, EntrySpec]:
        if self._written is None:
            self._written = self._writing()
        return self._written

    def bind(
        self, handler: Callable[..., Any], captures: Sequence[object] = (), name: str = "call"
    ) -> BuiltinFunctionType:
        """The builtin that runs it, on `captures` for the inputs that calls do not give."""
        return runtime.entry_function(self.library, handler, captures, name)


def compile_program(
    f: Function, signature: Signature | None = None, memory: Memory | None = None
) -> Program:
    """Compile a function of launches (see ir/kernels/lower.py) and load it. What has a place in
    `memory` is kept there."""
    from . import profiling
    from .module_text import program_text

    signature = signature or Signature()
    text, spec, costs = program_text(f, signature, programs(signature.baseline))
    counters = profiling.Counters(costs) if signature.profile else None
    imports = profiling.imports(counters) if counters else None
    baseline = signature.baseline
    # A small program is one file on disk, not two: to write one takes 0.2 ms.
    kept = not (baseline and memory is not None and memory.named)
    library = runtime.load(text, imports, baseline=baseline, kept=kept)
    program = Program(library, f.notes.get("sites", ()), lambda: (text, spec), counters)
    if memory is not None:
        memory.keep(program)
    return program


class Memory:
    """The place of one program among those that are kept for other processes."""

    def __init__(self, identity: Any, signature: Signature) -> None:
        """`identity` is equal for functions that compile alike, with the lines of their ops."""
        self._signature = signature
        self._name: str | None = None
        if signature.profile:
            return
        try:
            text, lines = fingerprint((identity, *signature))
        except Unknown:
            return
        self._name = program_cache.name(text)
        self._lines: list[Any] = [location for _, location in lines]
        self._numbers = lines

    @property
    def named(self) -> bool:
        """Whether programs can be kept here."""
        return self._name is not None

    def recall(self, kernels: Callable[[], Function]) -> Program | None:
        """The program, if it is kept; `kernels` makes what it was compiled from, for those who
        want to see that."""
        if self._name is None:
            return None
        kept = runtime.recalled(self._name)
        if kept is None:
            return None
        library, rows = kept
        try:
            sites = [
                Site(kind, op, None if line is None else self._lines[line], note)
                for kind, op, line, note in rows
            ]
        except program_cache.UNUSABLE:
            return None

        def writing() -> tuple[str, EntrySpec]:
            from .module_text import program_text

            machine = programs(self._signature.baseline)
            return program_text(kernels(), self._signature, machine)[:2]

        return Program(library, sites, writing)

    def keep(self, program: Program) -> None:
        """Let later processes recall `program`, where that can be."""
        if self._name is None:
            return
        try:
            rows = [(s.kind, s.op, self._number(s.location), s.note) for s in program.sites]
            program_cache.keep(self._name, program.library, rows)
        except (KeyError, ValueError):  # a line of no op, or a note that is no plain value
            return

    def _number(self, location: Any) -> int | None:
        return None if location is None else self._numbers[type(location), location]
