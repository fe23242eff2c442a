"""Random numbers: TensorFlow's where it publishes them, the right distributions everywhere, and
bits that depend on seed and shape alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import tfc as tf
from tfc.dispatch.primitive import Primitive
from tfc.ir.algebra import Term
from tfc.ops.random.sampling import normal_quantile

FLOATS = ("float16", "bfloat16", "float32", "float64")


def bits(x: Any) -> bytes:
    return np.asarray(x).tobytes()


def generator(seed: int = 1) -> Any:
    return tf.random.Generator.from_seed(seed)


def test_numbers_that_tensorflow_publishes() -> None:
    """From the documentation of its functions and its guide to random numbers."""
    published: list[tuple[Any, list[float]]] = [
        (
            generator(1).normal([2, 3]),
            [0.43842277, -0.53439844, -0.07710262, 1.5658046, -0.1012345, -0.2744976],
        ),
        (
            tf.random.stateless_normal([2, 3], seed=[1, 2]),
            [0.5441101, 0.20738031, 0.07356433, 0.04643455, -1.30159, -0.95385665],
        ),
    ]
    # These are what TensorFlow 2.21 gives.
    published += [
        (tf.random.stateless_uniform([2], [1, 2], dtype=tf.float64), [0.7524837538, 0.9697857726]),
        (tf.random.stateless_normal([2], [1, 2], dtype=tf.float64), [-0.14231181, 0.7406072462]),
        (generator(1).uniform([2], dtype=tf.float64), [0.2999614354, 0.3410444613]),
    ]
    tf.random.set_seed(5)
    published.append(
        (
            tf.random.normal([2, 2], 0, 1, tf.float32, seed=1),
            [-1.3768897, -0.01258316, -0.169515, 1.0824056],
        )
    )
    for got, wanted in published:
        np.testing.assert_allclose(np.ravel(got), wanted, rtol=1e-5)


def test_the_counter_has_128_bits() -> None:
    """One block before its lower half is full the upper half counts on."""
    full = tf.random.Generator.from_state([-1, 7, 5])
    after = tf.random.Generator.from_state([0, 8, 5])
    words = full.uniform_full_int([8], tf.uint32).numpy()
    np.testing.assert_array_equal(words[4:], after.uniform_full_int([4], tf.uint32))
    full.reset([-1, 7, 5])
    full.skip(1)
    assert full.state.numpy().tolist() == [255, 8, 5]


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal_kinds(dtype: str) -> None:
    """Against SciPy's distribution functions, with fixed seeds."""
    g = generator(3)
    fine = dtype in ("float32", "float64")
    for sample, law in (
        (g.normal([20000], 1.0, 2.0, dtype), stats.norm(1, 2)),
        (g.truncated_normal([20000], 1.0, 2.0, dtype), stats.truncnorm(-2, 2, 1, 2)),
        (g.uniform([20000], -2, 3, dtype), stats.uniform(-2, 5)),
    ):
        x = sample.numpy().astype(np.float64)
        assert sample.dtype == dtype
        distance = stats.kstest(x, law.cdf).statistic
        assert distance < (0.012 if fine else 0.03), (law.dist.name, distance)
        assert abs(x.mean() - law.mean()) < 0.05 and abs(x.std() - law.std()) < 0.05
    x = g.truncated_normal([20000], dtype=dtype).numpy()
    assert -2 <= x.min() < -1.9 and 1.9 < x.max() <= 2


def test_the_normal_quantile() -> None:
    p = np.array([1e-300, 1e-30, 1e-9, 0.01, 0.074, 0.076, 0.3, 0.5, 0.7, 0.93, 1 - 1e-9])

    found = Primitive(lambda b, x: normal_quantile(Term(b, x)).value, "quantile")(tf.constant(p))
    np.testing.assert_allclose(found, special.ndtri(p), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("low", "high"), [(1, 4), (-4, -1), (3, 5), (-0.5, 0.5), (-20, 3), (-np.inf, np.inf), (9, 10)]
)
def test_parameterized_truncated_normal(dtype: str, low: float, high: float) -> None:
    parameters = [tf.constant(float(v), dtype) for v in (1, 2, low, high)]
    draw = tf.random.stateless_parameterized_truncated_normal
    x = draw([4000], [1, 2], *parameters).numpy().astype(np.float64)
    law = stats.truncnorm((low - 1) / 2, (high - 1) / 2, 1, 2)
    assert low <= x.min() and x.max() <= high
    assert stats.kstest(x, law.cdf).pvalue > 0.01


