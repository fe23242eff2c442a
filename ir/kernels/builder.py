"""What kernels are made of: scalars, places in memory, checks and loops.

Index arithmetic is simplified while it is emitted, and what is asked for twice is emitted once.
Which values a kernel computes and how its loops lie is not known here: see lower.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..algebra import Term
from ..core import Function, Op, Value
from ..dtypes import DType, as_dtype
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, Shape, product, symbol
from ..failures import Site
from ..kernel_op import SIDE_BY_SIDE, LoopKind
from ..ops.elementwise import Add, BitwiseAnd, Cast, Fma, Less, Mul
from ..ops.gather import CheckedIndex, Gather, ScatterAdd
from ..ops.indexing import Scatter
from ..ops.shape import Constant, ExtentOf
from ..types import INDEX, BufferType, TensorType, Type, scalar_type
from .expand_scalars import expanded
from .index_builder import IndexBuilder
from .ops import Assert, Branch, CallRoutine, For, Load, Parallel, Reload, Repeat, Store
from .target import Target

# Nanoseconds that work is said to take at most, 146 years: a bound for int64. Not measured.
WORK_MAX = 1 << 62
KERNEL_RULES = ("fold", "simplify", "cse")
# What `call_routine` has written.
_routines: dict[tuple[str, tuple[Type, ...], int], Function] = {}


class KernelBuilder(ScheduleBuilder):
    """Emits into one kernel, and the regions inside of it."""

    def __init__(self, target: Target, sites: list[Site]) -> None:
        self.target = target
        self.sites = sites
        self.b: IndexBuilder = IndexBuilder(rules=KERNEL_RULES)
        self.memo: dict[Any, Value] = {}
        # What `unlinear` made indices of, by these and the extents but for the first.
        self.digits: dict[tuple[Index, Shape], Value] = {}
        self.mask: Value | None = None
        self.flat: tuple[Index, Value, Shape | None] | None = None

    # Scalars.

    def emit(self, op: Op) -> Value:
        return self.b.emit(op)

    def cast(self, value: Value, dtype: str | DType) -> Value:
        return self.emit(Cast(value, as_dtype(dtype)))

    def extent(self, extent: Value | Extent) -> Value:
        if type(extent) is int:
            return self.b.constant(extent, INDEX.dtype)
        if isinstance(extent, Value):
            return extent
        return self.emit(ExtentOf(extent))

    def index(self, value: Value | Term | Extent) -> Term:
        return Term(self.b, value.value if isinstance(value, Term) else self.extent(value))

    def known(self, condition: Value | Term) -> bool | None:
        op = self.index(condition).value.op
        return bool(op.value) if isinstance(op, Constant) else None

    def fma(self, x: Value, y: Value, total: Value) -> Value:
        if total.dtype.is_floating:
            return self.emit(Fma(x, y, total))
        return self.emit(Add(self.emit(Mul(x, y)), total))

    def linear(self, index: Index, shape: Shape) -> Value:
        if self.flat is not None and index == self.flat[0] and self.flat[2] in (None, shape):
            return self.flat[1]
        if not index:
            return self.extent(0)
        begin, offset = self._digits(index, shape, 0)
        while begin < len(index):
            end, digits = self._digits(index, shape, begin)
            size = shape[begin] if end == begin + 1 else product(shape[begin:end])
            offset = self.emit(Add(self.emit(Mul(offset, self.extent(size))), digits))
            begin = end
        return offset

    def _digits(self, index: Index, shape: Shape, begin: int) -> tuple[int, Value]:
        """Where the next numbers of an index end that `unlinear` made of one, as many as there are,
        and that one: they need not be computed. Else the next number alone."""
        if self.digits:
            for end in range(len(index), begin + 1, -1):
                whole = self.digits.get((tuple(index[begin:end]), tuple(shape[begin + 1 : end])))
                if whole is not None:
                    return end, whole
        return begin + 1, index[begin]

    def unlinear(self, offset: Value, shape: Shape) -> Index:
        if len(shape) == 1:
            return (offset,)
        index: list[Value] = []
        rest = Term(self.b, offset)
        for extent in reversed(shape[1:]):
            size = Term(self.b, self.extent(extent))
            index.append((rest % size).value)
            rest = rest // size
        if not shape:
            return ()
        found = (rest.value, *reversed(index))
        self.digits[found, tuple(shape[1:])] = offset
        return found

    @contextmanager
    def where(self, condition: Value) -> Iterator[None]:
        outer = self.mask
        if outer is None:
            self.mask = None if self.known(condition) else condition
        else:
            self.mask = self.emit(BitwiseAnd(outer, condition))
        yield
        self.mask = outer

    def check_index(self, index: Value, bound: Value, op: Op) -> None:
        if _was_checked(op):
            return
        inside = (Term(self.b, index) >= 0) & Term(self.b, self.emit(Less(index, bound)))
        self.check(inside.value, (index, bound), "index", op)

    def check_nonzero(self, divisor: Value, op: Op) -> None:
        nonzero = Term(self.b, divisor).not_equal(0)
        self.check(nonzero.value, (), "zero", op)

    def check(
        self, condition: Value, values: Index, kind: str, op: Op, note: tuple[str, ...] = ()
    ) -> None:
        # `runtime_error` in tfc/dispatch/failures.py makes the message of each kind.
        key = ("assert", condition, self.mask)
        if key not in self.memo and not self.known(condition):
            self.memo[key] = condition
            self.sites.append(Site(kind, getattr(op, "reader", op.mnemonic), op.location, note))
            self.b.emit_all(Assert(condition, values, self.mask, len(self.sites)))

    # Memory.

    @property
    def grid(self) -> bool:
        return self.target.grid

    def load(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        return self.emit(Load(buffer, offset, mask))

    def reload(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        return self.emit(Reload(buffer, offset, mask))

    def store(self, buffer: Value, offset: Value, value: Value) -> None:
        self.b.emit_all(Store(buffer, offset, value))

    # Loops.

    def region(
        self, name: str, types: Sequence[TensorType], fill: Callable[[Index], Sequence[Value]]
    ) -> Function:
        """A loop body: what `fill` emits, given the region's params; it returns fill's values."""
        outer, memo = self.b, self.memo
        self.b, self.memo = outer.inner(), dict(memo)
        params = tuple(Value(t, None, i, "i" if i == 0 else "") for i, t in enumerate(types))
        returns = tuple(fill(params))
        body = tuple(self.b.body)
        self.b, self.memo = outer, memo
        return Function(name, params, body, returns)

    def call_routine(
        self, name: str, args: Index, fill: Callable[..., Index], seldom: bool
    ) -> Index:
        types = tuple(
            BufferType(v.dtype, (symbol("n"),)) if isinstance(v.type, BufferType) else v.type
            for v in args
        )
        key = name, types, self.target.vector_bytes  # which say how many lanes a loop has
        routine = _routines.get(key)
        if routine is None:
            outer = self.b, self.memo, self.mask
            self.b, self.memo, self.mask = IndexBuilder(name, KERNEL_RULES), {}, None
            returns = fill(*[self.b.parameter(t) for t in types])
            routine = _routines[key] = expanded(self.b.build(*returns))
            self.b, self.memo, self.mask = outer
        return self.b.emit_all(CallRoutine(args, routine, seldom))

    def loop(
        self,
        low: Value,
        high: Value,
        fill: Callable[[Value], None],
        kind: LoopKind = LoopKind.SERIAL,
        step: int = 1,
    ) -> None:
        if _has_no_round(low, high):
            return
        if kind not in SIDE_BY_SIDE and _is_one_round(low, high, step):
            fill(low)
            return

        def body(params: Index) -> Index:
            self.b.counts(params[0], low, high, 1 if kind in SIDE_BY_SIDE else step)
            fill(params[0])
            return ()

        region = self.region("body", (INDEX,), body)
        if any(op.effect for op in region.body):
            self.b.emit_all(For(low, high, (), step, kind, region))

    def carry(
        self,
        low: Value,
        high: Value,
        init: Sequence[Value],
        body: Callable[[Value, Index], Sequence[Value]],
        step: int = 1,
    ) -> Index:
        if _is_one_round(low, high, step):
            return tuple(body(low, tuple(init)))

        def counted(params: Index) -> Sequence[Value]:
            self.b.counts(params[0], low, high, step)
            return body(params[0], params[1:])

        types = (INDEX, *(scalar_type(v.dtype) for v in init))
        region = self.region("body", types, counted)
        return self.b.emit_all(For(low, high, tuple(init), step, LoopKind.SERIAL, region))

    def while_(
        self,
        init: Sequence[Value],
        condition: Callable[[list[Term]], Term],
        body: Callable[[list[Term]], Sequence[Value]],
    ) -> Index:
        """What a loop carries in the end that goes on as long as the condition holds of it."""
        types = [scalar_type(v.dtype) for v in init]

        def given(params: Index) -> list[Term]:
            return [Term(self.b, v) for v in params]

        test = self.region("body", types, lambda p: (condition(given(p)).value,))
        step = self.region("body", types, lambda p: body(given(p)))
        return self.b.emit_all(Repeat(tuple(init), test, step))

    def when(
        self, condition: Value | Term, fill: Callable[[], None], as_loop: bool = False
    ) -> None:
        known = self.known(condition)
        if known is not None:
            if known:
                fill()
            return
        if as_loop:
            times = self.emit(Cast(self.index(condition).value, INDEX.dtype))
            self.loop(self.extent(0), times, lambda _: fill())
            return

        def then(_: Index) -> Sequence[Value]:
            fill()
            return ()

        nothing = self.region("branch", (), lambda _: ())
        chosen = self.index(condition).value
        self.b.emit_all(Branch(chosen, self.region("branch", (), then), nothing))

    def parallel(self, count: Extent, work: Extent, fill: Callable[[Value], None]) -> None:
        """`fill` for 0, 1, ... below count, on any threads where the work (in nanoseconds) is
        worth it."""
        if count == 1:
            fill(self.extent(0))
            return
        if not self.target.is_worth(work):
            self.loop(self.extent(0), self.extent(count), fill)
            return

        number = self.extent(count)

        def body(params: Index) -> Index:
            self.b.counts(params[0], None, number)
            fill(params[0])
            return ()

        region = self.region("body", (INDEX,), body)
        if isinstance(work, int):  # whatever a text says; more is not worth more threads
            work = min(work, WORK_MAX)
        self.b.emit_all(Parallel(number, self.extent(work), region))

    def nest(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        def level(index: Index) -> None:
            axis = len(index)
            if axis == len(shape):
                fill(index)
                return
            if shape[axis] == 1:  # broadcasts of such axes have this index as well
                level((*index, self.extent(0)))
                return
            last = axis == len(shape) - 1 and axis >= serial
            kind = (
                LoopKind.VECTOR if last else LoopKind.SERIAL if axis < serial else LoopKind.PARALLEL
            )
            zero, extent = self.extent(0), self.extent(shape[axis])
            self.loop(zero, extent, lambda i: level((*index, i)), kind)

        level(())


def _has_no_round(low: Value, high: Value) -> bool:
    """Whether a loop over what tiles leave over surely has no round. (One over no elements at all
    stays: it says which buffers a kernel has.)"""
    begin, end = low.op, high.op
    if not (isinstance(begin, Constant) and isinstance(end, Constant)):
        return low is high
    return int(begin.value) >= max(int(end.value), 1)


def _is_one_round(low: Value, high: Value, step: int) -> bool:
    """Whether a loop surely has one round."""
    begin, end = low.op, high.op
    if not (isinstance(begin, Constant) and isinstance(end, Constant)):
        return False
    return 0 < int(end.value) - int(begin.value) <= step


def _was_checked(op: Op) -> bool:
    """Whether the indices of `op` were checked where they are computed, against the same extent."""
    if not isinstance(op, Gather | Scatter | ScatterAdd):
        return False
    source = op.indices.op
    return isinstance(source, CheckedIndex) and source.bound == op.indexed
