"""Launches of kernels: ops of functions, whose operands are tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...core import Function, Regions, Value, types_of
from ...kernel_op import KernelLaunch, Launched
from ...ops.control import Control
from ...ops.host import HostCall
from ...types import Type

UNNAMED = "x"  # what a kernel calls a buffer that it reads, but for params of the function


class Launch(KernelLaunch):
    """A kernel launched on buffers: reads `inputs`, makes the results. See ir/kernels/lower.py."""

    inputs: tuple[Value, ...]
    types: tuple[Type, ...]
    kernel: Function

    def infer(self) -> tuple[Type, ...]:
        return self.types

    def named_after(self) -> Iterable[tuple[Value, Value]]:
        pairs = zip(self.kernel.params, self.inputs, strict=False)  # behind them come results
        return ((param, v) for param, v in pairs if param.name == UNNAMED)


class Update(Launch):
    """A launch whose first `count` results start as copies of its first inputs, which the kernel
    does not touch: where nobody reads such an input again, it is changed in place."""

    count: int

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not 0 <= self.count <= min(len(self.inputs), len(self.types)):
            yield "the count is of inputs and of results"


class HostLaunch(Launched):
    """A function of one `HostCall` run by the host on buffers; error `site` where it raises."""

    inputs: tuple[Value, ...]
    types: tuple[Type, ...]
    site: int
    call: Function

    def infer(self) -> tuple[Type, ...]:
        return self.types

    def invariants(self) -> Iterator[str]:
        if len(self.call.body) != 1 or not isinstance(self.call.body[0], HostCall):
            yield "calls something else than one host op"
        if self.site < 1:
            yield "sites count from 1"

    def regions_take(self) -> Regions:
        return {"call": (types_of(self.inputs), self.types)}


# What makes values of its own: all other tensor ops in a function of launches are views.
LAUNCHES = (Launch, HostLaunch, Control)
