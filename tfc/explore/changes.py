"""What each pass did: the ops that it took away and those that it made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tfc.ir.core import Function, Op, attribute_key
from tfc.ir.text import print_rows

from .rows import Column, Fold, Lines, Row, short_place

SHOWN_MAX = 200  # rows of one pass


def changes(log: Sequence[tuple[str, Function]], lines: Lines) -> Column:
    """A heading for each pass in `log`, whose first entry is what they began with, and below it the
    ops that are gone (`-`) and new (`+`). An op whose operands alone have changed is neither."""
    column = Column("passes", "what happened", shown=False)
    for (_, before), (name, after) in pairwise(log):
        gone, made = _difference(before, after)
        start = len(column.rows)
        if not gone and not made:
            column.rows.append(Row(f"# {name}: nothing to do"))
            continue
        total = f"{_count(before)} ops, now {_count(after)}"
        column.rows.append(Row(f"# {name}: {len(gone)} gone, {len(made)} new ({total})"))
        rows = [(f"- {text}", op) for text, op in gone] + [(f"+ {text}", op) for text, op in made]
        column.rows += [Row(text, lines.of([op.location])) for text, op in rows[:SHOWN_MAX]]
        if len(rows) > SHOWN_MAX:
            column.rows.append(Row(f"  ... and {len(rows) - SHOWN_MAX} more"))
        column.folds.append(Fold(start, len(column.rows) - 1))
    return column


def _count(f: Function) -> int:
    return sum(1 for _ in f.walk())


def _difference(
    before: Function, after: Function
) -> tuple[list[tuple[str, Op]], list[tuple[str, Op]]]:
    """The ops, with their text, that only one of two functions has."""
    if before is after:
        return [], []
    old, new = _ops(before), _ops(after)
    return _without(old, new), _without(new, old)


_Ops = list[tuple[Any, str, Op]]


def _ops(f: Function) -> _Ops:
    """The ops of a function, each with what it is, as far as that can be said without the names of
    its operands, and its first row."""
    found, seen = [], set[Op]()
    for text, op in print_rows(f)[0]:
        if op is None or op in seen:
            continue
        seen.add(op)
        attributes = tuple(map(attribute_key, op.attributes.values()))
        types = tuple(str(v.type) for v in op.results)
        key = (op.mnemonic, attributes, types, type(op.location), op.location)
        found.append((key, short_place(text.strip()), op))
    return found


def _without(ops: _Ops, others: _Ops) -> list[tuple[str, Op]]:
    left = Counter(key for key, _, _ in others)
    found = []
    for key, text, op in ops:
        if left[key]:
            left[key] -= 1
        else:
            found.append((text, op))
    return found


__all__ = ["changes"]
