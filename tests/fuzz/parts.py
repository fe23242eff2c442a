"""What random programs call: what users write with statements, which a step of a program, being an
expression, cannot say. Each takes tensors and gives one of the type of the first, unless it says
otherwise; AutoGraph finds their source here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as tf

Body = Callable[[Any], Any]

TWO = ("CPU:0", "CPU:0")


# Tapes.


def slope(f: Body, x: Any) -> Any:
    """The gradient of the sum of f(x)."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x))
    return tape.gradient(y, x, unconnected_gradients="zero")


def second_slope(f: Body, x: Any) -> Any:
    """The gradient of the sum of the squares of the gradient. It gives none itself: third ones are
    added up piece by piece in eager code, and in another order in functions."""
    return tf.stop_gradient(slope(lambda v: tf.square(slope(f, v)), x))


def descent(f: Body, x: Any, rounds: Any) -> Any:
    """A tape in each round of a loop."""
    for _ in tf.range(rounds):
        x -= tf.cast(0.125, x.dtype) * slope(f, x)
    return x


def python_descent(f: Body, x: Any, rounds: int) -> Any:
    """The same in a loop of Python's, with a tape that lives on."""
    for _ in range(rounds):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
            z = y * y
        first, second = (tape.gradient(v, x, unconnected_gradients="zero") for v in (y, z))
        x = x - (first + second) * tf.cast(0.0625, x.dtype)
    return x


def paused(f: Body, x: Any) -> Any:
    """A tape that does not see all."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
        with tape.stop_recording():
            z = f(y)
        w = y * tf.cast(3, x.dtype) + z
    return tape.gradient(w, x, unconnected_gradients="zero")


def weighted_slope(f: Body, x: Any, weights: Any) -> Any:
    """A gradient with cotangents of its own."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x, output_gradients=weights, unconnected_gradients="zero")


def row_slopes(f: Body, x: Any) -> Any:
    """The diagonal of a Jacobian, row by row: of a vector."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tf.reduce_sum(tape.jacobian(y, x), 0)


# Python's control flow.


def until(x: Any, limit: Any, rounds: int) -> Any:
    """A loop with `break`, `continue` and a branch, on the sum of x."""
    i = tf.constant(0)
    while i < rounds:
        i += 1
        if tf.reduce_sum(x) > limit:
            break
        if i % 2 == 1:
            x = x + tf.cast(1, x.dtype)
            continue
        x = x * tf.cast(2, x.dtype)
    return x


def early(x: Any, limit: Any) -> Any:
    """A function that returns from a loop."""
    for i in tf.range(4):
        x = x + tf.cast(i, x.dtype)
        if tf.reduce_max(x) > limit:
            return x * tf.cast(3, x.dtype)
    return x


def rows_in_turn(x: Any) -> Any:
    """A TensorArray that rows of x are written into, last ones first."""
    count = tf.shape(x)[0]
    rows = tf.TensorArray(x.dtype, size=count, element_shape=x.shape[1:])
    last = tf.zeros_like(x[0])
    for i in tf.range(count):
        last = x[count - 1 - i] + last
        rows = rows.write(i, last)
    return rows.stack()


# What is changed in place.


def filled_in(x: Any, rounds: Any) -> Any:
    """Rows of what a loop carries are overwritten; what it began with is used after it."""
    y = tf.identity(x)
    for i in tf.range(rounds):
        row = i % tf.shape(x)[0]
        y = tf.tensor_scatter_nd_update(y, [[row]], [y[row] + x[0]])
    return y - x


def swapped(x: Any, y: Any, rounds: Any) -> Any:
    """Two values of a type that change places."""
    for _ in tf.range(rounds):
        x, y = y, x + y
    return x


def kept_and_changed(v: Any, x: Any) -> Any:
    """What a Variable held is read before and after it is changed, in part and as a whole."""
    before = v.read_value()
    v.assign_add(x)
    between = v + before
    v[:1].assign(v[:1] + v[:1])
    return between - v


def moved(v: Any, m: Any, x: Any) -> Any:
    """A step with momentum, by two Variables of a type."""
    m.assign(tf.cast(0.5, m.dtype) * m + x)
    v.assign_sub(tf.cast(0.25, v.dtype) * m)
    return v + m


# Values that are no numbers, or of extents that data have.


def spelled(x: Any) -> Any:
    """Integers to strings and back: of int32 or int64."""
    words = tf.strings.join([tf.strings.as_string(x), "7"])
    return tf.strings.to_number(words, x.dtype)


def buckets(x: Any) -> Any:
    """Integers by way of the hash of what they are written as, int64."""
    return tf.strings.to_hash_bucket_fast(tf.strings.as_string(x), 97)


def lengths(x: Any) -> Any:
    """How long strings are, and how many of them there are: int32."""
    words = tf.strings.as_string(x)
    return tf.strings.length(words) + tf.size(words)


def ragged_sums(x: Any, n: int) -> Any:
    """Rows of up to n elements of a vector, whose sums are given back to their elements."""
    rows = tf.range(tf.size(x)) // n
    ragged = tf.RaggedTensor.from_value_rowids(x, rows)
    sums = tf.reduce_sum(ragged, axis=1)
    return tf.gather(sums, rows) + (ragged * tf.cast(2, x.dtype)).flat_values


def ragged_padded(x: Any) -> Any:
    """A triangle of a matrix' rows, as a ragged tensor and back, and its largest elements."""
    size = tf.shape(x)
    ragged = tf.RaggedTensor.from_tensor(x, lengths=tf.range(size[0]) % (size[1] + 1))
    return ragged.to_tensor(tf.cast(3, x.dtype), shape=[None, x.shape[1]])


def masked_sum(x: Any) -> Any:
    """The elements above 0, by two ways: a scalar."""
    some = tf.boolean_mask(x, x > tf.cast(0, x.dtype))
    there = tf.gather_nd(x, tf.where(x > tf.cast(0, x.dtype)))
    return tf.reduce_sum(some) + tf.reduce_max(tf.concat([there, [tf.cast(1, x.dtype)]], 0))


def put_together(x: Any, parts: int) -> Any:
    """Rows that are divided by their numbers, and stitched again: as many, which is to be said."""
    n = tf.shape(x)[0]
    which = tf.range(n) * 5 % parts
    rows = tf.dynamic_partition(x, which, parts)
    places = tf.dynamic_partition(tf.range(n), which, parts)
    stitched = tf.dynamic_stitch(places, [r + tf.cast(i, x.dtype) for i, r in enumerate(rows)])
    return tf.ensure_shape(stitched, x.shape)


def distinct(x: Any) -> Any:
    """The places of the distinct values of a vector, int32."""
    values, places = tf.unique(x)
    return places + tf.size(values)


def sparse_product(x: Any) -> Any:
    """A matrix by itself, the first one sparse."""
    return tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(x), x, adjoint_b=True)


# Replicas.


def by_replicas(f: Body, x: Any) -> Any:
    """Two replicas of this process, each of which adds what both have."""
    strategy = tf.distribute.MirroredStrategy(list(TWO))

    def replica(v: Any) -> Any:
        context = tf.distribute.get_replica_context()
        own = f(v) * tf.cast(context.replica_id_in_sync_group + 1, v.dtype)
        return own + context.all_reduce("SUM", own)

    return strategy.reduce("SUM", strategy.run(replica, (x,)), axis=None)
