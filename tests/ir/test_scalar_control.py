"""Which loops and branches can be one kernel, and what they change in place."""

from __future__ import annotations

import re

import pytest

from tfc.ir import text
from tfc.ir.core import Function
from tfc.ir.ops.control import Control
from tfc.ir.passes.scalar_control import SCALAR_KERNEL_OPS_MAX, changed_in_place, is_scalar

PARAMS = (
    "%x: f32[8], %x2: f32[8], %y: f32[8], %e1: f32[1], %t9: f32[9], %t: f32[2,2], %c: c64[8], "
    "%n: i64, %s: f32, %p: bool"
)
WHILE = """%r, %k, %q = while [INIT, %n, %s], [CAPTURED] condition = (%a: TYPE, %i: i64, %u: f32, \
%e: SEEN) {
    %z = constant {value = i64 0} : i64
    CONDITION
    return %go
  } body = (%b: TYPE, %j: i64, %v: f32, %g: SEEN) {
    LINES
    %o = constant {value = i64 1} : i64
    %l = sub %j, %o : i64
    return RETURNS
  } : TYPE, i64, f32"""
GO = "%go = less %z, %i : bool"
PLACE = "%h = reshape %j {shape = (1,)} : i64[1]"
READ = "%f = gather %b, %j {axis = 0} : f32"
NEW = "%m = reshape %v {shape = (1,)} : f32[1]"
WRITE = "%d = scatter %b, %h, %m {combine = 'update'} : f32[8]"
CHANGE = [PLACE, NEW, WRITE]


def loop(
    lines: list[str],
    returns: str,
    init: str = "%x",
    captured: str = "%y",
    condition: str = GO,
) -> str:
    """A loop with one carried tensor or string, its number of rounds and a scalar."""
    types = {
        "%x": "f32[8]",
        "%y": "f32[8]",
        "%t": "f32[2,2]",
        "%c": "c64[8]",
        "%s": "f32",
        "%e1": "f32[1]",
        "%t9": "f32[9]",
    }
    found = WHILE.replace("TYPE", types[init]).replace("SEEN", types[captured])
    for word, given in (
        ("INIT", init),
        ("CAPTURED", captured),
        ("CONDITION", condition),
        ("LINES", "\n    ".join(lines)),
        ("RETURNS", returns),
    ):
        found = found.replace(word, given)
    return found


def apart(lines: str) -> str:
    """With names of its own."""
    return re.sub(r"%(\w+)", r"%\1_", lines)


def branch(
    then: list[str], orelse: list[str], args: str = "%x, %y, %n, %s", type_: str = "f32[8]"
) -> str:
    """A branch of one result; its args are called %b, %e, %j and %v within."""
    inside = "%b: f32[8], %e: f32[8], %j: i64, %v: f32"
    if args == "%s":
        inside = "%v: f32"
    return (
        f"%r = cond %p, [{args}] then = ({inside}) {{\n    "
        + "\n    ".join(then)
        + f"\n  }} orelse = ({apart(inside)}) {{\n    "
        + apart("\n    ".join(orelse))
        + f"\n  }} : {type_}"
    )


def scan(lines: list[str], returns: str, xs: str = "%y", row: str = "f32", rows: str = "") -> str:
    """A loop along a tensor that carries a vector and a scalar."""
    return (
        f"%r, %q{', %rows' if rows else ''} = scan [%x, %s], [{xs}], [%n] "
        "{count = COUNT, reverse = False, residuals = 0} body = "
        f"(%i: i64, %b: f32[8], %v: f32, %g: {row}, %j: i64) {{\n    "
        + "\n    ".join(lines)
        + f"\n    return {returns}\n  }} : f32[8], f32{', ' + rows if rows else ''}"
    ).replace("COUNT", "2" if row == "f32[2]" else "8")


INNER = """%r2, %l2 = while [%b, %j], [] condition = (%a2: f32[8], %i2: i64) {
      %z2 = constant {value = i64 4} : i64
      %go2 = less %z2, %i2 : bool
      return %go2
    } body = (%b2: f32[8], %j2: i64) {
      %h2 = reshape %j2 {shape = (1,)} : i64[1]
      %f2 = gather %b2, %j2 {axis = 0} : f32
      %n2 = reshape %f2 {shape = (1,)} : f32[1]
      %d2 = scatter %b2, %h2, %n2 {combine = 'update'} : f32[8]
      %o2 = constant {value = i64 1} : i64
      %k2 = sub %j2, %o2 : i64
      return %d2, %k2
    } : f32[8], i64"""
