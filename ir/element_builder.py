"""What an op may ask when it says how its elements are computed.

Two interfaces, which ops and the helpers beside them name, and which the builders of kernels
implement (see kernels/builder.py): `ElementBuilder` is for the pull of one element (`Op.at`),
`ScheduleBuilder` for ops that write a loop nest of their own (`Scheduled.store`). Nothing here
knows what a kernel is made of; that is why tensor ops need not know it either.

    def at(self, lower: ElementBuilder, index: Index) -> Value:           # of a sum of two
        return lower.emit(Add(lower.element(self.x, index), lower.element(self.y, index)))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TypeAlias

from .algebra import Term
from .core import Builder, Op, Value
from .dtypes import DType
from .extent import Extent, Shape
from .kernel_op import LoopKind

Index: TypeAlias = tuple[Value, ...]  # an i64 for each axis


class ElementBuilder(ABC):
    """Computes elements of tensor values as scalars, at indices that are scalars."""

    b: Builder  # of the innermost region
    mask: Value | None  # loads and checks happen only where it holds, if there is one

    # Elements.

    @abstractmethod
    def element(self, value: Value, index: Index) -> Value:
        """The scalar at `index` of a tensor value: loaded, or what its op says."""

    @abstractmethod
    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        """`element(k)` combined over k in [0, count), in the fixed tree of sums."""

    # Scalars.

    @abstractmethod
    def emit(self, op: Op) -> Value:
        """The result of a scalar op; index arithmetic is simplified on the way."""

    @abstractmethod
    def cast(self, value: Value, dtype: str | DType) -> Value:
        """A scalar of another dtype."""

    @abstractmethod
    def extent(self, extent: Value | Extent) -> Value:
        """An extent as an index; an index is one already."""

    @abstractmethod
    def index(self, value: Value | Term | Extent) -> Term:
        """A scalar for arithmetic in the innermost region, whichever it was made in."""

    @abstractmethod
    def known(self, condition: Value | Term) -> bool | None:
        """Whether a condition holds, if that is known already."""

    @abstractmethod
    def fma(self, x: Value, y: Value, total: Value) -> Value:
        """x * y + total: of floats rounded once."""

    @abstractmethod
    def linear(self, index: Index, shape: Shape) -> Value:
        """The row-major offset of `index`."""

    @abstractmethod
    def unlinear(self, offset: Value, shape: Shape) -> Index:
        """The index that `linear` takes to `offset`."""

    @abstractmethod
    def carry(
        self,
        low: Value,
        high: Value,
        init: Sequence[Value],
        body: Callable[[Value, Index], Sequence[Value]],
        step: int = 1,
    ) -> Index:
        """What a serial loop carries in the end: `body(i, carried)` gives the values of the next
        round."""

    # Conditions.

    @abstractmethod
    def where(self, condition: Value) -> AbstractContextManager[None]:
        """Loads and checks inside happen only where the condition holds."""

    @abstractmethod
    def check(
        self, condition: Value, values: Index, kind: str, op: Op, note: tuple[str, ...] = ()
    ) -> None:
        """An error of `op` at run time, of this kind and with these values, where the condition
        does not hold."""

    @abstractmethod
    def check_index(self, index: Value, bound: Value, op: Op) -> None:
        """An error of `op` at run time where not 0 <= index < bound."""

    @abstractmethod
    def check_nonzero(self, divisor: Value, op: Op) -> None:
        """An error of `op` at run time where an integer divisor is 0."""

    @abstractmethod
    def is_checked(self, op: Op) -> bool:
        """Whether the indices of `op` were checked before, all at once."""


class ScheduleBuilder(ElementBuilder):
    """Writes loops around elements, and what they store."""

    @property
    @abstractmethod
    def grid(self) -> bool:
        """Whether a grid of threads, one for each index, takes the place of loops."""

    # Memory.

    @abstractmethod
    def in_memory(self, value: Value) -> bool:
        """Whether the elements of a tensor value are loaded, not computed."""

    @abstractmethod
    def buffer(self, value: Value) -> Value:
        """The memory of a tensor value, which is an input of the kernel from then on."""

    @abstractmethod
    def load(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        """The scalar at an offset; 0 where the mask does not hold."""

    @abstractmethod
    def reload(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        """As `load`, of memory that the kernel has just written: it keeps its place among the
        stores."""

    @abstractmethod
    def store(self, buffer: Value, offset: Value, value: Value) -> None:
        """Write a scalar at an offset."""

    # Loops.

    @abstractmethod
    def loop(
        self,
        low: Value,
        high: Value,
        fill: Callable[[Value], None],
        kind: LoopKind = LoopKind.SERIAL,
        step: int = 1,
    ) -> None:
        """A loop that carries nothing."""

    @abstractmethod
    def while_(
        self,
        init: Sequence[Value],
        condition: Callable[[list[Term]], Term],
        body: Callable[[list[Term]], Sequence[Value]],
    ) -> Index:
        """What a loop carries in the end that goes on as long as the condition holds of it."""

    @abstractmethod
    def nest(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        """Loops over all indices of `shape`, the last one along the lanes; the first `serial`
        ones one after another (and never along the lanes)."""

    @abstractmethod
    def spread(self, shape: Shape, fill: Callable[[Index], None], serial: int = 0) -> None:
        """`fill` for all indices of `shape`, on any threads; the first `serial` axes in order."""

    @abstractmethod
    def ordered(self, shape: Shape, fill: Callable[[Index], None]) -> None:
        """`fill` for all indices of `shape`; what differs in the first axis one after another."""

    @abstractmethod
    def when(
        self, condition: Value | Term, fill: Callable[[], None], as_loop: bool = False
    ) -> None:
        """What `fill` emits runs only where the condition holds: as a branch, or as a loop of one
        round or none, which vectors may be carried into."""
