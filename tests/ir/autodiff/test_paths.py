"""What cuts the way of a gradient: what lies on it alone; predicates where there is no other."""

from __future__ import annotations

from tests.ir.autodiff.test_reverse import named
from tfc.ir.autodiff.paths import follow
from tfc.ir.text import parse

WAYS = """\
func @ways(%x: f32, %y: f32, %z: f32) -> f32 {
  %c = less %x, %y : bool
  %aside = cast %x {dtype = i32} : i32
  %farther = neg %aside : i32
  %e = exp %x : f32
  %s = stop_gradient %y : f32
  %m = mul %e, %s : f32
  %b = cond %c, [%z] then = (%a: f32) {
    %t = exp %a : f32
    return %t
  } orelse = (%a2: f32) {
    return %a2
  } : f32
  return %m
}
"""


def test_only_what_lies_on_a_way_cuts_it() -> None:
    f = parse(WAYS)
    v = named(f)
    assert follow(f.body, [v["x"]], [v["m"]]) == (True, {v["m"]}, [])
    assert follow(f.body, [v["z"]], [v["m"]]) == (False, set(), [])
    depends, connected, cuts = follow(f.body, [v["y"]], [v["m"]])
    assert (
        depends
        and not connected
        and [(c.op, c.why) for c in cuts] == [("stop_gradient", "stops it")]
    )


def test_a_predicate_is_a_way_where_there_is_no_other() -> None:
    f = parse(WAYS)
    v = named(f)
    assert follow(f.body, [v["z"], v["x"]], [v["b"]]) == (True, {v["b"]}, [])
    depends, connected, cuts = follow(f.body, [v["x"]], [v["b"]])
    assert depends and not connected and [c.op for c in cuts] == ["less"]
    assert cuts[0].why == "gives bool, and only floats and complex numbers have gradients"


INSIDE = """\
func @inside(%p: bool, %x: f32, %w: f32, %n: i64) -> f32 {
  %b = cond %p, [%x, %w] then = (%a: f32, %d: f32) {
    %t = stop_gradient %a : f32
    %i = cast %d {dtype = i32} : i32
    %j = cast %i {dtype = f32} : f32
    %m = mul %t, %j : f32
    return %m
  } orelse = (%a2: f32, %d2: f32) {
    %t2 = stop_gradient %a2 : f32
    return %t2
  } : f32
  %k, %y = while [%n, %w], [%x] condition = (%l: i64, %c: f32, %e: f32) {
    %h = less %l, %l : bool
    return %h
  } body = (%l2: i64, %c2: f32, %e2: f32) {
    %s = stop_gradient %e2 : f32
    %g = mul %c2, %s : f32
    return %l2, %g
  } : i64, f32
  return %y
}
"""


def test_what_cuts_within_branches_and_bodies() -> None:
    """On the way from the operand that is asked for alone; a loop's condition is none."""
    f = parse(INSIDE)
    v = named(f)
    for target, count in (("b", 2), ("y", 1)):
        depends, connected, cuts = follow(f.body, [v["x"]], [v[target]])
        assert depends and not connected and [c.op for c in cuts] == ["stop_gradient"] * count
