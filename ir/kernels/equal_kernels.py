"""The kernels of one function: groups that are equal have one, which is written once."""

from __future__ import annotations

from typing import Any

from ..core import Function, Value
from ..failures import Site
from ..types import TensorType
from ..value_classes import NamedTuple
from .fused_builder import FusedKernelBuilder
from .plan.equal_groups import Description, describe
from .plan.groups import Group, Plan
from .plan.machine import Machine
from .target import Target


class Made(NamedTuple):
    """The kernel of a group."""

    kernel: Function
    inputs: list[Value]  # what it loads, in the order of its params
    outputs: list[Value]  # what it stores, scratch memory behind its results
    updated: int  # how many of the outputs start as the inputs of the same number: see `Update`


class _Pattern(NamedTuple):
    """A kernel for all groups of one description: values and ops by their numbers there."""

    kernel: Function
    inputs: tuple[int, ...]
    outputs: tuple[int | TensorType, ...]  # a type: of scratch memory
    updated: int
    ops: tuple[int, ...]

    def made(self, group: Description, name: str) -> Made:
        """The kernel for another group. The body is the same object, which passes over kernels and
        code generators know again."""
        inputs = [group.values[i] for i in self.inputs]
        outputs = [group.values[i] if isinstance(i, int) else Value(i) for i in self.outputs]
        notes = {**self.kernel.notes, "ops": tuple(group.ops[i] for i in self.ops)}
        kernel = self.kernel.renamed(name, notes)
        return Made(kernel, inputs, outputs, self.updated)


class Kernels:
    """Writes the kernels of groups."""

    def __init__(self, machine: Machine, target: Target, sites: list[Site]) -> None:
        self.machine = machine
        self.target = target
        self.sites = sites
        self._patterns: dict[Any, _Pattern | None] = {}

    def of(self, group: Group, plan: Plan, name: str) -> Made:
        """The kernel of a group."""
        description = describe(group, plan)
        known = None if description is None else self._patterns.get(description.key)
        if description is not None and known is not None:
            return known.made(description, name)
        sites = len(self.sites)
        fused = FusedKernelBuilder(group, plan, self.machine, self.target, self.sites)
        kernel, inputs, outputs = fused.kernel(name)
        made = Made(kernel, inputs, outputs, len(fused.updated))
        if description is not None and len(self.sites) == sites:  # what fails has its own number
            self._patterns[description.key] = _pattern(made, description)
        return made


def _pattern(made: Made, group: Description) -> _Pattern | None:
    """None where a kernel has to do with something that does not belong to its group."""
    values = {v: i for i, v in enumerate(group.values)}
    ops = {op: i for i, op in enumerate(group.ops)}
    if not (values.keys() >= {*made.inputs} and ops.keys() >= {*made.kernel.notes["ops"]}):
        return None
    return _Pattern(
        made.kernel,
        tuple(values[v] for v in made.inputs),
        tuple(values.get(v, v.tensor_type) for v in made.outputs),
        made.updated,
        tuple(ops[op] for op in made.kernel.notes["ops"]),
    )
