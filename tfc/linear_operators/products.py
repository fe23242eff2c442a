"""Products, adjoints and inverses of operators."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import tfc as tf

from .base import LinearOperator, check_product, checked, given
from .batches import joint_batch_shape, joint_batch_shape_tensor

Tensor = Any
HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")


def all_are(operators: Sequence[LinearOperator], hint: str) -> bool | None:
    """True where a hint is true of all."""
    return all(getattr(o, hint) for o in operators) or None


def of_one_dtype(operators: Any) -> list[LinearOperator]:
    found = [checked(operator) for operator in operators]
    if not found:
        raise ValueError("Expected a non-empty list of operators.")
    for operator in found[1:]:
        if operator.dtype != found[0].dtype:
            raise TypeError(
                f"Expected all operators to have the same dtype, got {found[0].dtype.name} and "
                f"{operator.dtype.name}"
            )
    return found


def hints_of(operators: Sequence[LinearOperator], *known: bool | None) -> list[bool | None]:
    """The hints, in the order of HINTS; those that are not known follow from the operators'."""
    pairs = zip(HINTS, known, strict=True)
    return [all_are(operators, hint) if value is None else value for hint, value in pairs]


class OfOperators(LinearOperator):
    """One that is made of a list of operators."""

    _list: list[LinearOperator]

    def _made(
        self, operators: Any, hints: Sequence[bool | None], name: str, parameters: Any
    ) -> None:
        self._list = list(operators)
        given_hints: dict[str, Any] = dict(zip(HINTS, hints, strict=True))
        super().__init__(self._list[0].dtype, **given_hints, name=name, parameters=parameters)

    @property
    def operators(self) -> list[LinearOperator]:
        """What it is made of."""
        return list(self._list)


class LinearOperatorComposition(OfOperators):
    """The product of operators.

    Args:
        operators: The operators, from left to right.
        is_non_singular: A hint, as of `LinearOperator`; None: what follows from those of the
            operators. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> matrix = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> twice = tf.linalg.LinearOperatorComposition([matrix, matrix])
    >>> twice.to_dense().numpy().tolist(), float(twice.determinant())
    ([[7.0, 10.0], [15.0, 22.0]], 4.0)
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
        for left, right in itertools.pairwise(found):
            check_product(left, right)
        if is_non_singular is None:
            is_non_singular = all_are(found, "is_non_singular")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        self._made(found, hints, name or "_o_".join(o.name for o in found), parameters)

    def _shape(self) -> Any:
        ends = [self._list[0].range_dimension, self._list[-1].domain_dimension]
        return joint_batch_shape(self._list) + tf.TensorShape(ends)

    def _shape_tensor(self) -> Tensor:
        ends = [self._list[0].range_dimension_tensor(), self._list[-1].domain_dimension_tensor()]
        return tf.concat([joint_batch_shape_tensor(self._list), tf.stack(ends)], 0)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *others = self._list if adjoint else self._list[::-1]
        result = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in others:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        first, *others = self._list[::-1] if adjoint else self._list
        result = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in others:
            result = operator.solve(result, adjoint=adjoint)
        return result

    def _squares(self) -> bool:
        return all(o.is_square for o in self._list)

    def _determinant(self) -> Tensor:
        if not self._squares():
            return super()._determinant()
        return functools.reduce(lambda x, y: x * y, [o.determinant() for o in self._list])

    def _log_abs_determinant(self) -> Tensor:
        if not self._squares():
            return super()._log_abs_determinant()
        return functools.reduce(lambda x, y: x + y, [o.log_abs_determinant() for o in self._list])

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorComposition(
            [o.adjoint() for o in reversed(self._list)], is_non_singular=self.is_non_singular
        )

    def _inverse(self) -> LinearOperator:
        if not self._squares():
            return super()._inverse()
        return LinearOperatorComposition([o.inverse() for o in reversed(self._list)])


class _OfOperator(LinearOperator):
    """The adjoint or inverse of an operator."""

    _operator: LinearOperator

    def _wrap(
        self,
        operator: LinearOperator,
        hints: Sequence[bool | None],
        name: str,
        parameters: Any,
    ) -> None:
        self._operator = operator
        chosen: dict[str, Any] = {
            hint: getattr(operator, hint) if own is None else own
            for hint, own in zip(HINTS, hints, strict=True)
        }
        super().__init__(operator.dtype, **chosen, name=name, parameters=parameters)

    @property
    def operator(self) -> LinearOperator:
        """The operator that it is of."""
        return self._operator

    def _shape(self) -> Any:
        shape = self._operator.shape
        return shape if shape.rank is None else shape[:-2] + shape[-1:] + shape[-2:-1]

    def _shape_tensor(self) -> Tensor:
        shape = self._operator.shape_tensor()
        return tf.concat([shape[:-2], shape[-1:], shape[-2:-1]], 0)


class LinearOperatorAdjoint(_OfOperator):
    """The adjoint of an operator.

    Args:
        operator: The operator.
        is_non_singular: A hint, as of `LinearOperator`; None: the operator's. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: See there.
        name: A name.

    >>> import tfc as tf
    >>> matrix = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.LinearOperatorAdjoint(matrix).to_dense().numpy().tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        checked(operator)
        self._wrap(operator, hints, name or f"{operator.name}_adjoint", parameters)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _to_dense(self) -> Tensor:
        return tf.linalg.adjoint(self._operator.to_dense())

    def _diag_part(self) -> Tensor:
        return tf.math.conj(self._operator.diag_part())

    def _determinant(self) -> Tensor:
        return tf.math.conj(self._operator.determinant())

    def _log_abs_determinant(self) -> Tensor:
        return self._operator.log_abs_determinant()

    def _adjoint(self) -> LinearOperator:
        return self._operator


class LinearOperatorInversion(_OfOperator):
    """The inverse of an operator: products with it solve.

    Args:
        operator: The operator, which must be square.
        is_non_singular: A hint: it is not singular. So are the next.
        is_self_adjoint: See `LinearOperator`; None: the operator's.
        is_positive_definite: Likewise.
        is_square: It is.
        name: A name.

    Raises:
        ValueError: If the operator is known to be singular, or not to be square.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorLowerTriangular([[2.0, 0.0], [0.0, 4.0]])
    >>> tf.linalg.LinearOperatorInversion(operator).matvec([1.0, 1.0]).numpy().tolist()
    [0.5, 0.25]
    """

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        if checked(operator).is_square is False or is_square is False:
            raise ValueError("operator must be square, and its inverse is")
        if operator.is_non_singular is False or is_non_singular is False:
            raise ValueError("operator must not be singular, and its inverse is not")
        hints = (True, is_self_adjoint, is_positive_definite, True)
        self._wrap(operator, hints, name or f"{operator.name}_inv", parameters)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Tensor:
        return 1 / self._operator.determinant()

    def _log_abs_determinant(self) -> Tensor:
        return -self._operator.log_abs_determinant()

    def _eigvals(self) -> Tensor:
        return 1 / self._operator.eigvals()

    def _inverse(self) -> LinearOperator:
        return self._operator
