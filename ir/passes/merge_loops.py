"""`merge` runs loops once that would run twice: the gradient of a loop runs it again, with more
results. Of two loops that start alike and whose rounds compute alike, the one that gives more
takes the place of both."""

from __future__ import annotations

from collections.abc import Sequence

from ..copying import copy_op
from ..core import Builder, Function, Op, Value, structure
from ..journal import Did
from ..liveness import effectful
from ..ops.control import Scan, While
from ..ops.growing import GrowingWhile
from ..ops.shape import Constant
from .prune_carried import narrowed, needed_values


def merge(f: Function) -> Function:
    """Let loops that run alike run once."""
    if f.op_classes.isdisjoint((While, Scan)):
        return f
    loops = [op for op in f.body if isinstance(op, While | Scan) and not effectful(op)]
    if len(loops) < 2:
        return f
    larger: dict[Op, While | Scan] = {}  # what takes the place of a loop, at the first of both
    absorbed: dict[Op, Op] = {}  # loops that are gone, and what stands for them
    for i, first in enumerate(loops):
        for second in loops[i + 1 :]:
            if first in absorbed or second in absorbed:
                continue
            if isinstance(first, While) is not isinstance(second, While):
                continue
            if not _known(first, second):
                continue
            small, large = sorted((first, second), key=lambda op: len(op.results))
            if _alike(small, large):
                larger[first] = large
                absorbed[second] = first
                break
    if not larger:
        return f
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    made: dict[Op, Sequence[Value]] = {}
    for op in f.body:
        b.location = op.location
        if op in absorbed:
            large, results = larger[absorbed[op]], made[absorbed[op]]
            b.note(
                op, Did.SAME, "the two loops start alike, and their rounds compute alike", results
            )
        elif op in larger:
            large = larger[op]
            for v in large.operands:
                if isinstance(v.op, Constant) and v not in env:
                    env[v] = b.emit(Constant(v.op.value))
            results = b.emit_all(large.with_operands(lambda v: env.get(v, v)))
            b.became(op, results)
        else:
            copy_op(op, b, env)
            continue
        made[op] = results
        env.update((v, results[_place(v, op, large)]) for v in op.results)
    returns = tuple(env.get(v, v) for v in f.returns)
    return merge(Function(f.name, f.params, tuple(b.body), returns, f.notes))


def _place(v: Value, op: Op, large: While | Scan) -> int:
    """Which result of `large` is `v` of `op`: itself or smaller."""
    if op is large or not isinstance(op, GrowingWhile) or v.index < len(op.init) + len(op.bound):
        return v.index
    assert isinstance(large, GrowingWhile)
    return v.index + len(large.bound) - len(op.bound)


def _known(first: While | Scan, second: While | Scan) -> bool:
    """Whether what the second starts from is there where the first stands."""
    have = set(first.operands)
    return all(v in have or isinstance(v.op, Constant) for v in second.operands)


def _alike(small: While | Scan, large: While | Scan) -> bool:
    """Whether the results of `small` are the first ones of `large`."""
    n, extra = len(small.init), len(large.init)
    alike = large.init[:n] == small.init and large.captured == small.captured
    if isinstance(small, Scan):
        assert isinstance(large, Scan)
        alike = alike and (extra, large.xs) == (n, small.xs)
        alike = alike and (large.count, large.reverse) == (small.count, small.reverse)
        count, params = len(small.results), list(large.body.params)
        return alike and _same(small.body, large.body, params, count)
    assert isinstance(small, While) and isinstance(large, While)
    if isinstance(small, GrowingWhile):
        alike = (
            alike
            and isinstance(large, GrowingWhile)
            and (extra, large.inside) == (n, small.inside)
            and large.bound[: len(small.bound)] == small.bound
        )
    pairs = ((small.condition, large.condition), (small.body, large.body))
    return alike and all(
        _same(a, b, [*b.params[:n], *b.params[extra:]], len(a.returns)) for a, b in pairs
    )


def _same(small: Function, large: Function, params: Sequence[Value], count: int) -> bool:
    """Whether `large` computes its first results of these params as `small` does."""
    returns = large.returns[:count]
    needed = needed_values(large, returns)
    if any(p in needed for p in large.params if p not in params):
        return False
    part = narrowed(large, params, returns)
    whole = narrowed(small, small.params, small.returns[:count])
    return bool(structure(part) == structure(whole))
