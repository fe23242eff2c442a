"""Networks that look at images: ResNet-50 (He et al., 2015), MobileNetV2 (Sandler et al., 2018),
EfficientNet-B0 (Tan and Le, 2019), a vision transformer of ViT-S' size (Dosovitskiy et al., 2020)
and a U-Net (Ronneberger et al., 2015) of half its channels.

Each is written once, over the layers that a library has (`Layers`); `Shapes` walks through it for
its weights, which are random, and its operations. Images of one are of 224 x 224, those of batches
and of training of 64 x 64. Training normalises by the batch, inference by what has been learned.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload
from .normalising import layer_norm_jax, layer_norm_tensorflow, layer_norm_torch
from .training import Training, jax_cross_entropy, scaled, tensorflow_cross_entropy, zeros

EPSILON = 1e-3
CLASSES = 1000


class Layers(ABC):
    """What networks are made of; the weights come in the order in which they are asked for."""

    channels = 3  # the axis of channels of images
    relu: Function
    clip: Function  # to 0 .. 6
    sigmoid: Function
    gelu: Function
    layer_norm: Function  # of an array, its scale and its offset

    def __init__(self, parameters: Iterable[Any], training: bool) -> None:
        self.parameters: Iterator[Any] = iter(parameters)
        self.training = training

    def weight(self, *shape: int) -> Any:
        return next(self.parameters)

    def scale(self, width: int) -> tuple[Any, Any]:
        return next(self.parameters), next(self.parameters)

    def bias(self, width: int) -> Any:
        return next(self.parameters)

    def width(self, x: Any) -> int:
        return int(x.shape[self.channels if len(x.shape) == 4 else -1])

    def block(self, x: Any, width: int, size: int, stride: int = 1, act: str = "") -> Any:
        """A convolution, normalised, and a function of it."""
        x = self.conv(x, self.weight(size, size, self.width(x), width), stride)
        return self.act(self.norm(x, *self.scale(width)), act)

    def depthwise_block(self, x: Any, size: int, stride: int, act: str) -> Any:
        width = self.width(x)
        x = self.depthwise(x, self.weight(size, size, 1, width), stride)
        return self.act(self.norm(x, *self.scale(width)), act)

    def linear(self, x: Any, width: int) -> Any:
        return self.dense(x, self.weight(self.width(x), width), self.bias(width))

    def act(self, x: Any, name: str) -> Any:
        return getattr(self, name)(x) if name else x

    def relu6(self, x: Any) -> Any:
        return self.clip(x)

    def swish(self, x: Any) -> Any:
        return x * self.sigmoid(x)

    @abstractmethod
    def conv(self, x: Any, w: Any, stride: int) -> Any: ...

    @abstractmethod
    def depthwise(self, x: Any, w: Any, stride: int) -> Any: ...

    @abstractmethod
    def norm(self, x: Any, scale: Any, offset: Any) -> Any: ...

    @abstractmethod
    def dense(self, x: Any, w: Any, bias: Any) -> Any: ...

    @abstractmethod
    def pool(self, x: Any, size: int) -> Any:
        """The maximum of windows, two apart."""

    @abstractmethod
    def mean(self, x: Any, keep: bool = False) -> Any:
        """Of each channel."""

    @abstractmethod
    def join(self, small: Any, x: Any) -> Any:
        """The channels of what is half as large, each element four times, before those of x."""

    @abstractmethod
    def rows(self, x: Any) -> Any:
        """The places of images as one axis."""

    @abstractmethod
    def mean_row(self, x: Any) -> Any: ...

    @abstractmethod
    def attend(self, x: Any, heads: int) -> Any:
        """Attention, of queries, keys and values side by side."""


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


class Shape:
    """What `Shapes` knows of an array."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape

    def __add__(self, other: Shape) -> Shape:
        assert self.shape == other.shape
        return self

    def __mul__(self, other: Shape) -> Shape:
        return self


