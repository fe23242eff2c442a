"""Cases of the public functions: shapes."""

from __future__ import annotations

import numpy as np

import tfc as tf

from .case import case, find, integers, normal


def shapes() -> None:
    x, n = normal(2, 3, 4), integers(-9, 9, 2, 3)
    for shape in ([6, 4], [-1], [4, -1, 2], (24,), np.array([3, 8]), [2, 1, 3, 4]):
        case(
            "reshape",
            lambda v, s=shape: tf.reshape(v, s),
            lambda v, s=shape: np.reshape(v, tuple(s)),
            x,
        )
    case("reshape", lambda v: tf.reshape(v, tf.constant([3, 2])), lambda v: v.reshape(3, 2), n)
    case("reshape", lambda v: tf.reshape(v, []), lambda v: v.reshape(()), normal(1))
    for axis in (0, 1, -1, 3):
        case(
            "expand_dims",
            lambda v, a=axis: tf.expand_dims(v, a),
            lambda v, a=axis: np.expand_dims(v, a),
            x,
        )
    for axis in (None, []):
        squeezed = normal(1, 3, 1)
        case("squeeze", lambda v, a=axis: tf.squeeze(v, a), np.squeeze, squeezed, symbolic=False)
    case("squeeze", lambda v: tf.squeeze(v, [-1]), lambda v: np.squeeze(v, -1), normal(1, 3, 1))
    for perm in (None, (2, 0, 1), [0, 2, 1], (-1, 0, 1)):
        case(
            "transpose",
            lambda v, p=perm: tf.transpose(v, p),
            lambda v, p=perm: np.transpose(v, p),
            x,
        )
    case(
        "broadcast_to",
        lambda v: tf.broadcast_to(v, [4, 2, 3]),
        lambda v: np.broadcast_to(v, (4, 2, 3)),
        normal(2, 1),
    )
    for axis in ([0], [1, 2], [-1]):
        case(
            "reverse", lambda v, a=axis: tf.reverse(v, a), lambda v, a=axis: np.flip(v, tuple(a)), x
        )
    for axis in (0, 1, -1):
        case(
            "concat",
            lambda a, b, k=axis: tf.concat([a, b], k),
            lambda a, b, k=axis: np.concatenate([a, b], k),
            x,
            x * 2,
        )
        case(
            "stack",
            lambda a, b, k=axis: tf.stack([a, b], k),
            lambda a, b, k=axis: np.stack([a, b], k),
            x,
            x,
        )
        case(
            "unstack",
            lambda v, k=axis: tf.unstack(v, axis=k),
            lambda v, k=axis: list(np.moveaxis(v, k, 0)),
            x,
            symbolic=False,
        )
    case("concat", lambda a, b: tf.concat([a, b], 0), lambda a, b: np.concatenate([a, b]), n, n[:0])
    case("split", lambda v: tf.split(v, 2, -1), lambda v: np.split(v, 2, -1), x)
    case("split", lambda v: tf.split(v, [1, -1], 1), lambda v: np.split(v, [1], 1), x)
    case("split", lambda v: tf.split(v, [1, 0, 1]), lambda v: np.split(v, [1, 1]), x)
    case("tile", lambda v: tf.tile(v, [2, 1, 3]), lambda v: np.tile(v, (2, 1, 3)), x)
    case("tile", lambda v: tf.tile(v, [0, 2]), lambda v: np.tile(v, (0, 2)), n)
    case(
        "pad",
        lambda v: tf.pad(v, [[1, 0], [0, 2], [3, 1]]),
        lambda v: np.pad(v, ((1, 0), (0, 2), (3, 1))),
        x,
    )
    case(
        "pad",
        lambda v: tf.pad(v, [[1, 0], [0, 2]], constant_values=7),
        lambda v: np.pad(v, ((1, 0), (0, 2)), constant_values=7),
        n,
    )
    case("slice", lambda v: tf.slice(v, [0, 1, 2], [2, 1, -1]), lambda v: v[:, 1:2, 2:], x)
    places = integers(0, 3, 2, 2)
    for axis in (0, 1, 2, -1):
        bound = places % x.shape[axis]
        case(
            "gather",
            lambda v, i, a=axis: tf.gather(v, i, axis=a),
            lambda v, i, a=axis: np.take(v, i, axis=a),
            x,
            bound,
        )
    case("gather", lambda v, i: tf.gather(v, i), lambda v, i: v[i], x, np.int64(1))
    case("shape", tf.shape, lambda v: np.array(v.shape, np.int32), x, smooth=())
    case("shape", lambda v: tf.shape(v, tf.int64), lambda v: np.array(v.shape), x, smooth=())
    case("size", tf.size, lambda v: np.int32(v.size), x, smooth=())
    case("rank", tf.rank, lambda v: np.int32(v.ndim), x, smooth=())
    for name in ("zeros_like", "ones_like"):
        case(name, find(name), getattr(np, name), n)
        case(
            name,
            lambda v, f=find(name): f(v, tf.float32),
            lambda v, f=getattr(np, name): f(v, np.float32),
            n,
        )


