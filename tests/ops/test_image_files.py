"""Files, and images in them. Those that read or write images need Pillow."""

from __future__ import annotations

import io
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)
rng = np.random.default_rng(1)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.bin"
    tf.io.write_file(str(path), b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff" == tf.io.read_file(tf.constant(str(path))).numpy()
    tf.io.write_file(path, tf.constant("text"))
    assert tf.io.read_file(path).numpy() == b"text"
    with pytest.raises(tf.errors.NotFoundError, match=r"nothing\.txt"):
        tf.io.read_file(str(tmp_path / "nothing.txt"))
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.io.read_file(str(tmp_path))
    for bad in (3, None, ["a"], "a\0b"):
        with pytest.raises(ERRORS):
            tf.io.read_file(bad)
    with pytest.raises(ERRORS, match="Expected string for argument 'contents'"):
        tf.io.write_file(str(path), 3)
    read = tf.function(lambda: tf.io.read_file(str(path)))
    for data in (b"first", b"second"):  # read when it is called, not when it is traced
        tf.io.write_file(path, data)
        assert read().numpy() == data


def test_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    for call in (
        lambda: tf.io.decode_image(b""),
        lambda: tf.io.encode_png(tf.zeros([1, 1, 1], tf.uint8)),
    ):
        with pytest.raises(tf.errors.UnimplementedError, match=r"needs Pillow.*tfc-lang\[image\]"):
            call()
    assert not tf.io.is_jpeg(b"x") and tf.io.is_jpeg(b"\xff\xd8\xff\xe0")


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png(channels: int) -> None:
    pytest.importorskip("PIL")
    x = rng.integers(0, 256, (5, 7, channels)).astype(np.uint8)
    data = tf.io.encode_png(x, compression=9)
    for decode in (tf.io.decode_png, tf.io.decode_image, tf.image.decode_png):
        np.testing.assert_array_equal(decode(data), x)
    assert tf.io.decode_png(data, channels=3).shape == (5, 7, 3)
    found = tf.io.decode_image(data, dtype=tf.float32)
    np.testing.assert_allclose(found, x / 255, rtol=1e-6)


def test_png_of_16_bits() -> None:
    pytest.importorskip("PIL")
    x = rng.integers(0, 2**16, (4, 3, 1)).astype(np.uint16)
    data = tf.io.encode_png(x)
    np.testing.assert_array_equal(tf.io.decode_png(data, dtype=tf.uint16), x)
    np.testing.assert_array_equal(tf.io.decode_png(data), x >> 8)
    small = tf.io.encode_png(np.array([[[7], [255]]], np.uint8))
    assert tf.io.decode_png(small, dtype=tf.uint16).numpy().ravel().tolist() == [7 * 257, 65535]
    with pytest.raises(tf.errors.UnimplementedError, match="more than one channel"):
        tf.io.encode_png(np.zeros((2, 2, 3), np.uint16))


def test_jpeg() -> None:
    pytest.importorskip("PIL")
    rows, columns = np.mgrid[:32, :48]
    x = np.stack([rows * 4, columns * 3, rows + columns], -1).astype(np.uint8)
    data = tf.io.encode_jpeg(x, quality=98, chroma_downsampling=False)
    assert tf.io.is_jpeg(data)
    assert tf.io.extract_jpeg_shape(data).numpy().tolist() == [32, 48, 3]
    found = tf.io.decode_jpeg(data).numpy().astype(int)
    assert found.shape == x.shape and np.abs(found - x).max() < 12
    assert tf.io.decode_jpeg(data, channels=1).shape == (32, 48, 1)
    assert tf.image.decode_image(data).shape == x.shape
    gray = tf.io.encode_jpeg(x[..., :1], format="grayscale")
    assert tf.io.decode_jpeg(gray).shape == (32, 48, 1)
    assert len(tf.io.encode_jpeg(x, quality=5).numpy()) < len(data.numpy())


def test_gif_and_bmp() -> None:
    library = pytest.importorskip("PIL.Image")
    frames = [library.new("RGB", (4, 3), color) for color in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    found = tf.io.decode_gif(out.getvalue())
    assert found.shape == (2, 3, 4, 3) == tf.io.decode_image(out.getvalue()).shape
    assert found.numpy()[:, 0, 0].tolist() == [[255, 0, 0], [0, 0, 255]]
    assert tf.io.decode_image(out.getvalue(), expand_animations=False).shape == (3, 4, 3)
    out = io.BytesIO()
    frames[1].save(out, "BMP")
    assert tf.io.decode_bmp(out.getvalue()).numpy()[0, 0].tolist() == [0, 0, 255]


def test_images_that_are_none() -> None:
    pytest.importorskip("PIL")
    image = np.zeros((2, 2, 3), np.uint8)
    png = tf.io.encode_png(image).numpy()
    cases: list[tuple[Any, str]] = [
        (lambda: tf.io.decode_png(b"nonsense"), "no PNG image"),
        (lambda: tf.io.decode_png(png[:30]), "no PNG image"),
        (lambda: tf.io.decode_jpeg(png), "no JPEG image"),
        (lambda: tf.io.decode_png(3), "Expected string for argument 'contents'"),
        (lambda: tf.io.decode_png(png, channels=5), "`channels` must be 0, 1, 3 or 4 but got 5"),
        (lambda: tf.io.decode_jpeg(png, channels=4), "channels must be 0, 1 or 3"),
        (lambda: tf.io.decode_png(png, dtype=tf.int32), "uint8 or uint16"),
        (lambda: tf.io.encode_png(image.astype(np.float32)), "uint8 or uint16, got float32"),
        (lambda: tf.io.encode_png(image[0]), "at least rank 3"),
        (lambda: tf.io.encode_jpeg(np.zeros((2, 2, 4), np.uint8)), "channels"),
        (lambda: tf.io.encode_jpeg(image, quality=101), "quality"),
    ]
    for call, text in cases:
        with pytest.raises(ERRORS, match=text):
            call()
    with pytest.raises(tf.errors.InvalidArgumentError, match="uint8 or uint16, got float32"):
        tf.function(tf.io.encode_png)(tf.zeros([2, 2, 3]))


# A JPEG file of [6, 9, 3] with colours of half the resolution, and checksums of what TensorFlow
# 2.21 decodes of it.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010101012c012c0000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213"
    "271c1e17202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffdb00"
    "43010e0e0e131113261515264f352d354f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
    "4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4fffc00011080006000903012200021101031101ffc40015000101"
    "00000000000000000000000000000004ffc4001e10000202000700000000000000000000000102000304145281a2"
    "d1d2ffc4001501010100000000000000000000000000000203ffc400171101010101000000000000000000000000"
    "01020021ffda000c03010002110311003f00a130a8d5962a08dba8ca51a0f1f311217743c7124aebbfffd9"
)
DECODED: list[tuple[dict[str, Any], int]] = [
    ({}, 3091171117),
    ({"dct_method": "INTEGER_FAST"}, 3091171117),
    ({"dct_method": "INTEGER_ACCURATE"}, 3803790930),
    ({"ratio": 2}, 2201670769),
    ({"fancy_upscaling": False}, 3677748584),
    ({"channels": 1}, 3728549221),
]


def checksum(image: Any) -> int:
    return zlib.crc32(image.numpy().tobytes())


def test_parts_of_jpeg() -> None:
    """Eager and in functions, with windows that only a call tells."""
    whole = tf.io.decode_jpeg(JPEG).numpy()
    height, width = whole.shape[:2]
    inside = tf.function(lambda data, window: tf.io.decode_and_crop_jpeg(data, window, channels=3))
    for window in ([0, 0, height, width], [1, 2, 2, 3], [height - 1, width - 1, 1, 1]):
        y, x, h, w = window
        wanted = whole[y : y + h, x : x + w]
        np.testing.assert_array_equal(tf.image.decode_and_crop_jpeg(JPEG, window), wanted)
        np.testing.assert_array_equal(inside(tf.constant(JPEG), tf.constant(window)), wanted)
    for bad in ([0, 0, height + 1, 1], [-1, 0, 1, 1], [0, 0, 0, 1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="not within the image"):
            tf.io.decode_and_crop_jpeg(JPEG, bad)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not within the image"):
            inside(tf.constant(JPEG), tf.constant(bad))
    with pytest.raises(tf.errors.InvalidArgumentError, match="four integers"):
        tf.io.decode_and_crop_jpeg(JPEG, [0, 0, 1])


def test_pixels_of_jpeg_are_those_of_tensorflow() -> None:
    pytest.importorskip("simplejpeg")
    for options, expected in DECODED:
        image = tf.io.decode_jpeg(JPEG, **options)
        assert checksum(image) == expected, options
        inside = tf.function(lambda s, options=options: tf.io.decode_jpeg(s, **options))
        assert checksum(inside(tf.constant(JPEG))) == expected
    assert tf.io.decode_jpeg(JPEG, ratio=2).shape == (3, 5, 3)
    assert checksum(tf.io.decode_image(JPEG)) == DECODED[0][1]
    assert checksum(tf.io.decode_jpeg(JPEG + b"more")) == DECODED[0][1]
    for damaged in (JPEG[:20], JPEG[:-20], b"\xff\xd8\xff" + bytes(50)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"no JPEG|JPEG image"):
            tf.io.decode_jpeg(damaged)
    assert tf.io.decode_jpeg(JPEG[:-2], try_recover_truncated=True).shape == (6, 9, 3)


def test_inks_of_jpeg() -> None:
    pytest.importorskip("simplejpeg")
    pillow = pytest.importorskip("PIL.Image")
    inks = np.full((8, 8, 4), [10, 200, 90, 30], np.uint8)
    file = io.BytesIO()
    pillow.fromarray(inks, "CMYK").save(file, "JPEG", quality=100)
    expected = (255 - inks[0, 0, :3].astype(int)) * (255 - 30) / 255
    assert np.abs(tf.io.decode_jpeg(file.getvalue()).numpy()[3, 3] - expected).max() <= 3


def test_jpeg_without_simplejpeg(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow decodes as TensorFlow does where it is to be accurate."""
    pytest.importorskip("PIL")
    monkeypatch.setitem(sys.modules, "simplejpeg", None)
    assert checksum(tf.io.decode_jpeg(JPEG)) == DECODED[2][1]
    with pytest.raises(tf.errors.UnimplementedError, match=r"needs simplejpeg.*tfc-lang\[image\]"):
        tf.io.decode_jpeg(JPEG, ratio=4)


INVALID = tf.errors.InvalidArgumentError


def test_wrong_options_of_jpeg() -> None:
    for options in ({"ratio": 3}, {"channels": 2}, {"dct_method": "FLOAT"}):
        with pytest.raises(INVALID, match=r"ratio must|channels must|dct_method must"):
            tf.io.decode_jpeg(JPEG, **options)
