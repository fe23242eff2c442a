"""The plan of a function's kernels, which `fuse` makes and schedules read: its groups, how each of
them becomes a kernel, what they read, and what that costs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Self

from ...axis_map import AxisMap, AxisMaps, same_index
from ...core import Op, Value
from ...extent import Extent, Shape, floordiv, largest, product
from ...ops.elementwise import Elementwise
from ...ops.extents import BindExtent
from ...ops.random import RandomBits
from ...ops.reduction import Reduction
from ...ops.shape import Broadcast, Constant
from ...value_classes import NamedTuple, dataclass, field
from .reasons import OTHER_KIND, Mismatch, Reasons

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder
    from ..target import Target

Index = tuple[object, ...]  # an element's index as far as fusion sees it

# Scalar operations of one thread: 16 lanes, twice a nanosecond. With it, estimates of the
# benchmarks' kernels are within a factor of two or three of what they take.
OPERATIONS_PER_NANOSECOND = 32
# Operations of a loop whose extent nobody knows, as many as make its result worth storing. Not
# measured: nothing is known of such extents.
UNKNOWN_EXTENT_OPERATIONS = 200


class Kind(Enum):
    """What the values of a group have in common; see `_joins` in fusion.py for what that allows."""

    ELEMENTS = "elements"  # each element is computed at the index of the loops around it
    ROWS = "rows"  # reduced along the lanes, and what is computed row by row
    COLUMNS = "columns"  # reduced beside the lanes
    CONTRACTION = "contraction"  # a matrix product or convolution, and its epilogue
    ALONE = "alone"  # the results of one op, with nothing else
    CALL = "call"  # no kernel: a call of the host, or a launch function of several kernels


@dataclass(eq=False)
class Group:
    """The values that one kernel computes, in this order, over one nest of loops. It stores those
    that are `Plan.stored`; the others are only read by it, at the same index."""

    kind: Kind
    shape: Shape
    roots: list[Value] = field(default_factory=list)
    # The groups that it is made of: of attention, or of a convolution that is pooled.
    parts: tuple[Group, ...] = ()
    # Roots of a group of rows that are reductions down its columns: see row_column_reductions.py.
    down: list[Value] = field(default_factory=list)
    streams: set[Value] = field(default_factory=set)  # what its loops go through: see `_streams`
    schedule: Schedule | None = None  # chosen when the plan is complete; None for calls

    @property
    def op(self) -> Op:
        """The op of the first root, which says what the group is for."""
        op = self.roots[0].op
        assert op is not None
        return op


@dataclass
class Plan:
    """What `fuse` decided."""

    stored: set[Value]
    views: dict[Value, Value]  # a reshape's result, and the stored value whose memory it shows
    groups: list[Group]
    binds: list[tuple[int, BindExtent]] = field(default_factory=list)  # each before that group
    # Values of which a kernel keeps a row, and the results in whose memory the row is until these
    # are stored there.
    row_aliases: dict[Value, Value] = field(default_factory=dict)
    barrier: int = 0  # nothing later goes into a group before this one: extents get values there
    reasons: Reasons = field(default_factory=Reasons)
    # What `needs` has found, for what is stored now.
    needed: dict[object, list[tuple[Value, Index | None]]] = field(default_factory=dict)
    # What `whole_axes` has found.
    axes: dict[Op, tuple[AxisMaps, ...] | None] = field(default_factory=dict)

    def store(self, values: Iterable[Value]) -> None:
        """Let these be stored, too."""
        self.stored.update(values)
        self.needed.clear()

    def store_only(self, values: Collection[Value]) -> None:
        """Let nothing be stored but these, as far as they are."""
        self.stored.intersection_update(values)
        self.needed.clear()

    def in_memory(self, value: Value, group: Group) -> bool:
        """Whether the kernel of `group` loads the elements of `value`."""
        if value.op is None or value in self.views:
            return True
        return value in self.stored and value not in group.roots

    def outputs(self, group: Group) -> list[Value]:
        """What the kernel of `group` stores."""
        return [root for root in group.roots if root in self.stored]

    def is_flat(self, value: Value, group: Group, columns: int | None = None) -> bool:
        """Whether elements of a value need their linear index only, in the kernel of `group`; and,
        where `columns` says at which axis columns begin, their place in the row of these."""
        return is_flat(value, self.stored.difference(group.roots), self.views, columns)

    def epilogue_cost(self, group: Group) -> int:
        """Scalar operations that each element of `group` costs beside its first value."""
        return sum(pull_cost(root, self) for root in group.roots[1:])


class Uses(NamedTuple):
    """What is known while it is decided which values are stored, from the last op backwards."""

    readers: Mapping[Value, list[Op]]
    stored: Collection[Value]  # as far as later ops ask for it
    target: Target


# The schedules of a list as they were asked, each with what it said, up to the one that matched.
Asked = Iterable[tuple[type, object]]


class Schedule(ABC):
    """How one group becomes a kernel: a frozen dataclass of what was decided.

    A machine has an ordered list of schedules (`Machine`). The choice has two moments, as a group
    grows after its first op is known: while values are stored and grouped, the class is asked for
    an op that begins a group; `matches` is asked when the group is complete. What that gives is
    kept on the group; nothing else decides or predicts how a kernel is written.
    """

    kind: ClassVar[Kind] = Kind.ELEMENTS  # of the groups that its ops begin
    heads: ClassVar[tuple[type[Op], ...]] = ()  # classes of the ops that `stored_values` is for
    begins: ClassVar[tuple[type[Op], ...]] = (Op,)  # ... of the first ops that groups for it have
    takes: ClassVar[str]  # what it is for, as "it takes ..." goes on
    whole: ClassVar[str] = ""  # what `Group.parts` make together, if it is for such groups

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        """What has to be in memory for `op`, one of `heads`, its results among it; None where `op`
        is not for this schedule."""
        return None

    @classmethod
    def source(cls, op: Op, number: int, target: Target) -> Value:
        """What is in memory of an operand of `op`, where it is stored: of what is transposed, say,
        which costs nothing."""
        return op.operands[number]

    @classmethod
    def recomputes(cls, op: Op, number: int, target: Target) -> Extent | None:
        """How often each element of an operand of `op` is computed, if it is computed where it is
        packed (see prologues.py); None where it should be in memory."""
        return None

    @classmethod
    @abstractmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        """The schedule of `group` with all that it decides, or why it is not for it: `OTHER_KIND`
        where that is plain from `takes`. Looks at types, shapes and what is stored, and emits
        nothing. The op of the group is one of those that it `begins` with."""

    def asked(self, group: Group, plan: Plan, target: Target) -> Asked:
        """How `matches` chose from a list of its own, where the schedule has one."""
        return ()

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        """About how many nanoseconds the kernel of `group` takes one thread: what is compared with
        `Target.parallel_worth`. If nothing better is known, by the bytes that its values have and
        the scalar operations that their elements cost (`pulled_cost`)."""
        return pulled_cost(group, plan)

    def in_place(self) -> Mapping[Value, Value]:
        """Operands that the kernel changes into results, and these results (see `Update`)."""
        return {}

    @abstractmethod
    def emit(self, lower: GroupBuilder) -> None:
        """Write the kernel."""


def begun_by_another(group: Group, kind: type[Op]) -> Mismatch:
    """Why a schedule of groups that an op of `kind` begins is not for `group`."""
    v = next((root for root in group.roots if isinstance(root.op, kind)), None)
    return Mismatch("{} is made in the loops of {}", v, group.roots[0]) if v else OTHER_KIND


def pull_cost(root: Value, plan: Plan) -> int:
    """Scalar operations that an element of `root` costs; very many where it is not elementwise."""
    total, work, seen = 0, [root], set()
    while work:
        v = work.pop()
        if v in seen or v.op is None or (v in plan.stored and v is not root) or v in plan.views:
            continue
        seen.add(v)
        if not isinstance(v.op, Elementwise | Broadcast | Constant):
            return 1000
        total += v.op.element_cost()
        work.extend(v.op.operands)
    return total


def operations(root: Value, plan: Plan, seen: set[tuple[Value, Index | None]]) -> int:
    """Scalar operations that an element of `root` costs, or one that goes into it where it is a
    reduction: but those of what is in `seen`, values at an index, to which it adds its own."""
    total = 0
    work: list[tuple[Value, Index | None]] = [(root, own_index(root))]
    if isinstance(root.op, Reduction):
        seen.add(work.pop())
        total, work = 1, [(root.op.x, own_index(root.op.x))]
    while work:
        v, index = work.pop()
        if (v, index) in seen or v.op is None or v in plan.views:
            continue
        if v in plan.stored and v is not root:
            continue
        seen.add((v, index))
        total += max(v.op.element_cost(), _each(v))
        work += sources(v.op, index, plan)
    return total


def pulled_cost(group: Group, plan: Plan) -> Extent:
    """About how many nanoseconds it takes one thread to pull the elements of a group: each costs
    as much as three operations for a byte that it has, beside its own, and of operations, on
    lanes, there are 32 in a nanosecond."""
    total: Extent = 0
    seen: set[tuple[Value, Index | None]] = set()  # what several values need is computed once
    for root in group.roots:
        value = root.op.x if isinstance(root.op, Reduction) else root
        own = operations(root, plan, seen)
        total = total + value.tensor_type.size * (3 * value.dtype.itemsize + own)
    return total // OPERATIONS_PER_NANOSECOND


def _each(value: Value) -> int:
    """How many operations its op counts for an element of `value`, with a load for each where they
    are many, as in windows."""
    size = product(value.shape)
    each = floordiv(value.op.operations(), size) if value.op is not None and size != 0 else 0
    each = largest(each)
    return (3 * each if each > 1 else each) if isinstance(each, int) else UNKNOWN_EXTENT_OPERATIONS


def may_fail(group: Group, plan: Plan) -> bool:
    """Whether anything that the kernel of `group` computes can end the program with an error: then
    no thread may do less than others that wait for it."""
    work, seen = list(group.roots), set()
    while work:
        v = work.pop()
        if v in seen or v.op is None or plan.in_memory(v, group):
            continue
        seen.add(v)
        if v.op.can_fail:
            return True
        work.extend(v.op.operands)
    return False


def is_flat(
    value: Value, stored: set[Value], views: dict[Value, Value], columns: int | None = None
) -> bool:
    """Whether elements of `value` need their linear index only; and, where `columns` says at which
    axis columns begin, their place in the row of these."""
    work, seen = [value], set()
    while work:
        v = work.pop()
        if v in seen or v.op is None or v in stored or v in views:
            continue
        seen.add(v)
        match v.op:
            case Broadcast(x=x) if all(e == 1 for e in x.shape):
                continue
            case Broadcast(x=x, dims=dims) if columns is not None and all(
                e == 1 or axis >= columns for e, axis in zip(x.shape, dims, strict=True)
            ):
                continue
            case Constant() if not v.shape:
                continue
            case RandomBits():
                continue
            case Elementwise() as op:
                work.extend(op.operands)
            case _:
                return False
    return True


def own_index(value: Value) -> Index:
    """The index of the loops around, where an element of `value` is stored."""
    return tuple([0 if e == 1 else f"i{a}" for a, e in enumerate(value.shape)])


def needs(
    root: Value, plan: Plan, others: Collection[Value] = ()
) -> list[tuple[Value, Index | None]]:
    """The stored values, params and `others` that `root` loads, and at which index; None where
    that is not told. Many ask for the same."""
    key = root if plan.stored.issuperset(others) else (root, *others)
    found = plan.needed.get(key)
    if found is None:
        found = plan.needed[key] = _needs(root, plan, others)
    return found


def _needs(root: Value, plan: Plan, others: Collection[Value]) -> list[tuple[Value, Index | None]]:
    assert root.op is not None
    work = sources(root.op, own_index(root), plan)
    seen: set[tuple[Value, Index | None]] = set()
    found: list[tuple[Value, Index | None]] = []
    while work:
        place = v, index = work.pop()
        if place in seen:
            continue
        seen.add(place)
        if v in plan.views:
            found.append((v, None))
        elif v.op is None or v in plan.stored or v in others:
            found.append(place)
        else:
            work += sources(v.op, index, plan)
    return found


def sources(op: Op, index: Index | None, plan: Plan) -> list[tuple[Value, Index | None]]:
    """At which index `op` pulls its operands; None where that is not told."""
    if (  # most are of this kind
        index is not None
        and type(op).operand_indices is Elementwise.operand_indices
        and op.operands[0].rank == len(index)
    ):
        return [(v, index) for v in op.operands]
    told = None
    if index is not None:
        if op not in plan.axes:
            plan.axes[op] = whole_axes(op)
        told = plan.axes[op]
    if index is None or told is None:
        return [(v, None if v.rank else ()) for v in op.operands]
    found: list[tuple[Value, Index | None]] = []
    for v, maps in zip(op.operands, told, strict=True):
        own = maps is same_index(len(index))
        found.append((v, index if own else tuple(_place(m, a, index) for a, m in enumerate(maps))))
    return found


def _place(m: AxisMap, own: int, index: Index) -> object:
    """Where an operand is read along its axis `own`."""
    if m.axis is None:
        return 0
    return index[m.axis] if m.axis < len(index) else f"k{own}"


def whole_axes(op: Op) -> tuple[AxisMaps, ...] | None:
    """Where `op` reads its operands, if it goes all along their axes, or reads the first element
    there; else None. So of slices, reversals, pads and concatenations fusion knows nothing: to know
    more would fuse more, and whether that pays has not been measured."""
    found: list[AxisMaps] = []
    for v, maps in zip(op.operands, op.operand_indices(), strict=True):
        if maps is None or not (isinstance(op, Elementwise) or _whole(maps, v, op.result)):
            return None
        found.append(maps)
    return tuple(found)


def _whole(maps: AxisMaps, operand: Value, result: Value) -> bool:
    """Whether nothing is left out of the axes of an operand that its reader goes along."""
    return all(
        m.plain and (m.axis is None or m.axis >= result.rank or extent == result.shape[m.axis])
        for m, extent in zip(maps, operand.shape, strict=True)
    )
