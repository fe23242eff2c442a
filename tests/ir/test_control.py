"""Structured control flow: native against the interpreter, gradients against finite differences."""

# ruff: noqa: E501  (IR text)

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import native
from tfc.ir import ops, passes
from tfc.ir.autodiff import reverse as autodiff
from tfc.ir.interpreter import interpret
from tfc.ir.text import parse
from tfc.ir.verify import VerifyError, verify

COND = """
func @choose(%p: bool, %x: f64[n], %y: f64[n]) -> (f64[n], f64[n]) {
  %a, %b = cond %p, [%x, %y] then = (%u: f64[n], %v: f64[n]) {
    %0 = add %u, %v : f64[n]
    return %0, %u
  } orelse = (%q: f64[n], %w: f64[n]) {
    %1 = mul %q, %w : f64[n]
    return %1, %1
  } : f64[n], f64[n]
  return %a, %b
}"""

COLLATZ = """
func @collatz(%n: i64) -> (i64, i64) {
  %zero = constant {value = i64 0} : i64
  %a, %b = while [%n, %zero], [] condition = (%m: i64, %k: i64) {
    %one = constant {value = i64 1} : i64
    %c = greater %m, %one : bool
    return %c
  } body = (%p: i64, %q: i64) {
    %i = constant {value = i64 1} : i64
    %ii = constant {value = i64 2} : i64
    %iii = constant {value = i64 3} : i64
    %r = floor_mod %p, %ii : i64
    %odd = equal %r, %i : bool
    %t = mul %p, %iii : i64
    %up = add %t, %i : i64
    %half = floor_div %p, %ii : i64
    %s = select %odd, %up, %half : i64
    %more = add %q, %i : i64
    return %s, %more
  } : i64, i64
  return %a, %b
}"""

# s = tanh(s * x[i] * a) + s: carried, sliced and captured values, all differentiable.
SCAN = """
func @recurrence(%x: f64[n,3], %s: f64[3], %a: f64[3]) -> (f64[3], f64[n,3]) {
  %c, %ys = scan [%s], [%x], [%a] {count = n, reverse = REVERSE, residuals = 0} body = (%i: i64, %t: f64[3], %xi: f64[3], %w: f64[3]) {
    %0 = mul %t, %xi : f64[3]
    %1 = mul %0, %w : f64[3]
    %2 = tanh %1 : f64[3]
    %3 = add %2, %t : f64[3]
    return %3, %2
  } : f64[3], f64[n,3]
  return %c, %ys
}"""

NEWTON = """
func @newton(%a: f64[n]) -> f64[n] {
  %r = while [%a], [%a] condition = (%m: f64[n], %q: f64[n]) {
    %mm = mul %m, %m : f64[n]
    %d = sub %mm, %q : f64[n]
    %e = abs %d : f64[n]
    %largest = reduce_max %e {axes = (0,)} : f64
    %t = constant {value = f64 1e-13} : f64
    %c = greater %largest, %t : bool
    return %c
  } body = (%m2: f64[n], %q2: f64[n]) {
    %h = constant {value = f64 0.5} : f64
    %hs = broadcast %h {shape = (n,), dims = ()} : f64[n]
    %d2 = div %q2, %m2 : f64[n]
    %s = add %m2, %d2 : f64[n]
    %next = mul %hs, %s : f64[n]
    return %next
  } : f64[n]
  return %r
}"""

# A loop as often as each element says, inside a scan over them.
NESTED = """
func @nested(%x: f64[n], %limit: f64) -> f64[n] {
  %zero = constant {value = f64 0.0} : f64
  %c, %ys = scan [%zero], [%x], [%limit] {count = n, reverse = False, residuals = 0} body = (%i: i64, %acc: f64, %xi: f64, %top: f64) {
    %r = while [%xi], [%top] condition = (%m: f64, %q: f64) {
      %b = less %m, %q : bool
      return %b
    } body = (%m2: f64, %q2: f64) {
      %two = mul %m2, %m2 : f64
      %more = add %two, %m2 : f64
      return %more
    } : f64
    %sum = add %acc, %r : f64
    return %sum, %sum
  } : f64, f64[n]
  return %ys
}"""


# y becomes one longer a round until it is as long as it takes; rows of both kinds are kept.
GROWING = """
func @grow(%x: f64[n], %limit: i64) -> (f64[e], f64, i64, f64[r], f64[t]) {
  %one = constant {value = f64 1.0} : f64
  %y, %s, %size, %rounds, %total, %sums, %parts = growing_while [%x, %one], [%limit] {inside = (d,), bound = (e, r, t)} condition = (%u: f64[d], %a: f64, %m: i64) {
    %k = extent_of {value = d} : i64
    %c = less %k, %m : bool
    return %c
  } body = (%v: f64[d], %b: f64, %l: i64) {
    %w = sin %v : f64[d]
    %0 = reduce_sum %w {axes = (0,)} : f64
    %1 = mul %0, %b : f64
    %2 = reshape %1 {shape = (1,)} : f64[1]
    %3 = concat [%w, %2] {axis = 0} : f64[d+1]
    return %3, %1, %0, %w
  } : f64[e], f64, i64, i64, i64, f64[r], f64[t]
  return %y, %s, %rounds, %sums, %parts
}"""


