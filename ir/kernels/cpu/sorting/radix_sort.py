"""The schedule of sorts of places by keys of 64 bits: by rank, or by digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Value
from ....dtypes import DType, int32, int64
from ....element_builder import Index
from ....extent import Extent
from ....kernel_op import LoopKind
from ....ops.elementwise import Less, LessEqual
from ....ops.sort_keys import key, key_dtype
from ....types import TensorType
from ...ops import Load

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Elements of a row up to which it is sorted by counting what comes before each element. argsort
# of float64, 20000 rows of 32: 6.8 of the time with 16; 5000 of 128: 0.89 with 256.
COUNTED_ROW_MAX = 64
# Bits that one round looks at: 256 counts, which fit L1. Not measured.
DIGIT_BITS = 8


def short(count: Extent) -> bool | None:
    """Whether rows of this length are sorted by rank; None where only run time can tell."""
    return count <= COUNTED_ROW_MAX if isinstance(count, int) else None


def sort_buffers(dtype: DType, count: Extent) -> tuple[TensorType, ...]:
    """What `sort_row` wants: keys; and for long rows places, and counts of digits."""
    kind = key_dtype(dtype)
    if short(count):
        return (TensorType(kind, (count,)),)
    twice, digits = (2 * count,), (1 << DIGIT_BITS,)
    return TensorType(kind, twice), TensorType(int64, twice), TensorType(int64, digits)


def sort_row(lower: GroupBuilder, count: Extent, out: Value, start: Value, *buffers: Value) -> None:
    """Write the places that sort the keys in the first of the buffers to `out`, from `start` on.

    Short rows are sorted by rank: how many elements come before each one is counted for many of
    them side by side. Long ones are sorted by digits from the last to the first, each round
    stable (H. H. Seward, 1954; Knuth, The Art of Computer Programming, volume 3, 5.2.5).
    """
    n, bound = lower.extent(count), lower.extent(COUNTED_ROW_MAX)

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
            lower.when(lower.emit(LessEqual(n, bound)), rank)
            lower.when(lower.emit(Less(bound, n)), digits)


def _by_rank(lower: GroupBuilder, n: Value, out: Value, start: Value, keys: Value) -> None:
    """Each element goes to the place that has as many before it as are smaller, or equal and
    earlier."""
    zero = lower.extent(0)

    def place(i: Value) -> None:
        mine, own = lower.emit(Load(keys, i, None)), lower.cast(i, int32)

        def count(j: Value, carried: Index) -> Sequence[Value]:
            other = Term(lower.b, lower.emit(Load(keys, j, None)))
            earlier = Term(lower.b, lower.cast(j, int32)) < Term(lower.b, own)
            tie = other.equal(Term(lower.b, mine)) & earlier
            first = (other < Term(lower.b, mine)) | tie
            one_more = Term(lower.b, lower.cast(first.value, int32))
            return ((Term(lower.b, carried[0]) + one_more).value,)

        (rank,) = lower.carry(zero, n, (lower.b.constant(0, int32),), count)
        target = Term(lower.b, start) + Term(lower.b, lower.cast(rank, int64))
        lower.store(out, target.value, i)

    lower.loop(zero, n, place, LoopKind.VECTOR)


def _by_digits(
    lower: GroupBuilder,
    n: Value,
    out: Value,
    start: Value,
    keys: Value,
    places: Value,
    counts: Value,
) -> None:
    """Rounds from the last digit to the first. Keys and places go back and forth between the two
    halves of their buffers; `side` says in which half they are. A round in which all have the
    same digit is skipped."""
    zero, kind = lower.extent(0), keys.dtype
    lower.loop(zero, n, lambda i: lower.store(places, i, i), LoopKind.VECTOR)

    def digit(at: Value, shift: Value) -> Value:
        shifted = Term(lower.b, lower.emit(Load(keys, at, None))).shift_right_logical(
            Term(lower.b, shift)
        )
        cut = shifted & ((1 << DIGIT_BITS) - 1)
        return lower.cast(cut.value, int64)

    def one_round(number: Value, carried: Index) -> Sequence[Value]:
        (side,) = carried
        shift = lower.cast((Term(lower.b, number) * DIGIT_BITS).value, kind)
        here = (Term(lower.b, side) * Term(lower.b, n)).value
        there = (Term(lower.b, n) - Term(lower.b, here)).value
        size = lower.extent(1 << DIGIT_BITS)
        lower.loop(zero, size, lambda d: lower.store(counts, d, zero), LoopKind.VECTOR)

        def tally(i: Value) -> None:
            d = digit((Term(lower.b, here) + Term(lower.b, i)).value, shift)
            seen = Term(lower.b, lower.emit(Load(counts, d, None)))
            lower.store(counts, d, (seen + 1).value)

        lower.loop(zero, n, tally)
        of_first = lower.emit(Load(counts, digit(here, shift), None))
        needed = Term(lower.b, of_first).not_equal(Term(lower.b, n)).value

        def begin(d: Value, before: Index) -> Sequence[Value]:
            seen = lower.reload(counts, d)
            lower.store(counts, d, before[0])
            return ((Term(lower.b, before[0]) + Term(lower.b, seen)).value,)

        def move(i: Value) -> None:
            source = (Term(lower.b, here) + Term(lower.b, i)).value
            d = digit(source, shift)
            next_ = Term(lower.b, lower.reload(counts, d))
            lower.store(counts, d, (next_ + 1).value)
            target = (Term(lower.b, there) + next_).value
            lower.store(keys, target, lower.emit(Load(keys, source, None)))
            lower.store(places, target, lower.emit(Load(places, source, None)))

        def distribute() -> None:
            lower.carry(zero, size, (zero,), begin)
            lower.loop(zero, n, move)

        lower.when(needed, distribute)
        now = Term(lower.b, side)
        return (where(Term(lower.b, needed), 1 - now, now).value,)

    rounds = lower.extent(kind.bits // DIGIT_BITS)
    (side,) = lower.carry(zero, rounds, (zero,), one_round)

    def copy(i: Value) -> None:
        source = Term(lower.b, side) * Term(lower.b, n) + Term(lower.b, i)
        target = Term(lower.b, start) + Term(lower.b, i)
        lower.store(out, target.value, lower.emit(Load(places, source.value, None)))

    lower.loop(zero, n, copy, LoopKind.VECTOR)


def make_keys(lower: GroupBuilder, x: Value, index: Index, keys: Value, descending: bool) -> None:
    """Store the keys of one row of x."""

    def fill(i: Value) -> None:
        lower.store(keys, i, key(lower, lower.element(x, (*index, i)), descending))

    lower.loop(lower.extent(0), lower.extent(x.shape[-1]), fill, LoopKind.VECTOR)
