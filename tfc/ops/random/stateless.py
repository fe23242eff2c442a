"""Random numbers from a seed of two integers alone: the same seed, the same numbers."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import float32, int32, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...dispatch.primitive import Sizes
from ..arguments import dtype_of
from ..array.creation import zeros_like
from ..array.indexing import gather
from ..array.joining import stack
from ..extents import _shape, as_extents, extents_of
from . import sampling
from .distributions import _categorical_arguments, _scaled
from .operands import binomial_operands, float_of, uniform_operands
from .states import check_algorithm


def _seed(op: str, seed: Any) -> Tensor:
    found = _integers(op, seed)
    if found.ndim != 1 or found.shape[0] not in (2, None):
        raise blame.invalid(f"seed must have shape [2], not {list(found.shape)}", op)
    return found


def _integers(op: str, given: Any, what: str = "seed") -> Tensor:
    found = operand(op, given)
    if not found.dtype.is_integer or found.dtype.bits < 32:
        raise blame.type_error(f"{op}: {what} must be int32 or int64, got {found.dtype.name}", op)
    return found


def _stateless(
    op: str, which: Any, seed: Any, operands: Any, static: tuple[Any, ...], alg: Any
) -> Tensor:
    check_algorithm(alg, op)
    return which.stateless(_seed(op, seed), *operands, static=static)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Uniform in [minval, maxval), from a seed of two integers alone. Integers need `maxval`; with
    both bounds None every bit is random.

    Floats, and integers of 32 and 64 bits, are TensorFlow's numbers for the same seed, by Philox
    (J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers, which say all.
        minval: The least number.
        maxval: The number that all are below; None: 1, for floats.
        dtype: A dtype of floats, or of integers of 32 or 64 bits.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        ValueError: If integers are asked for without `maxval`, or there is no such algorithm.
        InvalidArgumentError: If `minval` of integers is not below `maxval`; if the seed is not of
            shape [2], or bounds do not broadcast to `shape` (ValueError while tracing); if the
            dtype is bool or complex (TypeError).
        TypeError: If the seed is no integers.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> print(tf.random.stateless_uniform([5], seed=[1, 2], minval=1, maxval=7, dtype=tf.int32))
    tf.Tensor([5 6 1 4 2], shape=(5,), dtype=int32)
    """
    op = "random.stateless_uniform"
    kind = dtype_of(dtype, op)
    size = _shape(shape, op)
    if kind.is_integer and minval is None and maxval is None:
        return _stateless(op, sampling._uniform_full_int, seed, (), (size, kind), alg)
    bounds = uniform_operands(op, kind, minval, maxval)
    return _stateless(op, sampling._uniform, seed, bounds, (size, kind), alg)


def stateless_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Normal, from a seed of two integers alone: TensorFlow's numbers, but for rounding.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers, which say all.
        mean: The mean, which broadcasts to `shape`.
        stddev: The standard deviation, which broadcasts to `shape`.
        dtype: A dtype of floats.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing), the seed is not of
            shape [2], or parameters do not broadcast to `shape` (ValueError while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> print(tf.random.stateless_normal([2], seed=[1, 2]))
    tf.Tensor([0.5441101  0.20738031], shape=(2,), dtype=float32)
    """
    op = "random.stateless_normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    return _stateless(op, sampling._normal, seed, parameters, (_shape(shape, op), kind), alg)


def stateless_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Normal within two standard deviations of the mean, from a seed of two integers alone:
    TensorFlow's numbers, but for rounding.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers (int32 or int64), which say all.
        mean: The mean of the normal distribution, which broadcasts to `shape`.
        stddev: Its standard deviation, which broadcasts to `shape`.
        dtype: A dtype of floats.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing), the seed is not of
            shape [2], or parameters do not broadcast to `shape` (ValueError while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> x = tf.random.stateless_truncated_normal([1000], seed=[1, 2], mean=5.0)
    >>> bool(tf.reduce_all(tf.abs(x - 5.0) <= 2.0))
    True
    """
    op = "random.stateless_truncated_normal"
    kind = float_of(dtype, op)
    parameters = operand(op, mean, kind), operand(op, stddev, kind)
    static = (_shape(shape, op), kind)
    return _stateless(op, sampling._truncated_normal, seed, parameters, static, alg)


def stateless_parameterized_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    means: TensorLike = 0.0,
    stddevs: TensorLike = 1.0,
    minvals: TensorLike = -2.0,
    maxvals: TensorLike = 2.0,
    name: str | None = None,
) -> Tensor:
    """Normal within [minvals, maxvals], from a seed of two integers alone. Differentiable in all
    four parameters, which have one dtype and broadcast to `shape`.

    Unlike TensorFlow, by the inverse of the distribution function: the same seed gives other
    numbers.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers (int32 or int64), which say all.
        means: The means of the normal distributions.
        stddevs: Their standard deviations, positive.
        minvals: The least numbers.
        maxvals: The largest numbers, above `minvals`. Neither this nor the sign of `stddevs` is
            checked.

    Returns:
        A tensor of that shape, of the dtype of the first parameter that is a tensor, or float32.

    Raises:
        InvalidArgumentError: If the seed is not of shape [2], or parameters do not broadcast to
            `shape` (ValueError while tracing).
        TypeError: If the seed is no integers.

    >>> import tfc as tf
    >>> draw = tf.random.stateless_parameterized_truncated_normal
    >>> x = draw([1000], seed=[1, 2], minvals=3.0, maxvals=4.0)
    >>> bool(tf.reduce_all((x >= 3.0) & (x <= 4.0)))
    True
    """
    op = "random.stateless_parameterized_truncated_normal"
    given = (means, stddevs, minvals, maxvals)
    hint = next((v.dtype for v in given if hasattr(v, "dtype")), float32)
    parameters = [operand(op, v, dtype_hint=hint) for v in given]
    static = (_shape(shape, op), parameters[0].dtype)
    which = sampling._parameterized_truncated_normal
    return _stateless(op, which, seed, parameters, static, None)


