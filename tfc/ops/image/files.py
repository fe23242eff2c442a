"""Images as files hold them: PNG, JPEG, GIF and BMP, read and written by Pillow, which is optional;
JPEG is read by simplejpeg where it is installed (jpeg.py).

Inside of a `tfc.function` what is decoded has as many channels as are asked for, and what is not
known before is None.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype, uint8, uint16
from tfc.ir.ops.host_functions import Use

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor, wrap
from ...core.types import DTypeLike, TensorLike
from ..arguments import attribute, flag, one_of, whole_number
from ..on_host import Call, Shape, on_host, scalar
from ..strings.text import as_bytes
from . import jpeg
from .color import convert_image_dtype

_JPEG = b"\xff\xd8\xff"  # how its files begin
_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
_EXPANDED = {"1": "L", "P": "RGB", "CMYK": "RGB", "YCbCr": "RGB", "PA": "RGBA"}


def _pillow(op: str) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise blame.unimplemented(
            "reading and writing images needs Pillow: pip install 'tfc-lang[image]'", op
        ) from None
    return Image


def _contents(op: str, contents: Any) -> bytes:
    return as_bytes(contents, "contents", op)


def _image_like(
    contents: Any, channels: Any = 0, dtype: Any = uint8, *rest: Any, **options: Any
) -> Tensor:
    """A small image as decoding gives one: what traces look at."""
    return wrap(np.zeros((1, 1, channels or 1), as_dtype(dtype).numpy))


def _jpeg_like(contents: Any, channels: Any = 0, *rest: Any, **options: Any) -> Tensor:
    return _image_like(contents, channels)


def _frames_like(contents: Any, name: str | None = None) -> Tensor:
    return wrap(np.zeros((1, 1, 1, 3), np.uint8))


def _extents_like(
    contents: Any, output_type: DTypeLike = "int32", name: str | None = None
) -> Tensor:
    return wrap(np.ones(3, as_dtype(output_type).numpy))


def _decoded(call: Call) -> Sequence[Shape | None]:
    """The shape of an image: as many channels as were asked for."""
    return ((None, None, call.arguments["channels"] or None),)


def _three(call: Call) -> Sequence[Shape | None]:
    return ((3,),)


def _decoded_frames(call: Call) -> Sequence[Shape | None]:
    return ((None, None, None, 3),)


def _opened(op: str, contents: Any, kinds: tuple[str, ...]) -> Any:
    library, data = _pillow(op), _contents(op, contents)
    try:
        image = library.open(io.BytesIO(data), formats=kinds)
        image.load()
    except Exception as error:  # whatever a broken file makes of it
        raise blame.invalid(
            "Unknown image file format. One of JPEG, PNG, GIF, BMP required: no "
            f"{' or '.join(kinds)} image ({len(data)} bytes): {type(error).__name__}",
            op,
        ) from None
    return image


def _pixels(op: str, image: Any, channels: Any, dtype: Any = uint8) -> np.ndarray:
    """The elements [height, width, channels] of an opened image."""
    kind = as_dtype(dtype)
    if kind not in (uint8, uint16):
        raise blame.invalid_dtype(f"{op}: dtype must be uint8 or uint16, got {kind.name}", op)
    if not one_of(channels, (None, 0, *_MODES)):
        raise blame.invalid(f"`channels` must be 0, 1, 3 or 4 but got {shown(channels)}", op)
    deep = image.mode.startswith("I")  # 16 bits of gray
    if deep and channels in (None, 0, 1):
        wide = np.asarray(image).astype(np.uint16)[..., None]
        return wide if kind is uint16 else (wide >> 8).astype(np.uint8)
    if deep:
        image = image.point(lambda v: v / 256).convert("L")
    if not channels:
        if image.mode == "P" and "transparency" in image.info:
            image = image.convert("RGBA")
        mode = image.mode if image.mode in _MODES.values() else _EXPANDED.get(image.mode, "RGB")
    else:
        mode = _MODES[channels]
    if mode == "L" and image.format == "PNG" and image.mode in ("RGB", "RGBA", "P"):
        found = _gray(np.asarray(image.convert("RGB")))
    else:
        found = np.asarray(image if image.mode == mode else image.convert(mode))
    found = found.reshape(*found.shape[:2], -1)
    return found if kind is uint8 else found.astype(np.uint16) * np.uint16(257)


def _gray(colours: np.ndarray) -> np.ndarray:
    """The luma of ITU-R BT.601 as libpng has it: in parts of 2^15, rounded down; gray stays."""
    red, green, blue = (colours[..., k].astype(np.uint32) for k in range(3))
    luma = (red * 9797 + green * 19234 + blue * (32768 - 9797 - 19234)) >> 15
    return luma.astype(np.uint8)


@on_host("io.decode_png", _decoded, sample=_image_like, use=Use.THREADS)
def decode_png(
    contents: TensorLike, channels: int = 0, dtype: DTypeLike = uint8, name: str | None = None
) -> Tensor:
    """The image in the bytes of a PNG file.

    Unlike TensorFlow, of 16 bits a channel only gray is read in full; colours have 8 bits.

    Args:
        contents: The bytes of the file: a scalar string.
        channels: As many as the file has (0), gray (1), gray and alpha (2), RGB (3), or RGBA (4).
        dtype: uint8 or uint16.

    Returns:
        A tensor [height, width, channels] of this dtype.

    Raises:
        InvalidArgumentError: If it is no PNG file, or the dtype is another one.
        InvalidArgumentError: If `channels` is another number.
        TypeError: If `contents` is no string.
        UnimplementedError: If Pillow is not installed.

    >>> import tfc as tf
    >>> data = tf.io.encode_png(tf.constant([[[255, 0, 0], [0, 0, 255]]], tf.uint8))
    >>> tf.io.decode_png(data).numpy().tolist()
    [[[255, 0, 0], [0, 0, 255]]]
    """
    op = "io.decode_png"
    return wrap(_pixels(op, _opened(op, contents, ("PNG",)), channels, dtype))


@on_host("io.decode_jpeg", _decoded, sample=_jpeg_like, use=Use.THREADS)
def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """The image in the bytes of a JPEG file.

    With simplejpeg, which the extra "image" installs, pixels are those of TensorFlow, bit for bit.
    Without it Pillow decodes, as TensorFlow does with `dct_method="INTEGER_ACCURATE"`: by default
    TensorFlow is less exact, and many values differ by a few steps.

    Args:
        contents: The bytes of the file: a scalar string.
        channels: As many as the file has (0), gray (1) or RGB (3).
        ratio: By what the image is made smaller: 1, 2, 4 or 8; without simplejpeg only 1.
        fancy_upscaling: Whether colours of half the resolution are interpolated. Pillow does.
        try_recover_truncated: Whether a file that ends too early gives what there is of it.
        acceptable_fraction: Not used: any part of such a file is enough.
        dct_method: "INTEGER_FAST", which is the default, or "INTEGER_ACCURATE". Pillow takes the
            latter.

    Returns:
        A tensor of uint8 [height, width, channels].

    Raises:
        InvalidArgumentError: If it is no JPEG file, or `channels`, `ratio` or `dct_method` is
            another one.
        TypeError: If `contents` is no string.
        UnimplementedError: If neither library is installed, or only Pillow for another ratio.

    >>> import tfc as tf
    >>> data = tf.io.encode_jpeg(tf.fill([8, 8, 3], tf.constant(200, tf.uint8)))
    >>> tf.io.decode_jpeg(data).shape
    TensorShape([8, 8, 3])
    """
    op = "io.decode_jpeg"
    if not one_of(ratio, (1, 2, 4, 8)):
        raise blame.invalid(f"ratio must be 1, 2, 4, or 8, got {shown(ratio)}", op)
    if not one_of(channels, (0, 1, 3)):
        raise blame.invalid(f"channels must be 0, 1 or 3, got {shown(channels)}", op)
    if not one_of(dct_method, ("", "INTEGER_FAST", "INTEGER_ACCURATE")):
        raise blame.invalid(
            "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}, got "
            f"{shown(dct_method)}",
            op,
        )
    fast = dct_method != "INTEGER_ACCURATE"
    fancy = flag(fancy_upscaling, "fancy_upscaling", op)
    recovers = flag(try_recover_truncated, "try_recover_truncated", op)
    options = jpeg.Options(channels, ratio, fancy, recovers, fast)
    found = jpeg.decode(op, _contents(op, contents), options)
    if found is not None:
        return wrap(found)
    if ratio != 1:
        raise blame.unimplemented(f"ratio {ratio} needs simplejpeg: {jpeg.INSTALL}", op)
    return wrap(_pixels(op, _opened(op, contents, ("JPEG",)), channels))


@on_host("io.decode_bmp", _decoded, sample=_jpeg_like, use=Use.THREADS)
def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor:
    """The image [height, width, channels] in the bytes of a BMP file, as uint8.

    Args:
        contents: The bytes of the file: a scalar string.
        channels: As many as the file has (0), gray (1), gray and alpha (2), RGB (3), or RGBA (4).

    Returns:
        A tensor of uint8 [height, width, channels].

    Raises:
        InvalidArgumentError: If it is no BMP file.
        InvalidArgumentError: If `channels` is another number.
        TypeError: If `contents` is no string.
        UnimplementedError: If Pillow is not installed.

    >>> import tfc as tf
    >>> tf.io.decode_bmp(b"no image")
    Traceback (most recent call last):
    ...
    tfc.errors.InvalidArgumentError: ...
    """
    op = "io.decode_bmp"
    return wrap(_pixels(op, _opened(op, contents, ("BMP",)), channels))


@on_host("io.decode_gif", _decoded_frames, sample=_frames_like, use=Use.THREADS)
def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """The frames [frames, height, width, 3] in the bytes of a GIF file, as uint8.

    Args:
        contents: The bytes of the file: a scalar string.

    Returns:
        A tensor of uint8 [frames, height, width, 3].

    Raises:
        InvalidArgumentError: If it is no GIF file.
        TypeError: If `contents` is no string.
        UnimplementedError: If Pillow is not installed.

    >>> import tfc as tf
    >>> tf.io.decode_gif(b"no image")
    Traceback (most recent call last):
    ...
    tfc.errors.InvalidArgumentError: ...
    """
    op = "io.decode_gif"
    return wrap(_frames(op, _opened(op, contents, ("GIF",)), 3))


def _frames(op: str, image: Any, channels: Any) -> np.ndarray:
    from PIL import ImageSequence

    return np.stack([_pixels(op, f, channels) for f in ImageSequence.Iterator(image)])


@on_host("io.decode_image", _decoded, sample=_image_like, use=Use.THREADS)
def decode_image(
    contents: TensorLike,
    channels: Any = None,
    dtype: DTypeLike = uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """The image in the bytes of a PNG, JPEG, GIF or BMP file.

    Args:
        contents: The bytes of the file: a scalar string.
        channels: As many as the file has (None or 0; 3 for GIF), gray (1), gray and alpha (2), RGB
            (3), or RGBA (4).
        dtype: The dtype of the result, to which `tf.image.convert_image_dtype` converts; floats are
            in [0, 1].
        expand_animations: Whether a GIF gives all its frames, or the first one as an image.

    Returns:
        A tensor [height, width, channels], or [frames, height, width, channels] of a GIF. Inside
        of a `tfc.function` the former, whose rank must be known: a GIF needs `expand_animations`
        to be False there, or `decode_gif`.

    Raises:
        InvalidArgumentError: If it is no such file.
        ValueError: If `channels` is another number, or `dtype` is neither an integer nor a float.
        TypeError: If `contents` is no string.
        UnimplementedError: If Pillow is not installed.

    >>> import tfc as tf
    >>> data = tf.io.encode_png(tf.constant([[[0], [255]]], tf.uint8))
    >>> print(tf.io.decode_image(data, dtype=tf.float32)[0, :, 0])
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    op = "io.decode_image"
    kind = as_dtype(dtype)
    data = _contents(op, contents)
    if data.startswith(_JPEG) and one_of(channels, (None, 0, 1, 3)):
        pixels = jpeg.decode(op, data, jpeg.Options(channels or 0))
        if pixels is not None:
            return convert_image_dtype(wrap(pixels), kind)
    image = _opened(op, data, ("PNG", "JPEG", "GIF", "BMP"))
    deep = kind if kind in (uint8, uint16) else uint16 if image.mode.startswith("I") else uint8
    if image.format == "GIF" and expand_animations:
        found = wrap(_frames(op, image, channels or 3))
    else:
        found = wrap(_pixels(op, image, channels or (3 if image.format == "GIF" else 0), deep))
    if found.dtype is kind:
        return found
    return convert_image_dtype(found, kind)


