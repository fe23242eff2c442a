"""Which numbers the indices of a kernel take, as far as counting tells it.

    for i in 0..2:  for j in 0..2:  store out, 3 * i + 2 * j + 1        from 1 to 6

An index is a sum of multiples of counters. Each takes its first and its last number, and with each
of them all others take theirs: so the sum takes both of its ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from .core import Value
from .ops.elementwise import Add, Mul, Sub
from .ops.shape import Constant
from .types import INDEX

Reach: TypeAlias = tuple[int, int]  # the least and the greatest number


@dataclass(frozen=True)
class Linear:
    """A number, and multiples of how often loops have counted."""

    base: int
    factors: dict[Value, int] = field(default_factory=dict)

    @property
    def varies(self) -> bool:
        return any(self.factors.values())

    def plus(self, other: Linear, times: int = 1) -> Linear:
        """The sum of this and so many times the other."""
        factors = dict(self.factors)
        for counter, factor in other.factors.items():
            factors[counter] = factors.get(counter, 0) + factor * times
        return Linear(self.base + other.base * times, factors)

    def times(self, factor: int) -> Linear:
        return Linear(self.base * factor, {c: f * factor for c, f in self.factors.items()})


class Offsets:
    """What is known of the indices of a kernel, whose loops are told from outside in."""

    def __init__(self) -> None:
        self._rounds: dict[Value, int | None] = {}  # how often a counter counts, if that is known
        self._known: dict[Value, Linear | None] = {}

    def counts(self, counter: Value, low: Value | None, high: Value, step: int) -> None:
        """A counter goes from `low` (None: 0) up to `high` in steps."""
        first = Linear(0) if low is None else self.linear(low)
        stop = self.linear(high)
        rounds = 0
        if first is not None and stop is not None:
            length = stop.plus(first, -1)
            rounds = 0 if length.varies else -(-length.base // step)
        runs = first is not None and rounds > 0
        self._rounds[counter] = rounds if runs else None
        self._known[counter] = first.plus(Linear(0, {counter: step})) if first and runs else None

    def runs(self, counter: Value) -> bool:
        """Whether its loop surely has a round."""
        return self._rounds[counter] is not None

    def reach(self, index: Value) -> Reach | None:
        """The least and the greatest number that an index takes, where the loops around it run;
        None where that is not known."""
        linear = self.linear(index)
        if linear is None:
            return None
        low = high = linear.base
        for counter, factor in linear.factors.items():
            last = factor * ((self._rounds[counter] or 1) - 1)
            low += min(0, last)
            high += max(0, last)
        return low, high

    def linear(self, index: Value) -> Linear | None:
        """An index as such a sum, or None. Ask for operands first: chains of ops are long."""
        if index not in self._known:
            self._known[index] = self._made(index)
        return self._known[index]

    def _made(self, index: Value) -> Linear | None:
        match index.op:
            case Constant(value=value) if index.type == INDEX:
                return Linear(int(value))
            case Add() | Sub() | Mul() as op:
                x, y = self.linear(op.x), self.linear(op.y)
                if x is None or y is None:
                    return None
                if not isinstance(op, Mul):
                    return x.plus(y, 1 if isinstance(op, Add) else -1)
                if x.varies and y.varies:
                    return None
                return x.times(y.base) if x.varies else y.times(x.base)
        return None
