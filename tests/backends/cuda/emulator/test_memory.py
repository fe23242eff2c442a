"""The PTX emulator: loads and stores in all memories, functions, and matrices of a warp."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from tests.backends.cuda.emulator.testing import (
    ORDERS,
    RAN,
    assemble,
    assemble_all,
    entry,
    fails,
    head,
    on_words,
    run,
    words,
)
from tfc.backends.cuda.emulator import Emulator, Fault

# -- memory --------------------------------------------------------------------------------------


def test_vectors_and_widths() -> None:
    body = """
        mul.wide.u32 %d6, %r1, 16;
        add.u64 %d7, %d3, %d6;
        add.u64 %d8, %d4, %d6;
        ld.global.nc.v4.b32 {%r3, %r4, %r5, %r6}, [%d7];
        st.global.v4.b32 [%d8], {%r6, %r5, %r4, %r3};
        ld.global.v2.b64 {%d9, %d10}, [%d8];
        st.global.v2.b64 [%d8], {%d10, %d9};
        ld.global.s8 %r7, [%d7];
        ld.global.u8 %r8, [%d7+1];
        ld.global.s16 %r9, [%d7+2];
        add.s32 %r7, %r7, %r8;
        add.s32 %r7, %r7, %r9;
        st.global.b32 [%d8+12], %r7;
        st.global.b8 [%d8+8], %r9;
        ret;
    """
    given = words(128)
    out = run(on_words(body), given, np.zeros(128, "u4"))[1].reshape(32, 4)
    expected = given.reshape(32, 4)[:, [1, 0, 3, 2]].copy()
    raw = given.view(np.uint8).reshape(32, 16)
    first = raw[:, 0].view(np.int8).astype(int) + raw[:, 1]
    half = given.view(np.int16).reshape(32, 8)[:, 1]
    expected[:, 3] = (first + half).astype(np.int32).view(np.uint32)
    expected[:, 2] = expected[:, 2] & ~np.uint32(255) | half.view(np.uint16) & 255
    np.testing.assert_array_equal(out, expected)


def test_local_generic_and_constant_memory() -> None:
    module = """
    .const .align 4 .b32 table[4] = {10, 20, 0x1E, 40};
    .global .align 8 .b8 bytes[5] = {1, 2, 3};
    .global .align 8 .u64 pointer = generic(bytes);
    .visible .global .align 4 .f32 number = 0f40490FDB;
    """
    body = """
        .local .align 16 .b8 depot[64];
        .shared .align 4 .b8 shared_words[128];
        mov.u64 %d6, depot;
        cvta.local.u64 %d7, %d6;
        and.b32 %r3, %r1, 3;
        mul.wide.u32 %d8, %r3, 4;
        add.u64 %d9, %d7, %d8;
        st.u32 [%d9], %r2;
        add.u64 %d10, %d6, %d8;
        ld.local.u32 %r4, [%d10];
        mov.u64 %d11, shared_words;
        cvta.shared.u64 %d12, %d11;
        add.u64 %d12, %d12, %d5;
        st.u32 [%d12], %r4;
        cvta.to.shared.u64 %d13, %d12;
        ld.shared.u32 %r5, [%d13];
        isspacep.shared %p1, %d12;
        selp.u32 %r6, 1, 0, %p1;
        add.u32 %r5, %r5, %r6;
        mov.u64 %d14, table;
        add.u64 %d14, %d14, %d8;
        ld.const.u32 %r7, [%d14];
        add.u32 %r5, %r5, %r7;
        ld.global.u64 %d15, [pointer];
        ld.u8 %r8, [%d15+2];
        add.u32 %r5, %r5, %r8;
        ld.global.b32 %r9, [number];
        xor.b32 %r5, %r5, %r9;
        cvta.to.global.u64 %d16, %d2;
        st.u32 [%d16], %r5;
        ret;
    """
    given = words()
    ptx = on_words(body, module)
    expected = (given + 1 + np.array([10, 20, 30, 40] * 8, "u4") + 3) ^ np.uint32(0x40490FDB)
    for order in ORDERS:
        out = run(ptx, given, words(), order=order)[1]
        np.testing.assert_array_equal(out, expected)


def test_atomics() -> None:
    body = """
        atom.global.add.u32 %r3, [%d4], 1;
        red.global.add.f32 [%d4+4], 0f3F800000;
        atom.global.min.s32 %r4, [%d4+8], %r2;
        atom.global.max.u32 %r4, [%d4+12], %r2;
        atom.relaxed.gpu.global.cas.b32 %r4, [%d4+16], 0, 5;
        atom.global.exch.b32 %r5, [%d4+20], %r1;
        red.global.xor.b32 [%d4+24], %r2;
        atom.global.inc.u32 %r6, [%d4+28], 6;
        atom.global.add.u64 %d6, [%d4+32], 4294967296;
        red.global.add.f64 [%d4+40], 0d3FE0000000000000;
        ret;
    """
    given = words()
    out = run(on_words(body), given, np.zeros(16, "u4"))[1]
    assert out[0] == 32 and out[1:2].view("f4")[0] == 32
    assert out[2:3].view("i4")[0] == min(0, int(given.view("i4").min()))
    assert out[3] == given.max() and out[4] == 5 and out[5] == 31
    assert out[6] == np.bitwise_xor.reduce(given) and out[7] == 32 % 7
    assert out[9] == 32 and out[10:12].view("f8")[0] == 16


def test_functions_tables_and_scopes() -> None:
    module = """
    .func (.param .b32 result) twice(.param .b32 x, .param .b64 place)
    {
        .reg .b32 %r<4>; .reg .b64 %rd<2>;
        .local .align 4 .b8 own[8];
        mov.b64 %rd1, own;
        ld.param.b32 %r1, [x];
        st.local.b32 [%rd1], %r1;
        ld.param.b64 %rd1, [place];
        ld.local.b32 %r2, [own];
        ld.global.b32 %r3, [%rd1];
        add.u32 %r2, %r2, %r3;
        st.param.b32 [result], %r2;
        ret;
    }
    """
    body = """
        and.b32 %r3, %r1, 3;
    $cases: .branchtargets $zero, $one, $two, $one;
        brx.idx %r3, $cases;
    $zero: mov.u32 %r4, 7; bra.uni $go;
    $one: mov.u32 %r4, 8; bra.uni $go;
    $two: mov.u32 %r4, 9;
    $go:
        { // callseq
        .param .b32 param0; .param .b64 param1; .param .b32 retval0;
        st.param.b32 [param0], %r4;
        st.param.b64 [param1], %d1;
        call.uni (retval0), twice, (param0, param1);
        ld.param.b32 %r5, [retval0];
        }
        {
        .reg .b32 %r6; .reg .pred p;
        mov.u32 %r6, 1;
        setp.eq.u32 p, %r6, 1;
        @p add.u32 %r5, %r5, %r6;
        @!p add.u32 %r5, %r5, 100;
        }
        st.global.u32 [%d2], %r5;
        ret;
    """
    given = words()
    out = run(on_words(body, module), given, words())[1]
    np.testing.assert_array_equal(out, given + np.array([8, 9, 10, 9] * 8, "u4"))


SHARERS = (
    head()
    + ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 common[8];\n"
    + entry("a", ".shared .align 4 .b8 x[40000]; mov.u32 %r1, x; st.shared.b32 [%r1], 1; ret;")
    + entry("b", ".shared .align 4 .b8 y[30000]; mov.u32 %r1, y; st.shared.b32 [%r1], 1; ret;")
    + entry(
        "c",
        """
        .shared .align 4 .b8 z[20];
        .local .align 4 .b8 own[4];
        mov.u32 %r1, z; mov.u32 %r2, common; mov.u32 %r3, dynamic;
        mov.u32 %r4, %dynamic_smem_size; mov.u64 %d2, own; ld.local.b32 %r5, [%d2];
        ld.param.u64 %d1, [p0];
        st.global.v4.b32 [%d1], {%r1, %r2, %r3, %r4};
        ret;
        """,
    )
)
TOO_LARGE = SHARERS.replace("40000", "50000")


def test_each_kernel_has_its_own_shared_and_local_memory() -> None:
    """Those of a module do not add up; the dynamic part begins behind what has a size."""
    functions = [Emulator().load(SHARERS).function(name) for name in "abc"]
    assert [f.static_shared for f in functions] == [40000, 30000, 32]
    out = run(SHARERS, np.zeros(4, "u4"), 0, name="c", block=1, shared=64)[0]
    np.testing.assert_array_equal(out, [1032, 1024, 1056, 64])
    with pytest.raises(ValueError, match="ptxas would refuse it"):
        run(TOO_LARGE, 0, 0, name="a")
    RAN.discard(TOO_LARGE)


def test_ptxas_agrees_on_the_size_of_shared_memory() -> None:
    assert assemble(SHARERS) is None
    assert "too much shared data" in str(assemble(TOO_LARGE))


def test_parameters_by_value() -> None:
    ptx = (
        head()
        + """
    .visible .entry k(.param .u64 out, .param .align 8 .b8 pair[16], .param .b8 small)
    {
        .reg .b64 %d<5>; .reg .b32 %r<5>; .reg .b16 %h<3>;
        ld.param.u64 %d1, [out];
        ld.param.u32 %r1, [pair];
        mov.b64 %d2, pair;
        ld.param.u64 %d3, [%d2+8];
        ld.param.s8 %h1, [small];
        cvt.s64.s16 %d4, %h1;
        add.u64 %d3, %d3, %d4;
        cvt.u64.u32 %d4, %r1;
        add.u64 %d3, %d3, %d4;
        st.global.u64 [%d1], %d3;
        ret;
    }
    """
    )
    emulator = Emulator()
    out = emulator.allocate(8)
    function = emulator.load(ptx).function("k")
    emulator.launch(function, (1,), (1,), struct.pack("QIxxxxQb", out, 5, 1 << 40, -3))
    assert int.from_bytes(emulator.read(out, 8), "little") == (1 << 40) + 2
    with pytest.raises(ValueError, match="takes 25 bytes of parameters, not 8"):
        emulator.launch(function, (1,), (1,), bytes(8))


def test_asynchronous_copies() -> None:
    """Before the wait the target is nan, and only groups that were waited for are there."""
    body = """
        mul.wide.u32 %d6, %r1, 16;
        add.u64 %d7, %d3, %d6;
        mov.u64 %d8, dynamic;
        add.u64 %d8, %d8, %d6;
        st.shared.b32 [%d8], 1;
        cp.async.cg.shared.global [%d8], [%d7], 16;
        cp.async.commit_group;
        cp.async.ca.shared.global [%d8+512], [%d7], 8, 4;
        cp.async.commit_group;
        ld.shared.b32 %r3, [%d8];
        cp.async.wait_group 1;
        ld.shared.b32 %r4, [%d8];
        ld.shared.b32 %r5, [%d8+512];
        cp.async.wait_all;
        ld.shared.v2.b32 {%r6, %r7}, [%d8+512];
        add.u64 %d9, %d4, %d6;
        st.global.v4.b32 [%d9], {%r3, %r4, %r5, %r6};
        setp.ne.b32 %p1, %r7, 0;
        @%p1 trap;
        ret;
    """
    given = words(128)
    ptx = on_words(body, ".extern .shared .align 16 .b8 dynamic[];")
    out = run(ptx, given, np.zeros(128, "u4"), shared=1024)[1].reshape(32, 4)
    first = given.reshape(32, 4)[:, 0]
    everything = np.full(32, 0xFFFFFFFF, "u4")
    np.testing.assert_array_equal(out, np.stack([everything, first, everything, first], 1))
    error = fails(ptx, Fault.SHARED)
    assert "shared memory has 0 bytes" in str(error)


# -- matrices ------------------------------------------------------------------------------------

_MATRICES = [  # shape, d, a, b, NumPy's type of a and b, processor
    ((16, 8, 16), "f32", "f16", "f16", "f2"),
    ((16, 8, 8), "f32", "f16", "f16", "f2"),
    ((16, 8, 16), "f16", "f16", "f16", "f2"),
    ((16, 8, 16), "f32", "bf16", "bf16", "bf16"),
    ((16, 8, 8), "f32", "bf16", "bf16", "bf16"),
    ((16, 8, 8), "f32", "tf32", "tf32", "f4"),
    ((16, 8, 4), "f32", "tf32", "tf32", "f4"),
    ((8, 8, 4), "f64", "f64", "f64", "f8"),
    ((16, 8, 32), "s32", "s8", "s8", "i1"),
    ((16, 8, 16), "s32", "u8", "s8", "u1"),
]


def _registers(prefix: str, first: int, count: int) -> str:
    return "{" + ", ".join(f"{prefix}{first + i}" for i in range(count)) + "}"


def _owners(rows: int, columns: int, size: int, which: str) -> list[list[tuple[int, int]]]:
    """For each lane the (row, column) of its elements, from the figures of the PTX manual."""
    result = []
    for lane in range(32):
        group, member, places = lane // 4, lane % 4, []
        if which == "a":
            for r in range(rows * columns // 32 // size):
                for e in range(size):
                    row = group + (8 if r % 2 else 0)
                    places.append((row, member * size + e + (4 * size if r >= 2 else 0)))
        elif which == "b":
            for r in range(rows * columns // 32 // size):
                places += [(member * size + e + 4 * size * r, group) for e in range(size)]
        else:
            for i in range(rows * columns // 32):
                places.append((group + (8 if i >= 2 else 0), member * 2 + i % 2))
        result.append(places)
    return result


@pytest.mark.parametrize(("shape", "d", "a", "b", "kind"), _MATRICES)
def test_products_of_matrices(
    shape: tuple[int, int, int], d: str, a: str, b: str, kind: str
) -> None:
    import ml_dtypes

    m, n, k = shape
    draw = np.random.default_rng(1)
    a_type = np.dtype(ml_dtypes.bfloat16 if kind == "bf16" else kind)
    b_type = np.dtype("i1") if kind == "u1" else a_type
    c_type = np.dtype({"f32": "f4", "f16": "f2", "f64": "f8", "s32": "i4"}[d])
    whole = kind in ("i1", "u1")
    left = draw.integers(0, 100, (m, k)) if whole else draw.standard_normal((m, k))
    right = draw.integers(-99, 100, (k, n)) if whole else draw.standard_normal((k, n))
    left, right = left.astype(a_type), right.astype(b_type)
    start = (draw.standard_normal((m, n)) * 3).astype(c_type)
    if a == "tf32":  # the low bits of the operands are not looked at
        left, right = ((x.view("u4") & 0xFFFFE000 | 77).view("f4") for x in (left, right))
    size = max(4 // a_type.itemsize, 1)
    lanes = []
    for lane in range(32):
        data = b""
        for matrix, extents, which in (
            (left, (m, k), "a"),
            (right, (k, n), "b"),
            (start, (m, n), "c"),
        ):
            owners = _owners(*extents, size, which)
            data += b"".join(matrix[place].tobytes() for place in owners[lane])
        lanes.append(data)
    wide = d == "f64"
    unit, prefix, width = (8, "%d", 64) if wide else (4, "%r", 32)
    counts = [m * k * a_type.itemsize // 32 // unit, k * n * b_type.itemsize // 32 // unit]
    counts.append(m * n * c_type.itemsize // 32 // unit)
    body = f"mul.wide.u32 %d6, %r1, {len(lanes[0])}; add.u64 %d7, %d3, %d6;\n"
    for i in range(sum(counts)):
        body += f"ld.global.b{width} {prefix}{20 + i}, [%d7+{unit * i}];\n"
    groups, first = [], 20
    for count in counts:
        groups.append(_registers(prefix, first, count))
        first += count
    shape_name = f"m{m}n{n}k{k}"
    body += f"mma.sync.aligned.{shape_name}.row.col.{d}.{a}.{b}.{d} "
    body += f"{_registers(prefix, 50, counts[2])}, {', '.join(groups)};\n"
    body += f"mul.wide.u32 %d6, %r1, {unit * counts[2]}; add.u64 %d7, %d4, %d6;\n"
    for i in range(counts[2]):
        body += f"st.global.b{width} [%d7+{unit * i}], {prefix}{50 + i};\n"
    ptx = on_words(body.replace("%d5", "%d5") + "ret;")
    packed = np.frombuffer(b"".join(lanes), np.uint8)
    out = run(ptx, packed, np.zeros(m * n, c_type), order="random")[1]
    got = np.zeros((m, n), c_type)
    for lane, places in enumerate(_owners(m, n, size, "c")):
        for i, place in enumerate(places):
            got[place] = out[lane * len(places) + i]
    if whole:
        np.testing.assert_array_equal(got, left.astype(int) @ right.astype(int) + start)
        return
    if a == "tf32":
        left, right = ((x.view("u4") & 0xFFFFE000).view("f4") for x in (left, right))
    exact = left.astype("f8") @ right.astype("f8") + start.astype("f8")
    np.testing.assert_allclose(got, exact, rtol=float(np.finfo(c_type).eps), atol=1e-15)


def test_what_a_conditional_part_computes_stays_there() -> None:
    """Rows are checked by 8 lanes only; their address is read again by all, in a later place."""
    body = """
        .shared .align 16 .b8 tile[128];
        mov.u32 %r3, tile;
        and.b32 %r4, %r1, 7;
        mad.lo.u32 %r4, %r4, 16, %r3;
        mov.b32 %f1, %r4;
        add.rn.f32 %f1, %f1, %f1;
        st.shared.b32 [%r4], %r4;
        bar.warp.sync -1;
        ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4+0];
        ld.shared.b32 %r6, [%r4+0];
        st.global.b32 [%d2], %r6;
        ret;
    """
    out = run(on_words(body), words(), words())[1]
    np.testing.assert_array_equal(out, 1024 + 16 * (np.arange(32) & 7))


@pytest.mark.parametrize("transposed", [False, True])
def test_matrices_between_lanes_and_shared_memory(transposed: bool) -> None:
    trans = ".trans" if transposed else ""
    body = f"""
        .shared .align 16 .b8 tile[512];
        .shared .align 16 .b8 other[512];
        mul.wide.u32 %d6, %r1, 16;
        add.u64 %d7, %d3, %d6;
        ld.global.v4.b32 {{%r3, %r4, %r5, %r6}}, [%d7];
        mov.u64 %d8, tile;
        add.u64 %d8, %d8, %d6;
        st.shared.v4.b32 [%d8], {{%r3, %r4, %r5, %r6}};
        bar.warp.sync -1;
        ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%r10, %r11, %r12, %r13}}, [%d8];
        movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r13;
        mov.u64 %d9, other;
        add.u64 %d9, %d9, %d6;
        stmatrix.sync.aligned.m8n8.x4.shared.b16 [%d9], {{%r10, %r11, %r12, %r13}};
        bar.warp.sync -1;
        ld.shared.v4.b32 {{%r3, %r4, %r5, %r6}}, [%d9];
        add.u64 %d7, %d4, %d6;
        st.global.v4.b32 [%d7], {{%r3, %r4, %r5, %r6}};
        ret;
    """
    ptx = on_words(body, target="sm_90")
    given = np.arange(256, dtype=np.uint16).reshape(4, 8, 8)
    expected = given.transpose(0, 2, 1).copy() if transposed else given.copy()
    expected[3] = expected[3].T
    for order in ORDERS:
        out = run(ptx, given, np.zeros((4, 8, 8), "u2"), order=order)[1]
        np.testing.assert_array_equal(out, expected)


def test_ptxas_takes_every_kernel_that_ran_here() -> None:
    assemble_all()
