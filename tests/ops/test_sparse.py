"""Sparse tensors: against NumPy on the dense ones, eager and traced, their gradients and errors."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tfc as tf

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)
rng = np.random.default_rng(5)


def random(*shape: int, share: float = 0.4) -> np.ndarray:
    x = rng.normal(size=shape)
    return np.where(rng.uniform(size=shape) < share, x, 0.0)


A, B = random(4, 5), random(4, 5)
C = random(3, 4, 2)
COLUMN = 1 + np.arange(4.0)[:, None]


def sparse(x: np.ndarray) -> Any:
    return tf.sparse.from_dense(tf.constant(x))


def dense(x: Any) -> np.ndarray:
    if isinstance(x, tf.SparseTensor):
        x = tf.sparse.to_dense(x)
    return np.asarray(x)


S = tf.sparse
CASES: dict[str, tuple[Any, Any, tuple[np.ndarray, ...]]] = {
    "dense": (S.to_dense, lambda x: x, (C,)),
    "transpose": (S.transpose, np.transpose, (C,)),
    "perm": (lambda x: S.transpose(x, [1, 2, 0]), lambda x: x.transpose(1, 2, 0), (C,)),
    "slice": (lambda x: S.slice(x, [1, 0, 0], [2, 9, 1]), lambda x: x[1:3, :, :1], (C,)),
    "reshape": (lambda x: S.reshape(x, [-1, 8]), lambda x: x.reshape(-1, 8), (C,)),
    "expand": (lambda x: S.expand_dims(x, 1), lambda x: x[:, None], (A,)),
    "expand_last": (S.expand_dims, lambda x: x[..., None], (A,)),
    "concat": (lambda x, y: S.concat(1, [x, y]), lambda x, y: np.concatenate([x, y], 1), (A, B)),
    "split": (lambda x: S.split(x, 3, 1)[1], lambda x: x[:, 2:4], (A,)),
    "add": (S.add, np.add, (A, B)),
    "threshold": (
        lambda x, y: S.add(x, y, 0.5),
        lambda x, y: np.where(np.abs(x + y) >= 0.5, x + y, 0),
        (A, B),
    ),
    "maximum": (S.maximum, np.maximum, (A, B)),
    "minimum": (S.minimum, np.minimum, (A, B)),
    "times": (lambda x: x * np.arange(5.0), lambda x: x * np.arange(5.0), (A,)),
    "divided": (lambda x: x / COLUMN, lambda x: x / COLUMN, (A,)),
    "negative": (lambda x: -x, np.negative, (A,)),
    "map": (lambda x: S.map_values(tf.square, x), np.square, (A,)),
    "sum": (S.reduce_sum, np.sum, (C,)),
    "sum_axis": (lambda x: S.reduce_sum(x, 1), lambda x: x.sum(1), (C,)),
    "sum_axes": (
        lambda x: S.reduce_sum(x, [0, -1], True), lambda x: x.sum((0, 2), keepdims=True), (C,)
    ),
    "sum_sparse": (
        lambda x: S.reduce_sum(x, 0, output_is_sparse=True), lambda x: x.sum(0), (C,)
    ),
    "max": (lambda x: S.reduce_max(x, 1), lambda x: _largest(x), (A,)),
    "softmax": (S.softmax, lambda x: _softmax(x), (A,)),
    "empty_rows": (
        lambda x: S.fill_empty_rows(x, 9.0)[0], lambda x: _filled(x), (np.diag([1.0, 0.0, 2.0]),)
    ),
}  # fmt: skip


def _largest(x: np.ndarray) -> np.ndarray:
    top = np.where(x == 0, -np.inf, x).max(1)
    return np.where(np.isinf(top), 0, top)


def _softmax(x: np.ndarray) -> np.ndarray:
    raised = np.where(x == 0, 0, np.exp(x))
    total = raised.sum(1, keepdims=True)
    return raised / np.where(total == 0, 1, total)


def _filled(x: np.ndarray) -> np.ndarray:
    found = x.copy()
    found[(x == 0).all(1), 0] = 9
    return found


@pytest.mark.parametrize("name", CASES)
def test_against_numpy(name: str) -> None:
    call, reference, arrays = CASES[name]
    wanted = reference(*arrays)
    eager = call(*map(sparse, arrays))
    assert tuple(eager.shape) == wanted.shape
    np.testing.assert_allclose(dense(eager), wanted, rtol=1e-13, atol=1e-15)
    traced = tf.function(call)(*map(sparse, arrays))
    assert type(traced) is type(eager)
    assert dense(traced).tobytes() == dense(eager).tobytes()
    # What is sparse is found in the trace: every size depends on data.
    inside = tf.function(lambda *x: _dense(call(*map(S.from_dense, x))))
    assert inside(*map(tf.constant, arrays)).numpy().tobytes() == dense(eager).tobytes()


def _dense(x: Any) -> Any:
    return S.to_dense(x) if isinstance(x, tf.SparseTensor) else x


@pytest.mark.parametrize("name", ["transpose", "concat", "add", "times", "sum_axes", "softmax"])
def test_gradients(name: str) -> None:
    """Of the values, against finite differences of the dense tensors."""
    call, reference, arrays = CASES[name]
    weights = np.random.default_rng(1).normal(size=reference(*arrays).shape)
    first, *rest = map(sparse, arrays)

    def loss(values: Any) -> Any:
        return tf.reduce_sum(_dense(call(first.with_values(values), *rest)) * weights)

    def gradient(values: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = loss(values)
        return tape.gradient(y, values)

    eager = gradient(first.values)
    assert eager.numpy().tobytes() == tf.function(gradient)(first.values).numpy().tobytes()
    direction = np.random.default_rng(2).normal(size=eager.shape)
    step = 1e-6
    high, low = (float(loss(first.values + s * direction)) for s in (step, -step))
    assert np.isclose(np.sum(eager.numpy() * direction), (high - low) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("adjoint_a", [False, True])
@pytest.mark.parametrize("adjoint_b", [False, True])
def test_products(adjoint_a: bool, adjoint_b: bool) -> None:
    x = A.T if adjoint_a else A
    y = rng.normal(size=(5, 3))
    other = tf.constant(y.T if adjoint_b else y)

    def product(x: Any, y: Any) -> Any:
        return S.sparse_dense_matmul(x, y, adjoint_a, adjoint_b)

    np.testing.assert_allclose(product(sparse(x), other), A @ y, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        tf.function(product)(sparse(x), other), A @ y, rtol=1e-12, atol=1e-14
    )
    # dense times sparse
    left = rng.normal(size=(2, 4))
    found = S.sparse_dense_matmul(tf.constant(left), sparse(A))
    np.testing.assert_allclose(found, left @ A, rtol=1e-12, atol=1e-14)
    # by both operands
    sp = sparse(x)
    with tf.GradientTape() as tape:
        tape.watch([sp.values, other])
        z = tf.reduce_sum(tf.square(product(sp, other)))
    by_values, by_dense = tape.gradient(z, [sp.values, other])
    g = 2 * A @ y
    by_a = (g @ y.T).T if adjoint_a else g @ y.T
    places = sp.indices.numpy()
    np.testing.assert_allclose(by_values, by_a[places[:, 0], places[:, 1]], rtol=1e-11)
    wanted = (A.T @ g).T if adjoint_b else A.T @ g
    np.testing.assert_allclose(tf.convert_to_tensor(by_dense), wanted, rtol=1e-11, atol=1e-13)


def test_complex_adjoint() -> None:
    x = A[:3, :3] * (1 + 2j)
    y = rng.normal(size=(3, 2)) * 1j
    found = S.sparse_dense_matmul(sparse(x), tf.constant(y), adjoint_a=True)
    np.testing.assert_allclose(found, x.conj().T @ y, rtol=1e-12, atol=1e-14)


def test_construction() -> None:
    x = tf.SparseTensor([[0, 1], [1, 2]], [1.0, 2.0], [2, 3])
    assert (x.dtype, x.shape, x.rank) == (tf.float32, (2, 3), 2)
    assert x.indices.dtype == x.dense_shape.dtype == "int64"
    assert "SparseTensor(indices=tf.Tensor(" in repr(x)
    again = pickle.loads(pickle.dumps(x))
    assert dense(again).tolist() == [[0, 1, 0], [0, 0, 2]]
    empty = tf.SparseTensor([], tf.zeros([0]), [2, 2])
    assert dense(empty).tolist() == [[0, 0], [0, 0]] and empty.indices.shape == (0, 2)
    assert tf.SparseTensor.from_value(x).values is x.values
    assert dense(S.add(x, tf.ones([2, 3]))).tolist() == [[1, 2, 1], [1, 1, 3]]
    assert dense(S.add(tf.ones([2, 3]), x)).tolist() == [[1, 2, 1], [1, 1, 3]]
    words = S.from_dense([["", "a"], ["b", ""]])
    assert dense(words).tolist() == [[b"", b"a"], [b"b", b""]]
    assert dense(S.eye(2, 3, tf.int32)).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert dense(S.reset_shape(x, [3, 3])).shape == (3, 3) and S.reset_shape(x).shape == (2, 3)
    wide = S.concat(0, [x, S.eye(1)], expand_nonconcat_dims=True)
    assert dense(wide).tolist() == [[0, 1, 0], [0, 0, 2], [1, 0, 0]]
    found = S.to_indicator(tf.SparseTensor([[0, 0], [1, 1]], [2, 0], [2, 2]), 3)
    assert found.numpy().tolist() == [[False, False, True], [True, False, False]]


def test_order_and_repetitions() -> None:
    x = tf.SparseTensor([[1, 0], [0, 1], [0, 1]], [1, 2, 3], [2, 2])
    for call in (S.to_dense, tf.function(S.to_dense)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="is out of order"):
            call(x)
    assert S.to_dense(x, validate_indices=False).numpy().tolist() == [[0, 3], [1, 0]]
    ordered = S.reorder(x)
    assert ordered.values.numpy().tolist() == [2, 3, 1]
    mixed = tf.SparseTensor([[0, 1], [0, 0], [2, 0], [3, 0], [1, 1]], [4, 3, -1, 2, 1], [5, 6])
    filled, _ = S.fill_empty_rows(mixed, 9)  # rows in order, elements of a row as they are given
    assert filled.values.numpy().tolist() == [4, 3, 1, -1, 2, 9]
    outside = tf.SparseTensor([[5]], [1], [2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="5"):
        S.to_dense(outside)


def test_functions_and_loops_take_them() -> None:
    @tf.function
    def f(pair: Any) -> Any:
        return {"x": pair["x"] * 2.0, "n": S.reduce_sum(pair["x"])}

    found = f({"x": sparse(A)})
    assert isinstance(found["x"], tf.SparseTensor)
    np.testing.assert_allclose(dense(found["x"]), 2 * A)
    np.testing.assert_allclose(found["n"], A.sum())
    other = f({"x": sparse(random(6, 2))})
    assert other["x"].shape == (6, 2)

    @tf.function
    def choose(p: Any, x: Any) -> Any:
        return tf.cond(p, lambda: x * 2.0, lambda: -x)

    np.testing.assert_allclose(dense(choose(tf.constant(False), sparse(A))), -A)


def test_segments() -> None:
    data = rng.normal(size=(5, 2))
    indices, ids = [4, 0, 0, 2], [0, 0, 2, 2]
    rows = data[indices]
    total = np.stack([rows[:2].sum(0), np.zeros(2), rows[2:].sum(0)])
    count = np.array([[2.0], [1.0], [2.0]])
    np.testing.assert_allclose(S.segment_sum(data, indices, ids), total)
    np.testing.assert_allclose(S.segment_mean(data, indices, ids), total / count)
    np.testing.assert_allclose(S.segment_sqrt_n(data, indices, ids), total / np.sqrt(count))
    assert S.segment_sum(data, indices, ids, num_segments=5).shape == (5, 2)


def test_axes_and_extents_may_be_tensors() -> None:
    x = sparse(A)
    for axis in (np.int64(0), tf.constant(0), [tf.constant(-2)], np.array([0])):
        np.testing.assert_allclose(S.reduce_sum(x, axis), A.sum(0))
    turned = tf.function(lambda x, n: S.to_dense(S.reshape(x, [n, -1])))
    np.testing.assert_array_equal(turned(x, tf.constant(2)), A.reshape(2, -1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="less than -1"):
        turned(x, tf.constant(-2))
    assert dense(S.eye(tf.constant(2), 3)).tolist() == [[1, 0, 0], [0, 1, 0]]


BAD: list[tuple[Any, str]] = [
    (lambda: tf.SparseTensor([0, 1], [1, 2], [3]), r"Shape \(2,\) must have rank 2"),
    (lambda: tf.SparseTensor([[0], [1]], [1], [3]), "Dimensions 2 and 1 are not compatible"),
    (lambda: tf.SparseTensor([[0, 0]], [1], [3]), "Dimensions 2 and 1 are not compatible"),
    (lambda: tf.SparseTensor([["a"]], [1], [3]), "unsupported type"),
    (lambda: S.to_dense(tf.ones([2])), "must be a SparseTensor"),
    (lambda: S.add(sparse(A), sparse(C)), "do not have the same ranks"),
    (lambda: S.add(sparse(A), sparse(A[:2])), "Operands' shapes do not match"),
    (lambda: S.add(sparse(A), sparse(A.astype("float32"))), "same dtype"),
    (lambda: S.sparse_dense_matmul(sparse(A), np.ones((4, 2))), "inner dimension"),
    (lambda: S.sparse_dense_matmul(sparse(A), tf.ones([5, 2])), "same dtype"),
    (lambda: S.sparse_dense_matmul(sparse(C), np.ones((5, 2))), "two matrices"),
    (lambda: S.transpose(sparse(A), [0, 0]), "permutation of 2 axes"),
    (lambda: S.reduce_sum(sparse(A), 2), "out of range for rank 2"),
    (lambda: S.reduce_sum(sparse(A), 0.5), "axis 0.5 is out of range"),
    (lambda: S.add(sparse(A), A[0]), "different ranks; received: 2 and 1"),
    (lambda: S.to_dense(sparse(A), [1.0]), "should be a scalar"),
    (lambda: S.fill_empty_rows(sparse(A), [1.0]), "should be a scalar"),
    (lambda: S.segment_mean([1, 2], [0], [0]), "sparse.segment_mean: not defined for dtype int32"),
    (lambda: S.slice(sparse(A), [0], [1]), "start must be a vector of 2 integers"),
    (lambda: S.slice(sparse(A), [0, 0], [1.0, 1.0]), "size must be integers"),
    (lambda: S.slice(sparse(A), [0, 0], [1, -1]), "extent of size is negative"),
    (lambda: S.reshape(sparse(A), [-2, 5]), "size 0 must be non-negative, not -2"),
    (
        lambda: S.reshape(sparse(A), [-1, -1]),
        "may be -1, not both 0 and 1",
    ),
    (lambda: S.reshape(sparse(A), [20.0]), "shape must be integers"),
    (lambda: S.reset_shape(sparse(A), [9]), "new_shape must be a vector of 2 integers"),
    (lambda: S.eye(-1), "an extent is negative"),
    (lambda: S.eye(2.5), "extents must be integers, got 2.5"),
    (lambda: tf.SparseTensor([[0.5]], [1], [3]), "must be integers, got float32"),
    (lambda: S.concat(0, [sparse(A), sparse(A[:, :2])]), "extents other than"),
    (lambda: S.concat(5, [sparse(A)]), "out of range"),
    (lambda: S.concat(0, []), "at least one"),
    (lambda: S.concat(0, [sparse(A), sparse(C)]), "expected 2 but got 3 at position 1"),
    (lambda: S.split(sparse(A), 0, 0), "'num_split' of 0 must be at least minimum 1"),
    (lambda: S.split(sparse(A), 99, 0), "should be between 1 and the splitting dimension size"),
    (lambda: S.split(sparse(A), 2, None), "axis is required"),
    (lambda: S.reshape(sparse(A), [3, 3]), "dense values, but the requested shape has 9"),
    (lambda: S.reshape(sparse(A), [-1, 7]), "requires a multiple of 7"),
    (lambda: S.reset_shape(sparse(A), [1, 1]), "dimension sizes >= sp_input.shape"),
    (lambda: S.to_dense(tf.SparseTensor([[5]], [1], [3])), r"\[5\] is out of bounds: need 0 <= i"),
    (lambda: S.to_dense(tf.SparseTensor([[1], [1]], [1, 2], [3])), r"indices\[1\] = \[1\] is rep"),
    (lambda: tf.SparseTensor.from_value(3), "neither a SparseTensor nor SparseTensorValue"),
    (lambda: S.map_values(tf.abs, 1.0), "No SparseTensor"),
    (lambda: sparse(A) * sparse(A), "two sparse tensors"),
    (lambda: tf.exp(sparse(A)), "SparseTensor"),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_errors(k: int) -> None:
    call, text = BAD[k]
    with pytest.raises((*ERRORS, tf.errors.UnimplementedError), match=text):
        call()


# Sets.


def sets_of(x: Any) -> list[Any]:
    """The sets of a result, as nested lists."""
    found = np.empty([*x.shape[:-1]], object)
    for place in np.ndindex(found.shape):
        found[place] = []
    for place, value in zip(x.indices.numpy(), x.values.numpy(), strict=True):
        assert place[-1] == len(found[tuple(place[:-1])])  # packed, in order
        found[tuple(place[:-1])].append(value)
    rows: list[Any] = found.tolist()
    return rows


@pytest.mark.parametrize("kind", ["dense", "mixed", "sparse", "traced", "strings"])
def test_sets(kind: str) -> None:
    a = rng.integers(0, 9, (3, 2, 6)).astype(np.int32)
    b = rng.integers(0, 9, (3, 2, 4)).astype(np.int32)

    def given(x: np.ndarray, as_sparse: bool) -> Any:
        if kind == "strings":
            return tf.strings.as_string(x)
        if not as_sparse:
            return tf.constant(x)
        everywhere = S.from_dense(np.ones_like(x))
        return everywhere.with_values(tf.constant(x.reshape(-1)))

    x, y = given(a, kind == "sparse"), given(b, kind in ("sparse", "mixed"))
    for name, function in {
        "intersection": lambda s, t: s & t,
        "union": lambda s, t: s | t,
        "difference": lambda s, t: s - t,
    }.items():
        call = getattr(tf.sets, name)
        found = (tf.function(call) if kind == "traced" else call)(x, y)
        wanted = [
            [sorted(function(set(p.tolist()), set(q.tolist()))) for p, q in zip(u, v, strict=True)]
            for u, v in zip(a, b, strict=True)
        ]
        if kind == "strings":
            wanted = [[[str(v).encode() for v in row] for row in rows] for rows in wanted]
        assert sets_of(found) == wanted
        assert found.shape[-1] == max(len(s) for rows in wanted for s in rows)
    sizes = [[len(set(p.tolist())) for p in u] for u in a]
    assert tf.sets.size(x).numpy().tolist() == sizes


def test_more_of_sets() -> None:
    assert sets_of(tf.sets.difference([[1, 2]], [[2, 3]], aminusb=False)) == [[3]]
    assert tf.sets.intersection([[1, 2]], [[3, 4]]).shape == (1, 0)
    for call, text in (
        (lambda: tf.sets.union([[1.0]], [[2.0]]), "integers or strings"),
        (lambda: tf.sets.union([[1]], tf.constant([[2]], tf.int64)), "Types don't match"),
        (lambda: tf.sets.union([[1]], [[2], [3]]), "same but for the last"),
        (lambda: tf.sets.union([[1]], [2]), "same rank"),
        (lambda: tf.sets.size(3), "at least one axis"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


def test_dense_times_sparse_where_ragged_tensors_are_met() -> None:
    sparse = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
    assert tf.ragged.constant([[1], []]).ragged_rank == 1
    for product in (
        tf.constant([[1.0, 2.0], [3.0, 4.0]]) * sparse,
        sparse * [[1.0, 2.0], [3.0, 4.0]],
    ):
        assert tf.sparse.to_dense(product).numpy().tolist() == [[1.0, 0.0], [0.0, 8.0]]
    ragged = tf.constant([[2], [3]]) * tf.ragged.constant([[1, 2], [3]])
    assert ragged.to_list() == [[2, 4], [9]]
    assert (tf.constant([[2], [3]]) - tf.ragged.constant([[1, 2], [3]])).to_list() == [[1, 0], [0]]


def test_axes_that_a_call_tells() -> None:
    x = tf.sparse.from_dense([[1, 0, 3], [0, 2, 4]])
    turned = tf.function(lambda x, perm: tf.sparse.to_dense(tf.sparse.transpose(x, perm)))
    assert turned(x, tf.constant([1, 0])).numpy().tolist() == [[1, 0], [0, 2], [3, 4]]
    assert turned(x, tf.constant([0, 1])).numpy().tolist() == [[1, 0, 3], [0, 2, 4]]


@pytest.mark.parametrize("reduce", [S.reduce_sum, S.reduce_max])
def test_axes_that_are_kept_broadcast_in_functions(reduce: Any) -> None:
    """Their extent is known to be 1, whatever the others are."""

    def centred(x: Any) -> Any:
        sparse = S.from_dense(x)
        return x - reduce(S.add(sparse, sparse), axis=1, keepdims=True)

    x = tf.constant([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0]])
    for shape in ([2, 3], [None, 3], [None, None]):
        f = tf.function(centred, input_signature=[tf.TensorSpec(shape)])
        np.testing.assert_array_equal(f(x), centred(x))
