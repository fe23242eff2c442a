"""Random numbers: the same bits eagerly and compiled, from seeds and shapes alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from tfc.ir.dtypes import float32, int64

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...dispatch.primitive import Sizes
from ..arguments import dtype_of
from ..array.creation import zeros_like
from ..array.indexing import gather
from ..extents import _shape, extents_of
from ..math.arithmetic import maximum
from . import sampling
from .generator import Generator
from .operands import float_of, uniform_operands
from .streams import Place, first_place, global_seed, set_global_seed, stream_of, whole_seed

_global: list[Generator] = []


def set_seed(seed: int | None) -> None:
    """Begin all streams anew: the same seed, the same numbers, and TensorFlow's.

    Functions that were traced before begin anew as well, with the seed that they were traced with.
    While a function is traced, it is the seed of what that function draws.

    Args:
        seed: An integer; None: one that nobody knows.

    Raises:
        TypeError: If it is no integer.

    >>> import tfc as tf
    >>> tf.random.set_seed(5)
    >>> x = tf.random.uniform([2])
    >>> tf.random.set_seed(5)
    >>> again, other = tf.random.uniform([2]), tf.random.uniform([2])
    >>> bool(tf.reduce_all(again == x)), bool(tf.reduce_all(other == x))
    (True, False)
    """
    set_global_seed(None if seed is None else whole_seed(seed, "random.set_seed"))


def get_global_generator() -> Generator:
    """The `Generator` for code that brings none of its own; seeded by the operating system, or by
    `set_seed` where that was called before.

    Returns:
        The same Generator in every call, until `set_global_generator` gives another one.

    >>> import tfc as tf
    >>> g = tf.random.get_global_generator()
    >>> g is tf.random.get_global_generator(), g.normal([3]).shape
    (True, TensorShape([3]))
    """
    if not _global:
        seed = global_seed()
        if seed is None:
            _global.append(Generator.from_non_deterministic_state())
        else:
            _global.append(Generator.from_seed(seed))
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    """Make `generator` what `get_global_generator` gives.

    Args:
        generator: A Generator.

    Raises:
        TypeError: If it is none.

    >>> import tfc as tf
    >>> before = tf.random.get_global_generator()
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(42))
    >>> print(tf.random.get_global_generator().state.numpy())
    [42  0  0]
    >>> tf.random.set_global_generator(before)
    """
    if not isinstance(generator, Generator):
        raise blame.type_error(f"not a Generator: {shown(generator)}", "set_global_generator")
    _global[:] = [generator]


def uniform(
    shape: ShapeLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Uniform random numbers in [minval, maxval), of floats or integers; integers need `maxval`.

    With a `seed` the calls with the same dtype and seed have a stream of their own.

    TensorFlow's numbers.

    Args:
        shape: The extents: a list, or a vector of integers.
        minval: The least number.
        maxval: The number that all are below; None: 1, for floats.
        dtype: A dtype of floats or integers.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        ValueError: If integers are asked for without `maxval`.

    >>> import tfc as tf
    >>> x = tf.random.uniform([1000], minval=-1.0, maxval=1.0, seed=3)
    >>> bool(tf.reduce_all((x >= -1.0) & (x < 1.0)))
    True
    >>> print(tf.random.uniform([3], 7, 8, dtype=tf.int32))
    tf.Tensor([7 7 7], shape=(3,), dtype=int32)
    """
    kind = dtype_of(dtype, "random.uniform")
    bounds = uniform_operands("random.uniform", kind, minval, maxval)
    static = (_shape(shape, "random.uniform"), kind)
    return stream_of("uniform", kind, seed).draw(sampling._uniform.stateful, bounds, static)


def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Normal random numbers: floats with this mean and standard deviation, which broadcast to
    `shape`.

    Args:
        shape: The extents: a list, or a vector of integers.
        mean: The mean, which broadcasts to `shape`.
        stddev: The standard deviation, which broadcasts to `shape`.
        dtype: A dtype of floats.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing); if an extent is
            negative, or parameters do not broadcast to `shape` (ValueError while tracing).
        TypeError: If a seed or an extent is no integer.

    >>> import tfc as tf
    >>> x = tf.random.normal([10000, 2], mean=[0.0, 100.0], seed=1)
    >>> print(tf.round(tf.reduce_mean(x, 0) / 10.0).numpy() + 0)
    [ 0. 10.]
    """
    op = "random.normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    stream = stream_of("normal", kind, seed)
    return stream.draw(sampling._normal.stateful, parameters, (_shape(shape, op), kind))


def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Normal random numbers within two standard deviations of the mean: TensorFlow's, but for
    rounding.

    Args:
        shape: The extents: a list, or a vector of integers.
        mean: The mean of the normal distribution.
        stddev: Its standard deviation; nothing is further away than two of them.
        dtype: A dtype of floats.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing); if an extent is
            negative, or parameters do not broadcast to `shape` (ValueError while tracing).
        TypeError: If a seed or an extent is no integer.

    >>> import tfc as tf
    >>> x = tf.random.truncated_normal([1000], stddev=0.5, seed=1)
    >>> bool(tf.reduce_all(tf.abs(x) <= 1.0))
    True
    """
    op = "random.truncated_normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    stream = stream_of("truncated_normal", kind, seed)
    return stream.draw(sampling._truncated_normal.stateful, parameters, (_shape(shape, op), kind))


