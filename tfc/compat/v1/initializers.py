"""`tfc.compat.v1.initializers`: what new Variables start from. Random ones draw from streams of
TensorFlow 1, whose seeds are those of the graph and of the initializer."""

from __future__ import annotations

import math
from typing import Any

import tfc as _tfc
from tfc.core import blame as _blame
from tfc.core.types import DTypeLike


class Initializer:
    """What is called with a shape, and a dtype where it is not its own."""

    def __init__(self, dtype: DTypeLike = "float32") -> None:
        self.dtype = dtype

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return self._made(_tfc.TensorShape(shape).as_list(), dtype or self.dtype)

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        raise NotImplementedError


class random_normal_initializer(Initializer):  # noqa: N801
    """What makes tensors of normal numbers.

    >>> import tfc.compat.v1 as tf
    >>> tf.random_normal_initializer(stddev=0.1, seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        mean: float = 0.0,
        stddev: float = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(dtype)
        self._mean, self._stddev, self._seed = mean, stddev, seed

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.random.normal(shape, self._mean, self._stddev, dtype, self._seed)


class truncated_normal_initializer(random_normal_initializer):  # noqa: N801
    """What makes tensors of normal numbers, of which none is further than two deviations from the
    mean.

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.truncated_normal_initializer(stddev=0.1)([100])) <= 0.2)
    True
    """

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.random.truncated_normal(shape, self._mean, self._stddev, dtype, self._seed)


class random_uniform_initializer(Initializer):  # noqa: N801
    """What makes tensors of numbers that are equally likely from `minval` up to `maxval` (1 where
    there is none).

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.random_uniform_initializer(-1.0, 0.0)([100])) <= 0.0)
    True
    """

    def __init__(
        self,
        minval: Any = 0.0,
        maxval: Any = None,
        seed: int | None = None,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(dtype)
        self._minval, self._maxval, self._seed = minval, maxval, seed

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.random.uniform(shape, self._minval, self._maxval, dtype, self._seed)


def _fans(shape: list[Any]) -> tuple[float, float]:
    """How many elements of the input one of the output depends on, and the other way round."""
    if len(shape) < 2:
        only = float(shape[0]) if shape else 1.0
        return only, only
    field = math.prod(shape[:-2])
    return field * shape[-2], field * shape[-1]


_SHRINKS = 0.87962566103423978  # the deviation of normal numbers that are cut at two deviations


class variance_scaling_initializer(Initializer):  # noqa: N801
    """What makes tensors of a variance of `scale` over the number of inputs, outputs, or their
    mean.

    Args:
        scale: A positive number.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
        seed: The seed.
        dtype: The dtype, where a call names none.

    Raises:
        ValueError: If there is no such mode or distribution, or `scale` is not positive.

    >>> import tfc.compat.v1 as tf
    >>> tf.variance_scaling_initializer(2.0, distribution="uniform", seed=1)([2, 3]).shape
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
        super().__init__(dtype)
        op = "variance_scaling_initializer"
        if scale <= 0.0:
            raise _blame.value_error(f"`scale` must be positive float, got {scale}", op)
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise _blame.value_error(f"Invalid `mode` argument: {mode}", op)
        kinds = ("truncated_normal", "normal", "untruncated_normal", "uniform")
        if distribution not in kinds:
            raise _blame.value_error(f"Invalid `distribution` argument: {distribution}", op)
        self._scale, self._mode, self._distribution = scale, mode, distribution
        self._seed = seed

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        before, after = _fans(shape)
        fans = {"fan_in": before, "fan_out": after, "fan_avg": (before + after) / 2.0}
        variance = self._scale / max(1.0, fans[self._mode])
        if self._distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return _tfc.random.uniform(shape, -limit, limit, dtype, self._seed)
        deviation = math.sqrt(variance)
        if self._distribution == "untruncated_normal":
            return _tfc.random.normal(shape, 0.0, deviation, dtype, self._seed)
        whole = deviation / _SHRINKS
        return _tfc.random.truncated_normal(shape, 0.0, whole, dtype, self._seed)


class uniform_unit_scaling_initializer(Initializer):  # noqa: N801
    """What makes tensors of equally likely numbers that keep the scale of what they are multiplied
    with: `factor` times the root of 3 over the number of inputs is the limit.

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.uniform_unit_scaling_initializer()([3, 5])) <= 1.0)
    True
    """

    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike = "float32"
    ) -> None:
        super().__init__(dtype)
        self._factor, self._seed = factor, seed

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        limit = math.sqrt(3.0 / max(1.0, math.prod(shape[:-1]))) * self._factor
        return _tfc.random.uniform(shape, -limit, limit, dtype, self._seed)


