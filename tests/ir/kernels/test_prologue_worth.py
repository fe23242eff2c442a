"""When an operand is computed where it is packed: at both ends of each condition."""

from __future__ import annotations

from typing import Any

import pytest

from tfc.ir.core import Function, Op
from tfc.ir.extent import Extent, symbol
from tfc.ir.kernels.cpu.gemm.schedules import Gemm
from tfc.ir.kernels.plan.computed_operands import untransposed
from tfc.ir.kernels.plan.groups import Uses
from tfc.ir.kernels.plan.machine import readers
from tfc.ir.kernels.plan.prologues import candidate, worth
from tfc.ir.kernels.target import Target
from tfc.ir.text import parse

TARGET = Target(vector_bytes=16, registers=16)


def product(body: str) -> Function:
    """A product of %o, which `body` makes."""
    lines = f"{body}\n%p = matmul %o, %w : f32[m,5]\n%q = neg %p : f32[m,5]"
    params = "%x: f32[m,8], %y: f32[m,8], %c: f32[m], %r: f32[8], %i: i32[m], %w: f32[8,5]"
    return parse(f"func @f({params}, %z: f32[8,m]) -> (f32[m,5]) {{\n{lines}\nreturn %q\n}}")


def packed(times: Extent | None, source: int = 0) -> Any:
    """A schedule that packs each element of an operand so many times."""

    class Packed(Gemm):
        @classmethod
        def recomputes(cls, op: Op, number: int, target: Target) -> Extent | None:
            return times if number == source else None

    return Packed


def contraction(f: Function) -> Op:
    return next(op for op in f.body if op.result.name == "p")


def uses(f: Function) -> Uses:
    return Uses(readers(f.body), (), TARGET)


def is_worth(f: Function, times: Extent | None, kept: str = "kept", sure: str = "kept") -> bool:
    def named(begin: str) -> Any:
        return lambda v: v.op is None or (v.name or "").startswith(begin)

    found = worth(packed(times), contraction(f), 0, named(kept), named(sure), uses(f))
    return found is not None


ROW = "%kept = reduce_sum %y {axes = (1,)} : f32[m]\n%0 = broadcast %kept {shape = (m, 8), \
dims = (0,)} : f32[m,8]\n%o = mul %x, %0 : f32[m,8]"
PARAM = "%0 = broadcast %c {shape = (m, 8), dims = (0,)} : f32[m,8]\n%o = mul %x, %0 : f32[m,8]"
COLUMN = "%kept = neg %r : f32[8]\n%0 = broadcast %kept {shape = (m, 8), dims = (1,)} : f32[m,8]\n\
%o = mul %x, %0 : f32[m,8]"
SCALAR = "%kept = reduce_sum %r {axes = (0,)} : f32\n%0 = broadcast %kept {shape = (m, 8), \
dims = ()} : f32[m,8]\n%o = mul %x, %0 : f32[m,8]"


@pytest.mark.parametrize(
    ("body", "most"),
    [
        # An element costs c operations and l bytes: t (c + l) <= c + l + 2 * 4 + t * 4.
        ("%o = neg %x : f32[m,8]", 13),
        ("%0 = neg %x : f32[m,8]\n%o = neg %0 : f32[m,8]", 7),
        ("%o = mul %x, %y : f32[m,8]", 3),
        ("%o = exp %x : f32[m,8]", 1),
        # What a row is made of is computed where its rows are: t (c + l) <= c + 2 * 4 + t * 4.
        *((ROW, 9), (PARAM, 13), (COLUMN, 13), (SCALAR, 13)),
        # Indices are no rows that a kernel is at; what is gathered is packed once.
        ("%o = gather %x, %i {axis = 0} : f32[m,8]", 1),
    ],
)
def test_it_is_packed_so_often_at_most(body: str, most: int) -> None:
    f = product(body)
    assert [is_worth(f, times) for times in range(most + 2)] == [True] * (most + 1) + [False]


def test_how_often_has_to_be_known() -> None:
    f = product("%o = neg %x : f32[m,8]")
    n = f.params[0].shape[0]
    assert not is_worth(f, None)
    assert not is_worth(f, n)
    assert is_worth(f, symbol("t", 13)) and not is_worth(f, symbol("t", 14))
    assert not is_worth(product("%o = reverse %x {axes = (1,)} : f32[m,8]"), 1)


CONV = """
func @f(%x: f32[2,9,8], %z: f32[2,8,9], %i: i32[2], %w: f32[1,8,5]) -> f32[2,9,5] {
  BODY
  %p = conv %o, %w {size = (9,), strides = (1,), low = (0,), rhs_dilation = (1,), \
lhs_dilation = (1,), groups = 1, batch_groups = 1} : f32[2,9,5]
  return %p
}
"""


