"""`tfc.sparse`: sparse tensors made, turned around, cut and joined."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, int64, string

from ...core import blame, nest
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import scatter as _scatter
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from .tensor import SparseTensor, filling, linear, places, sparse_operand

_py_range = builtins.range


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a dense tensor that are not 0 (or "").

    >>> import tfc as tf
    >>> tf.sparse.from_dense([[0, 3], [4, 0]]).indices.numpy().tolist()
    [[0, 1], [1, 0]]
    """
    x = operand("sparse.from_dense", tensor)
    indices = _indexing.where(_comparisons.not_equal(x, filling(x, None, "sparse.from_dense")))
    return SparseTensor(indices, _indexing.gather_nd(x, indices), _shaping.shape(x, out_type=int64))


def to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """The dense tensor, with `default_value` (0) where there is no element.

    Places that are out of order or come twice are an InvalidArgumentError, unless
    `validate_indices` is False: then the last one of them stays.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0], [2]], [7, 8], [4])
    >>> print(tf.sparse.to_dense(x, default_value=-1))
    tf.Tensor([ 7 -1  8 -1], shape=(4,), dtype=int32)
    """
    op = "sparse.to_dense"
    sp = sparse_operand(op, sp_input)
    if validate_indices:
        numbers = linear(sp.indices, sp.dense_shape)
        message = "indices are out of order or repeated: use tf.sparse.reorder"
        _checks.assert_equal(numbers[:-1] < numbers[1:], True, message)
    default = filling(sp.values, default_value, op)
    if sp.dtype is string:
        count = _shaping.shape(sp.values, out_type=int64)[0]
        whole = _creation.fill(sp.dense_shape, count)
        found = _scatter.tensor_scatter_nd_update(whole, sp.indices, _creation.range(count))
        return _indexing.gather(
            _shaping.concat([sp.values, _shaping.reshape(default, [1])], 0), found
        )
    whole = _creation.fill(sp.dense_shape, default)
    return _scatter.tensor_scatter_nd_update(whole, sp.indices, sp.values)


def reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The same with its places in row-major order.

    >>> import tfc as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[3], [1]], [1, 2], [4])).values.numpy().tolist()
    [2, 1]
    """
    sp = sparse_operand("sparse.reorder", sp_input)
    order = _sorting.argsort(linear(sp.indices, sp.dense_shape), stable=True)
    return SparseTensor(
        _indexing.gather(sp.indices, order), _indexing.gather(sp.values, order), sp.dense_shape
    )


def retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """The elements for which the vector `to_retain` holds.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0], [1], [2]], [1, 2, 3], [3])
    >>> tf.sparse.retain(x, [True, False, True]).values.numpy().tolist()
    [1, 3]
    """
    sp = sparse_operand("sparse.retain", sp_input)
    held = operand("sparse.retain", to_retain)
    return SparseTensor(
        _indexing.boolean_mask(sp.indices, held),
        _indexing.boolean_mask(sp.values, held),
        sp.dense_shape,
    )


def transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The axes in the order of `perm`, by default backwards.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[0, 1, 2], [3, 0, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.transpose(x)))
    tf.Tensor(
    [[0 3]
     [1 0]
     [2 0]], shape=(3, 2), dtype=int32)
    """
    op = "sparse.transpose"
    sp = sparse_operand(op, sp_input)
    rank = _rank(sp, op)
    order = list(_py_range(rank))[::-1] if perm is None else np.asarray(perm).tolist()
    if sorted(order) != list(_py_range(rank)):
        raise blame.invalid(f"perm must be a permutation of {rank} axes, got {shown(perm)}", op)
    return reorder(
        SparseTensor(
            _indexing.gather(sp.indices, order, axis=1),
            sp.values,
            _indexing.gather(sp.dense_shape, order),
        )
    )


def _rank(sp: SparseTensor, op: str) -> int:
    if sp.rank is None:
        raise blame.value_error("the rank must be known", op)
    return sp.rank


