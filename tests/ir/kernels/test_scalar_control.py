"""Control flow on scalars as one kernel gives what its ops mean: the kernel is run op by op, beside
the reference interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.golden import TARGETS
from tests.kernel_interpreter import run_launches
from tfc.ir.core import Function, Location
from tfc.ir.interpreter import interpret
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import Branch, For, Launch, Repeat
from tfc.ir.kernels.scalar_control import SELECT_OPERATIONS_MAX, ScalarControl
from tfc.ir.kernels.target import Target
from tfc.ir.ops.elementwise import Select
from tfc.ir.text import parse
from tfc.ir.verify import verify

TARGET = Target(**TARGETS["lower_vector16"])
PARAMS = "%x: f32[n], %y: f32[n], %k: i64, %s: f32, %p: bool"

WHILE = """while [%k, %s], [%x, %one] condition = (%i: i64, %a: f32, %x1: f32[n], %o1: i64) {
    %z = constant {value = i64 0} : i64
    %go = less %z, %i : bool
    return %go
  } body = (%j: i64, %b: f32, %x2: f32[n], %o2: i64) {
    %next = sub %j, %o2 : i64
    %e = gather %x2, %next {axis = 0} : f32
    %b2 = add %b, %e : f32
    return %next, %b2
  } : i64, f32"""
SCAN = """scan [INIT], [%x, %y], [%s, %x] {count = n, reverse = REVERSE, residuals = 0} body = \
(%i: i64, CARRIED, %xi: f32, %yi: f32, %c: f32, %all: f32[n]) {
    LINES
  } : TYPES"""
PLACE = ["%at = reshape %i {shape = (1,)} : i64[1]", "%new = reshape %v {shape = (1,)} : f32[1]"]
WRITE = "{combine = 'update'} : f32[n]"


def scan(init: str, carried: str, lines: list[str], types: str, reverse: bool = False) -> str:
    text = SCAN.replace("INIT", init).replace("CARRIED", carried).replace("TYPES", types)
    return text.replace("REVERSE", str(reverse)).replace("LINES", "\n    ".join(lines))


def cond(then: list[str], orelse: list[str], types: str, args: str = "%x, %s, %k") -> str:
    """A branch whose arguments are called x3, s3 and k3, or x4, s4 and k4."""
    params = "%x3: f32[n], %s3: f32, %k3: i64"
    text = f"cond %p, [{args}] then = ({params}) {{\n" + "\n".join(then)
    params = params.replace("3", "4").replace("f42", "f32")
    return text + f"\n}} orelse = ({params}) {{\n" + "\n".join(orelse) + f"\n}} : {types}"


LONG = ["%u0 = exp %s3 : f32", *(f"%u{i + 1} = mul %u{i}, %s3 : f32" for i in range(14))]
SUM = ["%t = reduce_sum %x4 {axes = (0,)} : f32", "return %t"]
CASES: dict[str, tuple[str, str, str]] = {  # results, the control flow, types
    "while": ("%r1, %r2", WHILE, "i64, f32"),
    "scan": (
        "%r1, %r2",
        scan("%s", "%a: f32", ["%d = mul %xi, %c : f32", "%b = add %a, %d : f32",
                               "%e = sub %b, %yi : f32", "return %b, %e"], "f32, f32[n]"),
        "f32, f32[n]",
    ),
    "scan backwards": (
        "%r1, %r2, %r3",
        scan("%s", "%a: f32", ["%d = cast %i {dtype = f32} : f32", "%b = add %a, %d : f32",
                               "%e = mul %b, %xi : f32", "%g = sub %b, %yi : f32",
                               "return %b, %e, %g"],
             "f32, f32[n], f32[n]", reverse=True),
        "f32, f32[n], f32[n]",
    ),
    "scan that writes a vector": (
        "%r1, %r2, %r3",
        scan("%k, %y, %s", "%m: i64, %q: f32[n], %a: f32",
             ["%old = gather %q, %i {axis = 0} : f32", "%w = gather %all, %i {axis = 0} : f32",
              "%u = add %old, %w : f32", "%v = add %u, %a : f32", *PLACE,
              f"%q2 = scatter %q, %at, %new {WRITE}",
              "%first = gather %q2, %i {axis = 0} : f32", "%one2 = constant {value = i64 1} : i64",
              "%m2 = add %m, %one2 : i64", "return %m2, %q2, %first"], "i64, f32[n], f32")
        .replace("[%x, %y]", "[%x]").replace(", %yi: f32", ""),
        "i64, f32[n], f32",
    ),
    "scan that reads before it writes": (
        "%r1, %r2",
        scan("%y, %s", "%q: f32[n], %a: f32",
             ["%old = gather %q, %i {axis = 0} : f32", "%v = add %xi, %a : f32", *PLACE,
              f"%q2 = scatter %q, %at, %new {WRITE}", "%b = add %old, %a : f32",
              "return %q2, %b"], "f32[n], f32")
        .replace("[%x, %y]", "[%x]").replace(", %yi: f32", ""),
        "f32[n], f32",
    ),
    "scan that writes one of a vector": (
        "%r1",
        scan("%y", "%q: f32[n]",
             ["%at = reshape %i {shape = (1,)} : i64[1]",
              "%new = iota {shape = (1,), axis = 0, dtype = f32} : f32[1]",
              f"%q2 = scatter %q, %at, %new {WRITE}", "return %q2"], "f32[n]")
        .replace("[%x, %y]", "[%x]").replace(", %yi: f32", ""),
        "f32[n]",
    ),
    "scan that reads what a branch wrote": (
        "%r1, %r2",
        scan("%y, %s", "%q: f32[n], %a: f32",
             ["%odd = less %xi, %c : bool",
              "%q5 = cond %odd, [%a, %q, %i] then = (%a1: f32, %q1: f32[n], %i1: i64) {",
              "%at = reshape %i1 {shape = (1,)} : i64[1]",
              "%new = reshape %a1 {shape = (1,)} : f32[1]", f"%q3 = scatter %q1, %at, %new {WRITE}",
              "return %q3", "} orelse = (%a2: f32, %q2: f32[n], %i2: i64) {", "return %q2",
              "} : f32[n]", "%now = gather %q5, %i {axis = 0} : f32", "%b = add %now, %xi : f32",
              "return %q5, %b"], "f32[n], f32")
        .replace("[%x, %y]", "[%x]").replace(", %yi: f32", ""),
        "f32[n], f32",
    ),
    "while that writes a vector": (
        "%r1, %r2",
        """while [%k, %y], [%x, %s] condition = (%i: i64, %a: f32[n], %x1: f32[n], %s1: f32) {
    %z = constant {value = i64 0} : i64
    %go = less %z, %i : bool
    return %go
  } body = (%j: i64, %b: f32[n], %x2: f32[n], %s2: f32) {
    %o = constant {value = i64 1} : i64
    %next = sub %j, %o : i64
    %e = gather %x2, %next {axis = 0} : f32
    %old = gather %b, %o {axis = 0} : f32
    %f = add %e, %old : f32
    %v = mul %f, %s2 : f32
    %at = reshape %next {shape = (1,)} : i64[1]
    %new = reshape %v {shape = (1,)} : f32[1]
    %b2 = scatter %b, %at, %new {combine = 'update'} : f32[n]
    return %next, %b2
  } : i64, f32[n]""",
        "i64, f32[n]",
    ),
    "while that asks a vector": (
        "%r1, %r2",
        """while [%k, %y], [] condition = (%i: i64, %a: f32[n]) {
    %z = constant {value = i64 0} : i64
    %go = less %z, %i : bool
    %e = gather %a, %z {axis = 0} : f32
    %most = constant {value = f32 9.0} : f32
    %small = less %e, %most : bool
    %both = bitwise_and %go, %small : bool
    return %both
  } body = (%j: i64, %b: f32[n]) {
    %o = constant {value = i64 1} : i64
    %next = sub %j, %o : i64
    %zero = constant {value = i64 0} : i64
    %e2 = gather %b, %zero {axis = 0} : f32
    %v = add %e2, %e2 : f32
    %at = reshape %zero {shape = (1,)} : i64[1]
    %new = reshape %v {shape = (1,)} : f32[1]
    %b2 = scatter %b, %at, %new {combine = 'update'} : f32[n]
    return %next, %b2
  } : i64, f32[n]""",
        "i64, f32[n]",
    ),
    "a cheap branch": (
        "%r1, %r2, %r3",
        cond(["%b = add %s3, %s3 : f32", "return %b, %s3, %k3"],
             ["%d = neg %s4 : f32", "return %d, %s4, %k4"], "f32, f32, i64"),
        "f32, f32, i64",
    ),
    "a dear branch": (
        "%r1", cond([*LONG, "return %u14"], ["return %s4"], "f32"), "f32",
    ),
    "a branch that is dear otherwise": (
        "%r1",
        cond(["return %s3"], [line.replace("s3", "s4") for line in LONG] + ["return %u14"], "f32"),
        "f32",
    ),
    "a branch with a loop": ("%r1", cond(["return %s3"], SUM, "f32"), "f32"),
    "a branch that reads an element": (
        "%r1",
        cond(["%e = gather %x3, %k3 {axis = 0} : f32", "return %e"], ["return %s4"], "f32"),
        "f32",
    ),
    "a branch that writes a vector": (
        "%r1, %r2",
        cond(["%one2 = constant {value = i64 1} : i64", "%i = sub %k3, %one2 : i64",
              "%v = add %s3, %s3 : f32", *PLACE, f"%q = scatter %x3, %at, %new {WRITE}",
              "%w = gather %q, %i {axis = 0} : f32", "return %q, %w"],
             ["return %x4, %s4"], "f32[n], f32"),
        "f32[n], f32",
    ),
    "loops and branches within": (
        "%r1, %r2",
        scan("%s, %y", "%a: f32, %q: f32[n]", [
            "%odd = less %xi, %c : bool",
            "%d, %q5 = cond %odd, [%a, %xi, %q, %i] "
            "then = (%a1: f32, %g1: f32, %q1: f32[n], %i1: i64) {",
            "%h = add %a1, %g1 : f32", "%at = reshape %i1 {shape = (1,)} : i64[1]",
            "%new = reshape %h {shape = (1,)} : f32[1]", f"%q3 = scatter %q1, %at, %new {WRITE}",
            "return %h, %q3",
            "} orelse = (%a2: f32, %g2: f32, %q2: f32[n], %i2: i64) {", "return %g2, %q2",
            "} : f32, f32[n]",
            "%w, %n2 = while [%d, %i], [] condition = (%t: f32, %m: i64) {",
            "%z = constant {value = i64 0} : i64", "%go = less %z, %m : bool", "return %go",
            "} body = (%t2: f32, %m2: i64) {", "%o = constant {value = i64 1} : i64",
            "%m3 = sub %m2, %o : i64", "%t3 = add %t2, %t2 : f32", "return %t3, %m3",
            "} : f32, i64",
            "%l = scan [%w], [%all], [] {count = n, reverse = False, residuals = 0} body = "
            "(%i7: i64, %a7: f32, %x7: f32) {", "%b7 = add %a7, %x7 : f32", "return %b7", "} : f32",
            "return %l, %q5",
        ], "f32, f32[n]").replace("[%x, %y]", "[%x]").replace(", %yi: f32", ""),
        "f32, f32[n]",
    ),
}  # fmt: skip


def function_of(name: str) -> Function:
    results, text, types = CASES[name]
    return parse(
        f"func @f({PARAMS}) -> ({types}) {{\n  %one = constant {{value = i64 1}} : i64\n"
        f"  {results} = {text}\n  return {results}\n}}"
    )


def inputs(positive: bool) -> list[Any]:
    x = np.array([0.5, -2, 3, 4, 1.5], np.float32)
    return [x, x[::-1] + 1, np.int64(3), np.float32(0.75), np.bool_(positive)]


@pytest.mark.parametrize("name", CASES)
def test_one_kernel_gives_what_the_ops_mean(name: str) -> None:
    f = function_of(name)
    made = verify(lower(f, TARGET))
    launches = [op for op in made.body if isinstance(op, Launch)]
    assert len(launches) <= 2 and launches[-1].results  # one of these may be a constant
    for positive in (True, False):
        wanted = interpret(f, inputs(positive))
        got = run_launches(made, inputs(positive), {"n": 5})
        for x, y in zip(got, wanted, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-6)


def kernel_of(name: str) -> Function:
    (kernel,) = [
        op.kernel for op in lower(function_of(name), TARGET).body if isinstance(op, Launch)
    ][-1:]
    return kernel


def kinds(name: str) -> set[type]:
    return {type(op) for op in kernel_of(name).walk()} & {Branch, Select, Repeat, For}


def test_cheap_branches_are_both_computed() -> None:
    assert kinds("a cheap branch") == {Select}
    for name in ("a dear branch", "a branch that is dear otherwise"):
        assert kinds(name) == {Branch}
    assert Branch in kinds("a branch with a loop")
    chosen = [op for op in kernel_of("a cheap branch").walk() if isinstance(op, Select)]
    assert len(chosen) == 1  # what both sides give is not chosen
    most = SELECT_OPERATIONS_MAX - 2  # beside a load and its index
    for count, kind in ((most, Select), (most + 1, Branch)):
        lines = [f"%u{i + 1} = mul %u{i}, %s3 : f32" for i in range(count)]
        lines[0] = lines[0].replace("%u0", "%s3")
        text = cond([*lines, f"return %u{count}"], ["return %s4"], "f32")
        f = parse(f"func @f({PARAMS}) -> f32 {{\n  %r = {text}\n  return %r\n}}")
        found = {type(op) for op in lower(f, TARGET).walk()}
        assert found & {Select, Branch} == {kind}


def test_vectors_are_changed_in_place() -> None:
    f = function_of("while that writes a vector")
    loop = f.body[1]
    schedule = ScalarControl(loop)  # type: ignore[arg-type]
    assert schedule.in_place() == {loop.operands[1]: loop.results[1]}
    (launch,) = [op for op in lower(f, TARGET).body if op.mnemonic == "update"]
    assert launch.attributes["count"] == 1


def test_ops_of_kernels_have_the_places_of_what_they_compute() -> None:
    f = function_of("loops and branches within")
    for i, op in enumerate(f.walk()):
        op.location = Location("model.py", i)
    places = {op.location.line for op in lower(f, TARGET).walk() if op.location}
    by_kind = {op.mnemonic: op.location.line for op in f.walk() if op.location}
    assert {by_kind[name] for name in ("while", "scan", "scatter")} <= places


def test_other_control_flow_is_no_kernel() -> None:
    """Loops that carry matrices stay loops, of launches."""
    f = parse(
        """func @f(%x: f32[3,3], %n: i64) -> f32[3,3] {
          %r, %k = while [%x, %n], [] condition = (%a: f32[3,3], %i: i64) {
            %z = constant {value = i64 0} : i64
            %go = less %z, %i : bool
            return %go
          } body = (%b: f32[3,3], %j: i64) {
            %o = constant {value = i64 1} : i64
            %next = sub %j, %o : i64
            %c = exp %b : f32[3,3]
            return %c, %next
          } : f32[3,3], i64
          return %r
        }"""
    )
    assert not ScalarControl.stored_values(f.body[0], {})
    assert ScalarControl.stored_values(f.body[0].regions[1].body[1], {}) is None
    assert [op.mnemonic for op in lower(f, TARGET).body] == ["while"]


@pytest.mark.parametrize("name", ["while", "scan"])
def test_what_rounds_share_is_loaded_before_them(name: str) -> None:
    """Scalars from around a loop are loaded once; of vectors what a round asks for."""
    f = function_of(name)
    half = "  %half = constant {value = f32 0.5} : f32\n"  # so that nothing else loads them
    text = str(f).replace("while [%k, %s], [%x, %one]", "while [%one, %s], [%x, %k]")
    text = text.replace("scan [%s]", "scan [%half]").replace("  %r1", f"{half}  %r1", 1)
    kernel = [op.kernel for op in lower(parse(text), TARGET).body if isinstance(op, Launch)][-1]
    (loop,) = [op for op in kernel.body if isinstance(op, For | Repeat)]
    inside = {op.operands[0] for r in loop.regions for op in r.walk() if op.mnemonic == "load"}
    assert inside and all(buffer.rank for buffer in inside)
    assert any(op.mnemonic == "load" and not op.operands[0].rank for op in kernel.body)
