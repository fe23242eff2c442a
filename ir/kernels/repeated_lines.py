"""Lines of a kernel that are there again and again but for numbers, such as the rows of a tile in
registers: of these, text for reading has the first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core import Location, Op
from ..value_classes import NamedTuple

PERIOD_MAX = 24  # lines that are looked for again right behind them


class Line(NamedTuple):
    """A line of text."""

    depth: int
    text: str
    comment: str = ""
    location: Location | None = None  # where it comes from, also where no comment says so
    op: Op | None = None  # the launch, or the control flow, that it begins


def folded(lines: Sequence[Line]) -> list[Line]:
    """Of lines that are there again and again but for numbers, such as the rows of a tile in
    registers, the first, and how many more there are."""
    shapes = [(line.depth, re.sub(r"[\d.]+", "#", line.text)) for line in lines]
    made: list[Line] = []
    i = 0
    while i < len(lines):
        period, times = _repeated(shapes, i)
        made += lines[i : i + period]
        i += period * times
        if times > 1:
            these = "this line" if period == 1 else f"these {period} lines"
            more = f"# ... {times - 1} more like {these}"
            made.append(Line(made[-period].depth, more, location=made[-period].location))
    return made


def _repeated(shapes: Sequence[tuple[int, str]], i: int) -> tuple[int, int]:
    """How many lines from `i` on are there how often, one after the other."""
    best = 1, 1
    depth, text = shapes[i]
    if text.startswith(("}", "return")):
        return best
    for period in range(1, PERIOD_MAX + 1):
        if any(d < depth for d, _ in shapes[i : i + period]):
            break
        times = _times(shapes, i, period)
        if times > 2 and period * (times - 1) > best[0] * (best[1] - 1):
            best = period, times
    period, times = best
    if not _ends(shapes[i + period - 1]):  # a group had better end where something is stored
        for start in range(i + 1, i + period):
            better = _ends(shapes[start + period - 1]) and shapes[start][0] == depth
            if better and _times(shapes, start, period) >= max(3, times - 1):
                return 1, 1
    return best


def _times(shapes: Sequence[tuple[int, str]], i: int, period: int) -> int:
    """How often so many lines from `i` on are there, one after the other."""
    times, group = 1, shapes[i : i + period]
    while shapes[i + times * period : i + (times + 1) * period] == group:
        times += 1
    return times


def _ends(shape: tuple[int, str]) -> bool:
    return shape[1].startswith("}") or "] = " in shape[1]
