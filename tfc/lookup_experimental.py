"""`tfc.lookup.experimental`: tables that change."""

from .ops.lookup.mutable import DenseHashTable, MutableHashTable

__all__ = ["DenseHashTable", "MutableHashTable"]
