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
from ...extent import product
from ...ops.checks import Check
from ...ops.contraction import Matmul
from ...ops.control import Control
from ...ops.elementwise import Elementwise
from ...ops.extents import BindExtent
from ...ops.gather import Gather
from ...ops.host import HostCall
from ...ops.pooling import MaxPlace, Unpool
from ...ops.random import RandomBits
from ...ops.reduction import Reduction
from ...ops.scheduled import Scheduled
from ...ops.shape import Broadcast, Concat, Constant, Pad, Reshape, Transpose
from ...ops.window import Conv, Window
from ...passes.prune_carried import effectful
from ..cpu import row_column_reductions
from ..cpu.conv import depthwise
from ..cpu.conv.access import walk, weights
from ..cpu.data_movement.max_unpool import apart
from ..cpu.gemm.unpacked import reads_rows
from ..scalar_control import is_scalar
from . import prologues
from .computed_operands import unturned
from .groups import (
    REPEATS_MIN,
    STORE_ABOVE,
    Group,
    Index,
    Plan,
    cost,
    is_flat,
    needs,
    own_index,
    pull_cost,
)

EPILOGUE_MAX = 12  # scalar operations that a contraction's write-back may carry along
DEPTH_MAX = 50  # index maps that one pull may go through: a bound for recursion
FEW_ROWS = 16  # as many rows are read side by side
ROW_MAX = 16 << 10  # bytes of a row that a kernel keeps on the stack
ROWS_MAX = 64 << 10  # and of all such rows
GROUP_MAX = 64  # values that one kernel stores
# Arrays that one kernel goes through side by side where nothing but the shape joins its values:
# about as many as prefetchers follow. Adam's nanoseconds a number in kernels of 7, 14, 28 and 56
# arrays: 2.7, 2.7, 3.5, 6.0 (parameters of 724 x 724); 1.3, 1.4, 1.4, 1.8 (181 x 181, cached).
STREAMS_MAX = 16


def fuse(f: Function, grid: bool = False) -> Plan:
    """Decide what is stored, and by which kernel, for a CPU or a `grid` of threads. On the latter
    no contraction reads the rows of its right operand where these are, and a kernel goes through
    any number of arrays."""
    plan = _choose(f, packed=not grid)
    streams_max = inf if grid else STREAMS_MAX
    order: dict[Value, int] = dict.fromkeys(f.params, -1)
    effects = 0  # the group of the last effect: no later one goes before it
    for op in f.body:
        if isinstance(op, BindExtent):
            plan.binds.append((len(plan.groups), op))
            plan.barrier = len(plan.groups)
            continue
        if isinstance(op, Scheduled | HostCall | Control):
            alone = isinstance(op, Scheduled) or (isinstance(op, Control) and is_scalar(op))
            kind = "own" if alone else "call"
            plan.groups.append(Group(kind, op.results[0].shape, list(op.results)))
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
                order[value] = _place(value, plan, order, streams_max, effects if op.effect else 0)
                if op.effect:
                    effects = order[value]
    if not grid:
        row_column_reductions.join(plan, order)
    _forget_private(f, plan, order)
    return plan


