"""Compiled functions on a GPU: kernels in PTX, and the Python entry that launches them.

What backends/cpu/program.py and its entries are for the CPU: a call checks the arguments, binds
symbols, makes results, runs, and stores what Variables are given. Tensors that are elsewhere are
copied on demand. For known shapes all that can be told before is told once, in a `_Plan`.

A program whose kernels cannot fail is only enqueued; the others wait, because nothing that a failed
call made may survive. Where the driver allows, a run of launches whose addresses come again becomes
a graph: in a training loop memory is soon the same in every other step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tfc.backends.calling_convention import (
    BAD_EXTENT,
    DEVICE_FAILED,
    MISS,
    Signature,
    tensor_type,
)
from tfc.backends.llvm.arena_layout import Layout
from tfc.backends.llvm.entry_spec import EntrySpec, bare_symbol, entry_spec
from tfc.ir.core import Function
from tfc.ir.extent import symbols
from tfc.ir.failures import Site
from tfc.ir.value_classes import dataclass, field

from .device import Device
from .driver import DeviceError
from .launch_control import steps
from .launch_steps import Body, Code, Failed, Run, Stretch, number, require
from .memory import Block, DeviceArray, rounded
from .module import compile_module, cuda_target
from .profiling import Counters

_MAX_PLANS = 256
_MAX_GRAPHS = 8  # of a plan
_MAX_SEEN = 32  # sets of addresses that are remembered
_LEAST_LAUNCHES = 2  # from which on a graph is worth it

Handler = Callable[..., Any]  # of (status, *values), raises

target = cuda_target


@dataclass
class Program:
    """A compiled function. `bind` makes the callable; many may share one program."""

    spec: EntrySpec
    layout: Layout
    module: Any  # DeviceModule
    sites: Sequence[Site]
    device: Device
    checks: bool  # whether kernels, or what is between them, may fail
    cached = False
    counters: Counters | None = None  # of a program that times its kernels
    _body: Body | None = None
    _plans: dict[Any, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The kernels as PTX."""
        return str(self.module.ptx)

    @property
    def body(self) -> Body:
        """The function on its device, loaded at the first call."""
        if self._body is None:
            loaded = self.device.module(self.text) if self.text else None
            code = Code(self.device, loaded, self.module.kernels, steps, self.counters)
            self._body = Body(self.layout, code, False)
        return self._body

    def bind(self, handler: Handler, captures: Sequence[Any] = (), name: str = "call") -> _Entry:
        """What runs it, on `captures` for the inputs that calls do not give."""
        return _Entry(self, handler, captures, name)

    # For known shapes.

    def plan(self, arrays: Sequence[Any], scalars: tuple[int, ...]) -> _Plan | None:
        """What can be told before the call; None where the arguments do not fit."""
        key = (*[(a.dtype.num, a.shape) for a in arrays], scalars)
        found = self._plans.get(key)
        if found is None:
            sizes = self._sizes(arrays, scalars)
            if sizes is None:
                return None
            if len(self._plans) >= _MAX_PLANS:
                self._plans.clear()
            found = self._plans[key] = _Plan(self, sizes)
        return found

    def _sizes(self, arrays: Sequence[Any], scalars: tuple[int, ...]) -> dict[str, int] | None:
        """The values of the symbols, in the spec's order; None where something does not fit."""
        spec = self.spec
        values: dict[str, int] = {}
        pending = []
        for array, tensor in zip(arrays, spec.inputs, strict=True):
            if array.dtype != tensor.dtype.numpy or len(array.shape) != tensor.rank:
                return None
            for have, extent in zip(array.shape, tensor.shape, strict=True):
                name = bare_symbol(extent)
                if name is None or name in values:
                    pending.append((extent, have))
                    continue
                if have < spec.least:
                    return None
                values[name] = have
        for name, scalar in zip(spec.scalars, scalars, strict=True):
            if type(scalar) is not int or not 0 <= scalar < 2**63:
                return None
            if values.setdefault(name, scalar) != scalar:
                return None
        if any(number(extent, values) != have for extent, have in pending):
            return None
        return {name: values[name] for name in spec.symbols}


class _Plan:
    """A program for known shapes: what is made, and what is launched."""

    def __init__(self, program: Program, sizes: dict[str, int]) -> None:
        spec, layout = program.spec, program.layout
        self.sizes = sizes
        require([(r, site) for r, site in _entry_requirements(layout)], sizes)
        driver = program.device.driver
        # Shape (None: the program makes it), dtype, input whose memory it shares, bytes to take.
        self.results: list[tuple[tuple[int, ...] | None, Any, int | None, int]] = []
        for i, tensor in enumerate(spec.results):
            if i in spec.allocated:
                self.results.append((None, tensor.dtype.numpy, None, 0))
                continue
            shape = tuple(number(e, sizes) for e in tensor.shape)
            for axis, extent in enumerate(shape):
                if not 0 <= extent < 2**63:
                    raise Failed(BAD_EXTENT, i, axis, extent)
            size = math.prod(shape) * tensor.dtype.itemsize
            size = size if driver.exact else rounded(size)
            self.results.append((shape, tensor.dtype.numpy, spec.aliases.get(i), size))
        arena = number(layout.arena, sizes)
        self.arena = 0 if driver.exact or not arena else rounded(arena)
        self.body = program.body
        stretches = self.body.stretches
        self.whole: Stretch | None = None  # all steps, where data tell no extent
        if len(stretches) == 1 and not self.body.pending and not layout.handed:
            self.whole = self.body.stretch(0, sizes)
        # A plain stretch looks at the device alone: one object will do for all calls.
        plain = self.whole is not None and self.whole.plain and not program.checks
        self.shared = Run(program.device, sizes, False) if plain else None
        self._graphs: dict[tuple[int, ...], Any] = {}
        self._seen: dict[tuple[int, ...], None] = {}

    def run(self, run: Run, buffers: list[int], arena: int) -> dict[int, Block]:
        """Run it; the memory of the results that it allocates itself."""
        whole = self.whole
        if whole is None or not whole.plain:
            return self.body.run(run, buffers, arena)
        if len(whole.steps) < _LEAST_LAUNCHES or not run.driver.captures:
            self._enqueue(whole, run, buffers, arena)
            return {}
        key = (*buffers, arena)
        graph = self._graphs.get(key)
        if graph is None and key in self._seen:
            if len(self._graphs) >= _MAX_GRAPHS:
                self._graphs.pop(next(iter(self._graphs)))
            graph = run.driver.capture(lambda: self._enqueue(whole, run, buffers, arena))
            self._graphs[key] = graph
        if graph is not None:
            graph.launch()
            return {}
        if len(self._seen) >= _MAX_SEEN:
            self._seen.pop(next(iter(self._seen)))
        self._seen[key] = None
        self._enqueue(whole, run, buffers, arena)
        return {}

    def _enqueue(self, whole: Stretch, run: Run, buffers: list[int], arena: int) -> None:
        """All launches and copies, where these are all that there is."""
        table = buffers + [0] * (self.body.size - len(buffers))
        for slot, offset in whole.offsets:
            table[slot] = arena + offset
        for step in whole.steps:
            step(run, table)


