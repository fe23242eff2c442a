"""Reverse-mode differentiation, IR in and IR out.

`cotangents` walks ops in reverse, asks each for its vjp and adds up what reaches the same value;
structural zeros are never built, but for a value that was asked for and that nothing else reaches
(`Op.linked`). What comes through the branch of a `select` that was not taken
is a strong zero: it stays zero through everything elementwise behind it, in regions and behind them
too. The result is ordinary IR in the builder that was given, so gradients of gradients are the same
walk again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ..copying import copy_op, mark_again, op_symbols, unbound_symbols
from ..core import Backward, Builder, Function, Op, Value, set_results
from ..dtypes import int64
from ..extent import Shape, fresh_symbol, symbols
from ..liveness import live_ops
from ..ops.control import Cond, Control, Inside, Mask, Masks
from ..ops.elementwise import Add, Cast, Elementwise, Select
from ..ops.extents import BindExtent
from ..ops.functional import CustomGradient
from ..ops.gather import ScatterAdd
from ..ops.indexing import Scatter
from ..ops.shape import Broadcast, Concat, Constant, Reshape
from ..passes import dce
from ..passes.prune_carried import quiet
from ..types import TensorType
from .masks import chosen_mask, either, filled, joined, mask_type, with_mask
from .recomputation import numbered, repeats, values_inside


def differentiable(value: Value) -> bool:
    """Whether a cotangent of `value` means anything: floats and complex numbers only."""
    return bool(value.dtype.is_inexact)


def cotangents(
    b: Builder,
    ops: Sequence[Op],
    seeds: Mapping[Value, Value],
    wanted: Iterable[Value],
    value_of: Callable[[Value], Value] = lambda v: v,
    inside: Inside | None = None,
    masks: dict[Value, Mask] | None = None,
    known: Collection[Value] = (),
) -> dict[Value, Value]:
    """The cotangents of `wanted`, emitted into `b`; what nothing connects is absent.

    `ops` are in program order, `seeds` are cotangents of some of their results. `value_of` gives
    the value in `b` that stands for a forward value. `inside` adds seeds of values in regions, and
    is told the cotangents of its leaves, which may be results of `ops`, too. `masks` tells where
    alone a value's cotangent is not a strong zero: of seeds, and in the end of `wanted`. Those of
    `known` seeds are the caller's: it is told the masks of what is added.
    """
    inside = inside or Inside()
    masks = {} if masks is None else masks
    leaves = inside.leaves
    same = repeats(ops, leaves)  # what is the same has one cotangent
    regions = _Regions(ops, same, leaves) if same or leaves or inside.seeds else None
    wanted = [*wanted]
    kept = {*wanted, *(same.get(v, v) for v in wanted), *leaves}
    readings = _readings(ops, kept, same)
    same.update(readings)
    found: dict[Value, Value] = {}
    of_seeds: dict[Value, Mask | None] = {v: masks.pop(v, ()) for v in seeds}
    of_seeds.update(dict.fromkeys(known))
    rows = [(v, d, of_seeds[v]) for v, d in seeds.items()]
    for v, d, mask in (*rows, *((v, d, ()) for v, d in inside.seeds.items())):
        v = same.get(v, v)
        found[v] = b.emit(Add(found[v], d)) if v in found else _named_alike(b, d, v)
        if mask is not None:
            masks[v] = either(b, masks.get(v), mask, d)
    reached = set(kept)  # what depends on a wanted value
    active = []
    linked: set[Value] = set()  # what zeros reach first
    for op in ops:
        if readings and op.results[:1] and op.results[0] in readings:
            if readings[op.results[0]] in reached:
                reached.add(op.results[0])
            continue
        floats = [] if reached.isdisjoint(op.operands) else [*filter(differentiable, op.results)]
        if floats:
            reached.update(floats)
            reached.update([same[v] for v in floats if v in same])
            if not any([r in same or r in leaves for r in op.results]):
                active.append(op)
    for op in reversed(active):
        within = Inside() if regions is None else regions.take(op, found)
        if not within.seeds and found.keys().isdisjoint(op.results):
            continue
        linked.update(same.get(v, v) for v in _linked(op) if v in reached)
        b.location = None if op.location is None else Backward(*op.location)
        incoming = [found.pop(r, None) if r not in kept else found.get(r) for r in op.results]
        dense = [
            zeros_like(b, value_of(r)) if d is None and not op.sparse else d
            for r, d in zip(op.results, incoming, strict=True)
        ]
        here = op.with_operands(value_of)
        set_results(here, tuple(map(value_of, op.results)), op.location)
        if op.continues:
            _continue(b, op, here, dense, found, masks, reached, same, regions, within)
            linked.update(same.get(v, v) for v in within.linked)
            continue
        mask = masks.get(op.results[0], ()) if isinstance(op, Elementwise) else ()
        for i, (operand, cotangent) in enumerate(
            zip(op.operands, here.vjp(b, *dense), strict=True)
        ):
            if cotangent is None or operand not in reached or not differentiable(operand):
                continue
            if mask and not op.keeps_zero:
                cotangent = with_mask(b, cotangent, mask)
            operand = same.get(operand, operand)
            found[operand] = _total(b, found, operand, cotangent)
            own = ((here.condition, i == 1),) if isinstance(here, Select) else ()
            masks[operand] = either(b, masks.get(operand), (*mask, *own), cotangent)
    inside.found.update((v, found[v]) for v in leaves if v in found)
    masks.update((v, masks[w]) for v in wanted if (w := same.get(v, v)) in masks)
    totals = {v: found[same.get(v, v)] for v in wanted if same.get(v, v) in found}
    rest = [v for v in (*wanted, *leaves) if v not in totals and v not in found]
    if linked and rest:
        _spread_zeros(active, linked, reached, same, regions)
        for v in wanted:
            if v not in totals and same.get(v, v) in linked:
                totals[v] = zeros_like(b, value_of(v))
        inside.linked.update(v for v in leaves if v in linked and v not in found)
    return totals


def _readings(
    ops: Sequence[Op], kept: Collection[Value], same: Mapping[Value, Value]
) -> dict[Value, Value]:
    """What is read of Variables after assignments, and what was read first: one cotangent belongs
    to both, to which each use adds in its turn, wherever it was read. Eager code, in which Python
    runs loops and branches, does not see what else would decide the order."""
    found: dict[Value, Value] = {}
    for op in ops:
        if isinstance(op, CustomGradient) and op.reads_again:
            result, first = op.results[0], op.args[1]
            if result not in kept and result not in same:
                found[result] = found.get(first, same.get(first, first))
    return found


def _spread_zeros(
    ops: Sequence[Op],
    linked: set[Value],
    reached: Collection[Value],
    same: Mapping[Value, Value],
    regions: _Regions | None,
) -> None:
    """Add what zeros reach from what they have reached."""
    for op in reversed(ops):
        inside = regions is not None and regions.any_inside(op, linked)
        if inside or any(r in linked for r in op.results):
            linked.update(same.get(v, v) for v in _connected(op) if v in reached)


def _linked(op: Op) -> list[Value]:
    """The operands that zeros reach through an op, beside what its vjp gives."""
    return [v for i in op.linked if differentiable(v := op.operands[i])]


def _connected(op: Op) -> list[Value]:
    """The operands that zeros reach from zeros at the results of an op."""
    if op.continues:
        return list(filter(differentiable, op.operands))
    scratch = Builder("zeros")
    pulled = op.vjp(scratch, *(zeros_like(scratch, r) for r in op.results))
    pairs = zip(op.operands, pulled, strict=True)
    return [v for v, d in pairs if d is not None and differentiable(v)] + _linked(op)


class _Regions:
    """Whose regions the values are in that cotangents are found of."""

    def __init__(
        self, ops: Sequence[Op], same: Mapping[Value, Value], leaves: Collection[Value]
    ) -> None:
        self.values = {op: values_inside(op) for op in ops if isinstance(op, Control)}
        self.leaves = dict.fromkeys((*same, *leaves))
        self.owners: dict[Value, Op] = {}
        # What branches return, as results of choices, and whether it is the first branch: there its
        # sum begins, before what other ops add to it, as it does where these ops are in no branch.
        self.results: dict[Value, tuple[Value, bool]] = {}
        for op, values in self.values.items():  # copies, which come later, may share regions
            if not any(r in self.leaves for r in op.results):
                for v in values:
                    self.owners.setdefault(v, op)
                if isinstance(op, Cond) and op.then is not op.orelse:
                    for region in op.regions:
                        for v, r in zip(region.returns, op.results, strict=True):
                            if v.op is not None and v not in self.leaves:
                                self.results.setdefault(v, (r, region is op.then))

    def any_inside(self, op: Op, values: Collection[Value]) -> bool:
        """Whether one of these values is inside of `op`."""
        return op in self.values and any(self.owners.get(v) is op for v in values)

    def take(self, op: Op, found: dict[Value, Value]) -> Inside:
        """What has been `found` for values inside of `op`, and which of these are leaves."""
        if op not in self.values:
            return Inside()
        seeds = {v: found.pop(v) for v in [*found] if self.owners.get(v) is op}
        return Inside(seeds, [v for v in self.leaves if v in self.values[op]])


def _continue(
    b: Builder,
    op: Op,
    here: Op,
    cotangents: Sequence[Value | None],
    found: dict[Value, Value],
    masks: dict[Value, Mask],
    reached: Collection[Value],
    same: Mapping[Value, Value],
    regions: _Regions | None,
    inside: Inside,
) -> None:
    """Move cotangents through an op with regions, whose sums go on from what is known."""
    known: list[Value | None] = []
    given: set[Value] = set()
    operands = [same.get(v, v) for v in op.operands]
    for own, operand in zip(op.operands, operands, strict=True):
        first = operand in reached and operand not in given
        before = found.get(operand) if first else None
        known.append(None if before is None else shaped(b, before, own.shape))
        given.add(operand)
    behind = Masks(
        [masks.get(r, ()) for r in op.results],
        [None if d is None else masks.get(v) for v, d in zip(operands, known, strict=True)],
    )
    totals = here.vjp(b, *cotangents, known=known, inside=inside, masks=behind)
    for v, d in inside.found.items():
        v = same.get(v, v)
        mask: Mask = ()
        if regions is not None and isinstance(here, Cond) and v in regions.results:
            v, then = regions.results[v]
            mask = chosen_mask(b, here.predicate, then, d)
        found[v] = _total(b, found, v, d)
        masks[v] = either(b, masks.get(v), mask, d)
    rows = zip(here.operands, operands, known, totals, strict=True)
    for i, (own, operand, before, total) in enumerate(rows):
        if total is None or operand not in reached or not differentiable(operand):
            continue
        if before is not None:
            del found[operand]  # what `total` begins with
        others = found.get(operand)
        found[operand] = _total(b, found, operand, total)
        mask = behind.found.get(i, ())
        masks[operand] = mask if others is None else either(b, masks.get(operand), mask, own)


def _total(b: Builder, found: Mapping[Value, Value], v: Value, cotangent: Value) -> Value:
    """The cotangent of `v` with what has been found of it."""
    return accumulated(b, found[v], cotangent) if v in found else _named_alike(b, cotangent, v)


def accumulated(b: Builder, known: Value, cotangent: Value) -> Value:
    """The sum of two cotangents. What gathers have made is added row by row, so that it costs the
    rows, and is done in place where `known` is not needed again."""
    parts: list[Scatter | ScatterAdd] = []
    cotangent = shaped(b, cotangent, known.shape)
    op = cotangent.op
    while isinstance(op, Scatter) and op.combine == "add":
        parts.append(op)
        op = op.base.op
    if not isinstance(op, ScatterAdd):
        return b.emit(Add(known, cotangent))
    for part in (op, *reversed(parts)):
        known = b.emit(Scatter(known, part.indices, part.updates, "add"))
    return known


def shaped(b: Builder, value: Value, shape: Shape) -> Value:
    """`value` with extents that are the same numbers: results of loops that grow alike have
    symbols of their own."""
    return value if value.shape == shape else b.emit(Reshape(value, shape))


def _named_alike(b: Builder, cotangent: Value, original: Value) -> Value:
    """A copy's cotangent with the extents of its original, which may be the same numbers by other
    names: each loop that keeps rows has a symbol for how many. (Of a value in a region there is one
    for each round, and the loop knows how many.)"""
    inside = len(cotangent.shape) != len(original.shape)
    return cotangent if inside else shaped(b, cotangent, original.shape)


def as_rows(b: Builder, cotangent: Value) -> tuple[Value, Value] | None:
    """A cotangent that gathers alone have made, as (indices, rows) that are still to be added up;
    None for another. What added them up is dead code then."""
    parts: list[Scatter | ScatterAdd] = []
    work = [cotangent.op]
    added: list[Op] = []  # updates whose base has been looked at
    while work:
        op = work.pop()
        if isinstance(op, Add):
            work += [op.y.op, op.x.op]
        elif isinstance(op, ScatterAdd) or op in added:
            parts.append(op)  # type: ignore[arg-type]
        elif isinstance(op, Scatter) and op.combine == "add":
            added.append(op)
            work += [op, op.base.op]
        else:
            return None
    if len(parts) == 1:
        return parts[0].indices, parts[0].updates
    kinds = {op.indices.dtype for op in parts}
    indices = [op.indices if len(kinds) == 1 else b.emit(Cast(op.indices, int64)) for op in parts]
    rows = b.emit(Concat(tuple(op.updates for op in parts), 0))
    return b.emit(Concat(tuple(indices), 0)), rows


def zeros_like(b: Builder, value: Value) -> Value:
    """A zero of the type of `value`."""
    return filled(b, value, 0)


def pullback(
    f: Function,
    known: Collection[int] = (),
    inside: Inside | None = None,
    again: bool = False,
    masks: Collection[int] | None = None,
) -> Function:
    """The function of (params, cotangents of the results) that gives the params' cotangents.

    Its note "connected" tells for which params there is one; it holds the part of `f` that the
    derivative needs, which `cse` merges with `f` itself where both are in one function. The
    cotangents of the params at `known` are taken last, and what `f` adds is added to them. The
    seeds of `inside` are taken before them; the cotangents of its leaves, as far as they are
    found, are given after the others. Where `f` is computed `again`, its ops are copies of others.

    Where `masks` are asked for, the results with these numbers have some, which are taken behind
    all cotangents of results; the note "masked" tells which params have one, too, and these are
    given last.
    """
    inside = inside or Inside()
    b = Builder(f"{f.name}.pullback")
    env: dict[Value, Value] = {p: b.parameter(p.type, p.name) for p in f.params}
    for op in f.body:
        copy_op(op, b, env)
    forward = tuple(b.body)
    params = b.params[: len(f.params)]
    given = [b.parameter(result.type) for result in f.returns]
    marks = {i: b.parameter(mask_type(f.returns[i])) for i in masks or ()}
    deep = Inside(
        {env.get(v, v): b.parameter(d.type) for v, d in inside.seeds.items()},
        [env.get(v, v) for v in inside.leaves],
    )
    before = {params[i]: b.parameter(params[i].type) for i in known}
    seeds = dict(before)
    found_masks: dict[Value, Mask] = {}
    for i, (result, seed) in enumerate(zip(f.returns, given, strict=True)):
        if differentiable(result):
            _add_seed(b, env[result], seed, marks.get(i), seeds, found_masks)
    found = cotangents(
        b, forward, seeds, params, inside=deep, masks=found_masks, known=before.keys() - found_masks
    )
    if again:
        for op, number in numbered(forward).items():
            mark_again(op, number)
    connected = tuple(p in found and found[p] is not before.get(p) for p in params)
    returns = [found[p] for p, used in zip(params, connected, strict=True) if used]
    masked = [
        masks is not None and used and bool(found_masks.get(p))
        for p, used in zip(params, connected, strict=True)
    ]
    ends = [joined(b, found_masks[p], p) for p, used in zip(params, masked, strict=True) if used]
    leaves = {v: deep.found[w] for v in inside.leaves if (w := env.get(v, v)) in deep.found}
    inside.found.update(leaves)
    inside.linked.update(v for v in inside.leaves if env.get(v, v) in deep.linked)
    notes = {"connected": connected, "masked": tuple(masked)}
    return dce(b.build(*returns, *leaves.values(), *ends, **notes))


def _add_seed(
    b: Builder,
    v: Value,
    seed: Value,
    mark: Value | None,
    seeds: dict[Value, Value],
    masks: dict[Value, Mask],
) -> None:
    """Add a seed of `v` to its others; it counts where `mark` holds, or everywhere."""
    mask: Mask = () if mark is None else ((mark, True),)
    masks[v] = either(b, masks.get(v), mask, v)
    seeds[v] = b.emit(Add(seeds[v], seed)) if v in seeds else seed


def linearize(
    f: Function,
    wanted: Sequence[int],
    body: bool = False,
    known: Collection[int] = (),
    inside: Inside | None = None,
    masks: Collection[int] | None = None,
) -> tuple[Function, Function, tuple[bool, ...]]:
    """`f` split for reverse mode with respect to the params at `wanted`.

    Gives (forward, backward, connected). `forward` returns what `f` returns, then residuals;
    `backward` takes the residuals, then cotangents of the float results, and returns the
    cotangents of the wanted params that are connected. Constants and broadcasts are cheaper to
    make again than to keep. The residuals of a loop's `body` are stacked, so what has an extent
    that differs from round to round is made again too. `backward` takes the cotangents of the
    params at `known`, as far as they are connected, last, and adds to them; before them seeds
    `inside`, and gives the cotangents of the leaves there last.
    """
    targets = [f.params[i] for i in wanted]
    cheap = (Constant, Broadcast)
    own = {str(s) for op in f.body for _, s in op.binds()} if body else set()

    def kept(v: Value) -> bool:
        if isinstance(v.op, cheap):
            return False
        return not own or own.isdisjoint(s for e in v.shape for s in symbols(e))

    before = [f.params[i] for i in known]
    backward, residuals, connected = reverse(
        f.name, f.body, f.returns, targets, kept, before, inside, masks
    )
    forward = Function(f.name, f.params, f.body, (*f.returns, *residuals), f.notes)
    return forward, backward, connected


def _binds_first(body: Sequence[Op]) -> tuple[Op, ...]:
    """`body` in another order: what binds extents, with all that it needs, stands in front."""
    sources = {str(s): op for op in reversed(body) for _, s in op.binds()}
    front: dict[Op, None] = {}

    def place(op: Op) -> None:
        before = [v.op for v in op.operands if v.op is not None]
        before += [sources[s] for s in op_symbols(op) if sources.get(s, op) is not op]
        for other in before:
            if other not in front:
                place(other)
        front[op] = None

    for op in body:
        if op.binds() and op not in front:
            place(op)
    return (*front, *(op for op in body if op not in front))


def _shown(type_: TensorType, late: set[str]) -> TensorType:
    """The type of a residual: an extent that is computed from what data tell is a symbol of its
    own, since nothing is known of the others before the residual is there."""
    shape = [
        e if str(e) in late or late.isdisjoint(symbols(e)) else fresh_symbol() for e in type_.shape
    ]
    return TensorType(type_.dtype, tuple(shape))


def reverse(
    name: str,
    ops: Sequence[Op],
    results: Sequence[Value],
    wanted: Sequence[Value],
    kept: Callable[[Value], bool],
    known: Sequence[Value] = (),
    inside: Inside | None = None,
    masks: Collection[int] | None = None,
) -> tuple[Function, list[Value], tuple[bool, ...]]:
    """The backward function of `ops`: (residuals, cotangents of float `results`, seeds `inside`,
    cotangents of `known` so far) to cotangents of `wanted`, and of leaves `inside`, of which it is
    told those that are found. Also which forward values the residuals are, and which of `wanted`
    is connected; of `known`, it takes what is.

    Where `masks` are asked for, it takes those of the results with these numbers behind the
    cotangents; its note "masked" tells which of `wanted` have one, and these are given last.

    A forward value that is not `kept` is computed again from ones that are.
    """
    inside = inside or Inside()
    b = Builder(f"{name}.backward")
    found_values: dict[Value, Value] = {}
    given: dict[Value, Value] = {}  # of these, the residuals
    late = {str(s) for op in ops for _, s in op.binds()}
    numbers: dict[Op, int] = {}

    def value_of(v: Value) -> Value:
        nonlocal numbers
        work = [v]
        while work:  # operands first; no recursion, since chains of ops may be long
            x = work[-1]
            if x in found_values:
                work.pop()
            elif x.op is None or kept(x):
                given[x] = Value(_shown(x.tensor_type, late), None, 0, x.name)
                same = given[x].type == x.type
                found_values[x] = given[x] if same else b.emit(Reshape(given[x], x.shape))
            elif missing := [y for y in x.op.operands if y not in found_values]:
                work.extend(missing)
            else:
                first = len(b.body)
                made = quiet(b, x.op.with_operands(found_values.__getitem__))
                numbers = numbers or numbered(ops)
                for op in b.body[first:]:
                    mark_again(op, numbers.get(x.op, 1))
                for old, new in zip(x.op.results, made, strict=True):
                    found_values.setdefault(old, new)  # another result may be kept
        return found_values[v]

    before = {v: Value(v.type) for v in known}
    seeds = dict(before)
    seed_params = []
    marks = {i: Value(mask_type(results[i])) for i in masks or ()}
    found_masks: dict[Value, Mask] = {}
    for i, result in enumerate(results):
        if differentiable(result):
            seed = Value(result.type)
            seed_params.append(seed)
            _add_seed(b, result, seed, marks.get(i), seeds, found_masks)
    untouched = before.keys() - found_masks
    found = cotangents(b, ops, seeds, wanted, value_of, inside, found_masks, untouched)
    connected = tuple(v in found and found[v] is not before.get(v) for v in wanted)
    reached = [v for v, there in zip(wanted, connected, strict=True) if there]
    masked = tuple(masks is not None and v in reached and bool(found_masks.get(v)) for v in wanted)
    ends = [joined(b, found_masks[v], v) for v, used in zip(wanted, masked, strict=True) if used]
    draft = b.build(*(found[v] for v in reached), *inside.found.values(), *ends)
    used = {v for op in live_ops(draft) for v in op.operands} | set(draft.returns)
    params = tuple(r for r in given.values() if r in used)
    free = unbound_symbols(dce(Function(draft.name, params, draft.body, draft.returns)))
    sizes = [(v, s) for op in ops for v, s in op.binds() if str(s) in free]
    for v, s in sizes:  # that depend on data, and that no residual shows
        b.emit_all(BindExtent(value_of(v), s))
    if any(op.binds() for op in b.body):
        draft = Function(draft.name, draft.params, _binds_first(b.body), draft.returns)
        used = {v for op in live_ops(draft) for v in op.operands} | set(draft.returns)
    residuals = [(v, r) for v, r in given.items() if r in used]
    totals = [total for v, total in before.items() if v in reached]
    taken = (*seed_params, *marks.values(), *inside.seeds.values(), *totals)
    params = (*(r for _, r in residuals), *taken)
    notes = None if masks is None else {"masked": masked}
    backward = dce(Function(draft.name, params, draft.body, draft.returns, notes))
    return backward, [v for v, _ in residuals], connected
