"""tf.image: resizing, boxes, random changes, integers, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import images

rng = np.random.default_rng(7)
IMAGES = rng.random((2, 7, 6, 3)).astype(np.float32)


def cubic(d: float, b: float, c: float) -> float:
    """Mitchell and Netravali's family of cubic filters, which has Keys' in it."""
    if d < 1:
        return ((12 - 9 * b - 6 * c) * d**3 + (-18 + 12 * b + 6 * c) * d**2 + 6 - 2 * b) / 6
    if d < 2:
        far = (-b - 6 * c) * d**3 + (6 * b + 30 * c) * d**2 + (-12 * b - 48 * c) * d
        return (far + 8 * b + 24 * c) / 6
    return 0.0


def lanczos(d: float, radius: int) -> float:
    return float(np.sinc(d) * np.sinc(d / radius)) if d < radius else 0.0


KERNELS: dict[str, tuple[float, Callable[[float], float]]] = {
    "bilinear": (1, lambda d: max(1 - d, 0)),
    "bicubic": (2, lambda d: cubic(d, 0, 0.5)),  # without antialias of a table
    "mitchellcubic": (2, lambda d: cubic(d, 1 / 3, 1 / 3)),
    "gaussian": (1.5, lambda d: math.exp(-2 * d * d) if d < 1.5 else 0.0),
    "lanczos3": (3, lambda d: lanczos(d, 3)),
    "lanczos5": (5, lambda d: lanczos(d, 5)),
}


def resized(x: np.ndarray, axis: int, size: int, method: str, antialias: bool) -> np.ndarray:
    """One axis, one pixel of the result after another, each from the pixels within reach."""
    x = np.moveaxis(x.astype(np.float64), axis, 0)
    n = len(x)
    rows = []
    for i in range(size):
        if method == "area":
            low, high = i * n / size, (i + 1) * n / size
            shares = [max(min(j + 1, high) - max(j, low), 0) for j in range(n)]
        else:
            radius, kernel = KERNELS[method]
            wide = max(n / size, 1) if antialias else 1
            centre = (i + 0.5) * n / size
            near = [j for j in range(n) if abs(j + 0.5 - centre) <= radius * wide]
            shares = [kernel(abs(j + 0.5 - centre) / wide) if j in near else 0 for j in range(n)]
        rows.append(np.tensordot(np.array(shares) / sum(shares), x, 1))
    return np.moveaxis(np.array(rows), 0, axis)


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("method", [*KERNELS, "area"])
def test_resize(method: str, antialias: bool) -> None:
    """Smaller and larger, against sums over the pixels in reach; eager, compiled, symbolic."""
    for size in ((4, 9), (13, 2)):

        def call(x: Any, size: Any = size) -> Any:
            return tf.image.resize(x, size, method, antialias=antialias)

        got = call(IMAGES)
        wanted = resized(IMAGES, 1, size[0], method, antialias)
        wanted = resized(wanted, 2, size[1], method, antialias)
        assert got.dtype == tf.float32
        table = 1e-3 if method == "bicubic" and not antialias else 3e-6
        np.testing.assert_allclose(got, wanted, atol=table)
    unknown = tf.function(call, input_signature=[tf.TensorSpec([None] * 4)])
    assert unknown(IMAGES).numpy().tobytes() == got.numpy().tobytes()
    one = tf.image.resize(IMAGES[0], (13, 2), method, antialias=antialias)
    np.testing.assert_array_equal(one, got[0])


def test_resize_nearest() -> None:
    for dtype in (np.uint8, np.float64, np.int32):
        x = (IMAGES * 200).astype(dtype)
        for size in ((4, 9), (13, 2), (14, 12)):
            rows, columns = (
                np.floor((np.arange(m) + 0.5) * n / m).astype(int)
                for m, n in zip(size, (7, 6), strict=True)
            )
            got = tf.image.resize(x, size, tf.image.ResizeMethod.NEAREST_NEIGHBOR)
            assert got.dtype == dtype
            np.testing.assert_array_equal(got, x[:, rows][:, :, columns])


def test_resize_bilinear_reads_neighbours_alone() -> None:
    x = np.arange(30, dtype=np.float32).reshape(1, 5, 6, 1)
    x[0, 2, 3] = np.inf
    known = tf.image.resize(x, (10, 9)).numpy()[0, :, :, 0]
    rows = np.abs((np.arange(10) + 0.5) / 2 - 2.5) < 1
    columns = np.abs((np.arange(9) + 0.5) * 6 / 9 - 3.5) < 1
    np.testing.assert_array_equal(np.isfinite(known), ~np.outer(rows, columns))
    f = tf.function(lambda v: tf.image.resize(v, (10, 9)))
    assert f(x).numpy()[0, :, :, 0].tobytes() == known.tobytes()


def test_resize_gradient() -> None:
    """It is linear: <y, resize(x)> has one gradient everywhere, and its own gradient is 0."""
    weights = rng.normal(size=(1, 4, 5, 1)).astype(np.float32)
    x = tf.constant(IMAGES[:1, :, :, :1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.image.resize(x, (4, 5), "bicubic", antialias=True) * weights)
    slope = tape.gradient(y, x)
    v = rng.normal(size=x.shape).astype(np.float32)
    wanted = np.sum(resized(resized(v, 1, 4, "bicubic", True), 2, 5, "bicubic", True) * weights)
    assert float(tf.reduce_sum(slope * v)) == pytest.approx(wanted, rel=1e-4)


def test_resize_options() -> None:
    assert tf.image.resize(IMAGES, [20, 12], preserve_aspect_ratio=True).shape == (2, 14, 12, 3)
    same = tf.constant([[[3]]], tf.uint8)
    for method in tf.image.resize.__globals__["METHODS"]:  # of its own size, too
        kept = tf.image.resize(same, [1, 1], method)
        assert kept.dtype == (tf.uint8 if method == "nearest" else tf.float32)
    line = tf.reshape([0.0, 0.0, 1.0, 0.0, 0.0], [1, 5, 1])
    blurred = np.ravel(tf.image.resize(line, [1, 5], "gaussian"))
    bell = np.exp(-2.0 * np.arange(-1, 2) ** 2)
    np.testing.assert_allclose(blurred[1:4], bell / bell.sum(), rtol=1e-6)
    assert tf.image.resize(tf.zeros([1, 2, 2, 1], tf.uint8), [3, 3]).dtype == tf.float32
    padded = tf.image.resize_with_pad(tf.ones([4, 8, 1]), 6, 6).numpy()[..., 0]
    assert padded.shape == (6, 6)
    np.testing.assert_array_equal(padded[:, 0], [0, 1, 1, 1, 0, 0])
    for arguments, message in (
        ((np.zeros((2, 2)), [1, 1]), "either 3 or 4 dimensions"),
        ((IMAGES, [1, 2, 3]), "2 elements"),
        ((IMAGES, [1, 2], "cubic"), "not implemented"),
    ):
        with pytest.raises(ValueError, match=message):
            tf.image.resize(*arguments)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
        tf.image.resize(IMAGES, [0, 2])


def sampled(image: np.ndarray, y: float, x: float, outside: float) -> np.ndarray:
    """By interpolation between the four pixels around."""
    h, w, c = image.shape
    if not (0 <= y <= h - 1 and 0 <= x <= w - 1):
        return np.full(c, outside)
    top, left = int(y), int(x)
    down, right = min(top + 1, h - 1), min(left + 1, w - 1)
    upper = image[top, left] * (1 - x + left) + image[top, right] * (x - left)
    lower = image[down, left] * (1 - x + left) + image[down, right] * (x - left)
    return upper * (1 - y + top) + lower * (y - top)


def test_crop_and_resize() -> None:
    boxes = np.array([[0, 0, 1, 1], [0.1, 0.7, 0.8, 0.2], [-0.3, 0.2, 1.1, 1.4]], np.float32)
    which = np.array([1, 0, 1], np.int32)
    for rows, columns in ((3, 5), (1, 4)):
        got = tf.image.crop_and_resize(IMAGES, boxes, which, [rows, columns], "bilinear", -5.0)
        wanted = np.empty((3, rows, columns, 3))
        for k, (y1, x1, y2, x2) in enumerate(boxes.astype(np.float64)):
            ys = np.linspace(y1, y2, rows) if rows > 1 else [(y1 + y2) / 2]
            for i, y in enumerate(ys):
                for j, x in enumerate(np.linspace(x1, x2, columns)):
                    wanted[k, i, j] = sampled(IMAGES[which[k]], y * 6, x * 5, -5.0)
        np.testing.assert_allclose(got, wanted, atol=1e-5)
    whole = np.array([[0, 0, 1, 1]], np.float32)
    exact = tf.image.crop_and_resize(IMAGES, whole, [1], [7, 6], "nearest")
    np.testing.assert_array_equal(exact[0], IMAGES[1])
    function = tf.function(lambda x, b: tf.image.crop_and_resize(x, b, which, [2, 2]))
    eager = tf.image.crop_and_resize(IMAGES, boxes, which, [2, 2])
    assert function(IMAGES, boxes).numpy().tobytes() == eager.numpy().tobytes()
    with pytest.raises(tf.errors.InvalidArgumentError, match="index 2"):
        tf.image.crop_and_resize(IMAGES, whole, [2], [2, 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible shape"):
        tf.image.crop_and_resize(IMAGES, boxes, [0, 1], [2, 2])


def test_crop_and_resize_gradient() -> None:
    """By the image and by the boxes, against differences."""
    image, boxes = tf.constant(IMAGES), tf.constant([[0.1, 0.27, 0.7, 0.89]])

    def total(x: Any, b: Any) -> Any:
        return tf.reduce_sum(tf.image.crop_and_resize(x, b, [0], [2, 3]) ** 2)

    with tf.GradientTape() as tape:
        tape.watch([image, boxes])
        y = total(image, boxes)
    for i, slope in enumerate(tape.gradient(y, [image, boxes])):
        given = [image, boxes]
        v = tf.constant(rng.normal(size=given[i].shape).astype(np.float32))
        ends = []
        for step in (1e-3, -1e-3):
            moved = [x + v * step if k == i else x for k, x in enumerate(given)]
            ends.append(float(total(*moved)))
        wanted = (ends[0] - ends[1]) / 2e-3
        assert float(tf.reduce_sum(slope * v)) == pytest.approx(wanted, rel=0.03, abs=0.02)


def suppressed(boxes: np.ndarray, scores: np.ndarray, most: int, limit: float, least: float) -> Any:
    kept: list[int] = []
    for i in np.argsort(-scores, kind="stable"):
        y1, x1, y2, x2 = boxes[i]
        for j in kept:
            a1, b1, a2, b2 = boxes[j]
            common = max(min(y2, a2) - max(y1, a1), 0) * max(min(x2, b2) - max(x1, b1), 0)
            both = (y2 - y1) * (x2 - x1) + (a2 - a1) * (b2 - b1) - common
            if common / both > limit:
                break
        else:
            if scores[i] > least and len(kept) < most:
                kept.append(int(i))
    return kept


@pytest.mark.parametrize("count", [1, 60])
def test_non_max_suppression(count: int) -> None:
    corners = rng.random((count, 2)) * 3
    boxes = np.concatenate([corners, corners + 0.5 + rng.random((count, 2))], 1).astype(np.float32)
    scores = rng.random(count).astype(np.float32)
    for most, limit, least in ((5, 0.5, 0.0), (100, 0.2, 0.3), (0, 0.5, 0.0)):

        def call(b: Any, s: Any, most: int = most, how: Any = (limit, least)) -> Any:
            return tf.image.non_max_suppression(b, s, most, *how)

        got = call(boxes, scores).numpy()
        assert got.dtype == np.int32
        assert got.tolist() == suppressed(boxes, scores, most, limit, least)
        assert tf.function(call)(boxes, scores).numpy().tolist() == got.tolist()
    assert tf.image.non_max_suppression(np.zeros((0, 4)), np.zeros(0), 3).shape == (0,)


def test_integer_images() -> None:
    """They stand for [0, 1], and are clamped to it."""
    x = np.array([[[0, 100, 250], [128, 3, 77]]], np.uint8)
    brighter = tf.image.adjust_brightness(x, 0.5)
    assert brighter.dtype == tf.uint8
    np.testing.assert_array_equal(brighter, np.minimum((x / 255 + 0.5) * 255.5, 255).astype(int))
    for f in (
        lambda x: tf.image.adjust_hue(x, 0.0),
        lambda x: tf.image.adjust_saturation(x, 1.0),
        lambda x: tf.image.adjust_contrast(x, 1.0),
        lambda x: tf.image.adjust_gamma(x, 1.0),
    ):
        assert np.max(np.abs(f(x).numpy().astype(int) - x)) <= 1
    gray = tf.image.rgb_to_grayscale(x)
    assert gray.shape == (1, 2, 1) and abs(int(gray[0, 0, 0]) - 87) <= 1
    assert tf.image.convert_image_dtype([2.0, -1.0], tf.uint8, saturate=True).numpy().tolist() == [
        255,
        0,
    ]
    assert float(tf.image.psnr(x, x + np.uint8(1), 255)) == pytest.approx(48.13, abs=0.01)


def test_ssim() -> None:
    x = rng.random((2, 70, 64, 1)).astype(np.float32)
    noisy = x + 0.1 * rng.normal(size=x.shape).astype(np.float32)
    for f in (tf.image.ssim, lambda *a: tf.image.ssim_multiscale(*a, filter_size=4)):
        np.testing.assert_allclose(f(x, x, 1.0), 1.0, atol=1e-5)
        assert np.all((f(x, noisy, 1.0).numpy() > 0.3) & (f(x, noisy, 1.0).numpy() < 0.999))
    one = [tf.image.ssim(x, noisy, 1.0).numpy(), None]
    one[1] = tf.image.ssim_multiscale(x, noisy, 1.0, power_factors=[1.0]).numpy()
    np.testing.assert_allclose(*one, rtol=1e-5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="window"):
        tf.image.ssim(x[:, :5], x[:, :5], 1.0)


# Random changes.


def test_random_flips() -> None:
    x = tf.constant(rng.random((64, 2, 3, 1)).astype(np.float32))
    for f, g, axis in (
        (tf.image.random_flip_left_right, tf.image.stateless_random_flip_left_right, 2),
        (tf.image.random_flip_up_down, tf.image.stateless_random_flip_up_down, 1),
    ):
        for y in (f(x, seed=3), g(x, seed=[1, 2]), tf.function(lambda x, g=g: g(x, [1, 2]))(x)):
            same = [np.array_equal(a, b) for a, b in zip(x.numpy(), y.numpy(), strict=True)]
            turned = np.flip(x.numpy(), axis)
            other = [np.array_equal(a, b) for a, b in zip(turned, y.numpy(), strict=True)]
            assert all(a != b for a, b in zip(same, other, strict=True))
            assert 12 < sum(same) < 52
        np.testing.assert_array_equal(g(x, [1, 2]), g(x, [1, 2]))
        single = {g(x[0], [k, 0]).numpy().tobytes() for k in range(20)}
        assert single == {x[0].numpy().tobytes(), np.flip(x[0].numpy(), axis - 1).tobytes()}


def test_random_crop() -> None:
    x = np.arange(6 * 5 * 2).reshape(6, 5, 2)
    places = set()
    for k in range(60):
        y = tf.image.stateless_random_crop(x, [4, 3, 2], [k, 1]).numpy()
        row, column = y[0, 0, 0] // 10, y[0, 0, 0] % 10 // 2
        np.testing.assert_array_equal(y, x[row : row + 4, column : column + 3])
        places.add((row, column))
    assert len(places) == 9
    function = tf.function(lambda x: tf.image.stateless_random_crop(x, [4, 3, 2], [7, 1]))
    np.testing.assert_array_equal(function(x), tf.image.stateless_random_crop(x, [4, 3, 2], [7, 1]))
    assert tf.image.random_crop(x, [6, 5, 2]).shape == (6, 5, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need value"):
        tf.image.random_crop(x, [7, 3, 2])


def test_random_changes_are_tensorflows() -> None:
    """The numbers of the examples in TensorFlow's documentation, for the same seeds."""
    im, x = tf.image, np.arange(1.0, 13.0, dtype=np.float32).reshape(2, 2, 3)
    assert np.array_equal(im.stateless_random_crop(x, [1, 2, 3], (1, 2)), x[:1])
    flipped = im.stateless_random_flip_left_right([[[1], [2]], [[3], [4]]], (2, 3))
    assert flipped.numpy().tolist() == [[[2], [1]], [[4], [3]]]
    for y, first in (
        (im.stateless_random_brightness(x, 0.2, (1, 2)), [1.1376241, 2.1376243, 3.1376243]),
        (im.stateless_random_contrast(x, 0.2, 0.5, (1, 2)), [3.4605184, 4.4605184, 5.4605184]),
        (im.stateless_random_hue(x, 0.2, (1, 2)), [1.6514902, 1.0, 3.0]),
        (im.stateless_random_saturation(x, 0.5, 1.0, (1, 2)), [1.1559395, 2.0779698, 3.0]),
    ):
        np.testing.assert_allclose(y[0, 0], first, rtol=1e-6)