class _Entry:
    """The callable of a program."""

    def __init__(
        self, program: Program, handler: Handler, captures: Sequence[Any], name: str
    ) -> None:
        self.program = program
        self.__name__ = name
        self._handler = handler
        self._captures = tuple(captures)
        spec = program.spec
        self._tensors = len(spec.params)
        self._count = len(spec.params) + len(spec.scalars)
        self._updates = spec.updates
        self._stored = frozenset(result for result, _ in spec.updates)
        self._make = tensor_type()

    def __call__(self, *arguments: Any) -> Any:
        """The results as tensors on the device, or MISS where the arguments do not fit."""
        if len(arguments) != self._count:
            return MISS
        held = (*arguments[: self._tensors], *self._captures)
        failure: DeviceError | None = None
        try:
            results = self._run([x._array for x in held], arguments[self._tensors :])
        except Failed as failed:
            status, values = failed.status, failed.values
        except DeviceError as error:
            failure, status, values = error, DEVICE_FAILED, ()
        else:
            return MISS if results is None else self._finished(results)
        if failure is not None:
            return self._handler(status, failure)
        return self._handler(status, *values, *(0,) * (4 - len(values)))

    def _run(self, arrays: list[Any], scalars: tuple[int, ...]) -> list[DeviceArray] | None:
        program, device = self.program, self.program.device
        plan = program.plan(arrays, scalars)
        if plan is None:
            return None
        with device.lock:
            device.driver.activate()
            inputs = [
                a if type(a) is DeviceArray and a.device is device else device.here(a)
                for a in arrays
            ]
            results = []
            take = device.pool.take
            for shape, dtype, alias, size in plan.results:
                if shape is None:
                    results.append(DeviceArray((), dtype, 0, None, device))
                elif alias is None:
                    block = take(size)
                    results.append(DeviceArray(shape, dtype, block.address, block, device))
                else:
                    source = inputs[alias]
                    results.append(DeviceArray(shape, dtype, source.address, source.owner, device))
            buffers = [a.address for a in inputs] + [r.address for r in results]
            arena = 0
            if plan.arena:
                scratch = take(plan.arena)
                arena = scratch.address
            if plan.shared is not None:
                plan.run(plan.shared, buffers, arena)
                return results
            run = Run(device, dict(plan.sizes), program.checks)
            try:
                made = plan.run(run, buffers, arena)
                run.look()
            except (Failed, MemoryError):
                run.look()  # a kernel may have failed before, and comes first
                raise
        for i, block in made.items():
            shape = tuple(number(e, run.sizes) for e in program.spec.results[i].shape)
            dtype = results[i].dtype
            results[i] = DeviceArray(shape, dtype, block.address, block, device)
        return results

    def _finished(self, results: list[DeviceArray]) -> Any:
        """Store the updates, give back the rest."""
        for result, capture in self._updates:
            settle(self._captures[capture], results[result])
        kept = []
        for i, array in enumerate(results):
            if i not in self._stored:
                tensor = self._make.__new__(self._make)
                tensor._array = array
                kept.append(tensor)
        if self.program.spec.tuple_result or len(kept) > 1:
            return tuple(kept)
        return kept[0] if kept else None


def settle(variable: Any, array: Any) -> None:
    """Let a Variable have these elements, where its memory is."""
    variable._array = at_home(variable._array, array)


def at_home(old: Any, new: Any) -> Any:
    """The array `new` on the device of `old`."""
    if type(old) is DeviceArray:
        return old.device.here(new)
    if type(new) is not DeviceArray:
        return new
    host = new.numpy()
    new.device.remember(host, new)  # it is read there again
    return host


def _entry_requirements(layout: Layout) -> list[tuple[Any, int]]:
    return [
        (r, site)
        for r, site in layout.f.notes.get("requires", ())
        if layout.late.isdisjoint(symbols(r.extent))
    ]


def compile_program(f: Function, signature: Signature, device: Device) -> Program:
    """Compile a function of launches (see ir/kernels/lower.py) for a device."""
    spec, layout = entry_spec(f, signature)
    spec.check()
    module = compile_module(f, device.processor)
    checks = any(k.checks for kernels in module.kernels.values() for k in kernels)
    sites = f.notes.get("sites", ())
    counters = Counters(device) if signature.profile else None
    return Program(spec, layout, module, sites, device, checks, counters)
