"""Steps of training of networks: the same loss and the same updates by every library."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import tfc as tf

from ..harness import Contender, row, statement
from .contenders import allow_tensor_float_32, jax, normal, rng, scaled, torch, wait

RATE = 0.01
Arrays = Sequence[np.ndarray]
Logits = Callable[[Sequence[Any], Any], Any]  # of weights and images


def training(
    start: Arrays, x: np.ndarray, y: np.ndarray, ours: Logits, torchs: Logits, jaxs: Logits
) -> Iterator[Contender]:
    """Steps of gradient descent on a cross entropy, beside PyTorch eager and compiled, and JAX."""
    with tf.device("/gpu:0"):
        weights = [tf.Variable(w) for w in start]
        images, labels = tf.constant(x), tf.constant(y)

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = ours(weights, x)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            loss = tf.reduce_mean(losses)
        for w, g in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(RATE * g)
        return loss

    given = {"wait": "sync()", "compare": False}
    yield statement("tfc", "f(x, y)", f=step, x=images, y=labels, sync=wait, **given)
    yield from _torch(start, x, y, torchs, given)
    yield from _jax(start, x, y, jaxs)


def _torch(
    start: Arrays, x: np.ndarray, y: np.ndarray, logits: Logits, given: dict[str, Any]
) -> Iterator[Contender]:
    if (t := torch()) is None:
        return

    def loss_of(weights: Sequence[Any], x: Any, y: Any) -> Any:
        return t.nn.functional.cross_entropy(logits(weights, x), y)

    a, b = t.tensor(x, device="cuda"), t.tensor(y, device="cuda")
    for name, forward in (("torch", loss_of), ("torch.compile", t.compile(loss_of))):
        own = [t.tensor(w, device="cuda", requires_grad=True) for w in start]

        def step(x: Any, y: Any, own: Any = own, forward: Any = forward) -> Any:
            loss = forward(own, x, y)
            gradients = t.autograd.grad(loss, own)
            with t.no_grad():
                for w, g in zip(own, gradients, strict=True):
                    w.sub_(g, alpha=RATE)
            return loss.detach()

        yield statement(name, "f(x, y)", f=step, x=a, y=b, sync=t.cuda.synchronize, **given)


def _jax(start: Arrays, x: np.ndarray, y: np.ndarray, logits: Logits) -> Iterator[Contender]:
    if (j := jax()) is None:
        return

    def loss(weights: Any, x: Any, y: Any) -> Any:
        chosen = j.nn.log_softmax(logits(weights, x))
        return -j.numpy.take_along_axis(chosen, y[:, None], 1).mean()

    @j.jit
    def jax_step(weights: Any, x: Any, y: Any) -> Any:
        value, gradients = j.value_and_grad(loss)(weights, x, y)
        return [w - RATE * g for w, g in zip(weights, gradients, strict=True)], value

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


def perceptron(sizes: Sequence[int], batch: int) -> list[Contender]:
    start = [normal(a, b) / np.float32(math.sqrt(a)) for a, b in itertools.pairwise(sizes)]

    def layers(relu: Callable[[Any], Any]) -> Logits:
        def logits(weights: Sequence[Any], x: Any) -> Any:
            for w in weights[:-1]:
                x = relu(x @ w)
            return x @ weights[-1]

        return logits

    x, y = normal(batch, sizes[0]), rng.integers(0, sizes[-1], batch)
    return list(
        training(
            start,
            x,
            y,
            layers(tf.nn.relu),
            layers(lambda x: torch().relu(x)),
            layers(lambda x: jax().nn.relu(x)),
        )
    )


def convolutional(side: int, channels: Sequence[int], batch: int) -> list[Contender]:
    """Convolutions 3x3, each with a relu and a pool of 2x2, then a matrix product."""
    start = [
        normal(3, 3, a, b) / np.float32(3 * math.sqrt(a)) for a, b in itertools.pairwise(channels)
    ]
    flat = (side >> len(start)) ** 2 * channels[-1]
    start.append(normal(flat, 10) / np.float32(math.sqrt(flat)))

    def ours(weights: Sequence[Any], x: Any) -> Any:
        for w in weights[:-1]:
            x = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")), 2, 2, "VALID")
        return tf.reshape(x, [batch, flat]) @ weights[-1]

    def torchs(weights: Sequence[Any], x: Any) -> Any:
        f = torch().nn.functional
        x = x.permute(0, 3, 1, 2)  # channels last in memory, as cuDNN likes them
        for w in weights[:-1]:
            x = f.max_pool2d(f.relu(f.conv2d(x, w.permute(3, 2, 0, 1), padding=1)), 2)
        return x.permute(0, 2, 3, 1).reshape(batch, flat) @ weights[-1]

    def jaxs(weights: Sequence[Any], x: Any) -> Any:
        j = jax()
        window = (1, 2, 2, 1)
        for w in weights[:-1]:
            orders = ("NHWC", "HWIO", "NHWC")
            x = j.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=orders)
            x = j.lax.reduce_window(j.nn.relu(x), -j.numpy.inf, j.lax.max, window, window, "VALID")
        return x.reshape(batch, flat) @ weights[-1]

    x, y = normal(batch, side, side, channels[0]), rng.integers(0, 10, batch)
    return list(training(start, x, y, ours, torchs, jaxs))


@row("MLP step, 64-64-10, batch 64")
def small_step() -> list[Contender]:
    allow_tensor_float_32(False)
    return perceptron((64, 64, 10), 64)


@row("MLP step, 1024-4096-4096-10, batch 512")
def large_step() -> list[Contender]:
    allow_tensor_float_32(True)
    wide = scaled(4096, 16)
    return perceptron((scaled(1024, 16), wide, wide, 10), scaled(512, 8))


@row("CNN step, 32x32x3, 32-64-128 channels, batch 128")
def cnn_step() -> list[Contender]:
    allow_tensor_float_32(True)
    channels = (3, scaled(32, 4), scaled(64, 4), scaled(128, 4))
    return convolutional(scaled(32, 8), channels, scaled(128, 2))
