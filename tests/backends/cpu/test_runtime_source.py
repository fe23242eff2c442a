"""The runtime's C source under the sanitizers of the system's C compiler, where it has them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tfc.backends.cpu.runtime import native

SOURCE = Path(native.__file__).resolve().parent
CALLERS = Path(__file__).resolve().parents[1]
# What the text's own compiler is told, too (tools/runtime_text.py).
MEANING = ("-fwrapv", "-fno-strict-aliasing", "-ffreestanding")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="has no such sanitizers")


@pytest.mark.skipif(not native.has_threads(), reason="no pool on this system")
@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_thread_pool(sanitizer: str, tmp_path: Path) -> None:
    program = compiled(sanitizer, "thread_pool.c", "thread_pool_callers.c", tmp_path)
    # ThreadSanitizer does not know children of programs with threads.
    assert runs([program, "fork"] if sanitizer != "thread" else [program])


@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_blocks(sanitizer: str, tmp_path: Path) -> None:
    assert runs([compiled(sanitizer, "runtime.c", "block_callers.c", tmp_path)])


def compiled(sanitizer: str, source: str, callers: str, folder: Path) -> Path:
    """A program of a file of the runtime and one that calls it, with its checks."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    checked = [compiler, "-g", "-O1", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
    trial = folder / "trial.c"
    trial.write_text("int main(void) { return 0; }\n")
    if not (runs([*checked, trial, "-o", folder / "trial"]) and runs([folder / "trial"])):
        pytest.skip(f"the C compiler has no {sanitizer} sanitizer that runs here")
    assert runs([*checked, *MEANING, "-c", SOURCE / source, "-o", folder / "source.o"])
    program = folder / "program"
    assert runs([*checked, CALLERS / callers, folder / "source.o", "-lpthread", "-o", program])
    return program


def runs(command: list[str | Path]) -> bool:
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    print(run.stdout, run.stderr)  # shown where the test fails
    return run.returncode == 0
