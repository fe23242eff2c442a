"""Operators that are given by their elements: whole matrices, triangles, diagonals."""

from __future__ import annotations

from typing import Any

import tfc as tf

from .base import LinearOperator, _other, given, held
from .batches import broadcast_batches

Tensor = Any


class LinearOperatorFullMatrix(LinearOperator):
    """A matrix without structure.

    Args:
        matrix: A tensor [batch..., rows, columns].
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> operator.shape, float(operator.determinant())
    (TensorShape([2, 2]), -2.0)
    """

    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        parameters = given(locals())
        self._matrix = held(matrix)
        if not self._matrix.dtype.is_inexact:
            raise TypeError(
                f"matrix must be of floats or complex numbers, got {self._matrix.dtype}"
            )
        if self._matrix.shape.rank is not None and self._matrix.shape.rank < 2:
            raise ValueError(f"matrix must have at least 2 axes, got {self._matrix.shape}")
        super().__init__(
            self._matrix.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
            parameters,
        )

    @property
    def matrix(self) -> Tensor:
        """The matrix."""
        return self._matrix

    def _shape(self) -> Any:
        return self._matrix.shape

    def _shape_tensor(self) -> Tensor:
        return tf.shape(self._matrix)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return tf.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return tf.convert_to_tensor(self._matrix)


class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix.

    Args:
        tril: A tensor [batch..., rows, rows]: what lies above the diagonal does not count.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there: it is.
        name: A name.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 4.0]])
    >>> operator.to_dense().numpy().tolist(), float(operator.determinant())
    ([[2.0, 0.0], [1.0, 4.0]], 8.0)
    """

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        parameters = given(locals())
        if is_square is False:
            raise ValueError("A lower triangular operator is square.")
        self._tril = held(tril)
        if self._tril.shape.rank is not None and self._tril.shape.rank < 2:
            raise ValueError(
                f"Argument tril must have at least 2 dimensions. Found: {self._tril!r:.100}"
            )
        super().__init__(
            self._tril.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def tril(self) -> Tensor:
        """The matrix that it was made with."""
        return self._tril

    def _shape(self) -> Any:
        return self._tril.shape

    def _shape_tensor(self) -> Tensor:
        return tf.shape(self._tril)

    def _to_dense(self) -> Tensor:
        return tf.linalg.band_part(self._tril, -1, 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return tf.matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        tril, rhs = broadcast_batches(tf.convert_to_tensor(self._tril), rhs)
        return tf.linalg.triangular_solve(tril, rhs, lower=True, adjoint=adjoint)

    def _diag_part(self) -> Tensor:
        return tf.linalg.diag_part(self._tril)

    def _determinant(self) -> Tensor:
        return tf.reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return tf.reduce_sum(tf.math.log(tf.abs(self._diag_part())), -1)

    def _eigvals(self) -> Tensor:
        return self._diag_part()

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        if isinstance(other, LinearOperatorLowerTriangular):
            both = self.is_non_singular and other.is_non_singular
            return LinearOperatorLowerTriangular(
                tf.matmul(self._to_dense(), other._to_dense()), is_non_singular=both or None
            )
        if isinstance(other, LinearOperatorDiag):
            return LinearOperatorLowerTriangular(
                self._to_dense() * other._values()[..., None, :],
                is_non_singular=(self.is_non_singular and other.is_non_singular) or None,
            )
        return super()._simple_product(other)


def diagonal_product(
    diag: LinearOperatorDiag, other: LinearOperator, factors: Tensor
) -> LinearOperator:
    """A diagonal matrix times one that has these numbers on its diagonal."""
    both = [diag, other]
    return LinearOperatorDiag(
        diag._values() * factors,
        is_non_singular=all(o.is_non_singular for o in both) or None,
        is_positive_definite=all(o.is_positive_definite and o.is_self_adjoint for o in both)
        or None,
    )


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix.

    Args:
        diag: A tensor [batch..., rows].
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there; it is where the dtype is real.
        is_positive_definite: See there.
        is_square: See there: it is.
        name: A name.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorDiag([2.0, 4.0])
    >>> operator.matvec([1.0, 1.0]).numpy(), float(operator.log_abs_determinant())
    (array([2., 4.], dtype=float32), 2.0794415...)
    """

    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        parameters = given(locals())
        if is_square is False:
            raise ValueError("Only square diagonal operators are supported.")
        self._diag = held(diag)
        if self._diag.shape.rank == 0:
            raise ValueError("diag must have at least 1 axis")
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        super().__init__(
            self._diag.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def diag(self) -> Tensor:
        """The diagonal."""
        return self._diag

    def _values(self, adjoint: bool = False) -> Tensor:
        values = tf.convert_to_tensor(self._diag)
        return tf.math.conj(values) if adjoint else values

    def _shape(self) -> Any:
        shape = self._diag.shape
        return shape if shape.rank is None else shape + shape[-1:]

    def _shape_tensor(self) -> Tensor:
        shape = tf.shape(self._diag)
        return tf.concat([shape, shape[-1:]], 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        return self._values(adjoint)[..., None] * x

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return self._values(adjoint) * x

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        return rhs / self._values(adjoint)[..., None]

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        return rhs / self._values(adjoint)

    def _to_dense(self) -> Tensor:
        return tf.linalg.diag(self._diag)

    def _diag_part(self) -> Tensor:
        return self._values()

    def _determinant(self) -> Tensor:
        return tf.reduce_prod(self._diag, -1)

    def _log_abs_determinant(self) -> Tensor:
        return tf.reduce_sum(tf.math.log(tf.abs(self._diag)), -1)

    def _eigvals(self) -> Tensor:
        return self._values()

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        x = x + tf.zeros(self.shape_tensor(), x.dtype)
        return tf.linalg.set_diag(x, tf.linalg.diag_part(x) + self._values())

    def cond(self, name: str = "cond") -> Tensor:
        values = tf.abs(self._diag)
        return tf.reduce_max(values, -1) / tf.reduce_min(values, -1)

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        tf.debugging.assert_positive(tf.abs(self._diag), "Singular operator: a diagonal of 0.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        tf.debugging.assert_positive(tf.math.real(self._values()), "Not positive definite.")

    def _like(self, diag: Tensor) -> LinearOperatorDiag:
        return LinearOperatorDiag(
            diag,
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
        )

    def _adjoint(self) -> LinearOperator:
        return self._like(self._values(adjoint=True))

    def _inverse(self) -> LinearOperator:
        return self._like(1 / self._values())

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(
            tf.sqrt(self._values()), is_self_adjoint=True, is_positive_definite=True
        )

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        if isinstance(other, LinearOperatorDiag):
            return diagonal_product(self, other, other._values())
        scaled = _other("identities", "LinearOperatorScaledIdentity")
        if isinstance(other, scaled):
            return diagonal_product(self, other, other._scale()[..., 0])
        if isinstance(other, LinearOperatorLowerTriangular):
            return LinearOperatorLowerTriangular(
                self._values()[..., None] * other._to_dense(),
                is_non_singular=(self.is_non_singular and other.is_non_singular) or None,
            )
        return super()._simple_product(other)
