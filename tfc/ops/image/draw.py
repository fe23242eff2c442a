"""Boxes drawn on images, and boxes to cut out of them by chance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32, float64, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import primitive
from ..arguments import flag, numbers, whole_number
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import shaping as _shaping
from ..math import comparisons as _comparisons
from ..random.sampling import _advanced, state_of_seed, unsigned
from ..random.streams import stream_of

_COLORS = np.array(  # TensorFlow's, where none are given
    [
        [1, 1, 0, 1],
        [0, 0, 1, 1],
        [1, 0, 0, 1],
        [0, 1, 0, 1],
        [0.5, 0, 0.5, 1],
        [0.5, 0.5, 0, 1],
        [0.5, 0, 0, 1],
        [0, 0, 0.5, 1],
        [0, 1, 1, 1],
        [1, 0, 1, 1],
    ],
    np.float32,
)


def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, colors: TensorLike | None, name: str | None = None
) -> Tensor:
    """Images with the outlines of boxes, one pixel wide.

    Later boxes are above. Boxes that end before they begin, or are wholly outside, are not drawn.

    Args:
        images: A tensor of floats [batch, height, width, channels].
        boxes: A tensor of floats [batch, boxes, (y1, x1, y2, x2)], where 0 is the first pixel and 1
            the last.
        colors: A tensor [n, channels]: the colours that the boxes have in turn; further channels
            are not used. None: ones for 1 channel, ten colours for 3 and 4.

    Returns:
        A tensor of the shape and dtype of `images`.

    Raises:
        InvalidArgumentError: If ranks, channels or dtypes are others.
        UnimplementedError: If the number of channels or boxes is not known while tracing.

    >>> import tfc as tf
    >>> drawn = tf.image.draw_bounding_boxes(
    ...     tf.zeros([1, 3, 3, 1]), [[[0.0, 0.0, 1.0, 1.0]]], [[7.0]])
    >>> print(tf.squeeze(drawn))
    tf.Tensor(
    [[7. 7. 7.]
     [7. 0. 7.]
     [7. 7. 7.]], shape=(3, 3), dtype=float32)
    """
    op = "image.draw_bounding_boxes"
    x: Any = operand(op, images, dtype_hint=float32)
    corners: Any = operand(op, boxes, dtype_hint=float32)
    if len(x.shape) != 4:
        raise blame.invalid(f"The rank of the images should be 4, got {x.shape}", op)
    if len(corners.shape) != 3:
        raise blame.invalid(f"The rank of the boxes tensor should be 3, got {corners.shape}", op)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"{op}: not defined for dtype {x.dtype.name}", op)
    channels, many = x.shape[3], corners.shape[1]
    if channels is None or many is None:
        raise blame.unknown_extent("the numbers of channels and of boxes must be known", op)
    if channels not in (1, 3, 4):
        raise blame.invalid(
            "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA): there are no colors "
            f"for {channels} channels",
            op,
        )
    if colors is None:
        colors = np.ones((1, 1), np.float32) if channels == 1 else _COLORS[:, :channels]
    paint = _conversion.cast(operand(op, colors, dtype_hint=x.dtype), x.dtype)
    if len(paint.shape) != 2 or not paint.shape[0] or (paint.shape[1] or 0) < channels:
        raise blame.invalid(f"colors must be [n, {channels}], got {paint.shape}", op)
    paint = paint[:, :channels]
    size = _shaping.shape(x, out_type=int64)
    height, width = size[1], size[2]

    def edges(low: Any, high: Any, extent: Any) -> tuple[Any, Any, Any]:
        """Which pixels of an axis are at the ends of a box, which are within it, and whether it
        is there at all."""
        last = _conversion.cast(extent - 1, corners.dtype)
        first, end = (_conversion.cast(v * last, int64) for v in (low, high))
        place = _creation.range(extent)
        within = (place >= first) & (place <= end)
        there = (first <= end) & (first < extent) & (end >= 0)
        return (place == first) | (place == end), within, there

    for i in range(many):
        y1, x1, y2, x2 = (corners[:, i, k, None] for k in range(4))
        end_y, in_y, there_y = edges(y1, y2, height)
        end_x, in_x, there_x = edges(x1, x2, width)
        line = (end_y[:, :, None] & in_x[:, None, :]) | (in_y[:, :, None] & end_x[:, None, :])
        line = line & (there_y & there_x)[:, :, None]
        x = _comparisons.select(line[..., None], paint[i % paint.shape[0]], x)
    return x


@primitive
def _stateful(
    b: Builder, state: Value, size: Value, boxes: Value, covered: Value, options: Any
) -> Any:
    words = unsigned(b, state)
    begin, extent, box = b.emit_all(ir.RandomBox(words, size, boxes, covered, *options))
    return begin, extent, box, _advanced(b, words, 1)


@primitive
def _stateless(
    b: Builder, seed: Value, size: Value, boxes: Value, covered: Value, options: Any
) -> Any:
    state = state_of_seed(b, seed)
    return tuple(b.emit_all(ir.RandomBox(state, size, boxes, covered, *options)))


def _range(given: Any, usual: tuple[float, float], what: str, op: str) -> list[Any]:
    """The two numbers of a range; the usual ones for None and what is empty."""
    return (numbers(given, what, op) if given is not None else []) or list(usual)


def _arguments(
    op: str,
    image_size: Any,
    bounding_boxes: Any,
    min_object_covered: Any,
    aspect_ratio_range: Any,
    area_range: Any,
    max_attempts: Any,
    use_image_if_no_bounding_boxes: Any,
) -> Any:
    size = operand(op, image_size)
    boxes = operand(op, bounding_boxes, dtype_hint=float32)
    if size.shape.rank != 1 or size.shape[0] != 3 or not size.dtype.is_integer:
        raise blame.invalid(
            f"image_size must contain 3 elements{size.shape.as_list() if size.shape.rank else ''}, "
            f"integers, got {size.dtype.name} {size.shape}",
            op,
        )
    if len(boxes.shape) != 3 or boxes.shape[2] not in (4, None) or not boxes.dtype.is_floating:
        raise blame.invalid(f"bounding_boxes must be [batch, n, 4] floats, got {boxes.shape}", op)
    covered = operand(op, min_object_covered, dtype_hint=float64)
    if covered.shape.rank or not (covered.dtype.is_floating or covered.dtype.is_integer):
        raise blame.invalid(
            f"min_object_covered must be a number, got {covered.dtype.name} {covered.shape}", op
        )
    ratios = _range(aspect_ratio_range, (0.75, 1.33), "aspect_ratio_range", op)
    areas = _range(area_range, (0.05, 1.0), "area_range", op)
    for what, pair, top in (("aspect_ratio_range", ratios, None), ("area_range", areas, 1)):
        if len(pair) != 2:
            said = f"{what.replace('_', ' ').capitalize()} field must specify 2 dimensions"
            raise blame.invalid(f"{said}, got {pair}", op)
        if not 0 < pair[0] <= pair[1] or (top and pair[1] > top):
            raise blame.invalid(f"{what} must be two positive numbers in order, got {pair}", op)
    attempts = whole_number(100 if max_attempts is None else max_attempts, "max_attempts", op)
    if attempts < 1:
        raise blame.invalid(f"Max attempts must be non-negative: {attempts}", op)
    whole = flag(use_image_if_no_bounding_boxes, "use_image_if_no_bounding_boxes", op)
    options = (*map(float, (*ratios, *areas)), attempts, whole)
    boxes = _conversion.ensure_shape(boxes, [None, None, 4])
    flat = _shaping.reshape(_conversion.cast(boxes, float32), [-1, 4])
    operands = (_conversion.cast(size, int64), flat, _conversion.cast(covered, float64))
    return operands, options, size.dtype


class SampleDistortedBoundingBox(NamedTuple):
    """What `sample_distorted_bounding_box` gives."""

    begin: Any
    size: Any
    bboxes: Any


class StatelessSampleDistortedBoundingBox(NamedTuple):
    """What `stateless_sample_distorted_bounding_box` gives."""

    begin: Any
    size: Any
    bboxes: Any


def _result(found: Any, kind: Any) -> tuple[Any, Any, Any]:
    begin, size, box = found
    return (
        _conversion.cast(begin, kind),
        _conversion.cast(size, kind),
        _shaping.reshape(box, [1, 1, 4]),
    )


def sample_distorted_bounding_box(
    image_size: TensorLike,
    bounding_boxes: TensorLike,
    seed: int = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """A random part of an image, for cutting it out.

    Where no part that meets the demands is found, it is the whole image.

    Unlike TensorFlow, the same seed gives other parts.

    Args:
        image_size: A vector of three integers: height, width and channels.
        bounding_boxes: A tensor of floats [batch, n, 4]: (y1, x1, y2, x2), in [0, 1].
        seed: The seed of the stream; 0 for the global one.
        min_object_covered: Which share of one of the boxes the part must hold at least: a number,
            or a tensor of one.
        aspect_ratio_range: The least and the largest width / height; None is (0.75, 1.33).
        area_range: The least and the largest share of the area of the image; None is (0.05, 1).
        max_attempts: How many parts are tried; None is 100.
        use_image_if_no_bounding_boxes: Whether the whole image is the box where there is none.

    Returns:
        A named tuple of three tensors: `begin` and `size` with three integers each, as `tfc.slice`
        takes them (the last size is -1), and `bboxes`, the part as a box, float32 [1, 1, 4].

    Raises:
        InvalidArgumentError: If there is no box and it is not allowed, a box is not within [0, 1]
            or ends before it begins, or another argument is out of its range.

    >>> import tfc as tf
    >>> boxes = tf.constant([[[0.1, 0.1, 0.9, 0.9]]])
    >>> begin, size, box = tf.image.sample_distorted_bounding_box([40, 60, 3], boxes, seed=1)
    >>> tf.slice(tf.zeros([40, 60, 3]), begin, size).shape == tuple(size.numpy()[:2]) + (3,)
    True
    """
    op = "image.sample_distorted_bounding_box"
    operands, options, kind = _arguments(
        op,
        image_size,
        bounding_boxes,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
    )
    given = whole_number(seed, "seed", op) if seed is not None else 0
    place = stream_of("sample_distorted_bounding_box", int64, given or None)
    found = place.draw(_stateful, operands, (options,))
    return SampleDistortedBoundingBox(*_result(found, kind))


def stateless_sample_distorted_bounding_box(
    image_size: TensorLike,
    bounding_boxes: TensorLike,
    seed: TensorLike,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: Any = None,
    use_image_if_no_bounding_boxes: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """`sample_distorted_bounding_box` as a function of `seed`, two integers.

    Args:
        image_size: A vector of three integers: height, width and channels.
        bounding_boxes: A tensor of floats [batch, n, 4]: (y1, x1, y2, x2), in [0, 1].
        seed: Two integers.
        min_object_covered: Which share of one of the boxes the part must hold at least: a number,
            or a tensor of one.
        aspect_ratio_range: The least and the largest width / height; None is (0.75, 1.33).
        area_range: The least and the largest share of the area of the image; None is (0.05, 1).
        max_attempts: How many parts are tried; None is 100.
        use_image_if_no_bounding_boxes: Whether the whole image is the box where there is none.

    Returns:
        What `sample_distorted_bounding_box` gives: begin, size and the box.

    Raises:
        InvalidArgumentError: As of `sample_distorted_bounding_box`.

    >>> import tfc as tf
    >>> f = tf.image.stateless_sample_distorted_bounding_box
    >>> boxes = tf.constant([[[0.1, 0.1, 0.9, 0.9]]])
    >>> a, b = (f([40, 60, 3], boxes, seed=[1, 2])[0] for _ in range(2))
    >>> bool(tf.reduce_all(a == b))
    True
    """
    op = "image.stateless_sample_distorted_bounding_box"
    operands, options, kind = _arguments(
        op,
        image_size,
        bounding_boxes,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
    )
    found = _stateless(operand(op, seed), *operands, static=(options,))
    return StatelessSampleDistortedBoundingBox(*_result(found, kind))
