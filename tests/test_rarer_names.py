"""Names that few programs use, where what they give is no array: locks, gradients, errors; and in
functions."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tfc as tf

RNG = np.random.default_rng(0)


def test_critical_sections() -> None:
    """What is read and written in a section is not lost."""
    section, total = tf.CriticalSection(name="total"), [0]

    def more() -> None:
        before = total[0]
        threading.Event().wait(1e-4)
        total[0] = before + 1

    threads = [threading.Thread(target=lambda: [section.execute(more) for _ in range(5)])]
    threads += [threading.Thread(target=lambda: [section.execute(more) for _ in range(5)])]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert total == [10] and section.name == "total"
    with pytest.raises(ValueError, match="wait for itself"):
        section.execute(lambda: section.execute(lambda: 1))
    with pytest.raises(ZeroDivisionError):
        section.execute(lambda: 1 // 0)
    assert section.execute(lambda: 3) == 3
    one, other = (tf.CriticalSection(shared_name="same") for _ in range(2))
    assert one.execute(lambda: other._lock is one._lock)
    assert tf.function(lambda: section.execute(lambda: tf.constant(2)))().numpy() == 2
    with pytest.raises(ValueError, match="function"):
        section.execute(3)  # type: ignore[arg-type]


def test_gradients_that_pass_through() -> None:
    v = tf.Variable(2.0)
    f = tf.grad_pass_through(lambda x: tf.round(x) * v)
    x = tf.constant([1.4, 2.6])
    for call in (f, tf.function(f)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = call(x)
        assert y.numpy().tolist() == [2.0, 6.0]
        assert tape.gradient(y, x).numpy().tolist() == [1.0, 1.0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b = tf.grad_pass_through(lambda a, b: (a * b, a + b))(x, 2.0 * x)
        total = a + 10.0 * b
    assert tape.gradient(total, x).numpy().tolist() == [21.0, 21.0]


def test_fractional_pooling_in_functions() -> None:
    """The same bits; the gradient of a maximum goes to one element of each window."""
    x = tf.constant(RNG.normal(size=(2, 9, 7, 3)))
    for pool in (tf.nn.fractional_max_pool, tf.nn.fractional_avg_pool):
        call: Any = lambda x, p=pool: p(x, [1.0, 1.5, 2.3, 1.0], seed=4)  # noqa: E731
        eager, compiled = call(x), tf.function(call)(x)
        for mine, other in zip(eager, compiled, strict=True):
            assert mine.numpy().tobytes() == other.numpy().tobytes()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(call(x)[0])
        slope = tape.gradient(y, x).numpy()
        size = eager[0].shape.num_elements()
        np.testing.assert_allclose(slope.sum(), size)
        if pool is tf.nn.fractional_max_pool:
            assert np.count_nonzero(slope) == size
    tf.random.set_seed(1)
    f = tf.function(lambda x: tf.nn.fractional_max_pool(x, 1.5, pseudo_random=True))
    assert f(x)[0].shape == (2, 6, 4, 3) and int(f(x).col_pooling_sequence[-1]) == 7
    drawn = {tuple(tf.nn.fractional_max_pool(x, 1.5)[1].numpy().tolist()) for _ in range(20)}
    assert len(drawn) > 1
    with pytest.raises(ValueError, match="elements should be >= 1"):
        tf.nn.fractional_max_pool(x, 0.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no window"):
        tf.nn.fractional_max_pool(x, 8.0)


def test_permuted_indices() -> None:
    """Every index once, also where the range is not that of the cipher, and in functions."""
    for most in (0, 1, 10, 70000):
        index = tf.range(most + 1)
        found = tf.random.experimental.index_shuffle(index, [3, 4], most).numpy()
        assert sorted(found.tolist()) == list(range(most + 1))
    each = tf.random.experimental.index_shuffle([4, 5], [[1, 2], [3, 4]], [10, 2**30])
    for i, seed, most, one in zip([4, 5], [[1, 2], [3, 4]], [10, 2**30], each, strict=True):
        assert int(tf.random.experimental.index_shuffle(i, seed, most)) == int(one)
    data = tf.data.Dataset.range(6).map(
        lambda i: tf.random.experimental.index_shuffle(i, [1, 2], tf.constant(5, tf.int64))
    )
    assert sorted(int(i) for i in data) == list(range(6))


def test_decoders_and_boxes_in_functions() -> None:
    frames = RNG.normal(size=(9, 2, 4)).astype(np.float32)
    boxes = RNG.uniform(size=(2, 20, 1, 4)).astype(np.float32)
    scores = RNG.uniform(size=(2, 20, 3)).astype(np.float32)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 4]), tf.TensorSpec([None] * 4)])
    def f(frames: Any, boxes: Any) -> Any:
        (labels,), log = tf.nn.ctc_beam_search_decoder(frames, [9, 4], 8)
        found = tf.image.combined_non_max_suppression(boxes, tf.constant(scores), 4, 6)
        both = tf.reshape(boxes, [2, 20, 4]), tf.constant(scores[..., 0])
        found += tf.image.non_max_suppression_padded(*both, 4, 0.3)
        found += tf.image.non_max_suppression_with_scores(both[0][0], both[1][0], 4, 0.3)
        return labels.values, log, *found

    (labels,), log = tf.nn.ctc_beam_search_decoder(frames, [9, 4], 8)
    eager = labels.values, log, *tf.image.combined_non_max_suppression(boxes, scores, 4, 6)
    eager += tf.image.non_max_suppression_padded(boxes[:, :, 0], scores[..., 0], 4, 0.3)
    eager += tf.image.non_max_suppression_with_scores(boxes[0, :, 0], scores[0, :, 0], 4, 0.3)
    for mine, other in zip(eager, f(tf.constant(frames), tf.constant(boxes)), strict=True):
        assert mine.numpy().tobytes() == other.numpy().tobytes()
    with pytest.raises(tf.errors.InvalidArgumentError, match="top_paths"):
        tf.nn.ctc_beam_search_decoder(frames, [9, 4], 2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit"):
        tf.image.combined_non_max_suppression(boxes[:1], scores, 4, 6)


def test_one_label_is_the_likeliest() -> None:
    """Two paths of a label together beat the best path, which has none."""
    chances = np.log([[[0.4, 0.6]], [[0.4, 0.6]]]).astype(np.float32)  # 0.36 blank, 0.64 the label
    (labels,), log = tf.nn.ctc_beam_search_decoder(chances, [2])
    assert labels.values.numpy().tolist() == [0]
    np.testing.assert_allclose(log, [[np.log(0.64)]], rtol=1e-5)


def test_transforms_along_several_axes() -> None:
    """As NumPy, of which TensorFlow's kernels are for few devices."""
    x = RNG.normal(size=(2, 3, 4)) + 1j * RNG.normal(size=(2, 3, 4))
    for axes, sizes in ((None, None), ([0, 2], None), ([0, 2], [4, 2]), ([-1, 0], [5, 3])):
        for mine, other in ((tf.signal.fftnd, np.fft.fftn), (tf.signal.ifftnd, np.fft.ifftn)):
            np.testing.assert_allclose(mine(x, sizes, axes), other(x, sizes, axes), atol=1e-12)
        real: Any = x.real
        wanted = np.fft.rfftn(real, sizes, axes)
        np.testing.assert_allclose(tf.signal.rfftnd(real, sizes, axes), wanted, atol=1e-12)
        found = tf.function(lambda v, s=sizes, a=axes: tf.signal.irfftnd(v, s, a))(tf.constant(x))
        np.testing.assert_allclose(found, np.fft.irfftn(x, sizes, axes), atol=1e-12)
    with pytest.raises(ValueError, match="none of a tensor"):
        tf.signal.fftnd(x, axes=[3])
    with pytest.raises(ValueError, match="for other axes"):
        tf.signal.fftnd(x, [3], [0, 1])


