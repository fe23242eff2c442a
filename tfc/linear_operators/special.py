"""Operators of one purpose each: reflections, permutations, tridiagonal matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .base import LinearOperator, given, held

Tensor = Any


class LinearOperatorHouseholder(LinearOperator):
    """The reflection at the plane through 0 that a vector is normal to: I - 2 v v^H / |v|^2.

    Args:
        reflection_axis: v, a tensor [batch..., rows].
        is_non_singular: A hint: it is not singular. So are the next.
        is_self_adjoint: It is.
        is_positive_definite: It is not.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> tf.linalg.LinearOperatorHouseholder([1.0, 0.0]).matvec([3.0, 4.0]).numpy().tolist()
    [-3.0, 4.0]
    """

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        parameters = given(locals())
        if False in (is_square, is_self_adjoint, is_non_singular) or is_positive_definite:
            raise ValueError(
                "A reflection is square, self-adjoint, and neither singular nor positive."
            )
        self._axis = held(reflection_axis)
        if self._axis.shape.rank == 0:
            raise ValueError(
                "Argument reflection_axis must have at least 1 dimension. Found: "
                f"{self._axis!r:.100}"
            )
        super().__init__(self._axis.dtype, None, True, True, False, True, name, parameters)

    @property
    def reflection_axis(self) -> Tensor:
        """The vector."""
        return self._axis

    def _shape(self) -> Any:
        return self._axis.shape + self._axis.shape[-1:]

    def _shape_tensor(self) -> Tensor:
        shape = tf.shape(self._axis)
        return tf.concat([shape, shape[-1:]], 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        v = tf.convert_to_tensor(self._axis)[..., None]
        square = tf.reduce_sum(v * tf.math.conj(v), [-2, -1], keepdims=True)
        return x - 2 * v * (tf.matmul(v, x, adjoint_a=True) / square)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _determinant(self) -> Tensor:
        return -tf.ones(self.batch_shape_tensor(), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _diag_part(self) -> Tensor:
        v = tf.convert_to_tensor(self._axis)
        squares = v * tf.math.conj(v)
        return 1 - 2 * squares / tf.reduce_sum(squares, -1, keepdims=True)

    def _inverse(self) -> LinearOperator:
        return self


class LinearOperatorPermutation(LinearOperator):
    """The matrix that puts element perm[i] of a vector at place i.

    Args:
        perm: A tensor of integers [batch..., rows]: each of 0, ..., rows - 1 once.
        dtype: That of the matrix.
        is_non_singular: A hint: it is not singular. So are the next.
        is_self_adjoint: See `LinearOperator`.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> tf.linalg.LinearOperatorPermutation([2, 0, 1]).matvec([1.0, 2.0, 3.0]).numpy().tolist()
    [3.0, 1.0, 2.0]
    """

    def __init__(
        self,
        perm: Any,
        dtype: Any = "float32",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        parameters = given(locals())
        if False in (is_non_singular, is_square):
            raise ValueError("A permutation is square and not singular.")
        self._perm = tf.convert_to_tensor(perm)
        if not self._perm.dtype.is_integer or self._perm.shape.rank == 0:
            raise TypeError(f"perm must be a vector of integers, got {self._perm!r:.100}")
        known = tf.get_static_value(self._perm)
        if known is not None and np.any(np.sort(known, -1) != np.arange(known.shape[-1])):
            raise ValueError(
                "Argument `perm` must be a vector of unique integers from 0 to "
                f"{known.shape[-1] - 1}."
            )
        super().__init__(
            dtype, None, True, is_self_adjoint, is_positive_definite, True, name, parameters
        )

    @property
    def perm(self) -> Tensor:
        """The places."""
        return self._perm

    def _shape(self) -> Any:
        return self._perm.shape + self._perm.shape[-1:]

    def _shape_tensor(self) -> Tensor:
        shape = tf.shape(self._perm)
        return tf.concat([shape, shape[-1:]], 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        perm = tf.argsort(self._perm, axis=-1) if adjoint else self._perm
        batch = tf.broadcast_dynamic_shape(tf.shape(x)[:-2], tf.shape(perm)[:-1])
        x = tf.broadcast_to(x, tf.concat([batch, tf.shape(x)[-2:]], 0))
        perm = tf.broadcast_to(perm, tf.concat([batch, tf.shape(perm)[-1:]], 0))
        return tf.gather(x, perm, axis=-2, batch_dims=len(perm.shape) - 1)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._matmul(rhs, not adjoint, adjoint_arg)

    def _log_abs_determinant(self) -> Tensor:
        return tf.zeros(self.batch_shape_tensor(), self.dtype)


class LinearOperatorTridiag(LinearOperator):
    """A matrix with three diagonals.

    Args:
        diagonals: A tensor [batch..., 3, rows]: those above, in and below the diagonal ("compact");
            the list of them ("sequence"); or a matrix of which they are taken ("matrix").
        diagonals_format: Which of these.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> diagonals = [[2.0, 3.0, 0.0], [1.0, 1.0, 1.0], [0.0, 4.0, 5.0]]
    >>> tf.linalg.LinearOperatorTridiag(diagonals).to_dense().numpy().tolist()
    [[1.0, 2.0, 0.0], [4.0, 1.0, 3.0], [0.0, 5.0, 1.0]]
    """

    def __init__(
        self,
        diagonals: Any,
        diagonals_format: str = "compact",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        parameters = given(locals())
        if diagonals_format not in ("compact", "sequence", "matrix"):
            raise ValueError(
                f"diagonals_format is compact, sequence or matrix, not {diagonals_format!r}"
            )
        if is_square is False:
            raise ValueError("A tridiagonal operator is square.")
        self._format = diagonals_format
        if diagonals_format == "sequence":
            self._diagonals: Any = [held(d) for d in diagonals]
            dtype = self._diagonals[1].dtype
        else:
            self._diagonals = held(diagonals)
            dtype = self._diagonals.dtype
        super().__init__(
            dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def diagonals(self) -> Any:
        """What it was made with."""
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        """In which form that is."""
        return self._format

    def _compact(self) -> Tensor:
        if self._format == "compact":
            return tf.convert_to_tensor(self._diagonals)
        if self._format == "matrix":
            return tf.linalg.diag_part(self._diagonals, k=(-1, 1), align="LEFT_RIGHT")
        upper, middle, lower = (tf.convert_to_tensor(d) for d in self._diagonals)
        zeros = tf.zeros_like(middle[..., :1])
        if upper.shape[-1] != middle.shape[-1]:
            upper, lower = tf.concat([upper, zeros], -1), tf.concat([zeros, lower], -1)
        batch = tf.broadcast_dynamic_shape(tf.shape(upper), tf.shape(middle))
        batch = tf.broadcast_dynamic_shape(batch, tf.shape(lower))
        return tf.stack([tf.broadcast_to(d, batch) for d in (upper, middle, lower)], -2)

    def _shape(self) -> Any:
        if self._format == "matrix":
            return self._diagonals.shape
        if self._format == "compact":
            shape = self._diagonals.shape
            return shape[:-2] + shape[-1:] + shape[-1:]
        middle = self._diagonals[1].shape
        batch = middle[:-1]
        for other in (self._diagonals[0], self._diagonals[2]):
            batch = tf.broadcast_static_shape(batch, other.shape[:-1])
        return batch + middle[-1:] + middle[-1:]

    def _shape_tensor(self) -> Tensor:
        shape = tf.shape(self._compact())
        return tf.concat([shape[:-2], shape[-1:], shape[-1:]], 0)

    def _to_dense(self) -> Tensor:
        compact = self._compact()
        return (
            tf.linalg.diag(compact[..., 1, :])
            + tf.linalg.diag(compact[..., 0, :-1], k=1)
            + tf.linalg.diag(compact[..., 2, 1:], k=-1)
        )

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return tf.matmul(self._to_dense(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _diag_part(self) -> Tensor:
        return self._compact()[..., 1, :]
