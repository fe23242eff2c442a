"""Functions of whole matrices: the exponential and the principal square root."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import int64
from ..types import TensorType
from .elementwise import Equal
from .linalg import Factorisation, Solve
from .matrices import Matrix
from .shape import Broadcast, Concat, Iota, Reshape, Slice

# Higham, "The scaling and squaring method for the matrix exponential revisited" (2005): up to
# which 1-norm a Pade approximant of each degree is exact to rounding (table 2.3 and section 2).
_BOUNDS = {
    32: {3: 4.258730016922831e-1, 5: 1.880152677804762e0, 7: 3.925724783138660e0},
    64: {
        3: 1.495585217958292e-2,
        5: 2.539398330063230e-1,
        7: 9.504178996162932e-1,
        9: 2.097847961257068e0,
        13: 5.371920351148152e0,
    },
}


class MatrixFunction(Factorisation, abstract=True):
    """The base: an analytic function of each of a batch of square matrices."""

    def infer(self) -> TensorType:
        self.check(square=True)
        return self.x.tensor_type

    def numpy(self, x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        if x.shape[-1]:
            for i in np.ndindex(*x.shape[:-2]):
                out[i] = self.of_matrix(x[i])
        return out

    def of_matrix(self, x: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # The derivative at x^H in the direction dy is a block of the function of a block matrix:
        # Higham, "Functions of Matrices" (2008), equation 3.16.
        n = self.x.shape[-1]
        adjoint = Matrix(b, self.x).adjoint.value
        zero = Matrix(b, adjoint).term.const(0).value
        last = self.x.rank - 1
        top = b.emit(Concat((adjoint, dy), last))
        low = b.emit(Concat((zero, adjoint), last))
        whole = b.emit(type(self)(b.emit(Concat((top, low), last - 1))))
        begin = (*(0 for _ in range(last)), n)
        return (b.emit(Slice(whole, begin, self.x.shape, (1,) * self.x.rank)),)


class MatrixExponential(MatrixFunction):
    """The sum of x^k / k! over all k: scaling, a Pade approximant, squaring."""

    def numpy(self, x: np.ndarray) -> np.ndarray:
        n = x.shape[-1]
        return _exponentials(x.reshape(-1, n, n)).reshape(x.shape) if x.size else x.copy()


class MatrixLogarithm(MatrixFunction):
    """The y with exp(y) = x whose eigenvalues have imaginary parts within pi, by SciPy; of complex
    matrices."""

    def infer(self) -> TensorType:
        if not self.x.dtype.is_complex:
            raise self.error(
                f"not defined for dtype {self.x.dtype.name}: takes complex64, complex128", "dtype"
            )
        return super().infer()

    def of_matrix(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(_scipy("the logarithm of matrices (logm)").logm(x))


def _scipy(what: str) -> Any:
    """scipy.linalg, which is not among the requirements."""
    try:
        from scipy import linalg
    except ImportError as error:
        raise ImportError(f"{what} needs SciPy") from error
    return linalg


def _exponentials(x: np.ndarray) -> np.ndarray:
    """The exponentials of matrices [N, n, n]: those that take one degree go together."""
    bounds = _BOUNDS[64 if x.dtype in (np.float64, np.complex128) else 32]
    sizes = np.max(np.sum(np.abs(x), axis=-2, dtype=x.real.dtype), axis=-1).astype(np.float64)
    # The first degree whose bound the norm does not exceed, else the last.
    first = np.minimum(np.searchsorted(tuple(bounds.values()), sizes), len(bounds) - 1)
    out = np.full_like(x, np.nan)
    for number, (degree, bound) in enumerate(bounds.items()):
        some = np.flatnonzero((first == number) & np.isfinite(sizes))
        if len(some):
            ratio = np.maximum(sizes[some] / bound, 1.0)
            out[some] = _scaled_and_squared(x[some], degree, np.ceil(np.log2(ratio)).astype(int))
    return out


def _scaled_and_squared(x: np.ndarray, degree: int, squarings: np.ndarray) -> np.ndarray:
    """The exponentials of matrices by an approximant of this degree, each of x / 2^squarings."""
    x = x * (2.0**-squarings)[:, None, None].astype(x.real.dtype)
    # r(x) = (v - u)^-1 (v + u), where u has the odd powers and v the even ones.
    c = _pade(degree)
    square = x @ x
    power = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
    odd, even = np.zeros_like(x), np.zeros_like(x)
    for k in range(0, degree, 2):
        even = even + power * x.dtype.type(c[k])
        odd = odd + power * x.dtype.type(c[k + 1])
        power = power @ square
    odd = x @ odd
    result: np.ndarray = np.linalg.solve(even - odd, even + odd)
    for done in range(squarings.max(initial=0)):
        more = np.flatnonzero(squarings > done)
        result[more] = result[more] @ result[more]
    return result


def _pade(m: int) -> list[float]:
    """The coefficients of the numerator of the diagonal Pade approximant of degree m of exp,
    c[0] = 1."""
    c = [1.0]
    for k in range(1, m + 1):
        c.append(c[-1] * (m - k + 1) / (k * (2 * m - k + 1)))
    return c


class MatrixSquareRoot(MatrixFunction):
    """The y with y @ y = x whose eigenvalues have positive real parts, by SciPy."""

    def of_matrix(self, x: np.ndarray) -> np.ndarray:
        root = np.asarray(_scipy("the square root of matrices (sqrtm)").sqrtm(x))
        if np.iscomplexobj(root) and not np.iscomplexobj(x):
            raise ValueError("the matrix has no real square root: convert it to complex")
        return root

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # y^H dx + dx y^H = dy (a Sylvester equation), as one system in the elements of dx:
        # row-major, (y^H kron I + I kron conj(y)) vec(dx) = vec(dy).
        *batch, n, _ = self.x.shape
        root = Matrix(b, self.result)
        adjoint, conjugate = root.adjoint.value, root.term.conj().value
        rank = len(batch)
        blocks = (*batch, n, n, n, n)  # the element (i, j, k, l) takes dx[k, l] to dy[i, j]
        outer = tuple(range(rank))

        def same(p: int, q: int) -> Term:
            places = [b.emit(Iota(blocks, rank + a, int64)) for a in (p, q)]
            return Term(b, b.emit(Equal(*places)))

        def laid(v: Value, p: int, q: int) -> Term:
            return Term(b, b.emit(Broadcast(v, blocks, (*outer, rank + p, rank + q))))

        left = where(same(1, 3), laid(adjoint, 0, 2), 0)
        right = where(same(0, 2), laid(conjugate, 1, 3), 0)
        system = b.emit(Reshape((left + right).value, (*batch, n * n, n * n)))
        column = b.emit(Reshape(dy, (*batch, n * n, 1)))
        solved = b.emit(Solve(system, column))
        return (b.emit(Reshape(solved, self.x.shape)),)
