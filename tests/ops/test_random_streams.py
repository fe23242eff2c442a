"""Random numbers of a global seed: what TensorFlow 2.21 gives on a processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

LOGITS = [[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]
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
    "truncated": (
        lambda: tf.random.truncated_normal([7], seed=1),
        [
            [-1.3768897, -0.012583158, -0.169515, 1.0824056, -0.10622817, -0.13065036, -0.19806014],
            [0.53535885, 1.1410931, 0.13892637, 0.2700876, -1.6360615, 0.22699572, 1.2856721],
        ],
    ),
    "truncated_double": (
        lambda: tf.random.truncated_normal([5], 1.0, 0.5, "float64", seed=1),
        [
            [1.6850076, 0.17457895, 0.59315917, 1.0250189, 0.86193112],
            [0.81910838, 1.7052908, 0.99715264, 0.94428989, 0.70178239],
        ],
    ),
    "truncated_half": (
        lambda: tf.random.truncated_normal([3], dtype="float16", seed=1),
        [[-1.3769531, -0.012580872, -0.16955566], [0.38671875, -0.46362305, -0.87988281]],
    ),
    "categorical": (
        lambda: tf.random.categorical(LOGITS, 3, seed=2),
        [[1, 1, 1, 1, 0, 0], [2, 2, 2, 0, 0, 0]],
    ),
    "categorical_infinite": (
        lambda: tf.random.categorical([[0.0, -np.inf, 1.0, 0.0]], 6, seed=3),
        [[2, 2, 2, 3, 3, 3], [2, 2, 0, 2, 2, 0]],
    ),
    "shuffle": (
        lambda: tf.random.shuffle(tf.range(9), seed=1),
        [[3, 8, 4, 2, 0, 6, 5, 7, 1], [4, 2, 5, 0, 1, 3, 8, 6, 7]],
    ),
    "shuffle_rows": (
        lambda: tf.random.shuffle(tf.reshape(tf.range(6), [3, 2]), seed=1),
        [[0, 1, 4, 5, 2, 3], [2, 3, 4, 5, 0, 1]],
    ),
    "gamma": (
        lambda: tf.random.gamma([2], [0.5, 1.0, 7.0], seed=1),
        [
            [0.010882563, 0.87475353, 6.5369148, 0.188694, 0.39965791, 11.01228],
            [0.035198823, 0.024024103, 3.6783276, 1.6567641, 0.29098058, 3.2571111],
        ],
    ),
    "gamma_rates": (
        lambda: tf.random.gamma([2], [0.5, 2.0], [[2.0], [3.0]], "float64", seed=1),
        [
            [
                0.0054412817,
                0.45551406,
                0.0045071837,
                0.2699346,
                0.094347002,
                0.58483748,
                0.70715503,
                1.3351272,
            ],
            [
                0.0021025363,
                0.21884042,
                0.059691723,
                0.82119136,
                0.0018845161,
                0.15859654,
                0.026461661,
                0.27877964,
            ],
        ],
    ),
    "poisson": (
        lambda: tf.random.poisson([2], [0.0, 0.5, 3.0, 10.0, 300.0], seed=1),
        [
            [0.0, 0.0, 3.0, 11.0, 277.0, 0.0, 0.0, 4.0, 6.0, 287.0],
            [0.0, 3.0, 3.0, 10.0, 282.0, 0.0, 0.0, 7.0, 12.0, 304.0],
        ],
    ),
    "poisson_integers": (
        lambda: tf.random.poisson([3], 40.0, tf.int32, seed=1),
        [[38, 38, 41], [37, 45, 56]],
    ),
}

STATELESS: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {  # of the seed [1, 2]
    "binomial": (
        lambda s: tf.random.stateless_binomial([8], s, 5.0, 0.5),
        [3, 3, 3, 3, 4, 2, 3, 0],
    ),
    "binomials": (
        lambda s: tf.random.stateless_binomial([2, 3], s, [5.0, 20.0, 100.0], [0.1, 0.5, 0.9]),
        [2, 13, 93, 1, 15, 87],
    ),
    "truncated": (
        lambda s: tf.random.stateless_truncated_normal([6], s),
        [0.54411012, 0.20738031, 0.073564321, 0.046434551, 0.16820592, -1.6850333],
    ),
    "categorical": (
        lambda s: tf.random.stateless_categorical(LOGITS, 5, s),
        [2, 2, 1, 2, 2, 0, 1, 0, 1, 1],
    ),
    "gamma": (
        lambda s: tf.random.stateless_gamma([2, 3], s, [0.5, 1.0, 3.0]),
        [0.066953614, 2.2487352, 3.4035149, 0.62823546, 1.8935091, 2.4479711],
    ),
    "poisson": (
        lambda s: tf.random.stateless_poisson([2, 3], s, [0.5, 3.0, 30.0]),
        [3, 4, 25, 2, 6, 35],
    ),
    "shuffle": (
        lambda s: tf.random.experimental.stateless_shuffle(tf.range(9), s),
        [1, 2, 7, 6, 3, 4, 5, 0, 8],
    ),
}


@pytest.mark.parametrize("name", EAGER)
def test_eager_draws(name: str) -> None:
    draw, wanted = EAGER[name]
    for _ in range(2):
        tf.random.set_seed(5)
        found = [np.ravel(draw()).astype(np.float64) for _ in wanted]
        np.testing.assert_allclose(found, wanted, rtol=4e-7, atol=1e-7)


@pytest.mark.parametrize("name", STATELESS)
def test_stateless_draws(name: str) -> None:
    draw, wanted = STATELESS[name]
    seed = tf.constant([1, 2])
    np.testing.assert_allclose(np.ravel(draw(seed)), wanted, rtol=4e-7, atol=1e-7)


def test_generators_draw_binomial_numbers() -> None:
    g = tf.random.Generator.from_seed(1)
    assert g.binomial([6], 5.0, 0.5).numpy().tolist() == [2, 3, 3, 2, 1, 5]
    assert g.state.numpy().tolist() == [115201, 0, 0]
    assert g.binomial([6], 100.0, 0.3).numpy().tolist() == [27, 27, 28, 27, 34, 32]
    assert g.binomial([2, 3], [5.0, 20.0, 100.0], [0.1, 0.5, 0.9]).shape == (2, 3)
    assert g.state.numpy().tolist() == [115201 + 115200 + 192000, 0, 0]


def test_generators_draw_truncated_normal_numbers() -> None:
    g = tf.random.Generator.from_seed(3)
    first = [-0.43640924, -1.9633987, -0.064524829, -1.056841, 0.13718261]
    second = [-1.0120096, -1.4233379, 1.0961879, 0.18907863, 1.328346]
    for wanted in (first, second):
        np.testing.assert_allclose(g.truncated_normal([5]), wanted, rtol=1e-6)
    assert g.state.numpy().tolist() == [2563, 0, 0]


def test_many_draws() -> None:
    """Sums of so many that elements are drawn several times, and on all threads."""
    seed = [1, 2]
    double = tf.float64
    for x, wanted in (
        (tf.random.stateless_truncated_normal([100000], seed, dtype=double), -29.851394),
        (tf.random.stateless_gamma([50000], seed, 0.3, dtype=double), 15052.949),
        (tf.random.stateless_poisson([50000], seed, 30.0, dtype=double), 1500562),
    ):
        np.testing.assert_allclose(tf.reduce_sum(x), wanted, rtol=1e-7)
    order = tf.random.experimental.stateless_shuffle(tf.range(100000, dtype=tf.int64), seed)
    assert int(tf.reduce_sum(order[:1000])) == 49984527
    assert bool(tf.reduce_all(tf.sort(order) == tf.range(100000, dtype=tf.int64)))


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


def test_the_first_run_of_a_session() -> None:
    """Of a graph the draws are numbered, as those of a function are."""
    import tfc.compat.v1 as tf1

    with tf1.Graph().as_default():
        tf1.set_random_seed(5)
        draws = [tf1.random_uniform([2]), tf1.random_normal([2]), tf1.random_uniform([2], seed=7)]
        wanted = [FIRST, [-1.3768897, -0.01258316], [0.44746375, 0.62075698]]
        for _ in range(2):
            with tf1.Session() as session:
                np.testing.assert_allclose(session.run(draws), wanted, rtol=1e-6)
                assert session.run(draws[0]).tolist() != session.run(draws[0]).tolist()


@pytest.mark.parametrize("assigns", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_loops_that_call_python_draw_in_each_round(assigns: bool, first: bool) -> None:
    """A body that is traced once more, for what Python may have changed, goes on with its draws."""
    v = tf.Variable(0.0)
    seen = []

    def call() -> None:
        tf.py_function(lambda: seen.append(v.assign_add(1.0)), [], [])

    def step(_: Any, __: Any) -> Any:
        if first:
            call()
        if assigns:
            v.assign_add(1.0)
        x = tf.random.uniform([])
        if not first:
            call()
        return x

    @tf.function
    def scanned() -> Any:
        return tf.scan(step, tf.range(4), 0.0)

    @tf.function
    def looped() -> Any:
        found = tf.TensorArray(tf.float32, 4)
        i = 0
        while tf.less(i, 4):
            found = found.write(i, step(0.0, 0.0))
            i += 1
        return found.stack()

    for f in (scanned, looped):
        numbers = [*f().numpy().tolist(), *f().numpy().tolist()]
        assert len(set(numbers)) == 8
    assert len(seen) == 16 and float(v) == 16.0 * (2 if assigns else 1)
