"""Cases of the public functions: losses."""

from __future__ import annotations

import numpy as np
from scipy import special

import tfc as tf

from .case import case, integers, normal


def cases() -> None:
    x, logits = normal(4, 5) * 3, normal(4, 5)
    p = special.softmax(normal(4, 5), 1)
    for axis in (None, 0, -1):
        a = -1 if axis is None else axis
        case(
            "softmax",
            lambda v, k=axis: tf.nn.softmax(v, k),
            lambda v, a=a: special.softmax(v, a),
            x,
            rtol=1e-13,
        )
        case(
            "log_softmax",
            lambda v, k=axis: tf.nn.log_softmax(v, k),
            lambda v, a=a: special.log_softmax(v, a),
            x,
            rtol=1e-13,
        )
    case(
        "softmax_cross_entropy_with_logits",
        tf.nn.softmax_cross_entropy_with_logits,
        lambda y, z: -np.sum(y * special.log_softmax(z, -1), -1),
        p,
        logits,
        rtol=1e-13,
    )
    labels = integers(0, 5, 4)
    case(
        "sparse_softmax_cross_entropy_with_logits",
        tf.nn.sparse_softmax_cross_entropy_with_logits,
        lambda y, z: -special.log_softmax(z, -1)[np.arange(4), y],
        labels,
        logits,
        rtol=1e-13,
    )
    case(
        "sigmoid_cross_entropy_with_logits",
        lambda y, z: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=z),
        lambda y, z: np.logaddexp(z, 0) - y * z,
        p,
        logits,
        rtol=1e-13,
    )
    case("bias_add", tf.nn.bias_add, np.add, x, normal(5))
