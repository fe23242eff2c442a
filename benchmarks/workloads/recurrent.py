"""A long short-term memory (Hochreiter and Schmidhuber, 1997) over 100 steps, and its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


def tensorflow_cell(tf: Any, gates: Any, c: Any) -> tuple[Any, Any]:
    """The state after a step, from the four gates and the cells."""
    i, f, g, o = tf.split(gates, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c


def jax_cell(jax: Any, gates: Any, c: Any) -> tuple[Any, Any]:
    sigmoid, tanh = jax.nn.sigmoid, jax.numpy.tanh
    i, f, g, o = jax.numpy.split(gates, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def torch_lstm(torch: Any, xs: Any, w: Any, u: Any, b: Any) -> Any:
    """The last h of PyTorch's own LSTM. `w` and `u` are (4 * units, inputs)."""
    zero = torch.zeros(1, xs.shape[1], u.shape[1])
    weights = [w, u, b, torch.zeros_like(b)]
    return torch._VF.lstm(xs, (zero, zero), weights, True, 1, 0.0, True, False, False)[1][0]


@workload
class LSTM(Workload):
    """100 steps of 64 units at batch 32: the gradient of the sum of the last h in the weights."""

    name = "LSTM 64 units, 100 steps, gradient"
    rtol = 1e-3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.steps_of_time, self.batch = self.size(100, 4), self.size(32, 3)
        self.units = self.size(64, 5)

    def floor(self) -> tuple[float, float]:
        product = 2.0 * self.batch * self.units * 4 * self.units
        return 0.0, self.steps_of_time * 5 * product

    def data(self, rng: np.random.Generator) -> Arrays:
        n = self.units
        shapes = [(self.steps_of_time, self.batch, n), (n, 4 * n), (n, 4 * n), (4 * n,)]
        return [normal(rng, *s) * np.float32(0.1) for s in shapes]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(xs: Any, w: Any, u: Any, b: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch([w, u, b])

                def step(state: Any, x: Any) -> Any:
                    h, c = state
                    return tensorflow_cell(tf, x @ w + h @ u + b, c)

                zero = tf.zeros([self.batch, self.units])
                h, _ = tf.foldl(step, xs, (zero, zero))
                value = tf.reduce_sum(h)
            return tape.gradient(value, [w, u, b])

        return jit(run)

    def jax(self, jax: Any, jit: Jit) -> Function:
        def loss(w: Any, u: Any, b: Any, xs: Any) -> Any:
            def step(state: Any, x: Any) -> Any:
                h, c = state
                return jax_cell(jax, x @ w + h @ u + b, c), None

            zero = jax.numpy.zeros((self.batch, self.units))
            return jax.numpy.sum(jax.lax.scan(step, (zero, zero), xs)[0][0])

        gradient = jit(jax.grad(loss, argnums=(0, 1, 2)))
        return lambda xs, w, u, b: gradient(w, u, b, xs)

    def torch(self, torch: Any, jit: Jit) -> Function:
        forward = jit(lambda xs, w, u, b: torch.sum(torch_lstm(torch, xs, w.T, u.T, b)))

        def run(xs: Any, *weights: Any) -> Any:
            sources = [x.detach().requires_grad_() for x in weights]
            return torch.autograd.grad(forward(xs, *sources), sources)

        return run
