"""Colours of images: conversions between spaces and dtypes, and adjustments.

The last axis holds the colours. Integers stand for [0, their maximum], floats for [0, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import as_dtype, float32
from tfc.ir.extent import product

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor, wrap
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import broadcast_to, primitive
from ..arguments import flag, number
from ..array.conversion import cast, ensure_shape, saturate_cast
from ..array.shaping import tile
from ..extents import extents_of, listed
from ..linalg.products import tensordot
from ..math.arithmetic import floordiv, multiply, pow
from ..math.reductions import mean_of
from .geometry import image_operand

# TensorFlow's constants: luma of CCIR 601, and the two television standards.
_GRAY = [0.2989, 0.587, 0.114]
_TO_YIQ = [
    [0.299, 0.59590059, 0.2115],
    [0.587, -0.27455667, -0.52273617],
    [0.114, -0.32134392, 0.31119955],
]
_FROM_YIQ = [
    [1.0, 1.0, 1.0],
    [0.95598634, -0.27201283, -1.10674021],
    [0.6208248, -0.64720424, 1.70423049],
]
_TO_YUV = [
    [0.299, -0.14714119, 0.61497538],
    [0.587, -0.28886916, -0.51496512],
    [0.114, 0.43601035, -0.10001026],
]
_FROM_YUV = [
    [1.0, 1.0, 1.0],
    [0.0, -0.394642334, 2.03206185],
    [1.13988303, -0.58062185, 0.0],
]


def convert_image_dtype(
    image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None
) -> Tensor:
    """The image in another dtype: integers stand for [0, their maximum], floats for [0, 1].

    Args:
        image: A tensor of integers or floats, of any shape.
        dtype: The dtype of the result: integers or floats.
        saturate: Whether what does not fit into `dtype` is clamped to its range. It is otherwise
            converted as `tfc.cast` does it.

    Returns:
        A tensor of the shape of `image`; the same one if it has this dtype.

    Raises:
        ValueError: If `dtype` is neither a float nor an integer.
        InvalidArgumentError: If the dtype of `image` is neither (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8))
    tf.Tensor([  0 127 255], shape=(3,), dtype=uint8)
    """
    op = "image.convert_image_dtype"
    x, target = operand(op, image), as_dtype(dtype)
    if not (target.is_floating or target.is_integer):
        raise blame.value_error(f"dtype must be either floating point or integer: {target}", op)
    source = x.dtype
    if source is target:
        return x
    convert = saturate_cast if flag(saturate, "saturate", op) else cast
    if source.is_integer and target.is_integer:
        inner, outer = int(source.max), int(target.max)
        if inner > outer:
            return convert(floordiv(x, (inner + 1) // (outer + 1)), target)
        return multiply(convert(x, target), (outer + 1) // (inner + 1))
    if source.is_floating and target.is_floating:
        return cast(x, target)
    if source.is_integer:
        return multiply(cast(x, target), 1.0 / float(source.max))
    if not source.is_floating:
        raise blame.invalid_dtype(f"not defined for dtype {source.name}", op)
    # half a step more, so that what the division rounded comes back whole
    return convert(multiply(x, float(target.max) + 0.5), target)


def as_float(x: Any) -> Tensor:
    """An image as floats that can be computed with: integers and halves in float32."""
    if x.dtype.is_floating and x.dtype.bits >= 32:
        return x
    return convert_image_dtype(x, float32)


def _colours(image: Any, count: int, name: str) -> Tensor:
    x = operand(name, image)
    if not len(x.shape):
        raise blame.value_error("images need an axis of colours", name)
    last = extents_of(x)[-1]
    if isinstance(last, int) and last != count:
        if count == 1:
            raise blame.value_error(
                f"Last dimension of a grayscale image should be size 1, got {x.shape}", name
            )
        raise blame.invalid(
            f"input must have {count} channels but instead has {last} channels: {x.shape}", name
        )
    if not isinstance(last, int):
        x = ensure_shape(x, [*[None] * (len(x.shape) - 1), count])
    return x


def _mixed(image: Any, matrix: Any, name: str) -> Tensor:
    x = _colours(image, 3, name)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"not defined for dtype {x.dtype.name}", name)
    return tensordot(x, wrap(np.array(matrix).astype(x.dtype.numpy)), [[len(x.shape) - 1], [0]])


def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """One channel of brightness instead of red, green and blue: 0.2989 red + 0.587 green + 0.114
    blue (the luma of ITU-R BT.601). The dtype stays; integers are computed as floats.

    Args:
        images: A tensor of floats or integers [..., 3].

    Returns:
        A tensor [..., 1] of the same dtype.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> image = tf.constant([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], tf.uint8)
    >>> print(tf.image.rgb_to_grayscale(image).numpy().ravel())
    [ 76 149  29]
    """
    x = _colours(images, 3, "image.rgb_to_grayscale")
    wide = as_float(x)
    weights = wrap(np.array(_GRAY).reshape(3, 1).astype(wide.dtype.numpy))
    gray = tensordot(wide, weights, [[len(x.shape) - 1], [0]])
    return convert_image_dtype(gray, x.dtype)


def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """The one channel three times. The dtype stays.

    Args:
        images: A tensor [..., 1].

    Returns:
        A tensor [..., 3] of the same dtype.

    Raises:
        ValueError: If the last axis has another extent than 1.

    >>> import tfc as tf
    >>> print(tf.image.grayscale_to_rgb(tf.constant([[[7]], [[9]]])).numpy().tolist())
    [[[7, 7, 7]], [[9, 9, 9]]]
    """
    x = _colours(images, 1, "image.grayscale_to_rgb")
    return tile(x, [1] * (len(x.shape) - 1) + [3])


def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Brightness (y) and the two chrominances (i, q) of NTSC, of floats in [0, 1].

    Args:
        images: A tensor of floats [..., 3]: red, green and blue.

    Returns:
        A tensor of the same shape and dtype: y in [0, 1], i in [-0.596, 0.596], q in [-0.523,
        0.523].

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.image.rgb_to_yiq([1.0, 0.0, 0.0]), 3))
    [0.299 0.596 0.212]
    """
    return _mixed(images, _TO_YIQ, "image.rgb_to_yiq")


