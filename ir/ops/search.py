"""Places in what is sorted, and permutations turned around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import as_dtype, int64
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, product
from ..kernel_op import LoopKind
from ..types import TensorType
from .elementwise import Bitcast
from .scheduled import Scheduled
from .sort_keys import key

_SEARCH_OPERATIONS = 200  # of a binary search, some twenty steps


class SearchSorted(Scheduled):
    """For each value, how many elements of its row of `x` are smaller ("left"), or not larger
    ("right"), as i64. The rows of x, along the last axis, are sorted; nan counts as the largest.
    """

    x: Value
    values: Value
    side: str

    def infer(self) -> TensorType:
        if self.side not in ("left", "right"):
            raise self.error("the side must be 'left' or 'right'", "value")
        if self.x.dtype is not self.values.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if self.x.dtype.kind in "ces":
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        if self.x.rank < 1 or self.values.rank != self.x.rank:
            raise self.error("operands must have the same rank, at least 1")
        if self.x.shape[:-1] != self.values.shape[:-1]:
            raise self.error("operands must agree in every axis but the last")
        return TensorType(int64, self.values.shape)

    def numpy(self, x: np.ndarray, values: np.ndarray) -> np.ndarray:
        rows = x.reshape(-1, x.shape[-1]) if x.size else np.zeros((values[..., 0].size, 0), x.dtype)
        wide = self.x.dtype.compute.numpy
        found = [
            np.searchsorted(row.astype(wide), v.astype(wide), self.side)  # type: ignore[call-overload]
            for row, v in zip(rows, values.reshape(len(rows), -1), strict=True)
        ]
        return np.array(found, np.int64).reshape(values.shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, None

    def operations(self) -> Extent:
        return product(self.values.shape) * _SEARCH_OPERATIONS

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        """A binary search in steps of falling powers of two, without branches."""
        (out,) = buffers
        zero, n = lower.extent(0), lower.extent(self.x.shape[-1])
        # As many steps as n has binary digits: the exponent of the float n.
        number = lower.emit(Bitcast(lower.cast(n, as_dtype("f64")), int64))
        exponent = Term(lower.b, number).shift_right_logical(52) - 1022
        digits = where(Term(lower.b, n) > 0, exponent, 0)

        def find(index: Index) -> None:
            wanted = key(lower, lower.element(self.values, index), False)

            def step(i: Value, carried: Index) -> Sequence[Value]:
                found = Term(lower.b, carried[0])
                shift = Term(lower.b, digits.value) - 1 - Term(lower.b, i)
                further = found + (shift.const(1) << shift)
                inside = further <= Term(lower.b, n)
                with lower.where(inside.value):
                    x = lower.element(self.x, (*index[:-1], (further - 1).value))
                here, mine = Term(lower.b, key(lower, x, False)), Term(lower.b, wanted)
                before = here < mine if self.side == "left" else here <= mine
                goes = inside & before
                return (where(goes, further, found).value,)

            (found,) = lower.carry(zero, digits.value, (zero,), step)
            lower.store(out, lower.linear(index, self.values.shape), found)

        lower.spread(self.values.shape, find)


class InvertPermutation(Scheduled):
    """The vector whose element x[i] is i. Where x is no permutation of 0, 1, ... it is an error
    that names the number which is out of range, or is there twice."""

    x: Value

    def infer(self) -> TensorType:
        if self.x.rank != 1:
            raise self.error("the operand must be a vector")
        if not self.x.dtype.is_integer:
            raise self.error("the operand must be integers", "dtype")
        return self.x.tensor_type

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if sorted(x.tolist()) != list(range(len(x))):
            raise IndexError("no permutation")
        return np.argsort(x).astype(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def scratch(self) -> tuple[TensorType, ...]:
        return (TensorType(int64, self.x.shape),)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        out, seen = buffers
        zero, n = lower.extent(0), lower.extent(self.x.shape[0])
        lower.loop(zero, n, lambda i: lower.store(seen, i, zero), LoopKind.VECTOR)

        def put(i: Value) -> None:
            place = lower.cast(lower.element(self.x, (i,)), int64)
            lower.check_index(place, n, self)
            times = Term(lower.b, lower.load(seen, place))
            lower.check(times.equal(0).value, (place,), "repeated", self)
            lower.store(seen, place, (times + 1).value)
            lower.store(out, place, lower.cast(i, self.x.dtype))

        lower.loop(zero, n, put)
