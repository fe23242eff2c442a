"""Kernel ops of control: loops of an unknown number of rounds, branches, checks."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import Function, Regions, Value, types_of
from ...dtypes import bool_
from ...kernel_op import KernelOp, Scope, is_bool, is_index
from ...types import Type, scalar_type


class Repeat(KernelOp):
    """carried = init; while condition(carried): carried = body(carried). The regions see what is
    defined around them; the results are the carried values."""

    init: tuple[Value, ...]
    condition: Function
    body: Function
    scope = Scope.THREAD
    effect = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.init)

    @property
    def may_be_endless(self) -> bool:
        """Whether it may be a loop of the user's. What schedules repeat carries indices alone."""
        return not is_index(*self.init)

    def regions_take(self) -> Regions:
        carried = types_of(self.init)
        return {"condition": (carried, (scalar_type(bool_),)), "body": (carried, carried)}


class Branch(KernelOp):
    """`then` where the condition holds, else `orelse`, which see what is defined around them; the
    results are those of the one that runs."""

    condition: Value
    then: Function
    orelse: Function
    scope = Scope.THREAD
    effect = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return self.then.result_types

    def invariants(self) -> Iterator[str]:
        if not is_bool(self.condition):
            yield "the condition must be a bool"

    def regions_take(self) -> Regions:
        given = types_of(self.results)
        return {"then": ((), given), "orelse": ((), given)}


class Rarely(KernelOp):
    """`callee(*args)` where the condition holds, else `otherwise`: a select whose first side is
    computed only where some lane wants it. For slow ways that few elements need. The callee is a
    function of scalars that uses nothing from around it, so that its code is there once."""

    condition: Value
    args: tuple[Value, ...]
    otherwise: tuple[Value, ...]
    callee: Function
    closed = True
    chooses = True

    def infer(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.otherwise)

    def invariants(self) -> Iterator[str]:
        if not is_bool(self.condition):
            yield "the condition must be a bool"

    def regions_take(self) -> Regions:
        return {"callee": (types_of(self.args), types_of(self.otherwise))}


class CallScalar(KernelOp):
    """`callee(*args)`: a function of scalars that uses nothing from around it, so that its code is
    there once for all kernels that call it. For what few elements go through, in many kernels."""

    args: tuple[Value, ...]
    callee: Function
    closed = True

    def infer(self) -> tuple[Type, ...]:
        return self.callee.result_types

    def regions_take(self) -> Regions:
        return {"callee": (types_of(self.args), types_of(self.results))}


class CallRoutine(KernelOp):
    """`callee(*args)`: of buffers and indices, a function that uses nothing from around it, so that
    its code is there once for all kernels that call it. What runs `seldom` is compiled quickly."""

    args: tuple[Value, ...]
    callee: Function
    seldom: bool
    closed = True
    scope = Scope.THREAD
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return self.callee.result_types

    def invariants(self) -> Iterator[str]:
        params = self.callee.params
        if len(self.args) != len(params):
            yield f"{len(self.args)} arguments for {len(params)} params"
        for x, p in zip(self.args, params, strict=False):
            if type(x.type) is not type(p.type) or x.dtype is not p.dtype:
                yield f"{x.type} for {p.type}"

    def regions_take(self) -> Regions:
        # A param may be a buffer of any size.
        return {"callee": (types_of(self.callee.params), types_of(self.results))}


class Assert(KernelOp):
    """Ends the program with error `site` and up to two values where the condition fails."""

    condition: Value
    values: tuple[Value, ...]
    mask: Value | None
    site: int
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return ()

    def invariants(self) -> Iterator[str]:
        yield from super().invariants()
        if not is_bool(self.condition):
            yield "the condition must be a bool"
        if self.site < 1:
            yield "sites count from 1"
