"""`tfc.linalg`: products, diagonals, norms, factorisations and solvers of matrices.

The last two axes are a matrix's, those before them are batches.
"""

from importlib import import_module as _import_module
from types import SimpleNamespace as _Namespace
from typing import Any as _Any

from .core.absent import refusal as _refusal
from .ops.array.creation import eye
from .ops.linalg.diagonals import (
    adjoint,
    band_part,
    cross,
    diag,
    diag_part,
    matrix_transpose,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from .ops.linalg.einsum import einsum
from .ops.linalg.factorisations import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    expm,
    inv,
    logdet,
    logm,
    lu,
    qr,
    slogdet,
    sqrtm,
    svd,
)
from .ops.linalg.iterative import conjugate_gradient as _conjugate_gradient
from .ops.linalg.iterative import eigh_tridiagonal
from .ops.linalg.norms import norm, normalize
from .ops.linalg.products import matmul, matvec, tensordot
from .ops.linalg.solvers import (
    banded_triangular_solve,
    cholesky_solve,
    lstsq,
    lu_matrix_inverse,
    lu_reconstruct,
    lu_solve,
    matrix_rank,
    pinv,
    solve,
    triangular_solve,
)
from .ops.linalg.tridiagonal import tridiagonal_matmul, tridiagonal_solve
from .ops.math.clipping import global_norm
from .ops.nn.normalization import l2_normalize

experimental = _Namespace(conjugate_gradient=_conjugate_gradient)


_refused = _refusal("tf.linalg")


def __getattr__(name: str) -> _Any:
    if name.startswith("LinearOperator"):  # imported when one is first used
        found = getattr(_import_module("tfc.linear_operators"), name, None)
        if found is not None:
            return found
    return _refused(name)


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
    "adjoint",
    "band_part",
    "banded_triangular_solve",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvalsh",
    "einsum",
    "experimental",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]
