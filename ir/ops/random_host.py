"""What is drawn on the host, by NumPy's generators: its Philox is counter-based too, so that a draw
begins at the counter and key of the state. And how gamma variables move."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..core import Builder, Value
from ..dtypes import uint64
from ..types import TensorType
from .host import HostCall


def _generator(state: np.ndarray) -> np.random.Generator:
    lower, upper, key = (int(word) for word in state)
    return np.random.Generator(np.random.Philox(counter=[lower, upper, 0, 0], key=[key, 0]))


class Sampler(HostCall, abstract=True):
    """The base. No gradient flows back, but where a subclass says so."""

    state: Value

    def check_state(self) -> None:
        if self.state.dtype is not uint64 or self.state.rank != 1:
            raise self.error("the state must be u64[3]", "dtype")

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,) * len(self.operands)


class RandomGammaGrad(HostCall):
    """How a standard gamma variable moves with alpha at a fixed quantile: -(dF/da) / (dF/dx).

    M. Figurnov, S. Mohamed, A. Mnih: "Implicit reparameterization gradients", 2018.
    """

    alpha: Value
    sample: Value

    def infer(self) -> TensorType:
        if self.alpha.type != self.sample.type or self.alpha.dtype.kind != "f":
            raise self.error("operands must be floats of one type", "dtype")
        return self.alpha.tensor_type

    def numpy(self, alpha: np.ndarray, sample: np.ndarray) -> np.ndarray:
        a, x = alpha.astype(np.float64), np.maximum(sample.astype(np.float64), 1e-300)
        large = a > _SERIES_MAX
        slope = np.empty(a.shape)
        slope[~large] = _gamma_series(a[~large], x[~large])
        slope[large] = _gamma_expansion(a[large], x[large])
        return slope.astype(alpha.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        raise self.error("has no gradient", "value")


_SERIES_MAX = 1000.0


def _gamma_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """From F(x; a) = x^a e^-x sum_n x^n / Gamma(a + n + 1), term by term: with
    c_n = x^(n+1) / (a (a+1) ... (a+n)), the slope is sum_n c_n (digamma(a+n+1) - log x)."""
    if not a.size:
        return a
    term, psi = x / a, _digamma(a) + 1 / a
    log = np.log(x)
    total = term * (psi - log)
    peak = np.max(x - a, initial=0.0)
    for n in range(1, int(peak + 12 * math.sqrt(np.max(x)) + 60)):
        term = term * (x / (a + n))
        psi = psi + 1 / (a + n)
        total = total + term * (psi - log)
    return np.asarray(total)


def _gamma_expansion(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """From the expansion of Cornish and Fisher of the quantile at the normal quantile z,
    x = a + z sqrt(a) + (z^2 - 1)/3 + (z^3 - 7z)/(36 sqrt(a)) - (3z^4 + 7z^2 - 16)/(810 a)."""
    root = np.sqrt(a)
    z = (x - a) / root
    for _ in range(20):
        tail = (z**3 - 7 * z) / (36 * root) - (3 * z**4 + 7 * z**2 - 16) / (810 * a)
        z = (x - a - (z**2 - 1) / 3 - tail) / root
    third, fourth = (z**3 - 7 * z) / (72 * a * root), (3 * z**4 + 7 * z**2 - 16) / (810 * a * a)
    return np.asarray(1 + z / (2 * root) - third + fourth)


def _digamma(a: np.ndarray) -> np.ndarray:
    """By recurrence up to 10, then the asymptotic series (Abramowitz and Stegun, 6.3.18)."""
    total = np.zeros_like(a)
    for _ in range(10):
        small = a < 10
        total = np.where(small, total - 1 / a, total)
        a = np.where(small, a + 1, a)
    inverse = 1 / (a * a)
    series = (1 / 240 - inverse / 132) * inverse - 1 / 252
    series = (series * inverse + 1 / 120) * inverse - 1 / 12
    return np.asarray(total + np.log(a) - 0.5 / a + series * inverse)
