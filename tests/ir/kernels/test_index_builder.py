"""What the builder of kernels makes of arithmetic on indices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Function, Value
from tfc.ir.dtypes import bool_, int32, int64
from tfc.ir.journal import recording
from tfc.ir.kernels.builder import KERNEL_RULES
from tfc.ir.kernels.index_builder import IndexBuilder
from tfc.ir.ops.elementwise import (
    Add,
    Equal,
    FloorDiv,
    FloorMod,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Maximum,
    Minimum,
    Mul,
    NotEqual,
    Select,
    Sub,
)
from tfc.ir.ops.shape import Constant
from tfc.ir.types import INDEX, scalar_type

LEAST, LARGEST = -(2**63), 2**63 - 1


def index_builder() -> IndexBuilder:
    return IndexBuilder(rules=KERNEL_RULES)


@pytest.mark.parametrize("op", [Add, Sub, Mul])
@pytest.mark.parametrize("x", [0, 3, -7, 2**40, LEAST, LARGEST])
@pytest.mark.parametrize("y", [0, -1, 5, 2**40, LEAST, LARGEST])
def test_numbers_are_folded_as_they_wrap(op: Callable[..., Add], x: int, y: int) -> None:
    b = index_builder()
    made = b.emit(op(b.constant(x, int64), b.constant(y, int64))).op
    with np.errstate(all="ignore"):
        wanted = op.reference(np.int64(x), np.int64(y))  # type: ignore[attr-defined]
    assert isinstance(made, Constant) and made.value.dtype == np.int64
    assert made.value == wanted


@pytest.mark.parametrize("op", [FloorDiv, FloorMod])
@pytest.mark.parametrize("x", [0, 3, -7, 2**40, LEAST, LARGEST])
@pytest.mark.parametrize("y", [0, 1, -1, 5, -5, 2**40, LARGEST])
def test_quotients_of_numbers_are_folded_but_for_those_by_zero(
    op: Callable[..., FloorDiv], x: int, y: int
) -> None:
    b = index_builder()
    made = b.emit(op(b.constant(x, int64), b.constant(y, int64))).op
    if y == 0:
        assert isinstance(made, FloorDiv | FloorMod)
        return
    wanted = (x // y if op is FloorDiv else x % y) & (2**64 - 1)
    assert isinstance(made, Constant) and int(made.value) & (2**64 - 1) == wanted


def test_one_value_for_one_sum() -> None:
    b = index_builder()
    i = b.parameter(INDEX, "i")
    first = b.emit(Add(i, b.constant(2, int64)))
    assert b.emit(Add(i, b.constant(2, int64))) is first
    inner = b.inner()
    assert inner.emit(Add(i, inner.constant(2, int64))) is first and not inner.body
    # A number that was computed is the one that was asked for.
    assert b.emit(Mul(b.constant(2, int64), b.constant(3, int64))) is b.constant(6, int64)


def formulas(b: Builder, i: Value, j: Value) -> list[Value]:
    x, y = Term(b, i), Term(b, j)
    terms = [x + 0, x * 1, x * 0, 3 + x, (x + 1) + 2, x - 5, x - x, (x // 4) * 4 + x % 4]
    terms += [x // 1, x % 1, x * y + y, (x + 2) * 3, y - 0]
    return [term.value for term in terms]


def test_the_laws_are_those_of_other_builders() -> None:
    texts = []
    for b in (Builder("f", KERNEL_RULES), IndexBuilder("f", KERNEL_RULES)):
        results = formulas(b, b.parameter(INDEX, "i"), b.parameter(INDEX, "j"))
        texts.append(str(b.build(*results)))
    assert texts[0] == texts[1]


def test_other_integers_go_the_long_way() -> None:
    b = index_builder()
    x = b.parameter(scalar_type(int32), "x")
    total = b.emit(Add(x, b.constant(1, int32)))
    assert total.dtype is int32 and b.constant(1, int32) is not b.constant(1, int64)
    assert isinstance(b.emit(FloorDiv(x, total)).op, FloorDiv)


COMPARISONS = (Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual)


@pytest.mark.parametrize("number", [-1, 0, 1, 8, 9, 10])
def test_what_counting_decides_is_not_computed(number: int) -> None:
    """Of a loop from 0 to 9: comparisons that are the same in all rounds, and extremes of which one
    is always the same; inner regions know it, too, and other integers do not count."""
    outer = index_builder()
    i, j = outer.parameter(INDEX, "i"), outer.parameter(scalar_type(int32), "j")
    outer.counts(i, None, outer.constant(10, int64))
    for b in (outer, outer.inner()):
        other = b.constant(number, int64)
        for kind in COMPARISONS:
            every = {bool(kind.reference(k, number)) for k in range(10)}
            made = b.emit(kind(i, other)).op
            if len(every) == 1:
                assert isinstance(made, Constant) and bool(made.value) is every.pop()
            else:
                assert type(made) is kind
            assert type(b.emit(kind(j, b.constant(number, int32))).op) is kind
        low, high = b.emit(Minimum(i, other)), b.emit(Maximum(i, other))
        assert (low is i) == (number >= 9) and (low is other) == (number < 0)
        assert (high is i) == (number < 0) and (high is other) == (number >= 9)


def test_numbers_without_rules_and_while_somebody_records() -> None:
    """They go the long way, to the same."""
    b = IndexBuilder()
    made = b.constant(3, int64)
    assert isinstance(made.op, Constant) and made.op.value == 3 and b.body == [made.op]
    with recording() as journal:

        def step(f: Function) -> Function:
            b = index_builder()
            x = b.parameter(INDEX)
            numbers = [b.constant(n, int64) for n in (3, 4, 3)]
            assert numbers[0] is numbers[2] and [v.op.value for v in numbers] == [3, 4, 3]  # type: ignore[union-attr]
            return b.build(b.emit(Add(x, numbers[0])))

        made_by = journal.take(step, Builder("f").build())
    assert [type(op) for op in made_by.body] == [Constant, Constant, Add]


def test_laws_of_other_ops_hold() -> None:
    b = index_builder()
    x, y = b.parameter(INDEX), b.parameter(INDEX)
    assert b.emit(Select(b.constant(True, bool_), x, y)) is x
    assert b.emit(Select(b.emit(Less(x, y)), x, x)) is x