def yiq_to_rgb(images: TensorLike) -> Tensor:
    """The inverse of `rgb_to_yiq`, of floats: to about 7 digits, as both matrices are rounded.

    Args:
        images: A tensor of floats [..., 3]: y, i and q.

    Returns:
        A tensor of the same shape and dtype: red, green and blue.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.image.yiq_to_rgb([0.299, 0.596, 0.212]), 2) + 0)
    [1. 0. 0.]
    """
    return _mixed(images, _FROM_YIQ, "image.yiq_to_rgb")


def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Brightness (y) and the two chrominances (u, v) of PAL, of floats in [0, 1].

    Args:
        images: A tensor of floats [..., 3]: red, green and blue.

    Returns:
        A tensor of the same shape and dtype: y in [0, 1], u in [-0.436, 0.436], v in [-0.615,
        0.615].

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.image.rgb_to_yuv([0.0, 0.0, 1.0]), 3))
    [ 0.114  0.436 -0.1  ]
    """
    return _mixed(images, _TO_YUV, "image.rgb_to_yuv")


def yuv_to_rgb(images: TensorLike) -> Tensor:
    """The inverse of `rgb_to_yuv`, of floats: to about 7 digits, as both matrices are rounded.

    Args:
        images: A tensor of floats [..., 3]: y, u and v.

    Returns:
        A tensor of the same shape and dtype: red, green and blue.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> colour = tf.constant([0.25, 0.5, 0.75])
    >>> np.allclose(tf.image.yuv_to_rgb(tf.image.rgb_to_yuv(colour)), colour, atol=1e-5)
    True
    """
    return _mixed(images, _FROM_YUV, "image.yuv_to_rgb")


# Hue, saturation and value.


def _planes(b: Builder, x: Value) -> list[Term]:
    """The three colours, without their axis."""
    if not x.dtype.is_floating:
        raise OpError(f"rgb_to_hsv: not defined for dtype {x.dtype.name}", "dtype")
    shape = x.shape[:-1]
    planes = []
    for i in range(3):
        begin, size = (0,) * len(shape), (*shape, 1)
        plane = b.emit(ir.Slice(x, (*begin, i), size, (1,) * x.rank))
        planes.append(Term(b, b.emit(ir.Reshape(plane, shape))))
    return planes


def _together(b: Builder, *planes: Term) -> Value:
    parts = [b.emit(ir.Reshape(p.value, (*p.value.shape, 1))) for p in planes]
    return b.emit(ir.Concat(tuple(parts), parts[0].rank - 1))


def _to_hsv(red: Term, green: Term, blue: Term) -> tuple[Term, Term, Term]:
    top = red.maximum(green).maximum(blue)
    spread = top - red.minimum(green).minimum(blue)
    saturation = where(top > 0, spread / where(top > 0, top, 1), 0)
    coloured = spread > 0
    sixth = 1 / (where(coloured, spread, 1) * 6)
    by_red = (green - blue) * sixth
    by_green = (blue - red) * sixth + 2 / 6
    by_blue = (red - green) * sixth + 4 / 6
    turned = where(red.equal(top), by_red, where(green.equal(top), by_green, by_blue))
    hue = where(coloured, turned, 0)
    return where(hue < 0, hue + 1, hue), saturation, top


def _from_hsv(hue: Term, saturation: Term, value: Term) -> tuple[Term, Term, Term]:
    six = hue * 6

    def bent(x: Term) -> Term:
        """How much of a colour there is: clamped to [0, 1]."""
        share = x.maximum(0.0).minimum(1.0)
        return (1 - saturation + saturation * share) * value

    def distance(centre: float) -> Term:
        return Term(hue.b, hue.b.emit(ir.Abs((six - centre).value)))

    return bent(distance(3.0) - 1), bent(2 - distance(2.0)), bent(2 - distance(4.0))


@primitive
def _rgb_to_hsv(b: Builder, x: Value) -> Value:
    return _together(b, *_to_hsv(*_planes(b, x)))


@primitive
def _hsv_to_rgb(b: Builder, x: Value) -> Value:
    return _together(b, *_from_hsv(*_planes(b, x)))


def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Hue, saturation and value, all in [0, 1] for colours in [0, 1].

    Args:
        images: A tensor of floats [..., 3]: red, green and blue.

    Returns:
        A tensor of the same shape and dtype: hue, saturation and value. The hue of grays is 0.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.image.rgb_to_hsv([0.0, 0.5, 0.0]))
    tf.Tensor([0.33333334 1.         0.5       ], shape=(3,), dtype=float32)
    """
    return _rgb_to_hsv.fast()(_colours(images, 3, "image.rgb_to_hsv"))


