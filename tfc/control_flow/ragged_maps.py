"""`map_fn` along the rows of ragged and sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.dtypes import int64

from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import Tensor
from ..ops.array.conversion import cast
from ..ops.array.creation import range as counting
from ..ops.array.indexing import boolean_mask
from ..ops.array.joining import stack
from ..ops.array.shaping import shape
from ..ops.math.comparisons import equal
from ..ops.ragged import joining
from ..ops.ragged.factories import is_ragged
from ..ops.ragged.specs import RaggedTensorSpec
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.specs import SparseTensorSpec
from ..ops.sparse.structure import concat, expand_dims
from ..ops.sparse.tensor import SparseTensor


def map_rows(fn: Callable[..., Any], elems: Any, wanted: Any, along: Callable[..., Any]) -> Any:
    """`fn` of each row of ragged, sparse and dense tensors, stacked.

    Args:
        fn: A function of a row: of a tensor, of a RaggedTensor where rows are ragged, or of a
            SparseTensor.
        elems: A structure of tensors with equally many rows, ragged ones among them.
        wanted: The dtypes or specs of the results; None: as they come.
        along: `map_fn`, for the numbers of rows that only a call of a function tells.

    Returns:
        The results in their structure: ragged where `wanted` says so, and where rows of different
        lengths, or with axes, come of ragged ones.

    Raises:
        ValueError: If there are not equally many rows.
        UnimplementedError: If it is traced, and the number of rows is not known.
    """
    leaves, structure = nest.decompose(elems)
    xs = [x if takes_rows(x) else convert_to_tensor(x) for x in leaves]
    counts = {_count(x) for x in xs}
    if len(counts) > 1:
        raise blame.value_error(f"the numbers of rows differ: {sorted(map(str, counts))}", "map_fn")
    (count,) = counts
    if count is None:
        if wanted is not None and any(map(takes_rows, nest.flatten(wanted))):
            raise blame.unimplemented(
                "ragged or sparse results of rows whose number is not known while tracing", "map_fn"
            )

        def of_row(i: Any) -> Any:
            return fn(structure.pack([_row(x, i) for x in xs]))

        return along(of_row, counting(_measured(xs[0])), fn_output_signature=wanted)
    rows = [fn(structure.pack([_row(x, i) for x in xs])) for i in range(count)]
    if not rows:
        raise blame.unimplemented("there is no row", "map_fn")
    specs = [None] * len(nest.flatten(rows[0])) if wanted is None else nest.flatten(wanted)
    columns = zip(*(nest.flatten(row) for row in rows), strict=True)
    made = [_stacked(c, s) for c, s in zip(columns, specs, strict=True)]
    return nest.decompose(rows[0])[1].pack(made)


def takes_rows(x: Any) -> bool:
    """Whether it is a ragged or sparse tensor, or the spec of one."""
    return is_ragged(x) or isinstance(x, SparseTensor | RaggedTensorSpec | SparseTensorSpec)


def _count(x: Any) -> int | None:
    if isinstance(x, SparseTensor) and context.trace is None:
        return int(x.dense_shape[0])
    found: int | None = x.shape[0]
    return found


def _measured(x: Any) -> Any:
    """The number of rows, when the function runs."""
    if isinstance(x, SparseTensor):
        return x.dense_shape[0]
    return x.nrows() if is_ragged(x) else shape(x, out_type=int64)[0]


def _row(x: Any, i: Any) -> Any:
    """One row. A sparse tensor's is that of its elements whose first index is the number."""
    if not isinstance(x, SparseTensor):
        return x[i]
    own = equal(x.indices[:, 0], cast(i, int64))
    return SparseTensor(
        boolean_mask(x.indices[:, 1:], own), boolean_mask(x.values, own), x.dense_shape[1:]
    )


def _stacked(column: tuple[Any, ...], spec: Any) -> Any:
    if isinstance(column[0], SparseTensor):
        return concat(0, [expand_dims(v, 0) for v in column], expand_nonconcat_dims=True)
    parts = [v if is_ragged(v) else convert_to_tensor(v) for v in column]
    if isinstance(spec, RaggedTensorSpec):
        found = joining.stack(parts, 0)
        if is_ragged(found):
            return found
        rank, kind = spec.ragged_rank + 1, spec.row_splits_dtype
        return RaggedTensor.from_tensor(found, ragged_rank=rank, row_splits_dtype=kind)
    dense = all(isinstance(p, Tensor) for p in parts)
    if dense and ((spec is not None and not hasattr(spec, "ragged_rank")) or not parts[0].ndim):
        return stack(parts)
    return joining.stack(parts, 0)


__all__ = ["map_rows", "takes_rows"]
