"""A trace as it was saved: which calls it fits, and how it becomes part of another trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tfc.ir.copying import instantiate
from tfc.ir.core import Function, OpError
from tfc.ir.extent import Expr, Extent, parse_extent, substitute, symbols
from tfc.ir.text import parse
from tfc.ir.verify import VerifyError, verify

from ..core import errors, nest
from ..core.argument_variables import fixed
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.tensor import SparseTensor
from .encoding import decode
from .vocabulary import NO_ARGUMENT, OPS, forbidden, reads_its_own


def damaged(file: str, why: str) -> errors.DataLossError:
    return errors.DataLossError(
        f"the saved model is damaged: {file}: {why}",
        op="saved_model.load",
        location=user_location(),
    )


def item(values: Sequence[Any], number: Any) -> Any:
    """The value of a number. Raises ValueError, for negative numbers too."""
    if type(number) is not int or not 0 <= number < len(values):
        raise ValueError(f"there is no number {number!r} of {len(values)}")
    return values[number]


def _no_variable(number: Any) -> Any:
    raise ValueError("results are tensors")


def verified(file: str, data: bytes) -> Function:
    """The function that a file has, which does nothing but what functions of tensors do."""
    try:
        function = verify(parse(data.decode(), OPS))
        wrong = forbidden(function)
    except (ValueError, VerifyError, RecursionError) as error:
        raise damaged(file, str(error)) from None
    if wrong is not None:
        raise damaged(file, f"it {wrong}")
    return function


class SavedTrace:
    """A trace that was saved."""

    def __init__(
        self,
        number: int,
        entry: dict[str, Any],
        read: Callable[[str], bytes],
        variables: Sequence[Variable],
        constant: Callable[[str], Tensor],
        table: Callable[[Any], Tensor],
    ) -> None:
        """`read` gives the contents of a file, `constant` a tensor by its name, `table` what refers
        to one by its number."""
        self.file = f"functions/{number}.ir"
        self.function = verified(self.file, read(self.file))
        self.name: str = entry["name"]
        self.parameters = entry["parameters"]
        self.names: list[str] = entry["names"]
        self.entry = entry
        self.count: int = entry["count"]

        def captured(said: dict[str, Any]) -> Any:
            ((kind, held),) = said.items()
            if kind == "variable":
                return item(variables, held)
            return {"array": constant, "table": table}[kind](held)

        self.captured = [captured(said) for said in entry["captured"]]
        self.updated = [item(variables, i) for i in entry["updated"]]
        self.requirements = [parse_extent(r) for r in entry["requirements"]]
        self.variable = partial(item, variables)
        params = self.function.params
        self.types = [p.type for p in params]
        given = len(params) - len(self.captured)
        if reads_its_own(self.function, given) is not None:
            raise damaged(self.file, f"it {NO_ARGUMENT}")
        if not (
            type(self.name) is str
            and type(self.count) is int
            and self.count >= 0
            and type(self.names) is list
            and all(type(n) is str for n in self.names)
            and given == len(self.names)
            and len(self.function.returns) == self.count + len(self.updated)
        ):
            raise damaged(self.file, "it does not fit its signature")
        self.specs = [
            TensorSpec(TensorShape.of(p.type.shape), p.dtype, n)
            for p, n in zip(params, self.names, strict=False)
        ]
        self._check_types()
        self._check_structure()

    def _check_types(self) -> None:
        """That what is captured and updated has the types that the function says."""
        held = zip(self.types[len(self.names) :], self.captured, strict=True)
        updates = zip(self.function.result_types[self.count :], self.updated, strict=True)
        for type_, x in (*held, *updates):
            if x.dtype is not type_.dtype or not TensorShape.of(type_.shape).is_compatible_with(
                x.shape
            ):
                raise damaged(self.file, f"{type_} stands for {x.dtype.name}{x.shape}")
        sizes = {str(e) for type_ in self.types for e in type_.shape}
        for requirement in self.requirements:
            if not sizes.issuperset(symbols(requirement)):
                raise damaged(self.file, f"nothing tells all of {requirement}")

    def _check_structure(self) -> None:
        """That each tensor has a place among the arguments, and results are results."""
        places: list[int] = []

        def slot(i: int) -> Any:
            places.append(i)
            return item(self.specs, i)

        args = decode(self.entry["args"], slot, self.variable)
        kwargs = decode(self.entry["kwargs"], slot, self.variable)
        if sorted(places) != list(range(len(self.specs))):
            raise damaged(self.file, "arguments do not fit its signature")
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise damaged(self.file, "arguments are a tuple and a dictionary")
        if not all(type(name) is str for name in kwargs):
            raise damaged(self.file, "arguments have names")
        outputs = decode(self.entry["outputs"], partial(item, range(self.count)), _no_variable)
        nest.flatten((args, kwargs, outputs))  # which wants keys that can be sorted

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec for each tensor."""
        args = decode(self.entry["args"], self.specs.__getitem__, self.variable)
        return args, decode(self.entry["kwargs"], self.specs.__getitem__, self.variable)

    def outputs_by_name(self) -> dict[str, Any]:
        """The specs of the results of a signature."""
        specs = [
            TensorSpec(TensorShape.of(t.shape), t.dtype)
            for t in self.function.result_types[: self.count]
        ]
        named = by_name(decode(self.entry["outputs"], specs.__getitem__, self.variable))
        alone = {k: v for k, v in named.items() if isinstance(v, TensorSpec)}
        return named | {k: TensorSpec(v.shape, v.dtype, k) for k, v in alone.items()}

    def matched(self, args: Any, kwargs: Any, convert: bool) -> list[Any] | None:
        """The tensors of a call that fits; None for another. Where `convert`, numbers, arrays,
        lists of them and Variables may stand for tensors."""
        found: list[Any] = [None] * len(self.specs)

        def slot(i: int) -> Any:
            return Place(i)

        wanted = (
            decode(self.entry["args"], slot, self.variable),
            decode(self.entry["kwargs"], slot, self.variable),
        )
        if not match(wanted, (tuple(args), kwargs), self.specs, found, convert):
            return None
        return found

    def call(self, tensors: Sequence[Any]) -> Any:
        """Append it to the trace of what calls it."""
        try:
            results = appended(
                self.function, [*tensors, *self.captured], self.requirements, self.name
            )
        except OpError as error:
            raise damaged(self.file, str(error)) from None
        trace = context.trace
        assert trace is not None
        for variable, value in zip(self.updated, results[self.count :], strict=True):
            trace.assign(variable, value)
        outputs = results[: self.count]
        return decode(self.entry["outputs"], outputs.__getitem__, self.variable)


