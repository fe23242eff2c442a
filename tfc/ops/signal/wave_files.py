"""Sound as WAV files hold it: chunks with a name and a length, of which "fmt " says how many
channels and samples a second there are, and "data" has the samples, 16 bits each."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tfc.ir.dtypes import float32, int32

from ...core import blame
from ...core.conversion import convert_to_tensor, operand
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ..arguments import whole_number
from ..on_host import Call, Shape, on_host, scalar
from ..strings.text import as_bytes

_RIFF = struct.Struct("<4sI4s")
_CHUNK = struct.Struct("<4sI")
_FORMAT = struct.Struct("<HHIIHH")
_PCM = 1  # samples as they are
_SCALE = np.float32(1 << 15)


class DecodedWav(NamedTuple):
    """What a WAV file holds."""

    audio: Tensor
    sample_rate: Tensor


class _Format(NamedTuple):
    """What the chunk "fmt " says."""

    kind: int
    channels: int
    rate: int
    bytes_a_second: int
    bytes_a_frame: int
    bits: int


def _of_one(
    contents: TensorLike, desired_channels: int = -1, desired_samples: int = -1, name: object = None
) -> DecodedWav:
    """Something like a sound: what traces look at."""
    return DecodedWav(wrap(np.zeros((1, 1), np.float32)), convert_to_tensor(1, int32))


def _extents(call: Call) -> Sequence[Shape | None]:
    wanted = (call.arguments["desired_samples"], call.arguments["desired_channels"])
    return (tuple(n if n >= 0 else None for n in wanted), ())


@on_host("audio.decode_wav", _extents, sample=_of_one)
def decode_wav(
    contents: TensorLike,
    desired_channels: int = -1,
    desired_samples: int = -1,
    name: str | None = None,
) -> DecodedWav:
    """The sound in the bytes of a WAV file of 16-bit samples, which become floats from -1 to 1.

    Unlike TensorFlow, the byte that fills up a chunk of odd length is known.

    Args:
        contents: The bytes of the file: a scalar string.
        desired_channels: How many channels are wanted: further ones are left out, and the last one
            is repeated where the file has fewer. -1 for those that it has.
        desired_samples: How many samples are wanted: further ones are left out, and zeros follow
            where the file has fewer. -1 for all.

    Returns:
        A named tuple of `audio`, float32 [samples, channels], and `sample_rate`, an int32 scalar.

    Raises:
        InvalidArgumentError: If it is no such file, or a number is less than -1.
        TypeError: If `contents` is no string.

    >>> import tfc as tf
    >>> data = tf.audio.encode_wav([[0.5], [-1.0]], sample_rate=8000)
    >>> audio, sample_rate = tf.audio.decode_wav(data)
    >>> print(audio.numpy().tolist(), int(sample_rate))
    [[0.5], [-1.0]] 8000
    """
    op = "audio.decode_wav"
    channels = _wanted(desired_channels, "desired_channels", op)
    samples = _wanted(desired_samples, "desired_samples", op)
    form, data = _parts(as_bytes(contents, "contents", op), op)
    frames = len(data) // form.bytes_a_frame
    found = np.frombuffer(data, "<i2", frames * form.channels).reshape(frames, form.channels)
    if samples >= 0:
        found = found[:samples]
    if channels >= 0:
        found = found[:, np.minimum(np.arange(channels), form.channels - 1)]
    audio = found.astype(np.float32) / _SCALE
    if samples > frames:
        audio = np.pad(audio, ((0, samples - frames), (0, 0)))
    return DecodedWav(wrap(np.ascontiguousarray(audio)), convert_to_tensor(form.rate, int32))


def _at_some_rate(audio: TensorLike, sample_rate: TensorLike, name: object = None) -> Tensor:
    """What traces look at: their example of a rate is 0."""
    return _encoded(audio, 1)


@on_host("audio.encode_wav", scalar, sample=_at_some_rate)
def encode_wav(audio: TensorLike, sample_rate: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of a WAV file with a sound, in samples of 16 bits.

    Args:
        audio: float32 [samples, channels], from -1 to 1; what is beyond is clamped.
        sample_rate: Samples a second.

    Returns:
        A scalar string.

    Raises:
        InvalidArgumentError: If the shape or dtype is another one, there is no channel, or
            `sample_rate` is not positive.

    >>> import tfc as tf
    >>> tf.audio.encode_wav(tf.zeros([4, 2]), 44100).numpy()[:4]
    b'RIFF'
    """
    return _encoded(audio, sample_rate)


