"""`tfc.compat.v1.initializers`: makers of Variables' values that have a dtype of their own, and
TensorFlow 1's numbers where none are given; all else is `tfc.initializers`'s."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tfc as _tfc
from tfc.core.types import DTypeLike, ShapeLike


class _Initializer:
    """Gives tensors of a shape; `dtype` is theirs where the call says none."""

    def __init__(self, made: Callable[..., Any], dtype: DTypeLike) -> None:
        self._made = made
        self.dtype = _tfc.as_dtype(dtype)

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None
    ) -> Any:
        return self._made(shape, dtype=self.dtype if dtype is None else dtype)


class zeros_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Zeros.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.zeros_initializer(dtype=tf.int32)([2]))
    tf.Tensor([0 0], shape=(2,), dtype=int32)
    """

    def __init__(self, dtype: DTypeLike = "float32") -> None:
        super().__init__(_tfc.zeros_initializer(), dtype)


class ones_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Ones.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.ones_initializer(tf.int32)([2]))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """

    def __init__(self, dtype: DTypeLike = "float32") -> None:
        super().__init__(_tfc.ones_initializer(), dtype)


class constant_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """A number, or the numbers of a list.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.constant_initializer(3.0, tf.float64)([2]))
    tf.Tensor([3. 3.], shape=(2,), dtype=float64)
    """

    def __init__(
        self, value: Any = 0, dtype: DTypeLike = "float32", verify_shape: bool = False
    ) -> None:
        super().__init__(_tfc.constant_initializer(value), dtype)


class random_normal_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Normal numbers, of a standard deviation of 1.

    >>> import tfc.compat.v1 as tf
    >>> tf.random_normal_initializer(stddev=0.1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        mean: float = 0.0,
        stddev: float = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(_tfc.random_normal_initializer(mean, stddev, seed), dtype)


class random_uniform_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Uniform numbers from 0 to 1.

    >>> import tfc.compat.v1 as tf
    >>> tf.random_uniform_initializer(-0.1, 0.1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        minval: Any = 0.0,
        maxval: Any = None,
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        end = 1.0 if maxval is None else maxval
        super().__init__(_tfc.random_uniform_initializer(minval, end, seed), dtype)


class truncated_normal_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Normal numbers, of which none is further than two deviations from the mean.

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.truncated_normal_initializer(stddev=0.1)([100])) <= 0.2)
    True
    """

    def __init__(
        self,
        mean: float = 0.0,
        stddev: float = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        def made(shape: Any, dtype: Any) -> Any:
            return _tfc.random.truncated_normal(shape, mean, stddev, dtype, seed)

        super().__init__(made, dtype)


class uniform_unit_scaling_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Uniform numbers that keep the scale of what they are multiplied by.

    >>> import tfc.compat.v1 as tf
    >>> tf.uniform_unit_scaling_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike = "float32"
    ) -> None:
        def made(shape: Any, dtype: Any) -> Any:
            size = max(1, math.prod(list(shape)[:-1]))
            most = math.sqrt(3 / size) * factor
            return _tfc.random.uniform(shape, -most, most, dtype, seed)

        super().__init__(made, dtype)


class variance_scaling_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Numbers whose variance the shape says.

    >>> import tfc.compat.v1 as tf
    >>> tf.variance_scaling_initializer(2.0)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        # TensorFlow 1's name of the truncated one.
        kind = "truncated_normal" if distribution == "normal" else distribution
        super().__init__(_tfc.initializers.VarianceScaling(scale, mode, kind, seed), dtype)


class glorot_uniform_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Uniform numbers of Glorot's variance.

    >>> import tfc.compat.v1 as tf
    >>> tf.glorot_uniform_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = "float32") -> None:
        super().__init__(_tfc.initializers.GlorotUniform(seed), dtype)


class glorot_normal_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Truncated normal numbers of Glorot's variance.

    >>> import tfc.compat.v1 as tf
    >>> tf.glorot_normal_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = "float32") -> None:
        super().__init__(_tfc.initializers.GlorotNormal(seed), dtype)


class orthogonal_initializer(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """Orthogonal matrices.

    >>> import tfc.compat.v1 as tf
    >>> tf.orthogonal_initializer()([2, 2]).shape
    TensorShape([2, 2])
    """

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = "float32"
    ) -> None:
        super().__init__(_tfc.initializers.Orthogonal(gain, seed), dtype)


class identity(_Initializer):  # noqa: N801  (TensorFlow 1's name)
    """The identity matrix times `gain`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.initializers.identity(2.0)([2, 2]).numpy().tolist())
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, gain: float = 1.0, dtype: DTypeLike = "float32") -> None:
        super().__init__(_tfc.initializers.Identity(gain), dtype)


zeros, ones, constant = zeros_initializer, ones_initializer, constant_initializer
random_normal, random_uniform = random_normal_initializer, random_uniform_initializer
truncated_normal, orthogonal = truncated_normal_initializer, orthogonal_initializer
glorot_uniform, glorot_normal = glorot_uniform_initializer, glorot_normal_initializer
variance_scaling = variance_scaling_initializer
uniform_unit_scaling = uniform_unit_scaling_initializer


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(_tfc.initializers, name):
        raise AttributeError(f"module 'tfc.compat.v1.initializers' has no attribute {name!r}")
    return getattr(_tfc.initializers, name)


__all__ = [
    "constant",
    "constant_initializer",
    "glorot_normal",
    "glorot_normal_initializer",
    "glorot_uniform",
    "glorot_uniform_initializer",
    "identity",
    "ones",
    "ones_initializer",
    "orthogonal",
    "orthogonal_initializer",
    "random_normal",
    "random_normal_initializer",
    "random_uniform",
    "random_uniform_initializer",
    "truncated_normal",
    "truncated_normal_initializer",
    "uniform_unit_scaling",
    "uniform_unit_scaling_initializer",
    "variance_scaling",
    "variance_scaling_initializer",
    "zeros",
    "zeros_initializer",
]