def _axis(axis: Any, rank: int, op: str) -> int:
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise blame.invalid(f"axis {shown(axis)} is out of range for rank {rank}", op)
    return axis % rank


def slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The part of `size` that begins at the place `start`, cut where the tensor ends.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.slice(x, [0, 1], [2, 2])))
    tf.Tensor(
    [[0 2]
     [3 0]], shape=(2, 2), dtype=int32)
    """
    op = "sparse.slice"
    sp = sparse_operand(op, sp_input)
    first, many = (_conversion.cast(operand(op, v, dtype_hint=int64), int64) for v in (start, size))
    stop = _arithmetic.minimum(first + many, sp.dense_shape)
    extents = _arithmetic.maximum(stop - first, 0)
    inside = _reductions.reduce_all((sp.indices >= first) & (sp.indices < stop), 1)
    kept = retain(sp, inside)
    return SparseTensor(kept.indices - first, kept.values, extents)


def reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """The same elements in row-major order in another shape; one extent may be -1.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[0, 1], [2, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.reshape(x, [-1])))
    tf.Tensor([0 1 2 0], shape=(4,), dtype=int32)
    """
    op = "sparse.reshape"
    sp = sparse_operand(op, sp_input)
    extents = _conversion.cast(operand(op, shape, dtype_hint=int64), int64)
    total = _reductions.reduce_prod(sp.dense_shape)
    known = _reductions.reduce_prod(
        _comparisons.select(extents < 0, _creation.ones_like(extents), extents)
    )
    rest = _arithmetic.floordiv(total, _arithmetic.maximum(known, 1))
    extents = _comparisons.select(extents < 0, rest, extents)
    message = f"Input to reshape does not have as many elements as shape {shown(shape)}"
    _checks.assert_equal(_reductions.reduce_prod(extents), total, message)
    return SparseTensor(places(linear(sp.indices, sp.dense_shape), extents), sp.values, extents)


def expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """With a new axis of extent 1 before `axis`; by default the last one.

    >>> import tfc as tf
    >>> tf.sparse.expand_dims(tf.sparse.from_dense([1, 2]), 0).shape
    TensorShape([1, 2])
    """
    op = "sparse.expand_dims"
    sp = sparse_operand(op, sp_input)
    at = _axis(-1 if axis is None else axis, _rank(sp, op) + 1, op)
    zero = _creation.zeros_like(sp.indices[:, :1])
    indices = _shaping.concat([sp.indices[:, :at], zero, sp.indices[:, at:]], 1)
    one = _creation.ones([1], int64)
    extents = _shaping.concat([sp.dense_shape[:at], one, sp.dense_shape[at:]], 0)
    return SparseTensor(indices, sp.values, extents)


def concat(
    axis: int,
    sp_inputs: Sequence[Any],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Sparse tensors one behind the other along `axis`. Their other extents are the same, or the
    largest counts where `expand_nonconcat_dims` is set.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([[1, 0]]), tf.sparse.from_dense([[0, 2]])
    >>> print(tf.sparse.to_dense(tf.sparse.concat(0, [a, b])))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    op = "sparse.concat"
    parts = [sparse_operand(op, sp) for sp in sp_inputs]
    if not parts:
        raise blame.value_error("needs at least one sparse tensor", op)
    rank = _rank(parts[0], op)
    if any(_rank(sp, op) != rank for sp in parts):
        raise blame.value_error("the sparse tensors have different ranks", op)
    at = _axis(axis, rank, op)
    shapes = _shaping.stack([sp.dense_shape for sp in parts])
    here = _creation.one_hot(at, rank, dtype=int64)
    widest = _reductions.reduce_max(shapes, 0)
    if not expand_nonconcat_dims:
        same = _comparisons.equal(shapes, widest) | _comparisons.equal(here, 1)
        _checks.assert_equal(same, True, "extents other than that of `axis` differ")
    begins = _cumulative.cumsum(shapes[:, at], exclusive=True)
    moved = [sp.indices + begins[i] * here for i, sp in enumerate(parts)]
    total = _reductions.reduce_sum(shapes[:, at])
    extents = widest * (1 - here) + total * here
    values = _shaping.concat([sp.values for sp in parts], 0)
    return reorder(SparseTensor(_shaping.concat(moved, 0), values, extents))


def split(
    sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None
) -> list[SparseTensor]:
    """`num_split` parts along `axis`, as even as they can be: the first ones are the longer ones.

    >>> import tfc as tf
    >>> [p.shape[0] for p in tf.sparse.split(tf.sparse.from_dense([1, 2, 3]), 2, 0)]
    [2, 1]
    """
    op = "sparse.split"
    sp = sparse_operand(op, sp_input)
    rank = _rank(sp, op)
    at = _axis(axis, rank, op)
    if not isinstance(num_split, int) or num_split < 1:
        raise blame.value_error(f"num_split must be a positive integer, got {shown(num_split)}", op)
    extent = sp.dense_shape[at]
    short, longer = _arithmetic.floordiv(extent, num_split), _arithmetic.floormod(extent, num_split)
    here = _creation.one_hot(at, rank, dtype=int64)
    found = []
    for i in _py_range(num_split):
        begin = i * short + _arithmetic.minimum(longer, i)
        many = short + _conversion.cast(longer > i, int64)
        found.append(slice(sp, begin * here, sp.dense_shape * (1 - here) + many * here))
    return found


def eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = float32, name: str | None = None
) -> SparseTensor:
    """The identity matrix.

    >>> import tfc as tf
    >>> tf.sparse.eye(2, 3).indices.numpy().tolist()
    [[0, 0], [1, 1]]
    """
    op = "sparse.eye"
    columns = num_rows if num_columns is None else num_columns
    extents = _conversion.cast(_shaping.stack([operand(op, num_rows), operand(op, columns)]), int64)
    numbers = _creation.range(_reductions.reduce_min(extents))
    ones = _creation.ones_like(numbers, dtype=dtype)
    return SparseTensor(_shaping.stack([numbers, numbers], 1), ones, extents)


def reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """The same elements in a tensor of `new_shape`, which must be as large at least; by default
    the smallest one that holds them.

    >>> import tfc as tf
    >>> tf.sparse.reset_shape(tf.SparseTensor([[1, 2]], [3], [9, 9])).shape
    TensorShape([2, 3])
    """
    op = "sparse.reset_shape"
    sp = sparse_operand(op, sp_input)
    if new_shape is None:
        lowest = _creation.zeros([1, _rank(sp, op)], int64) - 1
        extents = _reductions.reduce_max(_shaping.concat([sp.indices, lowest], 0), 0) + 1
    else:
        extents = _conversion.cast(operand(op, new_shape, dtype_hint=int64), int64)
        _checks.assert_less_equal(sp.dense_shape, extents, "new_shape is too small")
    return SparseTensor(sp.indices, sp.values, extents)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`op` of the values of the sparse tensors among the arguments, at the same places.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([0.0, 4.0, 9.0])
    >>> print(tf.sparse.map_values(tf.sqrt, x).values)
    tf.Tensor([2. 3.], shape=(2,), dtype=float32)
    """
    leaves, structure = nest.decompose((args, kwargs))
    found = [v for v in leaves if isinstance(v, SparseTensor)]
    if not found:
        raise blame.value_error("No SparseTensor in argument list of map_values", "map_values")
    for other in found[1:]:
        text = "the sparse tensors must have the same places"
        _checks.assert_equal(found[0].indices, other.indices, text)
        _checks.assert_equal(found[0].dense_shape, other.dense_shape, text)
    plain = [v.values if isinstance(v, SparseTensor) else v for v in leaves]
    inner_args, inner_kwargs = structure.pack(plain)
    return found[0].with_values(op(*inner_args, **inner_kwargs))
