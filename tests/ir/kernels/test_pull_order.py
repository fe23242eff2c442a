"""The order in which a kernel computes what it pulls: little is alive at a time."""

from __future__ import annotations

import pytest

from tfc.ir.core import Builder, Function, Value
from tfc.ir.dtypes import float32
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.target import Target
from tfc.ir.ops.elementwise import Add, Sub
from tfc.ir.ops.transcendental import Exp
from tfc.ir.types import TensorType

COUNT = 40


def total(order: str) -> Function:
    """Many exponentials as one number: from the left, from the right, or by halves."""
    b = Builder("f")
    terms = [b.emit(Exp(b.parameter(TensorType(float32, (64,))))) for _ in range(COUNT)]
    while len(terms) > 1:
        match order:
            case "left":
                terms[:2] = [b.emit(Sub(terms[0], terms[1]))]
            case "right":
                terms[-2:] = [b.emit(Sub(terms[-2], terms[-1]))]
            case "halves":
                pairs = zip(terms[::2], terms[1::2], strict=False)
                odd = terms[len(terms) & ~1 :]
                terms = [b.emit(Add(x, y)) for x, y in pairs] + odd
    return b.build(terms[0])


def most_alive(f: Function) -> int:
    """How many values of the arrays' dtype are alive at a time in the kernel of `f`, at most."""
    most = 0
    (launch,) = (op for op in lower(f, Target()).body if isinstance(op, Launch))
    for region in _regions(launch.kernel):
        last: dict[Value, int] = {}
        for at, op in enumerate(region.body):
            last.update(dict.fromkeys(op.operands, at))
        alive: set[Value] = set()
        for at, op in enumerate(region.body):
            alive = {v for v in alive if last[v] > at}
            alive.update(v for v in op.results if v.dtype is float32 and v in last)
            most = max(most, len(alive))
    return most


def _regions(f: Function) -> list[Function]:
    return [f, *(r for op in f.body for g in op.regions for r in _regions(g))]


@pytest.mark.parametrize(("order", "most"), [("left", 2), ("right", 2), ("halves", 7)])
def test_few_values_are_alive_at_a_time(order: str, most: int) -> None:
    assert 2 <= most_alive(total(order)) <= most
