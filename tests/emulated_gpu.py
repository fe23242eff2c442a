"""A GPU for tests: the emulator, in a process whose other tests know of none. With TFC_TEST_GPU=1
it is a real one, but for tests that ask for the emulator's ways."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tfc.backends.cuda import devices, emulated_driver
from tfc.backends.cuda.device import Device
from tfc.core import placement
from tfc.core.context import settings

ROOT = Path(__file__).resolve().parents[1]


def environment(cuda: str) -> dict[str, str]:
    """For a process of its own, with this checkout before what this one has: on a machine with a
    GPU these are wheels that were unpacked (tools/gpu_machine.py)."""
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "TFC_CUDA": cuda, "PYTHONPATH": paths}


@contextmanager
def emulated_gpus(*words: str) -> Iterator[list[Any]]:
    """The GPUs that `TFC_CUDA=emulate,words` gives, as long as this lasts."""
    default = settings.default_gpu  # of a real GPU: tests say where they run
    placement.set_default(None)
    if os.environ.get("TFC_TEST_GPU") and not words:
        yield list(devices.devices())[:1]
        placement.set_default(default)
        return
    old = devices._found, devices._reason, settings.accelerated
    found = [Device(i, opener) for i, opener in enumerate(emulated_driver.find(words))]
    devices._found, devices._reason = found, ""
    try:
        if "default" in words:
            placement.set_default(found[0])
        yield found
    finally:
        placement.set_default(None)
        devices._found, devices._reason, settings.accelerated = old
        placement._hidden.clear()
        placement.set_default(default)


def live(device: Any) -> int:
    """The bytes of the device that something holds."""
    gc.collect()
    return int(device.pool.stats()["live"])


def on_gpu(x: Any) -> bool:
    return "GPU" in x.device


def array(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