def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """The inverse of `rgb_to_hsv`, of floats. The hue goes round once from 0 to 1; what is outside
    of [0, 1] is clamped.

    Args:
        images: A tensor of floats [..., 3]: hue, saturation and value.

    Returns:
        A tensor of the same shape and dtype: red, green and blue.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is no float (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.image.hsv_to_rgb([[0.0, 1.0, 1.0], [0.5, 1.0, 1.0], [0.0, 0.0, 0.25]]))
    tf.Tensor(
    [[1.   0.   0.  ]
     [0.   1.   1.  ]
     [0.25 0.25 0.25]], shape=(3, 3), dtype=float32)
    """
    return _hsv_to_rgb.fast()(_colours(images, 3, "image.hsv_to_rgb"))


# Adjustments.


def adjusted(image: TensorLike, name: str, change: Any) -> Tensor:
    """`change` of the image as floats, back in its dtype and, for integers, its range."""
    x = operand(name, image)
    return convert_image_dtype(change(as_float(x)), x.dtype, saturate=True)


def _number(value: Any, dtype: Any, name: str) -> Tensor:
    return cast(value, dtype) if isinstance(value, Tensor) else operand(name, value, dtype)


def adjust_brightness(image: TensorLike, delta: TensorLike) -> Tensor:
    """The image + delta, where integers stand for [0, 1] and are clamped to it; floats are not
    clamped.

    Args:
        image: A tensor of floats or integers, of any shape.
        delta: The number that is added; 1 is the whole range of integers.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.image.adjust_brightness([0.25, 0.75], 0.5))
    tf.Tensor([0.75 1.25], shape=(2,), dtype=float32)
    >>> print(tf.image.adjust_brightness(tf.constant([0, 250], tf.uint8), 0.2))
    tf.Tensor([ 51 255], shape=(2,), dtype=uint8)
    """
    op = "image.adjust_brightness"
    return adjusted(image, op, lambda x: x + _number(delta, x.dtype, op))


@primitive
def _contrast(b: Builder, x: Value, factor: Value) -> Value:
    axes = (x.rank - 3, x.rank - 2)
    mean = Term(b, broadcast_to(b, mean_of(b, x, axes, True), x.shape))
    by = Term(b, broadcast_to(b, factor, x.shape))
    return ((Term(b, x) - mean) * by + mean).value


def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """(x - mean) * contrast_factor + mean, with the mean of each channel of each image [height,
    width, channels]. Integers are computed as floats, and clamped.

    Args:
        images: A tensor of floats or integers [..., height, width, channels].
        contrast_factor: The factor, a scalar: 0 gives the mean alone, 1 the image.

    Returns:
        A tensor of the shape and dtype of `images`.

    Raises:
        ValueError: If the rank is below 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> image = tf.reshape([1.0, 2.0, 3.0, 4.0], [2, 2, 1])
    >>> print(tf.reshape(tf.image.adjust_contrast(image, 2.0), [-1]))
    tf.Tensor([-0.5  1.5  3.5  5.5], shape=(4,), dtype=float32)
    """
    op = "image.adjust_contrast"
    x = operand(op, images)
    if len(x.shape) < 3:
        raise blame.invalid(f"input must be at least 3-D, got shape{listed(x)}", op)
    return adjusted(x, op, lambda x: _contrast.fast()(x, _number(contrast_factor, x.dtype, op)))


