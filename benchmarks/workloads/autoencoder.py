"""What fitting an autoencoder with L-BFGS takes: the loss with its gradient, and a direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload
from .training import scaled, zeros


@workload
class Autoencoder(Workload):
    """Mean squared error of 784-196-784 sigmoid units on 10,000 rows, and its gradient."""

    name = "autoencoder 784-196-784 gradient, 10K"
    rtol = 1e-3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.batch = self.size(10_000, 12)
        self.inputs, self.hidden = self.size(784, 20), self.size(196, 7)

    def floor(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.batch * 5 * self.inputs * self.hidden

    def data(self, rng: np.random.Generator) -> Arrays:
        m, n = self.inputs, self.hidden
        parameters = [scaled(rng, m, n), zeros(n), scaled(rng, n, m), zeros(m)]
        return [*parameters, rng.random((self.batch, m), dtype=np.float32)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def sigmoid(x: Any) -> Any:
            return 1 / (1 + np.exp(-x))

        def run(w1: Any, b1: Any, w2: Any, b2: Any, x: Any) -> Any:
            hidden = sigmoid(x @ w1 + b1)
            y = sigmoid(hidden @ w2 + b2)
            error = y - x
            dz = (2 / error.size) * error * y * (1 - y)
            dh = (dz @ w2.T) * hidden * (1 - hidden)
            gradients = x.T @ dh, dh.sum(axis=0), hidden.T @ dz, dz.sum(axis=0)
            return np.mean(error * error), *gradients

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        def loss(w1: Any, b1: Any, w2: Any, b2: Any, x: Any) -> Any:
            hidden = torch.sigmoid(torch.addmm(b1, x, w1))
            return torch.mean(torch.square(torch.sigmoid(torch.addmm(b2, hidden, w2)) - x))

        forward = jit(loss)

        def run(*arguments: Any) -> Any:
            *parameters, x = arguments
            sources = [p.detach().requires_grad_() for p in parameters]
            value = forward(*sources, x)
            return value.detach(), *torch.autograd.grad(value, sources)

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        def loss(parameters: Any, x: Any) -> Any:
            w1, b1, w2, b2 = parameters
            hidden = jax.nn.sigmoid(x @ w1 + b1)
            return jax.numpy.mean(jax.numpy.square(jax.nn.sigmoid(hidden @ w2 + b2) - x))

        gradient = jax.value_and_grad(loss)
        return jit(lambda w1, b1, w2, b2, x: gradient((w1, b1, w2, b2), x))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(w1: Any, b1: Any, w2: Any, b2: Any, x: Any) -> Any:
            parameters = [w1, b1, w2, b2]
            with tf.GradientTape() as tape:
                tape.watch(parameters)
                hidden = tf.sigmoid(tf.matmul(x, w1) + b1)
                loss = tf.reduce_mean(tf.square(tf.sigmoid(tf.matmul(hidden, w2) + b2) - x))
            return loss, tape.gradient(loss, parameters)

        return jit(run)


@workload
class TwoLoops(Workload):
    """The two-loop recursion (Nocedal and Wright, algorithm 7.4) with 100 pairs of vectors of as
    many numbers as the autoencoder has."""

    name = "L-BFGS direction, history 100"
    rtol = 1e-3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.count, self.length = self.size(100, 6), self.size(308_308, 50)

    def floor(self) -> tuple[float, float]:
        return 4 * 4.0 * self.count * self.length, 0.0  # both tables, twice

    def data(self, rng: np.random.Generator) -> Arrays:
        s = normal(rng, self.count, self.length)
        y = s + np.float32(0.1) * normal(rng, self.count, self.length)
        inverse = np.asarray(1 / np.sum(s * y, axis=1, dtype=np.float64), np.float32)
        return [normal(rng, self.length), s, y, inverse]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(gradient: Any, s: Any, y: Any, inverse: Any) -> Any:
            q = gradient.copy()
            alphas = np.zeros_like(inverse)
            for i in range(self.count - 1, -1, -1):
                alphas[i] = inverse[i] * np.dot(s[i], q)
                q -= alphas[i] * y[i]
            for i in range(self.count):
                q += (alphas[i] - inverse[i] * np.dot(y[i], q)) * s[i]
            return -q

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        def back(q: Any, s: Any, y: Any, inverse: Any) -> Any:
            alpha = inverse * torch.dot(s, q)
            return alpha, q - alpha * y

        def forth(q: Any, s: Any, y: Any, inverse: Any, alpha: Any) -> Any:
            return q + (alpha - inverse * torch.dot(y, q)) * s

        back, forth = jit(back), jit(forth)

        def run(q: Any, s: Any, y: Any, inverse: Any) -> Any:
            alphas = {}
            for i in range(self.count - 1, -1, -1):
                alphas[i], q = back(q, s[i], y[i], inverse[i])
            for i in range(self.count):
                q = forth(q, s[i], y[i], inverse[i], alphas[i])
            return -q

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        scan, dot = jax.lax.scan, jax.numpy.dot

        def run(gradient: Any, s: Any, y: Any, inverse: Any) -> Any:
            def back(q: Any, pair: Any) -> Any:
                s, y, inverse = pair
                alpha = inverse * dot(s, q)
                return q - alpha * y, alpha

            def forth(q: Any, pair: Any) -> Any:
                s, y, inverse, alpha = pair
                return q + (alpha - inverse * dot(y, q)) * s, None

            q, alphas = scan(back, gradient, (s, y, inverse), reverse=True)
            return -scan(forth, q, (s, y, inverse, alphas))[0]

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(gradient: Any, s: Any, y: Any, inverse: Any) -> Any:
            q = gradient
            alphas = tf.TensorArray(tf.float32, self.count, element_shape=[])
            for i in tf.range(self.count - 1, -1, -1):
                alpha = inverse[i] * tf.reduce_sum(s[i] * q)
                alphas = alphas.write(i, alpha)
                q = q - alpha * y[i]
            for i in tf.range(self.count):
                beta = inverse[i] * tf.reduce_sum(y[i] * q)
                q = q + (alphas.read(i) - beta) * s[i]
            return -q

        return jit(run)