class Shapes(Layers):
    """Walks through a network with shapes: what weights it has, and how much it multiplies."""

    def __init__(self) -> None:
        super().__init__((), False)
        self.asked: list[tuple[str, tuple[int, ...]]] = []
        self.operations = 0.0

    def ask(self, kind: str, *shape: int) -> Shape:
        self.asked.append((kind, shape))
        return Shape(*shape)

    def weight(self, *shape: int) -> Any:
        return self.ask("weight", *shape)

    def scale(self, width: int) -> tuple[Any, Any]:
        return self.ask("ones", width), self.ask("zeros", width)

    def bias(self, width: int) -> Any:
        return self.ask("zeros", width)

    def made(self) -> Arrays:
        """The weights that were asked for."""
        rng = np.random.default_rng(1)
        make = {"weight": lambda *shape: scaled(rng, *shape), "zeros": zeros, "ones": ones}
        return [make[kind](*shape) for kind, shape in self.asked]

    def conv(self, x: Shape, w: Shape, stride: int) -> Shape:
        n, height, width, _ = x.shape
        places = -(-height // stride), -(-width // stride)
        self.operations += 2.0 * n * math.prod(places) * math.prod(w.shape)
        return Shape(n, *places, w.shape[3])

    depthwise = conv

    def norm(self, x: Shape, scale: Any, offset: Any) -> Shape:
        return x

    layer_norm = norm

    def act(self, x: Shape, name: str) -> Shape:
        return x

    def clip(self, x: Shape) -> Shape:
        return x

    sigmoid = clip

    def dense(self, x: Shape, w: Shape, bias: Any) -> Shape:
        self.operations += 2.0 * math.prod(x.shape[:-1]) * math.prod(w.shape)
        return Shape(*x.shape[:-1], w.shape[1])

    def pool(self, x: Shape, size: int) -> Shape:
        n, height, width, channels = x.shape
        return Shape(n, -(-height // 2), -(-width // 2), channels)

    def mean(self, x: Shape, keep: bool = False) -> Shape:
        n, _, _, channels = x.shape
        return Shape(n, 1, 1, channels) if keep else Shape(n, channels)

    def join(self, small: Shape, x: Shape) -> Shape:
        return Shape(*x.shape[:3], small.shape[3] + x.shape[3])

    def rows(self, x: Shape) -> Shape:
        n, height, width, channels = x.shape
        return Shape(n, height * width, channels)

    def mean_row(self, x: Shape) -> Shape:
        return Shape(x.shape[0], x.shape[2])

    def attend(self, x: Shape, heads: int) -> Shape:
        n, length, width = x.shape
        self.operations += 4.0 * n * length**2 * (width // 3)
        return Shape(n, length, width // 3)


class TensorFlowLayers(Layers):
    def __init__(self, tf: Any, parameters: Iterable[Any], training: bool) -> None:
        super().__init__(parameters, training)
        self.tf = tf
        self.relu, self.clip, self.sigmoid = tf.nn.relu, tf.nn.relu6, tf.sigmoid
        self.gelu, self.layer_norm = tf.nn.gelu, layer_norm_tensorflow(tf)

    def conv(self, x: Any, w: Any, stride: int) -> Any:
        return self.tf.nn.conv2d(x, w, stride, "SAME")

    def depthwise(self, x: Any, w: Any, stride: int) -> Any:
        w = self.tf.transpose(w, [0, 1, 3, 2])
        return self.tf.nn.depthwise_conv2d(x, w, [1, stride, stride, 1], "SAME")

    def norm(self, x: Any, scale: Any, offset: Any) -> Any:
        if not self.training:
            return x * scale + offset
        mean, variance = self.tf.nn.moments(x, [0, 1, 2])
        return self.tf.nn.batch_normalization(x, mean, variance, offset, scale, EPSILON)

    def dense(self, x: Any, w: Any, bias: Any) -> Any:
        return self.tf.matmul(x, w) + bias

    def pool(self, x: Any, size: int) -> Any:
        return self.tf.nn.max_pool2d(x, size, 2, "SAME")

    def mean(self, x: Any, keep: bool = False) -> Any:
        return self.tf.reduce_mean(x, [1, 2], keepdims=keep)

    def join(self, small: Any, x: Any) -> Any:
        large = self.tf.repeat(self.tf.repeat(small, 2, axis=1), 2, axis=2)
        return self.tf.concat([large, x], 3)

    def rows(self, x: Any) -> Any:
        return self.tf.reshape(x, [x.shape[0], -1, x.shape[3]])

    def mean_row(self, x: Any) -> Any:
        return self.tf.reduce_mean(x, 1)

    def attend(self, x: Any, heads: int) -> Any:
        tf, (n, length, width) = self.tf, x.shape
        parts = tf.reshape(x, [n, length, 3, heads, -1])
        q, k, v = tf.unstack(tf.transpose(parts, [2, 0, 3, 1, 4]))
        scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(width // 3 // heads)
        mixed = tf.matmul(tf.nn.softmax(scores), v)
        return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [n, length, width // 3])


class JaxLayers(Layers):
    def __init__(self, jax: Any, parameters: Iterable[Any], training: bool) -> None:
        super().__init__(parameters, training)
        self.jax, self.jnp = jax, jax.numpy
        self.relu, self.clip, self.sigmoid = jax.nn.relu, jax.nn.relu6, jax.nn.sigmoid
        self.layer_norm = layer_norm_jax(jax)

    def gelu(self, x: Any) -> Any:
        return self.jax.nn.gelu(x, approximate=False)

    def conv(self, x: Any, w: Any, stride: int, groups: int = 1) -> Any:
        names = ("NHWC", "HWIO", "NHWC")
        convolve = self.jax.lax.conv_general_dilated
        steps = (stride, stride)
        return convolve(x, w, steps, "SAME", dimension_numbers=names, feature_group_count=groups)

    def depthwise(self, x: Any, w: Any, stride: int) -> Any:
        return self.conv(x, w, stride, self.width(x))

    def norm(self, x: Any, scale: Any, offset: Any) -> Any:
        if not self.training:
            return x * scale + offset
        mean, variance = self.jnp.mean(x, (0, 1, 2)), self.jnp.var(x, (0, 1, 2))
        return (x - mean) * (self.jax.lax.rsqrt(variance + EPSILON) * scale) + offset

    def dense(self, x: Any, w: Any, bias: Any) -> Any:
        return x @ w + bias

    def pool(self, x: Any, size: int) -> Any:
        lax, windows, steps = self.jax.lax, (1, size, size, 1), (1, 2, 2, 1)
        return lax.reduce_window(x, -self.jnp.inf, lax.max, windows, steps, "SAME")

    def mean(self, x: Any, keep: bool = False) -> Any:
        return self.jnp.mean(x, (1, 2), keepdims=keep)

    def join(self, small: Any, x: Any) -> Any:
        large = self.jnp.repeat(self.jnp.repeat(small, 2, axis=1), 2, axis=2)
        return self.jnp.concatenate([large, x], 3)

    def rows(self, x: Any) -> Any:
        return x.reshape(x.shape[0], -1, x.shape[3])

    def mean_row(self, x: Any) -> Any:
        return self.jnp.mean(x, 1)

    def attend(self, x: Any, heads: int) -> Any:
        jnp, (n, length, width) = self.jnp, x.shape
        q, k, v = jnp.transpose(x.reshape(n, length, 3, heads, -1), (2, 0, 3, 1, 4))
        scores = q @ jnp.swapaxes(k, -1, -2) / math.sqrt(width // 3 // heads)
        mixed = self.jax.nn.softmax(scores) @ v
        return jnp.transpose(mixed, (0, 2, 1, 3)).reshape(n, length, width // 3)


class TorchLayers(Layers):
    """Images are (batch, channels, height, width), over the same memory; kernels are turned
    before."""

    channels = 1

    def __init__(self, torch: Any, parameters: Iterable[Any], training: bool) -> None:
        super().__init__(parameters, training)
        self.torch, self.functional = torch, torch.nn.functional
        self.relu, self.clip = torch.relu, torch.nn.functional.relu6
        self.sigmoid, self.gelu = torch.sigmoid, torch.nn.functional.gelu
        self.swish = torch.nn.functional.silu
        self.layer_norm = layer_norm_torch(torch)

    def conv(self, x: Any, w: Any, stride: int, groups: int = 1) -> Any:
        size = w.shape[2]
        side = x.shape[2]
        padding = max((-(-side // stride) - 1) * stride + size - side, 0)
        low, high = padding // 2, padding - padding // 2
        if low != high:
            x, low = self.functional.pad(x, (low, high, low, high)), 0
        return self.functional.conv2d(x, w, None, stride, low, groups=groups)

    def depthwise(self, x: Any, w: Any, stride: int) -> Any:
        return self.conv(x, w, stride, self.width(x))

    def norm(self, x: Any, scale: Any, offset: Any) -> Any:
        if self.training:
            return self.functional.batch_norm(x, None, None, scale, offset, True, 0.0, EPSILON)
        kept = self.torch.zeros_like(scale), self.torch.ones_like(scale)
        return self.functional.batch_norm(x, *kept, scale, offset, False, 0.0, 0.0)

    def dense(self, x: Any, w: Any, bias: Any) -> Any:
        return x @ w + bias

    def pool(self, x: Any, size: int) -> Any:
        if size == 2:
            return self.functional.max_pool2d(x, 2)
        x = self.functional.pad(x, (0, 1, 0, 1), value=-math.inf)
        return self.functional.max_pool2d(x, size, 2)

    def mean(self, x: Any, keep: bool = False) -> Any:
        return x.mean((2, 3), keepdim=keep)

    def join(self, small: Any, x: Any) -> Any:
        return self.torch.cat([self.functional.interpolate(small, scale_factor=2), x], 1)

    def rows(self, x: Any) -> Any:
        return x.permute(0, 2, 3, 1).flatten(1, 2)

    def mean_row(self, x: Any) -> Any:
        return x.mean(1)

    def attend(self, x: Any, heads: int) -> Any:
        n, length, width = x.shape
        q, k, v = x.reshape(n, length, 3, heads, -1).permute(2, 0, 3, 1, 4).unbind()
        mixed = self.functional.scaled_dot_product_attention(q, k, v)
        return mixed.permute(0, 2, 1, 3).reshape(n, length, width // 3)


# ---- the networks; `small` for tests ----


def resnet(layers: Layers, x: Any, small: bool) -> Any:
    first = 8 if small else 64
    x = layers.pool(layers.block(x, first, 7, 2, "relu"), 3)
    for stage, blocks in enumerate((1, 1) if small else (3, 4, 6, 3)):
        width = first << stage
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            y = layers.block(x, width, 1, act="relu")
            y = layers.block(layers.block(y, width, 3, stride, "relu"), 4 * width, 1)
            shortcut = x if block else layers.block(x, 4 * width, 1, stride)
            x = layers.act(y + shortcut, "relu")
    return layers.linear(layers.mean(x), 10 if small else CLASSES)


# Of each stage: by how much it widens, its channels, its blocks, its stride, its taps.
MOBILE = (
    (1, 16, 1, 1, 3),
    (6, 24, 2, 2, 3),
    (6, 32, 3, 2, 3),
    (6, 64, 4, 2, 3),
    (6, 96, 3, 1, 3),
    (6, 160, 3, 2, 3),
    (6, 320, 1, 1, 3),
)
EFFICIENT = (
    (1, 16, 1, 1, 3),
    (6, 24, 2, 2, 3),
    (6, 40, 2, 2, 5),
    (6, 80, 3, 2, 3),
    (6, 112, 3, 1, 5),
    (6, 192, 4, 2, 5),
    (6, 320, 1, 1, 3),
)


def _inverted(
    layers: Layers, x: Any, small: bool, stages: tuple[tuple[int, ...], ...], act: str, gates: bool
) -> Any:
    x = layers.block(x, 32, 3, 2, act)
    for widen, width, blocks, stride, size in stages[:2] if small else stages:
        for block in range(1 if small else blocks):
            came, y = layers.width(x), x
            if widen > 1:
                y = layers.block(y, widen * came, 1, act=act)
            y = layers.depthwise_block(y, size, 1 if block else stride, act)
            if gates:
                gate = layers.mean(y, keep=True)
                gate = layers.act(_pointwise(layers, gate, max(1, came // 4)), act)
                y = y * layers.sigmoid(_pointwise(layers, gate, layers.width(y)))
            y = layers.block(y, width, 1)
            x = x + y if block else y
    x = layers.block(x, 16 if small else 1280, 1, act=act)
    return layers.linear(layers.mean(x), 10 if small else CLASSES)


def _pointwise(layers: Layers, x: Any, width: int) -> Any:
    return layers.conv(x, layers.weight(1, 1, layers.width(x), width), 1)


def mobilenet(layers: Layers, x: Any, small: bool) -> Any:
    return _inverted(layers, x, small, MOBILE, "relu6", gates=False)


def efficientnet(layers: Layers, x: Any, small: bool) -> Any:
    return _inverted(layers, x, small, EFFICIENT, "swish", gates=True)


def vit(layers: Layers, x: Any, small: bool) -> Any:
    """Patches of 16 x 16, of which a small image has few: of 8 x 8 there."""
    width, heads = (16, 2) if small else (384, 6)
    size = 16 if int(x.shape[2]) > 100 else 8
    x = layers.rows(layers.conv(x, layers.weight(size, size, 3, width), size))
    for _ in range(2 if small else 12):
        y = layers.linear(layers.layer_norm(x, *layers.scale(width)), 3 * width)
        x = x + layers.linear(layers.attend(y, heads), width)
        y = layers.linear(layers.layer_norm(x, *layers.scale(width)), 4 * width)
        x = x + layers.linear(layers.act(y, "gelu"), width)
    x = layers.layer_norm(x, *layers.scale(width))
    return layers.linear(layers.mean_row(x), 10 if small else CLASSES)


def unet(layers: Layers, x: Any, small: bool) -> Any:
    """A class for each place; the mean of the logits stands for them, as for images as a whole."""

    def pair(x: Any, width: int) -> Any:
        return layers.block(layers.block(x, width, 3, act="relu"), width, 3, act="relu")

    first, levels, kept = (4, 2, []) if small else (32, 4, [])
    for level in range(levels):
        x = pair(x, first << level)
        kept.append(x)
        x = layers.pool(x, 2)
    x = pair(x, first << levels)
    for level in reversed(range(levels)):
        x = pair(layers.join(x, kept.pop()), first << level)
    return layers.mean(_pointwise(layers, x, 10 if small else 21))


# ---- rows ----


class Vision(Workload):
    """What images are taken for."""

    rtol = 1e-3
    network: ClassVar[Callable[[Layers, Any, bool], Any]]
    images: ClassVar[tuple[int, int]]  # how many, and their side

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.batch, self.side = (min(4, self.images[0]), 32) if quick else self.images
        self.shapes = Shapes()
        self.run(self.shapes, Shape(self.batch, self.side, self.side, 3))

    def run(self, layers: Layers, x: Any) -> Any:
        return type(self).network(layers, x, self.quick)

    def floor(self) -> tuple[float, float]:
        return 0.0, self.shapes.operations

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, self.batch, self.side, self.side, 3)]

    def start(self) -> Arrays:
        return self.shapes.made()

    def torch_start(self, torch: Any) -> list[Any]:
        """Its kernels are (out, in, height, width), in the order of channels last."""
        found = [w.transpose(3, 2, 0, 1) if w.ndim == 4 else w for w in self.start()]
        made = [torch.tensor(np.ascontiguousarray(w)) for w in found]
        last = torch.channels_last
        return [w.contiguous(memory_format=last) if w.ndim == 4 else w for w in made]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        parameters = [tf.Variable(w) for w in self.start()]
        return jit(lambda x: self.run(TensorFlowLayers(tf, parameters, False), x))

    def jax(self, jax: Any, jit: Jit) -> Function:
        parameters = jax.device_put(self.start())
        run = jit(lambda parameters, x: self.run(JaxLayers(jax, parameters, False), x))
        return lambda x: run(parameters, x)

    def torch(self, torch: Any, jit: Jit) -> Function:
        parameters = self.torch_start(torch)

        def f(x: Any) -> Any:
            return self.run(TorchLayers(torch, parameters, False), x.permute(0, 3, 1, 2))

        return jit(f)

    onnx: Callable[..., Function] | None = torch


class VisionStep(Vision, Training):
    """A step of gradient descent of these."""

    rtol = 1e-2
    steps = 2
    without = ("torch compiled", "tf xla")  # which compile for minutes
    images = (16, 64)

    def floor(self) -> tuple[float, float]:
        return 0.0, 3 * self.shapes.operations

    def data(self, rng: np.random.Generator) -> Arrays:
        classes = 10 if self.quick else 21
        return [*super().data(rng), rng.integers(0, classes, self.batch, dtype=np.int64)]

    tensorflow, jax, torch = Training.tensorflow, Training.jax, Training.torch
    onnx = None  # which has inference alone

    def tensorflow_loss(self, tf: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            logits = self.run(TensorFlowLayers(tf, parameters, True), x)
            return tensorflow_cross_entropy(tf, logits, classes)

        return loss

    def jax_loss(self, jax: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            return jax_cross_entropy(jax, self.run(JaxLayers(jax, parameters, True), x), classes)

        return loss

    def torch_loss(self, torch: Any) -> Function:
        def loss(parameters: Any, x: Any, classes: Any) -> Any:
            logits = self.run(TorchLayers(torch, parameters, True), x.permute(0, 3, 1, 2))
            return torch.nn.functional.cross_entropy(logits, classes)

        return loss


NETWORKS: dict[str, Callable[[Layers, Any, bool], Any]] = {
    "ResNet-50": resnet,
    "MobileNetV2": mobilenet,
    "EfficientNet-B0": efficientnet,
    "ViT": vit,
    "U-Net": unet,
}

for _name, _network in NETWORKS.items():
    _shared = {"network": staticmethod(_network), "__module__": __name__}
    for _batch, _side in ((1, 224), (16, 64)):
        _row = {
            "name": f"{_name}, {_batch} of {_side}x{_side}",
            "images": (_batch, _side),
            "tested": _batch == 1,
            "without": ("torch compiled", "tf xla") if _batch > 1 else (),
        }
        workload(type("Images", (Vision,), {**_shared, **_row}))
    workload(type("Step", (VisionStep,), {**_shared, "name": f"{_name} step, 16 of 64x64"}))
