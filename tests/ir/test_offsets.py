"""What is known of indices, beside counting them out."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from tfc.ir.core import Builder, Value
from tfc.ir.extent import Extent, evaluate, symbol
from tfc.ir.offsets import Offsets
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.shape import Constant, ExtentOf
from tfc.ir.types import INDEX

COMPARISONS = (ew.Less, ew.LessEqual, ew.Greater, ew.GreaterEqual, ew.Equal, ew.NotEqual)
SIZES = (1, 2, 5)  # of `n`


class Nest:
    """Three loops, whose ends are numbers, an extent of `n`, or what loops around have counted; and
    sums of what they count."""

    def __init__(self, seed: int) -> None:
        self.rng, self.b, self.offsets = random.Random(seed), Builder(), Offsets()
        self.counters: list[Value] = []
        self.ranges: list[tuple[Value, Value, int]] = []
        for i in range(3):
            counter = Value(INDEX, None, i, "i")
            low, high, step = self.index(1), self.index(2), self.rng.choice((1, 1, 2, 3))
            self.offsets.counts(counter, low, high, step)
            self.counters.append(counter)
            self.ranges.append((low, high, step))

    def index(self, terms: int = 3) -> Value:
        total = self.b.constant(self.rng.randint(-3, 4), INDEX.dtype)
        for _ in range(self.rng.randint(0, terms)):
            kind = self.rng.choice((ew.Add, ew.Sub))
            term = self.b.emit(ExtentOf(symbol("n"))) if self.rng.random() < 0.4 else None
            if term is None:
                term = self.rng.choice([*self.counters, self.b.constant(2, INDEX.dtype)])
            if self.rng.random() < 0.3:
                term = self.b.emit(ew.Mul(term, self.b.constant(2, INDEX.dtype)))
            total = self.b.emit(kind(total, term))
        return total

    def number(self, index: Value, counted: dict[Value, int], n: int) -> int:
        match index.op:
            case None:
                return counted[index]
            case Constant(value=value):
                return int(value)
            case ExtentOf(value=extent):
                return evaluate(extent, {"n": n})
        x, y = (self.number(v, counted, n) for v in index.op.operands)
        return {ew.Add: x + y, ew.Sub: x - y, ew.Mul: x * y}[type(index.op)]

    def rounds(self, n: int, counted: dict[Value, int]) -> Iterator[dict[Value, int]]:
        """All that the loops count to."""
        depth = len(counted)
        if depth == len(self.counters):
            yield counted
            return
        low, high, step = self.ranges[depth]
        ends = (self.number(v, counted, n) for v in (low, high))
        for i in range(*ends, step):
            yield from self.rounds(n, counted | {self.counters[depth]: i})


def test_what_is_decided_holds_in_all_rounds() -> None:
    decided = undecided = 0
    for seed in range(50):
        nest = Nest(seed)
        comparisons = [kind(nest.index(), nest.index()) for kind in COMPARISONS for _ in range(3)]
        known = [nest.offsets.decided(op) for op in comparisons]
        for n in SIZES:
            for counted in itertools.islice(nest.rounds(n, {}), 400):
                for op, answer in zip(comparisons, known, strict=True):
                    x, y = (nest.number(v, counted, n) for v in op.operands)
                    assert answer in (None, bool(op.reference(x, y))), (seed, n, op.mnemonic)
        decided += sum(answer is not None for answer in known)
        undecided += known.count(None)
    assert decided > 100
    assert undecided > 100


@pytest.mark.parametrize("high", [128, symbol("n")])
def test_a_loop_decides_whether_its_index_lies_inside(high: Extent) -> None:
    b, offsets, i = Builder(), Offsets(), Value(INDEX, None, 0, "i")

    def constant(extent: Extent) -> Value:
        if isinstance(extent, int):
            return b.constant(extent, INDEX.dtype)
        return b.emit(ExtentOf(extent))

    offsets.counts(i, None, constant(high), 1)
    after = b.emit(ew.Add(i, constant(1)))
    assert offsets.decided(ew.GreaterEqual(i, constant(0))) is True
    assert offsets.decided(ew.Less(i, constant(high))) is True
    assert offsets.decided(ew.Less(after, constant(high + 1))) is True
    assert offsets.decided(ew.Less(after, constant(0))) is False
    assert offsets.decided(ew.GreaterEqual(i, constant(1))) is None
    assert offsets.decided(ew.Less(after, constant(high))) is None


def test_numbers_that_may_wrap_decide_nothing() -> None:
    b, offsets, i = Builder(), Offsets(), Value(INDEX, None, 0, "i")
    offsets.counts(i, None, b.constant(9, INDEX.dtype), 1)
    far = b.emit(ew.Add(i, b.constant(2**63 - 3, INDEX.dtype)))
    assert offsets.decided(ew.Greater(far, b.constant(0, INDEX.dtype))) is None
