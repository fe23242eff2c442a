"""Products whose operands are copied to shared memory while others are multiplied."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tests.backends.test_ptx import TURNED
from tests.ptx_emulator import Emulator
from tfc.backends.cuda.module import compile_module
from tfc.backends.cuda.teams import SHARED_BYTES
from tfc.ir.core import Function
from tfc.ir.dtypes import as_dtype
from tfc.ir.grid import tiles
from tfc.ir.grid.tensor import TensorTiling
from tfc.ir.text import parse

PRODUCT = """
func @product(%x: T[b,m,k], %y: T[b,k,n]) -> T[b,m,n] {
  %0 = matmul %x, %y : T[b,m,n]
  return %0
}
"""
CONV = """
func @conv(%x: f32[2,9,8,8], %w: f32[3,3,8,20]) -> f32[2,9,8,20] {
  %0 = conv %x, %w {size = (9, 8), strides = (1, 1), low = (1, 1), tap_strides = (1, 1), \
hole_strides = (1, 1), groups = 1, batch_groups = 1} : f32[2,9,8,20]
  return %0
}
""".replace("\\\n", "")


def operands(text: str, short: str, **sizes: int) -> tuple[Function, list[np.ndarray]]:
    f = parse(text.replace("T[", f"{short}["))
    rng = np.random.default_rng(1)
    shapes = [tuple(sizes[str(e)] for e in p.shape) for p in f.params]
    return f, [rng.standard_normal(s).astype(as_dtype(short).numpy) for s in shapes]


def lowered(f: Function) -> Function:
    return emulated.lowered(f, tensor_cores=True)


def copies(kernels: Function) -> int:
    return compile_module(kernels).ptx.count("cp.async.c")


class Shifted(emulated.Emulated):
    """With buffers that begin between places of 16 bytes."""

    def allocate(self, size: int) -> int:
        return super().allocate(size + 8) + 8


@pytest.mark.parametrize("short", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("text", [PRODUCT, TURNED])
def test_same_bits(short: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As without copies, for known and unknown extents, in any order of threads, aligned or not;
    rows of 33 cannot be copied in groups, and 70 elements end inside of a step."""
    for sizes in ({"m": 40, "n": 48, "k": 152}, {"m": 17, "n": 33, "k": 70}):
        f, arrays = operands(text, short, **({"b": 2, "m": 24, "n": 16} | sizes))
        with monkeypatch.context() as without:
            without.setattr(tiles.Tiling, "copies", lambda _: False)
            without.setattr(TensorTiling, "copies", lambda _: False)
            plain = lowered(f)
            assert copies(plain) == 0
            wanted = emulated.Emulated(f, kernels=plain)(*arrays)
        unknown, known = lowered(f), native.static(f, *arrays)
        assert copies(unknown)
        for g, kernels, order in (
            (f, unknown, "random"),
            (f, unknown, "reversed"),
            (known, lowered(known), "random"),
        ):
            native.assert_same_bits(emulated.Emulated(g, order, kernels)(*arrays), wanted)
        native.assert_same_bits(Shifted(f, kernels=unknown)(*arrays), wanted, "not aligned")
        if short in ("f32", "f64"):
            native.assert_same_bits(native.run(f, *arrays), wanted, "the CPU's")


def test_windows() -> None:
    f = parse(CONV)
    assert copies(lowered(f))
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(p.shape).astype(np.float32) for p in f.params)
    wanted = native.run(f, x, w)
    native.assert_same_bits(emulated.Emulated(f, "random")(x, w), wanted)
    w[0, 0, 0, 3] = np.inf
    native.assert_same_bits(emulated.Emulated(f)(x, w), native.run(f, x, w), "not finite")


def test_what_is_cast_on_the_way_is_not_copied() -> None:
    """float16 without tensor cores, and tensor cores whose operands are rounded first."""
    half, single = (parse(PRODUCT.replace("T[", f"{short}[")) for short in ("f16", "f32"))
    assert copies(emulated.lowered(half)) == copies(emulated.lowered(single, tf32=True)) == 0


@pytest.mark.parametrize("short", ["f32", "f16"])
@pytest.mark.parametrize("left_out", ["cp.async.wait_group", "bar.sync|barrier.sync"])
def test_what_is_left_out_is_found(short: str, left_out: str) -> None:
    """The emulator would notice a missing wait, or a missing barrier."""
    f, arrays = operands(PRODUCT, short, b=1, m=32, n=32, k=256)
    kernels = lowered(f)
    wanted = emulated.Emulated(f, kernels=kernels)(*arrays)
    wrong = []
    for order in ("forward", "reversed", "random"):
        broken = emulated.Emulated(f, order, kernels)
        text = re.sub(rf"(?m)^\s*({left_out})\b.*$", "", broken.module.ptx)
        assert text != broken.module.ptx
        broken.emulator = Emulator(order=order)
        broken.loaded = broken.emulator.load(text)
        wrong.append(not np.array_equal(broken(*arrays)[0], wanted[0]))
    assert any(wrong)


def test_more_shared_memory_than_any_block_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is dynamic then, and the driver is asked for it."""
    monkeypatch.setattr(tiles, "ENOUGH", 1)
    f, arrays = operands(PRODUCT, "f16", b=1, m=128, n=128, k=192)
    known = native.static(f, *arrays)
    device = emulated.Emulated(known, "random", lowered(known))
    ((kernel,),) = device.module.kernels.values()
    assert kernel.shared > SHARED_BYTES
    exact = arrays[0].astype(np.float64) @ arrays[1].astype(np.float64)
    np.testing.assert_allclose(device(*arrays)[0], exact, rtol=1e-2, atol=2e-2)


def large(text: str, short: str) -> Any:
    f = parse(text.replace("T[", f"{short}["))
    sizes = {"b": 1, "m": 2048, "n": 2048, "k": 1024}
    return native.static(
        f, *(np.zeros([sizes[str(e)] for e in p.shape], p.dtype.numpy) for p in f.params)
    )


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
@pytest.mark.parametrize("processor", ["sm_80", "sm_90"])
@pytest.mark.parametrize("short", ["f32", "f64", "f16"])
def test_no_register_is_spilled(processor: str, short: str, tmp_path: Path) -> None:
    for f in (large(PRODUCT, short), large(TURNED, short), parse(CONV)):
        module = compile_module(lowered(f), processor)
        assert "cp.async.c" in module.ptx
        said = emulated.assemble(module.ptx, processor, tmp_path)
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
