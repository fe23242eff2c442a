"""`tfc.contrib.eager`: the functions of the first eager programs, mostly imported as `tfe`.

>>> import tfc as tf
>>> import tfc.contrib.eager as tfe
>>> square = lambda x: tf.multiply(x, x)
>>> print(tfe.gradients_function(square)(3.0)[0])
tf.Tensor(6.0, shape=(), dtype=float32)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autodiff.custom_gradient import custom_gradient
from ..autodiff.functions import gradients_function
from ..autodiff.tape import GradientTape
from ..compat.v1 import enable_eager_execution
from ..core import placement
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..function.polymorphic import function

EagerTensor = Tensor


def executing_eagerly() -> bool:
    """Whether ops run at once: True but while a function is traced. Also `in_eager_mode`.

    >>> import tfc.contrib.eager as tfe
    >>> tfe.executing_eagerly()
    True
    """
    return context.trace is None


in_eager_mode = executing_eagerly


def num_gpus() -> int:
    """How many GPUs code may use.

    >>> import tfc as tf
    >>> import tfc.contrib.eager as tfe
    >>> tfe.num_gpus() == len(tf.config.list_logical_devices("GPU"))
    True
    """
    return len(placement.visible_gpus())


def list_devices() -> list[str]:
    """The names of the devices: the CPU, then the GPUs.

    >>> import tfc.contrib.eager as tfe
    >>> tfe.list_devices()[0]
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """
    return [placement.CPU_NAME, *(d.name for d in placement.visible_gpus())]


def value_and_gradients_function(
    f: Callable[..., Any], params: Any = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """A function that gives `f`'s value and its gradients by its arguments (those that `params`
    names or numbers).

    >>> import tfc.contrib.eager as tfe
    >>> value, (by_y,) = tfe.value_and_gradients_function(lambda x, y: x * y * y, ["y"])(2.0, 3.0)
    >>> print(value.numpy(), by_y.numpy())
    18.0 12.0
    """
    import inspect

    names = list(inspect.signature(f).parameters)

    def both(*args: Any, dy: Any = None) -> tuple[Any, list[Any]]:
        chosen = range(len(args)) if params is None else params
        places = [names.index(p) if isinstance(p, str) else int(p) for p in chosen]
        given: list[Any] = list(args)
        for i in places:
            if not isinstance(given[i], Variable):
                given[i] = convert_to_tensor(given[i])
        sources = [given[i] for i in places]
        with GradientTape() as tape:
            tape.watch(sources)
            value = f(*given)
        return value, tape.gradient(value, sources, output_gradients=dy)

    return both


def implicit_value_and_gradients(
    f: Callable[..., Any],
) -> Callable[..., tuple[Any, list[tuple[Any, Variable]]]]:
    """A function that gives `f`'s value and (gradient, Variable) for every trainable Variable that
    it read; ValueError where there is none.

    >>> import tfc.contrib.eager as tfe
    >>> v = tfe.Variable(3.0, name="v")
    >>> value, pairs = tfe.implicit_value_and_gradients(lambda x: x * v * v)(2.0)
    >>> print(value.numpy(), [(g.numpy().item(), u.name) for g, u in pairs])
    18.0 [(12.0, 'v:0')]
    """

    def both(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Variable]]]:
        with GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError(
                "Cannot differentiate a function that returns None; did you forget to return a "
                "value from it?"
            )
        variables = list(tape.watched_variables())
        if not variables:
            raise ValueError("No trainable variables were accessed while the function ran")
        return value, list(zip(tape.gradient(value, variables), variables, strict=True))

    return both


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Variable]]]:
    """A function that gives (gradient, Variable) for every trainable Variable that `f` reads: what
    an optimizer of TensorFlow 1 takes.

    >>> import tfc.contrib.eager as tfe
    >>> v = tfe.Variable(3.0)
    >>> ((gradient, _),) = tfe.implicit_gradients(lambda: v * v)()
    >>> print(gradient.numpy())
    6.0
    """
    both = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def defun(func: Callable[..., Any] | None = None, **options: Any) -> Any:
    """As `tfc.function`. Of the options only `input_signature` is used.

    >>> import tfc.contrib.eager as tfe
    >>> @tfe.defun
    ... def double(x):
    ...     return x + x
    >>> print(double(2.0))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """
    return function(func, input_signature=options.get("input_signature"))


__all__ = [
    "EagerTensor",
    "GradientTape",
    "Variable",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "list_devices",
    "num_gpus",
    "value_and_gradients_function",
]
