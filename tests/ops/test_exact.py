"""Functions that are made of others, and derivatives, in float64 and float32 against fifty digits:
at random numbers of all magnitudes, and far out, where differences cancel and powers overflow. (The
elementary functions themselves: test_accuracy.py.)

An error may be some units in the last place of the result, or of what it changes by where its
operand is another by that much (its condition). Where both libraries compute a difference that
cancels, `cancels` says what it cancels from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL

mp = pytest.importorskip("mpmath")

COUNT = 400 if ALL else 30  # random numbers of each kind
UNITS = 16.0


@dataclass(frozen=True)
class Exact:
    """A function, and what it and its derivative are; numbers are drawn up to `largest`."""

    call: Callable[[Any], Any]
    value: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    largest: float = 1e30
    positive: bool = False
    zero: bool = True  # whether it is tried there: where it bends, test_agreed.py says what it is
    cancels: float = 0.0  # the derivative: from a difference of numbers of this size
    near: float = 0.0  # the value, likewise


def sigma(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def phi(x: Any) -> Any:
    """The normal distribution, up to x; mp.ncdf cancels for large negative numbers."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


def density(x: Any) -> Any:
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


SELU, ALPHA = (
    mp.mpf("1.0507009873554804934193349852946"),
    mp.mpf("1.6732632423543772848170429916717"),
)
ROOT = mp.sqrt(2 / mp.mpf(mp.pi))


def inner(x: Any) -> Any:
    return 2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)


LABEL = 0.25

TABLE = {
    "softsign": Exact(tf.nn.softsign, lambda x: x / (1 + abs(x)), lambda x: 1 / (1 + abs(x)) ** 2),
    "softplus": Exact(tf.nn.softplus, lambda x: mp.log1p(mp.exp(x)), sigma, 600),
    "log_sigmoid": Exact(
        tf.math.log_sigmoid, lambda x: -mp.log1p(mp.exp(-x)), lambda x: sigma(-x), 600
    ),
    "sigmoid": Exact(tf.sigmoid, sigma, lambda x: sigma(x) * sigma(-x), 80, cancels=1.0),
    "tanh": Exact(tf.tanh, mp.tanh, lambda x: mp.sech(x) ** 2, 80, cancels=1.0),
    "silu": Exact(
        tf.nn.silu,
        lambda x: x * sigma(x),
        lambda x: sigma(x) + x * sigma(x) * sigma(-x),
        80,
        cancels=80.0,
    ),
    "gelu": Exact(tf.nn.gelu, lambda x: x * phi(x), lambda x: phi(x) + x * density(x), 12),
    "gelu by tanh": Exact(
        lambda x: tf.nn.gelu(x, approximate=True),
        lambda x: x * sigma(inner(x)),
        lambda x: sigma(inner(x))
        + x * sigma(inner(x)) * sigma(-inner(x)) * mp.diff(inner, x),
        8,
        cancels=30.0,
    ),
    "elu": Exact(
        tf.nn.elu,
        lambda x: x if x > 0 else mp.expm1(x),
        lambda x: mp.mpf(1) if x > 0 else mp.exp(x),
        80,
    ),
    "selu": Exact(
        tf.nn.selu,
        lambda x: SELU * (x if x > 0 else ALPHA * mp.expm1(x)),
        lambda x: SELU * (1 if x > 0 else ALPHA * mp.exp(x)),
        80,
        zero=False,
    ),
    "sigmoid cross entropy": Exact(
        lambda x: tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.fill(tf.shape(x), tf.cast(LABEL, x.dtype)), logits=x
        ),
        lambda x: mp.log1p(mp.exp(x)) - LABEL * x,
        lambda x: sigma(x) - LABEL,
        600,
        cancels=1.0,
    ),
    "weighted cross entropy": Exact(
        lambda x: tf.nn.weighted_cross_entropy_with_logits(
            tf.fill(tf.shape(x), tf.cast(LABEL, x.dtype)), x, tf.cast(3.0, x.dtype)
        ),
        lambda x: (1 - LABEL) * x + (1 + 2 * LABEL) * mp.log1p(mp.exp(-x)),
        lambda x: (1 - LABEL) - (1 + 2 * LABEL) * sigma(-x),
        600,
        cancels=1.0,
    ),
    "log_poisson_loss": Exact(
        lambda x: tf.nn.log_poisson_loss(tf.fill(tf.shape(x), tf.cast(3.0, x.dtype)), x),
        lambda x: mp.exp(x) - 3 * x,
        lambda x: mp.exp(x) - 3,
        80,
        cancels=3.0,
    ),
    "atan": Exact(tf.atan, mp.atan, lambda x: 1 / (1 + x * x), 1e15),
    "asinh": Exact(tf.asinh, mp.asinh, lambda x: 1 / mp.sqrt(1 + x * x), 1e15),
    "rsqrt": Exact(tf.math.rsqrt, lambda x: 1 / mp.sqrt(x), lambda x: -(x ** mp.mpf(-1.5)) / 2,
                   1e20, positive=True),
    "log1p": Exact(tf.math.log1p, mp.log1p, lambda x: 1 / (1 + x), positive=True),
    "expm1": Exact(tf.math.expm1, mp.expm1, mp.exp, 80),
    "erf": Exact(tf.math.erf, mp.erf, lambda x: 2 / mp.sqrt(mp.pi) * mp.exp(-x * x), 8),
    "erfc": Exact(tf.math.erfc, mp.erfc, lambda x: -2 / mp.sqrt(mp.pi) * mp.exp(-x * x), 8),
    "xlogy": Exact(
        lambda x: tf.math.xlogy(x, x), lambda x: x * mp.log(x), lambda x: mp.log(x) + 1,
        1e30, positive=True, cancels=1.0,
    ),
    "divide_no_nan": Exact(
        lambda x: tf.math.divide_no_nan(tf.ones_like(x), x), lambda x: 1 / x,
        lambda x: -1 / x**2, 1e15, zero=False,
    ),
    "pow": Exact(lambda x: x**2.5, lambda x: x ** mp.mpf(2.5), lambda x: x ** mp.mpf(1.5) * 2.5,
                 1e10, positive=True),
    "logsumexp": Exact(
        lambda x: tf.reduce_logsumexp(tf.stack([x, tf.zeros_like(x)], 1), 1),
        lambda x: mp.log1p(mp.exp(x)), sigma, 600,
        near=1.0,
    ),
    "l2_normalize": Exact(
        lambda x: tf.math.l2_normalize(tf.stack([x, tf.ones_like(x)], 1), 1)[:, 0],
        lambda x: x / mp.sqrt(1 + x * x), lambda x: (1 + x * x) ** mp.mpf(-1.5), 1e3,
        cancels=1.0,
    ),
}  # fmt: skip


