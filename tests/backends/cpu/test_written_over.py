"""Kernels whose result takes the place of an operand that nobody reads again (see
backends/llvm/in_place.py): no element may be stored twice, for the second time would read what the
first has stored.

Each function makes two values in one way and adds them, so that the second kernel reads the first
one's result and stores over it. Known and unknown sizes, against calls that make one value each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Function = Callable[..., Any]
SHAPES: dict[str, tuple[Function, list[tuple[tuple[int, ...], ...]]]] = {}


def case(*shapes: tuple[tuple[int, ...], ...]) -> Callable[[Function], Function]:
    """Enter a function of (x, y) for these shapes; it is called twice, with y and with another."""

    def enter(f: Function) -> Function:
        SHAPES[f.__name__] = f, list(shapes)
        return f

    return enter


ROWS = (1, 2, 5, 9, 33)


@case(*(((m, k), (k, n)) for m, n, k in itertools.product(ROWS, (1, 8, 17), (3, 300))))
def matmul(x: Any, y: Any) -> Any:
    return tf.matmul(x, y)


@case(*(((k, m), (n, k)) for m, n, k in itertools.product((1, 3, 9), (1, 5, 17), (4, 70))))
def transposed(x: Any, y: Any) -> Any:
    return tf.matmul(x, y, transpose_a=True, transpose_b=True)


@case(*(((b, m, 6), (b, 6, n)) for b, m, n in itertools.product((1, 3), (1, 3, 9), (1, 5, 17))))
def batched(x: Any, y: Any) -> Any:
    return tf.matmul(x, y)


@case(
    *(
        ((1 + 2 * (c == o), 5, 7, c), (3, 3, c, o))
        for c, o in itertools.product((1, 3, 16), (1, 5, 16))
    ),
    *(((n, 9, 6, c), (1, 1, c, o)) for n, c, o in ((1, 3, 2), (2, 16, 2), (1, 16, 20))),
)
def convolution(x: Any, y: Any) -> Any:
    return tf.nn.conv2d(x, y, 1, "SAME")


@case(*(((n, 6, 7, c), (3, 3, c, m)) for n, c, m in itertools.product((1, 3), (2, 16), (1, 2))))
def depthwise(x: Any, y: Any) -> Any:
    return tf.nn.depthwise_conv2d(x, y, [1, 1, 1, 1], "SAME")


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 9, 33), (1, 5, 17, 70))))
def columns(x: Any, y: Any) -> Any:
    return tf.reduce_sum(x * y, 0)


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 9, 33), (1, 5, 17, 70))))
def rows(x: Any, y: Any) -> Any:
    return tf.nn.softmax(x * y)


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 9), (1, 5, 17, 70))))
def scan(x: Any, y: Any) -> Any:
    return tf.cumsum(x * y, 1)


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 17, 33), (1, 5, 16, 40))))
def transposes(x: Any, y: Any) -> Any:
    return tf.transpose(y)


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 9), (1, 5, 17, 70))))
def joined(x: Any, y: Any) -> Any:
    return tf.concat([x, y, x * y], 1)


@case(*(((m, n), (m, n)) for m, n in itertools.product((1, 3, 9), (2, 5, 17, 70))))
def sorted_rows(x: Any, y: Any) -> Any:
    return tf.sort(x * y)


@case(*(((m, n), (m, n)) for m, n in itertools.product((2, 9), (1, 5, 40))))
def gathered(x: Any, y: Any) -> Any:
    return tf.gather(y, [1, 0, 1])


@case(*(((m, n, 3), (m, n, 3)) for m, n in itertools.product((1, 3), (4, 9))))
def pooled(x: Any, y: Any) -> Any:
    return tf.nn.max_pool1d(x * y, 2, 1, "SAME")


@pytest.mark.parametrize("name", SHAPES)
def test_what_takes_an_operands_place(name: str) -> None:
    f, shapes = SHAPES[name]

    def both(x: Any, y: Any, z: Any) -> Any:
        return f(x, y) + f(x, z) * 2.0

    def spec(shape: tuple[int, ...], unknown: int) -> tf.TensorSpec:
        return tf.TensorSpec([None] * unknown + list(shape[unknown:]))

    fixed = name in ("convolution", "depthwise")  # whose filters have known sizes
    # What `f` gives alone, of any size: it is added up by NumPy, which has the same bits.
    unknown_sizes = [tf.TensorSpec([None] * len(shape)) for shape in shapes[0]]
    apart = f if fixed else tf.function(f, input_signature=unknown_sizes)
    draw = np.random.default_rng(0)
    traced: dict[Any, Any] = {}
    for number, (left, right) in enumerate(shapes):
        x, y, z = (
            tf.constant(draw.normal(size=s).astype(np.float32)) for s in (left, right, right)
        )
        wanted = np.asarray(apart(x, y)) + np.asarray(apart(x, z)) * np.float32(2.0)
        ways = [(0, 0)] if number % 8 == 0 else []  # how many extents of each are unknown
        ways += [(1, 1 if left == right else 0)]
        if not fixed:
            ways += [(len(left), len(right))]
        for unknown in ways:
            specs = [spec(left, unknown[0]), *[spec(right, unknown[1])] * 2]
            key = tuple(tuple(s.shape.as_list()) for s in specs)
            if key not in traced:
                traced[key] = tf.function(both, input_signature=specs)
            got = np.asarray(traced[key](x, y, z))
            assert np.array_equal(got, wanted), (unknown, left, right)
