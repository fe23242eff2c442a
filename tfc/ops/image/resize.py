"""Resizing images, as TensorFlow 2 does: pixels are squares, whose centres stand at + 0.5. And as
TensorFlow 1 did, whose pixels are points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32, int64
from tfc.ir.extent import Extent

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import ShapeLike, TensorLike
from ...dispatch.primitive import Sizes, broadcast_to, primitive, retype
from ..arguments import number, one_of
from ..array.conversion import cast
from ..array.shaping import expand_dims, squeeze
from ..extents import _shape, extents_of
from .geometry import heights, pad_to_bounding_box


class ResizeMethod:
    """The names of the methods of `resize`.

    >>> import tfc as tf
    >>> tf.image.ResizeMethod.LANCZOS3
    'lanczos3'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


# Where the pixels of a result lie in the image: see `resize_on_grid`.
CENTRES, CORNERS, POINTS = GRIDS = ("half_pixel_centers", "align_corners", "points")
_STEPS = 1024  # TensorFlow's kernel of bicubic is a table with so many numbers a pixel
_KEEPING = ("bilinear", "nearest", "bicubic", "area")  # by which a size of its own changes nothing
METHODS = tuple(v for k, v in vars(ResizeMethod).items() if k.isupper())


def _kernel(method: str, d: Term) -> Term:
    """The weight of a pixel at distance d >= 0, in pixels of the coarser grid."""

    def polynomial(*factors: float) -> Term:
        total = d.const(factors[0])
        for factor in factors[1:]:
            total = total * d + factor
        return total

    match method:
        case "bilinear":
            return (1 - d).maximum(0.0)
        case "bicubic":  # Keys, "Cubic convolution interpolation", 1981, with a = -1/2
            near, far = polynomial(1.5, -2.5, 0, 1), polynomial(-0.5, 2.5, -4, 2)
            return where(d < 1, near, where(d < 2, far, 0))
        case "mitchellcubic":  # Mitchell and Netravali, 1988, with B = C = 1/3
            near = polynomial(7 / 6, -2, 0, 8 / 9)
            far = polynomial(-7 / 18, 2, -10 / 3, 16 / 9)
            return where(d < 1, near, where(d < 2, far, 0))
        case "gaussian":
            sigma = 0.5
            bell = Term(d.b, d.b.emit(ir.Exp((d * d * (-1 / (2 * sigma * sigma))).value)))
            return where(d < 1.5, bell, 0)
    radius = {"lanczos3": 3, "lanczos5": 5}[method]
    angle = d * math.pi
    sines = [Term(d.b, d.b.emit(ir.Sin((angle * s).value))) for s in (1.0, 1.0 / radius)]
    safe = where(d > 1e-3, angle * angle, 1)
    inner = where(d > 1e-3, sines[0] * sines[1] * radius / safe, 1)
    return where(d <= radius, inner, 0)


def _ratio(b: Builder, n: Extent, m: Extent, shape: Any, grid: str = CENTRES) -> Term:
    """n / m in float32; (n - 1) / (m - 1) where corners are aligned, of more than one pixel."""
    old, new = (Term(b, b.emit(ir.Cast(b.emit(ir.ExtentOf(e)), float32))) for e in (n, m))
    ratio = old / new
    if grid == CORNERS:
        ratio = where(new > 1, (old - 1) / (new - 1).maximum(1.0), ratio)
    return Term(b, broadcast_to(b, ratio.value, shape))


def _places(b: Builder, n: Extent, m: Extent, grid: str) -> Term:
    """Where the m pixels of a row of a result lie among n of the image."""
    to = Term(b, b.emit(ir.Iota((m,), 0, float32)))
    ratio = _ratio(b, n, m, (m,), grid)
    return (to + 0.5) * ratio - 0.5 if grid == CENTRES else to * ratio


def _last(b: Builder, n: Extent, m: Extent) -> Term:
    """The number of the last of n pixels, m times."""
    return Term(b, broadcast_to(b, b.emit(ir.ExtentOf(n - 1)), (m,)))