def stateless_categorical(
    logits: TensorLike,
    num_samples: Any,
    seed: TensorLike,
    dtype: DTypeLike = int64,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Classes, as `categorical` draws them, from a seed of two integers alone.

    Args:
        logits: Floats [batch_size, num_classes]: logarithms of probabilities, up to a constant.
        num_samples: How many classes to draw for each row.
        seed: Two integers (int32 or int64), which say all.
        dtype: A dtype of integers, of the classes.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that dtype [batch_size, num_samples].

    Raises:
        TypeError: If `dtype` is no integer, or the seed is none.
        InvalidArgumentError: If the rank of `logits` is not 2, or `num_samples` is negative
            (ValueError while tracing); if `logits` are no floats (TypeError).
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> print(tf.random.stateless_categorical([[0.0, 100.0], [100.0, 0.0]], 3, seed=[1, 2]))
    tf.Tensor(
    [[1 1 1]
     [0 0 0]], shape=(2, 3), dtype=int64)
    """
    op = "random.stateless_categorical"
    operands, static = _categorical_arguments(op, logits, num_samples, dtype)
    return _stateless(op, sampling._categorical, seed, operands, static, alg)


def stateless_gamma(
    shape: ShapeLike,
    seed: TensorLike,
    alpha: TensorLike,
    beta: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Gamma variables, from a seed of two integers alone: TensorFlow's, but for rounding.
    Differentiable in both parameters, once.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers (int32 or int64), which say all.
        alpha: The shapes of the distributions, positive, which broadcast to `shape`.
        beta: Their rates (one over the scale), positive, which broadcast to `shape`; None is 1.
        dtype: A dtype of floats.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype. No element is 0.

    Raises:
        InvalidArgumentError: If the dtype is no float (TypeError while tracing), an `alpha` is not
            positive, or parameters do not broadcast to `shape` (ValueError while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> x = tf.random.stateless_gamma([1000], seed=[1, 2], alpha=9.0, beta=3.0)
    >>> bool(tf.abs(tf.reduce_mean(x) - 9.0 / 3.0) < 0.1)
    True
    """
    op = "random.stateless_gamma"
    kind = float_of(dtype, op)
    a: Any = operand(op, alpha, kind)
    rate = None if beta is None else operand(op, beta, kind)
    if rate is not None:
        a = a + zeros_like(rate)
    sample = _stateless(op, sampling._gamma, seed, (a,), (_shape(shape, op), kind), alg)
    return _scaled(sample, rate, kind)


def stateless_poisson(
    shape: ShapeLike,
    seed: TensorLike,
    lam: TensorLike,
    dtype: DTypeLike = int32,
    name: str | None = None,
    alg: Any = None,
) -> Tensor:
    """Poisson variables, from a seed of two integers alone: TensorFlow's.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers (int32 or int64), which say all.
        lam: The rates (the means), in [0, 1e18], which broadcast to `shape`.
        dtype: A dtype of floats or integers.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If a rate is outside, the dtype is bool or complex (TypeError while
            tracing), or `lam` does not broadcast to `shape` (ValueError while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> x = tf.random.stateless_poisson([1000, 2], seed=[1, 2], lam=[0.0, 10.0])
    >>> print(tf.reduce_max(x[:, 0]).numpy(), x.dtype.name)
    0 int32
    """
    op = "random.stateless_poisson"
    rate = operand(op, lam, dtype_hint=float32)
    static = (_shape(shape, op), dtype_of(dtype, op))
    return _stateless(op, sampling._poisson, seed, (rate,), static, alg)


def stateless_binomial(
    shape: ShapeLike,
    seed: TensorLike,
    counts: TensorLike,
    probs: TensorLike,
    output_dtype: DTypeLike = int32,
    name: str | None = None,
    alg: Any = None,
) -> Tensor:
    """How many of some trials succeed, from a seed of two integers alone.

    Args:
        shape: The extents: a list, or a vector of integers.
        seed: Two integers (int32 or int64), which say all.
        counts: The numbers of trials, in [0, 2^62), which broadcast to `shape`.
        probs: The probabilities, in [0, 1], which broadcast to `shape`.
        output_dtype: A dtype of floats or integers.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If a parameter is outside of its range, the dtype is bool or complex
            (TypeError while tracing), or parameters do not broadcast to `shape` (ValueError while
            tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> print(tf.random.stateless_binomial([3], seed=[1, 2], counts=10, probs=[0.0, 1.0, 0.0]))
    tf.Tensor([ 0 10  0], shape=(3,), dtype=int32)
    """
    op = "random.stateless_binomial"
    static = (_shape(shape, op), dtype_of(output_dtype, op))
    parameters = binomial_operands(op, counts, probs)
    return _stateless(op, sampling._binomial, seed, parameters, static, alg)


def stateless_shuffle(
    value: TensorLike, seed: TensorLike, alg: Any = "auto_select", name: str | None = None
) -> Tensor:
    """`value` with the slices along its first axis in an order that a seed of two integers alone
    gives.

    The order is TensorFlow's. Unlike TensorFlow, it is differentiable.

    Args:
        value: A tensor of any dtype, of rank 1 at least.
        seed: Two integers (int32 or int64), which say all.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor of the shape and dtype of `value`.

    Raises:
        InvalidArgumentError: If `value` is a scalar, or the seed is not of shape [2] (ValueError
            while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> x = tf.random.experimental.stateless_shuffle(tf.range(5), seed=[1, 2])
    >>> sorted(x.numpy().tolist())
    [0, 1, 2, 3, 4]
    """
    op = "random.stateless_shuffle"
    x = operand(op, value)
    if not x.ndim:
        raise blame.invalid("cannot shuffle a scalar", op)
    static = (Sizes(extents_of(x)[:1]),)
    return gather(x, _stateless(op, sampling._permutation, seed, (), static, alg))


def stateless_split(seed: TensorLike, num: Any = 2, alg: Any = "auto_select") -> Tensor:
    """New seeds from one, whose numbers have nothing to do with each other: TensorFlow's seeds.

    Args:
        seed: Two integers (int32 or int64).
        num: How many.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor [num, 2] of the dtype of `seed`.

    Raises:
        InvalidArgumentError: If the seed is not of shape [2], or `num` is negative (ValueError
            while tracing).
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> first, second = tf.unstack(tf.random.split([1, 2]))
    >>> tf.random.stateless_uniform([3], first).shape, bool(tf.reduce_all(first == second))
    (TensorShape([3]), False)
    """
    kind = _seed("random.split", seed).dtype
    (count,) = as_extents([num], "random.split")
    return stateless_uniform([count, 2], seed, None, None, kind, alg=alg)


def stateless_fold_in(seed: TensorLike, data: TensorLike, alg: Any = "auto_select") -> Tensor:
    """A seed from a seed and an integer, such as the number of a step: a loop needs one seed for
    all its steps. TensorFlow's seed.

    Args:
        seed: Two integers (int32 or int64).
        data: An integer (int32 or int64), a scalar.
        alg: The generator: Philox, by any of its names.

    Returns:
        A tensor [2] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If the seed is not of shape [2], or `data` is no scalar (ValueError
            while tracing).
        TypeError: If one of them is no integer.
        ValueError: If there is no such algorithm.
        UnimplementedError: If ThreeFry is asked for.

    >>> import tfc as tf
    >>> seeds = [tf.random.fold_in([1, 2], step) for step in range(2)]
    >>> seeds[0].shape, bool(tf.reduce_all(seeds[0] == seeds[1]))
    (TensorShape([2]), False)
    """
    op = "random.fold_in"
    number = _integers(op, data, "data")
    if number.ndim:
        raise blame.invalid(f"data must be a scalar, got shape {number.shape}", op)
    first = stateless_uniform([], seed, None, None, number.dtype, alg=alg)
    return stack([first, number])


__all__ = [
    "stateless_binomial",
    "stateless_categorical",
    "stateless_fold_in",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_shuffle",
    "stateless_split",
    "stateless_truncated_normal",
    "stateless_uniform",
]
