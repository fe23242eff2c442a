"""Cropping, padding, flipping and turning images [height, width, channels], or batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.ir.dtypes import int64
from tfc.ir.extent import Expr, Extent

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import TensorLike
from ...dispatch.known import is_unknown, known_elements
from ..arguments import number
from ..array.checks import Assert
from ..array.conversion import cast, ensure_shape
from ..array.creation import range as tensor_range
from ..array.indexing import gather, where
from ..array.joining import concat, stack, unstack
from ..array.padding import pad
from ..array.shaping import expand_dims, reshape, reverse
from ..array.shaping import shape as shape_of
from ..array.shaping import transpose as transposed
from ..array.slicing import slice_
from ..extents import _integer, _require, extents_of
from ..math.arithmetic import floormod, maximum, minimum
from ..math.comparisons import equal, greater, greater_equal
from ..math.reductions import reduce_all


def image_operand(image: TensorLike, name: str) -> Tensor:
    """An image or a batch of them."""
    x = operand(name, image)
    if len(x.shape) < 3:
        raise blame.value_error(
            f"'image' (shape {x.shape}) must be at least three-dimensional.", name
        )
    if len(x.shape) > 4:
        raise blame.value_error(
            f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.", name
        )
    return x


def heights(x: TensorLike, name: str) -> tuple[int, int]:
    """Height and width, where they are known."""
    height, width = extents_of(image_operand(x, name))[-3:-1]
    if not isinstance(height, int) or not isinstance(width, int):
        raise blame.unknown_extent("needs a known height and width", name)
    return height, width


def _placed(x: Any, rows: Any, columns: Any) -> list[Any]:
    """One entry an axis: 0 for batch and channels."""
    return [0] * (len(x.shape) - 3) + [rows, columns, 0]


def flip_left_right(image: TensorLike) -> Tensor:
    """The columns from last to first, of an image or a batch of any dtype.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> image = tf.reshape([1, 2, 3, 4], [2, 2, 1])
    >>> print(tf.image.flip_left_right(image).numpy().ravel())
    [2 1 4 3]
    """
    x = image_operand(image, "image.flip_left_right")
    return reverse(x, [len(x.shape) - 2])


def flip_up_down(image: TensorLike) -> Tensor:
    """The rows from last to first, of an image or a batch of any dtype.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> image = tf.reshape([1, 2, 3, 4], [2, 2, 1])
    >>> print(tf.image.flip_up_down(image).numpy().ravel())
    [3 4 1 2]
    """
    x = image_operand(image, "image.flip_up_down")
    return reverse(x, [len(x.shape) - 3])


def transpose(image: TensorLike, name: str | None = None) -> Tensor:
    """Rows and columns exchanged; batch and channels stay where they are.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.

    Returns:
        A tensor [width, height, channels] or [batch, width, height, channels].

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> print(tf.image.transpose(tf.reshape([1, 2, 3, 4], [2, 2, 1])).numpy().ravel())
    [1 3 2 4]
    >>> tf.image.transpose(tf.zeros([5, 8, 9, 3])).shape
    TensorShape([5, 9, 8, 3])
    """
    x = image_operand(image, "image.transpose")
    rank = len(x.shape)
    return transposed(x, [*range(rank - 3), rank - 2, rank - 3, rank - 1])


def rot90(image: TensorLike, k: int = 1, name: str | None = None) -> Tensor:
    """The image turned counter-clockwise, k times by 90 degrees.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.
        k: How many times; an integer, or a scalar that may be computed in a function. A negative
            one turns clockwise.

    Returns:
        A tensor of the dtype of `image`; height and width are exchanged if `k` is odd.

    Raises:
        ValueError: If the rank is neither 3 nor 4.
        TypeError: If `k` is no integer.

    >>> import tfc as tf
    >>> print(tf.reshape(tf.image.rot90(tf.reshape([1, 2, 3, 4], [2, 2, 1])), [-1]))
    tf.Tensor([2 4 1 3], shape=(4,), dtype=int32)
    """
    x = image_operand(image, "image.rot90")
    if isinstance(k, SymbolicTensor) and known_elements(k) is None:
        return _turned(x, floormod(cast(k, int64), 4))
    turns = _integer(k, "k", "image.rot90") % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip_up_down(flip_left_right(x))
    return flip_up_down(transpose(x)) if turns == 1 else transpose(flip_up_down(x))


def _turned(x: Tensor, turns: Tensor) -> Tensor:
    """An image that is turned as often as only a call tells: pixels are taken from where they
    were."""
    *batch, height, width, channels = unstack(shape_of(x, int64), len(x.shape))
    odd = equal(floormod(turns, 2), 1)
    rows, columns = where(odd, width, height), where(odd, height, width)
    i, j = expand_dims(tensor_range(rows), 1), expand_dims(tensor_range(columns), 0)
    below, right = height - 1, width - 1
    up, left = below - j, i  # turned three times
    for n, (row, column) in enumerate(((i, j), (j, right - i), (below - i, right - j))):
        once = equal(turns, n)
        up, left = where(once, row, up), where(once, column, left)
    flat = reshape(x, [*batch, height * width, channels])
    return gather(flat, up * width + left, axis=len(batch))


def central_crop(image: TensorLike, central_fraction: float) -> Tensor:
    """The middle of the image: the same fraction of its height and of its width.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], whose height and width are known.
        central_fraction: The fraction of each extent that stays, in (0, 1].

    Returns:
        A part of `image`: int((extent - fraction * extent) / 2) rows or columns are cut off at each
        end.

    Raises:
        ValueError: If the fraction is not in (0, 1], or the rank is neither 3 nor 4.
        UnimplementedError: If the height or width is not known while tracing.

    >>> import tfc as tf
    >>> image = tf.reshape(tf.range(16), [4, 4, 1])
    >>> print(tf.image.central_crop(image, 0.5).numpy().ravel())
    [ 5  6  9 10]
    """
    op = "image.central_crop"
    x = image_operand(image, op)
    fraction = number(central_fraction, "central_fraction", op)
    if not 0.0 < fraction <= 1.0:
        raise blame.value_error("central_fraction must be within (0, 1]", op)
    if fraction == 1.0:
        return x
    extents = heights(x, op)
    starts = [int((e - e * fraction) / 2) for e in extents]
    sizes = [e - 2 * s for e, s in zip(extents, starts, strict=True)]
    return crop_to_bounding_box(x, *starts, *sizes)


def crop_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """The pixels of a box of the image.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels].
        offset_height: The first row of the box.
        offset_width: The first column of the box.
        target_height: How many rows it has.
        target_width: How many columns it has.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: If an offset is negative, a target is not positive, the box is not wholly inside
            of the image, or the rank is neither 3 nor 4.
        InvalidArgumentError: If numbers that are given as tensors do not fit.

    >>> import tfc as tf
    >>> image = tf.reshape(tf.range(16), [4, 4, 1])
    >>> print(tf.image.crop_to_bounding_box(image, 1, 0, 2, 3).numpy().reshape(2, 3))
    [[ 4  5  6]
     [ 8  9 10]]
    """
    op = "image.crop_to_bounding_box"
    x = image_operand(image, op)
    height, width = extents_of(x)[-3:-1]
    rows = (("height", offset_height, target_height, height),)
    for what, offset, target, extent in (*rows, ("width", offset_width, target_width, width)):
        if isinstance(offset, int) and offset < 0:
            raise blame.value_error(f"offset_{what} must be >= 0.", op)
        if isinstance(target, int) and target <= 0:
            raise blame.value_error(f"target_{what} must be > 0.", op)
        known = all(isinstance(v, int) for v in (offset, target, extent))
        if known and offset + target > extent:
            raise blame.value_error(f"{what} must be >= target + offset.", op)
    extents = extents_of(x)
    begin = _placed(x, offset_height, offset_width)
    size = [*extents[:-3], target_height, target_width, extents[-1]]
    return slice_(x, begin, size)


def pad_to_bounding_box(
    image: TensorLike, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Tensor:
    """The image with zeros around it.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels].
        offset_height: How many rows of zeros are above it.
        offset_width: How many columns of zeros are on its left.
        target_height: The height of the result.
        target_width: The width of the result.

    Returns:
        A tensor [..., target_height, target_width, channels].

    Raises:
        ValueError: If an offset is negative, the image does not fit, or the rank is neither 3 nor
            4.

    >>> import tfc as tf
    >>> image = tf.reshape([1, 2], [1, 2, 1])
    >>> print(tf.image.pad_to_bounding_box(image, 1, 1, 2, 4).numpy().reshape(2, 4))
    [[0 0 0 0]
     [0 1 2 0]]
    """
    op = "image.pad_to_bounding_box"
    x = image_operand(image, op)
    given = (offset_height, offset_width, target_height, target_width)
    if any(map(is_unknown, given)):
        return _padded_by(x, given, op)
    after: list[Extent] = []
    extents = extents_of(x)[-3:-1]
    rows = zip(
        ("height", "width"),
        (offset_height, offset_width),
        (target_height, target_width),
        extents,
        strict=True,
    )
    for what, offset, target, extent in rows:
        offset = _integer(offset, f"offset_{what}", op)
        if offset < 0:
            raise blame.value_error(f"offset_{what} must be >= 0", op)
        if not isinstance(target, Expr):
            target = _integer(target, f"target_{what}", op)
        left = target - offset - extent
        if isinstance(left, int) and left < 0:
            raise blame.value_error(f"{what} must be <= target - offset", op)
        _require(left)
        after.append(left)
    before = (offset_height, offset_width)
    low, high = _placed(x, *before), _placed(x, *after)
    return pad(x, [list(pair) for pair in zip(low, high, strict=True)])


def _padded_by(x: Tensor, given: Sequence[Any], op: str) -> Tensor:
    """`pad_to_bounding_box` where only a call tells some of its numbers."""
    offset, target = cast(stack(given[:2]), int64), cast(stack(given[2:]), int64)
    after = target - offset - shape_of(x, int64)[-3:-1]
    Assert(reduce_all(greater_equal(offset, 0)), [f"{op}: an offset must be >= 0"])
    Assert(reduce_all(greater_equal(after, 0)), [f"{op}: the image must be <= target - offset"])
    none, own = [[0, 0]], transposed(stack([offset, after]))
    padded = pad(x, concat([*[none] * (len(x.shape) - 3), own, none], 0))
    sizes = [None if is_unknown(v) else _integer(v, "a target", op) for v in given[2:]]
    return ensure_shape(padded, [*x.shape[:-3], *sizes, x.shape[-1]])


def resize_with_crop_or_pad(image: TensorLike, target_height: int, target_width: int) -> Tensor:
    """The middle of the image where it is larger, else the image in the middle of zeros.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], whose height and width are known.
        target_height: The height of the result.
        target_width: The width of the result.

    Returns:
        A tensor [..., target_height, target_width, channels]. Of an odd difference the last row or
        column has the larger part.

    Raises:
        ValueError: If a target is not positive, or the rank is neither 3 nor 4.
        UnimplementedError: If the height or width is not known while tracing.

    >>> import tfc as tf
    >>> tf.image.resize_with_crop_or_pad(tf.zeros([5, 2, 3]), 3, 4).shape
    TensorShape([3, 4, 3])
    """
    op = "image.resize_with_crop_or_pad"
    x = image_operand(image, op)
    if is_unknown(target_height) or is_unknown(target_width):
        goal = cast(stack([target_height, target_width]), int64)
        Assert(reduce_all(greater(goal, 0)), [f"{op}: target_height and target_width must be > 0."])
        extent = shape_of(x, int64)[-3:-1]
        begin, size = maximum((extent - goal) // 2, 0), minimum(extent, goal)
        low = maximum((goal - extent) // 2, 0)
        cropped = crop_to_bounding_box(x, *unstack(begin), *unstack(size))
        return _padded_by(cropped, [*unstack(low), *unstack(goal)], op)
    target = [_integer(v, "a target", op) for v in (target_height, target_width)]
    if min(target) <= 0:
        which = "target_height" if target[0] <= 0 else "target_width"
        raise blame.value_error(f"{which} must be > 0.", op)
    extents = heights(x, op)
    cut = [max((e - t) // 2, 0) for e, t in zip(extents, target, strict=True)]
    kept = [min(e, t) for e, t in zip(extents, target, strict=True)]
    before = [max((t - e) // 2, 0) for e, t in zip(extents, target, strict=True)]
    return pad_to_bounding_box(crop_to_bounding_box(x, *cut, *kept), *before, *target)
