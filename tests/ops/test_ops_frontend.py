"""Every public function: against NumPy, eager and compiled with equal bits, and its gradient
against finite differences. `test_every_public_function_has_a_case` fails for one without a row.

Eager calls are a test each. What is compiled goes a few cases at a time into one function, which
costs half of what a function for each does."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import special

import tfc as tf
from tests.cases import CASES, ELSEWHERE, NAMESPACES, Case, find
from tests.cases.case import between
from tests.sampling import ALL, REPEATS
from tfc import nest

TOGETHER = 1 if ALL else 10  # cases that are compiled as one function


class Numbered(NamedTuple):
    """A case and its number among those of its function."""

    case: Case
    number: int

    @property
    def label(self) -> str:
        return f"{self.case.name}-{self.number + 1}"


def numbered(cases: Iterable[Case]) -> list[Numbered]:
    counts: Counter[str] = Counter()
    found = []
    for c in cases:
        found.append(Numbered(c, counts[c.name]))
        counts[c.name] += 1
    return found


def each(cases: Iterable[Numbered]) -> Any:
    """A test of each case."""
    return pytest.mark.parametrize("c", [pytest.param(n.case, id=n.label) for n in cases])


def some(cases: Sequence[Numbered]) -> Any:
    """A test of some cases at a time."""
    groups = [cases[i : i + TOGETHER] for i in range(0, len(cases), TOGETHER)]
    ids = [f"{group[0].label}..{group[-1].label}" for group in groups]
    return pytest.mark.parametrize("group", groups, ids=ids)


def test_every_public_function_has_a_case() -> None:
    public = {
        name
        for module in NAMESPACES
        for name in module.__all__
        if callable(getattr(module, name)) and not inspect.ismodule(getattr(module, name))
    }
    assert public - {c.name for c in CASES} - ELSEWHERE == set()
    for name in public - ELSEWHERE:
        assert find(name).__doc__, f"{name} has no docstring"


def tensors_of(arrays: Sequence[np.ndarray]) -> list[Any]:
    return [tf.constant(a) for a in arrays]


def arrays_of(result: Any) -> list[np.ndarray]:
    assert all(isinstance(r, tf.Tensor) for r in nest.flatten(result))
    return [np.asarray(r) for r in nest.flatten(result)]


def bits_of(result: Any) -> list[Any]:
    return [(a.dtype, a.shape, a.tobytes()) for a in arrays_of(result)]


def compiled(
    calls: Sequence[Callable[..., Any]], operands: Sequence[Sequence[Any]], unknown: bool = False
) -> list[Any]:
    """What each call gives for its operands, all in one function, of known or unknown sizes."""
    ends = list(accumulate(map(len, operands), initial=0))
    places = list(pairwise(ends))

    def together(*tensors: Any) -> list[Any]:
        return [f(*tensors[i:j]) for f, (i, j) in zip(calls, places, strict=True)]

    flat = [t for tensors in operands for t in tensors]
    specs = [tf.TensorSpec([None] * t.ndim, t.dtype) for t in flat] if unknown else None
    return list(tf.function(together, input_signature=specs)(*flat)) if calls else []


NUMBERED = numbered(CASES)


@each(NUMBERED)
def test_against_numpy(c: Case) -> None:
    eager = arrays_of(c.call(*tensors_of(c.arrays)))
    with np.errstate(all="ignore"):
        wanted = c.reference(*c.arrays)
    wanted = [np.asarray(w) for w in (wanted if isinstance(wanted, list) else [wanted])]
    assert len(eager) == len(wanted)
    for got, want in zip(eager, wanted, strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if c.rtol:
            scale = np.max(np.abs(want), initial=0)
            np.testing.assert_allclose(got, want, rtol=c.rtol, atol=c.rtol * scale)
        else:
            np.testing.assert_array_equal(got, want)


HERE = f"tests/{Path(__file__).parent.name}/{Path(__file__).name}"


def compiled_alone(n: Numbered) -> str:
    """What its test is called where all cases are compiled one by one."""
    return f"{HERE}::test_compiled_as_eagerly[{n.label}..{n.label}]"


@some(numbered(n.case for n in NUMBERED if ALL or compiled_alone(n) not in REPEATS))
def test_compiled_as_eagerly(group: Sequence[Numbered]) -> None:
    """The first case of a function is compiled for its sizes and for unknown ones; those after it,
    which differ in arguments of the same Python code, take turns."""
    static, unknown = [], []
    for n in group:
        has_symbols = n.case.symbolic and any(a.ndim for a in n.case.arrays)
        if ALL or n.number % 2 == 0 or not has_symbols:
            static.append(n)
        if has_symbols and (ALL or n.number == 0 or n.number % 2 == 1):
            unknown.append(n)
    for chosen in (static, unknown):
        calls = [n.case.call for n in chosen]
        operands = [tensors_of(n.case.arrays) for n in chosen]
        found = compiled(calls, operands, chosen is unknown)
        for n, given, result in zip(chosen, operands, found, strict=True):
            assert bits_of(n.case.call(*given)) == bits_of(result), (n.label, chosen is unknown)


SMOOTH = numbered(c for c in CASES if c.smooth)
TURNS = {name: i for i, name in enumerate(dict.fromkeys(n.case.name for n in SMOOTH))}


def weighed(c: Case) -> Callable[..., Any]:
    """The sum of the results by random weights, so that no symmetry hides an error."""
    outputs = arrays_of(c.call(*tensors_of(c.arrays)))
    generator = np.random.default_rng(1)
    weights = [generator.normal(size=o.shape) for o in outputs]

    def total(*operands: Any) -> Any:
        results = nest.flatten(c.call(*operands))
        return tf.add_n(
            [tf.reduce_sum(r * tf.constant(w)) for r, w in zip(results, weights, strict=True)]
        )

    return total


def gradient_of(c: Case, total: Callable[..., Any]) -> Callable[..., Any]:
    def gradient(*operands: Any) -> Any:
        sources = [operands[i] for i in c.smooth]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = total(*operands)
        return tape.gradient(y, sources)

    return gradient


@each(SMOOTH)
def test_gradient(c: Case) -> None:
    total = weighed(c)
    eager = gradient_of(c, total)(*tensors_of(c.arrays))
    assert all(g is not None for g in eager)
    for i, g in zip(c.smooth, eager, strict=True):
        # Along two random directions: x + s * d for small s.
        for seed in (2, 3):
            d = np.random.default_rng(seed).normal(size=c.arrays[i].shape)
            step = 1e-6
            ends = []
            for s in (step, -step):
                moved = list(c.arrays)
                moved[i] = moved[i] + s * d
                ends.append(float(total(*tensors_of(moved))))
            slope = (ends[0] - ends[1]) / (2 * step)
            got = float(np.sum(np.asarray(g) * d))
            assert math.isclose(got, slope, rel_tol=1e-5, abs_tol=1e-6), (i, got, slope)


@some([n for n in SMOOTH if ALL or (n.number + TURNS[n.case.name]) % 2 == 0])
def test_gradients_in_functions(group: Sequence[Numbered]) -> None:
    """They have the bits of the eager tape: every other case is compiled for that, from the first
    or the second one of a function on. (Every op's pullback is compiled, in more ways, in
    tests/ir.)"""
    gradients = [gradient_of(n.case, weighed(n.case)) for n in group]
    operands = [tensors_of(n.case.arrays) for n in group]
    found = compiled(gradients, operands)
    for n, gradient, given, result in zip(group, gradients, operands, found, strict=True):
        assert bits_of(gradient(*given)) == bits_of(result), n.label


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_low_precision_results_keep_their_dtype(dtype: str) -> None:
    """Within an ulp or so of float64, rounded once."""
    kind = tf.as_dtype(dtype)
    x = between(0.3, 0.9, 40).astype(kind.numpy)
    wide = x.astype(np.float64)
    epsilon = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-23}[dtype]
    for name, f in {
        "exp": np.exp,
        "log": np.log,
        "tanh": np.tanh,
        "sqrt": np.sqrt,
        "sin": np.sin,
        "sigmoid": special.expit,
        "erf": special.erf,
        "asin": np.arcsin,
    }.items():
        got = find(name)(tf.constant(x))
        assert got.dtype is kind
        np.testing.assert_allclose(got.numpy().astype(np.float64), f(wide), rtol=1.1 * epsilon)
    total = tf.reduce_sum(tf.constant(x))
    assert total.dtype is kind
    assert float(total) == pytest.approx(wide.sum(), rel=epsilon)


def test_steps_have_no_gradient() -> None:
    for f in (tf.floor, tf.math.ceil, tf.round, tf.math.is_nan, tf.argmax):
        x = tf.constant([1.25, 2.75])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cast(f(x), tf.float32)
        assert tape.gradient(y, x) is None


# Random numbers.


def test_uniform() -> None:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = tf.random.uniform([4000], -2, 3, dtype).numpy().astype(np.float64)
        assert -2 <= x.min() < -1.9 and 2.9 < x.max() <= 3
        assert abs(x.mean() - 0.5) < 0.1 and abs(x.var() - 25 / 12) < 0.2
    n = tf.random.uniform([4000], -3, 4, tf.int32).numpy()
    assert sorted(set(n.tolist())) == list(range(-3, 4))
    assert np.bincount(n + 3).min() > 450
    assert tf.random.uniform([2, 0]).shape == (2, 0)


def test_normal() -> None:
    for dtype in ("float16", "float32", "float64"):
        x = tf.random.normal([4000], 1.0, 2.0, dtype).numpy().astype(np.float64)
        assert abs(x.mean() - 1) < 0.15 and abs(x.std() - 2) < 0.1
        assert np.isfinite(x).all() and np.abs(x - 1).max() > 5


def test_generators() -> None:
    def bits(x: Any) -> bytes:
        return np.asarray(x).tobytes()

    a, b = tf.random.Generator.from_seed(5), tf.random.Generator.from_seed(5)
    first = bits(a.uniform([8]))
    assert first == bits(b.uniform([8])) != bits(a.uniform([8]))
    a.reset_from_seed(5)
    assert bits(a.uniform([8])) == first
    assert bits(tf.random.Generator.from_seed(6).uniform([8])) != first
    other = tf.random.Generator.from_non_deterministic_state()
    assert bits(other.normal([8])) != bits(
        tf.random.Generator.from_non_deterministic_state().normal([8])
    )
    assert tf.random.get_global_generator() is tf.random.get_global_generator()
    # A longer draw begins with the shorter one: element i is a function of i.
    c, d = tf.random.Generator.from_seed(5), tf.random.Generator.from_seed(5)
    assert bits(c.uniform([100]))[: len(first)] == first == bits(d.uniform([8]))


# Special cases that TensorFlow documents.


def test_documented_edges() -> None:
    big = tf.constant([1000.0, -1000.0])
    np.testing.assert_array_equal(tf.nn.softmax(big), [1, 0])
    np.testing.assert_array_equal(tf.nn.log_softmax(big), [0, -2000])
    np.testing.assert_array_equal(tf.nn.softplus(big), [1000, 0])
    np.testing.assert_array_equal(tf.sigmoid(big), [1, 0])
    assert float(tf.reduce_logsumexp(big)) == 1000
    assert float(tf.reduce_logsumexp(tf.constant([-np.inf, -np.inf], tf.float32))) == -np.inf
    assert tf.one_hot([-1, 5], 3).numpy().tolist() == [[0] * 3] * 2
    rows = {"on_value": True, "off_value": False}, {"on_value": 5}, {"off_value": -1}
    assert [tf.one_hot([0], 2, **row).numpy().tolist() for row in rows] == [
        *([[True, False]], [[5, 0]], [[1, -1]])
    ]
    assert [tf.one_hot([0], 2, **row).dtype for row in rows] == [tf.bool, tf.int32, tf.int32]
    long = tf.one_hot([0], 2, tf.constant(2, tf.int64), 0)
    assert (long.dtype, long.numpy().tolist()) == (tf.int64, [[2, 0]])
    assert tf.one_hot([0], 2, 5, 0, dtype=tf.float16).dtype == tf.float16
    with pytest.raises(TypeError, match="'int32'> of on_value does not match dtype <"):
        tf.one_hot([0], 2, 1, 0.5)
    assert np.isnan(tf.reduce_mean(tf.zeros([0]))) and float(tf.reduce_sum(tf.zeros([0]))) == 0
    assert float(tf.reduce_prod(tf.zeros([0]))) == 1
    assert float(tf.reduce_max(tf.zeros([0]))) == -np.inf
    assert tf.round(tf.constant([0.5, 1.5, 2.5, -0.5])).numpy().tolist() == [0, 2, 2, 0]
    assert np.isnan(tf.maximum(tf.constant(np.nan, tf.float32), 1.0))
    assert tf.cast([1.8, -2.2, 3e9, np.nan], tf.int32).numpy().tolist() == [1, -2, 2**31 - 1, 0]
    assert tf.argmax([3.0, 7.0, 7.0]).numpy() == 1
    assert tf.sign(tf.constant([-3.0, 0.0, 5.0])).numpy().tolist() == [-1, 0, 1]
    assert tf.math.floordiv(-7, 2).numpy() == -4 and tf.math.floormod(-7, 3).numpy() == 2


@pytest.mark.parametrize("dtype", [tf.int32, tf.float16, tf.float32, tf.float64, tf.complex64])
def test_squares_and_cubes_are_products(dtype):
    x = tf.cast(tf.constant([0.1, -1.7, 3.0, 11.3]), dtype)
    for exponent, wanted in ((2, x * x), (3, x * x * x), (2.0, x * x), (3.0, x * x * x)):
        if dtype is tf.int32 and isinstance(exponent, float):
            with pytest.raises(TypeError):
                x**exponent
            continue
        compiled = tf.function(lambda v, e=exponent: v**e)
        for found in (x**exponent, tf.pow(x, exponent), tf.Variable(x) ** exponent, compiled(x)):
            assert found.dtype is dtype
            assert found.numpy().tobytes() == wanted.numpy().tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_how_many_numbers_a_range_has(dtype: str) -> None:
    """ceil((limit - start) / delta), each step rounded to the dtype; while tracing, too."""
    kind = tf.as_dtype(dtype)
    rng = np.random.default_rng(0)
    traced = tf.function(lambda start, limit, delta: tf.range(start, limit, delta))
    cases = [(0.1, 1.1, 0.1), (1.1, 0.1, -0.1), (0.1, 1.1, -0.1), (0.0, 0.0, 0.5)]
    for _ in range(25 if ALL else 8):  # each length is another program
        start, delta = round(rng.uniform(-3, 3), 1), round(rng.uniform(0.05, 1), 2)
        cases.append((start, round(start + int(rng.integers(1, 30)) * delta, 2), delta))
    for case in cases:
        start, limit, delta = (np.asarray(v).astype(kind.numpy) for v in case)
        count = max(0, int(np.ceil((limit - start) / delta)))
        given = [tf.constant(v, kind) for v in case]
        found = tf.range(*case, dtype=kind)
        assert found.shape == [count], case
        for other in (tf.range(*given), traced(*given)):
            np.testing.assert_array_equal(other, found)
    if dtype == "float32":
        assert tf.range(0.1, 1.1, 0.1).shape == [10]  # 11 in float64
        with pytest.raises(tf.errors.InvalidArgumentError, match="too large"):
            tf.range(0.0, 3e38, 1e-10)


def test_axes_may_be_a_range() -> None:
    x = tf.ones([1, 2, 3])
    assert (
        tf.reduce_mean(x, range(1, 3)).shape == (1,) and tf.reduce_sum(x, range(0)).shape == x.shape
    )
    assert tf.squeeze(x, range(1)).shape == (2, 3) and tf.reverse(x, range(3)).shape == x.shape
    assert (
        tf.nn.moments(x, range(2))[0].shape == (3,)
        and tf.roll(x, [1, 1], range(2)).shape == x.shape
    )
