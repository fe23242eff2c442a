"""Lookup tables, eagerly and in functions."""

from __future__ import annotations

import gc
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf

L = tf.lookup
Index = L.TextFileIndex
Mutable = L.experimental.MutableHashTable
Dense = L.experimental.DenseHashTable
ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)


def longs(*values: int) -> tf.Tensor:
    return tf.constant(values, tf.int64)


def static(default: Any = -1, keys: Any = ("a", "b"), values: Any = (1, 2)) -> Any:
    return L.StaticHashTable(L.KeyValueTensorInitializer(list(keys), list(values)), default)


def both(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives eagerly and traced, with known and unknown sizes, which is the same."""
    wanted = function(*arguments)
    ways = [tf.function(function)]
    if all(isinstance(x, tf.Tensor) for x in arguments):
        specs = [tf.TensorSpec([None] * x.ndim, x.dtype) for x in arguments]
        ways.append(tf.function(function, input_signature=specs))
    for way in ways:
        found = way(*arguments)
        assert type(found) is type(wanted) and found.dtype == wanted.dtype
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
    return np.asarray(wanted).tolist()


def test_static() -> None:
    table = static()
    assert (table.key_dtype, table.value_dtype, table.name) == (tf.string, tf.int32, "hash_table")
    assert table.default_value.numpy() == -1 and table.size().numpy() == 2
    assert both(table.lookup, tf.constant([["a", "q"], ["b", "a"]])) == [[1, -1], [2, 1]]
    assert both(lambda x: table[x], tf.constant("b")) == 2 and table["zz"].numpy() == -1
    assert both(table.lookup, tf.constant([], tf.string)) == []
    keys, values = table.export()
    assert dict(zip(keys.numpy(), values.numpy(), strict=True)) == {b"a": 1, b"b": 2}
    assert tf.function(lambda: table.export()[1])().numpy().tolist() == [1, 2]
    words = static("?", [3, 5], ["three", "five"])
    assert both(words.lookup, tf.constant([5, 4])) == [b"five", b"?"]
    floats = static(0.0, ["x"], [0.5])
    assert both(lambda x: floats.lookup(x) * 2, tf.constant(["x", "y"])) == [1.0, 0.0]
    ragged = tf.ragged.constant([["a"], ["b", "q"]])
    assert table.lookup(ragged).to_list() == [[1], [2, -1]]
    assert tf.function(table.lookup)(ragged).to_list() == [[1], [2, -1]]
    sparse = table.lookup(tf.sparse.from_dense([["a", ""], ["", "b"]]))
    assert sparse.values.numpy().tolist() == [1, 2] and isinstance(sparse, tf.SparseTensor)
    # The same value twice is no contradiction.
    assert static(keys=["a", "a"], values=[1, 1]).size().numpy() == 1


def test_programs_share_code_and_not_tables() -> None:
    tables = [static(values=[k, k + 1]) for k in range(3)]
    functions = [tf.function(lambda x, t=t: t.lookup(x) + 1) for t in tables]
    found = [f(tf.constant(["a", "b"])).numpy().tolist() for f in functions]
    assert found == [[1, 2], [2, 3], [3, 4]]
    costs = [f.get_concrete_function(tf.constant(["a", "b"])).cost.cache for f in functions]
    assert costs[1:] == ["shared", "shared"]


def test_vocabulary() -> None:
    """The numbers are TensorFlow's."""
    words = L.KeyValueTensorInitializer(["a", "b"], longs(0, 1))
    table = L.StaticVocabularyTable(words, 3)
    assert both(table.lookup, tf.constant(["a", "z", "y"])) == [0, 3, 4]
    assert table.size().numpy() == 5 and table.value_dtype == tf.int64
    numbers = L.KeyValueTensorInitializer(longs(5, 7), longs(0, 1))
    assert both(L.StaticVocabularyTable(numbers, 3).lookup, longs(5, 7, 9, 123)) == [0, 1, 4, 3]
    narrow = L.StaticVocabularyTable(numbers, 3, lookup_key_dtype=tf.int32)
    assert both(narrow.lookup, tf.constant([5, 7, 9, 123])) == [0, 1, 4, 3]
    assert L.StaticVocabularyTable(None, 5)[["q", "r"]].numpy().tolist() == [3, 3]


def test_files(tmp_path: Path) -> None:
    path = str(tmp_path / "words.txt")
    tf.io.write_file(path, "emerson 10\r\nlake 20\npalmer 30\n")

    def table(key: Any, value: Any, default: Any = -1, **options: Any) -> Any:
        dtypes = [tf.int64 if i == Index.LINE_NUMBER else tf.string for i in (key, value)]
        dtypes[1] = options.pop("value_dtype", dtypes[1])
        read = L.TextFileInitializer(
            path, dtypes[0], key, dtypes[1], value, delimiter=" ", **options
        )
        return L.StaticHashTable(read, default)

    numbers = table(0, 1, value_dtype=tf.int64)
    assert both(numbers.lookup, tf.constant(["lake", "q"])) == [20, -1]
    lines = table(Index.WHOLE_LINE, Index.LINE_NUMBER, value_index_offset=5)
    assert lines[["lake 20", "emerson 10"]].numpy().tolist() == [6, 5]
    assert table(Index.LINE_NUMBER, 0, "?")[longs(0, 9)].numpy().tolist() == [b"emerson", b"?"]
    assert table(0, 1, 0.0, value_dtype=tf.float32)["palmer"].numpy() == 30.0
    assert table(0, 1, "", vocab_size=2).size().numpy() == 2
    for call, kind, text in (
        (lambda: table(0, 5, ""), ERRORS, "number of columns .* line 0 .emerson 10. .* 6 got 2"),
        (
            lambda: table(0, 0, value_dtype=tf.int64),
            ERRORS,
            "emerson in line 0 is not a valid int64",
        ),
        (lambda: table(0, 1, "", vocab_size=7), ERRORS, "expected 7 but got 3"),
        (lambda: table(0, 1, "", vocab_size=0), ERRORS, "greater than 0"),
        (lambda: table(0, Index.LINE_NUMBER, value_dtype=tf.string), ERRORS, "must be int64"),
        (lambda: table(-3, 1, ""), ERRORS, "Invalid key_index"),
    ):
        with pytest.raises(kind, match=text):
            call()
    with pytest.raises(tf.errors.NotFoundError, match=r"nothing\.txt"):
        L.StaticHashTable(L.TextFileInitializer("nothing.txt", tf.string, 0, tf.string, 0), "")


def test_mutable() -> None:
    table = Mutable(tf.string, tf.int64, -1)

    @tf.function
    def note(words: tf.Tensor) -> Any:
        before = table.lookup(words)
        table.insert(words, tf.range(tf.size(words, tf.int64)) + 10)
        size = table.size()
        table.remove(words[:1])
        return before, size, table.lookup(words), table.export()

    for k in range(2):
        before, size, after, (keys, values) = note(tf.constant(["a", "b", "c"]))
        assert before.numpy().tolist() == ([-1] * 3 if k == 0 else [-1, 11, 12])
        assert size.numpy() == 3 and after.numpy().tolist() == [-1, 11, 12]
        assert sorted(zip(keys.numpy(), values.numpy(), strict=True)) == [(b"b", 11), (b"c", 12)]
    assert table.lookup(tf.constant(["b", "q"]), longs(7, 8)).numpy().tolist() == [11, 8]
    assert table.lookup(tf.constant(["b", "q"]), longs(7)[0]).numpy().tolist() == [11, 7]
    table.insert(["b", "b"], [1, 2])
    assert table["b"].numpy() == 2 and table.size().numpy() == 2

    @tf.function
    def count(words: tf.Tensor) -> tf.Tensor:  # in a loop, in order
        for word in words:
            table.insert(word, table.lookup(word) + 1)
        return table.lookup(words)

    assert count(tf.constant(["x", "y", "x", "x"])).numpy().tolist() == [2, 0, 2, 2]
    vectors = Mutable(tf.string, tf.float32, [0.0, 0.5])
    vectors.insert(tf.constant(["a"]), [[1.0, 2.0]])
    assert both(vectors.lookup, tf.constant([["a", "q"]])) == [[[1.0, 2.0], [0.0, 0.5]]]
    for _ in range(100):  # rows are used again
        vectors.insert(["b", "c"], [[1.0, 1.0], [2.0, 2.0]])
        vectors.remove(["b", "c"])
    assert len(vectors._store._values) < 10


def test_dense() -> None:
    table = Dense(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1, initial_num_buckets=8)
    table.insert(longs(1, 2), longs(3, 4))
    table.insert_or_assign(longs(2), longs(5))
    table.erase(longs(1))
    assert both(table.lookup, longs(1, 2)) == [-1, 5] and table.size().numpy() == 1
    for key in (0, -1):
        with pytest.raises(tf.errors.InvalidArgumentError, match="as a table key is not allowed"):
            table.lookup(longs(key))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"not allowed.*test_lookup\.py"):
            tf.function(table.insert)(longs(key), longs(1))
    pairs = Dense(tf.int64, tf.string, "", empty_key=[0, 0], deleted_key=[-1, -1])
    pairs.insert(tf.constant([[1, 2]], tf.int64), tf.constant(["x"]))
    assert both(pairs.lookup, tf.constant([[1, 2], [2, 1]], tf.int64)) == [b"x", b""]
    assert pairs.export()[0].shape == (1, 2)


