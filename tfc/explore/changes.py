"""What each pass did: the ops that it took away and those that it made."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tfc.ir.attributes import attribute_key
from tfc.ir.core import Function, Op
from tfc.ir.journal import Journal
from tfc.ir.passes.explain import sentences
from tfc.ir.text import rows as text_rows

from .rows import Column, Fold, Lines, Row, short_place, split_place

SHOWN_MAX = 200  # rows of one pass


def changes(journal: Journal, lines: Lines) -> Column:
    """A heading for each pass, and below it the ops that are gone (`-`, and why) and new (`+`). An
    op whose operands alone have changed is neither."""
    column = Column("passes", "what happened", shown=False)
    why = {note.op: done for step in journal.steps for note, _, done in sentences(step, journal)}
    for step in journal.steps:
        gone, made = _difference(step.before, step.after)
        start = len(column.rows)
        inside = ":" in step.name  # a pass over a region
        if not gone and not made:
            if not inside:
                column.rows.append(Row(f"# {step.name}: nothing to do"))
            continue
        total = f"{_count(step.before)} ops, now {_count(step.after)}"
        column.rows.append(Row(f"# {step.name}: {len(gone)} gone, {len(made)} new ({total})"))
        rows = [(f"- {_reasoned(text, why.get(op, ''))}", op) for text, op in gone]
        rows += [(f"+ {text}", op) for text, op in made]
        column.rows += [Row(text, lines.of([op.location])) for text, op in rows[:SHOWN_MAX]]
        if len(rows) > SHOWN_MAX:
            column.rows.append(Row(f"  ... and {len(rows) - SHOWN_MAX} more"))
        column.folds.append(Fold(start, len(column.rows) - 1))
    return column


def _reasoned(text: str, why: str) -> str:
    """The text of an op with what was done with it, before the place at its end."""
    rest, place = split_place(text)
    return f"{rest}    # {why}{place}" if why else text


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
    for row in text_rows(f):
        op = row.op
        if op is None or op in seen:
            continue
        seen.add(op)
        attributes = tuple(map(attribute_key, op.attributes.values()))
        types = tuple(str(v.type) for v in op.results)
        key = (op.mnemonic, attributes, types, type(op.location), op.location)
        found.append((key, short_place(str(row).strip()), op))
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