class glorot_uniform_initializer(variance_scaling_initializer):  # noqa: N801
    """Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural
    networks", 2010: equally likely numbers.

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.glorot_uniform_initializer()([3, 3])) <= 1.0)
    True
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = "float32") -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class glorot_normal_initializer(variance_scaling_initializer):  # noqa: N801
    """As `glorot_uniform_initializer`, of normal numbers.

    >>> import tfc.compat.v1 as tf
    >>> tf.glorot_normal_initializer()([3, 3]).shape
    TensorShape([3, 3])
    """

    def __init__(self, seed: int | None = None, dtype: DTypeLike = "float32") -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


def he_normal(seed: int | None = None) -> Initializer:
    """He and others, "Delving Deep into Rectifiers", 2015: normal numbers."""
    return variance_scaling_initializer(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> Initializer:
    """As `he_normal`, of equally likely numbers."""
    return variance_scaling_initializer(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed: int | None = None) -> Initializer:
    """LeCun and others, "Efficient BackProp", 1998: normal numbers."""
    return variance_scaling_initializer(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> Initializer:
    """As `lecun_normal`, of equally likely numbers."""
    return variance_scaling_initializer(1.0, "fan_in", "uniform", seed)


class orthogonal_initializer(Initializer):  # noqa: N801
    """What makes matrices (of more axes: all but the last one are rows) whose rows or columns are
    orthogonal, of length `gain`.

    >>> import tfc.compat.v1 as tf
    >>> q = tf.orthogonal_initializer(seed=1)([2, 2])
    >>> bool(tf.reduce_max(tf.abs(q @ tf.transpose(q) - tf.eye(2))) < 1e-6)
    True
    """

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = "float32"
    ) -> None:
        super().__init__(dtype)
        self._gain, self._seed = gain, seed

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        if len(shape) < 2:
            text = "The tensor to initialize must be at least two-dimensional"
            raise _blame.value_error(text, "orthogonal_initializer")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        flat = max(rows, columns), min(rows, columns)
        q, r = _tfc.linalg.qr(_tfc.random.normal(flat, 0.0, 1.0, dtype, self._seed))
        q = q * _tfc.sign(_tfc.linalg.diag_part(r))
        if rows < columns:
            q = _tfc.linalg.matrix_transpose(q)
        return self._gain * _tfc.reshape(q, shape)


class constant_initializer(Initializer):  # noqa: N801
    """What makes tensors of one value, or of the elements of an array.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy().tolist())
    [[1.0, 2.0], [3.0, 4.0]]
    """

    def __init__(
        self, value: Any = 0, dtype: DTypeLike = "float32", verify_shape: bool = False
    ) -> None:
        super().__init__(dtype)
        self._value = value

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.constant(self._value, dtype, shape)


class zeros_initializer(Initializer):  # noqa: N801
    """What makes tensors of zeros.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.zeros_initializer()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.zeros(shape, dtype)


class ones_initializer(Initializer):  # noqa: N801
    """What makes tensors of ones.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.ones_initializer()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        return _tfc.ones(shape, dtype)


class identity(Initializer):  # noqa: N801
    """What makes identity matrices, times `gain`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.initializers.identity(2.0)([2, 2]).numpy().tolist())
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, gain: float = 1.0, dtype: DTypeLike = "float32") -> None:
        super().__init__(dtype)
        self._gain = gain

    def _made(self, shape: list[Any], dtype: Any) -> Any:
        if len(shape) != 2:
            text = "The tensor to initialize must be two-dimensional"
            raise _blame.value_error(text, "initializers.identity")
        return self._gain * _tfc.eye(shape[0], shape[1], dtype=dtype)


random_normal, random_uniform = random_normal_initializer, random_uniform_initializer
truncated_normal, variance_scaling = truncated_normal_initializer, variance_scaling_initializer
uniform_unit_scaling = uniform_unit_scaling_initializer
glorot_normal, glorot_uniform = glorot_normal_initializer, glorot_uniform_initializer
orthogonal, constant = orthogonal_initializer, constant_initializer
zeros, ones = zeros_initializer, ones_initializer


_OF_VARIABLES = {
    "global_variables": "global_variables_initializer",
    "local_variables": "local_variables_initializer",
    "tables_initializer": "tables_initializer",
    "variables": "variables_initializer",
}


def __getattr__(name: str) -> Any:
    if name in _OF_VARIABLES:
        return getattr(_tfc.compat.v1, _OF_VARIABLES[name])
    if name.startswith("__") or not hasattr(_tfc.initializers, name):
        raise AttributeError(f"module 'tfc.compat.v1.initializers' has no attribute {name!r}")
    return getattr(_tfc.initializers, name)
