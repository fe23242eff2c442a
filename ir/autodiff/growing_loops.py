"""Reverse mode through loops that carry values of changing sizes.

The loop runs keeping residuals. Those whose size changes stand one after another in a vector, and
the extents of each round are kept, too. So the backward loop, which counts down, cuts the part of
its round off the end of each vector. What it carries changes its size as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..algebra import Term
from ..copying import transfer
from ..core import Builder, Function, Value
from ..dtypes import bool_, int64
from ..extent import Extent, fresh_symbol, symbol, symbols
from ..ops.elementwise import Add, GreaterEqual, Sub
from ..ops.extents import BindExtent
from ..ops.gather import Gather
from ..ops.growing import GrowingWhile
from ..ops.shape import Broadcast, ExtentOf, Iota, Reshape
from ..passes.prune_carried import without_effects
from ..types import INDEX, TensorType
from .reverse import accumulated, differentiable, linearize, shaped, zeros_like

Cotangents = Sequence[Value | None]


class Kept:
    """What a loop has kept of its rounds: `values` of the body, as `stacks`, behind the loop."""

    def __init__(self, values: Sequence[Value], stacks: Sequence[Value], names: set[str]) -> None:
        self.values = values
        self.stacks = stacks
        self.ragged = [any(not names.isdisjoint(symbols(e)) for e in v.shape) for v in values]

    def lengths(self, b: Builder) -> list[Value]:
        """How many elements the vectors of ragged values have."""
        rows = zip(self.stacks, self.ragged, strict=True)
        return [b.emit(ExtentOf(stack.shape[0])) for stack, ragged in rows if ragged]

    def parts(
        self, b: Builder, place: Value, stacks: Sequence[Value], ends: Sequence[Value]
    ) -> tuple[list[Value], list[Value]]:
        """The values in round `place`, and where those of the rounds before end. Their extents
        are bound."""
        found, starts, rest = [], [], iter(ends)
        for v, stack, ragged in zip(self.values, stacks, self.ragged, strict=True):
            if not ragged:
                found.append(b.emit(Gather(stack, place, 0)))
                continue
            size = v.tensor_type.size
            start = b.emit(Sub(next(rest), b.emit(ExtentOf(size))))
            spread = b.emit(Broadcast(start, (size,), ()))
            places = b.emit(Add(b.emit(Iota((size,), 0, int64)), spread))
            found.append(b.emit(Reshape(b.emit(Gather(stack, places, 0)), v.shape)))
            starts.append(start)
        return found, starts


def growing_pullback(
    b: Builder, op: GrowingWhile, cotangents: Cotangents, before: Cotangents
) -> Cotangents:
    """The cotangents of the operands, by a loop that counts down: they go on from `before`."""
    n, body = len(op.init), without_effects(op.body)
    carried, captured = body.params[:n], body.params[n:]
    wanted = [i for i, p in enumerate(body.params) if differentiable(p)]
    forward, backward, connected = linearize(body, wanted, True, [i for i in wanted if i >= n])
    residuals = forward.returns[len(body.returns) :]
    gives = {wanted[k] for k, used in enumerate(connected) if used}
    again, kept, sizes = _keeping(b, op, body, [v for v in residuals if v not in captured])
    # The rows of the loop whose cotangents are known come round by round, as residuals do.
    first = n + len(op.bound)
    known_rows = [
        k for k, v in enumerate(op.rows) if cotangents[first + k] is not None and differentiable(v)
    ]
    seeds = Kept(
        [body.returns[n + k] for k in known_rows],
        [d for k in known_rows if (d := cotangents[first + k]) is not None],
        {str(s) for s in sizes},
    )
    flows = [i for i in range(n) if differentiable(carried[i])]
    sums = [j for j in range(len(captured)) if n + j in gives]
    used = [j for j, v in enumerate(captured) if v in residuals]
    changing = {place: fresh_symbol() for place in op.varying() if place[0] in flows}

    inner = Builder(f"{body.name}.backward")
    place = inner.parameter(INDEX, "i")
    ends = [inner.parameter(INDEX) for _ in kept.lengths(b)]
    seed_ends = [inner.parameter(INDEX) for _ in seeds.lengths(b)]
    flowing = [inner.parameter(_with(body.returns[i], i, changing)) for i in flows]
    totals = [inner.parameter(captured[j].type) for j in sums]
    stacks = [inner.parameter(v.type) for v in kept.stacks]
    seed_stacks = [inner.parameter(v.type) for v in seeds.stacks]
    numbers = [inner.parameter(v.type) for v in sizes.values()]
    given = [inner.parameter(captured[j].type) for j in used]
    for name, stack in zip(sizes, numbers, strict=True):
        inner.emit_all(BindExtent(inner.emit(Gather(stack, place, 0)), symbol(name)))
    parts, starts = kept.parts(inner, place, stacks, ends)
    rows, seed_starts = seeds.parts(inner, place, seed_stacks, seed_ends)
    known = dict(zip(kept.values, parts, strict=True))
    known.update(zip((captured[j] for j in used), given, strict=True))
    arguments = [known[v] for v in residuals]
    for k, v in enumerate(body.returns):
        if not differentiable(v):
            continue
        if k < n:
            arguments.append(shaped(inner, flowing[flows.index(k)], v.shape))
        elif k - n in known_rows:
            arguments.append(rows[known_rows.index(k - n)])
        else:
            arguments.append(zeros_like(inner, v))
    arguments += totals
    found = dict(zip(sorted(gives), transfer(backward, inner, arguments), strict=True))
    new = [found.get(i) or zeros_like(inner, carried[i]) for i in flows]
    earlier = (Term(inner, place) - 1).value
    step = inner.build(earlier, *starts, *seed_starts, *new, *(found[n + j] for j in sums))

    test = Builder("condition")
    params = [test.parameter(p.type) for p in inner.params]
    more = test.emit(GreaterEqual(params[0], test.constant(0, int64)))
    assert more.dtype is bool_
    last = (Term(b, again[n + len(op.inside)]) - 1).value
    init = [last, *kept.lengths(b), *seeds.lengths(b)]
    init += [cotangents[i] or zeros_like(b, again[i]) for i in flows]
    shift = len(init)
    init += [before[n + j] or zeros_like(b, op.captured[j]) for j in sums]
    taken = (*kept.stacks, *seeds.stacks, *sizes.values(), *(op.captured[j] for j in used))
    inside = tuple(changing.values())
    bound = tuple(fresh_symbol() for _ in range(len(inside) + 1))
    loop = GrowingWhile(tuple(init), taken, test.build(more), step, inside, bound)
    results = b.emit_all(loop)
    outcome: dict[int, Value] = {}
    for i, v in zip(flows, results[shift - len(flows) :], strict=False):
        outcome[i] = shaped(b, v, op.init[i].shape)
        if (d := before[i]) is not None:
            outcome[i] = accumulated(b, d, outcome[i])
    outcome.update(zip((n + j for j in sums), results[shift:], strict=False))
    return [outcome.get(i) for i in range(len(op.operands))]


def _keeping(
    b: Builder, op: GrowingWhile, body: Function, values: Sequence[Value]
) -> tuple[Sequence[Value], Kept, dict[str, Value]]:
    """Run `op` keeping these values of its body. Gives its results, what was kept, and for each
    symbol of the body that later sizes need the numbers that it has been."""
    names = [str(s) for s in op.inside]
    own = {str(s) for inner in body.body for _, s in inner.binds()}
    needed = {s for v in body.returns for e in v.shape for s in symbols(e)}
    names += sorted(own & needed)
    tail = Builder(body.name)
    numbers = [tail.emit(ExtentOf(symbol(name))) for name in names]
    returns = (*body.returns, *values, *numbers)
    more = Function(body.name, body.params, (*body.body, *tail.body), returns)
    kept = Kept(values, values, set(names))
    bound: tuple[Extent, ...] = (*op.bound, *(fresh_symbol() for k in kept.ragged if k))
    test = without_effects(op.condition)
    results = b.emit_all(GrowingWhile(op.init, op.captured, test, more, op.inside, bound))
    stacks = results[len(op.init) + len(bound) + len(op.rows) :]
    kept.stacks = stacks[: len(values)]
    return results, kept, dict(zip(names, stacks[len(values) :], strict=True))


def _with(v: Value, i: int, changing: Mapping[tuple[int, int], Extent]) -> TensorType:
    shape = tuple(changing.get((i, axis), e) for axis, e in enumerate(v.shape))
    return TensorType(v.dtype, shape)
