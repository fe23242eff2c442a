"""Elements of symbolic tensors that depend on no argument: computed while a function is traced."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from tfc.ir.core import Op, Value
from tfc.ir.extent import Expr, as_int, product
from tfc.ir.ops import Constant
from tfc.ir.ops.control import Control

from ..core import above
from ..core.placement import is_on_host
from ..core.tensor import Held, SymbolicTensor, Tensor

_MOST = 256  # elements of what is computed: shapes, permutations, paddings
_STEPS = 64  # ops


def known_elements(x: Any) -> np.ndarray | None:
    """The elements of a tensor, where they do not depend on what a function is called with; None
    where they do, where a Variable is among what they depend on, or where they are many."""
    if not isinstance(x, SymbolicTensor):
        if not isinstance(x, Tensor) or not is_on_host(x._array):
            return None
        return np.asarray(x._array) if x._array.dtype != object else None
    if x._extents is not None:
        found = x._extents
        extents = found if isinstance(found, tuple) else (found,)
        if all(isinstance(e, int) for e in extents):
            array = np.array(extents, x.dtype.numpy)
            return array if isinstance(found, tuple) else array.reshape(())
        return None
    return _Search().elements(x._trace, x._value)


def known_texts(x: SymbolicTensor) -> np.ndarray | None:
    """The elements of a tensor of strings that was known when it became a part of a trace."""
    for held, value in x._trace.captures.values():
        if value is x._value and isinstance(held, Tensor) and held._array.dtype == object:
            return held.numpy()
    return None


def is_unknown(x: Any) -> TypeGuard[SymbolicTensor]:
    """Whether this is a tensor of a function whose elements only a call tells."""
    return isinstance(x, SymbolicTensor) and known_elements(x) is None


def params_behind(x: Any) -> set[Value] | None:
    """The parameters of the outermost function that a tensor is computed from, and nothing else;
    None where there is something else, such as a Variable or what Python computes."""
    found: set[Value] = set()
    seen: set[Value] = set()
    pending = [(x._trace, x._value)]
    while pending:
        trace, value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if len(seen) > 4 * _STEPS:
            return None
        if value.op is not None:
            if not isinstance(value.op, Constant) and not _computes(value.op):
                return None
            pending += [(trace, v) for v in value.op.operands]
            continue
        captured = [t for t, param in trace.captures.values() if param is value]
        if not captured and trace.outer is None:
            found.add(value)
        elif len(captured) == 1 and isinstance(captured[0], SymbolicTensor):
            pending.append((captured[0]._trace, captured[0]._value))
        elif not captured or known_elements(captured[0]) is None:
            return None
    return found


class _Search:
    """Goes back from a value to the constants that it is made of."""

    def __init__(self) -> None:
        self.found: dict[Value, np.ndarray | None] = {}

    def elements(self, trace: Any, value: Value) -> np.ndarray | None:
        """The elements of a value of a trace."""
        if value not in self.found:
            if len(self.found) > _STEPS:
                return None
            self.found[value] = None
            self.found[value] = self._elements(trace, value)
        return self.found[value]

    def _elements(self, trace: Any, value: Value) -> np.ndarray | None:
        op = value.op
        if op is None:
            return self._captured(trace, value)
        if isinstance(op, Constant):
            return op.value if op.value.size <= _MOST else None
        shapes = [v.shape for v in op.results]
        if any(isinstance(e, Expr) for shape in shapes for e in shape) or not _computes(op):
            return None
        if any(as_int(product(shape)) > _MOST for shape in shapes):
            return None
        inputs = [self.elements(trace, v) for v in op.operands]
        if any(x is None for x in inputs):
            return None
        try:
            with np.errstate(all="ignore"):
                outcome = op.numpy(*inputs)
        except IndexError:  # what runs says so
            return None
        return np.asarray(outcome[value.index] if isinstance(outcome, tuple) else outcome)

    def _captured(self, trace: Any, value: Value) -> np.ndarray | None:
        """What stands for a tensor from outside of a function, branch or body."""
        for tensor, param in trace.captures.values():
            if param is value and isinstance(tensor, Held):
                if isinstance(tensor, SymbolicTensor):
                    return self.elements(tensor._trace, tensor._value)
                elements = known_elements(tensor)
                return elements if elements is not None and elements.size <= _MOST else None
        return None


def _computes(op: Op) -> bool:
    """Whether all that an op does is to compute its results from its operands."""
    if op.effect or op.binds() or isinstance(op, Control) or op.regions:
        return False
    if any(v.dtype.kind not in "biuf" for v in (*op.operands, *op.results)):
        return False
    parts = [x for a in op.attributes.values() for x in (a if isinstance(a, tuple) else (a,))]
    return not any(isinstance(x, Expr) for x in parts)


above.known_elements = known_elements
