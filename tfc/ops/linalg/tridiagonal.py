"""Matrices with three diagonals: systems and products."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import primitive, retype
from ..arguments import flag, one_of
from ..array.joining import stack
from ..array.padding import pad
from ..array.shaping import expand_dims, squeeze
from ..extents import extents_of
from .diagonals import _equal, diag_part, matrix_transpose
from .products import broadcast_batches, shown, unified

_FORMATS = ("compact", "matrix", "sequence")


def _compact(diagonals: Any, form: str, name: str) -> Tensor:
    """The diagonals as rows of [..., 3, n]: above the main one, the main one, below it."""
    if not one_of(form, _FORMATS):
        raise blame.value_error(
            f"Unrecognized diagonals_format: {form}, it must be one of {list(_FORMATS)}", name
        )
    if form == "matrix":
        return diag_part(diagonals, k=(-1, 1), align="LEFT_RIGHT")
    if form == "compact":
        return operand(name, diagonals)
    if not isinstance(diagonals, list | tuple) or len(diagonals) != 3:
        raise blame.value_error("Expected diagonals to be a sequence of length 3", name)
    hint = next((v.dtype for v in diagonals if isinstance(v, Held)), None)
    above, middle, below = (operand(name, v, dtype_hint=hint) for v in diagonals)
    n = extents_of(middle)[-1]

    def filled(x: Any, widths: list[int]) -> Any:
        """A diagonal of n - 1 elements with the one that is not read."""
        if extents_of(x)[-1] == n:
            return x
        return pad(x, [[0, 0]] * (len(x.shape) - 1) + [widths])

    return stack([filled(above, [0, 1]), middle, filled(below, [1, 0])], axis=-2)


def _checked(diagonals: Any, rhs: Any, name: str) -> tuple[Any, Any]:
    """The operands, where there are three diagonals."""
    y = operand(name, rhs, dtype_hint=diagonals.dtype)
    have = extents_of(diagonals)
    message = f"Expected diagonals of shape [..., 3, n], got {shown(have)}"
    if len(have) < 2:
        raise blame.value_error(
            f"Expected diagonals to have rank at least 2, got {len(have)}", name
        )
    if isinstance(have[-2], int) and have[-2] != 3:
        raise blame.value_error(f"Expected 3 diagonals got {have[-2]}", name)
    _equal(have[-2], 3, message, name)
    return diagonals, y


def _fitted(b: Builder, diagonals: Value, rhs: Value, name: str) -> tuple[Value, Value]:
    """Three diagonals and right-hand sides of one batch shape."""
    if diagonals.dtype is not rhs.dtype:
        raise OpError(f"{name}: operands must have the same dtype", "dtype")
    n = unified(b, diagonals.shape[-1], rhs.shape[-2]) if rhs.rank >= 2 else None
    if n is None:
        shapes = f"{shown(diagonals.shape)} and {shown(rhs.shape)}"
        raise OpError(f"{name}: expected diagonals [..., 3, n] and rhs [..., n, m], got {shapes}")
    diagonals = retype(b, diagonals, (*diagonals.shape[:-2], 3, n))
    rhs = retype(b, rhs, (*rhs.shape[:-2], n, rhs.shape[-1]))
    diagonals, rhs = broadcast_batches(b, diagonals, rhs)
    return diagonals, rhs


@primitive
def _tridiagonal_solve(b: Builder, diagonals: Value, rhs: Value, pivoting: bool) -> Value:
    operands = _fitted(b, diagonals, rhs, "tridiagonal_solve")
    return b.emit(ir.TridiagonalSolve(*operands, pivoting))


def tridiagonal_solve(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """The x with t @ x = rhs, where t has three diagonals: by elimination, in linear time.

    Args:
        diagonals: The diagonals of t, of float32, float64 or complex numbers, in one of three
            formats.
        rhs: A tensor [..., n, m] of the same dtype, or [..., n] for one right-hand side.
        diagonals_format: "compact": [..., 3, n], the rows being what stands above the main diagonal
            (the last element is not read), the main one, and what stands below (the first is not
            read). "sequence": a list of these three, where the outer ones may have n - 1 elements.
            "matrix": [..., n, n].
        transpose_rhs: Whether `rhs` is [..., m, n].
        conjugate_rhs: Whether `rhs` is conjugated first.
        partial_pivoting: Whether rows are exchanged where that is more exact.
        perturb_singular: False alone.

    Returns:
        A tensor [..., n, m], or [..., n] for one right-hand side.

    Raises:
        InvalidArgumentError: If t is singular, or, without `partial_pivoting`, a pivot is 0; if
            shapes do not fit (ValueError while tracing), or the dtypes differ or are others
            (TypeError).
        ValueError: If there is no such format, or a sequence has not three diagonals.
        UnimplementedError: If `perturb_singular` is set.

    >>> import tfc as tf
    >>> print(tf.linalg.tridiagonal_solve([[1.0, 1.0, 0.0], [2.0, 2.0, 2.0], [0.0, 1.0, 1.0]],
    ...                                   [3.0, 4.0, 3.0]))
    tf.Tensor([1. 1. 1.], shape=(3,), dtype=float32)
    """
    if flag(perturb_singular, "perturb_singular", "tridiagonal_solve"):
        raise blame.unimplemented("perturb_singular is not there", "tridiagonal_solve")
    x = _compact(diagonals, diagonals_format, "tridiagonal_solve")
    x, y = _checked(x, rhs, "tridiagonal_solve")
    vector = len(y.shape) == len(x.shape) - 1
    transposed = flag(transpose_rhs, "transpose_rhs", "tridiagonal_solve")
    pivoting = flag(partial_pivoting, "partial_pivoting", "tridiagonal_solve")
    if flag(conjugate_rhs, "conjugate_rhs", "tridiagonal_solve"):
        y = _conjugate.fast()(y)
    if vector:
        y = expand_dims(y, -1)
    elif transposed:
        y = matrix_transpose(y)
    solved = _tridiagonal_solve.fast(pivoting)(x, y)
    return squeeze(solved, [len(solved.shape) - 1]) if vector else solved


@primitive
def _conjugate(b: Builder, x: Value) -> Value:
    return Term(b, x).conj().value


@primitive
def _tridiagonal_matmul(b: Builder, diagonals: Value, rhs: Value) -> Value:
    diagonals, rhs = _fitted(b, diagonals, rhs, "tridiagonal_matmul")
    *batch, n, _ = rhs.shape
    zero = b.constant(0, rhs.dtype)
    ones = (1,) * rhs.rank
    # Rows 0 to n + 1 of rhs with a row of zeros at either end, so that each has a neighbour.
    around = b.emit(
        ir.Pad(rhs, zero, (*(0 for _ in batch), 1, 0), (*batch, n + 2, rhs.shape[-1]), ones)
    )
    total = None
    for k, by in ((0, 2), (1, 1), (2, 0)):
        row = b.emit(ir.Slice(diagonals, (*(0 for _ in batch), k, 0), (*batch, 1, n), ones))
        factor = b.emit(ir.Reshape(row, (*batch, n)))
        wide = b.emit(ir.Broadcast(factor, rhs.shape, tuple(range(rhs.rank - 1))))
        moved = b.emit(ir.Slice(around, (*(0 for _ in batch), by, 0), rhs.shape, ones))
        part = Term(b, wide) * Term(b, moved)
        total = part if total is None else total + part
    assert total is not None
    return total.value


def tridiagonal_matmul(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    name: str | None = None,
) -> Tensor:
    """t @ rhs, where t has three diagonals.

    Args:
        diagonals: The diagonals of t, of numbers, in one of three formats.
        rhs: A tensor [..., n, m] of the same dtype.
        diagonals_format: "compact", "sequence" or "matrix", as of `tridiagonal_solve`.

    Returns:
        A tensor [..., n, m] of the same dtype.

    Raises:
        InvalidArgumentError: If shapes do not fit (ValueError while tracing), or the dtypes differ
            or are others (TypeError).
        ValueError: If there is no such format, or a sequence has not three diagonals.

    >>> import tfc as tf
    >>> above, middle, below = [1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0]
    >>> t = above, middle, below
    >>> print(tf.linalg.tridiagonal_matmul(t, tf.ones([3, 1]), "sequence").numpy().tolist())
    [[3.0], [6.0], [5.0]]
    """
    x = _compact(diagonals, diagonals_format, "tridiagonal_matmul")
    return _tridiagonal_matmul.fast()(*_checked(x, rhs, "tridiagonal_matmul"))
