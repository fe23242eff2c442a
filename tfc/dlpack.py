"""`tfc.experimental.dlpack`: tensors to and from other libraries without files or text.

Nobody may change a tensor, so what comes in is copied, and what goes out is read-only or a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import Tensor, Variable, wrap

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule of the elements, to be consumed once.

    >>> import tfc as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1, 2]))
    >>> print(tf.experimental.dlpack.from_dlpack(capsule))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    if not isinstance(tf_tensor, Tensor | Variable):
        raise TypeError(f"to_dlpack takes a tensor, got {type(tf_tensor).__name__}")
    return np.array(tf_tensor).__dlpack__()


def from_dlpack(dlcapsule: Any) -> Tensor:
    """A tensor of what a DLPack capsule holds, or an object that can give one."""
    given = dlcapsule
    if type(given).__name__ == "PyCapsule":
        given = _Capsule(given)
    elif not hasattr(given, "__dlpack__"):
        raise TypeError(f"from_dlpack takes a DLPack capsule, got {type(given).__name__}")
    return wrap(np.array(np.from_dlpack(given), order="C"))


class _Capsule:
    """What NumPy takes a capsule from."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # NumPy takes what is in the memory of the CPU, and refuses all else
