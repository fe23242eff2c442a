"""Matrix products and convolutions, beside the rate of multiply-adds that a core can reach.

Operands are in the cache where they fit: what is measured is arithmetic, packing and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from . import limits, peers
from .harness import Contender, row, statement

GIGA = 1e-9
rng = np.random.default_rng(0)

Function = Callable[..., Any]


def normal(*shape: int, dtype: str = "float32") -> np.ndarray:
    return rng.standard_normal(shape).astype(dtype)


def contenders(
    data: list[np.ndarray],
    ours: Function,
    operations: float,
    numpy: Function | None = None,
    torch: Callable[[Any], Function] | None = None,
    jax: Callable[[Any], Function] | None = None,
) -> list[Contender]:
    """The same work by every library; `torch` and `jax` get their module."""
    tensors = [tf.constant(x) for x in data]
    found = [statement("tfc", "f(*x)", f=ours, x=tensors)]
    if numpy:
        found.append(statement("numpy", "f(*x)", f=numpy, x=data))
    if torch and (module := peers.torch()):
        arrays = [module.tensor(x) for x in data]
        found.append(statement("torch", "f(*x)", f=torch(module), x=arrays))
    if jax and (module := peers.jax()):
        device = [module.device_put(x) for x in data]
        code = "f(*x).block_until_ready()"
        found.append(statement("jax jit", code, f=module.jit(jax(module)), x=device))
    found.append(limits.fma(int(operations)))
    return found


def product(name: str, m: int, k: int, n: int, batch: tuple[int, ...] = ()) -> None:
    operations = 2.0 * m * k * n * (batch[0] if batch else 1)

    @row(name, work=operations * GIGA, unit="GFLOP/s", rtol=1e-4)
    def make() -> list[Contender]:
        data = [normal(*batch, m, k), normal(*batch, k, n)]
        return contenders(
            data,
            tf.matmul,
            operations,
            np.matmul,
            lambda torch: torch.matmul,
            lambda jax: jax.numpy.matmul,
        )


for size in (8, 16, 32, 64, 100, 128, 256, 509, 512, 1024, 2048):
    product(f"matmul {size}", size, size, size)
product("matmul tall 10000x16 16x64", 10000, 16, 64)
product("matmul tall 4096x32 32x1024", 4096, 32, 1024)
product("matmul wide 32x4096 4096x1024", 32, 4096, 1024)
product("matmul few rows 4x1024 1024x1024", 4, 1024, 1024)
product("matmul one column 1024x1024", 1024, 1024, 1)
product("matmul one row 1024x1024", 1, 1024, 1024)
product("matmul dot 100000", 1, 100_000, 1)
product("matmul batch 64 of 32", 32, 32, 32, (64,))
product("matmul batch 16 of 128", 128, 128, 128, (16,))


@row("matmul 512 x y^T", work=2 * 512**3 * GIGA, unit="GFLOP/s", rtol=1e-4)
def transposed() -> list[Contender]:
    return contenders(
        [normal(512, 512), normal(512, 512)],
        lambda x, y: tf.matmul(x, y, transpose_b=True),
        2 * 512**3,
        lambda x, y: x @ y.T,
        lambda torch: lambda x, y: x @ y.T,
        lambda jax: lambda x, y: x @ y.T,
    )


@row("matmul 512 + bias, relu", work=2 * 512**3 * GIGA, unit="GFLOP/s", rtol=1e-4)
def layer() -> list[Contender]:
    return contenders(
        [normal(512, 512), normal(512, 512), normal(512)],
        tf.function(lambda x, y, b: tf.nn.relu(tf.matmul(x, y) + b)),
        2 * 512**3,
        lambda x, y, b: np.maximum(x @ y + b, 0),
        lambda torch: lambda x, y, b: torch.relu(torch.addmm(b, x, y)),
        lambda jax: lambda x, y, b: jax.nn.relu(x @ y + b),
    )


@row("matmul 512 + bias, gelu", work=2 * 512**3 * GIGA, unit="GFLOP/s", rtol=1e-4)
def activated() -> list[Contender]:
    return contenders(
        [normal(512, 512), normal(512, 512), normal(512)],
        tf.function(lambda x, y, b: tf.nn.gelu(tf.matmul(x, y) + b)),
        2 * 512**3,
        None,
        lambda torch: lambda x, y, b: torch.nn.functional.gelu(torch.addmm(b, x, y)),
        lambda jax: lambda x, y, b: jax.nn.gelu(x @ y + b, approximate=False),
    )


@row("matmul 512 float64", work=2 * 512**3 * GIGA, unit="GFLOP/s", rtol=1e-9)
def double() -> list[Contender]:
    return contenders(
        [normal(512, 512, dtype="float64"), normal(512, 512, dtype="float64")],
        tf.matmul,
        4 * 512**3,  # a double counts as two
        np.matmul,
        lambda torch: torch.matmul,
    )


def convolution(
    name: str, n: int, size: int, channels: int, taps: int, out: int, step: int, groups: int = 1
) -> None:
    places = -(-size // step)
    operations = 2.0 * n * places**2 * taps**2 * channels // groups * out
    data = [normal(n, size, size, channels), normal(taps, taps, channels // groups, out)]
    low = max((places - 1) * step + taps - size, 0) // 2
    high = max((places - 1) * step + taps - size, 0) - low

    def ours(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(x, w, step, "SAME")

    def torch_layout(torch: Any) -> Function:
        def f(x: Any, w: Any) -> Any:
            x = torch.nn.functional.pad(x.permute(0, 3, 1, 2), (low, high, low, high))
            w = w.permute(3, 2, 0, 1)
            y = torch.nn.functional.conv2d(x, w, stride=step, groups=groups)
            return y.permute(0, 2, 3, 1)

        return f

    def jax_layout(jax: Any) -> Function:
        dimensions = ("NHWC", "HWIO", "NHWC")
        return lambda x, w: jax.lax.conv_general_dilated(
            x,
            w,
            (step, step),
            "SAME",
            dimension_numbers=dimensions,
            feature_group_count=groups,
        )

    rest = {"work": operations * GIGA, "unit": "GFLOP/s", "rtol": 1e-4}

    @row(f"conv {name}", **rest)
    def forward() -> list[Contender]:
        return contenders(data, tf.function(ours), operations, None, torch_layout, jax_layout)

    def gradient(place: int) -> Callable[[], list[Contender]]:
        def make() -> list[Contender]:
            dy = normal(n, places, places, out)

            @tf.function
            def own(x: Any, w: Any, dy: Any) -> Any:
                with tf.GradientTape() as tape:
                    tape.watch((x, w)[place])
                    y = ours(x, w)
                return tape.gradient(y, (x, w)[place], dy)

            def torch(module: Any) -> Function:
                f = torch_layout(module)

                def run(x: Any, w: Any, dy: Any) -> Any:
                    source = (x, w)[place].detach().requires_grad_()
                    y = f(source, w) if place == 0 else f(x, source)
                    return module.autograd.grad(y, source, dy)[0]

                return run

            def jax(module: Any) -> Function:
                f = jax_layout(module)

                def run(x: Any, w: Any, dy: Any) -> Any:
                    one = (lambda v: f(v, w)) if place == 0 else (lambda v: f(x, v))
                    return module.vjp(one, (x, w)[place])[1](dy)[0]

                return run

            return contenders([*data, dy], own, operations, None, torch, jax)

        return make

    row(f"conv {name}, gradient of x", **rest)(gradient(0))
    row(f"conv {name}, gradient of w", **rest)(gradient(1))


convolution("128x32x32x3 3x3x64", 128, 32, 3, 3, 64, 1)
convolution("32x28x28x32 5x5x64", 32, 28, 32, 5, 64, 1)
convolution("32x28x28x64 1x1x64", 32, 28, 64, 1, 64, 1)
convolution("32x28x28x32 3x3x64 stride 2", 32, 28, 32, 3, 64, 2)
convolution("128x28x28x1 5x5x32", 128, 28, 1, 5, 32, 1)
convolution("8x224x224x3 7x7x64 stride 2", 8, 224, 3, 7, 64, 2)
convolution("8x56x56x64 3x3x64", 8, 56, 64, 3, 64, 1)
convolution("32x56x56x64 3x3 depthwise", 32, 56, 64, 3, 64, 1, 64)
convolution("32x28x28x64 3x3x64 in 8 groups", 32, 28, 64, 3, 64, 1, 8)
