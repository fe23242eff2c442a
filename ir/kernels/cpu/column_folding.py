"""What all kernels that reduce columns share: routines which combine slots, and then chunks.

Rows of partial results lie in memory, one for each slot or chunk, some elements apart. Both
routines combine neighbouring columns of them in the tree of `Reduce`, for any kernel with the same
operation and dtypes, so that their code is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...core import Value
from ...kernel_op import LoopKind
from ...ops.reduction import LANES, Reduction
from ...ops.shape import Constant
from ..ops import ChooseBuffer, Combine

if TYPE_CHECKING:
    from ...element_builder import Index
    from ..group_builder import GroupBuilder

# Slots that are folded in registers, or rows where each has a slot of its own. Sums along the first
# axis, beside loops that fold by halves in memory: of 64 x 100,000 2.69 -> 0.65 ms, 64 x 1024 12.3
# -> 4.0 us, 32 x 512 3.5 -> 1.9, 128 x 512 7.7 -> 5.8, 4096 x 1024 as before.
FOLDED = 8
ROUNDS = 2  # in which that many at a time are folded, of LANES


def fold_in_registers(
    lower: GroupBuilder, op: Reduction, leaf: Callable[[int], Sequence[Value]], count: int
) -> Sequence[Value]:
    """The upper half of so many slots into the lower, until one is left."""

    def node(slot: int, width: int) -> Sequence[Value]:
        """Of a slot, when `width` are left."""
        if width == count:
            return leaf(slot)
        return _joined(lower, op, node(slot, 2 * width), node(slot + width, 2 * width))

    return node(0, 1)


def fold_slots(
    lower: GroupBuilder,
    op: Reduction,
    slots: Sequence[Value],
    first: Value,
    stride: Value,
    parts: Sequence[Value],
    place: Value,
    count: Value,
) -> None:
    """Combine LANES rows of `count` elements, `stride` apart, of which the first begins at `first`
    in its buffer; what they give goes to `parts`, from `place` on. The rows are written over."""
    lanes = _whole_lanes(lower, op, count)

    def write(*params: Value) -> Index:
        t, n = lower.index, len(slots)
        rows, totals = params[:n], params[n : 2 * n]
        first, stride, place, count = params[2 * n :]

        def round_(number: Value) -> None:
            begun = t(number).equal(0)
            step = begun.select(lower.extent(FOLDED), lower.extent(1))
            apart, at = (step * stride).value, begun.select(first, place).value
            pairs = zip(rows, totals, strict=True)
            to = [lower.emit(ChooseBuffer(begun.value, x, y)) for x, y in pairs]

            def one(slot: Value) -> None:
                row = t(slot) * stride
                to_row, low = (row + at).value, [(row + first).value]
                for _ in range(FOLDED - 1):
                    low.append((t(low[-1]) + apart).value)

                def fill(j: Value) -> None:
                    def leaf(i: int) -> Sequence[Value]:
                        return [lower.load(buffer, (t(low[i]) + j).value) for buffer in rows]

                    found = fold_in_registers(lower, op, leaf, FOLDED)
                    for buffer, value in zip(to, found, strict=True):
                        lower.store(buffer, (t(to_row) + j).value, value)

                _across(lower, count, lanes, fill)

            lower.loop(lower.extent(0), step.value, one)

        lower.loop(lower.extent(0), lower.extent(ROUNDS), round_)
        return ()

    args = (*slots, *parts, first, stride, place, count)
    lower.call_routine(f"fold_slots_{op.combine}{_of(lanes)}", args, write, False)


def fold_parts(
    lower: GroupBuilder,
    op: Reduction,
    parts: Sequence[Value],
    pieces: Value,
    stride: Value,
    place: Value,
    count: Value,
) -> None:
    """Combine `count` elements, from `place` on, of as many rows as there are pieces, CHUNK at most
    and `stride` apart, into those of the first row."""
    lanes = _whole_lanes(lower, op, count)

    def write(*params: Value) -> Index:
        t, n = lower.index, len(parts)
        buffers = params[:n]
        pieces, stride, place, count = params[n:]

        def level(number: Value) -> None:
            # First all that is behind the slots into them, then their upper half into the lower.
            half = t(lower.extent(LANES)).shift_right_logical(number)
            rest, width = t(pieces) - half, half.value
            end = t(number).equal(0).select(rest, rest.minimum(half))

            def one(k: Value) -> None:
                low = ((t(k) & (t(width) - 1)) * stride + place).value
                high = ((t(k) + width) * stride + place).value

                def fill(j: Value) -> None:
                    to, by = (t(low) + j).value, (t(high) + j).value
                    old = [lower.load(buffer, to) for buffer in buffers]
                    new = [lower.load(buffer, by) for buffer in buffers]
                    for buffer, value in zip(buffers, _joined(lower, op, old, new), strict=True):
                        lower.store(buffer, to, value)

                _across(lower, count, lanes, fill)

            lower.loop(lower.extent(0), end.value, one)

        lower.loop(lower.extent(0), lower.extent(LANES.bit_length()), level)
        return ()

    args = (*parts, pieces, stride, place, count)
    lower.call_routine(f"fold_parts_{op.combine}{_of(lanes)}", args, write, False)


def _whole_lanes(lower: GroupBuilder, op: Reduction, count: Value) -> int:
    """How many lanes registers have, if so many columns surely fill them each time; else 0."""
    lanes = lower.target.vector_bytes // max(d.itemsize for d in op.partial_dtypes)
    known = count.op
    whole = isinstance(known, Constant) and int(known.value) % lanes == 0
    return lanes if whole else 0


def _of(lanes: int) -> str:
    return f"_of_{lanes}" if lanes else ""


def _across(lower: GroupBuilder, count: Value, lanes: int, fill: Callable[[Value], None]) -> None:
    """A loop over columns, along the lanes; where columns fill these, it has no masked round, which
    half of the code would be."""
    zero = lower.extent(0)
    if not lanes:
        lower.loop(zero, count, fill, LoopKind.VECTOR)
        return

    def block(first: Value) -> None:
        end = (lower.index(first) + lanes).value
        lower.loop(first, end, fill, LoopKind.SIMD, step=lanes)

    lower.loop(zero, count, block, step=lanes)


def _joined(
    lower: GroupBuilder, op: Reduction, old: Sequence[Value], new: Sequence[Value]
) -> Sequence[Value]:
    return lower.b.emit_all(Combine(op.combine, tuple(old), tuple(new)))
