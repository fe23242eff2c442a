"""Random functions whose insides are large, computed in strips: the interpreter gives the same for
them, on numbers whose sums are exact; and nothing large is kept where strips are."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from tfc.ir import ops
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.dtypes import DType, bfloat16, bool_, float32, float64, int32
from tfc.ir.extent import Extent, evaluate, symbol
from tfc.ir.interpreter import interpret
from tfc.ir.ops.checks import Check
from tfc.ir.ops.contraction import Matmul
from tfc.ir.ops.control import Cond, Scan
from tfc.ir.ops.shape import Broadcast, Iota, Reshape, Transpose
from tfc.ir.passes import dce, strip_mine
from tfc.ir.types import TensorType
from tfc.ir.verify import verify

ROWS, COLUMNS, WIDTH = 14, 11, 2  # of scores, and of what they are multiplied by
HEIGHT = 4  # rows of a strip: three strips, and two rows that are left
LEAST = ROWS * COLUMNS  # elements of what is large


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A product of rows and columns is large, and one is enough."""
    scope = strip_mine.__globals__
    for name, value in {"LARGE_BYTES": 2 * LEAST, "EACH_BYTES_MIN": 2 * LEAST}.items():
        monkeypatch.setitem(scope, name, value)
    for name, value in {"STRIPS_MIN": 2, "BLOCK": HEIGHT, "FUSED_COLUMNS_MAX": 0}.items():
        monkeypatch.setitem(scope, name, value)


Shape = tuple[Extent, ...]


class Maker:
    """Grows a function; of `kinds` of steps, which a test may choose."""

    def __init__(self, number: int, dtype: DType = float32, batch: Shape = ()) -> None:
        self.draw = random.Random(number)
        self.b, self.dtype, self.batch = Builder("f"), dtype, batch
        self.last = len(batch) + 1  # the axis of columns
        self.q, self.k = self.param(ROWS, 1), self.param(1, COLUMNS)

    def param(self, *shape: int, batch: bool = True) -> Value:
        return self.b.parameter(TensorType(self.dtype, (*(self.batch * batch), *shape)))

    def turn(self, x: Value) -> Value:
        """Rows as columns."""
        axes = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        return self.b.emit(Transpose(x, tuple(axes)))

    def like(self, x: Value, y: Value, dims: tuple[int, ...]) -> Value:
        return self.b.emit(Broadcast(y, x.shape, dims))

    def step(self, x: Value, kind: int) -> Value:
        """Another value of the shape of scores."""
        b, last, batch = self.b, self.last, tuple(range(len(self.batch)))
        match kind:
            case 0:
                return b.emit(ops.Neg(x))
            case 1:
                return b.emit(ops.Add(x, self.like(x, b.constant(2, self.dtype), ())))
            case 2:  # a number for each row
                return b.emit(ops.Sub(x, self.like(x, self.param(ROWS), (*batch, last - 1))))
            case 3:  # and for each column
                return b.emit(ops.Add(x, self.like(x, self.param(COLUMNS), (*batch, last))))
            case 4:
                most = b.emit(ops.ReduceMax(x, (last,)))
                return b.emit(ops.Sub(x, self.like(x, most, (*batch, last - 1))))
            case 5:  # some columns
                count = b.emit(Iota(x.shape, last, int32))
                bound = self.like(x, b.constant(7, int32), ())
                zero = self.like(x, b.constant(0, self.dtype), ())
                return b.emit(ops.Select(b.emit(ops.Less(count, bound)), x, zero))
            case 6:
                return self.turn(b.emit(ops.Neg(self.turn(x))))
            case 7:  # by an axis of 1 that goes away again
                wide = b.emit(Reshape(x, (*x.shape, 1)))
                return b.emit(ops.ReduceSum(wide, (last + 1,)))
            case 8:  # a column that is read whole: no number of its rows' own
                return b.emit(
                    ops.Add(x, self.like(x, self.param(ROWS, 1), (*batch, last - 1, last)))
                )
            case 9:
                more = b.emit(Matmul(self.param(ROWS, 1), self.param(1, COLUMNS)))
                return b.emit(ops.Add(x, more))
            case 10:  # large itself, and given
                return b.emit(ops.Add(x, self.param(ROWS, COLUMNS)))
            case 13:  # one row for all
                one = self.param(1, COLUMNS)
                return b.emit(ops.Sub(x, self.like(x, one, (*batch, last - 1, last))))
            case 14:  # a number that is given
                number = self.b.parameter(TensorType(self.dtype, ()))
                return b.emit(ops.Mul(x, self.like(x, number, ())))
            case 11:  # which row it is
                count = b.emit(ops.Cast(b.emit(Iota(x.shape, last - 1, int32)), self.dtype))
                return b.emit(ops.Add(x, count))
            case _:  # of all rows
                down = b.emit(ops.ReduceMax(x, (last - 1,)))
                return b.emit(ops.Sub(x, self.like(x, down, (*batch, last))))

    def sink(self, x: Value, kind: int) -> Value:
        """What is made of it, which is small."""
        b = self.b
        match kind:
            case 0:
                return b.emit(Matmul(x, self.param(COLUMNS, WIDTH)))
            case 1:
                return b.emit(Matmul(self.turn(x), self.param(ROWS, WIDTH)))
            case 2:
                return b.emit(ops.ReduceSum(x, (self.last,)))
            case 3:
                return b.emit(Matmul(self.param(WIDTH, ROWS), x))
            case 4:
                return self.turn(b.emit(Matmul(x, self.param(COLUMNS, WIDTH))))
            case 7:  # by what is computed after the first sink
                late = b.emit(ops.Neg(b.emit(ops.Neg(self.param(COLUMNS, WIDTH)))))
                return b.emit(Matmul(x, late))
            case 5:  # sums that no product makes
                return b.emit(ops.ReduceSum(x, (self.last - 1,)))
            case _:
                return x

    def make(self, steps: list[int], sinks: list[int], again: list[int]) -> Function:
        """Steps, what is made of the last, and of what comes of both in a second stage."""
        values = [self.b.emit(Matmul(self.q, self.k))]
        for kind in steps:
            values.append(self.step(values[-1], kind))
        made = [self.sink(self.draw.choice(values[-2:]), kind) for kind in sinks]
        for kind in again:
            row = self.sink(values[-1], 2)
            spread = self.like(values[-1], row, (*range(len(self.batch)), self.last - 1))
            made.append(self.sink(self.b.emit(ops.Sub(values[-1], spread)), kind))
        return self.b.build(*made)


