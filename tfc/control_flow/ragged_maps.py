"""`map_fn` along the rows of ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import blame, nest
from ..core.conversion import convert_to_tensor
from ..core.tensor import Tensor
from ..ops.array.joining import stack
from ..ops.ragged import joining
from ..ops.ragged.factories import is_ragged


def map_rows(fn: Callable[..., Any], elems: Any, wanted: Any = None) -> Any:
    """`fn` of each row of ragged (and dense) tensors, stacked.

    Args:
        fn: A function of a row: of a tensor, or of a RaggedTensor where rows are ragged.
        elems: A structure of tensors with equally many rows, ragged ones among them.
        wanted: The dtypes or specs of the results; None: as they come.

    Returns:
        The results in their structure: ragged where `wanted` says so, and where rows of different
        lengths, or with axes, come of ragged ones.

    Raises:
        ValueError: If there are not equally many rows.
        UnimplementedError: If it is traced, and the number of rows is not known.
    """
    leaves, structure = nest.decompose(elems)
    xs = [x if is_ragged(x) else convert_to_tensor(x) for x in leaves]
    counts = {x.shape[0] for x in xs}
    if len(counts) > 1:
        raise blame.value_error(f"the numbers of rows differ: {sorted(map(str, counts))}", "map_fn")
    (count,) = counts
    if count is None:
        raise blame.unimplemented(
            "rows of ragged tensors whose number is not known while tracing", "map_fn"
        )
    rows = [fn(structure.pack([x[i] for x in xs])) for i in range(count)]
    if not rows:
        raise blame.unimplemented("there is no row", "map_fn")
    specs = [None] * len(nest.flatten(rows[0])) if wanted is None else nest.flatten(wanted)
    columns = zip(*(nest.flatten(row) for row in rows), strict=True)
    made = [_stacked(c, s) for c, s in zip(columns, specs, strict=True)]
    return nest.decompose(rows[0])[1].pack(made)


def _stacked(column: tuple[Any, ...], spec: Any) -> Any:
    parts = [v if is_ragged(v) else convert_to_tensor(v) for v in column]
    dense = all(isinstance(p, Tensor) for p in parts)
    if dense and ((spec is not None and not hasattr(spec, "ragged_rank")) or not parts[0].ndim):
        return stack(parts)
    return joining.stack(parts, 0)


__all__ = ["is_ragged", "map_rows"]
