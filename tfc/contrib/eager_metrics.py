"""`tfc.contrib.eager.metrics`: means over all that they are called with, in float64."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike
from tfc.core.variable import Variable


class Mean:
    """The mean of all values that it was called with.

    Args:
        name: Its name.
        dtype: What it counts in: float64 by default.

    >>> import tfc.contrib.eager as tfe
    >>> mean = tfe.metrics.Mean("loss")
    >>> for value in (0, 5, [8, 9]):
    ...     _ = mean(value)
    >>> print(mean.result())
    tf.Tensor(5.5, shape=(), dtype=float64)
    """

    def __init__(self, name: str | None = None, dtype: Any = "float64") -> None:
        self._name = name or type(self).__name__
        self._numerator = _tfc.Variable(0.0, dtype=dtype, trainable=False, name="numer")
        self._denominator = _tfc.Variable(0.0, dtype=dtype, trainable=False, name="denom")

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def variables(self) -> list[Variable]:
        """The sum, and how many values there were."""
        return [self._numerator, self._denominator]

    def init_variables(self) -> None:
        """Forget all values."""
        for variable in self.variables:
            variable.assign(0.0)

    def __call__(self, values: TensorLike, weights: TensorLike | None = None) -> Any:
        """Count values, each by its weight; gives them back."""
        self._count(values, weights)
        return values

    def _count(self, values: TensorLike, weights: TensorLike | None) -> None:
        dtype = self._numerator.dtype
        found = _tfc.cast(values, dtype)
        counted = _tfc.ones_like(found)
        if weights is not None:
            counted = counted * _tfc.cast(weights, dtype)
        self._numerator.assign_add(_tfc.reduce_sum(found * counted))
        self._denominator.assign_add(_tfc.reduce_sum(counted))

    def result(self) -> Tensor:
        """The mean; nan of no values."""
        return self._numerator / self._denominator


class Accuracy(Mean):
    """Which part of all predictions was the label.

    Args:
        name: Its name.
        dtype: What it counts in: float64 by default.

    >>> import tfc.contrib.eager as tfe
    >>> accuracy = tfe.metrics.Accuracy()
    >>> _ = accuracy(labels=[1, 2, 3, 4], predictions=[1, 0, 3, 4])
    >>> print(accuracy.result().numpy())
    0.75
    """

    def __call__(  # type: ignore[override]
        self, labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None
    ) -> Any:
        """Count predictions beside their labels; gives both back."""
        self._count(_tfc.equal(labels, predictions), weights)
        return labels, predictions


__all__ = ["Accuracy", "Mean"]
