"""Ops that all processes of a job run together: reductions, gathers and broadcasts over ranks.

They are effects: each process runs its collectives in the order of its program, and the programs
of all processes have them in the same order. A sum of many arrays may be cut into buckets, which
leave as soon as they are computed, while the program goes on (tfc/ir/passes/overlap.py). What moves
the bytes is a `Transport`, which the front end sets where there are several processes; where there
is one, each op gives its operand.

A collective that a gradient computes again runs again, in every process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import string
from ..types import INDEX, TensorType, Type
from .elementwise import Cast
from .host import HostCall
from .shape import Slice

REDUCTIONS = ("sum", "mean", "min", "max")


class Transport(Protocol):
    """What moves arrays between the processes of a job. `line` is the user's, for errors; where it
    is empty, the call is eager, and who asks stands on the stack."""

    rank: int
    size: int
    on_devices: bool  # whether arrays may be those of GPUs, and results then are

    def all_reduce(self, arrays: Sequence[np.ndarray], how: str, line: str) -> list[np.ndarray]:
        """The arrays of all ranks, reduced by a binary tree over the ranks."""

    def start_all_reduce(self, arrays: Sequence[np.ndarray], how: str, line: str) -> int:
        """Begin to reduce copies of the arrays, behind all collectives that this process has called
        before; a number for `finish_all_reduce`."""

    def finish_all_reduce(self, ticket: int) -> list[np.ndarray]:
        """Wait for what was begun."""

    def all_gather(self, array: np.ndarray, line: str) -> np.ndarray:
        """The rows of all ranks, in the order of the ranks."""

    def broadcast(self, arrays: Sequence[np.ndarray], root: int, line: str) -> list[np.ndarray]:
        """The arrays of one rank."""

    def barrier(self, line: str) -> None:
        """Return when all ranks have come here."""


class _Job:
    transport: Transport | None = None  # of this process; None: it is alone


job = _Job()


class Collective(HostCall, abstract=True):
    """The base of these ops."""

    effect = True

    def numbers(self, *values: Value) -> None:
        """Raise where one of these is not made of numbers."""
        if any(v.dtype is string for v in values):
            raise self.error("ranks exchange numbers, and these are strings", "dtype")

    def reducible(self, values: Sequence[Value], how: str) -> None:
        """Raise where these are not reduced so."""
        self.numbers(*values)
        if how not in REDUCTIONS:
            raise self.error(f"no reduction {how!r}: {', '.join(REDUCTIONS)}", "value")
        refused = {"sum": "b", "mean": "biu", "min": "c", "max": "c"}[how]
        for v in values:
            if v.dtype.kind in refused:
                raise self.error(f"{how}: not defined for dtype {v.dtype.name}", "dtype")


class AllReduce(Collective):
    """Each of `values`, reduced over all ranks: their "sum", "mean", "min" or "max". The order of
    additions is a binary tree over the ranks, whatever moves the bytes. So many bytes as `bucket`
    says may leave together, before others are computed; 0: all leave at once."""

    values: tuple[Value, ...]
    how: str
    line: str
    bucket: int

    def infer(self) -> tuple[Type, ...]:
        self.reducible(self.values, self.how)
        return tuple(v.type for v in self.values)

    def numpy(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        if job.transport is None:
            return arrays
        return tuple(job.transport.all_reduce(arrays, self.how, self.line))

    def vjp(self, b: Builder, *cotangents: Value | None) -> Sequence[Value | None]:
        places = [i for i, dy in enumerate(cotangents) if dy is not None]
        given = tuple(dy for dy in cotangents if dy is not None)
        found: list[Value | None] = [None] * len(self.values)
        if self.how in ("sum", "mean"):
            for i, dx in zip(places, _reduced(b, self, given), strict=True):
                found[i] = dx
            return found
        # As of a minimum along an axis: ranks that have it share its cotangent.
        chosen = [Term(b, self.values[i]).equal(Term(b, self.results[i])) for i in places]
        counts = [b.emit(Cast(c.value, dy.dtype)) for c, dy in zip(chosen, given, strict=True)]
        added = AllReduce(self.values, "sum", self.line, self.bucket)
        totals = _reduced(b, added, (*given, *counts))
        for k, i in enumerate(places):
            share = Term(b, totals[k]) / Term(b, totals[len(places) + k])
            found[i] = where(chosen[k], share, 0).value
        return found


def _reduced(b: Builder, like: AllReduce, values: tuple[Value, ...]) -> tuple[Value, ...]:
    return b.emit_all(AllReduce(values, like.how, like.line, like.bucket)) if values else ()


class AllReduceStart(Collective):
    """Begins an `all_reduce` of `values`, and gives its number. The program goes on meanwhile."""

    values: tuple[Value, ...]
    how: str
    line: str

    def infer(self) -> TensorType:
        self.reducible(self.values, self.how)
        return INDEX

    def numpy(self, *arrays: np.ndarray) -> np.int64:
        if job.transport is None:
            return np.int64(0)
        return np.int64(job.transport.start_all_reduce(arrays, self.how, self.line))


class AllReduceWait(Collective):
    """What the `all_reduce` of `values` gives that was begun as this number."""

    ticket: Value
    values: tuple[Value, ...]

    def infer(self) -> tuple[Type, ...]:
        if self.ticket.type != INDEX:
            raise self.error("a number of what was begun is an i64 scalar", "dtype")
        return tuple(v.type for v in self.values)

    def numpy(self, ticket: np.ndarray, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        if job.transport is None:
            return arrays
        return tuple(job.transport.finish_all_reduce(int(ticket)))


class AllGather(Collective):
    """The rows of `x` of all ranks, one below the other: `ranks` times as many. All have as
    many."""

    x: Value
    ranks: int
    rank: int
    line: str

    def infer(self) -> TensorType:
        self.numbers(self.x)
        if not self.x.rank:
            raise self.error("a scalar has no rows to be gathered", "value")
        rows, *rest = self.x.shape
        return TensorType(self.x.dtype, (rows * self.ranks, *rest))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return x if job.transport is None else job.transport.all_gather(x, self.line)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        (total,) = b.emit_all(AllReduce((dy,), "sum", self.line, 0))
        rows, *rest = self.x.shape
        begin = (rows * self.rank, *(0 for _ in rest))
        return (b.emit(Slice(total, begin, self.x.shape, (1,) * self.x.rank)),)


class BroadcastFrom(Collective):
    """Each of `values` as the rank `root` has it."""

    values: tuple[Value, ...]
    root: int
    rank: int
    line: str

    def infer(self) -> tuple[Type, ...]:
        self.numbers(*self.values)
        return tuple(v.type for v in self.values)

    def numpy(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        if job.transport is None:
            return arrays
        return tuple(job.transport.broadcast(arrays, self.root, self.line))

    def vjp(self, b: Builder, *cotangents: Value | None) -> Sequence[Value | None]:
        given = tuple(dy for dy in cotangents if dy is not None)
        if not given:
            return (None,) * len(self.values)
        totals = iter(b.emit_all(AllReduce(given, "sum", self.line, 0)))
        found: list[Value | None] = []
        for dy in cotangents:
            total = None if dy is None else next(totals)
            if total is not None and self.rank != self.root:
                total = Term(b, total).const(0).value
            found.append(total)
        return found
