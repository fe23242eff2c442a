"""Which values of backward code repeat forward ones: in plain code, in branches, in loops."""

from __future__ import annotations

import re

import pytest

from tests.ir.autodiff.test_reverse import named
from tfc.ir.autodiff.recomputation import numbered, repeats, values_inside
from tfc.ir.copying import mark_again
from tfc.ir.core import Function, Op
from tfc.ir.text import parse


def marked(text: str, *again: str) -> tuple[Function, dict[str, str]]:
    """A function whose results of these names are copies' (`name=2` of the second such op); and
    what repeats says, by names."""
    f = parse(text)
    ops: dict[str, Op] = {v.name: v.op for v in named(f).values() if v.op is not None}
    for name in again:
        name, _, number = name.partition("=")
        mark_again(ops[name], int(number or 1))
    return f, {v.name: w.name for v, w in repeats(f.body).items()}


PLAIN = """\
func @plain(%x: f32, %y: f32) -> f32 {
  %a = exp %x : f32
  %b = exp %x : f32
  %s = sin %b : f32
  %c = exp %x : f32
  %d = sin %c : f32
  %e = exp %y : f32
  %t = add %d, %e : f32
  return %t
}
"""


def test_copies_repeat_the_op_of_their_number() -> None:
    assert marked(PLAIN)[1] == {}
    assert marked(PLAIN, "c", "d", "e")[1] == {"c": "a"}  # of sin %b, not sin %a
    f, found = marked(PLAIN, "c=2", "d")
    assert found == {"c": "b", "d": "s"}
    assert marked(PLAIN, "c=3", "d", "b")[1] == {"b": "a"}  # there are two
    assert [numbered(f.body)[op] for op in f.body] == [1, 2, 1, 3, 1, 1, 1]
    v = named(f)
    assert repeats(f.body, [v["c"]]) == {v["d"]: v["s"]}


BRANCHES = """\
func @branches(%p: bool, %q: bool, %x: f32, %y: f32) -> f32 {
  %r = cond %p, [%x, %y] then = (%a: f32, %b: f32) {
    %e = exp %a : f32
    %s = sin %e : f32
    return %s
  } orelse = (%a2: f32, %b2: f32) {
    %e2 = exp %b2 : f32
    return %e2
  } : f32
  %back = cond %p, [%y, %r, %x] then = (%v: f32, %d: f32, %u: f32) {
    %f = exp %u : f32
    %m = mul %f, %d : f32
    return %m
  } orelse = (%v2: f32, %d2: f32, %u2: f32) {
    %g = exp %v2 : f32
    %h = exp %u2 : f32
    %n = mul %g, %h : f32
    return %n
  } : f32
  %other = cond %q, [%x] then = (%w: f32) {
    %k = exp %w : f32
    return %k
  } orelse = (%w2: f32) {
    return %w2
  } : f32
  %same = cond %p, [%x, %y] then = (%a3: f32, %b3: f32) {
    %e3 = exp %a3 : f32
    %s3 = sin %e3 : f32
    return %s3
  } orelse = (%a4: f32, %b4: f32) {
    %e4 = exp %b4 : f32
    return %e4
  } : f32
  return %back
}
"""


def test_branches_repeat_those_that_are_taken_with_them() -> None:
    assert marked(BRANCHES, "f", "g", "h", "k")[1] == {"f": "e", "g": "e2"}
    found = marked(BRANCHES, "same", "e3", "s3", "e4")[1]
    assert found["same"] == "r"
    assert marked(BRANCHES.replace("%same = cond %p", "%same = cond %q"), "same")[1] == {}
    assert (
        marked(
            BRANCHES.replace("cond %p, [%x, %y] then = (%a3", "cond %p, [%y, %x] then = (%a3"),
            "same",
        )[1]
        == {}
    )
    assert marked(BRANCHES.replace("%s3 = sin", "%s3 = cos"), "same")[1] == {}
    f = parse(BRANCHES)
    names = {v.name for v in values_inside(f.body[0])}
    assert names == {"a", "b", "e", "s", "a2", "b2", "e2"}


