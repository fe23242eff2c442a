"""Functions that few programs use: against NumPy, and numbers of TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf


def both(f: Any) -> list[Any]:
    return [f, tf.function(f)]


def test_approximate_extremes() -> None:
    x = np.random.default_rng(0).normal(size=(4, 9, 3)).astype(np.float32)
    for f in both(lambda v: tf.math.approx_max_k(v, 2, reduction_dimension=1)):
        values, places = f(tf.constant(x))
        order = np.argsort(-x, 1)[:, :2]
        np.testing.assert_array_equal(places, order)
        np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))
    found = tf.nn.approx_min_k(x, 3)
    np.testing.assert_array_equal(found.values, np.sort(x, 2))
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        tf.nn.approx_max_k(x, 2, reduction_dimension=3)


def test_isotonic_regression() -> None:
    x = tf.constant([[3.0, 1.0, 2.0], [5.0, 6.0, 4.0], [1.0, 3.0, 4.0]])
    wanted = [[3, 1.5, 1.5], [5.5, 5.5, 4], [8 / 3] * 3]
    for f in both(tf.nn.isotonic_regression):
        y, runs = f(x)
        np.testing.assert_allclose(y, wanted, rtol=1e-6)
        assert runs.numpy().tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    y, runs = tf.nn.isotonic_regression([[3, 1, 2]], decreasing=False)
    assert y.dtype == tf.float64 and y.numpy().tolist() == [[2, 2, 2]]
    y, _ = tf.nn.isotonic_regression(tf.transpose(x), axis=0)
    np.testing.assert_allclose(tf.transpose(y), wanted, rtol=1e-6)
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(tf.nn.isotonic_regression(x)[0] * [1.0, 2.0, 4.0])
    rows = [[1, 3, 3], [1.5, 1.5, 4], [7 / 3] * 3]
    np.testing.assert_allclose(tape.gradient(total, x), rows, rtol=1e-6)
    with pytest.raises(TypeError, match="no order"):
        tf.nn.isotonic_regression([1j])


def test_modified_cosine_transform() -> None:
    wanted = [
        [-5.607321, -0.2148695],
        [-11.189502, 0.70122933],
        [-16.771683, 1.6173289],
        [-22.353867, 2.5334277],
        [-27.93605, 3.4495263],
    ]
    x = tf.range(12.0)
    for f in both(lambda v: tf.signal.mdct(v, 4)):
        np.testing.assert_allclose(f(x), wanted, rtol=1e-5, atol=1e-5)
    for norm in (None, "ortho"):
        wide = tf.cast(tf.random.normal([2, 64], seed=3), tf.float64)
        again = tf.signal.inverse_mdct(tf.signal.mdct(wide, 16, norm=norm), norm=norm)
        np.testing.assert_allclose(again[:, 8:-8], wide[:, 8:-8], atol=1e-12)
    with pytest.raises(ValueError, match="divisible by 4"):
        tf.signal.mdct(x, 6)
    with pytest.raises(ValueError, match="normalization"):
        tf.signal.mdct(x, 4, norm="other")


def test_glimpses() -> None:
    x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    middle = tf.image.extract_glimpse(x, [2, 2], [[0.0, 0.0]])
    assert middle[0, :, :, 0].numpy().tolist() == [[5, 6], [9, 10]]
    f = lambda v, o: tf.image.extract_glimpse(v, [3, 3], o, False, False, "zero")  # noqa: E731
    for run in both(f):
        corner = run(x, tf.constant([[1.0, 2.0]]))[0, :, :, 0]
        assert corner.numpy().tolist() == [[6, 7, 0], [10, 11, 0], [14, 15, 0]]
    noisy = tf.image.extract_glimpse(x, [2, 2], [[9, 9]], False, False).numpy()
    assert ((noisy >= 0) & (noisy < 1)).all() and len(np.unique(noisy)) == 4
    with pytest.raises(ValueError, match="noise must be"):
        tf.image.extract_glimpse(x, [2, 2], [[0, 0]], noise="pink")


def test_quality_of_images() -> None:
    pytest.importorskip("PIL")
    flat = tf.fill([16, 16, 3], tf.constant(120, tf.uint8))
    assert np.abs(tf.image.adjust_jpeg_quality(flat, 90).numpy().astype(int) - 120).max() < 3
    x = tf.cast(tf.random.uniform([16, 16, 3], 0, 256, tf.int32, seed=1), tf.uint8)
    near, far = (tf.image.adjust_jpeg_quality(x, q).numpy().astype(int) for q in (100, 1))
    loss = [np.abs(v - x.numpy()).mean() for v in (near, far)]
    assert loss[0] < loss[1]
    floats = tf.image.adjust_jpeg_quality(tf.cast(flat, tf.float32) / 255.0, 90)
    np.testing.assert_allclose(floats, 120 / 255, atol=0.02)
    drawn = [tf.image.stateless_random_jpeg_quality(x, 10, 95, [1, 2]).numpy() for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
    assert tf.image.random_jpeg_quality(x, 10, 11).shape == (16, 16, 3)
    for low, high in ((50, 50), (-1, 5), (5, 101)):
        with pytest.raises(ValueError, match="quality"):
            tf.image.random_jpeg_quality(x, low, high)


def test_sampled_products() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4, 5))
    places = np.stack([rng.integers(0, 3, (2, 6)), rng.integers(0, 5, (2, 6))], -1)
    added = rng.normal(size=(2, 6))
    whole = a @ b
    wanted = 2 * np.stack([whole[i][tuple(places[i].T)] for i in range(2)]) + 0.5 * added
    options = {"beta": 0.5, "alpha": 2.0, "output_type": tf.float64}
    for f in both(lambda *v: tf.sparse.sampled_addmm(*v, **options)):
        _, found, extents = f(*map(tf.constant, (places, added, [3, 5], a, b)))
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        assert extents.numpy().tolist() == [3, 5]
    with pytest.raises(ValueError, match="do not fit"):
        tf.sparse.sampled_addmm([[0, 0]], [1.0], [2, 2], a, b)


def test_dropout_by_numbers_of_ones_own() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    draw = lambda shape, dtype: tf.constant([0.1, 0.6, 0.5], dtype)  # noqa: E731
    found = tf.nn.experimental.general_dropout(x, 0.5, draw)
    assert found.numpy().tolist() == [0, 4, 6]


def test_edit_distances() -> None:
    hypothesis = tf.SparseTensor([[0, 0, 0], [1, 0, 0]], ["a", "b"], [2, 1, 1])
    places = [[0, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0]]
    truth = tf.SparseTensor(places, ["a", "b", "c", "a"], [2, 2, 2])
    assert tf.edit_distance(hypothesis, truth).numpy().tolist() == [[np.inf, 1], [0.5, 1]]
    a, b = (tf.sparse.from_dense([list(word)]) for word in ("kitten", "sitting"))
    assert tf.edit_distance(a, b, normalize=False).numpy().tolist() == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit"):
        tf.edit_distance(a, truth)
    with pytest.raises(TypeError, match="SparseTensor"):
        tf.edit_distance(a, ["b"])


def test_lookups_by_sparse_ids() -> None:
    """The numbers are those of TensorFlow 2.21."""
    table = tf.reshape(tf.range(12.0), [4, 3])
    places = [[0, 0], [0, 1], [2, 0]]
    ids = tf.SparseTensor(places, [1, 3, 0], [3, 2])
    weights = tf.SparseTensor(places, [2.0, 1.0, 3.0], [3, 2])
    mean = tf.nn.embedding_lookup_sparse(table, ids, None)
    assert mean.numpy().tolist() == [[6, 7, 8], [0, 0, 0], [0, 1, 2]]
    for f in both(lambda t, i, w: tf.nn.embedding_lookup_sparse(t, i, w, combiner="sqrtn")):
        root = f(table, ids, weights)
        wanted = [[6.708204, 8.049845, 9.391485], [0, 0, 0], [0, 1, 2]]
        np.testing.assert_allclose(root, wanted, rtol=1e-6)
    ragged = tf.ragged.constant([[1, 3], [0]])
    total = tf.nn.embedding_lookup_sparse(table, ragged, None, combiner="sum")
    assert total.numpy().tolist() == [[12, 14, 16], [0, 1, 2]]
    root = tf.nn.embedding_lookup_sparse(table, ragged, None, combiner="sqrtn")
    np.testing.assert_allclose(root[0], np.array([12, 14, 16]) / np.sqrt(2), rtol=1e-6)
    for wrong in (
        lambda: tf.nn.embedding_lookup_sparse(table, [[1]], None),
        lambda: tf.nn.embedding_lookup_sparse(table, ids, ragged),
        lambda: tf.nn.embedding_lookup_sparse(table, ids, None, combiner="max"),
    ):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_ops_by_tensorflows_names() -> None:
    r = tf.raw_ops
    assert r.Sub(y=[1], x=[3]).numpy() == [2] and r.Softmax(logits=[0.0]).numpy() == [1]
    assert r.Sum(input=[[1, 2]], axis=1, keep_dims=True).numpy().tolist() == [[3]]
    assert r.SelectV2(condition=[True, False], t=1, e=2).numpy().tolist() == [1, 2]
    assert r.ArgMax(input=[1, 3], dimension=0).numpy() == 1
    assert r.ComplexAbs(x=tf.complex(3.0, 4.0), Tout=tf.float32).numpy() == 5
    segments = r.SegmentMaxV2(data=[1, 5, 2], segment_ids=[0, 0, 1], num_segments=2)
    assert segments.numpy().tolist() == [5, 2]
    assert r.Slice(input=[1, 2, 3], begin=[1], size=[1]).numpy() == [2]
    assert r.Zeta(q=[1.0], x=[2.0]).numpy() == tf.math.zeta([2.0], [1.0]).numpy()
    for name in dir(r):
        assert getattr(r, name).__name__ == name and getattr(r, name).__doc__
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        r.Mul(a=1, b=2)
    with pytest.raises(AttributeError, match="no attribute 'NoSuchOp'"):
        r.NoSuchOp  # noqa: B018
