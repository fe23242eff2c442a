"""Gamma and Poisson variables: TensorFlow's, by its methods and in its order.

How many random words an element takes depends on its value: each element has blocks of its own in
the stream, 256 of them, and takes of them what it needs. A block makes two uniform numbers or two
normal ones, of which the second is taken first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, float64, int64
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, as_int, product
from ..types import TensorType
from .elementwise import Bitcast, Floor, Mul
from .random import blocks_behind
from .random_host import RandomGammaGrad
from .random_rejection import SPACING, Drawn, normals, uniforms
from .transcendental import Log, Log1p, Pow

_KNUTH_BELOW = 10.0  # rates of Poisson variables
_LEAST = 1e-7  # of what the logarithm of is taken


class Variables(Drawn, abstract=True):
    """The base: a variable for each element of the operands behind the state, whose last
    `parameters` elements are different distributions, of which the others are more draws."""

    @property
    def distributions(self) -> Extent:
        """How many there are: the field `parameters`."""
        raise NotImplementedError(f"{self.mnemonic}: distributions")

    def variable(self, lower: ScheduleBuilder, parameters: Sequence[Value], stream: Value) -> Value:
        """The variable, f64, of parameters in f64, which takes the blocks of the stream with this
        number."""
        raise NotImplementedError(f"{self.mnemonic}: variable")

    def operations(self) -> Extent:
        return product(self.operands[1].shape) * 150

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, None

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        parameters = self.operands[1:]
        shape, many = parameters[0].shape, self.distributions
        dtype = self.result.dtype

        def fill(index: Index) -> None:
            index = index[:-1]
            place = lower.linear(index, shape)
            each = Term(lower.b, lower.extent(many)).maximum(1)  # text may say anything
            draw = Term(lower.b, place) // each
            draws = Term(lower.b, lower.extent(product(shape))) // each
            stream = Term(lower.b, place) % each * draws + draw
            wide = [lower.cast(lower.element(x, index), float64) for x in parameters]
            drawn = self.variable(lower, wide, stream.value)
            lower.store(out, place, lower.cast(drawn, dtype))

        lower.spread((*shape, 1), fill)  # no vectors: what has loops takes none

    def pair(self, lower: ScheduleBuilder, place: Value) -> tuple[Term, Term]:
        """The uniform numbers of a block, the one that is taken first first."""
        words = self.block(lower, Term(lower.b, place))

        def unit(i: int) -> Term:
            pattern = (((words[i] << 32) | words[i + 1]) & ((1 << 52) - 1)) | (0x3FF << 52)
            return Term(lower.b, lower.emit(Bitcast(pattern.value, float64))) - 1

        return unit(2), unit(0)

    def normal_pair(self, lower: ScheduleBuilder, place: Value) -> tuple[Term, Term]:
        """The normal numbers of a block likewise."""
        angle, radius = self.pair(lower, place)
        length = (log(lower, radius.maximum(_LEAST)) * -2.0).sqrt()
        turn = angle * (2 * math.pi)
        return turn.cos() * length, turn.sin() * length


def log(lower: ScheduleBuilder, x: Term) -> Term:
    return Term(lower.b, lower.emit(Log(x.value)))


def constant(lower: ScheduleBuilder, number: float) -> Value:
    return lower.b.constant(number, float64)


def _one(lower: ScheduleBuilder) -> Term:
    return Term(lower.b, constant(lower, 1.0))


def where(
    lower: ScheduleBuilder,
    condition: Term,
    otherwise: Sequence[Value],
    body: Callable[[list[Term]], Sequence[Value]],
) -> Sequence[Value]:
    """What `body` makes of the values where the condition holds, else the values: as a loop of one
    round or none, so that others do not wait for it."""
    runs = lower.cast(condition.value, int64)
    zero = lower.extent(0)

    def step(carried: list[Term]) -> Sequence[Value]:
        return (zero, *body(carried[1:]))

    found = lower.while_((runs, *otherwise), lambda c: c[0].not_equal(0), step)
    return found[1:]


class Words:
    """The streams of elements: each block of one makes two numbers, of which the second is taken
    first."""

    def __init__(self, state: np.ndarray, places: np.ndarray, spacing: int = SPACING) -> None:
        self.state, self.first = state, places.astype(np.uint64) * np.uint64(spacing)
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


def places(shape: tuple[int, ...], inner: int) -> np.ndarray:
    """Whose stream each element takes: parameter by parameter, draw by draw, where the last
    `inner` elements of `shape` are those of the parameters."""
    count = int(np.prod(shape, dtype=np.int64))
    if not count:
        return np.zeros(0, np.int64)
    return np.ascontiguousarray(np.arange(count).reshape(inner, count // inner).T).ravel()


class RandomGamma(Variables):
    """Standard gamma variables: element by element of shape `alpha`, with scale 1.

    G. Marsaglia, W. W. Tsang: "A simple method for generating gamma variables", 2000: of normal x,
    d (1 + c x)^3 where a uniform number accepts it.

        parallel for each element:
            until one is accepted:
                the next block's normal numbers; of the block behind it, where needed, uniform ones
                try both
            below 1, multiply by a power of one more uniform number
    """

    alpha: Value
    parameters: Extent

    def infer(self) -> TensorType:
        self.check_state()
        if self.alpha.dtype.kind != "f":
            raise self.error("alpha must be floats", "dtype")
        return self.alpha.tensor_type

    @property
    def distributions(self) -> Extent:
        return self.parameters

    def numpy(self, state: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        wide = alpha.astype(np.float64).ravel()
        words = Words(state, places(alpha.shape, as_int(self.parameters)))
        return _gamma(wide, words).astype(alpha.dtype).reshape(alpha.shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, b.emit(Mul(dy, b.emit(RandomGammaGrad(self.alpha, self.result))))

    def variable(self, lower: ScheduleBuilder, parameters: Sequence[Value], stream: Value) -> Value:
        (parameter,) = parameters
        alpha, first = Term(lower.b, parameter), (Term(lower.b, stream) * SPACING).value
        small = alpha < 1
        shift = small.select(constant(lower, 2 / 3), constant(lower, -1 / 3))
        d = (alpha + shift).value
        c = (alpha.const(1 / 3) / Term(lower.b, d).sqrt()).value
        zero, one, none = lower.extent(0), lower.extent(1), constant(lower, 0.0)
        open_ = (alpha > 0) & alpha.not_equal(1)

        def step(carried: list[Term]) -> Sequence[Value]:
            block, left, kept = carried[1:4]
            tries = self.normal_pair(lower, block.value)
            fresh = self.pair(lower, (block + 1).value)
            taken = Term(lower.b, zero)
            going, result = Term(lower.b, one), Term(lower.b, none)
            for x in tries:
                v = Term(lower.b, c) * x + 1
                tried = going.not_equal(0) & (v > 0)
                has = left.not_equal(0)
                u = has.select(kept, fresh[0])
                draws = tried & has.logical_not()
                kept = draws.select(fresh[1], kept)
                taken = draws.select(one, taken)
                left = tried.select(one, zero) ^ left
                cube = v * v * v
                square = x * x
                at_once = tried & (u < _one(lower) - square * 0.0331 * square)
                given = [square.value, cube.value, u.value]

                def slowly(_: list[Term], given: list[Value] = given) -> Sequence[Value]:
                    square, cube, u = (Term(lower.b, g) for g in given)
                    right = Term(lower.b, d) * (_one(lower) - cube + log(lower, cube))
                    accepts = log(lower, u) < square * 0.5 + right
                    return (lower.cast(accepts.value, int64),)

                asked = tried & at_once.logical_not()
                (slow,) = where(lower, asked, (zero,), slowly)
                accepted = at_once | Term(lower.b, slow).not_equal(0)
                result = accepted.select(Term(lower.b, d) * cube, result)
                going = accepted.select(zero, going)
            return (
                going.value, (block + 1 + taken).value, left.value, kept.value, result.value,
            )  # fmt: skip

        start = (lower.cast(open_.value, int64), first, zero, none, none)
        found = lower.while_(start, lambda carried: carried[0].not_equal(0), step)
        _, block, left, kept, result = found

        def below(_: list[Term]) -> Sequence[Value]:
            fresh = self.pair(lower, block)[0]
            u = Term(lower.b, left).not_equal(0).select(Term(lower.b, kept), fresh)
            inverse = _one(lower) / Term(lower.b, parameter)
            power = lower.emit(Pow(u.value, inverse.value))
            return ((Term(lower.b, result) * Term(lower.b, power)).value,)

        (result,) = where(lower, small, (result,), below)

        def plain(_: list[Term]) -> Sequence[Value]:
            u = self.pair(lower, first)[0]
            return ((-Term(lower.b, lower.emit(Log1p((-u).value)))).value,)

        (result,) = where(lower, alpha.equal(1), (result,), plain)
        return result


def _gamma(alpha: np.ndarray, words: Words) -> np.ndarray:
    """A variable of each alpha."""
    result = np.zeros(alpha.shape)
    plain = np.flatnonzero(alpha == 1)
    result[plain] = -np.log1p(-words.uniform(plain))
    small = alpha < 1
    d = alpha + np.where(small, 2 / 3, -1 / 3)
    open_ = np.flatnonzero((alpha > 0) & (alpha != 1))
    c = 1 / 3 / np.sqrt(np.maximum(d, 1 / 3))
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


class RandomPoisson(Variables):
    """Poisson variables with the given rates, as `dtype`.

    Of rates below 10 by D. E. Knuth's method: how many uniform numbers have a product above
    exp(-rate). Of others by W. Hormann: "The transformed rejection method for generating Poisson
    random variables", 1993.

        parallel for each element:
            below 10: while the product is above exp(-rate): the next block's numbers; count
            else: until one is accepted: the next block's numbers, transformed
    """

    rate: Value
    parameters: Extent
    dtype: DType

    def infer(self) -> TensorType:
        self.check_state()
        if self.rate.dtype.kind != "f" or self.dtype.is_bool:
            raise self.error(f"not defined for {self.dtype.name}", "dtype")
        return TensorType(self.dtype, self.rate.shape)

    @property
    def distributions(self) -> Extent:
        return self.parameters

    def numpy(self, state: np.ndarray, rate: np.ndarray) -> np.ndarray:
        wide = rate.astype(np.float64).ravel()
        words = Words(state, places(rate.shape, as_int(self.parameters)))
        return _poisson(wide, words).astype(self.dtype.numpy).reshape(rate.shape)

    def variable(self, lower: ScheduleBuilder, parameters: Sequence[Value], stream: Value) -> Value:
        (parameter,) = parameters
        rate, first = Term(lower.b, parameter), (Term(lower.b, stream) * SPACING).value
        none, unit = constant(lower, 0.0), constant(lower, 1.0)
        least = (-rate).exp().value

        def counted(carried: list[Term]) -> Sequence[Value]:
            _, block, whole, count = carried
            a, b = self.pair(lower, block.value)
            once = whole * a
            above = once > Term(lower.b, least)
            twice = once * b
            goes_on = above & (twice > Term(lower.b, least))
            count = count + above.select(unit, none) + goes_on.select(unit, none)
            going = lower.cast(goes_on.value, int64)
            return going, (block + 1).value, twice.value, count.value

        low = lower.cast((rate < _KNUTH_BELOW).value, int64)
        found = lower.while_((low, first, unit, none), lambda c: c[0].not_equal(0), counted)
        high = lower.cast((rate >= _KNUTH_BELOW).value, int64)

        def tried(carried: list[Term]) -> Sequence[Value]:
            _, block, _ = carried
            u, v = self.pair(lower, block.value)
            k, accepted = self.transformed(lower, parameter, u - 0.5, v)
            going = lower.cast(accepted.logical_not().value, int64)
            return going, (block + 1).value, k.value

        drawn = lower.while_((high, first, found[3]), lambda c: c[0].not_equal(0), tried)
        return drawn[2]

    def transformed(
        self, lower: ScheduleBuilder, parameter: Value, u: Term, v: Term
    ) -> tuple[Term, Term]:
        """As `_transformed_rejection`: the logarithms are computed where they decide."""
        rate = Term(lower.b, parameter)
        b = rate.sqrt() * 2.53 + 0.931
        a = b * 0.02483 - 0.059
        inverse_alpha = 1.1328 / (b - 3.4) + 1.1239
        shifted = 0.5 - u.abs()
        k = Term(lower.b, lower.emit(Floor(((a * 2 / shifted + b) * u + rate + 0.43).value)))
        at_once = (shifted >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        out = (k < 0) | ((shifted < 0.013) & (v > shifted))
        asked = (at_once | out).logical_not()
        given = [t.value for t in (k, v, a, b, inverse_alpha, shifted)]

        def slowly(_: list[Term]) -> Sequence[Value]:
            k, v, a, b, inverse_alpha, shifted = (Term(lower.b, g) for g in given)
            rate = Term(lower.b, parameter)
            left = log(lower, v * inverse_alpha / (a / (shifted * shifted) + b))
            right = k * log(lower, rate) - rate - _log_factorial_of(lower, k)
            return (lower.cast((left <= right).value, int64),)

        (slow,) = where(lower, asked, (lower.extent(0),), slowly)
        return k, at_once | Term(lower.b, slow).not_equal(0)


def _log_factorial_of(lower: ScheduleBuilder, k: Term) -> Term:
    """As `_log_factorial`."""
    x, product = k + 1, k * 0 + 1
    for _ in range(10):
        small = x < 10
        product = small.select(product * x, product)
        x = small.select(x + 1, x)
    inverse = 1 / (x * x)
    series = ((inverse * (1 / 1188) - 1 / 1680) * inverse + 1 / 1260) * inverse - 1 / 360
    series = (series * inverse + 1 / 12) / x
    whole = (x - 0.5) * log(lower, x) - x + 0.5 * math.log(2 * math.pi) + series
    return whole - log(lower, product)


def _poisson(rate: np.ndarray, words: Words) -> np.ndarray:
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


__all__ = [
    "RandomGamma",
    "RandomPoisson",
    "Variables",
    "Words",
    "constant",
    "log",
    "places",
    "where",
]
