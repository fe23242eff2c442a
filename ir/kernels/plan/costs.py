"""What kernels cost at least: the bytes that they move, the operations that they do, and the
memory that a function needs. These are numbers to hold measurements against."""

from __future__ import annotations

from collections.abc import Sequence

from ...core import Location, Op, Value
from ...extent import Extent, product
from ...ops.gather import Gather
from ...ops.shape import Broadcast, Constant, Reshape
from ...types import TensorType
from ...value_classes import NamedTuple
from ..ops import HostLaunch, Launch, Parallel, Update

UNNAMED_OPS = (Broadcast, Constant, Reshape)  # what names of kernels leave out


class Cost(NamedTuple):
    """What one run of a kernel is made of."""

    name: str  # the ops that it fuses
    location: Location | None  # the line of what it stores
    bytes: Extent  # read and written, each element once
    operations: Extent
    parallel: bool  # whether it may run on several threads


def size_of(type_: TensorType) -> Extent:
    """The bytes of a tensor."""
    return product(type_.shape) * int(type_.dtype.itemsize)


def bytes_of(v: Value) -> Extent:
    """The memory that a value takes."""
    return size_of(v.tensor_type)


def fused_name(ops: Sequence[Op]) -> str:
    """What a kernel of these ops is called in tables."""
    named = [op.mnemonic for op in ops if not isinstance(op, UNNAMED_OPS)]
    return " + ".join(dict.fromkeys(named)) or ("copy" if ops else "kernel")


def cost(launch: Launch | HostLaunch) -> Cost:
    """What a launch costs at least."""
    if isinstance(launch, HostLaunch):
        ops: tuple[Op, ...] = tuple(launch.call.body)
        results, parallel = len(launch.results), False
    else:
        ops = launch.kernel.notes.get("ops", ())
        results = launch.kernel.notes.get("results", len(launch.results))
        parallel = any(isinstance(op, Parallel) for op in launch.kernel.walk())
    read = launch.inputs[launch.count :] if isinstance(launch, Update) else launch.inputs
    moved: Extent = 0
    for v in read:
        moved = moved + bytes_of(v)
    for v in launch.results[:results]:
        moved = moved + bytes_of(v)
    moved = moved - _skipped(ops, read)
    operations: Extent = 0
    for op in ops:
        operations = operations + op.operations()
    location = next((op.location for op in ops if op.location), launch.location)
    return Cost(fused_name(ops), location, moved, operations, parallel)


def _skipped(ops: tuple[Op, ...], read: tuple[Value, ...]) -> Extent:
    """What of tables is surely not read: `Gather` reads as much as it gives."""
    total: Extent = 0
    sizes = [bytes_of(v) for v in read]
    for op in ops:
        if isinstance(op, Gather) and bytes_of(op.x) in sizes:
            table, taken = bytes_of(op.x), bytes_of(op.result)
            if isinstance(table, int) and isinstance(taken, int) and taken < table:
                total = total + (table - taken)
    return total
