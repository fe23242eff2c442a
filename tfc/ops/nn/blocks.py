"""Space and depth, space and batch: blocks of places moved to other axes; patches of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import bool_, int32, int64
from tfc.ir.extent import Extent, floordiv, product

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import Sizes, primitive, retype
from ..arguments import attribute, known_argument
from ..arguments import numbers as plain_numbers
from ..array.conversion import cast
from ..array.creation import zeros_like
from ..array.joining import stack
from ..array.shaping import reverse
from ..extents import _integer, _require, _require_equal, extents_of, listed
from ..math.arithmetic import floormod, negative
from .sliding import PerAxis, Slide, agreed, channels_first, known, numbers, slide


def _block_format(data_format: Any, name: str) -> bool:
    """Whether the channels stand before the spatial axes."""
    if not isinstance(data_format, str) or data_format not in ("NHWC", "NCHW"):
        attribute(data_format, ("NHWC", "NCHW", "NCHW_VECT_C"), "data_format", name)
        raise blame.unimplemented(f"data_format {data_format!r} is not there", name)
    return bool(data_format == "NCHW")


_UNEVEN = "Image width and height should be divisible by block_size: {by}, got {extent}"


def _divides(extent: Extent, by: int, text: str, name: str) -> None:
    if isinstance(extent, int) and extent % by:
        raise blame.invalid(text.format(extent=extent, by=by), name)
    _require_equal(extent, floordiv(extent, by) * by)


@primitive
def _space_to_depth(b: Builder, x: Value, k: int, first: bool) -> Value:
    if first:
        n, c, h, w = x.shape
        split = b.emit(ir.Reshape(x, (n, c, h // k, k, w // k, k)))
        moved = b.emit(ir.Transpose(split, (0, 3, 5, 1, 2, 4)))
        return b.emit(ir.Reshape(moved, (n, k * k * c, h // k, w // k)))
    n, h, w, c = x.shape
    split = b.emit(ir.Reshape(x, (n, h // k, k, w // k, k, c)))
    moved = b.emit(ir.Transpose(split, (0, 1, 3, 2, 4, 5)))
    return b.emit(ir.Reshape(moved, (n, h // k, w // k, k * k * c)))


@primitive
def _depth_to_space(b: Builder, x: Value, k: int, first: bool) -> Value:
    if first:
        n, c, h, w = x.shape
        split = b.emit(ir.Reshape(x, (n, k, k, c // (k * k), h, w)))
        moved = b.emit(ir.Transpose(split, (0, 3, 4, 1, 5, 2)))
        return b.emit(ir.Reshape(moved, (n, c // (k * k), h * k, w * k)))
    n, h, w, c = x.shape
    split = b.emit(ir.Reshape(x, (n, h, w, k, k, c // (k * k))))
    moved = b.emit(ir.Transpose(split, (0, 1, 3, 2, 4, 5)))
    return b.emit(ir.Reshape(moved, (n, h * k, w * k, c // (k * k))))


def _blocked(input: Any, block_size: Any, name: str) -> tuple[Any, int]:
    x, k = operand(name, input), _integer(block_size, "block_size", name)
    if len(x.shape) != 4:
        raise blame.invalid(
            f"Input rank should be 4 instead of {len(x.shape)}: shape {x.shape}", name
        )
    if k < 2:
        raise blame.invalid(
            f"Value for attr 'block_size' of {k} must be at least minimum 2: block_size={k}", name
        )
    return x, k


def space_to_depth(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Each block of block_size x block_size places becomes one, with all their channels.

    Args:
        input: A tensor of any dtype [batch, height, width, channels].
        block_size: The rows and columns of a block, at least 2; height and width are multiples of
            it.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.

    Returns:
        A tensor [batch, height / block_size, width / block_size, channels * block_size^2].

    Raises:
        TypeError: If `block_size` is no integer.
        ValueError: If it is below 2.
        InvalidArgumentError: If the rank is not 4, or an extent is no multiple (ValueError while
            tracing).
        UnimplementedError: If there is no such `data_format`.

    >>> import tfc as tf
    >>> tf.nn.space_to_depth(tf.zeros([1, 4, 6, 3]), 2).shape
    TensorShape([1, 2, 3, 12])
    """
    x, k = _blocked(input, block_size, "space_to_depth")
    first = _block_format(data_format, "space_to_depth")
    spatial = extents_of(x)[2:] if first else extents_of(x)[1:3]
    for extent in spatial:
        _divides(extent, k, _UNEVEN, "space_to_depth")
    return _space_to_depth.fast(k, first)(x)