def making() -> None:
    one = np.float32(1)
    case("zeros", lambda v: tf.zeros([2, 3]) + v, lambda v: np.zeros((2, 3), np.float32) + v, one)
    case("ones", lambda v: tf.ones((2,), tf.int32), lambda v: np.ones(2, np.int32), one)
    case("zeros", lambda v: tf.zeros(3, tf.bool), lambda v: np.zeros(3, bool), one)
    case("fill", lambda v: tf.fill([2, 2], v), lambda v: np.full((2, 2), v), np.float64(2.5))
    case("constant", lambda v: tf.constant([1, 2]) * 1, lambda v: np.array([1, 2], np.int32), one)
    case("convert_to_tensor", lambda v: tf.convert_to_tensor(v) + 1.0, lambda v: v + one, one)
    for args in ((5,), (2, 9), (9, 2, -3), (0, 0), (1.0, 2.0, 0.25), (5, 2)):
        case(
            "range",
            lambda v, a=args: tf.range(*a) * 1,
            lambda v, a=args: np.arange(*a).astype(
                np.float32 if isinstance(a[-1], float) else np.int32
            ),
            one,
        )
    case("range", lambda v: tf.range(4, dtype=tf.float64), lambda v: np.arange(4.0), one)
    case(
        "linspace",
        lambda v: tf.linspace(0.0, 1.0, 5),
        lambda v: np.linspace(0, 1, 5, dtype=np.float32),
        one,
    )
    case("linspace", lambda v: tf.linspace(3.0, 1.0, 1), lambda v: np.float32([3]), one)
    case("linspace", lambda v: tf.linspace(1, 2, 4), lambda v: np.linspace(1, 2, 4), one)
    case("linspace", lambda v: tf.linspace(1.0, 2.0, 0), lambda v: np.zeros(0, np.float32), one)
    for axis in (0, 1, -1):
        case(
            "linspace",
            lambda low, high, a=axis: tf.linspace(low, high, 6, axis=a),
            lambda low, high, a=axis: np.linspace(low, high, 6, axis=a),
            normal(2, 1),
            normal(3),
            rtol=1e-15,
        )
    case("eye", lambda v: tf.eye(3), lambda v: np.eye(3, dtype=np.float32), one)
    case("eye", lambda v: tf.eye(2, 4, dtype=tf.int32), lambda v: np.eye(2, 4, dtype=np.int32), one)
    case(
        "eye",
        lambda v: tf.linalg.eye(2, batch_shape=[3]),
        lambda v: np.broadcast_to(np.eye(2, dtype=np.float32), (3, 2, 2)),
        one,
    )
    labels = integers(0, 4, 2, 3)
    case("one_hot", lambda i: tf.one_hot(i, 4), lambda i: np.eye(4, dtype=np.float32)[i], labels)
    case(
        "one_hot",
        lambda i: tf.one_hot(i, 4, axis=0),
        lambda i: np.moveaxis(np.eye(4, dtype=np.float32)[i], -1, 0),
        labels,
    )
    case(
        "one_hot",
        lambda i: tf.one_hot(i, 2, 5, -5, dtype=tf.int32),
        lambda i: np.where(i[..., None] == np.arange(2), np.int32(5), np.int32(-5)),
        labels,
    )


def cases() -> None:
    shapes()
    making()
