"""Rows that are normalised: one trip through memory, if one kernel does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import (
    Arrays,
    Function,
    Jit,
    Workload,
    jax_gradient,
    normal,
    tape_gradient,
    torch_gradient,
    workload,
)

EPSILON = 1e-5


class Rows(Workload):
    rtol = 1e-4
    turns = 6

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.rows, self.width = self.size(4096, 6), self.size(1024, 40)


def layer_norm_tensorflow(tf: Any) -> Function:
    def run(x: Any, scale: Any, shift: Any) -> Any:
        mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
        return (x - mean) * tf.math.rsqrt(variance + EPSILON) * scale + shift

    return run


def layer_norm_jax(jax: Any) -> Function:
    def run(x: Any, scale: Any, shift: Any) -> Any:
        mean = jax.numpy.mean(x, axis=-1, keepdims=True)
        variance = jax.numpy.var(x, axis=-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + EPSILON) * scale + shift

    return run


def layer_norm_torch(torch: Any) -> Function:
    norm = torch.nn.functional.layer_norm
    return lambda x, scale, shift: norm(x, x.shape[-1:], scale, shift, EPSILON)


@workload
class LayerNorm(Rows):
    name = "layer norm of 4096 x 1024"

    def floor(self) -> tuple[float, float]:
        return 8.0 * self.rows * self.width, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        w = self.width
        return [normal(rng, self.rows, w), normal(rng, w), normal(rng, w)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(x: Any, scale: Any, shift: Any) -> Any:
            centred = x - x.mean(axis=-1, keepdims=True)
            variance = np.mean(centred * centred, axis=-1, keepdims=True)
            return centred / np.sqrt(variance + np.float32(EPSILON)) * scale + shift

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(layer_norm_torch(torch))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(layer_norm_jax(jax))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(layer_norm_tensorflow(tf))


@workload
class LayerNormGradient(Rows):
    """In x, scale and shift."""

    name = "gradient of that layer norm"

    def floor(self) -> tuple[float, float]:
        return 12.0 * self.rows * self.width, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        w = self.width
        x, dy = normal(rng, self.rows, w), normal(rng, self.rows, w)
        return [x, normal(rng, w), normal(rng, w), dy]

    def torch(self, torch: Any, jit: Jit) -> Function:
        return torch_gradient(torch, jit(layer_norm_torch(torch)), 3)

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(jax_gradient(jax, layer_norm_jax(jax), 3))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(tape_gradient(tf, layer_norm_tensorflow(tf), 3))


@workload
class CrossEntropy(Rows):
    """The mean loss of 4096 rows of 1024 logits, and its gradient."""

    name = "log softmax cross entropy, gradient"

    def floor(self) -> tuple[float, float]:
        return 8.0 * self.rows * self.width, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        classes = rng.integers(0, self.width, self.rows, dtype=np.int64)
        return [normal(rng, self.rows, self.width), classes]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(x: Any, classes: Any) -> Any:
            shifted = x - x.max(axis=1, keepdims=True)
            exps = np.exp(shifted)
            sums = exps.sum(axis=1, keepdims=True)
            places = np.arange(len(x)), classes
            loss = np.mean(np.log(sums)[:, 0] - shifted[places])
            exps /= sums
            exps[places] -= 1.0
            exps /= np.float32(len(x))
            return loss, exps

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        forward = jit(torch.nn.functional.cross_entropy)

        def run(x: Any, classes: Any) -> Any:
            source = x.detach().requires_grad_()
            loss = forward(source, classes)
            return loss.detach(), torch.autograd.grad(loss, source)[0]

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        def loss(x: Any, classes: Any) -> Any:
            logarithms = jax.nn.log_softmax(x)
            return -jax.numpy.mean(jax.numpy.take_along_axis(logarithms, classes[:, None], axis=1))

        return jit(jax.value_and_grad(loss))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits

        def run(x: Any, classes: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_mean(losses(labels=classes, logits=x))
            return loss, tape.gradient(loss, x)

        return jit(run)
