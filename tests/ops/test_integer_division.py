"""Quotients and remainders of integers at the limits of their types, by constants and by values.

LLVM leaves the smallest integer over -1 undefined, and processors stop the process for it. LLVM's
optimiser turns division by -1 into a subtraction; code that is generated quickly divides as it is
told. So this is asked of quick code.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[[int, int], int]]] = {
    "floordiv": (tf.math.floordiv, lambda x, y: x // y),
    "floormod": (tf.math.floormod, lambda x, y: x % y),
    "truncatediv": (tf.truncatediv, lambda x, y: abs(x) // abs(y) * (1 if x * y >= 0 else -1)),
    "truncatemod": (tf.truncatemod, lambda x, y: abs(x) % abs(y) * (1 if x >= 0 else -1)),
}
TYPES = [tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: str(dtype.name))
def test_limits(name: str, dtype: Any) -> None:
    function, meaning = FUNCTIONS[name]
    info = np.iinfo(dtype.as_numpy_dtype)
    numbers = [info.min, info.min + 1, -7, -2, -1, 0, 1, 2, 7, info.max - 1, info.max]
    numbers = sorted({n for n in numbers if info.min <= n <= info.max})
    x = tf.constant(np.array(numbers * 4, info.dtype))
    for y in filter(None, numbers):
        patterns = [meaning(n, y) % (1 << info.bits) for n in numbers * 4]
        wanted = np.array(patterns, f"uint{info.bits}").view(info.dtype)

        @tf.function
        def by_constant(x: Any, y: Any = y) -> Any:
            found = function(x, tf.constant(y, dtype))
            return found, found <= 2  # what is compared as it is computed, too

        @tf.function
        def by_value(x: Any, y: Any) -> Any:
            return function(x, y)

        for found, small in (by_constant(x), by_constant(x[:3])):
            np.testing.assert_array_equal(found, wanted[: len(found)])
            np.testing.assert_array_equal(small, wanted[: len(found)] <= 2)
        np.testing.assert_array_equal(by_value(x, tf.constant(y, dtype)), wanted)
        np.testing.assert_array_equal(function(x, tf.constant(y, dtype)), wanted)
