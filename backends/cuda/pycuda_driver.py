"""The driver of real GPUs, through pycuda (the extra `tfc-lang[cuda]`).

It works in the primary context of the GPU, as PyTorch, JAX and CuPy do, so that they can share
memory. Its one stream waits for the default stream and the other way round. A thread that uses the
GPU has the context on pycuda's stack, and takes it off when it ends: pycuda ends the process where
a stack is left behind.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .driver import DeviceError, Driver, Grid, NoDriver
from .libcuda import CapturedGraph, Library

LEAST_VERSION = 12000  # of CUDA: PTX 8.0
_STAGE = 4 << 20  # bytes of a page-locked buffer: what is copied through one, and not at once
_SHARED = 48 << 10  # bytes of shared memory that no kernel needs to ask for


def find() -> Sequence[Callable[[], Driver]]:
    """What opens each GPU; raises NoDriver where there is no driver or no pycuda."""
    try:
        Library()
    except OSError:
        raise NoDriver("NVIDIA's driver (libcuda.so.1) is not installed") from None
    try:
        import pycuda.driver as cuda
    except ImportError as error:
        raise NoDriver(
            f"pycuda is missing ({error}): install it with `pip install 'tfc-lang[cuda]'`"
        ) from None
    try:
        cuda.init()
        count = cuda.Device.count()
    except cuda.Error as error:
        raise NoDriver(f"CUDA does not start: {error}") from None
    return [_opener(i) for i in range(count)]


def _opener(index: int) -> Callable[[], Driver]:
    return lambda: PycudaDriver(index)


class _Held:
    """Keeps a context on this thread's stack, and takes it off when the thread ends."""

    def __init__(self, driver: PycudaDriver) -> None:
        self.driver = driver
        driver.context.push()

    def leave(self) -> None:
        if self.driver is not None:
            self.driver.context.pop()
            self.driver = None  # type: ignore[assignment]

    __del__ = leave


class _Thread(threading.local):
    """The driver that a thread works with."""

    held: _Held | None = None


_thread = _Thread()


class _Moment:
    """An event of the stream."""

    def __init__(self, driver: PycudaDriver) -> None:
        self._event = driver.cuda.Event()
        self._event.record(driver.pycuda_stream)

    def wait(self) -> None:
        self._event.synchronize()

    def since(self, other: Any) -> float:
        self._event.synchronize()
        return float(self._event.time_since(other._event))


class _Stage:
    """A page-locked buffer, and when it is free again."""

    def __init__(self, driver: PycudaDriver) -> None:
        self.memory = driver.cuda.pagelocked_empty(_STAGE, np.uint8)
        self.free: Any = None

    def take(self) -> Any:
        if self.free is not None:
            self.free.wait()
        return self.memory


