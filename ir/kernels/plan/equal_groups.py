"""Groups that have equal kernels: the layers of a network, the steps of an unrolled loop.

A kernel follows from what its group computes of what is in memory, and from the schedule. All of
that is in a description, with numbers for values. Groups of equal descriptions have the same
kernel, to the names and lines that stand in its text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set
from functools import cache
from typing import Any

import numpy as np

from ...attributes import attribute_key
from ...core import Function, Op, Value
from ...dtypes import DType
from ...extent import Expr
from ...types import BufferType, TensorType
from ...value_classes import NamedTuple
from .groups import Group, Kind, Plan

_PLAIN = frozenset(  # which stand for themselves
    {int, str, bool, type(None), DType, Expr, Kind, TensorType, BufferType}
)
ARRAY_MAX = 64  # elements of an attribute that groups are told apart by


class Description(NamedTuple):
    """A group by what its kernel follows from."""

    key: Any
    values: list[Value]  # by number
    ops: list[Op]


class _Unlike(Exception):
    """A group is taken for unlike all others."""


def describe(group: Group, plan: Plan) -> Description | None:
    """The description of `group`; None where it is not worth one."""
    numbering = _Numbering(group, plan)
    try:
        numbering.number(group.roots)
        key = numbering.group(group), tuple(numbering.rows), numbering.aliases()
    except _Unlike:
        return None
    return Description(key, list(numbering.numbers), list(numbering.ops))


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Those of a dataclass; None for other classes."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple([field.name for field in dataclasses.fields(kind)])


class _Numbering:
    """Numbers of values and ops, in the order in which they are come upon."""

    def __init__(self, group: Group, plan: Plan) -> None:
        self.own, self.plan = group, plan
        self.numbers: dict[Value, int] = {}
        self.ops: dict[Op, int] = {}
        self.rows: list[Any] = []

    def number(self, roots: list[Value]) -> None:
        """Number what the roots are made of, operands first."""
        work = roots[::-1]
        while work:
            v = work.pop()
            if v in self.numbers:
                continue
            if self.plan.in_memory(v, self.own):
                self.numbers[v] = len(self.numbers)
                self.rows.append((v.type, v.name if v.op is None else ""))
                continue
            assert v.op is not None
            missing = [x for x in v.op.operands if x not in self.numbers]
            if missing:
                work += [v, *reversed(missing)]
            else:
                self.computed(v.op)

    def computed(self, op: Op) -> None:
        fields = [self.encoded(getattr(op, name)) for name in op.spec.annotations]
        self.ops[op] = len(self.ops)
        for v in op.results:
            self.numbers[v] = len(self.numbers)
        kept = [(v.type, v in self.plan.stored) for v in op.results]
        self.rows.append((type(op), op.again, op.location, *fields, *kept))

    def aliases(self) -> Any:
        found = self.plan.row_aliases
        return tuple((i, self.encoded(found[v])) for v, i in self.numbers.items() if v in found)

    def group(self, group: Group) -> Any:
        roots, down = self.encoded(group.roots), self.encoded(group.down)
        parts = tuple(self.group(part) for part in group.parts)
        return group.kind, group.shape, roots, down, parts, self.encoded(group.schedule)

    def encoded(self, x: Any) -> Any:
        """What is equal for fields that say the same; others are as they are."""
        kind: Any = type(x)
        if kind in _PLAIN:
            return x
        if kind is Value:
            if x not in self.numbers:
                raise _Unlike
            return "value", self.numbers[x]
        if isinstance(x, tuple | list):
            return tuple([v if type(v) in _PLAIN else self.encoded(v) for v in x])
        if isinstance(x, Op):
            if x not in self.ops:
                raise _Unlike
            return "op", self.ops[x]
        if isinstance(x, Function | Group) or (isinstance(x, np.ndarray) and x.size > ARRAY_MAX):
            raise _Unlike
        names = _field_names(kind)
        if names is not None:
            return kind, *[self.encoded(getattr(x, name)) for name in names]
        if isinstance(x, Mapping):
            return tuple((self.encoded(k), self.encoded(v)) for k, v in x.items())
        if isinstance(x, Set):
            return frozenset(map(self.encoded, x))
        return attribute_key(x)
