"""What results and effects need, and which functions run in stages."""

from __future__ import annotations

import pytest

from tfc.ir import text
from tfc.ir.liveness import effectful, is_staged, live_ops

LOOP = """growing_while [%x], [] {inside = (d,), bound = (e, r)} condition = (%u: f64[d]) {
    %k = extent_of {value = d} : i64
    %m = constant {value = i64 9} : i64
    %c = less %k, %m : bool
    return %c
  } body = (%v: f64[d]) {
    %w = concat [%v, %v] {axis = 0} : f64[2*d]
    return %w
  } : f64[e], i64, i64"""
BRANCH = """cond %p, [] then = () {
    FIRST
    %t = constant {value = f32 1.0} : f32
    return %t
  } orelse = () {
    %o = constant {value = f32 2.0} : f32
    return %o
  } : f32"""
CALL = """call [] callee = () {
    FIRST
    %t = constant {value = f32 1.0} : f32
    return %t
  } : f32"""
PRINT = "%q = print [] {template = 'a', stream = 'stdout', summarize = 3} : bool"
ONE = "%one = constant {value = f32 1.0} : f32"
COUNT = "%n = constant {value = i64 3} : i64"
BIND = "bind_extent %n {symbol = d}"
SPREAD = "%y = broadcast %one {shape = (EXTENT,), dims = ()} : f32[EXTENT]"
GROWN = "%g, %size, %rounds = " + LOOP


def spread(extent: str) -> str:
    return SPREAD.replace("EXTENT", extent)


# Parameters, lines, results and their types; the ops that live, which of them have effects, and
# whether the function runs in stages.
FUNCTIONS = {
    "what nothing needs": (
        "",
        [ONE, "%a = neg %one : f32"],
        "%one",
        "f32",
        ["constant"],
        [],
        False,
    ),
    "effects": ("", [ONE, PRINT], "", "", ["print"], ["print"], False),
    "effects of a branch": (
        "%p: bool",
        [
            ONE,
            "%b = " + BRANCH.replace("FIRST", PRINT),
            "%d = " + BRANCH.replace("FIRST", "").replace("%t", "%u").replace("%o", "%w"),
        ],
        "%one",
        "f32",
        ["constant", "cond"],
        ["cond"],
        False,
    ),
    "effects of calls": (
        "",
        [
            "%b = " + CALL.replace("FIRST", PRINT),
            "%d = " + CALL.replace("FIRST", "").replace("%t", "%u"),
        ],
        "",
        "",
        ["call"],
        ["call"],
        False,
    ),
    "extents of results": (
        "",
        [ONE, COUNT, BIND, spread("d")],
        "%y",
        "f32[d]",
        ["constant", "constant", "bind_extent", "broadcast"],
        [],
        True,
    ),
    "extents of nothing": (
        "",
        [ONE, COUNT, BIND, spread("d")],
        "%one",
        "f32",
        ["constant", "constant", "bind_extent"],
        [],
        False,
    ),
    "extents of loops in results": (
        "%x: f64[3]",
        [ONE, GROWN, spread("e")],
        "%y",
        "f32[e]",
        ["constant", "growing_while", "broadcast"],
        [],
        False,
    ),
    "extents of loops within": (
        "%x: f64[3]",
        [ONE, GROWN, spread("e"), "%s = reduce_sum %y {axes = (0,)} : f32"],
        "%s",
        "f32",
        ["constant", "growing_while", "broadcast", "reduce_sum"],
        [],
        False,
    ),
    "loops that nothing needs": (
        "%x: f64[3]",
        [ONE, GROWN],
        "%one",
        "f32",
        ["constant"],
        [],
        False,
    ),
    "loops beside bound extents": (
        "%x: f64[3], %a: f32[n]",
        [ONE, COUNT, BIND, spread("d"), GROWN, "%b = neg %a : f32[n]", "%h = neg %g : f64[e]"],
        "%y, %b, %h",
        "f32[d], f32[n], f64[e]",
        ["constant", "constant", "bind_extent", "broadcast", "growing_while", "neg", "neg"],
        [],
        False,
    ),
    "extents of arguments": (
        "%x: f32[n]",
        [ONE, COUNT, BIND, spread("n")],
        "%y",
        "f32[n]",
        ["constant", "constant", "bind_extent", "broadcast"],
        [],
        False,
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_lives(name: str) -> None:
    params, lines, result, type_, live, effects, staged = FUNCTIONS[name]
    body = "\n  ".join([*lines, f"return {result}".rstrip()])
    f = text.parse(f"func @f({params}) -> ({type_}) {{\n  {body}\n}}")
    found = live_ops(f)
    assert [op.mnemonic for op in f.body if op in found] == live
    assert [op.mnemonic for op in f.body if effectful(op)] == effects
    assert is_staged(f) is staged
