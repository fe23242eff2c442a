"""The native runtime's text: it is what its C source says, and serves all systems and versions."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tfc.backends.cpu import jit
from tfc.backends.cpu.runtime import native, python_abi
from tools import runtime_text

UNITS = pytest.mark.parametrize("unit", runtime_text.UNITS)


@UNITS
def test_text_is_what_the_source_gives(unit: str) -> None:
    try:
        made = runtime_text.text(unit)
    except runtime_text.CompilerMissing as missing:
        pytest.skip(f"without the compiler of `make runtime`: {missing}")
    assert made == runtime_text.path(unit).read_text()


@UNITS
def test_text_belongs_to_the_source(unit: str) -> None:
    """Without the compiler: neither of the two was changed alone (`make runtime` writes both)."""
    heading, made = committed(unit)
    assert heading == runtime_text.heading(unit, made)


def committed(unit: str) -> tuple[str, str]:
    """The heading of the text of `unit`, and what follows it."""
    heading, blank, made = runtime_text.path(unit).read_text().partition("\n\n")
    return heading + blank, made


def test_a_change_of_source_text_or_layout_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heading, made = committed("runtime")
    assert heading != runtime_text.heading("runtime", made.replace("add i64", "sub i64", 1))
    with monkeypatch.context() as patch:
        patch.setattr(python_abi, "DATA", 17)
        assert heading != runtime_text.heading("runtime", made)
    for file in runtime_text.FOLDER.glob("*.[ch]"):
        (tmp_path / file.name).write_text(file.read_text())
    monkeypatch.setattr(runtime_text, "FOLDER", tmp_path)
    assert heading == runtime_text.heading("runtime", made)
    with (tmp_path / "calls.c").open("a") as file:
        file.write("\n")
    assert heading != runtime_text.heading("runtime", made)


def test_all_that_the_text_calls_is_there() -> None:
    text = native.text()
    assert "$" not in text
    declared = set(re.findall(r"^declare .*@([\w.]+)\(", text, re.M))
    ours = runtime_text.INTRINSICS | {"llvm.x86.sse2.pause"} | python_abi.symbols().keys()
    for name in declared - ours:
        assert hasattr(ctypes.CDLL(None), name), name


COMPILE = """
import sys
import llvmlite.binding as llvm
from tfc.backends.cpu.parallel_compile import split

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
for part in split(sys.stdin.read()):
    module = llvm.parse_assembly(part.text)
    module.verify()
    target = llvm.Target.from_triple(sys.argv[1])
    machine = target.create_target_machine(opt=part.level, codemodel="jitdefault", jit=True)
    assert machine.emit_object(module)
"""


@pytest.mark.parametrize(
    ("system", "processor", "triple"),
    [
        ("linux", "x86_64", "x86_64-unknown-linux-gnu"),
        ("linux", "aarch64", "aarch64-unknown-linux-gnu"),
        ("darwin", "arm64", "arm64-apple-darwin"),
    ],
)
def test_text_compiles_for(
    system: str, processor: str, triple: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own: LLVM ends it over what a target lacks."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.platform", system)
        patch.setattr("platform.machine", lambda: processor)
        text = native.text()
    assert ("@syscall" in text) == (system == "linux")
    run = subprocess.run(
        [sys.executable, "-c", COMPILE, triple], input=text, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


HIGH = 0x4000_0000 << 32  # what stands above the count from Python 3.14 on


@pytest.mark.parametrize(
    ("immortal", "count", "held"),
    [
        (False, 1, 2),
        (False, 0x7FFF_FFFF, 0x8000_0000),
        (False, 0x8000_0000, 0x8000_0001),
        (True, 1, 2),
        (True, HIGH + 1, HIGH + 2),
        (True, 0x8000_0000, 0x8000_0000),
        (True, 0xFFFF_FFFF, 0xFFFF_FFFF),
        (True, HIGH + 0xC000_0000, HIGH + 0xC000_0000),
    ],
)
def test_references_are_counted_as_python_does(
    immortal: bool, count: int, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_abi, "IMMORTAL", immortal)
    functions = [
        re.search(rf"^define void @{name}\(.*?^}}\n", native.text(), re.M | re.S)
        for name in ("tfc_hold", "tfc_drop")
    ]
    code = "".join(function[0] for function in functions if function)
    freed: list[int] = []
    free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(freed.append)
    address = ctypes.cast(free, ctypes.c_void_p).value
    assert address is not None
    library = jit.load(f"declare void @_Py_Dealloc(ptr)\n{code}", {"_Py_Dealloc": address})
    hold, drop = (
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(library.address(name))
        for name in ("tfc_hold", "tfc_drop")
    )
    head = ctypes.c_uint64(count)
    table = (ctypes.c_void_p * 1)(ctypes.addressof(head))
    hold(table, 1)
    assert (head.value, freed) == (held, [])
    drop(table, 1)
    assert (head.value, freed) == (count, [])
    drop(table, 1)
    last = count & 0xFFFF_FFFF == 1
    assert freed == ([ctypes.addressof(head)] if last else [])
    assert head.value == (count - 1 if held != count else count)
