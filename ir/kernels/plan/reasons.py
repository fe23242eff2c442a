"""Why fusion decided as it did. `fuse` notes the reason beside each decision: a word of these and
the values that it is about, which costs next to nothing; explain.py says it in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from ...core import Op, Value
from ...value_classes import NamedTuple, dataclass, field

if TYPE_CHECKING:
    from .groups import Group, Kind


REFUSALS_MAX = 8  # kernels of which it is told why a value did not join them


class Stored(StrEnum):
    """Why a value gets memory of its own. `{by}` is the op that asks for it."""

    RESULT = "it is a result"
    CHECKED = "the indices are checked before anything is written"
    MADE = "{schedule} makes it, whose kernel computes nothing else before it"
    READ = "{by} ({schedule}) reads it from memory"
    HOST = "{by} runs outside of kernels, and reads it from memory"
    OUTSIDE = "it is made outside of kernels"
    STATE = "{by} counts from it"
    CHECK = "what it checks must hold, whoever reads it"
    SHOWN = "{by} is a view of its memory"
    PACKED = "{by} packs its operand several times: loading it costs less than computing it again"
    REPEATED = "{by} computes an operand where it packs it, and this repeats along rows or columns"
    COSTLY = "an element costs {cost} operations, and {by} is not the only reader (at most {most})"
    RECOMPUTED = (
        "an element costs {cost} operations, and {by} reads it several times (at most {most})"
    )
    ACROSS = "{by} would read it across rows: lanes would gather"
    DEEP = "{by} is behind more than {most} ops that move indices"
    LONG = "a row of it is too long for a kernel to keep: {bytes} bytes (at most {most})"
    AXES = "{by} reduces several axes, and needs it in the order of memory"
    UPDATED = "it is read behind {by}, which changes its operand in place"


class Private(StrEnum):
    """Why a value that a kernel computes needs no memory outside of it."""

    ELEMENT = "only its own kernel reads it, at the same index: it stays in a register"
    ROW = "only its own kernel reads it, in the same row, which it keeps: {bytes} bytes"
    ALIAS = "only its own kernel reads it, in the same row, which is kept in the memory of {alias}"


class Refused(StrEnum):
    """Why a value did not join an earlier kernel."""

    STREAMS = "they share nothing, and would go through {streams} arrays at once (at most {most})"
    FULL = "the kernel stores {most} values already"
    KINDS = "a kernel of {theirs} takes no {own}"
    SHAPE = "its loops go over {own}, those of the kernel over {theirs}"
    INDEX = "it reads {read} at another index than it is at"
    ROW = "it reads {read} outside of the row that the kernel is at"
    UNREAD = "it reads nothing that the kernel makes"
    EPILOGUE = "an element costs {cost} operations, and an epilogue at most {most}"


class Mismatch:
    """That a schedule is not for a group, and why: `matches` gives one in place of the schedule."""

    __slots__ = ("reason", "values")

    def __init__(self, reason: str, *values: object) -> None:
        """`reason` has `{}` where the values belong; it is only put together where somebody asks
        (explain.py), who says Values by their names."""
        self.reason, self.values = reason, values


# It is for ops or values of another kind altogether.
OTHER_KIND = Mismatch("it is for another kind of kernel")
COMPLEX = Mismatch("it is complex")
MAY_FAIL = Mismatch("an element may end the program with an error, which others would wait for")


class Refusal(NamedTuple):
    """A value that did not join a kernel."""

    value: Value
    kind: Kind  # of the value
    group: Group
    why: Refused
    read: tuple[Value, ...]  # what it reads of the kernel's values


@dataclass
class Reasons:
    """What `fuse` noted."""

    stored: dict[Value, tuple[Stored, Op | None]] = field(default_factory=dict)
    private: dict[Value, Private] = field(default_factory=dict)
    joined: dict[Value, Kind] = field(default_factory=dict)  # into an earlier group: of which kind
    refused: dict[Value, list[Refusal]] = field(default_factory=dict)
    # Scalar operations for an element of what is not stored.
    cost: dict[Value, int] = field(default_factory=dict)
    costly: dict[Value, int] = field(default_factory=dict)  # of what is stored for its cost

    def ask(self, values: Sequence[Value], why: Stored, by: Op | None) -> None:
        """Note why values are stored; the first reason counts."""
        for v in values:
            if v not in self.stored:
                self.stored[v] = why, by

    def refuse(self, refusal: Refusal) -> None:
        """Note why a value did not join a kernel, for the first few kernels."""
        told = self.refused.setdefault(refusal.value, [])
        if len(told) < REFUSALS_MAX:
            told.append(refusal)
