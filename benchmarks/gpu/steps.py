"""Steps of training, and what calls cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import tfc as tf

from ..harness import Contender, row, statement
from .contenders import allow_tensor_float_32, device, jax, normal, rng, scaled, torch, wait


def mlp(sizes: Sequence[int], batch: int) -> Iterator[Contender]:
    """A step of gradient descent, of which the loss is compared."""
    start = [normal(a, b) / np.float32(math.sqrt(a)) for a, b in itertools.pairwise(sizes)]
    x, y = normal(batch, sizes[0]), rng.integers(0, sizes[-1], batch)
    with tf.device("/gpu:0"):
        weights = [tf.Variable(w) for w in start]
        images, labels = tf.constant(x), tf.constant(y)

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            for w in weights[:-1]:
                x = tf.nn.relu(x @ w)
            logits = x @ weights[-1]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            loss = tf.reduce_mean(losses)
        for w, g in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.01 * g)
        return loss

    yield statement(
        "tfc",
        "f(x, y)",
        wait="sync()",
        compare=False,
        f=step,
        x=images,
        y=labels,
        sync=wait,
    )
    if (t := torch()) is not None:
        own = [t.tensor(w, device="cuda", requires_grad=True) for w in start]
        a, b = t.tensor(x, device="cuda"), t.tensor(y, device="cuda")

        def torch_step(x: Any, y: Any) -> Any:
            for w in own[:-1]:
                x = t.relu(x @ w)
            loss = t.nn.functional.cross_entropy(x @ own[-1], y)
            for w, g in zip(own, t.autograd.grad(loss, own), strict=True):
                with t.no_grad():
                    w.sub_(g, alpha=0.01)
            return loss.detach()

        yield statement(
            "torch",
            "f(x, y)",
            wait="sync()",
            compare=False,
            f=torch_step,
            x=a,
            y=b,
            sync=t.cuda.synchronize,
        )
    if (j := jax()) is not None:

        def loss(weights: Any, x: Any, y: Any) -> Any:
            for w in weights[:-1]:
                x = j.nn.relu(x @ w)
            chosen = j.nn.log_softmax(x @ weights[-1])
            return -j.numpy.take_along_axis(chosen, y[:, None], 1).mean()

        @j.jit
        def jax_step(weights: Any, x: Any, y: Any) -> Any:
            value, gradients = j.value_and_grad(loss)(weights, x, y)
            return [w - 0.01 * g for w, g in zip(weights, gradients, strict=True)], value

        state = [[j.device_put(w) for w in start]]

        def run(x: Any, y: Any) -> Any:
            state[0], value = jax_step(state[0], x, y)
            return value

        yield statement(
            "jax jit",
            "f(x, y)",
            wait="result.block_until_ready()",
            compare=False,
            f=run,
            x=j.device_put(x),
            y=j.device_put(y.astype(np.int32)),
        )


@row("MLP step, 64-64-10, batch 64")
def small_step() -> list[Contender]:
    allow_tensor_float_32(False)
    return list(mlp((64, 64, 10), 64))


@row("MLP step, 1024-4096-4096-10, batch 512")
def large_step() -> list[Contender]:
    allow_tensor_float_32(True)
    wide = scaled(4096, 16)
    return list(mlp((scaled(1024, 16), wide, wide, 10), scaled(512, 8)))


@row("40 small kernels in a function")
def calls() -> list[Contender]:
    """What a graph saves."""

    def chain(x: Any) -> Any:
        for _ in range(20):
            x = tf.cumsum(tf.reverse(x, [0])) * 0.5
        return x

    x = tf.constant(normal(scaled(1024, 16))).gpu()
    f = tf.function(chain)
    driver = device().driver
    could = driver.captures

    def sampler(captures: bool) -> Callable[[int], float]:
        inner = statement("", "f(x)", wait="sync()", compare=False, f=f, x=x, sync=wait)

        def sample(count: int) -> float:
            driver.captures = could and captures
            try:
                return inner.sample(count)
            finally:
                driver.captures = could

        return sample

    return [Contender("tfc", sampler(True)), Contender("tfc, launches", sampler(False))]


@row("eager add of 1024 numbers")
def eager() -> list[Contender]:
    data = [normal(1024), normal(1024)]
    x = [tf.constant(a).gpu() for a in data]
    found = [statement("tfc", "x + y", wait="sync()", x=x[0], y=x[1], compare=False, sync=wait)]
    if (t := torch()) is not None:
        y = [t.tensor(a, device="cuda") for a in data]
        found.append(
            statement(
                "torch",
                "x + y",
                wait="sync()",
                x=y[0],
                y=y[1],
                compare=False,
                sync=t.cuda.synchronize,
            )
        )
    return found
