"""`tf.train.CheckpointOptions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class CheckpointOptions:
    """How a checkpoint is written and read.

    Args:
        experimental_io_device: Not used: files are written by the process itself.
        experimental_enable_async_checkpoint: Write in a thread, from the values of now.
        experimental_write_callbacks: Functions that are called when a checkpoint is written, with
            its path, or without an argument.
        enable_async: As `experimental_enable_async_checkpoint`.
        experimental_skip_slot_variables: Whether `assert_consumed` passes over state of Keras 2's
            optimizers.
        experimental_sharding_callback: Not used: there is one file of elements.

    >>> import tfc as tf
    >>> tf.train.CheckpointOptions(enable_async=True).experimental_enable_async_checkpoint
    True
    """

    def __init__(
        self,
        experimental_io_device: str | None = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Sequence[Callable[..., Any]] | None = None,
        enable_async: bool = False,
        experimental_skip_slot_variables: bool = False,
        experimental_sharding_callback: Any = None,
    ) -> None:
        self.experimental_io_device = experimental_io_device
        self.enable_async = experimental_enable_async_checkpoint or enable_async
        self.experimental_enable_async_checkpoint = self.enable_async
        self.experimental_write_callbacks = experimental_write_callbacks
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback


__all__ = ["CheckpointOptions"]
