"""`tf.io.gfile`: as TensorFlow 2.21 answers, on files of this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tfc as tf
import tfc.compat.v1 as v1

gfile, errors = tf.io.gfile, tf.errors
TEXT = "héllo\nworld\n"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "x.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "a" / "y.txt").touch()
    (tmp_path / "a" / ".hidden").touch()
    return str(tmp_path)


def names(paths: Any, folder: str) -> list[str]:
    return [os.path.relpath(os.fsdecode(p), folder) for p in paths]


def refused(kind: type[Exception], *calls: Callable[[], Any]) -> None:
    for call in calls:
        with pytest.raises(kind, match=r"Op:gfile\.\w+"):
            call()


def test_what_is_there(folder: str) -> None:
    a, x = gfile.join(folder, "a"), Path(folder, "a", "x.txt")
    assert gfile.exists(a) and gfile.exists(f"file://{x}") and gfile.exists(str(x).encode())
    assert gfile.exists(tf.constant(a)) and not gfile.exists(f"{a}/no")
    assert gfile.isdir(a) and not gfile.isdir(x) and not gfile.isdir(f"{a}/no")
    assert gfile.listdir(a) == [".hidden", "b", "x.txt", "y.txt"]
    found = gfile.stat(x)
    assert (found.length, found.is_directory) == (13, False) and gfile.stat(a).is_directory
    assert abs(found.mtime_nsec - time.time_ns()) < 1e12
    refused(errors.NotFoundError, lambda: gfile.listdir(x), lambda: gfile.stat(f"{a}/no"))
    refused(errors.UnimplementedError, lambda: gfile.exists("gs://bucket/file"))
    refused(TypeError, lambda: gfile.exists(3))  # type: ignore[arg-type]


def test_patterns(folder: str) -> None:
    every = ["a/.hidden", "a/b", "a/x.txt", "a/y.txt"]
    assert names(gfile.glob(f"{folder}/a/*"), folder) == every
    assert names(gfile.glob([f"{folder}/a/*.txt", f"{folder}/a/b"]), folder) == every[1:]
    assert names(gfile.glob(f"{folder}/*/[xy].tx?"), folder) == every[2:]
    assert names(gfile.glob(f"{folder}/**"), folder) == ["a"] and not gfile.glob(f"{folder}/q*")
    matching = tf.io.matching_files([f"{folder}/a/*.txt", f"{folder}/q"])
    assert names(matching.numpy(), folder) == every[2:]
    assert tf.io.matching_files(f"{folder}/q*").dtype == tf.string
    inside = tf.function(tf.io.matching_files)
    assert names(inside(tf.constant(f"{folder}/a/*")).numpy(), folder) == every


def test_folders(folder: str) -> None:
    gfile.mkdir(f"{folder}/a")  # it is there
    gfile.mkdir(f"{folder}/new")
    gfile.makedirs(f"{folder}/new/one/two")
    gfile.makedirs(f"{folder}/new/one")
    walked = [(names([p], folder)[0], d, f) for p, d, f in gfile.walk(folder)]
    assert walked[:2] == [(".", ["a", "new"], []), ("a", ["b"], [".hidden", "x.txt", "y.txt"])]
    assert names((p for p, _, _ in gfile.walk(folder, topdown=False)), folder)[-1] == "."
    assert list(gfile.walk(f"{folder}/no")) == []
    refused(errors.NotFoundError, lambda: gfile.mkdir(f"{folder}/no/new"))
    refused(errors.FailedPreconditionError, lambda: gfile.makedirs(f"{folder}/a/x.txt"))
    refused(errors.FailedPreconditionError, lambda: gfile.makedirs(f"{folder}/a/x.txt/b"))
    gfile.rmtree(f"{folder}/new")
    gfile.rmtree(f"{folder}/a/y.txt")
    assert not gfile.exists(f"{folder}/new") and not gfile.exists(f"{folder}/a/y.txt")
    refused(errors.NotFoundError, lambda: gfile.rmtree(f"{folder}/new"))


def test_copies_and_names(folder: str) -> None:
    x, y = f"{folder}/a/x.txt", f"{folder}/y"
    gfile.copy(x, y)
    assert Path(y).read_text(encoding="utf-8") == TEXT
    refused(errors.AlreadyExistsError, lambda: gfile.copy(x, y), lambda: gfile.rename(x, y))
    gfile.copy(x, y, overwrite=True)
    gfile.rename(y, f"{folder}/a/y.txt", overwrite=True)
    assert gfile.stat(f"{folder}/a/y.txt").length == 13 and not gfile.exists(y)
    gfile.remove(x)
    refused(
        errors.NotFoundError,
        lambda: gfile.copy(x, y),
        lambda: gfile.rename(x, y),
        lambda: gfile.remove(x),
    )
    refused(errors.FailedPreconditionError, lambda: gfile.remove(f"{folder}/a"))
    refused(errors.FailedPreconditionError, lambda: gfile.copy(f"{folder}/a", y))
    assert gfile.join("a", "/b") == "/b" and gfile.join(b"a", b"b") == b"a/b"


def test_reading(folder: str) -> None:
    x = f"{folder}/a/x.txt"
    with gfile.GFile(x) as file:
        assert (file.name, file.mode, file.size()) == (x, "r", 13)
        assert file.read(4) == "hél" and file.readline() == "lo\n" and file.read() == "world\n"
        assert file.read() == "" and file.readline() == "" and file.seekable()
    assert gfile.GFile(x).readlines() == ["héllo\n", "world\n"]
    assert list(gfile.GFile(x, "rb")) == [b"h\xc3\xa9llo\n", b"world\n"]
    file = gfile.GFile(x, "rb")
    file.seek(3)
    assert file.read(2) == b"ll" and file.tell() == 5
    file.seek(-2, 2)
    assert file.read() == b"d\n"
    file.seek(position=1)
    file.seek(1, 1)
    assert file.tell() == 2 and file.next() == b"\xa9llo\n"
    refused(errors.NotFoundError, gfile.GFile(f"{folder}/no").read)
    refused(errors.PermissionDeniedError, lambda: gfile.GFile(x).write("a"))
    refused(errors.FailedPreconditionError, gfile.GFile(folder).read)
    refused(errors.InvalidArgumentError, lambda: gfile.GFile(x, "q"), lambda: file.seek(0, 3))
    refused(TypeError, file.seek, lambda: file.seek(0, position=0))


def test_writing(folder: str) -> None:
    path = f"{folder}/w"
    with gfile.GFile(path, "w") as file:
        assert not gfile.exists(path)  # until something is written
        file.write("é")
        file.write(b"ab")
        assert file.tell() == 4 and file.size() == 4
        refused(errors.PermissionDeniedError, file.read)
        refused(TypeError, lambda: file.write(3))  # type: ignore[arg-type]
    with gfile.GFile(path, "a") as file:
        file.write("z")
        file.flush()
        assert Path(path).read_bytes() == b"\xc3\xa9abz"
    with gfile.GFile(path, "r+") as file:
        file.write("EE")
        file.seek(0)
        assert file.read() == "EEabz"
    refused(errors.NotFoundError, lambda: gfile.GFile(f"{folder}/no/w", "w").write("a"))


def test_names_of_tensorflow_1(folder: str) -> None:
    with v1.gfile.FastGFile(f"{folder}/a/x.txt", "rb") as file:
        assert file.read() == TEXT.encode()
    assert v1.gfile.Exists(folder) and v1.gfile.IsDirectory(folder)
    v1.gfile.MakeDirs(f"{folder}/n/m")
    v1.gfile.DeleteRecursively(f"{folder}/n")
    assert v1.gfile.ListDirectory(folder) == ["a"]
