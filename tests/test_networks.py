"""tf.nn: what is random, what TensorFlow 1 has, ties and edges, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import references as ref

pytestmark = pytest.mark.usefixtures("baseline_code")

rng = np.random.default_rng(3)
nn = tf.nn


def normal(*shape: int) -> np.ndarray:
    return rng.normal(size=shape)


def test_an_average_is_one_kernel_with_its_sums() -> None:
    f = tf.function(lambda x: nn.avg_pool2d(x, 2, 2, "SAME"))
    x = tf.constant(np.zeros((2, 7, 5, 8), np.float32))
    f(x)
    kernels = f.get_concrete_function(x).ir("kernels", verbose=True).split(" launch ")
    assert [k.count("fma") for k in kernels if " div " in k] == [1]


def test_the_gradient_of_an_average_repeats() -> None:
    """Windows that lie apart and fill the image: no sums, and the bits of those that nobody knows
    to do so."""

    def gradient(x: Any, dy: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = nn.avg_pool2d(x, (2, 3), (2, 3), "VALID")
        return tape.gradient(y, x, tf.reshape(dy, tf.shape(y)))

    x, dy = np.zeros((2, 4, 6, 5), np.float32), rng.normal(size=(2, 2, 2, 5)).astype(np.float32)
    dy[0, 0, 0] = [-0.0, np.nan, np.inf, 1e-45, -1e-39]
    f = tf.function(gradient)
    assert "fma" not in f.get_concrete_function(tf.constant(x), tf.constant(dy)).ir(
        "kernels", verbose=True
    )
    shapes = [(None, None, None, 5)] * 2
    unknown = tf.function(gradient, input_signature=[tf.TensorSpec(s, tf.float32) for s in shapes])
    want = np.repeat(np.repeat(dy / np.float32(6) + np.float32(0), 2, 1), 3, 2)
    for found in (f(x, dy), unknown(x, dy), gradient(tf.constant(x), tf.constant(dy))):
        assert np.asarray(found).tobytes() == want.tobytes()


def test_dropout() -> None:
    x = tf.constant(rng.uniform(1, 2, (50, 40)))
    for y in (
        nn.dropout(x, 0.25, seed=1),
        nn.experimental.stateless_dropout(x, 0.25, [1, 2]),
        nn.dropout(x, tf.constant(0.25)),
        tf.function(lambda x: nn.dropout(x, 0.25))(x),
    ):
        kept = y.numpy() != 0
        assert 0.7 < kept.mean() < 0.8
        np.testing.assert_allclose(y.numpy()[kept], x.numpy()[kept] / 0.75, rtol=1e-15)
    a, b = (nn.experimental.stateless_dropout(x, 0.5, [3, 4]) for _ in range(2))
    np.testing.assert_array_equal(a, b)
    rows = nn.dropout(x, 0.5, noise_shape=[None, 1], seed=2).numpy() != 0
    assert all(r.all() or not r.any() for r in rows) and 0 < rows.mean() < 1
    assert nn.dropout(x, 0.0) is x
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nn.experimental.stateless_dropout(x, 0.5, [3, 4])
    np.testing.assert_array_equal(tape.gradient(y, x), np.where(y.numpy() != 0, 2.0, 0.0))
    with pytest.raises(ValueError, match=r"\[0, 1\)"):
        nn.dropout(x, 1.0)
    with pytest.raises(ValueError, match="floating point"):
        nn.dropout([1, 2], 0.5)


def test_compute_average_loss() -> None:
    losses, weights = normal(4, 3), normal(4)
    assert float(nn.compute_average_loss(losses)) == pytest.approx(losses.sum() / 4)
    got = nn.compute_average_loss(losses, sample_weight=weights, global_batch_size=8)
    assert float(got) == pytest.approx((losses * weights[:, None]).sum() / 8)
    assert float(nn.compute_average_loss(losses, global_batch_size=0)) == 0


def test_max_pool_gradient_goes_to_the_first_maximum() -> None:
    x = tf.constant([1.0, 3.0, 3.0, 0.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(nn.max_pool1d(tf.reshape(x, [1, 5, 1]), 3, 1, "VALID"))
    assert tape.gradient(y, x).numpy().tolist() == [0, 2, 1, 0, 0]
    values, places = nn.max_pool_with_argmax(tf.zeros([1, 2, 2, 1]), 2, 2, "VALID")
    assert float(tf.reduce_sum(values)) == 0 and places.numpy().ravel().tolist() == [0]
    spoilt = tf.constant([[[1.0], [np.nan], [2.0], [5.0]]])
    assert np.isnan(nn.max_pool1d(spoilt, 2, 2, "VALID").numpy()).ravel().tolist() == [True, False]


def test_padding_contributes_nothing_even_by_infinite_weights() -> None:
    w = tf.constant([np.inf, 1.0, np.nan], shape=[3, 1, 1])
    assert nn.conv1d(tf.ones([1, 1, 1]), w, 1, "SAME").numpy().tolist() == [[[1.0]]]


def test_halves_are_summed_in_float32() -> None:
    x = tf.constant(np.full((1, 2, 4096), 0.1, np.float16))
    y = nn.conv1d(x, tf.ones([2, 4096, 1], tf.float16), 1, "VALID")
    assert y.dtype == tf.float16
    assert float(y[0, 0, 0]) == float(np.float16(8192 * np.float64(np.float16(0.1))))


def test_gradients_as_functions() -> None:
    v1 = tf.compat.v1.nn
    x, w, dy = normal(2, 5, 4, 4), normal(3, 2, 2, 6), normal(2, 3, 2, 6)  # two groups
    operands = [tf.constant(v) for v in (x, w)]
    for first in (False, True):
        data_format = "NCHW" if first else "NHWC"
        image, seed = (ref.first(v) if first else v for v in (x, dy))
        operands[0] = tf.constant(image)
        with tf.GradientTape() as tape:
            tape.watch(operands)
            y = nn.conv2d(*operands, 2, "SAME", data_format)
        wanted = tape.gradient(y, operands, output_gradients=tf.constant(seed))
        how = {"strides": 2, "padding": "SAME", "data_format": data_format}
        got = (
            v1.conv2d_backprop_input(image.shape, w, seed, **how),
            v1.conv2d_backprop_filter(image, w.shape, seed, **how),
        )
        for a, b in zip(got, wanted, strict=True):
            assert a.numpy().tobytes() == b.numpy().tobytes()


def test_second_order() -> None:
    """The gradient of the gradient of a convolution's squares, by differences."""
    x, w, v = (tf.constant(a) for a in (normal(1, 4, 4, 2), normal(2, 3, 2, 3), normal(2, 3, 2, 3)))

    def slope(w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_sum(nn.conv2d(x, w, [1, 2], "SAME") ** 3)
        return tape.gradient(y, w)

    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(slope(w) * v)
    exact = tf.reduce_sum(tape.gradient(y, w) * v)
    step = 1e-5
    ends = [tf.reduce_sum(slope(w + v * s) * v) for s in (step, -step)]
    assert float(exact) == pytest.approx(float(ends[0] - ends[1]) / (2 * step), rel=1e-6)


def test_fused_batch_norm() -> None:
    v1 = tf.compat.v1.nn
    x, scale, offset = normal(3, 4, 5, 2), normal(2), normal(2)
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    wanted = (x - mean) / np.sqrt(variance + 1e-3) * scale + offset
    y, kept_mean, kept_variance = v1.fused_batch_norm(x, scale, offset)
    np.testing.assert_allclose(y, wanted, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(kept_mean, mean)
    np.testing.assert_allclose(kept_variance, variance * 60 / 59)
    y = v1.fused_batch_norm(ref.first(x), scale, offset, data_format="NCHW")[0]
    np.testing.assert_allclose(y, ref.first(wanted), rtol=1e-12, atol=1e-12)
    mixed = v1.fused_batch_norm(x, scale, offset, scale, offset, exponential_avg_factor=0.25)
    np.testing.assert_allclose(mixed[1], 0.25 * mean + 0.75 * scale)
    y = v1.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[0]
    np.testing.assert_allclose(y, wanted, rtol=1e-12, atol=1e-12)
    half = v1.fused_batch_norm(x.astype(np.float16), scale, offset)
    assert [v.dtype for v in half] == [tf.float16, tf.float32, tf.float32]
    assert v1.relu is nn.relu
    with pytest.raises(ValueError, match="Both `mean` and `variance`"):
        v1.fused_batch_norm(x, scale, offset, is_training=False)


X, W = np.zeros((1, 5, 5, 4), np.float32), np.zeros((3, 3, 4, 2), np.float32)
INVALID = tf.errors.InvalidArgumentError
BAD: list[tuple[Any, type[Exception], str]] = [
    (lambda: nn.conv2d(X, W[:, :, :3], 1, "SAME"), INVALID, "evenly divisible by filter depth"),
    (lambda: nn.conv2d(X, W[:, :, :1], 1, "SAME"), INVALID, "number of groups"),
    (lambda: nn.conv2d(X, W, 1, "FULL"), INVALID, "attr 'padding' of \"FULL\" is not in"),
    (lambda: nn.conv2d(X, W, 0, "SAME"), INVALID, "Stride must be > 0, but got 0"),
    (lambda: nn.conv2d(X, W, [2, 1, 1, 1], "SAME"), tf.errors.UnimplementedError, "batch"),
    (lambda: nn.conv2d(X, W, [1, 2, 3], "SAME"), ValueError, "length 1, 2 or 4"),
    (lambda: nn.conv2d(X, W, 1, "SAME", "NCWH"), INVALID, "attr 'data_format' of \"NCWH\""),
    (lambda: nn.conv2d(X[0], W, 1, "SAME"), INVALID, r"be 4-dimensional\[5,5,4\]"),
    (lambda: nn.conv2d(X, W[0], 1, "SAME"), INVALID, "filter must be 4-dimensional"),
    (lambda: nn.conv2d(X[:, :1], W, 1, "VALID"), INVALID, "output size would be negative"),
    (lambda: nn.conv2d(X, tf.constant(W, tf.float64), 1, "SAME"), INVALID, "float64 tensor"),
    (lambda: nn.conv2d(X, W, 1, [[0, 0], [1, -1], [0, 0], [0, 0]]), ValueError, "paddings"),
    (lambda: nn.depthwise_conv2d(X, W[:, :, :3], [1] * 4, "SAME"), INVALID, "the same depth"),
    (lambda: nn.separable_conv2d(X, W, W, [1] * 4, "SAME"), ValueError, "1 by 1"),
    (lambda: nn.conv2d_transpose(X, W, [1, 9, 9, 3], 2), INVALID, "filter depth"),
    (lambda: nn.conv2d_transpose(X, W, [1, 8, 9, 4], 2), INVALID, "gives places"),
    (lambda: nn.conv2d_transpose(X, W, [1, 5, 5, 4], 1), INVALID, "results of depth 2"),
    (
        lambda: nn.depthwise_conv2d_backprop_filter(X, [3, 3, 4, 2], X, [1] * 4, "SAME"),
        INVALID,
        "8",
    ),
    (lambda: nn.dilation2d(X > 0, W[..., 0] > 0, 1, "SAME", "NHWC", 1), INVALID, "dtype bool"),
    (lambda: nn.max_pool2d(X, 2, 1, "sane"), INVALID, "attr 'padding'"),
    (lambda: nn.max_pool(X[0, 0], 2, 1, "SAME"), ValueError, "must be 3, 4 or 5"),
    (lambda: nn.avg_pool2d(X.astype(np.int32), 2, 1, "SAME"), INVALID, "not defined for dtype"),
    (lambda: nn.pool(X, 2, "MIN"), ValueError, "pooling_type"),
    (lambda: nn.space_to_depth(X, 2), INVALID, "divisible"),
    (lambda: nn.depth_to_space(X, 3), INVALID, "divisible"),
    (lambda: tf.space_to_batch(X, [2, 2], [[0, 0], [0, 0]]), INVALID, "divisible"),
    (lambda: tf.batch_to_space(X, [1, 1], [[3, 3], [0, 0]]), INVALID, "crops"),
    (lambda: nn.bias_add(X, np.zeros(3, np.float32)), INVALID, "as many biases"),
    (lambda: nn.embedding_lookup(W[0, 0], [7]), INVALID, "7"),
    (lambda: nn.embedding_lookup([W[0, 0], W[0, 0]], [99]), INVALID, "dynamic_partition"),
    (lambda: nn.embedding_lookup([], [0]), ValueError, "must not be empty"),
    (lambda: nn.moments(np.zeros(3, bool), [0]), INVALID, "dtype"),
    (lambda: nn.local_response_normalization(X, depth_radius=-1), INVALID, "not be negative"),
    (lambda: nn.ctc_loss([[1], [1]], X[0], [1, 1], [2, 2]), INVALID, "batches of"),
    (lambda: nn.l2_loss([1, 2]), INVALID, "dtype"),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_errors(k: int) -> None:
    call, kind, message = BAD[k]
    with pytest.raises(kind, match=message):
        call()


def test_ctc_loss_of_sparse_labels() -> None:
    """Those of rows one after the other, wherever they lie; eager, in functions, with gradients."""
    sparse = tf.SparseTensor([[0, 0], [0, 3], [2, 1]], [1, 2, 0], [3, 4])
    logits = np.random.default_rng(0).normal(size=(5, 3, 4)).astype("float32")
    dense = [[1, 2], [0, 0], [0, 0]], [2, 0, 1]

    def both(labels: Any, logits: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = nn.ctc_loss(labels, logits, None, [5, 4, 3], blank_index=-1)
        return loss, tape.gradient(loss, logits)

    x = tf.constant(logits)
    loss, gradient = both(sparse, x)
    wanted = nn.ctc_loss(dense[0], x, dense[1], [5, 4, 3], blank_index=3)
    np.testing.assert_array_equal(loss, wanted)
    specs = [tf.SparseTensorSpec([None, None], tf.int32), tf.TensorSpec([None, None, 4])]
    for given in (None, specs):
        for got, want in zip(
            tf.function(both, input_signature=given)(sparse, x), (loss, gradient), strict=True
        ):
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)
    v1 = tf.compat.v1.nn.ctc_loss
    np.testing.assert_array_equal(v1(sparse, inputs=x, sequence_length=[5, 4, 3]), loss)
    turned = tf.transpose(x, [1, 0, 2])
    options = {"time_major": False, "ignore_longer_outputs_than_inputs": True}
    short = v1(sparse, sequence_length=[1, 4, 3], logits=turned, **options)
    np.testing.assert_array_equal(short, [0.0, loss[1], loss[2]])
    with pytest.raises(ValueError, match="blank_index"):
        nn.ctc_loss(sparse, x, None, [5, 4, 3])


def test_the_maximum_of_channels_beside_each_other() -> None:
    x = rng.normal(size=(2, 3, 3, 6)).astype(np.float32)
    pooled = nn.max_pool2d(x, [1, 1, 1, 3], [1, 1, 1, 3], "SAME")
    np.testing.assert_array_equal(pooled, x.reshape(2, 3, 3, 2, 3).max(-1))
    wrong: list[tuple[Any, Any, str]] = [
        ([1, 1, 1, 4], [1, 1, 1, 4], "evenly divide the input depth"),
        ([1, 1, 1, 3], [1, 1, 1, 2], "equal the depth stride"),
        ([1, 2, 1, 3], [1, 1, 1, 3], "exactly one of pooling across depth"),
    ]
    for ksize, strides, text in wrong:
        with pytest.raises(tf.errors.UnimplementedError, match=text):
            nn.max_pool(x, ksize, strides, "SAME")


def test_ctc_loss_counts_its_blank_from_the_end() -> None:
    """Of classes that only a call tells."""
    x = rng.normal(size=(5, 2, 4)).astype(np.float32)
    given = [[1, 2], [2, 0]], x, [2, 1], [5, 4]

    @tf.function(input_signature=[tf.TensorSpec([None, 2, None])])
    def loss(logits: Any) -> Any:
        return nn.ctc_loss(given[0], logits, *given[2:], blank_index=-1)

    np.testing.assert_allclose(loss(x), nn.ctc_loss(*given, blank_index=3), rtol=1e-6)


def test_ctc_loss_of_unknown_batches() -> None:
    """Of labels, logits and lengths each."""
    sizes = [tf.TensorSpec([None], tf.int32)] * 2
    specs = [tf.TensorSpec([None, None], tf.int32), tf.TensorSpec([None, 5, 4]), *sizes]

    @tf.function(input_signature=specs)
    def loss(labels: Any, logits: Any, count: Any, frames: Any) -> Any:
        return nn.ctc_loss(labels, logits, count, frames, logits_time_major=False)

    logits = np.random.default_rng(0).normal(size=(2, 5, 4)).astype("float32")
    given = [[[1, 2], [3, 0]], logits, [2, 1], [5, 4]]
    np.testing.assert_array_equal(
        loss(*map(tf.constant, given)), nn.ctc_loss(*given, logits_time_major=False)
    )
    with pytest.raises(tf.errors.InvalidArgumentError):
        loss(*map(tf.constant, [*given[:3], [5]]))


def test_arguments_that_only_a_call_tells() -> None:
    """Shapes of decisions, an epsilon, and statistics that are cut out of others."""
    spec, row = tf.TensorSpec([None, None]), tf.TensorSpec([None])
    x = tf.constant(normal(3, 4), tf.float32)

    @tf.function(input_signature=[spec])
    def dropped(x: Any) -> Any:
        return nn.experimental.stateless_dropout(x, 0.5, [1, 2], noise_shape=[3, 1])

    wanted = nn.experimental.stateless_dropout(x, 0.5, [1, 2], noise_shape=[3, 1])
    np.testing.assert_array_equal(dropped(x), wanted)
    assert len(np.unique(np.asarray(wanted == 0).any(1) == np.asarray(wanted == 0).all(1))) == 1

    @tf.function(input_signature=[spec, tf.TensorSpec([])])
    def scaled(x: Any, epsilon: Any) -> Any:
        return nn.batch_normalization(x, x[0], x[1] ** 2, None, x[2], epsilon)

    wanted = nn.batch_normalization(x, x[0], x[1] ** 2, None, x[2], 0.25)
    np.testing.assert_allclose(scaled(x, tf.constant(0.25)), wanted, rtol=1e-6)
    images = tf.TensorSpec([None] * 4)
    fused = tf.compat.v1.nn.fused_batch_norm
    signed = tf.function(lambda x, c: fused(x, c[:3], c[1:])[0], input_signature=[images, row])
    image = tf.constant(normal(2, 2, 2, 3), tf.float32)
    np.testing.assert_allclose(
        signed(image, x[0]), fused(image, x[0, :3], x[0, 1:])[0], rtol=1e-5, atol=1e-6
    )


def test_labels_of_the_first_version_have_no_gradient() -> None:
    v1, labels, logits = tf.compat.v1.nn, tf.constant([[0.25, 0.75]]), tf.constant([[1.0, 2.0]])
    for function, there in (
        (v1.softmax_cross_entropy_with_logits, False),
        (v1.softmax_cross_entropy_with_logits_v2, True),
    ):
        with tf.GradientTape() as tape:
            tape.watch([labels, logits])
            loss = function(labels=labels, logits=logits)
        slopes = tape.gradient(loss, [labels, logits])
        assert slopes[1] is not None and (slopes[0] is not None) == there
    with pytest.raises(ValueError, match="Cannot specify both 'rate' and 'dilations'"):
        v1.depthwise_conv2d(
            tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), [1] * 4, "SAME", 2, None, None, 2
        )
    with pytest.raises(TypeError, match=r"moments\(\) missing a required argument: 'axes'"):
        v1.moments([1.0], axis=[0])
