"""Initializers: callables that make the first value of a Variable of a given shape."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import float32

from . import blame
from .ops import array
from .ops import random as _random
from .ops.generator import dtype_of


class zeros_initializer:  # noqa: N801
    """Zeros.

    >>> import tfc as tf
    >>> print(tf.zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Any:
        return array.zeros(shape, dtype_of(dtype or float32, "zeros_initializer"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {}


class ones_initializer:  # noqa: N801
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Any:
        return array.ones(shape, dtype_of(dtype or float32, "ones_initializer"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {}


class constant_initializer:  # noqa: N801
    """The same number everywhere, or the numbers of a list in row-major order."""

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        return array.constant(self.value, dtype, shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"value": self.value}


class _Random:
    def __init__(self, first: float, second: float, seed: Any) -> None:
        self._parameters = first, second
        self.seed = seed

    def _draw(self, draw: Any, shape: Any, dtype: Any) -> Any:
        kind = dtype_of(dtype or float32, "initializer")
        if not kind.is_floating:
            raise blame.value_error(f"Expected float dtype, got {kind.name}.", "initializer")
        # The same seed draws anew at each call: the numbers come from one stream.
        return draw(shape, *self._parameters, kind, self.seed)


class random_uniform_initializer(_Random):  # noqa: N801
    """Uniform in [minval, maxval)."""

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Any:
        return self._draw(_random.uniform, shape, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        low, high = self._parameters
        return {"minval": low, "maxval": high, "seed": self.seed}


class random_normal_initializer(_Random):  # noqa: N801
    """Normal with the given mean and standard deviation."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Any:
        return self._draw(_random.normal, shape, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        mean, stddev = self._parameters
        return {"mean": mean, "stddev": stddev, "seed": self.seed}


__all__ = [
    "constant_initializer",
    "ones_initializer",
    "random_normal_initializer",
    "random_uniform_initializer",
    "zeros_initializer",
]