def categorical(
    logits: TensorLike,
    num_samples: Any,
    dtype: DTypeLike | None = None,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """[batch_size, num_samples] classes; class i of a row has the probability
    softmax(logits[row])[i]. `logits` are floats of shape [batch_size, num_classes]. TensorFlow's
    classes, where the batch is so small that it does not divide it among threads.

    Args:
        logits: Floats [batch_size, num_classes]: logarithms of probabilities, up to a constant.
        num_samples: How many classes to draw for each row.
        dtype: The dtype of the classes; None is int64.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of integers [batch_size, num_samples].

    Raises:
        InvalidArgumentError: If `logits` are of another rank, or `num_samples` is negative
            (ValueError while tracing); if `logits` are no floats (TypeError).
        TypeError: If the dtype of the classes, or a seed, is no integer.

    >>> import tfc as tf
    >>> print(tf.random.categorical(tf.math.log([[0.0, 1.0, 0.0]]), 4))
    tf.Tensor([[1 1 1 1]], shape=(1, 4), dtype=int64)
    """
    op = "random.categorical"
    operands, static = _categorical_arguments(op, logits, num_samples, dtype)
    stream = stream_of("categorical", (operands[0].dtype, static[-1]), seed)
    return stream.draw(sampling._categorical.stateful, operands, static)


def _categorical_arguments(op: str, logits: Any, num_samples: Any, dtype: Any) -> Any:
    kind = int64 if dtype is None else dtype_of(dtype, op)
    if not kind.is_integer:
        said = f"Argument `dtype` got invalid value {kind}. Accepted dtypes are"
        raise blame.value_error(f"{said} (tf.int32, tf.int64).", op)
    if getattr(num_samples, "ndim", 0):
        raise blame.invalid("num_samples should be a scalar", op)
    return (operand(op, logits),), (_shape([num_samples], op), kind)


def gamma(
    shape: ShapeLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from gamma distributions: TensorFlow's, but for rounding. Differentiable in both
    parameters, once.

    Args:
        shape: The extents of the draws from each distribution: a list, or a vector of integers.
        alpha: The shapes of the distributions, positive.
        beta: Their rates (one over the scale), positive, which broadcast with `alpha`; None is 1.
        dtype: A dtype of floats.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of this dtype; its shape is `shape`, followed by that of `alpha` and `beta`
        broadcast together. No element is 0.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing), or an `alpha` is
            not positive.

    >>> import tfc as tf
    >>> x = tf.random.gamma([1000], alpha=[1.0, 100.0], seed=1)
    >>> x.shape, bool(tf.reduce_all(x > 0.0))
    (TensorShape([1000, 2]), True)
    """
    op = "random.gamma"
    kind = float_of(dtype, op)
    a: Any = operand(op, alpha, kind)
    rate = None if beta is None else operand(op, beta, kind)
    if rate is not None:
        a = a + zeros_like(rate)
    full = Sizes((*_shape(shape, op), *extents_of(a)))
    stream = stream_of("gamma", kind, seed)
    return _scaled(stream.draw(sampling._gamma.stateful, (a,), (full, kind)), rate, kind)


def _scaled(sample: Any, rate: Any, kind: Any) -> Tensor:
    """A sample of rate 1 as one of another rate, never 0."""
    scaled = sample if rate is None else sample / rate
    return maximum(scaled, operand("random.gamma", kind.numpy.type(_tiny(kind))))


def _tiny(kind: Any) -> Any:
    import ml_dtypes

    return ml_dtypes.finfo(kind.numpy).tiny


def poisson(
    shape: ShapeLike,
    lam: TensorLike,
    dtype: DTypeLike = float32,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from Poisson distributions: TensorFlow's numbers.

    Args:
        shape: The extents of the draws from each distribution: a list, or a vector of integers.
        lam: The rates (the means), in [0, 1e18].
        dtype: A dtype of floats or integers.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of this dtype; its shape is `shape`, followed by that of `lam`.

    Raises:
        InvalidArgumentError: If a rate is outside, or the dtype is bool or complex (TypeError while
            tracing).

    >>> import tfc as tf
    >>> x = tf.random.poisson([1000], lam=[0.0, 10.0], seed=1)
    >>> x.shape, float(tf.reduce_max(x[:, 0]))
    (TensorShape([1000, 2]), 0.0)
    """
    op = "random.poisson"
    kind = dtype_of(dtype, op)
    rate = operand(op, lam, dtype_hint=float32)
    full = Sizes((*_shape(shape, op), *extents_of(rate)))
    stream = stream_of("poisson", (rate.dtype, kind, rate.ndim == 0), seed)
    return stream.draw(sampling._poisson.stateful, (rate,), (full, kind))


def shuffle(
    value: TensorLike, seed: SupportsIndex | None = None, name: str | None = None
) -> Tensor:
    """`value` with the slices along its first axis in random order; a scalar stays as it is.

    The order is TensorFlow's. Unlike TensorFlow, it is differentiable.

    Args:
        value: A tensor of any dtype.
        seed: A seed for a stream of its own; None: the common one, which `set_seed` begins.

    Returns:
        A tensor of the shape and dtype of `value`.

    Raises:
        TypeError: If a seed is no integer.

    >>> import tfc as tf
    >>> x = tf.random.shuffle(tf.constant([[1, 1], [2, 2], [3, 3]]), seed=1)
    >>> sorted(x.numpy().tolist())
    [[1, 1], [2, 2], [3, 3]]
    """
    op = "random.shuffle"
    x = operand(op, value)
    if not x.ndim:
        return x
    (count, *_) = extents_of(x)
    return gather(x, _order(stream_of("shuffle", x.dtype, seed), count))


def _order(stream: Place, count: Any) -> Any:
    return stream.draw(sampling._permutation.stateful, (), (Sizes((count,)),))


def first_orders() -> Callable[[int], np.ndarray] | None:
    """Gives one random order after another, each of so many things: those of a function that was
    traced now and called once. None without a global seed."""
    stream = first_place()
    return None if stream is None else lambda count: np.asarray(_order(stream, count))


__all__ = [
    "categorical",
    "first_orders",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "truncated_normal",
    "uniform",
]
