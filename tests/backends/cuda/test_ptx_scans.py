"""Scans, and the places where masks hold, by many threads: the bits are the CPU's, in any order."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests import emulated
from tests.backends.cuda.test_ptx_sorting import Both, team_phases
from tfc.backends.cuda.module import compile_module
from tfc.ir.dtypes import as_dtype
from tfc.ir.kernels.gpu.simt.thread_groups import TEAM_ELEMENTS
from tfc.ir.text import parse

SCAN = """func @scan(%x: T[a,n]) -> T[a,n] {
  %0 = OP %x {axis = 1, reverse = REVERSE} : T[a,n]
  return %0
}"""
NONZERO = """func @places(%x: bool[n]) -> i64[COUNT] {
  %0 = nonzero %x {count = COUNT} : i64[COUNT]
  return %0
}"""
rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("op", "short"),
    [("cum_sum", "i32"), ("cum_prod", "u8"), ("cum_sum", "f16"), ("cum_log_sum_exp", "f64")],
)
def test_scans(op: str, short: str) -> None:
    """Integers by many threads of a row, floats one after another."""
    for i, reverse in enumerate(("True", "False")):
        text = SCAN.replace("T[", f"{short}[").replace("OP", op).replace("REVERSE", reverse)
        both = Both(text, ("reversed", "random")[i])
        for a, n in ((1, 1), (3, 40), (35, 70), (1, 2 * TEAM_ELEMENTS + 3), (2, 0)):
            x = (rng.standard_normal((a, n)) * 10).astype(as_dtype(short).numpy)
            both.check(x, known=n == 40 or (a == 1 and n > 1 and not i))
    assert team_phases(emulated.lowered(both.f))


@pytest.mark.parametrize("count", [5, 2000])
def test_places(count: int) -> None:
    both = Both(NONZERO.replace("COUNT", str(count)), "reversed")
    assert team_phases(emulated.lowered(both.f))
    for n in (0, 1, TEAM_ELEMENTS, 2 * TEAM_ELEMENTS + 100):
        both.check(rng.random(n) > 0.5)


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
def test_ptxas(tmp_path: Path) -> None:
    """No registers are spilled, and shared memory is what each block may have."""
    scan = SCAN.replace("OP", "cum_sum").replace("REVERSE", "False")
    texts = [scan.replace("T[", "f64["), scan.replace("T[", "i64["), NONZERO.replace("COUNT", "9")]
    for text in texts:
        ptx = compile_module(emulated.lowered(parse(text))).ptx
        said = emulated.assemble(ptx, "sm_80", tmp_path)
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
        assert all(int(n) <= 48 << 10 for n in re.findall(r"(\d+) bytes smem", said)), said
