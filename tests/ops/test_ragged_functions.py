"""Public functions of ragged tensors: against Python's lists, eagerly and in functions."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.dispatch.overloads import otherwise

R = tf.RaggedTensor
ROWS = [[3.0, 1.0, 4.0], [], [5.0, 9.0], [6.0]]
X = tf.ragged.constant(ROWS)
DEEP = [[[1.0, 2.0], [3.0]], [], [[4.0], [], [5.0, 6.0]]]
Y = tf.ragged.constant(DEEP)
PAIRS = tf.ragged.constant([[[1, 2]], [], [[3, 4], [5, 6]]], ragged_rank=1)


def plain(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [plain(v) for v in x]
    return x.to_list() if isinstance(x, R) else np.asarray(x).tolist()


def test_a_function_is_the_same_object_with_the_same_signature() -> None:
    """What is registered for a class leaves a function's name, signature and results alone."""

    class Own:
        pass

    def add(x: Any, y: Any, name: Any = None) -> str:
        return "mine"

    x, before = tf.constant([1.0, 2.0]), inspect.signature(tf.math.xdivy)
    wanted = tf.math.xdivy(x, x).numpy()
    otherwise(tf.math.xdivy, Own)(add)
    assert tf.math.xdivy(Own(), 1) == tf.math.xdivy(x=1.0, y=Own()) == "mine"
    assert inspect.signature(tf.math.xdivy) == before and tf.math.xdivy.__name__ == "xdivy"
    np.testing.assert_array_equal(tf.math.xdivy(x, x), wanted)
    np.testing.assert_array_equal(tf.function(tf.math.xdivy)(x, x), wanted)
    with pytest.raises(TypeError, match="required positional argument: 'y'"):
        tf.math.xdivy(x)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="Attempt to convert"):
        tf.math.xdivy(object(), 1.0)


def reduced(combine: Callable[[Any], Any], axis: Any) -> Any:
    """A reduction of DEEP by hand: what stands at the same place but for the axes."""
    found: dict[Any, list[float]] = {}
    for i, rows in enumerate(DEEP):
        for j, row in enumerate(rows):
            for k, value in enumerate(row):
                place = tuple(n for a, n in enumerate((i, j, k)) if a not in axis)
                found.setdefault(place, []).append(value)
    return {place: combine(values) for place, values in found.items()}


def places(x: Any, prefix: Any = ()) -> dict[Any, Any]:
    if not isinstance(x, list):
        return {prefix: x}
    return {k: v for i, row in enumerate(x) for k, v in places(row, (*prefix, i)).items()}


@pytest.mark.parametrize("axis", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)])
def test_reductions(axis: tuple[int, ...]) -> None:
    for function, combine in (
        (tf.reduce_sum, sum),
        (tf.reduce_max, max),
        (tf.reduce_mean, np.mean),
        (tf.math.reduce_variance, np.var),
        (tf.reduce_logsumexp, lambda v: np.log(np.sum(np.exp(v)))),
    ):
        given = list(axis) if len(axis) > 1 else axis[0]
        result = plain(function(Y, given))
        wanted = reduced(combine, axis)
        got = {k: v for k, v in places(result).items() if k in wanted}
        assert got.keys() == wanted.keys()
        for place, value in wanted.items():
            np.testing.assert_allclose(got[place], value, rtol=2e-6)


