"""All kernels of a function of launches as one module of PTX.

A launch is a kernel's phases (see tfc.ir.kernels.gpu.launch_phases), one device kernel each, to be
launched in order on the same buffers. Its packed parameters are the address of each buffer (the
launch's inputs, then its results), the value of each symbol as an i64, and the address of the
record of errors: { i32 site, i32 unused, i64 values[2] }, zeros at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfc.ir.core import Function, structure
from tfc.ir.extent import Extent, ceildiv, minimum, product
from tfc.ir.kernels.gpu.launch_phases import grid_size, phases
from tfc.ir.kernels.gpu.warpgroups import MultiplyTiles
from tfc.ir.kernels.ops import Assert, Grid, Launch
from tfc.ir.kernels.target import Target
from tfc.ir.ops.control import Control
from tfc.ir.value_classes import dataclass

from . import fmod, ptx, vector_access
from .kernel_writer import PhaseWriter

GRID_BLOCKS_MAX = 1 << 14  # of a grid: with so many, each thread takes more than one place
UNKNOWN_GRID_BLOCKS = 1 << 10  # of a grid whose size the host does not know


def cuda_target(tensor_cores: bool = True, tf32: bool = False, warpgroups: bool = False) -> Target:
    """What schedules want to know of these processors, and of what is allowed on them: float16 and
    bfloat16 matrices by tensor cores, float32 ones, rounded to TensorFloat-32, and the former by
    warpgroups."""
    return Target(16, 32, grid=True, tensor_cores=tensor_cores, tf32=tf32, warpgroups=warpgroups)


@dataclass(frozen=True)
class DeviceKernel:
    """A kernel of a module, and how it is launched."""

    name: str
    grid: tuple[Extent, Extent, Extent]  # blocks; where one is 0 there is nothing to do
    threads: int  # of a block
    shared: int  # bytes of dynamic shared memory
    buffers: int  # how many addresses the parameters begin with
    symbols: tuple[str, ...]  # whose values follow
    checks: bool  # whether it may write the record of errors


@dataclass(frozen=True)
class DeviceModule:
    """PTX, and what it holds: for the kernel of each launch its device kernels, in order."""

    ptx: str
    kernels: Mapping[Function, tuple[DeviceKernel, ...]]


def launches(f: Function) -> Iterator[Launch]:
    """The launches of a function and of the regions of its control flow, in order."""
    for op in f.body:
        if isinstance(op, Launch):
            yield op
        elif isinstance(op, Control):
            for region in op.regions:
                yield from launches(region)


def compile_module(f: Function, processor: str = "sm_80") -> DeviceModule:
    """The module for a function of launches that was lowered for `cuda_target()` and expanded."""
    kernels = [op.kernel for op in launches(f)]
    if any(isinstance(op, MultiplyTiles) for kernel in kernels for op in kernel.walk()):
        processor = ptx.HOPPER
    writer = ModuleWriter(processor)
    found: dict[Function, tuple[DeviceKernel, ...]] = {}
    for kernel in kernels:
        if kernel not in found:
            found[kernel] = writer.launch(kernel)
    text = writer.text()
    return DeviceModule(ptx.assemble(text, writer.machine) if found else "", found)


class ModuleWriter:
    """The kernels of one module, each phase written once."""

    def __init__(self, processor: str) -> None:
        self.machine = ptx.machine(processor)
        self.code: list[str] = []
        self.declared: set[str] = set()
        self.used: dict[str, None] = {}
        self.known: dict[Any, DeviceKernel] = {}
        self.failing = False  # whether a kernel before may have failed

    def text(self) -> str:
        return "\n".join([*sorted(self.declared), *self.used, *self.code])

    def launch(self, kernel: Function) -> tuple[DeviceKernel, ...]:
        """The device kernels of a launch."""
        return tuple(self.phase(phase) for phase in phases(kernel))

    def phase(self, phase: Function) -> DeviceKernel:
        key = structure(phase), self.failing
        if key not in self.known:
            name = f"k{len(self.known)}"
            checks = any(isinstance(op, Assert) for op in phase.walk())
            writer = PhaseWriter(name, phase, self.machine, self.failing)
            self.code.append(writer.text())
            self.declared |= writer.declared
            for text in writer.used:
                self.used[text] = None
            if not writer.used.isdisjoint(fmod.MODULO.values()):
                self.declared.add(fmod.DECLARE)
            self.known[key] = DeviceKernel(
                name,
                (blocks(phase, writer.threads // writer.team), 1, 1),
                writer.threads,
                writer.reserved,
                len(phase.params),
                tuple(writer.table),
                checks,
            )
        found = self.known[key]
        self.failing |= found.checks
        return found


def blocks(phase: Function, teams: int) -> Extent:
    """How many blocks a phase wants, each of so many teams."""
    last = phase.body[-1]
    if not isinstance(last, Grid):
        return 1
    sizes = grid_size(last)
    if sizes is None:
        return UNKNOWN_GRID_BLOCKS
    return minimum(ceildiv(product(sizes), teams * vector_access.width(last)), GRID_BLOCKS_MAX)
