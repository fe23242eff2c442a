"""A step of gradient descent of a small network: 64 inputs, 64 hidden units, 10 classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from . import peers
from .harness import Contender, row, statement

BATCH, INPUTS, HIDDEN, CLASSES = 64, 64, 64, 10
RATE = 0.05
STEPS = 5  # after which the losses are compared

Step = Callable[[], Any]  # takes one step and returns the loss before it


def initial() -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Parameters, images and labels."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape, dtype=np.float32)

    parameters: list[np.ndarray] = [
        normal(INPUTS, HIDDEN) / np.float32(8),
        np.zeros(HIDDEN, np.float32),
        normal(HIDDEN, CLASSES) / np.float32(8),
        np.zeros(CLASSES, np.float32),
    ]
    return parameters, normal(BATCH, INPUTS), rng.integers(0, CLASSES, BATCH)


def tfc_step(compiled: bool) -> Step:
    start, images, classes = initial()
    parameters = [tf.Variable(p) for p in start]
    w1, b1, w2, b2 = parameters

    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
            logits = tf.matmul(hidden, w2) + b2
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            loss = tf.reduce_mean(losses)
        for p, g in zip(parameters, tape.gradient(loss, parameters), strict=True):
            p.assign_sub(RATE * g)
        return loss

    run = tf.function(step) if compiled else step
    x, y = tf.constant(images), tf.constant(classes)
    return lambda: run(x, y)


def torch_step(torch: Any) -> Step:
    start, images, classes = initial()
    parameters = [torch.tensor(p, requires_grad=True) for p in start]
    w1, b1, w2, b2 = parameters
    x, y = torch.tensor(images), torch.tensor(classes)

    def step() -> Any:
        hidden = torch.relu(torch.addmm(b1, x, w1))
        logits = torch.addmm(b2, hidden, w2)
        loss = torch.nn.functional.cross_entropy(logits, y)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, g in zip(parameters, gradients, strict=True):
                p.sub_(g, alpha=RATE)
        return loss.detach()

    return step


def jax_step(jax: Any) -> Step:
    start, images, classes = initial()
    parameters = [jax.device_put(p) for p in start]
    x, y = jax.device_put(images), jax.device_put(classes.astype(np.int32))

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = parameters
        logits = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        chosen = jax.numpy.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1)
        return -jax.numpy.mean(chosen)

    @jax.jit  # type: ignore[untyped-decorator]
    def descend(parameters: Any, x: Any, y: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(parameters, x, y)
        return value, [p - RATE * g for p, g in zip(parameters, gradients, strict=True)]

    def step() -> Any:
        nonlocal parameters
        value, parameters = descend(parameters, x, y)
        return value.block_until_ready()

    return step


def training(name: str, make: Callable[[], Step]) -> Contender:
    def losses() -> list[float]:
        step = make()
        return [float(step()) for _ in range(STEPS)]

    return statement(name, "step()", value=losses, step=make())


@row("MLP step 64-64-10, batch 64", goals={"torch": 1.0, "jax jit": 1.0}, rtol=1e-4)
def mlp() -> list[Contender]:
    found = [
        training("tfc", lambda: tfc_step(True)),
        training("tfc eager", lambda: tfc_step(False)),
    ]
    if torch := peers.torch():
        found.append(training("torch eager", lambda: torch_step(torch)))
    if jax := peers.jax():
        found.append(training("jax jit", lambda: jax_step(jax)))
    return found
