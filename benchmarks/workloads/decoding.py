"""A language model says one token after another (Radford et al., 2019: GPT-2's small model).

All of the weights are read for each token, and little else happens: memory is the limit. Weights
are float32, bfloat16, or int8 with a scale for each output; all else is float32, but that of
PyTorch, which has bfloat16 throughout where the weights do. Keys and values of earlier tokens are
kept, and written over in their place.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from . import Arrays, Function, Jit, Workload, workload
from .normalising import layer_norm_jax, layer_norm_tensorflow, layer_norm_torch
from .training import scaled, zeros

Pairs = list[tuple[np.ndarray, np.ndarray]]


class Decoding(Workload):
    """The largest logit of the next token, which the next call begins with. As the weights are
    random, so is what it says."""

    rtol = 1e-3
    steps = 3
    reads = True
    weights: ClassVar[str] = "float32"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.layers, self.heads = self.size(12, 2), self.size(12, 2)
        self.width, self.tokens = self.size(768, 32), self.size(50257, 101)
        self.length = self.size(256, 8)  # of the text; what comes after begins anew

    def floor(self) -> tuple[float, float]:
        matrices = 12.0 * self.layers * self.width**2 + self.tokens * self.width
        kept = 2.0 * self.layers * self.length * self.width
        return matrices * self.itemsize + kept * 4, 0.0

    @property
    def itemsize(self) -> int:
        return {"float32": 4, "bfloat16": 2, "int8": 1}[self.weights]

    def data(self, rng: np.random.Generator) -> Arrays:
        return []

    def start(self) -> tuple[Pairs, Arrays]:
        """Matrices with their biases: of a layer the four products, at last the embedding, whose
        place positions have as bias."""
        rng = np.random.default_rng(1)
        n = self.width
        shapes = [(n, 3 * n), (n, n), (n, 4 * n), (4 * n, n)] * self.layers
        dense = [(scaled(rng, *shape), zeros(shape[1])) for shape in shapes]
        return dense, [scaled(rng, n, self.tokens).T.copy(), scaled(rng, self.length, n)]

    def quantized(self, w: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
        """Bytes, and what they are multiplied with along the other axis."""
        scale = np.abs(w).max(axis) / np.float32(127)
        return np.round(w / np.expand_dims(scale, axis)).astype(np.int8), scale

    def tfc(self, tf: Any, jit: Jit) -> Function:
        dense, (embedding, places) = self.start()
        norm = layer_norm_tensorflow(tf)
        n, heads, length = self.width, self.heads, self.length

        def stored(w: np.ndarray, axis: int) -> tuple[Any, Any]:
            if self.weights == "int8":
                return tuple(tf.Variable(x) for x in self.quantized(w, axis))
            return tf.Variable(tf.cast(w, self.weights)), None

        def product(x: Any, weight: Any, right: bool = False) -> Any:
            w, scale = weight
            y = tf.matmul(x, tf.cast(w, tf.float32), transpose_b=right)
            return y if scale is None else y * scale

        def taken(weight: Any, i: Any) -> Any:
            w, scale = weight
            row = tf.cast(w[i], tf.float32)[None]
            return row if scale is None else row * scale[i]

        layers = [(stored(w, 0), tf.Variable(b)) for w, b in dense]
        words, positions = stored(embedding, 1), tf.Variable(places)
        ones, nothing = tf.Variable(tf.ones(n)), tf.Variable(tf.zeros(n))
        caches = [
            tf.Variable(tf.zeros([heads, length, n // heads])) for _ in range(2 * self.layers)
        ]
        token, place = tf.Variable(0), tf.Variable(0)

        def attend(x: Any, keys: Any, values: Any, here: Any) -> Any:
            q, k, v = tf.unstack(tf.reshape(x, [3, heads, 1, n // heads]))
            for cache, row in ((keys, k), (values, v)):
                start = tf.stack([0, here, 0])
                cache.assign(tf.experimental.dynamic_update_slice(cache, row, start))
            scores = tf.matmul(q, keys, transpose_b=True) / math.sqrt(n // heads)
            scores = tf.where(tf.range(length) <= here, scores, -math.inf)
            return tf.reshape(tf.matmul(tf.nn.softmax(scores), values), [1, n])

        def step() -> Any:
            here = place % length
            x = taken(words, token) + positions[here]
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                mixed = product(norm(x, ones, nothing), qkv) + b1
                x = x + product(attend(mixed, *caches[2 * i : 2 * i + 2], here), out) + b2
                wide = tf.nn.gelu(product(norm(x, ones, nothing), up) + b3)
                x = x + product(wide, down) + b4
            logits = product(norm(x, ones, nothing), words, right=True)
            token.assign(tf.argmax(logits[0], output_type=tf.int32))
            place.assign_add(1)
            return tf.reduce_max(logits)

        return jit(step)

    def jax(self, jax: Any, jit: Jit) -> Function:
        jnp, lax, norm = jax.numpy, jax.lax, layer_norm_jax(jax)
        dense, (embedding, places) = self.start()
        n, heads, length = self.width, self.heads, self.length

        def stored(w: np.ndarray, axis: int) -> Any:
            if self.weights == "int8":
                return jax.device_put(self.quantized(w, axis))
            return jnp.asarray(w, self.weights), None

        def product(x: Any, weight: Any, right: bool = False) -> Any:
            w, scale = weight
            y = x @ (w.T if right else w).astype(jnp.float32)
            return y if scale is None else y * scale

        def attend(x: Any, keys: Any, values: Any, here: Any) -> Any:
            q, k, v = x.reshape(3, heads, 1, n // heads)
            keys = lax.dynamic_update_slice(keys, k, (0, here, 0))
            values = lax.dynamic_update_slice(values, v, (0, here, 0))
            scores = q @ jnp.swapaxes(keys, 1, 2) / math.sqrt(n // heads)
            scores = jnp.where(jnp.arange(length) <= here, scores, -jnp.inf)
            return (jax.nn.softmax(scores) @ values).reshape(1, n), keys, values

        def one(weights: Any, state: Any) -> Any:
            layers, words, positions, ones, nothing = weights
            token, place, caches = state
            here, written = place % length, []
            w, scale = words
            x = w[token].astype(jnp.float32)[None]
            x = (x if scale is None else x * scale[token]) + positions[here]
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                mixed = product(norm(x, ones, nothing), qkv) + b1
                mixed, *new = attend(mixed, *caches[2 * i : 2 * i + 2], here)
                written += new
                x = x + product(mixed, out) + b2
                inner = jax.nn.gelu(product(norm(x, ones, nothing), up) + b3, approximate=False)
                x = x + product(inner, down) + b4
            logits = product(norm(x, ones, nothing), words, right=True)
            return jnp.max(logits), (jnp.argmax(logits[0]), place + 1, written)

        layers = [(stored(w, 0), jax.device_put(b)) for w, b in dense]
        ones = jax.device_put([places, np.ones(n, np.float32), zeros(n)])
        weights = layers, stored(embedding, 1), *ones
        caches = [jnp.zeros((heads, length, n // heads)) for _ in range(2 * self.layers)]
        state = jnp.int32(0), jnp.int32(0), caches
        update = jit(one, donate_argnums=1)

        def step() -> Any:
            nonlocal state
            largest, state = update(weights, state)
            return largest

        return step

    def torch(self, torch: Any, jit: Jit) -> Function:
        one, state = self.one_token(torch)
        token, place, *caches = state
        update = jit(one)

        def step() -> Any:
            nonlocal token, place
            with torch.no_grad():
                largest, token, *_ = update(token, place % self.length, *caches)
            place = place + 1
            return largest

        return step

    def onnx(self, torch: Any, jit: Jit) -> Function:
        """Keys and values are results, which the next call is given: nothing is written over."""
        one, state = self.one_token(torch)
        token, place, *caches = (x.numpy() for x in state)
        update = jit(one)

        def step() -> Any:
            nonlocal token, place, caches
            largest, token, *caches = update(token, place % self.length, *caches)
            place = place + 1
            return largest

        return step

    def one_token(self, torch: Any) -> tuple[Function, list[Any]]:
        """What comes of a token and its place: the largest logit, the next token, and keys and
        values with those of this place written over; and what it begins with."""
        functional, norm = torch.nn.functional, layer_norm_torch(torch)
        dense, (embedding, places) = self.start()
        n, heads, length = self.width, self.heads, self.length
        wide = torch.bfloat16 if self.weights == "bfloat16" else torch.float32

        def stored(w: np.ndarray) -> Any:  # in rows of outputs, as PyTorch's layers have them
            if self.weights == "int8":
                return [torch.tensor(x) for x in self.quantized(w, 1)]
            return torch.tensor(w).to(wide), None

        def product(x: Any, weight: Any, bias: Any = None) -> Any:
            w, scale = weight
            if scale is None:
                return functional.linear(x, w, bias)
            y = functional.linear(x, w.to(wide)) * scale
            return y if bias is None else y + bias

        def one(token: Any, here: Any, *caches: Any) -> Any:
            w, scale = words
            x = w[token].to(wide)
            x = (x if scale is None else x * scale[token]) + positions[here]
            seen = (torch.arange(length) <= here)[None, None]
            for i in range(self.layers):
                (qkv, b1), (out, b2), (up, b3), (down, b4) = layers[4 * i : 4 * i + 4]
                keys, values = caches[2 * i : 2 * i + 2]
                mixed = product(norm(x, ones, nothing), qkv, b1)
                q, k, v = mixed.reshape(3, heads, 1, n // heads)
                keys.index_copy_(1, here, k)
                values.index_copy_(1, here, v)
                given = q[None], keys[None], values[None]
                mixed = functional.scaled_dot_product_attention(*given, attn_mask=seen)
                x = x + product(mixed.reshape(1, n), out, b2)
                inner = functional.gelu(product(norm(x, ones, nothing), up, b3))
                x = x + product(inner, down, b4)
            logits = product(norm(x, ones, nothing), words)
            return logits.max().float(), logits.argmax(-1), *caches

        layers = [(stored(w.T.copy()), torch.tensor(b).to(wide)) for w, b in dense]
        words, positions = stored(embedding), torch.tensor(places).to(wide)
        ones, nothing = torch.ones(n, dtype=wide), torch.zeros(n, dtype=wide)
        shape = heads, length, n // heads
        caches = [torch.zeros(shape, dtype=wide) for _ in range(2 * self.layers)]
        return one, [torch.tensor([0]), torch.tensor([0]), *caches]


@workload
class Single(Decoding):
    name = "decoding, GPT-2 small, float32"


@workload
class Half(Decoding):
    name = "decoding, GPT-2 small, bfloat16 weights"
    weights = "bfloat16"
    without = ("onnx runtime",)  # which does not multiply them
    steps = 1  # PyTorch rounds so much that it goes on with another token
    rtol = 3e-2
    tested = False


@workload
class Bytes(Decoding):
    name = "decoding, GPT-2 small, int8 weights"
    weights = "int8"
