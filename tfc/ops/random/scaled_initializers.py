"""`tfc.initializers` where Keras is not installed: callables that make the first value of a
Variable of a given shape. With a seed all calls with one shape give TensorFlow's numbers."""

from __future__ import annotations

import math
from typing import Any

from tfc.ir.dtypes import float32

from ...core import blame
from ...core.tensor import Tensor
from ...core.types import DTypeLike, ShapeLike
from ..arguments import dtype_of
from ..array.creation import eye
from ..array.shaping import reshape, transpose
from ..extents import as_extents
from ..linalg.diagonals import diag_part
from ..linalg.factorisations import qr
from ..math.arithmetic import sign
from . import initializers as _plain
from .distributions import normal, truncated_normal, uniform
from .stateless import stateless_normal, stateless_truncated_normal, stateless_uniform

Constant, Ones, Zeros = (
    _plain.constant_initializer,
    _plain.ones_initializer,
    _plain.zeros_initializer,
)
RandomNormal = _plain.random_normal_initializer
RandomUniform = _plain.random_uniform_initializer

# The standard deviation of normal numbers that are cut off at two.
_OF_TRUNCATED = 0.87962566103423978
_DRAWS = {
    "uniform": (uniform, stateless_uniform),
    "normal": (normal, stateless_normal),
    "truncated_normal": (truncated_normal, stateless_truncated_normal),
}


def _drawn(kind: str, seed: Any, shape: Any, first: float, second: float, dtype: Any) -> Tensor:
    wanted = dtype_of(dtype or float32, "initializer")
    if not wanted.is_floating:
        raise blame.value_error(f"Expected float dtype, got {wanted.name}.", "initializer")
    stateful, stateless = _DRAWS[kind]
    if seed is None:
        return stateful(shape, first, second, wanted)
    return stateless(shape, [seed, 0], first, second, wanted)


class TruncatedNormal:
    """Normal within two standard deviations of the mean."""

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: ShapeLike, dtype: DTypeLike = float32, **kwargs: Any) -> Tensor:
        return _drawn("truncated_normal", self.seed, shape, self.mean, self.stddev, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


class VarianceScaling:
    """Random numbers whose variance is `scale` over the number of inputs ("fan_in"), of outputs
    ("fan_out"), or their mean ("fan_avg"), so that what layers give stays of one size.

    Args:
        scale: A positive number.
        mode: Which number it is divided by.
        distribution: "truncated_normal" or "normal" (cut off at two standard deviations),
            "untruncated_normal" or "uniform".
        seed: An integer; None: new numbers in each call.

    Raises:
        ValueError: If an argument is none of these.

    >>> from tfc.ops.random import scaled_initializers
    >>> initializer = scaled_initializers.VarianceScaling(2.0, "fan_in", "uniform", seed=1)
    >>> x = initializer([300, 100])
    >>> round(float(x.numpy().std() ** 2 * 300), 1)
    2.0
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if scale <= 0:
            raise blame.value_error(f"scale must be positive, got {scale}", "VarianceScaling")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise blame.value_error(f"no mode {mode!r}", "VarianceScaling")
        if distribution not in (*_DRAWS, "untruncated_normal"):
            raise blame.value_error(f"no distribution {distribution!r}", "VarianceScaling")
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def __call__(self, shape: ShapeLike, dtype: DTypeLike = float32, **kwargs: Any) -> Tensor:
        inputs, outputs = fans(shape)
        fan = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return _drawn("uniform", self.seed, shape, -limit, limit, dtype)
        if self.distribution == "untruncated_normal":
            return _drawn("normal", self.seed, shape, 0.0, math.sqrt(variance), dtype)
        deviation = math.sqrt(variance) / _OF_TRUNCATED
        return _drawn("truncated_normal", self.seed, shape, 0.0, deviation, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        names = "scale", "mode", "distribution", "seed"
        return {name: getattr(self, name) for name in names}


def _extents(shape: ShapeLike) -> list[int]:
    found: Any = as_extents(shape, "initializer")
    return [int(extent) for extent in found]


def fans(shape: ShapeLike) -> tuple[float, float]:
    """How many inputs and outputs a kernel of this shape has: those of its last two axes, times the
    window of its others."""
    extents = _extents(shape)
    if len(extents) < 2:
        only = extents[0] if extents else 1
        return only, only
    window = math.prod(extents[:-2])
    return extents[-2] * window, extents[-1] * window


class _Scaled(VarianceScaling):
    arguments: tuple[float, str, str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.arguments, seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed}


class GlorotUniform(_Scaled):
    """Uniform with the variance 2 / (inputs + outputs) (X. Glorot, Y. Bengio, 2010)."""

    arguments = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Scaled):
    """Truncated normal with the variance 2 / (inputs + outputs) (X. Glorot, Y. Bengio, 2010)."""

    arguments = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_Scaled):
    """Uniform with the variance 2 / inputs (K. He et al., 2015)."""

    arguments = (2.0, "fan_in", "uniform")


class HeNormal(_Scaled):
    """Truncated normal with the variance 2 / inputs (K. He et al., 2015)."""

    arguments = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_Scaled):
    """Uniform with the variance 1 / inputs (Y. LeCun et al., 1998)."""

    arguments = (1.0, "fan_in", "uniform")


class LecunNormal(_Scaled):
    """Truncated normal with the variance 1 / inputs (Y. LeCun et al., 1998)."""

    arguments = (1.0, "fan_in", "truncated_normal")


class Orthogonal:
    """A matrix with orthonormal rows or columns, whichever are fewer, times `gain`; of more axes
    all but the last are the rows (A. Saxe et al., 2014)."""

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: ShapeLike, dtype: DTypeLike = float32, **kwargs: Any) -> Tensor:
        extents = _extents(shape)
        if len(extents) < 2:
            raise blame.value_error(f"a matrix has two axes at least, not {extents}", "Orthogonal")
        rows, columns = math.prod(extents[:-1]), extents[-1]
        flat = [max(rows, columns), min(rows, columns)]
        q, r = qr(_drawn("normal", self.seed, flat, 0.0, 1.0, dtype))
        q = q * sign(diag_part(r))  # which makes all of them as likely
        return self.gain * reshape(transpose(q) if rows < columns else q, extents)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"gain": self.gain, "seed": self.seed}


class Identity:
    """`gain` on the diagonal of a matrix, and 0 elsewhere."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: ShapeLike, dtype: DTypeLike = float32, **kwargs: Any) -> Tensor:
        extents = _extents(shape)
        if len(extents) != 2:
            raise blame.value_error(f"a matrix has two axes, not {extents}", "Identity")
        return self.gain * eye(extents[0], extents[1], dtype=dtype_of(dtype or float32, "Identity"))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"gain": self.gain}


zeros, ones, constant, identity, orthogonal = Zeros, Ones, Constant, Identity, Orthogonal
random_normal, random_uniform = RandomNormal, RandomUniform
variance_scaling = VarianceScaling
glorot_normal, glorot_uniform = GlorotNormal, GlorotUniform
he_normal, he_uniform = HeNormal, HeUniform
lecun_normal, lecun_uniform = LecunNormal, LecunUniform

__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "Identity",
    "LecunNormal",
    "LecunUniform",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "variance_scaling",
    "zeros",
]
