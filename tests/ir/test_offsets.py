"""What is known of indices, beside counting them out."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import int32
from tfc.ir.extent import Extent, evaluate, symbol
from tfc.ir.offsets import DEEPEST, Offsets
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.shape import Constant, ExtentOf
from tfc.ir.types import INDEX

COMPARISONS = (ew.Less, ew.LessEqual, ew.Greater, ew.GreaterEqual, ew.Equal, ew.NotEqual)
SIZES = (1, 2, 5)  # of `n`


class Nest:
    """Three loops, whose ends are numbers, an extent of `n`, or what loops around have counted; and
    sums of what they count."""

    def __init__(self, seed: int, plain: bool = False) -> None:
        """`plain`: all ends are numbers, and all loops have rounds."""
        self.rng, self.b, self.offsets = random.Random(seed), Builder(), Offsets()
        self.plain = plain
        self.counters: list[Value] = []
        self.ranges: list[tuple[Value, Value, int]] = []
        for i in range(3):
            counter = Value(INDEX, None, i, "i")
            low, high, step = self.index(1), self.index(2), self.rng.choice((1, 1, 2, 3))
            if plain:
                ends = -2 + i, self.rng.randint(i, 4)
                low, high = (self.b.constant(end, INDEX.dtype) for end in ends)
            self.offsets.counts(counter, low, high, step)
            self.counters.append(counter)
            self.ranges.append((low, high, step))

    def index(self, terms: int = 3) -> Value:
        total = self.b.constant(self.rng.randint(-3, 4), INDEX.dtype)
        for _ in range(self.rng.randint(0, terms)):
            kind = self.rng.choice((ew.Add, ew.Sub))
            term = self.b.emit(ExtentOf(symbol("n"))) if self.rng.random() < 0.4 else None
            if self.plain:
                term = None
            if term is None:
                term = self.rng.choice([*self.counters, self.b.constant(2, INDEX.dtype)])
            if self.rng.random() < 0.3:
                times = term, self.b.constant(2, INDEX.dtype)
                term = self.b.emit(ew.Mul(*times[:: self.rng.choice((1, -1))]))
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


def test_what_is_known_of_plain_loops_is_all_that_holds() -> None:
    """Both ends of an index are taken, each comparison of order that is the same in all rounds is
    decided, and indices that may be one number are never said to be apart."""
    apart = 0
    for seed in range(12):
        nest = Nest(seed, plain=True)
        rounds = list(nest.rounds(1, {}))
        assert all(map(nest.offsets.runs, nest.counters))
        indices = [nest.index() for _ in range(6)]
        numbers = [[nest.number(v, counted, 1) for counted in rounds] for v in indices]
        for x, xs in zip(indices, numbers, strict=True):
            assert nest.offsets.reach(x) == (min(xs), max(xs))
            for y, ys in zip(indices, numbers, strict=True):
                differences = [a - b for a, b in zip(xs, ys, strict=True)]
                beside = min(differences) > 0 or max(differences) < 0
                assert nest.offsets.apart(x, y) == beside, seed
                apart += beside
                for kind in COMPARISONS:
                    every = {bool(kind.reference(d, 0)) for d in differences}
                    known = nest.offsets.decided(kind(x, y))
                    order = kind not in (ew.Equal, ew.NotEqual)
                    if order or beside or {*differences} == {0}:
                        assert known is (every.pop() if len(every) == 1 else None), (seed, kind)
    assert apart > 10


def test_loops_without_rounds_or_ends_reach_nothing() -> None:
    b, offsets = Builder(), Offsets()
    n = b.emit(ExtentOf(symbol("n")))
    none, some, other, beyond = (Value(INDEX, None, i, "i") for i in range(4))
    offsets.counts(none, b.constant(3, INDEX.dtype), b.constant(3, INDEX.dtype), 1)
    offsets.counts(some, None, n, 1)
    offsets.counts(other, None, Value(INDEX), 1)
    offsets.counts(beyond, b.constant(5, INDEX.dtype), b.constant(6, INDEX.dtype), 4)
    assert [offsets.runs(i) for i in (none, some, other, beyond)] == [False, False, False, True]
    assert [offsets.reach(i) for i in (none, some, other, n)] == [None] * 4
    assert offsets.reach(beyond) == (5, 5)
    assert not offsets.apart(some, other) and not offsets.apart(other, some)
    far = b.emit(ew.Add(beyond, b.constant(2**41, INDEX.dtype)))
    assert not offsets.apart(far, beyond) and not offsets.apart(beyond, far)
    product = b.emit(ew.Mul(beyond, n))
    assert offsets.linear(b.emit(ew.Add(some, Value(INDEX)))) is None
    assert offsets.linear(b.emit(ew.Add(Value(INDEX), some))) is None
    assert offsets.linear(b.constant(3, int32)) is None
    assert offsets.linear(product) is None and offsets.linear(b.emit(ew.Mul(n, beyond))) is None


def test_indices_are_followed_so_far() -> None:
    """A long sum is nothing that is known, and no recursion; its parts are."""
    for count, known in ((DEEPEST - 1, True), (DEEPEST, False), (5000, False)):
        b, offsets = Builder(), Offsets()
        i = end = Value(INDEX, None, 0, "i")
        offsets.counts(i, None, b.constant(9, INDEX.dtype), 1)
        one = b.constant(1, INDEX.dtype)
        for _ in range(count):
            end = b.emit(ew.Add(end, one))
        assert offsets.reach(end) == ((count, count + 8) if known else None)


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
    for number, known in ((2**40, True), (2**40 + 1, None), (2**63 - 3, None)):
        far = b.emit(ew.Add(i, b.constant(number, INDEX.dtype)))
        assert offsets.decided(ew.Greater(far, b.constant(0, INDEX.dtype))) is known