def _image(op: str, image: Any, channels: tuple[int, ...], kinds: tuple[Any, ...]) -> np.ndarray:
    x: Any = operand(op, image)
    if x.dtype not in kinds:
        raise blame.invalid_dtype(
            f"{op}: dtype must be {' or '.join(k.name for k in kinds)}, got {x.dtype.name}", op
        )
    if len(x.shape) != 3:
        raise blame.invalid(f"images must be at least rank 3, [h, w, channels], got {x.shape}", op)
    if x.shape[2] not in channels or 0 in x.shape.as_list():
        *rest, last = map(str, channels)
        words = f"{', '.join(rest)}{',' if rest[1:] else ''} or {last}" if rest else last
        raise blame.invalid(
            f"image must have {words} channels, got {x.shape[2]}: shape {x.shape}", op
        )
    array: np.ndarray = x.numpy()
    return array


@on_host("io.encode_png", scalar, use=Use.THREADS)
def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Tensor:
    """The bytes of a PNG file with an image.

    Args:
        image: A tensor [height, width, channels] of uint8, with 1 to 4 channels, or of uint16, with
            1.
        compression: From 0 (none, fast) to 9 (small), or -1 for the default of Pillow.

    Returns:
        A scalar string.

    Raises:
        InvalidArgumentError: If the shape or dtype is another one, or the image is empty.
        InvalidArgumentError: If `compression` is another number.
        UnimplementedError: If the image has several channels of uint16, or Pillow is not installed.

    >>> import tfc as tf
    >>> tf.io.encode_png(tf.zeros([2, 2, 1], tf.uint8)).numpy()[1:4]
    b'PNG'
    """
    op = "io.encode_png"
    library = _pillow(op)
    array = _image(op, image, (1, 2, 3, 4), (uint8, uint16))
    if array.dtype == np.uint16 and array.shape[2] != 1:
        raise blame.unimplemented("images of uint16 with more than one channel", op)
    if compression not in range(-1, 10):
        raise blame.invalid(f"compression should be in [-1,9], got {shown(compression)}", op)
    out = io.BytesIO()
    options = {} if compression < 0 else {"compress_level": compression}
    plain = array[..., 0] if array.shape[2] == 1 else array
    library.fromarray(plain).save(out, "PNG", **options)
    return operand(op, out.getvalue())