COUNTING = """%l2 = while [%j], [] condition = (%i2: i64) {
      %z2 = constant {value = i64 4} : i64
      %go2 = less %z2, %i2 : bool
      return %go2
    } body = (%j2: i64) {
      %o2 = constant {value = i64 1} : i64
      %k2 = sub %j2, %o2 : i64
      return %k2
    } : i64"""
TOTALS = """%l2, %m2 = scan [%v], [%g], [] {count = 8, reverse = False, residuals = 0} body = \
(%i2: i64, %v2: f32, %g2: f32) {
      %k2 = add %v2, %g2 : f32
      return RETURNS
    } : f32, f32[8]"""
WITHOUT_ROWS = TOTALS.replace("%l2, %m2", "%l2").replace("RETURNS", "%k2").replace(", f32[8]\0", "")
WITHOUT_ROWS = WITHOUT_ROWS.removesuffix(", f32[8]")
BROADCAST = "%f = broadcast %v {shape = (9,), dims = ()} : f32[9]"
SUM = "%m2 = reduce_sum %f {axes = (0,)} : f32"
NEG = "%f = neg %g : f32[8]"
PLUS = "%m2 = add %v, %f : f32"

TWO = """%r, %q, %q2 = scan [%x, %s, %x2], [%y], [%n] {count = 8, reverse = False, \
residuals = 0} body = (%i: i64, %b: f32[8], %v: f32, %e: f32[8], %g: f32, %j: i64) {
    %h = reshape %j {shape = (1,)} : i64[1]
    %m = reshape %v {shape = (1,)} : f32[1]
    %d = scatter %b, %h, %m {combine = 'update'} : f32[8]
    return RETURNS
  } : f32[8], f32, f32[8]"""
COMPLEX = """%r, %q = scan [%c, %s], [%y], [] {count = 8, reverse = False, residuals = 0} \
body = (%i: i64, %b: c64[8], %v: f32, %g: f32) {
    return %b, %g
  } : c64[8], f32"""
GROWING = """%k, %rounds, %rows = growing_while [%n], [] {inside = (), bound = (r,)} \
condition = (%a: i64) {
    %z = constant {value = i64 9} : i64
    %go = less %a, %z : bool
    return %go
  } body = (%b: i64) {
    %o = constant {value = i64 3} : i64
    %d = add %b, %o : i64
    return %d, %b
  } : i64, i64, i64[r]"""
