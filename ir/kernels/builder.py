"""What kernels are made of: scalars, places in memory, checks and loops.

Index arithmetic is simplified while it is emitted, and what is asked for twice is emitted once.
Which values a kernel computes and how its loops lie is not known here: see lower.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..algebra import Term
from ..core import Builder, Function, Op, Value
from ..dtypes import DType, as_dtype
from ..extent import Expr, Extent, Shape
from ..failures import Site
from ..ops.elementwise import BitwiseAnd, Cast, Less
from ..ops.shape import ExtentOf
from ..types import INDEX, TensorType
from .ops import Assert, For, Parallel, Store
from .target import Target

LEAST_WORK = 20_000  # nanoseconds of work below which threads are never worth it
KERNEL_RULES = ("fold", "simplify", "cse")

Index = tuple[Value, ...]


class KernelBuilder:
    """Emits into one kernel, and the regions inside of it."""

    def __init__(self, target: Target, sites: list[Site]) -> None:
        self.target = target
        self.sites = sites
        self.b = Builder(rules=KERNEL_RULES)
        self.memo: dict[Any, Value] = {}
        self.mask: Value | None = None
        self.flat: tuple[Index, Value] | None = None

    # Scalars.

    def emit(self, op: Op) -> Value:
        """A scalar of the kernel; index arithmetic is simplified on the way."""
        return self.b.emit(op)

    def cast(self, value: Value, dtype: str | DType) -> Value:
        return self.emit(Cast(value, as_dtype(dtype)))

    def extent(self, extent: Extent) -> Value:
        """An extent as an index."""
        if isinstance(extent, Expr):
            return self.emit(ExtentOf(extent))
        return self.b.constant(extent, INDEX.dtype)

    def linear(self, index: Index, shape: Shape) -> Value:
        """The row-major offset of `index`."""
        if self.flat is not None and index == self.flat[0]:
            return self.flat[1]
        if not index:
            return self.extent(0)
        offset = Term(self.b, index[0])
        for i, extent in zip(index[1:], shape[1:], strict=True):
            offset = offset * Term(self.b, self.extent(extent)) + Term(self.b, i)
        return offset.value

    def unlinear(self, offset: Value, shape: Shape) -> Index:
        """The index that `linear` takes to `offset`."""
        if len(shape) == 1:
            return (offset,)
        index: list[Value] = []
        rest = Term(self.b, offset)
        for extent in reversed(shape[1:]):
            size = Term(self.b, self.extent(extent))
            index.append(rest._emit("floor_mod", size).value)
            rest = rest._emit("floor_div", size)
        return (rest.value, *reversed(index)) if shape else ()

    @contextmanager
    def where(self, condition: Value) -> Iterator[None]:
        """Loads and checks inside happen only where the condition holds."""
        outer = self.mask
        self.mask = condition if outer is None else self.emit(BitwiseAnd(outer, condition))
        yield
        self.mask = outer

    def check_index(self, index: Value, bound: Value, op: Op) -> None:
        """An error of `op` at run time where not 0 <= index < bound."""
        inside = (Term(self.b, index) >= 0)._emit(
            "bitwise_and", Term(self.b, self.emit(Less(index, bound)))
        )
        self.check(inside.value, (index, bound), "index", op)

    def check_nonzero(self, divisor: Value, op: Op) -> None:
        """An error of `op` at run time where an integer divisor is 0."""
        nonzero = Term(self.b, divisor)._emit("not_equal", 0)
        self.check(nonzero.value, (), "zero", op)

    def check(
        self, condition: Value, values: Index, kind: str, op: Op, note: tuple[str, ...] = ()
    ) -> None:
        """An error of `op` at run time where the condition does not hold; `runtime_error` in
        tfc/dispatch/failures.py makes the message of its kind."""
        key = ("assert", condition, self.mask)
        if key not in self.memo:
            self.memo[key] = condition
            self.sites.append(Site(kind, getattr(op, "reader", op.mnemonic), op.location, note))
            self.b.emit_all(Assert(condition, values, self.mask, len(self.sites)))

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

    def loop(
        self,
        low: Value,
        high: Value,
        fill: Callable[[Value], None],
        kind: str = "serial",
        step: int = 1,
    ) -> None:
        """A loop that carries nothing."""

        def body(params: Index) -> Index:
            fill(params[0])
            return ()

        self.b.emit_all(For(low, high, (), step, kind, self.region("body", (INDEX,), body)))

    def parallel(self, count: Extent, work: Extent, fill: Callable[[Value], None]) -> None:
        """`fill` for 0, 1, ... below count, on any threads where the work (in nanoseconds) is
        worth it."""
        if count == 1:
            fill(self.extent(0))
            return
        if isinstance(work, int) and work < LEAST_WORK and not self.target.grid:
            self.loop(self.extent(0), self.extent(count), fill)
            return

        def body(params: Index) -> Index:
            fill(params[0])
            return ()

        region = self.region("body", (INDEX,), body)
        self.b.emit_all(Parallel(self.extent(count), self.extent(work), region))

    def nest(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        """Loops over all indices of `shape`, the last one along the lanes; the first `serial`
        ones one after another (and never along the lanes)."""

        def level(index: Index) -> None:
            axis = len(index)
            if axis == len(shape):
                fill(index)
                return
            if shape[axis] == 1:  # broadcasts of such axes have this index as well
                level((*index, self.extent(0)))
                return
            last = axis == len(shape) - 1 and axis >= serial
            kind = "vector" if last else "serial" if axis < serial else "parallel"
            zero, extent = self.extent(0), self.extent(shape[axis])
            self.loop(zero, extent, lambda i: level((*index, i)), kind)

        level(())
