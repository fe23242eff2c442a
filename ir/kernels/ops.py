"""The ops of kernels: loops, memory and checks. The scalar ops are the elementwise classes.

Loop bodies are regions that, unlike others, use values from around them. The kinds of loops are
those of `LoopKind` (ir/kernel_op.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..core import Function, Op, Regions, Value
from ..dtypes import DType, bool_, float32, int32, int64, uint32
from ..kernel_op import (
    COMBINES,
    INDEPENDENT,
    SIDE_BY_SIDE,
    KernelLaunch,
    KernelOp,
    Launched,
    LoopKind,
    Scope,
    fits_reduction,
    is_bool,
    is_index,
)
from ..ops.control import Control
from ..ops.host import HostCall
from ..types import INDEX, BufferType, TensorType, Type, scalar_type


def types_of(values: Sequence[Value]) -> tuple[Type, ...]:
    return tuple(v.type for v in values)


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


MOST_LANES = 1024  # of a vector, each of which is written out: targets' have at most 64


class For(KernelOp):
    """Runs the body on i = low, low+step, ... below high; the results are the carried values."""

    low: Value
    high: Value
    init: tuple[Value, ...]
    step: int
    kind: LoopKind
    body: Function
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.init)

    @property
    def side_by_side(self) -> bool:
        return self.kind in SIDE_BY_SIDE

    @property
    def independent(self) -> bool:
        return self.kind in INDEPENDENT and not self.init

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], self.low, self.high, 1 if self.side_by_side else self.step

    def invariants(self) -> Iterator[str]:
        if self.step < 1:
            yield "the step must be at least 1"
        if not is_index(self.low, self.high):
            yield "the bounds must be i64"
        if self.side_by_side and self.step > MOST_LANES:
            yield f"a vector has at most {MOST_LANES} elements"
        if self.side_by_side and self.init:
            yield "a vector loop carries nothing"

    def regions_take(self) -> Regions:
        carried = types_of(self.init)
        return {"body": ((INDEX, *carried), carried)}


class Parallel(KernelOp):
    """Runs the body on i = 0, 1, ... below `count`, in any order, on any threads. All of it is
    about `work` nanoseconds of one thread's work. No two iterations store to the same place, and
    none loads what another stores."""

    count: Value
    work: Value
    body: Function
    scope = Scope.THREAD
    independent = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], None, self.count, 1

    def invariants(self) -> Iterator[str]:
        if not is_index(self.count, self.work):
            yield "the count and the work must be i64"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,), ())}


class Grid(KernelOp):
    """Runs the body for all (i, j, ...), where i = lows[0], lows[0] + steps[0], ... below highs[0]
    and so on; in any order, on any threads, of which neighbours have neighbouring places along the
    last axis. No two iterations store to the same place, and none loads what another stores.

    With a `team` of more than 1 each place belongs to so many threads, which all run the body; its
    last param then is the thread's number in its team. They share `Shared` memory, wait for each
    other at a `Barrier`, and read each other's registers by `Shuffle`: places that all of them
    must come to.
    """

    lows: tuple[Value, ...]
    highs: tuple[Value, ...]
    steps: tuple[int, ...]
    team: int
    body: Function
    scope = Scope.KERNEL
    independent = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        axes = len(self.body.params) - (self.team > 1)
        if not len(self.lows) == len(self.highs) == len(self.steps) == axes:
            raise self.error("each axis has a low end, a high end and a step", "value")
        if self.team != 1 and (self.team % WARP or self.team > TEAM_MAX):
            raise self.error(f"no team has {self.team} threads", "value")
        return ()

    @property
    def opens_team(self) -> int:
        return self.team

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield from zip(self.body.params, self.lows, self.highs, self.steps, strict=False)

    def invariants(self) -> Iterator[str]:
        if not is_index(*self.operands) or min(self.steps, default=1) < 1:
            yield "the ends must be i64, the steps at least 1"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,) * len(self.body.params), ())}


# Threads that run in step: NVIDIA's.
WARP = 32
# Threads of a block, at most: CUDA's limit.
TEAM_MAX = 1024
# Bytes of a kernel's own memory: more than any stack or shared memory has.
MEMORY_MAX = 1 << 31


def memory_of(dtype: DType, shape: Sequence[int]) -> Iterator[str]:
    """What is wrong with memory of such a size."""
    if any(type(n) is not int or n < 0 for n in shape):
        yield "memory has numbers of elements"
    elif math.prod(shape) * dtype.itemsize > MEMORY_MAX:
        yield f"a kernel has no more than {MEMORY_MAX} bytes of memory of its own"


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


class Repeat(KernelOp):
    """carried = init; while condition(carried): carried = body(carried). The regions see what is
    defined around them; the results are the carried values."""

    init: tuple[Value, ...]
    condition: Function
    body: Function
    scope = Scope.THREAD
    effect = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.init)

    @property
    def may_be_endless(self) -> bool:
        """Whether it may be a loop of the user's. What schedules repeat carries indices alone."""
        return not is_index(*self.init)

    def regions_take(self) -> Regions:
        carried = types_of(self.init)
        return {"condition": (carried, (scalar_type(bool_),)), "body": (carried, carried)}


