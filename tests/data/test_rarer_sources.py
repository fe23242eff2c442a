"""Databases, tables that begin with datasets, TensorFlow 1's iterators for several datasets."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import tfc as tf
import tfc.compat.v1 as v1

Dataset, X = tf.data.Dataset, tf.data.experimental
INVALID, FAILED = tf.errors.InvalidArgumentError, tf.errors.FailedPreconditionError


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("data") / "a.db"
    rows: list[tuple[Any, ...]] = [
        (1, "x", 0.5, b"\0\1"),
        (2, None, None, None),
        (3, "12abc", 2.7, b"9"),
        (300, "é", -1, b""),
        (None, "2.5e3", 1e30, b"z"),
    ]
    with sqlite3.connect(path) as made:
        made.execute("create table t (a int, b text, c real, d blob)")
        made.executemany("insert into t values (?,?,?,?)", rows)
    return str(path)


def rows(database: str, query: str, types: Any) -> list[Any]:
    return [
        tuple(x.item() if hasattr(x, "item") else x for x in row)
        for row in X.SqlDataset("sqlite", database, query, types).as_numpy_iterator()
    ]


def test_rows_of_a_database(database: str) -> None:
    """The values are those that TensorFlow 2.21 gave."""
    query = "select a,b,c,d from t"
    assert rows(database, query, (tf.int32, tf.string, tf.float64, tf.string)) == [
        (1, b"x", 0.5, b"\0\1"),
        (2, b"", 0.0, b""),
        (3, b"12abc", 2.7, b"9"),
        (300, "é".encode(), -1.0, b""),
        (0, b"2.5e3", 1e30, b"z"),
    ]
    turned = (tf.string, tf.int64, tf.float64, tf.bool)
    assert [row[:2] + row[3:] for row in rows(database, query, turned)] == [
        (b"1", 0, False),
        (b"2", 0, False),
        (b"3", 12, True),
        (b"300", 0, False),
        (b"", 2, False),
    ]
    assert [x for (x,) in rows(database, "select c from t", (tf.string,))] == [
        b"0.5", b"", b"2.7", b"-1.0", b"1.0e+30"
    ]  # fmt: skip
    assert rows(database, "select a from t where a > 1000", (tf.int8,)) == []
    named = X.SqlDataset("sqlite", ":memory:", "select 1, 2", {"a": tf.int32, "b": tf.bool})
    assert named.element_spec == {"a": tf.TensorSpec([], tf.int32), "b": tf.TensorSpec([], tf.bool)}
    assert list(named.repeat(2).prefetch(1).as_numpy_iterator()) == [{"a": 1, "b": True}] * 2


@pytest.mark.parametrize(
    ("query", "types", "kind"),
    [
        ("select a from nope", tf.int32, tf.errors.UnknownError),
        ("selec", tf.int32, tf.errors.UnknownError),
        ("insert into t values (9, '', 0, '')", tf.int32, tf.errors.UnknownError),
        ("select 1; select 2", tf.int32, tf.errors.UnknownError),
        ("", tf.int32, INVALID),
        ("select a, b from t", tf.int32, INVALID),
        ("select a from t", tf.int8, INVALID),  # 300
    ],
)
def test_queries_that_fail(database: str, query: str, types: Any, kind: Any) -> None:
    dataset = X.SqlDataset("sqlite", database, query, (types,))
    with pytest.raises(kind):
        list(dataset)


def test_databases_that_are_none(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"no database" * 100)
    with pytest.raises(tf.errors.UnknownError, match="not a database"):
        rows(str(damaged), "select 1 from t", tf.int32)
    with pytest.raises(tf.errors.NotFoundError):
        rows(str(tmp_path / "missing"), "select 1", tf.int32)
    assert not (tmp_path / "missing").exists()
    with pytest.raises(INVALID, match="sqlite"):
        X.SqlDataset("mysql", "", "", tf.int32)
    with pytest.raises(INVALID, match="float32"):
        X.SqlDataset("sqlite", "", "", tf.float32)
    with pytest.raises(TypeError):
        X.SqlDataset(1, "", "", tf.int32)


def test_tables_from_datasets() -> None:
    pairs = Dataset.zip((Dataset.range(5000), Dataset.range(5000).map(lambda x: x * 2)))
    table = tf.lookup.StaticHashTable(X.DatasetInitializer(pairs), -1)
    assert table.lookup(tf.constant([0, 4999, 7000], tf.int64)).numpy().tolist() == [0, 9998, -1]
    words = Dataset.from_tensor_slices(["b", "a", "c"])
    index = X.index_table_from_dataset(words, default_value=9)
    assert index.value_dtype is tf.int64
    assert index.lookup(tf.constant(["a", "z"])).numpy().tolist() == [1, 9]
    cut = X.index_table_from_dataset(words, vocab_size=2, num_oov_buckets=2)
    assert int(cut.size()) == 4
    others = cut.lookup(tf.constant(["b", "c", "zz"])).numpy().tolist()
    assert others == [0, 2, 2]  # TensorFlow's
    texts = X.table_from_dataset(
        words.enumerate(), default_value="?", key_dtype=tf.int64, vocab_size=3
    )
    assert texts.lookup(tf.constant([2, 3], tf.int64)).numpy().tolist() == [b"c", b"?"]
    empty = tf.lookup.StaticHashTable(X.DatasetInitializer(pairs.take(0)), 3)
    assert int(empty.size()) == 0 and int(empty.lookup(tf.constant(1, tf.int64))) == 3
    with pytest.raises(FAILED, match="4"):
        X.index_table_from_dataset(words, vocab_size=4)
    with pytest.raises(FAILED, match="different value"):
        X.index_table_from_dataset(words.repeat(2))


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: X.DatasetInitializer(Dataset.range(2)), ValueError),
        (lambda: X.DatasetInitializer(Dataset.range(2).batch(1).enumerate()), ValueError),
        (lambda: X.table_from_dataset(Dataset.from_tensors((1, "a"))), ValueError),
        (lambda: X.index_table_from_dataset(Dataset.range(2), num_oov_buckets=-1), ValueError),
        (lambda: X.index_table_from_dataset(Dataset.range(2), vocab_size=0), ValueError),
        (lambda: X.index_table_from_dataset(Dataset.range(2), key_dtype=tf.float32), TypeError),
    ],
)
def test_no_tables(call: Any, kind: Any) -> None:
    with pytest.raises(kind):
        call()


def test_iterators_for_several_datasets() -> None:
    elements = v1.data.Iterator.from_structure(tf.int64, [])

    @tf.function
    def doubled() -> Any:
        return elements.get_next() * 2

    for ask in (elements.get_next, doubled):
        with pytest.raises(FAILED, match="not been initialized"):
            ask()
    assert elements.make_initializer(Dataset.range(3)) is None  # type: ignore[func-returns-value]
    assert [int(ask()) for ask in (elements.get_next, doubled, doubled)] == [0, 2, 4]
    with pytest.raises(tf.errors.OutOfRangeError):
        doubled()
    elements.make_initializer(Dataset.range(5, 12).filter(lambda x: x % 2 == 0))
    assert int(doubled()) == 12 and [int(x) for x in elements] == [8, 10]
    with pytest.raises(TypeError, match="float32"):
        elements.make_initializer(Dataset.from_tensors(1.0))
    shaped = v1.data.Iterator.from_structure((tf.int64, tf.float32), ([], [None]))
    with pytest.raises(TypeError):
        shaped.make_initializer(Dataset.from_tensors((tf.constant(1, tf.int64), [[1.0]])))
    with pytest.raises(ValueError, match="from_structure"):
        iter(Dataset.range(3)).make_initializer(Dataset.range(3))
    many = v1.data.Iterator.from_structure(tf.int64, [])
    many.make_initializer(Dataset.range(100).shuffle(100, seed=1))
    first = [int(many.get_next()) for _ in range(3)]
    saved = many._serialize_to_tensors()
    following = int(many.get_next())
    many.make_initializer(Dataset.range(100).shuffle(100, seed=1))
    many._restore_from_tensors(saved)
    assert int(many.get_next()) == following and following not in first


def test_the_data_service_is_not_there() -> None:
    with pytest.raises(AttributeError, match="shard"):
        X.service.distribute("parallel_epochs", "grpc://localhost:1")
    with pytest.raises(AttributeError, match="no attribute"):
        _ = X.service.nothing
