"""Sound in WAV files: what TensorFlow 2.21 gave for the same bytes."""

from __future__ import annotations

import random
import struct
from typing import Any

import numpy as np
import pytest

import tfc as tf

INVALID = tf.errors.InvalidArgumentError
SOUND = [[0.5], [-1.0], [1.0], [2.0], [0.00001], [0.1], [0.50001]]
# As TensorFlow writes it.
FILE = (
    b"RIFF2\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0\x80>\0\0\2\0\x10\0data\x0e\0\0\0"
    b"\0@\0\x80\xff\x7f\xff\x7f\0\0\xcd\x0c\0@"
)
STEREO = tf.audio.encode_wav([[0.5, 0.25], [-1.0, 0.125], [0.0, 0.75]], 8000).numpy()


def wav(
    bits: int = 16,
    kind: int = 1,
    channels: int = 1,
    data: bytes = b"\0\1\2\3",
    size: int = 16,
    before: bytes = b"",
    said: int | None = None,
    second: int | None = None,
    frame: int | None = None,
) -> bytes:
    frame = channels * bits // 8 if frame is None else frame
    second = 8000 * frame if second is None else second
    form = struct.pack("<HHIIHH", kind, channels, 8000, second, frame, bits) + b"\0" * (size - 16)
    said = len(data) if said is None else said
    body = b"WAVEfmt " + struct.pack("<I", size) + form + before
    body += b"data" + struct.pack("<I", said) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def test_the_same_bytes_and_floats() -> None:
    assert tf.audio.encode_wav(SOUND, 8000).numpy() == FILE
    assert tf.audio.encode_wav(np.asarray(SOUND, np.float64), 8000).numpy() == FILE
    audio, rate = tf.audio.decode_wav(FILE)
    high = 32767 / 32768
    assert audio[:, 0].numpy().tolist() == [0.5, -1, high, high, 0, np.float32(3277 / 32768), 0.5]
    assert audio.dtype is tf.float32 and rate.dtype is tf.int32 and int(rate) == 8000
    edges = tf.audio.encode_wav([[float("nan")], [float("inf")], [-float("inf")]], 5).numpy()
    assert edges[-6:] == b"\0\0\xff\x7f\0\x80"
    assert tf.audio.decode_wav(tf.audio.encode_wav(tf.zeros([0, 1]), 5)).audio.shape == [0, 1]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [[0.5, 0.25], [-1.0, 0.125], [0.0, 0.75]]),
        ({"desired_channels": 1}, [[0.5], [-1.0], [0.0]]),
        ({"desired_channels": 3}, [[0.5, 0.25, 0.25], [-1.0, 0.125, 0.125], [0.0, 0.75, 0.75]]),
        ({"desired_channels": 0}, [[], [], []]),
        ({"desired_samples": 2}, [[0.5, 0.25], [-1.0, 0.125]]),
        ({"desired_samples": 4}, [[0.5, 0.25], [-1.0, 0.125], [0.0, 0.75], [0.0, 0.0]]),
        ({"desired_samples": 0}, []),
    ],
)
def test_what_is_wanted(options: dict[str, Any], expected: list[Any]) -> None:
    assert tf.audio.decode_wav(STEREO, **options).audio.numpy().tolist() == expected


def test_in_functions() -> None:
    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def louder(contents: Any) -> Any:
        audio, rate = tf.audio.decode_wav(contents, 1, 4)
        assert audio.shape == [4, 1] and rate.shape == []
        return tf.audio.encode_wav(audio * 2.0, rate)

    audio = tf.audio.decode_wav(louder(STEREO)).audio
    assert audio[:, 0].numpy().tolist() == [32767 / 32768, -1, 0, 0]
    known = tf.function(lambda x: tf.audio.decode_wav(x).audio)
    traced = known.get_concrete_function(tf.TensorSpec([], tf.string))
    assert traced.structured_outputs.shape.rank == 2


@pytest.mark.parametrize(
    "given",
    [
        {"size": 18},
        {"before": b"LIST\4\0\0\0abcd"},
        {"before": b"LIST\3\0\0\0abc"},
        {"before": b"LIST\3\0\0\0abc\0"},  # TensorFlow does not know the byte that fills up
    ],
)
def test_other_chunks(given: dict[str, Any]) -> None:
    found = tf.audio.decode_wav(wav(**given)).audio
    assert found.numpy().tolist() == [[0.0078125], [0.02349853515625]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bits": 8}, "only read 16-bit"),
        ({"bits": 24, "data": b"\0" * 6}, "only read 16-bit"),
        ({"kind": 3, "bits": 32}, "bad audio format"),
        ({"size": 40}, "bad format chunk size"),
        ({"data": b"\0\1\2"}, "cut"),
        ({"channels": 2, "data": b"\0" * 6}, "cut"),
        ({"said": 100}, "cut"),
        ({"said": 2}, "cut"),
        ({"channels": 0}, "bad number of channels"),
        ({"second": 1}, "bad bytes per"),
        ({"frame": 4}, "bad bytes per"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(INVALID, match=message):
        tf.audio.decode_wav(wav(**given))


def test_damage_and_other_arguments() -> None:
    for count in range(len(FILE)):
        with pytest.raises(INVALID):
            tf.audio.decode_wav(FILE[:count])
    draw = random.Random(1)
    for _ in range(300):
        damaged = bytearray(FILE)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        try:
            audio, _ = tf.audio.decode_wav(bytes(damaged))
        except INVALID:
            continue
        assert audio.ndim == 2
    for call in (
        lambda: tf.audio.encode_wav([0.5], 8000),
        lambda: tf.audio.encode_wav(tf.zeros([1, 0]), 8000),
        lambda: tf.audio.encode_wav(tf.zeros([1, 1], tf.int32), 8000),
        lambda: tf.audio.encode_wav([[0.5]], 0),
        lambda: tf.audio.decode_wav(FILE, desired_samples=-2),
    ):
        with pytest.raises(INVALID):
            call()
    with pytest.raises(TypeError):
        tf.audio.decode_wav([FILE])
