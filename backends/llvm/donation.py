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

from collections.abc import Iterator, Mapping, Sequence

from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import string
from tfc.ir.kernels.ops import LAUNCHES, Assert, HostLaunch, Launch, Repeat, Update
from tfc.ir.ops.control import Control, Scan, While
from tfc.ir.ops.growing import GrowingWhile
from tfc.ir.ops.shape import Constant

from .arena_layout import Layout, late_symbols
from .buffer_sharing import pairs_of
from .in_place import writes_over


def donations(layout: Layout, captures: int, updates: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For results that update captured Variables, the inputs whose memory they may have."""
    f = layout.f
    if any(isinstance(op, HostLaunch) for op in f.walk()) or any(late_symbols(f)):
        return {}
    failing = max((i for i, op in enumerate(f.body) if _may_fail(op)), default=-1)
    shared = {f.params[source] for source in layout.aliases.values()}
    first = len(f.params) - captures
    donors = {}
    for result, capture in updates:
        old, new = f.params[first + capture], f.returns[result]
        if result in layout.aliases or old in shared or old.type != new.type:
            continue
        if old.dtype is string:  # its array owns what it refers to
            continue
        written = _first_write(layout, result)
        if written > failing and all(
            i < written or (i == written and _in_place(layout, op, old, layout.base(new)))
            for i, op in _reads(layout, old)
        ):
            donors[result] = first + capture
    return donors


def final_launches(layout: Layout, donors: Mapping[int, int]) -> frozenset[Op]:
    """The launches from the first on that may write over an old value: parallel loops of those
    before them may end early, however long they take, and theirs go on to their end."""
    first = min((_first_write(layout, r) for r in donors), default=len(layout.f.body))
    rest = Function("rest", (), layout.f.body[first:], ())
    return frozenset(op for op in rest.walk() if isinstance(op, Launch))


def can_leave(kernel: Function) -> bool:
    """Whether a kernel may end early: where a check fails, or a loop is interrupted."""
    return any(
        (isinstance(op, Assert) and not _holds(op))
        or (isinstance(op, Repeat) and op.may_be_endless)
        for op in kernel.walk()
    )


def _holds(op: Assert) -> bool:
    """Whether the condition is known: a divisor that is no 0, say."""
    known = op.condition.op
    return isinstance(known, Constant) and bool(known.value)


def _may_fail(op: Op) -> bool:
    if isinstance(op, Launch):
        return can_leave(op.kernel)
    if isinstance(op, While | Scan):
        return True
    if isinstance(op, Control):
        return any(_may_fail(inner) for region in op.regions for inner in region.walk())
    return isinstance(op, HostLaunch | GrowingWhile)


def _first_write(layout: Layout, result: int) -> int:
    """The place of the first op that writes to the memory of a result; behind all of them where
    it is copied there in the end."""
    f, base = layout.f, layout.base(layout.f.returns[result])
    if layout.where.get(base) != ("buffer", len(f.params) + result):
        return len(f.body)
    writers = (i for i, op in enumerate(f.body) if base in map(layout.base, op.results))
    return next(writers, len(f.body))


def _reads(layout: Layout, value: Value) -> Iterator[tuple[int, Op]]:
    """The launches that read a value or a view of it, with their places."""
    for i, op in enumerate(layout.f.body):
        if isinstance(op, LAUNCHES) and value in map(layout.base, op.operands):
            yield i, op


def _in_place(layout: Layout, op: Op, old: Value, new: Value) -> bool:
    """Whether `op` may write its result `new` to the memory of its operand `old`."""
    if new not in op.results:
        return False
    operands = [i for i, v in enumerate(op.operands) if layout.base(v) is old]
    pair = (operands[0], op.results.index(new))
    match op:
        case Update():
            return len(operands) == 1 and pair in pairs_of(op)
        case Launch():
            return writes_over(op, operands, pair[1])
        case GrowingWhile():
            return False
        case While() | Scan():
            # They know when both are one (see `swapping` in backends/cpu/launch_functions.py).
            carried = op.init[pair[1]] if pair[1] < len(op.init) else None
            return len(operands) == 1 and op.operands[pair[0]] is carried
    return False