def test_reductions_of_rows() -> None:
    lows = np.finfo(np.float32).min
    np.testing.assert_array_equal(tf.reduce_max(X, 1), [4, lows, 9, 6])
    assert plain(tf.reduce_sum(X, 1, keepdims=True)) == [[8], [0], [14], [6]]
    assert plain(tf.reduce_sum(Y, 1, keepdims=True)) == [[[4, 2]], [[]], [[9, 6]]]
    assert tf.reduce_sum(Y, 1, keepdims=True).shape == (3, 1, None)
    assert float(tf.reduce_sum(X)) == 28 and tf.reduce_sum(X, keepdims=True).shape == (1, 1)
    mask = tf.ragged.constant([[True, False], [], [True]])
    assert plain(tf.reduce_all(mask, 1)) == [False, True, True]
    assert plain(tf.reduce_any(mask, 0)) == [True, False]
    assert tf.reduce_mean(tf.ragged.constant([[1, 2], [4]]), 1).dtype == tf.float64
    assert plain(tf.cumsum(X, 1)) == [list(itertools.accumulate(r)) for r in ROWS]
    soft = tf.nn.softmax(X)
    np.testing.assert_allclose(soft[0], tf.nn.softmax(tf.constant(ROWS[0])), rtol=1e-6)
    np.testing.assert_allclose(soft[3], [1.0])
    ids = tf.ragged.constant([[0, 1, 1], [], [0, 0], [2]])
    assert plain(tf.math.unsorted_segment_sum(X, ids, 3)) == [17, 5, 6]
    assert plain(tf.math.unsorted_segment_sum(X, [1, 0, 1, 0], 2)) == [[6], [8, 10, 4]]


def test_broadcasting() -> None:
    column, row = tf.constant([[10.0], [20.0], [30.0], [40.0]]), tf.constant([100.0])
    lifted = [[v + 10 * (i + 1) for v in r] for i, r in enumerate(ROWS)]
    assert plain(X + column) == plain(column + X) == plain(tf.add(X, column)) == lifted
    assert plain(X + row) == plain(row + X) == [[v + 100 for v in r] for r in ROWS]
    assert plain(Y + tf.constant([[[1.0]], [[2.0]], [[3.0]]])) == [
        [[v + i + 1 for v in r] for r in rows] for i, rows in enumerate(DEEP)
    ]
    two = tf.ragged.constant([[[1, 2], [3]], [[4, 5], [6]]])
    assert plain(two + tf.ragged.constant([[1, 2], [3]])) == [[[2, 4], [6]], [[5, 7], [9]]]
    assert plain(PAIRS * [10, 1]) == [[[10, 2]], [], [[30, 4], [50, 6]]]
    assert plain(tf.where(X > 3.0, X, 0.0)) == [[v if v > 3 else 0 for v in r] for r in ROWS]
    flags = X > 3.0
    assert plain(~flags) == [[v <= 3 for v in r] for r in ROWS]
    assert plain(flags & True) == plain(flags) == plain(True & flags)
    assert plain(flags ^ (X > 5.0)) == [[3 < v <= 5 for v in r] for r in ROWS]
    assert (X == tf.ones([4, 2])) is False and (tf.ones([4, 2]) == X) is False and X != None  # noqa: E711
    assert plain(abs(-X)) == ROWS and plain(2.0**X) == [[2**v for v in r] for r in ROWS]
    f = tf.function(lambda x, y: x * y)
    assert plain(f(X, column)) == [[v * 10 * (i + 1) for v in r] for i, r in enumerate(ROWS)]
    assert plain(f(X, tf.constant([[2.0]]))) == [[2 * v for v in r] for r in ROWS]
    assert plain(f(X, X + 0.0)) == [[v * v for v in r] for r in ROWS]
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows differ"):
        f(X, X[::-1])


