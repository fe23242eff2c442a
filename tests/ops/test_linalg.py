"""Linear algebra: errors, complex matrices, empty ones, and what factors are told by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.types import parse_type

Invalid = tf.errors.InvalidArgumentError
rng = np.random.default_rng(3)


def normal(*shape: int) -> np.ndarray:
    return rng.normal(size=shape)


def complex_(*shape: int) -> np.ndarray:
    return normal(*shape) + 1j * normal(*shape)


def hermitian(*shape: int) -> np.ndarray:
    x = complex_(*shape)
    return x @ np.conj(np.swapaxes(x, -1, -2)) + np.eye(shape[-1])


ONES = np.ones((2, 2), np.float32)
WIDE = np.ones((2, 3), np.float32)
SQUARE = [
    "cholesky",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "logdet",
    "lu",
    "slogdet",
    "sqrtm",
]
ERRORS: list[tuple[Any, tuple[Any, ...], type[BaseException], str]] = [
    *((getattr(tf.linalg, n), (WIDE,), Invalid, "must be square.*2,3") for n in SQUARE),
    *((getattr(tf.linalg, n), (ONES[0],), Invalid, r"at least 2-dim.*\[2\]") for n in SQUARE),
    (tf.linalg.cholesky, (-ONES,), Invalid, "Cholesky decomposition was not successful"),
    (tf.linalg.logdet, (-ONES,), Invalid, "Cholesky decomposition was not successful"),
    (tf.linalg.inv, (ONES,), Invalid, "Input is not invertible"),
    (tf.linalg.solve, (ONES, ONES), Invalid, "Input matrix is not invertible"),
    (tf.linalg.lu, (ONES,), Invalid, "not invertible"),
    (tf.linalg.triangular_solve, (0 * ONES, ONES), Invalid, "Input matrix is not invertible"),
    (tf.linalg.solve, (ONES, WIDE.T), Invalid, r"incompatible: \[2,2\], \[3,2\]"),
    (tf.linalg.solve, (ONES, ONES.astype("float64")), Invalid, "float32 tensor but is a float64"),
    (tf.linalg.svd, (ONES.astype("int32"),), Invalid, "int32: takes float32, float64, complex64"),
    (tf.linalg.logm, (ONES,), Invalid, "float32: takes complex64"),
    (tf.linalg.sqrtm, (-np.eye(2),), Invalid, "no real square root"),
    (tf.linalg.qr, (ONES.astype("float16"),), Invalid, "float16: takes float32"),
    (
        tf.linalg.tridiagonal_solve,
        (ONES, ONES),
        ValueError,
        "Expected 3 diagonals got 2",
    ),
    (
        lambda x: tf.linalg.tridiagonal_solve(0 * x, x),
        (np.ones((3, 3), np.float32),),
        Invalid,
        "not invertible",
    ),
    (tf.linalg.diag_part, (ONES[0],), Invalid, "at least 2-dim"),
    (lambda x: tf.linalg.diag_part(x, k=(2, 1)), (WIDE,), Invalid, "must not be larger"),
    (lambda x: tf.linalg.diag_part(x, k=3), (WIDE,), Invalid, "upper_diag|lower_diag"),
    (lambda x: tf.linalg.diag_part(x, align="LEFT"), (WIDE,), ValueError, "align must be one of"),
    (lambda x: tf.linalg.diag(x, num_rows=1), (ONES[0],), Invalid, "number of rows is too small"),
    (tf.linalg.set_diag, (WIDE, WIDE), Invalid, r"diagonal must have shape \[2\]"),
    (tf.linalg.tensor_diag_part, (WIDE,), Invalid, "do not match"),
    (tf.linalg.cross, (ONES, ONES), Invalid, "last dimension 3"),
    (lambda x: tf.norm(x, "fro"), (ONES,), ValueError, "supported vector norm"),
    (lambda x: tf.norm(x, 3, (0, 1)), (ONES,), ValueError, "supported matrix norm"),
    (lambda x: tf.norm(x, -1), (ONES,), ValueError, "positive number"),
    (tf.norm, (ONES.astype("int32"),), Invalid, "norm: not defined for dtype int32"),
    (lambda x: tf.matmul(x, x, True, adjoint_a=True), (ONES,), ValueError, "Only one of"),
    (tf.matmul, (ONES, ONES[0]), Invalid, "at least 2 dimensions"),
    (tf.matmul, (ONES, WIDE.T), Invalid, r"In\[0\]: \[2,2\], In\[1\]: \[3,2\]"),
    (lambda x, y: tf.tensordot(x, y, 1), (WIDE, WIDE), Invalid, "size-incompatible"),
    (lambda x, y: tf.tensordot(x, y, 3), (WIDE, WIDE), ValueError, "must not be larger"),
    (lambda x, y: tf.tensordot(x, y, [[0], [0, 1]]), (WIDE, WIDE), ValueError, "1 != 2"),
    (lambda x: tf.einsum("ij->k", x), (ONES,), ValueError, "the label 'k'"),
    (lambda x: tf.einsum("i1->i", x), (ONES,), ValueError, "incorrect format"),
    (lambda x: tf.einsum("ij,jk", x), (ONES,), ValueError, "Got 1 inputs .* expecting 2"),
    (lambda x: tf.einsum("ijk->", x), (ONES,), ValueError, "rank 2"),
    (lambda x: tf.einsum("ij,jk", x, x), (WIDE,), Invalid, "dimension 3 for the label 'j'"),
    (lambda x: tf.einsum("ii", x), (WIDE,), Invalid, "dimension 2 for the label 'i'"),
]


@pytest.mark.parametrize(("call", "arrays", "kind", "text"), ERRORS)
def test_errors(call: Callable[..., Any], arrays: Any, kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text) as caught:
        call(*map(tf.constant, arrays))
    assert "test_linalg.py" in str(caught.value)


def test_errors_of_values_come_from_compiled_functions_too() -> None:
    for f, x in ((tf.linalg.cholesky, -ONES), (tf.linalg.lu, ONES)):
        with pytest.raises(Invalid, match=r"not (successful|invertible)"):
            tf.function(lambda v, f=f: f(v))(tf.constant(x))


# Complex matrices.

COMPLEX: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "matmul": (tf.matmul, np.matmul, (complex_(2, 3), complex_(3, 4))),
    "adjoint": (
        lambda x, y: tf.matmul(x, y, adjoint_a=True),
        lambda x, y: x.conj().T @ y,
        (complex_(3, 2), complex_(3, 4)),
    ),
    "einsum": (
        lambda x, y: tf.einsum("aij,jk->aik", x, y),
        lambda x, y: x @ y,
        (complex_(2, 3, 4), complex_(4, 2)),
    ),
    "norm": (tf.norm, np.linalg.norm, (complex_(3, 2),)),
    "inv": (tf.linalg.inv, np.linalg.inv, (complex_(2, 3, 3),)),
    "det": (tf.linalg.det, np.linalg.det, (complex_(2, 3, 3),)),
    "solve": (
        lambda x, y: tf.linalg.solve(x, y, adjoint=True),
        lambda x, y: np.linalg.solve(x.conj().T, y),
        (complex_(3, 3), complex_(3, 2)),
    ),
    "triangular_solve": (
        lambda x, y: tf.linalg.triangular_solve(x, y, adjoint=True),
        lambda x, y: np.linalg.solve(np.tril(x).conj().T, y),
        (complex_(3, 3), complex_(3, 2)),
    ),
    "cholesky": (
        lambda x: tf.linalg.cholesky(x @ tf.linalg.adjoint(x)),
        lambda x: np.linalg.cholesky(x @ x.conj().T),
        (complex_(3, 4),),
    ),
    "qr": (lambda x: tf.linalg.qr(x)[0], lambda x: np.linalg.qr(x)[0], (complex_(4, 3),)),
    "qr wide": (lambda x: tf.linalg.qr(x)[1], lambda x: np.linalg.qr(x)[1], (complex_(3, 4),)),
    "svdvals": (
        lambda x: tf.linalg.svd(x, compute_uv=False),
        lambda x: np.linalg.svd(x, compute_uv=False),
        (complex_(4, 3),),
    ),
    "pinv": (tf.linalg.pinv, np.linalg.pinv, (complex_(4, 3),)),
    "eigvalsh": (
        lambda x: tf.linalg.eigvalsh(x + tf.linalg.adjoint(x)),
        lambda x: np.linalg.eigvalsh(x + x.conj().T),
        (complex_(3, 3),),
    ),
    "eigvals": (tf.linalg.eigvals, np.linalg.eigvals, (complex_(3, 3),)),
    "lu": (lambda x: tf.linalg.lu_reconstruct(*tf.linalg.lu(x)), lambda x: x, (complex_(2, 4, 4),)),
    "tridiagonal": (
        lambda d, y: tf.linalg.tridiagonal_solve(d, y),
        lambda d, y: np.linalg.solve(
            np.diag(d[0, :-1], 1) + np.diag(d[1]) + np.diag(d[2, 1:], -1), y
        ),
        (complex_(3, 4), complex_(4, 2)),
    ),
    "expm": (tf.linalg.expm, lambda x: _expm(x), (complex_(3, 3),)),
    "logm": (tf.linalg.logm, lambda x: _expm(x, np.log), (hermitian(3, 3) + 0.1j * normal(3, 3),)),
    "sqrtm": (
        lambda x: tf.linalg.sqrtm(x @ x),
        lambda x: x,
        (hermitian(3, 3),),
    ),
}


def _expm(x: np.ndarray, f: Any = np.exp) -> np.ndarray:
    e, v = np.linalg.eig(x)
    return (v * f(e)) @ np.linalg.inv(v)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex(name: str) -> None:
    """Against NumPy; and the gradient of Re(sum(conj(w) * y)) against finite differences."""
    call, reference, arrays = COMPLEX[name]
    wanted = np.asarray(reference(*arrays))
    operands = [tf.constant(a) for a in arrays]
    got = call(*operands)
    np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-10)
    w = normal(*wanted.shape) + (1j * normal(*wanted.shape) if np.iscomplexobj(got) else 0)
    with tf.GradientTape() as tape:
        tape.watch(operands)
        y = call(*operands)
    grads = tape.gradient(y, operands, output_gradients=tf.constant(w, y.dtype))
    for i, g in enumerate(grads):
        d = complex_(*arrays[i].shape)
        ends = []
        for step in (1e-6, -1e-6):
            moved = [tf.constant(a + step * d if j == i else a) for j, a in enumerate(arrays)]
            ends.append(np.sum(np.conj(w) * np.asarray(call(*moved))).real)
        slope = (ends[0] - ends[1]) / 2e-6
        assert np.sum(np.conj(np.asarray(g)) * d).real == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_eigenvalues_have_the_dtype_of_the_matrix() -> None:
    """As in TensorFlow: so that v @ diag(e) @ v^H is written alike for all dtypes."""
    for x in (hermitian(3, 3), hermitian(3, 3).real.astype(np.float32)):
        e, v = tf.linalg.eigh(x)
        values = tf.linalg.eigvalsh(x)
        assert e.dtype == values.dtype == v.dtype == x.dtype
        assert np.allclose(v @ tf.linalg.diag(e) @ tf.linalg.adjoint(v), x, atol=1e-5)
        assert np.allclose(values, np.linalg.eigvalsh(x), atol=1e-5)


def test_gradients_that_do_not_depend_on_phases() -> None:
    """Of complex singular vectors and of eigenvectors, by what is the same for every choice."""

    def projector(x: Any) -> Any:
        s, u, v = tf.linalg.svd(x)
        return tf.matmul(u[:, :1], v[:, :1], adjoint_b=True) * tf.cast(s[0], x.dtype)

    def spectral(x: Any) -> Any:
        e, v = tf.linalg.eigh(x + tf.linalg.adjoint(x))
        return tf.matmul(v[:, :1], v[:, :1], adjoint_b=True) * tf.cast(e[0], x.dtype)

    def general(x: Any) -> Any:
        e, v = tf.linalg.eig(x)
        return v @ tf.linalg.diag(tf.exp(e * 0.1)) @ tf.linalg.inv(v)

    for f, x in (
        (projector, complex_(4, 3)),
        (spectral, complex_(3, 3)),
        (general, complex_(3, 3)),
        (general, normal(3, 3)),
    ):
        w = tf.constant(complex_(*np.asarray(f(tf.constant(x))).shape))
        t = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = tf.math.real(tf.reduce_sum(tf.math.conj(w) * tf.cast(f(t), w.dtype)))
        g = np.asarray(tape.gradient(y, t))
        d = complex_(*x.shape) if np.iscomplexobj(x) else normal(*x.shape)
        ends = [
            np.sum(np.conj(np.asarray(w)) * np.asarray(f(tf.constant(x + s * d)))).real
            for s in (1e-6, -1e-6)
        ]
        slope = (ends[0] - ends[1]) / 2e-6
        assert np.sum(np.conj(g) * d).real == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_eig() -> None:
    for dtype in ("float32", "float64", "complex64", "complex128"):
        x = (complex_(2, 4, 4) if "complex" in dtype else normal(2, 4, 4)).astype(dtype)
        e, v = tf.linalg.eig(tf.constant(x))
        assert e.dtype == v.dtype == tf.linalg.eigvals(x).dtype
        assert e.dtype.is_complex and e.dtype.size == 2 * np.dtype(dtype).itemsize // (
            1 + ("complex" in dtype)
        )
        np.testing.assert_allclose(x @ v.numpy(), v.numpy() * e.numpy()[:, None], atol=1e-4)


# Empty matrices, infinite ones, second derivatives, and the rest.


def test_determinants_of_infinite_numbers() -> None:
    """inf * 0 is not 0, though LAPACK sees only the 0."""
    inf = np.inf
    x = tf.constant([[[inf, 1.0], [1.0, 0.0]], [[inf, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]]])
    np.testing.assert_array_equal(tf.linalg.det(x), [np.nan, inf, 0])
    np.testing.assert_array_equal(tf.linalg.slogdet(x)[1], [np.nan, inf, -inf])


def test_empty_matrices() -> None:
    none = tf.zeros([2, 0, 0])
    for name in ("cholesky", "inv", "expm", "sqrtm"):
        assert getattr(tf.linalg, name)(none).shape == (2, 0, 0)
    assert tf.linalg.det(none).numpy().tolist() == [1, 1]
    assert [t.shape for t in tf.linalg.svd(tf.zeros([0, 3]))] == [(0,), (0, 0), (3, 0)]
    assert [t.shape for t in tf.linalg.qr(tf.zeros([3, 0]), True)] == [(3, 3), (3, 0)]
    assert [t.shape for t in tf.linalg.lu(none)] == [(2, 0, 0), (2, 0)]
    assert tf.linalg.triangular_solve(none, tf.zeros([2, 0, 3])).shape == (2, 0, 3)
    assert tf.linalg.diag_part(tf.zeros([0, 3])).shape == (0,)
    assert tf.linalg.diag(tf.zeros([2, 0])).shape == (2, 0, 0)
    assert tf.einsum("ij,jk", tf.zeros([2, 0]), tf.zeros([0, 3])).numpy().tolist() == [[0] * 3] * 2
    assert tf.tensordot(tf.zeros([2, 0]), tf.zeros([0, 3]), 1).shape == (2, 3)


def test_a_hessian_through_cholesky() -> None:
    """log det(x) has the second derivative -x^-1 d x^-1."""
    x = tf.constant(hermitian(3, 3).real)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.linalg.logdet(x)
        g = tape.gradient(y, x)
        total = tf.reduce_sum(g * g)
    inverse = np.linalg.inv(x.numpy())
    np.testing.assert_allclose(g, inverse, atol=1e-12)
    np.testing.assert_allclose(
        outer.gradient(total, x), -2 * inverse @ inverse @ inverse, atol=1e-11
    )


def test_factors_of_lu() -> None:
    x = normal(3, 17, 17).astype(np.float32)
    lu, p = tf.linalg.lu(tf.constant(x))
    assert p.dtype is tf.int32 and tf.linalg.lu(x, tf.int64).p.dtype is tf.int64
    lower = np.tril(lu.numpy(), -1) + np.eye(17, dtype=np.float32)
    assert np.abs(lower).max() <= 1
    back = lower @ np.triu(lu.numpy())
    np.testing.assert_allclose(np.take_along_axis(x, p.numpy()[..., None], 1), back, atol=1e-5)


def test_tensor_diag() -> None:
    x = normal(2, 3)
    t = tf.linalg.tensor_diag(tf.constant(x))
    assert t.shape == (2, 3, 2, 3)
    np.testing.assert_array_equal(t, np.diag(x.ravel()).reshape(2, 3, 2, 3))
    np.testing.assert_array_equal(tf.linalg.tensor_diag_part(t), x)
    f = tf.function(
        tf.linalg.tensor_diag_part, input_signature=[tf.TensorSpec([None] * 4, tf.float64)]
    )
    np.testing.assert_array_equal(f(t), x)


def test_eye() -> None:
    np.testing.assert_array_equal(tf.eye(2, 3, [2], tf.int32), np.stack([np.eye(2, 3)] * 2))

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def like(x: Any) -> Any:
        return tf.eye(tf.shape(x)[0], tf.shape(x)[1], batch_shape=[2])

    assert like(tf.zeros([3, 4])).numpy().tolist() == [np.eye(3, 4).tolist()] * 2


def test_bounds_of_bands_may_be_tensors() -> None:
    x = normal(4, 4)
    f = tf.function(lambda x, low, high: tf.linalg.band_part(x, low, high))
    for low, high in ((0, 1), (-1, 0), (2, -1)):
        want = np.tril(x, 4 if high < 0 else high)
        want = np.triu(want, -4 if low < 0 else -low)
        np.testing.assert_array_equal(f(x, tf.constant(low), tf.constant(high)), want)


def test_shapes_that_turn_out_otherwise() -> None:
    """A trace takes a matrix of unknown extents to have as many rows as columns at least."""
    f = tf.function(
        lambda x: (tf.linalg.svd(x, compute_uv=False), tf.linalg.trace(x), tf.linalg.diag_part(x)),
        input_signature=[tf.TensorSpec([None, None], tf.float64)],
    )
    for shape in ((4, 3), (3, 4), (3, 3), (1, 5)):
        x = normal(*shape)
        s, trace, diagonal = f(tf.constant(x))
        np.testing.assert_allclose(s, np.linalg.svd(x, compute_uv=False), rtol=1e-12)
        assert float(trace) == pytest.approx(np.trace(x))
        np.testing.assert_array_equal(diagonal, np.diag(x))


def test_half_precision_products_are_summed_in_float32() -> None:
    x = tf.constant(normal(3, 300), tf.bfloat16)
    y = tf.einsum("ik,jk->ij", x, x)
    wide = x.numpy().astype(np.float64)
    assert y.dtype is tf.bfloat16
    np.testing.assert_allclose(y.numpy().astype(np.float64), wide @ wide.T, rtol=2**-8, atol=0.3)
    assert tf.matmul(x, x, transpose_b=True, output_type=tf.float32).dtype is tf.float32


def test_extents_that_are_known_when_it_runs() -> None:
    """Rows that a mask keeps: there may be fewer than columns, or more."""

    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.boolean_mask(x, x[:, 0] > 0)
            s = tf.linalg.svd(y, compute_uv=False)
            r = tf.linalg.qr(y).r
            loss = tf.reduce_sum(s) + tf.reduce_sum(r * r)
        square = tf.einsum("ij,ik->jk", y, y)
        return s, tf.linalg.trace(y), tf.linalg.diag_part(y), square, tape.gradient(loss, x)

    for count in (0, 2, 3, 5):
        x = normal(6, 3)
        x[:, 0] = np.where(np.arange(6) < count, 1, -1) * np.abs(x[:, 0])
        y = x[:count]
        s, trace, diagonal, square, g = f(tf.constant(x))
        u, want, vh = np.linalg.svd(y, full_matrices=False)
        np.testing.assert_allclose(s, want, atol=1e-12)
        assert float(trace) == pytest.approx(np.trace(y))
        np.testing.assert_array_equal(diagonal, np.diag(y))
        np.testing.assert_allclose(square, y.T @ y, atol=1e-12)
        np.testing.assert_allclose(g[:count], u @ vh + 2 * y, atol=1e-9)
        assert not np.asarray(g)[count:].any()


BAND = {"low": 0, "high": 0, "right_above": False, "right_below": False}
TRIANGLE = {"lower": True, "adjoint": False}
BAD_OPERANDS: list[tuple[str, tuple[str, ...], dict[str, Any], str]] = [
    ("diagonals", ("f32[3,3]", "f32"), {**BAND, "length": 2}, "longest diagonal has 3"),
    ("diagonals", ("f32[3,3]", "f64"), {**BAND, "length": 3}, "fill must be a scalar"),
    ("diagonals", ("f32[3]", "f32"), {**BAND, "length": 3}, "takes matrices"),
    ("diagonals", ("f32[3,3]", "f32"), {**BAND, "low": 1, "length": 3}, "no diagonals"),
    ("from_diagonals", ("f32[2,3]", "f32"), {**BAND, "rows": 3, "columns": 3}, "2 diagonals"),
    ("from_diagonals", ("f32[1,3]", "f32"), {**BAND, "rows": 4, "columns": 4}, "longest"),
    ("triangular_solve", ("f32[2,3]", "f32[2,1]"), TRIANGLE, "must be square"),
    ("triangular_solve", ("f32[2,2]", "f32[3,1]"), TRIANGLE, "incompatible"),
    ("triangular_solve", ("f32[2,2]", "f64[2,1]"), TRIANGLE, "same dtype"),
    ("triangular_solve", ("i32[2,2]", "i32[2,1]"), TRIANGLE, "takes float32"),
    ("tridiagonal_solve", ("f32[2,4]", "f32[4,1]"), {"pivoting": True}, "three diagonals"),
    ("tridiagonal_solve", ("f32[3,4]", "f32[5,1]"), {"pivoting": True}, "do not fit"),
    ("lu", ("f32[n,m]",), {}, "must be square"),
    ("cholesky", ("f32[n,m]",), {}, "must be square"),
    ("inverse", ("f32[3]",), {}, "rank >= 2"),
    ("solve", ("f32[2,2]", "f32[3,1]"), {}, "incompatible"),
    ("svd", ("f16[2,2]",), {"full": False, "count": 2}, "takes float32, float64"),
    ("matrix_logarithm", ("f32[2,2]",), {}, "takes complex64"),
]


@pytest.mark.parametrize(("name", "types", "attributes", "message"), BAD_OPERANDS)
def test_operands_that_ops_do_not_take(
    name: str, types: tuple[str, ...], attributes: dict[str, Any], message: str
) -> None:
    op = Op.by_name[name](*(Value(parse_type(t)) for t in types), **attributes)
    with pytest.raises(OpError, match=message) as caught:
        Builder().emit(op)
    assert str(caught.value).startswith(f"{name}({', '.join(types)}): ")


def test_diagonals_of_bools() -> None:
    """0, what stands beside diagonals unless told otherwise, is False."""
    mask = np.array([True, False, True])
    for run in (lambda f, x: f(x), lambda f, x: tf.function(f)(x)):
        np.testing.assert_array_equal(run(tf.linalg.diag, mask), np.diag(mask))
        np.testing.assert_array_equal(
            run(lambda x: tf.linalg.diag(x, k=-1), mask), np.diag(mask, -1)
        )
        np.testing.assert_array_equal(run(tf.linalg.diag_part, np.diag(mask)), mask)
    full = tf.linalg.diag(mask, padding_value=True).numpy()
    np.testing.assert_array_equal(full, np.diag(mask) | ~np.eye(3, dtype=bool))
    with pytest.raises(TypeError):
        tf.linalg.diag(mask, padding_value=2)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_exponentials_of_many_matrices_are_those_of_each(dtype: str) -> None:
    """The same bits, whatever degrees and how many squarings the others take."""
    x = normal(60, 3, 3) * np.exp2(rng.integers(-12, 9, (60, 1, 1)))
    x[0], x[1, 0, 0], x[2, 1, 1] = 0, np.nan, np.inf
    whole = tf.linalg.expm(tf.constant(x, dtype)).numpy()
    for one, matrix in zip(whole, x, strict=True):
        alone = tf.linalg.expm(tf.constant(matrix, dtype)).numpy()
        np.testing.assert_array_equal(one, alone)
    np.testing.assert_array_equal(whole[0], np.eye(3))
    assert np.isnan(whole[1:3]).all() and np.isfinite(whole[3:].real).any((-1, -2)).sum() > 40
    assert tf.linalg.expm(tf.zeros([2, 0, 0])).shape == (2, 0, 0)
