"""Functions of functions: their gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core import nest
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.array.conversion import identity
from .tape import GradientTape


def value_and_grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """A function that gives (f(...), the gradient by the arguments at `argnums`).

    Args:
        f: A function of tensors that gives a tensor, whose elements are summed.
        argnums: The numbers of the arguments to differentiate by: one, or a sequence.

    Returns:
        A function of the same arguments that gives a pair: the value, and the gradient or a tuple
        of gradients.

    >>> import tfc as tf
    >>> value, slope = tf.value_and_grad(lambda x: x * x)(3.0)
    >>> float(value), float(slope)
    (9.0, 6.0)
    """

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        places = [argnums] if isinstance(argnums, int) else list(argnums)
        arguments = list(args)
        for i in places:
            arguments[i] = nest.map_structure(_watchable, arguments[i])
        with GradientTape(watch_accessed_variables=False) as tape:
            for i in places:
                tape.watch(arguments[i])
            value = f(*arguments, **kwargs)
        sources = [arguments[i] for i in places]
        gradients = tape.gradient(value, sources)
        return value, gradients[0] if isinstance(argnums, int) else tuple(gradients)

    return wrapper


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """A function that gives the gradient of `f` by the arguments at `argnums`.

    Args:
        f: A function of tensors that gives a tensor, whose elements are summed.
        argnums: The numbers of the arguments to differentiate by: one, or a sequence.

    Returns:
        A function of the same arguments that gives the gradient, or a tuple of gradients.

    >>> import tfc as tf
    >>> float(tf.grad(tf.grad(lambda x: x * x * x))(2.0))
    12.0
    """
    both = value_and_grad(f, argnums)

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return both(*args, **kwargs)[1]

    return wrapper


def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives the list of gradients of `f` by all its positional arguments.

    >>> import tfc as tf
    >>> by_x, by_y = tf.gradients_function(lambda x, y: x * x * y)(3.0, 5.0)
    >>> float(by_x), float(by_y)
    (30.0, 9.0)
    """

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        arguments = [nest.map_structure(_watchable, a) for a in args]
        with GradientTape() as tape:
            tape.watch(arguments)
            value = f(*arguments, **kwargs)
        return tape.gradient(value, arguments)

    return wrapper


def _watchable(x: Any) -> Any:
    """A tensor of its own to watch."""
    if isinstance(x, Variable | SymbolicTensor):
        return x
    if isinstance(x, Tensor):
        return identity(x)
    return convert_to_tensor(x)


__all__ = ["grad", "gradients_function", "value_and_grad"]
