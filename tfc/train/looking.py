"""What is in a checkpoint: `load_checkpoint`, `list_variables`, `load_variable`,
`checkpoints_iterator`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType

from ..core.errors import NotFoundError
from ..records.bundle_reader import BundleReader
from . import safetensors
from .state import latest_checkpoint
from .storing import SUFFIX, path_of

_OP = "train.load_checkpoint"


class CheckpointReader:
    """The tensors of a checkpoint by their names; `tf.train.load_checkpoint` gives one.

    >>> import tempfile
    >>> import tfc as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/v")
    >>> reader = tf.train.load_checkpoint(path)
    >>> name = "v/.ATTRIBUTES/VARIABLE_VALUE"
    >>> reader.has_tensor(name), reader.get_tensor(name)
    (True, array([1., 2.], dtype=float32))
    >>> reader.get_variable_to_shape_map()[name], reader.get_variable_to_dtype_map()[name]
    ([2], tf.float32)
    """

    def __init__(self, filename: str) -> None:
        self._reader: Any
        if filename.endswith(SUFFIX):
            self._reader = safetensors.Reader(filename, _OP)
        else:
            self._reader = BundleReader(filename, _OP)

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a tensor.

        Args:
            tensor_str: Its name.

        Returns:
            A Python bool.
        """
        return _text(tensor_str) in self._reader

    def get_tensor(self, tensor_str: str) -> Any:
        """The value of a tensor.

        Args:
            tensor_str: Its name.

        Returns:
            An array; for a scalar string its bytes.

        Raises:
            NotFoundError: If there is none of this name.
            DataLossError: If it is damaged.
            UnimplementedError: If its dtype is none of tfc's.
        """
        array: np.ndarray = self._reader.read(_text(tensor_str))
        return array.item() if array.dtype == object and not array.ndim else array

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes of all tensors.

        Returns:
            Lists of extents by name.

        Raises:
            DataLossError: If the checkpoint is damaged.
        """
        if isinstance(self._reader, safetensors.Reader):
            return {name: list(self._reader.shape(name)) for name in self._reader}
        return {name: list(self._reader.entry(name).shape) for name in self._reader}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtypes of all tensors.

        Returns:
            Dtypes by name.

        Raises:
            DataLossError: If the checkpoint is damaged.
            UnimplementedError: If one has a dtype that is none of tfc's.
        """
        return {name: self._reader.dtype(name) for name in self._reader}


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """Open a checkpoint, to look at its tensors.

    Args:
        ckpt_dir_or_file: Its path, or a folder, of which the latest one is taken.

    Returns:
        A `CheckpointReader`.

    Raises:
        ValueError: If the folder has none.
        NotFoundError: If there is none of this path.
        DataLossError: If it is damaged.

    >>> import tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> _ = tf.train.Checkpoint(v=tf.Variable(3.0)).save(folder + "/ckpt")
    >>> tf.train.load_checkpoint(folder).get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE")
    array(3., dtype=float32)
    """
    path: str | None = path_of(ckpt_dir_or_file)
    if path is not None and os.path.isdir(path):
        path = latest_checkpoint(path)
    if path is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}"
        )
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """The tensors in a checkpoint.

    Args:
        ckpt_dir_or_file: Its path, or a folder, of which the latest one is taken.

    Returns:
        Pairs of names and shapes, in the order of the names.

    Raises:
        ValueError: If the folder has none.
        NotFoundError: If there is none of this path.
        DataLossError: If it is damaged.

    >>> import tempfile
    >>> import tfc as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([3.0])).write(tempfile.mkdtemp() + "/v")
    >>> tf.train.list_variables(path)
    [('_CHECKPOINTABLE_OBJECT_GRAPH', []), ('v/.ATTRIBUTES/VARIABLE_VALUE', [1])]
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of a tensor in a checkpoint, by its `name`, as `list_variables` gives it.

    Args:
        ckpt_dir_or_file: The checkpoint's path, or a folder, of which the latest one is taken.

    Returns:
        An array; for a scalar string its bytes.

    Raises:
        ValueError: If the folder has no checkpoint.
        NotFoundError: If there is no checkpoint, or no such tensor in it.
        DataLossError: If it is damaged.

    >>> import tempfile
    >>> import tfc as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([3.0])).write(tempfile.mkdtemp() + "/v")
    >>> tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE")
    array([3.], dtype=float32)
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def checkpoints_iterator(
    checkpoint_dir: Any,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], Any] | None = None,
) -> Iterator[str]:
    """The paths of new checkpoints in a folder, as they come: for a program that evaluates what
    another one trains.

    Args:
        checkpoint_dir: The folder.
        min_interval_secs: The least number of seconds from one to the next.
        timeout: How many seconds to wait for a new one; None: for ever.
        timeout_fn: Called when they are over; it ends the iteration by giving True. Without it they
            end it.

    Returns:
        An iterator of paths.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> _ = tf.train.Checkpoint(v=tf.Variable(3.0)).save(folder + "/ckpt")
    >>> for path in tf.train.checkpoints_iterator(folder, timeout=0):
    ...     print(os.path.basename(path))
    ckpt-1
    """
    last: str | None = None
    while True:
        new = _wait_for_new(checkpoint_dir, last, timeout)
        if new is not None:
            began, last = time.time(), new
            yield new
            time.sleep(max(0.0, began + min_interval_secs - time.time()))
        elif timeout_fn is None:
            return
        if timeout_fn is not None and timeout_fn():
            return


def _wait_for_new(folder: Any, last: str | None, timeout: float | None) -> str | None:
    """A checkpoint that is not the last one; None if none came in time."""
    end = None if timeout is None else time.monotonic() + timeout
    pause = 0.05
    while True:
        try:
            path = latest_checkpoint(folder)
        except NotFoundError:
            path = None
        if path is not None and path != last:
            return path
        if end is not None and time.monotonic() + pause > end:
            return None
        time.sleep(pause)
        pause = min(1.0, pause * 1.5)


__all__ = [
    "CheckpointReader",
    "checkpoints_iterator",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]
