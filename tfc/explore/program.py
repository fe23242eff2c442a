"""What a page shows of one function."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from tfc.ir.extent import Extent
from tfc.profiler.report import Profile

from ..core.placement import on_cpu
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..function.concrete import ConcreteFunction
from . import fused, graph, memory, native
from .changes import changes
from .device import device_code
from .rows import Column, Lines, Listing, Row, listing
from .stages import Made, make
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
    optimised, fusion = Column("optimised", "optimised"), Column("fused", "fused")
    lowered, panels = Column("kernels", "kernels"), []
    rows: dict[str, dict[str, Any]] = {}  # of kernels, by name
    profile = None
    if tensors is not None and measure and not made.failure:
        profile = _profile(concrete, tensors)
    sizes = _sizes(concrete, tensors)
    several = len(made.programs) > 1
    for number, program in enumerate(made.programs):
        texts = listing(program.optimised, lines)
        _add(optimised, texts, number, several)
        if program.kernels is None:
            continue
        below = listing(program.kernels, lines)
        start = len(lowered.rows) + several
        _add(lowered, below, number, several)
        kernels = fused.kernels(program, texts.names.names)
        if profile is not None:
            fused.measure(kernels, profile)
        of_program = fused.column(kernels, texts, lines)
        for kernel in kernels:
            rows.setdefault(
                kernel.name,
                {
                    "fused": len(fusion.rows) + kernel.row,
                    "kernels": start + below.places.get(kernel.op, 0),
                    "native": kernel.native,
                },
            )
        fusion.add(of_program.rows, of_program.folds)
        heading = f"<h4>program {number + 1}</h4>" if several else ""
        panels.append(Panel("Kernels", heading + _table(fused.table(kernels, profile, lines))))
        plan = memory.arena(program.kernels, program.signature, below, lines, sizes)
        panels.append(
            Panel("Memory", f"{heading}<p>{memory.summary(plan)}</p>{memory.picture(plan)}")
        )
        drawn = graph.picture(program.kernels, kernels, lines)
        panels.append(Panel("Graph", heading + drawn))
    happened = changes(made.journal, lines)
    columns += [happened, optimised, fusion, lowered, *_native(made, lines, gpu, panels)]
    found = Shown(concrete.name, _label(concrete), columns, _joined(panels), failure=made.failure)
    found.about = _about(concrete, profile)
    found.kernels = rows
    if tensors is not None:
        found.steps = steps(made.traced, _arrays(concrete, tensors), traced)
    return found


def _add(column: Column, texts: Listing, number: int, several: bool) -> None:
    if several:
        column.rows.append(Row(f"# program {number + 1}"))
    column.add(texts.rows, texts.folds)


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
