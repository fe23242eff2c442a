"""What functions know of their ops, and passes that have nothing to do."""

from __future__ import annotations

import pytest

from tfc.ir import passes
from tfc.ir.ops.control import Control, While
from tfc.ir.ops.elementwise import Elementwise, Mul
from tfc.ir.ops.reduction import Reduction
from tfc.ir.text import parse

LOOP = """
func @loop(%x: f32[n]) -> f32[n] {
  %0 = while [%x], [] condition = (%a: f32[n]) {
    %1 = reduce_max %a {axes = (0,)} : f32
    %2 = constant {value = f32 1.0} : f32
    %3 = less %1, %2 : bool
    return %3
  } body = (%b: f32[n]) {
    %4 = add %b, %b : f32[n]
    return %4
  } : f32[n]
  return %0
}
"""
PLAIN = """
func @plain(%x: f32[n], %y: f32[n]) -> f32[n] {
  %0 = sin %x : f32[n]
  %1 = mul %0, %y : f32[n]
  return %1
}
"""
UNUSED = PLAIN.replace("  return", "  %2 = sin %1 : f32[n]\n  return")


def test_classes_of_ops() -> None:
    f = parse(PLAIN)
    assert {Mul, Elementwise} <= f.op_classes
    assert f.op_classes.isdisjoint((Control, Reduction))
    assert f.all_op_classes == f.op_classes


def test_those_in_regions() -> None:
    f = parse(LOOP)
    assert {While, Control} <= f.op_classes
    assert Elementwise not in f.op_classes
    assert {While, Elementwise, Reduction} <= f.all_op_classes


@pytest.mark.parametrize("step", passes.OPTIMISE, ids=lambda step: step.__name__)
def test_a_pass_that_changes_nothing_gives_back_what_it_was_given(step: passes.Pass) -> None:
    f = parse(PLAIN)
    assert step(f) is f


def test_a_pass_that_changes_something_does_not() -> None:
    f = parse(UNUSED)
    made = passes.dce(f)
    assert made is not f and len(made.body) == 2
