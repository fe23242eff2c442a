"""Operators as blocks: along a diagonal, and below it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tfc as tf

from .base import (
    LinearOperator,
    checked,
    given,
)
from .batches import broadcast_batches, joint_batch_shape, joint_batch_shape_tensor
from .products import OfOperators, all_are, hints_of, of_one_dtype

Tensor = Any


class LinearOperatorBlockDiag(OfOperators):
    """Operators along a diagonal, zeros elsewhere.

    Args:
        operators: The operators of the blocks.
        is_non_singular: A hint, as of `LinearOperator`; None: what follows from those of the
            operators. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> blocks = [tf.linalg.LinearOperatorDiag([2.0]), tf.linalg.LinearOperatorIdentity(2)]
    >>> tf.linalg.LinearOperatorBlockDiag(blocks).matvec([1.0, 2.0, 3.0]).numpy().tolist()
    [2.0, 2.0, 3.0]
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
            name or "_ds_".join(o.name for o in found),
            parameters,
        )

    def _shape(self) -> Any:
        return joint_batch_shape(self._list) + _added(self._list)

    def _shape_tensor(self) -> Tensor:
        rows = functools.reduce(tf.add, [o.range_dimension_tensor() for o in self._list])
        columns = functools.reduce(tf.add, [o.domain_dimension_tensor() for o in self._list])
        return tf.concat([joint_batch_shape_tensor(self._list), tf.stack([rows, columns])], 0)

    def _cut(self, x: Tensor, columns: bool) -> list[Tensor]:
        """The rows of x that belong to each operator."""
        return tf.split(x, _extents(self._list, columns), axis=-2)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        parts = self._cut(x, not adjoint)
        pairs = zip(self._list, parts, strict=True)
        return tf.concat(broadcast_batches(*(o.matmul(p, adjoint=adjoint) for o, p in pairs)), -2)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        pairs = zip(self._list, self._cut(rhs, adjoint), strict=True)
        return tf.concat(broadcast_batches(*(o.solve(p, adjoint=adjoint) for o, p in pairs)), -2)

    def _squares(self) -> bool:
        return all(o.is_square for o in self._list)

    def _determinant(self) -> Tensor:
        if not self._squares():
            return super()._determinant()
        return functools.reduce(tf.multiply, [o.determinant() for o in self._list])

    def _log_abs_determinant(self) -> Tensor:
        if not self._squares():
            return super()._log_abs_determinant()
        return functools.reduce(tf.add, [o.log_abs_determinant() for o in self._list])

    def _diag_part(self) -> Tensor:
        if not self._squares():
            return super()._diag_part()
        return _joined([o.diag_part() for o in self._list])

    def _eigvals(self) -> Tensor:
        return _joined([o.eigvals() for o in self._list])

    def _each(self, function: Callable[[LinearOperator], LinearOperator]) -> LinearOperator:
        return LinearOperatorBlockDiag(
            [function(o) for o in self._list],
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
        )

    def _adjoint(self) -> LinearOperator:
        return self._each(lambda o: o.adjoint())

    def _inverse(self) -> LinearOperator:
        if not self._squares():
            return super()._inverse()
        return self._each(lambda o: o.inverse())

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorBlockDiag([o.cholesky() for o in self._list], is_non_singular=True)


class LinearOperatorBlockLowerTriangular(LinearOperator):
    """Operators in and below a diagonal, zeros above.

    Args:
        operators: A list of rows; row i has i + 1 operators, the last of which is square.
        is_non_singular: A hint, as of `LinearOperator`; None: what follows from those of the
            diagonal. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> one, full = tf.linalg.LinearOperatorIdentity(1), tf.linalg.LinearOperatorFullMatrix
    >>> rows = [[one], [full([[3.0]]), one]]
    >>> tf.linalg.LinearOperatorBlockLowerTriangular(rows).to_dense().numpy().tolist()
    [[1.0, 0.0], [3.0, 1.0]]
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        parameters = given(locals())
        self._rows = [[checked(operator) for operator in row] for row in operators]
        for i, row in enumerate(self._rows):
            if len(row) != i + 1:
                raise ValueError(
                    f"row {i} of a block triangle has {i + 1} operators, got {len(row)}"
                )
            if row[-1].is_square is False:
                raise ValueError("the operators of the diagonal must be square")
        if is_square is False:
            raise ValueError("`LinearOperatorBlockLowerTriangular` is square.")
        self._diagonal = of_one_dtype([row[-1] for row in self._rows])
        if is_non_singular is None:
            is_non_singular = all_are(self._diagonal, "is_non_singular")
        super().__init__(
            self._diagonal[0].dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def operators(self) -> list[list[LinearOperator]]:
        """The rows."""
        return [list(row) for row in self._rows]

    def _flat(self) -> list[LinearOperator]:
        return [o for row in self._rows for o in row]

    def _shape(self) -> Any:
        return joint_batch_shape(self._flat()) + _added(self._diagonal)

    def _shape_tensor(self) -> Tensor:
        rows = functools.reduce(tf.add, [o.range_dimension_tensor() for o in self._diagonal])
        return tf.concat([joint_batch_shape_tensor(self._flat()), tf.stack([rows, rows])], 0)

    def _cut(self, x: Tensor) -> list[Tensor]:
        return tf.split(x, _extents(self._diagonal, True), axis=-2)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        parts = self._cut(tf.linalg.adjoint(x) if adjoint_arg else x)
        count = len(parts)
        results = []
        for i in range(count):
            if adjoint:
                terms = [self._rows[k][i].matmul(parts[k], adjoint=True) for k in range(i, count)]
            else:
                terms = [self._rows[i][k].matmul(parts[k]) for k in range(i + 1)]
            results.append(functools.reduce(tf.add, terms))
        return tf.concat(broadcast_batches(*results), -2)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        parts = self._cut(tf.linalg.adjoint(rhs) if adjoint_arg else rhs)
        count = len(parts)
        found: dict[int, Tensor] = {}
        for i in reversed(range(count)) if adjoint else range(count):
            rest = parts[i]
            for k, solution in found.items():
                block = self._rows[k][i] if adjoint else self._rows[i][k]
                rest = rest - block.matmul(solution, adjoint=adjoint)
            found[i] = self._diagonal[i].solve(rest, adjoint=adjoint)
        return tf.concat(broadcast_batches(*(found[i] for i in range(count))), -2)

    def _determinant(self) -> Tensor:
        return functools.reduce(tf.multiply, [o.determinant() for o in self._diagonal])

    def _log_abs_determinant(self) -> Tensor:
        return functools.reduce(tf.add, [o.log_abs_determinant() for o in self._diagonal])

    def _diag_part(self) -> Tensor:
        return _joined([o.diag_part() for o in self._diagonal])


def _added(operators: Sequence[LinearOperator]) -> Any:
    """The shape of blocks along a diagonal."""
    extents = []
    for kind in ("range_dimension", "domain_dimension"):
        known = [getattr(o, kind) for o in operators]
        extents.append(None if None in known else sum(known))
    return tf.TensorShape(extents)


def _extents(operators: Sequence[LinearOperator], columns: bool) -> Any:
    known = [o.domain_dimension if columns else o.range_dimension for o in operators]
    if None not in known:
        return known
    return tf.stack(
        [o.domain_dimension_tensor() if columns else o.range_dimension_tensor() for o in operators]
    )


def _joined(vectors: Sequence[Tensor]) -> Tensor:
    columns = broadcast_batches(*(v[..., None] for v in vectors))
    return tf.squeeze(tf.concat(columns, -2), -1)
