"""Reverse mode through structured control flow: `Cond`, `Scan` and `While`.

A branch is differentiated as what it is, a function: the backward branch computes again what it
needs. A scan keeps the residuals of each round, stacked; the backward scan runs the other way. A
while loop does so as a `GrowingWhile`, which binds the number of its rounds: the backward loop is a
scan of that length.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..copying import mark_again, transfer
from ..core import Builder, Function, Op, Value
from ..dtypes import int64
from ..extent import Extent, fresh_symbol
from ..ops.control import Cond, Inside, Mask, Masks, Scan, While
from ..ops.elementwise import BitwiseOr, Equal, Greater, Select
from ..ops.functional import Call
from ..ops.growing import GrowingWhile
from ..ops.shape import ExtentOf
from ..passes.prune_carried import silenced, without_effects
from ..types import INDEX, TensorType, Type
from ..value_classes import NamedTuple
from .growing_loops import growing_pullback
from .masks import chosen_mask, either, everywhere, filled, joined, mask_type, spread
from .recomputation import values_of
from .reverse import accumulated, differentiable, linearize, pullback, shaped, zeros_like

Cotangents = Sequence[Value | None]


def cond_pullback(
    op: Cond, b: Builder, cotangents: Cotangents, known: Cotangents, inside: Inside, masks: Masks
) -> Cotangents:
    """The cotangents of the operands of a `Cond`."""
    live = [d is not None for d in cotangents]
    marks = [mask for mask, used in zip(masks.results, live, strict=True) if used]
    marked = [i for i, mask in enumerate(marks) if mask]
    before = [i for i, d in enumerate(known[1:]) if d is not None]
    parts: list[Function] = []
    leaves: list[dict[Value, Value]] = []
    names: list[list[Value]] = []
    for region in op.regions:
        branch, here, before_quiet = _quiet(region, inside)
        reached = tuple(v for v, used in zip(branch.returns, live, strict=True) if used)
        f = Function(branch.name, branch.params, branch.body, reached)
        parts.append(pullback(f, before, here, again=True, masks=marked))
        names.append([before_quiet.get(v, v) for v in here.found])
        leaves.append(here.found)
        inside.linked.update(before_quiet.get(v, v) for v in here.linked)
    connected = [any(flags) for flags in zip(*(p.notes["connected"] for p in parts), strict=True)]
    masked = [any(flags) for flags in zip(*(p.notes["masked"] for p in parts), strict=True)]
    branches = []
    for part, own in zip(parts, leaves, strict=True):
        inner = Builder(part.name)
        params = [inner.parameter(p.type, p.name) for p in part.params]
        found = iter(transfer(part, inner, params))
        given = [next(found) if used else None for used in part.notes["connected"]]
        totals = dict(zip(before, params[len(params) - len(before) :], strict=True))
        returns = [
            given[i] or totals.get(i) or zeros_like(inner, params[i])
            for i, used in enumerate(connected)
            if used
        ]
        for each in leaves:  # nothing flows back to those of the other branch
            returns += [next(found) if each is own else zeros_like(inner, d) for d in each.values()]
        rows = zip(params, masked, part.notes["masked"], strict=False)
        returns += [
            next(found) if here else everywhere(inner, p, True) for p, used, here in rows if used
        ]
        # A sum that nothing is added to is not taken: the branch does not use it.
        taken = (*params[: len(params) - len(before)], *(totals[i] for i in before if connected[i]))
        branches.append(Function(inner.name, taken, tuple(inner.body), tuple(returns)))
    sums = (d for d, used in zip(known[1:], connected, strict=True) if used and d is not None)
    flowing = [d for d in cotangents if d is not None]
    conditions = (joined(b, marks[i], flowing[i]) for i in marked)
    args = (*op.args, *flowing, *conditions, *inside.seeds.values(), *sums)
    results = iter(b.emit_all(Cond(op.predicate, args, branches[0], branches[1])))
    totals_here = [None, *(next(results) if used else None for used in connected)]
    inside.found.update((v, next(results)) for each in names for v in each)
    for i, p in enumerate(op.args, 1):
        mask: Mask = ((next(results), True),) if masked[i - 1] else ()
        touch = [part.notes["connected"][i - 1] for part in parts]
        if any(touch) and not all(touch):  # the other branch gives nothing
            mask = (*chosen_mask(b, op.predicate, touch[0], p), *mask)
        masks.found[i] = either(b, masks.known[i], mask, p)
    return totals_here


def _quiet(region: Function, inside: Inside) -> tuple[Function, Inside, dict[Value, Value]]:
    """A region without effects, with all seeds `inside`, the leaves that are in it, and the names
    of values before."""
    f, env = silenced(region)
    seeds, own = {env.get(v, v): d for v, d in inside.seeds.items()}, values_of(region)
    here = Inside(seeds, [env.get(v, v) for v in inside.leaves if v in own])
    return f, here, {new: old for old, new in env.items()}


class Rounds(NamedTuple):
    """The derivative of the rounds of a scan."""

    plain: Function  # a round, without residuals and effects
    backward: Function  # (residuals, cotangents of results, sums) to cotangents of params
    residuals: Sequence[Value]  # values of `plain`
    stacked: Sequence[Value]  # what each round must keep for them
    handed: dict[Value, int]  # those of them that are what the next round carries, at this place
    gives: frozenset[int]  # the params that have cotangents
    inside: Inside  # the seeds of a round, as params of `backward`, and the leaves that it gives
    marked: Sequence[int]  # the results whose cotangents have masks
    masked: Sequence[int]  # the params of `plain` whose cotangents have


def _rounds(
    op: Scan,
    plain: Function,
    cotangents: Cotangents,
    known: Cotangents,
    inside: Inside,
    masks: Masks,
) -> Rounds:
    """The derivative of the rounds. What a round gives a mask takes one from the round after it,
    and so does a result that nothing comes back to. Masks end where rows are stacked: that is not
    elementwise."""
    n, rows = len(op.init), zip(plain.returns, cotangents, strict=False)
    marked = {k for k, (v, d) in enumerate(rows) if d is None and differentiable(v)}
    marked.update(i for i, mask in enumerate(masks.results[:n]) if mask)
    while True:
        rounds = _marked_rounds(op, plain, known, inside, sorted(marked))
        more = {i for i in range(n) if 1 + i in rounds.masked}
        if more <= marked:
            return rounds
        marked |= more


def _marked_rounds(
    op: Scan, plain: Function, known: Cotangents, inside: Inside, marked: Sequence[int]
) -> Rounds:
    seeds = {v: Value(TensorType(d.dtype, d.shape[1:])) for v, d in inside.seeds.items()}
    here = Inside(seeds, inside.leaves)
    wanted = [i for i, p in enumerate(plain.params) if differentiable(p)]
    sums = [i for i in wanted if i > len(op.init) + len(op.xs)]
    starts = [i for i in wanted if 0 < i <= len(op.init) and known[i - 1] is not None]
    before = (*sums, *starts)
    forward, backward, connected = linearize(plain, wanted, True, before, here, marked)
    residuals = forward.returns[len(plain.returns) :]
    # What comes from outside of the loop need not be kept by it.
    outside = {plain.params[0], *plain.params[1 + len(op.init) :]}
    # What the round after carries, the backward loop has seen in the round before: it hands it on.
    n = len(op.init)
    carried = dict(zip(reversed(plain.returns[:n]), range(n - 1, -1, -1), strict=True))
    handed = {v: carried[v] for v in residuals if v in carried and v not in plain.params}
    stacked = [v for v in residuals if v not in outside and v not in handed]
    starting = dict.fromkeys(plain.params[1 + i] for i in handed.values())
    stacked += [p for p in starting if p not in stacked]
    gives = frozenset(wanted[k] for k, used in enumerate(connected) if used)
    masked = [wanted[k] for k, used in enumerate(backward.notes["masked"]) if used]
    return Rounds(plain, backward, residuals, stacked, handed, gives, here, marked, masked)


def while_pullback(
    op: While, b: Builder, cotangents: Cotangents, known: Cotangents, inside: Inside, masks: Masks
) -> Cotangents:
    """Run the loop keeping residuals, and go backwards."""
    n = len(op.init)
    # Seeds come from a loop that has been run for its rows.
    bound: tuple[Extent, ...] = tuple(d.shape[0] for d in [*inside.seeds.values()][:1])
    bound = bound or (fresh_symbol(),)
    rows: Cotangents = ()
    if isinstance(op, GrowingWhile):
        if op.inside:
            return growing_pullback(b, op, cotangents, known)
        bound, rows = op.bound, cotangents[n + len(op.bound) :]
    plain, here, names = _quiet(op.body, inside)
    params = (Value(INDEX, name="i"), *plain.params)
    each = Function("body", params, plain.body, plain.returns)
    scan = Scan(op.init, (), op.captured, bound[0], False, 0, each)
    flowing = (*cotangents[:n], *rows)
    rounds = _rounds(scan, each, flowing, known, here, masks)
    body = Function(plain.name, plain.params, plain.body, (*plain.returns, *rounds.stacked))
    test = without_effects(op.condition)
    results = b.emit_all(GrowingWhile(op.init, op.captured, test, body, (), bound))
    _mark_again(results)
    stacks = results[len(results) - len(rounds.stacked) :]
    totals = _backwards(b, scan, rounds, results, stacks, flowing, known, here, masks)
    inside.found.update((names.get(v, v), d) for v, d in here.found.items())
    inside.linked.update(names.get(v, v) for v in here.linked)
    return totals


def scan_pullback(
    op: Scan, b: Builder, cotangents: Cotangents, known: Cotangents, inside: Inside, masks: Masks
) -> Cotangents:
    """The cotangents of the operands of a `Scan`, by a scan that runs the other way."""
    kept, plain = op.residuals, op.body
    if any(d is not None for d in cotangents[len(cotangents) - kept :]):
        kept = 0  # what is residual to the first order is a result to the second
    if kept:
        plain = Function(plain.name, plain.params, plain.body, plain.returns[:-kept])
        rounds = _rounds(op, plain, cotangents, known, inside, masks)
        stacks = op.results[-kept:]
        return _backwards(b, op, rounds, op.results, stacks, cotangents, known, inside, masks)
    plain, here, names = _quiet(plain, inside)
    rounds = _rounds(op, plain, cotangents, known, here, masks)
    body = Function(plain.name, plain.params, plain.body, (*plain.returns, *rounds.stacked))
    again = Scan(op.init, op.xs, op.captured, op.count, op.reverse, len(rounds.stacked), body)
    results = b.emit_all(again)
    _mark_again(results)
    stacks = results[len(results) - len(rounds.stacked) :]
    totals = _backwards(b, op, rounds, results, stacks, cotangents, known, here, masks)
    inside.found.update((names.get(v, v), d) for v, d in here.found.items())
    inside.linked.update(names.get(v, v) for v in here.linked)
    return totals


def _mark_again(results: Sequence[Value]) -> None:
    for v in results[:1]:
        assert v.op is not None
        mark_again(v.op)


def _backwards(
    b: Builder,
    op: Scan,
    rounds: Rounds,
    last: Sequence[Value],
    stacks: Sequence[Value],
    cotangents: Cotangents,
    known: Cotangents,
    inside: Inside,
    masks: Masks,
) -> Cotangents:
    """The backward scan: it takes the residuals and the cotangents of the stacked results, and
    carries cotangents of what was carried, sums of those of what was captured, and what the round
    before it, which is the one after in time, was given: `last` was carried in the end. `inside` is
    in terms of the plain round; so is what it is told of leaves."""
    n, m = len(op.init), len(op.xs)
    plain, residuals, gives = rounds.plain, rounds.residuals, rounds.gives
    index, *rest = plain.params
    carried, slices, captured = rest[:n], rest[n : n + m], rest[n + m :]

    def dense(d: Value | None, v: Value) -> Value:
        return zeros_like(b, v) if d is None else d

    flows = [i for i in range(n) if differentiable(carried[i])]
    sums = [j for j in range(len(captured)) if 1 + n + m + j in gives]
    used_xs = [j for j, v in enumerate(slices) if v in residuals]
    used_captured = [j for j, v in enumerate(captured) if v in residuals]
    ys = [k for k in range(n, len(plain.returns)) if differentiable(plain.returns[k])]
    init = [dense(cotangents[i], op.init[i]) for i in flows]
    init += [known[n + m + j] or zeros_like(b, op.captured[j]) for j in sums]
    dys = [dense(cotangents[k], Value(_stacked(plain.returns[k], op.count))) for k in ys]
    # What is known of where the loop starts is the first term of the sums of the first round.
    starts = [i for i in flows if known[i] is not None and 1 + i in gives]
    before = [d for i in starts if (d := known[i]) is not None]
    given_on = list(dict.fromkeys(rounds.handed.values()))
    init += [last[i] for i in given_on]
    turns = [i for i in rounds.marked if i < n]
    added = [j for j in sums if 1 + n + m + j in rounds.masked]
    init += [_mask_behind(b, cotangents[i], masks.results[i], op.init[i]) for i in turns]
    init += [everywhere(b, op.captured[j], False) for j in added]
    inner = Builder(f"{plain.name}.backward")
    place = inner.parameter(index.type, "i")
    flowing = [inner.parameter(carried[i].type) for i in flows]
    totals = [inner.parameter(captured[j].type) for j in sums]
    after = {i: inner.parameter(carried[i].type) for i in given_on}
    marks = [inner.parameter(mask_type(carried[i])) for i in turns]
    counting = [inner.parameter(mask_type(captured[j])) for j in added]
    parts = [inner.parameter(v.type) for v in rounds.stacked]
    shown = [inner.parameter(slices[j].type) for j in used_xs]
    seeds = [inner.parameter(plain.returns[k].type) for k in ys]
    others = [inner.parameter(v.type) for v in rounds.inside.seeds.values()]
    given = [inner.parameter(captured[j].type) for j in used_captured]
    firsts = [inner.parameter(carried[i].type) for i in starts]
    here: dict[Value, Value] = {index: place}
    here.update(zip(rounds.stacked, parts, strict=True))
    here.update((v, after[i]) for v, i in rounds.handed.items())
    here.update(zip((slices[j] for j in used_xs), shown, strict=True))
    here.update(zip((captured[j] for j in used_captured), given, strict=True))
    arguments = [here[v] for v in residuals]
    arguments += [
        flowing[flows.index(k)] if k < n else seeds[ys.index(k)]
        for k, v in enumerate(plain.returns)
        if differentiable(v)
    ]
    arguments += marks
    arguments += [everywhere(inner, plain.returns[k], False) for k in rounds.marked if k >= n]
    arguments += others
    arguments += totals
    if starts:
        start = inner.emit(ExtentOf(op.count - 1 if op.reverse else 0))
        first = inner.emit(Equal(place, start))
        arguments += [_chosen(inner, first, d, filled(inner, d, -0.0)) for d in firsts]
    made = transfer(rounds.backward, inner, arguments)
    found = dict(zip(sorted(gives), made, strict=False))
    new = [found.get(1 + i) or zeros_like(inner, carried[i]) for i in flows]
    new += [found[1 + n + m + j] for j in sums]
    new += [here[carried[i]] for i in given_on]
    sliced = [j for j in range(m) if 1 + n + j in gives]
    leaves = made[len(gives) : len(gives) + len(rounds.inside.found)]
    behind = dict(zip(rounds.masked, made[len(gives) + len(leaves) :], strict=True))
    new += [behind.get(1 + i) or everywhere(inner, carried[i], 1 + i in gives) for i in turns]
    new += [
        inner.emit(BitwiseOr(mask, behind[1 + n + m + j]))
        for j, mask in zip(added, counting, strict=True)
    ]
    body = inner.build(*new, *(found[1 + n + j] for j in sliced), *leaves)
    # (Rows of seeds are as many, but a copy of the loop that kept them may have its own symbol.)
    within = [shaped(b, d, (op.count, *d.shape[1:])) for d in inside.seeds.values()]
    xs = (*stacks, *(op.xs[j] for j in used_xs), *dys, *within)
    shared = (*(op.captured[j] for j in used_captured), *before)
    results = b.emit_all(Scan(tuple(init), xs, shared, op.count, not op.reverse, 0, body))
    outcome: dict[int, Value] = {}
    outcome.update(zip(flows, results, strict=False))
    outcome.update(zip((n + m + j for j in sums), results[len(flows) :], strict=False))
    outcome.update(zip((n + j for j in sliced), results[len(init) :], strict=False))
    deep = results[len(init) + len(sliced) :]
    inside.found.update(zip(rounds.inside.found, deep, strict=True))
    inside.linked |= rounds.inside.linked
    for i in (*flows, *(n + j for j in sliced)):
        if (d := known[i]) is None or (i in starts and isinstance(op.count, int) and op.count):
            continue
        total = accumulated(b, d, outcome[i])
        if i in starts:
            some = b.emit(Greater(b.emit(ExtentOf(op.count)), b.constant(0, int64)))
            total = _chosen(b, some, outcome[i], total)
        outcome[i] = total
    ends = results[len(init) - len(turns) - len(added) : len(init)]
    places = (*turns, *(n + m + j for j in added))
    masks.found.update((i, ((v, True),)) for i, v in zip(places, ends, strict=True))
    _mask_sums(b, op, gives, masks)
    return [outcome.get(i) for i in range(len(op.operands))]


def _mask_behind(b: Builder, cotangent: Value | None, mask: Mask, like: Value) -> Value:
    """The mask of what a loop carries, in the end: what nothing flows back to is not there."""
    return everywhere(b, like, False) if cotangent is None else joined(b, mask, like)


def _mask_sums(b: Builder, op: Scan, gives: Collection[int], masks: Masks) -> None:
    """The masks of the operands, in the place of those that rounds have found alone. A loop of no
    rounds gives nothing to what it captures; one that has rounds gives nothing to what it carries
    where no round reads it."""
    n = len(op.init)
    some = b.emit(Greater(b.emit(ExtentOf(op.count)), b.constant(0, int64)))
    for i, v in enumerate(op.operands):
        mask = masks.found.get(i, ())
        if i < n and 1 + i not in gives:
            mask = (*mask, *chosen_mask(b, some, False, v))
        elif i >= n + len(op.xs) and 1 + i in gives and not mask:
            mask = chosen_mask(b, some, True, v)
        masks.found[i] = either(b, masks.known[i], mask, v)


def _chosen(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    """x where a bool scalar holds, else y."""
    return b.emit(Select(spread(b, condition, x), x, y))


def _stacked(v: Value, count: Extent) -> Type:
    return TensorType(v.dtype, (count, *v.shape))


def call_pullback(op: Call, b: Builder, cotangents: Cotangents, known: Cotangents) -> Cotangents:
    """The cotangents of a call's arguments: another call's results, put in its place."""
    f = op.callee
    rows = zip(f.returns, cotangents, strict=True)
    reached, seeds = zip(*((v, d) for v, d in rows if d is not None), strict=True)
    before = [i for i, d in enumerate(known) if d is not None]
    back = pullback(Function(f.name, f.params, f.body, reached), before)
    results = transfer(back, b, (*op.args, *seeds, *(d for d in known if d is not None)))
    found = iter(results)
    return [next(found) if used else None for used in back.notes["connected"]]


def _define(kind: type[Op], pullback: object) -> None:
    """Let `kind` be differentiated so: its class stands below what that needs."""
    kind.pullback = pullback  # type: ignore[attr-defined]


_define(Cond, cond_pullback)
_define(While, while_pullback)
_define(Scan, scan_pullback)
_define(Call, call_pullback)
