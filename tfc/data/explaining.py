"""What a plan is, in words."""

from __future__ import annotations

from .plan import INFINITE, UNKNOWN, Plan
from .plans.mapping import Filter, Map

_WIDTH = 36
_LAST = (1 << 63) - 1  # of the numbers that `enumerate` counts with


def explained(plan: Plan, depth: int = 0, inside: bool = False) -> str:
    """A line for each step, the last one first; `inside`: it is part of the program before it."""
    title = "  " * depth + plan.describe()
    facts = [*_facts(plan), *(_running(plan, inside) if isinstance(plan, Map | Filter) else [])]
    lines = [f"{title:{_WIDTH}}{', '.join(facts)}"]
    sources = plan.inputs or ((plan.source,) if hasattr(plan, "source") else ())
    inside = isinstance(plan, Map) and plan.joins
    return "\n".join([*lines, *[explained(source, depth + 1, inside) for source in sources]])


def _facts(plan: Plan) -> list[str]:
    count = plan.cardinality
    names = {INFINITE: "no end", _LAST: "no end", UNKNOWN: "some elements", 1: "1 element"}
    return [names.get(count, f"{count} elements"), "indexed" if plan.indexed else "a stream"]


def _running(plan: Map | Filter, inside: bool) -> list[str]:
    """How a function runs."""
    if inside:
        return ["part of the program above"]
    function, whole = plan.function, plan.whole if isinstance(plan, Map) else plan.function
    if function.why_eager:
        found = [f"called in Python with each element: {function.why_eager}"]
    elif not whole.loops:
        found = [f"a program for each element: {whole.why_single}"]
    else:
        found = ["one program for many"]
    if not whole.pure:
        found.append("runs in order, since its results follow from more than its elements")
    return found


__all__ = ["explained"]
