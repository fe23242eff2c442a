"""A language model reads a prompt: all of its tokens at once (Radford et al., 2019: GPT-2's small
model, as in `decoding`), before it says the first of its own.

Each token looks at those before it. The keys and values of all layers are results, since decoding
goes on with them. Products are the limit. Weights are float32 or bfloat16, and so is what they are
multiplied by and give; all else is float32, but that of PyTorch, which has bfloat16 throughout
then.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from . import Arrays, Function, Jit, Workload, workload
from .normalising import layer_norm_jax, layer_norm_tensorflow, layer_norm_torch
from .training import scaled, zeros


class Prompt(Workload):
    """The largest logit of the token after the prompt, and the keys and values."""

    rtol = 1e-3
    weights: ClassVar[str] = "float32"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.layers, self.heads = self.size(12, 2), self.size(12, 2)
        self.width, self.tokens = self.size(768, 32), self.size(50257, 101)
        self.length = self.size(512, 9)

    def floor(self) -> tuple[float, float]:
        """Each token looks at half of all, on the average."""
        dense = 12.0 * self.width**2 * self.length
        attention = float(self.length**2 * self.width)
        return 0.0, 2.0 * (self.layers * (dense + attention) + self.tokens * self.width)

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.integers(0, self.tokens, self.length).astype(np.int32)]

    def start(self) -> tuple[list[tuple[np.ndarray, np.ndarray]], Arrays]:
        """Of a layer the four products with their biases; the embedding and the positions."""
        rng = np.random.default_rng(1)
        n = self.width
        shapes = [(n, 3 * n), (n, n), (n, 4 * n), (4 * n, n)] * self.layers
        dense = [(scaled(rng, *shape), zeros(shape[1])) for shape in shapes]
        return dense, [scaled(rng, n, self.tokens).T.copy(), scaled(rng, self.length, n)]

    @property
    def parts(self) -> tuple[int, int, int, int]:
        return self.length, 3, self.heads, self.width // self.heads

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        dense, (embedding, places) = self.start()
        norm = layer_norm_tensorflow(tf)

        def stored(w: np.ndarray) -> Any:
            return tf.Variable(tf.cast(w, self.weights))

        def product(x: Any, w: Any, right: bool = False) -> Any:
            return tf.cast(tf.matmul(tf.cast(x, self.weights), w, transpose_b=right), tf.float32)

        layers = [(stored(w), tf.Variable(b)) for w, b in dense]
        words, positions = stored(embedding), tf.Variable(places)
        ones, nothing = tf.Variable(tf.ones(self.width)), tf.Variable(tf.zeros(self.width))

        def run(tokens: Any) -> Any:
            kept = []
            order = tf.range(self.length)
            seen = order[None, :] <= order[:, None]
            x = tf.cast(tf.gather(words, tokens), tf.float32) + positions
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                mixed = tf.reshape(product(norm(x, ones, nothing), qkv) + b1, self.parts)
                q, k, v = tf.unstack(tf.transpose(mixed, [1, 2, 0, 3]))
                kept += [k, v]
                scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(self.parts[-1])
                mixed = tf.matmul(tf.nn.softmax(tf.where(seen, scores, -math.inf)), v)
                mixed = tf.reshape(tf.transpose(mixed, [1, 0, 2]), tf.shape(x))
                x = x + product(mixed, out) + b2
                x = x + product(tf.nn.gelu(product(norm(x, ones, nothing), up) + b3), down) + b4
            last = norm(x[-1:], ones, nothing)
            return (tf.reduce_max(product(last, words, right=True)), *kept)

        return jit(run)

    def jax(self, jax: Any, jit: Jit) -> Function:
        jnp, norm = jax.numpy, layer_norm_jax(jax)
        dense, (embedding, places) = self.start()

        def product(x: Any, w: Any) -> Any:
            return (x.astype(self.weights) @ w).astype(jnp.float32)

        def one(weights: Any, tokens: Any) -> Any:
            layers, words, positions, ones, nothing = weights
            kept = []
            seen = jnp.tril(jnp.ones((self.length, self.length), bool))
            x = words[tokens].astype(jnp.float32) + positions
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                mixed = (product(norm(x, ones, nothing), qkv) + b1).reshape(self.parts)
                q, k, v = jnp.transpose(mixed, (1, 2, 0, 3))
                kept += [k, v]
                scores = q @ jnp.swapaxes(k, 1, 2) / math.sqrt(self.parts[-1])
                mixed = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf)) @ v
                x = x + product(jnp.transpose(mixed, (1, 0, 2)).reshape(x.shape), out) + b2
                inner = jax.nn.gelu(product(norm(x, ones, nothing), up) + b3, approximate=False)
                x = x + product(inner, down) + b4
            return (jnp.max(product(norm(x[-1:], ones, nothing), words.T)), *kept)

        layers = [(jnp.asarray(w, self.weights), jax.device_put(b)) for w, b in dense]
        fixed = jax.device_put([places, np.ones(self.width, np.float32), zeros(self.width)])
        weights = layers, jnp.asarray(embedding, self.weights), *fixed
        compiled = jit(one)
        return lambda tokens: compiled(weights, tokens)

    def torch(self, torch: Any, jit: Jit) -> Function:
        functional, norm = torch.nn.functional, layer_norm_torch(torch)
        dense, (embedding, places) = self.start()
        wide = torch.bfloat16 if self.weights == "bfloat16" else torch.float32

        def one(tokens: Any) -> Any:
            kept = []
            x = words[tokens] + positions
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                mixed = functional.linear(norm(x, ones, nothing), qkv, b1).reshape(self.parts)
                q, k, v = mixed.permute(1, 2, 0, 3)
                kept += [k, v]
                given = q[None], k[None], v[None]
                mixed = functional.scaled_dot_product_attention(*given, is_causal=True)[0]
                x = x + functional.linear(mixed.permute(1, 0, 2).reshape(x.shape), out, b2)
                inner = functional.gelu(functional.linear(norm(x, ones, nothing), up, b3))
                x = x + functional.linear(inner, down, b4)
            logits = functional.linear(norm(x[-1:], ones, nothing), words)
            return (logits.max().float(), *(part.float() for part in kept))

        layers = [(torch.tensor(w.T.copy()).to(wide), torch.tensor(b).to(wide)) for w, b in dense]
        words, positions = torch.tensor(embedding).to(wide), torch.tensor(places).to(wide)
        ones, nothing = torch.ones(self.width, dtype=wide), torch.zeros(self.width, dtype=wide)
        compiled = jit(one)

        def run(tokens: Any) -> Any:
            with torch.no_grad():
                return compiled(tokens)

        return run

    onnx = torch


@workload
class PromptSingle(Prompt):
    name = "prompt of 512, GPT-2 small, float32"


@workload
class PromptHalf(Prompt):
    name = "prompt of 512, GPT-2 small, bfloat16 weights"
    weights = "bfloat16"
    without = ("onnx runtime",)  # which does not multiply them
    rtol = 1e-1  # PyTorch's keys and values have 8 bits
    tested = False
