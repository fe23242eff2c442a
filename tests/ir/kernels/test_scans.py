"""Scans: along the last axis, along others, and on GPUs, in the order that is told."""

from __future__ import annotations

import numpy as np
import pytest

from tests.emulated import Emulated
from tfc.ir.text import parse

EXTREMES = {"cum_max": np.maximum, "cum_min": np.minimum}


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("dtype", ["f32", "i32"])
def test_extremes_along_rows_on_gpus(name: str, dtype: str) -> None:
    """Of numbers that are all on the far side of 0."""
    text = f"func @f(%x: {dtype}[3,40]) -> {dtype}[3,40] {{\n"
    text += f"  %0 = {name} %x {{axis = 1, reverse = False}} : {dtype}[3,40]\n  return %0\n}}"
    x = np.random.default_rng(0).uniform(1, 50, (3, 40)) * (-1 if name == "cum_max" else 1)
    x = x.astype("float32" if dtype == "f32" else "int32")
    (got,) = Emulated(parse(text))(x)
    np.testing.assert_array_equal(got, EXTREMES[name].accumulate(x, 1))
