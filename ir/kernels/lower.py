"""From tensor ops to kernels: `lower` makes a function of launches, one for each fused group.

Kernels are written by pull: to store a value, ask for its element at the index of the loops
around; its op asks for elements of its operands in turn (`Op.at`), down to loads. Elementwise
ops apply their scalar op, index maps change the index, reductions open a loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ..algebra import Term
from ..core import Builder, Function, Op, Requirement, Value, copy_op
from ..extent import Extent, Shape, ceildiv, never_negative, product
from ..failures import Site
from ..ops.contraction import Matmul
from ..ops.control import Control
from ..ops.elementwise import Elementwise
from ..ops.host import HostCall
from ..ops.reduction import Reduction
from ..ops.scheduled import Scheduled
from ..ops.window import Conv
from ..types import INDEX, BufferType, TensorType
from .builder import LEAST_WORK, Index, KernelBuilder, Target
from .contraction import matrix_product
from .cpu import column_reductions, fused_attention, row_reductions
from .cpu.conv import depthwise, im2col
from .cpu.conv.access import walk
from .cpu.conv.im2col import is_tiled
from .cpu.data_movement import (
    gather_rows,
    max_unpool,
    transpose,
)
from .cpu.gemm.choice import Schedule
from .cpu.sorting import schedules
from .gpu import simt
from .ops import CHUNK, HostLaunch, Launch, Load, Reduce, Update, chunk_levels
from .plan.computed_operands import check_gathers
from .plan.fusion import fuse
from .plan.groups import Group, Plan, is_flat, operations, pull_cost
from .scalar_control import changed_in_place, read_array, store_control

PART = 4096  # elements of the last axis that one thread takes at a time


def lower(f: Function, target: Target | None = None, sites: list[Site] | None = None) -> Function:
    """`f` as launches of kernels and views. Its notes hold "sites", the places that can fail,
    "requires": (requirement, site) for what must hold of the extents before anything runs, and
    "bound": the sites of symbols that are bound to data.

    `sites` are those of the function that `f` is a region of.
    """
    target = target or Target()
    plan = fuse(f, grid=target.grid)
    if not target.grid:
        fused_attention.join(plan, f.returns)
    sites = [] if sites is None else sites
    b = Builder(f.name)
    env: dict[Value, Value] = {p: b.parameter(p.type, p.name) for p in f.params}
    pending = [op for op in f.body if op.results and op.result in plan.views]

    def show() -> None:
        for op in pending:
            if op.result not in env and op.operands[0] in env:
                copy_op(op, b, env)

    binds = deque(plan.binds)
    bound: dict[str, int] = {}  # symbols, and the sites of what binds them

    def bind(place: int) -> None:
        while binds and binds[0][0] <= place:
            _, op = binds.popleft()
            copy_op(op, b, env)
            sites.append(Site("size", "", op.location))
            bound[str(op.symbol)] = len(sites)

    show()
    for i, group in enumerate(plan.groups):
        bind(i)
        first = group.roots[0].op
        assert first is not None
        b.location = first.location
        launch: Op
        if isinstance(first, HostCall):
            outputs = list(first.results)
            sites.append(Site("host", first.mnemonic, first.location))
            launch = _host_launch(first, len(sites), env)
        elif isinstance(first, Control) and group.kind == "call":
            outputs = list(first.results)
            regions = {n: lower(getattr(first, n), target, sites) for n in first.spec.regions}
            launch = first.with_operands(lambda v: env[v]).replace(**regions)
        else:
            lowering = Lowering(group, plan, target, sites)
            kernel, inputs, outputs = lowering.kernel(f"{f.name}.k{i}")
            taken, types = tuple(env[v] for v in inputs), tuple(v.type for v in outputs)
            launch = Launch(taken, types, kernel)
            if lowering.updated:
                launch = Update(taken, types, kernel, len(lowering.updated))
        results = b.emit_all(launch)
        env.update(zip(outputs, results, strict=True))
        show()
    bind(len(plan.groups))
    returns = tuple(env[v] for v in f.returns)
    notes = {**f.notes, "requires": requirements(f, sites), "sites": sites, "bound": bound}
    return Function(f.name, tuple(b.params), tuple(b.body), returns, notes)


def _host_launch(op: HostCall, site: int, env: dict[Value, Value]) -> HostLaunch:
    """The call of `op`, as a function of its own, on what its operands have become."""
    operands = tuple(dict.fromkeys(op.operands))
    b = Builder(op.mnemonic)
    params = {v: b.parameter(v.type) for v in operands}
    results = b.emit_all(op.with_operands(lambda v: params[v]))
    types = tuple(v.type for v in op.results)
    return HostLaunch(tuple(env[v] for v in operands), types, site, b.build(*results))


def requirements(f: Function, sites: list[Site]) -> list[tuple[Requirement, int]]:
    """What only run time can tell of the extents in `f`, each once, and its site."""
    found: dict[Requirement, int] = {}
    for op in f.body:
        for requirement in op.requires():
            if requirement not in found and not never_negative(requirement.extent):
                sites.append(Site(requirement.check, op.mnemonic, op.location))
                found[requirement] = len(sites)
    return list(found.items())


class Lowering(KernelBuilder):
    """Writes the kernel of one group."""

    def __init__(self, group: Group, plan: Plan, target: Target, sites: list[Site]) -> None:
        super().__init__(target, sites)
        self.group = group
        self.plan = plan
        self.buffers: dict[Value, Value] = {}
        self.inputs: dict[Value, Value] = {}
        self.checked: set[Op] = set()  # whose indices were checked before
        self.updated: list[Value] = []  # what results start as: see `Update`
        self.alias: dict[Value, Value] = {}  # params of regions, and what they are
        self.arrays: dict[Value, Value] = {}  # vectors that are changed in place: their buffers
        self.locals: dict[Value, Callable[[Index], Value]] = {}  # how to load what a kernel keeps
        self.strips: dict[Value, Callable[[Index], tuple[Value, Value]]] = {}  # what chains keep
        self.extra: list[Value] = []  # scratch memory of the kernel, beside its outputs
        self.fused: dict[Op, None] = {r.op: None for r in group.roots if r.op is not None}
        self.team: Any = None  # what reduces the row at hand
        self.reduce_kind = "vector" if group.kind == "rows" else "serial"

    def kernel(self, name: str) -> tuple[Function, list[Value], list[Value]]:
        """The kernel, the values it loads and those it stores, in the order of its params. Its
        notes hold the tensor "ops" that it computes, and how many "results" are no scratch."""
        outputs = [r for r in self.group.roots if r in self.plan.stored]
        results = len(outputs)  # what follows is scratch memory
        op = self.group.roots[0].op
        if isinstance(op, Control):  # what is changed in place comes first
            pairs = changed_in_place(op)
            self.updated = [op.operands[i] for i in pairs]
            for v in self.updated:
                self.buffer(v)
            outputs.sort(key=lambda r: r.index not in pairs.values())
        self.outputs = {r: Value(BufferType(r.dtype, r.shape), name="out") for r in outputs}
        match op:
            case _ if self.group.kind == "chain":
                fused_attention.write(self)
            case Control():
                store_control(self, op)
            case Matmul():
                if not self.target.grid:
                    check_gathers(self, op)
                    Schedule(self, matrix_product(self, op)).write()
                elif not simt.gemm.write(self, op):
                    simt.elementwise.contraction(self, op)
            case Conv() if is_tiled(op) and self.target.grid and simt.gemm.write(self, op):
                pass
            case Conv() if not self.target.grid and (apart := depthwise.schedule(op)):
                apart(self, op).write()
            case Conv() if not self.target.grid and (is_tiled(op) or walk(op) is not None):
                im2col.write(self, op)
            case Scheduled():
                base = op.updated()
                if base is not None:
                    self.buffer(base)  # the first input
                    self.updated.append(base)
                write = simt.schedules.write if self.target.grid else schedules.write
                if not write(self, op):
                    extra = {Value(t): Value(BufferType(t.dtype, t.shape)) for t in op.scratch()}
                    outputs += extra
                    self.outputs |= extra
                    op.store(self, *self.outputs.values())
            case _ if self.group.kind == "columns":
                column_reductions.schedule(self)
            case _ if self.group.kind == "rows":
                row_reductions.schedule(self)
            case _:
                self._map()
        outputs += self.extra
        inputs = list(self.inputs)
        params = (*self.inputs.values(), *self.outputs.values())
        notes = {"ops": tuple(self.fused), "results": results}
        return Function(name, params, tuple(self.b.body), (), notes), inputs, outputs

    # What ops ask for.

    def element(self, value: Value, index: Index) -> Value:
        """The scalar at `index` of a tensor value."""
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
        """`element(k)` combined over k in [0, count)."""
        if self.team is not None:
            found: Index = self.team.reduce(count, combine, element)
            return found

        def tree(levels: int, low: Value, count: Value) -> Index:
            """The elements from `low` on, in chunks of chunks, so often (see `Reduce`)."""

            def one(params: Index) -> Sequence[Value]:
                return element((Term(self.b, low) + Term(self.b, params[0])).value)

            def chunk(params: Index) -> Sequence[Value]:
                first = Term(self.b, params[0]) * span
                rest = (Term(self.b, count) - first)._emit("minimum", span).value
                return tree(levels - 1, (first + Term(self.b, low)).value, rest)

            span = CHUNK**levels
            pieces = (Term(self.b, count) + (span - 1))._emit("floor_div", span).value
            body = self.region("body", (INDEX,), chunk if levels else one)
            return self.b.emit_all(
                Reduce(pieces, combine, "serial" if levels else self.reduce_kind, body)
            )

        return tree(chunk_levels(count), self.extent(0), self.extent(count))

    # Schedules.

    def ordered(self, shape: Shape, fill: Callable[[Index], None]) -> None:
        """`fill` for all indices of `shape`; what differs in the first axis one after another. On a
        grid a thread goes through that axis for each index of the others."""
        if not self.target.grid:
            self.nest(shape, fill, serial=1)
            return
        zero, count = self.extent(0), self.extent(shape[0])

        def column(rest: Index) -> None:
            self.loop(zero, count, lambda i: fill((i, *rest)))

        simt.elementwise.spread(self, shape[1:], column)

    def work(self) -> Extent:
        """About how many nanoseconds the group takes: by what it touches and computes."""
        total: Extent = 0
        seen: set[tuple[Value, Any]] = set()  # what several values need is computed once
        for root in self.group.roots:
            value = root.op.x if isinstance(root.op, Reduction) else root
            own = operations(root, self.plan, seen)
            total = total + value.type.size * (3 * value.dtype.itemsize + own)
        return total // 32

    def spread(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        """`nest` on any threads: those share the first axis of more than one, or blocks of the
        last. On a grid each index has a thread."""
        if self.target.grid:
            simt.elementwise.spread(self, shape, fill)
            return
        work = self.work()
        first = next((i for i, e in enumerate(shape) if e != 1), len(shape))
        if first == len(shape) or (isinstance(work, int) and work < LEAST_WORK):
            self.nest(shape, fill, serial)
            return
        zero, extent = self.extent(0), shape[first]
        outer = (zero,) * first
        if first < len(shape) - 1 or serial > first:
            rest = shape[first + 1 :]
            inner = max(0, serial - first - 1)
            self.parallel(
                extent, work, lambda i: self.nest(rest, lambda r: fill((*outer, i, *r)), inner)
            )
            return

        def block(number: Value) -> None:
            low = Term(self.b, number) * PART
            high = (low + PART)._emit("minimum", Term(self.b, self.extent(extent)))
            self.loop(low.value, high.value, lambda i: fill((*outer, i)), "vector")

        self.parallel(ceildiv(extent, PART), work, block)

    def _map(self) -> None:
        """One nest of loops; every value of the group is stored in its innermost body."""
        shape = self.group.shape
        if self.target.grid and simt.transpose.write(self):
            return
        if gather_rows.write(self) or max_unpool.write(self):
            return
        square = transpose.side(self)
        if square:
            transpose.write(self, square)
        elif shape and all(map(self.is_flat, self.group.roots)):
            index = unused(shape)

            def fill(flat: Index) -> None:
                self.flat = (index, flat[0])
                self.store_roots(index)
                self.flat = None

            self.spread((product(shape),), fill)
        else:
            self.spread(shape, self.store_roots)

    def is_flat(self, value: Value) -> bool:
        """Whether elements of a value need their linear index only (see `flat_element`)."""
        others = self.plan.stored - set(self.group.roots)
        return is_flat(value, others, self.plan.views)

    def flat_element(self, value: Value, offset: Value) -> Value:
        """The element of a value whose linear index is `offset`."""
        index = unused(value.shape)
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
        """Whether the elements of `value` are loaded."""
        if value.op is None or value in self.plan.views:
            return True
        return value in self.plan.stored and value not in self.group.roots

    def scratch(self, type_: TensorType) -> Value:
        """A buffer for the time of the kernel."""
        value, buffer = Value(type_), Value(BufferType(type_.dtype, type_.shape))
        self.extra.append(value)
        self.outputs[value] = buffer
        return buffer

    def epilogue_cost(self) -> int:
        """Scalar operations that each element of the group costs beside its first value."""
        return sum(pull_cost(r, self.plan) for r in self.group.roots[1:])

    def sums_buffer(self, result: Value) -> Value:
        """Where sums of a contraction are kept until they are complete: in the memory of what the
        kernel stores, if possible."""
        compute = result.dtype.compute
        for buffer in self.outputs.values():
            if buffer.dtype is compute and buffer.shape == result.shape:
                return buffer
        return self.scratch(TensorType(compute, result.shape))

    def buffer(self, value: Value) -> Value:
        if value not in self.inputs:
            name = value.name or "x"
            self.inputs[value] = Value(BufferType(value.dtype, value.shape), name=name)
        return self.inputs[value]


def unused(shape: Shape) -> Index:
    """An index that stands for a linear one."""
    return tuple(Value(INDEX, name="unused") for _ in shape)
