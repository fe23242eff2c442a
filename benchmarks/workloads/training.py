"""What the steps of gradient descent of all networks share."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload

RATE = 0.01


class Training(Workload):
    """A step of gradient descent. A network says what its loss is, and how it begins."""

    rtol = 1e-3
    steps = 5

    def start(self) -> Arrays:
        """The parameters before the first step."""
        raise NotImplementedError

    def tensorflow_loss(self, tf: Any) -> Function:
        """The loss as a function (parameters, *batch)."""
        raise NotImplementedError

    def jax_loss(self, jax: Any) -> Function:
        raise NotImplementedError

    def torch_loss(self, torch: Any) -> Function:
        raise NotImplementedError

    def torch_start(self, torch: Any) -> list[Any]:
        return [torch.tensor(p) for p in self.start()]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        parameters = [tf.Variable(p) for p in self.start()]
        loss_of = self.tensorflow_loss(tf)

        def step(*batch: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = loss_of(parameters, *batch)
            for p, g in zip(parameters, tape.gradient(loss, parameters), strict=True):
                p.assign_sub(RATE * g)
            return loss

        return jit(step)

    def jax(self, jax: Any, jit: Jit) -> Function:
        parameters = jax.device_put(self.start())
        gradient = jax.value_and_grad(self.jax_loss(jax))

        def descend(parameters: Any, *batch: Any) -> Any:
            loss, gradients = gradient(parameters, *batch)
            return loss, [p - RATE * g for p, g in zip(parameters, gradients, strict=True)]

        update = jit(descend, donate_argnums=0)

        def step(*batch: Any) -> Any:
            nonlocal parameters
            loss, parameters = update(parameters, *batch)
            return loss

        return step

    def torch(self, torch: Any, jit: Jit) -> Function:
        parameters = [p.requires_grad_() for p in self.torch_start(torch)]
        loss_of = jit(self.torch_loss(torch))

        def step(*batch: Any) -> Any:
            loss = loss_of(parameters, *batch)
            gradients = torch.autograd.grad(loss, parameters)
            with torch.no_grad():
                torch._foreach_sub_(parameters, torch._foreach_mul(gradients, RATE))
            return loss.detach()

        return step


def scaled(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Random weights that keep the variance of what they multiply."""
    inputs = float(np.prod(shape[:-1]))
    return np.asarray(rng.standard_normal(shape) / np.sqrt(inputs), np.float32)


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float32)


def jax_cross_entropy(jax: Any, logits: Any, classes: Any) -> Any:
    logarithms = jax.nn.log_softmax(logits)
    return -jax.numpy.mean(jax.numpy.take_along_axis(logarithms, classes[:, None], axis=1))


def tensorflow_cross_entropy(tf: Any, logits: Any, classes: Any) -> Any:
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)
    return tf.reduce_mean(losses)