def depth_to_space(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The inverse of `space_to_depth`: channels become blocks of places.

    Args:
        input: A tensor of any dtype [batch, height, width, channels].
        block_size: The rows and columns of a block, at least 2; the number of channels is a
            multiple of block_size^2.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.

    Returns:
        A tensor [batch, height * block_size, width * block_size, channels / block_size^2].

    Raises:
        TypeError: If `block_size` is no integer.
        ValueError: If it is below 2.
        InvalidArgumentError: If the rank is not 4, or the number of channels is no multiple
            (ValueError while tracing).
        UnimplementedError: If there is no such `data_format`.

    >>> import tfc as tf
    >>> x = tf.reshape([1, 2, 3, 4], [1, 1, 1, 4])
    >>> print(tf.reshape(tf.nn.depth_to_space(x, 2), [2, 2]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    x, k = _blocked(input, block_size, "depth_to_space")
    first = _block_format(data_format, "depth_to_space")
    depth = extents_of(x)[1 if first else 3]
    text = "Input depth dimension {extent} should be divisible by: {by}"
    _divides(depth, k * k, text, "depth_to_space")
    return _depth_to_space.fast(k, first)(x)


def _pairs(pairs: Any, count: int, what: str, name: str) -> tuple[tuple[int, int], ...]:
    if isinstance(pairs, SymbolicTensor):
        pairs = known_argument(pairs, what, name)
    try:
        rows = np.asarray(pairs).tolist()
    except ValueError:  # lists of several lengths
        rows = []
    found = tuple(tuple(_integer(v, what, name) for v in row) for row in rows)
    if len(found) != count or any(len(row) != 2 or min(row) < 0 for row in found):
        raise blame.invalid(
            f"{what} need a pair of numbers >= 0 for each block, got {shown(pairs)}", name
        )
    return found  # type: ignore[return-value]


def _block_shape(block_shape: Any, rank: int, name: str) -> tuple[int, ...]:
    given = plain_numbers(block_shape, "block_shape", name)
    given = given * 2 if not np.ndim(block_shape) else given
    blocks = tuple(_integer(v, "block_shape", name) for v in given)
    if rank < len(blocks) + 1 or any(v < 1 for v in blocks):
        raise blame.invalid(f"block_shape {blocks} does not fit rank {rank}", name)
    return blocks


@primitive
def _space_to_batch(b: Builder, x: Value, blocks: tuple[int, ...], low: Any, high: Any) -> Value:
    m = len(blocks)
    begin = (0, *low, *(0,) * (x.rank - m - 1))
    after = (0, *high, *(0,) * (x.rank - m - 1))
    shape = tuple(a + e + z for a, e, z in zip(begin, x.shape, after, strict=True))
    if shape != x.shape:
        x = b.emit(ir.Pad(x, b.constant(0, x.dtype), begin, shape, (1,) * x.rank))
    n, rest = shape[0], shape[m + 1 :]
    outer = [floordiv(e, k) for e, k in zip(shape[1 : m + 1], blocks, strict=True)]
    split: list[Extent] = [n]
    for e, k in zip(outer, blocks, strict=True):
        split += [e, k]
    order = (
        *range(2, 2 * m + 1, 2),
        0,
        *range(1, 2 * m, 2),
        *range(2 * m + 1, 2 * m + 1 + len(rest)),
    )
    moved = b.emit(ir.Transpose(b.emit(ir.Reshape(x, (*split, *rest))), order))
    return b.emit(ir.Reshape(moved, (n * product(blocks), *outer, *rest)))


def space_to_batch(
    input: TensorLike, block_shape: Any, paddings: Any, name: str | None = None
) -> Tensor:
    """Padded by zeros, and the places of each block of the axes behind the first divided among
    images of their own.

    Args:
        input: A tensor of numbers [batch, spatial..., ...].
        block_shape: The extents of a block, one for each spatial axis; a number alone is that of
            two axes.
        paddings: Pairs (before, after) of how many zeros each spatial axis gets, so that it is a
            multiple of the block.

    Returns:
        A tensor [batch * product of block_shape, padded extents / block_shape..., ...] of the same
        dtype.

    Raises:
        TypeError: If a number is no integer.
        InvalidArgumentError: If an extent is no multiple, a number is negative, or the lengths do
            not fit (ValueError while tracing).

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(6), [1, 6])
    >>> print(tf.space_to_batch(x, [2], [[0, 0]]))
    tf.Tensor(
    [[0 2 4]
     [1 3 5]], shape=(2, 3), dtype=int32)
    """
    name = "space_to_batch"
    x = operand(name, input)
    blocks = _block_shape(block_shape, len(x.shape), name)
    pairs = _pairs(paddings, len(blocks), "paddings", name)
    for e, k, (lo, hi) in zip(extents_of(x)[1 : len(blocks) + 1], blocks, pairs, strict=True):
        _divides(e + lo + hi, k, "padded_shape {extent} is not divisible by block_shape {by}", name)
    low, high = (Sizes(p[i] for p in pairs) for i in (0, 1))
    return _space_to_batch(x, static=(blocks, low, high))


space_to_batch_nd = space_to_batch


def required_space_to_batch_paddings(
    input_shape: TensorLike,
    block_shape: TensorLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """How much to pad, so that each spatial extent is a multiple of its block: for
    `space_to_batch`, and how much of that `batch_to_space` is to crop.

    Args:
        input_shape: The spatial extents: integers [n].
        block_shape: The extents of a block: integers [n], positive.
        base_paddings: Zeros that there shall be at least: integers [n, 2]; None: none.

    Returns:
        paddings and crops: int32 [n, 2] each.

    Raises:
        InvalidArgumentError: If the shapes do not fit.

    >>> import tfc as tf
    >>> paddings, crops = tf.required_space_to_batch_paddings([5, 6], [4, 3])
    >>> print(paddings.numpy().tolist(), crops.numpy().tolist())
    [[0, 3], [0, 0]] [[0, 3], [0, 0]]
    """
    name = "required_space_to_batch_paddings"
    extents, blocks = (cast(operand(name, v, int32), int32) for v in (input_shape, block_shape))
    base = zeros_like(stack([extents, extents], 1))
    if base_paddings is not None:
        base = base + cast(operand(name, base_paddings, int32), int32)
    before, after = base[:, 0], base[:, 1]
    more = floormod(-(extents + before + after), blocks)
    return stack([before, after + more], 1), stack([zeros_like(more), more], 1)


@primitive
def _batch_to_space(b: Builder, x: Value, blocks: tuple[int, ...], low: Any, high: Any) -> Value:
    m, count = len(blocks), product(blocks)
    n, outer, rest = floordiv(x.shape[0], count), x.shape[1 : m + 1], x.shape[m + 1 :]
    split = b.emit(ir.Reshape(x, (*blocks, n, *outer, *rest)))
    order = [m]
    for i in range(m):
        order += [m + 1 + i, i]
    order += range(2 * m + 1, 2 * m + 1 + len(rest))
    whole = tuple(e * k for e, k in zip(outer, blocks, strict=True))
    y = b.emit(ir.Reshape(b.emit(ir.Transpose(split, tuple(order))), (n, *whole, *rest)))
    begin = (0, *low, *(0,) * len(rest))
    inner = tuple(e - a - z for e, a, z in zip(whole, low, high, strict=True))
    return b.emit(ir.Slice(y, begin, (n, *inner, *rest), (1,) * y.rank))


def batch_to_space(
    input: TensorLike, block_shape: Any, crops: Any, name: str | None = None
) -> Tensor:
    """The inverse of `space_to_batch`.

    Args:
        input: A tensor of any dtype [batch, spatial..., ...], whose batch is a multiple of the
            product of `block_shape`.
        block_shape: The extents of a block, one for each spatial axis; a number alone is that of
            two axes.
        crops: Pairs (before, after) of how much is cut off each spatial axis.

    Returns:
        A tensor [batch / product of block_shape, spatial * block_shape - crops..., ...] of the same
        dtype.

    Raises:
        TypeError: If a number is no integer.
        InvalidArgumentError: If the batch is no multiple, crops are negative or more than there is,
            or the lengths do not fit (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.batch_to_space([[0, 2, 4], [1, 3, 5]], [2], [[0, 1]]))
    tf.Tensor([[0 1 2 3 4]], shape=(1, 5), dtype=int32)
    """
    name = "batch_to_space"
    x = operand(name, input)
    blocks = _block_shape(block_shape, len(x.shape), name)
    pairs = _pairs(crops, len(blocks), "crops", name)
    extents = extents_of(x)
    text = "Input batch dimension ({extent}) is not divisible by product of block sizes ({by})"
    _divides(extents[0], int(np.prod(blocks)), text, name)
    for e, k, (lo, hi) in zip(extents[1 : len(blocks) + 1], blocks, pairs, strict=True):
        left = e * k - lo - hi
        if isinstance(left, int) and left < 0:
            raise blame.invalid(
                f"cropped extent {left} must be non-negative: crops {(lo, hi)} are more than "
                f"{e * k}",
                name,
            )
        _require(left)
    low, high = (Sizes(p[i] for p in pairs) for i in (0, 1))
    return _batch_to_space(x, static=(blocks, low, high))


# Patches.


def patches_of(b: Builder, x: Value, how: Slide, fill: float = 0) -> Value:
    """x [N, H, W, C] as [N, places, taps, C] in each spatial axis: [N, h, i, w, j, C]."""
    axes = len(how.strides)
    size = how.sizes(x.shape[1:-1])
    spread = [(k - 1) * d + 1 for k, d in zip(how.window, how.dilations, strict=True)]
    reach = [
        0 if m == 0 else (m - 1) * s + e for m, s, e in zip(size, how.strides, spread, strict=True)
    ]
    shape = (x.shape[0], *reach, x.shape[-1])
    # What the windows reach: padded, and cut where the last window ends before x does.
    ends = [a + e for a, e in zip(how.low, x.shape[1:-1], strict=True)]
    whole = tuple(e + r for e, r in zip(ends, reach, strict=True))
    padded = b.emit(
        ir.Pad(
            x,
            b.constant(fill, x.dtype),
            (0, *how.low, 0),
            (x.shape[0], *whole, x.shape[-1]),
            (1,) * (axes + 2),
        )
    )
    x = b.emit(ir.Slice(padded, (0,) * (axes + 2), shape, (1,) * (axes + 2)))
    for axis in range(axes):
        grid = (size[axis], how.window[axis])
        places = Term(b, b.emit(ir.Iota(grid, 0, int64))) * how.strides[axis]
        taps = Term(b, b.emit(ir.Iota(grid, 1, int64))) * how.dilations[axis]
        x = b.emit(ir.Gather(x, (places + taps).value, 2 * axis + 1))
    return x


@primitive
def _extract_patches(b: Builder, x: Value, how: Slide) -> Value:
    split = patches_of(b, x, how)
    axes, last = len(how.strides), split.rank - 1
    places, taps = range(1, last, 2), range(2, last, 2)
    moved = b.emit(ir.Transpose(split, (0, *places, *taps, last)))
    return b.emit(ir.Reshape(moved, (*moved.shape[: axes + 1], product(moved.shape[axes + 1 :]))))


def extract_patches(
    images: TensorLike,
    sizes: PerAxis,
    strides: PerAxis,
    rates: PerAxis,
    padding: str,
    name: str | None = None,
) -> Tensor:
    """The patches of images under a window that slides over them, each as a vector.

    Args:
        images: A tensor of any dtype [batch, height, width, channels].
        sizes: The extents of the window: a number, or one for each spatial axis, or [1, rows,
            columns, 1].
        strides: How far the window moves, likewise.
        rates: How far its pixels lie apart, likewise.
        padding: "SAME" (zeros around) or "VALID".

    Returns:
        A tensor [batch, h, w, rows * columns * channels]: a vector for each place of the window.

    Raises:
        ValueError: If the rank is not 4, a number is not positive, or `padding` is another one.
        InvalidArgumentError: If the window is larger than the images by more than a pixel
            (ValueError while tracing).
        UnimplementedError: If a number of batch or channels is not 1.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(9), [1, 3, 3, 1])
    >>> y = tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")
    >>> print(y.shape, y[0, 0, 0].numpy(), y[0, 1, 1].numpy())
    (1, 2, 2, 4) [0 1 3 4] [4 5 7 8]
    """
    name = "extract_patches"
    x = operand(name, images)
    if len(x.shape) != 4:
        raise blame.invalid(f"input must be 4-dimensional{listed(x)}: images", name)
    window, by, apart = (
        numbers(v, 2, False, what, name)
        for v, what in ((sizes, "sizes"), (strides, "strides"), (rates, "rates"))
    )
    how = slide(extents_of(x)[1:3], window, by, apart, padding, False, name)
    return _extract_patches.fast(how)(x)


@primitive
def _dilation2d(b: Builder, x: Value, w: Value, how: Slide) -> Value:
    if x.dtype is not w.dtype:
        raise OpError("dilation2d: operands must have the same dtype", "dtype")
    if x.dtype.is_bool or x.dtype.is_complex:
        raise OpError(f"dilation2d: not defined for dtype {x.dtype.name}", "dtype")
    w = retype(b, w, (*how.window, w.shape[2]))
    w = agreed(b, w, 2, x.shape[3], "dilation2d: input and filters must have the same depth")
    low = -float("inf") if x.dtype.is_floating else int(x.dtype.min)
    split = patches_of(b, x, how, low)
    inside = patches_of(b, b.emit(ir.Broadcast(b.constant(True, bool_), x.shape, ())), how)
    spread = b.emit(ir.Broadcast(w, split.shape, (2, 4, 5)))
    raised = Term(b, b.emit(ir.Add(split, spread)))
    raised = Term(b, inside).select(raised, raised.const(low))
    n, h, i, wide, j, c = split.shape
    apart = b.emit(ir.Transpose(raised.value, (0, 1, 3, 5, 2, 4)))
    taps = b.emit(ir.Reshape(apart, (n, h, wide, c, i * j)))
    # The first of several maxima is taken, and has the gradient: a sum over it alone.
    place = b.emit(ir.Broadcast(b.emit(ir.ArgMax(taps, (4,))), taps.shape, (0, 1, 2, 3)))
    first = Term(b, b.emit(ir.Iota(taps.shape, 4, int64))).equal(place)
    return b.emit(ir.ReduceSum(where(first, Term(b, taps), 0).value, (4,)))


def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: PerAxis,
    padding: str,
    data_format: str,
    dilations: PerAxis,
    name: str | None = None,
) -> Tensor:
    """The maximum of x + filters in each window (grey-scale morphology); of several that are
    the maximum, the first has the gradient. What is outside does not count.

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        filters: A tensor of the same dtype [rows, columns, channels].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: "NHWC" alone.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor [batch, h, w, channels] of the same dtype.

    Raises:
        ValueError: If a length of strides or dilations, `padding` or `data_format` is another one.
        InvalidArgumentError: If ranks or channels do not fit (ValueError while tracing), or the
            dtypes differ or are bool or complex (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 3.0], [1, 1, 4, 1])
    >>> one, w = [1, 1, 1, 1], tf.zeros([1, 2, 1])
    >>> print(tf.reshape(tf.nn.dilation2d(x, w, one, "VALID", "NHWC", one), [-1]))
    tf.Tensor([5. 5. 3.], shape=(3,), dtype=float32)
    """
    name = "dilation2d"
    x = operand(name, input)
    w = operand(name, filters, dtype_hint=x.dtype)
    if channels_first(data_format, 2, name):
        raise blame.value_error(
            f"`data_format` values other than 'NHWC' are not supported. Received: "
            f"data_format={data_format}",
            name,
        )
    extents, taps = extents_of(x), extents_of(w)
    if len(extents) != 4 or len(taps) != 3:
        raise blame.invalid(f"needs ranks 4 and 3, got {extents} and {taps}", name)
    if known(extents[3], taps[2]) and extents[3] != taps[2]:
        raise blame.invalid(f"input and filters must have the same depth: {extents}, {taps}", name)
    _require_equal(extents[3], taps[2])
    by = numbers(strides, 2, False, "strides", name)
    apart = numbers(dilations, 2, False, "dilations", name)
    how = slide(extents[1:3], taps[:2], by, apart, padding, False, name)
    return _dilation2d.fast(how)(x, w)


def erosion2d(
    value: TensorLike,
    filters: TensorLike,
    strides: PerAxis,
    padding: str,
    data_format: str,
    dilations: PerAxis,
    name: str | None = None,
) -> Tensor:
    """The minimum of x - filters in each window: the dilation of -x by the filters turned round,
    negated.

    Args:
        value: A tensor of real numbers [batch, height, width, channels].
        filters: A tensor of the same dtype [rows, columns, channels].
        strides: How far the window moves: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: "NHWC" alone.
        dilations: How far the taps lie apart: a number, or one for each spatial axis, or for all;
            None is 1.

    Returns:
        A tensor [batch, h, w, channels] of the same dtype.

    Raises:
        ValueError: If a length of strides or dilations, `padding` or `data_format` is another one.
        InvalidArgumentError: If ranks or channels do not fit (ValueError while tracing), or the
            dtypes differ or are bool or complex (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 3.0], [1, 1, 4, 1])
    >>> one, w = [1, 1, 1, 1], tf.zeros([1, 2, 1])
    >>> print(tf.reshape(tf.nn.erosion2d(x, w, one, "VALID", "NHWC", one), [-1]))
    tf.Tensor([1. 2. 2.], shape=(3,), dtype=float32)
    """
    turned = reverse(operand("erosion2d", filters), [0, 1])
    x = negative(operand("erosion2d", value))
    return negative(dilation2d(x, turned, strides, padding, data_format, dilations))
