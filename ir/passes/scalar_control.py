"""Which control flow computes scalars alone, and so can be one kernel.

A loop or branch can where its regions compute scalars only: from scalars, from elements that they
read from tensors around them, from reductions and from loops of their own. Vectors that it carries
may be read and written element by element, if only the newest is ever used: then they are one
buffer that is changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core import Function, Op, Value
from ..ops.control import Cond, Control, Scan, While
from ..ops.growing import GrowingWhile
from ..ops.indexing import Scatter
from ..ops.shape import Broadcast, Constant, Iota, Reshape

RECOMPUTED_ELEMENTS_MAX = 8  # elements of a tensor that may be computed again wherever it is used
SCALAR_KERNEL_OPS_MAX = 2000  # of one kernel


def is_scalar(op: Control) -> bool:
    """Whether `op` can be one kernel."""
    return Shape(op).fits and sum(1 for r in op.regions for _ in r.walk()) <= SCALAR_KERNEL_OPS_MAX


class Shape:
    """What a branch or loop does with vectors: `arrays` pairs the operands that it changes in
    place with the results that they become."""

    def __init__(self, op: Control, inside: bool = False) -> None:
        self.arrays: dict[int, int] = {}
        self.fits = self._look(op, inside)

    def _look(self, op: Control, inside: bool) -> bool:
        match op:
            case Cond(then=then, orelse=orelse):
                return self._branches(op, then, orelse)
            case GrowingWhile():
                return False  # kernels allocate nothing
            case While(init=init, condition=condition, body=body):
                changed = {i: i for i, v in enumerate(init) if v.rank}
                if not all(_is_array(init[i]) for i in changed):
                    return False
                if _ends(condition, {}) is None:
                    return False
                ends = _ends(body, changed)
                self.arrays = changed
                return ends == changed and _distinct(op, changed)
            case Scan(init=init, xs=xs, body=body):
                changed = {i: i for i, v in enumerate(init) if v.rank}
                if not all(_is_array(init[i]) for i in changed):
                    return False
                if any(x.rank != 1 for x in xs):
                    return False
                rows = body.returns[len(init) :]
                if any(v.rank for v in rows) or (rows and inside):
                    return False
                ends = _ends(body, {1 + i: i for i in changed})
                self.arrays = changed
                return ends == {1 + i: i for i in changed} and _distinct(op, changed)
        return False

    def _branches(self, op: Cond, then: Function, orelse: Function) -> bool:
        wanted = {i for i, v in enumerate(op.results) if v.rank}
        ends: list[dict[int, int]] = []
        for branch in (then, orelse):
            given = {j: -1 for j, v in enumerate(op.args) if wanted and _is_array(v)}
            found = _ends(branch, given)
            if found is None:
                return False
            ends.append({j: i for j, i in found.items() if i >= 0})
        if ends[0] != ends[1] or set(ends[0].values()) != wanted:
            return False
        self.arrays = {1 + j: i for j, i in ends[0].items()}
        return _distinct(op, self.arrays)


def _is_array(v: Value) -> bool:
    return v.rank == 1 and not v.dtype.is_complex


def _distinct(op: Op, arrays: Iterable[int]) -> bool:
    """Whether no operand that is changed is another operand, too."""
    return all(op.operands.count(op.operands[i]) == 1 for i in arrays)


def _ends(region: Function, arrays: dict[int, int]) -> dict[int, int] | None:
    """Where the `arrays` among the params end up among the results (-1: nowhere, and unchanged);
    None where the region cannot be part of a kernel. Only an array's newest version is used."""
    owner = {region.params[j]: j for j in arrays}  # the versions
    newest = {j: region.params[j] for j in arrays}
    lazy: set[Value] = set()  # tensors that are computed where they are used

    def current(v: Value) -> bool:
        return v not in owner or newest[owner[v]] is v

    for op in region.body:
        if not op.results or not all(map(current, op.operands)):
            return None
        if isinstance(op, Control):
            shape = Shape(op, inside=True)
            if not shape.fits or not lazy.isdisjoint(op.operands):
                return None
            for operand, result in shape.arrays.items():
                array = owner.get(op.operands[operand])
                if array is None:
                    return None
                owner[op.results[result]] = array
                newest[array] = op.results[result]
        elif isinstance(op, Scatter):
            array = owner.get(op.base)
            if array is None or op.indices.shape != (1,) or op.updates in owner:
                return None
            owner[op.result] = array
            newest[array] = op.result
        elif not all(v.rank for v in op.results):
            if not op.scalar_loop or len(op.results) != 1:
                return None
        else:
            if not _lazy(op) or any(v in owner for v in op.operands):
                return None
            lazy.update(op.results)
    found = {}
    for j in arrays:
        places = [i for i, v in enumerate(region.returns) if owner.get(v) == j]
        if len(places) > 1 or not all(current(region.returns[i]) for i in places):
            return None
        if not places and newest[j] is not region.params[j]:
            return None
        found[j] = places[0] if places else -1
    return found


def _lazy(op: Op) -> bool:
    """Whether a tensor may be computed anew for each of its elements that is asked for."""
    if op.effect:
        return False
    if isinstance(op, Constant | Broadcast | Iota) or (isinstance(op, Reshape) and op.only_ones):
        return True
    size = op.results[0].tensor_type.size
    return op.tiny_in_loop and isinstance(size, int) and size <= RECOMPUTED_ELEMENTS_MAX


def changed_in_place(op: Control) -> dict[int, int]:
    """The operands that the kernel of `op` changes, and the results that they become, in the
    order of the results."""
    pairs = Shape(op).arrays.items()
    return dict(sorted(pairs, key=lambda pair: pair[1]))
