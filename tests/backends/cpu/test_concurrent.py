"""Parts of a module that threads compile at the same time."""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

import pytest

from tfc.backends import disk_cache
from tfc.backends.cpu import jit, parallel_compile
from tfc.backends.cpu.machine import target_machine
from tfc.backends.cpu.parallel_compile import split
from tfc.backends.llvm import bindings, compiler, concurrent

KERNEL = """
define internal i64 @k{0}.part0(i64 %x) nounwind {{
  %y = mul i64 %x, {1}
  ret i64 %y
}}
define internal i64 @k{0}(i64 %x) nounwind {{
  %y = call i64 @k{0}.part0(i64 %x)
  %z = call i64 @shared(i64 %y)
  ret i64 %z
}}
"""
SHARED = """
define internal i64 @shared(i64 %x) nounwind {
  %count = load i64, ptr @count
  %more = add i64 %count, 1
  store i64 %more, ptr @count
  %y = add i64 %x, 1
  ret i64 %y
}
"""
CALLS = "".join(
    f"  %x{i + 1} = call i64 @k{i}(i64 %{'x' if i == 0 else f'x{i}'})\n" for i in range(4)
)
PROGRAM = f"define i64 @program(i64 %x) nounwind noinline optnone {{\n{CALLS}  ret i64 %x4\n}}\n"
COUNTED = "define i64 @counted() nounwind {\n  %x = load i64, ptr @count\n  ret i64 %x\n}\n"
MODULE = "\n".join(
    [
        "@count = internal global i64 0",
        SHARED,
        *(KERNEL.format(i, i + 2) for i in range(4)),
        COUNTED,
        PROGRAM,
    ]
)


@pytest.fixture(autouse=True)
def full_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Short parts, and nothing on disk."""
    monkeypatch.delenv("TFC_OPT_LEVEL", raising=False)
    monkeypatch.setattr(parallel_compile, "_PART_CHARACTERS", 300)
    monkeypatch.setattr(disk_cache, "_default", disk_cache.Cache(str(tmp_path / "objects")))


def test_parts_hold_whole_kernels() -> None:
    first, *others, last = split(MODULE)
    assert last.level == 0 and "@program" in last.text and len(others) > 1
    assert "@count = global i64 0" in first.text and "define i64 @shared(" in first.text
    for part in (first, *others):
        for i in range(4):
            ways = [
                f"define {word}i64 @k{i}{name}("
                for word in ("", "internal ")
                for name in ("", ".part0")
            ]
            assert sum(way in part.text for way in ways) in (0, 2)


def test_the_same_objects_and_one_library() -> None:
    """However many threads there are, the disk has the same objects, and they are one program."""
    names = []
    for threads in (1, 3):
        library = jit.load(MODULE, threads=threads)
        names.append(library.objects)
        program = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(library.address("program"))
        counted = ctypes.CFUNCTYPE(ctypes.c_int64)(library.address("counted"))
        assert program(1) == ((((1 * 2 + 1) * 3 + 1) * 4) + 1) * 5 + 1 and counted() == 4
    assert names[0] == names[1] and library.cached
    alone = [
        compiler.emit(part.text, "emit_object", target_machine()) for part in split(MODULE)[:-1]
    ]
    texts = [part.text for part in split(MODULE)[:-1]]
    with compiler.lock:
        assert concurrent.objects(texts, [target_machine(2, i) for i in range(3)]) == alone


def test_nobody_waits_for_the_lock_of_llvmlite() -> None:
    made: list[bytes] = []
    texts = [part.text for part in split(MODULE)[:-1]]
    generators = [target_machine(2, i) for i in range(2)]
    thread = threading.Thread(target=lambda: made.extend(concurrent.objects(texts, generators)))
    with bindings.llvm().ffi.lib._lock:
        thread.start()
        thread.join(60)
        assert len(made) == len(texts)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("define i64 @f() {\n  ret i32 0\n}\n", "value doesn't match function result type"),
        ("define i64 @f() {\n  %x = add i64 %x, 1\n  ret i64 %x\n}\n", "Only PHI nodes"),
    ],
)
def test_what_llvm_rejects_is_an_error(broken: str, message: str) -> None:
    texts = [part.text for part in split(MODULE)[:-1]]
    generators = [target_machine(2, i) for i in range(2)]
    with pytest.raises(compiler.InternalError, match=message):
        concurrent.objects([*texts, broken], generators)
    assert len(concurrent.objects(texts, generators)) == len(texts)


class Interrupted(threading.Thread):
    """A thread whose first `join` is interrupted, as Ctrl-C does."""

    times = 0

    def join(self, timeout: float | None = None) -> None:
        self.times += 1
        if self.times == 1:
            raise KeyboardInterrupt
        super().join(timeout)


def test_an_interrupt_waits_for_what_is_inside_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [part.text for part in split(MODULE)[:-1]]
    generators = [target_machine(2, i) for i in range(2)]
    entered, leave = threading.Event(), threading.Event()
    real = concurrent._object

    def slow(text: str, generator: object) -> bytes:
        if threading.current_thread() is not threading.main_thread():
            entered.set()
            assert leave.wait(60)
        else:
            assert entered.wait(60)
            threading.Timer(0.05, leave.set).start()
        return real(text, generator)

    monkeypatch.setattr(concurrent, "_object", slow)
    monkeypatch.setattr(concurrent.threading, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        concurrent.objects(texts, generators)
    assert leave.is_set()
    assert not [t for t in threading.enumerate() if isinstance(t, Interrupted)]


class Refused(threading.Thread):
    """A thread that the system does not give."""

    def start(self) -> None:
        raise RuntimeError("can't start new thread")


def test_where_there_are_no_threads_the_caller_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [part.text for part in split(MODULE)[:-1]]
    generators = [target_machine(2, i) for i in range(3)]
    whole = concurrent.objects(texts, generators)
    monkeypatch.setattr(concurrent.threading, "Thread", Refused)
    assert concurrent.objects(texts, generators) == whole