LOOPS = """\
func @loops(%x: f32[n], %z: f32[n], %s: f32, %c: f32) -> (f32, f32[n]) {
  %y = scan [%s], [%x], [%c] {NONE} body = (%i: i64, %t: f32, %u: f32, %k: f32) {
    %e = exp %t : f32
    %m = mul %e, %u : f32
    %a = add %m, %k : f32
    return %a
  } : f32
  %y2, %rows = scan [%s], [%x], [%c] {ROWS} body = (%j: i64, %v: f32, %w: f32, %l: f32) {
    %e2 = exp %v : f32
    %m2 = mul %e2, %w : f32
    %a2 = add %m2, %l : f32
    return %a2, %e2
  } : f32, f32[n]
  return %y, %rows
}
"""
LOOPS = LOOPS.replace("NONE", "count = n, reverse = False, residuals = 0")
LOOPS = LOOPS.replace("ROWS", "count = n, reverse = False, residuals = 1")


def test_a_loop_that_keeps_rows_repeats_the_one_that_does_not() -> None:
    found = marked(LOOPS, "y2")[1]
    assert found["y2"] == "y" and found["rows"] == "e"


@pytest.mark.parametrize(
    "old, new",
    [
        ("%y2, %rows = scan [%s], [%x]", "%y2, %rows = scan [%s], [%z]"),
        ("%y2, %rows = scan [%s], [%x], [%c]", "%y2, %rows = scan [%s], [%x], [%s]"),
        ("%y2, %rows = scan [%s]", "%y2, %rows = scan [%c]"),
        ("reverse = False, residuals = 1", "reverse = True, residuals = 1"),
        ("%a2 = add %m2, %l", "%a2 = sub %m2, %l"),
    ],
)
def test_loops_that_differ_repeat_nothing(old: str, new: str) -> None:
    assert old in LOOPS and "y2" not in marked(LOOPS.replace(old, new), "y2")[1]


def test_rows_that_were_kept_before_are_found_as_they_are() -> None:
    text = LOOPS.replace("%y = scan", "%y, %kept = scan").replace(
        "residuals = 0}", "residuals = 1}"
    )
    text = text.replace("    return %a\n  } : f32\n", "    return %a, %e\n  } : f32, f32[n]\n")
    text = text.replace("%y2, %rows = scan", "%y2, %rows, %more = scan")
    text = text.replace(
        "    return %a2, %e2\n  } : f32, f32[n]",
        "    return %a2, %e2, %m2\n  } : f32, f32[n], f32[n]",
    )
    assert marked(text.replace("residuals = 1}", "residuals = 0}"), "y2")[1] == {
        "y2": "y", "rows": "kept", "more": "m",
    }  # fmt: skip


def test_what_is_captured_stands_for_the_same() -> None:
    text = LOOPS.replace("%e2 = exp %v", "%e2 = exp %l").replace("%e = exp %t", "%e = exp %k")
    text = text.replace("reverse = False, residuals = 1", "reverse = True, residuals = 0")
    assert marked(text, "e2")[1] == {"e2": "e"}
    other = text.replace("%y2, %rows = scan [%s], [%x], [%c]", "%y2, %rows = scan [%s], [%x], [%s]")
    assert marked(other, "e2")[1] == {}


def test_effects_and_ops_with_regions_are_each_their_own() -> None:
    f = parse(BRANCHES)
    assert {numbered(f.body)[op] for op in f.body} == {1}
    text = """\
func @effects(%p: bool, %x: f32) -> (bool, bool) {
  %a = check %p, [] {message = 'no'} : bool
  %b = check %p, [] {message = 'no'} : bool
  %c = cond %p, [%x, %p] then = (%u: f32, %q: bool) {
    %d = cond %q, [%u] then = (%v: f32) {
      %e = exp %v : f32
      return %e
    } orelse = (%w: f32) {
      return %w
    } : f32
    return %d
  } orelse = (%z: f32, %q2: bool) {
    return %z
  } : f32
  return %a, %b
}
"""
    f, found = marked(text, "b")
    assert found == {}
    names = {v.name for v in values_inside(f.body[2])}
    assert names == {"u", "q", "d", "v", "e", "w", "z", "q2"}


