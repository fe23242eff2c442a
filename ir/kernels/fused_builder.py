"""The kernel of one fused group, as it is written: elements are pulled, op by op.

To store a value, a schedule asks for its element at the index of the loops around; its op asks for
elements of its operands in turn (`Op.at`), down to loads. Elementwise ops apply their scalar op,
index maps change the index, reductions open a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ..core import Function, Op, Value, once
from ..element_builder import Index
from ..extent import Extent, Shape
from ..failures import Site
from ..kernel_op import LoopKind
from ..ops.elementwise import Elementwise
from ..types import BufferType, TensorType
from .builder import KernelBuilder
from .group_builder import GroupBuilder, Place, ReadElement, Reducer, unused
from .ops import UNNAMED, Load
from .plan.groups import Group, Kind, Plan
from .plan.machine import Machine
from .target import Target
from .tree_reducer import TreeReducer


class FusedKernelBuilder(KernelBuilder, GroupBuilder):
    """Emits the kernel of one group: its schedule opens the loops, and asks for elements."""

    def __init__(
        self, group: Group, plan: Plan, machine: Machine, target: Target, sites: list[Site]
    ) -> None:
        super().__init__(target, sites)
        self.b.location = group.op.location  # of loops and indices; pulled ops have their own
        self.group = group
        self.plan = plan
        self.machine = machine
        self.inputs: dict[Value, Value] = {}
        self.outputs: dict[Value, Value] = {}
        self.checked: set[Op] = set()  # whose indices were checked before
        self.updated: list[Value] = []  # what results start as: see `Update`
        self.reads: dict[Value, ReadElement] = {}  # what is read otherwise than its op says
        self.places: dict[Value, Place] = {}  # what is stored elsewhere than in outputs
        self.extra: list[Value] = []  # scratch memory of the kernel, beside its outputs
        roots = [r for part in (*group.parts, group) for r in part.roots]
        self.fused: dict[Op, None] = {r.op: None for r in roots if r.op is not None}
        rows = group.kind is Kind.ROWS
        self.reducer: Reducer = TreeReducer(self, LoopKind.VECTOR if rows else LoopKind.SERIAL)

    def kernel(self, name: str) -> tuple[Function, list[Value], list[Value]]:
        """The kernel, the values it loads and those it stores, in the order of its params. Its
        notes hold the tensor "ops" that it computes, and how many "results" are no scratch."""
        schedule = self.group.schedule
        assert schedule is not None
        changed = schedule.in_place()
        self.updated = list(changed)
        for v in self.updated:  # the first inputs, and their results the first outputs
            self.buffer(v)
        outputs = self.plan.outputs(self.group)
        outputs.sort(key=lambda r: r not in changed.values())
        results = len(outputs)  # what follows is scratch memory
        self.outputs = {r: Value(BufferType(r.dtype, r.shape), name="out") for r in outputs}
        schedule.emit(self)
        outputs += self.extra
        inputs = list(self.inputs)
        params = (*self.inputs.values(), *self.outputs.values())
        notes = {"ops": tuple(self.fused), "results": results}
        return Function(name, params, tuple(self.b.body), (), notes), inputs, outputs

    # What ops ask for.

    def element(self, value: Value, index: Index) -> Value:
        key = (value, index, self.mask)
        known = self.memo.get(key) or self.memo.get((value, index, None))
        if known is not None:
            return known
        op = value.op
        if value in self.reads:
            result = self.reads[value](index)
        elif (
            op is None
            or value in self.plan.views
            or (value in self.plan.stored and value not in self.group.roots)
            or value in self.inputs
        ):
            offset = self.linear(index, value.shape)
            result = self.emit(Load(self.buffer(value), offset, self.mask))
        else:
            if isinstance(op, Elementwise):
                self._warm(op.operands, index)
            self.fused[op] = None
            outer = self.b.location
            self.b.location = op.location or outer
            result = op.at(self, index)  # type: ignore[attr-defined]
            self.b.location = outer
        self.memo[key] = result
        return result

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        return self.reducer.reduce(count, combine, element)

    def define(self, value: Value, index: Index, element: Value) -> None:
        self.memo[value, index, None] = element

    # How work is dealt out.

    def ordered(self, shape: Shape, fill: Callable[[Index], None]) -> None:
        self.machine.ordered(self, shape, fill)

    def spread(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        self.machine.spread(self, shape, fill, serial)

    @once
    def cost(self) -> Extent:
        schedule = self.group.schedule
        assert schedule is not None
        return schedule.cost(self.group, self.plan, self.target)

    def flat_element(self, value: Value, offset: Value) -> Value:
        index = unused(value.shape)
        with self.at_offset(index, offset):
            return self.element(value, index)

    @contextmanager
    def at_offset(self, index: Index, offset: Value, shape: Shape | None = None) -> Iterator[None]:
        outer, self.flat = self.flat, (index, offset, shape)
        yield
        self.flat = outer

    def store_roots(self, index: Index, roots: Sequence[Value] | None = None) -> None:
        for root in self.group.roots if roots is None else roots:
            scalar = self.element(root, index)
            if self.stores(root):
                self.store(*self.place(root, index), scalar)

    def _warm(self, values: Sequence[Value], index: Index) -> None:
        """Compute what elementwise ops pull for `values` at `index`, operands first, so that deep
        chains of ops do not become deep recursions. Of an op's operands that comes first which
        needs the most registers (Sethi and Ullman 1970), so that little is alive at a time: of the
        sum of a hundred sines, one sine and the sum so far."""
        order = self._pulled(values, index, {})
        needs: dict[Value, int] = {}
        in_order = True
        for v in order:
            assert v.op is not None
            own = [needs.get(x, 1) for x in dict.fromkeys(v.op.operands)]
            falling = sorted(own, reverse=True)
            in_order = in_order and own == falling
            needs[v] = max((n + i for i, n in enumerate(falling)), default=1)
        for v in order if in_order else self._pulled(values, index, needs):
            self.element(v, index)

    def _pulled(
        self, values: Sequence[Value], index: Index, needs: Mapping[Value, int]
    ) -> list[Value]:
        """What elementwise ops compute for `values` at `index`, operands first: those that need
        the most before others, and as they are written where they need the same."""

        def pushed(operands: Sequence[Value]) -> list[tuple[Value, bool]]:
            first = sorted(operands, key=lambda x: -needs.get(x, 1)) if needs else operands
            return [(x, False) for x in reversed(first)]

        order: list[Value] = []
        seen: set[Value] = set()
        work = pushed(values)
        while work:
            v, done = work.pop()
            if done:
                order.append(v)
                continue
            if v in seen or not isinstance(v.op, Elementwise) or v in self.inputs:
                continue
            if (v, index, self.mask) in self.memo or (v, index, None) in self.memo:
                continue
            if v in self.plan.views or (v in self.plan.stored and v not in self.group.roots):
                continue
            seen.add(v)
            work.append((v, True))
            work.extend(pushed(v.op.operands))
        return order

    # Memory.

    def in_memory(self, value: Value) -> bool:
        return self.plan.in_memory(value, self.group)

    def scratch(self, type_: TensorType) -> Value:
        value, buffer = Value(type_), Value(BufferType(type_.dtype, type_.shape))
        self.extra.append(value)
        self.outputs[value] = buffer
        return buffer

    def sums_buffer(self, result: Value) -> Value:
        compute = result.dtype.compute
        for buffer in self.outputs.values():
            if buffer.dtype is compute and buffer.shape == result.shape:
                return buffer
        return self.scratch(TensorType(compute, result.shape))

    def output(self, value: Value) -> Value:
        return self.outputs[value]

    def stores(self, value: Value) -> bool:
        return value in self.places or value in self.outputs

    def place(self, value: Value, index: Index) -> tuple[Value, Value]:
        if value in self.places:
            return self.places[value](index)
        return self.outputs[value], self.linear(index, value.shape)

    def keep_at(self, value: Value, place: Place) -> None:
        self.places[value] = place

    def read_through(self, value: Value, load: ReadElement) -> None:
        self.reads[value] = load

    @contextmanager
    def scope(self, group: Group | None = None, reducer: Reducer | None = None) -> Iterator[None]:
        outer = self.group, self.reducer, self.places, self.reads
        self.group, self.reducer = group or self.group, reducer or self.reducer
        self.places, self.reads = dict(self.places), dict(self.reads)
        yield
        self.group, self.reducer, self.places, self.reads = outer

    def set_checked(self, op: Op) -> None:
        self.checked.add(op)

    def is_checked(self, op: Op) -> bool:
        return op in self.checked

    def buffer(self, value: Value) -> Value:
        if value not in self.inputs:
            name = (value.op is None and value.name) or UNNAMED
            self.inputs[value] = Value(BufferType(value.dtype, value.shape), name=name)
        return self.inputs[value]
