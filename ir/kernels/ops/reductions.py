"""Reductions in the fixed tree of LANES slots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...core import Function, Regions, Value
from ...dtypes import DType, int64
from ...kernel_op import COMBINES, SIDE_BY_SIDE, KernelOp, LoopKind, fits_reduction, is_index
from ...types import INDEX, Type


class Reduce(KernelOp):
    """Combines body(k) over k in [0, count) in the fixed tree:

    slot j of LANES holds the elements k = j, j + LANES, ... combined in order, starting from the
    neutral element; then the upper half of the slots is combined into the lower, until one is
    left. So bits depend on `count` alone. "argmax" and "argmin" carry (value, place), "complex_mul"
    and "add" of two values the parts of a complex number. The kind says whether k runs along the
    lanes ("vector") or each lane reduces its own ("serial").

    Reductions of more than CHUNK elements are more than one `Reduce`: each chunk of so many is
    combined as above; then, in the same way, what the chunks gave. So many threads can share them.
    """

    count: Value
    combine: str
    kind: LoopKind
    body: Function
    effect = True

    def infer(self) -> tuple[Type, ...]:
        return self.body.result_types

    @property
    def side_by_side(self) -> bool:
        return self.kind in SIDE_BY_SIDE

    def counters(self) -> Iterator[tuple[Value, Value | None, Value, int]]:
        yield self.body.params[0], None, self.count, 1

    def invariants(self) -> Iterator[str]:
        if self.kind not in (LoopKind.SERIAL, LoopKind.VECTOR):
            yield f"no reduction kind: {str(self.kind)!r}"
        if self.combine not in COMBINES:
            yield f"no way to combine: {self.combine!r}"
        if not is_index(self.count):
            yield "the count must be an i64"
        if not fits_reduction(self.combine, self.body.result_types):
            given = ", ".join(map(str, self.body.result_types))
            yield f"the body of {self.combine} returns ({given})"

    def regions_take(self) -> Regions:
        return {"body": ((INDEX,), self.body.result_types)}


def neutral(combine: str, dtypes: Sequence[DType]) -> list[Any]:
    """What the slots of a `Reduce` start from."""
    dtype = dtypes[0]
    if combine == "complex_mul":
        return [1, 0]
    if combine in ("add", "bitwise_or"):
        return [0] * len(dtypes)
    if combine in ("mul", "bitwise_and"):
        return [1]
    low = combine in ("maximum", "argmax")
    if dtype.is_floating:
        end = -math.inf if low else math.inf
    else:
        end = dtype.min if low else dtype.max
    return [end] if len(dtypes) == 1 else [end, int64.max]


class Combine(KernelOp):
    """Two partial results of a `Reduce` as one."""

    combine: str
    old: tuple[Value, ...]
    new: tuple[Value, ...]

    def infer(self) -> tuple[Type, ...]:
        if [v.type for v in self.old] != [v.type for v in self.new]:
            raise self.error("partial results of different types", "dtype")
        return tuple(v.type for v in self.old)

    def invariants(self) -> Iterator[str]:
        if self.combine not in COMBINES:
            yield f"no way to combine: {self.combine!r}"