WHILES = """\
func @whiles(%x: f64, %w: f64) -> (f64, f64[r]) {
  FIRST
  %y2, %count2, %rows = growing_while [%x], [%w] {inside = (), bound = (r,)} condition = (%m2: f64, %q2: f64) {
    %c2 = less %m2, %q2 : bool
    return %c2
  } body = (%n2: f64, %k2: f64) {
    %e2 = exp %n2 : f64
    %a2 = mul %e2, %k2 : f64
    return %a2, %e2
  } : f64, i64, f64[r]
  return %y, %rows
}
"""  # noqa: E501
BODY = """condition = (%m: f64, %q: f64) {
    %c = less %m, %q : bool
    return %c
  } body = (%n: f64, %k: f64) {
    %e = exp %n : f64
    %a = mul %e, %k : f64
    return KEPT
  } : TYPES
"""


def whiles(kept: str = "", condition: str = "less") -> str:
    """A loop that keeps some of its rounds' values, and one that keeps more."""
    rows = kept.split()
    body = BODY.replace("KEPT", ", ".join(["%a", *rows])).replace("%c = less", f"%c = {condition}")
    if not rows:
        return WHILES.replace("FIRST", "%y = while [%x], [%w] " + body.replace("TYPES", "f64"))
    names = [f"%kept{i}" for i, _ in enumerate(rows)]
    first = f"%y, %count, {', '.join(names)} = growing_while [%x], [%w] "
    first += "{inside = (), bound = (p,)} " + body
    types = ", ".join(["f64", "i64", *("f64[p]" for _ in rows)])
    return WHILES.replace("FIRST", first.replace("TYPES", types))


def test_loops_that_count_themselves_repeat_those_that_do_not() -> None:
    """What was not kept is repeated in the body, what was is there."""
    assert marked(whiles(), "y2")[1] == {"y2": "y", "rows": "e"}
    for kept, row in (("%e", "kept0"), ("%a", "e"), ("%e %a", "kept0"), ("%a %e", "e")):
        found = marked(whiles(kept), "y2")[1]
        assert found == {"y2": "y", "count2": "count", "rows": row}
    for kept, rows in (("%e %a", ("kept0", "kept1")), ("%a %e", ("e", "a"))):
        more = whiles(kept).replace("return %a2, %e2", "return %a2, %e2, %a2")
        more = more.replace("%rows = growing", "%rows, %more = growing")
        more = more.replace("f64, i64, f64[r]\n", "f64, i64, f64[r], f64[r]\n")
        found = marked(more, "y2")[1]
        assert found == {"y2": "y", "count2": "count", "rows": rows[0], "more": rows[1]}


@pytest.mark.parametrize("kept", ["", "%e", "%a %e"])
def test_backward_loops_repeat_what_ran_as_often(kept: str) -> None:
    """Their rows stand for what the forward body computes; what both are given is one value."""
    back = """\
  %back = scan [%w], [%rows], [%w] {count = r, reverse = True, residuals = 0} body = (%i: i64, %d: f64, %row: f64, %g: f64) {
    %f = mul %row, %g : f64
    %h = mul %d, %f : f64
    return %h
  } : f64
  return"""  # noqa: E501
    text = whiles(kept).replace("  return %y, %rows", f"{back} %y, %rows")
    assert marked(text, "y2", "f")[1]["f"] == "a"
    assert "f" not in marked(text.replace("mul %row, %g", "mul %g, %row"), "y2", "f")[1]
    assert "f" not in marked(text.replace("[%rows], [%w]", "[%rows], [%x]"), "y2", "f")[1]


