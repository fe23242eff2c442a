"""What the PTX emulator catches, and what it refuses."""

from __future__ import annotations

import struct

import pytest

from tests.backends.cuda.emulator.testing import (
    assemble_all,
    entry,
    fails,
    head,
    kernel,
    on_words,
    run,
    words,
)
from tfc.backends.cuda.emulator import EmulationError, Emulator, Fault, PtxError

# -- what is caught ------------------------------------------------------------------------------


def test_out_of_bounds_is_caught() -> None:
    error = fails(on_words("ld.global.b32 %r3, [%d1+4]; ret;"), Fault.GLOBAL)
    assert (error.kernel, error.block, error.thread) == ("k", (0, 0, 0), (31, 0, 0))
    assert "ld.global.b32 %r3, [%d1+4]; ret;" in error.text and "offset 128" in str(error)
    fails(on_words("st.global.b32 [%d1+-4], %r1; ret;"), Fault.GLOBAL)
    fails(on_words("mov.u64 %d6, 0; ld.global.b32 %r3, [%d6]; ret;"), Fault.GLOBAL)
    fails(on_words("ld.global.v2.b32 {%r3, %r4}, [%d2+124]; ret;"), Fault.GLOBAL)
    fails(on_words("ld.b32 %r3, [%d1+4]; ret;"), Fault.GENERIC)
    fails(on_words("red.global.add.u32 [%d1+4], 1; ret;"), Fault.GLOBAL)
    fails(on_words("mov.u64 %d6, 36028797018963968; ld.b8 %r3, [%d6]; ret;"), Fault.GENERIC)


def test_misaligned_access_is_caught() -> None:
    fails(on_words("ld.global.b32 %r3, [%d3+2]; ret;"), Fault.GLOBAL)
    fails(on_words("ld.global.v4.b32 {%r3, %r4, %r5, %r6}, [%d3+8]; ret;"), Fault.GLOBAL)
    fails(on_words("ld.b16 %h3, [%d3+1]; ret;"), Fault.GENERIC)


def test_shared_and_local_bounds() -> None:
    shared = ".shared .align 4 .b8 area[32]; mov.u32 %r3, area; "
    error = fails(on_words(shared + "st.shared.u32 [%r3+32], 1; ret;"), Fault.SHARED)
    assert "shared memory has 32 bytes" in str(error)
    fails(on_words(shared + "st.shared.u32 [%r3+-4], 1; ret;"), Fault.SHARED)
    fails(on_words(shared + "st.shared.u32 [%r3+1], 1; ret;"), Fault.SHARED)
    fails(on_words("mov.u32 %r3, 0; ld.shared.u32 %r4, [%r3]; ret;"), Fault.SHARED)
    local = ".local .align 4 .b8 own[64]; mov.u64 %d6, own; "
    fails(on_words(local + "ld.local.u32 %r3, [%d6+64]; ret;"), Fault.LOCAL)
    inside = run(
        on_words(local + "ld.local.u32 %r3, [%d6]; st.global.u32 [%d2], %r3; ret;"),
        words(),
        words(),
    )
    assert (inside[1] == 0xFFFFFFFF).all()  # what nobody wrote


def test_use_after_free_is_caught() -> None:
    emulator = Emulator()
    function = emulator.load(on_words("st.global.b32 [%d2], %r2; ret;")).function("k")
    x, y = emulator.allocate(128), emulator.allocate(128)
    emulator.launch(function, (1,), (32,), struct.pack("QQ", x, y))
    emulator.free(x)
    emulator.allocate(128)
    with pytest.raises(EmulationError) as caught:
        emulator.launch(function, (1,), (32,), struct.pack("QQ", x, y))
    assert caught.value.fault is Fault.GLOBAL and caught.value.address == x


def test_a_shuffle_whose_lanes_diverge_is_caught() -> None:
    body = """
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bra $low;
        shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;
        bra.uni $end;
    $low:
        shfl.sync.up.b32 %r3, %r2, 1, 0, -1;
    $end:
        st.global.u32 [%d2], %r3;
        ret;
    """
    error = fails(on_words(body), Fault.DEADLOCK)
    assert "16 threads wait at line" in str(error)
    assert "a mask names lanes that do not arrive" in str(error)
    early = (
        "setp.lt.u32 %p1, %r1, 3; @%p1 bra $end; shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;$end:ret;"
    )
    fails(on_words(early), Fault.EXITED_LANE)
    fails(on_words("shfl.sync.bfly.b32 %r3, %r2, 1, 31, 0x7FFFFFFF; ret;"), Fault.NOT_IN_MASK)
    waits = "setp.lt.u32 %p1, %r1, 3; @%p1 bra $b; vote.sync.any.pred %p2, %p1, -1; "
    waits += "$b: bar.sync 0; ret;"
    fails(on_words(waits), Fault.DEADLOCK)