def test_elementwise_functions_keep_rows() -> None:
    whole = tf.ragged.constant([[1, 2], [], [3]])
    assert plain(tf.cast(X, tf.int32)) == [[int(v) for v in r] for r in ROWS]
    assert plain(tf.clip_by_value(X, 2.0, 5.0)) == [[min(max(v, 2), 5) for v in r] for r in ROWS]
    assert plain(tf.one_hot(whole, 4))[2] == [[0, 0, 0, 1]]
    assert plain(tf.zeros_like(X)) == [[0] * len(r) for r in ROWS]
    assert plain(tf.nn.relu(-X)) == plain(tf.zeros_like(X)) == plain(tf.nn.dropout(X, 0.0) - X)
    assert plain(tf.add_n([X, X, X])) == [[3 * v for v in r] for r in ROWS]
    table = tf.constant([[0.0], [1.0], [2.0], [3.0]])
    assert plain(tf.nn.embedding_lookup(table, whole)) == [[[1], [2]], [], [[3]]]
    words = tf.ragged.constant([["a", "bb"], ["ccc"]])
    assert plain(tf.strings.length(words)) == [[1, 2], [3]]
    deep = tf.ragged.constant([[["a", "b"], []], [["c"]], []])
    assert plain(tf.strings.reduce_join(deep, axis=-1, separator="+")) == [
        [b"a+b", b""],
        [b"c"],
        [],
    ]
    for call in (tf.strings.reduce_join, tf.function(tf.strings.reduce_join)):
        assert plain(call(deep, axis=-1)) == [[b"ab", b""], [b"c"], []]
        assert plain(call(deep[:, 0:1], axis=2, keepdims=True)) == [[[b"ab"]], [[b"c"]], []]
        assert call(deep[0], axis=1).numpy().tolist() == [b"ab", b""]
        assert call(deep).numpy() == b"abc"
    assert tf.strings.reduce_join(deep, axis=[0, 1]).numpy().tolist() == [b"ac", b"b"]
    assert tf.strings.substr(words, 0, 2).flat_values.numpy().tolist() == [
        word[:2] for word in words.flat_values.numpy()
    ]
    assert plain(tf.strings.join([words, "!"])) == [[b"a!", b"bb!"], [b"ccc!"]]
    assert tf.size(Y).numpy() == 6 and tf.rank(Y).numpy() == 3


def test_joining() -> None:
    more = tf.ragged.constant([[7.0], [8.0, 8.0], [], [9.0]])
    assert plain(tf.concat([X, more], 0)) == ROWS + plain(more)
    assert plain(tf.concat([X, more], 1)) == [a + b for a, b in zip(ROWS, plain(more), strict=True)]
    assert plain(tf.concat([X, tf.ones([4, 2])], 1)) == [[*r, 1, 1] for r in ROWS]
    assert plain(tf.concat([Y, Y], 2)) == [[r + r for r in rows] for rows in DEEP]
    assert plain(tf.stack([X, more])) == [ROWS, plain(more)]
    beside = [list(pair) for pair in zip(ROWS, plain(more), strict=True)]
    assert plain(tf.stack([X, more], 1)) == beside and tf.stack([X, more], 1).shape == (4, 2, None)
    assert plain(tf.stack([X, -X], 2)) == [[[v, -v] for v in r] for r in ROWS]
    assert plain(tf.ragged.stack([[1, 2], [3]])) == [[1, 2], [3]]
    assert plain(tf.tile(X, [2, 3])) == [r * 3 for r in ROWS] * 2
    assert plain(tf.tile(Y, [1, 2, 2])) == [[r * 2 for r in rows * 2] for rows in DEEP]
    assert [plain(v) for v in tf.split(X, [1, 3])] == [ROWS[:1], ROWS[1:]]
    assert [v.shape[2] for v in tf.split(PAIRS, 2, axis=2)] == [1, 1]
    parts = tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [2, 0, 2], 4)
    assert plain(parts) == [[b"b"], [], [b"a", b"c"], []]
    assert plain(tf.dynamic_partition(X, [0, 1, 0, 1], 2)) == [ROWS[::2], ROWS[1::2]]
    joined = tf.function(lambda x: tf.concat([x, tf.stack([x, x], 1).merge_dims(1, 2)], 1))
    assert plain(joined(X)) == [r * 3 for r in ROWS]


