"""Solvers that go step by step, and eigenvalues of tridiagonal matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.types import TensorLike
from ..arguments import choice, flag, number, numbers, whole_number
from ..array.creation import ones_like, zeros_like
from ..array.indexing import boolean_mask
from ..array.shaping import expand_dims, squeeze
from ..math import comparisons
from ..math.complex import conj, real
from ..math.reductions import reduce_sum
from ..math.transcendental import sqrt
from .diagonals import diag
from .factorisations import eigh, eigvalsh


class ConjugateGradient(NamedTuple):
    """Where the conjugate gradient method ended: how many steps it made, the solution x, what is
    left of the right-hand side r, the direction p, and gamma, r times what `preconditioner` makes
    of it."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def _dot(a: Any, b: Any) -> Any:
    return reduce_sum(conj(a) * b, -1)


def conjugate_gradient(
    operator: Any,
    rhs: TensorLike,
    preconditioner: Any = None,
    x: TensorLike | None = None,
    tol: float = 1e-5,
    max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> Any:
    """The solution of A x = rhs for a self-adjoint positive definite operator A, step by step
    (M. Hestenes and E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952).

    It is differentiable, as all its steps are; a batch whose rest is small enough stays as it is.

    Args:
        operator: A linear operator [..., n, n], of which products are taken alone.
        rhs: A tensor [..., n].
        preconditioner: An operator that is near the inverse of A; None: the identity.
        x: Where to begin [..., n]; None: zeros.
        tol: How small the norm of the rest has to be, relative to that of `rhs`.
        max_iter: How many steps are made at most: these are unrolled in functions.

    Returns:
        A named tuple (i, x, r, p, gamma); x is the solution.

    Raises:
        ValueError: If A is known not to be self-adjoint or positive definite.

    >>> import tfc as tf
    >>> a = tf.linalg.LinearOperatorFullMatrix(
    ...     [[4.0, 1.0], [1.0, 3.0]], is_self_adjoint=True, is_positive_definite=True)
    >>> found = tf.linalg.experimental.conjugate_gradient(a, [1.0, 2.0])
    >>> print(tf.round(a.matvec(found.x)))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    op = "conjugate_gradient"
    if not operator.is_self_adjoint or not operator.is_positive_definite:
        raise blame.value_error("operator must be self-adjoint and positive definite", op)
    target = operand(op, rhs, operator.dtype)
    steps = whole_number(max_iter, "max_iter", op)
    limit = sqrt(real(_dot(target, target))) * float(number(tol, "tol", op))
    solution: Any = zeros_like(target) if x is None else operand(op, x, operator.dtype)
    rest: Any = target if x is None else target - operator.matvec(solution)
    near = rest if preconditioner is None else preconditioner.matvec(rest)
    direction, gamma = near, _dot(rest, near)
    count = comparisons.select(sqrt(real(_dot(rest, rest))) > limit, 0, 0)
    for _ in range(steps):
        far = expand_dims(sqrt(real(_dot(rest, rest))) > limit, -1)
        image = operator.matvec(direction)
        curvature = expand_dims(_dot(direction, image), -1)
        step = expand_dims(gamma, -1) / comparisons.select(far, curvature, ones_like(curvature))
        solution = comparisons.select(far, solution + step * direction, solution)
        rest = comparisons.select(far, rest - step * image, rest)
        near = rest if preconditioner is None else preconditioner.matvec(rest)
        following = _dot(rest, near)
        safe = comparisons.select(far, expand_dims(gamma, -1), ones_like(curvature))
        turned = near + expand_dims(following, -1) / safe * direction
        direction = comparisons.select(far, turned, direction)
        gamma = comparisons.select(squeeze(far, -1), following, gamma)
        count = count + comparisons.select(squeeze(far, -1), 1, 0)
    return ConjugateGradient(count, solution, rest, direction, gamma)


def eigh_tridiagonal(
    alpha: TensorLike,
    beta: TensorLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """The eigenvalues of Hermitian tridiagonal matrices, and the vectors.

    Args:
        alpha: The diagonal [..., n], of real parts.
        beta: The elements above it [..., n - 1]; below it stand their conjugates.
        eigvals_only: Whether the vectors are left out.
        select: Which are given: "a", all; "v", those in the interval `select_range`, low < v <=
            high, of one matrix; "i", those of the numbers `select_range`, the first and the last.
        select_range: Two numbers, where `select` asks for them.
        tol: Not used: they are as precise as the dtype allows.

    Returns:
        The eigenvalues, in order; with `eigvals_only=False` a pair: these and the vectors, as
        columns.

    Raises:
        ValueError: If `select` is another one, or `select_range` is no pair.

    >>> import tfc as tf
    >>> print(tf.round(tf.linalg.eigh_tridiagonal([2.0, 2.0], [1.0])))
    tf.Tensor([1. 3.], shape=(2,), dtype=float32)
    """
    op = "eigh_tridiagonal"
    how = choice(select, ("a", "v", "i"), "select", op)
    above: Any = operand(op, beta)
    middle: Any = operand(op, alpha, above.dtype)
    matrix = diag(middle) + diag(above, k=1) + diag(conj(above), k=-1)
    alone = flag(eigvals_only, "eigvals_only", op)
    values, vectors = (eigvalsh(matrix), None) if alone else eigh(matrix)
    if how == "a":
        return values if vectors is None else (values, vectors)
    pair = numbers(select_range, "select_range", op)
    if len(pair) != 2 or pair[1] < pair[0]:
        raise blame.value_error(f"select_range must be a pair, got {shown(select_range)}", op)
    low, high = pair
    if how == "i":
        kept = slice(int(low), int(high) + 1)
        return values[..., kept] if vectors is None else (values[..., kept], vectors[..., kept])
    inside = comparisons.logical_and(real(values) > low, real(values) <= high)
    chosen = boolean_mask(values, inside)
    return chosen if vectors is None else (chosen, boolean_mask(vectors, inside, axis=1))


__all__ = ["ConjugateGradient", "conjugate_gradient", "eigh_tridiagonal"]
