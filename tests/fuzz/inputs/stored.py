"""What files.py damages and has a form of its own: tables, event files, saved datasets, Snappy's
blocks. How to write them, to change them with checksums made right, and to read them."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path

import tfc as tf
from tests.fuzz.inputs.attempts import Wrong
from tfc.records import snappy, table, tfrecord, wire
from tfc.records.event import Event

Harm = Callable[[bytes, random.Random], bytes]

PAIRS = [(f"key {i:02d}".encode(), bytes([i]) * (3 * i % 40)) for i in range(40)]
TEXT = b"the same and the same and the same, and what else"


def packed() -> bytes:
    """TEXT as Snappy has it: a literal, copies of all three kinds, a literal."""
    first, last = TEXT[:13], TEXT[34:]
    near = bytes([(8 - 4) << 2 | 1, 13])
    far = struct.pack("<BH", (10 - 1) << 2 | 2, 13)
    farthest = struct.pack("<BI", (3 - 1) << 2 | 3, 13)
    literals = [bytes([(len(part) - 1) << 2]) + part for part in (first, last)]
    return wire.varint(len(TEXT)) + literals[0] + near + far + farthest + literals[1]


def with_snappy() -> bytes:
    """A table of one pair, whose value is TEXT, in a compressed block."""
    block = table._block([(b"key", TEXT)], 1)
    head = len(block) - len(TEXT) - 8
    literal = bytes([(head - 1) << 2]) + block[:head]
    body = packed()[1:]
    tail = bytes([(8 - 1) << 2]) + block[-8:]
    return sealed_table(wire.varint(len(block)) + literal + body + tail, b"\x01")


def sealed_table(block: bytes, kind: bytes) -> bytes:
    """A table whose one block of entries is this."""

    def closed(data: bytes, how: bytes) -> bytes:
        return data + how + struct.pack("<I", tfrecord.masked_crc32c(data + how))

    first = closed(block, kind)
    meta = closed(table._block([], 1), b"\0")
    handle = wire.varint(0) + wire.varint(len(block))
    index = table._block([(b"\xff", handle)], 1)
    places = wire.varint(len(first)) + wire.varint(len(meta) - 5)
    places += wire.varint(len(first) + len(meta)) + wire.varint(len(index))
    footer = places.ljust(40, b"\0") + struct.pack("<Q", table.MAGIC)
    return first + meta + closed(index, b"\0") + footer


def events(folder: Path) -> bytes:
    """An event file."""
    writer = tf.summary.create_file_writer(str(folder))
    with writer.as_default():
        tf.summary.scalar("loss", 0.5, step=1)
        tf.summary.text("words", "some", step=2)
        tf.summary.histogram("weights", [1.0, 2.0], step=3)
        tf.summary.image("pixels", tf.zeros([1, 2, 2, 3]), step=3)
    writer.close()
    (path,) = folder.iterdir()
    data = path.read_bytes()
    path.unlink()
    return data


ELEMENTS = [(i, b"%d" % i, [i] * (i % 3)) for i in range(5)]


def dataset(folder: Path) -> dict[str, bytes]:
    """The parts of a saved dataset: numbers, strings and ragged rows."""
    ragged = tf.ragged.constant([row for _, _, row in ELEMENTS], dtype=tf.int64)
    columns = tf.range(5), [text for _, text, _ in ELEMENTS], ragged
    tf.data.Dataset.from_tensor_slices(columns).save(str(folder))
    (run,) = folder.glob("run-*")
    found = {"dataset.json": (folder / "dataset.json").read_bytes()}
    found["shard"] = (run / "00000000").read_bytes()
    (run / "00000000").unlink()
    run.rmdir()
    (folder / "dataset.json").unlink()
    return found


# Changes behind which checksums are right.


def other_block(data: bytes, rng: random.Random, harmed: Harm) -> bytes:
    """A table whose block of entries is damaged, and has the checksum of that."""
    kind, whole = rng.choice(((b"\0", table._block(PAIRS, 16)), (b"\x01", b"")))
    return sealed_table(harmed(whole or packed(), rng), kind)


def other_description(data: bytes, rng: random.Random, harmed: Harm) -> bytes:
    """What a dataset says of itself, with something changed in it."""
    line = data.splitlines()[0] if data else b"{}"
    try:
        said = json.loads(line)
        key = rng.choice(sorted(said))
        said[key] = rng.choice(
            [None, "x", -1, 2**70, [], {}, [[1]], said[rng.choice(sorted(said))]]
        )
        line = json.dumps(said).encode()
    except (ValueError, TypeError, IndexError, AttributeError):
        line = harmed(line, rng)
    return line + b"\n%08x\n" % tfrecord.masked_crc32c(line)


def other_event(data: bytes, rng: random.Random, harmed: Harm) -> bytes:
    """A file whose events are damaged, and have the checksums of that."""
    (length,) = struct.unpack_from("<Q", data) if len(data) >= 8 else (0,)
    body = data[12 : 12 + min(length, len(data))]
    return tfrecord.framed(harmed(body, rng)) + data[16 + len(body) :]


# What reads them.


def read_tables(data: bytes, sealed: bool) -> None:
    found = table.read(data, "it")
    if not sealed and not set(found.items()) <= {*PAIRS, (b"key", TEXT)}:
        raise Wrong(f"pairs were read that were not written: {found!r:.500}")


def read_snappy(data: bytes, sealed: bool) -> None:
    if len(snappy.decompress(memoryview(data), "it")) > 64 * len(data):
        raise Wrong("a block becomes much larger than one can")


def read_events(path: Path, sealed: bool, whole: bytes) -> None:
    right = _records(whole)
    for record in tfrecord.read(str(path)):
        if not sealed and record not in right:
            raise Wrong(f"an event was read that was not written: {record!r:.500}")
        str(Event.FromString(record))


def _records(data: bytes) -> set[bytes]:
    """The records of a file that is right."""
    found, at = set(), 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        found.add(data[at + 12 : at + 12 + length])
        at += 16 + length
    return found


def read_dataset(folder: Path, sealed: bool) -> None:
    description = (folder / "dataset.json").read_bytes()
    try:
        run = json.loads(description.splitlines()[0])["folder"]
        if isinstance(run, str) and run.startswith("run-") and "/" not in run and "\0" not in run:
            (folder / run).mkdir()
            (folder / "shard").rename(folder / run / "00000000")
    except (ValueError, TypeError, KeyError, IndexError, OSError):
        pass
    for number, text, row in tf.data.Dataset.load(str(folder)):
        element = int(number), text.numpy(), [int(x) for x in row]
        if not sealed and element not in ELEMENTS:
            raise Wrong(f"an element was read that was not written: {element}")
