"""Reverse mode through structured control flow: `Cond`, `Scan` and `While`.

A branch is differentiated as what it is, a function: the backward branch computes again what it
needs. A scan keeps the residuals of each round, stacked; the backward scan runs the other way. A
while loop is a scan whose length only running tells: it is counted first.
"""

from __future__ import annotations

from collections.abc import Sequence

from .core import Builder, Function, Value, transfer
from .dtypes import int64
from .ops.control import Cond, Scan, While
from .ops.elementwise import Add
from .ops.extents import BindExtent, fresh_symbol
from .types import INDEX, Type

Cotangents = Sequence[Value | None]


def cond_pullback(b: Builder, op: Cond, cotangents: Cotangents) -> Cotangents:
    """The cotangents of the operands of a `Cond`."""
    from .autodiff import pullback, zeros_like
    from .passes.pruning import without_effects

    live = [d is not None for d in cotangents]
    parts = []
    for branch in map(without_effects, (op.then, op.orelse)):
        reached = tuple(v for v, used in zip(branch.returns, live, strict=True) if used)
        parts.append(pullback(Function(branch.name, branch.params, branch.body, reached)))
    connected = [any(flags) for flags in zip(*(p.notes["connected"] for p in parts), strict=True)]
    branches = []
    for part in parts:
        inner = Builder(part.name)
        params = [inner.parameter(p.type, p.name) for p in part.params]
        found = iter(transfer(part, inner, params))
        given = [next(found) if used else None for used in part.notes["connected"]]
        rows = zip(given, params, connected, strict=False)
        branches.append(inner.build(*(d or zeros_like(inner, p) for d, p, used in rows if used)))
    known = [d for d in cotangents if d is not None]
    results = iter(b.emit_all(Cond(op.predicate, (*op.args, *known), branches[0], branches[1])))
    return [None, *(next(results) if used else None for used in connected)]


def while_pullback(b: Builder, op: While, cotangents: Cotangents) -> Cotangents:
    """Count the rounds, run them again as a scan that keeps residuals, and go backwards."""
    from .passes.pruning import without_effects

    once = without_effects(op.body)
    one = Builder("count")
    count = one.parameter(INDEX, "rounds")
    params = [one.parameter(p.type, p.name) for p in op.body.params]
    carried = transfer(once, one, params)
    counting = one.build(*carried, one.emit(Add(count, one.constant(1, int64))))
    # The counter is carried last: behind the others, before what is captured.
    n = len(op.init)
    body = Function("body", (*params[:n], count, *params[n:]), counting.body, counting.returns)
    test = without_effects(op.condition)
    condition = Function(
        test.name,
        (*test.params[:n], Value(INDEX), *test.params[n:]),
        test.body,
        test.returns,
    )
    zero = b.constant(0, int64)
    *_, rounds = b.emit_all(While((*op.init, zero), op.captured, condition, body))
    extent = fresh_symbol()
    b.emit_all(BindExtent(rounds, extent))
    index = Value(INDEX, name="i")
    each = Function("body", (index, *once.params), once.body, once.returns)
    scan = Scan(op.init, (), op.captured, extent, False, 0, each)
    return scan_pullback(b, scan, cotangents)


def scan_pullback(b: Builder, op: Scan, cotangents: Cotangents) -> Cotangents:
    """The cotangents of the operands of a `Scan`, by a scan that runs the other way."""
    from .autodiff import accumulated, differentiable, linearize, zeros_like
    from .passes.pruning import without_effects

    n, m, kept = len(op.init), len(op.xs), op.residuals
    if any(d is not None for d in cotangents[len(cotangents) - kept :]):
        kept = 0  # what is residual to the first order is a result to the second
    plain = op.body
    if kept:
        plain = Function(plain.name, plain.params, plain.body, plain.returns[:-kept])
    else:
        plain = without_effects(plain)
    wanted = [i for i, p in enumerate(plain.params) if differentiable(p)]
    forward, backward, connected = linearize(plain, wanted, body=True)
    residuals = forward.returns[len(plain.returns) :]
    index, *rest = plain.params
    carried, slices, captured = rest[:n], rest[n : n + m], rest[n + m :]
    # What comes from outside of the loop need not be kept by it.
    outside = {v: i for i, v in enumerate((index, *slices, *captured))}
    stacked = [v for v in residuals if v not in outside]
    if kept:
        stacks = list(op.results[-kept:])
    else:
        body = Function(plain.name, plain.params, plain.body, (*plain.returns, *stacked))
        again = Scan(op.init, op.xs, op.captured, op.count, op.reverse, len(stacked), body)
        results = b.emit_all(again)
        stacks = list(results[len(results) - len(stacked) :])
    gives = {wanted[k] for k, used in enumerate(connected) if used}  # params with cotangents

    def dense(d: Value | None, v: Value) -> Value:
        return zeros_like(b, v) if d is None else d

    # The backward loop carries cotangents of what was carried, and sums of those of what was
    # captured; it takes the residuals and the cotangents of the stacked results.
    flows = [i for i in range(n) if differentiable(carried[i])]
    sums = [j for j in range(len(captured)) if 1 + n + m + j in gives]
    used_xs = [j for j, v in enumerate(slices) if v in residuals]
    used_captured = [j for j, v in enumerate(captured) if v in residuals]
    ys = [k for k in range(n, len(plain.returns)) if differentiable(plain.returns[k])]
    types: tuple[Type, ...] = op.infer()
    init = [dense(cotangents[i], op.init[i]) for i in flows]
    init += [zeros_like(b, op.captured[j]) for j in sums]
    dys = [dense(cotangents[k], Value(types[k])) for k in ys]
    inner = Builder(f"{plain.name}.backward")
    place = inner.parameter(index.type, "i")
    flowing = [inner.parameter(carried[i].type) for i in flows]
    totals = [inner.parameter(captured[j].type) for j in sums]
    parts = [inner.parameter(v.type) for v in stacked]
    shown = [inner.parameter(slices[j].type) for j in used_xs]
    seeds = [inner.parameter(plain.returns[k].type) for k in ys]
    given = [inner.parameter(captured[j].type) for j in used_captured]
    known: dict[Value, Value] = {index: place}
    known.update(zip(stacked, parts, strict=True))
    known.update(zip((slices[j] for j in used_xs), shown, strict=True))
    known.update(zip((captured[j] for j in used_captured), given, strict=True))
    arguments = [known[v] for v in residuals]
    arguments += [
        flowing[flows.index(k)] if k < n else seeds[ys.index(k)]
        for k, v in enumerate(plain.returns)
        if differentiable(v)
    ]
    found = dict(zip(sorted(gives), transfer(backward, inner, arguments), strict=True))
    new = [found.get(1 + i) or zeros_like(inner, carried[i]) for i in flows]
    new += [
        accumulated(inner, total, found[1 + n + m + j])
        for total, j in zip(totals, sums, strict=True)
    ]
    sliced = [j for j in range(m) if 1 + n + j in gives]
    body = inner.build(*new, *(found[1 + n + j] for j in sliced))
    xs = (*stacks, *(op.xs[j] for j in used_xs), *dys)
    shared = tuple(op.captured[j] for j in used_captured)
    results = b.emit_all(Scan(tuple(init), xs, shared, op.count, not op.reverse, 0, body))
    outcome: dict[int, Value] = {}
    outcome.update(zip(flows, results, strict=False))
    outcome.update(zip((n + m + j for j in sums), results[len(flows) :], strict=False))
    outcome.update(zip((n + j for j in sliced), results[len(init) :], strict=True))
    return [outcome.get(i) for i in range(len(op.operands))]
