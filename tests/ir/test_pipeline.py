"""What the passes of the pipeline leave alone, take and name, and what is verified between them."""

from __future__ import annotations

import numpy as np
import pytest

from tfc.ir import ops, passes
from tfc.ir.core import Builder, Function, Value
from tfc.ir.dtypes import float32
from tfc.ir.interpreter import interpret
from tfc.ir.ops.control import Cond, Control
from tfc.ir.passes import pipeline
from tfc.ir.text import parse
from tfc.ir.types import TensorType

PLAIN = parse("""\
func @plain(%x: f32[3], %y: f32[3]) -> f32[3] {
  %a = sin %x : f32[3]
  %b = atan2 %a, %y : f32[3]
  return %b
}
""")
BRANCHES = """\
func @branches(%x: f32[3], %y: f32[3]) -> (f32[3], f32[3]) {
  %p = constant {value = bool VALUE} : bool
  %r, %s = cond %p, [%y, %x] then = (%a: f32[3], %b: f32[3]) {
    %c = sub %a, %b : f32[3]
    return %c, %a
  } orelse = (%d: f32[3], %e: f32[3]) {
    %f = mul %d, %e : f32[3]
    %g = mul %d, %e : f32[3]
    %h = add %f, %g : f32[3]
    return %e, %h
  } : f32[3], f32[3]
  %t = add %r, %s : f32[3]
  return %t, %s
}
"""
X, Y = np.float32([1.5, -2, 0]), np.float32([0.25, 3, -1])


@pytest.mark.parametrize("step", passes.OPTIMISE, ids=lambda p: p.__name__)
def test_what_has_nothing_for_a_pass_is_left_as_it_is(step: passes.Pass) -> None:
    """The same object: most functions have nothing for most passes, and none is copied then."""
    assert step(PLAIN) is PLAIN


@pytest.mark.parametrize("value", [True, False])
def test_a_known_branch_takes_the_place_of_the_choice(value: bool) -> None:
    f = parse(BRANCHES.replace("VALUE", str(value)))
    g = pipeline.regions(f)
    assert not any(isinstance(op, Control) for op in g.body)
    wanted = (Y - X, Y) if value else (X, 2 * (X * Y))
    for have, want in zip(interpret(g, [X, Y]), (wanted[0] + wanted[1], wanted[1]), strict=True):
        np.testing.assert_array_equal(have, want)


def test_regions_are_optimised_and_keep_names() -> None:
    """Equal ops of one branch are computed once, and what a choice gives is called as it was."""
    text = BRANCHES.replace("  %p = constant {value = bool VALUE} : bool\n", "")
    f = parse(text.replace("(%x: f32[3]", "(%p: bool, %x: f32[3]"))
    g = pipeline.regions(f)
    (cond,) = [op for op in g.body if isinstance(op, Cond)]
    assert [v.name for v in cond.results] == ["r", "s"]
    assert [op.mnemonic for op in cond.orelse.body] == ["mul", "add"]
    for p in (True, False):
        given = [np.bool_(p), X, Y]
        for have, want in zip(interpret(g, given), interpret(f, given), strict=True):
            assert have.tobytes() == want.tobytes()


def broken() -> Function:
    """A function whose op reads what none gives."""
    b = Builder("f")
    x = b.parameter(TensorType(float32, (3,)), "x")
    y = b.emit(ops.Neg(x))
    b.body[:] = [ops.Sin(Value(x.type))]
    return Function("f", (x,), tuple(b.body), (y,))


def test_what_passes_take_and_make_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(f: Function) -> Function:
        return broken()

    def fails(*steps: passes.Pass, f: Function = PLAIN) -> bool:
        try:
            passes.run(f, steps)
        except Exception:
            return True
        return False

    for setting, verified in (("1", True), ("bounds", True), ("0", False), ("", False)):
        monkeypatch.setenv("TFC_VERIFY", setting)
        assert fails(f=broken()) == verified  # before any pass
        assert fails(breaks) == verified
        assert fails(breaks, lambda f: PLAIN) == verified  # and after each of them
        assert not fails(lambda f: f)


def test_each_pass_is_told_with_what_it_made() -> None:
    f = parse(BRANCHES.replace("VALUE", "True"))
    seen: list[tuple[str, Function]] = []
    g = passes.run(f, (pipeline.regions, pipeline.dce), lambda *told: seen.append(told))
    assert [name for name, _ in seen] == ["regions", "dce"]
    assert seen[1][1] is g and seen[0][1] is not g
