"""From tensor ops to kernels: `lower` makes a function of launches, one for each fused group.

Kernels are written by pull: to store a value, ask for its element at the index of the loops
around; its op asks for elements of its operands in turn (`Op.at`), down to loads. Elementwise
ops apply their scalar op, index maps change the index, reductions open a loop.
"""

from __future__ import annotations

from collections import deque

from ..copying import copy_op, name_like
from ..core import Builder, Function, Op, Requirement, Value
from ..extent import never_negative
from ..failures import Site
from ..ops.control import Control
from ..ops.host import HostCall
from .cpu.machine import CPU
from .equal_kernels import Kernels
from .ops import HostLaunch, Launch, Update
from .plan.fusion import fuse
from .plan.machine import Machine
from .target import Target


def machine_of(target: Target) -> Machine:
    """The kind of machine that a target is. GPUs' schedules are imported when one is first used:
    programs for CPUs need none."""
    if not target.grid:
        return CPU
    from .gpu.machine import GPU

    return GPU


def lower(f: Function, target: Target | None = None) -> Function:
    """`f` as launches of kernels and views. Its notes hold "sites", the places that can fail,
    "requires": (requirement, site) for what must hold of the extents before anything runs, and
    "bound": the sites of symbols that are bound to data.
    """
    target = target or Target()
    return _lower(f, Kernels(machine_of(target), target, []))


def _lower(f: Function, kernels: Kernels) -> Function:
    """`f`, which may be a region of another function that has the same `kernels`."""
    plan = fuse(f, kernels.machine, kernels.target)
    sites = kernels.sites
    b = Builder(f.name)
    env: dict[Value, Value] = {p: b.parameter(p.type, p.name) for p in f.params}
    pending = [op for op in f.body if op.results and op.result in plan.views]

    def show() -> None:
        for op in pending:
            if op.result not in env and op.operands[0] in env:
                copy_op(op, b, env)

    binds = deque(plan.binds)
    bound: dict[str, int] = {}  # symbols, and the sites of what binds them

    def bind(place: int) -> None:
        while binds and binds[0][0] <= place:
            _, op = binds.popleft()
            copy_op(op, b, env)
            sites.append(Site("size", "", op.location))
            bound[str(op.symbol)] = len(sites)

    show()
    for i, group in enumerate(plan.groups):
        bind(i)
        first = group.op
        b.location = first.location
        launch: Op
        if isinstance(first, HostCall):
            outputs = list(first.results)
            sites.append(Site("host", first.mnemonic, first.location))
            launch = _host_launch(first, len(sites), env)
        elif isinstance(first, Control) and group.schedule is None:
            outputs = list(first.results)
            regions = {n: _lower(getattr(first, n), kernels) for n in first.spec.regions}
            launch = first.with_operands(lambda v: env[v]).replace(**regions)
        else:
            kernel, inputs, outputs, updated = kernels.of(group, plan, f"{f.name}.k{i}")
            taken, types = tuple(env[v] for v in inputs), tuple(v.type for v in outputs)
            launch = Launch(taken, types, kernel)
            if updated:
                launch = Update(taken, types, kernel, updated)
        results = b.emit_all(launch)
        name_like(results, outputs)
        env.update(zip(outputs, results, strict=True))
        show()
    bind(len(plan.groups))
    returns = tuple(env[v] for v in f.returns)
    notes = {**f.notes, "requires": requirements(f, sites), "sites": sites, "bound": bound}
    return Function(f.name, tuple(b.params), tuple(b.body), returns, notes)


def _host_launch(op: HostCall, site: int, env: dict[Value, Value]) -> HostLaunch:
    """The call of `op`, as a function of its own, on what its operands have become."""
    operands = tuple(dict.fromkeys(op.operands))
    b = Builder(op.mnemonic)
    params = {v: b.parameter(v.type) for v in operands}
    results = b.emit_all(op.with_operands(lambda v: params[v]))
    types = tuple(v.type for v in op.results)
    return HostLaunch(tuple(env[v] for v in operands), types, site, b.build(*results))


def requirements(f: Function, sites: list[Site]) -> list[tuple[Requirement, int]]:
    """What only run time can tell of the extents in `f`, each once, and its site."""
    found: dict[Requirement, int] = {}
    for op in f.body:
        for requirement in op.requires():
            if requirement not in found and not never_negative(requirement.extent):
                sites.append(Site(requirement.check, op.mnemonic, op.location))
                found[requirement] = len(sites)
    return list(found.items())
