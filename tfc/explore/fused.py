"""The kernels of a program: what each computes, how, and what that costs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tfc.backends.cpu import program as cpu
from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import Extent
from tfc.ir.kernels.lower import machine_of
from tfc.ir.kernels.ops import HostLaunch, Launch
from tfc.ir.kernels.plan.costs import Cost, cost
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.plan.groups import Group
from tfc.ir.ops.control import Control
from tfc.profiler.report import KernelProfile, Profile

from .rows import Column, Fold, Lines, Listing, Row


@dataclass
class Kernel:
    """A launch, or a region of control flow with launches of its own."""

    name: str
    op: Op  # of the function of launches
    ops: Sequence[Op]  # of the optimised function
    schedule: str
    why: str  # the schedule was taken
    depth: int  # of regions around
    cost: Cost | None
    measured: KernelProfile | None = None


def kernels(optimised: Function, lowered: Function) -> list[Kernel]:
    """The kernels of a program, in the order in which they run, those of regions behind the control
    flow that they belong to."""
    return list(_kernels(optimised, lowered, 0))


def _kernels(optimised: Function, lowered: Function, depth: int) -> Iterator[Kernel]:
    target = cpu.target()
    groups: list[Group] = fuse(optimised, machine_of(target), target).groups
    launches = [op for op in lowered.body if isinstance(op, Launch | HostLaunch | Control)]
    if len(groups) != len(launches):  # parsed kernels, which nobody has fused
        groups = []
    for number, op in enumerate(launches):
        group = groups[number] if groups else None
        if isinstance(op, Launch):
            ops = tuple(op.kernel.notes.get("ops", ()))
            yield Kernel(op.kernel.name, op, ops, *_schedule(group), depth, cost(op))
        elif isinstance(op, HostLaunch):
            ops = (group.op,) if group else tuple(op.call.body)
            yield Kernel(op.call.name, op, ops, "call", "code of a library", depth, cost(op))
        else:
            head = (group.op,) if group else (op,)
            yield Kernel(op.mnemonic, op, head, "control flow", "", depth, None)
            if group is not None:
                for before, after in zip(group.op.regions, op.regions, strict=True):
                    yield from _kernels(before, after, depth + 1)


def _schedule(group: Group | None) -> tuple[str, str]:
    """The schedule of a group with what it decides, and what it is for."""
    if group is None or group.schedule is None:
        return "", ""
    schedule: Any = group.schedule
    decided = []
    if dataclasses.is_dataclass(schedule):
        for field in dataclasses.fields(schedule):
            value = getattr(schedule, field.name)
            if isinstance(value, int | float | str | bool):
                decided.append(f"{field.name}={value}")
    name = type(schedule).__name__
    why = (type(schedule).__doc__ or "").partition("\n\n")[0]
    if why.startswith(f"{name}("):  # what a dataclass writes where nobody has
        why = ""
    return f"{name}({', '.join(decided)})", " ".join(why.split())


def measure(found: Sequence[Kernel], profile: Profile) -> None:
    """Give the kernels what they took. A profile has those that ran, by name and line."""
    left = list(profile.kernels)
    for kernel in found:
        if kernel.cost is None:
            continue
        own = kernel.cost.name, str(kernel.cost.location or "")
        for measured in left:
            if (measured.name, measured.line) == own:
                kernel.measured = measured
                left.remove(measured)
                break


def column(found: Sequence[Kernel], shown: Listing, lines: Lines) -> Column:
    """The optimised function kernel by kernel. What several compute is with each of them."""
    fused = Column("fused", "fused")
    order = {op: i for i, op in enumerate(shown.places)}
    times: dict[Op, int] = {}
    for kernel in found:
        for op in kernel.ops:
            times[op] = times.get(op, 0) + 1
    for kernel in found:
        indent = "  " * kernel.depth
        ops = sorted(kernel.ops, key=lambda op: order.get(op, 0))
        first = len(fused.rows)
        own = lines.of(op.location for op in ops)
        title = kernel.cost.name if kernel.cost else kernel.name
        fused.rows.append(Row(f"{indent}# {kernel.name}: {title}", own))
        if kernel.schedule and kernel.cost is not None:
            fused.rows.append(Row(f"{indent}#   schedule {kernel.schedule}", own))
        if isinstance(kernel.op, Launch):
            fused.rows.append(Row(f"{indent}#   {_traffic(kernel, shown)}", own))
        for op in ops:
            if op not in shown.places:
                continue
            text = shown.rows[shown.places[op]].text.strip()
            again = "    # in several kernels" if times[op] > 1 else ""
            fused.rows.append(Row(f"{indent}  {text}{again}", lines.of([op.location])))
        fused.folds.append(Fold(first, len(fused.rows) - 1))
    return fused


def _traffic(kernel: Kernel, shown: Listing) -> str:
    """What a kernel reads and stores, by the names of the optimised function."""
    inside = {v for op in kernel.ops for v in op.results}
    read = dict.fromkeys(v for op in kernel.ops for v in op.operands if v not in inside)
    stored = kernel.op.results[: kernel.op.kernel.notes.get("results", 0)]  # type: ignore[attr-defined]
    types = ", ".join(str(v.type) for v in stored)
    return f"reads {', '.join(map(shown.names.use, read)) or 'nothing'}, stores {types}"


def reads(kernel: Kernel) -> list[Value]:
    """The values of the function of launches that a kernel reads."""
    return list(dict.fromkeys(kernel.op.operands))


def table(found: Sequence[Kernel], profile: Profile | None, lines: Lines) -> dict[str, Any]:
    """What a page shows of the kernels in a table: titles and rows, each with its lines."""
    rows = []
    total = profile.seconds if profile else 0.0
    for kernel in found:
        m, c = kernel.measured, kernel.cost
        numbers = ["", "", "", "", "", ""]
        if m is not None:
            seconds = m.seconds or 1e-9
            numbers = [
                f"{1e6 * seconds:.2f}",
                f"{100 * m.calls * seconds / max(total, 1e-9):.1f}",
                f"{m.calls:g}",
                f"{m.bytes / 1e3:.1f} ({m.bytes / seconds / 1e9:.1f} GB/s)",
                f"{m.operations:.0f} ({m.operations / seconds / 1e9:.1f} GFLOP/s)",
                f"{m.share:.2f}",
            ]
        elif c is not None:
            numbers[3], numbers[4] = _kilobytes(c.bytes), str(c.operations)
        name = "\u00a0\u00a0" * kernel.depth + kernel.name
        cells = [name, c.name if c else "", *numbers, kernel.schedule, kernel.why]
        rows.append((cells, lines.of(op.location for op in kernel.ops)))
    return {"titles": TITLES, "rows": rows}


TITLES = (
    *("kernel", "ops", "us", "% of a call", "runs", "KB", "operations", "of limit"),
    *("schedule", "what that is"),
)


def _kilobytes(size: Extent) -> str:
    return f"{size / 1e3:.1f}" if isinstance(size, int) else f"{size} bytes"


__all__ = ["Kernel", "column", "kernels", "measure", "reads", "table"]
