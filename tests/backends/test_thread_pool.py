"""The thread pool's C source under the sanitizers of the system's C compiler, where it has them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tfc.backends.cpu.runtime import native

SOURCE = Path(native.__file__).resolve().parent / "thread_pool.c"
CALLERS = Path(__file__).resolve().parent / "thread_pool_callers.c"


@pytest.mark.skipif(not native.has_threads(), reason="no pool on this system")
@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_sanitizers_find_nothing(sanitizer: str, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    checked = [compiler, "-g", "-O1", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
    empty = tmp_path / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    if not (runs([*checked, empty, "-o", tmp_path / "empty"]) and runs([tmp_path / "empty"])):
        pytest.skip(f"the C compiler has no {sanitizer} sanitizer that runs here")
    pool = tmp_path / "pool.o"
    program = tmp_path / "program"
    meaning = ["-fwrapv", "-fno-strict-aliasing", "-ffreestanding"]
    assert runs([*checked, *meaning, "-c", SOURCE, "-o", pool])
    assert runs([*checked, CALLERS, pool, "-lpthread", "-o", program])
    # ThreadSanitizer does not know children of programs with threads.
    assert runs([program, "fork"] if sanitizer != "thread" else [program])


def runs(command: list[str | Path]) -> bool:
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    print(run.stdout, run.stderr)  # shown where the test fails
    return run.returncode == 0