def numbers(e: Exact, dtype: Any) -> np.ndarray:
    """Of the size of 1, of all magnitudes, and the ends of the range."""
    rng = np.random.default_rng(5)
    small = 1e-30
    spread = np.exp(rng.uniform(np.log(small), np.log(e.largest), COUNT))
    near = np.abs(rng.normal(size=COUNT)) * min(4.0, e.largest / 4)
    ends = [small, 0.5, 1.0, 2.0, e.largest / 2, e.largest]
    positive = np.concatenate([spread, near, ends]).astype(dtype)
    return (
        positive
        if e.positive
        else np.concatenate([positive, -positive, [0.0][: e.zero]]).astype(dtype)
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", TABLE)
def test_against_fifty_digits(name: str, dtype: Any) -> None:
    e = TABLE[name]
    x = numbers(e, dtype)
    operand = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(operand)
        y = e.call(operand)
    slopes = tape.gradient(y, operand)
    epsilon, tiny = float(np.finfo(dtype).eps) / 2, float(np.finfo(dtype).tiny)
    largest = float(np.finfo(dtype).max)
    wrong = []
    with mp.workdps(50):
        for number, got, slope in zip(x, y.numpy(), slopes.numpy(), strict=True):
            v = mp.mpf(float(number))
            value, derivative = e.value(v), e.slope(v)
            step = abs(v) * mp.mpf(10) ** -20 + mp.mpf(10) ** -45
            bend = abs(e.slope(v + step) - e.slope(v - step)) / (2 * step)
            errors = (
                ("value", got, value, abs(value) + abs(v * derivative) + e.near),
                ("slope", slope, derivative, abs(derivative) + abs(v) * bend + e.cancels),
            )
            for what, result, truth, scale in errors:
                if abs(truth) > largest and abs(result) == np.inf and (result > 0) == (truth > 0):
                    continue
                error = abs(mp.mpf(float(result)) - truth)
                if not error <= UNITS * epsilon * scale + tiny:
                    wrong.append(f"{what} at {number!r}: {result!r}, not {mp.nstr(truth, 17)}")
    assert not wrong, "\n".join(wrong[:8])
