"""Functions of functions: their gradients."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..core import blame, nest
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.types import TensorLike
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


def gradients_function(
    f: Callable[..., Any], params: Sequence[str | int] | str | int | None = None
) -> Callable[..., Any]:
    """A function that gives the list of gradients of `f` by positional arguments.

    Args:
        f: A function of tensors that gives a tensor, whose elements are summed.
        params: The arguments to differentiate by: a sequence of their names or numbers; None: all
            that a call gives by position.

    Returns:
        A function of the same arguments that gives a list of gradients. Its argument `dy` is a
        weight for each element of the value, of its shape.

    Raises:
        ValueError: From the function, if `params` names an argument that a call does not give by
            position.

    >>> import tfc as tf
    >>> by_x, by_y = tf.gradients_function(lambda x, y: x * x * y)(3.0, 5.0)
    >>> float(by_x), float(by_y)
    (30.0, 9.0)
    """

    both = value_and_gradients_function(f, params)

    @functools.wraps(f)
    def wrapper(*args: Any, dy: TensorLike | None = None, **kwargs: Any) -> Any:
        return both(*args, dy=dy, **kwargs)[1]

    return wrapper


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[str | int] | str | int | None = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """A function that gives the value of `f`, and the list of its gradients by positional
    arguments.

    Args:
        f: A function of tensors that gives a tensor, whose elements are summed.
        params: The arguments to differentiate by: a sequence of their names or numbers; None: all
            that a call gives by position.

    Returns:
        A function of the same arguments that gives a pair: the value, and a list of gradients. Its
        argument `dy` is a weight for each element of the value, of its shape.

    Raises:
        ValueError: From the function, if `params` names an argument that a call does not give by
            position.

    >>> import tfc.contrib.eager as tfe
    >>> value, (by_y,) = tfe.value_and_gradients_function(lambda x, y: x * y * y, ["y"])(2.0, 3.0)
    >>> print(value.numpy(), by_y.numpy())
    18.0 12.0
    """

    @functools.wraps(f)
    def wrapper(*args: Any, dy: TensorLike | None = None, **kwargs: Any) -> tuple[Any, list[Any]]:
        arguments: list[Any] = list(args)
        places = _places(f, len(args), params)
        for i in places:
            arguments[i] = nest.map_structure(_watchable, arguments[i])
        sources = [arguments[i] for i in places]
        with GradientTape() as tape:
            tape.watch(sources)
            value = f(*arguments, **kwargs)
        return value, tape.gradient(value, sources, output_gradients=dy)

    return wrapper


def _places(
    f: Callable[..., Any], count: int, params: Sequence[str | int] | str | int | None
) -> list[int]:
    """The numbers of those of `count` arguments that `params` names or numbers."""
    if params is None:
        return list(range(count))
    found = []
    for p in [params] if isinstance(params, str | int) else params:
        names = list(inspect.signature(f).parameters) if isinstance(p, str) else []
        place = p if isinstance(p, int) else names.index(p) if p in names else count
        if not 0 <= place < count:
            text = f"params: there is no argument {p!r} among the {count} given by position"
            raise blame.located(ValueError, text)
        found.append(place)
    return found


def _watchable(x: Any) -> Any:
    """A tensor of its own to watch."""
    if isinstance(x, Variable | SymbolicTensor):
        return x
    if isinstance(x, Tensor):
        return identity(x)
    return convert_to_tensor(x)


__all__ = ["grad", "gradients_function", "value_and_grad", "value_and_gradients_function"]
