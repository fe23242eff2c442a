"""Scopes of TensorFlow's executors: there are none, ops have run when their call returns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def async_scope() -> Iterator[None]:
    """A scope in which TensorFlow may run ops later. Here they have run when their call returns, so
    that errors are raised where they happen.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> with tf.experimental.async_scope():
    ...     x = tf.constant(1) + 1
    >>> int(x)
    2
    """
    yield


def async_clear_error() -> None:
    """Forget errors of ops that ran later: there are none.

    >>> import tfc as tf
    >>> tf.experimental.async_clear_error()
    """


@contextmanager
def function_executor_type(executor_type: str | None) -> Iterator[None]:
    """A scope in which functions are run by another executor of TensorFlow's: of no effect.

    Args:
        executor_type: Its name.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> with tf.experimental.function_executor_type("SINGLE_THREADED_EXECUTOR"):
    ...     print(tf.function(lambda x: x + 1)(tf.constant(1)))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    yield


def enable_strict_mode() -> None:
    """Let deprecated names be errors: of no effect, there are no warnings.

    >>> import tfc as tf
    >>> tf.experimental.enable_strict_mode()
    """


__all__ = ["async_clear_error", "async_scope", "enable_strict_mode", "function_executor_type"]
