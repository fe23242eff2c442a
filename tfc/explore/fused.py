"""The kernels of a program: what each computes, how, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tfc.backends.cpu import program as cpu
from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import Extent
from tfc.ir.kernels.lower import machine_of
from tfc.ir.kernels.ops import HostLaunch, Launch
from tfc.ir.kernels.plan.costs import Cost, cost
from tfc.ir.kernels.plan.explain import FusionReport, explain
from tfc.ir.kernels.plan.explain import Kernel as Planned
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.plan.groups import Group
from tfc.ir.kernels.target import Target
from tfc.ir.ops.control import Control
from tfc.profiler.report import KernelProfile, Profile

from .native import Used, used
from .rows import Column, Fold, Lines, Listing, Row, split_place
from .stages import Program


@dataclass
class Kernel:
    """A launch, or control flow, whose regions have launches of their own."""

    name: str  # in regions with what they belong to: while.body.k0
    op: Op  # of the function of launches
    ops: Sequence[Op]  # of the optimised function
    depth: int  # of regions around
    cost: Cost | None
    region: str = ""  # the one around, of the control flow before
    native: str = ""  # the function of the module that it runs as
    used: Used | None = None  # by that function
    row: int = 0  # where its column tells of it
    schedule: str = ""
    about: str = ""  # the schedule
    declined: Sequence[str] = ()  # why it is no schedule before this one
    reasons: Mapping[Op, str] = field(default_factory=dict)  # why it stores or keeps something
    against: Sequence[str] = ()  # why it is no part of other kernels
    measured: KernelProfile | None = None


def kernels(program: Program, names: Mapping[Value, str]) -> list[Kernel]:
    """The kernels of a program, in the order in which they run, those of regions behind the control
    flow that they belong to. `names` is what values of the optimised function are called."""
    assert program.kernels is not None
    target = cpu.target()
    report = explain(program.optimised, machine_of(target), target, names)
    found = list(_kernels(program.optimised, program.kernels, report, target, ()))
    code = used(program.assembly or "")
    for kernel in found:
        if isinstance(kernel.op, Launch):
            kernel.native = program.native.get(kernel.op.kernel.body, "")
            kernel.used = code.get(kernel.native)
    return found


def _kernels(
    optimised: Function,
    lowered: Function,
    report: FusionReport,
    target: Target,
    around: tuple[str, ...],
) -> Iterator[Kernel]:
    """`around` has the control flow around, and the region of each: while, body, ..."""
    depth = len(around) // 2
    groups = fuse(optimised, machine_of(target), target).groups
    plan: list[tuple[Group, Planned] | tuple[None, None]]
    plan = list(zip(groups, report.kernels, strict=True))
    launches = [op for op in lowered.body if isinstance(op, Launch | HostLaunch | Control)]
    if len(plan) != len(launches):  # parsed kernels, which nobody has fused
        plan = [(None, None)] * len(launches)
    for op, (group, planned) in zip(launches, plan, strict=True):
        if isinstance(op, Launch):
            ops = tuple(op.kernel.notes.get("ops", ()))
            kernel = Kernel(op.kernel.name, op, ops, depth, cost(op))
        elif isinstance(op, HostLaunch):
            ops = (group.op,) if group else tuple(op.call.body)
            kernel = Kernel(op.call.name, op, ops, depth, cost(op), "call", "code of a library")
        else:
            kernel = Kernel(op.mnemonic, op, (group.op,) if group else (op,), depth, None)
            kernel.schedule = "control flow"
        if around:
            kernel.region = around[-1]
            kernel.name = ".".join((*around, kernel.name.rpartition(".")[2]))
        if group is not None and planned is not None and group.schedule is not None:
            _explain(kernel, planned, report)
        yield kernel
        if kernel.cost is None and group is not None:
            inner = {name: r for o, name, r in report.regions if o is group.op}
            for name in op.spec.regions:
                before, after = getattr(group.op, name), getattr(op, name)
                inside = (*around, op.mnemonic, name)
                yield from _kernels(before, after, inner[name], target, inside)


def _explain(kernel: Kernel, planned: Planned, report: FusionReport) -> None:
    """Say how a kernel is written, what it stores, and which kernels it did not join."""
    choice = planned.choice
    assert choice is not None
    kernel.schedule, kernel.about = str(choice), choice.about
    declined = [*choice.declined, *(choice.way.declined if choice.way else ())]
    kernel.declined = [f"not {d.schedule}: {d.reason}" for d in declined if d.related]
    kernel.reasons = {
        step.op: f"{step.role}: {step.reason}"
        for step in planned.steps
        if step.role in ("stores", "keeps")
    }
    kernel.against = [
        f"{report.names.get(against.value, 'it')} is not in "
        f"{_shown(report.kernels[against.kernel].name, kernel)}, as {against.reason}"
        for against in planned.against
    ]


def _shown(name: str, beside: Kernel) -> str:
    """What a page calls a kernel beside another one."""
    return f"{beside.name.rpartition('.')[0]}.{name.rpartition('.')[2]}" if beside.depth else name


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
        first = kernel.row = len(fused.rows)
        own = lines.of(op.location for op in ops)
        title = kernel.cost.name if kernel.cost else kernel.name
        title = f"{kernel.name}: {title}" if kernel.cost else kernel.name
        fused.rows.append(Row(f"{indent}# {title}", own))
        if kernel.schedule and kernel.cost is not None:
            fused.rows.append(Row(f"{indent}#   {kernel.schedule}: {kernel.about}", own))
            fused.rows += [Row(f"{indent}#     {reason}", own) for reason in kernel.declined]
        if isinstance(kernel.op, Launch):
            fused.rows.append(Row(f"{indent}#   {_traffic(kernel, shown)}", own))
        if (m := kernel.measured) is not None:
            took = f"{1e6 * m.seconds:.2f} us, {m.share:.2f} of the machine's limit"
            fused.rows.append(Row(f"{indent}#   takes {took}", own))
        if kernel.used is not None:
            fused.rows.append(Row(f"{indent}#   {_code(kernel.native, kernel.used)}", own))
        for op in ops:
            if op not in shown.places:
                continue
            text, place = split_place(shown.rows[shown.places[op]].text.strip())
            why = kernel.reasons.get(op) or ("in several kernels" if times[op] > 1 else "")
            text += f"    # {why}" * bool(why)
            fused.rows.append(Row(f"{indent}  {text}{place}", lines.of([op.location])))
        fused.rows += [Row(f"{indent}  # {reason}", own) for reason in kernel.against]
        fused.folds.append(Fold(first, len(fused.rows) - 1))
    return fused


def _code(native: str, code: Used) -> str:
    """What a native function uses, in words."""
    vectors = f"vectors of {code.bits} bits" if code.bits else "no vectors"
    spilled = f"{code.stores} registers spilled, {code.loads} reloaded"
    if not code.stores and not code.loads:
        spilled = "nothing spilled"
    return f"{native} has {code.instructions} instructions, {vectors}, {spilled}"


def _traffic(kernel: Kernel, shown: Listing) -> str:
    """What a kernel reads and stores, by the names of the optimised function."""
    inside = {v for op in kernel.ops for v in op.results}
    read = dict.fromkeys(v for op in kernel.ops for v in op.operands if v not in inside)
    stored = kernel.op.results[: kernel.op.kernel.notes.get("results", 0)]  # type: ignore[attr-defined]
    types = ", ".join(str(v.type) for v in stored)
    return f"reads {', '.join(map(shown.names.use, read)) or 'nothing'}, stores {types}"


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
        code = ["", "", ""]
        if (u := kernel.used) is not None:
            code = [str(u.bits or "none"), str(u.instructions), f"{u.stores}, {u.loads}"]
        cells = [name, c.name if c else "", *numbers, *code, kernel.schedule, kernel.about]
        rows.append((cells, lines.of(op.location for op in kernel.ops), kernel.name))
    return {"titles": TITLES, "rows": rows}


TITLES = (
    *("kernel", "ops", "us", "% of a call", "runs", "KB", "operations", "of limit"),
    *("vectors (bits)", "instructions", "spilled, reloaded"),
    *("schedule", "what that is"),
)


def _kilobytes(size: Extent) -> str:
    return f"{size / 1e3:.1f}" if isinstance(size, int) else f"{size} bytes"


__all__ = ["Kernel", "column", "kernels", "measure", "table"]
