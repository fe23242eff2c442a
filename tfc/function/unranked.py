"""Concrete functions of tensors whose ranks nobody has said: one trace for each rank that is met.

A program knows the ranks of all that it computes, so there is none for "any rank". What stands for
it here traces when it is called with ranks that it has not met.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir.core import Value
from tfc.ir.types import TensorType

from ..core import blame, nest
from ..core.context import user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from .arguments import Arguments
from .concrete import ConcreteFunction


class UnrankedFunction:
    """What `get_concrete_function` gives where a TensorSpec leaves the rank open: it is called as
    a ConcreteFunction, and has one for each rank of its arguments.

    Attributes:
        name: The function's name.

    >>> import tfc as tf
    >>> f = tf.function(lambda x: tf.reduce_sum(x)).get_concrete_function(tf.TensorSpec(None))
    >>> print(f(tf.ones([3])), f(tf.ones([2, 3])), f(tf.ones([5])))
    tf.Tensor(3.0, shape=(), dtype=float32) tf.Tensor(6.0, shape=(), dtype=float32) \
tf.Tensor(5.0, shape=(), dtype=float32)
    >>> len(f.concrete_functions)
    2
    """

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        args: Any,
        kwargs: Any,
        trace: Callable[[Any, Any], ConcreteFunction],
    ) -> None:
        """`trace` gives the concrete function for arguments whose ranks are all known."""
        self.name = name
        self._trace = trace
        self._given = tuple(args), dict(kwargs)
        self._by_ranks: dict[tuple[int, ...], ConcreteFunction] = {}
        self.inputs: list[TensorSpec] = []

        def stand_in(x: Any) -> Any:
            if isinstance(x, Tensor | np.ndarray | np.generic):
                x = TensorSpec.from_tensor(convert_to_tensor(x))
            return _array(x) if isinstance(x, TensorSpec) else x

        args, kwargs = nest.map_structure(
            stand_in, (list(args), dict(kwargs)), expand_composites=True
        )
        self._arguments = Arguments(name, signature, args, kwargs)
        self._variables = tuple(self._arguments.variables)
        leaves = nest.flatten(self._bound(signature), True)
        specs = [x for x in leaves if isinstance(x, TensorSpec | Tensor | np.ndarray | np.generic)]
        names = [x.name if isinstance(x, TensorSpec) else None for x in specs]
        self._arguments.name_specs(names)
        for x, own in zip(specs, self._arguments.tensor_names(), strict=True):
            known = x if isinstance(x, TensorSpec) else TensorSpec.from_tensor(convert_to_tensor(x))
            self.inputs.append(TensorSpec(known.shape, known.dtype, own))

    def _bound(self, signature: inspect.Signature) -> Any:
        """The arguments as they were given, in the order of the signature."""
        bound = signature.bind(*self._given[0], **self._given[1])
        bound.apply_defaults()
        return list(bound.args), dict(bound.kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tensors, variables = self._arguments.given(args, kwargs, self._variables)
        for t, spec in zip(tensors, self.inputs, strict=True):
            if t.dtype is not spec.dtype or not spec.shape.is_compatible_with(t.shape):
                raise blame.invalid(
                    f"a tensor of {t.dtype.name} and shape {t.shape} does not fit {spec}", self.name
                )
        found = self.of_ranks(*(len(t.shape) for t in tensors))
        return found.bound(variables).call(tensors)

    def of_ranks(self, *ranks: int) -> ConcreteFunction:
        """The concrete function for tensors of these ranks, traced now if there is none.

        Args:
            *ranks: One for each tensor among the arguments.

        Returns:
            A ConcreteFunction.
        """
        known = self._by_ranks.get(ranks)
        if known is None:
            wanted = iter(ranks)

            def ranked(x: Any) -> Any:
                if isinstance(x, Tensor | np.ndarray | np.generic):
                    next(wanted)
                    return x
                if not isinstance(x, TensorSpec):
                    return x
                rank = next(wanted)
                shape = [None] * rank if x.shape.rank is None else x.shape
                return TensorSpec(shape, x.dtype, x.name)

            args, kwargs = nest.map_structure(
                ranked, self._bound(self._arguments.signature), expand_composites=True
            )
            known = self._by_ranks[ranks] = self._trace(args, kwargs)
        return known

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """Those of the ranks that it was called with so far."""
        return list(self._by_ranks.values())

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec for every tensor."""
        return self._arguments.rebuild(self.inputs, self._variables)

    @property
    def structured_outputs(self) -> Any:
        """The results, with a TensorSpec for every tensor, which covers those of all ranks that
        were met: a ValueError before the first call."""
        first, *others = (c.structured_outputs for c in self._met())
        for other in others:
            first = nest.map_structure(_covering, first, other)
        return first

    @property
    def outputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the results: see `structured_outputs`."""
        found = nest.flatten(self.structured_outputs, True)
        return [spec for spec in found if isinstance(spec, TensorSpec)]

    @property
    def output_shapes(self) -> Any:
        """The results, with a TensorShape for every tensor: see `structured_outputs`."""
        return nest.map_structure(lambda spec: spec.shape, self.structured_outputs)

    @property
    def output_dtypes(self) -> Any:
        """The results, with a DType for every tensor: see `structured_outputs`."""
        return nest.map_structure(lambda spec: spec.dtype, self.structured_outputs)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables that it reads or writes, for the ranks that were met."""
        return tuple({id(v): v for c in self.concrete_functions for v in c.variables}.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its Variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors and Variables from outside that it runs on, for the ranks that were met."""
        return list({id(x): x for c in self.concrete_functions for x in c.captured_inputs}.values())

    def _met(self) -> list[ConcreteFunction]:
        if not self._by_ranks:
            raise ValueError(
                f"{self.name} is traced when it is called: nothing is known of its results before "
                f"it has met a rank. Call it, or use of_ranks. ({user_location()})"
            )
        return self.concrete_functions

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(ConcreteFunction, name):
            raise AttributeError(
                f"{self.name} has a trace for each rank of its arguments, and each of these has "
                f"{name!r}: f.of_ranks(2).{name}, or one of f.concrete_functions"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}({', '.join(map(str, self.inputs))})>"


def _array(spec: TensorSpec) -> Any:
    """What stands for any tensor of a spec where structures are compared."""
    return SymbolicTensor(None, Value(TensorType(spec.dtype, ())))


def _covering(a: Any, b: Any) -> Any:
    """The spec of what either spec describes."""
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.dtype is b.dtype:
        shape: TensorShape = a.shape.most_specific_compatible_shape(b.shape)
        return TensorSpec(shape, a.dtype)
    return a if a == b else None


__all__ = ["UnrankedFunction"]
