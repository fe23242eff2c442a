"""`tf.raw_ops` that turn, shear and project images."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32, int64
from tfc.ir.extent import Extent

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import ShapeLike, TensorLike
from ...dispatch.primitive import broadcast_to, primitive, same_extents
from ..arguments import choice
from ..array.conversion import cast
from ..array.creation import fill
from ..extents import _shape, extents_of

DTYPES = ("uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def _floor(x: Term) -> Term:
    return Term(x.b, x.b.emit(ir.Floor(x.value)))


def _rounded(x: Term) -> Term:
    """Halves away from 0."""
    size = x.abs()
    whole = _floor(size)
    whole = (size - whole >= 0.5).select(whole + 1.0, whole)
    return (x < 0).select(-whole, whole)


def _inside(x: Term, size: Term, mode: str) -> Term:
    """The place in an image of `size` pixels that stands for a place outside of it."""
    if mode == "CONSTANT":
        return x
    last = size - 1.0
    if mode == "REFLECT":  # dcba|abcd|dcba
        period = size * 2.0
        near = x + period * _floor(-x / period)
        left = (near < -size).select(near + period, -near - 1.0)
        far = x - period * _floor(x / period)
        right = (far >= size).select(period - far - 1.0, far)
    elif mode == "WRAP":  # abcd|abcd|abcd
        steps = last.maximum(1.0)
        left = x + size * (_floor(-x / steps) + 1.0)
        right = x - size * _floor(x / steps)
    else:
        left = right = x
    moved = (x < 0).select(left, (x > last).select(right, x))
    return moved.maximum(0.0).minimum(last)


@primitive
def _project(
    b: Builder, images: Value, transforms: Value, filling: Value, size: Any, way: str, mode: str
) -> Value:
    n, h, w, c = images.shape
    if transforms.shape[0] != 1:
        fitted = same_extents(b, (images, transforms), (0,))
        if fitted is None:
            raise OpError("Input transform should be num_images x 8 or 1 x 8", "value")
        images, transforms = fitted
        n = images.shape[0]
    grid: tuple[Extent, ...] = (n, *size)
    shape = (*grid, c)
    flat = b.emit(ir.Reshape(images, (n * h * w, c)))

    def parameter(k: int) -> Term:
        m = transforms.shape[0]
        column = b.emit(ir.Slice(transforms, (0, k), (m, 1), (1, 1)))
        if m == 1:
            return Term(b, broadcast_to(b, b.emit(ir.Reshape(column, ())), grid))
        return Term(b, b.emit(ir.Broadcast(b.emit(ir.Reshape(column, (m,))), grid, (0,))))

    def whole(extent: Extent, dtype: Any) -> Term:
        return Term(b, broadcast_to(b, b.emit(ir.Cast(b.emit(ir.ExtentOf(extent)), dtype)), grid))

    def over_channels(x: Term) -> Term:
        return Term(b, b.emit(ir.Broadcast(x.value, shape, (0, 1, 2))))

    a0, a1, a2, b0, b1, b2, c0, c1 = map(parameter, range(8))
    y, x = (Term(b, b.emit(ir.Iota(grid, axis, float32))) for axis in (1, 2))
    k = c0 * x + c1 * y + 1.0
    height, width = whole(h, float32), whole(w, float32)
    x, y = (a0 * x + a1 * y + a2) / k, (b0 * x + b1 * y + b2) / k
    x, y = _inside(x, width, mode), _inside(y, height, mode)
    outside = Term(b, broadcast_to(b, filling, shape))
    image = Term(b, b.emit(ir.Iota(grid, 0, int64)))

    def pixel(y: Term, x: Term) -> Term:
        valid = (y >= 0) & (x >= 0) & (y < height) & (x < width)
        row, column = (Term(b, b.emit(ir.Cast(where(valid, v, 0).value, int64))) for v in (y, x))
        place = (image * whole(h, int64) + row) * whole(w, int64) + column
        found = Term(b, b.emit(ir.Gather(flat, place.value, 0)))
        return over_channels(valid).select(found, outside)

    def number(y: Term, x: Term) -> Term:
        return Term(b, b.emit(ir.Cast(pixel(y, x).value, float32)))

    if way == "NEAREST":
        found = pixel(_rounded(y), _rounded(x))
    else:
        top, left = _floor(y), _floor(x)
        below, right = top + 1.0, left + 1.0
        east, south = over_channels(x - left), over_channels(y - top)
        west, north = over_channels(right - x), over_channels(below - y)
        above = west * number(top, left) + east * number(top, right)
        under = west * number(below, left) + east * number(below, right)
        found = Term(b, b.emit(ir.Cast((north * above + south * under).value, images.dtype)))
    return over_channels(k.equal(0.0)).select(outside, found).value


def image_projective_transform(
    *,
    images: TensorLike,
    transforms: TensorLike,
    output_shape: ShapeLike,
    interpolation: str,
    fill_mode: str = "CONSTANT",
    fill_value: TensorLike = 0.0,
    name: str | None = None,
) -> Tensor:
    """Images [n, height, width, channels], whose pixel (x, y) comes from the place
    ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where k is c0 x + c1 y + 1, for transforms
    (a0, a1, a2, b0, b1, b2, c0, c1), one or one for each image. The gradient is that of the pixels
    that were read; TensorFlow's is the gradient turned back, which is near it."""
    op = "ImageProjectiveTransformV3"
    x, t = operand(op, images), operand(op, transforms)
    if len(x.shape) != 4:
        raise blame.invalid(f"Input images must have rank 4, got shape {x.shape}", op)
    if x.dtype.name not in DTYPES or not t.dtype.is_floating:
        raise blame.invalid_dtype(
            f"not defined for images of {x.dtype.name} and transforms of {t.dtype.name}", op
        )
    many = extents_of(x)[0], extents_of(t)[0] if t.shape.rank else None
    wrong = isinstance(many[0], int) and isinstance(many[1], int) and many[1] not in (1, many[0])
    if len(t.shape) != 2 or t.shape[1] != 8 or wrong:
        raise blame.invalid(
            f"Input transform should be num_images x 8 or 1 x 8, got shape {t.shape}", op
        )
    size = _shape(output_shape, op)
    if len(size) != 2:
        raise blame.invalid(f"output shape must have two elements, got {tuple(size)}", op)
    if 0 in size:
        raise blame.invalid(f"output dimensions must be positive, got {tuple(size)}", op)
    choice(interpolation, ("NEAREST", "BILINEAR"), "interpolation", op)
    choice(fill_mode, ("REFLECT", "WRAP", "CONSTANT", "NEAREST"), "fill_mode", op)
    filling = cast(operand(op, fill_value), x.dtype)
    n, height, width, channels = extents_of(x)
    if height == 0 or width == 0:
        return fill([n, *size, channels], filling)
    found: Tensor = _project(x, cast(t, float32), filling, static=(size, interpolation, fill_mode))
    return found
