"""The schedules of ops of order: which has which. GPUs have others
(ir/kernels/gpu/simt/schedules.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import Value
from ....dtypes import int64
from ....element_builder import Index
from ....extent import Extent, floordiv, product
from ....ops.sort import ArgSort, Sort, TopPlaces
from ....ops.sort_keys import from_total_key, key, place_of, placed_key, total_key, total_key_dtype
from ....value_classes import dataclass
from ...own_loop_nest import ScheduledOp
from ...plan.groups import Group, Plan
from ...plan.reasons import Mismatch
from . import top_k
from .merge_sort import Keys, sort
from .radix_sort import make_keys, sort_buffers, sort_row

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


@dataclass(frozen=True)
class SortRows(ScheduledOp[Sort]):
    """Elements of each row in order, by merging."""

    takes = "sorts"
    begins = (Sort,)

    def emit(self, lower: GroupBuilder) -> None:
        _values(lower, self.op)


@dataclass(frozen=True)
class RadixOrder(ScheduledOp[ArgSort]):
    """Places of each row in order, digit by digit: for keys that have no room for places."""

    takes = "the order of elements of more than 32 bits"
    begins = (ArgSort,)

    @classmethod
    def misfit(cls, op: ArgSort) -> Mismatch | None:
        if op.x.dtype.itemsize > 4:
            return None
        return Mismatch("keys of {} have room for the places beside them", op.x.dtype)

    def emit(self, lower: GroupBuilder) -> None:
        _places_by_digits(lower, self.op)


@dataclass(frozen=True)
class MergeOrder(ScheduledOp[ArgSort]):
    """Places of each row in order, by merging keys that have the places beside them."""

    takes = "the order of elements"
    begins = (ArgSort,)

    def emit(self, lower: GroupBuilder) -> None:
        _places(lower, self.op)


@dataclass(frozen=True)
class SelectTop(ScheduledOp[TopPlaces]):
    """Places of the largest of each row."""

    takes = "the largest of each row"
    begins = (TopPlaces,)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return floordiv(product(self.op.x.shape) * self.op.x.dtype.itemsize, 2)

    def emit(self, lower: GroupBuilder) -> None:
        top_k.write(lower, self.op)


def _values(lower: GroupBuilder, op: Sort) -> None:
    """The elements of each row in order."""
    *rows, n = op.x.shape
    out = lower.output(op.result)

    def key_of(index: Index) -> Value:
        return total_key(lower, lower.element(op.x, index), op.descending)

    def take(index: Index, found: Value) -> None:
        x = from_total_key(lower, found, op.x.dtype, op.descending)
        lower.store(out, lower.linear(index, op.x.shape), x)

    sort(lower, tuple(rows), n, Keys(total_key_dtype(op.x.dtype), key_of, take, n))


def _places(lower: GroupBuilder, op: ArgSort) -> None:
    """The places of each row in order, as the ends of keys that have the elements before them."""
    *rows, n = op.x.shape
    out = lower.output(op.result)

    def key_of(index: Index) -> Value:
        return placed_key(lower, key(lower, lower.element(op.x, index), op.descending), index[-1])

    def take(index: Index, found: Value) -> None:
        lower.store(out, lower.linear(index, op.x.shape), place_of(lower, found))

    sort(lower, tuple(rows), n, Keys(int64, key_of, take, n))


def _places_by_digits(lower: GroupBuilder, op: ArgSort) -> None:
    """Keys of 64 bits leave no room for the places beside them."""
    *rows, n = op.x.shape
    out = lower.output(op.result)
    buffers = [lower.scratch(t) for t in sort_buffers(op.x.dtype, n)]

    def row(index: Index) -> None:
        make_keys(lower, op.x, index, buffers[0], op.descending)
        start = lower.linear((*index, lower.extent(0)), op.x.shape)
        sort_row(lower, n, out, start, *buffers)

    lower.nest(tuple(rows), row, serial=len(rows))
