"""Variables around the calls of Python functions that a program makes.

A trace knows a Variable by its value; what a Python function reads and assigns is the Variable
itself. So a program assigns what is `pending` before it calls one, and reads the Variables that it
wants behind the call. Both are runs of Python functions too (tfc/ir/ops/python.py), beside the
chain of the user's: where a program goes through a call once more, for a gradient, nothing is
assigned again, and what had been read is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import finalize

import numpy as np

from tfc.ir.ops.python import KEEP, Callback

from ..core.context import active
from ..core.conversion import copied
from ..core.placement import moved, store
from ..core.tensor import wrap
from ..core.variable import Variable
from .sessions import Run, following, keep, note_before, result_of


class Order(Variable):
    """What orders the calls of Python functions in a trace: control flow carries it as it does
    Variables, but it is no state of the program."""

    __slots__ = ()


def order() -> Order:
    """The one of the process."""
    if not _orders:
        with active(trace=None, tapes=()):
            _orders.append(Order(np.int64(0), trainable=False, name="order"))
    return _orders[0]


_orders: list[Order] = []
_own: set[int] = set()  # the ids of Variables that belong to one place of a trace


def let_own(variable: Variable) -> None:
    """Note that a Variable, such as the state of a draw, belongs to one place of a trace, which has
    another one where it is traced again. Nobody else knows of it."""
    _own.add(id(variable))
    finalize(variable, _own.discard, id(variable))


def is_own(variable: Variable) -> bool:
    """Whether a Variable belongs to one place of a trace."""
    return id(variable) in _own


def is_shared(variable: Variable) -> bool:
    """Whether Python functions that are called may read and change a Variable."""
    return id(variable) not in _own and not isinstance(variable, Order)


class AssignVariables(Callback):
    """Assigns what it is called with to Variables."""

    role = "assign"

    def __init__(self, variables: Sequence[Variable]) -> None:
        super().__init__("assign")
        self.variables = list(variables)

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        for variable, array in zip(self.variables, arrays, strict=True):
            note_before(variable)
            store(variable, copied(np.asarray(array)))
        return keep(self, before, Run([], [], KEEP, None) if taped else None)

    def replay(self, before: int) -> int:
        return following[self.role, before]


class ReadVariables(Callback):
    """Gives the values of Variables: those of a list, which grows while the function is traced. So
    what two of them read behind one run is the same."""

    role = "read"

    def __init__(self, variables: list[Variable]) -> None:
        super().__init__("read")
        self.variables = variables

    def place(self, variable: Variable) -> int:
        """Which result the value of a Variable is."""
        for i, known in enumerate(self.variables):
            if known is variable:
                return i
        self.variables.append(variable)
        return len(self.variables) - 1

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        outputs = [wrap(moved(v._array, None)) for v in self.variables]
        return keep(self, before, Run([], outputs, reads, None) if reads else None)

    def replay(self, before: int) -> int:
        return following[self.role, before]

    def result(self, token: int, index: int) -> Any:
        return result_of(token, index)


__all__ = ["AssignVariables", "Order", "ReadVariables", "order"]
