"""Which new values of Variables a program may write over the old ones, and which launches do."""

from __future__ import annotations

import pytest

from tfc.backends.llvm.arena_layout import Layout, late_symbols
from tfc.backends.llvm.donation import donations, final_launches
from tfc.ir import text
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.target import Target

PARAMS = (
    "%x: f32[8], %i: i64[2], %j: i64[8], %u: f32[2], %p: bool, %k: i64, "
    "%v: f32[8], %w: f32[8], %s: string[3], %z: f32[n], %c: f32[8]"
)
CAPTURES = 5
V, W, S, Z = range(4)
NEW = "%a = add %v, %x : f32[8]"
SORT = "%b = sort %v {descending = False} : f32[8]"
FAILS = "%f = checked_index %i {bound = 8, reader = 'gather'} : i64[2]"
PRINT = "%q = print [%x] {template = '\\x00', stream = 'stdout', summarize = 3} : bool"
LOOP = """%b, %m = while [%x, %k], [] condition = (%b1: f32[8], %k1: i64) {
    %o1 = constant {value = i64 0} : i64
    %c1 = less %o1, %k1 : bool
    return %c1
  } body = (%b2: f32[8], %k2: i64) {
    %o2 = constant {value = i64 1} : i64
    %m2 = sub %k2, %o2 : i64
    %n2 = sort %b2 {descending = False} : f32[8]
    return %n2, %m2
  } : f32[8], i64"""
GROWING = """%g, %size, %rounds = growing_while [%z], [] {inside = (l,), bound = (d, r)} \
condition = (%q1: f32[l]) {
    %k1 = extent_of {value = l} : i64
    %m1 = constant {value = i64 9} : i64
    %c1 = less %k1, %m1 : bool
    return %c1
  } body = (%q2: f32[l]) {
    %h2 = concat [%q2, %q2] {axis = 0} : f32[2*l]
    return %h2
  } : f32[d], i64, i64"""
BRANCH = """%b = cond %p, [ARGUMENT] then = (%t1: f32[8]) {
    %t2 = sort %t1 {descending = False} : f32[8]
    return %t2
  } orelse = (%e1: f32[8]) {
    return %e1
  } : f32[8]"""
FAILING = """%b = cond %p, [%x, %i] then = (%t1: f32[8], %j1: i64[2]) {
    %t3 = checked_index %j1 {bound = 8, reader = 'gather'} : i64[2]
    %t4 = gather %t1, %t3 {axis = 0} : f32[2]
    return %t4
  } orelse = (%e1: f32[8], %j2: i64[2]) {
    %e3 = slice %e1 {begin = (0,), size = (2,), strides = (1,)} : f32[2]
    return %e3
  } : f32[2]"""
