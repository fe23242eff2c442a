"""Bundles: arrays come back bit by bit; damage is told; what is written replaces at once."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tfc as tf
from tests.records.test_table import damaged
from tests.sampling import ALL
from tfc.records import bundle, bundle_writer, files, table
from tfc.records.bundle_reader import BundleReader

COUNT = 2000 if ALL else 150
DRAW = random.Random(2)


def texts(*items: bytes) -> np.ndarray:
    array = np.empty(len(items), object)
    array[:] = items
    return array


ARRAYS = {
    "a": np.arange(6, dtype="f4").reshape(2, 3),
    "b/of/bools": np.array([True, False]),
    "bfloat16": np.ones((2, 2), ml_dtypes.bfloat16),
    "complex": np.array([1 + 2j, -0.0], "c16"),
    "empty": np.zeros((0, 3)),
    "scalar": np.array(3.5),
    "strided": np.arange(24, dtype="i8").reshape(4, 6)[::2, 1::2],
    "text": texts(b"word", b"", b"x" * 300),
    "no text": texts(),
    "one text": texts(b"word").reshape(()),
    "ünicode": np.arange(3, dtype="u2"),
}


def same(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()


def read(prefix: Path) -> dict[str, np.ndarray]:
    reader = BundleReader(str(prefix), "test")
    found = {name: reader.read(name) for name in reader}
    reader.close()
    return found


def test_arrays_come_back(tmp_path: Path) -> None:
    prefix = tmp_path / "new" / "folder" / "it"
    for arrays in (ARRAYS, {}, {"x": np.zeros(3)}):
        bundle_writer.write(str(prefix), arrays, "test")
        found = read(prefix)
        assert list(found) == sorted(arrays, key=str.encode)
        assert all(same(found[name], arrays[name]) for name in arrays)
        assert sorted(os.listdir(prefix.parent)) == ["it.data-00000-of-00001", "it.index"]
    reader = BundleReader(str(prefix), "test")
    assert "x" in reader and "y" not in reader
    with pytest.raises(tf.errors.NotFoundError, match="Key y not found in checkpoint"):
        reader.read("y")
    with pytest.raises(tf.errors.NotFoundError, match="there is no checkpoint"):
        BundleReader(str(tmp_path / "nothing"), "test")


def test_what_is_open_stays(tmp_path: Path) -> None:
    prefix = str(tmp_path / "it")
    bundle_writer.write(prefix, {"x": np.zeros(3)}, "test")
    reader = BundleReader(prefix, "test")
    bundle_writer.write(prefix, {"x": np.ones(3)}, "test")
    assert reader.read("x").tolist() == [0, 0, 0]
    shutil.rmtree(tmp_path)
    assert reader.read("x").tolist() == [0, 0, 0]


def test_large_blocks_of_many_tensors(tmp_path: Path) -> None:
    arrays = {f"{'long' * 30}/{i}": np.full(i % 7, i, "i4") for i in range(3000)}
    bundle_writer.write(str(tmp_path / "it"), arrays, "test")
    assert (tmp_path / "it.index").stat().st_size > 1 << 16
    found = read(tmp_path / "it")
    assert all(same(found[name], arrays[name]) for name in arrays)


def test_damage_is_found(tmp_path: Path) -> None:
    """Each file in turn; what comes out is right, or is not there."""
    prefix = tmp_path / "it"
    bundle_writer.write(str(prefix), ARRAYS, "test")
    paths = [bundle.index_path(str(prefix)), bundle.data_path(str(prefix), 0, 1)]
    right = [files.whole(path) for path in paths]
    errors = 0
    for i in range(COUNT):
        path, data = paths[i % 2], right[i % 2]
        harmed = damaged(data)
        Path(path).write_bytes(harmed)
        try:
            reader = BundleReader(str(prefix), "test")
        except tf.errors.DataLossError:
            errors += 1
        else:
            assert list(reader) == sorted(ARRAYS, key=str.encode)
            for name in reader:
                try:
                    assert same(reader.read(name), ARRAYS[name])
                except tf.errors.DataLossError:
                    errors += 1
        Path(path).write_bytes(data)
    assert errors > COUNT * 0.5


def entry(**changes: Any) -> Callable[[bytes], bytes]:
    return lambda data: bundle.decoded(data)._replace(**changes).encoded()


@pytest.mark.parametrize(
    "change",
    [
        entry(shape=(2, 4)),
        entry(shape=(1 << 62, 1 << 62)),
        entry(shape=(1 << 62, 0), size=0, crc=0xA282EAD8),
        entry(shape=(1,) * 200, dtype=1, size=4),
        entry(size=1 << 50),
        entry(offset=1 << 63),
        entry(dtype=7),
        entry(dtype=10, size=6),
        lambda data: data[:-1],
        lambda data: data + b"\x3a\x02\x0a\x00",  # a slice
        lambda data: b"\x12\x02\x18\x01" + data,  # of unknown rank
        lambda data: b"\x12\x0d\x12\x0b\x08" + b"\xff" * 9 + b"\x01" + data,  # -1 as an extent
    ],
)
def test_entries_that_say_what_is_not(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """With right checksums, as who wants to harm would write them."""
    prefix = str(tmp_path / "it")
    bundle_writer.write(prefix, {"a": ARRAYS["a"], "z": np.zeros(9)}, "test")
    path = bundle.index_path(prefix)
    index = table.read(files.whole(path), path)
    index[b"a"] = change(index[b"a"])
    files.put(path, [table.write(index.items())])
    with pytest.raises(tf.errors.DataLossError, match=r"a in .*it is damaged"):
        BundleReader(prefix, "test").read("a")


def test_kinds_that_are_not_there(tmp_path: Path) -> None:
    prefix = str(tmp_path / "it")
    bundle_writer.write(prefix, {"a": ARRAYS["a"]}, "test")
    path = bundle.index_path(prefix)
    index = table.read(files.whole(path), path)

    def write(**changes: Any) -> None:
        head = {"num_shards": 1, "version": {"producer": 1}} | changes
        index[b""] = bundle_writer.BundleHeaderProto(**head).SerializeToString()
        files.put(path, [table.write(index.items())])

    for changes in (
        {"endianness": 1},
        {"version": {"producer": 9, "min_consumer": 2}},
        {"version": {"bad_consumers": [1]}},
    ):
        write(**changes)
        with pytest.raises(tf.errors.UnimplementedError, match="written for newer programs"):
            BundleReader(prefix, "test")
    for shards in (0, -1, 1 << 30):
        write(num_shards=shards)
        with pytest.raises(tf.errors.DataLossError, match="is no index of a checkpoint"):
            BundleReader(prefix, "test")
    write(num_shards=2)
    with pytest.raises(tf.errors.NotFoundError, match="data-00000-of-00002"):
        BundleReader(prefix, "test").read("a")
    index[b"a"] = entry(dtype=21)(index[b"a"])
    write()
    with pytest.raises(tf.errors.UnimplementedError, match="dtype number 21"):
        BundleReader(prefix, "test").read("a")


def test_slices_must_be_all_of_a_tensor(tmp_path: Path) -> None:
    theirs = Path(__file__).parents[1] / "train" / "written_by_tensorflow"
    for path in theirs.glob("sliced.*"):
        shutil.copy(path, tmp_path)
    prefix = str(tmp_path / "sliced")
    path = bundle.index_path(prefix)
    index = table.read(files.whole(path), path)
    whole = BundleReader(prefix, "test").read("x")
    keys = [key for key in index if key.startswith(b"\0x")]
    assert len(keys) == 3
    for key in keys:
        files.put(path, [table.write((k, v) for k, v in index.items() if k != key)])
        with pytest.raises(tf.errors.DataLossError, match="there is no slice"):
            BundleReader(prefix, "test").read("x")
    parts = bundle.decoded(index[b"x"])
    slices = index[b"x"][len(parts._replace(slices=()).encoded()) :]
    assert slices.startswith(b"\x3a")
    for wrong in (slices + slices[: 2 + slices[1]], slices[2 + slices[1] :]):
        changed = {**index, b"x": parts._replace(slices=()).encoded() + wrong}
        files.put(path, [table.write(changed.items())])
        with pytest.raises(tf.errors.DataLossError, match="slices are not all of it"):
            BundleReader(prefix, "test").read("x")
    assert whole.shape == (4, 12)


@pytest.mark.parametrize("before", [False, True])
def test_one_is_whole_wherever_it_ends(
    before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends in any of the steps leaves the bundle before, or the new one; and the
    next one that writes leaves no other file."""

    class End(BaseException):
        pass

    prefix = str(tmp_path / "it")
    old, new = ({"x": np.full(50, n), "y": np.array(n)} for n in (1.0, 2.0))
    last = {"x": np.array(3.0)}
    at, outcomes = 0, set()
    while True:
        shutil.rmtree(tmp_path, ignore_errors=True)
        if before:
            bundle_writer.write(prefix, old, "test")
        count = 0

        def step(function: Any, *args: Any, last: int = at) -> Any:
            nonlocal count
            count += 1
            if count > last:
                raise End
            return function(*args)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda handle: step(int, handle))
            for name in ("replace", "link", "unlink", "open"):
                function = getattr(os, name)
                patch.setattr(os, name, lambda *a, f=function: step(f, *a))
            try:
                bundle_writer.write(prefix, new, "test")
                done = True
            except End:
                done = False
        if Path(bundle.index_path(prefix)).exists():
            found = read(Path(prefix))
            outcomes.add(found["y"].item())
            assert all(same(found[k], (old, new)[int(found["y"]) - 1][k]) for k in old)
        else:
            assert not before
        if done:
            break
        bundle_writer.write(prefix, last, "test")
        assert read(Path(prefix)).keys() == last.keys()
        left = {name for name in os.listdir(tmp_path) if "tempstate" not in name}
        assert left == {"it.data-00000-of-00001", "it.index"}
        at += 1
    assert at > 8 and outcomes == ({1.0, 2.0} if before else {2.0})
    assert sorted(os.listdir(tmp_path)) == ["it.data-00000-of-00001", "it.index"]


