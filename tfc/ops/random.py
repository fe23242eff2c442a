"""Random numbers: the same bits eagerly and compiled, from seeds and shapes alone."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, int32, int64

from .. import blame
from ..context import context
from ..dispatch import Sizes
from ..tensor import Held, operand, shown, wrap
from . import sampling
from .array import _shape, as_extents, extents_of, stack
from .generator import (
    Algorithm,
    Generator,
    _int64,
    binomial_operands,
    create_rng_state,
    dtype_of,
    float_of,
    uniform_operands,
)
from .indexing import gather

_DEFAULT_SEED = 87654321  # stands for the global seed where only an op has one, as in TensorFlow
_STREAM = 1 << 62  # in the counter: the stream of all draws without a seed of their own


class _Streams:
    """The generators behind the functions of `tfc.random` that take an optional seed."""

    seed: int | None = None  # the global one

    def __init__(self) -> None:
        self.common: Generator | None = None
        self.seeded: dict[Any, Generator] = {}

    def set_seed(self, seed: int) -> None:
        self.seed = seed
        self.seeded.clear()
        self.of("", None, None)._state.assign(wrap(np.array([0, _STREAM, seed], np.int64)))

    def of(self, op: str, dtype: Any, seed: Any) -> Generator:
        """The generator for a call: without a seed one for all; with one, the same for all eager
        calls of this op, dtype and seed, and one for each call that is traced."""
        if seed is None:
            if self.common is None:
                key = self.seed if self.seed is not None else os.urandom(8)
                word = key if isinstance(key, int) else int.from_bytes(key, "little", signed=True)
                self.common = Generator(state=np.array([0, _STREAM, word], np.int64))
            return self.common
        number = whole_seed(seed, op)
        key = _DEFAULT_SEED if self.seed is None else self.seed
        found = None if context.trace is not None else self.seeded.get((op, dtype, number))
        if found is None:
            found = Generator(state=np.array([0, number, key], np.int64))
            if context.trace is None:
                self.seeded[op, dtype, number] = found
        return found


_streams = _Streams()
_global: list[Generator] = []


def whole_seed(seed: Any, op: str) -> int:
    """A seed as int64."""
    try:
        if isinstance(seed, Held):
            seed = np.asarray(seed)
        return _int64(seed)
    except (AttributeError, TypeError, NotImplementedError):
        raise blame.type_error(f"a seed must be an integer, got {shown(seed)}", op) from None


def set_seed(seed: int) -> None:
    """Begin all streams anew: the same seed, the same numbers. Functions that were traced with
    seeds of their own go on where they are.

    Unlike TensorFlow, functions made by `tfc.function` draw from the same stream as eager code
    does, so that a program gives the same numbers with and without them."""
    _streams.set_seed(whole_seed(seed, "random.set_seed"))


def get_global_generator() -> Generator:
    """The generator for code that brings none of its own; seeded by the operating system, or by
    `set_seed` where that was called before."""
    if not _global:
        if _streams.seed is None:
            _global.append(Generator.from_non_deterministic_state())
        else:
            _global.append(Generator.from_seed(_streams.seed))
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    """Make `generator` what `get_global_generator` gives."""
    if not isinstance(generator, Generator):
        raise blame.type_error(f"not a Generator: {shown(generator)}", "set_global_generator")
    _global[:] = [generator]


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """Uniform random numbers in [minval, maxval); integers need `maxval`.

    >>> import tfc as tf
    >>> tf.random.set_seed(1)
    >>> x = tf.random.uniform([1000])
    >>> bool(tf.reduce_all((x >= 0.0) & (x < 1.0)))
    True
    """
    kind = dtype_of(dtype, "random.uniform")
    return _streams.of("uniform", kind, seed).uniform(shape, minval, maxval, kind)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """Normal random numbers."""
    kind = float_of(dtype, "random.normal")
    return _streams.of("normal", kind, seed).normal(shape, mean, stddev, kind)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """Normal random numbers within two standard deviations of the mean."""
    kind = float_of(dtype, "random.truncated_normal")
    stream = _streams.of("truncated_normal", kind, seed)
    return stream.truncated_normal(shape, mean, stddev, kind)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: Any = None
) -> Any:
    """[batch_size, num_samples] classes; class i of a row has the probability
    softmax(logits[row])[i]. `logits` are floats of shape [batch_size, num_classes].

    >>> import tfc as tf
    >>> print(tf.random.categorical(tf.math.log([[0.0, 1.0, 0.0]]), 4))
    tf.Tensor([[1 1 1 1]], shape=(1, 4), dtype=int64)
    """
    op = "random.categorical"
    operands, static = _categorical_arguments(op, logits, num_samples, dtype)
    stream = _streams.of("categorical", static[-1], seed)
    return stream.draw(sampling._categorical.stateful, operands, static)


def _categorical_arguments(op: str, logits: Any, num_samples: Any, dtype: Any) -> Any:
    kind = int64 if dtype is None else dtype_of(dtype, op)
    if not kind.is_integer:
        raise blame.type_error(f"classes are integers, not {kind.name}", op)
    if getattr(num_samples, "ndim", 0):
        raise blame.invalid("num_samples must be a scalar", op)
    return (operand(op, logits),), (_shape([num_samples], op), kind)


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """`shape` draws from each of the gamma distributions with shape `alpha` and rate `beta`: the
    result has the shape of `shape` followed by that of `alpha` and `beta` broadcast together. It
    is differentiable in both, once.

    Unlike TensorFlow, by NumPy's sampler: the same seed gives other numbers."""
    op = "random.gamma"
    kind = float_of(dtype, op)
    a: Any = operand(op, alpha, kind)
    rate = None if beta is None else operand(op, beta, kind)
    tail = extents_of(a if rate is None else a + rate)
    full = Sizes((*_shape(shape, op), *tail))
    stream = _streams.of("gamma", kind, seed)
    return _scaled(stream.draw(sampling._gamma.stateful, (a,), (full, kind)), rate, kind)


