"""Datasets inside of elements, and inside of functions whose results are not computed yet.

What a function makes of an element is learnt by calling it with placeholders: symbolic tensors, and
datasets of which only the spec is known. What it makes of these are plans again, which are asked
for their specs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar

from ..core import blame, nest
from ..core.containers import Composite
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor
from ..core.type_specs import TypeSpec
from ..dispatch.tracing import in_trace
from ..function.abstract import ScratchTrace
from ..ops.ragged.specs import RaggedTensorSpec
from .elements import Element, ElementSpec, result_of, spec_of
from .plan import Cursor, Plan, Run


class DatasetSpec(TypeSpec):
    """The spec of a dataset: where datasets are elements of another one, as those of `window`, or
    arguments.

    Args:
        element_spec: The structure of an element, with a spec for each leaf.
        dataset_shape: The shape of a tensor of datasets, (): there are no others.

    >>> import tfc as tf
    >>> tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))
    """

    value_type: ClassVar[Any] = None  # Dataset, which its own module enters here

    __slots__ = ("_shape", "_spec")

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._spec = ElementSpec.of(element_spec)
        self._shape = TensorShape(dataset_shape)

    @classmethod
    def of(cls, spec: ElementSpec) -> DatasetSpec:
        """The spec of datasets with these elements."""
        return cls(spec.nested)

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """The spec of a dataset.

        Args:
            value: A Dataset.

        Returns:
            A DatasetSpec.
        """
        return DatasetSpec(value.element_spec)

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a spec for each leaf."""
        return self._spec.nested

    @property
    def inner(self) -> ElementSpec:
        """The spec of the elements."""
        return self._spec

    def dataset(self, plan: Plan) -> Any:
        """The Dataset of a plan."""
        return self.value_type(plan)

    def placeholder(self) -> Any:
        """A dataset of which nothing but this is known."""
        return self.dataset(Unknown(self._spec))

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a dataset (or every dataset of a spec) may stand where this spec does.

        Args:
            spec_or_value: A Dataset or a DatasetSpec.

        Returns:
            A bool; False for anything else.
        """
        other = spec_or_value
        if isinstance(other, self.value_type):
            return self._spec.covers(other._plan.spec)
        return isinstance(other, DatasetSpec) and self._spec.covers(other._spec)

    def most_specific_compatible_type(self, other: DatasetSpec) -> DatasetSpec:
        """The spec that covers this one and another.

        Args:
            other: The other DatasetSpec.

        Returns:
            A DatasetSpec.

        Raises:
            TypeError: If their elements differ in structure or dtypes.
        """
        return DatasetSpec.of(self._spec.merged(other._spec, "DatasetSpec"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatasetSpec) and self._spec == other._spec

    def __hash__(self) -> int:
        return hash((DatasetSpec, self._spec))

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, {self._shape!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return DatasetSpec, (self.element_spec, self._shape)


class Unknown(Plan):
    """The plan of a dataset that is not there yet: its spec is all that is known."""

    kind = "Variant"

    def __init__(self, spec: ElementSpec) -> None:
        super().__init__()
        self.spec = spec

    def stream(self, run: Run) -> Cursor:
        raise blame.unimplemented(
            "the elements of a dataset that depends on a symbolic tensor are not there while a "
            "function is traced",
            "Dataset",
        )


def is_unknown(plan: Plan) -> bool:
    """Whether a plan depends on what is not there yet."""
    return isinstance(plan, Unknown) or any(is_unknown(child) for child in plan.inputs)


def is_symbolic(leaf: Any) -> bool:
    """Whether a leaf is a symbolic tensor, or made of such."""
    return any(isinstance(x, SymbolicTensor) for x in nest.decompose_composites(leaf)[0])


_scratch: ContextVar[ScratchTrace | None] = ContextVar("_scratch", default=None)


def is_abstract() -> bool:
    """Whether a function is called for the spec of its result alone."""
    return _scratch.get() is not None


def placeholders(spec: ElementSpec) -> Element:
    """An element of which nothing but its spec is known, where a function is called for the spec of
    its result."""
    trace = _scratch.get()
    if trace is None:
        raise blame.unimplemented("its elements are not there while a function is traced", "map")
    return tuple([placeholder(leaf, trace) for leaf in spec.leaves])


def placeholder(spec: Any, trace: ScratchTrace) -> Any:
    """A leaf of which nothing but its spec is known."""
    if isinstance(spec, TensorSpec):
        if spec.shape.rank is None:
            raise blame.unimplemented("the rank of an element is not known", "map")
        return trace.tensor(spec.shape, spec.dtype)
    if isinstance(spec, DatasetSpec):
        return spec.placeholder()
    if not isinstance(spec, Composite):
        return None  # NoneTensorSpec
    if isinstance(spec, RaggedTensorSpec) and not spec.ragged_rank:
        return trace.tensor(spec.shape, spec.dtype)
    parts, structure = nest.decompose_composites(spec)
    return structure.pack([trace.tensor(part.shape, part.dtype) for part in parts])


@contextmanager
def abstract(name: str) -> Iterator[ScratchTrace]:
    """What is called in here is called for the specs of its results alone."""
    with ScratchTrace(name) as trace:
        token = _scratch.set(trace)
        try:
            yield trace
        finally:
            _scratch.reset(token)


def output_of(python: Callable[..., Any], spec: ElementSpec) -> ElementSpec:
    """The spec of what a function makes of an element of this spec; nothing is computed.

    Raises:
        Exception: What the function raises, where it cannot be traced.
    """
    with abstract(getattr(python, "__name__", "function")):
        result = in_trace(python)(*spec.arguments(placeholders(spec)))
        found, structure = result_of(result)
        return ElementSpec(map(spec_of, found), structure)


__all__ = [
    "DatasetSpec",
    "Unknown",
    "abstract",
    "is_abstract",
    "is_symbolic",
    "is_unknown",
    "output_of",
    "placeholders",
]