def test_axes() -> None:
    assert plain(tf.expand_dims(X, 0)) == [ROWS] and tf.expand_dims(X, 0).shape == (1, 4, None)
    assert plain(tf.expand_dims(X, 1)) == [[r] for r in ROWS]
    assert plain(tf.expand_dims(X, -1)) == [[[v] for v in r] for r in ROWS]
    for axis in (0, 1, 2):
        assert plain(tf.squeeze(tf.expand_dims(X, axis), axis)) == ROWS
    assert plain(tf.reverse(Y, [0, 2])) == [[r[::-1] for r in rows] for rows in DEEP[::-1]]
    assert plain(tf.reverse(X, [-1])) == [r[::-1] for r in ROWS]
    assert plain(Y.merge_dims(0, 1)) == [r for rows in DEEP for r in rows]
    assert plain(Y.merge_dims(1, 2)) == [[v for r in rows for v in r] for rows in DEEP]
    assert plain(Y.merge_dims(0, 2)) == [1, 2, 3, 4, 5, 6]
    assert plain(PAIRS.merge_dims(1, 2)) == [[1, 2], [], [3, 4, 5, 6]]
    assert plain(Y.row_lengths(axis=2)) == [[2, 1], [], [1, 0, 2]]
    assert plain(list(Y.nested_value_rowids())) == [[0, 0, 2, 2, 2], [0, 0, 1, 2, 4, 4]]
    assert plain(tf.ragged.boolean_mask(X, X > 3.0)) == [[v for v in r if v > 3] for r in ROWS]
    assert plain(tf.ragged.boolean_mask(X, [True, False, False, True])) == [ROWS[0], ROWS[3]]
    assert plain(tf.where(X > 3.0)) == [[0, 2], [2, 0], [2, 1], [3, 0]]
    assert plain(tf.where(Y > 4.0)) == [[2, 2, 0], [2, 2, 1]]
    same = R.from_uniform_row_length(X, 2)
    assert same.shape == (2, 2, None) and int(same.uniform_row_length) == 2  # type: ignore[arg-type]
    kept = tf.function(lambda x: (tf.zeros(x.shape[:2]), x[:, 1]))(same)
    assert kept[0].shape == (2, 2)
    assert plain(kept[1]) == [ROWS[1], ROWS[3]]


@pytest.mark.parametrize(
    "key", list(itertools.product((None, 1, -2), (None, 2, -1), (None, 2, -1)))
)
def test_slices_of_columns(key: tuple[Any, Any, Any]) -> None:
    part = slice(*key)
    assert plain(X[:, part]) == [r[part] for r in ROWS]
    assert plain(Y[1:, part]) == [rows[part] for rows in DEEP[1:]]
    assert plain(Y[:, :, part]) == [[r[part] for r in rows] for rows in DEEP]


def test_indexing() -> None:
    assert plain(X[tf.newaxis]) == [ROWS] and plain(X[:, None]) == [[r] for r in ROWS]
    assert plain(X[..., :1]) == [r[:1] for r in ROWS] and plain(PAIRS[..., 0]) == [[1], [], [3, 5]]
    numbers = tf.ragged.constant([[2, 0], [], [3]])
    assert plain(tf.gather(X, numbers)) == [[ROWS[2], ROWS[0]], [], [ROWS[3]]]
    assert plain(tf.gather(tf.constant([5, 6, 7, 8]), numbers)) == [[7, 5], [], [8]]
    assert plain(tf.gather(X, [[0, 1], [2, 3]])) == [ROWS[:2], ROWS[2:]]
    assert plain(tf.gather(X, tf.ragged.constant([[2, 0], [], [1], [0, 0]]), batch_dims=1)) == [
        [4, 3],
        [],
        [9],
        [6, 6],
    ]
    assert plain(tf.gather(X[::2], [1, 0], axis=1)) == [[1, 3], [9, 5]]
    assert plain(tf.gather_nd(Y, [[2, 0], [0, 1]])) == [DEEP[2][0], DEEP[0][1]]
    assert plain(tf.gather_nd(Y, [[2, 2, 1], [0, 0, 0]])) == [6, 1]
    taken = tf.function(lambda x, i: tf.gather(x, i))
    assert plain(taken(X, tf.constant([3, 0]))) == [ROWS[3], ROWS[0]]
    assert plain(tf.map_fn(lambda r: r / 2, X)) == [[v / 2 for v in r] for r in ROWS]
    total = tf.map_fn(tf.reduce_sum, X, fn_output_signature=tf.float32)
    assert plain(total) == [sum(r) for r in ROWS]


