"""Columns of a page: rows of text that know the user's lines that they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tfc.ir.core import Backward, Function, Location, Op
from tfc.ir.kernels.brief import brief_lines
from tfc.ir.kernels.ops import Launch
from tfc.ir.text import Names
from tfc.ir.text import Row as Printed
from tfc.ir.text import rows as text_rows

# Rows of a gradient one after the other, from which on they have a heading and fold.
GRADIENT_MIN = 4
_ENDS = "\0\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_PLACE = re.compile(r"\s+# (\S.*?):(\d+)$")


class Line(NamedTuple):
    """A line of the user's, or what is its derivative."""

    file: str
    number: int
    derivative: bool


class Lines:
    """The lines that a page knows, each with a number."""

    def __init__(self) -> None:
        self.known: dict[Line, int] = {}

    def number(self, line: Line) -> int:
        """The number of a line, which may be new."""
        return self.known.setdefault(line, len(self.known))

    def of(self, locations: Iterable[Location | None]) -> tuple[int, ...]:
        """The numbers of the lines at these places."""
        found = {
            self.number(Line(place.file, place.line, isinstance(place, Backward)))
            for place in locations
            if place is not None and place.line > 0
        }
        return tuple(sorted(found))


class Row(NamedTuple):
    """One line of a text."""

    text: str
    lines: tuple[int, ...] = ()  # numbers of the user's lines


class Fold(NamedTuple):
    """Rows that go out of sight together: all behind `first`, up to and with `last`."""

    first: int
    last: int
    closed: bool = False  # at first


@dataclass
class Column:
    """A text beside others."""

    name: str
    title: str
    rows: list[Row] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)
    shown: bool = True  # at first

    def add(self, rows: Iterable[Row], folds: Iterable[Fold] = ()) -> None:
        """Append what another text consists of."""
        shift = len(self.rows)
        self.rows += rows
        self.folds += [Fold(f.first + shift, f.last + shift, f.closed) for f in folds]

    @property
    def text(self) -> str:
        """All of it, with a line for each row: other signs that end lines, or that HTML takes for
        such, are replaced."""
        texts = [row.text for row in self.rows]
        found = "\n".join(texts)
        if found.count("\n") >= max(1, len(texts)):
            found = "\n".join(text.replace("\n", "\u240a") for text in texts)
        for sign in _ENDS:
            if sign in found:
                found = found.replace(sign, "\ufffd")
        return found


class Listing(NamedTuple):
    """The text of an IR function, and where its ops are in it."""

    rows: list[Row]
    folds: list[Fold]
    places: dict[Op, int]  # the first row of an op
    names: Names


def listing(f: Function, lines: Lines) -> Listing:
    """The rows of `f`. Runs of derivatives have a heading, under which they fold."""
    names = Names()
    printed = text_rows(f, names)
    rows: list[Row] = []
    folds: list[Fold] = []
    places: dict[Op, int] = {}
    headings = dict(_gradients(printed))
    for number, row in enumerate(printed):
        if number in headings:
            last, count = headings[number]
            own = {place for r in printed[number : last + 1] for place in _places(r)}
            folds.append(Fold(len(rows), len(rows) + 1 + last - number))
            rows.append(Row(f"  # gradients: {count} ops", lines.of(own)))
        if row.op is not None:
            places.setdefault(row.op, len(rows))
        rows.append(Row(short_place(str(row)), lines.of(_places(row))))
    folds += braces([row.text for row in rows])
    return Listing(rows, folds, places, names)


def brief_listing(f: Function, lines: Lines) -> Listing:
    """The rows of a function of launches in brief, for reading."""
    rows: list[Row] = []
    places: dict[Op, int] = {}
    for line in brief_lines(f):
        if line.op is not None:
            places.setdefault(line.op, len(rows))
        text = "  " * line.depth + line.text
        if line.comment:
            text += f"    # {line.comment.rpartition('/')[2]}"
        rows.append(Row(text, lines.of(_of_op(line.op, line.location))))
    return Listing(rows, braces([row.text for row in rows]), places, Names())


def _places(row: Printed) -> list[Location | None]:
    """The places that a row comes from: of a kernel those of all that it computes."""
    return _of_op(row.op, row.location)


def _of_op(op: Op | None, location: Location | None) -> list[Location | None]:
    if isinstance(op, Launch):
        ops: Sequence[Op] = op.kernel.notes.get("ops", ())
        return [op.location for op in ops] or [location]
    return [location]


def _gradients(printed: Sequence[Printed]) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where runs of derivatives begin among the ops of a function: (row, (last row, ops))."""
    first, last, ops = 0, -1, set[Op]()
    for number, row in enumerate(printed):
        inside = row.depth > 1
        if row.op is not None and isinstance(row.location, Backward) and not inside:
            first = first if ops else number
            ops.add(row.op)
        elif not (inside and ops):
            if len(ops) >= GRADIENT_MIN:
                yield first, (last, len(ops))
            ops = set()
        last = number


def braces(texts: Sequence[str], closed: bool = False) -> list[Fold]:
    """What stands in braces, from the row that ends with `{` to the one that begins with `}`."""
    found = []
    open_rows: list[int] = []
    for number, text in enumerate(texts):
        stripped = text.strip()
        if stripped.startswith("}") and open_rows:
            first = open_rows.pop()
            if number - first > 1:
                found.append(Fold(first, number - 1, closed))
        if split_place(stripped)[0].endswith("{"):
            open_rows.append(number)
    return found


def split_place(text: str) -> tuple[str, str]:
    """A row, and the comment at its end that says where it comes from."""
    found = _PLACE.search(text) if "# " in text else None
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def short_place(text: str) -> str:
    """A row with the place at its end named by the file alone, without folders."""
    rest, place = split_place(text)
    return f"{rest}    # {place.rpartition('/')[2].lstrip(' #')}" if place else text


__all__ = [
    "Column",
    "Fold",
    "Line",
    "Lines",
    "Listing",
    "Row",
    "braces",
    "brief_listing",
    "listing",
    "short_place",
    "split_place",
]
