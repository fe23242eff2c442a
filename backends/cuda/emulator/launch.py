"""One launch of a kernel: its record, its orders, and the error when it fails."""

from __future__ import annotations

import ctypes
import time
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from . import collectives
from .errors import EmulationError, Fault
from .jit import Library
from .layout import AT_BARRIER, AT_COLLECTIVE, EXITED, LAUNCH, SHARED_BASE, THREAD, WARP
from .scheduler import scheduler

if TYPE_CHECKING:
    from .emulator import Emulator, Function

Extents = tuple[int, int, int]
MAX_SHARED = 227 * 1024
MAX_STATIC_SHARED = 48 * 1024
_ORDERS = 8  # tables of random order that a launch goes through
_KEPT_FRAMES = 16  # threads' memory by its shape


class Record(ctypes.Structure):
    """The launch's record, as LAUNCH says."""

    _fields_ = LAUNCH.ctypes_fields()


@cache
def _runtime() -> tuple[Library, Any]:
    library = Library(scheduler(), "launch", pipeline=True)
    prototype = ctypes.CFUNCTYPE(None, ctypes.POINTER(Record))
    return library, prototype(library.addresses["launch"])


class Launch:
    """One launch: the record that generated code reads, and what its pointers point to."""

    def __init__(
        self,
        emulator: Emulator,
        function: Function,
        grid: Extents,
        block: Extents,
        parameters: bytes,
        shared: int,
    ) -> None:
        self.emulator, self.function, self.grid, self.block = emulator, function, grid, block
        self.threads = block[0] * block[1] * block[2]
        self.blocks = grid[0] * grid[1] * grid[2]
        self.check(parameters, shared)
        self.record = Record()
        self.shared_size = function.static_shared + shared
        self.shared = _aligned(max(self.shared_size, 1))
        size = function.frame_size
        self.parameters = ctypes.create_string_buffer(parameters, max(len(parameters), 1))
        key = size, block
        frames = emulator.frames.get(key)
        if frames is None:
            self.frames = _aligned(size * self.threads).reshape(self.threads, size)
            self.fill_frames()
            while len(emulator.frames) >= _KEPT_FRAMES:
                emulator.frames.pop(next(iter(emulator.frames)))
            emulator.frames[key] = self.frames
        else:
            self.frames = frames
        self.fill_record(len(parameters))

    def check(self, parameters: bytes, shared: int) -> None:
        function, block, grid = self.function, self.block, self.grid
        if function.module.emulator is not self.emulator:
            raise ValueError(f"{function.name} was loaded by another emulator")
        if min(block) < 1 or self.threads > function.max_threads or block[2] > 64:
            raise ValueError(
                f"{function.name}: a block of {block} is outside of 1 to {function.max_threads} "
                "threads"
            )
        if min(grid) < 1 or grid[0] >= 1 << 31 or max(grid[1:]) >= 1 << 16:
            raise ValueError(f"{function.name}: a grid of {grid} is not possible")
        if len(parameters) != function.parameter_bytes:
            raise ValueError(
                f"{function.name} takes {function.parameter_bytes} bytes of parameters, "
                f"not {len(parameters)}"
            )
        if function.static_shared > MAX_STATIC_SHARED:
            raise ValueError(
                f"{function.name}: {function.static_shared} bytes of static shared memory are more "
                f"than {MAX_STATIC_SHARED}; ptxas would refuse it"
            )
        if shared < 0 or function.static_shared + shared > MAX_SHARED:
            raise ValueError(
                f"{function.name}: {function.static_shared} + {shared} bytes of shared memory are "
                f"more than {MAX_SHARED}"
            )

    def fill_frames(self) -> None:
        index = np.arange(self.threads, dtype=np.int32)
        x, y, _ = self.block
        fields = {
            "index": index,
            "lane": index % WARP,
            "tid.x": index % x,
            "tid.y": index // x % y,
            "tid.z": index // (x * y),
        }
        for name, values in fields.items():
            self.field(name)[:] = values

    def field(self, name: str) -> np.ndarray:
        """A field of all threads' headers."""
        offset = THREAD.offsets[name]
        return self.frames[:, offset : offset + 4].view(np.int32)[:, 0]

    def fill_record(self, parameter_bytes: int) -> None:
        emulator, module, record = self.emulator, self.function.module, self.record
        memory = emulator.memory
        warps = (self.threads + WARP - 1) // WARP
        self.tables = blocks, warp_orders, lane_orders = self.orders(warps)
        record.memory = memory.host
        record.valid = memory.valid_host
        record.memory_size = memory.size
        record.shared = self.shared.ctypes.data
        record.shared_size = self.shared_size
        record.local_size = module.code.layout.local_size[self.function.name]
        record.parameters = ctypes.addressof(self.parameters)
        record.parameters_size = parameter_bytes
        record.symbols = ctypes.addressof(module.table)
        record.ntid_x, record.ntid_y, record.ntid_z = self.block
        record.nctaid_x, record.nctaid_y, record.nctaid_z = self.grid
        record.budget = emulator.budget
        record.threads = self.frames.ctypes.data
        record.thread_size = self.function.frame_size
        record.thread_count, record.warp_count = self.threads, warps
        record.resume = module.code.address(self.function.name)
        record.collectives = ctypes.addressof(collectives.table)
        record.blocks = blocks.ctypes.data
        record.block_count = self.blocks
        record.warp_orders = warp_orders.ctypes.data
        record.lane_orders = lane_orders.ctypes.data
        record.orders = len(lane_orders)

    def orders(self, warps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """In which order blocks run, and warps and lanes in their turns."""
        blocks = np.arange(self.blocks, dtype=np.int64)
        one_warps = np.arange(warps, dtype=np.int32)[None]
        one_lanes = np.arange(WARP, dtype=np.int32)[None]
        order = self.emulator.order
        if order == "forward":
            return blocks, one_warps, one_lanes
        if order == "reversed":
            backwards = blocks[::-1].copy(), one_warps[:, ::-1].copy(), one_lanes[:, ::-1].copy()
            return backwards
        draw = np.random.default_rng(self.emulator._random.getrandbits(64))
        draw.shuffle(blocks)
        return (
            blocks,
            draw.permuted(np.repeat(one_warps, _ORDERS, axis=0), axis=1),
            draw.permuted(np.repeat(one_lanes, _ORDERS, axis=0), axis=1),
        )

    def run(self) -> None:
        _, launch = _runtime()
        begin = time.thread_time()
        launch(ctypes.byref(self.record))
        self.function.module.code.ran(time.thread_time() - begin)
        fault = Fault(self.record.fault)
        if fault is not Fault.NONE:
            raise self.error(fault)

    # -- errors ------------------------------------------------------------------------------

    def error(self, fault: Fault) -> EmulationError:
        thread = self.record.fault_thread
        line, address = self.record.fault_line, self.record.fault_address
        detail = ""
        shown: int | None = None
        if fault in (Fault.GLOBAL, Fault.SHARED, Fault.LOCAL, Fault.PARAMETER, Fault.GENERIC):
            shown = address & ((1 << 64) - 1)
            detail = self.around(fault, shown)
        elif fault in (Fault.EXITED_LANE, Fault.NOT_IN_MASK):
            detail = f"the mask is {address & 0xFFFFFFFF:#010x}"
        elif fault is Fault.DIVERGED_BARRIER:
            detail = f"another thread of the warp waits at line {address}: {self.text(address)}"
        elif fault is Fault.DEADLOCK:
            fault, detail = self.who_waits()
        x, y, _ = self.block
        return EmulationError(
            fault,
            kernel=self.function.name,
            line=line,
            text=self.text(line),
            block=(self.record.ctaid_x, self.record.ctaid_y, self.record.ctaid_z),
            thread=(thread % x, thread // x % y, thread // (x * y)),
            address=shown,
            detail=detail,
        )

    def text(self, line: int) -> str:
        lines = self.function.module.code.module.text.splitlines()
        return " ".join(lines[line - 1].split()) if 0 < line <= len(lines) else ""

    def around(self, fault: Fault, address: int) -> str:
        if fault is Fault.SHARED:
            return f"shared memory has {self.shared_size} bytes from {SHARED_BASE:#x}"
        if fault is Fault.GLOBAL or fault is Fault.GENERIC:
            return self.emulator.memory.near(address).strip(" ()")
        return ""

    def who_waits(self) -> tuple[Fault, str]:
        """How many threads wait where, and how many have exited."""
        wait, line = self.field("wait"), self.field("line")
        places = Counter((int(w), int(n)) for w, n in zip(wait, line, strict=True) if w != EXITED)
        gone = int((wait == EXITED).sum())
        rows = [
            f"{count} threads wait at line {place}: {self.text(place)}"
            for (_, place), count in sorted(places.items(), key=lambda item: item[0][1])
        ]
        kinds = {kind for kind, _ in places}
        if gone:
            rows.append(f"{gone} threads have exited")
        only_barriers = kinds == {AT_BARRIER}
        fault = Fault.EXITED_AT_BARRIER if gone and only_barriers else Fault.DEADLOCK
        if AT_COLLECTIVE in kinds:
            rows.append("a mask names lanes that do not arrive")
        return fault, "\n    ".join(rows)


def _aligned(size: int) -> np.ndarray:
    """Zeros at an address that 1024 divides."""
    whole = np.zeros(size + 1024, np.uint8)
    start = -whole.ctypes.data % 1024
    return whole[start : start + size]
