"""Which values live in the memory of others: what a kernel writes over, what loops and branches
keep in one place, and what must not be written over."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from tfc.backends.llvm.buffer_sharing import Sharing, handed_on, in_place
from tfc.backends.llvm.kernel_facts import KnownKernels
from tfc.ir import text
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import LAUNCHES
from tfc.ir.kernels.target import Target
from tfc.ir.ops.control import Control, Scan, While

LOOP = """while [%a, %b, %n], [] condition = (%p: f32[8], %q: f32[8], %i: i64) {{
    %z = constant {{value = i64 0}} : i64
    %c = less %z, %i : bool
    return %c
  }} body = (%s: f32[8], %t: f32[8], %j: i64) {{
    {lines}
    %o = constant {{value = i64 1}} : i64
    %k = sub %j, %o : i64
    return {carried}, %k
  }} : f32[8], f32[8], i64"""
LOOPS = ["%a = sort %x {descending = False} : f32[8]", "%b = sort %y {descending = False} : f32[8]"]


def loop(lines: str, carried: str) -> list[str]:
    return [*LOOPS, f"%d, %e, %f = {LOOP.format(lines=lines, carried=carried)}"]


def branches(then: str, orelse: str) -> list[str]:
    return [
        *LOOPS,
        f"""%d = cond %g, [%a] then = (%s: f32[8]) {{
    %u = {then} : f32[8]
    return %u
  }} orelse = (%t: f32[8]) {{
    %v = {orelse} : f32[8]
    return %v
  }} : f32[8]""",
    ]


def scan(lines: str, carried: str) -> list[str]:
    return [
        *LOOPS,
        f"""%d, %e = scan [%a, %b], [], [%x] {{count = 5, reverse = False, residuals = 0}} body = (
      %i: i64, %s: f32[8], %t: f32[8], %w: f32[8]) {{
    {lines}
    return {carried}
  }} : f32[8], f32[8]""".replace("(\n      ", "("),
    ]


GROWING = """%d, %e, %size, %rounds = growing_while [%a, %z], [] {inside = (l,), bound = (o, r)} \
condition = (%u: f32[8], %p: f32[l]) {
    %k = extent_of {value = l} : i64
    %m = constant {value = i64 9} : i64
    %c = less %k, %m : bool
    return %c
  } body = (%v: f32[8], %q: f32[l]) {
    %w = neg %v : f32[8]
    %h = concat [%q, %q] {axis = 0} : f32[2*l]
    return %w, %h
  } : f32[8], f32[o], i64, i64"""
A, B = LOOPS
NEG = "%c = neg %a : f32[8]"
NEG_X = "%c = neg %x : f32[8]"
BACK = "reverse %a {axes = (0,)} : f32[8]"
VIEW = "%r = reshape %a {shape = (2, 4)} : f32[2,4]"
# Lines and results; params that are given and where they shall be, results that stay apart; of each
# launch which result is where which operand was, and where given params end.
CASES: Mapping[str, tuple[list[str], str, dict[int, int | None], Collection[int], list, dict]] = {
    "read no more": ([A, NEG], "%c", {}, (), [(1, {0: 0})], {}),
    "the last reader": (
        [A, "%c = reverse %a {axes = (0,)} : f32[8]", "%d = neg %a : f32[8]"],
        "%c, %d",
        {},
        (),
        [],
        {},
    ),
    "read later": (
        [
            A,
            NEG,
            "%d = reverse %c {axes = (0,)} : f32[8]",
            "%e = sort %d {descending = False} : f32[8]",
            "%h = sub %e, %a : f32[8]",
        ],
        "%c, %h",
        {},
        (),
        [(3, {0: 0}), (4, {0: 0})],
        {},
    ),
    "a result, too": ([A, NEG], "%a, %c", {}, (), [], {}),
    "of params": ([NEG_X], "%c", {}, (), [], {}),
    "of given params": ([NEG_X], "%c", {0: None}, (), [(0, {0: 0})], {0: 0}),
    "of others that are given": ([NEG_X], "%c", {1: None}, (), [], {}),
    "where it shall be": ([NEG_X, B], "%b, %c", {0: 1}, (), [(0, {0: 0})], {0: 1}),
    "not where it shall be": ([NEG_X, B], "%b, %c", {0: 0}, (), [], {}),
    "changed, but not kept": (
        [NEG_X, "%d = reverse %c {axes = (0,)} : f32[8]"],
        "%c, %d",
        {0: 1},
        (),
        [],
        {},
    ),
    "given and left alone": ([A], "%x, %a", {0: None}, (), [], {0: 0}),
    "of another type": (
        [A, "%c = cast %a {dtype = i32} : i32[8]"],
        "%c",
        {},
        (),
        [(1, {0: 0})],
        {},
    ),
    "of another size": ([A, "%c = cast %a {dtype = f64} : f64[8]"], "%c", {}, (), [], {}),
    "apart": ([A, NEG], "%c", {}, (0,), [], {}),
    "one of two": ([A, B, "%c = sub %a, %b : f32[8]"], "%c", {}, (), [(2, {0: 0})], {}),
    "the other of two": (
        [A, B, "%c = sub %a, %b : f32[8]"],
        "%c, %a",
        {},
        (),
        [(2, {0: 1})],
        {},
    ),
    "read in another order": (
        [A, f"%u = {BACK}", "%c = sub %a, %u : f32[8]"],
        "%c",
        {},
        (),
        [],
        {},
    ),
    "read as a view, and in another order": (
        [
            A,
            VIEW,
            "%u = slice %a {begin = (0,), size = (4,), strides = (1,)} : f32[4]",
            "%v = broadcast %u {shape = (2, 4), dims = (1,)} : f32[2,4]",
            "%c = sub %r, %v : f32[2,4]",
        ],
        "%c",
        {},
        (),
        [],
        {},
    ),
    "sorted in place": ([A, B], "%a, %b", {0: None, 1: 0}, (), [(0, {0: 0})], {0: 0}),
    "a view": (
        [A, VIEW, "%c = neg %r : f32[2,4]"],
        "%c",
        {},
        (),
        [(2, {0: 0})],
        {},
    ),
    "a view that is read later": (
        [A, VIEW, NEG],
        "%c, %r",
        {},
        (),
        [],
        {},
    ),
    "carried in place": (
        loop("%u = neg %s : f32[8]", "%u, %t"),
        "%d",
        {},
        (),
        [(2, {0: 0, 1: 1})],
        {},
    ),
    "carried beside what reads it": (
        loop("%u = neg %s : f32[8]\n    %w = sort %s {descending = False} : f32[8]", "%u, %w"),
        "%d, %e",
        {},
        (),
        [],
        {},
    ),
    "carried on": (
        loop("%u = reverse %s {axes = (0,)} : f32[8]", "%u, %s"),
        "%d, %e",
        {},
        (),
        [(-1, {1: 0})],
        {},
    ),
    "carried crosswise": (loop("", "%t, %s"), "%d, %e", {}, (), [], {}),
    "scanned in place": (
        scan("%u = neg %s : f32[8]\n    %v = add %t, %w : f32[8]", "%u, %v"),
        "%d, %e",
        {},
        (),
        [(2, {0: 0, 1: 1})],
        {},
    ),
    "scanned crosswise": (scan("", "%t, %s"), "%d, %e", {}, (), [], {}),
    "scanned and handed on": (
        scan("%u = reverse %s {axes = (0,)} : f32[8]", "%u, %s"),
        "%d, %e",
        {},
        (),
        [(-1, {1: 0})],
        {},
    ),
    "grows": (
        [A, "%z = sort %y {descending = False} : f32[8]", GROWING],
        "%d",
        {},
        (),
        [(2, {0: 0})],
        {},
    ),
    "updated": (
        [
            A,
            "%i = cast %x {dtype = i32} : i32[8]",
            "%c = scatter %a, %i, %y {combine = 'add'} : f32[8]",
        ],
        "%c",
        {},
        (),
        [(2, {0: 0})],
        {},
    ),
    "updated, and read": (
        [
            A,
            "%i = cast %x {dtype = i32} : i32[8]",
            "%c = scatter %a, %i, %y {combine = 'add'} : f32[8]",
        ],
        "%c, %a",
        {},
        (),
        [],
        {},
    ),
    "the second of a branch": (
        [
            *LOOPS,
            """%d = cond %g, [%a, %b] then = (%s: f32[8], %s1: f32[8]) {
    %u = sub %s1, %x : f32[8]
    return %u
  } orelse = (%t: f32[8], %t1: f32[8]) {
    %v = neg %t1 : f32[8]
    return %v
  } : f32[8]""".replace("sub %s1, %x", "exp %s1"),
        ],
        "%d",
        {},
        (),
        [(2, {0: 2})],
        {},
    ),
    "a view of what took a place": (
        [A, NEG, "%r = reshape %c {shape = (2, 4)} : f32[2,4]", "%d = neg %r : f32[2,4]"],
        "%d, %r",
        {},
        (),
        [(1, {0: 0})],
        {},
    ),
    "both branches": (branches("neg %s", "exp %t"), "%d", {}, (), [(2, {0: 1})], {}),
    "one branch": (
        branches("neg %s", "reverse %t {axes = (0,)}"),
        "%d",
        {},
        (),
        [],
        {},
    ),
    "branches, and then": (branches("neg %s", "exp %t"), "%d, %a", {}, (), [], {}),
}


@pytest.mark.parametrize("name", CASES)
def test_who_takes_whose_place(name: str) -> None:
    lines, results, given, apart, shared, kept = CASES[name]
    params = "%x: f32[8], %y: f32[8], %n: i64, %g: bool"
    types = [
        next((line.rpartition(" : ")[2] for line in lines if line.startswith(f"{v} =")), "f32[8]")
        for v in results.split(", ")
    ]
    body = "\n  ".join([*lines, f"return {results}"])
    source = f"func @f({params}) -> ({', '.join(types)}) {{\n  {body}\n}}"
    f = lower(text.parse(source), Target(vector_bytes=16))
    kernels = KnownKernels()
    found = Sharing(f, given, kernels, apart)
    told = [(i, found.shared[op]) for i, op in enumerate(f.body) if op in found.shared]
    loops = [op for op in f.body if isinstance(op, While | Scan)]
    assert all(in_place(op, kernels) == set(found.shared.get(op, ())) for op in loops)
    others = [op for op in f.body if isinstance(op, Control) and op not in loops]
    assert all((in_place(op, kernels), handed_on(op, kernels)) == (set(), {}) for op in others)
    for op in f.body:
        if not isinstance(op, LAUNCHES):  # a view is where its operand is
            (x,) = op.operands
            assert found.root[op.result] is found.root.get(x, x)
    on = [handed_on(op, kernels) for op in loops if handed_on(op, kernels)]
    assert (told + [(-1, h) for h in on], found.kept) == (shared, kept)
