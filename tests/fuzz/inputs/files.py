"""Bytes that somebody damaged, or wrote to attack: records, serialised examples and tensors,
checkpoints, safetensors, vocabularies; tables, event files and saved datasets (stored.py). Each is
read into what was written, or a clear error; where there are checksums, they are found wrong, or
were made right again by who has changed the rest."""

from __future__ import annotations

import random
import shutil
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tests.fuzz.inputs import stored
from tests.fuzz.inputs.attempts import RESULT, Kind, Wrong, counted, scratch
from tfc.records import table, tfrecord, wire

SPANS = (0, 1, 2, 7, 127, 128, 2**16, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63, 2**64 - 1)
VARIANTS = 16  # of each subject, so that most attempts are about others

Parts = Mapping[str, bytes]


@dataclass(frozen=True)
class File:
    """What is read: parts by name; whether their checksums are made right before."""

    name: str
    parts: dict[str, bytes]
    sealed: bool = False
    changes: tuple[str, ...] = field(default=())  # of which parts


def feature(**lists: Any) -> Any:
    return tf.train.Feature(**{kind: {"value": values} for kind, values in lists.items()})


@cache
def examples() -> tuple[bytes, bytes]:
    """An example, and one of sequences."""
    context = tf.train.Features(
        feature={
            "x": feature(int64_list=[3, -1, 2**62, 0]),
            "i": feature(int64_list=[5, 0]),
            "s": feature(bytes_list=[b"abc", b""]),
            "f": feature(float_list=[0.5, -2.0]),
        }
    )
    rows = tf.train.FeatureList(feature=[feature(int64_list=[1]), feature(int64_list=[2, 3])])
    lists = tf.train.FeatureLists(feature_list={"r": rows})
    sequence = tf.train.SequenceExample(context=context, feature_lists=lists)
    return tf.train.Example(features=context).SerializeToString(), sequence.SerializeToString()


FEATURES = {
    "x": tf.io.FixedLenFeature([2, 2], tf.int64),
    "s": tf.io.RaggedFeature(tf.string),
    "f": tf.io.VarLenFeature(tf.float32),
    "p": tf.io.SparseFeature("i", "f", tf.float32, 8),
    "d": tf.io.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
}
ARRAYS = {
    "float": np.arange(6, dtype=np.float32).reshape(2, 3),
    "text": np.array([b"a", b"", b"long" * 9], object),
    "int": np.array([[1], [-1]], np.int64),
}
RECORDS = [b"first", b"", b"a" * 40, b"last"]


def objects() -> Any:
    parts = {f"v{i}": tf.Variable(np.full(3, float(i), np.float32)) for i in range(4)}
    return tf.train.Checkpoint(**parts, step=tf.Variable(7, dtype=tf.int64))


@cache
def written() -> dict[str, dict[str, bytes]]:
    """The parts of each subject."""
    folder = scratch() / "written"
    folder.mkdir()
    example, sequence = examples()
    found = {"examples": {"data": example}, "sequences": {"data": sequence}}
    for name, array in ARRAYS.items():
        found[f"tensors {name}"] = {"data": bytes(tf.io.serialize_tensor(array).numpy())}
    for kind in ("", "GZIP", "ZLIB"):
        with tf.io.TFRecordWriter(folder / "records", kind) as writer:
            for record in RECORDS:
                writer.write(record)
        found[f"records {kind}"] = {"records": (folder / "records").read_bytes()}
        (folder / "records").unlink()
    for name in ("it", "it.safetensors"):
        objects().write(folder / name)
        found[f"checkpoints {name}"] = {p.name: p.read_bytes() for p in sorted(folder.iterdir())}
        for path in folder.iterdir():
            path.unlink()
    found["vocabularies"] = {"words": b"one\ntwo\nthree\n", "pairs": b"a\t1\nb\t2\nc\t-3\n"}
    found["tables"] = {"table": table.write(stored.PAIRS, 200)}
    found["tables snappy"] = {"table": stored.with_snappy()}
    found["snappy"] = {"block": stored.packed()}
    found["events"] = {"events": stored.events(folder)}
    found["datasets"] = stored.dataset(folder)
    folder.rmdir()
    return found


