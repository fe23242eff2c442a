"""Each operator against its dense matrix: products, solutions, numbers, adjoint and inverse,
eagerly and in functions of unknown sizes; hints; algebra; gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

la: Any = tf.linalg
RNG = np.random.default_rng(7)


def matrix(*shape: int) -> np.ndarray:
    return (RNG.normal(size=shape) + 3 * np.eye(*shape[-2:])).astype(np.float32)


def definite(*shape: int) -> np.ndarray:
    a = RNG.normal(size=shape)
    return (a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])).astype(np.float32)


A, B, L = matrix(3, 3), matrix(2, 2, 2), np.tril(matrix(3, 3))
P, U, V = definite(2, 2), matrix(3, 2), matrix(3, 2)
D, E, C = (np.array(v, np.float32) for v in ([1.5, -2, 3], [2.0, 0.5], [4.0, 1.0, 0.5]))
ABOVE = np.triu(np.full((3, 3), 9, np.float32), 1)
TOEPLITZ = np.array([[4, 2, 1], [1, 4, 2], [0.5, 1, 4]], np.float32)


def circulant(column: np.ndarray) -> np.ndarray:
    return np.stack([np.roll(column, i) for i in range(len(column))], 1)


def kronecker() -> np.ndarray:
    return np.stack([np.kron(A, np.kron(b, P)) for b in B])


def blocks(lower: bool) -> np.ndarray:
    dense = np.zeros((2, 5, 5), np.float32)
    dense[:, :3, :3], dense[:, 3:, 3:] = A, B
    if lower:
        dense[:, 3:, :3] = U.T
    return dense


FULL = la.LinearOperatorFullMatrix
OPERATORS: dict[str, tuple[Callable[[], Any], np.ndarray]] = {
    "full": (lambda: FULL(B), B),
    "definite": (lambda: FULL(P, is_positive_definite=True, is_self_adjoint=True), P),
    "triangle": (lambda: la.LinearOperatorLowerTriangular(L + ABOVE), L),
    "diagonal": (lambda: la.LinearOperatorDiag(D), np.diag(D)),
    "identity": (lambda: la.LinearOperatorIdentity(3), np.eye(3)),
    "identities": (
        lambda: la.LinearOperatorIdentity(2, batch_shape=[2]),
        np.stack([np.eye(2)] * 2),
    ),
    "scaled": (lambda: la.LinearOperatorScaledIdentity(2, E), E[:, None, None] * np.eye(2)),
    "product": (
        lambda: la.LinearOperatorComposition([FULL(A), la.LinearOperatorDiag(D), FULL(A)]),
        A @ np.diag(D) @ A,
    ),
    "adjoint": (lambda: la.LinearOperatorAdjoint(FULL(B)), np.swapaxes(B, 1, 2)),
    "inverse": (lambda: la.LinearOperatorInversion(FULL(A)), np.linalg.inv(A)),
    "blocks": (lambda: la.LinearOperatorBlockDiag([FULL(A), FULL(B)]), blocks(False)),
    "block triangle": (
        lambda: la.LinearOperatorBlockLowerTriangular([[FULL(A)], [FULL(U.T), FULL(B)]]),
        blocks(True),
    ),
    "kronecker": (lambda: la.LinearOperatorKronecker([FULL(A), FULL(B), FULL(P)]), kronecker()),
    "update": (lambda: la.LinearOperatorLowRankUpdate(FULL(A), U, E, V), A + U @ np.diag(E) @ V.T),
    "definite update": (
        lambda: la.LinearOperatorLowRankUpdate(
            la.LinearOperatorDiag(C, is_positive_definite=True), U
        ),
        np.diag(C) + U @ U.T,
    ),
    "reflection": (
        lambda: la.LinearOperatorHouseholder(D),
        np.eye(3) - 2 * np.outer(D, D) / (D @ D),
    ),
    "permutation": (lambda: la.LinearOperatorPermutation([2, 0, 1]), np.eye(3)[[2, 0, 1]]),
    "tridiagonal": (
        lambda: la.LinearOperatorTridiag([[2.0, 1.0, 0.0], [4.0, 3.0, 5.0], [0.0, 1.0, 2.0]]),
        np.array([[4, 2, 0], [1, 3, 1], [0, 2, 5]], np.float32),
    ),
    "circulant": (
        lambda: la.LinearOperatorCirculant(np.fft.fft(C).astype(np.complex64), tf.float32),
        circulant(C),
    ),
    "toeplitz": (lambda: la.LinearOperatorToeplitz(TOEPLITZ[:, 0], TOEPLITZ[0]), TOEPLITZ),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_as_the_dense_matrix(name: str) -> None:
    make, dense = OPERATORS[name]
    operator, rows = make(), dense.shape[-1]
    x = RNG.normal(size=(rows, 2)).astype(np.float32)

    def near(have: Any, want: Any) -> None:
        assert tuple(have.shape) == np.shape(want)
        np.testing.assert_allclose(have, want, 2e-3, 2e-4)

    transposed = np.swapaxes(dense, -1, -2)
    assert operator.shape == dense.shape == tuple(operator.shape_tensor().numpy())
    assert operator.batch_shape == dense.shape[:-2] and operator.tensor_rank == dense.ndim
    near(operator.to_dense(), dense)
    near(operator.matmul(x), dense @ x)
    near(operator.matmul(x.T, adjoint=True, adjoint_arg=True), transposed @ x)
    near(operator.matvec(x[:, 0]), dense @ x[:, 0])
    near(
        operator.solve(x), np.linalg.solve(dense, np.broadcast_to(x, (*dense.shape[:-2], rows, 2)))
    )
    near(operator.solvevec(x[:, 0], adjoint=True), np.linalg.inv(transposed) @ x[:, 0])
    near(operator.determinant(), np.linalg.det(dense))
    near(operator.log_abs_determinant(), np.linalg.slogdet(dense)[1])
    near(operator.trace(), np.trace(dense, axis1=-2, axis2=-1))
    near(operator.diag_part(), np.diagonal(dense, axis1=-2, axis2=-1))
    near(operator.add_to_tensor(np.ones((rows, rows), np.float32)), dense + 1)
    near(operator.H.to_dense(), transposed)
    near(operator.inverse().matmul(x), np.linalg.inv(dense) @ x)
    near((operator @ operator).to_dense(), dense @ dense)
    if operator.is_self_adjoint and operator.is_positive_definite:
        factor = operator.cholesky().to_dense().numpy()
        near(factor @ np.swapaxes(factor, -1, -2), dense)
        operator.assert_positive_definite()
    operator.assert_non_singular()


def test_functions_of_unknown_sizes() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None])])
    def f(a: Any, d: Any) -> Any:
        both = la.LinearOperatorKronecker([FULL(a), la.LinearOperatorDiag(d)])
        update = la.LinearOperatorLowRankUpdate(la.LinearOperatorDiag(d), d[:, None])
        return both.to_dense(), both.log_abs_determinant(), update.solvevec(d), both.shape_tensor()

    for a, d in ((A, E), (P, C)):
        dense, log, solved, shape = f(a, d)
        np.testing.assert_allclose(dense, np.kron(a, np.diag(d)), 1e-5)
        np.testing.assert_allclose(log, np.linalg.slogdet(np.kron(a, np.diag(d)))[1], 1e-4)
        want = np.linalg.solve(np.diag(d) + np.outer(d, d), d)
        np.testing.assert_allclose(solved, want, 1e-3, 1e-4)
        assert shape.numpy().tolist() == [len(a) * len(d)] * 2


def test_variables_and_gradients() -> None:
    """An operator that was made of a Variable reads it each time."""
    v = tf.Variable(C)
    operator = la.LinearOperatorDiag(v)
    assert operator.trainable_variables == (v,)
    v.assign(2 * C)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(operator.solvevec(np.ones(3, np.float32)))
    np.testing.assert_allclose(tape.gradient(y, v), -1 / (2 * C) ** 2, 1e-6)


def test_hints_and_errors() -> None:
    diagonal = la.LinearOperatorDiag(C, is_positive_definite=True)
    assert diagonal.is_non_singular and diagonal.is_self_adjoint and diagonal.is_square
    assert isinstance(diagonal @ diagonal, la.LinearOperatorDiag)
    assert isinstance(diagonal.cholesky(), la.LinearOperatorDiag) and diagonal.H is diagonal
    assert FULL(U).is_square is False and FULL(A).H.H.to_dense().shape == (3, 3)
    assert la.LinearOperatorIdentity(3) @ diagonal is diagonal
    zeros = la.LinearOperatorZeros(3, 2, batch_shape=[2])
    assert zeros.shape == (2, 3, 2) and not zeros.matmul(np.ones((2, 4), np.float32)).numpy().any()
    assert diagonal.parameters["is_positive_definite"] and diagonal.name == "LinearOperatorDiag"
    for wrong, error in (
        (lambda: FULL(U).solve(U), NotImplementedError),
        (lambda: FULL(U).determinant(), NotImplementedError),
        (lambda: FULL(A).cholesky(), ValueError),
        (lambda: FULL(A).eigvals(), NotImplementedError),
        (lambda: FULL(U) @ FULL(U), ValueError),
        (lambda: FULL(A, is_non_singular=False, is_positive_definite=True), ValueError),
        (lambda: FULL(U, is_square=True).is_square, ValueError),
        (
            lambda: FULL([[1.0, 2.0], [2.0, 4.0]]).assert_non_singular(),
            tf.errors.InvalidArgumentError,
        ),
        (lambda: FULL(A).assert_self_adjoint(), tf.errors.InvalidArgumentError),
        (
            lambda: la.LinearOperatorDiag(D).assert_positive_definite(),
            tf.errors.InvalidArgumentError,
        ),
        (lambda: la.LinearOperatorDiag(C, is_self_adjoint=False), ValueError),
        (lambda: la.LinearOperatorComposition([]), ValueError),
    ):
        with pytest.raises(error):
            wrong()
    with pytest.raises(AttributeError, match="LinearOperatorNone"):
        la.LinearOperatorNone  # noqa: B018


def test_functions_of_linear_algebra_take_operators() -> None:
    # results and classes as TensorFlow 2.21 gives them
    full = FULL([[2.0, 1.0], [1.0, 3.0]])
    sure = FULL([[2.0, 1.0], [1.0, 3.0]], is_self_adjoint=True, is_positive_definite=True)
    diagonal = la.LinearOperatorDiag([1.0, 2.0])
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for found, want in (
        (tf.matmul(full, x), [[5, 8], [10, 14]]),
        (tf.linalg.matmul(x, full), [[4, 7], [10, 15]]),
        (x @ full, [[4, 7], [10, 15]]),
        (tf.matmul(full, x, adjoint_b=True), [[4, 10], [7, 15]]),
        (tf.linalg.matvec(full, [1.0, 2.0]), [4, 7]),
        (tf.linalg.solve(full, x, adjoint=True), [[0, 0.4], [1, 1.2]]),
        (tf.linalg.det(full), 5),
        (tf.linalg.trace(full), 5),
        (tf.linalg.diag_part(full), [2, 3]),
        (tf.linalg.logdet(sure), np.log(5)),
    ):
        np.testing.assert_allclose(found, want, 1e-5, 1e-6)
    for operator, kind, dense in (
        (tf.matmul(diagonal, diagonal), "Diag", [[1, 0], [0, 4]]),
        (tf.matmul(full, diagonal), "Composition", [[2, 2], [1, 6]]),
        (tf.linalg.inv(diagonal), "Diag", [[1, 0], [0, 0.5]]),
        (tf.linalg.inv(full), "Inversion", [[0.6, -0.2], [-0.2, 0.4]]),
        (tf.linalg.adjoint(full), "Adjoint", [[2, 1], [1, 3]]),
        (tf.linalg.cholesky(sure), "LowerTriangular", [[1.4142135, 0], [0.7071068, 1.5811388]]),
    ):
        assert type(operator).__name__ == f"LinearOperator{kind}"
        np.testing.assert_allclose(operator.to_dense(), dense, 1e-5, 1e-6)
    with pytest.raises(ValueError, match="Transposing not supported"):
        tf.matmul(full, x, transpose_a=True)
    with pytest.raises(ValueError, match="self-adjoint positive definite"):
        tf.linalg.logdet(full)


@pytest.mark.parametrize(
    ("rows", "batch", "error", "text"),
    [
        (-1, None, ValueError, "num_rows must be non-negative"),
        (2.5, None, TypeError, "num_rows must be integer"),
        ([3], None, ValueError, "num_rows must be a 0-D"),
        (3, [[2]], ValueError, "batch_shape must be a 1-D"),
        (3, [-2], ValueError, "batch_shape must be non-negative"),
        (3, [2.5], TypeError, "batch_shape must be integer"),
    ],
)
def test_sizes_of_identities(rows: Any, batch: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        tf.linalg.LinearOperatorIdentity(rows, batch)


def test_numbers_keep_their_dtype() -> None:
    """As in TensorFlow: arrays of float64 give operators of float64."""
    v, operators = np.ones(2), tf.linalg
    for made in (
        operators.LinearOperatorDiag(v),
        operators.LinearOperatorFullMatrix(np.eye(2)),
        operators.LinearOperatorHouseholder(v),
        operators.LinearOperatorLowerTriangular(np.eye(2)),
        operators.LinearOperatorScaledIdentity(2, v[0]),
        operators.LinearOperatorToeplitz(v, v),
        operators.LinearOperatorTridiag([v, v, v], diagonals_format="sequence"),
    ):
        assert made.dtype is tf.float64 and made.to_dense().dtype is tf.float64
    assert operators.LinearOperatorDiag([1.0, 2.0]).dtype is tf.float32
    assert operators.LinearOperatorDiag([1, 2]).dtype is tf.int32
    with pytest.raises(TypeError, match="floats or complex"):
        operators.LinearOperatorFullMatrix([[1, 2], [3, 4]])


def test_circulant_blocks() -> None:
    """Circulant matrices of circulant blocks are convolutions along two or three axes."""
    for shape, kind, transform in (
        ((2, 3), tf.linalg.LinearOperatorCirculant2D, tf.signal.fft2d),
        ((2, 1, 2), tf.linalg.LinearOperatorCirculant3D, tf.signal.fft3d),
    ):
        kernel = RNG.normal(size=shape).astype(np.float32)
        kernel.flat[0] = 9  # far from singular
        operator = kind(transform(tf.constant(kernel, tf.complex64)), tf.float32)
        columns = [np.roll(kernel, place, range(len(shape))).ravel() for place in np.ndindex(shape)]
        dense = np.stack(columns, 1)
        x = RNG.normal(size=kernel.size).astype(np.float32)
        for have, want in (
            (operator.to_dense(), dense),
            (operator.matvec(x), dense @ x),
            (operator.solvevec(x, adjoint=True), np.linalg.solve(dense.T, x)),
            (operator.trace(), np.trace(dense)),
            (operator.log_abs_determinant(), np.linalg.slogdet(dense)[1]),
            (operator.convolution_kernel(), kernel),
            (operator.inverse().matvec(x), np.linalg.solve(dense, x)),
            ((operator @ operator).to_dense(), dense @ dense),
        ):
            np.testing.assert_allclose(have, want, 2e-3, 2e-4)
        operator.assert_hermitian_spectrum()
        assert type(operator @ operator) is kind and operator.block_depth == len(shape)
        assert operator.block_shape == shape == tuple(operator.block_shape_tensor().numpy())


def test_words_and_kinds() -> None:
    """What is refused is refused with TensorFlow's classes and words, and products are of the
    simplest kind."""
    la = tf.linalg
    scaled, diag = la.LinearOperatorScaledIdentity(2, 3.0), la.LinearOperatorDiag([1.0, 2.0])
    full = la.LinearOperatorFullMatrix([[2.0]])
    lower = la.LinearOperatorLowerTriangular([[1.0, 0.0], [2.0, 3.0]])
    calls: list[tuple[Any, str]] = [
        (lambda: scaled.matmul([[1.0], [2.0], [3.0]]), "Dimensions 2 and 3 are not compatible"),
        (lambda: diag.matvec([1.0]), "Dimensions 2 and 1 are not compatible"),
        (lambda: diag.solve([[1.0]]), "Dimensions 2 and 1 are not compatible"),
        (lambda: diag.solvevec([1.0]), "Dimensions 2 and 1 are not compatible"),
        (lambda: diag.cholesky(), "Cannot take the Cholesky decomposition"),
        (lambda: la.LinearOperatorLowerTriangular([1.0]), "must have at least 2 dimensions"),
        (lambda: la.LinearOperatorHouseholder(1.0), "must have at least 1 dimension"),
        (lambda: la.LinearOperatorPermutation([0, 0]), "vector of unique integers from 0 to 1"),
        (lambda: la.LinearOperatorToeplitz([1.0], [1.0, 2.0]), "mismatched dimensions"),
        (lambda: la.LinearOperatorCirculant2D([1.0]), "must have at least 2 dimensions"),
    ]
    for call, words in calls:
        with pytest.raises(ValueError, match=words):
            call()
    for product, kind, dense in (
        (scaled @ diag, la.LinearOperatorDiag, [[3, 0], [0, 6]]),
        (diag @ scaled, la.LinearOperatorDiag, [[3, 0], [0, 6]]),
        (scaled.solve(diag), la.LinearOperatorDiag, [[1 / 3, 0], [0, 2 / 3]]),
        (lower @ diag, la.LinearOperatorLowerTriangular, [[1, 0], [2, 6]]),
        (diag @ la.LinearOperatorZeros(2), la.LinearOperatorZeros, np.zeros((2, 2))),
        (la.LinearOperatorZeros(2) @ diag, la.LinearOperatorZeros, np.zeros((2, 2))),
    ):
        assert type(product) is kind
        np.testing.assert_allclose(product.to_dense(), dense, 1e-6)
    assert la.LinearOperatorComposition([diag, lower]).name == (
        "LinearOperatorDiag_o_LinearOperatorLowerTriangular"
    )
    assert la.LinearOperatorKronecker([diag, full]).name.count("_x_") == 1
    assert la.LinearOperatorBlockDiag([diag, full]).name.count("_ds_") == 1
