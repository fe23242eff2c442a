"""The time."""

from __future__ import annotations

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value

from ..core.tensor import Tensor
from ..dispatch.primitive import primitive


@primitive
def _timestamp(b: Builder) -> Value:
    return b.emit(ir.Timestamp())


def timestamp(name: str | None = None) -> Tensor:
    """The time since the epoch in seconds. In a `tfc.function` the time when the program gets
    there, each time that it runs.

    Returns:
        A float64 scalar.

    >>> import tfc as tf
    >>> bool(tf.timestamp() > 1.6e9)
    True
    """
    return _timestamp()
