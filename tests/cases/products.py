"""Cases of the public functions: products."""

from __future__ import annotations

import numpy as np

import tfc as tf

from .case import case, integers, normal


def cases() -> None:
    for a, b in (
        ((3, 4), (4, 5)),
        ((2, 3, 4), (2, 4, 5)),
        ((2, 1, 3, 4), (3, 4, 2)),
        ((1, 4), (4, 1)),
    ):
        case("matmul", tf.matmul, np.matmul, normal(*a), normal(*b), rtol=1e-14)
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, transpose_a=True),
        lambda x, y: x.T @ y,
        normal(4, 3),
        normal(4, 5),
        rtol=1e-14,
    )
    case(
        "matmul",
        lambda x, y: tf.linalg.matmul(x, y, transpose_b=True),
        lambda x, y: x @ y.T,
        normal(3, 4),
        normal(5, 4),
        rtol=1e-14,
    )
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, adjoint_a=True, adjoint_b=True),
        lambda x, y: x.T @ y.T,
        normal(4, 3),
        normal(5, 4),
        rtol=1e-14,
    )
    case("matmul", tf.matmul, np.matmul, integers(-5, 5, 3, 4), integers(-5, 5, 4, 2))
    for axes in (0, 1, 2, [[0], [1]], [[1, 0], [0, 1]], (1, 0), [[-1], [-2]]):
        b = normal(3, 4).T if axes in (1, (1, 0), [[0], [1]], [[1, 0], [0, 1]]) else normal(3, 4)
        if axes == [[-1], [-2]]:
            b = normal(4, 3)
        case(
            "tensordot",
            lambda x, y, a=axes: tf.tensordot(x, y, a),
            lambda x, y, a=axes: np.tensordot(x, y, a),
            normal(3, 4),
            b,
            rtol=1e-13,
        )