class Branch(KernelOp):
    """`then` where the condition holds, else `orelse`, which see what is defined around them; the
    results are those of the one that runs."""

    condition: Value
    then: Function
    orelse: Function
    scope = Scope.THREAD
    effect = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return self.then.result_types

    def invariants(self) -> Iterator[str]:
        if not is_bool(self.condition):
            yield "the condition must be a bool"

    def regions_take(self) -> Regions:
        given = types_of(self.results)
        return {"then": ((), given), "orelse": ((), given)}


class Rarely(KernelOp):
    """`callee(*args)` where the condition holds, else `otherwise`: a select whose first side is
    computed only where some lane wants it. For slow ways that few elements need. The callee is a
    function of scalars that uses nothing from around it, so that its code is there once."""

    condition: Value
    args: tuple[Value, ...]
    otherwise: tuple[Value, ...]
    callee: Function
    closed = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.otherwise)

    def invariants(self) -> Iterator[str]:
        if not is_bool(self.condition):
            yield "the condition must be a bool"

    def regions_take(self) -> Regions:
        return {"callee": (types_of(self.args), types_of(self.otherwise))}


class Reduce(KernelOp):
    """Combines body(k) over k in [0, count) in the fixed tree:

    slot j of LANES holds the elements k = j, j + LANES, ... combined in order, starting from the
    neutral element; then the upper half of the slots is combined into the lower, until one is
    left. So bits depend on `count` alone. "argmax" and "argmin" carry (value, place), "complex_mul"
    and "add" of two values the parts of a complex number. The kind says whether k runs along the
    lanes ("vector") or each lane reduces its own ("serial").

    Reductions of more than CHUNK elements are more than one `Reduce`: each chunk of so many is
    combined as above; then, in the same way, what the chunks gave. So many threads can share them.
    """

    count: Value
    combine: str
    kind: LoopKind
    body: Function
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return self.body.result_types

    @property
    def side_by_side(self) -> bool:
        return self.kind in SIDE_BY_SIDE

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], None, self.count, 1

    def invariants(self) -> Iterator[str]:
        if self.kind not in (LoopKind.SERIAL, LoopKind.VECTOR):
            yield f"no reduction kind: {str(self.kind)!r}"
        if self.combine not in COMBINES:
            yield f"no way to combine: {self.combine!r}"
        if not is_index(self.count):
            yield "the count must be an i64"
        if not fits_reduction(self.combine, self.body.result_types):
            given = ", ".join(map(str, self.body.result_types))
            yield f"the body of {self.combine} returns ({given})"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,), self.body.result_types)}


def neutral(combine: str, dtypes: Sequence[DType]) -> list[Any]:
    """What the slots of a `Reduce` start from."""
    dtype = dtypes[0]
    if combine == "complex_mul":
        return [1, 0]
    if combine in ("add", "bitwise_or"):
        return [0] * len(dtypes)
    if combine in ("mul", "bitwise_and"):
        return [1]
    low = combine in ("maximum", "argmax")
    if dtype.is_floating:
        end = -math.inf if low else math.inf
    else:
        end = dtype.min if low else dtype.max
    return [end] if len(dtypes) == 1 else [end, int64.max]


class Combine(KernelOp):
    """Two partial results of a `Reduce` as one."""

    combine: str
    old: tuple[Value, ...]
    new: tuple[Value, ...]

    def infer(self) -> tuple[Type, ...]:
        if [v.type for v in self.old] != [v.type for v in self.new]:
            raise self.error("partial results of different types", "dtype")
        return tuple(v.type for v in self.old)

    def invariants(self) -> Iterator[str]:
        if self.combine not in COMBINES:
            yield f"no way to combine: {self.combine!r}"


class Local(KernelOp):
    """Memory that one iteration of the loops around it has to itself, undefined at first."""

    dtype: DType
    shape: tuple[int, ...]
    effect = True

    def infer(self) -> BufferType:
        return BufferType(self.dtype, self.shape)

    def invariants(self) -> Iterator[str]:
        yield from memory_of(self.dtype, self.shape)


class Assert(KernelOp):
    """Ends the program with error `site` and up to two values where the condition fails."""

    condition: Value
    values: tuple[Value, ...]
    mask: Value | None
    site: int
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not is_bool(self.condition):
            yield "the condition must be a bool"
        if self.site < 1:
            yield "sites count from 1"


UNNAMED = "x"  # what a kernel calls a buffer that it reads, but for params of the function


class Launch(KernelLaunch):
    """A kernel launched on buffers: reads `inputs`, makes the results. See lower.py."""

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
