"""Lines of the user's files in native code, so that debuggers and profilers can name them.

With `TFC_DEBUG_INFO=1` in the environment, every instruction of a program carries the file and
line of the op that it computes, as LLVM's debug metadata, of which LLVM makes DWARF. What computes
a derivative is in column 1 of its line, all else in none (`DERIVATIVE`). The machine
code is the same with and without, but for kernels that differ in lines only: they share one
native function without, and none with it. `debugger.py` tells gdb and perf of the result.

A native function is named after the traced function (`step`, its kernels `step.k0`); what has no
line of its own has the first line of its function.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

from tfc.ir.core import Backward, Function, Location, Op

from ..llvm.arena_layout import Layout
from ..llvm.kernel_facts import KernelFacts
from .kernel_writer import CpuKernelWriter
from .launch_functions import FunctionWriter
from .module import ModuleWriter

_PYTHON = 20  # DW_LANG_Python
_DWARF = 4  # the version that all debuggers of today read
DERIVATIVE = 1  # the column of what belongs to the derivative of a line


class Metadata:
    """The metadata of one module: each node is written once, and numbered."""

    def __init__(self, first: Location | None) -> None:
        self.nodes: list[str] = []
        self._numbers: dict[str, int] = {}
        self.nowhere = first or Location("<tfc>", 0)
        self.unit = self.node(
            f"distinct !DICompileUnit(language: {_PYTHON}, file: {self.file(self.nowhere.file)}, "
            'producer: "tfc", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)'
        )

    def node(self, text: str) -> str:
        """The reference to the node with this text."""
        if text not in self._numbers:
            self._numbers[text] = len(self.nodes)
            self.nodes.append(text)
        return f"!{self._numbers[text]}"

    def file(self, path: str) -> str:
        folder, name = os.path.split(path)
        return self.node(f'!DIFile(filename: "{_quoted(name)}", directory: "{_quoted(folder)}")')

    def function(self, name: str, location: Location | None) -> str:
        """The node of a native function."""
        place = location or self.nowhere
        nothing = self.node("!{null}")
        kind = self.node(f"!DISubroutineType(types: {nothing})")
        file = self.file(place.file)
        # Numbered even where the text is there already: each function has a node of its own.
        self.nodes.append(
            f'distinct !DISubprogram(name: "{_quoted(name)}", scope: {file}, file: {file}, '
            f"line: {place.line}, scopeLine: {place.line}, type: {kind}, unit: {self.unit}, "
            "spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized)"
        )
        return f"!{len(self.nodes) - 1}"

    def line(self, function: str, home: Location | None, location: Location | None) -> str:
        """The node of a line of `function`, which is itself at `home`."""
        home = home or self.nowhere
        place = location or home
        scope = function
        if place.file != home.file:
            file = self.file(place.file)
            scope = self.node(
                f"!DILexicalBlockFile(scope: {function}, file: {file}, discriminator: 0)"
            )
        column = DERIVATIVE if isinstance(place, Backward) else 0
        return self.node(f"!DILocation(line: {place.line}, column: {column}, scope: {scope})")

    def text(self) -> str:
        """What stands at the end of the module."""
        flags = [
            self.node('!{i32 2, !"Debug Info Version", i32 3}'),
            self.node(f'!{{i32 7, !"Dwarf Version", i32 {_DWARF}}}'),
        ]
        rows = [f"!{i} = {text}" for i, text in enumerate(self.nodes)]
        named = [
            f"!llvm.dbg.cu = !{{{self.unit}}}",
            f"!llvm.module.flags = !{{{', '.join(flags)}}}",
        ]
        return "\n".join([*named, *rows, ""])


def _quoted(text: str) -> str:
    """`text` as LLVM's strings are written."""
    data = text.encode()
    return "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)


