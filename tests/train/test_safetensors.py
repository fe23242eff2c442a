"""Files of safetensors: those of the format's own library, and those that say what is not."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.train import safetensors


def written(path: Path, header: Any, data: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def tensor(dtype: str, shape: list[Any], first: Any, last: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [first, last]}


def test_without_checksums(tmp_path: Path) -> None:
    """As others write them."""
    header = {"b": tensor("F32", [2], 2, 10), "a": tensor("BOOL", [2], 0, 2)}
    path = written(tmp_path / "it.safetensors", header, b"\1\0" + np.float32([1, 2]).tobytes())
    assert tf.train.list_variables(path) == [("a", [2]), ("b", [2])]
    assert tf.train.load_variable(path, "b").tolist() == [1.0, 2.0]
    assert tf.train.load_variable(path, "a").tolist() == [True, False]
    checkpoint = tf.train.Checkpoint(b=tf.Variable([0.0, 0.0]))
    status = checkpoint.read(path).assert_existing_objects_matched()
    with pytest.raises(AssertionError, match=r"\(root\).a"):
        status.assert_consumed()
    assert checkpoint.b.numpy().tolist() == [1.0, 2.0]


ONE = {"a": tensor("F32", [2], 0, 8)}


@pytest.mark.parametrize(
    ("header", "size"),
    [
        (b"", 0),
        (b"[]", 0),
        (b"{", 0),
        (b"\xff", 0),
        (b"[" * 100_000, 0),
        (b'{"a":1,"a":1}', 0),
        ({"a": 1}, 0),
        ({"a": tensor("F32", [2], 0, 8)}, 7),
        ({"a": tensor("F32", [2], 0, 8)}, 9),
        ({"a": tensor("F32", [3], 0, 8)}, 8),
        ({"a": tensor("F31", [2], 0, 8)}, 8),
        ({"a": tensor("F32", [True, 2], 0, 8)}, 8),
        ({"a": tensor("F32", [-1, -2], 0, 8)}, 8),
        ({"a": tensor("F32", [1 << 80, 0], 0, 0)}, 0),
        ({"a": tensor("F32", [2.0], 0, 8)}, 8),
        ({"a": tensor("F32", [2], 8, 0)}, 8),
        ({"a": tensor("F32", [2], "0", "8")}, 8),
        ({**ONE, "b": tensor("F32", [2], 4, 12)}, 12),
        ({**ONE, "b": tensor("F32", [1], 12, 16)}, 16),
        ({**ONE, "__metadata__": {"crc32c": "0 0"}}, 8),
        ({**ONE, "__metadata__": {"crc32c": "x"}}, 8),
    ],
)
def test_headers_that_say_what_is_not(header: Any, size: int, tmp_path: Path) -> None:
    path = written(tmp_path / "it.safetensors", header, bytes(size))
    with pytest.raises(tf.errors.DataLossError, match="is damaged, or no safetensors"):
        safetensors.Reader(str(path), "test")


def test_elements_that_are_none(tmp_path: Path) -> None:
    path = written(tmp_path / "a.safetensors", {"a": tensor("BOOL", [1], 0, 1)}, b"\2")
    with pytest.raises(tf.errors.DataLossError, match="bools that are none"):
        tf.train.load_variable(path, "a")
    header = {**ONE, "__metadata__": {"crc32c": "12345678"}}
    path = written(tmp_path / "b.safetensors", header, bytes(8))
    with pytest.raises(tf.errors.DataLossError, match="the checksum of 'a'"):
        tf.train.load_variable(path, "a")
    path = written(tmp_path / "c.safetensors", {"a": tensor("F32", [1 << 62, 0], 0, 0)}, b"")
    with pytest.raises(tf.errors.DataLossError, match="the shape of 'a'"):
        tf.train.load_variable(path, "a")
    (tmp_path / "d.safetensors").write_bytes(b"1234")
    with pytest.raises(tf.errors.DataLossError, match="it has no header"):
        tf.train.load_checkpoint(tmp_path / "d.safetensors")
    (tmp_path / "d.safetensors").write_bytes(bytes([255] * 9))
    with pytest.raises(tf.errors.DataLossError, match="reaches beyond its end"):
        tf.train.load_checkpoint(tmp_path / "d.safetensors")


def test_with_the_library_of_the_format(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy")
    arrays = {"x/y": np.arange(6.0).reshape(2, 3), "z": np.array(3, np.int16)}
    v = tf.train.Checkpoint(x={"y": tf.Variable(arrays["x/y"])}, z=tf.Variable(arrays["z"]))
    path = v.write(tmp_path / "ours.safetensors")
    found = library.load_file(path)
    assert all((found[name] == array).all() for name, array in arrays.items())
    library.save_file(arrays, tmp_path / "theirs.safetensors")
    v.z.assign(0)
    v.read(tmp_path / "theirs.safetensors").assert_consumed()
    assert int(v.z) == 3
