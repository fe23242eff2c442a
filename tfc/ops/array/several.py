"""Several tensors at once, as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.context import context
from ...core.indexed_slices import IndexedSlices
from ...core.scopes import control_dependencies
from ...core.tensor import Tensor
from ...core.types import TensorLike
from .conversion import identity


def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """The tensor as it is: nothing has to be told that it never changes.

    Args:
        input: A tensor.

    Returns:
        A tensor of the same values.

    >>> import tfc as tf
    >>> print(tf.guarantee_const([1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    return identity(input)


def identity_n(input: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """`identity` of each of a list of tensors.

    Args:
        input: A list of tensors and Variables.

    Returns:
        A list of tensors of the same values.

    >>> import tfc as tf
    >>> [int(x) for x in tf.identity_n([1, tf.Variable(2)])]
    [1, 2]
    """
    return [identity(x) for x in input]


def tuple(tensors: Sequence[Any], control_inputs: Any = None, name: str | None = None) -> list[Any]:
    """The tensors as they are: what is computed is done before what uses it, in functions too.

    Args:
        tensors: Tensors, IndexedSlices, or None.
        control_inputs: In a graph, what runs before; elsewhere they have run.

    Returns:
        A list of tensors of the same values, with None where it was given.

    Raises:
        ValueError: If nothing but None is given.

    >>> import tfc as tf
    >>> x, nothing = tf.tuple([tf.constant(1), None])
    >>> print(x.numpy(), nothing)
    1 None
    """
    if all(x is None for x in tensors):
        raise ValueError(f"'tensors' must have at least one Tensor. Received: {tensors!r}.")
    graph = getattr(context.trace, "graph", None)
    copied = identity if graph is None else graph.copy
    with control_dependencies(control_inputs):
        return [x if x is None or isinstance(x, IndexedSlices) else copied(x) for x in tensors]


__all__ = ["guarantee_const", "identity_n", "tuple"]
