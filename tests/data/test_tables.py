"""Files of fields, as TensorFlow 2.21 reads them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import tfc as tf

TABLE = 'a,b,c\n1,2.5,x\n3,,"y ""q"" z"\n5,6,"multi\nline"\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path / "t.csv"


def rows(path: Any, *args: Any, **options: Any) -> list[Any]:
    return list(tf.data.experimental.CsvDataset(str(path), *args, **options).as_numpy_iterator())


def test_records(path: Path) -> None:
    expected = [(1, 2.5, b"x"), (3, 0.5, b'y "q" z'), (5, 6.0, b"multi\nline")]
    assert rows(path, [tf.int32, 0.5, tf.string], header=True) == expected
    assert rows(path, [tf.string], header=True, select_cols=[2]) == [(x,) for _, _, x in expected]
    assert rows(path, [tf.int64, tf.string], header=True, exclude_cols=[1])[2][0] == 5
    path.write_bytes(gzip.compress(b"1;a\n-;b\n"))
    options = {"compression_type": "GZIP", "field_delim": ";", "na_value": "-"}
    assert rows(path, [7, tf.string], **options) == [(1, b"a"), (7, b"b")]
    path.write_text('"1,a\n2",b\n')
    plain = rows(path, [tf.string, tf.string], use_quote_delim=False)
    assert plain == [(b'"1', b"a"), (b'2"', b"b")]


def test_wrong_records_keep_their_place(path: Path) -> None:
    path.write_text('3,x\n\n4,y\n 5 , z \n1.5,q\n5000000000,"a b"\n7\n8,"quo"\n')
    dataset = tf.data.experimental.CsvDataset(path, [tf.int32, tf.string])
    elements, found = iter(dataset), []
    for _ in range(8):
        try:
            found.append(int(next(elements)[0]))
        except tf.errors.InvalidArgumentError as error:
            found.append(error.message.split(":")[-1].strip())
    assert found == [3, "b''", 4, 5, "b'1.5,q'", "b'5000000000,\"a b\"'", "b'7'", 8]
    assert [int(n) for n, _ in dataset.ignore_errors()] == [3, 4, 5, 8]


def test_batches_of_columns(path: Path) -> None:
    make = tf.data.experimental.make_csv_dataset
    options = {"shuffle": False, "num_epochs": 1}
    (first, label), (second, _) = make(str(path), 2, label_name="a", **options)
    assert sorted(first) == ["b", "c"] and label.numpy().tolist() == [1, 3]
    assert first["b"].numpy().tolist() == [2.5, 0.0]
    assert second["c"].numpy().tolist() == [b"multi\nline"]
    endless = make(str(path), 2, select_columns=["c", 0])
    assert endless.cardinality() == tf.data.INFINITE_CARDINALITY
    assert endless.element_spec == {
        "a": tf.TensorSpec([2], tf.int32),
        "c": tf.TensorSpec([2], tf.string),
    }
    path.write_text("1,5000000000\n2,x\n")
    one = make(str(path), 2, ["p", "q"], header=False, num_rows_for_inference=1, **options)
    assert one.element_spec["q"].dtype is tf.int64
    (batch,) = make(str(path), 2, ["p", "q"], header=False, **options)
    assert batch["q"].numpy().tolist() == [b"5000000000", b"x"]
    for wrong in ({"label_name": "z"}, {"select_columns": ["z"]}, {"column_names": ["a", "a"]}):
        with pytest.raises(ValueError, match=r"z|twice"):
            make(str(path), 2, **{"column_names": ["p", "q"], "header": False, **wrong})
