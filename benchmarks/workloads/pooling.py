"""Pooling of 2 x 2 windows, and its gradients."""

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


class Pooling(Workload):
    """Of 32 images of 56 x 56 pixels with 64 channels, which PyTorch gets as it prefers them."""

    kind = "max"
    gradient = False

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        side = self.size(56, 6)
        self.shape = self.size(32, 2), side, side, self.size(64, 5)

    def floor(self) -> tuple[float, float]:
        elements = float(np.prod(self.shape))
        read = elements if self.kind == "max" or not self.gradient else 0.0
        return 4.0 * (read + elements / 4 + (elements if self.gradient else 0)), 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        n, height, width, channels = self.shape
        dy = [normal(rng, n, height // 2, width // 2, channels)] if self.gradient else []
        return [normal(rng, *self.shape), *dy]

    def torch(self, torch: Any, jit: Jit) -> Function:
        functional = torch.nn.functional
        pool = functional.max_pool2d if self.kind == "max" else functional.avg_pool2d

        def images(x: Any) -> Any:  # a view: the memory has the channels last
            return x.permute(0, 3, 1, 2)

        forward = jit(lambda x: pool(images(x), 2).permute(0, 2, 3, 1))
        return torch_gradient(torch, forward) if self.gradient else forward

    def jax(self, jax: Any, jit: Jit) -> Function:
        def run(x: Any) -> Any:
            window = (1, 2, 2, 1)
            if self.kind == "max":
                return jax.lax.reduce_window(x, -np.inf, jax.lax.max, window, window, "VALID")
            return jax.lax.reduce_window(x, 0.0, jax.lax.add, window, window, "VALID") / 4.0

        return jit(jax_gradient(jax, run) if self.gradient else run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        pool = tf.nn.max_pool2d if self.kind == "max" else tf.nn.avg_pool2d

        def run(x: Any) -> Any:
            return pool(x, 2, 2, "VALID")

        return jit(tape_gradient(tf, run) if self.gradient else run)


@workload
class MaxPool(Pooling):
    name = "max pool 2x2 of 32x56x56x64"


@workload
class MaxPoolGradient(Pooling):
    name = "gradient of that max pool"
    gradient = True


@workload
class AveragePool(Pooling):
    name = "average pool 2x2 of 32x56x56x64"
    kind = "average"


@workload
class AveragePoolGradient(Pooling):
    name = "gradient of that average pool"
    kind = "average"
    gradient = True
