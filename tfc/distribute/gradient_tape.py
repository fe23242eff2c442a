"""A tape whose gradients are those of all ranks."""

from __future__ import annotations

from typing import Any

from ..autodiff.tape import GradientTape
from ..core import nest
from ..core.conversion import convert_to_tensor
from .collectives import all_reduce, reduction_of


class DistributedGradientTape(GradientTape):
    """A `tf.GradientTape` whose `gradient` is reduced over all ranks: each rank computes that of
    its own part of the batch.

    Args:
        persistent: Whether `gradient` may be called more than once.
        watch_accessed_variables: Whether Variables are watched when they are read.
        op: "mean", or "sum": what is made of the ranks' gradients.

    >>> import tfc as tf
    >>> v = tf.Variable(3.0)
    >>> with tf.distribute.DistributedGradientTape() as tape:
    ...     loss = v * v
    >>> float(tape.gradient(loss, v))  # of one rank
    6.0
    """

    def __init__(
        self, persistent: bool = False, watch_accessed_variables: bool = True, op: Any = "mean"
    ) -> None:
        super().__init__(persistent, watch_accessed_variables)
        self._reduction = reduction_of(op, "DistributedGradientTape")

    def gradient(self, target: Any, sources: Any, *arguments: Any, **options: Any) -> Any:
        """The gradient of `target`, as of a `tf.GradientTape`, reduced over all ranks.

        Args:
            target: A tensor, or a nested structure of tensors.
            sources: A tensor or Variable, or a nested structure of them.
            arguments: As of `tf.GradientTape.gradient`.
            options: As of `tf.GradientTape.gradient`.

        Returns:
            What `sources` are, with gradients (tensors); None where nothing connects them.
        """
        found = super().gradient(target, sources, *arguments, **options)
        leaves = nest.flatten(found, expand_composites=False)
        there = [convert_to_tensor(g) for g in leaves if g is not None]
        reduced = iter(all_reduce(there, self._reduction))
        return nest.pack_sequence_as(
            sources, [None if g is None else next(reduced) for g in leaves]
        )


__all__ = ["DistributedGradientTape"]
