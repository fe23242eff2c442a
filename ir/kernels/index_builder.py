"""A builder that knows how far loops count, so that what this decides is not computed.

    for %i in 0..128:  greater_equal %i, 0        true
                       %i + 1 < 129               true
                       %i >= 1                    is computed

So what lies beside an array is only asked for where an index can be there: lanes would compare one
by one, in registers that hold eight indices.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..attributes import number_of
from ..core import Builder, Op, Value, set_results
from ..dtypes import DType, bool_
from ..offsets import Offsets
from ..ops.elementwise import (
    Add,
    Comparison,
    Equal,
    FloorDiv,
    FloorMod,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Maximum,
    Minimum,
    Mul,
    NotEqual,
    Sub,
)
from ..ops.shape import Constant
from ..rules import integer_law
from ..types import INDEX

_FOLDED: Mapping[type[Op], Callable[[int, int], int]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    Minimum: min,
    Maximum: max,
    FloorDiv: operator.floordiv,
    FloorMod: operator.mod,
}
_ARITHMETIC = frozenset(_FOLDED)
_QUOTIENTS = frozenset({FloorDiv, FloorMod})
_COMPARISONS = frozenset({Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual})
_LARGE = 2**63  # integers of 64 bits wrap there


class IndexBuilder(Builder):
    """Emits into a kernel, or a region inside of it, whose loops it is told (`counts`)."""

    def __init__(self, name: str = "f", rules: Iterable[str] = ()) -> None:
        super().__init__(name, rules)
        self.offsets = Offsets()

    def inner(self) -> IndexBuilder:
        b = super().inner()
        assert isinstance(b, IndexBuilder)
        b.offsets = self.offsets
        return b

    def counts(self, counter: Value, low: Value | None, high: Value, step: int = 1) -> None:
        """A counter goes from `low` (None: 0) up to `high` in steps, in the region that this
        emits into."""
        self.offsets.counts(counter, low, high, step)

    def constant(self, value: Any, dtype: DType) -> Value:
        if type(value) is not int or dtype is not INDEX.dtype:
            return super().constant(value, dtype)
        known = self._seen.get(value)  # an index is its own key: no op's is a number
        if known is None:
            known = self._seen[value] = (self._number(value),)
        return known[0]

    def _number(self, value: int) -> Value:
        """An index that is a number, without what is asked of other ops: a tenth of all ops."""
        if self.journal is not None or not self._numbers:
            return super().constant(value, INDEX.dtype)
        number = number_of(value, INDEX.dtype)
        key = Constant, number.key
        known = self._seen.get(key)
        if known is None:
            op = Constant(number.array).of(number)
            result = Value(INDEX, op)
            set_results(op, (result,), self.location)
            self.body.append(op)
            known = self._seen[key] = (result,)
        return known[0]

    def emit(self, op: Op) -> Value:
        if type(op) in _ARITHMETIC and self.journal is None:
            x, y = op.operands
            if x.type is INDEX and y.type is INDEX:
                key = type(op), op.operands  # as `Op.key` has it
                known = self._seen.get(key)
                if known is None:
                    known = self._seen[key] = (self._of_indices(op, x, y),)
                return known[0]
        (result,) = self.emit_all(op)
        return result

    def _rewritten(self, op: Op) -> tuple[Value, ...] | None:
        if type(op) in _COMPARISONS and op.operands[0].type is INDEX:
            assert isinstance(op, Comparison)
            known = self.offsets.decided(op)
            if known is not None:
                return (self.constant(known, bool_),)
        return super()._rewritten(op)

    def _of_indices(self, op: Op, x: Value, y: Value) -> Value:
        """Append arithmetic of two indices, or what stands in its place. It is most of what kernels
        consist of while they are written, so that it is worth a way without NumPy and inference."""
        if type(x.op) is Constant and type(y.op) is Constant:
            a, b = int(x.op.number.literal), int(y.op.number.literal)  # type: ignore[arg-type]
            if b != 0 or type(op) not in _QUOTIENTS:
                number = _FOLDED[type(op)](a, b)
                return self.constant((number + _LARGE) % (2 * _LARGE) - _LARGE, INDEX.dtype)
        if isinstance(op, Minimum | Maximum):
            first = self.offsets.decided(LessEqual(x, y))
            if first is not None:
                return x if first is isinstance(op, Minimum) else y
        result = Value(INDEX, op)
        set_results(op, (result,), self.location)
        simpler = integer_law(op, self)
        if simpler is not None:
            return simpler
        self.body.append(op)
        return result