def test_integers() -> None:
    for dtype in ("int8", "uint8", "int16", "int32", "int64", "uint32", "uint64"):
        x = generator().uniform([4000], 3, 10, dtype)
        assert x.dtype == dtype
        assert np.bincount(x.numpy().astype(int)).tolist()[:3] == [0, 0, 0]
        assert np.bincount(x.numpy().astype(int))[3:].min() > 480
        full = generator().uniform_full_int([4000], dtype).numpy()
        info = np.iinfo(full.dtype)
        span = float(info.max) - float(info.min)
        assert stats.kstest((full.astype(float) - info.min) / span, "uniform").statistic < 0.03
    # Ranges that their own dtype cannot hold the length of.
    for low, high, dtype in (
        (-100, 100, "int8"),
        (-(2**31), 2**31 - 1, "int32"),
        (-(2**63), 2**63 - 1, "int64"),
    ):
        x = generator().uniform([4000], low, high, dtype).numpy().astype(float)
        assert stats.kstest((x - low) / (high - low), "uniform").statistic < 0.03
    assert bits(tf.random.stateless_uniform([3], [1, 2], None, None, tf.int32)) == bits(
        tf.random.stateless_uniform([3], [1, 2], None, None, tf.uint32)
    )


def test_counts() -> None:
    """Poisson and binomial variables, by the chi-squared test."""
    many = 20000
    for law, x in (
        (stats.poisson(3.5), tf.random.stateless_poisson([many], [1, 3], 3.5)),
        (stats.poisson(40), tf.random.poisson([many], 40.0, tf.int64, seed=2)),
        (stats.binom(10, 0.3), tf.random.stateless_binomial([many], [1, 3], 10.0, 0.3)),
        (stats.binom(100, 0.6), generator().binomial([many], 100.0, 0.6, tf.float32)),
    ):
        values = x.numpy().astype(int)
        counts = np.bincount(values, minlength=200)
        expected = law.pmf(np.arange(len(counts))) * many
        common = expected > 10
        seen = np.append(counts[common], counts[~common].sum())
        wanted = np.append(expected[common], expected[~common].sum())
        assert stats.chisquare(seen, wanted, sum_check=False).pvalue > 0.001
    assert tf.random.poisson([2, 3], [1.0, 2.0]).shape == (2, 3, 2)
    assert tf.random.stateless_poisson([3, 2], [1, 2], [1.0, 2.0], tf.float64).dtype == "float64"


def test_categorical() -> None:
    p = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0], [1e-4, 0.3, 0.6999]])
    with np.errstate(divide="ignore"):
        logits = np.log(p).astype(np.float32)
    x = tf.random.stateless_categorical(logits, 40000, [4, 5]).numpy()
    for row, wanted in zip(x, p, strict=True):
        np.testing.assert_allclose(np.bincount(row, minlength=3) / 40000, wanted, atol=0.01)
    rare = np.bincount(x[2], minlength=3)[0]
    assert 0 < rare < 15
    assert tf.random.categorical(logits, 2, tf.int32, seed=1).dtype == "int32"
    with pytest.raises(tf.errors.InvalidArgumentError, match="logits should be a matrix"):
        tf.random.categorical([0.0, 1.0], 2)


