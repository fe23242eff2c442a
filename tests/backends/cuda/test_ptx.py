"""Kernels as PTX, run by the emulator: the bits are those of the CPU's kernels.

Nearly every op of the table is there with one of its dtypes (TFC_TEST_PTX=all: all rows, all
dtypes).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tests.optable import ROWS, Row
from tests.programs import Program
from tfc.backends import disk_cache
from tfc.backends.cuda.module import compile_module
from tfc.backends.llvm import compiler
from tfc.ir.core import Builder, Function, OpError, Value
from tfc.ir.dtypes import as_dtype, int64
from tfc.ir.extent import symbol
from tfc.ir.kernels.gpu.launch_phases import extent_of, phases
from tfc.ir.kernels.ops import Grid
from tfc.ir.ops.reduction import CHUNK
from tfc.ir.ops.special import Special, SpecialUnary
from tfc.ir.ops.transcendental import Transcendental
from tfc.ir.text import parse
from tfc.ir.types import INDEX


def _cases() -> list[Any]:
    if os.environ.get("TFC_TEST_PTX") == "all":
        chosen = [(row, d) for row in ROWS for d in row.dtypes.split()]
    else:
        rows = {row.op: row for row in reversed(ROWS) if row.dtypes}
        long = [op for op in rows if issubclass(op, Special | SpecialUnary | Transcendental)]
        for i, op in enumerate(long):  # long programs of the same few instructions
            if i % 5:
                del rows[op]
        chosen = [
            (row, row.dtypes.split()[i % len(row.dtypes.split())])
            for i, row in enumerate(rows.values())
        ]
    return [pytest.param(row, short, id=f"{row.name}-{short}") for row, short in chosen]


@pytest.mark.parametrize(("row", "short"), _cases())
def test_op(row: Row, short: str) -> None:
    """One program for all sizes gives the bits of the CPU."""
    dtype = as_dtype(short)
    f = row.function(dtype)
    kernels = emulated.lowered(f)
    if not emulated.launched_only(kernels):
        pytest.skip("the host computes it")
    device, host = emulated.Emulated(f, "random", kernels), native.Native(f)
    for sizes in row.sizes:
        arrays = row.arrays(dtype, sizes)
        native.assert_same_bits(device(*arrays), host(*arrays), f"{sizes}")


SOFTMAX = """
func @softmax(%x: f32[n,m]) -> (f32[n,m], f32[n]) {
  %0 = reduce_max %x {axes = (1,)} : f32[n]
  %1 = broadcast %0 {shape = (n, m), dims = (0,)} : f32[n,m]
  %2 = sub %x, %1 : f32[n,m]
  %3 = exp %2 : f32[n,m]
  %4 = reduce_sum %3 {axes = (1,)} : f32[n]
  %5 = broadcast %4 {shape = (n, m), dims = (0,)} : f32[n,m]
  %6 = div %3, %5 : f32[n,m]
  return %6, %4
}
"""
COLUMNS = """
func @columns(%x: f64[n,m]) -> (f64[m], f64[m], i64[m]) {
  %0 = reduce_sum %x {axes = (0,)} : f64[m]
  %1 = reduce_max %x {axes = (0,)} : f64[m]
  %2 = mul %0, %1 : f64[m]
  %3 = arg_min %x {axes = (0,)} : i64[m]
  return %0, %2, %3
}
"""
TRANSPOSE = """
func @transpose(%x: f16[b,n,m]) -> f16[m,b,n] {
  %0 = transpose %x {perm = (2, 0, 1)} : f16[m,b,n]
  return %0
}
"""
WHOLE = """
func @whole(%x: f32[n,m]) -> (f32, i64, f32) {
  %0 = reduce_sum %x {axes = (0, 1)} : f32
  %1 = reshape %x {shape = (n*m,)} : f32[n*m]
  %2 = arg_max %1 {axes = (0,)} : i64
  %3 = mul %0, %0 : f32
  return %0, %2, %3
}
"""
SHAPES = {
    SOFTMAX: [(1, 1), (5, 33), (3, 64), (2, 700), (70, 65), (0, 4), (4, 0)],
    COLUMNS: [(17, 1), (33, 31), (64, 32), (65, 33), (700, 40)],
    TRANSPOSE: [(1, 8, 8), (2, 33, 31), (3, 5, 70), (0, 9, 9)],
    WHOLE: [(1, 1), (30, 31), (1, 2048)],
}
PROGRAMS = [pytest.param(t, id=re.findall(r"@(\w+)", t)[0]) for t in SHAPES]


def normal(f: Function, *shape: int) -> Any:
    rng = np.random.default_rng(sum(shape))
    return rng.standard_normal(shape).astype(f.params[0].dtype.numpy)


def fixed(text: str, shape: tuple[int, ...]) -> Function:
    """The program for one shape."""
    f = parse(text)
    return native.static(f, np.zeros(shape, f.params[0].dtype.numpy))


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("order", ["forward", "random"])
def test_schedules(text: str, order: str) -> None:
    """In any order of warps and blocks, and for extents that are known, too."""
    f = parse(text)
    device, host = emulated.Emulated(f, order), native.Native(f)
    for i, shape in enumerate(SHAPES[text]):
        if 0 in shape and text is SOFTMAX and order != "random":
            continue
        x = normal(f, *shape)
        wanted = host(x)
        native.assert_same_bits(device(x), wanted, f"{shape}")
        if order == "random" and i % 2 == 0:
            known = emulated.Emulated(fixed(text, shape), order)
            native.assert_same_bits(known(x), wanted, f"static {shape}")


PRODUCT = """
func @product(%x: T[b,m,k], %y: T[b,k,n], %z: T[n]) -> (T[b,m,n], T[b,m,n]) {
  %0 = matmul %x, %y : T[b,m,n]
  %1 = broadcast %z {shape = (b, m, n), dims = (2,)} : T[b,m,n]
  %2 = add %0, %1 : T[b,m,n]
  return %0, %2
}
"""
TURNED = """
func @turned(%x: T[k,m], %y: T[n,k]) -> T[m,n] {
  %0 = transpose %x {perm = (1, 0)} : T[m,k]
  %1 = transpose %y {perm = (1, 0)} : T[k,n]
  %2 = matmul %0, %1 : T[m,n]
  return %2
}
"""


@pytest.mark.parametrize(
    ("short", "b", "m", "n", "k"),
    [
        ("f32", 1, 70, 50, 300),
        ("f32", 3, 17, 33, 20),
        ("f64", 1, 20, 20, 530),
        ("bf16", 2, 9, 40, 70),
        ("i16", 1, 20, 30, 40),
        ("c64", 1, 5, 9, 300),
        ("f32", 1, 1, 100, 30),
        ("f32", 1, 100, 1, 30),
        ("f32", 2, 3, 4, 0),
    ],
)
def test_products(short: str, b: int, m: int, n: int, k: int) -> None:
    """Tiles for known and for unknown extents."""
    f = parse(PRODUCT.replace("T[", f"{short}["))
    rng = np.random.default_rng(k)
    arrays = []
    for shape in ((b, m, k), (b, k, n), (n,)):
        dtype = as_dtype(short)
        numbers = rng.integers(-9, 9, shape) if dtype.is_integer else rng.standard_normal(shape)
        if dtype.is_complex:
            numbers = numbers + 1j * rng.standard_normal(shape)
        arrays.append(numbers.astype(dtype.numpy))
    wanted = native.run(f, *arrays)
    native.assert_same_bits(emulated.Emulated(f, "random")(*arrays), wanted)
    known = native.static(f, *arrays)
    native.assert_same_bits(emulated.Emulated(known, "reversed")(*arrays), wanted)


def exact(x: Any, y: Any) -> Any:
    """The product, and for each element what rounding errors of its sum are measured by."""
    wide = [a.astype(np.float64) for a in (x, y)]
    return wide[0] @ wide[1], np.abs(wide[0]) @ np.abs(wide[1])


@pytest.mark.parametrize("short", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("sizes", [(1, 70, 48, 136), (2, 17, 33, 41), (1, 1, 1, 1), (1, 5, 130, 0)])
def test_tensor_cores(short: str, sizes: tuple[int, ...]) -> None:
    """Near the exact product; the same bits for known extents, batches and transposes."""
    b, m, n, k = sizes
    dtype = as_dtype(short)
    rng = np.random.default_rng(k)
    x = rng.standard_normal((b, m, k)).astype(dtype.numpy)
    y = rng.standard_normal((b, k, n)).astype(dtype.numpy)
    z = np.zeros(n, dtype.numpy)
    f = parse(PRODUCT.replace("T[", f"{short}["))
    kernels = emulated.lowered(f, tensor_cores=True, tf32=True)
    got = emulated.Emulated(f, "random", kernels)(x, y, z)[0]
    wanted, scale = exact(x, y)
    bits = {"f16": 11, "bf16": 8, "f32": 10}[short]  # both operands are rounded to tf32's 11
    assert (np.abs(got.astype(np.float64) - wanted) <= 2.0**-bits * (scale + 1e-30)).all()
    known = native.static(f, x, y, z)
    kernels = emulated.lowered(known, tensor_cores=True, tf32=True)
    if k:
        assert "mma.sync" in compile_module(kernels).ptx
    native.assert_same_bits(emulated.Emulated(known, "reversed", kernels)(x, y, z)[:1], [got])
    turned = parse(TURNED.replace("T[", f"{short}["))
    turned = native.static(turned, x[0].T, y[0].T)
    kernels = emulated.lowered(turned, tensor_cores=True, tf32=True)
    device = emulated.Emulated(turned, "forward", kernels)
    native.assert_same_bits(device(x[0].T, y[0].T), [got[0]])


def test_tf32_is_asked_for() -> None:
    f = parse(PRODUCT.replace("T[", "f32["))
    assert "mma.sync" not in compile_module(emulated.lowered(f, tensor_cores=True)).ptx


def test_windows_and_infinite_weights() -> None:
    """Convolutions are tiles, too; what a window skips is nothing, even times inf."""
    row = next(r for r in ROWS if r.name == "conv-plain")
    assert row.op.mnemonic == "conv"
    text = """func @f(%x: f32[2,9,8,3], %w: f32[3,3,3,20]) -> f32[2,9,8,20] {
      %0 = conv %x, %w {size = (9, 8), strides = (1, 1), low = (1, 1), rhs_dilation = (1, 1), \
lhs_dilation = (1, 1), groups = 1, batch_groups = 1} : f32[2,9,8,20]
      return %0
    }""".replace("\\\n", "")
    f = parse(text)
    assert "team = 256" in str(emulated.lowered(f))
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(p.shape).astype(np.float32) for p in f.params)
    device, host = emulated.Emulated(f), native.Native(f)
    native.assert_same_bits(device(x, w), host(x, w))
    w[0, 0, 0, 3], w[2, 1, 1, 5] = np.inf, np.nan
    native.assert_same_bits(device(x, w), host(x, w), "not finite")


def test_large_tiles() -> None:
    f = native.static(
        parse(TURNED.replace("T[", "f32[")),
        np.zeros((520, 1500), np.float32),
        np.zeros((1400, 520), np.float32),
    )
    kernels = emulated.lowered(f)
    assert "team = 256" in str(kernels)
    assert compile_module(kernels).ptx.count("fma.rn.f32") == 64  # of a thread, per element of k
    small = native.static(
        parse(TURNED.replace("T[", "f32[")),
        np.zeros((300, 70), np.float32),
        np.zeros((60, 300), np.float32),
    )
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s).astype(np.float32) for s in ((300, 70), (60, 300)))
    native.assert_same_bits(emulated.Emulated(small)(x, y), native.run(small, x, y))


@pytest.mark.parametrize(("n", "m"), [(CHUNK + 1, 3), (3 * CHUNK, 2), (5 * CHUNK + 70, 1)])
def test_long_reductions(n: int, m: int) -> None:
    """More than CHUNK elements: one tree, whichever schedule reduces them, and near the sum."""
    texts = [
        "func @f(%x: f32[n,m]) -> f32[m] {\n  %0 = reduce_sum %x {axes = (0,)} : f32[m]\n"
        "  return %0\n}",
        "func @f(%x: f32[m,n]) -> f32[m] {\n  %0 = reduce_sum %x {axes = (1,)} : f32[m]\n"
        "  return %0\n}",
        "func @f(%x: f32[n]) -> f32 {\n  %0 = reduce_sum %x {axes = (0,)} : f32\n  return %0\n}",
    ]
    x = np.random.default_rng(n).standard_normal((n, m)).astype(np.float32)
    turned = np.ascontiguousarray(x.T)
    (columns,), (rows,) = (
        emulated.Emulated(parse(t))(a) for t, a in zip(texts, (x, turned), strict=False)
    )
    whole = emulated.Emulated(parse(texts[2]))
    singles = np.array([whole(turned[j])[0] for j in range(m)])
    for text, array in ((texts[0], x), (texts[1], turned), (texts[0].replace("m]", f"{m}]"), x)):
        f = parse(text) if "m]" not in text else native.static(parse(text), array)
        device = emulated.Emulated(f, "random")  # in two launches where there are few rows
        native.assert_same_bits(device(array), [singles], text)
    native.assert_same_bits([columns, rows], [singles, singles])
    np.testing.assert_allclose(columns, x.astype(np.float64).sum(0), rtol=0, atol=1e-3)


CHECKED = """
func @checked(%x: f32[n], %i: i64[k]) -> (f32[k], f32[k]) {
  %0 = gather %x, %i {axis = 0} : f32[k]
  %1 = exp %0 : f32[k]
  %2 = reverse %1 {axes = (0,)} : f32[k]
  return %0, %2
}
"""


def test_vectors() -> None:
    """What lies at a thread's own places is loaded and stored by 128 bits."""
    f = parse(
        "func @f(%x: f32[n], %y: f32[n]) -> f32[n] {\n  %0 = mul %x, %y : f32[n]\n  return %0\n}"
    )
    device = emulated.Emulated(f)
    assert device.module.ptx.count("ld.global.v4.b32") == 2
    assert device.module.ptx.count("st.global.v4.b32") == 1
    for n in (0, 1, 3, 4, 1023, 1024, 4099):
        x, y = np.random.default_rng(n).standard_normal((2, n)).astype(np.float32)
        native.assert_same_bits(device(x, y), [x * y])


