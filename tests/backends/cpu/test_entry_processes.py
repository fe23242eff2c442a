"""Native entries where the process may die: each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backends.entries import (
    Tensor,
)
from tfc.backends.cpu.runtime import runtime

pytestmark = pytest.mark.usefixtures("own_tensors")


ROOT = Path(__file__).resolve().parents[3]
PRELUDE = """
import faulthandler, gc, sys, threading, time; faulthandler.enable()
from tests.backends.entries import *
runtime.register(Tensor, Variable)
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        capture_output=True,
        cwd=ROOT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_failing_allocations() -> None:
    """Each allocation of a call fails in turn: MemoryError, and nothing is lost."""
    pytest.importorskip("_testcapi")
    code = """
import _testcapi
state, x = Variable(f32(*range(8))), Tensor(f32(*range(8)))
entry = build(
    NOTHING, state, params=types("f32[n]"), captures=types("f32[n]"),
    results=types("f32[n]", "f32[n]", "f32[n]", "f32[2,n//2]", "f32[9000]", "f32[9000]"),
    aliases={1: 0, 3: 0}, updates=((2, 0), (1, 0)), arena=8192)
single = build(NOTHING, params=types("f32[n]"), results=types("f32[n]"))
big = build(NOTHING, params=types("f32[n]"), results=types("f32[9000]"))
fail = build(FAIL, params=types("f32[n]"), results=types("f32[n]"))
entry(x), single(x), big(x)
gc.disable()
old = state._array
del old
watched = (x._array, Tensor, np.dtype(np.float32))
failures = 0
for function in (entry, single, big, fail):
    for k in range(40):
        kept = id(state._array)
        counts = [sys.getrefcount(o) for o in watched], live()
        error = answer = None
        _testcapi.set_nomemory(k, k + 1)
        try:
            answer = function(x)
        except BaseException as raised:
            error = raised
        _testcapi.remove_mem_hooks()
        if function is fail:
            continue
        if error is not None:
            assert type(error) is MemoryError, error
            failures += 1
            del error
            assert id(state._array) == kept
            answer = None
        else:
            del answer
        if function is not entry:
            assert ([sys.getrefcount(o) for o in watched], live()) == counts, k
state._array = None
gc.collect()
assert live() == 0, live()
print(failures)
"""
    assert int(run(code)) > 10


def test_arrays_outlive_the_interpreter() -> None:
    code = """
import builtins
entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
class Late:
    def __init__(self): self.kept = entry(1 << 20); self.entry = entry
    def __del__(self): self.entry(1 << 20); self.kept = None
builtins.kept = [entry(1 << 20), Late(), entry]
late = Late()
late.cycle = late
sys.late = Late()
print("fine")
"""
    assert run(code) == "fine\n"


def test_daemon_threads_at_exit() -> None:
    """A thread that comes back from native code after the interpreter has gone."""
    code = """
steps = 400_000_000
entry = build(WAIT.replace("STEPS", str(steps)), params=types("i32[n]"), results=(), work=1 << 20)
def work():
    while True:
        try:
            entry(Tensor(np.zeros(1, np.int32)))
        except HandlerError:
            pass
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""
    run(code)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork() -> None:
    code = """
import os, warnings
warnings.simplefilter("ignore")
entry = adder(100_000)
x = Tensor(np.ones(100_000, np.float32))
kept = entry(x, x)
child = os.fork()
assert entry(x, kept)._array[0] == 3 and adder(3)(Tensor(f32(1, 2, 3)), Tensor(f32(1, 2, 3)))
if child:
    _, status = os.waitpid(child, 0)
    assert status == 0, status
"""
    run(code)


def test_unregistered_types() -> None:
    code = """
from tfc.backends.cpu.runtime import runtime
runtime._registered.clear()
try:
    runtime.load("")
except RuntimeError as error:
    print("register" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout == "True\n", done.stderr


def test_register() -> None:
    class NoSlot:
        pass

    class Base:
        __slots__ = ("first",)

    class Second(Base):
        __slots__ = ("_array",)

    for pair in ((NoSlot, NoSlot), (Tensor, Second)):
        with pytest.raises(TypeError):
            runtime.register(*pair)


def test_import_is_light() -> None:
    code = "import sys, tfc.backends.cpu.runtime.runtime; print('llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout == "False\n", done.stderr