def test_gamma_and_its_gradient() -> None:
    for alpha in (0.2, 1.0, 3.0, 50.0, 1100.0):
        y = tf.random.stateless_gamma([10000], [1, 3], alpha, 2.0, "float64")
        assert stats.kstest(y.numpy(), stats.gamma(alpha, scale=0.5).cdf).pvalue > 0.01
        a = tf.constant(np.full(300, alpha))
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.random.stateless_gamma([300], [1, 3], a, dtype="float64")
        slope, x = tape.gradient(y, a).numpy(), y.numpy()
        q, h = special.gammainc(alpha, x), 1e-4 * alpha
        inner = (q > 1e-6) & (q < 1 - 1e-6)
        numeric = special.gammaincinv(alpha + h, q) - special.gammaincinv(alpha - h, q)
        np.testing.assert_allclose(slope[inner], (numeric / (2 * h))[inner], rtol=2e-5)
    for dtype in FLOATS:
        x = tf.random.gamma([2], [0.001, 3.0], [1.0, 2.0], dtype)
        assert x.dtype == dtype and x.shape == (2, 2) and bool(tf.reduce_all(x > 0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="alpha must be positive"):
        tf.random.gamma([2], -1.0)


def test_shuffle() -> None:
    x = tf.constant(np.arange(24).reshape(12, 2))
    tf.random.set_seed(1)
    y = tf.random.shuffle(x)
    assert bits(y) != bits(x) and bits(tf.sort(y, 0)) == bits(x)
    assert {tuple(row) for row in y.numpy()} == {tuple(row) for row in x.numpy()}
    a = tf.random.experimental.stateless_shuffle(x, seed=[1, 2])
    assert bits(a) == bits(tf.random.experimental.stateless_shuffle(x, seed=[1, 2]))


DRAWS: dict[str, Callable[[Any], Any]] = {
    "uniform": lambda g: g.uniform([3, 5]),
    "double": lambda g: g.uniform([7], dtype="float64"),
    "integer": lambda g: g.uniform([2, 2], 0, 9, "int64"),
    "normal": lambda g: g.normal([3, 5]),
    "normal_rows": lambda g: g.normal([3, 5], tf.constant([1.0, 2, 3, 4, 5]), 2.0),
    "normal_double": lambda g: g.normal([], dtype="float64"),
    "half": lambda g: g.normal([5], dtype="float16"),
    "empty": lambda g: g.normal([2, 0]),
    "truncated": lambda g: g.truncated_normal([9]),
    "full": lambda g: g.uniform_full_int([5], "int16"),
    "binomial": lambda g: g.binomial([4], 5.0, 0.5),
    "seeds": lambda g: g.make_seeds(3),
}


@pytest.mark.parametrize("name", DRAWS)
def test_same_bits_in_functions(name: str) -> None:
    """A traced function goes on with the generator's stream at each call."""
    draw = DRAWS[name]
    eager, traced = generator(9), generator(9)
    compiled = tf.function(lambda: draw(traced))
    seen = []
    for _ in range(3):
        x = draw(eager)
        seen.append(bits(x))
        assert seen[-1] == bits(compiled())
    assert bits(eager.state) == bits(traced.state)
    assert len(set(seen)) == 3 or not seen[0]


def test_stateless_functions_are_the_same_compiled() -> None:
    seed = tf.constant([3, 4])
    for f in (
        lambda s: tf.random.stateless_uniform([5], s),
        lambda s: tf.random.stateless_normal([3, 3], s, dtype="float64"),
        lambda s: tf.random.stateless_truncated_normal([4], s),
        lambda s: tf.random.stateless_categorical([[0.0, 1.0]], 30, s),
        lambda s: tf.random.stateless_gamma([4], s, 2.0),
        lambda s: tf.random.stateless_poisson([4], s, 2.0),
        lambda s: tf.random.stateless_binomial([4], s, 9.0, 0.5),
        lambda s: tf.random.stateless_parameterized_truncated_normal([4], s),
        lambda s: tf.random.split(s, 3),
        lambda s: tf.random.fold_in(s, 7),
    ):
        first = f(seed)
        assert bits(first) == bits(f(seed)) == bits(tf.function(f)(seed))
        assert bits(first) != bits(f(tf.constant([3, 5])))
    # The same from any integers, and with a shape that only run time tells.
    assert bits(tf.random.stateless_uniform([5], [3, 4])) == bits(
        tf.random.stateless_uniform([5], tf.constant([3, 4], tf.int64))
    )

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def like(x: Any) -> Any:
        return tf.random.stateless_normal(tf.shape(x), [1, 2])

    for shape in ([2, 3], [4, 1], [0, 3]):
        assert bits(like(tf.zeros(shape))) == bits(tf.random.stateless_normal(shape, [1, 2]))


def test_seeds_of_calls() -> None:
    """A seed of its own gives an eager call a stream of its own, and each traced call one."""
    tf.random.set_seed(3)
    first = [bits(tf.random.uniform([4], seed=1)) for _ in range(2)]
    assert first[0] != first[1]
    tf.random.set_seed(3)
    assert [bits(tf.random.uniform([4], seed=1)) for _ in range(2)] == first
    tf.random.set_seed(4)
    assert bits(tf.random.uniform([4], seed=1)) != first[0]

    @tf.function
    def two() -> Any:
        return tf.random.uniform([4], seed=1), tf.random.uniform([4], seed=1)

    tf.random.set_seed(3)
    for wanted in first:
        a, b = two()
        assert bits(a) == bits(b) == wanted


def test_generators() -> None:
    g = generator(5)
    h = tf.random.Generator.from_state(g.state)
    assert bits(g.normal([3])) == bits(h.normal([3]))
    assert bits(g.normal([3])) != bits(tf.random.Generator.from_state(h.state).normal([2]))
    keyed = tf.random.Generator.from_key_counter(7, [1, 2])
    assert keyed.state.numpy().tolist() == [1, 2, 7] and int(keyed.key) == 7
    assert keyed.algorithm == tf.random.Algorithm.PHILOX.value
    keyed.reset_from_seed(5)
    assert bits(keyed.normal([3])) == bits(generator(5).normal([3]))
    keyed.reset_from_key_counter(7, [1, 2])
    assert keyed.state.numpy().tolist() == [1, 2, 7]
    a, b = generator(5).split(2)
    assert bits(a.uniform([4])) != bits(b.uniform([4]))
    assert bits(tf.random.create_rng_state(1)) == bits(generator(1).state)
    # States of ThreeFry.
    assert tf.random.create_rng_state([12, 34], "threefry").numpy().tolist() == [12, 34]
    other = tf.random.Generator.from_key_counter(7, [1], "threefry")
    assert other.state.numpy().tolist() == [1, 7] and other.algorithm == 2
    assert tf.random.Generator(copy_from=other).algorithm == 2
    other.reset_from_seed(2**70 + 5)
    assert other.state.numpy().tolist() == [5, 64] and int(other.key) == 64
    # Skipping is what drawing does.
    g, h = generator(2), generator(2)
    g.normal([10])
    h.skip(10)
    assert bits(g.state) == bits(h.state)
    mine = generator(8)
    before = tf.random.get_global_generator()
    tf.random.set_global_generator(mine)
    assert tf.random.experimental.get_global_generator() is mine
    tf.random.set_global_generator(before)


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: generator(1.5), TypeError, "a seed must be integers"),
        (lambda: generator(1).skip(4.5), tf.errors.InvalidArgumentError, "delta must be an int"),
        (lambda: tf.random.fold_in([1, 2], 3.5), TypeError, "data must be int32 or int64"),
        (
            lambda: tf.random.fold_in([1, 2], [3, 4]),
            tf.errors.InvalidArgumentError,
            "data must be a scalar",
        ),
        (lambda: tf.random.set_seed("a"), TypeError, "a seed must be an integer"),
        (lambda: tf.random.uniform([2], dtype=tf.int32), ValueError, "Must specify maxval"),
        (lambda: tf.random.uniform([2], 3, 3, tf.int32), Exception, "Need minval < maxval"),
        (lambda: tf.random.uniform([2], dtype="bool"), Exception, "not defined for bool"),
        (lambda: tf.random.normal([2], dtype=tf.int32), Exception, "floats only"),
        (lambda: tf.random.normal([2], [1.0, 2, 3]), Exception, "Incompatible shapes"),
        (lambda: tf.random.normal([-1]), Exception, ">= 0"),
        (lambda: tf.random.normal([2**40, 2**40]), Exception, "overflow"),
        (lambda: tf.random.stateless_normal([2], [1, 2, 3]), Exception, r"shape \[2\]"),
        (lambda: tf.random.stateless_normal([2], [1.0, 2.0]), TypeError, "int32 or int64"),
        (lambda: tf.random.stateless_normal([2], 1), Exception, r"shape \[2\]"),
        (lambda: tf.random.Generator(), ValueError, "must be given"),
        (lambda: tf.random.Generator.from_state([1, 2]), ValueError, "state of 3 integers"),
        (
            lambda: tf.random.Generator.from_seed(1, "threefry").normal([2]),
            tf.errors.UnimplementedError,
            "ThreeFry",
        ),
        (lambda: tf.random.Generator.from_state([1, 2, 3], 2), ValueError, "state of 2 integers"),
        (
            lambda: tf.random.Generator.from_seed(1, "mersenne"),
            ValueError,
            "`alg` got unsupported value",
        ),
        (lambda: tf.random.poisson([2], -1.0), Exception, "lam must be"),
        (lambda: generator().binomial([2], 3.0, 1.5), Exception, "probs must be"),
    ],
)
def test_errors(call: Any, kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def test_single_numbers_by_samplers_of_the_host() -> None:
    """A scalar is the first of a vector."""
    seed = [1, 2]
    for draw in (
        lambda shape: tf.random.stateless_gamma(shape, seed, 2.0),
        lambda shape: tf.random.stateless_poisson(shape, seed, 5.0),
        lambda shape: tf.random.stateless_binomial(shape, seed, 9.0, 0.5),
    ):
        one = draw([])
        assert one.shape == []
        np.testing.assert_array_equal(one, draw([3])[0])
        np.testing.assert_array_equal(one, tf.function(draw)([]))


def test_parameters_whose_shape_says_that_of_the_result() -> None:
    draw = tf.function(
        lambda seed, a: tf.random.stateless_gamma(tf.concat([[5], tf.shape(a)], 0), seed, alpha=a)
    )
    for count in (3, 4):
        alpha = tf.constant([1.0, 2.0, 3.0, 4.0][:count])
        whole = draw([1, 2], alpha)
        assert whole.shape == [5, count] and bool(tf.reduce_all(whole > 0))
