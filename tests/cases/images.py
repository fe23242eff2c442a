"""Cases of the public functions: tf.image."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
from scipy import ndimage

import tfc as tf

from .case import between, case, integers, normal

# Random: tests/ops/test_image.py; and what gives float32 whatever it is given, or is chosen.
ELSEWHERE = {name for name in dir(tf.image) if "random" in name}
ELSEWHERE |= {"ResizeMethod", "resize", "resize_with_pad", "crop_and_resize"}
ELSEWHERE |= {"non_max_suppression", "ssim_multiscale"}


def cases() -> None:
    _geometry()
    _colours()
    _measures()


def _geometry() -> None:
    im = tf.image
    one, many = normal(5, 4, 3), normal(2, 5, 4, 3)
    for x in (one, many):
        more: dict[str, Any] = {"smooth": ()}  # index maps: their gradients are the IR's
        case("flip_left_right", im.flip_left_right, lambda x: x[..., ::-1, :], x, **more)
        case("flip_up_down", im.flip_up_down, lambda x: x[..., ::-1, :, :], x, **more)
        case("transpose", im.transpose, lambda x: np.swapaxes(x, -2, -3), x, **more)
        case(
            "crop_to_bounding_box",
            lambda x: im.crop_to_bounding_box(x, 1, 2, 3, 2),
            lambda x: x[..., 1:4, 2:4, :],
            x,
            **more,
        )
        case(
            "pad_to_bounding_box",
            lambda x: im.pad_to_bounding_box(x, 1, 2, 8, 7),
            lambda x: np.pad(x, [(0, 0)] * (x.ndim - 3) + [(1, 2), (2, 1), (0, 0)]),
            x,
            **more,
        )
    for k in (-1, 0, 1, 2, 3):
        case(
            "rot90",
            lambda x, k=k: im.rot90(x, k),
            lambda x, k=k: np.rot90(x, k, (1, 2)),
            many,
            smooth=(),
        )
    case(
        "central_crop",
        lambda x: im.central_crop(x, 0.5),
        lambda x: x[:, 1:4, 1:3],
        many,
        smooth=(),
        symbolic=False,  # the size of the result depends on the height in steps
    )
    case(
        "resize_with_crop_or_pad",
        lambda x: im.resize_with_crop_or_pad(x, 2, 7),
        lambda x: np.pad(x[:, 1:3], [(0, 0), (0, 0), (1, 2), (0, 0)]),
        many,
        smooth=(),
        symbolic=False,
    )


def _rgb_to_hsv(x: np.ndarray) -> np.ndarray:
    rows = [colorsys.rgb_to_hsv(*p) for p in x.reshape(-1, 3)]
    return np.array(rows).reshape(x.shape)


def _hsv_to_rgb(x: np.ndarray) -> np.ndarray:
    rows = [colorsys.hsv_to_rgb(*p) for p in x.reshape(-1, 3)]
    return np.array(rows).reshape(x.shape)


def _hued(x: np.ndarray, delta: Any) -> np.ndarray:
    hsv = _rgb_to_hsv(x)
    hsv[..., 0] = (hsv[..., 0] + delta) % 1.0
    return _hsv_to_rgb(hsv)


def _saturated(x: np.ndarray, factor: Any) -> np.ndarray:
    hsv = _rgb_to_hsv(x)
    hsv[..., 1] = np.clip(hsv[..., 1] * factor, 0, 1)
    return _hsv_to_rgb(hsv)


def _colours() -> None:
    im = tf.image
    x, near = between(0.05, 0.95, 2, 3, 4, 3), {"rtol": 1e-13}
    case(
        "rgb_to_grayscale",
        im.rgb_to_grayscale,
        lambda x: x @ [[0.2989], [0.587], [0.114]],
        x,
        **near,
    )
    case("grayscale_to_rgb", im.grayscale_to_rgb, lambda x: np.repeat(x, 3, -1), x[..., :1])
    case("rgb_to_hsv", im.rgb_to_hsv, _rgb_to_hsv, x, **near)
    case("hsv_to_rgb", im.hsv_to_rgb, _hsv_to_rgb, x, **near)
    # The matrices of both ways undo each other, and brightness is the same in both spaces.
    for to, back in ((im.rgb_to_yiq, im.yiq_to_rgb), (im.rgb_to_yuv, im.yuv_to_rgb)):
        case(
            to.__name__,
            lambda x, f=to: f(x)[..., 0],
            lambda x: x @ [0.299, 0.587, 0.114],
            x,
            **near,
        )
        case(back.__name__, lambda x, f=to, g=back: g(f(x)), lambda x: x, x, rtol=1e-3, smooth=())
    case("adjust_brightness", im.adjust_brightness, lambda x, d: x + d, x, np.float64(0.3), **near)
    case(
        "adjust_contrast",
        im.adjust_contrast,
        lambda x, f: (x - x.mean((1, 2), keepdims=True)) * f + x.mean((1, 2), keepdims=True),
        x,
        np.float64(1.7),
        **near,
    )
    case(
        "adjust_gamma",
        lambda x: im.adjust_gamma(x, 1.7, 0.5),
        lambda x: 0.5 * x**1.7,
        x,
        **near,
    )
    case("adjust_hue", im.adjust_hue, _hued, x, np.float64(0.3), rtol=1e-12)
    case("adjust_saturation", im.adjust_saturation, _saturated, x, np.float64(0.6), rtol=1e-12)
    case(
        "adjust_saturation",
        lambda x: im.adjust_saturation(x, 5.0),
        lambda x: _saturated(x, 5.0),
        x,
        rtol=1e-12,
        smooth=(),
    )
    case(
        "per_image_standardization",
        im.per_image_standardization,
        lambda x: np.float32(standardized(x)),
        x,
        rtol=1e-4,
        smooth=(),
    )
    widths = {
        (np.uint8, np.uint16): lambda x: x.astype(np.uint16) * 256,
        (np.uint16, np.uint8): lambda x: (x // 256).astype(np.uint8),
        (np.uint8, np.float32): lambda x: x.astype(np.float32) * np.float32(1 / 255),
        (np.float64, np.uint8): lambda x: (x * 255.5).astype(np.uint8),
        (np.float32, np.float64): lambda x: x.astype(np.float64),
        (np.uint8, np.uint8): lambda x: x,
    }
    for (source, target), reference in widths.items():
        if source in (np.float32, np.float64):
            given = between(0, 1, 20).astype(source)
        else:
            given = integers(0, np.iinfo(source).max + 1, 20).astype(source)
        case(
            "convert_image_dtype",
            lambda x, t=target: im.convert_image_dtype(x, t),
            reference,
            given,
            smooth=(),
        )


def standardized(x: np.ndarray) -> np.ndarray:
    """Images with mean 0 and variance 1."""
    return (x - x.mean((1, 2, 3), keepdims=True)) / x.std((1, 2, 3), keepdims=True)


def psnr(x: np.ndarray, y: np.ndarray, top: float) -> np.ndarray:
    """The ratio of a signal's peak to noise, in decibels."""
    return 10 * np.log10(top * top / np.mean((x - y) ** 2, (1, 2, 3)))


