"""Functions of elements: traced once, for one element, and run for one or for many."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from tfc.ir.core import Op
from tfc.ir.dtypes import string
from tfc.ir.liveness import effectful
from tfc.ir.ops.checks import Check, Fail
from tfc.ir.ops.extents import SameExtent
from tfc.ir.ops.host_functions import Use, use_of
from tfc.ir.ops.python import calls_python

from ..control_flow.scans import map_fn
from ..core import blame, errors
from ..core.context import context
from ..core.formatting import shown
from ..core.nest import Structure
from ..core.specs import TensorSpec
from ..core.tensor import Tensor, strings, wrap
from ..core.variable import Variable
from ..dispatch.host_steps import HostSteps, host_steps
from ..dispatch.tracing import in_trace
from ..function.polymorphic import function
from ..function.recorded import is_observed
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.tensor import SparseTensor
from .captures import Captures, Made, Scope, scope, taken_apart
from .composites import visible
from .elements import (
    Chunk,
    Columns,
    Element,
    ElementSpec,
    Stacked,
    result_of,
    spec_of,
    stacked_spec,
)
from .nested import is_abstract, output_of
from .packing import Packed, inputs_of, packed, slices
from .plan import Programs
from .threads import side_by_side


class Elementwise:
    """The base: a function of an element, which can run for many.

    `input` and `output` are the specs of what it takes and returns.
    """

    input: ElementSpec
    bound: tuple[Any, ...] = ()  # tensors that its programs take before the elements
    shared = False  # whether functions that are made later have its programs, too
    why_single = ""  # why it does not run for many elements at once, where it does not

    @property
    def output(self) -> ElementSpec:
        """The spec of what it returns."""
        raise NotImplementedError

    @property
    def traced(self) -> bool:
        """Whether programs can call it."""
        raise NotImplementedError

    @property
    def pure(self) -> bool:
        """Whether its result follows from the element alone, so that it may run in any order, and
        once more."""
        raise NotImplementedError

    @property
    def sees_variables(self) -> bool:
        """Whether its result may follow from what Variables are."""
        raise NotImplementedError

    def call(self, bound: Sequence[Any], leaves: Sequence[Any]) -> Element:
        """The leaves of the result for one element, with these tensors in the place of `bound`; in
        a trace too."""
        raise NotImplementedError

    def seeded_anew(self, known: Programs) -> Self:
        """This function with streams of its own for the draws that follow from a seed: those of
        `known` programs, or at their beginning; itself where there are none."""
        raise NotImplementedError

    def one(self, *leaves: Any) -> Element:
        """The leaves of the result for one element; in a trace too."""
        return self.call(self.bound, leaves)

    @property
    def concurrent(self) -> bool:
        """Whether it pays to compute several elements at a time: it reads files, or decodes
        images."""
        raise NotImplementedError

    @functools.cached_property
    def loops(self) -> bool:
        """Whether many elements can run as a loop: all results have one shape."""
        if not self.traced or not self.input.dense:
            return False
        return self._has_program(self._many)

    @functools.cached_property
    def packs(self) -> bool:
        """Whether elements of different sizes can run as a loop: all results have one shape."""
        return self.traced and self._has_program(self._many_packed)

    def _has_program(self, program: Any) -> bool:
        if not self.output.dense:
            self.why_single = "its results are not all tensors"
            return False
        try:
            program.get_concrete_function()
        except Exception as error:
            reason = str(error).splitlines()[0].partition(" [Op:")[0].partition(". Pad ")[0]
            size = reason.partition("must have one shape; that of ")[2]
            self.why_single = f"its results may differ in shape: {size or reason}"
            return False
        return True

    def of_many(self, chunk: Chunk, threads: int | None = None) -> Chunk | None:
        """The results for all elements of a chunk, if its result follows from the element alone.
        None where they have to be computed one by one.

        Args:
            chunk: The elements.
            threads: How many threads compute them at most, where that pays; None: as many as
                there are processors.
        """
        if len(chunk) < 2 or not self.pure:
            return None
        if self.concurrent:
            return side_by_side(self.one, chunk.elements(), threads)
        if self.input.dense and not isinstance(chunk, Packed):
            columns = chunk.columns() if self.loops else None
            if columns is not None:
                return Stacked(tuple(self._many(*self.bound, *columns)), len(chunk))
            if not self.input.differs:
                return None
        whole = packed(chunk, self.input) if self.packs else None
        if whole is None:
            return None
        return Stacked(tuple(self._many_packed(*self.bound, *whole.inputs())), len(chunk))

    def looped(self, columns: Columns) -> Columns:
        """The results for many elements, in a trace: a loop over them."""
        return self._looped(*self.bound, *columns)

    def _looped(self, *inputs: Any) -> Columns:
        bound, columns = inputs[: len(self.bound)], inputs[len(self.bound) :]
        specs = self.output.leaves
        flat = map_fn(lambda leaves: self.call(bound, leaves), columns, fn_output_signature=specs)
        return tuple(flat)

    @functools.cached_property
    def _many_packed(self) -> Any:
        return self._program_of(self._looped_packed, inputs_of(self.input))

    def _looped_packed(self, *inputs: Any) -> Columns:
        """The results for many elements of different sizes, in a trace."""
        bound, rest = inputs[: len(self.bound)], inputs[len(self.bound) :]
        along, read = slices(self.input, rest)
        flat = map_fn(
            lambda rows: self.call(bound, self.input.put_together(read(rows))),
            along,
            fn_output_signature=self.output.leaves,
        )
        return tuple(flat)

    @functools.cached_property
    def _many(self) -> Any:
        specs = [stacked_spec(leaf, None) for leaf in self.input.leaves]
        return self._program_of(self._looped, specs)

    def _program_of(self, python: Callable[..., Any], specs: list[TensorSpec]) -> Any:
        own = [spec_of(tensor) for tensor in self.bound]
        return function(python, input_signature=[*own, *specs], autograph=False)


class ElementFunction(Elementwise):
    """A user's function of an element.

    Args:
        python: The function. Where elements are tuples it gets their parts as arguments.
        spec: The spec of the elements.
        op: The method that it was given to, for messages.
        example: Gives an element, or None: where a function cannot be traced, the spec of what it
            returns is learnt from what it makes of it.

    Raises:
        Exception: What tracing it raises.
    """

    gives_dataset: ClassVar[bool] = False  # so that it is called with each element

    def __init__(
        self,
        python: Callable[..., Any],
        spec: ElementSpec,
        op: str,
        example: Callable[[], Element | None] = lambda: None,
    ) -> None:
        if not callable(python):
            raise blame.value_error(
                f"Argument `func` must be a callable. Received func={shown(python)} (of type "
                f"{type(python)})",
                op,
            )
        self.python, self.input, self.op, self._example = python, spec, op, example
        self.why_eager = ""  # why it is called with each element, where it is
        self.structure: Structure | None = None  # of what it returned last
        self._traced: ElementSpec | None = None  # what its trace returns
        self._program: Any = None
        self._concrete: Any = None  # its trace
        self._captures: Captures | None = None  # where its tensors are arguments
        self._made = self._known()
        if self.gives_dataset:
            self.why_eager = "it gives a dataset"
        elif is_abstract():
            self.why_eager = "nothing but the spec of its results is asked for"
        elif not spec.traceable:
            self.why_eager = _untraceable(spec)
        elif not self._is_shared():
            self._trace()

    def _known(self) -> Made | None:
        """What is kept of functions like this, where another one makes them in each call."""
        around = None if context.trace is not None else scope.get()
        captures = None if around is None else taken_apart(self.python)
        if around is None or captures is None:
            return None
        self._captures = captures
        return around.made(captures, self.input, self.op, type(self).__name__)

    def _is_shared(self) -> bool:
        """Take the programs of functions like this, or make them for those to come."""
        made, captures = self._made, self._captures
        if made is None or captures is None or "alone" in made.kept:
            self._captures = None
            return False
        self.bound, self.shared = captures.tensors, True
        known = made.kept.get("programs")
        if known is None:
            try:
                self._trace()
            except Exception:  # it is traced once more with its tensors as they are
                self._concrete = None
            if not self.traced:
                made.kept["alone"] = True
                self._captures, self.bound, self.shared, self.why_eager = None, (), False, ""
                return False
            _ = self.loops, self.packs, self.pure, self.concurrent, self.output
            known = made.kept["programs"] = {
                name: x for name, x in vars(self).items() if name not in _OWN
            }
        vars(self).update(known)
        return True

    def _trace(self) -> None:
        specs = [spec_of(tensor) for tensor in self.bound]
        self._program = function(self._flat, input_signature=[*specs, *self.input.parts])
        try:
            self._concrete = self._program.get_concrete_function()
        except errors.UnimplementedError as error:
            self.why_eager = f"it cannot be traced: {error.message}"
        except _NoTensor as found:
            self.why_eager = f"it returns {found}"

    def _flat(self, *inputs: Any) -> tuple[Any, ...]:
        """What is traced: from the tensors that an element is made of to those of the result."""
        bound, parts = inputs[: len(self.bound)], inputs[len(self.bound) :]
        python = self.python if self._captures is None else self._captures.rebuilt(bound)
        result = in_trace(python)(*self.input.arguments(self.input.put_together(parts)))
        leaves, structure = result_of(result)
        for leaf in leaves:
            if leaf is not None and not isinstance(leaf, Tensor | RaggedTensor | SparseTensor):
                raise _NoTensor(type(leaf).__name__)
            if leaf is not None and leaf.shape.rank is None:
                raise _NoTensor("a tensor of which not even the rank is known")
        self._traced = ElementSpec([visible(spec_of(leaf)) for leaf in leaves], structure)
        return self._traced.parts_of(leaves)

    # What is known of it.

    @property
    def traced(self) -> bool:
        return self._concrete is not None

    @functools.cached_property
    def output(self) -> ElementSpec:
        if self._concrete is None:
            return self._learnt()
        assert self._traced is not None
        return self._traced

    def _learnt(self) -> ElementSpec:
        """The spec of what it makes of placeholders, or where it does not take these of an example:
        dtypes and ranks are those of all."""
        kept = {} if self._made is None else self._made.kept
        try:
            if "output" not in kept:
                kept["output"] = output_of(self.python, self.input)
            found: ElementSpec = kept["output"]
            return found
        except Exception:
            example = self._example()
        if example is None:
            raise blame.unimplemented(
                f"the spec of what the function returns is not known, because {self.why_eager}, "
                "and there is no element to learn it from",
                self.op,
            )
        leaves = self.one(*example)
        assert self.structure is not None
        return ElementSpec([_of_any_size(spec_of(leaf)) for leaf in leaves], self.structure)

    @property
    def waits(self) -> bool:
        """Whether it calls Python, or what lets other threads run, so that it pays to make several
        calls at a time."""
        return self.concurrent or self._concrete is None or calls_python(self._concrete.function)

    @functools.cached_property
    def concurrent(self) -> bool:
        if self._concrete is None:
            return False
        return any(use_of(op) is not None for op in self._concrete.function.walk())

    @functools.cached_property
    def sees_variables(self) -> bool:
        if self._concrete is None or calls_python(self._concrete.function):
            return True
        return any(isinstance(x, Variable) for x in self._concrete.captured)

    @functools.cached_property
    def pure(self) -> bool:
        if self._concrete is None or self.sees_variables:
            return False
        return not any(_is_seen(op) for op in self._concrete.function.walk())

    # Running it.

    def seeded_anew(self, known: Programs) -> Self:
        if self._concrete is None:
            return self
        concrete = known.get(self._concrete)
        if concrete is None:
            concrete = self._concrete.seeded_anew()
            if concrete is self._concrete:
                return self
            known[self._concrete] = concrete
        made = copy.copy(self)
        made._concrete = made._program = concrete
        return made

    @functools.cached_property
    def _steps(self) -> HostSteps | None:
        """What it is where it only calls the host."""
        concrete = self._concrete
        return None if concrete.captured or concrete.updated else host_steps(concrete.function)

    @functools.cached_property
    def _wrapping(self) -> list[Callable[[np.ndarray], Any]]:
        """What makes tensors of the arrays that it gives."""
        return [strings if part.dtype is string else wrap for part in self.output.parts]

    def call(self, bound: Sequence[Any], leaves: Sequence[Any]) -> Element:
        if self._concrete is not None:
            parts = (*bound, *self.input.parts_of(tuple(leaves)))
            if context.trace is not None:
                return self.output.put_together(self._concrete(*parts))
            steps = self._steps
            arrays = None
            if steps is not None and not is_observed():
                arrays = steps([part._array for part in parts])
            if arrays is not None:
                pairs = zip(self._wrapping, arrays, strict=True)
                return self.output.put_together([wrapped(array) for wrapped, array in pairs])
            return self.output.put_together(self._program(*parts))
        if context.trace is not None:
            result = self.python(*self.input.arguments(leaves))
        else:
            token = scope.set(self._inner)
            try:
                result = self.python(*self.input.arguments(leaves))
            finally:
                scope.reset(token)
        found, self.structure = result_of(result)
        return found

    @functools.cached_property
    def _inner(self) -> Scope:
        """The functions that it makes in its calls."""
        return Scope() if self._made is None else self._made.inner


class Composed(Elementwise):
    """One function behind another: between them nothing is stacked."""

    def __init__(self, first: Elementwise, second: Elementwise) -> None:
        self._first, self._second = first, second
        self.input = first.input

    def seeded_anew(self, known: Programs) -> Self:
        first, second = self._first.seeded_anew(known), self._second.seeded_anew(known)
        same = first is self._first and second is self._second
        return self if same else type(self)(first, second)

    @property
    def output(self) -> ElementSpec:
        return self._second.output

    @property
    def traced(self) -> bool:
        return self._first.traced and self._second.traced

    @property
    def pure(self) -> bool:
        return self._first.pure and self._second.pure

    @property
    def sees_variables(self) -> bool:
        return self._first.sees_variables or self._second.sees_variables

    @property
    def concurrent(self) -> bool:
        return self._first.concurrent or self._second.concurrent

    def call(self, bound: Sequence[Any], leaves: Sequence[Any]) -> Element:
        return self._second.one(*self._first.one(*leaves))


# What a function that takes over the programs of another one has itself.
_OWN = frozenset({"python", "bound", "_captures", "_example", "_made", "structure"})


class _NoTensor(Exception):
    """A traced function has returned something that native code does not give."""


def _untraceable(spec: ElementSpec) -> str:
    """Why programs cannot take the elements of a spec."""
    if any(hasattr(leaf, "shape") and leaf.shape.rank is None for leaf in spec.leaves):
        return "not even the rank of its elements is known"
    return "its elements are not made of tensors"


def _of_any_size(spec: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        return spec
    return TensorSpec([None] * (spec.shape.rank or 0), spec.dtype)


def _is_seen(op: Op) -> bool:
    """Whether it makes a difference when an op runs, and how often."""
    if not effectful(op) or isinstance(op, Check | Fail | SameExtent):
        return False
    return use_of(op) is not Use.READS


def predicate_function(
    python: Callable[..., Any], spec: ElementSpec, op: str, example: Callable[[], Element | None]
) -> ElementFunction:
    """A function that says yes or no.

    Raises:
        ValueError: If it returns anything but a bool scalar.
    """
    found = ElementFunction(python, spec, op, example)
    if found._concrete is not None:
        leaves = found.output.leaves
        good = len(leaves) == 1 and isinstance(leaves[0], TensorSpec)
        if not good or leaves[0].dtype.name != "bool" or leaves[0].shape.rank:
            raise blame.value_error(
                "Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but its "
                f"return type is {found.output}.",
                op,
            )
    return found


__all__ = ["Composed", "ElementFunction", "Elementwise", "predicate_function"]
