"""What programs ask of a GPU: the protocol that drivers fulfil, and how a driver is found.

`TFC_CUDA` chooses:

    (unset)    the GPUs that CUDA's driver shows, through pycuda; the first is where code runs that
               says nothing else
    named      the same GPUs, where `tfc.device` or a tensor on them says so
    off        none
    emulate    one, whose kernels the emulator beside this runs on the CPU. Words may follow:
               `emulate,reversed` or `emulate,random,7` is the order of warps and blocks (and the
               seed), `emulate,pooled` keeps freed memory for reuse, as real devices do,
               `emulate,two` has two, and with `emulate,default` code runs there that says nothing

All work of a device is on one stream: what is enqueued later sees what was enqueued before. So
memory that is freed may be used again at once.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

ALIGN = 16  # bytes: of what is put into one buffer side by side
Grid = tuple[int, int, int]


class DeviceError(Exception):
    """The driver refused something, or a kernel could not be run to its end."""


class Graph(Protocol):
    """Work that was captured; it runs again on the same memory."""

    def launch(self) -> None: ...


class Event(Protocol):
    """A moment of the stream."""

    def wait(self) -> None:
        """Until all work before it is done."""

    def since(self, other: Any) -> float:
        """Milliseconds from another event to this one."""


class Driver(Protocol):
    """One GPU. Addresses are those of its memory. Errors are DeviceError, or MemoryError."""

    name: str
    capability: tuple[int, int]
    memory: int  # bytes
    exact: bool  # whether each allocation is watched: then nothing is kept for reuse
    captures: bool  # whether `capture` is there
    stream: int  # for other libraries to wait on

    def activate(self) -> None:
        """Make it this thread's GPU, as `launch`, `copy` and `fill` need it; the other methods
        do so by themselves."""

    def allocate(self, size: int) -> int:
        """Memory, aligned to 256 bytes."""

    def free(self, address: int) -> None: ...

    def upload(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Copy a dense array to the device; it may be changed as soon as this returns."""

    def download(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Fill a dense array, waiting for what was enqueued before."""

    def copy(self, to: int, source: int, size: int) -> None: ...

    def fill(self, address: int, byte: int, size: int) -> None: ...

    def load(self, ptx: str) -> Any:
        """A module, which `function` takes."""

    def function(self, module: Any, name: str, shared: int) -> Any:
        """A kernel that is going to use so much dynamic shared memory."""

    def launch(
        self, function: Any, grid: Grid, threads: int, parameters: bytes, shared: int
    ) -> None: ...

    def synchronize(self) -> None: ...

    def event(self) -> Event:
        """A moment that lies behind all that was enqueued."""

    def capture(self, work: Callable[[], None]) -> Graph:
        """What `work` launches and copies, which is not run."""

    def order(self, stream: int, before: bool) -> None:
        """Let another library's stream wait for ours, or (`before`) ours for it."""


class NoDriver(Exception):
    """Why there is no GPU."""


def mode() -> list[str]:
    """The words of TFC_CUDA."""
    return [w.strip() for w in os.environ.get("TFC_CUDA", "").lower().split(",") if w.strip()]


def by_default() -> bool:
    """Whether code that says nothing may run on a GPU, as far as can be told without one."""
    words = mode()
    if words:
        return words[0] == "emulate" and "default" in words
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True
