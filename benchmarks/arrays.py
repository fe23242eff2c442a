"""Work on large arrays, beside what the machine's memory and arithmetic allow.

Operands rotate and the last results are kept alive, so that neither is still in the cache from
the call before. The copy that others are compared with goes through buffers in the same way, all
of which have been written before: fresh pages would be several times slower.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf

from . import limits, peers
from .harness import Contender, row, statement

TURNS = 3  # operands that take turns, and results that are kept
N = 10_000_000
GIGA = 1e-9

Function = Callable[..., Any]


def rotating(name: str, f: Function, operands: Sequence[Any], limit: bool = False) -> Contender:
    """f on one of `operands` after the other."""
    kept: deque[Any] = deque(maxlen=TURNS - 1)
    turn = itertools.cycle(operands).__next__
    value = None if limit else lambda: f(operands[0])
    return statement(
        name,
        "keep(f(turn()))",
        compare=False,
        value=value,
        limit=limit,
        f=f,
        turn=turn,
        keep=kept.append,
    )


def on_large(
    data: Sequence[np.ndarray],
    ours: Function,
    numpy: Function | None = None,
    torch: Callable[[Any], Function] | None = None,
    jax: Callable[[Any], Function] | None = None,
) -> list[Contender]:
    """The same work by every library; `torch` and `jax` get their module."""
    found = [rotating("tfc", ours, [tf.constant(x) for x in data])]
    if numpy:
        found.append(rotating("numpy", numpy, data))
    if torch and (module := peers.torch()):
        found.append(rotating("torch", torch(module), [module.tensor(x) for x in data]))
    if jax and (module := peers.jax()):
        device = [module.device_put(x) for x in data]
        f = module.jit(jax(module))
        found.append(rotating("jax jit", lambda x: f(x).block_until_ready(), device))
    return found


def normal(*shape: int, count: int = TURNS) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(shape, dtype=np.float32) for _ in range(count)]


def copying(data: Sequence[np.ndarray]) -> Contender:
    pairs = [(np.ones_like(x), x) for x in data]
    return rotating("copy", lambda pair: np.copyto(*pair), pairs, limit=True)


def reading(data: Sequence[np.ndarray]) -> Contender:
    """BLAS's dot of a vector with itself loads each element once."""
    flat = [x.reshape(-1) for x in data]
    return rotating("read", lambda x: np.dot(x, x), flat, limit=True)


# Elementwise.


@row("x * 2 + 1, 10M", work=8 * N * GIGA, unit="GB/s", goals={"copy": 1 / 0.9})
def cheap() -> list[Contender]:
    def f(x: Any) -> Any:
        return x * 2.0 + 1.0

    data = normal(N)
    found = on_large(data, tf.function(f), f, lambda torch: f, lambda jax: f)
    return [*found, copying(data)]


@row("x * 2 + 1, 10M in chunks of 20K", work=8 * N * GIGA, unit="GB/s", goals={"copy": 1 / 0.9})
def cheap_in_cache() -> list[Contender]:
    """The same amount of work within the second-level cache."""
    size = 20_000

    def f(x: Any) -> Any:
        return x * 2.0 + 1.0

    def often(f: Function) -> Function:
        def run(x: Any) -> Any:
            for _ in range(N // size - 1):
                f(x)
            return f(x)

        return run

    data = normal(size)
    compiled = tf.function(f)
    found = on_large(data, often(compiled), often(f), lambda torch: often(f))
    pair = np.ones_like(data[0]), data[0]
    copy = rotating("copy", often(lambda pair: np.copyto(*pair)), [pair], limit=True)
    return [*found, copy]


@row(
    "tanh(x * w + b) * sigmoid(x), 10M",
    work=8 * N * GIGA,
    unit="GB/s",
    goals={"jax jit": 1.0, "torch": 1.0},
    rtol=1e-5,
)
def gated() -> list[Contender]:
    def numpy(x: Any) -> Any:
        return np.tanh(x * np.float32(1.5) + np.float32(0.5)) * (1 / (1 + np.exp(-x)))

    data = normal(N)
    found = on_large(
        data,
        tf.function(lambda x: tf.tanh(x * 1.5 + 0.5) * tf.sigmoid(x)),
        numpy,
        lambda torch: lambda x: torch.tanh(x * 1.5 + 0.5) * torch.sigmoid(x),
        lambda jax: lambda x: jax.numpy.tanh(x * 1.5 + 0.5) * jax.nn.sigmoid(x),
    )
    return [*found, copying(data)]


# Reductions.


def sums(axis: int | None) -> list[Contender]:
    data = normal(4096, 4096)
    found = on_large(
        data,
        lambda x: tf.reduce_sum(x, axis),
        lambda x: np.sum(x, axis=axis),
        lambda torch: lambda x: torch.sum(x) if axis is None else torch.sum(x, dim=axis),
        lambda jax: lambda x: jax.numpy.sum(x, axis=axis),
    )
    return [*found, reading(data)]


READ = 4 * 4096**2 * GIGA
SUM_GOALS = {"read": 1 / 0.9, "torch": 1.0, "jax jit": 1.0}


@row("sum of 4096 x 4096, all", work=READ, unit="GB/s", goals=SUM_GOALS, rtol=1e-3)
def sum_all() -> list[Contender]:
    return sums(None)


@row("sum of 4096 x 4096, last axis", work=READ, unit="GB/s", goals=SUM_GOALS, rtol=1e-4)
def sum_last() -> list[Contender]:
    return sums(1)


@row("sum of 4096 x 4096, first axis", work=READ, unit="GB/s", goals=SUM_GOALS, rtol=1e-4)
def sum_first() -> list[Contender]:
    return sums(0)


@row(
    "softmax of the rows of 4096 x 1024",
    work=8 * 4096 * 1024 * GIGA,
    unit="GB/s",
    goals={"copy": 1 / 0.9, "torch": 1.0, "jax jit": 1.0},
)
def softmax() -> list[Contender]:
    def numpy(x: Any) -> Any:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    data = normal(4096, 1024, count=2 * TURNS)
    found = on_large(
        data,
        tf.nn.softmax,
        numpy,
        lambda torch: lambda x: torch.softmax(x, dim=1),
        lambda jax: lambda x: jax.nn.softmax(x, axis=1),
    )
    return [*found, copying(data)]


# Products.


def add_matmul(n: int) -> None:
    goals = {"numpy": 1.0, "torch": 1.0, "jax jit": 1.0}
    if n >= 256:
        goals["fma"] = 1 / 0.85

    @row(f"matmul {n} x {n}", work=2 * n**3 * GIGA, unit="GFLOP/s", goals=goals, rtol=1e-4)
    def matmul() -> list[Contender]:
        a, b = normal(n, n, count=2)
        names: dict[str, Any] = {"a": tf.constant(a), "b": tf.constant(b)}
        found = [
            statement("tfc", "f(a, b)", f=tf.matmul, **names),
            statement("numpy", "a @ b", a=a, b=b),
        ]
        if torch := peers.torch():
            found.append(statement("torch", "a @ b", a=torch.tensor(a), b=torch.tensor(b)))
        if jax := peers.jax():
            f = jax.jit(jax.numpy.matmul)
            device = {"a": jax.device_put(a), "b": jax.device_put(b)}
            found.append(statement("jax jit", "f(a, b).block_until_ready()", f=f, **device))
        return [*found, limits.fma(2 * n**3)]


for _n in (64, 128, 256, 512, 1024):
    add_matmul(_n)
