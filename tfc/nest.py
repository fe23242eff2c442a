"""Nested structures: tuples, named tuples, lists, dicts and dataclasses with leaves in them."""

from .core.nest import (
    Structure,
    assert_same_structure,
    decompose,
    flatten,
    is_nested,
    map_structure,
    pack_sequence_as,
)

__all__ = [
    "Structure",
    "assert_same_structure",
    "decompose",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]
