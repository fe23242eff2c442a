"""`tfc.compat.v1.summary`: what is written of values: numbers, histograms, images, sounds, text.

Each gives a serialised `Summary`; in a graph, what a session fetches as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.core import blame
from tfc.core.types import TensorLike
from tfc.records.event import Summary, SummaryMetadata
from tfc.records.tensor import proto_of
from tfc.summary.encoding import png, wav
from tfc.summary.recording import tag_of

from ..graphs.graph import GraphKeys, HostResult
from ..graphs.trace import current_graph

_OTHERS = re.compile(r"[^-/\w.]")  # what stands in no tag


def _summary(
    name: str,
    family: str | None,
    value: Any,
    parts: Callable[[str, np.ndarray], list[dict[str, Any]]],
    collections: Any,
) -> Any:
    """The summary of a tensor: of its tag and elements, `parts` gives the values that it has."""
    called = _OTHERS.sub("_", name).lstrip("/")
    called = called if family is None else f"{family}/{called}"

    def made(array: Any) -> bytes:
        full = tag_of(called) if result is None else result.name.removesuffix(":0")
        tag = full if family is None else f"{family}/{full}"
        return bytes(Summary(value=parts(tag, np.asarray(array))).SerializeToString())

    graph, result = current_graph(), None
    if graph is None:
        return _tfc.constant(made(value.numpy()))
    result = HostResult(graph, called, [value], made)
    graph.add_to_collections(collections or GraphKeys.SUMMARIES, result)
    return result


def scalar(
    name: str, tensor: TensorLike, collections: Any = None, family: str | None = None
) -> Any:
    """A number as a serialised `Summary`, for `FileWriter.add_summary`; in a graph, what a session
    fetches as one.

    Args:
        name: What it is called; names of scopes around stand in front of it.
        tensor: A scalar.
        collections: Of the graph, to which it is added; None: that of all summaries.
        family: What stands in front of all names, twice, as TensorFlow 1 has it.

    Returns:
        A scalar string.

    Raises:
        ValueError: If `tensor` is no scalar.

    >>> import tfc.compat.v1 as tf
    >>> summary = tf.Summary.FromString(tf.summary.scalar("loss", 0.5).numpy())
    >>> summary.value[0].tag
    'loss'
    """
    value = _tfc.convert_to_tensor(tensor)
    if value.shape.rank != 0:
        text = f"a scalar is wanted, got the shape {value.shape}"
        raise blame.value_error(text, "summary.scalar")

    def parts(tag: str, number: np.ndarray) -> list[dict[str, Any]]:
        return [{"tag": tag, "simple_value": float(number)}]

    return _summary(name, family, value, parts, collections)


def histogram(
    name: str, values: TensorLike, collections: Any = None, family: str | None = None
) -> Any:
    """How often values of which size are met, as a serialised `Summary`: see `scalar`.

    The buckets grow by a tenth each, from 1e-12 on, to both sides of 0.

    Args:
        name: What it is called; names of scopes around stand in front of it.
        values: A tensor of numbers.
        collections: Of the graph, to which it is added; None: that of all summaries.
        family: What stands in front of all names, twice, as TensorFlow 1 has it.

    Returns:
        A scalar string; in a graph, what a session fetches as one.

    >>> import tfc.compat.v1 as tf
    >>> made = tf.summary.histogram("sizes", [1.0, 3.0])
    >>> tf.Summary.FromString(made.numpy()).value[0].histo.sum
    4.0
    """

    def parts(tag: str, array: np.ndarray) -> list[dict[str, Any]]:
        return [{"tag": tag, "histo": _histogram(array.astype(float).ravel())}]

    return _summary(name, family, _tfc.convert_to_tensor(values), parts, collections)


def _limits() -> np.ndarray:
    """The upper limits of the buckets: TensorFlow's."""
    above, limit = [], 1e-12
    while limit < 1e20:
        above.append(limit)
        limit *= 1.1
    above.append(float(np.finfo(float).max))
    return np.array([*(-v for v in reversed(above)), 0.0, *above])


_LIMITS = _limits()


