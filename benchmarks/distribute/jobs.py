"""Starts jobs, and gives what they measured."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..peers import QUIET, THREADS, XLA_THREADS

ROOT = Path(__file__).resolve().parents[2]


def _environment(threads: int, **more: str) -> dict[str, str]:
    limits = dict.fromkeys(THREADS, str(threads))
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **limits, "PYTHONPATH": path, **more}


def tfc(ranks: int, threads: int, *arguments: str) -> dict[str, float]:
    """What a job of tfc measures: one process without a launcher, several by mpiexec."""
    beside = str(Path(sys.executable).parent)
    launcher = shutil.which("mpiexec", path=beside) or shutil.which("mpiexec") or "mpiexec"
    start = [launcher, "-n", str(ranks)] if ranks > 1 else []
    command = [*start, sys.executable, "-m", "benchmarks.distribute.ranks", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(threads), capture_output=True, text=True, timeout=600
    )
    return _read(done)


# What each peer is told besides: JAX's Keras takes another backend, and its threads another name.
_TOLD = {
    "torch": {},
    "jax": {"KERAS_BACKEND": "jax", **QUIET},
}


def peer(
    name: str, python: str, ranks: int, threads: int, *arguments: str
) -> dict[str, float] | None:
    """What a job of PyTorch or JAX measures; None where it is not installed."""
    if subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode:
        return None
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = str(found.getsockname()[1])
    own: dict[str, str] = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, **_TOLD[name]}
    own[XLA_THREADS] = str(threads)
    jobs = [
        subprocess.Popen(
            [python, "-m", f"benchmarks.distribute.{name}_ranks", *arguments],
            cwd=ROOT,
            env=_environment(threads, RANK=str(rank), WORLD_SIZE=str(ranks), **own),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(ranks)
    ]
    outputs = [job.communicate(timeout=600) for job in jobs]
    return _read(subprocess.CompletedProcess([], jobs[0].returncode, *outputs[0]))


def _read(done: subprocess.CompletedProcess[str]) -> dict[str, float]:
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        raise RuntimeError(f"{done.stdout}\n{done.stderr}")
    found: Any = json.loads(lines[-1])
    return dict(found)
