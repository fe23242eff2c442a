"""A module in parts: what runs once a call, and loops that LLVM makes no pointers for."""

from __future__ import annotations

import numpy as np

from tests.native import Native
from tfc.backends.cpu import jit
from tfc.backends.cpu.parallel_compile import Part, _functions, split
from tfc.ir.text import parse

SUMS = """
func @sums(%x: f32[8, 300]) -> f32[300] {
  %0 = reduce_sum %x {axes = (0,)} : f32[300]
  return %0
}
"""

KERNELS = """\
@count = internal global i64 5
@table = private constant [2 x ptr] [ptr @weight, ptr null]
@weight = private constant i64 7
@unused = private constant i64 1
declare i64 @llvm.smax.i64(i64, i64)

define internal i64 @kernel(ptr %at, { i64, i64 } %pair) nounwind {
  %first = extractvalue { i64, i64 } %pair, 0
  %value = load i64, ptr %at
  %sum = add i64 %value, %first
  ret i64 %sum
}

define i64 @glue(i64 %x) nounwind noinline optnone {
entry:
  %pair = insertvalue { i64, i64 } undef, i64 %x, 0
  %old = load i64, ptr @count
  %new = add i64 %old, 1
  store i64 %new, ptr @count
  %place = load ptr, ptr @table
  %weight = load i64, ptr %place
  %sum = call i64 @kernel(ptr @count, { i64, i64 } %pair)
  %total = add i64 %sum, %weight
  ret i64 %total
}

define i64 @counted() nounwind {
  %now = load i64, ptr @count
  %low = call i64 @llvm.smax.i64(i64 %now, i64 0)
  ret i64 %low
}
"""


def test_both_parts_are_one_library() -> None:
    import ctypes

    (optimised, *_), (plain, level, _) = split(KERNELS)
    assert level == 0
    assert "@glue" not in optimised and "define i64 @kernel(" in optimised
    assert "declare i64 @kernel(ptr, { i64, i64 })" in plain and "@counted" not in plain
    assert "@unused" not in optimised + plain and "@llvm.smax" not in plain
    library = jit.load(KERNELS)
    glue = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library.address("glue"))
    counted = ctypes.CFUNCTYPE(ctypes.c_int64)(library.address("counted"))
    assert (counted(), glue(10), glue(10), counted()) == (5, 6 + 10 + 7, 7 + 10 + 7, 7)


def test_what_is_left_whole() -> None:
    plain = KERNELS[KERNELS.index("define i64 @counted") :]
    assert split(plain) == [Part(plain)]
    alone = plain.replace("nounwind", "nounwind noinline optnone")
    assert split(alone) == [Part(alone, level=0)]
    marked = KERNELS + "\n!0 = !{}\n"
    assert split(marked) == [Part(marked)]


def ways(source: str) -> dict[str, bool]:
    """The functions with loops of a function's program, and whether addresses are reduced."""
    text = Native(parse(source)).program.text
    return {
        name: part.reduced
        for part in split(text)
        for name, code in _functions(part.text)[0].items()
        if "loop" in code
    }


def test_loops_of_sums_and_of_copies() -> None:
    """One program has both: what is stored transposed, and sums of it."""
    both = """
func @f(%x: f32[300, n]) -> (f32[n, 300], f32[300]) {
  %0 = transpose %x {perm = (1, 0)} : f32[n, 300]
  %1 = reduce_sum %x {axes = (1,)} : f32[300]
  return %0, %1
}"""
    assert set(ways(both).values()) == {True, False}
    copies = both.replace("  return %0, %1", "  return %0").replace(", f32[300])", ")")
    assert set(ways(copies).values()) == {False}
    sums_alone = both.replace("  return %0, %1", "  return %1").replace("(f32[n, 300], ", "(")
    assert set(ways(sums_alone).values()) == {True}
    x = np.random.default_rng(0).standard_normal((300, 77)).astype(np.float32)
    turned, sums = Native(parse(both))(x)
    assert turned.tobytes() == x.T.tobytes()
    np.testing.assert_allclose(sums, x.sum(1), rtol=1e-4, atol=1e-4)


def test_what_many_modules_have_is_compiled_once() -> None:
    """Two programs that sort have the code of the sort in common, and nothing else."""
    source = """
func @f(%x: f32[n]) -> f32[n] {
  %0 = sort %x {descending = False} : f32[n]
  return %0
}"""
    more = source.replace("return %0", "%1 = mul %0, %x : f32[n]\n  return %1")
    programs = [Native(parse(text)) for text in (source, more)]
    shared = [p for p in split(programs[0].program.text) if "@sort_i32(ptr %keys" in p.text]
    assert len(shared) == 1 and shared[0] in split(programs[1].program.text)
    assert "@k0" not in shared[0].text
    first, second = (set(p.program.library.objects) for p in programs)
    assert first & second and first != second
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    for program, wanted in zip(programs, (np.sort(x), np.sort(x) * x), strict=True):
        np.testing.assert_array_equal(program(x)[0], wanted)


def test_the_switch_is_back_where_it_was() -> None:
    """Code for the same text is the same before and after a part without strength reduction."""
    text = Native(parse(SUMS)).program.text
    before = jit.assembly(text)
    assert jit._object(text, 2, True).data != jit._object(text, 2, False).data
    assert jit.assembly(text) == before