def _encoded(audio: TensorLike, sample_rate: TensorLike) -> Tensor:
    op = "audio.encode_wav"
    sound = audio if isinstance(audio, Tensor) else convert_to_tensor(audio, float32)
    if sound.dtype is not float32:
        raise blame.invalid_dtype(f"{op}: audio must be float32, got {sound.dtype.name}", op)
    if len(sound.shape) != 2 or not sound.shape[1]:
        raise blame.invalid(f"audio must be [samples, channels], got {sound.shape}", op)
    rate = whole_number(sample_rate, "sample_rate", op)
    if not 0 < rate < 1 << 31:
        raise blame.invalid(f"sample_rate must be positive and an int32, got {rate}", op)
    channels = int(sound.shape[1])
    if channels >= 1 << 15:
        raise blame.invalid(f"a WAV file has less than {1 << 15} channels, not {channels}", op)
    scaled = np.nan_to_num(sound.numpy().astype(np.float64), posinf=1, neginf=-1) * (1 << 15)
    rounded = np.trunc(scaled + np.copysign(0.5, scaled))  # halves away from 0
    data = np.clip(rounded, -(1 << 15), (1 << 15) - 1).astype("<i2").tobytes()
    if len(data) >= 1 << 32:
        raise blame.invalid(f"a WAV file holds less than 4 GiB, not {len(data)} bytes", op)
    frame = 2 * channels
    form = _FORMAT.pack(_PCM, channels, rate, min(frame * rate, (1 << 32) - 1), frame, 16)
    body = _CHUNK.pack(b"fmt ", len(form)) + form + _CHUNK.pack(b"data", len(data)) + data
    return operand(op, _RIFF.pack(b"RIFF", 4 + len(body), b"WAVE") + body)


def _wanted(value: int, what: str, op: str) -> int:
    found = whole_number(value, what, op)
    if found < -1:
        raise blame.invalid(f"{what} must be >= -1, got {found}", op)
    return found


def _parts(data: bytes, op: str) -> tuple[_Format, bytes]:
    """The format and the samples of a file."""
    if len(data) < _RIFF.size or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise blame.invalid(f"no WAV file ({len(data)} bytes)", op)
    form: _Format | None = None
    samples: bytes | None = None
    for name, chunk in _chunks(data, op):
        if name == b"fmt " and form is None:
            form = _format(chunk, op)
        elif name == b"data" and samples is None:
            samples = chunk
    if form is None:
        raise blame.invalid("no format chunk found in WAV", op)
    if samples is None:
        raise blame.invalid("no data chunk found in WAV", op)
    if len(samples) % form.bytes_a_frame:
        raise blame.invalid(f"the last sample of a WAV file is cut: {len(samples)} bytes", op)
    return form, samples


def _chunks(data: bytes, op: str) -> Iterator[tuple[bytes, bytes]]:
    """The names and bytes of the chunks."""
    place = _RIFF.size
    while place < len(data):
        if len(data) - place < _CHUNK.size:
            raise blame.invalid(f"a chunk of a WAV file is cut at byte {len(data)}", op)
        name, length = _CHUNK.unpack_from(data, place)
        place += _CHUNK.size
        if len(data) - place < length:
            raise blame.invalid(f"a chunk of a WAV file is cut at byte {len(data)}", op)
        yield name, data[place : place + length]
        place += length
        if length % 2 and data[place : place + 1] == b"\0":  # some writers leave it out
            place += 1


def _format(chunk: bytes, op: str) -> _Format:
    if len(chunk) not in (16, 18):
        raise blame.invalid(f"bad format chunk size for WAV: 16 or 18, not {len(chunk)}", op)
    form = _Format(*_FORMAT.unpack_from(chunk))
    if form.kind != _PCM:
        raise blame.invalid(f"bad audio format for WAV: 1 (PCM), not {form.kind}", op)
    if not form.channels:
        raise blame.invalid("bad number of channels for WAV: 0", op)
    if form.bits != 16:
        raise blame.invalid(f"can only read 16-bit WAV files, but received {form.bits}", op)
    if form.rate >= 1 << 31:
        raise blame.invalid(f"bad sample rate for WAV: {form.rate}", op)
    frame = 2 * form.channels
    if form.bytes_a_frame != frame or form.bytes_a_second != min(frame * form.rate, (1 << 32) - 1):
        raise blame.invalid("bad bytes per sample or second in WAV header", op)
    return form


__all__ = ["DecodedWav", "decode_wav", "encode_wav"]
