"""Order: what sorts rows, or the places of their elements. Their kernels are schedules:
ir/kernels/cpu/sorting/schedules.py, ir/kernels/gpu/simt/schedules.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Requirement, Value
from ..dtypes import int64
from ..extent import Extent, as_int, product
from ..types import TensorType
from .scheduled import Scheduled
from .sort_keys import PLACES, negative_nans


class Sort(Scheduled):
    """The elements of each row along the last axis in order.

    Ascending: nan comes last. Descending is the same from the end. Which of equals comes first
    does not depend on where they stood: -0.0 comes before 0.0, and nans are ordered by their bits.
    So there is one result for what is sorted, however it is done.
    """

    x: Value
    descending: bool

    def infer(self) -> TensorType:
        check_rows(self, self.x)
        return TensorType(self.x.dtype, self.x.shape)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        bits = x
        if self.x.dtype.is_floating:
            short = np.dtype(f"i{x.dtype.itemsize}")
            nans, sign = short.type(negative_nans(self.x.dtype)), np.iinfo(short).max
            bits = x.view(short)
            bits = (bits ^ (bits >> (self.x.dtype.bits - 1) & sign)) - nans
        bits = np.sort(bits, axis=-1)
        bits = bits[..., ::-1] if self.descending else bits
        if not self.x.dtype.is_floating:
            return bits
        bits = bits + nans
        return np.asarray(bits ^ (bits >> (self.x.dtype.bits - 1) & sign)).view(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        """What became of an element goes back to the place that it came from."""
        from .gather import ScatterAdd
        from .shape import Broadcast, ExtentOf, Iota, Reshape

        places = b.emit(ArgSort(self.x, self.descending))
        *rows, n = self.x.shape
        count, table = product(self.x.shape), (product(rows), n)
        length = b.emit(Broadcast(b.emit(ExtentOf(n)), table, ()))
        start = Term(b, b.emit(Iota(table, 0, int64))) * Term(b, length)
        flat = start + Term(b, b.emit(Reshape(places, table)))
        target, moved = (b.emit(Reshape(v, (count,))) for v in (flat.value, dy))
        return (b.emit(Reshape(b.emit(ScatterAdd(target, moved, count)), self.x.shape)),)


class ArgSort(Scheduled):
    """The places, as i64, that put each row along the last axis into order; equals keep theirs.

    Ascending: nan comes last. Descending: nan comes first. -0.0 and 0.0 are equal.
    """

    x: Value
    descending: bool

    def infer(self) -> TensorType:
        check_rows(self, self.x)
        return TensorType(int64, self.x.shape)

    def requires(self) -> Iterable[Requirement]:
        n = self.x.shape[-1]
        if not isinstance(n, int):
            yield Requirement(PLACES - n, "bounds", (0, n, PLACES))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if x.dtype == bool:
            x = x.astype(np.uint8)
        wide = x.astype(self.x.dtype.compute.numpy) if self.x.dtype.is_floating else x
        if not self.descending:
            return np.argsort(wide, axis=-1, kind="stable")
        # From the end in ascending order, and then turned around: equals keep their order.
        backwards = np.argsort(wide[..., ::-1], axis=-1, kind="stable")
        return np.asarray(x.shape[-1] - 1 - backwards)[..., ::-1]

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)


def check_rows(op: Op, x: Value) -> None:
    """An error where x has no rows that could be sorted."""
    if x.dtype.kind in "ces":
        raise op.error(f"not defined for dtype {x.dtype.name}", "dtype")
    if x.rank < 1:
        raise op.error("there must be an axis to sort along")


class TopPlaces(Scheduled):
    """The first `count` places, as i64, that put each row along the last axis into descending
    order; equals keep theirs, and nan comes first.

    A few of many are found by going once through the row with the best ones so far in order;
    else all are sorted.
    """

    x: Value
    count: Extent

    def infer(self) -> TensorType:
        check_rows(self, self.x)
        n = self.x.shape[-1]
        if isinstance(self.count, int) and isinstance(n, int) and not 0 <= self.count <= n:
            raise self.error(f"there are no {self.count} places in rows of {n}")
        return TensorType(int64, (*self.x.shape[:-1], self.count))

    def requires(self) -> Iterable[Requirement]:
        n = self.x.shape[-1]
        yield Requirement(n - self.count, "bounds", (0, self.count, n))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        count = as_int(self.count)
        return ArgSort(self.x, True).numpy(x)[..., :count]

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)
