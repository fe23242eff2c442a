"""Elementwise functions of ragged tensors: on the flat values, once operands have the same rows.

Axes are aligned at the last one. A ragged axis goes with one of the same rows, and with an axis of
a dense tensor (or of rows that are of one length by construction) whose extent is 1 or is that of
each row. What has the same rows is found at once and costs nothing; else rows are numbered axis by
axis, from the first: for each operand it is known which of its items stands for each item of the
result, and at last the flat values are gathered by these numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType

from ...core.tensor import Held, SymbolicTensor
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import comparisons as _comparisons
from . import rows as _rows
from .tensor import RaggedTensor

_CLASH = "Unable to broadcast: the rows differ"


def elementwise(function: Callable[..., Any], operands: Sequence[Any], op: str) -> Any:
    """`function` of the flat values of operands, ragged ones among them, that are broadcast to
    common rows.

    Args:
        function: Takes as many dense tensors, and gives one for each element of theirs.
        operands: Ragged and dense tensors, and what becomes one.
        op: What errors call it.

    Returns:
        A RaggedTensor.

    Raises:
        InvalidArgumentError: If rows do not fit.
        ValueError: If splits have different dtypes.
    """
    ragged = [x for x in operands if isinstance(x, RaggedTensor)]
    kind = _rows.splits_dtype(ragged, op)
    first = ragged[0]
    held = [
        x
        if isinstance(x, RaggedTensor | int | float | complex)
        else _rows.ragged_or_dense(op, x, first.dtype)
        for x in operands
    ]
    inner = _rows.flat_rank(first)
    if all(_same_rows(x, first) or _below(x, inner) for x in held):
        flat = [x.flat_values if isinstance(x, RaggedTensor) else x for x in held]
        return first.with_flat_values(function(*flat))
    layers, flat = _aligned(held, kind)
    result: Any = function(*flat)
    for splits, length in reversed(layers):
        result = RaggedTensor._made(result, splits, length)
    return result


def _below(x: Any, inner: int) -> bool:
    """Whether a dense operand has the axes of flat values alone, but for their first."""
    return not isinstance(x, RaggedTensor) and (not isinstance(x, Held) or len(x.shape) < inner)


def _same_rows(x: Any, y: RaggedTensor) -> bool:
    """Whether two ragged tensors are known to have the same rows."""
    if not isinstance(x, RaggedTensor) or x.ragged_rank != y.ragged_rank:
        return False
    if _rows.flat_rank(x) != _rows.flat_rank(y):
        return False
    pairs = zip(x.nested_row_splits, y.nested_row_splits, strict=True)
    return all(a is b or _equal(a, b) for a, b in pairs)


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, SymbolicTensor) or isinstance(b, SymbolicTensor):
        return False
    return np.array_equal(np.asarray(a), np.asarray(b))


class _Operand:
    """One operand, and which of its items stands for each item of the result so far."""

    def __init__(self, x: Any, kind: DType, rank: int) -> None:
        self.kind = kind
        for _ in range(rank - len(x.shape)):  # axes of extent 1 in front
            if isinstance(x, RaggedTensor):
                x = _rows.uniform(x, x.nrows(), 1, kind)
            else:
                x = _shaping.expand_dims(x, 0)
        self.levels: list[RaggedTensor] = []
        while isinstance(x, RaggedTensor):
            self.levels.append(x)
            x = x.values
        self.flat = x
        self.numbers: Any = None  # None: items are the result's own, in order
        first = self.levels[0] if self.levels else self.flat
        self.known = first.shape[0]
        self.count = _rows.row_count(first, kind)

    def extent(self, level: int) -> tuple[Any, int | None]:
        """The length of all rows at a level, as a tensor, and as a number where it is known."""
        if level < len(self.levels):
            return self.levels[level].uniform_row_length, self.levels[level]._length()
        axis = level + 1 - len(self.levels)
        return _shaping.shape(self.flat, out_type=self.kind)[axis], self.flat.shape[axis]

    def ragged_at(self, level: int) -> bool:
        return level < len(self.levels) and self.levels[level].uniform_row_length is None

    def of_items(self, vector: Any) -> Any:
        """A number for each item of the operand, as one for each item of the result."""
        return vector if self.numbers is None else _indexing.gather(vector, self.numbers)

    def starts(self, level: int, rows: Any) -> Any:
        """The first item of each row at a level, for each item of the result below it."""
        if level < len(self.levels):
            return _indexing.gather(self.of_items(self.levels[level].row_starts()), rows)
        numbers = rows if self.numbers is None else _indexing.gather(self.numbers, rows)
        return numbers * self.extent(level)[0]


def _aligned(held: Sequence[Any], kind: DType) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """The rows of the result, and the flat values of the operands as it has them."""
    tensors = {i: x for i, x in enumerate(held) if isinstance(x, RaggedTensor | Held)}
    rank = max(len(x.shape) for x in tensors.values())
    operands = {i: _Operand(x, kind, rank) for i, x in tensors.items()}
    depth = max(len(o.levels) for o in operands.values())
    count = _first_axis(list(operands.values()))
    layers = []
    for level in range(depth):
        lengths, length = _lengths(list(operands.values()), level, count)
        splits, rows, places = _rows.spread(lengths)
        for o in operands.values():
            _descend(o, level, rows, places)
        layers.append((splits, length))
        count = _shaping.shape(rows, out_type=kind)[0]
    flat = []
    for i, x in enumerate(held):
        if i not in operands:
            flat.append(x)
            continue
        o = operands[i]
        values = o.flat
        for _ in range(depth - len(o.levels)):
            extents = _shaping.shape(values)
            values = _shaping.reshape(values, _joining.concat([[-1], extents[2:]], 0))
        flat.append(o.of_items(values))
    return layers, flat


def _first_axis(operands: list[_Operand]) -> Any:
    """Number the items along the first axis; how many there are."""
    many = [o for o in operands if o.known != 1]
    if not many:
        return operands[0].count
    leader = next((o for o in many if o.known is not None), many[0])
    count = leader.count
    if leader.known is None:  # it may turn out to be 1
        for o in many:
            count = _comparisons.select(_comparisons.equal(count, 1), o.count, count)
    for o in operands:
        if o.known == 1:
            o.numbers = _creation.zeros(_shaping.reshape(count, [1]), o.kind)
        elif o.known is None or leader.known is None:
            one = _comparisons.equal(o.count, 1)
            fits = _comparisons.logical_or(one, _comparisons.equal(o.count, count))
            _checks.assert_equal(fits, True, _CLASH)
            own = _rows.counting(count)
            o.numbers = _comparisons.select(one, _creation.zeros_like(own), own)
        elif o.known != leader.known:
            _checks.assert_equal(o.count, count, _CLASH)
    return count


def _lengths(operands: list[_Operand], level: int, count: Any) -> tuple[Any, Any]:
    """The lengths of the rows at a level, and the one that all have, or None."""
    leader = next((o for o in operands if o.ragged_at(level)), None)
    if leader is None:
        length = operands[0].extent(level)[0]
        for o in operands[1:]:
            other, known = o.extent(level)
            if known != 1:
                one = _comparisons.equal(length, 1)
                length = _comparisons.select(one, other, length)
        for o in operands:
            _check_extent(o, level, length)
        return _creation.fill(_shaping.reshape(count, [1]), length), length
    lengths = leader.of_items(leader.levels[level].row_lengths())
    for o in operands:
        if o is leader:
            continue
        if o.ragged_at(level):
            _checks.assert_equal(o.of_items(o.levels[level].row_lengths()), lengths, _CLASH)
        else:
            _check_extent(o, level, lengths)
    return lengths, None


def _check_extent(o: _Operand, level: int, lengths: Any) -> None:
    """Rows of one length fit where that is 1, or is that of each row."""
    extent, known = o.extent(level)
    if known == 1:
        return
    fits = _comparisons.equal(lengths, extent)
    if known is None:
        fits = _comparisons.logical_or(fits, _comparisons.equal(extent, 1))
    _checks.assert_equal(fits, True, _CLASH)


def _descend(o: _Operand, level: int, rows: Any, places: Any) -> None:
    """Number the items below a level."""
    if o.ragged_at(level):
        if o.numbers is not None:
            o.numbers = o.starts(level, rows) + places
        return
    extent, known = o.extent(level)
    if known is not None and known != 1:
        if o.numbers is not None:
            o.numbers = o.starts(level, rows) + places
        return
    if known == 1:
        o.numbers = o.starts(level, rows)
        return
    one = _comparisons.equal(extent, 1)
    steps = _comparisons.select(one, _creation.zeros_like(places), places)
    o.numbers = o.starts(level, rows) + _conversion.cast(steps, o.kind)


__all__ = ["elementwise"]
