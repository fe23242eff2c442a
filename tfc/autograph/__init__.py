"""`tfc.autograph`: Python's control flow on tensors, inside `tfc.function`.

`if`, `while`, `for`, `break`, `continue`, `return`, `and`, `or`, `not`, conditional expressions,
`assert`, and calls of `range`, `len`, ... work on tensors in functions that are traced: see
transformer.py for how, and operators.py for what it means. Called functions are converted too,
unless they are marked by `do_not_convert`, or belong to a library that nobody asked to convert.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from . import experimental, names
from .conversion import convert, convert_asked, converted_source, do_not_convert


def to_graph(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> Callable[..., Any]:
    """The converted function: what a `tfc.function` makes of it by itself.

    Args:
        entity: A function, method or object that can be called.
        recursive: Not used: functions that it calls are converted when they are called.
        experimental_optional_features: Not used: there are none.

    Returns:
        A function of the same arguments, also of what an installed package defines; `entity` itself
        where it is not converted otherwise: see `convert`.

    >>> import tfc as tf
    >>> def size(x):
    ...     return -x if x < 0.0 else x
    >>> f = tf.function(tf.autograph.to_graph(size))
    >>> print(f(tf.constant(-2.0)))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    return convert_asked(entity)


def to_code(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> str:
    """The source of the converted function, as it runs inside a `tfc.function`.

    Args:
        entity: A function or method, or a `tfc.function`.
        recursive: Not used: the source of this function alone is shown.
        experimental_optional_features: Not used: there are none.

    Returns:
        A string.

    Raises:
        ValueError: If it is not converted; the message says why.

    >>> import tfc as tf
    >>> def size(x):
    ...     return -x if x < 0.0 else x
    >>> code = tf.autograph.to_code(size)
    >>> code.startswith("def tf__size(x):"), "if_exp" in code
    (True, True)
    """
    source = converted_source(getattr(entity, "python_function", entity))
    return re.sub(r"^(\s*def )", r"\1tf__", source, count=1)


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accepted for TensorFlow's sake; nothing is logged.

    Args:
        level: Not used.
        alsologtostdout: Not used.

    >>> import tfc as tf
    >>> tf.autograph.set_verbosity(3)
    """


def trace(*args: Any) -> None:
    """Print the arguments while a function is traced.

    Args:
        *args: What is printed: anything, of tensors what is known of them while tracing.

    >>> import tfc as tf
    >>> f = tf.function(lambda x: tf.autograph.trace("traced", x.shape))
    >>> f(tf.ones([2]))  # the second call traces no more
    traced (2,)
    >>> f(tf.ones([2]))
    """
    print(*args)


__all__ = [
    "convert",
    "do_not_convert",
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
