"""What passes did with each op: notes that builders and passes take while somebody records.

    with recording() as journal:
        passes.run(f)
    for note in journal.notes:
        print(note.step, note.op.mnemonic, note.what, note.reason)

Nobody records otherwise, and a pass asks only where it has just done something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from .value_classes import NamedTuple

if TYPE_CHECKING:
    from .core import Function, Op, Value


class Did(StrEnum):
    """What a pass did with an op."""

    SAME = "the same as"  # an equal op was there already: its values stand for those of this one
    FOLDED = "folded to"  # a constant
    REPLACED = "replaced by"  # by a law, which is the reason
    INLINED = "inlined as"  # the body of what it called
    MOVED = "moved to"  # computed elsewhere, or in another order
    NARROWED = "narrowed to"  # itself, with less that it carries, takes or gives
    DROPPED = "dropped"


class Note(NamedTuple):
    """What a pass did with one op."""

    step: str  # the pass; "regions: cse" where it ran over a region
    op: Op  # of the function before the pass
    what: Did
    reason: str
    values: tuple[Value, ...]  # what stands for its results after the pass


class Step(NamedTuple):
    """One pass over a function or a region. Those over regions come before the pass around them."""

    name: str
    before: Function
    after: Function
    notes: Sequence[Note]


class Journal:
    """What passes did, in order; it prints as a paragraph for each that did something."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.became: dict[Op, list[Op]] = {}  # what each op was emitted anew as, or stands for it
        self._doing: list[str] = []  # the names of passes that run inside each other
        self._taken: list[list[Note]] = []  # their notes

    @property
    def notes(self) -> list[Note]:
        """All notes, in the order of the passes."""
        return [note for step in self.steps for note in step.notes]

    def of(self, op: Op) -> list[Note]:
        """What was done with an op, and with what it became, in the order of the passes."""
        found, seen, work = [], set[int](), [op]
        by_op: dict[Op, list[Note]] = {}
        for note in self.notes:
            by_op.setdefault(note.op, []).append(note)
        while work:
            now = work.pop()
            if id(now) not in seen:
                seen.add(id(now))
                found += by_op.get(now, [])
                work += self.became.get(now, [])
        order = {id(note): i for i, note in enumerate(self.notes)}
        return sorted(found, key=lambda note: order[id(note)])

    shown: ClassVar[Callable[[Any], str]] = repr  # its text; set by passes/explain.py

    def __str__(self) -> str:
        return type(self).shown(self)

    # What passes and builders tell it.

    def take(self, step: Callable[[Function], Function], f: Function) -> Function:
        """What the pass `step` makes of `f`, and note what it does."""
        around = f"{self._doing[-1]}: " if self._doing else ""
        name = around + step.__name__
        self._doing.append(name)
        self._taken.append([])
        token = _active.set(self)
        try:
            made = step(f)
        finally:
            _active.reset(token)
            self._doing.pop()
            notes = self._taken.pop()
        ours = {*f.walk()}  # a pass may use another one on what it has just made
        notes = [note for note in notes if note.op in ours]
        told, left = {note.op for note in notes}, {*made.body}
        for op in f.body:
            if op not in left and op not in told and op not in self.became:
                notes.append(Note(name, op, Did.DROPPED, "nothing needs it", ()))
        self.steps.append(Step(name, f, made, notes))
        return made

    def note(self, op: Op, what: Did, reason: str, values: Sequence[Value]) -> None:
        """Note what was done with an op."""
        self._taken[-1].append(Note(self._doing[-1], op, what, reason, tuple(values)))
        self.copied(op, values)

    def copied(self, op: Op, values: Sequence[Value]) -> None:
        """Note what stands for the results of an op, which may be the op itself on other values."""
        made = {v.op: None for v in values if v.op is not None and v.op is not op}
        if made:
            self.became.setdefault(op, []).extend(made)


_wanted: ContextVar[Journal | None] = ContextVar("wanted", default=None)
_active: ContextVar[Journal | None] = ContextVar("active", default=None)
active = _active.get  # the journal of the pass that runs, if somebody records
wanted = _wanted.get  # ... of those that will run


@contextmanager
def recording() -> Iterator[Journal]:
    """Inside, what passes do is noted in the journal."""
    journal = Journal()
    token = _wanted.set(journal)
    try:
        yield journal
    finally:
        _wanted.reset(token)


def taken(step: Callable[[Function], Function], f: Function) -> Function:
    """What the pass `step` makes of `f`; what it does is noted where somebody records."""
    journal = wanted()
    return step(f) if journal is None else journal.take(step, f)
