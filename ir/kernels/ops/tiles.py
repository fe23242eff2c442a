"""What processors do with a few vector registers at once: products, transposed tiles, sorting
networks.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core import Op, Value
from ...dtypes import float32, int32, int64
from ...kernel_op import KernelOp, is_index
from ...types import TensorType, Type, scalar_type


class LoadTransposed(KernelOp):
    """In a loop of lanes, `size` elements side by side for each lane, from its offset on: result
    i has element i of all lanes. A register has as many lanes, or elements fill 16 bytes."""

    buffer: Value
    offset: Value
    size: int
    reads = (("buffer", "offset"),)

    def infer(self) -> tuple[Type, ...]:
        if self.size not in (2, 4, 8, 16, 32, 64):
            raise self.error("the size must be a power of two", "value")
        return (scalar_type(self.buffer.dtype),) * self.size


class AddProducts(KernelOp):
    """The products of the small integers that two words are made of, added to an int32, modulo
    2^32: of `size` 4 bytes each, unsigned ones in `x` and signed ones in `y`, or of 2 int16."""

    x: Value
    y: Value
    total: Value
    size: int

    def infer(self) -> TensorType:
        if any(v.type != scalar_type(int32) for v in self.operands):
            raise self.error("want words, which are int32", "dtype")
        if self.size not in (2, 4):
            raise self.error("the size must be 2 or 4", "value")
        return scalar_type(int32)


class AddBfloat16Products(KernelOp):
    """The products of the two bfloat16 that words are made of, added to a float32: those of the
    upper halves first, then those of the lower ones, with one rounding each. Words are float32 to
    the eye. What is below the normal numbers may be taken for zero, in operands and in sums."""

    x: Value
    y: Value
    total: Value

    def infer(self) -> TensorType:
        if any(v.type != scalar_type(float32) for v in self.operands):
            raise self.error("want words, which are float32", "dtype")
        return scalar_type(float32)


class TransposeTile(KernelOp):
    """Copies a tile of `size` x `size` elements and transposes it: element i of row k of the
    target is element k of row i of the source. Rows are so many elements apart.

    With `ahead`, tiles are copied one after another: the one that begins so many elements further
    in the source is prefetched, and need not exist. The target's rows go `past` the
    caches, straight to memory, if each is a line of them (at a multiple of its size); nobody but
    the thread that stores it reads the target then before the `Parallel` around ends.
    """

    source: Value
    offset: Value
    rows: Value
    target: Value
    target_offset: Value
    target_rows: Value
    ahead: Value | None
    size: int
    past: bool
    reads = (("source", "offset"),)
    writes = (("target", "target_offset"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        if self.source.dtype is not self.target.dtype:
            raise self.error("the buffers must have the same dtype", "dtype")
        if self.size not in (2, 4, 8, 16, 32, 64):
            raise self.error("the size must be a power of two", "value")
        return ()

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not is_index(self.rows, self.target_rows):
            yield "distances of rows must be i64"
        if self.ahead is not None and not is_index(self.ahead):
            yield "a distance must be i64"


class SortTile(KernelOp):
    """Puts `size` neighbouring signed integers in ascending order: a power of two, and at least
    what four registers hold."""

    buffer: Value
    offset: Value
    size: Value
    reads = (("buffer", "offset"),)
    writes = (("buffer", "offset"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        _check_keys(self, self.buffer)
        return ()

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not is_index(self.size):
            yield "a size must be i64"


class MergeRuns(KernelOp):
    """Merges two runs of signed integers, each in ascending order: those from `first` up to
    `second`, and from there up to `last`. Both consist of a multiple of four whole registers, and
    the second may be empty. The element at `last` is read, too, but does not matter."""

    source: Value
    first: Value
    second: Value
    last: Value
    target: Value
    to: Value
    reads = (("source", "first"), ("source", "second"), ("source", "last"))
    writes = (("target", "to"),)
    effect = True

    def infer(self) -> tuple[Type, ...]:
        _check_keys(self, self.source)
        if self.source.dtype is not self.target.dtype:
            raise self.error("the buffers must have the same dtype", "dtype")
        return ()


def _check_keys(op: Op, buffer: Value) -> None:
    if buffer.dtype not in (int32, int64):
        raise op.error("keys are signed integers of 32 or 64 bits", "dtype")
