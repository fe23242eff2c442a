"""What public functions do with ragged tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import int32

from ...core import blame
from ...dispatch.overloads import otherwise
from ..array import counting, creation, indexing, joining, shaping, sorting
from ..linalg import products
from ..math import arithmetic, cumulative, reductions, segments
from ..nn import basics
from ..ragged import counting as _counting
from ..ragged import indexing as _indexing
from ..ragged import joining as _joining
from ..ragged import operators as _operators
from ..ragged import products as _products
from ..ragged import reductions as _reductions
from ..ragged import shaping as _shaping
from ..ragged.broadcasting import elementwise
from ..ragged.dynamic_shape import DynamicRaggedShape
from ..ragged.tensor import RaggedTensor
from ..strings import parts, text
from . import shapes
from .elementwise import (
    ALONG_FIRST,
    ALONG_SECOND,
    ASSERTIONS,
    BINARY,
    PARTS,
    TERNARY,
    UNARY,
    lifted,
)

Function = Callable[..., Any]

_REDUCTIONS = [
    "reduce_sum",
    "reduce_prod",
    "reduce_max",
    "reduce_min",
    "reduce_all",
    "reduce_any",
    "reduce_mean",
    "reduce_variance",
    "reduce_std",
    "reduce_logsumexp",
]
_SEGMENTS = [
    "unsorted_segment_sum",
    "unsorted_segment_prod",
    "unsorted_segment_max",
    "unsorted_segment_min",
    "unsorted_segment_mean",
    "unsorted_segment_sqrt_n",
]


@functools.cache
def install() -> None:
    """Let public functions take ragged tensors: once, when the class is met."""
    _operators.install()
    function: Any
    for count, functions in ((1, UNARY), (2, BINARY), (3, TERNARY), (1, ALONG_FIRST)):
        for function in functions:
            _says(function, lifted(function, _broadcast, count))
    for function in ASSERTIONS:
        _says(function, lifted(function, _checked, 2))
    for function in PARTS:
        _says(function, lifted(function, _inside, 1))
    for function in ALONG_SECOND:
        _says(function, lifted(function, _broadcast, 1, first=1))
    for name in _REDUCTIONS:
        _says(getattr(reductions, name), getattr(_reductions, name))
    for name in _SEGMENTS:
        function = getattr(segments, name)
        _says(function, _reductions.segments(function))
    table: dict[Any, Function] = {
        joining.concat: _joining.concat,
        joining.stack: _joining.stack,
        shaping.tile: _joining.tile,
        joining.split: _joining.split,
        shaping.expand_dims: _shaping.expand_dims,
        shaping.squeeze: _shaping.squeeze,
        shaping.reverse: _shaping.reverse,
        shaping.shape: _shape,
        shaping.reshape: _reshape,
        shaping.size: _shaping.size,
        shaping.rank: _shaping.rank,
        indexing.gather: _indexing.gather,
        indexing.gather_nd: _indexing.gather_nd,
        indexing.where: _indexing.where,
        indexing.boolean_mask: _boolean_mask,
        indexing.dynamic_partition: _dynamic_partition,
        creation.one_hot: _one_hot,
        sorting.is_non_decreasing: _flattened(sorting.is_non_decreasing),
        sorting.is_strictly_increasing: _flattened(sorting.is_strictly_increasing),
        counting.bincount: _counting.dense_bincount,
        cumulative.cumsum: _reductions.cumulative(cumulative.cumsum),
        arithmetic.add_n: _add_n,
        basics.softmax: _reductions.softmax,
        products.matmul: _products.matmul,
        text.join: _join,
        text.reduce_join: _reduce_join,
    }
    for function, ours in table.items():
        _says(function, ours)


def _says(function: Any, ours: Function) -> None:
    otherwise(function, RaggedTensor)(ours)


def _broadcast(function: Function, operands: Sequence[Any], op: str) -> Any:
    if not any(_is_ragged(x) for x in operands):
        return NotImplemented
    return elementwise(function, operands, op)


def _checked(function: Function, operands: Sequence[Any], op: str) -> Any:
    """A function that only checks its operands."""

    def check(*flat: Any) -> Any:
        function(*flat)
        return next(x for x, given in zip(flat, operands, strict=True) if _is_ragged(given))

    _broadcast(check, operands, op)


def _is_ragged(x: Any) -> bool:
    return isinstance(x, RaggedTensor)


def _inside(function: Function, operands: Sequence[Any], op: str) -> Any:
    """A function that makes a row of each element."""
    (x,) = operands
    return x.with_flat_values(function(x.flat_values)) if _is_ragged(x) else NotImplemented


def _add_n(inputs: Any, name: str | None = None) -> Any:
    return functools.reduce(arithmetic.add, inputs)


def _join(inputs: Any, separator: str = "", name: str | None = None) -> Any:
    return elementwise(lambda *parts: text.join(parts, separator), list(inputs), "strings.join")


def _reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Any:
    """All strings, or those along one axis."""

    def whole(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return text.reduce_join(x, axis, keepdims, separator)

    def segments(x: Any, ids: Any, count: Any) -> Any:
        return parts.unsorted_segment_join(x, ids, count, separator)

    return _reductions.reduced(whole, segments, inputs, axis, keepdims, "strings.reduce_join")


def _flattened(function: Function) -> Function:
    return lambda x, name=None: function(x.flat_values)


def _one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """The new axis stands behind the ragged ones."""
    if not isinstance(indices, RaggedTensor):
        return NotImplemented
    if isinstance(axis, int) and axis >= 0:
        depth_of = indices.ragged_rank
        if axis <= depth_of:
            raise blame.value_error(
                f"axis ({axis}) must be greater than indices.ragged_rank ({depth_of}).", "one_hot"
            )
        axis -= depth_of
    flat = creation.one_hot(indices.flat_values, depth, on_value, off_value, axis, dtype)
    return indices.with_flat_values(flat)


def _boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = None) -> Any:
    return NotImplemented if axis else _shaping.boolean_mask(tensor, mask)


def _dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None
) -> Any:
    whole = _joining.stack_dynamic_partitions(data, partitions, num_partitions)
    return [whole[i] for i in range(num_partitions)]


def _reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The elements in their order, in another shape."""
    return shaping.reshape(tensor.flat_values, shape)


def _shape(input: RaggedTensor, out_type: Any = int32, name: str | None = None) -> Any:
    shapes.install()
    return DynamicRaggedShape.from_tensor(input, out_type)
