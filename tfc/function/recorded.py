"""Concrete functions as tapes see them, and which of a function's programs is wanted now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.ir.autodiff.reverse import linearize
from tfc.ir.copying import instantiate
from tfc.ir.core import Builder, Function, Value
from tfc.ir.extent import reach, symbol
from tfc.ir.passes import inline

from ..core.context import context, settings
from ..core.tensor import Tensor, wrap
from ..dispatch.execution import compile_function
from ..dispatch.placed import Placed
from ..dispatch.primitive import Record, fixed_extents


class Recorded:
    """A concrete function as tapes see it: it also returns what its gradient will need."""

    cuts = False  # its ops know their lines
    stops = False

    def __init__(self, concrete: Any) -> None:
        """`concrete` is the ConcreteFunction, whose module imports this one."""
        self.concrete = concrete
        self.function: Function
        self.fixed: Any
        self._programs: dict[bool, Any] = {}  # compiled; by whether they time their kernels
        self._noted: Recorded = self  # on tapes: the same for all Variables among the arguments
        if concrete._unbound is not None:
            self._noted = unbound = concrete._unbound.recorded
            self.function, self.fixed = unbound.function, unbound.fixed
            self._programs = unbound._programs
        else:
            # A tape may be asked at any size for what was recorded at one.
            limited = any(reach(symbol(name))[1] is not None for name in concrete._sizes)
            f = inline_plain(concrete.function if limited else concrete._program)
            wanted = [i for i, p in enumerate(f.params) if p.dtype.is_inexact]
            self.function, _, _ = linearize(f, wanted)
            self.fixed = fixed_extents(self.function)
        self._entry: Any = None
        self._inspected: Any = None
        self._profiled: Any = None
        self._placed: Any = None

    def _compiled(self, f: Function, profile: bool = False) -> Any:
        concrete = self.concrete
        return compile_function(
            f,
            captures=len(concrete.captured),
            updates=concrete._updates,
            tuple_result=True,
            profile=profile,
        )

    def _bound(self, profile: bool = False) -> Any:
        concrete = self.concrete
        if profile not in self._programs:
            self._programs[profile] = self._compiled(self.function, profile)
        return self._programs[profile].bind(concrete.name, concrete.captured)

    @property
    def entry(self) -> Any:
        """The native callable."""
        if self._entry is None:
            self._entry = self._bound()
        return self._entry

    @property
    def placed(self) -> Placed:
        """As a concrete function's."""
        if self._placed is None or self._placed[0] != context.inspect:
            self._placed = (context.inspect, self.concrete._on_devices(True, self.function))
        found: Placed = self._placed[1]
        return found

    @property
    def profiled(self) -> Any:
        """As `entry`; it times its kernels."""
        if self._profiled is None:
            self._profiled = self._bound(True)
        return self._profiled

    @property
    def inspected(self) -> Any:
        """As `entry`; it looks for nan."""
        if self._inspected is None:
            from ..dispatch.nan_tracing import inspected

            program = self._compiled(inspected(self.function))
            self._inspected = program.bind(self.concrete.name, self.concrete.captured)
        return self._inspected

    def body(self, b: Builder, *values: Value) -> Any:
        return instantiate(self.function, b, values)

    def run(self, tensors: Sequence[Tensor]) -> Sequence[Any]:
        concrete = self.concrete
        captured = [c.read() for c in concrete.captured]
        flat = variant(self)(*tensors)
        # Updates went to their Variables: put their new values back in their places.
        outputs = list(flat[: concrete.count])
        outputs += [v._array for v in concrete.updated]
        full = [x if isinstance(x, Tensor) else wrap(x) for x in outputs]
        full += flat[concrete.count :]
        inputs = [*tensors, *captured]
        record = None
        for tape in context.tapes:
            if tape.wants(inputs):
                record = record or Record(self._noted, (), inputs, full)
                tape.append(record)
        return full[: concrete.count]


def variant(runs: Any) -> Any:
    """The program that is wanted now of a ConcreteFunction, or of one as tapes see it."""
    if settings.accelerated:
        return runs.placed
    if context.inspect:
        return runs.inspected
    return runs.entry if settings.timeline is None else runs.profiled


def inline_plain(f: Function) -> Function:
    """`f` with its calls inlined, but for custom gradients, which keep their rule."""
    from tfc.ir.ops import CustomGradient

    return f if any(isinstance(op, CustomGradient) for op in f.body) else inline(f)


__all__ = ["Recorded", "inline_plain", "variant"]


def is_observed() -> bool:
    """Whether calls of functions are recorded, looked at, or may run on a device: then they are
    those of programs."""
    return bool(
        settings.accelerated
        or settings.watch is not None
        or settings.collected is not None
        or settings.timeline is not None
        or context.tapes
        or context.inspect
    )
