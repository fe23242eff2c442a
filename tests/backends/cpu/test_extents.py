"""Extents that compiled code computes are those that Python's integers give."""

from __future__ import annotations

import numpy as np

from tfc.dispatch.execution import run_function
from tfc.ir import core, ops
from tfc.ir.dtypes import float32
from tfc.ir.extent import Extent, evaluate, maximum, minimum, symbol
from tfc.ir.types import TensorType

N, M = symbol("n"), symbol("m")
EXTENTS: list[Extent] = [  # by powers of two and by others, of what is negative too
    *((N - 70) // d for d in (2, 3, 64)),
    *((N - 70) % d for d in (2, 3, 64)),
    (3 * N + 128 * M + 5) // 64,
    (64 * N * M + 63) // 64,
    (N * M - 4 * M) % 8,
    (7 - N) // M + 100 % M,
    minimum(N, M) * maximum(N - M, 3),
]


def test_extents_are_computed_as_by_python() -> None:
    b = core.Builder("extents")
    for name, extent in (("x", N), ("y", M)):
        b.parameter(TensorType(float32, (extent,)), name)
    f = b.build(*(b.emit(ops.ExtentOf(e)) for e in EXTENTS))
    for n, m in ((1, 1), (5, 64), (70, 3), (63, 2), (200, 65)):
        got = run_function(f, np.zeros(n, np.float32), np.zeros(m, np.float32))
        assert [int(x) for x in got] == [evaluate(e, {"n": n, "m": m}) for e in EXTENTS]
