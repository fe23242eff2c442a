"""What a page shows of one function."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from tfc.ir.core import Function, Op
from tfc.ir.extent import Extent
from tfc.ir.kernels.ops import HostLaunch, Launch
from tfc.ir.ops.control import Control
from tfc.profiler.report import Profile

from ..core.placement import on_cpu
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..function.concrete import ConcreteFunction
from . import fused, graph, memory, native
from .changes import changes
from .device import device_code
from .rows import Column, Lines, Listing, Row, brief_listing, listing
from .stages import Made, Program, make
from .steps import Steps, steps


@dataclass
class Panel:
    """What stands below the columns."""

    title: str
    html: str
    kind: str = ""


@dataclass
class Shown:
    """What a page shows of one function."""

    name: str
    label: str
    columns: list[Column]
    panels: list[Panel]
    file: str = ""  # of most of its lines
    failure: str = ""
    steps: Steps = field(default_factory=Steps)
    about: str = ""
    kernels: dict[str, dict[str, Any]] = field(default_factory=dict)  # where they are, by name


def shown(
    concrete: ConcreteFunction,
    tensors: Sequence[Tensor] | None,
    lines: Lines,
    *,
    measure: bool,
    gpu: bool,
) -> Shown:
    """All of `concrete`; where `tensors`, the arguments of a call, are given, with what its kernels
    take and what its ops give."""
    made = make(concrete)
    traced = listing(made.traced, lines)
    columns = [Column("traced", "traced", traced.rows, traced.folds)]
    profile = None
    if tensors is not None and measure and not made.failure:
        profile = _profile(concrete, tensors)
    below = _Below(lines, profile, _sizes(concrete, tensors), len(made.programs) > 1)
    for number, program in enumerate(made.programs, 1):
        below.add(program, number)
    panels = below.panels
    happened = changes(made.journal, lines)
    columns += [happened, *below.columns, *_native(made, lines, gpu, panels)]
    found = Shown(concrete.name, _label(concrete), columns, _joined(panels), failure=made.failure)
    found.about = _about(concrete, profile)
    found.kernels = below.places
    if tensors is not None:
        found.steps = steps(made.traced, _arrays(concrete, tensors), traced)
    return found


class _Below:
    """The stages below the traced one, of one native program behind the other."""

    def __init__(
        self, lines: Lines, profile: Profile | None, sizes: dict[str, int], several: bool
    ) -> None:
        self.lines, self.profile, self.sizes, self.several = lines, profile, sizes, several
        self.optimised, self.fused = Column("optimised", "optimised"), Column("fused", "fused")
        self.brief = Column("kernels", "kernels")
        self.full = Column("full", "kernels in full", shown=False)
        self.panels: list[Panel] = []
        self.places: dict[str, dict[str, Any]] = {}  # of kernels, by name: rows, native function

    @property
    def columns(self) -> list[Column]:
        return [self.optimised, self.fused, self.brief, self.full]

    def add(self, program: Program, number: int) -> None:
        """A native program, the `number`-th."""
        lines = self.lines
        texts = listing(program.optimised, lines)
        self._text(self.optimised, texts, number)
        if program.lowered is None:
            return
        brief = brief_listing(program.lowered, lines)
        brief_start = self._text(self.brief, brief, number)
        if program.kernels is None:
            return
        full = listing(program.kernels, lines)
        full_start = self._text(self.full, full, number)
        kernels = fused.kernels(program, texts.names.names)
        if self.profile is not None:
            fused.measure(kernels, self.profile)
        column = fused.column(kernels, texts, lines)
        before = dict(zip(_launches(program.kernels), _launches(program.lowered), strict=True))
        for kernel in kernels:
            rows = {
                "fused": len(self.fused.rows) + kernel.row,
                "kernels": brief_start + brief.places.get(before[kernel.op], 0),
                "full": full_start + full.places.get(kernel.op, 0),
            }
            self.places.setdefault(kernel.name, {**rows, "native": kernel.native})
        self.fused.add(column.rows, column.folds)
        plan = memory.arena(program.kernels, program.signature, full, lines, self.sizes)
        heading = f"<h4>program {number}</h4>" if self.several else ""
        drawn = {
            "Kernels": _table(fused.table(kernels, self.profile, lines)),
            "Memory": f"<p>{memory.summary(plan)}</p>{memory.picture(plan, lines)}",
            "Graph": graph.picture(program.kernels, kernels, lines),
        }
        self.panels += [Panel(title, heading + html) for title, html in drawn.items()]

    def _text(self, column: Column, texts: Listing, number: int) -> int:
        """Add the text of a program to a column; the row where it begins."""
        if self.several:
            column.rows.append(Row(f"# program {number}"))
        start = len(column.rows)
        column.add(texts.rows, texts.folds)
        return start


def _launches(f: Function) -> list[Op]:
    """What runs in a function of launches, in order, in regions too."""
    return [op for op in f.walk() if isinstance(op, Launch | HostLaunch | Control)]


def _native(made: Made, lines: Lines, gpu: bool, panels: list[Panel]) -> list[Column]:
    found: dict[str, Column] = {}
    for program in made.programs:
        columns = []
        if program.llvm is not None:
            columns.append(native.llvm(program.llvm, lines))
        if program.assembly is not None:
            columns.append(native.assembly(program.assembly, lines))
        if gpu and not made.failure:
            code, table = device_code(program, lines)
            columns.append(code)
            panels.append(Panel("GPU", table))
        for column in columns:
            known = found.setdefault(column.name, column)
            if known is not column:
                known.add(column.rows, column.folds)
    return list(found.values())


def _profile(concrete: ConcreteFunction, tensors: Sequence[Tensor]) -> Profile | None:
    args, kwargs = concrete.arguments.rebuild(list(tensors))
    try:
        return concrete.profile(*args, **kwargs)
    except Exception:  # what fails when it runs has no times, and is to be looked at all the more
        return None


def _arrays(concrete: ConcreteFunction, tensors: Sequence[Tensor]) -> list[np.ndarray[Any, Any]]:
    with on_cpu() if any(_is_elsewhere(t) for t in tensors) else nullcontext():
        captured = [c.read() if isinstance(c, Variable) else c for c in concrete.captured]
        return [np.asarray(t) for t in (*tensors, *captured)]


def _is_elsewhere(tensor: Tensor) -> bool:
    return not isinstance(tensor._array, np.ndarray)


def _sizes(concrete: ConcreteFunction, tensors: Sequence[Tensor] | None) -> dict[str, int]:
    """What is known of extents: from a call, or from the last one."""
    sizes: dict[str, int] = {}
    if tensors is not None:
        shapes: Any = [t._array.shape for t in tensors]
    else:
        shapes = [shape for _, shape in concrete._fitted or ()]
    for type_, shape in zip(concrete.types, shapes, strict=False):
        extents: list[Extent] = list(type_.shape)
        sizes |= {str(e): int(n) for e, n in zip(extents, shape, strict=True)}
    return sizes


def name_of(concrete: ConcreteFunction) -> str:
    """What a function is called, with the class whose method it is."""
    name = concrete.qualified.rpartition("<locals>.")[2].replace("<lambda>", "lambda")
    return name if name.rpartition(".")[2] == concrete.name else concrete.name


def _label(concrete: ConcreteFunction) -> str:
    types = ", ".join(map(str, concrete.types))
    return f"{name_of(concrete)}({types if len(types) < 60 else '...'})"


def _about(concrete: ConcreteFunction, profile: Profile | None) -> str:
    if profile is None:
        return ""
    threads = f"{profile.threads} thread{'s' * (profile.threads != 1)}"
    return f"{1e6 * profile.seconds:.1f} us a call, on up to {threads}"


def _table(found: dict[str, Any]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in found["titles"])
    rows = []
    for cells, numbers, kernel in found["rows"]:
        own = " ".join(map(str, numbers))
        texts = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr data-lines="{own}" data-kernel="{escape(kernel)}">{texts}</tr>')
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _joined(panels: list[Panel]) -> list[Panel]:
    """One panel for each title."""
    found: dict[str, Panel] = {}
    for panel in panels:
        if panel.title in found:
            found[panel.title].html += panel.html
        else:
            found[panel.title] = panel
    return list(found.values())


__all__ = ["Panel", "Shown", "name_of", "shown"]
