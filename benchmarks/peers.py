"""The libraries that tfc is measured beside; each is used only where it is installed.

tfc runs on one thread, so its peers are set to one thread, too.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import cache
from typing import Any

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NPROC": "1",  # the size of XLA's thread pools
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "2",
}


def limit_threads() -> None:
    """Set the environment for one thread; to be called before NumPy and the peers are imported."""
    os.environ.update(ONE_THREAD)


@cache
def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


@cache
def torch() -> Any:
    """PyTorch, or None."""
    if not installed("torch"):
        return None
    module = importlib.import_module("torch")
    module.set_num_threads(1)
    return module


@cache
def jax() -> Any:
    """JAX, or None."""
    return importlib.import_module("jax") if installed("jax") else None


@cache
def numba() -> Any:
    """Numba, or None."""
    return importlib.import_module("numba") if installed("numba") else None
