"""Loops whose length data decide: what a round costs."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from . import peers
from .harness import Contender, row, statement

ROUNDS = 1_000_000
LARGEST = 100_000  # of the numbers that Collatz sequences start from


def _flat(result: Any) -> np.ndarray:
    parts = result if isinstance(result, tuple | list) else [result]
    return np.concatenate([np.asarray(p).ravel() for p in parts])


def contenders(
    make: dict[str, Callable[[], Callable[..., Any]]], *arguments: Any
) -> list[Contender]:
    """What is installed of these; each is called on the arguments, and waited for."""
    found = []
    for name, maker in make.items():
        library = name.split()[0]
        if library != "tfc" and not getattr(peers, library)():
            continue
        f = maker()
        given = [tf.constant(a) for a in arguments] if library == "tfc" else list(arguments)
        if library == "jax":
            given = [peers.jax().device_put(a) for a in arguments]
        wait = "for x in (result if isinstance(result, (tuple, list)) else [result]): "
        wait += "getattr(x, 'block_until_ready', int)()"

        def value(f: Any = f, given: Any = given) -> Any:
            return _flat(f(*given))

        found.append(statement(name, "f(*given)", wait=wait, value=value, f=f, given=given))
    return found


def numba_jit(f: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = peers.numba().njit(f)
    return compiled


def xla(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same source as TensorFlow's, compiled by XLA; its own executor needs microseconds for
    each op of a round."""
    tensorflow = peers.tensorflow()
    other = types.FunctionType(f.__code__, {**f.__globals__, "tf": tensorflow}, f.__name__)
    compiled: Callable[..., Any] = tensorflow.function(other, jit_compile=True)
    return compiled


# A round.


def count(n: Any) -> Any:
    i, total = 0, 0
    while i < n:
        total = total ^ (i + total)
        i += 1
    return total


def jax_count() -> Callable[..., Any]:
    lax = peers.jax().lax

    def body(state: Any) -> Any:
        i, total = state
        return i + 1, total ^ (i + total)

    def run(n: Any) -> Any:
        return lax.while_loop(lambda s: s[0] < n, body, (0 * n, 0 * n))[1]

    compiled: Callable[..., Any] = peers.jax().jit(run)
    return compiled


@row("a million rounds of a loop", work=ROUNDS, unit="rounds/s", at_most=10e-9 * ROUNDS)
def rounds() -> list[Contender]:
    make = {"tfc": lambda: tf.function(count), "jax": jax_count}
    make["numba"] = lambda: numba_jit(count)
    make["tensorflow xla"] = lambda: xla(count)
    return contenders(make, np.int32(ROUNDS))


# Collatz.


def collatz(limit: Any) -> Any:
    best = 0
    for start in tf.range(1, limit):
        n = tf.cast(start, tf.int64)
        steps = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        best = tf.maximum(best, steps)
    return best


def numba_collatz(limit: Any) -> Any:
    best = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        best = max(best, steps)
    return best


def jax_collatz() -> Callable[..., Any]:
    jax = peers.jax()
    where, lax = jax.numpy.where, jax.lax

    def steps(n: Any) -> Any:
        def body(state: Any) -> Any:
            n, count = state
            return where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

        return lax.while_loop(lambda s: s[0] > 1, body, (n, 0))[1]

    def run(limit: Any) -> Any:
        def body(i: Any, best: Any) -> Any:
            return jax.numpy.maximum(best, steps(i.astype("uint32")))

        return lax.fori_loop(1, limit, body, 0)

    compiled: Callable[..., Any] = jax.jit(run)
    return compiled


@row(f"Collatz from 1 to {LARGEST:,}", work=10_853_712, unit="rounds/s")
def sequences() -> list[Contender]:
    make = {"tfc": lambda: tf.function(collatz), "jax": jax_collatz}
    make["numba"] = lambda: numba_jit(numba_collatz)
    make["tensorflow xla"] = lambda: xla(collatz)
    return contenders(make, np.int32(LARGEST))


# Newton's method, as often as each number wants.


def newton(numbers: Any) -> Any:
    def root(a: Any) -> Any:
        x = a
        while tf.abs(x * x * x - a) > 1e-12 * a:
            x = x - (x * x * x - a) / (3.0 * x * x)
        return x

    return tf.map_fn(root, numbers)


def numba_newton(numbers: Any) -> Any:
    roots = np.empty_like(numbers)
    for i in range(len(numbers)):
        a = numbers[i]
        x = a
        while abs(x * x * x - a) > 1e-12 * a:
            x = x - (x * x * x - a) / (3.0 * x * x)
        roots[i] = x
    return roots


def jax_newton() -> Callable[..., Any]:
    jax = peers.jax()

    def root(a: Any) -> Any:
        return jax.lax.while_loop(
            lambda x: abs(x * x * x - a) > 1e-12 * a,
            lambda x: x - (x * x * x - a) / (3.0 * x * x),
            a,
        )

    compiled: Callable[..., Any] = jax.jit(lambda numbers: jax.lax.map(root, numbers))
    return compiled


@row("Newton, 10,000 cube roots (float64)", work=10_000, unit="roots/s")
def roots() -> list[Contender]:
    make = {"tfc": lambda: tf.function(newton)}
    make["numba"] = lambda: numba_jit(numba_newton)
    make["tensorflow xla"] = lambda: xla(newton)
    return contenders(make, np.linspace(1.0, 1000.0, 10_000))
