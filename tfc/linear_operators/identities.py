"""Identities, scaled or not, and zeros."""

from __future__ import annotations

from typing import Any

import tfc as tf

from .base import LinearOperator, given, held
from .plain import LinearOperatorDiag, diagonal_product

Tensor = Any


class _Square(LinearOperator):
    """An identity, scaled or not: rows times rows, for batches."""

    _num_rows: Any
    _batch: Any

    def _rows(self) -> Any:
        return tf.get_static_value(self._num_rows)

    def _shape(self) -> Any:
        rows = self._rows()
        rows = None if rows is None else int(rows)
        return self._batch_shape() + tf.TensorShape([rows, rows])

    def _batch_shape(self) -> Any:
        raise NotImplementedError

    def _batch_shape_tensor(self) -> Tensor:
        raise NotImplementedError

    def _shape_tensor(self) -> Tensor:
        rows = tf.cast(tf.convert_to_tensor(self._num_rows), tf.int32)
        return tf.concat([self._batch_shape_tensor(), tf.stack([rows, rows])], 0)

    def _widened(self, x: Tensor) -> Tensor:
        """x with the operator's batch axes."""
        if self.batch_shape.rank == 0:
            return x
        ones = tf.concat([self.batch_shape_tensor(), [1, 1]], 0)
        return x + tf.zeros(ones, x.dtype)

    def _ones(self) -> Tensor:
        return tf.ones(self.shape_tensor()[:-1], self.dtype)


def _require_rows(num_rows: Any, batch_shape: Any) -> None:
    """Refuse sizes of an identity that are none."""
    rows = tf.convert_to_tensor(num_rows)
    if not rows.dtype.is_integer:
        raise TypeError(f"Argument num_rows must be integer type.  Found: {num_rows}")
    if rows.shape.rank not in (0, None):
        raise ValueError(f"Argument num_rows must be a 0-D Tensor.  Found: {num_rows}")
    known = tf.get_static_value(rows)
    if known is not None and known < 0:
        raise ValueError(f"Argument num_rows must be non-negative.  Found: {num_rows}")
    if batch_shape is None:
        return
    batch = tf.convert_to_tensor(batch_shape, dtype_hint=tf.int32)
    if not batch.dtype.is_integer:
        raise TypeError(f"Argument batch_shape must be integer type.  Found: {batch_shape}")
    if batch.shape.rank not in (1, None):
        raise ValueError(f"Argument batch_shape must be a 1-D Tensor.  Found: {batch_shape}")
    known = tf.get_static_value(batch)
    if known is not None and (known < 0).any():
        raise ValueError(f"Argument batch_shape must be non-negative.  Found: {batch_shape}")