@on_host("io.encode_jpeg", scalar, use=Use.THREADS)
def encode_jpeg(
    image: TensorLike,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """The bytes of a JPEG file with an image.

    Args:
        image: A tensor of uint8 [height, width, channels], with 1 channel (gray) or 3 (RGB).
        format: "grayscale" or "rgb", where only this is to be taken, or "" for either.
        quality: From 0 to 100.
        progressive: Whether the file holds the image coarsely first.
        optimize_size: Whether more time is taken for a smaller file.
        chroma_downsampling: Whether colours have half the resolution.
        density_unit: "in" alone.
        x_density: Pixels an inch along a row, which the file notes.
        y_density: Pixels an inch along a column.
        xmp_metadata: "" alone.

    Returns:
        A scalar string.

    Raises:
        InvalidArgumentError: If the shape, the dtype or `quality` is another one, or the image is
            empty.
        InvalidArgumentError: If `format` is another one.
        UnimplementedError: If there is `xmp_metadata`, `density_unit` is another one, or Pillow is
            not installed.

    >>> import tfc as tf
    >>> tf.io.encode_jpeg(tf.zeros([8, 8, 1], tf.uint8)).numpy()[:2]
    b'\\xff\\xd8'
    """
    op = "io.encode_jpeg"
    library = _pillow(op)
    attribute(format, ("", "grayscale", "rgb"), "format", op)
    wanted = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}[format]
    array = _image(op, image, wanted, (uint8,))
    if (quality := whole_number(quality, "quality", op)) not in range(101):
        raise blame.invalid(f"quality must be in [0,100], got {shown(quality)}", op)
    if xmp_metadata or density_unit != "in":
        raise blame.unimplemented("xmp_metadata, and a density_unit other than 'in'", op)
    out = io.BytesIO()
    plain = array[..., 0] if array.shape[2] == 1 else array
    library.fromarray(plain).save(
        out,
        "JPEG",
        quality=quality,
        progressive=progressive,
        optimize=optimize_size,
        subsampling=2 if chroma_downsampling else 0,
        dpi=(x_density, y_density),
    )
    return operand(op, out.getvalue())


