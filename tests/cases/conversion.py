"""Cases of the public functions: the same bits or tensor under another description."""

from __future__ import annotations

import numpy as np

import tfc as tf

from .case import case, integers, normal

ELSEWHERE = {
    "AggregationMethod",
    "VariableAggregation",
    "VariableSynchronization",
    "get_static_value",
    "gradients",  # test_gradients_of_traces.py
    "is_symbolic_tensor",
    "register_tensor_conversion_function",  # test_foreign_classes.py
}


def cases() -> None:
    x = normal(3, 4)
    for source, target in (
        (x, np.int64),
        (x.astype(np.float32), np.uint32),
        (integers(-9, 9, 5), np.float32),
        (x.astype(np.float16), np.int16),
    ):
        case(
            "bitcast",
            lambda v, t=target: tf.bitcast(v, t),
            lambda v, t=target: v.view(t),
            source,
            smooth=(),
        )
    for source, target in (
        (x, np.uint8),
        (x, np.float32),
        (x.astype(np.float32), np.int16),
        (integers(-9, 9, 2, 3), np.int8),
    ):
        case(
            "bitcast",
            lambda v, t=target: tf.bitcast(v, t),
            lambda v, t=target: v.view(t).reshape(*v.shape, -1),
            source,
            smooth=(),
        )
    for source, target in (
        (integers(0, 99, 3, 4).astype(np.uint8), np.float32),
        (integers(-99, 99, 3, 2), np.int64),
        (integers(-99, 99, 2, 4).astype(np.int16), np.float64),
    ):
        case(
            "bitcast",
            lambda v, t=target: tf.bitcast(v, t),
            lambda v, t=target: v.view(t)[..., 0],
            source,
            smooth=(),
        )
    case("ensure_shape", lambda v: tf.ensure_shape(v, [None, 4]) * 2.0, lambda v: v * 2, x)
    case("guarantee_const", lambda v: tf.guarantee_const(v) * 2.0, lambda v: v * 2, x)
    case("identity_n", lambda v: tf.identity_n([v, v])[1] * 2.0, lambda v: v * 2, x)
    case("tuple", lambda v: tf.tuple([None, v])[1] * 2.0, lambda v: v * 2, x)
