"""Loops whose numbers of rounds are known when they start. Their kinds are those of `LoopKind`
(ir/kernel_op.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core import Function, Regions, Value, types_of
from ...kernel_op import INDEPENDENT, SIDE_BY_SIDE, KernelOp, LoopKind, Scope, is_index
from ...types import INDEX, Type
from .teams import TEAM_MAX, WARP

MOST_LANES = 1024  # of a vector, each of which is written out: targets' have at most 64


class For(KernelOp):
    """Runs the body on i = low, low+step, ... below high; the results are the carried values."""

    low: Value
    high: Value
    init: tuple[Value, ...]
    step: int
    kind: LoopKind
    body: Function
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.init)

    @property
    def side_by_side(self) -> bool:
        return self.kind in SIDE_BY_SIDE

    @property
    def independent(self) -> bool:
        return self.kind in INDEPENDENT and not self.init

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], self.low, self.high, 1 if self.side_by_side else self.step

    def invariants(self) -> Iterator[str]:
        if self.step < 1:
            yield "the step must be at least 1"
        if not is_index(self.low, self.high):
            yield "the bounds must be i64"
        if self.side_by_side and self.step > MOST_LANES:
            yield f"a vector has at most {MOST_LANES} elements"
        if self.kind is LoopKind.SIMD_MASKED and self.step < 2:
            yield "a mask is for 2 elements at least"
        if self.side_by_side and self.init:
            yield "a vector loop carries nothing"

    def regions_take(self) -> Regions:
        carried = types_of(self.init)
        return {"body": ((INDEX, *carried), carried)}


class Parallel(KernelOp):
    """Runs the body on i = 0, 1, ... below `count`, in any order, on any threads. All of it is
    about `work` nanoseconds of one thread's work. No two iterations store to the same place, and
    none loads what another stores."""

    count: Value
    work: Value
    body: Function
    scope = Scope.THREAD
    independent = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], None, self.count, 1

    def invariants(self) -> Iterator[str]:
        if not is_index(self.count, self.work):
            yield "the count and the work must be i64"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,), ())}


class Grid(KernelOp):
    """Runs the body for all (i, j, ...), where i = lows[0], lows[0] + steps[0], ... below highs[0]
    and so on; in any order, on any threads, of which neighbours have neighbouring places along the
    last axis. No two iterations store to the same place, and none loads what another stores.

    With a `team` of more than 1 each place belongs to so many threads, which all run the body; its
    last param then is the thread's number in its team. They share `Shared` memory, wait for each
    other at a `Barrier`, and read each other's registers by `Shuffle`: places that all of them
    must come to.
    """

    lows: tuple[Value, ...]
    highs: tuple[Value, ...]
    steps: tuple[int, ...]
    team: int
    body: Function
    scope = Scope.KERNEL
    independent = True
    effect = True

    def infer(self) -> tuple[Type, ...]:
        axes = len(self.body.params) - (self.team > 1)
        if not len(self.lows) == len(self.highs) == len(self.steps) == axes:
            raise self.error("each axis has a low end, a high end and a step", "value")
        if self.team != 1 and (self.team % WARP or self.team > TEAM_MAX):
            raise self.error(f"no team has {self.team} threads", "value")
        return ()

    @property
    def opens_team(self) -> int:
        return self.team

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield from zip(self.body.params, self.lows, self.highs, self.steps, strict=False)

    def invariants(self) -> Iterator[str]:
        if not is_index(*self.operands) or min(self.steps, default=1) < 1:
            yield "the ends must be i64, the steps at least 1"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,) * len(self.body.params), ())}
