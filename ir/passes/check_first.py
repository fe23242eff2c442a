"""Checks of the indices at which Variables are updated, before anything is written.

New values of Variables may take the place of the old ones where nothing fails behind the first
write (backends/llvm/donation.py). An update at computed indices looks at each of them when it comes
to it; so its indices are looked at first, all at once: a step of a table of a million rows costs
what its few rows do, and no copy of the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..copying import copy_op
from ..core import Builder, Function, Op, Value
from ..extent import Extent
from ..ops.gather import CheckedIndex, Gather, ScatterAdd
from ..ops.indexing import Scatter, scattered


def check_first(f: Function, updates: Iterable[tuple[int, int]]) -> Function:
    """`f` with checks of the indices of what becomes a new value of a param by scatters alone. Its
    notes have what these checks give, as "checked_first": it is stored, so that all is checked.

    `updates` are pairs of a result and the param whose new value it is.
    """
    wanted: dict[tuple[Value, Extent], Op] = {}  # what is checked, and the op that asks first
    for result, param in updates:
        value, chain = scattered(f.returns[result])
        if value is f.params[param]:
            for scatter in chain:
                wanted.setdefault((scatter.indices, scatter.indexed), scatter)
    if not wanted:
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    checked: dict[tuple[Value, Extent], Value] = {}

    def check(values: Iterable[Value]) -> None:
        for value in values:
            for (indices, extent), op in wanted.items():
                if indices is value:
                    b.location = op.location
                    made = CheckedIndex(env.get(value, value), extent, op.mnemonic)
                    checked[indices, extent] = b.emit(made)

    check(f.params)
    for op in f.body:
        here = env
        if isinstance(op, Gather | Scatter | ScatterAdd):
            known = checked.get((op.indices, op.indexed))
            here = env if known is None else {**env, op.indices: known}
        copy_op(op, b, here)
        env.update((v, here[v]) for v in op.results)
        check(op.results)
    returns = tuple(env.get(v, v) for v in f.returns)
    notes = {**f.notes, "checked_first": tuple(checked.values())}
    return Function(f.name, f.params, tuple(b.body), returns, notes)
