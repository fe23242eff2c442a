"""Zeros of a halo times weights that are inf or nan are not nothing. So where the window can skip
taps, and a writer multiplies by zeros instead, either the weights are searched before, or the
result is afterwards, whichever is shorter; if something is not finite there, elements are pulled
one by one (see `Conv.at`).

    [for each weight: is it finite?]                     Guard.WEIGHTS
    the convolution                                      (if all are)
    [for each element of the result: is it finite?]      Guard.RESULT
    if not: for each element of the result: its sum, of taps that read something
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....extent import Extent, product
from ....kernel_op import LoopKind
from ....ops.shape import Reshape, Transpose
from ....ops.window import Conv
from ....types import INDEX
from ...common.im2col import sees_everything
from ...ops import Reduce
from ..gemm.packing import Packer
from .access import stored_weights

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


class Guard(Enum):
    """What is searched for inf and nan."""

    NONE = auto()
    WEIGHTS = auto()
    RESULT = auto()


def guard_of(op: Conv, outputs: Sequence[Value]) -> Guard:
    """The cheaper guard: the result's, if the kernel stores nothing else, or the weights'."""
    if not op.x.dtype.is_floating or sees_everything(op):
        return Guard.NONE
    plain = bool(outputs) and all(shows(v, op.result) for v in outputs)
    result, weights = product(op.result.shape), product(op.w.shape)
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
    pull = pull or partial(lower.nest, lower.group.shape, lower.store_roots)
    if guard is Guard.NONE:
        write()
        return
    if guard is Guard.RESULT:
        buffer = next(iter(lower.outputs.values()))
        write()
        wrong = not_finite(lower, product(op.result.shape), lambda k: lower.load(buffer, k))
    else:
        wrong = not_finite(lower, product(op.w.shape), lambda k: weight(lower, op, k))
        t.when(~t.index(wrong), write)
    t.when(wrong, pull)


def shows(value: Value, result: Value) -> bool:
    """Whether `value` has the elements of `result`, in some order."""
    while value is not result and isinstance(value.op, Transpose | Reshape):
        value = value.op.x
    return value is result


def weight(lower: GroupBuilder, op: Conv, k: Value) -> Value:
    """Element k of the weights, in some order."""
    stored = op.w if lower.in_memory(op.w) else stored_weights(op)
    if lower.in_memory(stored):
        return lower.load(lower.buffer(stored), k)
    return lower.element(stored, lower.unlinear(k, stored.shape))


def not_finite(lower: GroupBuilder, size: Extent, element: Callable[[Value], Value]) -> Value:
    """Whether one of so many elements is inf or nan."""

    def wrong(k: Value) -> tuple[Value]:
        x = element(k)
        t = Term(lower.b, lower.cast(x, x.dtype.compute))
        return ((t - t)._emit("not_equal", 0).value,)

    body = lower.region("body", (INDEX,), lambda params: wrong(params[0]))
    reduced = Reduce(lower.extent(size), "bitwise_or", LoopKind.VECTOR, body)  # in any order
    return lower.b.emit_all(reduced)[0]
