"""Structured control flow: ops whose regions are closed functions.

A region uses nothing from around it but the symbols of extents: what it needs comes as arguments.
State is carried, so all of it is pure. `While` repeats for as long as data says, `Scan` as often
as an extent says; that is what makes `Scan` differentiable with residuals of known size.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..core import Builder, Function, Op, Value, types_of
from ..dtypes import bool_
from ..extent import Extent, as_int, evaluate
from ..types import INDEX, TensorType, Type, scalar_type
from ..value_classes import dataclass, field

Known: TypeAlias = Sequence[Value | None]


@dataclass
class Inside:
    """Cotangents of values inside of regions, seen from outside: each loop around a value adds an
    axis for its rounds."""

    seeds: Mapping[Value, Value] = field(default_factory=dict)  # what flows back to these
    leaves: Collection[Value] = ()  # what flows back to these goes no further: it is `found`
    found: dict[Value, Value] = field(default_factory=dict)
    linked: set[Value] = field(default_factory=set)  # those that zeros flow back to


Mask: TypeAlias = tuple[tuple[Value, bool], ...]  # conditions, and whether they must hold


@dataclass
class Masks:
    """Where alone cotangents are not strong zeros, as seen from outside of regions."""

    results: Sequence[Mask] = ()  # of the op's results
    known: Sequence[Mask | None] = ()  # of its operands; None where nothing counts yet
    found: dict[int, Mask] = field(default_factory=dict)  # of what it gives its operands


class Control(Op, abstract=True):
    """The base of ops with regions that compiled programs branch or loop over.

    Sums of cotangents run through regions as through any other ops: `known` are those of the
    operands so far, and what `vjp` gives has them in it. So the order of the additions is that of
    the same ops outside of regions, and so are the bits; `masks` of strong zeros run through them,
    too. `inside` says what flows back to values of the regions otherwise.
    """

    continues = True

    def vjp(
        self,
        b: Builder,
        *cotangents: Value | None,
        known: Known = (),
        inside: Inside | None = None,
        masks: Masks | None = None,
        **_: Any,
    ) -> Sequence[Value | None]:
        return self.pullback(b, cotangents, known, inside or Inside(), masks or Masks())

    def pullback(
        self, b: Builder, cotangents: Known, known: Known, inside: Inside, masks: Masks
    ) -> Sequence[Value | None]:
        """The cotangents of the operands. ir/autodiff/control_flow.py defines it for each class, in
        terms of passes, which stand above the ops."""
        raise NotImplementedError(f"{self.mnemonic}: pullback")

    def run(self, interpret: Any, sizes: Any, *operands: Any) -> Sequence[Any]:
        """The reference meaning: `interpret(region, arguments)` runs a region."""
        raise NotImplementedError(f"{self.mnemonic}: run")

    def _takes(self, region: Function, given: Sequence[Type], what: str) -> None:
        wanted = [p.type for p in region.params]
        if wanted != list(given):
            shown = ", ".join(map(str, given))
            raise self.error(f"{what} takes ({', '.join(map(str, wanted))}), not ({shown})")

    def _gives(self, region: Function, wanted: Sequence[Type], what: str) -> None:
        have = list(region.result_types)
        if have != list(wanted):
            shown = ", ".join(map(str, wanted))
            raise self.error(f"{what} gives ({', '.join(map(str, have))}), not ({shown})")


class Cond(Control):
    """`then(args)` where the predicate, a bool scalar, holds, and else `orelse(args)`."""

    predicate: Value
    args: tuple[Value, ...]
    then: Function
    orelse: Function
    sparse = True

    def infer(self) -> tuple[Type, ...]:
        if self.predicate.type != scalar_type(bool_):
            raise self.error("the predicate must be a bool scalar", "dtype")
        given = types_of(self.args)
        self._takes(self.then, given, "the branch `then`")
        self._takes(self.orelse, given, "the branch `orelse`")
        self._gives(self.orelse, self.then.result_types, "the branch `orelse`")
        return self.then.result_types

    def run(self, interpret: Any, sizes: Any, *operands: Any) -> Sequence[Any]:
        predicate, *args = operands
        found: Sequence[Any] = interpret(self.then if predicate else self.orelse, args)
        return found


class While(Control):
    """carried = init; while condition(carried, captured): carried = body(carried, captured).

    The condition gives a bool scalar, the body the carried values again, of the same types.
    """

    init: tuple[Value, ...]
    captured: tuple[Value, ...]
    condition: Function
    body: Function
    sparse = True

    def infer(self) -> tuple[Type, ...]:
        carried = types_of(self.init)
        given = (*carried, *types_of(self.captured))
        self._takes(self.condition, given, "the condition")
        self._takes(self.body, given, "the body")
        self._check_condition()
        self._gives(self.body, carried, "the body")
        return carried

    def _check_condition(self) -> None:
        self._gives(self.condition, [scalar_type(bool_)], "the condition")

    def run(self, interpret: Any, sizes: Any, *operands: Any) -> Sequence[Any]:
        count = len(self.init)
        carried, captured = list(operands[:count]), operands[count:]
        while interpret(self.condition, (*carried, *captured))[0]:
            carried = interpret(self.body, (*carried, *captured))
        return carried


class Scan(Control):
    """Runs the body for i in [0, count), or backwards where `reverse` says so:

        (carried, y) = body(i, carried, x, captured)

    where x are the i-th slices of `xs` along their first axis. Gives the last carried values, and
    all y stacked along a new first axis. The last `residuals` of these are there for the backward
    pass alone.
    """

    init: tuple[Value, ...]
    xs: tuple[Value, ...]
    captured: tuple[Value, ...]
    count: Extent
    reverse: bool
    residuals: int
    body: Function
    sparse = True

    def infer(self) -> tuple[Type, ...]:
        for x in self.xs:
            if x.rank == 0 or x.shape[0] != self.count:
                raise self.error(f"the first axis of {x.type} is not {self.count}")
        carried = types_of(self.init)
        slices = [TensorType(x.dtype, x.shape[1:]) for x in self.xs]
        self._takes(self.body, (INDEX, *carried, *slices, *types_of(self.captured)), "the body")
        have = self.body.result_types
        if have[: len(carried)] != carried:
            self._gives(self.body, carried, "the body")
        stacked: list[Type] = [
            TensorType(t.dtype, (self.count, *t.shape)) for t in have[len(carried) :]
        ]
        return (*carried, *stacked)

    def run(self, interpret: Any, sizes: Any, *operands: Any) -> Sequence[Any]:
        n, m = len(self.init), len(self.xs)
        carried, xs, captured = list(operands[:n]), operands[n : n + m], operands[n + m :]
        count = as_int(self.count)
        rows: list[Any] = [None] * count
        for i in reversed(range(count)) if self.reverse else range(count):
            slices = [x[i, ...] for x in xs]  # arrays, of strings too
            found = interpret(self.body, (np.int64(i), *carried, *slices, *captured))
            carried, rows[i] = found[:n], found[n:]
        stacked = []
        for k, type_ in enumerate(self.body.result_types[n:]):
            shape = [evaluate(e, sizes) for e in type_.shape]
            stacked.append(stack([row[k] for row in rows], shape, type_.dtype.numpy))
        return [*carried, *stacked]


def stack(rows: Sequence[Any], shape: Sequence[int], dtype: Any) -> np.ndarray[Any, Any]:
    """Arrays of one shape along a new first axis. (`np.array` of scalars that are strings would be
    an array of arrays.)"""
    found = np.empty((len(rows), *shape), dtype)
    for i, row in enumerate(rows):
        found[i, ...] = row
    return found
