"""Embeddings: rows of tables, and of tables in several parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ..array import conversion
from ..array.indexing import dynamic_partition, gather
from ..array.scatter import dynamic_stitch
from ..array.shaping import reshape
from ..array.sizes import scalar_of, steps
from ..extents import extents_of
from ..math import arithmetic, clipping, comparisons


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
