"""Updates of parameters, apart from the gradients: Adam (Kingma and Ba, 2014)."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload

RATE, FIRST, SECOND, EPSILON = 1e-3, 0.9, 0.999, 1e-7


@workload
class Adam(Workload):
    """All 16 parameters of a network, 4.2 million numbers, with their two moments."""

    name = "Adam update of 4.2M parameters"
    steps = 3
    rtol = 1e-4
    turns = 3

    def shapes(self) -> list[tuple[int, ...]]:
        n = self.size(724, 9)
        return [shape for _ in range(8) for shape in ((n, n), (n,))]

    def floor(self) -> tuple[float, float]:
        return 28.0 * sum(float(np.prod(s)) for s in self.shapes()), 0.0  # four read, three written

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, *s) for s in self.shapes()]  # the gradients

    def start(self) -> Arrays:
        rng = np.random.default_rng(1)
        return [normal(rng, *s) for s in self.shapes()]

    def torch(self, torch: Any, jit: Jit) -> Function:
        parameters = [torch.tensor(p) for p in self.start()]
        betas = FIRST, SECOND
        optimiser = torch.optim.Adam(parameters, RATE, betas, EPSILON, fused=True)
        update = jit(optimiser.step)

        def run(*gradients: Any) -> Any:
            for p, g in zip(parameters, gradients, strict=True):
                p.grad = g
            update()
            return parameters[0][0].clone()

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        zeros = [np.zeros(s, np.float32) for s in self.shapes()]
        state = jax.device_put((self.start(), zeros, zeros, np.float32(0)))

        def descend(state: Any, gradients: Any) -> Any:
            parameters, first, second, step = state
            step = step + 1
            first = [FIRST * m + (1 - FIRST) * g for m, g in zip(first, gradients, strict=True)]
            second = [
                SECOND * v + (1 - SECOND) * g * g for v, g in zip(second, gradients, strict=True)
            ]
            scale, root = RATE / (1 - FIRST**step), jax.numpy.sqrt(1 - SECOND**step)
            parameters = [
                p - scale * m / (jax.numpy.sqrt(v) / root + EPSILON)
                for p, m, v in zip(parameters, first, second, strict=True)
            ]
            return (parameters, first, second, step), parameters[0][0]

        update = jit(descend, donate_argnums=0)

        def run(*gradients: Any) -> Any:
            nonlocal state
            state, result = update(state, gradients)
            return result

        return run

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        parameters = [tf.Variable(p) for p in self.start()]
        first = [tf.Variable(tf.zeros_like(p)) for p in parameters]
        second = [tf.Variable(tf.zeros_like(p)) for p in parameters]
        step = tf.Variable(0.0)

        def run(*gradients: Any) -> Any:
            step.assign_add(1.0)
            scale, root = RATE / (1.0 - FIRST**step), tf.sqrt(1.0 - SECOND**step)
            for p, m, v, g in zip(parameters, first, second, gradients, strict=True):
                m.assign(FIRST * m + (1.0 - FIRST) * g)
                v.assign(SECOND * v + (1.0 - SECOND) * g * g)
                p.assign_sub(scale * m / (tf.sqrt(v) / root + EPSILON))
            return parameters[0][0]

        return jit(run)
