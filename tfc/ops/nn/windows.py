"""Windows as ops of their own: the patches of volumes, and ops on every n-th place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import attribute
from ..arguments import numbers as plain_numbers
from ..extents import extents_of, listed
from .blocks import (
    _extract_patches,
    batch_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
)
from .sliding import numbers, slide


def extract_volume_patches(
    input: TensorLike,
    ksizes: Sequence[int],
    strides: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Tensor:
    """The patches of volumes under a window that slides over them, each as a vector.

    Args:
        input: A tensor of any dtype [batch, planes, rows, columns, channels].
        ksizes: The extents of the window: [1, planes, rows, columns, 1].
        strides: How far the window moves, likewise.
        padding: "SAME" (zeros around) or "VALID".

    Returns:
        A tensor [batch, places..., planes * rows * columns * channels]: a vector for each place of
        the window.

    Raises:
        InvalidArgumentError: If the rank or a length is not 5, a number is not positive, `padding`
            is another one, or the window is larger than the volume by more than an element
            (ValueError while tracing).
        UnimplementedError: If a number of batch or channels is not 1.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(8), [1, 2, 2, 2, 1])
    >>> y = tf.extract_volume_patches(x, [1, 1, 2, 2, 1], [1, 1, 1, 1, 1], "VALID")
    >>> print(y.shape, y[0, 1, 0, 0].numpy())
    (1, 2, 1, 1, 4) [4 5 6 7]
    """
    op = "extract_volume_patches"
    x = operand(op, input)
    if len(x.shape) != 5:
        raise blame.invalid(f"input must be 5-dimensional{listed(x)}", op)
    for what, given in (("ksizes", ksizes), ("strides", strides)):
        if isinstance(given, list | tuple) and len(given) != 5:
            raise blame.invalid(
                f"Length for attr '{what}' of {len(given)} must be at least minimum 5", op
            )
    attribute(padding, ("SAME", "VALID"), "padding", op)
    window, by = (
        numbers(v, 3, False, w, op) for v, w in ((ksizes, "ksizes"), (strides, "strides"))
    )
    how = slide(extents_of(x)[1:4], window, by, (1, 1, 1), padding, False, op)
    return _extract_patches.fast(how)(x)


def with_space_to_batch(
    input: TensorLike,
    dilation_rate: TensorLike,
    padding: str,
    op: Callable[[Tensor, int, str], Tensor],
    filter_shape: TensorLike | None = None,
    spatial_dims: Sequence[int] | None = None,
    data_format: str | None = None,
) -> Any:
    """An op on every `dilation_rate`-th place of the spatial axes, for all of their beginnings:
    what a sliding window gives whose taps lie so far apart.

    Args:
        input: A tensor [batch, ...] of at least one axis more than the last spatial one.
        dilation_rate: How far apart the places lie: positive integers, one for each spatial axis.
        padding: "SAME", which needs `filter_shape`, or "VALID".
        op: A function of the places in the batch's stead, the number of spatial axes and the
            padding that is left to do, which is "VALID" where places lie apart.
        filter_shape: The extents of the window that `op` slides, one for each spatial axis.
        spatial_dims: The spatial axes, ascending and positive; None: the ones after the batch, or
            after the channels.
        data_format: Where the channels stand: before the spatial axes if it begins with "NC".

    Returns:
        What `op` gives, at the places where they were.

    Raises:
        ValueError: If a number is not positive, ranks do not fit, or `padding` is another one.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(6.0), [1, 6, 1])
    >>> def pairs(x, axes, padding):
    ...     return tf.nn.max_pool1d(x, 2, 1, padding)
    >>> print(tf.reshape(tf.nn.with_space_to_batch(x, [2], "VALID", pairs), [-1]))
    tf.Tensor([2. 3. 4. 5.], shape=(4,), dtype=float32)
    """
    name = "with_space_to_batch"
    rate = np.asarray(operand(name, dilation_rate))
    if rate.ndim != 1:
        raise blame.value_error(
            "`dilation_rate.shape.rank` must be 1. Received: "
            f"dilation_rate={rate} of rank {rate.ndim}",
            name,
        )
    if (rate < 1).any():
        raise blame.value_error(
            f"`dilation_rate` must be positive. Received: dilation_rate={rate}", name
        )
    first = isinstance(data_format, str) and data_format.startswith("NC")
    axes = (
        plain_numbers(spatial_dims, "spatial_dims", name)
        if spatial_dims is not None
        else [i + (2 if first else 1) for i in range(len(rate))]
    )
    if sorted(set(axes)) != axes or any(a < 1 for a in axes) or len(axes) != len(rate):
        raise blame.value_error(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers, one "
            f"for each rate. Received: spatial_dims={axes}",
            name,
        )
    x = operand(name, input)
    extents = extents_of(x)
    least = axes[-1] + (1 if first else 2) if axes else 1
    if len(extents) < least:
        raise blame.value_error(
            f"`input.shape.rank` must be at least {least}. Received: "
            f"input.shape={x.shape} with rank {len(extents)}",
            name,
        )
    if (rate == 1).all():
        return op(x, len(rate), padding)
    if padding not in ("SAME", "VALID"):
        raise blame.value_error(
            f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}", name
        )
    base = np.zeros((len(rate), 2), np.int32)
    if padding == "SAME":
        if filter_shape is None:
            raise blame.value_error(
                "`filter_shape` must be specified for `padding='SAME'`. Received: "
                f"filter_shape={filter_shape} and padding={padding}",
                name,
            )
        taps = np.array(plain_numbers(filter_shape, "filter_shape", name), np.int64)
        more = (taps - 1) * rate
        base = np.stack([more // 2, more - more // 2], axis=1)
    # Axes before the last spatial one that are none have blocks of one.
    blocks, ends = np.ones(axes[-1], np.int64), np.zeros((axes[-1], 2), np.int64)
    at = np.array(axes) - 1
    blocks[at], ends[at] = rate, base
    whole = [e for e in extents[1 : axes[-1] + 1] if isinstance(e, int)]
    if len(whole) < axes[-1]:
        raise blame.unknown_extent("the spatial extents must be known", name)
    paddings, crops = required_space_to_batch_paddings(whole, blocks, ends)
    apart = space_to_batch(x, blocks, paddings)
    return batch_to_space(op(apart, len(rate), "VALID"), blocks, crops)


__all__ = ["extract_volume_patches", "with_space_to_batch"]
