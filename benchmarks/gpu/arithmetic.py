"""What arithmetic bounds: matrix products and convolutions, beside PyTorch's cuBLAS and cuDNN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.context import settings

from ..harness import Contender, row
from .contenders import TINY, allow_tensor_float_32, contenders, device, normal, scaled


def product_row(
    n: int, dtype: str, tensor_float: bool, goal: float, warpgroups: bool = False
) -> None:
    kind = "tf32" if tensor_float else dtype
    tolerance = {"float32": 1e-4, "tf32": 5e-3, "bfloat16": 3e-2}[kind]
    kind += " by wgmma" if warpgroups else ""

    @row(
        f"matmul {kind} {n}",
        work=2e-12 * n**3,
        unit="TFLOP/s",
        goals={"torch": goal},
        rtol=tolerance,
    )
    def make() -> list[Contender]:
        allow_tensor_float_32(tensor_float)
        settings.warpgroups = warpgroups
        data = [normal(n, n) / np.float32(math.sqrt(n)), normal(n, n)]
        name = "" if dtype == "float32" else dtype
        return contenders(data, tf.matmul, lambda t: t.matmul, lambda j: j.numpy.matmul, dtype=name)


for n in (512, 1024, 2048, 4096, 8192) if not TINY else (32,):
    product_row(n, "float32", False, 1.18)
    product_row(n, "float32", True, 1.67)
    product_row(n, "bfloat16", False, 1.67)
    if (gpu := device()) is not None and gpu.has_warpgroups:
        product_row(n, "bfloat16", False, 1.25, warpgroups=True)


def convolution_row(
    images: int, side: int, channels: int, filters: int, taps: int = 3, stride: int = 1
) -> None:
    out = -(-side // stride)
    work = 2e-12 * images * out**2 * taps**2 * channels * filters
    name = f"conv {taps}x{taps}" + (f" stride {stride}" if stride > 1 else "")

    @row(f"{name}, {channels} to {filters} channels", work=work, unit="TFLOP/s", rtol=5e-3)
    def make() -> list[Contender]:
        allow_tensor_float_32(False)
        scale = np.float32(taps * math.sqrt(channels))
        data = [normal(images, side, side, channels), normal(taps, taps, channels, filters) / scale]
        orders = ("NHWC", "HWIO", "NHWC")
        low = max((out - 1) * stride + taps - side, 0) // 2
        high = max((out - 1) * stride + taps - side, 0) - low

        def torchs(t: Any) -> Any:
            def call(x: Any, w: Any) -> Any:
                x = t.nn.functional.pad(x, (0, 0, low, high, low, high)).permute(0, 3, 1, 2)
                y = t.nn.functional.conv2d(x, w.permute(3, 2, 0, 1), stride=stride)
                return y.permute(0, 2, 3, 1)

            return call

        return contenders(
            data,
            lambda x, w: tf.nn.conv2d(x, w, stride, "SAME"),
            torchs,
            lambda j: (
                lambda x, w: j.lax.conv_general_dilated(
                    x, w, (stride, stride), "SAME", dimension_numbers=orders
                )
            ),
        )


many = scaled(128, 4)
convolution_row(scaled(64, 2), scaled(56, 6), many, many)
convolution_row(scaled(64, 2), scaled(56, 6), many, 2 * many, taps=1)
convolution_row(scaled(64, 2), scaled(56, 6), many, many, stride=2)
convolution_row(scaled(64, 2), scaled(224, 14), 3, scaled(64, 4), taps=7, stride=2)
