"""What tapes, loops and traces ask of reverse mode beside the pullback of a function: cotangents of
results between, of values in regions, sums of rows, and functions split for their residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tfc.ir.autodiff import reverse
from tfc.ir.core import Builder, Function, Value
from tfc.ir.interpreter import interpret
from tfc.ir.ops.control import Inside
from tfc.ir.text import parse


def behind(f: Function) -> Builder:
    """A builder that goes on behind the ops of `f`."""
    b = Builder(f.name)
    b.params, b.body = list(f.params), list(f.body)
    return b


def named(f: Function) -> dict[str, Value]:
    """The values of `f` and its regions, by the names that its text gives them."""
    found = {v.name: v for v in f.params}
    for op in f.body:
        found |= {v.name: v for v in op.results}
        for region in op.regions:
            found |= named(region)
    return found


def run(b: Builder, arrays: list[Any], *returns: Value) -> list[Any]:
    return [np.asarray(y) for y in interpret(b.build(*returns), arrays)]


def test_results_between_are_wanted_too() -> None:
    f = parse("""\
func @chain(%x: f64) -> f64 {
  %e = exp %x : f64
  %s = sin %e : f64
  %p = mul %s, %e : f64
  return %p
}
""")
    b, v = behind(f), named(f)
    found = reverse.cotangents(b, f.body, {v["p"]: reverse.filled(b, v["p"], 1)}, [v["e"], v["x"]])
    e = np.exp(0.3)
    wanted = np.sin(e) + e * np.cos(e)
    got = run(b, [np.float64(0.3)], *found.values())
    np.testing.assert_allclose(got, [wanted, wanted * e], rtol=1e-14)


ROWS = """\
func @rows(%i: i32[2], %u: f32[2], %j: i64[1], %v: f32[1], %k: f32[4]) -> f32[4] {
  %a = scatter_add %i, %u {rows = 4} : f32[4]
  %b = scatter_add %j, %v {rows = 4} : f32[4]
  %same = scatter_add %i, %u {rows = 4} : f32[4]
  %two = add %a, %same : f32[4]
  %three = add %two, %b : f32[4]
  %below = scatter %a, %i, %u {combine = 'add'} : f32[4]
  %deeper = scatter %below, %j, %v {combine = 'add'} : f32[4]
  %longest = add %b, %deeper : f32[4]
  %replaced = scatter %a, %i, %u {combine = 'update'} : f32[4]
  %mixed = add %a, %k : f32[4]
  return %a
}
"""
ARRAYS = [
    np.array([1, 3], np.int32), np.array([1e8, 1], np.float32), np.array([1]),
    np.array([3], np.float32), np.array([1, 2, 3, 4], np.float32),
]  # fmt: skip


@pytest.mark.parametrize("name, count", [("two", 4), ("three", 5), ("deeper", 5), ("longest", 6)])
def test_rows_of_gathers_are_listed_in_order(name: str, count: int) -> None:
    f = parse(ROWS)
    b, v = behind(f), named(f)
    indices, rows = reverse.as_rows(b, v[name]) or (None, None)
    assert indices is not None and rows is not None
    got, places, updates = run(b, ARRAYS, v[name], indices, rows)
    wanted = np.zeros(4, np.float32)
    np.add.at(wanted, places, updates)
    np.testing.assert_array_equal(got, wanted)
    assert len(updates) == count and updates[0] == (3 if name == "longest" else 1e8)
    assert places.dtype == (np.int32 if name == "two" else np.int64)


def test_rows_of_one_gather_are_its_own() -> None:
    f = parse(ROWS)
    b, v = behind(f), named(f)
    assert reverse.as_rows(b, v["a"]) == (v["i"], v["u"])
    assert [reverse.as_rows(b, v[n]) for n in ("replaced", "mixed", "k")] == [None] * 3


@pytest.mark.parametrize(
    "name, ops",
    [("a", "scatter"), ("below", "scatter scatter"), ("deeper", "scatter scatter scatter"),
     ("replaced", "add"), ("mixed", "add"), ("longest", "add")],
)  # fmt: skip
def test_rows_are_added_in_place(name: str, ops: str) -> None:
    f = parse(ROWS)
    b, v = behind(f), named(f)
    total = reverse.accumulated(b, v["k"], v[name])
    assert " ".join(op.mnemonic for op in b.body[len(f.body) :]) == ops
    assert total.op is not None and total.op is b.body[-1]
    assert b.body[len(f.body)].operands[0] is v["k"]
    got, added = run(b, ARRAYS, total, v[name])
    np.testing.assert_array_equal(got, ARRAYS[4] + added)


BRANCH = """\
func @branch(%p: bool, %x: f64, %y: f64) -> f64 {
  %c = cond %p, [%x, %y] then = (%a: f64, %d: f64) {
    %e = exp %a : f64
    %s = sin %e : f64
    %l = link %s, %d : f64
    return %l
  } orelse = (%a2: f64, %d2: f64) {
    return %a2
  } : f64
  return %c
}
"""


@pytest.mark.parametrize("taken", [True, False])
def test_seeds_flow_back_from_inside_and_leaves_stop_it(taken: bool) -> None:
    f = parse(BRANCH)
    v = named(f)
    x, y, dc, ds, dr = 0.3, 0.7, 2.0, 5.0, 11.0
    e = np.exp(x)
    # Seeds of a value in a branch, and of the result once more.
    both = Inside({v["s"]: v["s"], v["c"]: v["c"]})
    pulled = reverse.pullback(f, inside=both)
    got = interpret(pulled, [np.bool_(taken), *map(np.float64, (x, y, dc, ds, dr))])
    slope = (dc + dr + ds) * np.cos(e) * e if taken else dc + dr
    np.testing.assert_allclose(got, [slope, 0.0], rtol=1e-14)
    assert pulled.notes["connected"] == (False, True, True)
    # A leaf in a branch: what would flow on to x is told of the leaf.
    inside = Inside(leaves=[v["e"], v["d"]])
    pulled = reverse.pullback(f, inside=inside)
    assert set(inside.found) == {v["e"]} and inside.linked == {v["d"]}
    got = interpret(pulled, [np.bool_(taken), *map(np.float64, (x, y, dc))])
    np.testing.assert_allclose(got[-1], dc * np.cos(e) if taken else 0.0, rtol=1e-14)
    assert got[0] == (0.0 if taken else dc)


def test_leaves_between() -> None:
    f = parse("""\
