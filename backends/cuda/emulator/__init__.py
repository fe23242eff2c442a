"""An emulator of NVIDIA's GPUs: runs PTX text on the CPU. See README.md.

>>> from tfc.backends.cuda.emulator import Emulator
>>> emulator = Emulator(order="reversed")
>>> address = emulator.allocate(4)
>>> emulator.read(address, 4)
b'\\xff\\xff\\xff\\xff'
"""

from __future__ import annotations

from .device_memory import OutOfMemory
from .emulator import Emulator, Function, Module, Order
from .errors import EmulationError, Fault, PtxError

__all__ = [
    "EmulationError",
    "Emulator",
    "Fault",
    "Function",
    "Module",
    "Order",
    "OutOfMemory",
    "PtxError",
]
