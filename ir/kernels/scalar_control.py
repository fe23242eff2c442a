"""Control flow on scalars as one kernel: what loops carry stays in registers.

ir/passes/scalar_control.py tells which loops and branches can be one kernel. Vectors that such a
loop carries are one buffer that is changed in place. All other control flow is written as a native
function of launches (backends/cpu/launch_functions.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from ..algebra import Term
from ..copying import copy_op
from ..core import Function, Op, Value
from ..element_builder import Index
from ..kernel_op import LoopKind
from ..ops.control import Cond, Control, Scan, While
from ..ops.elementwise import Select
from ..ops.indexing import Scatter
from ..passes.scalar_control import Shape, changed_in_place, is_scalar
from ..types import INDEX
from ..value_classes import dataclass
from .ops import Branch, For, Reload, Repeat
from .plan.groups import Group, Kind, Plan, Schedule, Uses
from .plan.reasons import Mismatch
from .tree_reducer import TreeReducer

if TYPE_CHECKING:
    from .group_builder import GroupBuilder
    from .target import Target

# Scalar operations of both branches up to which both are computed and one is selected: about what
# a branch costs that is guessed wrongly. Not measured: no benchmark has such a branch.
SELECT_OPERATIONS_MAX = 12


@dataclass(frozen=True)
class ScalarControl(Schedule):
    """One kernel for control flow on scalars: what loops carry stays in registers."""

    takes = "control flow on scalars"
    kind = Kind.ALONE
    heads = begins = (Control,)

    op: Control

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if not isinstance(op, Control) or not is_scalar(op):
            return None
        return (*op.results, *(v for v in op.operands if v.rank))

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        assert isinstance(op, Control)
        return cls(op)

    def in_place(self) -> Mapping[Value, Value]:
        op = self.op
        return {op.operands[i]: op.results[j] for i, j in changed_in_place(op).items()}

    def emit(self, lower: GroupBuilder) -> None:
        with lower.scope(reducer=TreeReducer(lower, LoopKind.VECTOR)):
            _Writer(lower).write(self.op)


class _Writer:
    """Writes the kernel of a branch or loop. Its scalars are registers; a vector that a loop
    carries is a buffer, which is changed in place."""

    def __init__(self, lower: GroupBuilder) -> None:
        self.lower = lower
        self.arrays: dict[Value, Value] = {}  # the buffers of such vectors

    def write(self, op: Control) -> None:
        """The whole kernel: scalar results of `op` are stored behind it."""
        lower = self.lower
        for operand, number in Shape(op).arrays.items():
            self.keep(op.operands[operand], lower.output(op.results[number]))
        rows = {v: lower.output(v) for v in op.results} if isinstance(op, Scan) else {}
        for result, value in self.control(op, rows).items():
            lower.store(lower.output(result), lower.extent(0), value)

    def keep(self, value: Value, buffer: Value) -> None:
        """A vector is in this buffer."""
        lower, self.arrays[value] = self.lower, buffer

        def load(index: Index) -> Value:
            """An element as it is now."""
            return lower.emit(Reload(buffer, index[0], lower.mask))

        lower.read_through(value, load)

    def control(self, op: Control, rows: dict[Value, Value] | None = None) -> dict[Value, Value]:
        """Emit `op`; its scalar results, which are known from then on."""
        lower = self.lower
        lower.b.location = op.location
        arrays = Shape(op, inside=rows is None).arrays
        for operand, number in arrays.items():
            self.keep(op.results[number], self.arrays[op.operands[operand]])
        results: Sequence[Value]
        match op:
            case Cond():
                results = self.cond(op)
            case While():
                results = self.repeat(op)
            case Scan():
                results = self.scan(op, rows or {})
            case _:
                raise NotImplementedError(op.mnemonic)
        scalars = [r for r in op.results if not r.rank]
        for result, value in zip(scalars, results, strict=True):
            lower.define(result, (), value)
        return dict(zip(scalars, results, strict=True))

    def given(self, params: Sequence[Value], values: Sequence[Value]) -> None:
        """Let params of a region stand for values around it."""
        lower = self.lower
        for p, v in zip(params, values, strict=True):
            if v in self.arrays:
                self.keep(p, self.arrays[v])
            elif v.rank:
                lower.read_through(p, partial(lower.element, v))
            else:
                lower.define(p, (), lower.element(v, ()))

    def run(self, region: Function) -> list[Value]:
        """Emit what a region does, in its order; its scalar results."""
        lower = self.lower
        for op in region.body:
            if isinstance(op, Control):
                self.control(op)
            elif isinstance(op, Scatter):
                lower.b.location = op.location
                buffer = self.arrays[op.base]
                self.keep(op.result, buffer)
                op.change(lower, buffer, (lower.extent(0),))
            elif not op.results[0].rank:
                lower.element(op.results[0], ())
        return [lower.element(v, ()) for v in region.returns if not v.rank]

    def cond(self, op: Cond) -> Sequence[Value]:
        lower = self.lower
        predicate = lower.element(op.predicate, ())

        def branch(region: Function) -> Function:
            def fill(_: Any) -> list[Value]:
                self.given(region.params, op.args)
                return self.run(region)

            made: Function = lower.region("branch", (), fill)
            return made

        then, orelse = branch(op.then), branch(op.orelse)
        if _cheap(then) and _cheap(orelse):
            return _selected(lower, predicate, then, orelse)
        found: Sequence[Value] = lower.b.emit_all(Branch(predicate, then, orelse))
        return found

    def repeat(self, op: While) -> Sequence[Value]:
        lower = self.lower
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
                        self.keep(f.params[i], self.arrays[v])
                self.given(f.params[count:], op.captured)
                return self.run(f)

            made: Function = lower.region("body", [v.tensor_type for v in init], fill)
            return made

        found: Sequence[Value] = lower.b.emit_all(
            Repeat(init, region(op.condition), region(op.body))
        )
        return found

    def scan(self, op: Scan, rows: dict[Value, Value]) -> Sequence[Value]:
        lower = self.lower
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
                    self.keep(f.params[1 + i], self.arrays[v])
            for p, x in zip(f.params[1 + n : 1 + n + m], op.xs, strict=True):
                lower.define(p, (), lower.element(x, (place,)))
            self.given(f.params[1 + n + m :], op.captured)
            values = self.run(f)
            for result, value in zip(op.results[n:], values[len(scalars) :], strict=True):
                lower.store(rows[result], place, value)
            return values[: len(scalars)]

        body = lower.region("body", (INDEX, *(v.tensor_type for v in init)), fill)
        found: Sequence[Value] = lower.b.emit_all(
            For(lower.extent(0), total, init, 1, LoopKind.SERIAL, body)
        )
        return found


def _cheap(f: Function) -> bool:
    """Whether computing both branches costs less than guessing which one it is."""
    if any(op.effect or op.regions for op in f.body):
        return False
    return sum(op.element_cost() for op in f.body) <= SELECT_OPERATIONS_MAX


def _selected(
    lower: GroupBuilder, predicate: Value, then: Function, orelse: Function
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
