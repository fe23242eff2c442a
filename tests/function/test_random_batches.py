"""A first call compiles what serves all batches up to its own: random networks, with their steps of
training, have the bits of programs for each size alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL
from tfc.function import traces

Layer = Callable[[Any], Any]


class Network:
    """Layers that are drawn, and a loss."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.weights: list[tf.Variable] = []
        drawn = self.random.integers(3, 12, 2).tolist()
        depth = int(self.random.choice([1, 3, 4, 8, 16]))
        self.shape: tuple[int, ...] = [(depth * drawn[0],), (drawn[0], depth), (*drawn, depth)][
            seed % 3
        ]
        self.classes = int(self.random.integers(2, 12))
        shape, self.layers = self.shape, []
        for _ in range(self.random.integers(2, 7)):
            layer, shape = self.layer(shape)
            self.layers.append(layer)
        self.last = self.weight(int(np.prod(shape)), self.classes)

    def weight(self, *shape: int) -> tf.Variable:
        self.weights.append(tf.Variable(0.3 * self.random.normal(size=shape).astype(np.float32)))
        return self.weights[-1]

    def layer(self, shape: tuple[int, ...]) -> tuple[Layer, tuple[int, ...]]:
        """A layer for elements of a shape, and the shape of what it gives."""
        *around, depth = shape
        kinds = ["dense", "norm", "batch norm", "softmax", "concat", "cumsum", "batch sum", "gate"]
        if len(around) == 2 and min(around) > 2:
            kinds += ["convolution", "depthwise", "pool"] * 2
        if around:
            kinds += ["sum", "transpose", "flatten"]
        match str(self.random.choice(kinds)):
            case "dense":
                w, b = self.weight(depth, n := int(self.random.integers(1, 48))), self.weight(n)
                return lambda x: tf.nn.relu(tf.tensordot(x, w, 1) + b), (*around, n)
            case "norm":
                g = self.weight(depth)
                return lambda x: g * _normal(x, [-1]), shape
            case "batch norm":
                g = self.weight(depth)
                return lambda x: g * _normal(x, [*range(len(shape))]), shape
            case "concat":
                return lambda x: tf.concat([x, tf.tanh(x)], -1), (*around, 2 * depth)
            case "cumsum":
                return lambda x: tf.cumsum(x, -1), shape
            case "batch sum":
                return lambda x: 0.01 * x * tf.reduce_sum(x, 0, keepdims=True), shape
            case "gate" if depth % 2 == 0:
                return lambda x: tf.multiply(*tf.split(tf.sigmoid(x), 2, -1)), (*around, depth // 2)
            case "convolution":
                w = self.weight(3, 3, depth, n := int(self.random.choice([1, 3, 8, 24])))
                stride = int(self.random.integers(1, 3))
                places = [-(-n // stride) for n in around]
                return lambda x: tf.nn.conv2d(x, w, stride, "SAME"), (*places, n)
            case "depthwise":
                w = self.weight(3, 3, depth, 1)
                return lambda x: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), shape
            case "pool":
                halves = [n // 2 for n in around]
                return lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), (*halves, depth)
            case "sum":
                return lambda x: tf.reduce_sum(x, 1), shape[1:]
            case "transpose":
                axes = [0, *range(len(shape), 0, -1)]
                return lambda x: tf.transpose(x, axes), shape[::-1]
            case "flatten":
                size = int(np.prod(shape))
                return lambda x: tf.reshape(x, [-1, size]), (size,)
            case _:
                return tf.nn.softmax, shape

    def step(self, x: Any, labels: Any) -> list[Any]:
        """Loss, outputs and gradients."""
        with tf.GradientTape() as tape:
            for layer in self.layers:
                x = layer(x)
            outputs = tf.reshape(x, [-1, self.last.shape[0]]) @ self.last
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, outputs)
            loss = tf.reduce_mean(losses)
        return [loss, outputs, *tape.gradient(loss, self.weights)]

    def data(self, size: int) -> tuple[tf.Tensor, tf.Tensor]:
        random = np.random.default_rng(size)
        x = random.normal(size=(size, *self.shape)).astype(np.float32)
        return tf.constant(x), tf.constant(random.integers(0, self.classes, size))


def _normal(x: Any, axes: list[int]) -> Any:
    mean, variance = tf.nn.moments(x, axes, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-3)


# Whose first call compiles for its own size alone, since not all of its ops go along rows.
ALONE = {4}


@pytest.mark.parametrize("seed", range(60 if ALL else 6))
def test_every_size_has_its_own_bits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(seed)
    largest = int(network.random.choice([5, 8, 12, 17, 33]))
    monkeypatch.setattr(traces, "EXPECTING_OPS_MIN", 1)
    f = tf.function(network.step)
    f(*network.data(largest))
    (first,) = f.concrete_functions
    assert seed > 5 or bool(first._sizes) is (seed not in ALONE)
    for size in (largest - 1, 2, 1 + largest // 2):
        found = f(*network.data(size))
        with monkeypatch.context() as patch:
            patch.setattr(traces, "EXPECTING_OPS_MIN", 1 << 30)
            alone = tf.function(network.step)(*network.data(size))
        for got, wanted in zip(found, alone, strict=True):
            np.testing.assert_array_equal(got.numpy().view(np.int32), wanted.numpy().view(np.int32))
