"""What stands in a function of launches beside its kernels, and what its notes say."""

from __future__ import annotations

from tests.golden import TARGETS
from tfc.ir.core import Function, Location, Requirement
from tfc.ir.extent import symbol
from tfc.ir.failures import Site
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.gpu.machine import GPU
from tfc.ir.kernels.lower import lower, machine_of
from tfc.ir.kernels.target import Target
from tfc.ir.text import parse
from tfc.ir.verify import verify

TARGET = Target(**TARGETS["lower_vector16"])
N, M, D = symbol("n"), symbol("m"), symbol("d")


def located(text: str) -> Function:
    """A function whose ops are in lines of a file, from 0 on."""
    f = parse(text)
    for i, op in enumerate(f.body):
        op.location = Location("model.py", i)
    return f


def test_machines() -> None:
    assert machine_of(TARGET) is CPU
    assert machine_of(Target(**TARGETS["lower_grid"])) is GPU


def test_symbols_are_bound_where_their_values_are_known() -> None:
    """Behind the kernel that computes them, before those that need them, at both ends."""
    f = located(
        """func @f(%x: f32[n], %k: i64) -> (f32[k], f32[d]) {
          bind_extent %k {symbol = k}
          %a = constant {value = f32 1.0} : f32
          %b = broadcast %a {shape = (k,), dims = ()} : f32[k]
          %c = cast %x {dtype = i64} : i64[n]
          %e = reduce_max %c {axes = (0,)} : i64
          bind_extent %e {symbol = d}
          %g = broadcast %a {shape = (d,), dims = ()} : f32[d]
          %h = reduce_min %c {axes = (0,)} : i64
          bind_extent %h {symbol = e}
          return %b, %g
        }"""
    )
    made = verify(lower(f, TARGET))
    assert [
        op.results[0].name if op.results else str(op.attributes["symbol"]) for op in made.body
    ] == [*("k", "b", "e", "d", "g", "h", "e")]
    sites = made.notes["sites"]
    assert {name: sites[site - 1] for name, site in made.notes["bound"].items()} == {
        "k": Site("size", "", Location("model.py", 0)),
        "d": Site("size", "", Location("model.py", 5)),
        "e": Site("size", "", Location("model.py", 8)),
    }


def test_what_must_hold_of_extents_is_told_once() -> None:
    """And not what holds anyway."""
    f = located(
        """func @f(%x: f32[n], %y: f32[m]) -> (f32[n-3], f32[n-3], f32[m]) {
          %a = slice %x {begin = (3,), size = (n - 3,), strides = (1,)} : f32[n-3]
          %b = slice %x {begin = (3,), size = (n - 3,), strides = (1,)} : f32[n-3]
          %c = slice %y {begin = (0,), size = (m,), strides = (1,)} : f32[m]
          same_extent {x = n, y = m}
          return %a, %b, %c
        }"""
    )
    made = lower(f, TARGET)
    required, sites = made.notes["requires"], made.notes["sites"]
    assert len({r for r, _ in required}) == len(required) == len({site for _, site in required})
    told = {(r.extent, r.check): sites[site - 1] for r, site in required}
    assert told[N - 3, "size"] == Site("size", "slice", Location("model.py", 0))
    same = Site("equal", "same_extent", Location("model.py", 3))
    assert (told[N - M, "equal"], told[M - N, "equal"]) == (same, same)
    assert len(told) == 3
    assert Requirement(N - M, "equal", (N, M)) in dict(required)


def test_calls_of_the_host_have_sites() -> None:
    f = located(
        """func @f(%x: c64[4,8]) -> (c64[4,8], c64[4,8]) {
          %a = neg %x : c64[4,8]
          %b = fft %a {axes = (1,), inverse = False, scaled = False} : c64[4,8]
          %c = neg %b : c64[4,8]
          return %b, %c
        }"""
    )
    made = verify(lower(f, TARGET))
    call = made.body[1]
    assert [op.mnemonic for op in made.body] == ["launch", "host_launch", "launch"]
    assert made.notes["sites"][call.attributes["site"] - 1] == Site(
        "host", "fft", Location("model.py", 1)
    )
    assert made.returns[0] is call.results[0] and made.returns[0].name == "b"