@on_host("io.is_jpeg", scalar)
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Whether bytes begin as those of a JPEG file do.

    Args:
        contents: The bytes of a file: a scalar string.

    Returns:
        A scalar bool.

    Raises:
        TypeError: If `contents` is no string.

    >>> import tfc as tf
    >>> bool(tf.io.is_jpeg(b"GIF89a"))
    False
    """
    return operand("io.is_jpeg", _contents("io.is_jpeg", contents).startswith(_JPEG))


@on_host("io.extract_jpeg_shape", _three, sample=_extents_like)
def extract_jpeg_shape(
    contents: TensorLike, output_type: DTypeLike = "int32", name: str | None = None
) -> Tensor:
    """The shape [height, width, channels] of the image in the bytes of a JPEG file.

    Args:
        contents: The bytes of the file: a scalar string.
        output_type: The dtype of the result, of integers.

    Returns:
        A vector of three numbers.

    Raises:
        InvalidArgumentError: If it is no JPEG file.
        TypeError: If `contents` is no string.
        UnimplementedError: If Pillow is not installed.

    >>> import tfc as tf
    >>> data = tf.io.encode_jpeg(tf.zeros([8, 16, 3], tf.uint8))
    >>> print(tf.io.extract_jpeg_shape(data))
    tf.Tensor([ 8 16  3], shape=(3,), dtype=int32)
    """
    op = "io.extract_jpeg_shape"
    image = _opened(op, contents, ("JPEG",))
    return operand(op, [image.height, image.width, len(image.getbands())], as_dtype(output_type))
