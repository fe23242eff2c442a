"""The global memory of the emulated device, with its bounds.

One large range of address space is reserved, which costs no memory until it is written. It is
handed out in granules of 4 KiB, and a table holds for each granule how many of its bytes are valid.
So code checks an access by one load. Between two allocations lies at least one granule that is not
valid, and what was freed is given out again only when the range is used up: a late access finds it
gone.
"""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

from .layout import DEVICE_BASE, GRANULE_BITS

GRANULE = 1 << GRANULE_BITS
_NO_RESERVE = 0x4000 if not hasattr(mmap, "MAP_NORESERVE") else mmap.MAP_NORESERVE


class OutOfMemory(MemoryError):
    """The emulated device has no room for an allocation."""


class DeviceMemory:
    """Global memory of `capacity` bytes; `reserved` bytes of address space are cycled through."""

    def __init__(self, capacity: int = 4 << 30, reserved: int = 64 << 30) -> None:
        self.capacity, self.used = capacity, 0
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
        while True:
            try:
                self._map = mmap.mmap(-1, reserved, flags=flags)
                break
            except OSError:  # a process may be limited in its address space
                reserved //= 2
                if reserved < capacity // 4 or reserved < 1 << 20:
                    raise
        self.size = reserved
        self.host = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        granules = reserved >> GRANULE_BITS
        self._valid_map = mmap.mmap(-1, 2 * granules, flags=flags)
        self.valid = np.frombuffer(self._valid_map, np.uint16)
        self.valid_host = self.valid.ctypes.data
        self.allocations: dict[int, int] = {}  # address -> bytes
        self._next = 1  # granule 0 is never valid
        self._wrapped = False

    def allocate(self, size: int) -> int:
        """The address of `size` new bytes, aligned to 4096, with every bit set."""
        if size < 0:
            raise ValueError(f"cannot allocate {size} bytes")
        if self.used + size > self.capacity:
            raise OutOfMemory(
                f"out of memory: {size} bytes wanted, {self.capacity - self.used} are free"
            )
        granules = (max(size, 1) + GRANULE - 1) >> GRANULE_BITS
        first = self._find(granules)
        self._next = first + granules + 1
        address = DEVICE_BASE + (first << GRANULE_BITS)
        self.valid[first : first + granules] = GRANULE
        rest = size & (GRANULE - 1)
        if rest or not size:
            self.valid[first + granules - 1] = rest
        self.allocations[address] = size
        self.used += size
        ctypes.memset(self.host + (first << GRANULE_BITS), 0xFF, size)
        return address

    def _find(self, granules: int) -> int:
        """The first of `granules` free granules with a gap behind them."""
        total = len(self.valid)
        if self._next + granules + 1 < total and not self._wrapped:
            return self._next
        self._wrapped = True
        place, ends = 1, sorted(self.allocations.items())
        for address, size in [*ends, (DEVICE_BASE + (total << GRANULE_BITS), 0)]:
            start = (address - DEVICE_BASE) >> GRANULE_BITS
            if start - place > granules:
                return place
            place = start + ((max(size, 1) + GRANULE - 1) >> GRANULE_BITS) + 1
        raise OutOfMemory(f"out of memory: no gap of {granules * GRANULE} bytes")

    def free(self, address: int) -> None:
        """Give an allocation back; its bytes are gone at once."""
        size = self.allocations.pop(address, None)
        if size is None:
            raise ValueError(f"{address:#x} is no address that was allocated")
        first = (address - DEVICE_BASE) >> GRANULE_BITS
        granules = (max(size, 1) + GRANULE - 1) >> GRANULE_BITS
        self.valid[first : first + granules] = 0
        self.used -= size
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED, first << GRANULE_BITS, granules << GRANULE_BITS)

    def pointer(self, address: int, size: int) -> int:
        """The host's address of `size` bytes that lie in one allocation."""
        if size == 0:
            return self.host
        start, _ = self.allocation(address, size)
        assert start <= address
        return self.host + (address - DEVICE_BASE)

    def allocation(self, address: int, size: int = 1) -> tuple[int, int]:
        """The allocation (address, bytes) that has all of `size` bytes at `address`."""
        known = self.allocations.get(address)
        if known is not None and size <= known:
            return address, known
        for start, length in self.allocations.items():
            if start <= address and address + size <= start + length:
                return start, length
        raise ValueError(
            f"{size} bytes at {address:#x} are outside of every allocation{self.near(address)}"
        )

    def near(self, address: int) -> str:
        """Words that say which allocation an address misses."""
        best = None
        for start, length in self.allocations.items():
            distance = start - address if address < start else address - (start + length) + 1
            if distance < GRANULE * 2 and (best is None or distance < best[0]):
                best = distance, start, length
        if best is None:
            return ""
        _, start, length = best
        return f" (near the {length} bytes at {start:#x}: offset {address - start})"
