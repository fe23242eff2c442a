"""`tfc.compat.v1.logging`: messages through Python's logger "tensorflow".

>>> import tfc.compat.v1 as tf
>>> tf.logging.set_verbosity(tf.logging.ERROR)
>>> tf.logging.warning("not shown")
>>> tf.logging.get_verbosity() == tf.logging.ERROR
True
>>> tf.logging.set_verbosity(tf.logging.WARN)
"""

from __future__ import annotations

import logging as _logging
import threading as _threading
from collections import Counter as _Counter
from typing import Any

DEBUG, INFO, WARN, ERROR, FATAL = (
    _logging.DEBUG,
    _logging.INFO,
    _logging.WARNING,
    _logging.ERROR,
    _logging.CRITICAL,
)
_logger = _logging.getLogger("tensorflow")
_lock = _threading.Lock()
_seen: _Counter[str] = _Counter()  # how often each message has come, for those said now and then

debug = _logger.debug
info = _logger.info
warning = warn = _logger.warning
error = _logger.error
fatal = _logger.critical
log = _logger.log


def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """As `log`."""
    _logger.log(level, msg, *args, **kwargs)


def get_verbosity() -> int:
    """The level from which on messages are shown."""
    return _logger.getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Show messages from that level on."""
    _logger.setLevel(v)


def flush() -> None:
    """Write out what the handlers of messages hold back."""
    for handler in _logger.handlers:
        handler.flush()


def TaskLevelStatusMessage(msg: str) -> None:
    """As `error`."""
    _logger.error(msg)


def log_if(level: int, msg: str, condition: Any, *args: Any) -> None:
    """As `log`, where the condition holds."""
    if condition:
        _logger.log(level, msg, *args)


def _before(msg: str) -> int:
    """How often a message has come before this time."""
    with _lock:
        _seen[msg] += 1
        return _seen[msg] - 1


def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """As `log`, the first time and each n-th one after it."""
    log_if(level, msg, not _before(msg) % n, *args)


def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """As `log`, the first n times."""
    log_if(level, msg, _before(msg) < n, *args)