@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("%o = neg %x : f32[2,9,8]", True),
        ("%0 = neg %z : f32[2,8,9]\n%o = transpose %0 {perm = (0, 2, 1)} : f32[2,9,8]", True),
        (
            "%0 = transpose %z {perm = (0, 2, 1)} : f32[2,9,8]\n%1 = neg %0 : f32[2,9,8]\n"
            "%o = transpose %1 {perm = (0, 1, 2)} : f32[2,9,8]",
            False,
        ),
        ("%0 = gather %x, %i {axis = 0} : f32[2,9,8]\n%o = neg %0 : f32[2,9,8]", False),
    ],
)
def test_channels_of_convolutions_lie_side_by_side(
    body: str, good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = parse(CONV.replace("BODY", body))
    head = packed(1)
    source = classmethod(lambda cls, op, number, target: untransposed(op.x))
    monkeypatch.setattr(head, "source", source)  # a convolution that packs goes along any axis
    kept: Any = lambda v: v.op is None  # noqa: E731
    assert (worth(head, contraction(f), 0, kept, kept, uses(f)) is not None) == good


KEPT = """%kept0 = {} : f32[m,8]
%1 = neg %kept0 : f32[m,8]
%beside = neg %y : f32[m,8]
%o = mul %1, %beside : f32[m,8]
"""
MADE = "matmul %y, %z : f32[m,m]\n%kept0 = matmul %kept, %x"


@pytest.mark.parametrize(
    ("maker", "readers", "sure", "good"),
    [
        ("exp %x", "", "kept", True),
        ("exp %x", "", "sure", False),  # kept for this alone
        # What a product gives to nobody else is stored in the place of the operand.
        (MADE, "", "kept", False),
        (MADE, "%0 = exp %kept0 : f32[m,8]", "kept", True),
        (MADE, "%0 = exp %1 : f32[m,8]", "kept", True),
        (MADE, "%0 = exp %o : f32[m,8]", "kept", False),
        (MADE, "%0 = exp %beside : f32[m,8]", "kept", False),
    ],
)
def test_what_it_is_made_of_is_there_anyway(
    maker: str, readers: str, sure: str, good: bool
) -> None:
    body = KEPT.replace("%kept0 = {}", f"%kept{'' if maker is MADE else 0} = {maker}") + readers
    assert is_worth(product(body), 1, sure=sure) == good


def test_products_read_what_is_transposed_along_its_rows() -> None:
    f = product("%0 = neg %z : f32[8,m]\n%o = transpose %0 {perm = (1, 0)} : f32[m,8]")
    kept: Any = lambda v: v.op is None  # noqa: E731
    found = worth(packed(1), contraction(f), 0, kept, kept, uses(f))
    assert found is not None and list(found.leaves.values()) == [(1, 0)]


@pytest.mark.parametrize(
    ("body", "good"),
    [
        ("%o = neg %x : f32[m,8]", True),
        ("%0 = neg %z : f32[8,m]\n%o = transpose %0 {perm = (1, 0)} : f32[m,8]", True),
        ("%0 = neg %z : f32[8,m]\n%o = transpose %0 {perm = (1, 0)} : f32[m,8]\n"
         "%1 = exp %0 : f32[8,m]", False),
        ("%0 = neg %z : f32[8,m]\n%o = transpose %0 {perm = (1, 0)} : f32[m,8]\n"
         "%1 = exp %o : f32[m,8]", False),
        ("%o = neg %x : f32[m,8]\n%1 = exp %o : f32[m,8]", False),
        ("%o = transpose %z {perm = (1, 0)} : f32[m,8]", False),  # nothing to compute
        ("%0 = matmul %y, %z : f32[m,m]\n%o = matmul %0, %x : f32[m,8]", False),
    ],
)  # fmt: skip
def test_nobody_else_wants_it(body: str, good: bool) -> None:
    f = product(body)
    assert candidate(packed(1), contraction(f), 0, uses(f)) == good
    assert not candidate(packed(None), contraction(f), 0, uses(f))


def test_an_operand_that_is_both_is_stored() -> None:
    f = parse(
        "func @f(%x: f32[8,8]) -> f32[8,8] {\n%o = neg %x : f32[8,8]\n"
        "%p = matmul %o, %o : f32[8,8]\nreturn %p\n}"
    )
    assert not candidate(packed(1), contraction(f), 0, uses(f))
