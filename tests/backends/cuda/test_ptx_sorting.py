"""Sorts, scatters and segments by many threads: the bits are the CPU's, in any order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tfc.backends.cuda.module import compile_module
from tfc.ir.core import Function
from tfc.ir.dtypes import as_dtype
from tfc.ir.kernels.gpu.launch_phases import phases
from tfc.ir.kernels.gpu.simt.thread_groups import TEAM_ELEMENTS
from tfc.ir.kernels.ops import Grid
from tfc.ir.text import parse

SORT = """func @sort(%x: T[a,n]) -> i64[a,n] {
  %0 = arg_sort %x {descending = False} : i64[a,n]
  return %0
}"""
VALUES = """func @sort(%x: T[a,n]) -> T[a,n] {
  %0 = sort %x {descending = True} : T[a,n]
  return %0
}"""
TOP = """func @top(%x: T[a,n]) -> i64[a,7] {
  %0 = top_places %x {count = 7} : i64[a,7]
  return %0
}"""
ADD = """func @add(%x: T[n,d], %i: i64[n]) -> T[9,d] {
  %0 = scatter_add %i, %x {rows = 9} : T[9,d]
  return %0
}"""
SCATTER = """func @scatter(%y: T[r,d], %i: i32[n], %x: T[n,d]) -> T[r,d] {
  %0 = scatter %y, %i, %x {combine = 'WAY'} : T[r,d]
  return %0
}"""
SEGMENT = """func @segment(%i: i32[n], %x: T[n,d]) -> T[5,d] {
  %0 = segment_max %i, %x {rows = 5, check = 'drop'} : T[5,d]
  %1 = segment_sum %i, %x {rows = 5, check = 'drop'} : T[5,d]
  %2 = add %0, %1 : T[5,d]
  return %2
}"""
rng = np.random.default_rng(0)


def few(short: str, *shape: int) -> Any:
    """Numbers of which many are equal; nans among the floats."""
    dtype = as_dtype(short)
    values = np.round(rng.standard_normal(shape) * 20)
    if dtype.is_floating:
        values[values == 7] = np.nan
        values[values == 0] *= -1
    return values.astype(dtype.numpy)


class Both:
    """A function for all sizes, or for one, on both machines."""

    def __init__(self, text: str, order: str = "random") -> None:
        self.f = parse(text)
        self.order = order
        self.host = native.Native(self.f)
        self.device = emulated.Emulated(self.f, order)

    def check(self, *arrays: Any, known: bool = False) -> emulated.Emulated:
        wanted = self.host(*arrays)
        native.assert_same_bits(self.device(*arrays), wanted)
        if not known:
            return self.device
        device = emulated.Emulated(native.static(self.f, *arrays), self.order)
        native.assert_same_bits(device(*arrays), wanted, "known sizes")
        return device


def launches(device: emulated.Emulated) -> int:
    return sum(map(len, device.module.kernels.values()))


def team_phases(f: Function) -> list[Grid]:
    grids = [p.body[-1] for op in f.body for p in phases(op.kernel)]  # type: ignore[attr-defined]
    assert all(isinstance(g, Grid) for g in grids), "one thread does it all"
    return [g for g in grids if isinstance(g, Grid) and g.team > 1]


@pytest.mark.parametrize(("short", "order"), [("f32", "random"), ("i64", "reversed")])
def test_sorts(short: str, order: str) -> None:
    """By rank, in one tile, in some, in many; equals keep their order."""
    both = Both(SORT.replace("T[", f"{short}["), order)
    for a, n in (
        (1, 1),
        (2, TEAM_ELEMENTS - 1),
        (3, 90),
        (1, TEAM_ELEMENTS + 1),
        (1, 4 * TEAM_ELEMENTS + 5),
        (2, 0),
        (0, 5),
    ):
        both.check(few(short, a, n))
    known = (
        {(3, 50): 3, (2, 300): 3}
        if short == "i64"
        else {(2, 3 * TEAM_ELEMENTS): 5, (1, 7 * TEAM_ELEMENTS): 7}
    )
    for (a, n), count in known.items():
        assert launches(both.check(few(short, a, n), known=True)) == count


@pytest.mark.parametrize("short", ["f16", "f64"])
def test_values(short: str) -> None:
    both = Both(VALUES.replace("T[", f"{short}["))
    for a, n in ((3, 40), (1, TEAM_ELEMENTS + 9), (0, 5)):
        both.check(few(short, a, n), known=n == 40)


def test_best() -> None:
    """A tile's best are sorted on, also where the last tile has not so many."""
    both = Both(TOP.replace("T[", "bf16["), "forward")
    for a, n in ((2, 9), (1, 700), (2, 2 * TEAM_ELEMENTS + 3)):
        both.check(few("bf16", a, n), known=n != 700)
    x = np.full((1, TEAM_ELEMENTS + 2), np.inf)
    both.check(-x.astype(as_dtype("bf16").numpy), known=True)
    x[0, TEAM_ELEMENTS:] = np.nan
    both.check(x.astype(as_dtype("bf16").numpy))


