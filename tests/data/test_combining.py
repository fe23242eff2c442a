"""Several datasets as one."""

from __future__ import annotations

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
