"""`CompositeTensor`: objects that are made of tensors, as their spec says how.

A class derives from it and has `_type_spec`, whose class (see `type_specs.py`) takes objects apart
and puts them together. Functions, control flow and structures then look into them, as they do into
ragged tensors.
"""

from __future__ import annotations

import abc
from typing import Any

from . import nest
from .containers import Composite, Expanded
from .conversion import convert_to_tensor, converter_of
from .specs import DenseSpec, TensorSpec
from .tensor import Tensor
from .type_specs import TypeSpec
from .variable import Variable


class CompositeTensor(Composite, metaclass=abc.ABCMeta):
    """The base of classes whose objects are made of tensors, by their `_type_spec`; ragged, sparse
    and similar tensors count as such, too."""

    @property
    @abc.abstractmethod
    def _type_spec(self) -> Any:
        """The spec, which takes it apart."""
        raise NotImplementedError(f"{type(self).__name__}._type_spec")

    def _parts(self) -> Expanded:
        spec = self._type_spec
        leaves, structure = nest.decompose(spec._to_components(self))
        expanded = [v._parts() if isinstance(v, Composite) else v for v in leaves]
        found = _Parts([structure.pack(expanded)])
        found.static = spec._with_tensor_ranks_only()  # sizes are those of the parts
        return found

    def _as_tensor(self) -> Any:
        if converter_of(type(self)) is None:
            return super()._as_tensor()
        return convert_to_tensor(self)

    def _shape_invariant_to_type_spec(self, shape: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}: a shape says nothing of its parts")

    def _convert_variables_to_tensors(self) -> Any:
        """The same with the values of its Variables in their place."""
        spec = self._type_spec
        return spec._from_components(without_variables(spec._to_components(self)))


class _Parts(Expanded):
    """What the spec takes an object apart into."""

    @staticmethod
    def make(components: Any, static: Any) -> Any:
        return static._from_components(components)


class VariableSpec(DenseSpec):
    """What is known of a Variable: shape, dtype, whether it is trained."""

    value_type = Variable

    def __init__(
        self,
        shape: Any,
        dtype: Any = "float32",
        trainable: bool = True,
        alias_id: int | None = None,
    ) -> None:
        super().__init__(shape, dtype)
        self.trainable = trainable
        self.alias_id = alias_id

    @classmethod
    def from_value(cls, value: Variable) -> VariableSpec:
        """The spec of a Variable."""
        return cls(value.shape, value.dtype, value.trainable)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a Variable (or what a spec describes) may stand where this spec does."""
        other = spec_or_value
        trainable = getattr(other, "trainable", None)
        return (
            isinstance(other, Variable | VariableSpec)
            and self.shape.is_compatible_with(other.shape)
            and self.dtype is other.dtype
            and self.trainable == trainable
        )

    def _serialize(self) -> Any:
        return self.shape, self.dtype, self.trainable, self.alias_id

    @property
    def _component_specs(self) -> Any:
        return [self]

    def _to_components(self, value: Any) -> Any:
        return [value]

    def _from_components(self, components: Any) -> Any:
        return components[0]


def spec_of(value: Any) -> Any:
    """The spec of a tensor, a Variable or a composite; anything else as it is."""
    if isinstance(value, Composite) and not isinstance(value, TypeSpec):
        return getattr(value, "_type_spec", value)
    if isinstance(value, Variable):
        return VariableSpec.from_value(value)
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    return value


def without_variables(values: Any) -> Any:
    """A structure with the values of Variables in their place, inside composites too."""

    def converted(value: Any) -> Any:
        if isinstance(value, CompositeTensor):
            return value._convert_variables_to_tensors()
        return value.value() if isinstance(value, Variable) else value

    return nest.map_structure(converted, values)
