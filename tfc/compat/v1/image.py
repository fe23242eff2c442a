"""`tfc.compat.v1.image`: what resizes images as TensorFlow 1 did, and what has other arguments
there; all else is `tfc.image`'s."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.conversion import operand
from tfc.core.types import ShapeLike, TensorLike
from tfc.ops.extents import _shape, extents_of
from tfc.ops.image import draw
from tfc.ops.image import resize as _resize
from tfc.ops.image.geometry import image_operand


class ResizeMethod:
    """The numbers of the methods of `resize_images`; their names are taken, too.

    >>> import tfc.compat.v1 as tf
    >>> tf.image.ResizeMethod.BICUBIC
    2
    """

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_METHODS = ("bilinear", "nearest", "bicubic", "area")


def _on_grid(
    op: str, images: Any, size: Any, method: str, align_corners: Any, half_pixel_centers: Any
) -> Any:
    if align_corners and half_pixel_centers:
        raise blame.invalid("If half_pixel_centers is True, align_corners must be False.", op)
    grid = _resize.CENTRES if half_pixel_centers else _resize.POINTS
    grid = _resize.CORNERS if align_corners else grid
    return _resize.resize_on_grid(operand(op, images), size, method, grid, op)


def resize_bilinear(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Images [batch, height, width, channels] in another size, by linear interpolation.

    >>> import tfc.compat.v1 as tf
    >>> row = tf.reshape([0.0, 4.0], [1, 1, 2, 1])
    >>> print(tf.reshape(tf.image.resize_bilinear(row, [1, 4]), [-1]))
    tf.Tensor([0. 2. 4. 4.], shape=(4,), dtype=float32)
    """
    op = "image.resize_bilinear"
    return _on_grid(op, images, size, "bilinear", align_corners, half_pixel_centers)


def resize_nearest_neighbor(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Images [batch, height, width, channels] in another size, of the nearest pixels.

    >>> import tfc.compat.v1 as tf
    >>> row = tf.reshape([0, 1, 2], [1, 1, 3, 1])
    >>> print(tf.reshape(tf.image.resize_nearest_neighbor(row, [1, 2], align_corners=True), [-1]))
    tf.Tensor([0 2], shape=(2,), dtype=int32)
    """
    op = "image.resize_nearest_neighbor"
    return _on_grid(op, images, size, "nearest", align_corners, half_pixel_centers)


def resize_bicubic(
    images: TensorLike,
    size: ShapeLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:
    """Images [batch, height, width, channels] in another size, by cubic interpolation.

    >>> import tfc.compat.v1 as tf
    >>> row = tf.reshape([0.0, 4.0], [1, 1, 2, 1])
    >>> print(tf.reshape(tf.image.resize_bicubic(row, [1, 4]), [-1]))
    tf.Tensor([0.    2.    4.    4.375], shape=(4,), dtype=float32)
    """
    op = "image.resize_bicubic"
    return _on_grid(op, images, size, "bicubic", align_corners, half_pixel_centers)


def resize_area(
    images: TensorLike, size: ShapeLike, align_corners: bool = False, name: str | None = None
) -> Any:
    """Images [batch, height, width, channels] in another size, of the means of areas.

    >>> import tfc.compat.v1 as tf
    >>> row = tf.reshape([0.0, 2.0, 4.0, 8.0], [1, 1, 4, 1])
    >>> print(tf.reshape(tf.image.resize_area(row, [1, 2]), [-1]))
    tf.Tensor([1. 6.], shape=(2,), dtype=float32)
    """
    return _on_grid("image.resize_area", images, size, "area", align_corners, False)


def resize_images(
    images: TensorLike,
    size: ShapeLike,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Images in another size, as TensorFlow 1 did it: pixels are points, and not squares.

    Args:
        images: An image [height, width, channels] or a batch of them [batch, height, width,
            channels]. Where they have the size, they are the result.
        size: Two positive integers: the new height and width.
        method: A number or name of `tf.compat.v1.image.ResizeMethod`.
        align_corners: Whether the last pixels lie on those of the image, as the first ones do.
        preserve_aspect_ratio: Whether `size` is what the result must fit into, with the ratio of
            the image.
        name: Not used.

    Raises:
        ValueError: If the rank is neither 3 nor 4, there is no such method, or `size` is not two
            numbers.

    >>> import tfc.compat.v1 as tf
    >>> row = tf.reshape([0.0, 3.0], [1, 2, 1])
    >>> print(tf.reshape(tf.image.resize_images(row, [1, 4], align_corners=True), [-1]))
    tf.Tensor([0. 1. 2. 3.], shape=(4,), dtype=float32)
    """
    op = "image.resize_images"
    x = operand(op, images)
    if len(x.shape) not in (3, 4):
        raise blame.value_error("'images' must have either 3 or 4 dimensions.", op)
    want: Any = _shape(size, op)
    if len(want) != 2:
        raise blame.value_error(
            "'size' must be a 1-D int32 Tensor of 2 elements: new_height, new_width", op
        )
    extents = extents_of(x)[-3:-1]
    if preserve_aspect_ratio:
        want = _resize.fitting(extents, want, op)
    if tuple(want) == tuple(extents):
        return x
    kind = _METHODS[method] if method in range(4) else method
    if kind not in _METHODS:
        raise blame.value_error(f"Resize method is not implemented: {method}", op)
    batch = x if len(x.shape) == 4 else _tfc.expand_dims(x, 0)
    resized = _on_grid(op, batch, want, kind, align_corners, False)
    return resized if len(x.shape) == 4 else _tfc.squeeze(resized, [0])


resize = resize_images


def resize_image_with_pad(
    image: TensorLike,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Any:
    """As tfc.image.resize_with_pad, by `resize_images`.

    >>> import tfc.compat.v1 as tf
    >>> tf.image.resize_image_with_pad(tf.ones([1, 2, 1]), 4, 4).shape
    TensorShape([4, 4, 1])
    """
    x = image_operand(image, "image.resize_image_with_pad")
    return _resize.with_pad(
        x,
        target_height,
        target_width,
        lambda v, size: resize_images(v, size, method, align_corners),
    )


resize_image_with_crop_or_pad = _tfc.image.resize_with_crop_or_pad


def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
    box_indices: Any = None,
) -> Any:
    """As tfc.image.crop_and_resize, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.image.crop_and_resize(tf.ones([1, 4, 4, 1]), [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]).shape
    TensorShape([1, 2, 2, 1])
    """
    which = box_ind if box_indices is None else box_indices
    return _tfc.image.crop_and_resize(image, boxes, which, crop_size, method, extrapolation_value)


def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, name: str | None = None, colors: Any = None
) -> Any:
    """As tfc.image.draw_bounding_boxes, in TensorFlow's own colours if there are none.

    >>> import tfc.compat.v1 as tf
    >>> tf.image.draw_bounding_boxes(tf.zeros([1, 3, 3, 1]), [[[0.0, 0.0, 1.0, 1.0]]]).shape
    TensorShape([1, 3, 3, 1])
    """
    return draw.draw_bounding_boxes(images, boxes, colors)