def test_gradients_are_ragged() -> None:
    for run in (lambda f: f, tf.function):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = run(lambda x: tf.reduce_sum(tf.reduce_sum(x * x, 1) * [1.0, 2.0, 3.0, 4.0]))(X)
        wanted = [[2 * v * (i + 1) for v in r] for i, r in enumerate(ROWS)]
        assert plain(tape.gradient(y, X)) == wanted
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.concat([X, X * 3.0], 1) * tf.constant([[1.0], [2.0], [3.0], [4.0]])
    assert plain(tape.gradient(y, X)) == [[4 * (i + 1)] * len(r) for i, r in enumerate(ROWS)]


def test_text() -> None:
    """As TensorFlow prints them."""
    assert repr(Y) == ("<tf.RaggedTensor [[[1.0, 2.0], [3.0]], [], [[4.0], [], [5.0, 6.0]]]>")
    assert repr(tf.ragged.constant([list(range(2000)), [1]])) == (
        "<tf.RaggedTensor [[0, 1, 2, ..., 1997, 1998, 1999], [1]]>"
    )
    assert repr(tf.expand_dims(tf.ragged.constant([[1, 2], [3]]), -1)) == (
        "<tf.RaggedTensor [[[1],\n  [2]], [[3]]]>"
    )


def test_partitions_that_are_known_and_wrong() -> None:
    """What a trace knows of elements is no reason to fail while it traces."""
    f = tf.function(lambda: tf.ragged.stack_dynamic_partitions([1, 2, 3], [1, 0, 5], 2))
    for call in (f, f.python_function):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="partitions must be less than num_partitions"
        ):
            call()


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize(("exclusive", "reverse"), [(False, False), (True, True)])
@pytest.mark.parametrize("compiled", [False, True])
def test_cumulative_sums_along_any_axis(
    axis: int, exclusive: bool, reverse: bool, compiled: bool
) -> None:
    """What is missing counts as 0, and is missing in the result."""

    def sums(x: Any) -> Any:
        return tf.cumsum(x, axis, exclusive, reverse)

    wanted = tf.cumsum(Y.to_tensor(), axis, exclusive, reverse)
    found = (tf.function(sums) if compiled else sums)(Y)
    assert plain(found) == plain(R.from_tensor(wanted, list(Y.nested_row_lengths())))


MATRICES = [np.arange(6.0).reshape(3, 2), np.ones((1, 2)), np.zeros((0, 2))]
WIDE = [np.arange(6.0).reshape(2, 3), np.arange(4.0).reshape(4, 1), np.zeros((0, 0))]


def _batch(matrices: list[Any], ragged_rank: int) -> Any:
    return tf.ragged.constant([m.tolist() for m in matrices], ragged_rank=ragged_rank)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "ta", "tb"),
    [
        (_batch(MATRICES, 1), _batch(MATRICES, 1), False, True),
        (_batch(MATRICES, 2), _batch(MATRICES, 1), False, True),
        (_batch(MATRICES, 1), _batch(MATRICES, 2), True, False),
        (_batch(WIDE, 2), _batch(WIDE, 2), False, True),
        (_batch(WIDE, 2), _batch(WIDE, 2), True, False),
    ],
    ids=["rows", "two-axes", "inner", "rows-of-columns", "columns"],
)
def test_products_of_matrices_of_many_sizes(
    a: Any, b: Any, ta: bool, tb: bool, compiled: bool
) -> None:
    """Each matrix times its own."""

    def products(x: Any, y: Any) -> Any:
        return tf.matmul(x, y, transpose_a=ta, transpose_b=tb)

    found = (tf.function(products) if compiled else products)(a, b)
    for i, (x, y) in enumerate(zip(plain(a), plain(b), strict=True)):
        left, right = np.array(x, "f4"), np.array(y, "f4")
        if not left.size or not right.size:
            continue
        product = (left.T if ta else left) @ (right.T if tb else right)
        np.testing.assert_allclose(plain(found[i]), product)


