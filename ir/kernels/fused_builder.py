"""The kernel of one fused group, as it is written: elements are pulled, op by op.

To store a value, a schedule asks for its element at the index of the loops around; its op asks for
elements of its operands in turn (`Op.at`), down to loads. Elementwise ops apply their scalar op,
index maps change the index, reductions open a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..algebra import Term
from ..core import Function, Op, Value
from ..element_builder import Index
from ..extent import Extent, Shape
from ..failures import Site
from ..kernel_op import LoopKind
from ..ops.elementwise import Elementwise
from ..ops.reduction import CHUNK, chunk_levels
from ..types import INDEX, BufferType, TensorType
from .builder import KernelBuilder
from .ops import Load, Reduce
from .plan.groups import Group, Kind, Plan, is_flat
from .plan.machine import Machine
from .scalar_control import read_array
from .target import Target


class FusedKernelBuilder(KernelBuilder):
    """Emits the kernel of one group: its schedule opens the loops, and asks for elements."""

    def __init__(
        self, group: Group, plan: Plan, machine: Machine, target: Target, sites: list[Site]
    ) -> None:
        super().__init__(target, sites)
        self.group = group
        self.plan = plan
        self.machine = machine
        self.buffers: dict[Value, Value] = {}
        self.inputs: dict[Value, Value] = {}
        self.checked: set[Op] = set()  # whose indices were checked before
        self.updated: list[Value] = []  # what results start as: see `Update`
        self.alias: dict[Value, Value] = {}  # params of regions, and what they are
        self.arrays: dict[Value, Value] = {}  # vectors that are changed in place: their buffers
        self.locals: dict[Value, Callable[[Index], Value]] = {}  # how to load what a kernel keeps
        # Where the strips are that fused attention keeps.
        self.strips: dict[Value, Callable[[Index], tuple[Value, Value]]] = {}
        self.extra: list[Value] = []  # scratch memory of the kernel, beside its outputs
        self.fused: dict[Op, None] = {r.op: None for r in group.roots if r.op is not None}
        self.team: Any = None  # what reduces the row at hand
        self.reduce_kind = LoopKind.VECTOR if group.kind is Kind.ROWS else LoopKind.SERIAL

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
        value = self.alias.get(value, value)
        op = value.op
        if value in self.arrays:
            result = read_array(self, self.arrays[value], index)
        elif value in self.locals:
            result = self.locals[value](index)
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
            outer, self.b.location = self.b.location, op.location
            result = op.at(self, index)  # type: ignore[attr-defined]
            self.b.location = outer
        self.memo[key] = result
        return result

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        if self.team is not None:
            found: Index = self.team.reduce(count, combine, element)
            return found

        def tree(levels: int, low: Value, count: Value) -> Index:
            """The elements from `low` on, in chunks of chunks, so often (see `Reduce`)."""

            def one(params: Index) -> Sequence[Value]:
                return element((Term(self.b, low) + Term(self.b, params[0])).value)

            def chunk(params: Index) -> Sequence[Value]:
                first = Term(self.b, params[0]) * span
                rest = (Term(self.b, count) - first).minimum(span).value
                return tree(levels - 1, (first + Term(self.b, low)).value, rest)

            span = CHUNK**levels
            pieces = ((Term(self.b, count) + (span - 1)) // span).value
            body = self.region("body", (INDEX,), chunk if levels else one)
            return self.b.emit_all(
                Reduce(pieces, combine, LoopKind.SERIAL if levels else self.reduce_kind, body)
            )

        return tree(chunk_levels(count), self.extent(0), self.extent(count))

    def define(self, value: Value, index: Index, element: Value) -> None:
        """From now on, in this region, `value` has this element at `index`."""
        self.memo[value, index, None] = element

    # How work is dealt out.

    def ordered(self, shape: Shape, fill: Callable[[Index], None]) -> None:
        self.machine.ordered(self, shape, fill)

    def spread(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        self.machine.spread(self, shape, fill, serial)

    @cached_property
    def cost(self) -> Extent:
        """About how many nanoseconds the kernel takes one thread: see `Schedule.cost`."""
        schedule = self.group.schedule
        assert schedule is not None
        return schedule.cost(self.group, self.plan, self.target)

    def is_flat(self, value: Value) -> bool:
        """Whether elements of a value need their linear index only (see `flat_element`)."""
        others = self.plan.stored.difference(self.group.roots)
        return is_flat(value, others, self.plan.views)

    def flat_element(self, value: Value, offset: Value) -> Value:
        """The element of a value whose linear index is `offset`."""
        index = self.unused(value.shape)
        outer, self.flat = self.flat, (index, offset)
        result = self.element(value, index)
        self.flat = outer
        return result

    def store_roots(self, index: Index, roots: Sequence[Value] | None = None) -> None:
        """Store the elements at `index` of the group's roots, or of some of them."""
        for root in self.group.roots if roots is None else roots:
            scalar = self.element(root, index)
            if root in self.outputs:
                self.store(self.outputs[root], self.linear(index, root.shape), scalar)
            elif root in self.strips:
                self.store(*self.strips[root](index), scalar)

    def _warm(self, values: Sequence[Value], index: Index) -> None:
        """Compute what elementwise ops pull for `values` at `index`, operands first, so that deep
        chains of ops do not become deep recursions."""
        order: list[Value] = []
        seen: set[Value] = set()
        work = [(v, False) for v in values]
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
            work.extend((x, False) for x in v.op.operands)
        for v in order:
            self.element(v, index)

    # What contractions ask for (see ir/kernels/cpu/gemm/choice.py).

    def pull(self) -> None:
        """The group's values element by element."""
        self.nest(self.group.shape, self.store_roots)

    def in_memory(self, value: Value) -> bool:
        return self.plan.in_memory(value, self.group)

    def scratch(self, type_: TensorType) -> Value:
        """A buffer for the time of the kernel."""
        value, buffer = Value(type_), Value(BufferType(type_.dtype, type_.shape))
        self.extra.append(value)
        self.outputs[value] = buffer
        return buffer

    def epilogue_cost(self) -> int:
        """Scalar operations that each element of the group costs beside its first value."""
        return self.plan.epilogue_cost(self.group)

    def sums_buffer(self, result: Value) -> Value:
        """Where sums of a contraction are kept until they are complete: in the memory of what the
        kernel stores, if possible."""
        compute = result.dtype.compute
        for buffer in self.outputs.values():
            if buffer.dtype is compute and buffer.shape == result.shape:
                return buffer
        return self.scratch(TensorType(compute, result.shape))

    def is_checked(self, op: Op) -> bool:
        return op in self.checked

    def buffer(self, value: Value) -> Value:
        if value not in self.inputs:
            name = value.name or "x"
            self.inputs[value] = Value(BufferType(value.dtype, value.shape), name=name)
        return self.inputs[value]

    @staticmethod
    def unused(shape: Shape) -> Index:
        """An index that stands for a linear one."""
        return tuple(Value(INDEX, name="unused") for _ in shape)