def sample_distorted_bounding_box(
    image_size: TensorLike,
    bounding_boxes: TensorLike,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: str | None = None,
) -> Any:
    """As tfc.image.sample_distorted_bounding_box, with a second seed.

    >>> import tfc.compat.v1 as tf
    >>> boxes = tf.constant([[[0.1, 0.1, 0.9, 0.9]]])
    >>> tf.image.sample_distorted_bounding_box([40, 60, 3], boxes, seed=1).bboxes.shape
    TensorShape([1, 1, 4])
    """
    return draw.sample_distorted_bounding_box(
        image_size,
        bounding_boxes,
        (seed or 0) + 1_000_003 * (seed2 or 0),
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
    )


def extract_image_patches(
    images: TensorLike,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Any:
    """As tfc.image.extract_patches, with TensorFlow 1's argument names.

    >>> import tfc.compat.v1 as tf
    >>> one, image = [1, 1, 1, 1], tf.ones([1, 4, 4, 1])
    >>> tf.image.extract_image_patches(image, [1, 2, 2, 1], one, one, "SAME").shape
    TensorShape([1, 4, 4, 4])
    """
    window = ksizes if sizes is None else sizes
    return _tfc.image.extract_patches(images, window, strides, rates, padding)


def extract_glimpse(
    input: TensorLike,
    size: TensorLike,
    offsets: TensorLike,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: str | None = None,
) -> Any:
    """As tfc.image.extract_glimpse, with uniform noise or normal noise outside of the image.

    >>> import tfc.compat.v1 as tf
    >>> tf.image.extract_glimpse(tf.ones([1, 4, 4, 1]), [2, 2], [[0.0, 0.0]]).shape
    TensorShape([1, 2, 2, 1])
    """
    noise = "uniform" if uniform_noise else "gaussian"
    return _tfc.image.extract_glimpse(input, size, offsets, centered, normalized, noise)


def __getattr__(name: str) -> Any:
    import tfc

    if name.startswith("__") or not hasattr(tfc.image, name):
        raise AttributeError(f"module 'tfc.compat.v1.image' has no attribute {name!r}")
    return getattr(tfc.image, name)


__all__ = [
    "ResizeMethod",
    "crop_and_resize",
    "draw_bounding_boxes",
    "extract_glimpse",
    "extract_image_patches",
    "resize",
    "resize_area",
    "resize_bicubic",
    "resize_bilinear",
    "resize_image_with_crop_or_pad",
    "resize_image_with_pad",
    "resize_images",
    "resize_nearest_neighbor",
    "sample_distorted_bounding_box",
]