def test_products_of_matrices_that_do_not_fit() -> None:
    x = _batch(WIDE, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit"):
        tf.matmul(x, x)
    crooked = tf.ragged.constant([[[1.0, 2.0], [3.0]]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows of a matrix differ"):
        tf.matmul(crooked, crooked, transpose_b=True)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64"])
def test_means_of_integers_are_the_floats_of_their_quotients(dtype: str) -> None:
    x = tf.ragged.constant([[100, 101], [], [3]], dtype)
    wanted = (tf.constant([1], dtype) / tf.constant([1], dtype)).dtype
    assert tf.reduce_mean(x).dtype == tf.math.reduce_variance(x, 1).dtype == wanted
    assert float(tf.reduce_mean(x)) == 68.0
    assert float(tf.math.reduce_variance(x, 1)[0]) == 0.25


def test_strings_are_cut_into_rows_of_rows() -> None:
    words = tf.ragged.constant([["a b", "cd"], [], ["é"]])
    assert plain(tf.strings.split(words)) == [[[b"a", b"b"], [b"cd"]], [], [["é".encode()]]]
    assert plain(tf.strings.bytes_split(words))[0][1] == [b"c", b"d"]
    assert plain(tf.strings.unicode_decode(words, "UTF-8"))[2] == [[233]]
    assert plain(tf.strings.reduce_join(words, 0, separator="-")) == ["a b-é".encode(), b"cd"]


@pytest.mark.parametrize("compiled", [False, True])
def test_assertions_compare_rows(compiled: bool) -> None:
    def checked(x: Any, y: Any) -> Any:
        tf.debugging.assert_less(x, y)
        return x

    check = tf.function(checked) if compiled else checked
    assert plain(check(X, X + 1.0)) == ROWS
    with pytest.raises(tf.errors.InvalidArgumentError):
        check(X, X)
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        check(X, tf.ragged.constant([[9.0], [], [9.0, 9.0], [9.0]]))


def test_places_may_come_in_rows() -> None:
    places = tf.ragged.constant([[[0, 2], [2, 1]], [], [[3, 0]]], ragged_rank=1)
    assert plain(tf.gather_nd(X, places)) == [[4.0, 9.0], [], [6.0]]
    with pytest.raises(ValueError, match="innermost axis"):
        tf.gather_nd(X, tf.ragged.constant([[0, 2], [1]]))


def test_elements_in_another_shape() -> None:
    flat = [v for row in ROWS for v in row]
    assert plain(tf.reshape(X, [2, -1])) == [flat[:3], flat[3:]]
    assert plain(tf.reshape(flat, tf.shape(X))) == ROWS


def test_a_multiple_for_each_axis() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="multiple for each axis"):
        tf.tile(X, [2, 1, 1])


def test_one_matrix_of_equal_rows() -> None:
    x = tf.ragged.constant([[1.0, 2.0], [3.0, 4.0]])
    assert plain(tf.matmul(x, x)) == [[7.0, 10.0], [15.0, 22.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="rows of a matrix differ"):
        tf.matmul(X, X)


def test_numbers_are_true_where_they_are_not_0() -> None:
    x = tf.ragged.constant([[0, 2], [3], []])
    assert plain(tf.reduce_all(x, 1)) == [False, True, True]
    assert plain(tf.reduce_any(x, 1)) == [True, True, False]
    assert plain(tf.reduce_any(x, [])) == [[False, True], [True], []]


@pytest.mark.parametrize("x", [X, Y, PAIRS], ids=["rows", "deep", "pairs"])
@pytest.mark.parametrize("compiled", [False, True])
def test_sparse_tensors_of_every_rank(x: Any, compiled: bool) -> None:
    convert = tf.function(R.to_sparse) if compiled else R.to_sparse
    sparse = convert(x)
    assert plain(tf.sparse.to_dense(sparse)) == plain(x.to_tensor())
    assert len(sparse.values) == tf.size(x)


def test_map_fn_takes_and_gives_ragged_and_sparse_rows() -> None:
    spec = tf.RaggedTensorSpec([None], tf.int32)

    def ranges(x: Any) -> Any:
        return tf.map_fn(tf.range, x, fn_output_signature=spec)

    counts = tf.constant([1, 0, 3])
    for f in (ranges, tf.function(ranges)):
        assert f(counts).to_list() == [[0], [], [0, 1, 2]]
        assert f(tf.constant([2, 2])).to_list() == [[0, 1], [0, 1]]  # ragged all the same
    sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 3]])
    signature = [tf.SparseTensorSpec([None, 3], tf.int32)]

    def totals(x: Any) -> Any:
        return tf.map_fn(tf.sparse.reduce_sum, x, fn_output_signature=tf.int32)

    for f in (totals, tf.function(totals), tf.function(totals, input_signature=signature)):
        assert f(sparse).numpy().tolist() == [3, 3]
    like = tf.SparseTensorSpec([3], tf.int32)
    twice = tf.map_fn(lambda x: x * 2, sparse, fn_output_signature=like)
    assert tf.sparse.to_dense(twice).numpy().tolist() == [[2, 0, 4], [0, 0, 6]]
    rows = tf.function(
        lambda x: tf.map_fn(lambda r: tf.reduce_sum(r), x, fn_output_signature=tf.int32),
        input_signature=[tf.RaggedTensorSpec([None, None], tf.int32)],
    )
    assert rows(tf.ragged.constant([[1, 2], [], [3]])).numpy().tolist() == [3, 0, 3]


