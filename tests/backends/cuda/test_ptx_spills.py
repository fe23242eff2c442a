"""Kernels of the table of ops by ptxas: no register of these rows is spilled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import emulated
from tests.optable import ROWS, Row
from tests.sampling import ALL, by_turns
from tfc.backends.cuda.module import compile_module

# One of each schedule; all rows take minutes, and are compiled where TFC_TEST_ALL says so.
SOME = dict.fromkeys(("matmul-batch", "conv-axes1", "conv-groups", "reduce_sum-axes0"), "f32")
SOME |= dict.fromkeys(("sort-ascending", "cum_sum-axis1", "gather-axis1-1", "igamma"), "f32")
SOME |= dict.fromkeys(("transpose-021", "scatter-add-1", "cholesky", "reduce_sum-cube02"), "f32")
SOME |= {"tridiagonal_solve-pivoting": "f32", "conv-holes": "f32"}
# Rows of warps, whose registers ptxas would spill for sm_90 if nobody told it how many there are.
SOME |= dict.fromkeys(("reduce_sum-axes1-int", "reduce_max-axes1", "reduce_min-axes1"), "i64")
SOME |= {"sin": "f16", "cos": "f16"}  # with a slow way for few elements
SOME |= {"reduce_sum-cube12": "f32", "arg_max-axis1": "f64 i64", "arg_min-axis1": "f64 i64"}
# A system of seven rows: ptxas keeps 16 bytes in memory, and takes 48 or 64 registers of 255.
FEW_BYTES = dict.fromkeys(("small_cholesky-7", "small_solve-7"), 16)
WIDE = ("f16", "f32", "f64", "i64", "c128")  # each way to compute, and what takes most registers


def _cases() -> list[object]:
    every = ALL
    return [
        pytest.param(row, short, id=f"{row.name}-{short}")
        for row in ROWS
        for short in row.dtypes.split()
        if short in (WIDE if every else SOME.get(row.name, "").split())
    ]


def test_the_rows_are_there() -> None:
    assert {row.name for row in ROWS} >= SOME.keys()


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
@pytest.mark.parametrize(("row", "short"), _cases())
def test_no_register_is_spilled(row: Row, short: str, tmp_path: Path) -> None:
    f = emulated.lowered(row.function(short))
    if not emulated.launched_only(f):
        pytest.skip("the host computes it")
    # The same text, and as many registers: processors take turns where rows are sampled. Where
    # registers have to be counted for one of them, it is the one.
    turn = list(SOME).index(row.name) if row.name in SOME else 0
    for processor in by_turns(("sm_80", "sm_90"), 1 if short == "i64" else turn, 1):
        ptx = compile_module(f, processor).ptx
        if ptx:
            said = emulated.assemble(ptx, processor, tmp_path)
            spilled = {int(n) for n in re.findall(r"(\d+) bytes spill", said)}
            assert spilled <= {0, FEW_BYTES.get(row.name, 0)}, said
