"""Which new values of Variables a program may write over the old ones.

A result that updates a captured Variable is told to the entry as a *donation*: where nobody else
holds the old array when a call begins, the entry gives its memory to the result. Otherwise the
result has memory of its own. The program is the same for both, so it has to be right for both:

- The old value is not read any more when the new one is written. The launch that writes may read
  it where it writes element by element, and each element is read before its place is written.
- Nothing fails once something is written, so that a call that fails leaves Variables as they were:
  checks, loops (which a signal may end), and what may lack memory, come before.
- Nothing calls Python, where the Variable could be looked at while it is half written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import string
from tfc.ir.kernels.ops import LAUNCHES, HostLaunch, Launch, Update
from tfc.ir.ops.control import Control, Scan, While

from .arena_layout import Layout, late_symbols
from .buffer_sharing import pairs_of
from .kernel_facts import KnownKernels, outside_kernels


def donations(layout: Layout, captures: int, updates: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For results that update captured Variables, the inputs whose memory they may have."""
    f = layout.f
    if any(isinstance(op, HostLaunch) for op in outside_kernels(f)) or any(late_symbols(f)):
        return {}
    failing = max((i for i, op in enumerate(f.body) if _may_fail(op, layout.kernels)), default=-1)
    shared = {f.params[source] for source in layout.aliases.values()}
    first = len(f.params) - captures
    uses = _Uses(layout)
    donors = {}
    for result, capture in updates:
        old, new = f.params[first + capture], f.returns[result]
        if result in layout.aliases or old in shared or old.type != new.type:
            continue
        if old.dtype is string:  # its array owns what it refers to
            continue
        written = uses.first_write(result)
        if written > failing and all(
            i < written or (i == written and _in_place(layout, op, old, layout.base(new)))
            for i, op in uses.reads[old]
        ):
            donors[result] = first + capture
    return donors


def final_launches(layout: Layout, donors: Mapping[int, int]) -> frozenset[Op]:
    """The launches from the first on that may write over an old value: parallel loops of those
    before them may end early, however long they take, and theirs go on to their end."""
    uses = _Uses(layout)
    first = min(map(uses.first_write, donors), default=len(layout.f.body))
    rest = Function("rest", (), layout.f.body[first:], ())
    return frozenset(op for op in outside_kernels(rest) if isinstance(op, Launch))


def _may_fail(op: Op, kernels: KnownKernels) -> bool:
    if isinstance(op, Launch):
        return kernels.of(op.kernel).can_leave
    if isinstance(op, While | Scan):
        return True
    if isinstance(op, Control):
        return any(
            _may_fail(inner, kernels) for region in op.regions for inner in outside_kernels(region)
        )
    return False


class _Uses:
    """Which ops of a function write to the memory of a value and which read it, by place."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._first: dict[Value, int] = {}
        self.reads: defaultdict[Value, list[tuple[int, Op]]] = defaultdict(list)
        for i, op in enumerate(layout.f.body):
            for v in op.results:
                self._first.setdefault(layout.base(v), i)
            if isinstance(op, LAUNCHES):
                for base in dict.fromkeys(map(layout.base, op.operands)):
                    self.reads[base].append((i, op))

    def first_write(self, result: int) -> int:
        """The place of the first op that writes to the memory of a result; behind all of them where
        it is copied there in the end."""
        layout = self.layout
        f, base = layout.f, layout.base(layout.f.returns[result])
        if layout.where.get(base) != ("buffer", len(f.params) + result):
            return len(f.body)
        return self._first.get(base, len(f.body))


def _in_place(layout: Layout, op: Op, old: Value, new: Value) -> bool:
    """Whether `op` may write its result `new` to the memory of its operand `old`."""
    operands = [i for i, v in enumerate(op.operands) if layout.base(v) is old]
    pair = (operands[0], op.results.index(new))
    match op:
        case Update():
            return len(operands) == 1 and pair in pairs_of(op, layout.kernels)
        case Launch():
            return layout.kernels.of(op.kernel).writes_over(op, operands, pair[1])
    return False  # loops can fail, so that nothing is written in them