def test_barriers_that_not_all_reach_are_caught() -> None:
    early = "setp.ge.u32 %p1, %r1, 32; @%p1 bra $end; bar.sync 0; $end: ret;"
    error = fails(on_words(early), Fault.EXITED_AT_BARRIER, block=64)
    assert "32 threads wait at line" in str(error) and "32 threads have exited" in str(error)
    two = "setp.ge.u32 %p1, %r1, 32; @%p1 bra $b; bar.sync 1; ret;\n$b: bar.sync 2; ret;"
    assert "32 threads" in str(fails(on_words(two), Fault.DEADLOCK, block=64))
    split = "setp.ge.u32 %p1, %r1, 9;\n@%p1 bra $b;\nbar.sync 0;\nret;\n$b:\nbar.sync 0;\nret;"
    assert "another thread of the warp" in str(fails(on_words(split), Fault.DIVERGED_BARRIER))
    free = split.replace("bar.sync", "barrier.cta.sync")
    run(on_words(free), words(), words())
    fails(on_words("bar.sync 16; ret;".replace("16", "%r2")), Fault.BARRIER_NUMBER)


def test_endless_loops_and_traps_end() -> None:
    emulator = Emulator(budget=100_000)
    for body in ("$again: bra.uni $again;", "$again: bar.sync 0; bra.uni $again;"):
        function = emulator.load(on_words(body)).function("k")
        memory = emulator.allocate(128)
        with pytest.raises(EmulationError) as caught:
            emulator.launch(function, (1,), (32,), struct.pack("QQ", memory, memory))
        assert caught.value.fault is Fault.BUDGET
    trap = "setp.eq.u32 %p1, %r1, 7; @%p1 trap; ret;"
    assert fails(on_words(trap), Fault.TRAP).thread == (7, 0, 0)


def test_text_that_is_not_supported_is_refused() -> None:
    for body, message in (
        ("ret;\nmbarrier.init.shared.b64 [%d1], 1;", "this instruction is not supported"),
        ("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f1,%f2}];", "cannot read the address"),
        ("add.rn.nonsense.f32 %f1, %f2, %f3;", r"\.nonsense is not supported"),
        ("mov.u32 %r1, %nothing;", "%nothing is not known"),
        ("mov.u32 %r1, nothing;", "nothing is not known"),
        ("bra $nowhere;", "no label"),
        ("cvt.u32.f32 %r1, %f1;", "without .rzi"),
        ("call somewhere;", "does not define"),
    ):
        with pytest.raises(PtxError, match=message) as caught:
            Emulator().load(kernel(body + "\nret;"))
        assert caught.value.line >= 7
    with pytest.raises(PtxError, match="no PTX module"):
        Emulator().load("nonsense")
    with pytest.raises(KeyError, match="no kernel 'other', only: k"):
        Emulator().load(kernel("ret;")).function("other")


def test_launches_that_cannot_be_are_refused() -> None:
    emulator = Emulator()
    function = emulator.load(kernel("ret;", 0)).function("k")
    for grid, block, shared, message in (
        ((1,), (2048,), 0, "block of"),
        ((0,), (32,), 0, "grid of"),
        ((1, 1 << 16), (32,), 0, "grid of"),
        ((1,), (32,), 1 << 20, "shared memory"),
    ):
        with pytest.raises(ValueError, match=message):
            emulator.launch(function, grid, block, b"", shared)
    with pytest.raises(ValueError, match="another emulator"):
        Emulator().launch(function, (1,), (32,))
    with pytest.raises(ValueError, match="order must be"):
        Emulator("sideways")  # type: ignore[arg-type]
    limited = head() + entry("k", "ret;", 0).replace("k()", "k()\n.maxntid 64")
    with pytest.raises(ValueError, match="outside of 1 to 64"):
        emulator.launch(emulator.load(limited).function("k"), (1,), (128,))


def test_ptxas_takes_every_kernel_that_ran_here() -> None:
    assemble_all()
