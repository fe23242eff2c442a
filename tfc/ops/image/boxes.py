"""Boxes of images: cut out, and chosen among."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32, int32, int64
from tfc.ir.extent import Extent, Shape

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor, wrap
from ...core.types import ShapeLike, TensorLike
from ...dispatch.known import known_elements
from ...dispatch.primitive import Sizes, broadcast_to, measured, primitive, retype
from ..arguments import attribute
from ..array.conversion import cast
from ..extents import _require_equal, _shape, extents_of, listed


def _column(b: Builder, boxes: Value, i: int) -> Term:
    """One of the four numbers of every box."""
    n = boxes.shape[0]
    part = b.emit(ir.Slice(boxes, (0, i), (n, 1), (1, 1)))
    return Term(b, b.emit(ir.Reshape(part, (n,))))


def _places(b: Builder, low: Term, high: Term, extent: Extent, count: Extent) -> Term:
    """Where each box is sampled along one axis: [boxes, count], in pixels."""
    shape: Shape = (low.value.shape[0], count)

    def spread(v: Term) -> Term:
        return Term(b, b.emit(ir.Broadcast(v.value, shape, (0,))))

    last = Term(
        b, broadcast_to(b, b.emit(ir.Cast(b.emit(ir.ExtentOf(extent - 1)), float32)), shape)
    )
    if count == 1:
        return spread(low + high) * 0.5 * last
    steps = b.emit(ir.Cast(b.emit(ir.ExtentOf(count - 1)), float32))
    scale = spread(high - low) * last / Term(b, broadcast_to(b, steps, shape))
    return spread(low) * last + Term(b, b.emit(ir.Iota(shape, 1, float32))) * scale


@primitive
def _crop_and_resize(
    b: Builder, x: Value, boxes: Value, which: Value, outside: Value, size: Any, nearest: bool
) -> Value:
    x = b.emit(ir.Cast(x, float32))
    boxes = retype(b, boxes, (which.shape[0], 4))
    n, h, w, c = x.shape
    count, (rows, columns) = boxes.shape[0], size
    grid = (count, rows, columns)
    pixels = b.emit(ir.Reshape(x, (n * h * w, c)))
    number = b.emit(ir.Gather(b.emit(ir.Iota((n,), 0, int64)), which, 0))  # checks it
    image = Term(b, b.emit(ir.Broadcast(number, grid, (0,))))

    def axis(low: int, extent: Extent, m: Extent, dims: tuple[int, ...]) -> tuple[Any, ...]:
        """The pixels before and after each place, the share of the latter, and whether the place
        is inside, all on the grid."""
        place = _places(b, _column(b, boxes, low), _column(b, boxes, low + 2), extent, m)
        last = Term(b, broadcast_to(b, b.emit(ir.ExtentOf(extent - 1)), place.value.shape))
        top = Term(b, b.emit(ir.Cast(last.value, float32)))
        inside = (place >= 0) & (place <= top)
        if nearest:
            floor = Term(b, b.emit(ir.Floor((place + 0.5).value)))
        else:
            floor = Term(b, b.emit(ir.Floor(place.value)))
        share = place - floor
        # At a pixel both are that pixel: nothing of its neighbour counts, nor flows back.
        edges = (floor.value, b.emit(ir.Ceil(place.value)))
        whole = (Term(b, b.emit(ir.Cast(v, int64))) for v in edges)
        first, second = (v.maximum(0).minimum(last) for v in whole)
        found = (first, second, share, inside)
        return tuple(Term(b, b.emit(ir.Broadcast(v.value, grid, dims))) for v in found)

    up, down, y, inside_y = axis(0, h, rows, (0, 1))
    left, right, t, inside_x = axis(1, w, columns, (0, 2))
    whole = (*grid, c)

    def spread(v: Term) -> Term:
        return Term(b, b.emit(ir.Broadcast(v.value, whole, (0, 1, 2))))

    def read(row: Term, column: Term) -> Term:
        height, width = (Term(b, broadcast_to(b, b.emit(ir.ExtentOf(e)), grid)) for e in (h, w))
        place = (image * height + row) * width + column
        return Term(b, b.emit(ir.Gather(pixels, place.value, 0)))

    if nearest:
        result = read(up, left)
    else:
        y, t = spread(y), spread(t)
        upper, lower = (read(r, left) for r in (up, down))
        upper = upper + (read(up, right) - upper) * t
        lower = lower + (read(down, right) - lower) * t
        result = upper + (lower - upper) * y
    inside = spread(inside_y & inside_x)
    fill = Term(b, broadcast_to(b, outside, whole))
    return inside.select(result, fill).value


def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_indices: TensorLike,
    crop_size: ShapeLike,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Parts of images, all resized to one size.

    Args:
        image: A tensor of real numbers [batch, height, width, channels].
        boxes: A tensor of floats [boxes, 4]: (y1, x1, y2, x2), where 0 is the centre of the first
            pixel and 1 that of the last. Boxes may reach beyond, and are mirrored where they end
            before they begin.
        box_indices: A tensor of integers [boxes]: the image that each box is cut out of.
        crop_size: Two positive numbers: the height and width of the results.
        method: "bilinear" or "nearest".
        extrapolation_value: What stands where a box is outside of its image.

    Returns:
        A tensor of float32 [boxes, crop height, crop width, channels].

    Raises:
        ValueError: If `method` is another one.
        InvalidArgumentError: If ranks, dtypes or sizes do not fit, or there is no image of that
            index.

    >>> import tfc as tf
    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> crop = tf.image.crop_and_resize(image, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2])
    >>> print(tf.reshape(crop, [-1]))
    tf.Tensor([0. 2. 6. 8.], shape=(4,), dtype=float32)
    """
    op = "image.crop_and_resize"
    x = operand(op, image)
    corners = operand(op, boxes, dtype_hint=float32)
    which = operand(op, box_indices)
    for words, given, rank in (
        ("input image must be 4-D", x, 4),
        ("boxes must be 2-D, got: ", corners, 2),
        ("box_index must be 1-D, got: ", which, 1),
    ):
        if len(given.shape) != rank:
            raise blame.invalid(f"{words}{listed(given)}", op)
    attribute(method, ("bilinear", "nearest"), "method", op)
    if not which.dtype.is_integer or not corners.dtype.is_floating:
        raise blame.invalid_dtype("boxes must be floats, box_indices integers", op)
    count, four = extents_of(corners)
    for words, have, want in (
        ("boxes must have 4 columns", four, 4),
        ("box_index has incompatible shape", extents_of(which)[0], count),
    ):
        if isinstance(have, int) and isinstance(want, int) and have != want:
            raise blame.invalid(f"{words}: boxes {corners.shape}, box_index {which.shape}", op)
        _require_equal(have, want)
    size = _shape(crop_size, op)
    if len(size) != 2:
        raise blame.invalid(f"crop_size must have two elements[{len(size)}]", op)
    if 0 in size:
        raise blame.invalid(f"crop dimensions must be positive, got {tuple(size)}", op)
    outside = operand(op, float(extrapolation_value), float32)
    return _crop_and_resize(
        x,
        cast(corners, float32),
        which,
        outside,
        static=(size, method == "nearest"),
    )


