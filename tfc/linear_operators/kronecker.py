"""Kronecker products of operators."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tfc as tf

from .base import LinearOperator, given
from .batches import joint_batch_shape, joint_batch_shape_tensor
from .products import OfOperators, hints_of, of_one_dtype

Tensor = Any


class LinearOperatorKronecker(OfOperators):
    """The Kronecker product of operators.

    Args:
        operators: The operators.
        is_non_singular: A hint, as of `LinearOperator`; None: what follows from those of the
            operators. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> both = [tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorDiag([3.0, 4.0])]
    >>> tf.linalg.LinearOperatorKronecker(both).diag_part().numpy().tolist()
    [3.0, 4.0, 6.0, 8.0]
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        found = of_one_dtype(operators)
        self._made(
            found,
            hints_of(found, is_non_singular, is_self_adjoint, is_positive_definite, is_square),
            name or "_x_".join(o.name for o in found),
            parameters,
        )

    def _shape(self) -> Any:
        extents = []
        for kind in ("range_dimension", "domain_dimension"):
            known = [getattr(o, kind) for o in self._list]
            unknown = None in known
            extents.append(None if unknown else functools.reduce(lambda x, y: x * y, known))
        return joint_batch_shape(self._list) + tf.TensorShape(extents)

    def _shape_tensor(self) -> Tensor:
        rows = functools.reduce(tf.multiply, [o.range_dimension_tensor() for o in self._list])
        columns = functools.reduce(tf.multiply, [o.domain_dimension_tensor() for o in self._list])
        return tf.concat([joint_batch_shape_tensor(self._list), tf.stack([rows, columns])], 0)

    def _applied(self, x: Tensor, columns: bool, apply: Callable[..., Tensor]) -> Tensor:
        """Each operator applied to its axis of x, of which x's rows are the product: the last axis
        of rows in turn becomes the columns of a matrix, and goes to the front again."""
        batch = tf.broadcast_dynamic_shape(joint_batch_shape_tensor(self._list), tf.shape(x)[:-2])
        x = tf.broadcast_to(x, tf.concat([batch, tf.shape(x)[-2:]], 0))
        count = tf.shape(x)[-1]
        sizes = [
            o.domain_dimension_tensor() if columns else o.range_dimension_tensor()
            for o in self._list
        ]
        x = tf.linalg.matrix_transpose(x)  # [batch, k, rows]: rows are split at their end
        for operator, size in zip(reversed(self._list), reversed(sizes), strict=True):
            rest = tf.concat([batch, tf.stack([-1, size])], 0)
            y = apply(operator, tf.linalg.matrix_transpose(tf.reshape(x, rest)))
            # [batch, new, k * others]: what was done goes to the front of the rows.
            apart = tf.concat([batch, tf.stack([tf.shape(y)[-2], count, -1])], 0)
            y = tf.reshape(y, apart)
            rank = len(y.shape)
            y = tf.transpose(y, [*range(rank - 3), rank - 2, rank - 3, rank - 1])
            x = tf.reshape(y, tf.concat([batch, tf.stack([count, -1])], 0))
        return tf.linalg.matrix_transpose(x)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        return self._applied(x, not adjoint, lambda o, part: o.matmul(part, adjoint=adjoint))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        return self._applied(rhs, adjoint, lambda o, part: o.solve(part, adjoint=adjoint))

    def _diag_part(self) -> Tensor:
        return _outer([o.diag_part() for o in self._list])

    def _trace(self) -> Tensor:
        return functools.reduce(tf.multiply, [o.trace() for o in self._list])

    def _eigvals(self) -> Tensor:
        return _outer([o.eigvals() for o in self._list])

    def _log_abs_determinant(self) -> Tensor:
        if not all(o.is_square for o in self._list):
            return super()._log_abs_determinant()
        total = tf.cast(self.domain_dimension_tensor(), self.dtype)
        terms = [
            o.log_abs_determinant() * (total / tf.cast(o.domain_dimension_tensor(), self.dtype))
            for o in self._list
        ]
        return functools.reduce(tf.add, terms)

    def _determinant(self) -> Tensor:
        if not all(o.is_square for o in self._list):
            return super()._determinant()
        total = tf.cast(self.domain_dimension_tensor(), self.dtype)
        powers = [
            o.determinant() ** (total / tf.cast(o.domain_dimension_tensor(), self.dtype))
            for o in self._list
        ]
        return functools.reduce(tf.multiply, powers)

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorKronecker(
            [o.adjoint() for o in self._list], is_non_singular=self.is_non_singular
        )

    def _inverse(self) -> LinearOperator:
        if not all(o.is_square for o in self._list):
            return super()._inverse()
        return LinearOperatorKronecker([o.inverse() for o in self._list], is_non_singular=True)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorKronecker([o.cholesky() for o in self._list], is_non_singular=True)


def _outer(vectors: Sequence[Tensor]) -> Tensor:
    """The products of one element of each vector, the last vector's running fastest."""
    result = vectors[0]
    for v in vectors[1:]:
        wide = result[..., :, None] * v[..., None, :]
        result = tf.reshape(wide, tf.concat([tf.shape(wide)[:-2], [-1]], 0))
    return result
