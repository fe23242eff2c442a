"""A module in parts: what runs once a call, and what many modules have in common."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.native import Native
from tfc.backends.cpu import jit, machine, module_text
from tfc.backends.cpu.machine import selects_quickly, target_machine
from tfc.backends.cpu.parallel_compile import Part, split
from tfc.backends.llvm import compiler
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

    (optimised, _), (plain, level) = split(KERNELS)
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


def test_what_the_fast_selector_cannot_take_stands_apart() -> None:
    """Of quick code: one function with a mask would have all of it go without."""
    masked = """
define internal <4 x i1> @masked(i32 %x) nounwind noinline optnone {
entry:
  %all = insertelement <4 x i32> poison, i32 %x, i64 0
  %bits = icmp slt <4 x i32> %all, zeroinitializer
  ret <4 x i1> %bits
}

define i64 @once(i64 %x) nounwind noinline optnone {
entry:
  %low = trunc i64 %x to i32
  %bits = call <4 x i1> @masked(i32 %low)
  %one = extractelement <4 x i1> %bits, i64 0
  %wide = zext i1 %one to i64
  ret i64 %wide
}
"""
    parts = split(KERNELS + masked)
    found = {("define i64 @glue(" in p.text, p.level, selects_quickly(p.text)) for p in parts}
    assert found == {(False, 2, True), (True, 0, True), (False, 0, False)}


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
    quick = [split(p.program.text, 0) for p in programs]
    assert shared[0]._replace(level=0) in quick[0] and {part.level for part in quick[0]} == {0}
    # What runs once a call is with the kernels, but for those that have masks.
    own = [p for p in quick[0] if p not in quick[1]]
    masked = [re.search(r"<\d+ x i1>", p.text) is not None for p in own]
    assert sorted(masked) in ([False], [False, True])
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    for program, wanted in zip(programs, (np.sort(x), np.sort(x) * x), strict=True):
        np.testing.assert_array_equal(program(x)[0], wanted)


def test_the_switch_is_back_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM makes the same of a text before and after tfc has compiled it, and another thing than
    tfc does, which leaves addresses as they are written."""
    monkeypatch.delenv("TFC_OPT_LEVEL", raising=False)
    text = Native(parse(SUMS)).program.text
    machine._select_thoroughly()  # that is said once, for good
    before = compiler.assembly(text, target_machine())
    own = jit.assembly(text)
    jit._object(text, 2, anew=True)
    assert compiler.assembly(text, target_machine()) == before != own == jit.assembly(text)


EXPONENTIALS = """
func @f(%x: f32[n]) -> f32[n] {
  %0 = exp %x : f32[n]
  return %0
}
"""


def test_what_hands_its_work_over_is_glue_in_programs_of_many_launches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The numbers are those of full code, which small programs have: there 10 ns count."""
    x = np.random.default_rng(0).standard_normal(5000, np.float32)
    given = []
    for many in (1, 8):
        monkeypatch.setattr(module_text, "MANY_LAUNCHES", many)
        program = Native(parse(EXPONENTIALS))
        levels = {"i32 @k0(": 2, "void @k0.part0(": 2, "i32 @program(": 0}
        if many == 1:
            levels["i32 @k0("] = 0
        for part in split(program.program.text):
            for name, level in levels.items():
                if f"define internal {name}" in part.text or f"define {name}" in part.text:
                    assert part.level == level
        given.append(program(x)[0])
    np.testing.assert_array_equal(*given)
