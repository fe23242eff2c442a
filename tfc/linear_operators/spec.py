"""What is known of a linear operator before it is there."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf
from tfc.core.composite_tensors import CompositeTensor, spec_of


class LinearOperatorSpec(tf.TypeSpec):
    """What is known of a linear operator before it is there: its class, the specs of what it was
    made with that are tensors, and all else that it was made with."""

    def __init__(self, value_type: type, specs: dict[str, Any], others: dict[str, Any]) -> None:
        self.value_type = value_type
        self._specs = specs
        self._others = others

    @classmethod
    def from_operator(cls, operator: Any) -> LinearOperatorSpec:
        """The spec of an operator."""
        specs: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for name, value in operator.parameters.items():
            held = _tensors(value)
            kind = others if held is value and not _holds_tensors(value) else specs
            kind[name] = held if kind is others else tf.nest.map_structure(spec_of, held)
        return cls(type(operator), specs, others)

    def _serialize(self) -> Any:
        return self.value_type, self._specs, self._others

    @property
    def _component_specs(self) -> Any:
        return self._specs

    def _to_components(self, value: Any) -> Any:
        return {name: _tensors(value.parameters[name]) for name in self._specs}

    def _from_components(self, components: Any) -> Any:
        return self.value_type(**{**self._others, **components})


def _holds_tensors(value: Any) -> bool:
    leaves = tf.nest.flatten(value)
    return any(tf.is_tensor(v) or isinstance(v, CompositeTensor) for v in leaves)


def _tensors(value: Any) -> Any:
    """Of an argument what a tensor is made of as this, anything else as it is."""
    if isinstance(value, float | complex | np.ndarray):
        return tf.convert_to_tensor(value)
    if isinstance(value, list | tuple) and value and not _holds_tensors(value):
        return tf.convert_to_tensor(value)
    return value
