"""Which numbers the indices of a kernel take, as far as counting tells it.

    for i in 0..2:  for j in 0..2:  store out, 3 * i + 2 * j + 1        from 1 to 6
                                    less i, 2                           true

An index is a sum of multiples of counters. Each takes its first and its last number, and with each
of them all others take theirs: so the sum takes both of its ends.
"""

from __future__ import annotations

from typing import TypeAlias

from .core import Value
from .extent import Extent, never_negative, terms_of
from .ops.elementwise import (
    Add,
    Comparison,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Mul,
    NotEqual,
    Sub,
)
from .ops.shape import Constant, ExtentOf
from .types import INDEX
from .value_classes import dataclass, field

Reach: TypeAlias = tuple[int, int]  # the least and the greatest number

DEEPEST = 50  # ops that an index is followed through: programs may count in scalars, too
WRAPS = 2**40  # times how far a loop can count, which may be no index any more


@dataclass(frozen=True)
class Linear:
    """An extent, and multiples of how far loops have counted."""

    base: Extent
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
        # What else counts from and to, at most, from outside in: that is multiplied as it is.
        self._ends: dict[Value, tuple[Linear, Linear]] = {}
        self._known: dict[Value, Linear | None] = {}

    def counts(self, counter: Value, low: Value | None, high: Value, step: int) -> None:
        """A counter goes from `low` (None: 0) up to `high` in steps."""
        first = Linear(0) if low is None else self.linear(low)
        stop = self.linear(high)
        rounds = 0
        if first is not None and stop is not None:
            length = stop.plus(first, -1)
            rounds = 0 if length.varies or not isinstance(length.base, int) else length.base
            rounds = -(-rounds // step)
            if rounds <= 0:
                self._ends[counter] = first, stop.plus(Linear(-1))
                self._known[counter] = Linear(0, {counter: 1})
            else:
                self._known[counter] = first.plus(Linear(0, {counter: step}))
        else:
            self._known[counter] = None
        self._rounds[counter] = rounds if rounds > 0 else None

    def runs(self, counter: Value) -> bool:
        """Whether its loop surely has a round."""
        return self._rounds[counter] is not None

    def reach(self, index: Value) -> Reach | None:
        """The least and the greatest number that an index takes, where the loops around it run;
        None where that is not known."""
        linear = self.linear(index)
        if linear is None or not isinstance(linear.base, int):
            return None
        low = high = linear.base
        for counter, factor in linear.factors.items():
            rounds = self._rounds[counter]
            if rounds is None:
                return None
            low += min(0, factor * (rounds - 1))
            high += max(0, factor * (rounds - 1))
        return low, high

    def decided(self, op: Comparison) -> bool | None:
        """What a comparison of indices is in all rounds of the loops around; None where that is
        not known, or is not the same in all."""
        x, y = self.linear(op.x), self.linear(op.y)
        if x is None or y is None or _may_wrap(x) or _may_wrap(y):
            return None
        difference = x.plus(y, -1)
        low, high = self._end(difference, -1), self._end(difference, 1)
        match op:
            case Less():
                always, never = never_negative(-1 - high), never_negative(low)
            case LessEqual():
                always, never = never_negative(-high), never_negative(low - 1)
            case Greater():
                always, never = never_negative(low - 1), never_negative(-high)
            case GreaterEqual():
                always, never = never_negative(low), never_negative(-1 - high)
            case Equal() | NotEqual():
                always = low == high == 0
                never = never_negative(low - 1) or never_negative(-1 - high)
                if isinstance(op, NotEqual):
                    always, never = never, always
            case _:
                return None
        return True if always else False if never else None

    def apart(self, index: Value, other: Value) -> bool:
        """Whether two indices are never the same number, where loops that both count in are in one
        round."""
        x, y = self.linear(index), self.linear(other)
        if x is None or y is None or _may_wrap(x) or _may_wrap(y):
            return False
        difference = x.plus(y, -1)
        low, high = self._end(difference, -1), self._end(difference, 1)
        return never_negative(low - 1) or never_negative(-1 - high)

    def _end(self, linear: Linear, sign: int) -> Extent:
        """No less (sign 1) or no more (-1) than what the index can be."""
        for counter, ends in reversed(self._ends.items()):  # inner ones may end at outer ones
            factor = linear.factors.get(counter, 0)
            if factor:
                rest = Linear(linear.base, linear.factors | {counter: 0})
                linear = rest.plus(ends[factor * sign > 0], factor)
        end = linear.base
        for counter, factor in linear.factors.items():
            last = factor * ((self._rounds[counter] or 1) - 1)
            end += sign * max(0, sign * last)
        return end

    def linear(self, index: Value, depth: int = DEEPEST) -> Linear | None:
        """An index as such a sum, or None."""
        if index not in self._known:
            self._known[index] = self._made(index, depth - 1) if depth else None
        return self._known[index]

    def _made(self, index: Value, depth: int) -> Linear | None:
        match index.op:
            case Constant(value=value) if index.type == INDEX:
                return Linear(int(value))
            case ExtentOf(value=extent):
                return Linear(extent)
            case Add() | Sub() | Mul() as op:
                x, y = self.linear(op.x, depth), self.linear(op.y, depth)
                if x is None or y is None:
                    return None
                if not isinstance(op, Mul):
                    return x.plus(y, 1 if isinstance(op, Add) else -1)
                if not y.varies and isinstance(y.base, int):
                    return x.times(y.base)
                if not x.varies and isinstance(x.base, int):
                    return y.times(x.base)
        return None


def _may_wrap(linear: Linear) -> bool:
    """Whether a program's own numbers are so large that the index may be none."""
    numbers = [factor for _, factor in terms_of(linear.base)]
    return max(map(abs, (*numbers, *linear.factors.values())), default=0) > WRAPS
