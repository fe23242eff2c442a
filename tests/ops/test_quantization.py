"""Fake quantisation: against NumPy, eager and traced, with its gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

Q = tf.quantization
ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)
X = np.random.default_rng(3).uniform(-8, 8, (40, 3)).astype(np.float32)


def nudged(low: Any, high: Any, bits: int, narrow: bool) -> tuple[Any, Any, Any]:
    least, most = np.float32(narrow), np.float32(2**bits - 1)
    step = (high - low) / (most - least)
    zero = np.floor(np.clip(least - low / step, least, most) + np.float32(0.5))
    return (least - zero) * step, (most - zero) * step, step


def fake(x: np.ndarray, low: Any, high: Any, bits: int, narrow: bool) -> np.ndarray:
    first, last, step = nudged(np.float32(low), np.float32(high), bits, narrow)
    return np.round((np.clip(x, first, last) - first) / step) * step + first


def both(call: Any, *arguments: Any) -> Any:
    """What a call gives, which is the same when it is traced."""
    eager = call(*arguments)
    traced = tf.function(call)(*arguments)
    for a, b in zip(tf.nest.flatten(eager), tf.nest.flatten(traced), strict=True):
        assert a.numpy().tobytes() == b.numpy().tobytes()
    return eager


@pytest.mark.parametrize(("low", "high"), [(-6.0, 6.0), (0.0, 1.0), (-0.1, 5.9), (2.0, 7.0)])
@pytest.mark.parametrize(("bits", "narrow"), [(8, False), (3, True)])
def test_fake_quantisation(low: float, high: float, bits: int, narrow: bool) -> None:
    x = tf.constant(X)
    want = fake(X, low, high, bits, narrow)
    call = Q.fake_quant_with_min_max_args
    found = both(lambda v: call(v, low, high, bits, narrow), x)
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)
    bounds = tf.constant(low), tf.constant(high)
    again = Q.fake_quant_with_min_max_vars(x, *bounds, bits, narrow)
    assert again.numpy().tobytes() == found.numpy().tobytes()
    if low <= 0:
        assert abs(float(call(0.0, low, high, bits, narrow))) < 1e-6
    weights = tf.constant(X[::-1].copy())

    def gradients(*sources: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = tf.reduce_sum(Q.fake_quant_with_min_max_vars(*sources, bits, narrow) * weights)
        return tape.gradient(y, sources)

    first, last, _ = nudged(np.float32(low), np.float32(high), bits, narrow)
    below, above = first > X, last < X
    g = weights.numpy()
    wanted = np.where(below | above, 0, g), g[below].sum(), g[above].sum()
    named = Q.fake_quant_with_min_max_vars_gradient(weights, x, *bounds, bits, narrow)
    for got, also, want in zip(both(gradients, x, *bounds), named, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(got, also)
    only = Q.fake_quant_with_min_max_args_gradient(weights, x, low, high, bits, narrow)
    np.testing.assert_array_equal(only, wanted[0])


def test_per_channel() -> None:
    low, high = np.array([-1, 0, -6], np.float32), np.array([1, 3, 6], np.float32)
    call = Q.fake_quant_with_min_max_vars_per_channel
    for x in (X, X.reshape(8, 5, 3), X[0]):
        found = both(lambda *v: call(*v), tf.constant(x), tf.constant(low), tf.constant(high))
        np.testing.assert_allclose(found, fake(x, low, high, 8, False), rtol=1e-5, atol=1e-5)
    bounds = tf.Variable(low), tf.Variable(high)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(call(X, *bounds))
    to_low, to_high = tape.gradient(y, bounds)
    first, last, _ = nudged(low, high, 8, False)
    np.testing.assert_array_equal(to_low, (X < first).sum(0))
    np.testing.assert_array_equal(to_high, (X > last).sum(0))
    assert call(tf.zeros([2, 3]), [0.0] * 3, [0.0] * 3).numpy().tolist() == [[0] * 3] * 2


def wanted(x: np.ndarray, low: Any, high: Any, bits: int, signed: bool, clip: bool) -> np.ndarray:
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    with np.errstate(divide="ignore"):
        scale = min(
            least / low if low * least > 0 else 1e38, most / high if high * most > 0 else 1e38
        )
    x = np.clip(x, least / scale, most / scale) if clip else x
    return np.round(x * scale) / scale


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("given", [True, False])
def test_quantise_and_dequantise(signed: bool, given: bool) -> None:
    x = X if signed else np.abs(X)
    low, high = (-3.0 if signed else 0.0, 2.5) if given else (x.min(), x.max())
    call = Q.quantize_and_dequantize_v2

    def f(v: Any) -> Any:
        return call(v, -3.0 if signed else 0.0, 2.5, signed, 5, given)

    want = wanted(x.astype(np.float64), low, high, 5, signed, given)
    np.testing.assert_allclose(both(f, tf.constant(x)), want, rtol=1e-5, atol=1e-5)
    v = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(v))
    inside = (x >= low) & (x <= high) if given else np.ones_like(x)
    np.testing.assert_array_equal(tape.gradient(y, v), inside)


def test_axes_and_rounding() -> None:
    x = np.array([[0.5, 1.0], [6.0, 10.0]], np.float32)
    found = Q.quantize_and_dequantize_v2(x, 0.0, 0.0, num_bits=4, axis=0)
    rows = [wanted(r.astype(np.float64), r.min(), r.max(), 4, True, False) for r in x]
    np.testing.assert_allclose(found, rows, rtol=1e-6)
    low, high = [0.0, 0.0], [1.0, 10.0]
    found = Q.quantize_and_dequantize_v2(x, low, high, range_given=True, num_bits=4, axis=0)
    np.testing.assert_allclose(found, rows, rtol=1e-6)
    halves = np.array([0.5, 1.5, 7.0], np.float32)
    for mode, numbers in (("HALF_TO_EVEN", [0, 2, 7]), ("HALF_UP", [1, 2, 7])):
        got = Q.quantize_and_dequantize_v2(halves, 0.0, 0.0, num_bits=4, round_mode=mode)
        assert got.numpy().tolist() == numbers
    assert Q.quantize_and_dequantize(tf.constant([0.5], tf.float64), 0.0, 0.0).dtype == "float64"


BAD: list[tuple[Any, str]] = [
    (lambda: Q.fake_quant_with_min_max_args(X, 1.0, 0.0), "min must"),
    (lambda: Q.fake_quant_with_min_max_args(X, num_bits=17), "between 2 and 16"),
    (lambda: Q.fake_quant_with_min_max_args(tf.constant([1], tf.int64)), "float32, got int64"),
    (lambda: Q.fake_quant_with_min_max_vars(X, [0.0], [1.0]), "rank 0"),
    (lambda: Q.fake_quant_with_min_max_vars_per_channel(X, [0.0], [1.0]), "3 elements"),
    (lambda: Q.quantize_and_dequantize_v2(X, 0.0, 1.0, round_mode="UP"), "round_mode"),
    (lambda: Q.quantize_and_dequantize_v2(X, 0.0, 1.0, axis=2), "out of range"),
    (
        lambda: Q.quantize_and_dequantize_v2(tf.constant([1], tf.int64), 0.0, 1.0),
        "not defined for dtype int64",
    ),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_errors(k: int) -> None:
    call, text = BAD[k]
    with pytest.raises(ERRORS, match=text):
        call()


@pytest.mark.parametrize("name", ["signed_input", "range_given", "narrow_range"])
def test_flags_of_quantize_and_dequantize_are_no_arrays(name: str) -> None:
    for call in (Q.quantize_and_dequantize, Q.quantize_and_dequantize_v2):
        with pytest.raises(TypeError, match=f"{name} must be True or False, got"):
            call([0.5, 1.0], 0.0, 1.0, **{name: np.array([True, False])})
