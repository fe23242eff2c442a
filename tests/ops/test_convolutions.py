"""Convolutions and their gradients: values by definition, and equal bits however they run."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfc as tf
from tests.cases import references as ref
from tests.convolution_ways import WAYS, all_three
from tests.golden import TARGETS
from tests.sampling import ALL, by_turns
from tfc.ir.kernels.common.stride_phases import PhasedAxis
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.target import Target
from tfc.ir.ops.elementwise import FloorDiv, FloorMod
from tfc.ir.ops.shape import Constant
from tfc.ir.ops.window import Axis
from tfc.ir.text import parse

rng = np.random.default_rng(0)

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


def same(x: Any, y: Any) -> None:
    np.testing.assert_array_equal(
        np.ascontiguousarray(x).view(np.uint8), np.ascontiguousarray(y).view(np.uint8)
    )


def gradients(x: Any, w: Any, dy: Any, **how: Any) -> tuple[Any, Any]:
    """Those of sum(conv(x, w) * dy), by what each tap of the window sees."""
    axes, groups = x.ndim - 2, x.shape[-1] // w.shape[-2]
    strides, dilations = how["strides"], how["dilations"]
    rows = w.shape[:-2], strides, dilations, how["padding"]
    marks = np.arange(x[0, ..., 0].size).reshape(1, *x.shape[1:-1], 1)
    dx, dw = np.zeros((x.shape[0], marks.size, x.shape[-1])), np.zeros(w.shape)
    taps = zip(ref.seen(x, *rows, 0), ref.seen(marks, *rows, -1), strict=True)
    for (tap, part), (_, places) in taps:
        inputs, results = np.split(part, groups, -1), np.split(dy, groups, -1)
        weights = np.split(w[tap], groups, -1)
        pairs = zip(inputs, results, strict=True)
        over = tuple(range(axes + 1))
        dw[tap] = np.concatenate([np.tensordot(a, d, (over, over)) for a, d in pairs], -1)
        back = [d @ v.T for d, v in zip(results, weights, strict=True)]
        inside = places.reshape(-1) >= 0
        added = np.concatenate(back, -1).reshape(x.shape[0], -1, x.shape[-1])[:, inside]
        np.add.at(dx, (slice(None), places.reshape(-1)[inside]), added)
    return dx.reshape(x.shape), dw


def near(got: Any, wanted: np.ndarray) -> None:
    np.testing.assert_allclose(got, wanted, rtol=0, atol=3e-6 * max(1, np.abs(wanted).max()))


def arrays(n: int, size: Any, channels: int, taps: Any, out: int, groups: int, how: Any) -> Arrays:
    """x, w and a cotangent of the result."""
    x = rng.standard_normal((n, *size, channels)).astype("f")
    w = rng.standard_normal((*taps, channels // groups, out)).astype("f")
    _, places = ref.padded(x, taps, how["strides"], how["dilations"], how["padding"], 0)
    return x, w, rng.standard_normal((n, *places, out)).astype("f")


# Lanes have 16 floats, 8 or 4; tiles up to 14 rows, blocks of k 256.
SIZES = st.sampled_from([1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17])
CHANNELS = st.sampled_from([1, 2, 3, 7, 8, 15, 16, 17, 33])


@st.composite
def windows(draw: Any) -> tuple[Arrays, dict[str, Any]]:
    axes = draw(st.sampled_from([1, 2, 2, 2, 3]))
    taps = draw(st.lists(st.integers(1, 4), min_size=axes, max_size=axes))
    dilations = draw(st.lists(st.sampled_from([1, 1, 2, 3]), min_size=axes, max_size=axes))
    strides = draw(st.lists(st.sampled_from([1, 2, 3]), min_size=axes, max_size=axes))
    pairs = draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=3))
    padding = draw(st.sampled_from(["SAME", "VALID", tuple(pairs[:axes])]))
    least = [(k - 1) * d + 1 for k, d in zip(taps, dilations, strict=True)]
    size = [max(draw(SIZES), e) for e in least]
    if axes == 3:
        size = [min(s, max(5, e)) for s, e in zip(size, least, strict=True)]
    groups = draw(st.sampled_from([1, 1, 1, 2, 3]))
    channels, out = draw(CHANNELS) * groups, draw(CHANNELS) * groups
    how = {"strides": tuple(strides), "padding": padding, "dilations": tuple(dilations)}
    return arrays(draw(st.integers(1, 3)), size, channels, taps, out, groups, how), how


@settings(max_examples=8, deadline=None)
@given(windows())
def test_random_windows(case: tuple[Arrays, dict[str, Any]]) -> None:
    (x, w, dy), how = case
    run = tf.function(lambda *v: all_three(*v, **how))
    y, dx, dw = run(*(tf.constant(v) for v in (x, w, dy)))
    wide = [v.astype(np.float64) for v in (x, w, dy)]
    near(y, ref.conv(*wide[:2], **how))
    for got, wanted in zip((dx, dw), gradients(*wide, **how), strict=True):
        near(got, wanted)


def way(way: Any) -> tuple[Arrays, dict[str, Any]]:
    n, size, channels, taps, out, groups, strides, padding, dilations = way
    how = {"strides": strides, "padding": padding, "dilations": dilations}
    return arrays(n, size, channels, taps, out, groups, how), how


@pytest.mark.parametrize("name", WAYS)
def test_all_ways_have_the_same_bits(name: str) -> None:
    """Eager, traced for these sizes, for any batch, and some for any places; also where a weight is
    inf, so that elements are computed one by one: other columns stay as they are."""
    (x, w, _), how = way(WAYS[name])
    wanted = all_three(tf.constant(x), tf.constant(w), **how)
    fixed, free, any_size = (tf.function(lambda *v: all_three(*v, **how)) for _ in range(3))
    weights, channels = tf.TensorSpec(w.shape), x.shape[-1]
    traced = [fixed, free.get_concrete_function(tf.TensorSpec([None, *x.shape[1:]]), weights)]
    if name in ("strided", "far", "dilated"):
        spec = tf.TensorSpec([None] * (x.ndim - 1) + [channels])
        traced.append(any_size.get_concrete_function(spec, weights))
    for f in by_turns(traced, list(WAYS).index(name), 1):
        for got, own in zip(f(tf.constant(x), tf.constant(w)), wanted, strict=True):
            same(got, own)
        one = w.copy()
        one[(0,) * w.ndim] = np.inf
        y, _, dw = (v.numpy() for v in f(tf.constant(x), tf.constant(one)))
        assert not np.isfinite(y[..., 0]).all()
        same(y[..., 1:], wanted[0].numpy()[..., 1:])
        same(dw[..., 1:], wanted[2].numpy()[..., 1:])


def test_transposed_convolutions_are_gradients() -> None:
    """Bit for bit; and channels may come first."""
    (x, w, dy), how = way(WAYS["strided"])
    wanted = all_three(*(tf.constant(v) for v in (x, w, dy)), **how)[1]
    same(tf.nn.conv2d_transpose(dy, w, x.shape, 2, "SAME"), wanted)
    first = tf.nn.conv2d_transpose(
        ref.first(dy), w, ref.first(x).shape, 2, "SAME", data_format="NCHW"
    )
    same(ref.last(np.asarray(first)), wanted)


def test_not_finite_weights_and_skipped_taps() -> None:
    """A tap that lies beside what is there, or between, leaves no trace, whatever its weight."""
    x, w = np.ones((1, 5, 5, 1), "f"), np.ones((3, 3, 1, 2), "f")
    dy = np.ones((1, 3, 3, 2), "f")
    w[1, 1, 0] = np.inf
    how = {"strides": (2, 2), "padding": "SAME", "dilations": (1, 1)}
    y, dx, _ = all_three(*(tf.constant(v) for v in (x, w, dy)), **how)
    assert np.isposinf(np.asarray(y)).all()
    seen = np.zeros((5, 5), bool)
    seen[::2, ::2] = True
    np.testing.assert_array_equal(np.isposinf(np.asarray(dx)[0, ..., 0]), seen)
    assert np.isfinite(np.asarray(dx)[0, ~seen]).all()


def test_not_finite_cotangents_and_skipped_places() -> None:
    """The gradient of the weights leaves out what a tap does not see, too."""
    x, w, dy = np.ones((1, 5, 9, 3), "f"), np.ones((3, 3, 3, 2), "f"), np.ones((1, 5, 9, 2), "f")
    dy[0, 0, 0, 0] = np.inf
    how = {"strides": (1, 1), "padding": "SAME", "dilations": (1, 1)}
    dw = np.asarray(all_three(*(tf.constant(v) for v in (x, w, dy)), **how)[2])
    assert np.isposinf(dw[1:, 1:, :, 0]).all()
    assert (
        np.isfinite(dw[0]).all() and np.isfinite(dw[:, 0]).all() and np.isfinite(dw[..., 1]).all()
    )


def test_borders_hold_what_any_phase_looks_at() -> None:
    """Also what stands for the taps that one phase has fewer than another."""
    for taps, extent, stride, low, tap, hole, places in product(
        (1, 2, 3, 5), (1, 4), (1, 2, 3), (0, 1, 2, 4), (1, 2), (1, 2, 3), (1, 7, 8)
    ):
        axis = Axis(taps, extent, stride, low, tap, hole, places)
        before, behind = PhasedAxis(axis).halo()
        for q in range(places):
            starts = [t for t in range(axis.step) if (q * stride + t * tap - low) % hole == 0]
            for t in starts[:1]:
                for k in range(axis.seen):
                    read = (q * stride + (t + k * axis.step) * tap - low) // hole
                    assert -before <= read < extent + behind, (axis.__dict__, q, t, k)


@pytest.mark.parametrize("window", [1, 3])
def test_convolutions_without_channels(window: int) -> None:
    """They are zeros. Only texts have them; code that divides by their number ends the process."""
    shape = f"{8 - window},{7 - window},8"
    f = parse(f"""func @f(%x: f32[n,7,6,0], %w: f32[{window},{window},0,8]) -> f32[n,{shape}] {{
  %0 = conv %x, %w {{size = ({8 - window}, {7 - window}), strides = (1, 1), low = (0, 0), \
rhs_dilation = (1, 1), lhs_dilation = (1, 1), groups = 1, batch_groups = 1}} : f32[n,{shape}]
  return %0
}}""")
    for fields in TARGETS.values():
        for op in lower(f, Target(**fields)).walk():
            divisor = op.operands[1].op if isinstance(op, FloorDiv | FloorMod) else None
            assert not isinstance(divisor, Constant) or divisor.value != 0
    y = np.asarray(
        f(np.ones((2, 7, 6, 0), np.float32), np.ones((window, window, 0, 8), np.float32))
    )
    assert y.shape == (2, 8 - window, 7 - window, 8) and not y.any()


def test_machines_and_threads_have_the_same_bits() -> None:
    """Vectors of 64, 32 and 16 bytes; on 1 to 8 threads."""

    def run(features: str, *which: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "tests.convolution_ways", *which],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "TFC_CPU_FEATURES": features},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    own = run("").splitlines(keepends=True)
    assert len(own) > 6
    for turn, features in enumerate(("-avx512f", "-avx")):  # every second one, by turns
        which, wanted = ((), own) if ALL else ((str(turn),), own[turn::2])
        assert run(features, *which) == "".join(wanted), features
