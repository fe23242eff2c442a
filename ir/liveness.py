"""What the results and effects of a function need, and whether it runs in stages: what is asked of
every function that is compiled, and of those whose programs are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .copying import op_symbols, symbol_sources
from .core import Function, Op, Value
from .extent import symbols
from .ops.control import Control
from .ops.extents import BindExtent
from .ops.functional import Call, CustomGradient


def effectful(op: Op) -> bool:
    """Whether dropping or repeating `op` would be seen: effects inside of regions count."""
    if op.effect:
        return not isinstance(op, BindExtent)
    match op:
        case CustomGradient(forward=callee) | Call(callee=callee):
            return any(map(effectful, callee.body))
        case Control():
            return any(effectful(inner) for region in op.regions for inner in region.body)
    return False


def live_ops(f: Function) -> set[Op]:
    """The ops that results and effects need."""
    needed = set(f.returns)
    live: set[Op] = set()
    sources = symbol_sources(f)
    needed.update(sizes_needed(sources, f.returns))
    for op in reversed(f.body):
        if op.effect or not needed.isdisjoint(op.results) or effectful(op):
            live.add(op)
            needed.update(op.operands)
            if sources:
                needed.update(scalars_needed(sources, op))
    return live


def sizes_needed(sources: Mapping[str, Value], values: Iterable[Value]) -> list[Value]:
    """The scalars that are extents of `values`; `sources` says which symbols are scalars."""
    if not sources:
        return []
    return [sources[s] for v in values for e in v.shape for s in symbols(e) if s in sources]


def scalars_needed(sources: Mapping[str, Value], op: Op) -> list[Value]:
    """The scalars that are extents in the types and attributes of `op`."""
    return [sources[s] for s in op_symbols(op) if s in sources and sources[s].op is not op]


def is_staged(f: Function) -> bool:
    """Whether results of `f` have extents that depend on data; programs bind others themselves."""
    if any(op.binds() and not isinstance(op, BindExtent) for op in f.body):
        return False  # such programs allocate their results themselves
    bound = {str(op.symbol) for op in f.body if isinstance(op, BindExtent)}
    return any(not bound.isdisjoint(symbols(e)) for v in f.returns for e in v.shape)