@functools.cache
def ways(text: str) -> dict[str, native.Native]:
    """A function compiled with all passes, and where any of them did not come first."""
    f = parse(text)
    verify(f)
    assert str(parse(str(f))) == str(f)
    made = {"all": native.Native(f)}
    for left_out in passes.OPTIMISE[1:]:
        some = tuple(p for p in passes.OPTIMISE if p is not left_out)
        made[left_out.__name__] = native.Native(passes.run(f, some))
    return made


def check(text: str, *arrays: Any) -> None:
    """Compiled, with any pass left out, and printed and parsed: as the interpreter says."""
    wanted = interpret(parse(text), arrays)
    results = {name: compiled(*arrays) for name, compiled in ways(text).items()}
    first = results["all"]
    for got, want in zip(first, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)
    for name, found in results.items():
        native.assert_same_bits(found, first, name)


@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("size", [0, 1, 5, 100])
def test_cond(holds: bool, size: int) -> None:
    check(COND, np.bool_(holds), np.arange(size) + 0.5, np.full(size, 3.0))


@pytest.mark.parametrize("start", [1, 2, 27, 97])
def test_while(start: int) -> None:
    check(COLLATZ, np.int64(start))


@pytest.mark.parametrize("reverse", ["True", "False"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 8])
def test_scan(reverse: str, count: int) -> None:
    rng = np.random.default_rng(0)
    text = SCAN.replace("REVERSE", reverse)
    check(text, rng.normal(size=(count, 3)), rng.normal(size=3), rng.normal(size=3))


def test_nested() -> None:
    check(NESTED, np.array([0.5, 3.0, 0.01, 90.0]), np.float64(40))
    check(NESTED, np.zeros(0), np.float64(40))


@pytest.mark.parametrize("limit", [0, 3, 4, 6])
def test_growing(limit: int) -> None:
    check(GROWING, np.array([0.5, 1.5, 0.1]), np.int64(limit))


@pytest.mark.parametrize("used", ["%y, %s", "%s", "%rounds", "%sums", "%parts", "%size, %total"])
def test_growing_for_some_results(used: str) -> None:
    """What nobody needs is not kept; sizes that somebody needs are."""
    types = {"%y": "f64[e]", "%s": "f64", "%sums": "f64[r]", "%parts": "f64[t]"}
    shown = ", ".join(types.get(name, "i64") for name in used.split(", "))
    text = GROWING.replace("return %y, %s, %rounds, %sums, %parts", f"return {used}")
    text = text.replace("(f64[e], f64, i64, f64[r], f64[t])", f"({shown})")
    check(text, np.array([0.5, 1.5, 0.1]), np.int64(6))
    (loop,) = [op for op in passes.run(parse(text)).body if isinstance(op, ops.GrowingWhile)]
    assert len(loop.rows) == sum(name in used for name in ("%sums", "%parts", "%total"))


def test_a_size_without_its_values() -> None:
    """The loop stays where only its number of rounds is needed, as an extent."""
    text = """
    func @f(%x: f64[3]) -> f64[r] {
      %y, %n = growing_while [%x], [] {inside = (), bound = (r,)} condition = (%u: f64[3]) {
        %a = reduce_sum %u {axes = (0,)} : f64
        %b = constant {value = f64 100.0} : f64
        %c = less %a, %b : bool
        return %c
      } body = (%v: f64[3]) {
        %0 = add %v, %v : f64[3]
        return %0
      } : f64[3], i64
      %z = constant {value = f64 2.5} : f64
      %w = broadcast %z {shape = (r,), dims = ()} : f64[r]
      return %w
    }"""
    check(text, np.array([0.5, 1.5, 3.0]))


def test_counted_loops_give_the_same_bits() -> None:
    first = autodiff.pullback(parse(NEWTON))
    arrays = [np.array([2.0, 3.0, 10.0]), np.ones(3)]
    grown = passes.run(first)
    counted = passes.run(passes.counted(first))
    assert any(isinstance(op, ops.GrowingWhile) for op in grown.walk())
    assert not any(isinstance(op, ops.GrowingWhile) for op in counted.walk())
    native.assert_same_bits(native.run(grown, *arrays), native.run(counted, *arrays), "counted")


