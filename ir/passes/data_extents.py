"""Functions with extents that depend on data, cut into stages with extents that do not.

Each `BindExtent` makes a value into a size. What needs that size, in types or attributes, is put
into a later stage than the value; effects keep their order. A stage is an ordinary function: it
takes what earlier stages made, and gives what later ones need.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..copying import copy_op, op_symbols, unbound_symbols
from ..core import Builder, Function, Op, Value
from ..ops.extents import BindExtent
from ..value_classes import NamedTuple


class Stage(NamedTuple):
    """One stage of a function, in terms of the function's values."""

    function: Function
    inputs: tuple[Value, ...]  # what its params are
    outputs: tuple[Value, ...]  # what its results are
    binds: tuple[tuple[Value, str], ...]  # outputs that are the values of symbols from here on
    scalars: tuple[str, ...]  # symbols that no extent of its params is


def stages(f: Function) -> Iterator[Stage]:
    """`f` in stages. The first takes all params of `f`, the last gives its results."""
    place = _places(f)
    count = 1 + max(place.values(), default=0)
    made = {v: place[op] for op in f.body for v in op.results}
    made.update(dict.fromkeys(f.params, -1))
    needed: list[set[Value]] = [set() for _ in range(count)]  # from before, by stage
    for op in f.body:
        if not isinstance(op, BindExtent):
            needed[place[op]].update(v for v in op.operands if made[v] < place[op])
    for i in range(count):
        last = i == count - 1
        binds = tuple(
            (op.value, str(op.symbol))
            for op in f.body
            if isinstance(op, BindExtent) and place[op] == i and not last  # nothing comes after
        )
        inputs = f.params if i == 0 else tuple(v for v in made if v in needed[i])
        wanted = set().union(*needed[i + 1 :], f.returns)
        if last:
            inputs = tuple(dict.fromkeys((*inputs, *(v for v in f.returns if made[v] < i))))
            outputs = f.returns
        else:
            own = (v for v in made if made[v] == i and v in wanted)
            outputs = tuple(dict.fromkeys((*own, *(v for v, _ in binds))))
        body = tuple(op for op in f.body if place[op] == i and not isinstance(op, BindExtent))
        stage = _closed(Function(f"{f.name}.{i}", inputs, body, outputs, f.notes))
        yield Stage(stage, inputs, outputs, binds, unbound_symbols(stage))


def _places(f: Function) -> dict[Op, int]:
    """The stage of each op. A binding belongs to the stage that makes its value."""
    place: dict[Op, int] = {}
    known: dict[str, int] = {}  # from which stage on a symbol has a value
    effects = 0
    for op in f.body:
        at = max((place[v.op] for v in op.operands if v.op is not None), default=0)
        if isinstance(op, BindExtent):
            known[str(op.symbol)] = at + 1
        else:
            at = max([at, *(known.get(s, 0) for s in op_symbols(op))])
            if op.effect:
                at = effects = max(at, effects)
        place[op] = at
    return place


def _closed(f: Function) -> Function:
    """`f` with params of its own, where they are results of ops of another stage."""
    params = tuple(Value(p.type, None, i, p.name) for i, p in enumerate(f.params))
    env = dict(zip(f.params, params, strict=True))
    b = Builder(f.name)
    for op in f.body:
        copy_op(op, b, env)
    return Function(f.name, params, tuple(b.body), tuple(env[v] for v in f.returns), f.notes)
