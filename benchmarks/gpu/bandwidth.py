"""What memory bounds: elementwise work, sums, normalisations, transposes, beside a copy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tfc as tf

from ..harness import Contender, row
from .contenders import GIGA, Function, allow_tensor_float_32, contenders, normal, scaled


def memory_row(
    name: str,
    shape: tuple[int, ...],
    ours: Function,
    theirs: Callable[[Any], Function],
    jaxs: Callable[[Any], Function],
    arrays: int = 1,
    written: float = 1.0,
) -> None:
    """`arrays` of a shape are read, and `written` times one is written."""
    size = int(4 * math.prod(shape) * (arrays + written))

    @row(name, work=size * GIGA, unit="GB/s", goals={"copy": 1.12}, rtol=1e-4)
    def make() -> list[Contender]:
        allow_tensor_float_32(False)
        data = [normal(*shape) for _ in range(arrays)]
        return contenders(data, ours, theirs, jaxs, copied=size)


N = scaled(8192, 8)
memory_row(
    "add", (N, N), lambda x, y: x + y, lambda t: lambda x, y: x + y, lambda j: lambda x, y: x + y, 2
)
memory_row(
    "gelu of a sum",
    (N, N),
    lambda x, y: tf.nn.gelu(x + y, approximate=True),
    lambda t: lambda x, y: t.nn.functional.gelu(x + y, approximate="tanh"),
    lambda j: lambda x, y: j.nn.gelu(x + y, approximate=True),
    2,
)
for label, axis in (("all", None), ("rows", 1), ("columns", 0)):
    memory_row(
        f"sum, {label}",
        (N, N),
        lambda x, axis=axis: tf.reduce_sum(x, axis),
        lambda t, axis=axis: lambda x: x.sum() if axis is None else x.sum(axis),
        lambda j, axis=axis: lambda x: x.sum(axis),
        written=0.0,
    )
for width in (scaled(512, 8), scaled(4096, 16), scaled(32768, 32)):
    memory_row(
        f"softmax, rows of {width}",
        (N * N // width, width),
        tf.nn.softmax,
        lambda t: lambda x: t.softmax(x, -1),
        lambda j: j.nn.softmax,
    )


def normalised(x: Any) -> Any:
    mean, variance = tf.nn.moments(x, [1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


memory_row(
    "layer normalisation, rows of 4096",
    (N * N // scaled(4096, 16), scaled(4096, 16)),
    normalised,
    lambda t: lambda x: t.nn.functional.layer_norm(x, x.shape[1:]),
    lambda j: (
        lambda x: (x - x.mean(1, keepdims=True)) * j.lax.rsqrt(x.var(1, keepdims=True) + 1e-5)
    ),
)
memory_row(
    "transpose",
    (N, N),
    lambda x: tf.transpose(x) * 1.0,
    lambda t: lambda x: x.T * 1.0,
    lambda j: lambda x: x.T * 1.0,
)
