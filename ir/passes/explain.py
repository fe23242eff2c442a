"""What passes did, as text."""

from __future__ import annotations

from collections.abc import Iterator

from ..journal import Journal, Note, Step
from ..ops.shape import Constant
from ..text import Names, rows


def explain(journal: Journal) -> str:
    """A paragraph for each pass that did something, with a line for each op. Constants that are
    gone are left out: others took their place."""
    return "\n".join(line for step in journal.steps for line in _step(step, journal))


def _step(step: Step, journal: Journal) -> Iterator[str]:
    told = [told for told in sentences(step, journal) if not isinstance(told[0].op, Constant)]
    if not told:
        return
    yield f"{step.name}:"
    width = min(max(len(text) for _, text, _ in told), 40)
    for note, text, done in told:
        place = f"    # {note.op.location}" if note.op.location else ""
        yield f"  {text:{width}}  {done}{place}"


def sentences(step: Step, journal: Journal) -> Iterator[tuple[Note, str, str]]:
    """The notes of a pass, each with its op and what was done with it in words."""
    names = Names()
    rows(step.before, names)
    known = dict(names.names)
    for op in reversed(step.before.body):  # what ops were emitted anew as has their names
        for made in journal.became.get(op, ()):
            if len(made.results) == len(op.results):
                pairs = zip(made.results, op.results, strict=True)
                known.update((new, names.use(v)) for new, v in pairs if new not in names.names)
    for note in step.notes:
        own = [names.use(v) for v in note.op.results]
        values = [known.get(v, "") for v in note.values]
        if values == own or not any(values):  # a new op
            values = [v.op.mnemonic for v in note.values[:1] if v.op is not None]
        yield note, f"{', '.join(own)} {note.op.mnemonic}".strip(), _done(note, values)


def _done(note: Note, values: list[str]) -> str:
    became = " ".join([note.what, ", ".join(filter(None, values))]).strip()
    return f"{became}: {note.reason}" if note.reason else became


Journal.shown = explain
