"""Binomial variables: TensorFlow's, by its methods and in its order (see random_variables.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, int64
from ..element_builder import ScheduleBuilder
from ..extent import Extent, as_int
from ..types import TensorType
from .elementwise import Ceil, Floor
from .random_rejection import SPACING
from .random_variables import Variables, Words, constant, log, places, where
from .transcendental import Log1p

_INVERTED_BELOW = 10.0  # expected successes
_INVERTED_SPACING = 42  # blocks from one element to the next
_TAIL = (  # of Stirling's approximation, for 0 to 9
    (0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509)
    + (0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720)
    + (0.00925546218271273, 0.00833056343336287)
)


class RandomBinomial(Variables):
    """Binomial variables: successes among `counts` trials of probability `probs`, as `dtype`.

    Where less than 10 are expected, how many geometric variables have a sum of at most `counts`. Of
    others by W. Hormann: "The generation of binomial random variates", 1993 (BTRS). Probabilities
    above a half count failures.

        parallel for each element:
            below 10: while the sum is at most `counts`: the next block's numbers; count
            else: until one is accepted: the next block's numbers, transformed
    """

    counts: Value
    probs: Value
    parameters: Extent
    dtype: DType

    def infer(self) -> TensorType:
        self.check_state()
        if self.probs.dtype.kind != "f" or self.dtype.is_bool or self.counts.dtype.is_bool:
            raise self.error(f"not defined for {self.dtype.name}", "dtype")
        if self.counts.shape != self.probs.shape:
            raise self.error("operands must have the same shape")
        return TensorType(self.dtype, self.probs.shape)

    @property
    def distributions(self) -> Extent:
        return self.parameters

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, None, None

    def numpy(self, state: np.ndarray, counts: np.ndarray, probs: np.ndarray) -> np.ndarray:
        n, p = counts.astype(np.float64).ravel(), probs.astype(np.float64).ravel()
        flipped = p > 0.5
        q = np.where(flipped, 1 - p, p)
        streams = places(probs.shape, as_int(self.parameters))
        drawn = np.zeros(n.shape)
        open_ = np.flatnonzero((n > 0) & (q > 0) & (n * q < _INVERTED_BELOW))
        words, sums = Words(state, streams, _INVERTED_SPACING), np.zeros(n.shape)
        while open_.size:
            with np.errstate(divide="ignore"):
                sums[open_] += np.ceil(np.log(words.uniform(open_)) / np.log1p(-q[open_]))
            open_ = open_[sums[open_] <= n[open_]]
            drawn[open_] += 1
        open_ = np.flatnonzero(n * q >= _INVERTED_BELOW)
        words = Words(state, streams, SPACING)
        while open_.size:
            u, v = words.uniform(open_) - 0.5, words.uniform(open_)
            k, accepted = _transformed_rejection(n[open_], q[open_], u, v)
            drawn[open_[accepted]] = k[accepted]
            open_ = open_[~accepted]
        found = np.where(flipped, n - drawn, drawn)
        return found.astype(self.dtype.numpy).reshape(probs.shape)

    def variable(self, lower: ScheduleBuilder, parameters: Sequence[Value], stream: Value) -> Value:
        n, p = (Term(lower.b, value) for value in parameters)
        unit, zero = constant(lower, 1.0), constant(lower, 0.0)
        flipped = p > 0.5
        q = flipped.select(Term(lower.b, unit) - p, p)
        expected = n * q
        fails = Term(lower.b, lower.emit(Log1p((-q).value)))
        bound, rate = n.value, fails.value

        def counted(carried: list[Term]) -> Sequence[Value]:
            _, block, total, count = carried
            goes_on = Term(lower.b, lower.extent(1)).not_equal(0)
            for u in self.pair(lower, block.value):
                gap = log(lower, u) / Term(lower.b, rate)
                total = total + Term(lower.b, lower.emit(Ceil(gap.value)))
                goes_on = goes_on & (total <= Term(lower.b, bound))
                count = count + goes_on.select(unit, zero)
            going = lower.cast(goes_on.value, int64)
            return going, (block + 1).value, total.value, count.value

        few = lower.cast(((n > 0) & (q > 0) & (expected < _INVERTED_BELOW)).value, int64)
        first = (Term(lower.b, stream) * _INVERTED_SPACING).value
        found = lower.while_((few, first, zero, zero), lambda c: c[0].not_equal(0), counted)
        given = (bound, q.value)

        def tried(carried: list[Term]) -> Sequence[Value]:
            _, block, _ = carried
            u, v = self.pair(lower, block.value)
            k, accepted = self.transformed(lower, given, u - 0.5, v)
            going = lower.cast(accepted.logical_not().value, int64)
            return going, (block + 1).value, k.value

        many = lower.cast((expected >= _INVERTED_BELOW).value, int64)
        first = (Term(lower.b, stream) * SPACING).value
        drawn = lower.while_((many, first, found[3]), lambda c: c[0].not_equal(0), tried)
        successes = Term(lower.b, drawn[2])
        return flipped.select((n - successes).value, successes).value

    def transformed(
        self, lower: ScheduleBuilder, parameters: Sequence[Value], u: Term, v: Term
    ) -> tuple[Term, Term]:
        """As `_transformed_rejection`: the logarithms are computed where they decide."""
        n, p = (Term(lower.b, value) for value in parameters)
        deviation = (n * p * (1 - p)).sqrt()
        b = deviation * 2.53 + 1.15
        a = b * 0.0248 - 0.0873 + p * 0.01
        shifted = 0.5 - u.abs()
        k = Term(lower.b, lower.emit(Floor(((a * 2 / shifted + b) * u + (n * p + 0.5)).value)))
        at_once = (shifted >= 0.07) & (v <= 0.92 - 4.2 / b)
        asked = (at_once | (k < 0) | (k > n)).logical_not()
        ratio = v * ((2.83 + 5.1 / b) * deviation) / (a / (shifted * shifted) + b)
        given = [t.value for t in (k, ratio)]

        def slowly(_: list[Term]) -> Sequence[Value]:
            k, ratio = (Term(lower.b, g) for g in given)
            n, p = (Term(lower.b, value) for value in parameters)
            r = p / (1 - p)
            m = Term(lower.b, lower.emit(Floor(((n + 1) * p).value)))
            most = (m + 0.5) * log(lower, (m + 1) / (r * (n - m + 1)))
            most = most + (n + 1) * log(lower, (n - m + 1) / (n - k + 1))
            most = most + (k + 0.5) * log(lower, r * (n - k + 1) / (k + 1))
            most = most + _tail_of(m) + _tail_of(n - m) - _tail_of(k) - _tail_of(n - k)
            return (lower.cast((log(lower, ratio) <= most).value, int64),)

        (slow,) = where(lower, asked, (lower.extent(0),), slowly)
        return k, at_once | Term(lower.b, slow).not_equal(0)


def _tail_of(k: Term) -> Term:
    """As `_tail`."""
    square = (k + 1) * (k + 1)
    found = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    for i, known in enumerate(_TAIL):
        found = k.equal(i).select(k.const(known), found)
    return found


def _transformed_rejection(
    n: np.ndarray, p: np.ndarray, u: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Hormann's BTRS: what u in [-0.5, 0.5) is transformed to, and where v accepts it."""
    deviation = np.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    r = p / (1 - p)
    m = np.floor((n + 1) * p)
    shifted = 0.5 - np.abs(u)
    with np.errstate(divide="ignore", invalid="ignore"):
        k = np.floor((2 * a / shifted + b) * u + (n * p + 0.5))
        at_once = (shifted >= 0.07) & (v <= 0.92 - 4.2 / b)
        inside = (k >= 0) & (k <= n)
        found = np.log(v * ((2.83 + 5.1 / b) * deviation) / (a / (shifted * shifted) + b))
        most = (m + 0.5) * np.log((m + 1) / (r * (n - m + 1)))
        most += (n + 1) * np.log((n - m + 1) / (n - k + 1))
        most += (k + 0.5) * np.log(r * (n - k + 1) / (k + 1))
        most += _tail(m) + _tail(n - m) - _tail(k) - _tail(n - k)
    return k, at_once | (inside & (found <= most))


def _tail(k: np.ndarray) -> np.ndarray:
    """What Stirling's approximation of the logarithm of k! leaves out."""
    square = (k + 1) * (k + 1)
    series = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    small = (k >= 0) & (k <= 9)
    return np.where(small, np.take(_TAIL, np.where(small, k, 0).astype(int)), series)


__all__ = ["RandomBinomial"]
