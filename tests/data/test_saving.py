"""save, load, snapshot and cache(filename): what was written comes back, whole or not at all."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import random
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL
from tfc.data.plans.saving import Codec
from tfc.records.tfrecord import masked_crc32c

Dataset = tf.data.Dataset
Pair = collections.namedtuple("Pair", ["a", "b"])


def mixed() -> Any:
    """A dataset with leaves of all kinds."""
    texts = Dataset.from_tensor_slices(["a", "", "\u00e9\n"])
    return Dataset.zip(
        {
            "sizes": Dataset.range(3).map(lambda x: tf.fill([x], tf.cast(x, tf.bfloat16))),
            "texts": (texts, Dataset.from_tensors(tf.constant(["x", "yz"])).repeat()),
            "ragged": Dataset.from_tensor_slices(tf.ragged.constant([[[1], []], [], [[2, 3]]])),
            "rows": Dataset.from_tensor_slices(tf.ragged.constant([[1.0], [], [2.0, 3.0]])),
            "sparse": Dataset.from_tensor_slices(tf.sparse.from_dense([[0, 1], [0, 0], [2, 3]])),
            "none": Dataset.from_tensors((None, True)).repeat(),
        }
    )


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple):
        return [plain(v) for v in value]
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    if isinstance(value, tf.SparseTensor):
        return tf.sparse.to_dense(value).numpy().tolist()
    return value if value is None else np.asarray(value.numpy()).tolist()


@pytest.mark.parametrize("compression", [None, "GZIP", "ZLIB"])
def test_what_was_saved_is_loaded(tmp_path: Path, compression: str | None) -> None:
    dataset = mixed()
    path = str(tmp_path / "a")
    dataset.save(path, compression)
    again = Dataset.load(path)
    assert again.element_spec == dataset.element_spec
    assert [plain(e) for e in again] == [plain(e) for e in dataset]
    assert len(again) == 3
    assert plain(next(iter(again.skip(2)))) == plain(list(dataset)[2])


def test_shards_and_readers(tmp_path: Path) -> None:
    path = str(tmp_path)
    Dataset.range(10).save(path, shard_func=lambda x: x % 3)
    assert [int(x) for x in Dataset.load(path)] == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]
    turns = Dataset.load(path, reader_func=lambda shards: shards.interleave(lambda d: d, 3))
    assert [int(x) for x in turns] == list(range(10))
    with pytest.raises(TypeError, match="must return a Dataset"):
        Dataset.load(path, reader_func=lambda shards: 3)


def test_named_tuples_are_said_by_who_loads(tmp_path: Path) -> None:
    path = str(tmp_path)
    dataset = Dataset.from_tensor_slices(Pair([1, 2], [3, 4]))
    dataset.save(path)
    with pytest.raises(ValueError, match="give element_spec"):
        Dataset.load(path)
    assert next(iter(Dataset.load(path, dataset.element_spec))) == Pair(1, 3)
    with pytest.raises(ValueError, match="element_spec is"):
        Dataset.load(path, tf.TensorSpec([], tf.int32))


def test_a_save_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = str(tmp_path)
    Dataset.range(4).save(path)
    before = sorted(os.listdir(path))
    failing = Dataset.range(3).map(lambda x: 5 // (2 - x))
    with pytest.raises(tf.errors.InvalidArgumentError):
        failing.save(path)
    assert sorted(os.listdir(path)) == before
    assert [int(x) for x in Dataset.load(path)] == [0, 1, 2, 3]
    Dataset.range(2).save(path)
    assert [int(x) for x in Dataset.load(path)] == [0, 1]
    assert len(os.listdir(path)) == 2, "the former files are gone"


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.NotFoundError):
        Dataset.load(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="cannot be written"):
        Dataset.range(4).window(2).save(str(tmp_path))
    with pytest.raises(ValueError, match="BZIP"):
        Dataset.range(4).save(str(tmp_path), "BZIP")
    with pytest.raises(TypeError, match="a path is a string"):
        Dataset.load(3)


def test_damage_is_told(tmp_path: Path) -> None:
    """Any byte of any file: an error, or the elements that were written."""
    path, rng = str(tmp_path), random.Random(0)
    dataset = Dataset.from_tensor_slices((["a", "bc"], [1.0, 2.0]))
    dataset.save(path)
    wanted = [plain(e) for e in dataset]
    files = [f for f in tmp_path.rglob("*") if f.is_file()]
    assert len(files) == 2
    for file in files:
        good = file.read_bytes()
        for at in rng.sample(range(len(good)), len(good) if ALL else 40):
            bad = bytearray(good)
            bad[at] ^= 1 << rng.randrange(8)
            for data in (bytes(bad), good[:at]):
                file.write_bytes(data)
                with contextlib.suppress(tf.errors.DataLossError):
                    assert [plain(e) for e in Dataset.load(path)] == wanted
        file.write_bytes(good)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("leaves", []), ("leaves", None), ("structure", ["leaf"]), ("structure", "words")),
        *(("structure", 7), ("shards", [["00000000", -1]]), ("shards", [["00000000", 2**63]])),
        *(("compression", "RAR"), ("folder", None), ("folder", "../elsewhere")),
    ],
)
def test_descriptions_that_do_not_fit_are_told(tmp_path: Path, key: str, value: Any) -> None:
    """With right checksums too."""
    Dataset.from_tensor_slices((["a", "bc"], [1.0, 2.0])).save(str(tmp_path))
    path = tmp_path / "dataset.json"
    said = json.loads(path.read_bytes().splitlines()[0])
    line = json.dumps(said | {key: value}).encode()
    path.write_bytes(line + b"\n%08x\n" % masked_crc32c(line))
    with pytest.raises(tf.errors.DataLossError, match=r"dataset\.json is no description"):
        Dataset.load(str(tmp_path))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = Dataset.range(40).map(lambda i: tf.fill([1000], i))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        for name in ("save", "cache", "snapshot"):
            path = str(tmp_path / name)
            with pytest.raises(tf.errors.FailedPreconditionError, match="too large"):
                found = getattr(rows, name)(path)
                list(found)
            assert not [x for x in (tmp_path / name).rglob("*") if x.is_file()]
        with (
            pytest.raises(tf.errors.FailedPreconditionError, match="too large"),
            tf.io.TFRecordWriter(tmp_path / "records") as writer,
        ):
            writer.write(b"x" * 19_990)
            writer.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_records_that_are_no_elements_are_told() -> None:
    """With right checksums too: lengths that lie."""
    dataset = Dataset.from_tensor_slices((["a", "bc"], [[1.0, 2.0], [3.0, 4.0]]))
    codec = Codec(dataset._plan.spec, "load")
    (element,) = dataset._plan.elements(np.array([1]), None).elements()  # type: ignore[arg-type]
    good = codec.encoded(element)
    assert plain(codec.decoded(good)) == [b"bc", [3.0, 4.0]]
    rng = random.Random(1)
    for _ in range(2000 if ALL else 300):
        bad = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        with contextlib.suppress(tf.errors.DataLossError):
            codec.decoded(bytes(bad[: rng.randint(0, len(bad))] if rng.random() < 0.3 else bad))


@pytest.mark.parametrize("keep", ["cache", "snapshot"])
def test_what_is_kept_is_computed_once(tmp_path: Path, keep: str) -> None:
    calls: list[int] = []

    def numbers() -> Any:
        calls.append(1)
        yield from range(5)

    def made() -> Any:
        spec = tf.TensorSpec([], tf.int32)
        source = Dataset.from_generator(numbers, output_signature=spec)
        return getattr(source, keep)(str(tmp_path / "kept"))

    dataset = made()
    assert [int(x) for x in dataset.take(2)] == [0, 1]
    assert [int(x) for x in dataset] == list(range(5)) == [int(x) for x in dataset]
    assert len(calls) == 2, "what was gone through in part is not kept"
    assert [int(x) for x in made()] == list(range(5))
    assert len(calls) == 2, "another dataset finds it, too"
    first, second = iter(dataset), iter(dataset)
    next(first)
    second._restore_from_tensors(first._serialize_to_tensors())
    assert [int(x) for x in second] == [1, 2, 3, 4]
    assert len(list((tmp_path / "kept").iterdir())) == 2, "nothing is left over"