def random_function(number: int) -> Function:
    draw = random.Random(number)
    batch = draw.choice([(), (), (2,), (3,), (1, 5)])
    maker = Maker(number, draw.choice([float32, float64, bfloat16]), batch)
    kinds = 10 if draw.randrange(3) else 13
    steps = [draw.randrange(kinds) for _ in range(draw.randint(1, 5))]
    sinks = [draw.randrange(5 if kinds == 10 else 7) for _ in range(draw.randint(1, 3))]
    return maker.make(steps, sinks, [draw.randrange(5) for _ in range(draw.randrange(3))])


def arrays(f: Function) -> list[np.ndarray]:
    """Small integers."""
    rng = np.random.default_rng(len(f.body))
    shapes = [[evaluate(e, {"n": 3}) for e in p.shape] for p in f.params]
    found = zip(f.params, shapes, strict=True)
    return [np.asarray(rng.integers(-2, 3, shape), p.dtype.numpy) for p, shape in found]


def compared(f: Function) -> Function:
    """The function in strips, which gives the same."""
    g = dce(strip_mine(f))
    verify(g)
    assert [v.type for v in g.returns] == [v.type for v in f.returns]
    given = arrays(f)
    for have, want in zip(interpret(g, given), interpret(f, given), strict=True):
        assert have.dtype == want.dtype and have.tobytes() == want.tobytes(), f"{f}\n{g}"
    return g


def scans(g: Function) -> list[Scan]:
    return [op for op in g.body if isinstance(op, Scan)]


def large(f: Function) -> list[Op]:
    """The ops that give scores, and what has as many elements."""
    return [op for op in f.body if any(v.type.size >= LEAST for v in op.results)]


def test_results_are_the_same() -> None:
    """And of what is in strips nothing is kept: what is large is what is left whole."""
    mined = 0
    for number in range(200):
        f = random_function(number)
        g = compared(f)
        if scans(g):
            mined += 1
            assert len(large(g)) < len(large(f))
    assert 60 < mined < 180