def test_conjugate_gradients_of_batches() -> None:
    a = RNG.normal(size=(3, 5, 5))
    a = a @ a.transpose(0, 2, 1) + 3 * np.eye(5)
    b = tf.constant(RNG.normal(size=(3, 5)))
    op = tf.linalg.LinearOperatorFullMatrix(a, is_self_adjoint=True, is_positive_definite=True)
    solve = tf.linalg.experimental.conjugate_gradient
    found = solve(op, b, tol=1e-12, max_iter=30)
    np.testing.assert_allclose(found.x, np.linalg.solve(a, b.numpy()[..., None])[..., 0], 1e-8)
    assert found.i.shape == (3,) and int(tf.reduce_max(found.i)) < 30
    near = tf.linalg.LinearOperatorFullMatrix(np.linalg.inv(a))
    assert int(tf.reduce_max(solve(op, b, near, tol=1e-9).i)) <= 2
    with pytest.raises(ValueError, match="self-adjoint"):
        solve(tf.linalg.LinearOperatorFullMatrix(a), b)


def test_averages_of_variables() -> None:
    v = tf.Variable([4.0, 0.0], name="v")
    means = tf.train.ExponentialMovingAverage(0.9, num_updates=tf.Variable(0.0))
    means.apply([v])
    v.assign([2.0, 2.0])
    tf.function(lambda: means.apply([v]))()  # decay is 1 / 10
    np.testing.assert_allclose(means.average(v), [2.2, 1.8], 1e-6)
    assert means.average(tf.Variable(1.0)) is None
    assert means.variables_to_restore() == {"v/ExponentialMovingAverage": v}
    with pytest.raises(ValueError, match="give the Variables"):
        means.apply()
    with pytest.raises(TypeError, match="floats"):
        means.apply([tf.Variable(1)])


