"""`tfc.linalg`: matrix products."""

from .ops.array import eye
from .ops.math import matmul, tensordot

__all__ = ["eye", "matmul", "tensordot"]
