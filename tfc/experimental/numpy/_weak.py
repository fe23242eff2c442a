"""Weak tensors: what Python numbers make in TensorFlow's modes "all" and "safe". The dtype of a
weak tensor gives way to that of what it meets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as tf
from tfc.core.composite_tensors import CompositeTensor
from tfc.core.specs import TensorSpec
from tfc.core.tensor import Tensor
from tfc.core.type_specs import TypeSpec
from tfc.ir.dtypes import DType

from ._lattice import Kind, in_lattice, join


class WeakTensor(CompositeTensor):
    """A tensor whose dtype gives way. Functions and control flow keep it weak."""

    __slots__ = ("tensor",)
    __array_priority__ = 100
    _is_tensor = True

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    @property
    def _type_spec(self) -> WeakTensorSpec:
        return WeakTensorSpec(TensorSpec(self.tensor.shape, self.tensor.dtype))

    def _as_tensor(self) -> Tensor:
        return self.tensor

    def _with_gradients(self) -> Tensor:
        return self.tensor

    def _as_gradient(self, gradient: Any) -> Any:
        return gradient

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Tensor:
        """The tensor, in a dtype that stands above its own if one is asked for."""
        if dtype is None or dtype is self.tensor.dtype:
            return self.tensor
        wanted, own = Kind(dtype, False), Kind(self.tensor.dtype, True)
        if in_lattice(wanted) and join(own, wanted) == wanted:
            return tf.cast(self.tensor, dtype)
        return self.tensor  # who asked says what is wrong

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tensor, name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.tensor.__array__(dtype, copy)

    def __repr__(self) -> str:
        return self._marked(repr(self.tensor), ">")

    def __str__(self) -> str:
        return self._marked(str(self.tensor), ")")

    def _marked(self, text: str, end: str) -> str:
        assert text.endswith(end)
        return f"{text.removesuffix(end)}, weak=True{end}"

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __format__(self, spec: str) -> str:
        return format(self.tensor, spec)


class WeakTensorSpec(TypeSpec):
    """What is known of a weak tensor: the spec of the tensor."""

    def __init__(self, spec: TensorSpec) -> None:
        self.spec = spec

    value_type = WeakTensor

    @property
    def shape(self) -> Any:
        """The extents."""
        return self.spec.shape

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self.spec.dtype

    def _serialize(self) -> Any:
        return (self.spec,)

    @property
    def _component_specs(self) -> Any:
        return self.spec

    def _to_components(self, value: Any) -> Any:
        return value.tensor

    def _from_components(self, components: Any) -> Any:
        return WeakTensor(components) if isinstance(components, Tensor) else components


def _delegated(name: str) -> Callable[..., Any]:
    def method(self: WeakTensor, *args: Any) -> Any:
        return getattr(self.tensor, name)(*args)

    method.__name__ = name
    return method


_METHODS = "len bool int float complex index iter getitem copy deepcopy reduce"
for _name in _METHODS.split():
    setattr(WeakTensor, f"__{_name}__", _delegated(f"__{_name}__"))


def weakened(value: Any) -> Any:
    """A tensor as a weak one, where there are weak ones of its dtype; anything else as it is."""
    if isinstance(value, Tensor) and in_lattice(Kind(value.dtype, True)):
        return WeakTensor(value)
    return value


__all__ = ["WeakTensor", "WeakTensorSpec", "weakened"]
