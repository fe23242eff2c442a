"""Pooling whose windows are one or two rows high by turns that are drawn (B. Graham, "Fractional
max-pooling", 2014).

Where windows begin is computed by Python from the bits that are drawn; the pooling is a gather of
rows, then of columns, and a reduction of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import int64

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ...dispatch.primitive import Sizes, primitive
from ..arguments import flag, numbers, whole_number
from ..array.conversion import cast
from ..array.creation import range as _range
from ..array.indexing import gather
from ..array.shaping import expand_dims, reshape
from ..extents import extents_of
from ..math import comparisons
from ..math.arithmetic import minimum
from ..math.reductions import reduce_max, reduce_sum
from ..on_host import Call, Shape, on_host
from ..random.sampling import _moved_by, _words, unsigned
from ..random.streams import DEFAULT_SEED, Place, Stream, global_seed, stream_of


class FractionalPool(NamedTuple):
    """What `fractional_max_pool` and `fractional_avg_pool` give."""

    output: Any
    row_pooling_sequence: Any
    col_pooling_sequence: Any


@primitive
def _bits(b: Builder, state: Value, sizes: Any) -> Any:
    """Words of 32 bits, and the state behind the blocks of four that they take."""
    (count,) = sizes
    words = unsigned(b, state)
    return _words(b, words, (count,), 1, 1, 0), _moved_by(b, words, (count + 3) // 4)


def _one_more(call: Call) -> Sequence[Shape | None]:
    return ((call.arguments["count"] + 1,),)


def _some_ends(words: Any, length: int, count: int, pseudo_random: bool) -> Tensor:
    return wrap(np.zeros(1, np.int64))


@on_host("nn.pooling_sequence", _one_more, sample=_some_ends)
def _sequence(words: Any, length: int, count: int, pseudo_random: bool) -> Tensor:
    """Where each of `count` windows over `length` elements begins, and the end."""
    bits = np.asarray(words).astype(np.uint64)
    low = length // count
    if pseudo_random:  # u in (0, 1): a_i = ceil(alpha (i + u)), where all steps are low or low + 1
        alpha = length / count
        most = min((low + 2) / alpha - 1, (length + 1 - low) / alpha - (count - 1))
        mantissa = (int(bits[0]) & 0xFFFFF) << 32 | int(bits[1])
        u = mantissa / 2.0**52 * most
        inner = np.ceil(alpha * (np.arange(1, count) + u)).astype(np.int64)
        ends = np.concatenate([[1], inner, [length + 1]]) - 1
    else:
        steps = [low + 1] * (length % count) + [low] * (count - length % count)
        for i in range(count - 1):
            other = i + int(bits[i]) % (count - i)
            steps[i], steps[other] = steps[other], steps[i]
        ends = np.concatenate([[0], np.cumsum(steps)])
    return wrap(ends.astype(np.int64))


def _drawn(place: Place, length: int, count: int, pseudo_random: bool) -> Tensor:
    words = place.draw(_bits, (), (Sizes((2 if pseudo_random else count,)),))
    return _sequence(words, length, count, pseudo_random)


def pooled(
    x: Any, ends: Any, axis: int, overlapping: bool, reduce: Callable[..., Any], outside: Any
) -> Any:
    """x reduced along an axis over windows from ends[i] to before ends[i + 1], with the element
    there where they overlap. `reduce` takes the windows, the axis, and how many elements each has.
    """
    length: Any = extents_of(x)[axis]
    end: Any = extents_of(ends)[0]
    count = end - 1
    widest = -(-length // count) + 1 + overlapping
    first, last = ends[:-1], ends[1:]
    if overlapping:
        last = minimum(last + 1, length)
    places = expand_dims(first, 1) + _range(widest, dtype=int64)
    inside = places < expand_dims(last, 1)
    rows = gather(x, minimum(places, length - 1), axis=axis)
    rank = len(x.shape)
    fitted = reshape(inside, [1] * axis + [count, widest] + [1] * (rank - axis - 1))
    rows = comparisons.select(fitted, rows, cast(outside, x.dtype))
    sizes = reshape(last - first, [count] + [1] * (rank - axis - 1))
    return reduce(rows, axis + 1, sizes)


def _begun(op: str, seed: int) -> Place:
    """Where each call with this seed draws, as in TensorFlow: none goes on."""
    key = global_seed()
    return Place(Stream(DEFAULT_SEED if key is None else key, seed).state())


def _arguments(op: str, value: Any, pooling_ratio: Any) -> tuple[Any, list[int], list[int]]:
    x = operand(op, value)
    if len(x.shape) != 4:
        raise blame.invalid(
            f"value must be 4-dimensional, [batch, height, width, channels], got {x.shape}", op
        )
    ratios = numbers(pooling_ratio, "pooling_ratio", op)
    ratios = ratios if len(ratios) > 2 else [1.0, *(ratios * 2)[:2], 1.0]
    given = f"Received: pooling_ratio={shown(pooling_ratio)}"
    if len(ratios) != 4:
        raise blame.value_error(
            f"`pooling_ratio` should be a number, two, or [1, height, width, 1]. {given}", op
        )
    if min(ratios) < 1:
        raise blame.value_error(f"`pooling_ratio` elements should be >= 1.0. {given}", op)
    if ratios[0] != 1 or ratios[3] != 1:
        raise blame.value_error(
            f"`pooling_ratio` should have first and last elements with value 1.0. {given}", op
        )
    sizes: Any = extents_of(x)[1:3]
    if not all(isinstance(n, int) for n in sizes):
        raise blame.unknown_extent(f"height and width must be known, got {x.shape}", op)
    lengths = [int(n) for n in sizes]
    counts = [int(n / r) for n, r in zip(lengths, ratios[1:3], strict=True)]
    if 0 in counts:
        raise blame.invalid(f"no window is left of {lengths} by pooling_ratio {ratios}", op)
    return x, lengths, counts


def _fractional(
    op: str,
    arguments: tuple[Any, Any, Any, Any, Any],
    reduce: Callable[..., Any],
    outside: Callable[[Any], Any],
) -> FractionalPool:
    value, pooling_ratio, pseudo_random, overlapping, seed = arguments
    x, lengths, counts = _arguments(op, value, pooling_ratio)
    pseudo, over = (
        flag(v, what, op)
        for v, what in ((pseudo_random, "pseudo_random"), (overlapping, "overlapping"))
    )
    chosen = whole_number(seed, "seed", op) or None
    place = stream_of(op, x.dtype, None) if chosen is None else _begun(op, chosen)
    ends = [_drawn(place, n, m, pseudo) for n, m in zip(lengths, counts, strict=True)]
    for axis, steps in enumerate(ends, 1):
        x = pooled(x, steps, axis, over, reduce, outside(x.dtype))
    return FractionalPool(x, *ends)


def maxima(rows: Any, axis: int, sizes: Any) -> Any:
    """The largest element of each window."""
    return reduce_max(rows, axis)


def means(rows: Any, axis: int, sizes: Any) -> Any:
    """The mean of each window."""
    return reduce_sum(rows, axis) / cast(sizes, rows.dtype)


def lowest(dtype: Any) -> Any:
    """What no maximum is."""
    return np.array(dtype.min, dtype.as_numpy_dtype)


def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: float | Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Maxima of windows, whose heights and widths are drawn: by a ratio such as 1.5 they are one
    or two. TensorFlow's windows for the same seed.

    Args:
        value: A tensor of real numbers [batch, height, width, channels], of known height and width.
        pooling_ratio: How often the result is smaller: a number from 1, one for each of height and
            width, or [1, height, width, 1].
        pseudo_random: Whether one number is drawn, which makes the steps even, or their order.
        overlapping: Whether a window has the first row and column of the next, too.
        seed: A seed, with which all calls give the same windows; 0: those of the common stream,
            which `tfc.random.set_seed` begins.

    Returns:
        A named tuple: `output` [batch, height / ratio, width / ratio, channels], both rounded down;
        `row_pooling_sequence` and `col_pooling_sequence`, int64 vectors: where windows begin, and
        the end.

    Raises:
        ValueError: If `pooling_ratio` is another one, or the size is not known.
        InvalidArgumentError: If the rank is another one, or nothing would be left.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(36.0), [1, 6, 6, 1])
    >>> found = tf.nn.fractional_max_pool(x, 1.5, seed=3)
    >>> found.output.shape, int(found.row_pooling_sequence[-1])
    (TensorShape([1, 4, 4, 1]), 6)
    """
    arguments = value, pooling_ratio, pseudo_random, overlapping, seed
    return _fractional("fractional_max_pool", arguments, maxima, lowest)


