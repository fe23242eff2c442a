"""A step of gradient descent of a network of three dense layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, normal, workload
from .training import Training, jax_cross_entropy, scaled, tensorflow_cross_entropy, zeros


@workload
class Dense(Training):
    name = "MLP step 784-512-512-10, batch 128"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.batch = self.size(128, 6)
        self.widths = (20, 9, 9, 10) if quick else (784, 512, 512, 10)

    def floor(self) -> tuple[float, float]:
        first, *rest = [m * n for m, n in zip(self.widths, self.widths[1:], strict=False)]
        numbers = float(first + sum(rest))
        return 16.0 * numbers, 2.0 * self.batch * (2 * first + 3 * sum(rest))

    def data(self, rng: np.random.Generator) -> Arrays:
        classes = rng.integers(0, self.widths[-1], self.batch, dtype=np.int64)
        return [normal(rng, self.batch, self.widths[0]), classes]

    def start(self) -> Arrays:
        rng = np.random.default_rng(1)
        found = []
        for m, n in zip(self.widths, self.widths[1:], strict=False):
            found += [scaled(rng, m, n), zeros(n)]
        return found

    def tensorflow_loss(self, tf: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            w1, b1, w2, b2, w3, b3 = parameters
            x = tf.nn.relu(tf.matmul(x, w1) + b1)
            x = tf.nn.relu(tf.matmul(x, w2) + b2)
            return tensorflow_cross_entropy(tf, tf.matmul(x, w3) + b3, classes)

        return loss

    def jax_loss(self, jax: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            w1, b1, w2, b2, w3, b3 = parameters
            x = jax.nn.relu(x @ w1 + b1)
            x = jax.nn.relu(x @ w2 + b2)
            return jax_cross_entropy(jax, x @ w3 + b3, classes)

        return loss

    def torch_loss(self, torch: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            w1, b1, w2, b2, w3, b3 = parameters
            x = torch.relu(torch.addmm(b1, x, w1))
            x = torch.relu(torch.addmm(b2, x, w2))
            return torch.nn.functional.cross_entropy(torch.addmm(b3, x, w3), classes)

        return loss