def _scaled(sample: Any, rate: Any, kind: Any) -> Any:
    """A sample of rate 1 as one of another rate, never 0."""
    from .math import maximum

    scaled = sample if rate is None else sample / rate
    return maximum(scaled, operand("random.gamma", kind.numpy.type(_tiny(kind))))


def _tiny(kind: Any) -> Any:
    import ml_dtypes

    return ml_dtypes.finfo(kind.numpy).tiny


def poisson(shape: Any, lam: Any, dtype: Any = float32, seed: Any = None, name: Any = None) -> Any:
    """`shape` draws from each of the Poisson distributions with rate `lam`: the result has the
    shape of `shape` followed by that of `lam`.

    Unlike TensorFlow, by NumPy's sampler: the same seed gives other numbers."""
    op = "random.poisson"
    kind = dtype_of(dtype, op)
    rate = operand(op, lam, dtype_hint=float32)
    full = Sizes((*_shape(shape, op), *extents_of(rate)))
    stream = _streams.of("poisson", kind, seed)
    return stream.draw(sampling._poisson.stateful, (rate,), (full, kind))


def shuffle(value: Any, seed: Any = None, name: Any = None) -> Any:
    """`value` with the slices along its first axis in random order.

    Unlike TensorFlow, it is differentiable, and the same seed gives another order."""
    op = "random.shuffle"
    x = operand(op, value)
    if not x.ndim:
        return x
    static = (Sizes(extents_of(x)[:1]),)
    order = _streams.of("shuffle", None, seed).draw(sampling._permutation.stateful, (), static)
    return gather(x, order)


# From a seed alone.


def _seed(op: str, seed: Any) -> Any:
    found = _integers(op, seed)
    if found.ndim != 1 or found.shape[0] not in (2, None):
        raise blame.invalid(f"seed must have shape [2], not {found.shape}", op)
    return found


def _integers(op: str, seed: Any) -> Any:
    found = operand(op, seed)
    if not found.dtype.is_integer or found.dtype.bits < 32:
        raise blame.type_error(f"{op}: seed must be int32 or int64, got {found.dtype.name}", op)
    return found