FROM_CHECKED = [
    FAILS,
    "%g = gather %x, %f {axis = 0} : f32[2]",
    "%h = sort %g {descending = False} : f32[2]",
]
# Lines, results, which of them update which captured values; what may be written over; the names
# of what launches make from the first on that writes there.
CASES: dict[str, tuple[list[str], str, dict[int, int], dict[int, int], str]] = {
    "element by element": ([NEW], "%a", {0: V}, {0: V}, "a"),
    "by others": (["%a = neg %x : f32[8]"], "%a", {0: V}, {0: V}, "a"),
    "the second Variable": (["%a = sub %x, %w : f32[8]"], "%a", {0: W}, {0: W}, "a"),
    "by the other's old value": (["%a = neg %w : f32[8]"], "%a", {0: V}, {0: V}, "a"),
    "in another order": (["%a = reverse %v {axes = (0,)} : f32[8]"], "%a", {0: V}, {}, ""),
    "both, by each other": (
        ["%a = add %v, %w : f32[8]", "%b = sub %v, %w : f32[8]"],
        "%a, %b",
        {0: V, 1: W},
        {0: V, 1: W},
        "a b",
    ),
    "both, in another order": (
        ["%a = add %v, %w : f32[8]", "%b = reverse %w {axes = (0,)} : f32[8]"],
        "%a, %b",
        {0: V, 1: W},
        {0: V},
        "a b",
    ),
    "read before it is written": ([SORT, "%a = neg %b : f32[8]"], "%a", {0: V}, {0: V}, "a"),
    "read after it is written": (
        ["%a = sort %x {descending = False} : f32[8]", SORT],
        "%a, %b",
        {0: V},
        {},
        "",
    ),
    "written last": (
        [SORT, "%a = sort %x {descending = False} : f32[8]"],
        "%a, %b",
        {0: V},
        {0: V},
        "a",
    ),
    "a check before": (
        [
            *FROM_CHECKED,
            "%e = reduce_sum %h {axes = (0,)} : f32",
            "%d = broadcast %e {shape = (8,), dims = ()} : f32[8]",
            "%a = add %v, %d : f32[8]",
        ],
        "%a",
        {0: V},
        {0: V},
        "a",
    ),
    "a check behind": (
        ["%a = sort %x {descending = False} : f32[8]", *FROM_CHECKED],
        "%a, %h",
        {0: V},
        {},
        "",
    ),
    "a loop before": ([LOOP, "%a = add %v, %b : f32[8]"], "%a", {0: V}, {0: V}, "a"),
    "a loop behind": (
        ["%a = sort %x {descending = False} : f32[8]", LOOP],
        "%a, %b",
        {0: V},
        {},
        "",
    ),
    "a loop makes it": ([LOOP], "%b", {0: V}, {}, ""),
    "a branch behind": (
        ["%a = sort %x {descending = False} : f32[8]", BRANCH.replace("ARGUMENT", "%x")],
        "%a, %b",
        {0: V},
        {0: V},
        "a",
    ),
    "a branch reads it": (
        ["%a = sort %x {descending = False} : f32[8]", BRANCH.replace("ARGUMENT", "%v")],
        "%a, %b",
        {0: V},
        {},
        "",
    ),
    "a branch makes it": ([BRANCH.replace("ARGUMENT", "%v")], "%b", {0: V}, {}, ""),
    "a branch that checks": (
        ["%a = sort %x {descending = False} : f32[8]", FAILING],
        "%a, %b",
        {0: V},
        {},
        "",
    ),
    "Python is called": ([NEW, PRINT], "%a", {0: V}, {}, ""),
    "Python is called before": (
        [PRINT, "%a = sort %x {descending = False} : f32[8]"],
        "%a",
        {0: V},
        {},
        "",
    ),
    "a size is found out before": (
        [GROWING, "%a = sort %x {descending = False} : f32[8]"],
        "%rounds, %a",
        {1: V},
        {},
        "",
    ),
    "other strings": (
        [
            "%e = constant {value = string 'k'} : string",
            "%a = broadcast %e {shape = (3,), dims = ()} : string[3]",
        ],
        "%a",
        {0: S},
        {},
        "",
    ),
    "of some elements, added to what is there": (
        [FAILS, "%a = scatter %v, %f, %u {combine = 'add'} : f32[8]"],
        "%a",
        {0: V},
        {0: V},
        "a",
    ),
    "of all elements, by themselves": (
        [
            FAILS.replace("%i", "%j").replace("[2]", "[8]"),
            "%a = scatter %v, %f, %v {combine = 'update'} : f32[8]",
        ],
        "%a",
        {0: V},
        {},
        "",
    ),
    "of another's elements, by its own": (
        [
            FAILS.replace("%i", "%j").replace("[2]", "[8]"),
            "%a = scatter %x, %f, %v {combine = 'update'} : f32[8]",
        ],
        "%a",
        {0: V},
        {},
        "",
    ),
    "copied in the end": (
        ["%a = sort %x {descending = False} : f32[8]", SORT],
        "%a, %b, %a",
        {2: V},
        {2: V},
        "",
    ),
    "a size that is found out": ([NEW, GROWING], "%a, %rounds", {0: V}, {}, ""),
    "the old value is a result": ([NEW], "%a, %v", {0: V}, {}, ""),
    "the old value becomes another's": ([NEW], "%a, %v", {0: V, 1: W}, {}, ""),
    "they change places": ([], "%w, %v", {0: V, 1: W}, {}, ""),
    "of another size": (["%a = add %z, %z : f32[n]"], "%a", {0: V}, {}, ""),
    "of an unknown size": (["%a = add %z, %z : f32[n]"], "%a", {0: Z}, {0: Z}, "a"),
    "strings": (["%a = reverse %s {axes = (0,)} : string[3]"], "%a", {0: S}, {}, ""),
    "of some elements": (
        ["%a = scatter %v, %i, %u {combine = 'update'} : f32[8]"],
        "%a",
        {0: V},
        {},
        "",
    ),
    "of some elements, checked before": (
        [FAILS, "%a = scatter %v, %f, %u {combine = 'update'} : f32[8]"],
        "%a",
        {0: V},
        {0: V},
        "a",
    ),
    "twice": (
        ["%a = sort %x {descending = False} : f32[8]"],
        "%a, %a",
        {0: V, 1: W},
        {0: V, 1: W},
        "a",
    ),
    "a view": (
        ["%a = add %v, %x : f32[8]", "%r = reshape %a {shape = (8,)} : f32[8]"],
        "%r",
        {0: V},
        {0: V},
        "a",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_over(name: str) -> None:
    lines, results, updates, wanted, writers = CASES[name]
    types = {p.split(": ")[0]: p.split(": ")[1] for p in PARAMS.split(", ")}
    for line in lines:
        made, given = line.split(" = ")[0].split(", "), line.rpartition(" : ")[2]
        types.update(zip(made, given.split(", "), strict=True))
    returned = ", ".join(types[v] for v in results.split(", "))
    body = "\n  ".join([*lines, f"return {results}"])
    source = f"func @f({PARAMS}) -> ({returned}) {{\n  {body}\n}}"
    f = lower(text.parse(source), Target(vector_bytes=16))
    layout = Layout(f, ("n",), apart=list(updates))
    found = donations(layout, CAPTURES, list(updates.items()))
    first = len(f.params) - CAPTURES
    assert found == {result: first + capture for result, capture in wanted.items()}
    final = final_launches(layout, found)
    if found:
        assert " ".join(str(v.name) for op in f.body if op in final for v in op.results) == writers
    else:
        assert not final


BRANCH = """
func @f(%p: bool, %x: f32[8], %n: i64) -> f32 {
  %r = cond %p, [%x, %n] then = (%t: f32[8], %m: i64) {
    %g, %k, %size, %rounds = growing_while [%t, %m], [] {inside = (l,), bound = (d, r)} \
condition = (%u: f32[l], %s: i64) {
      %0 = constant {value = i64 9} : i64
      %1 = less %s, %0 : bool
      return %1
    } body = (%w: f32[l], %i: i64) {
      %2 = concat [%w, %w] {axis = 0} : f32[2*l]
      %3 = add %i, %i : i64
      return %2, %3
    } : f32[d], i64, i64, i64
    %4 = reduce_sum %g {axes = (0,)} : f32
    return %4
  } orelse = (%e: f32[8], %o: i64) {
    %5 = reduce_sum %e {axes = (0,)} : f32
    return %5
  } : f32
  return %r
}"""


def test_sizes_that_branches_tell_are_late() -> None:
    assert set(late_symbols(lower(text.parse(BRANCH), Target()))) == {"l", "d", "r"}
