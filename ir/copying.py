"""How functions are emitted anew: into other builders, on other values, with other symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .core import Builder, Function, Op, Value, give_results, types_of
from .extent import Expr, Extent, fresh_symbol, substitute, symbols
from .journal import Did


def transfer(
    f: Function,
    b: Builder,
    arguments: Sequence[Value],
    keep: Callable[[Op], bool] | None = None,
    extents: Mapping[str, Extent] | None = None,
) -> tuple[Value, ...]:
    """Emit the body of `f` into `b` on `arguments`; returns what `f` returns there.

    `extents` says what the symbols of `f` are in `b`, where they have other names there.
    """
    env: dict[Value, Value] = dict(zip(f.params, arguments, strict=True))
    for op in f.body:
        if keep is None or keep(op):
            copy_op(op, b, env, extents)
    return tuple(env[v] for v in f.returns)


def copy_op(
    op: Op, b: Builder, env: dict[Value, Value], extents: Mapping[str, Extent] | None = None
) -> None:
    """Emit `op` into `b` with its operands as `env` says, and note its results there."""
    b.location = op.location
    here = op.with_operands(lambda v: env.get(v, v))
    if extents:
        names = here.spec.attributes
        changed = {name: substituted(getattr(here, name), extents) for name in names}
        for name in here.spec.regions:
            changed[name] = renamed(getattr(here, name), extents)
        here = here.replace(**changed)
    elif types_of(op.operands) == types_of(here.operands):
        give_results(here, [v.type for v in op.results], op.location)  # no need to infer
    if b.journal is None:
        made = b.emit_all(here)
    else:
        b.origin = op
        made = b.emit_all(here)
        b.origin = None
        b.became(op, made)
    if made and made[0].op is here:
        name_like(made, op.results)
    if op.again and made and made[0].op is here:
        mark_again(here, op.again)
    env.update(zip(op.results, made, strict=True))


def name_like(made: Sequence[Value], others: Sequence[Value]) -> None:
    """Let values that are new be called as those whose place they take."""
    for v, other in zip(made, others, strict=True):
        v.name = other.name


def mark_again(op: Op, number: int = 1) -> None:
    """Note that `op` computes what the n-th op gave that does so: see
    ir/autodiff/recomputation.py."""
    object.__setattr__(op, "again", number)


def substituted(value: Any, extents: Mapping[str, Extent]) -> Any:
    """An attribute with the symbols in it replaced."""
    if isinstance(value, Expr):
        return substitute(value, extents)
    if isinstance(value, tuple) and any(isinstance(v, Expr) for v in value):
        return tuple(substitute(v, extents) if isinstance(v, Expr) else v for v in value)
    return value


def renamed(f: Function, extents: Mapping[str, Extent]) -> Function:
    """`f` with other symbols in its types and attributes."""
    b = Builder(f.name)
    params = []
    for p in f.params:
        shape = tuple(substitute(e, extents) for e in p.type.shape)
        params.append(b.parameter(type(p.type)(p.type.dtype, shape), p.name))
    returns = transfer(f, b, params, extents=extents)
    return Function(f.name, tuple(b.params), tuple(b.body), returns, f.notes)


def instantiate(
    f: Function,
    b: Builder,
    arguments: Sequence[Value],
    extents: Mapping[str, Extent] | None = None,
) -> tuple[Value, ...]:
    """Emit the body of `f` on arguments whose extents stand for the symbols of `f`'s params;
    `extents` says what the others are."""
    known: dict[str, Extent] = dict(extents or {})
    for op in f.body:
        for _, name in op.binds():
            known[str(name)] = fresh_symbol()
    for p, a in zip(f.params, arguments, strict=True):
        for mine, theirs in zip(p.type.shape, a.type.shape, strict=True):
            if isinstance(mine, Expr) and str(mine).isidentifier():
                known[str(mine)] = theirs
    return transfer(f, b, arguments, extents=known)


def op_symbols(op: Op) -> dict[str, None]:
    """The symbols in the result types and attributes of an op and of its regions, in order; but
    for those that the regions bind themselves."""
    used: dict[str, None] = {}
    for v in op.results:
        _note_symbols(v.shape, used)
    for name in op.spec.attributes:
        value = getattr(op, name)
        _note_symbols(value if isinstance(value, tuple) else (value,), used)
    for region in op.regions:
        inside: dict[str, None] = {}
        for inner in region.body:
            inside.update(op_symbols(inner))
        for inner in region.body:
            for _, name in inner.binds():
                inside.pop(str(name), None)
        used.update(inside)
    for own in op.local_symbols():
        used.pop(own, None)
    return used


def _note_symbols(items: Iterable[object], used: dict[str, None]) -> None:
    """Add those of the extents among `items`."""
    for item in items:
        if type(item) is Expr:
            used.update(dict.fromkeys(symbols(item)))


def symbol_sources(f: Function) -> dict[str, Value]:
    """The symbols that control flow in `f` binds, and the scalars that they are. A loop that is
    run again binds what is bound already: the first one counts."""
    binding = [op for op in f.body if op.may_bind and not op.effect]
    return {str(s): v for op in reversed(binding) for v, s in op.binds()}


def unbound_symbols(f: Function) -> tuple[str, ...]:
    """The symbols in `f` that no extent of a param is, nor data."""
    bound = {str(e) for p in f.params for e in p.shape}
    used: dict[str, None] = {}
    for p in f.params:
        _note_symbols(p.shape, used)
    for op in f.body:
        used.update(op_symbols(op))
        if op.may_bind:
            bound.update([str(name) for _, name in op.binds()])
    return tuple(name for name in used if name not in bound)


def rebuild(f: Function, b: Builder, keep: Callable[[Op], bool] | None = None) -> Function:
    """`f` emitted anew through `b`: what most passes are. Ops that come out as they went in
    belong to both functions."""
    b.name = f.name
    b.params = list(f.params)
    env: dict[Value, Value] = {}  # what became of the values that changed
    for op in f.body:
        if keep is not None and not keep(op):
            b.note(op, Did.DROPPED, "no result and no effect needs it")
            continue
        if env and not env.keys().isdisjoint(op.operands):
            copy_op(op, b, env)
            continue
        b.location = op.location
        results = b.emit_all(op)
        if results is not op.results:
            env.update(zip(op.results, results, strict=True))
    if not env and len(b.body) == len(f.body):
        return f
    returns = tuple([env.get(v, v) for v in f.returns])
    return Function(b.name, f.params, tuple(b.body), returns, f.notes)
