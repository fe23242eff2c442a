"""What random programs call of families of functions that users build on: traces that are shared or
taken again, layers and models, datasets, tables, forward mode, rows within rows, numbers of few
bits, Variables in loops. As in parts.py, each takes tensors and gives one of the type of the first,
unless it says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as tf

Body = Callable[[Any], Any]


# Functions within functions, and what they are traced for.


def retraced(f: Body, x: Any) -> Any:
    """One function for rows of several numbers: along the first axis."""
    inner = tf.function(f, reduce_retracing=True)
    return inner(x) + tf.concat([inner(x[:1]), inner(x[1:])], 0)


def signed(f: Body, x: Any) -> Any:
    """A function whose sizes are left open, twice."""
    inner = tf.function(f, input_signature=[tf.TensorSpec([None] * len(x.shape), x.dtype)])
    return tf.ensure_shape(inner(inner(x)), x.shape)


def structured(f: Body, x: Any) -> Any:
    """Structures, None and numbers of Python as arguments, and structures as results."""

    @tf.function
    def inner(parts: Any, factor: Any = 2, *, skipped: Any = None) -> Any:
        first, rest = parts["first"], parts["rest"]
        added = first if skipped is None else first + skipped
        return {"a": (f(added), rest[0] * tf.cast(factor, x.dtype)), "b": [added]}

    one = inner({"first": x, "rest": [x, None]})
    other = inner({"first": one["a"][0], "rest": (x,)}, 3, skipped=one["b"][0])
    return other["a"][0] + other["a"][1] - other["b"][0]


def in_order(f: Body, x: Any) -> Any:
    """Assertions, identities and dependencies around a value."""
    check = tf.debugging.assert_equal(tf.shape(x), tf.shape(tf.identity(x)))
    with tf.control_dependencies([] if check is None else [check]):
        a, b = tf.identity_n([f(x), x])
    with tf.name_scope("inner"):
        return tf.nest.map_structure(tf.add, (a,), (b,))[0]


# Derivatives. What is of second order here gives none itself: third ones are added up piece by
# piece in eager code, and in another order in functions.


def forward(f: Body, x: Any) -> Any:
    """The derivative along x."""
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        y = f(x)
    return accumulator.jvp(y, unconnected_gradients="zero")


def forward_over_back(f: Body, x: Any) -> Any:
    """A Hessian times x."""
    with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.square(f(x)))
        slope = tape.gradient(y, x)
    return tf.stop_gradient(accumulator.jvp(slope, unconnected_gradients="zero"))


def back_over_forward(f: Body, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = forward(f, x)
    return tf.stop_gradient(tape.gradient(y, x, unconnected_gradients="zero"))


def batch_slopes(f: Body, x: Any) -> Any:
    """The sum of a Jacobian for each row: of a matrix."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tf.reduce_sum(tape.batch_jacobian(y, x), 1)


def jacobian_by_loop(f: Body, x: Any) -> Any:
    """A Jacobian that is taken row by row in a loop."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tf.reduce_sum(tape.jacobian(y, x, experimental_use_pfor=False), 0)


def own_gradient_in_rows(x: Any) -> Any:
    """A rule of the user's in a loop over rows, and again."""

    @tf.custom_gradient
    def g(v: Any) -> Any:
        kept = tf.tanh(v)

        def slope(d: Any) -> Any:
            return d * (tf.cast(1, d.dtype) - tf.square(kept))

        return kept, slope

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.map_fn(lambda v: g(g(v)) * v, x)
    return tf.stop_gradient(tape.gradient(y, x))


def complex_slope(x: Any) -> Any:
    """A gradient through complex numbers."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.complex(tf.sin(x), x)
        w = z * tf.math.conj(z) + tf.exp(tf.complex(tf.zeros_like(x), tf.tanh(x))) * z
        y = tf.math.real(w) + tf.math.imag(w) * tf.abs(z)
    return tape.gradient(y, x)


def gathered_slope(x: Any, places: Any) -> Any:
    """Rows of a gradient: what is gathered twice."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.gather(x, places)
        y = tf.reduce_sum(rows * rows) + tf.reduce_sum(tf.nn.embedding_lookup(x, places[:1]))
    return tf.convert_to_tensor(tape.gradient(y, x))


# Slices that data say.


def sliced(x: Any, n: Any) -> Any:
    """Slices whose ends and steps are known at run time, put together along the first axis."""
    size = tf.shape(x)[0]
    begin = n % size
    front, back = x[:begin], x[begin:]
    turned = tf.concat([back[::-1], front[::-1]], 0)
    return tf.ensure_shape(turned, x.shape) + tf.roll(x, begin, 0)


def strided(x: Any, n: Any) -> Any:
    """Sums of every other row, or so: of the type of a row."""
    step = 1 + n % 3
    rows = x[n % 2 :: step]
    return tf.reduce_sum(rows, 0) + tf.reduce_sum(x[-1::-step], 0)