def test_vectors_in_rows() -> None:
    """Beside them, what belongs to the row or to the column only."""
    f = parse("""func @f(%x: f32[a,n,m], %y: f32[m], %z: f32[n]) -> f32[a,n,m] {
      %0 = broadcast %y {shape = (a, n, m), dims = (2,)} : f32[a,n,m]
      %1 = broadcast %z {shape = (a, n, m), dims = (1,)} : f32[a,n,m]
      %2 = add %x, %0 : f32[a,n,m]
      %3 = mul %2, %1 : f32[a,n,m]
      return %3
    }""")
    device = emulated.Emulated(f, "reversed")
    assert device.module.ptx.count("ld.global.v4.b32") == 2
    assert device.module.ptx.count("st.global.v4.b32") == 1
    rng = np.random.default_rng(0)
    for a, n, m in ((2, 3, 8), (1, 5, 7), (3, 1, 4), (0, 2, 4), (2, 40, 36)):
        x, y, z = (rng.standard_normal(s).astype(np.float32) for s in ((a, n, m), m, n))
        native.assert_same_bits(device(x, y, z), [(x + y) * z[:, None]])


@pytest.mark.parametrize("short", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_zeros_have_signs(op: str, short: str) -> None:
    """LLVM makes instructions of these that take -0.0 for less than 0.0, also where a zero is what
    it folds."""
    text = f"""
func @f(%x: {short}[5]) -> ({", ".join([f"{short}[5]"] * 4)}) {{
  %c = constant {{value = {short} 0.0}} : {short}
  %d = constant {{value = {short} -0.0}} : {short}
  %y = broadcast %c {{shape = (5,), dims = ()}} : {short}[5]
  %z = broadcast %d {{shape = (5,), dims = ()}} : {short}[5]
  %0 = {op} %x, %y : {short}[5]
  %1 = {op} %x, %z : {short}[5]
  %2 = {op} %z, %x : {short}[5]
  %e = constant {{value = f64 -0.0}} : f64
  %g = cast %e {{dtype = {short}}} : {short}
  %h = broadcast %g {{shape = (5,), dims = ()}} : {short}[5]
  %3 = {op} %x, %h : {short}[5]
  return %0, %1, %2, %3
}}"""
    f = parse(text)
    x = np.array([0.0, -0.0, 1.5, -2.0, np.nan]).astype(as_dtype(short).numpy)
    for ours, cpu in zip(emulated.Emulated(f)(x), native.run(f, x), strict=True):
        np.testing.assert_array_equal(native.bits(ours), native.bits(cpu))


def test_no_contraction() -> None:
    """Nothing is fused or approximated that the IR does not say."""
    f = parse(
        "func @f(%x: f32[n]) -> f32[n] {\n  %0 = mul %x, %x : f32[n]\n  %1 = add %0, %x : f32[n]\n"
        "  %2 = div %1, %x : f32[n]\n  %3 = sqrt %2 : f32[n]\n  return %3\n}"
    )
    ptx = compile_module(emulated.lowered(f)).ptx
    assert "fma" not in ptx and "approx" not in ptx and "ftz" not in ptx
    for instruction in ("mul.rn.f32", "add.rn.f32", "div.rn.f32", "sqrt.rn.f32"):
        assert instruction in ptx


def test_failing_checks() -> None:
    """The record has the site and its values, and later kernels do nothing."""
    f = parse(CHECKED)
    device = emulated.Emulated(f)
    x = np.arange(5, dtype=np.float32)
    native.assert_same_bits(
        device(x, np.array([4, 0])), native.run(f, x, np.array([4, 0])), "good indices"
    )
    with pytest.raises(emulated.Failed) as caught:
        device(x, np.array([1, 7, 2]))
    site, *values = caught.value.args
    assert device.f.notes["sites"][site - 1].kind == "index" and values == [7, 5]


@pytest.mark.parametrize("seed", range(6))
def test_programs(seed: int) -> None:
    """Random programs, fused as they come."""
    program = Program(seed)
    f = program.grow(4 + 2 * seed)
    arrays = program.arrays(f)
    wanted = native.run(f, *arrays)
    native.assert_same_bits(emulated.Emulated(f, "random")(*arrays), wanted)
    known = native.static(f, *arrays)
    native.assert_same_bits(emulated.Emulated(known, "reversed")(*arrays), wanted)


KERNEL = """func @f(%x: f32[n]) -> f32[n] {
  %0 = launch [%x] {types = (f32[n],)} kernel = (%in: *f32[n], %out: *f32[n]) {
    %1 = extent_of {value = n} : i64
    %2 = constant {value = i64 0} : i64
    FIRST
    for %2, %1, [] {step = 1, kind = 'vector'} body = (%i: i64) {
      %3 = load %in, %i, none : f32
      %4 = add %3, VALUE : f32
      store %out, %i, %4
      return
    }
    for %2, %1, [] {step = 1, kind = 'parallel'} body = (%j: i64) {
      for %2, %1, [] {step = 2, kind = 'parallel'} body = (%k: i64) {
        %5 = load %in, %k, none : f32
        store %out, %k, %5
        return
      }
      return
    }
    return
  } : f32[n]
  return %0
}"""


def test_phases() -> None:
    """Independent loops are grids of their own, in order; nests are one grid; what one thread
    computes for a later loop makes both the work of one thread."""

    def cut(first: str, value: str) -> list[Function]:
        f = parse(KERNEL.replace("FIRST", first).replace("VALUE", value))
        (launch,) = f.body
        return phases(launch.kernel)  # type: ignore[attr-defined]

    plain = cut("%9 = constant {value = f32 1.0} : f32", "%9")
    grids = [phase.body[-1] for phase in plain]
    assert [len(g.lows) for g in grids if isinstance(g, Grid)] == [1, 2]
    assert [extent_of(g.highs[0]) for g in grids if isinstance(g, Grid)] == [symbol("n")] * 2
    total = """%9 = reduce %1 {combine = 'add', kind = 'serial'} body = (%r: i64) {
      %8 = load %in, %r, none : f32
      return %8
    } : f32"""
    first, second = cut(total, "%9")
    assert not any(isinstance(op, Grid) for op in first.walk())
    assert isinstance(second.body[-1], Grid)


def test_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text is compiled once."""
    monkeypatch.setattr(disk_cache, "_default", disk_cache.Cache(str(tmp_path / "cache")))
    f = emulated.lowered(parse(SOFTMAX))
    first = compile_module(f).ptx
    made = []
    monkeypatch.setattr(compiler, "assembly", lambda *given: made.append(given) or "new")
    assert compile_module(f).ptx == first and not made
    assert compile_module(f, "sm_90").ptx == "new" and len(made) == 1


def test_teams() -> None:
    zero = Builder().constant(0, int64)
    params = tuple(Value(INDEX, None, i) for i in range(2))
    with pytest.raises(OpError, match="no team has 33 threads"):
        Grid((zero,), (zero,), (1,), 33, Function("body", params, (), ())).infer()


@pytest.mark.skipif(emulated.PTXAS is None, reason="ptxas is not there")
@pytest.mark.parametrize("processor", ["sm_80", "sm_90"])
def test_ptxas(processor: str, tmp_path: Path) -> None:
    """What the schedules give is assembled, and no register is spilled."""
    large = native.static(
        parse(TURNED.replace("T[", "f32[")),
        np.zeros((1024, 2048), np.float32),
        np.zeros((2048, 1024), np.float32),
    )
    for f in (large, *map(parse, SHAPES), parse(PRODUCT.replace("T[", "f64["))):
        ptx = compile_module(emulated.lowered(f), processor).ptx
        said = emulated.assemble(ptx, processor, tmp_path)
        spilled = [int(n) for n in re.findall(r"(\d+) bytes spill", said)]
        assert spilled and max(spilled) == 0, said
