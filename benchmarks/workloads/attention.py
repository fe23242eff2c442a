"""A step of gradient descent of a transformer's block (Vaswani et al., 2017), normalised first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import Arrays, Function, normal, workload
from .normalising import layer_norm_jax, layer_norm_tensorflow, layer_norm_torch
from .training import Training, scaled, zeros

HEADS = 8


@workload
class Transformer(Training):
    name = "transformer block step, 8 x 128 x 256"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.batch, self.length = self.size(8, 2), self.size(128, 7)
        self.width = self.size(256, 16)

    def floor(self) -> tuple[float, float]:
        rows = float(self.batch * self.length)
        dense = 12 * self.width**2
        return 0.0, 2.0 * rows * 3 * (dense + 2 * self.length * self.width)

    def data(self, rng: np.random.Generator) -> Arrays:
        shape = self.batch, self.length, self.width
        return [normal(rng, *shape), normal(rng, *shape)]  # what comes in, and what shall come out

    def start(self) -> Arrays:
        rng = np.random.default_rng(1)
        n = self.width
        ones = np.ones(n, np.float32)
        attention = [scaled(rng, n, 3 * n), zeros(3 * n), scaled(rng, n, n), zeros(n)]
        dense = [scaled(rng, n, 4 * n), zeros(4 * n), scaled(rng, 4 * n, n), zeros(n)]
        return [ones, zeros(n), *attention, ones, zeros(n), *dense]

    def tensorflow_loss(self, tf: Any) -> Function:
        norm = layer_norm_tensorflow(tf)

        def attend(x: Any, qkv: Any, bias: Any) -> Any:
            parts = tf.reshape(x @ qkv + bias, [self.batch, self.length, 3, HEADS, -1])
            q, k, v = tf.unstack(tf.transpose(parts, [2, 0, 3, 1, 4]))
            scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(self.width // HEADS)
            mixed = tf.matmul(tf.nn.softmax(scores), v)
            return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), tf.shape(x))

        def loss(parameters: Any, x: Any, target: Any) -> Any:
            g1, s1, qkv, b1, out, b2, g2, s2, up, b3, down, b4 = parameters
            x = x + attend(norm(x, g1, s1), qkv, b1) @ out + b2
            x = x + tf.nn.gelu(norm(x, g2, s2) @ up + b3) @ down + b4
            return tf.reduce_mean(tf.square(x - target))

        return loss

    def jax_loss(self, jax: Any) -> Function:
        jnp, norm = jax.numpy, layer_norm_jax(jax)

        def attend(x: Any, qkv: Any, bias: Any) -> Any:
            parts = (x @ qkv + bias).reshape(self.batch, self.length, 3, HEADS, -1)
            q, k, v = jnp.transpose(parts, (2, 0, 3, 1, 4))
            scores = q @ jnp.swapaxes(k, -1, -2) / math.sqrt(self.width // HEADS)
            mixed = jax.nn.softmax(scores) @ v
            return jnp.transpose(mixed, (0, 2, 1, 3)).reshape(x.shape)

        def loss(parameters: Any, x: Any, target: Any) -> Any:
            g1, s1, qkv, b1, out, b2, g2, s2, up, b3, down, b4 = parameters
            x = x + attend(norm(x, g1, s1), qkv, b1) @ out + b2
            x = x + jax.nn.gelu(norm(x, g2, s2) @ up + b3, approximate=False) @ down + b4
            return jnp.mean(jnp.square(x - target))

        return loss

    def torch_loss(self, torch: Any) -> Function:
        functional, norm = torch.nn.functional, layer_norm_torch(torch)

        def attend(x: Any, qkv: Any, bias: Any) -> Any:
            parts = (x @ qkv + bias).reshape(self.batch, self.length, 3, HEADS, -1)
            q, k, v = parts.permute(2, 0, 3, 1, 4).unbind()
            mixed = functional.scaled_dot_product_attention(q, k, v)
            return mixed.permute(0, 2, 1, 3).reshape(x.shape)

        def loss(parameters: Any, x: Any, target: Any) -> Any:
            g1, s1, qkv, b1, out, b2, g2, s2, up, b3, down, b4 = parameters
            x = x + attend(norm(x, g1, s1), qkv, b1) @ out + b2
            x = x + functional.gelu(norm(x, g2, s2) @ up + b3) @ down + b4
            return functional.mse_loss(x, target)

        return loss
