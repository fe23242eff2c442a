"""How random numbers are drawn from a state: IR for each distribution.

A `Distribution` is written once, as a body on the words of Philox, and serves generators (with a
state that moves on) and the stateless functions (with a seed). The numbers are made of the words in
the way that TensorFlow makes them, so that the same seed gives the same numbers; but normal ones
between bounds of one's own are made in a way of our own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, float32, float64, int64, uint16, uint32, uint64
from tfc.ir.extent import Extent, product

from ...dispatch.primitive import Primitive, broadcast_to, common_shape, retype

Shape = tuple[Extent, ...]
RESERVED = 256  # blocks of four words that a draw reserves for each of its elements
_SCRAMBLE = 0x02461E293EC8F720  # the key that turns a seed into a state, as in TensorFlow


class Distribution:
    """The primitives of one distribution, made of `body(b, state, *operands, *static)`. A draw of
    so many elements, of this shape, takes `reserved(shape, *operands, *static)` blocks; by default
    256 for each.

    `stateful` takes a generator's state, i64[3], and gives (sample, state after it); `stateless`
    takes a seed, two integers.
    """

    def __init__(
        self, body: Callable[..., Any], reserved: Callable[..., Extent] | None = None
    ) -> None:
        name = f"random.{body.__name__.strip('_')}"

        def stateful(b: Builder, state: Value, *rest: Any) -> Any:
            words = unsigned(b, state)
            sample = body(b, words, *rest)
            if reserved is None:
                return sample, _advanced(b, words, sample.type.size)
            return sample, _moved_by(b, words, reserved(sample.shape, *rest))

        def stateless(b: Builder, seed: Value, *rest: Any) -> Value:
            return body(b, state_of_seed(b, seed), *rest)

        self.name = name
        self.stateful = Primitive(stateful, name)
        self.stateless = Primitive(stateless, f"stateless_{name.removeprefix('random.')}")


def unsigned(b: Builder, state: Value) -> Value:
    if state.dtype is not int64 or state.rank != 1:
        raise OpError("random: the state must be a vector of three int64", "dtype")
    return b.emit(ir.Bitcast(retype(b, state, (3,)), uint64))


def state_of_seed(b: Builder, seed: Value) -> Value:
    """The state u64[3] of a stateless draw: both parts of the seed, scrambled."""
    if not seed.dtype.is_integer:
        raise OpError(f"random: seed must be integers, got {seed.dtype.name}", "dtype")
    if seed.rank != 1 or (isinstance(seed.shape[0], int) and seed.shape[0] != 2):
        raise OpError("random: seed must have shape [2]")
    seed = retype(b, seed, (2,))
    wide = b.emit(ir.Cast(b.emit(ir.Cast(seed, int64)), uint64))
    key = b.emit(ir.Constant(np.array([_SCRAMBLE], np.uint64)))
    mixed = b.emit(ir.Concat((wide, key), 0))
    low, high = (b.emit(ir.RandomBits(mixed, (2,), (1, 2, i))) for i in (0, 1))
    pairs = b.emit(ir.Reverse(_joined(b, low, high), (0,)))  # the counter's upper half, the key
    zero = b.constant(0, uint64)
    return b.emit(ir.Pad(pairs, zero, (1,), (3,), (1,)))


def _joined(b: Builder, low: Value, high: Value) -> Value:
    """Two words as u64."""
    top = Term(b, b.emit(ir.Cast(high, uint64))) << 32
    return (top | Term(b, b.emit(ir.Cast(low, uint64)))).value


def _advanced(b: Builder, state: Value, elements: Extent) -> Value:
    """The state i64[3] after a draw of so many elements."""
    return _moved_by(b, state, elements * RESERVED)


def _moved_by(b: Builder, state: Value, blocks: Extent) -> Value:
    """The state i64[3] so many blocks further on."""
    return moved(b, state, b.emit(ir.Cast(b.emit(ir.ExtentOf(blocks)), uint64)))


def moved(b: Builder, state: Value, delta: Value) -> Value:
    """The state i64[3] with `delta`, u64, added to the counter of 128 bits in u64[3]."""
    at_low = Term(b, b.emit(ir.Iota(state.shape, 0, uint64))).equal(0)
    step = where(at_low, Term(b, broadcast_to(b, delta, state.shape)), 0)
    lower = Term(b, state) + step
    carries = b.emit(ir.Cast((lower < Term(b, state)).value, uint64))
    first = b.emit(ir.Slice(carries, (0,), (1,), (1,)))
    carry = b.emit(ir.Pad(first, b.constant(0, uint64), (1,), (3,), (1,)))
    result: Value = b.emit(ir.Bitcast((lower + Term(b, carry)).value, int64))
    return result


def distribution(body: Callable[..., Any]) -> Distribution:
    """Make a Distribution of a body."""
    return Distribution(body)


def _words(b: Builder, state: Value, shape: Shape, *words: int) -> Value:
    return b.emit(ir.RandomBits(state, shape, words))  # type: ignore[arg-type]


def _unit(b: Builder, first: Value, second: Value | None, dtype: DType) -> Value:
    """Floats in [0, 1) from words: bits of the significand of a number in [1, 2), less 1. The first
    of two words has the upper ones, as in TensorFlow."""
    if dtype is float64:
        assert second is not None
        bits = _joined(b, low=second, high=first)
        pattern, one, kind = (1 << 52) - 1, 0x3FF << 52, uint64
    elif dtype is float32:
        bits, pattern, one, kind = first, (1 << 23) - 1, 0x7F << 23, uint32
    else:
        bits = b.emit(ir.Cast(first, uint16))
        kept, bias = (10, 15) if dtype.name == "float16" else (7, 127)
        pattern, one, kind = (1 << kept) - 1, bias << kept, uint16
    assert kind is bits.dtype
    word = (Term(b, bits) & pattern) | one
    number = Term(b, b.emit(ir.Bitcast(word.value, dtype)))
    return (number - 1).value


def _uniform_unit(b: Builder, state: Value, shape: Shape, dtype: DType) -> Value:
    if dtype is float64:
        first, second = (_words(b, state, shape, 1, 2, i) for i in (0, 1))
        return _unit(b, first, second, dtype)
    return _unit(b, _words(b, state, shape, 1, 1, 0), None, dtype)


def _only_floats(dtype: DType, what: str) -> None:
    if not dtype.is_floating:
        raise OpError(f"random.{what}: defined for floats only, got {dtype.name}", "dtype")


@distribution
def _uniform(
    b: Builder, state: Value, low: Value, high: Value, shape: Shape, dtype: DType
) -> Value:
    low, high = (_over(b, v, shape) for v in (low, high))
    if dtype.is_floating:
        unit = Term(b, _uniform_unit(b, state, shape, dtype))
        return (unit * (Term(b, high) - Term(b, low)) + Term(b, low)).value
    # The bias of the remainder is below span / 2^32 (2^64 for 64 bits), as in TensorFlow.
    bits = _full(b, state, shape, uint64 if dtype.bits == 64 else uint32)
    first, last = (Term(b, _wide(b, v)) for v in (low, high))
    offset = b.emit(ir.FloorMod(b.emit(ir.Cast(bits, uint64)), (last - first).value))
    return b.emit(ir.Cast((first + Term(b, offset)).value, dtype))


def _over(b: Builder, v: Value, shape: Shape) -> Value:
    """`v` in every element of `shape`, to which it must broadcast."""
    if v.rank > len(shape):
        raise OpError("random: Shape passed in must end with broadcasted shape")
    full = common_shape(b, [shape, v.shape])  # what only run time can compare is checked then
    if any(wanted == 1 != extent for wanted, extent in zip(shape, full, strict=True)):
        raise OpError("random: a parameter does not broadcast to the shape asked for")
    own = shape[len(shape) - v.rank :]
    fitted = tuple(1 if e == 1 else wanted for e, wanted in zip(v.shape, own, strict=True))
    return broadcast_to(b, retype(b, v, fitted), shape)


def _wide(b: Builder, v: Value) -> Value:
    signed = v.dtype.kind == "i"
    wide = b.emit(ir.Cast(v, int64)) if signed else v
    return b.emit(ir.Cast(wide, uint64))


def _full(b: Builder, state: Value, shape: Shape, dtype: DType) -> Value:
    """Integers with every bit random."""
    if not dtype.is_integer:
        raise OpError(f"random.uniform_full_int: not defined for {dtype.name}", "dtype")
    if dtype.bits == 64:
        low, high = (_words(b, state, shape, 1, 2, i) for i in (0, 1))
        bits = _joined(b, low, high)
    else:
        bits = _words(b, state, shape, 1, 1, 0)
    return bits if bits.dtype is dtype else b.emit(ir.Cast(bits, dtype))


@distribution
def _uniform_full_int(b: Builder, state: Value, shape: Shape, dtype: DType) -> Value:
    return _full(b, state, shape, dtype)


def _standard_normal(b: Builder, state: Value, size: Extent, dtype: DType) -> Value:
    """Box and Muller, "A note on the generation of random normal deviates", 1958: two uniform
    numbers make two normal ones, an element with an even index takes the sine, the next one the
    cosine."""
    shape = (size,)
    work = dtype.compute
    if work is float64:
        words = [_words(b, state, shape, 2, 4, i) for i in range(4)]
        radius, angle = (_unit(b, words[i], words[i + 1], work) for i in (0, 2))
    else:
        radius, angle = (_unit(b, _words(b, state, shape, 2, 2, i), None, work) for i in (0, 1))
    least = Term(b, radius).const(1e-7).value
    log = Term(b, b.emit(ir.Log(b.emit(ir.Maximum(radius, least)))))
    length = Term(b, b.emit(ir.Sqrt((log * -2.0).value)))
    exact = Term(b, b.emit(ir.Cast(angle, float64)) if work is not float64 else angle)
    turn = (exact * (2 * math.pi)).value
    turn = b.emit(ir.Cast(turn, work)) if work is not float64 else turn
    sine, cosine = Term(b, b.emit(ir.Sin(turn))), Term(b, b.emit(ir.Cos(turn)))
    place = Term(b, b.emit(ir.Iota(shape, 0, int64)))
    normal = length * where((place & 1).equal(1), cosine, sine)
    return b.emit(ir.Cast(normal.value, dtype)) if work is not dtype else normal.value


@distribution
def _normal(
    b: Builder, state: Value, mean: Value, stddev: Value, shape: Shape, dtype: DType
) -> Value:
    _only_floats(dtype, "normal")
    unit = _standard_normal(b, state, product(shape), dtype)
    flat = mean.rank == stddev.rank == 0
    if not flat:
        unit = b.emit(ir.Reshape(unit, shape))
    mean, stddev = (_over(b, v, unit.shape) for v in (mean, stddev))
    sample = (Term(b, unit) * Term(b, stddev) + Term(b, mean)).value
    return b.emit(ir.Reshape(sample, shape)) if flat and len(shape) != 1 else sample


# M. J. Wichura: "Algorithm AS 241: The percentage points of the normal distribution", 1988:
# numerators and denominators for |p - 1/2| <= 0.425, and in r = sqrt(-log p) up to 5, and above.
_CENTRE = (
    (
        3.3871328727963666080e0,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ),
    (
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)
_TAIL = (
    (
        1.42343711074968357734e0,
        4.63033784615654529590e0,
        5.76949722146069140550e0,
        3.64784832476320460504e0,
        1.27045825245236838258e0,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ),
    (
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)
_FAR = (
    (
        6.65790464350110377720e0,
        5.46378491116411436990e0,
        1.78482653991729133580e0,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ),
    (
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ),
)


def _ratio(x: Term, both: tuple[Sequence[float], Sequence[float]]) -> Term:
    top, bottom = (x.const(c[-1]) for c in both)
    for i in range(len(both[0]) - 2, -1, -1):
        top, bottom = top * x + both[0][i], bottom * x + both[1][i]
    return top / bottom


def normal_quantile(p: Term) -> Term:
    """The number that a normal variable is below with probability p, in (0, 1)."""
    b = p.b
    q = p - 0.5
    centre = q * _ratio(0.180625 - q * q, _CENTRE)
    smaller = Term(b, b.emit(ir.Minimum(p.value, (1 - p).value)))
    # In the centre the other branches compute with a number of theirs, so that they stay finite.
    inside = Term(b, b.emit(ir.Abs(q.value))) <= 0.425
    smaller = where(inside, smaller.const(0.01), smaller)
    r = Term(b, b.emit(ir.Sqrt((-Term(b, b.emit(ir.Log(smaller.value)))).value)))
    tail = where(r <= 5.0, _ratio(r - 1.6, _TAIL), _ratio(r - 5.0, _FAR))
    return where(inside, centre, where(q < 0.0, -tail, tail))


def _normal_cdf(x: Term) -> Term:
    return Term(x.b, x.b.emit(ir.Erfc((x * -(0.5**0.5)).value))) * 0.5


@distribution
def _truncated_normal(
    b: Builder, state: Value, mean: Value, stddev: Value, shape: Shape, dtype: DType
) -> Value:
    _only_floats(dtype, "truncated_normal")
    sample = Term(b, b.emit(ir.RandomTruncatedNormal(state, shape, dtype)))
    return (sample * Term(b, _over(b, stddev, shape)) + Term(b, _over(b, mean, shape))).value


def _clamped(x: Term, low: Term, high: Term) -> Term:
    top = x.b.emit(ir.Minimum(x.value, high.value))
    return Term(x.b, x.b.emit(ir.Maximum(top, low.value)))


@distribution
def _parameterized_truncated_normal(
    b: Builder,
    state: Value,
    mean: Value,
    stddev: Value,
    low: Value,
    high: Value,
    shape: Shape,
    dtype: DType,
) -> Value:
    _only_floats(dtype, "parameterized_truncated_normal")
    work = dtype.compute
    mean, stddev, low, high = (_over(b, v, shape) for v in (mean, stddev, low, high))
    if work is not dtype:
        mean, stddev, low, high = (b.emit(ir.Cast(v, work)) for v in (mean, stddev, low, high))
    centre, scale = Term(b, mean), Term(b, stddev)
    first, last = ((Term(b, v) - centre) / scale for v in (low, high))
    # Probabilities are precise near 0 and not near 1: an interval above the mean is mirrored.
    above = first > 0.0
    first, last = where(above, -last, first), where(above, -first, last)
    low_p, high_p = _normal_cdf(first), _normal_cdf(last)
    half = 2.0**-53 if work is float64 else 2.0**-24
    unit = Term(b, _uniform_unit(b, state, shape, work)) + half  # in (0, 1)
    draw = _clamped(normal_quantile(unit * (high_p - low_p) + low_p), first, last)
    draw = where(above, -draw, draw)
    sample = _clamped(draw * scale + centre, Term(b, low), Term(b, high)).value
    return sample if work is dtype else b.emit(ir.Cast(sample, dtype))


def _categorical_body(
    b: Builder, state: Value, logits: Value, samples: Shape, dtype: DType
) -> Value:
    """The first class whose probability, with those before it, is above a uniform number."""
    if logits.rank != 2:
        raise OpError(
            f"random.categorical: logits should be a matrix, got shape {list(logits.shape)}"
        )
    _only_floats(logits.dtype, "categorical")
    if logits.shape[1] == 0:
        raise OpError("random.categorical: num_classes should be positive, got 0")
    rows, many = logits.shape
    shape = (rows, samples[0])
    given = Term(b, logits)
    finite = given.abs() < float("inf")  # TensorFlow leaves out nan and inf as well
    seen = where(finite, given, float(logits.dtype.min))
    most = b.emit(ir.Broadcast(b.emit(ir.ReduceMax(seen.value, (1,))), logits.shape, (0,)))
    below = Term(b, b.emit(ir.Cast((seen - Term(b, most)).value, float64)))
    weights = where(finite, below.exp(), 0.0)
    sums = b.emit(ir.CumSum(weights.value, 1, False))
    total = b.emit(ir.Slice(sums, (0, many - 1), (rows, 1), (1, 1)))
    total = b.emit(ir.Broadcast(b.emit(ir.Reshape(total, (rows,))), shape, (0,)))
    wanted = Term(b, _uniform_unit(b, state, shape, float64)) * Term(b, total)
    place = b.emit(ir.SearchSorted(sums, wanted.value, "right"))
    return place if place.dtype is dtype else b.emit(ir.Cast(place, dtype))


def _categorical_blocks(shape: Shape, *rest: Any) -> Extent:
    rows, samples = shape
    return rows * ((samples + 3) // 4 * 8) * RESERVED  # a double takes two words


_categorical_body.__name__ = "categorical"
_categorical = Distribution(_categorical_body, _categorical_blocks)


def _parameters(value: Value, shape: Shape) -> Extent:
    """How many elements of a draw of this shape are of different distributions: those of the last
    axes, which the parameter has."""
    return product(shape[len(shape) - value.rank :])


def _gamma_body(b: Builder, state: Value, alpha: Value, shape: Shape, dtype: DType) -> Value:
    _only_floats(dtype, "gamma")
    many = _parameters(alpha, shape)
    positive = (Term(b, alpha) > 0).value
    b.emit(ir.Check(positive, (alpha,), "alpha must be positive"))
    return b.emit(ir.RandomGamma(state, _over(b, alpha, shape), many))


def _poisson_body(b: Builder, state: Value, rate: Value, shape: Shape, dtype: DType) -> Value:
    many = _parameters(rate, shape)
    rates = Term(b, rate)
    b.emit(ir.Check(((rates >= 0) & (rates <= 1e18)).value, (rate,), "lam must be in [0, 1e18]"))
    return b.emit(ir.RandomPoisson(state, _over(b, rate, shape), many, dtype))


_gamma_body.__name__ = "gamma"
_gamma = Distribution(_gamma_body)
_poisson_body.__name__ = "poisson"
_poisson = Distribution(_poisson_body)


def _binomial_body(
    b: Builder, state: Value, counts: Value, probs: Value, shape: Shape, dtype: DType
) -> Value:
    trials, chance = Term(b, counts), Term(b, probs)
    fits = trials >= 0
    if counts.dtype.kind == "f":
        fits = fits & (trials < 2.0**62)
    b.emit(ir.Check(fits.value, (counts,), "counts must be in [0, 2^62)"))
    b.emit(ir.Check(((chance >= 0) & (chance <= 1)).value, (probs,), "probs must be in [0, 1]"))
    many = _distributions(counts, probs, shape)
    n, p = (_over(b, value, shape) for value in (counts, probs))
    return b.emit(ir.RandomBinomial(state, n, p, many, dtype))


def _distributions(counts: Value, probs: Value, shape: Shape) -> Extent:
    return _parameters(counts if counts.rank > probs.rank else probs, shape)


def _binomial_blocks(shape: Shape, counts: Value, probs: Value, *static: Any) -> Extent:
    many = _distributions(counts, probs, shape)
    return (
        many
        * 200
        * (product(shape[: len(shape) - max(counts.rank, probs.rank)]) + 3)
        // 4
        * RESERVED
    )


_binomial_body.__name__ = "binomial"
_binomial = Distribution(_binomial_body, _binomial_blocks)


def _permutation_body(b: Builder, state: Value, shape: Shape) -> Value:
    return b.emit(ir.RandomPermutation(state, shape[0]))


def _permutation_blocks(shape: Shape, *rest: Any) -> Extent:
    return (shape[0] + 2) // 4  # for each element but the last a word


_permutation_body.__name__ = "permutation"
_permutation = Distribution(_permutation_body, _permutation_blocks)
