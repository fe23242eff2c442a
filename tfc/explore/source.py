"""The column of the user's Python."""

from __future__ import annotations

import linecache
from collections import defaultdict
from pathlib import Path

from .rows import Column, Line, Lines, Row

AROUND = 12  # lines before and behind those that a program comes from
HERE = str(Path(__file__).resolve().parents[1])


def source(lines: Lines) -> Column:
    """The parts of the user's files that `lines` are in, as far as they can be read."""
    used: dict[str, set[int]] = defaultdict(set)
    for line in list(lines.known):
        used[line.file].add(line.number)
    column = Column("python", "Python")
    for file, numbers in used.items():
        texts = linecache.getlines(file)
        if not texts:
            column.rows += _missing(file, numbers, lines)
            continue
        column.rows.append(Row(f"# {file}"))
        end = 0
        for number, text in enumerate(texts, 1):
            if not any(abs(number - n) <= AROUND for n in numbers):
                continue
            if number > end + 1:
                column.rows.append(Row("     ..."))
            end = number
            own = _numbers(lines, file, number) if number in numbers else ()
            column.rows.append(Row(f"{number:4} {text.rstrip()}", own))
        if end < len(texts):
            column.rows.append(Row("     ..."))
    return column


def _missing(file: str, numbers: set[int], lines: Lines) -> list[Row]:
    """What is known of a file that cannot be read, such as what was typed at a prompt."""
    rows = [Row(f"# {file}: its text is not known")]
    return rows + [Row(f"{n:4}", _numbers(lines, file, n)) for n in sorted(numbers)]


def _numbers(lines: Lines, file: str, number: int) -> tuple[int, ...]:
    both = (lines.known.get(Line(file, number, derivative)) for derivative in (False, True))
    return tuple(sorted(n for n in both if n is not None))


__all__ = ["source"]
