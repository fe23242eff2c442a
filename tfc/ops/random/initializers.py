"""Initializers: callables that make the first value of a Variable of a given shape."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import float32

from ...core import blame
from ...core.tensor import Tensor
from ..arguments import dtype_of
from ..array import creation
from . import distributions as _random
from . import stateless as _stateless


class zeros_initializer:  # noqa: N801
    """Zeros.

    >>> import tfc as tf
    >>> print(tf.zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Tensor:
        return creation.zeros(shape, dtype_of(dtype or float32, "zeros_initializer"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {}


class ones_initializer:  # noqa: N801
    """Ones of a shape and dtype (float32).

    >>> import tfc as tf
    >>> print(tf.ones_initializer()([2], dtype=tf.int32))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Tensor:
        return creation.ones(shape, dtype_of(dtype or float32, "ones_initializer"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {}


class constant_initializer:  # noqa: N801
    """The same number everywhere, or the numbers of a list in row-major order: as many as the shape
    has, else a TypeError. The dtype is that of the numbers, unless one is given.

    >>> import tfc as tf
    >>> print(tf.constant_initializer([1.0, 2.0, 3.0, 4.0])([2, 2]))
    tf.Tensor(
    [[1. 2.]
     [3. 4.]], shape=(2, 2), dtype=float32)
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        return creation.constant(self.value, dtype, shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"value": self.value}


class _Random:
    def __init__(self, first: float, second: float, seed: Any) -> None:
        self._parameters = first, second
        self.seed = seed

    def _draw(self, draw: Any, stateless: Any, shape: Any, dtype: Any, what: str) -> Tensor:
        kind = dtype_of(dtype or float32, "initializer")
        if not kind.is_floating and not (kind.is_integer and "integer" in what):
            raise blame.value_error(f"Expected {what} dtype, got {kind.name}.", "initializer")
        if self.seed is None:
            return draw(shape, *self._parameters, kind)
        return stateless(shape, [self.seed, 0], *self._parameters, kind)


class random_uniform_initializer(_Random):  # noqa: N801
    """Uniform in [minval, maxval), of floats or integers; ValueError for other dtypes.

    With a `seed` all calls with one shape give the same numbers: TensorFlow's.

    >>> import tfc as tf
    >>> x = tf.random_uniform_initializer(-1.0, 1.0)([1000])
    >>> bool(tf.reduce_all(tf.abs(x) <= 1.0))
    True
    """

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Tensor:
        what = "float or integer"
        return self._draw(_random.uniform, _stateless.stateless_uniform, shape, dtype, what)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        low, high = self._parameters
        return {"minval": low, "maxval": high, "seed": self.seed}


class random_normal_initializer(_Random):  # noqa: N801
    """Normal with the given mean and standard deviation, of floats; ValueError for integers. With a
    `seed` all calls with one shape give the same numbers: TensorFlow's.

    >>> import tfc as tf
    >>> initializer = tf.random_normal_initializer(stddev=0.1, seed=1)
    >>> tf.Variable(initializer([3, 4])).shape, initializer.get_config()
    (TensorShape([3, 4]), {'mean': 0.0, 'stddev': 0.1, 'seed': 1})
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)

    def __call__(self, shape: Any, dtype: Any = float32, **kwargs: Any) -> Tensor:
        return self._draw(_random.normal, _stateless.stateless_normal, shape, dtype, "float")

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
