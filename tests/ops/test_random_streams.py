"""Random numbers of a global seed: what TensorFlow 2.21 gives on a processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

EAGER: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    # What is drawn twice behind `set_seed(5)`.
    "uniform": (
        lambda: tf.random.uniform([3]),
        [[0.62639308, 0.52984321, 0.75845718], [0.70170748, 0.04336786, 0.56045723]],
    ),
    "normal": (
        lambda: tf.random.normal([3]),
        [[-0.18030666, -0.95028627, -0.03964049], [0.22652864, 0.8106553, 0.74660939]],
    ),
    "normal_double": (
        lambda: tf.random.normal([3], dtype="float64"),
        [[1.236812095, 2.731985757, -0.155909393], [0.101291186, -0.983040191, 1.657876719]],
    ),
    "normal_half": (
        lambda: tf.random.normal([3], dtype="float16"),
        [[-0.18029785, -0.95019531, -0.03964233], [0.2265625, 0.81054688, 0.74658203]],
    ),
    "uniform_bfloat16": (
        lambda: tf.random.uniform([3], dtype="bfloat16"),
        [[0.296875, 0.8046875, 0.25], [0.1015625, 0.15625, 0.125]],
    ),
    "integers": (
        lambda: tf.random.uniform([3], 0, 100, tf.int32),
        [[70, 71, 68], [97, 64, 60]],
    ),
    "initializer": (
        lambda: tf.random_uniform_initializer(seed=1)([2]),
        [[0.03784882, -0.00400198], [0.03784882, -0.00400198]],
    ),
}


@pytest.mark.parametrize("name", EAGER)
def test_eager_draws(name: str) -> None:
    draw, wanted = EAGER[name]
    for _ in range(2):
        tf.random.set_seed(5)
        found = [np.asarray(draw()).astype(np.float64) for _ in wanted]
        np.testing.assert_allclose(found, wanted, rtol=3e-7, atol=1e-8)


def test_seeds_of_any_size() -> None:
    for seed, own, wanted in (
        (2**31 + 5, None, [0.12124443, 0.18162954]),
        (-3, 2**40, [0.23384082, 0.43618071]),
        (0, 0, [0.01975703, 0.00704217]),
    ):
        tf.random.set_seed(seed)
        np.testing.assert_allclose(tf.random.uniform([2], seed=own), wanted, rtol=1e-6)


FIRST, SECOND = [0.18286479, 0.68998957], [0.38751841, 0.74854553]  # draws 0 and 1 of a function
LATER = [0.93638718, 0.65132701]  # of draw 0 in the second call


def test_draws_of_functions() -> None:
    """Each place that draws has a stream, which calls go on with and `set_seed` begins anew."""

    @tf.function
    def f() -> Any:
        return tf.random.uniform([2]), tf.random.uniform([2]), tf.random.uniform([2], seed=7)

    tf.random.set_seed(5)
    wanted = [FIRST, SECOND, [0.44746375, 0.62075698]]
    np.testing.assert_allclose(f(), wanted, rtol=1e-6)
    np.testing.assert_allclose(f()[0], LATER, rtol=1e-6)
    for seed in (5, 6):  # it keeps the seed that it was traced with
        tf.random.set_seed(seed)
        np.testing.assert_allclose(f(), wanted, rtol=1e-6)


def test_functions_in_functions_draw_at_each_place() -> None:
    @tf.function
    def inner() -> Any:
        return tf.random.uniform([2])

    @tf.function
    def outer() -> Any:
        return tf.random.uniform([2]), inner(), inner(), tf.random.uniform([2]), concrete()

    tf.random.set_seed(5)
    concrete = tf.function(lambda: tf.random.uniform([2])).get_concrete_function()
    np.testing.assert_allclose(outer(), [FIRST, FIRST, FIRST, SECOND, FIRST], rtol=1e-6)
    np.testing.assert_allclose(concrete(), FIRST, rtol=1e-6)
    again = outer()
    np.testing.assert_allclose([again[i] for i in (0, 1, 2, 4)], [LATER] * 4, rtol=1e-6)


def test_draws_in_loops_and_branches() -> None:
    @tf.function
    def f(x: Any) -> Any:
        y = tf.random.uniform([2]) if x > 0 else tf.random.normal([2])
        rows = tf.TensorArray(tf.float32, 3)
        for i in tf.range(3):
            rows = rows.write(i, tf.random.uniform([]))
        return y, tf.random.uniform([2]), rows.stack()

    tf.random.set_seed(5)
    y, z, rows = f(tf.constant(1))
    np.testing.assert_allclose([y, z], [FIRST, FIRST], rtol=1e-6)
    np.testing.assert_allclose(rows, [0.18286479, 0.67307663, 0.93638718], rtol=1e-6)
    y, z, rows = f(tf.constant(-1))
    np.testing.assert_allclose([y, z], [[-1.71387851, -0.67870229], LATER], rtol=1e-6)
    np.testing.assert_allclose(rows, [0.38764056, 0.06604481, 0.48616183], rtol=1e-6)


def test_a_seed_that_is_set_while_a_function_is_traced() -> None:
    @tf.function
    def f() -> Any:
        tf.random.set_seed(9)
        return tf.random.uniform([2]), tf.random.uniform([2])

    tf.random.set_seed(5)
    wanted = [[0.08012962, 0.52336264], [0.99037385, 0.94186985]]
    np.testing.assert_allclose(f(), wanted, rtol=1e-6)
    np.testing.assert_allclose(tf.random.uniform([2]), EAGER["uniform"][1][0][:2], rtol=1e-6)


def test_without_a_seed_no_draw_meets_another() -> None:
    tf.random.set_seed(None)
    traced = [tf.function(lambda: tf.random.uniform([4])) for _ in range(2)]
    seen = [tf.random.uniform([4]), tf.random.uniform([4]), *(f() for f in traced for _ in "12")]
    assert len({x.numpy().tobytes() for x in seen}) == len(seen)
    tf.random.set_seed(3)  # functions that were traced before have numbers that follow from it
    first = traced[0]().numpy().tobytes()
    tf.random.set_seed(3)
    assert traced[0]().numpy().tobytes() == first
