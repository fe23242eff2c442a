"""Values as TensorBoard reads them: summaries of tensors, buckets, image files, sound files.

All of it is NumPy: it runs once a summary is written, and not in programs.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

import numpy as np

from ..records import wire
from ..records.tensor import proto_of

# Fields of Summary and Summary.Value.
_VALUE, _TAG, _TENSOR, _METADATA = 1, 1, 8, 9
_FLOAT = struct.Struct("<f")
_LARGE = np.finfo(np.float64).max / 2


def summary_of(tag: str, array: np.ndarray, metadata: bytes) -> bytes:
    """A serialised `Summary` of one tensor."""
    parts = [
        wire.block(_TAG, tag.encode()),
        wire.block(_TENSOR, proto_of(array).SerializeToString()),
    ]
    if metadata:
        parts.append(wire.block(_METADATA, metadata))
    return wire.block(_VALUE, b"".join(parts))


@lru_cache(maxsize=1024)
def around_scalar(tag: str, metadata: bytes) -> tuple[bytes, bytes]:
    """What stands before and behind the four bytes of a float32 in its summary."""
    mark = b"\x9d\xa1\xc5\x7e"
    whole = summary_of(tag, np.frombuffer(mark, np.float32)[0:1].reshape(()), metadata)
    place = whole.rindex(wire.block(4, mark)) + 2  # the field of the elements
    return whole[:place], whole[place + 4 :]


def float_bytes(number: float) -> bytes:
    """A float32."""
    try:
        return _FLOAT.pack(number)
    except OverflowError:  # beyond the largest one
        return _FLOAT.pack(float("inf") if number > 0 else float("-inf"))


def buckets(data: np.ndarray, count: int) -> np.ndarray:
    """A histogram: rows of left edge, right edge and how many elements, as TensorBoard makes them.

    Edges are evenly spaced between the least and the greatest element. If all are equal, they are
    in the last bucket; if there are none, there is nothing in any. What is not finite is left out.
    """
    values = data.astype(np.float64).reshape(-1)
    values = values[np.isfinite(values)]
    if not count or not values.size:
        return np.zeros((count, 3))
    low, high = values.min(), values.max()
    if max(-low, high) > _LARGE:  # their distance may be no float
        return buckets(values / 4, count) * [4, 4, 1]
    width = (high - low) / count
    if width == 0:
        places = np.full(1, count - 1)
        numbers: np.ndarray = np.bincount(places, [values.size], count)
    else:
        places = np.floor((values - low) / width).astype(np.int64)
        numbers = np.bincount(np.minimum(places, count - 1), minlength=count)
    edges = np.linspace(low, high, count + 1)
    return np.stack([edges[:-1], edges[1:], numbers.astype(np.float64)], axis=1)


def png(pixels: np.ndarray) -> bytes:
    """The PNG file of an image [height, width, 1 to 4 channels] of uint8 (RFC 2083): rows without
    filters, compressed."""
    height, width, channels = pixels.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    body = zlib.compress(rows.tobytes())
    parts = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


def wav(samples: np.ndarray, rate: int) -> bytes:
    """The WAV file of a sound [frames, channels] of floats from -1 to 1: 16 bits a sample."""
    channels = samples.shape[1]
    scaled = samples.astype(np.float32) * np.float32(32768)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))  # halves away from 0
    data = np.clip(rounded, -32768, 32767).astype("<i2").tobytes()
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    chunks = (
        b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data))
    )
    return b"RIFF" + struct.pack("<I", len(chunks) + len(data)) + chunks + data
