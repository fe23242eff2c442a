"""How the elements of a group are dealt out to the threads of a CPU, where what the kernel costs is
worth it: they share the first axis of more than one, or blocks of the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...algebra import Term
from ...core import Value
from ...element_builder import Index
from ...extent import Shape, ceildiv
from ...kernel_op import LoopKind

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder

# Elements of the last axis that one thread takes at a time, 16 KB of float32: whole pages. Not
# measured: for threads.
TASK_ELEMENTS = 4096


def spread(
    lower: GroupBuilder, shape: Shape, fill: Callable[[Index], None], serial: int = 0
) -> None:
    """`nest` on any threads: those share the first axis of more than one, or blocks of the last."""
    cost = lower.cost
    first = next((i for i, e in enumerate(shape) if e != 1), len(shape))
    if first == len(shape) or not lower.target.is_worth(cost):
        lower.nest(shape, fill, serial)
        return
    zero, extent = lower.extent(0), shape[first]
    outer = (zero,) * first
    if first < len(shape) - 1 or serial > first:
        rest = shape[first + 1 :]
        inner = max(0, serial - first - 1)

        def one(i: Value) -> None:
            lower.nest(rest, lambda r: fill((*outer, i, *r)), inner)

        lower.parallel(extent, cost, one)
        return

    def block(number: Value) -> None:
        low = Term(lower.b, number) * TASK_ELEMENTS
        high = (low + TASK_ELEMENTS).minimum(Term(lower.b, lower.extent(extent)))
        lower.loop(low.value, high.value, lambda i: fill((*outer, i)), LoopKind.VECTOR)

    lower.parallel(ceildiv(extent, TASK_ELEMENTS), cost, block)


def ordered(lower: GroupBuilder, shape: Shape, fill: Callable[[Index], None]) -> None:
    """`fill` for all indices of `shape`; what differs in the first axis one after another."""
    lower.nest(shape, fill, serial=1)
