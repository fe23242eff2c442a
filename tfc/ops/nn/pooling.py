"""Maxima and means over windows."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, int32, int64
from tfc.ir.extent import Expr, Extent, product

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import broadcast_to, primitive
from ..arguments import attribute, flag, one_of
from ..array.shaping import reshape
from ..extents import _integer, extents_of
from ..math.reductions import reduce_max
from .sliding import (
    Padding,
    PerAxis,
    Slide,
    as_given,
    channels_first,
    channels_last,
    joined_batch,
    need_axes,
    numbers,
    slide,
)


def _window(x: Value, how: Slide) -> tuple[Any, ...]:
    """The attributes of a pool over x [N, spatial..., C]."""
    return how.window, how.sizes(x.shape[1:-1]), how.strides, how.low, how.dilations


@primitive
def _max_pool(b: Builder, x: Value, how: Slide) -> Value:
    axes = len(how.strides)
    batch = joined_batch(x, axes)
    x = channels_last(b, x, axes, how.channels_first)
    return as_given(b, b.emit(ir.MaxPool(x, *_window(x, how))), batch, how.channels_first)


@primitive
def _avg_pool(b: Builder, x: Value, how: Slide) -> Value:
    if not x.dtype.is_floating:
        raise OpError(f"avg_pool: not defined for dtype {x.dtype.name}", "dtype")
    axes = len(how.strides)
    batch = joined_batch(x, axes)
    x = channels_last(b, x, axes, how.channels_first)
    channels, size = x.shape[-1], how.sizes(x.shape[1:-1])
    # Counted before, so that the kernel of the sums can divide by what is there.
    count = b.emit(ir.Cast(_counts(b, how, x.shape[1:-1], size), x.dtype))
    one = b.constant(1, x.dtype)
    filters = broadcast_to(b, one, (*how.window, 1, channels))
    apart = (1,) * axes
    if channels == 0:  # which are no groups
        none = broadcast_to(b, b.constant(0, x.dtype), (x.shape[0], *size, 0))
        return as_given(b, none, batch, how.channels_first)
    total = b.emit(
        ir.Conv(x, filters, size, how.strides, how.low, how.dilations, apart, channels, 1)
    )
    spread = b.emit(ir.Broadcast(count, total.shape, tuple(range(1, axes + 1))))
    return as_given(b, b.emit(ir.Div(total, spread)), batch, how.channels_first)


def _counts(b: Builder, how: Slide, extents: Any, size: tuple[Extent, ...]) -> Value:
    """How many taps lie inside at each place, as int64 of shape `size`."""
    total = Term(b, broadcast_to(b, b.constant(1, int64), size))
    for axis, extent in enumerate(extents):

        def everywhere(e: Extent) -> Term:
            return Term(b, broadcast_to(b, b.emit(ir.ExtentOf(e)), size))

        apart = how.dilations[axis]
        place = Term(b, b.emit(ir.Iota(size, axis, int64)))
        before = everywhere(how.low[axis]) - place * how.strides[axis]
        first = ((before + (apart - 1)) // apart).maximum(0)
        last = ((before + everywhere(extent - 1)) // apart) + 1
        total = total * (last.minimum(everywhere(how.window[axis])) - first)
    return total.value


def _plan(
    x: Any,
    axes: int,
    window: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
    name: str,
) -> Slide:
    extents = extents_of(x)
    first = channels_first(data_format, axes, name)
    need_axes(axes, extents, name)
    spatial = extents[len(extents) - axes :] if first else extents[-1 - axes : -1]
    taps = numbers(window, axes, first, "ksize", name)
    by = numbers(strides, axes, first, "strides", name)
    apart = numbers(dilations, axes, first, "dilations", name)
    if isinstance(padding, str) and padding.upper() == "SAME":
        rows = zip(taps, spatial, by, apart, strict=True)
        taps = tuple(k if isinstance(n, Expr) else _within(k, n, s, d) for k, n, s, d in rows)
    return slide(spatial, taps, by, apart, padding, first, name)


def _within(window: int, extent: int, stride: int, dilation: int) -> int:
    """A window with as many taps less at each end as never see anything under SAME, which lays the
    middle of the window near each place."""
    side = (extent + min(stride, extent)) // dilation + 2
    return window - 2 * max(0, (window - 2 * side - 1) // 2)


def _pooled(
    kind: str,
    name: str,
    axes: int | None,
    input: Any,
    window: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any = None,
) -> Tensor:
    x = operand(name, input)
    if axes is None:
        axes = len(x.shape) - 2
        if not 1 <= axes <= 3:
            raise blame.value_error(
                "`input.shape.rank` must be 3, 4 or 5. Received: "
                f"input.shape={x.shape} of rank {len(x.shape)}",
                name,
            )
    if kind == "MAX" and isinstance(window, list | tuple) and len(window) == axes + 2:
        depth = _integer(window[-1], "ksize", name)
        if depth > 1 and not channels_first(data_format, axes, name):
            return _across_channels(x, depth, window, strides, name)
    how = _plan(x, axes, window, strides, padding, data_format, dilations, name)
    return (_max_pool if kind == "MAX" else _avg_pool).fast(how)(x)


def _across_channels(x: Any, depth: int, window: Any, strides: Any, name: str) -> Tensor:
    """The maximum of each `depth` channels beside each other."""
    extents = extents_of(x)
    if any(_integer(k, "ksize", name) != 1 for k in window[:-1]):
        raise blame.unimplemented(
            "MaxPooling supports exactly one of pooling across depth or pooling across "
            "width/height.",
            name,
        )
    by = strides[-1] if isinstance(strides, list | tuple) else strides
    if _integer(by, "strides", name) != depth:
        raise blame.unimplemented(
            "Depthwise max pooling requires the depth window to equal the depth stride.", name
        )
    if not isinstance(extents[-1], int) or extents[-1] % depth:
        raise blame.unimplemented(
            "Depthwise max pooling requires the depth window to evenly divide the input depth: "
            f"{extents[-1]} channels by {depth}",
            name,
        )
    return reduce_max(reshape(x, [*extents[:-1], extents[-1] // depth, depth]), axis=-1)


def max_pool(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The maximum of each window, over 1 to 3 spatial axes. Padding does not count. The gradient
    goes to the first maximum of a window.

    Args:
        input: A tensor of real numbers [batch, spatial..., channels].
        ksize: The extents of the window: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: last (None, "NWC", "NHWC" or "NDHWC"), or before the
            spatial axes ("NCW", "NCHW" or "NCDHW").

    Returns:
        A tensor [batch, places..., channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.constant([1.0, 3.0, 2.0, 0.0])
    >>> print(tf.reshape(tf.nn.max_pool(tf.reshape(x, [1, 4, 1]), 2, 2, "VALID"), [-1]))
    tf.Tensor([3. 2.], shape=(2,), dtype=float32)
    """
    return _pooled("MAX", "max_pool", None, input, ksize, strides, padding, data_format)


