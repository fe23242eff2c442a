"""`LinearOperator`: what all operators have, computed of a dense matrix where a class knows no
better way.

A class says its shape (`_shape`, `_shape_tensor`) and its product (`_matmul`); what it can do
faster than a dense matrix it overrides: `_solve`, `_diag_part`, `_determinant`, `_trace`,
`_log_abs_determinant`, `_to_dense`, `_inverse`, `_adjoint`, `_cholesky`.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.composite_tensors import CompositeTensor

from .batches import broadcast_batches
from .spec import LinearOperatorSpec

Tensor = Any


class LinearOperator(tf.Module, CompositeTensor):
    """A matrix, or a batch of them, of which products, solutions and determinants are computed by
    what is known of its structure: the base of such classes.

    Args:
        dtype: That of its elements.
        graph_parents: Not used.
        is_non_singular: Whether it can be inverted; None: unknown. So are the next.
        is_self_adjoint: Whether it equals its adjoint.
        is_positive_definite: Whether x^H A x is positive for all x but 0.
        is_square: Whether it has as many rows as columns.
        name: A name.
        parameters: What the class was made with.

    Raises:
        ValueError: If the hints contradict each other.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorDiag([2.0, 4.0])
    >>> isinstance(operator, tf.linalg.LinearOperator), operator.solvevec([2.0, 2.0]).numpy()
    (True, array([1. , 0.5], dtype=float32))
    """

    def __init__(
        self,
        dtype: Any,
        graph_parents: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
        parameters: Any = None,
    ) -> None:
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        for hint, what in (
            (is_non_singular, "A non-singular"),
            (is_self_adjoint, "A self-adjoint"),
        ):
            if hint and is_square is False:
                raise ValueError(f"{what} matrix is always square.")
            is_square = True if hint else is_square
        self._dtype = None if dtype is None else tf.as_dtype(dtype)
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._is_square_set_or_implied_by_hints = is_square
        self._parameters = dict(parameters or {})
        super().__init__(name=name or type(self).__name__)

    # What is known of it.

    @property
    def _type_spec(self) -> Any:
        return LinearOperatorSpec.from_operator(self)

    @property
    def dtype(self) -> Any:
        """The dtype of its elements."""
        return self._dtype

    @property
    def graph_parents(self) -> list[Any]:
        """Of graphs, what it was made of: nothing that is known."""
        return []

    @property
    def parameters(self) -> dict[str, Any]:
        """What it was made with."""
        return dict(self._parameters)

    @property
    def is_non_singular(self) -> bool | None:
        """Whether it can be inverted; None: unknown."""
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        """Whether it equals its adjoint; None: unknown."""
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether x^H A x is positive for all x but 0; None: unknown."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        """Whether it has as many rows as columns; None: unknown."""
        rows, columns = self.range_dimension, self.domain_dimension
        known = None if rows is None or columns is None else rows == columns
        hint = self._is_square_set_or_implied_by_hints
        if hint is not None and known is not None and hint != known:
            raise ValueError(f"is_square={hint}, but the operator has shape {self.shape}")
        return hint if known is None else known

    @property
    def shape(self) -> Any:
        """[batch..., rows, columns]."""
        return self._shape()

    @property
    def batch_shape(self) -> Any:
        """The axes before those of the matrix."""
        return self.shape[:-2]

    @property
    def tensor_rank(self) -> int | None:
        """How many axes the dense matrix has."""
        return self.shape.rank

    @property
    def range_dimension(self) -> int | None:
        """The number of rows; None where it is unknown."""
        return None if self.shape.rank is None else self.shape[-2]

    @property
    def domain_dimension(self) -> int | None:
        """The number of columns; None where it is unknown."""
        return None if self.shape.rank is None else self.shape[-1]

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """The shape as a vector of int32, also where it is known at run time alone.

        Returns:
            A tensor int32[rank].
        """
        shape = self.shape
        if shape.is_fully_defined():
            return tf.constant(shape.as_list(), tf.int32)
        return self._shape_tensor()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The shape before the matrix's axes, as a vector.

        Returns:
            A tensor int32[rank - 2].
        """
        return self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """How many axes the dense matrix has.

        Returns:
            A tensor int32[].
        """
        return tf.size(self.shape_tensor())

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """The number of rows.

        Returns:
            A tensor int32[].
        """
        return self.shape_tensor()[-2]

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """The number of columns.

        Returns:
            A tensor int32[].
        """
        return self.shape_tensor()[-1]

    # Products and solutions.

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """The product with matrices; also `operator @ x`.

        Args:
            x: A tensor [batch..., columns, k], or another operator.
            adjoint: Take the operator's adjoint.
            adjoint_arg: Take that of `x`.

        Returns:
            A tensor [batch..., rows, k]; of an operator the operator that is the product.
        """
        if isinstance(x, LinearOperator):
            left = self.adjoint() if adjoint else self
            return left._times(x.adjoint() if adjoint_arg else x)
        x = self._operand(x)
        self._check_rows(x, -1 if adjoint_arg else -2, rows=adjoint)
        return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """The product with vectors.

        Args:
            x: A tensor [batch..., columns].
            adjoint: Take the operator's adjoint.

        Returns:
            A tensor [batch..., rows].
        """
        x = self._operand(x)
        self._check_rows(x, -1, rows=adjoint)
        return self._matvec(x, adjoint=adjoint)

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve"
    ) -> Any:
        """The solutions X of A X = B.

        Args:
            rhs: A tensor [batch..., rows, k], or another operator.
            adjoint: Take the operator's adjoint.
            adjoint_arg: Take that of `rhs`.

        Returns:
            A tensor [batch..., columns, k]; of an operator an operator.

        Raises:
            NotImplementedError: If the operator is known to be singular, or not to be square.
        """
        self._must_be_invertible("solve")
        if isinstance(rhs, LinearOperator):
            return self.inverse().matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        rhs = self._operand(rhs)
        self._check_rows(rhs, -1 if adjoint_arg else -2, rows=not adjoint)
        return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Tensor:
        """The solution x of A x = b.

        Args:
            rhs: A tensor [batch..., rows].
            adjoint: Take the operator's adjoint.

        Returns:
            A tensor [batch..., columns].

        Raises:
            NotImplementedError: If the operator is known to be singular, or not to be square.
        """
        self._must_be_invertible("solvevec")
        rhs = self._operand(rhs)
        self._check_rows(rhs, -1, rows=not adjoint)
        return self._solvevec(rhs, adjoint=adjoint)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def _check_rows(self, x: Any, axis: int, rows: bool) -> None:
        """ValueError where an axis of `x` has another extent than the operator has rows, or
        columns."""
        own = self.range_dimension if rows else self.domain_dimension
        if x.shape.rank is None or x.shape.rank < -axis:
            return
        extent = x.shape[axis]
        if None not in (own, extent) and own != extent:
            raise ValueError(
                f"Dimensions {own} and {extent} are not compatible: the operator has shape "
                f"{self.shape}, and the argument {x.shape}"
            )

    def _operand(self, x: Any) -> Tensor:
        return tf.convert_to_tensor(x, dtype=self.dtype)

    def _must_be_invertible(self, what: str) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError(f"{what} needs a matrix that is not singular")
        if self.is_square is False:
            raise NotImplementedError(f"{what} needs a square matrix, not of shape {self.shape}")

    # Numbers.

    def determinant(self, name: str = "det") -> Tensor:
        """The determinant.

        Returns:
            A tensor [batch...].

        Raises:
            NotImplementedError: If the operator is known not to be square.
        """
        if self.is_square is False:
            raise NotImplementedError("a determinant needs a square matrix")
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """The logarithm of the determinant's absolute value.

        Returns:
            A tensor [batch...].

        Raises:
            NotImplementedError: If the operator is known not to be square.
        """
        if self.is_square is False:
            raise NotImplementedError("a determinant needs a square matrix")
        return self._log_abs_determinant()

    def trace(self, name: str = "trace") -> Tensor:
        """The sum of the diagonal.

        Returns:
            A tensor [batch...].
        """
        return self._trace()

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """The diagonal.

        Returns:
            A tensor [batch..., min(rows, columns)].
        """
        return self._diag_part()

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """The eigenvalues of an operator that is known to be self-adjoint.

        Returns:
            A tensor [batch..., rows].

        Raises:
            NotImplementedError: If it is not known to be self-adjoint.
        """
        if not self.is_self_adjoint:
            raise NotImplementedError("only self-adjoint matrices are supported")
        return self._eigvals()

    def cond(self, name: str = "cond") -> Tensor:
        """The condition number: the largest singular value over the least.

        Returns:
            A tensor [batch...].
        """
        values = tf.linalg.svd(self.to_dense(), compute_uv=False)
        return tf.reduce_max(values, -1) / tf.reduce_min(values, -1)

    # Matrices.

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """The matrix.

        Returns:
            A tensor [batch..., rows, columns].
        """
        return self._to_dense()

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """The sum with a matrix.

        Args:
            x: A tensor that has the operator's shape, or broadcasts to it.

        Returns:
            A tensor.
        """
        return self._add_to_tensor(self._operand(x))

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The adjoint, as an operator; also `operator.H`.

        Returns:
            A LinearOperator.
        """
        return self if self.is_self_adjoint is True else self._adjoint()

    @property
    def H(self) -> LinearOperator:
        """The adjoint, as an operator."""
        return self.adjoint()

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The inverse, as an operator.

        Returns:
            A LinearOperator.

        Raises:
            ValueError: If the operator is known to be singular, or not to be square.
        """
        if self.is_square is False or self.is_non_singular is False:
            raise ValueError("only square matrices that are not singular have an inverse")
        return self._inverse()

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The lower triangular factor L, with A = L L^H, of a positive definite operator.

        Returns:
            A LinearOperator.

        Raises:
            ValueError: If the operator is not known to be positive definite and self-adjoint.
        """
        if not (self.is_positive_definite and self.is_self_adjoint):
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix: give the hints is_positive_definite and is_self_adjoint."
            )
        return self._cholesky()

    # Checks.

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        """Raise InvalidArgumentError if the operator is singular, up to rounding.

        Returns:
            None.
        """
        values = tf.linalg.svd(self.to_dense(), compute_uv=False)
        least, most = tf.reduce_min(values, -1), tf.reduce_max(values, -1)
        size = tf.cast(self.domain_dimension_tensor(), least.dtype)
        bound = most * size * least.dtype.numpy.type(_epsilon(least.dtype))
        tf.debugging.assert_less(bound, least, "Singular matrix up to precision epsilon.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        """Raise InvalidArgumentError if the operator is not positive definite.

        Returns:
            None.
        """
        if self.is_self_adjoint:
            values = tf.linalg.eigvalsh(self.to_dense())
        else:
            matrix = self.to_dense()
            values = tf.linalg.eigvalsh((matrix + tf.linalg.adjoint(matrix)) / 2)
        tf.debugging.assert_positive(tf.math.real(values), "The matrix is not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        """Raise InvalidArgumentError if the operator is not self-adjoint.

        Returns:
            None.
        """
        matrix = self.to_dense()
        tf.debugging.assert_equal(
            matrix, tf.linalg.adjoint(matrix), "Matrix was not equal to its adjoint."
        )

    # What classes say, or leave to the dense matrix.

    def _shape(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say its shape")

    def _shape_tensor(self) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} does not say its shape")

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no product")

    def _matvec(self, x: Tensor, adjoint: bool = False) -> Tensor:
        return tf.squeeze(self.matmul(x[..., None], adjoint=adjoint), -1)

    def _solvevec(self, rhs: Tensor, adjoint: bool = False) -> Tensor:
        return tf.squeeze(self.solve(rhs[..., None], adjoint=adjoint), -1)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        if self.is_positive_definite and self.is_self_adjoint:
            factor, rhs = broadcast_batches(tf.linalg.cholesky(self.to_dense()), rhs)
            return tf.linalg.cholesky_solve(factor, rhs)
        matrix, rhs = broadcast_batches(self.to_dense(), rhs)
        return tf.linalg.solve(matrix, rhs, adjoint=adjoint)

    def _to_dense(self) -> Tensor:
        columns = self.domain_dimension
        count = self.domain_dimension_tensor() if columns is None else columns
        return self.matmul(tf.eye(count, dtype=self.dtype))

    def _diag_part(self) -> Tensor:
        return tf.linalg.diag_part(self.to_dense())

    def _trace(self) -> Tensor:
        return tf.reduce_sum(self.diag_part(), -1)

    def _determinant(self) -> Tensor:
        if self.is_positive_definite and self.is_self_adjoint:
            return tf.exp(self.log_abs_determinant())
        return tf.linalg.det(self.to_dense())

    def _log_abs_determinant(self) -> Tensor:
        if self.is_positive_definite and self.is_self_adjoint:
            diagonal = tf.linalg.diag_part(tf.linalg.cholesky(self.to_dense()))
            return 2 * tf.reduce_sum(tf.math.log(tf.math.real(diagonal)), -1)
        return tf.linalg.slogdet(self.to_dense())[1]

    def _eigvals(self) -> Tensor:
        return tf.linalg.eigvalsh(self.to_dense())

    def _add_to_tensor(self, x: Tensor) -> Tensor:
        return self.to_dense() + x

    def _adjoint(self) -> LinearOperator:
        return _other("products", "LinearOperatorAdjoint")(
            self,
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=self.is_square,
        )

    def _inverse(self) -> LinearOperator:
        return _other("products", "LinearOperatorInversion")(
            self,
            is_non_singular=True,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=True,
        )

    def _cholesky(self) -> LinearOperator:
        factor = tf.linalg.cholesky(self.to_dense())
        triangle = _other("plain", "LinearOperatorLowerTriangular")
        return triangle(factor, is_non_singular=True)

    def _times(self, other: LinearOperator) -> LinearOperator:
        """The product with another operator: simpler than a composition, where a class can."""
        check_product(self, other)
        simple = self._simple_product(other)
        if simple is not None:
            return simple
        return _other("products", "LinearOperatorComposition")([self, other])

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        zeros = _other("identities", "LinearOperatorZeros")
        if isinstance(other, zeros) and self.is_square and other.is_square:
            return other if not self.batch_shape.rank else None
        identity = isinstance(other, _other("identities", "LinearOperatorIdentity"))
        return self if identity and not other.batch_shape.rank else None


def _other(module: str, name: str) -> Any:
    """A class of a module that is derived from this one, which is imported when it is used."""
    return getattr(importlib.import_module(f"{__package__}.{module}"), name)


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Of a constructor's arguments: what it was made with."""
    return {k: v for k, v in arguments.items() if k not in ("self", "__class__")}


def held(value: Any) -> Any:
    """A Variable as it is, so that it is read each time; anything else as a tensor."""
    if isinstance(value, tf.Variable):
        return value
    return tf.convert_to_tensor(value)


def check_product(left: LinearOperator, right: LinearOperator) -> None:
    """ValueError where columns and rows differ."""
    columns, rows = left.domain_dimension, right.range_dimension
    if columns is not None and rows is not None and columns != rows:
        raise ValueError(
            f"Operators are incompatible. Expected `x` to have dimension {columns} but got {rows}."
        )


def _epsilon(dtype: Any) -> float:
    return float(np.finfo(dtype.numpy).eps)


def checked(value: Any) -> LinearOperator:
    """What an operator is made of, which is an operator. Raises TypeError."""
    if not isinstance(value, LinearOperator):
        raise TypeError(f"expected a LinearOperator, got {type(value).__name__}")
    return value
