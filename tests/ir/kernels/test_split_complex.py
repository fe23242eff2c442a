"""Kernels whose complex numbers are pairs do what they did, run op by op on small whole numbers,
of which all results are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.kernel_interpreter import memory, run_kernel
from tfc.ir.core import Builder, Function, Location
from tfc.ir.kernels.ops import Launch, LoadPair, Prefetch, ReloadPair
from tfc.ir.kernels.split_complex import split
from tfc.ir.text import parse
from tfc.ir.verify import verify

KERNEL = """func @f(%x0: c64[n], %y0: f32[n], %r0: c64[n]) -> (c64[n], f32[n]) {
  %first, %second = launch [%x0, %y0, %r0] {types = (c64[n], f32[n])} kernel = (%x: *c64[n], \
%y: *f32[n], %r: *c64[n], %out: *c64[n], %other: *f32[n]) {
    %0 = constant {value = i64 0} : i64
    %1 = constant {value = i64 1} : i64
    %2 = constant {value = i64 2} : i64
    %n = extent_of {value = n} : i64
    %c = constant {value = c64 (2.0,-3.0)} : c64
    %half = constant {value = f32 0.5} : f32
    LINES
    return
  } : c64[n], f32[n]
  return %first, %second
}"""
N = 5


def loop(*lines: str) -> list[str]:
    """For each element i: a and b are those of x and r, v that of y."""
    return [
        "for %0, %n, [] {step = 1, kind = 'vector'} body = (%i: i64) {",
        "%a = load %x, %i, none : c64",
        "%b = load %r, %i, none : c64",
        "%v = load %y, %i, none : f32",
        "%p = less %v, %half : bool",
        *lines,
        *("return", "}"),
    ]


STORE = "store %out, %i, %z"
CASES: dict[str, list[str]] = {
    "load, store": loop("store %out, %i, %a"),
    "constant": loop("%z = add %a, %c : c64", STORE),
    "parts": loop(
        "%s = real %a : f32", "%t = imag %a : f32", "%z = complex %t, %s : c64", STORE,
        "%w = sub %s, %t : f32", "store %other, %i, %w",
    ),
    "arithmetic": loop(
        "%d = mul %a, %b : c64", "%e = sub %d, %c : c64", "%f = neg %e : c64",
        "%z = add %f, %a : c64", STORE,
    ),
    "conj": loop("%z = conj %a : c64", STORE),
    "select": loop("%z = select %p, %a, %b : c64", STORE),
    "a condition that is computed of complex numbers": loop(
        "%q = equal %a, %b : bool", "%g = not_equal %a, %c : bool",
        "%h = bitwise_xor %q, %g : bool",
        "%z = select %h, %b, %a : c64", STORE,
    ),
    "modulus": loop("%s = abs %a : f32", "store %other, %i, %s"),
    "cast of a float": loop("%z = cast %v {dtype = c64} : c64", STORE),
    "cast of a computed float": loop(
        "%s = real %a : f32", "%z = cast %s {dtype = c64} : c64", STORE
    ),
    "cast of an integer": loop("%z = cast %i {dtype = c64} : c64", STORE),
    "cast to a float": loop("%s = cast %a {dtype = f32} : f32", "store %other, %i, %s"),
    "cast to other precision": loop(
        "%d = cast %a {dtype = c128} : c128", "%e = mul %d, %d : c128",
        "%z = cast %e {dtype = c64} : c64", STORE,
    ),
    "masks": loop(
        "%j = add %i, %1 : i64", "%q = less %j, %n : bool", "%z = load %x, %j, %q : c64", STORE,
    ),
    "a mask that is computed of complex numbers": loop(
        "%q = equal %a, %b : bool", "%z = load %x, %i, %q : c64", STORE,
    ),
    "a mask of another load": loop(
        "%q = equal %a, %b : bool", "%w = load %y, %i, %q : f32", "store %other, %i, %w",
    ),
    "reload": loop("store %out, %i, %a", "%d = reload %out, %i, none : c64",
                   "%z = add %d, %b : c64", STORE),
    "an index that is computed of complex numbers": loop(
        "%q = equal %a, %b : bool", "%j = cast %q {dtype = i64} : i64",
        "%z = load %x, %j, none : c64", "store %out, %j, %z", STORE,
        "prefetch %x, %j {purpose = 'load'}",
    ),
    "memory of its own": loop(
        "%m = local {dtype = c64, shape = (2, 3)} : *c64[2,3]",
        "%five = constant {value = i64 5} : i64",
        "store %m, %five, %a", "store %m, %0, %b", "%d = reload %m, %five, none : c64",
        "%e = reload %m, %0, none : c64",
        "%z = sub %d, %e : c64", STORE,
    ),
    "prefetch": loop("%j = add %i, %2 : i64", "prefetch %x, %j {purpose = 'load'}",
                     "prefetch %y, %j {purpose = 'later'}", "store %out, %i, %a"),
    "carried": [
        "%zero = constant {value = c64 (0.0,1.0)} : c64",
        "%last, %k, %total = for %0, %n, [%zero, %half, %c] {step = 2, kind = 'serial'} "
        "body = (%i: i64, %s: c64, %w: f32, %t: c64) {",
        "%a = load %x, %i, none : c64", "%s1 = add %s, %a : c64", "%w1 = add %w, %half : f32",
        "%t1 = mul %t, %a : c64", "return %t1, %w1, %s1", "} : c64, f32, c64",
        "store %out, %0, %last", "store %out, %1, %total", "store %other, %0, %k",
    ],
    "reduce": [
        "%s = reduce %n {combine = 'add', kind = 'serial'} body = (%i: i64) {",
        "%a = load %x, %i, none : c64", "return %a", "} : c64",
        "%t = reduce %n {combine = 'mul', kind = 'vector'} body = (%j: i64) {",
        "%b = load %r, %j, none : c64", "return %b", "} : c64",
        "%u = reduce %n {combine = 'mul', kind = 'serial'} body = (%k: i64) {",
        "%d = load %r, %k, none : c64", "%e = real %d : f32", "return %e", "} : f32",
        "store %out, %0, %s", "store %out, %1, %t", "store %other, %0, %u",
    ],
    "combine": loop(
        "%d = combine [%a], [%b] {combine = 'mul'} : c64",
        "%z = combine [%d], [%c] {combine = 'add'} : c64", STORE,
        "%w = combine [%v], [%half] {combine = 'mul'} : f32", "store %other, %i, %w",
    ),
    "repeat": [
        "%s, %k = repeat [%c, %0] condition = (%d: c64, %i: i64) {",
        "%q = less %i, %n : bool", "%f = not_equal %d, %c : bool", "%z = equal %i, %0 : bool",
        "%g = bitwise_or %f, %z : bool", "%h = bitwise_and %q, %g : bool", "return %h",
        "} body = (%e: c64, %j: i64) {",
        "%a = load %x, %j, none : c64", "%e1 = add %e, %a : c64", "%j1 = add %j, %1 : i64",
        "return %e1, %j1", "} : c64, i64",
        "store %out, %0, %s", "%w = cast %k {dtype = f32} : f32", "store %other, %0, %w",
    ],
    "branch": [
        "for %0, %n, [] {step = 1, kind = 'serial'} body = (%i: i64) {",
        "%a = load %x, %i, none : c64", "%q = equal %a, %c : bool",
        "%z, %w = branch %q then = () {", "%d = mul %a, %a : c64", "return %d, %half",
        "} orelse = () {", "%v = load %y, %i, none : f32", "%e = conj %a : c64", "return %e, %v",
        "} : c64, f32", STORE, "store %other, %i, %w", *("return", "}"),
    ],
    "parallel": [
        "%c2 = real %c : f32", "%m = cast %c2 {dtype = i64} : i64",
        "parallel %m, %m body = (%i: i64) {",
        "%a = load %x, %i, none : c64", "store %out, %i, %a", *("return", "}"),
    ],
    "grid": [
        "%c2 = real %c : f32", "%m = cast %c2 {dtype = i64} : i64",
        "grid [%0, %0], [%m, %2] {steps = (1, 1), team = 1} body = (%i: i64, %j: i64) {",
        "%k = add %i, %j : i64", "%a = load %x, %k, none : c64", "store %out, %k, %a",
        *("return", "}"),
    ],
    "ends of loops": [
        "%c2 = real %c : f32", "%m = cast %c2 {dtype = i64} : i64",
        "for %m, %n, [] {step = 1, kind = 'serial'} body = (%i: i64) {",
        "%a = load %x, %i, none : c64", "store %out, %i, %a", *("return", "}"),
        "for %0, %m, [] {step = 1, kind = 'serial'} body = (%j: i64) {",
        "%b = load %r, %j, none : c64", "store %out, %j, %b", *("return", "}"),
        "%s = reduce %m {combine = 'add', kind = 'serial'} body = (%k: i64) {",
        "%d = load %x, %k, none : c64", "return %d", "} : c64", "store %out, %0, %s",
    ],
    "a routine": [
        "%c2 = real %c : f32", "%m = cast %c2 {dtype = i64} : i64",
        "call_routine [%y, %other, %m] {seldom = True} callee = "
        "(%from: *f32[n], %to: *f32[n], %at: i64) {",
        "%v = load %from, %at, none : f32", "store %to, %at, %v", *("return", "}"),
        "%a = load %x, %0, none : c64", "store %out, %0, %a",
    ],
}  # fmt: skip


def function_of(lines: list[str]) -> Function:
    return parse(KERNEL.replace("LINES", "\n".join(lines)))


def kernel_of(lines: list[str]) -> Function:
    (launch,) = function_of(lines).body
    assert isinstance(launch, Launch)
    return launch.kernel


def launched(f: Function, kernel: Function) -> Function:
    """`f`, whose launch is one of this kernel."""
    b = Builder(f.name)
    b.params.extend(f.params)
    return verify(b.build(*b.emit_all(f.body[0].replace(kernel=kernel))))


def inputs() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    x = rng.integers(-3, 4, (N, 2)).astype(np.float32).view(np.complex64)[:, 0]
    r = np.where(np.arange(N) % 2, x, x + 1j).astype(np.complex64)
    x[1], r[3] = 2 - 3j, 2 - 3j
    y = np.array([0, 1, 0, 1, 1], np.float32)
    out, other = np.full(N, 7j, np.complex64), np.full(N, 7, np.float32)
    return [x.copy(), y, r, out, other]


@pytest.mark.parametrize("name", CASES)
def test_pairs_do_what_complex_numbers_do(name: str) -> None:
    f = function_of(CASES[name])
    (kernel,) = f.body[0].regions
    made = split(kernel)
    launched(f, made)
    first, second = inputs(), inputs()
    run_kernel(kernel, first, {"n": N})
    run_kernel(made, second, {"n": N})
    for wanted, got in zip(first, second, strict=True):
        np.testing.assert_array_equal(got, wanted)
    assert any((a != b).any() for a, b in zip(first, inputs(), strict=True))
    assert not any(v.dtype.is_complex for op in made.walk() for v in (*op.operands, *op.results))


def test_params_and_ops_keep_what_is_said_of_them() -> None:
    """Params of complex numbers have an axis more, or are two."""
    given = kernel_of(CASES["carried"])
    kernel = Function("k", given.params, given.body, (), {"note": 7})
    for op in kernel.walk():
        op.location = Location("model.py", 3)
    made = split(kernel)
    assert made.notes == {"note": 7} and made.name == "k"
    assert [p.name for p in made.params] == ["x", "y", "r", "out", "other"]
    assert [p.index for p in made.params] == list(range(5))
    assert {op.location for op in made.walk()} == {Location("model.py", 3)}
    carried = next(op for op in made.body if op.mnemonic == "for")
    params = carried.regions[0].params
    assert [p.index for p in params] == list(range(6))
    assert [p.name for p in params] == ["i", "s", "s", "w", "t", "t"]


PLAIN = """func @f(%x: f32[n], %z: c64[3]) -> f32[n] {
  %0 = launch [%x, %z] {types = (f32[n],)} kernel = (%x.1: *f32[n], %z.1: *c64[3], \
%out: *f32[n]) {
    %1 = constant {value = i64 0} : i64
    %2 = load %x.1, %1, none : f32
    %3 = constant {value = c64 (0.0,1.0)} : c64
    store %out, %1, %2
    return
  } : f32[n]
  return %0
}"""


def test_kernels_of_other_numbers_stay_themselves() -> None:
    """Those that have a complex number are split, even where it is only given or made."""
    given = PLAIN.replace("    %3 = constant {value = c64 (0.0,1.0)} : c64\n", "")
    made = PLAIN.replace(", %z: c64[3]", "").replace(", %z]", "]").replace("%z.1: *c64[3], ", "")
    neither = made.replace("c64 (0.0,1.0)} : c64", "f32 1.0} : f32")
    for text, splits in ((given, True), (made, True), (neither, False)):
        f = parse(text)
        (kernel,) = f.body[0].regions
        assert (split(kernel) is not kernel) is splits
        launched(f, split(kernel))
    assert [str(p.type) for p in split(parse(given).body[0].regions[0]).params] == [
        *("*f32[n]", "*f32[3,2]", "*f32[n]")
    ]


def test_what_is_written_for_floats_alone_is_refused() -> None:
    other = ["%q = less %half, %half : bool", "%d = choose_buffer %q, %x, %r : *c64[n]"]
    with pytest.raises(NotImplementedError, match="choose_buffer of complex numbers"):
        split(kernel_of(other))
    call = [
        "%d = call_scalar [%c] callee = (%z: c64) {", "%e = mul %z, %z : c64", "return %e",
        "} : c64",
    ]  # fmt: skip
    with pytest.raises(NotImplementedError, match="call_scalar of complex numbers"):
        split(kernel_of(call))


def test_what_is_loaded_once_more_stays_apart() -> None:
    """Loads that keep their place become such pairs; others do not."""
    kinds = {
        name: {type(op) for op in split(kernel_of(CASES[name])).walk() if isinstance(op, LoadPair)}
        for name in ("load, store", "memory of its own")
    }
    assert kinds == {"load, store": {LoadPair}, "memory of its own": {LoadPair, ReloadPair}}


def test_lines_of_pairs_are_prefetched() -> None:
    """At twice the offset, those of other numbers at the same."""
    made = split(kernel_of(CASES["prefetch"]))
    arrays = inputs()
    machine: Any = run_kernel(made, arrays, {"n": N})
    x, y, *_ = made.params
    assert machine(x).asked == [2 * (i + 2) for i in range(N)]
    assert machine(y).asked == [i + 2 for i in range(N)]
    assert [op.purpose for op in made.walk() if isinstance(op, Prefetch)] == ["load", "later"]
    assert memory(arrays[0], pairs=True).elements.size == 2 * N
