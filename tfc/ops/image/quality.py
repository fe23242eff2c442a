"""Images as JPEG would leave them, and parts of images."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import float32, int32, uint8

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.known import is_unknown
from ..arguments import choice, number, whole_number
from ..array import conversion as _conversion
from ..array import creation, shaping
from ..array.checks import Assert
from ..array.indexing import gather
from ..array.joining import concat
from ..array.slicing import slice_
from ..math import arithmetic, comparisons
from ..math.reductions import reduce_all
from ..random import distributions, stateless
from .color import convert_image_dtype
from .files import decode_jpeg, encode_jpeg


def adjust_jpeg_quality(
    image: TensorLike, jpeg_quality: Any, dct_method: str = "", name: str | None = None
) -> Tensor:
    """What is left of an image that was stored as JPEG.

    Args:
        image: uint8, or floats in [0, 1]: [height, width, 1 or 3].
        jpeg_quality: The quality, from 0 to 100.
        dct_method: How it is decoded: see `tf.io.decode_jpeg`.

    Returns:
        An image of the same dtype.

    Raises:
        InvalidArgumentError: If the quality is out of range, or it is no image.
        TypeError: If the quality is no number.

    >>> import tfc as tf
    >>> tf.image.adjust_jpeg_quality(tf.zeros([8, 8, 3]), 75).shape
    TensorShape([8, 8, 3])
    """
    op = "image.adjust_jpeg_quality"
    x: Any = operand(op, image)
    kind = x.dtype
    quality = jpeg_quality
    if not is_unknown(quality):  # else each call says it
        quality = whole_number(quality, "jpeg_quality", op)
    small = x if kind is uint8 else convert_image_dtype(x, uint8, saturate=True)
    channels = small.shape[-1] if small.shape.rank else None
    stored = encode_jpeg(small, quality=quality)
    found = decode_jpeg(stored, channels=channels or 0, dct_method=dct_method)
    return found if kind is uint8 else convert_image_dtype(found, kind, saturate=True)


def random_jpeg_quality(
    image: TensorLike, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Tensor:
    """`adjust_jpeg_quality` with a random quality.

    Args:
        image: uint8, or floats in [0, 1]: [height, width, 1 or 3].
        min_jpeg_quality: The least quality.
        max_jpeg_quality: The bound of the quality, above it.
        seed: What the quality comes of, with the global seed.

    Returns:
        An image of the same dtype.

    Raises:
        ValueError: If the bounds are not in [0, 100], or not in order.

    >>> import tfc as tf
    >>> tf.image.random_jpeg_quality(tf.zeros([8, 8, 3]), 75, 95).shape
    TensorShape([8, 8, 3])
    """
    _check_bounds(min_jpeg_quality, max_jpeg_quality, "image.random_jpeg_quality")
    drawn = distributions.uniform([], min_jpeg_quality, max_jpeg_quality, int32, seed)
    return adjust_jpeg_quality(image, drawn)


def stateless_random_jpeg_quality(
    image: TensorLike,
    min_jpeg_quality: int,
    max_jpeg_quality: int,
    seed: TensorLike,
    dct_method: str = "",
) -> Tensor:
    """`random_jpeg_quality` that is a function of `seed`, two integers.

    Args:
        image: uint8, or floats in [0, 1]: [height, width, 1 or 3].
        min_jpeg_quality: The least quality.
        max_jpeg_quality: The bound of the quality, above it.
        seed: Two integers, which say all.
        dct_method: How it is decoded: see `tf.io.decode_jpeg`.

    Returns:
        An image of the same dtype.

    Raises:
        ValueError: If the bounds are not in [0, 100], or not in order.

    >>> import tfc as tf
    >>> tf.image.stateless_random_jpeg_quality(tf.zeros([8, 8, 3]), 75, 95, [1, 2]).shape
    TensorShape([8, 8, 3])
    """
    _check_bounds(min_jpeg_quality, max_jpeg_quality, "image.stateless_random_jpeg_quality")
    drawn = stateless.stateless_uniform([], seed, min_jpeg_quality, max_jpeg_quality, int32)
    return adjust_jpeg_quality(image, drawn, dct_method)


def _check_bounds(low: Any, high: Any, op: str) -> None:
    least, most = number(low, "min_jpeg_quality", op), number(high, "max_jpeg_quality", op)
    if not 0 <= least <= 100 or not 0 <= most <= 100:
        raise blame.value_error("jpeg encoding range must be between 0 and 100.", op)
    if least >= most:
        raise blame.value_error("`min_jpeg_quality` must be less than `max_jpeg_quality`", op)


def extract_glimpse(
    input: TensorLike,
    size: TensorLike,
    offsets: TensorLike,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """A window of each image.

    Args:
        input: Floats [batch, height, width, channels].
        size: The height and width of the windows.
        offsets: Where the window of each image is: [batch, 2], y and x.
        centered: Whether offsets are those of the middle of the window from that of the image, and
            otherwise those of its first corner.
        normalized: Whether they are in units of the image's size (of half of it, where centered).
        noise: What stands outside of the image: "uniform" in [0, 1), "gaussian" or "zero".

    Returns:
        Floats [batch, *size, channels].

    Raises:
        ValueError: If there is no such noise, or shapes do not fit.

    >>> import tfc as tf
    >>> x = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> print(tf.image.extract_glimpse(x, [2, 2], [[1, 1]], False, False)[0, :, :, 0])
    tf.Tensor(
    [[4. 5.]
     [7. 8.]], shape=(2, 2), dtype=float32)
    """
    op = "image.extract_glimpse"
    choice(noise, ("uniform", "gaussian", "zero"), "noise", op)
    x: Any = operand(op, input)
    begin: Any = _conversion.cast(operand(op, offsets), float32)
    if len(x.shape) != 4:
        raise blame.invalid(
            f"input must be 4-dimensional (batch_size, height, width, depth), got {x.shape}", op
        )
    if len(begin.shape) != 2:
        raise blame.invalid(f"input {x.shape} and offsets {begin.shape} do not fit", op)
    window: Any = _conversion.cast(operand(op, size), int32)
    extents = shaping.shape(x)
    whole = _conversion.cast(extents[1:3], float32)
    if normalized:
        begin = begin * whole
    if centered:
        begin = (begin + whole - _conversion.cast(window, float32)) / 2.0
    first = _conversion.cast(begin, int32)
    rows, row_fits = _along(first[:, 0], window[0], extents[1])
    columns, column_fits = _along(first[:, 1], window[1], extents[2])
    found = gather(gather(x, rows, axis=1, batch_dims=1), columns, axis=2, batch_dims=1)
    fits = comparisons.logical_and(
        shaping.expand_dims(row_fits, 2), shaping.expand_dims(column_fits, 1)
    )
    if noise == "zero":
        outside: Any = creation.zeros_like(found)
    elif noise == "uniform":
        outside = distributions.uniform(shaping.shape(found), dtype=found.dtype)
    else:
        outside = distributions.normal(shaping.shape(found), dtype=found.dtype)
    return comparisons.select(shaping.expand_dims(fits, 3), found, outside)


def _along(first: Any, length: Any, extent: Any) -> tuple[Any, Any]:
    """The places along an axis, clipped to what is there, and which are."""
    places = shaping.expand_dims(first, 1) + creation.range(length)
    fits = comparisons.logical_and(places >= 0, places < extent)
    return arithmetic.maximum(arithmetic.minimum(places, extent - 1), 0), fits


__all__ = [
    "adjust_jpeg_quality",
    "extract_glimpse",
    "random_jpeg_quality",
    "stateless_random_jpeg_quality",
]


def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """A part of the image in the bytes of a JPEG file.

    Args:
        contents: The bytes of the file: a scalar string.
        crop_window: Four integers: the first row, the first column, the height and the width.
        channels: As of `tf.io.decode_jpeg`, as all that follow.
        ratio: By what the image is made smaller, before it is cut.
        fancy_upscaling: Whether colours of half the resolution are interpolated.
        try_recover_truncated: Whether a file that ends too early gives what there is of it.
        acceptable_fraction: Not used.
        dct_method: "INTEGER_FAST", which is the default, or "INTEGER_ACCURATE".

    Returns:
        A tensor of uint8 [height, width, channels].

    Raises:
        InvalidArgumentError: If it is no JPEG file, the window is not within the image, or
            `channels`, `ratio` or `dct_method` is another one.
        TypeError: If `contents` is no string.

    >>> import tfc as tf
    >>> data = tf.io.encode_jpeg(tf.fill([8, 8, 3], tf.constant(200, tf.uint8)))
    >>> tf.io.decode_and_crop_jpeg(data, [1, 2, 3, 4]).shape
    TensorShape([3, 4, 3])
    """
    op = "io.decode_and_crop_jpeg"
    window = operand(op, crop_window)
    if tuple(window.shape) != (4,) or not window.dtype.is_integer:
        raise blame.invalid(
            f"crop_window must be four integers, got {window.dtype.name} {window.shape}", op
        )
    image = decode_jpeg(
        contents,
        channels,
        ratio,
        fancy_upscaling,
        try_recover_truncated,
        acceptable_fraction,
        dct_method,
    )
    begin, size = window[:2], window[2:]
    there = shaping.shape(image, out_type=window.dtype)[:2]
    inside = reduce_all((begin >= 0) & (size > 0) & (begin + size <= there))
    Assert(inside, ["the crop window is not within the image:", window])
    return slice_(image, concat([begin, [0]], 0), concat([size, [-1]], 0))
