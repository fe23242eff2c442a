"""Rows that are longer than a warp should have alone: a block of threads has each."""

from __future__ import annotations

import numpy as np
import pytest

from tests import emulated, native
from tests.backends.cuda.test_ptx import SOFTMAX
from tfc.ir.core import Function
from tfc.ir.extent import evaluate
from tfc.ir.kernels.gpu.launch_phases import grid_size, phases
from tfc.ir.kernels.gpu.simt.row_reductions import ROW_TEAM, WARP, WARP_ROW_MAX
from tfc.ir.kernels.ops import Grid
from tfc.ir.ops.reduction import CHUNK
from tfc.ir.text import parse


def teams(f: Function) -> list[Grid]:
    """The grids of the kernels of `f`."""
    ends = [p.body[-1] for op in f.body for p in phases(op.kernel)]  # type: ignore[attr-defined]
    assert all(isinstance(end, Grid) for end in ends)
    return [end for end in ends if isinstance(end, Grid)]


@pytest.mark.parametrize("length", [WARP_ROW_MAX, WARP_ROW_MAX + 1, 3 * WARP_ROW_MAX - 5])
def test_who_has_a_row(length: int) -> None:
    """For every length there is one launch with something to do."""
    x = np.broadcast_to(np.float32(0), (3, length))
    wanted = ROW_TEAM if length > WARP_ROW_MAX else WARP
    (known,) = teams(emulated.lowered(native.static(parse(SOFTMAX), x)))
    assert known.team == wanted
    found = {}
    for grid in teams(emulated.lowered(parse(SOFTMAX))):
        sizes = grid_size(grid)
        assert sizes is not None
        found[grid.team] = int(np.prod([evaluate(e, {"n": 3, "m": length}) for e in sizes]))
    assert found == {wanted: 3, ROW_TEAM + WARP - wanted: 0}


@pytest.mark.parametrize("order", ["forward", "reversed", "random"])
def test_same_bits(order: str) -> None:
    """Reductions are the same tree, whoever has the row."""
    device = emulated.Emulated(parse(SOFTMAX), order)
    total = """func @total(%x: f32[n,m]) -> f32[n] {
      %0 = reduce_sum %x {axes = (1,)} : f32[n]
      return %0
    }"""
    rows = emulated.Emulated(parse(total))
    for n, m in ((2, 70), (2, WARP_ROW_MAX + 1), (1, 5 * CHUNK + 3)):
        x = np.random.default_rng(m).standard_normal((n, m)).astype(np.float32)
        softmax, sums = device(x)
        known = emulated.Emulated(native.static(parse(SOFTMAX), x), order)
        native.assert_same_bits(known(x), [softmax, sums])
        e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        np.testing.assert_allclose(softmax, e / e.sum(1, keepdims=True), rtol=2e-6)
        largest = np.max(x, 1, keepdims=True)
        power = """func @power(%x: f32[n,m]) -> f32[n,m] {
          %0 = exp %x : f32[n,m]
          return %0
        }"""
        terms = native.run(parse(power), x - largest)[0]
        native.assert_same_bits(rows(terms), [sums], "the tree of a warp")
