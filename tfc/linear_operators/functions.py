"""What public functions of linear algebra do with linear operators: what the operators' methods do.

They are told when the operators' package is loaded, which is on first use.
"""

from __future__ import annotations

from typing import Any

import tfc as tf
from tfc.dispatch.overloads import otherwise

from .base import LinearOperator


@otherwise(tf.linalg.matmul, LinearOperator)
def _matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    **unused: Any,
) -> Any:
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    if not isinstance(b, LinearOperator):
        return NotImplemented
    # a B = (B^H a^H)^H
    return tf.linalg.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))


@otherwise(tf.linalg.matvec, LinearOperator)
def _matvec(
    a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, *unused: Any, **more: Any
) -> Any:
    if not isinstance(a, LinearOperator):
        return NotImplemented
    if transpose_a:
        raise ValueError("Transposing not supported at this time.")
    return a.matvec(b, adjoint=adjoint_a)


@otherwise(tf.linalg.solve, LinearOperator)
def _solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    return matrix.solve(rhs, adjoint=adjoint) if _is(matrix) else NotImplemented


@otherwise(tf.linalg.inv, LinearOperator)
def _inv(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    found = input.inverse()
    return found.adjoint() if adjoint else found


@otherwise(tf.linalg.logdet, LinearOperator)
def _logdet(matrix: Any, name: str | None = None) -> Any:
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("Expected matrix to be self-adjoint positive definite.")
    return matrix.log_abs_determinant()


@otherwise(tf.linalg.diag_part, LinearOperator)
def _diag_part(input: Any, name: Any = None, k: Any = 0, *unused: Any, **more: Any) -> Any:
    return input.diag_part() if isinstance(k, int) and k == 0 else NotImplemented


@otherwise(tf.linalg.det, LinearOperator)
def _det(input: Any, name: str | None = None) -> Any:
    return input.determinant()


@otherwise(tf.linalg.cholesky, LinearOperator)
def _cholesky(input: Any, name: str | None = None) -> Any:
    return input.cholesky()


@otherwise(tf.linalg.trace, LinearOperator)
def _trace(x: Any, name: str | None = None) -> Any:
    return x.trace()


@otherwise(tf.linalg.adjoint, LinearOperator)
def _adjoint(matrix: Any, name: str | None = None) -> Any:
    return matrix.adjoint()


def _is(x: Any) -> bool:
    return isinstance(x, LinearOperator)


__all__: list[str] = []
