"""Fresh Python processes with this checkout, for work that begins with nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

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


def fresh(code: str, python: str = sys.executable, **extra: str) -> list[float]:
    """The numbers that `code` prints in a fresh process."""
    result = subprocess.run(
        [python, "-c", code],
        env=environment() | extra,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if result.returncode:
        reason = result.stderr.strip().splitlines() or [f"status {result.returncode}"]
        raise RuntimeError(f"a fresh process failed: {reason[-1]}")
    return [float(word) for word in result.stdout.split()]
