"""Images whose pixels come from other places: affine, perspective, elastic, any coordinates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import tfc as tf

from ..core import dense_tensor, shape
from ..random import seed_of
from .filters import bell, filtered
from .layout import as_batch

ORDERS = {"nearest": 0, "bilinear": 1}
MODES = ("constant", "nearest", "wrap", "mirror", "reflect")


def _check(interpolation: str, fill_mode: str = "constant") -> int:
    if interpolation not in ORDERS:
        raise ValueError(
            "Invalid value for argument `interpolation`. Expected of one "
            f"{set(ORDERS)}. Received: interpolation={interpolation}"
        )
    if fill_mode not in MODES:
        raise ValueError(
            "Invalid value for argument `fill_mode`. Expected of one "
            f"{set(MODES)}. Received: fill_mode={fill_mode}"
        )
    return ORDERS[interpolation]


def _inside(index: tf.Tensor, size: Any, mode: str) -> tf.Tensor:
    """A place in range that stands for one out of range, as SciPy's `map_coordinates` has it."""
    if mode == "wrap":
        return tf.math.floormod(index, size)
    if mode == "mirror":  # dcb|abcd|cba
        last = tf.maximum(size - 1, 1)
        return tf.where(
            tf.equal(size, 1), 0, tf.abs(tf.math.floormod(index + last, 2 * last) - last)
        )
    if mode == "reflect":  # cba|abcd|dcb
        folded = tf.math.floormod(index, 2 * size)
        return tf.minimum(folded, 2 * size - 1 - folded)
    return tf.clip_by_value(index, 0, size - 1)


def _nodes(
    coordinate: tf.Tensor, size: Any, order: int, mode: str
) -> Iterator[tuple[tf.Tensor, tf.Tensor, tf.Tensor]]:
    """The places around a coordinate, how much each counts, and whether it is in the image."""
    if order == 0:
        away = tf.sign(coordinate) * tf.floor(tf.abs(coordinate) + 0.5)
        corners = [(away, tf.ones_like(coordinate))]
    else:
        low = tf.floor(coordinate)
        corners = [(low, 1.0 - (coordinate - low)), (low + 1.0, coordinate - low)]
    for corner, weight in corners:
        index = tf.cast(corner, tf.int32)
        valid = (index >= 0) & (index < size)
        yield _inside(index, size, mode), weight, valid


def _sampled(
    flat: tf.Tensor,
    sizes: Sequence[Any],
    coordinates: Sequence[tf.Tensor],
    order: int,
    mode: str,
    fill: Any,
    base: Any = 0,
) -> tf.Tensor:
    """The elements of `flat`, an array of these sizes laid out as one axis, around coordinates;
    `base` is where the array begins. Further axes of `flat` are taken along."""
    dtype = coordinates[0].dtype
    axes = [list(_nodes(c, n, order, mode)) for c, n in zip(coordinates, sizes, strict=True)]
    more = flat.ndim - 1
    total: Any = None
    for corner in itertools.product(*axes):
        place: Any = 0
        weight: Any = None
        valid: Any = None
        for n, (index, w, v) in zip(sizes, corner, strict=True):
            place = place * n + index
            weight = w if weight is None else weight * w
            valid = v if valid is None else valid & v
        values = tf.cast(tf.gather(flat, place + base), dtype)
        for _ in range(more):
            weight, valid = weight[..., None], valid[..., None]
        if mode == "constant":
            values = tf.where(valid, values, tf.cast(fill, dtype))
        part = weight * values
        total = part if total is None else total + part
    return total


def _as(x: tf.Tensor, dtype: Any) -> tf.Tensor:
    return tf.cast(tf.round(x) if dtype.is_integer else x, dtype)


def map_coordinates(
    inputs: Any, coordinates: Any, order: int, fill_mode: str = "constant", fill_value: Any = 0.0
) -> tf.Tensor:
    """The elements of an array at coordinates, one vector of them for each of its axes."""
    x, where = dense_tensor(inputs), dense_tensor(coordinates)
    if where.shape[0] != x.ndim:
        raise ValueError(
            "First dim of `coordinates` must be the same as the rank of `inputs`. "
            f"Received inputs with shape: {x.shape} and coordinate leading dim of {where.shape[0]}"
        )
    if where.ndim < 2:
        raise ValueError(
            "Invalid coordinates rank: expected at least rank 2. "
            f"Received input with shape: {where.shape}"
        )
    _check("nearest", fill_mode)
    if order not in (0, 1):
        raise ValueError(
            f"Invalid value for argument `order`. Expected one of [0, 1]. Received: order={order}"
        )
    if not where.dtype.is_floating:
        where = tf.cast(where, tf.float32)
    found = _sampled(tf.reshape(x, [-1]), shape(x), tf.unstack(where), order, fill_mode, fill_value)
    return _as(found, x.dtype)


