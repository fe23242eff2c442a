"""What a plan is, in words."""

from __future__ import annotations

from .mapping import Filter, Map
from .plan import INFINITE, UNKNOWN, Plan

_WIDTH = 36


def explained(plan: Plan, depth: int = 0) -> str:
    """A line for each step, the last one first."""
    title = "  " * depth + plan.describe()
    lines = [f"{title:{_WIDTH}}{', '.join(_facts(plan))}"]
    sources = plan.inputs or ((plan.source,) if hasattr(plan, "source") else ())
    return "\n".join([*lines, *[explained(source, depth + 1) for source in sources]])


def _facts(plan: Plan) -> list[str]:
    count = plan.cardinality
    names = {INFINITE: "no end", UNKNOWN: "some elements", 1: "1 element"}
    found = [names.get(count, f"{count} elements"), "indexed" if plan.indexed else "a stream"]
    if isinstance(plan, Map | Filter):
        function = plan.function
        if function.why_eager:
            found.append(f"called in Python with each element: {function.why_eager}")
        elif not function.loops:
            found.append(f"a program for each element: {function.why_single}")
        else:
            found.append("one program for many")
        if not function.pure:
            found.append("runs in order, since its results follow from more than its elements")
    return found


__all__ = ["explained"]
