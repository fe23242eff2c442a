"""Counts of ragged and sparse tensors, feature crosses, hashes: against TensorFlow's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

RAGGED = tf.ragged.constant([[1, 2], [3, 0, 0, 0, 1, 2]])
WEIGHTS = tf.ragged.constant([[1.0, 2.0], [3.0, 0.5, 0.5, 1.0, 1.0, 2.0]])


def parts(x: tf.SparseTensor) -> Any:
    return x.indices.numpy().tolist(), x.values.numpy().tolist(), x.shape.as_list()


def test_dense_counts() -> None:
    for run in (lambda f: f, tf.function):
        assert run(tf.math.bincount)(RAGGED).numpy().tolist() == [3, 2, 2, 1]
        by_row = run(lambda x, w: tf.math.bincount(x, w, axis=-1))(RAGGED, WEIGHTS)
        assert by_row.numpy().tolist() == [[0, 1, 2, 0], [2, 1, 2, 3]]
    assert tf.math.bincount(RAGGED, axis=-1, maxlength=2).numpy().tolist() == [[0, 1], [3, 1]]
    binary = tf.math.bincount(RAGGED, axis=-1, minlength=5, binary_output=True)
    assert binary.numpy().tolist() == [[0, 1, 1, 0, 0], [1, 1, 1, 1, 0]]
    sparse = tf.sparse.from_dense([[1, 2, 2], [0, 3, 0]])
    assert tf.math.bincount(sparse, axis=-1).numpy().tolist() == [[0, 1, 2, 0], [0, 0, 0, 1]]
    assert tf.math.bincount(sparse).numpy().tolist() == [0, 1, 2, 1]
    tf.debugging.assert_type(sparse, tf.int32)
    with pytest.raises(TypeError):
        tf.debugging.assert_type(sparse, tf.float32)


def test_sparse_counts() -> None:
    wide = np.array([[1, 2, 2], [0, 3, 0]])
    wanted = ([[0, 1], [0, 2], [1, 0], [1, 3]], [1, 2, 2, 1], [2, 4])
    assert parts(tf.sparse.bincount(wide, axis=-1)) == wanted
    assert parts(tf.sparse.bincount(wide)) == ([[0], [1], [2], [3]], [2, 1, 2, 1], [4])
    assert parts(tf.sparse.bincount(np.array([1, 2, 2]), axis=-1)) == ([[1], [2]], [1, 2], [3])
    row = np.array([[1, 2, 2]], np.int32)
    assert parts(tf.sparse.bincount(row, axis=-1, minlength=7))[2] == [1, 7]
    assert parts(tf.sparse.bincount(row, axis=-1, maxlength=2)) == ([[0, 1]], [1], [1, 2])
    binary = tf.sparse.bincount(row, axis=-1, binary_output=True)
    assert parts(binary)[1] == [1, 1] and binary.dtype == tf.int32
    heavy = tf.sparse.bincount(RAGGED, weights=WEIGHTS, axis=-1)
    assert parts(heavy)[1] == [1, 2, 2, 1, 2, 3] and heavy.dtype == tf.float32
    traced = tf.function(lambda x: tf.sparse.bincount(x, axis=-1))(RAGGED)
    assert parts(traced) == parts(tf.sparse.bincount(RAGGED, axis=-1))
    for wrong in (
        lambda: tf.sparse.bincount([[1, -2]], axis=-1),
        lambda: tf.sparse.bincount(row, weights=row, binary_output=True),
        lambda: tf.sparse.bincount(row, axis=1),
    ):
        with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
            wrong()


def test_crosses() -> None:
    """The numbers are those of TensorFlow 2.21."""
    letters = [tf.ragged.constant(v) for v in ([["a"], ["b", "c"]], [["d"], ["e"]], [["f"], ["g"]])]
    crossed = tf.ragged.cross(letters)
    assert crossed.to_list() == [[b"a_X_d_X_f"], [b"b_X_e_X_g", b"c_X_e_X_g"]]
    assert tf.ragged.cross_hashed(letters, num_buckets=100).to_list() == [[78], [66, 74]]
    mixed = [tf.ragged.constant([[1], [2, 3]]), tf.ragged.constant([["a"], ["b"]])]
    assert tf.ragged.cross(mixed).to_list() == [[b"1_X_a"], [b"2_X_b", b"3_X_b"]]
    assert tf.ragged.cross_hashed(mixed).to_list() == [
        [6586076667385110638],
        [4367275301703982342, 3302797561873708220],
    ]
    assert tf.ragged.cross_hashed(letters[:2], 100, 17).to_list() == [[23], [44, 25]]
    dense = tf.constant([["x", "y"], ["z", "w"]])
    assert tf.ragged.cross([letters[0], dense]).to_list()[0] == [b"a_X_x", b"a_X_y"]
    sparse = tf.sparse.cross([tf.constant([["a"], ["b"]]), tf.constant([["c"], ["d"]])], None, "-")
    assert parts(sparse) == ([[0, 0], [1, 0]], [b"a-c", b"b-d"], [2, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows differ"):
        tf.ragged.cross([letters[0], tf.constant([["a"]])])
    with pytest.raises(ValueError, match="two axes"):
        tf.sparse.cross([tf.constant(["a"])])


def test_crosses_in_functions() -> None:
    """The same, where the tensors come with the call."""
    letters = [tf.ragged.constant(v) for v in ([["a"], ["b", "c"]], [["d"], ["e"]])]
    in_function = tf.function(lambda *x: (tf.ragged.cross(x), tf.ragged.cross_hashed(x, 9)))
    for got, wanted in zip(
        in_function(*letters),
        (tf.ragged.cross(letters), tf.ragged.cross_hashed(letters, 9)),
        strict=True,
    ):
        assert got.to_list() == wanted.to_list()
    columns = [tf.sparse.from_dense([["a", "b"], ["", "c"]]), tf.constant([[1], [2]])]
    sparse = tf.function(lambda *x: (tf.sparse.cross(x), tf.sparse.cross_hashed(x, 9)))
    wanted = tf.sparse.cross(columns), tf.sparse.cross_hashed(columns, 9)
    for got, eager in zip(sparse(*columns), wanted, strict=True):
        assert parts(got) == parts(eager)
        assert got.shape.rank == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows differ"):
        sparse(columns[0], tf.constant([[1]]))


def test_hashes() -> None:
    """The numbers are those of TensorFlow 2.21; the last of SipHash that of its paper's table."""
    runs = ["a" * n for n in (0, 1, 7, 8, 9, 16, 33)]
    wanted = [142163811899, 825286642172, 697047884095, 234703448238, 789685354907, 426176328637]
    found = tf.strings.to_hash_bucket(runs, 1 << 40).numpy().tolist()
    assert found[:6] == wanted
    assert tf.strings.to_hash_bucket(["Hello", "TensorFlow", "2.x"], 3).numpy().tolist() == [
        2,
        0,
        1,
    ]
    strong = tf.strings.to_hash_bucket_strong(["Hello", "TF", ""], 3, key=[1, 2])
    assert strong.numpy().tolist() == [2, 0, 1]
    from tfc.ops.strings.hashing import siphash64

    key = bytes(range(16))
    halves = [int.from_bytes(key[i : i + 8], "little") for i in (0, 8)]
    assert siphash64(bytes(range(15)), *halves) == 0xA129CA6149BE45E5
    with pytest.raises(tf.errors.InvalidArgumentError, match="Key must have 2 elements"):
        tf.strings.to_hash_bucket_strong(["a"], 3, [1])


