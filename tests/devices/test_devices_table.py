"""The table of ops through the programs of GPUs: the numbers are those of the CPU.

The emulator runs what the host computes for programs (kernels alone are tested in
backends/test_ptx.py), a real GPU (TFC_TEST_GPU=1) all rows and dtypes. Bits are equal but where
tensor cores round.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated_gpu import emulated_gpus
from tests.optable import ROWS, Row
from tfc.dispatch.execution import run_function
from tfc.ir.core import Op
from tfc.ir.dtypes import as_dtype
from tfc.ir.ops.contraction import Matmul
from tfc.ir.ops.host import HostCall
from tfc.ir.ops.window import Conv

REAL = bool(os.environ.get("TFC_TEST_GPU"))


def _cases() -> list[Any]:
    rows: dict[type[Op], Row] = {row.op: row for row in reversed(ROWS) if row.dtypes}
    chosen = [(row, row.dtypes.split()[0]) for op, row in rows.items() if issubclass(op, HostCall)]
    if REAL:
        chosen = [(row, short) for row in ROWS for short in row.dtypes.split()]
    return [pytest.param(row, short, id=f"{row.name}-{short}") for row, short in chosen]


@pytest.fixture(scope="module")
def gpu() -> Iterator[Any]:
    with emulated_gpus() as (device,):
        yield device


@pytest.mark.parametrize(("row", "short"), _cases())
def test_op(gpu: Any, row: Row, short: str) -> None:
    dtype = as_dtype(short)
    f = row.function(dtype)
    loose = issubclass(row.op, Matmul | Conv) and dtype.itemsize == 2
    for sizes in row.sizes if REAL else row.sizes[:3]:
        arrays = [tf.constant(a) for a in row.arrays(dtype, sizes)]
        want, have = run_function(f, *arrays), run_function(f, *(a.gpu() for a in arrays))
        if not isinstance(want, tuple):
            want, have = (want,), (have,)
        for a, b in zip(have, want, strict=True):
            assert "GPU" in a.device and a.dtype is b.dtype
            if loose:
                x, y = (np.asarray(tf.cast(v, tf.float32)) for v in (a, b))
                np.testing.assert_allclose(x, y, rtol=2e-2, atol=2e-2 * np.abs(y).max(initial=0))
            else:
                np.testing.assert_array_equal(a.numpy(), b.numpy(), err_msg=f"{sizes}")
