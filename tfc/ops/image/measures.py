"""Derivatives of images, and how near two images are."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32

from ...core import blame, errors
from ...core.conversion import operand
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together, primitive
from ..arguments import flag, number, numbers
from ..array.conversion import cast
from ..array.creation import zeros_like
from ..array.joining import concat, stack
from ..array.shaping import reshape
from ..array.slicing import getitem
from ..extents import extents_of
from ..math.arithmetic import abs as absolute
from ..math.arithmetic import maximum, square
from ..math.reductions import reduce_mean, reduce_prod, reduce_sum
from ..math.transcendental import log
from ..nn.convolution import depthwise_conv2d
from ..nn.pooling import avg_pool2d
from .color import convert_image_dtype
from .geometry import image_operand

_ALL = slice(None)


def _shifted(x: Any, axis: int, index: slice) -> Tensor:
    """x cut along one of its last three axes."""
    cut: list[Any] = [_ALL, _ALL, _ALL]
    cut[axis] = index
    return getitem(x, (Ellipsis, *cut))


def _difference(x: Any, axis: int) -> Tensor:
    return _shifted(x, axis, slice(1, None)) - _shifted(x, axis, slice(None, -1))


def image_gradients(image: TensorLike) -> tuple[Any, Any]:
    """The differences of neighbours down the columns and along the rows, with zeros in the last row
    and column.

    Args:
        image: A tensor of numbers [batch, height, width, channels].

    Returns:
        A pair (dy, dx) of tensors of the shape and dtype of `image`; unsigned integers wrap around.

    Raises:
        ValueError: If the rank is not 4.
        InvalidArgumentError: If the dtype is bool (TypeError while tracing).

    >>> import tfc as tf
    >>> dy, dx = tf.image.image_gradients(tf.reshape([1, 2, 4, 8], [1, 2, 2, 1]))
    >>> print(dy.numpy().ravel(), dx.numpy().ravel())
    [3 6 0 0] [1 0 4 0]
    """
    op = "image.image_gradients"
    x = operand(op, image)
    if len(x.shape) != 4:
        raise blame.value_error(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {x.shape}.", op
        )
    results = []
    for axis in (0, 1):
        last = zeros_like(_shifted(x, axis, slice(0, 1)))
        results.append(concat([_difference(x, axis), last], axis + 1))
    return results[0], results[1]


def sobel_edges(image: TensorLike) -> Tensor:
    """Sobel's smoothed derivatives. Outside, the image is mirrored at its border pixels.

    Args:
        image: A tensor of real numbers [batch, height, width, channels], of two rows and columns at
            least.

    Returns:
        A tensor [batch, height, width, channels, 2] of the same dtype: the derivatives down and
        along.

    Raises:
        ValueError: If the rank is not 4.
        InvalidArgumentError: If the image is smaller (ValueError while tracing), or the dtype is
            bool or complex (TypeError).

    >>> import tfc as tf
    >>> step = tf.reshape([0.0, 0.0, 1.0, 1.0] * 3, [1, 3, 4, 1])
    >>> print(tf.image.sobel_edges(step)[0, 1, :, 0, 1])
    tf.Tensor([0. 4. 4. 0.], shape=(4,), dtype=float32)
    """
    op = "image.sobel_edges"
    x = operand(op, image)
    if len(x.shape) != 4:
        raise blame.value_error(f"image must be of rank 4, got {x.shape}", op)
    for axis in (0, 1):
        second, before_last = (_shifted(x, axis, cut) for cut in (slice(1, 2), slice(-2, -1)))
        x = concat([second, x, before_last], axis + 1)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], np.float64)
    kernels = wrap(np.stack([down, down.T], -1)[:, :, None, :].astype(x.dtype.numpy))
    return _each_channel(x, kernels)


@primitive
def _apart(b: Builder, x: Value) -> Value:
    """[N, H, W, C] as [N * C, H, W, 1]."""
    n, h, w, c = x.shape
    return b.emit(ir.Reshape(b.emit(ir.Transpose(x, (0, 3, 1, 2))), (n * c, h, w, 1)))


@primitive
def _joined(b: Builder, y: Value, x: Value) -> Value:
    """The inverse, with the results of several filters behind: [N, h, w, C, F]."""
    n, c = x.shape[0], x.shape[3]
    split = b.emit(ir.Reshape(y, (n, c, *y.shape[1:])))
    return b.emit(ir.Transpose(split, (0, 2, 3, 1, 4)))


def _each_channel(x: Any, kernels: Any) -> Tensor:
    """Every channel convolved with the same filters [rows, columns, 1, F]."""
    y = depthwise_conv2d(_apart.fast()(x), kernels, [1, 1, 1, 1], "VALID")
    return _joined.fast()(y, x)


def total_variation(images: TensorLike, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbours, of each image: how rough it is.

    Args:
        images: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of real numbers.

    Returns:
        The sum, of the same dtype: a scalar, or [batch].

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> print(tf.image.total_variation(tf.reshape([1.0, 2.0, 4.0, 8.0], [2, 2, 1])))
    tf.Tensor(14.0, shape=(), dtype=float32)
    """
    x = image_operand(images, "image.total_variation")
    axes = [-3, -2, -1]
    parts = [reduce_sum(absolute(_difference(x, axis)), axes) for axis in (0, 1)]
    return parts[0] + parts[1]