def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: float | Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Means of windows, whose heights and widths are drawn: by a ratio such as 1.5 they are one or
    two. TensorFlow's windows for the same seed.

    Args:
        value: A tensor of real numbers [batch, height, width, channels], of known height and width.
        pooling_ratio: How often the result is smaller: a number from 1, one for each of height and
            width, or [1, height, width, 1].
        pseudo_random: Whether one number is drawn, which makes the steps even, or their order.
        overlapping: Whether a window has the first row and column of the next, too.
        seed: A seed, with which all calls give the same windows; 0: those of the common stream,
            which `tfc.random.set_seed` begins.

    Returns:
        A named tuple: `output` [batch, height / ratio, width / ratio, channels], both rounded down;
        `row_pooling_sequence` and `col_pooling_sequence`, int64 vectors: where windows begin, and
        the end.

    Raises:
        ValueError: If `pooling_ratio` is another one, or the size is not known.
        InvalidArgumentError: If the rank is another one, or nothing would be left.

    >>> import tfc as tf
    >>> found = tf.nn.fractional_avg_pool(tf.ones([1, 6, 6, 1]), [1.5, 2.0])
    >>> found.output.shape, float(found.output[0, 0, 0, 0])
    (TensorShape([1, 4, 3, 1]), 1.0)
    """
    arguments = value, pooling_ratio, pseudo_random, overlapping, seed
    return _fractional("fractional_avg_pool", arguments, means, lambda dtype: 0)


__all__ = ["FractionalPool", "fractional_avg_pool", "fractional_max_pool", "pooled"]
