"""TFC_DEBUG_INFO: native code tells debuggers and profilers of the user's lines."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tfc as tf
from tfc.backends.calling_convention import Signature
from tfc.backends.cpu import debug_info, debugger, jit, machine, object_loader
from tfc.backends.cpu.module_text import program_text

ROOT = Path(__file__).resolve().parents[3]
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="objects are no ELF files here")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """Asks for lines, or not."""
    yield lambda on: monkeypatch.setenv("TFC_DEBUG_INFO", "1" if on else "0")
    Path(f"/tmp/perf-{os.getpid()}.map").unlink(missing_ok=True)


def helper(x: Any) -> Any:
    return tf.exp(x) * 3.0  # helper's line


def body(x: Any) -> Any:
    y = tf.sort(helper(x))
    total = tf.constant(0.0)
    for i in tf.range(3):
        y = tf.cumsum(y) * 0.5  # the loop's line
        total += y[i]
    if total > 3.0:
        total = total * tf.gather(y, tf.cast(total, tf.int32) % 3)
    return total + tf.linalg.trace(tf.matmul(x[:, None], y[None, :]))


def number_of(comment: str) -> int:
    rows = Path(__file__).read_text().splitlines()
    return next(i for i, row in enumerate(rows, 1) if row.endswith(f"# {comment}"))


def unmarked(text: str) -> list[str]:
    """The lines of a module's text without what is for debuggers."""
    text = re.sub(r",? !dbg !\d+", "", text)
    return [line for line in text.splitlines() if line and not line.startswith("!")]


def code(text: str) -> list[bytes]:
    """The machine code that LLVM makes of a module's text now, whatever the disk cache has."""
    data = jit._emitted(text, jit.OPT_LEVEL).data
    code = [s for s in object_loader.sections(data) if s.flags & object_loader.EXECUTE and s.size]
    return [data[s.offset : s.offset + s.size] for s in code]


def test_every_instruction_has_its_line(lines: Any) -> None:
    lines(True)
    concrete = tf.function(body).get_concrete_function(tf.TensorSpec([None]))
    text = concrete.ir("asm")
    files = {n: name for n, name in re.findall(r'\.file\s+(\d+).*?"([^"]*)"\s*$', text, re.M)}
    places = {(files[n], int(k)) for n, k in re.findall(r"\.loc\s+(\d+) (\d+)", text)}
    here = Path(__file__).name
    for comment in ("helper's line", "the loop's line"):
        assert (here, number_of(comment)) in places
    assert {name for name, k in places if k} == {here}
    assert concrete.ir("llvm").count("distinct !DISubprogram") > 5
    names = set(re.findall(r'DISubprogram\(name: "([^"]*)"', concrete.ir("llvm")))
    assert {"body", "body.k0"} <= names and ("body.entry" in names) != machine.quick()
    functions = concrete.ir("llvm").partition("ptr @entry(")[0]
    phis = [row for row in functions.splitlines() if " = phi " in row]
    assert phis and all("!dbg" in row for row in phis)


def test_derivatives_have_a_column_of_their_own() -> None:
    x = tf.constant([0.5, -1.0, 2.0])
    gradient = tf.grad(lambda x: tf.reduce_sum(tf.sort(tf.exp(x))))  # derived
    concrete = tf.function(gradient).get_concrete_function(x)
    kernels = concrete.compiled.stages.kernels
    signature = Signature(tuple_result=True)
    text, _, _ = program_text(kernels, signature, machine.host(), lines=True)
    line = number_of("derived")
    for column in (0, debug_info.DERIVATIVE):
        assert f"DILocation(line: {line}, column: {column}" in text
    assert "!dbg" not in program_text(kernels, signature, machine.host(), lines=False)[0]


