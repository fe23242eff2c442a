"""What runs once a call is a module of its own, compiled at another level."""

from __future__ import annotations

from tfc.backends.cpu import jit
from tfc.backends.cpu.splitting import split

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

    optimised, plain = split(KERNELS)
    assert "@glue" not in optimised and "define i64 @kernel(" in optimised
    assert "declare i64 @kernel(ptr, { i64, i64 })" in plain and "@counted" not in plain
    assert "@unused" not in optimised + plain and "@llvm.smax" not in plain
    library = jit.load(KERNELS)
    glue = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library.address("glue"))
    counted = ctypes.CFUNCTYPE(ctypes.c_int64)(library.address("counted"))
    assert (counted(), glue(10), glue(10), counted()) == (5, 6 + 10 + 7, 7 + 10 + 7, 7)


def test_what_is_left_whole() -> None:
    plain = KERNELS[KERNELS.index("define i64 @counted") :]
    assert split(plain) == (plain, "")
    alone = plain.replace("nounwind", "nounwind noinline optnone")
    assert split(alone) == ("", alone)
    marked = KERNELS + "\n!0 = !{}\n"
    assert split(marked) == (marked, "")
