"""Order: places that sort, places in what is sorted, and permutations turned around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import DType, as_dtype, int32, int64
from ..extent import Extent
from ..types import TensorType
from .elementwise import Bitcast, Cast, Less, LessEqual
from .kernel import For, Load
from .scheduled import Scheduled

Index = tuple[Value, ...]

SHORT = 128  # rows up to this length are sorted by counting what comes before each element
DIGIT = 8  # bits that one round of the radix sort looks at


def key_dtype(dtype: DType) -> DType:
    """The unsigned integers that `key` gives for elements of `dtype`."""
    return as_dtype(f"uint{8 * dtype.itemsize}")


def key(lower: Any, x: Value, descending: bool) -> Value:
    """An unsigned integer that is ordered as x is: nan behind everything, -0.0 equal to 0.0."""
    dtype = x.dtype
    wide = key_dtype(dtype)
    if dtype.is_bool:
        bits = Term(lower.b, lower.emit(Cast(x, wide)))
    else:
        bits = Term(lower.b, x if dtype is wide else lower.emit(Bitcast(x, wide)))
        sign = 1 << (dtype.bits - 1)
        if dtype.kind == "i":
            bits = bits._emit("bitwise_xor", sign)
        elif dtype.is_floating:
            # The magnitude says what is zero (0) and what is nan (above the bits of infinity).
            size = bits._emit("bitwise_and", sign - 1)
            bits = where(size._emit("equal", 0), bits.const(0), bits)
            infinity = int(np.array(np.inf).astype(dtype.numpy).view(wide.numpy))
            bits = where(size > infinity, bits.const(sign - 1), bits)
            # Below zero larger magnitudes come first: all bits flip, above zero the sign alone.
            negative = bits._emit("shift_right_arithmetic", dtype.bits - 1)
            bits = bits._emit("bitwise_xor", negative._emit("bitwise_or", sign))
    if descending:
        bits = bits._emit("bitwise_xor", (1 << wide.bits) - 1)
    return bits.value


def when(lower: Any, condition: Value, fill: Any) -> None:
    """A loop of one round or none: what `fill` emits runs only where the condition holds."""
    rounds = lower.emit(Cast(condition, int64))
    lower.loop(lower.extent(0), rounds, lambda _: fill())


def carry(
    lower: Any, low: Value, high: Value, init: Sequence[Value], step: Any
) -> tuple[Value, ...]:
    """A serial loop: `step(i, carried)` gives the values of the next round."""
    types = (TensorType(int64), *(TensorType(v.dtype) for v in init))
    body = lower.region("body", types, lambda params: step(params[0], params[1:]))
    results: tuple[Value, ...] = lower.b.emit_all(For(low, high, tuple(init), 1, "serial", body))
    return results


class ArgSort(Scheduled):
    """The places, as i64, that put each row along the last axis into order; equals keep theirs.

    Ascending: nan comes last. Descending: nan comes first. -0.0 and 0.0 are equal.

    Short rows are sorted by rank: how many elements come before each one is counted for many of
    them side by side. Long ones are sorted by digits from the last to the first, each round
    stable (H. H. Seward, 1954; Knuth, The Art of Computer Programming, volume 3, 5.2.5).
    """

    x: Value
    descending: bool

    def infer(self) -> TensorType:
        if self.x.dtype.is_complex:
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        if self.x.rank < 1:
            raise self.error("there must be an axis to sort along")
        return TensorType(int64, self.x.shape)

    def numpy(self, x: Any) -> Any:
        if x.dtype == bool:
            x = x.astype(np.uint8)
        wide = x.astype(self.x.dtype.compute.numpy) if self.x.dtype.is_floating else x
        if not self.descending:
            return np.argsort(wide, axis=-1, kind="stable")
        # From the end in ascending order, and then turned around: equals keep their order.
        backwards = np.argsort(wide[..., ::-1], axis=-1, kind="stable")
        return (x.shape[-1] - 1 - backwards)[..., ::-1]

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    @property
    def count(self) -> Extent:
        extent: Extent = self.x.shape[-1]
        return extent

    def scratch(self) -> tuple[TensorType, ...]:
        kind = key_dtype(self.x.dtype)
        if isinstance(self.count, int) and self.count <= SHORT:
            return (TensorType(kind, (self.count,)),)
        twice = (2 * self.count,)
        digits = (1 << DIGIT,)
        return TensorType(kind, twice), TensorType(int64, twice), TensorType(int64, digits)

    def store(self, lower: Any, out: Value, keys: Value, *buffers: Value) -> None:
        rows = self.x.shape[:-1]
        zero, n = lower.extent(0), lower.extent(self.count)

        def row(index: Index) -> None:
            start = lower.linear((*index, zero), self.x.shape)

            def fill(i: Value) -> None:
                x = lower.element(self.x, (*index, i))
                lower.store(keys, i, key(lower, x, self.descending))

            lower.loop(zero, n, fill, "vector")
            if isinstance(self.count, int):
                if self.count <= SHORT:
                    self.by_rank(lower, out, start, keys)
                else:
                    self.by_digits(lower, out, start, keys, *buffers)
                return
            bound = lower.extent(SHORT)
            when(
                lower,
                lower.emit(LessEqual(n, bound)),
                lambda: self.by_rank(lower, out, start, keys),
            )
            when(
                lower,
                lower.emit(Less(bound, n)),
                lambda: self.by_digits(lower, out, start, keys, *buffers),
            )

        lower.nest(rows, row, serial=len(rows))

    def by_rank(self, lower: Any, out: Value, start: Value, keys: Value) -> None:
        """Each element goes to the place that has as many before it as are smaller, or equal and
        earlier."""
        zero, n = lower.extent(0), lower.extent(self.count)

        def place(i: Value) -> None:
            mine, own = lower.emit(Load(keys, i, None)), lower.cast(i, int32)

            def count(j: Value, carried: Index) -> Sequence[Value]:
                other = Term(lower.b, lower.emit(Load(keys, j, None)))
                earlier = Term(lower.b, lower.cast(j, int32)) < Term(lower.b, own)
                tie = other._emit("equal", Term(lower.b, mine))._emit("bitwise_and", earlier)
                first = (other < Term(lower.b, mine))._emit("bitwise_or", tie)
                return (
                    (
                        Term(lower.b, lower.cast(first.value, int32)) + Term(lower.b, carried[0])
                    ).value,
                )

            (rank,) = carry(lower, zero, n, (lower.b.constant(0, int32),), count)
            target = Term(lower.b, start) + Term(lower.b, lower.cast(rank, int64))
            lower.store(out, target.value, i)

        lower.loop(zero, n, place, "vector")

    def by_digits(
        self, lower: Any, out: Value, start: Value, keys: Value, places: Value, counts: Value
    ) -> None:
        """Rounds from the last digit to the first. Keys and places go back and forth between the
        two halves of their buffers; `side` says in which half they are. A round in which all
        have the same digit is skipped."""
        zero, n = lower.extent(0), lower.extent(self.count)
        kind = keys.dtype
        lower.loop(zero, n, lambda i: lower.store(places, i, i), "vector")

        def digit(at: Value, shift: Value) -> Value:
            shifted = Term(lower.b, lower.emit(Load(keys, at, None)))._emit(
                "shift_right_logical", Term(lower.b, shift)
            )
            cut = shifted._emit("bitwise_and", (1 << DIGIT) - 1)
            value: Value = lower.cast(cut.value, int64)
            return value

        def one_round(number: Value, carried: Index) -> Sequence[Value]:
            (side,) = carried
            shift = lower.cast((Term(lower.b, number) * DIGIT).value, kind)
            here = (Term(lower.b, side) * Term(lower.b, n)).value
            there = (Term(lower.b, n) - Term(lower.b, here)).value
            size = lower.extent(1 << DIGIT)
            lower.loop(zero, size, lambda d: lower.store(counts, d, zero), "vector")

            def tally(i: Value) -> None:
                d = digit((Term(lower.b, here) + Term(lower.b, i)).value, shift)
                seen = Term(lower.b, lower.emit(Load(counts, d, None)))
                lower.store(counts, d, (seen + 1).value)

            lower.loop(zero, n, tally)
            of_first = lower.emit(Load(counts, digit(here, shift), None))
            needed = Term(lower.b, of_first)._emit("not_equal", Term(lower.b, n)).value

            def begin(d: Value, before: Index) -> Sequence[Value]:
                seen = lower.emit(Load(counts, d, None))
                lower.store(counts, d, before[0])
                return ((Term(lower.b, before[0]) + Term(lower.b, seen)).value,)

            def move(i: Value) -> None:
                source = (Term(lower.b, here) + Term(lower.b, i)).value
                d = digit(source, shift)
                next_ = Term(lower.b, lower.emit(Load(counts, d, None)))
                lower.store(counts, d, (next_ + 1).value)
                target = (Term(lower.b, there) + next_).value
                lower.store(keys, target, lower.emit(Load(keys, source, None)))
                lower.store(places, target, lower.emit(Load(places, source, None)))

            def distribute() -> None:
                carry(lower, zero, size, (zero,), begin)
                lower.loop(zero, n, move)

            when(lower, needed, distribute)
            return (
                where(Term(lower.b, needed), 1 - Term(lower.b, side), Term(lower.b, side)).value,
            )

        rounds = lower.extent(kind.bits // DIGIT)
        (side,) = carry(lower, zero, rounds, (zero,), one_round)

        def copy(i: Value) -> None:
            source = Term(lower.b, side) * Term(lower.b, n) + Term(lower.b, i)
            target = Term(lower.b, start) + Term(lower.b, i)
            lower.store(out, target.value, lower.emit(Load(places, source.value, None)))

        lower.loop(zero, n, copy, "vector")


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
        if self.x.dtype.is_complex:
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        if self.x.rank < 1 or self.values.rank != self.x.rank:
            raise self.error("operands must have the same rank, at least 1")
        if self.x.shape[:-1] != self.values.shape[:-1]:
            raise self.error("operands must agree in every axis but the last")
        return TensorType(int64, self.values.shape)

    def numpy(self, x: Any, values: Any) -> Any:
        rows = x.reshape(-1, x.shape[-1]) if x.size else np.zeros((values[..., 0].size, 0), x.dtype)
        wide = self.x.dtype.compute.numpy
        found = [
            np.searchsorted(row.astype(wide), v.astype(wide), self.side)  # type: ignore[call-overload]
            for row, v in zip(rows, values.reshape(len(rows), -1), strict=True)
        ]
        return np.array(found, np.int64).reshape(values.shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, None

    def store(self, lower: Any, out: Value) -> None:
        """A binary search in steps of falling powers of two, without branches."""
        zero, n = lower.extent(0), lower.extent(self.x.shape[-1])
        # As many steps as n has binary digits: the exponent of the float n.
        number = lower.emit(Bitcast(lower.cast(n, as_dtype("f64")), int64))
        exponent = Term(lower.b, number)._emit("shift_right_logical", 52) - 1022
        digits = where(Term(lower.b, n) > 0, exponent, 0)

        def find(index: Index) -> None:
            wanted = key(lower, lower.element(self.values, index), False)

            def step(i: Value, carried: Index) -> Sequence[Value]:
                found = Term(lower.b, carried[0])
                shift = Term(lower.b, digits.value) - 1 - Term(lower.b, i)
                further = found + shift.const(1)._emit("shift_left", shift)
                inside = further <= Term(lower.b, n)
                with lower.where(inside.value):
                    x = lower.element(self.x, (*index[:-1], (further - 1).value))
                here, mine = Term(lower.b, key(lower, x, False)), Term(lower.b, wanted)
                before = here < mine if self.side == "left" else here <= mine
                goes = inside._emit("bitwise_and", before)
                return (where(goes, further, found).value,)

            (found,) = carry(lower, zero, digits.value, (zero,), step)
            lower.store(out, lower.linear(index, self.values.shape), found)

        lower.nest(self.values.shape, find)


class InvertPermutation(Scheduled):
    """The vector whose element x[i] is i. Where x is no permutation of 0, 1, ... it is an error
    that names the number which is out of range, or is there twice."""

    x: Value

    def infer(self) -> TensorType:
        if self.x.rank != 1:
            raise self.error("the operand must be a vector")
        if not self.x.dtype.is_integer:
            raise self.error("the operand must be integers", "dtype")
        return self.x.type  # type: ignore[no-any-return]

    def numpy(self, x: Any) -> Any:
        if sorted(x.tolist()) != list(range(len(x))):
            raise IndexError("no permutation")
        return np.argsort(x).astype(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def scratch(self) -> tuple[TensorType, ...]:
        return (TensorType(int64, self.x.shape),)

    def store(self, lower: Any, out: Value, seen: Value) -> None:
        zero, n = lower.extent(0), lower.extent(self.x.shape[0])
        lower.loop(zero, n, lambda i: lower.store(seen, i, zero), "vector")

        def put(i: Value) -> None:
            place = lower.cast(lower.element(self.x, (i,)), int64)
            lower.check_index(place, n, self)
            times = Term(lower.b, lower.emit(Load(seen, place, None)))
            lower.check(times._emit("equal", 0).value, (place,), "repeated", self)
            lower.store(seen, place, (times + 1).value)
            lower.store(out, place, lower.cast(i, self.x.dtype))

        lower.loop(zero, n, put)
