"""`tensorflow.python.util.tf_inspect`: Python's `inspect`, which sees TensorFlow's functions as
they are declared there: without annotations."""

from __future__ import annotations

import inspect as _inspect
from collections.abc import Callable
from inspect import *  # noqa: F403
from inspect import FullArgSpec
from typing import Any

ArgSpec = FullArgSpec


def getfullargspec(  # type: ignore[no-redef]
    obj: Callable[..., Any],
) -> FullArgSpec:
    """The arguments of a function, with the annotations of those of others."""
    found = _inspect.getfullargspec(_inspect.unwrap(obj))
    if str(getattr(obj, "__module__", "")).partition(".")[0] in ("tfc", "tensorflow"):
        return found._replace(annotations={})
    return found


def getargspec(obj: Callable[..., Any]) -> FullArgSpec:
    """As `getfullargspec`, for what has no arguments by name alone."""
    return getfullargspec(obj)
