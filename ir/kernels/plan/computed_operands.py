"""How an operand of a contraction is computed, where it is not in memory: by which ops, from what,
and along which axis that lies."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from ...axis_map import AxisMap
from ...core import Op, Value
from ...dtypes import int64
from ...kernel_op import LoopKind
from ...ops.complex import Conj
from ...ops.gather import Gather
from ...ops.shape import Transpose
from ...value_classes import dataclass, field
from ..ops import Load

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder


@dataclass
class Prologue:
    """How an operand is computed."""

    ops: dict[Op, None] = field(default_factory=dict)
    # What is loaded, and which axis of it runs along the first and second of the operand's last
    # two axes (None where it is the same all along).
    leaves: dict[Value, tuple[int | None, int | None]] = field(default_factory=dict)
    # What is repeated along one of these axes: it is stored, if it is not yet.
    rows: list[Value] = field(default_factory=list)

    @property
    def gathers(self) -> list[Gather]:
        """What reads rows at indices, which have to be checked before."""
        return [op for op in self.ops if isinstance(op, Gather)]

    @property
    def cost(self) -> int:
        """Scalar operations of an element."""
        return sum(op.element_cost() for op in self.ops)

    @property
    def large(self) -> list[Value]:
        """What is loaded at a place of its own for each element."""
        return [v for v, axes in self.leaves.items() if None not in axes]

    @property
    def loads(self) -> int:
        """Bytes that are loaded for an element."""
        return sum(v.dtype.itemsize for v in self.large)

    @property
    def inner(self) -> int | None:
        """Which of the two axes all that is loaded lies along; None where there is no such one."""
        along = set()
        for v in self.large:
            if v.rank - 1 not in self.leaves[v]:
                return None
            along.add(self.leaves[v].index(v.rank - 1))
        inner = along.pop() if along else 1
        vectors = [v for v, axes in self.leaves.items() if axes[1 - inner] is None]
        straight = all(self.leaves[v][inner] in (None, v.rank - 1) for v in vectors)
        return inner if straight and not along else None


def prologue(value: Value, kept: Callable[[Value], bool]) -> Prologue | None:
    """How `value` is computed from what is kept; None where it cannot be pulled into packing."""
    found = Prologue()
    work: list[tuple[Value, tuple[int | None, int | None]]]
    work = [(value, (value.rank - 2, value.rank - 1))]
    seen = set()
    while work:
        v, axes = work.pop()
        if (v, axes) in seen:
            continue
        seen.add((v, axes))
        op = v.op
        if v is not value and (op is None or kept(v)):
            if found.leaves.setdefault(v, axes) != axes:
                return None  # read in two ways
            continue
        if op is None:
            return None
        found.ops[op] = None
        if isinstance(op, Gather) and op.axis == 0:
            indices = op.indices
            by_rows = tuple(None if a is None or a >= indices.rank else a for a in axes)
            found.leaves.setdefault(indices, by_rows)  # type: ignore[arg-type]
            if indices.op is not None and not kept(indices):
                found.rows.append(indices)
            inner = tuple(None if a is None else max(0, a + 1 - indices.rank) for a in axes)
            work.append((op.x, inner))  # type: ignore[arg-type]
            continue
        if op.can_fail or (v.rank and not op.operands):
            return None
        for x, maps in zip(op.operands, op.operand_indices(), strict=True):
            if maps is None or not all(_one_by_one(m, v.rank) for m in maps):
                return None
            along = {m.axis: a for a, m in enumerate(maps)}
            inner = tuple(None if a is None else along.get(a) for a in axes)
            repeated = any(a is not None and a not in along and v.shape[a] != 1 for a in axes)
            if repeated and inner != (None, None):
                found.leaves.setdefault(x, inner)  # type: ignore[arg-type]
                if x.op is not None and not kept(x):
                    found.rows.append(x)
            else:
                work.append((x, inner))  # type: ignore[arg-type]
    return None if found.inner is None else found


def _one_by_one(m: AxisMap, rank: int) -> bool:
    """Whether neighbours in the result are neighbours where they are read, along an axis of the
    result (it has `rank` of them)."""
    return m.axis is None or (m.axis < rank and m.stride == m.step == 1)


def untransposed(v: Value, stored: Collection[Value] = ()) -> Value:
    """What is read for `v`, where a transpose or a conjugate costs nothing."""
    while isinstance(v.op, Transpose | Conj) and v not in stored:
        v = v.op.x
    return v


def check_gathers(lower: GroupBuilder, op: Op) -> None:
    """Check the indices of all rows that operands of `op` gather, so that nothing that can fail is
    in the loops that threads share."""
    for value in op.operands:
        found = None if lower.in_memory(value) else prologue(value, lower.in_memory)
        for gather in found.gathers if found is not None else ():
            bound = lower.extent(gather.x.shape[0])

            def check(i: Value, gather: Gather = gather, bound: Value = bound) -> None:
                raw = lower.emit(Load(lower.buffer(gather.indices), i, None))
                lower.check_index(lower.cast(raw, int64), bound, gather)

            count = lower.extent(gather.indices.tensor_type.size)
            lower.loop(lower.extent(0), count, check, LoopKind.VECTOR)
            lower.set_checked(gather)
