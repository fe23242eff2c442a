"""Solves, factors, permutations and suppression by many threads: the bits are the CPU's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tfc.backends.cuda.module import compile_module
from tfc.ir.text import parse

SOLVE = """func @solve(%x: T[a,n,n], %y: T[a,n,m]) -> T[a,n,m] {
  %0 = triangular_solve %x, %y {lower = LOWER, adjoint = ADJOINT} : T[a,n,m]
  return %0
}"""
FACTORS = """func @factors(%x: T[a,n,n]) -> (T[a,n,n], i32[a,n]) {
  %0, %1 = lu %x : T[a,n,n], i32[a,n]
  return %0, %1
}"""
DIAGONALS = """func @diagonals(%x: f64[a,3,n], %y: f64[a,n,m]) -> f64[a,n,m] {
  %0 = tridiagonal_solve %x, %y {pivoting = True} : f64[a,n,m]
  return %0
}"""
SUPPRESS = """func @suppress(%x: T[n,4], %o: T) -> bool[n] {
  %0 = suppress %x, %o : bool[n]
  return %0
}"""
INVERT = """func @invert(%x: i32[n]) -> i32[n] {
  %0 = invert_permutation %x : i32[n]
  return %0
}"""
rng = np.random.default_rng(0)


def both(text: str, order: str) -> tuple[emulated.Emulated, native.Native]:
    f = parse(text)
    return emulated.Emulated(f, order), native.Native(f)


def normal(short: str, *shape: int) -> Any:
    x = rng.standard_normal(shape)
    if short == "c64":
        return (x + 1j * rng.standard_normal(shape)).astype(np.complex64)
    return x.astype({"f32": np.float32, "f64": np.float64}[short])


def failure(device: emulated.Emulated, *arrays: Any) -> tuple[str, list[int]]:
    with pytest.raises(emulated.Failed) as caught:
        device(*arrays)
    site, *values = caught.value.args
    return device.f.notes["sites"][site - 1].kind, values


@pytest.mark.parametrize(
    ("short", "lower", "adjoint", "order"),
    [
        ("f32", True, False, "random"),
        ("f64", False, False, "reversed"),
        ("c64", True, True, "random"),
    ],
)
def test_triangular(short: str, lower: bool, adjoint: bool, order: str) -> None:
    """Few right-hand sides, many, and none; a thread for each, or a team."""
    text = SOLVE.replace("T[", f"{short}[")
    text = text.replace("LOWER", str(lower)).replace("ADJOINT", str(adjoint))
    device, host = both(text, order)
    for a, n, m in ((1, 300, 1), (3, 9, 16), (2, 9, 17), (1, 1, 1), (2, 5, 0), (1, 0, 3)):
        x = normal(short, a, n, n) / max(n, 1) + 2 * np.eye(n, dtype=normal(short, 1).dtype)
        y = normal(short, a, n, m)
        native.assert_same_bits(device(x, y), host(x, y), f"{(a, n, m)}")
        if m == 17:
            known = emulated.Emulated(native.static(parse(text), x, y), order)
            native.assert_same_bits(known(x, y), host(x, y), "known sizes")
    x = np.ones((1, 40, 40), y.dtype)
    x[0, 20, 20] = 0
    assert failure(device, x, np.ones((1, 40, 1), y.dtype))[0] == "singular"


@pytest.mark.parametrize("short", ["f32", "c64"])
def test_factors(short: str) -> None:
    device, host = both(FACTORS.replace("T[", f"{short}["), "random")
    for a, n in ((1, 1), (2, 17), (1, 40), (2, 0)):
        x = normal(short, a, n, n)
        if n == 17:  # equals: the first of them is the pivot
            x = np.round(x)
            x += 5 * np.eye(n, dtype=x.dtype)
        native.assert_same_bits(device(x), host(x), f"{(a, n)}")
    assert failure(device, np.zeros((2, 5, 5), x.dtype))[0] == "singular"


def test_tridiagonal() -> None:
    device, host = both(DIAGONALS, "reversed")
    for a, n, m in ((5, 12, 3), (300, 3, 1), (1, 1, 1)):
        x, y = normal("f64", a, 3, n), normal("f64", a, n, m)
        native.assert_same_bits(device(x, y), host(x, y), f"{(a, n, m)}")


@pytest.mark.parametrize(("short", "order"), [("f32", "random"), ("f16", "reversed")])
def test_suppress(short: str, order: str) -> None:
    """More boxes than a team has threads; some without an area, and some nan."""
    device, host = both(SUPPRESS.replace("T[", f"{short}[").replace("%o: T", f"%o: {short}"), order)
    kind = {"f32": np.float32, "f16": np.float16}[short]
    for n, spread in ((0, 1), (1, 1), (31, 3), (33, 2), (700, 3)):
        corner = rng.random((n, 2)) * spread
        boxes = np.concatenate([corner, corner + rng.standard_normal((n, 2))], 1).astype(kind)
        boxes[3:5, 2] = boxes[3:5, 0]
        boxes[7:8, 1] = np.nan
        for limit in (0.1, 0.5):
            overlap = np.array(limit, kind)
            wanted = host(boxes, overlap)
            native.assert_same_bits(device(boxes, overlap), wanted, f"{n}")
    assert 0.1 < wanted[0].mean() < 0.9


def test_invert() -> None:
    device, host = both(INVERT, "random")
    for n in (0, 1, 600):
        x = rng.permutation(n).astype(np.int32)
        native.assert_same_bits(device(x), host(x), f"{n}")
    x[5], x[9] = x[9], 700
    assert failure(device, x) == ("index", [700, 600])
    x[9] = x[10]
    assert failure(device, x) == ("repeated", [x[10], 0])


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
def test_ptxas(tmp_path: Path) -> None:
    """No registers are spilled."""
    solve = SOLVE.replace("LOWER", "True").replace("ADJOINT", "False").replace("T[", "f64[")
    for text in (solve, FACTORS.replace("T[", "c128["), DIAGONALS, INVERT):
        ptx = compile_module(emulated.lowered(parse(text))).ptx
        said = emulated.assemble(ptx, "sm_80", tmp_path)
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
