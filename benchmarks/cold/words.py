"""The few words that steps are written in, in each library. Images have their channels last."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

RATE = 0.01

Step = Callable[..., float]  # a batch's loss; the parameters are a step further


class TensorFlow:
    """TensorFlow and tfc, with a `tf.function`."""

    def __init__(self, name: str) -> None:
        self.tf = tf = importlib.import_module(name)
        self.array, self.relu, self.tanh, self.sigmoid = (
            tf.constant,
            tf.nn.relu,
            tf.tanh,
            tf.sigmoid,
        )
        self.gelu, self.softmax, self.einsum = tf.nn.gelu, tf.nn.softmax, tf.einsum
        self.softplus = tf.nn.softplus

    def conv(self, x: Any, kernel: Any, stride: int = 1) -> Any:
        return self.tf.nn.conv2d(x, kernel, stride, "SAME")

    def grow(self, x: Any, kernel: Any) -> Any:
        """Twice as high and as wide, by a transposed convolution."""
        shape = self.tf.shape(x)
        size = [shape[0], 2 * x.shape[1], 2 * x.shape[2], kernel.shape[2]]
        return self.tf.nn.conv2d_transpose(x, kernel, size, 2, "SAME")

    def pool(self, x: Any) -> Any:
        return self.tf.nn.max_pool2d(x, 2, 2, "VALID")

    def mean(self, x: Any, *axes: int, keep: bool = False) -> Any:
        return self.tf.reduce_mean(x, axes or None, keepdims=keep)

    def reshape(self, x: Any, *shape: int) -> Any:
        return self.tf.reshape(x, shape)

    def split(self, x: Any, count: int, axis: int) -> Sequence[Any]:
        return self.tf.split(x, count, axis)

    def zeros(self, like: Any, width: int) -> Any:
        """As many rows as `like` has."""
        return self.tf.zeros([self.tf.shape(like)[0], width])

    def entropy(self, labels: Any, logits: Any) -> Any:
        loss = self.tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return self.tf.reduce_mean(loss)

    def training(self, parameters: Sequence[np.ndarray], loss: Callable[..., Any]) -> Step:
        variables = [self.tf.Variable(p) for p in parameters]

        @self.tf.function  # type: ignore[untyped-decorator]
        def step(*batch: Any) -> Any:
            with self.tf.GradientTape() as tape:
                value = loss(variables, *batch)
            for v, gradient in zip(variables, tape.gradient(value, variables), strict=True):
                v.assign_sub(RATE * gradient)
            return value

        return lambda *batch: float(step(*map(self.array, batch)))


class Torch:
    """PyTorch, eager, as it is used for most first steps."""

    def __init__(self, name: str) -> None:
        self.torch = torch = importlib.import_module(name)
        self.relu, self.tanh, self.sigmoid = torch.relu, torch.tanh, torch.sigmoid
        self.functional = torch.nn.functional
        self.gelu, self.einsum = self.functional.gelu, torch.einsum
        self.softplus = self.functional.softplus

    def array(self, x: np.ndarray) -> Any:
        return self.torch.from_numpy(x)

    def reshape(self, x: Any, *shape: int) -> Any:
        return self.torch.reshape(x, shape)

    def softmax(self, x: Any) -> Any:
        return self.torch.softmax(x, -1)

    def conv(self, x: Any, kernel: Any, stride: int = 1) -> Any:
        x, size = x.permute(0, 3, 1, 2), kernel.shape[0]
        whole = [max(size - (stride if e % stride == 0 else e % stride), 0) for e in x.shape[2:]]
        edges = [n for w in reversed(whole) for n in (w // 2, w - w // 2)]
        y = self.functional.pad(x, edges)
        return self.functional.conv2d(y, kernel.permute(3, 2, 0, 1), stride=stride).permute(
            0, 2, 3, 1
        )

    def grow(self, x: Any, kernel: Any) -> Any:
        x, kernel = x.permute(0, 3, 1, 2), kernel.permute(3, 2, 0, 1)
        grown = self.functional.conv_transpose2d(x, kernel, stride=2, padding=1)
        return grown.permute(0, 2, 3, 1)

    def pool(self, x: Any) -> Any:
        return self.functional.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)

    def mean(self, x: Any, *axes: int, keep: bool = False) -> Any:
        return x.mean(axes, keepdim=keep) if axes else x.mean()

    def split(self, x: Any, count: int, axis: int) -> Sequence[Any]:
        return self.torch.chunk(x, count, axis)  # type: ignore[no-any-return]

    def zeros(self, like: Any, width: int) -> Any:
        return self.torch.zeros(like.shape[0], width)

    def entropy(self, labels: Any, logits: Any) -> Any:
        return self.functional.cross_entropy(logits, labels.long())

    def training(self, parameters: Sequence[np.ndarray], loss: Callable[..., Any]) -> Step:
        variables = [self.torch.tensor(p, requires_grad=True) for p in parameters]

        def step(*batch: np.ndarray) -> float:
            value = loss(variables, *map(self.array, batch))
            gradients = self.torch.autograd.grad(value, variables)
            with self.torch.no_grad():
                for v, gradient in zip(variables, gradients, strict=True):
                    v -= RATE * gradient
            return float(value)

        return step


class Jax:
    """JAX, with a `jit`."""

    def __init__(self, name: str) -> None:
        self.jax = jax = importlib.import_module(name)
        self.np = np_ = importlib.import_module("jax.numpy")
        self.array, self.tanh, self.einsum = np_.asarray, np_.tanh, np_.einsum
        self.relu, self.sigmoid, self.gelu = jax.nn.relu, jax.nn.sigmoid, jax.nn.gelu
        self.softmax, self.split, self.softplus = jax.nn.softmax, np_.split, jax.nn.softplus

    def conv(self, x: Any, kernel: Any, stride: int = 1) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        return self.jax.lax.conv_general_dilated(
            x, kernel, (stride,) * 2, "SAME", (1, 1), (1, 1), layout
        )

    def grow(self, x: Any, kernel: Any) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        return self.jax.lax.conv_transpose(
            x, kernel, (2, 2), "SAME", None, layout, transpose_kernel=True
        )

    def pool(self, x: Any) -> Any:
        window = (1, 2, 2, 1)
        return self.jax.lax.reduce_window(x, -np.inf, self.jax.lax.max, window, window, "VALID")

    def mean(self, x: Any, *axes: int, keep: bool = False) -> Any:
        return self.np.mean(x, axes or None, keepdims=keep)

    def reshape(self, x: Any, *shape: int) -> Any:
        return self.np.reshape(x, shape)

    def zeros(self, like: Any, width: int) -> Any:
        return self.np.zeros((like.shape[0], width))

    def entropy(self, labels: Any, logits: Any) -> Any:
        chosen = self.np.take_along_axis(self.jax.nn.log_softmax(logits), labels[:, None], 1)
        return -self.np.mean(chosen)

    def training(self, parameters: Sequence[np.ndarray], loss: Callable[..., Any]) -> Step:
        kept = [[self.array(p) for p in parameters]]

        @self.jax.jit  # type: ignore[untyped-decorator]
        def step(variables: Any, *batch: Any) -> Any:
            value, gradients = self.jax.value_and_grad(loss)(variables, *batch)
            moved = [v - RATE * g for v, g in zip(variables, gradients, strict=True)]
            return value, moved

        def run(*batch: np.ndarray) -> float:
            value, kept[0] = step(kept[0], *batch)
            return float(value)

        return run


LIBRARIES: dict[str, Callable[[str], Any]] = {
    "tfc": TensorFlow,
    "tensorflow": TensorFlow,
    "torch": Torch,
    "jax": Jax,
}