def test_map_fn_gives_what_was_announced_for_any_number_of_rows() -> None:
    def table(f: Any, spec: Any, x: Any) -> None:
        """The same eagerly, in functions, and where only a call tells how many rows there are."""

        def mapped(x: Any) -> Any:
            return tf.map_fn(f, x, fn_output_signature=spec)

        kind = tf.type_spec_from_value(x)
        if isinstance(x, tf.RaggedTensor):
            rows = tf.RaggedTensorSpec([None] * x.shape.rank, x.dtype, x.ragged_rank)
        else:
            rows = tf.TensorSpec([None, *kind.shape[1:]], x.dtype)
        wanted = mapped(x)
        for g in (tf.function(mapped), tf.function(mapped, input_signature=[rows])):
            tf.nest.map_structure(same_rows, g(x), wanted)

    def same_rows(mine: Any, wanted: Any) -> None:
        if isinstance(wanted, tf.SparseTensor):
            mine, wanted = tf.sparse.to_dense(mine), tf.sparse.to_dense(wanted)
        assert mine.dtype is wanted.dtype and plain(mine) == plain(wanted)
        if isinstance(wanted, tf.RaggedTensor):
            assert mine.row_splits.dtype is wanted.row_splits.dtype
            assert mine.ragged_rank == wanted.ragged_rank

    counts, ints = tf.constant([1, 0, 3]), tf.int32
    narrow = tf.RaggedTensorSpec([2, None], ints, row_splits_dtype=ints)
    table(tf.range, tf.RaggedTensorSpec([None], ints), counts)
    table(tf.range, tf.RaggedTensorSpec([None], ints, row_splits_dtype=ints), counts)
    table(lambda n: tf.ones([n, 2]), tf.RaggedTensorSpec([None, 2], "float32", 0), counts)
    table(lambda n: tf.ragged.range([n, 1], row_splits_dtype=ints), narrow, counts)
    table(
        lambda n: (tf.range(n), n * 2),
        (tf.RaggedTensorSpec([None], ints), tf.TensorSpec([], ints)),
        counts,
    )
    table(lambda n: tf.sparse.from_dense([n, 0]), tf.SparseTensorSpec([None], ints), counts)
    table(tf.strings.split, tf.RaggedTensorSpec([None], tf.string), tf.constant(["a b", "", "c"]))
    deep = tf.ragged.constant([[[1, 2], []], [], [[3]]])
    table(lambda r: r + 1, tf.RaggedTensorSpec([None, None], ints), deep)
    table(lambda r: r + 1, None, deep)
    none = tf.map_fn(tf.range, tf.constant([], ints), fn_output_signature=narrow)
    assert none.shape == [0, None, None] and none.row_splits.dtype == ints


