"""`tf.xla.experimental`: functions by TensorFlow's older names for what is compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..core.context import active
from .polymorphic import function


def compile(computation: Callable[..., Any], inputs: Sequence[Any] | None = None) -> Any:
    """Run a function compiled as a whole: `tf.function(computation)(*inputs)`.

    Args:
        computation: The function.
        inputs: Its arguments; None for none.

    Returns:
        What it returns, of a single tensor the tuple of it.

    >>> import tfc as tf
    >>> tf.xla.experimental.compile(lambda x: x + 1.0, [tf.constant(2.0)])[0].numpy()
    np.float32(3.0)
    """
    result = function(computation, autograph=False)(*(inputs or ()))
    return result if isinstance(result, tuple | list | dict) or result is None else (result,)


def jit_scope(
    compile_ops: bool | Callable[..., Any] = True, separate_compiled_gradients: bool = False
) -> AbstractContextManager[Any]:
    """A scope that changes nothing: what is traced is compiled.

    Args:
        compile_ops: Not used.
        separate_compiled_gradients: Not used.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> with tf.xla.experimental.jit_scope():
    ...     x = tf.constant(1.0)
    """
    return active()
