"""`tf.train.CheckpointManager`: several checkpoints in a folder, of which the old ones go."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from typing import Any

from .checkpoint import Checkpoint, refuse_traces
from .options import CheckpointOptions
from .state import get_checkpoint_state, remove_checkpoint, update_checkpoint_state
from .storing import path_of


class CheckpointManager:
    """Saves checkpoints in a folder, keeps the latest ones and removes others.

    What it knows stands in the folder's file `checkpoint`, so the manager of the next run goes on
    with it.

    Args:
        checkpoint: The `Checkpoint` to save.
        directory: The folder; it is made by the first `save`.
        max_to_keep: How many checkpoints stay; None for all.
        keep_checkpoint_every_n_hours: Of those that would go, one stays for good if it was written
            so many hours after the last one that does.
        checkpoint_name: What the names of files begin with.
        step_counter: A Variable that counts steps, for `checkpoint_interval`.
        checkpoint_interval: The least number of steps from one checkpoint to the next.
        init_fn: What `restore_or_initialize` calls where there is no checkpoint.
        last_checkpoint_step: The step of the last checkpoint, to count the interval from.

    Raises:
        ValueError: If `max_to_keep` is not positive, or there is an interval without a counter.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(0))
    >>> manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=2)
    >>> for step in range(3):
    ...     _ = checkpoint.v.assign(step)
    ...     _ = manager.save()
    >>> [os.path.basename(path) for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    >>> _ = checkpoint.v.assign(0)
    >>> _ = manager.restore_or_initialize()
    >>> int(checkpoint.v)
    2
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        self._checkpoint = checkpoint
        self._directory = path_of(directory)
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._init_fn = init_fn
        self._last_step = last_checkpoint_step
        self._latest: str | None = None
        self._times: dict[str, float] = {}  # when those were written that may go, the oldest first
        now = time.time()
        self._preserved = now - 1.0  # when the last one was written that stays for good
        state = get_checkpoint_state(self._directory)
        if state is not None:
            self._latest = state.model_checkpoint_path
            self._preserved = min(state.last_preserved_timestamp, now)
            paths = list(state.all_model_checkpoint_paths)
            times = list(state.all_model_checkpoint_timestamps)
            # Without times they were written by `Checkpoint.save`, and stay.
            for path, written in zip(paths, times or [self._preserved] * len(paths), strict=False):
                if min(written, now) > self._preserved:
                    self._times[path] = min(written, now)

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """The `Checkpoint`."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """The least number of steps from one checkpoint to the next."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint; None if there is none."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints, the oldest first, without those that stay for good."""
        return list(self._times)

    def save(
        self,
        checkpoint_number: Any = None,
        check_interval: bool = True,
        options: CheckpointOptions | None = None,
    ) -> str | None:
        """Write a checkpoint, and remove what is too much then.

        Args:
            checkpoint_number: Its number; None: that of the Checkpoint's `save_counter`, which
                counts in any case.
            check_interval: Whether to do nothing where less than `checkpoint_interval` steps were
                made; none is written twice for one step.
            options: A `CheckpointOptions`.

        Returns:
            The path; None if nothing was written.

        Raises:
            NotImplementedError: Inside of a `tfc.function`.
            OpError: If it cannot be written.
        """
        refuse_traces("tf.train.CheckpointManager.save()")
        if self._interval is not None:
            step = int(self._step_counter)
            if self._last_step is not None and (
                step == self._last_step
                or (check_interval and step < self._last_step + self._interval)
            ):
                return None
            self._last_step = step
        self._checkpoint.sync()
        self._checkpoint.save_counter.assign_add(1)
        counter = self._checkpoint.save_counter
        number = int(counter if checkpoint_number is None else checkpoint_number)
        options = copy.copy(options) or CheckpointOptions()
        callbacks = list(options.experimental_write_callbacks or ())
        options.experimental_write_callbacks = [*callbacks, self._written]
        return self._checkpoint._write(f"{self._prefix}-{number}", options)

    def _written(self, path: str) -> None:
        self._times.pop(path, None)
        self._times[path] = time.time()
        self._latest = path
        self._record()  # first the new one is noted, then old ones go: so what is noted is there
        self._sweep()
        self._record()

    def _sweep(self) -> None:
        while self._max_to_keep is not None and len(self._times) > self._max_to_keep:
            path = next(iter(self._times))
            written = self._times.pop(path)
            if self._hours and written - self._hours * 3600.0 >= self._preserved:
                self._preserved = written
                continue
            remove_checkpoint(path)

    def _record(self) -> None:
        assert self._latest is not None
        update_checkpoint_state(
            self._directory,
            self._latest,
            list(self._times),
            all_model_checkpoint_timestamps=list(self._times.values()),
            last_preserved_timestamp=self._preserved,
            save_relative_paths=True,
        )

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint; where there is none, call `init_fn`.

        Returns:
            The path of the checkpoint; None if there was none.

        Raises:
            OpError: If it cannot be read.
        """
        if self._latest is None:
            if self._init_fn is not None:
                self._init_fn()
            return None
        self._checkpoint.restore(self._latest)
        if self._interval is not None:
            self._last_step = int(self._step_counter)
        return self._latest

    def sync(self) -> None:
        """Wait until what a thread writes is written.

        Raises:
            OpError: If it could not be.
        """
        self._checkpoint.sync()


__all__ = ["CheckpointManager"]
