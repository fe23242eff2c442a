"""Runs IR functions through PTX on the emulator (backends/cuda/emulator), without a driver or the
front end: optimise, lower for a GPU, compile, launch."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.backends.cuda.emulator.testing import ptxas
from tfc.backends.cuda.emulator import Emulator
from tfc.backends.cuda.module import DeviceKernel, DeviceModule, compile_module, cuda_target
from tfc.ir import passes
from tfc.ir.core import Function, Value
from tfc.ir.extent import evaluate
from tfc.ir.interpreter import bind_symbols
from tfc.ir.kernels import expand_scalars as kernels
from tfc.ir.kernels import lower as lowering
from tfc.ir.kernels.ops import HostLaunch, Launch, Update
from tfc.ir.ops.control import Control
from tfc.ir.ops.extents import BindExtent

PTXAS = ptxas()


class Failed(Exception):
    """A check failed on the device: the number of its site, and the values that it reported."""


def lowered(
    f: Function, tensor_cores: bool = False, tf32: bool = False, warpgroups: bool = False
) -> Function:
    """The kernels of `f` for a GPU, whose tensor cores would not give the CPU's bits."""

    def lower(g: Function) -> Function:
        return lowering.lower(g, cuda_target(tensor_cores, tf32, warpgroups))

    return passes.run(f, (*passes.OPTIMISE, lower, kernels.expand))


def launched_only(f: Function) -> bool:
    """Whether a function of launches has neither control flow nor what the host computes."""
    return not any(isinstance(op, Control | HostLaunch | BindExtent) for op in f.body)


class Emulated:
    """`f` on the emulator; calling it takes and gives ndarrays."""

    def __init__(
        self, f: Function, order: str = "forward", kernels: Function | None = None
    ) -> None:
        self.f = kernels or lowered(f)
        self.module: DeviceModule = compile_module(self.f)
        self.emulator = Emulator(order=order)
        self.loaded = self.emulator.load(self.module.ptx) if self.module.ptx else None
        self.owned: list[int] = []

    def __call__(self, *arrays: Any) -> list[np.ndarray]:
        arrays = tuple(np.asarray(a, order="C") for a in arrays)
        sizes = bind_symbols(self.f, list(arrays))
        places: dict[Value, int] = {}
        self.record = self.allocate(24)
        self.emulator.write(self.record, bytes(24))
        try:
            for p, array in zip(self.f.params, arrays, strict=True):
                places[p] = self.allocate(array.nbytes)
                if array.nbytes:
                    self.emulator.write(places[p], array.tobytes())
            for op in self.f.body:
                if isinstance(op, Launch):
                    self.launch(op, places, sizes)
                else:
                    places[op.result] = places[op.operands[0]]
            site, _, *values = struct.unpack("<iiqq", self.emulator.read(self.record, 24))
            if site:
                raise Failed(site, *values)
            return [self.fetch(v, places[v], sizes) for v in self.f.returns]
        finally:
            for address in self.owned:
                self.emulator.free(address)
            self.owned.clear()

    def allocate(self, size: int) -> int:
        address = self.emulator.allocate(max(size, 1))
        self.owned.append(address)
        return address

    def bytes_of(self, v: Value, sizes: dict[str, int]) -> int:
        return int(np.prod([evaluate(e, sizes) for e in v.shape], dtype=int)) * v.dtype.itemsize

    def fetch(self, v: Value, address: int, sizes: dict[str, int]) -> np.ndarray:
        shape = [evaluate(e, sizes) for e in v.shape]
        data = self.emulator.read(address, self.bytes_of(v, sizes)) if 0 not in shape else b""
        return np.frombuffer(data, v.dtype.numpy).reshape(shape)

    def launch(self, op: Launch, places: dict[Value, int], sizes: dict[str, int]) -> None:
        for v in op.results:
            places[v] = self.allocate(self.bytes_of(v, sizes))
        if isinstance(op, Update):
            for to, source in zip(op.results[: op.count], op.inputs, strict=False):
                size = self.bytes_of(to, sizes)
                if size:
                    self.emulator.write(places[to], self.emulator.read(places[source], size))
        addresses = [places[v] for v in (*op.inputs, *op.results)]
        for kernel in self.module.kernels[op.kernel]:
            self.run(kernel, addresses, sizes)

    def run(self, kernel: DeviceKernel, addresses: Sequence[int], sizes: dict[str, int]) -> None:
        grid = tuple(evaluate(e, sizes) for e in kernel.grid)
        if min(grid) < 1:
            return
        values = [sizes[s] for s in kernel.symbols]
        assert len(addresses) == kernel.buffers
        count = len(addresses)
        packed = struct.pack(f"<{count}Q{len(values)}qQ", *addresses, *values, self.record)
        assert self.loaded is not None
        function = self.loaded.function(kernel.name)
        block = (kernel.threads, 1, 1)
        self.emulator.launch(function, grid, block, packed, kernel.shared)


def assemble(ptx: str, processor: str, folder: Path) -> str:
    """What ptxas says of a module: registers, and bytes that were spilled."""
    assert PTXAS is not None
    source = folder / "module.ptx"
    source.write_text(ptx)
    command = [PTXAS, f"-arch={processor}", "-v", str(source), "-o", str(folder / "module.cubin")]
    outcome = subprocess.run(command, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stderr