@pytest.mark.parametrize("short", ["f32", "c64"])
def test_scatter_add(short: str) -> None:
    """Updates are added in their order, whoever adds them."""
    both = Both(ADD.replace("T[", f"{short}["))
    for n, d in ((1, 1), (100, 3), (2 * TEAM_ELEMENTS + 10, 2), (0, 4)):
        x = (rng.standard_normal((n, d)) * 10.0 ** rng.integers(-9, 9, (n, d))).astype("f4")
        x = x.astype(as_dtype(short).numpy)
        both.check(x, rng.integers(0, 9, n), known=n == 100)


@pytest.mark.parametrize(("way", "short"), [("update", "i16"), ("sub", "f16"), ("div", "f32")])
def test_scatters(way: str, short: str) -> None:
    both = Both(SCATTER.replace("T[", f"{short}[").replace("WAY", way))
    for r, n, d in ((8, 300, 3), (500, 40, 1), (3, 0, 2)):
        x = (rng.standard_normal((n, d)) * 4).astype(as_dtype(short).numpy)
        y = np.ones((r, d), as_dtype(short).numpy)
        both.check(y, rng.integers(0, r, n).astype(np.int32), x, known=n == 300)


def test_segments() -> None:
    """Negative numbers are left out."""
    both = Both(SEGMENT.replace("T[", "f32["))
    for n, d in ((77, 4), (TEAM_ELEMENTS + 80, 1)):
        x = rng.standard_normal((n, d)).astype(np.float32)
        both.check(rng.integers(-2, 5, n).astype(np.int32), x)


def test_wrong_indices() -> None:
    """An index out of range is found before anything is combined."""
    device = emulated.Emulated(parse(ADD.replace("T[", "f32[")))
    x, i = np.ones((100, 2), np.float32), np.zeros(100, np.int64)
    i[70] = 9
    with pytest.raises(emulated.Failed) as caught:
        device(x, i)
    site, *values = caught.value.args
    assert device.f.notes["sites"][site - 1].kind == "index" and values == [9, 9]


ROUNDS = """func @f(%x: f32[n]) -> f32[n] {
  %0 = launch [%x] {types = (f32[n],)} kernel = (%in: *f32[n], %out: *f32[n]) {
    %1 = extent_of {value = n} : i64
    %2 = constant {value = i64 0} : i64
    %5 = constant {value = i64 6} : i64
    for %2, %5, [] {step = 2, kind = 'serial'} body = (%round: i64) {
      for %2, %1, [] {step = 1, kind = 'parallel'} body = (%i: i64) {
        %3 = load %in, INDEX, none : f32
        store %out, %i, %3
        return
      }
      for %2, %1, [] {step = 1, kind = 'parallel'} body = (%j: i64) {
        %4 = load %out, %j, none : f32
        store %in, %j, %4
        return
      }
      return
    }
    return
  } : f32[n]
  return %0
}"""


def test_rounds() -> None:
    """A loop whose rounds do the same parallel loops is so many phases; others are not."""
    found = []
    for index in ("%i", "%round"):
        (launch,) = parse(ROUNDS.replace("INDEX", index)).body
        found.append(phases(launch.kernel))  # type: ignore[attr-defined]
    assert len(found[0]) == 6 and len(found[1]) == 1
    assert found[0][0] is found[0][2] is found[0][4]
    assert all(isinstance(phase.body[-1], Grid) for phase in found[0])
    assert not any(isinstance(op, Grid) for op in found[1][0].walk())


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
def test_ptxas(tmp_path: Path) -> None:
    """No registers are spilled, and shared memory is what each block may have."""
    for text in (t.replace("T[", "f64[") for t in (SORT, ADD)):
        ptx = compile_module(emulated.lowered(parse(text))).ptx
        said = emulated.assemble(ptx, "sm_80", tmp_path)
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
        assert all(int(n) <= 48 << 10 for n in re.findall(r"(\d+) bytes smem", said)), said
