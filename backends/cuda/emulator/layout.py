"""The memory that generated code and Python share: a thread's header, and a launch's record.

Addresses of the device are no addresses of the host: each of its memories has a window that no
process can map (bit 55 is the kernel's on ARM and in no address on x86), so that code which mixes
them up crashes instead of working by chance.
"""

from __future__ import annotations

from ctypes import c_int32, c_int64
from typing import Any

DEVICE_BASE = 1 << 55  # global memory begins here
SHARED_WINDOW = DEVICE_BASE + (1 << 50)  # generic addresses of shared memory
LOCAL_WINDOW = DEVICE_BASE + (2 << 50)  # generic addresses of the thread's local memory
WINDOW_SIZE = 1 << 32
GRANULE_BITS = 12  # global memory is handed out in granules, each with its count of valid bytes
SHARED_BASE = 1024  # shared memory begins here, as on hardware that keeps the first KiB
LOCAL_BASE = 64

WARP = 32
SLOTS = 16  # 32-bit words that a thread can hand to the others of its warp at once
ASYNC_CAPACITY = 256  # asynchronous copies in flight a thread
ASYNC_ENTRY = 32  # bytes of each: source (8), destination, size, bytes to read, group, line
PRODUCTS = 16  # products of a warpgroup in flight
PRODUCT_ENTRY = 24  # bytes of each: two descriptors, whether sums are added to
PRODUCT_SUMS = 128  # sums that a thread has of them, behind the entries
BARRIERS = 16

# What a thread waits for.
RUNNABLE, AT_BARRIER, AT_COLLECTIVE, EXITED = range(4)

_SIZES = {"i32": 4, "i64": 8, "ptr": 8}


class Layout:
    """Named fields at offsets: `fields` are (name, LLVM type, count)."""

    def __init__(self, *fields: tuple[str, str, int]) -> None:
        self.offsets: dict[str, int] = {}
        self.types: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        place = 0
        for name, kind, count in fields:
            size = _SIZES[kind]
            place = (place + size - 1) // size * size
            self.offsets[name], self.types[name] = place, kind
            self.counts[name] = count
            place += size * count
        self.size = (place + 63) // 64 * 64

    def ctypes_fields(self) -> list[tuple[str, Any]]:
        """The same for a ctypes.Structure, whose rules of alignment are these."""
        kinds: dict[str, Any] = {"i32": c_int32, "i64": c_int64, "ptr": c_int64}
        return [
            (name.replace(".", "_"), kinds[kind] * count if count > 1 else kinds[kind])
            for (name, kind), count in zip(self.types.items(), self.counts.values(), strict=True)
        ]


THREAD = Layout(
    ("state", "i32", 1),  # where to go on: 0 at the beginning
    ("wait", "i32", 1),
    ("key", "i32", 1),  # which collective, or which barrier
    ("mask", "i32", 1),  # lanes of the collective, or threads that the barrier waits for
    ("line", "i32", 1),
    ("aligned", "i32", 1),
    ("lane", "i32", 1),
    ("index", "i32", 1),
    ("tid.x", "i32", 1),
    ("tid.y", "i32", 1),
    ("tid.z", "i32", 1),
    ("reduction", "i32", 1),  # of barriers: 0 none, 1 popc, 2 and, 3 or
    ("copies", "i32", 1),  # asynchronous copies in flight
    ("groups", "i32", 1),  # groups of them that were committed
    ("slots", "i32", SLOTS),
)

LAUNCH = Layout(
    ("memory", "ptr", 1),  # global memory on the host
    ("valid", "ptr", 1),  # valid bytes of each granule, i16
    ("memory_size", "i64", 1),
    ("shared", "ptr", 1),
    ("shared_size", "i64", 1),
    ("local_size", "i64", 1),
    ("parameters", "ptr", 1),
    ("parameters_size", "i64", 1),
    ("symbols", "ptr", 1),  # addresses of the module's variables
    ("ctaid.x", "i32", 1),
    ("ctaid.y", "i32", 1),
    ("ctaid.z", "i32", 1),
    ("ntid.x", "i32", 1),
    ("ntid.y", "i32", 1),
    ("ntid.z", "i32", 1),
    ("nctaid.x", "i32", 1),
    ("nctaid.y", "i32", 1),
    ("nctaid.z", "i32", 1),
    ("fault", "i32", 1),
    ("fault_line", "i32", 1),
    ("fault_thread", "i32", 1),
    ("fault_address", "i64", 1),
    ("budget", "i64", 1),  # resumptions that are left
    ("clock", "i64", 1),
    ("threads", "ptr", 1),
    ("thread_size", "i64", 1),
    ("thread_count", "i32", 1),
    ("warp_count", "i32", 1),
    ("resume", "ptr", 1),
    ("collectives", "ptr", 1),
    ("blocks", "ptr", 1),  # i64: the order of the blocks
    ("block_count", "i64", 1),
    ("warp_orders", "ptr", 1),  # i32[orders][warp_count]
    ("lane_orders", "ptr", 1),  # i32[orders][32]
    ("orders", "i32", 1),
    ("phase", "i32", 1),
    ("arrived", "i32", BARRIERS),  # threads that arrived without waiting
)
