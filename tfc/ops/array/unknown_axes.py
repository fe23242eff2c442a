"""Axes that a function computes: ops along an axis that is not known while they are traced.

An op along a known axis is a loop nest; which loop is the inner one has to be known. So the tensor
is brought into an order first in which the axis is the last one:

    shape of the result:  shape[order[0]], shape[order[1]], ...     (bound when it runs)
    element [i, j, ...]:  element i * stride[order[0]] + j * stride[order[1]] + ... of the tensor

which is one gather. Only what knows its rank can be written so: the number of axes that are reduced
has to be known, or the reduced ones are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.tensor import SymbolicTensor, Tensor
from ..extents import extents_of
from ..math.comparisons import equal, less, logical_and
from ..math.cumulative import cumprod
from ..math.reductions import reduce_all, reduce_any, reduce_sum
from .checks import Assert
from .conversion import cast
from .creation import range as tensor_range
from .indexing import gather, where
from .joining import concat, unstack
from .shaping import expand_dims, reshape
from .shaping import shape as shape_of
from .sorting import argsort, sort

_FEW = "the number of axes must be known while a function is traced: give a list or a tensor of {}"


def _places(axis: Any, rank: int, name: str) -> Tensor:
    """The axes as a vector of int64, from 0 on; a check that they are there."""
    if not axis.dtype.is_integer:
        raise blame.type_error(f"an axis must be an integer, got {axis.dtype.name}", name)
    places = reshape(cast(axis, int64), [-1])
    places = where(less(places, 0), places + rank, places)
    inside = logical_and(less(-1, places), less(places, rank))
    Assert(reduce_all(inside), [f"{name}: an axis is out of range for rank {rank}"])
    return places


def transposed_by(x: Tensor, perm: Any) -> Tensor:
    """`x` with axis perm[i] as axis i, for a tensor `perm` of known length."""
    rank = len(extents_of(x))
    if len(perm.shape) == 1 and perm.shape[0] is None:
        perm = reshape(perm, [rank])
    if len(perm.shape) != 1 or perm.shape[0] != rank:
        raise blame.invalid(f"perm must have one number for each of {rank} axes", "transpose")
    order = _places(perm, rank, "transpose")
    once = equal(sort(order), tensor_range(rank, dtype=int64))
    Assert(reduce_all(once), [f"transpose: perm is no permutation of {rank} axes"])
    return _reordered(x, order)


def _reordered(x: Tensor, order: Tensor) -> Tensor:
    rank = len(extents_of(x))
    shape = shape_of(x, int64)
    extents = unstack(gather(shape, order), rank)
    strides = unstack(gather(cumprod(shape, exclusive=True, reverse=True), order), rank)
    number: Any = 0
    for i in range(rank):
        steps = tensor_range(extents[i]) * strides[i]
        number = number + reshape(steps, [-1, *[1] * (rank - 1 - i)])
    return gather(reshape(x, [-1]), number)


def reduced_along(
    function: Callable[..., Any], x: Tensor, axis: Any, keepdims: bool, name: str
) -> Any:
    """`function(x, axis, keepdims)` for a tensor `axis`."""
    rank = len(extents_of(x))
    count = 1 if not len(axis.shape) else axis.shape[0]
    if count is None and not keepdims:
        raise blame.unknown_extent(_FEW.format("known length, or keepdims=True"), name)
    places = _places(axis, rank, name)
    gone = reduce_any(equal(expand_dims(places, 1), tensor_range(rank, dtype=int64)), 0)
    if count is not None:
        found = reduce_sum(cast(gone, int64))
        Assert(equal(found, count), [f"{name}: axes name an axis twice"])
    order = argsort(cast(gone, int64), stable=True)
    shape = shape_of(x, int64)
    if keepdims:
        kept = where(gone, 1, shape)
        rows = reshape(_reordered(x, order), concat([reshape(_product(kept), [1]), [-1]], 0))
        return reshape(function(rows, axis=1), kept)
    kept = gather(shape, order)[: rank - count]
    rows = reshape(_reordered(x, order), concat([kept, [-1]], 0))
    return function(rows, axis=rank - count)


def _product(extents: Tensor) -> Any:
    return cumprod(concat([[1], extents], 0))[-1]


def applied_along(
    function: Callable[[Sequence[Tensor]], Any],
    tensors: Sequence[Tensor],
    axis: Any,
    name: str,
    same_shape: bool = False,
) -> Any:
    """What `function` makes of tensors along their last axis, along one that a scalar names: a
    tensor of their rank, or a list of such. With `same_shape` it has the shape of the first."""
    _scalar(axis, name)
    rank = len(extents_of(tensors[0]))
    if any(len(extents_of(t)) != rank for t in tensors):
        raise blame.invalid("all tensors must have one rank", name)
    order = _with_last(axis, rank, name)
    result = function([_reordered(t, order) for t in tensors])
    back = argsort(order)
    if isinstance(result, list):
        return [_reordered(part, back) for part in result]
    result = _reordered(result, back)
    if same_shape:
        value = result._trace.refine(result._value, extents_of(tensors[0]))
        result = SymbolicTensor(result._trace, value, result._extents)
    return result


def _scalar(axis: Any, name: str) -> None:
    if len(axis.shape):
        raise blame.type_error("an axis must be a scalar", name)


def _with_last(axis: Any, rank: int, name: str) -> Tensor:
    """The order in which one axis is the last and the others are as they were."""
    last = equal(tensor_range(rank, dtype=int64), _places(axis, rank, name))
    order: Tensor = argsort(cast(last, int64), stable=True)
    return order


def moved_last(x: Tensor, axis: Any, name: str) -> Tensor:
    """`x` with the axis that a scalar names behind the others."""
    _scalar(axis, name)
    return _reordered(x, _with_last(axis, len(extents_of(x)), name))


def inserted_at(x: Tensor, axis: Any, name: str) -> Tensor:
    """`x` with its last axis where a scalar says that it is in the result."""
    _scalar(axis, name)
    return _reordered(x, argsort(_with_last(axis, len(extents_of(x)), name)))
