"""The emulated device: memory, modules, launches."""

from __future__ import annotations

import ctypes
import random
import threading
from typing import Any, Literal

import numpy as np

from .device_memory import DeviceMemory
from .errors import PtxError
from .launch import Extents, Launch
from .program import Code, code_of
from .syntax import PtxFunction

Order = Literal["forward", "reversed", "random"]
MAX_THREADS = 1024
_lock = threading.RLock()  # one load or launch at a time


class Function:
    """A kernel of a loaded module."""

    def __init__(self, module: Module, ptx: PtxFunction) -> None:
        self.module, self.ptx, self.name = module, ptx, ptx.name
        code = module.code
        self.frame_size = code.frames[ptx.name]
        last = ptx.parameters[-1] if ptx.parameters else None
        self.parameter_bytes = last.offset + last.size if last else 0
        self.static_shared = code.layout.shared_size[ptx.name]
        self.max_threads = ptx.max_threads or MAX_THREADS


class Module:
    """PTX that was loaded: its code, and its variables in the device's memory."""

    def __init__(self, emulator: Emulator, code: Code) -> None:
        self.emulator, self.code = emulator, code
        self.symbols: dict[str, int] = {}
        self._load_variables()
        self._functions: dict[str, Function] = {}

    def _load_variables(self) -> None:
        for variable in self.code.variables:
            self.symbols[variable.name] = self.emulator.allocate(variable.size)
        for variable in self.code.variables:
            data = bytearray(variable.data.ljust(variable.size, b"\0"))
            for offset, name in variable.addresses.items():
                if name not in self.symbols:
                    raise PtxError(f"{variable.name} points to {name}, which is not known")
                data[offset : offset + 8] = self.symbols[name].to_bytes(8, "little")
            self.emulator.write(self.symbols[variable.name], bytes(data))
        self.table = (ctypes.c_int64 * max(len(self.symbols), 1))(*self.symbols.values())

    def function(self, name: str) -> Function:
        """The kernel `name`."""
        found = self._functions.get(name)
        if found is None:
            ptx = self.code.module.functions.get(name)
            if ptx is None or not ptx.kernel or not ptx.defined:
                known = [f.name for f in self.code.module.functions.values() if f.kernel]
                raise KeyError(f"the module has no kernel {name!r}, only: {', '.join(known)}")
            found = self._functions[name] = Function(self, ptx)
        return found

    @property
    def functions(self) -> list[str]:
        """The names of the kernels."""
        return [f.name for f in self.code.module.functions.values() if f.kernel and f.defined]

    def unload(self) -> None:
        """Free the module's variables."""
        for address in self.symbols.values():
            self.emulator.free(address)
        self.symbols.clear()


class Emulator:
    """A device of one process: global memory, and kernels that run on the CPU.

    `order` is that of blocks, warps and lanes; `random` is drawn from `seed`. Results of a correct
    kernel do not depend on it. `budget` bounds how often threads are resumed or warps looked at.
    """

    def __init__(
        self,
        order: Order = "forward",
        seed: int = 0,
        *,
        memory: int = 4 << 30,
        budget: int = 1 << 30,
    ) -> None:
        if order not in ("forward", "reversed", "random"):
            raise ValueError(f"order must be 'forward', 'reversed' or 'random', not {order!r}")
        self.order, self.budget = order, budget
        self._random = random.Random(seed)
        self.memory = DeviceMemory(memory)
        self.frames: dict[tuple[int, Extents], np.ndarray] = {}
        self.launches = 0

    # -- memory ------------------------------------------------------------------------------

    def allocate(self, size: int) -> int:
        """The address of `size` bytes of global memory, all bits of which are set."""
        return self.memory.allocate(size)

    def free(self, address: int) -> None:
        """Give back what `allocate` gave."""
        self.memory.free(address)

    def write(self, address: int, data: Any) -> None:
        """Copy bytes, or what has a buffer, to the device."""
        array = np.ascontiguousarray(data) if isinstance(data, np.ndarray) else None
        source = array.view(np.uint8).reshape(-1) if array is not None and array.size else None
        if array is None:
            source = np.frombuffer(data, np.uint8)
        if source is None or not source.size:
            return
        pointer = self.memory.pointer(address, source.size)
        ctypes.memmove(pointer, source.ctypes.data, source.size)

    def read(self, address: int, size: int) -> bytes:
        """Copy `size` bytes from the device."""
        return ctypes.string_at(self.memory.pointer(address, size), size)

    def view(self, address: int, size: int) -> memoryview:
        """`size` bytes of the device as they are, for reading and writing."""
        pointer = self.memory.pointer(address, size)
        return memoryview((ctypes.c_uint8 * size).from_address(pointer)).cast("B")

    def fill(self, address: int, value: int, size: int, width: int = 1) -> None:
        """Set `size` bytes to the `value` of `width` bytes, again and again."""
        pattern = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        if size % width:
            raise ValueError(f"{size} bytes are no whole number of {width}")
        ctypes.memmove(self.memory.pointer(address, size), pattern * (size // width), size)

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy inside of the device."""
        ctypes.memmove(self.memory.pointer(target, size), self.memory.pointer(source, size), size)

    # -- kernels -----------------------------------------------------------------------------

    def load(self, ptx: str | bytes) -> Module:
        """Compile a PTX text. PtxError names the line of what the emulator does not know."""
        text = ptx.decode() if isinstance(ptx, bytes) else ptx
        with _lock:
            return Module(self, code_of(text))

    def launch(
        self,
        function: Function,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        parameters: bytes = b"",
        shared: int = 0,
    ) -> None:
        """Run a kernel to its end. `shared` are the bytes of its dynamic shared memory."""
        extents = _extents(grid), _extents(block)
        with _lock:
            Launch(self, function, *extents, bytes(parameters), shared).run()
            self.launches += 1


def _extents(given: tuple[int, ...]) -> Extents:
    x, y, z = (*(int(extent) for extent in given), 1, 1, 1)[:3]
    return x, y, z