func @leaves(%x: f64, %y: f64, %z: f64) -> f64 {
  %a = exp %x : f64
  %b = exp %y : f64
  %c = exp %z : f64
  %s = sin %a : f64
  %l = link %s, %b : f64
  return %l
}
""")
    v = named(f)
    inside = Inside(leaves=[v["a"], v["b"], v["c"]])
    pulled = reverse.pullback(f, inside=inside)
    assert pulled.notes["connected"] == (False, False, False)
    assert set(inside.found) == {v["a"]} and inside.linked == {v["b"]}
    assert float(interpret(pulled, [np.float64(0.5)] * 3 + [np.float64(2)])[0]) == pytest.approx(
        2 * np.cos(np.exp(0.5)), rel=1e-14
    )


def test_copies_are_numbered() -> None:
    f = parse("""\
func @twice(%x: f64) -> f64 {
  %a = exp %x : f64
  %b = exp %x : f64
  %c = mul %a, %b : f64
  return %c
}
""")
    plain, again = reverse.pullback(f), reverse.pullback(f, again=True)
    assert str(plain) == str(again) and not any(op.again for op in plain.body)
    assert [op.again for op in again.body if op.mnemonic == "exp"] == [1, 2]
    results = (f.returns[0],)
    backward, residuals, connected = reverse.reverse(
        f.name, f.body, results, f.params, lambda v: v.op is None
    )
    assert residuals == list(f.params) and connected == (True,)
    assert sorted(op.again for op in backward.body if op.mnemonic == "exp") == [1, 2]
    assert not any(op.again for op in backward.body if op.mnemonic != "exp")


LATE = """\
func @late(%x: f64, %m: i64, %k: i64) -> (f64, f64[n]) {
  bind_extent %k {symbol = n}
  %t = add %m, %k : i64
  bind_extent %t {symbol = d}
  %b = broadcast %x {shape = (d,), dims = ()} : f64[d]
  %e = exp %b : f64[d]
  %w = concat [%e, %e] {axis = 0} : f64[2*d]
  %s = sin %w : f64[2*d]
  %r = reduce_sum %s {axes = (0,)} : f64
  %c = broadcast %x {shape = (n,), dims = ()} : f64[n]
  return %r, %c
}
"""


@pytest.mark.parametrize("body", [False, True])
def test_extents_that_data_tell(body: bool) -> None:
    """Residuals may have them, but not those of a loop's body, which are stacked."""
    f = parse(LATE)
    forward, backward, connected = reverse.linearize(f, [0], *([True] if body else []))
    assert connected == (True,)
    kept = forward.returns[2:]
    late = [v for v in kept if v.shape]
    assert bool(late) is not body and not any(v.op.mnemonic == "broadcast" for v in late if v.op)
    arrays = [np.float64(0.3), np.int64(2), np.int64(3)]
    values = interpret(forward, arrays)
    got = interpret(backward, [*values[2:], np.float64(2.0), np.ones(3)])
    e = np.exp(0.3)
    np.testing.assert_allclose(got, [2 * 10 * np.cos(e) * e + 3], rtol=1e-14)


