"""Random numbers that are drawn by rejection, on the host.

How many random words an element takes depends on its value, so there is no kernel by pull: each
element has blocks of its own in the stream, 256 of them, and takes of them what it needs. Gamma and
Poisson variables are TensorFlow's, by its methods and in its order; binomial ones are drawn by
NumPy's sampler, whose Philox is counter-based too: a draw begins at the counter and key of the
state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..core import Builder, Value
from ..dtypes import DType, float64, uint64
from ..extent import Extent, as_int
from ..types import TensorType
from .elementwise import Mul
from .host import HostCall
from .random import blocks_behind
from .random_rejection import SPACING, normals, uniforms

_KNUTH_BELOW = 10.0  # rates of Poisson variables


def _generator(state: np.ndarray) -> np.random.Generator:
    lower, upper, key = (int(word) for word in state)
    return np.random.Generator(np.random.Philox(counter=[lower, upper, 0, 0], key=[key, 0]))


class _Words:
    """The streams of elements: each block of one makes two numbers, of which the second is taken
    first."""

    def __init__(self, state: np.ndarray, places: np.ndarray) -> None:
        self.state, self.first = state, places.astype(np.uint64) * np.uint64(SPACING)
        self.blocks = np.zeros(len(places), np.uint64)  # that each element has taken
        self.kept = {kind: np.zeros(len(places)) for kind in ("uniform", "normal")}
        self.left = {kind: np.zeros(len(places), bool) for kind in self.kept}

    def uniform(self, which: np.ndarray) -> np.ndarray:
        """The next numbers in [0, 1) of these elements."""
        return self._next("uniform", which)

    def normal(self, which: np.ndarray) -> np.ndarray:
        """Their next normal numbers."""
        return self._next("normal", which)

    def _next(self, kind: str, which: np.ndarray) -> np.ndarray:
        kept, left = self.kept[kind], self.left[kind]
        drawn: np.ndarray = kept[which]
        fresh = which[~left[which]]
        words = blocks_behind(self.state, self.first[fresh] + self.blocks[fresh])
        self.blocks[fresh] += np.uint64(1)
        pairs = (normals if kind == "normal" else uniforms)(words, float64)
        drawn[~left[which]], kept[fresh] = pairs[:, 1], pairs[:, 0]
        left[which] = ~left[which]
        return drawn


class Sampler(HostCall, abstract=True):
    """The base. No gradient flows back, but where a subclass says so."""

    state: Value

    def check_state(self) -> None:
        if self.state.dtype is not uint64 or self.state.rank != 1:
            raise self.error("the state must be u64[3]", "dtype")

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,) * len(self.operands)


def _places(shape: tuple[int, ...], inner: int) -> np.ndarray:
    """Whose stream each element takes: parameter by parameter, draw by draw, where the last
    `inner` elements of `shape` are those of the parameters."""
    count = int(np.prod(shape, dtype=np.int64))
    if not count:
        return np.zeros(0, np.int64)
    return np.ascontiguousarray(np.arange(count).reshape(inner, count // inner).T).ravel()


class RandomGamma(Sampler):
    """Standard gamma variables: element by element of shape `alpha`, with scale 1. Its last
    `parameters` elements are different distributions, of which the others are more draws.

    G. Marsaglia, W. W. Tsang: "A simple method for generating gamma variables", 2000.
    """

    alpha: Value
    parameters: Extent

    def infer(self) -> TensorType:
        self.check_state()
        if self.alpha.dtype.kind != "f":
            raise self.error("alpha must be floats", "dtype")
        return self.alpha.tensor_type

    def numpy(self, state: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        wide = alpha.astype(np.float64).ravel()
        if np.any(~(wide > 0)):
            raise ValueError("alpha must be positive")
        words = _Words(state, _places(alpha.shape, as_int(self.parameters)))
        return _gamma(wide, words).astype(alpha.dtype).reshape(alpha.shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, b.emit(Mul(dy, b.emit(RandomGammaGrad(self.alpha, self.result))))


def _gamma(alpha: np.ndarray, words: _Words) -> np.ndarray:
    """A variable of each alpha."""
    result = np.empty(alpha.shape)
    plain = np.flatnonzero(alpha == 1)
    result[plain] = -np.log1p(-words.uniform(plain))
    small = alpha < 1
    d = alpha + np.where(small, 2 / 3, -1 / 3)
    c = 1 / 3 / np.sqrt(d)
    open_ = np.flatnonzero(alpha != 1)
    while open_.size:
        x = words.normal(open_)
        v = 1 + c[open_] * x
        fits = v > 0
        tried, x, v = open_[fits], x[fits], v[fits] ** 3
        u = words.uniform(tried)
        squeezed = u < 1 - 0.0331 * (x * x) * (x * x)
        with np.errstate(divide="ignore"):
            accepted = squeezed | (np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v)))
        done = tried[accepted]
        result[done] = d[done] * v[accepted]
        below = done[small[done]]
        result[below] *= words.uniform(below) ** (1 / alpha[below])
        left = ~fits
        left[fits] = ~accepted
        open_ = open_[left]
    return result


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


class RandomPoisson(Sampler):
    """Poisson variables with the given rates, as `dtype`; see RandomGamma for `parameters`.

    Of rates below 10 by D. E. Knuth's method: how many uniform numbers have a product above
    exp(-rate). Of others by W. Hormann: "The transformed rejection method for generating Poisson
    random variables", 1993.
    """

    rate: Value
    parameters: Extent
    dtype: DType

    def infer(self) -> TensorType:
        self.check_state()
        if self.rate.dtype.kind != "f" or self.dtype.is_bool:
            raise self.error(f"not defined for {self.dtype.name}", "dtype")
        return TensorType(self.dtype, self.rate.shape)

    def numpy(self, state: np.ndarray, rate: np.ndarray) -> np.ndarray:
        wide = rate.astype(np.float64).ravel()
        if np.any(~(wide >= 0)) or np.any(wide > 1e18):
            raise ValueError("lam must be in [0, 1e18]")
        words = _Words(state, _places(rate.shape, as_int(self.parameters)))
        return _poisson(wide, words).astype(self.dtype.numpy).reshape(rate.shape)


def _poisson(rate: np.ndarray, words: _Words) -> np.ndarray:
    """A variable of each rate."""
    result = np.zeros(rate.shape)
    low = np.flatnonzero(rate < _KNUTH_BELOW)
    least, product = np.exp(-rate), np.ones(rate.shape)
    while low.size:
        product[low] *= words.uniform(low)
        low = low[product[low] > least[low]]
        result[low] += 1
    open_ = np.flatnonzero(rate >= _KNUTH_BELOW)
    while open_.size:
        u, v = words.uniform(open_) - 0.5, words.uniform(open_)
        drawn, accepted = _transformed_rejection(rate[open_], u, v)
        result[open_[accepted]] = drawn[accepted]
        open_ = open_[~accepted]
    return result


def _transformed_rejection(
    rate: np.ndarray, u: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Hormann's PTRS: what u in [-0.5, 0.5) is transformed to, and where v accepts it."""
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    shifted = 0.5 - np.abs(u)
    with np.errstate(divide="ignore", invalid="ignore"):
        k = np.floor((2 * a / shifted + b) * u + rate + 0.43)
        at_once = (shifted >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        out = (k < 0) | ((shifted < 0.013) & (v > shifted))
        left = np.log(v * inverse_alpha / (a / (shifted * shifted) + b))
        right = -rate + k * np.log(rate) - _log_factorial(np.maximum(k, 0))
    return k, at_once | (~out & (left <= right))


def _log_factorial(k: np.ndarray) -> np.ndarray:
    """log(k!): by recurrence up to 10, then Stirling's series (Abramowitz and Stegun, 6.1.41)."""
    x, product = k + 1, np.ones_like(k)
    for _ in range(10):
        small = x < 10
        product = np.where(small, product * x, product)
        x = np.where(small, x + 1, x)
    inverse = 1 / (x * x)
    series = ((1 / 1188 * inverse - 1 / 1680) * inverse + 1 / 1260) * inverse - 1 / 360
    series = (series * inverse + 1 / 12) / x
    whole = (x - 0.5) * np.log(x) - x + 0.5 * math.log(2 * math.pi) + series
    return np.asarray(whole - np.log(product))


class RandomBinomial(Sampler):
    """Binomial variables: successes among `counts` trials of probability `probs`, as `dtype`."""

    counts: Value
    probs: Value
    dtype: DType

    def infer(self) -> TensorType:
        self.check_state()
        if self.probs.dtype.kind != "f" or self.dtype.is_bool or self.counts.dtype.is_bool:
            raise self.error(f"not defined for {self.dtype.name}", "dtype")
        if self.counts.shape != self.probs.shape:
            raise self.error("operands must have the same shape")
        return TensorType(self.dtype, self.probs.shape)

    def numpy(self, state: np.ndarray, counts: np.ndarray, probs: np.ndarray) -> np.ndarray:
        trials, chance = counts.astype(np.float64), probs.astype(np.float64)
        if np.any(~(trials >= 0)) or np.any(trials >= 2**62):
            raise ValueError("counts must be in [0, 2^62)")
        if np.any(~(chance >= 0)) or np.any(chance > 1):
            raise ValueError("probs must be in [0, 1]")
        drawn = _generator(state).binomial(trials.astype(np.int64).ravel(), chance.ravel())
        return drawn.astype(self.dtype.numpy).reshape(probs.shape)
