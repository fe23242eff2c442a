"""`tfc.bitwise`: operations on the bits of integers."""

from .ops.math.bits import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    population_count,
    right_shift,
)

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "population_count",
    "right_shift",
]
