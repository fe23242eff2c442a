"""`bucket_by_sequence_length`: batches of elements with similar lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import int64

from ...core import blame, errors
from ...core.context import user_location
from ...core.conversion import convert_to_tensor
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...ops.array.conversion import cast
from ...ops.array.indexing import gather
from ...ops.math.comparisons import less_equal
from ...ops.math.reductions import reduce_sum
from ..elements import shapes_along
from ..nested import DatasetSpec, is_symbolic
from ..plan import Plan
from .batching import Batch
from .padding import padded_batches
from .windows import grouped

_OP = "bucket_by_sequence_length"


def bucketed(
    source: Plan,
    length: Callable[..., Any],
    boundaries: Sequence[int],
    sizes: Sequence[int],
    shapes: Any,
    values: Any,
    *,
    pad_to_bucket_boundary: bool,
    no_padding: bool,
    drops: bool,
) -> Plan:
    """The plan: groups by bucket, each of which becomes a batch.

    Raises:
        ValueError: If there is not one size more than boundaries.
    """
    if len(sizes) != len(boundaries) + 1:
        raise blame.value_error(
            "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
            f"`len(bucket_batch_sizes)={len(sizes)}` and "
            f"`len(bucket_boundaries)={len(boundaries)}`.",
            _OP,
        )
    ends = convert_to_tensor(list(boundaries), int64)
    whole = convert_to_tensor(list(sizes), int64)

    def key(*parts: Any) -> Any:
        """The number of boundaries that are not above the length."""
        return reduce_sum(cast(less_equal(ends, cast(length(*parts), int64)), int64))

    def batch(bucket: Any, group: Any) -> Any:
        spec = DatasetSpec.of(group._plan.spec)
        known = not is_symbolic(bucket)
        size = sizes[int(bucket)] if known else 1
        full = drops and known
        if no_padding:
            return spec.dataset(Batch(group._plan, size, full))
        padded = _shapes(group._plan, shapes)
        if pad_to_bucket_boundary and known:
            if int(bucket) == len(boundaries):
                raise errors.InvalidArgumentError(
                    "When pad_to_bucket_boundary=True, elements must have length < "
                    "max(bucket_boundaries).",
                    op=_OP,
                    location=user_location(),
                )
            longest = boundaries[int(bucket)] - 1
            padded = [TensorShape([longest if n is None else n for n in s]) for s in padded]
        packed = group._plan.spec.structure.pack(padded)
        return spec.dataset(padded_batches(group._plan, size, packed, values, full, _OP))

    return grouped(source, key, batch, lambda bucket: gather(whole, bucket), _OP)


def _shapes(plan: Plan, shapes: Any) -> list[TensorShape]:
    """The padded shape of each leaf."""
    spec = plan.spec
    if shapes is None:
        return [s.shape if isinstance(s, TensorSpec) else TensorShape([]) for s in spec.leaves]
    return [TensorShape(s) for s in shapes_along(shapes, spec.structure)]


__all__ = ["bucketed"]
