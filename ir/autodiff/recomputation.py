"""What a derivative computes again, and where it was computed first.

Backward code holds copies of forward ops (`Op.again`): broadcasts that were not kept, what a branch
needs, loops that run once more to keep residuals. When it is differentiated itself, a copy and
its original are one value, as they are on an eager tape: what flows back to both is added up before
it goes on to their operands, in program order. `repeats` finds the originals: ops that compute
alike from what is the same. The copy may stand in a region, and its original in a region of an
op before: in the branch of a `Cond` that is taken when this one is, or in the same round of a
loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..core import Function, Op, Value, structure
from ..extent import Extent, symbols
from ..ops.control import Cond, Scan, While
from ..ops.growing import GrowingWhile
from ..passes.prune_carried import without_effects


def repeats(ops: Sequence[Op], others: Collection[Value] = ()) -> dict[Value, Value]:
    """The originals of the values in `ops` and their regions that repeat others.

    Where one of two loops that run alike keeps rows, these repeat the values of the other's body.
    The `others` repeat something that is not in `ops`.
    """
    if not any(op.again for op in _walk(ops)):
        return {}
    search = _Search()
    search.visit(ops, _Scope())
    found = {v: original for v, original in search.found.items() if v not in others}
    there: set[Value] = set()  # but in regions of copies
    for op in ops:
        if not any(r in search.found or r in others for r in op.results):
            there |= {*op.results, *values_inside(op)}
    # Copies may share regions with what they are copies of: a value is none of itself.
    return {v: original for v, original in found.items() if original in there and v is not original}


def numbered(ops: Sequence[Op]) -> dict[Op, int]:
    """Which ops compute the same as earlier ones, the first 1, the second 2, and so on."""
    counts: dict[Any, int] = {}
    numbers = {}
    for op in ops:
        key = op if op.regions else op.key()
        numbers[op] = counts[key] = counts.get(key, 0) + 1
    return numbers


def values_inside(op: Op) -> set[Value]:
    """The values of all regions of an op."""
    return set().union(*map(values_of, op.regions))


def values_of(region: Function) -> set[Value]:
    """The values of a region, and of those in it."""
    inside = {*region.params}
    for inner in region.walk():
        inside.update(inner.results)
        for deeper in inner.regions:
            inside.update(deeper.params)
    return inside


def _walk(ops: Sequence[Op]) -> Iterator[Op]:
    for op in ops:
        yield op
        for region in op.regions:
            yield from region.walk()


class _Scope:
    """The ops among which originals may be."""

    def __init__(self) -> None:
        self.plain: dict[Any, list[Sequence[Value]]] = {}
        self.conds: list[Cond] = []
        self.loops: list[While | Scan] = []


class _Search:
    def __init__(self) -> None:
        self.found: dict[Value, Value] = {}
        self.same: dict[Value, Value] = {}  # as `found`, and what params of regions stand for
        self.rounds: dict[Extent, While | Scan] = {}  # the loops that run so often
        self.scopes: dict[Function, _Scope] = {}

    def of(self, v: Value) -> Value:
        return self.same.get(v, v)

    def visit(self, ops: Sequence[Op], scope: _Scope) -> None:
        """Look for the originals of `ops` in `scope`, to which they belong themselves."""
        for op in ops:
            if not self._repeats(op, scope, (), frozenset()):
                self._add(op, scope)

    def _region(
        self, f: Function, scope: _Scope, counts: tuple[Extent, ...], own: frozenset[str]
    ) -> None:
        """Look for the originals of what a region computes. `counts` are those of the loops around
        it; a value stays there if the extents of all its rounds are `own` symbols of regions."""
        own = own.union(str(s) for op in f.body for _, s in op.binds())
        for op in f.body:
            self._repeats(op, scope, counts, own)

    def _repeats(
        self, op: Op, scope: _Scope, counts: tuple[Extent, ...], own: frozenset[str]
    ) -> bool:
        """Whether `op`, or what is in its regions, has been looked for and `op` itself found."""
        pairs = self._original(op, scope, op.again) if op.again else []
        self.same.update(pairs)
        extents = [e for v, _ in pairs for e in (*v.shape, *counts)]
        if own.isdisjoint(s for e in extents for s in symbols(e)):
            self.found.update(pairs)
        if not pairs and isinstance(op, Cond):
            self._cond(op, scope, counts, own)
        elif not pairs and isinstance(op, Scan):
            self._scan(op, scope, (*counts, op.count), own)
        return bool(pairs)

    def _key(self, op: Op) -> Any:
        return op.with_operands(self.of).key()

    def _add(self, op: Op, scope: _Scope) -> None:
        match op:
            case Cond():
                scope.conds.append(op)
            case GrowingWhile() if op.inside:
                pass
            case While() | Scan():
                scope.loops.append(op)
            case _ if not op.regions and not op.effect:
                scope.plain.setdefault(self._key(op), []).append(op.results)

    def _scope(self, region: Function) -> _Scope:
        scope = self.scopes.get(region)
        if scope is None:
            scope = self.scopes[region] = _Scope()
            for op in region.body:
                self._add(op, scope)
        return scope

    def _alike(self, values: Sequence[Value], others: Sequence[Value]) -> bool:
        return [*map(self.of, values)] == [*map(self.of, others)]

    def _original(self, op: Op, scope: _Scope, number: int) -> list[tuple[Value, Value]]:
        """What the results of a copy repeat."""
        match op:
            case Cond():
                for cond in scope.conds:
                    if self._alike(op.operands, cond.operands) and all(
                        map(_equal, op.regions, cond.regions)
                    ):
                        return list(zip(op.results, cond.results, strict=True))
            case GrowingWhile() if op.inside:
                pass
            case While() | Scan():
                for loop in scope.loops:
                    if pairs := self._rows(op, loop):
                        return pairs
            case _ if not op.regions:
                originals = scope.plain.get(self._key(op), ())
                if number <= len(originals):
                    return list(zip(op.results, originals[number - 1], strict=True))
        return []

    def _rows(self, op: While | Scan, loop: While | Scan) -> list[tuple[Value, Value]]:
        """What the results of `op` repeat, if it is `loop` with more rows."""

        n = len(loop.init)
        if len(op.init) != n or not self._alike(op.operands, loop.operands):
            return []
        if isinstance(op, Scan) and isinstance(loop, Scan):
            if (op.count, op.reverse, len(op.xs)) != (loop.count, loop.reverse, len(loop.xs)):
                return []
        elif isinstance(op, While) and isinstance(loop, While):
            if not _equal(without_effects(op.condition), without_effects(loop.condition)):
                return []
        else:
            return []
        self._correspond(op.body, loop.body)
        if not self._alike(op.body.returns[:n], loop.body.returns[:n]):
            return []
        pairs = list(zip(op.results[:n], loop.results, strict=False))
        first, known = n, loop.results[n:]
        if isinstance(op, GrowingWhile):
            self.rounds[op.rounds] = loop
            first += len(op.bound)
            if isinstance(loop, GrowingWhile):
                pairs += zip(op.results[n:first], loop.results[n:], strict=False)
                known = loop.results[n + len(loop.bound) :]
        for k, v in enumerate(op.results[first:]):
            inner = self.of(op.body.returns[n + k])
            if k < len(known) and self._alike([inner], [loop.body.returns[n + k]]):
                pairs.append((v, known[k]))
            else:
                pairs.append((v, inner))
        return pairs

    def _correspond(self, copy: Function, region: Function) -> None:
        """Note which values of a region those of a copy of it are."""
        if copy.params == region.params and set(copy.body) <= set(region.body):
            return
        self.same.update(zip(copy.params, region.params, strict=True))
        scope = self._scope(region)
        numbers = numbered(copy.body)
        for op in copy.body:
            self.same.update(self._original(op, scope, numbers[op]))

    def _cond(
        self, op: Cond, scope: _Scope, counts: tuple[Extent, ...], own: frozenset[str]
    ) -> None:
        for cond in scope.conds:
            if cond is op or self.of(cond.predicate) is not self.of(op.predicate):
                continue
            for mine, theirs in zip(op.regions, cond.regions, strict=True):
                self._stand(mine.params, op.args, theirs.params, cond.args)
                self._region(mine, self._scope(theirs), counts, own)

    def _scan(
        self, op: Scan, scope: _Scope, counts: tuple[Extent, ...], own: frozenset[str]
    ) -> None:
        """A backward loop, and the loops that run as often."""
        n, m = len(op.init), len(op.xs)
        index, *params = op.body.params
        loops: list[While | Scan] = [
            loop for loop in scope.loops if isinstance(loop, Scan) and loop.count == op.count
        ]
        if op.count in self.rounds:
            loops.append(self.rounds[op.count])
        for loop in loops:
            if loop is op:
                continue
            theirs = loop.body.params
            inside = {*theirs, *(v for inner in loop.body.body for v in inner.results)}
            if isinstance(loop, Scan):
                self.same[index] = theirs[0]
                theirs = theirs[1:]
                taken = theirs[len(loop.init) : len(loop.init) + len(loop.xs)]
                self._stand(params[n : n + m], op.xs, taken, loop.xs)
                rows = loop.results[len(loop.init) :]
            else:
                rows = loop.results[len(loop.results) - len(loop.body.returns) + len(loop.init) :]
            self._stand(params[n : n + m], op.xs, loop.body.returns[len(loop.init) :], rows)
            for p, x in zip(params[n:], op.xs, strict=False):
                if self.of(x) in inside:
                    self.same[p] = self.of(x)
            captured = theirs[len(theirs) - len(loop.captured) :]
            self._stand(params[n + m :], op.captured, captured, loop.captured)
            self._region(op.body, self._scope(loop.body), counts, own)

    def _stand(
        self,
        params: Sequence[Value],
        given: Sequence[Value],
        others: Sequence[Value],
        taken: Sequence[Value],
    ) -> None:
        """Params that are given the same stand for the same."""
        known = {self.of(v): p for v, p in zip(taken, others, strict=True)}
        for p, v in zip(params, given, strict=False):
            if (other := known.get(self.of(v))) is not None:
                self.same[p] = other


def _equal(f: Function, g: Function) -> bool:
    return f is g or bool(structure(f) == structure(g))


__all__ = ["numbered", "repeats", "values_inside", "values_of"]
