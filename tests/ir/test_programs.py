"""Random programs give the same bits however they are run."""

from __future__ import annotations

import numpy as np
import pytest

from tests import native
from tests.programs import Program
from tests.sampling import ALL, by_turns
from tfc.ir import passes
from tfc.ir.interpreter import interpret

SUBSETS = [
    (),
    (passes.simplify,),
    (passes.cse, passes.dce),
    (passes.fold, passes.simplify, passes.cse, passes.fold, passes.simplify, passes.dce),
]


@pytest.mark.parametrize("seed", range(200 if ALL else 16))
def test_every_way_of_running(seed: int) -> None:
    """All passes; some or none, of which two by turns; symbolic and static; fused and op by op.
    Exact programs are compared with NumPy too."""
    program = Program(seed, exact=seed % 2 == 0)
    f = program.grow(4 + seed % 12)
    arrays = program.arrays(f)
    wanted = native.run(f, *arrays)
    for subset in by_turns(SUBSETS, seed // 2, 2):
        native.assert_same_bits(native.Native(f, subset)(*arrays), wanted, f"{subset}\n{f}")
    native.assert_same_bits(native.run(native.static(f, *arrays), *arrays), wanted, f"static\n{f}")
    native.assert_same_bits(native.run_eagerly(f, *arrays), wanted, f"op by op\n{f}")
    if program.exact:
        for x, y in zip(wanted, interpret(f, arrays), strict=True):
            same = (x == y) | ((x != x) & (y != y))  # maximum(-0.0, 0.0) may be either
            assert same.all(), f"{x}\n{y}\n{f}"


def test_programs_are_what_they_were() -> None:
    """A seed names one program, here and tomorrow."""
    first, again = (str(Program(7).grow(9)) for _ in range(2))
    assert first == again
    assert np.prod([1]) == 1
