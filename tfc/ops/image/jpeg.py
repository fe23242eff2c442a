"""JPEG files by simplejpeg, which is optional: libjpeg-turbo, with the choices that TensorFlow
makes, so that pixels are the same."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ...core import blame

_ADOBE = re.compile(rb"\xff\xee..Adobe", re.DOTALL)  # a segment of files whose inks are inverted
INSTALL = "pip install 'tfc-lang[image]'"


class Options(NamedTuple):
    """How a file is decoded; the defaults are TensorFlow's."""

    channels: int = 0  # 0: as many as there are
    ratio: int = 1
    fancy_upscaling: bool = True
    recover: bool = False
    fast: bool = True  # the inverse cosine transform, less exact


def decode(op: str, data: bytes, options: Options) -> np.ndarray | None:
    """The pixels [height, width, channels]; None where the library is not there, or the image has
    colours that it does not convert.

    Raises:
        InvalidArgumentError: If it is no JPEG file, or a damaged one.
    """
    try:
        import simplejpeg
    except ImportError:
        return None
    try:
        height, width, colours, _ = simplejpeg.decode_jpeg_header(data, strict=False)
        gray = options.channels == 1 or (not options.channels and colours.upper() == "GRAY")
        printed = colours.upper() in ("CMYK", "YCCK")
        if printed and gray:
            return None
        ratio = options.ratio
        more: dict[str, Any] = {}
        if ratio != 1:  # rounded up; the smallest image that is as large as this
            sizes = {"min_height": -(-height // ratio), "min_width": -(-width // ratio)}
            more = {**sizes, "min_factor": ratio}
        found = _tolerant(
            simplejpeg.decode_jpeg,
            data,
            options.recover,
            colorspace="CMYK" if printed else "GRAY" if gray else "RGB",
            fastdct=options.fast,
            fastupsample=not options.fancy_upscaling,
            **more,
        )
        return _of_ink(found, _ADOBE.search(data) is not None) if printed else found
    except Exception as error:  # whatever a broken file makes of it
        why = str(error) if isinstance(error, ValueError) else type(error).__name__
        message = f"no JPEG image, or a damaged one ({len(data)} bytes): {why}"
        raise blame.invalid(message, op) from None


def _of_ink(pixels: np.ndarray, inverted: bool) -> np.ndarray:
    """RGB from cyan, magenta, yellow and black."""
    light = pixels.astype(np.uint16) if inverted else 255 - pixels.astype(np.uint16)
    return (light[..., :3] * light[..., 3:] // 255).astype(np.uint8)


def _tolerant(decode: Any, data: bytes, recover: bool, **options: Any) -> Any:
    """What decodes to whole images, though the library warns: only files that end too early, and
    those that are none, are errors."""
    try:
        return decode(data, **options)
    except ValueError as error:
        if not recover and "remature" in str(error):
            raise
        return decode(data, strict=False, **options)
