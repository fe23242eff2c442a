"""Control flow on scalars as one kernel: what loops carry stays in registers.

ir/passes/scalar_control.py tells which loops and branches can be one kernel. Vectors that such a
loop carries are one buffer that is changed in place. All other control flow is written as a native
function of launches (backends/cpu/launch_functions.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ..algebra import Term
from ..copying import copy_op
from ..core import Function, Op, Value
from ..kernel_op import LoopKind
from ..ops.control import Cond, Control, Scan, While
from ..ops.elementwise import Select
from ..ops.indexing import Scatter
from ..passes.scalar_control import Shape, changed_in_place, is_scalar
from ..types import INDEX
from .ops import Branch, For, Reload, Repeat
from .plan.groups import Group, Kind, Plan, Schedule, Uses

if TYPE_CHECKING:
    from .fused_builder import FusedKernelBuilder
    from .target import Target

SELECT_OPERATIONS_MAX = 12  # scalar operations: about what a branch that is guessed wrongly costs


@dataclass(frozen=True)
class ScalarControl(Schedule):
    """One kernel for control flow on scalars: what loops carry stays in registers."""

    kind = Kind.ALONE
    heads = (Control,)

    op: Control

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if not isinstance(op, Control) or not is_scalar(op):
            return None
        return (*op.results, *(v for v in op.operands if v.rank))

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        return cls(group.op) if isinstance(group.op, Control) else None

    def in_place(self) -> Mapping[Value, Value]:
        op = self.op
        return {op.operands[i]: op.results[j] for i, j in changed_in_place(op).items()}

    def emit(self, k: FusedKernelBuilder) -> None:
        store_control(k, self.op)


def store_control(lower: FusedKernelBuilder, op: Control) -> None:
    """Write the kernel of a branch or loop: its scalar results are stored behind it."""
    shape = Shape(op)
    if lower.reduce_kind == LoopKind.SERIAL:
        lower.reduce_kind = LoopKind.VECTOR
    for operand, number in shape.arrays.items():
        lower.arrays[op.operands[operand]] = lower.outputs[op.results[number]]
    rows = {v: lower.outputs[v] for v in op.results} if isinstance(op, Scan) else {}
    _control(lower, op, rows)
    for result in op.results:
        key = (result, (), None)
        if not result.rank and key in lower.memo:
            lower.store(lower.outputs[result], lower.extent(0), lower.memo[key])


def _control(
    lower: FusedKernelBuilder, op: Control, rows: dict[Value, Value] | None = None
) -> None:
    """Emit `op`, and note its results: scalars in `memo`, vectors in `arrays`."""
    lower.b.location = op.location
    arrays = Shape(op, inside=rows is None).arrays
    for operand, number in arrays.items():
        lower.arrays[op.results[number]] = lower.arrays[op.operands[operand]]
    results: Sequence[Value]
    match op:
        case Cond():
            results = _cond(lower, op)
        case While():
            results = _while(lower, op)
        case Scan():
            results = _scan(lower, op, rows or {})
        case _:
            raise NotImplementedError(op.mnemonic)
    scalars = [r for r in op.results if not r.rank and not (rows and r.index >= _carried(op))]
    for result, value in zip(scalars, results, strict=True):
        lower.memo[(result, (), lower.mask)] = value


def _carried(op: Control) -> int:
    return len(op.init) if isinstance(op, Scan) else len(op.results)


def _given(lower: FusedKernelBuilder, params: Sequence[Value], values: Sequence[Value]) -> None:
    """Let params of a region stand for values around it."""
    for p, v in zip(params, values, strict=True):
        if v in lower.arrays:
            lower.arrays[p] = lower.arrays[v]
        elif v.rank:
            lower.alias[p] = lower.alias.get(v, v)
        else:
            lower.define(p, (), lower.element(v, ()))


def _run(lower: FusedKernelBuilder, region: Function) -> list[Value]:
    """Emit what a region does, in its order; its scalar results."""
    for op in region.body:
        if isinstance(op, Control):
            _control(lower, op)
        elif isinstance(op, Scatter):
            lower.b.location = op.location
            buffer = lower.arrays[op.result] = lower.arrays[op.base]
            op.change(lower, buffer, (lower.extent(0),))
        elif not op.results[0].rank:
            lower.element(op.results[0], ())
    return [lower.element(v, ()) for v in region.returns if not v.rank]


def _cond(lower: FusedKernelBuilder, op: Cond) -> Sequence[Value]:
    predicate = lower.element(op.predicate, ())

    def branch(region: Function) -> Function:
        def fill(_: Any) -> list[Value]:
            _given(lower, region.params, op.args)
            return _run(lower, region)

        made: Function = lower.region("branch", (), fill)
        return made

    then, orelse = branch(op.then), branch(op.orelse)
    if _cheap(then) and _cheap(orelse):
        return _selected(lower, predicate, then, orelse)
    found: Sequence[Value] = lower.b.emit_all(Branch(predicate, then, orelse))
    return found


def _cheap(f: Function) -> bool:
    """Whether computing both branches costs less than guessing which one it is."""
    if any(op.effect or op.regions for op in f.body):
        return False
    return sum(op.element_cost() for op in f.body) <= SELECT_OPERATIONS_MAX


def _selected(
    lower: FusedKernelBuilder, predicate: Value, then: Function, orelse: Function
) -> list[Value]:
    """Emit both branches, and choose between what they give."""
    sides = []
    for f in (then, orelse):
        env: dict[Value, Value] = {}
        for op in f.body:
            copy_op(op, lower.b, env)
        sides.append([env.get(v, v) for v in f.returns])
    pairs = zip(*sides, strict=True)
    return [x if x is y else lower.emit(Select(predicate, x, y)) for x, y in pairs]


def _while(lower: FusedKernelBuilder, op: While) -> Sequence[Value]:
    count = len(op.init)
    scalars = [i for i, v in enumerate(op.init) if not v.rank]
    init = tuple(lower.element(op.init[i], ()) for i in scalars)
    for v in op.captured:
        if not v.rank:
            lower.element(v, ())  # once, before the loop

    def region(f: Function) -> Function:
        def fill(params: Sequence[Value]) -> list[Value]:
            for i, p in zip(scalars, params, strict=True):
                lower.define(f.params[i], (), p)
            for i, v in enumerate(op.init):
                if v.rank:
                    lower.arrays[f.params[i]] = lower.arrays[v]
            _given(lower, f.params[count:], op.captured)
            return _run(lower, f)

        made: Function = lower.region("body", [v.type for v in init], fill)
        return made

    found: Sequence[Value] = lower.b.emit_all(Repeat(init, region(op.condition), region(op.body)))
    return found


def _scan(lower: FusedKernelBuilder, op: Scan, rows: dict[Value, Value]) -> Sequence[Value]:
    n, m = len(op.init), len(op.xs)
    scalars = [i for i, v in enumerate(op.init) if not v.rank]
    init = tuple(lower.element(op.init[i], ()) for i in scalars)
    for v in op.captured:
        if not v.rank:
            lower.element(v, ())
    total = lower.extent(op.count)
    f = op.body

    def fill(params: Sequence[Value]) -> list[Value]:
        place, *carried = params
        if op.reverse:
            place = (Term(lower.b, total) - 1 - Term(lower.b, place)).value
        lower.define(f.params[0], (), place)
        for i, p in zip(scalars, carried, strict=True):
            lower.define(f.params[1 + i], (), p)
        for i, v in enumerate(op.init):
            if v.rank:
                lower.arrays[f.params[1 + i]] = lower.arrays[v]
        for p, x in zip(f.params[1 + n : 1 + n + m], op.xs, strict=True):
            lower.define(p, (), lower.element(x, (place,)))
        _given(lower, f.params[1 + n + m :], op.captured)
        values = _run(lower, f)
        for result, value in zip(op.results[n:], values[len(scalars) :], strict=True):
            lower.store(rows[result], place, value)
        return values[: len(scalars)]

    body = lower.region("body", (INDEX, *(v.type for v in init)), fill)
    found: Sequence[Value] = lower.b.emit_all(
        For(lower.extent(0), total, init, 1, LoopKind.SERIAL, body)
    )
    return found


def read_array(lower: FusedKernelBuilder, buffer: Value, index: tuple[Value, ...]) -> Value:
    """An element of a vector that is changed in place, as it is now."""
    return lower.emit(Reload(buffer, index[0], lower.mask))
