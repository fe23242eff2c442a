"""Fusion: which values get a buffer of their own, and which are stored by one kernel.

Everything is computed by pull (see ir/kernels/lower.py), so fusing is only this decision. A value
that is not `stored` is computed again wherever it is needed; bits do not depend on the choice.

Stored are: results; what reductions, contractions, windows and ops with a kernel of their own make;
what contractions, windows and such ops read; the operand of a reshape that is more than new axes of
1 (the reshape then is a view); and what costs more to compute again than to load. Then each stored
value joins the kernel of an earlier one with the same loops, where nothing that it needs comes
later, and values without anything in common do not make too many arrays to go through at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from ...core import Function, Op, Value
from ...extent import largest, product
from ...liveness import effectful
from ...ops.checks import Check
from ...ops.control import Control
from ...ops.elementwise import Elementwise
from ...ops.extents import BindExtent
from ...ops.host import HostCall
from ...ops.random import RandomBits
from ...ops.reduction import Reduction
from ...ops.scheduled import Scheduled
from ...ops.shape import Broadcast, Constant, Reshape, Transpose
from ...recomputing import REPEATS_MIN, STORE_ABOVE
from ..target import Target
from . import prologues
from .groups import (
    Group,
    Index,
    Kind,
    Plan,
    Schedule,
    Uses,
    is_flat,
    needs,
    own_index,
    pull_cost,
)
from .machine import Machine, readers
from .reasons import Private, Reasons, Refusal, Refused, Stored

# Scalar operations for an element that the write-back of a contraction may carry along. gelu(x @
# y), 1024x256 by 256x256: 1.00 of the time with none, 1.02 with 100.
EPILOGUE_OPERATIONS_MAX = 12
# Index maps that one pull may go through: a bound for Python's recursion, not for speed.
PULL_DEPTH_MAX = 50
# Bytes of a row that a kernel keeps on the stack, half of L1. Layer norm of 4096 x 1024, whose
# rows have 4 KB: 0.98 of the time where no row is kept.
KEPT_ROW_BYTES_MAX = 16 << 10
# Bytes of all such rows of a kernel: a bound for the stack of a thread, which they must fit.
KEPT_ROWS_BYTES_MAX = 64 << 10
# Values that one kernel stores: a bound for the time to compile it. Not measured.
GROUP_VALUES_MAX = 64

# The ops that ask for values in memory although no schedule begins with them.
_ASKING = (HostCall, Control, BindExtent, RandomBits, Check, Reshape)


def fuse(f: Function, machine: Machine, target: Target) -> Plan:
    """Decide what is stored, which kernel stores it, and how that kernel is written."""
    heads: dict[Op, type[Schedule]] = {}
    read: set[Value] = set()  # through transposes, which may be stored themselves
    plan = _choose(f, machine, target, heads, read)
    order: dict[Value, int] = dict.fromkeys(f.params, -1)
    effects = 0  # the group of the last effect: no later one goes before it
    for op in f.body:
        if isinstance(op, BindExtent):
            plan.binds.append((len(plan.groups), op))
            plan.barrier = len(plan.groups)
            continue
        kind = _kind(op, heads)
        if kind in (Kind.ALONE, Kind.CALL):
            shape = op.results[0].shape if op.results else ()  # a loop that nothing needs has none
            plan.groups.append(Group(kind, shape, list(op.results)))
            order.update(dict.fromkeys(op.results, len(plan.groups) - 1))
            if op.binds():
                plan.barrier = len(plan.groups)
            if effectful(op):
                effects = len(plan.groups) - 1
            continue
        for value in op.results:
            if value in plan.views:
                order[value] = order[plan.views[value]]
            elif value in plan.stored:
                earliest = effects if op.effect else 0
                order[value] = _place(value, kind, plan, order, machine.streams_max, earliest)
                if op.effect:
                    effects = order[value]
    for join in machine.row_joins:
        join(f, plan, order, target)
    _forget_private(f, plan, order, read)
    for join in machine.last_joins:
        join(f, plan, order, target)
    for group in plan.groups:
        if group.kind is not Kind.CALL:
            group.schedule = machine.choose(group, plan, target)
    return plan


def _kind(op: Op, heads: dict[Op, type[Schedule]]) -> Kind:
    if op in heads:
        return heads[op].kind
    return Kind.CALL if isinstance(op, HostCall | Control) else Kind.ELEMENTS


def _choose(
    f: Function,
    machine: Machine,
    target: Target,
    heads: dict[Op, type[Schedule]],
    read: set[Value],
) -> Plan:
    """What is stored and what is a view; `heads` gets the ops that begin groups of schedules,
    `read` what these read behind their operands."""
    users = readers(f.body)
    stored = {v for v in f.returns if v.op is not None}
    views: dict[Value, Value] = {}
    pulled: dict[Value, int] = dict.fromkeys(f.params, 0)
    depth: dict[Value, int] = dict.fromkeys(f.params, 0)  # of index maps that pulling goes through
    reasons = Reasons(cost=pulled)
    reasons.ask(f.returns, Stored.RESULT, None)

    def want(values: Iterable[Value], why: Stored, op: Op | None) -> None:
        values = tuple(values)
        stored.update(values)
        reasons.ask(values, why, op)

    def store(v: Value, why: Stored, op: Op) -> None:
        if v.op is not None and v not in views:
            want((v,), why, op)
            pulled[v] = depth[v] = 0

    want(f.notes.get("checked_first", ()), Stored.CHECKED, None)  # see passes/check_first.py
    # Backwards, what consumers ask for; a view asks in turn for what it shows.
    uses = Uses(users, stored, target)
    for op in reversed(f.body):
        head = machine.head(op, uses)
        if head is not None:
            heads[op], values = head
            reasons.ask(op.results, Stored.MADE, op)
            values = tuple(values)
            want(values, Stored.READ, op)
            read.update({*values}.difference(op.operands, op.results))
            continue
        if not isinstance(op, _ASKING):
            continue
        match op:
            case HostCall() | Control() | BindExtent():
                want(op.results, Stored.OUTSIDE, op)
                want(op.operands, Stored.HOST, op)
            case RandomBits(state=state):
                want((state,), Stored.STATE, op)
            case Check():
                want(op.results, Stored.CHECK, op)
            case Reshape(x=x) if op.result in stored or not op.only_ones:
                want((x,), Stored.SHOWN, op)
    wanted = set(stored)
    for op in f.body:
        if op in heads:
            for v, why in _loose(heads[op], op, uses, views, wanted):
                store(v, why, op)
        if isinstance(op, Reshape) and (op.result in stored or not op.only_ones):
            views[op.result] = views.get(op.x, op.x)
        for v in op.operands:  # first: what is stored costs its users nothing
            if pulled[v] > STORE_ABOVE and _repeats(op, v, users[v]):
                reasons.costly[v] = pulled[v]
                store(v, Stored.RECOMPUTED if op.repeats_operands else Stored.COSTLY, op)
            elif isinstance(op, Broadcast) and (stored_first := _across(op)):
                store(stored_first, Stored.ACROSS, op)
        own, deep = op.element_cost(), 0
        for v in dict.fromkeys(op.operands):
            own += pulled[v]
            deep = depth[v] if depth[v] > deep else deep
        deep += not isinstance(op, Elementwise)
        for v in op.results:
            kept = v in stored or v in views
            pulled[v], depth[v] = (0, 0) if kept else (own, deep)
            if deep > PULL_DEPTH_MAX:
                store(v, Stored.DEEP, op)
        if isinstance(op, Reduction) and len(op.axes) > 1:
            leading = sorted(op.axes) == list(range(len(op.axes)))
            columns = len(op.axes) if leading and op.x.rank > len(op.axes) else None
            if not is_flat(op.x, stored, views, columns):
                store(op.x, Stored.AXES, op)
    for v, op in _read_before(f, users, stored, views):
        store(v, Stored.UPDATED, op)
    stored = {v for v in stored if v.op is not None} - set(views)
    return Plan(stored, views, [], reasons=reasons)


def _loose(
    head: type[Schedule],
    op: Op,
    uses: Uses,
    views: dict[Value, Value],
    wanted: set[Value],
) -> Iterator[tuple[Value, Stored]]:
    """What has to be stored for the operands of `op`, which may be computed where they are packed,
    and why: the operands, or what they repeat along rows or columns."""

    def kept(v: Value) -> bool:
        return v in uses.stored or v in views

    def sure(v: Value) -> bool:
        v = views.get(v, v)
        return v.op is None or v in wanted

    for number, v in enumerate(op.operands):
        if kept(v) or not prologues.candidate(head, op, number, uses):
            continue
        source = head.source(op, number, uses.target)
        if kept(source):
            continue
        found = prologues.worth(head, op, number, kept, sure, uses)
        if found is None:
            yield source, Stored.PACKED
            continue
        for x in found.rows:
            while x.op is not None and not kept(x) and isinstance(x.op, Reshape | Broadcast):
                x = x.op.x
            if x.op is not None and not (isinstance(x.op, Constant) and not x.shape):
                yield x, Stored.REPEATED


def _read_before(
    f: Function, users: dict[Value, list[Op]], stored: set[Value], views: dict[Value, Value]
) -> list[tuple[Value, Op]]:
    """What would be pulled from values behind where they are updated, and the op that does: an
    update is done in place only where nothing reads its operand later (see `Update`)."""
    if Scheduled not in f.op_classes:
        return []
    place = {op: i for i, op in enumerate(f.body)}
    found: list[tuple[Value, Op]] = []
    for here, op in enumerate(f.body):
        base = op.updated() if isinstance(op, Scheduled) else None
        if base is None:
            continue
        base = views.get(base, base)
        start = 0 if base.op is None else place[base.op]
        pulls = {base}
        for earlier in f.body[start:here]:
            if pulls.isdisjoint(earlier.operands):
                continue
            for v in earlier.results:
                if views.get(v) in pulls or v not in stored:
                    pulls.add(v)
                    if v not in views and any(place[u] > here for u in users.get(v, ())):
                        found.append((v, op))
    return found


def _repeats(op: Op, v: Value, users: list[Op]) -> bool:
    """Whether pulling `v` into `op` would compute elements of it more than once."""
    return len(users) > 1 or op.repeats_operands


def _across(op: Broadcast) -> Value | None:
    """What `op` repeats, if it would be read across the rows of another value: lanes would gather,
    so that storing it first costs less."""
    v = op.x
    while isinstance(v.op, Reshape) and v.op.only_ones:
        v = v.op.x
    if not isinstance(v.op, Transpose) or v.op.perm[-1] == v.rank - 1:
        return None
    repeats = largest(op.repeats)
    return v if not isinstance(repeats, int) or repeats >= REPEATS_MIN else None


def _place(
    root: Value,
    kind: Kind,
    plan: Plan,
    order: dict[Value, int],
    streams_max: float,
    earliest: int,
) -> int:
    """Put `root` into a group, `earliest` or later; the group's place in the order of execution."""
    needed = needs(root, plan)
    reads: dict[int, list[tuple[Value, Index | None]]] = {}  # by the groups that it needs them of
    for v, index in needed:
        reads.setdefault(order[v], []).append((v, index))
    # The latest of these; nothing moves before an extent that data tell.
    first = max(earliest, plan.barrier, *reads)
    own = own_index(root)
    streams = _streams(root, own, needed, plan)
    for place in range(len(plan.groups) - 1, first - 1, -1):
        group = plan.groups[place]
        read = reads.get(place, [])
        related = bool(read) or not streams.isdisjoint(group.streams)
        few = related or len(group.streams) + len(streams) <= streams_max
        against = _refusal(root, own, kind, group, read, plan) if few else Refused.STREAMS
        if against is None:
            plan.reasons.joined[root] = group.kind
            group.roots.append(root)
            group.streams |= streams
            return place
        if related or against is Refused.STREAMS:
            values = tuple([v for v, _ in read])
            plan.reasons.refuse(Refusal(root, kind, group, against, values))
    plan.groups.append(Group(kind, root.shape, [root], streams=streams))
    return len(plan.groups) - 1


