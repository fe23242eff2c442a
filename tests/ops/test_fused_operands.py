"""What is computed of a result as it is made, and of its operands before.

A function computes `f(...) + y` in one kernel, eager code in two, so their bits are compared. An
operand has an index of its own, which may be the same numbers as that of the result.
"""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import tfc as tf


def numbers(shape: Sequence[int], seed: int = 0) -> Any:
    return tf.constant(np.random.default_rng(seed).integers(-9, 10, shape), tf.float32)


def windows(size: int) -> Callable[..., Any]:
    return lambda x, w: tf.nn.conv2d(x, w, 1, "SAME" if size > 1 else "VALID")


# Each with the shapes of its operands.
MADE: dict[str, tuple[Callable[..., Any], list[list[int]]]] = {
    "matmul of one step": (tf.matmul, [[3, 2, 1], [3, 1, 2]]),
    "small matmul": (tf.matmul, [[2, 3, 8, 5], [2, 3, 5, 8]]),
    "low matmul": (tf.matmul, [[3, 2, 40], [3, 40, 70]]),
    "narrow matmul": (tf.matmul, [[3, 37, 9], [3, 9, 3]]),
    "square matmul": (tf.matmul, [[2, 33, 20], [2, 20, 33]]),
    "packed matmul": (tf.matmul, [[2, 250, 70], [2, 70, 260]]),
    "row by matrices": (tf.matmul, [[3, 1, 20], [3, 20, 17]]),
    "column": (tf.matmul, [[3, 20, 17], [3, 17, 1]]),
    "transposed": (lambda x, y: tf.matmul(x, y, transpose_b=True), [[3, 6, 4], [3, 7, 4]]),
    "einsum": (lambda x, y: tf.einsum("bihd,bjhd->bhij", x, y), [[2, 3, 2, 4], [2, 5, 2, 4]]),
    "conv 1x1": (windows(1), [[2, 3, 2, 4], [1, 1, 4, 3]]),
    "conv 3x3": (windows(3), [[2, 5, 4, 3], [3, 3, 3, 8]]),
    "depthwise": (
        lambda x, w: tf.nn.depthwise_conv2d(x, w, [1] * 4, "SAME"),
        [[2, 4, 5, 3], [3, 3, 3, 1]],
    ),
    "sum of rows": (lambda x: tf.reduce_sum(x, -1), [[3, 4, 5]]),
    "sum of columns": (lambda x: tf.reduce_sum(x, 1, keepdims=True), [[3, 40, 5]]),
    "sum of ends": (lambda x: tf.reduce_sum(x, [0, 3]), [[3, 2, 4, 5]]),
    "cumsum": (lambda x: tf.cumsum(x, 1), [[2, 5, 3]]),
    "softmax": (tf.nn.softmax, [[3, 2, 5]]),
    "max pool": (lambda x: tf.nn.max_pool2d(x, 2, 1, "SAME"), [[2, 3, 4, 5]]),
    "transpose": (lambda x: tf.transpose(x, [1, 2, 0]), [[3, 2, 4]]),
    "gather": (lambda x: tf.gather(x, [1, 0, 1], axis=1), [[3, 2, 4]]),
    "sort": (lambda x: tf.sort(x, 1), [[2, 5, 3]]),
    "inverse": (lambda x: tf.linalg.inv(x + 20 * tf.eye(3)), [[4, 3, 3]]),
}


@pytest.mark.parametrize("name", MADE)
def test_operands_repeated_along_any_axes(name: str) -> None:
    made, shapes = MADE[name]
    inputs = [numbers(shape, i) for i, shape in enumerate(shapes)]
    result = made(*inputs)
    for repeats in product((False, True), repeat=len(result.shape)):
        sides = zip(result.shape, repeats, strict=True)
        other = numbers([1 if repeated else e for e, repeated in sides], 7)
        expected = result + other
        found = tf.function(lambda y, *xs: made(*xs) + y)(other, *inputs)
        np.testing.assert_array_equal(found, expected, err_msg=str(other.shape))


@pytest.mark.parametrize("name", MADE)
def test_operands_that_are_results(name: str) -> None:
    """Operands that are computed, transposed and returned: what reads them may do so where they
    are before they are transposed."""
    made, shapes = MADE[name]
    turned = [[*shape[:-2], shape[-1], shape[-2]] for shape in shapes]
    inputs = [numbers(shape, i) for i, shape in enumerate(turned)]

    def program(z: Any, *xs: Any) -> Any:
        scaled = [x * tf.reduce_sum(z) for x in xs]
        operands = [tf.linalg.matrix_transpose(x) for x in scaled]
        return made(*operands), *operands

    z = numbers([5], 3)
    for found, expected in zip(tf.function(program)(z, *inputs), program(z, *inputs), strict=True):
        np.testing.assert_array_equal(found, expected)
