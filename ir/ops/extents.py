"""Extents that depend on data: where a tensor's value becomes a size, and what sizes must fulfil.

A function with a `BindExtent` is cut there before it is compiled (see ir/passes/data_extents.py):
what comes behind it is another program, which takes the extent as an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..core import Op, Requirement, Value
from ..extent import Expr, Extent
from ..types import INDEX


class BindExtent(Op):
    """From here on the symbol has the value of an i64 scalar, which must not be negative."""

    value: Value
    symbol: Extent
    effect = True

    def infer(self) -> tuple[()]:
        if self.value.type != INDEX:
            raise self.error("an extent is an i64 scalar", "dtype")
        if not isinstance(self.symbol, Expr) or not str(self.symbol).isidentifier():
            raise self.error(f"no symbol: {self.symbol}", "value")
        return ()

    def binds(self) -> Sequence[tuple[Value, Extent]]:
        return ((self.value, self.symbol),)

    def numpy(self, value: Any) -> tuple[()]:
        return ()


class SameExtent(Op):
    """An error at run time unless two extents are equal."""

    x: Extent
    y: Extent
    effect = True

    def infer(self) -> tuple[()]:
        return ()

    def numpy(self) -> tuple[()]:
        if self.x != self.y:
            raise ValueError(f"extents {self.x} and {self.y} differ")
        return ()

    def requires(self) -> Iterable[Requirement]:
        yield Requirement(self.x - self.y, "equal", (self.x, self.y))
        yield Requirement(self.y - self.x, "equal", (self.x, self.y))
