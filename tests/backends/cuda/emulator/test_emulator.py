"""The PTX emulator: threads that wait for each other, memory with bounds, and what it catches."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.backends.cuda.emulator.testing import (
    ORDERS,
    Array,
    assemble_all,
    kernel,
    on_words,
    ptxas,
    run,
    words,
)
from tfc.backends.cuda.emulator import Emulator, OutOfMemory

# -- blocks and barriers -------------------------------------------------------------------------

SUM = on_words(
    """
    .shared .align 4 .b8 part[128];
    mov.b32 %f1, %r2;
    shfl.sync.bfly.b32 %f2, %f1, 16, 31, -1;
    add.rn.f32 %f1, %f1, %f2;
    shfl.sync.bfly.b32 %f2, %f1, 8, 31, -1;
    add.rn.f32 %f1, %f1, %f2;
    shfl.sync.bfly.b32 %f2, %f1, 4, 31, -1;
    add.rn.f32 %f1, %f1, %f2;
    shfl.sync.bfly.b32 %f2, %f1, 2, 31, -1;
    add.rn.f32 %f1, %f1, %f2;
    shfl.sync.bfly.b32 %f2, %f1, 1, 31, -1;
    add.rn.f32 %f1, %f1, %f2;
    shr.u32 %r4, %r1, 5;
    and.b32 %r3, %r1, 31;
    setp.ne.s32 %p1, %r3, 0;
    shl.b32 %r4, %r4, 2;
    mov.u32 %r5, part;
    add.u32 %r5, %r5, %r4;
    @%p1 bra $skip;
    st.shared.f32 [%r5], %f1;
$skip:
    bar.sync 0;
    setp.ne.s32 %p2, %r1, 0;
    @%p2 bra $end;
    mov.f32 %f3, 0f00000000;
    mov.u32 %r6, 0;
    mov.u32 %r7, part;
$loop:
    ld.shared.f32 %f4, [%r7];
    add.rn.f32 %f3, %f3, %f4;
    add.u32 %r7, %r7, 4;
    add.u32 %r6, %r6, 1;
    setp.lt.u32 %p3, %r6, 8;
    @%p3 bra $loop;
    st.global.f32 [%d4], %f3;
$end:
    ret;
