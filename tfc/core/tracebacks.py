"""Tracebacks that end at the user's lines: frames of this package are left out of them.

A call of a compiled function leaves its own frames out of what it raises; so what is shown are the
lines that called it, and those inside of it that led to the error. What comes to the top of a
script is shown without any.
"""

from __future__ import annotations

import functools
import os
import sys
from types import TracebackType
from typing import Any

from .context import PACKAGE_FOLDERS

_filtering = True


def enable_traceback_filtering() -> None:
    """Leave frames of this package out of tracebacks, as is the default.

    >>> import tfc as tf
    >>> tf.debugging.enable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    global _filtering
    _filtering = True


def disable_traceback_filtering() -> None:
    """Show all frames in tracebacks, those of this package too.

    >>> import tfc as tf
    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    global _filtering
    _filtering = False


def is_traceback_filtering_enabled() -> bool:
    """Whether frames of this package are left out of tracebacks.

    Returns:
        True, until `disable_traceback_filtering` is called.

    >>> import tfc as tf
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return _filtering


def filtered(error: BaseException) -> BaseException:
    """The error without frames of this package in its traceback, and in those of its causes."""
    if _filtering:
        seen: set[int] = set()
        one: BaseException | None = error
        while one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = _users(one.__traceback__)
            one = one.__cause__ or one.__context__
    return error


def _users(traceback: TracebackType | None) -> TracebackType | None:
    """The entries of a traceback whose files are not this package's."""
    entries = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    found: TracebackType | None = None
    for entry in reversed(entries):
        if not _is_own(entry.tb_frame.f_code.co_filename):
            found = TracebackType(found, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return found


@functools.cache
def _is_own(file: str) -> bool:
    return not file.startswith("<") and os.path.realpath(file).startswith(PACKAGE_FOLDERS)


def show_filtered() -> None:
    """Let Python show errors that end a script without frames of this package."""
    shown = sys.excepthook

    def show(kind: Any, error: Any, traceback: Any) -> None:
        if _filtering and isinstance(error, Exception) and _users(traceback) is not None:
            filtered(error)
            traceback = error.__traceback__
        shown(kind, error, traceback)

    sys.excepthook = show
