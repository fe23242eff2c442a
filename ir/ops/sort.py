"""Order: the places that put rows into order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Op, Requirement, Value
from ..dtypes import DType, as_dtype, bool_, int32, int64
from ..extent import Extent, product
from ..types import TensorType
from .elementwise import Bitcast, Cast, Less, LessEqual
from .kernel import For, Load
from .scheduled import Scheduled

Index = tuple[Value, ...]

SHORT = 64  # rows up to this length are sorted by counting what comes before each element
DIGIT = 8  # bits that one round of the radix sort looks at
FEW = 32  # so many of a row are found without sorting it, if they are at most one in as many


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


def short(count: Extent) -> bool | None:
    """Whether rows of this length are sorted by rank; None where only run time can tell."""
    return count <= SHORT if isinstance(count, int) else None


def sort_buffers(dtype: DType, count: Extent) -> tuple[TensorType, ...]:
    """What `sort_row` wants: keys; and for long rows places, and counts of digits."""
    kind = key_dtype(dtype)
    if short(count):
        return (TensorType(kind, (count,)),)
    twice, digits = (2 * count,), (1 << DIGIT,)
    return TensorType(kind, twice), TensorType(int64, twice), TensorType(int64, digits)


def sort_row(lower: Any, count: Extent, out: Value, start: Value, *buffers: Value) -> None:
    """Write the places that sort the keys in the first of the buffers to `out`, from `start` on.

    Short rows are sorted by rank: how many elements come before each one is counted for many of
    them side by side. Long ones are sorted by digits from the last to the first, each round
    stable (H. H. Seward, 1954; Knuth, The Art of Computer Programming, volume 3, 5.2.5).
    """
    n, bound = lower.extent(count), lower.extent(SHORT)

    def rank() -> None:
        _by_rank(lower, n, out, start, buffers[0])

    def digits() -> None:
        _by_digits(lower, n, out, start, *buffers)

    match short(count):
        case True:
            rank()
        case False:
            digits()
        case None:
            when(lower, lower.emit(LessEqual(n, bound)), rank)
            when(lower, lower.emit(Less(bound, n)), digits)


def _by_rank(lower: Any, n: Value, out: Value, start: Value, keys: Value) -> None:
    """Each element goes to the place that has as many before it as are smaller, or equal and
    earlier."""
    zero = lower.extent(0)

    def place(i: Value) -> None:
        mine, own = lower.emit(Load(keys, i, None)), lower.cast(i, int32)

        def count(j: Value, carried: Index) -> Sequence[Value]:
            other = Term(lower.b, lower.emit(Load(keys, j, None)))
            earlier = Term(lower.b, lower.cast(j, int32)) < Term(lower.b, own)
            tie = other._emit("equal", Term(lower.b, mine))._emit("bitwise_and", earlier)
            first = (other < Term(lower.b, mine))._emit("bitwise_or", tie)
            one_more = Term(lower.b, lower.cast(first.value, int32))
            return ((Term(lower.b, carried[0]) + one_more).value,)

        (rank,) = carry(lower, zero, n, (lower.b.constant(0, int32),), count)
        target = Term(lower.b, start) + Term(lower.b, lower.cast(rank, int64))
        lower.store(out, target.value, i)

    lower.loop(zero, n, place, "vector")


def _by_digits(
    lower: Any, n: Value, out: Value, start: Value, keys: Value, places: Value, counts: Value
) -> None:
    """Rounds from the last digit to the first. Keys and places go back and forth between the two
    halves of their buffers; `side` says in which half they are. A round in which all have the
    same digit is skipped."""
    zero, kind = lower.extent(0), keys.dtype
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
        now = Term(lower.b, side)
        return (where(Term(lower.b, needed), 1 - now, now).value,)

    rounds = lower.extent(kind.bits // DIGIT)
    (side,) = carry(lower, zero, rounds, (zero,), one_round)

    def copy(i: Value) -> None:
        source = Term(lower.b, side) * Term(lower.b, n) + Term(lower.b, i)
        target = Term(lower.b, start) + Term(lower.b, i)
        lower.store(out, target.value, lower.emit(Load(places, source.value, None)))

    lower.loop(zero, n, copy, "vector")


def total_key_dtype(dtype: DType) -> DType:
    """The signed integers that `total_key` gives for elements of `dtype`."""
    return int64 if dtype.itemsize == 8 else int32


def total_key(lower: Any, x: Value, descending: bool) -> Value:
    """A signed integer that is ordered as `Sort` orders x, another one for other bits."""
    dtype, wide = x.dtype, total_key_dtype(x.dtype)
    if not dtype.is_floating:
        bits = Term(lower.b, lower.cast(x, wide))
        if dtype.is_unsigned and dtype.bits == wide.bits:
            bits = bits._emit("bitwise_xor", wide.min)
    else:
        short = as_dtype(f"int{dtype.bits}")
        bits = Term(lower.b, lower.emit(Bitcast(x, short)))
        # Below zero larger magnitudes come first: all bits but the sign flip.
        flips = bits._emit("shift_right_arithmetic", dtype.bits - 1)
        bits = bits._emit("bitwise_xor", flips._emit("bitwise_and", short.max))
        # What has a sign and is nan would come first now. It goes around to the end.
        bits = bits - _negative_nans(dtype)
        bits = Term(lower.b, lower.cast(bits.value, wide))
    if descending:
        bits = bits._emit("bitwise_xor", -1)
    return bits.value


def from_total_key(lower: Any, key: Value, dtype: DType, descending: bool) -> Value:
    """The element of `dtype` that has this `total_key`."""
    bits = Term(lower.b, key)
    if descending:
        bits = bits._emit("bitwise_xor", -1)
    if not dtype.is_floating:
        if dtype.is_unsigned and dtype.bits == key.dtype.bits:
            bits = bits._emit("bitwise_xor", key.dtype.min)
        value: Value = lower.cast(bits.value, dtype)
        return value
    short = as_dtype(f"int{dtype.bits}")
    bits = Term(lower.b, lower.cast(bits.value, short)) + _negative_nans(dtype)
    flips = bits._emit("shift_right_arithmetic", dtype.bits - 1)
    bits = bits._emit("bitwise_xor", flips._emit("bitwise_and", short.max))
    value = lower.emit(Bitcast(bits.value, dtype))
    return value


def _negative_nans(dtype: DType) -> int:
    """How many different nans of a dtype have a sign."""
    infinity = np.array(np.inf).astype(dtype.numpy).view(f"u{dtype.itemsize}")
    return (1 << (dtype.bits - 1)) - 1 - int(infinity)


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

    def numpy(self, x: Any) -> Any:
        bits = x
        if self.x.dtype.is_floating:
            short = np.dtype(f"i{x.dtype.itemsize}")
            nans, sign = short.type(_negative_nans(self.x.dtype)), np.iinfo(short).max
            bits = x.view(short)
            bits = (bits ^ (bits >> (self.x.dtype.bits - 1) & sign)) - nans
        bits = np.sort(bits, axis=-1)
        bits = bits[..., ::-1] if self.descending else bits
        if not self.x.dtype.is_floating:
            return bits
        bits = bits + nans
        return (bits ^ (bits >> (self.x.dtype.bits - 1) & sign)).view(x.dtype)

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

    def store(self, lower: Any, *buffers: Value) -> None:
        from ..schedules.sorting import Keys, sort

        (out,) = buffers
        *rows, n = self.x.shape

        def key_of(index: Index) -> Value:
            return total_key(lower, lower.element(self.x, index), self.descending)

        def take(index: Index, sorted_key: Value) -> None:
            x = from_total_key(lower, sorted_key, self.x.dtype, self.descending)
            lower.store(out, lower.linear(index, self.x.shape), x)

        sort(lower, tuple(rows), n, Keys(total_key_dtype(self.x.dtype), key_of, take))


class ArgSort(Scheduled):
    """The places, as i64, that put each row along the last axis into order; equals keep theirs.

    Ascending: nan comes last. Descending: nan comes first. -0.0 and 0.0 are equal.
    """

    x: Value
    descending: bool

    def infer(self) -> TensorType:
        check_rows(self, self.x)
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

    def scratch(self) -> tuple[TensorType, ...]:
        return sort_buffers(self.x.dtype, self.x.shape[-1])

    def store(self, lower: Any, *buffers: Value) -> None:
        out, *more = buffers
        rows = self.x.shape[:-1]

        def row(index: Index) -> None:
            make_keys(lower, self.x, index, more[0], self.descending)
            start = lower.linear((*index, lower.extent(0)), self.x.shape)
            sort_row(lower, self.x.shape[-1], out, start, *more)

        lower.nest(rows, row, serial=len(rows))


def check_rows(op: Op, x: Value) -> None:
    """An error where x has no rows that could be sorted."""
    if x.dtype.is_complex:
        raise op.error(f"not defined for dtype {x.dtype.name}", "dtype")
    if x.rank < 1:
        raise op.error("there must be an axis to sort along")


def make_keys(lower: Any, x: Value, index: Index, keys: Value, descending: bool) -> None:
    """Store the keys of one row of x."""

    def fill(i: Value) -> None:
        lower.store(keys, i, key(lower, lower.element(x, (*index, i)), descending))

    lower.loop(lower.extent(0), lower.extent(x.shape[-1]), fill, "vector")


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

    def numpy(self, x: Any) -> Any:
        count: Any = self.count
        return ArgSort(self.x, True).numpy(x)[..., :count]

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def scratch(self) -> tuple[TensorType, ...]:
        n = self.x.shape[-1]
        kind = key_dtype(self.x.dtype)
        return (
            TensorType(kind, (self.count,)),
            TensorType(int64, (n,)),
            *sort_buffers(self.x.dtype, n),
        )

    def store(self, lower: Any, *buffers: Value) -> None:
        out, best, order, *more = buffers
        *rows, n = self.x.shape

        def row(index: Index) -> None:
            make_keys(lower, self.x, index, more[0], True)
            start = lower.linear((*index, lower.extent(0)), self.result.shape)
            k = Term(lower.b, lower.extent(self.count))
            few = (k <= FEW)._emit("bitwise_and", k * FEW <= Term(lower.b, lower.extent(n)))
            many = few._emit("logical_not")

            def everything() -> None:
                sort_row(lower, n, order, lower.extent(0), *more)

                def copy(i: Value) -> None:
                    target = Term(lower.b, start) + Term(lower.b, i)
                    lower.store(out, target.value, lower.emit(Load(order, i, None)))

                lower.loop(lower.extent(0), lower.extent(self.count), copy, "vector")

            when(lower, few.value, lambda: self.selected(lower, out, start, best, more[0]))
            when(lower, many.value, everything)

        lower.nest(tuple(rows), row, serial=len(rows))

    def selected(self, lower: Any, out: Value, start: Value, best: Value, keys: Value) -> None:
        """The best so far stand in order; a better one than the last is put into its place."""
        zero, k = lower.extent(0), lower.extent(self.count)

        def target(j: Value) -> Value:
            return (Term(lower.b, start) + Term(lower.b, j)).value

        def insert(i: Value, mine: Value, last: Value) -> None:
            """Behind what is not worse; all from there on move by one, up to the last place."""

            def move(j: Value, carried: Index) -> Sequence[Value]:
                moving, new_key, new_place = (Term(lower.b, v) for v in carried)
                old_key = Term(lower.b, lower.emit(Load(best, j, None)))
                old_place = Term(lower.b, lower.emit(Load(out, target(j), None)))
                moving = moving._emit("bitwise_or", new_key < old_key)
                lower.store(best, j, where(moving, new_key, old_key).value)
                lower.store(out, target(j), where(moving, new_place, old_place).value)
                kept_key, kept_place = (
                    where(moving, old, new)
                    for old, new in ((old_key, new_key), (old_place, new_place))
                )
                return moving.value, kept_key.value, kept_place.value

            never = lower.b.constant(False, bool_)
            _, over_key, over_place = carry(lower, zero, last, (never, mine, i), move)
            lower.store(best, last, over_key)
            lower.store(out, target(last), over_place)

        def first(i: Value) -> None:
            insert(i, lower.emit(Load(keys, i, None)), i)

        def later(i: Value) -> None:
            mine = lower.emit(Load(keys, i, None))
            last = (Term(lower.b, k) - 1).value
            better = lower.emit(Less(mine, lower.emit(Load(best, last, None))))
            when(lower, better, lambda: insert(i, mine, last))

        lower.loop(zero, k, first)
        some = lower.emit(Less(zero, k))
        when(lower, some, lambda: lower.loop(k, lower.extent(self.x.shape[-1]), later))