def weights_of(
    b: Builder, n: Extent, m: Extent, method: str, antialias: bool, corners: str = CENTRES
) -> Value:
    """The matrix [m, n] that takes n pixels in a row to m; its rows add up to 1."""
    grid = (m, n)
    scale = _ratio(b, n, m, grid, corners)
    to, source = (Term(b, b.emit(ir.Iota(grid, axis, float32))) for axis in (0, 1))
    if method == "area":
        # How much of the interval [to, to + 1) * scale lies in [source, source + 1); what lies
        # beyond the image, where corners are aligned, is the last pixel's.
        low, high = to * scale, (to + 1) * scale
        end = source + 1
        if corners == CORNERS:
            last = Term(b, broadcast_to(b, b.emit(ir.Cast(b.emit(ir.ExtentOf(n)), float32)), grid))
            end = where(end >= last, high.maximum(end), end)
        start = low.maximum(source)
        overlap = (high.minimum(end) - start).maximum(0.0)
        return (overlap / scale).value
    sample = (to + 0.5) * scale
    distance = Term(b, b.emit(ir.Abs((source + 0.5 - sample).value)))
    if antialias:  # a coarser grid takes a wider kernel
        distance = distance / scale.maximum(1.0)
    weights = _kernel(method, distance)
    total = b.emit(ir.ReduceSum(weights.value, (1,)))
    # Pixels outside of the image do not count: what is left is made to add up to 1.
    return (weights / Term(b, b.emit(ir.Broadcast(total, grid, (0,))))).value


@primitive
def _weights(b: Builder, extents: Any, method: str, antialias: bool, grid: str) -> Value:
    n, m = extents
    return weights_of(b, n, m, method, antialias, grid)


def _float_image(b: Builder, x: Value) -> Value:
    if x.dtype.is_bool or x.dtype.is_complex:
        raise OpError(f"resize: not defined for dtype {x.dtype.name}", "dtype")
    return b.emit(ir.Cast(x, float32))


@primitive
def _resize(b: Builder, x: Value, down: Value, along: Value) -> Value:
    """x with its rows and columns contracted with the weights [height, H] and [width, W]."""
    x = _float_image(b, x)
    n, h, w, c = x.shape
    rows, columns = down.shape[0], along.shape[0]
    # Contract one axis after the other, each brought to the front.
    x = b.emit(ir.Reshape(b.emit(ir.Transpose(x, (1, 0, 2, 3))), (h, n * w * c)))
    x = b.emit(ir.Matmul(retype(b, down, (rows, h)), x))
    x = b.emit(ir.Transpose(b.emit(ir.Reshape(x, (rows, n, w, c))), (2, 1, 0, 3)))
    x = b.emit(ir.Reshape(x, (w, n * rows * c)))
    x = b.emit(ir.Matmul(retype(b, along, (columns, w)), x))
    return b.emit(ir.Transpose(b.emit(ir.Reshape(x, (columns, n, rows, c))), (1, 2, 0, 3)))


@primitive
def _bilinear(b: Builder, x: Value, size: Any, grid: str) -> Value:
    """Each pixel between its two neighbours along one axis, then along the other."""
    x = _float_image(b, x)
    for axis, m in ((2, size[1]), (1, size[0])):
        n = x.shape[axis]
        place = _places(b, n, m, grid)
        floor, ceil = (b.emit(way(place.value)) for way in (ir.Floor, ir.Ceil))
        before = Term(b, b.emit(ir.Cast(floor, int64))).maximum(0)
        after = Term(b, b.emit(ir.Cast(ceil, int64))).minimum(_last(b, n, m))
        low, high = (Term(b, b.emit(ir.Gather(x, v.value, axis))) for v in (before, after))
        shape = low.value.shape
        share = Term(b, b.emit(ir.Broadcast((place - Term(b, floor)).value, shape, (axis,))))
        x = (low + (high - low) * share).value
    return x


@primitive
def _bicubic(b: Builder, x: Value, size: Any, grid: str) -> Value:
    """Each pixel between four neighbours along one axis, then along the other."""
    # Keys, "Cubic convolution interpolation", 1981; TensorFlow 1 took another number, and the
    # pixels at the edges for those outside of the image, too.
    a = -0.5 if grid == CENTRES else -0.75
    x = _float_image(b, x)
    for axis, m in ((1, size[0]), (2, size[1])):
        n = x.shape[axis]
        place = _places(b, n, m, grid)
        floor = Term(b, b.emit(ir.Floor(place.value)))
        share = Term(b, b.emit(ir.Round(((place - floor) * _STEPS).value))) * (1 / _STEPS)
        first, last = Term(b, b.emit(ir.Cast(floor.value, int64))), _last(b, n, m)
        weights, whole = [], []
        for step, d in ((-1, share + 1), (0, share), (1, 1 - share), (2, 2 - share)):
            if step in (0, 1):
                weight = ((a + 2) * d - (a + 3)) * d * d + 1
            else:
                weight = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
            where_ = first + step
            bound = where_.maximum(0).minimum(last)
            if grid == CENTRES:
                weight = where(bound.equal(where_), weight, 0)
            weights.append(weight)
            whole.append(bound)
        total = weights[0] + weights[1] + weights[2] + weights[3]
        parts = []
        for weight, bound in zip(weights, whole, strict=True):
            value = Term(b, b.emit(ir.Gather(x, bound.value, axis)))
            exact = weight / total if grid == CENTRES else weight
            shape = value.value.shape
            parts.append(value * Term(b, b.emit(ir.Broadcast(exact.value, shape, (axis,)))))
        x = (parts[0] + parts[1] + parts[2] + parts[3]).value
    return x


