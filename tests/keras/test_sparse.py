"""Sparse tensors in Keras' functions, layers and training: what stays sparse, and that the numbers
are those of dense tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL

keras = tf.keras
ops = keras.ops

random = np.random.default_rng(3)
DENSE = ((random.random((64, 12)) < 0.2) * random.normal(size=(64, 12))).astype("float32")
LABELS = (DENSE.sum(1) > 0).astype("int32")
SPARSE = tf.sparse.from_dense(DENSE)
SMALL, OTHER = DENSE[:3, :4], DENSE[3:6, :4]


def _slices(*rows: int) -> tf.IndexedSlices:
    return tf.IndexedSlices(tf.constant(DENSE[list(rows), :4]), rows, (6, 4))


def _dense(x: Any) -> np.ndarray:
    return np.asarray(ops.convert_to_numpy(x))


def _close(x: Any, y: Any) -> bool:
    return np.allclose(_dense(x), y, rtol=1e-6, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum", "divide"])
def test_two_operands(name: str) -> None:
    """Of two sparse ones the result is sparse, but for a quotient; so is a product with a dense one
    that broadcasts."""
    function, reference = getattr(ops, name), getattr(np, name)
    rows = np.float32([[1, -2, 0.5, 0]])
    with np.errstate(all="ignore"):
        for x, y in (
            (tf.sparse.from_dense(SMALL), tf.sparse.from_dense(OTHER)),
            (_slices(0, 2, 2, 5), _slices(2, 4)),  # row 2 is there twice: it counts twice
        ):
            found = function(x, y)
            assert _close(found, reference(_dense(x), _dense(y)))
            assert isinstance(found, type(x)) == (name != "divide")
            found = function(x, rows)
            assert _close(found, reference(_dense(x), rows))
            is_product = name in ("multiply", "divide") and isinstance(x, tf.SparseTensor)
            assert isinstance(found, type(x)) == is_product
            assert _close(function(rows, x), reference(rows, _dense(x)))


def test_quotients_have_places_where_nothing_is_divided_by_nothing() -> None:
    divisors = np.float32([[0, 1, np.nan, 2]] * 3)
    with np.errstate(all="ignore"):
        expected = SMALL / divisors
    compiled = tf.function(ops.divide)
    for divide in (ops.divide, compiled):
        found = divide(tf.sparse.from_dense(SMALL), divisors)
        assert isinstance(found, tf.SparseTensor) and _close(found, expected)
    rows = tf.IndexedSlices(tf.constant(SMALL[1:2]), [1], (3, 4))
    divisors = np.float32([[0] * 4, [2] * 4, [1] * 4])
    with np.errstate(all="ignore"):
        assert _close(ops.divide(rows, divisors), _dense(rows) / divisors)


def test_products_of_matrices() -> None:
    a, b = DENSE[:6], DENSE[6:18]
    many = random.normal(size=(2, 4, 3)).astype("float32")
    batches = tf.sparse.from_dense(DENSE[:2, :].reshape(2, 3, 4))
    compiled = tf.function(ops.matmul)
    for matmul in (ops.matmul, compiled) if ALL else (compiled,):
        both = matmul(tf.sparse.from_dense(a), tf.sparse.from_dense(b))
        assert isinstance(both, tf.SparseTensor) and _close(both, a @ b)
        assert _close(matmul(tf.sparse.from_dense(a), b), a @ b)
        assert _close(matmul(a, tf.sparse.from_dense(b)), a @ b)
        assert _close(matmul(batches, many), _dense(batches) @ many)
        assert _close(matmul(batches, many[0]), _dense(batches) @ many[0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="inner extents"):
        ops.matmul(tf.sparse.from_dense(a), b[:5])


def test_what_stays_sparse() -> None:
    x = tf.sparse.from_dense(SMALL)
    for function, reference in (
        (lambda v: ops.reshape(v, (2, -1)), SMALL.reshape(2, 6)),
        (lambda v: ops.transpose(v), SMALL.T),
        (lambda v: ops.squeeze(ops.expand_dims(v, (0, 2)), 2), SMALL[None]),
        (lambda v: ops.sum(v, 0, keepdims=True), SMALL.sum(0, keepdims=True)),
        (lambda v: ops.sum(v), SMALL.sum()),
        (lambda v: ops.concatenate([v, v], 1), np.concatenate([SMALL, SMALL], 1)),
        (lambda v: ops.clip(v, -0.5, 0.5), SMALL.clip(-0.5, 0.5)),
        (lambda v: ops.cast(ops.tanh(v), "float64"), np.tanh(SMALL)),
        (lambda v: ops.digitize(v, np.float32([0.1, 0.5])), np.digitize(SMALL, [0.1, 0.5])),
        (lambda v: ops.convert_to_tensor(v), SMALL),
    ):
        found = function(x)
        assert isinstance(found, tf.SparseTensor) and _close(found, reference)
    for function, reference in (
        (lambda v: ops.exp(v), np.exp(SMALL)),
        (lambda v: ops.digitize(v, np.float32([-1, 1])), np.digitize(SMALL, [-1, 1])),
        (lambda v: ops.convert_to_tensor(v, sparse=False), SMALL),
        (lambda v: ops.concatenate([v, SMALL], 0), np.concatenate([SMALL, SMALL])),
    ):
        found = function(x)
        assert isinstance(found, tf.Tensor) and _close(found, reference)


def test_counts() -> None:
    x = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [2, 2, 1], [2, 3])
    weights = x.with_values(tf.constant([0.5, 1.0, 4.0]))
    for given, expected in (
        (None, [[0, 0, 2, 0], [0, 1, 0, 0]]),
        (weights, [[0, 0, 1.5], [0, 4, 0]]),
    ):
        found = ops.bincount(x, given, minlength=4 if given is None else 0)
        assert isinstance(found, tf.SparseTensor) and _close(found, expected)


def _model(sparse: bool, **options: Any) -> Any:
    keras.utils.set_random_seed(0)
    shape = keras.Input((12,), sparse=sparse)
    layers = [keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2)]
    model = keras.Sequential([shape, *layers])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(0.1), loss, **options)
    return model


def test_training() -> None:
    """Sparse tensors, SciPy's matrices and datasets train as the same numbers do; how they are run
    makes no difference to the bits."""
    sparse = pytest.importorskip("scipy.sparse")
    fitted = _model(False)
    fitted.fit(DENSE, LABELS, batch_size=24, shuffle=False, verbose=0)
    expected = fitted.get_weights()
    dataset = tf.data.Dataset.from_tensor_slices((SPARSE, LABELS)).batch(24)
    seen = []
    ways: list[tuple[Any, dict[str, Any]]] = [
        (sparse.csr_matrix(DENSE), {}),
        (dataset, {"steps_per_execution": 2}),
    ]
    parts = [(sparse.csr_matrix(DENSE[i : i + 24]), LABELS[i : i + 24]) for i in (0, 24, 48)]
    ways.append(((part for part in parts), {}))
    if ALL:  # op by op, and the same road as SciPy's matrices
        ways += [(SPARSE, {"run_eagerly": True}), (SPARSE, {})]
    for x, options in ways:
        model = _model(True, **options)
        whole = isinstance(x, tf.SparseTensor | sparse.csr_matrix)
        given = {"y": LABELS, "batch_size": 24} if whole else {}
        model.fit(x, **given, shuffle=False, verbose=0)
        seen.append(model.get_weights())
        for weights, others in zip(seen[-1], expected, strict=True):
            assert np.allclose(weights, others, atol=1e-6)
    for other in seen[1:]:
        assert all(np.array_equal(v, w) for v, w in zip(seen[0], other, strict=True))
    predicted = fitted.predict(DENSE[:24], verbose=0)
    assert np.allclose(model(tf.sparse.slice(SPARSE, [0, 0], [24, 12])), predicted, atol=1e-5)


def test_traces_of_steps_know_extents() -> None:
    """All but the number of samples, as long as batches agree."""
    seen = []

    class Noting(keras.layers.Layer):
        def call(self, x: Any) -> Any:
            seen.append(tuple(x.shape))
            return ops.sum(ops.reshape(x, (-1, 4)), axis=-1, keepdims=True)

        def compute_output_shape(self, shape: Any) -> Any:
            return (None, 1)

    model = keras.Model(inputs := keras.Input((2, 2), sparse=True), Noting()(inputs))
    x = tf.sparse.reshape(tf.sparse.slice(SPARSE, [0, 0], [8, 4]), [8, 2, 2])
    assert model.predict(x, batch_size=4, verbose=0).shape == (8, 1)
    assert set(seen) <= {(None, 2, 2), (4, 2, 2)} and seen