def _streams(
    root: Value, own: Index, needed: Iterable[tuple[Value, Index | None]], plan: Plan
) -> set[Value]:
    """The arrays that the loops around `root` go through, where its element `own` is stored:
    itself, and what is read at an index that depends on all of these loops."""
    loops = {i for i in own if i}
    found = {plan.views.get(v, v) for v, i in needed if v.rank and (i is None or loops <= {*i})}
    return {root} | found if loops else set()


def _refusal(
    root: Value,
    own: Index,
    kind: Kind,
    group: Group,
    read: list[tuple[Value, Index | None]],
    plan: Plan,
) -> Refused | None:
    """Why the group's kernel cannot make `root` as well, whose elements are stored at `own`, and
    which reads these of its values; None where it can."""
    if len(group.roots) >= GROUP_VALUES_MAX:
        return Refused.FULL
    match group.kind, kind:
        case (Kind.ROWS, Kind.ROWS):
            return _other_row(group, own, read) if group.shape == root.shape else Refused.SHAPE
        case (Kind.ROWS, Kind.ELEMENTS) if read:
            inside = root.shape[: len(group.shape)] == group.shape
            if not inside or isinstance(root.op, Reduction):
                return Refused.SHAPE
            return _other_row(group, own, read)
        case (Kind.COLUMNS, Kind.ELEMENTS) | (Kind.CONTRACTION, Kind.ELEMENTS) if not read:
            return Refused.UNREAD
        case (Kind.COLUMNS | Kind.CONTRACTION | Kind.ELEMENTS, Kind.ELEMENTS) | (
            Kind.COLUMNS,
            Kind.COLUMNS,
        ):
            if group.shape != root.shape:
                return Refused.SHAPE
            if any(index != own for _, index in read):
                return Refused.INDEX
            if group.kind is not Kind.CONTRACTION:
                return None
            fits = pull_cost(root, plan) <= EPILOGUE_OPERATIONS_MAX
            return None if fits else Refused.EPILOGUE
    return Refused.KINDS


