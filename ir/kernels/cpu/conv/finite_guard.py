"""Zeros of a halo times weights that are inf or nan are not nothing. So where the window can skip
taps, and a writer multiplies by zeros instead, either the weights are searched before, or the
result is afterwards, whichever is shorter; if something is not finite there, elements are computed
one by one (see by_element.py).

    [for each weight: is it finite?]                     Guard.WEIGHTS
    the convolution                                      (if all are)
    [for each element of the result: is it finite?]      Guard.RESULT
    if not: for each element of the result: its sum, of taps that read something
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, largest, product
from ....kernel_op import LoopKind
from ....ops.shape import Reshape, Transpose
from ....ops.window import Conv
from ....types import INDEX
from ...common.im2col import sees_everything
from ...ops import Reduce
from ..gemm.packing import Packer
from .access import stored_weights
from .by_element import element_sums

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


class Guard(Enum):
    """What is searched for inf and nan."""

    NONE = auto()
    WEIGHTS = auto()
    RESULT = auto()


def guard_of(op: Conv, outputs: Sequence[Value]) -> Guard:
    """The cheaper guard: the result's, if the kernel stores that and nothing else, or the
    weights'."""
    if not op.x.dtype.is_floating or sees_everything(op):
        return Guard.NONE
    plain = bool(outputs) and all(shows(v, op.result) for v in outputs)
    result, weights = largest(product(op.result.shape)), largest(product(op.w.shape))
    few = isinstance(result, int) and (not isinstance(weights, int) or result < weights)
    return Guard.RESULT if plain and few else Guard.WEIGHTS


def write_guarded(
    t: Packer,
    op: Conv,
    guard: Guard,
    write: Callable[[], None],
    pull: Callable[[], None] | None = None,
) -> None:
    """`write`, and what is done where its zeros would be seen: `pull`, or all elements of the
    group one by one."""
    lower = t.lower
    pull = pull or partial(_pull, t, op)
    if guard is Guard.NONE:
        write()
        return
    if guard is Guard.RESULT:
        write()
        buffer = next(iter(lower.outputs.values()))
        wrong = not_finite(lower, buffer, product(op.result.shape))
    else:
        wrong = weights_not_finite(lower, op)
        t.when(~t.index(wrong), write)
    t.when(wrong, pull)


def _pull(t: Packer, op: Conv) -> None:
    """All elements of the group, place by place."""
    lower, columns = t.lower, op.result.shape[-1]
    element = element_sums(lower, op, t.compute)
    if element is None or not isinstance(columns, int):
        lower.nest(lower.group.shape, lower.store_roots)
        return
    shape, work = op.result.shape[:-1], largest(lower.cost)

    def place(number: Value) -> None:
        sums = t.local(columns)
        element(sums, number)
        index = lower.unlinear(number, shape)

        def column(j: Value) -> None:
            t.store_result(op.result, (*index, j), lower.load(sums, j))

        lower.loop(t.extent(0), t.extent(columns), column, LoopKind.VECTOR)

    if isinstance(work, int):
        work = max(work, lower.target.parallel_worth)  # a function of its own, compiled quickly
    lower.parallel(product(shape), work, place)


def shows(value: Value, result: Value) -> bool:
    """Whether `value` has the elements of `result`, in some order."""
    while value is not result and isinstance(value.op, Transpose | Reshape):
        value = value.op.x
    return value is result


def _searched(lower: GroupBuilder, size: Extent, element: Callable[[Value], Value]) -> Value:
    """Whether one of so many elements is inf or nan, in whichever order."""

    def wrong(params: Index) -> Index:
        x = element(params[0])
        x = lower.cast(x, x.dtype.compute)
        return ((lower.index(x) - x).not_equal(0).value,)

    body = lower.region("body", (INDEX,), wrong)
    search = Reduce(lower.extent(size), "bitwise_or", LoopKind.VECTOR, body)
    return lower.b.emit_all(search)[0]


def weights_not_finite(lower: GroupBuilder, op: Conv) -> Value:
    """Whether some weight is inf or nan."""
    stored, size = op.w if lower.in_memory(op.w) else stored_weights(op), product(op.w.shape)
    if lower.in_memory(stored):
        return not_finite(lower, lower.buffer(stored), size)
    shape = stored.shape
    return _searched(lower, size, lambda k: lower.element(stored, lower.unlinear(k, shape)))


def not_finite(lower: GroupBuilder, buffer: Value, size: Extent) -> Value:
    """Whether one of so many elements of a buffer is inf or nan."""

    def search(x: Value, size: Any) -> Index:
        return (_searched(lower, size, lambda k: lower.load(x, k)),)

    return lower.call_routine("not_finite", (buffer, lower.extent(size)), search, False)[0]
