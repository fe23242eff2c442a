"""The text of a function laid out for reading: names, types and places in columns.

    %unused = exp %x                      : f32[n0,4]    # model.py:21
    %0      = matmul %x, %w               : f32[n0,3]    # model.py:22

It says what `text.print_function` says, and is parsed alike; only files in the working directory
are named from there. What stands in one block, with no region between, shares its columns. Long
statements go on in further lines, broken between brackets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from .core import Function, Location
from .text import Row, rows

NAMES_MAX = 20  # columns of names that others are padded to
WORDS_MAX = 56  # columns of what is computed, likewise
WIDTH = 100  # of lines, where they can be cut
PLACES_MAX = 92  # where places begin at most, unless a line is longer
_ASSIGNED = re.compile(r"((?:%[\w.]+, )*%[\w.]+) = (.*)")


def place(location: Location | None) -> str:
    """A place; of a file in the working directory, the path from there."""
    if location is None:
        return ""
    return f"{location.file.removeprefix(os.getcwd() + os.sep)}:{location.line}"


def laid_out(f: Function) -> str:
    """The text of `f` for reading."""
    return "\n".join(lines(rows(f)))


def lines(found: Sequence[Row], written: Callable[[Location], str] = place) -> list[str]:
    """Rows as lines, in columns, with places as they are to be `written`."""
    texts: list[str] = []
    for _, run in groupby(found, key=lambda row: row.depth):
        texts += columns([row.text for row in run])
    indented = ["  " * row.depth + text for row, text in zip(found, texts, strict=True)]
    places = [written(row.location) if row.named and row.location else "" for row in found]
    commented = with_comments(indented, places)
    return [broken(text, 2 * row.depth + 4) for row, text in zip(found, commented, strict=True)]


def columns(texts: Sequence[str]) -> list[str]:
    """Statements that follow each other, with `=` and types in columns."""
    parts = [_split(text) for text in texts]
    names = _width((name for name, _, _ in parts), NAMES_MAX)
    words = _width((word for _, word, type_ in parts if type_), WORDS_MAX)
    made = []
    for name, word, type_ in parts:
        body = f"{word:{words}} : {type_}" if type_ else word
        made.append(f"{name:{names}} = {body}" if name else body)
    return made


def with_comments(texts: Sequence[str], comments: Sequence[str]) -> Iterator[str]:
    """Lines with comments behind them, in a column but for those of long lines."""
    commented = (
        text
        for text, comment in zip(texts, comments, strict=True)
        if comment and not text.endswith("{")
    )
    column = _width(commented, PLACES_MAX)
    for text, comment in zip(texts, comments, strict=True):
        yield f"{text:{column}}    # {comment}" if comment else text


def broken(text: str, indent: int) -> str:
    """A line, cut behind commas in brackets where it is longer than most."""
    statement, comment, where = text.partition("    # ")
    if len(statement.rstrip()) <= WIDTH:
        return text
    made: list[str] = []
    start, cut, opened = 0, 0, 0
    for i, c in enumerate(statement):
        if i - start + indent * bool(made) >= WIDTH and cut > start:
            made.append(statement[start:cut].rstrip())
            start = cut
        opened += (c in "([") - (c in ")]")
        if c == " " and statement[i - 1] == "," and opened:
            cut = i + 1
    made.append(statement[start:].rstrip() + comment + where)
    return ("\n" + " " * indent).join(made)


def _width(texts: Iterable[str], most: int) -> int:
    return max((len(text) for text in texts if len(text) <= most), default=0)


def _split(text: str) -> tuple[str, str, str]:
    """The names, what is computed, and the types of a statement; those that it does not have are
    empty, and so is all but the middle of what is none."""
    found = _ASSIGNED.fullmatch(text)
    if found is None:
        return "", text, ""
    word, _, type_ = found[2].rpartition(" : ")
    if not word or text.endswith("{"):
        return found[1], found[2], ""
    return found[1], word, type_