def _choose(f: Function, packed: bool) -> Plan:
    users: dict[Value, list[Op]] = {}
    for op in f.body:
        for v in dict.fromkeys(op.operands):
            users.setdefault(v, []).append(op)
    stored = {v for v in f.returns if v.op is not None}
    views: dict[Value, Value] = {}
    pulled: dict[Value, int] = dict.fromkeys(f.params, 0)
    depth: dict[Value, int] = dict.fromkeys(f.params, 0)  # of index maps that pulling goes through

    def store(v: Value) -> None:
        if v.op is not None and v not in views:
            stored.add(v)
            pulled[v] = depth[v] = 0

    # Backwards, what consumers ask for; a view asks in turn for what it shows.
    for op in reversed(f.body):
        match op:
            case Reduction():
                stored.update(op.results)
            case Matmul(x=x, y=y):
                stored.add(op.result)
                for number, v in enumerate((x, y)):
                    if packed and number and reads_rows(op):
                        stored.add(v)
                    elif not (packed and prologues.candidate(op, number, users)):
                        stored.add(unturned(v, stored))
            case Control() if is_scalar(op):
                stored.update((*op.results, *(v for v in op.operands if v.rank)))
            case Conv() if packed and depthwise.schedule(op):
                stored.update((op.result, *depthwise.memory(op)))
            case Conv(x=x, w=w) if packed and ((how := walk(op)) or op.groups == 1):
                stored.add(op.result)
                if not prologues.candidate(op, 0, users):
                    stored.add(how.memory if how else x)
                whole = w in stored or (op.batch_groups != 1 and not how)
                if whole or not prologues.candidate(op, 1, users):
                    stored.add(w if whole else weights(op))
            case Unpool() if packed and apart(op):
                stored.update((op.result, op.x))
            case MaxPlace(x=x) if packed and all(
                isinstance(user, Unpool) and apart(user) for user in users.get(op.result, ())
            ):
                stored.add(x)
            case Scheduled() | HostCall() | Control() | BindExtent() | Window():
                stored.update((*op.results, *op.operands))
            case RandomBits(state=state):
                stored.add(state)
            case Check():
                stored.update(op.results)
            case Reshape(x=x) if op.result in stored or not op.only_ones:
                stored.add(x)
    wanted = set(stored)
    for op in f.body:
        if packed and isinstance(op, Matmul | Conv):
            for v in _loose(op, stored, views, wanted, users):
                store(v)
        if isinstance(op, Reshape) and (op.result in stored or not op.only_ones):
            views[op.result] = views.get(op.x, op.x)
        for v in op.operands:  # first: what is stored costs its users nothing
            if pulled[v] > STORE_ABOVE and _repeats(op, v, users[v]):
                store(v)
            elif isinstance(op, Broadcast) and (turned := _across(op)):
                store(turned)
        for v in op.results:
            own = cost(op) + sum(pulled[x] for x in dict.fromkeys(op.operands))
            deep = max((depth[x] for x in op.operands), default=0)
            deep += not isinstance(op, Elementwise)
            kept = v in stored or v in views
            pulled[v], depth[v] = (0, 0) if kept else (own, deep)
            if deep > DEPTH_MAX:
                store(v)
        if isinstance(op, Reduction) and len(op.axes) > 1 and not is_flat(op.x, stored, views):
            store(op.x)
    for v in _read_before(f, users, stored, views):
        store(v)
    stored = {v for v in stored if v.op is not None} - set(views)
    return Plan(stored, views, [])


def _loose(
    op: Op,
    stored: set[Value],
    views: dict[Value, Value],
    wanted: set[Value],
    users: dict[Value, list[Op]],
) -> Iterator[Value]:
    """What has to be stored for the operands of `op`, which may be computed where they are packed:
    the operands, or what they repeat along rows or columns."""

    def kept(v: Value) -> bool:
        return v in stored or v in views

    def sure(v: Value) -> bool:
        v = views.get(v, v)
        return v.op is None or v in wanted

    for number, v in enumerate(op.operands):
        if kept(v) or not prologues.candidate(op, number, users):
            continue
        source = prologues.source(op, number)
        if kept(source):
            continue
        found = prologues.worth(op, number, kept, sure, users)
        if found is None:
            yield source
            continue
        for x in found.rows:
            while x.op is not None and not kept(x) and isinstance(x.op, Reshape | Broadcast):
                x = x.op.x
            if x.op is not None and not isinstance(x.op, Constant):
                yield x


def _read_before(
    f: Function, users: dict[Value, list[Op]], stored: set[Value], views: dict[Value, Value]
) -> list[Value]:
    """What would be pulled from values behind where they are updated: an update is done in place
    only where nothing reads its operand later (see `Update`)."""
    place = {op: i for i, op in enumerate(f.body)}
    found: list[Value] = []
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
                        found.append(v)
    return found


def _repeats(op: Op, v: Value, users: list[Op]) -> bool:
    """Whether pulling `v` into `op` would compute elements of it more than once."""
    return len(users) > 1 or isinstance(op, Broadcast | Gather | Pad | Concat)


def _across(op: Broadcast) -> Value | None:
    """What `op` repeats, if it would be read across the rows of another value: lanes would gather,
    so that storing it first costs less."""
    v = op.x
    while isinstance(v.op, Reshape) and v.op.only_ones:
        v = v.op.x
    if not isinstance(v.op, Transpose) or v.op.perm[-1] == v.rank - 1:
        return None
    return v if not isinstance(op.repeats, int) or op.repeats >= REPEATS_MIN else None


def _place(
    root: Value, plan: Plan, order: dict[Value, int], streams_max: float, earliest: int
) -> int:
    """Put `root` into a group, `earliest` or later; the group's place in the order of execution."""
    op = root.op
    assert op is not None
    needed = list(needs(root, plan))
    # The latest group that it needs anything of; nothing moves before an extent that data tell.
    latest = max((order[v] for v, _ in needed), default=-1)
    earliest = max(earliest, plan.barrier)
    kind = _kind(op)
    streams = _streams(root, needed, plan)
    for place in range(len(plan.groups) - 1, max(latest, earliest) - 1, -1):
        group = plan.groups[place]
        read = [(v, index) for v, index in needed if order[v] == place]
        related = bool(read) or not streams.isdisjoint(group.streams)
        few = related or len(group.streams) + len(streams) <= streams_max
        if few and len(group.roots) < GROUP_MAX and _joins(root, kind, group, read, plan):
            group.roots.append(root)
            group.streams |= streams
            return place
    plan.groups.append(Group(kind, root.shape, [root], streams=streams))
    return len(plan.groups) - 1