class Marked(list[str]):
    """The lines of one native function: each instruction gets its place when it is written, behind
    the others or (phis) where a block begins."""

    def __init__(
        self, metadata: Metadata, function: str, home: Location | None, now: Callable[[], Op | None]
    ) -> None:
        super().__init__()
        self.metadata = metadata
        self.function = function
        self.home = home
        self.now = now

    def append(self, line: str) -> None:
        super().append(self._placed(line))

    def insert(self, index: SupportsIndex, line: str) -> None:
        super().insert(index, self._placed(line))

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            value = [self._placed(line) for line in value]
        super().__setitem__(key, value)

    def _placed(self, line: str) -> str:
        if line.endswith(":"):
            return line
        op = self.now()
        place = None if op is None else op.location
        return f"{line}, !dbg {self.metadata.line(self.function, self.home, place)}"


class MarkedKernel(CpuKernelWriter):
    """Writes a kernel, with the lines of its ops."""

    def __init__(self, module: MarkedModule, name: str, facts: KernelFacts, *known: Any) -> None:
        super().__init__(name, facts, *known)
        self.module = module
        self.doing: Op | None = None
        home = first_location(facts.kernel)
        self.lines = module.begin(name, f"{module.traced}.{name}", home, lambda: self.doing)

    def another(self, name: str) -> CpuKernelWriter:
        return MarkedKernel(self.module, name, self.facts, self.table, self.machine)

    def op(self, op: Op) -> None:
        outer = self.doing
        self.doing = op if op.location else outer
        super().op(op)
        self.doing = outer


class MarkedFunction(FunctionWriter):
    """Writes a function of launches, with the lines of their first ops."""

    def __init__(self, module: MarkedModule, name: str, layout: Layout) -> None:
        super().__init__(module, name, layout)
        shown = module.traced if name == "program" else f"{module.traced}.{name}"
        home = first_location(layout.f)
        self.lines = module.begin(name, shown, home, lambda: self.doing)


class MarkedModule(ModuleWriter):
    """A module whose functions carry lines."""

    def __init__(self, f: Function, *known: Any) -> None:
        super().__init__(*known)
        self.traced = f.name
        self.metadata = Metadata(first_location(f))
        self.heads: dict[str, str] = {}  # native functions, and their nodes

    def kernel_writer(self, name: str, facts: KernelFacts) -> CpuKernelWriter:
        return MarkedKernel(self, name, facts, self.table, self.machine)

    def function_writer(self, name: str, layout: Layout) -> FunctionWriter:
        return MarkedFunction(self, name, layout)

    def same(self, kernel: Function) -> Any:
        return super().same(kernel), tuple(op.location for op in kernel.walk())

    def begin(
        self, native: str, shown: str, home: Location | None, now: Callable[[], Op | None]
    ) -> Marked:
        """The lines of a new native function, empty as yet."""
        node = self.heads[native] = self.metadata.function(shown, home)
        return Marked(self.metadata, node, home, now)

    def merged(self) -> Sequence[str]:
        """The code as it is: what is shared would have the lines of one kernel alone."""
        return self.code

    def finish(self, text: str) -> str:
        return named(text, self.metadata, self.heads, f"{self.traced}.")


def named(text: str, metadata: Metadata, heads: dict[str, str], prefix: str) -> str:
    """The module `text` with its metadata, and a node at each of its functions; those that are
    not in `heads` have no lines."""
    rows = text.split("\n")
    function = ""  # what the calls around are to say, where they say nothing
    calling = False  # inside of a call, which may go over two lines
    for i, row in enumerate(rows):
        if row.startswith("define "):
            name = row.partition("@")[2].partition("(")[0]
            function = ""
            if name not in heads:
                function = heads[name] = metadata.function(prefix + name, None)
            last = next(j for j in range(i, len(rows)) if rows[j].endswith("{"))
            rows[last] = f"{rows[last].removesuffix('{')}!dbg {heads[name]} {{"
            continue
        code, *comment = row.split(" ;")
        calling = calling or (function != "" and " call " in code)
        if calling and code.endswith(")"):
            rows[i] = " ;".join([f"{code}, !dbg {metadata.line(function, None, None)}", *comment])
            calling = False
    return "\n".join([*rows, metadata.text()])


def runtime_text(text: str) -> str:
    """The runtime's module with names for debuggers, which can then see who called it."""
    return named(text, Metadata(None), {}, "")


def first_location(f: Function) -> Location | None:
    """The place of the first op of `f` that has one, in a region of it if need be."""
    return next((op.location for op in f.walk() if op.location), None)