def max_pool1d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """`max_pool` over one axis.

    Args:
        input: A tensor of real numbers [batch..., width, channels].
        ksize: The extent of the window: a number, or three, of which the outer ones are 1.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NWC", last, or "NCW", before the width.

    Returns:
        A tensor [batch..., places, channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 3.0, 2.0, 5.0], [1, 4, 1])
    >>> print(tf.reshape(tf.nn.max_pool1d(x, 2, 1, "VALID"), [-1]))
    tf.Tensor([3. 3. 5.], shape=(3,), dtype=float32)
    """
    return _pooled("MAX", "max_pool1d", 1, input, ksize, strides, padding, data_format)


def max_pool2d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """`max_pool` over two axes: `input` is [batch, height, width, channels].

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        ksize: The extents of the window: a number, or one for each of the two axes, or of all four.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a pair (before, after) for each axis.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.

    Returns:
        A tensor [batch, height, width, channels] of the dtype of `input`.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.reshape(tf.nn.max_pool2d(x, 2, 2, "VALID"), [2, 2]))
    tf.Tensor(
    [[ 5.  7.]
     [13. 15.]], shape=(2, 2), dtype=float32)
    """
    return _pooled("MAX", "max_pool2d", 2, input, ksize, strides, padding, data_format)