def test_batches_are_flipped_by_the_upper_half() -> None:
    """TensorFlow rounds the numbers of a batch, and so flips the other half than of one image."""
    x = np.arange(8).reshape(4, 1, 2, 1)
    upper = tf.random.stateless_uniform([4], [5, 6]).numpy() > 0.5
    wanted = np.where(upper[:, None, None, None], x[:, :, ::-1], x)
    assert 0 < upper.sum() < 4
    assert np.array_equal(tf.image.stateless_random_flip_left_right(x, [5, 6]), wanted)


def test_standardization_of_integers() -> None:
    """They are taken as they are, not as parts of 255, and become float32."""
    x = np.array([0, 1, 1, 2], np.uint8).reshape(2, 2, 1)
    y = tf.image.per_image_standardization(x)
    assert y.dtype is tf.float32
    np.testing.assert_allclose(y.numpy().ravel(), np.array([-1, 0, 0, 1]) * 2**0.5, rtol=1e-6)
    assert tf.image.per_image_standardization(x.astype(np.float16)).dtype is tf.float32


def test_random_colours() -> None:
    x = tf.constant(rng.random((3, 4, 3)).astype(np.float32))
    im = tf.image
    for f, g, one, arguments in (
        (im.random_brightness, im.stateless_random_brightness, im.adjust_brightness, (0.4,)),
        (im.random_contrast, im.stateless_random_contrast, im.adjust_contrast, (0.5, 2.0)),
        (im.random_hue, im.stateless_random_hue, im.adjust_hue, (0.3,)),
        (im.random_saturation, im.stateless_random_saturation, im.adjust_saturation, (0.5, 2.0)),
    ):
        low, high = arguments if len(arguments) == 2 else (-arguments[0], arguments[0])
        by = tf.random.stateless_uniform([], [4, 5], low, high)
        np.testing.assert_array_equal(g(x, *arguments, seed=[4, 5]), one(x, by))
        assert not np.array_equal(f(x, *arguments, seed=1), x)
    with pytest.raises(ValueError, match="upper must be > lower"):
        im.random_contrast(x, 1.0, 0.5)
    with pytest.raises(ValueError, match="max_delta"):
        im.random_hue(x, 0.7)


