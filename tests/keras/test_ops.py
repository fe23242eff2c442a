"""Functions of keras.ops where a run beside Keras' NumPy backend found them otherwise: of integers,
and of operands of unknown sizes that broadcast."""

from __future__ import annotations

import numpy as np
import pytest

import tfc as tf

ops = tf.keras.ops


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
def test_integers(dtype: str) -> None:
    x = np.array([[0, 3, 9], [1, 7, 4]], dtype)
    found = ops.relu6(x)
    assert found.dtype.name == dtype and found.numpy().tolist() == [[0, 3, 6], [1, 6, 4]]
    assert ops.rsqrt(x + 1).dtype is tf.float32
    assert np.allclose(ops.rsqrt(x + 1), 1 / np.sqrt(x + 1.0))
    expected = np.log(np.exp(x.astype("float64")).sum(1))
    assert np.allclose(ops.logsumexp(x, axis=1), expected)


@pytest.mark.parametrize("name", ["gcd", "lcm"])
def test_divisors_of_unknown_sizes_that_broadcast(name: str) -> None:
    function = getattr(ops, name)
    x, y = np.array([[[4], [6]], [[9], [0]]]), np.array([[6], [-9]])
    spec = tf.TensorSpec([None, None, None], tf.int32)
    compiled = tf.function(function, input_signature=[spec, tf.TensorSpec([None, None], tf.int32)])
    expected = getattr(np, name)(x, y)
    for f in (function, compiled):
        found = f(tf.constant(x, tf.int32), tf.constant(y, tf.int32))
        assert found.numpy().tolist() == expected.tolist()
