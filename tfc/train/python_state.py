"""`tf.train.experimental.PythonState`: Python's own values in a checkpoint."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

_NAME = "py_state"


class PythonState(abc.ABC):
    """The base of objects whose state is a string of theirs, in a checkpoint.

    >>> import tempfile
    >>> import tfc as tf
    >>> class Words(tf.train.experimental.PythonState):
    ...     def __init__(self, *words):
    ...         self.words = words
    ...     def serialize(self):
    ...         return " ".join(self.words)
    ...     def deserialize(self, string_value):
    ...         self.words = tuple(string_value.decode().split())
    >>> path = tf.train.Checkpoint(words=Words("a", "b")).write(tempfile.mkdtemp() + "/w")
    >>> words = Words()
    >>> _ = tf.train.Checkpoint(words=words).read(path).assert_consumed()
    >>> words.words
    ('a', 'b')
    """

    @abc.abstractmethod
    def serialize(self) -> str | bytes:
        """The state.

        Returns:
            A string, or bytes.
        """

    @abc.abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Take a state.

        Args:
            string_value: What `serialize` gave, as bytes.
        """

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {_NAME: self.serialize()}

    def _restore_from_tensors(self, tensors: Mapping[str, Any]) -> None:
        self.deserialize(tensors[_NAME].numpy())


__all__ = ["PythonState"]