def test_sizes_that_are_whole_floats() -> None:
    x = tf.ones([1, 4, 4, 1])
    found = tf.image.extract_patches(x, [1, np.float64(2), 2.0, 1], [1] * 4, [1] * 4, "VALID")
    assert found.shape == (1, 3, 3, 4)
    with pytest.raises(TypeError, match=r"sizes must be an integer, got 2\.5"):
        tf.image.extract_patches(x, [1, 2.5, 2, 1], [1] * 4, [1] * 4, "VALID")


def test_errors() -> None:
    im, x = tf.image, IMAGES
    for call, message in (
        (lambda: im.flip_left_right(x[0, 0]), "at least three-dimensional"),
        (lambda: im.crop_to_bounding_box(x, 0, 0, 8, 2), "height must be >= target"),
        (lambda: im.crop_to_bounding_box(x, 0, -1, 2, 2), "offset_width must be >= 0"),
        (lambda: im.pad_to_bounding_box(x, 0, 2, 7, 7), "width must be <= target - offset"),
        (lambda: im.central_crop(x, 0.0), "central_fraction"),
        (lambda: im.grayscale_to_rgb(x), "grayscale image should be size 1"),
        (lambda: im.adjust_gamma(x, -1.0), "non-negative"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    f, box = x.astype(np.float32) / 255, [[0.0, 0.0, 1.0, 1.0]]
    scores, many = [0.9], [[0.0] * 4] * 2
    for call, message in (
        (lambda: im.extract_patches(x[0], [1, 2, 2, 1], [1] * 4, [1] * 4, "SAME"), r"\[7,6,3\]"),
        (lambda: im.rgb_to_hsv(f[..., :2]), "must have 3 channels but instead has 2 channels"),
        (lambda: im.adjust_contrast(f[0, 0], 0.5), r"must be at least 3-D, got shape\[6,3\]"),
        (lambda: im.crop_and_resize(f[0], box, [0], [2, 2]), r"must be 4-D\[7,6,3\]"),
        (lambda: im.crop_and_resize(f, box[0], [0], [2, 2]), r"boxes must be 2-D, got: \[4\]"),
        (lambda: im.crop_and_resize(f, [box[0][:3]], [0], [2, 2]), "boxes must have 4 columns"),
        (lambda: im.crop_and_resize(f, box, [0, 0], [2, 2]), "box_index has incompatible shape"),
        (lambda: im.crop_and_resize(f, box, [0], [2]), r"must have two elements\[1\]"),
        (lambda: im.crop_and_resize(f, box, [0], [0, 2]), "crop dimensions must be positive"),
        (lambda: im.crop_and_resize(f, box, [0], [2, 2], "area"), "attr 'method' of \"area\""),
        (lambda: im.non_max_suppression(box[0], scores, 3), r"boxes must be 2-D\[4\]"),
        (lambda: im.non_max_suppression(box, [scores], 3), r"scores must be 1-D\[1,1\]"),
        (lambda: im.non_max_suppression(many, scores, 3), "scores has incompatible shape"),
        (lambda: im.non_max_suppression(box, scores, -1), "output size must be non-negative"),
        (lambda: im.non_max_suppression(box, scores, [3]), r"0-D, got shape \[1\]"),
        (lambda: im.non_max_suppression_overlaps([scores * 2], scores, 2), r"square\[1,2\]"),
        (lambda: im.draw_bounding_boxes(f[0], [box], None), "rank of the images should be 4"),
        (lambda: im.draw_bounding_boxes(f[..., :2], [box], None), "Channel depth should be either"),
        (lambda: im.sample_distorted_bounding_box([9, 9], [box]), "must contain 3 elements"),
        (lambda: im.encode_png(x[0, ..., 0].astype(np.uint8)), "images must be at least rank 3"),
        (
            lambda: im.encode_png(x[0].astype(np.uint8), compression=10),
            r"in \[-1,9\], got 10",
        ),
        (lambda: im.decode_image(b"abc"), "Unknown image file format"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            call()
    for call, message in (
        (lambda: im.random_brightness(f, -0.1), "max_delta must be non-negative"),
        (lambda: im.random_hue(f, 0.7), "max_delta must be <= 0.5"),
        (lambda: im.resize_with_crop_or_pad(f, 0, 4), "target_height must be > 0"),
        (lambda: im.resize_with_pad(f, 4, 0), "target_width must be > 0"),
        (lambda: im.ssim(f, f[:, 1:], 1.0), "are incompatible"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="must be either floating point or integer"):
        im.convert_image_dtype(f, tf.bool)
    for gamma in ([1.0, 2.0], "one"):
        with pytest.raises(TypeError, match="gamma must be a number"):
            im.adjust_gamma(x, gamma)


@pytest.mark.parametrize("name", ["per_image_standardization", "psnr", "ssim"])
def test_gradients_of_what_is_computed_in_float32(name: str) -> None:
    """Against differences of the references in float64."""
    random = np.random.default_rng(0)
    x, y, weights = (random.uniform(0.1, 0.9, (2, 7, 8, 2)) for _ in range(3))

    def reference(x: np.ndarray) -> float:
        if name == "per_image_standardization":
            return float((images.standardized(x) * weights).sum())
        found = images.psnr(x, y, 1.0) if name == "psnr" else images.ssim(x, y, 5, 1.5, 1.0)
        return float(found.sum() if name == "psnr" else found.mean((1, 2, 3)).sum())

    v = tf.constant(x, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(v)
        if name == "per_image_standardization":
            total = tf.reduce_sum(
                tf.image.per_image_standardization(v) * tf.cast(weights, "float32")
            )
        elif name == "psnr":
            total = tf.reduce_sum(tf.image.psnr(v, tf.cast(y, "float32"), 1.0))
        else:
            total = tf.reduce_sum(tf.image.ssim(v, tf.cast(y, "float32"), 1.0, filter_size=5))
    found = tape.gradient(total, v).numpy()
    for place in [(0, 0, 0, 0), (1, 3, 4, 1), (0, 6, 7, 1), (1, 2, 2, 0)]:
        step = np.zeros_like(x)
        step[place] = 1e-5
        slope = (reference(x + step) - reference(x - step)) / 2e-5
        np.testing.assert_allclose(found[place], slope, rtol=2e-3, atol=1e-5)