# Lines, and what is changed in place (operands to results); None where it is no kernel.
CASES: dict[str, tuple[str, dict[int, int] | None]] = {
    "scalars": (loop(["%f = add %b, %v : f32"], "%f, %l, %v", "%s"), {}),
    "an element is written": (loop(CHANGE, "%d, %l, %v"), {0: 0}),
    "read, then written": (loop([READ, *CHANGE], "%d, %l, %f"), {0: 0}),
    "read after it was written": (loop([*CHANGE, READ], "%d, %l, %f"), None),
    "read anew": (loop([*CHANGE, READ.replace("%b", "%d")], "%d, %l, %f"), {0: 0}),
    "written twice": (
        loop([*CHANGE, WRITE.replace("%b", "%d").replace("%d =", "%d2 =")], "%d2, %l, %v"),
        {0: 0},
    ),
    "an old version is carried on": (
        loop([*CHANGE, WRITE.replace("%b", "%d").replace("%d =", "%d2 =")], "%d, %l, %v"),
        None,
    ),
    "written from itself": (
        loop([PLACE, WRITE.replace("%m", "%b").replace("8", "1")], "%d, %l, %v", "%e1"),
        None,
    ),
    "left alone": (loop([READ], "%b, %l, %f"), {0: 0}),
    "another is carried on": (loop([], "%g, %l, %v"), None),
    "new values": (loop(["%f = neg %b : f32[8]"], "%f, %l, %v"), None),
    "several elements": (
        loop(
            [
                "%h = iota {shape = (2,), axis = 0, dtype = i64} : i64[2]",
                "%m = broadcast %v {shape = (2,), dims = ()} : f32[2]",
                WRITE,
            ],
            "%d, %l, %v",
        ),
        None,
    ),
    "a matrix is carried": (loop([], "%b, %l, %v", "%t"), None),
    "complex numbers are carried": (loop([], "%b, %l, %v", "%c"), None),
    "carried and captured": (loop(CHANGE, "%d, %l, %v", captured="%x"), None),
    "captured and read": (
        loop([READ.replace("%b", "%g"), *CHANGE], "%d, %l, %f"),
        {0: 0},
    ),
    "captured and reduced": (
        loop(["%f = reduce_sum %g {axes = (0,)} : f32", *CHANGE], "%d, %l, %f"),
        {0: 0},
    ),
    "captured, written and dropped": (
        loop([PLACE, NEW, WRITE.replace("%b", "%g")], "%b, %l, %v"),
        None,
    ),
    "the condition reads it": (
        loop(
            CHANGE,
            "%d, %l, %v",
            condition="%f2 = gather %a, %i {axis = 0} : f32\n    %go = less %u, %f2 : bool",
        ),
        {0: 0},
    ),
    "the condition sorts": (
        loop(
            CHANGE,
            "%d, %l, %v",
            condition="%f2 = sort %a {descending = False} : f32[8]\n    "
            "%g2 = gather %f2, %i {axis = 0} : f32\n    %go = less %u, %g2 : bool",
        ),
        None,
    ),
    "the condition writes to nowhere": (
        loop(
            CHANGE,
            "%d, %l, %v",
            condition="%f2 = reshape %i {shape = (1,)} : i64[1]\n    "
            "%g2 = reshape %u {shape = (1,)} : f32[1]\n    "
            "%h2 = scatter %a, %f2, %g2 {combine = 'update'} : f32[8]\n    " + GO,
        ),
        None,
    ),
    "sums of what is made where it is read": (loop([BROADCAST, SUM], "%b, %l, %m2"), {0: 0}),
    "sums of little": (loop(["%f = neg %g : f32[8]", SUM], "%b, %l, %m2"), {0: 0}),
    "sums of much": (
        loop(
            [
                "%f0 = broadcast %v {shape = (9,), dims = ()} : f32[9]",
                "%f = neg %f0 : f32[9]",
                SUM,
            ],
            "%b, %l, %m2",
        ),
        None,
    ),
    "sums of what is written": (loop(["%f = neg %b : f32[8]", SUM], "%b, %l, %m2"), None),
    "a matrix of one row": (
        loop(
            [
                "%f = reshape %g {shape = (1, 9)} : f32[1,9]",
                "%m2 = reduce_sum %f {axes = (0, 1)} : f32",
            ],
            "%b, %l, %m2",
            captured="%t9",
        ),
        {0: 0},
    ),
    "a matrix of others": (
        loop(
            [
                "%f = reshape %g {shape = (3, 3)} : f32[3,3]",
                "%m2 = reduce_sum %f {axes = (0, 1)} : f32",
            ],
            "%b, %l, %m2",
            captured="%t9",
        ),
        None,
    ),
    "an op that is no part of kernels": (
        loop(["%f = sort %g {descending = False} : f32[8]", SUM], "%b, %l, %m2"),
        None,
    ),
    "a scalar that is none": (
        loop(
            ["%f = print [%v] {template = '\\x00', stream = 'stdout', summarize = 3} : bool"],
            "%b, %l, %v",
        ),
        None,
    ),
    "an effect without a result": (loop(["bind_extent %j {symbol = d}"], "%b, %l, %v"), None),
    "a loop within": (loop([INNER], "%r2, %l, %v"), {0: 0}),
    "a loop within, and before it": (
        loop([*CHANGE, INNER.replace("%b,", "%d,")], "%r2, %l, %v"),
        {0: 0},
    ),
    "a loop within, and what was": (loop([INNER], "%b, %l, %v"), None),
    "a loop within that takes what is captured": (
        loop([INNER.replace("[%b,", "[%g,")], "%b, %l, %v"),
        None,
    ),
    "a loop of scalars within": (loop([COUNTING], "%b, %l2, %v"), {0: 0}),
    "sums of a loop within": (loop([WITHOUT_ROWS], "%b, %l, %l2"), {0: 0}),
    "rows of a loop within": (
        loop([TOTALS.replace("RETURNS", "%k2, %v2")], "%b, %l, %l2"),
        None,
    ),
    "a loop within along what is made where it is read": (
        loop([BROADCAST, WITHOUT_ROWS.replace("%g]", "%f]").replace("8", "9")], "%b, %l, %l2"),
        None,
    ),
    "a branch of scalars": (
        branch(["%d = neg %v : f32", "return %d"], ["return %v"], "%s", "f32"),
        {},
    ),
    "branches that write": (
        branch([*CHANGE, "return %d"], ["return %b"]),
        {1: 0},
    ),
    "one branch gives another": (branch([*CHANGE, "return %d"], ["return %e"]), None),
    "both give another": (branch(["return %e"], ["return %e"]), {2: 0}),
    "one branch makes new values": (
        branch([*CHANGE, "return %d"], ["%d = neg %b : f32[8]", "return %d"]),
        None,
    ),
    "a branch reads": (
        branch([READ, "return %f"], ["return %v"], type_="f32"),
        {},
    ),
    "other branches write": (
        branch(["return %b"], [*CHANGE, "return %d"]),
        {1: 0},
    ),
    "nothing is written, but one reads what it was given": (
        branch([READ, "return %b"], ["return %b"]),
        {1: 0},
    ),
    "a branch that is given one twice": (
        branch([*CHANGE, "return %d"], ["return %b"], "%x, %x, %n, %s"),
        None,
    ),
    "one is written and dropped": (
        branch([*CHANGE, "return %e"], ["return %e"]),
        None,
    ),
    "a growing loop": (GROWING, None),
    "two vectors": (TWO.replace("RETURNS", "%d, %v, %e"), {0: 0, 2: 2}),
    "two vectors, exchanged": (TWO.replace("RETURNS", "%e, %v, %d"), None),
    "complex numbers along a vector": (
        COMPLEX,
        None,
    ),
    "along a vector": (scan([PLACE, NEW, WRITE], "%d, %g"), {0: 0}),
    "along a matrix": (
        scan(["%f = reduce_sum %g {axes = (0,)} : f32"], "%b, %f", "%t", "f32[2]"),
        None,
    ),
    "rows of scalars": (scan([PLACE, NEW, WRITE], "%d, %g, %v", rows="f32[8]"), {0: 0}),
    "rows of vectors": (
        scan([PLACE, NEW, WRITE], "%d, %g, %m", rows="f32[8,1]"),
        None,
    ),
    "rows of what is carried": (scan([], "%b, %g, %b", rows="f32[8,8]"), None),
    "new values along a vector": (scan(["%f = neg %b : f32[8]"], "%f, %g"), None),
    "along what is carried": (scan([PLACE, NEW, WRITE], "%d, %g", "%x"), None),
}


def function(lines: str) -> Function:
    source = f"func @f({PARAMS}) -> () {{\n  {lines}\n  return \n}}"
    return text.parse(source)


@pytest.mark.parametrize("name", CASES)
def test_what_can_be_one_kernel(name: str) -> None:
    lines, changed = CASES[name]
    f = function(lines)
    (op,) = (op for op in f.body if isinstance(op, Control))
    assert is_scalar(op) == (changed is not None)
    if changed is not None:
        assert changed_in_place(op) == changed


def test_how_much_can_be_one_kernel() -> None:
    """So many ops in all regions, of which five are there without these."""
    for more, fits in ((SCALAR_KERNEL_OPS_MAX - 5, True), (SCALAR_KERNEL_OPS_MAX - 4, False)):
        lines = ["%f0 = add %b, %v : f32"]
        lines += [f"%f{i + 1} = add %f{i}, %v : f32" for i in range(more)]
        f = function(loop(lines, f"%f{more}, %l, %v", "%s"))
        (op,) = (op for op in f.body if isinstance(op, Control))
        assert is_scalar(op) == fits