def grown(f: Body, x: Any, rounds: Any) -> Any:
    """A loop whose value grows: the sum of its rows, of the type of a row."""
    shape = tf.TensorShape([None, *x.shape[1:]])
    _, rows = tf.while_loop(
        lambda i, v: i < rounds,
        lambda i, v: (i + 1, tf.concat([v, f(x)], 0)),
        (tf.constant(0), x * 1),  # a value of its own: see ways.py
        shape_invariants=(tf.TensorShape([]), shape),
    )
    return tf.reduce_sum(rows, 0)


# What AutoGraph stages.


def nested_loops(x: Any, limit: Any) -> Any:
    """Loops in loops, which are left, with conditions of several parts."""
    total = tf.zeros_like(x)
    for i in tf.range(3):
        for j in tf.range(1, 7, 2):
            if i == j and tf.reduce_sum(total) > limit:
                break
            if not (0 < j <= 3) or tf.reduce_max(x) > limit:
                continue
            total += x * tf.cast(i + j, x.dtype)
        else_value = total if i > 0 else total + x
        total = else_value
    return total


def by_rows(x: Any) -> Any:
    """Python's loop over the rows of a tensor, with values that begin in a branch."""
    total = tf.zeros_like(x[0])
    count = 0
    for row in x:
        if tf.reduce_sum(row) > tf.cast(0, x.dtype):
            part = row
        else:
            part = row + tf.cast(1, x.dtype)
        total, count = total + part, count + 1
    return total * tf.cast(count, x.dtype)


def collected(f: Body, x: Any) -> Any:
    """Lists and dictionaries of Python's that a loop fills."""
    made, named = [x], {}
    for i in range(3):
        made.append(f(made[-1]) if i % 2 else made[-1] + made[0])
        named[f"n{i}"] = made[i]
    return tf.add_n([*named.values(), *(v for v in made if v is not x)])


def returned_early(x: Any, limit: Any) -> Any:
    if tf.reduce_min(x) > limit:
        return x
    y = x + x
    while tf.reduce_sum(y) < limit:
        y = y * tf.cast(2, x.dtype) + tf.cast(1, x.dtype)
        if tf.size(y) > 2 or tf.reduce_sum(x) < tf.cast(0, x.dtype):
            return y
    return y - x


# Variables within loops and branches.


def counted_up(v: Any, x: Any, rounds: Any) -> Any:
    """A Variable that a loop reads and changes."""
    last = v.read_value()
    for i in tf.range(rounds):
        if i % 2 == 0:
            v.assign_add(x)
        else:
            v.assign(v * tf.cast(0.5, v.dtype) + last)
        last = v + last
    return last


def chosen_change(v: Any, x: Any) -> Any:
    """A branch that changes a Variable, and a row of it that is added to."""
    tf.cond(tf.reduce_sum(v) > tf.reduce_sum(x), lambda: v.assign(x), lambda: v.assign_sub(x + x))
    before = v + x
    v.scatter_nd_add([[0]], x[:1])
    v.scatter_add(tf.IndexedSlices(x[:1], tf.constant([0])))
    return before * v.value()


# Models. (`layer` and `model` are made once, beside the program's Variables.)


def built(layer: Any, shape: Any) -> Any:
    """A layer with its weights, which are always the same numbers."""
    tf.keras.utils.set_random_seed(7)
    layer.build(shape)
    for i, w in enumerate(layer.trainable_variables):
        numbers = tf.range(tf.size(w.value), dtype=tf.float32)
        w.assign(tf.reshape(tf.sin(numbers + float(i)) * 0.5, w.shape))
    return layer


class Model:
    """A few layers, a loss and an optimizer, which are trained step by step."""

    def __init__(self, layers: Any, shape: Any, optimizer: Any, loss: Any) -> None:
        self.net = built(tf.keras.Sequential(layers), shape)
        self.optimizer, self.loss = optimizer, loss
        optimizer.build(self.net.trainable_variables)

    @property
    def variables(self) -> list[Any]:
        return [w.value for w in (*self.net.variables, *self.optimizer.variables)]

    def step(self, x: Any) -> Any:
        """A step on rows whose targets are their sums, and the loss before it: a scalar."""
        with tf.GradientTape() as tape:
            y = self.net(x, training=True)
            wanted = tf.tanh(tf.reduce_sum(x, list(range(1, len(x.shape))), keepdims=True))
            wanted = tf.reshape(wanted, [-1, 1]) + tf.zeros_like(y)
            loss = tf.reduce_mean(self.loss(wanted, y))
        weights = self.net.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss


def variables_of(layer: Any) -> list[Any]:
    return [w.value for w in layer.variables]


# Datasets and tables.


def fed(f: Body, x: Any, rows: int) -> Any:
    """Batches of rows that a dataset hands on, summed: of the type of a row."""
    total = tf.zeros_like(x[0])
    for batch in tf.data.Dataset.from_tensor_slices(x).map(f).batch(rows):
        total += tf.reduce_sum(batch, 0)
    return total


