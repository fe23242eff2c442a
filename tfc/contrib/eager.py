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
from ..autodiff.functions import gradients_function, value_and_gradients_function
from ..autodiff.python_calls import py_function as py_func
from ..autodiff.tape import GradientTape
from ..compat.v1 import enable_eager_execution
from ..core import placement
from ..core.context import context
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..function.polymorphic import function
from ..train import Checkpoint
from . import eager_metrics as metrics

EagerTensor = Tensor


class Iterator:
    """Goes over the elements of a dataset.

    Args:
        dataset: A `tf.data.Dataset`.

    >>> import tfc as tf
    >>> import tfc.contrib.eager as tfe
    >>> elements = tfe.Iterator(tf.data.Dataset.range(3))
    >>> print(elements.next(), [int(x) for x in elements])
    tf.Tensor(0, shape=(), dtype=int64) [1, 2]
    """

    def __init__(self, dataset: Any) -> None:
        self._elements = iter(dataset)

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        return next(self._elements)

    next = __next__


def executing_eagerly() -> bool:
    """Whether ops run at once. Also `in_eager_mode`.

    Returns:
        True, but while a function is traced False.

    >>> import tfc.contrib.eager as tfe
    >>> tfe.executing_eagerly()
    True
    """
    return context.trace is None


in_eager_mode = executing_eagerly


def num_gpus() -> int:
    """How many GPUs code may use.

    Returns:
        An int.

    >>> import tfc as tf
    >>> import tfc.contrib.eager as tfe
    >>> tfe.num_gpus() == len(tf.config.list_logical_devices("GPU"))
    True
    """
    return len(placement.visible_gpus())


def list_devices() -> list[str]:
    """The names of the devices.

    Returns:
        A list of strings: the CPU, then the GPUs.

    >>> import tfc.contrib.eager as tfe
    >>> tfe.list_devices()[0]
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """
    return [placement.CPU_NAME, *(d.name for d in placement.visible_gpus())]


def implicit_value_and_gradients(
    f: Callable[..., Any],
) -> Callable[..., tuple[Any, list[tuple[Any, Variable]]]]:
    """A function that gives `f`'s value and its gradients by the trainable Variables that it reads.

    Args:
        f: A function that gives a tensor.

    Returns:
        A function of the same arguments that gives a pair: the value, and a list with a pair
        (gradient, Variable) for every trainable Variable that was read.

    Raises:
        ValueError: From the function, if `f` gives None or reads no trainable Variable.

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
    """A function that gives the gradients of `f` by the trainable Variables that it reads: what an
    optimizer of TensorFlow 1 takes.

    Args:
        f: A function that gives a tensor.

    Returns:
        A function of the same arguments that gives a list with a pair (gradient, Variable) for
        every trainable Variable that was read.

    Raises:
        ValueError: From the function, if `f` gives None or reads no trainable Variable.

    >>> import tfc.contrib.eager as tfe
    >>> v = tfe.Variable(3.0)
    >>> ((gradient, _),) = tfe.implicit_gradients(lambda: v * v)()
    >>> print(gradient.numpy())
    6.0
    """
    both = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: both(*args, **kwargs)[1]


def defun(func: Callable[..., Any] | None = None, **options: Any) -> Any:
    """As `tfc.function`.

    Args:
        func: A Python function; without it this gives a decorator.
        **options: `input_signature` and `autograph`, as of `tfc.function`; others make no
            difference.

    Returns:
        A compiled function.

    Raises:
        TypeError: If `func` cannot be called.

    >>> import tfc.contrib.eager as tfe
    >>> @tfe.defun
    ... def double(x):
    ...     return x + x
    >>> print(double(2.0))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """
    used = {key: options[key] for key in ("input_signature", "autograph") if key in options}
    return function(func, **used)


__all__ = [
    "Checkpoint",
    "EagerTensor",
    "GradientTape",
    "Iterator",
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
    "metrics",
    "num_gpus",
    "py_func",
    "value_and_gradients_function",
]
