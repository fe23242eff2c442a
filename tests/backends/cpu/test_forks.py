"""A fork while another thread loads the runtime, compiles or imports: both processes go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]  # child processes import tfc from here

WORK = """
import os, sys, threading, time, warnings
import tfc as tf
from tfc.backends.cpu.runtime import runtime
from tfc.backends.llvm import compiler

warnings.simplefilter("ignore")
inside = threading.Event()

def slow(module, name):
    original = getattr(module, name)
    def wrapped(*args, **kwargs):
        if threading.current_thread() is other and not inside.is_set():
            inside.set()
            time.sleep(0.3)  # the main thread forks now
            import colorsys  # as what is needed first here is imported here
        return original(*args, **kwargs)
    setattr(module, name, wrapped)

def work():
    assert tf.function(lambda x: x * 3.0 + 1.0)(tf.constant([2.0])).numpy() == 7.0

other = threading.Thread(target=work)
if sys.argv[1] == "runtime":
    slow(runtime, "_native_library")  # under the lock of the runtime
else:
    slow(compiler, "emit")  # under that of LLVM
other.start()
assert inside.wait(60)
child = os.fork()
if child == 0:
    work()
    os._exit(7)
other.join()
work()
end = time.monotonic() + 60
while (done := os.waitpid(child, os.WNOHANG)) == (0, 0):
    if time.monotonic() > end:
        os.kill(child, 9)
    time.sleep(0.01)
assert os.waitstatus_to_exitcode(done[1]) == 7, done
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("where", ["runtime", "compiling"])
def test_a_fork_waits_for_other_threads(where: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TFC_CACHE_DIR": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", WORK, where], env=environment, cwd=ROOT, timeout=100, check=True
    )
