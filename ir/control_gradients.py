"""Reverse mode through structured control flow: `Cond`, `Scan` and `While`.

A branch is differentiated as what it is, a function: the backward branch computes again what it
needs. A scan keeps the residuals of each round, stacked; the backward scan runs the other way. A
while loop does so as a `GrowingWhile`, which binds the number of its rounds: the backward loop is a
scan of that length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .core import Builder, Function, Value, transfer
from .extent import Extent
from .ops.control import Cond, Scan, While
from .ops.extents import fresh_symbol
from .ops.growing import GrowingWhile
from .types import INDEX, TensorType, Type

Cotangents = Sequence[Value | None]


def cond_pullback(b: Builder, op: Cond, cotangents: Cotangents, known: Cotangents) -> Cotangents:
    """The cotangents of the operands of a `Cond`."""
    from .autodiff import pullback, zeros_like
    from .passes.pruning import without_effects

    live = [d is not None for d in cotangents]
    before = [i for i, d in enumerate(known[1:]) if d is not None]
    parts = []
    for branch in map(without_effects, (op.then, op.orelse)):
        reached = tuple(v for v, used in zip(branch.returns, live, strict=True) if used)
        parts.append(pullback(Function(branch.name, branch.params, branch.body, reached), before))
    connected = [any(flags) for flags in zip(*(p.notes["connected"] for p in parts), strict=True)]
    branches = []
    for part in parts:
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
        branches.append(inner.build(*returns))
    args = (*op.args, *(d for d in (*cotangents, *known[1:]) if d is not None))
    results = iter(b.emit_all(Cond(op.predicate, args, branches[0], branches[1])))
    return [None, *(next(results) if used else None for used in connected)]


class Rounds(NamedTuple):
    """The derivative of the rounds of a scan."""

    plain: Function  # a round, without residuals and effects
    backward: Function  # (residuals, cotangents of results, sums) to cotangents of params
    residuals: Sequence[Value]  # values of `plain`
    stacked: Sequence[Value]  # those of them that each round must keep
    gives: frozenset[int]  # the params that have cotangents


def _rounds(op: Scan, plain: Function) -> Rounds:
    from .autodiff import differentiable, linearize

    wanted = [i for i, p in enumerate(plain.params) if differentiable(p)]
    sums = [i for i in wanted if i > len(op.init) + len(op.xs)]
    forward, backward, connected = linearize(plain, wanted, True, sums)
    residuals = forward.returns[len(plain.returns) :]
    # What comes from outside of the loop need not be kept by it.
    outside = {plain.params[0], *plain.params[1 + len(op.init) :]}
    stacked = [v for v in residuals if v not in outside]
    gives = frozenset(wanted[k] for k, used in enumerate(connected) if used)
    return Rounds(plain, backward, residuals, stacked, gives)


def while_pullback(b: Builder, op: While, cotangents: Cotangents, known: Cotangents) -> Cotangents:
    """Run the loop keeping residuals, and go backwards."""
    from .passes.pruning import without_effects

    n = len(op.init)
    bound: tuple[Extent, ...] = (fresh_symbol(),)
    rows: Cotangents = ()
    if isinstance(op, GrowingWhile):
        if op.inside:
            from .growing_gradients import growing_pullback

            return growing_pullback(b, op, cotangents, known)
        bound, rows = op.bound, cotangents[n + len(op.bound) :]
    plain = without_effects(op.body)
    params = (Value(INDEX, name="i"), *plain.params)
    each = Function("body", params, plain.body, plain.returns)
    scan = Scan(op.init, (), op.captured, bound[0], False, 0, each)
    rounds = _rounds(scan, each)
    body = Function(plain.name, plain.params, plain.body, (*plain.returns, *rounds.stacked))
    test = without_effects(op.condition)
    results = b.emit_all(GrowingWhile(op.init, op.captured, test, body, (), bound))
    stacks = results[len(results) - len(rounds.stacked) :]
    return _backwards(b, scan, rounds, stacks, (*cotangents[:n], *rows), known)


def scan_pullback(b: Builder, op: Scan, cotangents: Cotangents, known: Cotangents) -> Cotangents:
    """The cotangents of the operands of a `Scan`, by a scan that runs the other way."""
    from .passes.pruning import without_effects

    kept, plain = op.residuals, op.body
    if any(d is not None for d in cotangents[len(cotangents) - kept :]):
        kept = 0  # what is residual to the first order is a result to the second
    if kept:
        plain = Function(plain.name, plain.params, plain.body, plain.returns[:-kept])
        return _backwards(b, op, _rounds(op, plain), op.results[-kept:], cotangents, known)
    plain = without_effects(plain)
    rounds = _rounds(op, plain)
    body = Function(plain.name, plain.params, plain.body, (*plain.returns, *rounds.stacked))
    again = Scan(op.init, op.xs, op.captured, op.count, op.reverse, len(rounds.stacked), body)
    results = b.emit_all(again)
    stacks = results[len(results) - len(rounds.stacked) :]
    return _backwards(b, op, rounds, stacks, cotangents, known)


def _backwards(
    b: Builder,
    op: Scan,
    rounds: Rounds,
    stacks: Sequence[Value],
    cotangents: Cotangents,
    known: Cotangents,
) -> Cotangents:
    """The backward scan: it takes the residuals and the cotangents of the stacked results, and
    carries cotangents of what was carried, and sums of those of what was captured."""
    from .autodiff import accumulated, differentiable, zeros_like

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
    inner = Builder(f"{plain.name}.backward")
    place = inner.parameter(index.type, "i")
    flowing = [inner.parameter(carried[i].type) for i in flows]
    totals = [inner.parameter(captured[j].type) for j in sums]
    parts = [inner.parameter(v.type) for v in rounds.stacked]
    shown = [inner.parameter(slices[j].type) for j in used_xs]
    seeds = [inner.parameter(plain.returns[k].type) for k in ys]
    given = [inner.parameter(captured[j].type) for j in used_captured]
    here: dict[Value, Value] = {index: place}
    here.update(zip(rounds.stacked, parts, strict=True))
    here.update(zip((slices[j] for j in used_xs), shown, strict=True))
    here.update(zip((captured[j] for j in used_captured), given, strict=True))
    arguments = [here[v] for v in residuals]
    arguments += [
        flowing[flows.index(k)] if k < n else seeds[ys.index(k)]
        for k, v in enumerate(plain.returns)
        if differentiable(v)
    ]
    arguments += totals
    found = dict(zip(sorted(gives), transfer(rounds.backward, inner, arguments), strict=True))
    new = [found.get(1 + i) or zeros_like(inner, carried[i]) for i in flows]
    new += [found[1 + n + m + j] for j in sums]
    sliced = [j for j in range(m) if 1 + n + j in gives]
    body = inner.build(*new, *(found[1 + n + j] for j in sliced))
    xs = (*stacks, *(op.xs[j] for j in used_xs), *dys)
    shared = tuple(op.captured[j] for j in used_captured)
    results = b.emit_all(Scan(tuple(init), xs, shared, op.count, not op.reverse, 0, body))
    outcome: dict[int, Value] = {}
    outcome.update(zip(flows, results, strict=False))
    outcome.update(zip((n + m + j for j in sums), results[len(flows) :], strict=False))
    outcome.update(zip((n + j for j in sliced), results[len(init) :], strict=True))
    for i in (*flows, *(n + j for j in sliced)):
        if (before := known[i]) is not None:
            outcome[i] = accumulated(b, before, outcome[i])
    return [outcome.get(i) for i in range(len(op.operands))]


def _stacked(v: Value, count: Extent) -> Type:
    return TensorType(v.dtype, (count, *v.shape))
