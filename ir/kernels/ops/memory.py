"""Memory: loads and stores of one element or of a few side by side, and a kernel's own buffers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...core import Value
from ...dtypes import DType, bool_, int64
from ...kernel_op import KernelOp, is_bool
from ...types import INDEX, BufferType, TensorType, Type, scalar_type


class Load(KernelOp):
    """The element at a linear, row-major offset; 0 where the mask does not hold."""

    buffer: Value
    offset: Value
    mask: Value | None
    reads = (("buffer", "offset"),)
    single = True

    def infer(self) -> TensorType:
        assert isinstance(self.buffer.type, BufferType)
        return scalar_type(self.buffer.dtype)


class Reload(Load):
    """A load that keeps its place among stores."""

    effect = True


class LoadMany(KernelOp):
    """`count` elements side by side from a linear offset that is a multiple of `count`, where the
    buffer begins at one, too; it keeps its place among stores."""

    buffer: Value
    offset: Value
    count: int
    reads = (("buffer", "offset"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.count not in (1, 2, 4, 8):
            raise self.error("the count must be 1, 2, 4 or 8", "value")
        return (scalar_type(self.buffer.dtype),) * self.count


class Store(KernelOp):
    """Store a scalar at an offset of a buffer."""

    buffer: Value
    offset: Value
    value: Value
    writes = (("buffer", "offset"),)
    single = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.value.type != scalar_type(self.buffer.dtype):
            raise self.error("the value must be a scalar of the buffer's dtype", "dtype")
        return ()


class LoadPair(KernelOp):
    """Both elements of the last axis, of extent 2, at a linear offset of such pairs; 0 where the
    mask does not hold."""

    buffer: Value
    offset: Value
    mask: Value | None
    reads = (("buffer", "offset"),)
    single = True

    def infer(self) -> tuple[Type, ...]:
        assert isinstance(self.buffer.type, BufferType)
        return (scalar_type(self.buffer.dtype),) * 2

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if self.buffer.shape[-1:] != (2,):
            yield "pairs are along a last axis of extent 2"


class ReloadPair(LoadPair):
    """A load of a pair that keeps its place among stores."""

    effect = True


class StorePair(KernelOp):
    """Store what `LoadPair` reads."""

    buffer: Value
    offset: Value
    first: Value
    second: Value
    writes = (("buffer", "offset"),)
    single = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        for value in (self.first, self.second):
            if value.type != scalar_type(self.buffer.dtype):
                raise self.error("the values must be scalars of the buffer's dtype", "dtype")
        return ()

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if self.buffer.shape[-1:] != (2,):
            yield "pairs are along a last axis of extent 2"


class ChooseBuffer(KernelOp):
    """One of two buffers of a dtype: `x` where the condition holds."""

    condition: Value
    x: Value
    y: Value

    def infer(self) -> tuple[Type, ...]:
        if self.x.dtype is not self.y.dtype:
            raise self.error("the buffers must have the same dtype", "dtype")
        return (BufferType(self.x.dtype, self.x.shape),)


class ViewBuffer(KernelOp):
    """The memory of a buffer as elements of another dtype."""

    buffer: Value
    dtype: DType

    def infer(self) -> tuple[Type, ...]:
        size = math.prod(self.buffer.shape) * self.buffer.dtype.itemsize
        if size % self.dtype.itemsize:
            raise self.error("elements of this dtype do not fill the buffer", "dtype")
        return (BufferType(self.dtype, (size // self.dtype.itemsize,)),)


class Opaque(KernelOp):
    """The same index, of which a code generator knows nothing. What is made of several such in a
    loop stays in registers; indices that are known to lie evenly apart would be computed from each
    other in each round."""

    x: Value

    def infer(self) -> tuple[Type, ...]:
        if self.x.type != INDEX:
            raise self.error("want an index", "dtype")
        return (INDEX,)


class Prefetch(KernelOp):
    """Asks for the cache line of an element, which need not exist: it will be loaded ("load") or
    stored ("store") soon, or loaded some time after ("later")."""

    buffer: Value
    offset: Value
    purpose: str
    hints = (("buffer", "offset"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.purpose not in ("load", "store", "later"):
            raise self.error(f"no such purpose: {self.purpose!r}", "value")
        return ()


class Append(KernelOp):
    """Stores the value of each lane in which the condition holds, side by side from an offset on;
    how many they are. Of what lies behind them as much as a register holds may be written to."""

    buffer: Value
    offset: Value
    value: Value
    condition: Value
    writes = (("buffer", "offset"),)
    effect = True

    def infer(self) -> TensorType:
        if self.value.type != scalar_type(self.buffer.dtype):
            raise self.error("the value must be a scalar of the buffer's dtype", "dtype")
        return scalar_type(int64)

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not is_bool(self.condition):
            yield "the condition must be a bool"


# Bytes of a kernel's own memory: more than any stack or shared memory has.
MEMORY_MAX = 1 << 31


def memory_of(dtype: DType, shape: Sequence[int]) -> Iterator[str]:
    """What is wrong with memory of such a size."""
    if any(type(n) is not int or n < 0 for n in shape):
        yield "memory has numbers of elements"
    elif math.prod(shape) * dtype.itemsize > MEMORY_MAX:
        yield f"a kernel has no more than {MEMORY_MAX} bytes of memory of its own"


class StoreMany(KernelOp):
    """Store what `LoadMany` reads."""

    buffer: Value
    offset: Value
    values: tuple[Value, ...]
    writes = (("buffer", "offset"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if len(self.values) not in (1, 2, 4, 8):
            raise self.error("the number of values must be 1, 2, 4 or 8", "value")
        if any(v.type != scalar_type(self.buffer.dtype) for v in self.values):
            raise self.error("the values must be scalars of the buffer's dtype", "dtype")
        return ()


class Aligned(KernelOp):
    """Whether a buffer begins at a multiple of so many bytes."""

    buffer: Value
    bytes: int

    def infer(self) -> TensorType:
        return scalar_type(bool_)


class Local(KernelOp):
    """Memory that one iteration of the loops around it has to itself, undefined at first."""

    dtype: DType
    shape: tuple[int, ...]
    effect = True

    def infer(self) -> BufferType:
        return BufferType(self.dtype, self.shape)

    def invariants(self) -> Iterator[str]:
        yield from memory_of(self.dtype, self.shape)
