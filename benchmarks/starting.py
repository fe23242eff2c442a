"""What it costs to import a library, in a fresh process with its files in the disk's cache."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from . import peers
from .harness import Contender, row

ROOT = Path(__file__).resolve().parents[1]


@cache
def environment() -> dict[str, str]:
    """What fresh processes get: this checkout, and a place for bytecode.

    Python may be told not to write bytecode; then a checkout would be compiled anew at each start,
    while installed packages are not. So all of them share a folder of their own.
    """
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    found = {**os.environ, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": _bytecode.name}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


_bytecode = tempfile.TemporaryDirectory()  # goes when this process ends


def fresh(code: str, **extra: str) -> list[float]:
    """The numbers that `code` prints in a fresh process."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=environment() | extra,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if result.returncode:
        reason = result.stderr.strip().splitlines() or [f"status {result.returncode}"]
        raise RuntimeError(f"a fresh process failed: {reason[-1]}")
    return [float(word) for word in result.stdout.split()]


IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


@row("import", goals={"numpy": 2.0, "jax": 0.2}, budget=30.0, rounds=9)
def imports() -> list[Contender]:
    names = ["tfc", "numpy", *filter(peers.installed, ("torch", "jax"))]
    for name in names:
        fresh(IMPORT.format(name))  # writes the bytecode
    return [
        Contender(n, lambda _, n=n: fresh(IMPORT.format(n))[0], single=True)  # type: ignore[misc]
        for n in names
    ]
