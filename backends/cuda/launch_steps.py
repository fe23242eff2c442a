"""Functions of launches as steps over device memory: what @program is on the CPU.

A `Body` belongs to a function or a region of control flow, on one device. For known sizes it
becomes lists of steps, made once and kept: launches with their grids, copies, calls of the host.
A step gets the table of addresses: buffers of params and results first, then of all else. Where
each value lives is said by the CPU's `Layout`; so are the loops, see launch_control.py.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tfc.backends import host_calls
from tfc.backends.calling_convention import BAD_EXTENT
from tfc.backends.llvm.arena_layout import Layout, bytes_of
from tfc.ir.copying import op_symbols
from tfc.ir.core import Function, Op, Requirement, Value
from tfc.ir.extent import Extent, evaluate, symbols
from tfc.ir.failures import Site
from tfc.ir.kernels.ops import HostLaunch, Launch, Update
from tfc.ir.kernels.plan.costs import cost
from tfc.ir.ops.control import Control, Scan, While
from tfc.ir.ops.extents import BindExtent
from tfc.ir.ops.growing import GrowingWhile

from .device import Device
from .exchanging import Exchanging
from .memory import Block

if TYPE_CHECKING:
    from .module import DeviceKernel
    from .profiling import Counters

Table = list[int]  # addresses
UNDEFINED = -(2**63)  # an extent that divides by zero
MADE = ("made", 0)  # the place of what its op allocates
_MAX_KNOWN = 64  # sizes that steps are kept for


class Failed(Exception):
    """A check failed: the number of its site, and the values to report."""

    def __init__(self, status: int, *values: int) -> None:
        super().__init__(status, values)
        self.status = status
        self.values = values


def number(extent: Extent, sizes: Mapping[str, int]) -> int:
    """The value of an extent."""
    try:
        return evaluate(extent, sizes)
    except ZeroDivisionError:
        return UNDEFINED


def require(
    pending: Sequence[tuple[Requirement, int]], sizes: Mapping[str, int]
) -> list[tuple[Requirement, int]]:
    """Check what must hold of extents, as far as they have values; what is left."""
    rest = []
    for requirement, site in pending:
        if any(name not in sizes for name in symbols(requirement.extent)):
            rest.append((requirement, site))
        elif number(requirement.extent, sizes) < 0:
            raise Failed(site, *(number(v, sizes) for v in requirement.values))
    return rest


class Run:
    """One run of a program on a device: what its steps share."""

    __slots__ = ("checks", "device", "driver", "keep", "sizes")

    def __init__(self, device: Device, sizes: dict[str, int], checks: bool) -> None:
        self.device = device
        self.driver = device.driver
        self.sizes = sizes
        self.checks = checks  # whether kernels may fail
        self.keep: list[Block] = []  # memory of its own

    def allocate(self, size: int) -> Block:
        """Memory until the body that runs now has ended."""
        block = self.device.pool.allocate(size)
        self.keep.append(block)
        return block

    def look(self) -> None:
        """Raise Failed where a kernel has failed."""
        if self.checks and (failure := self.device.failure()) is not None:
            raise Failed(*failure)

    def flag(self) -> bool:
        """The bool that a kernel has left at `Device.flag`."""
        holds, failure = self.device.read_flag()
        if failure is not None:
            raise Failed(*failure)
        return holds


Step = Callable[[Run, Table], None]


@dataclass(frozen=True, slots=True)
class Launching:
    """A kernel with all but the addresses of its buffers."""

    function: Any
    grid: tuple[int, int, int]
    threads: int
    shared: int
    slots: tuple[int, ...]
    pack: Callable[..., bytes]
    tail: tuple[int, ...]  # the values of symbols, and where errors are recorded

    def __call__(self, run: Run, table: Table) -> None:
        parameters = self.pack(*[table[i] for i in self.slots], *self.tail)
        run.driver.launch(self.function, self.grid, self.threads, parameters, self.shared)


@dataclass(frozen=True, slots=True)
class Copying:
    """One place copied to another."""

    to: int
    source: int
    size: int

    def __call__(self, run: Run, table: Table) -> None:
        if self.size and table[self.to] != table[self.source]:
            run.driver.copy(table[self.to], table[self.source], self.size)


@dataclass(frozen=True, slots=True)
class Allocating:
    """Memory for one value; where there is none, error `site` is reported if there is one."""

    slot: int
    size: int
    site: int | None

    def __call__(self, run: Run, table: Table) -> None:
        try:
            table[self.slot] = run.allocate(self.size).address
        except MemoryError:
            if self.site is None:
                raise
        else:
            return
        raise Failed(self.site, self.size)


class Calling:
    """A call of the host: its operands are copied there, its results back (see
    backends/host_calls.py)."""

    def __init__(self, op: HostLaunch, slots: Sequence[int], sizes: Mapping[str, int]) -> None:
        self.text = str(op.call).encode()
        names = host_calls.host_symbols(op.call)
        self.sizes = (ctypes.c_int64 * max(len(names), 1))(*(sizes[n] for n in names))
        self.site = op.site
        self.slots = tuple(slots)
        self.count = len(op.inputs)
        values = (*op.inputs, *op.results)
        self.memory = [(tuple(number(e, sizes) for e in v.shape), v.dtype.numpy) for v in values]

    def __call__(self, run: Run, table: Table) -> None:
        run.look()
        arrays: list[np.ndarray[Any, Any]] = [np.empty(*memory) for memory in self.memory]
        for slot, array in zip(self.slots[: self.count], arrays, strict=False):
            if array.nbytes:
                run.driver.download(table[slot], array)
        places = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        done = host_calls.call(self.text, ctypes.addressof(places), ctypes.addressof(self.sizes))
        if done != host_calls.DONE:
            raise Failed(self.site)
        for slot, array in zip(self.slots[self.count :], arrays[self.count :], strict=True):
            if array.nbytes:
                run.driver.upload(table[slot], array)


@dataclass(frozen=True, slots=True)
class Binding:
    """From here on a symbol has the value that an i64 scalar has."""

    slot: int
    name: str
    site: int | None

    def __call__(self, run: Run, table: Table) -> None:
        run.look()
        found = np.empty(1, np.int64)
        run.driver.download(table[self.slot], found)
        value = int(found[0])
        if value < 0:
            raise Failed(self.site, value) if self.site else Failed(BAD_EXTENT, 0, 0, value)
        run.sizes[self.name] = value


class Stretch(NamedTuple):
    """What runs before the next extent is bound, for known sizes."""

    offsets: tuple[tuple[int, int], ...]  # slots, and where they are in the arena
    steps: tuple[Step, ...]
    plain: bool  # whether all of it is work for the stream, which a graph can hold


class Code(NamedTuple):
    """The kernels of a program, loaded on a device."""

    device: Device
    module: Any
    kernels: Mapping[Function, tuple[DeviceKernel, ...]]
    control: Callable[[Body, Control, Mapping[str, int]], Iterator[Step]]  # its steps
    counters: Counters | None = None  # of a program that times its kernels


class Body:
    """A function of launches on a device."""

    def __init__(self, layout: Layout, code: Code, region: bool = True) -> None:
        self.layout = layout
        self.f = layout.f
        self.code = code
        self.exact = code.device.driver.exact
        self.slots: dict[Value, int] = {}
        self.size = len(self.f.params) + len(self.f.returns)
        self.offsets: list[tuple[int, Extent]] = []
        self.heap: set[Value] = set()  # what is allocated when it is made
        self.sites: dict[Value, int] = {}  # of what only data tell the size of: its error
        sites = self.f.notes.get("sites")
        for v, (kind, where) in layout.where.items():
            if kind == "buffer":
                self.slots[v] = where
                continue
            self.slots[v] = self._slot()
            if kind == "heap" and sites is not None and v.op is not None:
                sites.append(Site("memory", "", v.op.location))
                self.sites[v] = len(sites)
            if kind == "heap" or (kind == "arena" and self.exact):
                self.heap.add(v)
            elif kind == "arena":
                self.offsets.append((self.slots[v], where))
        self.nested: dict[Op, list[Body]] = {}
        self.spare: dict[Op, list[tuple[int, Extent | None]]] = {}  # slots; bytes to allocate
        for op, regions in layout.regions.items():
            self.nested[op] = [Body(inner, code) for inner in regions]
            self.spare[op] = list(self._spare(op, len(regions)))
        self.handed = {i: self.slots[v] for i, v in layout.handed.items()}
        self.stretches = list(_cut(self.f))
        self.pending = [  # what must hold of extents, beside what the entry has checked
            (r, site)
            for r, site in self.f.notes.get("requires", ())
            if region or not layout.late.isdisjoint(symbols(r.extent))
        ]
        self.own = [str(s) for op in self.f.body for _, s in op.binds()]
        self.names = sorted(  # of what steps depend on
            {s for op in self.f.walk() for s in op_symbols(op)}
            | {s for p in self.f.params for e in p.shape for s in symbols(e)}
        )
        self._known: dict[Any, Stretch] = {}

    def _slot(self) -> int:
        self.size += 1
        return self.size - 1

    def _spare(self, op: Op, regions: int) -> Iterator[tuple[int, Extent | None]]:
        """The scratch memory of control flow: arenas of regions, then second buffers of loops."""
        sizes: list[Extent] = [inner.layout.arena for inner in self.nested[op]]
        if isinstance(op, While | Scan):
            sizes += [bytes_of(op.results[i]) for i in self.layout.doubled(op)]
        for i, (kind, where) in enumerate(self.layout.scratch[op]):
            slot = self._slot()
            if self.exact and i < regions:
                yield slot, None  # what lives in the region has memory of its own
            elif self.exact or kind == "heap":
                yield slot, sizes[min(i, len(sizes) - 1)]
            else:
                self.offsets.append((slot, where))
                yield slot, None

    def slot(self, v: Value) -> int:
        """The place in the table of the memory that a value shows."""
        return self.slots[self.layout.base(v)]

    # Running.

    def run(self, run: Run, buffers: Table, arena: int) -> dict[int, Block]:
        """Run it on these buffers; `arena` is scratch memory of the layout's size. Gives the
        memory of the results that it allocates itself, because only it knows their sizes."""
        mark = len(run.keep)
        for name in self.own:  # a round before may have bound it
            run.sizes.pop(name, None)
        table = buffers + [0] * (self.size - len(buffers))
        pending = require(self.pending, run.sizes)
        for i in range(len(self.stretches)):
            stretch = self.stretch(i, run.sizes)
            for slot, offset in stretch.offsets:
                table[slot] = arena + offset
            for step in stretch.steps:
                step(run, table)
            pending = require(pending, run.sizes)
        handed = {}
        if self.handed:
            blocks = {block.address: block for block in run.keep[mark:]}
            handed = {i: blocks[table[slot]] for i, slot in self.handed.items()}
        for i, v in self.layout.copied.items():
            size = number(bytes_of(v), run.sizes)
            handed[i] = run.allocate(size)
            if size:
                run.driver.copy(handed[i].address, table[self.slots[v]], size)
        del run.keep[mark:]
        return handed

    def stretch(self, i: int, sizes: Mapping[str, int]) -> Stretch:
        """The steps of a stretch for these sizes."""
        key = (i, *map(sizes.get, self.names))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            found = self._known[key] = self._prepared(i, sizes)
        return found

    def _prepared(self, i: int, sizes: Mapping[str, int]) -> Stretch:
        offsets = [(slot, number(e, sizes)) for slot, e in self.offsets] if i == 0 else []
        steps: list[Step] = []
        for op in self.stretches[i]:
            steps += self._steps(op, sizes)
        if i == len(self.stretches) - 1:
            for k, base in self.layout.copies:
                size = number(bytes_of(base), sizes)
                steps.append(Copying(len(self.f.params) + k, self.slots[base], size))
        plain = all(isinstance(step, Launching | Copying) for step in steps)
        return Stretch(tuple(offsets), tuple(steps), plain)

    def _steps(self, op: Op, sizes: Mapping[str, int]) -> Iterator[Step]:
        if isinstance(op, BindExtent):
            name = str(op.symbol)
            yield Binding(self.slot(op.value), name, self.f.notes.get("bound", {}).get(name))
            return
        if not isinstance(op, Launch | HostLaunch | Control):
            return  # a view
        yield from self._allocating(op, sizes)
        if isinstance(op, Launch):
            yield from self._timed(op, list(self._launching(op, sizes)), sizes)
        elif isinstance(op, HostLaunch):
            slots = [self.slot(v) for v in (*op.inputs, *op.results)]
            calling = Calling(op, slots, sizes)
            collective = Exchanging(op, calling, Failed) if Exchanging.takes(op) else None
            yield from self._timed(op, [collective or calling], sizes)
        else:
            yield from self.code.control(self, op, sizes)
            for value, symbol in () if isinstance(op, GrowingWhile) else op.binds():
                yield Binding(self.slot(value), str(symbol), None)

    def _timed(
        self, op: Launch | HostLaunch, steps: list[Step], sizes: Mapping[str, int]
    ) -> list[Step]:
        """The steps of a kernel, with clocks in a program that has them."""
        counters = self.code.counters
        if counters is None or not steps:
            return steps
        from .profiling import Timed

        kernel = cost(op)
        row = counters.number(op, kernel)
        amounts = number(kernel.bytes, sizes), number(kernel.operations, sizes)
        return [Timed(steps, counters, row, *amounts)]

    def _allocating(self, op: Op, sizes: Mapping[str, int]) -> Iterator[Step]:
        for v in op.results:
            if v in self.heap:
                yield Allocating(self.slots[v], number(bytes_of(v), sizes), self.sites.get(v))

    def _launching(self, op: Launch, sizes: Mapping[str, int]) -> Iterator[Step]:
        if isinstance(op, Update):
            for to, source in zip(op.results[: op.count], op.inputs, strict=False):
                yield from self.starting(to, source, sizes)
        slots = tuple(self.slot(v) for v in (*op.inputs, *op.results))
        device = self.code.device
        for kernel in self.code.kernels[op.kernel]:
            grid = tuple(number(e, sizes) for e in kernel.grid)
            if min(grid) <= 0:
                continue
            function = device.driver.function(self.code.module, kernel.name, kernel.shared)
            tail = (*(sizes[name] for name in kernel.symbols), device.record)
            pack = struct.Struct("=" + "Q" * len(slots) + "q" * len(kernel.symbols) + "Q").pack
            yield Launching(
                function,
                (grid[0], grid[1], grid[2]),
                kernel.threads,
                kernel.shared,
                slots,
                pack,
                tail,
            )

    def starting(self, to: Value, source: Value, sizes: Mapping[str, int]) -> Iterator[Step]:
        """Let a value begin as another, which may be in the same place."""
        if self.layout.base(to) is not self.layout.base(source):
            yield Copying(self.slot(to), self.slot(source), number(bytes_of(to), sizes))


def _cut(f: Function) -> Iterator[list[Op]]:
    """The ops of `f`, cut behind each place where an extent is bound."""
    part: list[Op] = []
    for op in f.body:
        part.append(op)
        if op.binds():
            yield part
            part = []
    yield part