@primitive
def _nearest(b: Builder, x: Value, size: Any, grid: str) -> Value:
    for axis, m in zip((1, 2), size, strict=True):
        n = x.shape[axis]
        to = Term(b, b.emit(ir.Iota((m,), 0, float32)))
        ratio = _ratio(b, n, m, (m,), grid)
        place = (to + 0.5) * ratio if grid == CENTRES else to * ratio
        place = place + 0.5 if grid == CORNERS else place  # what follows rounds
        floor = b.emit(ir.Floor(place.value))
        whole = Term(b, b.emit(ir.Cast(floor, int64))).minimum(_last(b, n, m))
        x = b.emit(ir.Gather(x, whole.value, axis))
    return x


def resize_on_grid(images: Tensor, size: Any, method: str, grid: str, op: str) -> Tensor:
    """A batch of images resized where pixels are squares ("half_pixel_centers"), points whose first
    and last lie on those of the image ("align_corners"), or points of which only the first does
    ("points").

    Args:
        images: A tensor [batch, height, width, channels].
        size: The new height and width.
        method: "bilinear", "nearest", "bicubic" or "area".
        grid: One of the three.
        op: What errors call it.

    Raises:
        InvalidArgumentError: If it is no batch of images, or an extent is 0.
    """
    want = _shape(size, op)
    if len(images.shape) != 4:
        raise blame.invalid(f"input must be 4-dimensional, got {images.shape}", op)
    if len(want) != 2:
        raise blame.invalid(f"size must be 2 integers, got {want}", op)
    extents = extents_of(images)[1:3]
    if any(isinstance(e, int) and e <= 0 for e in want):
        raise blame.invalid(f"output dimensions must be positive, got {tuple(want)}", op)
    if 0 in extents:
        raise blame.invalid(f"an image of size {extents} cannot be resized", op)
    if method == "area":
        pairs = (Sizes(pair) for pair in zip(extents, want, strict=True))
        weights = [_weights(static=(pair, method, False, grid)) for pair in pairs]
        return _resize.fast()(images, *weights)
    way = {"bilinear": _bilinear, "nearest": _nearest, "bicubic": _bicubic}[method]
    return way(images, static=(Sizes(want), grid))


