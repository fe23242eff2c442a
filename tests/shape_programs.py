"""Programs whose sizes are not known when they are traced, for test_function_ways.py: what is done
with the shapes of tensors, on `rows`, `images` and `words` of any number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import tfc as tf


class Program(NamedTuple):
    """`f(x)` for x = `make(n)`, n the number of rows."""

    f: Callable[..., Any]
    make: Callable[[int], Any]
    empty: bool = True  # whether there is something to compare where nothing comes in
    smooth: bool = True  # whether it has a gradient


def images(n: int) -> Any:
    return np.random.default_rng(n).normal(size=(n, 6, 6, 2)).astype(np.float32)


def rows(n: int) -> Any:
    return np.random.default_rng(n).normal(size=(n, 4)).astype(np.float32)


W = tf.constant(np.random.default_rng(7).normal(size=(4, 3)), tf.float32)
KERNEL = tf.constant(np.random.default_rng(8).normal(size=(3, 3, 2, 4)), tf.float32)


def dense(x: Any) -> Any:
    return tf.nn.softmax(tf.tanh(x @ W))


def mean_and_loss(x: Any) -> Any:
    y = x @ W
    return tf.reduce_mean(y, 0), tf.reduce_sum(tf.nn.log_softmax(y) * y)


def normalised(x: Any) -> Any:
    mean, variance = tf.nn.moments(x, [0])
    return (x - mean) * tf.math.rsqrt(variance + 1e-3)


def convolution(x: Any) -> Any:
    y = tf.nn.relu(tf.nn.conv2d(x, KERNEL, 1, "SAME"))
    y = tf.nn.max_pool2d(y, 2, 2, "VALID")
    return tf.nn.avg_pool2d(y, 2, 1, "SAME")


def flattened(x: Any) -> Any:
    return tf.reshape(x, [tf.shape(x)[0], -1]), tf.reshape(x, [-1, 2])


def joined(x: Any) -> Any:
    return tf.concat([x, x[:1], x * 2.0], 0), tf.stack([x, -x], 1)


def parts(x: Any) -> Any:
    a, b = tf.split(tf.concat([x, x], 0), 2)
    return a - b * 0.5, x[1:], x[::-1], x[:, ::2], x[..., tf.newaxis]


def padded(x: Any) -> Any:
    n = tf.shape(x)[0]
    return tf.pad(x, [[1, 2], [0, 1]]), tf.pad(x, [[0, 0], [2, 2]], "REFLECT"), tf.zeros([n, 2])


def counted(x: Any) -> Any:
    n = tf.shape(x)[0]
    return tf.range(n), tf.range(n) * 2 + tf.size(x), tf.one_hot(tf.range(n), 4) * x


def looped(x: Any) -> Any:
    total = tf.zeros([4])
    for i in tf.range(tf.shape(x)[0]):
        total += x[i] * tf.cast(i, tf.float32)
    return total


def chosen(x: Any) -> Any:
    return tf.boolean_mask(x, x[:, 0] > 0.0), tf.where(x > 0.0, x, x * 0.5)


def places(x: Any) -> Any:
    return tf.where(x[:, 0] > 0.0), tf.unique(tf.cast(x[:, 0] * 2.0, tf.int32)).y


def outer(x: Any) -> Any:
    return tf.reduce_sum(x[:, None, :] * x[None, :, :], -1), tf.linalg.matmul(x, x, False, True)


def gathered(x: Any) -> Any:
    return tf.gather(x, tf.range(tf.shape(x)[0])[::-1]), tf.math.cumsum(x), tf.sort(x, 0)


def words(n: int) -> Any:
    """Small integers, of which some are equal."""
    return np.random.default_rng(n).integers(0, 4, size=n).astype(np.int32)


def arithmetic(x: Any) -> Any:
    """Extents are computed with, and are shapes again."""
    n, k = tf.shape(x)[0], tf.shape(x)[1]
    half = (n + 1) // 2
    y = tf.concat([x, tf.zeros([2 * half - n, k])], 0)
    return tf.reshape(y, [half, 2 * k]), tf.fill([n * k], 0.5), tf.cast(n % 3 * k, tf.float32) * x


def broadcast(x: Any) -> Any:
    n = tf.shape(x)[0]
    wide = tf.broadcast_to(x[:, :1], [n, 3])
    return wide * x[:, :3], tf.tile(x, [2, 1]), tf.repeat(x, 2, 0), x + tf.ones([n, 1, 1])


def strided(x: Any) -> Any:
    n = tf.shape(x)[0]
    return x[n // 2 :, 1:3], x[:-1:2], x[None, ..., -1], tf.slice(x, [0, 1], [n, 2])


def pieces(x: Any) -> Any:
    a, b, c = tf.split(x, [1, 2, 1], 1)
    return tf.concat([c, b * a], -1), tf.stack(tf.unstack(x, axis=1), 0), tf.roll(x, 1, 0)


def spaced(x: Any) -> Any:
    y = tf.nn.conv2d(x, KERNEL, 2, "VALID", dilations=1)
    z = tf.nn.depthwise_conv2d(x, tf.reshape(KERNEL, [3, 3, 2, 4]), [1, 1, 1, 1], "SAME")
    return y, tf.nn.max_pool2d(z, 3, 2, "SAME"), tf.reduce_mean(z, [1, 2])


def products(x: Any) -> Any:
    batch = x[:, :, None] * x[:, None, :]
    return tf.matmul(batch, batch), tf.einsum("ni,nj->ij", x, x), tf.linalg.matvec(batch, x)


def parted(x: Any) -> Any:
    """Data tell the sizes of the parts."""
    kinds = tf.cast(x[:, 0] > 0.0, tf.int32) + tf.cast(x[:, 1] > 0.0, tf.int32)
    parts = tf.dynamic_partition(x * 2.0, kinds, 3)
    places = tf.dynamic_partition(tf.range(tf.shape(x)[0]), kinds, 3)
    return tf.dynamic_stitch(places, [p * float(i) for i, p in enumerate(parts)]), parts[1]


def masked(x: Any) -> Any:
    kept = tf.boolean_mask(x, tf.reduce_sum(x, 1) > 0.0)
    n = tf.shape(kept)[0]
    return kept[::-1] * 2.0, tf.reduce_sum(kept, 0), tf.range(n) * tf.size(kept)


def found(x: Any) -> Any:
    at = tf.where(x > 0.5)
    return at, tf.gather_nd(x, at) * 3.0, tf.scatter_nd(at, tf.ones(tf.shape(at)[:1]), tf.shape(x))


def counts(x: Any) -> Any:
    y, places = tf.unique(x)
    both = tf.unique_with_counts(x)
    return y, places, both.count, tf.gather(y * 2, places)


def segments(x: Any) -> Any:
    ids = tf.range(tf.shape(x)[0]) // 2
    return tf.math.segment_sum(x, ids), tf.math.unsorted_segment_max(x, ids % 2, 2)


def decided(x: Any) -> Any:
    """Branches on a size."""
    if tf.shape(x)[0] > 2:
        y = tf.reduce_sum(tf.exp(x), 0)
    else:
        y = tf.zeros([4])
    return y, tf.cond(tf.size(x) > 4, lambda: x * 2.0, lambda: -x)


def counted_down(x: Any) -> Any:
    i, total = tf.shape(x)[0], tf.zeros([4])
    while i > 0:
        i -= 1
        total = total * 0.5 + x[i]
    return total


def nested(x: Any) -> Any:
    @tf.function
    def inner(y: Any) -> Any:
        return tf.nn.softmax(y) * tf.cast(tf.shape(y)[0], tf.float32)

    return inner(x[1:]), inner(tf.concat([x, x], 0))


def mapped(x: Any) -> Any:
    y = tf.map_fn(lambda row: row * tf.reduce_sum(row), x)
    return y, tf.scan(lambda a, row: a * 0.5 + row, x, tf.zeros([4]))


PROGRAMS = [
    Program(dense, rows),
    Program(mean_and_loss, rows, empty=False),  # 0 / 0 is nan, of either sign
    Program(normalised, rows, empty=False),
    Program(convolution, images),
    Program(flattened, images, empty=False),  # -1 is no number of columns
    Program(joined, rows),
    Program(parts, rows),
    Program(padded, rows),
    Program(counted, rows),
    Program(looped, rows),
    Program(chosen, rows),
    Program(places, rows, smooth=False),
    Program(outer, rows),
    Program(gathered, rows),
    Program(arithmetic, rows),
    Program(broadcast, rows),
    Program(strided, rows),
    Program(pieces, rows),
    Program(spaced, images, empty=False),
    Program(products, rows),
    Program(parted, rows),
    Program(masked, rows),
    Program(found, rows),
    Program(counts, words, smooth=False),
    Program(segments, rows),
    Program(decided, rows),
    Program(counted_down, rows),
    Program(nested, rows),
    Program(mapped, rows),
]
