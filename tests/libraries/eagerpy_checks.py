"""EagerPy on tfc: each method of its tensors beside the same one of NumPy's. (Its own tests do not
come with it.)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import eagerpy as ep
import numpy as np
import pytest
import tensorflow as tf

X = np.array([[0.5, -1.5, 2.0], [3.0, 0.25, -0.75]], np.float32)
Y = np.array([[1.0, 2.0, 0.5], [-3.0, 0.5, 0.75]], np.float32)
POSITIVE = np.abs(X) + 0.5
LABELS = np.array([2, 0])

METHODS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "radd": lambda x, y: 2 + x,
    "sub": lambda x, y: x - y,
    "rsub": lambda x, y: 2 - x,
    "mul": lambda x, y: x * y,
    "rmul": lambda x, y: 2 * x,
    "truediv": lambda x, y: x / y,
    "rtruediv": lambda x, y: 2 / x,
    "floordiv": lambda x, y: x // y,
    "rfloordiv": lambda x, y: 2 // x,
    "mod": lambda x, y: x % y,
    "neg": lambda x, y: -x,
    "pow": lambda x, y: x.abs().pow(y),
    "pow2": lambda x, y: x**2,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "eq": lambda x, y: x == x,
    "ne": lambda x, y: x != y,
    "abs": lambda x, y: x.abs(),
    "sign": lambda x, y: x.sign(),
    "sqrt": lambda x, y: x.abs().sqrt(),
    "square": lambda x, y: x.square(),
    "exp": lambda x, y: x.exp(),
    "log": lambda x, y: (x.abs() + 1).log(),
    "log2": lambda x, y: (x.abs() + 1).log2(),
    "log10": lambda x, y: (x.abs() + 1).log10(),
    "log1p": lambda x, y: x.abs().log1p(),
    "tanh": lambda x, y: x.tanh(),
    "arctanh": lambda x, y: (x / 4).arctanh(),
    "isnan": lambda x, y: (x / 0).isnan(),
    "isinf": lambda x, y: (x / 0).isinf(),
    "sum": lambda x, y: x.sum(),
    "sum_axis": lambda x, y: x.sum(axis=0),
    "sum_axes": lambda x, y: x.sum(axis=(0, 1), keepdims=True),
    "mean": lambda x, y: x.mean(axis=1),
    "prod": lambda x, y: x.prod(axis=0),
    "min": lambda x, y: x.min(axis=1),
    "max": lambda x, y: x.max(),
    "minimum": lambda x, y: x.minimum(y),
    "minimum_scalar": lambda x, y: x.minimum(0.5),
    "maximum": lambda x, y: x.maximum(y),
    "all": lambda x, y: (x > -5).all(),
    "all_axis": lambda x, y: (x > 0).all(axis=0),
    "any": lambda x, y: (x > 2).any(axis=1),
    "logical_and": lambda x, y: (x > 0).logical_and(y > 0),
    "logical_or": lambda x, y: (x > 0).logical_or(y > 0),
    "logical_not": lambda x, y: (x > 0).logical_not(),
    "argmin": lambda x, y: x.argmin(axis=1),
    "argmax": lambda x, y: x.argmax(axis=0),
    "argsort": lambda x, y: x.argsort(axis=1),
    "sort": lambda x, y: x.sort(axis=0),
    "topk": lambda x, y: x.topk(2),
    "reshape": lambda x, y: x.reshape((3, 2)),
    "flatten": lambda x, y: x.flatten(),
    "transpose": lambda x, y: x.transpose(),
    "transpose_axes": lambda x, y: x.reshape((1, 2, 3)).transpose((2, 0, 1)),
    "T": lambda x, y: x.T,
    "matmul": lambda x, y: x.matmul(y.T),
    "expand_dims": lambda x, y: x.expand_dims(1),
    "squeeze": lambda x, y: x.reshape((1, 2, 3)).squeeze(0),
    "tile": lambda x, y: x.tile((2, 1)),
    "flip": lambda x, y: x.flip(1),
    "pad": lambda x, y: x.pad(((1, 0), (0, 2)), value=1.5),
    "pad_reflect": lambda x, y: x.reshape((1, 1, 2, 3)).pad(
        ((0, 0), (0, 0), (1, 1), (1, 1)), mode="reflect"
    ),
    "cumsum": lambda x, y: x.cumsum(axis=1),
    "clip": lambda x, y: x.clip(-1, 1),
    "where": lambda x, y: (x > y).where(x, y),
    "where_scalar": lambda x, y: (x > y).where(x, 0.0),
    "take_along_axis": lambda x, y: x.take_along_axis(x.argsort(axis=1), axis=1),
    "softmax": lambda x, y: x.softmax(),
    "log_softmax": lambda x, y: x.log_softmax(axis=0),
    "crossentropy": lambda x, y: x.crossentropy(x.argmax(axis=1)),
    "onehot_like": lambda x, y: x.onehot_like(x.argmax(axis=1), value=2),
    "slogdet": lambda x, y: x.matmul(y.T).slogdet(),
    "zeros_like": lambda x, y: x.zeros_like(),
    "ones_like": lambda x, y: x.ones_like(),
    "full_like": lambda x, y: x.full_like(3.0),
    "zeros": lambda x, y: x.zeros((2, 2)),
    "ones": lambda x, y: x.ones(3),
    "full": lambda x, y: x.full((2,), 1.5),
    "arange": lambda x, y: x.arange(2, 9, 3),
    "stack": lambda x, y: ep.stack([x, y], axis=1),
    "concatenate": lambda x, y: ep.concatenate([x, y], axis=1),
    "meshgrid": lambda x, y: x[0].meshgrid(y[:, 0]),
    "getitem": lambda x, y: x[1, :2],
    "getitem_tensor": lambda x, y: x[x.argmax(axis=0)],
    "getitem_mask": lambda x, y: x[x > 0],
    "index_update": lambda x, y: x.index_update(ep.index[1], 7.0),
    "index_update_column": lambda x, y: x.index_update(ep.index[:, 0], y[:, 1]),
    "astype": lambda x, y: (x > 0).astype(x.dtype),
    "bool": lambda x, y: x.bool(),
    "norm_l1": lambda x, y: x.norms.l1(axis=1),
    "norm_l2": lambda x, y: x.norms.l2(),
    "norm_linf": lambda x, y: x.norms.linf(axis=0, keepdims=True),
    "from_numpy": lambda x, y: x.from_numpy(np.arange(3)),
    "len": lambda x, y: x.full((), len(x)),
    "iter": lambda x, y: list(x)[1],
    "item": lambda x, y: x.full((), x.sum().item()),
}


@pytest.mark.parametrize("name", METHODS)
def test_as_numpy(name: str) -> None:
    """The same values, shapes and (but for what NumPy makes wider) dtypes."""
    method = METHODS[name]
    with np.errstate(all="ignore"):
        want = method(ep.astensor(X), ep.astensor(Y))
    have = method(ep.astensor(tf.constant(X)), ep.astensor(tf.constant(Y)))
    pairs = zip(want, have, strict=True) if isinstance(want, tuple) else [(want, have)]
    for a, b in pairs:
        assert isinstance(b, ep.TensorFlowTensor) and a.shape == b.shape
        np.testing.assert_allclose(a.numpy(), b.numpy(), 2e-6, 1e-6)


def test_gradients() -> None:
    x = ep.astensor(tf.constant(X))
    value, gradient = ep.value_and_grad(lambda v: v.square().sum(), x)
    assert value.item() == pytest.approx(float((X**2).sum()))
    np.testing.assert_allclose(gradient.numpy(), 2 * X)
    (_, extra), gradient = ep.value_aux_and_grad(lambda v: (v.sum(), v.shape), x)[:2], None
    assert extra == (2, 3)


def test_random_tensors_and_types() -> None:
    x = ep.astensor(tf.constant(X))
    assert x.uniform((4, 2), -1.0, 1.0).shape == (4, 2) and x.normal(3).shape == (3,)
    assert x.dtype == tf.float32 and x.ndim == 2 and isinstance(x.raw, tf.Tensor)
    assert ep.astensor(tf.constant(LABELS)).astype(tf.float32).dtype == tf.float32
    assert isinstance(ep.astensors(tf.constant(X), tf.constant(Y))[1], ep.TensorFlowTensor)