def _other_row(group: Group, own: Index, read: list[tuple[Value, Index | None]]) -> Refused | None:
    """None where all is read in the row of the group's loops where the element `own` is."""
    rank = len(group.shape)
    for v, index in read:
        if index is None or index[:rank] != own[:rank] or v.shape[:rank] != group.shape:
            return Refused.ROW
    return None


def _forget_private(f: Function, plan: Plan, order: dict[Value, int], read: set[Value]) -> None:
    """Drop the buffers of values that only their own kernel reads, at the same index or in the
    same row, if the kernel can keep a row of them: it is not too long, or there is a place for it
    where the kernel stores a result later."""
    long: list[tuple[Value, Group]] = []
    rowed: set[Value] = set()  # of which kernels would keep rows
    loaded = set(f.returns) | set(plan.views.values()) | read
    loaded.update(plan.views.get(op.value, op.value) for _, op in plan.binds)
    for place, group in enumerate(plan.groups):
        alone = group.kind in (Kind.ALONE, Kind.CALL)
        rows = group.kind is Kind.ROWS
        lengths: dict[Value, float] = {}  # bytes that the kernel keeps of a value's row
        if alone:
            loaded.update(group.roots)
        loaded.update(v for v in group.roots if isinstance(v.op, Check))
        for root in group.roots:
            own = own_index(root)
            for v, index in needs(root, plan):
                private = order[v] == place and (index == own or rows) and not alone
                if not private:
                    loaded.add(v)
                elif rows and v.shape != group.shape and v not in (*lengths, *group.down):
                    lengths[v] = _row_bytes(group, v)
                    if (
                        lengths[v] > KEPT_ROW_BYTES_MAX
                        or sum(lengths.values()) > KEPT_ROWS_BYTES_MAX
                    ):
                        long.append((v, group))
                        lengths[v] = 0
        rowed.update(lengths)
    for v, group in long:
        alias = None if v in loaded else _row_alias(v, group, plan, loaded)
        if alias is None:
            if v not in loaded:
                plan.reasons.stored[v] = Stored.LONG, None
            loaded.add(v)
        else:
            plan.row_aliases[v] = alias
    for v in plan.stored - loaded:
        how = Private.ROW if v in rowed else Private.ELEMENT
        plan.reasons.private[v] = Private.ALIAS if v in plan.row_aliases else how
    plan.store_only(loaded)
    kept = [not plan.stored.isdisjoint(g.roots) for g in plan.groups]
    plan.binds = [(sum(kept[:place]), op) for place, op in plan.binds]
    plan.groups = [g for g, keep in zip(plan.groups, kept, strict=True) if keep]


def _row_bytes(group: Group, value: Value) -> float:
    """The memory of the row of `value` that a kernel of rows works on, if that is known."""
    elements = largest(product(value.shape[len(group.shape) :]))
    return elements * value.dtype.itemsize if isinstance(elements, int) else inf


def _row_alias(value: Value, group: Group, plan: Plan, loaded: set[Value]) -> Value | None:
    """The result of a kernel of rows in whose memory a row of `value` can be: what reads the value
    last, element by element, and is stored by a later loop over the row."""
    roots = group.roots
    reads = [[index for v, index in needs(root, plan) if v is value] for root in roots]
    last = max(i for i, indices in enumerate(reads) if indices)
    alias = roots[last]
    # Loops over a row end where something is reduced.
    start = max((i for i in range(last) if roots[i].shape == group.shape), default=-1)
    own = own_index(alias)
    good = (
        roots.index(value) < start
        and alias.type == value.type
        and alias in loaded
        and alias in plan.stored
        and alias not in plan.row_aliases.values()
        and all(index == own for indices in reads[start + 1 :] for index in indices)
    )
    return alias if good else None
