"""Products by warpgroups, whose tensor cores read shared memory themselves (sm_90a)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from tests import emulated, native
from tests.backends.cuda.test_ptx_copies import (
    PRODUCT,
    TURNED,
    Shifted,
    large,
    operands,
    random_arrays,
    window,
)
from tests.emulated_gpu import emulated_gpus
from tfc.backends.cuda.emulator import EmulationError, Emulator, Fault, Order, PtxError
from tfc.backends.cuda.module import compile_module
from tfc.core.context import settings
from tfc.ir.core import Function
from tfc.ir.dtypes import bfloat16
from tfc.ir.kernels.gpu.simt import gemm


def lowered(f: Function, warpgroups: bool = True) -> Function:
    return emulated.lowered(f, tensor_cores=True, warpgroups=warpgroups)


def products(kernels: Function) -> int:
    return compile_module(kernels).ptx.count("wgmma.mma_async")


def fragments(f: Function, *arrays: np.ndarray) -> list[np.ndarray]:
    """What warps give, which load fragments."""
    kernels = lowered(f, warpgroups=False)
    assert products(kernels) == 0
    return emulated.Emulated(f, kernels=kernels)(*arrays)


@pytest.fixture
def large_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known sizes have tiles of 128 columns, and so two panels, although there are few of them."""
    monkeypatch.setattr(gemm, "BUSY_TILES_MIN", 1)


@pytest.mark.parametrize(("text", "short"), [(PRODUCT, "f16"), (TURNED, "bf16")])
@pytest.mark.usefixtures("large_tiles")
def test_same_bits(text: str, short: str) -> None:
    """As by fragments: each instruction adds 16 elements of k in either way."""
    f, arrays = operands(text, short, b=1, m=40, n=72, k=136)
    wanted, kernels = fragments(f, *arrays), lowered(f)
    assert products(kernels) == 4
    native.assert_same_bits(emulated.Emulated(f, "random", kernels)(*arrays), wanted)
    native.assert_same_bits(Shifted(f, kernels=kernels)(*arrays), wanted, "not aligned")
    _, arrays = operands(text, short, b=1, m=17, n=33, k=70)
    found = emulated.Emulated(f, "reversed", kernels)(*arrays)
    native.assert_same_bits(found, fragments(f, *arrays), "no groups")
    _, arrays = operands(text, short, b=1, m=128, n=128, k=264)
    known = lowered(native.static(f, *arrays))
    assert products(known) == 4
    found = emulated.Emulated(f, "random", known)(*arrays)
    native.assert_same_bits(found, fragments(f, *arrays), "two panels")


@pytest.mark.usefixtures("large_tiles")
def test_windows() -> None:
    f = window("f16", 32, 64)
    kernels, arrays = lowered(f), random_arrays(f)
    assert products(kernels) == 4
    found = emulated.Emulated(f, "random", kernels)(*arrays)
    native.assert_same_bits(found, fragments(f, *arrays))


def test_what_is_small_or_not_in_groups_is_left_to_fragments() -> None:
    for sizes in ({"m": 64, "n": 128, "k": 512}, {"m": 128, "n": 128, "k": 510}):
        f, arrays = operands(PRODUCT, "f16", b=64, **sizes)
        assert products(lowered(native.static(f, *arrays))) == 0
    f, _ = operands(PRODUCT, "f32", b=1, m=128, n=128, k=256)
    assert products(emulated.lowered(f, tf32=True, warpgroups=True)) == 0


def broken(old: str, new: str) -> None:
    """Run a product whose PTX was changed; its result is wrong in some order of threads."""
    f, arrays = operands(PRODUCT, "f16", b=1, m=128, n=128, k=320)
    f = native.static(f, *arrays)
    device = emulated.Emulated(f, kernels=lowered(f))
    (wanted,) = device(*arrays)
    text = device.module.ptx
    changed = re.sub(rf"(?m){old}", new, text)
    assert changed != text

    def is_wrong(order: Order) -> bool:
        device.emulator = Emulator(order=order)
        device.loaded = device.emulator.load(changed)
        return not np.array_equal(device(*arrays)[0], wanted)

    assert any(map(is_wrong, ("forward", "reversed", "random")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"^\s*cp\.async\.wait_group\b.*$", ""),
        (r"^\s*(bar\.sync|barrier\.sync)\b.*$", ""),
        # Panels, and eight lines, at other distances: 512 and 64 units of 16 bytes.
        (str(1 << 62 | 64 << 32 | 512 << 16), str(1 << 62 | 64 << 32 | 256 << 16)),
        (str(1 << 62 | 64 << 32 | 1 << 16), str(1 << 62 | 32 << 32 | 1 << 16)),
    ],
)
@pytest.mark.usefixtures("large_tiles")
def test_what_is_wrong_is_found(old: str, new: str) -> None:
    broken(old, new)


@pytest.mark.usefixtures("large_tiles")
@pytest.mark.parametrize(
    ("left_out", "why"),
    [
        ("wait_group.sync.aligned 0", "not waited for where it begins"),
        ("commit_group.sync.aligned", "in no group"),
        ("fence.sync.aligned", "without wgmma.fence"),
    ],
)
def test_what_is_left_out_is_refused(left_out: str, why: str) -> None:
    with pytest.raises(PtxError, match=why):
        broken(rf"wgmma\.{re.escape(left_out)};", "")


@pytest.mark.usefixtures("large_tiles")
def test_other_layouts_are_refused() -> None:
    with pytest.raises(EmulationError, match="not swizzled") as caught:
        broken(str(1 << 62 | 64 << 32 | 1 << 16), str(64 << 32 | 1 << 16))
    assert caught.value.fault is Fault.DESCRIPTOR


def test_only_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It never ran on a GPU; and later ones than 9.0 have nothing of the kind."""
    assert not settings.warpgroups
    x = tf.constant(np.random.default_rng(0).standard_normal((128, 64)), bfloat16)
    with emulated_gpus() as (device,), tf.device("/gpu:0"):
        loaded: list[str] = []
        load = device.driver.load
        monkeypatch.setattr(device.driver, "load", lambda ptx: loaded.append(ptx) or load(ptx))
        wanted = tf.matmul(x, x, transpose_b=True)
        assert "wgmma" not in "".join(loaded)
        monkeypatch.setattr(settings, "warpgroups", True)
        found = tf.matmul(x, x, transpose_b=True)
        assert "wgmma" in loaded[-1] and ".target sm_90a" in loaded[-1]
        np.testing.assert_array_equal(tf.cast(found, tf.float32), tf.cast(wanted, tf.float32))
        loaded.clear()
        monkeypatch.setattr(type(device.driver), "capability", (10, 0), raising=False)
        tf.matmul(x[:, :32], x[:, :32], transpose_b=True)
        assert "wgmma" not in "".join(loaded)


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
@pytest.mark.parametrize("text", [PRODUCT, TURNED])
def test_ptxas_takes_it(text: str, tmp_path: Path) -> None:
    """With no register spilled, and without a word of products that it puts in a row."""
    f = lowered(large(text, "bf16"))
    assert products(f) == 4
    said = emulated.assemble(compile_module(f).ptx, "sm_90a", tmp_path)
    assert {int(n) for n in re.findall(r"(\d+) bytes spill", said)} == {0}, said
    assert "serialized" not in said and "warning" not in said, said
