"""When values are stored, not computed again: what passes and the planning of kernels ask."""

from __future__ import annotations

STORE_ABOVE = 12  # scalar operations: about what a load and a store of an element cost
REPEATS_MIN = 8  # how often what lies across its rows is used before it is stored as it is read
