"""Axes, sizes and other plain numbers that are given as tensors, as TensorFlow's functions take
them."""

from __future__ import annotations

import functools
import inspect
from types import FunctionType
from typing import Any

import numpy as np

from tfc.core.tensor import Held, SymbolicTensor
from tfc.ops.arguments import known_argument

_PLAIN = frozenset(
    ["axis", "axes", "axis1", "axis2", "source", "destination", "shift"]
    + ["k", "offset", "num", "decimals"]
)


def take_tensors(namespace: dict[str, Any]) -> None:
    """Let the public functions of a module take tensors for axes and other plain numbers. In a
    `tf.function`, those that are arguments let it be traced for their values."""
    for name, function in list(namespace.items()):
        own = isinstance(function, FunctionType) and function.__module__ == namespace["__name__"]
        if not own or name.startswith("_"):
            continue
        parameters = list(inspect.signature(function).parameters)
        places = {i: p for i, p in enumerate(parameters) if name == "arange" or p in _PLAIN}
        if places:
            namespace[name] = _taking(function, places)


def _taking(function: Any, places: dict[int, str]) -> Any:
    names = frozenset(places.values())

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        if any([isinstance(args[i], Held) for i in places if i < len(args)]):
            given = enumerate(args)
            args = tuple([_number(x, places[i], function) if i in places else x for i, x in given])
        if kwargs and any([isinstance(x, Held) for x in kwargs.values()]):
            kwargs = {n: _number(x, n, function) if n in names else x for n, x in kwargs.items()}
        return function(*args, **kwargs)

    return run


def _number(x: Any, what: str, function: Any) -> Any:
    """A tensor as a number, or a tuple of them."""
    if not isinstance(x, Held):
        return x
    name = function.__name__
    array = known_argument(x, what, name) if isinstance(x, SymbolicTensor) else np.asarray(x)
    found = array.tolist()
    return tuple(found) if isinstance(found, list) else found


__all__ = ["take_tensors"]