def _stateless(
    op: str, which: Any, seed: Any, operands: Any, static: tuple[Any, ...], alg: Any
) -> Any:
    from .generator import _check_algorithm

    _check_algorithm(alg, op)
    return which.stateless(_seed(op, seed), *operands, static=static)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = "auto_select",
) -> Any:
    """Uniform in [minval, maxval), from a seed of two integers alone. Integers need `maxval`; with
    both bounds None every bit is random.

    >>> import tfc as tf
    >>> first = tf.random.stateless_uniform([3], seed=[1, 2])
    >>> bool(tf.reduce_all(first == tf.random.stateless_uniform([3], seed=[1, 2])))
    True
    """
    op = "random.stateless_uniform"
    kind = dtype_of(dtype, op)
    size = _shape(shape, op)
    if kind.is_integer and minval is None and maxval is None:
        return _stateless(op, sampling._uniform_full_int, seed, (), (size, kind), alg)
    bounds = uniform_operands(op, kind, minval, maxval)
    return _stateless(op, sampling._uniform, seed, bounds, (size, kind), alg)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = "auto_select",
) -> Any:
    """Normal, from a seed of two integers alone: TensorFlow's numbers, but for rounding.

    >>> import tfc as tf
    >>> print(tf.random.stateless_normal([2], seed=[1, 2]))
    tf.Tensor([0.5441101  0.20738031], shape=(2,), dtype=float32)
    """
    op = "random.stateless_normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    return _stateless(op, sampling._normal, seed, parameters, (_shape(shape, op), kind), alg)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = "auto_select",
) -> Any:
    """Normal within two standard deviations of the mean, from a seed of two integers alone."""
    op = "random.stateless_truncated_normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    static = (_shape(shape, op), kind)
    return _stateless(op, sampling._truncated_normal, seed, parameters, static, alg)


def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: Any = None,
) -> Any:
    """Normal within [minvals, maxvals], from a seed of two integers alone; the parameters have one
    dtype and broadcast to `shape`. Differentiable in all of them."""
    op = "random.stateless_parameterized_truncated_normal"
    given = (means, stddevs, minvals, maxvals)
    hint = next((v.dtype for v in given if hasattr(v, "dtype")), float32)
    parameters = [operand(op, v, dtype_hint=hint) for v in given]
    static = (_shape(shape, op), parameters[0].dtype)
    which = sampling._parameterized_truncated_normal
    return _stateless(op, which, seed, parameters, static, None)


def stateless_categorical(
    logits: Any,
    num_samples: Any,
    seed: Any,
    dtype: Any = int64,
    name: Any = None,
    alg: Any = "auto_select",
) -> Any:
    """As `categorical`, from a seed of two integers alone."""
    op = "random.stateless_categorical"
    operands, static = _categorical_arguments(op, logits, num_samples, dtype)
    return _stateless(op, sampling._categorical, seed, operands, static, alg)


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = float32,
    name: Any = None,
    alg: Any = "auto_select",
) -> Any:
    """Gamma variables of shape `shape`, to which `alpha` and `beta` broadcast, from a seed of two
    integers alone. Differentiable in both, once."""
    op = "random.stateless_gamma"
    kind = float_of(dtype, op)
    a = operand(op, alpha, kind)
    rate = None if beta is None else operand(op, beta, kind)
    sample = _stateless(op, sampling._gamma, seed, (a,), (_shape(shape, op), kind), alg)
    return _scaled(sample, rate, kind)


def stateless_poisson(
    shape: Any, seed: Any, lam: Any, dtype: Any = int32, name: Any = None, alg: Any = None
) -> Any:
    """Poisson variables of shape `shape`, to which `lam` broadcasts, from a seed of two integers
    alone."""
    op = "random.stateless_poisson"
    rate = operand(op, lam, dtype_hint=float32)
    static = (_shape(shape, op), dtype_of(dtype, op))
    return _stateless(op, sampling._poisson, seed, (rate,), static, alg)


def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = int32,
    name: Any = None,
    alg: Any = None,
) -> Any:
    """How many of `counts` trials of probability `probs` succeed, from a seed of two integers
    alone; both broadcast to `shape`."""
    op = "random.stateless_binomial"
    static = (_shape(shape, op), dtype_of(output_dtype, op))
    parameters = binomial_operands(op, counts, probs)
    return _stateless(op, sampling._binomial, seed, parameters, static, alg)


def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: Any = None) -> Any:
    """As `shuffle`, from a seed of two integers alone."""
    op = "random.stateless_shuffle"
    x = operand(op, value)
    if not x.ndim:
        raise blame.invalid("cannot shuffle a scalar", op)
    static = (Sizes(extents_of(x)[:1]),)
    return gather(x, _stateless(op, sampling._permutation, seed, (), static, alg))


def stateless_split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """[num, 2] new seeds from one."""
    kind = _seed("random.split", seed).dtype
    (count,) = as_extents([num], "random.split")
    return stateless_uniform([count, 2], seed, None, None, kind, alg=alg)


def stateless_fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A seed from a seed and an integer, such as the number of a step."""
    number = _integers("random.fold_in", data)
    first = stateless_uniform([], seed, None, None, number.dtype, alg=alg)
    return stack([first, number])


split, fold_in = stateless_split, stateless_fold_in

__all__ = [
    "Algorithm",
    "Generator",
    "categorical",
    "create_rng_state",
    "fold_in",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]
