"""Gradients through what replicas of one process exchange, each of which has a tape of its own.

What a replica gets is made of what all have given. On its tape that is an exchange: the gradient of
what it gave is asked of all replicas, when each has the gradient of what it got.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.autodiff.reverse import cotangents, differentiable, zeros_like
from tfc.ir.core import Op, Value
from tfc.ir.ops import Add

from ..core.tensor import SymbolicTensor


class Exchange:
    """What a replica gave, what it got, and how the gradients of the one follow from those of the
    other: `pull` gets together with the other replicas."""

    def __init__(self, inputs: Sequence[Any], pull: Callable[..., Sequence[Any]]) -> None:
        self.inputs, self.pull = list(inputs), pull
        self.outputs: list[Any] = []  # once they are there
        self.place = 0  # in a trace: the op before which that is


def through(
    trace: Any,
    ops: Sequence[Op],
    seeds: dict[Value, Value],
    wanted: Sequence[Value],
    exchanges: Sequence[Exchange],
) -> dict[Value, Value]:
    """The cotangents of `wanted` in a trace: through `ops`, and through exchanges, the last one
    first."""
    b = trace.builder
    if not exchanges:
        return cotangents(b, ops, seeds, wanted)
    places = {op: i for i, op in enumerate(b.body)}
    found = dict(seeds)
    before: list[Exchange | None] = [None, *exchanges]
    rest = list(ops)
    for exchange in reversed(before):  # the ops behind it, then itself
        begin = 0 if exchange is None else exchange.place
        segment = [op for op in rest if places[op] >= begin]
        del rest[len(rest) - len(segment) :]
        made = {v for op in segment for v in op.results}
        used = {v: None for op in segment for v in op.operands if v not in made}
        kept = {**used, **dict.fromkeys(v for v in found if v not in made), **dict.fromkeys(wanted)}
        found = cotangents(b, segment, found, kept)
        if exchange is not None:
            _pull(trace, exchange, found)
    return {v: found[v] for v in wanted if v in found}


def _pull(trace: Any, exchange: Exchange, found: dict[Value, Value]) -> None:
    """From the cotangents of what a replica got, those of what it gave."""
    b, got = trace.builder, [trace.value_of(y) for y in exchange.outputs]
    if not any(y in found for y in got):
        return
    upstream = [found[y] if y in found else zeros_like(b, y) for y in got]
    pulled = exchange.pull(*(SymbolicTensor(trace, v) for v in upstream))
    for given, g in zip(exchange.inputs, pulled, strict=True):
        x = trace.value_of(given)
        if differentiable(x):
            dx = trace.value_of(g)
            found[x] = b.emit(Add(found[x], dx)) if x in found else dx


__all__ = ["Exchange", "through"]