def resize(
    images: TensorLike,
    size: ShapeLike,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images in another size. Methods that blur do so where the size is the same, too.

    Unlike TensorFlow, with all methods but "nearest", "bilinear" and "bicubic", or with
    `antialias`, each result is a sum over a whole row and column, most with weight 0: a nan or inf
    spreads along them.

    Args:
        images: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of real numbers.
        size: Two positive integers: the new height and width.
        method: One of `tf.image.ResizeMethod`: "bilinear", "nearest", "bicubic", "area",
            "lanczos3", "lanczos5", "gaussian" or "mitchellcubic".
        preserve_aspect_ratio: Whether `size` is what the result must fit into, with the ratio of
            the image.
        antialias: Whether the kernel is widened where an image gets smaller.

    Returns:
        A tensor of float32 [..., new height, new width, channels]. "nearest" keeps the dtype.

    Raises:
        ValueError: If the rank is neither 3 nor 4, there is no such method, or `size` is not two
            numbers.
        InvalidArgumentError: If an extent is 0, or the dtype is bool or complex.
        UnimplementedError: If `preserve_aspect_ratio` is set and a size is not known while tracing.

    >>> import tfc as tf
    >>> image = tf.reshape([0.0, 4.0], [1, 2, 1])
    >>> print(tf.reshape(tf.image.resize(image, [1, 4]), [-1]))
    tf.Tensor([0. 1. 3. 4.], shape=(4,), dtype=float32)
    """
    op = "image.resize"
    x = operand(op, images)
    if len(x.shape) not in (3, 4):
        raise blame.value_error("'images' must have either 3 or 4 dimensions.", op)
    if isinstance(method, str):
        method = method.lower()
    if not one_of(method, METHODS):
        raise blame.value_error(f"Resize method is not implemented: {method}", op)
    want = _shape(size, op)
    if len(want) != 2:
        raise blame.value_error(
            "'size' must be a 1-D int32 Tensor of 2 elements: new_height, new_width", op
        )
    extents = extents_of(x)[-3:-1]
    if preserve_aspect_ratio:
        want = fitting(extents, want, op)
    if 0 in want:
        raise blame.invalid(f"output dimensions must be positive, got {tuple(want)}", op)
    if want == extents and method in _KEEPING:
        return x if method == "nearest" else cast(x, float32)
    if 0 in extents:
        raise blame.invalid(f"an image of size {extents} cannot be resized", op)
    batch = expand_dims(x, 0) if len(x.shape) == 3 else x
    if method == "nearest" or (method in ("bilinear", "bicubic") and not antialias):
        result = resize_on_grid(batch, want, method, CENTRES, op)
    else:
        pairs = (Sizes(pair) for pair in zip(extents, want, strict=True))
        weights = [_weights(static=(pair, method, bool(antialias), CENTRES)) for pair in pairs]
        result = _resize.fast()(batch, *weights)
    return squeeze(result, [0]) if len(x.shape) == 3 else result


def fitting(extents: Any, want: Any, name: str) -> Sizes:
    """The largest size that fits into `want` and has the ratio of `extents`."""
    if not all(isinstance(e, int) for e in (*extents, *want)):
        raise blame.unknown_extent("preserve_aspect_ratio needs a known height and width", name)
    scale = min(np.float32(a) / np.float32(e) for a, e in zip(want, extents, strict=True))
    return Sizes(int(np.round(np.float32(e) * scale)) for e in extents)


def resize_with_pad(
    image: TensorLike,
    target_height: int,
    target_width: int,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """The image resized, with its ratio, to the largest that fits, in the middle of zeros: nothing
    is cut off or distorted.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of real numbers; height and width are known.
        target_height: The height of the result, positive.
        target_width: The width of the result, positive.
        method: One of `tf.image.ResizeMethod`.
        antialias: Whether the kernel is widened where the image gets smaller.

    Returns:
        A tensor of float32 [..., target_height, target_width, channels]; the dtype stays where
        `resize` keeps it.

    Raises:
        ValueError: If a target is not positive, there is no such method, or the rank is neither 3
            nor 4.
        UnimplementedError: If the height or width is not known while tracing.

    >>> import tfc as tf
    >>> image = tf.ones([1, 2, 1])
    >>> print(tf.image.resize_with_pad(image, 4, 4).numpy().reshape(4, 4))
    [[0. 0. 0. 0.]
     [1. 1. 1. 1.]
     [1. 1. 1. 1.]
     [0. 0. 0. 0.]]
    """
    op = "image.resize_with_pad"
    x = operand(op, image)
    return with_pad(
        x, target_height, target_width, lambda v, size: resize(v, size, method, antialias=antialias)
    )


def with_pad(
    x: Tensor, target_height: Any, target_width: Any, resized: Callable[..., Tensor]
) -> Tensor:
    """The image as `resized` gives it for a size, in the middle of zeros."""
    op = "image.resize_with_pad"
    target_height = number(target_height, "target_height", op)
    target_width = number(target_width, "target_width", op)
    if not (0 < target_height < math.inf and 0 < target_width < math.inf):
        which = "target_height" if not 0 < target_height < math.inf else "target_width"
        raise blame.value_error(f"{which} must be > 0. It must be finite, too.", op)
    height, width = heights(x, op)
    target = [np.float32(v) for v in (target_height, target_width)]
    ratio = max(np.float32(height) / target[0], np.float32(width) / target[1])
    exact = [np.float32(v) / ratio for v in (height, width)]
    whole = [max(int(np.floor(v)), 1) for v in exact]
    before = [max(int(np.floor((t - v) / 2)), 0) for t, v in zip(target, exact, strict=True)]
    return pad_to_bounding_box(resized(x, whole), before[0], before[1], target_height, target_width)
