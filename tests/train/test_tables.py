"""Lookup tables in checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf

Mutable = tf.lookup.experimental.MutableHashTable
Dense = tf.lookup.experimental.DenseHashTable


def filled(start: int = 0) -> Any:
    table = Mutable(tf.string, tf.int64, -1)
    table.insert(tf.constant(["a", "b"]), tf.constant([start, start + 1], tf.int64))
    return table


def values(table: Any) -> list[int]:
    found: list[int] = table.lookup(tf.constant(["a", "b", "z"])).numpy().tolist()
    return found


@pytest.mark.parametrize("suffix", ["", ".safetensors"])
def test_saved_and_restored(suffix: str, tmp_path: Path) -> None:
    """What a table had before goes; tables that are made later get theirs then."""
    if suffix:
        pytest.importorskip("safetensors")
    path = tf.train.Checkpoint(table=filled(), v=tf.Variable(1.0)).write(
        str(tmp_path / f"c{suffix}")
    )
    other = Mutable(tf.string, tf.int64, -1)
    other.insert(tf.constant(["z"]), tf.constant([7], tf.int64))
    tf.train.Checkpoint(table=other, v=tf.Variable(0.0)).read(path).assert_consumed()
    assert values(other) == [0, 1, -1]

    class Late(tf.Module):
        pass

    module = Late()
    checkpoint = tf.train.Checkpoint(module)
    status = checkpoint.read(path)
    module.table = Mutable(tf.string, tf.int64, -1)
    module.v = tf.Variable(0.0)
    status.assert_consumed()
    assert values(module.table) == [0, 1, -1]


def test_in_a_function(tmp_path: Path) -> None:
    """What a function inserts before it saves is there."""
    table = Dense(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1)
    checkpoint = tf.train.Checkpoint(table=table)
    path = str(tmp_path / "c")

    @tf.function
    def step(key: Any) -> None:
        table.insert(key, key * 10)
        checkpoint.write(path)
        table.insert(key + 1, key)

    step(tf.constant([3], tf.int64))
    assert int(table.size()) == 2
    checkpoint.read(path).assert_consumed()
    assert table.lookup(tf.constant([3, 4], tf.int64)).numpy().tolist() == [30, -1]


@pytest.mark.parametrize(
    ("other", "kind", "message"),
    [
        (lambda: Mutable(tf.int64, tf.int64, -1), tf.errors.InvalidArgumentError, "keys .* string"),
        (
            lambda: Mutable(tf.string, tf.int32, -1),
            tf.errors.InvalidArgumentError,
            "values .* int64",
        ),
        (lambda: Mutable(tf.string, tf.int64, [0, 0, 0]), ValueError, "do not fit"),
    ],
)
def test_what_does_not_fit(other: Any, kind: Any, message: str, tmp_path: Path) -> None:
    path = tf.train.Checkpoint(table=filled()).write(str(tmp_path / "c"))
    with pytest.raises(kind, match=message):
        tf.train.Checkpoint(table=other()).read(path)


def test_empty_tables_and_those_that_stay(tmp_path: Path) -> None:
    def made() -> dict[str, Any]:
        static = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
        numbers = tf.constant([0], tf.int64)
        words = tf.lookup.StaticVocabularyTable(
            tf.lookup.KeyValueTensorInitializer(["a"], numbers), 1
        )
        dense = Dense(tf.string, tf.float32, [0.0, 0.0], "", "$")
        return {
            "dense": dense,
            "mutable": Mutable(tf.int64, tf.bool, False),
            "parts": [static, words],
        }

    path = tf.train.Checkpoint(**made()).write(str(tmp_path / "c"))
    full = made()
    full["dense"].insert(tf.constant(["x"]), tf.constant([[1.0, 2.0]]))
    full["mutable"].insert(tf.constant([1], tf.int64), tf.constant([True]))
    tf.train.Checkpoint(**full).read(path).assert_consumed()
    assert [int(full[name].size()) for name in ("dense", "mutable")] == [0, 0]
    shapes = dict(tf.train.list_variables(path))
    assert shapes["dense/.ATTRIBUTES/table-keys"] == [4, 1]
    assert shapes["dense/.ATTRIBUTES/table-values"] == [4, 2]
    np.testing.assert_array_equal(full["parts"][0].lookup(tf.constant(["a"])), [1])