def _streams(root: Value, needed: Iterable[tuple[Value, Index | None]], plan: Plan) -> set[Value]:
    """The arrays that the loops around `root` go through: itself, and what is read at an index
    that depends on all of these loops."""
    loops = {i for i in own_index(root) if i}
    found = {plan.views.get(v, v) for v, i in needed if v.rank and (i is None or loops <= {*i})}
    return {root} | found if loops else set()


def _joins(
    root: Value, kind: str, group: Group, read: list[tuple[Value, Index | None]], plan: Plan
) -> bool:
    """Whether the group's kernel can make `root` as well, which reads these of its values."""
    own = own_index(root)
    same = group.shape == root.shape and all(index == own for _, index in read)
    if kind == "map" and group.kind == "rows" and read:
        inside = root.shape[: len(group.shape)] == group.shape
        return inside and not isinstance(root.op, Reduction) and _same_row(group, own, read)
    if kind == group.kind == "rows":
        return group.shape == root.shape and _same_row(group, own, read)
    if kind == "map" and group.kind == "columns":
        return same and bool(read)
    if kind == "map" and group.kind == "contraction":
        return same and bool(read) and _light(root, plan)
    return kind == group.kind and kind in ("map", "columns") and same


def _same_row(group: Group, own: Index, read: list[tuple[Value, Index | None]]) -> bool:
    """Whether all is read in the row of the group's loops where the element `own` is."""
    rank = len(group.shape)
    return all(
        index is not None and index[:rank] == own[:rank] and v.shape[:rank] == group.shape
        for v, index in read
    )


def _kind(op: Op) -> str:
    match op:
        case Matmul():
            return "contraction"
        case Conv(groups=1, batch_groups=1):
            return "contraction"
        case Conv() if depthwise.schedule(op) or walk(op):
            return "contraction"
        case Reduction(x=x, axes=axes) if axes and all(e == 1 for e in x.shape[max(axes) + 1 :]):
            return "rows"
        case Reduction() if _tall(op):
            return "columns"
    return "map"


def _tall(op: Reduction) -> bool:
    """Whether the operand's rows are read one after another, each lane adding to its own column;
    few of them are read side by side."""
    return not op.x.dtype.is_complex and not (isinstance(op.count, int) and op.count <= FEW_ROWS)


def _light(root: Value, plan: Plan) -> bool:
    """Whether `root` is elementwise and cheap enough for a contraction's write-back."""
    return pull_cost(root, plan) <= EPILOGUE_MAX


def _forget_private(f: Function, plan: Plan, order: dict[Value, int]) -> None:
    """Drop the buffers of values that only their own kernel reads, at the same index or in the
    same row, if the kernel can keep a row of them: it is not too long, or there is a place for it
    where the kernel stores a result later."""
    long: list[tuple[Value, Group]] = []
    loaded = set(f.returns) | set(plan.views.values())
    loaded.update(plan.views.get(op.value, op.value) for _, op in plan.binds)
    for place, group in enumerate(plan.groups):
        alone = group.kind in ("own", "call")
        rows = group.kind == "rows"
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
                    if lengths[v] > ROW_MAX or sum(lengths.values()) > ROWS_MAX:
                        long.append((v, group))
                        lengths[v] = 0
    for v, group in long:
        host = None if v in loaded else _host(v, group, plan, loaded)
        if host is None:
            loaded.add(v)
        else:
            plan.lodgings[v] = host
    plan.stored &= loaded
    kept = [not plan.stored.isdisjoint(g.roots) for g in plan.groups]
    plan.binds = [(sum(kept[:place]), op) for place, op in plan.binds]
    plan.groups = [g for g, keep in zip(plan.groups, kept, strict=True) if keep]


def _row_bytes(group: Group, value: Value) -> float:
    """The memory of the row of `value` that a kernel of rows works on, if that is known."""
    elements = product(value.shape[len(group.shape) :])
    return elements * value.dtype.itemsize if isinstance(elements, int) else inf


def _host(value: Value, group: Group, plan: Plan, loaded: set[Value]) -> Value | None:
    """The result of a kernel of rows in whose memory a row of `value` can be: what reads the value
    last, element by element, and is stored by a later loop over the row."""
    roots = group.roots
    reads = [[index for v, index in needs(root, plan) if v is value] for root in roots]
    last = max(i for i, indices in enumerate(reads) if indices)
    host = roots[last]
    # Loops over a row end where something is reduced.
    start = max((i for i in range(last) if roots[i].shape == group.shape), default=-1)
    own = own_index(host)
    good = (
        roots.index(value) < start
        and host.type == value.type
        and host in loaded
        and host in plan.stored
        and host not in plan.lodgings.values()
        and all(index == own for indices in reads[start + 1 :] for index in indices)
    )
    return host if good else None
