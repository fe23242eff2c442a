"""What became of each op when kernels were planned, and why: which kernel computes it, what that
kernel stores, and which kernels it did not join.

    >>> import tfc as tf
    >>> f = tf.function(lambda x, w: tf.nn.softmax(tf.nn.relu(x @ w) * 2.0))
    >>> specs = tf.TensorSpec([64, 32]), tf.TensorSpec([32, 100])
    >>> report = f.get_concrete_function(*specs).explain_fusion()
    >>> [kernel.schedule for kernel in report.kernels]
    ['Gemm', 'Rows']
    >>> choice = report.kernels[0].choice  # of a schedule, and why not those before it
    >>> str(choice), choice.way.declined[0]
    ('Gemm, UnpackedGemm', Declined(schedule='NoGemm', reason='it takes results without elements', \
related=False))
    >>> report.kernels[1].choice.declined[-1].reason
    '64 rows are enough to be dealt out (above 8)'
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from inspect import getdoc

from ...core import Function, Op, Value
from ...dtypes import DType
from ...ops.control import Control
from ...ops.shape import Constant
from ...recomputing import STORE_ABOVE
from ...text import Names, rows
from ...value_classes import NamedTuple, dataclass
from ..target import Target
from . import fusion
from .groups import Asked, Group, Kind, Plan, pull_cost
from .machine import Machine
from .reasons import OTHER_KIND, Mismatch, Refusal, Refused, Stored


class Step(NamedTuple):
    """What a kernel does with one op."""

    op: Op
    role: str  # "stores", "keeps" (for itself) or "computes" (where another op reads it)
    reason: str


class Declined(NamedTuple):
    """A schedule that was asked before the one that was chosen, and did not match."""

    schedule: str
    reason: str
    related: bool  # False where it is for ops of another kind altogether


@dataclass(frozen=True)
class Choice:
    """Which schedule of a list a kernel is written by, and why not those before it."""

    schedule: str  # "Gemm"
    about: str  # what it is, in a sentence
    takes: str  # what it is for, as "it takes ..." goes on
    decided: Mapping[str, object]  # numbers, words and truths that it decided: {"flat": True}
    declined: tuple[Declined, ...]  # in the order in which they were asked
    way: Choice | None  # how it goes on, where it has a list of its own: of "Gemm" "BlockedGemm"

    def __str__(self) -> str:
        """The schedule and what it decided, with its way: "Gemm, BlockedGemm"."""
        decided = ", ".join(f"{name}={value}" for name, value in self.decided.items())
        own = f"{self.schedule}({decided})" if decided else self.schedule
        return f"{own}, {self.way}" if self.way else own


class Against(NamedTuple):
    """A kernel that a value of another kernel could have joined, and why it did not."""

    value: Value
    kernel: int
    reason: str


@dataclass(frozen=True)
class Kernel:
    """One kernel of the plan, or a call (of the host, of control flow) that stands in its place."""

    number: int
    name: str  # as in profiles and debuggers
    kind: Kind
    choice: Choice | None  # of its schedule; None of calls
    steps: tuple[Step, ...]
    against: tuple[Against, ...]

    @property
    def schedule(self) -> str:
        """The name of its schedule; "" of calls."""
        return self.choice.schedule if self.choice else ""

    def computes(self, op: Op) -> bool:
        """Whether it computes an op."""
        return any(step.op is op for step in self.steps)


@dataclass(frozen=True)
class FusionReport:
    """The kernels of a function, and why they are these. It prints as a page of text."""

    function: Function
    kernels: tuple[Kernel, ...]
    others: tuple[Step, ...]  # ops that no kernel computes: views of memory, extents
    # Those of control flow, each with its op and name; and programs that one function is cut into.
    regions: tuple[tuple[Op | None, str, FusionReport], ...]
    names: Mapping[Value, str]  # what the values are called in the text of the function

    def of(self, op: Op) -> list[tuple[int | None, str, str]]:
        """(number of the kernel, role, reason) for each kernel that computes an op; None in place
        of the number where no kernel does."""
        found: list[tuple[int | None, str, str]] = [
            (kernel.number, step.role, step.reason)
            for kernel in self.kernels
            for step in kernel.steps
            if step.op is op
        ]
        return found + [(None, s.role, s.reason) for s in self.others if s.op is op]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        f, count = self.function, len(self.function.body)
        kernels = sum(kernel.schedule != "" for kernel in self.kernels)
        if self.kernels or not self.regions:
            yield f"{f.name}: {_counted(count, 'op')}, {_counted(kernels, 'kernel')}"
        for kernel in self.kernels:
            yield ""
            yield from self._kernel(kernel)
        if self.others:
            yield ""
            for step in self.others:
                yield f"{step.role} {self._text(step.op)}: {step.reason}"
        for op, name, report in self.regions:
            yield ""
            yield f"{name} of {self._text(op)}:" if op is not None else f"{name}:"
            yield from (f"  {line}" if line else "" for line in report._lines())

    def _kernel(self, kernel: Kernel) -> Iterator[str]:
        choice = kernel.choice
        yield f"{kernel.name}: {choice}. {choice.about}" if choice else kernel.name
        if choice is not None:
            yield from _declined(choice)
            if choice.way is not None:
                yield f"  {choice.way.schedule}: {choice.way.about}"
                yield from _declined(choice.way)
        told = [step for step in kernel.steps if step.role != "computes"]
        width = min(max(len(self._text(step.op)) for step in told), 40)
        for step in told:
            place = step.op.location
            line = f"    # {os.path.basename(place.file)}:{place.line}" if place else ""
            yield f"  {step.role:6} {self._text(step.op):{width}}  {step.reason}{line}"
        once: list[str] = []
        again: list[str] = []
        for step in kernel.steps:
            if step.role == "computes":
                more = sum(other.computes(step.op) for other in self.kernels) > 1
                (again if more else once).append(self._text(step.op))
        yield from _listed("where it is read", once)
        yield from _listed("as other kernels do", again)
        for against in kernel.against:
            other = self.kernels[against.kernel].name
            yield f"  not in {other}: {self.names.get(against.value, 'it')}, as {against.reason}"

    def _text(self, op: Op) -> str:
        names = ", ".join(self.names.get(v, "?") for v in op.results)
        return f"{names} {op.mnemonic}".strip()


def _declined(choice: Choice) -> Iterator[str]:
    """Why it is no schedule before this one, of those that it might have been."""
    for declined in choice.declined:
        if declined.related:
            yield f"  not {declined.schedule}: {declined.reason}"


def _listed(label: str, texts: list[str]) -> list[str]:
    """A list of ops, in lines of at most 100 columns."""
    text = f"{label}: {', '.join(texts)}"
    return textwrap.wrap(text, 96, initial_indent="  ", subsequent_indent="    ") if texts else []


def explain(
    f: Function, machine: Machine, target: Target, names: Mapping[Value, str] | None = None
) -> FusionReport:
    """The plan of `f` with its reasons. It is made anew: nothing is kept of that of a program.

    Args:
        f: A function of tensor ops, after the passes.
        machine: The kind of machine, see `lower.machine_of`.
        target: The machine.
        names: What values are called, as `Names.names` has it; None: as in the text of `f`.
    """
    if names is None:
        known = Names()
        rows(f, known)
        names = known.names
    plan = fusion.fuse(f, machine, target)
    return _Explained(f, plan, machine, target, names).report()


class _Explained:
    def __init__(
        self, f: Function, plan: Plan, machine: Machine, target: Target, names: Mapping[Value, str]
    ) -> None:
        self.f, self.plan, self.machine, self.target, self.names = f, plan, machine, target, names
        self.numbers: dict[Value, int] = {}  # the kernel of each value that one stores or keeps
        for number, group in enumerate(plan.groups):
            for part in (*group.parts, group):
                self.numbers.update(dict.fromkeys(part.roots, number))
        self.computed = [self._computed(group) for group in plan.groups]
        self.readers: dict[Value, list[Op]] = {}
        for op in f.body:
            for v in dict.fromkeys(op.operands):
                self.readers.setdefault(v, []).append(op)
        self.kernels: dict[Op, list[int]] = {}  # those that compute an op
        for number, ops in enumerate(self.computed):
            for op in ops:
                self.kernels.setdefault(op, []).append(number)

    def report(self) -> FusionReport:
        plan = self.plan
        kernels = tuple(self._kernel(i, group) for i, group in enumerate(plan.groups))
        others = tuple(Step(op, *self._other(op)) for op in self.f.body if op not in self.kernels)
        regions = tuple(
            (op, name, explain(getattr(op, name), self.machine, self.target, self.names))
            for op in self.f.body
            if isinstance(op, Control) and self._is_call(op)
            for name in op.spec.regions
        )
        return FusionReport(self.f, kernels, others, regions, self.names)

    def _is_call(self, op: Op) -> bool:
        return any(self.plan.groups[i].schedule is None for i in self.kernels.get(op, ()))

    def _computed(self, group: Group) -> list[Op]:
        """The ops that the kernel of a group computes, in the order of the function."""
        own = {root for part in (*group.parts, group) for root in part.roots}
        found: set[Op] = set()
        work = list(own)
        while work:
            v = work.pop()
            op = v.op
            if op is None or op in found or (v not in own and self.plan.in_memory(v, group)):
                continue
            found.add(op)
            if group.kind is not Kind.CALL:
                work.extend(op.operands)
        return [op for op in self.f.body if op in found]

    def _kernel(self, number: int, group: Group) -> Kernel:
        choice = None
        if group.schedule is not None:
            choice = self._choice(self.machine.asked(group, self.plan, self.target))
            ways = group.schedule.asked(group, self.plan, self.target)
            assert choice is not None
            choice = replace(choice, way=self._choice(ways))
        steps = tuple(Step(op, *self._step(op, number, group)) for op in self.computed[number])
        against = tuple(
            Against(v, other, self._against(refusal))
            for part in (*group.parts, group)
            for v in part.roots
            for refusal in self.plan.reasons.refused.get(v, ())
            if (other := self._number(refusal.group)) not in (None, number)
        )
        name = f"{self.f.name}.k{number}"
        return Kernel(number, name, group.kind, choice, steps, against)

    def _choice(self, asked: Asked) -> Choice | None:
        """The last that was asked, which matched; None where nothing was."""
        declined: list[Declined] = []
        for schedule, found in asked:
            if isinstance(found, Mismatch):
                declined.append(self._declined(schedule, found))
                continue
            about = (getdoc(schedule) or "").partition("\n\n")[0].replace("\n", " ")
            about = re.sub(r"(: see |; ).*", ".", re.sub(r" \([\w/]+\.py\)", "", about))
            takes = schedule.takes  # type: ignore[attr-defined]
            return Choice(schedule.__name__, about, takes, _decided(found), tuple(declined), None)
        return None

    def _declined(self, schedule: type, found: Mismatch) -> Declined:
        if found is OTHER_KIND:
            reason = f"it takes {schedule.takes}"  # type: ignore[attr-defined]
            return Declined(schedule.__name__, reason, False)
        reason = found.reason.format(*map(self._said, found.values))
        return Declined(schedule.__name__, reason, True)

    def _said(self, x: object) -> object:
        """A value of a reason as text."""
        if isinstance(x, Value):
            return self.names.get(x, "it")
        return x.short if isinstance(x, DType) else x

    def _number(self, group: Group) -> int | None:
        """The number of what has become of a group."""
        return next((self.numbers[v] for v in group.roots if v in self.numbers), None)

    # Reasons as sentences.

    def _step(self, op: Op, number: int, group: Group) -> tuple[str, str]:
        """What a kernel does with an op, and why."""
        reasons = self.plan.reasons
        stored = [v for v in op.results if v in self.plan.stored and self.numbers.get(v) == number]
        kept = [v for v in op.results if self.numbers.get(v) == number]
        if group.kind is Kind.CALL:
            return "calls", "it runs outside of kernels"
        if stored:
            v = stored[0]
            return "stores", "; ".join(filter(None, (self._joined(v, group), self._stored(v))))
        if kept:
            v = kept[0]
            why = reasons.private.get(v)
            private = self._private(v, group) if why is not None else "only its own kernel reads it"
            return "keeps", "; ".join(filter(None, (self._joined(v, group), private)))
        return "computes", self._pulled(op)

    def _joined(self, v: Value, group: Group) -> str:
        """Why a value is made by the kernel of another one."""
        if group.parts:
            whole = group.schedule.whole if group.schedule is not None else ""
            return f"a part of the {whole}" if v is not group.roots[0] else ""
        if v in group.down:
            return "reduced down the columns while the kernel is at their rows"
        kind = self.plan.reasons.joined.get(v)
        if kind is None:
            return ""
        first = self.names.get(group.roots[0], "the first")
        match kind:
            case Kind.CONTRACTION:
                cost = self._beside(v, group)
                return f"an epilogue of {first}: {_counted(cost, 'operation')} for an element"
            case Kind.ROWS:
                return f"in the loop over the rows of {first}"
            case Kind.COLUMNS:
                return f"in the loop over the columns of {first}"
        return f"in the loops of {first}, which have the same shape"

    def _beside(self, root: Value, group: Group) -> int:
        """Scalar operations for an element of `root`, beside those of the group's other values."""
        total, work, seen = 0, [root], {v for v in group.roots if v is not root}
        while work:
            v = work.pop()
            if v not in seen and v.op is not None and not self.plan.in_memory(v, group):
                seen.add(v)
                total += v.op.element_cost()
                work.extend(v.op.operands)
        return total

    def _stored(self, v: Value) -> str:
        why, by = self.plan.reasons.stored.get(v, (Stored.MADE, v.op))
        others = {n for op in self.readers.get(v, ()) for n in self.kernels.get(op, ())}
        others -= {self.numbers[v]}
        if why is Stored.MADE and others:
            return f"{self._kernels(others)} it"
        most = {Stored.DEEP: fusion.PULL_DEPTH_MAX, Stored.LONG: fusion.KEPT_ROW_BYTES_MAX}
        row = fusion._row_bytes(self.plan.groups[self.numbers[v]], v)
        return why.format(
            by=self._name(by),
            schedule=self._schedule(by),
            cost=self.plan.reasons.costly.get(v, 0),
            most=most.get(why, STORE_ABOVE),
            bytes="unknown" if row == float("inf") else row,
        )

    def _schedule(self, op: Op | None) -> str:
        """The schedule of the kernel that an op begins."""
        made = [self.plan.groups[n].schedule for n in self.kernels.get(op, ())] if op else []
        return next((type(s).__name__ for s in made if s is not None), "a kernel of its own")

    def _private(self, v: Value, group: Group) -> str:
        alias = self.plan.row_aliases.get(v)
        return self.plan.reasons.private[v].format(
            bytes=fusion._row_bytes(group, v),
            alias=self.names.get(alias, "a result") if alias is not None else "",
        )

    def _pulled(self, op: Op) -> str:
        """Why an op is computed where others read it."""
        if isinstance(op, Constant):
            return "a constant"
        readers = [reader for v in op.results for reader in self.readers.get(v, ())]
        cost = self.plan.reasons.cost.get(op.results[0], 0)
        kernels = self.kernels[op]
        if len(readers) == 1 and len(kernels) == 1:
            return f"only {self._name(readers[0])} reads it, where it is computed"
        again = f"in each of {_counted(len(kernels), 'kernel')}" if len(kernels) > 1 else "there"
        return (
            f"{again}: an element costs {_counted(cost, 'operation')} (stored above {STORE_ABOVE})"
        )

    def _other(self, op: Op) -> tuple[str, str]:
        """What becomes of an op that no kernel computes."""
        shown = next((self.plan.views[v] for v in op.results if v in self.plan.views), None)
        if shown is not None:
            return "shows", f"a view of the memory of {self.names.get(shown, 'a value')}"
        if op.binds():
            return "binds", "an extent gets its value here"
        return "drops", "no kernel needs it"

    def _against(self, refusal: Refusal) -> str:
        v, kind, group, why, read = refusal
        most = {
            Refused.STREAMS: self.machine.streams_max,
            Refused.FULL: fusion.GROUP_VALUES_MAX,
            Refused.EPILOGUE: fusion.EPILOGUE_OPERATIONS_MAX,
        }
        shapes = why is Refused.SHAPE
        return why.format(
            streams=len(group.streams) + 1,
            most=most.get(why),
            own=_shape(v.shape) if shapes else _WHAT[kind],
            theirs=_shape(group.shape) if shapes else _WHAT[group.kind],
            read=", ".join(self.names.get(x, "?") for x in dict.fromkeys(read)),
            cost=pull_cost(v, self.plan),
        )

    def _kernels(self, numbers: set[int]) -> str:
        named = ", ".join(f"k{n}" for n in sorted(numbers))
        return f"{named} {'reads' if len(numbers) == 1 else 'read'}"

    def _name(self, op: Op | None) -> str:
        if op is None:
            return "another op"
        name = self.names.get(op.results[0], "") if op.results else ""
        return f"{op.mnemonic} {name}".strip()


def _decided(schedule: object) -> dict[str, object]:
    """What a schedule decided, as far as that is a number, a word or a truth."""
    values = vars(schedule) if is_dataclass(schedule) else {}
    return {
        name: value.name.lower() if isinstance(value, Enum) else value
        for name, value in values.items()
        if isinstance(value, int | float | str | Enum)
    }


_WHAT = {
    Kind.ELEMENTS: "elements",
    Kind.ROWS: "reductions of rows",
    Kind.COLUMNS: "reductions of columns",
    Kind.CONTRACTION: "contractions",
    Kind.ALONE: "ops with loops of their own",
    Kind.CALL: "calls",
}


def _shape(shape: tuple[object, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" + "s" * (count != 1)
