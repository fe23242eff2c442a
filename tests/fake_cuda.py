"""A `libcuda.so.1` whose GPU is the emulator: what pycuda runs on where no driver is.

`build(folder)` compiles it (a shim: each function hands its arguments to Python), and `install()`
answers its calls in this process. It is strict where a driver is: calls without a current context,
launches that are too large and unknown addresses are errors.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import struct
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tfc.backends.cuda.emulator import EmulationError, Emulator

ARGUMENTS = {
    **dict.fromkeys(("Init", "DriverGetVersion", "DeviceGetCount", "CtxGetDevice"), 1),
    **dict.fromkeys(("CtxPushCurrent_v2", "CtxPopCurrent_v2", "CtxGetCurrent", "CtxSetCurrent"), 1),
    **dict.fromkeys(("DevicePrimaryCtxRelease_v2", "CtxDetach", "MemFree_v2", "MemFreeHost"), 1),
    **dict.fromkeys(
        ("ModuleUnload", "StreamDestroy_v2", "StreamSynchronize", "EventSynchronize"), 1
    ),
    **dict.fromkeys(("EventDestroy_v2", "GraphDestroy", "GraphExecDestroy", "StreamQuery"), 1),
    **dict.fromkeys(("DeviceGet", "DeviceTotalMem_v2", "DevicePrimaryCtxRetain", "EventCreate"), 2),
    **dict.fromkeys(
        ("MemAlloc_v2", "MemGetInfo_v2", "StreamCreate", "EventRecord", "GraphLaunch"), 2
    ),
    **dict.fromkeys(("GetErrorString", "StreamBeginCapture_v2", "StreamEndCapture"), 2),
    **dict.fromkeys(("DeviceGetName", "DeviceComputeCapability", "DeviceGetAttribute"), 3),
    **dict.fromkeys(
        ("MemHostAlloc", "ModuleGetFunction", "FuncSetAttribute", "EventElapsedTime_v2"), 3
    ),
    **dict.fromkeys(("StreamWaitEvent", "GraphInstantiateWithFlags", "FuncGetAttribute"), 3),
    **dict.fromkeys(("MemcpyHtoDAsync_v2", "MemcpyDtoHAsync_v2", "MemcpyDtoDAsync_v2"), 4),
    **dict.fromkeys(("MemsetD8Async", "ModuleLoadDataEx"), 5),
    "LaunchKernel": 11,
}
OUT_OF_MEMORY, NO_CONTEXT, INVALID, BAD_PTX, NOT_FOUND, FAILED = 2, 201, 1, 218, 500, 719
MEMORY = 64 << 20
SHARED = 227 << 10


def build(folder: Path) -> Path:
    """Compile the library into `folder`; its path."""
    lines = [
        "#include <stdint.h>",
        "typedef int (*handler)(const char *, const uint64_t *);",
        "static handler handle;",
        "static int ended;",
        "void fake_install(handler h) { handle = h; ended = !h; }",
    ]
    for name, count in ARGUMENTS.items():
        given = [f"uint64_t a{i}" for i in range(count)]
        names = ", ".join(f"a{i}" for i in range(count))
        lines.append(
            f"int cu{name}({', '.join(given)}) {{ uint64_t a[] = {{{names}}}; "
            f'return handle ? handle("{name}", a) : ended ? 0 : 3; }}'
        )
    source, library = folder / "fake_cuda.c", folder / "libcuda.so.1"
    source.write_text("\n".join(lines))
    options = ["-shared", "-fPIC", "-O1", "-Wl,-soname,libcuda.so.1"]
    subprocess.run(["gcc", *options, str(source), "-o", str(library)], check=True)
    return library


class FakeError(Exception):
    """A CUDA error."""

    def __init__(self, status: int) -> None:
        self.status = status


def put(address: int, layout: str, *values: Any) -> None:
    """Write to the host's memory."""
    data = struct.pack(layout, *values)
    ctypes.memmove(address, data, len(data))