class PycudaDriver:
    """See `Driver`."""

    exact = False

    def __init__(self, index: int) -> None:
        import pycuda.driver as cuda

        self.cuda: Any = cuda
        version = cuda.get_driver_version()
        if version < LEAST_VERSION:
            raise NoDriver(
                f"the driver is too old: it knows CUDA {_shown(version)}, and "
                f"{_shown(LEAST_VERSION)} is needed"
            )
        try:
            device = cuda.Device(index)
            self.name = str(device.name())
            self.capability = tuple(device.compute_capability())
            self.memory = int(device.total_memory())
            self.context: Any = device.retain_primary_context()
            self.closed = False
            self._library = Library()
            self._handle = self._handle_of(self.context)
            self.activate()
            self.pycuda_stream = cuda.Stream()
            self.stream = int(self.pycuda_stream.handle)
            self._uploads = [_Stage(self), _Stage(self)]
            self._downloads = _Stage(self)
        except cuda.Error as error:
            raise DeviceError(f"GPU {index} cannot be opened: {error}") from error
        if self.capability < (8, 0):
            raise NoDriver(f"{self.name} has compute capability {self.capability}, below (8, 0)")
        self._blocks: dict[int, Any] = {}
        self.captures = self._library.has_graphs
        atexit.register(self.close)

    def close(self) -> None:
        """At the end of the process: wait, and take the context off this thread's stack."""
        if self.closed:
            return
        held, _thread.held = _thread.held, None
        self.closed = True
        if held is not None:
            held.leave()

    def activate(self) -> None:
        held = _thread.held
        if held is None or held.driver is not self:
            if self.closed:
                raise DeviceError("the process is ending: GPUs are closed")
            _thread.held = None
            if held is not None:
                held.leave()
            _thread.held = _Held(self)
        elif self._library.current_context() != self._handle:  # others have chosen another GPU
            self._library.call("cuCtxSetCurrent", self._handle)

    def _handle_of(self, context: Any) -> int:
        """CUDA's number for a context."""
        context.push()
        try:
            return self._library.current_context()
        finally:
            context.pop()

    # Memory.

    def allocate(self, size: int) -> int:
        self.activate()
        try:
            block = self.cuda.mem_alloc(max(size, 1))
        except self.cuda.MemoryError as error:
            free, total = self.cuda.mem_get_info()
            raise MemoryError(
                f"{size} bytes on {self.name}: {free} of {total} are free ({error})"
            ) from None
        except self.cuda.Error as error:
            raise DeviceError(f"allocating {size} bytes: {error}") from error
        address = int(block)
        self._blocks[address] = block
        return address

    def free(self, address: int) -> None:
        block = self._blocks.pop(address)
        if self.closed:
            return
        self.activate()
        block.free()

    def upload(self, address: int, array: np.ndarray[Any, Any]) -> None:
        self.activate()
        try:
            if array.nbytes > _STAGE:
                self.cuda.memcpy_htod_async(address, array, self.pycuda_stream)
                self.pycuda_stream.synchronize()
                return
            stage = self._uploads.pop(0)
            memory = stage.take()[: array.nbytes]
            memory[:] = array.reshape(-1).view(np.uint8)
            self.cuda.memcpy_htod_async(address, memory, self.pycuda_stream)
            stage.free = self.event()
            self._uploads.append(stage)
        except self.cuda.Error as error:
            raise DeviceError(f"copying to the GPU: {error}") from error

    def download(self, address: int, array: np.ndarray[Any, Any]) -> None:
        self.activate()
        try:
            if array.nbytes > _STAGE:
                self.cuda.memcpy_dtoh_async(array, address, self.pycuda_stream)
                self.pycuda_stream.synchronize()
                return
            memory = self._downloads.memory[: array.nbytes]
            self.cuda.memcpy_dtoh_async(memory, address, self.pycuda_stream)
            self.pycuda_stream.synchronize()
            array.reshape(-1).view(np.uint8)[:] = memory
        except self.cuda.Error as error:
            raise DeviceError(f"copying from the GPU: {error}") from error

    def copy(self, to: int, source: int, size: int) -> None:
        try:
            self.cuda.memcpy_dtod_async(to, source, size, self.pycuda_stream)
        except self.cuda.Error as error:
            raise DeviceError(f"copying on the GPU: {error}") from error

    def fill(self, address: int, byte: int, size: int) -> None:
        try:
            self.cuda.memset_d8_async(address, byte, size, self.pycuda_stream)
        except self.cuda.Error as error:
            raise DeviceError(f"filling memory of the GPU: {error}") from error

    # Kernels.

    def load(self, ptx: str) -> Any:
        self.activate()
        try:
            return self.cuda.module_from_buffer(ptx.encode() + b"\0")
        except self.cuda.Error as error:
            raise DeviceError(f"loading kernels: {error}") from error

    def function(self, module: Any, name: str, shared: int) -> Any:
        self.activate()
        try:
            found = module.get_function(name)
            if shared > _SHARED:
                attribute = self.cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
                found.set_attribute(attribute, shared)
        except self.cuda.Error as error:
            raise DeviceError(f"kernel {name}: {error}") from error
        return found

    def resources(self, ptx: str, kernels: Mapping[str, int]) -> dict[str, tuple[int, int, int]]:
        """What kernels take, which ask for so much shared memory: registers and bytes of local
        memory of a thread, bytes of static shared memory of a block."""
        of = self.cuda.function_attribute
        wanted = (of.NUM_REGS, of.LOCAL_SIZE_BYTES, of.SHARED_SIZE_BYTES)
        module = self.load(ptx)
        found = {}
        for name, shared in kernels.items():
            function = self.function(module, name, shared)
            registers, local, static = map(function.get_attribute, wanted)
            found[name] = registers, local, static
        return found

    def launch(
        self, function: Any, grid: Grid, threads: int, parameters: bytes, shared: int
    ) -> None:
        try:
            function._launch_kernel(grid, (threads, 1, 1), parameters, shared, self.pycuda_stream)
        except self.cuda.Error as error:
            raise DeviceError(
                f"launching a kernel with {grid} blocks of {threads} threads: {error}"
            ) from error

    def synchronize(self) -> None:
        if self.closed:
            return
        self.activate()
        try:
            self.pycuda_stream.synchronize()
        except self.cuda.Error as error:
            raise DeviceError(f"a kernel failed: {error}") from error

    def event(self) -> _Moment:
        self.activate()
        return _Moment(self)

    def capture(self, work: Callable[[], None]) -> CapturedGraph:
        return self._library.captured(self.stream, work)

    def order(self, stream: int, before: bool) -> None:
        """Streams 1 and 2 are the default streams of CUDA."""
        self.activate()
        if before:
            self._library.let_wait(self.stream, stream)
        else:
            self._library.let_wait(stream, self.stream)


def _shown(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"