def _histogram(values: np.ndarray) -> dict[str, Any]:
    counts = np.bincount(np.searchsorted(_LIMITS, values, side="right"), minlength=len(_LIMITS))
    ends = (counts > 0) | np.append(counts[1:] > 0, True)  # runs of empty buckets are one
    kept = np.flatnonzero(ends)
    return {
        "min": float(values.min()) if values.size else 0.0,
        "max": float(values.max()) if values.size else 0.0,
        "num": float(values.size),
        "sum": float(values.sum()),
        "sum_squares": float(np.square(values).sum()),
        "bucket_limit": _LIMITS[kept].tolist(),
        "bucket": counts[kept].astype(float).tolist(),
    }


def image(
    name: str,
    tensor: TensorLike,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Any:
    """Images as a serialised `Summary`: see `scalar`.

    Numbers that are no bytes are scaled, those of each image alone: from 0 to the largest, or,
    where some are negative, around 0, which is 128. What is not finite is red.

    Args:
        name: What they are called, before `/image/0`, `/image/1`, ...; names of scopes around stand
            in front of it.
        tensor: Images, of rank 4, with 1, 3 or 4 channels: uint8, or floats.
        max_outputs: How many of them are written.
        collections: Of the graph, to which it is added; None: that of all summaries.
        family: What stands in front of all names, twice, as TensorFlow 1 has it.

    Returns:
        A scalar string; in a graph, what a session fetches as one.

    Raises:
        ValueError: If the tensor has another rank or number of channels.

    >>> import tfc.compat.v1 as tf
    >>> made = tf.summary.image("seen", tf.ones([2, 4, 5, 3]))
    >>> [(v.tag, v.image.width) for v in tf.Summary.FromString(made.numpy()).value]
    [('seen/image/0', 5), ('seen/image/1', 5)]
    """
    value = _tfc.convert_to_tensor(tensor)
    channels = value.shape[-1] if value.shape.rank == 4 else 0
    if channels not in (None, 1, 3, 4):
        text = f"images of rank 4 with 1, 3 or 4 channels are wanted, got the shape {value.shape}"
        raise blame.value_error(text, "summary.image")

    def parts(tag: str, images: np.ndarray) -> list[dict[str, Any]]:
        found = []
        for i, pixels in enumerate(images[:max_outputs]):
            height, width, depth = pixels.shape
            seen = pixels if pixels.dtype == np.uint8 else _visible(pixels)
            whole = {
                "height": height,
                "width": width,
                "colorspace": depth,
                "encoded_image_string": png(seen),
            }
            called = f"{tag}/image" if max_outputs == 1 else f"{tag}/image/{i}"
            found.append({"tag": called, "image": whole})
        return found

    return _summary(name, family, value, parts, collections)


_LEAST = 1e-6  # what is below it is dark


def _visible(pixels: np.ndarray) -> np.ndarray:
    """Bytes for the numbers of an image."""
    depth = pixels.shape[-1]
    values = pixels.astype(np.float32).reshape(-1, depth)
    finite = np.isfinite(values).all(-1)
    low, high = (
        (float(values[finite].min()), float(values[finite].max())) if finite.any() else (0.0, 0.0)
    )
    most = max(abs(low), abs(high)) if low < 0 else high
    span, offset = (127.0, 128.0) if low < 0 else (255.0, 0.0)
    scale = np.float32(0.0 if most < _LEAST else span / most)
    found = np.zeros(values.shape, np.uint8)
    found[finite] = (values[finite] * scale + np.float32(offset)).astype(np.uint8)
    found[~finite] = np.array([255, 0, 0, 255], np.uint8)[:depth]
    return found.reshape(pixels.shape)


def audio(
    name: str,
    tensor: TensorLike,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Any:
    """Sounds as a serialised `Summary`: see `scalar`.

    Args:
        name: What they are called, before `/audio/0`, `/audio/1`, ...; names of scopes around stand
            in front of it.
        tensor: Sounds: [batch, frames], or [batch, frames, channels], from -1 to 1.
        sample_rate: How many frames are a second.
        max_outputs: How many sounds are written.
        collections: Of the graph, to which it is added; None: that of all summaries.
        family: What stands in front of all names, twice, as TensorFlow 1 has it.

    Returns:
        A scalar string; in a graph, what a session fetches as one.

    Raises:
        ValueError: If the tensor has another rank.

    >>> import tfc.compat.v1 as tf
    >>> made = tf.summary.audio("heard", tf.zeros([1, 8]), 8000, max_outputs=1)
    >>> [(v.tag, v.audio.length_frames) for v in tf.Summary.FromString(made.numpy()).value]
    [('heard/audio', 8)]
    """
    value = _tfc.convert_to_tensor(tensor)
    if value.shape.rank not in (None, 2, 3):
        text = f"sounds of rank 2 or 3 are wanted, got the shape {value.shape}"
        raise blame.value_error(text, "summary.audio")
    rate = float(sample_rate)

    def parts(tag: str, sounds: np.ndarray) -> list[dict[str, Any]]:
        found = []
        for i, frames in enumerate(sounds[:max_outputs]):
            frames = frames.reshape(len(frames), -1)
            whole = {
                "sample_rate": rate,
                "num_channels": frames.shape[1],
                "length_frames": len(frames),
                "encoded_audio_string": wav(frames.astype(np.float32), int(rate)),
                "content_type": "audio/wav",
            }
            called = f"{tag}/audio" if max_outputs == 1 else f"{tag}/audio/{i}"
            found.append({"tag": called, "audio": whole})
        return found

    return _summary(name, family, value, parts, collections)


def tensor_summary(
    name: str,
    tensor: TensorLike,
    summary_description: str | None = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Any:
    """A tensor, of any dtype and shape, as a serialised `Summary`: see `scalar`.

    Args:
        name: What it is called; names of scopes around stand in front of it.
        tensor: The tensor.
        summary_description: What is said of it.
        collections: Of the graph, to which it is added; None: that of all summaries.
        summary_metadata: A `SummaryMetadata`, which says how it is shown.
        family: What stands in front of all names, twice, as TensorFlow 1 has it.
        display_name: What it is called where it is shown.

    Returns:
        A scalar string; in a graph, what a session fetches as one.

    >>> import tfc.compat.v1 as tf
    >>> made = tf.summary.tensor_summary("numbers", [1.0, 2.0])
    >>> tf.Summary.FromString(made.numpy()).value[0].WhichOneof("value")
    'tensor'
    """
    metadata = SummaryMetadata() if summary_metadata is None else summary_metadata
    if display_name is not None:
        metadata.display_name = display_name
    if summary_description is not None:
        metadata.summary_description = summary_description

    def parts(tag: str, array: np.ndarray) -> list[dict[str, Any]]:
        held = array.astype(object) if array.dtype.kind in "SU" else array
        return [{"tag": tag, "tensor": proto_of(held), "metadata": metadata}]

    return _summary(name, family, _tfc.convert_to_tensor(tensor), parts, collections)


def text(name: str, tensor: TensorLike, collections: Any = None) -> Any:
    """Text as a serialised `Summary`: see `scalar`.

    Args:
        name: What it is called; names of scopes around stand in front of it.
        tensor: Strings.
        collections: Of the graph, to which it is added; None: that of all summaries.

    Returns:
        A scalar string; in a graph, what a session fetches as one.

    Raises:
        ValueError: If they are no strings.

    >>> import tfc.compat.v1 as tf
    >>> made = tf.summary.text("said", tf.constant("hello"))
    >>> tf.Summary.FromString(made.numpy()).value[0].tensor.string_val
    [b'hello']
    """
    value = _tfc.convert_to_tensor(tensor)
    if value.dtype is not _tfc.string:
        said = f"Expected tensor {name} to have dtype string, got {value.dtype.name}"
        raise blame.value_error(said, "summary.text")
    metadata = SummaryMetadata(plugin_data={"plugin_name": "text"})
    return tensor_summary(name, value, None, collections, metadata)


__all__ = ["audio", "histogram", "image", "scalar", "tensor_summary", "text"]
