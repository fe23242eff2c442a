"""What layouts ask of kernels, found out once for all launches that have a body in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from tfc.ir.core import Function, Op
from tfc.ir.kernels.ops import Assert, For, Launch, Repeat
from tfc.ir.ops.control import Control
from tfc.ir.ops.shape import Constant

from .in_place import Accesses

OpsByClass: TypeAlias = Mapping[type[Op], list[Op]]


def ops_by_class(region: Function) -> OpsByClass:
    """All ops of a kernel or of a loop body, those of regions included, in order: so that who looks
    for a few goes through none of the others."""
    found: defaultdict[type[Op], list[Op]] = defaultdict(list)

    def visit(region: Function) -> None:
        for op in region.body:
            found[type(op)].append(op)
            if op.regions:
                for inner in op.regions:
                    visit(inner)

    visit(region)
    return dict(found)


class KernelFacts:
    """Of the kernels of one body."""

    def __init__(self, kernel: Function) -> None:
        self.kernel = kernel
        self._ops: OpsByClass | None = None
        self._accesses: Accesses | None = None
        self._may_last: bool | None = None
        self._can_leave: bool | None = None

    @property
    def ops(self) -> OpsByClass:
        """Its ops by class."""
        if self._ops is None:
            self._ops = ops_by_class(self.kernel)
        return self._ops

    @property
    def accesses(self) -> Accesses:
        """What it does with its buffers."""
        if self._accesses is None:
            self._accesses = Accesses(self.kernel)
        return self._accesses

    def writes_over(self, launch: Launch, operands: Iterable[int], result: int) -> bool:
        """Whether it may write a result to the memory that these operands are in."""
        params = self.kernel.params
        target = params[len(launch.inputs) + result]
        return self.accesses.in_place([params[i] for i in operands], target)

    def pairs(self, launch: Launch) -> list[tuple[int, int]]:
        """The operands and results of which one could be in the memory of the other."""
        sizes = [(v.dtype.itemsize, v.tensor_type.size) for v in launch.inputs]
        possible = []
        for k, v in enumerate(launch.results):
            own = (v.dtype.itemsize, v.tensor_type.size)
            for i, size in enumerate(sizes):
                if size == own and v.rank and self.writes_over(launch, (i,), k):
                    possible.append((i, k))
        return possible

    @property
    def may_last(self) -> bool:
        """Whether it is a loop whose length its buffers do not tell."""
        if self._may_last is None:
            loops = (op for op in self.kernel.body if isinstance(op, For))
            self._may_last = Repeat in self.ops or any(loop.init for loop in loops)
        return self._may_last

    @property
    def can_leave(self) -> bool:
        """Whether it may end early: where a check fails, or a loop is interrupted."""
        if self._can_leave is None:
            self._can_leave = not all(map(_holds, self.ops.get(Assert, ()))) or any(
                isinstance(op, Repeat) and op.may_be_endless for op in self.ops.get(Repeat, ())
            )
        return self._can_leave


class KnownKernels:
    """The facts of a program's kernels, by their bodies."""

    def __init__(self) -> None:
        self._facts: dict[tuple[Op, ...], KernelFacts] = {}

    def of(self, kernel: Function) -> KernelFacts:
        facts = self._facts.get(kernel.body)
        if facts is None:
            facts = self._facts[kernel.body] = KernelFacts(kernel)
        return facts


def _holds(op: Op) -> bool:
    """Whether the condition of an `Assert` is known: a divisor that is no 0, say."""
    assert isinstance(op, Assert)
    known = op.condition.op
    return isinstance(known, Constant) and bool(known.value)


def outside_kernels(f: Function) -> Iterator[Op]:
    """The ops of a function of launches and of its control flow: all that are not in kernels."""
    for op in f.body:
        yield op
        if isinstance(op, Control):
            for region in op.regions:
                yield from outside_kernels(region)
