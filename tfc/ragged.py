"""`tfc.ragged`: making ragged tensors, and functions of their values."""

from .ops.ragged.flat_values import map_flat_values
from .ops.ragged.joining import stack, stack_dynamic_partitions
from .ops.ragged.operations import (
    constant,
    range,
    row_splits_to_segment_ids,
    segment_ids_to_row_splits,
)
from .ops.ragged.shaping import boolean_mask
from .ops.strings.crossing import cross, cross_hashed

__all__ = [
    "boolean_mask",
    "constant",
    "cross",
    "cross_hashed",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]