def adjust_gamma(image: TensorLike, gamma: TensorLike = 1, gain: TensorLike = 1) -> Tensor:
    """gain * image ** gamma, where integers stand for [0, 1]: a gamma above 1 makes an image
    darker, one below 1 brighter.

    Args:
        image: A tensor of floats or integers, of any shape.
        gamma: The exponent, a number that is not negative.
        gain: The factor.

    Returns:
        A tensor of the shape and dtype of `image`; integers are clamped to their range.

    Raises:
        ValueError: If `gamma` is negative; in traces only one that is known is looked at.
        TypeError: If `gamma` is no single number.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.image.adjust_gamma([0.0, 0.5, 1.0], gamma=2.0))
    tf.Tensor([0.   0.25 1.  ], shape=(3,), dtype=float32)
    """
    op = "image.adjust_gamma"
    if not isinstance(gamma, SymbolicTensor) and number(gamma, "gamma", op) < 0:
        raise blame.value_error("Gamma should be a non-negative real number.", op)

    def change(x: Any) -> Any:
        return multiply(_number(gain, x.dtype, op), pow(x, _number(gamma, x.dtype, op)))

    return adjusted(image, op, change)


@primitive
def _hue(b: Builder, x: Value, delta: Value) -> Value:
    hue, saturation, value = _to_hsv(*_planes(b, x))
    turned = hue + Term(b, broadcast_to(b, delta, hue.value.shape))
    turned = turned - Term(b, b.emit(ir.Floor(turned.value)))
    return _together(b, *_from_hsv(turned, saturation, value))


def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """The hue turned by `delta`, of which 1 is the whole circle. Integers are computed as floats.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        delta: How far the hue is turned, in circles: a scalar.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> red = tf.constant([[[255, 0, 0]]], tf.uint8)
    >>> print(tf.image.adjust_hue(red, 0.5).numpy().ravel())
    [  0 255 255]
    """
    op = "image.adjust_hue"
    x = _colours(image, 3, op)
    if isinstance(delta, int | float) and not -1 <= delta <= 1:
        raise blame.value_error("delta must be in the interval [-1, 1]", op)
    return adjusted(x, op, lambda x: _hue.fast()(x, _number(delta, x.dtype, op)))


@primitive
def _saturation(b: Builder, x: Value, factor: Value) -> Value:
    hue, saturation, value = _to_hsv(*_planes(b, x))
    scaled = saturation * Term(b, broadcast_to(b, factor, hue.value.shape))
    clamped = scaled.maximum(0.0).minimum(1.0)
    return _together(b, *_from_hsv(hue, clamped, value))


def adjust_saturation(
    image: TensorLike, saturation_factor: TensorLike, name: str | None = None
) -> Tensor:
    """The saturation times `saturation_factor`, clamped to [0, 1]; 0 gives grays. Integers are
    computed as floats.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        saturation_factor: The factor, a scalar.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.image.adjust_saturation([[[1.0, 0.5, 0.0]]], 0.5), 3).ravel())
    [1.   0.75 0.5 ]
    """
    op = "image.adjust_saturation"
    x = _colours(image, 3, op)
    factor = saturation_factor
    return adjusted(x, op, lambda x: _saturation.fast()(x, _number(factor, x.dtype, op)))


@primitive
def _standardized(b: Builder, x: Value) -> Value:
    axes = tuple(range(x.rank - 3, x.rank))
    mean = Term(b, broadcast_to(b, mean_of(b, x, axes, True), x.shape))
    distance = Term(b, x) - mean
    variance = mean_of(b, (distance * distance).value, axes, True)
    size = b.emit(ir.Cast(b.emit(ir.ExtentOf(product(x.shape[-3:]))), x.dtype))
    least = broadcast_to(b, b.emit(ir.Rsqrt(size)), variance.shape)
    deviation = b.emit(ir.Maximum(b.emit(ir.Sqrt(variance)), least))
    return (distance / Term(b, broadcast_to(b, deviation, x.shape))).value


def per_image_standardization(image: TensorLike) -> Tensor:
    """(x - mean) / max(standard deviation, 1 / sqrt(number of elements)), of each image [height,
    width, channels]: so the mean is 0 and the variance 1, and a constant image gives zeros.

    The result is float32: integers are taken as they are, not as parts of their maximum.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of numbers.

    Returns:
        A tensor of float32 of the shape of `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> image = tf.reshape(tf.constant([1, 1, 5, 5], tf.uint8), [2, 2, 1])
    >>> print(tf.image.per_image_standardization(image).numpy().ravel())
    [-1. -1.  1.  1.]
    """
    x = image_operand(image, "image.per_image_standardization")
    return _standardized.fast()(cast(x, float32))
