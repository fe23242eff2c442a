"""Why a `tfc.function` was traced, what that has cost, and what to do about it: in words.

Each trace leaves an `Event`. Its reason is found by comparing the arguments with those of the
trace that is nearest to them: which argument differs, what it was and what it is. Events hold
texts and numbers only, so that they outlive what they speak of.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tfc.ir.core import Location
from tfc.ir.types import TensorType
from tfc.ir.value_classes import NamedTuple, dataclass, field

from ..core.argument_variables import VariableSpec

if TYPE_CHECKING:
    from .arguments import Leaf
    from .concrete import Cost

_LOOK_BACK = 16  # earlier traces that a new one is compared with
_MANY = 5  # traces for one reason that are worth a warning
_SHOWN = 5  # traces that a warning shows
_EVENTS = 256  # that are remembered, besides the first
_MACHINE_CODE = {
    "hit": "machine code from the disk cache",
    "miss": "machine code made now",
    "shared": "machine code shared with an equal function",
    "": "not compiled yet",
}


class Difference(NamedTuple):
    """One argument that differs from an earlier trace's."""

    kind: str  # "dtype", "rank", "extent", "value", "kind", "object", "variable", "structure"
    name: str
    text: str
    fix: str
    weight: int = 1  # how far apart


class Attempt(NamedTuple):
    """Symbols that were tried first, and why they did not do."""

    types: str
    problem: str


@dataclass
class Event:
    """One trace."""

    number: int
    leaves: tuple[Leaf, ...]  # with symbols for what may have any size
    location: Location | None  # of the call
    cost: Cost
    differences: tuple[Difference, ...] = ()  # from the nearest earlier trace
    near: int = 0  # its number
    misfit: str = ""  # where nothing differs: why that trace does not do
    attempts: list[Attempt] = field(default_factory=list)

    def text(self) -> str:
        """Three lines or more: what it was traced for, why, and the cost."""
        rows = [f"{self.number}. {signature_text(self.leaves)}"]
        if not self.near:
            rows.append(f"why: it is the first trace (call at {self.location})")
        elif not self.differences:
            rows.append(f"why: {self.misfit} (call at {self.location})")
        for i, difference in enumerate(self.differences):
            where = f" (trace {self.near}; call at {self.location})" if i == 0 else ""
            rows.append(f"{'why:' if i == 0 else 'and:'} {difference.text}{where}")
        symbols = [leaf for leaf in self.leaves if leaf.kind == "tensor" and _open(leaf)]
        if symbols and any(d.kind == "extent" for d in self.differences):
            names = ", ".join(dict.fromkeys(n for leaf in symbols for n in _open(leaf)))
            rows.append(f"now: every size runs this trace ({names})")
        for attempt in self.attempts:
            rows.append(f"tried first: {attempt.types}, but {attempt.problem}")
        fixes = dict.fromkeys(d.fix for d in self.differences if d.fix)
        rows += [f"fix: {fix}" for fix in fixes]
        rows.append(f"cost: {cost_text(self.cost)}")
        return "\n   ".join(rows)


def signature_text(leaves: Sequence[Leaf]) -> str:
    """The arguments in one line."""
    rows = [
        f"{leaf.name}: {leaf.text}" if leaf.kind != "value" else f"{leaf.name}={leaf.text}"
        for leaf in leaves
    ]
    return ", ".join(rows) or "no arguments"


def cost_text(cost: Cost) -> str:
    """Milliseconds by stage."""
    stages = ", ".join(f"{name} {ms:.1f}" for name, ms in cost.timings.items())
    return f"{sum(cost.timings.values()):.1f} ms ({stages}); {_MACHINE_CODE[cost.cache]}"


def _open(leaf: Leaf) -> list[str]:
    return [str(e) for e in leaf.detail.shape if not isinstance(e, int)]


def _differences(event: Event, leaves: Sequence[Leaf]) -> tuple[Difference, ...]:
    """What is another in `leaves` than in an earlier trace."""
    old = {leaf.name: leaf for leaf in event.leaves}
    new = {leaf.name: leaf for leaf in leaves}
    found = []
    changed = [*(n for n in old if n not in new), *(n for n in new if n not in old)]
    if changed:
        gone, come = ([n for n in a if n not in b] for a, b in ((old, new), (new, old)))
        parts = [f"{w} {', '.join(n[:4])}" for w, n in (("without", gone), ("with", come)) if n]
        base = changed[0].partition("[")[0].partition(".")[0]
        listed = changed[0].removeprefix(base)[1:2].isdigit()
        fix = f"pass one tensor: tf.constant({base})" if listed else f"always pass all of {base}"
        found.append(
            Difference(
                "structure",
                base,
                f"the structure of {base} is another: {' and '.join(parts)}",
                f"keep the structure of {base}: {fix}",
            )
        )
    for name, leaf in new.items():
        if name in old and (difference := _difference(old[name], leaf)) is not None:
            found.append(difference)
    return tuple(found)