NAMES = (
    *("examples", "sequences", *(f"tensors {n}" for n in ARRAYS), "records ", "records GZIP"),
    *("records ZLIB", "checkpoints it", "checkpoints it.safetensors", "vocabularies"),
    *("tables", "tables snappy", "snappy", "events", "datasets"),
)


def harmed(data: bytes, rng: random.Random) -> bytes:
    """One thing changed: bits, bytes, a length, what follows; or all of it."""
    if not data:
        return rng.randbytes(rng.choice((1, 8, 50)))
    changed, i = bytearray(data), rng.randrange(len(data))
    match rng.randrange(10):
        case 0:
            changed[i] ^= 1 << rng.randrange(8)
        case 1:
            changed[i] = rng.choice((0, 1, 2, 9, 10, 13, 34, 44, 123, 127, 128, 255))
        case 2:
            del changed[i : i + rng.choice((1, 1, 2, 4, 8, 64))]
        case 3:
            changed[i:i] = rng.randbytes(rng.choice((1, 2, 8)))
        case 4:
            del changed[i:]
        case 5:
            changed[i : i + 1] = wire.varint(rng.choice(SPANS))
        case 6:
            changed[i : i + 8] = struct.pack("<Q", rng.choice(SPANS))
        case 7:
            end = min(len(data), i + rng.choice((4, 16, 64)))
            changed[i:i] = changed[i:end] * rng.choice((1, 2, 30))
        case 8:
            changed += wire.varint(15 << 3) + wire.varint(1)  # a field that no message knows
        case _:
            changed[i:] = rng.randbytes(len(data) - i)
    return bytes(changed)


class Files(Kind):
    """Read into what was written, as far as checksums tell, or a clear error."""

    name = "files"
    weight = 3

    def names(self) -> list[str]:
        return counted(name for name in NAMES for _ in range(VARIANTS))

    def subject(self, seed: int) -> File:
        name = NAMES[seed // VARIANTS]
        return File(name, dict(written()[name]), seed % 2 == 1)

    def edit(self, subject: File, rng: random.Random) -> File:
        part = rng.choice(sorted(subject.parts))
        data = subject.parts[part]
        inside = _inside(subject.name, part) if subject.sealed else None
        changed = harmed(data, rng) if inside is None else inside(data, rng)
        return replace(subject, parts={**subject.parts, part: changed})

    def run(self, subject: File, rng: random.Random) -> str:
        folder = scratch() / "files"
        folder.mkdir(exist_ok=True)
        try:
            for name, data in subject.parts.items():
                (folder / name).write_bytes(data)
            READERS[subject.name.partition(" ")[0]](subject, folder, rng)
        finally:
            shutil.rmtree(folder)
        return RESULT

    def shown(self, subject: File) -> str:
        return "\n".join(f"--- {n}\n{d[:3000]!r}" for n, d in sorted(subject.parts.items()))


# Changes behind which checksums are right.


def _inside(name: str, part: str) -> Callable[[bytes, random.Random], bytes] | None:
    if name == "records " or part == "shard":
        return other_records
    own = {
        "table": stored.other_block,
        "events": stored.other_event,
        "dataset.json": stored.other_description,
    }
    if part in own:
        return lambda data, rng: own[part](data, rng, harmed)
    return other_entries if part == "it.index" else None


def other_records(data: bytes, rng: random.Random) -> bytes:
    """A record of another length than its head says, or of other bytes."""
    length = struct.pack("<Q", rng.choice(SPANS))
    head = length + struct.pack("<I", tfrecord.masked_crc32c(length))
    return rng.choice((head + data[12:], data + head, tfrecord.framed(harmed(data, rng)), head))


def other_entries(data: bytes, rng: random.Random) -> bytes:
    """The table with a key or a value changed, and checksums of that."""
    try:
        entries = dict(table.read(data, "it"))
    except tf.errors.DataLossError:  # it was changed in another way before
        return harmed(data, rng)
    key = rng.choice(sorted(entries))
    match rng.randrange(4):
        case 0:
            del entries[key]
        case 1:
            entries[harmed(key, rng)] = entries[key]
        case 2:
            entries[key] = entries[rng.choice(sorted(entries))]
        case _:
            entries[key] = harmed(entries[key], rng)
    return table.write(sorted(entries.items()))


# What reads them.


def read_examples(file: File, folder: Path, rng: random.Random) -> None:
    data = file.parts["data"]
    if rng.random() < 0.3:
        tf.train.Example.FromString(data)
    features = {k: FEATURES[k] for k in rng.sample(sorted(FEATURES), rng.randint(1, 5))}
    if rng.random() < 0.3:
        tf.io.parse_single_example(data, features)
    else:
        tf.io.parse_example([examples()[0], data, data], features)


def read_sequences(file: File, folder: Path, rng: random.Random) -> None:
    data = file.parts["data"]
    if rng.random() < 0.3:
        tf.train.SequenceExample.FromString(data)
    context = {k: FEATURES[k] for k in rng.sample(("x", "s", "f"), rng.randint(0, 3))}
    kinds = (tf.io.VarLenFeature(tf.int64), tf.io.RaggedFeature(tf.int64))
    rows = {"r": rng.choice(kinds)}
    if rng.random() < 0.5:
        tf.io.parse_single_sequence_example(data, context, rows)
    else:
        tf.io.parse_sequence_example([examples()[1], data], context, rows)


def read_tensors(file: File, folder: Path, rng: random.Random) -> None:
    array = ARRAYS[file.name.partition(" ")[2]]
    kinds = (tf.constant(array).dtype,) * 4 + (tf.int32, tf.bool, tf.complex64, tf.bfloat16)
    tf.io.parse_tensor(file.parts["data"], rng.choice(kinds))


def read_records(file: File, folder: Path, rng: random.Random) -> None:
    kind = file.name.partition(" ")[2]
    path = str(folder / "records")
    found: list[bytes] = []
    try:
        if rng.random() < 0.5:
            found.extend(tfrecord.read(path, kind))
        else:
            found.extend(r.numpy() for r in tf.data.TFRecordDataset(path, kind))
    finally:
        if not file.sealed and not set(found) <= set(RECORDS):  # (one may be there twice)
            raise Wrong(f"records were read that were not written: {found!r:.500}")


def read_checkpoints(file: File, folder: Path, rng: random.Random) -> None:
    """Into objects, or one by one; of what has a checksum nothing else may come."""
    path = folder / file.name.partition(" ")[2]
    right = {name: v.numpy() for name, v in vars(objects()).items() if isinstance(v, tf.Variable)}
    if rng.random() < 0.5:
        reader = tf.train.load_checkpoint(path)
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)
        return
    restored = objects()
    for name in right:
        variable = getattr(restored, name)
        variable.assign(tf.zeros_like(variable) - 1)
    restored.read(path)
    whole = not file.sealed and path.suffix != ".safetensors"
    for name, array in right.items():
        value = getattr(restored, name).numpy()
        if whole and not ((value == array).all() or (value == -1).all()):
            raise Wrong(f"{name} is restored as {value}, was {array}")