@on_linux
def test_the_code_is_the_same(lines: Any) -> None:
    found = []
    x = tf.constant([0.5, -1.0, 2.0])
    for on in (False, True):
        lines(on)
        f = tf.function(body)
        assert ("!dbg" in f.get_concrete_function(x).ir("llvm")) == on
        gradient = tf.grad(f)
        texts = [f.get_concrete_function(x).ir("llvm")]
        texts.append(tf.function(gradient).get_concrete_function(x).ir("llvm"))
        found.append(([f(x).numpy().tobytes(), gradient(x).numpy().tobytes()], texts))
    (bits, plain), (others, marked) = found
    assert bits == others
    assert list(map(unmarked, plain)) == list(map(unmarked, marked))
    same = [a == b for a, b in zip(map(code, plain), map(code, marked), strict=True)]
    assert same == [True, True]


@on_linux
def test_perf_is_told(lines: Any) -> None:
    lines(True)  # noted for perf
    f = tf.function(lambda x: tf.cumsum(x) * 7.0)
    concrete = f.get_concrete_function(tf.ones([5]))
    library = concrete.compiled.program.library
    level = 0 if machine.quick() else machine.OPT_LEVEL
    data = jit._object(concrete.ir("llvm"), level).data
    sizes = {s.name: s.size for s in debugger.functions(data)}
    with open(f"/tmp/perf-{os.getpid()}.map") as file:
        rows = [row.rstrip().split(maxsplit=2) for row in file]
    found = {name: (int(at, 16), int(size, 16)) for at, size, name in rows}
    line = number_of("noted for perf") + 1
    if machine.quick():  # whose entry is a table, which begins with the program
        program = ctypes.c_int64.from_address(library.address("table")).value
        assert program in [at for at, _ in found.values()]
    else:
        shown = f"lambda.entry (test_debug_info.py:{line})"
        assert found[shown] == (library.address("entry"), sizes["entry"])
    assert any(name.startswith("lambda.k0 (test_debug_info.py:") for name in found)


@on_linux
def test_nobody_is_told_where_it_is_off(lines: Any) -> None:
    lines(False)
    f = tf.function(lambda x: tf.cumsum(x) * 11.0)
    assert float(f(tf.ones([2]))[1]) == 22
    assert "!dbg" not in f.get_concrete_function(tf.ones([2])).ir("llvm")
    assert not os.path.exists(f"/tmp/perf-{os.getpid()}.map")


def test_what_is_no_elf_is_left_alone() -> None:
    debugger.tell_perf(b"\xcf\xfa\xed\xfe" + bytes(60), "", {})
    assert not os.path.exists(f"/tmp/perf-{os.getpid()}.map")


SCRIPT = """
import os, pathlib
import tfc as tf

def helper(x):
    return tf.exp(x) * 3.0

@tf.function
def step(x):
    y = tf.sort(helper(x))
    return tf.cumsum(y)

print(step(tf.ones([5])))
pathlib.Path(f"/tmp/perf-{os.getpid()}.map").unlink()
"""


def debugged(tmp_path: Path, *commands: str) -> str:
    (tmp_path / "model.py").write_text(SCRIPT)
    gdb = ["gdb", "-nx", "-batch"]
    for command in ("set breakpoint pending on", "set auto-load off", *commands):
        gdb += ["-ex", command]
    environment = {**os.environ, "TFC_DEBUG_INFO": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*gdb, "--args", sys.executable, str(tmp_path / "model.py")],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env=environment,
    )
    return done.stdout + done.stderr


@on_linux
@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb here")
def test_gdb_stops_at_the_users_line(tmp_path: Path) -> None:
    to_helper = ("break model.py:6", "run", "continue", "continue", "bt 3")
    text = debugged(tmp_path, *to_helper, "delete", "tbreak model.py:11", "continue", "continue")
    if "ptrace" in text or "not being run" in text:
        pytest.skip("gdb may not run programs here")
    assert re.search(r"Breakpoint 1[.\d]*, step\.k0 \(\) at .*model\.py:6\n", text), text
    assert "return tf.exp(x) * 3.0" in text  # gdb shows the line of Python
    assert re.search(r"#1 +0x\w+ in step \(\) at .*model\.py:6\n", text), text
    assert re.search(r"#2 +0x\w+ in step\.entry \(\) at .*model\.py", text), text
    assert re.search(r"Temporary breakpoint 2[.\d]*, step \(\) at .*model\.py:11\n", text), text
