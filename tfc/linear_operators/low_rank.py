"""Updates of low rank."""

from __future__ import annotations

from typing import Any

import tfc as tf

from .base import LinearOperator, checked, given, held
from .batches import broadcast_batches
from .identities import LinearOperatorIdentity
from .plain import LinearOperatorDiag

Tensor = Any


class LinearOperatorLowRankUpdate(LinearOperator):
    """A = L + U D V^H, with D diagonal: solved by the formula of Sherman, Morrison and Woodbury.

    Args:
        base_operator: L.
        u: U, a tensor [batch..., rows, k].
        diag_update: The diagonal of D, a tensor [batch..., k]; None: ones.
        v: V, a tensor [batch..., columns, k]; None: U.
        is_diag_update_positive: Whether D is positive; None: unknown, or no D.
        is_non_singular: A hint, as of `LinearOperator`; None: what follows. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> base = tf.linalg.LinearOperatorDiag([1.0, 1.0], is_positive_definite=True)
    >>> tf.linalg.LinearOperatorLowRankUpdate(base, [[1.0], [2.0]]).to_dense().numpy().tolist()
    [[2.0, 2.0], [2.0, 5.0]]
    """

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        parameters = given(locals())
        self._base = checked(base_operator)
        self._u = held(u)
        self._v = self._u if v is None else held(v)
        self._update = None if diag_update is None else held(diag_update)
        positive = True if diag_update is None else is_diag_update_positive
        self._symmetric = v is None and base_operator.is_self_adjoint is True
        real = self._update is None or not self._update.dtype.is_complex
        if is_self_adjoint is None and self._symmetric and real:
            is_self_adjoint = True
        definite = self._symmetric and base_operator.is_positive_definite and positive
        if is_positive_definite is None and definite:
            is_positive_definite = True
        self._capacitance_is_definite = bool(definite)
        self._positive = is_diag_update_positive
        super().__init__(
            base_operator.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            is_square,
            name,
            parameters,
        )

    @property
    def base_operator(self) -> LinearOperator:
        """L."""
        return self._base

    @property
    def u(self) -> Tensor:
        """U."""
        return self._u

    @property
    def v(self) -> Tensor:
        """V."""
        return self._v

    @property
    def diag_update(self) -> Tensor:
        """The diagonal of D; None where it is the identity."""
        return self._update

    @property
    def diag_operator(self) -> LinearOperator:
        """D."""
        if self._update is None:
            return LinearOperatorIdentity(tf.shape(self._u)[-1], dtype=self.dtype)
        return LinearOperatorDiag(self._update, is_positive_definite=self._positive)

    @property
    def is_diag_update_positive(self) -> bool | None:
        """Whether D is positive; None: unknown."""
        return self._positive

    def _shape(self) -> Any:
        batch = tf.broadcast_static_shape(self._base.batch_shape, self._u.shape[:-2])
        batch = tf.broadcast_static_shape(batch, self._v.shape[:-2])
        if self._update is not None:
            batch = tf.broadcast_static_shape(batch, self._update.shape[:-1])
        return batch + self._base.shape[-2:]

    def _shape_tensor(self) -> Tensor:
        batch = tf.broadcast_dynamic_shape(self._base.batch_shape_tensor(), tf.shape(self._u)[:-2])
        batch = tf.broadcast_dynamic_shape(batch, tf.shape(self._v)[:-2])
        if self._update is not None:
            batch = tf.broadcast_dynamic_shape(batch, tf.shape(self._update)[:-1])
        return tf.concat([batch, self._base.shape_tensor()[-2:]], 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        inner = self._scaled(tf.matmul(right, x, adjoint_a=True), adjoint)
        return self._base.matmul(x, adjoint=adjoint) + tf.matmul(left, inner)

    def _scaled(self, x: Tensor, adjoint: bool = False) -> Tensor:
        if self._update is None:
            return x
        values = tf.convert_to_tensor(self._update)
        return (tf.math.conj(values) if adjoint else values)[..., None] * x

    def _capacitance(self, adjoint: bool = False) -> Tensor:
        """D^-1 + V^H L^-1 U."""
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        inner = tf.matmul(right, self._base.solve(left, adjoint=adjoint), adjoint_a=True)
        if self._update is None:
            return inner + tf.eye(tf.shape(inner)[-1], dtype=self.dtype)
        values = tf.convert_to_tensor(self._update)
        return inner + tf.linalg.diag(1 / (tf.math.conj(values) if adjoint else values))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        plain = self._base.solve(rhs, adjoint=adjoint)
        inner = tf.matmul(right, plain, adjoint_a=True)
        capacitance, inner = broadcast_batches(self._capacitance(adjoint), inner)
        if self._capacitance_is_definite:
            inner = tf.linalg.cholesky_solve(tf.linalg.cholesky(capacitance), inner)
        else:
            inner = tf.linalg.solve(capacitance, inner)
        return plain - self._base.solve(tf.matmul(left, inner), adjoint=adjoint)

    def _determinant(self) -> Tensor:
        found = self._base.determinant() * tf.linalg.det(self._capacitance())
        return found if self._update is None else found * tf.reduce_prod(self._update, -1)

    def _log_abs_determinant(self) -> Tensor:
        found = self._base.log_abs_determinant()
        if self._capacitance_is_definite:
            diagonal = tf.linalg.diag_part(tf.linalg.cholesky(self._capacitance()))
            found += 2 * tf.reduce_sum(tf.math.log(tf.math.real(diagonal)), -1)
        else:
            found += tf.linalg.slogdet(self._capacitance())[1]
        if self._update is None:
            return found
        return found + tf.reduce_sum(tf.math.log(tf.abs(self._update)), -1)

    def _diag_part(self) -> Tensor:
        rows = tf.convert_to_tensor(self._u)
        if self._update is not None:
            rows = rows * tf.convert_to_tensor(self._update)[..., None, :]
        products = tf.reduce_sum(rows * tf.math.conj(self._v), -1)
        return self._base.diag_part() + products
