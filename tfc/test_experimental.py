"""`tfc.test.experimental`: what measurements of programs use."""

from __future__ import annotations


def sync_devices() -> None:
    """Wait until all that devices were given to do is done: it is, when a call comes back.

    >>> import tfc as tf
    >>> y = tf.square(3.0)
    >>> tf.test.experimental.sync_devices()
    """


__all__ = ["sync_devices"]
