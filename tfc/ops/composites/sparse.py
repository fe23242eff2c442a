"""What public functions do with sparse tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import int32

from ...core.types import DTypeLike
from ...dispatch.overloads import otherwise
from ..array import conversion, counting, shape_checks, shaping
from ..math import arithmetic, bessel, reductions, transcendental
from ..ragged import counting as _counting
from ..sparse.tensor import SparseTensor
from .elementwise import lifted

# Of one operand: those that TensorFlow applies to the elements that are there.
_OF_VALUES = (
    *(transcendental.sin, transcendental.tan, transcendental.asin, transcendental.atan),
    *(transcendental.tanh, transcendental.asinh, transcendental.atanh, transcendental.sqrt),
    *(transcendental.erf, bessel.bessel_i0e, bessel.bessel_i1e),
    *(arithmetic.abs, arithmetic.negative, arithmetic.sign, arithmetic.square),
    *(conversion.cast, conversion.identity, conversion.stop_gradient),
)


@functools.cache
def install() -> None:
    """Let public functions take sparse tensors: once, when the class is met."""
    otherwise(counting.bincount, SparseTensor)(_counting.dense_bincount)
    otherwise(shape_checks.assert_type, SparseTensor)(_assert_type)
    function: Any
    for function in _OF_VALUES:
        otherwise(function, SparseTensor)(lifted(function, _of_values, 1))
    otherwise(arithmetic.truediv, SparseTensor)(_divided)
    otherwise(shaping.shape, SparseTensor)(_shape)
    otherwise(shaping.size, SparseTensor)(_size)
    otherwise(shaping.rank, SparseTensor)(_rank)


def _of_values(function: Callable[..., Any], operands: Sequence[Any], op: str) -> Any:
    (x,) = operands
    return x.with_values(function(x.values)) if isinstance(x, SparseTensor) else NotImplemented


def _divided(x: Any, y: Any, name: str | None = None) -> Any:
    return x / y if isinstance(x, SparseTensor) else NotImplemented


def _shape(input: SparseTensor, out_type: DTypeLike = int32, name: str | None = None) -> Any:
    return conversion.cast(input.dense_shape, out_type)


def _size(input: SparseTensor, out_type: DTypeLike = int32, name: str | None = None) -> Any:
    return conversion.cast(reductions.reduce_prod(input.dense_shape), out_type)


def _rank(input: SparseTensor, name: str | None = None) -> Any:
    return shaping.size(input.dense_shape)


def _assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> Any:
    return shape_checks.assert_type(tensor.values, tf_type, message)
