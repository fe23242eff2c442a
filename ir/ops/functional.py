"""Ops that hold functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import Builder, Function, Op, Value, transfer
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

    def vjp(
        self,
        b: Builder,
        *cotangents: Value | None,
        known: Sequence[Value | None] = (),
        **_: Any,
    ) -> Sequence[Value | None]:
        from ..autodiff.reverse import pullback

        f = self.callee
        rows = zip(f.returns, cotangents, strict=True)
        reached, seeds = zip(*((v, d) for v, d in rows if d is not None), strict=True)
        before = [i for i, d in enumerate(known) if d is not None]
        back = pullback(Function(f.name, f.params, f.body, reached), before)
        results = transfer(back, b, (*self.args, *seeds, *(d for d in known if d is not None)))
        found = iter(results)
        return [next(found) if used else None for used in back.notes["connected"]]


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

    def vjp(self, b: Builder, *cotangents: Value) -> Sequence[Value | None]:
        found = iter(transfer(self.backward, b, (*self.args, *cotangents)))
        return [next(found) if used else None for used in self.connected]
