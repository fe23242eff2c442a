"""Object files put into memory: the same as LLVM's linker makes of them, or left to it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from tfc.backends.cpu import jit, object_loader

here = pytest.mark.skipif(
    not object_loader._supported(), reason="elsewhere LLVM's linker does it all"
)

CALLER = """
@count = internal global i64 0
@start = internal global i64 40
@name = internal constant [6 x i8] c"answer"
@table = internal constant [2 x ptr] [ptr @plain, ptr @outside]
declare i64 @outside(i64)
declare i64 @strnlen(ptr, i64)
define internal i64 @plain(i64 %x) {
  ret i64 %x
}
define i64 @caller(i64 %i) {
  %old = load i64, ptr @count
  %new = add i64 %old, 1
  store i64 %new, ptr @count
  %base = load i64, ptr @start
  %sum = add i64 %base, %new
  %at = getelementptr ptr, ptr @table, i64 %i
  %f = load ptr, ptr %at
  %y = call i64 %f(i64 %sum)
  %length = call i64 @strnlen(ptr @name, i64 6)
  %z = add i64 %y, %length
  ret i64 %z
}
"""
OUTSIDE = "define i64 @outside(i64 %x) {\n  %y = mul i64 %x, 100\n  ret i64 %y\n}\n"
LOCAL = """
@count = thread_local global i64 0
define i64 @counted() {
  %x = load i64, ptr @count
  ret i64 %x
}
"""
STARTING = """
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
    [{ i32, ptr, ptr } { i32 1, ptr @begin, ptr null }]
define void @begin() {
  ret void
}
"""


def emitted(text: str) -> bytes:
    return jit._object(text).data


def call(address: int, x: int) -> int:
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(x))


def protection(address: int) -> str | None:
    """What the system lets this process do with the memory at `address`."""
    for row in Path("/proc/self/maps").read_text().splitlines():
        span, flags = row.split()[:2]
        start, end = (int(part, 16) for part in span.split("-"))
        if start <= address < end:
            return flags
    return None


@pytest.mark.parametrize("placed", [pytest.param(True, marks=here), False])
def test_variables_tables_and_calls(placed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not placed:
        monkeypatch.setattr(object_loader, "_supported", lambda: False)
    library = jit.link([emitted(CALLER), emitted(OUTSIDE)], ["caller"], {})
    assert isinstance(jit._trackers[library.ticket], object_loader.Placed) == placed
    caller = library.address("caller")
    assert [call(caller, i) for i in (0, 0, 1, 0)] == [47, 48, 4306, 50]
    other = jit.link([emitted(CALLER), emitted(OUTSIDE)], ["caller"], {})
    assert call(other.address("caller"), 0) == 47  # variables of its own


@here
def test_code_cannot_be_written_and_data_cannot_run() -> None:
    placed = object_loader.place(
        [emitted(CALLER.replace("internal global", "global"))], lambda _: 1
    )
    assert placed is not None
    caller, count = placed["caller"], placed["count"]
    assert protection(caller) == "r-xp" and protection(count) == "rw-p"
    before = Path("/proc/self/maps").read_text().count("\n")
    assert before > 0
    del placed
    assert protection(caller) != "r-xp"


@here
@pytest.mark.parametrize("text", [LOCAL, STARTING])
def test_what_is_unknown_is_left_to_llvm(text: str) -> None:
    data = emitted(text)
    assert object_loader.place([data], lambda _: 1) is None
    assert object_loader.place([emitted(OUTSIDE), data], lambda _: 1) is None


@here
def test_strange_files_are_left_to_llvm() -> None:
    data = emitted(OUTSIDE)
    assert object_loader.place([data], lambda _: 1) is not None
    for strange in (b"", b"\xcf\xfa\xed\xfe" + data[4:], data[:18] + b"\xb7" + data[19:]):
        assert object_loader.place([strange], lambda _: 1) is None
    assert object_loader.place([data, data], lambda _: 1) is None  # defined twice
    with pytest.raises(jit.InternalError, match="symbol"):
        jit.link([data, data], ["outside"], {})


@here
def test_what_nothing_defines() -> None:
    with pytest.raises(jit.LinkError, match="outside"):
        jit.link([emitted(CALLER)], ["caller"], {})