@pytest.mark.parametrize("kind", (*range(10), 13, 14))
@pytest.mark.parametrize("sink", range(5))
def test_steps_that_rows_can_take(kind: int, sink: int) -> None:
    """Each alone, and none keeps anything large."""
    for batch in ((), (2,), (1,)):
        f = Maker(0, batch=batch).make([kind, 0], [sink, 7], [])
        g = compared(f)
        assert len(scans(g)) == 1 and not large(g), g
        (scan,) = scans(g)
        assert scan.count == ROWS // HEIGHT


@pytest.mark.parametrize(("kind", "sink"), [(10, 0), (0, 6)])
def test_what_is_given_or_wanted_whole(kind: int, sink: int) -> None:
    assert not scans(compared(Maker(0).make([kind], [sink], [])))


@pytest.mark.parametrize(("kind", "sink"), [(11, 0), (12, 0), (12, 1), (0, 5), (11, 1)])
def test_rows_that_are_no_rows_are_columns(kind: int, sink: int) -> None:
    """Where rows cannot be cut, columns may be, of which there are enough for two strips."""
    (scan,) = scans(compared(Maker(0).make([kind], [sink], [])))
    assert scan.count == COLUMNS // HEIGHT


def test_what_needs_all_rows_and_all_columns() -> None:
    assert not scans(compared(Maker(0).make([12, 4], [0], [])))
    assert not scans(compared(Maker(0).make([12], [2], [])))


def test_stages() -> None:
    """What needs sums of all rows first has a second loop, and the scores once more."""
    for batch in ((), (2,)):
        g = compared(Maker(0, batch=batch).make([1], [], [0, 1]))
        assert len(scans(g)) == 1 and not large(g)  # sums of rows are there within a strip
        maker = Maker(0, batch=batch)
        x = maker.step(maker.b.emit(Matmul(maker.q, maker.k)), 1)
        down = maker.sink(x, 3)  # of all rows: its sums are there when all strips are done
        sums = maker.b.emit(ops.ReduceSum(down, (len(batch),)))
        dims = (*range(len(batch)), maker.last)
        made = maker.sink(maker.b.emit(ops.Sub(x, maker.like(x, sums, dims))), 1)
        g = compared(maker.b.build(made))
        assert len(scans(g)) == 2 and not large(g)


def test_sums_that_are_rounded_are_cut_between_matrices() -> None:
    f = Maker(0, bfloat16, (3, 5)).make([1, 4], [0, 1], [])
    (scan,) = scans(compared(f))
    assert scan.count == 5
    assert not scans(compared(Maker(0, bfloat16).make([1, 4], [0, 1], [])))


