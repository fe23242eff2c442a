"""Gradients of maxima over windows that lie apart: one kernel, without places in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import native
from tests.sampling import by_turns
from tfc.ir import interpreter, ops
from tfc.ir.core import Builder, Function
from tfc.ir.kernels import lower
from tfc.ir.kernels.ops import Launch
from tfc.ir.types import parse_type

# Extents, windows, strides, distances of taps, places, padding.
WAYS = {
    "whole": ((6, 4), (2, 2), (2, 2), (1, 1), (3, 2), (0, 0)),
    "rows left": ((7, 9), (2, 2), (2, 2), (1, 1), (3, 4), (0, 0)),
    "between": ((9, 8), (2, 1), (3, 4), (1, 1), (3, 2), (0, 0)),
    "between, and cut off": ((8, 7), (2, 1), (3, 4), (1, 1), (3, 2), (0, 0)),
    "one of three": ((7,), (1,), (3,), (1,), (3,), (0,)),
    "dilated": ((9, 7), (2, 3), (4, 3), (2, 1), (2, 2), (0, 0)),
    "fewer places": ((9, 9), (3, 3), (3, 3), (1, 1), (2, 1), (0, 0)),
    "one axis": ((11,), (3,), (3,), (1,), (3,), (0,)),
    "three axes": ((4, 5, 3), (2, 2, 3), (2, 2, 3), (1, 1, 1), (2, 2, 1), (0, 0, 0)),
    "overlapping": ((6, 5), (3, 2), (2, 2), (1, 1), (2, 2), (0, 0)),
    "padded": ((5, 6), (2, 2), (2, 2), (1, 1), (3, 3), (0, 0)),
    "padded before": ((5, 6), (2, 2), (2, 2), (1, 1), (3, 3), (1, 0)),
}
APART = ("whole", "rows left", "between", "between, and cut off", "one of three", "dilated")
APART += ("fewer places", "one axis", "three axes")


def gradient(way: str, dtype: str, channels: int, masked: bool = False) -> Function:
    """dy at the maxima of x, and where `masked` that again where x is positive."""
    extents, window, strides, taps, size, low = WAYS[way]
    text = lambda axes: ",".join(map(str, (3, *axes, channels)))  # noqa: E731
    b = Builder("f")
    x = b.parameter(parse_type(f"{dtype}[{text(extents)}]"), "x")
    dy = b.parameter(parse_type(f"{dtype}[{text(size)}]"), "dy")
    place = b.emit(ops.MaxPlace(x, window, size, strides, low, taps))
    dx = b.emit(ops.Unpool(dy, place, window, size, strides, low, taps, extents))
    if not masked:
        return b.build(dx)
    zero = b.emit(ops.Broadcast(b.constant(0, x.dtype), x.shape, ()))
    return b.build(b.emit(ops.Select(b.emit(ops.Greater(x, zero)), dx, zero)))


def data(f: Function, dtype: Any) -> list[np.ndarray]:
    """Few different numbers, so that there are ties, with nans and zeros of both signs."""
    rng = np.random.default_rng(0)
    x, dy = (np.round(rng.normal(size=p.shape) * 2).astype(dtype) for p in f.params)
    if x.dtype.kind == "f":
        x.flat[::13] = np.nan
        dy.flat[::5] = -0.0
    return [x, dy]


# Each way meets each number of channels and each dtype, which go round together: a dtype changes
# how many channels are computed at once.
CASES = [
    (way, channels, dtype)
    for i, way in enumerate(WAYS)
    for j, channels in enumerate((1, 5, 40))
    for dtype in by_turns(("f32", "i32", "f16"), i + j, 1)
]


@pytest.mark.parametrize(("way", "channels", "dtype"), CASES)
def test_bits_are_those_of_the_reference(way: str, channels: int, dtype: str) -> None:
    for masked in (False, True):
        f = gradient(way, dtype, channels, masked)
        arrays = data(f, f.params[0].dtype.numpy)
        (wanted,) = interpreter.interpret(f, arrays)
        (got,) = native.Native(f)(*arrays)
        assert got.tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_places_are_in_memory_only_where_windows_overlap(way: str) -> None:
    launches = [op for op in lower.lower(gradient(way, "f32", 8, True)).body]
    kernels = [op for op in launches if isinstance(op, Launch)]
    stored = [v.dtype.short for op in kernels for v in op.results]
    assert stored == (["f32"] if way in APART else ["i64", "f32"])


def test_places_that_something_else_reads_are_stored() -> None:
    f = gradient("whole", "f32", 8)
    place = f.body[0].results[0]
    both = Function("both", f.params, f.body, (*f.returns, place))
    stored = {v.dtype.short for op in lower.lower(both).body for v in op.results}
    assert stored == {"i64", "f32"}
