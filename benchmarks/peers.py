"""The libraries that tfc is measured beside; each is used only where it is installed.

All of them run on as many threads as tfc: one, or what `--threads` says.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TFC_NUM_THREADS")
XLA_THREADS = "NPROC"  # the size of XLA's thread pools
CLOCK = "BENCHMARKS_CLOCK"  # "processor", or anything else for the time on the wall
QUIET = {
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "2",
}


def limit_threads(count: int = 1) -> None:
    """Set the environment for so many threads; to be called before NumPy and the peers are
    imported."""
    os.environ.update(QUIET)
    os.environ.update(dict.fromkeys((*THREADS, XLA_THREADS), str(count)))


def share_processor() -> None:
    """Let all that this process starts run on one processor, and in turn: a machine's processors
    have neighbours of their own, so that two contenders on two of them are not measured alike."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def threads() -> int:
    """How many threads contenders have."""
    return int(os.environ.get(THREADS[0], "1"))


def clock() -> Callable[[], float]:
    """What times a contender, in seconds. The processor's time of all threads of a process leaves
    out what others do on a busy machine; it says nothing of work on several threads."""
    return time.process_time if os.environ.get(CLOCK) == "processor" else time.perf_counter


@cache
def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


@cache
def torch() -> Any:
    """PyTorch, or None."""
    if not installed("torch"):
        return None
    module = importlib.import_module("torch")
    module.set_num_threads(threads())
    return module


@cache
def jax() -> Any:
    """JAX, or None."""
    return importlib.import_module("jax") if installed("jax") else None


@cache
def tensorflow() -> Any:
    """TensorFlow, or None."""
    if not installed("tensorflow"):
        return None
    module = importlib.import_module("tensorflow")
    module.config.threading.set_intra_op_parallelism_threads(threads())
    module.config.threading.set_inter_op_parallelism_threads(threads())
    return module


@cache
def numba() -> Any:
    """Numba, or None."""
    return importlib.import_module("numba") if installed("numba") else None
