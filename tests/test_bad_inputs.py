"""What nobody should call functions with: a clear error or the right result, never a dead process.

The calls are those of tests/bad_inputs.py, all in one process of their own; a share of them here,
`python -m tests.bad_inputs` runs them all."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import bad_inputs
from tests.sampling import ALL

SHARE = 53 if ALL else 107  # one call in so many


def test_functions_survive_bad_arguments() -> None:
    run = [sys.executable, "-m", "tests.bad_inputs", str(SHARE), "0"]
    found = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr[-3000:]
    *wrong, last = found.stdout.splitlines()
    assert not wrong, "\n".join(wrong)
    assert int(last.split()[0]) > (500 if ALL else 250)


def test_the_calls_would_be_noticed() -> None:
    """Each kind of what must not happen is told."""

    def raising(error: BaseException) -> Any:
        def f() -> None:
            raise error

        return bad_inputs.verdict(f, [])

    for error in (
        IndexError("list index out of range"),
        KeyError("a"),
        AttributeError("'int' object has no attribute 'shape'"),
        AssertionError(),
        MemoryError(),
        RecursionError("maximum recursion depth exceeded"),
        OverflowError("int too large to convert"),
        ValueError("not enough values to unpack (expected 1, got 0)"),
        tf.errors.InternalError("broken"),
    ):
        assert raising(error) is not None, error
    for error in (ValueError("k must be positive"), tf.errors.InvalidArgumentError("no")):
        assert raising(error) is None


ARRAYS = {
    "big_endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "fortran": np.asfortranarray,
    "strided": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "reversed": lambda a: np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1],
    "broadcast": lambda a: np.broadcast_to(a, (1, *a.shape))[0],
    "read_only": lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape),
    "misaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8", "float16"])
def test_arrays_of_unusual_layout(kind: str, dtype: str) -> None:
    """They mean what they mean to NumPy, as operands, in functions and in Variables."""
    plain = np.arange(1, 13).reshape(3, 4).astype(dtype)
    array = ARRAYS[kind](plain)
    wanted = (plain + plain)[:, 1:]
    f = tf.function(lambda x: (x + x)[:, 1:])
    for got in (
        tf.add(array, array)[:, 1:],
        (tf.constant(array) + array)[:, 1:],
        f(array),
        f(tf.constant(array)),
        (tf.Variable(array) + array)[:, 1:],
    ):
        np.testing.assert_array_equal(got, wanted)
        assert got.dtype == dtype
    before = array.tobytes()
    v = tf.Variable(array)
    v.assign_add(array)
    assert array.tobytes() == before


def test_no_memory_is_an_error_that_says_so() -> None:
    """Also where native code is called without Python between."""
    column, row = tf.zeros([2**22, 1]), tf.zeros([1, 2**22])
    small = tf.zeros([3, 1]) + tf.zeros([1, 3])
    assert small.shape == (3, 3)
    add = tf.function(lambda x, y: x + y)
    for call in (lambda: column + row, lambda: tf.add(column, row), lambda: add(column, row)):
        for _ in range(2):
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
                call()
    for shape in ([2**40], [2**31, 2**20], [2**50, 1]):
        for make in (tf.zeros, tf.ones, tf.random.normal, tf.random.uniform):
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
                make(shape)
    np.testing.assert_array_equal(tf.zeros([2]) + 1, [1, 1])


def test_bytes_that_no_machine_can_count() -> None:
    """Offsets in such a tensor would wrap around, and what is written would be elsewhere."""
    image, many = tf.zeros([1, 3, 3, 1]), 2**32
    twice = tf.function(lambda x: tf.tile(tf.tile(x, [many]), [many]))
    for call in (
        lambda: tf.image.extract_patches(image, 2**40, 1, 1, "SAME"),
        lambda: twice(tf.ones([1])),
        lambda: tf.function(lambda x: tf.reduce_sum(twice(x)))(tf.ones([3])),
    ):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
            call()


RAGGED = [[1], [2, 3]]
VECTOR = np.ones(3)
LATER: list[Any] = ["x"]  # which holds itself
LATER.append(LATER)


def test_errors_of_arguments_are_clear() -> None:
    """What campaigns of bad inputs have found, in eager code and in functions."""
    inf, nan = float("inf"), float("nan")
    x, words = tf.ones([2, 3]), tf.constant(["a"])
    image, jpeg = tf.ones([1, 3, 3, 1]), tf.io.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8))
    calls = {
        "transpose": lambda: tf.transpose(x, (VECTOR, 0)),
        "as_string": lambda: tf.as_string(x, precision=inf),
        "repeat": lambda: tf.repeat(x, [2**40, 0], 0),
        "all_candidate_sampler": lambda: tf.nn.all_candidate_sampler([[0]], inf, 3, True),
        "convert_image_dtype": lambda: tf.image.convert_image_dtype(
            tf.cast(x, tf.uint16), tf.uint8, saturate=VECTOR
        ),
        "to_hash_bucket_fast": lambda: tf.strings.to_hash_bucket_fast(LATER, 3),
        "hash buckets": lambda: tf.strings.to_hash_bucket_fast(words, nan),
        "explore": lambda: tf.explore(tf.sin, x, gpu=VECTOR),
        "explore none": lambda: tf.explore(None),
        "step": lambda: tf.debugging.step(None),
        "parse_single_sequence_example": lambda: tf.io.parse_single_sequence_example(
            b"", sequence_features="x"
        ),
        "Assert": lambda: tf.debugging.Assert(False, [RAGGED]),
        "inverse_mdct": lambda: tf.signal.inverse_mdct(x, norm=VECTOR),
        "inverse_mdct of a scalar": lambda: tf.signal.inverse_mdct(1.0),
        "jpeg": lambda: tf.image.adjust_jpeg_quality(0.5, 50),
        "jpeg quality": lambda: tf.image.adjust_jpeg_quality(tf.zeros([8, 8, 3]), nan),
        "registered": lambda: tf.register_tensor_conversion_function(int, len, VECTOR),
        "CriticalSection": lambda: tf.CriticalSection(VECTOR),
        "eagerly": lambda: tf.config.run_functions_eagerly(VECTOR),
        "isotonic_regression": lambda: tf.nn.isotonic_regression([3.0, 1.0], VECTOR),
        "assert_less": lambda: tf.debugging.assert_less([2], 1, summarize=VECTOR),
        "assert_negative": lambda: tf.debugging.assert_negative([2], summarize=VECTOR),
        "batch_to_space": lambda: tf.batch_to_space(tf.ones([4, 2, 2, 1]), 2, [RAGGED, [0, 0]]),
        "batch_normalization": lambda: tf.nn.batch_normalization(x, None, None, x, x, 0.1),
        "strided_slice": lambda: tf.strided_slice(x, [0], [2], [1], begin_mask=VECTOR),
        "embedding_lookup": lambda: tf.nn.embedding_lookup([x, 1.0], [0]),
        "boxes": lambda: tf.image.sample_distorted_bounding_box(
            [40, 60, 3], [[[0.1, 0.1, 0.9, 0.9]]], seed=VECTOR
        ),
        "ngrams": lambda: tf.strings.ngrams(words, [inf]),
        "decode_jpeg": lambda: tf.io.decode_jpeg(jpeg, try_recover_truncated=VECTOR),
        "decode_and_crop_jpeg": lambda: tf.image.decode_and_crop_jpeg(
            jpeg, [0, 0, 1, 1], fancy_upscaling=VECTOR
        ),
        "to_dense": lambda: tf.sparse.to_dense(tf.sparse.from_dense([1]), validate_indices=VECTOR),
        "max_pool_with_argmax": lambda: tf.nn.max_pool_with_argmax(image, 2, 2, "SAME", VECTOR),
        "dilation2d": lambda: tf.nn.dilation2d(
            image, image[0], [1, 1, 1, 1], "SAME", "NHWC", [1, 2**63 - 1, 1, 1]
        ),
        "one_hot": lambda: tf.one_hot([1], 2, dtype=VECTOR),
        "decode_compressed": lambda: tf.io.decode_compressed(words, VECTOR),
        "ctc_unique_labels": lambda: tf.nn.ctc_unique_labels([[3.0, inf]]),
        "sobol_sample": lambda: tf.math.sobol_sample(2, 2**40),
        "as_string width": lambda: tf.as_string(x, width=2**60),
        "decode_raw": lambda: tf.io.decode_raw(words, tf.int8, fixed_length=2**62),
        "ngrams of all": lambda: tf.strings.ngrams(words, 2**62, pad_values=("<", ">")),
        "tridiagonal_solve": lambda: tf.linalg.tridiagonal_solve(
            np.ones((3, 2)), np.ones((2, 1)), partial_pivoting=VECTOR
        ),
        "transpose_rhs": lambda: tf.linalg.tridiagonal_solve(
            np.ones((3, 2)), np.ones((2, 1)), transpose_rhs=VECTOR
        ),
        "bincount": lambda: tf.math.bincount([1], maxlength=inf),
        "scan": lambda: tf.scan(lambda a, b: a + b, x, reverse=VECTOR),
        "sparse sums": lambda: tf.sparse.reduce_sum(tf.sparse.from_dense(x), inf),
    }
    host = {"explore", "explore none", "step", "registered", "CriticalSection", "eagerly"}
    for name, call in calls.items():
        for f in [call] if name in host else [call, lambda call=call: tf.function(call)()]:
            with pytest.raises((TypeError, ValueError, tf.errors.OpError)):
                f()
            assert (told := bad_inputs.verdict(f, [])) is None, f"{name}: {told}"


def test_names_of_calls_of_the_host_are_no_operands() -> None:
    """Whatever is given for them: here the shape of a tensor was taken for that of the strings."""
    variable = tf.Variable([[1.0, 2.0]])
    parts = tf.function(lambda: tf.strings.bytes_split("hey", name=variable))()
    assert parts.numpy().tolist() == [b"h", b"e", b"y"]
