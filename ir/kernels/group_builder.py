"""What a schedule may ask while it writes the kernel of a group.

That is what ops may ask (ir/element_builder.py), and what a kernel has besides: its group and plan,
the buffers that it stores to, who reduces, and how values are read that it has computed before.
`FusedKernelBuilder` does it all; schedules, and what writes parts of kernels for them, know it by
this interface alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from ..core import Function, Op, Value
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, Shape
from ..types import INDEX, TensorType

if TYPE_CHECKING:
    from .plan.groups import Group, Plan
    from .target import Target

ReadElement: TypeAlias = Callable[[Index], Value]
# Where the element at an index is: a buffer, and the offset in it.
Place: TypeAlias = Callable[[Index], tuple[Value, Value]]


class Reducer(Protocol):
    """Who reduces: a thread alone, its lanes, or all threads that share a row."""

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        """`element(k)` combined over k in [0, count), in the fixed tree of sums."""


class GroupBuilder(ScheduleBuilder):
    """Writes the kernel of one group."""

    target: Target
    plan: Plan
    group: Group  # what the kernel computes; of what it is made of, the part at hand
    reducer: Reducer  # what `reduce` does
    inputs: Mapping[Value, Value]  # the buffers that the kernel loads from so far, by the value
    outputs: Mapping[Value, Value]  # those that it stores to, with its scratch memory

    @property
    @abstractmethod
    def cost(self) -> Extent:
        """About how many nanoseconds the kernel takes one thread: see `Schedule.cost`."""

    # Memory.

    @abstractmethod
    def output(self, value: Value) -> Value:
        """The buffer of a value that the kernel stores as a result."""

    @abstractmethod
    def scratch(self, type_: TensorType) -> Value:
        """A buffer for the time of the kernel."""

    @abstractmethod
    def sums_buffer(self, result: Value) -> Value:
        """Where sums of a contraction are kept until they are complete: in the memory of what the
        kernel stores, if possible."""

    # Where values are.

    @abstractmethod
    def stores(self, value: Value) -> bool:
        """Whether elements of a value have a place to be stored at: an output, or what `keep_at`
        says."""

    @abstractmethod
    def place(self, value: Value, index: Index) -> tuple[Value, Value]:
        """The buffer of a value that the kernel `stores`, and the offset of its element there."""

    @abstractmethod
    def keep_at(self, value: Value, place: Place) -> None:
        """A value that is no output has its elements at such places, for the rest of the scope."""

    @abstractmethod
    def read_through(self, value: Value, load: ReadElement) -> None:
        """Elements of a value are what `load` says, for the rest of the scope."""

    @abstractmethod
    def define(self, value: Value, index: Index, element: Value) -> None:
        """From now on, in this region, a value has this element at `index`."""

    @abstractmethod
    def scope(
        self, group: Group | None = None, reducer: Reducer | None = None
    ) -> AbstractContextManager[None]:
        """What `keep_at` and `read_through` say inside holds inside; there, `group` is what the
        kernel computes, and `reducer` reduces."""

    @abstractmethod
    def at_offset(
        self, index: Index, offset: Value, shape: Shape | None = None
    ) -> AbstractContextManager[None]:
        """Inside, `offset` is the row-major offset of `index` in `shape`; in whichever, where the
        index is `unused`. (Where a shape has an extent of 1, the same numbers may be an index of
        it, too, with another offset.)"""

    # Elements.

    @abstractmethod
    def store_roots(self, index: Index, roots: Sequence[Value] | None = None) -> None:
        """Store the elements at `index` of the group's roots, or of some of them, where these have
        a place."""

    @abstractmethod
    def flat_element(self, value: Value, offset: Value) -> Value:
        """The element of a value, which `Plan.is_flat`, whose linear index is `offset`."""

    @abstractmethod
    def set_checked(self, op: Op) -> None:
        """The indices of `op` have been checked, all at once: see `is_checked`."""

    # Loops.

    @abstractmethod
    def call_routine(
        self, name: str, args: Index, fill: Callable[..., Index], seldom: bool
    ) -> Index:
        """What a routine gives that all kernels share, of these buffers and indices (see
        `CallRoutine`). `fill` writes it for its params, once for each name and types of these, and
        uses nothing of this kernel. What runs `seldom` is compiled quickly."""

    @abstractmethod
    def region(
        self, name: str, types: Sequence[TensorType], fill: Callable[[Index], Sequence[Value]]
    ) -> Function:
        """A loop body: what `fill` emits, given the region's params; it returns fill's values."""

    @abstractmethod
    def parallel(self, count: Extent, work: Extent, fill: Callable[[Value], None]) -> None:
        """`fill` for 0, 1, ... below count, on any threads where the work (in nanoseconds) is
        worth it."""


def unused(shape: Shape) -> Index:
    """An index that stands for a linear one (see `GroupBuilder.at_offset`)."""
    return tuple(Value(INDEX, name="unused") for _ in shape)
