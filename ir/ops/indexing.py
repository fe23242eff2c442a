"""Checked indices, updates at computed indices, and the places where a mask holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Op, Value
from ..dtypes import bool_, int64
from ..extent import Extent, as_int
from ..types import TensorType
from .elementwise import Add, Cast, Div, Equal, Maximum, Minimum, Mul, Neg, Select, Sub
from .gather import Gather, ScatterAdd, _check
from .scheduled import Scheduled
from .shape import Broadcast, Iota

if TYPE_CHECKING:
    from ..element_builder import Index, ScheduleBuilder

COMBINES: dict[str, tuple[Callable[[Value, Value], Op] | None, Callable[..., Any]]] = {
    "update": (None, lambda old, new: new),
    "add": (Add, np.add),
    "sub": (Sub, np.subtract),
    "mul": (Mul, np.multiply),
    "div": (Div, np.divide),
    "min": (Minimum, np.minimum),
    "max": (Maximum, np.maximum),
}


def scattered(value: Value) -> tuple[Value, list[Scatter]]:
    """What `value` is made of by scatters alone, and these, in order."""
    chain = []
    while isinstance(value.op, Scatter):
        chain.append(value.op)
        value = value.op.base
    return value, chain[::-1]


class Scatter(Scheduled):
    """`base`, of which row indices[i] is combined with updates[i], in order of i.

    `combine` is "update" (the last update of a row stays), "add", "sub", "mul", "div", "min" or
    "max".
    """

    base: Value
    indices: Value
    updates: Value
    combine: str

    def infer(self) -> TensorType:
        if self.combine not in COMBINES:
            raise self.error(f"no way to combine named {self.combine!r}", "value")
        if self.indices.rank != 1 or not self.indices.dtype.is_integer:
            raise self.error("indices must be a vector of integers", "dtype")
        if self.base.dtype is not self.updates.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        dtype = self.base.dtype
        refused = {"update": "", "div": "iubes", "min": "bces", "max": "bces"}
        if dtype.kind in refused.get(self.combine, "bes"):
            raise self.error(f"not defined for dtype {dtype.name}", "dtype")
        if self.updates.rank < 1 or self.updates.shape[0] != self.indices.shape[0]:
            raise self.error("there must be one update for every index")
        if self.updates.rank != self.base.rank or self.updates.shape[1:] != self.base.shape[1:]:
            raise self.error("an update must have the shape of a row")
        return TensorType(dtype, self.base.shape)

    @property
    def indexed(self) -> Extent:
        """What indices must be below."""
        extent: Extent = self.base.shape[0]
        return extent

    def numpy(self, base: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> np.ndarray:
        _check(indices, base.shape[0])
        out, combine = base.copy(), COMBINES[self.combine][1]
        for row, update in zip(indices, updates, strict=True):
            out[row] = combine(out[row], update)
        return out

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        match self.combine:
            case "add":
                return dy, None, b.emit(Gather(dy, self.indices, 0))
            case "sub":
                return dy, None, b.emit(Neg(b.emit(Gather(dy, self.indices, 0))))
            case "update":
                return self._update_vjp(b, dy)
            case "min" | "max":
                return self._extremum_vjp(b, dy)
        raise NotImplementedError(f"{self.mnemonic} by {self.combine!r} has no gradient")

    def _update_vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        """What was overwritten has no part in the result; nor have updates but a row's last."""
        rows, n = self.base.shape[0], self.indices.shape[0]
        zeros = Term(b, self.updates).const(0).value
        if n == 1:  # it is read before it is overwritten, so that this can be done in place
            row = b.emit(Gather(dy, self.indices, 0))
            return b.emit(Scatter(dy, self.indices, zeros, "update")), None, row
        kept = b.emit(Scatter(dy, self.indices, zeros, "update"))
        numbers = b.emit(Iota((n,), 0, int64))
        nobody = b.emit(Broadcast(b.constant(-1, int64), (rows,), ()))
        writer = b.emit(Scatter(nobody, self.indices, numbers, "update"))
        last = b.emit(Equal(b.emit(Gather(writer, self.indices, 0)), numbers))
        spread = b.emit(Broadcast(last, self.updates.shape, (0,)))
        rows_of = b.emit(Gather(dy, self.indices, 0))
        return kept, None, b.emit(Select(spread, rows_of, zeros))

    def _extremum_vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        """TensorFlow's rule: all that are equal to the result share the cotangent."""
        dtype, rows = self.base.dtype, self.base.shape[0]
        mine = b.emit(Equal(self.base, self.result))
        theirs = b.emit(Equal(self.updates, b.emit(Gather(self.result, self.indices, 0))))
        votes = b.emit(ScatterAdd(self.indices, b.emit(Cast(theirs, dtype)), rows))
        count = Term(b, b.emit(Cast(mine, dtype))) + Term(b, votes)
        share = (Term(b, dy) / count).value
        rows_of = b.emit(Gather(share, self.indices, 0))
        kept = where(Term(b, mine), Term(b, share), 0).value
        return kept, None, where(Term(b, theirs), Term(b, rows_of), 0).value

    def updated(self) -> Value:
        return self.base

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        lower.ordered(self.updates.shape, lambda index: self.change(lower, out, index))

    def change(self, lower: ScheduleBuilder, out: Value, index: Index) -> None:
        """Combine one element of the updates with what is in the buffer."""
        shape, combine = self.result.shape, COMBINES[self.combine][0]
        raw = lower.element(self.indices, index[:1])
        row = lower.emit(Cast(raw, int64))
        lower.check_index(row, lower.extent(shape[0]), self)
        place = lower.linear((row, *index[1:]), shape)
        new = lower.element(self.updates, index)
        if combine is not None:
            new = lower.emit(combine(lower.reload(out, place), new))
        lower.store(out, place, new)


class Nonzero(Scheduled):
    """The places where the vector `mask` holds, in order: the first `count` of them, filled up
    with the mask's length where there are fewer."""

    mask: Value
    count: Extent

    def infer(self) -> TensorType:
        if self.mask.rank != 1 or self.mask.dtype is not bool_:
            raise self.error("the mask must be a vector of bools", "dtype")
        return TensorType(int64, (self.count,))

    def numpy(self, mask: np.ndarray) -> np.ndarray:
        count = as_int(self.count)
        found = np.flatnonzero(mask)[:count]
        return np.concatenate([found, np.full(count - len(found), len(mask))]).astype(np.int64)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def scratch(self) -> tuple[TensorType, ...]:
        return (TensorType(int64, self.mask.shape),)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        """Write every place behind those that were found: what follows overwrites it unless the
        mask holds there. So no branch is needed; the scratch has room for all."""
        out, places = buffers
        zero, length = lower.extent(0), lower.extent(self.mask.shape[0])

        def step(i: Value, carried: Index) -> Sequence[Value]:
            (found,) = carried
            lower.store(places, found, i)
            holds = lower.emit(Cast(lower.element(self.mask, (i,)), int64))
            return (lower.emit(Add(found, holds)),)

        (total,) = lower.carry(zero, length, (zero,), step)

        def copy(index: Index) -> None:
            inside = Term(lower.b, index[0]) < Term(lower.b, total)
            place = lower.load(places, index[0], inside.value)
            value = where(inside, Term(lower.b, place), Term(lower.b, length)).value
            lower.store(out, index[0], value)

        lower.nest((self.count,), copy)