# Choosing.


@primitive
def _kept_boxes(
    b: Builder, boxes: Value, scores: Value, most: Value, overlap: Value, least: Value
) -> Any:
    """The numbers of the boxes that are kept, best first, then the others; and how many."""
    (n,) = scores.shape
    boxes = retype(b, boxes, (n, 4))
    order = b.emit(ir.ArgSort(scores, True))
    sorted_ = b.emit(ir.Gather(boxes, order, 0))
    ranked = b.emit(ir.Gather(scores, order, 0))
    keep = b.emit(ir.Suppress(sorted_, overlap))
    eligible = Term(b, ranked) > Term(b, broadcast_to(b, least, (n,)))
    chosen = Term(b, keep) & eligible
    ones = b.emit(ir.Cast(chosen.value, int64))
    place = b.emit(ir.CumSum(ones, 0, False))
    limit = Term(b, broadcast_to(b, b.emit(ir.Cast(most, int64)), (n,)))
    chosen = chosen & (Term(b, place) <= limit)
    rank = b.emit(ir.ArgSort(b.emit(ir.Cast(chosen.value, int32)), True))
    count = b.emit(ir.ReduceSum(b.emit(ir.Cast(chosen.value, int64)), (0,)))
    return b.emit(ir.Cast(b.emit(ir.Gather(order, rank, 0)), int32)), count


@primitive
def _first(b: Builder, x: Value, count: Any) -> Value:
    return b.emit(ir.Slice(x, (0,), count, (1,)))


def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """The boxes that are left when each drives out those of lower scores that overlap it too much.

    Args:
        boxes: A tensor of floats [boxes, 4]: (y1, x1, y2, x2), in any unit.
        scores: A tensor of floats [boxes].
        max_output_size: How many boxes are kept at most.
        iou_threshold: Which overlap (area in common / area of both) is allowed, in [0, 1].
        score_threshold: Boxes are kept that score more than this.

    Returns:
        A vector of int32: the numbers of the boxes, by descending score.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or `iou_threshold` is outside of [0, 1].

    >>> import tfc as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]]
    >>> print(tf.image.non_max_suppression(boxes, [0.5, 0.9, 0.7], max_output_size=3))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    op = "image.non_max_suppression"
    x = operand(op, boxes, dtype_hint=float32)
    y = operand(op, scores, dtype_hint=x.dtype)
    if len(x.shape) != 2:
        raise blame.invalid(f"boxes must be 2-D{listed(x)}", op)
    if len(y.shape) != 1:
        raise blame.invalid(f"scores must be 1-D{listed(y)}", op)
    n, four = extents_of(x)
    for words, have, want in (
        ("boxes must have 4 columns", four, 4),
        ("scores has incompatible shape", extents_of(y)[0], n),
    ):
        if isinstance(have, int) and isinstance(want, int) and have != want:
            raise blame.invalid(f"{words}: boxes {x.shape}, scores {y.shape}", op)
        _require_equal(have, want)
    overlap, least = (operand(op, v, x.dtype) for v in (iou_threshold, score_threshold))
    known = known_elements(overlap)
    if known is not None and not 0 <= float(known) <= 1:
        raise blame.invalid("iou_threshold must be in [0, 1]", op)
    most = operand(op, max_output_size)
    if most.shape.rank:
        raise blame.invalid(f"max_output_size must be 0-D, got shape {listed(most)}", op)
    known = known_elements(most)
    if known is not None and known < 0:
        raise blame.invalid(f"output size must be non-negative, got {known}", op)
    if n == 0:
        return wrap(np.zeros(0, np.int32))
    numbers, count = _kept_boxes.fast()(x, y, most, overlap, least)
    return _first(numbers, static=(Sizes((measured(count),)),))
