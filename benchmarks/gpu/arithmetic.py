"""What arithmetic bounds: matrix products and convolutions, beside PyTorch's cuBLAS and cuDNN."""

from __future__ import annotations

import math

import numpy as np

import tfc as tf

from ..harness import Contender, row, statement
from .contenders import TINY, allow_tensor_float_32, contenders, normal, scaled, torch


def product_row(n: int, dtype: str, tensor_float: bool, goal: float) -> None:
    kind = "tf32" if tensor_float else dtype
    tolerance = {"float32": 1e-4, "tf32": 5e-3, "bfloat16": 3e-2}[kind]

    @row(
        f"matmul {kind} {n}",
        work=2e-12 * n**3,
        unit="TFLOP/s",
        goals={"torch": goal},
        rtol=tolerance,
    )
    def make() -> list[Contender]:
        allow_tensor_float_32(tensor_float)
        data = [normal(n, n) / np.float32(math.sqrt(n)), normal(n, n)]
        name = "" if dtype == "float32" else dtype
        return contenders(data, tf.matmul, lambda t: t.matmul, lambda j: j.numpy.matmul, dtype=name)


for n in (512, 1024, 2048, 4096, 8192) if not TINY else (32,):
    product_row(n, "float32", False, 1.18)
    product_row(n, "float32", True, 1.67)
    product_row(n, "bfloat16", False, 1.67)


def convolution_row(name: str, images: int, side: int, channels: int, filters: int) -> None:
    work = 2e-12 * images * side**2 * 9 * channels * filters

    @row(name, work=work, unit="TFLOP/s", rtol=5e-3)
    def make() -> list[Contender]:
        allow_tensor_float_32(False)
        x, w = normal(images, side, side, channels), normal(3, 3, channels, filters) / 30
        found = contenders(
            [x, w],
            lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"),
            None,
            lambda j: (
                lambda x, w: j.lax.conv_general_dilated(
                    x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
                )
            ),
        )
        if (t := torch()) is not None:
            a = t.tensor(x, device="cuda").permute(0, 3, 1, 2)
            b = t.tensor(w, device="cuda").permute(3, 2, 0, 1).contiguous()
            call = t.nn.functional.conv2d
            found.append(
                statement(
                    "torch",
                    "f(a, b, padding=1)",
                    wait="sync()",
                    f=call,
                    a=a,
                    b=b,
                    value=lambda: call(a, b, padding=1).permute(0, 2, 3, 1).cpu().numpy(),
                    sync=t.cuda.synchronize,
                )
            )
        return found


convolution_row(
    "conv 3x3, 128 channels", scaled(64, 2), scaled(56, 6), scaled(128, 4), scaled(128, 4)
)