def test_map_fn_of_something_else_than_was_announced() -> None:
    x = tf.constant([1, 2])

    def ranges(spec: Any) -> Any:
        return tf.function(lambda x: tf.map_fn(tf.range, x, fn_output_signature=spec))

    for spec in (
        tf.RaggedTensorSpec([None], tf.int64),
        tf.RaggedTensorSpec([None, None], tf.int32),
    ):
        for rows in (x, tf.TensorSpec([None], tf.int32)):
            with pytest.raises(ValueError, match="expected fn to return a RaggedTensorSpec"):
                ranges(spec).get_concrete_function(rows)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="dtype is float32 but Op is trying to write dtype int32",
    ):
        tf.map_fn(lambda v: v, x, fn_output_signature=tf.float32)
    with pytest.raises(ValueError, match="was announced"):
        tf.map_fn(lambda v: v, x, fn_output_signature=tf.TensorSpec([2], tf.int32))
    assert tf.map_fn(lambda v: v, x, fn_output_signature=np.int32).dtype == "int32"


def test_arrays_are_lists() -> None:
    for rows in (np.array([[1, 2], [3, 4]]), [np.array([1, 2]), np.array([3])], [(1,), [2]]):
        found = tf.ragged.constant(rows)
        assert found.dtype == "int32" and found.to_list() == [list(map(int, r)) for r in rows]
    assert tf.ragged.constant([np.array([1], np.uint8), [np.int64(2)]]).dtype == "int32"
    for dtype in ("float64", "float16"):
        assert tf.ragged.constant(np.array([[0.5]], dtype)).dtype == dtype
        assert tf.ragged.constant([np.array([0.5], dtype), []]).dtype == dtype


def test_rows_by_nested_numbers() -> None:
    of = tf.RaggedTensor.from_nested_value_rowids
    assert of([1, 2, 3], [[0, 1], [0, 0, 1]]).to_list() == [[[1, 2]], [[3]]]
    assert of([1, 2, 3], [[0, 1], [0, 0, 1]], [3, 2]).to_list() == [[[1, 2]], [[3]], []]
    with pytest.raises(ValueError, match="must have the same length as argument `nested_value"):
        of([1], [[0], [0]], [1])


def test_gradients_of_deviations_stay_in_their_rows() -> None:
    """Where a row has no derivative, the others have theirs."""
    x = tf.ragged.constant([[1.5, -2.0], [0.25], [1.0, 2.0, 4.0]])
    with tf.GradientTape() as tape:
        values = x.flat_values
        tape.watch(values)
        deviations = tf.math.reduce_std(x.with_flat_values(values), 1)
    found = tape.gradient(deviations, values).numpy()
    np.testing.assert_allclose(found[:2], [0.5, -0.5], rtol=1e-6)
    rows = np.array([1.0, 2.0, 4.0])
    np.testing.assert_allclose(found[3:], (rows - rows.mean()) / 3 / rows.std(), rtol=1e-5)


def test_stacks_of_dense_tensors_have_tensorflows_splits():
    rows = [tf.constant([1, 2]), tf.constant([3])]
    assert tf.ragged.stack(rows).row_splits.dtype is tf.int32
    found = tf.ragged.stack([tf.constant([[1, 2]]), tf.constant([[3], [4]])])
    assert found.row_splits.dtype is tf.int64 and found.to_list() == [[[1, 2]], [[3], [4]]]
    dense = tf.ragged.stack([tf.constant([1, 2]), tf.constant([3, 4])], 1)
    assert isinstance(dense, tf.Tensor) and dense.numpy().tolist() == [[1, 3], [2, 4]]