def test_random_inserts_and_removes() -> None:
    draw = random.Random(5)
    table, wanted = Mutable(tf.int64, tf.string, "-"), {}
    for _ in range(60):
        keys = [draw.randrange(20) for _ in range(draw.randrange(6))]
        if draw.random() < 0.6:
            values = [str(draw.random()) for _ in keys]
            table.insert(longs(*keys), tf.constant(values, tf.string))
            wanted.update(zip(keys, values, strict=True))
        else:
            table.remove(longs(*keys))
            for key in keys:
                wanted.pop(key, None)
        found = table.lookup(longs(*range(20))).numpy().tolist()
        assert found == [wanted.get(k, "-").encode() for k in range(20)]
        assert table.size().numpy() == len(wanted)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: static(keys=["a", "b"], values=[1]), r"Expected shape \[2\] for value, got \[1\]"),
    (lambda: static("x"), "Cannot convert 'x' to int32"),
    (lambda: static([1, 2]), r"Shapes \(2,\) and \(\) are not compatible"),
    (lambda: static().lookup(tf.constant([1])), "must be .*string.*, received: .*int32"),
    (lambda: tf.function(static().lookup)(tf.constant([1])), "must be .*string.*int32"),
    (lambda: L.StaticVocabularyTable(None, 0), "use StaticHashTable"),
    (
        lambda: L.StaticVocabularyTable(L.KeyValueTensorInitializer(["a"], [0]), 1),
        "Invalid `value_dtype`",
    ),
    (
        lambda: L.StaticVocabularyTable(L.KeyValueTensorInitializer([0.5], longs(0)), 1),
        "Invalid key dtype",
    ),
    (lambda: Mutable(tf.string, tf.int64, -1).insert(["a"], longs(1, 2)), "Expected shape"),
    (lambda: Mutable(tf.string, tf.int64, -1).insert([1], longs(1)), "keys: "),
    (lambda: Dense(tf.int64, tf.int64, -1, 0, 0), "keys cannot be equal"),
    (lambda: Dense(tf.int64, tf.int64, -1, 0, [0]), "must have same shape"),
    (lambda: Dense(tf.int64, tf.int64, -1, 0, 1, 3), "a power of 2, got: 3"),
    (
        lambda: tf.function(lambda x: L.KeyValueTensorInitializer(x, x))(longs(1)),
        "begins with what is known",
    ),
]


