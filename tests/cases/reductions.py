"""Cases of the public functions: reductions."""

from __future__ import annotations

import numpy as np
from scipy import special

import tfc as tf

from .case import case, find, integers, normal


def cases() -> None:
    x = normal(3, 4, 5)
    for axis in (None, 0, -1, (0, 2), [1]):
        where = tuple(axis) if isinstance(axis, list) else axis
        for keep in (False, True):
            for name, f in {
                "reduce_sum": np.sum,
                "reduce_mean": np.mean,
                "reduce_prod": np.prod,
                "reduce_max": np.max,
                "reduce_min": np.min,
                "reduce_variance": np.var,
                "reduce_std": np.std,
                "reduce_logsumexp": special.logsumexp,
            }.items():
                exact = name in ("reduce_max", "reduce_min")
                case(
                    name,
                    lambda v, f=find(name), a=axis, k=keep: f(v, a, keepdims=k),
                    lambda v, f=f, a=where, k=keep: f(v, axis=a, keepdims=k),
                    x,
                    rtol=0 if exact else 1e-12,
                    smooth=None if axis in (None, 0) and not keep else (),
                )
            for name, f in {"reduce_all": np.all, "reduce_any": np.any}.items():
                case(
                    name,
                    lambda v, f=find(name), a=axis, k=keep: f(v, a, keepdims=k),
                    lambda v, f=f, a=where, k=keep: f(v, axis=a, keepdims=k),
                    x > 0.5,
                )
    case("reduce_sum", lambda v: tf.reduce_sum(v, []), lambda v: v, x, smooth=())
    case("reduce_sum", tf.reduce_sum, lambda v: np.sum(v, dtype=np.int32), integers(-9, 9, 4, 5))
    case("reduce_mean", tf.reduce_mean, lambda v: np.int32(np.sum(v) / v.size), integers(-9, 9, 7))
    case("reduce_max", tf.reduce_max, np.max, integers(-9, 9, 4, 5))
    for name, f in {"argmax": np.argmax, "argmin": np.argmin}.items():
        for axis in (0, 1, -1):
            case(
                name,
                lambda v, f=find(name), a=axis: f(v, a),
                lambda v, f=f, a=axis: f(v, axis=a),
                integers(0, 4, 5, 6),
            )
        case(name, find(name), lambda v, f=f: f(v, axis=0), x, smooth=())
        case(
            name,
            lambda v, f=find(name): f(v, 0, tf.int32),
            lambda v, f=f: f(v, axis=0).astype(np.int32),
            x,
            smooth=(),
        )
