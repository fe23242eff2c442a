"""Products whose operands are copied to shared memory while others are multiplied."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tests.backends.cuda.test_ptx import TURNED
from tests.sampling import ALL, by_turns
from tfc.backends.cuda.emulator import Emulator
from tfc.backends.cuda.module import compile_module
from tfc.backends.cuda.thread_groups import STATIC_SHARED_BYTES
from tfc.ir.core import Function
from tfc.ir.dtypes import as_dtype
from tfc.ir.kernels.gpu.simt import gemm
from tfc.ir.kernels.gpu.tensor_cores.mma import TensorTiling
from tfc.ir.text import parse

PRODUCT = """
func @product(%x: T[b,m,k], %y: T[b,k,n]) -> T[b,m,n] {
  %0 = matmul %x, %y : T[b,m,n]
  return %0
}
"""
ALONG = """
func @along(%x: T[k,m], %y: T[k,n]) -> T[m,n] {
  %0 = transpose %x {perm = (1, 0)} : T[m,k]
  %1 = matmul %0, %y : T[m,n]
  return %1
}
"""
CONV = """
func @conv(%x: T[2,9,8,C], %w: T[3,3,C,N]) -> T[2,H,W,N] {
  %0 = conv %x, %w {size = (H, W), strides = (1, 1), low = (1, 1), rhs_dilation = (1, 1), \
lhs_dilation = (S, S), groups = 1, batch_groups = 1} : T[2,H,W,N]
  return %0
}
""".replace("\\\n", "")
WAYS = {  # dtype, and whether tensor cores multiply it, float32 too
    "f32": ("f32", False, False),
    "f64": ("f64", False, False),
    "f16": ("f16", True, False),
    "bf16": ("bf16", True, False),
    "tf32": ("f32", True, True),
    "f16 as f32": ("f16", False, False),
}


def window(short: str, channels: int, columns: int, holes: int = 1) -> Function:
    """A convolution; with holes it is what the gradient of one with strides is."""
    high, wide = (9, 8) if holes == 1 else (18, 16)
    text = CONV.replace("T[", f"{short}[").replace("C", str(channels)).replace("N", str(columns))
    return parse(text.replace("H", str(high)).replace("W", str(wide)).replace("S", str(holes)))


def operands(text: str, short: str, **sizes: int) -> tuple[Function, list[np.ndarray]]:
    f = parse(text.replace("T[", f"{short}["))
    rng = np.random.default_rng(1)
    shapes = [tuple(sizes[str(e)] for e in p.shape) for p in f.params]
    return f, [rng.standard_normal(s).astype(as_dtype(short).numpy) for s in shapes]


def random_arrays(f: Function) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(p.shape).astype(p.dtype.numpy) for p in f.params]


def lowered(f: Function, way: str = "f16") -> Function:
    return emulated.lowered(f, *WAYS[way][1:])


def fetched(f: Function, way: str) -> Function:
    """Without copies."""
    with pytest.MonkeyPatch.context() as without:
        for tiling in (gemm.Tiling, TensorTiling):
            without.setattr(tiling, "copied", lambda _: None)
        plain = lowered(f, way)
    assert copies(plain) == 0
    return plain


def copies(kernels: Function) -> int:
    return compile_module(kernels).ptx.count("cp.async.c")


class Shifted(emulated.Emulated):
    """With buffers that begin between places of 16 bytes."""

    def allocate(self, size: int) -> int:
        return super().allocate(size + 8) + 8


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [PRODUCT, TURNED])
def test_same_bits(way: str, text: str) -> None:
    """As without copies, for known and unknown extents, in any order of threads, aligned or not;
    rows of 33 cannot be copied in groups, and 70 elements end inside of a step."""
    short, *cores = WAYS[way]
    for sizes in ({"m": 40, "n": 48, "k": 152}, {"m": 17, "n": 33, "k": 70}):
        f, arrays = operands(text, short, **({"b": 2, "m": 24, "n": 16} | sizes))
        wanted = emulated.Emulated(f, kernels=fetched(f, way))(*arrays)
        unknown, known = lowered(f, way), native.static(f, *arrays)
        # What is smaller than a copy has to lie along the side of the tile.
        assert bool(copies(unknown)) is (way != "f16 as f32")
        runs = [
            (f, unknown, "random"),
            (f, unknown, "reversed"),
            (known, lowered(known, way), "random"),
        ]
        for g, kernels, order in runs if ALL or sizes["k"] == 152 else runs[::2]:
            native.assert_same_bits(emulated.Emulated(g, order, kernels)(*arrays), wanted)
        native.assert_same_bits(Shifted(f, kernels=unknown)(*arrays), wanted, "not aligned")
        if not any(cores):
            native.assert_same_bits(native.run(f, *arrays), wanted, "the CPU's")


@pytest.mark.parametrize("short", ["f16", "bf16", "i16"])
def test_what_is_converted_is_copied_as_it_is(short: str) -> None:
    """Where it lies along the tile's side; and where it is not aligned it is there at once."""
    for m in (40, 39):
        f, arrays = operands(ALONG, short, k=152, m=m, n=48)
        kernels = lowered(f, "f16 as f32")
        assert copies(kernels)
        wanted = native.run(f, *arrays)
        native.assert_same_bits(emulated.Emulated(f, "random", kernels)(*arrays), wanted)
        native.assert_same_bits(Shifted(f, kernels=kernels)(*arrays), wanted, "not aligned")


