"""What of TensorFlow's inner modules has no counterpart among tfc's public names."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import tfc as _tfc
from tfc.core.context import context as _context

Function = Callable[..., Any]


class Context:
    """What libraries ask of `tensorflow.python.eager.context.context()`."""

    def executing_eagerly(self) -> bool:
        return _tfc.executing_eagerly()

    @property
    def device_spec(self) -> Any:
        """The device that `tf.device` names here."""
        wanted = _context.device
        name = getattr(wanted, "name", None)
        kind = None if wanted is None else "GPU" if name is not None and "GPU" in name else "CPU"
        return _tfc.DeviceSpec(device_type=kind)

    def num_gpus(self) -> int:
        return len(_tfc.config.list_physical_devices("GPU"))


@functools.cache
def context() -> Context:
    return Context()


def deprecated(date: Any, instructions: str = "", warn_once: bool = True) -> Any:
    """A decorator of functions and classes that warns of their use, once."""

    def decorate(target: Any) -> Any:
        if isinstance(target, type):
            return target
        told: list[bool] = []

        @functools.wraps(target)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not told:
                told.append(True)
                warnings.warn(
                    f"{target.__qualname__} is deprecated: {instructions}",
                    DeprecationWarning,
                    stacklevel=2,
                )
            return target(*args, **kwargs)

        return call

    return decorate


def deprecated_arguments(date: Any, instructions: str = "", *names: Any, **values: Any) -> Any:
    """A decorator of functions some of whose arguments are deprecated: as they are."""
    return lambda function: function


def deprecated_alias(name: str, other: str, function: Function) -> Function:
    """A function under its deprecated name."""
    return function


def deprecated_argument_lookup(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that has two names."""
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old


def as_it_is(*args: Any, **kwargs: Any) -> Any:
    """A decorator that changes nothing."""
    return lambda target: target
