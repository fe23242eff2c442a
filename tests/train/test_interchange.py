"""Checkpoints of TensorFlow are read here, and ours there.

What TensorFlow 2.21 wrote is committed. With the path of an interpreter that has TensorFlow in
TFC_TEST_TENSORFLOW, that one reads and writes, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from tests.train import interchange

THEIRS = Path(__file__).parent / "written_by_tensorflow"
PYTHON = os.environ.get("TFC_TEST_TENSORFLOW", "")
PYTHON = PYTHON if os.access(PYTHON, os.X_OK) else ""
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


@pytest.fixture(autouse=True)
def ours() -> None:
    interchange.use("tfc")


def test_objects_of_tensorflow() -> None:
    interchange.check_objects(str(THEIRS))


def test_tables_of_tensorflow(tmp_path: Path) -> None:
    interchange.check_tables(str(THEIRS))
    tf.train.Checkpoint(**interchange.tables(True)).write(str(tmp_path / "tables"))
    interchange.check_tables(str(tmp_path))
    ours, theirs = ({name for name, _ in tf.train.list_variables(str(folder / "tables"))}
                    for folder in (tmp_path, THEIRS))  # fmt: skip
    assert ours == theirs


@pytest.mark.parametrize("late", [False, True])
def test_models_of_tensorflow(late: bool) -> None:
    pytest.importorskip("tfc.keras", exc_type=ImportError)
    interchange.check_keras(str(THEIRS), late)


def test_what_keras_writes_is_read(tmp_path: Path) -> None:
    """With the keys that it has on TensorFlow."""
    pytest.importorskip("tfc.keras", exc_type=ImportError)
    interchange.write(str(tmp_path))
    interchange.check(str(tmp_path))
    for prefix in ("dtypes", "objects-1", "rooted-1", "keras-1", "own-1"):
        ours = dict(tf.train.list_variables(str(tmp_path / prefix)))
        theirs = dict(tf.train.list_variables(str(THEIRS / prefix)))
        assert ours == theirs


def test_slices_shards_and_strings() -> None:
    reader = tf.train.load_checkpoint(THEIRS / "sliced")
    shapes = {"far": [300, 1], "text": [2], "x": [4, 12], "y": [2, 3]}
    assert reader.get_variable_to_shape_map() == shapes
    np.testing.assert_array_equal(reader.get_tensor("x"), np.arange(48.0).reshape(4, 12))
    assert reader.get_tensor("y").tolist() == [[b"a", b"bb", b""]] * 2
    assert reader.get_tensor("far").tolist() == [[1]] * 100 + [[0]] * 200
    assert reader.get_tensor("text").tolist() == [b"word", b"\xff" * 300]
    assert tf.train.load_variable(THEIRS / "sharded", "a") == 3.0
    assert tf.train.load_variable(THEIRS / "sharded", "b:0").tolist() == [0, 1, 2]


def test_a_file_that_knows_names_alone() -> None:
    """As TensorFlow 1 writes them."""
    v, w = tf.Variable([0.0, 0.0], name="v"), tf.Variable(0, name="scope/w")
    checkpoint = tf.train.Checkpoint(first=v, others=[w])
    checkpoint.restore(THEIRS / "named").assert_consumed().assert_existing_objects_matched()
    assert v.numpy().tolist() == [1.0, 2.0] and int(w) == 3
    other = tf.train.Checkpoint(v=v, x=tf.Variable(1.0, name="unknown"))
    with pytest.raises(AssertionError, match=r"Object not restored: .*unknown"):
        other.read(THEIRS / "named").assert_nontrivial_match()


@pytest.mark.skipif(not PYTHON, reason="TFC_TEST_TENSORFLOW names no interpreter")
@pytest.mark.parametrize("ways", ["tensorflow tfc", "tfc tensorflow"])
def test_with_tensorflow_itself(ways: str, tmp_path: Path) -> None:
    for library, what in zip(ways.split(), ("write", "check"), strict=True):
        python = PYTHON if library == "tensorflow" else sys.executable
        command = [python, interchange.__file__, library, what, str(tmp_path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