def test_loops_that_end_otherwise_repeat_nothing() -> None:
    for kept in ("", "%e"):
        assert marked(whiles(kept, "less_equal"), "y2")[1] == {}
    text = """\
func @kinds(%x: f64, %w: f64) -> (f64, f64) {
  FIRST
  %z = scan [%x], [], [%w] {count = 3, reverse = False, residuals = 0} body = (%i: i64, %n2: f64, %k2: f64) {
    %e2 = exp %n2 : f64
    %a2 = mul %e2, %k2 : f64
    return %a2
  } : f64
  return %y, %z
}
"""  # noqa: E501
    first = BODY.replace("KEPT", "%a").replace("TYPES", "f64")
    text = text.replace("FIRST", "%y = while [%x], [%w] " + first)
    assert marked(text, "z")[1] == {}


def test_what_stands_in_copies_is_no_original() -> None:
    """They go away: the branch that repeats something outside, too."""
    f, found = marked(BRANCHES, "f", "g")
    v = named(f)
    assert found == {"f": "e", "g": "e2"} and repeats(f.body, [v["r"]]) == {}
    assert repeats(f.body, [v["same"]]) == {v["f"]: v["e"], v["g"]: v["e2"]}


def test_an_op_with_regions_is_numbered_by_itself() -> None:
    """Though another has the same ones."""
    (cond, *_) = parse(BRANCHES).body
    again = cond.with_operands(lambda v: v)
    assert [*numbered([cond, again]).values()] == [1, 1]


OWN = """\
func @own(%p: bool, %x: f64, %w: f64) -> f64 {
  %r = cond %p, [%x, %w] then = (%a: f64, %b: f64) {
    LOOP
    return %y
  } orelse = (%c: f64, %d: f64) {
    return %c
  } : f64
  %back = cond %p, [%x, %w] then = (%a2: f64, %b2: f64) {
    COPY
    %z = exp %a2 : f64
    return %y2
  } orelse = (%c2: f64, %d2: f64) {
    return %c2
  } : f64
  return %back
}
"""
COUNTING = """\
%y, %count, %rows = growing_while [%a], [%b] {inside = (), bound = (r,)} condition = (%m: f64, %q: f64) {
      %o = less %m, %q : bool
      return %o
    } body = (%n: f64, %k: f64) {
      %e = exp %n : f64
      return %e, %n
    } : f64, i64, f64[r]"""  # noqa: E501


# What makes of a loop that counts its rounds, and keeps something of each, one that does not.
_COUNTED = r", %count2?, %rows2?|growing_|\{inside.*\)\} |, %n2?$|, i64, f64\[.\]"
COUNTED = re.compile(_COUNTED, re.MULTILINE)


def test_what_has_extents_that_a_branch_makes_stays_there() -> None:
    """It has no place outside, where its size is not known."""
    again = re.sub(r"%(\w+)", r"%\g<1>2", COUNTING).replace("[r]", "[s]").replace("(r,)", "(s,)")
    for kept in (True, False):
        first, second = COUNTING, again
        if not kept:
            first, second = (COUNTED.sub("", t) for t in (first, second))
        text = OWN.replace("LOOP", first).replace("COPY", second)
        assert ("growing" in text) == kept
        assert marked(text, "y2")[1] == ({} if kept else {"y2": "y"})


def test_the_number_of_a_round_is_one_in_both_loops() -> None:
    text = LOOPS.replace("%e = exp %t", "%o = cast %i {dtype = f32} : f32\n    %e = exp %o")
    text = text.replace("%e2 = exp %v", "%o2 = cast %j {dtype = f32} : f32\n    %e2 = exp %o2")
    text = text.replace("reverse = False, residuals = 1", "reverse = True, residuals = 0")
    assert marked(text, "o2", "e2")[1] == {"o2": "o", "e2": "e"}
