"""Cases of the public functions: binary."""

from __future__ import annotations

import numpy as np

import tfc as tf

from .case import between, case, find, integers, normal


def cases() -> None:
    x, y = normal(3, 5), normal(5) + np.sign(normal(5)) * 0.2
    above = between(0.3, 3, 3, 5)
    for name, f in {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "truediv": np.divide,
        "divide": np.divide,
    }.items():
        case(name, find(name), f, x, y)
        case(name, find(name), f, x.astype(np.float32)[:, :1], y.astype(np.float32))
        if "div" not in name:
            case(name, find(name), f, integers(-9, 9, 4), integers(-9, 9, 2, 4))
    case(
        "squared_difference",
        tf.math.squared_difference,
        lambda a, b: (a - b) ** 2,
        x,
        y,
        rtol=1e-15,
    )
    case("pow", tf.pow, np.power, above, y, rtol=1e-14)
    case("pow", tf.pow, np.power, integers(-5, 5, 6), integers(0, 6, 6))
    case("atan2", tf.atan2, np.arctan2, x, y, rtol=1e-14)
    case("atan2", lambda v, w: tf.atan2(y=v, x=w), np.arctan2, x, y, rtol=1e-14)
    a, b = integers(-20, 20, 9), integers(1, 7, 9) * np.int32([1, -1] * 4 + [1])
    for name, f in {"floordiv": np.floor_divide, "floormod": np.mod, "mod": np.mod}.items():
        case(name, find(name), f, a, b)
        case(name, find(name), f, a.astype(np.float32), b.astype(np.float32))
    case("floormod", tf.math.floormod, np.mod, a + 0.3, b + 0.5)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        case(name, find(name), getattr(np, name), integers(0, 3, 2, 6), integers(0, 3, 6))
        case(
            name,
            find(name),
            getattr(np, name),
            np.array([1.0, np.nan]),
            np.array([1.0, 1.0]),
            smooth=(),
        )
    p, q = np.array([True, True, False, False]), np.array([True, False, True, False])
    for name in ("logical_and", "logical_or", "logical_xor"):
        case(name, find(name), getattr(np, name), p, q)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        case(
            name,
            getattr(tf.bitwise, name),
            getattr(np, name),
            integers(-9, 99, 5),
            integers(-9, 99, 5),
        )
    case("left_shift", tf.bitwise.left_shift, np.left_shift, integers(-9, 9, 5), integers(0, 9, 5))
    case(
        "right_shift",
        tf.bitwise.right_shift,
        np.right_shift,
        integers(-99, 99, 5),
        integers(0, 5, 5),
    )
    case(
        "right_shift",
        tf.bitwise.right_shift,
        np.right_shift,
        integers(0, 99, 5).astype(np.uint8),
        integers(0, 5, 5).astype(np.uint8),
    )
    case("add_n", lambda *v: tf.add_n(list(v)), lambda a, b, c: a + b + c, x, x * 2, x * 3)
    case("where", tf.where, np.where, x > 0, x, y)
    case(
        "where",
        lambda c: tf.where(c, 1.0, 2.0),
        lambda c: np.where(c, np.float32(1), np.float32(2)),
        x > 0,
    )
    case(
        "clip_by_value",
        lambda v: tf.clip_by_value(v, -0.55, 0.55),
        lambda v: np.clip(v, -0.55, 0.55),
        x,
    )
    case(
        "clip_by_norm",
        lambda v: tf.clip_by_norm(v, 1.5),
        lambda v: v * 1.5 / np.linalg.norm(v),
        x,
        rtol=1e-14,
    )
    case("clip_by_norm", lambda v: tf.clip_by_norm(v, 99.0), lambda v: v, x, rtol=1e-15)
    case("stop_gradient", tf.stop_gradient, lambda v: v, x, smooth=())
    case("identity", tf.identity, lambda v: v, x)
    for to in ("float32", "int32", "uint8", "bool", "float16"):
        case(
            "cast",
            lambda v, to=to: tf.cast(v, to),
            lambda v, to=to: v.astype(to),
            above * 20,
            smooth=(),
        )
    case(
        "cast",
        lambda v: tf.cast(tf.cast(v, tf.float32), tf.float64),
        lambda v: v.astype(np.float32).astype(np.float64),
        np.array([1.0, 2.0, -3.5]),
        smooth=(),
    )
    case(
        "saturate_cast",
        lambda v: tf.saturate_cast(v, tf.uint8),
        lambda v: np.clip(v, 0, 255).astype(np.uint8),
        integers(-400, 400, 9),
    )
    case(
        "saturate_cast",
        lambda v: tf.saturate_cast(v, tf.int8),
        lambda v: np.clip(v, -128, 127).astype(np.int8),
        normal(9) * 200,
        smooth=(),
    )
