"""The PTX emulator: products of a warpgroup, whose operands are in shared memory (`wgmma`)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.cuda.emulator.testing import ORDERS, assemble_all, kernel, run
from tfc.backends.cuda.emulator import Emulator, PtxError

ROWS, COLUMNS, K = 64, 16, 16
BYTES = 8192  # of each operand: 64 lines
SWIZZLED = 1 << 62 | 64 << 32 | 1 << 16
SUMS = "{" + ", ".join(f"%f{i}" for i in range(8)) + "}"


def product(left_turned: int, right_turned: int, between: str = "") -> str:
    """128 threads bring both operands into shared memory and multiply them, from k = 16 on, onto
    ones; with what happens until they wait."""
    first = [(2048 if turned else 32) // 16 for turned in (left_turned, right_turned)]
    body = f"""
        .shared .align 1024 .b8 tiles[{2 * BYTES}];
        mov.u32 %r1, %tid.x; ld.param.u64 %d1, [p0]; ld.param.u64 %d2, [p1];
        mul.wide.u32 %d3, %r1, 128; add.u64 %d1, %d1, %d3;
        mov.u64 %d4, tiles; add.u64 %d3, %d3, %d4; mov.u32 %r10, 0;
    $more:
        ld.global.v4.b32 {{%r2, %r3, %r4, %r5}}, [%d1];
        st.shared.v4.b32 [%d3], {{%r2, %r3, %r4, %r5}};
        add.u64 %d1, %d1, 16; add.u64 %d3, %d3, 16; add.u32 %r10, %r10, 1;
        setp.lt.u32 %p1, %r10, 8; @%p1 bra $more;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        shr.u64 %d4, %d4, 4; or.b64 %d4, %d4, {SWIZZLED};
        add.u64 %d5, %d4, {BYTES // 16 + first[1]}; add.u64 %d4, %d4, {first[0]};
        {"".join(f"mov.f32 %f{i}, 0f3F800000; " for i in range(8))}
        mov.f32 %f20, 0f3F800000;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {SUMS}, %d4, %d5, 1, 1, 1, \
{left_turned}, {right_turned};
        wgmma.commit_group.sync.aligned;
        {between}
        wgmma.wait_group.sync.aligned 0;
        mul.wide.u32 %d6, %r1, 36; add.u64 %d2, %d2, %d6;
        {"".join(f"st.global.f32 [%d2+{4 * i}], %f{i}; " for i in range(8))}
        st.global.f32 [%d2+32], %f20;
        ret;
    """
    return kernel(body, version="8.0", target="sm_90a")


def laid(matrix: np.ndarray) -> np.ndarray:
    """Lines of 64 elements, whose groups of 16 bytes are turned about: bits 7 to 9 of an address
    change its bits 4 to 6."""
    lines = np.zeros((64, 64), np.float16)
    lines[: len(matrix), : matrix.shape[1]] = matrix
    places = 2 * np.arange(lines.size)
    there = np.empty(lines.size, np.float16)
    there[(places ^ (places >> 3 & 0x70)) // 2] = lines.reshape(-1)
    return there


def operands(left_turned: int, right_turned: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """left, right and both as they lie in memory; k is from 16 on."""
    draw = np.random.default_rng(0)
    left = draw.standard_normal((ROWS, 2 * K)).astype(np.float16)
    right = draw.standard_normal((2 * K, COLUMNS)).astype(np.float16)
    lines = [laid(left.T if left_turned else left), laid(right if right_turned else right.T)]
    return left[:, K:], right[K:], np.concatenate(lines)


def result(out: np.ndarray) -> np.ndarray:
    """The product, from the sums of each thread ("wgmma.mma_async.m64nNk16", accumulator D)."""
    found = np.empty((ROWS, COLUMNS), np.float32)
    for thread, sums in enumerate(out[:, :8]):
        warp, group, member = thread // 32, thread % 32 // 4, thread % 4
        for i, value in enumerate(sums):
            found[16 * warp + group + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * member + i % 2] = value
    return found


@pytest.mark.parametrize("left_turned", [0, 1])
@pytest.mark.parametrize("right_turned", [0, 1])
def test_products_of_shared_memory(left_turned: int, right_turned: int) -> None:
    left, right, data = operands(left_turned, right_turned)
    for order in ORDERS:
        out = np.zeros((128, 9), np.float32)
        (_, out) = run(product(left_turned, right_turned), data, out, block=128, order=order)
        exact = left.astype(float) @ right.astype(float) + 1
        np.testing.assert_array_equal(result(out), exact.astype(np.float32))


def test_sums_are_there_when_they_are_waited_for() -> None:
    """Until then they are nan."""
    left, right, data = operands(0, 0)
    out = np.zeros((128, 9), np.float32)
    _, out = run(product(0, 0, "mov.f32 %f20, %f0;"), data, out, block=128)
    assert np.isnan(out[:, 8]).all() and np.isfinite(out[:, :8]).all()
    # Nor may operands be overwritten: here are eight elements of the first row of left, from 16 on.
    early = "mov.u64 %d7, tiles; mov.u32 %r2, 0; st.shared.v4.b32 [%d7+32], {%r2, %r2, %r2, %r2};"
    left[0, :8] = 0
    _, out = run(product(0, 0, early), data, np.zeros((128, 9), np.float32), block=128)
    exact = left.astype(float) @ right.astype(float) + 1
    np.testing.assert_array_equal(result(out), exact.astype(np.float32))


def test_what_cannot_be_told_is_refused() -> None:
    good = product(0, 0)
    for old, new, why in (
        ("wgmma.fence.sync.aligned;", "", "without wgmma.fence"),
        ("wgmma.commit_group.sync.aligned;", "", "in no group"),
        ("wgmma.wait_group.sync.aligned 0;", "", "not waited for"),
        ("wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;", "some of"),
        (f"{SUMS}, %d4", "{%f0, %f1, %f2, %f3}, %d4", "number of sums"),
        ("m64n16k16.f32.f16.f16", "m64n16k8.f32.tf32.tf32", "not supported"),
    ):
        assert old in good
        with pytest.raises(PtxError, match=why):
            Emulator().load(good.replace(old, new))


def test_ptxas_takes_every_kernel_that_ran_here() -> None:
    assemble_all()
