"""Starts jobs of several processes, where there is an MPI."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The wheel's own launcher stands beside the interpreter.
MPIEXEC = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")

needs_mpi = pytest.mark.skipif(
    MPIEXEC is None or importlib.util.find_spec("mpi4py") is None,
    reason="there is no MPI: pip install 'tfc-lang[mpi]'",
)


def command(ranks: int, machines: int, module: str, *arguments: str) -> list[str]:
    """What runs a module of the tests on so many ranks. There is one machine, but MPICH takes these
    for ranks on several: they share no memory then, and the launcher has a process on each."""
    assert MPIEXEC is not None
    hosts = ",".join(f"machine{i}:{ranks // machines}" for i in range(machines))
    apart = ["-launcher", "fork", "-hosts", hosts] if machines > 1 else []
    program = [sys.executable, "-m", f"tests.distribute.{module}", *arguments]
    return [MPIEXEC, *apart, "-n", str(ranks), *program]


def job(
    ranks: int, module: str, *arguments: str, machines: int = 1, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a module of the tests on so many ranks. They take one thread each."""
    return subprocess.run(
        command(ranks, machines, module, *arguments),
        cwd=ROOT,
        env={**os.environ, "TFC_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
