"""What cuts the way of a gradient: what lies on it alone; predicates where there is no other."""

from __future__ import annotations

from tests.ir.autodiff.test_reverse import named
from tfc.ir.autodiff.paths import follow
from tfc.ir.text import parse

WAYS = """\
func @ways(%x: f32, %y: f32, %z: f32) -> f32 {
  %c = less %x, %y : bool
  %aside = cast %x {dtype = i32} : i32
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
