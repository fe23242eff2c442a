"""What a GPU can do at best, measured: copies of memory, and multiply-adds."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tfc.backends.measured import CHAINS, Limits

from . import ptx

if TYPE_CHECKING:
    from .device import Device

THREADS = 256
ROUNDS = 5
MEASURED_MILLISECONDS_MIN, LOOP_TURNS_MAX = (
    0.25,
    1 << 20,
)  # milliseconds of a measurement, and turns of a loop
_SIZE, _BLOCKS = 256 << 20, 2048  # bytes that are copied: more than caches hold
_EMULATED_BYTES, _EMULATED_BLOCKS = 4 << 20, 32  # on the emulator, where the CPU does it


def measure(device: Device) -> Limits:
    """The limits of a device; takes some milliseconds, once."""
    with device.lock:
        if device not in _known:
            device.driver.activate()
            _known[device] = Limits(1, _operations(device), (_copies(device),))
        return _known[device]


_known: WeakKeyDictionary[Device, Limits] = WeakKeyDictionary()


def _milliseconds(device: Device, work: Any) -> float:
    """What `work` takes on the device, at best."""
    driver, best = device.driver, float("inf")
    for _ in range(ROUNDS):
        start = driver.event()
        work()
        best = min(best, driver.event().since(start))
    return max(best, 1e-6)


def _copies(device: Device) -> tuple[int, float]:
    """How many bytes are copied, and how many a second are read and written for that. Where there
    is little memory it is a smaller copy; the pool keeps nothing of it."""
    driver = device.driver
    size = _EMULATED_BYTES if driver.exact else _SIZE
    while True:
        try:
            memory = driver.allocate(2 * size)
            break
        except MemoryError:
            size //= 2
            if size < _EMULATED_BYTES:
                raise
    try:
        driver.fill(memory, 1, 2 * size)
        spent = _milliseconds(device, lambda: driver.copy(memory + size, memory, size))
    finally:
        driver.synchronize()
        driver.free(memory)
    return size, 2 * size / spent * 1e3


def _operations(device: Device) -> float:
    """Multiplications and additions of float32 a second, fused, without tensor cores."""
    driver = device.driver
    module = device.module(ptx.assemble(_chains(), ptx.machine(device.processor)))
    function = driver.function(module, "peak", 0)
    out = device.pool.allocate(4 * THREADS)
    blocks, turns = _EMULATED_BLOCKS if driver.exact else _BLOCKS, 1
    while True:
        packed = struct.pack("=Qqf", out.address, turns, 0.5)

        def work(packed: bytes = packed) -> None:
            driver.launch(function, (blocks, 1, 1), THREADS, packed, 0)

        spent = _milliseconds(device, work)
        if spent >= MEASURED_MILLISECONDS_MIN or turns >= LOOP_TURNS_MAX:
            return 2 * CHAINS * turns * THREADS * blocks / spent * 1e3
        turns *= 4


def _chains() -> str:
    """Chains of multiply-adds that do not wait for each other; each thread stores their sum."""
    chains = range(CHAINS)
    lines = [
        "define ptx_kernel void @peak(ptr addrspace(1) %out, i64 %turns, float %x) {",
        "entry:",
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
    ]
    lines += [f"  %a{k} = phi float [ {float(k)}, %entry ], [ %b{k}, %loop ]" for k in chains]
    lines += [
        f"  %b{k} = call float @llvm.fma.f32(float %a{k}, float %x, float %x)" for k in chains
    ]
    lines += [
        "  %next = add i64 %i, 1",
        "  %more = icmp slt i64 %next, %turns",
        "  br i1 %more, label %loop, label %done",
        "done:",
        "  %r0 = fadd float %b0, %b1",
    ]
    lines += [f"  %r{k} = fadd float %r{k - 1}, %b{k + 1}" for k in range(1, CHAINS - 1)]
    lines += [
        "  %place = getelementptr float, ptr addrspace(1) %out, i32 %t",
        f"  store float %r{CHAINS - 2}, ptr addrspace(1) %place",
        "  ret void",
        "}",
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "declare float @llvm.fma.f32(float, float, float)",
    ]
    return "\n".join(lines)
