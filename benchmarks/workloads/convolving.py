"""Convolutions of images and their gradients, channels last, with the padding SAME.

PyTorch gets the same memory, and calls the kernel of a gradient alone, as no user does.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


class Convolution(Workload):
    rtol = 1e-4
    table = "contractions"
    without = ("torch compiled",)  # it calls the same kernels
    numbers: ClassVar[tuple[int, ...]]  # batch, side, channels, taps, results, stride, groups

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.side, self.channels, self.taps, self.out, self.step, self.groups = self.numbers
        if quick:
            self.n, self.side = 2, 9
        self.places = -(-self.side // self.step)
        padding = max((self.places - 1) * self.step + self.taps - self.side, 0)
        self.low, self.high = padding // 2, padding - padding // 2

    def floor(self) -> tuple[float, float]:
        places = self.n * self.places**2
        return 0.0, 2.0 * places * self.taps**2 * self.channels // self.groups * self.out

    def data(self, rng: np.random.Generator) -> Arrays:
        return [
            normal(rng, self.n, self.side, self.side, self.channels),
            normal(rng, self.taps, self.taps, self.channels // self.groups, self.out),
        ]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(self.convolve(tf))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(self.convolve_jax(jax))

    def torch(self, torch: Any, jit: Jit) -> Function:
        def f(x: Any, w: Any) -> Any:
            x, w, padding = self.laid_out(torch, x, w)
            y = torch.nn.functional.conv2d(x, w, None, self.step, padding, groups=self.groups)
            return y.permute(0, 2, 3, 1)

        return f

    def convolve(self, tf: Any) -> Function:
        return lambda x, w: tf.nn.conv2d(x, w, self.step, "SAME")

    def convolve_jax(self, jax: Any) -> Function:
        return lambda x, w: jax.lax.conv_general_dilated(
            x,
            w,
            (self.step, self.step),
            "SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
            feature_group_count=self.groups,
        )

    def laid_out(self, torch: Any, x: Any, w: Any) -> tuple[Any, Any, int]:
        """The operands as PyTorch names their axes, and what it pads by itself: as much on both
        sides."""
        x, w = x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1)
        if self.low == self.high:
            return x, w, self.low
        return torch.nn.functional.pad(x, (self.low, self.high) * 2), w, 0


class Gradient(Convolution):
    """One of the two gradients."""

    place: ClassVar[int]  # of the operand that it is for

    def data(self, rng: np.random.Generator) -> Arrays:
        return [*super().data(rng), normal(rng, self.n, self.places, self.places, self.out)]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        convolve = self.convolve(tf)

        def f(x: Any, w: Any, dy: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch((x, w)[self.place])
                y = convolve(x, w)
            return tape.gradient(y, (x, w)[self.place], dy)

        return jit(f)

    def torch(self, torch: Any, jit: Jit) -> Function:
        wanted = [self.place == 0, self.place == 1, False]

        def f(x: Any, w: Any, dy: Any) -> Any:
            x, w, padding = self.laid_out(torch, x, w)
            ends = [self.step] * 2, [padding] * 2, [1, 1], False, [0, 0], self.groups, wanted
            dy = dy.permute(0, 3, 1, 2)
            found = torch.ops.aten.convolution_backward(dy, x, w, None, *ends)[self.place]
            if self.place == 1:
                return found.permute(2, 3, 1, 0)
            cut = slice(self.low - padding, self.low - padding + self.side)
            return found.permute(0, 2, 3, 1)[:, cut, cut]

        return f

    def jax(self, jax: Any, jit: Jit) -> Function:
        convolve = self.convolve_jax(jax)

        def f(x: Any, w: Any, dy: Any) -> Any:
            def one(v: Any) -> Any:
                return convolve(v, w) if self.place == 0 else convolve(x, v)

            return jax.vjp(one, (x, w)[self.place])[1](dy)[0]

        return jit(f)


def convolution(
    name: str,
    batch: int,
    side: int,
    channels: int,
    taps: int,
    results: int,
    stride: int = 1,
    groups: int = 1,
    tested: bool = False,
) -> None:
    """The rows of a convolution."""
    fields = {
        "name": f"conv {name}",
        "numbers": (batch, side, channels, taps, results, stride, groups),
        "tested": tested,
    }
    workload(type("Convolution", (Convolution,), fields))
    for place, operand in enumerate("xw"):
        own = {"name": f"conv {name}, gradient of {operand}", "place": place}
        workload(type("Gradient", (Gradient,), fields | own))


convolution("128x32x32x3 3x3x64", 128, 32, 3, 3, 64, tested=True)
convolution("32x28x28x32 5x5x64", 32, 28, 32, 5, 64)
convolution("32x28x28x64 1x1x64", 32, 28, 64, 1, 64)
convolution("32x28x28x32 3x3x64 stride 2", 32, 28, 32, 3, 64, 2)
convolution("128x28x28x1 5x5x32", 128, 28, 1, 5, 32)
convolution("8x224x224x3 7x7x64 stride 2", 8, 224, 3, 7, 64, 2)
convolution("8x56x56x64 3x3x64", 8, 56, 64, 3, 64)
convolution("32x56x56x64 3x3 depthwise", 32, 56, 64, 3, 64, 1, 64)
convolution("4x28x28x128 3x3 depthwise", 4, 28, 128, 3, 128, 1, 128)
convolution("32x28x28x64 3x3x64 in 8 groups", 32, 28, 64, 3, 64, 1, 8)


@workload
class Pooled(Convolution):
    """With a bias, relu and the maxima of 2 x 2."""

    name = "conv 128x32x32x3 3x3x32, relu, max pool"
    numbers = (128, 32, 3, 3, 32, 1, 1)
    without = ()

    def data(self, rng: np.random.Generator) -> Arrays:
        return [*super().data(rng), normal(rng, self.out)]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def f(x: Any, w: Any, b: Any) -> Any:
            return tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME") + b), 2, 2, "VALID")

        return jit(f)

    def jax(self, jax: Any, jit: Jit) -> Function:
        convolve = self.convolve_jax(jax)

        def f(x: Any, w: Any, b: Any) -> Any:
            y = jax.nn.relu(convolve(x, w) + b)
            ends = -np.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
            return jax.lax.reduce_window(y, *ends)

        return jit(f)

    def torch(self, torch: Any, jit: Jit) -> Function:
        def f(x: Any, w: Any, b: Any) -> Any:
            x, w, padding = self.laid_out(torch, x, w)
            y = torch.relu(torch.nn.functional.conv2d(x, w, b, 1, padding))
            return torch.nn.functional.max_pool2d(y, 2).permute(0, 2, 3, 1)

        return jit(f)
