"""Public functions of ragged and sparse tensors on either library: each function of a family with
every tensor of its kind, and with the arguments that it is given beside them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .wide import weights

RAGGED = {
    "rows": "tf.ragged.constant([[1.5, -2.0], [], [0.25]])",
    "rows_of_rows": "tf.ragged.constant([[[1.0, 2.0], [], [3.0]], [], [[-0.5]]])",
    "pairs": "tf.ragged.constant([[[1.0, 2.0], [3.0, 4.0]], [], [[0.5, 0.6]]], ragged_rank=1)",
    "narrow": "tf.ragged.constant([[0.1, 0.2], [0.3]], row_splits_dtype=tf.int32)",
    "empty": "tf.ragged.constant([[], []], dtype=tf.float32)",
    "integers": "tf.ragged.constant([[3, 1], [], [7]])",
    "deep_integers": "tf.ragged.constant([[[1, 2], [], [3]], [], [[4]]])",
    "long_integers": "tf.ragged.constant([[3, 1], [], [7]], dtype=tf.int64)",
    "bytes": "tf.ragged.constant([[3, 1], [], [200]], dtype=tf.uint8)",
    "bools": "tf.ragged.constant([[True, False], [], [True]])",
    "deep_bools": "tf.ragged.constant([[[True], [False, False]], [], [[True]]])",
    "words": "tf.ragged.constant([['ab c', 'de'], [], ['ééf']])",
    "deep_words": "tf.ragged.constant([[['a', 'b'], []], [], [['c']]])",
}
SPARSE = {
    "matrix": "tf.SparseTensor([[0, 1], [1, 2], [2, 0]], [1.5, -2.0, 0.25], [3, 4])",
    "vector": "tf.SparseTensor([[1], [3]], [2.0, 3.0], [5])",
    "cube": "tf.SparseTensor([[0, 1, 0], [1, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0], [2, 2, 2])",
    "nothing": "tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3])",
    "double": "tf.SparseTensor([[0, 1], [1, 2]], np.float64([1.5, -2.0]), [3, 3])",
    "integers": "tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [3, 1, 7], [2, 3])",
    "long_integers": "tf.SparseTensor([[0, 0], [0, 2], [1, 1]], np.int64([3, 1, 7]), [2, 3])",
    "bools": "tf.SparseTensor([[0, 0], [1, 1]], [True, False], [2, 2])",
    "words": "tf.SparseTensor([[0, 0], [1, 1]], ['ab c', 'de'], [2, 2])",
}
DENSE = ("2.0", "2", "[[1.0], [2.0], [3.0]]", "[1.0, 2.0]", "[[0.5]]", "x", "tf.constant(2.0)")

UNARY = """
tf.abs tf.acos tf.acosh tf.asin tf.asinh tf.atan tf.atanh tf.math.bessel_i0 tf.math.bessel_i1e
tf.math.ceil tf.math.conj tf.cos tf.cosh tf.math.digamma tf.math.erf tf.math.erfc tf.exp
tf.math.expm1 tf.floor tf.math.is_finite tf.math.is_inf tf.math.is_nan tf.math.lgamma tf.math.log
tf.math.log1p tf.math.log_sigmoid tf.math.ndtri tf.negative tf.math.reciprocal_no_nan
tf.math.reciprocal tf.math.rint tf.round tf.math.rsqrt tf.sigmoid tf.sign tf.sin tf.sinh
tf.math.softplus tf.sqrt tf.square tf.tan tf.tanh tf.math.special.bessel_j0 tf.math.special.dawsn
tf.math.special.expint tf.math.special.fresnel_cos tf.math.special.spence tf.nn.elu tf.nn.gelu
tf.nn.leaky_relu tf.nn.relu tf.nn.relu6 tf.nn.selu tf.nn.silu tf.nn.softsign tf.nn.softmax
tf.size tf.rank tf.ones_like tf.zeros_like tf.identity tf.where tf.unstack tf.transpose
tf.math.reduce_sum tf.cumsum tf.strings.length tf.strings.lower tf.strings.strip tf.strings.split
tf.strings.bytes_split tf.strings.reduce_join tf.strings.as_string tf.math.logical_not
tf.bitwise.invert tf.math.bincount tf.add_n tf.is_tensor tf.rank tf.math.count_nonzero
"""
BINARY = """
tf.add tf.atan2 tf.divide tf.math.divide_no_nan tf.equal tf.math.floordiv tf.math.floormod
tf.greater tf.less_equal tf.maximum tf.minimum tf.multiply tf.math.multiply_no_nan tf.not_equal
tf.pow tf.math.squared_difference tf.subtract tf.truediv tf.math.xlogy tf.math.scalar_mul
tf.debugging.assert_less tf.debugging.assert_equal
"""
REDUCTIONS = """
tf.reduce_sum tf.reduce_prod tf.reduce_max tf.reduce_min tf.reduce_mean tf.math.reduce_variance
tf.math.reduce_std tf.reduce_all tf.reduce_any tf.reduce_logsumexp tf.math.count_nonzero
tf.sparse.reduce_sum tf.sparse.reduce_max
"""
AXES = ("0", "1", "-1", "2", "[0, 1]", "[1, 2]", "[]", "5", "tf.constant([1])")
WITH_ARGUMENTS = """
tf.expand_dims(x, 0)
tf.expand_dims(x, 1)
tf.expand_dims(x, -1)
tf.expand_dims(x, 2)
tf.squeeze(x, 0)
tf.squeeze(x, 1)
tf.reverse(x, [0])
tf.reverse(x, [1])
tf.cumsum(x, 1)
tf.cumsum(x, 2)
tf.cumsum(x, 0, reverse=True)
tf.stack([x, x])
tf.stack([x, x], 1)
tf.stack([x, x], -1)
tf.concat([x, x], 0)
tf.concat([x, x], 1)
tf.concat([x, x], -1)
tf.cast(x, tf.int32)
tf.cast(x, tf.float64)
tf.cast(x, tf.bool)
tf.saturate_cast(x, tf.uint8)
tf.gather(x, [2, 0])
tf.gather(x, 0)
tf.gather(x, [[0, 1], [1, 0]])
tf.gather(x, [0], axis=1)
tf.gather(x, tf.ragged.constant([[0], [], [1, 0]]))
tf.gather_nd(x, [[0, 1], [2, 0]])
tf.gather_nd(x, [[0], [2]])
tf.gather_nd(x, tf.ragged.constant([[[0, 0]], [], [[2, 0]]], ragged_rank=1))
tf.tile(x, [2, 1])
tf.tile(x, [1, 2])
tf.tile(x, [2, 1, 2])
tf.ragged.boolean_mask(x, [True, False, True])
tf.split(x, 3)
tf.split(x, [1, 2])
tf.one_hot(x, 4)
tf.where([True, False, True], x, x)
tf.clip_by_value(x, 0.0, 1.0)
tf.reshape(x, [-1])
tf.matmul(x, x)
tf.matmul(x, x, transpose_b=True)
tf.matmul(x, x, transpose_a=True)
tf.matmul(x, tf.ones([3, 2, 2]))
tf.map_fn(lambda t: t, x)
tf.map_fn(lambda t: tf.reduce_sum(t), x)
tf.dynamic_partition(x, [0, 1, 0], 2)
tf.math.unsorted_segment_sum(x, [0, 0, 1], 2)
tf.math.unsorted_segment_max(x, [1, 1, 0], 3)
tf.strings.join([x, x], "-")
tf.strings.reduce_join(x, 0)
tf.strings.reduce_join(x, -1, separator="_")
tf.strings.substr(x, 0, 1)
tf.strings.to_hash_bucket_fast(x, 10)
tf.strings.to_number(x)
tf.strings.unicode_decode(x, "UTF-8")
tf.strings.ngrams(x, 2)
tf.nn.embedding_lookup(tf.reshape(tf.range(20.0), [10, 2]), x)
tf.nn.embedding_lookup_sparse(tf.reshape(tf.range(20.0), [10, 2]), x, None)
tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=x)
tf.ragged.range(x)
tf.ragged.map_flat_values(tf.sqrt, x)
tf.image.convert_image_dtype(x, tf.float32)
x[0]
x[1:]
x[..., 0]
x[:, 0]
x[:, 1:]
x[:, ::-1]
x[-1]
x + x
x * 2
2.0 - x
x / 3
x == x
-x
abs(x)
"""
OF_RAGGED = """
x.to_tensor()
x.to_tensor(7)
x.to_sparse()
x.to_list()
x.merge_dims(0, 1)
x.merge_dims(-2, -1)
x.row_lengths()
x.row_lengths(axis=1)
x.bounding_shape()
x.value_rowids()
x.nested_row_lengths()
x.with_row_splits_dtype(tf.int32)
x.nrows()
tf.RaggedTensor.from_tensor(x.to_tensor())
tf.RaggedTensor.from_tensor(x.to_tensor(), padding=0)
tf.RaggedTensor.from_sparse(x.to_sparse())
"""
OF_SPARSE = """
tf.sparse.to_dense(x)
tf.sparse.to_dense(x, 7)
tf.sparse.transpose(x)
tf.sparse.reorder(x)
tf.sparse.reshape(x, [-1])
tf.sparse.reset_shape(x)
tf.sparse.reset_shape(x, [5, 5])
tf.sparse.slice(x, [0, 1], [2, 2])
tf.sparse.split(x, 2, 1)
tf.sparse.split(x, 3, 0)
tf.sparse.concat(0, [x, x])
tf.sparse.concat(1, [x, x])
tf.sparse.concat(-1, [x, x])
tf.sparse.add(x, x)
tf.sparse.add(x, tf.sparse.to_dense(x))
tf.sparse.add(x, x, 2)
tf.sparse.maximum(x, x)
tf.sparse.minimum(x, x)
tf.sparse.softmax(x)
tf.sparse.retain(x, x.values != x.values[0])
tf.sparse.fill_empty_rows(x, 7)
tf.sparse.expand_dims(x, 0)
tf.sparse.expand_dims(x, -1)
tf.sparse.reduce_sum(x, 0, output_is_sparse=True)
tf.sparse.reduce_sum(x, [1], keepdims=True)
tf.sparse.reduce_max(x, 1, output_is_sparse=True)
tf.sparse.sparse_dense_matmul(x, tf.ones([4, 2]))
tf.sparse.sparse_dense_matmul(x, tf.ones([3, 2]), adjoint_a=True)
tf.sparse.sparse_dense_matmul(tf.ones([2, 3]), x)
tf.sparse.to_indicator(x, 10)
tf.sparse.map_values(tf.square, x)
tf.sparse.segment_sum(tf.ones([4, 2]), x.indices[:, 0], [0, 0, 1])
tf.sparse.bincount(x)
tf.sparse.bincount(x, axis=-1)
tf.sparse.eye(3)
tf.sparse.cross([x, x])
tf.sparse.cross_hashed([x, x], 7)
x.with_values(x.values)
x.dense_shape
x.shape
x * tf.sparse.to_dense(x)
x / 2.0
tf.strings.join([x, x])
tf.math.add(x, 1)
tf.reduce_max(x)
tf.RaggedTensor.from_sparse(x)
tf.map_fn(lambda t: t, x)
"""


def texts(kind: str) -> list[str]:
    """The programs for tensors of a kind, which they call x."""
    own = OF_RAGGED if kind == "ragged" else OF_SPARSE
    return [
        *(f"{name}(x)" for name in UNARY.split()),
        *(f"{name}({a}, {b})" for name in BINARY.split() for a, b in _pairs()),
        *(
            f"{name}(x, axis={axis}{keep})"
            for name in REDUCTIONS.split()
            for axis in AXES
            for keep in ("", ", keepdims=True")
        ),
        *(line for line in (WITH_ARGUMENTS + own).splitlines() if line),
    ]


def _pairs() -> Iterator[tuple[str, str]]:
    yield from (("x", other) for other in DENSE)
    yield from ((other, "x") for other in DENSE if other != "x")


def results(tf: Any) -> dict[tuple[str, str], Any]:
    """By program and way of evaluation what `tf` gives, or that there is an error."""
    found: dict[tuple[str, str], Any] = {}
    names = {"tf": tf, "np": np}
    for kind, tensors in (("ragged", RAGGED), ("sparse", SPARSE)):
        for text, (name, source) in itertools.product(texts(kind), tensors.items()):
            x = eval(source, names)
            call = eval(f"lambda x: {text}", names)
            title = f"{kind} {text} of {name}"
            found[title, "value"] = _attempt(lambda c=call, x=x: _leaves(tf, c(x)))
            if x.dtype.is_floating:
                found[title, "first"] = _attempt(lambda c=call, x=x: [_gradient(tf, c, x)])
    return found


def _leaves(tf: Any, value: Any) -> list[Any]:
    leaves: list[Any] = tf.nest.flatten(value, expand_composites=True)
    return leaves


def _gradient(tf: Any, call: Callable[[Any], Any], x: Any) -> Any:
    """Of a weighted sum of the floats that are given, by the values of `x`."""
    with tf.GradientTape() as tape:
        ragged = isinstance(x, tf.RaggedTensor)
        values = tf.identity(x.flat_values if ragged else x.values)
        tape.watch(values)
        put = x.with_flat_values if ragged else x.with_values
        given = [v for v in _leaves(tf, call(put(values))) if v.dtype.is_floating]
        targets = [v * tf.cast(weights(np.shape(v)), v.dtype) for v in given]
    gradient = tape.gradient(targets, values)
    return None if gradient is None else tf.convert_to_tensor(gradient)


def _attempt(call: Callable[[], list[Any]]) -> Any:
    try:
        with np.errstate(all="ignore"):
            return [_array(v) for v in call()]
    except Exception:  # classes of errors are compared by the other programs
        return "an error"


def _array(value: Any) -> Any:
    return None if value is None else np.asarray(value)