@pytest.mark.parametrize(
    ("way", "holes"), [("f32", 1), ("f32", 2), ("f16", 1), ("f16", 2), ("tf32", 1), ("tf32", 2)]
)
def test_windows(way: str, holes: int) -> None:
    f = window(WAYS[way][0], 16 * holes, 24, holes)
    x, w = random_arrays(f)
    kernels = lowered(f, way)
    assert copies(kernels)
    wanted = emulated.Emulated(f, kernels=fetched(f, way))(x, w)
    native.assert_same_bits(emulated.Emulated(f, "random", kernels)(x, w), wanted)
    native.assert_same_bits(Shifted(f, kernels=kernels)(x, w), wanted, "not aligned")
    if way == "f32":
        native.assert_same_bits(native.run(f, x, w), wanted, "the CPU's")
        w[0, 0, 0, 3] = np.inf
        wanted = native.run(f, x, w)
        native.assert_same_bits(emulated.Emulated(f, "random", kernels)(x, w), wanted, "infinite")


def test_channels_that_are_no_groups() -> None:
    """Elements of float32 are copied one by one, smaller ones are not copied."""
    for way, some in (("tf32", True), ("f16", False)):
        f = window(WAYS[way][0], 15, 20)
        kernels = lowered(f, way)
        assert bool(copies(kernels)) is some
        wanted = emulated.Emulated(f, kernels=fetched(f, way))(*random_arrays(f))
        native.assert_same_bits(
            emulated.Emulated(f, "random", kernels)(*random_arrays(f)), wanted, way
        )


def test_tensor_float_32_is_rounded_to_nearest() -> None:
    """Ties go away from 0; infinities and nan stay what they are."""
    f, (x, y) = operands(PRODUCT, "f32", b=1, m=32, n=32, k=64)
    x[:], y[:] = 0, 0
    half = 2**-11
    x[0, :6, 0] = [1 + half, -1 - half, 1 + half - 2**-23, np.inf, np.nan, 3.4028e38]
    y[0, 0, :] = 1
    (out,) = emulated.Emulated(f, kernels=lowered(f, "tf32"))(x, y)
    up = 1 + 2**-10
    np.testing.assert_array_equal(out[0, :6, 0], [up, -up, 1, np.inf, np.nan, np.inf])


@pytest.mark.parametrize(
    "way", ["f32", "f16", "tf32", "f16 as f32", "f16 of a window", "tf32 of a window"]
)
@pytest.mark.parametrize("left_out", ["cp.async.wait_group", "bar.sync|barrier.sync"])
def test_what_is_left_out_is_found(way: str, left_out: str) -> None:
    """The emulator would notice a missing wait, or a missing barrier."""
    way, _, is_window = way.partition(" of a window")
    text, short = ALONG if way == "f16 as f32" else PRODUCT, WAYS[way][0]
    f, arrays = operands(text, short, b=1, m=32, n=32, k=256)
    if is_window:
        f = window(short, 16, 24)
        arrays = random_arrays(f)
    kernels = lowered(f, way)
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
    monkeypatch.setattr(gemm, "BUSY_TILES_MIN", 1)
    f, arrays = operands(PRODUCT, "f16", b=1, m=128, n=128, k=192)
    known = native.static(f, *arrays)
    device = emulated.Emulated(known, "random", lowered(known))
    ((kernel,),) = device.module.kernels.values()
    assert kernel.shared > STATIC_SHARED_BYTES
    exact = arrays[0].astype(np.float64) @ arrays[1].astype(np.float64)
    np.testing.assert_allclose(device(*arrays)[0], exact, rtol=1e-2, atol=2e-2)


def large(text: str, short: str) -> Any:
    f = parse(text.replace("T[", f"{short}["))
    sizes = {"b": 1, "m": 2048, "n": 2048, "k": 1024}
    return native.static(
        f, *(np.zeros([sizes[str(e)] for e in p.shape], p.dtype.numpy) for p in f.params)
    )


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
@pytest.mark.parametrize(
    ("way", "processor"),
    # The text is the same, and so is how many registers there are: processors take turns.
    [
        (way, processor)
        for i, way in enumerate(("f32", "f64", "f16", "tf32"))
        for processor in by_turns(("sm_80", "sm_90"), i, 1)
    ],
)
def test_no_register_is_spilled(processor: str, way: str, tmp_path: Path) -> None:
    short = WAYS[way][0]
    for f in (large(PRODUCT, short), large(TURNED, short), window(short, 32, 48, 2)):
        module = compile_module(lowered(f, way), processor)
        assert "cp.async.c" in module.ptx
        said = emulated.assemble(module.ptx, processor, tmp_path)
        assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