def appended(
    function: Function, given: Sequence[Any], requirements: Sequence[Extent], name: str
) -> list[SymbolicTensor]:
    """The results of a function of the IR, which becomes part of the trace that calls it."""
    trace = context.trace
    assert trace is not None
    types = [p.type for p in function.params]
    values = [trace.value_of(t) for t in given]
    extents: dict[str, Extent] = {}
    for type_, v in zip(types, values, strict=True):
        for want, have in zip(type_.shape, v.shape, strict=True):
            if isinstance(want, Expr) and str(want).isidentifier():
                extents.setdefault(str(want), have)
    for i, type_ in enumerate(types):
        shape = tuple(substitute(e, extents) for e in type_.shape)
        values[i] = trace.refine(values[i], shape)
    for requirement in requirements:
        here = substitute(requirement, extents)
        if isinstance(here, int) and here < 0:
            raise ValueError(
                f"{name} was traced for sizes with {requirement} >= 0 ({user_location()})"
            )
        trace.require(here)
    results = instantiate(function, trace.builder, values)
    return [SymbolicTensor(trace, r) for r in results]


def by_name(result: Any) -> dict[str, Any]:
    """Results by name: those of a dict have names of their own."""
    if isinstance(result, dict) and all(isinstance(k, str) for k in result):
        return result
    leaves = [leaf for leaf in nest.flatten(result) if leaf is not None]
    return {f"output_{i}": leaf for i, leaf in enumerate(leaves)}


class Place:
    """Where a tensor is expected."""

    def __init__(self, index: int) -> None:
        self.index = index


_CONVERTED = (int, float, complex, str, bytes, np.ndarray, np.generic, list, tuple, Variable)


def match(
    wanted: Any, given: Any, specs: list[TensorSpec], found: list[Any], convert: bool
) -> bool:
    """Whether what is given is what is wanted, with tensors for places; these go to `found`."""
    if isinstance(wanted, Place):
        spec = specs[wanted.index]
        if not isinstance(given, Tensor):
            if not convert or not isinstance(given, _CONVERTED):
                return False
            try:
                given = convert_to_tensor(given, spec.dtype)
            except (TypeError, ValueError):
                return False
        found[wanted.index] = given
        return given.dtype is spec.dtype and spec.shape.is_compatible_with(given.shape)
    if isinstance(wanted, Variable):
        return isinstance(given, Variable) and wanted is fixed(given)
    if isinstance(wanted, RaggedTensor | SparseTensor):
        if type(wanted) is not type(given):
            return False
        own, theirs = wanted._parts(), given._parts()
        if isinstance(given, SparseTensor):
            fitting = own.static is None or given.shape.is_compatible_with(own.static)
        else:  # the lengths of rows are not among the parts
            fitting = own.static in (None, theirs.static)
        return fitting and match(list(own), list(theirs), specs, found, convert)
    if isinstance(wanted, dict):
        return (
            isinstance(given, dict)
            and wanted.keys() == given.keys()
            and all(match(v, given[k], specs, found, convert) for k, v in wanted.items())
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(given, list | tuple)
            and isinstance(given, list) == isinstance(wanted, list)
            and len(given) == len(wanted)
            and all(match(w, g, specs, found, convert) for w, g in zip(wanted, given, strict=True))
        )
    if isinstance(given, Tensor | Variable | np.ndarray):
        return False
    return bool(type(wanted) is type(given) and wanted == given)


__all__ = ["Place", "SavedTrace", "appended", "by_name", "damaged", "item", "match", "verified"]
