"""The types that a function was traced for: whether a call's tensors are of them, and why not."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from tfc.ir.core import Location, Value
from tfc.ir.dtypes import as_element_type
from tfc.ir.extent import Expr, Extent, evaluate, in_reach, substitute, symbols
from tfc.ir.types import TensorType

from ..core import blame, errors
from ..core.context import user_location
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..dispatch.primitive import retype
from ..dispatch.tracing import Trace
from .arguments import type_of


def _agrees(extent: Extent, found: int, sizes: dict[str, int]) -> bool:
    """Whether an argument has the extent that follows from others', where that is known."""
    known = all(name in sizes for name in symbols(extent))
    return not known or evaluate(extent, sizes) == found


class Fitting:
    """What was traced for tensors of certain types, by which it may be called with others."""

    name: str
    asked: tuple[TensorType, ...]  # what it was to be traced for
    types: tuple[TensorType, ...]  # what it was traced for
    requirements: dict[Extent, Location | None]  # extents that must not be negative: their lines
    _joins: tuple[Any, ...]  # extents that the trace took to be equal
    _ranks: list[tuple[Variable, int]]  # of Variables that may be given values of other ranks
    _fitted: Any  # dtypes and shapes that `fits` has found to fit
    # Tensors from outside that are constants of its program, and could have gradients.
    _literals: tuple[weakref.ref[Tensor], ...] = ()

    def misses(self, tapes: Sequence[Any]) -> bool:
        """Whether tapes watch what is a constant here, so that its gradient would be lost."""
        if not tapes or not self._literals:
            return False
        living = [x for own in self._literals if (x := own()) is not None]
        if len(living) < len(self._literals):  # what was made while tracing
            self._literals = tuple(map(weakref.ref, living))
        return any(tape.wants(living) for tape in tapes)

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Whether these are of the types that this was traced for."""
        arrays = [t._array for t in tensors]
        key = [(array.dtype, array.shape) for array in arrays]
        if key == self._fitted and not self._ranks:  # as in the call before
            return True
        bound: dict[Extent, int] = {}
        for array, type_ in zip(arrays, self.types, strict=True):
            if as_element_type(array.dtype) is not type_.dtype or array.ndim != type_.rank:
                return False
            for have, want in zip(array.shape, type_.shape, strict=True):
                if isinstance(want, int):
                    if have != want:
                        return False
                elif bound.setdefault(want, have) != have or not in_reach(want, have):
                    return False
        if any(variable._array.ndim != rank for variable, rank in self._ranks):
            return False
        sizes = {str(e): n for e, n in bound.items()}
        try:  # what was joined with the extent of another argument is computed from that one
            fitting = all(_agrees(e, n, sizes) for e, n in bound.items()) and all(
                evaluate(e, sizes) >= 0 for e in self.requirements
            )
        except ZeroDivisionError:  # such as n//m elements for m = 0
            return False
        if fitting:
            self._fitted = key
        return fitting

    def misfit(self, types: Sequence[TensorType]) -> tuple[str, Location | None]:
        """Why tensors of these types do not fit, in words, and the line that asks for it, where
        there is one."""
        sizes: dict[str, Extent] = {}
        for type_, asked in zip(types, self.asked, strict=True):
            if type_.dtype is not asked.dtype or type_.rank != asked.rank:
                return "", None
            for have, want in zip(type_.shape, asked.shape, strict=True):
                if isinstance(want, int):
                    if have != want:
                        return "", None
                elif sizes.setdefault(str(want), have) != have:
                    return f": {want} would be {sizes[str(want)]} and {have}", None
        for join in self._joins:
            a, b = (substitute(e, sizes) for e in (join.a, join.b))
            if isinstance(a, int) and isinstance(b, int) and a != b:
                shown = ", ".join(map(str, types))
                text = f": Incompatible shapes: {join.a} = {a} and {join.b} = {b} must be equal"
                return f"{text} ({shown})", join.location
        for type_, own in zip(types, self.types, strict=True):
            sizes |= {str(e): n for e, n in zip(own.shape, type_.shape, strict=True)}
        for requirement, location in self.requirements.items():
            try:
                value = substitute(requirement, sizes)
            except ZeroDivisionError:
                return f": {requirement} divides by zero", location
            if isinstance(value, int) and value < 0:
                return f": {requirement} is {value}, and must not be negative", location
        return "", None

    def _check(self, tensors: Sequence[Tensor]) -> None:
        """Raise InvalidArgumentError for tensors that it was not traced for."""
        if not self.fits(tensors):
            given = ", ".join(f"{t.dtype.name}{list(t.shape)}" for t in tensors)
            wanted = ", ".join(map(str, self.types))
            wanted += "".join(f", {e} >= 0" for e in self.requirements)
            why, line = self.misfit([type_of(t) for t in tensors])
            unlike = "".join(
                f"cannot compute {self.name} as input #{i}(zero-based) was expected to be a "
                f"{own.dtype.name} tensor but is a {t.dtype.name} tensor: "
                for i, (own, t) in enumerate(zip(self.types, tensors, strict=False))
                if own.dtype is not t.dtype
            )
            raise errors.InvalidArgumentError(
                f"{unlike}{self.name} was traced for ({wanted}), and called with ({given})"
                + (why if line is None else f" at {user_location()}{why}"),
                op=self.name,
                location=line or user_location(),
            )

    def _fitted_in(self, trace: Trace, values: Sequence[Value]) -> list[Value]:
        """The arguments in a trace, whose extents are equal where this was traced for equal ones:
        where they are not known yet, the call checks it."""
        known: dict[str, Extent] = {}
        fitted = []
        for type_, v in zip(self.types, values, strict=False):
            shape = []
            for mine, theirs in zip(type_.shape, v.shape, strict=True):
                plain = isinstance(mine, Expr) and str(mine).isidentifier()
                wanted = known.setdefault(str(mine), theirs) if plain else substitute(mine, known)
                if wanted != theirs and not trace.builder.unify(wanted, theirs):
                    raise blame.invalid(
                        f"{self.name} was traced for {type_}, and called with {v.type}", self.name
                    )
                shape.append(wanted)
            fitted.append(retype(trace.builder, v, tuple(shape)))
        return fitted