@pytest.mark.parametrize("k", range(len(REFUSED)))
def test_what_is_refused(k: int) -> None:
    call, text = REFUSED[k]
    with pytest.raises(ERRORS, match=text):
        call()


def test_a_key_with_two_values() -> None:
    with pytest.raises(tf.errors.FailedPreconditionError, match="Key a has 1 and trying to add"):
        static(keys=["a", "a"], values=[1, 2])


def test_tables_live_as_long_as_programs_need_them() -> None:
    text = b"a key of its own"
    before = sys.getrefcount(text)

    def made() -> Any:
        table = static("?", [1], [text])
        return tf.function(lambda x: table.lookup(x))

    f = made()
    gc.collect()
    assert f(tf.constant([1])).numpy().tolist() == [text]
    del f
    gc.collect()
    assert sys.getrefcount(text) == before


def test_threads() -> None:
    table = Mutable(tf.int64, tf.int64, -1)
    insert = tf.function(lambda k: (table.insert(k, k * 2), table.lookup(k))[1])
    wrong = []

    def work(first: int) -> None:
        for k in range(first, first + 2000, 50):
            found = insert(tf.range(k, k + 50, dtype=tf.int64)).numpy()
            if (found != 2 * np.arange(k, k + 50)).any():
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(10_000 * i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong and table.size().numpy() == 6000


KEY_DTYPES = ["int8", "uint8", "int32", "uint64", "bool", "float32", "float64", "bfloat16", "half"]


@pytest.mark.parametrize("dtype", [*KEY_DTYPES, "complex128"])
def test_keys_of_all_dtypes(dtype: str) -> None:
    keys = tf.cast(tf.constant([0, 1] if dtype == "bool" else [0, 1, 2, 3]), dtype)
    table = Mutable(dtype, tf.int32, -1)
    table.insert(keys, tf.range(len(keys)))
    assert table[keys].numpy().tolist() == list(range(len(keys)))
    assert sorted(table.export()[0].numpy().tolist(), key=abs) == keys.numpy().tolist()
    if dtype in ("uint8", "uint64"):
        assert table[tf.constant([255], dtype)].numpy() == -1
    if keys.dtype.is_floating:
        assert table[-tf.zeros([1], dtype)].numpy() == 0  # -0.0 is 0.0
    table.remove(keys[:1])
    assert table[keys].numpy().tolist() == [-1, *range(1, len(keys))]


def test_a_key_with_several_values_in_one_call() -> None:
    table = Mutable(tf.string, tf.int32, -1)
    table.insert(tf.constant(["a", "b", "a"]), tf.constant([1, 2, 3]))  # the last one counts
    assert table[tf.constant(["a", "b"])].numpy().tolist() == [3, 2] and int(table.size()) == 2
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"Key a has 1 and .* value 3"):
        static(keys=["b", "a", "a"], values=[0, 1, 3])
    same = static(0.0, ["a", "b", "a"], [1.0, 2.0, 1.0])
    assert float(same[tf.constant("b")]) == 2.0
    unequal = static(0.0, ["a", "b", "b"], [float("nan"), 1.0, 1.0])
    assert np.isnan(float(unequal[tf.constant("a")]))


def test_keys_with_shapes() -> None:
    for keys, empty, deleted in (
        ([[1, 2], [2, 1]], [0, 0], [-1, -1]),
        ([["a", "bc"], ["ab", "c"]], ["", ""], ["$", ""]),
    ):
        table = Dense(tf.constant(keys).dtype, tf.int32, -1, empty, deleted)
        table.insert(keys, [10, 20])
        assert table[keys].numpy().tolist() == [10, 20]
        with pytest.raises(tf.errors.InvalidArgumentError, match="empty_key"):
            table.insert([empty], [1])
        with pytest.raises(tf.errors.InvalidArgumentError, match="deleted_key"):
            table.lookup([deleted])
