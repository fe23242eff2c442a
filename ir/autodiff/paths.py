"""Where a gradient gets lost: the ops on the way from one value to another that pass none on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..core import Builder, Location, Op, Value
from ..ops.control import Cond, Control, Scan
from ..ops.python import PythonResult, PythonRun
from ..value_classes import NamedTuple


class Cut(NamedTuple):
    """An op that passes no gradient on, and why."""

    op: str
    why: str
    location: Location | None


def follow(
    ops: Sequence[Op], sources: Collection[Value], targets: Collection[Value]
) -> tuple[bool, set[Value], list[Cut]]:
    """Whether the targets depend on the sources at all; which of them a gradient flows back from;
    and the ops at which paths between them are cut, in order. Which branch is taken is looked at
    only where there is no other way."""
    depends, connected, cuts = _follow(ops, sources, targets, _data)
    return (depends, connected, cuts) if depends else _follow(ops, sources, targets, _operands)


def _operands(op: Op) -> tuple[Value, ...]:
    return op.operands


def _data(op: Op) -> tuple[Value, ...]:
    return op.operands[1:] if isinstance(op, Cond) else op.operands


def _follow(
    ops: Sequence[Op],
    sources: Collection[Value],
    targets: Collection[Value],
    operands: Callable[[Op], tuple[Value, ...]],
) -> tuple[bool, set[Value], list[Cut]]:
    from .reverse import differentiable

    reached = set(sources)
    for op in ops:
        if not reached.isdisjoint(operands(op)):
            reached.update(op.results)
    needed = set(targets)
    for op in reversed(ops):
        if not needed.isdisjoint(op.results):
            needed.update(operands(op))
    live = {v for v in sources if differentiable(v)}
    cuts = []
    for op in ops:
        given = [v for v in op.operands if v in live]
        wanted = [v for v in op.results if v in needed and v in reached]
        if not given or not wanted:
            continue
        if isinstance(op, PythonRun) and _has_gradient(op, ops):
            continue  # it flows around the token
        passing = _passing(op, given, wanted)
        live.update(passing)
        if not passing:
            cuts += _inside(op, given, wanted) or [Cut(op.mnemonic, _why(op, wanted), op.location)]
    depends = not reached.isdisjoint(targets)
    return depends, {v for v in targets if v in live}, cuts


def _has_gradient(run: PythonRun, ops: Sequence[Op]) -> bool:
    return any(isinstance(op, PythonResult) and op.args and op.token is run.result for op in ops)


def _passing(op: Op, given: Sequence[Value], wanted: Sequence[Value]) -> list[Value]:
    """Those results through which a gradient flows to what is given."""
    from .reverse import cotangents, differentiable, filled

    found = []
    for v in wanted:
        if differentiable(v):
            b = Builder("scratch")
            if cotangents(b, [op], {v: filled(b, v, 1)}, given):
                found.append(v)
    return found


def _why(op: Op, wanted: Sequence[Value]) -> str:
    from .reverse import differentiable

    if isinstance(op, PythonRun):
        return "calls a function on NumPy arrays, of which no derivative is known"
    kinds = dict.fromkeys(v.dtype.name for v in wanted if not differentiable(v))
    if len(kinds) and not any(map(differentiable, wanted)):
        return f"gives {', '.join(kinds)}, and only floats and complex numbers have gradients"
    if op.mnemonic == "stop_gradient":
        return "stops it"
    if op.mnemonic == "custom_gradient":
        return "has a gradient of its own, which gives None"
    return "has no gradient"


def _inside(op: Op, given: Sequence[Value], wanted: Sequence[Value]) -> list[Cut]:
    """The ops in the branches or the body that cut all ways through control flow."""
    if not isinstance(op, Control):
        return []
    found: list[Cut] = []
    first = 1 if isinstance(op, Cond) else 0  # a predicate comes first
    shift = 1 if isinstance(op, Scan) else 0  # the index comes first
    regions = op.regions if isinstance(op, Cond) else op.regions[-1:]
    for region in regions:
        places = [i - first + shift for i, v in enumerate(op.operands) if v in given and i >= first]
        sources = [region.params[i] for i in places]
        targets = [region.returns[v.index] for v in wanted]
        found += follow(region.body, sources, targets)[2]
    return found
