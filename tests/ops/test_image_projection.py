"""Images that are turned, sheared and projected, against loops over their pixels."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tfc as tf

RNG = np.random.default_rng(5)
PROJECT = tf.raw_ops.ImageProjectiveTransformV3
MOVED = [[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
SHEARED = [
    [0.8, 0.3, -1.5, -0.2, 1.1, 0.7, 0.0, 0.0],
    [1.2, -0.1, 0.5, 0.4, 0.9, -2.5, 0.02, -0.03],
]
FAR = [[-3.0, 0.0, 40.5, 0.0, 2.0, -13.5, 0.0, 0.0]]
SINGULAR = [[1.0, 0.0, 0.5, 0.0, 1.0, 0.5, -0.5, 0.0]]
F = np.float32


def inside(x: F, n: int, mode: str) -> F:
    if mode == "REFLECT" and not 0 <= x <= n - 1:
        x = x % F(2 * n) if x >= 0 else -x % F(2 * n) - 1
        x = max(x, F(0)) if x < n else 2 * n - x - 1
    elif mode == "WRAP" and not 0 <= x <= n - 1:
        steps = max(n - 1, 1)
        x = x + n * (np.floor(-x / F(steps)) + 1) if x < 0 else x - n * np.floor(x / F(steps))
    return x if mode == "CONSTANT" else np.clip(x, F(0), F(n - 1))


def projected(
    images: np.ndarray, transforms: Any, size: Any, way: str, mode: str, filling: float
) -> np.ndarray:
    n, h, w, c = images.shape
    result = np.full((n, *size, c), filling, images.dtype)
    for i, y, x in itertools.product(range(n), range(size[0]), range(size[1])):
        t = np.asarray(transforms[i % len(transforms)], F)
        k = t[6] * F(x) + t[7] * F(y) + F(1)
        if not k:
            continue
        at = [(t[j] * F(x) + t[j + 1] * F(y) + t[j + 2]) / k for j in (0, 3)]
        px, py = inside(at[0], w, mode), inside(at[1], h, mode)

        def pixel(row: float, column: float, i: int = i) -> np.ndarray:
            if 0 <= row < h and 0 <= column < w:
                return images[i, int(row), int(column)]
            return np.full(c, filling, images.dtype)

        if way == "NEAREST":
            rows, columns = (np.copysign(np.floor(abs(v) + 0.5), v) for v in (py, px))
            result[i, y, x] = pixel(rows, columns)
        else:
            top, left = np.floor(py), np.floor(px)
            lines = [
                (left + 1 - px) * pixel(r, left) + (px - left) * pixel(r, left + 1)
                for r in (top, top + 1)
            ]
            mixed = (top + 1 - py) * lines[0] + (py - top) * lines[1]
            result[i, y, x] = mixed if images.dtype.kind == "f" else np.trunc(mixed)
    return result


@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "WRAP", "NEAREST"])
@pytest.mark.parametrize("way", ["NEAREST", "BILINEAR"])
def test_pixels(way: str, mode: str) -> None:
    """Integers are cut off, so that what is computed in another order may differ by 1."""
    for dtype, transforms in itertools.product(
        (np.float32, np.uint8), (MOVED, SHEARED, FAR, SINGULAR)
    ):
        images = (RNG.random((2, 5, 4, 2)) * 100).astype(dtype)
        for size in ((5, 4), (3, 7)):
            options: dict[str, Any] = {"interpolation": way, "fill_mode": mode, "fill_value": 7.0}
            found = PROJECT(
                images=images, transforms=transforms, output_shape=size, **options
            ).numpy()
            wanted = projected(images, transforms, size, way, mode, 7.0)
            assert found.dtype == dtype
            np.testing.assert_allclose(
                found.astype(float), wanted.astype(float), 1e-4, 1e-3 if dtype is F else 1.0
            )


def test_in_functions() -> None:
    """Of sizes that only the call tells, with the same bits; version 2 fills with 0."""
    images = tf.constant(RNG.random((2, 5, 4, 3)).astype(F))

    def turned(images: Any, transforms: Any) -> Any:
        size = tf.shape(images)[1:3]
        return tf.raw_ops.ImageProjectiveTransformV2(
            images=images, transforms=transforms, output_shape=size, interpolation="BILINEAR"
        )

    specs = [tf.TensorSpec([None, None, None, None]), tf.TensorSpec([None, 8])]
    for transforms in (MOVED, SHEARED):
        given = tf.constant(transforms)
        wanted = turned(images, given)
        np.testing.assert_array_equal(tf.function(turned)(images, given), wanted)
        if len(transforms) == 2:
            f = tf.function(turned, input_signature=specs)
            np.testing.assert_array_equal(f(images, given), wanted)
    empty = PROJECT(
        images=images[:, :0],
        transforms=MOVED,
        output_shape=[1, 2],
        interpolation="NEAREST",
        fill_value=3.0,
    )
    assert empty.numpy().tolist() == [[[[3.0] * 3] * 2]] * 2


def test_gradient() -> None:
    """That of the sum: how often each pixel was read."""
    images = tf.constant(RNG.random((1, 3, 3, 1)).astype(F))
    with tf.GradientTape() as tape:
        tape.watch(images)
        found = PROJECT(
            images=images,
            transforms=[[0.5, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]],
            output_shape=[3, 4],
            fill_value=9.0,
            interpolation="NEAREST",
        )
        total = tf.reduce_sum(found)
    wanted = [[0, 0, 0], [1, 2, 1], [1, 2, 1]]
    np.testing.assert_array_equal(tape.gradient(total, images)[0, ..., 0], wanted)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"images": np.zeros((3, 3, 1), F)}, "must have rank 4"),
        ({"images": np.zeros((2, 3, 3, 1), np.int16)}, "not defined for images of int16"),
        ({"transforms": MOVED * 3}, "num_images x 8 or 1 x 8"),
        ({"transforms": MOVED[0]}, "num_images x 8 or 1 x 8"),
        ({"output_shape": [3]}, "two elements"),
        ({"output_shape": [3, 0]}, "must be positive"),
        ({"interpolation": "CUBIC"}, "interpolation must be"),
        ({"fill_mode": "MIRROR"}, "fill_mode must be"),
    ],
)
def test_errors(change: dict[str, Any], text: str) -> None:
    given = {
        "images": np.zeros((2, 3, 3, 1), F),
        "transforms": MOVED,
        "output_shape": [3, 3],
        "interpolation": "NEAREST",
        "fill_value": 0.0,
        **change,
    }
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match=text):
        PROJECT(**given)
