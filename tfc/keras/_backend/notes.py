"""Tensors that take attributes, as TensorFlow's do: where Keras sets some."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf


class Noted:
    """A tensor, and attributes beside its own. Tensors have no room for these: it would be paid for
    by all of them."""

    def __init__(self, tensor: tf.Tensor) -> None:
        self.tensor = tensor

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tensor, name)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.tensor, dtype)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self.tensor, dtype)


__all__ = ["Noted"]