def test_what_others_left_is_removed(tmp_path: Path) -> None:
    """Of processes of this machine that run no more, of files with this name."""
    prefix = str(tmp_path / "it")
    mine = files.beside(f"{prefix}.index")
    gone = mine.replace(f"-{os.getpid()}-", "-999999999-")
    elsewhere = gone.replace(files._host(), "0" * 8)
    others = gone.replace("it.index", "item.index")
    for path in (mine, gone, elsewhere, others):
        Path(path).write_bytes(b"")
    bundle_writer.write(prefix, {}, "test")
    left = {name for name in os.listdir(tmp_path) if "tempstate" in name}
    assert left == {Path(path).name for path in (mine, elsewhere, others)}


@pytest.mark.skipif(sys.platform != "linux", reason="as Linux says it")
def test_errors_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(tf.errors.FailedPreconditionError, match="File exists"):
        bundle_writer.write(str(tmp_path / "file" / "it"), {}, "test")
    os.mkfifo(tmp_path / "pipe.index")
    with pytest.raises(tf.errors.FailedPreconditionError, match="is no file"):
        BundleReader(str(tmp_path / "pipe"), "test")
    (tmp_path / "folder.index").mkdir()
    with pytest.raises(tf.errors.FailedPreconditionError):
        BundleReader(str(tmp_path / "folder"), "test")