def _pair(a: Any, b: Any, max_val: Any, name: str) -> tuple[Any, ...]:
    """Two images and their largest value, as floats."""
    a = operand(name, a)
    b = operand(name, b, dtype_hint=a.dtype)
    if a.dtype is not b.dtype:
        raise blame.invalid_dtype(f"images of {a.dtype.name} and {b.dtype.name}", name)
    if len(a.shape) < 3 or len(b.shape) < 3:
        low = a.shape if len(a.shape) < 3 else b.shape
        raise blame.value_error(f"Shape {low} must have rank at least 3", name)
    for x, y in zip(extents_of(a)[-3:], extents_of(b)[-3:], strict=True):
        if isinstance(x, int) and isinstance(y, int) and x != y:
            raise blame.value_error(f"Shapes {a.shape} and {b.shape} are incompatible", name)
    top = operand(name, max_val, dtype_hint=a.dtype)
    top = cast(top, a.dtype)
    return tuple(convert_image_dtype(v, float32) for v in (a, b, top))


def psnr(a: TensorLike, b: TensorLike, max_val: TensorLike, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio in decibels, of each pair of images: 20 log10(max_val) - 10
    log10(mean of (a - b)^2).

    Args:
        a: A tensor of floats or integers [..., height, width, channels].
        b: Another of the same dtype and sizes; what stands before these three axes broadcasts.
        max_val: The largest value that pixels can have, in the unit of the images: 1.0 or 255, say.

    Returns:
        A tensor [...] of float32: in decibels, inf of equal images.

    Raises:
        ValueError: If a rank is below 3, or the sizes differ.
        InvalidArgumentError: If the dtypes differ, or are neither floats nor integers (TypeError
            while tracing).

    >>> import tfc as tf
    >>> x = tf.zeros([4, 4, 1])
    >>> print(tf.image.psnr(x, x + 0.1, max_val=1.0))
    tf.Tensor(20.0, shape=(), dtype=float32)
    """
    x, y, top = _pair(a, b, max_val, "image.psnr")
    error = reduce_mean(square(x - y), [-3, -2, -1])
    return (log(top) * 20.0 - log(error) * 10.0) / float(np.log(10.0))


_WINDOW_MAX = 1 << 13  # half a gigabyte of weights


def _gauss(size: int, sigma: float, dtype: Any) -> Tensor:
    """A Gaussian window [size, size, 1, 1] whose weights add up to 1."""
    if size > _WINDOW_MAX:  # an image of unknown size may be as large
        raise errors.ResourceExhaustedError(f"OOM when allocating a window of {size} x {size}")
    places = np.arange(size) - (size - 1) / 2
    exponents = -0.5 * places**2 / sigma**2
    weights = np.exp(exponents[:, None] + exponents[None, :])
    return wrap((weights / weights.sum()).astype(dtype.numpy).reshape(size, size, 1, 1))


@primitive
def _similarity(
    b: Builder,
    mean_x: Value,
    mean_y: Value,
    product_: Value,
    squares: Value,
    top: Value,
    k1: float,
    k2: float,
) -> Any:
    x, y, xy, both, top_ = (
        Term(b, v) for v in broadcast_together(b, mean_x, mean_y, product_, squares, top)
    )
    c1, c2 = (k1 * top_) * (k1 * top_), (k2 * top_) * (k2 * top_)
    numerator, denominator = x * y * 2, x * x + y * y
    luminance = (numerator + c1) / (denominator + c1)
    contrast = (xy * 2 - numerator + c2) / (both - denominator + c2)
    return (luminance * contrast).value, contrast.value


def _statistics(
    x: Any, y: Any, top: Any, size: int, sigma: float, k1: float, k2: float, index: bool
) -> tuple[Any, Any]:
    """The structural similarity and its part without luminance, of each channel, or at each place
    for `index`."""
    lead = extents_of(x)[:-3]
    x, y = (reshape(v, [-1, *extents_of(v)[-3:]]) for v in (x, y))
    window = _gauss(size, number(sigma, "filter_sigma", "ssim"), x.dtype)

    def blurred(v: Any) -> Any:
        y = _each_channel(v, window)
        return reshape(y, extents_of(y)[:-1])

    means = blurred(x), blurred(y)
    both = blurred(square(x) + square(y))
    whole, contrast = _similarity.fast(float(k1), float(k2))(*means, blurred(x * y), both, top)
    results = []
    for v in (whole, contrast):
        v = v if index else reduce_mean(v, [1, 2])
        results.append(reshape(v, [*lead, *extents_of(v)[1:]]))
    return results[0], results[1]


def _check_window(x: Any, size: int, name: str) -> None:
    number(size, "filter_size", name)
    for extent in extents_of(x)[-3:-1]:
        if isinstance(extent, int) and extent < size:
            raise blame.invalid(f"the window of {size} pixels is larger than {x.shape}", name)


def ssim(
    img1: TensorLike,
    img2: TensorLike,
    max_val: TensorLike,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """The structural similarity of each pair of images: the mean over channels and places of a
    Gaussian window (Z. Wang et al., "Image quality assessment: from error visibility to structural
    similarity", 2004).

    Args:
        img1: A tensor of floats or integers [..., height, width, channels], at least as large as
            the window.
        img2: Another of the same dtype and shape.
        max_val: The largest value that pixels can have, in the unit of the images: 1.0 or 255, say.
        filter_size: The extent of the window, in pixels.
        filter_sigma: Its standard deviation, in pixels.
        k1: The constant, in parts of `max_val`, that steadies the luminance where it is small.
        k2: The same for the contrast.
        return_index_map: Whether the places are kept, and only the channels are averaged.

    Returns:
        A tensor [...] of float32, up to 1 for equal images; with `return_index_map`
        [..., height - filter_size + 1, width - filter_size + 1].

    Raises:
        ValueError: If a rank is below 3, or the sizes differ.
        InvalidArgumentError: If the window is larger than the images (ValueError while tracing), or
            the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> x = tf.random.stateless_uniform([16, 16, 1], seed=[1, 2])
    >>> noisy = x + tf.random.stateless_normal([16, 16, 1], seed=[3, 4], stddev=0.1)
    >>> bool(tf.image.ssim(x, x, 1.0) == 1.0), bool(tf.image.ssim(x, noisy, 1.0) < 0.99)
    (True, True)
    """
    op = "image.ssim"
    x, y, top = _pair(img1, img2, max_val, op)
    _check_window(x, filter_size, op)
    index = flag(return_index_map, "return_index_map", "ssim")
    whole, _ = _statistics(x, y, top, filter_size, filter_sigma, k1, k2, index)
    return reduce_mean(whole, [-1])


_MSSSIM_WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def ssim_multiscale(
    img1: TensorLike,
    img2: TensorLike,
    max_val: TensorLike,
    power_factors: Any = _MSSSIM_WEIGHTS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The product of the structural similarities at several scales, each half of the one before, to
    the powers `power_factors` (Z. Wang et al., "Multiscale structural similarity for image quality
    assessment", 2003).

    At the coarsest scale the images are to be as large as the window: at least 176 pixels by
    default.

    Args:
        img1: A tensor of floats or integers [..., height, width, channels].
        img2: Another of the same dtype and shape.
        max_val: The largest value that pixels can have, in the unit of the images: 1.0 or 255, say.
        power_factors: The exponent of each scale, beginning with the finest.
        filter_size: The extent of the window, in pixels.
        filter_sigma: Its standard deviation, in pixels.
        k1: The constant, in parts of `max_val`, that steadies the luminance where it is small.
        k2: The same for the contrast.

    Returns:
        A tensor [...] of float32: in [0, 1].

    Raises:
        ValueError: If a rank is below 3, or the sizes differ.
        InvalidArgumentError: If the window is larger than the images at a scale (ValueError while
            tracing), or the dtypes differ or are others (TypeError).
        UnimplementedError: If the height or width is not known while tracing, and there are several
            scales.

    >>> import tfc as tf
    >>> x = tf.random.stateless_uniform([32, 32, 1], seed=[1, 2])
    >>> y = tf.image.ssim_multiscale(x, x, 1.0, power_factors=[0.5, 0.5])
    >>> bool(tf.abs(y - 1.0) < 1e-5)
    True
    """
    op = "image.ssim_multiscale"
    x, y, top = _pair(img1, img2, max_val, op)
    powers = numbers(power_factors, "power_factors", op)
    lead = extents_of(x)[:-3]
    x, y = (reshape(v, [-1, *extents_of(v)[-3:]]) for v in (x, y))
    parts: list[Any] = []
    for scale in range(len(powers)):
        if scale:
            x, y = (_halved(v) for v in (x, y))
        _check_window(x, filter_size, op)
        whole, contrast = _statistics(x, y, top, filter_size, filter_sigma, k1, k2, False)
        parts.append(maximum(whole if scale == len(powers) - 1 else contrast, 0.0))
    exponents = wrap(np.array(powers).astype(x.dtype.numpy))
    similarity = reduce_prod(stack(parts, -1) ** exponents, [-1])
    return reshape(reduce_mean(similarity, [-1]), lead)


def _halved(x: Any) -> Tensor:
    """Means of 2 x 2 pixels; an odd last row or column is mirrored."""
    for axis in (0, 1):
        extent = extents_of(x)[axis + 1]
        if isinstance(extent, int) and extent % 2:
            x = concat([x, _shifted(x, axis, slice(-1, None))], axis + 1)
        elif not isinstance(extent, int):
            raise blame.unknown_extent("needs a known height and width", "image.ssim_multiscale")
    return avg_pool2d(x, 2, 2, "VALID")