class FakeCuda:
    """The driver's state. `calls` counts what was called, by name."""

    CONTEXT = 0x1234

    def __init__(self, version: int = 13000, capability: tuple[int, int] = (9, 0)) -> None:
        self.version = version
        self.capability = capability
        self.emulator = Emulator()
        self.calls: dict[str, int] = {}
        self.sizes: dict[int, int] = {}
        self.objects: dict[int, Any] = {}
        self.kept: dict[int, Any] = {}  # the host's memory
        self.strings: dict[int, Any] = {}
        self.capturing: list[Callable[[], None]] | None = None
        self.stacks: dict[int, list[int]] = {}  # of contexts, by thread
        self._numbers = itertools.count(0x1000, 16)

    @property
    def contexts(self) -> list[int]:
        return self.stacks.setdefault(threading.get_native_id(), [])

    def answer(self, name: str, a: list[int]) -> None:
        self.calls[name] = self.calls.get(name, 0) + 1
        if name not in _FREE and not self.contexts:
            raise FakeError(NO_CONTEXT)
        getattr(self, name)(*a)

    def new(self, thing: Any) -> int:
        number = next(self._numbers)
        self.objects[number] = thing
        return number

    def Init(self, flags: int) -> None: ...

    def DriverGetVersion(self, out: int) -> None:
        put(out, "i", self.version)

    def DeviceGetCount(self, out: int) -> None:
        put(out, "i", 1)

    def DeviceGet(self, out: int, number: int) -> None:
        if number & 0xFFFFFFFF:
            raise FakeError(101)
        put(out, "i", 0)

    def DeviceGetName(self, out: int, size: int, device: int) -> None:
        ctypes.memmove(out, b"fake\0", 5)

    def DeviceComputeCapability(self, major: int, minor: int, device: int) -> None:
        put(major, "i", self.capability[0])
        put(minor, "i", self.capability[1])

    def DeviceTotalMem_v2(self, out: int, device: int) -> None:
        put(out, "Q", MEMORY)

    def DeviceGetAttribute(self, out: int, attribute: int, device: int) -> None:
        put(out, "i", 0)

    def DevicePrimaryCtxRetain(self, out: int, device: int) -> None:
        put(out, "Q", self.CONTEXT)

    def DevicePrimaryCtxRelease_v2(self, device: int) -> None: ...

    def CtxDetach(self, context: int) -> None: ...

    def CtxPushCurrent_v2(self, context: int) -> None:
        self.contexts.append(context)

    def CtxPopCurrent_v2(self, out: int) -> None:
        if not self.contexts:
            raise FakeError(NO_CONTEXT)
        popped = self.contexts.pop()
        if out:
            put(out, "Q", popped)

    def CtxGetCurrent(self, out: int) -> None:
        put(out, "Q", self.contexts[-1] if self.contexts else 0)

    def CtxSetCurrent(self, context: int) -> None:
        self.contexts[-1:] = [context]

    def CtxGetDevice(self, out: int) -> None:
        put(out, "i", 0)

    def GetErrorString(self, status: int, out: int) -> None:
        status &= 0xFFFFFFFF
        text = {2: "out of memory", 218: "a PTX JIT compilation failed"}.get(
            status, f"error {status}"
        )
        kept = self.strings.setdefault(status, ctypes.create_string_buffer(text.encode()))
        put(out, "Q", ctypes.addressof(kept))

    # Memory.

    def MemAlloc_v2(self, out: int, size: int) -> None:
        if size == 0:
            raise FakeError(INVALID)
        if sum(self.sizes.values()) + size > MEMORY:
            raise FakeError(OUT_OF_MEMORY)
        address = self.emulator.allocate(size)
        self.sizes[address] = size
        put(out, "Q", address)

    def MemFree_v2(self, address: int) -> None:
        del self.sizes[address]
        self.emulator.free(address)

    def MemGetInfo_v2(self, free: int, total: int) -> None:
        put(free, "Q", MEMORY - sum(self.sizes.values()))
        put(total, "Q", MEMORY)

    def MemHostAlloc(self, out: int, size: int, flags: int) -> None:
        memory = np.empty(size, np.uint8)
        self.kept[memory.ctypes.data] = memory
        put(out, "Q", memory.ctypes.data)

    def MemFreeHost(self, address: int) -> None:
        del self.kept[address]

    def enqueue(self, work: Callable[[], None]) -> None:
        if self.capturing is not None:
            self.capturing.append(work)
        else:
            work()

    def MemcpyHtoDAsync_v2(self, to: int, source: int, size: int, stream: int) -> None:
        self.emulator.write(to, ctypes.string_at(source, size))

    def MemcpyDtoHAsync_v2(self, to: int, source: int, size: int, stream: int) -> None:
        if self.capturing is not None:
            raise FakeError(900)
        data = self.emulator.read(source, size)
        ctypes.memmove(to, bytes(data), size)

    def MemcpyDtoDAsync_v2(self, to: int, source: int, size: int, stream: int) -> None:
        self.enqueue(lambda: self.emulator.write(to, bytes(self.emulator.read(source, size))))

    def MemsetD8Async(self, to: int, byte: int, size: int, stream: int, _: int = 0) -> None:
        self.enqueue(lambda: self.emulator.fill(to, byte & 0xFF, size))

    # Kernels.

    def ModuleLoadDataEx(self, out: int, text: int, *options: int) -> None:
        try:
            module = self.emulator.load(ctypes.string_at(text).decode())
        except EmulationError:
            raise FakeError(BAD_PTX) from None
        put(out, "Q", self.new(module))

    def ModuleUnload(self, module: int) -> None:
        del self.objects[module]

    def ModuleGetFunction(self, out: int, module: int, name: int) -> None:
        found = self.objects[module]
        if ctypes.string_at(name).decode() not in found.functions:
            raise FakeError(NOT_FOUND)
        put(out, "Q", self.new(found.function(ctypes.string_at(name).decode())))

    def FuncSetAttribute(self, function: int, attribute: int, value: int) -> None:
        if value & 0xFFFFFFFF > SHARED:
            raise FakeError(INVALID)

    def FuncGetAttribute(self, out: int, attribute: int, function: int) -> None:
        put(out, "i", 100 + (attribute & 0xFFFFFFFF))

    def LaunchKernel(self, function: int, *a: int) -> None:
        gx, gy, gz, bx, by, bz, shared = (v & 0xFFFFFFFF for v in a[:7])
        _, _, extra = a[7:]
        if not (
            0 < gx < 1 << 31 and 0 < gy < 1 << 16 and 0 < gz < 1 << 16 and 0 < bx * by * bz <= 1024
        ):
            raise FakeError(INVALID)
        items = struct.unpack("=QQQQ", ctypes.string_at(extra, 32))
        assert items[0] == 1 and items[2] == 2, items
        (size,) = struct.unpack("=Q", ctypes.string_at(items[3], 8))
        parameters = ctypes.string_at(items[1], size)

        def work() -> None:
            try:
                self.emulator.launch(
                    self.objects[function],
                    grid=(gx, gy, gz),
                    block=(bx, by, bz),
                    parameters=parameters,
                    shared=shared,
                )
            except EmulationError:
                raise FakeError(FAILED) from None

        self.enqueue(work)

    # Streams, events and graphs.

    def StreamCreate(self, out: int, flags: int) -> None:
        put(out, "Q", self.new("stream"))

    def StreamDestroy_v2(self, stream: int) -> None: ...

    def StreamSynchronize(self, stream: int) -> None:
        if self.capturing is not None:
            raise FakeError(900)

    StreamQuery = StreamSynchronize

    def StreamWaitEvent(self, stream: int, event: int, flags: int) -> None: ...

    def EventCreate(self, out: int, flags: int) -> None:
        put(out, "Q", self.new("event"))

    def EventRecord(self, event: int, stream: int) -> None: ...

    def EventSynchronize(self, event: int) -> None: ...

    def EventElapsedTime_v2(self, out: int, first: int, second: int) -> None:
        put(out, "f", 0.5)

    def EventDestroy_v2(self, event: int) -> None:
        del self.objects[event]

    def StreamBeginCapture_v2(self, stream: int, mode: int) -> None:
        self.capturing = []

    def StreamEndCapture(self, stream: int, out: int) -> None:
        work, self.capturing = self.capturing, None
        put(out, "Q", self.new(work))

    def GraphInstantiateWithFlags(self, out: int, graph: int, flags: int) -> None:
        put(out, "Q", self.new(self.objects[graph]))

    def GraphLaunch(self, graph: int, stream: int) -> None:
        for work in self.objects[graph]:
            work()

    def GraphDestroy(self, graph: int) -> None:
        del self.objects[graph]

    GraphExecDestroy = GraphDestroy


_FREE = ("Init", "DriverGetVersion", "GetErrorString", "StreamDestroy_v2", "EventDestroy_v2")
_FREE += tuple(n for n in ARGUMENTS if n.startswith(("Device", "Ctx", "Graph", "ModuleUnload")))
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64))
_installed: list[Any] = []


def install(**options: Any) -> FakeCuda:
    """Let the library, which is on LD_LIBRARY_PATH, be answered from here."""
    fake = FakeCuda(**options)

    def handle(name: bytes, arguments: Any) -> int:
        text = name.decode()
        try:
            fake.answer(text, [arguments[i] for i in range(ARGUMENTS[text])])
        except FakeError as error:
            return error.status
        except BaseException as error:
            print(f"fake cuda: {text}: {type(error).__name__}: {error}")
            return 999
        return 0

    callback = _HANDLER(handle)
    _installed.append(callback)  # for good: the process calls it until its end
    library = ctypes.CDLL("libcuda.so.1")
    library.fake_install(callback)
    atexit.register(library.fake_install, None)  # Python cannot answer any more
    return fake