def _moved(
    batch: tf.Tensor, y: tf.Tensor, x: tf.Tensor, order: int, mode: str, fill: Any
) -> tf.Tensor:
    """Each image of [n, height, width, channels] at the coordinates [n, ..., ...]."""
    n, height, width, channels = shape(batch)
    flat = tf.reshape(batch, [n * height * width, channels])
    base = tf.reshape(tf.range(n) * (height * width), [-1, 1, 1])
    return _as(_sampled(flat, [height, width], [y, x], order, mode, fill, base), batch.dtype)


def _grid(batch: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The coordinates of the pixels: [1, height, 1] and [1, 1, width]."""
    _, height, width, _ = shape(batch)
    rows, columns = (tf.cast(tf.range(n), tf.float32) for n in (height, width))
    return rows[None, :, None], columns[None, None, :]


def _projected(batch: tf.Tensor, transform: tf.Tensor, order: int, mode: str, fill: Any) -> Any:
    """Pixel (x, y) comes from ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k), where k is
    c0 x + c1 y + 1, for transforms [n, 8]."""
    y, x = _grid(batch)
    a0, a1, a2, b0, b1, b2, c0, c1 = (
        v[:, None, None] for v in tf.unstack(tf.cast(transform, tf.float32), axis=-1)
    )
    k = c0 * x + c1 * y + 1.0
    return _moved(batch, (b0 * x + b1 * y + b2) / k, (a0 * x + a1 * y + a2) / k, order, mode, fill)


def affine_transform(
    images: Any,
    transform: Any,
    interpolation: str = "bilinear",
    fill_mode: str = "constant",
    fill_value: Any = 0,
    data_format: str | None = None,
) -> tf.Tensor:
    order = _check(interpolation, fill_mode)
    batch, back = as_batch(images, data_format)
    transform = dense_tensor(transform)
    if transform.ndim not in (1, 2):
        raise ValueError(
            "Invalid transform rank: expected rank 1 (single transform) or rank 2 (batch of "
            f"transforms). Received input with shape: transform.shape={transform.shape}"
        )
    transform = tf.reshape(transform, [-1, 8])
    return back(_projected(batch, transform, order, fill_mode, fill_value))


def perspective_transform(
    images: Any,
    start_points: Any,
    end_points: Any,
    interpolation: str = "bilinear",
    fill_value: Any = 0,
    data_format: str | None = None,
) -> tf.Tensor:
    order = _check(interpolation)
    batch, back = as_batch(images, data_format)
    start, end = dense_tensor(start_points), dense_tensor(end_points)
    for name, points in (("start_points", start), ("end_points", end)):
        if points.ndim not in (2, 3) or tuple(points.shape[-2:]) != (4, 2):
            raise ValueError(
                f"Invalid {name} shape: expected (4,2) for a single image"
                f" or (N,4,2) for a batch. Received shape: {points.shape}"
            )
    if not start.shape.is_compatible_with(end.shape):
        raise ValueError(
            "start_points and end_points must have the same shape. "
            f"Received start_points.shape={start.shape}, end_points.shape={end.shape}"
        )
    transform = compute_homography_matrix(
        *(tf.reshape(tf.cast(p, tf.float32), [-1, 4, 2]) for p in (start, end))
    )
    return back(_projected(batch, transform, order, "constant", fill_value))


def compute_homography_matrix(start_points: Any, end_points: Any) -> tf.Tensor:
    """The eight numbers of the projection that takes four end points to four start points."""
    start, end = dense_tensor(start_points), dense_tensor(end_points)
    x, y = (tf.cast(start[..., i], tf.float32) for i in (0, 1))
    u, v = (tf.cast(end[..., i], tf.float32) for i in (0, 1))
    zero, one = tf.zeros_like(u), tf.ones_like(u)
    rows = tf.concat(
        [
            tf.stack([u, v, one, zero, zero, zero, -x * u, -x * v], -1),
            tf.stack([zero, zero, zero, u, v, one, -y * u, -y * v], -1),
        ],
        axis=-2,
    )
    return tf.linalg.solve(rows, tf.concat([x, y], -1)[..., None])[..., 0]


def elastic_transform(
    images: Any,
    alpha: Any = 20.0,
    sigma: Any = 5.0,
    interpolation: str = "bilinear",
    fill_mode: str = "reflect",
    fill_value: Any = 0.0,
    seed: Any = None,
    data_format: str | None = None,
) -> tf.Tensor:
    """Pixels moved by smooth noise: normal numbers of deviation `sigma`, blurred by `sigma`, times
    `alpha`."""
    order = _check(interpolation, fill_mode)
    batch, back = as_batch(images, data_format)
    n, height, width, _ = shape(batch)
    alpha, sigma = dense_tensor(alpha, "float32"), dense_tensor(sigma, "float32")
    side = tf.bitwise.bitwise_or(tf.cast(6 * sigma, tf.int32), 1)
    noise = tf.random.stateless_normal([n, height, width], seed_of(seed)) * sigma
    weights = bell(side, sigma)
    moved = noise[..., None]
    for kernel in (weights[:, None], weights[None, :]):
        moved = filtered(moved, kernel[:, :, None])
    y, x = _grid(batch)
    distance = alpha * moved[..., 0]
    return back(_moved(batch, y + distance, x + distance, order, fill_mode, fill_value))
