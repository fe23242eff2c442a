"""One module: its functions of launches and its kernels, each written once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.ir.core import Function, Op, structure
from tfc.ir.kernels.ops import For, Parallel
from tfc.ir.kernels.plan.costs import Cost

from ..llvm.arena_layout import Layout, Place
from ..llvm.kernel_facts import KernelFacts, KnownKernels
from ..llvm.machine import Machine
from .kernel_writer import CpuKernelWriter
from .launch_functions import FunctionWriter
from .parallel_loops import may_be_long
from .runtime import native
from .shared_loops import shared


class ModuleWriter:
    """The functions and kernels of one module, each written once. `kernels` are those of the
    program, of which others have asked for some facts already."""

    def __init__(
        self,
        table: Sequence[str],
        machine: Machine,
        profile: bool = False,
        kernels: KnownKernels | None = None,
    ) -> None:
        self.kernels = kernels or KnownKernels()
        self.table = table  # the symbols, in the order of their values
        self.machine = machine
        self.profile = profile  # whether kernels are timed (see profiling.py)
        self.costs: list[Cost] = []  # of those that are
        self.code: list[str] = []
        self.declared: set[str] = set()
        self.helpers: dict[str, str] = {}  # the text of functions that kernels share
        self.alone: dict[Any, tuple[Function, str] | None] = {}  # by ops: the one kernel with them
        self.names: dict[Any, str] = {}  # by structure, of kernels that have their ops in common
        self.written: dict[
            tuple[tuple[Op, ...], bool], str
        ] = {}  # by body, which kernels may share
        self.checks: dict[str, bool] = {}  # whether a kernel can fail
        self.functions: dict[str, str] = {}  # names of kernels and parallel loops, by their text
        self.final: frozenset[Op] = frozenset()  # launches that must not: see donation.py
        self.once: frozenset[Op] = frozenset()  # launches of which a call has many, once each
        self.brief = False  # whether no loop runs for long, so that none has to look up

    def text(self) -> str:
        support = [native.profiling_text()] if self.profile else []
        codes = self.code if self.brief else self.merged()
        return "\n".join([*support, *sorted(self.declared), *self.helpers.values(), *codes])

    def merged(self) -> Sequence[str]:
        """The code, where kernels with the same loops have them together."""
        return shared(self.code)

    def kernel(
        self,
        kernel: Function,
        may_end_early: bool = True,
        once: bool = False,
        places: Sequence[Place] | None = None,
    ) -> str:
        """The name of the native function for a kernel; `may_end_early` says whether its loops
        may, `once` whether it runs once a call, `places` where its buffers are, if it is all of the
        program."""
        may_end_early = may_end_early and not self.brief
        name = self.written.get((kernel.body, may_end_early))
        if name is not None:
            return name
        facts = self.kernels.of(kernel)
        loops = [*facts.ops.get(Parallel, ()), *facts.ops.get(For, ())]
        may_end = may_end_early or not any(map(may_be_long, loops))
        ops = may_end, *((kind, len(found)) for kind, found in facts.ops.items())
        if ops not in self.alone:
            name = self._write(facts, may_end_early, once, places)
            self.alone[ops] = kernel, name
        else:  # only now structure counts, which takes much longer to find
            other = self.alone[ops]
            if other is not None:
                self.names[self.same(other[0]), may_end] = other[1]
                self.alone[ops] = None
            key = self.same(kernel), may_end
            name = self.names.get(key)
            if name is None:
                name = self.names[key] = self._write(facts, may_end_early, once)
        self.written[kernel.body, may_end_early] = name
        return name

    def _write(
        self,
        facts: KernelFacts,
        may_end_early: bool,
        once: bool,
        places: Sequence[Place] | None = None,
    ) -> str:
        """Write a native function; its name, or that of one that has the same text."""
        name = f"k{len(self.checks)}"
        writer = self.kernel_writer(name, facts)
        writer.may_end_early, writer.once = may_end_early, once
        writer.functions, writer.places = self.functions, places
        text = writer.text()
        known = self.functions.setdefault(text, name)
        if known != name:
            return known
        own = f"define internal i32 @{name}{text}"
        self.code.append("\n".join([*writer.parts, own]))
        self.declared |= writer.declared
        self.helpers |= writer.helpers
        self.checks[name] = facts.can_leave or writer.ends_early
        return name

    def same(self, kernel: Function) -> Any:
        """Equal for kernels that one native function serves."""
        return structure(kernel)

    def kernel_writer(self, name: str, facts: KernelFacts) -> CpuKernelWriter:
        return CpuKernelWriter(name, facts, self.table, self.machine)

    def function_writer(self, name: str, layout: Layout) -> FunctionWriter:
        return FunctionWriter(self, name, layout)

    def finish(self, text: str) -> str:
        """The whole module's text, when all of it is written."""
        return text

    def constant(self, text: str) -> str:
        """The name of a constant with the bytes of `text`, ended by a zero."""
        data = text.encode()
        escaped = "".join(
            chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data
        )
        name = f"@text{len(self.code)}"
        self.code.append(f'{name} = private constant [{len(data) + 1} x i8] c"{escaped}\\00"')
        return name
