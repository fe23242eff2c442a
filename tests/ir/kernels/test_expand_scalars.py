"""Kernels whose scalar ops are written out do what they did; what need not change stays itself; and
which long expansions are there once for all kernels."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.kernel_interpreter import run_kernel
from tfc.ir.core import Builder, Function, Location, Op
from tfc.ir.dtypes import float32, int32
from tfc.ir.kernels.expand import Scalar
from tfc.ir.kernels.expand_emitter import IrEmitter
from tfc.ir.kernels.expand_scalars import SELDOM_ROUNDS_MAX, SHARING_LAUNCHES_MIN, expand, expanded
from tfc.ir.kernels.ops import CallScalar, For, Launch, Rarely
from tfc.ir.text import parse
from tfc.ir.types import scalar_type
from tfc.ir.verify import verify

KERNEL = """func @f(%x0: f32[n], %h0: f16[n], %k0: i32[n]) -> (f32[n], f16[n], i32[n], bool[n]) {
  %r1, %r2, %r3, %r4 = launch [%x0, %h0, %k0] {types = (f32[n], f16[n], i32[n], bool[n])} \
kernel = (%x: *f32[n], %h: *f16[n], %k: *i32[n], %xs: *f32[n], %hs: *f16[n], %ks: *i32[n], \
%ps: *bool[n]) {
    %0 = constant {value = i64 0} : i64
    %1 = constant {value = i64 1} : i64
    %3 = constant {value = i64 3} : i64
    %n = extent_of {value = n} : i64
    %one = constant {value = f32 1.0} : f32
    %half = constant {value = f32 0.5} : f32
    LINES
    return
  } : f32[n], f16[n], i32[n], bool[n]
  return %r1, %r2, %r3, %r4
}"""
N = 6


def loop(*lines: str, kind: str = "serial") -> list[str]:
    """For each element i: a is that of x, b that of h and c that of k."""
    return [
        f"for %0, %n, [] {{step = 1, kind = '{kind}'}} body = (%i: i64) {{",
        "%a = load %x, %i, none : f32",
        "%b = load %h, %i, none : f16",
        "%c = load %k, %i, none : i32",
        *lines,
        *("return", "}"),
    ]


CASES: dict[str, list[str]] = {
    "one op": loop("%y = minimum %a, %half : f32", "store %xs, %i, %y", kind="vector"),
    "one after another": loop(
        "%y = maximum %a, %half : f32", "%z = sign %y : f32", "%w = relu %a : f32",
        "%v = add %z, %w : f32", "store %xs, %i, %v",
    ),
    "operands that are one": loop(
        "%y = maximum %a, %a : f32", "%z = floor_div %y, %y : f32", "store %xs, %i, %z",
    ),
    "numbers": loop(
        "%y = maximum %one, %half : f32", "%z = mul %a, %y : f32", "%u = minimum %half, %a : f32",
        "%v = floor_div %a, %half : f32", "%w = add %u, %v : f32", "store %xs, %i, %z",
        "store %xs, %i, %w",
    ),
    "halves": loop(
        "%y = mul %b, %b : f16", "%z = add %y, %b : f16", "%w = maximum %z, %b : f16",
        "%u = neg %w : f16", "%v = abs %u : f16", "%s = sign %v : f16", "%t = sub %v, %s : f16",
        "store %hs, %i, %t",
    ),
    "halves that give others": loop(
        "%p = is_nan %b : bool", "%q = less %b, %b : bool", "%r = bitwise_or %p, %q : bool",
        "store %ps, %i, %r", "%y = select %r, %b, %b : f16", "store %hs, %i, %y",
        "%s = bitcast %b {dtype = u16} : u16", "%t = cast %s {dtype = i32} : i32",
        "store %ks, %i, %t",
    ),
    "halves and others": loop(
        "%p = less %a, %half : bool", "%y = neg %b : f16", "%z = select %p, %y, %b : f16",
        "store %hs, %i, %z",
    ),
    "integers": loop(
        "%y = sign %c : i32", "%z = abs %c : i32", "%y2 = abs %y : i32",
        "%w = pow %z, %y2 : i32",
        "%three = cast %3 {dtype = i32} : i32", "%v = floor_div %z, %three : i32",
        "%u = add %w, %v : i32", "%t = maximum %u, %c : i32", "store %ks, %i, %t",
    ),
    "conversions": loop(
        "%y = cast %a {dtype = i32} : i32", "%z = cast %b {dtype = bool} : bool",
        "%w = cast %c {dtype = f16} : f16", "store %ks, %i, %y", "store %hs, %i, %w",
        "store %ps, %i, %z",
    ),
    "carried": [
        "%t, %u = for %0, %n, [%one, %half] {step = 1, kind = 'serial'} "
        "body = (%i: i64, %s: f32, %r: f32) {",
        "%a = load %x, %i, none : f32", "%y = maximum %s, %a : f32", "%z = add %r, %y : f32",
        "return %y, %z", "} : f32, f32", "%v = sign %u : f32", "store %xs, %0, %t",
        "store %xs, %1, %u", "store %xs, %3, %v",
    ],
    "reduced": [
        "%s = reduce %n {combine = 'add', kind = 'serial'} body = (%i: i64) {",
        "%a = load %x, %i, none : f32", "%y = relu %a : f32", "return %y", "} : f32",
        "%m = minimum %s, %half : f32", "store %xs, %0, %m",
    ],
    "loops that see what changed around them": [
        "%q = load %x, %1, none : f32", "%y = maximum %q, %half : f32",
        *loop("%z = add %a, %y : f32", "store %xs, %i, %z"),
        "for %0, %3, [] {step = 1, kind = 'serial'} body = (%j: i64) {",
        "for %0, %1, [] {step = 1, kind = 'serial'} body = (%l: i64) {",
        "%e = add %y, %half : f32", "store %xs, %j, %e", *("return", "}"), *("return", "}"),
    ],
    "loops that end where something was changed": [
        "%q = load %k, %1, none : i32", "%y = abs %q : i32", "%e = cast %y {dtype = i64} : i64",
        "for %0, %e, [] {step = 1, kind = 'serial'} body = (%i: i64) {",
        "store %xs, %i, %half", *("return", "}"),
        "%t = for %0, %e, [%one] {step = 1, kind = 'serial'} body = (%j: i64, %s: f32) {",
        "%r = add %s, %half : f32", "return %r", "} : f32", "store %xs, %0, %t",
    ],
    "results of loops that did not change": [
        "%q = load %x, %1, none : f32", "%y = maximum %q, %half : f32",
        "%t = for %0, %3, [%y] {step = 1, kind = 'serial'} body = (%j: i64, %s: f32) {",
        "%r = add %s, %half : f32", "return %r", "} : f32",
        "%u = for %0, %3, [%t] {step = 1, kind = 'serial'} body = (%l: i64, %v: f32) {",
        "%w = add %v, %t : f32", "return %w", "} : f32", "store %xs, %0, %u",
    ],
    "a branch": loop(
        "%p = less %a, %half : bool", "%y = maximum %a, %one : f32",
        "%z = branch %p then = () {", "%u = add %y, %one : f32", "return %u",
        "} orelse = () {", "%v = sign %a : f32", "return %v", "} : f32", "store %xs, %i, %z",
    ),
    "an unused loop within": [
        *loop(
            "%t = for %0, %3, [%one] {step = 1, kind = 'serial'} body = (%j: i64, %s: f32) {",
            "%r = mul %s, %half : f32", "return %r", "} : f32",
            "%u = reduce %3 {combine = 'add', kind = 'serial'} body = (%l: i64) {",
            "return %half", "} : f32",
            "%y = sign %u : f32", "store %xs, %i, %y",
        )
    ],
}  # fmt: skip


def function_of(lines: list[str]) -> Function:
    return parse(KERNEL.replace("LINES", "\n".join(lines)))


def kernel_of(f: Function) -> Function:
    (launch,) = f.body
    assert isinstance(launch, Launch)
    return launch.kernel


def inputs() -> list[np.ndarray]:
    x = np.array([-1.5, 0.25, 2, np.nan, -0.0, 7], np.float32)
    h = np.array([0.1, -3, 300, np.nan, 0, 1e-7], np.float16)
    k = np.array([-7, 3, 0, 1, 9, -(2**31)], np.int32)
    results = [np.full(N, 9, d) for d in (np.float32, np.float16, np.int32)]
    return [x, h, k, *results, np.zeros(N, bool)]


@pytest.mark.parametrize("name", CASES)
def test_kernels_do_what_they_did(name: str) -> None:
    f = function_of(CASES[name])
    made = verify(expand(f))
    first, second = inputs(), inputs()
    run_kernel(kernel_of(f), first, {"n": N})
    run_kernel(kernel_of(made), second, {"n": N})
    for wanted, got in zip(first, second, strict=True):
        np.testing.assert_array_equal(got, wanted)
        if wanted.dtype.kind == "f":
            here = ~np.isnan(wanted)
            np.testing.assert_array_equal(np.signbit(got)[here], np.signbit(wanted)[here])
    assert not any(type(op).expansion for op in kernel_of(made).walk() if type(op) in FOREIGN)


FOREIGN = {Op.by_name[name] for name in ("maximum", "minimum", "sign", "relu", "is_nan", "pow")}
PLAIN = [
    "for %0, %n, [] {step = 1, kind = 'serial'} body = (%i: i64) {",
    "%a = load %x, %i, none : f32", "%y = add %a, %half : f32", "store %xs, %i, %y",
    *("return", "}"),
]  # fmt: skip


def mnemonics(f: Function) -> Counter[str]:
    return Counter(op.mnemonic for op in f.walk())


def test_what_need_not_change_stays_itself() -> None:
    """A kernel without such ops but for what nobody uses, and regions beside others."""
    f = function_of(PLAIN)
    kernel, made = kernel_of(f), kernel_of(expand(f))
    used = {v for op in kernel.walk() for v in op.operands}
    assert made.body == tuple(
        op for op in kernel.body if not used.isdisjoint(op.results) or op.effect
    )
    again = expand(Function("g", f.params, expand(f).body, ()))
    assert kernel_of(again).body == made.body
    other = [line.replace("%i", "%j").replace("%a", "%d").replace("%y", "%e") for line in PLAIN]
    both = function_of([*loop("%y = sign %a : f32", "store %xs, %i, %y"), *other])
    (_, given), (_, found) = (
        [op for op in kernel_of(g).body if isinstance(op, For)] for g in (both, expand(both))
    )
    assert found is given


def test_what_nobody_uses_goes() -> None:
    """In regions, too, but for what loops would have to give less for."""
    lines = loop(
        "%e = for %0, %3, [%half] {step = 1, kind = 'serial'} body = (%j: i64, %s: f32) {",
        "%d = add %s, %one : f32", "%g = mul %s, %one : f32", "return %d", "} : f32",
        "store %xs, %i, %e",
        "for %0, %3, [] {step = 1, kind = 'serial'} body = (%l: i64) {",
        "%t = add %half, %one : f32", "%u = sub %a, %one : f32", "store %xs, %l, %u", "return", "}",
    )  # fmt: skip
    f = function_of(lines)
    for op in kernel_of(f).walk():
        op.location = Location("model.py", 3)
    made = kernel_of(verify(expand(f)))
    assert mnemonics(made)["mul"] == 0 and mnemonics(made)["add"] == 1
    assert mnemonics(made)["load"] == 1 and mnemonics(made)["sub"] == 1
    assert {op.location for op in made.walk()} == {Location("model.py", 3)}
    first, second = inputs(), inputs()
    run_kernel(kernel_of(f), first, {"n": N})
    run_kernel(made, second, {"n": N})
    np.testing.assert_array_equal(second[3], first[3])


def test_unused_ops_go_from_loops_that_give_nothing() -> None:
    """All loops of a kernel at once, where none of its ops is written out."""
    lines = [line for line in PLAIN if "load" not in line]
    lines[1:1] = ["%a = load %x, %i, none : f32", "%u = mul %a, %half : f32"]
    made = kernel_of(verify(expand(function_of(lines))))
    assert mnemonics(made)["mul"] == 0 and mnemonics(made)["store"] == 1


def test_rules_see_what_operands_became() -> None:
    """A number that an expansion came to is folded into what uses it; ops whose operands are as
    they were are not looked at again."""
    lines = loop(
        "%y = maximum %one, %half : f32", "%z = mul %a, %y : f32", "store %xs, %i, %z",
        "%w = mul %one, %a : f32", "store %xs, %i, %w", "%u = neg %y : f32", "store %xs, %i, %u",
    )  # fmt: skip
    made = kernel_of(expand(function_of(lines)))
    (product,) = [op for op in made.walk() if op.mnemonic == "mul"]
    assert product.results[0].name == "w"
    stores = [op for op in made.walk() if op.mnemonic == "store"]
    assert stores[0].value.op.mnemonic == "load"  # type: ignore[attr-defined]
    assert stores[2].value.op.mnemonic == "constant"  # type: ignore[attr-defined]


def test_routines_are_expanded_alike() -> None:
    kernel = kernel_of(function_of(CASES["halves"]))
    made = expanded(kernel)
    assert mnemonics(made) == mnemonics(kernel_of(expand(function_of(CASES["halves"]))))
    assert made.params == kernel.params and mnemonics(made)["sign"] == 0


AROUND = """
func @f(%x: f32[n], %p: bool) -> f32[1,n] {
  %r = cond %p, [%x] then = (%y: f32[n]) {
    %s = launch [%y] {types = (f32[n],)} kernel = (%b1: *f32[n], %b2: *f32[n]) {
      %1 = constant {value = i64 0} : i64
      %2 = load %b1, %1, none : f32
      %3 = sign %2 : f32
      store %b2, %1, %3
      return
    } : f32[n]
    return %s
  } orelse = (%z: f32[n]) {
    return %z
  } : f32[n]
  %t = reshape %r {shape = (1, n)} : f32[1,n]
  %u = launch [%t] {types = (f32[1,n],)} kernel = (%c1: *f32[1,n], %c2: *f32[1,n]) {
    %4 = constant {value = i64 0} : i64
    %5 = load %c1, %4, none : f32
    %6 = sign %5 : f32
    store %c2, %4, %6
    return
  } : f32[1,n]
  return %u
}"""


def test_launches_in_branches_and_what_is_beside_them() -> None:
    f = parse(AROUND)
    noted = Function(f.name, f.params, f.body, f.returns, {"sites": [7]})
    for op in noted.body:
        op.location = Location("model.py", 3)
    made = verify(expand(noted))
    assert mnemonics(made)["sign"] == 0 and mnemonics(made)["select"] == 4
    assert made.notes == {"sites": [7]} and made.params == f.params
    branch, view, launch = made.body
    assert [v.name for op in made.body for v in op.results] == ["r", "t", "u"]
    assert view.operands == branch.results and launch.operands == view.results
    assert made.returns == launch.results
    assert {op.location for op in made.body} == {Location("model.py", 3)}


def test_kernels_of_several_launches_are_written_once() -> None:
    f = parse(AROUND)
    launch = f.body[2]
    b = Builder("g")
    x = b.parameter(launch.operands[0].type, "x")
    kernel = launch.regions[0]
    for name in ("first", "second"):
        named = kernel.renamed(name, {"ops": (name,)})
        x = b.emit(launch.with_operands(lambda v, x=x: x).replace(kernel=named))
    first, second = (op.regions[0] for op in expand(b.build(x)).body)
    assert first.body is second.body
    assert (first.name, second.name) == ("first", "second")
    assert (first.notes, second.notes) == ({"ops": ("first",)}, {"ops": ("second",)})


# Which expansions are shared: loops around an op, how often it runs, and how many launches.

FEW, MANY = SELDOM_ROUNDS_MAX, SELDOM_ROUNDS_MAX + 1


def nested(*ends: tuple[int, int] | str) -> str:
    """A power in such loops: of known ends, or up to an index."""
    text = "%a = load %x, %z, none : T\n%b = load %y, %z, none : T\n%r = OP : T\nstore %o, %z, %r"
    for level, end in enumerate(ends):
        if isinstance(end, str):
            high, before = end, ""
            low = "%z"
        else:
            low, high = f"%l{level}", f"%h{level}"
            before = "".join(
                f"{v} = constant {{value = i64 {n}}} : i64\n"
                for v, n in zip((low, high), end, strict=True)
            )
        text = (
            f"{before}for {low}, {high}, [] {{step = 1, kind = 'serial'}} "
            f"body = (%i{level}: i64) {{\n{text}\nreturn\n}}"
        )
    return text


REDUCED = """%c = constant {{value = i64 {}}} : i64
%t = reduce %c {{combine = 'add', kind = 'serial'}} body = (%k: i64) {{
%a = load %x, %k, none : T
%b = load %y, %z, none : T
%r = OP : T
return %r
}} : T
store %o, %z, %t"""
TWO = "%w = constant {value = i64 2} : i64"
PARALLEL = f"{TWO}\nparallel %w, %w body = (%i: i64) {{\n{nested()}\nreturn\n}}"


def program(bodies: list[str], op: str = "pow %a, %b", dtypes: str = "f32") -> Function:
    """A function of launches, of vectors of as many lengths."""
    params, lines = [], []
    for i, body in enumerate(bodies):
        dtype = dtypes.split()[i % len(dtypes.split())]
        shape = f"{dtype}[{600 + i}]"
        params += [f"%x{i}: {shape}", f"%y{i}: {shape}"]
        kernel = (
            f"%z = constant {{value = i64 0}} : i64\n%n = load %m, %z, none : i64\n{body}\nreturn"
        )
        kernel = kernel.replace("OP", op).replace(": T", f": {dtype}")
        lines.append(
            f"%r{i} = launch [%x{i}, %y{i}, %m0] {{types = ({shape},)}} kernel = (%x: *{shape}, "
            f"%y: *{shape}, %m: *i64[1], %o: *{shape}) {{\n{kernel}\n}} : {shape}"
        )
    lines = [line.replace("%", f"%k{i}.") for i, line in enumerate(lines)]
    text = "\n".join(lines)
    for i in range(len(bodies)):
        for name in ("x", "y", "r"):
            text = text.replace(f"%k{i}.{name}{i} ", f"%{name}{i} ").replace(
                f"%k{i}.{name}{i},", f"%{name}{i},"
            )
        text = text.replace(f"%k{i}.m0", "%m0")
    given = ", ".join([*params, "%m0: i64[1]"])
    results = [f"%r{i}" for i in range(len(bodies))]
    types = [f"{dtypes.split()[i % len(dtypes.split())]}[{600 + i}]" for i in range(len(bodies))]
    return parse(
        f"func @f({given}) -> ({', '.join(types)}) {{\n{text}\nreturn {', '.join(results)}\n}}"
    )


def calls(f: Function) -> int:
    """How many shared functions an expanded program calls, which all are the same for a type."""
    found = [op for op in verify(expand(f)).walk() if isinstance(op, CallScalar)]
    kinds = {tuple(v.dtype.short for v in op.operands): op.callee for op in found}
    assert len({op.callee for op in found}) == len(kinds)
    return len(found)


LEAST = SHARING_LAUNCHES_MIN


@pytest.mark.parametrize(
    ("body", "seldom"),
    [
        (nested(), True),
        (nested((0, FEW)), True),
        (nested((0, MANY)), False),
        (nested((3, FEW + 3)), True),
        (nested((2, FEW + 3)), False),
        (nested((7, 3)), True),
        (nested((0, MANY), (7, 3)), True),
        (nested((0, 16), (0, FEW // 16)), True),
        (nested((0, 16), (0, FEW // 16 + 1)), False),
        (nested("%n"), False),
        (nested("%n", (0, 2)), False),
        (nested((0, 2), "%n"), False),
        (PARALLEL, False),
        (REDUCED.format(FEW), True),
        (REDUCED.format(MANY), False),
    ],
)
def test_what_seldom_runs_is_shared(body: str, seldom: bool) -> None:
    assert calls(program([body] * LEAST)) == (LEAST if seldom else 0)


def test_programs_that_share() -> None:
    """Those of several launches, what is long, and what is there more than once."""
    here, often = nested((0, FEW)), nested((0, MANY))
    assert calls(program([here] * (LEAST - 1))) == 0
    assert calls(program([here, here, *[often] * (LEAST - 2)])) == 2
    assert calls(program([here, *[often] * (LEAST - 1)])) == 0
    assert calls(program([here] * LEAST, dtypes="f32 f64")) == LEAST
    assert calls(program([here] * 3 + [often] * LEAST, dtypes="f32 f64 f64")) == 2
    few = [here, here, *["%a = load %x, %z, none : T\nstore %o, %z, %a"] * (LEAST - 2)]
    assert calls(program(few)) == 2
    there = "call_scalar [%a, %b] callee = (%p: T, %q: T) {\n%s = pow %p, %q : T\nreturn %s\n}"
    inside = nested((0, FEW)).replace("OP", there)  # of what is called there is one already
    assert calls(program([here, inside, *few[2:]])) == 1
    assert not [op for op in expand(program([inside])).walk() if op.mnemonic == "fma"]
    assert calls(program(few, "maximum %a, %b")) == 0  # which is short
    assert calls(program(few, "zeta %a, %b")) == 0  # whose loops see what is around them
    assert calls(program(few, "igamma_derivative %a, %b {order = 1}")) == 0


def test_shared_functions_give_what_they_stand_for() -> None:
    f = program([nested((0, 2))] * LEAST)
    made = expand(f)
    for op, other in zip(f.body, made.body, strict=True):
        size = op.operands[0].shape[0]
        arrays = [
            np.full(size, 1.5, np.float32),
            np.full(size, 3, np.float32),
            np.zeros(1, np.int64),
        ]
        results = []
        for launch in (op, other):
            result = np.zeros(size, np.float32)
            machine: Any = run_kernel(launch.regions[0], [*arrays, result])
            results.append(result)
        assert machine.calls == 2
        np.testing.assert_array_equal(*results)


def test_slow_ways_are_functions() -> None:
    """Of large arguments of sines: there once, whoever asks for them."""
    lines = loop(
        "%y = sin %a : f32", "%z = cos %a : f32", "%w = add %y, %z : f32", "store %xs, %i, %w"
    )
    made = kernel_of(verify(expand(function_of(lines))))
    rare = [op for op in made.walk() if isinstance(op, Rarely)]
    assert len(rare) == 1 and rare[0].callee.name == "payne_hanek_f32"
    arrays = inputs()
    arrays[0][:] = [-1.5, 0.25, 2, 1e20, -0.0, 7]
    run_kernel(made, arrays, {"n": N})
    x = arrays[0].astype(np.float64)
    np.testing.assert_allclose(arrays[3], np.sin(x) + np.cos(x), rtol=3e-7)


def test_what_has_attributes_is_written_for_them() -> None:
    """A derivative of an order; loops of series see what is around them."""
    lines = loop(
        "%y = igamma_derivative %one, %half {order = 1} : f32", "store %xs, %i, %y",
        "%s = zeta %3f, %half : f32", "store %xs, %i, %s",
    )  # fmt: skip
    lines = ["%3f = constant {value = f32 3.0} : f32", *lines]
    made = kernel_of(verify(expand(function_of(lines))))
    assert any(isinstance(op, For) for op in made.body[-1].regions[0].body)
    assert not {"igamma_derivative", "zeta", "log", "pow"} & set(mnemonics(made))
    arrays = inputs()
    run_kernel(made, arrays, {"n": N})
    np.testing.assert_allclose(arrays[3], 8.414398, rtol=1e-6)


def test_what_expansions_may_ask_for() -> None:
    """Conversions of floats to integers, which are only met in range, and between others."""
    b = Builder()
    given = [b.parameter(scalar_type(d)) for d in (float32, int32)]
    x, k = (Scalar(IrEmitter(b), v, v.dtype.short) for v in given)
    made = [x.cast("i32"), k.cast("f32"), x.cast("f64"), k.cast("i64"), x.bitcast("i32")]
    kinds = [v.value.op.mnemonic for v in made]  # type: ignore[attr-defined]
    assert kinds == ["truncate", "cast", "cast", "cast", "bitcast"]
    assert [v.value.dtype.short for v in made] == [v.dtype for v in made]  # type: ignore[attr-defined]
