"""tfc.core.formatting: tensors print as in TensorFlow 2.16, whatever NumPy is installed."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tfc.core import formatting
from tfc.core.shapes import TensorShape


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (
            np.array([[1, 2], [3, 4]], np.int32),
            "int32",
            "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\n"
            "array([[1, 2],\n       [3, 4]], dtype=int32)>",
        ),
        (
            np.array([1.5, 2], np.float32),
            "float32",
            "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1.5, 2. ], dtype=float32)>",
        ),
        (
            np.array([1.5, 2]),
            "float64",
            "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([1.5, 2. ])>",
        ),
        (np.array(3, np.float32), "float32", "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>"),
        (np.float32(0.1), "float32", "<tf.Tensor: shape=(), dtype=float32, numpy=0.1>"),
        (np.array(0.1), "float64", "<tf.Tensor: shape=(), dtype=float64, numpy=0.1>"),
        (np.array(7, np.int64), "int64", "<tf.Tensor: shape=(), dtype=int64, numpy=7>"),
        (np.array(True), "bool", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
        (np.float32("nan"), "float32", "<tf.Tensor: shape=(), dtype=float32, numpy=nan>"),
        (
            np.array([True, False]),
            "bool",
            "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>",
        ),
        (
            np.zeros((0, 3), np.float32),
            "float32",
            "<tf.Tensor: shape=(0, 3), dtype=float32, "
            "numpy=array([], shape=(0, 3), dtype=float32)>",
        ),
        (
            np.array([1, 2.5, 0.1], ml_dtypes.bfloat16),
            "bfloat16",
            "<tf.Tensor: shape=(3,), dtype=bfloat16, "
            "numpy=array([1, 2.5, 0.100098], dtype=bfloat16)>",
        ),
        (
            np.array(0.1, ml_dtypes.bfloat16),
            "bfloat16",
            "<tf.Tensor: shape=(), dtype=bfloat16, numpy=0.100098>",
        ),
        (
            np.array([1.5], np.float16),
            "float16",
            "<tf.Tensor: shape=(1,), dtype=float16, numpy=array([1.5], dtype=float16)>",
        ),
    ],
)
def test_repr(value: Any, dtype: str, expected: str) -> None:
    assert formatting.tensor_repr(value, dtype) == expected


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (np.array(5, np.int32), "int32", "tf.Tensor(5, shape=(), dtype=int32)"),
        (
            np.array([[1, 2], [3, 4]], np.int32),
            "int32",
            "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)",
        ),
        (
            np.array([1, 0], np.float32),
            "float32",
            "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        ),
        (np.array([[4]], np.float32), "float32", "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"),
        (np.array(False), "bool", "tf.Tensor(False, shape=(), dtype=bool)"),
        (np.zeros(0, np.int32), "int32", "tf.Tensor([], shape=(0,), dtype=int32)"),
        (
            np.array([1, 2.5], ml_dtypes.bfloat16),
            "bfloat16",
            "tf.Tensor([1 2.5], shape=(2,), dtype=bfloat16)",
        ),
    ],
)
def test_str(value: Any, dtype: str, expected: str) -> None:
    assert formatting.tensor_str(value, dtype) == expected


def test_long_tensors_are_summarised_without_a_second_shape() -> None:
    text = formatting.tensor_repr(np.arange(2000, dtype=np.int32), "int32")
    assert text == (
        "<tf.Tensor: shape=(2000,), dtype=int32, "
        "numpy=array([   0,    1,    2, ..., 1997, 1998, 1999], dtype=int32)>"
    )


def test_variables() -> None:
    assert formatting.variable_repr("Variable:0", np.array(10, np.int32), "int32") == (
        "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=10>"
    )
    assert formatting.variable_repr("w:0", np.ones((2, 1), np.float32), "float32") == (
        "<tf.Variable 'w:0' shape=(2, 1) dtype=float32, numpy=\n"
        "array([[1.],\n       [1.]], dtype=float32)>"
    )
    declared = TensorShape([None])
    assert formatting.variable_repr("w:0", np.ones(1, np.float32), "float32", declared) == (
        "<tf.Variable 'w:0' shape=(None,) dtype=float32, numpy=array([1.], dtype=float32)>"
    )


def test_symbolic() -> None:
    shape = TensorShape([None, 2])
    assert formatting.symbolic_repr("x:0", shape, "int32") == (
        "<tf.Tensor 'x:0' shape=(None, 2) dtype=int32>"
    )
    assert formatting.symbolic_str("x:0", shape, "int32") == (
        'Tensor("x:0", shape=(None, 2), dtype=int32)'
    )
    assert formatting.symbolic_variable_repr("w:0", shape, "int32") == (
        "<tf.Variable 'w:0' shape=(None, 2) dtype=int32>"
    )


def test_print_options_are_heeded_and_left_alone() -> None:
    value = np.array([1 / 3], np.float32)
    with np.printoptions(precision=2):
        assert formatting.tensor_str(value, "float32").startswith("tf.Tensor([0.33]")
    before = np.get_printoptions()
    formatting.tensor_repr(value, "float32")
    assert np.get_printoptions() == before
