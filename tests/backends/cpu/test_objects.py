"""Object files put into memory: the same as LLVM's linker makes of them, or left to it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from tfc.backends.cpu import jit, object_loader

here = pytest.mark.skipif(
    not object_loader.supported(), reason="elsewhere LLVM's linker does it all"
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


LEVELS = [0, 2]  # of code generation: code refers to all else by distance, or by address


def emitted(text: str, level: int = 2) -> bytes:
    return jit._object(text, level).data


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


@pytest.mark.parametrize("levels", [(0, 0), (0, 2), (2, 0), (2, 2)])
@pytest.mark.parametrize("placed", [pytest.param(True, marks=here), False])
def test_variables_tables_and_calls(
    placed: bool, levels: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [emitted(text, level) for text, level in zip([CALLER, OUTSIDE], levels, strict=True)]
    if not placed:
        monkeypatch.setattr(object_loader, "supported", lambda: False)
    library = jit.link(files, ["caller"], {})
    assert isinstance(jit._trackers[library.ticket], object_loader.Placed) == placed
    caller = library.address("caller")
    assert [call(caller, i) for i in (0, 0, 1, 0)] == [47, 48, 4306, 50]
    other = jit.link(files, ["caller"], {})
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
@pytest.mark.parametrize("level", LEVELS)
def test_what_nothing_defines(level: int) -> None:
    with pytest.raises(jit.LinkError, match="outside"):
        jit.link([emitted(CALLER, level)], ["caller"], {})


FAR = """
@far = external global i64
declare i64 @distant(i64)
define i64 @near(i64 %x) {
  %y = load i64, ptr @far
  %z = call i64 @distant(i64 %x)
  %sum = add i64 %y, %z
  %again = call i64 @distant(i64 %sum)
  ret i64 %again
}
"""


@pytest.fixture
def distant() -> Iterator[int]:
    """Two pages far away from all else: one to write to, and one with code that doubles."""
    system, page = object_loader._system(), object_loader._page()
    address = system.mmap(1 << 36, 2 * page, 1 | 2, 0x22, -1, 0)  # hardly anybody is there
    ctypes.memmove(address + page, bytes.fromhex("48 8d 04 3f c3"), 5)  # lea (%rdi,%rdi), %rax; ret
    assert not system.mprotect(address + page, page, 1 | 4)
    yield address
    system.munmap(address, 2 * page)


@here
@pytest.mark.parametrize("level", LEVELS)
def test_what_no_distance_of_32_bits_reaches(level: int, distant: int) -> None:
    imports = {"far": distant, "distant": distant + object_loader._page()}
    placed = object_loader.place([emitted(FAR, level)], imports.__getitem__)
    assert placed is not None and abs(placed["near"] - distant) > 2**32
    variable = ctypes.c_int64.from_address(distant)
    for variable.value in (7, 1000):
        assert call(placed["near"], 100) == 2 * (variable.value + 200)


@here
def test_distances_are_written_at_level_0_alone() -> None:
    addresses = [{kind for _, _, kind, *_ in _relocations(emitted(FAR, level))} for level in LEVELS]
    assert addresses[1] == {object_loader._ABSOLUTE}
    assert object_loader._ABSOLUTE not in addresses[0] != set()


def _relocations(data: bytes) -> list[object_loader._Relocation]:
    file = object_loader._Object(data)
    assert file.known()
    return file.relocations()
