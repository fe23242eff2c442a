"""Schedules for a grid of threads: each element that is stored has a thread of its own.

Threads compute scalars. Neighbouring threads have neighbouring places along the last axis, so that
what they load and store lies side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....element_builder import Index
from ....extent import Shape
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK, Matmul
from ....ops.elementwise import Add
from ....value_classes import dataclass
from ...accumulators import AccumulatorChains
from ...common.loop_nest import LoopNest
from ...writer import Writer

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


@dataclass(frozen=True)
class ThreadPerElement(LoopNest):
    """Every value of the group is stored by the thread of its element."""


def spread(
    lower: GroupBuilder, shape: Shape, fill: Callable[[Index], None], serial: int = 0
) -> None:
    """`fill` for all indices of `shape`, a thread each."""

    def level(index: Index) -> None:
        axis = len(index)
        if axis == len(shape):
            fill(index)
        elif shape[axis] == 1:
            level((*index, lower.extent(0)))
        else:
            end = lower.extent(shape[axis])
            lower.loop(lower.extent(0), end, lambda i: level((*index, i)), LoopKind.PARALLEL)

    level(())


def ordered(lower: GroupBuilder, shape: Shape, fill: Callable[[Index], None]) -> None:
    """`fill` for all indices of `shape`; a thread goes through the first axis for each index of the
    others."""
    zero, count = lower.extent(0), lower.extent(shape[0])

    def column(rest: Index) -> None:
        lower.loop(zero, count, lambda i: fill((i, *rest)))

    spread(lower, shape[1:], column)


def contraction(lower: GroupBuilder, op: Matmul) -> None:
    """A matrix product, an element of the result a thread; its sums are those of `Matmul`."""
    shape = op.result.shape
    k_end = op.x.shape[-1]
    compute = op.x.dtype.compute
    nothing = lower.b.constant(0, compute)
    chains = AccumulatorChains(Writer(lower), compute)
    one_block = compute.is_integer or (isinstance(k_end, int) and k_end <= BLOCK)

    def chain(index: Index, low: Value, high: Value) -> Value:
        *outer, i, j = index

        def step(k: Value, totals: Index) -> Sequence[Value]:
            x = lower.cast(lower.element(op.x, (*outer, i, k)), compute)
            y = lower.cast(lower.element(op.y, (*outer, k, j)), compute)
            return chains.add(chains.parts_of(x), chains.parts_of(y), totals)

        return chains.total(lower.carry(low, high, chains.start, step))

    def fill(index: Index) -> None:
        zero, end = lower.extent(0), lower.extent(k_end)
        if one_block:
            total = chain(index, zero, end)
            if compute.is_inexact:
                total = lower.emit(Add(nothing, total))
        else:

            def block(low: Value, sums: Index) -> Sequence[Value]:
                high = (Term(lower.b, low) + BLOCK).minimum(Term(lower.b, end)).value
                return (lower.emit(Add(sums[0], chain(index, low, high))),)

            (total,) = lower.carry(zero, end, (nothing,), block, BLOCK)
        lower.define(op.result, index, lower.cast(total, op.result.dtype))
        lower.store_roots(index)

    spread(lower, shape, fill)
