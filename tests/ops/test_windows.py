"""Windows as ops of their own, and what ops with windows refuse."""

import itertools

import numpy as np
import pytest

import tfc as tf

v1 = tf.compat.v1


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_volume_patches(padding):
    x = np.arange(2 * 3 * 4 * 3 * 2, dtype=np.float32).reshape(2, 3, 4, 3, 2)
    window, by = (2, 3, 1), (2, 1, 2)
    found = tf.extract_volume_patches(x, [1, *window, 1], [1, *by, 1], padding).numpy()
    if padding == "SAME":
        sizes = [-(-n // s) for n, s in zip(x.shape[1:4], by, strict=True)]
        rows = zip(sizes, by, window, x.shape[1:4], strict=True)
        lacks = [max((m - 1) * s + k - n, 0) for m, s, k, n in rows]
        x = np.pad(x, [(0, 0), *((e // 2, e - e // 2) for e in lacks), (0, 0)])
    views = np.lib.stride_tricks.sliding_window_view(x, window, (1, 2, 3))
    views = views[:, :: by[0], :: by[1], :: by[2]]
    want = np.moveaxis(views, 4, -1).reshape(*views.shape[:4], -1)
    np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_an_op_on_places_that_lie_apart_is_one_with_taps_that_do(padding):
    x = tf.reshape(tf.range(30.0), [1, 5, 6, 1])
    w = tf.constant([[1.0, 2.0], [3.0, 5.0]])[:, :, None, None]

    def conv(x, axes, left):
        assert (axes, left) == (2, "VALID")
        return tf.nn.conv2d(x, w, 1, left)

    found = tf.nn.with_space_to_batch(x, [2, 3], padding, conv, [2, 2])
    np.testing.assert_array_equal(found, tf.nn.conv2d(x, w, 1, padding, dilations=[2, 3]))


def test_labels_that_are_not_merged():
    """Each frame is a blank or the next label: the ways are counted one by one."""
    frames, labels = 4, [1, 1]
    logits = np.random.default_rng(0).standard_normal((frames, 1, 3)).astype(np.float32)
    odds = logits[:, 0] - np.log(np.exp(logits[:, 0]).sum(1, keepdims=True))
    ways = [
        sum(odds[t, c] for t, c in enumerate(way))
        for way in itertools.product(range(3), repeat=frames)
        if [c for c in way if c != 2] == labels
    ]
    sparse = tf.SparseTensor([[0, 0], [0, 1]], labels, [1, 2])
    found = v1.nn.ctc_loss(sparse, logits, [frames], ctc_merge_repeated=False)
    np.testing.assert_allclose(found, [-np.log(np.exp(ways).sum())], rtol=1e-5)
    # One label is left of two equal ones in a row.
    one = tf.SparseTensor([[0, 0]], [1], [1, 1])
    np.testing.assert_allclose(
        v1.nn.ctc_loss(sparse, logits, [frames], preprocess_collapse_repeated=True),
        v1.nn.ctc_loss(one, logits, [frames]),
        rtol=1e-6,
    )


def _conv(strides=1, padding="SAME", rank=4, **named):
    return tf.nn.conv2d(
        tf.ones([1, 4, 4, 1][4 - rank :]), tf.ones([2] * 2 + [1] * 2), strides, padding, **named
    )


REFUSED = {
    "no padding": (lambda: _conv(padding=3), TypeError, "Expected string for argument 'padding'"),
    "a padding that needs pairs": (lambda: _conv(padding="EXPLICIT"), ValueError, "must be a list"),
    "pairs that are none": (lambda: _conv(padding=[1, 1]), ValueError, "list/tuple of size 2"),
    "rates of 0": (lambda: _conv(dilations=0), tf.errors.InvalidArgumentError,
                   "Dilated rates should be larger than 0"),
    "rates of the batch": (lambda: _conv(dilations=[2, 1, 1, 1]), tf.errors.InvalidArgumentError,
                           "does not yet support dilations in the batch"),
    "a pool of stride 0": (lambda: tf.nn.pool(tf.ones([1, 4, 1]), [2], "MAX", [0]), ValueError,
                           "must be positive"),
    "a block of 1": (lambda: tf.nn.space_to_depth(tf.ones([1, 2, 2, 1]), 1),
                     tf.errors.InvalidArgumentError, "must be at least minimum 2"),
    "places of floats": (
        lambda: tf.nn.max_pool_with_argmax(tf.ones([1, 2, 2, 1]), 2, 2, "SAME",
                                           output_dtype=tf.float32),
        tf.errors.InvalidArgumentError, "attr 'Targmax'"),
    "a volume of rank 4": (
        lambda: tf.extract_volume_patches(tf.ones([3] * 4), [1] * 5, [1] * 5, "SAME"),
        tf.errors.InvalidArgumentError, r"input must be 5-dimensional\[3,3,3,3\]"),
    "rates that are not positive": (
        lambda: tf.nn.with_space_to_batch(tf.ones([1, 4, 1]), [0], "VALID", None), ValueError,
        "`dilation_rate` must be positive"),
    "a window that nobody tells": (
        lambda: tf.nn.with_space_to_batch(tf.ones([1, 4, 1]), [2], "SAME", None), ValueError,
        "`filter_shape` must be specified"),
    "axes out of order": (
        lambda: tf.nn.with_space_to_batch(tf.ones([1, 4, 4, 1]), [2, 2], "VALID", None,
                                          spatial_dims=[2, 1]), ValueError, "monotonically"),
    "dtypes": (lambda: tf.nn.elu(tf.constant([1])), tf.errors.InvalidArgumentError,
               "Value for attr 'T' of int32 is not in the list of allowed values"),
    "integers of gelu": (lambda: tf.nn.gelu([1]), ValueError, "must be a floating point tensor"),
    "several rates": (lambda: tf.nn.dropout([1.0], tf.constant([0.5])), ValueError,
                      "must have rank 0"),
    "no labels": (lambda: v1.nn.softmax_cross_entropy_with_logits(logits=[[1.0]]), ValueError,
                  "Both `labels` and `logits` must be provided"),
    "labels that are dense": (lambda: v1.nn.ctc_loss([[1]], tf.ones([2, 1, 3]), [2]), TypeError,
                              "Expected argument `labels` to be a SparseTensor"),
}  # fmt: skip


def test_what_is_refused_and_how():
    for what, (call, kind, words) in REFUSED.items():
        with pytest.raises(kind, match=words):
            pytest.fail(f"{what} is taken: {call()}")
