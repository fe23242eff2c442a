"""Ops that hold functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..copying import transfer
from ..core import Builder, Function, Op, Regions, Value
from ..types import Type


class Call(Op):
    """The results of a closed function. `inline` puts its body in the call's place."""

    args: tuple[Value, ...]
    callee: Function
    sparse = True
    continues = True

    def infer(self) -> tuple[Type, ...]:
        if [a.type for a in self.args] != [p.type for p in self.callee.params]:
            raise self.error(f"arguments do not fit @{self.callee.name}")
        return self.callee.result_types

    def regions_take(self) -> Regions:
        return {"callee": (tuple(a.type for a in self.args), self.callee.result_types)}

    def vjp(
        self,
        b: Builder,
        *cotangents: Value | None,
        known: Sequence[Value | None] = (),
        **_: Any,
    ) -> Sequence[Value | None]:
        return self.pullback(b, cotangents, known)

    def pullback(
        self, b: Builder, cotangents: Sequence[Value | None], known: Sequence[Value | None]
    ) -> Sequence[Value | None]:
        """The cotangents of the arguments; ir/autodiff/control_flow.py defines it."""
        raise NotImplementedError("call: pullback")


class CustomGradient(Op):
    """`forward(args)`, whose cotangents are what `backward(args, cotangents)` returns.

    `connected` tells which args get one.
    """

    args: tuple[Value, ...]
    forward: Function
    backward: Function
    connected: tuple[bool, ...]

    def infer(self) -> tuple[Type, ...]:
        return self.forward.result_types

    def invariants(self) -> Iterator[str]:
        if len(self.connected) != len(self.args):
            yield "`connected` must have one flag for each argument"

    def regions_take(self) -> Regions:
        given, results = tuple(a.type for a in self.args), self.forward.result_types
        wanted = tuple(t for t, used in zip(given, self.connected, strict=True) if used)
        return {"forward": (given, results), "backward": ((*given, *results), wanted)}

    @property
    def reads_again(self) -> bool:
        """Whether it is its first argument, whose cotangent belongs to the second: what is read of
        a Variable after an assignment, and before."""
        return (
            self.connected == (False, True)
            and self.forward.returns == self.forward.params[:1]
            and self.backward.returns == self.backward.params[-1:]
            and self.args[0].type == self.args[1].type
        )

    def vjp(self, b: Builder, *cotangents: Value) -> Sequence[Value | None]:
        found = iter(transfer(self.backward, b, (*self.args, *cotangents)))
        return [next(found) if used else None for used in self.connected]
