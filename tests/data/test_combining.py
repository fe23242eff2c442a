"""Several datasets as one."""

from __future__ import annotations

import pytest

import tfc as tf


def test_strings_beside_what_is_computed() -> None:
    names = tf.data.Dataset.from_tensor_slices(["a", "b", "c", "d"])
    squares = tf.data.Dataset.range(4).map(lambda x: x * x)
    both = tf.data.Dataset.zip(names, squares)
    expected = [(b"a", 0), (b"b", 1), (b"c", 4), (b"d", 9)]
    assert list(both.as_numpy_iterator()) == expected
    assert list(both.shuffle(4, seed=1).take(4).as_numpy_iterator()) != []
    (first, second) = both.batch(2).batch(2).get_single_element()
    assert first.numpy().tolist() == [[b"a", b"b"], [b"c", b"d"]]
    assert second.numpy().tolist() == [[0, 1], [4, 9]]
    assert list(both.concatenate(both).skip(3).take(2).as_numpy_iterator()) == [
        (b"d", 9),
        (b"a", 0),
    ]


def test_functions_of_strings_are_programs() -> None:
    words = tf.data.Dataset.from_tensor_slices(["a", "bb", "ccc", ""] * 5)
    lengths = words.map(lambda x: (x, tf.strings.length(x), tf.strings.upper(x)))
    assert "one program for many" in lengths.explain()
    (first, counts, upper) = lengths.batch(20).get_single_element()
    assert first.numpy().tolist() == [b"a", b"bb", b"ccc", b""] * 5
    assert counts.numpy().tolist() == [1, 2, 3, 0] * 5
    assert upper.numpy().tolist() == [b"A", b"BB", b"CCC", b""] * 5
    raw = words.map(lambda x: tf.io.decode_raw(x, tf.uint8))
    assert "its results may differ in shape" in raw.explain()
    assert [len(x) for x in raw] == [1, 2, 3, 0] * 5
    assert int(words.reduce(0, lambda n, x: n + tf.strings.length(x))) == 30
    numbers = words.map(lambda x: tf.strings.to_number(tf.strings.join(["1", x])))
    elements = iter(numbers.skip(3))
    assert float(next(elements)) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="1a"):
        next(elements)


def test_filters_that_look_ahead() -> None:
    """What fails keeps its place, and nothing is left out or comes twice."""
    numbers = tf.data.Dataset.range(5000).map(lambda x: tf.constant(60, tf.int64) // (x - 3000))
    kept = numbers.enumerate().filter(lambda i, _: i % 3 == 0)
    elements = iter(kept)
    found = [int(next(elements)[0]) for _ in range(1000)]
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        next(elements)
    found += [int(i) for i, _ in elements]
    assert found == [i for i in range(0, 5000, 3) if i != 3000]
    batches = tf.data.Dataset.range(3000).filter(lambda x: x % 7 < 5).batch(64)
    joined = [x for batch in batches.as_numpy_iterator() for x in batch.tolist()]
    assert joined == [x for x in range(3000) if x % 7 < 5]
