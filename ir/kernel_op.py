"""What an op of kernels says of itself: its memory, where it may stand, and what must be true.

The verifier, the analysis of what may be computed in place, the phases of launches on GPUs and the
code generators read it on the class of the op; none of them has a list of ops of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, StrEnum
from typing import ClassVar

from .core import Op, Value
from .dtypes import bool_
from .literals import READERS, read
from .types import INDEX, BufferType, scalar_type

Places = tuple[tuple[str, str], ...]  # operands: (a buffer, an offset in it)

COMBINES: tuple[str, ...] = ("add", "mul", "complex_mul", "maximum", "minimum")
COMBINES += ("bitwise_and", "bitwise_or", "argmax", "argmin")


class LoopKind(StrEnum):
    """How the rounds of a loop run. In text a kind is its value, as any string is."""

    SERIAL = "serial"  # one after another; may carry values
    VECTOR = "vector"  # side by side in the lanes of vector registers (at most one on a path)
    SIMD = "simd"  # exactly `step` of them from `low` on, side by side (so high is low + step)
    SIMD_MASKED = "simd_masked"  # up to `step` from `low` on, side by side: those below `high`
    PARALLEL = "parallel"  # in any order (those of the op `Parallel` also on any thread)


SIDE_BY_SIDE = (LoopKind.VECTOR, LoopKind.SIMD, LoopKind.SIMD_MASKED)
INDEPENDENT = (LoopKind.PARALLEL, LoopKind.VECTOR, LoopKind.SIMD)


def parse_loop_kind(text: str) -> LoopKind:
    """The kind of a loop, from its text."""
    name = read("str", text)
    if name not in tuple(LoopKind):
        raise ValueError(f"no loop kind: {name!r}; there are {', '.join(LoopKind)}")
    return LoopKind(name)


READERS["LoopKind"] = parse_loop_kind


class Scope(Enum):
    """Where in a kernel an op may stand; what is wrong where it stands elsewhere."""

    ANYWHERE = ""
    THREAD = "stands inside a vector loop"  # whose lanes can not go different ways
    KERNEL = "stands inside a vector loop, or inside a grid"
    TEAM = "stands outside of a team's grid"


class KernelOp(Op, abstract=True):
    """An op of kernels. Its regions see what is defined around them, unless it is `closed`."""

    reads: ClassVar[Places] = ()  # where it loads from
    writes: ClassVar[Places] = ()  # where it stores to
    hints: ClassVar[Places] = ()  # of what need not exist: it is neither read nor written
    single: ClassVar[bool] = False  # it touches no elements but those at the offsets
    scope: ClassVar[Scope] = Scope.ANYWHERE
    chooses: ClassVar[bool] = False  # its regions may never run

    @property
    def side_by_side(self) -> bool:
        """Whether rounds of its region are lanes of vector registers."""
        return False

    @property
    def independent(self) -> bool:
        """Whether rounds of its region may run in any order."""
        return False

    @property
    def opens_team(self) -> int:
        """How many threads run its region together, if it is a grid; else 0."""
        return 0

    def places(self, places: Places) -> Iterator[tuple[Value, Value]]:
        """The buffers and offsets that `reads`, `writes` or `hints` name."""
        for buffer, offset in places:
            yield getattr(self, buffer), getattr(self, offset)

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        """The params of its regions that count, each with where from (None: 0), up to where, and in
        which steps. The regions run only where there is something to count."""
        return iter(())

    def invariants(self) -> Iterator[str]:
        for buffer, offset in self.places((*self.reads, *self.writes, *self.hints)):
            if not isinstance(buffer.type, BufferType):
                yield "memory is in buffers"
            if offset.type != INDEX:
                yield "the offset must be an i64"
        mask: Value | None = getattr(self, "mask", None)
        if mask is not None and not is_bool(mask):
            yield "the mask must be a bool"


class Launched(Op, abstract=True):
    """An op among those of tensors that programs run as it is: nothing lowers it any further."""


class KernelLaunch(Launched, abstract=True):
    """An op that stands among tensor ops, and whose regions are kernels."""


def is_bool(value: Value) -> bool:
    return bool(value.type == scalar_type(bool_))


def is_index(*values: Value) -> bool:
    return all(v.type == INDEX for v in values)


def fits_reduction(combine: str, types: tuple[object, ...]) -> bool:
    """Whether partial results of a reduction are of such types: one scalar, two parts of a complex
    number, or a scalar and its place."""
    if combine == "complex_mul" or (combine == "add" and len(types) == 2):
        return types[1:] == types[:1]
    return types[1:] == ((INDEX,) if combine in ("argmax", "argmin") else ()) and bool(types)
