"""What `layout` makes of random functions gives their bits in the interpreter, and moves the axes
that it is for: those that are few, of operands that are used often."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tfc.ir import ops
from tfc.ir.core import Builder, Function, Value
from tfc.ir.dtypes import float32
from tfc.ir.extent import Extent, evaluate, symbol
from tfc.ir.interpreter import interpret
from tfc.ir.ops.reduction import Reduction
from tfc.ir.ops.shape import Broadcast, Transpose
from tfc.ir.passes.layout import LAST_AXIS_ELEMENTS_MIN, MOVED_AXIS_ELEMENTS_MAX, layout
from tfc.ir.recomputing import REPEATS_MIN, STORE_ABOVE
from tfc.ir.types import TensorType
from tfc.ir.verify import verify

SIZES = {"n": 9, "m": 17}
# Axes of [n, m, d] that an operand has, and which of them are one element that is repeated.
OPERANDS = (((0, 2), ()), ((1, 2), ()), ((0, 1), ()), ((), ()), ((2,), ()), ((0, 2), (0,)))
OPERANDS += (((0, 2), (2,)), ((0, 1, 2), (0,)), ((1, 2), (2,)), ((1,), ()), ((0, 1, 2), ()))
AXES = ((2,), (1,), (0,), (0, 1), (1, 0), (1, 2), (0, 2), (0, 1, 2))


def spread(b: Builder, shape: tuple[Extent, ...], kind: int) -> Value:
    """A param of fewer axes, or with axes of 1, broadcast to `shape`."""
    dims, ones = OPERANDS[kind]
    x = b.parameter(TensorType(float32, tuple(1 if d in ones else shape[d] for d in dims)))
    return b.emit(Broadcast(x, shape, dims))


def reduced(number: int) -> Function:
    """Reductions of what is computed of such operands, some of which share a part."""
    draw = random.Random(number)
    b = Builder("f")
    shape = (
        draw.choice([1, 9, 20, symbol("n")]),
        draw.choice([15, 16, 17, symbol("m")]),
        draw.choice([1, 2, 3, 3, 3, MOVED_AXIS_ELEMENTS_MAX, MOVED_AXIS_ELEMENTS_MAX + 1]),
    )
    values = [spread(b, shape, draw.randrange(len(OPERANDS))) for _ in range(draw.randint(1, 4))]
    for _ in range(draw.randint(1, 5)):
        kind = draw.choice([ops.Add, ops.Sub, ops.Mul, ops.Maximum])
        values.append(b.emit(kind(draw.choice(values), values[-1])))
    if draw.randrange(4) == 0:
        values.append(b.emit(ops.Neg(values[-1])))
    results = []
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice([ops.ReduceSum, ops.ReduceMax, ops.ReduceProd])
        results.append(b.emit(kind(draw.choice(values[-2:]), draw.choice(AXES))))
    last = b.emit(ops.Neg(results[0]))
    return b.build(*results, last, *([values[-1]] if draw.randrange(4) == 0 else []))


def arrays(f: Function) -> list[np.ndarray]:
    """Floats of several magnitudes, whose sums depend on their order."""
    rng = np.random.default_rng(len(f.params))
    shapes = [tuple(evaluate(e, SIZES) for e in p.shape) for p in f.params]
    return [np.float32(rng.normal(size=s) * 10.0 ** rng.integers(-2, 3, s)) for s in shapes]


def moves(f: Function) -> bool:
    g = layout(f)
    verify(g)
    return g is not f


def test_results_are_the_same() -> None:
    """Shapes, too, which `verify` and the return types say; two thirds of them change nothing."""
    changed = 0
    for number in range(300):
        f = reduced(number)
        g = layout(f)
        verify(g)
        assert [v.type for v in g.returns] == [v.type for v in f.returns]
        given = arrays(f)
        for have, want in zip(interpret(g, given, SIZES), interpret(f, given, SIZES), strict=True):
            assert have.tobytes() == want.tobytes(), f"{f}\n{g}"
        changed += g is not f
    assert 60 < changed < 240


def test_nothing_is_moved_but_operands_and_results() -> None:
    """Never what has the elements of all pairs; and nothing is computed twice."""
    for number in range(300):
        f = reduced(number)
        g = layout(f)
        if g is f or any(p.rank == 3 for p in f.params):
            continue
        for op in g.body:
            assert not isinstance(op, Transpose) or op.x.rank < 3
        assert len(g.body) <= 2 * len(f.body) + sum(isinstance(op, Transpose) for op in g.body)


def one(
    shape: tuple[Extent, ...] = (9, 17, 3),
    kinds: tuple[int, ...] = (0, 1),
    axes: tuple[int, ...] = (2,),
    more: int = 0,
) -> Function:
    """A sum of a sum of operands, negated so many times before."""
    b = Builder("f")
    first, *others = [spread(b, shape, kind) for kind in kinds]
    for x in others:
        first = b.emit(ops.Add(first, x))
    for _ in range(more):
        first = b.emit(ops.Neg(first))
    return b.build(b.emit(ops.ReduceSum(first, axes)))


FEW, MANY = MOVED_AXIS_ELEMENTS_MAX, LAST_AXIS_ELEMENTS_MIN


@pytest.mark.parametrize(
    ("f", "moved"),
    [
        (one(), True),
        (one((9, 17, FEW)), True),
        (one((9, 17, FEW + 1)), False),  # lanes have enough to do
        (one((9, 17, 2)), True),
        (one((9, 17, 1)), False),
        (one((9, 17, symbol("d"))), False),
        (one((9, MANY, 3)), True),
        (one((9, MANY - 1, 3)), False),  # nor would they have along this one
        (one((9, symbol("m"), 3)), True),
        (one(axes=(1,)), True),
        (one(axes=(0, 1)), True),
        (one(axes=(1, 2)), False),  # another order of sums
        (one((REPEATS_MIN, 17, 3), (1, 1)), True),
        (one((REPEATS_MIN - 1, 17, 3), (1, 1)), False),  # transposed for few uses
        (one((REPEATS_MIN - 1, 17, 3), (2, 3)), True),  # which have nothing to transpose
        (one((symbol("n"), 17, 3)), True),
        (one(kinds=(0, 10)), False),  # of the size of the whole
        (one(more=STORE_ABOVE - 1), True),
        (one(more=STORE_ABOVE), False),  # computed anew for each
    ],
)
def test_what_is_moved(f: Function, moved: bool) -> None:
    assert moves(f) == moved


def test_what_is_computed_twice_counts_once() -> None:
    """A value that two ops read."""
    b = Builder("f")
    x = spread(b, (9, 17, 3), 0)
    for _ in range(STORE_ABOVE):
        x = b.emit(ops.Mul(x, x))
    assert moves(b.build(b.emit(ops.ReduceSum(x, (2,)))))


def test_what_others_make_stays() -> None:
    """Of what is neither spread nor computed element by element, a transpose would be needed."""
    b = Builder("f")
    x = b.emit(ops.Reshape(b.parameter(TensorType(float32, (9 * 17, 3))), (9, 17, 3)))
    assert not moves(b.build(b.emit(ops.ReduceSum(b.emit(ops.Add(x, x)), (2,)))))
    b = Builder("f")
    x = b.parameter(TensorType(float32, (9, 17, 3)))
    assert not moves(b.build(b.emit(ops.ReduceSum(x, (2,)))))


def test_a_vector_has_no_axis_before_the_last() -> None:
    b = Builder("f")
    x = b.emit(Broadcast(b.parameter(TensorType(float32, ())), (3,), ()))
    assert not moves(b.build(b.emit(ops.ReduceSum(x, (0,)))))


def test_all_that_gains_is_moved_and_nothing_else() -> None:
    """Of two sums in a function, the one that is for it."""
    b = Builder("f")
    x = spread(b, (9, 17, 3), 0)
    wide = spread(b, (9, 17, FEW + 1), 1)
    f = b.build(b.emit(ops.ReduceSum(wide, (2,))), b.emit(ops.ReduceSum(x, (1,))))
    firsts = [op.x.shape[0] for op in layout(f).body if isinstance(op, Reduction)]
    assert firsts == [9, 3]
