"""Cases of the public functions: products, diagonals and norms of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .case import case, find, integers, normal

ELSEWHERE = {"tensor_diag", "tensor_diag_part"}  # test_linalg.py
# test_linear_operators.py
# (TensorFlow, which may run these cases in tfc's place, has no __all__.)
ELSEWHERE |= {
    name
    for name in getattr(tf.linalg, "__all__", dir(tf.linalg))
    if name.startswith("LinearOperator")
}
EXACT = 1e-13


def cases() -> None:
    _products()
    _diagonals()
    _norms()
    _einsums()


def _products() -> None:
    case("matmul", tf.matmul, np.matmul, normal(2, 3, 4), normal(4, 5), rtol=EXACT)
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, adjoint_a=True, transpose_b=True, a_is_sparse=True),
        lambda x, y: np.swapaxes(x, 1, 2) @ y.T,
        normal(2, 4, 3),
        normal(5, 4),
        rtol=EXACT,
    )
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, output_type=tf.int32),
        lambda x, y: x.astype(np.int32) @ y.astype(np.int32),
        integers(-99, 99, 3, 4).astype(np.int8),
        integers(0, 200, 4, 2).astype(np.uint8),
    )
    for a, b in (((3, 4), (4,)), ((2, 3, 4), (4,)), ((3, 4), (2, 4)), ((2, 1, 3, 4), (5, 4))):
        case(
            "matvec",
            tf.linalg.matvec,
            lambda x, y: (x @ y[..., None])[..., 0],
            normal(*a),
            normal(*b),
            rtol=EXACT,
        )
    case(
        "matvec",
        lambda x, y: tf.linalg.matvec(x, y, transpose_a=True),
        lambda x, y: x.T @ y,
        integers(-5, 5, 4, 3),
        integers(-5, 5, 4),
    )
    case(
        "tensordot",
        lambda x, y: tf.tensordot(x, y, [[2, 0], [0, -1]]),
        lambda x, y: np.tensordot(x, y, [[2, 0], [0, 2]]),
        normal(2, 3, 4),
        normal(4, 5, 2),
        rtol=EXACT,
    )
    case("cross", tf.linalg.cross, np.cross, normal(2, 4, 3), normal(2, 4, 3), rtol=EXACT)
    case("cross", tf.linalg.cross, np.cross, integers(-5, 5, 3), integers(-5, 5, 3))
    case(
        "matrix_transpose",
        tf.linalg.matrix_transpose,
        lambda x: np.swapaxes(x, 1, 2),
        normal(2, 3, 4),
    )
    case("adjoint", tf.linalg.adjoint, np.transpose, normal(3, 4))


def _stripes(x: Any, low: int, high: int, align: str, fill: float = 0) -> Any:
    """What diag_part gives, by NumPy."""
    above, below = align.split("_")
    diagonals = [np.diagonal(x, d, -2, -1) for d in range(high, low - 1, -1)]
    longest = max(d.shape[-1] for d in diagonals)
    rows = []
    for d, own in zip(range(high, low - 1, -1), diagonals, strict=True):
        right = (above if d > 0 else below) == "RIGHT"
        gap = longest - own.shape[-1]
        width = [(0, 0)] * (own.ndim - 1) + [(gap, 0) if right else (0, gap)]
        rows.append(np.pad(own, width, constant_values=fill))
    return np.stack(rows, -2) if low != high else rows[0]


def _diagonals() -> None:
    x = normal(2, 4, 5)
    for low, high, align in (
        (0, 0, "RIGHT_LEFT"),
        (-2, -2, "RIGHT_LEFT"),
        (-1, 2, "RIGHT_LEFT"),
        (-3, 0, "LEFT_RIGHT"),
        (-2, 3, "LEFT_LEFT"),
    ):
        k: Any = low if low == high else (low, high)
        args = low, high, align
        case(
            "diag_part",
            lambda v, k=k, a=align: tf.linalg.diag_part(v, k=k, align=a, padding_value=7.0),
            lambda v, a=args: _stripes(v, *a, fill=7),
            x,
        )
        band = (np.arange(5) - np.arange(4)[:, None] >= low) & (
            np.arange(5) - np.arange(4)[:, None] <= high
        )
        case(
            "diag",
            lambda v, k=k, a=align: tf.linalg.diag(
                tf.linalg.diag_part(v, k=k, align=a), k=k, num_rows=4, num_cols=5, align=a
            ),
            lambda v, m=band: np.where(m, v, 0),
            x,
            smooth=[0] if low < high else (),
        )
        stripes = _stripes(normal(2, 4, 5), *args)
        case(
            "set_diag",
            lambda v, d, k=k, a=align: tf.linalg.set_diag(v, d, k=k, align=a),
            lambda v, d, m=band, k=k, a=align: np.where(
                m,
                np.asarray(tf.linalg.diag(d, k=k, num_rows=4, num_cols=5, align=a)),
                v,
            ),
            x,
            stripes,
            smooth=[0, 1] if low < high else (),
        )
    case("diag", tf.linalg.diag, np.diag, integers(-9, 9, 5))
    case("diag", lambda v: tf.linalg.diag(v, k=2), lambda v: np.diag(v, 2), normal(3))
    case(
        "diag",
        lambda v: tf.linalg.diag(v, k=-1, padding_value=3.0, num_cols=5),
        lambda v: np.where(np.eye(4, 5, -1) > 0, np.pad(np.diag(v, -1), ((0, 0), (0, 1))), 3),
        normal(3),
        symbolic=False,
    )
    for low, high in ((0, 0), (1, 0), (-1, 1), (9, 9)):
        d = np.arange(5) - np.arange(4)[:, None]
        keep = ((low < 0) | (-d <= low)) & ((high < 0) | (d <= high))
        case(
            "band_part",
            lambda v, low=low, high=high: tf.linalg.band_part(v, low, high),
            lambda v, keep=keep: np.where(keep, v, 0),
            x,
            smooth=[0] if low == 1 else (),
        )
    case("trace", tf.linalg.trace, lambda v: np.trace(v, axis1=-2, axis2=-1), x, rtol=EXACT)
    case("trace", tf.linalg.trace, lambda v: np.int32(np.trace(v)), integers(-9, 9, 5, 3))


def _norms() -> None:
    x = normal(2, 3, 4) + 0.1
    for order, axis, keep in (
        ("euclidean", None, False),
        ("euclidean", 1, True),
        (2, -1, False),
        (1, 0, False),
        (np.inf, 2, True),
        (3, 1, False),
        (1.5, [0], True),
        ("euclidean", (0, 2), True),
        ("fro", [-2, -1], True),
        (1, (1, 2), False),
        (1, (2, 0), True),
        (np.inf, (1, 2), True),
        (np.inf, (-1, 0), False),
    ):
        case(
            "norm",
            lambda v, o=order, a=axis, k=keep: tf.norm(v, o, a, k),
            lambda v, o=order, a=axis, k=keep: np.linalg.norm(
                v.reshape(-1) if a is None else v,
                None if o == "euclidean" else o,
                tuple(a)
                if isinstance(a, list) and len(a) > 1
                else a[0]
                if isinstance(a, list)
                else a,
                k,
            ),
            x,
            rtol=EXACT,
            smooth=[0] if not keep else (),
        )
    case(
        "normalize",
        lambda v: list(tf.linalg.normalize(v, axis=1)),
        lambda v: [
            v / np.linalg.norm(v, axis=1, keepdims=True),
            np.linalg.norm(v, axis=1, keepdims=True),
        ],
        x,
        rtol=EXACT,
    )


def _einsums() -> None:
    differentiated = {
        "bij,bjk->bik",
        "ijij->j",
        "i,i->i",
        "...ij,...jk->...ik",
        "ij,kl->ik",
        "ij,jk,kl->il",
        "aab,bcc->ac",
    }
    for equation, *shapes in (
        ("ij,jk->ki", (3, 4), (4, 5)),
        ("jk,ij", (4, 5), (3, 4)),
        ("ji,j->i", (4, 5), (4,)),
        ("i,ji->j", (5,), (4, 5)),
        ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
        ("bhqd,bkhd->bhqk", (2, 3, 4, 5), (2, 6, 3, 5)),
        ("ij->j", (3, 4)),
        ("ii", (4, 4)),
        ("iij->ji", (3, 3, 4)),
        ("ijij->j", (3, 4, 3, 4)),
        ("i,i->", (5,), (5,)),
        ("i,i->i", (5,), (5,)),
        ("ij,kl->ik", (2, 3), (4, 5)),
        ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 2)),
        ("...ij,jk->...ik", (2, 3, 4), (4, 2)),
        ("i...->...", (2, 3, 4)),
        ("...i,...i", (2, 1, 4), (3, 4)),
        ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
        ("ij,ik,il,jkl->i", (2, 3), (2, 4), (2, 5), (3, 4, 5)),
        ("aab,bcc->ac", (2, 2, 3), (3, 4, 4)),
    ):
        case(
            "einsum",
            lambda *v, e=equation: tf.einsum(e, *v),
            lambda *v, e=equation: np.asarray(np.einsum(e, *v)),
            *(normal(*s) for s in shapes),
            rtol=EXACT,
            smooth=range(len(shapes)) if equation in differentiated else (),
        )
    case("einsum", lambda v: tf.einsum("i->ii", v), np.diag, normal(4))
    case(
        "einsum",
        lambda x, y: tf.einsum("ik,kj->ij", x, y, optimize="optimal", name="product"),
        np.matmul,
        integers(-9, 9, 3, 4),
        integers(-9, 9, 4, 2),
    )
    case(
        "einsum",
        lambda *v: find("einsum")("ij,jk,kl->il", *v, optimize=[(1, 2), (0, 1)]),
        lambda x, y, z: x @ (y @ z),
        normal(2, 3),
        normal(3, 4),
        normal(4, 5),
        rtol=EXACT,
        smooth=(),
    )
    case(
        "einsum",
        lambda x: tf.einsum("...ij->ij", x),
        lambda x: x.sum((0, 1)),
        normal(2, 3, 2, 2),
        rtol=EXACT,
    )
