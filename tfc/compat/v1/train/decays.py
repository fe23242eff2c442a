"""Rates of learning that change with the count of steps: in a graph a tensor, eagerly a function
that gives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import tfc as _tfc
from tfc.core import blame

from ...graphs.trace import current_graph


def _rate(make: Callable[[], Any]) -> Any:
    return make if current_graph() is None else make()


def _share(global_step: Any, decay_steps: Any, staircase: bool = False) -> Any:
    """The count over `decay_steps`, in float32."""
    share = _tfc.cast(global_step, "float32") / _tfc.cast(decay_steps, "float32")
    return _tfc.floor(share) if staircase else share


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * decay_rate ** (global_step / decay_steps)`. With `staircase` the exponent is
    rounded down.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.exponential_decay(1.0, 20, 10, 0.5)())
    tf.Tensor(0.25, shape=(), dtype=float32)
    """

    def rate() -> Any:
        return learning_rate * _tfc.pow(decay_rate, _share(global_step, decay_steps, staircase))

    return _rate(rate)


def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * exp(-decay_rate * global_step / decay_steps)`. With `staircase` the quotient
    is rounded down.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.natural_exp_decay(1.0, 0, 10, 0.5)())
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def rate() -> Any:
        share = _share(global_step, decay_steps, staircase)
        return learning_rate * _tfc.exp(-decay_rate * share)

    return _rate(rate)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    decay_rate: float,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate / (1 + decay_rate * global_step / decay_steps)`. With `staircase` the quotient
    is rounded down.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.inverse_time_decay(1.0, 20, 10, 0.5)())
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    def rate() -> Any:
        return learning_rate / (1.0 + decay_rate * _share(global_step, decay_steps, staircase))

    return _rate(rate)


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """From `learning_rate` to `end_learning_rate` in `decay_steps`, along a power of what is left.

    Args:
        learning_rate: The first rate.
        global_step: The count.
        decay_steps: How many steps there are.
        end_learning_rate: The last rate, which stays.
        power: The exponent.
        cycle: Whether, behind the last step, `decay_steps` is doubled, tripled and so on.
        name: Not used.

    Returns:
        A tensor in a graph, else a function.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.polynomial_decay(1.0, 5, 10, 0.0)())
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    def rate() -> Any:
        count, steps = (_tfc.cast(x, "float32") for x in (global_step, decay_steps))
        if cycle:
            steps = steps * _tfc.maximum(1.0, _tfc.math.ceil(count / steps))
        else:
            count = _tfc.minimum(count, steps)
        left = _tfc.pow(1.0 - count / steps, power)
        return (learning_rate - end_learning_rate) * left + end_learning_rate

    return _rate(rate)


def piecewise_constant(
    x: Any, boundaries: Sequence[Any], values: Sequence[Any], name: str | None = None
) -> Any:
    """The first of `values` up to and with the first of `boundaries`, and so on.

    Args:
        x: The count.
        boundaries: Counts, ascending.
        values: Rates, one more than boundaries.
        name: Not used.

    Returns:
        A tensor in a graph, else a function.

    Raises:
        ValueError: If there is not one more value than boundaries.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.piecewise_constant(11, [10, 20], [1.0, 0.5, 0.1])())
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    if len(boundaries) != len(values) - 1:
        raise blame.value_error(
            f"needs one value more than boundaries, got {len(values)} values and "
            f"{len(boundaries)} boundaries",
            "train.piecewise_constant",
        )

    def rate() -> Any:
        count = _tfc.convert_to_tensor(x)
        found = _tfc.convert_to_tensor(values[-1])
        for limit, value in reversed(list(zip(boundaries, values, strict=False))):
            found = _tfc.where(count <= _tfc.cast(limit, count.dtype), value, found)
        return found

    return _rate(rate)


def cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """Along half a wave, from `learning_rate` to `alpha` of it in `decay_steps`. Loshchilov and
    Hutter, "SGDR", 2017.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.cosine_decay(1.0, 10, 10, 0.25)())
    tf.Tensor(0.25, shape=(), dtype=float32)
    """

    def rate() -> Any:
        done = _tfc.minimum(_share(global_step, decay_steps), 1.0)
        wave = 0.5 * (1.0 + _tfc.cos(math.pi * done))
        return learning_rate * ((1.0 - alpha) * wave + alpha)

    return _rate(rate)


def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: float,
    t_mul: float = 2.0,
    m_mul: float = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """As `cosine_decay`, again and again. Loshchilov and Hutter, "SGDR", 2017.

    Args:
        learning_rate: The first rate.
        global_step: The count.
        first_decay_steps: How long the first wave is.
        t_mul: How many times as long each next one is.
        m_mul: How many times as high each next one begins.
        alpha: The part of the first rate that is left in the end.
        name: Not used.

    Returns:
        A tensor in a graph, else a function.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.cosine_decay_restarts(1.0, 10, 10, m_mul=0.5)())
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    def rate() -> Any:
        done = _share(global_step, first_decay_steps)
        if t_mul == 1.0:
            number = _tfc.floor(done)
            done = done - number
        else:
            whole = _tfc.math.log(1.0 - done * (1.0 - t_mul)) / math.log(t_mul)
            number = _tfc.floor(whole)
            before = (1.0 - t_mul**number) / (1.0 - t_mul)
            done = (done - before) / t_mul**number
        wave = 0.5 * m_mul**number * (1.0 + _tfc.cos(math.pi * done))
        return learning_rate * ((1.0 - alpha) * wave + alpha)

    return _rate(rate)


def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: float,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """`learning_rate * ((alpha + left) * wave + beta)`, where `left` goes from 1 to 0 in
    `decay_steps`, and `wave` through `num_periods` of waves from 1 to 0 and back. Bello and others,
    "Neural Optimizer Search", 2017.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.linear_cosine_decay(1.0, 0, 10, beta=0.0)())
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def rate() -> Any:
        done = _tfc.minimum(_share(global_step, decay_steps), 1.0)
        wave = 0.5 * (1.0 + _tfc.cos(2.0 * math.pi * num_periods * done))
        return learning_rate * ((alpha + 1.0 - done) * wave + beta)

    return _rate(rate)


__all__ = [
    "cosine_decay",
    "cosine_decay_restarts",
    "exponential_decay",
    "inverse_time_decay",
    "linear_cosine_decay",
    "natural_exp_decay",
    "piecewise_constant",
    "polynomial_decay",
]