def sizes() -> Iterator[tuple[dict[str, int], bool]]:
    """What is changed of what `small` says, and whether there are strips then."""
    size = ROWS * COLUMNS * 4
    yield {"LARGE_BYTES": size}, True
    yield {"LARGE_BYTES": size + 1}, False
    yield {"EACH_BYTES_MIN": size}, True
    yield {"EACH_BYTES_MIN": size + 1}, False
    yield {"BLOCK": ROWS // 2}, True  # nothing is left
    yield {"STRIPS_MIN": ROWS // HEIGHT}, True
    yield {"STRIPS_MIN": ROWS // HEIGHT + 1}, False
    yield {"GROWTH_MIN": ROWS * COLUMNS // (ROWS + COLUMNS)}, True
    yield {"GROWTH_MIN": ROWS * COLUMNS // (ROWS + COLUMNS) + 1}, False
    yield {"FUSED_COLUMNS_MAX": COLUMNS - 1}, True
    yield {"FUSED_COLUMNS_MAX": COLUMNS}, False


@pytest.mark.parametrize(("changed", "mined"), list(sizes()))
def test_what_is_large(
    changed: dict[str, int], mined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in changed.items():
        monkeypatch.setitem(strip_mine.__globals__, name, value)
    assert bool(scans(compared(Maker(0).make([1, 4], [0], [])))) == mined


def test_what_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A product is large where it has so many times the elements of its operands."""
    times = ROWS * ROWS // (2 * ROWS)
    for least, mined in ((times, True), (times + 1, False)):
        monkeypatch.setitem(strip_mine.__globals__, "GROWTH_MIN", least)
        maker = Maker(0)
        x = maker.b.emit(Matmul(maker.q, maker.param(1, ROWS)))
        f = maker.b.build(maker.sink(maker.b.emit(ops.Neg(x)), 2))
        assert bool(scans(compared(f))) == mined


def test_strips_need_no_more_than_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rows come first and strips have all of them, nothing is moved, cut or joined; constants
    are those of each strip."""
    monkeypatch.setitem(strip_mine.__globals__, "BLOCK", ROWS // 2)
    g = compared(Maker(0).make([1, 2, 5, 14], [0, 2], []))
    (scan,) = scans(g)
    assert {op.mnemonic for op in g.body} == {"reshape", "scan"}
    assert [x.shape for x in scan.xs] == [(2, ROWS // 2, 1), (2, ROWS // 2)]
    assert {v.op for v in scan.captured} == {None}


@pytest.mark.parametrize("way", ["sum", "product", "squared", "gram"])
def test_squares_by_rows_and_columns(way: str) -> None:
    """What reads a value in two ways has no rows of its own, though there are as many columns: a
    strip is a matrix."""
    for batch in ((), (2,)):
        maker = Maker(0, batch=batch)
        b = maker.b
        s = b.emit(Matmul(maker.q, maker.param(1, ROWS)))
        x = b.emit(ops.Neg(s))
        if way == "sum":
            y = b.emit(ops.Add(x, maker.turn(x)))
        else:
            first = maker.turn(x) if way == "gram" else x
            y = b.emit(Matmul(first, s if way == "product" else x))
        last = b.emit(ops.Sub(y, s))
        g = compared(b.build(maker.sink(last, 2), maker.sink(x, 3)))
        assert [scan.count for scan in scans(g)] == list(batch)


def test_batches_of_unknown_number() -> None:
    """Strips are of axes that are known."""
    for batch, count in (((symbol("n"), 5), 5), ((5, symbol("n")), 5), ((symbol("n"),), 0)):
        f = Maker(0, bfloat16, batch).make([1, 4], [0, 1], [])
        assert [scan.count for scan in scans(compared(f))] == [count] * bool(count)


def test_what_has_two_results_is_no_part_of_a_strip() -> None:
    """A choice between values, of scores and of what is made of them."""
    for inner in (False, True):
        maker = Maker(0)
        b = maker.b
        x = maker.step(b.emit(Matmul(maker.q, maker.k)), 1)

        def branch(kind: type[Op], x: Value = x, inner: bool = inner) -> Function:
            a = Builder("branch")
            given = a.parameter(x.type)
            made = a.emit(kind(given))
            return a.build(made if inner else a.emit(ops.ReduceMax(made, (1,))), given)

        p = b.parameter(TensorType(bool_, ()))
        y, z = b.emit_all(Cond(p, (x,), branch(ops.Neg), branch(ops.Abs)))
        f = b.build(maker.sink(y, 2) if inner else y, maker.sink(z, 0), maker.sink(x, 0))
        assert not scans(compared(f))


@pytest.mark.parametrize("effect", [True, False])
def test_effects_are_not_moved(effect: bool) -> None:
    """What a strip needs of a later check is not there before it."""
    maker = Maker(0)
    b = maker.b
    p = b.parameter(TensorType(bool_, ()))
    x = maker.step(b.emit(Matmul(maker.q, maker.k)), 1)
    first = maker.sink(x, 2)
    holds = b.emit(Check(p, (), "no")) if effect else b.emit(ops.LogicalNot(p))
    number = b.emit(ops.Cast(holds, float32))
    late = b.emit(Broadcast(number, (COLUMNS, WIDTH), ()))
    f = b.build(first, b.emit(Matmul(x, late)))
    g = dce(strip_mine(f))
    assert bool(scans(g)) != effect
    given = [v if v.ndim else np.bool_(True) for v in arrays(f)]
    for have, want in zip(interpret(g, given), interpret(f, given), strict=True):
        assert have.tobytes() == want.tobytes()


def test_what_comes_after_need_have_no_rows() -> None:
    """A sum of the rows' sums is made of what strips give; nothing large is made of it."""
    maker = Maker(0)
    x = maker.step(maker.b.emit(Matmul(maker.q, maker.k)), 1)
    total = maker.b.emit(ops.ReduceSum(maker.sink(x, 2), (0,)))
    g = compared(maker.b.build(total, maker.sink(x, 0)))
    assert len(scans(g)) == 1 and not large(g)


def test_only_two_products_are_fused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(strip_mine.__globals__, "FUSED_COLUMNS_MAX", COLUMNS)
    assert scans(compared(Maker(0).make([1], [0, 1], [])))
    assert scans(compared(Maker(0).make([9], [0], [])))
    assert scans(compared(Maker(0).make([1], [2], [])))
