"""Embeddings: rows of tables, and of tables in several parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ..arguments import choice
from ..array import conversion, creation
from ..array.indexing import boolean_mask, dynamic_partition, gather
from ..array.joining import concat, stack
from ..array.scatter import dynamic_stitch
from ..array.shaping import reshape
from ..array.sizes import scalar_of, steps
from ..extents import extents_of
from ..math import (
    arithmetic,
    clipping,
    comparisons,
    cumulative,
    elementwise,
    reductions,
    segments,
    transcendental,
)
from ..ragged.tensor import RaggedTensor
from ..sparse.math import fill_empty_rows
from ..sparse.tensor import SparseTensor, sparse_operand


def embedding_lookup(
    params: Any, ids: Any, max_norm: Any = None, name: str | None = None
) -> Tensor:
    """The rows of the table `params` that `ids` name, each scaled down to an L2 norm of at most
    `max_norm`.

    A list of tables is one table in parts: the ids are divided among them in order, as evenly as
    they can be; the first ones have a row more where they cannot.

    Args:
        params: The table [rows, ...], or a list of tables, which are its parts.
        ids: A tensor of integers: the numbers of rows.
        max_norm: The largest L2 norm of a row that is returned; None: any.

    Returns:
        A tensor of shape ids.shape + params.shape[1:].

    Raises:
        InvalidArgumentError: If an id is not the number of a row.

    >>> import tfc as tf
    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> print(tf.nn.embedding_lookup(table, [1]))
    tf.Tensor([[3. 4.]], shape=(1, 2), dtype=float32)
    >>> print(tf.nn.embedding_lookup([table, [[5.0, 6.0]]], [2, 0]))
    tf.Tensor(
    [[5. 6.]
     [1. 2.]], shape=(2, 2), dtype=float32)
    """
    op = "embedding_lookup"
    if isinstance(params, list | tuple) and _are_tables(params):
        tables = [operand(op, p) for p in params]
        if len(tables) > 1:
            return _from_parts(tables, operand(op, ids), max_norm)
        (params,) = tables
    table, places = operand(op, params), operand(op, ids)
    return _rows(table, places, max_norm)


def _are_tables(params: Sequence[Any]) -> bool:
    """Whether a list is one of tables, and not itself a table of numbers."""
    if not params:
        raise blame.value_error("params must not be empty", "embedding_lookup")
    first = params[0]
    return isinstance(first, Held) or hasattr(first, "shape") or isinstance(first, list | tuple)


def _rows(table: Any, places: Any, max_norm: Any) -> Tensor:
    rows = gather(table, places)
    if max_norm is None:
        return rows
    axes = list(range(len(places.shape), len(rows.shape)))
    limit = operand("embedding_lookup", max_norm, as_dtype(rows.dtype))
    return clipping.clip_by_norm(rows, limit, axes)


def _from_parts(tables: Sequence[Any], ids: Any, max_norm: Any) -> Tensor:
    """Each part is asked for the rows that it has, so that its gradient is of these rows alone."""
    flat = conversion.cast(reshape(ids, [-1]), int64)
    parts = len(tables)
    for table in tables:
        if not len(table.shape):
            raise blame.invalid(
                "params must have rows, and one of them is a scalar", "embedding_lookup"
            )
    total = scalar_of(extents_of(tables[0])[0])
    for table in tables[1:]:
        total = total + scalar_of(extents_of(table)[0])
    share, more = arithmetic.floordiv(total, parts), arithmetic.floormod(total, parts)
    in_longer = flat < more * (share + 1)
    one = arithmetic.maximum(share, 1)  # where it is 0, all rows are in the longer parts
    part = comparisons.select(
        in_longer, arithmetic.floordiv(flat, share + 1), arithmetic.floordiv(flat - more, one)
    )
    row = comparisons.select(
        in_longer, arithmetic.floormod(flat, share + 1), arithmetic.floormod(flat - more, one)
    )
    rows = dynamic_partition(row, part, parts)
    numbers = steps(extents_of(flat)[0])
    found = [_rows(t, r, max_norm) for t, r in zip(tables, rows, strict=True)]
    merged = dynamic_stitch(dynamic_partition(numbers, part, parts), found)
    return reshape(merged, [*extents_of(ids), *extents_of(tables[0])[1:]])


def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    combiner: str | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """The rows of a table that are named in each row of sparse or ragged ids, combined.

    Args:
        params: The table [rows, ...], or a list of tables, which are its parts.
        sp_ids: A SparseTensor of integers with two axes, or a RaggedTensor, of which all ids in a
            row count alike.
        sp_weights: A weight for each id, in the same places; None: 1.
        combiner: What becomes of the weighted rows: "sum", "mean" (None; by the sum of weights) or
            "sqrtn" (by the root of the sum of their squares).
        max_norm: The largest L2 norm of a row; None: any.
        allow_fast_lookup: Not used.

    Returns:
        A tensor with a row for each row of ids, up to the last one that has an id; zeros for those
        that have none.

    Raises:
        TypeError: If the ids are neither sparse nor ragged, or weights are of another kind.
        ValueError: If there is no such combiner.
        InvalidArgumentError: If an id is not the number of a row.

    >>> import tfc as tf
    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> ids = tf.ragged.constant([[0, 1], [1]])
    >>> print(tf.nn.embedding_lookup_sparse(table, ids, None, combiner="mean"))
    tf.Tensor(
    [[2. 3.]
     [3. 4.]], shape=(2, 2), dtype=float32)
    """
    op = "nn.embedding_lookup_sparse"
    how = "mean" if combiner is None else choice(combiner, ("mean", "sqrtn", "sum"), "combiner", op)
    if isinstance(sp_ids, RaggedTensor):
        own = sp_ids.merge_dims(1, -1) if len(sp_ids.shape) > 2 else sp_ids
        ids, numbers = own.values, own.value_rowids()
    else:
        sp = sparse_operand(op, sp_ids)
        ids, numbers = sp.values, sp.indices[:, 0]
    if sp_weights is not None and type(sp_weights) is not type(sp_ids):
        raise blame.type_error("sp_weights must be of the kind of sp_ids", op)
    rows: Any = embedding_lookup(params, ids, max_norm)
    if sp_weights is None:
        form = {
            "sum": segments.segment_sum,
            "mean": segments.segment_mean,
        }.get(how)
        if form is not None:
            return form(rows, numbers)
        weights: Any = creation.ones_like(conversion.cast(numbers, rows.dtype))
    else:
        weights = conversion.cast(sp_weights.values, rows.dtype)
    wide = reshape(weights, [-1, *([1] * (len(rows.shape) - 1))])
    total: Any = segments.segment_sum(rows * wide, numbers)
    if how == "sum":
        return total
    size: Any = segments.segment_sum(wide if how == "mean" else wide * wide, numbers)
    if how == "sqrtn":
        size = transcendental.sqrt(size)
    return elementwise.divide_no_nan(total, size)


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = "mean",
    default_id: int | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """`embedding_lookup_sparse`, where ids may be missing: negative ones and those with a weight
    that is not positive are left out, and rows without an id are zeros or those of `default_id`.

    Args:
        embedding_weights: The table [rows, dim], or a list of tables, which are its parts.
        sparse_ids: A SparseTensor of integers [d0, ..., dn], or a RaggedTensor.
        sparse_weights: Of the same kind, a weight for each id; None: 1.
        combiner: "sum", "mean" or "sqrtn".
        default_id: The id of rows that have none; None: such rows are zeros.
        max_norm: The largest L2 norm of a row; None: any.
        allow_fast_lookup: Not used.

    Returns:
        A tensor [d0, ..., dn-1, dim].

    Raises:
        TypeError: If the ids are not sparse.
        ValueError: If there is no such combiner.
        InvalidArgumentError: If an id is not the number of a row.

    >>> import tfc as tf
    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 1, -1], [3, 2])
    >>> print(tf.nn.safe_embedding_lookup_sparse(table, ids))
    tf.Tensor(
    [[2. 3.]
     [0. 0.]
     [0. 0.]], shape=(3, 2), dtype=float32)
    """
    op = "nn.safe_embedding_lookup_sparse"
    if isinstance(sparse_ids, RaggedTensor):
        if sparse_weights is not None:
            sparse_weights = sparse_weights.to_sparse()
        sparse_ids = sparse_ids.to_sparse()
    sp = sparse_operand(op, sparse_ids)
    rank = len(sp.shape)
    shape: Any = sp.dense_shape
    kept = sp.values >= 0
    weights = None if sparse_weights is None else sparse_operand(op, sparse_weights)
    if weights is not None and combiner != "sum":
        kept = comparisons.logical_and(kept, weights.values > 0)
    count = reductions.reduce_prod(shape[:-1])
    flat = stack([count, shape[-1]])
    strides = cumulative.cumprod(shape[:-1], exclusive=True, reverse=True)
    rows = reductions.reduce_sum(sp.indices[:, :-1] * strides, 1)
    places = boolean_mask(stack([rows, sp.indices[:, -1]], 1), kept)
    ids = SparseTensor(places, boolean_mask(sp.values, kept), flat)
    own = None
    if weights is not None:
        own = SparseTensor(places, boolean_mask(weights.values, kept), flat)
    ids, empty = fill_empty_rows(
        ids, conversion.cast(0 if default_id is None else default_id, ids.dtype)
    )
    if own is not None:
        own, _ = fill_empty_rows(own, conversion.cast(1, own.dtype))
    found: Any = embedding_lookup_sparse(embedding_weights, ids, own, combiner, max_norm)
    if default_id is None:
        found = comparisons.select(empty[:, None], creation.zeros_like(found), found)
    if rank == 2:
        return found
    return reshape(found, concat([shape[:-1], extents_of(found)[1:]], 0))
