"""What all tables share: how their functions run, eagerly and in programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, int64
from tfc.ir.ops.host_functions import Elementwise, NamedRoutine, register

from ...core import blame
from ...core.context import context, user_location
from ...core.conversion import convert_to_tensor
from ...core.errors import InvalidArgumentError
from ...core.formatting import shown as shown_value
from ...core.tensor import StringTensor, SymbolicTensor, Tensor, strings, wrap
from ...core.types import TensorLike
from ...dispatch.host_functions import Result, emit
from ..ragged.tensor import RaggedTensor
from ..sparse.tensor import SparseTensor
from .store import Store, held


def routine(
    function: Callable[..., tuple[np.ndarray, ...]], elementwise: Elementwise | None = None
) -> Callable[..., tuple[np.ndarray, ...]]:
    """Let programs call a function of a store and arrays: on the arrays, and that which holds the
    store."""

    def run(options: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        *given, handle = arrays
        store = handle[()]
        if not isinstance(store, Store):  # a saved model may have anything there
            raise InvalidArgumentError("there is no table", op=function.__name__)
        return function(store, *given)

    register(f"lookup_{function.__name__}", run, elementwise)
    return function


by_key = partial(routine, elementwise=Elementwise.FIRST)


@by_key
def find(store: Store, keys: np.ndarray, default: np.ndarray) -> tuple[np.ndarray, ...]:
    """The values of keys."""
    return (store.find(keys, default),)


@routine
def count(store: Store) -> tuple[np.ndarray, ...]:
    """How many keys there are."""
    return (np.array(len(store), np.int64),)


@routine
def export(store: Store) -> tuple[np.ndarray, ...]:
    """All keys and values."""
    return store.export()


class Table:
    """The base of tables: what they hold, and how it is asked for."""

    lookup: Callable[..., Any]
    _changes = False  # whether what it holds may change

    def __init__(self, store: Store, default: Tensor | None, name: str | None) -> None:
        self._store = store
        self._default = default
        self._name = name
        self._handle: StringTensor = strings(held(store))

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._store.key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._store.value_dtype

    @property
    def name(self) -> str | None:
        """The name that the table was given."""
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are.

        Returns:
            An int64 scalar.
        """
        return self._run(count, (), [Result(int64, ())])[0]

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and values, in no order.

        Returns:
            A tensor of keys, and one of their values.
        """
        store = self._store
        results = [
            Result(store.key_dtype, (None, *store.key_shape)),
            Result(store.value_dtype, (None, *store.value_shape)),
        ]
        keys, values = self._run(export, (), results)
        return keys, values

    def __getitem__(self, keys: Any) -> Any:
        """The same as `lookup`."""
        return self.lookup(keys)

    def _run(
        self,
        function: Callable[..., tuple[np.ndarray, ...]],
        operands: Sequence[Tensor],
        results: Sequence[Result],
    ) -> list[Tensor]:
        """Call a routine: now, or where the program that is traced gets there."""
        trace = context.trace
        if trace is None or not (self._changes or any(map(_is_traced, operands))):
            return [wrap(a) for a in function(self._store, *(t._array for t in operands))]
        trace.builder.location = user_location()
        values = [trace.value_of(x) for x in (*operands, self._handle)]
        named = NamedRoutine(f"lookup_{function.__name__}", "")
        found = emit(trace.builder, named, values, results, self._changes)
        return [SymbolicTensor(trace, v) for v in found]

    def _found(
        self,
        keys: Tensor,
        default: Tensor,
        function: Callable[..., tuple[np.ndarray, ...]] = find,
    ) -> Tensor:
        """The values of keys that are a tensor."""
        store = self._store
        outer = self._outer(keys)
        result = Result(store.value_dtype, (*outer, *store.value_shape))
        return self._run(function, (keys, default), [result])[0]

    def _outer(self, keys: Tensor) -> tuple[Any, ...]:
        """The shape of what there is a value for."""
        shape = keys._value.shape if isinstance(keys, SymbolicTensor) else keys._array.shape
        own = self._store.key_shape
        cut = len(shape) - len(own)
        pairs = zip(shape[cut:], own, strict=True) if cut >= 0 else ()
        if cut < 0 or any(isinstance(a, int) and a != b for a, b in pairs):
            raise blame.invalid(f"Expected key shape {own}, got keys of shape {shape}", "lookup")
        return tuple(shape[:cut])

    def _keys(self, keys: TensorLike, op: str) -> Tensor:
        """Keys as a tensor of their dtype."""
        return _of_dtype(keys, self.key_dtype, "keys", op)

    def _defaults(self, values: TensorLike, keys: Tensor) -> Tensor:
        """Default values that a call gives: one for all keys, or one for each."""
        found = _of_dtype(values, self.value_dtype, "dynamic_default_values", "lookup")
        if found.shape == self._store.value_shape:
            return found
        return self._values(found, keys, "lookup")

    def _values(self, values: TensorLike, keys: Tensor, op: str) -> Tensor:
        """Values for keys, as a tensor of their dtype and shape."""
        found = _of_dtype(values, self.value_dtype, "values", op)
        wanted = (*self._outer(keys), *self._store.value_shape)
        if not found.shape.is_compatible_with(_plain(wanted)):
            raise blame.invalid(
                f"Expected shape {list(wanted)} for value, got {list(found.shape)}", op
            )
        return found


def _plain(shape: Sequence[Any]) -> list[int | None]:
    return [e if isinstance(e, int) else None for e in shape]


def _is_traced(x: Any) -> bool:
    return isinstance(x, SymbolicTensor)


def _of_dtype(value: TensorLike, dtype: DType, what: str, op: str) -> Tensor:
    given = getattr(value, "dtype", None)
    if given is not None and given != dtype:
        raise blame.type_error(f"Dtype of argument `{what}` must be {dtype}, received: {given}", op)
    try:
        tensor = convert_to_tensor(value, dtype)
    except (TypeError, ValueError) as error:
        raise blame.type_error(f"{what}: {error}", op) from None
    return tensor if isinstance(tensor, SymbolicTensor) else tensor.read()


def with_rows(keys: Any, lookup: Callable[[Any], Tensor]) -> Any:
    """The values of keys that may be ragged or sparse: for each key in them."""
    if isinstance(keys, RaggedTensor):
        return keys.with_flat_values(lookup(keys.flat_values))
    if isinstance(keys, SparseTensor):
        return SparseTensor(keys.indices, lookup(keys.values), keys.dense_shape)
    return lookup(keys)


def default_of(value: TensorLike, dtype: DType, op: str) -> Tensor:
    """The default value of a table."""
    try:
        tensor = convert_to_tensor(value, dtype)
    except (TypeError, ValueError):
        raise blame.type_error(f"Cannot convert {shown_value(value)} to {dtype.name}", op) from None
    if isinstance(tensor, SymbolicTensor):
        raise blame.value_error("the default value of a table is known, not traced", op)
    return tensor
