"""Callbacks of training, where nothing waits for a number that nobody reads.

Keras' own list turns what each step gives into Python's floats, in a thread beside the loop, for
whoever may look. Here the callbacks are asked which of them do anything at a batch; the progress
bar reads what it prints when it prints it, which is some times a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from keras.src.callbacks.callback_list import CallbackList
from keras.src.callbacks.progbar_logger import ProgbarLogger
from keras.src.utils import is_default
from keras.src.utils.python_utils import pythonify_logs


class Callbacks(CallbackList):
    """A CallbackList that calls those callbacks alone, batch by batch, that want it."""

    def _configure_async_dispatch(self, callbacks: Any) -> None:
        """Nothing runs beside the loop: there is nothing to wait for."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        super().on_epoch_begin(epoch, logs)
        self._train_begin = self._wanting("on_train_batch_begin", "on_batch_begin")
        self._train_end = self._wanting("on_train_batch_end", "on_batch_end")

    def on_test_begin(self, logs: Any = None) -> None:
        super().on_test_begin(logs)
        self._test_begin = self._wanting("on_test_batch_begin")
        self._test_end = self._wanting("on_test_batch_end")

    def on_predict_begin(self, logs: Any = None) -> None:
        super().on_predict_begin(logs)
        self._predict_begin = self._wanting("on_predict_batch_begin")
        self._predict_end = self._wanting("on_predict_batch_end")

    def _wanting(self, *names: str) -> list[Any]:
        """The callbacks that have a method of their own of one of these names."""
        return [
            callback
            for callback in self.callbacks
            if any(not is_default(getattr(callback, name)) for name in names)
        ]

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        for callback in self._train_begin:
            callback.on_train_batch_begin(batch, logs=pythonify_logs(logs))

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        for callback in self._test_begin:
            callback.on_test_batch_begin(batch, logs=pythonify_logs(logs))

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        for callback in self._predict_begin:
            callback.on_predict_batch_begin(batch, logs=pythonify_logs(logs))

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._train_end:
            _told(self._train_end, "on_train_batch_end", batch, logs)

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._test_end:
            _told(self._test_end, "on_test_batch_end", batch, logs)

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._predict_end:
            _told(self._predict_end, "on_predict_batch_end", batch, logs)


def _told(callbacks: Iterable[Any], name: str, batch: int, logs: Any) -> None:
    """Call a method of each with the logs of a batch."""
    values: Any = None
    for callback in callbacks:
        call: Callable[..., Any] = getattr(callback, name)
        if type(callback) is ProgbarLogger and isinstance(logs, dict) and _is_flat(logs):
            call(batch, logs={key: Unread(logs[key]) for key in sorted(logs)})
        else:
            values = pythonify_logs(logs) if values is None else values
            call(batch, logs=values)


def _is_flat(logs: dict[str, Any]) -> bool:
    return not any(isinstance(value, dict) for value in logs.values())


class Unread:
    """A number for the progress bar, which takes the mean of what is no float: so it is read there,
    if it is printed."""

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self._value, dtype)


__all__ = ["Callbacks"]