class LinearOperatorIdentity(_Square):
    """The identity.

    Args:
        num_rows: Its number of rows.
        batch_shape: The shape of the batch; None: there is one matrix.
        dtype: The dtype; None: float32.
        is_non_singular: A hint: it is. So are the next.
        is_self_adjoint: It is.
        is_positive_definite: It is.
        is_square: It is.
        assert_proper_shapes: Not used: shapes are always checked.
        name: A name.

    >>> import tfc as tf
    >>> tf.linalg.LinearOperatorIdentity(2).to_dense().numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        parameters = given(locals())
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        if False in hints:
            raise ValueError("An identity is square, self-adjoint and positive definite.")
        _require_rows(num_rows, batch_shape)
        self._num_rows = num_rows
        self._batch = [] if batch_shape is None else batch_shape
        super().__init__(dtype or tf.float32, None, True, True, True, True, name, parameters)

    def _batch_shape(self) -> Any:
        known = tf.get_static_value(self._batch)
        if known is None:
            return tf.TensorShape([None] * int(self._batch.shape[0]))
        return tf.TensorShape([int(n) for n in known])

    def _batch_shape_tensor(self) -> Tensor:
        return tf.cast(tf.convert_to_tensor(self._batch, dtype_hint=tf.int32), tf.int32)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rows, have = self._rows(), x.shape[-1 if adjoint_arg else -2]
        if rows is not None and have is not None and int(rows) != have:
            raise ValueError(f"Dimensions {int(rows)} and {have} are not compatible")
        return self._widened(tf.linalg.adjoint(x) if adjoint_arg else x)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return tf.linalg.diag(self._ones())

    def _diag_part(self) -> Tensor:
        return self._ones()

    _eigvals = _diag_part

    def _determinant(self) -> Tensor:
        return tf.ones(self.batch_shape_tensor(), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _inverse(self) -> LinearOperator:
        return self

    _cholesky = _inverse

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        return other if not self.batch_shape.rank else super()._simple_product(other)


class LinearOperatorScaledIdentity(_Square):
    """The identity times a number, or a batch of numbers.

    Args:
        num_rows: Its number of rows.
        multiplier: A tensor [batch...].
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there; it is where the dtype is real.
        is_positive_definite: See there.
        is_square: It is.
        assert_proper_shapes: Not used: shapes are always checked.
        name: A name.

    >>> import tfc as tf
    >>> tf.linalg.LinearOperatorScaledIdentity(2, 3.0).to_dense().numpy().tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        parameters = given(locals())
        if not is_square:
            raise ValueError("A scaled identity operator is always square.")
        self._num_rows = num_rows
        self._multiplier = held(multiplier)
        if not self._multiplier.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real scaled identity is always self adjoint.")
            is_self_adjoint = True
        super().__init__(
            self._multiplier.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def multiplier(self) -> Tensor:
        """The number, or the batch of them."""
        return self._multiplier

    def _scale(self, adjoint: bool = False) -> Tensor:
        scale = tf.convert_to_tensor(self._multiplier)[..., None, None]
        return tf.math.conj(scale) if adjoint else scale

    def _batch_shape(self) -> Any:
        return self._multiplier.shape

    def _batch_shape_tensor(self) -> Tensor:
        return tf.shape(self._multiplier)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return (tf.linalg.adjoint(x) if adjoint_arg else x) * self._scale(adjoint)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return (tf.linalg.adjoint(rhs) if adjoint_arg else rhs) / self._scale(adjoint)

    def _diag_part(self) -> Tensor:
        return self._ones() * tf.convert_to_tensor(self._multiplier)[..., None]

    _eigvals = _diag_part

    def _to_dense(self) -> Tensor:
        return tf.linalg.diag(self._diag_part())

    def _determinant(self) -> Tensor:
        return tf.reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return tf.reduce_sum(tf.math.log(tf.abs(self._diag_part())), -1)

    def _like(self, multiplier: Tensor) -> LinearOperator:
        return LinearOperatorScaledIdentity(
            self._num_rows,
            multiplier,
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
        )

    def _adjoint(self) -> LinearOperator:
        return self._like(tf.math.conj(self._multiplier))

    def _inverse(self) -> LinearOperator:
        return self._like(1 / tf.convert_to_tensor(self._multiplier))

    def _cholesky(self) -> LinearOperator:
        return self._like(tf.sqrt(self._multiplier))

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        if isinstance(other, LinearOperatorDiag):
            return diagonal_product(other, self, self._scale()[..., 0])
        return super()._simple_product(other)


class LinearOperatorZeros(LinearOperator):
    """A matrix of zeros.

    Args:
        num_rows: Its number of rows.
        num_columns: Its number of columns; None: as many.
        batch_shape: The shape of the batch; None: there is one matrix.
        dtype: The dtype; None: float32.
        is_non_singular: A hint: it is not. So are the next.
        is_self_adjoint: See `LinearOperator`.
        is_positive_definite: It is not.
        is_square: See `LinearOperator`.
        assert_proper_shapes: Not used: shapes are always checked.
        name: A name.

    >>> import tfc as tf
    >>> tf.linalg.LinearOperatorZeros(2, 3).matvec([1.0, 2.0, 3.0]).numpy().tolist()
    [0.0, 0.0]
    """

    def __init__(
        self,
        num_rows: int,
        num_columns: int | None = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        parameters = given(locals())
        if is_non_singular or is_positive_definite:
            raise ValueError("Zeros are singular, and not positive definite.")
        columns = num_rows if num_columns is None else num_columns
        square = int(num_rows) == int(columns)
        self._extents = tf.TensorShape([*(batch_shape or ()), int(num_rows), int(columns)])
        super().__init__(
            dtype or tf.float32,
            None,
            False,
            is_self_adjoint if square else None,
            False,
            square,
            name,
            parameters,
        )

    def _shape(self) -> Any:
        return self._extents

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return tf.matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return tf.zeros(self._extents, self.dtype)

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        if self.is_square and other.is_square and not other.batch_shape.rank:
            return self
        return super()._simple_product(other)

    def _determinant(self) -> Tensor:
        return tf.zeros(self.batch_shape, self.dtype)