GROWING_FLOATS = GROWING.replace("%s, %rounds,", "%s,").replace("f64, i64, f64[r]", "f64, f64[r]")
GRADIENTS = [
    (COND, [np.bool_(True), np.array([0.5, 2.0]), np.array([3.0, -1.0])]),
    (COND, [np.bool_(False), np.array([0.5, 2.0]), np.array([3.0, -1.0])]),
    (SCAN.replace("REVERSE", "False"), [np.full((4, 3), 0.3), np.arange(3) + 0.5, np.ones(3)]),
    (SCAN.replace("REVERSE", "True"), [np.full((4, 3), 0.3), np.arange(3) + 0.5, np.ones(3)]),
    (SCAN.replace("REVERSE", "False"), [np.zeros((0, 3)), np.arange(3) + 0.5, np.ones(3)]),
    (NEWTON, [np.array([2.0, 3.0, 10.0])]),
    (NESTED, [np.array([0.5, 3.0, 0.1, 9.0]), np.float64(40)]),
    (GROWING_FLOATS, [np.array([0.5, 0.3, 0.1]), np.int64(6)]),
    (GROWING_FLOATS, [np.array([0.5, 0.3, 0.1]), np.int64(2)]),
]


@pytest.mark.parametrize(("text", "arrays"), GRADIENTS, ids=range(len(GRADIENTS)))
def test_gradients(text: str, arrays: list[Any]) -> None:
    """First and second order: the pullback's own results are differentiated once more."""
    f = parse(text)
    first = autodiff.pullback(f)
    seeds = [np.full(np.shape(r), 0.7) for r in interpret(f, arrays)]
    second = autodiff.pullback(first)
    for g, given in ((f, arrays), (first, [*arrays, *seeds])):
        back = first if g is f else second
        rng = np.random.default_rng(1)
        ways = [
            rng.normal(size=np.shape(a)) if np.asarray(a).dtype == np.float64 else None
            for a in given
        ]
        outcome = interpret(g, given)
        weights = [rng.normal(size=np.shape(r)) for r in outcome]

        def value(
            step: float, g: Any = g, given: Any = given, ways: Any = ways, w: Any = weights
        ) -> float:
            moved = [a if d is None else a + step * d for a, d in zip(given, ways, strict=True)]
            return sum(float(np.sum(x * y)) for x, y in zip(interpret(g, moved), w, strict=True))

        slope = (value(1e-6) - value(-1e-6)) / 2e-6
        found = native.run(back, *given, *weights)
        for got, want in zip(found, interpret(back, [*given, *weights]), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-13)
        used = [d for d, c in zip(ways, back.notes["connected"], strict=True) if c]
        total = sum(float(np.sum(x * d)) for x, d in zip(found, used, strict=True))
        np.testing.assert_allclose(total, slope, rtol=2e-6, atol=1e-7)


def test_a_failure_inside_a_loop() -> None:
    f = parse("""
    func @f(%x: f32[n], %k: i64) -> f32 {
      %zero = constant {value = f32 0.0} : f32
      %c = scan [%zero], [], [%x] {count = 5*n, reverse = False, residuals = 0} body = (%i: i64, %s: f32, %v: f32[n]) {
        %e = gather %v, %i {axis = 0} : f32    # model.py:7
        %t = add %s, %e : f32
        return %t
      } : f32
      return %c
    }""")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"index 3 is not in \[0, 3\).*model.py:7"
    ):
        f(np.ones(3, np.float32), np.int64(0))


def test_a_known_predicate_leaves_one_branch() -> None:
    text = COND.replace("%p: bool, ", "").replace(
        "  %a, %b", "  %p = constant {value = bool True} : bool\n  %a, %b"
    )
    assert [op.mnemonic for op in passes.run(parse(text)).body] == ["add"]


BAD = {
    "each extent that changes must be one of one carried value": GROWING.replace(
        "inside = (d,)", "inside = (d, f)"
    ),
    "2 symbols are bound": GROWING.replace("bound = (e, r, t)", "bound = (e, r)"),
    "the condition takes": GROWING.replace("(%u: f64[d], %a: f64,", "(%u: f64[d], %a: f32,"),
    "the predicate must be a bool scalar": COND.replace("%p: bool", "%p: i64"),
    "the branch `orelse` gives": COND.replace("return %1, %1", "return %1"),
    "the condition gives": COLLATZ.replace("return %c\n", "return %m\n"),
    "the body gives": COLLATZ.replace("return %s, %more", "return %s, %odd"),
    "the first axis of": SCAN.replace("REVERSE", "False").replace("count = n", "count = n + 1"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_regions(message: str) -> None:
    with pytest.raises((ValueError, VerifyError), match=message):
        verify(parse(BAD[message]))
