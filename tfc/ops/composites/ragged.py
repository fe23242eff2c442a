"""What public functions do with ragged tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ...dispatch.overloads import otherwise
from ..array import counting, indexing, joining, shaping
from ..linalg import products
from ..math import arithmetic, cumulative, reductions, segments
from ..nn import basics
from ..ragged import counting as _counting
from ..ragged import indexing as _indexing
from ..ragged import joining as _joining
from ..ragged import operators as _operators
from ..ragged import reductions as _reductions
from ..ragged import shaping as _shaping
from ..ragged.broadcasting import elementwise
from ..ragged.dynamic_shape import DynamicRaggedShape
from ..ragged.tensor import RaggedTensor
from ..strings import parts, text
from .elementwise import ALONG_FIRST, ALONG_SECOND, BINARY, TERNARY, UNARY, lifted

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
        shaping.size: _shaping.size,
        shaping.rank: _shaping.rank,
        indexing.gather: _indexing.gather,
        indexing.gather_nd: _indexing.gather_nd,
        indexing.where: _indexing.where,
        indexing.boolean_mask: _boolean_mask,
        indexing.dynamic_partition: _dynamic_partition,
        counting.bincount: _counting.dense_bincount,
        cumulative.cumsum: _reductions.cumulative(cumulative.cumsum),
        arithmetic.add_n: _add_n,
        basics.softmax: _reductions.softmax,
        products.matmul: _matmul,
        text.join: _join,
        text.reduce_join: _reduce_join,
    }
    for function, ours in table.items():
        _says(function, ours)


def _says(function: Any, ours: Function) -> None:
    otherwise(function, RaggedTensor)(ours)


def _broadcast(function: Function, operands: Sequence[Any], op: str) -> Any:
    if not any(isinstance(x, RaggedTensor) for x in operands):
        return NotImplemented
    return elementwise(function, operands, op)


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
    """All strings, or those along the last axis, which is ragged."""
    if axis is None and not keepdims:
        return text.reduce_join(inputs.flat_values, separator=separator)
    rank = len(inputs.shape)
    if axis not in (-1, rank - 1) or len(inputs.flat_values.shape) > 1:
        return NotImplemented
    if inputs.ragged_rank > 1:
        return inputs.with_values(_reduce_join(inputs.values, -1, keepdims, separator))
    if not separator:
        return text.reduce_join(inputs.to_tensor(""), -1, keepdims)
    rows, count = inputs.value_rowids(), inputs.nrows()
    found = parts.unsorted_segment_join(inputs.flat_values, rows, count, separator)
    return shaping.expand_dims(found, -1) if keepdims else found


def _boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str | None = None) -> Any:
    return NotImplemented if axis else _shaping.boolean_mask(tensor, mask)


def _dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: str | None = None
) -> Any:
    whole = _joining.stack_dynamic_partitions(data, partitions, num_partitions)
    return [whole[i] for i in range(num_partitions)]


def _matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, **options: Any
) -> Any:
    """Batches of matrices whose number of rows differs, times one matrix or as many."""
    if not isinstance(a, RaggedTensor) or isinstance(b, RaggedTensor) or transpose_a:
        return NotImplemented
    if a.ragged_rank != 1 or len(a.shape) != 3 or len(b.shape) != 3:
        return NotImplemented
    dense = products.matmul(a.to_tensor(), b, transpose_b=transpose_b, **options)
    return RaggedTensor.from_tensor(dense, lengths=a.row_lengths())


def _shape(input: RaggedTensor, out_type: Any = None, name: str | None = None) -> Any:
    return DynamicRaggedShape.from_tensor(input, out_type)