# Loops of which all kinds of operands have cotangents from elsewhere, too, so that sums begin with
# them: two of what is carried, of the rows and of what is captured. What is carried on is needed
# again (the exponential), and of the rows one is a residual.
LOOPS = {
    "scan": """
func @scan(%a: f64[2], %b: f64[2], %x: f64[n,2], %y: f64[n,2], %u: f64[2], %v: f64[2]) -> \
(f64[2], f64[2], f64[n,2], f64[2], f64[2], f64[n,2], f64[n,2], f64[2], f64[2]) {
  %c, %d, %z = scan [%a, %b], [%x, %y], [%u, %v] {count = n, reverse = REVERSE, residuals = 0} \
body = (%i: i64, %a1: f64[2], %b1: f64[2], %x1: f64[2], %y1: f64[2], %u1: f64[2], %v1: f64[2]) {
    %0 = mul %a1, %x1 : f64[2]
    %1 = mul %b1, %v1 : f64[2]
    %2 = sin %1 : f64[2]
    %3 = exp %2 : f64[2]
    %4 = add %0, %u1 : f64[2]
    %5 = mul %3, %y1 : f64[2]
    %6 = add %5, %4 : f64[2]
    return %4, %3, %6
  } : f64[2], f64[2], f64[n,2]
  RESULTS
}""",
    "call": """
func @call(%a: f64[2], %b: f64[2], %c: f64[2]) -> (f64[2], f64[2], f64[2]) {
  %y = call [%a, %b, %c] callee = (%a1: f64[2], %b1: f64[2], %c1: f64[2]) {
    %0 = mul %a1, %c1 : f64[2]
    return %0
  } : f64[2]
  return %y, %c, %a
}""",
    "scalars": """
func @scalars(%a: f64, %b: f64, %x: f64[n]) -> (f64, f64, f64, f64) {
  %c, %d = scan [%a, %b], [%x], [] {count = n, reverse = REVERSE, residuals = 0} \
body = (%i: i64, %a1: f64, %b1: f64, %x1: f64) {
    %0 = sin %b1 : f64
    %1 = mul %0, %x1 : f64
    %2 = add %1, %a1 : f64
    return %2, %1
  } : f64, f64
  return %c, %d, %a, %b
}""",
    "an extent of the rounds": """
func @extents(%a: f64, %x: f64[n]) -> (f64, f64) {
  %c = scan [%a], [%x], [] {count = n, reverse = REVERSE, residuals = 0} \
body = (%i: i64, %a1: f64, %x1: f64) {
    %o = constant {value = i64 1} : i64
    %k = add %i, %o : i64
    bind_extent %k {symbol = d}
    %0 = broadcast %a1 {shape = (d,), dims = ()} : f64[d]
    %1 = sin %0 : f64[d]
    %2 = mul %1, %1 : f64[d]
    %3 = reduce_sum %2 {axes = (0,)} : f64
    %4 = mul %3, %x1 : f64
    return %4
  } : f64
  return %c, %a
}""",
}
RESULTS = "return %c, %d, %z, %a, %b, %x, %y, %u, %v"


@pytest.mark.parametrize("given", ["return %c, %d, %z, %a, %b, %x, %y, %u, %v", "between"])
@pytest.mark.parametrize("reverse_", ["False", "True"])
@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_loops_by_differences(name: str, reverse_: str, count: int, given: str) -> None:
    """Along random directions, with cotangents of all results; and with what operands are given
    from elsewhere coming first."""
    text = LOOPS[name].replace("REVERSE", reverse_).replace("RESULTS", RESULTS)
    if given == "between":  # each other result is a function of an operand
        text = text.replace(RESULTS, "\n".join([
            *(f"%{v}2 = sin %{v} : f64[{'n,2' if v in 'xy' else '2'}]" for v in "abxyuv"),
            "return %c, %d, %z, %a2, %b2, %x2, %y2, %u2, %v2",
        ]))  # fmt: skip
    f = parse(text)
    rng = np.random.default_rng(count)

    def drawn(v: Value) -> np.ndarray:
        return rng.uniform(-1, 1, [count if str(e) == "n" else int(str(e)) for e in v.shape])

    arrays, seeds = [drawn(p) for p in f.params], [drawn(v) for v in f.returns]
    way = [drawn(p) for p in f.params]
    back = reverse.pullback(f)
    found = interpret(back, [*arrays, *seeds])
    reached = [way[i] for i, used in enumerate(back.notes["connected"]) if used]
    exact = sum(np.sum(x * d) for x, d in zip(found, reached, strict=True))

    def total(step: float) -> float:
        moved = [a + step * d for a, d in zip(arrays, way, strict=True)]
        return float(sum(np.sum(y * s) for y, s in zip(interpret(f, moved), seeds, strict=True)))

    numeric = (total(1e-6) - total(-1e-6)) / 2e-6
    assert exact == pytest.approx(numeric, rel=1e-7, abs=1e-8)


def test_loops_that_run_for_their_residuals_are_copies() -> None:
    """A second run of a loop is marked, so that it may be left out where the first one keeps
    enough."""
    f = parse(LOOPS["scan"].replace("REVERSE", "False").replace("RESULTS", RESULTS))
    back = reverse.pullback(f)
    scans = [op for op in back.body if op.mnemonic == "scan"]
    assert [op.again for op in scans] == [1, 0]
    assert [op.attributes["residuals"] for op in scans] == [3, 0]
    assert [op.attributes["reverse"] for op in scans] == [False, True]
