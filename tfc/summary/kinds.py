"""The kinds of summaries that TensorBoard has a tab for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, string, uint8

from ..core import blame
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.tensor import Held, wrap
from ..core.types import TensorLike
from ..ops.array.conversion import cast
from ..ops.image.color import convert_image_dtype
from . import encoding
from .recording import event_of_summary, plugin, record, tag_of, texts

_WAV = b"\x10\x0b"  # AudioPluginData's field of the encoding: 11


def scalar(name: str, data: TensorLike, step: Any = None, description: str | None = None) -> Any:
    """Write a number, as float32: a point of the curve `name` in TensorBoard. The names of scopes
    around stand in front of it.

    Args:
        data: A scalar of a real dtype.
        step: The step, an integer, a scalar or a Variable; by default that of
            `tf.summary.experimental.set_step`.
        description: A text that TensorBoard shows beside it, in Markdown.

    Returns:
        A scalar bool: whether it was written. It is not where there is no default writer, or
        `record_if` says no.

    Raises:
        ValueError: If `data` is no scalar, or there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = tf.summary.create_file_writer(folder)
    ...     @tf.function
    ...     def train(step):
    ...         loss = 1.0 / tf.cast(step + 1, tf.float32)
    ...         with writer.as_default():
    ...             tf.summary.scalar("loss", loss, step=step)
    ...         return loss
    ...     for i in range(3):
    ...         loss = train(tf.constant(i))
    """
    tag, about = tag_of(name, "scalar_summary"), plugin("scalars", description)
    if isinstance(data, float | int) and not isinstance(data, Held):
        number: float = data

        def build_known() -> bytes:
            before, behind = encoding.around_scalar(tag, about)
            return event_of_summary(before + encoding.float_bytes(number) + behind)

        return record(build_known, (), step)

    def build(array: np.ndarray) -> bytes:
        before, behind = encoding.around_scalar(tag, about)
        return event_of_summary(before + array.astype(np.float32).tobytes() + behind)

    tensor = convert_to_tensor(data)
    if tensor.shape.rank not in (0, None):
        text = f"a scalar is wanted, got the shape {tensor.shape}"
        raise blame.value_error(text, "summary.scalar")
    _real(tensor, "summary.scalar")
    return record(build, (tensor,), step)


def histogram(
    name: str,
    data: TensorLike,
    step: Any = None,
    buckets: Any = None,
    description: str | None = None,
) -> Any:
    """Write how the elements of a tensor are spread: a slice of TensorBoard's histograms.

    Args:
        data: A tensor of any shape, of a real dtype.
        step: The step, as in `scalar`.
        buckets: How many buckets there are: 30 by default.
        description: A text that TensorBoard shows beside it, in Markdown.

    Buckets are of one width, between the least and the greatest element. If all are equal, they are
    in the last bucket. Unlike TensorFlow, elements that are not finite are left out.

    Returns:
        A scalar bool: whether it was written.

    Raises:
        ValueError: If there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.histogram("weights", tf.random.normal([100]), step=0)))
    True
    """
    op = "summary.histogram"
    tag, about = tag_of(name, "histogram_summary"), plugin("histograms", description)
    tensor = _real(convert_to_tensor(data), op)

    def build(array: np.ndarray, count: np.ndarray) -> bytes:
        table = encoding.buckets(array, max(0, int(count)))
        return event_of_summary(encoding.summary_of(tag, table, about))

    return record(build, (tensor, _limit(30 if buckets is None else buckets, "buckets", op)), step)


def image(
    name: str,
    data: TensorLike,
    step: Any = None,
    max_outputs: Any = 3,
    description: str | None = None,
) -> Any:
    """Write images.

    Args:
        data: A tensor [images, height, width, channels] with 1 to 4 channels (gray, gray and alpha,
            RGB, RGBA): of uint8, of floats in [0, 1], which are clipped, or of another dtype that
            `tf.image.convert_image_dtype` takes.
        step: The step, as in `scalar`.
        max_outputs: How many of the images are written at most.
        description: A text that TensorBoard shows beside them, in Markdown.

    Returns:
        A scalar bool: whether they were written.

    Raises:
        ValueError: If the shape is another one, or there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.image("noise", tf.random.uniform([2, 8, 8, 1]), step=0)))
    True
    """
    op = "summary.image"
    tag, about = tag_of(name, "image_summary"), plugin("images", description)
    tensor = _of_rank(convert_to_tensor(data), 4, "[images, height, width, channels]", op)
    if tensor.shape[3] not in (1, 2, 3, 4, None):
        text = f"images have 1 to 4 channels, got the shape {tensor.shape}"
        raise blame.value_error(text, op)

    def build(array: np.ndarray, count: np.ndarray) -> bytes:
        pixels = convert_image_dtype(wrap(array[: int(count)]), uint8, saturate=True).numpy()
        _, height, width, _ = array.shape
        files = [str(width).encode(), str(height).encode(), *map(encoding.png, pixels)]
        return event_of_summary(encoding.summary_of(tag, texts(files), about))

    return record(build, (tensor, _limit(max_outputs, "max_outputs", op)), step)


def audio(
    name: str,
    data: TensorLike,
    sample_rate: Any,
    step: Any = None,
    max_outputs: Any = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Any:
    """Write sounds, as WAV files of 16 bits a sample.

    Args:
        data: A tensor [sounds, frames, channels] of floats in [-1, 1].
        sample_rate: How many frames a second has.
        step: The step, as in `scalar`.
        max_outputs: How many of the sounds are written at most.
        encoding: "wav", the only one.
        description: A text that TensorBoard shows beside them, in Markdown.

    Returns:
        A scalar bool: whether they were written.

    Raises:
        ValueError: If the shape or the encoding is another one, or there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> tone = tf.sin(tf.range(800.0) / 3.0)[tf.newaxis, :, tf.newaxis]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.audio("tone", tone, sample_rate=8000, step=0)))
    True
    """
    op = "summary.audio"
    if encoding not in (None, "wav"):
        raise blame.value_error(f"Unknown encoding: {shown(encoding)}: only 'wav'", op)
    tag, about = tag_of(name, "audio_summary"), plugin("audio", description, _WAV)
    tensor = _of_rank(convert_to_tensor(data), 3, "[sounds, frames, channels]", op)
    if not tensor.dtype.is_floating:
        raise blame.type_error(f"sounds are floats, got {tensor.dtype.name}", op)

    def build(array: np.ndarray, rate: np.ndarray, count: np.ndarray) -> bytes:
        files = [_wav(samples, int(rate)) for samples in array[: int(count)]]
        rows = texts([part for file in files for part in (file, b"")]).reshape(-1, 2)
        return event_of_summary(_summary_of(tag, rows, about))

    rate = _limit(sample_rate, "sample_rate", op)
    return record(build, (tensor, rate, _limit(max_outputs, "max_outputs", op)), step)


_wav, _summary_of = encoding.wav, encoding.summary_of  # `audio` has an argument of the name


def text(name: str, data: TensorLike, step: Any = None, description: str | None = None) -> Any:
    """Write text, which TensorBoard shows as Markdown; a vector or a matrix as a table.

    Args:
        data: A tensor of strings.
        step: The step, as in `scalar`.
        description: A text that TensorBoard shows beside it, in Markdown.

    Returns:
        A scalar bool: whether it was written.

    Raises:
        TypeError: If `data` holds no strings.
        ValueError: If there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.text("plan", "**first** of all", step=0)))
    True
    """
    tag, about = tag_of(name, "text_summary"), plugin("text", description)
    tensor = convert_to_tensor(data)
    if tensor.dtype is not string:
        raise blame.type_error(f"text is strings, got {tensor.dtype.name}", "summary.text")

    def build(array: np.ndarray) -> bytes:
        return event_of_summary(encoding.summary_of(tag, array, about))

    return record(build, (tensor,), step)


def _real(tensor: Any, op: str) -> Any:
    """A tensor of numbers; of a dtype that NumPy has not, as float32."""
    if tensor.dtype is string or tensor.dtype.is_complex:
        raise blame.type_error(f"real numbers are wanted, got {tensor.dtype.name}", op)
    return cast(tensor, float32) if tensor.dtype.is_floating and tensor.dtype.size < 4 else tensor


def _of_rank(tensor: Any, rank: int, axes: str, op: str) -> Any:
    if tensor.shape.rank not in (rank, None):
        raise blame.value_error(f"a tensor {axes} is wanted, got the shape {tensor.shape}", op)
    return tensor


def _limit(value: Any, what: str, op: str) -> Any:
    """A number that is not negative, as a scalar."""
    if isinstance(value, int) and value < 0:
        raise blame.value_error(f"{what} must not be negative, got {value}", op)
    tensor = convert_to_tensor(value)
    if not tensor.dtype.is_integer or tensor.shape.rank not in (0, None):
        raise blame.type_error(f"{what} is an integer, got {shown(value)}", op)
    return tensor


__all__ = ["audio", "histogram", "image", "scalar", "text"]