def read_vocabularies(file: File, folder: Path, rng: random.Random) -> None:
    index = tf.lookup.TextFileIndex
    if rng.random() < 0.5:
        words = tf.lookup.TextFileInitializer(
            str(folder / "words"), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
        )
        filled: Any = tf.lookup.StaticVocabularyTable(words, 2)
    else:
        kind = rng.choice((tf.int64, tf.float32))
        pairs = tf.lookup.TextFileInitializer(
            str(folder / "pairs"), tf.string, 0, kind, 1, delimiter="\t"
        )
        filled = tf.lookup.StaticHashTable(pairs, -1)
    filled.lookup(tf.constant(["one", "a", "nothing"]))


def read_table(file: File, folder: Path, rng: random.Random) -> None:
    stored.read_tables(file.parts["table"], file.sealed)


def read_snappy(file: File, folder: Path, rng: random.Random) -> None:
    stored.read_snappy(file.parts["block"], file.sealed)


def read_events(file: File, folder: Path, rng: random.Random) -> None:
    stored.read_events(folder / "events", file.sealed, written()["events"]["events"])


def read_dataset(file: File, folder: Path, rng: random.Random) -> None:
    stored.read_dataset(folder, file.sealed)


READERS: dict[str, Callable[[File, Path, random.Random], None]] = {
    "examples": read_examples,
    "sequences": read_sequences,
    "tensors": read_tensors,
    "records": read_records,
    "checkpoints": read_checkpoints,
    "vocabularies": read_vocabularies,
    "tables": read_table,
    "snappy": read_snappy,
    "events": read_events,
    "datasets": read_dataset,
}
