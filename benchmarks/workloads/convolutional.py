"""A step of gradient descent of convolutions with an LSTM that reads the rows of what they give."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, normal, workload
from .recurrent import jax_cell, tensorflow_cell, torch_lstm
from .training import Training, jax_cross_entropy, scaled, tensorflow_cross_entropy, zeros


@workload
class ConvolutionsAndLSTM(Training):
    name = "CNN + LSTM step, batch 32"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.batch, self.side = self.size(32, 2), self.size(28, 8)
        self.first, self.second = self.size(32, 3), self.size(64, 4)
        self.units = self.size(128, 5)

    def floor(self) -> tuple[float, float]:
        side, first, second, units = self.side, self.first, self.second, self.units
        features = side // 4 * second
        early = side**2 * 25 * first
        late = (side // 2) ** 2 * 25 * first * second + side // 4 * (features + units) * 4 * units
        return 0.0, 2.0 * self.batch * (2 * early + 3 * late)

    def data(self, rng: np.random.Generator) -> Arrays:
        images = normal(rng, self.batch, self.side, self.side, 1)
        return [images, rng.integers(0, 10, self.batch, dtype=np.int64)]

    def start(self) -> Arrays:
        rng = np.random.default_rng(1)
        features, units = self.side // 4 * self.second, self.units
        return [
            scaled(rng, 5, 5, 1, self.first),
            zeros(self.first),
            scaled(rng, 5, 5, self.first, self.second),
            zeros(self.second),
            scaled(rng, features, 4 * units),
            scaled(rng, units, 4 * units),
            zeros(4 * units),
            scaled(rng, units, 10),
            zeros(10),
        ]

    def tensorflow_loss(self, tf: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            k1, b1, k2, b2, w, u, b, last, bias = parameters
            for k, b0 in ((k1, b1), (k2, b2)):
                x = tf.nn.relu(tf.nn.conv2d(x, k, 1, "SAME") + b0)
                x = tf.nn.max_pool2d(x, 2, 2, "VALID")
            steps = self.side // 4
            gates = tf.reshape(x, [self.batch * steps, -1]) @ w + b
            gates = tf.reshape(gates, [self.batch, steps, 4 * self.units])
            h = c = tf.zeros([self.batch, self.units])
            for i in range(steps):
                h, c = tensorflow_cell(tf, gates[:, i] + tf.matmul(h, u), c)
            return tensorflow_cross_entropy(tf, tf.matmul(h, last) + bias, classes)

        return loss

    def jax_loss(self, jax: Any) -> Function:
        jnp = jax.numpy

        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            k1, b1, k2, b2, w, u, b, last, bias = parameters
            for k, b0 in ((k1, b1), (k2, b2)):
                names = ("NHWC", "HWIO", "NHWC")
                x = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=names)
                x, window = jax.nn.relu(x + b0), (1, 2, 2, 1)
                x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, window, "VALID")
            steps = self.side // 4
            gates = x.reshape(self.batch, steps, -1) @ w + b
            h = c = jnp.zeros((self.batch, self.units))
            for i in range(steps):
                h, c = jax_cell(jax, gates[:, i] + h @ u, c)
            return jax_cross_entropy(jax, h @ last + bias, classes)

        return loss

    def torch_start(self, torch: Any) -> list[Any]:
        """Its kernels are (out, in, height, width), and the matrices of an LSTM transposed."""
        k1, b1, k2, b2, w, u, *rest = self.start()
        order = (3, 2, 0, 1)
        found = [k1.transpose(order), b1, k2.transpose(order), b2, w.T, u.T, *rest]
        return [torch.tensor(np.ascontiguousarray(p)) for p in found]

    def torch_loss(self, torch: Any) -> Function:
        functional = torch.nn.functional

        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            k1, b1, k2, b2, w, u, b, last, bias = parameters
            x = x.permute(0, 3, 1, 2)
            for k, b0 in ((k1, b1), (k2, b2)):
                x = functional.max_pool2d(torch.relu(functional.conv2d(x, k, b0, padding=2)), 2)
            x = x.permute(2, 0, 3, 1).reshape(self.side // 4, self.batch, -1)  # rows are steps
            h = torch_lstm(torch, x, w, u, b)
            return functional.cross_entropy(torch.addmm(bias, h, last), classes)

        return loss
