"""Files of records: what is written is read, and damage is never a record."""

from __future__ import annotations

import ctypes
import gzip
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu import crc32c_instruction
from tfc.backends.cpu import records as native
from tfc.backends.cpu.machine import describe
from tfc.records import tfrecord

v1 = tf.compat.v1

DRAW = random.Random(1)
RECORDS = [DRAW.randbytes(n) for n in (0, 1, 7, 8, 9, 900, 5000, 0, 3 << 20, 17)]
# As TensorFlow 2.21 wrote it: b"first", b"".
WRITTEN = bytes.fromhex(
    "0500000000000000eab2043e666972737455ff23e5000000000000000029039807d8ea82a2"
)


def crc(data: bytes) -> int:
    """CRC-32C, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def test_checksums() -> None:
    assert native.crc32c(b"123456789") == 0xE3069283  # RFC 3720
    assert native.crc32c(bytes(32)) == 0x8A9136AA
    for n in (*range(20), 100, 257):
        data = DRAW.randbytes(n)
        assert native.crc32c(data) == crc(data)
        assert native.crc32c(np.frombuffer(data, np.uint8)) == crc(data)
        for cut in (0, n // 3, n):
            assert native.crc32c(data[cut:], native.crc32c(data[:cut])) == crc(data)


def test_checksums_of_much() -> None:
    """Three parts go side by side; of little, one does."""
    data = DRAW.randbytes(30_000)
    for size in (6143, 6144, 6145, 6151, 12_288, 12_300, 30_000):
        for start in range(3):
            whole, one = native.crc32c(data[start:size], 5), 5
            for at in range(start, size, 1001):
                one = native.crc32c(data[at : min(size, at + 1001)], one)
            assert one == whole


def test_processors_without_the_instruction() -> None:
    def text(triple: str, features: dict[str, bool]) -> str:
        return crc32c_instruction.text(describe(triple, features), "f", 0)

    assert text("x86_64-linux", {"sse4.2": False}) == text("riscv64-linux", {}) == ""
    assert "@llvm.x86.sse42.crc32.64.64(i64" in text("x86_64-linux", {"sse4.2": True})
    assert "@llvm.aarch64.crc32cx(i32" in text("aarch64-linux", {"crc": True})
    library, _ = native._library().kept
    if "tfc_crc32c_by_tables" in library.addresses:
        kinds = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_int64)
        by_tables = ctypes.CFUNCTYPE(ctypes.c_uint32, *kinds)(
            library.address("tfc_crc32c_by_tables")
        )
        for size in (0, 1, 9, 100, 7000):
            data = DRAW.randbytes(size)
            assert by_tables(native._library().tables, 3, data, size) == native.crc32c(data, 3)


@pytest.mark.parametrize("options", [None, "GZIP", "ZLIB", tf.io.TFRecordOptions("GZIP")])
def test_what_is_written_is_read(tmp_path: Path, options: Any) -> None:
    path = tmp_path / "records"
    with tf.io.TFRecordWriter(path, options) as writer:
        for i, record in enumerate(RECORDS):
            writer.write(record)
            if i == 4:
                writer.flush()
    writer.close()
    assert list(v1.io.tf_record_iterator(path, options)) == RECORDS
    with pytest.raises(tf.errors.FailedPreconditionError, match="the writer is closed"):
        writer.write(b"late")


def test_the_bytes_of_a_file(tmp_path: Path) -> None:
    """Length, its checksum, bytes, their checksum; each masked."""

    def masked(data: bytes) -> bytes:
        value = crc(data)
        return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)

    path = tmp_path / "records"
    with tf.io.TFRecordWriter(str(path)) as writer:
        writer.write(b"first")
        writer.write("zweite")
    parts = []
    for record in (b"first", b"zweite"):
        head = struct.pack("<Q", len(record))
        parts += [head, masked(head), record, masked(record)]
    assert path.read_bytes() == b"".join(parts)
    with tf.io.TFRecordWriter(path, "GZIP") as writer:
        writer.write(b"first")
    assert gzip.decompress(path.read_bytes()) == b"".join(parts[:4])


@pytest.mark.parametrize("options", ["", "GZIP", "ZLIB"])
def test_damage(tmp_path: Path, options: str) -> None:
    """Each byte changed, and each end too early: records before it, then a DataLossError."""
    path = tmp_path / "records"
    records = [b"first", b"", b"a" * 40]
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    whole = path.read_bytes()
    starts = [0, 21, 37, 93]  # where records begin and end
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        for data in (bytes(changed), whole[:place]):
            path.write_bytes(data)
            found: list[bytes] = []
            ended = False
            try:
                for record in v1.io.tf_record_iterator(path, options):
                    found.append(record)
                ended = True
            except tf.errors.DataLossError as error:
                assert str(path) in str(error)
            assert found == records[: len(found)]
            if ended:
                # A file that ends between two records is whole; of GZIP's header not all counts.
                assert (
                    data == whole[:place] and place in starts
                    if not options
                    else (found == records or not data)
                )


def test_lengths_that_no_file_has(tmp_path: Path) -> None:
    """Right checksums, and lengths made to attack."""
    path = tmp_path / "records"
    for length in (1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        head = struct.pack("<Q", length)
        path.write_bytes(head + struct.pack("<I", tfrecord.masked_crc32c(head)) + b"abc")
        with pytest.raises(tf.errors.DataLossError, match=r"ends within|is damaged"):
            list(v1.io.tf_record_iterator(path))


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.NotFoundError, match="no such file"):
        list(v1.io.tf_record_iterator(tmp_path / "none"))
    with pytest.raises(tf.errors.NotFoundError, match="no such file"):
        tf.io.TFRecordWriter(tmp_path / "none" / "a")
    with pytest.raises(ValueError, match="'GZIP' or 'ZLIB', not 'LZ4'"):
        tf.io.TFRecordWriter(tmp_path / "a", "LZ4")
    with (
        tf.io.TFRecordWriter(tmp_path / "a") as writer,
        pytest.raises(TypeError, match="a record is bytes, got 5 of int"),
    ):
        writer.write(5)  # type: ignore[arg-type]


def test_a_file_of_tensorflow(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_bytes(WRITTEN)
    assert list(v1.io.tf_record_iterator(path)) == [b"first", b""]