def test_coordinators() -> None:
    coordinator = tf.train.Coordinator()

    def fail() -> None:
        with coordinator.stop_on_exception():
            raise KeyError("this")

    threads = [threading.Thread(target=fail), threading.Thread(target=coordinator.wait_for_stop)]
    for t in threads:
        coordinator.register_thread(t)
        t.start()
    with pytest.raises(KeyError, match="this"):
        coordinator.join()
    assert coordinator.joined and coordinator.should_stop()
    with pytest.raises(KeyError):
        coordinator.raise_requested_exception()
    coordinator.clear_stop()
    assert not coordinator.should_stop() and not coordinator.joined
    coordinator.request_stop(tf.errors.OutOfRangeError(None, None, "the end"))  # a clean one
    coordinator.join()
    blocked = threading.Event()
    thread = threading.Thread(target=blocked.wait, name="blocked")
    thread.start()
    with pytest.raises(RuntimeError, match="blocked"):
        coordinator.join([thread], stop_grace_period_secs=0.01)
    coordinator.join([thread], 0.01, ignore_live_threads=True)
    blocked.set()


def test_messages_of_tensors() -> None:
    for value in (np.float32([[1, 2]]), np.array(True), np.complex64([1j]), np.array([], np.int8)):
        again = tf.make_ndarray(tf.make_tensor_proto(value))
        assert again.dtype == value.dtype and again.tolist() == value.tolist()
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], tf.float64)).dtype == np.float64
    with pytest.raises(ValueError, match="do not have shape"):
        tf.make_tensor_proto([1, 2], shape=[3])
    with pytest.raises(TypeError, match="expected shape"):
        tf.make_tensor_proto([1, 2], shape=[2, 1], verify_shape=True)
    sp = tf.SparseTensor([[0, 1], [2, 0]], ["a", "b"], [3, 2])
    again = tf.io.deserialize_many_sparse(tf.io.serialize_many_sparse(sp), tf.string)
    assert tf.sparse.to_dense(again).numpy().tolist() == tf.sparse.to_dense(sp).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows, 3"):
        tf.io.deserialize_many_sparse(["a"], tf.string)


def test_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    class Sums(tf.test.Benchmark):
        def benchmark_sum(self) -> Any:
            return self.run_op_benchmark(None, lambda: tf.reduce_sum(tf.ones([9])), min_iters=3)

    found = Sums().benchmark_sum()
    assert found["iters"] == 3 and found["wall_time"] > 0 and found["name"] == "benchmark_sum"
    assert "Sums.benchmark_sum: iters: 3" in capsys.readouterr().out
    assert tf.test.Benchmark.is_abstract() and not Sums.is_abstract()
    assert Sums().evaluate({"a": tf.constant(2)})["a"] == 2


def test_compressed_strings() -> None:
    import gzip

    assert tf.io.decode_compressed(gzip.compress(b"ab"), "GZIP").numpy() == b"ab"
    assert tf.io.decode_compressed(["ab"]).numpy().tolist() == [b"ab"]
    with pytest.raises(tf.errors.DataLossError):
        tf.io.decode_compressed([b"abc"], "ZLIB")