def test_offsets_and_segments_of_strings() -> None:
    points, offsets = tf.strings.unicode_decode_with_offsets(["G\xf6n", "\U0001f60a"], "UTF-8")
    assert points.to_list() == [[71, 246, 110], [128522]] and offsets.to_list() == [[0, 1, 3], [0]]
    malformed = b"a\xffb"
    for errors, wanted in (("replace", [97, 0xFFFD, 98]), ("ignore", [97, 98])):
        points, offsets = tf.strings.unicode_decode_with_offsets(malformed, "UTF-8", errors)
        assert points.numpy().tolist() == wanted
        assert (
            points.numpy().tolist()
            == tf.strings.unicode_decode(malformed, "UTF-8", errors).numpy().tolist()
        )
        assert offsets.numpy().tolist() == ([0, 1, 2] if errors == "replace" else [0, 2])
    split, offsets = tf.strings.unicode_split_with_offsets("G\xf6", "UTF-8")
    assert split.numpy().tolist() == [b"G", b"\xc3\xb6"] and offsets.numpy().tolist() == [0, 1]
    join = tf.strings.unsorted_segment_join
    rows = [["Y", "q"], ["Y", "6"], ["p", "G"]]
    assert join(rows, [1, 0, 1], 2, ":").numpy().tolist() == [[b"Y", b"6"], [b"Y:p", b"q:G"]]
    assert join(["a", "b"], [2, 2], 3).numpy().tolist() == [b"", b"", b"ab"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not allowed to exceed"):
        join(["a"], [-1], 2)
