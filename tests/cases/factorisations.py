"""Cases of the public functions: factorisations and solvers."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

import tfc as tf

from .case import case, find, normal

CLOSE = 1e-11
# Tested in test_linalg.py, up to what the factors are told by.
ELSEWHERE = {"eig", "eigvals", "logm"}


def definite(x: Any, product: Any = np.matmul, eye: Any = np.eye) -> Any:
    """A symmetric positive definite matrix made from x."""
    flipped = tf.linalg.matrix_transpose(x) if isinstance(x, tf.Tensor) else np.swapaxes(x, -1, -2)
    return product(x, flipped) + eye(3, dtype=x.dtype)


def of(x: Any) -> Any:
    return definite(x, tf.matmul, tf.eye)


def cases() -> None:
    _hermitian()
    _inverses()
    _decompositions()
    _solvers()


def _hermitian() -> None:
    x = normal(2, 3, 3)
    rhs = normal(2, 3, 2)
    rows: list[tuple[str, Any, Any]] = [
        (
            "cholesky",
            lambda v: tf.linalg.cholesky(of(v)),
            lambda v: np.linalg.cholesky(definite(v)),
        ),
        ("logdet", lambda v: tf.linalg.logdet(of(v)), lambda v: np.linalg.slogdet(definite(v))[1]),
        (
            "eigvalsh",
            lambda v: tf.linalg.eigvalsh(of(v)),
            lambda v: np.linalg.eigvalsh(definite(v)),
        ),
        (
            "eigh",
            lambda v: list(tf.linalg.eigh(of(v))),
            lambda v: list(np.linalg.eigh(definite(v))),
        ),
        (
            "sqrtm",
            lambda v: tf.linalg.sqrtm(of(v)),
            lambda v: np.stack([linalg.sqrtm(definite(m)) for m in v]),
        ),
    ]
    for name, call, reference in rows:
        case(name, call, reference, x, rtol=CLOSE)
    case(
        "cholesky_solve",
        lambda v, r: tf.linalg.cholesky_solve(tf.linalg.cholesky(of(v)), r),
        lambda v, r: np.linalg.solve(definite(v), r),
        x,
        rhs,
        rtol=CLOSE,
    )


def _inverses() -> None:
    x = normal(2, 3, 3) + 3 * np.eye(3)
    rhs = normal(2, 3, 2)
    case("inv", tf.linalg.inv, np.linalg.inv, x, rtol=CLOSE)
    case(
        "inv",
        lambda v: tf.linalg.inv(v, adjoint=True),
        lambda v: np.linalg.inv(v).T,
        x[0].astype(np.float32),
        rtol=1e-5,
    )
    case("det", tf.linalg.det, np.linalg.det, x, rtol=CLOSE)
    case(
        "slogdet",
        lambda v: list(tf.linalg.slogdet(v)),
        lambda v: list(np.linalg.slogdet(v)),
        x,
        rtol=CLOSE,
    )
    case("solve", tf.linalg.solve, np.linalg.solve, x, rhs, rtol=CLOSE)
    case(
        "solve",
        lambda v, r: tf.linalg.solve(v, r, adjoint=True),
        lambda v, r: np.linalg.solve(v.T, r),
        x[0],
        rhs,
        rtol=CLOSE,
    )
    case("expm", tf.linalg.expm, linalg.expm, np.stack([normal(3, 3), 9 * normal(3, 3)]), rtol=1e-9)


def _decompositions() -> None:
    deep, wide, square = normal(2, 4, 3), normal(3, 4), normal(3, 3)
    for x in (deep, wide, square):
        once = [0] if x is square else ()  # the other shapes are in the table of the IR's ops
        case(
            "qr",
            lambda v: list(tf.linalg.qr(v)),
            lambda v: list(np.linalg.qr(v)),
            x,
            rtol=CLOSE,
            smooth=once,
        )
        case(
            "svd",
            lambda v: tf.linalg.svd(v, compute_uv=False),
            lambda v: np.linalg.svd(v, compute_uv=False),
            x,
            rtol=CLOSE,
            smooth=[0] if x is deep else (),
        )

        def reference(v: Any, full: bool = False) -> Any:
            u, s, vh = np.linalg.svd(v, full)
            return [s, u, np.swapaxes(vh, -1, -2)]

        case("svd", lambda v: list(tf.linalg.svd(v)), reference, x, rtol=CLOSE, smooth=once)
        case(
            "svd",
            lambda v: list(tf.linalg.svd(v, full_matrices=True)),
            lambda v, f=reference: f(v, True),
            x,
            rtol=CLOSE,
            smooth=(),
        )
        smooth = [0] if x is wide else ()
        case("pinv", tf.linalg.pinv, np.linalg.pinv, x, rtol=CLOSE, smooth=smooth)
        case(
            "matrix_rank",
            lambda v: tf.linalg.matrix_rank(v[..., :2] @ tf.ones([2, 2], v.dtype)),
            lambda v: np.linalg.matrix_rank(v[..., :2] @ np.ones((2, 2))).astype(np.int32),
            x,
            smooth=(),
        )
        case(
            "norm",
            lambda v: tf.norm(v, 2, [-2, -1], True),
            lambda v: np.linalg.norm(v, 2, (-2, -1), True),
            x,
            rtol=CLOSE,
            smooth=smooth,
        )
    case(
        "qr",
        lambda v: list(tf.linalg.qr(v, full_matrices=True)),
        lambda v: list(np.linalg.qr(v, "complete")),
        deep,
        rtol=CLOSE,
        smooth=(),
    )
    case(
        "normalize",
        lambda v: list(tf.linalg.normalize(v, 2, (1, 0))),
        lambda v: [v / np.linalg.norm(v, 2), np.linalg.norm(v, 2, keepdims=True)],
        wide,
        rtol=CLOSE,
    )


def _solvers() -> None:
    x = normal(2, 3, 3) + 3 * np.eye(3)
    rhs = normal(2, 3, 2)
    for lower in (True, False):
        for adjoint in (True, False):

            def solved(v: Any, r: Any, lower: bool = lower, adjoint: bool = adjoint) -> Any:
                t = np.tril(v) if lower else np.triu(v)
                return np.linalg.solve(np.swapaxes(t, -1, -2) if adjoint else t, r)

            case(
                "triangular_solve",
                lambda v, r, lo=lower, a=adjoint: tf.linalg.triangular_solve(v, r, lo, a),
                solved,
                x if lower else x[0],
                rhs,
                rtol=CLOSE,
                smooth=[0, 1] if lower == adjoint else (),
            )

    def factors(v: Any) -> list[Any]:
        packed, places = [], []
        for m in v:
            p, lo, u = linalg.lu(m, p_indices=True)
            order = np.argsort(p)
            packed.append(np.tril(lo, -1) + u)
            places.append(order.astype(np.int32))
        return [np.stack(packed), np.stack(places)]

    tall = normal(2, 4, 4)
    case("lu", lambda v: list(tf.linalg.lu(v)), factors, tall, rtol=CLOSE, smooth=())
    case("lu", lambda v: tf.linalg.lu(v, tf.int64).lu, lambda v: factors(v)[0], tall, rtol=CLOSE)
    case(
        "lu_reconstruct",
        lambda v: tf.linalg.lu_reconstruct(*tf.linalg.lu(v)),
        lambda v: v,
        tall,
        rtol=CLOSE,
    )
    case(
        "lu_matrix_inverse",
        lambda v: tf.linalg.lu_matrix_inverse(*tf.linalg.lu(v)),
        np.linalg.inv,
        tall,
        rtol=CLOSE,
    )
    case(
        "lu_solve",
        lambda v, r: tf.linalg.lu_solve(*tf.linalg.lu(v), r),
        np.linalg.solve,
        tall[0],
        normal(2, 4, 3),
        rtol=CLOSE,
    )
    deep, wide = normal(2, 4, 3), normal(3, 4)
    case(
        "lstsq",
        tf.linalg.lstsq,
        lambda v, r: np.linalg.pinv(v) @ r,
        deep,
        normal(2, 4, 2),
        rtol=CLOSE,
    )
    case("lstsq", tf.linalg.lstsq, lambda v, r: np.linalg.pinv(v) @ r, wide, rhs[0], rtol=CLOSE)
    case(
        "lstsq",
        lambda v, r: tf.linalg.lstsq(v, r, l2_regularizer=0.5),
        lambda v, r: np.linalg.solve(v.T @ v + 0.5 * np.eye(3), v.T @ r),
        deep[0],
        normal(4, 2),
        rtol=CLOSE,
        smooth=(),
    )
    case(
        "lstsq",
        lambda v, r: find("lstsq")(v, r, fast=False),
        lambda v, r: np.linalg.pinv(v) @ r,
        wide,
        rhs[0],
        rtol=CLOSE,
        smooth=(),
    )
    _tridiagonal()


def _tridiagonal() -> None:
    for lower in (True, False):
        k = (-2, 0) if lower else (0, 2)
        case(
            "banded_triangular_solve",
            lambda t, r, lower=lower: tf.linalg.banded_triangular_solve(t, r, lower),
            lambda t, r, k=k: np.linalg.solve(tf.linalg.diag(t, k=k, align="LEFT_RIGHT"), r),
            normal(2, 3, 4) + 3,
            normal(4, 2),
            rtol=CLOSE,
            symbolic=False,
            smooth=[0, 1] if lower else (),
        )

    def dense(t: Any) -> Any:
        i = np.arange(t.shape[-1])
        full = np.zeros((*t.shape[:-2], len(i), len(i)))
        full[..., i[:-1], i[1:]] = t[..., 0, :-1]
        full[..., i, i] = t[..., 1, :]
        full[..., i[1:], i[:-1]] = t[..., 2, 1:]
        return full

    def sequence(t: Any) -> Any:
        return [t[..., 0, :-1], t[..., 1, :], t[..., 2, 1:]]

    bands, rhs = normal(2, 3, 5), normal(2, 5, 2)
    for name, f in (("tridiagonal_solve", np.linalg.solve), ("tridiagonal_matmul", np.matmul)):
        call = find(name)
        case(name, call, lambda t, r, f=f: f(dense(t), r), bands, rhs, rtol=CLOSE)
        case(
            name,
            lambda t, r, call=call: call(sequence(t), r, diagonals_format="sequence"),
            lambda t, r, f=f: f(dense(t), r),
            bands,
            rhs,
            rtol=CLOSE,
            smooth=(),
        )
        case(
            name,
            lambda t, r, call=call: call(t, r, "matrix"),
            lambda t, r, f=f: f(np.triu(np.tril(t, 1), -1), r),
            normal(4, 4),
            normal(4, 3),
            rtol=CLOSE,
            smooth=(),
        )
    case(
        "tridiagonal_solve",
        lambda t, r: tf.linalg.tridiagonal_solve(t, r, partial_pivoting=False),
        lambda t, r: np.linalg.solve(dense(t), r),
        bands[0] + 3 * np.eye(3)[1][:, None],
        normal(5),
        rtol=CLOSE,
    )
    case(
        "tridiagonal_solve",
        lambda t, r: tf.linalg.tridiagonal_solve(t, r, transpose_rhs=True),
        lambda t, r: np.linalg.solve(dense(t), r.T),
        bands[0],
        normal(2, 5),
        rtol=CLOSE,
    )
