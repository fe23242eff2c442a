"""Pullbacks of zeros and of what is not finite, which no usual test asks for: eager tapes and
functions, of known and unknown sizes, must give the same bits. Signs of zeros tell in which order
and with what cotangents were added up. A function alone may lose one (see tests/fuzz/ways.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import CASES, Case
from tests.fuzz.ways import Difference, same
from tests.sampling import ALL
from tfc import nest
from tfc.ir.core import OpError

SHARE = 53  # one of so many cases is tried, but for that
SEEDS = (-0.0, 1.0, 0.0, -2.0, float("inf"), float("nan"))


def floating(c: Case) -> bool:
    return any(tf.as_dtype(a.dtype).is_floating for a in c.arrays)


FLOATS = [c for c in CASES if floating(c)]
CHOSEN = FLOATS if ALL else FLOATS[7::SHARE]


def pullback(call: Callable[..., Any], seeds: Sequence[float]) -> Callable[..., Any]:
    """The gradients of all results for cotangents that repeat `seeds`."""

    def gradients(*given: Any) -> Any:
        sources = [x for x in given if x.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            found = nest.flatten(call(*given))
        targets = [y for y in found if tf.is_tensor(y) and y.dtype.is_floating]
        upstream = [
            tf.reshape(tf.gather(tf.constant(seeds, y.dtype), tf.range(tf.size(y)) % len(seeds)), s)
            for y, s in zip(targets, map(tf.shape, targets), strict=True)
        ]
        return tape.gradient(targets, sources, upstream) if targets else ()

    return gradients


def arrays(results: Any) -> list[Any]:
    return [None if r is None else np.asarray(r) for r in results]


@pytest.mark.parametrize("c", CHOSEN, ids=lambda c: c.name)
@pytest.mark.parametrize("seeds", [(-0.0,), SEEDS], ids=["zeros", "all"])
def test_pullbacks(c: Case, seeds: Sequence[float]) -> None:
    gradients = pullback(c.call, seeds)
    try:
        eager = arrays(gradients(*map(tf.constant, c.arrays)))
    except (tf.errors.OpError, OpError, LookupError, ValueError, TypeError):
        return  # it has none
    signatures: list[Any] = [None]
    square = c.name.startswith(("svd", "qr"))  # or not: of unknown sizes they have no gradient
    if c.symbolic and not square:
        signatures.append([tf.TensorSpec([None] * a.ndim, a.dtype) for a in c.arrays])
    for signature in signatures:
        traced = tf.function(gradients, input_signature=signature)
        same(arrays(traced(*map(tf.constant, c.arrays))), eager, c.name, zeros=True)


def _for(x: Any) -> Any:
    total = tf.zeros_like(x[0])
    for row in x:
        total = total - row * row
    return total


ROWS: dict[str, Callable[[Any], Any]] = {
    "map_fn": lambda x: tf.map_fn(lambda v: tf.abs(v) - v, x),
    "scan": lambda x: tf.scan(lambda s, v: s - v * v, x),
    "foldr": lambda x: tf.foldr(lambda s, v: s - v * v, x, tf.zeros_like(x[0])),
    "for": _for,
    "unstack": lambda x: tf.stack([v * v for v in tf.unstack(x, 3)]),
    "unstack of columns": lambda x: tf.stack([v * v for v in tf.unstack(x, 2, axis=1)]),
    "some rows": lambda x: tf.stack([v * v for v in tf.unstack(x, 3)[1:]]),
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("seeds", [(-0.0,), SEEDS], ids=["zeros", "all"])
def test_rows_are_put_beside_each_other(name: str, seeds: Sequence[float]) -> None:
    """Cotangents of slices, each of which keeps its sign; second derivatives, too."""
    once = pullback(ROWS[name], seeds)
    twice = pullback(lambda v: once(v)[0], seeds)
    matrices = [[[-0.0, 1.0], [2.0, -0.0], [-3.0, 0.5]], [[1.0, -0.0]]]
    for elements in matrices if name in ("map_fn", "scan", "foldr", "for") else matrices[:1]:
        x = tf.constant(elements)
        for gradients in once, twice:
            free = tf.function(gradients, input_signature=[tf.TensorSpec([None, 2])])
            eager = arrays(gradients(x))
            same(arrays(tf.function(gradients)(x)), eager, name, zeros=True)
            same(arrays(free(x)), eager, name, zeros=True)


def test_signs_that_loops_keep_eager_code_keeps() -> None:
    """The cotangents of slices are not added up, one tensor of the whole size after another."""
    x = tf.constant([[1.0, -1.0], [2.0, 3.0]])
    for name in "map_fn", "for", "unstack":
        kept = np.asarray(pullback(ROWS[name] if name == "for" else _double(name), (-0.0,))(x)[0])
        assert np.signbit(kept).tolist() == np.signbit(_wanted(name)).tolist(), name


def _double(name: str) -> Callable[[Any], Any]:
    if name == "map_fn":
        return lambda x: tf.map_fn(lambda v: v * 2.0, x)
    return lambda x: tf.stack([v * 2.0 for v in tf.unstack(x)])


def _wanted(name: str) -> Any:
    """Of 2 x or of -x^2, where the cotangent is -0.0."""
    return [[0.0, -0.0], [0.0, 0.0]] if name == "for" else [[-0.0, -0.0], [-0.0, -0.0]]


def test_a_function_may_lose_a_sign_but_not_make_one() -> None:
    minus, plus = [np.array([-0.0, 1.0], np.float32)], [np.array([0.0, 1.0], np.float32)]
    same(plus, minus, "", zeros=True)
    for got, wanted, zeros in (plus, minus, False), (minus, plus, True), (minus, plus, False):
        with pytest.raises(Difference):
            same(got, wanted, "", zeros=zeros)