def max_pool3d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """`max_pool` over three axes.

    Args:
        input: A tensor of real numbers [batch..., depth, height, width, channels].
        ksize: The extents of the window: a number, or one for each of the three axes, or of all
            five.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NDHWC", last, or "NCDHW", before the spatial axes.

    Returns:
        A tensor [batch..., depth, height, width, channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.nn.max_pool3d(x, 2, 2, "VALID").numpy().item()
    7.0
    """
    return _pooled("MAX", "max_pool3d", 3, input, ksize, strides, padding, data_format)


def avg_pool(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of each window, over 1 to 3 spatial axes. Padding does not count.

    Args:
        input: A tensor of floats [batch, spatial..., channels].
        ksize: The extents of the window: a number, or one for each spatial axis, or for all axes,
            of which batch and channels have 1.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: last (None, "NWC", "NHWC" or "NDHWC"), or before the
            spatial axes ("NCW", "NCHW" or "NCDHW").

    Returns:
        A tensor [batch, places..., channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.constant([1.0, 3.0, 2.0, 0.0])
    >>> print(tf.reshape(tf.nn.avg_pool(tf.reshape(x, [1, 4, 1]), 3, 1, "SAME"), [-1]))
    tf.Tensor([2.        2.        1.6666666 1.       ], shape=(4,), dtype=float32)
    """
    return _pooled("AVG", "avg_pool", None, input, ksize, strides, padding, data_format)


def avg_pool1d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """`avg_pool` over one axis.

    Args:
        input: A tensor of floats [batch..., width, channels].
        ksize: The extent of the window: a number, or three, of which the outer ones are 1.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NWC", last, or "NCW", before the width.

    Returns:
        A tensor [batch..., places, channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 3.0, 2.0, 5.0], [1, 4, 1])
    >>> print(tf.reshape(tf.nn.avg_pool1d(x, 2, 1, "VALID"), [-1]))
    tf.Tensor([2.  2.5 3.5], shape=(3,), dtype=float32)
    """
    return _pooled("AVG", "avg_pool1d", 1, input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """`avg_pool` over two axes: `input` is [batch, height, width, channels].

    Args:
        input: A tensor of floats [batch, height, width, channels].
        ksize: The extents of the window: a number, or one for each of the two axes, or of all four.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a pair (before, after) for each axis.
        data_format: Where the channels stand: "NHWC", last, or "NCHW", before the spatial axes.

    Returns:
        A tensor [batch, height, width, channels] of the dtype of `input`.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.reshape(tf.nn.avg_pool2d(x, 2, 2, "VALID"), [2, 2]))
    tf.Tensor(
    [[ 2.5  4.5]
     [10.5 12.5]], shape=(2, 2), dtype=float32)
    """
    return _pooled("AVG", "avg_pool2d", 2, input, ksize, strides, padding, data_format)


def avg_pool3d(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """`avg_pool` over three axes.

    Args:
        input: A tensor of floats [batch..., depth, height, width, channels].
        ksize: The extents of the window: a number, or one for each of the three axes, or of all
            five.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: "NDHWC", last, or "NCDHW", before the spatial axes.

    Returns:
        A tensor [batch..., depth, height, width, channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.nn.avg_pool3d(x, 2, 2, "VALID").numpy().item()
    3.5
    """
    return _pooled("AVG", "avg_pool3d", 3, input, ksize, strides, padding, data_format)


def pool(
    input: TensorLike,
    window_shape: PerAxis,
    pooling_type: str,
    strides: PerAxis | None = None,
    padding: Padding = "VALID",
    data_format: str | None = None,
    dilations: PerAxis | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool` or `avg_pool`, with taps that may lie apart.

    Args:
        input: A tensor of real numbers, for means of floats [batch, spatial..., channels].
        window_shape: The extents of the window: a number, or one for each spatial axis.
        pooling_type: "MAX" or "AVG".
        strides: How far the window moves, likewise; None is 1.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: Where the channels stand: last (None, "NWC", "NHWC" or "NDHWC"), or before the
            spatial axes ("NCW", "NCHW" or "NCDHW").
        dilations: How far the taps lie apart, likewise; None is 1.

    Returns:
        A tensor [batch, places..., channels] of the same dtype.

    Raises:
        ValueError: If a rank, a length, `pooling_type`, `padding` or `data_format` is another one,
            or a number is not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 9.0, 2.0, 0.0, 5.0], [1, 5, 1])
    >>> print(tf.reshape(tf.nn.pool(x, [2], "MAX", dilations=[2]), [-1]))
    tf.Tensor([2. 9. 5.], shape=(3,), dtype=float32)
    """
    if not one_of(pooling_type, ("MAX", "AVG")):
        raise blame.value_error(
            f"pooling_type must be 'MAX' or 'AVG': {shown(pooling_type)} pooling is not supported.",
            "pool",
        )
    return _pooled(
        pooling_type, "pool", None, input, window_shape, strides, padding, data_format, dilations
    )


@primitive
def _max_pool_with_argmax(
    b: Builder, x: Value, how: Slide, dtype: DType, batch_counts: bool
) -> Any:
    window = _window(x, how)
    place = b.emit(ir.MaxPlace(x, *window))
    shape = place.shape
    channels = Term(b, broadcast_to(b, b.emit(ir.ExtentOf(x.shape[-1])), shape))
    flat = Term(b, place) * channels + Term(b, b.emit(ir.Iota(shape, x.rank - 1, int64)))
    if batch_counts:
        one = Term(b, broadcast_to(b, b.emit(ir.ExtentOf(product(x.shape[1:]))), shape))
        flat = flat + Term(b, b.emit(ir.Iota(shape, 0, int64))) * one
    return b.emit(ir.MaxPool(x, *window)), b.emit(ir.Cast(flat.value, dtype))


class MaxPoolWithArgmax(NamedTuple):
    """What `max_pool_with_argmax` gives."""

    output: Any
    argmax: Any


def max_pool_with_argmax(
    input: TensorLike,
    ksize: PerAxis,
    strides: PerAxis,
    padding: Padding,
    data_format: str = "NHWC",
    output_dtype: DTypeLike = int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> Any:
    """`max_pool2d`, and the place of each maximum: (y * width + x) * channels + channel.

    Args:
        input: A tensor of real numbers [batch, height, width, channels].
        ksize: The extents of the window: a number, or one for each of the two axes, or of all four.
        strides: How far the window moves, given as `ksize` is.
        padding: "SAME", "VALID", or a list of pairs (before, after), for the spatial axes or for
            all.
        data_format: "NHWC" alone.
        output_dtype: The dtype of the places.
        include_batch_in_index: Whether a place has the number of the image before y: ((image *
            height + y) * width + x) * channels + channel.

    Returns:
        A named tuple of two tensors [batch, height, width, channels]: `output`, the maxima, and
        `argmax`, their places.

    Raises:
        ValueError: If a rank, a length, `padding` or `data_format` is another one, or a number is
            not positive.
        InvalidArgumentError: If the window is larger than the padded input by more than an element
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> x = tf.reshape([1.0, 9.0, 2.0, 0.0], [1, 2, 2, 1])
    >>> y, place = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")
    >>> y.numpy().item(), place.numpy().item()
    (9.0, 1)
    """
    op = "max_pool_with_argmax"
    x = operand(op, input)
    if not one_of(data_format, ("NHWC",)):
        raise blame.value_error(
            f"`data_format` values other than 'NHWC' are not supported. Received: "
            f"data_format={shown(data_format)}",
            op,
        )
    if len(x.shape) != 4:
        raise blame.invalid(f"tensor_in must be 4-dimensional, got shape {x.shape}", op)
    if as_dtype(output_dtype) not in (int32, int64):
        attribute(as_dtype(output_dtype).name, ("int32", "int64"), "Targmax", op)
    how = _plan(x, 2, ksize, strides, padding, data_format, None, op)
    found = _max_pool_with_argmax.fast(
        how,
        as_dtype(output_dtype),
        flag(include_batch_in_index, "include_batch_in_index", "max_pool_with_argmax"),
    )(x)
    return MaxPoolWithArgmax(*found)
