"""What a plan is, in words."""

from __future__ import annotations

from .ahead import is_made_ahead
from .functions import ElementFunction
from .plan import INFINITE, UNKNOWN, Plan
from .plans.mapping import Filter, Map

_WIDTH = 36
_LAST = (1 << 63) - 1  # of the numbers that `enumerate` counts with


def explained(plan: Plan) -> str:
    """A line for each step, the last one first; before them, how the functions ran that its
    elements were reduced with."""
    before = [f"{f'reduce {name}':{_WIDTH}}{how}" for name, how in plan.reduced.items()]
    lines = [*before, *_lines(plan, 1 if before else 0, False)]
    if is_made_ahead(plan):
        lines[len(before)] += ", made ahead by a thread where they take long"
    return "\n".join(lines)


def _lines(plan: Plan, depth: int, inside: bool) -> list[str]:
    """Of a plan and what it is made of; `inside`: it is part of the program before it."""
    title = "  " * depth + plan.describe()
    facts = ", ".join([*_facts(plan), *_running(plan, inside)])
    sources = plan.inputs or ((plan.source,) if hasattr(plan, "source") else ())
    inside = isinstance(plan, Map) and plan.joins
    found = [f"{title:{_WIDTH - 1}} {facts}"]
    for source in sources:
        found += _lines(source, depth + 1, inside)
    return found


def _facts(plan: Plan) -> list[str]:
    count = plan.cardinality
    names = {INFINITE: "no end", _LAST: "no end", UNKNOWN: "some elements", 1: "1 element"}
    return [names.get(count, f"{count} elements"), "indexed" if plan.indexed else "a stream"]


def _running(plan: Plan, inside: bool) -> list[str]:
    """How the function of a step runs."""
    if not isinstance(plan, Map | Filter):
        function = getattr(plan, "function", None) or getattr(plan, "key", None)
        return [how_each(function)] if isinstance(function, ElementFunction) else []
    if inside:
        return ["part of the program above"]
    function, whole = plan.function, plan.whole if isinstance(plan, Map) else plan.function
    if function.why_eager:
        found = [how_each(function)]
    elif whole.concurrent and whole.pure:
        found = ["a program for each element, by threads: it reads files or decodes"]
    elif whole.loops if whole.input.dense else whole.packs:
        found = ["one program for many"]
    else:
        found = [f"{how_each(function)}: {whole.why_single}"]
    if not whole.pure:
        found.append("runs in order, since its results follow from more than its elements")
    return found


def how_each(function: ElementFunction) -> str:
    """How a function runs that is called for one element after the other."""
    if function.why_eager:
        return f"called in Python with each element: {function.why_eager}"
    return "a program for each element"


__all__ = ["explained", "how_each"]