"""
)


@pytest.mark.parametrize("order", ORDERS)
def test_sum_of_a_block(order: str) -> None:
    x = np.random.default_rng(0).standard_normal(256).astype(np.float32)
    _, total = run(SUM, x, np.zeros(1, "f4"), block=256, order=order)
    warps = x.reshape(8, 32)
    for step in (16, 8, 4, 2, 1):
        warps = warps + warps[:, np.arange(32) ^ step]
    expected = np.float32(0)
    for value in warps[:, 0]:
        expected += value
    assert total[0] == expected


def test_what_runs_for_long_is_compiled_again() -> None:
    """Better code, made once a text has run for a while, gives the same."""
    emulator = Emulator("random")
    module = emulator.load(SUM)
    x, total = emulator.allocate(1024), emulator.allocate(4)
    emulator.write(x, np.random.default_rng(0).standard_normal(256).astype(np.float32))
    found, libraries = [], []
    for seconds in (0.0, 99.0, 99.0):
        module.code.ran(seconds)
        emulator.launch(module.function("k"), (1,), (256,), struct.pack("QQ", x, total))
        found.append(emulator.read(total, 4))
        libraries.append(module.code.library)
    first, second, third = libraries
    assert first is not second and second is third
    assert found == found[:1] * 3


def test_a_missing_barrier_shows() -> None:
    without = SUM.replace("bar.sync 0;", "")
    x, out = np.ones(256, np.float32), np.zeros(1, np.float32)
    found = [run(without, x, out, block=256, order=order)[1][0] for order in ORDERS]
    assert np.isnan(found[0])  # the first warp adds up what the others did not write yet
    assert not all(value == 256 for value in found)


def test_orders_find_races_between_warps_and_blocks() -> None:
    """Who writes last? Each order has an answer of its own, and a seed always the same."""
    last = on_words(
        "mov.u32 %r3, %ctaid.x; shl.b32 %r3, %r3, 8; add.u32 %r3, %r3, %r1;"
        "st.global.u32 [%d4], %r3; ret;"
    )

    def winner(order: str, seed: int = 0) -> int:
        out = run(last, words(256), words(1), block=256, grid=4, order=order, seed=seed)[1]
        return int(out[0])

    assert winner("forward") == 1023
    assert winner("reversed") == 0
    drawn = {winner("random", seed) for seed in range(6)}
    assert len(drawn) > 2
    assert winner("random", 5) == winner("random", 5)


def test_barrier_reductions() -> None:
    body = """
        setp.lt.u32 %p1, %r1, 20;
        barrier.cta.red.popc.aligned.u32 %r3, 0, %p1;
        barrier.cta.red.and.aligned.pred %p2, 1, %p1;
        barrier.cta.red.or.aligned.pred %p3, 2, %p1;
        selp.u32 %r4, 100, 0, %p2;
        selp.u32 %r5, 1000, 0, %p3;
        add.u32 %r3, %r3, %r4;
        add.u32 %r3, %r3, %r5;
        st.global.u32 [%d2], %r3;
        ret;
    """
    assert (run(on_words(body), words(64), words(64), block=64)[1] == 1020).all()


def test_a_barrier_of_some_threads() -> None:
    """One warp produces, arrives and goes on; the other waits for it."""
    body = """
        .shared .align 4 .b8 box[128];
        and.b32 %r3, %r1, 31;
        shl.b32 %r3, %r3, 2;
        mov.u32 %r4, box;
        add.u32 %r4, %r4, %r3;
        setp.ge.u32 %p1, %r1, 32;
        @%p1 bra $consume;
        st.shared.u32 [%r4], %r2;
        bar.arrive 3, 64;
        ret;
    $consume:
        bar.sync 3, 64;
        ld.shared.u32 %r5, [%r4];
        st.global.u32 [%d2], %r5;
        ret;
    """
    given = words(64)
    for order in ORDERS:
        out = run(on_words(body), given, np.zeros(64, "u4"), block=64, order=order)[1]
        np.testing.assert_array_equal(out[32:], given[:32])


def test_threads_have_their_places() -> None:
    body = """
        mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
        mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;
        mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
        mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %ctaid.z;
        mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y;
        mad.lo.u32 %r12, %r9, %r11, %r8; mad.lo.u32 %r12, %r12, %r10, %r7;
        mov.u32 %r13, %ntid.z; mul.lo.u32 %r14, %r4, %r5; mul.lo.u32 %r14, %r14, %r13;
        mad.lo.u32 %r15, %r12, %r14, %r6;
        ld.param.u64 %d1, [p0];
        mad.wide.u32 %d2, %r15, 4, %d1;
        mov.u32 %r16, %laneid; mov.u32 %r17, %warpid; mad.lo.u32 %r16, %r17, 32, %r16;
        setp.eq.u32 %p1, %r16, %r6;
        selp.u32 %r18, %r15, 99999, %p1;
        st.global.u32 [%d2], %r18;
        ret;
    """
    out = run(kernel(body, 1), np.zeros(2 * 3 * 2 * 60, "u4"), block=(5, 4, 3), grid=(2, 3, 2))[0]
    np.testing.assert_array_equal(out, np.arange(720))


# -- warps ---------------------------------------------------------------------------------------


def shuffled(given: Array, mode: str, b: int, c: int) -> Array:
    """What `shfl` gives, from its description: `c` has the clamp and, above 8 bits, the segment."""
    out = given.copy()
    for lane in range(32):
        mask, clamp = c >> 8 & 31, c & 31
        first = lane & mask
        last = first | clamp & ~mask & 31
        j = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": first | b & ~mask & 31}[
            mode
        ]
        inside = j >= last if mode == "up" else j <= last
        out[lane] = (given[j] if inside else given[lane]) ^ np.uint32(inside)
    return out


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles(mode: str) -> None:
    given = words()
    for b in (0, 1, 5, 16, 31):
        for c in (0, 31, 0x1800 | 31, 0x1C00, 0x1800):
            body = f"""
                shfl.sync.{mode}.b32 %r3|%p1, %r2, {b}, {c}, -1;
                selp.u32 %r4, 1, 0, %p1;
                xor.b32 %r3, %r3, %r4;
                st.global.u32 [%d2], %r3;
                ret;
            """
            out = run(on_words(body), given, np.zeros(32, "u4"), order="random")[1]
            np.testing.assert_array_equal(out, shuffled(given, mode, b, c), err_msg=f"{b} {c}")


def test_votes_and_matches() -> None:
    body = """
        and.b32 %r3, %r2, 1;
        setp.eq.u32 %p1, %r3, 1;
        vote.sync.ballot.b32 %r4, %p1, -1;
        vote.sync.any.pred %p2, %p1, -1;
        vote.sync.all.pred %p3, %p1, -1;
        vote.sync.uni.pred %p4, !%p3, -1;
        and.b32 %r5, %r2, 3;
        match.any.sync.b32 %r6, %r5, -1;
        match.all.sync.b32 %r7|%p5, %r5, -1;
        selp.u32 %r8, 1, 0, %p2;
        selp.u32 %r9, 2, 0, %p3;
        selp.u32 %r10, 4, 0, %p4;
        selp.u32 %r11, 8, 0, %p5;
        or.b32 %r8, %r8, %r9; or.b32 %r8, %r8, %r10; or.b32 %r8, %r8, %r11;
        or.b32 %r8, %r8, %r7;
        redux.sync.add.s32 %r12, %r5, -1;
        redux.sync.min.u32 %r13, %r2, -1;
        redux.sync.max.s32 %r14, %r2, -1;
        activemask.b32 %r15;
        mad.lo.u32 %r16, %r1, 24, 0; cvt.u64.u32 %d6, %r16; add.u64 %d6, %d6, %d4;
        st.global.u32 [%d6], %r4;
        st.global.u32 [%d6+4], %r6;
        st.global.u32 [%d6+8], %r8;
        st.global.u32 [%d6+12], %r12;
        st.global.u32 [%d6+16], %r13;
        st.global.u32 [%d6+20], %r14;
        ret;
    """
    given = words()
    out = run(on_words(body), given, np.zeros((32, 6), "u4"), order="reversed")[1]
    odd = given & 1
    assert (out[:, 0] == sum(int(bit) << i for i, bit in enumerate(odd))).all()
    low = given & 3
    same = [sum(1 << j for j in range(32) if low[j] == low[i]) for i in range(32)]
    np.testing.assert_array_equal(out[:, 1], same)
    assert (out[:, 2] == 1 + 4).all()
    assert (out[:, 3] == low.sum()).all()
    assert (out[:, 4] == given.min()).all()
    assert (out[:, 5].view("i4") == given.view("i4").max()).all()


def test_lanes_that_diverge_and_meet() -> None:
    """Two halves of a warp shuffle among themselves, in loops of different length."""
    body = """
        mov.u32 %r9, 0;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bra $low;
    $high:
        shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0xFFFF0000;
        add.u32 %r2, %r2, %r3;
        add.u32 %r9, %r9, 1;
        setp.lt.u32 %p2, %r9, 3;
        @%p2 bra $high;
        bra.uni $end;
    $low:
        shfl.sync.bfly.b32 %r3, %r2, 2, 31, 0x0000FFFF;
        add.u32 %r2, %r2, %r3;
    $end:
        bar.warp.sync -1;
        st.global.u32 [%d2], %r2;
        ret;
    """
    given = words()
    low, high = given[:16].copy(), given[16:].copy()
    low = low + low[np.arange(16) ^ 2]
    for _ in range(3):
        high = high + high[np.arange(16) ^ 1]
    for order in ORDERS:
        out = run(on_words(body), given, words(), order=order)[1]
        np.testing.assert_array_equal(out, np.concatenate([low, high]))


def test_elect() -> None:
    body = """
        elect.sync %r3|%p1, 0xFFFFFFF8;
        selp.u32 %r3, 100, %r3, %p1;
        st.global.u32 [%d2], %r3;
        ret;
    """
    leave = "setp.lt.u32 %p2, %r1, 3; @%p2 bra $end;"
    ptx = on_words(leave + body.replace("ret;", "$end: ret;"), target="sm_90")
    out = run(ptx, words(), np.zeros(32, "u4"))[1]
    np.testing.assert_array_equal(out[3:], [100] + [3] * 28)


# -- memory of the device ------------------------------------------------------------------------


def test_memory_of_the_device() -> None:
    emulator = Emulator(memory=1 << 20)
    one, none = emulator.allocate(100), emulator.allocate(0)
    assert one % 4096 == 0 and none % 4096 == 0 and emulator.read(one, 100) == b"\xff" * 100
    emulator.write(one + 10, np.arange(5, dtype=np.int16)[::-1])
    assert emulator.read(one + 10, 4) == b"\4\0\3\0"
    emulator.fill(one, 0x1234, 10, width=2)
    emulator.copy(one + 50, one, 10)
    assert emulator.read(one + 50, 4) == b"\x34\x12" * 2
    emulator.view(one, 100)[3] = 7
    assert emulator.read(one + 3, 1) == b"\7"
    for act in (
        lambda: emulator.read(one, 101),
        lambda: emulator.write(one + 96, bytes(5)),
        lambda: emulator.fill(one - 1, 0, 2),
        lambda: emulator.read(none, 1),
        lambda: emulator.read(0, 1),
    ):
        with pytest.raises(ValueError, match="outside of every allocation"):
            act()
    with pytest.raises(OutOfMemory, match="are free"):
        emulator.allocate(1 << 20)
    emulator.free(one)
    for address in (one, one + 4, 12345):
        with pytest.raises(ValueError, match="no address that was allocated"):
            emulator.free(address)
    emulator.free(none)
    assert emulator.memory.used == 0


def test_memory_is_given_out_again_in_the_end() -> None:
    from tfc.backends.cuda.emulator.device_memory import DeviceMemory

    memory = DeviceMemory(1 << 20, reserved=1 << 20)
    kept = memory.allocate(5000)
    seen = set()
    for size in (4096, 9000, 1, 100_000) * 40:
        address = memory.allocate(size)
        assert memory.allocation(address, size) == (address, size)
        start, length = kept, 5000
        assert address + size + 4096 <= start or address >= start + length + 1
        seen.add(address)
        memory.free(address)
    assert len(seen) > 20
    assert memory.allocations == {kept: 5000}


def test_ptxas_takes_every_kernel_that_ran_here() -> None:
    assemble_all()


def test_the_assembler_of_pip_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "nvidia" / "cu13" / "bin" / "ptxas"
    place.parent.mkdir(parents=True)
    place.touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    assert ptxas() == str(place)
