"""Variables among the arguments of a function: what it sees of them while it is traced."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType
from tfc.ir.value_classes import NamedTuple

from .context import context, user_location
from .shapes import TensorShape
from .tensor import Reference, Tensor
from .variable import Variable


class VariableSpec(NamedTuple):
    """What a trace depends on of a Variable among the arguments. Those of equal `alias_id` are one
    Variable."""

    shape: TensorShape
    dtype: DType
    trainable: bool
    alias_id: int
    rank: int  # now, where the shape leaves it open

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype=tf.{self.dtype.name}, "
            f"trainable={self.trainable}, alias_id={self.alias_id})"
        )


def spec_of(variable: Variable, alias_id: int) -> VariableSpec:
    """The spec of a Variable."""
    declared = variable._declared
    shape = variable.shape if declared is None else declared
    return VariableSpec(
        shape, variable.dtype, bool(variable.trainable), alias_id, variable._array.ndim
    )


class ArgumentVariable(Variable):
    """Stands for a Variable among the arguments of a function that is being traced: for any that
    has its spec, unless the function asks which one it is, or reaches it in another way, too. Then
    it is `fixed`, and what was traced is for this one alone.

    It has no value of its own. Outside of its trace (where a program kept it) it is the Variable.
    """

    __slots__ = ("_original", "fixed", "trace")

    # What the program finds on it is the Variable's; so none of `Variable.__init__` is for it.
    def __init__(self, original: Variable, trace: Any) -> None:
        array = original._array
        self._array = np.broadcast_to(np.zeros((), array.dtype), array.shape)
        self._original = weakref.ref(original)
        self.trace = trace
        self.fixed = False
        for name in _SHARED:
            setattr(self, name, getattr(original, name))
        self.__dict__.update(original.__dict__)

    @property
    def original(self) -> Variable:
        """The Variable that the function was traced with."""
        found = self._original()
        if found is None:
            raise ReferenceError(
                f"the Variable {self.name!r}, which was an argument of a function, is gone "
                f"({user_location()})"
            )
        return found

    def fix(self) -> Variable:
        """Let what is traced be for this Variable alone.

        Returns:
            The Variable.
        """
        self.fixed = True
        return self.original

    def ref(self) -> Reference:
        return self.fix().ref()

    def read(self) -> Tensor:
        return self.original.read()

    def numpy(self) -> Any:
        trace = context.trace
        if trace is not None and trace.has_assigned(self):
            return super().numpy()
        return self.fix().numpy()

    def _set(self, value: Any, op: str) -> Variable:
        if context.trace is None:
            return self.original._set(value, op)
        return super()._set(value, op)

    def _parts(self) -> tuple[Any, ...]:
        return self.fix()._parts()

    def __repr__(self) -> str:
        return super().__repr__() if context.trace is not None else repr(self.original)

    __str__ = __repr__


_SHARED = (
    "_assigned",
    "_declared",
    "aggregation",
    "constraint",
    "name",
    "synchronization",
    "trainable",
)


def fixed(variable: Variable) -> Variable:
    """The Variable itself, for what needs to know which one it is."""
    return variable.fix() if isinstance(variable, ArgumentVariable) else variable


__all__ = ["ArgumentVariable", "VariableSpec", "fixed", "spec_of"]