def _difference(old: Leaf, new: Leaf) -> Difference | None:
    name = new.name
    was = f"{name} was {old.text} and is {new.text}"
    if old.kind != new.kind:
        fix = f"always pass one kind for {name}, such as a tensor: tf.constant(...)"
        kinds = f"{name} was the {old.kind} {old.text} and is the {new.kind} {new.text}"
        return Difference("kind", name, kinds, fix)
    match new.kind:
        case "tensor":
            return _tensors(name, old.detail, new.detail, was)
        case "variable" if old.detail != new.detail:
            if isinstance(old.detail, VariableSpec) and isinstance(new.detail, VariableSpec):
                text = f"{name} was {old.detail} and is {new.detail}"
            else:
                text = f"{name} is another Variable, which the function tells apart: {new.text}"
            fix = f"if {name} is only read, pass its value: {name}.value()"
            return Difference("variable", name, text, fix)
        case "object" if old.detail != new.detail:
            text = f"{name} is another object: {new.text}"
            fix = f"make {name} once, before the loop; each object has traces of its own"
            return Difference("object", name, text, fix)
        case "value" if (old.detail, old.text) != (new.detail, new.text):
            return Difference("value", name, was, _value_fix(name, new))
    return None


def _tensors(name: str, old: TensorType, new: TensorType, was: str) -> Difference | None:
    if old.dtype is not new.dtype:
        fix = f"pass one dtype: tf.cast({name}, tf.{old.dtype.name})"
        return Difference("dtype", name, was, fix, 1 if old.rank == new.rank else 2)
    if old.rank != new.rank:
        fix = f"pass one rank: reshape or expand {name} before the call"
        return Difference("rank", name, f"{was}, of another rank", fix)
    if any(isinstance(e, int) and e != n for e, n in zip(old.shape, new.shape, strict=True)):
        return Difference("extent", name, was, "")
    return None


def _value_fix(name: str, leaf: Leaf) -> str:
    if leaf.detail in (int, float, complex):
        return f"pass a tensor, tf.constant({leaf.text}): Python values are compiled in"
    if leaf.detail in (bool, str):
        return f"nothing, if there are few values of {name}: each is a program of its own"
    return f"pass an equal {name} (with __eq__ and __hash__), or make it once, before the loop"


class History:
    """The traces of one function."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.events: list[Event] = []  # the first and the last ones
        self._counts: Counter[tuple[str, str]] = Counter()
        self._warned = False

    def nearest(self, leaves: Sequence[Leaf]) -> tuple[tuple[Difference, ...], int]:
        """How `leaves` differ from those of the nearest earlier trace, and its number (0: none)."""
        best: tuple[Difference, ...] = ()
        near = least = 0
        for event in reversed(self.events[-_LOOK_BACK:]):
            found = _differences(event, leaves)
            apart = sum(d.weight for d in found)
            if near == 0 or apart < least:
                best, near, least = found, event.number, apart
            if least < 2:
                break
        return best, near

    def add(self, event: Event, asked: bool = False) -> None:
        """Note a trace. Where calls made too many for one reason, say so, once; not of those that
        were `asked` for."""
        self.count = event.number
        self.events.append(event)
        del self.events[1 : len(self.events) - _EVENTS]
        for d in () if asked else event.differences:
            self._counts[d.kind, d.name] += 1
            if not self._warned and self._counts[d.kind, d.name] >= _MANY:
                self._warned = True
                self._warn(d, self._counts[d.kind, d.name], event.location)

    def text(self) -> str:
        """Every trace, with reason and cost."""
        if not self.events:
            return f"{self.name} has not been traced yet"
        total: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        for event in self.events:
            total.update(event.cost.timings)
            codes[_MACHINE_CODE[event.cost.cache]] += 1
        stages = ", ".join(f"{stage} {ms:.1f}" for stage, ms in total.items())
        found = ", ".join(f"{n} x {what}" for what, n in codes.items())
        traces = "1 trace" if self.count == 1 else f"{self.count} traces"
        rows = [f"{self.name}: {traces}, {sum(total.values()):.1f} ms ({stages}); {found}"]
        rows += [event.text() for event in self.events]
        if self.count > len(self.events):
            rows.insert(2, f"... {self.count - len(self.events)} older traces ...")
        return "\n".join(rows)

    def prediction(
        self, leaves: Sequence[Leaf], traced: Sequence[Leaf], misfit: Callable[[int], str]
    ) -> str:
        """Why a call with the arguments `leaves` would make a trace, for `traced`."""
        differing, near = self.nearest(leaves)
        rows = [f"{self.name} would be traced for {signature_text(traced)}"]
        if not near:
            rows.append("why: it has not been traced yet")
        elif not differing:
            rows.append(f"why: {misfit(near)}")
        for i, difference in enumerate(differing):
            where = f" (trace {near})" if i == 0 else ""
            rows.append(f"{'why:' if i == 0 else 'and:'} {difference.text}{where}")
        rows += [f"fix: {fix}" for fix in dict.fromkeys(d.fix for d in differing if d.fix)]
        return "\n   ".join(rows)

    def _warn(self, cause: Difference, count: int, location: Location | None) -> None:
        fix = f"\nfix: {cause.fix}" if cause.fix else ""
        shown = self.events[-_SHOWN:]
        message = (
            f"{self.name} was traced {count} times because of {cause.name} ({cause.kind}); "
            f"tracing costs far more than a call.{fix}\n"
            f"The last {len(shown)} of {self.count} traces ({self.name}.explain() has all):\n"
            + "\n".join(event.text() for event in shown)
        )
        file, line = location or Location("<unknown>", 0)
        warnings.warn_explicit(message, RuntimeWarning, file, line)


__all__ = ["Attempt", "Difference", "Event", "History", "signature_text"]
