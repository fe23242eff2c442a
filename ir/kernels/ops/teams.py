"""What threads of a GPU do together: shared memory, barriers, shuffles, tensor cores."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import Value
from ...dtypes import DType, float32, uint32
from ...kernel_op import KernelOp, Scope
from ...types import BufferType, TensorType, Type, scalar_type
from .memory import memory_of

# Threads that run in step: NVIDIA's.
WARP = 32
# Threads of a block, at most: CUDA's limit.
TEAM_MAX = 1024


class Shared(KernelOp):
    """Memory of a team of threads, undefined at first."""

    dtype: DType
    shape: tuple[int, ...]
    scope = Scope.TEAM
    effect = True

    def infer(self) -> BufferType:
        return BufferType(self.dtype, self.shape)

    def invariants(self) -> Iterator[str]:
        yield from memory_of(self.dtype, self.shape)


class Barrier(KernelOp):
    """All threads of the team wait for each other; what they stored before is seen after."""

    scope = Scope.TEAM
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()


class LoadFragments(KernelOp):
    """Four matrices of 8 x 8 elements of 16 bits from shared memory, as `MultiplyFragments` wants
    them: thread l of the warp gives the offset of row l mod 8 of matrix l // 8, which is a
    multiple of 8, and gets of each matrix the elements 2 (l mod 4) and the next of row l // 4 (of
    column l // 4 where `transposed`), side by side in 32 bits."""

    buffer: Value
    offset: Value
    transposed: bool
    reads = (("buffer", "offset"),)
    scope = Scope.TEAM
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.buffer.dtype.itemsize != 2:
            raise self.error("the elements must have 16 bits", "dtype")
        return (scalar_type(uint32),) * 4


class RoundFragment(KernelOp):
    """An element of a fragment, rounded to TensorFloat-32, which has 10 bits behind the point: to
    nearest, ties away from 0."""

    x: Value
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.x.type != scalar_type(float32):
            raise self.error("only float32 is rounded to TensorFloat-32", "dtype")
        return (scalar_type(uint32),)


class MultiplyFragments(KernelOp):
    """sums + left @ right on the tensor cores, by a warp: left is 16 x k, right k x 8, where k is
    16 for the kinds "f16" and "bf16" (two elements in 32 bits) and 8 for "tf32". How elements are
    distributed to threads is told in NVIDIA's PTX manual under "mma.m16n8k16" and "mma.m16n8k8"."""

    left: tuple[Value, ...]
    right: tuple[Value, ...]
    sums: tuple[Value, ...]
    kind: str
    scope = Scope.TEAM
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.kind not in ("f16", "bf16", "tf32"):
            raise self.error(f"no such kind: {self.kind!r}", "value")
        if (len(self.left), len(self.right), len(self.sums)) != (4, 2, 4):
            raise self.error("takes 4, 2 and 4 registers", "value")
        return (scalar_type(float32),) * 4


class Shuffle(KernelOp):
    """The value that another thread of the same warp has: the thread `distance` further ("down";
    its own where there is none), or the warp's thread number `distance` ("from")."""

    value: Value
    kind: str
    distance: int
    scope = Scope.TEAM
    effect = True

    def infer(self) -> TensorType:
        if self.kind not in ("down", "from") or not 0 <= self.distance < WARP:
            raise self.error(f"no shuffle {self.kind!r} by {self.distance}", "value")
        return scalar_type(self.value.dtype)
