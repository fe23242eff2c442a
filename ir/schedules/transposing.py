"""The schedule of a transpose that moves the last axis: squares are turned in registers.

Along the last axis of the result, neighbours lie far apart in the operand, and the other way
round: one of loads and stores would touch a cache line for each element. In squares of a vector's
width both touch whole vectors.
"""

from __future__ import annotations

from typing import Any

from ..algebra import Term
from ..core import Value
from ..extent import Extent, Shape, ceildiv, product
from ..ops.kernel import Turn
from ..ops.shape import Transpose

Index = tuple[Value, ...]

SQUARES = 4  # side by side, so that a page is not left after one cache line


def side(lower: Any) -> int:
    """How many elements a square of the group's result has along a side; 0 where the group is
    no such transpose."""
    (root, *others) = lower.group.roots
    op = root.op
    if others or not isinstance(op, Transpose) or not lower.in_memory(op.x) or lower.target.grid:
        return 0
    rank = root.rank
    if rank < 2 or op.perm[-1] == rank - 1 or root.dtype.is_complex:
        return 0
    size: int = min(16, lower.target.vector_bytes // root.dtype.itemsize)
    ends = root.shape[-1], op.x.shape[-1]
    return size if all(not isinstance(e, int) or e >= size for e in ends) else 0


def distance(lower: Any, shape: Shape, axis: int) -> Value:
    """How many elements neighbours along an axis are apart."""
    value: Value = lower.extent(product(shape[axis + 1 :]))
    return value


def write(lower: Any, n: int) -> None:
    """Write the kernel, in squares of n x n elements."""
    (root,) = lower.group.roots
    op, shape, rank = root.op, root.shape, root.rank
    turned = op.perm.index(rank - 1)  # the axis of the result that is the operand's last
    across, along = shape[turned], shape[-1]
    others = tuple(e for i, e in enumerate(shape[:-1]) if i != turned)
    width = n * SQUARES
    source, target = lower.buffer(op.x), lower.outputs[root]

    def place(outer: Index, j: Value, i: Value) -> Index:
        rest = iter(outer)
        return (*(j if axis == turned else next(rest) for axis in range(rank - 1)), i)

    def whole(extent: Extent) -> Value:
        t = Term(lower.b, lower.extent(extent))
        return (t._emit("floor_div", n) * n).value

    def strip(number: Value) -> None:
        *outer, place_of = lower.unlinear(number, (*others, ceildiv(across, width)))
        first = Term(lower.b, place_of) * width
        end = (first + width)._emit("minimum", Term(lower.b, lower.extent(across)))
        last = end._emit("minimum", Term(lower.b, whole(across)))
        length = whole(along)
        step, target_step = (
            distance(lower, op.x.shape, op.perm[-1]),
            distance(lower, shape, turned),
        )

        def square(i: Value, j: Value) -> None:
            index = place(tuple(outer), j, i)
            at = lower.linear(tuple(index[k] for k in op.inverse), op.x.shape)
            to = lower.linear(index, shape)
            lower.b.emit_all(Turn(source, at, step, target, to, target_step, n))

        def one(j: Value, i: Value) -> None:
            index = place(tuple(outer), j, i)
            lower.store(target, lower.linear(index, shape), lower.element(root, index))

        def line(j: Value, low: Value) -> None:
            lower.loop(low, lower.extent(along), lambda i: one(j, i), "vector")

        def squares(i: Value) -> None:
            lower.loop(first.value, last.value, lambda j: square(i, j), step=n)

        lower.loop(lower.extent(0), length, squares, step=n)
        lower.loop(first.value, last.value, lambda j: line(j, length))
        lower.loop(last.value, end.value, lambda j: line(j, lower.extent(0)))

    work = product(shape) * root.dtype.itemsize // 4
    lower.parallel(product((*others, ceildiv(across, width))), work, strip)
