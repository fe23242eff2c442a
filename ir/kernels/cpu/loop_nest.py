"""One nest of loops over the elements of a group, for what no other schedule is for.

    for i, on any threads:
        for j, along the lanes:
            store each root's element at (i, j)

Where all that is pulled lies in memory as the result does, there is one loop over linear indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ...algebra import Term
from ...core import Op, Value
from ...extent import Shape, ceildiv, product
from ...ops.reduction import Reduction
from ...ops.window import Window
from ..builder import Index
from ..plan.groups import Group, Plan, Schedule, Uses, is_flat

if TYPE_CHECKING:
    from ..fused_builder import FusedKernelBuilder
    from ..target import Target

PART = 4096  # elements of the last axis that one thread takes at a time


@dataclass(frozen=True)
class LoopNest(Schedule):
    """Every value of the group is stored in the innermost body, by one linear index where all are
    `flat`."""

    heads = (Reduction, Window)

    flat: bool

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if isinstance(op, Window):  # each element is read for many
            return (*op.results, *op.operands)
        return op.results

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        others = plan.stored.difference(group.roots)
        flat = bool(group.shape) and all(is_flat(r, others, plan.views) for r in group.roots)
        return cls(flat)

    def emit(self, k: FusedKernelBuilder) -> None:
        shape = k.group.shape
        if not self.flat:
            k.spread(shape, k.store_roots)
            return
        index = k.unused(shape)

        def fill(flat: Index) -> None:
            k.flat = (index, flat[0])
            k.store_roots(index)
            k.flat = None

        k.spread((product(shape),), fill)


def spread(
    k: FusedKernelBuilder, shape: Shape, fill: Callable[[Index], None], serial: int = 0
) -> None:
    """`k.nest` on any threads: those share the first axis of more than one, or blocks of the
    last."""
    first = next((i for i, e in enumerate(shape) if e != 1), len(shape))
    if first == len(shape) or (isinstance(k.cost, int) and k.cost < k.target.parallel_worth):
        k.nest(shape, fill, serial)
        return
    zero, extent = k.extent(0), shape[first]
    outer = (zero,) * first
    if first < len(shape) - 1 or serial > first:
        rest = shape[first + 1 :]
        inner = max(0, serial - first - 1)
        k.parallel(extent, k.cost, lambda i: k.nest(rest, lambda r: fill((*outer, i, *r)), inner))
        return

    def block(number: Value) -> None:
        low = Term(k.b, number) * PART
        high = (low + PART).minimum(Term(k.b, k.extent(extent)))
        k.loop(low.value, high.value, lambda i: fill((*outer, i)), "vector")

    k.parallel(ceildiv(extent, PART), k.cost, block)


def ordered(k: FusedKernelBuilder, shape: Shape, fill: Callable[[Index], None]) -> None:
    """`fill` for all indices of `shape`; what differs in the first axis one after another."""
    k.nest(shape, fill, serial=1)
