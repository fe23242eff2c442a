"""Tensors where functions take numbers: axes, sizes, counts, steps. Those that a function computes
from numbers alone are numbers; of others a call tells, where no rank depends on them. For the rest
functions are traced for the values of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
import tfc.experimental.numpy as tnp
from tests import sampling

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
SQUARE = np.arange(16, dtype=np.float32).reshape(4, 4) % 7
IMAGE = np.arange(2 * 4 * 4 * 3, dtype=np.float32).reshape(2, 4, 4, 3)
VECTOR = np.arange(6, dtype=np.float32)
RAGGED = tf.ragged.constant([[1.0, 2.0], [3.0]])
BOXES = np.array([[0, 0, 1, 1], [0, 0, 0.9, 0.9], [2, 2, 3, 3]], np.float32)

Case = tuple[Callable[..., Any], Any, list[Any]]

# What takes numbers that a call tells.
OPEN: dict[str, Case] = {
    "argmax": (tf.argmax, SQUARE, [1]),
    "argsort": (tf.argsort, SQUARE, [0]),
    "boolean_mask": (
        lambda x, a: tf.boolean_mask(x, [True, False, True, False], axis=a),
        SQUARE,
        [1],
    ),
    "count_nonzero": (tf.math.count_nonzero, SQUARE, [1]),
    "ensure_shape": (tf.ensure_shape, SQUARE, [[4, 4]]),
    "expand_dims": (tf.expand_dims, X, [-2]),
    "fftshift": (tf.signal.fftshift, SQUARE, [1]),
    "gather": (lambda x, a: tf.gather(x, [1, 0], axis=a), SQUARE, [1]),
    "hash": (lambda x, n: tf.strings.to_hash_bucket_fast(["a", "b"], n), X, [10]),
    "linspace": (lambda x, a: tf.linspace(x[0], x[1], 3, axis=a), SQUARE, [1]),
    "l2_normalize": (tf.nn.l2_normalize, SQUARE, [0]),
    "log_softmax": (tf.nn.log_softmax, SQUARE, [0]),
    "moments": (lambda x, a: tf.nn.moments(x, a, keepdims=True), SQUARE, [[0]]),
    "norm": (lambda x, a: tf.norm(x, 1, a), SQUARE, [1]),
    "one_hot": (lambda x, n, a: tf.one_hot([0, 2], n, axis=a), X, [3, 0]),
    "pad_to_bounding_box": (tf.image.pad_to_bounding_box, IMAGE, [1, 0, 6, 5]),
    "reduce_euclidean_norm": (tf.math.reduce_euclidean_norm, SQUARE, [0]),
    "reduce_logsumexp": (tf.reduce_logsumexp, SQUARE, [1]),
    "reduce_std": (tf.math.reduce_std, X, [[0, 2]]),
    "reduce_variance": (lambda x, a: tf.math.reduce_variance(x, a, keepdims=True), SQUARE, [-1]),
    "repeat": (lambda x, n, a: tf.repeat(x, n, a), SQUARE, [[1, 0, 2, 1], 1]),
    "resize_with_crop_or_pad": (tf.image.resize_with_crop_or_pad, IMAGE, [2, 6]),
    "reverse": (tf.reverse, SQUARE, [[1]]),
    "roll": (tf.roll, SQUARE, [1, 1]),
    "softmax": (tf.nn.softmax, SQUARE, [-2]),
    "sort": (lambda x, a: tf.sort(x, a, "DESCENDING"), SQUARE, [0]),
    "suppression": (
        lambda x, n, t: tf.image.non_max_suppression(x, VECTOR[:3], n, t),
        BOXES,
        [2, 0.3],
    ),
    "split": (lambda x, a: tf.split(x, 2, a), SQUARE, [1]),
    "split by sizes": (lambda x, a: tf.split(x, [1, 3], a), SQUARE, [-1]),
    "stack": (lambda x, a: tf.stack([x, x + 1.0], a), X, [1]),
    "substr": (lambda x, a, b: tf.strings.substr(["hello", "world"], a, b), X, [1, 2]),
    "unstack": (lambda x, a: tf.unstack(x, axis=a), SQUARE, [1]),
    "unstack by number": (lambda x, a: tf.unstack(x, 3, a), X, [1]),
}

# What must know them while it is traced.
CLOSED: dict[str, Case] = {
    "as_string": (lambda x, a: tf.strings.as_string(a), X, [3]),
    "batch_to_space": (
        lambda x, *blocks: tf.batch_to_space(x[tf.newaxis, 0], *blocks),
        SQUARE[:, None, None, None, :].reshape(4, 1, 1, 4)[None],
        [[1, 1], [[0, 0], [0, 0]]],
    ),
    "central_crop": (tf.image.central_crop, IMAGE, [0.5]),
    "clip_by_norm": (lambda x, a: tf.clip_by_norm(x, 2.0, a), X, [[1]]),
    "dct": (lambda x, n: tf.signal.dct(x, n=n), VECTOR, [4]),
    "frame": (tf.signal.frame, VECTOR, [3, 2]),
    "hann": (lambda x, n: tf.signal.hann_window(n), X, [5]),
    "overlap_and_add": (tf.signal.overlap_and_add, SQUARE, [2]),
    "rfft": (tf.signal.rfft, VECTOR, [[4]]),
    "space_to_batch": (tf.space_to_batch, IMAGE, [[2, 2], [[0, 0], [0, 0]]]),
    "squeeze": (tf.squeeze, X[:, :1], [[1]]),
    "split into": (lambda x, n: tf.split(x, n), SQUARE, [2]),
    "stft": (tf.signal.stft, VECTOR, [4, 2]),
    "take_along_axis": (
        lambda x, a: tnp.take_along_axis(x, np.zeros((4, 1), np.int32), axis=a),
        SQUARE,
        [1],
    ),
    "tensordot": (lambda x, a: tf.tensordot(x, x, a), SQUARE, [1]),
    "tensordot axes": (lambda x, a: tf.tensordot(x, x, a), SQUARE, [[[0], [1]]]),
    "to_tensor": (lambda x, s: RAGGED.to_tensor(shape=s), X, [[2, 5]]),
}
ALL = OPEN | CLOSED
# One of each kind: axes that shapes do not depend on, reductions, shapes, numbers for the host.
KINDS = ["ensure_shape", "gather", "hash", "one_hot", "reduce_std", "roll", "split", "substr"]
SOME = OPEN if sampling.ALL else KINDS


def check(found: Any) -> None:
    assert found.keys() <= ALL.keys()
    for name, results in found.items():
        function, x, values = ALL[name]
        for a, b in zip(
            tf.nest.flatten(function(x, *values)), tf.nest.flatten(results), strict=True
        ):
            np.testing.assert_array_equal(a, b, err_msg=name)


def test_numbers_from_numbers_alone() -> None:
    @tf.function
    def f() -> Any:
        def computed(value: Any) -> Any:
            return tf.constant(value) + tf.zeros_like(tf.constant(value))

        return {name: f(tf.constant(x), *map(computed, v)) for name, (f, x, v) in cases.items()}

    cases = ALL if sampling.ALL else CLOSED
    check(f())
    check({name: f(tf.constant(x), *map(tf.constant, v)) for name, (f, x, v) in cases.items()})


def test_numbers_that_a_call_tells() -> None:
    @tf.function
    def f(numbers: Any) -> Any:
        return {n: f(tf.constant(x), *numbers[n]) for n, (f, x, _) in OPEN.items() if n in numbers}

    check(f({name: [tf.constant(v) for v in OPEN[name][2]] for name in SOME}))


# Those that are asked for as Python's numbers, by conversions that functions do not do.
PYTHON = ["as_string"]


@pytest.mark.parametrize("name", [name for name in CLOSED if name not in PYTHON])
def test_functions_are_traced_for_values_that_must_be_known(name: str) -> None:
    function, x, values = CLOSED[name]

    @tf.function
    def f(numbers: Any, scale: Any) -> Any:
        return tf.nest.map_structure(
            lambda y: y * tf.cast(scale, y.dtype), function(tf.constant(x), *numbers)
        )

    want = tf.nest.flatten(function(x, *values))
    for scale in (1.0, 2.0):
        found = f([tf.constant(v) for v in values], tf.constant(scale))
        for a, b in zip(want, tf.nest.flatten(found), strict=True):
            if isinstance(a, tf.RaggedTensor):
                a, b = a.to_tensor(), b.to_tensor()
            np.testing.assert_array_equal(np.asarray(a) * scale, b)
    assert f.experimental_get_tracing_count() == 1  # for these values


def test_a_trace_for_each_value() -> None:
    traced = []

    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)])
    def framed(x: Any, n: Any) -> Any:
        traced.append(n)
        return tf.signal.frame(x, n * 2, 1) * tf.cast(n, tf.float32)

    for length in (6, 7):
        for n in (1, 2, 1):
            found = framed(
                VECTOR[:length] if length == 6 else np.ones(7, np.float32), tf.constant(n)
            )
            assert found.shape == (length - 2 * n + 1, 2 * n)
            assert float(found[0, 1]) == n
    assert len(traced) == 3  # the first one found out that it has to know n
    variable = tf.Variable(2)
    with pytest.raises(TypeError, match="must be known while a function is traced"):
        tf.function(lambda x: tf.signal.frame(x, variable + 0, 1))(VECTOR)
    with pytest.raises(TypeError, match="must be known while a function is traced"):
        tf.function(lambda x, n: tf.signal.frame(x, n, 1)).get_concrete_function(
            tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)
        )


def test_ranks_that_depend_on_sizes() -> None:
    """A function is traced for the sizes of a call, whatever its signature takes."""

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3])])
    def squeezed(x: Any) -> Any:
        return tf.squeeze(x) * 2.0

    for shape in ((1, 2, 3), (2, 1, 3), (1, 1, 3), (2, 2, 3), (1, 2, 3)):
        want = np.ones(shape, np.float32).squeeze() * 2
        np.testing.assert_array_equal(squeezed(np.ones(shape, np.float32)), want)
    assert squeezed.experimental_get_tracing_count() == 4
    with pytest.raises(tf.errors.UnimplementedError, match="needs the axis"):
        squeezed.get_concrete_function()


def test_gradients_reach_arguments_that_are_no_values() -> None:
    """Nothing is traced for the value of a float that a tape looks at."""
    cropped = tf.function(lambda x, part: tf.image.central_crop(x, part) * part)
    image, part = tf.constant(IMAGE), tf.constant(0.5)
    assert cropped(image, part).shape == (2, 2, 2, 3)
    with tf.GradientTape() as tape:
        tape.watch(part)
        with pytest.raises(TypeError, match="must be known while a function is traced"):
            cropped(image, part)
    sized = tf.function(lambda x, n: tf.split(x, n)[0] * x[:2])
    x = tf.constant(SQUARE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = sized(x, tf.constant(2))
    np.testing.assert_array_equal(tape.gradient(y, x)[:2], 2 * SQUARE[:2])


def test_mistakes_that_a_call_tells() -> None:
    x = tf.constant(X)
    places = tf.function(lambda a: tf.expand_dims(x, a))
    with pytest.raises(tf.errors.InvalidArgumentError, match="expand_dims: an axis is out of"):
        places(tf.constant(4))
    halves = tf.function(lambda a: tf.split(x, 2, a))
    with pytest.raises(tf.errors.InvalidArgumentError):
        halves(tf.constant(1))  # 3 rows
    with pytest.raises(ValueError, match="give `num`"):
        tf.function(lambda a: tf.unstack(x, axis=a))(tf.constant(1))
    rows = tf.function(lambda n: tf.image.pad_to_bounding_box(IMAGE, 0, 0, n, 4))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be <= target"):
        rows(tf.constant(3))


def test_gradients_through_axes_that_a_call_tells() -> None:
    @tf.function
    def slope(x: Any, axis: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            first, second = tf.split(x, 2, axis)
            y = tf.reduce_sum(first * first * second)
        return tape.gradient(y, x)

    for axis in (0, 1):
        first, second = np.split(SQUARE, 2, axis)
        want = np.concatenate([2 * first * second, first * first], axis)
        np.testing.assert_array_equal(slope(tf.constant(SQUARE), tf.constant(axis)), want)