def ssim(x: np.ndarray, y: np.ndarray, size: int, sigma: float, top: float) -> np.ndarray:
    """Structural similarity, for each pixel and channel. Wang and others, 2004."""
    places = np.arange(size) - (size - 1) / 2
    line = np.exp(-0.5 * places**2 / sigma**2)
    line = line / line.sum()

    def blur(v: np.ndarray) -> np.ndarray:
        for axis in (1, 2):
            v = ndimage.correlate1d(v, line, axis, mode="constant")
        edge = size // 2
        return v[:, edge:-edge, edge:-edge]

    c1, c2 = (0.01 * top) ** 2, (0.03 * top) ** 2
    mx, my = blur(x), blur(y)
    vx, vy, vxy = blur(x * x) - mx * mx, blur(y * y) - my * my, blur(x * y) - mx * my
    index = (2 * mx * my + c1) * (2 * vxy + c2)
    return index / ((mx * mx + my * my + c1) * (vx + vy + c2))


def _measures() -> None:
    im = tf.image
    x, y = between(0, 1, 2, 7, 8, 2), between(0, 1, 2, 7, 8, 2)

    def gradients(x: np.ndarray) -> list[np.ndarray]:
        last = [(0, 0), (0, 1), (0, 0), (0, 0)]
        turned = [last[0], last[2], last[1], last[3]]
        return [np.pad(np.diff(x, axis=1), last), np.pad(np.diff(x, axis=2), turned)]

    case("image_gradients", lambda x: list(im.image_gradients(x)), gradients, x)

    def sobel(x: np.ndarray) -> np.ndarray:
        parts = []
        for along, across in ((1, 2), (2, 1)):
            steps = ndimage.correlate1d(x, [-1, 0, 1], along, mode="mirror")
            parts.append(ndimage.correlate1d(steps, [1, 2, 1], across, mode="mirror"))
        return np.stack(parts, -1)

    case("sobel_edges", im.sobel_edges, sobel, x, rtol=1e-13)

    def variation(x: np.ndarray) -> np.ndarray:
        return sum(np.abs(np.diff(x, axis=a)).sum((1, 2, 3)) for a in (1, 2))

    case("total_variation", im.total_variation, variation, x, rtol=1e-13)
    case(
        "psnr",
        lambda x, y: im.psnr(x, y, 2.0),
        lambda x, y: np.float32(psnr(x, y, 2.0)),
        x,
        y,
        rtol=1e-6,
        smooth=(),
    )
    case(
        "ssim",
        lambda x, y: im.ssim(x, y, 1.0, filter_size=5),
        lambda x, y: np.float32(ssim(x, y, 5, 1.5, 1.0).mean((1, 2, 3))),
        x,
        y,
        rtol=1e-5,
        smooth=(),
    )
    case(
        "ssim",
        lambda x, y: im.ssim(x, y, 1.0, filter_size=5, return_index_map=True),
        lambda x, y: np.float32(ssim(x, y, 5, 1.5, 1.0).mean(-1)),
        x,
        y,
        rtol=1e-4,
        smooth=(),
    )
