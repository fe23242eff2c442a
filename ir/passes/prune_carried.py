"""`prune` drops what loops carry and branches give although nothing needs it.

A carried value is needed where the loop's condition, an effect, a result that is used, or another
needed value depends on it. So a loop that is run for one of its results alone, such as the count
of its rounds, computes that alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from weakref import WeakKeyDictionary

from ..copying import copy_op, name_like, symbol_sources
from ..core import Builder, Function, Op, Value
from ..dtypes import bool_
from ..journal import Did
from ..liveness import effectful, scalars_needed, sizes_needed
from ..ops.checks import Check, Fail
from ..ops.control import Cond, Control, Scan, While
from ..ops.functional import Call, CustomGradient
from ..ops.growing import GrowingWhile
from ..ops.host_functions import HostEffect
from ..ops.printing import Print
from ..ops.python import PythonRun


def without_effects(f: Function, first: int | None = None) -> Function:
    """`f` without what it prints and checks: for where it is run once more. Python functions of
    the user's do not run once more: what they have given is found again. Of the ops only the
    `first` are looked at, where that is given."""
    return silenced(f, first)[0]


def silenced(f: Function, first: int | None = None) -> tuple[Function, dict[Value, Value]]:
    """As `without_effects`; also which values have become others."""
    env: dict[Value, Value] = {}
    if not any(map(effectful, f.body[:first])):
        return f, env
    b = Builder(f.name)
    for i, op in enumerate(f.body):
        b.location = op.location
        if effectful(op) and (first is None or i < first):
            here = op.with_operands(lambda v: env.get(v, v))
            env.update(zip(op.results, quiet(b, here, env), strict=True))
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes), env


def quiet(b: Builder, op: Op, env: dict[Value, Value] | None = None) -> tuple[Value, ...]:
    """What an op gives, computed once more without its effects. `env` is told which values in its
    regions have become others."""
    match op:
        case Check(condition=condition):
            return (condition,)
        case Print() | Fail():
            return (b.constant(False, bool_),)
        case PythonRun() | HostEffect():
            return b.emit_all(op.quiet())
        case Control() | CustomGradient() | Call() if effectful(op):
            names = [n for n in op.spec.regions if n != "backward"]
            parts = {name: silenced(getattr(op, name)) for name in names}
            op = op.replace(**{name: region for name, (region, _) in parts.items()})
            if env is not None:
                for _, changed in parts.values():
                    env.update(changed)
    return b.emit_all(op)


def needed_values(f: Function, wanted: Iterable[Value]) -> set[Value]:
    """What the `wanted` values of `f`, and its effects, depend on."""
    needed = set(wanted)
    sources = symbol_sources(f)
    needed.update(sizes_needed(sources, needed))
    for op in reversed(f.body):
        if needed.isdisjoint(op.results) and not (op.effect or effectful(op)):
            continue
        if isinstance(op, Control):
            needed.update(_operands(op, _used(op, needed)))
        else:
            needed.update(op.operands)
        if sources:
            needed.update(scalars_needed(sources, op))
    return needed


def _used(op: Op, needed: set[Value]) -> set[int]:
    """The numbers of the results that are needed: at least one, where there are any."""
    return {r.index for r in op.results if r in needed} or set(range(min(1, len(op.results))))


# What regions need is asked again by each loop around, in each round of its search: without these
# notes, nested loops would take exponentially long.
_needs: WeakKeyDictionary[Op, dict[frozenset[int], dict[Function, set[Value]]]]
_needs = WeakKeyDictionary()


def needed_params(op: Control, results: Iterable[int]) -> Mapping[Function, Set[Value]]:
    """For each region what these results, and the effects, depend on."""
    wanted = frozenset(results)
    known = _needs.setdefault(op, {})
    if wanted not in known:
        known[wanted] = _needed_params(op, set(wanted))
    return known[wanted]


def _needed_params(op: Control, results: set[int]) -> dict[Function, set[Value]]:
    match op:
        case Cond():
            return {r: needed_values(r, [r.returns[i] for i in results]) for r in op.regions}
        case While(condition=condition, body=body):
            count = len(op.init)
            test = needed_values(condition, condition.returns)
            if isinstance(op, GrowingWhile):
                results = _given(op, results)
            carried = results | {i for i, p in enumerate(condition.params[:count]) if p in test}
            while True:
                found = needed_values(body, [body.returns[i] for i in carried])
                more = {i for i, p in enumerate(body.params[:count]) if p in found}
                if more <= carried:
                    return {condition: test, body: found}
                carried |= more
        case Scan(body=body):
            count, wanted = len(op.init), set(results)
            while True:
                found = needed_values(body, [body.returns[i] for i in wanted])
                more = {i for i, p in enumerate(body.params[1 : 1 + count]) if p in found}
                if more <= wanted:
                    return {body: found}
                wanted |= more
    raise NotImplementedError(op.mnemonic)


def _given(op: GrowingWhile, results: set[int]) -> set[int]:
    """What the body must give for these results: carried values that change their extents too."""
    n, first = len(op.init), len(op.init) + len(op.bound)
    wanted = {i for i in results if i < n} | {i for i, _ in op.varying()}
    wanted |= {i - len(op.bound) for i in results if i >= first}
    lengths = range(n + len(op.inside) + 1, first)
    wanted |= {n + k for i, k in zip(lengths, op.ragged, strict=True) if i in results}
    return wanted


def _operands(op: Control, results: set[int]) -> list[Value]:
    """The operands that results with these numbers depend on."""
    found = needed_params(op, results)
    match op:
        case Cond(predicate=predicate, args=args):
            sides = list(found.items())
            kept = [a for i, a in enumerate(args) if any(r.params[i] in live for r, live in sides)]
            return [predicate, *kept]
        case While(init=init, condition=condition, body=body):
            live = found[condition] | found[body]
            if isinstance(op, GrowingWhile):
                results = _given(op, results)
            pairs = zip(op.operands, condition.params, body.params, strict=True)
            n = len(init)
            return [
                v
                for i, (v, p, q) in enumerate(pairs)
                if p in live or q in live or (i < n and i in results)
            ]
        case Scan(init=init, body=body):
            live = found[body]
            n, params = len(init), body.params[1:]
            return [
                v
                for i, v in enumerate(op.operands)
                if params[i] in live or (i < n and i in results)
            ]
    raise NotImplementedError(op.mnemonic)


def prune(f: Function) -> Function:
    """Drop what loops carry, and what branches give and take, where nothing needs it."""
    if Control not in f.op_classes:
        return f
    needed = needed_values(f, f.returns)
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if not isinstance(op, Control):
            if op.effect or not needed.isdisjoint(op.results):
                copy_op(op, b, env)
            else:
                b.note(op, Did.DROPPED, "no result and no effect needs it")
            continue
        if needed.isdisjoint(op.results) and not effectful(op):
            b.note(op, Did.DROPPED, "no result and no effect needs it")
            continue
        kept, here = _pruned(op, _used(op, needed))
        here = here.with_operands(lambda v: env.get(v, v))
        made = b.emit_all(here)
        name_like(made, [op.results[i] for i in kept])
        env.update(zip((op.results[i] for i in kept), made, strict=True))
        less = _less(op, here)
        if less:
            b.note(op, Did.NARROWED, less, made)
        else:
            b.became(op, made)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _less(op: Control, here: Control) -> str:
    """What `here` does without, of what `op` has."""
    results = len(op.results) - len(here.results)
    operands = len(op.operands) - len(here.operands)
    counts = {"result": results, "operand": operands}
    return ", ".join(f"{n} {what}{'s' * (n > 1)} fewer" for what, n in counts.items() if n)


def _pruned(op: Control, used: set[int]) -> tuple[list[int], Control]:
    """The op with what its results at `used` need alone, and which results it has."""
    found = needed_params(op, used)
    match op:
        case Cond(args=args):
            sides = list(found.items())
            places = [i for i in range(len(args)) if any(r.params[i] in live for r, live in sides)]
            kept = sorted(used)
            then, orelse = (
                narrowed(r, [r.params[i] for i in places], [r.returns[i] for i in kept])
                for r in op.regions
            )
            taken = tuple(args[i] for i in places)
            return kept, Cond(op.predicate, taken, then, orelse)
        case While(init=init, captured=captured, condition=condition, body=body):
            live = found[condition] | found[body]
            n = len(init)
            if isinstance(op, GrowingWhile):
                used = _given(op, used)
            kept = [
                i
                for i in range(n)
                if i in used or condition.params[i] in live or body.params[i] in live
            ]
            held = [
                n + j
                for j in range(len(captured))
                if condition.params[n + j] in live or body.params[n + j] in live
            ]
            places = [*kept, *held]
            test = narrowed(condition, [condition.params[i] for i in places], condition.returns)
            rows = [i for i in range(n, len(body.returns)) if i in used]
            gives = [body.returns[i] for i in (*kept, *rows)]
            step = narrowed(body, [body.params[i] for i in places], gives)
            start, taken = tuple(init[i] for i in kept), tuple(captured[j - n] for j in held)
            if not isinstance(op, GrowingWhile):
                return kept, While(start, taken, test, step)
            fixed = len(op.inside) + 1
            bound = list(range(fixed))
            bound += [fixed + j for j, k in enumerate(op.ragged) if n + k in used]
            symbols_ = tuple(op.bound[j] for j in bound)
            places = [*kept, *(n + j for j in bound), *(i + len(op.bound) for i in rows)]
            return places, GrowingWhile(start, taken, test, step, op.inside, symbols_)
        case Scan(init=init, xs=xs, captured=captured, body=body):
            live, n, m = found[body], len(init), len(xs)
            carried = [i for i in range(n) if i in used or body.params[1 + i] in live]
            rows = [i for i in range(n, len(op.results)) if i in used]
            slices = [j for j in range(m) if body.params[1 + n + j] in live]
            held = [j for j in range(len(captured)) if body.params[1 + n + m + j] in live]
            kept = [*carried, *rows]
            params = [body.params[0], *(body.params[1 + i] for i in carried)]
            params += [body.params[1 + n + j] for j in slices]
            params += [body.params[1 + n + m + j] for j in held]
            step = narrowed(body, params, [body.returns[i] for i in kept])
            residuals = sum(i >= len(op.results) - op.residuals for i in rows)
            return kept, Scan(
                tuple(init[i] for i in carried),
                tuple(xs[j] for j in slices),
                tuple(captured[j] for j in held),
                op.count,
                op.reverse,
                residuals,
                step,
            )
    raise NotImplementedError(op.mnemonic)


def narrowed(f: Function, params: Sequence[Value], returns: Sequence[Value]) -> Function:
    """`f` with these params and results only, and what they need."""
    needed = needed_values(f, returns)
    body = tuple(
        op for op in f.body if op.effect or effectful(op) or not needed.isdisjoint(op.results)
    )
    narrowed = prune(Function(f.name, tuple(params), body, tuple(returns), f.notes))
    fresh = tuple(Value(p.type, None, i, p.name) for i, p in enumerate(narrowed.params))
    b = Builder(f.name)
    env = dict(zip(narrowed.params, fresh, strict=True))
    for op in narrowed.body:
        copy_op(op, b, env)
    return Function(f.name, fresh, tuple(b.body), tuple(env[v] for v in narrowed.returns), f.notes)
