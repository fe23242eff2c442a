"""The logger of what is said to users in words."""

from __future__ import annotations

import logging


def get_logger() -> logging.Logger:
    """Python's logger "tensorflow", whose name filters of programs know. `tf.compat.v1.logging`
    writes to it.

    Returns:
        A `logging.Logger`.

    >>> import tfc as tf
    >>> tf.get_logger().setLevel("ERROR")
    >>> tf.get_logger().level
    40
    >>> tf.get_logger().setLevel("NOTSET")
    """
    return logging.getLogger("tensorflow")


__all__ = ["get_logger"]
