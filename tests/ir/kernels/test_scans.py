"""Scans: along the last axis, along others, and on GPUs, in the order that is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated import Emulated
from tfc.ir.kernels.cpu.column_scans import SCAN_PANEL_COLUMNS_MIN, ColumnScans
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.target import Target
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


# (shape, axis): the edges of panels, several axes after the one that is scanned, and none left
COLUMNS = [((7, SCAN_PANEL_COLUMNS_MIN + 1), 0), ((3, 5, 9, 20), 1), ((5, 30), 0), ((0, 300), 0)]


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
@pytest.mark.parametrize("reverse", [False, True])
def test_columns_are_added_up_in_order(dtype: str, reverse: bool) -> None:
    """Sums are carried in float32 where they are stored in float16."""
    rng = np.random.default_rng(1)
    for shape, axis in COLUMNS:
        x = (rng.standard_normal(shape) * 9).astype(dtype)
        wide = np.flip(x, axis) if reverse else x
        wanted = np.cumsum(wide, axis, np.float32 if dtype == "float16" else dtype).astype(dtype)
        wanted = np.flip(wanted, axis) if reverse else wanted

        def f(x: Any, axis: int = axis) -> Any:
            return tf.cumsum(x, axis, reverse=reverse)

        for known in (shape, [None] * len(shape)):
            got = tf.function(f, input_signature=[tf.TensorSpec(known, dtype)])(x).numpy()
            np.testing.assert_array_equal(got, wanted)


def test_which_scans_go_down_panels() -> None:
    for shape, axis, panels in (
        ((50, 200), 0, True),
        ((50, None), 0, True),
        ((50, 20), 0, False),
        ((50, 200), 1, False),
    ):
        spec = [tf.TensorSpec(shape)]
        f = tf.function(lambda x, axis=axis: tf.cumsum(x, axis), input_signature=spec)
        stages = f.get_concrete_function().compiled.stages
        chosen = [type(g.schedule) for g in fuse(stages.optimised, CPU, Target()).groups]
        assert (chosen == [ColumnScans]) is panels