def shuffled_sum(x: Any) -> Any:
    """Rows that are reduced by the dataset itself, in another order."""
    rows = tf.data.Dataset.from_tensor_slices(x).shuffle(4, seed=3).prefetch(1).repeat(2)
    return rows.reduce(tf.zeros_like(x[0]), lambda a, v: a * tf.cast(0.5, v.dtype) + v)


def table(values: Any) -> Any:
    """Keys 0, 1, ... of int64 for these floats."""
    keys = tf.range(len(values), dtype=tf.int64)
    pairs = tf.lookup.KeyValueTensorInitializer(keys, tf.constant(values, tf.float32))
    return tf.lookup.StaticHashTable(pairs, -1.0)


# Rows within rows, and what is mostly zeros.


def deep_ragged(x: Any) -> Any:
    """Of a vector: rows of rows, whose sums at both depths go back to the elements."""
    inner = tf.RaggedTensor.from_value_rowids(x, tf.range(tf.size(x)) // 2)
    rows = tf.range(inner.nrows(out_type=tf.int32)) // 3
    both = tf.RaggedTensor.from_value_rowids(inner, rows)
    sums = tf.reduce_sum(both, axis=2)
    largest = tf.reduce_max(sums, axis=1)
    spread = tf.gather(tf.gather(largest, rows), tf.range(tf.size(x)) // 2)
    return (both * tf.cast(2, x.dtype)).flat_values + spread


def ragged_rows(x: Any) -> Any:
    """Of a matrix: ragged rows that are mapped, joined, sliced and padded again."""
    size = tf.shape(x)
    ragged = tf.RaggedTensor.from_tensor(x, lengths=(tf.range(size[0]) * 2) % (size[1] + 1))
    joined = tf.concat([ragged, ragged[:, :1], ragged[:, 1:]], axis=1)
    halved = tf.ragged.map_flat_values(lambda v: v + v, joined)
    return tf.reshape(halved.to_tensor(shape=[None, 2 * x.shape[1] + 1])[:, : x.shape[1]], size)


def sparse_sums(x: Any) -> Any:
    """Of a matrix: a sparse one, which is added to itself, reduced and made dense again."""
    sparse = tf.sparse.from_dense(x)
    twice = tf.sparse.add(sparse, sparse)
    cut = tf.sparse.concat(1, [tf.sparse.slice(twice, [0, 0], [tf.shape(x)[0], 1]), sparse])
    return tf.sparse.to_dense(cut)[:, 1:] + tf.sparse.reduce_sum(twice, axis=1, keepdims=True)


def common_members(x: Any) -> Any:
    """How many of each row's integers are in the row before it, int32: of a matrix."""
    other = tf.roll(x, 1, 0)
    found = tf.sets.size(tf.sets.intersection(x, other))
    return (
        found + tf.sets.size(tf.sets.union(x, other)) - tf.sets.size(tf.sets.difference(x, other))
    )


# Numbers of other widths.


def quantized(x: Any) -> Any:
    """What is rounded to few bits and back."""
    y = tf.cast(x, tf.float32)
    y = tf.quantization.fake_quant_with_min_max_args(y, -6.0, 6.0, 8)
    y = tf.quantization.quantize_and_dequantize_v2(y, -4.0, 4.0, range_given=True)
    return tf.cast(y, x.dtype) + tf.cast(tf.saturate_cast(x, tf.int8), x.dtype)


def bits_of(x: Any) -> Any:
    """Bits that are read as integers, changed and read as numbers again: of float32."""
    bits = tf.bitcast(x, tf.int32)
    halves = tf.bitcast(bits, tf.int16)
    return tf.bitcast(tf.bitwise.bitwise_xor(tf.bitcast(halves, tf.int32), 1), tf.float32)


def mixed(x: Any, narrow: Any) -> Any:
    """A product and a sum in numbers of fewer bits: of a matrix."""
    small = tf.cast(tf.tanh(x), narrow)
    product = tf.matmul(small, small, transpose_b=True)
    return tf.cast(tf.matmul(product, small), x.dtype) + tf.cast(tf.reduce_mean(small), x.dtype)


def integer_product(x: Any) -> Any:
    """A product of int8 that is added up in int32: of a matrix, int32."""
    small = tf.cast(tf.clip_by_value(x, -5, 5), tf.int8)
    return tf.matmul(small, small, transpose_b=True, output_type=tf.int32)


# Strings.


def words(x: Any) -> Any:
    """Numbers as words, which are joined, split, replaced and counted: int32, of a vector."""
    text = tf.strings.as_string(x)
    joined = tf.strings.reduce_join(tf.strings.join([text, text], "-"), separator=" ")
    parts = tf.strings.split(tf.strings.regex_replace(joined, "1", "one"), " ")
    upper = tf.strings.upper(tf.strings.substr(parts, 0, 2))
    counts = tf.strings.length(parts) + tf.cast(tf.equal(upper, parts), tf.int32)
    return tf.reshape(counts, tf.shape(x))
