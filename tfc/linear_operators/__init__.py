"""`tfc.linalg.LinearOperator` and those derived from it: matrices of which more is known than
their elements.

`base.py` has what all do, by a dense matrix where a class knows no better; `plain.py` and
`identities.py` those that are given by their elements, `products.py`, `blocks.py`, `kronecker.py`
and `low_rank.py` those that are made of others, `special.py` and `fourier.py` those of one purpose.
All is written with the public functions, so that operators are used in functions, under tapes and
for batches as tensors are.
"""

from . import functions as _functions
from .base import LinearOperator
from .blocks import LinearOperatorBlockDiag, LinearOperatorBlockLowerTriangular
from .fourier import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
    LinearOperatorToeplitz,
)
from .identities import LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorZeros
from .kronecker import LinearOperatorKronecker
from .low_rank import LinearOperatorLowRankUpdate
from .plain import LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .products import LinearOperatorAdjoint, LinearOperatorComposition, LinearOperatorInversion
from .special import LinearOperatorHouseholder, LinearOperatorPermutation, LinearOperatorTridiag

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
]
